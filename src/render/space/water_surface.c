/* Clear water or honey: reflection weighted by the Fresnel term (Schlick 1994), refraction (Snell), absorption along
   the path through it (Beer–Lambert), and the light that it scatters itself. */
#include "render/space/water.h"

#include <math.h>

enum { MOST_SURFACES = 8, SEEN_WATER = 100 /* ids from here on: water surfaces, by slope */ };

/* The daylight sky, from the horizon to the zenith. */
static const rgb horizon = {1.05f, 1.10f, 1.15f}, zenith = {0.24f, 0.44f, 0.74f};

static rgb surface_sky(const water *water, vec3 along)
{
    float high = (float)fmax(along.y, 0), lamp = (float)fmax(vec3_dot(along, water->volume.lights.towards), 0);
    rgb sky = rgb_mix(horizon, zenith, sqrtf(high));
    /* a bright cloud around the lamp, and the lamp */
    return rgb_add(sky, rgb_scale(water->volume.lights.key, 0.5f * powf(lamp, 24) + 9 * powf(lamp, 900)));
}

static double surface_fresnel(const water *water, double cosine)
{
    double rest = 1 - clampd(cosine, 0, 1), root = (water->index - 1) / (water->index + 1), head_on = root * root;
    return head_on + (1 - head_on) * rest * rest * rest * rest * rest;
}

static vec3 surface_mirror(vec3 along, vec3 normal)
{
    return vec3_unit(vec3_sub(along, vec3_scale(normal, 2 * vec3_dot(along, normal))));
}

/* Snell's law; `ratio` is the refractive index before the surface over that behind it. `normal` points against `along`.
   False at total reflection. */
static bool surface_bend(vec3 along, vec3 normal, double ratio, vec3 *bent)
{
    double cosine = -vec3_dot(along, normal), square = 1 - ratio * ratio * (1 - cosine * cosine);
    if (square < 0)
        return false;
    *bent = vec3_unit(vec3_add(vec3_scale(along, ratio), vec3_scale(normal, ratio * cosine - sqrt(square))));
    return true;
}

/* The sky, and below it the studio's floor. A flat pane that a high camera sees would mirror the line between the two
   across its middle: they blend. */
static rgb surface_around(const water *water, const sight *sight)
{
    const double blend = 0.35;
    const double down = clampd(-sight->along.y / blend, 0, 1);
    const float floor = (float)(down * down * (3 - 2 * down));
    if (floor == 0)
        return surface_sky(water, sight->along);
    return rgb_mix(surface_sky(water, sight->along), backdrop_colour(&water->volume, sight), floor);
}

/* What a reflected ray sees: obstacles, the studio's floor, the sky; other water only as its plain colour. */
static rgb surface_reflection(const water *water, const sight *sight)
{
    hard solid;
    tracer_hit hit;
    bool wet = tracer_find(water->tracer, &(tracer_line){sight->from, sight->along, water->hair, INFINITY}, &hit);
    if (hard_find(&water->volume, sight, &solid) && !(wet && hit.distance < solid.distance))
        return water_hard(water, sight, &solid, false);
    if (wet) {
        vec3 up = surface_mirror(sight->along, hit.normal);
        float share = (float)surface_fresnel(water, fabs(vec3_dot(sight->along, hit.normal)));
        return rgb_mix(rgb_scale(water->dye.body, 1.6f), surface_sky(water, up), share);
    }
    return surface_around(water, sight);
}

/* The path of a ray through water and air. */
typedef struct surface_path {
    sight sight;
    rgb light;   /* collected so far */
    rgb through; /* transmittance from here to the eye */
    bool inside;
    dye dye; /* of the liquid where it went in */
    int end; /* id of the surface where it ended, as from solid_hit */
} surface_path;

static void surface_absorb(surface_path *path, double way)
{
    rgb a = path->dye.absorption, body = path->dye.body;
    rgb left = {expf(-a.r * (float)way), expf(-a.g * (float)way), expf(-a.b * (float)way)};
    rgb scattered = {body.r * (1 - left.r), body.g * (1 - left.g), body.b * (1 - left.b)};
    /* red is absorbed first; a second term with one depth for all colours balances the scattered light */
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

/* Continues the path at a surface. From outside, the reflection is added at once and the path goes on by refraction.
   From inside it only refracts, or reflects totally. */
static void surface_pass(const water *water, surface_path *path, const tracer_hit *hit)
{
    sight *sight = &path->sight;
    vec3 normal = vec3_dot(hit->normal, sight->along) > 0 ? vec3_scale(hit->normal, -1) : hit->normal, bent;
    sight->from = vec3_add(sight->from, vec3_scale(sight->along, hit->distance));
    double share = surface_fresnel(water, -vec3_dot(sight->along, normal));
    if (!surface_bend(sight->along, normal, hit->leaving ? water->index : 1 / water->index, &bent)) {
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
    if (path->inside && (water->mesh->colours || water->mesh->texture))
        path->dye = material_dye(water, material_colour(water, hit));
}

/* Where liquid touches the floor there is no air in between, so the floor is seen without reflection. */
static bool surface_on_floor(const water *water, const surface_path *path, const tracer_hit *hit)
{
    double height = path->sight.from.y + hit->distance * path->sight.along.y - water->volume.brick.low[1];
    return hit->leaving && hit->normal.y < -0.5 && height < water->contact;
}

/* One segment of the path; false when the path ends. */
static bool surface_step(const water *water, surface_path *path, tracer_hit *hit)
{
    const sight *sight = &path->sight;
    hard solid;
    bool wet = tracer_find(water->tracer, &(tracer_line){sight->from, sight->along, water->hair, INFINITY}, hit);
    bool end = hard_find(&water->volume, sight, &solid) && !(wet && hit->distance < solid.distance);
    path->end = end ? solid.surface : 0;
    path->inside = wet ? hit->leaving : path->inside;
    if (path->inside && (wet || end))
        surface_absorb(path, end ? solid.distance : hit->distance);
    if (end)
        surface_end(path, water_hard(water, sight, &solid, path->inside));
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
    surface_path path = {.sight = *sight, .through = {1, 1, 1}, .dye = water->dye};
    tracer_hit hit;
    bool goes_on = surface_step(water, &path, &hit);
    seen seen = {.surface = goes_on ? surface_kind(hit.normal) : path.end};
    for (int n = 0; n < MOST_SURFACES && goes_on; n++) {
        surface_pass(water, &path, &hit);
        goes_on = surface_step(water, &path, &hit);
    }
    if (path.end >= HARD_BODIES && seen.surface != path.end)
        seen.surface = path.end - HARD_KINDS; /* its outline through the water; and not as in the air */
    /* after so many surfaces the rest of the light is taken as the water's own colour */
    seen.colour = rgb_add(path.light, rgb_mul(path.through, rgb_scale(path.dye.body, 2)));
    return seen;
}
