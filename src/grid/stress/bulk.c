/* What keeps stiff liquid from changing its volume while the viscosity acts. Without it a thread that is drawn would
   resist with 2 ν where it should with 3 ν (Trouton 1906): nothing would make it thinner, and a projection afterwards
   does not tell the viscosity.

   The system has the bulk viscosity λ = b ν and a pressure p, by the method of multipliers (Fortin & Glowinski 1983).
   After each step p goes on by

     p ← s (p − (b + 2/dims) ν ∇·u),      s = k/(1 + k),   k = 2 (dims + 1) ν Δt/h²,

   and the next step begins with it. In a slow flow ∇·u then vanishes from step to step, whatever b is. Within stiff
   liquid what is left falls by (b + 2/dims)/(b + 2) of it with each step; where its sides are free, as those of a
   thread are, all of it: a pressure that is the same all over changes the volume at the rate p/(λ + 2 ν/dims). The
   energy ½|u|² + ½ p² Δt/((b + 2/dims) ν) never grows, as (b + 2/dims) ≤ 2 b. In liquid that is not stiff p fades, by
   s: there the projection is enough.

   From one step to the next liquid melts and flows, and the same p in a cell that has become thin, or has filled, would
   be energy out of nothing, which tears the melt beside stiff liquid apart. So what goes on is q = p/√ν, whose square
   is the energy in a volume of liquid, and where a cell has room for more liquid it goes on with what that may bring:
   the mean of its neighbours, by their liquid. */
#include <math.h>

#include "base/threads.h"
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
            if (!(s->wet[row + i] > 0))
                continue;
            const double nu = viscosity ? (double)viscosity[i] : p->viscosity, stiff = stiffness * nu;
            const double gain = (p->bulk + 2.0 / l->dims) * sqrt(nu) * bulk_divergence(s, row + i);
            pressure[i] = (float)(stiff / (1 + stiff) * ((double)pressure[i] - gain));
            s->push[row + i] = s->wet[row + i] * pressure[i];
        }
    }
}

/* A neighbour that is not full counts as one that has nothing beside what it has: so a sliver of liquid does not set
   the whole of the next cell. */
static void bulk_fill_rows(void *context, int begin, int end)
{
    const stress *s = context;
    const stress_level *l = &s->level[0];
    for (int r = begin; r < end; r++) {
        const int j = r % l->cells[1], k = r / l->cells[1];
        const ptrdiff_t row = stress_offset(l, (int[3]){0, j, k});
        float *to = field_row(s->problem.pressure, j, k);
        for (int i = 0; i < l->cells[0]; i++) {
            const float *push = s->push + row + i, *wet = s->wet + row + i;
            float sum = 0, liquid = 0;
            for (int a = 0; a < l->dims && wet[0] < 1; a++) {
                sum += push[-l->stride[a]] + push[l->stride[a]];
                liquid += wet[-l->stride[a]] + wet[l->stride[a]];
            }
            to[i] = push[0] + (1 - wet[0]) * sum / fmaxf(liquid, 1);
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
    stress_wrap_cells(l, s->push);
    threads_for_cost(l->cells[1] * l->cells[2], (int64_t)l->dims * l->cells[0], bulk_fill_rows, s);
}
