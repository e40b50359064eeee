/* Passes over a level. */
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

/* Wraps along one axis; along the others `reach` layers of ghosts are already right. */
static void level_wrap_axis(const stress_level *l, float *f, int axis, const int reach[3])
{
    int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    ptrdiff_t step = l->stride[axis];
    for (int k = -reach[c]; k < l->n[c] + reach[c]; k++)
        for (int j = -reach[b]; j < l->n[b] + reach[b]; j++) {
            float *line = f + j * l->stride[b] + k * l->stride[c];
            line[-step] = line[(l->n[axis] - 1) * step];
            line[l->n[axis] * step] = line[0];
        }
}

void stress_wrap(const stress_level *l, const stress_vector *v)
{
    for (int comp = 0; comp < 3; comp++) {
        if (v->of[comp] == l->zero)
            continue;
        int reach[3] = {0, 0, 0};
        for (int a = 0; a < l->dims; a++)
            if (l->periodic[a]) {
                level_wrap_axis(l, v->of[comp], a, reach);
                reach[a] = 1;
            }
    }
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
    for (int i = 0; i < run->n; i++) {
        float along = kn[i] * (ua[i + sa] - ua[i]) - kn[i - sa] * (ua[i] - ua[i - sa]);
        float over_b = kb[i + sb] * ((ua[i + sb] - ua[i]) + (ub[i + sb] - ub[i + sb - sa])) -
                       kb[i] * ((ua[i] - ua[i - sb]) + (ub[i] - ub[i - sa]));
        float over_c = kc[i + sc] * ((ua[i + sc] - ua[i]) + (uc[i + sc] - uc[i + sc - sa])) -
                       kc[i] * ((ua[i] - ua[i - sc]) + (uc[i] - uc[i - sa]));
        out[i] = -(along + over_b + over_c);
    }
}
