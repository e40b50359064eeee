/* Sums over lattices of particles that the factors of forces are found from. A liquid that is sheared orders itself in layers that
   slide over each other, and so its viscosity is that of sliding layers: in the cubic kernel with its support of two spacings the
   integral's factor would give 0.75 (2D) or 0.8 (3D) of it. */
#include <math.h>

#include "model/sph_model.h"

/* Σ over the lattice around a particle that lies in the given layer under a flat surface across y; a layer as deep as the kernel
   reaches feels no surface. */
typedef struct tuning_sums {
    double across;       /* d Σ V ∂W/∂y: the gradient of how full space is */
    double along;        /* −Σ V x ∂W/∂x: 1 for an exact gradient of a velocity that grows with x */
} tuning_sums;

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
                double slope = m->weight * kernel_slope(k, sqrt(r2));
                sums.across -= m->spacing * slope * y * m->spacing;
                sums.along -= slope * (x * m->spacing) * (x * m->spacing);
            }
    return sums;
}

/* Layers of the lattice across y that slide along x, each `offset` spacings further than the one below. */
typedef struct tuning_shear {
    double flux;         /* −½ Σ V (dW/dr)/r x²y²/(r² + η²): momentum that goes across per shear, for K ν = 1 */
    double diagonal;     /* −Σ V (dW/dr)/r r²/(r² + η²), 1/m² */
} tuning_shear;

static tuning_shear tuning_layers(const sph_model *m, double offset)
{
    const kernel *k = &m->kernel;
    int reach = (int)ceil(k->support / m->spacing), depth = m->dims == 3 ? reach : 0;
    tuning_shear sums = {0};
    for (int layer = -reach; layer <= reach; layer++)
        for (int z = -depth; z <= depth; z++)
            for (int i = -2 * reach; i <= 2 * reach; i++) {
                double x = (i + remainder(offset * layer, 1)) * m->spacing, y = layer * m->spacing, r2 = x * x + y * y + z * z * m->spacing * m->spacing;
                if (r2 == 0)
                    continue;
                double pull = -m->weight * kernel_slope(k, sqrt(r2)) / (r2 + 0.01 * k->length * k->length);
                sums.flux += 0.5 * pull * x * x * y * y;
                sums.diagonal += pull * r2;
            }
    return sums;
}

enum { OFFSETS = 32 };

sph_tuning sph_model_tune(const sph_model *m)
{
    int reach = (int)ceil(m->kernel.support / m->spacing);
    tuning_shear mean = {0};
    for (int i = 0; i < OFFSETS; i++) {
        tuning_shear own = tuning_layers(m, (i + 0.5) / OFFSETS);
        mean.flux += own.flux / OFFSETS;
        mean.diagonal += own.diagonal / OFFSETS;
    }
    sph_tuning tuning = {.shear = 1 / mean.flux, .stiffness = mean.diagonal / mean.flux * m->spacing * m->spacing};
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
