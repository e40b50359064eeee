/* Conservative advection: totals, bounds, mirror symmetry to the bit, the same bits for any number of threads and after
   a resume. */
#include "support/worlds.h"

static const double PI = 3.14159265358979323846;

/* Whirls that no side lets through; differences of a stream function, so that the faces of every cell balance. */
static fr_result whirls(void *context, const double *args, double *out)
{
    double h = *(double *)context, x = args[0], y = args[1];
    out[0] = (sin(2 * PI * x) * sin(PI * (y + h / 2)) - sin(2 * PI * x) * sin(PI * (y - h / 2))) / h;
    out[1] = -(sin(2 * PI * (x + h / 2)) * sin(PI * y) - sin(2 * PI * (x - h / 2)) * sin(PI * y)) / h;
    out[2] = 0;
    return FR_OK;
}

static fr_result dot(void *context, const double *args, double *out)
{
    (void)context;
    double x = args[0] - 0.3, y = args[1] - 0.6;
    *out = x * x + y * y < 0.2 * 0.2 ? 1 : 0;
    return FR_OK;
}

static fr_result one(void *context, const double *args, double *out)
{
    (void)context;
    (void)args;
    *out = 1;
    return FR_OK;
}

typedef struct box {
    double h;
    fr_scalar_def ink;
    fr_scene_def def;
} box;

static void box_make(box *b, int dims, int cells, fr_function initial)
{
    *b = (box){.h = 1.0 / cells};
    b->ink = (fr_scalar_def){
        .name = "ink", .transport = FR_TRANSPORT_CONSERVATIVE, .has_initial = true, .initial.function = initial};
    b->def = fr_default_scene(FR_METHOD_SMOKE);
    b->def.domain = (fr_domain_def){.dims = dims, .size = {1, 1, dims == 3 ? 0.5 : 0}, .cells = {cells, 0, 0}};
    b->def.scalars = &b->ink;
    b->def.scalar_count = 1;
    b->def.time = (fr_time_def){.duration = 1000, .fps = 1};
}

static void box_prescribe(box *b, double courant)
{
    b->def.has_prescribed = true;
    b->def.prescribed = (fr_vector){.function = whirls, .context = &b->h};
    b->def.time.dt = courant * b->h / PI;
}

static void range_of(const fr_frame *frame, const char *name, float *least, float *most)
{
    const fr_field *f = fr_frame_field(frame, name);
    *least = 1e30f, *most = -1e30f;
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                float v = worlds_value(frame, name, i, j, k);
                *least = fminf(*least, v);
                *most = fmaxf(*most, v);
            }
}

/* In a flow whose faces balance 0 … 1 stays within, what is even stays even, and the total stays, at any Courant
 * number. */
static void test_bounds_and_total_hold_at_any_courant_number(void **state)
{
    (void)state;
    const double courant[] = {0.4, 3, 10};
    for (int dims = 2; dims <= 3; dims++)
        for (int c = 0; c < 3; c++)
            for (int even = 0; even < 2; even++) {
                box b;
                box_make(&b, dims, dims == 3 ? 24 : 48, even ? one : dot);
                box_prescribe(&b, courant[c]);
                fr_world *world = worlds_create(&b.def);
                double before = worlds_ledger(world, "total_ink");
                fr_step_report report;
                for (int i = 0; i < 30; i++)
                    assert_ok(fr_world_step(world, &report));
                float least, most;
                range_of(fr_world_frame(world), "ink", &least, &most);
                assert_true(least >= (even ? 1 - 5e-6 : -1e-6) && most <= 1 + 5e-6);
                assert_true(report.transport_steps >= courant[c]);
                assert_near(worlds_ledger(world, "total_ink") / before, 1, 2.4e-7);   /* two units in the last place */
                fr_world_destroy(world);
            }
}

/* Rounding does not add up: ten thousand steps. */
static void test_the_total_stays_for_ten_thousand_steps(void **state)
{
    (void)state;
    box b;
    box_make(&b, 2, 24, dot);
    box_prescribe(&b, 0.5);
    fr_world *world = worlds_create(&b.def);
    double before = worlds_ledger(world, "total_ink"), worst = 0;
    for (int i = 0; i < 10000; i++) {
        assert_ok(fr_world_step(world, NULL));
        if (i % 100 == 0)
            worst = fmax(worst, fabs(worlds_ledger(world, "total_ink") / before - 1));
    }
    print_message("ten thousand steps: the total drifts by at most %.1e\n", worst);
    assert_below(worst, 1e-6);
    fr_world_destroy(world);
}

/* A solved plume past a ball in a closed box, with an ink that also diffuses. */
static void plume_make(worlds_plume *plume, int dims, int cells)
{
    worlds_plume_make(plume, dims, cells);
    plume->def.walls[FR_TOP].kind = FR_WALL_FREE_SLIP;
    plume->scalars[0] = (fr_scalar_def){
        .name = "ink", .transport = FR_TRANSPORT_CONSERVATIVE, .has_initial = true, .initial.function = dot};
    plume->source.scalar_count = 2;
}

static void test_the_total_stays_around_an_obstacle(void **state)
{
    (void)state;
    for (int diffuses = 0; diffuses < 2; diffuses++)
        for (int dims = 2; dims <= 3; dims++) {
            worlds_plume plume;
            plume_make(&plume, dims, dims == 3 ? 20 : 40);
            plume.scalars[0].diffusion = diffuses ? 1e-3 : 0;
            fr_world *world = worlds_create(&plume.def);
            double before = worlds_ledger(world, "total_ink");
            for (int i = 0; i < 40; i++)
                assert_ok(fr_world_step_frame(world));
            float least, most;
            range_of(fr_world_frame(world), "ink", &least, &most);
            double drift = worlds_ledger(world, "total_ink") / before - 1;
            print_message("%dD plume past a ball, %s: total drifts by %.1e, ink within %.1e … 1 %+.1e\n", dims,
                          diffuses ? "diffusing" : "not diffusing", drift, least, most - 1);
            assert_near(drift, 0, 1e-6);
            assert_true(least >= -1e-6 && most <= 1 + 1e-3);
            fr_world_destroy(world);
        }
}

/* Closed cells hold nothing. */
static void test_obstacles_hold_the_clean_value(void **state)
{
    (void)state;
    worlds_plume plume;
    plume_make(&plume, 2, 40);
    plume.scalars[0].diffusion = 1e-3;
    plume.scalars[0].initial.function = one;
    fr_world *world = worlds_create(&plume.def);
    for (int i = 0; i < 5; i++)
        assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    int inside = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++)
            if (worlds_value(frame, "solid", i, j, 0) < -0.025f) {
                assert_near(worlds_value(frame, "ink", i, j, 0), 0, 0);
                inside++;
            }
    assert_true(inside > 20);
    fr_world_destroy(world);
}

/* Through an inflow and an open side: what is there more than at the start has entered. */
static void test_sides_are_accounted_for(void **state)
{
    (void)state;
    fr_scalar_value carried[2] = {{.name = "ink", .value.value = 0.7}, {.name = "temperature", .value.value = 290}};
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.15;
    fr_obstacle_def solid = {.shape = {.shape = &ball, .at = {0.5, 0.45, 0}}};
    box b;
    box_make(&b, 2, 40, dot);
    fr_scalar_def scalars[2] = {b.ink, {.name = "temperature", .transport = FR_TRANSPORT_CONSERVATIVE}};
    b.def.scalars = scalars;
    b.def.scalar_count = 2;
    b.def.smoke.ambient = 300;
    b.def.walls[FR_LEFT] =
        (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.value = {1, 0, 0}, .scalars = carried, .scalar_count = 2};
    b.def.walls[FR_RIGHT].kind = FR_WALL_OPEN;
    b.def.obstacles = &solid;
    b.def.obstacle_count = 1;
    b.def.time = (fr_time_def){.duration = 10, .fps = 40};
    fr_world *world = worlds_create(&b.def);
    double before = worlds_ledger(world, "total_ink");
    for (int i = 0; i < 10; i++)
        assert_ok(fr_world_step_frame(world));
    double in =
        0.25 * 1 * 1; /* m³: a quarter of a second of 1 m/s through 1 m², before any ink has come to the other side */
    assert_near(worlds_ledger(world, "total_ink"), before + worlds_ledger(world, "entered_ink"), 1e-6 * before);
    assert_near(worlds_ledger(world, "total_temperature"), worlds_ledger(world, "entered_temperature"), 1e-5 * 10 * in);
    assert_near(worlds_ledger(world, "entered_temperature"), -10 * in, 1e-5);
    assert_near(worlds_ledger(world, "entered_ink"), 0.7 * in, 1e-6);
    for (int i = 0; i < 80; i++)
        assert_ok(fr_world_step_frame(world));
    assert_near(worlds_ledger(world, "total_ink"), before + worlds_ledger(world, "entered_ink"), 2e-6);
    float least, most;
    range_of(fr_world_frame(world), "ink", &least, &most);
    assert_true(least >= -1e-6 && most <= 1.001f);
    assert_near(worlds_value(fr_world_frame(world), "ink", 2, 20, 0), 0.7, 1e-3);
    fr_world_destroy(world);
}

static fr_result two_dots(void *context, const double *args, double *out)
{
    double mirrored[3] = {1 - args[0], args[1], args[2]}, left, right;
    dot(context, args, &left);
    dot(context, mirrored, &right);
    *out = left + right > 0;
    return FR_OK;
}

/* A mirrored flow gives mirrored bits. */
static void test_mirrored_flows_give_mirrored_bits(void **state)
{
    (void)state;
    enum { N = 32 };
    box b;
    box_make(&b, 2, N, two_dots);
    box_prescribe(&b, 2);
    fr_world *world = worlds_create(&b.def);
    for (int i = 0; i < 12; i++)
        assert_ok(fr_world_step(world, NULL));
    const fr_frame *frame = fr_world_frame(world);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N / 2; i++)
            assert_near(worlds_value(frame, "ink", i, j, 0), worlds_value(frame, "ink", N - 1 - i, j, 0), 0);
    fr_world_destroy(world);
}

static uint64_t run_hash(int dims, int threads)
{
    worlds_plume plume;
    plume_make(&plume, dims, dims == 3 ? 30 : 150);
    plume.def.walls[FR_TOP].kind = FR_WALL_OPEN;
    plume.scalars[0].diffusion = 1e-3;
    fr_set_threads(threads);
    fr_world *world = worlds_create(&plume.def);
    for (int i = 0; i < 2; i++)
        assert_ok(fr_world_step_frame(world));
    uint64_t hash = worlds_hash(world);
    fr_world_destroy(world);
    return hash;
}

static void test_threads_give_the_same_bits(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        uint64_t alone = run_hash(dims, 1);
        for (int threads = 2; threads <= 3; threads++)
            assert_true(alone == run_hash(dims, threads));
    }
    fr_set_threads(0);
}

/* Saved and gone on with in a new world: the same bits, and the same account. */
static void test_a_saved_run_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    worlds_plume plume;
    plume_make(&plume, 2, 40);
    plume.def.walls[FR_TOP].kind = FR_WALL_OPEN;
    plume.scalars[0].initial.function = one;
    fr_world *whole = worlds_create(&plume.def), *second = worlds_create(&plume.def);
    for (int i = 0; i < 30; i++)
        assert_ok(fr_world_step(whole, NULL));
    const fr_block *blocks;
    int count;
    assert_ok(fr_world_snapshot(whole, &blocks, &count));
    assert_ok(fr_world_restore(second, blocks, count));
    for (int i = 0; i < 10; i++) {
        assert_ok(fr_world_step(whole, NULL));
        assert_ok(fr_world_step(second, NULL));
    }
    assert_true(worlds_hash(whole) == worlds_hash(second));
    assert_near(worlds_ledger(whole, "entered_ink"), worlds_ledger(second, "entered_ink"), 0);
    assert_true(worlds_ledger(whole, "entered_ink") != 0);
    fr_world_destroy(whole);
    fr_world_destroy(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_and_total_hold_at_any_courant_number),
        cmocka_unit_test(test_the_total_stays_for_ten_thousand_steps),
        cmocka_unit_test(test_the_total_stays_around_an_obstacle),
        cmocka_unit_test(test_obstacles_hold_the_clean_value),
        cmocka_unit_test(test_sides_are_accounted_for),
        cmocka_unit_test(test_mirrored_flows_give_mirrored_bits),
        cmocka_unit_test(test_threads_give_the_same_bits),
        cmocka_unit_test(test_a_saved_run_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
