#include "sph/stage/layer.h"

#include "base/threads.h"
#include "base/vec.h"
#include "sph/heat/heat.h"

typedef struct layer_job {
    sph_state *s;
    double dt;
    double growth;       /* √(πν), in spacings per √s */
} layer_job;

/* Friction goes with one over the thickness, whose mean from t to t + Δt is 2/(√(πν) (√t + √(t + Δt))). Dry walls, of
   age 0, have one too: a particle that walls hem in does not wet them (sph/stage/near.c), and yet rubs on them. */
static void layer_blocks(void *context, int begin, int end)
{
    const layer_job *job = context;
    sph_walls *w = &job->s->walls;
    const double fresh = job->growth * 0.5 * sqrt(job->dt);
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++) {
        double age = w->wet[b] > 0 ? w->unsorted.age[w->cells.order[b]] : 0;
        w->layer[b] = (float)(age > 0 ? job->growth * 0.5 * (sqrt(age) + sqrt(age + job->dt)) : fresh);
    }
}

void stage_sph_layer(const sph_model *m, sph_state *s, double dt)
{
    layer_job job = {s, dt, sqrt(FR_PI * sph_thickest(m, s)) / m->spacing};
    threads_for(sph_blocks(s->walls.count), layer_blocks, &job);
}

/* Layers age at a rate that goes with how wet the wall is. */
static void layer_age_blocks(void *context, int begin, int end)
{
    const layer_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++) {
        float *age = &w->unsorted.age[w->cells.order[b]];
        *age = w->wet[b] > 0 ? *age + w->wet[b] * (float)job->dt : 0;
    }
}

void stage_sph_layer_age(sph_state *s, double dt)
{
    layer_job job = {.s = s, .dt = dt};
    if (s->walls.sticks)
        threads_for(sph_blocks(s->walls.count), layer_age_blocks, &job);
}
