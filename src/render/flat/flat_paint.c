/* Paints the field of a flat view pixel by pixel: through a colour map, or inks in their own colours; then
   obstacles. */
#include "render/flat/flat.h"

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "render/flat/ground.h"

#include <string.h>

/* How strongly ink at full concentration covers a dark and a light background. On a light one thin ink is harder to
   see, so it covers more. */
static const float cover_dark = 3.2f, cover_light = 5;

/* A colour with a channel of exactly 0 would blacken every mixture. */
static const float least_light = 0.02f;

/* Less ink than this is invisible, and dividing by it is not safe. */
static const float least_ink = 1e-6f;

typedef struct flat_work {
    const flat *flat;
    const fr_image *image;
    const ground *ground;
    const plane *planes;      /* the field, both components of the velocity, or all inks */
    const rgb *colours;       /* of the inks */
    int count;
} flat_work;

/* On a dark ground the colour of a mixture is the arithmetic mean, as for coloured lights. */
static rgb flat_mix_lights(const flat_work *work, const float *amounts, float total)
{
    rgb sum = {0, 0, 0};
    for (int i = 0; i < work->count; i++)
        sum = rgb_add(sum, rgb_scale(work->colours[i], amounts[i] / total));
    return sum;
}

/* On a light ground it is the geometric mean, as for filters in sequence: blue and yellow give green. A single ink
   keeps its own colour on either ground. */
static rgb flat_mix_filters(const flat_work *work, const float *amounts, float total)
{
    rgb depth = {0, 0, 0};
    for (int i = 0; i < work->count; i++) {
        rgb c = work->colours[i];
        rgb one = {logf(c.r + least_light), logf(c.g + least_light), logf(c.b + least_light)};
        depth = rgb_add(depth, rgb_scale(one, amounts[i] / total));
    }
    return (rgb){fmaxf(expf(depth.r) - least_light, 0), fmaxf(expf(depth.g) - least_light, 0),
                 fmaxf(expf(depth.b) - least_light, 0)};
}

/* Covers the ground with the colour of the inks' mixture. */
static rgb flat_ink_cover(const flat_work *work, const float *amounts, rgb ground)
{
    float total = 0;
    for (int i = 0; i < work->count; i++)
        total += amounts[i];
    if (!(total > least_ink))
        return ground;
    bool dark = work->flat->palette.dark;
    rgb colour = (dark ? flat_mix_lights : flat_mix_filters)(work, amounts, total);
    return rgb_mix(ground, colour, 1 - expf(-(dark ? cover_dark : cover_light) * total));
}

static rgb flat_inks(const flat_work *work, float *amounts, const double at[2])
{
    float scale = (float)(1 / work->flat->range.max);
    for (int i = 0; i < work->count; i++) {
        float amount = plane_cubic(&work->planes[i], at[0], at[1]) * scale;
        if (amount != amount)
            return (rgb){1, 0, 1};
        amounts[i] = amount > 0 ? fminf(amount, 10) : 0;
    }
    return flat_ink_cover(work, amounts, ground_at(work->ground, at));
}

/* Signed distance to the obstacles in pixels on a curvilinear grid: the value over its gradient in the picture.
   Obstacles are marks on cells there, so the gradient vanishes away from their outline: it is bounded below. */
static double flat_bent_distance(const flat *flat, const double at[2])
{
    double slope[2], d = plane_cubic(&flat->solid, at[0], at[1]);
    plane_slope(&flat->solid, at, slope);
    bend_slope(&flat->bend, at, slope, slope);
    return d / fmax(hypot(slope[0], slope[1]), 1e-3 * fabs(d));
}

/* Signed distance to the obstacles in pixels: the value over its own gradient, so that the outline stays sharp. */
static double flat_distance(const flat *flat, const double at[2])
{
    if (flat->bend.node)
        return flat_bent_distance(flat, at);
    double d = plane_cubic(&flat->solid, at[0], at[1]), metres = flat_metres(flat, 0);
    if (fabs(d) > 8 * metres + 2 * fmax(flat->cut.spacing[0], flat->cut.spacing[1]))
        return d / metres;
    double slope[2];
    plane_slope(&flat->solid, at, slope);
    return d / (fmax(hypot(slope[0] / flat->cut.spacing[0], slope[1] / flat->cut.spacing[1]), 0.2) * metres);
}

void flat_obstacle(const flat *flat, const double at[2], uint8_t *pixel)
{
    if (!flat->solid.data)
        return;
    double distance = flat_distance(flat, at), width = fmax(flat->text / 8, 1);
    if (!(distance < width + 1))
        return;
    double inside = clampd(0.5 - distance, 0, 1), line = clampd(width / 2 + 0.5 - fabs(distance), 0, 1);
    rgb colour = rgb_mix(colour_of_bytes(pixel), flat->palette.obstacle, (float)inside);
    colour_to_bytes(rgb_mix(colour, flat->palette.outline, (float)line), pixel);
}

void flat_velocity_colour(double x, double y, uint8_t pixel[3])
{
    static const double rest = 0.5, blue = 0.35;   /* sRGB */
    const double colour[3] = {rest + 0.5 * x, rest + 0.5 * y, blue};
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)(clampd(colour[c], 0, 1) * 255 + 0.5);
}

/* A pixel of a field that is known in a liquid alone: the ground in the air, and a line along the surface, since
   colours of liquid may be as dark as the ground. */
static void flat_wet_pixel(const flat *flat, const double at[2], const uint8_t *colour, uint8_t *pixel)
{
    double distance = (double)plane_cubic(&flat->level, at[0], at[1]) / flat_metres(flat, 0);
    double inside = clampd(0.5 - distance, 0, 1), line = 0.5 * clampd(1.3 - fabs(distance), 0, 1);
    rgb ground = rgb_mix(flat->palette.background, colour_of_bytes(colour), (float)inside);
    colour_to_bytes(rgb_mix(ground, flat->palette.text, (float)line), pixel);
}

static void flat_field_pixel(const flat_work *work, const double at[2], uint8_t *pixel)
{
    const flat *flat = work->flat;
    float value = plane_cubic(work->planes, at[0], at[1]);
    float share = flat->decades ? value : range_share(&flat->range, false, (double)value);
    const uint8_t *colour = colormap_at(&flat->map, share);
    if (flat->level.data)
        flat_wet_pixel(flat, at, colour, pixel);
    else
        memcpy(pixel, colour, 3);
}

static void flat_velocity_pixel(const flat_work *work, const double at[2], uint8_t *pixel)
{
    double most = fmax(fabs(work->flat->range.min), fabs(work->flat->range.max)), v[2];
    for (int i = 0; i < 2; i++)
        v[i] = plane_cubic(&work->planes[i], at[0], at[1]) / most;
    if (isfinite(v[0]) && isfinite(v[1]))
        flat_velocity_colour(v[0], v[1], pixel);
    else
        colour_to_bytes((rgb){1, 0, 1}, pixel);
}

static void flat_pixel(const flat_work *work, float *amounts, int x, int y)
{
    const flat *flat = work->flat;
    uint8_t *pixel = image_pixel(work->image, x, y);
    float inside = flat->bend.node ? flat->bend.share[bend_pixel(&flat->bend, x, y)] : 1;
    if (!(inside > 0))
        return;
    rgb land = colour_of_bytes(pixel);
    double at[2];
    flat_cells(flat, x + 0.5, y + 0.5, at);
    if (flat->kind == FLAT_FIELD)
        flat_field_pixel(work, at, pixel);
    else if (flat->kind == FLAT_VELOCITY)
        flat_velocity_pixel(work, at, pixel);
    else
        colour_to_bytes(flat_inks(work, amounts, at), pixel);
    flat_obstacle(flat, at, pixel);
    if (inside < 1)
        colour_to_bytes(rgb_mix(land, colour_of_bytes(pixel), inside), pixel);
}

/* Each row has its own scratch memory for the amounts of inks. */
typedef struct flat_rows {
    flat_work work;
    float *amounts;
} flat_rows;

static void flat_paint_rows(void *context, int begin, int end)
{
    const flat_rows *rows = context;
    const int *plot = rows->work.flat->plot;
    for (int row = begin; row < end; row++) {
        int y = plot[1] + row;
        if (y < 0 || y >= rows->work.image->height)
            continue;
        float *amounts = rows->amounts + (size_t)row * (size_t)rows->work.count;
        for (int x = plot[0] > 0 ? plot[0] : 0; x < plot[2] && x < rows->work.image->width; x++)
            flat_pixel(&rows->work, amounts, x, y);
    }
}

static fr_result flat_extract_velocity(const flat *flat, plane *planes)
{
    static const char *const names[3] = {"u", "v", "w"};
    for (int i = 0; i < 2; i++)
        FR_TRY(plane_extract(flat->frame, names[flat->cut.axes[i]], &flat->cut, &planes[i]));
    return FR_OK;
}

static fr_result flat_extract_inks(const flat *flat, plane *planes, rgb *colours)
{
    int at = 0, n = 0;
    for (const fr_field *ink = palette_next_ink(flat->frame, &at); ink; ink = palette_next_ink(flat->frame, &at), n++) {
        FR_TRY(plane_extract(flat->frame, ink->name, &flat->cut, &planes[n]));
        planes[n].smooth = true;
        if (flat->around.data)
            plane_continue(&planes[n], &flat->around);
        colours[n] = palette_ink_colour(&flat->def->look, ink->name, n);
    }
    return FR_OK;
}

/* What ranges over decades is interpolated as the colours go: by logarithms, as shares of the range. */
static void flat_take_logarithms(const flat *flat, plane *plane)
{
    size_t count = (size_t)plane->n[0] * (size_t)plane->n[1];
    for (size_t i = 0; i < count; i++)
        plane->data[i] = range_share(&flat->range, true, (double)plane->data[i]);
}

static int flat_plane_count(const flat *flat)
{
    return flat->kind == FLAT_FIELD      ? 1
           : flat->kind == FLAT_VELOCITY ? 2
           : flat->kind == FLAT_INKS     ? palette_ink_count(flat->frame)
                                         : 0;
}

static fr_result flat_extract(const flat *flat, plane *planes, rgb *colours)
{
    if (flat->kind == FLAT_VELOCITY)
        return flat_extract_velocity(flat, planes);
    if (flat->kind == FLAT_INKS)
        return flat_extract_inks(flat, planes, colours);
    if (flat->kind == FLAT_FIELD) {
        FR_TRY(plane_extract(flat->frame, flat->view->field, &flat->cut, planes));
        planes->smooth = strcmp(flat->view->field, "density") == 0;
        if (flat->level.data)
            plane_continue(planes, &flat->level);
        else if (flat->around.data && planes->smooth)
            plane_continue(planes, &flat->around);
        if (flat->decades)
            flat_take_logarithms(flat, planes);
    }
    return FR_OK;
}

fr_result flat_paint(const flat *flat, const fr_image *image)
{
    int count = flat_plane_count(flat), height = flat->plot[3] - flat->plot[1];
    ground ground;
    FR_TRY(ground_create(flat, &ground));
    plane *planes = MEMORY_NEW(plane, count + 1);
    rgb *colours = MEMORY_NEW(rgb, count + 1);
    float *amounts = MEMORY_NEW(float, (size_t)(count + 1) * (size_t)height);
    fr_result result = planes && colours && amounts ? flat_extract(flat, planes, colours) : FR_ERROR_MEMORY;
    if (result == FR_OK) {
        flat_rows rows = {{flat, image, &ground, planes, colours, count}, amounts};
        threads_for(height, flat_paint_rows, &rows);
    }
    for (int i = 0; planes && i < count; i++)
        plane_free(&planes[i]);
    memory_free(planes);
    memory_free(colours);
    memory_free(amounts);
    ground_destroy(&ground);
    return result;
}
