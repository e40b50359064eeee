/* A river's frame, its ledger columns, and its values at a point. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "grid/operators.h"
#include "grid/sample.h"
#include "method/evaluate.h"
#include "river/stage/ledger.h"
#include "river/check.h"
#include "river/river.h"

static const char *const velocity_names[3] = {"u", "v", "w"};

enum { OWN_BLOCKS = 1 + 3 + 3 + 1 + 3,   /* head, flow, past flow, pressure, particles */
       OWN_FIELDS = 3 + 1 + 4 };

/* Sides with a ledger column through_<side>, the net outflow there; after them come the columns total_<scalar>. */
static bool river_is_passed(const river_run *run, int side)
{
    fr_river_side_kind kind = run->model->sides[side].kind;
    return side < 2 * run->model->curve.domain.dims &&
           (kind == FR_RIVER_INFLOW || kind == FR_RIVER_OUTFLOW || run->model->sides[side].gated);
}

static void river_name_columns(river_run *run)
{
    int column = METHOD_LEDGER_FIXED;
    for (int side = 0; side < FR_SIDES; side++)
        if (river_is_passed(run, side))
            method_name_column(&run->base, column++, "through", river_side_names[side]);
    for (int i = 0; i < run->model->scalar_count; i++)
        method_name_column(&run->base, column++, "total", run->model->scalars[i].name);
}

/* Node positions in float, for files and pictures. */
static fr_result river_make_nodes(river_run *run)
{
    const curve *c = &run->model->curve;
    int64_t count = (int64_t)c->nodes[0] * c->nodes[1] * c->nodes[2];
    if (!(run->nodes = MEMORY_NEW(float, 3 * count)))
        return FR_ERROR_MEMORY;
    for (int64_t n = 0; n < 3 * count; n++)
        run->nodes[n] = (float)c->node[n];
    return FR_OK;
}

/* Distance to obstacles, in cells, for pictures: half a cell on either side of an obstacle's faces. */
static fr_result river_make_solid(river_run *run)
{
    const river_model *m = run->model;
    int64_t cells = domain_cells(&m->curve.domain);
    if (!m->solid)
        return FR_OK;
    if (!(run->solid = MEMORY_NEW(float, cells)))
        return FR_ERROR_MEMORY;
    for (int64_t n = 0; n < cells; n++)
        run->solid[n] = m->solid[n] ? -0.5f : 0.5f;
    return FR_OK;
}

static fr_result river_make_bed(river_run *run)
{
    const river_model *m = run->model;
    const int *n = m->curve.domain.n;
    if (!run->base.def->river.has_bed)
        return FR_OK;
    if (!(run->bed = MEMORY_NEW(float, domain_cells(&m->curve.domain))))
        return FR_ERROR_MEMORY;
    for (int64_t cell = 0; cell < domain_cells(&m->curve.domain); cell++) {
        double at[3], height;
        river_position(m, FR_AT_CELL, (int)(cell % n[0]), (int)(cell / n[0] % n[1]), (int)(cell / n[0] / n[1]), at);
        FR_TRY(evaluate_number(&run->base.def->river.bed, at, 0, &height));
        run->bed[cell] = (float)height;
    }
    return FR_OK;
}

fr_result river_views_create(river_run *run)
{
    const river_model *m = run->model;
    int sides = 0;
    for (int side = 0; side < FR_SIDES; side++)
        sides += river_is_passed(run, side);
    FR_TRY(method_views_create(&run->base, OWN_FIELDS + m->scalar_count, sides + m->scalar_count,
                               OWN_BLOCKS + m->scalar_count));
    method_name_field(&run->base, "pressure", &run->state->pressure, &m->curve.domain);
    for (int i = 0; i < m->scalar_count; i++)
        method_name_field(&run->base, m->scalars[i].name, &run->state->scalars[i], &m->curve.domain);
    river_name_columns(run);
    FR_TRY(river_make_nodes(run));
    FR_TRY(river_make_solid(run));
    return river_make_bed(run);
}

void river_views_destroy(river_run *run)
{
    memory_free(run->nodes);
    memory_free(run->solid);
    memory_free(run->bed);
    memory_free(run->places);
}

static void river_fill_ledger(river_run *run, const field velocity[3])
{
    const river_model *m = run->model;
    river_state *s = run->state;
    river_ledger sums = stage_river_ledger(m, s, velocity);
    double *own = run->base.ledger_values + METHOD_LEDGER_FIXED;
    *method_column(&run->base, "kinetic_energy") = sums.kinetic_energy;
    *method_column(&run->base, "momentum_x") = sums.momentum[0];
    *method_column(&run->base, "momentum_y") = sums.momentum[1];
    *method_column(&run->base, "momentum_z") = m->curve.domain.dims == 3 ? sums.momentum[2] : NAN;
    *method_column(&run->base, "volume") = m->volume;
    if (m->tracer_count) {
        *method_column(&run->base, "particles") = (double)s->particles.count;
        *method_column(&run->base, "particles_lost") = 0;
        *method_column(&run->base, "particles_left") = (double)s->particles_left;
    }
    for (int side = 0; side < FR_SIDES; side++)
        if (river_is_passed(run, side))
            *own++ = stage_river_through(m, s, side);
    for (int i = 0; i < m->scalar_count; i++)
        *own++ = stage_river_total(m, s, &s->scalars[i]);
}

/* Range of the nodes' coordinates along an axis. */
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

static void river_view_grid(river_run *run)
{
    const curve *c = &run->model->curve;
    fr_frame *frame = &run->base.frame;
    frame->can = FR_FRAME_BENT | FR_FRAME_RELATIVE_PRESSURE;
    if (run->model->tracer_count > 0)
        frame->can |= FR_FRAME_CARRIED_PARTICLES;
    frame->dims = c->domain.dims;
    frame->nodes = (fr_vectors){run->nodes, 3};
    for (int a = 0; a < 3; a++) {
        double low, high;
        river_extent(c, a, &low, &high);
        frame->cells[a] = c->domain.n[a];
        frame->origin[a] = low;
        frame->spacing[a] = a < frame->dims ? (high - low) / frame->cells[a] : 1;
        frame->periodic[a] = c->domain.periodic[a];
    }
}

/* World positions and velocities of the particles, computed when a frame is viewed. */
static fr_result river_view_particles(river_run *run, const field velocity[3])
{
    const river_model *m = run->model;
    const river_particles *p = &run->state->particles;
    fr_frame *frame = &run->base.frame;
    frame->has_particles = m->tracer_count > 0;
    if (run->place_room < p->count) {
        memory_free(run->places);
        run->places = MEMORY_NEW(float, 6 * p->count);
        run->place_room = run->places ? p->count : 0;
    }
    if (run->place_room < p->count)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room to show %lld particles", (long long)p->count);
    for (int64_t n = 0; n < p->count; n++) {
        double at[3];
        curve_position(&m->curve, p->place[n], at);
        for (int a = 0; a < 3; a++) {
            run->places[6 * n + a] = (float)at[a];
            run->places[6 * n + 3 + a] =
                a < m->curve.domain.dims ? (float)sample_at(&velocity[a], &m->curve.domain, p->place[n]) : 0;
        }
    }
    frame->particle_count = p->count;
    frame->particles = (fr_vectors){run->places, 6};
    frame->particle_velocity = (fr_vectors){run->places + 3, 6};
    frame->particle_ids = p->id;
    run->particle_age = method_attribute("age", p->age);
    frame->attributes = &run->particle_age;
    frame->attribute_count = frame->has_particles;
    return FR_OK;
}

/* Derived fields use scratch memory, which is free between steps. */
fr_result river_view(void *self)
{
    river_run *run = self;
    const river_model *m = run->model;
    river_state *s = run->state;
    int dims = m->curve.domain.dims;
    field velocity[3], vorticity = river_scratch(m, s, dims, FR_AT_CELL),
                       divergence = river_scratch(m, s, dims + 1, FR_AT_CELL);
    river_view_grid(run);
    run->base.frame.has_obstacles = m->solid != NULL;
    stage_river_velocity(m, s, velocity);
    for (int a = 0; a < dims; a++)
        method_add_field(&run->base, velocity_names[a], &velocity[a]);
    method_show_fields(&run->base);
    stage_river_vorticity(m, velocity, &vorticity);
    method_add_field(&run->base, "vorticity", &vorticity);
    stage_river_divergence(m, m->scheme == FR_RIVER_CLASSIC ? s->velocity : s->flux, &divergence);
    method_add_field(&run->base, "divergence", &divergence);
    if (run->solid)
        method_add_packed(&run->base, "solid", run->solid);
    if (run->bed)
        method_add_packed(&run->base, "bed", run->bed);
    fr_result result = river_view_particles(run, velocity);
    river_fill_ledger(run, velocity);
    stage_river_blank(m, velocity);
    return result;
}

/* The cell index of a place along an axis. */
static int river_cell(const domain *d, int axis, const double grid[3])
{
    return axis < d->dims ? (int)fmax(0, fmin(floor(grid[axis]), d->n[axis] - 1)) : 0;
}

/* Checks a place outside the grid: it is land if it lies in the grid's bounding box, else an error. */
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

static double river_probe_velocity(const river_run *run, const char *name, const double grid[3])
{
    const domain *d = &run->model->curve.domain;
    field velocity[3];
    double square = 0;
    stage_river_velocity(run->model, run->state, velocity);
    for (int a = 0; a < d->dims; a++) {
        double u = sample_at(&velocity[a], d, grid);
        square += u * u;
        if (!strcmp(name, velocity_names[a]))
            return u;
    }
    return sqrt(square);
}

fr_result river_probe(void *self, const char *name, const double at[3], double *value)
{
    river_run *run = self;
    const river_model *m = run->model;
    const domain *d = &m->curve.domain;
    double grid[3];
    if (!curve_find(&m->curve, at, grid))
        return river_check_land(&m->curve, at);
    if (river_solid(m, river_cell(d, 0, grid), river_cell(d, 1, grid), river_cell(d, 2, grid)))
        return FR_OK;
    if (method_find_field(&run->base, name))
        return method_probe_field(run, name, grid, value);
    *value = river_probe_velocity(run, name, grid);
    return FR_OK;
}
