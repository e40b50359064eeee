/* How fast a scene will flow, as far as its definition tells. */
#include "doctor/doctor.h"

#include <math.h>
#include <string.h>

static double doctor_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Length of a vector that may be a function, at one point and t = 0; 0 when the function fails. */
static double doctor_vector(const fr_vector *vector, const double at[3])
{
    if (!vector->function)
        return doctor_length(vector->value);
    double args[4] = {at[0], at[1], at[2], 0}, out[3] = {0};
    return vector->function(vector->context, args, out) == FR_OK ? doctor_length(out) : 0;
}

static double doctor_number(const fr_number *number, const double at[3])
{
    if (!number->function)
        return number->value;
    double args[4] = {at[0], at[1], at[2], 0}, out = 0;
    return number->function(number->context, args, &out) == FR_OK ? out : 0;
}

static void doctor_take(doctor_speed *speed, double value, const char *origin)
{
    if (isfinite(value) && value > speed->value)
        *speed = (doctor_speed){value, origin};
}

static void doctor_wall_speed(const fr_scene_def *def, int side, const double at[3], doctor_speed *speed)
{
    const fr_wall_def *wall = &def->walls[side];
    if (wall->kind == FR_WALL_INFLOW)
        doctor_take(speed, doctor_vector(&wall->velocity, at), "an inflow");
    else if (wall->kind == FR_WALL_NO_SLIP)
        doctor_take(speed, doctor_vector(&wall->velocity, at), "a moving wall");
}

/* A speed of t alone, looked at in a few moments of the run. */
static double doctor_timed(const fr_number *number, double duration)
{
    enum { MOMENTS = 5 };
    double most = fabs(number->value), out = 0;
    for (int i = 0; i < MOMENTS && number->function; i++) {
        const double at[4] = {0, 0, 0, duration * i / (MOMENTS - 1)};
        if (number->function(number->context, at, &out) == FR_OK)
            most = fmax(most, fabs(out));
    }
    return most;
}

static void doctor_side_speed(const fr_scene_def *def, int side, doctor_speed *speed)
{
    const fr_river_side *given = &def->river.sides[side];
    doctor_take(speed, doctor_timed(&given->speed, def->time.duration),
                given->kind == FR_RIVER_INFLOW ? "an inflow" : "a moving bank");
}

/* What buoyancy acts on. */
typedef struct doctor_lift {
    double temperature, density;
} doctor_lift;

static doctor_lift doctor_lift_of(const fr_scene_def *def, const fr_scalar_value *scalars, int count,
                                  const double at[3])
{
    doctor_lift lift = {def->smoke.ambient, 0};
    for (int s = 0; s < count; s++) {
        if (!strcmp(scalars[s].name, "temperature"))
            lift.temperature = doctor_number(&scalars[s].value, at);
        else if (!strcmp(scalars[s].name, "density"))
            lift.density = doctor_number(&scalars[s].value, at);
    }
    return lift;
}

/* Free fall against buoyancy over the domain's height: U = sqrt(a L). */
static void doctor_buoyancy_speed(const fr_scene_def *def, doctor_lift lift, doctor_speed *speed)
{
    double rise = def->smoke.buoyancy_temperature * (lift.temperature - def->smoke.ambient) -
                  def->smoke.buoyancy_density * lift.density;
    doctor_take(speed, sqrt(fabs(rise) * def->domain.size[1]), "buoyancy over the domain's height");
}

bool doctor_starts_buoyant(const fr_scene_def *def)
{
    for (int i = 0; i < def->scalar_count + def->initial_count; i++) {
        const fr_scalar_def *scalar = i < def->scalar_count ? &def->scalars[i] : NULL;
        if (scalar && !scalar->has_initial)
            continue;
        const char *name = scalar ? scalar->name : def->initial[i - def->scalar_count].name;
        if ((def->smoke.buoyancy_temperature != 0 && !strcmp(name, "temperature")) ||
            (def->smoke.buoyancy_density != 0 && !strcmp(name, "density")))
            return true;
    }
    return false;
}

static bool doctor_wall_is_warm(const fr_wall_def *wall)
{
    bool solid = wall->kind == FR_WALL_FREE_SLIP || wall->kind == FR_WALL_NO_SLIP;
    for (int s = 0; s < wall->scalar_count; s++)
        if (solid && !strcmp(wall->scalars[s].name, "temperature"))
            return true;
    return false;
}

void doctor_heat(doctor *doctor)
{
    static const char *const sides[FR_SIDES] = {"left", "right", "bottom", "top", "back", "front"};
    const fr_scene_def *def = doctor->def;
    for (int i = 0; i < def->scalar_count; i++)
        if (!strcmp(def->scalars[i].name, "temperature") && def->scalars[i].diffusion > 0)
            return;
    const char *advice =
        "its temperature hardly reaches the fluid, because heat does not diffuse: set scalars.temperature.diffusion";
    for (int side = 0; side < 2 * def->domain.dims; side++)
        if (doctor_wall_is_warm(&def->walls[side]))
            doctor_warn(doctor, "walls.%s: %s", sides[side], advice);
    for (int i = 0; i < def->obstacle_count; i++)
        if (def->obstacles[i].has_temperature)
            doctor_warn(doctor, "obstacles[%d]: %s", i + 1, advice);
}

doctor_speed doctor_expected_speed(const fr_scene_def *def)
{
    doctor_speed speed = {0, ""};
    double centre[3];
    for (int a = 0; a < 3; a++)
        centre[a] = def->domain.origin[a] + (a < def->domain.dims ? 0.5 * def->domain.size[a] : 0);
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        const fr_wall_def *wall = &def->walls[side];
        double at[3] = {centre[0], centre[1], centre[2]};
        at[side / 2] = def->domain.origin[side / 2] + (side % 2 ? def->domain.size[side / 2] : 0);
        doctor_wall_speed(def, side, at, &speed);
        doctor_buoyancy_speed(def, doctor_lift_of(def, wall->scalars, wall->scalar_count, at), &speed);
    }
    for (int side = 0; side < FR_SIDES; side++)
        doctor_side_speed(def, side, &speed);
    for (int i = 0; i < def->obstacle_count; i++)
        if (def->obstacles[i].has_temperature)
            doctor_buoyancy_speed(def, (doctor_lift){def->obstacles[i].temperature, 0}, &speed);
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        if (source->sets_velocity)
            doctor_take(&speed, doctor_vector(&source->velocity, source->shape.at), "a source");
        doctor_buoyancy_speed(def, doctor_lift_of(def, source->scalars, source->scalar_count, source->shape.at),
                              &speed);
    }
    for (int i = 0; i < def->fill_count; i++)
        doctor_take(&speed, doctor_vector(&def->fill[i].velocity, def->fill[i].shape.at), "the fill");
    for (int i = 0; i < def->force_count; i++)
        if (def->forces[i].is_fan)
            doctor_take(&speed, fabs(doctor_number(&def->forces[i].speed, def->forces[i].shape.at)), "a fan");
    doctor_take(&speed, def->initial_turbulence.speed, "the initial turbulence");
    if (def->has_prescribed)
        doctor_take(&speed, doctor_vector(&def->prescribed, centre), "the prescribed flow, at the centre");
    if (def->has_initial_velocity)
        doctor_take(&speed, doctor_vector(&def->initial_velocity, centre), "the initial velocity, at the centre");
    return speed;
}
