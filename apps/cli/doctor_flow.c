/* How fast a scene will flow, as far as its definition tells. */
#include "doctor.h"

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

static void doctor_wall_speed(const fr_scene_def *def, int side, doctor_speed *speed)
{
    const fr_wall_def *wall = &def->walls[side];
    double at[3];
    for (int a = 0; a < 3; a++)
        at[a] = def->domain.origin[a] + (a < def->domain.dims ? 0.5 * def->domain.size[a] : 0);
    at[side / 2] = def->domain.origin[side / 2] + (side % 2 ? def->domain.size[side / 2] : 0);
    if (wall->kind == FR_WALL_INFLOW)
        doctor_take(speed, doctor_vector(&wall->velocity, at), "an inflow");
    else if (wall->kind == FR_WALL_NO_SLIP)
        doctor_take(speed, doctor_vector(&wall->velocity, at), "a moving wall");
}

/* Free fall against the buoyancy of a source over the domain's height: U = sqrt(a L). */
static void doctor_buoyancy_speed(const fr_scene_def *def, const fr_source_def *source, doctor_speed *speed)
{
    double temperature = def->smoke.ambient, density = 0;
    for (int s = 0; s < source->scalar_count; s++) {
        const fr_scalar_value *scalar = &source->scalars[s];
        if (!strcmp(scalar->name, "temperature"))
            temperature = doctor_number(&scalar->value, source->shape.at);
        else if (!strcmp(scalar->name, "density"))
            density = doctor_number(&scalar->value, source->shape.at);
    }
    double lift = def->smoke.buoyancy_temperature * (temperature - def->smoke.ambient) - def->smoke.buoyancy_density * density;
    doctor_take(speed, sqrt(fabs(lift) * def->domain.size[1]), "buoyancy over the domain's height");
}

doctor_speed doctor_expected_speed(const fr_scene_def *def)
{
    doctor_speed speed = {0, ""};
    double centre[3];
    for (int a = 0; a < 3; a++)
        centre[a] = def->domain.origin[a] + (a < def->domain.dims ? 0.5 * def->domain.size[a] : 0);
    for (int side = 0; side < 2 * def->domain.dims; side++)
        doctor_wall_speed(def, side, &speed);
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        if (source->sets_velocity)
            doctor_take(&speed, doctor_vector(&source->velocity, source->shape.at), "a source");
        doctor_buoyancy_speed(def, source, &speed);
    }
    if (def->has_prescribed)
        doctor_take(&speed, doctor_vector(&def->prescribed, centre), "the prescribed flow, at the centre");
    if (def->has_initial_velocity)
        doctor_take(&speed, doctor_vector(&def->initial_velocity, centre), "the initial velocity, at the centre");
    return speed;
}
