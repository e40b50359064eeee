/* The account of a liquid's heat where liquid comes and goes: what is there is what was, came and has left, and what
   came and left is what the liquid that did so had. */
#include "support/pools.h"

static const double AMBIENT = 10, COLD = 20, WARM = 100; /* K */

/* What a scene has besides its pool. */
typedef struct account_scene {
    const char *name;
    bool tap, drain, sides, blob;
    bool latent, layers; /* the pool is warm below the middle of its depth */
} account_scene;

static const account_scene scenes[] = {{.name = "tap", .tap = true},
                                       {.name = "tap, latent heat", .tap = true, .latent = true},
                                       {.name = "drain, two layers", .drain = true, .layers = true},
                                       {.name = "tap and drain", .tap = true, .drain = true, .latent = true},
                                       {.name = "inflow, open side", .sides = true, .layers = true},
                                       {.name = "late blob", .blob = true, .latent = true}};
enum { SCENES = sizeof scenes / sizeof scenes[0], FRAMES = 12 };

static const fr_scalar_value warm = {.name = "temperature", .value.value = 100};

static fr_result layers_temperature(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[1] < 0.15 ? WARM : COLD;
    return FR_OK;
}

static const fr_scalar_value layers = {.name = "temperature", .value.function = layers_temperature},
                             cold = {.name = "temperature", .value.value = 20};

typedef struct account {
    pool p;
    fr_shape_def tap, drain, blob;
    fr_source_def source;
    fr_sink_def sink;
    fr_fill_def fills[2];
} account;

static void account_make_ports(account *a, const account_scene *scene)
{
    fr_scene_def *def = &a->p.def;
    a->tap = a->drain = a->blob = fr_default_shape(FR_SHAPE_SPHERE);
    a->tap.radius = a->drain.radius = 0.08;
    a->blob.radius = 0.12;
    a->source = (fr_source_def){.shape = {.shape = &a->tap, .at = {0.3, 0.7}},
                                .sets_velocity = true,
                                .velocity.value = {0, -1},
                                .scalars = &warm,
                                .scalar_count = 1};
    a->sink = (fr_sink_def){.shape = {.shape = &a->drain, .at = {0.8, 0.1}}};
    def->sources = &a->source;
    def->source_count = scene->tap;
    def->sinks = &a->sink;
    def->sink_count = scene->drain;
    if (scene->sides) {
        def->walls[FR_LEFT] = (fr_wall_def){.kind = FR_WALL_INFLOW,
                                            .velocity.value = {0.5, 0},
                                            .has_level = true,
                                            .level = 0.3,
                                            .scalars = &warm,
                                            .scalar_count = 1};
        def->walls[FR_RIGHT].kind = FR_WALL_OPEN;
    }
    a->fills[0] = a->p.fill;
    a->fills[1] = (fr_fill_def){.shape = {.shape = &a->blob, .at = {0.5, 0.6}},
                                .velocity.value = {0, -1},
                                .from = 0.1,
                                .scalars = &warm,
                                .scalar_count = 1};
    def->fill = a->fills;
    def->fill_count = 1 + scene->blob;
}

static void account_make(account *a, const account_scene *scene, fr_liquid_surface surface)
{
    pools_make(&a->p, surface, 2, (double[3]){1, 1, 0}, 40);
    a->p.liquid = pools_below(0.3);
    account_make_ports(a, scene);
    a->p.def.heat = (fr_heat_def){.set = true, .diffusivity = 1e-4, .ambient = AMBIENT};
    if (scene->latent) {
        a->p.def.heat.latent = 30;
        a->p.def.heat.melt = (fr_melt_def){.set = true, .from = 30, .to = 60, .solid = 0.05, .liquid = 1e-4};
    }
    a->p.def.initial = scene->layers ? &layers : &cold;
    a->p.def.initial_count = 1;
    a->p.def.time = (fr_time_def){.duration = 0.6, .fps = FRAMES / 0.6};
}

/* The hottest and the coldest of the liquid. */
static void account_range(const fr_frame *frame, double range[2])
{
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++) {
            double t = worlds_value(frame, "temperature", i, j, 0);
            if (worlds_value(frame, "level_set", i, j, 0) >= 0)
                continue;
            range[0] = fmin(range[0], t);
            range[1] = fmax(range[1], t);
        }
}

static void check_account(const account_scene *scene, const pools_tracker *tracker)
{
    account a;
    account_make(&a, scene, tracker->surface);
    fr_world *world = worlds_create(&a.p.def);
    const double before = worlds_ledger(world, "heat"), volume = worlds_ledger(world, "volume");
    double worst = 0, most = before, drift = 0, range[2] = {INFINITY, -INFINITY};
    for (int frame = 0; frame < FRAMES; frame++) {
        assert_ok(fr_world_step_frame(world));
        const double heat = worlds_ledger(world, "heat"), drifted = worlds_ledger(world, "heat_drift");
        const double due = before + worlds_ledger(world, "heat_in") - worlds_ledger(world, "heat_out") + drifted;
        most = fmax(most, heat);
        worst = fmax(worst, fabs(heat - due) / most);
        drift = fmax(drift, fabs(drifted) / most);
        account_range(fr_world_frame(world), range);
    }
    const double in = worlds_ledger(world, "heat_in"), out = worlds_ledger(world, "heat_out");
    const double came = worlds_ledger(world, "volume") - volume;
    print_message("%-18s %-18s off by %.1e, drift at most %.1e; in %+.4f, out %+.4f; volume %+.4f; %.2f … %.2f K\n",
                  scene->name, tracker->name, worst, drift, in, out, came, range[0], range[1]);
    assert_below(worst, 1e-3);
    assert_below(drift, 0.01);
    if ((scene->tap && !scene->drain) || scene->blob) /* all that came is as warm as the source */
        assert_near(in / (came * (WARM - AMBIENT + (scene->latent ? 30 : 0))), 1, 0.005);
    assert_true(range[0] > COLD - 0.01 && range[1] < WARM + 0.01);
    fr_world_destroy(world);
}

static void test_account(void **state)
{
    (void)state;
    for (int i = 0; i < SCENES; i++)
        for (int t = 0; t < POOLS_TRACKERS; t++)
            check_account(&scenes[i], &pools_trackers[t]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_account)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
