/* SPH in a world: how its steps are chosen, tried and kept. */
#include "sph/sph.h"

#include <math.h>

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
    FR_TRY(method_sph_start(run->model, &run->filling, run->state));
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
    wall_speed = fmax(2 * wall_speed, pour_speed);   /* what a wall meets cannot push it back: it goes half as far */
    *dt = fmin(stage_sph_limit(run->model, run->state, wall_speed), most);
    if (run->base.def->sph.boundary == FR_SPH_LENNARD_JONES)
        *dt = fmin(*dt, stage_sph_repel_limit(run->model, run->state, wall_speed));
    return FR_OK;
}

static fr_result sph_step(void *self, double dt)
{
    sph_run *run = self;
    run->attributes_known = false;
    run->base.now->courant = stage_sph_max_speed(run->state) * dt / run->model->spacing;
    FR_TRY(stage_sph_viscosity_reserve(run->model, run->state, dt));
    return method_sph_step(run->model, run->state, dt, &run->base.timing);
}

/* A step writes to `next` only, and what it knows of the present stays true. */
static fr_result sph_undo(void *self)
{
    (void)self;
    return FR_OK;
}

static void sph_accept(void *self)
{
    sph_run *run = self;
    method_sph_accept(run->model, run->state);
}

static double sph_max_speed(void *self)
{
    const sph_run *run = self;
    return stage_sph_max_speed(run->state);
}

static int sph_dims(const fr_scene_def *def)
{
    return def->domain.dims;
}

static void sph_bounds(const fr_scene_def *def, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = def->domain.origin[a];
        high[a] = low[a] + def->domain.size[a];
    }
}

static const char *const sph_scalars[] = {NULL};
static const char *const sph_probes[] = {"u", "v", "w", "speed", "density", "pressure", NULL};
static const char *const sph_views[] = {"liquid", "particles", "speed", "pressure", "density", "id", NULL};

const method method_sph = {
    .info = {.name = "sph",
             .of_particles = true,
             .resolution_key = "sph.spacing",
             .coarser = "use a larger sph.spacing (a smaller --res)",
             .easier = "a smaller time.cfl or time.dt_max, a larger sph.density_error or sph.max_iterations, milder forces",
             .scalars = sph_scalars,
             .probes = sph_probes,
             .views = sph_views,
             .drivers = "velocity, gravity, force, moving wall or obstacle"},
    .set_defaults = sph_set_defaults,
    .check_resolution = sph_check_resolution,
    .check_parts = sph_check_parts,
    .dims = sph_dims,
    .bounds = sph_bounds,
    .estimate = sph_estimate,
    .run_bytes = sizeof(sph_run),
    .create = sph_create,
    .destroy = sph_destroy,
    .limit_step = sph_limit_step,
    .step = sph_step,
    .undo = sph_undo,
    .accept = sph_accept,
    .max_speed = sph_max_speed,
    .view = sph_view,
    .probe = sph_probe,
    .fill_head = sph_fill_head,
    .read_head = sph_read_head,
    .list_blocks = sph_list_blocks,
    .restored = sph_restored,
};
