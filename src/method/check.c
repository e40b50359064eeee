/* Checks for the parts of a definition that several methods have. */
#include "method/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "method/limits.h"
#include "method/sizes.h"

const char *const check_walls_sides[FR_SIDES] = {"left", "right", "bottom", "top", "back", "front"};

fr_result check_positive(const char *key, double value, const char *unit)
{
    if (!(value > 0) || !isfinite(value))
        return fr_fail_key(key, "%s must be a positive number%s%s, not %g", key, *unit ? " of " : "", unit, value);
    return FR_OK;
}

fr_result check_not_negative(const char *key, double value)
{
    if (!(value >= 0) || !isfinite(value))
        return fr_fail_key(key, "%s must be zero or more, not %g", key, value);
    return FR_OK;
}

fr_result check_finite(const char *key, const double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(values[i]) <= MODEL_LARGEST))
            return fr_fail_key(key, "%s has the number %g; numbers must be finite and at most %g", key, values[i],
                               MODEL_LARGEST);
    return FR_OK;
}

fr_result check_no_choice(const char *key, int number)
{
    return fr_fail_key(key, "%s must be one that freshet/defs.h names, not the number %d", key, number);
}

fr_result check_placed(const char *key, const fr_placed_shape *placed)
{
    if (!placed->shape)
        return fr_fail_key(key, "%s needs a shape", key);
    FR_TRY(check_finite(key, placed->at, 3));
    FR_TRY(check_finite(key, placed->axis, 3));
    return check_finite(key, &placed->degrees, 1);
}

fr_result check_times(const char *key, double from, double to)
{
    if (isnan(from) || (to != 0 && !(to >= from)))
        return fr_fail_key(key, "%s: it ends (to = %g s) before it begins (from = %g s)", key, to, from);
    return FR_OK;
}

fr_result check_domain(const fr_domain_def *domain)
{
    if (domain->dims != 2 && domain->dims != 3)
        return fr_fail_key("domain.size", "domain.size must have two or three numbers");
    for (int a = 0; a < domain->dims; a++)
        if (!(domain->size[a] >= 1e-9) || domain->size[a] > 1e9)
            return fr_fail_key("domain.size",
                               "domain.size must be made of positive lengths in metres from 1e-9 to 1e9, not %g",
                               domain->size[a]);
    return check_finite("domain.origin", domain->origin, 3);
}

/* A step that is limited this much by the scene itself would never reach the next frame. */
static fr_result check_steps(const fr_time_def *time, const char *key, double step)
{
    const double most = 1e6;
    if (step > 0 && step < time->dt_min)
        return fr_fail_key(key, "%s (%g s) is less than time.dt_min (%g s)", key, step, time->dt_min);
    if (step > 0 && time->dt_min == 0 && step * time->fps * most < 1)
        return fr_fail_key(key,
                           "%s = %g s makes %.3g steps for each frame of %g s; a million is the most: use %.3g s or "
                           "more, or leave it out",
                           key, step, 1 / (step * time->fps), 1 / time->fps, 1 / (most * time->fps));
    return FR_OK;
}

fr_result check_time(const fr_time_def *time)
{
    FR_TRY(check_not_negative("time.duration", time->duration));
    FR_TRY(check_positive("time.fps", time->fps, "frames per second"));
    FR_TRY(check_not_negative("time.cfl", time->cfl));
    FR_TRY(check_not_negative("time.dt", time->dt));
    FR_TRY(check_not_negative("time.dt_max", time->dt_max));
    FR_TRY(check_not_negative("time.dt_min", time->dt_min));
    if (time->dt_max > 0 && time->dt_min > time->dt_max)
        return fr_fail_key("time.dt_min", "time.dt_min (%g) is greater than time.dt_max (%g)", time->dt_min,
                           time->dt_max);
    FR_TRY(check_steps(time, "time.dt", time->dt));
    FR_TRY(check_steps(time, "time.dt_max", time->dt_max));
    if (time->duration * time->fps > 1e7)
        return fr_fail_key("time.duration", "time.duration × time.fps asks for %g frames; ten million is the most",
                           time->duration * time->fps);
    return FR_OK;
}

fr_result check_cells(const fr_scene_def *def)
{
    FR_TRY(check_domain(&def->domain));
    const fr_domain_def *given = &def->domain;
    int axes = given->cells[1] == 0 && given->cells[2] == 0 ? 1 : given->dims;
    for (int a = 0; a < axes; a++)
        if (given->cells[a] < 1 || given->cells[a] > SIZES_MOST_CELLS)
            return fr_fail_key("domain.cells", "domain.cells must be between 1 and %d, not %d", SIZES_MOST_CELLS,
                               given->cells[a]);
    domain d = sizes_domain(def);
    if (!sizes_can_be_numbered(&d))
        return fr_fail_key("domain.cells",
                           "domain.cells asks for %d x %d x %d cells, more than can be numbered (about 2e9)", d.n[0],
                           d.n[1], d.n[2]);
    return FR_OK;
}

fr_result check_solver(const fr_solver_def *solver)
{
    if (!(solver->pressure_tolerance > 0 && solver->pressure_tolerance < 1))
        return fr_fail_key("solver.pressure_tolerance", "solver.pressure_tolerance must lie between 0 and 1, not %g",
                           solver->pressure_tolerance);
    if (solver->max_iterations < 1)
        return fr_fail_key("solver.max_iterations", "solver.max_iterations must be at least 1, not %d",
                           solver->max_iterations);
    if ((unsigned)solver->pressure > FR_PRESSURE_CG)
        return check_no_choice("solver.pressure", (int)solver->pressure);
    return FR_OK;
}

fr_result check_turbulence(const char *key, const fr_turbulence_def *turbulence)
{
    FR_TRY(check_not_negative(key, turbulence->speed));
    if (turbulence->speed > 0 && !(turbulence->length > 0 && isfinite(turbulence->length)))
        return fr_fail_key(key, "%s: turbulence needs a positive length (m), that of its largest eddies, not %g", key,
                           turbulence->length);
    if (turbulence->modes < 0 || turbulence->modes > 10000)
        return fr_fail_key(key, "%s: turbulence has between 1 and 10000 modes, not %d", key, turbulence->modes);
    return FR_OK;
}

fr_result check_walls(const fr_scene_def *def)
{
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "walls.%s", check_walls_sides[side]);
        const fr_wall_def *wall = &def->walls[side];
        FR_TRY(check_finite(key, wall->velocity.value, 3));
        if ((unsigned)wall->kind > FR_WALL_INFLOW)
            return check_no_choice(key, (int)wall->kind);
        bool periodic = wall->kind == FR_WALL_PERIODIC;
        if (periodic != (def->walls[side ^ 1].kind == FR_WALL_PERIODIC))
            return fr_fail_key(key, "%s: a periodic side needs its opposite, walls.%s, to be periodic too", key,
                               check_walls_sides[side ^ 1]);
        FR_TRY(check_turbulence(key, &wall->turbulence));
        if (wall->turbulence.speed > 0 && wall->kind != FR_WALL_INFLOW)
            return fr_fail_key(key, "%s: turbulence comes in with a flow; make the side an inflow{}", key);
        if (wall->kind == FR_WALL_NO_SLIP && wall->velocity.value[side / 2] != 0)
            return fr_fail_key(key, "%s: a wall can move only in its own plane; for flow through the side use inflow{}",
                               key);
    }
    return FR_OK;
}

void check_source_key(const fr_scene_def *def, int index, char key[CHECK_KEY])
{
    const fr_source_def *source = &def->sources[index];
    if (source->in_cells && source->scalar_count > 0)
        snprintf(key, CHECK_KEY, "river.inks.%s", source->scalars[0].name);
    else
        snprintf(key, CHECK_KEY, "sources[%d]", index + 1);
}

fr_result check_sources(const fr_scene_def *def, bool may_be_cells)
{
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        char key[CHECK_KEY];
        check_source_key(def, i, key);
        if (source->in_cells && !may_be_cells)
            return fr_fail_key(key, "%s: only rivers have sources in cells; give it a shape", key);
        if (!source->in_cells)
            FR_TRY(check_placed(key, &source->shape));
        FR_TRY(check_not_negative(key, source->rate));
        FR_TRY(check_finite(key, source->velocity.value, 3));
        FR_TRY(check_turbulence(key, &source->turbulence));
        if (source->turbulence.speed > 0 && !source->sets_velocity)
            return fr_fail_key(
                key, "%s: turbulence is added to a velocity; give the source one, {0, 0, 0} if it should only stir",
                key);
        FR_TRY(check_times(key, source->from, source->to));
    }
    return FR_OK;
}

static fr_result check_spin(const char *key, const fr_obstacle_def *obstacle, int dims)
{
    const double *axis = obstacle->spin_axis;
    FR_TRY(check_finite(key, axis, 3));
    FR_TRY(check_finite(key, &obstacle->spin, 1));
    if (obstacle->spin != 0 && axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
        return fr_fail_key(key, "%s: a spin of %g degrees per second needs an axis that is not zero", key,
                           obstacle->spin);
    if (obstacle->spin != 0 && dims == 2 && (axis[0] != 0 || axis[1] != 0))
        return fr_fail_key(key, "%s: a 2D scene turns about z only; the spin's axis must be {0, 0, 1}", key);
    return FR_OK;
}

static fr_result check_fan(const char *key, const fr_force_def *fan)
{
    if (!fan->shape.shape)
        return fr_fail_key(key, "%s: a fan needs a shape, inside which it blows", key);
    FR_TRY(check_finite(key, fan->direction, 3));
    FR_TRY(check_finite(key, &fan->speed.value, 1));
    if (fan->direction[0] == 0 && fan->direction[1] == 0 && fan->direction[2] == 0)
        return fr_fail_key(key, "%s: a fan needs a direction that is not zero", key);
    if (!(fan->response >= 0) || !isfinite(fan->response))
        return fr_fail_key(key, "%s: response must be zero or more (s), not %g", key, fan->response);
    return FR_OK;
}

fr_result check_forces(const fr_scene_def *def)
{
    char key[CHECK_KEY];
    for (int i = 0; i < def->force_count; i++) {
        snprintf(key, sizeof key, "forces[%d]", i + 1);
        if (def->forces[i].shape.shape)
            FR_TRY(check_placed(key, &def->forces[i].shape));
        FR_TRY(check_finite(key, def->forces[i].value.value, 3));
        if (def->forces[i].is_fan)
            FR_TRY(check_fan(key, &def->forces[i]));
    }
    return FR_OK;
}

fr_result check_obstacles(const fr_scene_def *def)
{
    char key[CHECK_KEY];
    for (int i = 0; i < def->obstacle_count; i++) {
        snprintf(key, sizeof key, "obstacles[%d]", i + 1);
        FR_TRY(check_placed(key, &def->obstacles[i].shape));
        FR_TRY(check_finite(key, &def->obstacles[i].temperature, 1));
        FR_TRY(check_spin(key, &def->obstacles[i], def->domain.dims));
    }
    return FR_OK;
}
