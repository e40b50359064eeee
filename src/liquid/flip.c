/* Parcels carry the liquid and its momentum; the grid makes the flow free of divergence (FLIP: Brackbill & Ruppel 1986,
   Zhu & Bridson 2005; APIC: Jiang et al. 2015).

     x½   = x + ½Δt uⁿ                       along the flow
     u*   = from the parcels at x½           φ½ from them as well
     uⁿ⁺¹ = u* + Δt (g − ∇p/ρ)
     v    = α (v + uⁿ⁺¹ − u*) + (1 − α) uⁿ⁺¹  (APIC: uⁿ⁺¹ and its gradient)
     xⁿ⁺¹ = x½ + ½Δt uⁿ⁺¹ */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "hybrid/seed.h"
#include "liquid/liquid.h"

static int flip_along(const fr_scene_def *def)
{
    int per_cell = def->liquid.particles_per_cell, along = 1;
    if (per_cell == 0)
        return 2;
    while ((along + 1) * (along + 1) * (def->domain.dims == 3 ? along + 1 : 1) <= per_cell)
        along++;
    return along;
}

static double flip_per_cell(const fr_scene_def *def)
{
    int along = flip_along(def);
    return along * along * (def->domain.dims == 3 ? along : 1);
}

static fr_result flip_create(liquid_run *run)
{
    const fr_scene_def *def = run->flow.base.def;
    const domain *d = &run->flow.model->domain;
    parcels_kind kind = def->liquid.surface == FR_LIQUID_APIC ? PARCELS_APIC : PARCELS_FLIP;
    run->flow.state->wet_linear = kind == PARCELS_APIC;
    FR_TRY(parcels_create(d, kind, &run->liquid.parcels));
    return transfer_create(d, &run->liquid.transfer);
}

static const field *flip_solid(const state *s)
{
    return s->solids.any ? &s->solids.distance : NULL;
}

static fr_result flip_reserve(liquid_run *run)
{
    liquid_state *l = &run->liquid;
    if (l->parcels.count <= l->before_room)
        return FR_OK;
    memory_free(l->before);
    memory_free(l->shown_velocity);
    l->before = MEMORY_NEW(float, 3 * l->parcels.room);
    l->shown_velocity = MEMORY_NEW(float, 3 * l->parcels.room);
    l->before_room = l->before && l->shown_velocity ? l->parcels.room : 0;
    return l->before_room ? FR_OK : FR_ERROR_MEMORY;
}

static fr_result flip_start(liquid_run *run)
{
    state *s = run->flow.state;
    seed fill = {.surface = &run->liquid.surface,
                 .solid = flip_solid(s),
                 .along = flip_along(run->flow.base.def),
                 .flow = s->velocity,
                 .seed = 1};
    FR_TRY(seed_fill(&fill, &run->liquid.parcels));
    parcels_sort(&run->liquid.parcels);
    return flip_reserve(run);
}

static void flip_keep(liquid_state *l)
{
    size_t count = (size_t)l->parcels.count;
    l->before_count = l->parcels.count;
    for (size_t a = 0; a < 3; a++)
        memcpy(l->before + a * count, l->parcels.x[a], count * sizeof(float));
}

/* Until the pressure is found only places have changed. */
static void flip_undo(liquid_run *run)
{
    liquid_state *l = &run->liquid;
    size_t count = (size_t)l->before_count;
    for (size_t a = 0; a < 3; a++)
        memcpy(l->parcels.x[a], l->before + a * count, count * sizeof(float));
}

static transfer_flow flip_flow(const liquid_step *step, const field *velocity)
{
    const model *m = step->flow.m;
    transfer_flow flow = {.velocity = velocity, .dt = step->flow.dt / 2, .order = 3, .solid = flip_solid(step->flow.s)};
    for (int side = 0; side < 2 * m->domain.dims; side++)
        flow.open_side[side] = m->walls[side].kind == FR_WALL_OPEN;
    return flow;
}

/* Places alone move, as those of markers do. */
static fr_result flip_to_middle(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    parcels places = l->parcels;
    places.kind = PARCELS_MARKERS;
    transfer_flow flow = flip_flow(step, step->flow.s->velocity);
    flip_keep(l);
    l->next_left = l->left + transfer_from_grid(&flow, &places);
    l->parcels.gone = places.gone;
    return FR_OK;
}

/* How much of the parcels' φ counts where it differs from the one that the flow has carried. Parcels are spread at random,
   so theirs is noisy, by some hundredths of a cell; the carried one is smooth, but does not know of what happens between
   cells. Where the liquid rests or flies as a whole there is no news from the parcels; news comes as the flow deforms it:
   `strain` is the share by which the step does. Where the two differ by a cell there is a drop, or a hole, that only
   parcels know of; but inside and beside obstacles there are none to know. */
static float flip_news(float difference, float strain, bool free)
{
    float apart = free ? 2 * fabsf(difference) - 1 : 0;   /* cells: 0.5 … 1 */
    return fmaxf(fminf(strain, 1), fminf(fmaxf(apart, 0), 1));
}

typedef struct flip_blend {
    const field *velocity, *parcels, *solid;
    field *phi;
    float step[3];                             /* Δt/h: strain per m/s of difference between a cell's faces */
    float cell;                                /* m */
    int dims;
} flip_blend;

static void flip_blend_rows(void *context, int begin, int end)
{
    const flip_blend *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->phi->size[1], k = r / job->phi->size[1];
        float *phi = field_row(job->phi, j, k);
        const float *news = field_row(job->parcels, j, k);
        for (int i = 0; i < job->phi->size[0]; i++) {
            float square = 0;
            for (int a = 0; a < job->dims; a++) {
                const float *u = field_row(&job->velocity[a], j, k) + i;
                float strain = job->step[a] * (u[job->velocity[a].stride[a]] - u[0]);
                square += strain * strain;
            }
            float difference = news[i] - phi[i];
            bool free = !job->solid || field_row(job->solid, j, k)[i] > job->cell;
            phi[i] += flip_news(difference / job->cell, sqrtf(square), free) * difference;
        }
    }
}

/* φ in the middle of the step: carried, and corrected by the parcels. */
static fr_result flip_middle_surface(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    float cell = (float)domain_min_h(&m->domain);
    level_set_from from = {.per_cell = flip_per_cell(step->flow.def), .solid = flip_solid(s)};
    field_copy(&l->middle, &l->surface);
    FR_TRY(liquid_carry_surface(step, s->velocity, &l->middle));
    level_set_make(&l->transfer, &l->parcels, &from, &l->next);
    flip_blend job = {.velocity = s->velocity,
                      .parcels = &l->next,
                      .solid = flip_solid(s),
                      .phi = &l->middle,
                      .cell = cell,
                      .dims = m->domain.dims};
    for (int a = 0; a < m->domain.dims; a++)
        job.step[a] = (float)(step->flow.dt / m->domain.h[a]);
    field_for_rows(&l->middle, flip_blend_rows, &job);
    FR_TRY(levelset_find(l->levelset, &l->middle));
    return levelset_redistance(l->levelset, &l->middle);
}

static fr_result flip_end_surface(void *self)
{
    const liquid_step *step = self;
    liquid_state *l = &step->run->liquid;
    field_copy(&l->next, &l->middle);
    return liquid_carry_surface(step, step->flow.s->next_velocity, &l->next);
}

/* u* on the faces that parcels reach, extended beyond; a copy is kept for the change of velocity. */
static fr_result flip_to_grid(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    transfer_faces to = {.velocity = s->next_velocity, .map = {s->wet[0], s->wet[1], s->wet[2]}};
    transfer_to_grid(&l->transfer, &l->parcels, &to);
    for (int a = 0; a < m->domain.dims; a++)
        extend_number(&s->next_velocity[a], s->wet[a], s->wet_depth);
    mac_finish_velocity(m, s, s->next_velocity);
    for (int a = 0; a < m->domain.dims; a++)
        field_copy(&s->scratch_velocity[a], &s->next_velocity[a]);
    return FR_OK;
}

static fr_result flip_from_grid(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    float share = (float)step->flow.def->liquid.flip;
    FR_TRY(mac_check_courant(&step->run->flow, step->flow.dt));
    for (int a = 0; a < m->domain.dims; a++)
        field_blend(&s->scratch_velocity[a], 1, &s->next_velocity[a], -share, &s->scratch_velocity[a]);
    transfer_flow flow = flip_flow(step, s->next_velocity);
    flow.change = s->scratch_velocity;
    flow.flip = share;
    l->next_left += transfer_from_grid(&flow, &l->parcels);
    parcels_sort(&l->parcels);
    return FR_OK;
}

static const stage flip_scheme[] = {
    {.name = "move particles", .run = flip_to_middle},
    {.name = "surface", .run = flip_middle_surface},
    {.name = "to grid", .run = flip_to_grid},
    {.parts = liquid_kick},
    {.name = "from grid", .run = flip_from_grid},
    {.name = "surface", .run = flip_end_surface},
    {.name = "volume", .run = liquid_keep_volume},
    {0}};

const tracker tracker_flip = {.scheme = flip_scheme,
                              .create = flip_create,
                              .start = flip_start,
                              .reserve = flip_reserve,
                              .undo = flip_undo};
