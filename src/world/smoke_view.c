/* The smoke method's state as a frame, its columns of the ledger, and its values at a point. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "grid/halo.h"
#include "grid/operators.h"
#include "grid/sample.h"
#include "stage/drag.h"
#include "stage/ledger.h"
#include "stage/pressure.h"
#include "world/smoke.h"

static const char *const velocity_names[3] = {"u", "v", "w"};

enum { OWN_BLOCKS = 2 + 3 + 3 + 1 + 4 };   /* head and accounts, flow, past flow, pressure, particles */

static int smoke_conserved(const model *m)
{
    int count = 0;
    for (int i = 0; i < m->scalar_count; i++)
        count += m->scalars[i].conserved;
    return count;
}

/* The ledger goes on with total_<scalar> for each scalar and entered_<scalar> for each conserved one. */
fr_result smoke_views_create(fr_world *world)
{
    const model *m = world->model;
    FR_TRY(world_views_create(world, 3 + 1 + m->scalar_count + 2 + 1, m->scalar_count + smoke_conserved(m), OWN_BLOCKS + m->scalar_count));
    int column = WORLD_LEDGER_FIXED;
    for (int i = 0; i < m->scalar_count; i++)
        world_name_column(world, column++, "total", m->scalars[i].name);
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].conserved)
            world_name_column(world, column++, "entered", m->scalars[i].name);
    return FR_OK;
}

static void smoke_fill_scalars(fr_world *world)
{
    const model *m = world->model;
    double *total = world->ledger_values + WORLD_LEDGER_FIXED, *entered = total + m->scalar_count;
    for (int i = 0; i < m->scalar_count; i++) {
        total[i] = stage_ledger_total(m, world->state, i);
        if (m->scalars[i].conserved)
            *entered++ = world->state->accounts[i].entered;
    }
    *world_column(world, "smoke_mass") = total[MODEL_DENSITY];
    *world_column(world, "heat") = total[MODEL_TEMPERATURE];
}

static void smoke_fill_ledger(fr_world *world)
{
    const model *m = world->model;
    state *s = world->state;
    ledger_flow flow = stage_ledger_flow(m, s);
    *world_column(world, "kinetic_energy") = flow.kinetic_energy;
    *world_column(world, "momentum_x") = flow.momentum[0];
    *world_column(world, "momentum_y") = flow.momentum[1];
    *world_column(world, "momentum_z") = m->domain.dims == 3 ? flow.momentum[2] : NAN;
    if (m->tracer_count) {
        *world_column(world, "particles") = (double)s->particles.count;
        *world_column(world, "particles_lost") = (double)s->particles_lost;
        *world_column(world, "particles_left") = (double)s->particles_left;
    }
    smoke_fill_scalars(world);
}

static void smoke_add_field(fr_world *world, const char *name, const char *unit, const field *f)
{
    fr_field *view = &world->fields[world->frame.field_count++];
    *view = (fr_field){.name = name, .unit = unit, .location = f->at, .data = f->data};
    for (int a = 0; a < 3; a++) {
        view->size[a] = f->size[a];
        view->stride[a] = f->stride[a];
    }
}

/* Divergence and vorticity go into memory that only a step under way uses. */
static void smoke_add_derived(fr_world *world)
{
    const model *m = world->model;
    state *s = world->state;
    field divergence = state_scratch(m, s, 0, FR_AT_CELL), vorticity = state_scratch(m, s, 1, FR_AT_CELL);
    stage_divergence(m, s, s->velocity, &divergence);
    operators_vorticity(&m->domain, s->velocity, true, &vorticity);
    smoke_add_field(world, "divergence", "1/s", &divergence);
    smoke_add_field(world, "vorticity", "1/s", &vorticity);
}

static void smoke_view_particles(fr_world *world)
{
    const particles *p = &world->state->particles;
    world->frame.has_particles = world->model->tracer_count > 0;
    world->frame.particle_count = p->count;
    world->frame.particles = (fr_vectors){(const float *)p->position, 4};
    world->frame.particle_velocity = (fr_vectors){(const float *)p->velocity, 4};
    world->frame.particle_ids = p->id;
    world->particle_age = (fr_attribute){"age", "s", p->age};
    world->frame.attributes = &world->particle_age;
    world->frame.attribute_count = world->frame.has_particles;
}

fr_result smoke_view(fr_world *world)
{
    const model *m = world->model;
    const domain *d = &m->domain;
    const state *s = world->state;
    fr_frame *frame = &world->frame;
    frame->dims = d->dims;
    frame->has_obstacles = s->solids.any;
    for (int a = 0; a < 3; a++) {
        frame->cells[a] = d->n[a];
        frame->origin[a] = d->origin[a];
        frame->spacing[a] = d->h[a];
        frame->periodic[a] = d->periodic[a];
    }
    for (int a = 0; a < d->dims; a++)
        smoke_add_field(world, velocity_names[a], "m/s", &s->velocity[a]);
    smoke_add_field(world, "pressure", "Pa", &s->pressure);
    for (int i = 0; i < m->scalar_count; i++)
        smoke_add_field(world, m->scalars[i].name, i == MODEL_TEMPERATURE ? "K" : "1", &s->scalars[i]);
    smoke_fill_ledger(world);
    smoke_add_derived(world);
    if (s->solids.any)
        smoke_add_field(world, "solid", "m", &s->solids.distance);
    smoke_view_particles(world);
    if (s->solids.any && !m->def->has_prescribed) {
        stage_drag(m, s, world->loads);
        frame->obstacles = world->loads;
        frame->obstacle_count = m->def->obstacle_count;
    }
    return FR_OK;
}

static fr_result smoke_probe_speed(const fr_world *world, const double at[3], double *value)
{
    double square = 0;
    for (int a = 0; a < world->model->domain.dims; a++) {
        double u = sample_at(&world->state->velocity[a], &world->model->domain, at);
        square += u * u;
    }
    *value = sqrt(square);
    return FR_OK;
}

fr_result smoke_probe(fr_world *world, const char *name, const double at[3], double *value)
{
    const model *m = world->model;
    const domain *d = &m->domain;
    state *s = world->state;
    if (!strcmp(name, "speed"))
        return smoke_probe_speed(world, at, value);
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
    assert(f);
    *value = sample_at(f, d, at);
    return FR_OK;
}
