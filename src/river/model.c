#include "river/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "geom/shape.h"
#include "grid/curve/weights.h"

/* Default Courant number of a step. */
static const double RIVER_CFL = 2;

domain river_domain(const fr_scene_def *def)
{
    const fr_river_def *river = &def->river;
    domain d = {.dims = river->cells[2] > 0 ? 3 : 2, .n = {river->cells[0], river->cells[1], 1}, .h = {1, 1, 1}};
    if (d.dims == 3)
        d.n[2] = river->cells[2];
    for (int a = 0; a < d.dims; a++)
        d.periodic[a] = river->sides[2 * a].kind == FR_RIVER_PERIODIC;
    return d;
}

void river_position(const river_model *m, fr_location at, int i, int j, int k, double world[3])
{
    int index[3] = {i, j, k};
    double grid[3];
    for (int a = 0; a < 3; a++)
        grid[a] = index[a] + (at == field_face(a) ? 0 : 0.5);
    curve_position(&m->curve, grid, world);
}

static fr_result model_make_grid(const fr_scene_def *scene, river_model *m)
{
    const domain d = river_domain(scene);
    double *nodes;
    FR_TRY(river_nodes(scene, &nodes));
    curve_def def = {.dims = d.dims,
                     .cells = {d.n[0], d.n[1], d.n[2]},
                     .periodic = {d.periodic[0], d.periodic[1], d.periodic[2]},
                     .node = nodes};
    fr_result result = curve_check(&def);
    if (result == FR_OK)
        result = curve_create(&def, &m->curve);
    memory_free(nodes);
    if (result == FR_ERROR_INPUT) {
        char what[512];
        snprintf(what, sizeof what, "%s", fr_error_message());
        return fr_fail_key(scene->river.nodes ? "river.nodes" : "river.grid", "%s", what);
    }
    return result;
}

static fr_result model_make_solid(const fr_river_def *river, river_model *m)
{
    const domain *d = &m->curve.domain;
    if (river->block_count > 0 && !(m->solid = MEMORY_NEW(uint8_t, domain_cells(d))))
        return FR_ERROR_MEMORY;
    for (int b = 0; b < river->block_count; b++) {
        const fr_cells_def *block = &river->blocks[b];
        for (int k = d->dims == 3 ? block->from[2] : 0; k <= (d->dims == 3 ? block->to[2] : 0); k++)
            for (int j = block->from[1]; j <= block->to[1]; j++)
                memset(m->solid + block->from[0] + d->n[0] * (j + (int64_t)d->n[1] * k), 1,
                       (size_t)(block->to[0] - block->from[0] + 1));
    }
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++)
                if (!river_solid(m, i, j, k)) {
                    m->wet++;
                    m->volume += field_row(&m->curve.volume, j, k)[i];
                }
    return FR_OK;
}

/* Wraps a sample's index round periodic axes; false: it lies outside the block. */
static bool model_wrap(const domain *d, const field *layout, int at[3])
{
    for (int a = 0; a < 3; a++) {
        if (d->periodic[a])
            at[a] = (at[a] + d->n[a]) % d->n[a];
        if (at[a] < 0 || at[a] >= layout->size[a])
            return false;
    }
    return true;
}

/* The two cells of a face; `there` is false for a cell outside the block. */
static void model_beside(const domain *d, int axis, const int face[3], int cells[2][3], bool there[2])
{
    field layout;
    field_layout(d, FR_AT_CELL, &layout);
    for (int end = 0; end < 2; end++) {
        for (int a = 0; a < 3; a++)
            cells[end][a] = face[a] - (a == axis && end == 0);
        there[end] = model_wrap(d, &layout, cells[end]);
    }
}

/* Two passes: counts, then fills. */
static fr_result model_make_closed(river_model *m, int axis)
{
    field layout;
    river_places *closed = &m->closed[axis];
    field_layout(&m->curve.domain, field_face(axis), &layout);
    for (int pass = 0; pass < 2; pass++) {
        closed->count = 0;
        for (int k = 0; k < layout.size[2]; k++)
            for (int j = 0; j < layout.size[1]; j++)
                for (int i = 0; i < layout.size[0]; i++) {
                    int cells[2][3];
                    bool there[2];
                    model_beside(&m->curve.domain, axis, (int[3]){i, j, k}, cells, there);
                    bool touches = (there[0] && river_solid(m, cells[0][0], cells[0][1], cells[0][2])) ||
                                   (there[1] && river_solid(m, cells[1][0], cells[1][1], cells[1][2]));
                    if (touches && pass)
                        closed->at[closed->count] = (int32_t)field_offset(&layout, i, j, k);
                    closed->count += touches;
                }
        if (!pass && !(closed->at = MEMORY_NEW(int32_t, closed->count + 1)))
            return FR_ERROR_MEMORY;
    }
    return FR_OK;
}

/* Whether a sample is inside an obstacle: a solid cell, or a face between solid cells. A face between an obstacle and
   the water is not: nothing flows through it, so its value 0 is a real one. */
static bool model_within(const river_model *m, fr_location location, const int at[3])
{
    if (location == FR_AT_CELL)
        return river_solid(m, at[0], at[1], at[2]);
    int cells[2][3];
    bool there[2];
    model_beside(&m->curve.domain, (int)(location - FR_AT_FACE_X), at, cells, there);
    for (int end = 0; end < 2; end++)
        if (there[end] && !river_solid(m, cells[end][0], cells[end][1], cells[end][2]))
            return false;
    return true;
}

static bool model_find_skin(const river_model *m, const field *layout, const int at[3], int32_t from[6])
{
    bool any = false;
    for (int side = 0; side < 2 * m->curve.domain.dims; side++) {
        int next[3] = {at[0], at[1], at[2]};
        next[side / 2] += side % 2 ? 1 : -1;
        bool open = model_wrap(&m->curve.domain, layout, next) && !model_within(m, layout->at, next);
        from[side] = open ? (int32_t)field_offset(layout, next[0], next[1], next[2]) : -1;
        any = any || open;
    }
    for (int side = 2 * m->curve.domain.dims; side < 6; side++)
        from[side] = -1;
    return any;
}

/* Two passes: counts, then fills. */
static fr_result model_make_skin(const river_model *m, int place, river_skin *skin)
{
    field layout;
    field_layout(&m->curve.domain, river_location(place), &layout);
    for (int pass = 0; pass < 2; pass++) {
        int64_t count = 0;
        for (int k = 0; k < layout.size[2]; k++)
            for (int j = 0; j < layout.size[1]; j++)
                for (int i = 0; i < layout.size[0]; i++) {
                    int at[3] = {i, j, k};
                    int32_t from[6];
                    if (!model_within(m, layout.at, at) || !model_find_skin(m, &layout, at, from))
                        continue;
                    if (pass) {
                        skin->at[count] = (int32_t)field_offset(&layout, i, j, k);
                        memcpy(skin->from[count], from, sizeof from);
                    }
                    count++;
                }
        skin->count = count;
        if (pass)
            break;
        skin->at = MEMORY_NEW(int32_t, count + 1);
        skin->from = memory_alloc(sizeof *skin->from * (size_t)(count + 1));
        if (!skin->at || !skin->from)
            return FR_ERROR_MEMORY;
    }
    return FR_OK;
}

static fr_result model_make_skins(river_model *m)
{
    for (int place = 0; m->solid && place < 4; place++) {
        if (place == RIVER_CELLS || place < m->curve.domain.dims)
            FR_TRY(model_make_skin(m, place, &m->skins[place]));
        if (place < m->curve.domain.dims)
            FR_TRY(model_make_closed(m, place));
    }
    return FR_OK;
}

/* Friction of obstacles' sides on the cells next to them, over the distance of half a cell. */
static fr_result model_make_drag(river_model *m)
{
    const curve *c = &m->curve;
    const domain *d = &c->domain;
    float roughness = (float)m->block_roughness;
    if (!m->solid || roughness == 0)
        return FR_OK;
    FR_TRY(field_create(d, FR_AT_CELL, &m->drag));
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++)
                for (int side = 0; side < 2 * d->dims && !river_solid(m, i, j, k); side++) {
                    int next[3] = {i, j, k}, face[3] = {i, j, k}, axis = side / 2;
                    next[axis] += side % 2 ? 1 : -1;
                    face[axis] += side % 2;
                    if (!model_wrap(d, &m->drag, next) || !river_solid(m, next[0], next[1], next[2]))
                        continue;
                    float square = 0;
                    for (int a = 0; a < d->dims; a++) {
                        float part = field_row(&c->face[axis][a], face[1], face[2])[face[0]];
                        square += part * part;
                    }
                    field_row(&m->drag, j, k)[i] += roughness * 2 * square / field_row(&c->volume, j, k)[i];
                }
    return FR_OK;
}

static fr_result model_make_tensor(const river_model *m, const tensor_side sides[6], tensor *t)
{
    FR_TRY(tensor_create(&m->curve.domain, sides, t));
    curve_weights(&m->curve, m->solid, t);
    return FR_OK;
}

/* The metric and border cells of the classic scheme. Along a bank of roughness β water keeps 1 − β of its speed. */
static fr_result model_make_classic(river_model *m)
{
    border_def def = {
        .c = &m->curve, .metric = &m->metric, .solid = m->solid, .solid_factor = 1 - m->block_roughness};
    for (int side = 0; side < 6; side++) {
        fr_river_side_kind kind = m->sides[side].kind;
        def.sides[side] = kind == FR_RIVER_INFLOW ? BORDER_IN : kind == FR_RIVER_OUTFLOW ? BORDER_OUT : BORDER_BANK;
        def.roughness[side] = m->sides[side].roughness;
        def.gated[side] = m->sides[side].gated;
    }
    FR_TRY(classic_metric_create(&m->curve, &m->metric));
    return border_cells_create(&def, &m->border);
}

/* The viscous solve is stable for any step. But in a thick liquid the pressure needs many steps to settle, and until
   then the flow is wrong. So a step is at most this many h²/ν (40 gave the right flow past a block, 200 did not). */
static const double VISCOUS_STEPS = 30;

static double model_viscous_step(const river_model *m)
{
    double least = INFINITY;
    for (int k = 0; k < m->curve.domain.dims; k++)
        for (int r = 0; r < field_rows(&m->still.weight[k]); r++) {
            const field *w = &m->still.weight[k];
            const float *weight = field_row(w, r % w->size[1], r / w->size[1]);
            const float *inverse = field_row(&m->curve.inverse[k], r % w->size[1], r / w->size[1]);
            for (int i = 0; i < w->size[0]; i++)
                least = weight[i] > 0 ? fmin(least, 1 / ((double)weight[i] * inverse[i])) : least;
        }
    return VISCOUS_STEPS * least / m->fluid.viscosity;
}

static fr_result model_make_tensors(river_model *m)
{
    tensor_side pressure[6], still[6], rough[6];
    for (int side = 0; side < 6; side++) {
        const river_side *given = &m->sides[side];
        bool holds = given->kind == FR_RIVER_INFLOW || (given->kind == FR_RIVER_BANK && given->sticks);
        still[side] = given->kind == FR_RIVER_PERIODIC ? TENSOR_PERIODIC : TENSOR_CLOSED;
        pressure[side] = given->kind == FR_RIVER_OUTFLOW ? TENSOR_FIXED : still[side];
        rough[side] = holds ? TENSOR_FIXED : still[side];
    }
    if (m->scheme == FR_RIVER_CLASSIC)
        return model_make_classic(m);
    FR_TRY(model_make_tensor(m, pressure, &m->pressure));
    FR_TRY(model_make_tensor(m, still, &m->still));
    if (!m->viscous)
        return FR_OK;
    m->viscous_step = model_viscous_step(m);
    FR_TRY(model_make_tensor(m, rough, &m->rough));
    river_scale_friction(m);
    return model_make_drag(m);
}

static fr_result model_make_scalars(const fr_scene_def *def, river_model *m)
{
    m->scalars = MEMORY_NEW(river_scalar, def->scalar_count + 1);
    if (!m->scalars)
        return FR_ERROR_MEMORY;
    for (; m->scalar_count < def->scalar_count; m->scalar_count++) {
        const fr_scalar_def *from = &def->scalars[m->scalar_count];
        m->scalars[m->scalar_count] = (river_scalar){.name = from->name,
                                                     .diffusion = from->diffusion,
                                                     .dissipation = from->dissipation,
                                                     .initial = from->initial,
                                                     .conserved = from->transport == FR_TRANSPORT_CONSERVATIVE};
    }
    return FR_OK;
}

/* On a periodic axis the last face is the same as the first. */
static bool model_is_image(const river_model *m, fr_location at, const int index[3])
{
    int axis = (int)(at - FR_AT_FACE_X);
    return at != FR_AT_CELL && m->curve.domain.periodic[axis] && index[axis] == m->curve.domain.n[axis];
}

/* Samples of a location whose centre a shape covers, without those in obstacles. Two passes: counts, then fills. */
static fr_result model_cover(const river_model *m, const shape *s, fr_location at, river_places *out)
{
    field layout;
    field_layout(&m->curve.domain, at, &layout);
    for (int pass = 0; pass < 2; pass++) {
        int64_t count = 0;
        for (int k = 0; k < layout.size[2]; k++)
            for (int j = 0; j < layout.size[1]; j++)
                for (int i = 0; i < layout.size[0]; i++) {
                    double world[3], distance = -1;
                    river_position(m, at, i, j, k, world);
                    if (s)
                        FR_TRY(shape_distance(s, world, &distance));
                    if (distance > 0 || model_within(m, at, (int[3]){i, j, k}) ||
                        model_is_image(m, at, (int[3]){i, j, k}))
                        continue;
                    if (pass)
                        out->at[count] = (int32_t)field_offset(&layout, i, j, k);
                    count++;
                }
        out->count = count;
        if (!pass && !(out->at = MEMORY_NEW(int32_t, count + 1)))
            return FR_ERROR_MEMORY;
    }
    return FR_OK;
}

static fr_result model_cover_block(const river_model *m, const fr_cells_def *block, river_places *out)
{
    const domain *d = &m->curve.domain;
    field layout;
    field_layout(d, FR_AT_CELL, &layout);
    int64_t room = 1;
    for (int a = 0; a < d->dims; a++)
        room *= block->to[a] - block->from[a] + 1;
    if (!(out->at = MEMORY_NEW(int32_t, room)))
        return FR_ERROR_MEMORY;
    for (int k = d->dims == 3 ? block->from[2] : 0; k <= (d->dims == 3 ? block->to[2] : 0); k++)
        for (int j = block->from[1]; j <= block->to[1]; j++)
            for (int i = block->from[0]; i <= block->to[0]; i++)
                if (!river_solid(m, i, j, k))
                    out->at[out->count++] = (int32_t)field_offset(&layout, i, j, k);
    return FR_OK;
}

static fr_result model_make_source(const river_model *m, int index, river_source *source)
{
    char key[64];
    snprintf(key, sizeof key, "sources[%d]", index + 1);
    if (source->def->in_cells)
        return model_cover_block(m, &source->def->cells, &source->cells);
    shape *s;
    FR_TRY(shape_create(&source->def->shape, m->curve.domain.dims, key, &s));
    fr_result result = model_cover(m, s, FR_AT_CELL, &source->cells);
    shape_destroy(s);
    if (result == FR_OK && source->cells.count == 0)
        return fr_fail_key(key, "%s covers the centre of no cell of the river; move it or make it larger", key);
    return result;
}

static fr_result model_make_force(const river_model *m, int index, river_force *force)
{
    char key[64];
    snprintf(key, sizeof key, "forces[%d]", index + 1);
    shape *s = NULL;
    if (force->def->shape.shape)
        FR_TRY(shape_create(&force->def->shape, m->curve.domain.dims, key, &s));
    fr_result result = FR_OK;
    for (int place = 0; place < 4 && result == FR_OK; place++)
        if (place == RIVER_CELLS || place < m->curve.domain.dims)
            result = model_cover(m, s, river_location(place), &force->at[place]);
    shape_destroy(s);
    if (result == FR_OK && force->at[RIVER_CELLS].count == 0)
        return fr_fail_key(key, "%s covers the centre of no cell of the river; move it or make it larger", key);
    return result;
}

static fr_result model_make_actors(const fr_scene_def *def, river_model *m)
{
    m->sources = MEMORY_NEW(river_source, def->source_count + 1);
    m->forces = MEMORY_NEW(river_force, def->force_count + 1);
    if (!m->sources || !m->forces)
        return FR_ERROR_MEMORY;
    m->source_count = def->source_count;
    m->force_count = def->force_count;
    for (int i = 0; i < m->source_count; i++) {
        m->sources[i].def = &def->sources[i];
        FR_TRY(model_make_source(m, i, &m->sources[i]));
    }
    for (int i = 0; i < m->force_count; i++) {
        m->forces[i].def = &def->forces[i];
        FR_TRY(model_make_force(m, i, &m->forces[i]));
    }
    return FR_OK;
}

/* Copies the plain values of the definition. Lists are kept by reference: the definition outlives the model. */
static void model_outline(const fr_scene_def *def, river_model *m)
{
    m->scheme = def->river.scheme;
    m->fluid = def->fluid;
    m->solver = def->solver;
    m->sweeps = def->river.sweeps;
    m->viscous_sweeps = def->river.viscous_sweeps;
    m->initial_velocity = def->has_initial_velocity ? &def->initial_velocity : NULL;
    m->block_roughness = def->river.block_roughness;
    m->tracer_count = def->tracer_count;
    m->tracers = def->tracers;
    m->cfl = def->time.cfl > 0 ? def->time.cfl : RIVER_CFL;
    m->viscous = def->fluid.viscosity > 0;
    m->viscous_step = INFINITY;
    for (int side = 0; side < FR_SIDES; side++)
        m->sides[side].kind = def->river.sides[side].kind;
}

static fr_result model_fill(const fr_scene_def *def, river_model *m)
{
    model_outline(def, m);
    FR_TRY(model_make_grid(def, m));
    FR_TRY(model_make_solid(&def->river, m));
    FR_TRY(model_make_scalars(def, m));
    for (int side = 0; side < 2 * m->curve.domain.dims; side++)
        FR_TRY(river_make_side(&def->river.sides[side], side, m));
    FR_TRY(model_make_skins(m));
    FR_TRY(model_make_tensors(m));
    if (m->scheme == FR_RIVER_FLUX) {
        FR_TRY(river_make_correction(m));
        FR_TRY(river_make_lean(m));
    }
    return model_make_actors(def, m);
}

fr_result river_model_create(const fr_scene_def *def, river_model **out)
{
    *out = NULL;
    river_model *m = MEMORY_NEW(river_model, 1);
    if (!m)
        return FR_ERROR_MEMORY;
    fr_result result = model_fill(def, m);
    if (result != FR_OK)
        river_model_destroy(m);
    else
        *out = m;
    return result;
}

void river_model_destroy(river_model *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->source_count; i++)
        memory_free(m->sources[i].cells.at);
    for (int i = 0; i < m->force_count; i++)
        for (int place = 0; place < 4; place++)
            memory_free(m->forces[i].at[place].at);
    for (int side = 0; side < FR_SIDES; side++) {
        memory_free(m->sides[side].roughness);
        memory_free(m->sides[side].inward);
        memory_free(m->sides[side].along);
        memory_free(m->sides[side].areas);
        memory_free(m->sides[side].brings);
    }
    for (int place = 0; place < 4; place++) {
        memory_free(m->skins[place].at);
        memory_free(m->skins[place].from);
    }
    for (int a = 0; a < 3; a++) {
        memory_free(m->closed[a].at);
        field_destroy(&m->correction[a]);
        memory_free(m->lean[a].part);
    }
    memory_free(m->sources);
    memory_free(m->forces);
    memory_free(m->scalars);
    memory_free(m->solid);
    field_destroy(&m->drag);
    classic_metric_destroy(&m->metric);
    border_cells_destroy(&m->border);
    tensor_destroy(&m->pressure);
    tensor_destroy(&m->still);
    tensor_destroy(&m->rough);
    curve_destroy(&m->curve);
    memory_free(m);
}
