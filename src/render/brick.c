#include "render/brick.h"

#include "base/memory.h"
#include "base/threads.h"
#include "render/cubic.h"
#include "render/palette.h"

#include <string.h>

/* Twice as fine as the grid up to this many voxels; coarser than it beyond the second number, which no picture shows. */
static const double fine_most = 8e6, voxels_most = 4e7;
/* Optical depth of density 1 across the domain's narrower horizontal side. */
static const double depth_across = 34;

double brick_extinction(const fr_frame *frame, const fr_look_def *look)
{
    if (look->smoke_opacity > 0)
        return look->smoke_opacity;
    return depth_across / fmin(frame->cells[0] * frame->spacing[0], frame->cells[2] * frame->spacing[2]);
}

/* The four samples that make voxel i of n along one axis, held at the sides, and their weights. */
typedef struct brick_taps {
    int at[4];
    float weight[4];
} brick_taps;

static brick_taps brick_taps_at(int i, int n, int cells)
{
    brick_taps taps;
    double place = (i + 0.5) * cells / n - 0.5;
    int low = (int)floor(place);
    cubic_weights((float)(place - low), taps.weight);
    for (int k = 0; k < 4; k++) {
        int at = low - 1 + k;
        taps.at[k] = at < 0 ? 0 : at >= cells ? cells - 1 : at;
    }
    return taps;
}

typedef struct brick_resampling {
    const brick *brick;
    const float *coarse;     /* dense, [z][y][x] */
    int cells[3];
    float *lines;            /* one row of cells per layer of voxels */
    float *out;
} brick_resampling;

/* One row of cells, interpolated to the height and depth of voxel row (j, k). */
static void brick_gather_row(const brick_resampling *r, int j, int k, float *line)
{
    brick_taps ty = brick_taps_at(j, r->brick->n[1], r->cells[1]), tz = brick_taps_at(k, r->brick->n[2], r->cells[2]);
    memset(line, 0, sizeof *line * (size_t)r->cells[0]);
    for (int b = 0; b < 16; b++) {
        float weight = ty.weight[b % 4] * tz.weight[b / 4];
        if (weight == 0)
            continue;
        const float *row = r->coarse + ((size_t)tz.at[b / 4] * (size_t)r->cells[1] + (size_t)ty.at[b % 4]) * (size_t)r->cells[0];
        for (int i = 0; i < r->cells[0]; i++)
            line[i] += weight * row[i];
    }
}

static void brick_resample_layers(void *context, int begin, int end)
{
    const brick_resampling *r = context;
    const int *n = r->brick->n;
    for (int k = begin; k < end; k++) {
        float *line = r->lines + (size_t)k * (size_t)r->cells[0];
        for (int j = 0; j < n[1]; j++) {
            float *out = r->out + ((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0];
            brick_gather_row(r, j, k, line);
            for (int i = 0; i < n[0]; i++) {
                brick_taps tx = brick_taps_at(i, n[0], r->cells[0]);
                out[i] = tx.weight[0] * line[tx.at[0]] + tx.weight[1] * line[tx.at[1]] + tx.weight[2] * line[tx.at[2]]
                       + tx.weight[3] * line[tx.at[3]];
            }
        }
    }
}

fr_result brick_resample(const brick *brick, const fr_field *field, float *out)
{
    size_t cells = (size_t)(field->size[0] * field->size[1] * field->size[2]);
    float *coarse = MEMORY_NEW(float, cells), *lines = MEMORY_NEW(float, (size_t)brick->n[2] * (size_t)field->size[0]);
    if (coarse && lines) {
        fr_field_copy(field, coarse);
        for (size_t i = 0; i < cells; i++)
            coarse[i] = isfinite(coarse[i]) ? coarse[i] : 0;
        brick_resampling r = {brick, coarse, {(int)field->size[0], (int)field->size[1], (int)field->size[2]}, lines, out};
        threads_for(brick->n[2], brick_resample_layers, &r);
    }
    memory_free(coarse);
    memory_free(lines);
    return coarse && lines ? FR_OK : FR_ERROR_MEMORY;
}

/* Adds a field as matter of that colour; inside obstacles there is none. */
static fr_result brick_add(brick *brick, const fr_field *field, rgb colour, double extinction)
{
    FR_TRY(brick_resample(brick, field, brick->light));
    brick_voxel matter = {colour.r, colour.g, colour.b, 1};
    matter *= (float)extinction;
    for (size_t i = 0; i < brick_count(brick); i++)
        if (brick->light[i] > 0)
            brick->voxels[i] += matter * brick->light[i];
    return FR_OK;
}

/* A voxel more on each side than the obstacles need. */
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
    FR_TRY(brick_resample(brick, solid, brick->solid));
    brick_bound_solid(brick);
    return FR_OK;
}

static fr_result brick_fill(const fr_frame *frame, const fr_scene_def *def, brick *brick)
{
    const fr_look_def *look = &def->look;
    double extinction = brick_extinction(frame, look);
    const fr_field *density = fr_frame_field(frame, "density"), *solid = fr_frame_field(frame, "solid");
    if (solid)
        FR_TRY(brick_add_solid(brick, solid));
    if (density)
        FR_TRY(brick_add(brick, density, palette_colour(look->smoke_colour, 0.92, 0.93, 0.95), extinction));
    int at = 0, n = 0;
    for (const fr_field *ink = palette_next_ink(frame, &at); ink; ink = palette_next_ink(frame, &at), n++)
        FR_TRY(brick_add(brick, ink, palette_ink_colour(look, ink->name, n), extinction));
    return FR_OK;
}

fr_result brick_create(const fr_frame *frame, const fr_scene_def *def, brick *out)
{
    *out = (brick){.factor = 2};
    double cells = (double)frame->cells[0] * frame->cells[1] * frame->cells[2];
    while (cells * pow(out->factor, 3) > (out->factor > 1 ? fine_most : voxels_most))
        out->factor /= 2;
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
    fr_result result = out->voxels && out->light && out->sky && out->full ? brick_fill(frame, def, out) : FR_ERROR_MEMORY;
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
    memory_free(brick->full);
    brick->voxels = NULL;
    brick->light = brick->sky = brick->solid = NULL;
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

/* Voxels of block b along an axis and one more on each side, which interpolation reaches. */
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
