#include "render/body/texture.h"

#include <math.h>

#include "base/vec.h"
#include "render/draw/palette.h"
#include "render/draw/pattern.h"

/* kg/m³: what is lighter is wood, what is heavier is metal; from `stony` on it is stone. */
static const double woody = 900, stony = 1800, metallic = 5000;

/* sRGB of the materials, and of their rings, veins and stripes; paint has its own list. */
static const double texture_colours[][2][3] = {[FR_BODY_WOOD] = {{0.79, 0.59, 0.37}, {0.50, 0.30, 0.15}},
                                               [FR_BODY_STONE] = {{0.37, 0.39, 0.41}, {0.80, 0.78, 0.73}},
                                               [FR_BODY_METAL] = {{0.76, 0.76, 0.77}, {0.58, 0.58, 0.60}},
                                               [FR_BODY_PLAIN] = {{0.86, 0.56, 0.20}, {0.86, 0.56, 0.20}}};
static const double texture_paints[][3] = {{0.78, 0.16, 0.12}, {0.12, 0.34, 0.66}, {0.93, 0.66, 0.10},
                                           {0.13, 0.50, 0.30}, {0.55, 0.22, 0.52}, {0.92, 0.42, 0.14}};
static const double texture_white[3] = {0.93, 0.92, 0.88};

static double texture_density(const fr_body_def *def, const fr_model *model)
{
    return def->mass > 0 ? def->mass / model->volume : def->density.value;
}

/* A density that is a function belongs to something made: it is painted. */
static fr_body_material texture_material(const fr_body_def *def, const fr_model *model)
{
    if (def->material != FR_BODY_BY_DENSITY)
        return def->material;
    if (def->density.function && !(def->mass > 0))
        return FR_BODY_PAINT;
    double density = texture_density(def, model);
    return density < woody      ? FR_BODY_WOOD
           : density < stony    ? FR_BODY_PAINT
           : density < metallic ? FR_BODY_STONE
                                : FR_BODY_METAL;
}

/* The second colour follows a given first one. */
static void texture_dye(texture *t, const fr_body_def *def, int number)
{
    const double *own = def->colour, *usual = texture_colours[t->material][0];
    const rgb white = colour_light(texture_white);
    bool given = own[0] != 0 || own[1] != 0 || own[2] != 0;
    if (t->material == FR_BODY_PAINT)
        usual = texture_paints[number % (int)(sizeof texture_paints / sizeof *texture_paints)];
    t->colour = palette_colour(own, usual[0], usual[1], usual[2]);
    t->other = t->material == FR_BODY_PAINT ? white : colour_light(texture_colours[t->material][1]);
    if (t->material == FR_BODY_PAINT && colour_luminance(t->colour) > 0.6f)
        t->other = rgb_scale(t->colour, 0.25f);
    else if (given && t->material == FR_BODY_STONE)
        t->other = rgb_mix(t->colour, white, 0.6f);
    else if (given && t->material != FR_BODY_PAINT)
        t->other = rgb_scale(t->colour, t->material == FR_BODY_WOOD ? 0.35f : 0.6f);
}

texture texture_of_body(const fr_body_def *def, const fr_model *model, int number)
{
    texture t = {.material = texture_material(def, model), .flat = model->dims == 2, .shift = (float)(17.3 * number)};
    double shortest = INFINITY, box = 1;
    for (int a = 0; a < model->dims; a++) {
        if (model->size[a] > 1.02 * t.size) {
            t.size = model->size[a];
            t.axis = a;
        }
        shortest = fmin(shortest, model->size[a]);
        box *= model->size[a];
        t.middle[a] = model->low[a] + 0.5 * (model->n[a] - 1) * model->step;
    }
    double ball = model->dims == 3 ? FR_PI / 6 : FR_PI / 4; /* the share of its box that a ball fills */
    t.round = shortest > 0.95 * t.size && fabs(model->volume / box - ball) < 0.03;
    texture_dye(&t, def, number);
    return t;
}

/* How much of a detail is left that repeats so many times along the body. */
static float texture_left(const texture *t, double pixel, double times)
{
    return (float)clampd(2 - 4 * pixel * times / t->size, 0, 1);
}

static float texture_noise(const float p[3], float x, float y, float z)
{
    return pattern_noise((const float[3]){x * p[0], y * p[1], z * p[2]});
}

static float texture_smooth(float low, float high, float v)
{
    float s = (float)clampd((double)((v - low) / (high - low)), 0, 1);
    return s * s * (3 - 2 * s);
}

/* A plank: rings around a pith beside it, a little bent, dark where they end; fibres along the axis. */
static texel texture_wood(const texture *t, const float p[3], double pixel)
{
    const float rings = 9, along = p[0], up = p[1] + 0.62f, aside = p[2] + 0.23f;
    const float bent[3] = {along + t->shift, up, aside};
    float wave = 0.10f * texture_noise(bent, 1.3f, 2.2f, 2.2f) + 0.02f * texture_noise(bent, 5, 9, 9);
    float ring = rings * (sqrtf(up * up + aside * aside) + wave + 0.06f * along), part = ring - floorf(ring);
    float late = texture_smooth(0.35f, 0.93f, part) * (1 - texture_smooth(0.93f, 1, part));
    float own = 0.75f + 0.25f * pattern_noise((const float[3]){floorf(ring), t->shift, 0.5f});
    float fibre = texture_noise(bent, 4, 110, 110) * texture_left(t, pixel, 110);
    float pores = texture_smooth(0.45f, 0.8f, texture_noise(bent, 9, 70, 70)) * texture_left(t, pixel, 70);
    float dark = late * own * texture_left(t, pixel, (double)rings);
    rgb colour = rgb_scale(rgb_mix(t->colour, t->other, 0.72f * dark), 1 + 0.10f * fibre - 0.22f * pores);
    return (texel){.colour = colour, .shine = 0.07f, .sharp = 18, .bump = {0, 0.03f * fibre, 0.03f * fibre}};
}

/* Noise in octaves, about −1 … 1. */
static float texture_clouds(const float p[3], float scale, int octaves)
{
    float sum = 0, share = 0.5f;
    for (int i = 0; i < octaves; i++, share *= 0.5f, scale *= 2.1f)
        sum += share * texture_noise(p, scale, scale, scale);
    return sum;
}

/* A thin line where a value is 0, wider and fainter where it would be finer than a pixel (`least`). */
static float texture_vein(float value, float width, double least)
{
    float wide = fmaxf(width, (float)least);
    return width / wide * (1 - texture_smooth(0, wide, value));
}

/* Light veins where bent noise changes its sign, some of them strong; crystals. */
static texel texture_stone(const texture *t, const float place[3], double pixel)
{
    const float p[3] = {place[0] + t->shift, place[1] + 0.3f * t->shift, place[2]};
    const float bend = 0.28f * texture_clouds(p, 3, 3);
    const float q[3] = {p[0] + bend, p[1] + 0.7f * bend, p[2] - bend};
    float first = fabsf(texture_noise(q, 2.1f, 2.1f, 2.1f)), second = fabsf(texture_clouds(q, 4.3f, 2));
    float vein = texture_vein(first, 0.055f, 6 * pixel / t->size),
          fine = 0.5f * texture_vein(second, 0.03f, 9 * pixel / t->size);
    float crystals = texture_noise(p, 60, 60, 60) * texture_left(t, pixel, 60), cloud = texture_clouds(p, 5, 3);
    rgb colour = rgb_scale(t->colour, 1 + 0.45f * cloud + 0.22f * crystals);
    colour = rgb_mix(colour, t->other, 0.85f * fmaxf(vein, fine));
    float rough = 0.05f * crystals;
    return (texel){.colour = colour, .shine = 0.14f, .sharp = 30, .bump = {rough, -rough, rough}};
}

/* Fine scratches along the axis, in bands. */
static texel texture_metal(const texture *t, const float p[3], double pixel)
{
    const float q[3] = {p[0], p[1] + t->shift, p[2]};
    float fine = texture_noise(q, 2.5f, 90, 90) * texture_left(t, pixel, 90),
          broad = texture_noise(q, 1.1f, 34, 34) * texture_left(t, pixel, 34),
          band = texture_noise(q, 0.7f, 11, 11) * texture_left(t, pixel, 11);
    float dull = 0.5f + 0.5f * (float)clampd((double)(0.5f * fine + 0.6f * broad + 0.5f * band), -1, 1);
    float tilt = 0.05f * fine + 0.08f * broad + 0.05f * band;
    return (texel){.colour = rgb_mix(t->colour, t->other, 0.8f * dull),
                   .shine = 0.9f,
                   .sharp = 50,
                   .metal = true,
                   .bump = {0, tilt, tilt}};
}

/* Six sectors and two caps as on a beach ball, in 2D around the middle; on other shapes slanting stripes. */
static texel texture_paint(const texture *t, const float p[3])
{
    int part;
    if (t->round) {
        float across = t->flat ? p[1] : p[2], up = t->flat ? 0 : p[1], away = sqrtf(p[0] * p[0] + across * across);
        bool cap = away < 0.13f && fabsf(up) > 0.3f;
        part = cap ? 1 : (int)floorf(atan2f(across, p[0]) * (float)(3 / FR_PI) + 12) & 1;
    } else {
        part = (int)floorf(3.2f * (p[0] + 0.45f * p[1] + 0.3f * p[2]) + 100.25f) & 1;
    }
    return (texel){.colour = part ? t->other : t->colour, .shine = 0.35f, .sharp = 90, .part = part};
}

texel texture_at(const texture *t, const double place[3], double pixel)
{
    float p[3]; /* in longest sides from the middle; the first one along the axis */
    for (int a = 0; a < 3; a++) {
        int from = (t->axis + a) % 3;
        p[a] = (float)((place[from] - t->middle[from]) / t->size);
    }
    texel found = t->material == FR_BODY_WOOD    ? texture_wood(t, p, pixel)
                  : t->material == FR_BODY_STONE ? texture_stone(t, p, pixel)
                  : t->material == FR_BODY_METAL ? texture_metal(t, p, pixel)
                  : t->material == FR_BODY_PAINT ? texture_paint(t, p)
                                                 : (texel){.colour = t->colour, .shine = 0.3f, .sharp = 60};
    const float bump[3] = {found.bump[0], found.bump[1], found.bump[2]};
    for (int a = 0; a < 3; a++)
        found.bump[(t->axis + a) % 3] = bump[a];
    return found;
}
