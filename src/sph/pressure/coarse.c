#include "sph/pressure/coarse.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"

/* Share of a cell below which there is no liquid in it but drops. */
static const float DROPS = 0.1f;

/* The eight cells around a place, and the part of each in it. */
typedef struct coarse_corners {
    ptrdiff_t at[8];
    float part[8];
} coarse_corners;

/* Cells beyond a closed side are those at it. */
static int coarse_inside(const domain *block, int axis, int i)
{
    int n = block->n[axis];
    if (block->periodic[axis])
        return (i % n + n) % n;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static coarse_corners coarse_corners_of(const sph_coarse *c, const float place[3])
{
    const domain *block = &c->block;
    coarse_corners corners;
    ptrdiff_t offset[3][2] = {{0}};
    float part[3][2] = {{1, 0}, {1, 0}, {1, 0}};
    for (int a = 0; a < block->dims; a++) {
        float along = (place[a] - (float)block->origin[a]) * (float)(1 / block->h[a]) - 0.5f, low = floorf(along);
        part[a][1] = along - low;
        part[a][0] = 1 - part[a][1];
        for (int side = 0; side < 2; side++)
            offset[a][side] = coarse_inside(block, a, (int)low + side) * c->error.stride[a];
    }
    for (int corner = 0; corner < 8; corner++) {
        int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        corners.at[corner] = offset[0][x] + offset[1][y] + offset[2][z];
        corners.part[corner] = part[0][x] * part[1][y] * part[2][z];
    }
    return corners;
}

static void coarse_scatter(const coarse_corners *to, float value, field *f)
{
    for (int corner = 0; corner < 8; corner++)
        f->data[to->at[corner]] += to->part[corner] * value;
}

/* The residual that pressure can correct: the change of pressure in a sweep, without momentum, over the relaxation. */
static float coarse_left(float now, float next, float relax) { return relax > 0 ? (next - now) / relax : 0; }

/* Restricts the residuals of particles [begin, end), those of one cell of the sort, from their mean position. Returns
   the sum of their absolute values. */
static double coarse_gather(sph_coarse *c, const sph_state *s, const sph_solve *solve, int64_t begin, int64_t end,
                            float pin)
{
    float place[3] = {0}, left = 0, size = 0, surface = 0, each = 1 / (float)(end - begin), share = 1 / (float)c->full;
    const float *now = s->numbers[SPH_UNKNOWN], *last = s->numbers[SPH_LAST_UNKNOWN];
    for (int64_t n = begin; n < end; n++) {
        const float *g = s->gradient[n];
        for (int a = 0; a < 3; a++)
            place[a] += each * s->fluid.position[n][a];
        float own = coarse_left(now[n], last[n], sph_solve_relax(solve, s, n));
        left += own;
        size += fabsf(own);
        surface += g[0] * g[0] + g[1] * g[1] + g[2] * g[2] > (float)c->surface;
    }
    coarse_corners to = coarse_corners_of(c, place);
    coarse_scatter(&to, share * (float)(end - begin), &c->filled);
    coarse_scatter(&to, share * left, &c->right);
    coarse_scatter(&to, share * surface * pin, &c->extra);
    return size;
}

/* A wall particle stands for as much liquid as it keeps away. */
static double coarse_gather_walls(const sph_model *m, sph_coarse *c, const sph_walls *w, float relax)
{
    double size = 0;
    for (int64_t i = 0; i < w->reached_count; i++) {
        int32_t b = w->reached[i];
        float left = w->volume[b] / (float)m->weight * coarse_left(w->unknown[b], w->next_unknown[b], relax);
        coarse_corners to = coarse_corners_of(c, (float[3]){w->x[b], w->y[b], w->z[b]});
        coarse_scatter(&to, left / (float)c->full, &c->right);
        size += fabsf(left);
    }
    return size;
}

/* Filled share and residual of each cell. Returns the sum of the absolute residuals of particles and walls. */
static double coarse_restrict(const sph_model *m, sph_coarse *c, const sph_state *s, const sph_solve *solve)
{
    float pin = (float)(2 * m->slope * m->slope / pow(c->full, 1.0 / m->dims));
    double size = 0;
    field_fill(&c->filled, 0);
    field_fill(&c->right, 0);
    field_fill(&c->extra, 0);
    for (int64_t n = 0; n < s->fluid.count; n = s->cells.start[s->cells.of[n] + 1])
        size += coarse_gather(c, s, solve, n, s->cells.start[s->cells.of[n] + 1], pin);
    return s->walls.press ? size + coarse_gather_walls(m, c, &s->walls, solve->wall_relax) : size;
}

/* Sum of the absolute residuals of cells: the smooth part, what does not cancel within a cell. */
static double coarse_smooth(const sph_coarse *c)
{
    double sum = 0;
    for (int row = 0; row < field_rows(&c->right); row++) {
        const float *right = field_row(&c->right, row % c->block.n[1], row / c->block.n[1]);
        for (int i = 0; i < c->block.n[0]; i++)
            sum += c->full * fabsf(right[i]);
    }
    return sum;
}

/* `filled` becomes 1 where there is liquid and 0 elsewhere, where there is no equation. */
static void coarse_decide(sph_coarse *c)
{
    for (int row = 0; row < field_rows(&c->filled); row++) {
        ptrdiff_t at = field_offset(&c->filled, 0, row % c->block.n[1], row / c->block.n[1]);
        for (int i = 0; i < c->block.n[0]; i++) {
            bool liquid = c->filled.data[at + i] > DROPS;
            c->filled.data[at + i] = liquid;
            c->right.data[at + i] = liquid ? c->right.data[at + i] : 0;
            c->extra.data[at + i] = liquid ? c->extra.data[at + i] : 0;
        }
    }
}

/* Faces between cells with liquid are open; the first ones along a periodic axis are the last ones, too. */
static void coarse_open(sph_coarse *c, int axis)
{
    field *weight = &c->weight[axis];
    field_fill(weight, 0);
    for (int k = 0; k < weight->size[2]; k++)
        for (int j = 0; j < weight->size[1]; j++)
            for (int i = 0; i < weight->size[0]; i++) {
                int at[3] = {i, j, k}, n = c->block.n[axis];
                if (!c->block.periodic[axis] && (at[axis] == 0 || at[axis] == n))
                    continue;
                at[axis] %= n;
                int below[3] = {at[0], at[1], at[2]};
                below[axis] = (at[axis] + n - 1) % n;
                weight->data[field_offset(weight, i, j, k)] =
                    c->filled.data[field_offset(&c->filled, at[0], at[1], at[2])] *
                    c->filled.data[field_offset(&c->filled, below[0], below[1], below[2])];
            }
}

static void coarse_set_operator(const sph_model *m, sph_coarse *c)
{
    poisson_operator op = {.extra = &c->extra};
    for (int a = 0; a < m->dims; a++) {
        op.coefficient[a] = pow(m->slope * m->spacing / c->block.h[a], 2);
        op.weight[a] = &c->weight[a];
        coarse_open(c, a);
    }
    op.weight[2] = &c->weight[2];
    poisson_set_operator(c->solver, &op);
}

/* Interpolated from the cells with liquid alone. */
static float coarse_error_at(const sph_coarse *c, const float place[3])
{
    coarse_corners from = coarse_corners_of(c, place);
    float sum = 0, parts = 0;
    for (int corner = 0; corner < 8; corner++) {
        sum += from.part[corner] * c->error.data[from.at[corner]];
        parts += from.part[corner] * c->filled.data[from.at[corner]];
    }
    return parts > 0 ? sum / parts : 0;
}

static void coarse_add(void *context, int begin, int end)
{
    sph_state *s = context;
    float *last = s->numbers[SPH_LAST_UNKNOWN], *next = s->numbers[SPH_NEXT_UNKNOWN];
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        last[n] = next[n] = fmaxf(0, next[n] + coarse_error_at(s->coarse, s->fluid.position[n]));
}

static void coarse_add_walls(void *context, int begin, int end)
{
    sph_state *s = context;
    sph_walls *w = &s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int32_t b = w->reached[i];
        w->next_unknown[b] =
            fmaxf(0, w->next_unknown[b] + coarse_error_at(s->coarse, (float[3]){w->x[b], w->y[b], w->z[b]}));
        sph_brace_offer(w, b, w->next_unknown[b]);
    }
}

/* Smooth share of the residual from which on a correction pays. In a breaking dam it is 0.1 to 0.5, where corrections
   cost more than they save. */
static const double SMOOTH = 0.6;

/* The coarse operator is rough near walls and surfaces, where sweeps correct it: more digits are of no use. */
static const solve_limits LIMITS = {.tolerance = 0.1, .max_iterations = 10};

bool sph_coarse_correct(const sph_model *m, sph_state *s, const sph_solve *solve)
{
    sph_coarse *c = s->coarse;
    double total = coarse_restrict(m, c, s, solve);
    coarse_decide(c);
    if (coarse_smooth(c) < SMOOTH * total)
        return false;
    coarse_set_operator(m, c);
    field_fill(&c->error, 0);
    poisson_solve(c->solver, &c->right, &c->error, &LIMITS);
    threads_for(sph_blocks(s->fluid.count), coarse_add, s);
    threads_for(sph_blocks(s->walls.reached_count), coarse_add_walls, s);
    return true;
}
