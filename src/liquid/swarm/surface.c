/* φ in the middle of the step: carried by the flow, and corrected by the parcels as far as they know better.

   Parcels are half a cell of the flow apart, and tell the distance to the surface in the centres of its cells. Where φ
   has finer cells (fine.c), what they correct is φ as it is in those centres, Rφ: it changes by what is between centres
   of φ_parcels − Rφ. What only the finer φ knows stays. */
#include <math.h>
#include <string.h>

#include "base/root.h"
#include "base/wide.h"
#include "hybrid/lone.h"
#include "hybrid/place.h"
#include "liquid/swarm/swarm.h"

/* How much of the parcels' φ counts where it differs from the one that the flow has carried. Parcels are spread at
   random, so theirs is noisy, by some hundredths of a cell; the carried one is smooth, but does not know of what
   happens between cells. Where the liquid rests or flies as a whole there is no news from the parcels; news comes as
   the flow deforms it: `strain` is the share by which the step does. Where one says liquid and the other air, and they
   differ by a cell, there is a drop, or a hole, that only parcels know of; but inside and beside obstacles there are
   none to know. Where both say the same they know only how far it is to the surface, and parcels that to within a cell
   or two. */
static float swarm_news(float difference, float strain, bool unlike)
{
    float apart = unlike ? 2 * fabsf(difference) - 1 : 0; /* cells: 0.5 … 1 */
    float news = apart > strain ? apart : strain;
    return news < 1 ? news : 1;
}

/* How much of their worth news have that are believed by so much: a share of it, or all and a share of what they are
   not worth. */
static float swarm_weight(float news, float believed)
{
    return believed <= 1 ? believed * news : news + (believed - 1) * (1 - news);
}

/* A drop that is not believed stays wet in the middle of its cell, so deep in cells: it holds next to nothing, and its
   parcels fly. Were it air, the flow would have no velocity there and they would hang in it: hundreds of 39000 did in a
   dam of 64 × 32 × 16 cells. */
static const float SPECK = 0.01f;

typedef struct swarm_blend {
    const field *velocity, *parcels, *solid;
    const field *drops; /* φ of lone parcels, as fine as their cells are; NULL: they are in `parcels` */
    const field *carried;
    field *phi;
    float step[3]; /* Δt/h: strain per m/s of difference between a cell's faces */
    float cell;    /* m, of the flow: parcels know no finer ones */
    float far;     /* m: where both say that it is further to the surface, and on the same side, nothing is corrected */
    const field *deep; /* cells of the flow: φ continued, of a narrow band; NULL: parcels are everywhere */
    float deepest;     /* m: the depth down to which there are parcels enough */
    int fine;          /* cells of φ along an edge of the flow's */
    int dims;
    float believed[2]; /* how much of what makes cells wetter, and drier: 0 none, 1 what it is worth, 2 all */
} swarm_blend;

/* The share by which the step stretches a cell of the flow. */
static float swarm_strain(const swarm_blend *job, int i, int j, int k)
{
    float square = 0;
    for (int a = 0; a < job->dims; a++) {
        const float *u = field_row(&job->velocity[a], j, k) + i;
        float strain = job->step[a] * (u[job->velocity[a].stride[a]] - u[0]);
        square += strain * strain;
    }
    return sqrtf(square);
}

/* Whether both say of eight cells that it is far to the surface, and the same side of it. */
static bool swarm_agree(const float *from, const float *news, float far)
{
    const wide a = wide_load(from), b = wide_load(news);
    return wide_every(((a > far) & (b > far)) | ((a < -far) & (b < -far)));
}

static void swarm_blend_rows(void *context, int begin, int end)
{
    const swarm_blend *job = context;
    const int fine = job->fine;
    const float far = job->far;
    for (int r = begin; r < end; r++) {
        int j = r % job->phi->size[1], k = r / job->phi->size[1];
        float *phi = field_row(job->phi, j, k);
        const float *from = field_row(job->carried, j, k), *news = field_row(job->parcels, j, k);
        const float *drops = job->drops ? field_row(job->drops, j, k) : NULL;
        const float *deep = job->deep ? field_row(job->deep, j / fine, k / fine) : NULL;
        if (phi != from)
            memcpy(phi, from, (size_t)job->phi->size[0] * sizeof *phi);
        for (int i = 0; i < job->phi->size[0]; i++) {
            if (!drops && i % WIDE == 0 && i + WIDE <= job->phi->size[0] && swarm_agree(from + i, news + i, far)) {
                i += WIDE - 1;
                continue;
            }
            bool drop = drops && drops[i] < news[i];
            float asked = drop ? drops[i] : news[i], difference = asked - from[i];
            if (deep && deep[i / fine] < -job->deepest)
                continue;
            if ((from[i] > far && asked > far) || (from[i] < -far && asked < -far))
                continue;
            float cells = difference / job->cell * (drop ? (float)fine : 1), believed = job->believed[difference > 0];
            bool free = !job->solid || field_row(job->solid, j, k)[i] > job->cell;
            bool unlike = free && (from[i] < 0) != (asked < 0);
            float news_worth = swarm_news(cells, swarm_strain(job, i / fine, j / fine, k / fine), unlike);
            const bool wet = from[i] + news_worth * difference < 0;
            phi[i] = from[i] + swarm_weight(news_worth, believed) * difference;
            if (wet && phi[i] >= 0)
                phi[i] = -SPECK * job->cell;
        }
    }
}

typedef struct swarm_balance {
    swarm_blend blend;
    const liquid_run *run;
    double wanted; /* m³ */
    int side;      /* which asks for too much: 0 what makes cells wetter, 1 drier */
} swarm_balance;

/* What φ holds too much when that side is believed by a share, and the other as it is worth; below 0 that side is not
   believed at all, and the other by so much more. */
static double swarm_excess(void *context, double share)
{
    swarm_balance *job = context;
    field *phi = job->blend.phi;
    job->blend.believed[job->side] = (float)fmax(share, 0);
    job->blend.believed[1 - job->side] = (float)(1 - fmin(share, 0));
    field_for_rows(phi, swarm_blend_rows, &job->blend);
    levelset_fill_ghosts(job->run->liquid.levelset, phi);
    return liquid_volume(job->run, phi) - job->wanted;
}

/* A parcel in the air stands for less than the drop that φ can make of it, and a splash would count for more than fell:
   4 % of a dam of 64 × 32 × 16 cells. The flow has no divergence, so all that parcels tell must give back what carrying
   has changed: the side that asks for too much gets less, and where that is not enough the other gets more. Where the
   volume is kept a shift does that in the end. */
static void swarm_blend_balanced(const liquid_step *step, const swarm_blend *blend)
{
    enum { TRIALS = 4 };
    const double ENOUGH = 1e-3; /* of the whole; each step aims anew at it */
    const liquid_state *l = &step->run->liquid;
    swarm_balance job = {*blend, step->run, 0, 0};
    job.wanted = l->volume + liquid_gain(step, step->flow.s->velocity) * step->flow.dt / 2;
    const double full = swarm_excess(&job, 1), close = ENOUGH * job.wanted;
    if (fabs(full) <= close)
        return;
    job.side = full < 0;
    const double none = swarm_excess(&job, 0);
    const bool enough = (none < 0) != (full < 0) || fabs(none) <= close;
    const root_ends less = {{1, 0}, {full, none}}, more = {{0, -1}, {none, enough ? 0 : swarm_excess(&job, -1)}};
    root_between(swarm_excess, &job, enough ? less : more, close, TRIALS);
}

/* A φ with finer cells, and what parcels would change of it in the centres of the flow's. */
typedef struct swarm_finer {
    const field *phi, *change;
    field *to; /* φ that they ask for */
    int fine;
} swarm_finer;

static void swarm_finer_rows(void *context, int begin, int end)
{
    const swarm_finer *job = context;
    const float edge = 1 / (float)job->fine;
    for (int r = begin; r < end; r++) {
        int j = r % job->to->size[1], k = r / job->to->size[1];
        const float *phi = field_row(job->phi, j, k);
        float *to = field_row(job->to, j, k);
        for (int i = 0; i < job->to->size[0]; i++) {
            const float x[3] = {edge * ((float)i + 0.5f), edge * ((float)j + 0.5f), edge * ((float)k + 0.5f)};
            to[i] = phi[i] + place_value(job->change, -1, x);
        }
    }
}

/* The φ that the parcels ask for, into `to`. Where it has finer cells, drops are given apart: they are as small as
   those. */
static void swarm_ask(const liquid_step *step, field *to, field *drops)
{
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    const int fine = step->run->model.settings.refine;
    field change = state_scratch(step->flow.m, s, 1, FR_AT_CELL);
    level_set_from from = {.per_cell = step->run->model.per_cell, .solid = swarm_solid(s), .no_drops = fine > 1};
    l->strays = level_set_make(&l->transfer, &l->parcels, &from, fine > 1 ? &change : to);
    if (fine == 1)
        return;
    field_fill(drops, levelset_width(l->levelset));
    level_set_add_drops(&l->transfer, &l->parcels, fine, &change, drops);
    liquid_differ(step->run, &l->middle, &change);
    field_for_rows(to, swarm_finer_rows, &(swarm_finer){&l->middle, &change, to, fine});
}

/* Where obstacles press parcels together faster than spreading drives them apart, they ask for less liquid than there
   is. A pressure for that alone would let them crowd on from step to step: at a Courant number of 5 markers beside a
   piston ended with 20 % of it lost. So where the volume is kept, it is in the middle of the step too, if much is
   missing; always, where it leaps. */
static void swarm_keep_middle(const liquid_step *step)
{
    const double MUCH = 0.02; /* of the whole; 0, 0.01 and 0.05 keep as much */
    liquid_state *l = &step->run->liquid;
    if (step->run->model.settings.volume != FR_LIQUID_VOLUME_KEPT)
        return;
    const double wanted = l->volume + liquid_gain(step, step->flow.s->velocity) * step->flow.dt / 2;
    if (l->leaps) {
        levelset_shift(l->levelset, wanted, NULL, &l->middle);
        return;
    }
    if (!step->flow.s->solids.any || step->flow.m->prescribed ||
        fabs(liquid_volume(step->run, &l->middle) - wanted) <= MUCH * wanted)
        return;
    liquid_shift(step, wanted, &l->middle);
    liquid_hold(step->run, &l->surface, false, &l->middle);
}

/* Lone parcels of which φ has lost what it knew: one that asks for hardly more than the flow has carried is no news,
   and a shift of the volume takes a speck with it. Returns whether there were any. */
static bool swarm_find_lost(const liquid_step *step)
{
    liquid_state *l = &step->run->liquid;
    const lone_cells lost = {.solid = step->flow.s->solids.any ? &liquid_solids(step->run)->distance : NULL,
                             .depth = SPECK * (float)domain_min_h(&step->flow.m->domain),
                             .phi = &l->middle};
    return !step->flow.m->prescribed && lone_wet(&l->transfer, &l->parcels, &lost);
}

fr_result swarm_middle_surface(void *self)
{
    const liquid_step *step = self;
    const model *m = step->flow.m;
    state *s = step->flow.s;
    liquid_state *l = &step->run->liquid;
    float cell = (float)domain_min_h(&m->domain);
    const int fine = step->run->model.settings.refine;
    field drops = liquid_scratch(step->run, 0);
    field_copy(l->leaps ? &l->surface : &l->middle, l->leaps ? &l->middle : &l->surface);
    l->kept = l->leaps;
    FR_TRY(liquid_carry(step->run, s->velocity, step->to_middle, &l->middle));
    swarm_ask(step, &l->next, &drops);
    liquid_copy_at_ports(step, &l->middle, &l->next);
    swarm_blend job = {.velocity = s->velocity,
                       .parcels = &l->next,
                       .drops = fine > 1 ? &drops : NULL,
                       .solid = s->solids.any ? &liquid_solids(step->run)->distance : NULL,
                       .carried = &l->middle,
                       .phi = &l->middle,
                       .cell = cell,
                       .far = fminf(2 * cell, 0.9f * levelset_width(l->levelset)),
                       .fine = fine,
                       .dims = m->domain.dims,
                       .believed = {1, 1}};
    if (swarm_has_band(step->run)) {
        job.deep = &l->deep;
        job.deepest = (float)swarm_deepest(step->run) - 2 * cell;
    }
    for (int a = 0; a < m->domain.dims; a++)
        job.step[a] = (float)(step->flow.dt / m->domain.h[a]);
    if (step->run->model.settings.volume == FR_LIQUID_VOLUME_FREE) {
        field carried = liquid_scratch(step->run, 1);
        field_copy(&carried, &l->middle);
        job.carried = &carried;
        swarm_blend_balanced(step, &job);
    } else {
        field_for_rows(&l->middle, swarm_blend_rows, &job);
    }
    swarm_find_lost(step);
    FR_TRY(levelset_renew(l->levelset, &l->middle));
    liquid_hold(step->run, &l->surface, false, &l->middle);
    swarm_keep_middle(step);
    return swarm_find_lost(step) ? levelset_renew(l->levelset, &l->middle) : FR_OK;
}
