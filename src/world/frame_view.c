/* The present state as a frame for files and pictures, and what all methods have in common of the ledger. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "world/world.h"

/* In the order of SCENE.md; then ours; then those that a method names. */
static const char *const ledger_fixed[WORLD_LEDGER_FIXED] = {
    "frame", "time", "steps", "dt_min", "dt_max", "wall_s", "kinetic_energy", "potential_energy", "momentum_x", "momentum_y",
    "momentum_z", "volume", "volume_error", "max_speed", "max_divergence", "pressure_iterations", "pressure_residual", "smoke_mass",
    "heat", "particles", "particles_lost", "density_error", "rss_mb", "clamps", "retries", "courant", "particles_left"};

enum { NAME = 80 };

fr_result world_views_create(fr_world *world, int fields, int own_columns, int blocks)
{
    world->ledger_count = WORLD_LEDGER_FIXED + own_columns;
    world->fields = MEMORY_NEW(fr_field, fields);
    world->ledger_names = MEMORY_NEW(const char *, world->ledger_count);
    world->ledger_text = MEMORY_NEW(char, NAME * world->ledger_count);
    world->ledger_values = MEMORY_NEW(double, world->ledger_count);
    world->loads = MEMORY_NEW(fr_obstacle_load, world->def->obstacle_count + 1);
    world->block_room = 1 + blocks;
    world->blocks = MEMORY_NEW(fr_block, world->block_room);
    world->wanted = MEMORY_NEW(fr_block, world->block_room);
    if (!world->fields || !world->loads || !world->ledger_names || !world->ledger_text || !world->ledger_values || !world->blocks || !world->wanted)
        return FR_ERROR_MEMORY;
    for (int c = 0; c < WORLD_LEDGER_FIXED; c++)
        world->ledger_names[c] = ledger_fixed[c];
    return FR_OK;
}

void world_views_destroy(fr_world *world)
{
    memory_free(world->fields);
    memory_free(world->ledger_names);
    memory_free(world->ledger_text);
    memory_free(world->ledger_values);
    memory_free(world->loads);
    memory_free(world->blocks);
    memory_free(world->wanted);
}

void world_name_column(fr_world *world, int column, const char *what, const char *of)
{
    char *name = world->ledger_text + NAME * column;
    snprintf(name, NAME, "%s_%s", what, of);
    world->ledger_names[column] = name;
}

double *world_column(fr_world *world, const char *name)
{
    int c = 0;
    while (c < world->ledger_count && strcmp(world->ledger_names[c], name) != 0)
        c++;
    assert(c < world->ledger_count);
    return &world->ledger_values[c];
}

static void world_fill_tally(fr_world *world)
{
    const world_tally *tally = &world->last;
    *world_column(world, "steps") = (double)tally->steps;
    *world_column(world, "wall_s") = tally->wall;
    *world_column(world, "max_divergence") = tally->max_divergence;
    *world_column(world, "clamps") = (double)tally->clamps;
    *world_column(world, "retries") = (double)tally->retries;
    *world_column(world, "courant") = tally->courant;
    if (tally->steps == 0)
        return;
    *world_column(world, "dt_min") = tally->dt_min;
    *world_column(world, "dt_max") = tally->dt_max;
    bool solved = !world->def->has_prescribed;
    *world_column(world, "pressure_iterations") = solved ? (double)tally->iterations : NAN;
    *world_column(world, "pressure_residual") = solved ? tally->residual : NAN;
}

fr_result fr_world_look(fr_world *world, const fr_frame **frame)
{
    world->frame = (fr_frame){.index = world->now->frame, .time = world->now->time, .fields = world->fields};
    for (int c = 0; c < world->ledger_count; c++)
        world->ledger_values[c] = NAN;
    *world_column(world, "frame") = world->now->frame;
    *world_column(world, "time") = world->now->time;
    *world_column(world, "rss_mb") = world_resident_mb();
    *world_column(world, "max_speed") = world->method->max_speed(world);
    world_fill_tally(world);
    fr_result result = world->method->view(world);
    world->frame.ledger = (fr_ledger){world->ledger_count, world->ledger_names, world->ledger_values};
    *frame = &world->frame;
    return result;
}

const fr_frame *fr_world_frame(fr_world *world)
{
    const fr_frame *frame;
    fr_world_look(world, &frame);
    return frame;
}
