/* Signed distance in the band, |∇φ| = 1, with the zero set left where it is.

   Cells beside the surface get their distance to the zero set of the parabola through their 27 neighbours, in the
   manner of Chopp (2001); they are then held. From there the distance spreads outward by Godunov's upwind solution of
   the eikonal equation with differences of second order (Sethian 1999), which all other cells take from their
   neighbours until nothing changes: those in the same block of cells as they are now (sweeps after Zhao 2005), those in
   others as the last pass left them, so that the bits are the same for any number of threads. What lies beyond the
   sides is found once and held: found from the distances inside in every pass, it would in turn decide them. */
#include <math.h>
#include <string.h>

#include "surface/levelset/redistance.h"

/* The passes end when no value changes by more than SETTLED cells. Cells beside the surface that would change by less
   than STAYS, or whose slope is right within SLOPE, stay: a surface at rest keeps its bits, and small errors do not add
   up. */
static const float REDISTANCE_SETTLED = 1e-4f, REDISTANCE_STAYS = 2e-4f, REDISTANCE_SLOPE = 0.02f;
/* Shares of the distance per roughness that a parabola may err by, and the roughness beyond which none is used. */
static const double REDISTANCE_DOUBT = 0.3, REDISTANCE_ROUGH = 0.5;

enum { REDISTANCE_PASSES = 24 };

/* φ ≈ value + g·x + ½ xᵀHx about a cell's centre. */
typedef struct parabola {
    double value, gradient[3], bend[3][3];
} parabola;

static parabola parabola_at(const redistance_job *job, const float *at)
{
    const ptrdiff_t *stride = job->ls->stride;
    const int dims = job->ls->d.dims;
    parabola q = {.value = at[0]};
    for (int a = 0; a < dims; a++) {
        const double low = at[-stride[a]], high = at[stride[a]], per_h = job->per_h[a];
        q.gradient[a] = 0.5 * per_h * (high - low);
        q.bend[a][a] = per_h * per_h * ((high - at[0]) - (at[0] - low));
        for (int b = 0; b < a; b++) {
            const ptrdiff_t along = stride[a] + stride[b], across = stride[a] - stride[b];
            const double twist = ((double)at[along] - at[across]) + ((double)at[-along] - at[-across]);
            q.bend[a][b] = q.bend[b][a] = 0.25 * per_h * job->per_h[b] * twist;
        }
    }
    return q;
}

/* The point of the parabola's zero set that is nearest to the centre: p = g (p·g − φ)/|g|² holds there, since p is
   along the gradient g at p and φ vanishes. Returns its distance, or a negative number when there is none within
   `most`. */
static double parabola_distance(const parabola *q, double most)
{
    enum { STEPS = 8 };
    double p[3] = {0, 0, 0}, length = 0, moved = most;
    for (int step = 0; step < STEPS && moved > 1e-6 * most; step++) {
        double g[3], square = 0, along = 0, value = q->value;
        for (int a = 0; a < 3; a++) {
            const double turn = q->bend[a][0] * p[0] + q->bend[a][1] * p[1] + q->bend[a][2] * p[2];
            g[a] = q->gradient[a] + turn;
            value += p[a] * (q->gradient[a] + 0.5 * turn);
            square += g[a] * g[a];
            along += p[a] * g[a];
        }
        if (!(square > 0))
            return -1;
        const double scale = (along - value) / square, before = length;
        for (int a = 0; a < 3; a++)
            p[a] = g[a] * scale;
        length = fabs(scale) * sqrt(square);
        moved = fabs(length - before);
        if (!(length <= most))
            return -1;
    }
    return moved <= 1e-3 * most ? length : -1;
}

/* Distances to the surface along the axes, by linear interpolation: the nearest, and that of the plane through the
   nearest one on each axis. */
typedef struct crossing {
    double nearest, plane;
} crossing;

static crossing crossing_at(const redistance_job *job, const float *at)
{
    crossing c = {INFINITY, 0};
    double sum = 0;
    for (int a = 0; a < job->ls->d.dims; a++) {
        double share = INFINITY;
        for (int side = -1; side <= 1; side += 2) {
            const double other = at[side * job->ls->stride[a]];
            if ((other < 0) != (at[0] < 0))
                share = fmin(share, at[0] / (at[0] - other));
        }
        const double distance = share / job->per_h[a];
        c.nearest = fmin(c.nearest, distance);
        sum += distance > 0 ? 1 / (distance * distance) : INFINITY;
    }
    c.plane = 1 / sqrt(sum);
    return c;
}

/* The square of how much of itself the gradient turns or changes by over a cell; one or more at an edge and in a sheet
   of few cells. */
static double parabola_roughness(const parabola *q, const domain *d)
{
    double turn = 0, square = 0;
    for (int a = 0; a < d->dims; a++) {
        square += q->gradient[a] * q->gradient[a];
        for (int b = 0; b < d->dims; b++)
            turn += q->bend[a][b] * q->bend[a][b] * d->h[b] * d->h[b];
    }
    return turn < square ? turn / square : 1;
}

/* The value of a cell beside the surface. It stays where it differs by less than the parabola itself may err, a share
   of about its roughness; without that, edges would creep from call to call. Where no parabola holds, it
   stays within bounds: the surface is no farther than along an axis, and scarcely nearer than the plane. */
static float redistance_beside(const redistance_job *job, const float *at)
{
    const crossing c = crossing_at(job, at);
    const parabola q = parabola_at(job, at);
    const double roughness = parabola_roughness(&q, &job->ls->d);
    double distance = roughness < REDISTANCE_ROUGH ? parabola_distance(&q, 1.05 * c.nearest) : -1;
    if (distance < 0)
        distance = fmin(fmax(fabsf(at[0]), 0.5 * c.plane), c.nearest);
    const double least = 1e-6 * job->ls->width, off = fabs(distance - fabsf(at[0]));
    if (off < job->stays + (REDISTANCE_SLOPE + REDISTANCE_DOUBT * roughness) * distance)
        return at[0];
    return copysignf((float)fmax(distance, least), at[0]);
}

/* `cells` of the row lie in the box. Those beyond count as held too. */
static void redistance_beside_row(const redistance_job *job, const float *at, int cells, size_t cell)
{
    const levelset *ls = job->ls;
    const float width = ls->width;
    for (int i = 0; i < ls->side[0]; i += WIDE) {
        float *next = ls->next + cell + i;
        wide_store(next, wide_min(wide_max(wide_load(at + i), wide_all(-width)), wide_all(width)));
        const int inside = cells - i < 0 ? 0 : cells - i < WIDE ? cells - i : WIDE;
        const unsigned box = (1u << inside) - 1, beside = band_beside(at + i, ls->stride) & box;
        ls->beside[(cell + (size_t)i) / WIDE] = (uint8_t)(beside | ~box);
        for (unsigned left = beside; left; left &= left - 1) {
            const int l = __builtin_ctz(left);
            next[l] = redistance_beside(job, at + i + l);
        }
    }
}

/* A block in which no cell is beside the surface. */
static void redistance_take_block(const redistance_job *job, int m, const band_block *b)
{
    const levelset *ls = job->ls;
    const float width = ls->width;
    for (int k = 0; k < b->inside[2]; k++)
        for (int j = 0; j < b->inside[1]; j++) {
            const float *row = field_row(job->phi, b->first[1] + j, b->first[2] + k) + b->first[0];
            const size_t cell = (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k);
            for (int i = 0; i < b->inside[0]; i++)
                ls->next[cell + (size_t)i] = row[i] > width ? width : row[i] < -width ? -width : row[i];
            for (int i = 0; i < ls->side[0]; i += WIDE) {
                const int inside = b->inside[0] - i < 0 ? 0 : b->inside[0] - i < WIDE ? b->inside[0] - i : WIDE;
                ls->beside[(cell + (size_t)i) / WIDE] = (uint8_t)~((1u << inside) - 1);
            }
        }
}

static void redistance_beside_part(void *context, int begin, int end)
{
    const redistance_job *job = context;
    const levelset *ls = job->ls;
    float patch[PATCH_MOST];
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        if (ls->mark[ls->list[m]] != BAND_CROSSED) {
            redistance_take_block(job, m, &b);
            continue;
        }
        band_gather(ls, job->phi, &b, false, patch);
        for (int k = 0; k < b.inside[2]; k++)
            for (int j = 0; j < b.inside[1]; j++)
                redistance_beside_row(job, patch + band_patch_row(ls, j, k), b.inside[0],
                                      (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k));
    }
}

/* One axis of Σ a (u − t)² = 1: of first order t is the nearer neighbour, of second order it continues the slope behind
   that one, if the distance falls there. */
typedef struct eikonal_axis {
    wide t, a;
    wide alone; /* 1/√a: how much farther than t the cell is by this axis alone, m */
} eikonal_axis;

static inline eikonal_axis eikonal_axis_at(const float *at, ptrdiff_t stride, wide sign, float per_h)
{
    wide low = sign * wide_load(at - stride), high = sign * wide_load(at + stride);
    wide_mask below = low < high;
    wide first = wide_choose(below, low, high);
    wide second = sign * wide_choose(below, wide_load(at - 2 * stride), wide_load(at + 2 * stride));
    wide_mask steep = second < first;
    return (eikonal_axis){wide_choose(steep, first + (first - second) * (1.0f / 3), first),
                          wide_choose(steep, wide_all(2.25f * per_h * per_h), wide_all(per_h * per_h)),
                          wide_choose(steep, wide_all(2 / (3 * per_h)), wide_all(1 / per_h))};
}

static inline void eikonal_sort(eikonal_axis *low, eikonal_axis *high)
{
    const wide_mask swap = low->t > high->t;
    const eikonal_axis l = *low, h = *high;
    low->t = wide_min(l.t, h.t);
    high->t = wide_max(l.t, h.t);
    low->a = wide_choose(swap, h.a, l.a);
    high->a = wide_choose(swap, l.a, h.a);
    low->alone = wide_choose(swap, h.alone, l.alone);
    high->alone = wide_choose(swap, l.alone, h.alone);
}

/* The distance from the axes whose t lie below it. Values relative to the lowest t lose no digits. */
static inline wide eikonal_solve(eikonal_axis axis[3], int dims)
{
    eikonal_sort(&axis[0], &axis[1]);
    if (dims == 3) {
        eikonal_sort(&axis[1], &axis[2]);
        eikonal_sort(&axis[0], &axis[1]);
    }
    wide a = axis[0].a, b = {0}, c = wide_all(-1), u = axis[0].alone;
    for (int n = 1; n < dims; n++) {
        wide t = axis[n].t - axis[0].t, more_a = a + axis[n].a, more_b = b + axis[n].a * t,
             more_c = c + axis[n].a * t * t;
        wide root = wide_sqrt(wide_max(more_b * more_b - more_a * more_c, wide_all(0)));
        u = wide_choose(u > t, (more_b + root) / more_a, u);
        a = more_a;
        b = more_b;
        c = more_c;
    }
    return axis[0].t + u;
}

/* Sets a row of the patch by its neighbours as they are now. Returns bits of the cells that have changed. */
static unsigned redistance_spread_row(const redistance_job *job, float *at, size_t cell)
{
    const levelset *ls = job->ls;
    const int dims = ls->d.dims;
    unsigned changed = 0;
    for (int i = 0; i < ls->side[0]; i += WIDE) {
        float *here = at + i;
        wide old = wide_load(here), sign = wide_choose(old < 0, wide_all(-1), wide_all(1));
        eikonal_axis axis[3];
        wide nearest = wide_all(ls->width);
        for (int a = 0; a < dims; a++) {
            axis[a] = eikonal_axis_at(here, ls->stride[a], sign, job->per_h[a]);
            nearest = wide_min(axis[a].t, nearest);
        }
        if (wide_every(nearest >= ls->width) && wide_every(old * sign >= ls->width))
            continue; /* beyond the band, as it was */
        wide value = sign * wide_min(eikonal_solve(axis, dims), wide_all(ls->width));
        value = wide_choose(redistance_held(ls, cell + (size_t)i), old, value);
        wide change = value - old;
        changed |= wide_bits(wide_max(change, -change) > job->settled) << i;
        wide_store(here, value);
    }
    return changed;
}

/* Which rows of a block are to be looked at; row j of layer k is bit j + k side[1]. */
typedef uint64_t redistance_rows;

/* A row and those that see it. Some others may be among them, where one layer ends and the next begins. */
static redistance_rows redistance_around(const levelset *ls, int row)
{
    const redistance_rows one = (redistance_rows)1 << row, line = one << 2 | one << 1 | one | one >> 1 | one >> 2;
    const int layer = ls->side[1];
    return ls->d.dims == 2 ? line : line | one << layer | one << 2 * layer | one >> layer | one >> 2 * layer;
}

static void redistance_note(band_span *span, unsigned cells, int j, int k)
{
    const int low[3] = {__builtin_ctz(cells), j, k}, high[3] = {31 - __builtin_clz(cells), j, k};
    for (int a = 0; a < 3; a++) {
        span->low[a] = low[a] < span->low[a] ? (int16_t)low[a] : span->low[a];
        span->high[a] = high[a] > span->high[a] ? (int16_t)high[a] : span->high[a];
    }
}

/* Sweeps a block's rows up and down, as long as what they see changes, so that a distance crosses it at once. Notes
   the cells that have changed. Returns whether some still do. */
static bool redistance_spread_block(const redistance_job *job, int m, const band_block *b, float *patch)
{
    enum { SWEEPS = 6 };
    const levelset *ls = job->ls;
    const int last = (b->inside[2] - 1) * ls->side[1] + b->inside[1] - 1;
    redistance_rows there = 0, left;
    for (int k = 0; k < b->inside[2]; k++)
        there |= (((redistance_rows)1 << b->inside[1]) - 1) << k * ls->side[1];
    left = there;
    for (int sweep = 0; sweep < SWEEPS && left; sweep++)
        for (int n = 0; n <= last; n++) {
            const int row = sweep % 2 ? last - n : n, j = row % ls->side[1], k = row / ls->side[1];
            if (!(left >> row & 1))
                continue;
            left &= ~((redistance_rows)1 << row);
            const unsigned changed = redistance_spread_row(job, patch + band_patch_row(ls, j, k),
                                                           (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k));
            if (changed) {
                left |= redistance_around(ls, row) & there;
                redistance_note(&ls->crossing[m], changed, j, k);
            }
        }
    return left;
}

static void redistance_spread_part(void *context, int begin, int end)
{
    const redistance_job *job = context;
    const levelset *ls = job->ls;
    float patch[PATCH_MOST];
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        ls->crossing[m] = (band_span){{INT16_MAX, INT16_MAX, INT16_MAX}, {-1, -1, -1}};
        ls->partial[m] = 0;
        if (!ls->mark[ls->list[m]])
            continue;
        band_gather_cross(ls, job->phi, &b, patch);
        ls->partial[m] = redistance_spread_block(job, m, &b, patch);
        for (int k = 0; k < b.inside[2]; k++)
            for (int j = 0; j < b.inside[1]; j++)
                memcpy(ls->next + (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k), patch + band_patch_row(ls, j, k),
                       (size_t)ls->side[0] * sizeof *patch);
    }
}

static void redistance_hold_part(void *context, int begin, int end)
{
    const redistance_job *job = context;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(job->ls, job->ls->list[m]);
        band_hold_sides(job->ls, &b, job->phi);
    }
}

/* Marks the block that holds a cell so many cells along an axis from a block's first one, if the cell is not its own.
 */
static void redistance_mark_beside(const levelset *ls, int number, int axis, int away)
{
    const int step[3] = {1, ls->blocks[0], ls->blocks[0] * ls->blocks[1]};
    const band_block b = band_block_of(ls, number);
    const int cell = away < 0 || away >= b.inside[axis] ? band_cell(&ls->d, axis, b.first[axis] + away) : -1;
    if (cell >= 0)
        ls->mark[number + (cell / ls->side[axis] - b.first[axis] / ls->side[axis]) * step[axis]] = 1;
}

/* Marks the blocks that see cells of others which have changed, two cells away along an axis, and those that were left
   before they had settled. Returns whether any of them is listed. */
static bool redistance_mark_changed(const redistance_job *job)
{
    const levelset *ls = job->ls;
    bool any = false;
    band_unmark(ls);
    for (int m = 0; m < ls->count; m++) {
        const band_span *span = &ls->crossing[m];
        ls->mark[ls->list[m]] |= ls->partial[m] > 0;
        for (int a = 0; a < ls->d.dims && span->low[0] <= span->high[0]; a++)
            for (int away = 1; away <= GHOST; away++) {
                redistance_mark_beside(ls, ls->list[m], a, span->low[a] - away);
                redistance_mark_beside(ls, ls->list[m], a, span->high[a] + away);
            }
    }
    for (int m = 0; m < ls->count; m++)
        any = any || ls->mark[ls->list[m]];
    return any;
}

fr_result redistance_begin(levelset *ls, field *phi, redistance_job *job)
{
    const float h = (float)domain_min_h(&ls->d);
    *job = (redistance_job){
        .ls = ls, .phi = phi, .settled = REDISTANCE_SETTLED * h, .stays = REDISTANCE_STAYS * h};
    for (int a = 0; a < ls->d.dims; a++)
        job->per_h[a] = (float)(1 / ls->d.h[a]);
    FR_TRY(band_update(ls, phi, ls->reach));
    band_for_blocks(ls, redistance_beside_part, job);
    band_scatter_marked(ls, ls->next, phi);
    return FR_OK;
}

fr_result levelset_redistance(levelset *ls, field *phi)
{
    redistance_job job;
    FR_TRY(redistance_begin(ls, phi, &job));
    band_for_blocks(ls, redistance_hold_part, &job);
    bool changed = true;
    for (int pass = 0; pass < REDISTANCE_PASSES && changed; pass++) {
        band_for_blocks(ls, redistance_spread_part, &job);
        band_scatter_marked(ls, ls->next, phi);
        changed = redistance_mark_changed(&job);
    }
    levelset_fill_ghosts(ls, phi);
    return FR_OK;
}
