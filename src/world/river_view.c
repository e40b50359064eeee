/* The river as a frame, its columns of the ledger, and its values at a point. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "grid/operators.h"
#include "grid/sample.h"
#include "stage/evaluate.h"
#include "stage/river_ledger.h"
#include "world/river.h"

static const char *const velocity_names[3] = {"u", "v", "w"}, *const side_names[FR_SIDES] = {"s0", "s1", "t0", "t1", "r0", "r1"};

enum { OWN_BLOCKS = 1 + 3 + 3 + 1 + 3,   /* head, flow, past flow, pressure, particles */
       OWN_FIELDS = 3 + 1 + 4 };

/* The ledger goes on with through_<side>, what leaves the river there, and total_<scalar>. */
static bool river_is_passed(const fr_world *world, int side)
{
    fr_river_side_kind kind = world->def->river.sides[side].kind;
    return side < 2 * world->river_model->curve.domain.dims && (kind == FR_RIVER_INFLOW || kind == FR_RIVER_OUTFLOW);
}

static void river_name_columns(fr_world *world)
{
    int column = WORLD_LEDGER_FIXED;
    for (int side = 0; side < FR_SIDES; side++)
        if (river_is_passed(world, side))
            world_name_column(world, column++, "through", side_names[side]);
    for (int i = 0; i < world->river_model->scalar_count; i++)
        world_name_column(world, column++, "total", world->river_model->scalars[i].name);
}

/* Node positions as files and pictures take them. */
static fr_result river_make_nodes(fr_world *world)
{
    const curve *c = &world->river_model->curve;
    int64_t count = (int64_t)c->nodes[0] * c->nodes[1] * c->nodes[2];
    if (!(world->nodes = MEMORY_NEW(float, 3 * count)))
        return FR_ERROR_MEMORY;
    for (int64_t n = 0; n < 3 * count; n++)
        world->nodes[n] = (float)c->node[n];
    return FR_OK;
}

/* Distance to what is solid as pictures want it: half a cell to either side of an obstacle's faces. */
static fr_result river_make_solid(fr_world *world)
{
    const river_model *m = world->river_model;
    int64_t cells = domain_cells(&m->curve.domain);
    if (!m->solid)
        return FR_OK;
    if (!(world->solid = MEMORY_NEW(float, cells)))
        return FR_ERROR_MEMORY;
    for (int64_t n = 0; n < cells; n++)
        world->solid[n] = m->solid[n] ? -0.5f : 0.5f;
    return FR_OK;
}

static fr_result river_make_bed(fr_world *world)
{
    const river_model *m = world->river_model;
    const int *n = m->curve.domain.n;
    if (!world->def->river.has_bed)
        return FR_OK;
    if (!(world->bed = MEMORY_NEW(float, domain_cells(&m->curve.domain))))
        return FR_ERROR_MEMORY;
    for (int64_t cell = 0; cell < domain_cells(&m->curve.domain); cell++) {
        double at[3], height;
        river_position(m, FR_AT_CELL, (int)(cell % n[0]), (int)(cell / n[0] % n[1]), (int)(cell / n[0] / n[1]), at);
        FR_TRY(evaluate_number(&world->def->river.bed, at, 0, &height));
        world->bed[cell] = (float)height;
    }
    return FR_OK;
}

fr_result river_views_create(fr_world *world)
{
    const river_model *m = world->river_model;
    int sides = 0;
    for (int side = 0; side < FR_SIDES; side++)
        sides += river_is_passed(world, side);
    FR_TRY(world_views_create(world, OWN_FIELDS + m->scalar_count, sides + m->scalar_count, OWN_BLOCKS + m->scalar_count));
    river_name_columns(world);
    FR_TRY(river_make_nodes(world));
    FR_TRY(river_make_solid(world));
    return river_make_bed(world);
}

void river_views_destroy(fr_world *world)
{
    memory_free(world->nodes);
    memory_free(world->solid);
    memory_free(world->bed);
    memory_free(world->places);
}

static void river_fill_ledger(fr_world *world, const field velocity[3])
{
    const river_model *m = world->river_model;
    river_state *s = world->river_state;
    river_ledger sums = stage_river_ledger(m, s, velocity);
    double *own = world->ledger_values + WORLD_LEDGER_FIXED;
    *world_column(world, "kinetic_energy") = sums.kinetic_energy;
    *world_column(world, "momentum_x") = sums.momentum[0];
    *world_column(world, "momentum_y") = sums.momentum[1];
    *world_column(world, "momentum_z") = m->curve.domain.dims == 3 ? sums.momentum[2] : NAN;
    *world_column(world, "volume") = m->volume;
    if (m->def->tracer_count) {
        *world_column(world, "particles") = (double)s->particles.count;
        *world_column(world, "particles_lost") = 0;
        *world_column(world, "particles_left") = (double)s->particles_left;
    }
    for (int side = 0; side < FR_SIDES; side++)
        if (river_is_passed(world, side))
            *own++ = stage_river_through(m, s, side);
    for (int i = 0; i < m->scalar_count; i++)
        *own++ = stage_river_total(m, s, &s->scalars[i]);
}

static void river_add_field(fr_world *world, const char *name, const char *unit, const field *f)
{
    fr_field *view = &world->fields[world->frame.field_count++];
    *view = (fr_field){.name = name, .unit = unit, .location = f->at, .data = f->data};
    for (int a = 0; a < 3; a++) {
        view->size[a] = f->size[a];
        view->stride[a] = f->stride[a];
    }
}

static void river_add_dense(fr_world *world, const char *name, const char *unit, const float *data)
{
    const int *n = world->river_model->curve.domain.n;
    world->fields[world->frame.field_count++] = (fr_field){.name = name, .unit = unit, .location = FR_AT_CELL, .data = data,
        .size = {n[0], n[1], n[2]}, .stride = {1, n[0], (ptrdiff_t)n[0] * n[1]}};
}

/* Where the nodes lie along an axis. */
static void river_extent(const curve *c, int axis, double *low, double *high)
{
    int64_t count = (int64_t)c->nodes[0] * c->nodes[1] * c->nodes[2];
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t n = 0; n < count; n++) {
        *low = fmin(*low, c->node[3 * n + axis]);
        *high = fmax(*high, c->node[3 * n + axis]);
    }
}

static void river_view_grid(fr_world *world)
{
    const curve *c = &world->river_model->curve;
    fr_frame *frame = &world->frame;
    frame->dims = c->domain.dims;
    frame->nodes = (fr_vectors){world->nodes, 3};
    for (int a = 0; a < 3; a++) {
        double low, high;
        river_extent(c, a, &low, &high);
        frame->cells[a] = c->domain.n[a];
        frame->origin[a] = low;
        frame->spacing[a] = a < frame->dims ? (high - low) / frame->cells[a] : 1;
        frame->periodic[a] = c->domain.periodic[a];
    }
}

/* World positions and velocities of the particles, made when a frame is looked at. */
static fr_result river_view_particles(fr_world *world, const field velocity[3])
{
    const river_model *m = world->river_model;
    const river_particles *p = &world->river_state->particles;
    fr_frame *frame = &world->frame;
    frame->has_particles = m->def->tracer_count > 0;
    if (world->place_room < p->count) {
        memory_free(world->places);
        world->places = MEMORY_NEW(float, 6 * p->count);
        world->place_room = world->places ? p->count : 0;
    }
    if (world->place_room < p->count)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room to show %lld particles", (long long)p->count);
    for (int64_t n = 0; n < p->count; n++) {
        double at[3];
        curve_position(&m->curve, p->place[n], at);
        for (int a = 0; a < 3; a++) {
            world->places[6 * n + a] = (float)at[a];
            world->places[6 * n + 3 + a] = a < m->curve.domain.dims ? (float)sample_at(&velocity[a], &m->curve.domain, p->place[n]) : 0;
        }
    }
    frame->particle_count = p->count;
    frame->particles = (fr_vectors){world->places, 6};
    frame->particle_velocity = (fr_vectors){world->places + 3, 6};
    frame->particle_ids = p->id;
    world->particle_age = (fr_attribute){"age", "s", p->age};
    frame->attributes = &world->particle_age;
    frame->attribute_count = frame->has_particles;
    return FR_OK;
}

/* Derived fields go into memory that only a step under way uses. */
fr_result river_view(fr_world *world)
{
    const river_model *m = world->river_model;
    river_state *s = world->river_state;
    int dims = m->curve.domain.dims;
    field velocity[3], vorticity = river_scratch(m, s, dims, FR_AT_CELL), divergence = river_scratch(m, s, dims + 1, FR_AT_CELL);
    river_view_grid(world);
    world->frame.has_obstacles = m->solid != NULL;
    stage_river_velocity(m, s, velocity);
    for (int a = 0; a < dims; a++)
        river_add_field(world, velocity_names[a], "m/s", &velocity[a]);
    river_add_field(world, "pressure", "Pa", &s->pressure);
    for (int i = 0; i < m->scalar_count; i++)
        river_add_field(world, m->scalars[i].name, !strcmp(m->scalars[i].name, "temperature") ? "K" : "1", &s->scalars[i]);
    stage_river_vorticity(m, velocity, &vorticity);
    river_add_field(world, "vorticity", "1/s", &vorticity);
    stage_river_divergence(m, m->def->river.scheme == FR_RIVER_CLASSIC ? s->velocity : s->flux, &divergence);
    river_add_field(world, "divergence", "1/s", &divergence);
    if (world->solid)
        river_add_dense(world, "solid", "cells", world->solid);
    if (world->bed)
        river_add_dense(world, "bed", "m", world->bed);
    fr_result result = river_view_particles(world, velocity);
    river_fill_ledger(world, velocity);
    stage_river_blank(m, velocity);
    return result;
}

/* The cell of a place along an axis. */
static int river_cell(const domain *d, int axis, const double grid[3])
{
    return axis < d->dims ? (int)fmax(0, fmin(floor(grid[axis]), d->n[axis] - 1)) : 0;
}

/* A place that the grid does not hold: land, if it lies in the box around it. */
static fr_result river_check_land(const curve *c, const double at[3])
{
    for (int a = 0; a < c->domain.dims; a++) {
        double low, high;
        river_extent(c, a, &low, &high);
        if (!(at[a] >= low && at[a] <= high))
            return fr_fail(FR_ERROR_INPUT, "(%g, %g, %g) lies outside the box around the river (%c from %g to %g m)",
                           at[0], at[1], at[2], "xyz"[a], low, high);
    }
    return FR_OK;
}

static double river_probe_velocity(const fr_world *world, const char *name, const double grid[3])
{
    const domain *d = &world->river_model->curve.domain;
    field velocity[3];
    double square = 0;
    stage_river_velocity(world->river_model, world->river_state, velocity);
    for (int a = 0; a < d->dims; a++) {
        double u = sample_at(&velocity[a], d, grid);
        square += u * u;
        if (!strcmp(name, velocity_names[a]))
            return u;
    }
    return sqrt(square);
}

fr_result river_probe(fr_world *world, const char *name, const double at[3], double *value)
{
    const river_model *m = world->river_model;
    const river_state *s = world->river_state;
    const domain *d = &m->curve.domain;
    double grid[3];
    if (!curve_find(&m->curve, at, grid))
        return river_check_land(&m->curve, at);
    if (river_solid(m, river_cell(d, 0, grid), river_cell(d, 1, grid), river_cell(d, 2, grid)))
        return FR_OK;
    const field *f = !strcmp(name, "pressure") ? &s->pressure : NULL;
    for (int i = 0; i < m->scalar_count; i++)
        f = !strcmp(name, m->scalars[i].name) ? &s->scalars[i] : f;
    *value = f ? sample_at(f, d, grid) : river_probe_velocity(world, name, grid);
    return FR_OK;
}
