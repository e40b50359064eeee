/* A liquid in a flat view: its smooth surface, every particle as a disc, or every cell by its type. */
#include "render/flat/flat.h"

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "render/draw/pattern.h"
#include "render/space/liquid.h"

#include <freshet/surface.h>

#include <stdlib.h>

/* Diameter of a particle's disc, in particle spacings. */
static const double disc_size = 1.1;

/* Colours of water at rest and at the range's top speed (sRGB); shade and width of its rim. */
static const double still_colour[3] = {0.11, 0.38, 0.68}, fast_colour[3] = {0.52, 0.78, 0.93};
static const float rim_shade = 0.42f;
static const double rim_spacings = 0.3;

/* Planes of what a liquid carries: the parts of its colour, then texture coordinates. */
enum { CARRIED_TEXTURE = 3, CARRIED = 5 };

typedef struct flat_water {
    const flat *flat;
    const fr_image *image;
    const float *distance, *speed;
    rgb still, fast;
    plane carried[CARRIED];  /* parts of the colour, texture coordinates; data NULL: it carries none */
    pattern pattern;
    double rim;              /* pixels */
} flat_water;

/* The colour that the liquid carries, or its own. */
static rgb flat_water_own(const flat_water *work, const double at[2], rgb own)
{
    const plane *carried = work->carried;
    double colour[3];
    float place[3] = {0, 0, 0};
    for (int i = 0; i < 3 && carried[0].data; i++)
        colour[i] = clampd((double)plane_cubic(&carried[i], at[0], at[1]), 0, 1);
    if (carried[0].data)
        own = colour_light(colour);
    if (!carried[CARRIED_TEXTURE].data || work->pattern.kind == FR_PATTERN_NONE)
        return own;
    for (int i = 0; i < 2; i++)
        place[i] = plane_cubic(&carried[CARRIED_TEXTURE + i], at[0], at[1]);
    return pattern_paint(&work->pattern, place, own);
}

static rgb flat_water_colour(const flat_water *work, float speed, double depth, const double at[2])
{
    const fr_range *range = &work->flat->range;
    /* only about half of the way to the fast colour: the picture is to look like water */
    double fast = 0.55 * clampd((double)speed / range->max, 0, 1);
    double rim = 1 - clampd(depth / work->rim, 0, 1);
    rgb still = flat_water_own(work, at, work->still);
    rgb light = work->carried[0].data ? rgb_mix(still, (rgb){1, 1, 1}, 0.25f) : work->fast;
    rgb colour = rgb_mix(still, light, (float)fast);
    return rgb_scale(colour, 1 - (1 - rim_shade) * (float)(rim * rim * (3 - 2 * rim)));
}

static void flat_water_rows(void *context, int begin, int end)
{
    const flat_water *work = context;
    const int *plot = work->flat->plot;
    int width = plot[2] - plot[0];
    double pixels = 1 / flat_metres(work->flat, 0);
    for (int row = begin; row < end; row++)
        for (int column = 0; column < width; column++) {
            int x = plot[0] + column, y = plot[1] + row;
            if (x < 0 || y < 0 || x >= work->image->width || y >= work->image->height)
                continue;
            size_t n = (size_t)row * (size_t)width + (size_t)column;
            double depth = -(double)work->distance[n] * pixels, at[2];
            uint8_t *pixel = image_pixel(work->image, x, y);
            flat_cells(work->flat, x + 0.5, y + 0.5, at);
            if (depth > -0.5) {
                rgb water = flat_water_colour(work, work->speed[n], depth, at);
                colour_to_bytes(rgb_mix(colour_of_bytes(pixel), water, (float)clampd(depth + 0.5, 0, 1)), pixel);
            }
            flat_obstacle(work->flat, at, pixel);
        }
}

/* The plot's pixels as a lattice, rows from the top. */
static fr_lattice flat_pixel_lattice(const flat *flat)
{
    const fr_frame *frame = flat->frame;
    fr_lattice lattice = {.n = {flat->plot[2] - flat->plot[0], flat->plot[3] - flat->plot[1]}};
    for (int i = 0; i < 2; i++) {
        double step = flat_metres(flat, i), size = flat->cut.cells[i] * flat->cut.spacing[i];
        lattice.origin[i] = frame->origin[i] + (i == 0 ? 0.5 * step : size - 0.5 * step);
        lattice.step[i][i] = i == 0 ? step : -step;
    }
    return lattice;
}

/* The colour of water, or the scene's, and a lighter one where it is fast. */
static void flat_water_dye(flat_water *work, const double given[3])
{
    bool dyed = given[0] > 0 || given[1] > 0 || given[2] > 0;
    work->still = colour_light(dyed ? given : still_colour);
    work->fast = dyed ? rgb_mix(work->still, (rgb){1, 1, 1}, 0.4f) : colour_light(fast_colour);
}

/* What the liquid carries, continued beyond its surface. The caller frees the planes, also after a failure. */
static fr_result flat_extract_carried(const flat *flat, plane carried[CARRIED])
{
    static const char *const names[CARRIED] = {FR_COLOUR_RED, FR_COLOUR_GREEN, FR_COLOUR_BLUE, "texture_x",
                                               "texture_y"};
    plane level = {.data = NULL};
    fr_result result = FR_OK;
    for (int i = 0; i < CARRIED && result == FR_OK; i++) {
        if (!fr_frame_field(flat->frame, names[i]))
            continue;
        if (!level.data)
            result = plane_extract(flat->frame, "level_set", &flat->cut, &level);
        if (result == FR_OK)
            result = plane_extract(flat->frame, names[i], &flat->cut, &carried[i]);
        if (result == FR_OK)
            plane_continue(&carried[i], &level);
    }
    plane_free(&level);
    return result;
}

fr_result flat_liquid(const flat *flat, const fr_image *image)
{
    fr_lattice lattice = flat_pixel_lattice(flat);
    size_t count = (size_t)lattice.n[0] * (size_t)lattice.n[1];
    float *samples = MEMORY_NEW(float, 2 * count);
    fr_result result = samples ? fr_surface_sample(flat->frame, &lattice, samples, samples + count) : FR_ERROR_MEMORY;
    flat_water work = {.flat = flat, .image = image, .distance = samples, .speed = samples + count};
    if (result == FR_OK)
        result = flat_extract_carried(flat, work.carried);
    if (result == FR_OK) {
        work.pattern = pattern_of_look(&flat->def->look, fmin(flat->cut.size[0], flat->cut.size[1]));
        flat_water_dye(&work, flat->def->look.liquid_colour);
        work.rim = fmax(rim_spacings * liquid_spacing(flat->frame) / flat_metres(flat, 0), 1.5);
        threads_for(lattice.n[1], flat_water_rows, &work);
    }
    for (int i = 0; i < CARRIED; i++)
        plane_free(&work.carried[i]);
    memory_free(samples);
    return result;
}

static void flat_obstacle_rows(void *context, int begin, int end)
{
    const flat_water *work = context;
    const int *plot = work->flat->plot;
    for (int y = plot[1] + begin; y < plot[1] + end; y++)
        for (int x = plot[0]; x < plot[2]; x++) {
            double at[2];
            if (x < 0 || y < 0 || x >= work->image->width || y >= work->image->height)
                continue;
            flat_cells(work->flat, x + 0.5, y + 0.5, at);
            flat_obstacle(work->flat, at, image_pixel(work->image, x, y));
        }
}

/* A particle and its value relative to the range, 0 … 1. */
typedef struct disc {
    float value;
    int32_t number;
} disc;

static int disc_compare(const void *a, const void *b)
{
    const disc *p = a, *q = b;
    return p->value != q->value ? (p->value > q->value) - (p->value < q->value)
                                : (p->number > q->number) - (p->number < q->number);
}

static void flat_paint_discs(const flat *flat, const disc *discs, int count, canvas *canvas)
{
    const fr_frame *frame = flat->frame;
    double metres = flat_metres(flat, 0), size = fmax(disc_size * frame->particle_spacing / metres, 1);
    for (int n = 0; n < count; n++) {
        const float *p = frame->particles.data + discs[n].number * frame->particles.stride;
        const double at[2] = {flat->plot[0] + (p[0] - frame->origin[0]) / metres,
                              flat->plot[3] - (p[1] - frame->origin[1]) / metres};
        canvas_line(canvas, at, at, size);
        canvas_paint(canvas, colour_of_bytes(colormap_at(&flat->map, discs[n].value)), 1);
    }
}

/* Discs with larger values are drawn last, so that the slower water behind does not hide a crest. */
fr_result flat_discs(const flat *flat, canvas *canvas)
{
    const fr_frame *frame = flat->frame;
    float *values;
    int count = (int)(frame->particle_count < INT32_MAX ? frame->particle_count : INT32_MAX);
    FR_TRY(liquid_values(frame, flat->view->field, &values));
    disc *discs = MEMORY_NEW(disc, count);
    for (int n = 0; discs && n < count; n++)
        discs[n] = (disc){(float)((values[n] - flat->range.min) / (flat->range.max - flat->range.min)), n};
    memory_free(values);
    if (!discs)
        return FR_ERROR_MEMORY;
    qsort(discs, (size_t)count, sizeof *discs, disc_compare);
    flat_paint_discs(flat, discs, count, canvas);
    memory_free(discs);
    threads_for(flat->plot[3] - flat->plot[1], flat_obstacle_rows, &(flat_water){.flat = flat, .image = canvas->image});
    return FR_OK;
}

/* The colour of a cell: liquid; lighter where a neighbour is air; the ground where it is air itself; an obstacle. */
static rgb flat_cell_colour(const flat_water *work, const plane *level, const int at[2])
{
    const flat *flat = work->flat;
    const double middle[2] = {(at[0] + 0.5) / level->refine, (at[1] + 0.5) / level->refine};
    if (flat->solid.data && plane_linear(&flat->solid, middle[0], middle[1]) < 0)
        return flat->palette.obstacle;
    size_t own = (size_t)at[1] * (size_t)level->n[0] + (size_t)at[0];
    if (!(level->data[own] < 0))
        return flat->palette.background;
    bool beside_air = false;
    for (int side = 0; side < 4; side++) {
        int axis = side / 2, next[2] = {at[0], at[1]};
        next[axis] += side % 2 ? 1 : -1;
        if (next[axis] >= 0 && next[axis] < level->n[axis])
            beside_air |= !(level->data[(size_t)next[1] * (size_t)level->n[0] + (size_t)next[0]] < 0);
    }
    return beside_air ? work->fast : work->still;
}

typedef struct flat_cells_job {
    flat_water water;
    const plane *level;
} flat_cells_job;

static void flat_cell_rows(void *context, int begin, int end)
{
    const flat_cells_job *job = context;
    const flat *flat = job->water.flat;
    for (int y = flat->plot[1] + begin; y < flat->plot[1] + end; y++)
        for (int x = flat->plot[0]; x < flat->plot[2]; x++) {
            if (x < 0 || y < 0 || x >= job->water.image->width || y >= job->water.image->height)
                continue;
            double at[2];
            int cell[2];
            flat_cells(flat, x + 0.5, y + 0.5, at);
            for (int i = 0; i < 2; i++)
                cell[i] = (int)clampd(floor(at[i] * job->level->refine), 0, job->level->n[i] - 1);
            colour_to_bytes(flat_cell_colour(&job->water, job->level, cell), image_pixel(job->water.image, x, y));
        }
}

fr_result flat_cell_types(const flat *flat, const fr_image *image)
{
    plane level;
    FR_TRY(plane_extract(flat->frame, "level_set", &flat->cut, &level));
    flat_cells_job job = {{.flat = flat, .image = image}, &level};
    flat_water_dye(&job.water, flat->def->look.liquid_colour);
    threads_for(flat->plot[3] - flat->plot[1], flat_cell_rows, &job);
    plane_free(&level);
    return FR_OK;
}
