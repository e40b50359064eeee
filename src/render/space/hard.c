/* What a ray does not go through: obstacles and bodies. */
#include "render/space/volume.h"

#include <math.h>

/* Neighbouring bodies, their sides and stripes differ in their ids, so that their edges are anti-aliased. */
static int hard_surface(const placed_body *body, vec3 normal, int part)
{
    const double n[3] = {normal.x, normal.y, normal.z};
    int side = 0;
    double most = 0;
    for (int a = 0; body->edged && a < 3; a++) {
        double along = 0;
        for (int b = 0; b < 3; b++)
            along += body->turn[b][a] * n[b];
        if (fabs(along) > most) {
            most = fabs(along);
            side = 2 * a + (along > 0);
        }
    }
    return HARD_BODIES + (12 * body->number + 2 * side + part + body->number / 2) % HARD_KINDS;
}

/* m: what a pixel covers there. */
static double hard_pixel(const volume *volume, vec3 p)
{
    const camera *c = &volume->camera;
    return vec3_length(vec3_sub(p, c->eye)) * 2 * c->half_height / c->height;
}

static texel hard_texel(const volume *volume, const placed_body *body, vec3 p)
{
    vec3 own = body_point(body, p);
    return texture_at(body->texture, (const double[3]){own.x, own.y, own.z}, hard_pixel(volume, p));
}

static vec3 hard_point(const sight *sight, double distance)
{
    return vec3_add(sight->from, vec3_scale(sight->along, distance));
}

/* Finds the nearest body, if it is nearer than what has been found. */
static bool hard_find_body(const volume *volume, const sight *sight, hard *out)
{
    const tracer *bodies = volume->bodies.tracer;
    tracer_hit hit;
    if (!bodies ||
        !tracer_find(bodies, &(tracer_line){sight->from, sight->along, volume->shadows.hair, out->distance}, &hit))
        return false;
    if (hit.leaving) { /* the ray began in its surface, where another one meets it */
        hit.distance = 0;
        hit.normal = vec3_scale(sight->along, -1);
    }
    const placed_body *body = &volume->bodies.list[hit.place];
    int part = 0;
    if (body->texture->material == FR_BODY_PAINT)
        part = hard_texel(volume, body, hard_point(sight, hit.distance)).part;
    *out = (hard){hit.distance, hard_surface(body, hit.normal, part), hit.place, hit.normal};
    return true;
}

bool hard_find(const volume *volume, const sight *sight, hard *out)
{
    *out = (hard){.distance = INFINITY, .body = -1};
    out->surface = solid_hit(&volume->brick, sight, &out->distance);
    if (!out->surface)
        out->distance = INFINITY;
    return hard_find_body(volume, sight, out) || out->surface;
}

float volume_lit(const volume *volume, vec3 p, int of, float noise)
{
    if (!volume->bodies.tracer ||
        !cast_shades(&volume->bodies, &(cast_light){p, volume->lights.towards, rays_lamp, of}))
        return 1;
    return rays_lit(&volume->shadows, p, noise);
}

rgb hard_shade(const volume *volume, const sight *sight, const hard *hit, const hard_wet *wet)
{
    return hit->body < 0 ? solid_shade(volume, sight, hit->distance) : body_shade(volume, sight, hit, wet);
}

/* A point of a body that is seen. */
typedef struct body_seen {
    vec3 at, normal, back; /* back: to the eye */
    texel texel;
    rgb key;            /* light of the lamp that arrives there */
    float facing, open; /* to the lamp, to the sky */
    float wet;
    bool under;
} body_seen;

/* The share of the sky that a point of a body sees, with the floor near by. */
static float body_open(const volume *volume, const placed_body *body, vec3 p, vec3 normal)
{
    double near = exp(-fmax(p.y - volume->brick.low[1], 0) / (0.35 * body->texture->size));
    return 1 - (float)(near * (0.5 - 0.5 * normal.y));
}

static body_seen body_look(const volume *volume, const sight *sight, const hard *hit, const hard_wet *wet)
{
    const placed_body *body = &volume->bodies.list[hit->body];
    const lights *lights = &volume->lights;
    vec3 p = hard_point(sight, hit->distance);
    body_seen seen = {.at = vec3_add(p, vec3_scale(hit->normal, volume->shadows.hair)),
                      .back = vec3_scale(sight->along, -1),
                      .texel = hard_texel(volume, body, p),
                      .wet = wet ? wet->wet : 0,
                      .under = wet && wet->under};
    const float *bump = seen.texel.bump;
    vec3 tilt = body_direction(body, (vec3){bump[0], bump[1], bump[2]});
    seen.normal = vec3_unit(vec3_add(hit->normal, vec3_scale(tilt, 1 - 0.7 * (double)seen.wet)));
    seen.facing = (float)fmax(vec3_dot(seen.normal, lights->towards), 0);
    float lit = 0;
    if (seen.facing > 0 && vec3_dot(hit->normal, lights->towards) > 0)
        lit = volume_lit(volume, seen.at, hit->body, sight_noise(sight));
    if (lit > 0)
        lit *= solid_lit(&volume->brick, seen.at, lights->towards);
    seen.key = rgb_scale(wet ? rgb_mul(lights->key, wet->key) : lights->key, lit);
    seen.open = body_open(volume, body, p, hit->normal);
    return seen;
}

static float body_step(double low, double high, double v)
{
    double s = clampd((v - low) / (high - low), 0, 1);
    return (float)(s * s * (3 - 2 * s));
}

/* The studio around, as a mirror shows it: the floor, a dark wall, a bright ceiling with panels and a lamp. */
static rgb body_around(const volume *volume, vec3 along)
{
    double up = along.y, around = atan2(along.z, along.x);
    float panels = 0.5f + 0.5f * body_step(-0.25, 0.35, sin(2 * around + 0.9)) * body_step(0.85, 0.5, up),
          lamp = (float)vec3_dot(along, volume->lights.towards);
    float ceiling = 0.16f + 1.5f * panels * body_step(0.05, 0.5, up) - 0.55f * body_step(0.6, 1, up);
    float floor = 0.16f + 0.55f * body_step(0, -0.35, up) - 0.4f * body_step(-0.3, -1, up);
    rgb light = rgb_scale(rgb_mix(volume->ambient, volume->background, 0.25f), 1.35f * (up > 0 ? ceiling : floor));
    return rgb_add(light, rgb_scale(volume->lights.key, lamp > 0 ? 0.6f * powf(lamp, 14) : 0));
}

/* What the eye sees in the point as in a mirror. */
static rgb body_mirror(const volume *volume, const body_seen *seen)
{
    double facing = vec3_dot(seen->back, seen->normal);
    return body_around(volume, vec3_sub(vec3_scale(seen->normal, 2 * facing), seen->back));
}

/* A highlight (Blinn 1977), and at flat angles the studio (Schlick 1994). */
static rgb body_gloss(const volume *volume, const body_seen *seen)
{
    const texel *t = &seen->texel;
    float shine = t->shine + (0.8f - t->shine) * seen->wet, sharp = t->sharp + (140 - t->sharp) * seen->wet;
    vec3 half = vec3_unit(vec3_add(volume->lights.towards, seen->back));
    float high = powf((float)fmax(vec3_dot(seen->normal, half), 0), sharp);
    float flat = 1 - (float)fmax(vec3_dot(seen->normal, seen->back), 0),
          share = 0.03f + 0.6f * flat * flat * flat * flat;
    rgb gloss = rgb_scale(body_mirror(volume, seen), share * shine * seen->open);
    return rgb_add(gloss, rgb_scale(seen->key, 0.55f * shine * high));
}

/* Light that is scattered evenly. */
static rgb body_light(const volume *volume, const body_seen *seen)
{
    float up = (float)seen->normal.y;
    rgb light = rgb_scale(seen->key, 0.62f * seen->facing);
    light = rgb_add(light, rgb_scale(volume->ambient, (0.25f + 0.75f * seen->open) * (0.62f + 0.38f * up)));
    return rgb_add(light, volume->lights.ground);
}

rgb body_shade(const volume *volume, const sight *sight, const hard *hit, const hard_wet *wet)
{
    const body_seen seen = body_look(volume, sight, hit, wet);
    const texel *t = &seen.texel;
    rgb light = body_light(volume, &seen);
    if (t->metal) {
        rgb mirror = rgb_scale(rgb_mul(t->colour, body_mirror(volume, &seen)), 0.35f + 0.65f * seen.open);
        mirror = rgb_add(rgb_scale(mirror, seen.under ? 0.5f : 0.75f), rgb_scale(rgb_mul(t->colour, light), 0.28f));
        return seen.under ? mirror : rgb_add(mirror, body_gloss(volume, &seen));
    }
    rgb dark = rgb_scale(t->colour, 1 - 0.4f * (seen.under ? 0.6f : seen.wet));
    rgb colour = rgb_mul(dark, light);
    return seen.under ? colour : rgb_add(colour, body_gloss(volume, &seen));
}
