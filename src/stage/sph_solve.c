#include "stage/sph_solve.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"

typedef float four __attribute__((vector_size(16)));

typedef struct solve_job {
    const sph_model *m;
    sph_state *s;
    const particle_vector *velocity;
    float dt_per_spacing;
    bool density;
} solve_job;

static inline four solve_load(const particle_vector *v) { return *(const four *)v; }

/* The vectors of two neighbours side by side, as their records lie. */
static inline wide solve_two_vectors(const particle_vector *v, const int32_t *other)
{
    return __builtin_shufflevector(solve_load(&v[other[0]]), solve_load(&v[other[1]]), 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline wide solve_two_numbers(const float *v, const int32_t *other)
{
    float a = v[other[0]], b = v[other[1]];
    return (wide){a, a, a, a, b, b, b, b};
}

/* Σ_j v_j·g_ij; the fourth number of v must be 0. */
static inline float solve_dot(const pairs *p, int64_t n, const particle_vector *v)
{
    const int32_t *other = p->other + p->begin[n];
    const pair_record *record = p->record + p->begin[n];
    wide sum = {0};
    for (int32_t k = 0; k < p->number[n]; k += 2)
        sum += pairs_load(record + k) * solve_two_vectors(v, other + k);
    return wide_sum(sum);
}

/* Σ_j q_j g_ij; its fourth number is of no use. */
static inline four solve_weigh(const pairs *p, int64_t n, const float *q)
{
    const int32_t *other = p->other + p->begin[n];
    const pair_record *record = p->record + p->begin[n];
    wide sum = {0};
    for (int32_t k = 0; k < p->number[n]; k += 2)
        sum += pairs_load(record + k) * solve_two_numbers(q, other + k);
    return __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
}

static inline float solve_product(four a, four b)
{
    four p = a * b;
    return p[0] + p[1] + p[2];
}

static void solve_predict(void *context, int begin, int end)
{
    const solve_job *job = context;
    sph_state *s = job->s;
    bool moving = s->walls.moving;
    for (int block = begin; block < end; block++) {
        double sum = 0;
        for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
            float rate = solve_product(solve_load(&job->velocity[n]), solve_load(&s->gradient[n])) - solve_dot(&s->pairs, n, job->velocity);
            if (moving)
                rate -= solve_dot(&s->wall_pairs, n, s->walls.velocity);
            s->source[n] = job->dt_per_spacing * rate + (job->density ? s->density[n] - 1 : 0);
            sum += fabsf(s->source[n]);
        }
        s->partial[block] = sum;
    }
}

double stage_sph_predict(const sph_model *m, sph_state *s, const particle_vector *velocity, double dt, bool density)
{
    solve_job job = {m, s, velocity, (float)(dt / m->spacing), density};
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, solve_predict, &job);
    return s->fluid.count ? threads_sum(s->partial, blocks) / (double)s->fluid.count : 0;
}

static void solve_shift_block(sph_state *s, int block)
{
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
        four shift = -(s->unknown[n] * solve_load(&s->gradient[n]) + solve_weigh(&s->pairs, n, s->unknown));
        shift[3] = 0;
        *(four *)&s->shift[n] = shift;
    }
}

/* Half a Jacobi step: a whole one overshoots, because neighbours correct the same excess. */
static const float RELAX = 0.5f;

enum { LEFT, EXCESS, WORST };   /* partial results of a block */

/* What is left of the source, and from it the next pressures. Where the density is too low, only as much counts as can be undone
   by taking pressure away. */
static void solve_update_block(sph_state *s, float momentum, int block)
{
    double left_sum = 0, excess = 0;
    float worst = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
        float left = s->source[n] + solve_product(solve_load(&s->shift[n]), solve_load(&s->gradient[n])) - solve_dot(&s->pairs, n, s->shift);
        float relax = RELAX * s->gradient[n][3], now = s->unknown[n], next = now + relax * left;
        next = next > 0 ? next : 0;
        float ahead = next + momentum * (next - s->last_unknown[n]);
        s->last_unknown[n] = next;
        s->next_unknown[n] = ahead > 0 ? ahead : 0;
        left_sum += left > 0 ? left : relax > 0 ? (now - next) / relax : 0;
        excess += left > 0 ? left : 0;
        worst = left > worst ? left : worst;
    }
    double *partial = s->partial + SPH_PARTIALS * block;
    partial[LEFT] = left_sum;
    partial[EXCESS] = excess;
    partial[WORST] = worst;
}

typedef struct solve_sweep {
    sph_state *s;
    float momentum;
} solve_sweep;

/* Shifts of a share of the blocks and, as soon as those of all their neighbours are there, what is left: the records are read
   from memory once for both. What needs shifts from another thread's share waits for solve_rest. */
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
            solve_shift_block(s, b);
        if (b - lag >= first && b - lag < last)
            solve_update_block(s, sweep->momentum, b - lag);
    }
}

static void solve_rest(void *context, int begin, int end)
{
    const solve_sweep *sweep = context;
    for (int b = begin; b < end; b++)
        if (!sweep->s->done[b])
            solve_update_block(sweep->s, sweep->momentum, b);
}

/* The sums of all blocks. */
static void solve_measure(const sph_state *s, sph_solve *solve)
{
    double left = 0, excess = 0;
    solve->max = 0;
    for (int b = 0; b < sph_blocks(s->fluid.count); b++) {
        const double *partial = s->partial + SPH_PARTIALS * b;
        left += partial[LEFT];
        excess += partial[EXCESS];
        solve->max = fmax(solve->max, partial[WORST]);
    }
    solve->left = s->fluid.count ? left / (double)s->fluid.count : 0;
    solve->mean = s->fluid.count ? excess / (double)s->fluid.count : 0;
}

/* Nesterov's weights for the step ahead, begun anew when it led astray (O'Donoghue & Candès 2015). */
static float solve_momentum(double *t, bool worse)
{
    if (worse)
        *t = 1;
    double next = 0.5 * (1 + sqrt(1 + 4 * *t * *t)), momentum = (*t - 1) / next;
    *t = next;
    return (float)momentum;
}

/* What is left, as a share of the source, whatever the tolerance: a fluid that begins to fall would otherwise fall freely until its
   excess of density is worth solving for, and be stopped with a bang. */
static const double PART = 0.3, LEAST = 1e-3;

void stage_sph_solve(sph_state *s, sph_solve *solve)
{
    double goal = fmin(solve->tolerance, fmax(PART * solve->source, LEAST * solve->tolerance));   /* rounding leaves something, too */
    int blocks = sph_blocks(s->fluid.count);
    double t = 1, last = INFINITY;
    memcpy(s->last_unknown, s->unknown, sizeof *s->unknown * (size_t)s->fluid.count);
    solve->left = 0;
    for (solve->iterations = 1;; solve->iterations++) {
        solve_sweep sweep = {s, solve_momentum(&t, solve->left > last)};
        last = solve->iterations > 1 ? solve->left : INFINITY;
        threads_for(blocks, solve_most, &sweep);
        threads_for(blocks, solve_rest, &sweep);
        solve_measure(s, solve);
        bool enough = solve->iterations >= solve->least && solve->left <= goal;
        if (enough || solve->iterations >= solve->most)
            return;
        float *swap = s->unknown;
        s->unknown = s->next_unknown;
        s->next_unknown = swap;
    }
}
