/* A liquid with its velocity, for the tests of grid/stress. */
#ifndef TESTS_GRID_STRESS_CASE_H
#define TESTS_GRID_STRESS_CASE_H

#include "grid/stress/parts.h"

#include "support/check.h"

typedef struct stress_case {
    domain d;
    stress *solver;
    field velocity[3], surface;
    halo_side sides[3][6];
    stress_problem problem;
    solve_limits limits;
} stress_case;

/* A box with free slip on all sides that are not periodic, full of liquid. */
static inline void case_create(const domain *d, double viscosity, double dt, stress_case *c)
{
    *c = (stress_case){.d = *d, .limits = {.tolerance = 1e-6, .max_iterations = 20000}};
    assert_ok(stress_create(d, &c->solver));
    assert_ok(field_create(d, FR_AT_CELL, &c->surface));
    for (int a = 0; a < d->dims; a++)
        assert_ok(field_create(d, field_face(a), &c->velocity[a]));
    for (int a = 0; a < 3; a++)
        for (int side = 0; side < 6; side++)
            c->sides[a][side].kind = d->periodic[side / 2] ? HALO_PERIODIC : HALO_EVEN;
    c->problem = (stress_problem){.dt = dt, .viscosity = viscosity, .sides = c->sides};
    for (int side = 0; side < 6; side++)
        c->problem.fixed_sides[side] = true;
}

static inline void case_destroy(stress_case *c)
{
    stress_destroy(c->solver);
    field_destroy(&c->surface);
    for (int a = 0; a < c->d.dims; a++)
        field_destroy(&c->velocity[a]);
}

/* A wall that sticks and moves along `axis`. */
static inline void case_stick(stress_case *c, int side, int axis, double speed)
{
    for (int a = 0; a < 3; a++)
        if (a != side / 2)
            c->sides[a][side] = (halo_side){.kind = HALO_VALUE, .value = a == axis ? (float)speed : 0};
}

static inline void case_position(const stress_case *c, const field *f, const int at[3], double x[3])
{
    field_origin(f, &c->d, x);
    for (int a = 0; a < c->d.dims; a++)
        x[a] += at[a] * c->d.h[a];
}

/* Sets every sample of a field, ghosts too, from its position. */
typedef double (*case_function)(const void *context, const double x[3]);
static inline void case_fill(const stress_case *c, field *f, case_function value, const void *context)
{
    int ghost[3] = {GHOST, GHOST, c->d.dims == 3 ? GHOST : 0}, at[3];
    for (at[2] = -ghost[2]; at[2] < f->size[2] + ghost[2]; at[2]++)
        for (at[1] = -ghost[1]; at[1] < f->size[1] + ghost[1]; at[1]++)
            for (at[0] = -ghost[0]; at[0] < f->size[0] + ghost[0]; at[0]++) {
                double x[3];
                case_position(c, f, at, x);
                field_row(f, at[1], at[2])[at[0]] = (float)value(context, x);
            }
}

static inline void case_surface(stress_case *c, case_function distance, const void *context)
{
    case_fill(c, &c->surface, distance, context);
    c->problem.surface = &c->surface;
}

static inline solve_stats case_solve(stress_case *c)
{
    stress_set(c->solver, &c->problem);
    solve_stats stats = stress_solve(c->solver, c->velocity, &c->limits);
    assert_true(stats.converged);
    return stats;
}

typedef struct case_ball {
    double middle[3], radius;
} case_ball;

static inline double case_ball_distance(const void *context, const double x[3])
{
    const case_ball *b = context;
    double square = 0;
    for (int a = 0; a < 3; a++)
        square += (x[a] - b->middle[a]) * (x[a] - b->middle[a]);
    return sqrt(square) - b->radius;
}

static inline bool case_is_wet(const stress_case *c, int a, const int face[3])
{
    const float *phi = field_row(&c->surface, face[1], face[2]) + face[0];
    return phi[0] < 0 || phi[-c->surface.stride[a]] < 0;
}

/* Linear and angular momentum and energy of the liquid, over its density, with the masses that the solver last had. */
typedef struct case_totals {
    double linear[3], angular[3], energy, mass;
} case_totals;

static inline case_totals case_totals_of(const stress_case *c, const double middle[3])
{
    case_totals sum = {0};
    double volume = domain_cell_volume(&c->d);
    const stress_level *l = &c->solver->level[0];
    for (int a = 0; a < c->d.dims; a++) {
        const field *f = &c->velocity[a];
        int at[3], b = (a + 1) % 3, e = (a + 2) % 3;
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++) {
                    double x[3], share = case_is_wet(c, a, at) ? l->mass.of[a][stress_offset(l, at)] : 0;
                    double m = share * volume, u = field_row(f, at[1], at[2])[at[0]];
                    case_position(c, f, at, x);
                    sum.mass += m / c->d.dims;
                    sum.linear[a] += m * u;
                    sum.angular[e] -= m * u * (x[b] - middle[b]);
                    sum.angular[b] += m * u * (x[e] - middle[e]);
                    sum.energy += 0.5 * m * u * u;
                }
    }
    return sum;
}

/* y·A x on the unknowns of the finest level. */
static inline double case_form(const stress_level *l, const stress_vector *x, const stress_vector *y)
{
    double sum = 0;
    float force[STRESS_RUN];
    for (int r = 0; r < l->run_count; r++)
        for (int a = 0; a < l->dims; a++) {
            const stress_run *run = &l->runs[r];
            stress_force(l, x, a, run, force);
            for (int i = 0; i < run->n; i++)
                sum += (l->mass.of[a][run->at + i] * x->of[a][run->at + i] + force[i]) * y->of[a][run->at + i];
        }
    return sum;
}

static inline void case_roughen(const stress_level *l, stress_vector *v, uint64_t seed)
{
    for (int r = 0; r < l->run_count; r++)
        for (int a = 0; a < l->dims; a++)
            for (ptrdiff_t at = l->runs[r].at; at < l->runs[r].at + l->runs[r].n; at++)
                v->of[a][at] = l->mass.of[a][at] > 0 ? (float)check_noise(seed + 3 * (uint64_t)at + (uint64_t)a) : 0;
    stress_wrap(l, v);
}

#endif
