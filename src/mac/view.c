/* The flow's state as a frame, its columns of the ledger, and its values at a point. */
#include <math.h>
#include <string.h>

#include "grid/halo.h"
#include "grid/operators.h"
#include "grid/sample.h"
#include "mac/coupling/coupling.h"
#include "mac/stage/drag.h"
#include "mac/stage/ledger.h"
#include "mac/stage/pressure.h"
#include "mac/run.h"

static const char *const velocity_names[3] = {"u", "v", "w"};

enum { OWN_BLOCKS = 2 + 3 + 3 + 1 + 4 + 2 };   /* head and accounts, flow, past flow, pressure, particles, bodies */

static int mac_conserved(const model *m)
{
    int count = 0;
    for (int i = 0; i < m->scalar_count; i++)
        count += m->scalars[i].conserved;
    return count;
}

static int mac_body_columns(const mac_run *run)
{
    return run->state->coupling ? METHOD_BODY_COLUMNS : 0;
}

int mac_own_column(const mac_run *run)
{
    return METHOD_LEDGER_FIXED + run->model->scalar_count + mac_conserved(run->model) + mac_body_columns(run);
}

fr_result mac_views_create(mac_run *run, int fields, int columns, int blocks)
{
    const model *m = run->model;
    FR_TRY(method_views_create(&run->base, 3 + 1 + m->scalar_count + 2 + 1 + fields,
                               m->scalar_count + mac_conserved(m) + mac_body_columns(run) + columns,
                               OWN_BLOCKS + m->scalar_count + blocks));
    for (int a = 0; a < m->domain.dims; a++)
        method_name_field(&run->base, velocity_names[a], &run->state->velocity[a], &m->domain);
    method_name_field(&run->base, "pressure", &run->state->pressure, &m->domain);
    for (int i = 0; i < m->scalar_count; i++)
        if (!m->scalars[i].logarithmic) /* a method shows what it makes of it */
            method_name_field(&run->base, m->scalars[i].name, &run->state->scalars[i], model_scalar_domain(m, i));
    int column = METHOD_LEDGER_FIXED;
    for (int i = 0; i < m->scalar_count; i++)
        method_name_column(&run->base, column++, "total", m->scalars[i].name);
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].conserved)
            method_name_column(&run->base, column++, "entered", m->scalars[i].name);
    if (run->state->coupling)
        method_name_bodies(&run->base, column);
    column += mac_body_columns(run);
    return FR_OK;
}

static void mac_fill_scalars(mac_run *run, const field *share)
{
    const model *m = run->model;
    double *total = run->base.ledger_values + METHOD_LEDGER_FIXED, *entered = total + m->scalar_count;
    for (int i = 0; i < m->scalar_count; i++) {
        total[i] = m->scalars[i].logarithmic ? NAN : stage_ledger_total(m, run->state, i, share);
        if (m->scalars[i].conserved)
            *entered++ = run->state->accounts[i].entered;
    }
}

static void mac_fill_ledger(mac_run *run, const field *share)
{
    const model *m = run->model;
    state *s = run->state;
    ledger_flow flow = stage_ledger_flow(m, s, share);
    *method_column(&run->base, "kinetic_energy") = flow.kinetic_energy;
    *method_column(&run->base, "momentum_x") = flow.momentum[0];
    *method_column(&run->base, "momentum_y") = flow.momentum[1];
    *method_column(&run->base, "momentum_z") = m->domain.dims == 3 ? flow.momentum[2] : NAN;
    if (m->tracer_count) {
        *method_column(&run->base, "particles") = (double)s->particles.count;
        *method_column(&run->base, "particles_lost") = (double)s->particles_lost;
        *method_column(&run->base, "particles_left") = (double)s->particles_left;
    }
    mac_fill_scalars(run, share);
    if (s->coupling)
        method_show_bodies(&run->base, coupling_fleet(s->coupling), m->domain.dims);
}

/* Divergence and vorticity, in scratch memory: it is free between steps. */
static void mac_add_derived(mac_run *run)
{
    const model *m = run->model;
    state *s = run->state;
    field divergence = state_scratch(m, s, 0, FR_AT_CELL), vorticity = state_scratch(m, s, 1, FR_AT_CELL);
    stage_divergence(m, s, s->velocity, &divergence);
    operators_vorticity(&m->domain, s->velocity, true, &vorticity);
    method_add_field(&run->base, "divergence", &divergence);
    method_add_field(&run->base, "vorticity", &vorticity);
}

static void mac_view_particles(mac_run *run)
{
    const particles *p = &run->state->particles;
    run->base.frame.has_particles = run->model->tracer_count > 0;
    run->base.frame.particle_count = p->count;
    run->base.frame.particles = (fr_vectors){(const float *)p->position, 4};
    run->base.frame.particle_velocity = (fr_vectors){(const float *)p->velocity, 4};
    run->base.frame.particle_ids = p->id;
    run->particle_age = method_attribute("age", p->age);
    run->base.frame.attributes = &run->particle_age;
    run->base.frame.attribute_count = run->base.frame.has_particles;
}

void mac_view(mac_run *run, const field *share)
{
    const model *m = run->model;
    const state *s = run->state;
    fr_frame *frame = &run->base.frame;
    frame->can |= m->tracer_count > 0 ? FR_FRAME_CARRIED_PARTICLES : 0;
    frame->has_obstacles = s->solids.any;
    method_place_frame(&run->base, &m->domain);
    method_show_fields(&run->base);
    mac_fill_ledger(run, share);
    mac_add_derived(run);
    if (s->solids.any)
        method_add_field(&run->base, "solid", &s->solids.distance);
    mac_view_particles(run);
    if (s->solids.any && !m->prescribed) {
        stage_drag(m, s, run->base.def->gravity, run->base.loads);
        frame->obstacles = run->base.loads;
        frame->obstacle_count = m->obstacle_count;
    }
}

static fr_result mac_probe_speed(const mac_run *run, const double at[3], double *value)
{
    double square = 0;
    for (int a = 0; a < run->model->domain.dims; a++) {
        double u = sample_at(&run->state->velocity[a], &run->model->domain, at);
        square += u * u;
    }
    *value = sqrt(square);
    return FR_OK;
}

fr_result mac_probe(void *self, const char *name, const double at[3], double *value)
{
    mac_run *run = self;
    const model *m = run->model;
    state *s = run->state;
    if (method_find_field(&run->base, name))
        return method_probe_field(run, name, at, value);
    if (!strcmp(name, "speed"))
        return mac_probe_speed(run, at, value);
    field derived = state_scratch(m, s, 0, FR_AT_CELL);
    if (!strcmp(name, "divergence"))
        stage_divergence(m, s, s->velocity, &derived);
    else
        operators_vorticity(&m->domain, s->velocity, true, &derived);
    halo_fill_even(&derived, &m->domain);
    *value = sample_at(&derived, &m->domain, at);
    return FR_OK;
}
