/* Jumps of the viscosity that are too sharp for the solver are smeared before the system is built.

   Lumps that touch with a jump of many decades from one cell to the next leave modes that no coarse level sees. Slopes
   of more than 1e5 from a cell to the next are cut to that: a jump of 1e9 takes two steps, one of 1e11 three. Milder
   jumps stay as sharp as they are: layers of 1:10000 have the exact speed between them.

   Of all functions that are nowhere steeper there is a greatest one below log ν and a least one above it; the mean of
   the two spreads a jump to both sides alike. Each is found by a sweep through the grid and one back, which is exact
   for distances along the axes. Viscosities too small to act in the step count as alike. */
#include <math.h>

#include "grid/halo.h"
#include "grid/stress/parts.h"

static const float STEEPEST = 11.513f; /* ln 1e5 */

/* One of the two functions: sign 1 is that below, which lowers what is too high, −1 the one above. */
typedef struct smear_sweep {
    const field *f;
    float sign;
    int way; /* 1: upwards, −1: back */
} smear_sweep;

/* Limits the slope from the neighbours that the sweep has passed; says whether that changed anything. */
static bool smear_cell(const smear_sweep *sweep, const int at[3])
{
    const field *f = sweep->f;
    float *here = f->data + field_offset(f, at[0], at[1], at[2]), best = *here;
    for (int a = 0; a < 3; a++) {
        int behind = at[a] - sweep->way;
        if (behind < 0 || behind >= f->size[a])
            continue;
        float bound = here[-sweep->way * f->stride[a]] + sweep->sign * STEEPEST;
        best = sweep->sign * best > sweep->sign * bound ? bound : best;
    }
    bool changed = best != *here;
    *here = best;
    return changed;
}

static bool smear_along(const smear_sweep *sweep)
{
    const int *n = sweep->f->size;
    bool any = false;
    int step[3], at[3];
    for (step[2] = 0; step[2] < n[2]; step[2]++)
        for (step[1] = 0; step[1] < n[1]; step[1]++)
            for (step[0] = 0; step[0] < n[0]; step[0]++) {
                for (int a = 0; a < 3; a++)
                    at[a] = sweep->way > 0 ? step[a] : n[a] - 1 - step[a];
                any = smear_cell(sweep, at) || any;
            }
    return any;
}

/* Limits both functions; false where none is too steep. */
static bool smear_limit(const stress *s)
{
    bool any = false;
    for (int f = 0; f < 2; f++)
        for (int way = 1; way >= -1; way -= 2)
            any = smear_along(&(smear_sweep){&s->smooth[f], f == 0 ? 1 : -1, way}) || any;
    return any;
}

static void smear_read(const stress *s, double least)
{
    const field *from = s->problem.viscosities;
    for (int k = 0; k < from->size[2]; k++)
        for (int j = 0; j < from->size[1]; j++)
            for (int i = 0; i < from->size[0]; i++)
                for (int f = 0; f < 2; f++)
                    field_row(&s->smooth[f], j, k)[i] = logf(fmaxf(field_row(from, j, k)[i], (float)least));
}

/* The mean, where the two differ; counts the cells of liquid that changed. */
static void smear_write(stress *s)
{
    const field *from = s->problem.viscosities, *surface = s->problem.surface;
    const field *low = &s->smooth[0], *high = &s->smooth[1];
    for (int k = 0; k < from->size[2]; k++)
        for (int j = 0; j < from->size[1]; j++)
            for (int i = 0; i < from->size[0]; i++) {
                float *to = field_row(low, j, k) + i, top = field_row(high, j, k)[i];
                bool differ = top > *to;
                s->smeared += differ && (!surface || field_row(surface, j, k)[i] < 0);
                *to = differ ? expf(0.5f * (*to + top)) : field_row(from, j, k)[i];
            }
}

void stress_smear(stress *s)
{
    const double square = domain_min_h(&s->block) * domain_min_h(&s->block);
    s->smeared = 0;
    if (!s->problem.viscosities || !(s->problem.dt > 0))
        return;
    smear_read(s, 1e-6 * square / s->problem.dt);
    if (!smear_limit(s))
        return;
    smear_write(s);
    halo_fill_even(&s->smooth[0], &s->block);
    s->problem.viscosities = &s->smooth[0];
}

int64_t stress_smeared(const stress *s)
{
    return s->smeared;
}
