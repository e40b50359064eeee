/* The thesis' own two ways to treat the cells at the surface, for comparison with p = 0 on the surface itself (Carlson
   6.3.1, fig. 32). In both the cells at the surface are made free of divergence by continuity before each projection,
   and where they are no part of it after it as well.

     noisy    p = 0 in the cells at the surface, which are no part of the matrix. Faces in the air take the mean of the
              velocities of their two cells, which are extended along the normal from the centres of the liquid's.
     smooth   p = 0 in the centres of the cells of air. Faces at the surface and in the air take their component from
              the faces in the liquid, along the normal. */
#include "liquid/surface_cells.h"

#include <string.h>

#include "base/memory.h"
#include "grid/halo.h"
#include "grid/outward.h"
#include "liquid/continuity.h"
#include "mac/stage/extend.h"
#include "mac/stage/walls.h"

static fr_liquid_cells cells_kind(const liquid_run *run)
{
    return run->model.settings.surface_cells;
}

fr_result surface_cells_create(liquid_run *run)
{
    const domain *d = &run->flow.model->domain;
    liquid_state *l = &run->liquid;
    if (cells_kind(run) == FR_LIQUID_GHOST_FLUID)
        return FR_OK;
    FR_TRY(field_create(d, FR_AT_CELL, &l->steps));
    l->wet_cells = memory_alloc(l->steps.count);
    if (!l->wet_cells)
        return FR_ERROR_MEMORY;
    memset(l->wet_cells, EXTEND_OUTSIDE, l->steps.count);
    return FR_OK;
}

void surface_cells_destroy(liquid_run *run)
{
    field_destroy(&run->liquid.steps);
    memory_free(run->liquid.wet_cells);
}

static continuity cells_continuity(const liquid_run *run)
{
    const state *s = run->flow.state;
    return (continuity){.d = &run->flow.model->domain, .phi = s->surface, .solids = &s->solids};
}

typedef struct cells_job {
    liquid_run *run;
    continuity liquid;
    field *centres, *velocity; /* of one component */
    int axis;
} cells_job;

/* −1 where the pressure is sought and 0 elsewhere: the distance to p = 0 is then one cell along every grid line. */
static void cells_step_rows(void *context, int begin, int end)
{
    const cells_job *job = context;
    const field *phi = job->liquid.phi;
    const bool noisy = cells_kind(job->run) == FR_LIQUID_NOISY;
    for (int r = begin; r < end; r++) {
        int j = r % phi->size[1], k = r / phi->size[1];
        const float *row = field_row(phi, j, k);
        float *to = field_row(&job->run->liquid.steps, j, k);
        for (int i = 0; i < phi->size[0]; i++) {
            bool out = row[i] >= 0 || (noisy && continuity_at_surface(&job->liquid, (int[3]){i, j, k}));
            to[i] = out ? 0 : -1;
        }
    }
}

void surface_cells_place_pressure(liquid_run *run)
{
    liquid_state *l = &run->liquid;
    if (cells_kind(run) == FR_LIQUID_GHOST_FLUID)
        return;
    cells_job job = {.run = run, .liquid = cells_continuity(run)};
    field_for_rows(&l->steps, cells_step_rows, &job);
    halo_fill_even(&l->steps, &run->flow.model->domain);
    run->flow.state->pressure_surface = &l->steps;
}

static void cells_keep_continuity(liquid_run *run)
{
    state *s = run->flow.state;
    continuity c = cells_continuity(run);
    continuity_enforce(&c, s->next_velocity);
    stage_walls_velocity(run->flow.model, s, s->next_velocity);
}

fr_result surface_cells_project(liquid_run *run, double dt, pressure_kind kind)
{
    if (cells_kind(run) != FR_LIQUID_GHOST_FLUID)
        cells_keep_continuity(run);
    FR_TRY(stage_pressure(run->flow.model, run->flow.state, dt, kind, 0));
    /* no pressure takes the fall g Δt off the outer faces of cells that are no part of the matrix: still water would
       sink by it */
    if (cells_kind(run) == FR_LIQUID_NOISY)
        cells_keep_continuity(run);
    else if (cells_kind(run) == FR_LIQUID_SMOOTH) /* what lies along the normal is read beyond the sides, too */
        stage_walls_velocity(run->flow.model, run->flow.state, run->flow.state->next_velocity);
    return FR_OK;
}

typedef struct cells_marks {
    const field *phi, *layout;
    const uint8_t *solids; /* layers of obstacles; NULL: none */
    uint8_t *map;
    ptrdiff_t below; /* from a face's upper cell to its lower one */
} cells_marks;

/* Faces between two cells of the liquid are known, those between liquid and air are the first layer. */
static void cells_mark_rows(void *context, int begin, int end)
{
    const cells_marks *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->layout->size[1], k = r / job->layout->size[1];
        ptrdiff_t start = field_row(job->layout, j, k) - job->layout->block;
        const float *phi = field_row(job->phi, j, k);
        for (int i = 0; i < job->layout->size[0]; i++) {
            uint8_t layer = job->solids ? job->solids[start + i] : SOLIDS_FLUID;
            int wet = (phi[i] < 0) + (phi[i - job->below] < 0);
            bool open = layer == SOLIDS_FLUID || layer == SOLIDS_SLIVER;
            job->map[start + i] = !open || wet == 0 ? EXTEND_FAR : wet == 2 ? EXTEND_KNOWN : 1;
        }
    }
}

/* Faces at the surface take their component from those in the liquid. Uses s->wet, and puts it back. */
static void cells_calm_faces(liquid_run *run, field velocity[3])
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    for (int a = 0; a < m->domain.dims; a++) {
        cells_marks marks = {.phi = s->surface,
                             .layout = &velocity[a],
                             .solids = s->solids.any ? s->solids.face_layers[a] : NULL,
                             .map = s->wet[a],
                             .below = s->surface->stride[a]};
        field_for_rows(marks.layout, cells_mark_rows, &marks);
        outward_extend(&(outward_job){&m->domain, s->surface, s->wet[a], 1, marks.solids}, &velocity[a]);
    }
    liquid_mark_wet(m, s, s->surface);
}

static void cells_extend_faces(liquid_run *run, field velocity[3])
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    cells_calm_faces(run, velocity);
    stage_extend_velocity(m, s, velocity);
    stage_walls_velocity(m, s, velocity);
    for (int a = 0; a < m->domain.dims; a++) {
        const uint8_t *solids = s->solids.any ? s->solids.face_layers[a] : NULL;
        outward_extend(&(outward_job){&m->domain, s->surface, s->wet[a], s->wet_depth, solids}, &velocity[a]);
    }
    stage_walls_velocity(m, s, velocity);
}

/* A component in the centres of the liquid's cells; and which cells these are. */
static void cells_centre_rows(void *context, int begin, int end)
{
    const cells_job *job = context;
    const field *phi = job->liquid.phi, *u = job->velocity;
    for (int r = begin; r < end; r++) {
        int j = r % phi->size[1], k = r / phi->size[1];
        const float *row = field_row(phi, j, k), *face = field_row(u, j, k);
        uint8_t *map = job->run->liquid.wet_cells + (row - phi->block);
        float *to = field_row(job->centres, j, k);
        for (int i = 0; i < phi->size[0]; i++) {
            map[i] = row[i] < 0 ? EXTEND_KNOWN : EXTEND_FAR;
            to[i] = row[i] < 0 ? 0.5f * (face[i] + face[i + u->stride[job->axis]]) : 0;
        }
    }
}

/* Faces in the air between two cells that the layers have reached. */
static void cells_face_rows(void *context, int begin, int end)
{
    const cells_job *job = context;
    const state *s = job->run->flow.state;
    const field *u = job->velocity, *centres = job->centres;
    const uint8_t *solids = s->solids.any ? s->solids.face_layers[job->axis] : NULL;
    const ptrdiff_t below = centres->stride[job->axis];
    for (int r = begin; r < end; r++) {
        int j = r % u->size[1], k = r / u->size[1];
        float *row = field_row(u, j, k);
        const float *upper = field_row(centres, j, k);
        const uint8_t *cell = job->run->liquid.wet_cells + (upper - centres->block);
        for (int i = 0; i < u->size[0]; i++) {
            ptrdiff_t at = row + i - u->block;
            bool dry = s->wet[job->axis][at] >= 1 && s->wet[job->axis][at] <= s->wet_depth;
            bool free = !solids || solids[at] == SOLIDS_FLUID || solids[at] == SOLIDS_SLIVER;
            if (dry && free && cell[i] <= s->wet_depth && cell[i - below] <= s->wet_depth)
                row[i] = 0.5f * (upper[i] + upper[i - below]);
        }
    }
}

static void cells_extend_centres(liquid_run *run, field velocity[3])
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    field centres = state_scratch(m, s, 0, FR_AT_CELL);
    uint8_t *map = run->liquid.wet_cells;
    stage_extend_velocity(m, s, velocity);
    stage_walls_velocity(m, s, velocity);
    for (int a = 0; a < m->domain.dims; a++) {
        cells_job job = {run, cells_continuity(run), &centres, &velocity[a], a};
        field_for_rows(&centres, cells_centre_rows, &job);
        extend_number(&centres, map, s->wet_depth, NULL);
        extend_field(&(extend_job){.map = map, .depth = s->wet_depth}, &centres);
        outward_extend(&(outward_job){&m->domain, s->surface, map, s->wet_depth, NULL}, &centres);
        field_for_rows(&velocity[a], cells_face_rows, &job);
    }
    stage_walls_velocity(m, s, velocity);
}

void surface_cells_finish_velocity(liquid_run *run, field velocity[3])
{
    state *s = run->flow.state;
    fr_liquid_cells kind = run->flow.model->prescribed ? FR_LIQUID_GHOST_FLUID : cells_kind(run);
    if (kind == FR_LIQUID_NOISY)
        cells_extend_centres(run, velocity);
    else if (kind == FR_LIQUID_SMOOTH)
        cells_extend_faces(run, velocity);
    else
        liquid_finish_velocity(run->flow.model, s, velocity);
}
