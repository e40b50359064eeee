#include "sph/pressure/operate.h"

#include "base/threads.h"
#include "sph/pressure/bodies.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/sums.h"

typedef struct operate_job {
    sph_state *s;
    const float *values;
} operate_job;

static void operate_shift_block(const operate_job *job, int block)
{
    sph_state *s = job->s;
    const float *values = job->values;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
        four push = values[n] * sums_load(&s->gradient[n]) + sums_weigh(&s->pairs, n, values);
        if (s->walls.press && s->wall_pairs.number[n] && !s->hemmed[n])
            push += sums_weigh(&s->wall_pairs, n, s->walls.push);
        four shift = -push;
        shift[3] = 0;
        sums_store(&s->vectors[SPH_SHIFT][n], shift);
    }
}

static void operate_product_block(const operate_job *job, int block)
{
    sph_state *s = job->s;
    const particle_vector *shift = s->vectors[SPH_SHIFT];
    float *product = s->numbers[SPH_PRODUCT];
    double sum = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
        float own = job->values[n];
        float change = sums_product(sums_load(&shift[n]), sums_load(&s->gradient[n])) - sums_dot(&s->pairs, n, shift);
        product[n] = sph_operate_yielding(s, n) * own - change;
        sum += (double)own * (double)product[n];
    }
    s->partial[block] = sum;
}

/* Shifts of a share of the blocks and, as soon as those of all their neighbours are there, products: the records are
   read from memory once for both. What needs shifts from another thread's share waits for operate_rest. */
static void operate_most(void *context, int begin, int end)
{
    const operate_job *job = context;
    sph_state *s = job->s;
    int blocks = sph_blocks(s->fluid.count), lag = s->reach;
    int first = begin == 0 ? 0 : begin + lag, last = end == blocks ? end : end - lag;
    for (int b = begin; b < end; b++)
        s->done[b] = b >= first && b < last;
    for (int b = begin; b < end + lag; b++) {
        if (b < end)
            operate_shift_block(job, b);
        if (b - lag >= first && b - lag < last)
            operate_product_block(job, b - lag);
    }
}

/* And as great a share of the walls. */
static void operate_rest(void *context, int begin, int end)
{
    const operate_job *job = context;
    int64_t blocks = sph_blocks(job->s->fluid.count), walls = sph_brace_blocks(job->s);
    for (int b = begin; b < end; b++)
        if (!job->s->done[b])
            operate_product_block(job, b);
    sph_brace_change(job->s, (int)(begin * walls / blocks), (int)(end * walls / blocks));
}

double sph_operate(sph_state *s, const float *values, const float *wall_values)
{
    operate_job job = {s, values};
    int blocks = sph_blocks(s->fluid.count);
    sph_brace_push(s, wall_values);
    threads_for(blocks, operate_most, &job);
    threads_for(blocks, operate_rest, &job);
    double sum = threads_sum(s->partial, blocks);
    sum += sph_brace_product(s, wall_values);
    return s->floating ? sum + sph_bodies_answer(s, values, wall_values) : sum;
}

static void operate_shift(void *context, int begin, int end)
{
    const operate_job *job = context;
    const sph_state *s = job->s;
    for (int b = begin; b < end; b++) {
        double sum = 0;
        operate_shift_block(job, b);
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++) {
            four shift = sums_load(&s->vectors[SPH_SHIFT][n]);
            float own = job->values[n];
            sum += (double)(sums_product(shift, shift) + sph_operate_yielding(s, n) * own * own);
        }
        s->partial[b] = sum;
    }
}

double sph_operate_shift(sph_state *s, const float *values, const float *wall_values)
{
    operate_job job = {s, values};
    sph_brace_push(s, wall_values);
    threads_for(sph_blocks(s->fluid.count), operate_shift, &job);
    return threads_sum(s->partial, sph_blocks(s->fluid.count)) + sph_brace_yielding(s, wall_values);
}
