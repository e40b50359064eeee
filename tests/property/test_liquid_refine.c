/* A surface on a finer grid than the flow's: what it must not disturb, and what it is for. */
#include "support/pools.h"

/* Trackers whose parcels or markers correct φ. */
static const fr_liquid_surface carriers[] = {FR_LIQUID_FLIP, FR_LIQUID_APIC, FR_LIQUID_MARKERS};
enum { CARRIERS = sizeof carriers / sizeof *carriers };

static fr_world *run_to_end(const fr_scene_def *def)
{
    fr_world *world = worlds_create(def);
    for (int frame = 0; frame < fr_world_frame_count(world); frame++)
        assert_ok(fr_world_step_frame(world));
    return world;
}

static const char *name_of(fr_liquid_surface surface)
{
    int t = 0;
    while (pools_trackers[t].surface != surface)
        t++;
    return pools_trackers[t].name;
}

static void check_rest(fr_liquid_surface surface, int dims, int refine)
{
    pool p;
    pools_make(&p, surface, dims, (double[3]){1, 1, 1}, dims == 3 ? 12 : 32);
    p.def.liquid.refine = refine;
    p.liquid = pools_below(0.43);
    pools_add_obstacle(&p, pools_box((double[3]){0.6, -1, -1}, (double[3]){1.2, 0.21, 2}));
    p.def.time = (fr_time_def){.duration = dims == 3 ? 0.5 : 2, .fps = 4};
    fr_world *world = run_to_end(&p.def);
    const fr_field *phi = fr_frame_field(fr_world_frame(world), "level_set");
    assert_int_equal(fr_field_refine(fr_world_frame(world), phi), refine);
    assert_int_equal(phi->size[0], refine * fr_world_frame(world)->cells[0]);
    print_message("%s, %dD, %d times as fine: %.1e m/s\n", name_of(surface), dims, refine,
                  worlds_ledger(world, "max_speed"));
    assert_below(worlds_ledger(world, "max_speed"), 1e-4);
    assert_near(worlds_ledger(world, "volume_error"), 0, 1e-6);
    fr_world_destroy(world);
}

static void still_water_rests(void **state)
{
    (void)state;
    for (int refine = 2; refine <= 4; refine++)
        check_rest(FR_LIQUID_LEVEL_SET, 2, refine);
    check_rest(FR_LIQUID_PARTICLE_LEVEL_SET, 2, 2);
    check_rest(FR_LIQUID_LEVEL_SET, 3, 2);
    for (int t = 0; t < CARRIERS; t++) {
        check_rest(carriers[t], 2, 2);
        check_rest(carriers[t], 2, 3 + t % 2);
        check_rest(carriers[t], 3, 2);
    }
}

static const double AMPLITUDE = 0.02;

static fr_result below_wave(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[1] - 0.5 - AMPLITUDE * cos(2 * POOLS_PI * args[0]);
    return FR_OK;
}

/* The period from the first and the last of five times at which the surface is level on the left. */
static double wave_period(fr_liquid_surface surface, int refine)
{
    enum { CROSSINGS = 5, FRAMES = 200 };
    pool p;
    pools_make(&p, surface, 2, (double[3]){1, 1, 0}, 32);
    p.def.liquid.refine = refine;
    p.liquid = fr_default_shape(FR_SHAPE_SDF);
    p.liquid.function = below_wave;
    p.def.time = (fr_time_def){.duration = 2, .fps = 100};
    fr_world *world = worlds_create(&p.def);
    const double at[3] = {0.01, 0.5, 0};
    double before = pools_level_set(world, at), first = 0, last = 0;
    for (int frame = 1, found = 0; frame <= FRAMES && found < CROSSINGS; frame++) {
        assert_ok(fr_world_step_frame(world));
        double now = pools_level_set(world, at);
        if ((before < 0) != (now < 0)) {
            last = 0.01 * (frame - now / (now - before));
            first = found++ ? first : last;
        }
        before = now;
    }
    fr_world_destroy(world);
    return 2 * (last - first) / (CROSSINGS - 1);
}

static void waves_keep_their_period(void **state)
{
    (void)state;
    double k = 2 * POOLS_PI, exact = 2 * POOLS_PI / sqrt(9.81 * k * tanh(0.5 * k));
    for (int t = 0; t <= CARRIERS; t++)
        for (int refine = 1; refine <= 2; refine++) {
            fr_liquid_surface surface = t < CARRIERS ? carriers[t] : FR_LIQUID_LEVEL_SET;
            double period = wave_period(surface, refine);
            print_message("%s, %d times as fine: period %+.2f %%\n", name_of(surface), refine,
                          100 * (period / exact - 1));
            assert_near(period, exact, 0.01 * exact);
        }
}

static fr_result turn(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = -2 * POOLS_PI * (args[1] - 0.5);
    out[1] = 2 * POOLS_PI * (args[0] - 0.5);
    out[2] = 0;
    return FR_OK;
}

/* Zalesak's disc: a circle with a slot. */
static fr_result disc(void *context, const double *args, double *out)
{
    (void)context;
    double x = args[0] - 0.5, y = args[1] - 0.75, slot = fmax(fabs(x) - 0.025, y - 0.1);
    out[0] = fmax(hypot(x, y) - 0.15, -slot);
    return FR_OK;
}

/* ∫ |liquid − liquid that should be| after one turn, m². */
static double turned_error(fr_liquid_surface surface, int refine)
{
    pool p;
    pools_make(&p, surface, 2, (double[3]){1, 1, 0}, 50);
    p.def.liquid.refine = refine;
    p.def.liquid.volume = FR_LIQUID_VOLUME_FREE;
    p.def.liquid.transport = FR_LIQUID_WENO5;
    p.liquid = fr_default_shape(FR_SHAPE_SDF);
    p.liquid.function = disc;
    p.def.has_prescribed = true;
    p.def.prescribed.function = turn;
    p.def.time = (fr_time_def){.duration = 1, .fps = 1};
    fr_world *world = run_to_end(&p.def);
    enum { SAMPLES = 200 };
    double sum = 0;
    for (int j = 0; j < SAMPLES; j++)
        for (int i = 0; i < SAMPLES; i++) {
            const double at[3] = {(i + 0.5) / SAMPLES, (j + 0.5) / SAMPLES, 0};
            double exact;
            disc(NULL, at, &exact);
            sum += (pools_level_set(world, at) < 0) != (exact < 0);
        }
    fr_world_destroy(world);
    return sum / (SAMPLES * SAMPLES);
}

static void a_finer_disc_turns_better(void **state)
{
    (void)state;
    double plain = turned_error(FR_LIQUID_LEVEL_SET, 1), fine = turned_error(FR_LIQUID_LEVEL_SET, 2);
    print_message("Zalesak's disc on 50² cells: wrong area %.5f, twice as fine %.5f m²\n", plain, fine);
    assert_below(fine, 0.5 * plain);
    plain = turned_error(FR_LIQUID_MARKERS, 1);
    fine = turned_error(FR_LIQUID_MARKERS, 2);
    print_message("the same with markers: %.5f, twice as fine %.5f m²\n", plain, fine);
    assert_below(fine, plain);
}

/* A level sheet, so many cells of the flow thick, around a face of the flow's, falls freely for so long. */
typedef struct sheet {
    double thickness, seconds;
    int refine;
    fr_liquid_surface surface;
} sheet;

enum { SHEET_CELLS = 32, SHEET_FACE = 21 };

static fr_world *sheet_falls(const sheet *s)
{
    const double middle = (double)SHEET_FACE / SHEET_CELLS, half = 0.5 * s->thickness / SHEET_CELLS;
    pool p;
    pools_make(&p, s->surface, 2, (double[3]){1, 1, 0}, SHEET_CELLS);
    p.def.liquid.refine = s->refine;
    p.def.walls[0].kind = p.def.walls[1].kind = FR_WALL_PERIODIC;
    p.liquid = pools_box((double[3]){-1, middle - half, -1}, (double[3]){2, middle + half, 1});
    p.def.time = (fr_time_def){.duration = s->seconds, .fps = 1 / s->seconds};
    return run_to_end(&p.def);
}

/* The height of a column's middle, m. */
static double sheet_height(fr_world *world, int refine)
{
    double sum = 0, count = 0;
    for (int j = 0; j < refine * SHEET_CELLS; j++)
        if (worlds_value(fr_world_frame(world), "level_set", 7, j, 0) < 0) {
            sum += (j + 0.5) / (refine * SHEET_CELLS);
            count++;
        }
    assert_true(count > 0);
    return sum / count;
}

static void check_sheet(const sheet *s)
{
    fr_world *world = sheet_falls(s);
    double volume = s->thickness / SHEET_CELLS, way = 0.5 * 9.81 * s->seconds * s->seconds;
    double fallen = (double)SHEET_FACE / SHEET_CELLS - sheet_height(world, s->refine);
    print_message("%s, a sheet of %.1f cells, %d times as fine: volume %.4f of %.4f m³, has fallen by %.4f of %.4f m\n",
                  name_of(s->surface), s->thickness, s->refine, worlds_ledger(world, "volume"), volume, fallen, way);
    assert_near(worlds_ledger(world, "volume"), volume, 1e-3 * volume);
    assert_near(fallen, way, 0.5 / (s->refine * SHEET_CELLS));
    fr_world_destroy(world);
}

/* On the flow's own cells a sheet of 1.3 cells keeps the volume that it had there at the start, which is too much by a
   quarter: finer ones know it better. One of them lies between the centres of the flow's cells: none of them has its
   centre in the liquid. */
static void thin_sheets_survive(void **state)
{
    (void)state;
    fr_world *coarse = sheet_falls(&(sheet){1.3, 0.16, 1, FR_LIQUID_LEVEL_SET});
    print_message("a sheet of 1.3 cells, none finer: volume %.4f m³\n", worlds_ledger(coarse, "volume"));
    assert_near(worlds_ledger(coarse, "volume_error"), 0, 1e-3);
    fr_world_destroy(coarse);
    check_sheet(&(sheet){1.3, 0.16, 2, FR_LIQUID_LEVEL_SET});
    check_sheet(&(sheet){0.7, 0.16, 4, FR_LIQUID_LEVEL_SET});
    for (int t = 0; t < CARRIERS; t++)
        check_sheet(&(sheet){1.3, 0.16, 2, carriers[t]});
}

/* A jet gives as much as with the surface on the flow's own cells. */
static double poured(fr_liquid_surface surface, int refine)
{
    pool p;
    fr_shape_def nozzle = fr_default_shape(FR_SHAPE_SPHERE);
    fr_source_def source = {.shape = {.shape = &nozzle, .at = {0.3, 0.7, 0}}, .velocity.value = {1, 0, 0}};
    pools_make(&p, surface, 2, (double[3]){1, 1, 0}, 32);
    nozzle.radius = 0.1;
    source.sets_velocity = true;
    source.to = INFINITY;
    p.liquid = pools_below(0.1);
    p.def.liquid.refine = refine;
    p.def.sources = &source;
    p.def.source_count = 1;
    p.def.time = (fr_time_def){.duration = 0.5, .fps = 10};
    fr_world *world = run_to_end(&p.def);
    double volume = worlds_ledger(world, "volume");
    fr_world_destroy(world);
    return volume;
}

static void jets_give_as_much(void **state)
{
    (void)state;
    for (int t = 0; t <= CARRIERS; t++) {
        fr_liquid_surface surface = t < CARRIERS ? carriers[t] : FR_LIQUID_LEVEL_SET;
        double plain = poured(surface, 1), fine = poured(surface, 2);
        print_message("%s, a jet: volume %.4f m³, twice as fine %.4f\n", name_of(surface), plain, fine);
        assert_near(fine, plain, 0.05 * plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_water_rests), cmocka_unit_test(waves_keep_their_period),
        cmocka_unit_test(a_finer_disc_turns_better), cmocka_unit_test(thin_sheets_survive),
        cmocka_unit_test(jets_give_as_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
