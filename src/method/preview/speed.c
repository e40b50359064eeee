/* The expected speed of a scene, as far as the definition shows it. */
#include <math.h>

#include "base/vec.h"
#include "method/evaluate.h"
#include "method/preview/preview.h"

void preview_speed_take(preview_speed *speed, double value, const char *origin)
{
    if (isfinite(value) && value > speed->value)
        *speed = (preview_speed){value, origin};
}

/* Evaluates a velocity at one point and t = 0; a callback that fails there is ignored. */
static void speed_take_vector(preview_speed *speed, const fr_vector *velocity, const double at[3], const char *origin)
{
    double v[3];
    if (evaluate_vector(velocity, at, 0, v) == FR_OK)
        preview_speed_take(speed, vec3_length(vec3_of(v)), origin);
}

static void speed_take_walls(const fr_scene_def *def, const double centre[3], preview_speed *speed)
{
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        const fr_wall_def *wall = &def->walls[side];
        double at[3] = {centre[0], centre[1], centre[2]};
        at[side / 2] = def->domain.origin[side / 2] + (side % 2 ? def->domain.size[side / 2] : 0);
        if (wall->kind == FR_WALL_INFLOW)
            speed_take_vector(speed, &wall->velocity, at, "an inflow");
        else if (wall->kind == FR_WALL_NO_SLIP)
            speed_take_vector(speed, &wall->velocity, at, "a moving wall");
    }
}

static void speed_take_fan(const fr_force_def *fan, preview_speed *speed)
{
    double value;
    if (fan->is_fan && evaluate_number(&fan->speed, fan->shape.at, 0, &value) == FR_OK)
        preview_speed_take(speed, fabs(value), "a fan");
}

void preview_speed_of_scene(const fr_scene_def *def, preview_speed *speed)
{
    double centre[3];
    for (int a = 0; a < 3; a++)
        centre[a] = def->domain.origin[a] + (a < def->domain.dims ? 0.5 * def->domain.size[a] : 0);
    speed_take_walls(def, centre, speed);
    for (int i = 0; i < def->source_count; i++)
        if (def->sources[i].sets_velocity)
            speed_take_vector(speed, &def->sources[i].velocity, def->sources[i].shape.at, "a source");
    for (int i = 0; i < def->fill_count; i++)
        speed_take_vector(speed, &def->fill[i].velocity, def->fill[i].shape.at, "the fill");
    for (int i = 0; i < def->body_count; i++)
        if (!def->bodies[i].fixed)
            preview_speed_take(speed, vec3_length(vec3_of(def->bodies[i].velocity)), "a body");
    for (int i = 0; i < def->force_count; i++)
        speed_take_fan(&def->forces[i], speed);
    preview_speed_take(speed, def->initial_turbulence.speed, "the initial turbulence");
    if (def->has_prescribed)
        speed_take_vector(speed, &def->prescribed, centre, "the prescribed flow, at the centre");
    if (def->has_initial_velocity)
        speed_take_vector(speed, &def->initial_velocity, centre, "the initial velocity, at the centre");
}
