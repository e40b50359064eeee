/* What the ledger says of the potential energy of pools whose surface lies anywhere in its cells, level and with
   waves. */
#include "support/pools.h"

enum { CELLS = 16 };
static const double HEAVY = 9810; /* N/m³ */

typedef struct wave {
    double height, high; /* m: of the surface, of its waves */
} wave;

static fr_result wave_distance(void *context, const double *args, double *out)
{
    const wave *w = context;
    *out = args[1] - w->height - w->high * cos(2 * POOLS_PI * args[0]);
    return FR_OK;
}

/* What the ledger is off by, over the weight of a layer of one cell times a cell's width: ∫ ½ y² dx is exact. */
static double wave_error(wave w, int dims, int refine)
{
    pool p;
    pools_make(&p, FR_LIQUID_LEVEL_SET, dims, (double[3]){1, 1, 0.5}, CELLS);
    p.liquid = fr_default_shape(FR_SHAPE_SDF);
    p.liquid.function = wave_distance;
    p.liquid.context = &w;
    p.def.walls[FR_LEFT].kind = p.def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    p.def.liquid.refine = refine;
    fr_world *world = worlds_create(&p.def);
    const double deep = dims == 3 ? 0.5 : 1, h = 1.0 / CELLS,
                 missing = w.height - worlds_ledger(world, "volume") / deep;
    const double exact = 0.5 * (w.height * w.height + 0.5 * w.high * w.high) - missing * w.height;
    const double off = (worlds_ledger(world, "potential_energy") / (HEAVY * deep) - exact) / (h * h);
    fr_world_destroy(world);
    return off;
}

static void test_potential_energy_of_pools(void **state)
{
    (void)state;
    for (int refine = 1; refine <= 2; refine++)
        for (int dims = 2; dims <= 3; dims++)
            for (double high = 0; high < 0.11; high += 0.05) {
                double worst = 0;
                for (double part = 0.05; part < 1; part += 0.1)
                    worst = fmax(worst, fabs(wave_error((wave){(7 + part) / CELLS, high}, dims, refine)));
                print_message("%dD, refine %d, waves of %.2f m: off by %.4f\n", dims, refine, high, worst);
                assert_below(worst, 0.02); /* by the cells' middles it is up to 0.125 */
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_potential_energy_of_pools)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
