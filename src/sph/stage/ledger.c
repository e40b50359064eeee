#include "sph/stage/ledger.h"

#include <math.h>

/* In the order of the particles, which is the same for any number of threads. */
sph_ledger stage_sph_ledger(const sph_model *m, const sph_state *s)
{
    sph_ledger sum = {0};
    const double *g = m->gravity;
    for (int64_t n = 0; n < s->fluid.count; n++) {
        const float *v = s->fluid.velocity[n], *x = s->fluid.position[n];
        double excess = fmax(s->density[n] - 1, 0);
        for (int a = 0; a < m->dims; a++) {
            sum.kinetic_energy += 0.5 * m->mass * v[a] * v[a];
            sum.potential_energy -= m->mass * g[a] * (x[a] - m->low[a]);
            sum.momentum[a] += m->mass * v[a];
        }
        sum.density_error += excess;
        sum.density_error_max = fmax(sum.density_error_max, excess);
    }
    sum.density_error /= fmax(1, (double)s->fluid.count);
    return sum;
}
