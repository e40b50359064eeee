#include "sph/pressure/solve_parts.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/sums.h"

/* Blocks of particles, then of walls: one loop over both. */
typedef struct solve_job {
    sph_state *s;
    int fluid; /* blocks of it */
    float length, momentum;
} solve_job;

/* Partial sums of a block. */
enum { SLOPE, MOST };
enum { CONJUGATE, ALONG, EXCESS };

static solve_job solve_job_of(sph_state *s, double length, double momentum)
{
    return (solve_job){s, sph_blocks(s->fluid.count), (float)length, (float)momentum};
}

static int solve_blocks(const solve_job *job)
{
    return job->fluid + sph_brace_led_blocks(job->s);
}

/* Pressures may only push. Not by fmaxf, which is a call here. */
static inline float solve_pushing(float q)
{
    return q > 0 ? q : 0;
}

/* The residual over the diagonal; 0 where pressure is 0 and would become negative. */
static inline float solve_wall_scaled(const sph_walls *w, int32_t c)
{
    const float r = w->residual[c];
    return w->diagonal[c] > 0 && (w->unknown[c] > 0 || r > 0) ? r / w->diagonal[c] : 0;
}

/* Eight particles of a block at once; what is loaded behind the last one is 0. */
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

/* The step d that is aimed at, from the step p before. */
static inline float solve_aimed_at(const solve_job *job, float q, float z, float p)
{
    return solve_pushing(z == 0 && q == 0 ? 0 : q + job->length * (z + job->momentum * p)) - q;
}

static inline wide solve_aimed_eight(const solve_job *job, wide q, wide z, wide p)
{
    const wide none = {0};
    wide to = wide_max(q + job->length * (z + job->momentum * p), none);
    return wide_keep((z != none) | (q != none), to) - q;
}

static void solve_aim_fluid(const solve_job *job, int block, double *partial)
{
    sph_state *s = job->s;
    const wide none = {0};
    sums_lanes slope = {0};
    wide most = none + INFINITY;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n += WIDE) {
        solve_eight e = solve_eight_at(s, n);
        wide q = solve_load(&e, s->numbers[SPH_UNKNOWN]), r = solve_load(&e, s->numbers[SPH_RESIDUAL]),
             z = solve_load(&e, s->numbers[SPH_CORRECTION]) + solve_scaled_eight(s, &e, q, r),
             d = solve_aimed_eight(job, q, z, solve_load(&e, s->numbers[SPH_DIRECTION]));
        wide_store(s->numbers[SPH_DIRECTION] + n, d);
        slope += sums_exactly(r * d);
        most = wide_min(wide_choose(d < none, -q / d, none + INFINITY), most);
    }
    partial[SLOPE] = sums_total(slope);
    partial[MOST] = (double)wide_least(most);
}

static void solve_aim_walls(const solve_job *job, int block, double *partial)
{
    sph_walls *w = &job->s->walls;
    double slope = 0, most = INFINITY;
    for (int64_t i = (int64_t)block * SPH_BLOCK; i < sph_block_end(w->led_count, block + 1); i++) {
        int32_t c = w->led[i];
        float d = solve_aimed_at(job, w->unknown[c], w->correction[c] + solve_wall_scaled(w, c), w->direction[c]);
        w->direction[c] = d;
        slope += (double)w->residual[c] * (double)d;
        most = d < 0 ? fmin(most, (double)(-w->unknown[c] / d)) : most;
    }
    partial[SLOPE] = slope;
    partial[MOST] = most;
}

static void solve_aim_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int b = begin; b < end; b++) {
        double *partial = job->s->partial + SPH_PARTIALS * b;
        if (b < job->fluid)
            solve_aim_fluid(job, b, partial);
        else
            solve_aim_walls(job, b - job->fluid, partial);
    }
}

solve_aimed solve_aim(sph_state *s, double length, double momentum)
{
    solve_job job = solve_job_of(s, length, momentum);
    solve_aimed aimed = {.most = INFINITY};
    threads_for(solve_blocks(&job), solve_aim_blocks, &job);
    for (int b = 0; b < solve_blocks(&job); b++) {
        aimed.slope += s->partial[SPH_PARTIALS * b + SLOPE];
        aimed.most = fmin(aimed.most, s->partial[SPH_PARTIALS * b + MOST]);
    }
    return aimed;
}

static void solve_step_fluid(const solve_job *job, int block, double *partial)
{
    sph_state *s = job->s;
    const wide none = {0};
    const int64_t last = sph_block_end(s->fluid.count, block + 1);
    sums_lanes conjugate = {0}, along = {0}, excess = {0};
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < last; n += WIDE) {
        solve_eight e = solve_eight_at(s, n);
        wide product = solve_load(&e, s->numbers[SPH_PRODUCT]), before = solve_load(&e, s->numbers[SPH_UNKNOWN]);
        wide q = wide_max(before + job->length * solve_load(&e, s->numbers[SPH_DIRECTION]), none),
             r = solve_load(&e, s->numbers[SPH_RESIDUAL]) - job->length * product;
        wide_store(s->numbers[SPH_UNKNOWN] + n, q);
        wide_store(s->numbers[SPH_RESIDUAL] + n, r);
        conjugate += sums_exactly(product * solve_scaled_eight(s, &e, q, r));
        along += sums_exactly(before * product);
        excess += sums_exactly(wide_max(r, none));
    }
    partial[CONJUGATE] = sums_total(conjugate);
    partial[ALONG] = sums_total(along);
    partial[EXCESS] = sums_total(excess);
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < last; n++)
        sums_store(&s->vectors[SPH_SHIFTED][n],
                   sums_load(&s->vectors[SPH_SHIFTED][n]) + job->length * sums_load(&s->vectors[SPH_SHIFT][n]));
}

/* At walls the correction that the next one adds to counts in what is conjugate, too: less of the last step is taken
   along where walls bear it. Without it a new tank 128 deep is 16 % off its weight (docs/sph.md). */
static void solve_step_walls(const solve_job *job, int block, double *partial)
{
    sph_walls *w = &job->s->walls;
    partial[CONJUGATE] = partial[ALONG] = partial[EXCESS] = 0;
    for (int64_t i = (int64_t)block * SPH_BLOCK; i < sph_block_end(w->led_count, block + 1); i++) {
        int32_t c = w->led[i];
        partial[ALONG] += (double)w->unknown[c] * (double)w->product[c];
        w->unknown[c] = solve_pushing(w->unknown[c] + job->length * w->direction[c]);
        w->residual[c] -= job->length * w->product[c];
        partial[CONJUGATE] += (double)w->product[c] * (double)(w->correction[c] + solve_wall_scaled(w, c));
    }
}

static void solve_step_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int b = begin; b < end; b++) {
        double *partial = job->s->partial + SPH_PARTIALS * b;
        if (b < job->fluid)
            solve_step_fluid(job, b, partial);
        else
            solve_step_walls(job, b - job->fluid, partial);
    }
}

solve_sums solve_step(sph_state *s, double length)
{
    solve_job job = solve_job_of(s, length, 0);
    solve_sums sums = {0};
    threads_for(solve_blocks(&job), solve_step_blocks, &job);
    for (int b = 0; b < solve_blocks(&job); b++) {
        const double *partial = s->partial + SPH_PARTIALS * b;
        sums.conjugate += partial[CONJUGATE];
        sums.along += partial[ALONG];
        sums.excess += partial[EXCESS];
    }
    return sums;
}
