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
            double at[3] = {(i + 0.5) / cells, (j + 0.5) / cells, 0}, exact, value = worlds_value(frame, "ink", i, j, 0);
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

static void test_explore(void **state)
{
    (void)state;
    double sigma = 0.07;
    fr_number smooth = {.function = hill, .context = &sigma}, disc = {.function = slotted_disc};
    for (double courant = 1; courant < 11; courant *= 10) {
        turn a = make_turn(64, courant, FR_TRANSPORT_CONSERVATIVE, smooth), b = make_turn(128, courant, FR_TRANSPORT_CONSERVATIVE, smooth);
        turn z = make_turn(100, courant, FR_TRANSPORT_CONSERVATIVE, disc);
        print_message("C %.2f (%d): hill %.3e %.3e order %.2f; disc %.4f, %.3g..1+%.3g, drift %.2g\n", courant, z.substeps, a.error, b.error, log2(a.error / b.error), z.error, z.least,
                      z.most - 1, z.drift);
        if (courant==1) {
        a = make_turn(64, courant, FR_TRANSPORT_CARRIED, smooth), b = make_turn(128, courant, FR_TRANSPORT_CARRIED, smooth), z = make_turn(100, courant, FR_TRANSPORT_CARRIED, disc);
        print_message("   carried: hill %.3e %.3e order %.2f; disc %.4f, %.3g..1+%.3g, drift %.2g\n", a.error, b.error, log2(a.error / b.error), z.error, z.least, z.most - 1, z.drift);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_explore)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
