#include "mac/stage/advect.h"

#include "grid/carry.h"
#include "mac/stage/walls.h"

enum { SCALARS_AT_ONCE = 2 };

/* What the ghosts of an intermediate field are filled with. */
typedef struct advect_ghosts {
    const model *m;
    state *s;
    const field *flow;
    int index[CARRY_LOADS];   /* of the loads: components or scalars */
} advect_ghosts;

static void advect_component_ghosts(void *context, int load, field *f)
{
    const advect_ghosts *ghosts = context;
    halo_side sides[6];
    stage_walls_velocity_rules(ghosts->m, ghosts->s, ghosts->index[load], sides);
    halo_fill(f, &ghosts->m->domain, sides);
}

static void advect_scalar_ghosts(void *context, int load, field *f)
{
    const advect_ghosts *ghosts = context;
    stage_walls_scalar(ghosts->m, ghosts->s, ghosts->index[load], ghosts->flow, f);
}

static carry_kind advect_kind(const model *m)
{
    switch (m->choice.advection) {
    case FR_ADVECTION_LINEAR: return CARRY_LINEAR;
    case FR_ADVECTION_CUBIC: return CARRY_CUBIC;
    default: return CARRY_MACCORMACK;
    }
}

/* Carries the loads, which live on one grid, over dt. */
static void advect_run(state *s, double dt, const model_grid *grid, advect_ghosts *ghosts, carry *c)
{
    c->d = &grid->domain;
    c->refine = grid->refine;
    c->velocity = ghosts->flow;
    c->kind = c->ways[0] ? CARRY_BALANCED : advect_kind(ghosts->m);
    c->context = ghosts;
    c->clamps = s->clamps;
    for (int a = 0; a < c->d->dims; a++)
        c->scale[a] = (float)(dt / c->d->h[a]);
    carry_run(c);
    s->now.report.clamps += c->clamped;
    s->now.traffic += c->traffic;
}

void stage_advect_component(const model *m, state *s, const advect_component *job)
{
    fr_location at = field_face(job->axis);
    advect_ghosts ghosts = {m, s, job->flow, {job->axis}};
    carry c = {.load_count = 1,
               .loads = {{job->from, job->to, state_scratch(m, s, 0, at), state_scratch(m, s, 1, at)}},
               .fill_ghosts = advect_component_ghosts,
               .where = s->wet[job->axis],
               .partial = s->partial};
    if (job->work[0]) {
        c.ways[0] = c.loads[0].high.block;
        c.ways[1] = job->work[0];
        c.ways[2] = job->work[1];
    }
    advect_run(s, job->dt, &m->grids[0], &ghosts, &c);
}

void stage_advect_velocity(const model *m, state *s, const field from[3], const field flow[3], field to[3], double dt)
{
    for (int a = 0; a < m->domain.dims; a++)
        stage_advect_component(m, s, &(advect_component){.axis = a,
                                                         .from = &from[a],
                                                         .flow = flow,
                                                         .to = &to[a],
                                                         .dt = dt,
                                                         .work = {s->carry_work[0], s->carry_work[1]}});
}

/* Working fields of a load: scratch memory for the first. The second has that of scratch_velocity, which is too small
   for finer grids than the flow's: there is one load at a time there. */
static void advect_give_scratch(const model *m, state *s, int grid, int number, carry_load *load)
{
    if (advect_kind(m) != CARRY_MACCORMACK)
        return;
    load->forward = state_scratch_cells(m, s, 2 * number, grid);
    load->high = state_scratch_cells(m, s, 2 * number + 1, grid);
}

static void advect_scalars_on(const model *m, state *s, const field flow[3], double dt, int grid)
{
    const int most = grid == 0 ? SCALARS_AT_ONCE : 1;
    advect_ghosts ghosts = {m, s, flow, {0}};
    carry c = {.fill_ghosts = advect_scalar_ghosts};
    for (int i = 0; i < m->scalar_count; i++) {
        if (m->scalars[i].varies && !m->scalars[i].conserved && m->scalars[i].grid == grid) {
            carry_load *load = &c.loads[c.load_count];
            *load = (carry_load){.from = &s->scalars[i], .to = &s->next_scalars[i]};
            advect_give_scratch(m, s, grid, c.load_count, load);
            ghosts.index[c.load_count++] = i;
        }
        if (c.load_count == most || (c.load_count && i == m->scalar_count - 1)) {
            advect_run(s, dt, &m->grids[grid], &ghosts, &c);
            c.load_count = 0;
        }
    }
}

void stage_advect_scalars(const model *m, state *s, const field flow[3], double dt)
{
    for (int g = 0; g < m->grid_count; g++)
        advect_scalars_on(m, s, flow, dt, g);
}
