#include "render/space/brick.h"

#include "base/memory.h"
#include "base/threads.h"
#include "render/draw/palette.h"
#include "render/flat/resample.h"

/* Voxels are half as large as the finest field's cells up to fine_most voxels. Above voxels_most they are larger than
   those cells: no picture shows more detail. */
static const double fine_most = 8e6, voxels_most = 4e7;
/* Optical depth of density 1 across the domain's narrower horizontal side. */
static const double depth_across = 34;

/* Extinction of density 1 in 1/m: the look's, else such that smoke over a fraction of the domain's width is opaque. */
static double brick_extinction(const fr_frame *frame, const fr_look_def *look)
{
    if (look->smoke_opacity > 0)
        return look->smoke_opacity;
    return depth_across / fmin(frame->cells[0] * frame->spacing[0], frame->cells[2] * frame->spacing[2]);
}

/* One kind of matter: smoke or an ink. */
typedef struct brick_matter {
    const fr_field *amount, *solid;
    rgb colour;
    double extinction;       /* 1/m for amount 1 */
} brick_matter;

static fr_result brick_add(brick *brick, const brick_matter *kind)
{
    resample_source source = {.field = kind->amount, .solid = kind->solid, .smooth = true};
    FR_TRY(resample_field(&source, brick->n, brick->light));
    rgb colour = kind->colour;
    brick_voxel matter = {colour.r, colour.g, colour.b, 1};
    matter *= (float)kind->extinction;
    for (size_t i = 0; i < brick_count(brick); i++)
        if (brick->light[i] > 0)
            brick->voxels[i] += matter * brick->light[i];
    return FR_OK;
}

/* The bounding box of the obstacles plus one voxel on each side. */
static void brick_bound_solid(brick *brick)
{
    for (int axis = 0; axis < 3; axis++) {
        brick->solid_low[axis] = INFINITY;
        brick->solid_high[axis] = -INFINITY;
    }
    size_t at = 0;
    for (int k = 0; k < brick->n[2]; k++)
        for (int j = 0; j < brick->n[1]; j++)
            for (int i = 0; i < brick->n[0]; i++)
                if (brick->solid[at++] < 0) {
                    const int place[3] = {i, j, k};
                    for (int axis = 0; axis < 3; axis++) {
                        double low = brick->low[axis] + (place[axis] - 1) * brick->spacing[axis];
                        brick->solid_low[axis] = fmin(brick->solid_low[axis], low);
                        brick->solid_high[axis] = fmax(brick->solid_high[axis], low + 3 * brick->spacing[axis]);
                    }
                }
    for (int axis = 0; axis < 3; axis++) {
        brick->solid_low[axis] = fmax(brick->solid_low[axis], brick->low[axis]);
        brick->solid_high[axis] = fmin(brick->solid_high[axis], brick->high[axis]);
    }
}

static fr_result brick_add_solid(brick *brick, const fr_field *solid)
{
    brick->solid = MEMORY_NEW(float, brick_count(brick));
    if (!brick->solid)
        return FR_ERROR_MEMORY;
    FR_TRY(resample_field(&(resample_source){.field = solid}, brick->n, brick->solid));
    brick_bound_solid(brick);
    return FR_OK;
}

fr_result brick_set_obstacles(brick *brick, const fr_field *obstacles)
{
    brick->dark = brick->solid;
    brick->solid = NULL;
    return obstacles ? brick_add_solid(brick, obstacles) : FR_OK;
}

static fr_result brick_fill(const fr_frame *frame, const fr_scene_def *def, brick *brick)
{
    const fr_look_def *look = &def->look;
    double extinction = brick_extinction(frame, look);
    const fr_field *density = fr_frame_field(frame, "density"), *solid = fr_frame_field(frame, "solid");
    if (solid)
        FR_TRY(brick_add_solid(brick, solid));
    brick_matter smoke = {density, solid, palette_colour(look->smoke_colour, 0.92, 0.93, 0.95), extinction};
    if (density)
        FR_TRY(brick_add(brick, &smoke));
    int at = 0, n = 0;
    for (const fr_field *ink = palette_next_ink(frame, &at); ink; ink = palette_next_ink(frame, &at), n++) {
        brick_matter matter = {ink, solid, palette_ink_colour(look, ink->name, n), extinction};
        FR_TRY(brick_add(brick, &matter));
    }
    return FR_OK;
}

/* Samples per cell of the finest of smoke and inks. */
static int brick_finest(const fr_frame *frame)
{
    const fr_field *density = fr_frame_field(frame, "density");
    int at = 0, finest = density ? fr_field_refine(frame, density) : 1;
    for (const fr_field *ink = palette_next_ink(frame, &at); ink; ink = palette_next_ink(frame, &at)) {
        int refine = fr_field_refine(frame, ink);
        finest = refine > finest ? refine : finest;
    }
    return finest > 1 ? finest : 1;
}

/* Without smoke, inks and obstacles a few voxels are enough. */
static bool brick_is_empty(const fr_frame *frame)
{
    return !fr_frame_field(frame, "density") && !fr_frame_field(frame, "solid") && palette_ink_count(frame) == 0;
}

fr_result brick_create(const fr_frame *frame, const fr_scene_def *def, brick *out)
{
    const int finest = brick_finest(frame);
    *out = (brick){.factor = brick_is_empty(frame) ? 0.125 : 2 * finest};
    double cells = (double)frame->cells[0] * frame->cells[1] * frame->cells[2];
    while (cells * pow(out->factor, 3) > (out->factor > finest ? fine_most : voxels_most))
        out->factor /= 2;
    out->between = out->factor > finest;
    for (int axis = 0; axis < 3; axis++) {
        double size = frame->cells[axis] * frame->spacing[axis];
        out->n[axis] = (int)fmax(1, round(frame->cells[axis] * out->factor));
        out->blocks[axis] = (out->n[axis] + BRICK_BLOCK - 1) / BRICK_BLOCK;
        out->spacing[axis] = size / out->n[axis];
        out->low[axis] = frame->origin[axis];
        out->high[axis] = frame->origin[axis] + size;
    }
    size_t count = brick_count(out);
    out->voxels = MEMORY_NEW(brick_voxel, count);
    out->light = MEMORY_NEW(float, count);
    out->sky = MEMORY_NEW(float, count);
    out->full = MEMORY_NEW(uint8_t, (size_t)out->blocks[0] * (size_t)out->blocks[1] * (size_t)out->blocks[2]);
    fr_result result =
        out->voxels && out->light && out->sky && out->full ? brick_fill(frame, def, out) : FR_ERROR_MEMORY;
    if (result != FR_OK)
        brick_destroy(out);
    return result;
}

void brick_destroy(brick *brick)
{
    memory_free(brick->voxels);
    memory_free(brick->light);
    memory_free(brick->sky);
    memory_free(brick->solid);
    memory_free(brick->dark);
    memory_free(brick->full);
    brick->voxels = NULL;
    brick->light = brick->sky = brick->solid = brick->dark = NULL;
    brick->full = NULL;
}

static bool brick_row_full(const brick *brick, int j, int k, const int range[2])
{
    const brick_voxel *row = brick->voxels + ((size_t)k * (size_t)brick->n[1] + (size_t)j) * (size_t)brick->n[0];
    for (int i = range[0]; i < range[1]; i++)
        if (row[i][0] > 1e-6f || row[i][1] > 1e-6f || row[i][2] > 1e-6f || row[i][3] > 1e-4f)
            return true;
    return false;
}

/* The voxels of block b along an axis, plus one on each side, which interpolation reads. */
static void brick_block_range(const brick *brick, int axis, int b, int range[2])
{
    range[0] = b * BRICK_BLOCK - 1 > 0 ? b * BRICK_BLOCK - 1 : 0;
    range[1] = (b + 1) * BRICK_BLOCK + 1 < brick->n[axis] ? (b + 1) * BRICK_BLOCK + 1 : brick->n[axis];
}

static void brick_find_block_layers(void *context, int begin, int end)
{
    brick *brick = context;
    const int *blocks = brick->blocks;
    for (int index = begin * blocks[0] * blocks[1]; index < end * blocks[0] * blocks[1]; index++) {
        int x[2], y[2], z[2];
        brick_block_range(brick, 0, index % blocks[0], x);
        brick_block_range(brick, 1, index / blocks[0] % blocks[1], y);
        brick_block_range(brick, 2, index / (blocks[0] * blocks[1]), z);
        bool full = false;
        for (int k = z[0]; k < z[1] && !full; k++)
            for (int j = y[0]; j < y[1] && !full; j++)
                full = brick_row_full(brick, j, k, x);
        brick->full[index] = full;
    }
}

void brick_find_blocks(brick *brick)
{
    threads_for(brick->blocks[2], brick_find_block_layers, brick);
}
