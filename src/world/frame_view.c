/* The current state as a frame, and the ledger columns that all methods have. */
#include <assert.h>
#include <math.h>

#include "world/world.h"

static void world_fill_tally(fr_world *world)
{
    const world_tally *tally = &world->last;
    *method_column(world->run, "steps") = (double)tally->steps;
    *method_column(world->run, "wall_s") = tally->wall;
    *method_column(world->run, "max_divergence") = tally->max_divergence;
    *method_column(world->run, "clamps") = (double)tally->clamps;
    *method_column(world->run, "retries") = (double)tally->retries;
    *method_column(world->run, "courant") = tally->courant;
    if (tally->steps == 0)
        return;
    *method_column(world->run, "dt_min") = tally->dt_min;
    *method_column(world->run, "dt_max") = tally->dt_max;
    bool solved = !world->def.has_prescribed;
    *method_column(world->run, "pressure_iterations") = solved ? (double)tally->iterations : NAN;
    *method_column(world->run, "pressure_residual") = solved ? tally->residual : NAN;
    if (!method_has_column(world->run, "viscosity_iterations"))
        return;
    *method_column(world->run, "viscosity_iterations") = (double)tally->viscosity_iterations;
    *method_column(world->run, "viscosity_residual") = tally->viscosity_residual;
    if (method_has_column(world->run, "viscosity_smeared"))
        *method_column(world->run, "viscosity_smeared") = (double)tally->viscosity_smeared;
}

fr_result fr_world_look(fr_world *world, const fr_frame **frame)
{
    method_run *run = world->run;
    run->frame = (fr_frame){.index = world->now->frame,
                            .time = world->now->time,
                            .fields = run->fields,
                            .bodies = run->bodies,
                            .body_count = run->def->body_count};
    for (int c = 0; c < run->ledger_count; c++)
        run->ledger_values[c] = NAN;
    *method_column(world->run, "frame") = world->now->frame;
    *method_column(world->run, "time") = world->now->time;
    *method_column(world->run, "rss_mb") = world_resident_mb();
    *method_column(world->run, "max_speed") = world_max_speed(world);
    world_fill_tally(world);
    fr_result result = world->method->view(world->run);
    run->frame.ledger = (fr_ledger){run->ledger_count, run->ledger_names, run->ledger_values};
    *frame = &run->frame;
    return result;
}

const fr_frame *fr_world_frame(fr_world *world)
{
    const fr_frame *frame;
    fr_world_look(world, &frame);
    return frame;
}
