#include "sph/pressure/accelerate.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/sums.h"

typedef struct state_job {
    sph_state *s;
    bool linear, pulls;      /* pulls: pressures may be negative */
    float stiffness;         /* c²/γ, Cole: (1 + B)/ρ₀; linear: c²; m²/s² */
    float exponent;
    int whole;               /* the same, where it is a small whole number; else 0 */
    float background;        /* m²/s² */
    float per_spacing;       /* dt/d, s/m */
} state_job;

/* Tait's exponent is 7 in nearly all scenes: four products instead of a logarithm. */
static float state_power(const state_job *job, float density)
{
    if (!job->whole)
        return powf(density, job->exponent);
    float power = 1;
    for (int bits = job->whole; bits; bits >>= 1, density *= density)
        power *= bits & 1 ? density : 1;
    return power;
}

/* p/ρ² in m²/s². */
static float state_pressure(const state_job *job, float density, bool pulls)
{
    float excess = (job->linear ? density : state_power(job, density)) - 1,
          p = job->stiffness * excess + job->background;
    return (p > 0 || pulls ? p : 0) / (density * density);
}

static void state_blocks(void *context, int begin, int end)
{
    const state_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        s->next.pressure[n] = state_pressure(job, s->density[n], job->pulls);
        s->impulse[n] = job->per_spacing * s->next.pressure[n];
        s->numbers[SPH_UNKNOWN][n] = job->per_spacing * s->impulse[n];
    }
}

/* Pressure of a wall, from the excess of density of the liquid at it. */
static void state_walls(void *context, int begin, int end)
{
    const state_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->unknown[b] =
            w->wet[b] > 0 ? job->per_spacing * job->per_spacing * state_pressure(job, 1 + w->source[b], false) : 0;
}

static void state_push(void *context, int begin, int end)
{
    const state_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->impulse[b] = w->push[b] / job->per_spacing;
}

/* A summed density falls towards the surface, where there are fewer neighbours: negative pressure would contract the
   liquid there. So pressure is kept from below 0, unless the density is integrated in time, which has no such fall, or
   the equation is Cole's, which Macêdo (appendix B) takes as it stands. */
void sph_state_equation(const sph_model *m, sph_state *s, double dt)
{
    const fr_sph_def *sph = &m->sph;
    double c2 = m->sound_speed * m->sound_speed;
    state_job job = {.s = s,
                     .linear = sph->state == FR_SPH_LINEAR,
                     .pulls = sph->density == FR_SPH_CONTINUITY,
                     .exponent = (float)sph->exponent,
                     .background = (float)(sph->background / m->fluid.density),
                     .per_spacing = (float)(dt / m->spacing)};
    job.stiffness = (float)(job.linear ? c2 : c2 / sph->exponent);
    if (sph->state == FR_SPH_COLE) {
        job.pulls = true;
        job.background = (float)(1 / m->fluid.density);
    }
    job.whole = sph->exponent <= 16 && sph->exponent == floor(sph->exponent) ? (int)sph->exponent : 0;
    threads_for(sph_blocks(s->fluid.count), state_blocks, &job);
    if (!s->walls.press)
        return;
    sph_brace_excess(s);
    threads_for(sph_blocks(s->walls.count), state_walls, &job);
    sph_brace_push(s, s->walls.unknown);
    threads_for(sph_blocks(s->walls.count), state_push, &job);
}

typedef struct accelerate_job {
    sph_state *s;
    particle_vector *both;   /* velocity and impulse of a particle in one record: a neighbour is fetched once */
    float viscosity;         /* α c h in spacings, times dt/d */
    float support;           /* in spacings */
    float soft;              /* 0.01 h², in spacings */
} accelerate_job;

static void accelerate_gather(void *context, int begin, int end)
{
    const accelerate_job *job = context;
    const sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        for (int a = 0; a < 3; a++)
            job->both[n][a] = s->fluid.velocity[n][a];
        job->both[n][3] = s->impulse[n];
    }
}

/* Σ_j (P_j + Π_ij) g_ij Δt/d, with Monaghan's (1992) Π_ij = −α c h v·x/(r² + 0.01 h²) where v·x < 0; x_ij = −r g/|g|.
 */
static four accelerate_pairs(const accelerate_job *job, int64_t n)
{
    const pairs *p = &job->s->pairs;
    const float *own = job->both[n];
    const wide zero = {0};
    wide x = {0}, y = {0}, z = {0};
    for (int32_t k = 0; k < p->number[n]; k += WIDE) {
        wide_mask there = sums_there(p, n, k);
        wide_group g = sums_records(p, n, k), other = sums_vectors(p, n, k, job->both);
        wide gx = wide_keep(there, g.v[0]), gy = wide_keep(there, g.v[1]), gz = wide_keep(there, g.v[2]),
             r = g.v[3] * job->support;
        wide nearing =
            wide_max(gx * (own[0] - other.v[0]) + gy * (own[1] - other.v[1]) + gz * (own[2] - other.v[2]), zero);
        wide length = wide_sqrt(gx * gx + gy * gy + gz * gz + 1e-12f);
        wide weight = other.v[3] + job->viscosity * nearing * r / (length * (r * r + job->soft));
        x += weight * gx;
        y += weight * gy;
        z += weight * gz;
    }
    return (four){wide_sum(x), wide_sum(y), wide_sum(z), 0};
}

static void accelerate_blocks(void *context, int begin, int end)
{
    const accelerate_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        four sum =
            job->viscosity > 0 ? accelerate_pairs(job, n) : sums_weigh(&s->pairs, n, s->impulse) * (four){1, 1, 1, 0};
        sums_store(&s->next.velocity[n], sums_load(&s->next.velocity[n]) - sum - sph_press_here(s, n));
    }
}

void sph_accelerate(const sph_model *m, sph_state *s, double dt, double viscosity)
{
    double d = m->spacing, h = m->kernel.length / d;
    accelerate_job job = {.s = s,
                          .both = s->vectors[0],
                          .viscosity = (float)(viscosity * m->sound_speed * h * dt / d),
                          .support = (float)(m->kernel.support / d),
                          .soft = (float)(0.01 * h * h)};
    int blocks = sph_blocks(s->fluid.count);
    if (viscosity > 0)
        threads_for(blocks, accelerate_gather, &job);
    threads_for(blocks, accelerate_blocks, &job);
}
