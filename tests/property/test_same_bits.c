/* The same bits for any number of threads, and for a run that is saved and resumed in a new world. */
#include <stdlib.h>

#include "support/worlds.h"

static fr_result gusts(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0.5 + 0.3 * sin(11 * args[3] + 3 * args[1]);
    out[1] = 0.2 * cos(7 * args[3]);
    out[2] = 0;
    return FR_OK;
}

/* The kinds of scene whose bits must not depend on threads or on a stop: everything switched on at once, a periodic
   box, sides that change in time (and cubic advection), a prescribed flow, the schemes that look at the middle of a
   step, particles that come and go in a flow that fans and turbulence stir, obstacles that move. */
enum {
    OBSTACLE,
    PERIODIC,
    INFLOW,
    PRESCRIBED,
    REFLECTION,
    CENTRAL,
    CARRIED,
    MOVING,
    STIRRED_REFLECTION,
    STIRRED_CENTRAL,
    VARIANTS
};

static fr_result swing(void *context, const double *args, double *out)
{
    out[0] = 0.5 + 0.2 * sin(5 * args[0]);
    out[1] = 0.7 + 0.1 * cos(3 * args[0]);
    out[2] = *(const int *)context == 3 ? 0.5 : 0;
    out[3] = 40 * args[0];
    return FR_OK;
}

static void add_particles(worlds_plume *plume, int dims)
{
    static fr_tracers_def kinds[2];
    static fr_force_def fan;
    fr_scene_def *def = &plume->def;
    kinds[0] = (fr_tracers_def){.per_cell = dims == 3 ? 0.2 : 0.5, .to = 1e9, .settle = 0.1};
    kinds[1] = (fr_tracers_def){
        .shape = def->sources[0].shape, .rate = 2000, .to = 1e9, .lifetime = 0.3, .response = 0.05, .seed = 7};
    fan = (fr_force_def){
        .shape = def->sources[0].shape, .is_fan = true, .direction = {1, 0.5, 0}, .speed.value = 0.8, .response = 0.1};
    plume->source.sets_velocity = true;
    plume->source.turbulence = (fr_turbulence_def){.speed = 0.2, .length = 0.1};
    def->walls[FR_LEFT] = (fr_wall_def){
        .kind = FR_WALL_INFLOW, .velocity.value = {0.3, 0, 0}, .turbulence = {.speed = 0.1, .length = 0.3}};
    def->tracers = kinds;
    def->tracer_count = 2;
    def->forces = &fan;
    def->force_count = 1;
}

static void make_variant(worlds_plume *plume, int variant, int dims, int cells)
{
    worlds_plume_make(plume, dims, cells);
    fr_scene_def *def = &plume->def;
    bool stirred = variant == STIRRED_REFLECTION || variant == STIRRED_CENTRAL; /* a moving obstacle among particles */
    if (variant == CARRIED || stirred)
        add_particles(plume, dims);
    if (variant == PERIODIC || variant == INFLOW || variant == PRESCRIBED)
        def->obstacle_count = 0;
    if (variant == MOVING || stirred) {
        plume->obstacle.path = swing;
        plume->obstacle.path_context = &def->domain.dims;
        plume->obstacle.no_slip = true;
    }
    for (int side = 0; side < FR_SIDES && variant == PERIODIC; side++)
        def->walls[side].kind = FR_WALL_PERIODIC;
    if (variant == INFLOW) {
        def->walls[FR_LEFT] = (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.function = gusts};
        def->smoke.advection = FR_ADVECTION_CUBIC;
    }
    if (variant == REFLECTION || variant == STIRRED_REFLECTION)
        def->smoke.advection = FR_ADVECTION_REFLECTION;
    if (variant == CENTRAL || variant == STIRRED_CENTRAL)
        def->smoke.advection = FR_ADVECTION_CENTRAL;
    if (variant == PRESCRIBED) {
        def->has_prescribed = true;
        def->prescribed.function = gusts;
        def->fluid.viscosity = 0;
        def->smoke = (fr_smoke_def){0};
    }
}

static uint64_t run_hash(int variant, int dims, int threads)
{
    worlds_plume plume;
    make_variant(&plume, variant, dims, dims == 3 ? (variant >= CARRIED ? 22 : 30) : (variant >= CARRIED ? 90 : 150));
    return worlds_run_hash(&plume.def, threads);
}

static void test_threads(void **state)
{
    (void)state;
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int dims = 2; dims <= 3; dims++) {
            uint64_t one = run_hash(variant, dims, 1);
            for (int threads = 2; threads <= 4; threads += 2)
                assert_true(one == run_hash(variant, dims, threads));
        }
}

enum { MOST_BLOCKS = 24, LONGEST_NAME = 64 };

/* A snapshot that outlives its world, as a file does. */
typedef struct kept_snapshot {
    int count;
    fr_block blocks[MOST_BLOCKS];
    char names[MOST_BLOCKS][LONGEST_NAME];
} kept_snapshot;

static void keep_snapshot(fr_world *world, kept_snapshot *kept)
{
    const fr_block *blocks;
    assert_ok(fr_world_snapshot(world, &blocks, &kept->count));
    assert_true(kept->count <= MOST_BLOCKS);
    for (int i = 0; i < kept->count; i++) {
        fr_block *block = &kept->blocks[i];
        assert_true(snprintf(kept->names[i], LONGEST_NAME, "%s", blocks[i].name) < LONGEST_NAME);
        *block = (fr_block){.name = kept->names[i], .data = malloc(blocks[i].bytes), .bytes = blocks[i].bytes};
        memcpy(block->data, blocks[i].data, blocks[i].bytes);
    }
}

enum { LAST_FRAME = 12 };

/* Saves after `steps` sub-steps, in the middle of a frame where it so falls. */
static void check_resume(int variant, int dims, int steps)
{
    worlds_plume plume;
    make_variant(&plume, variant, dims, dims == 3 ? (variant == CARRIED ? 12 : 20) : variant == CARRIED ? 32 : 48);
    plume.def.time.cfl = 0.5;
    fr_world *whole = worlds_create(&plume.def), *first = worlds_create(&plume.def),
             *second = worlds_create(&plume.def);
    kept_snapshot kept;
    for (int i = 0; i < steps; i++)
        assert_ok(fr_world_step(first, NULL));
    assert_true(fr_world_frame_index(first) <= LAST_FRAME);
    keep_snapshot(first, &kept);
    fr_world_destroy(first);
    assert_ok(fr_world_restore(second, kept.blocks, kept.count));
    while (fr_world_frame_index(whole) < LAST_FRAME)
        assert_ok(fr_world_step_frame(whole));
    while (fr_world_frame_index(second) < LAST_FRAME)
        assert_ok(fr_world_step_frame(second));
    assert_true(worlds_hash(whole) == worlds_hash(second));
    assert_near(worlds_ledger(whole, "steps"), worlds_ledger(second, "steps"), 0);
    assert_near(worlds_ledger(whole, "clamps"), worlds_ledger(second, "clamps"), 0);
    if (variant == CARRIED) {
        assert_near(worlds_ledger(whole, "particles_left"), worlds_ledger(second, "particles_left"), 0);
        assert_near(worlds_ledger(whole, "particles_lost"), 0, 0);
    }
    for (int i = 0; i < kept.count; i++)
        free(kept.blocks[i].data);
    fr_world_destroy(whole);
    fr_world_destroy(second);
}

static void test_resume(void **state)
{
    (void)state;
    fr_set_threads(2);
    for (int variant = 0; variant < VARIANTS; variant++)
        for (int dims = 2; dims <= 3; dims++)
            for (int steps = 1; steps < 12; steps += 5)
                check_resume(variant, dims, steps);
}

static void test_a_snapshot_of_another_scene_is_refused(void **state)
{
    (void)state;
    worlds_plume plume, other;
    worlds_plume_make(&plume, 2, 24);
    worlds_plume_make(&other, 2, 32);
    fr_world *a = worlds_create(&plume.def), *b = worlds_create(&other.def);
    const fr_block *blocks;
    int count;
    assert_ok(fr_world_snapshot(a, &blocks, &count));
    uint64_t before = worlds_hash(b);
    assert_int_equal(fr_world_restore(b, blocks, count), FR_ERROR_INPUT);
    assert_true(before == worlds_hash(b));
    assert_int_equal(fr_world_restore(a, blocks, count - 1), FR_ERROR_INPUT);
    fr_world_destroy(a);
    fr_world_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_a_snapshot_of_another_scene_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
