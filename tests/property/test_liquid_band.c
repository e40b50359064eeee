/* Parcels in a narrow band along the surface: far fewer of them, and the liquid as with all. */
#include "support/pools.h"

static const fr_liquid_surface carriers[] = {FR_LIQUID_FLIP, FR_LIQUID_APIC};
enum { CARRIERS = sizeof carriers / sizeof *carriers };

static void check_rest(fr_liquid_surface surface, int dims, int refine)
{
    pool p;
    pools_make(&p, surface, dims, (double[3]){1, 1, 1}, dims == 3 ? 16 : 32);
    p.def.liquid.narrow_band = 3;
    p.def.liquid.refine = refine;
    p.liquid = pools_below(0.63);
    pools_add_obstacle(&p, pools_box((double[3]){0.6, -1, -1}, (double[3]){1.2, 0.21, 2}));
    p.def.time = (fr_time_def){.duration = dims == 3 ? 0.5 : 2, .fps = 4};
    fr_world *world = worlds_create(&p.def);
    for (int frame = 0; frame < fr_world_frame_count(world); frame++)
        assert_ok(fr_world_step_frame(world));
    print_message("%dD, %d times as fine: %.1e m/s\n", dims, refine, worlds_ledger(world, "max_speed"));
    assert_below(worlds_ledger(world, "max_speed"), 1e-4);
    assert_near(worlds_ledger(world, "volume_error"), 0, 1e-6);
    assert_near(worlds_ledger(world, "particles_lost"), 0, 0);
    fr_world_destroy(world);
}

static void still_water_rests(void **state)
{
    (void)state;
    for (int t = 0; t < CARRIERS; t++)
        for (int refine = 1; refine <= 2; refine++) {
            check_rest(carriers[t], 2, refine);
            check_rest(carriers[t], 3, refine);
        }
}

/* What a falling dam makes of its volume, left free, over two seconds. */
typedef struct fall {
    double worst;   /* change of the volume, relative */
    double energy;  /* the most at once, of that at the start */
    double parcels; /* at the start */
} fall;

static fall dam_falls(fr_liquid_surface surface, double band)
{
    pool p;
    fall found = {0};
    pools_make(&p, surface, 2, (double[3]){1.6, 0.8, 0}, 96);
    p.def.liquid.narrow_band = band;
    p.def.liquid.volume = FR_LIQUID_VOLUME_FREE;
    p.liquid = pools_box((double[3]){-1, -1, -1}, (double[3]){0.6, 0.6, 1});
    p.def.time = (fr_time_def){.duration = 2, .fps = 24};
    fr_world *world = worlds_create(&p.def);
    found.parcels = worlds_ledger(world, "particles");
    const double energy = pools_energy(world);
    for (int frame = 0; frame < fr_world_frame_count(world); frame++) {
        assert_ok(fr_world_step_frame(world));
        found.worst = fmax(found.worst, fabs(worlds_ledger(world, "volume_error")));
        found.energy = fmax(found.energy, pools_energy(world) / energy);
        assert_near(worlds_ledger(world, "particles_lost"), 0, 0);
    }
    fr_world_destroy(world);
    return found;
}

static void dams_keep_their_volume(void **state)
{
    (void)state;
    for (int t = 0; t < CARRIERS; t++) {
        fall all = dam_falls(carriers[t], 0), band = dam_falls(carriers[t], 3);
        print_message("%s: volume off by %.2f %%, in a band by %.2f %%; energy %.4f and %.4f; parcels %g and %g\n",
                      t ? "apic" : "flip", 100 * all.worst, 100 * band.worst, all.energy, band.energy, all.parcels,
                      band.parcels);
        assert_below(band.parcels, 0.25 * all.parcels);
        assert_below(band.worst, 0.03);
        assert_below(band.energy, 1.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(still_water_rests), cmocka_unit_test(dams_keep_their_volume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
