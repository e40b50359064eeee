#include "mac/stage/check.h"

#include <math.h>

typedef struct check_job {
    const field *f;
    const extend_span *spans; /* of each row; NULL: all of it */
    double *partial;
} check_job;

/* Counts what is not finite. */
static void check_rows(void *context, int begin, int end)
{
    const check_job *job = context;
    for (int r = begin; r < end; r++) {
        const float *restrict row = field_row(job->f, r % job->f->size[1], r / job->f->size[1]);
        const extend_span span = job->spans ? job->spans[r] : (extend_span){0, job->f->size[0]};
        int bad = 0;
        for (int i = span.begin; i < span.end; i++)
            bad += !(fabsf(row[i]) <= 3.4e38f);
        job->partial[r] = bad;
    }
}

static fr_result check_field(const check_job *job, const char *name, const char *stage, double t)
{
    const field *f = job->f;
    const double *partial = job->partial;
    field_for_rows(f, check_rows, (void *)job);
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

fr_result stage_check_field(const field *f, const char *name, const char *stage, double t, double *partial)
{
    return check_field(&(check_job){f, NULL, partial}, name, stage, t);
}

/* What lies further from a liquid than its velocity is continued is set anew before it is read. */
fr_result stage_check_velocity(const model *m, state *s, const char *stage)
{
    static const char *const names[3] = {"u", "v", "w"};
    for (int a = 0; a < m->domain.dims; a++) {
        const extend_span *spans = s->solids.any || m->prescribed ? NULL : s->wet_spans[a];
        const check_job job = {&s->next_velocity[a], spans, s->partial};
        FR_TRY(check_field(&job, names[a], stage, s->now.time));
    }
    return FR_OK;
}

fr_result stage_check_scalars(const model *m, state *s, const char *stage)
{
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            FR_TRY(stage_check_field(&s->next_scalars[i], m->scalars[i].name, stage, s->now.time, s->partial));
    return FR_OK;
}
