/* Conservative transport against exact solutions: smooth and sharp shapes carried round once. */
#include "support/worlds.h"

static const double PI = 3.14159265358979323846;

/* One turn of the plane in 1 s about (0.5, 0.5). */
static fr_result whirl(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 * PI * (0.5 - args[1]);
    out[1] = 2 * PI * (args[0] - 0.5);
    out[2] = 0;
    return FR_OK;
}

static fr_result hill(void *context, const double *args, double *out)
{
    double sigma = *(double *)context, x = args[0] - 0.5, y = args[1] - 0.7;
    *out = exp(-(x * x + y * y) / (2 * sigma * sigma));
    return FR_OK;
}

/* Zalesak's slotted disc in a unit square: radius 0.15 about (0.5, 0.75), a slot 0.05 wide up to y = 0.85. */
static fr_result slotted_disc(void *context, const double *args, double *out)
{
    (void)context;
    double x = args[0] - 0.5, y = args[1] - 0.75;
    bool slot = fabs(x) < 0.025 && args[1] < 0.85;
    *out = x * x + y * y < 0.15 * 0.15 && !slot ? 1 : 0;
    return FR_OK;
}

typedef struct turn {
    double error;            /* Σ |φ − exact| / Σ exact */
    double least, most;
    double drift;            /* of the total, relative */
    int substeps;            /* of the last step */
} turn;

static turn make_turn(int cells, double courant, fr_transport transport, fr_number initial)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {cells, 0, 0}};
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = courant / (PI * cells)};
    def.has_prescribed = true;
    def.prescribed.function = whirl;
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial = initial, .transport = transport};
    def.scalars = &ink;
    def.scalar_count = 1;
    fr_world *world = worlds_create(&def);
    double before = worlds_ledger(world, "total_ink");
    fr_step_report report = {0};
    turn result = {.least = 1};
    while (!report.frame_done) {
        assert_ok(fr_world_step(world, &report));
        result.substeps = report.transport_steps > result.substeps ? report.transport_steps : result.substeps;
    }
    const fr_frame *frame = fr_world_frame(world);
    double sum = 0;
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            double at[3] = {(i + 0.5) / cells, (j + 0.5) / cells, 0}, exact,
                   value = worlds_value(frame, "ink", i, j, 0);
            assert_ok(initial.function(initial.context, at, &exact));
            result.error += fabs(value - exact);
            result.least = fmin(result.least, value);
            result.most = fmax(result.most, value);
            sum += exact;
        }
    result.error /= sum;
    result.drift = worlds_ledger(world, "total_ink") / before - 1;
    fr_world_destroy(world);
    return result;
}

/* Koren's limiter is third order where it does not act; at the hill's top it does. */
static void test_a_smooth_hill_converges(void **state)
{
    (void)state;
    double sigma = 0.07;
    fr_number smooth = {.function = hill, .context = &sigma};
    double coarse = make_turn(64, 2, FR_TRANSPORT_CONSERVATIVE, smooth).error,
           fine = make_turn(128, 2, FR_TRANSPORT_CONSERVATIVE, smooth).error;
    print_message("one turn of a hill, mean error at 64 and 128 cells: %.2e %.2e, order %.2f\n", coarse, fine,
                  log2(coarse / fine));
    assert_true(log2(coarse / fine) > 1.9);
    assert_below(fine, 0.008);
}

/* However long the step, the steps of its own keep the answer and the bounds. */
static void test_the_slotted_disc_does_not_hang_on_the_step(void **state)
{
    (void)state;
    fr_number disc = {.function = slotted_disc};
    turn carried = make_turn(100, 2, FR_TRANSPORT_CARRIED, disc);
    for (double courant = 1; courant < 11; courant *= 10) {
        turn t = make_turn(100, courant, FR_TRANSPORT_CONSERVATIVE, disc);
        print_message(
            "slotted disc at Courant number %g, %d steps of its own: mean error %.3f (carried %.3f), total %+.1e\n",
            courant, t.substeps, t.error, carried.error, t.drift);
        assert_below(t.error, 0.43);
        assert_below(t.error, carried.error);
        assert_near(t.drift, 0, 2.4e-7);
        assert_true(t.least >= -1e-6 && t.most <= 1 + 1e-6);
        assert_true(t.substeps >= 2 * courant);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_smooth_hill_converges),
        cmocka_unit_test(test_the_slotted_disc_does_not_hang_on_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
