/* Invariants of rivers: volume, inks, the same bits for any number of threads and after a resume. */
#include "support/rivers.h"

/* A channel that bends and narrows. */
static fr_result bend_map(void *context, const double *args, double *out)
{
    (void)context;
    double x = 4 * args[0];
    out[0] = x;
    out[1] = 0.4 * sin(2 * x) + (1 + 0.3 * cos(3 * x)) * (args[1] - 0.5);
    out[2] = 0;
    return FR_OK;
}

static fr_result left_half(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[1] > 0;
    return FR_OK;
}

typedef struct bend {
    fr_scene_def def;
    fr_scalar_value enters;
    fr_scalar_def inks[2];
    fr_cells_def rock;
    fr_tracers_def tracers;
} bend;

/* With a rock, two inks, viscosity and particles. */
static void bend_make(bend *b, fr_river_scheme scheme)
{
    b->def = rivers_scene(bend_map, NULL, 64, 24);
    b->def.river.scheme = scheme;
    b->enters = (fr_scalar_value){.name = "blue", .value.function = left_half};
    b->def.river.sides[0] =
        (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1, .scalars = &b->enters, .scalar_count = 1};
    b->def.river.sides[1].kind = FR_RIVER_OUTFLOW;
    b->inks[0] = (fr_scalar_def){.name = "blue", .diffusion = 1e-4};
    b->inks[1] =
        (fr_scalar_def){.name = "red",
                        .transport = scheme == FR_RIVER_FLUX ? FR_TRANSPORT_CONSERVATIVE : FR_TRANSPORT_CARRIED,
                        .has_initial = true,
                        .initial.function = left_half};
    b->rock = (fr_cells_def){{20, 8, 0}, {25, 13, 0}};
    b->tracers = (fr_tracers_def){.count = 200, .to = INFINITY, .renewed = true};
    b->def.scalars = b->inks;
    b->def.scalar_count = 2;
    b->def.river.blocks = &b->rock;
    b->def.river.block_count = 1;
    b->def.tracers = &b->tracers;
    b->def.tracer_count = 1;
    b->def.fluid.viscosity = 1e-3;
    b->def.time.fps = 10;
}

static void test_every_cross_section_passes_the_same(void **state)
{
    (void)state;
    bend b;
    fr_world *world;
    bend_make(&b, FR_RIVER_FLUX);
    b.def.solver.pressure_tolerance = 1e-4;
    assert_ok(fr_world_create(&b.def, &world));
    for (int i = 0; i < 5; i++) {
        assert_ok(fr_world_step_frame(world));
        double in = -worlds_ledger(world, "through_s0"), out = worlds_ledger(world, "through_s1");
        assert_true(fabs(in - (1 + 0.3)) < 1e-6);
        assert_true(fabs(out - in) < 1e-6 * in);
    }
    fr_world_destroy(world);
}

static void test_threads_change_no_bit(void **state)
{
    (void)state;
    bend b;
    for (int scheme = 0; scheme < 2; scheme++) {
        bend_make(&b, scheme ? FR_RIVER_CLASSIC : FR_RIVER_FLUX);
        uint64_t one = worlds_run_hash(&b.def, 1);
        assert_true(worlds_run_hash(&b.def, 2) == one && worlds_run_hash(&b.def, 3) == one);
    }
}

/* Two frames, a snapshot taken to another world, and two more in both. */
static void test_resumes_with_the_same_bits(void **state)
{
    (void)state;
    bend b;
    for (int scheme = 0; scheme < 2; scheme++) {
        bend_make(&b, scheme ? FR_RIVER_CLASSIC : FR_RIVER_FLUX);
        fr_world *first, *second;
        const fr_block *blocks;
        int count;
        assert_ok(fr_world_create(&b.def, &first));
        assert_ok(fr_world_create(&b.def, &second));
        for (int i = 0; i < 2; i++)
            assert_ok(fr_world_step_frame(first));
        assert_ok(fr_world_snapshot(first, &blocks, &count));
        assert_ok(fr_world_restore(second, blocks, count));
        for (int i = 0; i < 2; i++) {
            assert_ok(fr_world_step_frame(first));
            assert_ok(fr_world_step_frame(second));
        }
        assert_true(worlds_hash(first) == worlds_hash(second));
        fr_world_destroy(first);
        fr_world_destroy(second);
    }
}

/* Ink that is carried in flux form in a ring that nothing leaves. */
static void test_conserved_ink_is_kept(void **state)
{
    (void)state;
    rivers_ring ring = {0.25, 0.5};
    fr_scene_def def = rivers_scene(rivers_ring_map, &ring, 64, 16);
    fr_scalar_def ink = {
        .name = "red", .transport = FR_TRANSPORT_CONSERVATIVE, .has_initial = true, .initial.function = left_half};
    fr_world *world;
    rivers_repeat(&def, 0);
    def.river.sides[2].speed.value = 0.5;
    def.fluid.viscosity = 0.01;
    def.scalars = &ink;
    def.scalar_count = 1;
    assert_ok(fr_world_create(&def, &world));
    double before = worlds_ledger(world, "total_red");
    assert_ok(fr_world_step_frame(world));
    double after = worlds_ledger(world, "total_red");
    print_message("conserved ink in a ring: %.9g before, %.9g after\n", before, after);
    assert_true(fabs(after - before) < 1e-6 * before);
    fr_world_destroy(world);
}

/* Carried ink never makes new extrema. */
static void test_ink_stays_between_its_bounds(void **state)
{
    (void)state;
    bend b;
    fr_world *world;
    bend_make(&b, FR_RIVER_FLUX);
    b.inks[0].diffusion = 0;
    assert_ok(fr_world_create(&b.def, &world));
    for (int i = 0; i < 10; i++)
        assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double low = 0, high = 0;
    for (int j = 0; j < 24; j++)
        for (int i = 0; i < 64; i++) {
            low = fmin(low, worlds_value(frame, "blue", i, j, 0));
            high = fmax(high, worlds_value(frame, "blue", i, j, 0));
        }
    print_message("carried ink: %g to 1 + %g\n", low, high - 1);
    assert_true(low >= 0 && high <= 1);
    assert_true(worlds_ledger(world, "particles") == 200);
    fr_world_destroy(world);
}

/* The same river in a mirror, with left and right banks exchanged, flows as the mirror image. */
static fr_result mirrored_map(void *context, const double *args, double *out)
{
    FR_TRY(bend_map(context, args, out));
    out[1] = -out[1];
    return FR_OK;
}

static void test_mirrored_rivers_flow_alike(void **state)
{
    (void)state;
    fr_world *worlds[2];
    fr_scene_def defs[2];
    for (int w = 0; w < 2; w++) {
        defs[w] = rivers_scene(w ? mirrored_map : bend_map, NULL, 48, 16);
        defs[w].river.sides[0] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1};
        defs[w].river.sides[1].kind = FR_RIVER_OUTFLOW;
        defs[w].time.fps = 2;
        assert_ok(fr_world_create(&defs[w], &worlds[w]));
        assert_ok(fr_world_step_frame(worlds[w]));
    }
    const fr_frame *left = fr_world_frame(worlds[0]), *right = fr_world_frame(worlds[1]);
    double worst = 0;
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 48; i++) {
            double a[2], b[2];
            rivers_velocity(left, i, j, a);
            rivers_velocity(right, i, j, b);
            worst = fmax(worst, fmax(fabs(a[0] - b[0]), fabs(a[1] + b[1])));
        }
    print_message("a river and its mirror image differ by %.1e m/s\n", worst);
    assert_true(worst < 1e-5);
    fr_world_destroy(worlds[0]);
    fr_world_destroy(worlds[1]);
}

/* The same river run through from its other end, with banks that slip. */
static fr_result reversed_map(void *context, const double *args, double *out)
{
    return bend_map(context, (const double[3]){1 - args[0], args[1], args[2]}, out);
}

static void test_rivers_have_no_direction(void **state)
{
    (void)state;
    fr_world *worlds[2];
    fr_scene_def defs[2];
    for (int w = 0; w < 2; w++) {
        defs[w] = rivers_scene(w ? reversed_map : bend_map, NULL, 48, 16);
        defs[w].river.sides[w] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1};
        defs[w].river.sides[1 - w].kind = FR_RIVER_OUTFLOW;
        defs[w].river.sides[2].roughness = defs[w].river.sides[3].roughness = 0;
        defs[w].time.fps = 2;
        assert_ok(fr_world_create(&defs[w], &worlds[w]));
        assert_ok(fr_world_step_frame(worlds[w]));
    }
    const fr_frame *there = fr_world_frame(worlds[0]), *back = fr_world_frame(worlds[1]);
    double worst = 0;
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 48; i++) {
            double a[2], b[2];
            rivers_velocity(there, i, j, a);
            rivers_velocity(back, 47 - i, j, b);
            worst = fmax(worst, fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])));
        }
    print_message("a river and the same counted from its other end differ by %.1e m/s\n", worst);
    assert_true(worst < 1e-4);
    fr_world_destroy(worlds[0]);
    fr_world_destroy(worlds[1]);
}

/* A bend in 2D, and the same four layers deep between walls that slip: one code does both. */
static fr_result deep_map(void *context, const double *args, double *out)
{
    FR_TRY(bend_map(context, args, out));
    out[2] = 0.5 * args[2];
    return FR_OK;
}

static void test_deep_rivers_are_flat_ones(void **state)
{
    (void)state;
    fr_world *worlds[2];
    fr_scene_def defs[2];
    const fr_cells_def rocks[2] = {{{12, 4, 0}, {15, 6, 0}}, {{12, 4, 0}, {15, 6, 3}}};
    for (int w = 0; w < 2; w++) {
        defs[w] = rivers_scene(deep_map, NULL, 32, 12);
        defs[w].river.cells[2] = w ? 4 : 0;
        defs[w].river.sides[0] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1};
        defs[w].river.sides[1].kind = FR_RIVER_OUTFLOW;
        defs[w].river.sides[4].roughness = defs[w].river.sides[5].roughness = 0;
        defs[w].river.blocks = &rocks[w];
        defs[w].river.block_count = 1;
        defs[w].fluid.viscosity = 1e-3;
        defs[w].time.fps = 4;
        assert_ok(fr_world_create(&defs[w], &worlds[w]));
        assert_ok(fr_world_step_frame(worlds[w]));
    }
    const fr_frame *flat = fr_world_frame(worlds[0]), *deep = fr_world_frame(worlds[1]);
    double worst = 0;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 12; j++)
            for (int i = 0; i < 32; i++) {
                worst = fmax(worst, fabs(worlds_value(flat, "u", i, j, 0) - worlds_value(deep, "u", i, j, k)));
                worst = fmax(worst, fabs(worlds_value(flat, "v", i, j, 0) - worlds_value(deep, "v", i, j, k)));
                worst = fmax(worst, fabs(worlds_value(deep, "w", i, j, k)));
            }
    print_message("a bend past a rock, in 2D and four layers deep, differ by %.1e m/s\n", worst);
    assert_true(worst < 1e-3);
    fr_world_destroy(worlds[0]);
    fr_world_destroy(worlds[1]);
}

static fr_result shut_at_one(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[3] < 0.25 ? 1 : 0;
    return FR_OK;
}

/* Ink stays where it is when the river is shut off. */
static void test_ink_stays_when_the_inflow_stops(void **state)
{
    (void)state;
    bend b;
    fr_world *world;
    bend_make(&b, FR_RIVER_FLUX);
    b.def.river.sides[0].speed.function = shut_at_one;
    b.def.fluid.viscosity = 0;
    assert_ok(fr_world_create(&b.def, &world));
    for (int i = 0; i < 3; i++)
        assert_ok(fr_world_step_frame(world));
    double before = worlds_ledger(world, "total_blue");
    for (int i = 0; i < 3; i++)
        assert_ok(fr_world_step_frame(world));
    double after = worlds_ledger(world, "total_blue");
    print_message("ink in a river that was shut off: %.4f, then %.4f\n", before, after);
    assert_true(fabs(after - before) < 0.05 * before);
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_cross_section_passes_the_same),
                                       cmocka_unit_test(test_threads_change_no_bit),
                                       cmocka_unit_test(test_resumes_with_the_same_bits),
                                       cmocka_unit_test(test_conserved_ink_is_kept),
                                       cmocka_unit_test(test_ink_stays_between_its_bounds),
                                       cmocka_unit_test(test_mirrored_rivers_flow_alike),
                                       cmocka_unit_test(test_rivers_have_no_direction),
                                       cmocka_unit_test(test_deep_rivers_are_flat_ones),
                                       cmocka_unit_test(test_ink_stays_when_the_inflow_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
