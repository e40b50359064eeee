/* Clear water: what is reflected by Fresnel's share (Schlick 1994), and what is seen through it along the bent line of
   sight (Snell), weakened over its way through the water (Beer and Lambert) and mixed with the light that the water
   itself scatters. */
#include "render/space/water.h"

#include <math.h>

enum { MOST_SURFACES = 8, SEEN_WATER = 100 /* from here on surfaces of water, by their slope */ };

static const double refractive_index = 1.33, reflected_head_on = 0.02;

/* Light scattered by deep water, and the sky by day from the horizon to above. */
static const rgb horizon = {1.05f, 1.10f, 1.15f}, zenith = {0.24f, 0.44f, 0.74f};

static rgb surface_sky(const water *water, vec3 along)
{
    float high = (float)fmax(along.y, 0), lamp = (float)fmax(vec3_dot(along, water->volume.lights.towards), 0);
    rgb sky = rgb_mix(horizon, zenith, sqrtf(high));
    /* a bright cloud around the lamp, and the lamp */
    return rgb_add(sky, rgb_scale(water->volume.lights.key, 0.5f * powf(lamp, 24) + 9 * powf(lamp, 900)));
}

static double surface_fresnel(double cosine)
{
    double rest = 1 - clampd(cosine, 0, 1);
    return reflected_head_on + (1 - reflected_head_on) * rest * rest * rest * rest * rest;
}

static vec3 surface_mirror(vec3 along, vec3 normal)
{
    return vec3_unit(vec3_sub(along, vec3_scale(normal, 2 * vec3_dot(along, normal))));
}

/* Snell's law with the ratio of the indices before and behind; false at total reflection. `normal` is against `along`.
 */
static bool surface_bend(vec3 along, vec3 normal, double ratio, vec3 *bent)
{
    double cosine = -vec3_dot(along, normal), square = 1 - ratio * ratio * (1 - cosine * cosine);
    if (square < 0)
        return false;
    *bent = vec3_unit(vec3_add(vec3_scale(along, ratio), vec3_scale(normal, ratio * cosine - sqrt(square))));
    return true;
}

/* What a mirrored line of sight meets: obstacles, the studio's floor, the sky; other water only by its colour. */
static rgb surface_reflection(const water *water, const sight *sight)
{
    double solid;
    tracer_hit hit;
    bool wet = tracer_find(water->tracer, &(tracer_line){sight->from, sight->along, water->hair, INFINITY}, &hit);
    if (solid_hit(&water->volume.brick, sight, &solid) && !(wet && hit.distance < solid))
        return solid_shade(&water->volume, sight, solid);
    if (wet) {
        vec3 up = surface_mirror(sight->along, hit.normal);
        float share = (float)surface_fresnel(fabs(vec3_dot(sight->along, hit.normal)));
        return rgb_mix(rgb_scale(water->body, 1.6f), surface_sky(water, up), share);
    }
    return sight->along.y > 0 ? surface_sky(water, sight->along) : backdrop_colour(&water->volume, sight);
}

/* The way of a line of sight through water and air. */
typedef struct surface_path {
    sight sight;
    rgb light;               /* gathered so far */
    rgb through;             /* share of what comes that reaches the eye */
    bool inside;
    int end;                 /* what it ended at, as solid_hit says */
} surface_path;

static void surface_absorb(const water *water, surface_path *path, double way)
{
    rgb a = water->absorption, body = water->body;
    rgb left = {expf(-a.r * (float)way), expf(-a.g * (float)way), expf(-a.b * (float)way)};
    rgb scattered = {body.r * (1 - left.r), body.g * (1 - left.g), body.b * (1 - left.b)};
    /* red is gone first, so that the scattered light needs the share of all colours */
    float depth = 1 - left.g;
    path->light =
        rgb_add(path->light, rgb_mul(path->through, rgb_scale(rgb_add(scattered, rgb_scale(body, depth)), 0.9f)));
    path->through = rgb_mul(path->through, left);
}

static void surface_end(surface_path *path, rgb colour)
{
    path->light = rgb_add(path->light, rgb_mul(path->through, colour));
    path->through = (rgb){0, 0, 0};
}

/* Splits at a surface: what is mirrored outside is seen at once, the way goes on through the surface; from inside all
 * goes one way. */
static void surface_pass(const water *water, surface_path *path, const tracer_hit *hit)
{
    sight *sight = &path->sight;
    vec3 normal = vec3_dot(hit->normal, sight->along) > 0 ? vec3_scale(hit->normal, -1) : hit->normal, bent;
    sight->from = vec3_add(sight->from, vec3_scale(sight->along, hit->distance));
    double share = surface_fresnel(-vec3_dot(sight->along, normal));
    if (!surface_bend(sight->along, normal, hit->leaving ? refractive_index : 1 / refractive_index, &bent)) {
        sight->along = surface_mirror(sight->along, normal);
        return;
    }
    if (!hit->leaving) {
        struct sight mirrored = *sight;
        mirrored.along = surface_mirror(sight->along, normal);
        rgb light = surface_reflection(water, &mirrored);
        path->light = rgb_add(path->light, rgb_mul(path->through, rgb_scale(light, (float)share)));
        path->through = rgb_scale(path->through, (float)(1 - share));
    }
    sight->along = bent;
    path->inside = !hit->leaving;
}

/* Liquid that lies on the floor shows it: there is no air between them that would mirror. */
static bool surface_on_floor(const water *water, const surface_path *path, const tracer_hit *hit)
{
    double height = path->sight.from.y + hit->distance * path->sight.along.y - water->volume.brick.low[1];
    return hit->leaving && hit->normal.y < -0.5 && height < water->contact;
}

/* One stretch of the way; false when it ends. */
static bool surface_step(const water *water, surface_path *path, tracer_hit *hit)
{
    const sight *sight = &path->sight;
    double solid;
    bool wet = tracer_find(water->tracer, &(tracer_line){sight->from, sight->along, water->hair, INFINITY}, hit);
    int end = solid_hit(&water->volume.brick, sight, &solid);
    bool hard = end && !(wet && hit->distance < solid);
    path->end = hard ? end : 0;
    path->inside = wet ? hit->leaving : path->inside;
    if (path->inside && (wet || hard))
        surface_absorb(water, path, hard ? solid : hit->distance);
    if (hard)
        surface_end(path, solid_shade(&water->volume, sight, solid));
    else if (!wet || surface_on_floor(water, path, hit))
        surface_end(path,
                    sight->along.y > 0 && path->inside ? surface_sky(water, sight->along) : water_studio(water, sight));
    else
        return true;
    return false;
}

static int surface_kind(vec3 normal)
{
    return SEEN_WATER + (int)(2 * normal.x + 2.5) + 5 * (int)(2 * normal.y + 2.5) + 25 * (int)(2 * normal.z + 2.5);
}

seen water_see_surface(const void *scene, const sight *sight)
{
    const water *water = scene;
    surface_path path = {.sight = *sight, .through = {1, 1, 1}};
    tracer_hit hit;
    bool goes_on = surface_step(water, &path, &hit);
    seen seen = {.surface = goes_on ? surface_kind(hit.normal) : path.end};
    for (int n = 0; n < MOST_SURFACES && goes_on; n++) {
        surface_pass(water, &path, &hit);
        goes_on = surface_step(water, &path, &hit);
    }
    /* what is left after so many surfaces has no way out any more: the water's own colour */
    seen.colour = rgb_add(path.light, rgb_mul(path.through, rgb_scale(water->body, 2)));
    return seen;
}
