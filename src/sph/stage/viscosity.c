/* v' = L v over Δt (sph/stage/drag.h). Slight friction is taken explicitly, in one step or some super steps of s stages
   each (RKL1 of Meyer, Balsara & Aslam 2014, "A stabilized Runge-Kutta-Legendre method for explicit super-time-stepping
   of parabolic and mixed equations"):

       Y_j = Y_{j−1} + (j − 1)/j (Y_{j−1} − Y_{j−2}) + (2j − 1)/j w Δt L Y_{j−1},   Y_0 = v*,   w = 2/(s² + s).

   A wave with the eigenvalue λ becomes P_s(1 + w λ Δt) of itself, P_s Legendre's polynomial, so s stages reach (s² +
   s)/2 times as far as one and no wave grows. Strong friction is solved for implicitly (sph/stage/drag_solve.c). */
#include "sph/stage/viscosity.h"

#include <math.h>

#include "base/threads.h"
#include "sph/floating/floating.h"
#include "sph/floating/grip.h"
#include "sph/heat/heat.h"
#include "sph/pressure/accelerate.h"
#include "sph/stage/drag.h"
#include "sph/stage/layer.h"

/* More stages in a super step would reach further, but damp the shortest waves less, which an implicit solve stops at
   once: with five, the first impact of a dam threw particles ten times as fast. Super steps of two halve these waves
   each. Eight passes over the pairs still cost less than half of a solve. */
enum { STAGES = 2, SUPER_STEPS = 4 };

typedef struct viscous_stage {
    const sph_drag *drag;            /* times (2j − 1)/j w */
    const particle_vector *now;      /* Y_{j−1} */
    particle_vector *before;         /* Y_{j−2}, not read when j is 1; then Y_j is written there */
    float ahead;                     /* (j − 1)/j */
} viscous_stage;

static inline void viscous_store(const viscous_stage *job, int64_t n, four change)
{
    four now = sums_load(&job->now[n]), next = now - change;
    if (job->ahead > 0)
        next += job->ahead * (now - sums_load(&job->before[n]));
    sums_store(&job->before[n], next);
}

static void viscous_blocks(void *context, int begin, int end)
{
    const viscous_stage *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->drag->s->fluid.count, end); n++)
        viscous_store(job, n, sph_drag_of(job->drag, n, job->now, false));
}

/* With pressures. */
static void viscous_press_blocks(void *context, int begin, int end)
{
    const viscous_stage *job = context;
    const sph_state *s = job->drag->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        viscous_store(job, n, sph_drag_with(job->drag, n, job->now, false, s->impulse) + sph_press_here(s, n));
}

static double viscous_ahead(int stage) { return (stage - 1.0) / stage; }
static double viscous_gain(int stage, int stages) { return (2.0 * stage - 1) / stage * 2 / (stages * (stages + 1.0)); }

/* What a change of 1 m/s in stage `from` amounts to after the last. */
static double viscous_grown(int from, int stages)
{
    double before = 0, now = 1;
    for (int j = from + 1; j <= stages; j++) {
        double next = now + viscous_ahead(j) * (now - before);
        before = now;
        now = next;
    }
    return now;
}

static void viscous_copy(void *context, int begin, int end)
{
    const viscous_stage *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->drag->s->fluid.count, end); n++)
        sums_store(&job->before[n], sums_load(&job->now[n]));
}

/* How friction is taken over dt. */
typedef struct viscous_plan {
    float rate;              /* of friction, see sph_drag; 0: there is none */
    float hold;
    float least;             /* damping over `rate` */
    bool sticks;
    int stages, super_steps;
    bool slight;             /* false: it is solved for */
} viscous_plan;

/* A super step with `part` of the friction. The result is in *velocity; the two arrays are exchanged at every stage. */
static void viscous_super_step(const viscous_plan *plan, const sph_drag *part, double dt, bool press,
                               particle_vector **velocity, particle_vector **other)
{
    int blocks = sph_blocks(part->s->fluid.count);
    sph_grip_lead(part, *velocity, false);
    for (int j = 1; j <= plan->stages; j++) {
        double gain = viscous_gain(j, plan->stages);
        sph_drag share = *part;
        share.rate *= (float)gain;
        viscous_stage stage = {&share, *velocity, *other, (float)viscous_ahead(j)};
        stage_sph_drag_loads(part, *velocity, dt, gain * viscous_grown(j, plan->stages));
        threads_for(blocks, press && j == plan->stages ? viscous_press_blocks : viscous_blocks, &stage);
        particle_vector *swap = *velocity;
        *velocity = *other;
        *other = swap;
    }
}

static fr_result viscous_explicitly(const viscous_plan *plan, const sph_drag *whole, double dt, bool press)
{
    sph_drag part = *whole;
    sph_state *s = part.s;
    particle_vector *now = s->next.velocity, *other = s->vectors[0];
    part.rate /= (float)plan->super_steps;
    FR_TRY(sph_grip_find(&part));
    for (int n = 1; n <= plan->super_steps; n++) {
        viscous_super_step(plan, &part, dt, press && n == plan->super_steps, &now, &other);
        if (s->floating)
            sph_floating_take(part.m, s, dt);
    }
    viscous_stage last = {.drag = &part, .now = now, .before = s->next.velocity};
    if (now != s->next.velocity)
        threads_for(sph_blocks(s->fluid.count), viscous_copy, &last);
    return FR_OK;
}

/* One stage is stable where a particle's own weight in Δt L, on the lattice, is at most this much. The greatest
   eigenvalue is at most twice the sum of the weights, and crowded particles may have a quarter more weight than those
   of the lattice; with walls they stick to, twice as much. The margin that is left covers the thin boundary layer on a
   wall that has just become wet (sph/stage/layer.h): at the bound it is steeper by 4.6 in the first step, by 1.9 in the
   next. */
static double viscous_explicit(bool sticks) { return sticks ? 0.4 : 0.8; }

/* The fewest passes for a weight `times` as great as one stage is stable with. */
static void viscous_divide(double times, viscous_plan *plan)
{
    const double reach = 0.5 * (STAGES * STAGES + STAGES), steps = fmax(1, ceil(times / reach * (1 - 1e-9)));
    plan->stages = times > 1 + 1e-9 ? STAGES : 1;
    plan->slight = steps <= SUPER_STEPS;
    plan->super_steps = plan->slight ? (int)steps : 0;
}

static viscous_plan viscous_plan_of(const sph_model *m, const sph_state *s, double dt)
{
    double own = sph_thickest(m, s) * dt / (m->spacing * m->spacing), reduced = own;
    bool sticks = own > 0 && s->walls.sticks;
    double most = viscous_explicit(sticks), damping = 0;
    if (m->sph.solver != FR_SPH_WCSPH)
        damping = fmin(m->sph.damping, most / m->tuning.stiffness);
    reduced = fmax(reduced, damping);
    viscous_plan plan = {.sticks = sticks,
                         .hold = reduced > 0 ? (float)(own / reduced) : 0,
                         .least = reduced > 0 ? (float)(damping / reduced) : 0,
                         .rate = (float)(m->tuning.shear * reduced)};
    viscous_divide(m->tuning.stiffness * reduced / most, &plan);
    plan.slight = plan.slight && !s->paste;   /* what stands is thick without bound */
    return plan;
}

typedef struct viscous_shares {
    const float *viscosity;
    float thickest, *share, *bare;
    int64_t count;
    float hold, least;   /* of the greatest viscosity: what of it walls see, and what damping is */
} viscous_shares;

static void viscous_share_blocks(void *context, int begin, int end)
{
    const viscous_shares *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->count, end); n++) {
        job->bare[n] = job->viscosity[n] / job->thickest;
        job->share[n] = fmaxf(job->bare[n] * job->hold, job->least);
    }
}

/* Damping is that of the liquid which is thin; what is thicker needs none. */
static sph_drag viscous_drag(const viscous_plan *plan, const sph_model *m, sph_state *s)
{
    sph_drag drag = {.m = m, .s = s, .sticks = plan->sticks, .hold = plan->hold, .rate = plan->rate};
    if ((!m->heat.melt.set && !s->paste) || plan->rate == 0)
        return drag;
    viscous_shares job = {.count = s->fluid.count, .hold = plan->hold, .least = plan->least};
    job.thickest = (float)sph_thickest(m, s);
    job.viscosity = s->paste ? s->paste->viscosity : s->heat->viscosity;
    job.share = s->paste ? s->paste->share : s->heat->share;
    job.bare = s->paste ? s->paste->bare : s->heat->bare;
    threads_for(sph_blocks(s->fluid.count), viscous_share_blocks, &job);
    drag.share = job.share;
    drag.bare = job.bare;
    return drag;
}

fr_result stage_sph_viscosity_reserve(const sph_model *m, sph_state *s, double dt)
{
    return viscous_plan_of(m, s, dt).slight ? FR_OK : sph_state_reserve_work(s);
}

static fr_result viscous_solve(const sph_drag *drag, double dt)
{
    if (!drag->share)
        return stage_sph_drag_solve(drag, dt);
    stage_sph_heat_ease(drag->m, drag->s, dt);
    FR_TRY(stage_sph_drag_solve(drag, dt));
    stage_sph_heat_ease(drag->m, drag->s, -dt);
    return FR_OK;
}

fr_result stage_sph_viscosity(const sph_model *m, sph_state *s, double dt)
{
    viscous_plan plan = viscous_plan_of(m, s, dt);
    sph_drag drag = viscous_drag(&plan, m, s);
    if (plan.sticks)
        stage_sph_layer(m, s, dt);
    if (!plan.slight)
        return viscous_solve(&drag, dt);
    return plan.rate > 0 ? viscous_explicitly(&plan, &drag, dt, false) : FR_OK;
}

bool stage_sph_viscosity_slight(const sph_model *m, const sph_state *s, double dt)
{
    viscous_plan plan = viscous_plan_of(m, s, dt);
    return plan.rate > 0 && plan.slight;
}

fr_result stage_sph_viscosity_press(const sph_model *m, sph_state *s, double dt)
{
    viscous_plan plan = viscous_plan_of(m, s, dt);
    sph_drag drag = viscous_drag(&plan, m, s);
    if (plan.sticks)
        stage_sph_layer(m, s, dt);
    return viscous_explicitly(&plan, &drag, dt, true);
}
