/* Obstacles: their signed distance traced to its zero, and lit. */
#include "render/volume.h"

#include <math.h>

static float solid_distance(const brick *brick, vec3 p)
{
    return brick_sample_scalar(brick, brick->solid, brick_place(brick, p));
}

static vec3 solid_point(const sight *sight, double distance)
{
    return vec3_add(sight->from, vec3_scale(sight->along, distance));
}

/* Between a distance outside and one inside. */
static double solid_bisect(const brick *brick, const sight *sight, double outside, double inside)
{
    for (int i = 0; i < 12; i++) {
        double middle = (outside + inside) / 2;
        if (solid_distance(brick, solid_point(sight, middle)) < 0)
            inside = middle;
        else
            outside = middle;
    }
    return (outside + inside) / 2;
}

bool solid_hit(const brick *brick, const sight *sight, double *distance)
{
    double range[2];
    bool any = brick->solid && brick->solid_low[0] < brick->solid_high[0];
    if (!any || !sight_cross(sight, brick->solid_low, brick->solid_high, range))
        return false;
    double voxel = sight_voxel(brick, sight), before = range[0];
    for (double t = range[0]; t < range[1];) {
        double d = solid_distance(brick, solid_point(sight, t));
        if (d < 0) {
            *distance = t > before ? solid_bisect(brick, sight, before, t) : t;
            return true;
        }
        before = t;
        /* Between cells the distance is not exact: a little less than it, and never less than part of a voxel. */
        t += fmax(0.85 * d, 0.4 * voxel);
    }
    return false;
}

/* Out of the surface: the slope of the distance over a cell. */
static vec3 solid_normal(const brick *brick, vec3 p, vec3 otherwise)
{
    double d[3];
    for (int axis = 0; axis < 3; axis++) {
        double h = brick->spacing[axis] * fmax(brick->factor, 1) * 0.75;
        vec3 e = {axis == 0 ? h : 0, axis == 1 ? h : 0, axis == 2 ? h : 0};
        d[axis] = (solid_distance(brick, vec3_add(p, e)) - solid_distance(brick, vec3_sub(p, e))) / h;
    }
    vec3 normal = vec3_unit(vec3_of(d));
    return vec3_length(normal) > 0.5 ? normal : otherwise;
}

/* Light from the lamp that reaches a point: through the smoke, past obstacles with a soft edge. */
static float solid_lit(const brick *brick, vec3 p, vec3 towards)
{
    sight up = {.from = p, .along = towards, .jitter = 0.5f};
    double range[2], voxel = sight_voxel(brick, &up), open = 1;
    if (!sight_cross(&up, brick->low, brick->high, range))
        return 1;
    for (double t = range[0]; t < range[1] && open > 0;) {
        double d = solid_distance(brick, solid_point(&up, t));
        /* How much of a lamp a tenth as wide as it is far sees past the nearest obstacle. */
        open = fmin(open, 0.5 + 5 * d / fmax(t, 4 * voxel));
        t += fmax(0.85 * d, 0.4 * voxel);
    }
    return open > 0 ? (float)open * march_smoke(brick, &up, range).through : 0;
}

rgb solid_shade(const volume *volume, const sight *sight, double distance)
{
    const brick *brick = &volume->brick;
    const lights *lights = &volume->lights;
    double coarsest = fmax(brick->spacing[0], fmax(brick->spacing[1], brick->spacing[2]));
    vec3 p = solid_point(sight, distance), back = vec3_scale(sight->along, -1), n = solid_normal(brick, p, back);
    float facing = (float)vec3_dot(n, lights->towards);
    float above = expf(-0.4f * light_depth_at(brick, brick->sky, vec3_add(p, vec3_scale(n, 3 * coarsest))));
    /* A lamp with a size reaches a little around the edge of night; the way to it is bent out of the surface there. */
    float wrapped = facing > -0.25f ? powf((facing + 0.25f) / 1.25f, 1.5f) : 0;
    vec3 towards = vec3_unit(vec3_add(lights->towards, vec3_scale(n, fmax(0, 0.1 - facing))));
    float key = wrapped > 0 ? wrapped * solid_lit(brick, vec3_add(p, vec3_scale(n, coarsest)), towards) : 0;
    float sky = 0.5f + 0.5f * (float)n.y;
    rgb light = rgb_scale(lights->key, 0.62f * key);
    light = rgb_add(light, rgb_scale(lights->sky, sky * (0.35f + 0.65f * above)));
    light = rgb_add(light, rgb_scale(lights->ground, 1 - sky));
    /* A soft gleam, as of matt paint (Blinn 1977). */
    float half = (float)fmax(vec3_dot(n, vec3_unit(vec3_add(lights->towards, back))), 0);
    rgb colour = rgb_mul(volume->obstacle, light);
    return rgb_add(colour, rgb_scale(lights->key, 0.10f * key * powf(half, 40)));
}
