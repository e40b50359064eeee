/* Every SPH solver gives the same bits for any number of threads, and in a run that is saved and resumed in a new
   world. */
#include <stdlib.h>

#include "support/dams.h"

typedef struct variant {
    fr_sph_solver solver;
    fr_sph_density density;
} variant;

static const variant variants[] = {{FR_SPH_DFSPH, FR_SPH_SUM},
                                   {FR_SPH_PCISPH, FR_SPH_SUM},
                                   {FR_SPH_WCSPH, FR_SPH_SUM},
                                   {FR_SPH_WCSPH, FR_SPH_CONTINUITY}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void make_variant(dams_box *box, int v, int dims)
{
    dams_fall(box, variants[v].solver, dims, dims == 3 ? 12 : 40);
    box->def.sph.density = variants[v].density;
    box->def.time.fps = 60;
}

static void test_threads(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANTS; v++)
        for (int dims = 2; dims <= 3; dims++) {
            dams_box box;
            make_variant(&box, v, dims);
            uint64_t one = worlds_run_hash(&box.def, 1);
            for (int threads = 2; threads <= 3; threads++)
                assert_true(one == worlds_run_hash(&box.def, threads));
        }
}

static void check_resume(int v, int dims, int steps)
{
    dams_box box;
    make_variant(&box, v, dims);
    fr_world *whole = worlds_create(&box.def), *second = worlds_create(&box.def);
    for (int i = 0; i < steps; i++)
        assert_ok(fr_world_step(whole, NULL));
    const fr_block *blocks;
    int count;
    assert_ok(fr_world_snapshot(whole, &blocks, &count));
    assert_ok(fr_world_restore(second, blocks, count));
    for (int frame = 0; frame < 2; frame++) {
        assert_ok(fr_world_step_frame(whole));
        assert_ok(fr_world_step_frame(second));
    }
    assert_true(worlds_hash(whole) == worlds_hash(second));
    assert_near(worlds_ledger(whole, "density_error"), worlds_ledger(second, "density_error"), 0);
    fr_world_destroy(whole);
    fr_world_destroy(second);
}

static void test_resume(void **state)
{
    (void)state;
    fr_set_threads(2);
    for (int v = 0; v < VARIANTS; v++)
        for (int dims = 2; dims <= 3; dims++)
            check_resume(v, dims, variants[v].solver == FR_SPH_WCSPH ? 25 : 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_resume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
