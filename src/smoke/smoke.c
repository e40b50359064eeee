/* The smoke method in a world: how long its steps are, and how they are tried, undone and accepted. */
#include "smoke/smoke.h"

#include <math.h>

#include "smoke/scheme.h"
#include "mac/stage/cfl.h"
#include "mac/stage/move.h"
#include "mac/stage/tracers.h"
#include "mac/stage/walls.h"
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
    return (model_choice){def->smoke.advection, def->smoke.ambient, central ? CENTRAL_CFL : USUAL_CFL};
}

static fr_result smoke_create(void *self)
{
    smoke_run *run = self;
    FR_TRY(model_create(run->base.def, smoke_choice(run->base.def), &run->model));
    FR_TRY(state_create(run->model, &run->state));
    run->base.now = &run->state->now;
    FR_TRY(smoke_views_create(run));
    return smoke_scheme_start(run);
}

static void smoke_destroy(void *self)
{
    smoke_run *run = self;
    if (run->model)
        state_destroy(run->model, run->state);
    model_destroy(run->model);
}

/* The step that the Courant number allows, with the speed that forces will have added at its end:
   A Δt² + r Δt = cfl, in cells. */
static double smoke_allowed_step(smoke_run *run, double rate)
{
    double cfl = run->model->cfl;
    double acceleration = stage_cfl_acceleration(run->model, smoke_buoyancy_most(&run->base.def->smoke, run->state));
    return 2 * cfl / (rate + sqrt(rate * rate + 4 * acceleration * cfl));
}

static fr_result smoke_limit_step(void *self, double most, double *dt)
{
    smoke_run *run = self;
    double rate = stage_cfl_rate(run->model, run->state, run->state->velocity);
    *dt = fmin(smoke_allowed_step(run, rate), most);
    return stage_move_limit(run->model, run->state, dt);
}

/* Forces given by functions and sources that hold a velocity may speed up the flow far beyond what the length of the
   step was chosen for. */
static fr_result smoke_check_courant(smoke_run *run, double dt)
{
    double courant = stage_cfl_rate(run->model, run->state, run->state->next_velocity) * dt;
    bool central = run->base.def->smoke.advection == FR_ADVECTION_CENTRAL;
    if (central && !run->base.def->has_prescribed && courant > LARGEST_CENTRAL)
        return fr_fail(FR_ERROR_NUMERIC, "the Courant number is %.3g, and advection = \"central\" is stable up to %.3g",
                       courant, LARGEST_CENTRAL);
    if (run->base.def->time.dt == 0 && !run->base.def->has_prescribed && courant > 2 * run->model->cfl)
        return fr_fail(FR_ERROR_NUMERIC, "the flow sped up to a Courant number of %.3g, where time.cfl asks for %.3g",
                       courant, run->model->cfl);
    return FR_OK;
}

static fr_result smoke_try_step(void *self, double dt)
{
    smoke_run *run = self;
    const model *m = run->model;
    state *s = run->state;
    s->now.courant = stage_cfl_rate(m, s, s->velocity) * dt;
    FR_TRY(stage_tracers_reserve(m, s));
    FR_TRY(smoke_scheme_step(run, dt));
    return smoke_check_courant(run, dt);
}

/* Puts obstacles and the values on the sides back to the present: the step had them at its end. */
static fr_result smoke_undo(void *self)
{
    smoke_run *run = self;
    state *s = run->state;
    FR_TRY(stage_move(run->model, s, s->now.before, s->now.time));
    return stage_walls_update(run->model, s, s->now.time);
}

static void smoke_accept(void *self)
{
    smoke_run *run = self;
    smoke_scheme_accept(run);
}

static double smoke_max_speed(void *self)
{
    smoke_run *run = self;
    return stage_cfl_max_speed(run->model, run->state);
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
    .run_bytes = sizeof(smoke_run),
    .create = smoke_create,
    .destroy = smoke_destroy,
    .limit_step = smoke_limit_step,
    .step = smoke_try_step,
    .undo = smoke_undo,
    .accept = smoke_accept,
    .max_speed = smoke_max_speed,
    .view = smoke_view,
    .probe = smoke_probe,
    .list_blocks = smoke_list_blocks,
    .fill_head = smoke_fill_head,
    .read_head = smoke_read_head,
    .restored = smoke_restored,
};
