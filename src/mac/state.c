#include "mac/state.h"

#include <assert.h>

#include "base/memory.h"
#include "mac/coupling/coupling.h"

static size_t state_most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t state_scratch_rows(const model *m)
{
    size_t most = 0;
    for (int g = 0; g < m->grid_count; g++) {
        const domain *d = &m->grids[g].domain;
        most = state_most(most, (size_t)(d->n[1] + 1) * (size_t)(d->n[2] + 1));
    }
    return most;
}

static size_t state_scratch_bytes(const model *m)
{
    size_t most = 0;
    for (int a = 0; a < m->domain.dims; a++)
        most = state_most(most, field_bytes(&m->domain, field_face(a)));
    for (int g = 0; g < m->grid_count; g++)
        most = state_most(most, field_bytes(&m->grids[g].domain, FR_AT_CELL));
    return most;
}

/* Which velocity fields besides the present and the next one a scheme works with. */
typedef struct state_extras {
    bool mid, scratch, past;
} state_extras;

static state_extras state_needs(const model *m)
{
    if (m->prescribed)
        return (state_extras){.scratch = true};
    if (m->choice.carries_itself && m->scalar_count == 0)
        return (state_extras){.scratch = false};
    switch (m->choice.advection) {
    case FR_ADVECTION_LINEAR: return (state_extras){.scratch = m->choice.needs_scratch};
    case FR_ADVECTION_REFLECTION: return (state_extras){.mid = true, .scratch = true};
    case FR_ADVECTION_CENTRAL: return (state_extras){.mid = true};
    default: return (state_extras){.scratch = true, .past = !m->choice.no_past};
    }
}

bool state_remembers(const model *m)
{
    return state_needs(m).past;
}

/* A liquid has a solver of its own for the viscosity: grid/stress. */
static bool state_has_stress(const model *m)
{
    return coupling_sticks(m) && !m->choice.has_surface;
}

static bool state_diffuses(const model *m, int grid)
{
    bool any = grid == 0 && m->viscous && !m->choice.has_surface && !state_has_stress(m);
    for (int i = 0; i < m->scalar_count; i++)
        any = any || (m->scalars[i].grid == grid && m->scalars[i].varies && m->scalars[i].diffusion > 0);
    return any;
}

static fr_result state_make_fine(const model *m, state *s)
{
    for (int g = 1; g < m->grid_count; g++) {
        state_fine *fine = &s->fine[g - 1];
        solids_kind kind = {.refine = m->grids[g].refine, .watertight = m->choice.watertight};
        FR_TRY(solids_create_as(&s->bodies, &m->grids[g].domain, kind, &fine->solids));
        if (state_diffuses(m, g))
            FR_TRY(diffusion_create(&m->grids[g].domain, &fine->diffusion));
    }
    return FR_OK;
}

/* Cells of a grid along a side. */
static size_t state_side_cells(const model *m, int side, int grid)
{
    const int *n = m->grids[grid].domain.n;
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    return (size_t)n[b] * (size_t)n[c];
}

static fr_result state_make_side(const model *m, state *s, int side)
{
    const domain *d = &m->domain;
    const fr_wall_def *wall = &m->walls[side];
    state_side *values = &s->sides[side];
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    size_t most = 0;
    for (int g = 0; g < m->grid_count; g++)
        most = state_most(most, state_side_cells(m, side, g));
    values->scalars = MEMORY_NEW(float *, m->scalar_count);
    values->entering = MEMORY_NEW(float, most);
    if (!values->scalars || !values->entering)
        return FR_ERROR_MEMORY;
    if (wall->kind == FR_WALL_INFLOW || wall->kind == FR_WALL_NO_SLIP)
        for (int a = 0; a < d->dims; a++) {
            const field *f = &s->velocity[a];
            values->velocity[a] = MEMORY_NEW(float, (size_t)f->size[b] * (size_t)f->size[c]);
            if (!values->velocity[a])
                return FR_ERROR_MEMORY;
        }
    if (wall->kind == FR_WALL_INFLOW || wall->scalar_count > 0)
        for (int i = 0; i < m->scalar_count; i++) {
            values->scalars[i] = MEMORY_NEW(float, state_side_cells(m, side, m->scalars[i].grid));
            if (!values->scalars[i])
                return FR_ERROR_MEMORY;
        }
    return FR_OK;
}

static fr_result state_make_bodies(const model *m, state *s)
{
    if (m->bodies.count == 0)
        return FR_OK;
    FR_TRY(coupling_create(m, &s->coupling));
    for (int i = m->obstacle_count; i < m->solid_count; i++)
        bodies_release(&s->bodies, i, m->bodies.coupling == FR_COUPLING_MONOLITHIC);
    coupling_lay(s->coupling, &s->bodies);
    return FR_OK;
}

static fr_result state_fill(const model *m, state *s)
{
    const domain *d = &m->domain;
    state_extras needs = state_needs(m);
    for (int a = 0; a < d->dims; a++) {
        FR_TRY(field_create(d, field_face(a), &s->velocity[a]));
        FR_TRY(field_create(d, field_face(a), &s->next_velocity[a]));
        if (needs.mid)
            FR_TRY(field_create(d, field_face(a), &s->mid_velocity[a]));
        if (needs.scratch)
            FR_TRY(field_create(d, field_face(a), &s->scratch_velocity[a]));
        if (needs.past)
            FR_TRY(field_create(d, field_face(a), &s->past_velocity[a]));
    }
    FR_TRY(field_create(d, FR_AT_CELL, &s->pressure));
    FR_TRY(field_create(d, FR_AT_CELL, &s->next_pressure));
    s->scalars = MEMORY_NEW(field, m->scalar_count);
    s->next_scalars = MEMORY_NEW(field, m->scalar_count);
    s->accounts = MEMORY_NEW(state_account, m->scalar_count);
    if (!s->scalars || !s->next_scalars || !s->accounts)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < m->scalar_count; i++) {
        FR_TRY(field_create(model_scalar_domain(m, i), FR_AT_CELL, &s->scalars[i]));
        if (m->scalars[i].varies)
            FR_TRY(field_create(model_scalar_domain(m, i), FR_AT_CELL, &s->next_scalars[i]));
    }
    for (int side = 0; side < 2 * d->dims; side++)
        FR_TRY(state_make_side(m, s, side));
    for (int w = 0; w < 2; w++)
        if (!(s->scratch[w] = memory_alloc(state_scratch_bytes(m))))
            return FR_ERROR_MEMORY;
    s->partial = MEMORY_NEW(double, STATE_PARTIALS * state_scratch_rows(m));
    s->clamps = MEMORY_NEW(int64_t, state_scratch_rows(m));
    if (!s->partial || !s->clamps)
        return FR_ERROR_MEMORY;
    FR_TRY(bodies_create(m->obstacles, m->solid_count, &s->bodies));
    FR_TRY(state_make_bodies(m, s));
    FR_TRY(solids_create_as(&s->bodies, d, (solids_kind){.refine = 1, .watertight = m->choice.watertight}, &s->solids));
    if (state_diffuses(m, 0))
        FR_TRY(diffusion_create(d, &s->diffusion));
    if (state_has_stress(m))
        FR_TRY(stress_create(d, &s->stress));
    FR_TRY(state_make_fine(m, s));
    if (!m->prescribed)
        FR_TRY(projection_create(d, m->choice.has_surface, &s->projection));
    return s->coupling ? coupling_reserve(m, s) : FR_OK;
}

fr_result state_create(const model *m, state **out)
{
    *out = NULL;
    state *s = MEMORY_NEW(state, 1);
    if (!s)
        return FR_ERROR_MEMORY;
    fr_result result = state_fill(m, s);
    if (result != FR_OK)
        state_destroy(m, s);
    else
        *out = s;
    return result;
}

void state_destroy(const model *m, state *s)
{
    if (!s)
        return;
    for (int a = 0; a < 3; a++) {
        field_destroy(&s->velocity[a]);
        field_destroy(&s->next_velocity[a]);
        field_destroy(&s->mid_velocity[a]);
        field_destroy(&s->scratch_velocity[a]);
        field_destroy(&s->past_velocity[a]);
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
        for (int a = 0; a < 3; a++)
            memory_free(s->sides[side].velocity[a]);
        for (int i = 0; s->sides[side].scalars && i < m->scalar_count; i++)
            memory_free(s->sides[side].scalars[i]);
        memory_free(s->sides[side].scalars);
        memory_free(s->sides[side].entering);
    }
    memory_free(s->scalars);
    memory_free(s->next_scalars);
    memory_free(s->accounts);
    memory_free(s->scratch[0]);
    memory_free(s->scratch[1]);
    memory_free(s->partial);
    memory_free(s->clamps);
    particles_destroy(&s->particles);
    bodies_destroy(&s->bodies);
    coupling_destroy(s->coupling);
    solids_destroy(&s->solids);
    projection_destroy(s->projection);
    diffusion_destroy(s->diffusion);
    stress_destroy(s->stress);
    for (int g = 1; g < m->grid_count; g++) {
        solids_destroy(&s->fine[g - 1].solids);
        diffusion_destroy(s->fine[g - 1].diffusion);
    }
    memory_free(s);
}

double state_bytes(const model *m)
{
    const domain *d = &m->domain;
    double bytes = 2.0 * (double)field_bytes(d, FR_AT_CELL);   /* pressure */
    state_extras needs = state_needs(m);
    for (int a = 0; a < d->dims; a++)
        bytes += (2.0 + needs.mid + needs.scratch + needs.past) * (double)field_bytes(d, field_face(a));
    for (int i = 0; i < m->scalar_count; i++)
        bytes += (m->scalars[i].varies ? 2 : 1) * (double)field_bytes(model_scalar_domain(m, i), FR_AT_CELL);
    bytes += 2.0 * (double)state_scratch_bytes(m);
    for (int g = 0; g < m->grid_count; g++)
        if (state_diffuses(m, g))
            bytes += (double)diffusion_bytes(&m->grids[g].domain);
    if (state_has_stress(m))
        bytes += (double)stress_bytes(d);
    bytes += coupling_bytes(m);
    if (!m->prescribed)
        bytes += (double)projection_bytes(d, m->choice.has_surface);
    return bytes;
}

field state_scratch(const model *m, state *s, int which, fr_location at)
{
    field f;
    field_over(s->scratch[which], &m->domain, at, &f);
    return f;
}

field state_scratch_cells(const model *m, state *s, int which, int grid)
{
    field f;
    assert(which < 2 || (grid == 0 && s->scratch_velocity[which - 2].block));
    field_over(which < 2 ? s->scratch[which] : s->scratch_velocity[which - 2].block, &m->grids[grid].domain, FR_AT_CELL,
               &f);
    return f;
}
