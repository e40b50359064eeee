/* Sums over the lattice of particles at rest that the factors of forces are found from. */
#include <math.h>

#include "model/sph_model.h"

/* Σ over the lattice around a particle that lies in the given layer under a flat surface across y; a layer as deep as the kernel
   reaches feels no surface. */
typedef struct tuning_sums {
    double across;       /* d Σ V ∂W/∂y: the gradient of how full space is */
    double along;        /* −Σ V x ∂W/∂x: 1 for an exact gradient of a velocity that grows with x */
    double pull;         /* −Σ V r dW/dr · r²/(r² + η²): dims for very many neighbours */
    double diagonal;     /* the same sum over r² */
} tuning_sums;

static double tuning_softening(const kernel *k) { return 0.01 * k->length * k->length; }

static tuning_sums tuning_lattice(const sph_model *m, int layer)
{
    const kernel *k = &m->kernel;
    int reach = (int)ceil(k->support / m->spacing), depth = m->dims == 3 ? reach : 0;
    tuning_sums sums = {0};
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= (layer < reach ? layer : reach); y++)
            for (int x = -reach; x <= reach; x++) {
                double r2 = (x * x + y * y + z * z) * m->spacing * m->spacing;
                if (r2 == 0)
                    continue;
                double slope = m->weight * kernel_slope(k, sqrt(r2)), pull = -slope * r2 / (r2 + tuning_softening(k));
                sums.across -= m->spacing * slope * y * m->spacing;
                sums.along -= slope * (x * m->spacing) * (x * m->spacing);
                sums.pull += pull * r2;
                sums.diagonal += pull;
            }
    return sums;
}

sph_tuning sph_model_tune(const sph_model *m)
{
    int reach = (int)ceil(m->kernel.support / m->spacing);
    tuning_sums whole = tuning_lattice(m, reach);
    sph_tuning tuning = {.shear = 2.0 * m->dims * (m->dims + 2) / whole.pull};
    tuning.stiffness = tuning.shear * whole.diagonal * m->spacing * m->spacing;
    /* A flat surface that is stretched must resist with one times the tension: the work of its layers together. */
    double work = 0;
    for (int layer = 0; layer < reach; layer++) {
        tuning_sums sums = tuning_lattice(m, layer);
        work += fabs(sums.across) * sums.along;
    }
    tuning.tension = 1 / work;
    return tuning;
}

int sph_model_work(const fr_scene_def *def)
{
    const fr_sph_def *sph = &def->sph;
    bool stress = sph->mu > 0 || sph->lambda != 0 || def->fluid.surface_tension > 0;
    return def->fluid.viscosity > 0 ? 7 : stress || sph->vorticity > 0 ? 2 : 0;
}
