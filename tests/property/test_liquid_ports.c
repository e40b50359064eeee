/* What pours into a liquid on the grid and drains out of it: at the rate that was given, no more and no less, whatever
   tracks the surface; the same bits for any number of threads and after a resume. */
#include "support/pools.h"

typedef struct scene {
    fr_scene_def def;
    fr_shape_def water, port, blob;
    fr_fill_def fill[2];
    fr_source_def source;
    fr_sink_def sink;
} scene;

static fr_shape_def box(double x0, double y0, double x1, double y1)
{
    fr_shape_def shape = fr_default_shape(FR_SHAPE_BOX);
    shape.min[0] = x0;
    shape.min[1] = y0;
    shape.max[0] = x1;
    shape.max[1] = y1;
    shape.min[2] = -1;
    shape.max[2] = 1;
    return shape;
}

/* A closed box of 1 m × 1 m with water up to `depth`. */
static void make_box(scene *s, fr_liquid_surface surface, int cells, double depth)
{
    *s = (scene){.def = fr_default_scene(FR_METHOD_LIQUID)};
    s->def.domain = (fr_domain_def){.dims = 2, .size = {1, 1}, .cells = {cells}};
    s->def.time = (fr_time_def){.duration = 10, .fps = 10};
    s->def.liquid.surface = surface;
    s->water = box(0, 0, 1, depth);
    s->fill[0].shape.shape = &s->water;
    s->def.fill = s->fill;
    s->def.fill_count = depth > 0;
}

/* 0.2 m²/s from above. */
static void add_tap(scene *s)
{
    s->port = box(0.4, 0.75, 0.6, 0.9);
    s->source = (fr_source_def){.shape.shape = &s->port, .sets_velocity = true, .velocity.value = {0, -1, 0}};
    s->def.sources = &s->source;
    s->def.source_count = 1;
}

static void add_drain(scene *s)
{
    s->port = box(0.4, -0.1, 0.6, 0.1);
    s->sink.shape.shape = &s->port;
    s->def.sinks = &s->sink;
    s->def.sink_count = 1;
}

static double volume_after(fr_world *world, int frames)
{
    for (int i = 0; i < frames; i++)
        assert_ok(fr_world_step_frame(world));
    return worlds_ledger(world, "volume");
}

static void test_tap(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_box(&s, pools_trackers[t].surface, 32, 0.1);
        add_tap(&s);
        fr_world *world = worlds_create(&s.def);
        double begin = volume_after(world, 2), end = volume_after(world, 10);
        print_message("%s: %.4f m² a second from a tap of 0.2\n", pools_trackers[t].name, end - begin);
        assert_near(end - begin, 0.2, 0.02 * 0.2);
        fr_world_destroy(world);
    }
}

/* A strand of toothpaste comes out as fast as water, also when it stands on the floor and has to fold. */
static void test_stiff_tap(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_box(&s, pools_trackers[t].surface, 32, 0);
        add_tap(&s);
        s.def.fluid.viscosity = 1e4;
        for (int side = 0; side < FR_SIDES; side++)
            s.def.walls[side].kind = FR_WALL_NO_SLIP;
        fr_world *world = worlds_create(&s.def);
        double begin = volume_after(world, 2), end = volume_after(world, 10);
        print_message("%s: %.4f m² a second of paste from a tap of 0.2\n", pools_trackers[t].name, end - begin);
        assert_near(end - begin, 0.2, 0.02 * 0.2);
        fr_world_destroy(world);
    }
}

/* A tap that is closed pours nothing. */
static void test_tap_closes(void **state)
{
    (void)state;
    scene s;
    make_box(&s, FR_LIQUID_FLIP, 32, 0.1);
    add_tap(&s);
    s.source.to = 0.2;
    fr_world *world = worlds_create(&s.def);
    double begin = volume_after(world, 3), particles = worlds_ledger(world, "particles");
    assert_near(volume_after(world, 4), begin, 1e-3 * begin);
    assert_near(worlds_ledger(world, "particles"), particles, 0.005 * particles); /* some are seeded anew */
    fr_world_destroy(world);
}

/* A jet that breaks on a turning blade and drains in drops. What is short of volume must not be taken off the tap,
   where it would be poured again: parcels become as many more as the volume becomes, and what has come in is what
   the tap gives. The tap begins full, of six parcels less than would fit. */
static void test_tap_on_a_blade(void **state)
{
    (void)state;
    static const fr_liquid_surface swarms[] = {FR_LIQUID_FLIP, FR_LIQUID_APIC, FR_LIQUID_MARKERS};
    for (size_t t = 0; t < sizeof swarms / sizeof *swarms; t++) {
        scene s;
        make_box(&s, swarms[t], 24, 0);
        add_tap(&s);
        s.port = box(0.45, 0.75, 0.55, 0.9);
        s.blob = box(0, 0, 1, 0.1);
        s.sink.shape.shape = &s.blob;
        s.def.sinks = &s.sink;
        s.def.sink_count = 1;
        fr_shape_def blade = box(-0.25, -0.03, 0.25, 0.03);
        fr_obstacle_def turns = {.shape = {.shape = &blade, .at = {0.4, 0.4, 0}}, .spin_axis = {0, 0, 1}, .spin = -120};
        s.def.obstacles = &turns;
        s.def.obstacle_count = 1;
        fr_world *world = worlds_create(&s.def);
        const double parcel = 1.0 / (24 * 24 * 4), begin = volume_after(world, 1);
        const double first = parcel * worlds_ledger(world, "particles"), volume = volume_after(world, 20);
        const double parcels = parcel * worlds_ledger(world, "particles"),
                     left = parcel * worlds_ledger(world, "particles_left");
        print_message("swarm %zu: %.4f m² and %.4f of parcels, %.4f poured in 2 s\n", t, volume, parcels,
                      volume + left - begin);
        assert_true(left > 0.05);
        assert_near(parcels - first, volume - begin, 0.05 * volume);
        assert_near(volume + left - begin, 0.2, 0.02 * 0.2);
        fr_world_destroy(world);
    }
}

/* What is left beside the drain runs off as after a broken dam, as 1/t². */
static void test_drain(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_box(&s, pools_trackers[t].surface, 32, 0.3);
        add_drain(&s);
        fr_world *world = worlds_create(&s.def);
        double last = worlds_ledger(world, "volume");
        for (int frame = 0; frame < 20; frame++) {
            double now = volume_after(world, 1);
            assert_true(now <= last + 1e-6);
            last = now;
        }
        print_message("%s: %.4f m² left of 0.3\n", pools_trackers[t].name, last);
        assert_true(last < 0.03);
        fr_world_destroy(world);
    }
}

/* Nothing is lost while the drain is closed. */
static void test_drain_opens(void **state)
{
    (void)state;
    scene s;
    make_box(&s, FR_LIQUID_FLIP, 32, 0.3);
    add_drain(&s);
    s.sink.from = 0.2;
    fr_world *world = worlds_create(&s.def);
    double parcel = 1.0 / (32 * 32 * 4); /* m² */
    assert_near(volume_after(world, 2), 0.3, 1e-4);
    assert_near(worlds_ledger(world, "particles_left"), 0, 0);
    double volume = volume_after(world, 1), left = parcel * worlds_ledger(world, "particles_left");
    assert_true(volume < 0.29 && left > 0.01);
    assert_near(volume + left, 0.3, 1e-6); /* what has gone is what parcels stood for */
    assert_near(parcel * worlds_ledger(world, "particles"), volume, 0.002);
    fr_world_destroy(world);
}

/* 0.2 m deep at 0.5 m/s. */
static void test_level(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_box(&s, pools_trackers[t].surface, 40, 0);
        s.def.walls[FR_LEFT] =
            (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.value = {0.5, 0, 0}, .has_level = true, .level = 0.21};
        fr_world *world = worlds_create(&s.def);
        double begin = volume_after(world, 2), end = volume_after(world, 10);
        print_message("%s: %.4f m² a second through a side that gives 0.105\n", pools_trackers[t].name, end - begin);
        assert_near(end - begin, 0.105, 0.02 * 0.105);
        fr_world_destroy(world);
    }
}

/* A blob adds its own volume at its time. */
static void test_blob(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_box(&s, pools_trackers[t].surface, 40, 0.3);
        s.blob = box(0.3, 0.6, 0.6, 0.8);
        s.fill[1] = (fr_fill_def){.shape.shape = &s.blob, .velocity.value = {1, 0, 0}, .from = 0.15};
        s.def.fill_count = 2;
        fr_world *world = worlds_create(&s.def);
        assert_near(volume_after(world, 1), 0.3, 1e-4);
        double volume = volume_after(world, 1);
        const fr_field *u = fr_frame_field(fr_world_frame(world), "u");
        print_message("%s: %.4f m² after a blob of 0.06\n", pools_trackers[t].name, volume - 0.3);
        assert_near(volume, 0.36, 0.01 * 0.06);
        assert_near(u->data[18 * u->stride[0] + 27 * u->stride[1]], 1, 0.1);
        assert_near(volume_after(world, 3), volume, 1e-3 * volume);
        fr_world_destroy(world);
    }
}

static void make_all(scene *s, fr_liquid_surface surface)
{
    make_box(s, surface, 32, 0.2);
    add_tap(s);
    s->sink.shape = (fr_placed_shape){.shape = &s->port, .at = {-0.35, -0.75, 0}};
    s->def.sinks = &s->sink;
    s->def.sink_count = 1;
    s->blob = box(0.7, 0.5, 0.9, 0.7);
    s->fill[1] = (fr_fill_def){.shape.shape = &s->blob, .velocity.value = {-1, 0, 0}, .from = 0.15};
    s->def.fill_count = 2;
    s->def.walls[FR_RIGHT] =
        (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.value = {-0.5, 0, 0}, .has_level = true, .level = 0.3};
}

/* Over twelve frames the volume is never off by more than 0.1 %. */
static void check_kept(const scene *s, const char *name)
{
    fr_world *world = worlds_create(&s->def);
    double worst = 0;
    for (int frame = 0; frame < 12; frame++) {
        volume_after(world, 1);
        worst = fmax(worst, fabs(worlds_ledger(world, "volume_error")));
    }
    print_message("%s: off by %.5f of the volume at most\n", name, worst);
    assert_below(worst, 1e-3);
    fr_world_destroy(world);
}

/* The volume is what it should be, whatever pours and drains. */
static void test_kept(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_all(&s, pools_trackers[t].surface);
        check_kept(&s, pools_trackers[t].name);
    }
}

/* Also where a sink reaches into a source: that part of it pours nothing. */
static void test_sink_in_a_source(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_box(&s, pools_trackers[t].surface, 32, 0.1);
        add_tap(&s);
        s.sink.shape = (fr_placed_shape){.shape = &s.port, .at = {0.1, 0.05, 0}};
        s.def.sinks = &s.sink;
        s.def.sink_count = 1;
        check_kept(&s, pools_trackers[t].name);
    }
}

static void test_threads(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_all(&s, pools_trackers[t].surface);
        assert_true(worlds_run_hash(&s.def, 1) == worlds_run_hash(&s.def, 2));
    }
}

static void test_resume(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make_all(&s, pools_trackers[t].surface);
        worlds_check_resume(&s.def, 7, "volume_error", pools_trackers[t].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tap),       cmocka_unit_test(test_tap_closes),
                                       cmocka_unit_test(test_stiff_tap), cmocka_unit_test(test_tap_on_a_blade),
                                       cmocka_unit_test(test_drain),     cmocka_unit_test(test_drain_opens),
                                       cmocka_unit_test(test_level),     cmocka_unit_test(test_blob),
                                       cmocka_unit_test(test_kept),      cmocka_unit_test(test_sink_in_a_source),
                                       cmocka_unit_test(test_threads),   cmocka_unit_test(test_resume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
