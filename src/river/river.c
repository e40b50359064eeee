/* A river as a method: how its steps are chosen, tried and accepted. */
#include "river/river.h"

#include <math.h>
#include <stdio.h>

#include "river/check.h"
#include "river/scheme.h"
#include "river/classic/classic.h"
#include "river/stage/advect.h"
#include "river/stage/ledger.h"
#include "river/stage/sides.h"

/* Refuses probes outside the grid: they would never record anything. */
static fr_result river_check_probes(const river_run *run)
{
    for (int i = 0; i < run->base.def->probe_count; i++) {
        const fr_probe_def *probe = &run->base.def->probes[i];
        for (int end = 0; end < (probe->n > 1 ? 2 : 1); end++) {
            const double *at = end ? probe->to : probe->from;
            double grid[3];
            char key[32];
            snprintf(key, sizeof key, "probes[%d]", i + 1);
            if (!curve_find(&run->model->curve, at, grid))
                return fr_fail_key(key,
                                   "%s: (%g, %g, %g) lies outside the river; 'freshet check' says which box it lies in",
                                   key, at[0], at[1], at[2]);
        }
    }
    return FR_OK;
}

/* Largest Courant number of a flow per second. */
static double river_rate(const river_model *m, river_state *s, const field velocity[3], const field flux[3])
{
    return m->scheme == FR_RIVER_CLASSIC ? stage_classic_rate(m, s, velocity) : stage_river_rate(m, s, flux);
}

void river_rate_now(river_run *run)
{
    river_state *s = run->state;
    s->rate = river_rate(run->model, s, s->velocity, s->flux);
}

static fr_result river_create(void *self)
{
    river_run *run = self;
    FR_TRY(river_model_create(run->base.def, &run->model));
    FR_TRY(river_check_probes(run));
    FR_TRY(river_state_create(run->model, &run->state));
    run->base.now = &run->state->now;
    FR_TRY(river_views_create(run));
    FR_TRY(river_scheme_start(run->model, run->state));
    river_rate_now(run);
    return FR_OK;
}

static void river_destroy(void *self)
{
    river_run *run = self;
    river_views_destroy(run);
    if (run->model)
        river_state_destroy(run->model, run->state);
    river_model_destroy(run->model);
}

/* The step that the Courant number allows, including the speed that forces add by its end: push Δt² + rate Δt = cfl, in
   cells. */
static fr_result river_limit_step(void *self, double most, double *dt)
{
    river_run *run = self;
    double rate = fmax(run->state->rate, stage_river_sides_rate(run->model, run->state));
    double cfl = run->model->cfl, push = run->state->push;
    *dt = fmin(most, run->model->viscous_step);
    if (rate > 0 || push > 0)
        *dt = fmin(*dt, 2 * cfl / (rate + sqrt(rate * rate + 4 * push * cfl)));
    return FR_OK;
}

/* Time-dependent forces and sides may make the flow much faster than the step was chosen for. */
static fr_result river_check_courant(const river_run *run, double dt)
{
    const river_model *m = run->model;
    river_state *s = run->state;
    s->next_rate = river_rate(m, s, s->next_velocity, s->next_flux);
    double courant = dt * s->next_rate;
    if (run->base.def->time.dt == 0 && courant > 2 * m->cfl)
        return fr_fail(FR_ERROR_NUMERIC, "the flow sped up to a Courant number of %.3g, where time.cfl asks for %.3g",
                       courant, m->cfl);
    return FR_OK;
}

static fr_result river_step(void *self, double dt)
{
    river_run *run = self;
    run->base.now->courant = run->state->rate * dt;
    FR_TRY(river_scheme_step(run->model, run->state, dt, &run->base.timing));
    return river_check_courant(run, dt);
}

static fr_result river_undo(void *self)
{
    river_run *run = self;
    return stage_river_sides_update(run->model, run->state, run->base.now->time);
}

static void river_accept(void *self)
{
    river_run *run = self;
    river_scheme_accept(run->model, run->state);
    run->state->rate = run->state->next_rate;
}

static double river_max_speed(void *self)
{
    const river_run *run = self;
    return stage_river_max_speed(run->model, run->state);
}

static const fr_choice river_schemes[] = {{"flux", FR_RIVER_FLUX}, {"classic", FR_RIVER_CLASSIC}, {NULL, 0}};
#define PLACE(member) offsetof(fr_scene_def, river.member)
/* In the order of reading: inks must be declared before inflows name them. */
static const fr_key river_keys[] = {{"cells", FR_KEY_CELLS, 0, NULL, NULL},
                                    {"grid", FR_KEY_GRID, 0, NULL, NULL},
                                    {"nodes", FR_KEY_FILE, PLACE(nodes), NULL, NULL},
                                    {"scheme", FR_KEY_CHOICE, PLACE(scheme), NULL, river_schemes},
                                    {"inks", FR_KEY_INKS, 0, NULL, NULL},
                                    {"sides", FR_KEY_SIDES, 0, NULL, NULL},
                                    {"obstacles", FR_KEY_BLOCKS, 0, NULL, NULL},
                                    {"obstacle_roughness", FR_KEY_NUMBER, PLACE(block_roughness), "0 to 1", NULL},
                                    {"particles", FR_KEY_TRACERS, 0, NULL, NULL},
                                    {"sweeps", FR_KEY_INTEGER, PLACE(sweeps), NULL, NULL},
                                    {"viscous_sweeps", FR_KEY_INTEGER, PLACE(viscous_sweeps), NULL, NULL},
                                    {"bed", FR_KEY_BED, 0, NULL, NULL},
                                    {0}};
static const fr_refused_key river_refused[] = {
    {"domain", NULL, "domain: a river has no domain; its grid says where it is"},
    {"gravity", NULL,
     "gravity has no effect on a river, whose water fills its bed; push it with forces = { force{ value = {…} } }"},
    {"walls", "the other methods",
     "; a river has river.sides = { s0 = inflow{ speed = 1 }, s1 = outflow{}, t0 = bank{}, t1 = bank{} }"},
    {"obstacles", "the other methods",
     "; what stands in a river are cells: river.obstacles = { cells{ from = {…}, to = {…} } }"},
    {"fill", "method = \"sph\"", "; a river is full of water"},
    {"sinks", "method = \"sph\"", "; water leaves a river through river.sides = { s1 = outflow{} }"},
    {"particles", "method = \"smoke\"", "; a river has river.particles"},
    {"prescribed", "method = \"smoke\"", ""},
    {0}};

static const char *const river_scalars[] = {NULL};
static const char *const river_probes[] = {"u", "v", "w", "speed", "pressure", NULL};
static const char *const river_views[] = {"speed", "velocity", "u", "v", "w", "vorticity", "pressure", "divergence",
                                          "dyes", "particles", "grid", "volume", NULL};

const method method_river = {
    .info = {.name = "river",
             .resolution_key = "river.cells",
             .particles_key = "river.particles",
             .coarser = "use fewer cells (--res)",
             .easier = "a smaller time.cfl or time.dt_max, a larger solver.pressure_tolerance or "
                       "solver.max_iterations, milder forces, "
                       "fewer skewed cells",
             .scalars_key = "river.inks",
             .scalars = river_scalars,
             .keys = river_keys,
             .refused = river_refused,
             .place_key = "river",
             .place_example = "river = { cells = {100, 20}, grid = channel{ centre = {{0, 0}, {10, 0}}, width = 1 } }",
             .probes = river_probes,
             .views = river_views},
    .set_defaults = river_set_defaults,
    .check_resolution = river_check_resolution,
    .check_parts = river_check_parts,
    .sources_in_cells = true,
    .dims = river_dims,
    .describe = river_describe,
    .call_functions = river_call_functions,
    .estimate = river_estimate,
    .run_bytes = sizeof(river_run),
    .create = river_create,
    .destroy = river_destroy,
    .limit_step = river_limit_step,
    .step = river_step,
    .undo = river_undo,
    .accept = river_accept,
    .max_speed = river_max_speed,
    .view = river_view,
    .probe = river_probe,
    .fill_head = river_fill_head,
    .read_head = river_read_head,
    .list_blocks = river_list_blocks,
    .restored = river_restored,
};
