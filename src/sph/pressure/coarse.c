#include "sph/pressure/coarse.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/operate.h"
#include "sph/pressure/sums.h"

/* Share of a cell below which there is no liquid in it but drops. */
static const float DROPS = 0.1f;

/* The eight cells around a place: the first of them, and the part of the second ones along each axis. Beyond the last
   cell of a periodic axis comes a ghost of the first; beyond those at closed sides there is nothing. */
typedef struct coarse_spot {
    ptrdiff_t at;
    four part;
} coarse_spot;

typedef int32_t coarse_index __attribute__((vector_size(16)));

static inline coarse_spot coarse_spot_of(const sph_coarse *c, const particle_vector *place)
{
    const four none = {0};
    four along = (sums_load(place) - sums_load(&c->first)) * sums_load(&c->per_edge), most = sums_load(&c->most);
    along += (four)((coarse_index)sums_load(&c->period) & (along < none));
    along = (four)((coarse_index)along & (along > none));
    along = (four)(((coarse_index)along & (along < most)) | ((coarse_index)most & ~(along < most)));
    coarse_index low = __builtin_convertvector(along, coarse_index);
    return (coarse_spot){low[0] + low[1] * c->error.stride[1] + low[2] * c->error.stride[2],
                         along - __builtin_convertvector(low, four)};
}

/* Adds parts of a value to the two cells along x. */
static inline void coarse_scatter_pair(float *to, float part, float value)
{
    to[0] += value - part * value;
    to[1] += part * value;
}

static inline void coarse_scatter(const coarse_spot *to, float value, field *f)
{
    float *data = f->data + to->at, upper = to->part[1] * value, back = to->part[2];
    ptrdiff_t y = f->stride[1], z = f->stride[2];
    coarse_scatter_pair(data, to->part[0], (1 - back) * (value - upper));
    coarse_scatter_pair(data + y, to->part[0], (1 - back) * upper);
    if (z == 0)
        return;
    coarse_scatter_pair(data + z, to->part[0], back * (value - upper));
    coarse_scatter_pair(data + y + z, to->part[0], back * upper);
}

static inline float coarse_between(const float *from, float part)
{
    return from[0] + part * (from[1] - from[0]);
}

static inline float coarse_gather(const coarse_spot *from, const field *f)
{
    const float *data = f->data + from->at;
    ptrdiff_t y = f->stride[1], z = f->stride[2];
    float part = from->part[0], low = coarse_between(data, part), high = coarse_between(data + y, part),
          front = low + from->part[1] * (high - low);
    if (z == 0)
        return front;
    low = coarse_between(data + z, part);
    high = coarse_between(data + y + z, part);
    return front + from->part[2] * (low + from->part[1] * (high - low) - front);
}

/* What to do with the first sample and the ghost of it along a periodic axis. */
typedef void (*coarse_twin)(float *first, float *ghost);

static void coarse_fold(float *first, float *ghost)
{
    *first += *ghost;
}
static void coarse_spread(float *first, float *ghost)
{
    *ghost = *first;
}

static void coarse_round(const sph_coarse *c, field *f, coarse_twin twin)
{
    for (int a = 0; a < c->block.dims; a++) {
        int other = (a + 1) % c->block.dims, third = 3 - a - other;
        if (!c->block.periodic[a])
            continue;
        for (int j = 0; j <= c->block.n[other]; j++)
            for (int k = 0; k <= (c->block.dims == 3 ? c->block.n[third] : 0); k++) {
                float *first = f->data + j * f->stride[other] + k * f->stride[third];
                twin(first, first + c->block.n[a] * f->stride[a]);
            }
    }
}

/* Particles of a surface hold the pressure at zero: a smooth one ends there. They have neighbours on one side alone,
   and half as much density missing as at a flat one; crowded ones at a wall have only the first. */
static bool coarse_at_surface(const sph_model *m, const sph_state *s, int64_t n)
{
    const float *g = s->gradient[n];
    return s->density[n] < 1 && g[0] * g[0] + g[1] * g[1] + g[2] * g[2] > (float)m->surface;
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
        coarse_spot to = coarse_spot_of(c, &s->fluid.position[n]);
        coarse_scatter(&to, share, &c->filled);
        if (coarse_at_surface(m, s, n)) {
            coarse_scatter(&to, pin, &c->extra);
            pinned = true;
        }
    }
    coarse_round(c, &c->filled, coarse_fold);
    coarse_round(c, &c->extra, coarse_fold);
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

static void coarse_set_operator(const sph_model *m, sph_coarse *c, float yielding)
{
    poisson_operator op = {.extra = &c->extra, .extra_constant = (double)yielding};
    for (int a = 0; a < m->dims; a++) {
        op.coefficient[a] = pow(m->slope * m->spacing / c->block.h[a], 2);
        op.weight[a] = &c->weight[a];
        coarse_open(c, a);
    }
    op.weight[2] = &c->weight[2];
    poisson_set_operator(c->solver, &op);
}

/* Whether some of the domain's sides are dry: there is air, whatever particles look like. */
static bool coarse_has_air(const sph_model *m, const sph_walls *w)
{
    for (int64_t b = 0; b < w->count; b++)
        if (w->wet[b] == 0 && w->body[b] == m->body_count - 1 && w->normal[b][3] < (float)m->spacing)
            return true;
    return false;
}

bool sph_coarse_begin(const sph_model *m, sph_state *s)
{
    bool surface = coarse_fill(m, s) || (s->walls.press && coarse_has_air(m, &s->walls));
    coarse_decide(s->coarse);
    s->yielding = surface ? SPH_REGULAR : SPH_REGULAR_FULL;
    coarse_set_operator(m, s->coarse, s->yielding);
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
            coarse_spot to = coarse_spot_of(c, &s->fluid.position[n]);
            coarse_scatter(&to, share * s->numbers[SPH_RESIDUAL][n], &c->right);
        }
    for (int64_t i = 0; i < w->reached_count; i++) {
        int32_t b = w->reached[i];
        coarse_spot to = coarse_spot_of(c, &(particle_vector){w->x[b], w->y[b], w->z[b]});
        if (coarse_counts_wall(job, b))
            coarse_scatter(&to, share * w->residual[b], &c->right);
    }
    coarse_round(c, &c->right, coarse_fold);
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
            coarse_spot from = coarse_spot_of(s->coarse, &s->fluid.position[n]);
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
        coarse_spot from = coarse_spot_of(s->coarse, &(particle_vector){w->x[b], w->y[b], w->z[b]});
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
    coarse_round(c, &c->error, coarse_spread);
    threads_for(sph_blocks(s->fluid.count), coarse_prolong, &job);
    threads_for(sph_blocks(s->walls.reached_count), coarse_prolong_walls, &job);
}
