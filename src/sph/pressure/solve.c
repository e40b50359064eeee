#include "sph/pressure/solve.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/bodies.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/coarse.h"
#include "sph/pressure/operate.h"
#include "sph/pressure/sums.h"

/* The error of the velocities by which a solve may end, as a share of what pressure changes them by. The energy that
   the last two steps took is what is known of it: it is the same in every unit, order of the particles and direction.
 */
static const double ERROR = 0.4;

/* What pressure changes velocities by less than this share is rounding: of the sums of uniform velocities, too. */
static const double ROUNDING = 1e-6;

/* How far steps aim beyond the length that the one before turned out to need: what would become negative is cut off at
   0 on the way, and only what is aimed at is. */
static const double BEYOND = 1.5;

/* The length that the first aims at; and what lengths may come to. */
static const double LENGTH = 0.3, LONGEST = 3, SHORTEST = 0.1;

/* What goes on between steps. */
typedef struct solve_pace {
    double length;    /* σ */
    double momentum;  /* β */
    double slope;     /* r·d, d the step aimed at: at its begin the energy falls by this */
    double most;      /* length of the step at which the first pressure would become negative */
    double energy[2]; /* twice what the last step took, and the one before */
    double moved[2];  /* spacings², and how far they moved the body that they moved most */
} solve_pace;

enum { SLOPE, MOST };             /* partial sums of a block, from solve_aim */
enum { CONJUGATE, WORK, EXCESS }; /* and from solve_step */

typedef struct solve_job {
    sph_state *s;
    float length, momentum;
} solve_job;

/* Pressures may only push. Not by fmaxf, which is a call here. */
static inline float solve_pushing(float q)
{
    return q > 0 ? q : 0;
}

/* The preconditioned residual; 0 where pressure is 0 and would become negative. */
static inline float solve_scaled(float q, float r, float per_diagonal)
{
    return q > 0 || r > 0 ? r * per_diagonal : 0;
}

static inline float solve_wall_scaled(const sph_walls *w, int32_t c)
{
    return w->correction[c] + solve_scaled(w->unknown[c], w->residual[c], w->diagonal[c] > 0 ? 1 / w->diagonal[c] : 0);
}

/* The step d that is aimed at, from the step p before. */
static inline float solve_aimed(const solve_job *job, float q, float z, float p)
{
    return solve_pushing(z == 0 && q == 0 ? 0 : q + job->length * (z + job->momentum * p)) - q;
}

/* The same for eight particles of a block at once; what is loaded behind the last one is 0. */
typedef struct solve_eight {
    int64_t at;
    wide_mask there;
} solve_eight;

static inline solve_eight solve_eight_at(const sph_state *s, int64_t n)
{
    const wide_mask lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    int64_t left = s->fluid.count - n;
    return (solve_eight){n, lanes < (int32_t)(left < WIDE ? left : WIDE)};
}

static inline wide solve_load(const solve_eight *e, const float *numbers)
{
    return wide_keep(e->there, wide_load(numbers + e->at));
}

static inline wide solve_scaled_eight(const sph_state *s, const solve_eight *e, wide q, wide r)
{
    const wide none = {0};
    wide per_diagonal = none;
    const particle_vector *g = s->gradient + e->at;
    if (wide_every(e->there))
        per_diagonal = (wide){g[0][3], g[1][3], g[2][3], g[3][3], g[4][3], g[5][3], g[6][3], g[7][3]};
    else
        for (int l = 0; l < WIDE && e->there[l]; l++)
            per_diagonal[l] = g[l][3];
    return wide_keep((q > none) | (r > none), r * per_diagonal);
}

static inline wide solve_aimed_eight(const solve_job *job, wide q, wide z, wide p)
{
    const wide none = {0};
    wide to = wide_max(q + job->length * (z + job->momentum * p), none);
    return wide_keep((z != none) | (q != none), to) - q;
}

/* Sums of eight lanes each, in double precision. */
typedef double solve_lanes __attribute__((vector_size(64)));

static inline solve_lanes solve_exactly(wide v)
{
    return __builtin_convertvector(v, solve_lanes);
}

static inline double solve_total(solve_lanes v)
{
    return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

static void solve_aim_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    sph_state *s = job->s;
    const wide none = {0};
    for (int b = begin; b < end; b++) {
        solve_lanes slope = {0};
        wide most = none + INFINITY;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n += WIDE) {
            solve_eight e = solve_eight_at(s, n);
            wide q = solve_load(&e, s->numbers[SPH_UNKNOWN]), r = solve_load(&e, s->numbers[SPH_RESIDUAL]),
                 z = solve_load(&e, s->numbers[SPH_CORRECTION]) + solve_scaled_eight(s, &e, q, r),
                 d = solve_aimed_eight(job, q, z, solve_load(&e, s->numbers[SPH_DIRECTION]));
            wide_store(s->numbers[SPH_DIRECTION] + n, d);
            slope += solve_exactly(r * d);
            most = wide_min(wide_choose(d < none, -q / d, none + INFINITY), most);
        }
        s->partial[SPH_PARTIALS * b + SLOPE] = solve_total(slope);
        s->partial[SPH_PARTIALS * b + MOST] = (double)wide_least(most);
    }
}

static void solve_aim(sph_state *s, solve_pace *pace)
{
    sph_walls *w = &s->walls;
    solve_job job = {s, (float)(BEYOND * pace->length), (float)pace->momentum};
    pace->slope = 0;
    pace->most = INFINITY;
    for (int64_t i = 0; i < w->reached_count; i++) {
        int32_t c = w->reached[i];
        float d = solve_aimed(&job, w->unknown[c], solve_wall_scaled(w, c), w->direction[c]);
        w->direction[c] = d;
        pace->slope += (double)w->residual[c] * (double)d;
        pace->most = d < 0 ? fmin(pace->most, (double)(-w->unknown[c] / d)) : pace->most;
    }
    threads_for(sph_blocks(s->fluid.count), solve_aim_blocks, &job);
    for (int b = 0; b < sph_blocks(s->fluid.count); b++) {
        pace->slope += s->partial[SPH_PARTIALS * b + SLOPE];
        pace->most = fmin(pace->most, s->partial[SPH_PARTIALS * b + MOST]);
    }
}

typedef struct solve_sums {
    double conjugate; /* A d·z */
    double work;      /* Q·(source − r) = Qᵀ (A + E) Q */
    double excess;    /* Σ r where it is positive */
} solve_sums;

/* Q += s d, r −= s A d. */
static void solve_step_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    sph_state *s = job->s;
    const wide none = {0};
    for (int b = begin; b < end; b++) {
        solve_lanes conjugate = {0}, work = {0}, excess = {0};
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n += WIDE) {
            solve_eight e = solve_eight_at(s, n);
            wide product = solve_load(&e, s->numbers[SPH_PRODUCT]);
            wide q = solve_load(&e, s->numbers[SPH_UNKNOWN]) + job->length * solve_load(&e, s->numbers[SPH_DIRECTION]),
                 r = solve_load(&e, s->numbers[SPH_RESIDUAL]) - job->length * product;
            q = wide_max(q, none);
            wide_store(s->numbers[SPH_UNKNOWN] + n, q);
            wide_store(s->numbers[SPH_RESIDUAL] + n, r);
            conjugate += solve_exactly(product * solve_scaled_eight(s, &e, q, r));
            work += solve_exactly(q * (solve_load(&e, s->numbers[SPH_SOURCE]) - r));
            excess += solve_exactly(wide_max(r, none));
        }
        double *partial = s->partial + SPH_PARTIALS * b;
        partial[CONJUGATE] = solve_total(conjugate);
        partial[WORK] = solve_total(work);
        partial[EXCESS] = solve_total(excess);
    }
}

/* What the pressures shift, which is linear in them. */
static void solve_shift_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        sums_store(&s->vectors[SPH_SHIFTED][n],
                   sums_load(&s->vectors[SPH_SHIFTED][n]) + job->length * sums_load(&s->vectors[SPH_SHIFT][n]));
}

static solve_sums solve_step(sph_state *s, double length)
{
    sph_walls *w = &s->walls;
    solve_job job = {.s = s, .length = (float)length};
    solve_sums sums = {0};
    for (int64_t i = 0; i < w->reached_count; i++) {
        int32_t c = w->reached[i];
        w->unknown[c] = solve_pushing(w->unknown[c] + job.length * w->direction[c]);
        w->residual[c] -= job.length * w->product[c];
        sums.conjugate += (double)w->product[c] * (double)solve_wall_scaled(w, c);
        sums.work += (double)w->unknown[c] * (double)(w->source[c] - w->residual[c]);
    }
    threads_for(sph_blocks(s->fluid.count), solve_step_blocks, &job);
    threads_for(sph_blocks(s->fluid.count), solve_shift_blocks, &job);
    for (int b = 0; b < sph_blocks(s->fluid.count); b++) {
        const double *partial = s->partial + SPH_PARTIALS * b;
        sums.conjugate += partial[CONJUGATE];
        sums.work += partial[WORK];
        sums.excess += partial[EXCESS];
    }
    return sums;
}

/* The residual of the unknowns as they stand. */
static void solve_left_blocks(void *context, int begin, int end)
{
    sph_state *s = ((const solve_job *)context)->s;
    const float *source = s->numbers[SPH_SOURCE], *product = s->numbers[SPH_PRODUCT];
    float *r = s->numbers[SPH_RESIDUAL], *d = s->numbers[SPH_DIRECTION];
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        r[n] = source[n] - product[n];
        d[n] = 0;
        sums_store(&s->vectors[SPH_SHIFTED][n], sums_load(&s->vectors[SPH_SHIFT][n]));
    }
}

/* Returns the work that they do, Qᵀ (A + E) Q. */
static double solve_begin(sph_state *s, sph_solve *solve)
{
    sph_walls *w = &s->walls;
    double work = sph_operate(s, s->numbers[SPH_UNKNOWN], w->unknown);
    solve->iterations++;
    threads_for(sph_blocks(s->fluid.count), solve_left_blocks, &(solve_job){.s = s});
    for (int64_t i = 0; i < w->reached_count; i++) {
        int32_t c = w->reached[i];
        w->residual[c] = w->source[c] - w->product[c];
        w->direction[c] = 0;
    }
    return work;
}

static void solve_correct_blocks(void *context, int begin, int end)
{
    sph_state *s = ((const solve_job *)context)->s;
    for (int b = begin; b < end; b++) {
        solve_lanes sum = {0};
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n += WIDE) {
            solve_eight e = solve_eight_at(s, n);
            sum += solve_exactly(solve_load(&e, s->numbers[SPH_PRODUCT]) * solve_load(&e, s->numbers[SPH_CORRECTION]));
        }
        s->partial[b] = solve_total(sum);
    }
}

/* The smooth part of z for the present residuals. Returns its part of A d·z. */
static double solve_correct(const sph_model *m, sph_state *s, bool cold)
{
    const sph_walls *w = &s->walls;
    double sum = 0;
    sph_bodies_before(s);
    sph_coarse_correct(m, s, cold);
    sph_bodies_after(s);
    for (int64_t i = 0; i < w->reached_count; i++)
        sum += (double)w->product[w->reached[i]] * (double)w->correction[w->reached[i]];
    threads_for(sph_blocks(s->fluid.count), solve_correct_blocks, &(solve_job){.s = s});
    return sum + threads_sum(s->partial, sph_blocks(s->fluid.count));
}

/* What a step along d took, `length` of what was aimed at, and what follows for the next. */
static void solve_note(sph_solve *solve, solve_pace *pace, double length, double bend, double work)
{
    double wanted = pace->slope / bend;
    pace->energy[1] = pace->energy[0];
    pace->energy[0] = length * (2 * pace->slope - length * bend);
    pace->length = fmin(fmax(BEYOND * pace->length * fmin(fmax(wanted, 0.5), 2), SHORTEST), LONGEST);
    solve->error = sqrt((pace->energy[0] + pace->energy[1]) / fmax(0, work));
}

/* One step; NaN anywhere leaves error or momentum NaN, and ends the solve. */
static void solve_go(const sph_model *m, sph_state *s, sph_solve *solve, solve_pace *pace)
{
    double bend = sph_operate(s, s->numbers[SPH_DIRECTION], s->walls.direction),
           length = fmin(pace->slope / bend, pace->most), moved = length * sph_bodies_most(s);
    solve_sums sums = solve_step(s, length);
    solve->iterations++;
    solve_note(solve, pace, length, bend, sums.work);
    pace->moved[1] = pace->moved[0];
    pace->moved[0] = moved * moved;
    solve->mean = sums.excess / (double)s->fluid.count;
    solve->converged = solve->error <= ERROR && solve->mean <= solve->tolerance &&
                       pace->moved[0] + pace->moved[1] <= ERROR * ERROR * sums.work / (double)s->fluid.count;
    if (solve->converged)
        return;
    double conjugate = sums.conjugate + solve_correct(m, s, false);
    pace->momentum = conjugate < 0 ? -conjugate / bend : 0 * conjugate;
}

/* Steps until the error is small enough, or there is nowhere to go: it is there, or the last step led astray. */
static void solve_steps(const sph_model *m, sph_state *s, sph_solve *solve, double work)
{
    solve_pace pace = {.length = LENGTH, .energy = {INFINITY, INFINITY}, .moved = {0, 0}};
    double rounding = ROUNDING * ROUNDING * solve->ways;
    sph_bodies_ease(s, true);
    solve_correct(m, s, work == 0);
    while (solve->iterations < solve->most && !solve->converged) {
        solve_aim(s, &pace);
        if (!isfinite(pace.slope + pace.momentum))
            return;
        if (pace.slope > rounding) {
            solve_go(m, s, solve, &pace);
            continue;
        }
        if (pace.momentum == 0 && sph_bodies_ease(s, false))
            solve_correct(m, s, false);
        else
            solve->converged = pace.momentum == 0;
        pace.momentum = 0;
    }
}

static void solve_expect_blocks(void *context, int begin, int end)
{
    sph_state *s = ((const solve_job *)context)->s;
    const float *product = s->numbers[SPH_PRODUCT], *r = s->numbers[SPH_RESIDUAL];
    for (int b = begin; b < end; b++) {
        double excess = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++) {
            s->numbers[SPH_SOURCE][n] = r[n] + product[n];
            excess += r[n] > 0 ? (double)r[n] : 0;
        }
        s->partial[b] = excess;
    }
}

/* Residuals become those of the densities that are summed where the pressures lead, and the source what by rates would
   have left these. Returns the mean of those that are too high. */
static double solve_expect(sph_state *s, sph_solve *solve)
{
    sph_walls *w = &s->walls;
    int blocks = sph_blocks(s->fluid.count);
    solve->mean = sph_predict_there(s, solve->expect);
    for (int64_t i = 0; i < w->reached_count; i++)
        w->source[w->reached[i]] = w->residual[w->reached[i]] + w->product[w->reached[i]];
    threads_for(blocks, solve_expect_blocks, &(solve_job){.s = s});
    return threads_sum(s->partial, blocks) / fmax(1, (double)s->fluid.count);
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
    for (int64_t i = 0; i < w->reached_count; i++) {
        rates += (double)w->source[w->reached[i]];
        count += w->give[w->reached[i]] > 0;
    }
    threads_for(blocks, solve_ask_blocks, &job);
    for (int b = 0; b < blocks; b++) {
        rates += s->partial[SPH_PARTIALS * b + RATES];
        crowding += s->partial[SPH_PARTIALS * b + CROWDING];
    }
    solve->crowding = crowding / fmax(1, (double)s->fluid.count);
    job.off = (float)(fmax(0, rates) / fmax(1, count));
    threads_for(blocks, solve_lower_blocks, &job);
    for (int64_t i = 0; i < w->reached_count; i++) {
        w->source[w->reached[i]] -= job.off;
        w->residual[w->reached[i]] -= job.off;
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

/* Whether densities where the pressures lead are enough, or with which residuals to go on. Bodies first get the answer
   to the rates, which is one whatever the pressures were: those of the last step may throw a light body past all that
   it touches, where densities say nothing of what lies between. */
static bool solve_is_there(sph_state *s, sph_solve *solve, int round)
{
    return solve->expect && (round > 0 || !sph_bodies_feel(s)) && solve_expect(s, solve) <= solve->tolerance &&
           solve->converged;
}

void sph_solve_run(const sph_model *m, sph_state *s, sph_solve *solve)
{
    bool again = true;
    bool surface = sph_coarse_begin(m, s);
    solve->iterations = 0;
    for (int round = 0; again; round++) {
        double work = solve_begin(s, solve);
        if (solve_is_there(s, solve, round))
            return;
        if (!surface)
            solve_level(s, solve);
        solve->converged = false;
        solve_steps(m, s, solve, work);
        again = solve->expect && solve->converged;
    }
    solve_finish(s);
}
