#include "sph/heat/heat.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "method/evaluate.h"

fr_result sph_heat_create(const sph_model *m, sph_heat **out)
{
    sph_heat *h = *out = MEMORY_NEW(sph_heat, 1);
    if (!h)
        return FR_ERROR_MEMORY;
    for (int side = 0; side < 2 * m->dims; side++)
        h->holds = h->holds || m->walls[side].scalar_count > 0;
    for (int i = 0; i < m->obstacle_count; i++)
        h->holds = h->holds || m->obstacles[i].has_temperature;
    if (h->holds && !(h->held = MEMORY_NEW(float, m->wall_count + 1)))
        return FR_ERROR_MEMORY;
    if (!m->heat.diffusivity_of)
        return FR_OK;
    h->table = MEMORY_NEW(conductivity, 1);
    return h->table ? conductivity_try(&m->heat) : FR_ERROR_MEMORY;
}

void sph_heat_release(sph_heat *h)
{
    float **columns[] = {&h->temperature, &h->fraction, &h->viscosity, &h->share, &h->bare};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        memory_free(*columns[c]);
        *columns[c] = NULL;
    }
    for (int i = 0; i < SPH_HEAT_NUMBERS; i++) {
        memory_free(h->numbers[i]);
        h->numbers[i] = NULL;
    }
}

void sph_heat_destroy(sph_heat *h)
{
    if (!h)
        return;
    sph_heat_release(h);
    memory_free(h->held);
    memory_free(h->table);
    memory_free(h);
}

static int heat_numbers(const sph_model *m)
{
    return m->heat.diffusivity_of ? SPH_HEAT_NUMBERS : SPH_HEAT_NUMBERS_OF_ALL;
}

fr_result sph_heat_reserve(const sph_model *m, sph_heat *h, int64_t room)
{
    sph_heat_release(h);
    float **columns[] = {&h->temperature, &h->fraction, &h->viscosity, &h->share, &h->bare};
    bool there = true;
    for (int c = 0; c < (m->heat.melt.set ? 5 : 2); c++)
        there = (*columns[c] = MEMORY_NEW(float, room)) && there;
    for (int i = 0; i < heat_numbers(m); i++)
        there = (h->numbers[i] = MEMORY_NEW(double, room)) && there;
    return there ? FR_OK : FR_ERROR_MEMORY;
}

/* Temperature; liquid fraction; viscosity. */
int sph_heat_attributes(const fr_heat_def *heat)
{
    return heat->set ? 1 + (heat->latent > 0) + heat->melt.set : 0;
}

double sph_heat_bytes(const sph_model *m, double particles, double wall_particles)
{
    const double floats = m->heat.melt.set ? 5 : 2, numbers = heat_numbers(m),
                 each = 2 * FLUID_WARM_BYTES + floats * sizeof(float) + numbers * sizeof(double);
    return m->heat.set ? particles * each + wall_particles * sizeof(float) : 0;
}

/* The temperature that a list of values gives; *t stays as it is where it gives none. */
static fr_result heat_value(const fr_scalar_value *values, int count, const double at[3], double time, double *t)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(values[i].name, "temperature"))
            FR_TRY(evaluate_number(&values[i].value, at, time, t));
    return FR_OK;
}

fr_result sph_heat_filled(const fr_scene_def *def, const sph_model *m, const fr_fill_def *fill, const double at[3],
                          double *enthalpy)
{
    double t = m->heat.ambient;
    FR_TRY(heat_value(def->initial, def->initial_count, at, 0, &t));
    FR_TRY(heat_value(fill->scalars, fill->scalar_count, at, 0, &t));
    *enthalpy = melt_enthalpy(&m->melt, t);
    return FR_OK;
}

fr_result sph_heat_poured(const sph_model *m, int source, const double at[3], double time, double *enthalpy)
{
    double t = m->heat.ambient;
    FR_TRY(heat_value(m->sources[source].scalars, m->sources[source].scalar_count, at, time, &t));
    *enthalpy = melt_enthalpy(&m->melt, t);
    return FR_OK;
}

typedef struct heat_job {
    const sph_model *m;
    sph_state *s;
    double push[3]; /* m/s per kelvin */
} heat_job;

static void heat_know_blocks(void *context, int begin, int end)
{
    const heat_job *job = context;
    sph_heat *h = job->s->heat;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        double fraction, t = melt_temperature(&job->m->melt, job->s->fluid.enthalpy[n], &fraction);
        h->temperature[n] = (float)t;
        h->fraction[n] = (float)fraction;
        if (h->viscosity)
            h->viscosity[n] = (float)melt_viscosity(&job->m->melt, t);
    }
}

void sph_heat_know(const sph_model *m, sph_state *s)
{
    heat_job job = {.m = m, .s = s};
    threads_for(sph_blocks(s->fluid.count), heat_know_blocks, &job);
}

static void heat_measure_blocks(void *context, int begin, int end)
{
    const heat_job *job = context;
    const sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++) {
            low = fmin(low, s->fluid.enthalpy[n]);
            high = fmax(high, s->fluid.enthalpy[n]);
        }
        s->partial[b] = -low;
        s->partial[b + sph_blocks(s->fluid.count)] = high;
    }
}

/* The viscosity is monotonic in the temperature. */
void sph_heat_measure(const sph_model *m, sph_state *s)
{
    heat_job job = {.m = m, .s = s};
    const int blocks = sph_blocks(s->fluid.count);
    double fraction;
    s->heat->thickest = 0;
    if (!m->heat.melt.set || blocks == 0)
        return;
    threads_for(blocks, heat_measure_blocks, &job);
    const double low = -threads_max(s->partial, blocks), high = threads_max(s->partial + blocks, blocks);
    s->heat->thickest = fmax(melt_viscosity(&m->melt, melt_temperature(&m->melt, low, &fraction)),
                             melt_viscosity(&m->melt, melt_temperature(&m->melt, high, &fraction)));
}

fr_result stage_sph_heat(const sph_model *m, sph_state *s, double dt)
{
    if (!s->heat)
        return FR_OK;
    sph_heat_know(m, s);
    s->heat->next = s->heat->account;
    FR_TRY(stage_sph_heat_sides(m, s));
    FR_TRY(stage_sph_heat_give(m, s));
    return stage_sph_heat_conduct(m, s, dt);
}

static void heat_lift_blocks(void *context, int begin, int end)
{
    const heat_job *job = context;
    const sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        for (int a = 0; a < 3; a++)
            s->next.velocity[n][a] +=
                (float)(job->push[a] * ((double)s->heat->temperature[n] - job->m->heat.ambient));
}

void stage_sph_heat_lift(const sph_model *m, sph_state *s, double dt)
{
    heat_job job = {.m = m, .s = s};
    if (m->heat.expansion == 0)
        return;
    for (int a = 0; a < m->dims; a++)
        job.push[a] = -m->heat.expansion * m->gravity[a] * dt;
    threads_for(sph_blocks(s->fluid.count), heat_lift_blocks, &job);
}

void sph_heat_leave(const sph_model *m, sph_state *s)
{
    for (int64_t n = 0; n < s->fluid.count; n++)
        if (s->leaves[n])
            s->heat->account.out += (s->fluid.enthalpy[n] - m->heat.ambient) * m->volume;
}

void sph_heat_enter(const sph_model *m, sph_state *s, double enthalpy)
{
    s->fluid.enthalpy[s->fluid.count - 1] = enthalpy;
    s->heat->account.in += (enthalpy - m->heat.ambient) * m->volume;
}

/* In the order of the particles. */
double sph_heat_total(const sph_model *m, const sph_state *s)
{
    double sum = 0;
    for (int64_t n = 0; n < s->fluid.count; n++)
        sum += s->fluid.enthalpy[n] - m->heat.ambient;
    return sum * m->volume;
}
