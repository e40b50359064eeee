/* Level sets for tests: shapes with their exact distances, flows, and how far a surface lies from where it should. */
#ifndef TESTS_SUPPORT_LEVELSETS_H
#define TESTS_SUPPORT_LEVELSETS_H

#include <stdlib.h>

#include "grid/halo.h"
#include "support/check.h"
#include "surface/levelset/levelset.h"

#define LEVELSETS_PI 3.14159265358979323846

typedef double (*levelsets_shape)(const double at[3]);
/* Velocity at a place, m/s. */
typedef void (*levelsets_velocity)(const double at[3], double out[3]);

static inline domain levelsets_box(int dims, int cells, double edge)
{
    const double h = edge / cells;
    return (domain){.dims = dims, .n = {cells, cells, dims == 3 ? cells : 1}, .h = {h, h, dims == 3 ? h : 1}};
}

static inline void levelsets_place(const field *f, const domain *d, int i, int j, int k, double at[3])
{
    const int index[3] = {i, j, k};
    field_origin(f, d, at);
    for (int a = 0; a < d->dims; a++)
        at[a] += index[a] * d->h[a];
}

static inline void levelsets_fill(field *f, const domain *d, levelsets_shape shape)
{
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                double at[3];
                levelsets_place(f, d, i, j, k, at);
                field_row(f, j, k)[i] = (float)shape(at);
            }
    halo_fill_linear(f, d);
}

/* Also fills the ghosts with the velocity there. */
static inline void levelsets_flow(field velocity[3], const domain *d, levelsets_velocity function)
{
    for (int a = 0; a < d->dims; a++) {
        const field *f = &velocity[a];
        const int deep = d->dims == 3 ? GHOST : 0;
        for (int k = -deep; k < f->size[2] + deep; k++)
            for (int j = -GHOST; j < f->size[1] + GHOST; j++)
                for (int i = -GHOST; i < f->size[0] + GHOST; i++) {
                    double at[3], u[3];
                    levelsets_place(f, d, i, j, k, at);
                    function(at, u);
                    field_row(f, j, k)[i] = (float)u[a];
                }
    }
}

/* A level set with its field and a flow. */
typedef struct levelsets_case {
    domain d;
    levelset *ls;
    field phi, velocity[3];
} levelsets_case;

static inline void levelsets_begin(levelsets_case *c, const domain *d, levelsets_shape shape)
{
    *c = (levelsets_case){.d = *d};
    assert_ok(levelset_create(d, &c->ls));
    assert_ok(field_create(d, FR_AT_CELL, &c->phi));
    for (int a = 0; a < d->dims; a++)
        assert_ok(field_create(d, field_face(a), &c->velocity[a]));
    levelsets_fill(&c->phi, d, shape);
    assert_ok(levelset_find(c->ls, &c->phi));
}

static inline void levelsets_end(levelsets_case *c)
{
    for (int a = 0; a < c->d.dims; a++)
        field_destroy(&c->velocity[a]);
    field_destroy(&c->phi);
    levelset_destroy(c->ls);
}

/* Linear interpolation within the cell between the centres from (i, j, k) on. */
static inline double levelsets_between(const field *f, const float *at, const double share[3])
{
    double sum = 0;
    for (int corner = 0; corner < (f->stride[2] ? 8 : 4); corner++) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        sum += (x ? share[0] : 1 - share[0]) * (y ? share[1] : 1 - share[1]) * (z ? share[2] : 1 - share[2]) *
               at[x + y * f->stride[1] + z * f->stride[2]];
    }
    return sum;
}

/* Volume where just one of two level sets is liquid, by `parts` samples a cell along each axis. */
static inline double levelsets_mismatch(const field *a, const field *b, const domain *d, int parts)
{
    const int deep = d->dims == 3 ? parts : 1;
    double count = 0;
    for (int k = 0; k < (d->dims == 3 ? d->n[2] - 1 : 1); k++)
        for (int j = 0; j < d->n[1] - 1; j++)
            for (int i = 0; i < d->n[0] - 1; i++) {
                const float *one = field_row(a, j, k) + i, *other = field_row(b, j, k) + i;
                bool near = false;
                for (int c = 0; c < (d->dims == 3 ? 8 : 4); c++) {
                    const ptrdiff_t at = (c & 1) + (c >> 1 & 1) * a->stride[1] + (c >> 2) * a->stride[2];
                    near = near || (one[at] < 0) != (one[0] < 0) || (other[at] < 0) != (one[0] < 0);
                }
                for (int s = 0; near && s < parts * parts * deep; s++) {
                    const double share[3] = {(s % parts + 0.5) / parts, (s / parts % parts + 0.5) / parts,
                                             d->dims == 3 ? (s / parts / parts + 0.5) / parts : 0};
                    count += (levelsets_between(a, one, share) < 0) != (levelsets_between(b, other, share) < 0);
                }
            }
    return count / (parts * parts * deep) * domain_cell_volume(d);
}

/* Zalesak's disc (1979): a square of 100, a disc of radius 15 at (50, 75), a slot 5 wide up to y = 85. */
static inline double levelsets_segment(const double at[3], const double from[2], const double to[2])
{
    const double x = to[0] - from[0], y = to[1] - from[1];
    double share = ((at[0] - from[0]) * x + (at[1] - from[1]) * y) / (x * x + y * y);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return hypot(at[0] - from[0] - share * x, at[1] - from[1] - share * y);
}

static inline double levelsets_zalesak(const double at[3])
{
    const double x = at[0] - 50, y = at[1] - 75, radius = hypot(x, y), foot = 75 - sqrt(15 * 15 - 2.5 * 2.5);
    const double left[2] = {47.5, foot}, right[2] = {52.5, foot}, up_left[2] = {47.5, 85}, up_right[2] = {52.5, 85};
    const bool slot = fabs(x) < 2.5 && at[1] < 85, liquid = radius < 15 && !slot;
    double distance = fmin(levelsets_segment(at, left, up_left), levelsets_segment(at, right, up_right));
    distance = fmin(distance, levelsets_segment(at, up_left, up_right));
    if (!(y < 0 && fabs(x) * 15 < 2.5 * radius)) /* the arc's nearest point is not in the slot */
        distance = fmin(distance, fabs(radius - 15));
    return liquid ? -distance : distance;
}

/* One turn in 628 seconds. */
static inline void levelsets_turn(const double at[3], double u[3])
{
    u[0] = LEVELSETS_PI / 314 * (50 - at[1]);
    u[1] = LEVELSETS_PI / 314 * (at[0] - 50);
    u[2] = 0;
}

/* The vortex in a box (LeVeque 1996; Enright et al. 2002), without its change in time. */
static inline double levelsets_disc(const double at[3])
{
    return hypot(at[0] - 0.5, at[1] - 0.75) - 0.15;
}

static inline void levelsets_vortex(const double at[3], double u[3])
{
    const double x = LEVELSETS_PI * at[0], y = LEVELSETS_PI * at[1];
    u[0] = -2 * pow(sin(x), 2) * sin(y) * cos(y);
    u[1] = 2 * pow(sin(y), 2) * sin(x) * cos(x);
    u[2] = 0;
}

/* Enright's deformation of a sphere (LeVeque 1996), without its change in time. */
static inline double levelsets_ball(const double at[3])
{
    return sqrt(pow(at[0] - 0.35, 2) + pow(at[1] - 0.35, 2) + pow(at[2] - 0.35, 2)) - 0.15;
}

static inline void levelsets_deform(const double at[3], double u[3])
{
    const double x = LEVELSETS_PI * at[0], y = LEVELSETS_PI * at[1], z = LEVELSETS_PI * at[2];
    u[0] = 2 * pow(sin(x), 2) * sin(2 * y) * sin(2 * z);
    u[1] = -sin(2 * x) * pow(sin(y), 2) * sin(2 * z);
    u[2] = -sin(2 * x) * sin(2 * y) * pow(sin(z), 2);
}

#endif
