/* Checks the cells that obstacles, sources and particles name, and that water can flow between them. */
#include "method/check.h"
#include "river/check.h"

#include <stdio.h>

#include "base/memory.h"

enum { BED_WATER, BED_SOLID, BED_REACHED };

/* The state of each cell, the first axis fastest, and the queue of the flood fill. */
typedef struct bed {
    const fr_scene_def *def;
    int dims, n[3];
    uint8_t *cell;
    int32_t *queue;
    int64_t queued;
} bed;

static int64_t bed_index(const bed *b, const int at[3])
{
    return at[0] + (int64_t)b->n[0] * (at[1] + (int64_t)b->n[1] * at[2]);
}

static int64_t bed_cells(const bed *b)
{
    return (int64_t)b->n[0] * b->n[1] * b->n[2];
}

/* Returns whether a cell counts; may change its state. */
typedef bool (*bed_visit)(bed *b, int64_t cell);

static bool bed_close(bed *b, int64_t cell)
{
    b->cell[cell] = BED_SOLID;
    return true;
}

static bool bed_reach(bed *b, int64_t cell)
{
    if (b->cell[cell] != BED_WATER)
        return false;
    b->cell[cell] = BED_REACHED;
    b->queue[b->queued++] = (int32_t)cell;
    return true;
}

static bool bed_is_open(bed *b, int64_t cell)
{
    return b->cell[cell] != BED_SOLID;
}

static bool bed_is_cut_off(bed *b, int64_t cell)
{
    return b->cell[cell] == BED_WATER;
}

/* Visits the cells of a block; returns how many count. */
static int64_t bed_count(bed *b, const fr_cells_def *block, bed_visit visit)
{
    int64_t count = 0;
    for (int k = block->from[2]; k <= block->to[2]; k++)
        for (int j = block->from[1]; j <= block->to[1]; j++)
            for (int i = block->from[0]; i <= block->to[0]; i++)
                count += visit(b, bed_index(b, (const int[3]){i, j, k}));
    return count;
}

static fr_cells_def bed_whole(const bed *b)
{
    return (fr_cells_def){.to = {b->n[0] - 1, b->n[1] - 1, b->n[2] - 1}};
}

/* The cells along a side. */
static fr_cells_def bed_side(const bed *b, int side)
{
    fr_cells_def cells = bed_whole(b);
    if (side % 2)
        cells.from[side / 2] = cells.to[side / 2];
    else
        cells.to[side / 2] = 0;
    return cells;
}

static void bed_spread(bed *b, int64_t cell)
{
    const fr_river_side *sides = b->def->river.sides;
    const int at[3] = {(int)(cell % b->n[0]), (int)(cell / b->n[0] % b->n[1]),
                       (int)(cell / ((int64_t)b->n[0] * b->n[1]))};
    for (int face = 0; face < 2 * b->dims; face++) {
        int a = face / 2, to[3] = {at[0], at[1], at[2]};
        to[a] += face % 2 ? 1 : -1;
        if (sides[2 * a].kind == FR_RIVER_PERIODIC)
            to[a] = (to[a] + b->n[a]) % b->n[a];
        if (to[a] >= 0 && to[a] < b->n[a])
            bed_reach(b, bed_index(b, to));
    }
}

/* Flood fill: with the first `blocks` obstacles, marks all cells connected to an outflow as reached. */
static void bed_flood(bed *b, int blocks)
{
    for (int64_t cell = 0; cell < bed_cells(b); cell++)
        b->cell[cell] = BED_WATER;
    for (int i = 0; i < blocks; i++)
        bed_count(b, &b->def->river.blocks[i], bed_close);
    b->queued = 0;
    for (int side = 0; side < 2 * b->dims; side++) {
        fr_cells_def cells = bed_side(b, side);
        if (b->def->river.sides[side].kind == FR_RIVER_OUTFLOW)
            bed_count(b, &cells, bed_reach);
    }
    while (b->queued > 0)
        bed_spread(b, b->queue[--b->queued]);
}

/* Whether all water that enters through a bank at the start is connected to an outflow. */
static fr_result bed_drains(bed *b, int side, bool *drains)
{
    const fr_river_side *bank = &b->def->river.sides[side];
    const fr_cells_def cells = bed_side(b, side);
    const int axis = side / 2, along[2] = {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
    int at[3];
    *drains = true;
    for (at[2] = cells.from[2]; at[2] <= cells.to[2]; at[2]++)
        for (at[1] = cells.from[1]; at[1] <= cells.to[1]; at[1]++)
            for (at[0] = cells.from[0]; at[0] <= cells.to[0]; at[0]++) {
                double shares[3] = {0}, speed;
                for (int i = 0; i < 2; i++)
                    shares[i] = (at[along[i]] + 0.5) / b->n[along[i]];
                FR_TRY(river_entering(bank, shares, 0, &speed));
                *drains = *drains && !(speed != 0 && bed_is_cut_off(b, bed_index(b, at)));
            }
    return FR_OK;
}

/* An inflow that is closed, or part of which is not connected to an outflow; −1: none. */
static fr_result bed_dammed(bed *b, int blocks, int *dammed)
{
    *dammed = -1;
    bed_flood(b, blocks);
    for (int side = 0; side < 2 * b->dims && *dammed < 0; side++) {
        const fr_river_side *given = &b->def->river.sides[side];
        fr_cells_def cells = bed_side(b, side);
        bool drains = true;
        if (given->kind == FR_RIVER_INFLOW)
            drains = bed_count(b, &cells, bed_is_open) > 0 && bed_count(b, &cells, bed_is_cut_off) == 0;
        else if (river_lets_in(given))
            FR_TRY(bed_drains(b, side, &drains));
        *dammed = drains ? -1 : side;
    }
    return FR_OK;
}

static const char *bed_outflow(const bed *b)
{
    int side = 0;
    while (b->def->river.sides[side].kind != FR_RIVER_OUTFLOW)
        side++;
    return river_side_names[side];
}

/* Names the obstacle that dams the river, by bisection: without it the water gets through, with it no more. */
static fr_result bed_check_dams(bed *b)
{
    int through = 0, dammed = b->def->river.block_count, side;
    FR_TRY(bed_dammed(b, dammed, &side));
    if (side < 0)
        return FR_OK;
    while (dammed - through > 1) {
        int middle = through + (dammed - through) / 2, found;
        FR_TRY(bed_dammed(b, middle, &found));
        if (found >= 0)
            side = found;
        *(found >= 0 ? &dammed : &through) = middle;
    }
    char key[CHECK_KEY];
    snprintf(key, sizeof key, "river.obstacles[%d]", dammed);
    return fr_fail_key(key, "%s dams the river: no way from %s to %s", key, river_side_names[side], bed_outflow(b));
}

static fr_result bed_check_block(const bed *b, const char *key, const fr_cells_def *block)
{
    for (int a = 0; a < 3; a++) {
        if (block->from[a] > block->to[a])
            return fr_fail_key(key, "%s: its cells end (to) before they begin (from): %d and %d along %c", key,
                               block->to[a], block->from[a], "str"[a]);
        int beyond = block->from[a] < 0 ? block->from[a] : block->to[a];
        if (beyond < 0 || beyond >= b->n[a])
            return fr_fail_key(key, "%s lies outside the grid: cell %d along %c; there are cells 0 to %d", key, beyond,
                               "str"[a], b -> n[a] - 1);
    }
    return FR_OK;
}

/* A block where something starts must contain water. */
static fr_result bed_check_wet(bed *b, const char *key, const fr_cells_def *block)
{
    if (b->cell && bed_count(b, block, bed_is_open) == 0)
        return fr_fail_key(key, "%s: its cells lie inside an obstacle; move it into the water", key);
    return FR_OK;
}

static fr_result bed_check_contents(bed *b)
{
    const fr_scene_def *def = b->def;
    char key[CHECK_KEY];
    for (int i = 0; i < def->source_count; i++) {
        if (!def->sources[i].in_cells)
            continue;
        check_source_key(def, i, key);
        FR_TRY(bed_check_block(b, key, &def->sources[i].cells));
        FR_TRY(bed_check_wet(b, key, &def->sources[i].cells));
    }
    for (int i = 0; i < def->tracer_count; i++) {
        if (!def->tracers[i].in_cells)
            continue;
        snprintf(key, sizeof key, "river.particles[%d]", i + 1);
        FR_TRY(bed_check_block(b, key, &def->tracers[i].cells));
        FR_TRY(bed_check_wet(b, key, &def->tracers[i].cells));
    }
    return FR_OK;
}

static fr_result bed_check_obstacles(bed *b)
{
    const fr_river_def *river = &b->def->river;
    for (int i = 0; i < river->block_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "river.obstacles[%d]", i + 1);
        FR_TRY(bed_check_block(b, key, &river->blocks[i]));
    }
    if (river->block_count == 0)
        return FR_OK;
    b->cell = MEMORY_NEW(uint8_t, bed_cells(b));
    b->queue = MEMORY_NEW(int32_t, bed_cells(b));
    if (!b->cell || !b->queue)
        return FR_ERROR_MEMORY;
    FR_TRY(bed_check_dams(b));
    fr_cells_def whole = bed_whole(b);
    if (bed_count(b, &whole, bed_is_open) == 0)
        return fr_fail_key("river.obstacles", "river.obstacles fill the whole grid: no water is left to flow");
    return FR_OK;
}

fr_result river_check_blocks(const fr_scene_def *def)
{
    const int *cells = def->river.cells;
    bed b = {.def = def, .dims = river_dims(def), .n = {cells[0], cells[1], cells[2] > 0 ? cells[2] : 1}};
    fr_result result = bed_check_obstacles(&b);
    if (result == FR_OK)
        result = bed_check_contents(&b);
    memory_free(b.cell);
    memory_free(b.queue);
    return result;
}
