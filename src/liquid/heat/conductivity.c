/* A diffusivity that is a function of the temperature (mac/conductivity.h), at the faces of cells. */
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "liquid/liquid.h"
#include "mac/conductivity.h"
#include "mac/stage/walls.h"

struct liquid_conductivity {
    conductivity table;
    field faces[3];
    const field *list[3]; /* them */
};

fr_result liquid_conductivity_create(liquid_run *run)
{
    const domain *d = &run->flow.model->domain;
    if (!run->model.heat.diffusivity_of)
        return FR_OK;
    liquid_conductivity *c = run->liquid.conductivity = MEMORY_NEW(liquid_conductivity, 1);
    if (!c)
        return FR_ERROR_MEMORY;
    for (int a = 0; a < d->dims; a++) {
        FR_TRY(field_create(d, field_face(a), &c->faces[a]));
        c->list[a] = &c->faces[a];
    }
    return conductivity_try(&run->model.heat);
}

void liquid_conductivity_destroy(liquid_run *run)
{
    liquid_conductivity *c = run->liquid.conductivity;
    for (int a = 0; a < 3 && c; a++)
        field_destroy(&c->faces[a]);
    memory_free(c);
}

/* Lowest and highest. */
typedef struct table_range {
    double low, high;
} table_range;

static void table_widen(table_range *range, double temperature)
{
    range->low = fmin(range->low, temperature);
    range->high = fmax(range->high, temperature);
}

/* Of the liquid, of sides and obstacles that hold a temperature, and of the air. */
static table_range table_around(liquid_run *run)
{
    const model *m = run->flow.model;
    state *s = run->flow.state;
    const field *t = &s->next_scalars[m->temperature];
    table_range range = {run->model.heat.ambient, run->model.heat.ambient};
    for (int r = 0; r < field_rows(t); r++) {
        const float *row = field_row(t, r % t->size[1], r / t->size[1]);
        for (int i = 0; i < t->size[0]; i++)
            if (s->dry_marks[row + i - t->block] < DIFFUSION_OUTSIDE)
                table_widen(&range, (double)row[i]);
    }
    halo_side sides[6];
    stage_walls_scalar_rules(m, s, m->temperature, sides);
    for (int side = 0; side < 2 * m->domain.dims; side++)
        for (int64_t i = 0; sides[side].kind == HALO_VALUE && i < domain_cells(&m->domain) / m->domain.n[side / 2]; i++)
            table_widen(&range, (double)sides[side].values[i]);
    for (int i = 0; i < m->solid_count; i++)
        if (m->obstacles[i].has_temperature)
            table_widen(&range, s->bodies.of[i].temperature);
    return range;
}

fr_result liquid_conductivity_find(liquid_run *run, double *most)
{
    liquid_conductivity *c = run->liquid.conductivity;
    const table_range range = table_around(run);
    FR_TRY(conductivity_find(&run->model.heat, range.low, range.high, &c->table));
    *most = c->table.most;
    return FR_OK;
}

typedef struct faces_job {
    const liquid_run *run;
    liquid_conductivity *c;
    const field *temperature;
    const halo_side *sides;
    int axis;
} faces_job;

/* The temperature of a cell; beyond a side that of the side, or of the cell inside where it has none. */
static double faces_cell(const faces_job *job, const int cell[3])
{
    const model *m = job->run->flow.model;
    const state *s = job->run->flow.state;
    const domain *d = &m->domain;
    const int a = job->axis, lower = a == 0 ? 1 : 0, upper = a == 2 ? 1 : 2;
    int at[3] = {cell[0], cell[1], cell[2]};
    const bool beyond = at[a] < 0 || at[a] >= d->n[a];
    const halo_side *side = &job->sides[2 * a + (at[a] >= d->n[a])];
    if (beyond && side->kind == HALO_VALUE)
        return (double)side->values[at[lower] + (ptrdiff_t)at[upper] * d->n[lower]];
    if (beyond)
        at[a] = side->kind == HALO_PERIODIC ? (at[a] + d->n[a]) % d->n[a] : at[a] < 0 ? 0 : d->n[a] - 1;
    const float *t = field_row(job->temperature, at[1], at[2]) + at[0];
    if (s->dry_marks[t - job->temperature->block] == DIFFUSION_FIXED)
        return s->bodies.of[solids_owner(&s->solids, d, job->temperature, at)].temperature;
    return (double)*t;
}

/* Both cells of a face lie inside and have temperatures of their own. */
static bool faces_is_plain(const faces_job *job, const int above[3], const float *t)
{
    const state *s = job->run->flow.state;
    const int a = job->axis;
    const uint8_t *mark = s->dry_marks + (t - job->temperature->block);
    return above[a] > 0 && above[a] < job->run->flow.model->domain.n[a] && mark[0] != DIFFUSION_FIXED &&
           mark[-job->temperature->stride[a]] != DIFFUSION_FIXED;
}

static void faces_rows(void *context, int begin, int end)
{
    const faces_job *job = context;
    const field *to = &job->c->faces[job->axis];
    const ptrdiff_t back = job->temperature->stride[job->axis];
    const double scale = 1 / job->c->table.most;
    for (int r = begin; r < end; r++) {
        int above[3] = {0, r % to->size[1], r / to->size[1]};
        const float *t = field_row(job->temperature, above[1], above[2]);
        float *row = field_row(to, above[1], above[2]);
        for (; above[0] < to->size[0]; above[0]++, t++) {
            int below[3] = {above[0], above[1], above[2]};
            below[job->axis]--;
            const bool plain = faces_is_plain(job, above, t);
            const double one = plain ? (double)t[-back] : faces_cell(job, below);
            const double other = plain ? (double)t[0] : faces_cell(job, above);
            row[above[0]] = (float)(scale * conductivity_mean(&job->c->table, one, other));
        }
    }
}

const field *const *liquid_conductivity_spread(liquid_run *run)
{
    const model *m = run->flow.model;
    halo_side sides[6];
    stage_walls_scalar_rules(m, run->flow.state, m->temperature, sides);
    faces_job job = {.run = run,
                     .c = run->liquid.conductivity,
                     .temperature = &run->flow.state->next_scalars[m->temperature],
                     .sides = sides};
    for (job.axis = 0; job.axis < m->domain.dims; job.axis++)
        field_for_rows(&job.c->faces[job.axis], faces_rows, &job);
    return job.c->list;
}
