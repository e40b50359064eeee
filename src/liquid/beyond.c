/* The velocity beyond the surface. Away from the liquid it is continued as a constant. That alone is too little for the
   surface itself, which may stand half a cell above the last face in the liquid: a wave would move by k h/8 too slowly.
   So the first cells of air are made free of divergence, by the faces through which the normal of the surface leaves
   them. Each such face gets the share n_a² of what is missing: for a flat surface the one face opposite the liquid. */
#include <string.h>

#include "base/wide.h"
#include "grid/halo.h"
#include "liquid/liquid.h"
#include "mac/stage/extend.h"
#include "mac/stage/walls.h"

typedef struct beyond_job {
    const model *m;
    const state *s;
    const field *phi;
    field *velocity; /* of all axes */
    field missing;   /* cells: divergence over Σ n_a², in first cells of air; 0 elsewhere */
    double *found;   /* per row of cells: 0 if nothing is missing */
    int axis;        /* of the faces that are visited */
} beyond_job;

static bool beyond_is_wet(const beyond_job *job, int axis, const int face[3])
{
    const field *u = &job->velocity[axis];
    uint8_t kind = job->s->wet[axis][field_row(u, face[1], face[2]) + face[0] - u->block];
    return kind == EXTEND_KNOWN || kind == EXTEND_PARTLY;
}

static bool beyond_is_open(const beyond_job *job, int axis, const int face[3])
{
    return !job->s->solids.any || field_row(&job->s->solids.open[axis], face[1], face[2])[face[0]] == 1;
}

/* The slope of φ across a cell. */
static float beyond_normal(const beyond_job *job, const float *phi, int axis)
{
    ptrdiff_t step = job->phi->stride[axis];
    return (phi[step] - phi[-step]) / (float)job->m->domain.h[axis];
}

/* Of a cell with a wet face; 0 if it is cut by an obstacle. */
static float beyond_missing(const beyond_job *job, const float *phi, const int c[3])
{
    const domain *d = &job->m->domain;
    float divergence = 0, squares = 0;
    for (int a = 0; a < d->dims; a++) {
        int high[3] = {c[0], c[1], c[2]};
        high[a]++;
        const float *u = field_row(&job->velocity[a], c[1], c[2]) + c[0];
        float n = beyond_normal(job, phi, a);
        const bool wet = beyond_is_wet(job, a, n > 0 ? high : c);
        if (!beyond_is_open(job, a, c) || !beyond_is_open(job, a, high))
            return 0;
        divergence += (u[job->velocity[a].stride[a]] - u[0]) / (float)d->h[a];
        squares += wet ? 0 : n * n;
    }
    return squares > 0 ? divergence / squares : 0;
}

/* Bits of the eight cells from (i, j, k) on that have a wet face. */
static unsigned beyond_first(const beyond_job *job, int i, int j, int k)
{
    wide_mask first = {0};
    for (int a = 0; a < job->m->domain.dims; a++) {
        const field *u = &job->velocity[a];
        const uint8_t *low = job->s->wet[a] + (field_row(u, j, k) + i - u->block);
        const wide_mask below = wide_load_bytes(low), above = wide_load_bytes(low + u->stride[a]);
        first |= (below == EXTEND_KNOWN) | (below == EXTEND_PARTLY) | (above == EXTEND_KNOWN) |
                 (above == EXTEND_PARTLY);
    }
    return wide_bits(first);
}

static void beyond_missing_rows(void *context, int begin, int end)
{
    const beyond_job *job = context;
    const int n = job->missing.size[0];
    const float reach = 2 * (float)domain_min_h(&job->m->domain);
    for (int r = begin; r < end; r++) {
        int j = r % job->missing.size[1], k = r / job->missing.size[1];
        const float *phi = field_row(job->phi, j, k);
        float *to = field_row(&job->missing, j, k);
        bool found = false;
        memset(to, 0, (size_t)n * sizeof *to);
        for (int i = 0; i < n; i += WIDE) {
            const wide value = wide_load(phi + i);
            unsigned near = wide_bits((value >= 0) & (value < reach)) & (n - i < WIDE ? (1u << (n - i)) - 1 : 0xffu);
            for (near &= near ? beyond_first(job, i, j, k) : 0; near; near &= near - 1) {
                const int at = i + __builtin_ctz(near);
                to[at] = beyond_missing(job, phi + at, (int[3]){at, j, k});
                found = found || to[at] != 0;
            }
        }
        job->found[r] = found;
    }
}

/* Whether something is missing in a row of cells, or in that which its ghosts are copies of. */
static bool beyond_has(const beyond_job *job, int j, int k)
{
    const domain *d = &job->m->domain;
    int row[2] = {j, k};
    for (int a = 1; a < 3; a++) {
        int *at = &row[a - 1];
        if (*at < 0 || *at >= d->n[a])
            *at = (*at < 0) == d->periodic[a] ? d->n[a] - 1 : 0;
    }
    return job->found[row[0] + row[1] * d->n[1]] != 0;
}

/* The change of a dry face: by the cell of air on its one side, when the normal leaves that cell here. */
static float beyond_change(const beyond_job *job, const float *phi, const float *missing)
{
    int a = job->axis;
    ptrdiff_t step = job->phi->stride[a];
    float h = (float)job->m->domain.h[a], change = 0, n;
    if (missing[-step] != 0 && (n = beyond_normal(job, phi - step, a)) > 0)
        change -= missing[-step] * h * n * n;
    if (missing[0] != 0 && (n = beyond_normal(job, phi, a)) < 0)
        change += missing[0] * h * n * n;
    return change;
}

/* The bits of eight faces with something missing on one of their sides. */
static unsigned beyond_beside(const float *missing, ptrdiff_t step)
{
    return wide_bits((wide_load(missing) != 0) | (wide_load(missing - step) != 0));
}

static void beyond_face_rows(void *context, int begin, int end)
{
    const beyond_job *job = context;
    field *u = &job->velocity[job->axis];
    const int n = u->size[0];
    for (int r = begin; r < end; r++) {
        const int j = r % u->size[1], k = r / u->size[1];
        if (!beyond_has(job, j, k) && !beyond_has(job, j - (job->axis == 1), k - (job->axis == 2)))
            continue;
        const uint8_t *map = job->s->wet[job->axis] + (field_row(u, j, k) - u->block);
        const float *phi = field_row(job->phi, j, k), *missing = field_row(&job->missing, j, k);
        float *row = field_row(u, j, k);
        for (int i = 0; i < n; i += WIDE) {
            unsigned beside = beyond_beside(missing + i, job->phi->stride[job->axis]);
            for (beside &= n - i < WIDE ? (1u << (n - i)) - 1 : 0xffu; beside; beside &= beside - 1) {
                const int at = i + __builtin_ctz(beside);
                if (map[at] == 1 || map[at] == 2)
                    row[at] += beyond_change(job, phi + at, missing + at);
            }
        }
    }
}

void liquid_finish_velocity(const model *m, state *s, field velocity[3])
{
    if (m->prescribed) { /* it is known everywhere */
        stage_walls_velocity(m, s, velocity);
        return;
    }
    stage_extend_velocity(m, s, velocity);
    stage_walls_normal(m, s, velocity);
    beyond_job job = {.m = m, .s = s, .phi = s->surface, .velocity = velocity, .found = s->partial};
    job.missing = state_scratch(m, s, 0, FR_AT_CELL);
    field_for_rows(&job.missing, beyond_missing_rows, &job);
    halo_fill_even(&job.missing, &m->domain);
    for (job.axis = 0; job.axis < m->domain.dims; job.axis++)
        field_for_rows(&velocity[job.axis], beyond_face_rows, &job);
    stage_walls_velocity(m, s, velocity);
}
