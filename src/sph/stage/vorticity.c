/* b = ε d (N × ω),   N = ∇|ω| / |∇|ω||   (Fedkiw, Stam & Jensen 2001; Macêdo 4.1.5), with
       ω_i = Σ_j V ∇W_ij × (v_j − v_i),   ∇|ω|_i = Σ_j V (|ω_j| − |ω_i|) ∇W_ij.
   Inner forces do not change the momentum: the sum of all b is subtracted again, in proportion to |b|. */
#include "sph/stage/vorticity.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/sums.h"

typedef struct vorticity_job {
    sph_state *s;
    float gain;                 /* Δt ε */
    particle_vector *curl;      /* d ω, and its length */
    particle_vector *push;      /* Δt b, and its length */
    four excess;                /* Σ Δt b over Σ |Δt b| */
} vorticity_job;

static void vorticity_curl(void *context, int begin, int end)
{
    const vorticity_job *job = context;
    const sph_state *s = job->s;
    const pairs *p = &s->pairs;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        wide own = sums_twice(sums_load(&s->next.velocity[n])), sum = {0};
        for (int64_t k = p->begin[n]; k < pairs_end(p, n); k += 2) {
            wide g = sums_gradient(pairs_load(p->record + k)),
                 v = sums_two_vectors(s->next.velocity, p->other + k) - own;
            sum += __builtin_shufflevector(g, g, 1, 2, 0, 3, 5, 6, 4, 7) *
                       __builtin_shufflevector(v, v, 2, 0, 1, 3, 6, 4, 5, 7) -
                   __builtin_shufflevector(g, g, 2, 0, 1, 3, 6, 4, 5, 7) *
                       __builtin_shufflevector(v, v, 1, 2, 0, 3, 5, 6, 4, 7);
        }
        four curl = sums_both(sum);
        curl[3] = sqrtf(sums_product(curl, curl));
        sums_store(&job->curl[n], curl);
    }
}

static void vorticity_push(void *context, int begin, int end)
{
    const vorticity_job *job = context;
    sph_state *s = job->s;
    const pairs *p = &s->pairs;
    for (int block = begin; block < end; block++) {
        double *partial = s->partial + SPH_PARTIALS * block;
        partial[0] = partial[1] = partial[2] = partial[3] = 0;
        for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
            four w = sums_load(&job->curl[n]);
            wide sum = {0};
            for (int64_t k = p->begin[n]; k < pairs_end(p, n); k += 2)
                sum += (sums_distance(sums_two_vectors(job->curl, p->other + k)) - w[3]) *
                       sums_gradient(pairs_load(p->record + k));
            four slope = sums_both(sum);
            float gain = job->gain / (sqrtf(sums_product(slope, slope)) + 1e-20f);
            four push = gain * (four){slope[1] * w[2] - slope[2] * w[1], slope[2] * w[0] - slope[0] * w[2],
                                      slope[0] * w[1] - slope[1] * w[0], 0};
            push[3] = sqrtf(sums_product(push, push));
            sums_store(&job->push[n], push);
            for (int a = 0; a < 4; a++)
                partial[a] += push[a];
        }
    }
}

static four vorticity_excess(const sph_state *s)
{
    double sum[4] = {0};
    for (int b = 0; b < sph_blocks(s->fluid.count); b++)
        for (int a = 0; a < 4; a++)
            sum[a] += s->partial[SPH_PARTIALS * b + a];
    double per = sum[3] > 0 ? 1 / sum[3] : 0;
    return (four){(float)(sum[0] * per), (float)(sum[1] * per), (float)(sum[2] * per), 0};
}

static void vorticity_add(void *context, int begin, int end)
{
    const vorticity_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        for (int a = 0; a < 3; a++)
            s->next.velocity[n][a] += job->push[n][a] - job->push[n][3] * job->excess[a];
}

void stage_sph_vorticity(const sph_model *m, sph_state *s, double dt)
{
    int blocks = sph_blocks(s->fluid.count);
    if (m->sph.vorticity == 0)
        return;
    vorticity_job job = {
        .s = s, .gain = (float)(dt * m->sph.vorticity), .curl = s->vectors[0], .push = s->vectors[1]};
    threads_for(blocks, vorticity_curl, &job);
    threads_for(blocks, vorticity_push, &job);
    job.excess = vorticity_excess(s);
    threads_for(blocks, vorticity_add, &job);
}
