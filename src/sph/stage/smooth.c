/* x'_i = v_i + ε Σ_j V (v_j − v_i) W_ij. The sum is antisymmetric in pairs: the centre of mass moves as without it. */
#include "sph/stage/smooth.h"

#include "base/threads.h"
#include "sph/pressure/sums.h"

typedef struct smooth_job {
    const sph_model *m;
    sph_state *s;
} smooth_job;

static void smooth_blocks(void *context, int begin, int end)
{
    const smooth_job *job = context;
    const kernel *k = &job->m->kernel;
    sph_state *s = job->s;
    const pairs *p = &s->pairs;
    float share = (float)(job->m->sph.xsph * job->m->weight);
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        wide own = sums_twice(sums_load(&s->next.velocity[n])), sum = {0};
        for (int64_t pair = p->begin[n]; pair < pairs_end(p, n); pair += 2) {
            wide value, slope;
            kernel_lanes(k->kind, k, sums_distance(pairs_load(p->record + pair)) * (float)k->support, &value, &slope);
            sum += value * (sums_two_vectors(s->next.velocity, p->other + pair) - own);
        }
        sums_store(&s->smoothing[n], share * sums_both(sum));
    }
}

void stage_sph_smooth(const sph_model *m, sph_state *s)
{
    smooth_job job = {m, s};
    if (m->sph.xsph > 0)
        threads_for(sph_blocks(s->fluid.count), smooth_blocks, &job);
}
