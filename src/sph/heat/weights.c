/* The weights of conduction and the area of surfaces, set on the lattice. */
#include <math.h>

#include "base/half.h"
#include "base/memory.h"
#include "sph/model.h"

/* The halves from 0 to 1, which are distances as shares of the support, in the order of their bits. */
enum { DISTANCES = 0x3c00 + 1 };

static double weights_distance(int bits) { return (double)wide_of_half((half_eight){(uint16_t)bits})[0]; }

/* −V d² (dW/dr)/r · r²/(r² + η²), of which ½ Σ w x²/d² is 1 in the integral, times 2. */
static double weights_plain(const sph_model *m, double share)
{
    const double r = share * m->kernel.support, r2 = r * r / (m->spacing * m->spacing);
    const double plain = -m->weight * m->spacing * m->spacing * kernel_slope(&m->kernel, r);
    return r > 0 ? plain * r2 / (r2 + sph_model_soft(m)) : 0;
}

/* ½ Σ w x²/d² on the lattice: by this much conduction would be off. */
static double weights_of_lattice(const sph_model *m)
{
    const int reach = (int)ceil(m->kernel.support / m->spacing), depth = m->dims == 3 ? reach : 0;
    double sum = 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const double share = m->spacing * sqrt(x * x + y * y + z * z) / m->kernel.support;
                sum += share < 1 ? 0.5 * weights_plain(m, share) * x * x : 0;
            }
    return sum;
}

/* |Σ g| of each layer below a flat surface of the lattice, from the neighbours that are missing. The layers that are
   counted as its surface have half of the first one's at least. */
static void weights_surface(sph_model *m)
{
    const int reach = (int)ceil(m->kernel.support / m->spacing), depth = m->dims == 3 ? reach : 0;
    double first = 0;
    m->cooled_surface = 0;
    for (int layer = 0; layer < reach; layer++) {
        double sum = 0;
        for (int z = -depth; z <= depth; z++)
            for (int y = layer + 1; y <= reach; y++)
                for (int x = -reach; x <= reach; x++) {
                    const double r = m->spacing * sqrt(x * x + y * y + z * z);
                    sum -= m->weight * kernel_slope(&m->kernel, r) * y * m->spacing * m->spacing;
                }
        first = layer == 0 ? sum : first;
        m->cooled_surface += sum > 0.5 * first ? sum : 0;
    }
    m->cooled_least = 0.5 * first;
}

fr_result sph_model_conduction(sph_model *m)
{
    m->conduction = MEMORY_NEW(float, DISTANCES);
    if (!m->conduction)
        return FR_ERROR_MEMORY;
    const double whole = weights_of_lattice(m);
    for (int bits = 0; bits < DISTANCES; bits++)
        m->conduction[bits] = (float)(weights_plain(m, weights_distance(bits)) / whole);
    weights_surface(m);
    return FR_OK;
}
