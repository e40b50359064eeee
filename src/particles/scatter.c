/* The additive recurrence x_i = frac(x_0 + i α), with α from the root g of g^(d+1) = g + 1 in d dimensions (Roberts
   2018, "The unreasonable effectiveness of quasirandom sequences"; Kronecker and Weyl before). Unlike jittered cells it
   is even at every length, so one sequence serves given numbers, given densities and particles emitted one by one. Each
   point is then jittered by up to a sixth of the mean distance, because otherwise the lattice is visible. */
#include "particles/scatter.h"

#include "base/random.h"

static double scatter_root(int dims)
{
    return dims == 2 ? 1.32471795724474602596 : 1.22074408460575947536;
}

static double scatter_fraction(double v)
{
    return v - floor(v);
}

void scatter_place(const scatter *s, uint64_t index, double place[3])
{
    double step = 1;
    /* mean distance of the first `index` points, relative to the box */
    double apart = pow((double)index + 1, -1.0 / s->dims), jitter = fmax(apart / 3, s->blur);
    for (int a = 0; a < 3; a++) {
        place[a] = 0;
        if (a >= s->dims)
            continue;
        step /= scatter_root(s->dims);
        double even =
            random_unit(s->seed, (uint64_t)a) + scatter_fraction((double)(index % (UINT64_C(1) << 40)) * step);
        double moved = even + jitter * (random_unit(s->seed + 1, 4 * index + (uint64_t)a) - 0.5);
        place[a] = s->low[a] + (s->high[a] - s->low[a]) * scatter_fraction(moved);
    }
}

fr_result scatter_covers(const scatter *s, const double place[3], bool *covered)
{
    double distance = -1;
    if (s->shape)
        FR_TRY(shape_distance(s->shape, place, &distance));
    *covered = distance < 0;
    return FR_OK;
}
