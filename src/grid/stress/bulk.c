/* What keeps stiff liquid from changing its volume while the viscosity acts. Without it a thread that is drawn would
   resist with 2 ν where it should with 3 ν (Trouton 1906): nothing would make it thinner, and a projection afterwards
   does not tell the viscosity.

   The system has the bulk viscosity λ = b ν and a pressure p, by the method of multipliers (Fortin & Glowinski 1983).
   After each step p goes on by

     p ← s (p − (b + 2/dims) ν ∇·u),      s = k/(1 + k),   k = 2 (dims + 1) ν Δt/h²,

   and the next step begins with it. In a slow flow ∇·u then vanishes from step to step, whatever b is. Within stiff
   liquid what is left falls by (b + 2/dims)/(b + 2) of it with each step; where its sides are free, as those of a
   thread are, all of it: a pressure that is the same all over changes the volume at the rate p/(λ + 2 ν/dims). The
   energy ½|u|² + ½ p²/λ never grows, as (b + 2/dims) ≤ 2 b. In liquid that is not stiff p fades, by s: there the
   projection is enough. */
#include "base/threads.h"
#include "grid/halo.h"
#include "grid/stress/parts.h"

/* 1/s, of û* + the change. */
static double bulk_divergence(const stress *s, ptrdiff_t at)
{
    const stress_level *l = &s->level[0];
    double sum = 0;
    for (int a = 0; a < l->dims; a++) {
        const float *start = s->p.of[a] + at;
        const double *change = s->change[a] + at;
        const ptrdiff_t next = l->stride[a];
        sum += l->spread[a] * ((double)start[next] - (double)start[0] + change[next] - change[0]);
    }
    return sum / domain_min_h(&s->block);
}

static void bulk_press_rows(void *context, int begin, int end)
{
    const stress *s = context;
    const stress_level *l = &s->level[0];
    const stress_problem *p = &s->problem;
    const double h = domain_min_h(&s->block), stiffness = 2 * (l->dims + 1) * p->dt / (h * h);
    for (int r = begin; r < end; r++) {
        const int j = r % l->cells[1], k = r / l->cells[1];
        const float *viscosity = p->viscosities ? field_row(p->viscosities, j, k) : NULL;
        const ptrdiff_t row = stress_offset(l, (int[3]){0, j, k});
        float *pressure = field_row(p->pressure, j, k);
        for (int i = 0; i < l->cells[0]; i++) {
            if (!(l->bulk[row + i] > 0))
                continue;
            const double nu = viscosity ? (double)viscosity[i] : p->viscosity, stiff = stiffness * nu;
            const double gain = (p->bulk + 2.0 / l->dims) * nu * bulk_divergence(s, row + i);
            pressure[i] = (float)(stiff / (1 + stiff) * ((double)pressure[i] - gain));
        }
    }
}

/* Cells without one that liquid may enter: the mean of the neighbours that have one. */
static void bulk_extend_rows(void *context, int begin, int end)
{
    const stress *s = context;
    const stress_level *l = &s->level[0];
    const field *pressure = s->problem.pressure;
    for (int r = begin; r < end; r++) {
        const int j = r % l->cells[1], k = r / l->cells[1];
        const float *bulk = l->bulk + stress_offset(l, (int[3]){0, j, k});
        float *to = field_row(pressure, j, k);
        for (int i = 0; i < l->cells[0]; i++) {
            if (bulk[i] > 0)
                continue;
            double sum = 0;
            int count = 0;
            for (int side = 0; side < 2 * l->dims; side++) {
                const int a = side / 2, way = side % 2 ? 1 : -1;
                const bool known = bulk[i + way * l->stride[a]] > 0;
                sum += known ? (double)to[i + way * pressure->stride[a]] : 0;
                count += known;
            }
            to[i] = count ? (float)(sum / count) : 0;
        }
    }
}

void stress_press(stress *s, const field velocity[3])
{
    const stress_level *l = &s->level[0];
    if (!s->problem.pressure)
        return;
    stress_load_samples(s, velocity);
    stress_wrap_exact(l, s->change);
    threads_for_cost(l->cells[1] * l->cells[2], (int64_t)l->dims * l->cells[0], bulk_press_rows, s);
    halo_fill_even(s->problem.pressure, &s->block);
    threads_for_cost(l->cells[1] * l->cells[2], (int64_t)l->dims * l->cells[0], bulk_extend_rows, s);
}
