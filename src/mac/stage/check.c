#include "mac/stage/check.h"

#include <math.h>

typedef struct check_job {
    const field *f;
    double *partial;
} check_job;

/* Counts what is not finite. */
static void check_rows(void *context, int begin, int end)
{
    const check_job *job = context;
    for (int r = begin; r < end; r++) {
        const float *restrict row = field_row(job->f, r % job->f->size[1], r / job->f->size[1]);
        int bad = 0;
        for (int i = 0; i < job->f->size[0]; i++)
            bad += !(fabsf(row[i]) <= 3.4e38f);
        job->partial[r] = bad;
    }
}

fr_result stage_check_field(const field *f, const char *name, const char *stage, double t, double *partial)
{
    check_job job = {f, partial};
    field_for_rows(f, check_rows, &job);
    for (int r = 0; r < field_rows(f); r++) {
        if (partial[r] == 0)
            continue;
        int j = r % f->size[1], k = r / f->size[1];
        const float *row = field_row(f, j, k);
        for (int i = 0; i < f->size[0]; i++)
            if (!isfinite(row[i]))
                return fr_fail(FR_ERROR_NUMERIC,
                               "%s is not a number after the stage '%s', at cell (%d, %d, %d), t = %g s", name, stage,
                               i, j, k, t);
    }
    return FR_OK;
}

fr_result stage_check_velocity(const model *m, state *s, const char *stage)
{
    static const char *const names[3] = {"u", "v", "w"};
    for (int a = 0; a < m->domain.dims; a++)
        FR_TRY(stage_check_field(&s->next_velocity[a], names[a], stage, s->now.time, s->partial));
    return FR_OK;
}

fr_result stage_check_scalars(const model *m, state *s, const char *stage)
{
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            FR_TRY(stage_check_field(&s->next_scalars[i], m->scalars[i].name, stage, s->now.time, s->partial));
    return FR_OK;
}
