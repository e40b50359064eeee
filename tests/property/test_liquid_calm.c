/* Particles of a level set are let go of where the water is calm, and come back when it is stirred: with the same bits
   for any number of threads, in a run that is resumed, and after a step that has failed; and what splashes then
   keeps its volume. */
#include "support/pools.h"

enum { FPS = 48, CALM = 40, STIRRED = 60, LAST = 84 };

/* A pool with a wave of half a cell, and a drop that is thrown in later. */
typedef struct calm_pool {
    pool p;
    fr_shape_def drop;
    fr_fill_def fills[2];
    fr_force_def force;
} calm_pool;

static fr_result wave(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[1] - 0.4 - 0.5 / 32 * cos(POOLS_PI * args[0]);
    return FR_OK;
}

/* Nothing, or a failure. */
static fr_result fails(void *context, const double *args, double *out)
{
    (void)args;
    out[0] = out[1] = out[2] = 0;
    return *(bool *)context ? fr_fail(FR_ERROR_INPUT, "as asked") : FR_OK;
}

static void make_calm(calm_pool *c, fr_liquid_surface surface, int dims, bool *failing)
{
    pools_make(&c->p, surface, dims, (double[3]){1, 1, 0.5}, dims == 3 ? 32 : 96);
    c->p.liquid = fr_default_shape(FR_SHAPE_SDF);
    c->p.liquid.function = wave;
    c->drop = fr_default_shape(FR_SHAPE_SPHERE);
    c->drop.radius = 0.12;
    c->fills[0] = c->p.fill;
    c->fills[1] = (fr_fill_def){.shape = {.shape = &c->drop, .at = {0.5, 0.7, dims == 3 ? 0.25 : 0}},
                                .from = (double)STIRRED / FPS};
    c->force = (fr_force_def){.value = {.function = fails, .context = failing}};
    c->p.def.fill = c->fills;
    c->p.def.fill_count = 2;
    c->p.def.forces = &c->force;
    c->p.def.force_count = 1;
    c->p.def.liquid.volume = FR_LIQUID_VOLUME_FREE;
    c->p.def.time = (fr_time_def){.duration = 10, .fps = FPS};
}

static void advance(fr_world *world, int frames)
{
    for (int f = 0; f < frames; f++)
        assert_ok(fr_world_step_frame(world));
}

/* Runs through both; on the way it is resumed in another world, if asked, after a step that fails. Returns the hash. */
static uint64_t through(int dims, int threads, bool resumes)
{
    bool failing = false;
    calm_pool c;
    make_calm(&c, FR_LIQUID_PARTICLE_LEVEL_SET, dims, &failing);
    fr_set_threads(threads);
    fr_world *world = worlds_create(&c.p.def);
    const double first = worlds_ledger(world, "particles");
    advance(world, CALM);
    const double calm = worlds_ledger(world, "particles");
    if (resumes) {
        failing = true;
        assert_true(fr_world_step(world, NULL) != FR_OK);
        failing = false;
        const fr_block *blocks;
        int count;
        fr_world *second = worlds_create(&c.p.def);
        assert_ok(fr_world_snapshot(world, &blocks, &count));
        assert_ok(fr_world_restore(second, blocks, count));
        fr_world_destroy(world);
        world = second;
    }
    advance(world, LAST - CALM);
    const double stirred = worlds_ledger(world, "particles"), error = worlds_ledger(world, "volume_error");
    print_message(
        "%dD: %.0f particles at the start, %.0f in calm water, %.0f after a drop has fallen; volume %+.3f %%\n", dims,
        first, calm, stirred, 100 * error);
    assert_true(first > 1000);
    assert_below(calm, 0.1 * first);
    assert_true(stirred > 0.5 * first);
    assert_below(fabs(error), 0.005);
    const uint64_t hash = worlds_hash(world);
    fr_world_destroy(world);
    fr_set_threads(0);
    return hash;
}

static void test_calm(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        const uint64_t alone = through(dims, 1, false);
        assert_true(alone == through(dims, 3, false));
        assert_true(alone == through(dims, 2, true));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
