/* Hard cases with rigid bodies: two hundred poured into a tank, towers, plugs, buckets, pistons, pockets, bodies that
   leave. With the argument `pour` the two hundred go on until they have come to rest, which takes some minutes. */
#include <freshet/scene.h>
#include <stdlib.h>

#include "base/random.h"
#include "support/floats.h"
#include "support/overlaps.h"

static void run_until(fr_world *world, double until)
{
    while (fr_world_time(world) < until - 1e-9)
        assert_ok(fr_world_step(world, NULL));
}

static void run_frames(fr_world *world, int frames)
{
    for (int i = 0; i < frames; i++)
        assert_ok(fr_world_step_frame(world));
}

/* Parcels in a shape that stands at `at`, turned by a body's rotation (NULL: not); a share of all. */
static double share_in(fr_world *world, const fr_shape_def *def, const double at[3], const double *rotation)
{
    const fr_frame *frame = fr_world_frame(world);
    pose where = pose_of((double[3]){0, 0, 1}, 0, at);
    shape *s;
    int64_t in = 0;
    if (rotation)
        quaternion_matrix(rotation, where.turn);
    assert_ok(shape_create(&(fr_placed_shape){.shape = def}, frame->dims, "shape", &s));
    shape_place(s, &where);
    for (int64_t n = 0; n < frame->particle_count; n++) {
        double place[3], distance;
        for (int a = 0; a < 3; a++)
            place[a] = frame->particles.data[n * frame->particles.stride + a];
        assert_ok(shape_distance(s, place, &distance));
        in += distance < 0;
    }
    shape_destroy(s);
    return (double)in / (double)frame->particle_count;
}

/* 200 bodies of any shape and density over a tank. */
enum { POURED = 200, ACROSS = 6, POUR_CELLS = 32 };

typedef struct pour {
    fr_shape_def shapes[POURED];
    fr_body_def bodies[POURED];
    pool pool;
} pour;

static void pour_shape(fr_shape_def *s, int n)
{
    static const fr_shape_kind kinds[] = {FR_SHAPE_SPHERE, FR_SHAPE_BOX, FR_SHAPE_CAPSULE, FR_SHAPE_CYLINDER};
    const double radius = 0.04 + 0.02 * random_unit(7, (uint64_t)(4 * n));
    *s = fr_default_shape(kinds[n % 4]);
    s->radius = (n % 4 == 2 ? 0.6 : n % 4 == 3 ? 0.7 : 1) * radius;
    s->height = radius;
    for (int a = 0; a < 3; a++) {
        s->max[a] = 0.6 * radius;
        s->min[a] = -s->max[a];
    }
}

static void pour_make(pour *p)
{
    const double size[3] = {1, 2, 1};
    memset(p, 0, sizeof *p);
    pools_make(&p->pool, FR_LIQUID_FLIP, 3, size, POUR_CELLS);
    p->pool.liquid = pools_below(0.5);
    p->pool.def.time = (fr_time_def){.duration = 1, .fps = 10};
    p->pool.def.bodies = p->bodies;
    p->pool.def.body_count = POURED;
    for (int n = 0; n < POURED; n++) {
        const int place[3] = {n % ACROSS, n / ACROSS / ACROSS, n / ACROSS % ACROSS};
        fr_body_def *b = &p->bodies[n];
        pour_shape(&p->shapes[n], n);
        *b = fr_default_body();
        b->shape = (fr_placed_shape){.shape = &p->shapes[n], .axis = {1, 2, 3}, .degrees = 37.0 * n};
        for (int a = 0; a < 3; a++)
            b->shape.at[a] = (a == 1 ? 0.65 : 0.1) + 0.16 * place[a];
        b->density.value = pow(10, 1 + 3.3 * random_unit(7, (uint64_t)(4 * n + 1)));
        b->velocity[1] = -2;
    }
}

/* The same bits on three threads, and from within a frame. */
static void pour_same_bits(fr_world *one, fr_world *other, int frame)
{
    const fr_block *blocks;
    int count;
    if (frame == 1) {
        assert_ok(fr_world_step(one, NULL));
        assert_ok(fr_world_snapshot(one, &blocks, &count));
        assert_ok(fr_world_restore(other, blocks, count));
    }
    fr_set_threads(frame == 0 ? 1 : 0);
    run_frames(one, 1);
    fr_set_threads(frame == 0 ? 3 : 0);
    if (frame < 2) {
        run_frames(other, 1);
        assert_true(floats_hash(one) == floats_hash(other));
    }
    fr_set_threads(0);
}

static void pour_for(int frames)
{
    static pour p;
    overlaps o;
    pour_make(&p);
    p.pool.def.time.duration = 0.1 * frames;
    overlaps_make(&o, &p.pool.def);
    fr_world *one = worlds_create(&p.pool.def), *other = worlds_create(&p.pool.def);
    double deepest = 0;
    for (int frame = 0; frame < frames; frame++) {
        pour_same_bits(one, other, frame);
        deepest = fmax(deepest, overlaps_deepest(&o, one));
    }
    print_message("200 bodies: overlap %.2f cells, volume %+.1e, their energy %+.3g J\n", deepest * POUR_CELLS / 2,
                  worlds_ledger(one, "volume_error"), worlds_ledger(one, "bodies_energy"));
    assert_below(deepest * POUR_CELLS / 2, 0.5);
    assert_below(fabs(worlds_ledger(one, "volume_error")), 1e-3);
    fr_world_destroy(one);
    fr_world_destroy(other);
    overlaps_free(&o);
}

/* All have met the water by then. */
static void test_pour(void **state)
{
    (void)state;
    pour_for(4);
}

static void test_pour_to_rest(void **state)
{
    (void)state;
    pour_for(30);
}

/* Ten boxes on each other, all under water. */
static void test_tower(void **state)
{
    (void)state;
    floats f;
    const double size[3] = {0.8, 1.2, 0};
    fr_scene_def *def = floats_make(&f, FR_LIQUID_FLIP, 2, size, 24);
    f.pool.liquid = pools_below(1.05);
    def->time = (fr_time_def){.duration = 10, .fps = 10};
    for (int n = 0; n < 10; n++)
        floats_add(&f, floats_box(0.2, 0.08, 1), (double[3]){0.4, 0.04 + 0.08 * n, 0}, 2000)->bounce = 0;
    fr_world *world = worlds_create(def);
    run_frames(world, 100);
    double aside = 0, down = 0, turned = 0;
    for (int n = 0; n < 10; n++) {
        const fr_body_state *s = floats_body(world, n);
        aside = fmax(aside, fabs(s->position[0] - 0.4));
        down = fmax(down, fabs(s->position[1] - 0.04 - 0.08 * n));
        turned = fmax(turned, 2 * fabs(s->rotation[3]));
    }
    print_message("a tower after 10 s: aside %.1e, down %.1e cells, turned %.1e rad\n", aside * 20, down * 20, turned);
    assert_below(aside * 20, 0.1);
    assert_below(down * 20, 0.1);
    assert_below(turned, 0.01);
    fr_world_destroy(world);
}

static fr_scene *load(const char *name, const char *const *set, int count, int cells)
{
    fr_scene *scene;
    char path[512];
    snprintf(path, sizeof path, SOURCE_DIR "/scenes/bodies/%s.lua", name);
    assert_ok(fr_scene_load(path, &(fr_scene_options){.set = set, .set_count = count, .res = cells}, &scene));
    return scene;
}

static void test_plug(void **state)
{
    (void)state;
    fr_scene *scene = load("hourglass-plug", NULL, 0, 40);
    fr_world *world = worlds_create(fr_scene_definition(scene));
    const fr_shape_def below = pools_below(0.47);
    run_until(world, 0.5);
    const double before = share_in(world, &below, (double[3]){0}, NULL);
    run_until(world, 1.5);
    const double through = share_in(world, &below, (double[3]){0}, NULL);
    print_message("past a plug: %.2e of the liquid by 0.5 s, %.2e by 1.5 s\n", before, through);
    assert_below(through - before, 1e-3);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

/* The path is that of the scene: from 2.6 to 3.2 s it hangs upright, out of the water, its middle at 0.62 m. Parcels
   are added and taken away where they are few or many, so that their number in the bucket says nothing of a leak to a
   thousandth: what has leaked is liquid in the air beside and under it that was not there when it came to rest. What is
   in it ends in the middle of its wall: the film outside creeps along the wall's outer side, and across it. */
static double beside_bucket(fr_world *world, double *held)
{
    const fr_shape_def around = pools_box((double[3]){0.2, 0.35, 0.1}, (double[3]){0.5, 0.85, 0.4});
    fr_shape_def column = fr_default_shape(FR_SHAPE_CYLINDER); /* the bucket, and the air above it */
    column.radius = 0.105;
    column.height = 0.33;
    *held = share_in(world, &column, (double[3]){0.35, 0.52 + 0.5 * column.height, 0.25}, NULL);
    return share_in(world, &around, (double[3]){0}, NULL) - *held;
}

static void test_bucket(void **state)
{
    (void)state;
    fr_scene *scene = load("bucket", NULL, 0, 40);
    fr_world *world = worlds_create(fr_scene_definition(scene));
    run_until(world, 2.7);
    double full, held, most = 0;
    const double before = beside_bucket(world, &full);
    for (int n = 1; n <= 20; n++) {
        run_until(world, 2.7 + 0.02 * n);
        most = fmax(most, beside_bucket(world, &held) - before);
    }
    print_message("a bucket holds %.4f of the liquid, beside it are %.1e of that, in 0.4 s at most %.1e more\n", full,
                  before / full, most / full);
    assert_true(full > 0.005);
    assert_below(most / full, 0.4e-3);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

/* A cup of thin walls, filled, on a slider whose motor holds it, or lifts it. */
static void test_cup(void **state)
{
    (void)state;
    for (int lifts = 0; lifts < 2; lifts++) {
        floats f;
        const double size[3] = {1, 1.2, 0};
        fr_scene_def *def = floats_make(&f, FR_LIQUID_FLIP, 2, size, 30);
        static fr_shape_def outer, inner, cup;
        static const fr_shape_def *parts[2] = {&outer, &inner};
        outer = pools_box((double[3]){-0.2, -0.15, -1}, (double[3]){0.2, 0.15, 1});
        inner = pools_box((double[3]){-0.19, -0.14, -2}, (double[3]){0.19, 0.3, 2});
        cup = fr_default_shape(FR_SHAPE_DIFFERENCE);
        cup.children = parts;
        cup.child_count = 2;
        f.pool.liquid = pools_box((double[3]){0.31, 0.26, -1}, (double[3]){0.69, 0.5, 1});
        def->time = (fr_time_def){.duration = 1, .fps = 20};
        floats_add(&f, cup, (double[3]){0.5, 0.4, 0}, 2000);
        f.joints[0] = fr_default_joint(FR_JOINT_SLIDER);
        memcpy(f.joints[0].axis, (double[3]){0, 1, 0}, sizeof f.joints[0].axis);
        f.joints[0].bodies[1] = -1;
        f.joints[0].has_motor = true;
        f.joints[0].motor.value = lifts ? 0.3 : 0;
        def->joint_count = 1;
        fr_world *world = worlds_create(def);
        const fr_shape_def inside = pools_box((double[3]){-0.195, -0.145, -2}, (double[3]){0.195, 0.5, 2});
        run_frames(world, 20);
        const fr_body_state *s = floats_body(world, 0);
        const double at[3] = {s->position[0], s->position[1] + (0 - s->centre[1]), 0};
        const double held = share_in(world, &inside, at, s->rotation);
        print_message("a cup that %s: at %.4f after a second, with %.5f of its liquid\n", lifts ? "is lifted" : "hangs",
                      at[1], held);
        assert_near(at[1], lifts ? 0.7 : 0.4, 1e-6);
        assert_below(1 - held, 1e-3);
        fr_world_destroy(world);
    }
}

/* What shoots up and out leaves no liquid in itself, and floats on top afterwards. A step ends half a step after the
   liquid has been kept out, in which it goes half a cell at most. */
static void test_styrofoam(void **state)
{
    (void)state;
    floats f;
    enum { FRAMES = 30, LAST = 15 };
    const double size[3] = {1, 1.5, 1}, radius = 0.15, cell = 0.05;
    fr_scene_def *def = floats_make(&f, FR_LIQUID_FLIP, 3, size, 30);
    f.pool.liquid = pools_below(0.6);
    def->time = (fr_time_def){.duration = 3, .fps = 10};
    floats_add(&f, floats_ball(radius), (double[3]){0.5, 0.3, 0.5}, 30);
    const fr_shape_def core = floats_ball(radius - 0.5 * cell);
    fr_world *world = worlds_create(def);
    const double level = worlds_ledger(world, "volume");
    double inside = 0, height = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        run_frames(world, 1);
        inside = fmax(inside, share_in(world, &core, floats_body(world, 0)->position, NULL));
        height += frame >= FRAMES - LAST ? (floats_body(world, 0)->position[1] - level) / LAST : 0;
    }
    print_message("styrofoam: %.2e of the liquid was in it; its middle floats %.2f radii above the level\n", inside,
                  height / radius);
    assert_near(inside, 0, 0);
    assert_true(height > 0);
    fr_world_destroy(world);
}

/* A channel that is full, and a body as wide as it is: it can go nowhere. */
static void pocket(const char *name, fr_liquid_surface surface, bool smoke, double density, bool motor)
{
    floats f;
    const double size[3] = {0.25, 1, 0};
    fr_scene_def *def = floats_make(&f, surface, 2, size, 40);
    if (smoke) {
        f.pool.def = fr_default_scene(FR_METHOD_SMOKE);
        f.pool.def.domain = (fr_domain_def){.dims = 2, .size = {0.25, 1}, .cells = {40}};
        f.pool.def.bodies = f.bodies;
        f.pool.def.joints = f.joints;
    }
    f.pool.liquid = pools_below(2);
    def->time = (fr_time_def){.duration = 0.5, .fps = 20};
    floats_add(&f, floats_box(0.25, 0.2, 1), (double[3]){0.125, 0.51, 0}, density);
    if (motor) {
        f.joints[0] = fr_default_joint(FR_JOINT_SLIDER);
        memcpy(f.joints[0].axis, (double[3]){0, 1, 0}, sizeof f.joints[0].axis);
        f.joints[0].bodies[1] = -1;
        f.joints[0].has_motor = true;
        f.joints[0].motor.value = 1;
        f.joints[0].torque = 1e4;
        def->joint_count = 1;
    }
    fr_world *world = worlds_create(def);
    run_frames(world, 10);
    const double moved = floats_body(world, 0)->position[1] - 0.51;
    print_message("%s, density %g: it has moved by %.2e cells\n", name, density, moved * 40);
    assert_below(fabs(moved) * 40, 0.05);
    fr_world_destroy(world);
}

static void test_pockets(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        pocket(pools_trackers[t].name, pools_trackers[t].surface, false, 3000, false);
        pocket(pools_trackers[t].name, pools_trackers[t].surface, false, 100, false);
    }
    pocket("smoke", FR_LIQUID_FLIP, true, 100, false);
    pocket("a piston", FR_LIQUID_FLIP, false, 1000, true);
}

/* Nearly all of the tank, with liquid around it; and one that falls out of it. */
static void test_fills_and_leaves(void **state)
{
    (void)state;
    for (int leaves = 0; leaves < 2; leaves++)
        for (int t = 0; t < POOLS_TRACKERS; t++) {
            floats f;
            const double size[3] = {1, 1, 0};
            fr_scene_def *def = floats_make(&f, pools_trackers[t].surface, 2, size, 24);
            f.pool.liquid = pools_below(leaves ? 0.3 : 0.95);
            def->time = (fr_time_def){.duration = 1, .fps = 10};
            if (leaves) {
                floats_add(&f, floats_ball(0.12), (double[3]){0.8, 0.6, 0}, 500)->velocity[0] = 2;
                def->walls[FR_RIGHT].kind = FR_WALL_OPEN;
            } else {
                floats_add(&f, floats_box(0.9, 0.9, 1), (double[3]){0.5, 0.5, 0}, 1500);
            }
            fr_world *world = worlds_create(def);
            run_frames(world, 10);
            const fr_body_state *s = floats_body(world, 0);
            print_message("%s, %s: it is at %.3f %.3f\n", pools_trackers[t].name, leaves ? "leaves" : "fills",
                          s->position[0], s->position[1]);
            if (leaves)
                assert_true(s->position[0] > 2);
            else
                assert_true(s->position[1] > 0.45 - 0.02 && s->position[1] < 0.55 + 0.02);
            fr_world_destroy(world);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pockets), cmocka_unit_test(test_fills_and_leaves), cmocka_unit_test(test_cup),
        cmocka_unit_test(test_tower),   cmocka_unit_test(test_styrofoam),        cmocka_unit_test(test_plug),
        cmocka_unit_test(test_bucket),  cmocka_unit_test(test_pour),
    };
    const struct CMUnitTest many[] = {cmocka_unit_test(test_pour_to_rest)};
    if (argc > 1 && !strcmp(argv[1], "pour"))
        return cmocka_run_group_tests(many, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
