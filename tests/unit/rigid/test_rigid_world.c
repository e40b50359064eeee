/* Many bodies of many shapes: they do not overlap, win no energy, and the same states give the same bits. */
#include "scene.h"

#include <stdio.h>

typedef struct watch {
    double deepest, gained, out;    /* m; of the energy at the start; m beyond the walls */
} watch;

static void scene_tank(scene *s)
{
    memcpy(s->setup.low, (double[3]){-0.6, 0, -0.6}, sizeof s->setup.low);
    memcpy(s->setup.high, (double[3]){0.6, 4, 0.6}, sizeof s->setup.high);
    for (int side = 0; side < 2 * s->setup.dims; side++)
        s->setup.wall[side] = side != FR_TOP;
}

/* Steps a scene and watches it after every step. */
static watch scene_watch(scene *s, int frames, int fps)
{
    watch w = {0};
    double first = scene_energy(s), least = first;
    for (int n = 0; n < frames; n++) {
        scene_step(s, (double)n / fps, (n + 1.0) / fps);
        const double energy = scene_energy(s);
        w.deepest = fmax(w.deepest, rigid_last(s->world).deepest);
        w.gained = fmax(w.gained, (energy - least) / first);
        least = fmin(least, energy);
        for (int b = 0; b < s->setup.body_count; b++)
            for (int a = 0; a < s->setup.dims; a++) {
                const double x = scene_state(s, b).position[a];
                w.out = fmax(w.out, fmax(s->setup.low[a] - x, x - s->setup.high[a]));
            }
    }
    return w;
}

static double random_of(uint64_t seed, int *count, double low, double high)
{
    return low + (high - low) * random_unit(seed, (uint64_t)(*count)++);
}

/* The shapes of the random scenes; parts and outlines must outlive them. */
static fr_shape_def random_shape(int kind, double size)
{
    static const double star[10][2] = {{0, 1}, {0.25, 0.35}, {0.95, 0.31}, {0.4, -0.13}, {0.59, -0.81},
                                       {0, -0.42}, {-0.59, -0.81}, {-0.4, -0.13}, {-0.95, 0.31}, {-0.25, 0.35}};
    static double outline[SCENE_BODIES][10][2];
    static fr_shape_def parts[SCENE_BODIES][3];
    static const fr_shape_def *lists[SCENE_BODIES][3];
    static int next;
    const int n = next++ % SCENE_BODIES;
    fr_shape_def of = {.radius = 0.6 * size, .height = 1.2 * size, .axis = 1, .size = {0.9 * size, 0.5 * size, 0.6 * size}};
    switch (kind) {
    case 0: return scene_ball(0.7 * size);
    case 1: return scene_box(1.6 * size, 0.9 * size, 1.2 * size);
    case 2: of.kind = FR_SHAPE_CYLINDER; return of;
    case 3: of.kind = FR_SHAPE_CAPSULE; of.radius = 0.4 * size; return of;
    case 4: of.kind = FR_SHAPE_CONE; of.radius = 0.9 * size; return of;
    case 5: of.kind = FR_SHAPE_ELLIPSOID; return of;
    case 6: of.kind = FR_SHAPE_TORUS; of.tube = 0.25 * size; return of;
    case 7:
        return (fr_shape_def){.kind = FR_SHAPE_GEAR, .radius = size, .teeth = 8, .depth = 0.3 * size, .axis = 2,
                              .thickness = 0.6 * size, .hole = 0.2 * size};
    case 8:
        for (int i = 0; i < 10; i++)
            for (int a = 0; a < 2; a++)
                outline[n][i][a] = size * star[i][a];
        return (fr_shape_def){.kind = FR_SHAPE_EXTRUDE, .points = outline[n], .point_count = 10, .height = 0.8 * size};
    default:
        parts[n][0] = scene_box(1.4 * size, 1.4 * size, 1.4 * size);
        parts[n][1] = scene_ball(0.85 * size);
        parts[n][2] = (fr_shape_def){.kind = FR_SHAPE_TRANSLATE, .min = {0.7 * size, 0.7 * size, 0.2 * size},
                                     .children = &lists[n][2], .child_count = 1};
        lists[n][0] = &parts[n][0];
        lists[n][1] = &parts[n][kind % 2 ? 2 : 1];
        lists[n][2] = &parts[n][1];
        of.kind = kind % 2 ? FR_SHAPE_DIFFERENCE : FR_SHAPE_INTERSECTION;
        of.children = lists[n];
        of.child_count = 2;
        return of;
    }
}

/* Bodies in layers above each other, of random shape, density, restitution and spin. */
static scene *random_scene(uint64_t seed, int dims, int bodies, double bounce)
{
    scene *s = scene_new(dims, 0.05);
    int c = 0;
    scene_tank(s);
    const int across = dims == 2 ? 1 : 3;
    for (int b = 0; b < bodies; b++) {
        const double size = random_of(seed, &c, 0.08, 0.17);
        const int kind = (int)random_of(seed, &c, 0, 11);
        const double x = -0.38 + 0.38 * (b % 3), z = dims == 2 ? 0 : -0.38 + 0.38 * (b / 3 % across);
        fr_body_def *def = scene_add(s, random_shape(kind, size), x, 0.3 + 0.4 * (b / (3 * across)), z);
        for (int a = 0; a < 3; a++) {
            def->shape.axis[a] = dims == 2 ? a == 2 : random_of(seed, &c, -1, 1);
            def->spin[a] = random_of(seed, &c, -5, 5);
            def->velocity[a] = random_of(seed, &c, -1, 1);
        }
        def->shape.degrees = random_of(seed, &c, 0, 360);
        def->density.value = pow(10, random_of(seed, &c, 2, 4));
        def->bounce = bounce * random_of(seed, &c, 0, 1);
        def->friction = random_of(seed, &c, 0, 1);
    }
    return s;
}

static void test_thrown(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            scene *s = random_scene(seed, dims, 30, 1);
            scene_begin(s);
            const watch w = scene_watch(s, 90, 60);
            print_message("%dD seed %d: overlap %.3f of the length, energy won %.2e, out by %g; in the end %g J\n", dims,
                          (int)seed, w.deepest / s->setup.length, w.gained, w.out, scene_energy(s));
            assert_true(w.deepest < 0.5 * s->setup.length);
            assert_true(w.gained < 1e-4);
            assert_true(w.out < 0);
            scene_end(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thrown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
