#include "mac/model.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mac/solids/cover.h"
#include "method/sizes.h"
#include "mac/tracers.h"

/* J/(kg K), where the scene says nothing. */
static const double WATER_CAPACITY = 4186, AIR_CAPACITY = 1005;

static void model_set_up(const fr_scene_def *def, double up[3])
{
    vec3 g = vec3_of(def->gravity);
    vec3 against = vec3_scale(vec3_unit(g), -1);
    up[0] = against.x;
    up[1] = against.y;
    up[2] = against.z;
}

/* Whether anything in the scene can make the scalar differ from its clean value. */
static bool model_scalar_varies(const fr_scene_def *def, const model_scalar *scalar)
{
    const char *name = scalar->name;
    if (scalar->initial.function || scalar->initial.value != scalar->clean)
        return true;
    for (int i = 0; i < def->source_count; i++)
        for (int s = 0; s < def->sources[i].scalar_count; s++)
            if (!strcmp(def->sources[i].scalars[s].name, name))
                return true;
    for (int side = 0; side < 2 * def->domain.dims; side++)
        for (int s = 0; s < def->walls[side].scalar_count; s++)
            if (!strcmp(def->walls[side].scalars[s].name, name))
                return true;
    for (int i = 0; i < def->fill_count; i++)
        for (int s = 0; s < def->fill[i].scalar_count; s++)
            if (!strcmp(def->fill[i].scalars[s].name, name))
                return true;
    for (int i = 0; i < def->obstacle_count; i++)
        if (def->obstacles[i].has_temperature && !strcmp(name, "temperature"))
            return true;
    for (int i = 0; i < def->body_count; i++)
        if (def->bodies[i].has_temperature && !strcmp(name, "temperature"))
            return true;
    return false;
}

int model_scalar_index(const model *m, const char *name)
{
    int i = 0;
    while (i < m->scalar_count && strcmp(m->scalars[i].name, name) != 0)
        i++;
    assert(i < m->scalar_count);
    return i;
}

static model_scalar *model_find_scalar(model *m, const char *name)
{
    for (int i = 0; i < m->scalar_count; i++)
        if (!strcmp(m->scalars[i].name, name))
            return &m->scalars[i];
    return NULL;
}

/* The grid of that fineness, added when there is none yet. */
static int model_find_grid(model *m, int refine)
{
    for (int g = 0; g < m->grid_count; g++)
        if (m->grids[g].refine == refine)
            return g;
    m->grids[m->grid_count] = (model_grid){refine, sizes_refined(&m->domain, refine)};
    return m->grid_count++;
}

double model_scalar_kept(const model_scalar *scalar, double given)
{
    static const double LEAST = 1e-12; /* of what has a logarithm: a viscosity next to none, m²/s */
    return scalar->logarithmic ? log(fmax(given, LEAST)) : given;
}

/* Liquids that differ in it carry their viscosity along. Where they blend its logarithm does, as in most mixtures. */
static void model_make_viscosity(const fr_scene_def *def, model *m)
{
    model_scalar *viscosity = model_find_scalar(m, "viscosity");
    if (!viscosity)
        return;
    viscosity->logarithmic = true;
    viscosity->initial.value = def->fluid.viscosity;
    viscosity->clean = model_scalar_kept(viscosity, def->fluid.viscosity);
}

static void model_add_material(model *m)
{
    for (int i = 0; i < m->choice.material.count; i++) {
        const fr_number *initial = &m->choice.material.scalars[i].initial;
        m->scalars[m->scalar_count++] = (model_scalar){.name = m->choice.material.scalars[i].name,
                                                       .initial = *initial,
                                                       .clean = initial->function ? 0 : initial->value,
                                                       .sticks = true,
                                                       .texture = m->choice.material.scalars[i].texture};
    }
}

static fr_result model_make_scalars(const fr_scene_def *def, model *m)
{
    const char *const *own = m->choice.own_scalars;
    int count = 0;
    while (own[count])
        count++;
    m->scalars = MEMORY_NEW(model_scalar, count + m->choice.material.count + def->scalar_count + 1);
    if (!m->scalars)
        return FR_ERROR_MEMORY;
    for (; m->scalar_count < count; m->scalar_count++)
        m->scalars[m->scalar_count].name = own[m->scalar_count];
    model_add_material(m);
    model_scalar *temperature = model_find_scalar(m, "temperature");
    m->temperature = temperature ? (int)(temperature - m->scalars) : -1;
    if (temperature)
        temperature->clean = temperature->initial.value = m->choice.ambient;
    if (temperature)
        temperature->diffusion = def->heat.diffusivity_of ? 1 : def->heat.diffusivity;
    model_make_viscosity(def, m);
    for (int i = 0; i < def->scalar_count; i++) {
        const fr_scalar_def *from = &def->scalars[i];
        model_scalar *to = model_find_scalar(m, from->name);
        if (!to) {
            to = &m->scalars[m->scalar_count++];
            to->name = from->name;
        }
        to->diffusion = from->diffusion;
        to->dissipation = from->dissipation;
        to->conserved = from->transport == FR_TRANSPORT_CONSERVATIVE;
        if (from->has_initial)
            to->initial = from->initial;
    }
    for (int i = 0; i < def->initial_count; i++)
        model_find_scalar(m, def->initial[i].name)->initial = def->initial[i].value;
    for (int i = 0; i < m->scalar_count; i++)
        m->scalars[i].varies =
            m->scalars[i].sticks || (def->heat.set && i < count) || model_scalar_varies(def, &m->scalars[i]);
    for (int i = 0; i < def->scalar_count; i++) {
        model_scalar *scalar = model_find_scalar(m, def->scalars[i].name);
        if (scalar->varies && def->scalars[i].refine > 1)
            scalar->grid = model_find_grid(m, def->scalars[i].refine);
    }
    if (m->choice.refine > 1)
        model_find_grid(m, m->choice.refine);
    for (int i = 0; i < m->scalar_count; i++)
        m->scalars[i].conserved =
            m->scalars[i].grid == 0 && (m->scalars[i].conserved || m->choice.advection == FR_ADVECTION_CENTRAL);
    return FR_OK;
}

fr_result model_check_bodies(const fr_scene_def *def, const domain *d)
{
    for (int i = 0; i < def->body_count; i++) {
        char key[64];
        shape *s;
        snprintf(key, sizeof key, "bodies[%d]", i + 1);
        FR_TRY(shape_create(&def->bodies[i].shape, d->dims, key, &s));
        fr_result result = cover_check_inside(s, d, key);
        shape_destroy(s);
        FR_TRY(result);
    }
    return FR_OK;
}

/* Sizes and strides to count offsets with; no memory. */
static field model_layout(const domain *d, fr_location at)
{
    field f;
    field_layout(d, at, &f);
    return f;
}

static fr_result model_cover_faces(const shape *s, const domain *d, model_cover faces[3])
{
    for (int a = 0; a < d->dims; a++) {
        field layout = model_layout(d, field_face(a));
        FR_TRY(cover_create(s, d, &layout, &faces[a]));
    }
    return FR_OK;
}

/* Whether a source acts on a grid. On the flow's own it does, unless all that it emits are scalars on finer ones. */
static bool model_source_covers(const model *m, const fr_source_def *source, int grid)
{
    bool covers = grid == 0 && (source->sets_velocity || source->scalar_count == 0);
    for (int i = 0; i < m->scalar_count; i++)
        for (int s = 0; s < source->scalar_count; s++)
            covers = covers || (m->scalars[i].grid == grid && !strcmp(source->scalars[s].name, m->scalars[i].name));
    return covers;
}

static fr_result model_cover_cells(const model *m, const shape *s, const char *key, model_source *source)
{
    for (int g = 0; g < m->grid_count; g++) {
        if (!model_source_covers(m, source->def, g))
            continue;
        const domain *d = &m->grids[g].domain;
        field layout = model_layout(d, FR_AT_CELL);
        FR_TRY(cover_create(s, d, &layout, &source->cells[g]));
        if (source->cells[g].count == 0)
            return fr_fail_key(key, "%s is smaller than a cell and covers none; make it larger or the cells smaller",
                               key);
    }
    return FR_OK;
}

static fr_result model_make_source(const model *m, const fr_source_def *def, int index, model_source *source)
{
    char key[64];
    snprintf(key, sizeof key, "sources[%d]", index + 1);
    source->def = def;
    shape *s;
    FR_TRY(shape_create(&def->shape, m->domain.dims, key, &s));
    fr_result result = cover_check_inside(s, &m->domain, key);
    if (result == FR_OK)
        result = model_cover_cells(m, s, key, source);
    if (result == FR_OK && def->sets_velocity)
        result = model_cover_faces(s, &m->domain, source->faces);
    shape_destroy(s);
    return result;
}

static fr_result model_make_force(const model *m, const fr_force_def *def, int index, model_force *force)
{
    char key[64];
    snprintf(key, sizeof key, "forces[%d]", index + 1);
    force->def = def;
    force->everywhere = !def->shape.shape;
    if (force->everywhere)
        return FR_OK;
    shape *s;
    FR_TRY(shape_create(&def->shape, m->domain.dims, key, &s));
    fr_result result = cover_check_inside(s, &m->domain, key);
    if (result == FR_OK)
        result = model_cover_faces(s, &m->domain, force->faces);
    shape_destroy(s);
    return result;
}

static fr_result model_make_actors(const fr_scene_def *def, model *m)
{
    m->sources = MEMORY_NEW(model_source, def->source_count + 1);
    m->forces = MEMORY_NEW(model_force, def->force_count + 1);
    if (!m->sources || !m->forces)
        return FR_ERROR_MEMORY;
    for (; m->source_count < def->source_count; m->source_count++)
        FR_TRY(model_make_source(m, &def->sources[m->source_count], m->source_count, &m->sources[m->source_count]));
    for (; m->force_count < def->force_count; m->force_count++)
        FR_TRY(model_make_force(m, &def->forces[m->force_count], m->force_count, &m->forces[m->force_count]));
    return FR_OK;
}

static fr_result model_make_tracers(const fr_scene_def *def, model *m)
{
    m->tracers = MEMORY_NEW(model_tracers, def->tracer_count + 1);
    if (!m->tracers)
        return FR_ERROR_MEMORY;
    for (; m->tracer_count < def->tracer_count; m->tracer_count++)
        FR_TRY(tracers_create(def, &m->domain, m->tracer_count, &m->tracers[m->tracer_count]));
    return tracers_most(def, &m->domain, &m->most_particles);
}

/* The mean flow carries the eddies through the place where they are added. */
static fr_result model_make_turbulence(const fr_scene_def *def, model *m)
{
    for (int side = 0; side < 2 * m->domain.dims; side++)
        if (def->walls[side].turbulence.speed > 0)
            FR_TRY(turbulence_create(&def->walls[side].turbulence, &m->domain, def->walls[side].velocity.value,
                                     &m->wall_turbulence[side]));
    m->source_turbulence = MEMORY_NEW(turbulence *, def->source_count + 1);
    if (!m->source_turbulence)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < def->source_count; i++)
        if (def->sources[i].turbulence.speed > 0)
            FR_TRY(turbulence_create(&def->sources[i].turbulence, &m->domain, def->sources[i].velocity.value,
                                     &m->source_turbulence[i]));
    return FR_OK;
}

static fr_obstacle_def model_solid_body(const fr_body_def *body)
{
    return (fr_obstacle_def){.shape = body->shape,
                             .no_slip = !body->free_slip,
                             .has_temperature = body->has_temperature,
                             .temperature = body->temperature};
}

/* Bodies that nothing flows through are obstacles as well, whose motion is not given. */
static fr_result model_make_solids(const fr_scene_def *def, model *m)
{
    m->bodies = (model_bodies){.count = def->body_count,
                               .joint_count = def->joint_count,
                               .of = def->bodies,
                               .joints = def->joints,
                               .coupling = def->coupling,
                               .are_solid = def->coupling == FR_COUPLING_MONOLITHIC ||
                                            def->coupling == FR_COUPLING_ONE_WAY};
    memcpy(m->bodies.gravity, def->gravity, sizeof m->bodies.gravity);
    m->obstacle_count = def->obstacle_count;
    m->solid_count = def->obstacle_count + (m->bodies.are_solid ? def->body_count : 0);
    m->obstacles = MEMORY_NEW(fr_obstacle_def, m->solid_count + 1);
    if (!m->obstacles)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < m->obstacle_count; i++)
        m->obstacles[i] = def->obstacles[i];
    for (int i = m->obstacle_count; i < m->solid_count; i++)
        m->obstacles[i] = model_solid_body(&def->bodies[i - m->obstacle_count]);
    return FR_OK;
}

fr_result model_outline(const fr_scene_def *def, model_choice choice, model *m)
{
    m->choice = choice;
    m->fluid = def->fluid;
    memcpy(m->walls, def->walls, sizeof m->walls);
    m->solver = def->solver;
    m->prescribed = def->has_prescribed ? &def->prescribed : NULL;
    m->initial_velocity = def->has_initial_velocity ? &def->initial_velocity : NULL;
    m->initial_turbulence = def->initial_turbulence;
    m->fps = def->time.fps;
    FR_TRY(model_make_solids(def, m));
    m->heat_capacity = def->heat.capacity > 0 ? def->heat.capacity : choice.has_surface ? WATER_CAPACITY : AIR_CAPACITY;
    m->domain = sizes_domain(def);
    model_find_grid(m, 1);
    m->cfl = def->time.cfl > 0 ? def->time.cfl : choice.cfl;
    m->viscous = (def->fluid.viscosity > 0 || choice.viscosity_varies) && !m->prescribed;
    model_set_up(def, m->up);
    return model_make_scalars(def, m);
}

void model_outline_free(model *outline)
{
    memory_free(outline->scalars);
    memory_free(outline->obstacles);
}

static fr_result model_fill(const fr_scene_def *def, model_choice choice, model *m)
{
    FR_TRY(model_outline(def, choice, m));
    FR_TRY(model_make_actors(def, m));
    FR_TRY(model_make_tracers(def, m));
    return model_make_turbulence(def, m);
}

fr_result model_create(const fr_scene_def *def, model_choice choice, model **out)
{
    *out = NULL;
    model *m = MEMORY_NEW(model, 1);
    if (!m)
        return FR_ERROR_MEMORY;
    fr_result result = model_fill(def, choice, m);
    if (result != FR_OK)
        model_destroy(m);
    else
        *out = m;
    return result;
}

/* Each list has room for one more than it counts: the one at which model_create failed. */
void model_destroy(model *m)
{
    if (!m)
        return;
    for (int i = 0; m->sources && i <= m->source_count; i++) {
        for (int g = 0; g < MODEL_MOST_GRIDS; g++)
            cover_destroy(&m->sources[i].cells[g]);
        for (int a = 0; a < 3; a++)
            cover_destroy(&m->sources[i].faces[a]);
    }
    for (int i = 0; m->forces && i <= m->force_count; i++)
        for (int a = 0; a < 3; a++)
            cover_destroy(&m->forces[i].faces[a]);
    for (int i = 0; m->tracers && i <= m->tracer_count; i++)
        tracers_destroy(&m->tracers[i]);
    for (int side = 0; side < FR_SIDES; side++)
        turbulence_destroy(m->wall_turbulence[side]);
    for (int i = 0; m->source_turbulence && i < m->source_count; i++)
        turbulence_destroy(m->source_turbulence[i]);
    memory_free(m->source_turbulence);
    memory_free(m->tracers);
    memory_free(m->scalars);
    memory_free(m->obstacles);
    memory_free(m->sources);
    memory_free(m->forces);
    memory_free(m);
}

/* Offsets count from the sample (0, 0, 0); those of covers never lie in the ghosts. */
void model_position(const domain *d, const field *layout, int32_t at, double position[3])
{
    ptrdiff_t plane = layout->stride[2], row = layout->stride[1];
    ptrdiff_t index[3];
    index[2] = plane ? at / plane : 0;
    ptrdiff_t rest = at - index[2] * plane;
    index[1] = rest / row;
    index[0] = rest - index[1] * row;
    field_position(layout, d, index, position);
}
