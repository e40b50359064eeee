/* The pressure that stiff liquid keeps from step to step (grid/stress/bulk.c) has hardly any energy, as k of it is over
   1e4, and gives back no more, however the liquid has melted and flowed on in between. Where it did, melt was torn
   apart beside what was still stiff. */
#include "support/blobs.h"
#include "unit/grid/stress_case.h"

enum { CASES = 60, STEPS = 3 };
static const double STIFF = 1e3;

typedef struct melting {
    stress_case c;
    field viscosities, left;
    double middle[3], radius; /* of a ball, */
    double shift[3];          /* by how much it has moved, */
    double front, thin;       /* and beyond which x it is this thin */
} melting;

static double melting_surface(const void *context, const double x[3])
{
    const melting *m = context;
    double square = 0;
    for (int a = 0; a < m->c.d.dims; a++)
        square += pow(x[a] - m->middle[a] - m->shift[a], 2);
    return sqrt(square) - m->radius;
}

static double melting_viscosity(const void *context, const double x[3])
{
    const melting *m = context;
    return x[0] > m->front ? m->thin : STIFF;
}

static double melting_squeeze(const void *context, const double x[3])
{
    const double *middle = context;
    return middle[0] - x[0];
}

static void melting_create(draw *r, melting *m)
{
    *m = (melting){.thin = STIFF, .front = 1e3};
    domain d = {.dims = draw_int(r, 2, 3)};
    const double h = 0.05, dt = 0.004 * pow(10, draw_unit(r));
    for (int a = 0; a < 3; a++) {
        d.n[a] = a < d.dims ? 14 : 1;
        d.h[a] = a < d.dims ? h : 1;
        m->middle[a] = h * (7 + 0.5 * draw_unit(r));
    }
    m->radius = h * (3 + 2 * draw_unit(r));
    case_create(&d, STIFF, dt, &m->c);
    assert_ok(field_create(&d, FR_AT_CELL, &m->viscosities));
    assert_ok(field_create(&d, FR_AT_CELL, &m->left));
    m->c.problem.viscosities = &m->viscosities;
    m->c.problem.bulk = 1;
    m->c.problem.pressure = &m->left;
}

static void melting_destroy(melting *m)
{
    case_destroy(&m->c);
    field_destroy(&m->viscosities);
    field_destroy(&m->left);
}

/* One step; what it takes off the energy. */
static double melting_step(melting *m)
{
    case_surface(&m->c, melting_surface, m);
    case_fill(&m->c, &m->viscosities, melting_viscosity, m);
    stress_set(m->c.solver, &m->c.problem);
    const double before = case_totals_of(&m->c, m->middle).energy;
    const solve_stats stats = stress_solve(m->c.solver, m->c.velocity, &m->c.limits);
    assert_true(stats.converged);
    return before - case_totals_of(&m->c, m->middle).energy;
}

/* Squeezed along one axis or all, then at rest, a part of it molten, and moved by up to a cell. */
static double melting_return(draw *r)
{
    melting m;
    melting_create(r, &m);
    const int squeezed = draw_int(r, 1, m.c.d.dims);
    double taken = 0;
    for (int step = 0; step < STEPS; step++) {
        for (int a = 0; a < squeezed; a++)
            case_fill(&m.c, &m.c.velocity[a], melting_squeeze, &m.middle[a]);
        taken += melting_step(&m);
    }
    for (int a = 0; a < m.c.d.dims; a++) {
        field_fill(&m.c.velocity[a], 0);
        m.shift[a] = m.c.d.h[0] * (2 * draw_unit(r) - 1);
    }
    m.thin = STIFF * pow(10, -6 * draw_unit(r));
    m.front = m.middle[0] + (2 * draw_unit(r) - 1) * m.radius;
    const double given = -melting_step(&m);
    melting_destroy(&m);
    return given / taken;
}

static void test_energy(void **state)
{
    (void)state;
    draw r = {.seed = 5};
    double most = 0;
    for (int i = 0; i < CASES; i++)
        most = fmax(most, melting_return(&r));
    print_message("of the energy that it took it gave back %.3g at most\n", most);
    assert_below(most, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
