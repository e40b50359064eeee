/* Nozzles: where a source gives the flow its velocity, viscosity has no say. Else a liquid as stiff as toothpaste would
   stop in its nozzle, held back by whatever its strand touches. */
#include <string.h>

#include "base/memory.h"
#include "liquid/liquid.h"
#include "mac/stage/emit.h"
#include "method/times.h"

static bool nozzle_is_open(const model_source *source, const progress *now)
{
    return source->def->sets_velocity && times_overlap(source->def->from, source->def->to, now->time, now->end) > 0;
}

fr_result liquid_nozzles_create(liquid_run *run)
{
    const model *m = run->flow.model;
    bool any = false;
    for (int i = 0; i < m->source_count && run->liquid.stress; i++)
        any = any || m->sources[i].def->sets_velocity;
    for (int a = 0; a < m->domain.dims && any; a++) {
        run->liquid.held[a] = MEMORY_NEW(uint8_t, run->flow.state->velocity[a].count);
        if (!run->liquid.held[a])
            return FR_ERROR_MEMORY;
    }
    return FR_OK;
}

void liquid_nozzles_destroy(liquid_state *l)
{
    for (int a = 0; a < 3; a++)
        memory_free(l->held[a]);
}

/* Faces that a shape covers for the most part. */
static void nozzle_mark(const model_cover *faces, const field *f, uint8_t *marks)
{
    for (int64_t c = 0; c < faces->count; c++)
        if (faces->share[c] > 0.5f)
            marks[f->data - f->block + faces->at[c]] = DIFFUSION_FIXED;
}

fr_result liquid_nozzles(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    if (!l->held[0])
        return FR_OK;
    for (int a = 0; a < m->domain.dims; a++) {
        const field *f = &s->next_velocity[a];
        if (s->solids.any)
            memcpy(l->held[a], s->solids.face_marks[a], f->count);
        else
            memset(l->held[a], DIFFUSION_FREE, f->count);
        for (int i = 0; i < m->source_count; i++)
            if (nozzle_is_open(&m->sources[i], &s->now))
                nozzle_mark(&m->sources[i].faces[a], f, l->held[a]);
    }
    return stage_emit_velocity(m, s);
}
