/* The smoke method in a world: how long its steps are, and how they are tried, undone and accepted. */
#include "smoke/smoke.h"

#include <math.h>

#include "smoke/scheme.h"
#include "mac/stage/cfl.h"
#include "mac/stage/move.h"
#include "mac/stage/tracers.h"
#include "method/check.h"
#include "method/sizes.h"
#include "smoke/buoyancy.h"

/* Courant number along the fastest axis at which the three passes of `central` still hold (central.c). */
static const double LARGEST_CENTRAL = 1.2;

/* Courant numbers where the scene names none; `central` is explicit. */
static const double USUAL_CFL = 4, CENTRAL_CFL = 0.6;

model_choice smoke_choice(const fr_scene_def *def)
{
    bool central = def->smoke.advection == FR_ADVECTION_CENTRAL;
    return (model_choice){.own_scalars = smoke_own_scalars,
                          .advection = def->smoke.advection,
                          .ambient = def->smoke.ambient,
                          .cfl = central ? CENTRAL_CFL : USUAL_CFL};
}

static fr_result smoke_create(void *self)
{
    mac_run *run = self;
    FR_TRY(model_create(run->base.def, smoke_choice(run->base.def), &run->model));
    FR_TRY(state_create(run->model, &run->state));
    run->base.now = &run->state->now;
    FR_TRY(mac_views_create(run, 0, 0, 0));
    return smoke_scheme_start(run);
}

static fr_result smoke_estimate(void *self, fr_estimate *estimate)
{
    const mac_run *run = self;
    return mac_estimate(run->base.def, smoke_choice(run->base.def), estimate);
}

static fr_result smoke_limit_step(void *self, double most, double *dt)
{
    mac_run *run = self;
    *dt = fmin(mac_allowed_step(run, smoke_buoyancy_most(&run->base.def->smoke, run->state)), most);
    return stage_move_limit(run->model, run->state, dt);
}

static fr_result smoke_check_courant(mac_run *run, double dt)
{
    double courant = stage_cfl_next_rate(run->model, run->state) * dt;
    bool central = run->base.def->smoke.advection == FR_ADVECTION_CENTRAL;
    if (central && !run->base.def->has_prescribed && courant > LARGEST_CENTRAL)
        return fr_fail(FR_ERROR_NUMERIC, "the Courant number is %.3g, and advection = \"central\" is stable up to %.3g",
                       courant, LARGEST_CENTRAL);
    return mac_check_courant(run, dt);
}

static fr_result smoke_try_step(void *self, double dt)
{
    mac_run *run = self;
    const model *m = run->model;
    state *s = run->state;
    s->now.courant = stage_cfl_rate(m, s) * dt;
    FR_TRY(stage_tracers_reserve(m, s));
    FR_TRY(smoke_scheme_step(run, dt));
    return smoke_check_courant(run, dt);
}

static void smoke_accept(void *self)
{
    mac_run *run = self;
    smoke_scheme_accept(run);
}

static const fr_choice smoke_advections[] = {
    {"maccormack", FR_ADVECTION_MACCORMACK}, {"linear", FR_ADVECTION_LINEAR},   {"cubic", FR_ADVECTION_CUBIC},
    {"reflection", FR_ADVECTION_REFLECTION}, {"central", FR_ADVECTION_CENTRAL}, {NULL, 0}};
#define PLACE(member) offsetof(fr_scene_def, smoke.member)
static const fr_key smoke_buoyancy_keys[] = {
    {"temperature", FR_KEY_NUMBER, PLACE(buoyancy_temperature), "m/s² per kelvin", NULL},
    {"density", FR_KEY_NUMBER, PLACE(buoyancy_density), "m/s² per unit of density", NULL},
    {0}};
static const fr_key smoke_keys[] = {{"advection", FR_KEY_CHOICE, PLACE(advection), NULL, smoke_advections},
                                    {"vorticity", FR_KEY_NUMBER, PLACE(vorticity), NULL, NULL},
                                    {"buoyancy", FR_KEY_TABLE, 0, NULL, smoke_buoyancy_keys},
                                    {"ambient", FR_KEY_NUMBER, PLACE(ambient), "K", NULL},
                                    {0}};
static const fr_refused_key smoke_refused[] = {
    {"fill", "method = \"sph\"", "; air is everywhere: sources and initial say what it holds"},
    {"sinks", "method = \"sph\"", "; air leaves through sides that are \"open\""},
    {0}};

static const char *const smoke_probes[] = {"u", "v", "w", "speed", "pressure", "divergence", "vorticity", NULL};
static const char *const smoke_views[] = {"speed", "u", "v", "w", "vorticity", "pressure", "divergence", "dyes",
                                          "volume", NULL};

const method method_smoke = {
    .info = {.name = "smoke",
             METHOD_OF_CELLS,
             .has_bodies = true,
             .particles_key = "particles",
             .easier = "a smaller time.cfl or time.dt_max, a larger solver.pressure_tolerance or "
                       "solver.max_iterations, milder forces",
             .source_gives = "density, temperature, velocity or a scalar of your own",
             .scalars = smoke_own_scalars,
             .keys = smoke_keys,
             .refused = smoke_refused,
             .probes = smoke_probes,
             .views = smoke_views},
    .set_defaults = smoke_set_defaults,
    .check_resolution = check_cells,
    .check_parts = smoke_check_parts,
    .bounds = sizes_bounds,
    .describe = smoke_describe,
    .call_functions = preview_call_functions,
    .estimate = smoke_estimate,
    .run_bytes = sizeof(mac_run),
    .create = smoke_create,
    .destroy = mac_destroy,
    .limit_step = smoke_limit_step,
    .step = smoke_try_step,
    .undo = mac_undo,
    .accept = smoke_accept,
    .max_speed = mac_max_speed,
    .view = smoke_view,
    .probe = mac_probe,
    .list_blocks = mac_list_blocks,
    .fill_head = mac_fill_head,
    .read_head = mac_read_head,
    .restored = mac_restored,
};
