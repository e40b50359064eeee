/* The total of a field of cells that nothing leaves. */
#include "grid/diffusion_parts.h"

/* A row of the field, and what says how much of each cell counts; NULL: all of it. */
typedef struct total_row {
    float *f;
    const uint8_t *marks;
    const float *volume, *capacity;
} total_row;

static total_row total_row_of(const diffusion_job *job, int r)
{
    const int j = r % job->f->size[1], k = r / job->f->size[1];
    const diffusion_problem *p = job->p;
    float *f = field_row(job->f, j, k);
    return (total_row){f, p->marks ? p->marks + (f - job->f->block) : NULL,
                       p->volume ? field_row(p->volume, j, k) : NULL,
                       p->capacity ? field_row(p->capacity, j, k) : NULL};
}

/* 0 of cells that are not unknown. */
static double total_volume(const total_row *row, int i)
{
    const uint8_t mark = row->marks ? row->marks[i] : DIFFUSION_FREE;
    if (mark != DIFFUSION_FREE && mark != DIFFUSION_WHOLE)
        return 0;
    return (row->capacity ? (double)row->capacity[i] : 1) *
           (row->volume && mark == DIFFUSION_FREE ? (double)row->volume[i] : 1);
}

static void total_sum_rows(void *context, int begin, int end)
{
    const diffusion_job *job = context;
    for (int r = begin; r < end; r++) {
        const total_row row = total_row_of(job, r);
        double sum = 0, volumes = 0;
        for (int i = 0; i < job->f->size[0]; i++) {
            const double volume = total_volume(&row, i);
            sum += volume * (double)row.f[i];
            volumes += volume;
        }
        job->s->partial[2 * r] = sum;
        job->s->partial[2 * r + 1] = volumes;
    }
}

diffusion_total diffusion_sum(diffusion_job *job)
{
    diffusion_total total = {0, 0};
    field_for_rows(job->f, total_sum_rows, job);
    for (int r = 0; r < field_rows(job->f); r++) {
        total.sum += job->s->partial[2 * r];
        total.volume += job->s->partial[2 * r + 1];
    }
    return total;
}

static void total_shift_rows(void *context, int begin, int end)
{
    const diffusion_job *job = context;
    for (int r = begin; r < end; r++) {
        const total_row row = total_row_of(job, r);
        for (int i = 0; i < job->f->size[0]; i++)
            if (total_volume(&row, i) > 0)
                row.f[i] = (float)((double)row.f[i] + job->shift);
    }
}

void diffusion_restore(diffusion_job *job, diffusion_total before)
{
    const diffusion_total now = diffusion_sum(job);
    job->shift = now.volume > 0 ? (before.sum - now.sum) / now.volume : 0;
    field_for_rows(job->f, total_shift_rows, job);
}
