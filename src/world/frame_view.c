/* The present state as a frame for files and pictures, and its row of the ledger. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "grid/halo.h"
#include "grid/operators.h"
#include "grid/sample.h"
#include "stage/cfl.h"
#include "stage/drag.h"
#include "stage/ledger.h"
#include "stage/pressure.h"
#include "world/world.h"

/* In the order of SCENE.md; then ours; then total_<scalar> for each scalar and entered_<scalar> for each conserved one. */
static const char *const ledger_fixed[WORLD_LEDGER_FIXED] = {
    "frame", "time", "steps", "dt_min", "dt_max", "wall_s", "kinetic_energy", "potential_energy", "momentum_x", "momentum_y",
    "momentum_z", "volume", "volume_error", "max_speed", "max_divergence", "pressure_iterations", "pressure_residual", "smoke_mass",
    "heat", "particles", "particles_lost", "density_error", "rss_mb", "clamps", "retries", "courant", "particles_left", "total_density"};

enum { NAME = 80 };

static const char *const velocity_names[3] = {"u", "v", "w"};

static int world_field_most(const fr_world *world)
{
    return 3 + 1 + world->model->scalar_count + 2 + 1;
}

static int world_ledger_columns(const fr_world *world)
{
    int columns = WORLD_LEDGER_FIXED + world->model->scalar_count - 1;
    for (int i = 0; i < world->model->scalar_count; i++)
        columns += world->model->scalars[i].conserved;
    return columns;
}

static void world_name_column(fr_world *world, int column, const char *what, int scalar)
{
    char *name = world->ledger_text + NAME * column;
    snprintf(name, NAME, "%s_%s", what, world->model->scalars[scalar].name);
    world->ledger_names[column] = name;
}

fr_result world_views_create(fr_world *world)
{
    int columns = world_ledger_columns(world), scalars = world->model->scalar_count;
    world->fields = MEMORY_NEW(fr_field, world_field_most(world));
    world->ledger_names = MEMORY_NEW(const char *, columns);
    world->ledger_text = MEMORY_NEW(char, NAME * columns);
    world->ledger_values = MEMORY_NEW(double, columns);
    world->loads = MEMORY_NEW(fr_obstacle_load, world->def->obstacle_count + 1);
    world->blocks = MEMORY_NEW(fr_block, WORLD_BLOCKS_FIXED + scalars);
    if (!world->fields || !world->loads || !world->ledger_names || !world->ledger_text || !world->ledger_values || !world->blocks)
        return FR_ERROR_MEMORY;
    for (int c = 0; c < WORLD_LEDGER_FIXED - 1; c++)
        world->ledger_names[c] = ledger_fixed[c];
    int column = WORLD_LEDGER_FIXED - 1;
    for (int i = 0; i < scalars; i++)
        world_name_column(world, column++, "total", i);
    for (int i = 0; i < scalars; i++)
        if (world->model->scalars[i].conserved)
            world_name_column(world, column++, "entered", i);
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
}

static double *world_column(fr_world *world, const char *name)
{
    int c = 0;
    while (strcmp(world->ledger_names[c], name) != 0)
        c++;
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
    if (tally->steps == 0)
        return;
    *world_column(world, "dt_min") = tally->dt_min;
    *world_column(world, "dt_max") = tally->dt_max;
    bool solved = !world->def->has_prescribed;
    *world_column(world, "pressure_iterations") = solved ? (double)tally->iterations : NAN;
    *world_column(world, "pressure_residual") = solved ? tally->residual : NAN;
}

static void world_fill_ledger(fr_world *world)
{
    const model *m = world->model;
    state *s = world->state;
    for (int c = 0; c < world_ledger_columns(world); c++)
        world->ledger_values[c] = NAN;
    ledger_flow flow = stage_ledger_flow(m, s);
    *world_column(world, "frame") = s->frame;
    *world_column(world, "time") = s->time;
    *world_column(world, "kinetic_energy") = flow.kinetic_energy;
    *world_column(world, "momentum_x") = flow.momentum[0];
    *world_column(world, "momentum_y") = flow.momentum[1];
    *world_column(world, "momentum_z") = m->domain.dims == 3 ? flow.momentum[2] : NAN;
    *world_column(world, "max_speed") = stage_cfl_max_speed(m, s);
    *world_column(world, "rss_mb") = world_resident_mb();
    *world_column(world, "courant") = world->last.courant;
    world_fill_tally(world);
    if (m->tracer_count) {
        *world_column(world, "particles") = (double)s->particles.count;
        *world_column(world, "particles_lost") = (double)s->particles_lost;
        *world_column(world, "particles_left") = (double)s->particles_left;
    }
    for (int i = 0; i < m->scalar_count; i++)
        world->ledger_values[WORLD_LEDGER_FIXED - 1 + i] = stage_ledger_total(m, s, i);
    for (int i = 0, column = WORLD_LEDGER_FIXED - 1 + m->scalar_count; i < m->scalar_count; i++)
        if (m->scalars[i].conserved)
            world->ledger_values[column++] = s->accounts[i].entered;
    *world_column(world, "smoke_mass") = world->ledger_values[WORLD_LEDGER_FIXED - 1 + MODEL_DENSITY];
    *world_column(world, "heat") = world->ledger_values[WORLD_LEDGER_FIXED - 1 + MODEL_TEMPERATURE];
}

static void world_add_field(fr_world *world, const char *name, const char *unit, const field *f)
{
    fr_field *view = &world->fields[world->frame.field_count++];
    *view = (fr_field){.name = name, .unit = unit, .location = f->at, .data = f->data};
    for (int a = 0; a < 3; a++) {
        view->size[a] = f->size[a];
        view->stride[a] = f->stride[a];
    }
}

/* Divergence and vorticity go into memory that only a step under way uses. */
static void world_add_derived(fr_world *world)
{
    const model *m = world->model;
    state *s = world->state;
    field divergence = state_scratch(m, s, 0, FR_AT_CELL), vorticity = state_scratch(m, s, 1, FR_AT_CELL);
    stage_divergence(m, s, s->velocity, &divergence);
    operators_vorticity(&m->domain, s->velocity, true, &vorticity);
    world_add_field(world, "divergence", "1/s", &divergence);
    world_add_field(world, "vorticity", "1/s", &vorticity);
}

const fr_frame *fr_world_frame(fr_world *world)
{
    const model *m = world->model;
    const domain *d = &m->domain;
    const state *s = world->state;
    fr_frame *frame = &world->frame;
    *frame = (fr_frame){.index = s->frame, .time = s->time, .dims = d->dims, .has_obstacles = s->solids.any, .fields = world->fields};
    for (int a = 0; a < 3; a++) {
        frame->cells[a] = d->n[a];
        frame->origin[a] = d->origin[a];
        frame->spacing[a] = d->h[a];
        frame->periodic[a] = d->periodic[a];
    }
    for (int a = 0; a < d->dims; a++)
        world_add_field(world, velocity_names[a], "m/s", &s->velocity[a]);
    world_add_field(world, "pressure", "Pa", &s->pressure);
    for (int i = 0; i < m->scalar_count; i++)
        world_add_field(world, m->scalars[i].name, i == MODEL_TEMPERATURE ? "K" : "1", &s->scalars[i]);
    world_fill_ledger(world);
    world_add_derived(world);
    if (s->solids.any)
        world_add_field(world, "solid", "m", &s->solids.distance);
    frame->has_particles = m->tracer_count > 0;
    frame->particle_count = s->particles.count;
    frame->particles = (fr_vectors){(const float *)s->particles.position, 4};
    frame->particle_velocity = (fr_vectors){(const float *)s->particles.velocity, 4};
    frame->particle_age = s->particles.age;
    frame->particle_id = s->particles.id;
    frame->ledger = (fr_ledger){world_ledger_columns(world), world->ledger_names, world->ledger_values};
    if (s->solids.any && !m->def->has_prescribed) {
        stage_drag(m, s, world->loads);
        frame->obstacles = world->loads;
        frame->obstacle_count = m->def->obstacle_count;
    }
    return frame;
}

static fr_result world_probe_speed(const fr_world *world, const double at[3], double *value)
{
    double square = 0;
    for (int a = 0; a < world->model->domain.dims; a++) {
        double u = sample_at(&world->state->velocity[a], &world->model->domain, at);
        square += u * u;
    }
    *value = sqrt(square);
    return FR_OK;
}

fr_result fr_world_probe(fr_world *world, const char *name, const double at[3], double *value)
{
    const model *m = world->model;
    const domain *d = &m->domain;
    state *s = world->state;
    if (!strcmp(name, "speed"))
        return world_probe_speed(world, at, value);
    const field *f = !strcmp(name, "pressure") ? &s->pressure : NULL;
    for (int a = 0; a < d->dims; a++)
        f = !strcmp(name, velocity_names[a]) ? &s->velocity[a] : f;
    for (int i = 0; i < m->scalar_count; i++)
        if (!strcmp(name, m->scalars[i].name)) {
            f = &s->scalars[i];
            d = model_scalar_domain(m, i);
        }
    field derived = state_scratch(m, s, 0, FR_AT_CELL);
    if (!strcmp(name, "divergence") || !strcmp(name, "vorticity")) {
        if (!strcmp(name, "divergence"))
            stage_divergence(m, s, s->velocity, &derived);
        else
            operators_vorticity(d, s->velocity, true, &derived);
        halo_fill_even(&derived, d);
        f = &derived;
    }
    if (!f)
        return fr_fail(FR_ERROR_INPUT, "there is no field '%s' to probe", name);
    *value = sample_at(f, d, at);
    return FR_OK;
}
