/* The liquid as a frame, its columns of the ledger, and its values at a point. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "sph/check.h"
#include "sph/floating/floating.h"
#include "sph/heat/heat.h"
#include "sph/stage/ledger.h"
#include "sph/stage/near.h"
#include "sph/stage/virial.h"
#include "sph/stage/walls.h"
#include "sph/sph.h"

/* Head, liquid, pressures and ages of walls, layers of sources, heat, bodies. */
enum { OWN_BLOCKS = 1 + 5 + 2 + 1 + 2 + 3 };

/* The world fills those of the viscosity. */
static const char *const viscosity_columns[] = {"viscosity_iterations", "viscosity_residual"};
static const char *const heat_columns[] = {"heat_in", "heat_out"};

fr_result sph_views_create(sph_run *run)
{
    const sph_model *m = run->model;
    const bool viscous = m->viscous;
    const char *names[5] = {"density_error_max"};
    int columns = 1;
    for (int c = 0; c < 2 && viscous; c++)
        names[columns++] = viscosity_columns[c];
    for (int c = 0; c < 2 && m->heat.set; c++)
        names[columns++] = heat_columns[c];
    const int bodies = run->state->floating ? METHOD_BODY_COLUMNS : 0;
    FR_TRY(method_views_create(&run->base, 1, columns + bodies, OWN_BLOCKS));
    for (int c = 0; c < columns; c++)
        run->base.ledger_names[METHOD_LEDGER_FIXED + c] = names[c];
    if (bodies > 0)
        method_name_bodies(&run->base, METHOD_LEDGER_FIXED + columns);
    return FR_OK;
}

void sph_views_destroy(sph_run *run)
{
    memory_free(run->solid);
}

/* Their momentum is that of the moment of the particles' velocities. */
static void sph_fill_bodies(sph_run *run)
{
    static const char *const columns[3] = {"bodies_momentum_x", "bodies_momentum_y", "bodies_momentum_z"};
    const sph_floating *f = run->state->floating;
    double momentum[3];
    method_show_bodies(&run->base, &f->fleet, run->model->dims);
    sph_floating_momentum(f, momentum);
    for (int a = 0; a < run->model->dims; a++)
        *method_column(&run->base, columns[a]) = momentum[a];
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
    if (s->floating)
        sph_fill_bodies(run);
    if (!s->heat)
        return;
    *method_column(&run->base, "heat") = sph_heat_total(m, s);
    *method_column(&run->base, "heat_in") = s->heat->account.in;
    *method_column(&run->base, "heat_out") = s->heat->account.out;
}

static void sph_view_grid(sph_run *run)
{
    const sph_model *m = run->model;
    fr_frame *frame = &run->base.frame;
    frame->can = FR_FRAME_LIQUID;
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
    for (int b = 0; b < m->obstacle_count; b++) {
        const shape *solid = run->state->solids[b];
        for (int64_t row = 0; row < cells / frame->cells[0]; row++) {
            double start[3] = {frame->origin[0] + 0.5 * frame->spacing[0],
                               frame->origin[1] + ((double)(row % frame->cells[1]) + 0.5) * frame->spacing[1],
                               frame->origin[2] +
                                   (m->dims == 3 ? ((double)(row / frame->cells[1]) + 0.5) * frame->spacing[2] : 0)};
            FR_TRY(shape_distance_row(solid, start, frame->spacing[0], frame->cells[0], distance));
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
    if (run->model->obstacle_count == 0)
        return FR_OK;
    FR_TRY(sph_measure_solid(run));
    frame->has_obstacles = true;
    method_add_packed(&run->base, "solid", run->solid);
    frame->obstacles = run->state->loads;
    frame->obstacle_count = run->model->given_count;
    return FR_OK;
}

/* The solver's pressure, scaled by the gradient that its sums have on the lattice. */
static void sph_view_own_pressure(const sph_run *run, float *pressure)
{
    const sph_state *s = run->state;
    float unit = (float)(run->model->fluid.density * run->model->slope);
    for (int64_t n = 0; n < s->fluid.count; n++)
        pressure[n] = unit * s->fluid.pressure[n] * s->density[n] * s->density[n];
}

/* Density in kg/m³ and pressure in Pa. The virial knows no walls but those made of particles. */
static void sph_fill_attributes(sph_run *run)
{
    sph_state *s = run->state;
    float *density = s->numbers[0], *pressure = s->numbers[1];
    float rest = (float)run->model->fluid.density;
    for (int64_t n = 0; n < s->fluid.count; n++)
        density[n] = rest * s->density[n];
    if (run->model->sph.boundary == FR_SPH_PARTICLES)
        stage_sph_virial(run->model, s, pressure);
    else
        sph_view_own_pressure(run, pressure);
    run->attributes[0] = method_attribute("density", density);
    run->attributes[1] = method_attribute("pressure", pressure);
    if (!s->heat)
        return;
    int count = 2;
    sph_heat_know(run->model, s);
    run->attributes[count++] = method_attribute("temperature", s->heat->temperature);
    if (run->model->melt.latent > 0)
        run->attributes[count++] = method_attribute("liquid_fraction", s->heat->fraction);
    if (run->model->heat.melt.set)
        run->attributes[count++] = method_attribute("viscosity", s->heat->viscosity);
}

/* Neighbours and attributes of the present moment, once between two steps. */
static fr_result sph_know_present(sph_run *run)
{
    const sph_model *m = run->model;
    sph_state *s = run->state;
    if (run->attributes_known)
        return FR_OK;
    FR_TRY(stage_sph_walls(m, s, s->now.time, s->now.time));
    FR_TRY(stage_sph_near(m, s));
    sph_fill_attributes(run);
    run->attributes_known = true;
    return FR_OK;
}

static void sph_view_particles(sph_run *run)
{
    const sph_state *s = run->state;
    fr_frame *frame = &run->base.frame;
    frame->has_particles = true;
    frame->particle_count = s->fluid.count;
    frame->particles = (fr_vectors){(const float *)s->fluid.position, 4};
    frame->particle_velocity = (fr_vectors){(const float *)s->fluid.velocity, 4};
    frame->particle_ids = s->fluid.id;
    frame->particle_spacing = run->model->spacing;
}

fr_result sph_view(void *self)
{
    sph_run *run = self;
    sph_view_grid(run);
    fr_result known = sph_know_present(run);
    sph_view_particles(run);   /* in the order that the search for neighbours has given them */
    FR_TRY(known);
    run->base.frame.attributes = run->attributes;
    run->base.frame.attribute_count = 2 + sph_heat_attributes(&run->model->heat);
    sph_fill_ledger(run);
    return sph_view_solid(run);
}

/* From `at` to a particle, the shortest way across periodic sides, m. */
static double sph_probe_distance(const sph_model *m, const float position[3], const double at[3])
{
    double square = 0;
    for (int a = 0; a < m->dims; a++) {
        double dx = position[a] - at[a];
        if (m->periodic[a])
            dx = remainder(dx, m->high[a] - m->low[a]);
        square += dx * dx;
    }
    return sqrt(square);
}

/* What a particle has of a field: u, v, w, speed, or else an attribute. */
static double sph_probe_particle(const sph_run *run, int field, int64_t n)
{
    const float *v = run->state->fluid.velocity[n];
    if (field < 3)
        return v[field];
    if (field == 3)
        return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
    return run->attributes[field - 4].data[n];
}

static int sph_probe_field(const sph_run *run, const char *name)
{
    static const char *const names[] = {"u", "v", "w", "speed"};
    int field = 0;
    while (field < 4 && strcmp(name, names[field]) != 0)
        field++;
    for (int i = 0; field == 4 + i && strcmp(name, run->attributes[i].name) != 0; i++)
        field++;
    return field;
}

/* The cells along an axis around a place, [first, last], which hold all that is near. On a periodic axis they go on
   from the other side. */
static void sph_probe_cells(const cells_layout *l, int axis, double at, int *first, int *last)
{
    int cell = cells_along(l, axis, (float)at), n = l->n[axis];
    bool all = l->periodic[axis] && n < 3, around = l->periodic[axis] && !all;
    *first = all || (cell == 0 && !around) ? 0 : cell - 1;
    *last = all || (cell == n - 1 && !around) ? n - 1 : cell + 1;
}

typedef struct sph_probe_sum {
    double values, weights;
} sph_probe_sum;

static void sph_probe_cell(const sph_run *run, int64_t cell, int field, const double at[3], sph_probe_sum *sum)
{
    const sph_model *m = run->model;
    const sph_state *s = run->state;
    for (int32_t n = s->cells.start[cell]; n < s->cells.start[cell + 1]; n++) {
        double w = kernel_value(&m->kernel, sph_probe_distance(m, s->fluid.position[n], at));
        sum->values += w * sph_probe_particle(run, field, n);
        sum->weights += w;
    }
}

/* The mean of a quantity of the particles around a point, weighted by their kernels (Shepard). */
fr_result sph_probe(void *self, const char *name, const double at[3], double *value)
{
    sph_run *run = self;
    const cells_layout *l = &run->model->layout;
    int first[3], last[3], around[3];
    sph_probe_sum sum = {0};
    FR_TRY(sph_check_field(run->base.def, name, name));
    FR_TRY(sph_know_present(run));
    const int field = sph_probe_field(run, name);
    for (int a = 0; a < 3; a++)
        sph_probe_cells(l, a, a < l->dims ? at[a] : 0, &first[a], &last[a]);
    for (around[2] = first[2]; around[2] <= last[2]; around[2]++)
        for (around[1] = first[1]; around[1] <= last[1]; around[1]++)
            for (around[0] = first[0]; around[0] <= last[0]; around[0]++) {
                int cell[3];
                for (int a = 0; a < 3; a++)
                    cell[a] = (around[a] + l->n[a]) % l->n[a];
                sph_probe_cell(run, cells_number(l, cell), field, at, &sum);
            }
    if (sum.weights > 0)
        *value = sum.values / sum.weights;
    return FR_OK;
}
