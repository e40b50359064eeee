#include "stage/sph_accelerate.h"

#include <math.h>

#include "base/threads.h"
#include "stage/sph_brace.h"
#include "stage/sph_sums.h"

typedef struct state_job {
    sph_state *s;
    bool linear, pulls;      /* pulls: pressures may be negative */
    float stiffness;         /* c²/γ; linear: c²; m²/s² */
    float exponent;
    float background;        /* m²/s² */
    float to_unknown;        /* (dt/d)² */
} state_job;

/* p/ρ² in m²/s². */
static float state_pressure(const state_job *job, float density, bool pulls)
{
    float excess = (job->linear ? density : powf(density, job->exponent)) - 1, p = job->stiffness * excess + job->background;
    return (p > 0 || pulls ? p : 0) / (density * density);
}

static void state_blocks(void *context, int begin, int end)
{
    const state_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        s->next.pressure[n] = state_pressure(job, s->density[n], job->pulls);
}

/* A wall is as much too dense as the liquid at it. */
static void state_walls(void *context, int begin, int end)
{
    const state_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->unknown[b] = w->wet[b] > 0 ? job->to_unknown * state_pressure(job, 1 + w->source[b], false) : 0;
}

/* A summed density falls towards the surface, where there are fewer neighbours: without a bound the liquid would pull itself
   together there. A density that is followed in time knows no surface. */
void stage_sph_state_equation(const sph_model *m, sph_state *s, double dt)
{
    const fr_sph_def *sph = &m->def->sph;
    double c2 = m->sound_speed * m->sound_speed;
    state_job job = {.s = s, .linear = sph->state == FR_SPH_LINEAR, .pulls = sph->density == FR_SPH_CONTINUITY, .exponent = (float)sph->exponent,
                     .background = (float)(sph->background / m->def->fluid.density)};
    job.stiffness = (float)(job.linear ? c2 : c2 / sph->exponent);
    job.to_unknown = (float)(dt * dt / (m->spacing * m->spacing));
    threads_for(sph_blocks(s->fluid.count), state_blocks, &job);
    if (!s->walls.press)
        return;
    stage_sph_brace_excess(s);
    threads_for(sph_blocks(s->walls.count), state_walls, &job);
    stage_sph_brace_push(s);
}

typedef struct accelerate_job {
    const sph_model *m;
    sph_state *s;
    float per_spacing;       /* dt/d, s/m */
    float to_unknown;        /* (dt/d)² */
    float viscosity;         /* α c h in spacings, m/s */
    float support;           /* in spacings */
    float soft;              /* 0.01 h², in spacings */
} accelerate_job;

/* Velocity and pressure of a particle in one record: a neighbour is fetched once. */
static void accelerate_gather(void *context, int begin, int end)
{
    const accelerate_job *job = context;
    sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        for (int a = 0; a < 3; a++)
            s->shift[n][a] = s->fluid.velocity[n][a];
        s->shift[n][3] = s->next.pressure[n];
        s->unknown[n] = job->to_unknown * s->next.pressure[n];
    }
}

/* Σ_j (P_j + Π_ij) g_ij, with Monaghan's (1992) Π_ij = −α c h v·x/(r² + 0.01 h²) where v·x < 0; x_ij = −r g/|g|. */
static four accelerate_pairs(const accelerate_job *job, int64_t n)
{
    const pairs *p = &job->s->pairs;
    const float *own = job->s->shift[n];
    const wide zero = {0};
    wide x = {0}, y = {0}, z = {0};
    for (int32_t k = 0; k < p->number[n]; k += WIDE) {
        wide_mask there = sums_there(p, n, k);
        wide_group g = sums_records(p, n, k), other = sums_vectors(p, n, k, job->s->shift);
        wide gx = wide_keep(there, g.v[0]), gy = wide_keep(there, g.v[1]), gz = wide_keep(there, g.v[2]), r = g.v[3] * job->support;
        wide nearing = wide_max(gx * (own[0] - other.v[0]) + gy * (own[1] - other.v[1]) + gz * (own[2] - other.v[2]), zero);
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
        four sum = s->next.pressure[n] * sums_load(&s->gradient[n]) + accelerate_pairs(job, n);
        if (s->walls.press)
            sum += sums_weigh(&s->wall_pairs, n, s->walls.push) / job->to_unknown;
        for (int a = 0; a < 3; a++)
            s->next.velocity[n][a] -= job->per_spacing * sum[a];
    }
}

void stage_sph_accelerate(const sph_model *m, sph_state *s, double dt, double viscosity)
{
    double d = m->spacing, h = m->kernel.length / d;
    accelerate_job job = {.m = m, .s = s, .per_spacing = (float)(dt / d), .to_unknown = (float)(dt * dt / (d * d)),
                          .viscosity = (float)(viscosity * m->sound_speed * h), .support = (float)(m->kernel.support / d), .soft = (float)(0.01 * h * h)};
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, accelerate_gather, &job);
    threads_for(blocks, accelerate_blocks, &job);
}
