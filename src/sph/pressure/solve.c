#include "sph/pressure/solve.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/bodies.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/coarse.h"
#include "sph/pressure/operate.h"
#include "sph/pressure/solve_parts.h"
#include "sph/pressure/sums.h"

/* The error of the velocities by which a solve may end, as a share of what pressure changes them by. The energy that
   the last two steps took is what is known of it: it is the same in every unit, order of the particles and direction.
 */
static const double ERROR = 0.4;

/* What pressure changes velocities by less than this share is rounding: of the sums of uniform velocities, too. */
static const double ROUNDING = 1e-6;

/* The share of the work below which it is summed anew: what is left has then lost two of a float's seven digits. */
static const double LEFT = 0.01;

/* How far steps aim beyond the length that the one before turned out to need: what would become negative is cut off at
   0 on the way, and only what is aimed at is. */
static const double BEYOND = 1.5;

/* The length that the first aims at; and what lengths may come to. */
static const double LENGTH = 0.3, LONGEST = 3, SHORTEST = 0.1;

/* What goes on between steps. */
typedef struct solve_pace {
    double length;    /* σ */
    double momentum;  /* β */
    solve_aimed aimed;
    bool plain;       /* z is the residual over the diagonal alone */
    double work;      /* Qᵀ (A + E) Q */
    double greatest;  /* that it has been since it was last summed */
    double energy[2]; /* twice what the last step took, and the one before */
    double moved[2];  /* spacings², and how far they moved the body that they moved most */
} solve_pace;

typedef struct solve_job {
    sph_state *s;
} solve_job;

static void solve_begin_blocks(void *context, int begin, int end)
{
    sph_state *s = ((const solve_job *)context)->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        s->numbers[SPH_DIRECTION][n] = 0;
        sums_store(&s->vectors[SPH_SHIFTED][n], sums_load(&s->vectors[SPH_SHIFT][n]));
    }
}

static void solve_left_blocks(void *context, int begin, int end)
{
    sph_state *s = ((const solve_job *)context)->s;
    const float *source = s->numbers[SPH_SOURCE], *product = s->numbers[SPH_PRODUCT];
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        s->numbers[SPH_RESIDUAL][n] = source[n] - product[n];
}

/* Products are wanted besides shifts where residuals are rates, where the level of the pressure is free, and where
   bodies give way. */
static bool solve_multiplies(const sph_state *s, const sph_solve *solve)
{
    return !solve->expect || !solve->surface || s->floating;
}

/* What the unknowns shift as they stand. Returns the work that they do, Qᵀ (A + E) Q. */
static double solve_begin(sph_state *s, sph_solve *solve)
{
    sph_walls *w = &s->walls;
    double work = solve_multiplies(s, solve) ? sph_operate(s, s->numbers[SPH_UNKNOWN], w->unknown)
                                             : sph_operate_shift(s, s->numbers[SPH_UNKNOWN], w->unknown);
    threads_for(sph_blocks(s->fluid.count), solve_begin_blocks, &(solve_job){s});
    for (int64_t i = 0; i < w->led_count; i++)
        w->direction[w->led[i]] = 0;
    return work;
}

/* Residuals of rates. Returns the squares of the ways that particles go without pressure. */
static double solve_left(const sph_model *m, sph_state *s, const sph_solve *solve)
{
    sph_walls *w = &s->walls;
    sph_predict(m, s, s->next.velocity, solve->dt, solve->recovery);
    threads_for(sph_blocks(s->fluid.count), solve_left_blocks, &(solve_job){s});
    for (int64_t i = 0; i < w->led_count; i++)
        w->residual[w->led[i]] = w->source[w->led[i]] - w->product[w->led[i]];
    return sph_predict_ways(m, s, solve->dt);
}

/* The smooth part of z for the present residuals. Returns its part of A d·z. */
static double solve_correct(const sph_model *m, sph_state *s, bool cold)
{
    sph_bodies_before(s);
    const double smooth = sph_coarse_correct(m, s, cold);
    return smooth + sph_bodies_after(s);
}

/* The work goes on from step to step. Where next to nothing of a far greater one is left, as when pressures of an
   impact are let go, that is rounding of float products: it is summed anew. */
static void solve_keep_work(sph_state *s, solve_pace *pace)
{
    pace->greatest = fmax(pace->greatest, pace->work);
    if (pace->work < LEFT * pace->greatest)
        pace->work = pace->greatest = sph_operate(s, s->numbers[SPH_UNKNOWN], s->walls.unknown);
}

/* What a step along d took, `length` of what was aimed at, and what follows for the next. */
static void solve_note(sph_state *s, sph_solve *solve, solve_pace *pace, double length, double bend, double along)
{
    double slope = pace->aimed.slope, wanted = slope / bend;
    pace->work += length * (2 * along + length * bend);
    solve_keep_work(s, pace);
    pace->energy[1] = pace->energy[0];
    pace->energy[0] = length * (2 * slope - length * bend);
    pace->length = fmin(fmax(BEYOND * pace->length * fmin(fmax(wanted, 0.5), 2), SHORTEST), LONGEST);
    solve->error = sqrt((pace->energy[0] + pace->energy[1]) / fmax(0, pace->work));
}

/* One step; NaN anywhere leaves error or momentum NaN, and ends the solve. */
static void solve_go(const sph_model *m, sph_state *s, sph_solve *solve, solve_pace *pace)
{
    double bend = sph_operate(s, s->numbers[SPH_DIRECTION], s->walls.direction),
           length = fmin(pace->aimed.slope / bend, pace->aimed.most), moved = length * sph_bodies_most(s);
    solve_sums sums = solve_step(s, length);
    solve->iterations++;
    solve_note(s, solve, pace, length, bend, sums.along);
    pace->moved[1] = pace->moved[0];
    pace->moved[0] = moved * moved;
    solve->mean = sums.excess / (double)s->fluid.count;
    solve->converged = solve->error <= ERROR && solve->mean <= solve->tolerance &&
                       pace->moved[0] + pace->moved[1] <= ERROR * ERROR * pace->work / (double)s->fluid.count;
    if (solve->converged)
        return;
    double conjugate = sums.conjugate + solve_correct(m, s, false);
    pace->plain = false;
    pace->momentum = conjugate < 0 ? -conjugate / bend : 0 * conjugate;
}

static void solve_plain_blocks(void *context, int begin, int end)
{
    sph_state *s = ((const solve_job *)context)->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        s->numbers[SPH_CORRECTION][n] = 0;
}

/* The residual over the diagonal alone, without what is smooth. */
static void solve_plain(sph_state *s)
{
    sph_walls *w = &s->walls;
    threads_for(sph_blocks(s->fluid.count), solve_plain_blocks, &(solve_job){s});
    for (int64_t i = 0; i < w->led_count; i++)
        w->correction[w->led[i]] = 0;
}

/* Where z leads nowhere, a simpler z may: what is smooth is shared out by signs that are not known yet, and may be
   negative at each of the few that should press, in liquid that comes apart elsewhere. Over the diagonal alone every
   pressure by itself goes where its residual asks for: what leads nowhere then is the answer. Returns whether there
   was a simpler one. */
static bool solve_simpler(const sph_model *m, sph_state *s, solve_pace *pace)
{
    if (pace->plain)
        return false;
    if (sph_bodies_ease(s, false)) {
        solve_correct(m, s, false);
        return true;
    }
    solve_plain(s);
    return pace->plain = true;
}

/* Steps until the error is small enough, or there is nowhere to go: it is there, or the last step led astray. Takes the
   work that the pressures do and the squares of the ways without them, in spacings; returns the work. */
static double solve_steps(const sph_model *m, sph_state *s, sph_solve *solve, double work, double ways)
{
    solve_pace pace = {.length = LENGTH, .energy = {INFINITY, INFINITY}, .work = work, .greatest = work};
    const double rounding = ROUNDING * ROUNDING * ways;
    sph_bodies_ease(s, true);
    solve_correct(m, s, work == 0);
    while (solve->iterations < solve->most && !solve->converged) {
        pace.aimed = solve_aim(s, BEYOND * pace.length, pace.momentum);
        if (!isfinite(pace.aimed.slope + pace.momentum))
            break;
        if (pace.aimed.slope > rounding) {
            solve_go(m, s, solve, &pace);
            continue;
        }
        solve->converged = pace.momentum == 0 && !solve_simpler(m, s, &pace);
        pace.momentum = 0;
    }
    return pace.work;
}

static void solve_ask_for_blocks(void *context, int begin, int end)
{
    sph_state *s = ((const solve_job *)context)->s;
    const float *product = s->numbers[SPH_PRODUCT], *r = s->numbers[SPH_RESIDUAL];
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        s->numbers[SPH_SOURCE][n] = r[n] + product[n];
}

/* What by rates would have left the residuals. */
static void solve_ask_for(sph_state *s)
{
    sph_walls *w = &s->walls;
    for (int64_t i = 0; i < w->led_count; i++)
        w->source[w->led[i]] = w->residual[w->led[i]] + w->product[w->led[i]];
    threads_for(sph_blocks(s->fluid.count), solve_ask_for_blocks, &(solve_job){s});
}

enum { RATES, CROWDING }; /* partial sums of a block, from solve_ask */

typedef struct level_job {
    sph_state *s;
    const sph_recovery *recovery;
    float off;
} level_job;

static void solve_ask_blocks(void *context, int begin, int end)
{
    const level_job *job = context;
    const sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        double rates = 0, crowding = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++) {
            rates += (double)(s->numbers[SPH_SOURCE][n] - sph_predict_owed(job->recovery, s, n));
            crowding += s->density[n] > 1 ? (double)s->density[n] - 1 : 0;
        }
        s->partial[SPH_PARTIALS * b + RATES] = rates;
        s->partial[SPH_PARTIALS * b + CROWDING] = crowding;
    }
}

static void solve_lower_blocks(void *context, int begin, int end)
{
    const level_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        job->s->numbers[SPH_SOURCE][n] -= job->off;
        job->s->numbers[SPH_RESIDUAL][n] -= job->off;
    }
}

/* Liquid without a surface fills all there is. The same pressure everywhere moves nothing, so that the mean rate at
   which all of it would become denser cannot be changed, and is not asked for: layers that slide over each other would
   be pressed together at each bump, and held up. What comes of it is taken back as an error of density. */
static void solve_level(sph_state *s, sph_solve *solve)
{
    sph_walls *w = &s->walls;
    level_job job = {.s = s, .recovery = solve->recovery};
    int blocks = sph_blocks(s->fluid.count);
    double rates = 0, count = (double)s->fluid.count, crowding = 0;
    for (int64_t i = 0; i < w->led_count; i++) {
        rates += (double)w->source[w->led[i]];
        count += w->give[w->led[i]] > 0;
    }
    threads_for(blocks, solve_ask_blocks, &job);
    for (int b = 0; b < blocks; b++) {
        rates += s->partial[SPH_PARTIALS * b + RATES];
        crowding += s->partial[SPH_PARTIALS * b + CROWDING];
    }
    solve->crowding = crowding / fmax(1, (double)s->fluid.count);
    job.off = (float)(fmax(0, rates) / fmax(1, count));
    threads_for(blocks, solve_lower_blocks, &job);
    for (int64_t i = 0; i < w->led_count; i++) {
        w->source[w->led[i]] -= job.off;
        w->residual[w->led[i]] -= job.off;
    }
}

/* Shifts and pushes of all the pressure where those of the last step were. */
static void solve_finish(sph_state *s)
{
    particle_vector *swap = s->vectors[SPH_SHIFT];
    s->vectors[SPH_SHIFT] = s->vectors[SPH_SHIFTED];
    s->vectors[SPH_SHIFTED] = swap;
    sph_brace_push(s, s->walls.unknown);
}

/* Residuals of the densities that are summed where the pressures lead. Returns whether these are right. */
static bool solve_expect(sph_state *s, sph_solve *solve)
{
    const sph_expected there = sph_predict_there(s, solve->expect);
    solve->mean = there.excess;
    return there.left <= solve->tolerance;
}

/* The work goes on from round to round, and so do shifts: only where products are wanted are they begun anew. Bodies
   first get the answer to the rates, which is one whatever the pressures were: those of the last step may throw a light
   body past all that it touches, where densities say nothing of what lies between. */
void sph_solve_run(const sph_model *m, sph_state *s, sph_solve *solve)
{
    double work = 0, ways = 0;
    solve->surface = sph_coarse_begin(m, s);
    solve->iterations = 0;
    for (bool again = false;; again = true) {
        solve->iterations++;
        if (!again || solve_multiplies(s, solve))
            work = solve_begin(s, solve);
        const bool expects = solve->expect && (again || !sph_bodies_feel(s));
        if (!expects)
            ways = solve_left(m, s, solve);
        else if (solve_expect(s, solve) && solve->converged)
            break;
        else if (!again)
            ways = sph_predict_ways(m, s, solve->dt);
        if (expects && !solve->surface)
            solve_ask_for(s);
        if (!solve->surface)
            solve_level(s, solve);
        solve->converged = false;
        work = solve_steps(m, s, solve, work, ways);
        if (!solve->expect || !solve->converged)
            break;
    }
    solve_finish(s);
}
