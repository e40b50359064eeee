/* Inks in a liquid on the grid: carried with it, none in the air, from sources and fills, spread by diffusion; and what
   users of smoke know beside them: tracers, forces, the same bits for any number of threads and after a resume. */
#include "support/pools.h"

enum { CELLS = 32 };

typedef struct scene {
    fr_scene_def def;
    fr_shape_def water, other, port;
    fr_fill_def fill[2];
    fr_scalar_def scalar;
    fr_scalar_value value;
    fr_source_def source;
    fr_tracers_def tracers;
    fr_force_def force;
} scene;

static fr_shape_def box(double x0, double y0, double x1, double y1)
{
    fr_shape_def shape = fr_default_shape(FR_SHAPE_BOX);
    memcpy(shape.min, (double[3]){x0, y0, -1}, sizeof shape.min);
    memcpy(shape.max, (double[3]){x1, y1, 1}, sizeof shape.max);
    return shape;
}

/* A closed box of 1 m × 1 m with a column of water, and `ink` that is 1 where it is given. */
static void make(scene *s, fr_liquid_surface surface, double width, double height)
{
    *s = (scene){.def = fr_default_scene(FR_METHOD_LIQUID)};
    s->def.domain = (fr_domain_def){.dims = 2, .size = {1, 1}, .cells = {CELLS}};
    s->def.time = (fr_time_def){.duration = 10, .fps = 10};
    s->def.liquid.surface = surface;
    s->water = box(0, 0, width, height);
    s->fill[0].shape.shape = &s->water;
    s->def.fill = s->fill;
    s->def.fill_count = 1;
    s->scalar = (fr_scalar_def){.name = "ink"};
    s->def.scalars = &s->scalar;
    s->def.scalar_count = 1;
    s->value = (fr_scalar_value){.name = "ink", .value.value = 1};
}

typedef struct range {
    double least, most, air; /* of the liquid's cells; the most where there is none */
} range;

static range ink_range(fr_world *world)
{
    const fr_field *phi = fr_frame_field(fr_world_frame(world), "level_set");
    const fr_field *ink = fr_frame_field(fr_world_frame(world), "ink");
    range r = {INFINITY, -INFINITY, 0};
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            double distance = phi->data[i * phi->stride[0] + j * phi->stride[1]];
            double value = ink->data[i * ink->stride[0] + j * ink->stride[1]];
            r.least = distance < 0 ? fmin(r.least, value) : r.least;
            r.most = distance < 0 ? fmax(r.most, value) : r.most;
            r.air = distance > 1.0 / CELLS ? fmax(r.air, fabs(value)) : r.air;
        }
    return r;
}

static void run(fr_world *world, int frames)
{
    for (int i = 0; i < frames; i++)
        assert_ok(fr_world_step_frame(world));
}

/* Ink that is the same everywhere stays so while a dam breaks. */
static void test_even(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make(&s, pools_trackers[t].surface, 0.4, 0.6);
        s.scalar.has_initial = true;
        s.scalar.initial.value = 1;
        fr_world *world = worlds_create(&s.def);
        run(world, 10);
        double total = worlds_ledger(world, "total_ink"), volume = worlds_ledger(world, "volume");
        range r = ink_range(world);
        print_message("%s: %.6f of ink in %.6f m², %g to %g, %g in the air\n", pools_trackers[t].name, total, volume,
                      r.least, r.most, r.air);
        assert_true(r.most <= 1 + 1e-5 && r.least >= 0.98);
        assert_near(r.air, 0, 0);
        assert_near(total / volume, 1, 1e-5);
        fr_world_destroy(world);
    }
}

/* A tap of ink over clear water, 0.2 m²/s: what is there is what has come. */
static void test_tap(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        scene s;
        make(&s, pools_trackers[t].surface, 1, 0.2);
        s.port = box(0.4, 0.7, 0.6, 0.85);
        s.source = (fr_source_def){.shape.shape = &s.port,
                                   .sets_velocity = true,
                                   .velocity.value = {0, -1, 0},
                                   .scalar_count = 1,
                                   .scalars = &s.value};
        s.def.sources = &s.source;
        s.def.source_count = 1;
        fr_world *world = worlds_create(&s.def);
        run(world, 6);
        double come = worlds_ledger(world, "volume") - 0.2, total = worlds_ledger(world, "total_ink");
        range r = ink_range(world);
        print_message("%s: %.4f of ink, %.4f m² have come; %g to %g\n", pools_trackers[t].name, total, come, r.least,
                      r.most);
        assert_near(total, come, 0.15 * come);
        assert_true(r.most <= 1 + 1e-5 && r.least >= -1e-5);
        fr_world_destroy(world);
    }
}

/* A blob that falls in with its ink, and water that has none. */
static void test_blob(void **state)
{
    (void)state;
    scene s;
    make(&s, FR_LIQUID_LEVEL_SET, 1, 0.2);
    s.other = box(0.4, 0.5, 0.6, 0.7);
    s.fill[1] = (fr_fill_def){.shape.shape = &s.other, .from = 0.05, .scalars = &s.value, .scalar_count = 1};
    s.def.fill_count = 2;
    fr_world *world = worlds_create(&s.def);
    assert_near(worlds_ledger(world, "total_ink"), 0, 0);
    run(world, 1);
    assert_near(worlds_ledger(world, "total_ink"), 0.04, 0.02 * 0.04);
    fr_world_destroy(world);
}

static fr_result left_half(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[0] < 0.5;
    return FR_OK;
}

/* Still water: diffusion evens the ink out, none is lost through the surface. cos πx decays as exp(−π² κ t). */
static void test_diffusion(void **state)
{
    (void)state;
    scene s;
    make(&s, FR_LIQUID_LEVEL_SET, 1, 0.33);
    s.scalar.has_initial = true;
    s.scalar.initial.function = left_half;
    s.scalar.diffusion = 0.1;
    fr_world *world = worlds_create(&s.def);
    double total = worlds_ledger(world, "total_ink");
    run(world, 20);
    range r = ink_range(world);
    const double pi = 3.14159265358979;
    double swing = 2 / pi * exp(-pi * pi * 0.1 * 2);
    print_message("ink %.6f of %.6f; %.4f to %.4f, should be ±%.4f\n", worlds_ledger(world, "total_ink"), total,
                  r.least, r.most, swing);
    assert_near(worlds_ledger(world, "total_ink"), total, 1e-4 * total);
    assert_near(r.most - 0.5, swing, 0.05 * swing);
    assert_near(0.5 - r.least, swing, 0.05 * swing);
    assert_near(r.air, 0, 0);
    fr_world_destroy(world);
}

static void make_all(scene *s, fr_liquid_surface surface)
{
    make(s, surface, 0.5, 0.4);
    s->scalar.has_initial = true;
    s->scalar.initial.function = left_half;
    s->scalar.diffusion = 1e-3;
    s->tracers = (fr_tracers_def){.shape.shape = &s->water, .count = 50};
    s->def.tracers = &s->tracers;
    s->def.tracer_count = 1;
    s->force = (fr_force_def){.value.value = {2, 0, 0}};
    s->def.forces = &s->force;
    s->def.force_count = 1;
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
        worlds_check_resume(&s.def, 7, "total_ink", pools_trackers[t].name);
    }
}

/* Tracers start in the water and go with it: all stay in the liquid of a column that slides down. */
static void test_tracers(void **state)
{
    (void)state;
    scene s;
    make_all(&s, FR_LIQUID_LEVEL_SET);
    fr_world *world = worlds_create(&s.def);
    run(world, 2);
    const fr_frame *frame = fr_world_frame(world);
    double x = 0;
    assert_int_equal(frame->particle_count, 50);
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *at = frame->particles.data + n * frame->particles.stride;
        double phi;
        assert_ok(fr_world_probe(world, "level_set", (double[3]){at[0], at[1], 0}, &phi));
        assert_true(phi < 0.5 / CELLS);
        x += at[0] / 50.0;
    }
    print_message("tracers stand at %.3f m on average, 0.25 m before\n", x);
    assert_true(x > 0.27);
    assert_near(worlds_ledger(world, "particles_lost"), 0, 0);
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_even),    cmocka_unit_test(test_tap),
                                       cmocka_unit_test(test_blob),    cmocka_unit_test(test_diffusion),
                                       cmocka_unit_test(test_threads), cmocka_unit_test(test_resume),
                                       cmocka_unit_test(test_tracers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
