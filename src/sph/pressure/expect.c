#include "sph/pressure/expect.h"

#include <math.h>

#include "sph/pressure/sums.h"

sph_expect sph_expect_of(const sph_model *m, double dt, const sph_recovery *recovery)
{
    return (sph_expect){m, recovery, (float)dt};
}

void sph_expect_place(const sph_expect *e, sph_state *s, int block)
{
    float spacing = (float)e->m->spacing;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++)
        for (int a = 0; a < 4; a++)
            s->next.position[n][a] =
                s->fluid.position[n][a] + e->dt * s->next.velocity[n][a] + spacing * s->vectors[SPH_SHIFTED][n][a];
}

/* Periods of the domain, m, and one over them; 0 along axes that have none. */
typedef struct expect_periods {
    bool any;
    float length[3], per_length[3];
} expect_periods;

static expect_periods expect_periods_of(const sph_model *m)
{
    expect_periods p = {0};
    for (int a = 0; a < m->dims; a++)
        if (m->periodic[a]) {
            p.any = true;
            p.length[a] = (float)(m->high[a] - m->low[a]);
            p.per_length[a] = 1 / p.length[a];
        }
    return p;
}

/* Distance along an axis to the nearest periodic image. */
static inline wide expect_apart(const expect_periods *p, int axis, float x, wide other)
{
    wide apart = x - other;
    return p->any ? apart - p->length[axis] * wide_floor(apart * p->per_length[axis] + 0.5f) : apart;
}

static inline __attribute__((always_inline)) wide expect_kernels(fr_kernel kind, const sph_model *m,
                                                                 const expect_periods *periods, const float *own,
                                                                 wide x, wide y, wide z)
{
    wide dx = expect_apart(periods, 0, own[0], x), dy = expect_apart(periods, 1, own[1], y),
         dz = expect_apart(periods, 2, own[2], z);
    wide r2 = dx * dx + dy * dy + dz * dz, value, slope;
    float support = (float)m->kernel.support;
    kernel_lanes(kind, &m->kernel, wide_sqrt(r2), &value, &slope);
    return wide_keep(r2 < support * support, value);
}

/* Neighbours in list n of p, without the zero record that makes their number even. */
static inline int32_t expect_number(const pairs *p, int64_t n)
{
    int32_t number = p->number[n];
    return number > 0 && p->record[p->begin[n] + (uint32_t)number - 1][3] == 0 ? number - 1 : number;
}

/* The same for particle n among its like, where that record names itself: records are not read here otherwise, and
   would come from memory. */
static inline int32_t expect_number_alike(const pairs *p, int64_t n)
{
    int32_t number = p->number[n];
    return number > 0 && p->other[p->begin[n] + (uint32_t)number - 1] == n ? number - 1 : number;
}

static inline wide_mask expect_there(int32_t left)
{
    const wide_mask lanes = {0, 2, 4, 6, 1, 3, 5, 7}; /* as in sums_there */
    return lanes < left;
}

/* Over the fluid in list n of p, of which `number` are neighbours, seen from `own`. */
static inline __attribute__((always_inline)) float expect_fluid(fr_kernel kind, const sph_model *m,
                                                                const expect_periods *periods, const sph_state *s,
                                                                const pairs *p, int64_t n, int32_t number,
                                                                const float *own)
{
    wide sum = {0};
    for (int32_t k = 0; k < number; k += WIDE) {
        wide_group x = sums_vectors(p, n, k, s->next.position);
        sum += wide_keep(expect_there(number - k), expect_kernels(kind, m, periods, own, x.v[0], x.v[1], x.v[2]));
    }
    return (float)m->weight * wide_sum(sum);
}

/* Walls move on with their velocity. */
static inline __attribute__((always_inline)) float
expect_walls(fr_kernel kind, const sph_expect *e, const expect_periods *periods, const sph_state *s, int64_t n)
{
    const pairs *p = &s->wall_pairs;
    const sph_walls *w = &s->walls;
    float dt = w->moving ? e->dt : 0;
    wide sum = {0};
    int32_t number = expect_number(p, n);
    for (int32_t k = 0; k < number; k += WIDE) {
        wide_group v = sums_vectors(p, n, k, w->velocity);
        wide x = sums_numbers(p, n, k, w->x) + dt * v.v[0], y = sums_numbers(p, n, k, w->y) + dt * v.v[1],
             z = sums_numbers(p, n, k, w->z) + dt * v.v[2];
        sum +=
            wide_keep(expect_there(number - k), sums_numbers(p, n, k, w->volume) *
                                                    expect_kernels(kind, e->m, periods, s->next.position[n], x, y, z));
    }
    return wide_sum(sum);
}

static inline __attribute__((always_inline)) void expect_block(fr_kernel kind, const sph_expect *e, const sph_state *s,
                                                               int block, float change[SPH_BLOCK])
{
    const sph_model *m = e->m;
    expect_periods periods = expect_periods_of(m);
    float own = (float)(m->weight * kernel_value(&m->kernel, 0));
    int64_t first = (int64_t)block * SPH_BLOCK;
    for (int64_t n = first; n < sph_block_end(s->fluid.count, block + 1); n++)
        change[n - first] =
            own +
            expect_fluid(kind, m, &periods, s, &s->pairs, n, expect_number_alike(&s->pairs, n), s->next.position[n]) +
            (s->walls.count ? fminf(expect_walls(kind, e, &periods, s, n), 1 - own) : 0) - s->density[n];
}

void sph_expect_change(const sph_expect *e, const sph_state *s, int block, float change[SPH_BLOCK])
{
#define EXPECT_CASE(KIND, name)                                                                                        \
    case FR_KERNEL_##KIND:                                                                                             \
        expect_block(FR_KERNEL_##KIND, e, s, block, change);                                                           \
        break;
    switch (e->m->kernel.kind) { /* a loop for each, which knows its kernel */
        KERNEL_LIST(EXPECT_CASE)
    case FR_KERNELS:
        break;
    }
}

float sph_expect_wall(const sph_expect *e, const sph_state *s, int64_t wall)
{
    const sph_walls *w = &s->walls;
    const float *v = w->velocity[wall],
                at[3] = {w->x[wall] + e->dt * v[0], w->y[wall] + e->dt * v[1], w->z[wall] + e->dt * v[2]};
    expect_periods periods = expect_periods_of(e->m);
    float sum = expect_fluid(e->m->kernel.kind, e->m, &periods, s, &w->pairs, wall, expect_number(&w->pairs, wall), at);
    for (int64_t k = w->pairs.begin[wall]; k < pairs_end(&w->pairs, wall); k++) {
        const float *x = s->next.position[w->pairs.other[k]];
        const wide zero = {0};
        if (s->hemmed[w->pairs.other[k]])
            sum -= (float)e->m->weight * expect_kernels(e->m->kernel.kind, e->m, &periods, at, zero + x[0],
                                                        zero + x[1], zero + x[2])[0];
    }
    return sum - w->density[wall];
}
