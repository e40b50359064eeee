/* The level set of parcels. */
#include "hybrid_case.h"

static const float AT_REST[3] = {0, 0, 0};
static const double DEPTH = 10.3;   /* cells, of the pool */

static double pool(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (x[1] - DEPTH);
}

static double slope(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * ((x[0] - 12) * 0.48 + (x[1] - 12) * 0.8 + (x[2] - 12) * 0.36);
}

static double ball(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (sqrt((x[0] - 12) * (x[0] - 12) + (x[1] - 12) * (x[1] - 12) + (x[2] - 12) * (x[2] - 12)) - 7);
}

/* Eddies below the surface, which is not moved by them, nor are the walls crossed; no divergence. */
static double eddies(const double x[3], int axis)
{
    double k = FR_PI / 6, l = FR_PI / DEPTH, y = fmin(x[1], DEPTH);
    if (axis == 0)
        return 0.1 * sin(k * x[0]) * cos(l * y) * (1 + 0.5 * sin(k * x[2]));
    if (axis == 1)
        return -0.1 * (k / l) * cos(k * x[0]) * sin(l * y) * (1 + 0.5 * sin(k * x[2]));
    return 0;
}

/* Parcels as after some time of flow: no trace of how they were seeded. */
static void disturb(hybrid_case *c)
{
    for (int a = 0; a < c->d.dims; a++)
        hybrid_set(&c->d, &c->velocity[a], eddies);
    for (int n = 0; n < 60; n++)
        transfer_from_grid(&(transfer_flow){.velocity = c->velocity, .change = c->velocity, .dt = 0.5, .order = 3},
                           &c->p);
    parcels_sort(&c->p);
}

/* Height of the surface above a cell of the bottom, in cells. */
static double height(const hybrid_case *c, int i, int k)
{
    for (int j = c->d.n[1] - 1; j > 0; j--) {
        double high = field_row(&c->phi, j, k)[i], low = field_row(&c->phi, j - 1, k)[i];
        if (low < 0)
            return j - 0.5 + low / (low - high);
    }
    return 0;
}

/* A pool's surface is flat and where it was filled to. */
static void pool_is_flat(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int stirred = 0; stirred < 2; stirred++) {
            hybrid_case c = hybrid_case_make(hybrid_box(dims, 24), PARCELS_FLIP);
            hybrid_set(&c.d, &c.phi, pool);
            hybrid_seed(&c, AT_REST);
            if (stirred)
                disturb(&c);
            level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = dims == 3 ? 8 : 4}, &c.phi);
            double mean = 0, square = 0, count = c.d.n[0] * c.d.n[2];
            for (int k = 0; k < c.d.n[2]; k++)
                for (int i = 0; i < c.d.n[0]; i++) {
                    mean += height(&c, i, k) / count;
                    square += (height(&c, i, k) - DEPTH) * (height(&c, i, k) - DEPTH) / count;
                }
            printf("%dD %s: mean %.4f rms %.4f\n", dims, stirred ? "stirred" : "seeded", mean - DEPTH,
                   sqrt(square - (mean - DEPTH) * (mean - DEPTH)));
            hybrid_case_free(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pool_is_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
