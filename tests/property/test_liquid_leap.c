/* Parcels that go from middle to middle of the steps (src/liquid/swarm/leap.c): what is made of a step's end changes
   nothing, whoever asks for it; saved, failed and looked-at runs go on with the same bits. */
#include "support/pools.h"

typedef struct variant {
    const char *name;
    fr_liquid_surface surface;
    int refine;
    fr_wall_kind top;
    fr_liquid_volume volume;
} variant;

static const variant variants[] = {{"flip", FR_LIQUID_FLIP, 1, FR_WALL_FREE_SLIP, FR_LIQUID_VOLUME_KEPT},
                                   {"flip under the sky", FR_LIQUID_FLIP, 1, FR_WALL_OPEN, FR_LIQUID_VOLUME_KEPT},
                                   {"free flip", FR_LIQUID_FLIP, 1, FR_WALL_OPEN, FR_LIQUID_VOLUME_FREE},
                                   {"fine flip", FR_LIQUID_FLIP, 2, FR_WALL_FREE_SLIP, FR_LIQUID_VOLUME_KEPT}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bool fails;

/* A force of nothing, which may not be known. */
static fr_result moody(void *context, const double *args, double *out)
{
    (void)context;
    (void)args;
    out[0] = out[1] = out[2] = 0;
    return fails ? FR_ERROR_INPUT : FR_OK;
}

static const fr_force_def moody_force = {.value.function = moody};

/* A dam that breaks in an empty box. */
static void make_dam(pool *p, const variant *v, int dims)
{
    pools_make(p, v->surface, dims, (double[3]){1, 1, 0.6}, dims == 3 ? 16 : 40);
    p->def.liquid.refine = v->refine;
    p->def.liquid.volume = v->volume;
    p->def.walls[FR_TOP].kind = v->top;
    p->liquid = pools_box((double[3]){-1, -1, -1}, (double[3]){0.4, 0.7, 0.4});
    p->def.forces = &moody_force;
    p->def.force_count = 1;
    p->def.time = (fr_time_def){.duration = 1, .fps = 12};
}

/* The hash after three frames; what `disturbs` does is done before each step. */
static uint64_t run(const fr_scene_def *def, void (*disturbs)(fr_world *world))
{
    fr_world *world = worlds_create(def);
    for (int frame = 0; frame < 3;) {
        fr_step_report report = {0};
        if (disturbs)
            disturbs(world);
        assert_ok(fr_world_step(world, &report));
        frame += report.frame_done;
    }
    const uint64_t hash = worlds_hash(world);
    fr_world_destroy(world);
    return hash;
}

static void look(fr_world *world)
{
    fr_world_frame(world);
}

static void probe(fr_world *world)
{
    double depth;
    assert_ok(fr_world_probe(world, "level_set", (double[3]){0.5, 0.1, 0.1}, &depth));
}

static void fail_once(fr_world *world)
{
    fails = true;
    assert_int_equal(fr_world_step(world, NULL), FR_ERROR_INPUT);
    fails = false;
}

static void test_disturbed(void **state)
{
    void (*const ways[])(fr_world *) = {look, probe, fail_once};
    static const char *const words[] = {"looked at", "probed", "failed"};
    (void)state;
    for (int t = 0; t < VARIANTS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            pool p;
            make_dam(&p, &variants[t], dims);
            const uint64_t alone = run(&p.def, NULL);
            for (int way = 0; way < 3; way++)
                if (run(&p.def, ways[way]) != alone)
                    fail_msg("%s in %dD goes on with other bits when it is %s", variants[t].name, dims, words[way]);
        }
}

static void test_threads_and_resume(void **state)
{
    (void)state;
    for (int t = 0; t < VARIANTS; t++)
        for (int dims = 2; dims <= 3; dims++) {
            pool p;
            make_dam(&p, &variants[t], dims);
            if (worlds_run_hash(&p.def, 1) != worlds_run_hash(&p.def, 3))
                fail_msg("%s in %dD has other bits on 3 threads", variants[t].name, dims);
            for (int steps = 1; steps < 20; steps += 9)
                worlds_check_resume(&p.def, steps, "volume_error", variants[t].name);
        }
}

/* A drop in free fall is where it should be when somebody looks, not half a step before. */
static void test_now(void **state)
{
    (void)state;
    for (int t = 0; t < VARIANTS; t++) {
        pool p;
        make_dam(&p, &variants[t], 2);
        p.liquid = fr_default_shape(FR_SHAPE_SPHERE);
        p.liquid.radius = 0.15;
        p.fill.shape.at[0] = 0.5;
        p.fill.shape.at[1] = 0.7;
        fr_world *world = worlds_create(&p.def);
        assert_ok(fr_world_step_frame(world));
        assert_ok(fr_world_step_frame(world));
        const fr_frame *frame = fr_world_frame(world);
        const double fallen = 0.5 * 9.81 * frame->time * frame->time;
        double middle = 0, depth;
        for (int64_t n = 0; n < frame->particle_count; n++)
            middle += (double)frame->particles.data[n * frame->particles.stride + 1] / (double)frame->particle_count;
        assert_near(0.7 - middle, fallen, 2e-3);
        assert_ok(fr_world_probe(world, "level_set", (double[3]){0.5, 0.7 - fallen - 0.15, 0}, &depth));
        assert_near(depth, 0, 3e-3);
        fr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_disturbed), cmocka_unit_test(test_threads_and_resume),
                                       cmocka_unit_test(test_now)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
