/* Level sets in flows whose end is known: Zalesak's disc (1979), the vortex in a box and Enright's deformation of a
   ball (LeVeque 1996; Enright, Fedkiw, Ferziger & Mitchell 2002). Beside each area or volume stands the L1 error of the
   surface: the volume where just one of φ and its start is liquid, over the surface's area, in cells.

     test_levelset_flows            the quick cases, which judge themselves
     test_levelset_flows all        a table of all schemes, and the ball at 100³: some minutes */
#include <string.h>

#include "base/clock.h"
#include "support/levelsets.h"
#include "surface/levelset/levelset_particles.h"

typedef struct flow_case {
    const char *name;
    int dims;
    double edge; /* m, of the box */
    levelsets_shape shape;
    levelsets_velocity velocity;
    double duration; /* s */
    double fastest;  /* m/s */
    bool reversed;   /* the flow swings by cos(πt/duration) */
    double surface;  /* m², or m in 2D */
} flow_case;

static const flow_case zalesak = {
    "Zalesak's disc", 2, 100, levelsets_zalesak, levelsets_turn, 628, 0.5, false, 2 * LEVELSETS_PI * 15 + 2 * 24.8};
static const flow_case vortex = {"vortex in a box",      2, 1, levelsets_disc, levelsets_vortex, 8, 1, true,
                                 2 * LEVELSETS_PI * 0.15};
static const flow_case deformation = {
    "deformed ball", 3, 1, levelsets_ball, levelsets_deform, 3, 2, true, 4 * LEVELSETS_PI * 0.15 * 0.15};

static const char *const schemes[] = {"semi-Lagrangian", "upwind", "ENO2", "ENO3", "WENO5"};

typedef struct flow_run {
    const flow_case *flow;
    int cells;
    double courant; /* of the fastest point */
    levelset_scheme scheme;
    bool particles;
    int order; /* of Runge–Kutta; 0: three, or as in Carlson's figure 28 */
} flow_run;

typedef struct outcome {
    double volume, error; /* relative change; L1, cells */
    double middle;        /* relative change of the volume at half time */
    double slot;          /* φ in the middle of Zalesak's slot, cells */
} outcome;

static void flow_step(levelsets_case *c, levelset_particles *p, const levelset_flow *flow, double dt,
                      levelset_motion *motion)
{
    assert_ok(levelset_carry(c->ls, flow, dt, motion, &c->phi));
    if (p) {
        levelset_particles_move(p, flow, dt, 4, NULL);
        assert_ok(levelset_particles_correct(p, c->ls, NULL, &c->phi));
    }
    assert_ok(levelset_redistance(c->ls, &c->phi));
    if (p) {
        assert_ok(levelset_particles_correct(p, c->ls, NULL, &c->phi));
        levelset_particles_fit(p, &c->phi);
    }
}

static outcome flow_through(const flow_run *run)
{
    const flow_case *flow = run->flow;
    const domain d = levelsets_box(flow->dims, run->cells, flow->edge);
    const int steps = (int)ceil(flow->duration * flow->fastest / d.h[0] / run->courant);
    const double dt = flow->duration / steps, began = clock_now();
    levelset_motion motion = {.scheme = run->scheme, .order = run->order ? run->order : 3};
    levelset_particles *p = NULL;
    levelsets_case c;
    field start, velocity[3];
    levelsets_begin(&c, &d, flow->shape);
    levelsets_flow(c.velocity, &d, flow->velocity);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    assert_ok(field_create(&d, FR_AT_CELL, &start));
    field_copy(&start, &c.phi);
    for (int a = 0; a < d.dims; a++)
        assert_ok(field_create(&d, field_face(a), &velocity[a]));
    if (run->particles) {
        assert_ok(levelset_particles_create(&d, PARTICLES_PER_CELL, &p));
        assert_ok(levelset_particles_seed(p, c.ls, &c.phi, NULL, 0));
    }
    const double volume = levelset_volume(c.ls, &c.phi, NULL);
    outcome o = {0};
    for (int n = 1; n <= steps; n++) {
        const double swing = flow->reversed ? cos(LEVELSETS_PI * (n - 0.5) / steps) : 1;
        for (int a = 0; a < d.dims; a++)
            field_blend(&velocity[a], (float)swing, &c.velocity[a], 0, &c.velocity[a]);
        flow_step(&c, p, &(levelset_flow){velocity, 1}, dt, &motion);
        if (p && n % PARTICLES_RESEED == 0)
            assert_ok(levelset_particles_seed(p, c.ls, &c.phi, NULL, (uint64_t)n));
        if (n == steps / 2)
            o.middle = levelset_volume(c.ls, &c.phi, NULL) / volume - 1;
    }
    o.volume = levelset_volume(c.ls, &c.phi, NULL) / volume - 1;
    o.error = levelsets_mismatch(&start, &c.phi, &d, d.dims == 3 ? 4 : 8) / flow->surface / d.h[0];
    o.slot = field_row(&c.phi, run->cells * 3 / 4, 0)[run->cells / 2] / d.h[0];
    print_message("%s, %d cells, Courant %.1f, %s%s: volume %+.2f %% (half way %+.2f), L1 %.3f cells; %.1f s\n",
                  flow->name, run->cells, run->courant, schemes[run->scheme], p ? " with particles" : "",
                  100 * o.volume, 100 * o.middle, o.error, clock_now() - began);
    for (int a = 0; a < d.dims; a++)
        field_destroy(&velocity[a]);
    field_destroy(&start);
    levelset_particles_destroy(p);
    levelsets_end(&c);
    return o;
}

/* 628 steps at 100²; the slot is open when the cell in its middle is air, two cells from a wall. */
static void test_zalesak(void **state)
{
    (void)state;
    const flow_run trials[] = {
        {&zalesak, 100, 0.5, LEVELSET_SEMI_LAGRANGIAN, true, 0},
        {&zalesak, 100, 0.5, LEVELSET_WENO5, true, 0},
    };
    for (size_t t = 0; t < sizeof trials / sizeof *trials; t++) {
        const outcome o = flow_through(&trials[t]);
        assert_below(fabs(o.volume), 0.005);
        assert_below(o.error, 0.08);
        assert_true(o.slot > 1.5);
    }
}

/* Without particles, and at a Courant number of five. */
static void test_zalesak_alone(void **state)
{
    (void)state;
    const outcome small = flow_through(&(flow_run){&zalesak, 100, 0.5, LEVELSET_SEMI_LAGRANGIAN, false, 0}),
                  large = flow_through(&(flow_run){&zalesak, 100, 5, LEVELSET_SEMI_LAGRANGIAN, false, 0}),
                  weno = flow_through(&(flow_run){&zalesak, 100, 5, LEVELSET_WENO5, true, 0});
    assert_below(fabs(small.volume), 0.01);
    assert_below(small.error, 0.15);
    assert_below(fabs(large.volume), 0.01);
    assert_below(large.error, 0.15);
    assert_below(fabs(weno.volume), 0.01);
    assert_below(weno.error, 0.15);
}

/* The disc becomes a spiral of less than two cells in width, and comes back. */
static void test_vortex(void **state)
{
    (void)state;
    const outcome semi = flow_through(&(flow_run){&vortex, 128, 3, LEVELSET_SEMI_LAGRANGIAN, true, 0}),
                  weno = flow_through(&(flow_run){&vortex, 128, 1, LEVELSET_WENO5, true, 0});
    assert_below(fabs(semi.volume), 0.01);
    assert_below(semi.error, 0.25);
    assert_below(fabs(weno.volume), 0.01);
    assert_below(weno.error, 0.25);
}

static void test_deformation(void **state)
{
    (void)state;
    const outcome o = flow_through(&(flow_run){&deformation, 48, 3, LEVELSET_SEMI_LAGRANGIAN, true, 0});
    assert_below(fabs(o.volume), 0.05);
    assert_below(o.error, 0.3);
}

/* Carlson's figures 28 and 30, and finer grids than the quick cases have. */
static void print_all(void)
{
    const int orders[] = {3, 1, 2, 2, 3}; /* figure 28: Euler, RK2 or RK3 */
    for (int particles = 0; particles < 2; particles++)
        for (int s = 0; s < 5; s++)
            flow_through(&(flow_run){&zalesak, 100, 0.5, (levelset_scheme)s, particles, orders[s]});
    for (int particles = 0; particles < 2; particles++)
        for (int s = 0; s < 5; s++)
            flow_through(&(flow_run){&vortex, 128, 1, (levelset_scheme)s, particles, orders[s]});
    flow_through(&(flow_run){&deformation, 64, 1, LEVELSET_SEMI_LAGRANGIAN, false, 0});
    flow_through(&(flow_run){&deformation, 64, 1, LEVELSET_SEMI_LAGRANGIAN, true, 0});
    flow_through(&(flow_run){&deformation, 64, 1, LEVELSET_WENO5, true, 0});
    flow_through(&(flow_run){&deformation, 100, 2, LEVELSET_SEMI_LAGRANGIAN, true, 0});
    flow_through(&(flow_run){&deformation, 100, 2, LEVELSET_WENO5, true, 0});
}

int main(int count, char **words)
{
    if (count > 1 && !strcmp(words[1], "all")) {
        print_all();
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zalesak),
        cmocka_unit_test(test_zalesak_alone),
        cmocka_unit_test(test_vortex),
        cmocka_unit_test(test_deformation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
