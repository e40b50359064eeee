/* Whether a definition is legal. Each failure names its key, so that a scene file can name the line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/limits.h"
#include "model/sizes.h"

enum { KEY = 96 };

static fr_result check_positive(const char *key, double value, const char *unit)
{
    if (!(value > 0) || !isfinite(value))
        return fr_fail_key(key, "%s must be a positive number%s%s, not %g", key, *unit ? " of " : "", unit, value);
    return FR_OK;
}

static fr_result check_not_negative(const char *key, double value)
{
    if (!(value >= 0) || !isfinite(value))
        return fr_fail_key(key, "%s must be zero or more, not %g", key, value);
    return FR_OK;
}

static fr_result check_finite(const char *key, const double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(values[i]) <= MODEL_LARGEST))
            return fr_fail_key(key, "%s has the number %g; numbers must be finite and at most %g", key, values[i], MODEL_LARGEST);
    return FR_OK;
}

static fr_result check_domain(const fr_domain_def *domain)
{
    if (domain->dims != 2 && domain->dims != 3)
        return fr_fail_key("domain.size", "domain.size must have two or three numbers");
    for (int a = 0; a < domain->dims; a++)
        if (!(domain->size[a] > 0) || domain->size[a] > 1e9)
            return fr_fail_key("domain.size", "domain.size must be made of positive lengths in metres up to 1e9, not %g", domain->size[a]);
    FR_TRY(check_finite("domain.origin", domain->origin, 3));
    int given = domain->cells[1] == 0 && domain->cells[2] == 0 ? 1 : domain->dims;
    for (int a = 0; a < given; a++)
        if (domain->cells[a] < 1 || domain->cells[a] > SIZES_MOST_CELLS)
            return fr_fail_key("domain.cells", "domain.cells must be between 1 and %d, not %d", SIZES_MOST_CELLS, domain->cells[a]);
    return FR_OK;
}

static fr_result check_size(const fr_scene_def *def)
{
    domain d = sizes_domain(def);
    if (!sizes_can_be_numbered(&d))
        return fr_fail_key("domain.cells", "domain.cells asks for %d x %d x %d cells, more than can be numbered (about 2e9)", d.n[0], d.n[1], d.n[2]);
    return FR_OK;
}

static fr_result check_time(const fr_time_def *time)
{
    FR_TRY(check_not_negative("time.duration", time->duration));
    FR_TRY(check_positive("time.fps", time->fps, "frames per second"));
    FR_TRY(check_not_negative("time.cfl", time->cfl));
    FR_TRY(check_not_negative("time.dt", time->dt));
    FR_TRY(check_not_negative("time.dt_max", time->dt_max));
    FR_TRY(check_not_negative("time.dt_min", time->dt_min));
    if (time->dt_max > 0 && time->dt_min > time->dt_max)
        return fr_fail_key("time.dt_min", "time.dt_min (%g) is greater than time.dt_max (%g)", time->dt_min, time->dt_max);
    if (time->duration * time->fps > 1e7)
        return fr_fail_key("time.duration", "time.duration × time.fps asks for %g frames; ten million is the most", time->duration * time->fps);
    return FR_OK;
}

static fr_result check_turbulence(const char *key, const fr_turbulence_def *turbulence)
{
    FR_TRY(check_not_negative(key, turbulence->speed));
    if (turbulence->speed > 0 && !(turbulence->length > 0 && isfinite(turbulence->length)))
        return fr_fail_key(key, "%s: turbulence needs a positive length (m), that of its largest eddies, not %g", key, turbulence->length);
    if (turbulence->modes < 0 || turbulence->modes > 10000)
        return fr_fail_key(key, "%s: turbulence has between 1 and 10000 modes, not %d", key, turbulence->modes);
    return FR_OK;
}

static fr_result check_walls(const fr_scene_def *def)
{
    static const char *const names[FR_SIDES] = {"left", "right", "bottom", "top", "back", "front"};
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        char key[KEY];
        snprintf(key, sizeof key, "walls.%s", names[side]);
        const fr_wall_def *wall = &def->walls[side];
        FR_TRY(check_finite(key, wall->velocity.value, 3));
        bool periodic = wall->kind == FR_WALL_PERIODIC;
        if (periodic != (def->walls[side ^ 1].kind == FR_WALL_PERIODIC))
            return fr_fail_key(key, "%s: a periodic side needs its opposite, walls.%s, to be periodic too", key, names[side ^ 1]);
        FR_TRY(check_turbulence(key, &wall->turbulence));
        if (wall->turbulence.speed > 0 && wall->kind != FR_WALL_INFLOW)
            return fr_fail_key(key, "%s: turbulence comes in with a flow; make the side an inflow{}", key);
        if (wall->kind == FR_WALL_NO_SLIP && wall->velocity.value[side / 2] != 0)
            return fr_fail_key(key, "%s: a wall can move only in its own plane; for flow through the side use inflow{}", key);
    }
    return FR_OK;
}

static fr_result check_solver(const fr_solver_def *solver)
{
    if (!(solver->pressure_tolerance > 0 && solver->pressure_tolerance < 1))
        return fr_fail_key("solver.pressure_tolerance", "solver.pressure_tolerance must lie between 0 and 1, not %g", solver->pressure_tolerance);
    if (solver->max_iterations < 1)
        return fr_fail_key("solver.max_iterations", "solver.max_iterations must be at least 1, not %d", solver->max_iterations);
    return FR_OK;
}

static bool check_knows_scalar(const fr_scene_def *def, const char *name)
{
    if (!strcmp(name, "density") || !strcmp(name, "temperature"))
        return true;
    for (int i = 0; i < def->scalar_count; i++)
        if (!strcmp(def->scalars[i].name, name))
            return true;
    return false;
}

static fr_result check_scalar_values(const fr_scene_def *def, const char *key, const fr_scalar_value *values, int count)
{
    for (int i = 0; i < count; i++) {
        if (!check_knows_scalar(def, values[i].name))
            return fr_fail_key(key, "%s: there is no scalar '%s'; declare it in scalars = { %s = {} }", key, values[i].name, values[i].name);
        FR_TRY(check_finite(key, &values[i].value.value, 1));
    }
    return FR_OK;
}

static fr_result check_refine(const fr_scene_def *def, const fr_scalar_def *scalar, const char *key)
{
    if (scalar->refine < 0 || scalar->refine > SIZES_MOST_REFINE)
        return fr_fail_key(key, "%s: refine must lie between 1 and %d, not %d", key, SIZES_MOST_REFINE, scalar->refine);
    if (scalar->refine <= 1)
        return FR_OK;
    if (!strcmp(scalar->name, "temperature"))
        return fr_fail_key(key, "%s: refine is for what the flow only carries; the temperature drives it and lives on its cells. Use more cells (domain.cells)", key);
    domain d = sizes_domain(def);
    for (int a = 0; a < d.dims; a++)
        if (d.n[a] > SIZES_MOST_CELLS / scalar->refine)
            return fr_fail_key(key, "%s: refine = %d asks for %d cells along %c; %d is the most", key, scalar->refine, d.n[a] * scalar->refine, "xyz"[a],
                               SIZES_MOST_CELLS);
    domain fine = sizes_refined(&d, scalar->refine);
    if (!sizes_can_be_numbered(&fine))
        return fr_fail_key(key, "%s: refine = %d asks for %d x %d x %d cells, more than can be numbered (about 2e9)", key, scalar->refine, fine.n[0],
                           fine.n[1], fine.n[2]);
    return FR_OK;
}

static fr_result check_scalars(const fr_scene_def *def)
{
    static const char *const taken[] = {"u", "v", "w", "pressure", "divergence", "vorticity", "solid", "speed", "velocity", "x", "y", "z",
                                        "particles", "particle_velocity", "turbulence"};
    for (int i = 0; i < def->scalar_count; i++) {
        const fr_scalar_def *scalar = &def->scalars[i];
        char key[KEY];
        snprintf(key, sizeof key, "scalars.%s", scalar->name);
        for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
            if (!strcmp(scalar->name, taken[k]))
                return fr_fail_key(key, "%s: the name '%s' belongs to a field of the flow; choose another", key, scalar->name);
        if (!(scalar->diffusion >= 0) || !isfinite(scalar->diffusion))
            return fr_fail_key(key, "%s: diffusion must be zero or more (m²/s), not %g", key, scalar->diffusion);
        if (!(scalar->dissipation >= 0) || !isfinite(scalar->dissipation))
            return fr_fail_key(key, "%s: dissipation must be zero or more (1/s), not %g", key, scalar->dissipation);
        if (scalar->transport != FR_TRANSPORT_CARRIED && scalar->transport != FR_TRANSPORT_CONSERVATIVE)
            return fr_fail_key(key, "%s: transport must be \"carried\" or \"conservative\", not the number %d", key, (int)scalar->transport);
        FR_TRY(check_refine(def, scalar, key));
        if (scalar->refine > 1 && scalar->transport == FR_TRANSPORT_CONSERVATIVE)
            return fr_fail_key(key, "%s: conservative transport works on the flow's own cells; remove refine or transport", key);
    }
    for (int side = 0; side < 2 * def->domain.dims; side++)
        FR_TRY(check_scalar_values(def, "walls", def->walls[side].scalars, def->walls[side].scalar_count));
    return check_scalar_values(def, "initial", def->initial, def->initial_count);
}

static fr_result check_placed(const char *key, const fr_placed_shape *placed)
{
    if (!placed->shape)
        return fr_fail_key(key, "%s needs a shape", key);
    FR_TRY(check_finite(key, placed->at, 3));
    FR_TRY(check_finite(key, placed->axis, 3));
    return check_finite(key, &placed->degrees, 1);
}

static fr_result check_sources(const fr_scene_def *def)
{
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        char key[KEY];
        snprintf(key, sizeof key, "sources[%d]", i + 1);
        FR_TRY(check_placed(key, &source->shape));
        FR_TRY(check_scalar_values(def, key, source->scalars, source->scalar_count));
        FR_TRY(check_not_negative(key, source->rate));
        FR_TRY(check_finite(key, source->velocity.value, 3));
        FR_TRY(check_turbulence(key, &source->turbulence));
        if (source->turbulence.speed > 0 && !source->sets_velocity)
            return fr_fail_key(key, "%s: turbulence is added to a velocity; give the source one, {0, 0, 0} if it should only stir", key);
        if (source->to < source->from)
            return fr_fail_key(key, "%s: it ends (to = %g s) before it begins (from = %g s)", key, source->to, source->from);
    }
    return FR_OK;
}

static fr_result check_spin(const char *key, const fr_obstacle_def *obstacle, int dims)
{
    const double *axis = obstacle->spin_axis;
    FR_TRY(check_finite(key, axis, 3));
    FR_TRY(check_finite(key, &obstacle->spin, 1));
    if (obstacle->spin != 0 && axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
        return fr_fail_key(key, "%s: a spin of %g degrees per second needs an axis that is not zero", key, obstacle->spin);
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

static fr_result check_tracers_start(const char *key, const fr_tracers_def *tracers)
{
    int ways = (tracers->per_cell > 0) + (tracers->count > 0);
    if (!(tracers->per_cell >= 0 && tracers->per_cell <= 1e6) || tracers->count < 0)
        return fr_fail_key(key, "%s: per_cell must lie between 0 and 1e6 and count must not be negative", key);
    if (!(tracers->rate >= 0 && tracers->rate <= 1e12))
        return fr_fail_key(key, "%s: rate must lie between 0 and 1e12 particles per second, not %g", key, tracers->rate);
    if (ways == 2)
        return fr_fail_key(key, "%s: per_cell and count both say how many there are at the start; keep one of them", key);
    if (ways == 0 && tracers->rate == 0)
        return fr_fail_key(key, "%s has no particles; say how many: count or per_cell at the start, rate per second", key);
    if (!(tracers->to >= tracers->from))
        return fr_fail_key(key, "%s: it ends (to = %g s) before it begins (from = %g s)", key, tracers->to, tracers->from);
    if (!(tracers->from >= 0))
        return fr_fail_key(key, "%s: from must be zero or more, not %g", key, tracers->from);
    return FR_OK;
}

static fr_result check_tracers(const fr_scene_def *def)
{
    for (int i = 0; i < def->tracer_count; i++) {
        const fr_tracers_def *tracers = &def->tracers[i];
        char key[KEY];
        snprintf(key, sizeof key, "particles[%d]", i + 1);
        if (tracers->shape.shape)
            FR_TRY(check_placed(key, &tracers->shape));
        FR_TRY(check_tracers_start(key, tracers));
        FR_TRY(check_finite(key, &tracers->settle, 1));
        FR_TRY(check_finite(key, tracers->velocity, 3));
        if (!(tracers->lifetime >= 0 && tracers->response >= 0) || !isfinite(tracers->lifetime) || !isfinite(tracers->response))
            return fr_fail_key(key, "%s: lifetime and response must be zero or more (s), not %g and %g", key, tracers->lifetime, tracers->response);
        if (tracers->settle != 0 && def->gravity[0] == 0 && def->gravity[1] == 0 && def->gravity[2] == 0)
            return fr_fail_key(key, "%s: gravity is zero, so there is no down to settle to; leave gravity out or give it a direction", key);
        if (tracers->has_velocity && tracers->response == 0)
            return fr_fail_key(key, "%s: without a response time particles take the flow's velocity at once; give response (s) or leave velocity out", key);
    }
    return FR_OK;
}

static fr_result check_bodies_of_scene(const fr_scene_def *def)
{
    char key[KEY];
    for (int i = 0; i < def->force_count; i++) {
        snprintf(key, sizeof key, "forces[%d]", i + 1);
        if (def->forces[i].shape.shape)
            FR_TRY(check_placed(key, &def->forces[i].shape));
        FR_TRY(check_finite(key, def->forces[i].value.value, 3));
        if (def->forces[i].is_fan)
            FR_TRY(check_fan(key, &def->forces[i]));
    }
    for (int i = 0; i < def->obstacle_count; i++) {
        snprintf(key, sizeof key, "obstacles[%d]", i + 1);
        FR_TRY(check_placed(key, &def->obstacles[i].shape));
        FR_TRY(check_finite(key, &def->obstacles[i].temperature, 1));
        FR_TRY(check_spin(key, &def->obstacles[i], def->domain.dims));
    }
    return FR_OK;
}

static bool check_knows_field(const fr_scene_def *def, const char *name)
{
    static const char *const fields[] = {"u", "v", "w", "speed", "pressure", "divergence", "vorticity"};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        if (!strcmp(name, fields[k]))
            return def->domain.dims == 3 || strcmp(name, "w") != 0;
    return check_knows_scalar(def, name);
}

static fr_result check_probes(const fr_scene_def *def)
{
    for (int i = 0; i < def->probe_count; i++) {
        const fr_probe_def *probe = &def->probes[i];
        char key[KEY];
        snprintf(key, sizeof key, "probes[%d]", i + 1);
        FR_TRY(check_not_negative(key, probe->every));
        if (probe->n < 1 || probe->n > 100000)
            return fr_fail_key(key, "%s: n must be between 1 and 100000, not %d", key, probe->n);
        for (int f = 0; f < probe->field_count; f++)
            if (!check_knows_field(def, probe->fields[f]))
                return fr_fail_key(key, "%s: there is no field '%s'", key, probe->fields[f]);
        domain d = sizes_domain(def);
        for (int end = 0; end < 2; end++)
            for (int a = 0; a < d.dims; a++) {
                double x = (end ? probe->to : probe->from)[a] - d.origin[a], length = d.n[a] * d.h[a];
                if (!(x >= -1e-9 * length && x <= (1 + 1e-9) * length))
                    return fr_fail_key(key, "%s lies outside the domain (%c from %g to %g m)", key, "xyz"[a], d.origin[a], d.origin[a] + length);
            }
    }
    return FR_OK;
}

/* A given flow is not solved: what would push it has no meaning. */
static fr_result check_central(const fr_scene_def *def)
{
    if (def->smoke.advection == FR_ADVECTION_CENTRAL && def->time.cfl > 1)
        return fr_fail_key("time.cfl", "time.cfl = %g: advection = \"central\" is explicit and needs 1 or less; leave time.cfl out for 0.6", def->time.cfl);
    return FR_OK;
}

static fr_result check_prescribed(const fr_scene_def *def)
{
    if (!def->has_prescribed)
        return FR_OK;
    const char *idle = def->force_count > 0                                                    ? "forces"
                       : def->has_initial_velocity                                             ? "initial.velocity"
                       : def->initial_turbulence.speed > 0                                     ? "initial.turbulence"
                       : def->fluid.viscosity > 0                                              ? "fluid.viscosity"
                       : def->smoke.vorticity > 0                                              ? "smoke.vorticity"
                       : def->smoke.buoyancy_temperature != 0 || def->smoke.buoyancy_density != 0 ? "smoke.buoyancy"
                                                                                               : NULL;
    for (int i = 0; i < def->source_count && !idle; i++)
        idle = def->sources[i].sets_velocity ? "the velocity of a source" : NULL;
    if (idle)
        return fr_fail_key("prescribed", "prescribed: the flow is given, so %s would have no effect; remove one of the two", idle);
    return FR_OK;
}

static fr_result check_initial_once(const fr_scene_def *def)
{
    for (int i = 0; i < def->initial_count; i++)
        for (int k = 0; k < def->scalar_count; k++)
            if (def->scalars[k].has_initial && !strcmp(def->initial[i].name, def->scalars[k].name))
                return fr_fail_key("initial", "initial: '%s' has an initial value in scalars too; keep one of them", def->initial[i].name);
    return FR_OK;
}

static fr_result check_buoyancy(const fr_scene_def *def)
{
    bool weightless = def->gravity[0] == 0 && def->gravity[1] == 0 && def->gravity[2] == 0;
    if (weightless && (def->smoke.buoyancy_temperature != 0 || def->smoke.buoyancy_density != 0))
        return fr_fail_key("gravity", "gravity is zero, so there is no up for smoke.buoyancy to push to; leave gravity out or give it a direction");
    return FR_OK;
}

static fr_result check_smoke(const fr_smoke_def *smoke)
{
    FR_TRY(check_not_negative("smoke.vorticity", smoke->vorticity));
    FR_TRY(check_finite("smoke.buoyancy", &smoke->buoyancy_temperature, 1));
    FR_TRY(check_finite("smoke.buoyancy", &smoke->buoyancy_density, 1));
    return check_finite("smoke.ambient", &smoke->ambient, 1);
}

fr_result fr_scene_check(const fr_scene_def *def)
{
    if (def->cookie != MODEL_COOKIE)
        return fr_fail(FR_ERROR_INPUT, "a scene definition must start as fr_default_scene()");
    FR_TRY(check_domain(&def->domain));
    FR_TRY(check_size(def));
    FR_TRY(check_finite("gravity", def->gravity, 3));
    FR_TRY(check_time(&def->time));
    FR_TRY(check_positive("fluid.density", def->fluid.density, "kg/m³"));
    FR_TRY(check_not_negative("fluid.viscosity", def->fluid.viscosity));
    FR_TRY(check_walls(def));
    FR_TRY(check_solver(&def->solver));
    FR_TRY(check_smoke(&def->smoke));
    FR_TRY(check_buoyancy(def));
    FR_TRY(check_central(def));
    FR_TRY(check_prescribed(def));
    FR_TRY(check_initial_once(def));
    FR_TRY(check_scalars(def));
    FR_TRY(check_sources(def));
    FR_TRY(check_bodies_of_scene(def));
    FR_TRY(check_tracers(def));
    FR_TRY(check_turbulence("initial.turbulence", &def->initial_turbulence));
    FR_TRY(check_probes(def));
    FR_TRY(check_finite("initial.velocity", def->initial_velocity.value, 3));
    FR_TRY(check_finite("prescribed.velocity", def->prescribed.value, 3));
    const char *mesh = def->output.mesh;
    if (mesh && (def->method != FR_METHOD_SPH || def->domain.dims != 3))
        return fr_fail_key("output.mesh", "output.mesh: only a liquid in 3D has a surface to write; leave it out");
    if (mesh && strcmp(mesh, "ply") && strcmp(mesh, "obj"))
        return fr_fail_key("output.mesh", "output.mesh is \"ply\" or \"obj\", not \"%.40s\"", mesh);
    if (def->output.every < 1)
        return fr_fail_key("output.every", "output.every must be at least 1, not %d", def->output.every);
    return FR_OK;
}
