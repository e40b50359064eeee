#include "sph/stage/virial.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/sums.h"

typedef struct virial_job {
    const sph_model *m;
    sph_state *s;
    float unit;          /* Pa for 1 m²/s² on every support: ρ₀ (support/d)/(2 dims) */
    float *pressure;
} virial_job;

static void virial_walls(void *context, int begin, int end)
{
    sph_walls *w = &((const virial_job *)context)->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->unknown[b] = w->wet[b] > 0 ? w->unsorted.pressure[w->cells.order[b]] : 0;
}

/* Σ_j (own + q_j) |g_ij| r_ij, distances as shares of the support: g lies along the line between the two. */
static float virial_sum(const pairs *p, int64_t n, float own, const float *q)
{
    const int32_t *other = p->other + p->begin[n];
    const pair_record *record = p->record + p->begin[n];
    wide sum = {0};
    for (int32_t k = 0; k < p->number[n]; k += 2) {
        wide both = pairs_load(record + k), g = sums_gradient(both);
        sum += (own + sums_two_numbers(q, other + k)) * sums_distance(both) * wide_sqrt(sums_each(g * g));
    }
    return sum[0] + sum[WIDE / 2];   /* all lanes of a pair say the same */
}

/* What the walls would add to a density if they counted as liquid does. They count a little less (SPH_WALL_PART), so
   that it comes closer to them, and the room that a particle has there is that much smaller. */
static double virial_closer(const virial_job *job, int64_t n)
{
    const sph_walls *w = &job->s->walls;
    const pairs *p = &job->s->wall_pairs;
    const kernel *kernel = &job->m->kernel;
    double sum = 0;
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k++) {
        const half_eight share = {p->record[k][3]};
        sum += (double)w->volume[p->other[k]] * kernel_value(kernel, (double)wide_of_half(share)[0] * kernel->support);
    }
    return (1 / (double)SPH_WALL_PART - 1) * sum;
}

static void virial_blocks(void *context, int begin, int end)
{
    const virial_job *job = context;
    const sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        float own = s->fluid.pressure[n], sum = virial_sum(&s->pairs, n, own, s->fluid.pressure);
        float density = fmaxf(s->density[n], 1);   /* at a surface there is a gap, but no more liquid */
        if (s->walls.press && !s->hemmed[n]) {
            sum += virial_sum(&s->wall_pairs, n, own, s->walls.push);
            density += (float)virial_closer(job, n);
        }
        job->pressure[n] = job->unit * density * sum;
    }
}

void stage_sph_virial(const sph_model *m, sph_state *s, float *pressure)
{
    virial_job job = {m, s, (float)(m->fluid.density * m->kernel.support / (2 * m->spacing * m->dims)), pressure};
    if (s->walls.press) {
        threads_for(sph_blocks(s->walls.count), virial_walls, &job);
        sph_brace_push(s, s->walls.unknown);
    }
    threads_for(sph_blocks(s->fluid.count), virial_blocks, &job);
}
