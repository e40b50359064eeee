/* Passes over a level. */
#include <string.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

typedef struct level_job {
    const stress_level *l;
    stress_work work;
    void *context;
} level_job;

static void level_runs(void *context, int begin, int end)
{
    const level_job *job = context;
    for (int i = begin; i < end; i++)
        job->work(job->context, job->l, &job->l->runs[i], i);
}

void stress_for_runs(const stress_level *l, stress_work work, void *context)
{
    level_job job = {l, work, context};
    threads_for_cost(l->run_count, (int64_t)l->dims * l->cells[0], level_runs, &job);
}

/* Wraps an array of elements of `size` bytes along one axis; along the others `reach` layers of ghosts are already
   right. */
static void level_wrap_axis(const stress_level *l, char *f, ptrdiff_t size, int axis, const int reach[3])
{
    int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    ptrdiff_t step = l->stride[axis] * size;
    for (int k = -reach[c]; k < l->n[c] + reach[c]; k++)
        for (int j = -reach[b]; j < l->n[b] + reach[b]; j++) {
            char *line = f + (j * l->stride[b] + k * l->stride[c]) * size;
            memcpy(line - step, line + (l->n[axis] - 1) * step, (size_t)size);
            memcpy(line + l->n[axis] * step, line, (size_t)size);
        }
}

static void level_wrap(const stress_level *l, void *f, ptrdiff_t size)
{
    int reach[3] = {0, 0, 0};
    for (int a = 0; a < l->dims; a++)
        if (l->periodic[a]) {
            level_wrap_axis(l, f, size, a, reach);
            reach[a] = 1;
        }
}

void stress_wrap_cells(const stress_level *l, float *f)
{
    level_wrap(l, f, sizeof(float));
}

void stress_wrap(const stress_level *l, const stress_vector *v)
{
    for (int comp = 0; comp < 3; comp++)
        if (v->of[comp] != l->zero)
            level_wrap(l, v->of[comp], sizeof(float));
}

void stress_wrap_exact(const stress_level *l, double *const v[3])
{
    for (int comp = 0; comp < l->dims; comp++)
        level_wrap(l, v[comp], sizeof(double));
}

void stress_force(const stress_level *l, const stress_vector *u, int a, const stress_run *run, float *restrict out)
{
    const int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
    const ptrdiff_t sa = l->stride[a], sb = l->stride[b], sc = l->stride[c];
    const float *restrict ua = u->of[a] + run->at;
    const float *restrict ub = (l->coupled ? u->of[b] : l->zero) + run->at;
    const float *restrict uc = (l->coupled ? u->of[c] : l->zero) + run->at;
    const float *restrict kn = l->normal.of[a] + run->at;
    const float *restrict kb = l->shear.of[c] + run->at, *restrict kc = l->shear.of[b] + run->at;
    const float *restrict bulk = l->bulk + run->at;
    const float ga = (float)l->spread[a], gb = (float)l->spread[b], gc = (float)l->spread[c];
    for (int i = 0; i < run->n; i++) {
        float along = kn[i] * (ua[i + sa] - ua[i]) - kn[i - sa] * (ua[i] - ua[i - sa]);
        float over_b = kb[i + sb] * ((ua[i + sb] - ua[i]) + (ub[i + sb] - ub[i + sb - sa])) -
                       kb[i] * ((ua[i] - ua[i - sb]) + (ub[i] - ub[i - sa]));
        float over_c = kc[i + sc] * ((ua[i + sc] - ua[i]) + (uc[i + sc] - uc[i + sc - sa])) -
                       kc[i] * ((ua[i] - ua[i - sc]) + (uc[i] - uc[i - sa]));
        float after = bulk[i] * (ga * (ua[i + sa] - ua[i]) + gb * (ub[i + sb] - ub[i]) + gc * (uc[i + sc] - uc[i]));
        float before = bulk[i - sa] * (ga * (ua[i] - ua[i - sa]) + gb * (ub[i + sb - sa] - ub[i - sa]) +
                                       gc * (uc[i + sc - sa] - uc[i - sa]));
        out[i] = -(along + over_b + over_c + ga * (after - before));
    }
}

/* û = û* + the change of a component at a run. */
typedef struct level_exact {
    const float *start;
    const double *change;
} level_exact;

static double level_at(const level_exact *u, ptrdiff_t at)
{
    return u->start[at] + u->change[at];
}

/* Δ_b û_a + Δ_a û_b times K. */
static double level_shear(const stress_level *l, const level_exact u[3], int a, int b, ptrdiff_t at)
{
    double own = level_at(&u[a], at) - level_at(&u[a], at - l->stride[b]);
    double cross = l->coupled ? level_at(&u[b], at) - level_at(&u[b], at - l->stride[a]) : 0;
    return l->shear.of[3 - a - b][at] * (own + cross);
}

/* K times the divergence, less what the pressure pushes. */
static double level_bulk(const stress *s, const level_exact u[3], ptrdiff_t at)
{
    const stress_level *l = &s->level[0];
    double sum = 0;
    for (int a = 0; a < l->dims && l->bulk[at] > 0; a++)
        sum += l->spread[a] * (level_at(&u[a], at + l->stride[a]) - level_at(&u[a], at));
    return l->bulk[at] * sum - s->push[at];
}

void stress_force_exact(const stress *s, int a, const stress_run *run, double *out)
{
    const stress_level *l = &s->level[0];
    level_exact u[3];
    for (int c = 0; c < l->dims; c++)
        u[c] = (level_exact){s->p.of[c], s->change[c]};
    for (int i = 0; i < run->n; i++) {
        ptrdiff_t at = run->at + i, before = at - l->stride[a], after = at + l->stride[a];
        double here = level_at(&u[a], at);
        out[i] = l->normal.of[a][before] * (here - level_at(&u[a], before)) -
                 l->normal.of[a][at] * (level_at(&u[a], after) - here);
        out[i] += l->spread[a] * (level_bulk(s, u, before) - level_bulk(s, u, at));
        for (int b = 0; b < l->dims; b++)
            if (b != a)
                out[i] += level_shear(l, u, a, b, at) - level_shear(l, u, a, b, at + l->stride[b]);
    }
}
