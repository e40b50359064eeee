/* Conduction between particles (Cleary & Monaghan 1999, "Conduction modelling using smoothed particle hydrodynamics",
   equation 27), backward Euler:

       e_i(T) − e_i⁰ = Δt κ/d² Σ_j w_ij (T_j − T_i) + Δt (what sides and the surface give and take),   w_ij ≥ 0.

   w is a function of the distance alone, so what one particle loses another gains: the total is kept to rounding. No
   entry beside the diagonal is positive and the diagonal is the sum of the others and more, so no temperature leaves
   the range of those around, however long the step.

   e bends where it melts. As on the grid (Voller & Swaminathan 1991) the equation is solved for T with e's slope c at
   the last guess, along which the enthalpy then goes. The unknown is the change of T, the right-hand side the heat that
   the last guess lacks: nothing depends on where temperatures have their zero.

   A wall particle lies deeper than the surface whose temperature it holds, so the difference to it is carried on in a
   straight line, as of velocities (sph/stage/contact.h). What leaves by the liquid's own surface goes with its area
   |Σ g| of a particle, normalized on a flat surface (sph/heat/weights.c). */
#include <math.h>

#include "base/threads.h"
#include "linalg/pcg.h"
#include "sph/heat/heat.h"
#include "sph/stage/contact.h"

typedef struct conduct_job {
    const sph_model *m;
    sph_state *s;
    double *const *of;       /* numbers of sph_heat */
    double *enthalpy;        /* e */
    double number;           /* κ Δt/d²; without κ where that varies */
    const conductivity *table; /* of κ; NULL: it is one number */
    double cooling;          /* loss Δt/d */
    bool wraps;              /* some sides are periodic */
    double factor;           /* α or β of the pass under way */
    pcg_norms wanted;        /* of the right-hand side */
} conduct_job;

/* Partial results of a block. */
enum { SQUARE, MOST, PRODUCT };

static double *conduct_partial(const conduct_job *job, int block) { return job->s->partial + SPH_PARTIALS * block; }

static pcg_norms conduct_norms(const conduct_job *job)
{
    double square = 0, most = 0;
    for (int b = 0; b < sph_blocks(job->s->fluid.count); b++) {
        square += conduct_partial(job, b)[SQUARE];
        most = fmax(most, conduct_partial(job, b)[MOST]);
    }
    return (pcg_norms){sqrt(square), most};
}

static double conduct_sum(const conduct_job *job, int which)
{
    double sum = 0;
    for (int b = 0; b < sph_blocks(job->s->fluid.count); b++)
        sum += conduct_partial(job, b)[which];
    return sum;
}

/* κ between two particles, as it is for the last guess for which it was found. */
static double conduct_kappa(const conduct_job *job, int64_t n, int64_t other)
{
    const double *known = job->of[SPH_HEAT_KNOWN], *theta = job->of[SPH_HEAT_THETA];
    const int64_t first = n < other ? n : other, last = n < other ? other : n;   /* the same both ways */
    return conductivity_between(job->table, (double[2]){known[first], known[last]},
                                (double[2]){theta[first], theta[last]}, job->of[SPH_HEAT_KAPPA][first]);
}

/* The bits of the distance in pair k of particle n. The search rounds distances across periodic sides differently from
   either end, so they are found anew. */
static uint16_t conduct_distance(const conduct_job *job, int64_t n, int64_t k)
{
    const sph_model *m = job->m;
    const float *here = job->s->fluid.position[n], *there = job->s->fluid.position[job->s->pairs.other[k]];
    double square = 0;
    bool across = false;
    for (int a = 0; a < m->dims; a++) {
        const double along = (double)here[a] - (double)there[a], length = m->high[a] - m->low[a];
        const bool over = m->periodic[a] && fabs(along) > 0.5 * length;
        square += pow(over ? fabs(along) - length : along, 2);
        across = across || over;
    }
    if (!across)
        return job->s->pairs.record[k][3];
    return half_of_wide(wide_all((float)fmin(sqrt(square) / m->kernel.support, 1)))[0];
}

/* w of pair k of particle n. */
static double conduct_weight(const conduct_job *job, int64_t n, int64_t k)
{
    const pairs *p = &job->s->pairs;
    const double w = (double)job->m->conduction[job->wraps ? conduct_distance(job, n, k) : p->record[k][3]];
    return job->table ? w * conduct_kappa(job, n, p->other[k]) : w;
}

/* Σ w (x_j − x_n), times the number. */
static double conduct_flow(const conduct_job *job, int64_t n, const double *x)
{
    const pairs *p = &job->s->pairs;
    const double own = x[n];
    double sum = 0;
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k++)
        sum += conduct_weight(job, n, k) * (x[p->other[k]] - own);
    return job->number * sum;
}

/* What sides, obstacles and the air do to a particle: `feed` − `sink` T. */
static void conduct_surround(const conduct_job *job, int64_t n)
{
    const sph_state *s = job->s;
    const pair_record *record = s->wall_pairs.record;
    const double least = job->m->cooled_least;
    double sink = 0, feed = 0;
    for (int64_t k = sph_contact_begin(s, n); s->heat->holds && k < sph_contact_end(s, n); k++) {
        sph_contact contact;
        if (isnan(s->heat->held[s->wall_pairs.other[k]]) || !sph_contact_of(job->m, s, k, &contact))
            continue;
        const double whole = (double)SPH_WALL_PART * job->m->weight, weight = job->m->conduction[record[k][3]];
        const double held = s->heat->held[contact.wall];
        double w = job->number * weight * (double)(contact.stretch * s->walls.volume[contact.wall]) / whole;
        if (job->table)
            w *= conductivity_mean(job->table, job->of[SPH_HEAT_KNOWN][n], held);
        sink += w;
        feed += w * held;
    }
    if (job->cooling > 0) {
        const float *g = s->gradient[n];
        const double steep = sqrt((double)g[0] * g[0] + (double)g[1] * g[1] + (double)g[2] * g[2]);
        const double w = steep > least ? job->cooling * steep / job->m->cooled_surface : 0;
        sink += w;
        feed += w * job->m->heat.ambient;
    }
    job->of[SPH_HEAT_SINK][n] = sink;
    job->of[SPH_HEAT_FEED][n] = feed;
}

/* A particle that fills up a list of pairs is the particle itself. */
static double conduct_weights(const conduct_job *job, int64_t n)
{
    const pairs *p = &job->s->pairs;
    double sum = 0;
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k++)
        sum += p->other[k] != n ? conduct_weight(job, n, k) : 0;
    return job->number * sum;
}

static void conduct_begin_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        job->enthalpy[n] = job->of[SPH_HEAT_START][n];
}

/* κ for the last guess. */
static void conduct_know_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        const double t = job->of[SPH_HEAT_KNOWN][n] = job->of[SPH_HEAT_GUESS][n];
        job->of[SPH_HEAT_THETA][n] = conductivity_theta(job->table, t, &job->of[SPH_HEAT_KAPPA][n]);
    }
}

static void conduct_weigh_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        conduct_surround(job, n);
        job->of[SPH_HEAT_WEIGHTS][n] = conduct_weights(job, n);
    }
}

static void conduct_guess_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    double fraction;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        job->of[SPH_HEAT_GUESS][n] = melt_temperature(&job->m->melt, job->enthalpy[n], &fraction);
}

/* What stands on the diagonal besides Σ w. */
static double conduct_own(const conduct_job *job, int64_t n)
{
    return melt_capacity(&job->m->melt, job->enthalpy[n]) + job->of[SPH_HEAT_SINK][n];
}

/* z = M r of a block, z·r and the norms of r. */
static void conduct_precondition_block(const conduct_job *job, int block, const double *r)
{
    double *partial = conduct_partial(job, block), square = 0, most = 0, product = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, block + 1); n++) {
        const double z = r[n] / (conduct_own(job, n) + job->of[SPH_HEAT_WEIGHTS][n]);
        job->of[SPH_HEAT_IMAGE][n] = z;
        square += r[n] * r[n];
        most = fmax(most, fabs(r[n]));
        product += z * r[n];
    }
    partial[SQUARE] = square;
    partial[MOST] = most;
    partial[PRODUCT] = product;
}

static void conduct_set_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    double *const *of = job->of;
    for (int b = begin; b < end; b++) {
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            const double lacking = of[SPH_HEAT_START][n] - job->enthalpy[n] + of[SPH_HEAT_FEED][n];
            of[SPH_HEAT_RIGHT][n] = lacking + conduct_flow(job, n, of[SPH_HEAT_GUESS]) -
                                    of[SPH_HEAT_SINK][n] * of[SPH_HEAT_GUESS][n];
            of[SPH_HEAT_CHANGE][n] = 0;
        }
        conduct_precondition_block(job, b, of[SPH_HEAT_RIGHT]);
    }
}

static void conduct_residual_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    double *const *of = job->of;
    for (int b = begin; b < end; b++) {
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++)
            of[SPH_HEAT_LEFT][n] = of[SPH_HEAT_RIGHT][n] - conduct_own(job, n) * of[SPH_HEAT_CHANGE][n] +
                                   conduct_flow(job, n, of[SPH_HEAT_CHANGE]);
        conduct_precondition_block(job, b, of[SPH_HEAT_LEFT]);
    }
}

static pcg_norms conduct_residual(void *context)
{
    conduct_job *job = context;
    threads_for(sph_blocks(job->s->fluid.count), conduct_residual_blocks, job);
    return conduct_norms(job);
}

/* z is known already: every pass that makes a residual makes z too. */
static double conduct_precondition(void *context) { return conduct_sum(context, PRODUCT); }

static void conduct_turn_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    double *p = job->of[SPH_HEAT_ALONG];
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        p[n] = job->of[SPH_HEAT_IMAGE][n] + (job->factor == 0 ? 0 : job->factor * p[n]);
}

static void conduct_image_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    const double *p = job->of[SPH_HEAT_ALONG];
    for (int b = begin; b < end; b++) {
        double sum = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            const double q = conduct_own(job, n) * p[n] - conduct_flow(job, n, p);
            job->of[SPH_HEAT_IMAGE][n] = q;
            sum += p[n] * q;
        }
        conduct_partial(job, b)[PRODUCT] = sum;
    }
}

static double conduct_direction(void *context, double beta)
{
    conduct_job *job = context;
    job->factor = beta;
    threads_for(sph_blocks(job->s->fluid.count), conduct_turn_blocks, job);
    threads_for(sph_blocks(job->s->fluid.count), conduct_image_blocks, job);
    return conduct_sum(job, PRODUCT);
}

static void conduct_step_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    double *const *of = job->of;
    for (int b = begin; b < end; b++) {
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            of[SPH_HEAT_CHANGE][n] += job->factor * of[SPH_HEAT_ALONG][n];
            of[SPH_HEAT_LEFT][n] -= job->factor * of[SPH_HEAT_IMAGE][n];
        }
        conduct_precondition_block(job, b, of[SPH_HEAT_LEFT]);
    }
}

static pcg_norms conduct_step(void *context, double alpha)
{
    conduct_job *job = context;
    job->factor = alpha;
    threads_for(sph_blocks(job->s->fluid.count), conduct_step_blocks, job);
    return conduct_norms(job);
}

/* The enthalpy goes along its slope, with the residual that is left, so that what enters one particle is what leaves
   others whatever the tolerance. By how much T(e) then differs from the solved T, and where κ varies from the
   last guess; and what came from outside. */
static void conduct_take_blocks(void *context, int begin, int end)
{
    const conduct_job *job = context;
    double *const *of = job->of;
    for (int b = begin; b < end; b++) {
        double worst = 0, given = 0, fraction;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            const double t = of[SPH_HEAT_GUESS][n] + of[SPH_HEAT_CHANGE][n];
            job->enthalpy[n] += melt_capacity(&job->m->melt, job->enthalpy[n]) * of[SPH_HEAT_CHANGE][n] +
                                of[SPH_HEAT_LEFT][n];
            const double now = melt_temperature(&job->m->melt, job->enthalpy[n], &fraction);
            worst = fmax(worst, fmax(fabs(t - now), job->table ? fabs(now - of[SPH_HEAT_GUESS][n]) : 0));
            given += of[SPH_HEAT_FEED][n] - of[SPH_HEAT_SINK][n] * t;
        }
        conduct_partial(job, b)[MOST] = worst;
        conduct_partial(job, b)[SQUARE] = 0;
        conduct_partial(job, b)[PRODUCT] = given;
    }
}

/* Of the heat that the last guess lacks; most iterations that one needs, and most guesses. */
static const solve_limits LIMITS = {.tolerance = 1e-9, .max_iterations = 2000};
/* A diffusivity that jumps may make the guess jump to and fro: after some turns it stays as it is. */
enum { TURNS = 40, TURNS_OF_DIFFUSIVITY = 12 };
/* Turns end when no temperature differs by more than this from that of its enthalpy, of the width of the transition:
   the molten share is then right to as much. Or of the temperatures around, where only the diffusivity varies. */
static const double CLOSE = 1e-5;

static fr_result conduct_turn(conduct_job *job, int turn)
{
    const int blocks = sph_blocks(job->s->fluid.count);
    threads_for(blocks, conduct_guess_blocks, job);
    if (job->table && turn < TURNS_OF_DIFFUSIVITY)
        threads_for(blocks, conduct_know_blocks, job);
    if (turn == 0 || job->table)
        threads_for(blocks, conduct_weigh_blocks, job);
    threads_for(blocks, conduct_set_blocks, job);
    job->wanted = conduct_norms(job);
    const pcg_system system = {.context = job,
                               .right = &job->wanted,
                               .residual = conduct_residual,
                               .precondition = conduct_precondition,
                               .direction = conduct_direction,
                               .step = conduct_step};
    const solve_stats stats = pcg_solve(&system, &LIMITS);
    if (!stats.converged)
        return fr_fail(FR_ERROR_NUMERIC, "heat: a residual of %.3g is left after %d iterations", stats.residual,
                       stats.iterations);
    threads_for(blocks, conduct_take_blocks, job);
    return FR_OK;
}

typedef struct conduct_range {
    double low, high; /* K */
} conduct_range;

static void conduct_widen(conduct_range *range, double t)
{
    range->low = fmin(range->low, t);
    range->high = fmax(range->high, t);
}

/* Of the liquid, of sides and obstacles that hold a temperature, and of the air. */
static conduct_range conduct_around(const conduct_job *job)
{
    const sph_state *s = job->s;
    conduct_range range = {job->m->heat.ambient, job->m->heat.ambient};
    double fraction;
    for (int64_t n = 0; n < s->fluid.count; n++)
        conduct_widen(&range, melt_temperature(&job->m->melt, job->enthalpy[n], &fraction));
    for (int64_t n = 0; n < s->walls.count && s->heat->holds; n++)
        if (!isnan(s->heat->held[n]))
            conduct_widen(&range, (double)s->heat->held[n]);
    return range;
}

fr_result stage_sph_heat_conduct(const sph_model *m, sph_state *s, double dt)
{
    const double square = m->spacing * m->spacing;
    conduct_job job = {.m = m,
                       .s = s,
                       .of = s->heat->numbers,
                       .enthalpy = s->next.enthalpy,
                       .number = (s->heat->table ? 1 : m->heat.diffusivity) * dt / square,
                       .table = s->heat->table,
                       .cooling = m->heat.loss * dt / m->spacing,
                       .wraps = m->periodic[0] || m->periodic[1] || m->periodic[2]};
    threads_for(sph_blocks(s->fluid.count), conduct_begin_blocks, &job);
    if (s->fluid.count == 0 || (job.number == 0 && job.cooling == 0))
        return FR_OK;
    double close = CLOSE * m->melt.width;
    if (job.table) {
        const conduct_range range = conduct_around(&job);
        FR_TRY(conductivity_find(&m->heat, range.low, range.high, s->heat->table));
        close = CLOSE * (range.high - range.low);
    }
    for (int turn = 0; turn < (m->melt.latent > 0 || job.table ? TURNS : 1); turn++) {
        FR_TRY(conduct_turn(&job, turn));
        if (conduct_norms(&job).max <= close)
            break;
    }
    s->heat->next.in += m->volume * conduct_sum(&job, PRODUCT);
    return FR_OK;
}
