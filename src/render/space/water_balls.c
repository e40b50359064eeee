/* Matt liquid: its particles as balls, coloured by a number, or its surface as clay. */
#include "render/space/water.h"

enum { SEEN_BALLS = 10, BALL_KINDS = 200 /* ids of balls: neighbours differ, so that outlines are anti-aliased */ };

static rgb balls_shade(const water *water, const sight *sight, const tracer_hit *hit, rgb colour)
{
    const lights *lights = &water->volume.lights;
    vec3 p = vec3_add(sight->from, vec3_scale(sight->along, hit->distance)), n = hit->normal;
    float noise = (sight->jitter - 0.25f) * 2, facing = (float)fmax(vec3_dot(n, lights->towards), 0);
    p = vec3_add(p, vec3_scale(n, water->hair));
    float key = facing > 0 ? facing * water_lit(water, p, noise) : 0, open = water_open(water, p, n, noise);
    rgb light = rgb_scale(lights->key, 0.62f * key);
    light = rgb_add(light, rgb_scale((rgb){0.40f, 0.43f, 0.48f}, open * (0.7f + 0.3f * (float)n.y)));
    light = rgb_add(light, lights->ground);
    return rgb_mul(colour, light);
}

static rgb balls_colour(const water *water, uint32_t number)
{
    const fr_range *range = &water->range;
    return colour_of_bytes(
        colormap_at(&water->map, (float)((water->values[number] - range->min) / (range->max - range->min))));
}

seen water_see_matt(const void *scene, const sight *sight)
{
    const water *water = scene;
    tracer_hit hit;
    double solid;
    bool ball = tracer_find(water->tracer, &(tracer_line){sight->from, sight->along, water->hair, INFINITY}, &hit);
    int surface = solid_hit(&water->volume.brick, sight, &solid);
    if (surface && !(ball && hit.distance < solid))
        return (seen){solid_shade(&water->volume, sight, solid), surface};
    if (!ball)
        return (seen){water_studio(water, sight), 0};
    if (!water->values)
        return (seen){balls_shade(water, sight, &hit, water->clay), SEEN_BALLS};
    rgb colour = balls_colour(water, hit.number);
    return (seen){balls_shade(water, sight, &hit, colour), SEEN_BALLS + (int)(hit.number % BALL_KINDS)};
}
