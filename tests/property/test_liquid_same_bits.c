/* Every tracker of a liquid, and every way to treat the cells at its surface, gives the same bits for any number of
   threads, and in a run that is saved and resumed in a new world. */
#include "support/pools.h"

typedef struct variant {
    const char *name;
    fr_liquid_surface surface;
    fr_liquid_cells cells;
    fr_liquid_loop loop;
    int refine, band;
} variant;

static const variant variants[] = {
    {"level_set", FR_LIQUID_LEVEL_SET, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 1, 0},
    {"flip", FR_LIQUID_FLIP, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 1, 0},
    {"apic", FR_LIQUID_APIC, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 1, 0},
    {"particle_level_set", FR_LIQUID_PARTICLE_LEVEL_SET, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 1, 0},
    {"markers", FR_LIQUID_MARKERS, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 1, 0},
    {"two projections", FR_LIQUID_LEVEL_SET, FR_LIQUID_GHOST_FLUID, FR_LIQUID_TWICE, 1, 0},
    {"smooth cells", FR_LIQUID_LEVEL_SET, FR_LIQUID_SMOOTH, FR_LIQUID_ONCE, 1, 0},
    {"smooth cells and two projections", FR_LIQUID_MARKERS, FR_LIQUID_SMOOTH, FR_LIQUID_TWICE, 1, 0},
    {"noisy cells", FR_LIQUID_MARKERS, FR_LIQUID_NOISY, FR_LIQUID_ONCE, 1, 0},
    {"noisy cells and two projections", FR_LIQUID_LEVEL_SET, FR_LIQUID_NOISY, FR_LIQUID_TWICE, 1, 0},
    {"fine level_set", FR_LIQUID_LEVEL_SET, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 2, 0},
    {"fine particle_level_set", FR_LIQUID_PARTICLE_LEVEL_SET, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 3, 0},
    {"fine flip", FR_LIQUID_FLIP, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 2, 0},
    {"fine apic in a band", FR_LIQUID_APIC, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 2, 3}};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* A stirrer: a ball that goes up and down in the water. */
static fr_result stirrer_path(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0.7;
    out[1] = 0.2 + 0.05 * sin(20 * args[0]);
    out[2] = 0.4;
    return FR_OK;
}

/* A dam that breaks beside the stirrer; in 3D with viscosity. */
static void make_dam(pool *p, const variant *v, int dims)
{
    pools_make(p, v->surface, dims, (double[3]){1, 1, 0.6}, dims == 3 ? 20 : 48);
    p->def.liquid.surface_cells = v->cells;
    p->def.liquid.loop = v->loop;
    p->def.liquid.refine = v->refine;
    p->def.liquid.narrow_band = v->band;
    p->liquid = pools_box((double[3]){-1, -1, -1}, (double[3]){0.4, 0.7, 1});
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.12;
    pools_add_obstacle(p, ball);
    p->obstacle.path = stirrer_path;
    p->def.fluid.viscosity = dims == 3 ? 1e-2 : 0;
    p->def.time = (fr_time_def){.duration = 1, .fps = 25};
}

static fr_result stripes(void *context, const double *args, double *out)
{
    (void)context;
    *out = 40 + 40 * sin(20 * args[0] + 15 * args[1]);
    return FR_OK;
}

static const fr_scalar_value stripes_of_heat = {.name = "temperature", .value.function = stripes};

/* The dam is hot and cold in stripes: it melts, freezes, cools in the air and warms up at the stirrer. */
static void make_melting(pool *p, const pools_tracker *tracker, int dims)
{
    const variant plain = {tracker->name, tracker->surface, FR_LIQUID_GHOST_FLUID, FR_LIQUID_ONCE, 1, 0};
    make_dam(p, &plain, dims);
    p->def.fluid.viscosity = 0;
    p->def.heat = (fr_heat_def){.set = true,
                                .diffusivity = 1e-3,
                                .ambient = 10,
                                .loss = 1e-2,
                                .expansion = 1e-3,
                                .latent = 30,
                                .melt = {.set = true, .from = 30, .to = 50, .solid = 1, .liquid = 1e-3}};
    p->obstacle.has_temperature = true;
    p->obstacle.temperature = 90;
    p->def.initial = &stripes_of_heat;
    p->def.initial_count = 1;
}

static void test_threads(void **state)
{
    (void)state;
    for (int t = 0; t < VARIANTS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            pool p;
            make_dam(&p, &variants[t], dims);
            uint64_t one = worlds_run_hash(&p.def, 1);
            for (int threads = 2; threads <= 3; threads++)
                if (one != worlds_run_hash(&p.def, threads))
                    fail_msg("%s in %dD has other bits on %d threads", variants[t].name, dims, threads);
        }
}

static void test_resume(void **state)
{
    (void)state;
    fr_set_threads(2);
    for (int t = 0; t < VARIANTS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            pool p;
            make_dam(&p, &variants[t], dims);
            worlds_check_resume(&p.def, 7, "volume_error", variants[t].name);
        }
}

static void test_melting(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            pool p;
            make_melting(&p, &pools_trackers[t], dims);
            if (worlds_run_hash(&p.def, 1) != worlds_run_hash(&p.def, 2))
                fail_msg("melting %s in %dD has other bits on 2 threads", pools_trackers[t].name, dims);
            fr_set_threads(2);
            worlds_check_resume(&p.def, 7, "heat", pools_trackers[t].name);
            worlds_check_resume(&p.def, 7, "heat_in", pools_trackers[t].name);
        }
}

/* A paste that yields and thins, and carries its viscosity, whose thick half falls on the thin one. */
static void test_pastes(void **state)
{
    (void)state;
    const fr_scalar_value thick = {.name = "viscosity", .value.function = stripes};
    for (int t = 0; t < POOLS_TRACKERS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            pool p;
            make_dam(&p, &(variant){.surface = pools_trackers[t].surface, .refine = 1}, dims);
            p.def.fluid.viscosity = 0.01;
            p.def.fluid.yield = 0.2;
            p.def.fluid.power = 0.7;
            p.fill.scalars = &thick;
            p.fill.scalar_count = 1;
            if (worlds_run_hash(&p.def, 1) != worlds_run_hash(&p.def, 2))
                fail_msg("paste by %s in %dD has other bits on 2 threads", pools_trackers[t].name, dims);
            fr_set_threads(2);
            worlds_check_resume(&p.def, 7, "kinetic_energy", pools_trackers[t].name);
        }
}

/* Who looks at each step changes nothing. */
static void test_looks(void **state)
{
    (void)state;
    fr_set_threads(2);
    for (int t = 0; t < VARIANTS; t++) {
        pool p;
        make_dam(&p, &variants[t], 2);
        fr_world *world = worlds_create(&p.def);
        for (int frame = 0; frame < 3;) {
            fr_step_report report = {0};
            assert_ok(fr_world_step(world, &report));
            fr_world_frame(world);
            frame += report.frame_done;
        }
        if (worlds_hash(world) != worlds_run_hash(&p.def, 2))
            fail_msg("%s has other bits when it is looked at", variants[t].name);
        fr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads), cmocka_unit_test(test_resume),
                                       cmocka_unit_test(test_melting), cmocka_unit_test(test_pastes),
                                       cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
