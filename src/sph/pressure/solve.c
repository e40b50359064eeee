#include "sph/pressure/solve.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/coarse.h"
#include "sph/pressure/sums.h"

typedef struct solve_job {
    const sph_model *m;
    sph_state *s;
    const particle_vector *velocity;
    float dt_per_spacing;
    const sph_recovery *recovery;
} solve_job;

/* The part of the density error that this step is to correct. At a surface and in spray, where a particle has few
   neighbours, a density below 1 is no error: the whole of it is subtracted, so that particles may come closer. */
static float solve_owed(const sph_recovery *recovery, const sph_state *s, int64_t n)
{
    float excess = s->density[n] - 1;
    int number = s->pairs.number[n] + (s->walls.count ? s->wall_pairs.number[n] : 0);
    return excess * (excess > 0 ? recovery->excess : number < recovery->inside ? 1 : recovery->gap);
}

static void solve_predict(void *context, int begin, int end)
{
    const solve_job *job = context;
    sph_state *s = job->s;
    bool moving = s->walls.moving;
    float *source = s->numbers[SPH_SOURCE];
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        float rate = sums_product(sums_load(&job->velocity[n]), sums_load(&s->gradient[n])) -
                     sums_dot(&s->pairs, n, job->velocity);
        if (moving)
            rate -= sums_dot(&s->wall_pairs, n, s->walls.velocity);
        source[n] = job->dt_per_spacing * rate + (job->recovery ? solve_owed(job->recovery, s, n) : 0);
    }
}

void sph_solve_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt,
                       const sph_recovery *recovery)
{
    solve_job job = {m, s, velocity, (float)(dt / m->spacing), recovery};
    threads_for(sph_blocks(s->fluid.count), solve_predict, &job);
    sph_brace_predict(m, s, velocity, dt, recovery);
}

static void solve_shift_block(const sph_expect *expect, sph_state *s, int block)
{
    const float *unknown = s->numbers[SPH_UNKNOWN];
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
        four push = unknown[n] * sums_load(&s->gradient[n]) + sums_weigh(&s->pairs, n, unknown);
        four shift = -(s->walls.press ? push + sums_weigh(&s->wall_pairs, n, s->walls.push) : push);
        shift[3] = 0;
        sums_store(&s->vectors[SPH_SHIFT][n], shift);
    }
    if (expect)
        sph_expect_place(expect, s, block);
}

static void solve_left_block(const sph_state *s, int block, float left[SPH_BLOCK])
{
    const float *source = s->numbers[SPH_SOURCE];
    const particle_vector *shift = s->vectors[SPH_SHIFT];
    int64_t first = (int64_t)block * SPH_BLOCK;
    for (int64_t n = first; n < sph_block_end(s->fluid.count, block + 1); n++)
        left[n - first] =
            source[n] + sums_product(sums_load(&shift[n]), sums_load(&s->gradient[n])) - sums_dot(&s->pairs, n, shift);
}

/* Replaces the rate-based residual by the one at the predicted positions. The difference goes into the source, so that
   later sweeps, which go by rates, start from this residual. */
static void solve_expect_block(const sph_expect *expect, sph_state *s, int block, float left[SPH_BLOCK])
{
    float change[SPH_BLOCK];
    int64_t first = (int64_t)block * SPH_BLOCK;
    sph_expect_change(expect, s, block, change);
    for (int64_t n = first; n < sph_block_end(s->fluid.count, block + 1); n++) {
        float expected = change[n - first] + solve_owed(expect->recovery, s, n);
        s->numbers[SPH_SOURCE][n] += expected - left[n - first];
        left[n - first] = expected;
    }
}

enum { LEFT, EXCESS, WORST, WORK, STRAY, DRIFT };   /* partial sums of a block; see sph_solve */

typedef struct solve_sweep {
    const sph_solve *solve;
    sph_state *s;
    float momentum;
    const sph_expect *expect;   /* NULL: the residual follows from the rates of densities */
} solve_sweep;

/* A projected Jacobi step with momentum: from the residual `left` and the pressure `now` to the pressure `ahead` that
   the next sweep starts from. Returns the residual that counts: where the density is too low, only the part that less
   pressure can correct. */
static inline float solve_advance(float left, float relax, float momentum, float now, float *last, float *ahead)
{
    float next = now + relax * left;
    next = next > 0 ? next : 0;
    float beyond = next + momentum * (next - *last);
    *last = next;
    *ahead = beyond > 0 ? beyond : 0;
    return left > 0 ? left : relax > 0 ? (now - next) / relax : 0;
}

/* Residuals of a block, and from them the next pressures. */
static void solve_update_block(const solve_sweep *sweep, int block)
{
    const sph_solve *solve = sweep->solve;
    sph_state *s = sweep->s;
    double left_sum = 0, excess = 0, work = 0, stray = 0, drift = 0;
    float worst = 0, all[SPH_BLOCK], *last = s->numbers[SPH_LAST_UNKNOWN], *next = s->numbers[SPH_NEXT_UNKNOWN];
    const float *unknown = s->numbers[SPH_UNKNOWN], *source = s->numbers[SPH_SOURCE];
    int64_t first = (int64_t)block * SPH_BLOCK;
    solve_left_block(s, block, all);
    if (sweep->expect)
        solve_expect_block(sweep->expect, s, block, all);
    for (int64_t n = first; n < sph_block_end(s->fluid.count, block + 1); n++) {
        float left = all[n - first], now = unknown[n];
        float off = solve_advance(left, sph_solve_relax(solve, s, n), sweep->momentum, now, &last[n], &next[n]);
        left_sum += off;
        stray += now * off;
        drift += left > 0 ? now * off : -now * off;
        work += source[n] > 0 ? now * source[n] : 0;
        excess += left > 0 ? left : 0;
        worst = left > worst ? left : worst;
    }
    double *partial = s->partial + SPH_PARTIALS * block;
    partial[LEFT] = left_sum;
    partial[EXCESS] = excess;
    partial[WORST] = worst;
    partial[WORK] = work;
    partial[STRAY] = stray;
    partial[DRIFT] = fabs(drift);
}

/* Shifts of a share of the blocks and, as soon as those of all their neighbours are there, what is left: the records
   are read from memory once for both. What needs shifts from another thread's share waits for solve_rest. */
static void solve_most(void *context, int begin, int end)
{
    const solve_sweep *sweep = context;
    sph_state *s = sweep->s;
    int blocks = sph_blocks(s->fluid.count), lag = s->reach;
    int first = begin == 0 ? 0 : begin + lag, last = end == blocks ? end : end - lag;
    for (int b = begin; b < end; b++)
        s->done[b] = b >= first && b < last;
    for (int b = begin; b < end + lag; b++) {
        if (b < end)
            solve_shift_block(sweep->expect, s, b);
        if (b - lag >= first && b - lag < last)
            solve_update_block(sweep, b - lag);
    }
}

/* And as great a share of the walls. */
static void solve_rest(void *context, int begin, int end)
{
    const solve_sweep *sweep = context;
    int64_t blocks = sph_blocks(sweep->s->fluid.count), walls = sph_brace_blocks(sweep->s);
    for (int b = begin; b < end; b++)
        if (!sweep->s->done[b])
            solve_update_block(sweep, b);
    sph_brace_left(sweep->s, sweep->expect, (int)(begin * walls / blocks), (int)(end * walls / blocks));
}

/* The sums of all blocks. */
static void solve_measure(const sph_state *s, sph_solve *solve)
{
    double left = 0, excess = 0;
    solve->max = solve->work = solve->stray = solve->drift = 0;
    for (int b = 0; b < sph_blocks(s->fluid.count); b++) {
        const double *partial = s->partial + SPH_PARTIALS * b;
        left += partial[LEFT];
        excess += partial[EXCESS];
        solve->max = fmax(solve->max, partial[WORST]);
        solve->work += partial[WORK];
        solve->stray += partial[STRAY];
        solve->drift += partial[DRIFT];
    }
    solve->left = s->fluid.count ? left / (double)s->fluid.count : 0;
    solve->mean = s->fluid.count ? excess / (double)s->fluid.count : 0;
}

/* When to stop. The mean residual alone is not enough: the work done by the residual must also be a small share of the
   work of pressure. Pressure on particles that no longer approach each other creates energy, and still water begins to
   move; too little pressure lets a liquid fall freely until its density error exceeds the tolerance, and then stops it
   with a jolt. STRAYING bounds the share with all particles counted by size: errors between neighbours, which later
   steps undo. DRIFTING bounds it with errors cancelled within blocks: what is left then adds up from step to step. Both
   are waived where the residual is below LEAST of the tolerance, which is rounding. The mean says nothing about the few
   particles of a splash: none should stay compressed by more than PEAK, but where two particles lie in the same place
   no pressure helps, so that after WORTH iterations this is waived too. */
static const double STRAYING = 0.35, DRIFTING = 0.12, LEAST = 1e-3, PEAK = 0.01;
enum { WORTH = 20 };

static bool solve_enough(const sph_solve *solve)
{
    if (solve->iterations < solve->least)
        return false;
    if (solve->max > PEAK && solve->iterations < WORTH)
        return false;
    bool true_to_work = solve->stray <= STRAYING * solve->work && solve->drift <= DRIFTING * solve->work;
    return solve->left <= solve->tolerance && (true_to_work || solve->left <= LEAST * solve->tolerance);
}

/* Nesterov's momentum, restarted when the residual grows (O'Donoghue & Candès 2015). It grows with t, which usually
   starts from 1. Here the solve starts from the pressures of the last step, whose error is smooth, and that is what
   sweeps are slow with: so t starts from the value that it would have after four sweeps. */
static const double HEAD_START = 3;

static float solve_momentum(double *t, bool worse)
{
    if (worse)
        *t = 1;
    double next = 0.5 * (1 + sqrt(1 + 4 * *t * *t)), momentum = (*t - 1) / next;
    *t = next;
    return (float)momentum;
}

/* Sweeps before the first coarse-grid correction, and between two of them. Most solves end before the first.
   Corrections from the first sweep on make still water oscillate from step to step. */
enum { COARSE_FIRST = 5, COARSE_EVERY = 10 };

/* Where particles crowd, more of them correct the same excess than on the lattice that the relaxation is made for, and
   pressures oscillate. A sweep without momentum shows it when both the mean residual and the greatest one grow; the
   mean alone also grows while pressure spreads from a floor. Then relaxation is reduced. */
static const float SHORTER = 0.7f;

static void solve_shorten(sph_solve *solve)
{
    solve->relax *= SHORTER;
    solve->wall_relax *= SHORTER;
}

/* What the next sweep's momentum and relaxation follow from. */
typedef struct solve_pace {
    double t;                /* Nesterov's */
    double last, last_max;   /* residuals of the sweep before the last one, the mean and the greatest */
    bool plain;              /* the last one had no momentum */
    int kinks; /* sweeps left that only smooth a coarse-grid correction: without momentum, and not judged */
} solve_pace;

/* The momentum of the next sweep. */
static float solve_go_on(solve_pace *pace, sph_solve *solve)
{
    bool worse = solve->left > pace->last, smoothing = pace->kinks > 0;
    pace->kinks -= smoothing;
    if (worse && pace->plain && !smoothing && solve->max > pace->last_max)
        solve_shorten(solve);
    pace->last = solve->iterations > 1 ? solve->left : INFINITY;
    pace->last_max = solve->max;
    float momentum = solve_momentum(&pace->t, worse || smoothing);
    pace->plain = momentum == 0;
    return momentum;
}

static void solve_begin(sph_state *s, sph_solve *solve)
{
    memcpy(s->numbers[SPH_LAST_UNKNOWN], s->numbers[SPH_UNKNOWN], sizeof(float) * (size_t)s->fluid.count);
    sph_brace_push(s);
    solve->left = 0;
}

static void solve_next(sph_state *s)
{
    float *swap = s->numbers[SPH_UNKNOWN];
    s->numbers[SPH_UNKNOWN] = s->numbers[SPH_NEXT_UNKNOWN];
    s->numbers[SPH_NEXT_UNKNOWN] = swap;
    sph_brace_next(s);
}

void sph_solve_run(const sph_model *m, sph_state *s, sph_solve *solve)
{
    int blocks = sph_blocks(s->fluid.count);
    solve_pace pace = {.t = HEAD_START, .last = INFINITY, .last_max = INFINITY};
    const sph_expect *expect = solve->expect;   /* of the next sweep: NULL goes by rates, which is cheaper */
    solve_begin(s, solve);
    for (solve->iterations = 1;; solve->iterations++) {
        solve_sweep sweep = {solve, s, solve_go_on(&pace, solve), expect};
        threads_for(blocks, solve_most, &sweep);
        threads_for(blocks, solve_rest, &sweep);
        sph_brace_advance(s, solve->wall_relax);
        solve_measure(s, solve);
        bool enough = solve_enough(solve);
        if (solve->iterations >= solve->most || (enough && expect == solve->expect))
            return;
        expect = enough || solve->iterations + 1 == solve->most ? solve->expect : NULL;
        if (s->coarse && solve->iterations % COARSE_EVERY == COARSE_FIRST && sph_coarse_correct(m, s, solve))
            pace.kinks = 2;
        solve_next(s);
    }
}
