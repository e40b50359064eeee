/* SPH in a world: how its steps are chosen, tried and kept. */
#include "sph/sph.h"

#include <math.h>

#include "base/kernels.h"
#include "sph/floating/floating.h"
#include "sph/heat/heat.h"
#include "sph/scheme.h"
#include "sph/stage/move.h"
#include "sph/stage/pour.h"
#include "sph/stage/repel.h"
#include "sph/stage/viscosity.h"
#include "sph/stage/walls.h"

static fr_result sph_create(void *self)
{
    sph_run *run = self;
    FR_TRY(sph_model_create(run->base.def, &run->filling, &run->model));
    FR_TRY(sph_state_create(run->model, &run->state));
    run->base.now = &run->state->now;
    FR_TRY(sph_views_create(run));
    FR_TRY(sph_scheme_start(run->base.def, run->model, &run->filling, run->state));
    sph_filling_destroy(&run->filling);
    return FR_OK;
}

static void sph_destroy(void *self)
{
    sph_run *run = self;
    sph_views_destroy(run);
    sph_filling_destroy(&run->filling);
    sph_state_destroy(run->state);
    sph_model_destroy(run->model);
}

static fr_result sph_limit_step(void *self, double most, double *dt)
{
    sph_run *run = self;
    double wall_speed, pour_speed;
    FR_TRY(stage_sph_walls_speed(run->model, run->base.now->time, run->base.now->time + most, &wall_speed));
    FR_TRY(stage_sph_pour_speed(run->model, run->state, run->base.now->time, &pour_speed));
    wall_speed = fmax(2 * wall_speed, pour_speed);   /* a wall does not yield: it may go half as far */
    *dt = fmin(stage_sph_limit(run->model, run->state, wall_speed), most);
    if (run->model->sph.boundary == FR_SPH_LENNARD_JONES)
        *dt = fmin(*dt, stage_sph_repel_limit(run->model, run->state, wall_speed));
    if (run->state->floating)
        sph_floating_limit(run->model, run->state, dt);
    return FR_OK;
}

static fr_result sph_take_step(void *self, double dt)
{
    sph_run *run = self;
    run->attributes_known = false;
    run->base.now->courant = stage_sph_max_speed(run->state) * dt / run->model->spacing;
    if (run->state->heat)
        sph_heat_measure(run->model, run->state);
    FR_TRY(stage_sph_viscosity_reserve(run->model, run->state, dt));
    return sph_scheme_step(run->model, run->state, dt, &run->base.timing);
}

static void sph_accept(void *self)
{
    sph_run *run = self;
    sph_scheme_accept(run->model, run->state);
}

static double sph_max_speed(void *self)
{
    const sph_run *run = self;
    return stage_sph_max_speed(run->state);
}

static void sph_bounds(const fr_scene_def *def, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = def->domain.origin[a];
        high[a] = low[a] + def->domain.size[a];
    }
}

static const fr_choice sph_solvers[] = {
    {"dfsph", FR_SPH_DFSPH}, {"pcisph", FR_SPH_PCISPH}, {"wcsph", FR_SPH_WCSPH}, {NULL, 0}};
#define KERNEL_CHOICE(KIND, name) {#name, FR_KERNEL_##KIND},
static const fr_choice sph_kernels[] = {KERNEL_LIST(KERNEL_CHOICE) {NULL, 0}};
static const fr_choice sph_states[] = {
    {"tait", FR_SPH_TAIT}, {"linear", FR_SPH_LINEAR}, {"cole", FR_SPH_COLE}, {NULL, 0}};
static const fr_choice sph_boundaries[] = {{"particles", FR_SPH_PARTICLES}, {"collide", FR_SPH_COLLIDE},
                                           {"lennard_jones", FR_SPH_LENNARD_JONES}, {NULL, 0}};
static const fr_choice sph_densities[] = {{"sum", FR_SPH_SUM}, {"continuity", FR_SPH_CONTINUITY}, {NULL, 0}};
#define PLACE(member) offsetof(fr_scene_def, sph.member)
static const fr_key sph_keys[] = {
    {"solver", FR_KEY_CHOICE, PLACE(solver), NULL, sph_solvers},
    {"spacing", FR_KEY_POSITIVE, PLACE(spacing), "m", NULL},
    {"kernel", FR_KEY_CHOICE, PLACE(kernel), NULL, sph_kernels},
    {"support", FR_KEY_POSITIVE, PLACE(support), "spacings", NULL},
    {"density_error", FR_KEY_NUMBER, PLACE(density_error), "a share of the density", NULL},
    {"max_iterations", FR_KEY_INTEGER, PLACE(max_iterations), NULL, NULL},
    {"state", FR_KEY_CHOICE, PLACE(state), NULL, sph_states},
    {"exponent", FR_KEY_NUMBER, PLACE(exponent), NULL, NULL},
    {"stiffness", FR_KEY_POSITIVE, PLACE(stiffness), "Pa", NULL},
    {"background", FR_KEY_NUMBER, PLACE(background), "Pa", NULL},
    {"sound_speed", FR_KEY_POSITIVE, PLACE(sound_speed), "m/s", NULL},
    {"mu", FR_KEY_NUMBER, PLACE(mu), "Pa s", NULL},
    {"lambda", FR_KEY_NUMBER, PLACE(lambda), "Pa s", NULL},
    {"damping", FR_KEY_NUMBER, PLACE(damping), NULL, NULL},
    {"xsph", FR_KEY_NUMBER, PLACE(xsph), NULL, NULL},
    {"vorticity", FR_KEY_NUMBER, PLACE(vorticity), NULL, NULL},
    {"boundary", FR_KEY_CHOICE, PLACE(boundary), NULL, sph_boundaries},
    {"restitution", FR_KEY_AXES, PLACE(restitution), NULL, NULL},
    {"gap", FR_KEY_NUMBER, PLACE(gap), "spacings", NULL},
    {"exponents", FR_KEY_PAIR, PLACE(exponents), NULL, NULL},
    {"repulsion", FR_KEY_POSITIVE, PLACE(repulsion), "m2/s2", NULL},
    {"density", FR_KEY_CHOICE, PLACE(density), NULL, sph_densities},
    {0}};
static const fr_refused_key sph_refused[] = {
    {"solver", "methods on grids", "; a liquid of particles has sph.density_error and sph.max_iterations"},
    {"scalars", "methods on grids", "; a liquid of particles carries nothing else yet"},
    {"particles", "method = \"smoke\"", "; a liquid of particles shows its own"},
    {"prescribed", "method = \"smoke\"", ""},
    {0}};

static const char *const sph_scalars[] = {NULL};
static const char *const sph_probes[] = {"u",        "v",           "w",         "speed",           "density",
                                         "pressure", "temperature", "viscosity", "liquid_fraction", NULL};
static const char *const sph_views[] = {"liquid", "clay",        "particles", "speed",           "pressure", "density",
                                        "id",     "temperature", "viscosity", "liquid_fraction", NULL};

const method method_sph = {
    .info = {.name = "sph",
             .of_particles = true,
             .has_bodies = true,
             .has_surface = true,
             .resolution_key = "sph.spacing",
             .coarser = "use a larger sph.spacing (a smaller --res)",
             .easier =
                 "a smaller time.cfl or time.dt_max, a larger sph.density_error or sph.max_iterations, milder forces",
             .scalars = sph_scalars,
             .keys = sph_keys,
             .refused = sph_refused,
             .place_key = "domain",
             .place_example = "domain = { size = {1, 1} }",
             .probes = sph_probes,
             .views = sph_views},
    .set_defaults = sph_set_defaults,
    .complete = sph_complete,
    .check_resolution = sph_check_resolution,
    .check_parts = sph_check_parts,
    .bounds = sph_bounds,
    .describe = sph_describe,
    .call_functions = preview_call_functions,
    .estimate = sph_estimate,
    .run_bytes = sizeof(sph_run),
    .create = sph_create,
    .destroy = sph_destroy,
    .limit_step = sph_limit_step,
    .step = sph_take_step,
    .accept = sph_accept,
    .max_speed = sph_max_speed,
    .view = sph_view,
    .probe = sph_probe,
    .fill_head = sph_fill_head,
    .read_head = sph_read_head,
    .list_blocks = sph_list_blocks,
    .restored = sph_restored,
};
