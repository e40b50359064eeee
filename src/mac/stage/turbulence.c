#include "mac/stage/turbulence.h"

typedef struct turbulence_job {
    const domain *d;
    const turbulence *eddies;
    field *f;
} turbulence_job;

static void turbulence_rows(void *context, int begin, int end)
{
    const turbulence_job *job = context;
    const field *f = job->f;
    for (int r = begin; r < end; r++) {
        int j = r % f->size[1], k = r / f->size[1];
        turbulence_line line = {.spacing = job->d->h[0], .axis = 0, .n = f->size[0], .component = field_axis(f)};
        model_position(job->d, f, (int32_t)field_offset(f, 0, j, k), line.start);
        turbulence_add_line(job->eddies, &line, 0, field_row(f, j, k));
    }
}

fr_result stage_turbulence_start(const model *m, field velocity[3])
{
    const double still[3] = {0, 0, 0};
    turbulence *eddies = NULL;
    if (!(m->initial_turbulence.speed > 0))
        return FR_OK;
    fr_result result = turbulence_create(&m->initial_turbulence, &m->domain, still, &eddies);
    for (int a = 0; a < m->domain.dims && result == FR_OK; a++) {
        turbulence_job job = {&m->domain, eddies, &velocity[a]};
        field_for_rows(&velocity[a], turbulence_rows, &job);
    }
    turbulence_destroy(eddies);
    return result;
}
