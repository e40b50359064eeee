/* Opaque liquid: its particles as balls, coloured by a number, or its surface as clay, wax, lava or in false colours.
 */
#include "render/space/water.h"

enum {
    SEEN_MATT = 10,
    MATT_KINDS = 200 /* ids: neighbours differ, so that outlines are anti-aliased */,
    BALL_LINES = 24
};

/* A point of the surface that is seen. */
typedef struct matt_point {
    vec3 at, normal, back; /* back: to the eye */
    float lit, facing;     /* by the lamp */
    float open;            /* to the sky */
    const tracer_hit *hit;
} matt_point;

static matt_point matt_point_of(const water *water, const sight *sight, const tracer_hit *hit)
{
    vec3 p = vec3_add(sight->from, vec3_scale(sight->along, hit->distance)), n = hit->normal;
    float noise = sight_noise(sight);
    p = vec3_add(p, vec3_scale(n, water->hair));
    float facing = (float)fmax(vec3_dot(n, water->volume.lights.towards), 0);
    return (matt_point){.at = p,
                        .normal = n,
                        .back = vec3_scale(sight->along, -1),
                        .facing = facing,
                        .lit = facing > 0 ? rays_lit(&water->all, p, noise) : 0,
                        .open = water->bake.open ? material_mean(water, hit, water->bake.open)
                                                 : rays_open(&water->all, p, n, BALL_LINES, noise),
                        .hit = hit};
}

static rgb matt_light(const water *water, const matt_point *p)
{
    const lights *lights = &water->volume.lights;
    rgb light = rgb_scale(lights->key, 0.62f * p->facing * p->lit);
    light = rgb_add(light, rgb_scale((rgb){0.40f, 0.43f, 0.48f}, p->open * (0.7f + 0.3f * (float)p->normal.y)));
    return rgb_add(light, lights->ground);
}

/* A highlight (Blinn 1977). */
static float matt_highlight(const water *water, const matt_point *p, float sharp)
{
    vec3 half = vec3_unit(vec3_add(water->volume.lights.towards, p->back));
    return p->lit * powf((float)fmax(vec3_dot(p->normal, half), 0), sharp);
}

/* Most light has gone some way below the surface; the further, the more of its colour it has. A soft highlight. */
static rgb matt_wax(const water *water, const matt_point *p, rgb colour)
{
    rgb soft = material_mean_light(water, p->hit, water->bake.soft);
    rgb light = rgb_mix(matt_light(water, p), soft, 0.8f);
    float dark = 1 - fminf(colour_luminance(light), 1);
    rgb deep = rgb_mul(colour, rgb_mix((rgb){1, 1, 1}, colour, 0.6f * dark));
    float rim = 1 - (float)fmax(vec3_dot(p->normal, p->back), 0);
    float shine = 0.16f * matt_highlight(water, p, 22) + 0.05f * rim * rim * rim * p->open;
    return rgb_add(rgb_mul(deep, light), rgb_scale(water->volume.lights.key, shine));
}

/* The grain of a crust in texture coordinates, which goes with it, about −1 … 1: lumps and crumbs. */
static float matt_grain(const water *water, const float place[3])
{
    const float lumps = (float)(14 / water->size), crumbs = 3.1f * lumps;
    return 0.6f * pattern_noise((const float[3]){lumps * place[0], lumps * place[1], lumps * place[2]}) +
           0.4f * pattern_noise((const float[3]){crumbs * place[0], crumbs * place[1], crumbs * place[2]});
}

/* A dark crust in the light of the studio and of the lava around, and its own glow. Where the grain is deep the lava is
   nearer and glows more, unless it is all liquid. */
static rgb matt_lava(const water *water, const matt_point *p, rgb colour)
{
    rgb light = rgb_add(matt_light(water, p), glow_at(&water->glow, p->at, p->normal));
    rgb glow = material_mean_light(water, p->hit, water->glow.light);
    float place[3], grain = 0, crust = 1 / (1 + 2 * colour_luminance(glow));
    if (water->mesh->texture) {
        material_place(water, p->hit, place);
        grain = matt_grain(water, place);
    }
    float shine = 0.05f * matt_highlight(water, p, 12) * fmaxf(1 + 2 * grain, 0);
    rgb dark = rgb_scale(rgb_mul(colour, light), 1 + 0.9f * grain);
    dark = rgb_add(dark, rgb_scale(water->volume.lights.key, shine));
    return rgb_add(dark, rgb_scale(glow, expf(-2 * grain * crust)));
}

static rgb matt_shade(const water *water, const sight *sight, const tracer_hit *hit)
{
    matt_point p = matt_point_of(water, sight, hit);
    rgb colour = material_colour(water, hit);
    if (water->bake.soft)
        return matt_wax(water, &p, colour);
    if (water->glow.light)
        return matt_lava(water, &p, colour);
    return rgb_mul(colour, matt_light(water, &p));
}

/* Pieces of a checker differ in their ids as balls do. */
static int matt_kind(const water *water, const tracer_hit *hit, rgb colour)
{
    if (!water->mesh)
        return SEEN_MATT + (int)(hit->number % MATT_KINDS);
    bool cut = water->pattern.kind == FR_PATTERN_CHECKER || water->pattern.kind == FR_PATTERN_STRIPES;
    return SEEN_MATT + (cut ? (int)(20 * colour_luminance(colour)) % MATT_KINDS : 0);
}

seen water_see_matt(const void *scene, const sight *sight)
{
    const water *water = scene;
    tracer_hit hit;
    hard solid;
    bool found = tracer_find(water->tracer, &(tracer_line){sight->from, sight->along, water->hair, INFINITY}, &hit);
    if (hard_find(&water->volume, sight, &solid) && !(found && hit.distance < solid.distance))
        return (seen){water_hard(water, sight, &solid, false), solid.surface};
    if (!found)
        return (seen){water_studio(water, sight), 0};
    return (seen){matt_shade(water, sight, &hit), matt_kind(water, &hit, material_colour(water, &hit))};
}
