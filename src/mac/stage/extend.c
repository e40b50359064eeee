#include "mac/stage/extend.h"

#include <string.h>

/* What an obstacle itself gives to the samples inside it. */
typedef struct extend_inside {
    const solids *solid;
    const uint8_t *marks;            /* a sample marked as fixed takes the value that is held; NULL: none does */
    const uint8_t *deep;             /* faces: their layers; the deepest take the held value too. NULL: they do not */
    const field *wall;               /* faces: how fast the obstacle moves; empty: 0 */
    const body *warm;                /* cells: obstacles with the temperature that is held */
} extend_inside;

static float extend_held(const extend_inside *inside, ptrdiff_t at)
{
    if (inside->warm)
        return (float)inside->warm[inside->solid->owner[at]].temperature;
    return inside->wall && inside->wall->block ? inside->wall->block[at] : 0;
}

static bool extend_is_held(const void *context, ptrdiff_t at, float *value)
{
    const extend_inside *inside = context;
    bool held = (inside->marks && inside->marks[at] == DIFFUSION_FIXED) ||
                (inside->deep && inside->deep[at] == SOLIDS_DEEP);
    if (held)
        *value = extend_held(inside, at);
    return held;
}

static extend_inside extend_wall(const solids *solid, int axis)
{
    return (extend_inside){.solid = solid,
                           .marks = solid->face_marks[axis],
                           .deep = solid->face_layers[axis],
                           .wall = &solid->wall[axis]};
}

/* `wall` is what the job asks for given values. */
static void extend_prepare(const model *m, const state *s, int a, extend_inside *wall, extend_job *job)
{
    *wall = extend_wall(&s->solids, a);
    if (s->wet[a] && !m->viscous)
        wall->marks = NULL;
    job->map = s->wet[a] ? s->wet[a] : s->solids.face_layers[a];
    job->spans = s->wet[a] ? s->wet_spans[a] : NULL;
    job->depth = s->wet[a] ? s->wet_depth : solids_depth(&s->solids);
    job->given = s->solids.any ? extend_is_held : NULL;
    job->context = wall;
}

static void extend_velocity(const model *m, const state *s, bool far_stays, field velocity[3])
{
    extend_inside walls[3];
    extend_job jobs[3];
    if (!s->solids.any && !s->wet[0])
        return;
    for (int a = 0; a < m->domain.dims; a++) {
        jobs[a] = (extend_job){.linear = s->wet[a] && s->wet_linear, .far_stays = far_stays};
        extend_prepare(m, s, a, &walls[a], &jobs[a]);
    }
    extend_fields(jobs, (field *const[3]){&velocity[0], &velocity[1], &velocity[2]}, m->domain.dims);
}

void stage_extend_velocity(const model *m, const state *s, field velocity[3])
{
    extend_velocity(m, s, false, velocity);
}

void stage_extend_known(const model *m, const state *s, field velocity[3])
{
    extend_velocity(m, s, true, velocity);
}

void stage_extend_slope(const model *m, const state *s, int axis, field *component)
{
    extend_inside wall;
    extend_job job = {.linear = true, .far_stays = true};
    extend_prepare(m, s, axis, &wall, &job);
    extend_field(&job, component);
}

typedef struct extend_slivers {
    extend_inside wall;
    field *f;
    bool viscous;                    /* what sticks is held by the viscosity (stage_stick) */
    bool slides;                     /* the flow slides along what sticks, too */
} extend_slivers;

/* The mean of the neighbours that are open to the middle; the wall's own motion where there are none. */
static void extend_sliver(const extend_slivers *job, ptrdiff_t at, const int face[3])
{
    static const uint8_t fluid[2] = {SOLIDS_FLUID, SOLIDS_FLUID};
    const solids *solid = job->wall.solid;
    float held = extend_held(&job->wall, at);
    if (job->slides || !solid->obstacles[solids_owner(solid, &solid->domain, job->f, face)].no_slip)
        job->f->block[at] = extend_mean(job->f, job->wall.deep, at, fluid, held);
    else if (!job->viscous)
        job->f->block[at] = held;
}

static void extend_sliver_rows(void *context, int begin, int end)
{
    const extend_slivers *job = context;
    const uint8_t *layers = job->wall.deep;
    for (int r = begin; r < end; r++) {
        int j = r % job->f->size[1], k = r / job->f->size[1];
        const uint8_t *first = layers + (field_row(job->f, j, k) - job->f->block), *stop = first + job->f->size[0];
        for (const uint8_t *at = first; (at = memchr(at, SOLIDS_SLIVER, (size_t)(stop - at))); at++)
            extend_sliver(job, at - layers, (int[3]){(int)(at - first), j, k});
    }
}

void stage_extend_slivers(const model *m, const state *s, field velocity[3])
{
    for (int a = 0; a < m->domain.dims && s->solids.any; a++) {
        extend_slivers job = {extend_wall(&s->solids, a), &velocity[a], m->viscous, s->wet[a] && !m->viscous};
        field_for_rows(job.f, extend_sliver_rows, &job);
    }
}

/* What obstacles hold of a scalar. */
static extend_inside extend_scalar_inside(const model *m, const state *s, const solids *solid, int index)
{
    bool warm = index == m->temperature && solid->warm_marks;
    return (extend_inside){
        .solid = solid, .marks = warm ? solid->warm_marks : NULL, .warm = warm ? s->bodies.of : NULL};
}

void stage_extend_scalar(const model *m, const state *s, int index, field *scalar)
{
    const solids *solid = state_solids(s, m->scalars[index].grid);
    if (!solid->any)
        return;
    extend_inside inside = extend_scalar_inside(m, s, solid, index);
    extend_job job = {.map = solid->cell_layers,
                      .depth = solids_depth(solid),
                      .far = (float)m->scalars[index].clean,
                      .given = inside.warm ? extend_is_held : NULL,
                      .context = &inside};
    extend_field(&job, scalar);
}

typedef struct extend_clean {
    extend_inside inside;
    field *f;
    float clean;
} extend_clean;

static void extend_clean_rows(void *context, int begin, int end)
{
    const extend_clean *job = context;
    for (int r = begin; r < end; r++) {
        ptrdiff_t start = field_row(job->f, r % job->f->size[1], r / job->f->size[1]) - job->f->block;
        for (ptrdiff_t at = start; at < start + job->f->size[0]; at++)
            if (job->inside.solid->cell_layers[at] != SOLIDS_FLUID &&
                !extend_is_held(&job->inside, at, &job->f->block[at]))
                job->f->block[at] = job->clean;
    }
}

void stage_extend_clean(const model *m, const state *s, int index, field *scalar)
{
    const solids *solid = state_solids(s, m->scalars[index].grid);
    if (!solid->any)
        return;
    extend_clean job = {extend_scalar_inside(m, s, solid, index), scalar, (float)m->scalars[index].clean};
    field_for_rows(scalar, extend_clean_rows, &job);
}

void stage_extend_pressure(const state *s, field *pressure)
{
    extend_job job = {.map = s->solids.cell_layers, .depth = solids_depth(&s->solids)};
    if (s->solids.any)
        extend_field(&job, pressure);
}
