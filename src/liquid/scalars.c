/* Inks in the liquid: scalars that it carries along, with the stages of smoke.

   They are known in the liquid's cells. Beyond the surface they are continued as a constant before they are carried, so
   that what moves into a new cell brings its ink along; nothing diffuses through the surface. Cells without any liquid
   are clean between steps. They go with the mean of the flows at the step's begin and end: second order in time. */
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "liquid/liquid.h"
#include "mac/stage/advect.h"
#include "mac/stage/check.h"
#include "mac/stage/diffuse.h"
#include "mac/stage/emit.h"
#include "mac/stage/ledger.h"
#include "mac/stage/walls.h"
#include "method/evaluate.h"

fr_result liquid_scalars_create(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    liquid_state *l = &run->liquid;
    if (m->scalar_count == 0)
        return FR_OK;
    for (int a = 0; a < m->domain.dims; a++)
        FR_TRY(field_create(&m->domain, field_face(a), &l->drift[a]));
    l->ink_layers = memory_alloc(l->surface.count);
    s->dry_marks = memory_alloc(l->surface.count);
    if (!l->ink_layers || !s->dry_marks)
        return FR_ERROR_MEMORY;
    memset(l->ink_layers, EXTEND_OUTSIDE, l->surface.count);
    memset(s->dry_marks, DIFFUSION_OUTSIDE, l->surface.count);
    return FR_OK;
}

void liquid_scalars_destroy(liquid_run *run)
{
    for (int a = 0; a < 3; a++)
        field_destroy(&run->liquid.drift[a]);
    memory_free(run->liquid.ink_layers);
    if (run->flow.state)
        memory_free(run->flow.state->dry_marks);
}

typedef struct scalars_job {
    liquid_run *run;
    const field *phi; /* or the share of each cell that is liquid */
    field *ink;       /* that is cleaned in the air */
    float clean;
} scalars_job;

/* Which cells have ink of their own: those of the liquid. */
static void scalars_mark_rows(void *context, int begin, int end)
{
    const scalars_job *job = context;
    state *s = job->run->flow.state;
    const uint8_t *closed = s->solids.any ? s->solids.cell_marks : NULL;
    for (int r = begin; r < end; r++) {
        const float *phi = field_row(job->phi, r % job->phi->size[1], r / job->phi->size[1]);
        ptrdiff_t start = phi - job->phi->block;
        for (int i = 0; i < job->phi->size[0]; i++) {
            uint8_t mark = closed ? closed[start + i] : DIFFUSION_FREE;
            bool wet = phi[i] < 0 && mark != DIFFUSION_OUTSIDE;
            job->run->liquid.ink_layers[start + i] = wet ? EXTEND_KNOWN : EXTEND_FAR;
            s->dry_marks[start + i] = wet ? mark : DIFFUSION_OUTSIDE;
        }
    }
}

/* A speck less than half a cell large has liquid in cells whose centres are in the air, and none beside them whose
   centre is not: such cells keep their own ink. */
static void scalars_mark_speck_rows(void *context, int begin, int end)
{
    const scalars_job *job = context;
    const float whole = levelset_whole(job->run->liquid.levelset);
    for (int r = begin; r < end; r++) {
        const float *phi = field_row(job->phi, r % job->phi->size[1], r / job->phi->size[1]);
        uint8_t *layer = job->run->liquid.ink_layers + (phi - job->phi->block);
        for (int i = 0; i < job->phi->size[0]; i++)
            if (layer[i] == EXTEND_FAR && phi[i] < whole && levelset_share(job->phi, phi + i, 0) > 0)
                layer[i] = EXTEND_KNOWN;
    }
}

static void scalars_mark(liquid_run *run, const field *phi)
{
    scalars_job job = {.run = run, .phi = phi};
    field_for_rows(phi, scalars_mark_rows, &job);
    extend_number(phi, run->liquid.ink_layers, LIQUID_INK_LAYERS, NULL);
    field_for_rows(phi, scalars_mark_speck_rows, &job);
}

static void scalars_clean_rows(void *context, int begin, int end)
{
    const scalars_job *job = context;
    const float whole = levelset_whole(job->run->liquid.levelset);
    for (int r = begin; r < end; r++) {
        int j = r % job->phi->size[1], k = r / job->phi->size[1];
        const float *phi = field_row(job->phi, j, k);
        float *ink = field_row(job->ink, j, k);
        for (int i = 0; i < job->phi->size[0]; i++)
            if (phi[i] >= whole || (phi[i] >= 0 && levelset_share(job->phi, phi + i, 0) == 0))
                ink[i] = job->clean;
    }
}

static void scalars_share_rows(void *context, int begin, int end)
{
    const scalars_job *job = context;
    for (int r = begin; r < end; r++) {
        const float *share = field_row(job->phi, r % job->phi->size[1], r / job->phi->size[1]);
        double sum = 0;
        for (int i = 0; i < job->phi->size[0]; i++)
            sum += (double)share[i];
        job->run->flow.state->partial[r] = sum;
    }
}

/* m³ of liquid by its shares of cells. */
static double scalars_volume(liquid_run *run, const field *share)
{
    scalars_job job = {.run = run, .phi = share};
    field_for_rows(share, scalars_share_rows, &job);
    return domain_cell_volume(&run->flow.model->domain) * threads_sum(run->flow.state->partial, field_rows(share));
}

/* Continues one scalar. Of a texture coordinate it is the way that the liquid has come: then what falls or is thrown
   keeps its coordinates to the bit of rounding, all over. */
static void scalars_extend(liquid_run *run, int index, const extend_job *job, field *ink)
{
    const int texture = run->flow.model->scalars[index].texture;
    field way = state_scratch(run->flow.model, run->flow.state, 1, FR_AT_CELL);
    if (!texture) {
        extend_field(job, ink);
        return;
    }
    extend_job along = *job;
    along.far = 0;
    along.linear = true;
    liquid_texture_way(run, texture - 1, ink, &way);
    extend_field(&along, &way);
    liquid_texture_place(run, texture - 1, &way, ink);
}

/* Continues inks beyond the cells that are marked, and fills their ghosts. Further off than the layers reach spray may
   appear that only parcels knew of: it takes the mean of the liquid. */
static void scalars_continue(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    field share = state_scratch(m, s, 0, FR_AT_CELL);
    liquid_shares(run, &run->liquid.surface, &share);
    double volume = scalars_volume(run, &share);
    for (int i = 0; i < m->scalar_count; i++) {
        double mean = volume > 0 ? stage_ledger_total(m, s, i, &share) / volume : 0;
        extend_job extension = {
            .map = run->liquid.ink_layers, .depth = LIQUID_INK_LAYERS, .far = (float)(m->scalars[i].clean + mean)};
        if (!m->scalars[i].varies)
            continue;
        scalars_extend(run, i, &extension, &s->scalars[i]);
        stage_walls_scalar(m, s, i, s->velocity, &s->scalars[i]);
    }
}

/* The same as far as there is some liquid; the rest is clean. */
static void scalars_finish(liquid_run *run, const field *phi, field *inks)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    for (int i = 0; i < m->scalar_count; i++) {
        float clean = (float)m->scalars[i].clean;
        extend_job extension = {.map = run->liquid.ink_layers, .depth = LIQUID_INK_LAYERS, .far = clean};
        scalars_job job = {.run = run, .phi = phi, .ink = &inks[i], .clean = clean};
        if (!m->scalars[i].varies)
            continue;
        scalars_extend(run, i, &extension, &inks[i]);
        field_for_rows(phi, scalars_clean_rows, &job);
        stage_walls_scalar(m, s, i, s->velocity, &inks[i]);
    }
}

/* The values at the start, as the scene gives them. */
static fr_result scalars_initial(const model *m, const model_scalar *scalar, field *f)
{
    FR_TRY(evaluate_field(&scalar->initial, &m->domain, 0, f));
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++)
                field_row(f, j, k)[i] = (float)model_scalar_kept(scalar, (double)field_row(f, j, k)[i]);
    return FR_OK;
}

fr_result liquid_scalars_start(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            FR_TRY(scalars_initial(m, &m->scalars[i], &s->next_scalars[i]));
        else
            field_fill(&s->scalars[i], (float)m->scalars[i].clean);
    if (m->scalar_count == 0)
        return FR_OK;
    FR_TRY(liquid_fill_scalars(run, liquid_at_start, s->next_scalars));
    liquid_heat_start(run);
    FR_TRY(stage_check_scalars(m, s, "start"));
    scalars_mark(run, &run->liquid.surface);
    scalars_finish(run, &run->liquid.surface, s->next_scalars);
    liquid_heat_open(run);
    return FR_OK;
}

void liquid_scalars_accept(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].varies)
            field_swap(&s->scalars[i], &s->next_scalars[i]);
    liquid_heat_accept(run);
}

void liquid_scalars_mark(liquid_run *run)
{
    scalars_mark(run, &run->liquid.surface);
}

/* In place: a failed step does no harm. */
void liquid_scalars_continue(liquid_run *run)
{
    liquid_heat_enter(run);
    liquid_scalars_mark(run);
    scalars_continue(run);
}

static fr_result scalars_carry(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    if (m->scalar_count == 0)
        return FR_OK;
    liquid_scalars_continue(step->run);
    liquid_heat_begin(step->run);
    FR_TRY(liquid_heat_ports(step));
    for (int a = 0; a < m->domain.dims; a++)
        field_blend(&l->drift[a], 0.5f, &s->velocity[a], 0.5f, &s->next_velocity[a]);
    stage_advect_scalars(m, s, l->drift, step->flow.dt);
    liquid_heat_settle(step->run);
    return FR_OK;
}

static fr_result scalars_give(const liquid_step *step)
{
    state *s = step->flow.s;
    stage_dissipate(step->flow.m, s, step->flow.dt);
    FR_TRY(liquid_material_give(step));
    FR_TRY(stage_emit_scalars(step->flow.m, s));
    liquid_heat_give(step);
    liquid_heat_keep(step);
    FR_TRY(liquid_fill_scalars(step->run, (liquid_due){s->now.time, s->now.end}, s->next_scalars));
    liquid_heat_fill(step);
    return stage_check_scalars(step->flow.m, s, "emit");
}

static fr_result scalars_emit(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_run *run = step->run;
    field share = state_scratch(m, s, 0, FR_AT_CELL);
    const bool blobs = liquid_fills_due(run, (liquid_due){s->now.time, s->now.end});
    const bool heats = run->model.heat.set && (m->source_count > 0 || blobs);
    if (m->scalar_count == 0)
        return FR_OK;
    if (heats)
        liquid_shares(run, &run->liquid.next, &share);
    const double before = heats ? liquid_heat_of(run, s->next_scalars, &share).heat : 0;
    FR_TRY(scalars_give(step));
    run->liquid.heat_given += heats ? liquid_heat_of(run, s->next_scalars, &share).heat - before : 0;
    return FR_OK;
}

static fr_result scalars_diffuse(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    if (step->flow.m->scalar_count == 0)
        return FR_OK;
    scalars_mark(step->run, &l->next);
    FR_TRY(stage_diffuse_scalars(step->flow.m, step->flow.s, step->flow.dt, step->flow.m->temperature));
    FR_TRY(liquid_conduct(step));
    scalars_finish(step->run, &l->next, step->flow.s->next_scalars);
    liquid_heat_balance(step);
    return FR_OK;
}

const stage liquid_scalars[] = {{.name = "advect scalars", .run = scalars_carry},
                                {.name = "emit", .run = scalars_emit},
                                {.name = "diffuse scalars", .run = scalars_diffuse},
                                {0}};
