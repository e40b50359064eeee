/* Cells beside the surface get their distance to the zero set of the parabola through their 27 neighbours, in the
   manner of Chopp (2001), eight cells of a block at a time. */
#include <math.h>

#include "surface/levelset/redistance.h"

#define BESIDE_INLINE static inline __attribute__((always_inline))

/* The passes end when no value changes by more than SETTLED cells. Cells beside the surface that would change by less
   than STAYS, or whose slope is right within SLOPE, stay: a surface at rest keeps its bits, and small errors do not add
   up. */
static const float REDISTANCE_SETTLED = 1e-4f, REDISTANCE_STAYS = 2e-4f, REDISTANCE_SLOPE = 0.02f;
/* Shares of the distance per roughness that a parabola may err by, and the roughness beyond which none is used. */
static const float REDISTANCE_DOUBT = 0.3f, REDISTANCE_ROUGH = 0.5f;

/* Those of a block: in its patch, and in its values. */
typedef struct beside_cells {
    int count;
    uint16_t at[BLOCK_CELLS], cell[BLOCK_CELLS];
} beside_cells;

/* Samples of φ at eight cells, and so far from them. */
BESIDE_INLINE wide beside_pick(const float *const at[WIDE], ptrdiff_t away)
{
    return (wide){at[0][away], at[1][away], at[2][away], at[3][away],
                  at[4][away], at[5][away], at[6][away], at[7][away]};
}

/* φ ≈ value + g·x + ½ xᵀHx about each cell's centre. */
typedef struct parabola {
    wide value, gradient[3], bend[3][3];
} parabola;

BESIDE_INLINE parabola parabola_at(const redistance_job *job, const float *const at[WIDE], int dims)
{
    const ptrdiff_t *stride = job->ls->stride;
    parabola q = {.value = beside_pick(at, 0)};
    for (int a = 0; a < dims; a++) {
        const wide low = beside_pick(at, -stride[a]), high = beside_pick(at, stride[a]);
        const float per_h = job->per_h[a];
        q.gradient[a] = 0.5f * per_h * (high - low);
        q.bend[a][a] = per_h * per_h * ((high - q.value) - (q.value - low));
        for (int b = 0; b < a; b++) {
            const ptrdiff_t along = stride[a] + stride[b], across = stride[a] - stride[b];
            const wide twist = (beside_pick(at, along) - beside_pick(at, across)) +
                               (beside_pick(at, -along) - beside_pick(at, -across));
            q.bend[a][b] = q.bend[b][a] = 0.25f * per_h * job->per_h[b] * twist;
        }
    }
    return q;
}

BESIDE_INLINE wide beside_size(wide v) { return wide_max(v, -v); }

/* The point of the parabola's zero set that is nearest to the centre: p = g (p·g − φ)/|g|² holds there, since p is
   along the gradient g at p and φ vanishes. Returns its distance, or a negative number where there is none within
   `most`. */
BESIDE_INLINE wide parabola_distance(const parabola *q, wide most, int dims)
{
    enum { STEPS = 8 };
    wide p[3] = {{0}}, length = {0}, moved = most;
    wide_mask good = most >= 0, open = good;
    for (int step = 0; step < STEPS && wide_any(open); step++) {
        wide g[3], square = {0}, along = {0}, value = q->value;
        for (int a = 0; a < dims; a++) {
            wide turn = {0};
            for (int b = 0; b < dims; b++)
                turn += q->bend[a][b] * p[b];
            g[a] = q->gradient[a] + turn;
            value += p[a] * (q->gradient[a] + 0.5f * turn);
            square += g[a] * g[a];
            along += p[a] * g[a];
        }
        const wide scale = (along - value) / square, now = beside_size(scale) * wide_sqrt(square);
        for (int a = 0; a < dims; a++)
            p[a] = wide_choose(open, g[a] * scale, p[a]);
        moved = wide_choose(open, beside_size(now - length), moved);
        length = wide_choose(open, now, length);
        good &= length <= most; /* not where the gradient vanishes */
        open &= good & (moved > 1e-6f * most);
    }
    return wide_choose(good & (moved <= 1e-3f * most), length, wide_all(-1));
}

/* Distances to the surface along the axes, by linear interpolation: the nearest, and that of the plane through the
   nearest one on each axis. */
typedef struct crossing {
    wide nearest, plane;
} crossing;

BESIDE_INLINE crossing crossing_at(const redistance_job *job, const float *const at[WIDE], int dims)
{
    const wide own = beside_pick(at, 0), none = wide_all(INFINITY);
    crossing c = {none, {0}};
    wide sum = {0};
    for (int a = 0; a < dims; a++) {
        wide share = none;
        for (int side = -1; side <= 1; side += 2) {
            const wide other = beside_pick(at, side * job->ls->stride[a]);
            share = wide_choose((other < 0) ^ (own < 0), wide_min(own / (own - other), share), share);
        }
        const wide distance = share * job->h[a];
        c.nearest = wide_min(distance, c.nearest);
        sum += 1 / (distance * distance);
    }
    c.plane = 1 / wide_sqrt(sum);
    return c;
}

/* The square of how much of itself the gradient turns or changes by over a cell; one or more at an edge and in a sheet
   of few cells. */
BESIDE_INLINE wide parabola_roughness(const parabola *q, const redistance_job *job, int dims)
{
    wide turn = {0}, square = {0};
    for (int a = 0; a < dims; a++) {
        square += q->gradient[a] * q->gradient[a];
        for (int b = 0; b < dims; b++) {
            const wide change = q->bend[a][b] * job->h[b];
            turn += change * change;
        }
    }
    return wide_choose(turn < square, turn / square, wide_all(1));
}

/* The values of cells beside the surface. They stay where they differ by less than the parabola itself may err, a share
   of about its roughness; without that, edges would creep from call to call. Where no parabola holds, they stay within
   bounds: the surface is no farther than along an axis, and scarcely nearer than the plane. */
BESIDE_INLINE wide beside_values(const redistance_job *job, const float *const at[WIDE], int dims)
{
    const crossing c = crossing_at(job, at, dims);
    const parabola q = parabola_at(job, at, dims);
    const wide roughness = parabola_roughness(&q, job, dims), own = beside_size(q.value);
    wide distance = parabola_distance(&q, 1.05f * c.nearest, dims);
    const wide_mask none = (distance < 0) | (roughness >= REDISTANCE_ROUGH);
    distance = wide_choose(none, wide_min(wide_max(own, 0.5f * c.plane), c.nearest), distance);
    const wide_mask stays = beside_size(distance - own) <
                            job->stays + (REDISTANCE_SLOPE + REDISTANCE_DOUBT * roughness) * distance;
    const wide value = wide_max(distance, wide_all(1e-6f * job->ls->width));
    return wide_choose(stays, q.value, wide_choose(q.value < 0, -value, value));
}

static void beside_set(const redistance_job *job, const float *patch, const beside_cells *cells, float *values)
{
    for (int n = 0; n < cells->count; n += WIDE) {
        const int used = cells->count - n < WIDE ? cells->count - n : WIDE;
        const float *at[WIDE];
        for (int l = 0; l < WIDE; l++)
            at[l] = patch + cells->at[n + (l < used ? l : 0)];
        const wide value = job->ls->d.dims == 3 ? beside_values(job, at, 3) : beside_values(job, at, 2);
        for (int l = 0; l < used; l++)
            values[cells->cell[n + l]] = value[l];
    }
}

/* Takes a block's row as it is, and notes those of its cells that are beside the surface. Those beyond the box count as
   held too. */
static void beside_take_row(const redistance_job *job, const float *row, int inside, unsigned beside, size_t cell)
{
    const levelset *ls = job->ls;
    const float width = ls->width;
    const unsigned held = beside | ~((1u << inside) - 1);
    for (int i = 0; i < inside; i++)
        ls->next[cell + (size_t)i] = row[i] > width ? width : row[i] < -width ? -width : row[i];
    for (int i = 0; i < ls->side[0]; i += WIDE)
        ls->beside[(cell + (size_t)i) / WIDE] = (uint8_t)(held >> i);
}

/* A block with cells beside the surface. */
static void beside_cross_block(const redistance_job *job, int m, const band_block *b)
{
    const levelset *ls = job->ls;
    float patch[PATCH_MOST];
    uint16_t beside[BLOCK_ROWS];
    beside_cells cells = {.count = 0};
    band_gather(ls, job->phi, b, false, patch);
    band_beside(ls, patch + ls->centre, ls->stride, beside);
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++) {
            const ptrdiff_t row = band_patch_row(ls, j, k);
            const unsigned bits = beside[k * ls->side[1] + j] & ((1u << b->inside[0]) - 1);
            const size_t cell = band_block_row(ls, j, k);
            beside_take_row(job, patch + row, b->inside[0], bits, (size_t)m * BLOCK_CELLS + cell);
            for (unsigned left = bits; left; left &= left - 1) {
                cells.at[cells.count] = (uint16_t)(row + __builtin_ctz(left));
                cells.cell[cells.count++] = (uint16_t)(cell + (size_t)__builtin_ctz(left));
            }
        }
    beside_set(job, patch, &cells, ls->next + (size_t)m * BLOCK_CELLS);
}

static void beside_part(void *context, int begin, int end)
{
    const redistance_job *job = context;
    const levelset *ls = job->ls;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        if (ls->mark[ls->list[m]] == BAND_CROSSED) {
            beside_cross_block(job, m, &b);
            continue;
        }
        for (int k = 0; k < b.inside[2]; k++)
            for (int j = 0; j < b.inside[1]; j++)
                beside_take_row(job, field_row(job->phi, b.first[1] + j, b.first[2] + k) + b.first[0], b.inside[0], 0,
                                (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k));
    }
}

void redistance_begin(levelset *ls, field *phi, redistance_job *job)
{
    const float h = (float)domain_min_h(&ls->d);
    *job = (redistance_job){
        .ls = ls, .phi = phi, .settled = REDISTANCE_SETTLED * h, .stays = REDISTANCE_STAYS * h};
    for (int a = 0; a < ls->d.dims; a++) {
        job->h[a] = (float)ls->d.h[a];
        job->per_h[a] = (float)(1 / ls->d.h[a]);
    }
    band_for_blocks(ls, beside_part, job);
    band_scatter_marked(ls, ls->next, phi);
}
