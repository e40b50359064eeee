/* Liquid shares of boxes from a level set. */
#include <math.h>

#include "grid/stress/parts.h"

static double cube(double x)
{
    return x > 0 ? x * x * x : 0;
}

/* The part of the unit cube with Σ m_a x_a < α (Scardovelli & Zaleski 2000, equation 10), all m_a > 0. */
static double share_below(const double m[3], double alpha)
{
    double sum = m[0] + m[1] + m[2];
    if (alpha <= 0 || alpha >= sum)
        return alpha > 0;
    if (alpha > 0.5 * sum)
        return 1 - share_below(m, sum - alpha);
    double volume = cube(alpha);
    for (int a = 0; a < 3; a++)
        volume += cube(alpha - sum + m[a]) - cube(alpha - m[a]);
    return fmin(volume / (6 * m[0] * m[1] * m[2]), 1);
}

/* The share of a box with φ < 0, for φ linear with the value `middle` in its middle and the differences `across` it. */
static double share_of_plane(const domain *d, double middle, const double across[3])
{
    /* In drops and films thinner than a cell the gradient says nothing: it is taken to be at least this. */
    const double least_gradient = 0.5;
    /* Flatter slopes are replaced: the formula divides by them. The share changes by less than this. */
    const double least_slope = 1e-4;
    double m[3] = {0}, square = 0, largest = 0;
    for (int a = 0; a < d->dims; a++) {
        m[a] = fabs(across[a]);
        square += m[a] * m[a] / (d->h[a] * d->h[a]);
    }
    double lift = square < least_gradient * least_gradient ? least_gradient / fmax(sqrt(square), 1e-6) : 1;
    for (int a = 0; a < d->dims; a++) {
        m[a] = fmax(m[a] * lift, square < 1e-12 ? least_gradient * d->h[a] / sqrt(d->dims) : 0);
        largest = fmax(largest, m[a]);
    }
    for (int a = 0; a < 3; a++)
        m[a] = fmax(m[a], least_slope * largest);
    return share_below(m, 0.5 * (m[0] + m[1] + m[2]) - middle);
}

/* φ in the middle and its differences across the box: means over the cells whose centres lie on the corners of `half`.
 */
static void share_read(const field *surface, const int low[3], const bool half[3], int dims, double *middle,
                       double across[3])
{
    int cells = 0;
    *middle = across[0] = across[1] = across[2] = 0;
    for (int corner = 0; corner < 8; corner++) {
        const int back[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        if ((back[0] && !half[0]) || (back[1] && !half[1]) || (back[2] && !half[2]))
            continue;
        const float *at = surface->data + field_offset(surface, low[0] - back[0], low[1] - back[1], low[2] - back[2]);
        for (int a = 0; a < dims; a++) {
            ptrdiff_t step = surface->stride[a];
            across[a] += half[a] ? (back[a] ? -2 : 2) * at[0] : 0.5 * ((double)at[step] - at[-step]);
        }
        *middle += at[0];
        cells++;
    }
    *middle /= cells;
    for (int a = 0; a < dims; a++)
        across[a] /= cells;
}

float stress_share(const stress *s, const int low[3], const bool half[3])
{
    stress_zone zone = stress_zone_of(s, low);
    if (zone != STRESS_NEAR)
        return zone == STRESS_INSIDE;
    double middle, across[3];
    share_read(s->problem.surface, low, half, s->block.dims, &middle, across);
    return (float)share_of_plane(&s->block, middle, across);
}
