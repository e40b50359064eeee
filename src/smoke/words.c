/* What can be said of a smoke scene before it runs. */
#include <math.h>
#include <string.h>

#include "method/check.h"
#include "method/evaluate.h"
#include "method/preview/preview.h"
#include "smoke/smoke.h"

/* What buoyancy acts on. */
typedef struct words_lift {
    double temperature, density;
} words_lift;

static words_lift words_lift_of(const fr_scene_def *def, const fr_scalar_value *scalars, int count, const double at[3])
{
    words_lift lift = {def->smoke.ambient, 0};
    for (int s = 0; s < count; s++) {
        double value;
        if (evaluate_number(&scalars[s].value, at, 0, &value) != FR_OK)
            value = 0;
        if (!strcmp(scalars[s].name, "temperature"))
            lift.temperature = value;
        else if (!strcmp(scalars[s].name, "density"))
            lift.density = value;
    }
    return lift;
}

/* Free fall against buoyancy over the domain's height: U = sqrt(a L). */
static void words_take_lift(const fr_scene_def *def, words_lift lift, preview_speed *speed)
{
    double rise = def->smoke.buoyancy_temperature * (lift.temperature - def->smoke.ambient) -
                  def->smoke.buoyancy_density * lift.density;
    preview_speed_take(speed, sqrt(fabs(rise) * def->domain.size[1]), "buoyancy over the domain's height");
}

static preview_speed words_speed(const fr_scene_def *def)
{
    preview_speed speed = {0, ""};
    preview_speed_of_scene(def, &speed);
    for (int side = 0; side < 2 * def->domain.dims; side++) {
        const fr_wall_def *wall = &def->walls[side];
        double at[3] = {0, 0, 0};
        for (int a = 0; a < def->domain.dims; a++)
            at[a] = def->domain.origin[a] + (a != side / 2 ? 0.5 : side % 2) * def->domain.size[a];
        words_take_lift(def, words_lift_of(def, wall->scalars, wall->scalar_count, at), &speed);
    }
    for (int i = 0; i < def->obstacle_count; i++)
        if (def->obstacles[i].has_temperature)
            words_take_lift(def, (words_lift){def->obstacles[i].temperature, 0}, &speed);
    for (int i = 0; i < def->source_count; i++) {
        const fr_source_def *source = &def->sources[i];
        words_take_lift(def, words_lift_of(def, source->scalars, source->scalar_count, source->shape.at), &speed);
    }
    return speed;
}

/* Whether buoyancy acts on what the domain holds at the start. */
static bool words_starts_buoyant(const fr_scene_def *def)
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

static bool words_wall_is_warm(const fr_wall_def *wall)
{
    bool solid = wall->kind == FR_WALL_FREE_SLIP || wall->kind == FR_WALL_NO_SLIP;
    for (int s = 0; s < wall->scalar_count; s++)
        if (solid && !strcmp(wall->scalars[s].name, "temperature"))
            return true;
    return false;
}

/* Temperatures of walls and obstacles that cannot get into the fluid. */
static void words_heat(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    for (int i = 0; i < def->scalar_count; i++)
        if (!strcmp(def->scalars[i].name, "temperature") && def->scalars[i].diffusion > 0)
            return;
    const char *advice =
        "its temperature hardly reaches the fluid, because heat does not diffuse: set scalars.temperature.diffusion";
    for (int side = 0; side < 2 * def->domain.dims; side++)
        if (words_wall_is_warm(&def->walls[side]))
            remark_warn(to, "walls.%s: %s", check_walls_sides[side], advice);
    for (int i = 0; i < def->obstacle_count; i++)
        if (def->obstacles[i].has_temperature)
            remark_warn(to, "obstacles[%d]: %s", i + 1, advice);
}

void smoke_describe(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    preview_speed speed = words_speed(def);
    const preview_walls walls = {
        .unit = preview_least_spacing(to->about->estimate),
        .least = 1,
        .least_name = "a cell",
        .unit_name = "a cell",
        .consequence = "it closes the faces it crosses but has no volume; use more cells to resolve it",
    };
    remark_cells(to);
    remark_reynolds(to, speed, preview_longest_side(&def->domain), def->fluid.viscosity);
    mac_describe_pressure(to);
    remark_shapes(to, &walls);
    remark_bodies(to);
    remark_overlaps(to);
    words_heat(to);
    mac_describe_cells(to);
    remark_rest(to, speed, words_starts_buoyant(def), "velocity, buoyancy, force, moving wall or obstacle");
}
