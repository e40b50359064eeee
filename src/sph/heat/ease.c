/* What is solid stands still. Viscosity acts before the pressure is known, and the pressure knows nothing of viscosity:
   of a stiff block on a floor that slips, every step of gravity would be taken off by a pressure that presses its sides
   outwards as if it were water. So viscosity acts on velocities with the pressures p⁰ of the last step,

       (I − Δt L) (v** + a⁰ Δt) = v* + a⁰ Δt,

   and those are taken off again before the new ones are solved for. Where these are the same, the step's end is that of
   viscosity and pressure at once (the incremental form of pressure correction: Guermond, Minev & Shen 2006, "An
   overview of projection methods for incompressible flows", section 3.2). Thin liquid feels nothing of it. */
#include "base/threads.h"
#include "sph/heat/heat.h"
#include "sph/pressure/brace.h"
#include "sph/pressure/sums.h"

typedef struct ease_job {
    sph_state *s;
    float impulse;   /* Δt/d, with its sign */
} ease_job;

static void ease_walls(void *context, int begin, int end)
{
    const ease_job *job = context;
    sph_walls *w = &job->s->walls;
    for (int64_t b = (int64_t)begin * SPH_BLOCK; b < sph_block_end(w->count, end); b++)
        w->unknown[b] = w->wet[b] > 0 ? w->unsorted.pressure[w->cells.order[b]] : 0;
}

static void ease_blocks(void *context, int begin, int end)
{
    const ease_job *job = context;
    sph_state *s = job->s;
    const float *p = s->fluid.pressure;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        four push = p[n] * sums_load(&s->gradient[n]) + sums_weigh(&s->pairs, n, p);
        if (s->walls.press && !s->hemmed[n])
            push += sums_weigh(&s->wall_pairs, n, s->walls.push);
        sums_store(&s->next.velocity[n],
                   sums_load(&s->next.velocity[n]) - job->impulse * push * (four){1, 1, 1, 0});
    }
}

void stage_sph_heat_ease(const sph_model *m, sph_state *s, double dt)
{
    ease_job job = {s, (float)(dt / m->spacing)};
    if (s->walls.press) {
        threads_for(sph_blocks(s->walls.count), ease_walls, &job);
        sph_brace_push(s, s->walls.unknown);
    }
    threads_for(sph_blocks(s->fluid.count), ease_blocks, &job);
}
