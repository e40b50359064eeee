#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "surface/levelset/band.h"

/* Relative: how close a shift comes to the volume that is wanted, how close is close enough in the end, and the
   greatest jump of the volume that is left as it is. */
static const double VOLUME_CLOSE = 1e-7, VOLUME_ENOUGH = 1e-5, VOLUME_JUMP = 1e-4;

/* The share of the unit cube where m·x < level, for 0 ≤ m₀ ≤ m₁ ≤ m₂ with sum 1 and a level of at most ½ (Scardovelli &
   Zaleski 2000). */
static double volume_corner(const double m[3], double level)
{
    const double both = m[0] + m[1], cut = both < m[2] ? both : m[2], product = 6 * m[0] * m[1] * m[2];
    const double cubes = m[0] * m[0] * (m[0] - 3 * level) + m[1] * m[1] * (m[1] - 3 * level);
    if (level <= 0)
        return 0;
    if (level < m[0])
        return level * level * level / product;
    if (level < m[1])
        return (level * (level - m[0]) + m[0] * m[0] / 3) / (2 * m[1] * m[2]);
    if (level < cut)
        return (level * level * (3 * both - level) + cubes) / product;
    if (m[2] < both)
        return (level * level * (3 - 2 * level) + cubes + m[2] * m[2] * (m[2] - 3 * level)) / product;
    return (2 * level - both) / (2 * m[2]);
}

static void volume_sort(double *low, double *high)
{
    if (*low > *high) {
        const double t = *low;
        *low = *high;
        *high = t;
    }
}

/* The share of a cell where value + Σ change·x < 0, for x = −½ … ½ along each axis. */
static double volume_share(double value, const double change[3])
{
    double m[3] = {fabs(change[0]), fabs(change[1]), fabs(change[2])};
    const double sum = m[0] + m[1] + m[2];
    if (2 * fabs(value) >= sum)
        return value < 0 ? 1 : 0;
    for (int a = 0; a < 3; a++)
        m[a] = m[a] < 1e-7 * sum ? 0 : m[a] / sum; /* tinier ones would divide by nothing */
    volume_sort(&m[0], &m[1]);
    volume_sort(&m[1], &m[2]);
    volume_sort(&m[0], &m[1]);
    const double level = 0.5 - value / sum;
    return level <= 0.5 ? volume_corner(m, level) : 1 - volume_corner(m, 1 - level);
}

enum { VOLUME_SHIFTS = 2 };

typedef struct volume_job {
    levelset *ls;
    const field *phi, *open;
    float whole;                 /* m: levelset_whole */
    int shifts;                  /* so many volumes are found at once: φ comes from far away in memory */
    double moved[VOLUME_SHIFTS]; /* the surface is moved outward by this, m */
} volume_job;

static volume_job volume_job_of(levelset *ls, const field *phi, const field *open)
{
    return (volume_job){.ls = ls, .phi = phi, .open = open, .whole = levelset_whole(ls)};
}

/* φ around a cell: linear along each axis, and bent at the centre along those where it crosses the surface to both
   sides of it: in sheets, gaps and drops. */
typedef struct volume_cell {
    double value, change[3];
    double turn[3]; /* by how much the slope of the upper half is more than that of the whole; 0: not bent */
} volume_cell;

static volume_cell volume_cell_at(const field *phi, const float *at, double moved)
{
    volume_cell c = {.value = at[0] - moved};
    for (int a = 0; a < 3; a++) {
        const double below = at[-phi->stride[a]] - moved, above = at[phi->stride[a]] - moved;
        const bool thin = (below < 0) == (above < 0) && (below < 0) != (c.value < 0);
        c.change[a] = 0.5 * (above - below);
        c.turn[a] = thin ? 0.5 * (above + below) - c.value : 0;
    }
    return c;
}

/* Half by half along bent axes: a plane through the cell would make a sheet a whole cell, and a gap none. */
static double volume_halves(const volume_cell *c, int axis)
{
    while (axis < 3 && c->turn[axis] == 0)
        axis++;
    if (axis == 3)
        return volume_share(c->value, c->change);
    double share = 0;
    for (int way = -1; way <= 1; way += 2) {
        volume_cell half = *c;
        half.change[axis] = 0.5 * (c->change[axis] + way * c->turn[axis]);
        half.value += 0.5 * way * half.change[axis];
        share += 0.5 * volume_halves(&half, axis + 1);
    }
    return share;
}

float levelset_whole(const levelset *ls)
{
    const double *h = ls->d.h;
    return 0.5f * (float)sqrt(h[0] * h[0] + h[1] * h[1] + (ls->d.dims == 3 ? h[2] * h[2] : 0));
}

double levelset_share(const field *phi, const float *at, double moved)
{
    const volume_cell c = volume_cell_at(phi, at, moved);
    return volume_halves(&c, 0);
}

/* Of eight cells: those that the surface may cut when it is moved outward, and those of the others that are liquid. */
typedef struct volume_eight {
    unsigned cut, full;
} volume_eight;

static volume_eight volume_eight_at(const volume_job *job, const float *at, float moved)
{
    const float whole = job->whole;
    const wide own = wide_load(at) - moved;
    const wide_mask near = (own < whole) & (own > -whole), wet = own < 0;
    if (!wide_any(near))
        return (volume_eight){0, wide_bits(wet)};
    wide sum = {0};
    wide_mask thin = {0};
    for (int a = 0; a < 3; a++) {
        const wide below = wide_load(at - job->phi->stride[a]), above = wide_load(at + job->phi->stride[a]);
        const wide_mask low = below < moved, high = above < moved;
        const wide change = above - below;
        thin |= ~(low ^ high) & (low ^ wet);
        sum += wide_max(change, -change);
    }
    const wide_mask cut = near & (thin | (4 * wide_max(own, -own) < 1.001f * sum));
    return (volume_eight){wide_bits(cut), wide_bits(~cut & wet)};
}

/* The liquid's shares of `n` cells of a row, added, when the surface is moved outward. */
static double volume_of_cells(const volume_job *job, const float *row, const float *open, int n, double moved)
{
    double sum = 0;
    for (int i = 0; i < n; i += WIDE) {
        const unsigned inside = n - i < WIDE ? (1u << (n - i)) - 1 : 0xffu;
        const volume_eight eight = volume_eight_at(job, row + i, (float)moved);
        unsigned full = eight.full & inside;
        if (!open)
            sum += __builtin_popcount(full);
        for (; open && full; full &= full - 1)
            sum += open[i + __builtin_ctz(full)];
        for (unsigned cut = eight.cut & inside; cut; cut &= cut - 1) {
            const int at = i + __builtin_ctz(cut);
            sum += levelset_share(job->phi, row + at, moved) * (open ? open[at] : 1);
        }
    }
    return sum;
}

static void volume_blocks_part(void *context, int begin, int end)
{
    const volume_job *job = context;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(job->ls, job->ls->list[m]);
        double sum[VOLUME_SHIFTS] = {0};
        for (int k = b.first[2]; k < b.first[2] + b.inside[2]; k++)
            for (int j = b.first[1]; j < b.first[1] + b.inside[1]; j++)
                for (int s = 0; s < job->shifts; s++)
                    sum[s] += volume_of_cells(job, field_row(job->phi, j, k) + b.first[0],
                                              job->open ? field_row(job->open, j, k) + b.first[0] : NULL, b.inside[0],
                                              job->moved[s]);
        memcpy(job->ls->partial + (size_t)m * BAND_PARTIALS, sum, sizeof sum);
    }
}

/* The volumes in the listed blocks, where all of the surface is, for all shifts of the job. */
static void volume_near_all(volume_job *job, double volume[VOLUME_SHIFTS])
{
    const levelset *ls = job->ls;
    band_for_blocks(ls, volume_blocks_part, job);
    for (int s = 0; s < job->shifts; s++) {
        double sum = 0;
        for (int m = 0; m < ls->count; m++)
            sum += ls->partial[(size_t)m * BAND_PARTIALS + (size_t)s];
        volume[s] = sum * domain_cell_volume(&ls->d);
    }
}

/* The same for one of them. */
static double volume_near(volume_job *job, double moved)
{
    double volume[VOLUME_SHIFTS];
    job->shifts = 1;
    job->moved[0] = moved;
    volume_near_all(job, volume);
    return volume[0];
}

/* The same of cells that no surface is near to; false where one is. */
static bool volume_plain(const volume_job *job, const float *row, int n, double *sum)
{
    const float whole = job->whole;
    int full = 0;
    for (int i = 0; i < n; i += WIDE) {
        const wide value = wide_load(row + i);
        if (n - i < WIDE || wide_any((value < whole) & (value > -whole)))
            return false;
        full += __builtin_popcount(wide_bits(value < 0));
    }
    *sum += full;
    return true;
}

static void volume_far_rows(void *context, int begin, int end)
{
    const volume_job *job = context;
    const levelset *ls = job->ls;
    const int side = ls->side[0], n = ls->d.n[0];
    for (int m = begin; m < end; m++) {
        const int j = m % ls->d.n[1], k = m / ls->d.n[1];
        const int32_t *slot = ls->slot + ((k / ls->side[2]) * ls->blocks[1] + j / ls->side[1]) * ls->blocks[0];
        const float *row = field_row(job->phi, j, k), *open = job->open ? field_row(job->open, j, k) : NULL;
        double sum = 0;
        for (int i = 0; i < n; i += side) {
            const int cells = n - i < side ? n - i : side;
            if (slot[i / side] < 0 && (open || !volume_plain(job, row + i, cells, &sum)))
                sum += volume_of_cells(job, row + i, open ? open + i : NULL, cells, 0);
        }
        ls->rows[m] = sum;
    }
}

/* The volume in all other blocks. */
static double volume_far(volume_job *job)
{
    field_for_rows(job->phi, volume_far_rows, job);
    return threads_sum(job->ls->rows, field_rows(job->phi)) * domain_cell_volume(&job->ls->d);
}

double levelset_volume(levelset *ls, const field *phi, const field *open)
{
    volume_job job = volume_job_of(ls, phi, open);
    return volume_far(&job) + volume_near(&job, 0);
}

double band_volume(levelset *ls, const field *phi, const field *open)
{
    volume_job job = volume_job_of(ls, phi, open);
    return volume_near(&job, 0);
}

/* Moves the surface outward in the cells [first, end), counted along rows, rows and layers. */
typedef struct volume_shift {
    const levelset *ls;
    float moved;
    field *phi;
    int64_t first, end;
} volume_shift;

static void volume_shift_row(const volume_shift *job, float *row, int begin, int end)
{
    const float width = job->ls->width;
    for (int i = begin; i < end; i++) {
        const float low = row[i] - job->moved > -width ? row[i] - job->moved : -width;
        row[i] = fabsf(row[i]) >= width ? row[i] : low < width ? low : width;
    }
}

static void volume_shift_part(void *context, int begin, int end)
{
    const volume_shift *job = context;
    const levelset *ls = job->ls;
    const int *n = job->phi->size;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        for (int k = b.first[2]; k < b.first[2] + b.inside[2]; k++)
            for (int j = b.first[1]; j < b.first[1] + b.inside[1]; j++) {
                const int64_t row = ((int64_t)k * n[1] + j) * n[0], last = b.first[0] + b.inside[0];
                const int64_t from = job->first - row, to = job->end - row;
                volume_shift_row(job, field_row(job->phi, j, k), (int)(from > b.first[0] ? from : b.first[0]),
                                 (int)(to < last ? to : last));
            }
    }
}

/* Returns the volume of the listed blocks thereafter. */
static double volume_move(volume_job *job, const volume_shift *shift)
{
    band_for_blocks(job->ls, volume_shift_part, (void *)shift);
    levelset_fill_ghosts(job->ls, shift->phi);
    return volume_near(job, 0);
}

/* The distance by which the surface must move for the listed blocks to hold `wanted`, m; `volume` is what they hold.
   What is missing after the first shift is about the share of it that the surface has moved by, in cells; each look
   leaves the share of the one before it missing that it found to be. No look is taken where that would be close. */
static double volume_distance(volume_job *job, double wanted, double *volume)
{
    enum { STEPS = 6 };
    const double h = domain_min_h(&job->ls->d), probe = 0.05 * h;
    double found[VOLUME_SHIFTS], moved = 0, last = 0;
    job->shifts = VOLUME_SHIFTS;
    memcpy(job->moved, (double[VOLUME_SHIFTS]){0, probe}, sizeof job->moved);
    volume_near_all(job, found);
    *volume = found[0];
    const double area = (found[1] - found[0]) / probe;
    for (int step = 0; step < STEPS && area > 0 && fabs(found[0] - wanted) > VOLUME_CLOSE * wanted; step++) {
        const double missing = wanted - found[0];
        moved = fmax(fmin(moved + missing / area, h), -h);
        const double rest = step == 0 ? missing * moved / h : missing * missing / last;
        if (fabs(rest) < VOLUME_CLOSE * wanted)
            break;
        found[0] = volume_near(job, moved);
        last = missing;
    }
    return moved;
}

/* The surface moves in all cells but one until the volume is right. */
static void volume_shift_others(volume_job *job, double near, int64_t cell, field *phi)
{
    enum { STEPS = 4 };
    const double h = domain_min_h(&job->ls->d), probe = 0.05 * h;
    const double area = (volume_near(job, probe) - volume_near(job, -probe)) / (2 * probe);
    double volume = volume_near(job, 0);
    for (int step = 0; step < STEPS && area > 0 && fabs(volume - near) > VOLUME_ENOUGH * near; step++) {
        const float moved = (float)fmax(fmin((near - volume) / area, 0.1 * h), -0.1 * h);
        volume_move(job, &(volume_shift){job->ls, moved, phi, 0, cell});
        volume = volume_move(job, &(volume_shift){job->ls, moved, phi, cell + 1, INT64_MAX});
    }
}

/* A film on a wall goes on into the wall down to half a cell, then no longer: there the volume jumps, whatever the
   shift. `moved` leads across the jump; it is done in as many cells as are wanted, found by bisection. Where one cell's
   jump is too much, that cell stays and the others make up for it. */
static void volume_split(volume_job *job, double near, double moved, field *phi)
{
    const double before = volume_near(job, 0) - near;
    int64_t low = 0, high = (int64_t)phi->size[0] * phi->size[1] * phi->size[2], done = 0;
    for (double error = before; high - low > 1 && fabs(error) > VOLUME_JUMP * near;) {
        const int64_t middle = low + (high - low) / 2;
        const bool more = middle > done;
        const volume_shift shift = {job->ls, (float)(more ? moved : -moved), phi, more ? done : middle,
                                    more ? middle : done};
        error = volume_move(job, &shift) - near;
        done = middle;
        low = error * before > 0 ? middle : low;
        high = error * before > 0 ? high : middle;
    }
    if (high - low == 1)
        volume_shift_others(job, near, low, phi);
}

/* What lies beyond the sides follows the surface once it has moved, and beside walls the volume with it: it is looked
   at again, and corrected if need be. */
double levelset_shift(levelset *ls, double wanted, const field *open, field *phi)
{
    enum { ROUNDS = 3 };
    volume_job job = volume_job_of(ls, phi, open);
    const double near = wanted - volume_far(&job);
    double total = 0, volume = INFINITY, before = 0, moved = 0;
    for (int round = 0; round < ROUNDS && fabs(volume - near) > VOLUME_ENOUGH * wanted; round++) {
        moved = volume_distance(&job, near, &before);
        volume = before;
        if (moved != 0)
            volume = volume_move(&job, &(volume_shift){ls, (float)moved, phi, 0, INT64_MAX});
        total += moved;
    }
    /* a jump where the surface already is: it moves on, first by little, until it is past it */
    for (double far = 1e-4; far < 0.5 && fabs(volume - near) > VOLUME_JUMP * near; far *= 4) {
        if ((volume - near) * (before - near) < 0)
            break;
        before = volume;
        moved = copysign(far * domain_min_h(&ls->d), near - volume);
        volume = volume_move(&job, &(volume_shift){ls, (float)moved, phi, 0, INT64_MAX});
        total += moved;
    }
    if (fabs(volume - near) > VOLUME_JUMP * near && (volume - near) * (before - near) < 0)
        volume_split(&job, near, -moved, phi);
    return total;
}
