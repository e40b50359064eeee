#include "liquid/swarm/swarm.h"

#include <math.h>

#include "base/random.h"
#include "hybrid/place.h"
#include "hybrid/seed.h"
#include "hybrid/spread.h"
#include "hybrid/stay.h"
#include "liquid/swarm/straight.h"

enum { SWARM_MOST_NEW = 16 }; /* room for a 16th more in a step; more than that grows it on the way */
enum { SWARM_OLDEST = 4 };    /* steps after which parcels are sorted, and cells mended */

static int swarm_along(const fr_scene_def *def)
{
    int per_cell = def->liquid.particles_per_cell, along = 1;
    if (per_cell == 0)
        return 2;
    while ((along + 1) * (along + 1) * (def->domain.dims == 3 ? along + 1 : 1) <= per_cell)
        along++;
    return along;
}

void swarm_settle(const fr_scene_def *def, liquid_model *m)
{
    m->along = swarm_along(def);
    m->per_cell = m->along * m->along * (def->domain.dims == 3 ? m->along : 1);
}

double swarm_spacing(const liquid_run *run)
{
    const domain *d = &run->flow.model->domain;
    double volume = domain_cell_volume(d) / run->model.per_cell;
    return d->dims == 3 ? cbrt(volume) : sqrt(volume);
}

const field *swarm_solid(const state *s)
{
    return s->solids.any ? &s->solids.distance : NULL;
}

const uint8_t *swarm_sealed(const state *s)
{
    const field *layout = &s->solids.distance;
    return s->solids.any_sealed ? s->solids.sealed + (layout->data - layout->block) : NULL;
}

fr_result swarm_create(liquid_run *run, parcels_kind kind)
{
    const domain *d = &run->flow.model->domain;
    FR_TRY(parcels_create(d, kind, &run->liquid.parcels));
    if (swarm_has_band(run))
        FR_TRY(field_create(d, FR_AT_CELL, &run->liquid.deep));
    return transfer_create(d, &run->liquid.transfer);
}

fr_result swarm_start(liquid_run *run)
{
    state *s = run->flow.state;
    seed fill = {.surface = &run->liquid.surface,
                 .fine = run->model.settings.refine,
                 .solid = swarm_solid(s),
                 .sealed = swarm_sealed(s),
                 .along = run->model.along,
                 .flow = s->velocity,
                 .seed = 1};
    field below;
    if (swarm_has_band(run)) {
        below = swarm_below_band(run);
        fill.taken = &below;
    }
    FR_TRY(seed_fill(&fill, &run->liquid.parcels));
    run->liquid.made = run->liquid.parcels.count;
    parcels_sort(&run->liquid.parcels);
    return FR_OK;
}

fr_result swarm_reserve(liquid_run *run)
{
    const parcels *p = &run->liquid.parcels;
    return parcels_reserve(&run->liquid.parcels, p->count + p->count / SWARM_MOST_NEW + 64);
}

/* Until the pressure is found only places have changed, and new parcels are behind the old ones. */
void swarm_undo(liquid_run *run)
{
    parcels *p = &run->liquid.parcels;
    if (run->liquid.kept)
        field_copy(&run->liquid.middle, &run->liquid.surface);
    run->liquid.kept = false;
    parcels_put_back(p);
    if (p->age == 0)
        parcels_sort(p); /* finds again where each cell begins: it is scratch during a step */
}

transfer_flow swarm_flow(const liquid_step *step, const field *velocity)
{
    const model *m = step->flow.m;
    transfer_flow flow = {
        .velocity = velocity, .dt = step->flow.dt / 2, .order = 2, .solid = swarm_solid(step->flow.s)};
    flow.sealed = swarm_sealed(step->flow.s);
    if (step->run->liquid.parcels.kind == PARCELS_MARKERS)
        flow.order = 3;
    for (int side = 0; side < 2 * m->domain.dims; side++)
        flow.open_side[side] = m->walls[side].kind == FR_WALL_OPEN;
    return flow;
}

int64_t swarm_move(const liquid_step *step, const field velocity[3])
{
    transfer_flow flow = swarm_flow(step, velocity);
    return transfer_move(&flow, &step->run->liquid.parcels);
}

fr_result swarm_keep(void *self)
{
    const liquid_step *step = self;
    parcels_keep(&step->run->liquid.parcels);
    step->run->liquid.shown = false;
    return FR_OK;
}

bool swarm_flies(const liquid_run *run)
{
    return run->liquid.parcels.kind != PARCELS_MARKERS && !swarm_has_band(run);
}

bool swarm_pairs(const liquid_step *step)
{
    return swarm_flies(step->run) && step->flow.m->domain.dims == 3 && !swarm_solid(step->flow.s);
}

fr_result swarm_to_middle(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    transfer_flow flow = swarm_flow(step, step->flow.s->velocity);
    flow.dt = step->to_middle;
    if (swarm_flies(step->run) && l->parcels.kind == PARCELS_APIC)
        flow.own = (float)(step->flow.dt / 2 / step->to_middle);
    flow.on = swarm_flies(step->run) && !l->leaps && flow.own == 0;
    if (flow.own > 0 || l->leaps)
        flow.order = 1;
    l->next_left = l->left + transfer_move_from(&flow, &l->parcels);
    return FR_OK;
}

/* What φ gains beside a source is more or less than the source gives: numerics round its rim, and a shift of the volume
   takes off what hangs from it. Parcels drain for what they stand for, so as many must have come. Taps on grids of 24
   and 36 cells gave from 0.8 to 1.35 times as many. In a step there come at most twice as many as there are places. */
static fr_result swarm_pour_due(liquid_state *l, seed fill, double due)
{
    parcels *p = &l->parcels;
    const int64_t before = p->count;
    FR_TRY(seed_fill(&fill, p));
    fill.seed = ~fill.seed; /* other places */
    if (p->count - before < due)
        FR_TRY(seed_fill(&fill, p));
    const double places = (double)(p->count - before), too_many = places - due;
    int64_t poured = p->count - before;
    for (int64_t n = before; n < p->count; n++)
        if (random_unit(~fill.seed, (uint64_t)(n - before)) * places < too_many) {
            parcels_remove(p, n);
            poured--;
        }
    l->next_parcels_due = due - (double)poured;
    return FR_OK;
}

/* New parcels where there was no liquid, as many as are poured, and as many as the flow has carried in from the sides.
   They move as next_velocity does. Where they are depends on the cell and the step. */
fr_result swarm_pour(const liquid_step *step, const liquid_poured *in)
{
    const state *s = step->flow.s;
    parcels *p = &step->run->liquid.parcels;
    seed fill = {.surface = in->region,
                 .taken = in->before,
                 .fine = step->run->model.settings.refine,
                 .solid = swarm_solid(s),
                 .sealed = swarm_sealed(s),
                 .along = step->run->model.along,
                 .flow = s->next_velocity,
                 .seed = 2 + 2 * (uint64_t)s->now.steps};
    liquid_state *l = &step->run->liquid;
    const int64_t before = parcels_alive(p);
    if (in->volume < 0)
        FR_TRY(seed_fill(&fill, p));
    else
        FR_TRY(swarm_pour_due(l, fill,
                              l->parcels_due + in->volume / domain_cell_volume(&p->d) * step->run->model.per_cell));
    fill.surface = in->entered;
    fill.taken = NULL;
    fill.seed++;
    FR_TRY(seed_fill(&fill, p));
    l->next_made += parcels_alive(p) - before;
    return FR_OK;
}

/* What has gone is what parcels stood for, where they are in all of the liquid. */
double swarm_drain(const liquid_step *step, const field *out, double taken)
{
    parcels *p = &step->run->liquid.parcels;
    const int fine = step->run->model.settings.refine;
    int64_t gone = p->gone;
    for (int64_t n = 0; n < p->count; n++) {
        float x[3] = {p->x[0][n], p->x[1][n], p->x[2][n]};
        if (parcels_has(p, n) && place_value_fine(out, fine, x) < 0)
            parcels_remove(p, n);
    }
    step->run->liquid.next_left += p->gone - gone;
    double volume = (double)(p->gone - gone) * domain_cell_volume(&p->d) / step->run->model.per_cell;
    return swarm_has_band(step->run) ? taken : volume;
}

/* Share of the excess that a step takes away. All of it at once would chase the noise of a few parcels a cell. */
static const double SPREAD_SHARE = 0.5;
/* Share of what ψ moves parcels by (straight.h) that they are moved by after the middle of a step. Those of APIC take
   the other half with them, in their own velocity. */
static const double SWARM_LATE[] = {[PARCELS_FLIP] = 1, [PARCELS_APIC] = 0.5};
/* Relative residual of the solve: the next step goes on with what is left. */
static const double SPREAD_TOLERANCE = 1e-2;

float swarm_shift_scale(const liquid_step *step)
{
    return (float)(2 / step->flow.dt);
}

/* The system is that of the pressure, which has just been solved. */
fr_result swarm_spread(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    field excess = state_scratch(m, s, 0, FR_AT_CELL), potential = state_scratch(m, s, 1, FR_AT_CELL);
    spread job = {.per_cell = step->run->model.per_cell,
                  .share = SPREAD_SHARE,
                  .surface = s->surface,
                  .projection = s->projection,
                  .solid = swarm_solid(s),
                  .density = l->next.block, /* free until the surface is carried to the end */
                  .summed = l->parcels.kind != PARCELS_MARKERS && !s->solids.any_swept, /* nor moved since */
                  .excess = &excess,
                  .potential = &potential,
                  .shift = l->transfer.faces,
                  .limits = {SPREAD_TOLERANCE, 0, m->solver.max_iterations}};
    if (swarm_has_band(step->run)) {
        swarm_find_band(step->run, s->surface);
        job.surface = &l->deep;
        job.deepest = swarm_deepest(step->run);
    }
    for (int side = 0; side < 2 * m->domain.dims; side++)
        job.open_side[side] = m->walls[side].kind == FR_WALL_OPEN;
    if (swarm_flies(step->run)) {
        straight_find(&(straight){step, SWARM_LATE[l->parcels.kind], &excess, &potential, l->transfer.before,
                                  l->parcels.kind == PARCELS_FLIP ? (float)step->run->model.settings.flip : 0});
        job.goes_on = true;
    }
    spread_find(&job, &l->transfer, &l->parcels);
    if (swarm_has_band(step->run))
        swarm_close_band(step, job.shift);
    for (int a = 0; a < m->domain.dims && !swarm_pairs(step) && !l->leaps; a++)
        field_blend(&job.shift[a], 1, &s->next_velocity[a], swarm_shift_scale(step), &job.shift[a]);
    return FR_OK;
}

/* A parcel is the middle of a piece of liquid, half its spacing below the surface. */
void swarm_stay(const liquid_step *step, const field drift[3])
{
    liquid_state *l = &step->run->liquid;
    stay job = {.surface = l->leaps ? &l->middle : &l->next,
                .fine = step->run->model.settings.refine,
                .velocity = l->leaps ? NULL : step->flow.s->next_velocity,
                .drift = drift,
                .solid = swarm_solid(step->flow.s),
                .sealed = swarm_sealed(step->flow.s),
                .dt = l->leaps ? 1 : step->flow.dt / 2,
                .least = (float)(swarm_spacing(step->run) / 2)};
    stay_inside(&job, &l->parcels);
}

void swarm_age(const liquid_step *step)
{
    const int oldest = swarm_has_band(step->run) ? 1 : SWARM_OLDEST; /* its store is renewed in each step */
    parcels_age(&step->run->liquid.parcels, step->run->liquid.strays, oldest);
}

/* The last stage that may fail: parcels are still what they were in the middle of the step. */
fr_result swarm_end_surface(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    FR_TRY(mac_check_courant(&step->run->flow, step->flow.dt));
    if (l->leaps)
        return FR_OK;
    field_copy(&l->next, &l->middle);
    return liquid_carry_surface(step->run, step->flow.s->next_velocity, step->flow.dt / 2, &l->next);
}

fr_result swarm_restore(liquid_run *run)
{
    return parcels_reserve(&run->liquid.parcels, run->head.parcels);
}

void swarm_list_blocks(liquid_run *run)
{
    static const char *const places[3] = {"#parcel_x", "#parcel_y", "#parcel_z"};
    static const char *const velocities[3] = {"#parcel_u", "#parcel_v", "#parcel_w"};
    static const char *const slopes[3][3] = {{"#parcel_ux", "#parcel_uy", "#parcel_uz"},
                                             {"#parcel_vx", "#parcel_vy", "#parcel_vz"},
                                             {"#parcel_wx", "#parcel_wy", "#parcel_wz"}};
    parcels *p = &run->liquid.parcels;
    size_t bytes = (size_t)run->head.parcels * sizeof(float);
    method_add_block(&run->flow.base, "#parcel_layers", p->layer, (size_t)(p->d.n[p->slow] + 1) * sizeof *p->layer);
    for (int a = 0; a < 3; a++)
        method_add_block(&run->flow.base, places[a], p->x[a], bytes);
    for (int a = 0; a < p->d.dims && p->v[0]; a++)
        method_add_block(&run->flow.base, velocities[a], p->v[a], bytes);
    for (int a = 0; a < p->d.dims && p->c[0][0]; a++)
        for (int b = 0; b < p->d.dims; b++)
            method_add_block(&run->flow.base, slopes[a][b], p->c[a][b], bytes);
}

/* Sorting what is sorted changes nothing, and finds where each cell begins. An older order is as it was. */
fr_result swarm_restored(liquid_run *run)
{
    parcels *p = &run->liquid.parcels;
    p->count = run->head.parcels;
    p->sorted = run->head.parcels_sorted;
    p->age = (int)run->head.parcels_age;
    if (!parcels_resume(p))
        return fr_fail(FR_ERROR_INPUT, "the checkpoint is damaged: its parcels of liquid are in no order");
    return FR_OK;
}

void swarm_momentum(const liquid_run *run, double mass, double momentum[3])
{
    const parcels *p = &run->liquid.parcels;
    const int64_t alive = parcels_alive(p);
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (int64_t n = 0; n < p->count && a < p->d.dims; n++)
            sum += parcels_has(p, n) ? (double)p->v[a][n] : 0;
        momentum[a] = alive > 0 ? mass * sum / (double)alive : 0;
    }
}
