/* The total of a field that nothing leaves. */
#include "grid/diffusion_parts.h"

static void diffusion_sum_rows(void *context, int begin, int end)
{
    const diffusion_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->f->size[1], k = r / job->f->size[1];
        const float *f = field_row(job->f, j, k);
        diffusion_total total = {0, 0};
        for (int i = 0; i < job->f->size[0]; i++) {
            const double volume = diffusion_held_volume(job, (int[3]){i, j, k});
            total.sum += volume * (double)f[i];
            total.volume += volume;
        }
        job->s->partial[2 * r] = total.sum;
        job->s->partial[2 * r + 1] = total.volume;
    }
}

diffusion_total diffusion_sum(diffusion_job *job)
{
    diffusion_total total = {0, 0};
    field_for_rows(job->f, diffusion_sum_rows, job);
    for (int r = 0; r < field_rows(job->f); r++) {
        total.sum += job->s->partial[2 * r];
        total.volume += job->s->partial[2 * r + 1];
    }
    return total;
}

static void diffusion_shift_rows(void *context, int begin, int end)
{
    const diffusion_job *job = context;
    for (int r = begin; r < end; r++) {
        const int j = r % job->f->size[1], k = r / job->f->size[1];
        float *f = field_row(job->f, j, k);
        for (int i = 0; i < job->f->size[0]; i++)
            if (diffusion_held_volume(job, (int[3]){i, j, k}) > 0)
                f[i] = (float)((double)f[i] + job->shift);
    }
}

void diffusion_restore(diffusion_job *job, diffusion_total before)
{
    const diffusion_total now = diffusion_sum(job);
    job->shift = now.volume > 0 ? (before.sum - now.sum) / now.volume : 0;
    field_for_rows(job->f, diffusion_shift_rows, job);
}
