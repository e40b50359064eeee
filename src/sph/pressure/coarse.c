#include "sph/pressure/coarse.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/operate.h"

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

static float coarse_gather(const coarse_corners *from, const field *f)
{
    float sum = 0;
    for (int corner = 0; corner < 8; corner++)
        sum += from->part[corner] * f->data[from->at[corner]];
    return sum;
}

/* Particles of a surface hold the pressure at zero: a smooth one ends there. */
static bool coarse_at_surface(const sph_model *m, const sph_state *s, int64_t n)
{
    const float *g = s->gradient[n];
    return g[0] * g[0] + g[1] * g[1] + g[2] * g[2] > (float)m->surface;
}

/* The share of each cell that is filled, and what pins it. Returns whether any is pinned. */
static bool coarse_fill(const sph_model *m, sph_state *s)
{
    bool pinned = false;
    sph_coarse *c = s->coarse;
    float share = 1 / (float)c->full, pin = share * (float)(2 * m->slope * m->slope / pow(c->full, 1.0 / m->dims));
    field_fill(&c->filled, 0);
    field_fill(&c->extra, 0);
    for (int64_t n = 0; n < s->fluid.count; n++) {
        coarse_corners to = coarse_corners_of(c, s->fluid.position[n]);
        coarse_scatter(&to, share, &c->filled);
        if (coarse_at_surface(m, s, n)) {
            coarse_scatter(&to, pin, &c->extra);
            pinned = true;
        }
    }
    return pinned;
}

/* `filled` becomes 1 where there is liquid and 0 elsewhere, where there is no equation. */
static void coarse_decide(sph_coarse *c)
{
    for (int row = 0; row < field_rows(&c->filled); row++) {
        ptrdiff_t at = field_offset(&c->filled, 0, row % c->block.n[1], row / c->block.n[1]);
        for (int i = 0; i < c->block.n[0]; i++) {
            bool liquid = c->filled.data[at + i] > DROPS;
            c->filled.data[at + i] = liquid;
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
    poisson_operator op = {.extra = &c->extra, .extra_constant = (double)SPH_REGULAR};
    for (int a = 0; a < m->dims; a++) {
        op.coefficient[a] = pow(m->slope * m->spacing / c->block.h[a], 2);
        op.weight[a] = &c->weight[a];
        coarse_open(c, a);
    }
    op.weight[2] = &c->weight[2];
    poisson_set_operator(c->solver, &op);
}

bool sph_coarse_begin(const sph_model *m, sph_state *s)
{
    bool surface = coarse_fill(m, s);
    coarse_decide(s->coarse);
    coarse_set_operator(m, s->coarse);
    return surface;
}

typedef struct coarse_job {
    const sph_model *m;
    sph_state *s;
    bool cold;
} coarse_job;

static bool coarse_counts(const coarse_job *job, int64_t n)
{
    return (job->cold || job->s->numbers[SPH_UNKNOWN][n] > 0) && !coarse_at_surface(job->m, job->s, n);
}

static bool coarse_counts_wall(const coarse_job *job, int32_t b)
{
    return (job->cold || job->s->walls.unknown[b] > 0) && job->s->walls.give[b] > 0;
}

static void coarse_restrict(const coarse_job *job)
{
    sph_state *s = job->s;
    sph_coarse *c = s->coarse;
    const sph_walls *w = &s->walls;
    float share = 1 / (float)c->full;
    field_fill(&c->right, 0);
    for (int64_t n = 0; n < s->fluid.count; n++)
        if (coarse_counts(job, n)) {
            coarse_corners to = coarse_corners_of(c, s->fluid.position[n]);
            coarse_scatter(&to, share * s->numbers[SPH_RESIDUAL][n], &c->right);
        }
    for (int64_t i = 0; i < w->reached_count; i++) {
        int32_t b = w->reached[i];
        coarse_corners to = coarse_corners_of(c, (float[3]){w->x[b], w->y[b], w->z[b]});
        if (coarse_counts_wall(job, b))
            coarse_scatter(&to, share * w->residual[b], &c->right);
    }
    for (int row = 0; row < field_rows(&c->right); row++) {
        ptrdiff_t at = field_offset(&c->right, 0, row % c->block.n[1], row / c->block.n[1]);
        for (int i = 0; i < c->block.n[0]; i++)
            c->right.data[at + i] *= c->filled.data[at + i];
    }
}

static void coarse_prolong(void *context, int begin, int end)
{
    const coarse_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        float value = 0;
        if (coarse_counts(job, n)) {
            coarse_corners from = coarse_corners_of(s->coarse, s->fluid.position[n]);
            value = coarse_gather(&from, &s->coarse->error);
        }
        s->numbers[SPH_CORRECTION][n] = value;
    }
}

static void coarse_prolong_walls(void *context, int begin, int end)
{
    sph_state *s = ((const coarse_job *)context)->s;
    sph_walls *w = &s->walls;
    for (int64_t i = (int64_t)begin * SPH_BLOCK; i < sph_block_end(w->reached_count, end); i++) {
        int32_t b = w->reached[i];
        coarse_corners from = coarse_corners_of(s->coarse, (float[3]){w->x[b], w->y[b], w->z[b]});
        w->correction[b] = coarse_counts_wall(context, b) ? coarse_gather(&from, &s->coarse->error) : 0;
    }
}

/* The operator is rough near walls and surfaces: more digits are of no use. */
static const solve_limits LIMITS = {.tolerance = 0.1, .max_iterations = 10};

void sph_coarse_correct(const sph_model *m, sph_state *s, bool cold)
{
    sph_coarse *c = s->coarse;
    coarse_job job = {m, s, cold};
    coarse_restrict(&job);
    field_fill(&c->error, 0);
    poisson_solve(c->solver, &c->right, &c->error, &LIMITS);
    threads_for(sph_blocks(s->fluid.count), coarse_prolong, &job);
    threads_for(sph_blocks(s->walls.reached_count), coarse_prolong_walls, &job);
}
