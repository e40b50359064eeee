/* The implicit viscosity converges whatever the shape of the liquid, its sides and solids, and however its viscosity
   varies; its matrix is symmetric, and it always loses energy and keeps the momentum of what is in flight.
   `test_iterations_viscosity 1000` tries more and lists those that take most iterations. */
#include <stdlib.h>

#include "support/blobs.h"
#include "unit/grid/stress_case.h"

enum { SHAPES = 3, CASES = 40, MANY = 60 };

/* How the logarithm of the viscosity goes from the least to the most. */
typedef enum spread { WAVES, LUMPS, SPREADS } spread;

typedef struct mixture {
    stress_case c;
    field viscosities, distance;
    uint8_t *marks[3];
    blob wet[SHAPES], lumps[SHAPES], solid;
    int count;
    spread spread;
    double least, ratio, waves[3], width;
    bool in_flight, has_solid;
} mixture;

static double blobs_distance(const blob *blobs, int count, const mixture *m, const double x[3])
{
    double cells[3], phi = 1e3;
    for (int a = 0; a < 3; a++)
        cells[a] = x[a] / m->c.d.h[0];
    for (int n = 0; n < count; n++)
        phi = fmin(phi, blob_distance(&blobs[n], cells, m->c.d.dims));
    return phi;
}

static double mixture_surface(const void *context, const double x[3])
{
    const mixture *m = context;
    return m->c.d.h[0] * blobs_distance(m->wet, m->count, m, x);
}

static double mixture_solid(const void *context, const double x[3])
{
    const mixture *m = context;
    return m->c.d.h[0] * blobs_distance(&m->solid, 1, m, x);
}

/* Lumps of the stiffest liquid in the thinnest, with a rim of `width` cells; or waves. */
static double mixture_viscosity(const void *context, const double x[3])
{
    const mixture *m = context;
    double part = 0.5;
    if (m->spread == LUMPS)
        part = fmin(fmax(0.5 - blobs_distance(m->lumps, SHAPES, m, x) / m->width, 0), 1);
    else
        for (int a = 0; a < m->c.d.dims; a++)
            part += 0.5 / m->c.d.dims * sin(m->waves[a] * x[a] / m->c.d.h[0] + a);
    return m->least * pow(m->ratio, part);
}

static double noise_value(const void *context, const double x[3])
{
    const mixture *m = context;
    double i[3];
    for (int a = 0; a < 3; a++)
        i[a] = floor(x[a] / m->c.d.h[0] * 2 + 0.1) + 50;
    return check_noise((uint64_t)(i[0] + 1e3 * i[1] + 1e6 * i[2])) + sin(0.3 * i[0] + 0.2 * i[1]);
}

static domain draw_domain(draw *r, bool periodic)
{
    domain d = {.dims = draw_int(r, 2, 3)};
    double h = pow(10, -2 + draw_unit(r));
    for (int a = 0; a < 3; a++) {
        d.n[a] = a < d.dims ? draw_int(r, 7, d.dims == 3 ? 32 : 80) : 1;
        d.h[a] = a < d.dims ? h : 1;
        d.periodic[a] = a < d.dims && periodic && draw_unit(r) < 0.3;
    }
    return d;
}

/* Balls that touch no side. */
static void draw_flight(mixture *m, draw *r)
{
    const domain *d = &m->c.d;
    for (int i = 0; i < m->count; i++) {
        double least = 1e3;
        for (int a = 0; a < d->dims; a++) {
            m->wet[i].centre[a] = (0.3 + 0.4 * draw_unit(r)) * d->n[a];
            least = fmin(least, fmin(m->wet[i].centre[a], d->n[a] - m->wet[i].centre[a]));
        }
        m->wet[i].kind = BALL;
        m->wet[i].radius = fmax(least - 2.5, 1) * (0.4 + 0.6 * draw_unit(r));
    }
}

static void draw_liquid(mixture *m, draw *r)
{
    m->count = draw_int(r, 1, SHAPES);
    for (int i = 0; i < SHAPES; i++)
        m->wet[i] = draw_blob(r, &m->c.d, (blob_kind)draw_int(r, BALL, COLUMN));
    if (m->in_flight)
        draw_flight(m, r);
    case_surface(&m->c, mixture_surface, m);
    halo_fill_even(&m->c.surface, &m->c.d);
    for (int side = 0; side < 2 * m->c.d.dims; side++) {
        double kind = draw_unit(r);
        if (kind < 0.4 && !m->c.d.periodic[side / 2])
            case_stick(&m->c, side, side / 2, 0);
        m->c.problem.fixed_sides[side] = kind < 0.8;
    }
}

/* Ratios up to 1e11 in waves that are long enough to be smooth, and up to 1e9 over four cells. */
static void draw_viscosity(mixture *m, draw *r, double extreme)
{
    const double decades = extreme * (0.3 + 0.7 * draw_unit(r));
    m->ratio = pow(10, m->spread == LUMPS ? fmin(decades, 9) : decades);
    m->least = pow(10, -2 + 7 * draw_unit(r)) / m->ratio;
    m->width = 4 + 4 * draw_unit(r);
    for (int a = 0; a < 3; a++) {
        double round = 2 * acos(-1) / m->c.d.n[a];
        m->waves[a] = 0.15 + 0.25 * draw_unit(r);
        m->waves[a] = m->c.d.periodic[a] ? round * fmax(floor(m->waves[a] / round), 1) : m->waves[a];
    }
    for (int i = 0; i < SHAPES; i++)
        m->lumps[i] = draw_blob(r, &m->c.d, (blob_kind)draw_int(r, BALL, COLUMN));
    assert_ok(field_create(&m->c.d, FR_AT_CELL, &m->viscosities));
    case_fill(&m->c, &m->viscosities, mixture_viscosity, m);
    halo_fill_even(&m->viscosities, &m->c.d);
    m->c.problem.viscosities = &m->viscosities;
}

/* Holds the faces in a solid that sticks, or takes those in one that slips out. */
static void draw_solid(mixture *m, draw *r)
{
    const diffusion_mark inside = draw_unit(r) < 0.5 ? DIFFUSION_FIXED : DIFFUSION_OUTSIDE;
    m->solid = draw_blob(r, &m->c.d, draw_unit(r) < 0.7 ? BALL : SHEET);
    assert_ok(field_create(&m->c.d, FR_AT_CELL, &m->distance));
    case_fill(&m->c, &m->distance, mixture_solid, m);
    halo_fill_even(&m->distance, &m->c.d);
    for (int a = 0; a < m->c.d.dims; a++) {
        const field *f = &m->c.velocity[a];
        int at[3];
        m->marks[a] = test_calloc(f->count, 1);
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++) {
                    double x[3];
                    case_position(&m->c, f, at, x);
                    bool in = mixture_solid(m, x) < 0;
                    m->marks[a][field_offset(f, at[0] + GHOST, at[1] + GHOST, at[2] + GHOST)] =
                        (uint8_t)(in ? inside : DIFFUSION_FREE);
                }
    }
    m->c.problem.marks = (const uint8_t *const *)m->marks;
    m->c.problem.distance = &m->distance;
}

/* Noise, at rest where it is held. */
static void mixture_stir(mixture *m)
{
    const stress_level *l = &m->c.solver->level[0];
    for (int a = 0; a < m->c.d.dims; a++) {
        field *f = &m->c.velocity[a];
        case_fill(&m->c, f, noise_value, m);
        for (int k = 0; k < f->size[2]; k++)
            for (int j = 0; j < f->size[1]; j++)
                for (int i = 0; i < f->size[0]; i++) {
                    bool known = i < l->n[0] && j < l->n[1] && k < l->n[2];
                    if (!known || !(l->mass.of[a][stress_offset(l, (int[3]){i, j, k})] > 0))
                        field_row(f, j, k)[i] = 0;
                }
    }
}

static void mixture_create(mixture *m, draw *r, double extreme)
{
    m->in_flight = draw_unit(r) < 0.3;
    m->has_solid = !m->in_flight && draw_unit(r) < 0.4;
    m->spread = (spread)draw_int(r, 0, SPREADS - 1);
    domain d = draw_domain(r, !m->in_flight && m->spread == WAVES);
    case_create(&d, 0, 1.0 / 30, &m->c);
    m->c.problem.bulk = 1; /* as liquids have it */
    m->c.limits = (solve_limits){.tolerance = 1e-4, .max_iterations = 500};
    draw_liquid(m, r);
    draw_viscosity(m, r, extreme);
    if (m->has_solid)
        draw_solid(m, r);
    stress_set(m->c.solver, &m->c.problem);
    mixture_stir(m);
}

static void mixture_destroy(mixture *m)
{
    case_destroy(&m->c);
    field_destroy(&m->viscosities);
    field_destroy(&m->distance);
    for (int a = 0; a < 3; a++)
        test_free(m->marks[a]);
}

static void check_symmetry(const mixture *m)
{
    stress_level *l = &m->c.solver->level[0];
    case_roughen(l, &l->x, 1);
    case_roughen(l, &l->b, 100000);
    double xy = case_form(l, &l->x, &l->b), yx = case_form(l, &l->b, &l->x), xx = case_form(l, &l->x, &l->x);
    assert_near(xy, yx, 1e-5 * xx);
    assert_true(xx >= 0);
    stress_clear(l, &l->x);
    stress_clear(l, &l->b);
}

/* The momentum of bodies that the solver knows to be in flight; such near a side it treats as held. To 1e-5: faces
   beside the liquid count with that share of a mass (STRESS_DRY_MASS), and here with noise. */
static void check_totals(const mixture *m, const case_totals *before, const case_totals *after)
{
    const double scale = sqrt(2 * before->energy * before->mass), size = m->c.d.h[0] * m->c.d.n[0];
    assert_below(after->energy, before->energy * (1 + 1e-6));
    bool deflated = m->in_flight && m->c.solver->piece_count > 0;
    for (int i = 0; i < m->c.solver->body_count; i++)
        deflated = deflated && m->c.solver->bodies[i].free;
    for (int a = 0; a < 3 && deflated; a++) {
        assert_near(after->linear[a], before->linear[a], 1e-5 * scale);
        assert_near(after->angular[a], before->angular[a], 1e-5 * scale * size);
    }
}

static int mixture_iterations(uint64_t number, double extreme)
{
    mixture m = {0};
    draw r = {number * 100003};
    const double middle[3] = {0};
    mixture_create(&m, &r, extreme);
    check_symmetry(&m);
    case_totals before = case_totals_of(&m.c, middle);
    solve_stats stats = stress_solve(m.c.solver, m.c.velocity, &m.c.limits);
    case_totals after = case_totals_of(&m.c, middle);
    if (!stats.converged)
        print_message("mixture %d: residual %.2g\n", (int)number, stats.residual);
    assert_true(stats.converged);
    check_totals(&m, &before, &after);
    mixture_destroy(&m);
    return stats.iterations;
}

static void mixtures_solve(int count, double extreme)
{
    int worst = 0, sum = 0;
    for (int n = 0; n < count; n++) {
        int taken = mixture_iterations((uint64_t)n + 1, extreme);
        worst = taken > worst ? taken : worst;
        sum += taken;
        if (taken >= MANY)
            print_message("mixture %d takes %d iterations\n", n + 1, taken);
    }
    print_message("%d mixtures of up to 1e%g: at most %d iterations, %.2f on average\n", count, extreme, worst,
                  (double)sum / count);
}

static void test_converges_whatever_the_viscosity(void **state)
{
    (void)state;
    mixtures_solve(CASES, 5);
    mixtures_solve(CASES, 11);
}

/* Balls of 2 to 4 cells on top of each other, each of which the next just touches: four towers of six. */
static double tower_surface(const void *context, const double x[3])
{
    const stress_case *c = context;
    double phi = 1e3;
    for (int tower = 0; tower < 4; tower++) {
        double middle[3] = {9.3 + 13.2 * (tower % 2), 0, 8.7 + 14.1 * (tower / 2)};
        for (double radius = 4; radius > 1.9; radius -= 0.4) {
            double square = 0;
            middle[1] += 0.92 * radius;
            for (int a = 0; a < 3; a++)
                square += pow(x[a] / c->d.h[a] - middle[a] - (a == 0 ? 0.4 * sin(3 * middle[1]) : 0), 2);
            phi = fmin(phi, c->d.h[0] * (sqrt(square) - radius));
            middle[1] += 0.9 * (radius - 0.4);
        }
    }
    return phi;
}

static void test_each_ball_of_a_tower_is_a_lump(void **state)
{
    (void)state;
    stress_case c;
    const domain d = {.dims = 3, .n = {32, 40, 32}, .h = {0.1, 0.1, 0.1}};
    case_create(&d, 5e4, 1.0 / 30, &c);
    c.limits = (solve_limits){.tolerance = 1e-4, .max_iterations = 500};
    c.problem.bulk = 1;
    case_stick(&c, 2, 0, 0);
    case_surface(&c, tower_surface, &c);
    halo_fill_even(&c.surface, &c.d);
    stress_set(c.solver, &c.problem);
    for (int a = 0; a < 3; a++)
        case_fill(&c, &c.velocity[a], noise_value, &(mixture){.c = c});
    const solve_stats stats = stress_solve(c.solver, c.velocity, &c.limits);
    print_message("towers of %d lumps: %d iterations\n", c.solver->lumps.count, stats.iterations);
    assert_true(stats.converged);
    assert_int_equal(c.solver->lumps.count, 24);
    case_destroy(&c);
}

static int many;

static void test_many(void **state)
{
    (void)state;
    mixtures_solve(many, 5);
    mixtures_solve(many, 11);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_converges_whatever_the_viscosity),
                                       cmocka_unit_test(test_each_ball_of_a_tower_is_a_lump)};
    const struct CMUnitTest more[] = {cmocka_unit_test(test_many)};
    many = argc > 1 ? atoi(argv[1]) : 0;
    return many > 0 ? cmocka_run_group_tests(more, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
