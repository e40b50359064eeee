/* Bodies in a box of cells of edge 1, as the pressure sees them: shares of faces by samples, what they sweep, their
   masses. For tests and timings of the pressure system. */
#ifndef TESTS_SUPPORT_PRESSED_BODIES_H
#define TESTS_SUPPORT_PRESSED_BODIES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/projection.h"

typedef struct pressed_body {
    bool ball;
    double centre[3], half[3];   /* of a ball half[0] is its radius; in 2D half[2] does not count */
    double axis[3][3];           /* of a box, in the world */
    double density;              /* of the fluid's */
    double velocity[6];          /* before the solve */
} pressed_body;

typedef struct pressed {
    domain d;
    field open[3], total[3];     /* open shares; what all bodies take of them together */
    field velocity[3], surface, b, x, work;
    projection_geometry g;
    projection *p;
    int count;
    pressed_body *body;
    poisson_body *mover;
} pressed;

static inline uint32_t pressed_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}
static inline double pressed_unit(uint32_t *seed) { return pressed_random(seed) / 16777216.0; }

/* A rotation about all axes, by random angles; in 2D about z alone. */
static inline void pressed_turn(pressed_body *b, int dims, uint32_t *seed)
{
    double q[4], size = 0;
    for (int a = 0; a < 4; a++)
        q[a] = dims == 2 && (a == 1 || a == 2) ? 0 : pressed_unit(seed) - 0.5;
    for (int a = 0; a < 4; a++)
        size += q[a] * q[a];
    for (int a = 0; a < 4; a++)
        q[a] /= sqrt(size);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(b->axis, turn, sizeof turn);
}

static inline pressed_body pressed_ball(double x, double y, double z, double radius, double density)
{
    return (pressed_body){.ball = true, .centre = {x, y, z}, .half = {radius, radius, radius}, .density = density,
                          .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

static inline pressed_body pressed_box(const double centre[3], const double half[3], double density)
{
    pressed_body b = pressed_ball(centre[0], centre[1], centre[2], 1, density);
    b.ball = false;
    memcpy(b.half, half, sizeof b.half);
    return b;
}

static inline bool pressed_inside(const pressed_body *b, int dims, const double at[3])
{
    double square = 0, own[3] = {0};
    for (int a = 0; a < dims; a++)
        square += (at[a] - b->centre[a]) * (at[a] - b->centre[a]);
    for (int a = 0; a < dims; a++)
        for (int c = 0; c < dims; c++)
            own[a] += b->axis[c][a] * (at[c] - b->centre[c]);
    if (b->ball)
        return square < b->half[0] * b->half[0];
    return fabs(own[0]) <= b->half[0] && fabs(own[1]) <= b->half[1] && (dims == 2 || fabs(own[2]) <= b->half[2]);
}

enum { PRESSED_SAMPLES = 5 };

/* The share of the low face of a cell, across an axis, that is inside a body. */
static inline double pressed_share(const pressed_body *b, int dims, const int cell[3], int axis)
{
    const int one = axis == 0 ? 1 : 0, two = axis == 2 ? 1 : 2, deep = dims == 3 ? PRESSED_SAMPLES : 1;
    int in = 0;
    for (int q = 0; q < PRESSED_SAMPLES * deep; q++) {
        double at[3] = {cell[0], cell[1], cell[2]};
        at[one] += (q % PRESSED_SAMPLES + 0.5) / PRESSED_SAMPLES;
        at[two] += (q / PRESSED_SAMPLES + 0.5) / deep;
        in += pressed_inside(b, dims, at);
    }
    return in / (double)(PRESSED_SAMPLES * deep);
}

static inline double pressed_reach(const pressed_body *b)
{
    return b->ball ? b->half[0] : sqrt(b->half[0] * b->half[0] + b->half[1] * b->half[1] + b->half[2] * b->half[2]);
}

/* The cells that a body may touch: [low, high). */
static inline void pressed_bounds(const pressed *t, const pressed_body *b, int low[3], int high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = a < t->d.dims ? (int)floor(b->centre[a] - pressed_reach(b)) - 1 : 0;
        high[a] = a < t->d.dims ? (int)ceil(b->centre[a] + pressed_reach(b)) + 1 : 1;
        low[a] = low[a] < 0 ? 0 : low[a];
        high[a] = high[a] > t->d.n[a] ? t->d.n[a] : high[a];
    }
}

#define PRESSED_EACH(low, high, i, j, k)                                                                               \
    for (int k = (low)[2]; k < (high)[2]; k++)                                                                         \
        for (int j = (low)[1]; j < (high)[1]; j++)                                                                     \
            for (int i = (low)[0]; i < (high)[0]; i++)

static inline float *pressed_at(const field *f, int i, int j, int k) { return field_row(f, j, k) + i; }

/* A closed block; false if there is no memory. `room`: bodies. */
static inline bool pressed_make(pressed *t, const domain *d, int room)
{
    *t = (pressed){.d = *d};
    fr_result result = FR_OK;
    for (int a = 0; a < d->dims && result == FR_OK; a++) {
        result = field_create(d, field_face(a), &t->open[a]);
        result = result == FR_OK ? field_create(d, field_face(a), &t->total[a]) : result;
        result = result == FR_OK ? field_create(d, field_face(a), &t->velocity[a]) : result;
        if (result == FR_OK)
            field_fill(&t->open[a], 1);
    }
    field *const cells[] = {&t->surface, &t->b, &t->x, &t->work};
    for (int f = 0; f < 4; f++)
        result = result == FR_OK ? field_create(d, FR_AT_CELL, cells[f]) : result;
    t->g.open = t->open;
    t->body = calloc((size_t)room, sizeof *t->body);
    t->mover = calloc((size_t)room, sizeof *t->mover);
    return result == FR_OK && t->body && t->mover && projection_create(d, true, &t->p) == FR_OK;
}

static inline void pressed_destroy(pressed *t)
{
    projection_destroy(t->p);
    for (int a = 0; a < 3; a++) {
        field_destroy(&t->open[a]);
        field_destroy(&t->total[a]);
        field_destroy(&t->velocity[a]);
    }
    field_destroy(&t->surface);
    field_destroy(&t->b);
    field_destroy(&t->x);
    field_destroy(&t->work);
    for (int n = 0; n < t->count; n++) {
        free((void *)(uintptr_t)t->mover[n].cell);
        for (int d = 0; d < 6; d++)
            free((void *)(uintptr_t)t->mover[n].push[d]);
    }
    free(t->mover);
    free(t->body);
}

/* Whether bodies may take something of the low face of a cell: it is not on a side of the block. */
static inline bool pressed_within(const pressed *t, int axis, const int cell[3])
{
    return t->d.periodic[axis] || (cell[axis] > 0 && cell[axis] < t->d.n[axis]);
}

static inline double pressed_taken(const pressed *t, const pressed_body *b, int axis, const int cell[3])
{
    if (!pressed_within(t, axis, cell))
        return 0;
    double share = pressed_share(b, t->d.dims, cell, axis),
           all = (double)*pressed_at(&t->total[axis], cell[0], cell[1], cell[2]);
    double wall = (double)*pressed_at(&t->open[axis], cell[0], cell[1], cell[2]);
    return all > wall ? share * wall / all : share;
}

/* ρ M⁻¹. */
static inline void pressed_weigh(const pressed *t, const pressed_body *b, poisson_body *m)
{
    const double *h = b->half;
    const bool flat = t->d.dims == 2;
    double volume = b->ball ? (flat ? 3.14159265358979 * h[0] * h[0] : 4.18879020478639 * h[0] * h[0] * h[0])
                            : 4 * h[0] * h[1] * (flat ? 1 : 2 * h[2]);
    double mass = volume * b->density, own[3];
    for (int a = 0; a < 3; a++) {
        const double p = h[(a + 1) % 3], q = h[(a + 2) % 3];
        own[a] = b->ball ? (flat ? 0.5 : 0.4) * mass * h[0] * h[0] : mass * (p * p + q * q) / 3;
    }
    memset(m->inverse, 0, sizeof m->inverse);
    for (int a = 0; a < t->d.dims; a++)
        m->inverse[a][a] = 1 / mass;
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++)
            for (int e = 0; e < 3; e++)
                m->inverse[3 + a][3 + c] += b->axis[a][e] * b->axis[c][e] / own[e];
}

/* n and r × n of one cell. */
static inline void pressed_sweep(const pressed *t, const pressed_body *b, const int cell[3], double sweep[6])
{
    double n[3] = {0}, r[3];
    for (int a = 0; a < t->d.dims; a++) {
        int high[3] = {cell[0], cell[1], cell[2]};
        high[a]++;
        n[a] = pressed_taken(t, b, a, high) - pressed_taken(t, b, a, cell);
    }
    for (int a = 0; a < 3; a++)
        r[a] = cell[a] + 0.5 - b->centre[a];
    for (int a = 0; a < 3; a++) {
        sweep[a] = n[a];
        sweep[3 + a] = r[(a + 1) % 3] * n[(a + 2) % 3] - r[(a + 2) % 3] * n[(a + 1) % 3];
    }
}

static inline void pressed_push(const pressed *t, const pressed_body *b, poisson_body *m)
{
    int low[3], high[3];
    pressed_bounds(t, b, low, high);
    size_t most = (size_t)(high[0] - low[0]) * (size_t)(high[1] - low[1]) * (size_t)(high[2] - low[2]);
    int32_t *cells = malloc(most * sizeof *cells);
    float *push[6];
    m->count = 0;
    for (int d = 0; d < 6; d++)
        push[d] = malloc(most * sizeof(float));
    PRESSED_EACH(low, high, i, j, k)
    {
        double sweep[6], size = 0;
        pressed_sweep(t, b, (int[3]){i, j, k}, sweep);
        for (int d = 0; d < 3; d++)
            size += fabs(sweep[d]);
        if (size < 1e-6)
            continue;
        cells[m->count] = i + t->d.n[0] * (j + t->d.n[1] * k);
        for (int d = 0; d < 6; d++)
            push[d][m->count] = (float)sweep[d];
        m->count++;
    }
    m->cell = cells;
    for (int d = 0; d < 6; d++) {
        const bool has = t->d.dims == 3 ? d < 3 || !b->ball : d < 2 || (d == 5 && !b->ball);
        m->push[d] = has ? push[d] : NULL;
        if (!has)
            free(push[d]);
    }
}

/* Takes what all bodies take of the faces off `open`, and makes their movers. `open` holds walls before. */
static inline void pressed_put(pressed *t)
{
    for (int a = 0; a < t->d.dims; a++)
        field_fill(&t->total[a], 0);
    for (int n = 0; n < t->count; n++) {
        int low[3], high[3];
        pressed_bounds(t, &t->body[n], low, high);
        for (int a = 0; a < t->d.dims; a++)
            PRESSED_EACH(low, high, i, j, k)
        if (pressed_within(t, a, (int[3]){i, j, k}))
            *pressed_at(&t->total[a], i, j, k) += (float)pressed_share(&t->body[n], t->d.dims, (int[3]){i, j, k}, a);
    }
    for (int n = 0; n < t->count; n++) {
        pressed_weigh(t, &t->body[n], &t->mover[n]);
        pressed_push(t, &t->body[n], &t->mover[n]);
    }
    for (int a = 0; a < t->d.dims; a++)
        for (int k = 0; k < t->open[a].size[2]; k++)
            for (int j = 0; j < t->open[a].size[1]; j++)
                for (int i = 0; i < t->open[a].size[0]; i++) {
                    float *open = pressed_at(&t->open[a], i, j, k), all = *pressed_at(&t->total[a], i, j, k);
                    *open = all < *open ? *open - all : 0;
                }
}

/* b = −(D w u + C V), u = gravity and noise. */
static inline void pressed_load(pressed *t, double noise, uint32_t seed)
{
    const int *n = t->d.n, low[3] = {0, 0, 0};
    for (int a = 0; a < t->d.dims; a++)
        for (int k = 0; k < t->velocity[a].size[2]; k++)
            for (int j = 0; j < t->velocity[a].size[1]; j++)
                for (int i = 0; i < t->velocity[a].size[0]; i++) {
                    const int at[3] = {i, j, k};
                    const bool side = at[a] == 0 || at[a] == n[a];
                    const double u = (a == 1 ? -1 : 0) + noise * (pressed_unit(&seed) - 0.5);
                    *pressed_at(&t->velocity[a], i, j, k) = side ? 0 : (float)u;
                }
    PRESSED_EACH(low, n, i, j, k)
    {
        double sum = 0;
        for (int a = 0; a < t->d.dims; a++)
            for (int side = 0; side < 2; side++) {
                int f[3] = {i, j, k};
                f[a] += side;
                sum += (side ? 1 : -1) * (double)*pressed_at(&t->open[a], f[0], f[1], f[2]) *
                       (double)*pressed_at(&t->velocity[a], f[0], f[1], f[2]);
            }
        *pressed_at(&t->b, i, j, k) = (float)-sum;
    }
    for (int q = 0; q < t->count; q++) {
        const poisson_body *m = &t->mover[q];
        for (int d = 0; d < 6; d++)
            t->body[q].velocity[d] = m->push[d] ? (d == 1 ? -1 : 0) + noise * (pressed_unit(&seed) - 0.5) : 0;
        for (int c = 0; c < m->count; c++)
            for (int d = 0; d < 6; d++)
                if (m->push[d]) {
                    const int cell = m->cell[c];
                    *pressed_at(&t->b, cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]) -=
                        (float)((double)m->push[d][c] * t->body[q].velocity[d]);
                }
    }
}

/* Cells that all bodies push together. */
static inline int pressed_cells(const pressed *t)
{
    int cells = 0;
    for (int n = 0; n < t->count; n++)
        cells += t->mover[n].count;
    return cells;
}

static inline solve_stats pressed_solve(pressed *t, projection_solver solver, double tolerance, bool goes_on)
{
    const solve_limits limits = {.tolerance = tolerance, .max_iterations = 400};
    return projection_solve(
        t->p, &(projection_task){.solver = solver, .b = &t->b, .limits = &limits, .goes_on = goes_on}, &t->x);
}

#endif
