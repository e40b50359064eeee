/* Options of particle liquids after Macêdo 2007: exponents and strength of walls that repel (4.2.2), and the equation
   of state of appendix B. */
#include "sph/pressure/accelerate.h"
#include "sph/stage/near.h"
#include "sph/stage/repel.h"
#include "sph/stage/walls.h"
#include "support/dams.h"

enum { PARTICLES = 40 };

typedef struct vessel {
    fr_scene_def def;
    sph_model *m;
    sph_state *s;
} vessel;

/* Particles from almost on the floor to a spacing and a half above it. */
static void vessel_make(vessel *v, fr_sph_boundary boundary)
{
    v->def.domain.dims = 2;
    v->def.domain.size[0] = 1;
    v->def.domain.size[1] = 0.5;
    v->def.sph.spacing = 0.02;
    v->def.sph.boundary = boundary;
    assert_ok(sph_model_create(&v->def, &(sph_filling){0}, &v->m));
    assert_ok(sph_state_create(v->m, &v->s));
    assert_ok(sph_state_reserve(v->m, v->s, PARTICLES));
    for (int n = 0; n < PARTICLES; n++)
        fluid_add(&v->s->fluid, n, (double[3]){0.1 + 0.0203 * n, 0.02 * (0.1 + 1.4 * n / PARTICLES), 0},
                  (double[3]){0});
    assert_ok(stage_sph_walls(v->m, v->s, 0, 0));
    assert_ok(stage_sph_near(v->m, v->s));
}

static void vessel_free(vessel *v)
{
    sph_state_destroy(v->s);
    sph_model_destroy(v->m);
}

/* D ((r₀/r)^p₁ − (r₀/r)^p₂) x/r² of all particles of the walls nearer than r₀; returns the least r/r₀. */
static double repulsion(const sph_walls *w, const float *x, double r0, const fr_sph_def *sph, double a[2])
{
    double least = INFINITY;
    a[0] = a[1] = 0;
    for (int64_t b = 0; b < w->count; b++) {
        double away[2] = {x[0] - w->x[b], x[1] - w->y[b]}, r = hypot(away[0], away[1]);
        least = fmin(least, r / r0);
        if (r >= r0)
            continue;
        double push = pow(r0 / r, sph->exponents[0]) - pow(r0 / r, sph->exponents[1]);
        for (int i = 0; i < 2; i++)
            a[i] += sph->repulsion * push * away[i] / (r * r);
    }
    return least;
}

static void test_walls_repel_by_their_exponents(void **state)
{
    (void)state;
    static const int exponents[][2] = {{4, 2}, {12, 6}, {3, 1}};
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        vessel v = {.def = fr_default_scene(FR_METHOD_SPH)};
        memcpy(v.def.sph.exponents, exponents[e], sizeof exponents[e]);
        v.def.sph.repulsion = 2.5;
        vessel_make(&v, FR_SPH_LENNARD_JONES);
        const double dt = 1e-3, r0 = 0.02;
        int near = 0;
        for (int n = 0; n < PARTICLES; n++)
            memset(v.s->next.velocity[n], 0, sizeof v.s->next.velocity[n]);
        stage_sph_repel(v.m, v.s, dt);
        for (int n = 0; n < PARTICLES; n++) {
            double a[2];
            const float *x = v.s->fluid.position[n], *u = v.s->next.velocity[n];
            if (repulsion(&v.s->walls, x, r0, &v.def.sph, a) < 0.6)
                continue; /* with 12 and 6 it is bounded not far below */
            double size = hypot(a[0], a[1]);
            near += size > 0;
            for (int i = 0; i < 2; i++)
                assert_near(u[i], dt * a[i], 1e-4 * dt * (size + 1));
        }
        assert_true(near > 8);
        vessel_free(&v);
    }
}

/* Steps are short enough that a particle bounces off a wall without gaining speed, whatever the exponents and D. */
static void test_a_bounce_gains_nothing(void **state)
{
    (void)state;
    static const int exponents[][2] = {{4, 2}, {12, 6}};
    for (size_t e = 0; e < 2; e++)
        for (int weak = 0; weak < 2; weak++) {
            dams_box box;
            dams_make(&box, FR_SPH_DFSPH, 2, (double[3]){0.4, 0.4}, (double[3]){0.02, 0.02}, 0.02);
            for (int a = 0; a < 2; a++) {
                box.shape.min[a] = 0.2;
                box.shape.max[a] = 0.22;
            }
            memset(box.def.gravity, 0, sizeof box.def.gravity);
            box.def.sph.boundary = FR_SPH_LENNARD_JONES;
            memcpy(box.def.sph.exponents, exponents[e], sizeof exponents[e]);
            box.def.sph.repulsion = weak ? 0.3 : 0;
            box.def.sph.damping = 0;
            box.fill.velocity.value[0] = 0.31;
            box.fill.velocity.value[1] = -0.95;
            box.def.time = (fr_time_def){.duration = 2, .fps = 20, .cfl = 0.4};
            fr_world *world = worlds_create(&box.def);
            double start = worlds_ledger(world, "kinetic_energy"), most = 0;
            for (int frame = 0; frame < 40; frame++) {
                assert_ok(fr_world_step_frame(world));
                most = fmax(most, worlds_ledger(world, "kinetic_energy") / start);
            }
            print_message("exponents %d, %d, D %g: at most %.3f of the energy at the start, %.3f after 2 s\n",
                          exponents[e][0], exponents[e][1], box.def.sph.repulsion, most,
                          worlds_ledger(world, "kinetic_energy") / start);
            assert_true(most < 1.1);
            fr_world_destroy(world);
        }
}

/* p = (1 + B)(ρ/ρ₀)^n − B at given densities: 1 at rest, below it not clipped. */
static void test_state_of_appendix_b(void **state)
{
    (void)state;
    static const double exponents[] = {7, 1.5};
    for (size_t e = 0; e < 2; e++) {
        vessel v = {.def = fr_default_scene(FR_METHOD_SPH)};
        v.def.sph.solver = FR_SPH_WCSPH;
        v.def.sph.state = FR_SPH_COLE;
        v.def.sph.exponent = exponents[e];
        vessel_make(&v, FR_SPH_COLLIDE);
        assert_near(v.m->sound_speed, sqrt(exponents[e] * 3001 / 1000), 1e-12);
        for (int n = 0; n < PARTICLES; n++)
            v.s->density[n] = (float)(0.8 + 0.01 * n);
        sph_state_equation(v.m, v.s, 1e-3);
        for (int n = 0; n < PARTICLES; n++) {
            double share = v.s->density[n], p = v.s->next.pressure[n] * share * share * 1000;
            assert_near(p, 3001 * pow(share, exponents[e]) - 3000, 2e-3 + 1e-5 * fabs(p));
            if (n == 20)
                assert_near(p, 1, 5e-3);
        }
        vessel_free(&v);
    }
}

/* A dam that breaks, and stays in its box without gaining energy. */
static void check_dam(const char *name, const dams_box *box)
{
    fr_world *world = worlds_create(&box->def);
    double start = dams_energy(world), most = start;
    int64_t count = fr_world_frame(world)->particle_count;
    for (int frame = 0; frame < 15; frame++) {
        assert_ok(fr_world_step_frame(world));
        most = fmax(most, dams_energy(world));
    }
    const fr_frame *frame = fr_world_frame(world);
    assert_int_equal(frame->particle_count, count);
    for (int64_t n = 0; n < count; n++)
        for (int a = 0; a < 2; a++) {
            double x = frame->particles.data[n * frame->particles.stride + a];
            assert_true(x >= 0 && x <= box->def.domain.size[a]);
        }
    print_message("%s: energy at most %.4f of that at the start, %.4f after 0.5 s; density error %.4f\n", name,
                  most / start, dams_energy(world) / start, worlds_ledger(world, "density_error"));
    assert_true(most < 1.02 * start);
    fr_world_destroy(world);
}

static void test_dams_hold(void **state)
{
    (void)state;
    dams_box box;
    for (int kind = 0; kind < 4; kind++) {
        dams_make(&box, kind >= 2 ? FR_SPH_WCSPH : FR_SPH_DFSPH, 2, (double[3]){0.6, 0.4}, (double[3]){0.2, 0.2}, 0.01);
        box.def.time = (fr_time_def){.duration = 0.5, .fps = 30};
        box.def.sph.boundary = kind >= 2 ? FR_SPH_PARTICLES : FR_SPH_LENNARD_JONES;
        if (kind < 2)
            memcpy(box.def.sph.exponents, (int[2]){12, 6}, sizeof box.def.sph.exponents);
        if (kind == 1)
            box.def.sph.repulsion = 4;
        if (kind >= 2) {
            box.def.sph.state = FR_SPH_COLE;
            box.def.sph.density = kind == 3 ? FR_SPH_CONTINUITY : FR_SPH_SUM;
        }
        check_dam(kind >= 2 ? "wcsph, Cole's equation"
                  : kind    ? "walls with 12, 6 and D = 4"
                            : "walls with 12, 6",
                  &box);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walls_repel_by_their_exponents),
        cmocka_unit_test(test_a_bounce_gains_nothing),
        cmocka_unit_test(test_state_of_appendix_b),
        cmocka_unit_test(test_dams_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
