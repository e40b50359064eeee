/* The liquid method in a world: how long its steps are, and how they are tried, undone and accepted. */
#include "liquid/liquid.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "liquid/surface_cells.h"
#include "liquid/swarm/swarm.h"
#include "mac/stage/cfl.h"
#include "mac/stage/move.h"
#include "mac/stage/tracers.h"
#include "method/check.h"
#include "method/sizes.h"

/* Maps of faces; ghosts stay outside. */
static fr_result liquid_create_wet(const model *m, state *s)
{
    for (int a = 0; a < m->domain.dims; a++) {
        s->wet[a] = memory_alloc(s->velocity[a].count);
        s->wet_spans[a] = MEMORY_NEW(extend_span, field_rows(&s->velocity[a]));
        if (!s->wet[a] || !s->wet_spans[a])
            return FR_ERROR_MEMORY;
        memset(s->wet[a], EXTEND_OUTSIDE, s->velocity[a].count);
    }
    return FR_OK;
}

/* In a prescribed flow parcels have no momentum to carry: they are markers. */
static const tracker *liquid_tracker(const fr_scene_def *def)
{
    switch (liquid_surface_of(def)) {
    case FR_LIQUID_FLIP:
    case FR_LIQUID_APIC:
        return def->has_prescribed ? &tracker_markers : &tracker_flip;
    case FR_LIQUID_PARTICLE_LEVEL_SET:
        return &tracker_particle_level_set;
    case FR_LIQUID_MARKERS:
        return &tracker_markers;
    default:
        return &tracker_level_set;
    }
}

static void liquid_open_sides(const model *m, levelset *ls)
{
    bool open[FR_SIDES];
    for (int side = 0; side < FR_SIDES; side++)
        open[side] = m->walls[side].kind == FR_WALL_OPEN;
    levelset_open_sides(ls, open);
}

static liquid_model liquid_model_of(const fr_scene_def *def)
{
    liquid_model m = {.settings = def->liquid,
                      .gravity = {def->gravity[0], def->gravity[1], def->gravity[2]},
                      .source_count = def->source_count,
                      .sink_count = def->sink_count};
    m.settings.surface = liquid_surface_of(def);
    m.heat = def->heat;
    m.melt = melt_of(&def->heat);
    swarm_settle(def, &m);
    return m;
}

/* Names of the liquid's own columns of the ledger; the world fills those of the viscosity. */
static const char *const liquid_heat_columns[] = {"heat_in", "heat_out", "heat_drift"};
static const char *const liquid_viscosity_columns[] = {"viscosity_iterations", "viscosity_residual",
                                                       "viscosity_smeared"};

/* Blocks of a snapshot: head, surface, its middle and the viscous pressure; ages of sides; parcels by layers, with
   places, velocities and slopes. */
enum { OWN_BLOCKS = 4 + FR_SIDES + 1 + 3 + 3 + 9 };

static int liquid_columns(const liquid_run *run)
{
    return (run->model.heat.set ? 3 : 0) + (run->flow.model->viscous ? 3 : 0);
}

static void liquid_name_columns(liquid_run *run)
{
    int column = mac_own_column(&run->flow);
    for (int i = 0; i < 3 && run->model.heat.set; i++)
        method_name_column(&run->flow.base, column++, liquid_heat_columns[i], "");
    for (int i = 0; i < 3 && run->flow.model->viscous; i++)
        method_name_column(&run->flow.base, column++, liquid_viscosity_columns[i], "");
}

static fr_result liquid_create(void *self)
{
    liquid_run *run = self;
    const fr_scene_def *def = run->flow.base.def;
    liquid_state *l = &run->liquid;
    run->tracker = liquid_tracker(def);
    run->model = liquid_model_of(def);
    FR_TRY(model_create(def, liquid_choice(def), &run->flow.model));
    FR_TRY(state_create(run->flow.model, &run->flow.state));
    const domain *d = &run->flow.model->domain;
    run->flow.base.now = &run->flow.state->now;
    const domain *fine = liquid_domain(run);
    FR_TRY(field_create(fine, FR_AT_CELL, &l->surface));
    FR_TRY(field_create(fine, FR_AT_CELL, &l->middle));
    FR_TRY(field_create(fine, FR_AT_CELL, &l->next));
    if (run->model.settings.refine > 1)
        FR_TRY(field_create(d, FR_AT_CELL, &l->seen));
    FR_TRY(levelset_create(fine, &l->levelset));
    liquid_open_sides(run->flow.model, l->levelset);
    if (run->flow.model->viscous)
        FR_TRY(stress_create(d, &l->stress));
    FR_TRY(liquid_nozzles_create(run));
    FR_TRY(liquid_layers_create(run));
    FR_TRY(liquid_create_wet(run->flow.model, run->flow.state));
    FR_TRY(liquid_advect_create(run));
    FR_TRY(liquid_fills_create(run));
    FR_TRY(surface_cells_create(run));
    FR_TRY(liquid_ports_create(run));
    FR_TRY(liquid_scalars_create(run));
    FR_TRY(liquid_heat_create(run));
    FR_TRY(liquid_viscosity_create(run));
    if (run->tracker->create)
        FR_TRY(run->tracker->create(run));
    FR_TRY(mac_views_create(&run->flow, 2, liquid_columns(run), OWN_BLOCKS));
    liquid_name_columns(run);
    method_name_field(&run->flow.base, "level_set", &l->surface, fine);
    if (l->viscosity.data)
        method_name_field(&run->flow.base, "viscosity", &l->viscosity, d);
    return liquid_start(run);
}

static void liquid_destroy(void *self)
{
    liquid_run *run = self;
    liquid_state *l = &run->liquid;
    for (int a = 0; a < 3 && run->flow.state; a++) {
        memory_free(run->flow.state->wet[a]);
        memory_free(run->flow.state->wet_spans[a]);
    }
    liquid_advect_destroy(run);
    liquid_fills_destroy(run);
    liquid_ports_destroy(run);
    surface_cells_destroy(run);
    liquid_nozzles_destroy(l);
    liquid_layers_destroy(l);
    liquid_scalars_destroy(run);
    liquid_heat_destroy(run);
    liquid_viscosity_destroy(run);
    field_destroy(&l->surface);
    field_destroy(&l->middle);
    field_destroy(&l->next);
    field_destroy(&l->seen);
    field_destroy(&l->deep);
    levelset_destroy(l->levelset);
    parcels_destroy(&l->parcels);
    transfer_destroy(&l->transfer);
    levelset_particles_destroy(l->level_particles);
    memory_free(l->before);
    memory_free(run->shown);
    memory_free(run->shown_velocity);
    memory_free(run->shown_radius);
    stress_destroy(l->stress);
    mac_destroy(self);
}

static fr_result liquid_call_functions(const fr_preview *preview)
{
    double first;
    FR_TRY(preview_call_functions(preview));
    return liquid_viscosity_try(preview->def, &first);
}

static fr_result liquid_limit_step(void *self, double most, double *dt)
{
    liquid_run *run = self;
    double gravity = run->flow.model->prescribed ? 0 : vec3_length(vec3_of(run->model.gravity));
    *dt = fmin(mac_allowed_step(&run->flow, gravity), most);
    return stage_move_limit(run->flow.model, run->flow.state, dt);
}

static fr_result liquid_try_step(void *self, double dt)
{
    liquid_run *run = self;
    const model *m = run->flow.model;
    state *s = run->flow.state;
    s->now.courant = stage_cfl_rate(m, s) * dt;
    FR_TRY(stage_tracers_reserve(m, s));
    if (run->tracker->reserve)
        FR_TRY(run->tracker->reserve(run));
    FR_TRY(liquid_scheme_step(run, dt));
    return mac_check_courant(&run->flow, dt);
}

static fr_result liquid_undo(void *self)
{
    liquid_run *run = self;
    field *phi = run->liquid.leaps ? &run->liquid.middle : &run->liquid.surface;
    if (run->tracker->undo)
        run->tracker->undo(run);
    FR_TRY(levelset_find(run->liquid.levelset, phi));
    FR_TRY(mac_undo(self));
    liquid_mark_wet(run->flow.model, run->flow.state, liquid_seen(run, phi));
    return FR_OK;
}

static void liquid_accept(void *self)
{
    liquid_scheme_accept(self);
}

static const fr_choice liquid_surfaces[] = {
    {"flip", FR_LIQUID_FLIP},           {"apic", FR_LIQUID_APIC},
    {"level_set", FR_LIQUID_LEVEL_SET}, {"particle_level_set", FR_LIQUID_PARTICLE_LEVEL_SET},
    {"markers", FR_LIQUID_MARKERS},     {NULL, 0}};
static const fr_choice liquid_transports[] = {{"semi_lagrangian", FR_LIQUID_SEMI_LAGRANGIAN},
                                              {"upwind", FR_LIQUID_UPWIND},
                                              {"eno2", FR_LIQUID_ENO2},
                                              {"eno3", FR_LIQUID_ENO3},
                                              {"weno5", FR_LIQUID_WENO5},
                                              {NULL, 0}};
static const fr_choice liquid_advections[] = {
    {"maccormack", FR_ADVECTION_MACCORMACK}, {"linear", FR_ADVECTION_LINEAR}, {"cubic", FR_ADVECTION_CUBIC}, {NULL, 0}};
static const fr_choice liquid_volumes[] = {{"kept", FR_LIQUID_VOLUME_KEPT}, {"free", FR_LIQUID_VOLUME_FREE}, {NULL, 0}};
static const fr_choice liquid_cells[] = {
    {"ghost_fluid", FR_LIQUID_GHOST_FLUID}, {"smooth", FR_LIQUID_SMOOTH}, {"noisy", FR_LIQUID_NOISY}, {NULL, 0}};
static const fr_choice liquid_loops[] = {{"once", FR_LIQUID_ONCE}, {"twice", FR_LIQUID_TWICE}, {NULL, 0}};
#define PLACE(member) offsetof(fr_scene_def, liquid.member)
static const fr_key liquid_keys[] = {{"surface", FR_KEY_CHOICE, PLACE(surface), NULL, liquid_surfaces},
                                     {"advection", FR_KEY_CHOICE, PLACE(advection), NULL, liquid_advections},
                                     {"transport", FR_KEY_CHOICE, PLACE(transport), NULL, liquid_transports},
                                     {"order", FR_KEY_INTEGER, PLACE(order), NULL, NULL},
                                     {"flip", FR_KEY_NUMBER, PLACE(flip), NULL, NULL},
                                     {"particles_per_cell", FR_KEY_INTEGER, PLACE(particles_per_cell), NULL, NULL},
                                     {"surface_cells", FR_KEY_CHOICE, PLACE(surface_cells), NULL, liquid_cells},
                                     {"loop", FR_KEY_CHOICE, PLACE(loop), NULL, liquid_loops},
                                     {"refine", FR_KEY_INTEGER, PLACE(refine), NULL, NULL},
                                     {"narrow_band", FR_KEY_NUMBER, PLACE(narrow_band), "cells", NULL},
                                     {"texture", FR_KEY_BOOL, PLACE(texture), NULL, NULL},
                                     {"volume", FR_KEY_CHOICE, PLACE(volume), NULL, liquid_volumes},
                                     {0}};
static const fr_refused_key liquid_refused[] = {{0}};

static const char *const liquid_probes[] = {
    "u", "v", "w", "speed", "pressure", "divergence", "vorticity", "level_set", "viscosity", "liquid_fraction", NULL};
static const char *const liquid_views[] = {
    "liquid", "clay",      "particles", "cell_types", "level_set", "speed",           "u", "v",
    "w",      "vorticity", "pressure",  "divergence", "viscosity", "liquid_fraction", NULL};
/* Scenes with heat have a temperature, those with liquids that differ in it a viscosity. */
static const char *const liquid_scalar_names[] = {"temperature", "viscosity", NULL};

const method method_liquid = {
    .info = {.name = "liquid",
             METHOD_OF_CELLS,
             .has_surface = true,
             .has_bodies = true,
             .particles_key = "particles",
             .easier = "a smaller time.cfl or time.dt_max, a larger solver.pressure_tolerance or "
                       "solver.max_iterations, milder forces",
             .source_gives = "velocity or a scalar of your own",
             .scalars = liquid_scalar_names,
             .keys = liquid_keys,
             .refused = liquid_refused,
             .probes = liquid_probes,
             .views = liquid_views},
    .set_defaults = liquid_set_defaults,
    .check_resolution = check_cells,
    .check_parts = liquid_check_parts,
    .bounds = sizes_bounds,
    .describe = liquid_describe,
    .call_functions = liquid_call_functions,
    .estimate = liquid_estimate,
    .run_bytes = sizeof(liquid_run),
    .create = liquid_create,
    .destroy = liquid_destroy,
    .limit_step = liquid_limit_step,
    .step = liquid_try_step,
    .undo = liquid_undo,
    .accept = liquid_accept,
    .max_speed = mac_max_speed,
    .view = liquid_view,
    .probe = liquid_probe,
    .list_blocks = liquid_list_blocks,
    .fill_head = liquid_fill_head,
    .read_head = liquid_read_head,
    .restored = liquid_restored,
};
