/* Obstacles: sphere tracing of their signed distance, and shading. Where a side of the domain cuts an obstacle, the
   side is its surface. */
#include "render/space/volume.h"

#include <math.h>

/* As brick_find, but with linear extrapolation in the half voxel at the sides: a constant distance there would bend the
   surfaces that meet them. */
static void solid_corner_axis(brick_corner *corner, int axis, double place, const int n[3])
{
    double p = clampd(place, -0.5, n[axis] - 0.5);
    int i = (int)clampd(floor(p), 0, n[axis] > 1 ? n[axis] - 2 : 0);
    size_t stride = axis == 0 ? 1 : axis == 1 ? (size_t)n[0] : (size_t)n[0] * (size_t)n[1];
    corner->base += (size_t)i * stride;
    corner->step[axis] = n[axis] > 1 ? stride : 0;
    corner->f[axis] = (float)(p - i);
}

static float solid_distance(const brick *brick, vec3 p)
{
    vec3 place = brick_place(brick, p);
    brick_corner corner = {0};
    solid_corner_axis(&corner, 0, place.x, brick->n);
    solid_corner_axis(&corner, 1, place.y, brick->n);
    solid_corner_axis(&corner, 2, place.z, brick->n);
    return brick_corner_scalar(&corner, brick->solid);
}

/* The side of the domain through which the ray enters at p, numbered as by solid_hit, and its outer normal; 0 when p is
   not on a side. */
static int solid_side(const brick *brick, const sight *sight, vec3 p, vec3 *normal)
{
    const double at[3] = {p.x, p.y, p.z}, along[3] = {sight->along.x, sight->along.y, sight->along.z};
    for (int axis = 0; axis < 3; axis++) {
        double near = 1e-6 * (brick->high[axis] - brick->low[axis]), out[3] = {0, 0, 0};
        bool low = along[axis] > 0 && fabs(at[axis] - brick->low[axis]) < near;
        bool high = along[axis] < 0 && fabs(at[axis] - brick->high[axis]) < near;
        if (!low && !high)
            continue;
        out[axis] = low ? -1 : 1;
        *normal = vec3_of(out);
        return 2 + 2 * axis + high;
    }
    return 0;
}

static vec3 solid_point(const sight *sight, double distance)
{
    return vec3_add(sight->from, vec3_scale(sight->along, distance));
}

/* Bisection between a point outside and one inside, given by their distances along the ray. */
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

int solid_hit(const brick *brick, const sight *sight, double *distance)
{
    double range[2];
    bool any = brick->solid && brick->solid_low[0] < brick->solid_high[0];
    if (!any || !sight_cross(sight, brick->solid_low, brick->solid_high, range))
        return 0;
    double voxel = sight_voxel(brick, sight), before = range[0];
    vec3 entry = solid_point(sight, range[0]), normal;
    int side = solid_side(brick, sight, entry, &normal);
    /* A face that lies in the side has a distance of about zero; the margin counts all of it as the side. */
    if (side && solid_distance(brick, entry) < 0.05 * voxel) {
        *distance = range[0];
        return side;
    }
    double far = range[1];
    for (double t = range[0]; t <= far;) {
        double d = solid_distance(brick, solid_point(sight, t));
        /* a face that lies in the far side must not be seen from inside the domain */
        if (d < (t < far ? 0 : -0.01 * voxel)) {
            *distance = t > before ? solid_bisect(brick, sight, before, t) : t;
            return 1;
        }
        before = t;
        /* the interpolated distance is not exact: step a little less than it, but at least a fraction of a voxel */
        double next = t + fmax(0.85 * d, 0.4 * voxel);
        t = t < far && next > far ? far : next;
    }
    return 0;
}

/* The outer normal: that of the domain's side where the ray enters through it, else the gradient of the distance, by
   differences over a cell, or over less at the sides. */
static vec3 solid_normal(const brick *brick, const sight *sight, vec3 p)
{
    vec3 normal;
    if (solid_side(brick, sight, p, &normal))
        return normal;
    double d[3];
    for (int axis = 0; axis < 3; axis++) {
        double a[3] = {p.x, p.y, p.z}, b[3] = {p.x, p.y, p.z}, h = brick->spacing[axis] * fmax(brick->factor, 1) * 0.75;
        a[axis] = fmax(a[axis] - h, brick->low[axis]);
        b[axis] = fmin(b[axis] + h, brick->high[axis]);
        d[axis] =
            (solid_distance(brick, vec3_of(b)) - solid_distance(brick, vec3_of(a))) / fmax(b[axis] - a[axis], 0.1 * h);
    }
    normal = vec3_unit(vec3_of(d));
    return vec3_length(normal) > 0.5 ? normal : vec3_scale(sight->along, -1);
}

float solid_lit(const brick *brick, vec3 p, vec3 towards)
{
    sight up = {.from = p, .along = towards, .jitter = 0.5f};
    double range[2], voxel = sight_voxel(brick, &up), open = 1;
    if (!sight_cross(&up, brick->low, brick->high, range))
        return 1;
    for (double t = range[0]; brick->solid && t < range[1] && open > 0;) {
        double d = solid_distance(brick, solid_point(&up, t));
        /* the visible part of a lamp that is a tenth as wide as it is far away */
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
    vec3 p = solid_point(sight, distance), back = vec3_scale(sight->along, -1), n = solid_normal(brick, sight, p);
    float facing = (float)vec3_dot(n, lights->towards);
    float above = expf(-0.4f * light_depth_at(brick, brick->sky, vec3_add(p, vec3_scale(n, 3 * coarsest))));
    /* An area light reaches slightly beyond the terminator; there the shadow ray is tilted away from the surface. */
    float wrapped = facing > -0.25f ? powf((facing + 0.25f) / 1.25f, 1.5f) : 0;
    vec3 towards = vec3_unit(vec3_add(lights->towards, vec3_scale(n, fmax(0, 0.1 - facing))));
    float key = wrapped > 0 ? wrapped * solid_lit(brick, vec3_add(p, vec3_scale(n, coarsest)), towards) : 0;
    if (key > 0)
        key *= volume_lit(volume, vec3_add(p, vec3_scale(n, volume->shadows.hair)), -1, sight_noise(sight));
    float sky = 0.5f + 0.5f * (float)n.y;
    rgb light = rgb_scale(lights->key, 0.62f * key);
    light = rgb_add(light, rgb_scale(lights->sky, sky * (0.35f + 0.65f * above)));
    light = rgb_add(light, rgb_scale(lights->ground, 1 - sky));
    /* a soft highlight, as of matt paint (Blinn 1977) */
    float half = (float)fmax(vec3_dot(n, vec3_unit(vec3_add(lights->towards, back))), 0);
    rgb colour = rgb_mul(volume->obstacle, light);
    return rgb_add(colour, rgb_scale(lights->key, 0.10f * key * powf(half, 40)));
}
