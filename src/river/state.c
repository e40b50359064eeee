#include "river/state.h"

#include <string.h>

#include "base/memory.h"

/* Number of scratch fields of a scheme. The flux scheme advects velocities on faces as vectors, for which MacCormack
   needs four fields per component, and needs the speed in grid coordinates. */
static int state_scratch_count(const river_model *m)
{
    int dims = m->curve.domain.dims;
    return m->scheme == FR_RIVER_FLUX ? 5 * dims : CLASSIC_SCRATCH;
}

static size_t state_scratch_bytes(const domain *d)
{
    size_t most = 0;
    for (int a = 0; a < d->dims; a++) {
        size_t bytes = field_bytes(d, field_face(a));
        most = bytes > most ? bytes : most;
    }
    return most;
}

field river_scratch(const river_model *m, river_state *s, int which, fr_location at)
{
    field f;
    field_over(s->scratch[which], &m->curve.domain, at, &f);
    return f;
}

static bool state_diffuses(const river_model *m)
{
    bool any = false;
    for (int i = 0; i < m->scalar_count; i++)
        any = any || m->scalars[i].diffusion > 0;
    return any;
}

static fr_result state_make_flow(const river_model *m, river_state *s)
{
    const domain *d = &m->curve.domain;
    bool flux = m->scheme == FR_RIVER_FLUX;
    for (int a = 0; a < d->dims; a++) {
        field *fluxes[] = {&s->flux[a], &s->next_flux[a], &s->past_flux[a], &s->carrying_flux[a], &s->pushed_flux[a]};
        field *velocities[] = {&s->velocity[a], &s->next_velocity[a], &s->forced_velocity[a]};
        for (int n = 0; n < (flux ? 5 : 3); n++)
            FR_TRY(field_create(d, flux ? field_face(a) : FR_AT_CELL, flux ? fluxes[n] : velocities[n]));
    }
    FR_TRY(field_create(d, FR_AT_CELL, &s->pressure));
    return field_create(d, FR_AT_CELL, &s->next_pressure);
}

static fr_result state_make_scalars(const river_model *m, river_state *s)
{
    s->scalars = MEMORY_NEW(field, m->scalar_count + 1);
    s->next_scalars = MEMORY_NEW(field, m->scalar_count + 1);
    if (!s->scalars || !s->next_scalars)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < m->scalar_count; i++) {
        FR_TRY(field_create(&m->curve.domain, FR_AT_CELL, &s->scalars[i]));
        FR_TRY(field_create(&m->curve.domain, FR_AT_CELL, &s->next_scalars[i]));
    }
    return FR_OK;
}

static fr_result state_make_side(const river_model *m, river_state *s, int side)
{
    const river_frame f = river_frame_of(&m->curve.domain, side);
    const int64_t cells = (int64_t)f.n[0] * f.n[1];
    if (!(s->side_speed[side] = MEMORY_NEW(double, cells)))
        return FR_ERROR_MEMORY;
    if (river_side_varies(&m->sides[side]) && !(s->side_passing[side] = MEMORY_NEW(double, cells)))
        return FR_ERROR_MEMORY;
    if (m->sides[side].gated) {
        s->side_enters[side] = MEMORY_NEW(double, cells);
        s->side_open[side] = MEMORY_NEW(bool, cells);
        if (!s->side_enters[side] || !s->side_open[side])
            return FR_ERROR_MEMORY;
    }
    if (!m->sides[side].brings)
        return FR_OK;
    s->side_scalars[side] = MEMORY_NEW(float *, m->scalar_count + 1);
    if (!s->side_scalars[side])
        return FR_ERROR_MEMORY;
    for (int i = 0; i < m->scalar_count; i++)
        if (!(s->side_scalars[side][i] = MEMORY_NEW(float, cells)))
            return FR_ERROR_MEMORY;
    return FR_OK;
}

static fr_result state_make_solver(const domain *d, const tensor *t, tensor_solver **out)
{
    FR_TRY(tensor_solver_create(d, out));
    FR_TRY(tensor_solver_set(*out, t, 1, NULL));
    tensor_solver_measure(*out);
    return FR_OK;
}

static fr_result state_make_solvers(const river_model *m, river_state *s)
{
    const domain *d = &m->curve.domain;
    if (m->scheme == FR_RIVER_CLASSIC)
        return FR_OK;
    FR_TRY(state_make_solver(d, &m->pressure, &s->pressure_solver));
    if (m->viscous)
        FR_TRY(state_make_solver(d, &m->rough, &s->viscous_solver));
    return state_diffuses(m) ? state_make_solver(d, &m->still, &s->scalar_solver) : FR_OK;
}

static fr_result state_fill(const river_model *m, river_state *s)
{
    const domain *d = &m->curve.domain;
    FR_TRY(state_make_flow(m, s));
    FR_TRY(state_make_scalars(m, s));
    int64_t widest = 1;
    for (int side = 0; side < 2 * d->dims; side++) {
        FR_TRY(state_make_side(m, s, side));
        const int64_t cells = domain_cells(d) / d->n[side / 2];
        widest = cells > widest ? cells : widest;
    }
    if (!(s->side_later = MEMORY_NEW(double, widest)))
        return FR_ERROR_MEMORY;
    for (int i = 0; i < state_scratch_count(m); i++)
        if (!(s->scratch[i] = memory_alloc(state_scratch_bytes(d))))
            return FR_ERROR_MEMORY;
    const int64_t rows = (int64_t)(d->n[1] + 1) * (d->n[2] + 1);
    s->partial = MEMORY_NEW(double, RIVER_PARTIALS * rows);
    s->clamps = MEMORY_NEW(int64_t, rows);
    s->sections = MEMORY_NEW(double, 3 * (d->n[0] + 1));
    if (!s->partial || !s->clamps || !s->sections)
        return FR_ERROR_MEMORY;
    return state_make_solvers(m, s);
}

fr_result river_state_create(const river_model *m, river_state **out)
{
    *out = NULL;
    river_state *s = MEMORY_NEW(river_state, 1);
    if (!s)
        return FR_ERROR_MEMORY;
    fr_result result = state_fill(m, s);
    if (result != FR_OK)
        river_state_destroy(m, s);
    else
        *out = s;
    return result;
}

static void state_free_particles(river_particles *p)
{
    memory_free(p->place);
    memory_free(p->age);
    memory_free(p->id);
}

fr_result river_particles_reserve(river_particles *p, int64_t room)
{
    if (room <= p->room)
        return FR_OK;
    room = room > p->room + p->room / 2 ? room : p->room + p->room / 2;
    river_particles more = {.count = p->count, .room = room};
    more.place = memory_alloc(sizeof *more.place * (size_t)room);
    more.age = MEMORY_NEW(float, room);
    more.id = MEMORY_NEW(int64_t, room);
    if (!more.place || !more.age || !more.id) {
        state_free_particles(&more);
        return FR_ERROR_MEMORY;
    }
    if (p->count) {
        memcpy(more.place, p->place, sizeof *p->place * (size_t)p->count);
        memcpy(more.age, p->age, sizeof *p->age * (size_t)p->count);
        memcpy(more.id, p->id, sizeof *p->id * (size_t)p->count);
    }
    state_free_particles(p);
    *p = more;
    return FR_OK;
}

void river_state_destroy(const river_model *m, river_state *s)
{
    if (!s)
        return;
    for (int a = 0; a < 3; a++) {
        field_destroy(&s->flux[a]);
        field_destroy(&s->next_flux[a]);
        field_destroy(&s->past_flux[a]);
        field_destroy(&s->carrying_flux[a]);
        field_destroy(&s->pushed_flux[a]);
        field_destroy(&s->velocity[a]);
        field_destroy(&s->next_velocity[a]);
        field_destroy(&s->forced_velocity[a]);
    }
    field_destroy(&s->pressure);
    field_destroy(&s->next_pressure);
    for (int i = 0; i < m->scalar_count; i++) {
        if (s->scalars)
            field_destroy(&s->scalars[i]);
        if (s->next_scalars)
            field_destroy(&s->next_scalars[i]);
    }
    for (int side = 0; side < FR_SIDES; side++) {
        for (int i = 0; s->side_scalars[side] && i < m->scalar_count; i++)
            memory_free(s->side_scalars[side][i]);
        memory_free(s->side_scalars[side]);
        memory_free(s->side_speed[side]);
        memory_free(s->side_enters[side]);
        memory_free(s->side_open[side]);
        memory_free(s->side_passing[side]);
    }
    memory_free(s->side_later);
    for (int i = 0; i < RIVER_SCRATCH; i++)
        memory_free(s->scratch[i]);
    memory_free(s->scalars);
    memory_free(s->next_scalars);
    memory_free(s->partial);
    memory_free(s->clamps);
    memory_free(s->sections);
    state_free_particles(&s->particles);
    state_free_particles(&s->next_particles);
    tensor_solver_destroy(s->pressure_solver);
    tensor_solver_destroy(s->viscous_solver);
    tensor_solver_destroy(s->scalar_solver);
    memory_free(s);
}

/* Fields and solvers. Particles vary in number and are counted by the caller. */
double river_state_bytes(const fr_scene_def *def)
{
    domain d = river_domain(def);
    bool flux = def->river.scheme == FR_RIVER_FLUX, viscous = def->fluid.viscosity > 0, diffuses = false;
    for (int i = 0; i < def->scalar_count; i++)
        diffuses = diffuses || def->scalars[i].diffusion > 0;
    double cells = (double)field_bytes(&d, FR_AT_CELL), solver = (double)tensor_solver_bytes(&d);
    double tensors = flux ? (viscous ? 3 : 2) * (d.dims + (d.dims == 3 ? 3 : 1)) * cells : 0;
    int scratch = flux ? 5 * d.dims : CLASSIC_SCRATCH;
    double fields = ((flux ? 6 : 3) * d.dims + 2 + 2 * def->scalar_count + scratch) * cells;
    double classic = flux ? 0 : (double)classic_metric_bytes(&d);
    return (double)curve_bytes(&d) + classic + tensors + fields + (flux ? (1 + viscous + diffuses) * solver : 0);
}
