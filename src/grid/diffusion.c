#include "grid/diffusion.h"

#include <math.h>

#include "base/memory.h"
#include "grid/diffusion_parts.h"

static domain diffusion_lattice(const domain *d)
{
    domain lattice = *d;
    for (int a = 0; a < d->dims; a++)
        lattice.n[a] += !d->periodic[a];
    return lattice;
}

fr_result diffusion_create(const domain *d, diffusion **out)
{
    *out = NULL;
    diffusion *s = MEMORY_NEW(diffusion, 1);
    if (!s)
        return FR_ERROR_MEMORY;
    s->block = *d;
    s->lattice = diffusion_lattice(d);
    fr_result result = poisson_create(&s->lattice, false, &s->solver);
    field *fields[3] = {&s->extra, &s->b, &s->x};
    for (int i = 0; i < 3 && result == FR_OK; i++)
        result = field_create(&s->lattice, FR_AT_CELL, fields[i]);
    for (int a = 0; a < d->dims && result == FR_OK; a++)
        result = field_create(&s->lattice, field_face(a), &s->weight[a]);
    s->partial = MEMORY_NEW(double, 2 * (int64_t)s->lattice.n[1] * s->lattice.n[2]);
    if (result == FR_OK && !s->partial)
        result = FR_ERROR_MEMORY;
    if (result != FR_OK)
        diffusion_destroy(s);
    else
        *out = s;
    return result;
}

void diffusion_destroy(diffusion *s)
{
    if (!s)
        return;
    poisson_destroy(s->solver);
    field_destroy(&s->extra);
    field_destroy(&s->b);
    field_destroy(&s->x);
    for (int a = 0; a < 3; a++)
        field_destroy(&s->weight[a]);
    memory_free(s->partial);
    memory_free(s);
}

size_t diffusion_bytes(const domain *d)
{
    domain lattice = diffusion_lattice(d);
    size_t bytes = poisson_bytes(&lattice, false) + 3 * field_bytes(&lattice, FR_AT_CELL) +
                   2 * sizeof(double) * (size_t)lattice.n[1] * (size_t)lattice.n[2];
    for (int a = 0; a < d->dims; a++)
        bytes += field_bytes(&lattice, field_face(a));
    return bytes;
}

static bool diffusion_is_unknown(diffusion_mark mark)
{
    return mark == DIFFUSION_FREE || mark == DIFFUSION_WHOLE;
}

/* The mark of a sample, regardless of fixed_sides. */
static diffusion_mark diffusion_inner_mark(const diffusion_job *job, const int at[3])
{
    return job->p->marks ? (diffusion_mark)job->p->marks[field_row(job->f, at[1], at[2]) + at[0] - job->f->block]
                         : DIFFUSION_FREE;
}

static diffusion_mark diffusion_mark_at(const diffusion_job *job, const int at[3])
{
    int axis = field_axis(job->f);
    for (int a = 0; a < job->s->block.dims; a++)
        if (at[a] >= job->count[a])
            return DIFFUSION_OUTSIDE;
    diffusion_mark mark = diffusion_inner_mark(job, at);
    if (diffusion_is_unknown(mark) && axis >= 0 && !job->s->block.periodic[axis]) {
        bool low = at[axis] == 0, high = at[axis] == job->count[axis] - 1;
        if ((low && job->p->fixed_sides[2 * axis]) || (high && job->p->fixed_sides[2 * axis + 1]))
            mark = DIFFUSION_FIXED;
    }
    return mark;
}

/* Of the face below a sample along an axis, over that of `number`. */
static double diffusion_conductance(const diffusion_job *job, int a, const int at[3])
{
    return job->p->conductance ? (double)field_row(job->p->conductance[a], at[1], at[2])[at[0]] : 1;
}

/* Weight of the face between two unknown samples: `here` above it, `below` under it. A closed face always has weight 0,
   also beside a DIFFUSION_WHOLE sample. */
static float diffusion_share(const diffusion_job *job, int a, const int at[3], diffusion_mark here,
                             diffusion_mark below)
{
    float share = job->p->weights ? field_row(job->p->weights[a], at[1], at[2])[at[0]] : 1;
    const float whole = share > 0 && (here == DIFFUSION_WHOLE || below == DIFFUSION_WHOLE) ? 1 : share;
    return whole * (float)diffusion_conductance(job, a, at);
}

static float diffusion_volume(const diffusion_job *job, const int at[3], diffusion_mark here)
{
    const float capacity = job->p->capacity ? field_row(job->p->capacity, at[1], at[2])[at[0]] : 1;
    const bool part = job->p->volume && here != DIFFUSION_WHOLE;
    return capacity * (part ? field_row(job->p->volume, at[1], at[2])[at[0]] : 1);
}

/* A side with value v adds the flux 2 c (v − x) to the sample next to it: v lies half a cell away. */
static void diffusion_add_sides(const diffusion_job *job, const int at[3], float *extra, double *b)
{
    for (int side = 0; side < 2 * job->s->block.dims; side++) {
        int a = side / 2;
        const halo_side *s = &job->p->sides[side];
        bool here = at[a] == (side % 2 ? job->count[a] - 1 : 0), other = job->only >= 0 && job->only != a;
        if (!here || other || s->kind != HALO_VALUE || field_axis(job->f) == a)
            continue;
        int face[3] = {at[0], at[1], at[2]};
        face[a] += side % 2;
        double through = 2 * job->c[a] * diffusion_conductance(job, a, face);
        int lower = a == 0 ? 1 : 0, upper = a == 2 ? 1 : 2;
        float value = s->values ? s->values[at[lower] + (ptrdiff_t)at[upper] * job->f->size[lower]] : s->value;
        *extra += (float)through;
        *b += through * value;
    }
}

static double diffusion_held(const diffusion_job *job, const int fixed[3], int axis, double shift)
{
    bool surface = job->p->held && diffusion_inner_mark(job, fixed) == DIFFUSION_FIXED;
    return surface ? job->p->held(job->p->held_context, fixed, axis, shift)
                   : (double)field_row(job->f, fixed[1], fixed[2])[fixed[0]];
}

/* Sets the weights towards the neighbours along each axis; a fixed neighbour contributes to the right-hand side. */
static void diffusion_add_neighbours(const diffusion_job *job, const int at[3], diffusion_mark here, float *extra,
                                     double *b)
{
    const domain *lattice = &job->s->lattice;
    for (int a = 0; a < lattice->dims; a++)
        for (int end = 0; end < 2 && (job->only < 0 || job->only == a); end++) {
            int next[3] = {at[0], at[1], at[2]}, face[3] = {at[0], at[1], at[2]};
            next[a] += end ? 1 : -1;
            face[a] += end;
            if (lattice->periodic[a])
                next[a] = (next[a] + lattice->n[a]) % lattice->n[a];
            if (next[a] < 0 || next[a] >= lattice->n[a])
                continue;
            diffusion_mark mark = diffusion_mark_at(job, next);
            if (mark == DIFFUSION_FIXED) {
                double reach = job->p->distance ? diffusion_reach(job->p->distance, field_axis(job->f), at, next) : 1;
                double through = job->c[a] / reach * diffusion_conductance(job, a, face);
                *extra += (float)through;
                *b += through * diffusion_held(job, next, a, end ? reach - 1 : 1 - reach);
            }
            if (end == 0) {
                float *face = field_row(&job->s->weight[a], at[1], at[2]) + at[0];
                *face = diffusion_is_unknown(mark) ? diffusion_share(job, a, at, here, mark) : 0;
            }
        }
}

static void diffusion_set_sample(diffusion_job *job, int i, int j, int k)
{
    diffusion *s = job->s;
    float *extra = field_row(&s->extra, j, k) + i, *b = field_row(&s->b, j, k) + i, *x = field_row(&s->x, j, k) + i;
    int at[3] = {i, j, k};
    *extra = *b = *x = 0;
    for (int a = 0; a < s->lattice.dims; a++)
        field_row(&s->weight[a], j, k)[i] = 0;
    diffusion_mark here = diffusion_mark_at(job, at);
    if (!diffusion_is_unknown(here))
        return;
    *x = field_row(job->f, j, k)[i];
    float volume = diffusion_volume(job, at, here);
    *extra = job->plain ? 0 : volume;
    double right = (double)volume * *x;
    diffusion_add_sides(job, at, extra, &right);
    diffusion_add_neighbours(job, at, here, extra, &right);
    *b = (float)right;
}

/* The span of a row where the samples and their neighbours lie inside the field and off its sides. */
static void diffusion_inner_span(const diffusion_job *job, int j, int k, int span[2])
{
    const int at[3] = {0, j, k};
    int least[3];
    for (int a = 0; a < 3; a++)
        least[a] = a == field_axis(job->f) ? 2 : 1; /* faces on a side may be fixed: keep off their neighbours too */
    span[0] = least[0];
    span[1] = job->count[0] - least[0];
    for (int a = 1; a < job->s->block.dims; a++)
        if (at[a] < least[a] || at[a] >= job->count[a] - least[a])
            span[1] = 0;
}

/* The end of the run from `i` on, at most `end`, of free samples with only free neighbours. */
static int diffusion_free_end(const diffusion_job *job, int j, int k, int i, int end)
{
    if (!job->p->marks)
        return end;
    const uint8_t *at = job->p->marks + (field_row(job->f, j, k) - job->f->block);
    ptrdiff_t up = job->f->stride[1], deep = job->f->stride[2];
    while (i < end && !(at[i] | at[i - 1] | at[i + 1] | at[i - up] | at[i + up] | at[i - deep] | at[i + deep]))
        i++;
    return i;
}

static void diffusion_set_free(diffusion_job *job, int j, int k, int begin, int end)
{
    diffusion *s = job->s;
    float *restrict extra = field_row(&s->extra, j, k), *restrict b = field_row(&s->b, j, k),
                    *restrict x = field_row(&s->x, j, k);
    const float *restrict from = field_row(job->f, j, k),
                          *volume = job->p->volume ? field_row(job->p->volume, j, k) : NULL,
                          *capacity = job->p->capacity ? field_row(job->p->capacity, j, k) : NULL;
    for (int i = begin; i < end; i++) {
        float share = (capacity ? capacity[i] : 1) * (volume ? volume[i] : 1);
        extra[i] = job->plain ? 0 : share;
        x[i] = from[i];
        b[i] = share * from[i];
    }
    for (int a = 0; a < s->lattice.dims; a++) {
        float *restrict weight = field_row(&s->weight[a], j, k);
        const float *share = job->p->weights ? field_row(job->p->weights[a], j, k) : NULL;
        const float *conducts = job->p->conductance ? field_row(job->p->conductance[a], j, k) : NULL;
        const float most = job->only < 0 || job->only == a ? 1 : 0;
        for (int i = begin; i < end; i++)
            weight[i] = most * (share ? share[i] : 1) * (conducts ? conducts[i] : 1);
    }
}

/* Most samples have only free neighbours; runs of them take a fast path. */
static void diffusion_set_row(diffusion_job *job, int j, int k)
{
    int span[2], n = job->s->lattice.n[0];
    diffusion_inner_span(job, j, k, span);
    for (int i = 0; i < n; i++) {
        int end = i >= span[0] && i < span[1] ? diffusion_free_end(job, j, k, i, span[1]) : i;
        diffusion_set_free(job, j, k, i, end);
        i = end;
        if (i < n)
            diffusion_set_sample(job, i, j, k);
    }
}

static void diffusion_set_rows(void *context, int begin, int end)
{
    diffusion_job *job = context;
    for (int m = begin; m < end; m++)
        diffusion_set_row(job, m % job->s->lattice.n[1], m / job->s->lattice.n[1]);
}

static void diffusion_take_rows(void *context, int begin, int end)
{
    diffusion_job *job = context;
    for (int m = begin; m < end; m++) {
        int j = m % job->s->lattice.n[1], k = m / job->s->lattice.n[1], span[2];
        if (j >= job->count[1] || k >= job->count[2])
            continue;
        const float *extra = field_row(&job->s->extra, j, k), *x = field_row(&job->s->x, j, k);
        float *to = field_row(job->f, j, k);
        diffusion_inner_span(job, j, k, span);
        for (int i = 0; i < job->count[0]; i++) {
            bool solved = extra[i] > 0;
            if (job->plain)
                solved =
                    (i >= span[0] && i < span[1]) || diffusion_is_unknown(diffusion_mark_at(job, (int[3]){i, j, k}));
            to[i] = solved ? x[i] : to[i];
        }
    }
}

/* κ Δt ∇·(w ∇x) at a sample, from the solved field. */
static double diffusion_exchange(const diffusion_job *job, int i, int j, int k)
{
    const diffusion *s = job->s;
    const float *x = field_row(&s->x, j, k) + i;
    double gain = 0;
    for (int a = 0; a < s->lattice.dims; a++) {
        const float *weight = field_row(&s->weight[a], j, k) + i;
        ptrdiff_t next = s->x.stride[a];
        gain += job->c[a] *
                (weight[s->weight[a].stride[a]] * ((double)x[next] - x[0]) - weight[0] * ((double)x[0] - x[-next]));
    }
    return gain;
}

/* Insulated fields are updated in flux form, x' = x₀ + κ Δt ∇·(w ∇x)/V, with the gradient of the solved field x. What
   leaves one cell enters the next whatever the solver's residual, so the total does not drift. */
static void diffusion_balance_rows(void *context, int begin, int end)
{
    const diffusion_job *job = context;
    for (int m = begin; m < end; m++) {
        int j = m % job->f->size[1], k = m / job->f->size[1];
        float *to = field_row(job->f, j, k);
        for (int i = 0; i < job->f->size[0]; i++) {
            int at[3] = {i, j, k};
            diffusion_mark here = diffusion_mark_at(job, at);
            if (!diffusion_is_unknown(here))
                continue;
            double volume = diffusion_volume(job, at, here);
            to[i] = (float)(to[i] + diffusion_exchange(job, i, j, k) / volume);
        }
    }
}

/* On periodic axes face 0 is also the upper face of the last sample. */
static void diffusion_close_weights(diffusion *s)
{
    for (int a = 0; a < s->lattice.dims; a++)
        if (s->lattice.periodic[a])
            for (int k = 0; k < (a == 2 ? 1 : s->lattice.n[2]); k++)
                for (int j = 0; j < (a == 1 ? 1 : s->lattice.n[1]); j++)
                    for (int i = 0; i < (a == 0 ? 1 : s->lattice.n[0]); i++) {
                        float *low = field_row(&s->weight[a], j, k) + i;
                        low[s->lattice.n[a] * s->weight[a].stride[a]] = *low;
                    }
}

void diffusion_set(diffusion_job *job)
{
    diffusion *s = job->s;
    const diffusion_problem *p = job->p;
    for (int a = 0; a < 3; a++) {
        job->count[a] = job->f->size[a] < s->lattice.n[a] ? job->f->size[a] : s->lattice.n[a];
        job->c[a] = a < s->block.dims ? p->number / (s->block.h[a] * s->block.h[a]) : 0;
    }
    job->plain = job->only < 0 && !p->marks && !p->volume && !p->capacity && domain_cells(&s->block) > 1;
    field_for_rows(&s->extra, diffusion_set_rows, job);
    diffusion_close_weights(s);
}

void diffusion_take(diffusion_job *job)
{
    field_for_rows(&job->s->extra, diffusion_take_rows, job);
}

/* Fluxes of a solved field are differences of rounded values: with numbers larger than this they are noise. */
static const double DIFFUSION_FLUX_MOST = 100;

static void diffusion_keep_total(diffusion_job *job)
{
    if (fmax(fmax(job->c[0], job->c[1]), job->c[2]) <= DIFFUSION_FLUX_MOST) {
        halo_fill_even(&job->s->x, &job->s->lattice);
        field_for_rows(job->f, diffusion_balance_rows, job);
        return;
    }
    const diffusion_total before = diffusion_sum(job);
    diffusion_take(job);
    diffusion_restore(job, before);
}

solve_stats diffusion_solve(diffusion *s, field *f, const diffusion_problem *problem, const solve_limits *limits)
{
    diffusion_job job = {.s = s, .f = f, .p = problem, .only = -1};
    diffusion_set(&job);
    poisson_operator op = {.coefficient = {job.c[0], job.c[1], job.c[2]},
                           .weight = {&s->weight[0], &s->weight[1], &s->weight[2]},
                           .extra = &s->extra,
                           .extra_constant = job.plain ? 1 : 0};
    poisson_set_operator(s->solver, &op);
    solve_stats stats = poisson_solve(s->solver, &s->b, &s->x, limits);
    if (problem->insulated)
        diffusion_keep_total(&job);
    else
        diffusion_take(&job);
    return stats;
}
