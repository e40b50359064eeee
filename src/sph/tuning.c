/* Calibrates the factors of forces by sums over lattices of particles. A sheared liquid orders itself into layers that
   slide over each other, so viscosity is calibrated on sliding layers: with the cubic kernel and a support of two
   spacings the factor from the integral would give 0.75 (2D) or 0.8 (3D) of it. */
#include <math.h>

#include "base/half.h"
#include "base/memory.h"
#include "base/vec.h"
#include "sph/model.h"

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
                double x = (i + remainder(offset * layer, 1)) * m->spacing, y = layer * m->spacing,
                       r2 = x * x + y * y + z * z * m->spacing * m->spacing;
                if (r2 == 0)
                    continue;
                double pull = -m->weight * kernel_slope(k, sqrt(r2)) / (r2 + 0.01 * k->length * k->length);
                sums.flux += 0.5 * pull * x * x * y * y;
                sums.diagonal += pull * r2;
            }
    return sums;
}

/* Energy per area and density of a surface for which a pair has the force f(q) = q⁵ (1 − q)³ (sph/stage/tension.c), so
   the energy −R (1/504 − q⁶/6 + 3q⁷/7 − 3q⁸/8 + q⁹/9): that of the pairs which a cut parts, half of it to either side.
   A pair of the length r is parted if the cut passes within r |cos| of it: r/2 in the mean over all directions in
   space, 2r/π in the plane. */
static double tuning_surface_energy(const sph_model *m)
{
    int reach = (int)ceil(m->kernel.support / m->spacing), depth = m->dims == 3 ? reach : 0;
    double mean = m->dims == 3 ? 0.5 : 2 / FR_PI, energy = 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double r = m->spacing * sqrt(x * x + y * y + z * z), q = r / m->kernel.support, q6 = pow(q, 6);
                if (q < 1)
                    energy += 0.25 * mean * r * m->kernel.support *
                              (1.0 / 504 - q6 * (1.0 / 6 - q * (3.0 / 7 - q * (3.0 / 8 - q / 9))));
            }
    return energy;
}

enum { OFFSETS = 32 };

sph_tuning sph_model_tune(const sph_model *m)
{
    tuning_shear mean = {0};
    for (int i = 0; i < OFFSETS; i++) {
        tuning_shear own = tuning_layers(m, (i + 0.5) / OFFSETS);
        mean.flux += own.flux / OFFSETS;
        mean.diagonal += own.diagonal / OFFSETS;
    }
    sph_tuning tuning = {.shear = 1 / mean.flux, .stiffness = mean.diagonal / mean.flux * m->spacing * m->spacing};
    tuning.tension = 1 / tuning_surface_energy(m);
    return tuning;
}

/* The halves from 0 to 1, which are distances as shares of the support, in the order of their bits. */
enum { DISTANCES = 0x3c00 + 1 };

/* Gradients that round to 0 in a record count as 0. */
static const double LEAST_GRADIENT = 0x1p-25;

fr_result sph_model_friction(sph_model *m)
{
    m->friction = MEMORY_NEW(float, DISTANCES);
    if (!m->friction)
        return FR_ERROR_MEMORY;
    for (int bits = 0; bits < DISTANCES; bits++) {
        double share = (double)wide_of_half((half_eight){(uint16_t)bits})[0],
               r = share * m->kernel.support / m->spacing;
        double steep = -m->spacing * m->spacing * m->weight * kernel_slope(&m->kernel, share * m->kernel.support) * r;
        m->friction[bits] = steep > LEAST_GRADIENT ? (float)(r / (steep * (r * r + sph_model_soft(m)))) : 0;
    }
    return FR_OK;
}
