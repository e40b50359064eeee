/* The liquid as a frame, its columns of the ledger, and its values at a point. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "sph/stage/ledger.h"
#include "sph/stage/near.h"
#include "sph/stage/virial.h"
#include "sph/stage/walls.h"
#include "sph/sph.h"

enum { OWN_BLOCKS = 1 + 5 + 2 + 1 };   /* accounts, liquid, pressures and ages of walls, layers of sources */

static const char *const own_columns[] = {"density_error_max"};
enum { OWN_COLUMNS = sizeof own_columns / sizeof own_columns[0] };

fr_result sph_views_create(sph_run *run)
{
    FR_TRY(method_views_create(&run->base, 1, OWN_COLUMNS, OWN_BLOCKS));
    for (int c = 0; c < OWN_COLUMNS; c++)
        run->base.ledger_names[METHOD_LEDGER_FIXED + c] = own_columns[c];
    return FR_OK;
}

void sph_views_destroy(sph_run *run)
{
    memory_free(run->solid);
}

static void sph_fill_ledger(sph_run *run)
{
    const sph_model *m = run->model;
    const sph_state *s = run->state;
    sph_ledger sums = stage_sph_ledger(m, s);
    *method_column(&run->base, "kinetic_energy") = sums.kinetic_energy;
    *method_column(&run->base, "potential_energy") = sums.potential_energy;
    *method_column(&run->base, "momentum_x") = sums.momentum[0];
    *method_column(&run->base, "momentum_y") = sums.momentum[1];
    *method_column(&run->base, "momentum_z") = m->dims == 3 ? sums.momentum[2] : NAN;
    *method_column(&run->base, "volume") = (double)s->fluid.count * m->volume;
    *method_column(&run->base, "particles") = (double)s->fluid.count;
    *method_column(&run->base, "particles_lost") = (double)s->lost;
    *method_column(&run->base, "particles_left") = (double)s->left;
    *method_column(&run->base, "density_error") = sums.density_error;
    *method_column(&run->base, "density_error_max") = sums.density_error_max;
    *method_column(&run->base, "max_divergence") = NAN;
}

static void sph_view_grid(sph_run *run)
{
    const sph_model *m = run->model;
    fr_frame *frame = &run->base.frame;
    frame->dims = m->dims;
    for (int a = 0; a < 3; a++) {
        frame->cells[a] = a < m->dims ? (int)fmax(1, round((m->high[a] - m->low[a]) / m->spacing)) : 1;
        frame->origin[a] = m->low[a];
        frame->spacing[a] = a < m->dims ? (m->high[a] - m->low[a]) / frame->cells[a] : 1;
        frame->periodic[a] = m->periodic[a];
    }
}

/* Distances to the nearest obstacle at the centres of the frame's cells. */
static fr_result sph_measure_solid(sph_run *run)
{
    const sph_model *m = run->model;
    const fr_frame *frame = &run->base.frame;
    int64_t cells = (int64_t)frame->cells[0] * frame->cells[1] * frame->cells[2];
    bool known = run->solid != NULL;
    if (!known)
        run->solid = MEMORY_NEW(float, cells + frame->cells[0]);
    if (!run->solid)
        return FR_ERROR_MEMORY;
    if (known && !m->moves)
        return FR_OK;
    for (int64_t n = 0; n < cells; n++)
        run->solid[n] = INFINITY;
    float *distance = run->solid + cells;
    for (int b = 0; b < m->def->obstacle_count; b++) {
        FR_TRY(stage_sph_walls_shape(m, b, run->base.now->time));
        for (int64_t row = 0; row < cells / frame->cells[0]; row++) {
            double start[3] = {frame->origin[0] + 0.5 * frame->spacing[0],
                               frame->origin[1] + ((double)(row % frame->cells[1]) + 0.5) * frame->spacing[1],
                               frame->origin[2] + (m->dims == 3 ? ((double)(row / frame->cells[1]) + 0.5) * frame->spacing[2] : 0)};
            FR_TRY(shape_distance_row(m->bodies[b].shape, start, frame->spacing[0], frame->cells[0], distance));
            float *to = run->solid + row * frame->cells[0];
            for (int i = 0; i < frame->cells[0]; i++)
                to[i] = distance[i] < to[i] ? distance[i] : to[i];
        }
    }
    return FR_OK;
}

static fr_result sph_view_solid(sph_run *run)
{
    fr_frame *frame = &run->base.frame;
    if (run->base.def->obstacle_count == 0)
        return FR_OK;
    FR_TRY(sph_measure_solid(run));
    frame->has_obstacles = true;
    method_add_packed(&run->base, "solid", "m", run->solid);
    frame->obstacles = run->state->loads;
    frame->obstacle_count = run->base.def->obstacle_count;
    return FR_OK;
}

/* The pressure that does with exact gradients what the solver's does with those of sums over a lattice. */
static void sph_view_own_pressure(const sph_run *run, float *pressure)
{
    const sph_state *s = run->state;
    float unit = (float)(run->base.def->fluid.density * run->model->slope);
    for (int64_t n = 0; n < s->fluid.count; n++)
        pressure[n] = unit * s->fluid.pressure[n] * s->density[n] * s->density[n];
}

/* Density in kg/m³ and pressure in Pa, in the memory of `next`, which is of no use before the next step. The virial knows no walls but those made of particles. */
static void sph_view_attributes(sph_run *run)
{
    sph_state *s = run->state;
    float *density = s->next.density, *pressure = s->next.pressure;
    float rest = (float)run->base.def->fluid.density;
    for (int64_t n = 0; n < s->fluid.count; n++)
        density[n] = rest * s->density[n];
    if (run->base.def->sph.boundary == FR_SPH_PARTICLES)
        stage_sph_virial(run->model, s, pressure);
    else
        sph_view_own_pressure(run, pressure);
    run->attributes[0] = (fr_attribute){"density", "kg/m³", density};
    run->attributes[1] = (fr_attribute){"pressure", "Pa", pressure};
    run->base.frame.attributes = run->attributes;
    run->base.frame.attribute_count = 2;
}

fr_result sph_view(void *self)
{
    sph_run *run = self;
    const sph_model *m = run->model;
    sph_state *s = run->state;
    fr_frame *frame = &run->base.frame;
    sph_view_grid(run);
    fr_result known = stage_sph_walls(m, s, s->now.time, s->now.time);
    if (known == FR_OK)
        known = stage_sph_near(m, s);
    fr_result solid = sph_view_solid(run);
    frame->has_particles = true;
    frame->particle_count = s->fluid.count;
    frame->particles = (fr_vectors){(const float *)s->fluid.position, 4};
    frame->particle_velocity = (fr_vectors){(const float *)s->fluid.velocity, 4};
    frame->particle_ids = s->fluid.id;
    frame->particle_spacing = m->spacing;
    if (known != FR_OK)
        return known;
    sph_view_attributes(run);
    sph_fill_ledger(run);
    return solid;
}

/* The mean of a quantity of the particles around a point, weighted by their kernels (Shepard); 0 where there are none. */
fr_result sph_probe(void *self, const char *field, const double at[3], double *value)
{
    sph_run *run = self;
    static const char *const names[] = {"u", "v", "w", "speed", "density", "pressure"};
    const sph_model *m = run->model;
    const sph_state *s = run->state;
    int which = 0;
    while (which < 6 && strcmp(field, names[which]) != 0)
        which++;
    if (which == 6)
        return fr_fail(FR_ERROR_INPUT, "there is no field '%s' to probe", field);
    const fr_frame *frame = &run->base.frame;
    run->base.frame = (fr_frame){.fields = run->base.fields};
    FR_TRY(sph_view(run));
    double sum = 0, weight = 0, support2 = m->kernel.support * m->kernel.support;
    for (int64_t n = 0; n < s->fluid.count; n++) {
        double r2 = 0;
        for (int a = 0; a < m->dims; a++) {
            double dx = s->fluid.position[n][a] - at[a];
            r2 += dx * dx;
        }
        if (r2 >= support2)
            continue;
        const float *v = s->fluid.velocity[n];
        double w = kernel_value(&m->kernel, sqrt(r2));
        double own = which < 3 ? v[which] : which == 3 ? sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]) : frame->attributes[which - 4].data[n];
        sum += w * own;
        weight += w;
    }
    *value = weight > 0 ? sum / weight : 0;
    return FR_OK;
}
