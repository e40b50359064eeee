/* The level set of the liquid, whatever the tracker: carried by the flow, and kept a distance. */
#include <math.h>

#include "base/memory.h"
#include "grid/carry.h"
#include "liquid/liquid.h"
#include "mac/stage/advect.h"
#include "mac/stage/extend.h"
#include "mac/stage/walls.h"

static levelset_motion surface_motion(const fr_liquid_def *def)
{
    static const levelset_scheme schemes[] = {[FR_LIQUID_SEMI_LAGRANGIAN] = LEVELSET_SEMI_LAGRANGIAN,
                                              [FR_LIQUID_UPWIND] = LEVELSET_UPWIND,
                                              [FR_LIQUID_ENO2] = LEVELSET_ENO2,
                                              [FR_LIQUID_ENO3] = LEVELSET_ENO3,
                                              [FR_LIQUID_WENO5] = LEVELSET_WENO5};
    return (levelset_motion){.scheme = schemes[def->transport], .order = def->order};
}

/* Beyond open sides there is air. Where the flow enters it has brought some in, as deep as it has come. */
static void surface_let_air_in(const liquid_run *run, int side, const field velocity[3], double dt, field *phi)
{
    const domain *d = liquid_domain(run);
    const field *u = &velocity[side / 2];
    const int fine = run->model.settings.refine;
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, n = d->n[axis];
    ptrdiff_t in = side % 2 ? -phi->stride[axis] : phi->stride[axis];
    for (int k = 0; k < phi->size[c]; k++)
        for (int j = 0; j < phi->size[b]; j++) {
            ptrdiff_t along = j * phi->stride[b] + k * phi->stride[c];
            const float *face = u->data + (side % 2 ? n / fine * u->stride[axis] : 0) + j / fine * u->stride[b] +
                                k / fine * u->stride[c];
            double depth = (side % 2 ? -*face : *face) * dt;
            float *cell = phi->data + (side % 2 ? (n - 1) * phi->stride[axis] : 0) + along;
            for (int i = 0; i < n && (i - 0.5) * d->h[axis] < depth && depth > 0; i++, cell += in)
                *cell = fmaxf(*cell, (float)(depth - (i + 0.5) * d->h[axis]));
        }
}

fr_result liquid_carry(liquid_run *run, const field velocity[3], double seconds, field *phi)
{
    levelset_flow flow = {.velocity = velocity, .refine = run->model.settings.refine};
    levelset_motion motion = surface_motion(&run->model.settings);
    FR_TRY(levelset_carry(run->liquid.levelset, &flow, seconds, &motion, phi));
    for (int side = 0; side < 2 * run->flow.model->domain.dims; side++)
        if (run->flow.model->walls[side].kind == FR_WALL_OPEN)
            surface_let_air_in(run, side, velocity, seconds, phi);
    return FR_OK;
}

fr_result liquid_carry_surface(liquid_run *run, const field velocity[3], double seconds, field *phi)
{
    FR_TRY(liquid_carry(run, velocity, seconds, phi));
    return levelset_redistance(run->liquid.levelset, phi);
}

/* Whether it is carried without a gain of energy (grid/carry_balanced.c). */
static bool surface_is_balanced(const fr_scene_def *def)
{
    return (!liquid_has_parcels(def) || def->liquid.narrow_band > 0) && !def->has_prescribed &&
           def->liquid.advection == FR_ADVECTION_MACCORMACK;
}

/* Memory of its own for that, bytes: where two projections are asked for, scratch_velocity is what carries and is
   carried; else it lies there. */
static size_t surface_work(const fr_scene_def *def, const domain *d)
{
    size_t most = 0;
    for (int a = 0; a < d->dims; a++) {
        const size_t bytes = field_bytes(d, field_face(a));
        most = bytes > most ? bytes : most;
    }
    return surface_is_balanced(def) && def->liquid.loop == FR_LIQUID_TWICE ? most : 0;
}

double liquid_advect_bytes(const fr_scene_def *def, const domain *d)
{
    return 2.0 * (double)surface_work(def, d);
}

fr_result liquid_advect_create(liquid_run *run)
{
    state *s = run->flow.state;
    const size_t bytes = surface_work(run->flow.base.def, &run->flow.model->domain);
    for (int w = 0; w < 2 && bytes; w++)
        if (!(s->carry_work[w] = memory_alloc(bytes)))
            return FR_ERROR_MEMORY;
    return FR_OK;
}

void liquid_advect_destroy(liquid_run *run)
{
    for (int w = 0; w < 2 && run->flow.state; w++)
        memory_free(run->flow.state->carry_work[w]);
}

/* Each component without a gain of energy. Points beside the surface are interpolated from samples beyond it as well:
   were these continued as a constant, the flow would be blurred there; and that they are free of divergence (beyond.c)
   makes kinks. */
static void surface_advect_balanced(const liquid_step *step)
{
    const model *m = step->flow.m;
    state *s = step->flow.s;
    for (int a = 0; a < m->domain.dims; a++) {
        field *carried = &s->scratch_velocity[a];
        const int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
        field_copy(carried, &s->velocity[a]);
        stage_extend_slope(m, s, a, carried);
        stage_walls_component(m, s, s->velocity, carried);
        advect_component job = {.axis = a,
                                .from = carried,
                                .flow = s->velocity,
                                .to = &s->next_velocity[a],
                                .dt = step->flow.dt,
                                .work = {s->scratch_velocity[b].block, s->scratch_velocity[c].block}};
        stage_advect_component(m, s, &job);
    }
}

fr_result liquid_advect(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    const bool twice = step->run->model.settings.loop == FR_LIQUID_TWICE;
    for (int a = 0; a < m->domain.dims && twice; a++)
        field_copy(&s->next_velocity[a], &s->velocity[a]); /* it is carried after the first projection */
    if (!twice && surface_is_balanced(step->run->flow.base.def))
        surface_advect_balanced(step);
    else if (!twice)
        stage_advect_velocity(m, s, s->velocity, s->velocity, s->next_velocity, step->flow.dt);
    return FR_OK;
}
