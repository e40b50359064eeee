/* The volume of the liquid, and how its drift is corrected. */
#include <math.h>

#include "liquid/liquid.h"

double liquid_volume(const liquid_run *run, const field *phi)
{
    const solids *solids = liquid_solids(run);
    return levelset_volume(run->liquid.levelset, phi, solids->any ? &solids->volume : NULL);
}

/* K above the ambient: of what enters through a face of a side, the number `at` of them, or of the cell `at`. */
static double volume_enthalpy(const liquid_run *run, int side, bool enters, ptrdiff_t at)
{
    const state *s = run->flow.state;
    const int t = run->flow.model->temperature, f = run->model.fraction;
    const double temperature = (double)(enters ? s->sides[side].scalars[t][at] : s->scalars[t].data[at]);
    const double molten = f < 0 ? 0 : (double)(enters ? s->sides[side].scalars[f][at] : s->scalars[f].data[at]);
    return temperature + run->model.melt.latent * molten - run->model.heat.ambient;
}

/* m³/s that leave through an open or inflow side: Σ u·n over its faces, by the liquid's share of the cell inside.
   What enters by an inflow is all liquid, by an open side all air. Adds the heat that goes along; NULL: not asked. */
static double volume_through(const liquid_step *step, int side, const field velocity[3], liquid_heat_flow *heat)
{
    const model *m = step->flow.m;
    const state *s = step->flow.s;
    const field *phi = s->surface, *u = &velocity[side / 2];
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, n = m->domain.n[axis];
    double area = domain_cell_volume(&m->domain) / m->domain.h[axis], sum = 0;
    double brings = m->walls[side].kind == FR_WALL_INFLOW ? 1 : 0;
    for (int k = 0; k < phi->size[c]; k++)
        for (int j = 0; j < phi->size[b]; j++) {
            ptrdiff_t cell = (side % 2 ? (n - 1) * phi->stride[axis] : 0) + j * phi->stride[b] + k * phi->stride[c];
            ptrdiff_t face = (side % 2 ? n * u->stride[axis] : 0) + j * u->stride[b] + k * u->stride[c];
            double open = s->solids.any ? s->solids.open[axis].data[face] : 1;
            bool enters = side % 2 ? u->data[face] < 0 : u->data[face] > 0;
            double flow = open * u->data[face] * (enters ? brings : levelset_share(phi, phi->data + cell, 0));
            sum += flow;
            if (heat && flow != 0)
                *(enters ? &heat->in : &heat->out) +=
                    area * fabs(flow) * volume_enthalpy(step->run, side, enters, enters ? j + k * phi->size[b] : cell);
        }
    return (side % 2 ? area : -area) * sum;
}

double liquid_gain(const liquid_step *step, const field velocity[3])
{
    const model *m = step->flow.m;
    double rate = 0;
    for (int side = 0; side < 2 * m->domain.dims; side++)
        if (m->walls[side].kind == FR_WALL_OPEN || m->walls[side].kind == FR_WALL_INFLOW)
            rate -= volume_through(step, side, velocity, NULL);
    return rate;
}

liquid_heat_flow liquid_heat_through(const liquid_step *step, const field velocity[3])
{
    const model *m = step->flow.m;
    liquid_heat_flow heat = {0, 0};
    for (int side = 0; side < 2 * m->domain.dims; side++)
        if (m->walls[side].kind == FR_WALL_OPEN || m->walls[side].kind == FR_WALL_INFLOW)
            volume_through(step, side, velocity, &heat);
    return heat;
}

/* So close to what it should be, of it all. */
static const double VOLUME_RIGHT = 1e-5;
enum { VOLUME_ROUNDS = 8 };

static bool volume_is_right(const liquid_state *l, double volume)
{
    return fabs(volume - l->next_volume) <= VOLUME_RIGHT * l->next_volume;
}

void liquid_shift(const liquid_step *step, double wanted, field *phi)
{
    const liquid_state *l = &step->run->liquid;
    const solids *solids = liquid_solids(step->run);
    const bool pours = liquid_pours(step);
    field before = liquid_scratch(step->run, 0);
    if (pours)
        field_copy(&before, phi);
    levelset_shift(l->levelset, wanted, solids->any ? &solids->volume : NULL, phi);
    if (!pours)
        return;
    liquid_copy_at_ports(step, &before, phi);
    levelset_fill_ghosts(l->levelset, phi);
}

/* Beside sources only a part of what a shift is asked for is had; the next one is asked for as much more. */
static void volume_shift_beside_ports(const liquid_step *step)
{
    const double LEAST_PART = 0.2; /* a surface nearly all of which is at a source: later steps make up for it */
    liquid_state *l = &step->run->liquid;
    double volume = liquid_volume(step->run, &l->next), asked = l->next_volume;
    for (int round = 0; round < VOLUME_ROUNDS && !volume_is_right(l, volume); round++) {
        const double had = volume, missing = asked - had;
        liquid_shift(step, asked, &l->next);
        volume = liquid_volume(step->run, &l->next);
        asked = volume + (l->next_volume - volume) / fmin(fmax((volume - had) / missing, LEAST_PART), 1);
    }
}

static void volume_shift_liquid(const liquid_step *step)
{
    liquid_state *l = &step->run->liquid;
    if (liquid_pours(step))
        volume_shift_beside_ports(step);
    else
        liquid_shift(step, l->next_volume, &l->next);
}

fr_result liquid_keep_volume(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    l->next_volume += liquid_gain(step, step->flow.s->next_velocity) * step->flow.dt;
    if (l->leaps) /* it will be, in the middle of the next step */
        return FR_OK;
    liquid_hold(step->run, &l->middle, true, &l->next);
    bool goes_on = step->run->model.settings.volume == FR_LIQUID_VOLUME_KEPT;
    for (int round = 0; round < VOLUME_ROUNDS && goes_on; round++) {
        volume_shift_liquid(step);
        goes_on = liquid_hold(step->run, &l->middle, true, &l->next) &&
                  !volume_is_right(l, liquid_volume(step->run, &l->next));
    }
    return FR_OK;
}

typedef struct volume_job {
    const liquid_run *run;
    const field *phi;
    field *share;
} volume_job;

/* As levelset_volume has it. */
static void volume_share_rows(void *context, int begin, int end)
{
    const volume_job *job = context;
    const field *phi = job->phi;
    const solids *solids = liquid_solids(job->run);
    const float whole = levelset_whole(job->run->liquid.levelset);
    for (int r = begin; r < end; r++) {
        int j = r % phi->size[1], k = r / phi->size[1];
        const float *at = field_row(phi, j, k);
        float *to = field_row(job->share, j, k);
        for (int i = 0; i < phi->size[0]; i++) {
            float open = solids->any ? field_row(&solids->volume, j, k)[i] : 1;
            float share = fabsf(at[i]) < whole ? (float)levelset_share(phi, at + i, 0) : at[i] < 0 ? 1 : 0;
            to[i] = open * share;
        }
    }
}

void liquid_shares(const liquid_run *run, const field *phi, field *share)
{
    volume_job job = {.run = run, .phi = phi, .share = share};
    field_for_rows(share, volume_share_rows, &job);
}
