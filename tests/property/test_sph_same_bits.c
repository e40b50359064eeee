/* Every SPH solver gives the same bits for any number of threads, and in a run that is saved and resumed in a new
   world. */
#include <stdlib.h>

#include "support/dams.h"

typedef struct variant {
    fr_sph_solver solver;
    fr_sph_density density;
    double viscosity;     /* m²/s: so much is solved for */
    bool floats;          /* a body lies in the column's way, and one is thrown in */
    double yield;         /* m²/s² */
} variant;

static const variant variants[] = {
    {FR_SPH_DFSPH, FR_SPH_SUM, 0, false, 0},    {FR_SPH_DFSPH, FR_SPH_SUM, 5, false, 0},
    {FR_SPH_PCISPH, FR_SPH_SUM, 0, false, 0},   {FR_SPH_WCSPH, FR_SPH_SUM, 0, false, 0},
    {FR_SPH_DFSPH, FR_SPH_SUM, 5, true, 0},     {FR_SPH_PCISPH, FR_SPH_SUM, 0.01, true, 0},
    {FR_SPH_WCSPH, FR_SPH_SUM, 1e-3, true, 0},  {FR_SPH_WCSPH, FR_SPH_CONTINUITY, 0, false, 0},
    {FR_SPH_DFSPH, FR_SPH_SUM, 0.01, true, 0.5}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void add_bodies(dams_box *box, int dims)
{
    static fr_shape_def shapes[2];
    static fr_body_def bodies[2];
    for (int i = 0; i < 2; i++) {
        shapes[i] = fr_default_shape(i == 0 ? FR_SHAPE_SPHERE : FR_SHAPE_BOX);
        shapes[i].radius = 0.25;
        for (int a = 0; a < 3; a++) {
            shapes[i].max[a] = 0.2;
            shapes[i].min[a] = -0.2;
        }
        bodies[i] = fr_default_body();
        bodies[i].shape = (fr_placed_shape){.shape = &shapes[i], .axis = {0, 0, 1}};
        memcpy(bodies[i].shape.at, (double[3]){0.6 + 0.6 * i, 0.5, dims == 3 ? 0.5 : 0}, sizeof bodies[i].shape.at);
        bodies[i].density.value = i == 0 ? 100 : 2000;
    }
    bodies[1].from = 0.02;
    box->def.bodies = bodies;
    box->def.body_count = 2;
}

static void make_variant(dams_box *box, int v, int dims)
{
    dams_fall(box, variants[v].solver, dims, dims == 3 ? 12 : 40);
    box->def.sph.density = variants[v].density;
    box->def.fluid.viscosity = variants[v].viscosity;
    box->def.fluid.yield = variants[v].yield;
    box->def.time.fps = 60;
    if (variants[v].floats)
        add_bodies(box, dims);
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

static void test_resume(void **state)
{
    (void)state;
    fr_set_threads(2);
    for (int v = 0; v < VARIANTS; v++)
        for (int dims = 2; dims <= 3; dims++) {
            dams_box box;
            make_variant(&box, v, dims);
            worlds_check_resume(&box.def, variants[v].solver == FR_SPH_WCSPH ? 25 : 7, "density_error", "sph");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_resume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
