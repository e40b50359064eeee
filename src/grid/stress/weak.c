/* Viscosity that hardly acts within a step, as that of water on all but the finest grids: K is small beside W, and the
   diagonal says nearly all. Then no coarse levels are made, and conjugate gradients with the diagonal alone stop after
   a few iterations. */
#include <math.h>

#include "grid/stress/parts.h"

/* ν Δt/h² up to which it is weak. */
static const double WEAK = 1e-3;

static double weak_greatest(const stress *s)
{
    const field *viscosities = s->problem.viscosities;
    const domain *d = &s->block;
    double greatest = viscosities ? 0 : s->problem.viscosity;
    for (int k = 0; viscosities && k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++) {
            const float *row = field_row(viscosities, j, k);
            for (int i = 0; i < d->n[0]; i++)
                greatest = fmax(greatest, (double)row[i]);
        }
    return greatest;
}

bool stress_is_weak(const stress *s)
{
    const double h = domain_min_h(&s->block), times = fmax(s->problem.bulk, 1);
    return times * weak_greatest(s) * s->problem.dt <= WEAK * h * h;
}

/* x = D⁻¹b. */
static void weak_divide(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)context;
    (void)index;
    for (int a = 0; a < l->dims; a++) {
        const float *b = l->b.of[a] + run->at, *inverse = l->inverse.of[a] + run->at;
        float *x = l->x.of[a] + run->at;
        for (int i = 0; i < run->n; i++)
            x[i] = inverse[i] * b[i];
    }
}

void stress_divide(const stress *s)
{
    stress_for_runs(&s->level[0], weak_divide, NULL);
}
