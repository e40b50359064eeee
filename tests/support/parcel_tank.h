/* A small FLIP or APIC liquid in a closed box, as plain as can be, to try parcels in a flow that they make themselves.
 */
#ifndef TESTS_SUPPORT_PARCEL_TANK_H
#define TESTS_SUPPORT_PARCEL_TANK_H

#include <stdlib.h>
#include <string.h>

#include "grid/extend.h"
#include "grid/halo.h"
#include "grid/projection.h"
#include "hybrid/level_set.h"
#include "hybrid/place.h"
#include "hybrid/seed.h"
#include "hybrid/spread.h"
#include "hybrid/transfer.h"
#include "support/check.h"

typedef struct parcel_tank {
    domain d;
    parcels p;
    transfer t;
    projection *projection;
    field phi, work, source, pressure;
    field velocity[3], old[3], change[3];
    uint8_t *map[3];
    double gravity, flip, share; /* m/s² downwards; share of FLIP, and of the spreading */
    int64_t strays;
    spread_report spread;
} parcel_tank;

enum { PARCEL_TANK_LAYERS = 5 };

static inline void parcel_tank_make(parcel_tank *s, const domain *d, parcels_kind kind)
{
    *s = (parcel_tank){.d = *d, .gravity = 9.81, .flip = 0.97, .share = 0.5};
    assert_ok(parcels_create(d, kind, &s->p));
    assert_ok(transfer_create(d, &s->t));
    assert_ok(projection_create(d, true, &s->projection));
    field *cells[] = {&s->phi, &s->work, &s->source, &s->pressure};
    for (int i = 0; i < 4; i++)
        assert_ok(field_create(d, FR_AT_CELL, cells[i]));
    for (int a = 0; a < d->dims; a++) {
        field *faces[] = {&s->velocity[a], &s->old[a], &s->change[a]};
        for (int i = 0; i < 3; i++)
            assert_ok(field_create(d, field_face(a), faces[i]));
        s->map[a] = calloc(s->velocity[a].count, 1);
    }
}

static inline void parcel_tank_free(parcel_tank *s)
{
    parcels_destroy(&s->p);
    transfer_destroy(&s->t);
    projection_destroy(s->projection);
    field *cells[] = {&s->phi, &s->work, &s->source, &s->pressure};
    for (int i = 0; i < 4; i++)
        field_destroy(cells[i]);
    for (int a = 0; a < s->d.dims; a++) {
        field_destroy(&s->velocity[a]);
        field_destroy(&s->old[a]);
        field_destroy(&s->change[a]);
        free(s->map[a]);
    }
}

/* Fills the part of the box below `share` of its size along each axis. */
static inline void parcel_tank_fill(parcel_tank *s, const double share[3])
{
    for (int k = 0; k < s->d.n[2]; k++)
        for (int j = 0; j < s->d.n[1]; j++)
            for (int i = 0; i < s->d.n[0]; i++) {
                double x[3] = {i + 0.5, j + 0.5, k + 0.5}, phi = -1e9;
                for (int a = 0; a < s->d.dims; a++)
                    phi = fmax(phi, share[a] < 1 ? (x[a] - share[a] * s->d.n[a]) * s->d.h[a] : -1e9);
                field_row(&s->phi, j, k)[i] = (float)phi;
            }
    halo_fill_even(&s->phi, &s->d);
    assert_ok(seed_fill(&(seed){.surface = &s->phi, .along = 2, .seed = 5}, &s->p));
    parcels_sort(&s->p);
}

/* The normal velocity is 0 on walls; what lies beyond them continues evenly. */
static inline void parcel_tank_walls(const parcel_tank *s, field velocity[3])
{
    for (int a = 0; a < s->d.dims; a++) {
        halo_side sides[6];
        for (int side = 0; side < 6; side++)
            sides[side] = (halo_side){.kind = s->d.periodic[side / 2] ? HALO_PERIODIC : HALO_EVEN};
        field *u = &velocity[a];
        for (int k = 0; k < u->size[2]; k++)
            for (int j = 0; j < u->size[1]; j++)
                for (int i = 0; i < u->size[0]; i++) {
                    int at[3] = {i, j, k};
                    if (!s->d.periodic[a] && (at[a] == 0 || at[a] == s->d.n[a]))
                        field_row(u, j, k)[i] = 0;
                }
        if (!s->d.periodic[a]) /* odd across its own walls */
            sides[2 * a] = sides[2 * a + 1] = (halo_side){.kind = HALO_VALUE};
        halo_fill(u, &s->d, sides);
    }
}

static inline void parcel_tank_extend(parcel_tank *s, field velocity[3])
{
    for (int a = 0; a < s->d.dims; a++) {
        extend_number(&velocity[a], s->map[a], PARCEL_TANK_LAYERS, NULL);
        extend_field(&(extend_job){.map = s->map[a], .depth = PARCEL_TANK_LAYERS}, &velocity[a]);
    }
    parcel_tank_walls(s, velocity);
}

/* Faces of liquid cells are known after the projection. */
static inline void parcel_tank_number(parcel_tank *s)
{
    for (int a = 0; a < s->d.dims; a++) {
        const field *u = &s->velocity[a];
        memset(s->map[a], EXTEND_OUTSIDE, u->count);
        for (int k = 0; k < u->size[2]; k++)
            for (int j = 0; j < u->size[1]; j++)
                for (int i = 0; i < u->size[0]; i++) {
                    const float *phi = field_row(&s->phi, j, k) + i;
                    bool known = phi[0] < 0 || phi[-s->phi.stride[a]] < 0;
                    s->map[a][field_row(u, j, k) + i - u->block] = known ? EXTEND_KNOWN : EXTEND_FAR;
                }
    }
}

static inline void parcel_tank_project(parcel_tank *s, double dt)
{
    const domain *d = &s->d;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++) {
                double flux = 0;
                for (int a = 0; a < d->dims; a++) {
                    const float *u = field_row(&s->velocity[a], j, k) + i;
                    flux += ((double)u[s->velocity[a].stride[a]] - (double)u[0]) / d->h[a];
                }
                bool liquid = field_row(&s->phi, j, k)[i] < 0;
                field_row(&s->source, j, k)[i] = liquid ? (float)(-flux * domain_cell_volume(d) / dt) : 0;
            }
    projection_task task = {.b = &s->source, .guess = &s->pressure,
                            .limits = &(solve_limits){.tolerance = 1e-5, .max_iterations = 60}};
    solve_stats stats = projection_solve(s->projection, &task, &s->pressure);
    assert_true(stats.converged);
    projection_correct(s->projection, &s->pressure, dt, 1, s->velocity);
}

static inline double parcel_tank_per_cell(const parcel_tank *s)
{
    return s->d.dims == 3 ? 8 : 4;
}

/* φ of the parcels, and the system on it. */
static inline void parcel_tank_surface(parcel_tank *s)
{
    s->strays = level_set_make(&s->t, &s->p, &(level_set_from){.per_cell = parcel_tank_per_cell(s)}, &s->phi);
    if (parcels_want_sort(&s->p, s->strays))
        parcels_sort(&s->p);
    projection_build(s->projection, &(projection_geometry){.surface = &s->phi}, &s->work);
}

static inline void parcel_tank_step(parcel_tank *s, double dt)
{
    parcel_tank_surface(s);
    if (s->share > 0) {
        spread even = {.per_cell = parcel_tank_per_cell(s), .share = s->share, .surface = &s->phi};
        even.projection = s->projection;
        even.excess = &s->source;
        even.potential = &s->pressure;
        even.shift = s->change;
        even.limits = (solve_limits){.tolerance = 1e-2, .max_iterations = 20};
        s->spread = spread_run(&even, &s->t, &s->p);
        field_fill(&s->pressure, 0);
    }
    transfer_to_grid(&s->t, &s->p,
                     &(transfer_faces){.velocity = s->velocity, .map = {s->map[0], s->map[1], s->map[2]}});
    parcel_tank_extend(s, s->velocity);
    for (int a = 0; a < s->d.dims; a++)
        field_copy(&s->old[a], &s->velocity[a]);
    for (size_t i = 0; i < s->velocity[1].count; i++)
        s->velocity[1].block[i] -= (float)(s->gravity * dt);
    parcel_tank_walls(s, s->velocity);
    parcel_tank_project(s, dt);
    parcel_tank_number(s);
    parcel_tank_extend(s, s->velocity);
    for (int a = 0; a < s->d.dims; a++)
        field_blend(&s->change[a], 1, &s->velocity[a], -(float)s->flip, &s->old[a]);
    transfer_flow flow = {.velocity = s->velocity, .change = s->change, .flip = (float)s->flip, .dt = dt, .order = 2};
    transfer_from_grid(&flow, &s->p);
}

static inline double parcel_tank_fastest(const parcel_tank *s)
{
    double fastest = 0;
    for (int a = 0; a < s->d.dims; a++)
        for (int64_t n = 0; n < s->p.count; n++)
            fastest = fmax(fastest, fabs((double)s->p.v[a][n]));
    return fastest;
}

/* Mean speed of the parcels, root mean square. */
static inline double parcel_tank_speed(const parcel_tank *s)
{
    double sum = 0;
    for (int a = 0; a < s->d.dims; a++)
        for (int64_t n = 0; n < s->p.count; n++)
            sum += (double)s->p.v[a][n] * (double)s->p.v[a][n];
    return sqrt(sum / (double)s->p.count);
}

/* Volume of φ < 0, in cells: counted at 4 × 4 × 4 points of each cell near the surface. */
static inline double parcel_tank_volume(const field *phi, const domain *d)
{
    enum { POINTS = 4 };
    double sum = 0, band = 2 * domain_min_h(d);
    int deep = d->dims == 3 ? POINTS : 1;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++) {
                int inside = 0;
                double here = field_row(phi, j, k)[i];
                for (int n = 0; n < POINTS * POINTS * deep && fabs(here) < band; n++) {
                    float x[3] = {(float)i + ((float)(n % POINTS) + 0.5f) / POINTS,
                                  (float)j + ((float)(n / POINTS % POINTS) + 0.5f) / POINTS,
                                  (float)k + ((float)(n / POINTS / POINTS) + 0.5f) / (float)deep};
                    inside += place_value(phi, -1, x) < 0;
                }
                sum += fabs(here) < band ? (double)inside / (POINTS * POINTS * deep) : here < 0;
            }
    return sum;
}

/* Height of the surface above a cell of the bottom, in cells. */
static inline double parcel_tank_height(const parcel_tank *s, int i, int k)
{
    for (int j = s->d.n[1] - 1; j > 0; j--) {
        double high = field_row(&s->phi, j, k)[i], low = field_row(&s->phi, j - 1, k)[i];
        if (low < 0)
            return j - 0.5 + low / (low - high);
    }
    return 0;
}

/* How far from flat the surface is, root mean square, in cells. */
static inline double parcel_tank_ripples(const parcel_tank *s, double *mean)
{
    double sum = 0, square = 0, count = s->d.n[0] * s->d.n[2];
    for (int k = 0; k < s->d.n[2]; k++)
        for (int i = 0; i < s->d.n[0]; i++) {
            double height = parcel_tank_height(s, i, k);
            sum += height / count;
            square += height * height / count;
        }
    *mean = sum;
    return sqrt(fmax(square - sum * sum, 0));
}

#endif
