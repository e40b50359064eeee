#include <math.h>

#include "base/threads.h"
#include "surface/levelset/band.h"

/* The share of the unit cube where m·x < level, for 0 ≤ m₀ ≤ m₁ ≤ m₂ with sum 1 and a level of at most ½ (Scardovelli &
   Zaleski 2000). */
static double volume_corner(const double m[3], double level)
{
    const double both = m[0] + m[1], cut = both < m[2] ? both : m[2], product = 6 * m[0] * m[1] * m[2];
    const double cubes = m[0] * m[0] * (m[0] - 3 * level) + m[1] * m[1] * (m[1] - 3 * level);
    if (level <= 0)
        return 0;
    if (level < m[0])
        return level * level * level / product;
    if (level < m[1])
        return (level * (level - m[0]) + m[0] * m[0] / 3) / (2 * m[1] * m[2]);
    if (level < cut)
        return (level * level * (3 * both - level) + cubes) / product;
    if (m[2] < both)
        return (level * level * (3 - 2 * level) + cubes + m[2] * m[2] * (m[2] - 3 * level)) / product;
    return (2 * level - both) / (2 * m[2]);
}

static void volume_sort(double *low, double *high)
{
    if (*low > *high) {
        const double t = *low;
        *low = *high;
        *high = t;
    }
}

/* The share of a cell where value + Σ change·x < 0, for x = −½ … ½ along each axis. */
static double volume_share(double value, const double change[3])
{
    double m[3] = {fabs(change[0]), fabs(change[1]), fabs(change[2])};
    const double sum = m[0] + m[1] + m[2];
    if (2 * fabs(value) >= sum)
        return value < 0 ? 1 : 0;
    for (int a = 0; a < 3; a++)
        m[a] = m[a] < 1e-7 * sum ? 0 : m[a] / sum; /* tinier ones would divide by nothing */
    volume_sort(&m[0], &m[1]);
    volume_sort(&m[1], &m[2]);
    volume_sort(&m[0], &m[1]);
    const double level = 0.5 - value / sum;
    return level <= 0.5 ? volume_corner(m, level) : 1 - volume_corner(m, 1 - level);
}

typedef struct volume_job {
    const levelset *ls;
    const field *phi, *open;
    double moved;    /* the surface is moved outward by this, m */
    double *partial; /* per row of the box */
} volume_job;

double levelset_share(const field *phi, const float *at, double moved)
{
    double change[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++)
        change[a] = 0.5 * ((double)at[phi->stride[a]] - at[-phi->stride[a]]);
    return volume_share(at[0] - moved, change);
}

static void volume_rows(void *context, int begin, int end)
{
    const volume_job *job = context;
    const field *phi = job->phi;
    /* beyond this distance a cell is all liquid or all air, even where φ is steeper than a distance */
    const double sure = 0.5 * job->ls->width;
    for (int m = begin; m < end; m++) {
        const int j = m % phi->size[1], k = m / phi->size[1];
        const float *row = field_row(phi, j, k), *open = job->open ? field_row(job->open, j, k) : NULL;
        double sum = 0;
        for (int i = 0; i < phi->size[0]; i++) {
            double share = row[i] < 0;
            if (fabs(row[i]) < sure)
                share = levelset_share(phi, row + i, job->moved);
            sum += open ? share * open[i] : share;
        }
        job->partial[m] = sum;
    }
}

static double volume_moved(levelset *ls, const field *phi, const field *open, double moved)
{
    volume_job job = {ls, phi, open, moved, ls->rows};
    field_for_rows(phi, volume_rows, &job);
    return threads_sum(ls->rows, field_rows(phi)) * domain_cell_volume(&ls->d);
}

double levelset_volume(levelset *ls, const field *phi, const field *open)
{
    return volume_moved(ls, phi, open, 0);
}

typedef struct volume_shift {
    const levelset *ls;
    float moved;
    field *phi;
} volume_shift;

static void volume_shift_part(void *context, int begin, int end)
{
    const volume_shift *job = context;
    const levelset *ls = job->ls;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        for (int k = 0; k < b.inside[2]; k++)
            for (int j = 0; j < b.inside[1]; j++) {
                float *row = field_row(job->phi, b.first[1] + j, b.first[2] + k) + b.first[0];
                for (int i = 0; i < b.inside[0]; i++)
                    if (fabsf(row[i]) < ls->width)
                        row[i] = fmaxf(fminf(row[i] - job->moved, ls->width), -ls->width);
            }
    }
}

double levelset_shift(levelset *ls, double wanted, const field *open, field *phi)
{
    enum { STEPS = 6 };
    const double probe = 0.05 * domain_min_h(&ls->d), most = domain_min_h(&ls->d), close = 1e-9 * wanted;
    double moved = 0, volume = levelset_volume(ls, phi, open);
    const double area = (volume_moved(ls, phi, open, probe) - volume_moved(ls, phi, open, -probe)) / (2 * probe);
    for (int step = 0; step < STEPS && area > 0 && fabs(volume - wanted) > close; step++) {
        moved = fmax(fmin(moved + (wanted - volume) / area, most), -most);
        volume = volume_moved(ls, phi, open, moved);
    }
    band_for_blocks(ls, volume_shift_part, &(volume_shift){ls, (float)moved, phi});
    levelset_fill_ghosts(ls, phi);
    return (float)moved;
}
