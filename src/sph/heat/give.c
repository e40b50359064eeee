/* Heat from sources: they hold a temperature inside their shape or, with a rate, add to it; then melting takes up what
   it should. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "method/evaluate.h"
#include "method/times.h"
#include "sph/heat/heat.h"
#include "sph/stage/loads.h"

typedef struct give_job {
    const sph_model *m;
    sph_state *s;
    const fr_source_def *source;
    const fr_number *value;   /* K, or what `rate` is times */
    const shape *shape;
    double low[3], high[3];   /* m, around the shape */
    double seconds;
    double given[SPH_PARTS];  /* K */
    fr_result result;         /* of functions of the scene, which are called on one thread only */
} give_job;

static void give_copy(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        s->heat->numbers[SPH_HEAT_START][n] = s->fluid.enthalpy[n];
}

static fr_result give_particle(give_job *job, int number, int64_t n)
{
    const float *position = job->s->fluid.position[n];
    const double at[3] = {position[0], position[1], position[2]};
    double distance, value = job->value->value;
    for (int a = 0; a < 3; a++)
        if (at[a] < job->low[a] || at[a] > job->high[a])
            return FR_OK;
    FR_TRY(shape_distance(job->shape, at, &distance));
    if (distance >= 0)
        return FR_OK;
    FR_TRY(evaluate_number(job->value, at, job->s->now.time, &value));
    double *e = &job->s->heat->numbers[SPH_HEAT_START][n], before = *e;
    *e = job->source->rate > 0 ? *e + job->seconds * job->source->rate * value
                               : melt_enthalpy(&job->m->melt, value);
    job->given[number] += *e - before;
    return FR_OK;
}

static void give_parts(void *context, int begin, int end)
{
    give_job *job = context;
    for (int number = begin; number < end; number++) {
        const sph_part part = sph_part_of(job->s, number);
        for (int64_t n = part.begin; n < part.end; n++) {
            fr_result result = give_particle(job, number, n);
            if (result != FR_OK)
                job->result = result;
        }
    }
}

static const fr_number *give_temperature(const fr_source_def *source)
{
    for (int i = 0; i < source->scalar_count; i++)
        if (!strcmp(source->scalars[i].name, "temperature"))
            return &source->scalars[i].value;
    return NULL;
}

fr_result stage_sph_heat_give(const sph_model *m, sph_state *s)
{
    threads_for(sph_blocks(s->fluid.count), give_copy, s);
    for (int i = 0; i < s->source_count; i++) {
        const fr_source_def *source = &m->sources[i];
        give_job job = {.m = m,
                        .s = s,
                        .source = source,
                        .value = give_temperature(source),
                        .shape = s->nozzles[i].shape,
                        .seconds = times_overlap(source->from, source->to, s->now.time, s->now.end)};
        if (!job.value || job.seconds <= 0)
            continue;
        shape_bounds(job.shape, job.low, job.high);
        if (shape_is_parallel(job.shape) && !job.value->function)
            threads_for(SPH_PARTS, give_parts, &job);
        else
            give_parts(&job, 0, SPH_PARTS);
        FR_TRY(job.result);
        s->heat->next.in += m->volume * threads_sum(job.given, SPH_PARTS);
    }
    return FR_OK;
}
