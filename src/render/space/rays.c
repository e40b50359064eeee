#include "render/space/rays.h"

#include <math.h>

/* Rays towards the lamp: how many of them first, along its rim. */
enum { LAMP_LINES = 40, LAMP_FIRST = 8 };

/* Two unit vectors that complete n to an orthonormal basis. */
static void rays_across(vec3 n, vec3 across[2])
{
    across[0] = vec3_unit(vec3_cross(n, fabs(n.y) < 0.9 ? (vec3){0, 1, 0} : (vec3){1, 0, 0}));
    across[1] = vec3_cross(n, across[0]);
}

/* The direction n tilted sideways: `aside` is the tangent of the tilt, `turn` its azimuth. */
static vec3 rays_tilted(vec3 n, double aside, double turn)
{
    vec3 across[2];
    rays_across(n, across);
    vec3 side = vec3_add(vec3_scale(across[0], cos(turn)), vec3_scale(across[1], sin(turn)));
    return vec3_unit(vec3_add(n, vec3_scale(side, aside)));
}

static bool rays_are_blocked(const rays *r, const tracer_line *line)
{
    for (int i = 0; i < 2; i++)
        if (r->blocks[i] && tracer_is_blocked(r->blocks[i], line))
            return true;
    return false;
}

static int rays_count_lit(const rays *r, vec3 p, const int range[2], float noise)
{
    int free = 0;
    for (int i = range[0]; i < range[1]; i++) {
        double aside = rays_lamp * sqrt((LAMP_LINES - i - 0.5) / LAMP_LINES),
               turn = 2.39996 * i + 2 * FR_PI * (double)noise;
        vec3 towards = rays_tilted(r->towards, aside, turn);
        free += !rays_are_blocked(r, &(tracer_line){p, towards, r->hair, INFINITY});
    }
    return free;
}

float rays_lit(const rays *r, vec3 p, float noise)
{
    int free = rays_count_lit(r, p, (const int[2]){0, LAMP_FIRST}, noise);
    if (free == 0 || free == LAMP_FIRST)
        return (float)free / LAMP_FIRST;
    return (float)(free + rays_count_lit(r, p, (const int[2]){LAMP_FIRST, LAMP_LINES}, noise)) / LAMP_LINES;
}

float rays_open(const rays *r, vec3 p, vec3 normal, int lines, float noise)
{
    int free = 0;
    for (int i = 0; i < lines; i++) {
        /* cosine-weighted over the hemisphere (Malley's method) */
        double part = (i + 0.5) / lines, turn = 2.39996 * i + 2 * FR_PI * (double)noise;
        vec3 towards = rays_tilted(normal, sqrt(part / (1 - part)), turn);
        free += !rays_are_blocked(r, &(tracer_line){p, towards, r->hair, r->near});
    }
    return (float)free / (float)lines;
}
