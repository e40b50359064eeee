/* Patches of φ, and what lies beyond the sides of the box: values wrap around, or continue linearly. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "grid/halo.h"
#include "surface/levelset/band.h"

/* A line of cells along a side: the cell looked at, how many there are before and behind it, and the way from one to
   the next. */
typedef struct band_line {
    int before, behind;
    ptrdiff_t step;
} band_line;

/* Whether the surface lies along a line of cells, no further than three cells from the first: where φ falls towards it.
   Where φ rises first, what comes then is the surface of something else. */
static bool band_falls(const float *first, int cells, ptrdiff_t step)
{
    enum { NEAR = 3 };
    for (int i = 1; i <= NEAR && i <= cells; i++) {
        const float last = first[(i - 1) * step], next = first[i * step];
        if ((next < 0) != (last < 0))
            return true;
        if (fabsf(next) > fabsf(last))
            return false;
    }
    return false;
}

/* Whether the surface meets a wall near a cell there, by its lines along the wall and the way `in`. */
static bool band_meets(const float *edge, ptrdiff_t in, const band_line along[2])
{
    bool meets = (edge[in] < 0) != (edge[0] < 0);
    for (int a = 0; a < 2 && !meets; a++)
        meets = band_falls(edge, along[a].before, -along[a].step) || band_falls(edge, along[a].behind, along[a].step);
    return meets;
}

/* A value beyond a side. Where the surface does not meet the side there is none beyond it either: the value has the
   sign of the last one inside, and as a distance does not fall. Without this a distance that falls towards a side would
   grow a surface there out of nothing. */
static float band_beyond(float edge, float beyond, bool meets, bool distance)
{
    if (meets)
        return beyond;
    if (distance && fabsf(beyond) < fabsf(edge))
        return edge;
    return (beyond < 0) == (edge < 0) ? beyond : 1e-3f * edge;
}

/* Whether a line that goes on linearly to `last` needs no correction there, wherever the surface meets the side. */
static bool band_goes_on(float edge, float last, bool distance)
{
    return (last < 0) == (edge < 0) && !(distance && fabsf(last) < fabsf(edge));
}

/* How a line goes on beyond its last value. */
typedef struct band_end {
    float most; /* the steepest slope allowed, per cell */
    float h;    /* m */
    bool distance, open;
    ptrdiff_t in;       /* to the value before the last one; 0: there is none */
    band_line along[2]; /* lines along the side through the last value */
} band_end;

/* Continues a line beyond its last value `edge` with the slope there. Most lines need not know more than that. */
static void band_continue(float *edge, ptrdiff_t step, int count, const band_end *end)
{
    const float change = end->most > 0 ? fmaxf(fminf(edge[0] - edge[-step], end->most), -end->most) : 0;
    const bool meets = band_goes_on(edge[0], edge[0] + (float)count * change, end->distance) ||
                       band_meets(edge, end->in, end->along);
    for (int i = 1; i <= count; i++)
        edge[i * step] = band_beyond(edge[0], edge[0] + (float)i * change, meets, end->distance);
}

/* Beyond an open side there is air, no nearer to the liquid than the side is. Liquid that has come to the side has its
   surface there: when it draws back, air follows. */
static void band_continue_open(float *edge, ptrdiff_t step, int count, const band_end *end)
{
    edge[0] = fmaxf(edge[0], -0.5f * end->h);
    const float change = end->most > 0 ? fmaxf(fminf(edge[0] - edge[-step], end->h), -end->h) : 0;
    for (int i = 1; i <= count; i++)
        edge[i * step] = fmaxf(edge[0] + (float)i * change, ((float)i - 0.5f) * end->h);
}

/* The same for eight lines that lie beside one another along x, if all of them go on. Returns whether they did. */
static bool band_continue_eight(float *edge, ptrdiff_t step, int count, const band_end *end)
{
    const wide last_inside = wide_load(edge), most = wide_all(end->most);
    const wide slope = wide_max(wide_min(last_inside - wide_load(edge - step), most), -most);
    const wide change = end->most > 0 ? slope : wide_all(0), last = last_inside + (float)count * change;
    wide_mask good = ~((last < 0) ^ (last_inside < 0));
    if (end->distance)
        good &= wide_max(last, -last) >= wide_max(last_inside, -last_inside);
    if (!wide_every(good))
        return false;
    for (int i = 1; i <= count; i++)
        wide_store(edge + i * step, last_inside + (float)i * change);
    return true;
}

/* Lines of the patch along an axis that begin at `first` and lie beside one another along `other`. */
typedef struct band_lines {
    float *first;
    int other, third, k; /* k: their number along `third` */
    int box[3][2];       /* the patch's first cells in the box, and those behind the last */
} band_lines;

/* A line along an axis of the patch through its cell number `at`, as far as it lies in the box. */
static band_line band_line_of(const levelset *ls, const band_lines *lines, int axis, int at)
{
    return (band_line){at - lines->box[axis][0], lines->box[axis][1] - 1 - at, ls->stride[axis]};
}

static void band_continue_lines(const levelset *ls, const band_lines *lines, ptrdiff_t step, int count, band_end *end)
{
    const int size = ls->size[lines->other];
    int done = 0; /* lines of those that were found to go on */
    end->along[1] = band_line_of(ls, lines, lines->third, lines->k);
    for (int j = 0; j < size; j++) {
        float *edge = lines->first + j * ls->stride[lines->other];
        if (end->open) {
            band_continue_open(edge, step, count, end);
            continue;
        }
        if (lines->other == 0 && j % WIDE == 0 && band_continue_eight(edge, step, count, end))
            done = j + WIDE;
        end->along[0] = band_line_of(ls, lines, lines->other, j);
        if (j >= done)
            band_continue(edge, step, count, end);
    }
}

/* Fills what lies beyond the sides of an axis, over all of the patch's other two axes. */
static void band_extrapolate(const levelset *ls, const band_block *b, int axis, bool distance, float *patch)
{
    const int n = ls->d.n[axis], start = b->first[axis] - PATCH_MARGIN;
    const int below = start < 0 ? -start : 0, above = n - start; /* the patch's first and last + 1 in the box */
    const ptrdiff_t step = ls->stride[axis];
    band_lines lines = {.other = axis == 0 ? 1 : 0, .third = axis == 2 ? 1 : 2};
    band_end end = {.most = n == 1 ? 0 : distance ? (float)ls->d.h[axis] : INFINITY,
                    .h = (float)ls->d.h[axis],
                    .distance = distance};
    for (int a = 0; a < 3; a++) {
        const int from = b->first[a] - (a < ls->d.dims ? PATCH_MARGIN : 0);
        const bool wraps = ls->d.periodic[a];
        lines.box[a][0] = from < 0 && !wraps ? -from : 0;
        lines.box[a][1] = ls->d.n[a] - from < ls->size[a] && !wraps ? ls->d.n[a] - from : ls->size[a];
    }
    for (lines.k = 0; lines.k < ls->size[lines.third]; lines.k++)
        for (int high = 0; high < 2; high++) {
            const int count = high ? ls->size[axis] - above : below;
            const ptrdiff_t out = high ? step : -step;
            lines.first = patch + (high ? above - 1 : below) * step + lines.k * ls->stride[lines.third];
            end.open = ls->open[2 * axis + high];
            end.in = n == 1 ? 0 : -out;
            if (count > 0)
                band_continue_lines(ls, &lines, out, count, &end);
        }
}

bool band_at_sides(const levelset *ls, const band_block *b)
{
    bool side = false;
    for (int a = 0; a < ls->d.dims; a++)
        side = side || b->first[a] < PATCH_MARGIN || b->first[a] + ls->side[a] + PATCH_MARGIN > ls->d.n[a];
    return side;
}

/* Whole vectors: what they hold besides the patch lies in the ghosts of φ. */
static void band_gather_inside(const levelset *ls, const field *phi, const band_block *b, float *patch)
{
    const int zs = ls->d.dims == 3 ? PATCH_MARGIN : 0;
    for (int k = 0; k < ls->size[2]; k++)
        for (int j = 0; j < ls->size[1]; j++) {
            const float *from = field_row(phi, b->first[1] + j - PATCH_MARGIN, b->first[2] + k - zs) + b->first[0];
            float *to = patch + j * ls->stride[1] + k * ls->stride[2];
            for (int i = 0; i < ls->size[0]; i += WIDE)
                wide_store(to + i, wide_load(from + i - PATCH_MARGIN));
        }
}

/* The part of a row of the patch that lies in the box, and what wraps around. */
static void band_gather_row(const levelset *ls, const float *row, const band_block *b, float *to)
{
    const int start = b->first[0] - PATCH_MARGIN, n = ls->d.n[0];
    const int low = start < 0 ? -start : 0, high = n - start < ls->size[0] ? n - start : ls->size[0];
    memset(to, 0, (size_t)ls->stride[1] * sizeof *to);
    memcpy(to + low, row + start + low, (size_t)(high - low) * sizeof *to);
    for (int i = 0; i < ls->size[0] && ls->d.periodic[0]; i++)
        if (i < low || i >= high)
            to[i] = row[band_cell(&ls->d, 0, start + i)];
}

static void band_gather_side(const levelset *ls, const field *phi, const band_block *b, bool distance, float *patch)
{
    const int zs = ls->d.dims == 3 ? PATCH_MARGIN : 0;
    for (int k = 0; k < ls->size[2]; k++)
        for (int j = 0; j < ls->size[1]; j++) {
            const int y = band_cell(&ls->d, 1, b->first[1] + j - PATCH_MARGIN),
                      z = band_cell(&ls->d, 2, b->first[2] + k - zs);
            float *to = patch + j * ls->stride[1] + k * ls->stride[2];
            if (y >= 0 && z >= 0)
                band_gather_row(ls, field_row(phi, y, z), b, to);
            else
                memset(to, 0, (size_t)ls->stride[1] * sizeof *to); /* it is read before it is filled */
        }
    for (int a = 0; a < ls->d.dims; a++)
        if (!ls->d.periodic[a])
            band_extrapolate(ls, b, a, distance, patch);
}

void band_gather(const levelset *ls, const field *phi, const band_block *b, bool distance, float patch[PATCH_MOST])
{
    if (band_at_sides(ls, b))
        band_gather_side(ls, phi, b, distance, patch);
    else
        band_gather_inside(ls, phi, b, patch);
}

/* The rows of a block and those up to two cells beside it along y or z, which is all that a stencil along the axes
   reads. */
static bool band_is_beside(const levelset *ls, int j, int k)
{
    return j < 0 || j >= ls->side[1] || k < 0 || k >= ls->side[2];
}

static bool band_crosses(const levelset *ls, const band_block *b, int j, int k)
{
    const bool beside_y = j < 0 || j >= ls->side[1], beside_z = k < 0 || k >= ls->side[2];
    return !(beside_y && beside_z) && b->first[1] + j < ls->d.n[1] + GHOST && b->first[2] + k < ls->d.n[2] + GHOST;
}

/* One such row of a block at the sides. */
static void band_gather_cross_row(const levelset *ls, const field *phi, const band_block *b, int j, int k, float *to)
{
    const int around = band_is_beside(ls, j, k) ? 0 : GHOST;
    const int y = ls->d.periodic[1] ? band_cell(&ls->d, 1, b->first[1] + j) : b->first[1] + j;
    const int z = ls->d.periodic[2] ? band_cell(&ls->d, 2, b->first[2] + k) : b->first[2] + k;
    const int left = ls->d.n[0] + around - b->first[0], end = ls->side[0] + around < left ? ls->side[0] + around : left;
    const float *row = field_row(phi, y, z);
    memcpy(to - around, row + b->first[0] - around, (size_t)(end + around) * sizeof *to);
    for (int i = -around; i < end && ls->d.periodic[0]; i++)
        to[i] = row[band_cell(&ls->d, 0, b->first[0] + i)];
}

/* A row with so many cells more at each end, as whole vectors, the last of which may overlap. Another thread may be at
   work on blocks at the corners: rows beside a block are copied without them. */
static void band_copy_row(const float *from, int cells, int around, float *to)
{
    for (int i = -around; i + WIDE < cells + around; i += WIDE)
        wide_store(to + i, wide_load(from + i));
    wide_store(to + cells + around - WIDE, wide_load(from + cells + around - WIDE));
}

void band_gather_cross(const levelset *ls, const field *phi, const band_block *b, float patch[PATCH_MOST])
{
    const int around = ls->d.dims == 3 ? GHOST : 0;
    const bool sides = band_at_sides(ls, b);
    if (b->inside[0] < ls->side[0] || b->inside[1] < ls->side[1] || b->inside[2] < ls->side[2])
        memset(patch, 0, PATCH_MOST * sizeof *patch); /* cells beyond the box take part, though nothing comes of it */
    for (int k = -around; k < ls->side[2] + around; k++)
        for (int j = -GHOST; j < ls->side[1] + GHOST; j++) {
            float *to = patch + band_patch_row(ls, j, k);
            if (!band_crosses(ls, b, j, k))
                continue;
            if (sides)
                band_gather_cross_row(ls, phi, b, j, k, to);
            else
                band_copy_row(field_row(phi, b->first[1] + j, b->first[2] + k) + b->first[0], ls->side[0],
                              band_is_beside(ls, j, k) ? 0 : GHOST, to);
        }
}

/* Lines across a side through the cells of a block. */
static void band_hold_side(const levelset *ls, const band_block *block, int side, field *phi)
{
    const int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, n = ls->d.n[axis];
    const ptrdiff_t out = side % 2 ? phi->stride[axis] : -phi->stride[axis];
    const float steepest = n == 1 ? 0 : (float)ls->d.h[axis];
    for (int k = block->first[c]; k < block->first[c] + block->inside[c]; k++)
        for (int j = block->first[b]; j < block->first[b] + block->inside[b]; j++) {
            float *edge =
                phi->data + (side % 2 ? (n - 1) * phi->stride[axis] : 0) + j * phi->stride[b] + k * phi->stride[c];
            const band_line along[2] = {{j, phi->size[b] - 1 - j, phi->stride[b]},
                                        {k, phi->size[c] - 1 - k, phi->stride[c]}};
            const float slope = fmaxf(fminf(edge[0] - edge[n == 1 ? 0 : -out], steepest), -steepest);
            const bool comes = !band_goes_on(*edge, *edge + GHOST * slope, true) && !ls->open[side] &&
                               band_meets(edge, n == 1 ? 0 : -out, along);
            for (int g = 1; g <= GHOST; g++)
                edge[g * out] = comes ? *edge + (float)g * slope : copysignf(ls->width, *edge);
        }
}

void band_hold_sides(const levelset *ls, const band_block *b, field *phi)
{
    for (int side = 0; side < 2 * ls->d.dims; side++) {
        const int axis = side / 2;
        const bool there = side % 2 ? b->first[axis] + b->inside[axis] == ls->d.n[axis] : b->first[axis] == 0;
        if (there && !ls->d.periodic[axis])
            band_hold_side(ls, b, side, phi);
    }
}

typedef struct band_fill {
    const levelset *ls;
    int side;
    field *phi;
} band_fill;

/* Whether eight lines beside one another along x, which have been continued linearly, may stay so. */
static bool band_eight_go_on(const float *edge, ptrdiff_t out)
{
    const wide_mask own = wide_load(edge) < 0;
    return !wide_any((own ^ (wide_load(edge + out) < 0)) | (own ^ (wide_load(edge + GHOST * out) < 0)));
}

/* The ghosts of a line across a side that has been continued linearly; its last cell inside is number j of line k. */
static void band_fill_line(const band_fill *job, int j, int k, float *edge)
{
    const field *phi = job->phi;
    const int axis = job->side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, n = job->ls->d.n[axis];
    const ptrdiff_t out = job->side % 2 ? phi->stride[axis] : -phi->stride[axis];
    if (job->ls->open[job->side]) {
        band_continue_open(edge, out, GHOST,
                           &(band_end){.most = n == 1 ? 0 : INFINITY, .h = (float)job->ls->d.h[axis]});
        return;
    }
    if (band_goes_on(*edge, edge[out], false) && band_goes_on(*edge, edge[GHOST * out], false))
        return;
    const band_line along[2] = {{j, phi->size[b] - 1 - j, phi->stride[b]}, {k, phi->size[c] - 1 - k, phi->stride[c]}};
    const bool meets = band_meets(edge, n == 1 ? 0 : -out, along);
    for (int g = 1; g <= GHOST; g++)
        edge[g * out] = band_beyond(*edge, edge[g * out], meets, false);
}

/* Lines of the ghosts beyond a side, across its first other axis. */
static void band_fill_part(void *context, int begin, int end)
{
    const band_fill *job = context;
    const field *phi = job->phi;
    const int axis = job->side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    const int rim = c < job->ls->d.dims ? GHOST : 0, last = phi->size[b] + GHOST;
    const ptrdiff_t out = job->side % 2 ? phi->stride[axis] : -phi->stride[axis];
    for (int k = begin - rim; k < end - rim; k++) {
        float *first = phi->data + k * phi->stride[c];
        first += job->side % 2 ? (job->ls->d.n[axis] - 1) * phi->stride[axis] : 0;
        for (int j = -GHOST; j < last; j++) {
            float *edge = first + j * phi->stride[b];
            if (b == 0 && j + WIDE <= last && !job->ls->open[job->side] && band_eight_go_on(edge, out))
                j += WIDE - 1;
            else
                band_fill_line(job, j, k, edge);
        }
    }
}

void levelset_fill_ghosts(const levelset *ls, field *phi)
{
    halo_fill_linear(phi, &ls->d);
    for (int side = 0; side < 2 * ls->d.dims; side++) {
        const int axis = side / 2, c = axis == 2 ? 1 : 2, rim = c < ls->d.dims ? GHOST : 0;
        if (!ls->d.periodic[axis])
            threads_for_cost(phi->size[c] + 2 * rim, phi->size[axis == 0 ? 1 : 0], band_fill_part,
                             &(band_fill){ls, side, phi});
    }
}
