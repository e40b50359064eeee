/* What the liquid is made of, as pictures show it. */
#include "render/space/water.h"

#include "render/draw/palette.h"

#include <math.h>

/* sRGB where the look gives none; water's own are in `clear_water`. */
static const double material_colours[][3] = {[FR_MATERIAL_WATER] = {0, 0, 0},
                                             [FR_MATERIAL_CLAY] = {0.70, 0.52, 0.42},
                                             [FR_MATERIAL_WAX] = {0.95, 0.87, 0.70},
                                             [FR_MATERIAL_HONEY] = {0.97, 0.67, 0.09},
                                             [FR_MATERIAL_LAVA] = {0.20, 0.18, 0.17}};

/* Per shortest side of the domain. */
static const dye clear_water = {{3.4f, 0.95f, 0.42f}, {0.006f, 0.075f, 0.145f}, {0.42f, 0.56f, 0.64f}};

bool material_is_clear(fr_material material)
{
    return material == FR_MATERIAL_WATER || material == FR_MATERIAL_HONEY;
}

/* The absorption of a liquid of that colour is −log of it in a sixth of the domain; honey is thicker and clouds less.
 */
dye material_dye(const water *water, rgb c)
{
    bool honey = water->material == FR_MATERIAL_HONEY;
    float thick = (float)((honey ? 5 : 6) / water->size), least = honey ? 0.006f : 0.02f;
    return (dye){.absorption = {-logf(c.r + least) * thick, -logf(c.g + least) * thick, -logf(c.b + least) * thick},
                 .body = rgb_scale(c, honey ? 0.16f : 0.35f),
                 .shade = rgb_mix((rgb){0.5f, 0.5f, 0.5f}, c, honey ? 0.75f : 0.4f)};
}

void material_prepare(const fr_look_def *look, water *water)
{
    const double *given = look->liquid_colour, *usual = material_colours[water->material];
    water->dyed = given[0] > 0 || given[1] > 0 || given[2] > 0 || water->material != FR_MATERIAL_WATER;
    water->own = palette_colour(given, usual[0], usual[1], usual[2]);
    water->index = water->material == FR_MATERIAL_HONEY ? 1.49 : 1.33;
    water->dye = water->dyed ? material_dye(water, water->own) : clear_water;
    if (!water->dyed)
        water->dye.absorption = rgb_scale(clear_water.absorption, (float)(1 / water->size));
    if (!material_is_clear(water->material))
        water->dye.shade = (rgb){0.3f, 0.3f, 0.3f};
    water->pattern = pattern_of_look(look, water->size);
}

float material_mean(const water *water, const tracer_hit *hit, const float *values)
{
    const int32_t *c = water->mesh->triangles[hit->number];
    const float *w = hit->weights;
    return w[0] * values[c[0]] + w[1] * values[c[1]] + w[2] * values[c[2]];
}

rgb material_mean_light(const water *water, const tracer_hit *hit, const rgb *values)
{
    const int32_t *c = water->mesh->triangles[hit->number];
    rgb sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        sum = rgb_add(sum, rgb_scale(values[c[k]], hit->weights[k]));
    return sum;
}

static rgb material_carried(const water *water, const tracer_hit *hit)
{
    const int32_t *c = water->mesh->triangles[hit->number];
    rgb sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        sum = rgb_add(sum, rgb_scale(colour_of_bytes(water->mesh->colours[c[k]]), hit->weights[k]));
    return sum;
}

void material_place(const water *water, const tracer_hit *hit, float place[3])
{
    const int32_t *c = water->mesh->triangles[hit->number];
    for (int a = 0; a < 3; a++)
        place[a] = hit->weights[0] * water->mesh->texture[c[0]][a] + hit->weights[1] * water->mesh->texture[c[1]][a] +
                   hit->weights[2] * water->mesh->texture[c[2]][a];
}

rgb material_colour(const water *water, const tracer_hit *hit)
{
    const fr_mesh *mesh = water->mesh;
    if (water->values) {
        float value = mesh ? material_mean(water, hit, water->values) : water->values[hit->number];
        return colour_of_bytes(colormap_at(&water->map, value));
    }
    rgb colour = mesh->colours ? material_carried(water, hit) : water->own;
    if (water->pattern.kind == FR_PATTERN_NONE || !mesh->texture)
        return colour;
    float place[3];
    material_place(water, hit, place);
    return pattern_paint(&water->pattern, place, colour);
}
