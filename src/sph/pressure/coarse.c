#include "sph/pressure/coarse.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/coarse_hats.h"
#include "sph/pressure/operate.h"
#include "sph/pressure/sums.h"

/* Share of a cell below which there is no liquid in it but drops. */
static const float DROPS = 0.1f;

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

/* What particles share out to the cells around. */
typedef enum coarse_kind { COARSE_VOLUME, COARSE_PIN, COARSE_RESIDUAL } coarse_kind;

typedef struct coarse_job {
    const sph_model *m;
    sph_state *s;
    bool cold;
    coarse_kind kind;
    float share; /* of 1 */
} coarse_job;

/* Particles of a surface hold the pressure at zero: a smooth one ends there. They have neighbours on one side alone,
   and half as much density missing as at a flat one; crowded ones at a wall have only the first. */
static bool coarse_at_surface(const sph_model *m, const sph_state *s, int64_t n)
{
    const float *g = s->gradient[n];
    return s->density[n] < 1 && g[0] * g[0] + g[1] * g[1] + g[2] * g[2] > (float)m->surface;
}

static void coarse_find_surface(void *context, int begin, int end)
{
    const coarse_job *job = context;
    sph_state *s = job->s;
    int64_t last = sph_block_end(s->fluid.count, end);
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < last; n += WIDE) {
        unsigned bits = 0;
        for (int l = 0; l < WIDE && n + l < last; l++)
            bits |= (unsigned)!coarse_at_surface(job->m, s, n + l) << l;
        s->coarse->inside[n / WIDE] = (uint8_t)bits;
    }
}

/* Eight particles from n on, of which `left` are there. */
static inline coarse_spots coarse_spots_at(const sph_coarse *c, const particle_vector *position, int64_t left)
{
    _Alignas(32) particle_vector some[WIDE] = {0};
    if (left < WIDE) {
        memcpy(some, position, (size_t)left * sizeof *some);
        position = some;
    }
    wide both[4];
    for (int l = 0; l < 4; l++)
        both[l] = __builtin_shufflevector(sums_load(&position[l]), sums_load(&position[l + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
    return coarse_spots_of(c, wide_turn_fours(both).v);
}

static inline wide_mask coarse_first(int64_t left)
{
    const wide_mask lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    return lanes < (int32_t)(left < WIDE ? left : WIDE);
}

static inline wide_mask coarse_inside(const coarse_job *job, int64_t n)
{
    const wide_mask lane = {1, 2, 4, 8, 16, 32, 64, 128};
    return (lane & job->s->coarse->inside[n / WIDE]) != 0;
}

/* Which of eight are inside of the liquid and under pressure. */
static inline wide_mask coarse_count(const coarse_job *job, int64_t n)
{
    const wide none = {0};
    wide_mask inside = coarse_inside(job, n);
    return job->cold ? inside : inside & (wide_load(job->s->numbers[SPH_UNKNOWN] + n) > none);
}

static inline wide_mask coarse_sharing(const coarse_job *job, int64_t n, int64_t left)
{
    switch (job->kind) {
    case COARSE_PIN:
        return coarse_first(left) & ~coarse_inside(job, n);
    case COARSE_RESIDUAL:
        return coarse_count(job, n);
    case COARSE_VOLUME:
        break;
    }
    return coarse_first(left);
}

static void coarse_share(const coarse_job *job, int part)
{
    sph_state *s = job->s;
    sph_coarse *c = s->coarse;
    int64_t blocks = sph_blocks(s->fluid.count),
            last = sph_block_end(s->fluid.count, (int)(blocks * (part + 1) / COARSE_PARTS));
    for (int64_t n = blocks * part / COARSE_PARTS * SPH_BLOCK; n < last; n += WIDE) {
        wide_mask there = coarse_sharing(job, n, last - n);
        if (!wide_any(there))
            continue;
        wide value = wide_all(job->share);
        if (job->kind == COARSE_RESIDUAL)
            value *= wide_load(s->numbers[SPH_RESIDUAL] + n);
        coarse_spots to = coarse_spots_at(c, s->fluid.position + n, last - n);
        coarse_add(&c->parts[part], c->right.stride, &to, value, there);
    }
}

/* Eight of the walls that have an unknown. */
typedef struct coarse_walls {
    coarse_spots spots;
    wide_mask count;
    int64_t number;
} coarse_walls;

static inline coarse_walls coarse_walls_at(const coarse_job *job, int64_t i, int64_t last)
{
    const sph_walls *w = &job->s->walls;
    wide place[3] = {{0}, {0}, {0}}, pressing = {0};
    coarse_walls eight = {.number = last - i < WIDE ? last - i : WIDE};
    for (int l = 0; l < eight.number; l++) {
        int32_t b = w->led[i + l];
        place[0][l] = w->x[b];
        place[1][l] = w->y[b];
        place[2][l] = w->z[b];
        pressing[l] = job->cold || w->unknown[b] > 0 ? w->give[b] : 0;
    }
    eight.spots = coarse_spots_of(job->s->coarse, place);
    eight.count = pressing > 0;
    return eight;
}

static void coarse_share_walls(const coarse_job *job, int part)
{
    const sph_walls *w = &job->s->walls;
    sph_coarse *c = job->s->coarse;
    int64_t last = w->led_count * (part + 1) / COARSE_PARTS;
    for (int64_t i = w->led_count * part / COARSE_PARTS; i < last; i += WIDE) {
        coarse_walls eight = coarse_walls_at(job, i, last);
        wide value = {0};
        for (int l = 0; l < eight.number; l++)
            value[l] = job->share * w->residual[w->led[i + l]];
        coarse_add(&c->parts[part], c->right.stride, &eight.spots, value, eight.count);
    }
}

static void coarse_share_parts(void *context, int begin, int end)
{
    const coarse_job *job = context;
    sph_coarse *c = job->s->coarse;
    for (int part = begin; part < end; part++) {
        c->parts[part].low = PTRDIFF_MAX;
        c->parts[part].high = -1;
        coarse_share(job, part);
        if (job->kind == COARSE_RESIDUAL)
            coarse_share_walls(job, part);
    }
}

/* Into `to`, the parts in their order. Returns whether there was anything. */
static bool coarse_share_out(coarse_job *job, float share, coarse_kind kind, field *to)
{
    sph_coarse *c = job->s->coarse;
    bool any = false;
    job->kind = kind;
    job->share = share;
    field_fill(to, 0);
    threads_for(COARSE_PARTS, coarse_share_parts, job);
    for (int part = 0; part < COARSE_PARTS; part++) {
        float *from = c->parts[part].data;
        ptrdiff_t end = c->parts[part].high + 2 + to->stride[1] + to->stride[2];
        any = any || c->parts[part].high >= 0;
        for (ptrdiff_t i = c->parts[part].low; i < end; i++) {
            to->data[i] += from[i];
            from[i] = 0;
        }
    }
    coarse_round(c, to, coarse_fold);
    return any;
}

/* The share of each cell that is filled, and what pins it. Returns whether any is pinned. */
static bool coarse_fill(const sph_model *m, sph_state *s)
{
    sph_coarse *c = s->coarse;
    coarse_job job = {.m = m, .s = s};
    threads_for(sph_blocks(s->fluid.count), coarse_find_surface, &job);
    float share = 1 / (float)c->full, pin = share * (float)(2 * m->slope * m->slope / pow(c->full, 1.0 / m->dims));
    coarse_share_out(&job, share, COARSE_VOLUME, &c->filled);
    return coarse_share_out(&job, pin, COARSE_PIN, &c->extra);
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

/* The rows of cells on both sides of a row of faces across `axis`, which is not along x. Returns whether there are two:
   the first faces along a periodic axis are the last ones, too. */
static bool coarse_beside(const sph_coarse *c, int axis, int j, int k, const float *row[2])
{
    int at[2][3] = {{0, j, k}, {0, j, k}}, n = c->block.n[axis];
    if (!c->block.periodic[axis] && (at[0][axis] == 0 || at[0][axis] == n))
        return false;
    at[0][axis] %= n;
    at[1][axis] = (at[0][axis] + n - 1) % n;
    for (int side = 0; side < 2; side++)
        row[side] = c->filled.data + field_offset(&c->filled, 0, at[side][1], at[side][2]);
    return true;
}

static void coarse_open_along(const sph_coarse *c, const float *cells, float *faces)
{
    const int n = c->block.n[0];
    for (int i = 1; i < n; i++)
        faces[i] = cells[i] * cells[i - 1];
    if (c->block.periodic[0])
        faces[0] = faces[n] = cells[0] * cells[n - 1];
}

/* Faces between cells with liquid are open. */
static void coarse_open(sph_coarse *c, int axis)
{
    field *weight = &c->weight[axis];
    const float *row[2];
    field_fill(weight, 0);
    for (int k = 0; k < weight->size[2]; k++)
        for (int j = 0; j < weight->size[1]; j++) {
            float *faces = weight->data + field_offset(weight, 0, j, k);
            if (axis == 0)
                coarse_open_along(c, c->filled.data + field_offset(&c->filled, 0, j, k), faces);
            else if (coarse_beside(c, axis, j, k, row))
                for (int i = 0; i < weight->size[0]; i++)
                    faces[i] = row[0][i] * row[1][i];
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

static void coarse_restrict(coarse_job *job)
{
    sph_coarse *c = job->s->coarse;
    coarse_share_out(job, 1 / (float)c->full, COARSE_RESIDUAL, &c->right);
    for (int row = 0; row < field_rows(&c->right); row++) {
        ptrdiff_t at = field_offset(&c->right, 0, row % c->block.n[1], row / c->block.n[1]);
        for (int i = 0; i < c->block.n[0]; i++)
            c->right.data[at + i] *= c->filled.data[at + i];
    }
}

/* Corrections of a block of the liquid. Returns their sum with the products. */
static double coarse_prolong(const coarse_job *job, int block)
{
    sph_state *s = job->s;
    const int64_t last = sph_block_end(s->fluid.count, block + 1);
    sums_lanes sum = {0};
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < last; n += WIDE) {
        coarse_spots from = coarse_spots_at(s->coarse, s->fluid.position + n, last - n);
        const wide_mask count = coarse_count(job, n);
        const wide correction = wide_keep(count, coarse_look(&s->coarse->error, &from));
        wide_store(s->numbers[SPH_CORRECTION] + n, correction);
        sum += sums_exactly(wide_keep(count, wide_load(s->numbers[SPH_PRODUCT] + n)) * correction);
    }
    return sums_total(sum);
}

static double coarse_prolong_walls(const coarse_job *job, int block)
{
    sph_walls *w = &job->s->walls;
    const int64_t last = sph_block_end(w->led_count, block + 1);
    double sum = 0;
    for (int64_t i = (int64_t)block * SPH_BLOCK; i < last; i += WIDE) {
        coarse_walls eight = coarse_walls_at(job, i, last);
        wide value = wide_keep(eight.count, coarse_look(&job->s->coarse->error, &eight.spots));
        for (int l = 0; l < eight.number; l++) {
            w->correction[w->led[i + l]] = value[l];
            sum += (double)w->product[w->led[i + l]] * (double)value[l];
        }
    }
    return sum;
}

static void coarse_prolong_blocks(void *context, int begin, int end)
{
    const coarse_job *job = context;
    const int fluid = sph_blocks(job->s->fluid.count);
    for (int b = begin; b < end; b++)
        job->s->partial[b] = b < fluid ? coarse_prolong(job, b) : coarse_prolong_walls(job, b - fluid);
}

/* The operator is rough near walls and surfaces: more digits are of no use. */
static const solve_limits LIMITS = {.tolerance = 0.1, .max_iterations = 10};

double sph_coarse_correct(const sph_model *m, sph_state *s, bool cold)
{
    sph_coarse *c = s->coarse;
    coarse_job job = {.m = m, .s = s, .cold = cold};
    const int blocks = sph_blocks(s->fluid.count) + sph_brace_led_blocks(s);
    coarse_restrict(&job);
    field_fill(&c->error, 0);
    poisson_solve(c->solver, &c->right, &c->error, &LIMITS);
    coarse_round(c, &c->error, coarse_spread);
    threads_for(blocks, coarse_prolong_blocks, &job);
    return threads_sum(s->partial, blocks);
}
