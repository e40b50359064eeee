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
    watch w = {.out = -INFINITY};
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
    fr_shape_def of = {
        .radius = 0.6 * size, .height = 1.2 * size, .axis = 1, .size = {0.9 * size, 0.5 * size, 0.6 * size}};
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
            print_message("%dD seed %d: overlap %.3f of the length, energy won %.2e, out by %g; in the end %g J\n",
                          dims, (int)seed, w.deepest / s->setup.length, w.gained, w.out, scene_energy(s));
            assert_true(w.deepest < 0.5 * s->setup.length);
            assert_true(w.gained < 1e-4);
            assert_true(w.out < 0);
            scene_end(s);
        }
}

/* A scene that has everything, in one go, and with the states taken out and put back into another world at every
   moment. */
static scene *all_scene(int dims)
{
    scene *s = random_scene(11, dims, 16, 0.8);
    fr_joint_def *h = scene_join(s, FR_JOINT_HINGE, 0, -1), *b = scene_join(s, FR_JOINT_BALL, 1, 2);
    memcpy(h->at, s->bodies[0].shape.at, sizeof h->at);
    memcpy(b->at, s->bodies[1].shape.at, sizeof b->at);
    h->has_motor = true;
    h->motor.value = 3;
    h->torque = 20;
    s->bodies[5].fixed = true;
    s->bodies[7].from = 0.4;
    return s;
}

static void test_same_bits(void **state)
{
    (void)state;
    enum { STEPS = 60, BODIES = 16 };
    for (int dims = 2; dims <= 3; dims++) {
        static rigid_state alone[STEPS][BODIES];
        scene *s = all_scene(dims);
        scene_begin(s);
        for (int n = 0; n < STEPS; n++) {
            scene_step(s, n / 50.0, (n + 1) / 50.0);
            rigid_get(s->world, alone[n]);
        }
        scene_end(s);
        scene *first = all_scene(dims), *other = random_scene(5, dims, 20, 0.5);
        scene_begin(first);
        scene_begin(other);
        rigid *second;
        assert_int_equal(rigid_create(&first->setup, &second), FR_OK);
        for (int n = 0; n < STEPS; n++) {
            rigid_state states[BODIES];
            scene_step(first, n / 50.0, (n + 1) / 50.0);
            scene_step(other, n / 70.0, (n + 1) / 70.0);
            rigid_get(first->world, states);
            assert_memory_equal(states, alone[n], sizeof states);
            rigid_set(second, states);
            rigid *swap = first->world;
            first->world = second;
            second = swap;
        }
        rigid_destroy(second);
        scene_end(first);
        scene_end(other);
    }
}

/* The work of loads and motors is found again in the energy of motion and in what was lost. */
static void test_books(void **state)
{
    (void)state;
    scene *s = random_scene(7, 3, 20, 0.9);
    scene_begin(s);
    double lost = 0, first = scene_energy(s);
    for (int n = 0; n < 60; n++) {
        scene_step(s, n / 60.0, (n + 1) / 60.0);
        lost += rigid_last(s->world).lost;
    }
    const double gone = first - scene_energy(s);
    print_message("energy gone %g, lost %g\n", gone, lost);
    assert_true(fabs(gone - lost) < 0.02 * gone);
    scene_end(s);
}

static fr_result lift(void *context, int obstacle, double from, double to, rigid_motion *out)
{
    (void)context;
    (void)obstacle;
    (void)from;
    const pose still = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .at = {0, 0.5 + 0.5 * to, 0}};
    *out = (rigid_motion){.pose = still, .velocity = {0, 0.5, 0}};
    return FR_OK;
}

static fr_result path(void *context, const double *args, double *out)
{
    (void)context;
    (void)args;
    (void)out;
    return FR_OK;
}

/* A bowl that stands still keeps what falls into it; a plate that rises carries what lies on it. */
static void test_obstacles(void **state)
{
    (void)state;
    fr_shape_def ball = scene_ball(0.5), box = {.kind = FR_SHAPE_BOX, .min = {-1, 0.1, -1}, .max = {1, 1, 1}};
    const fr_shape_def *inner[] = {&ball}, *parts[2];
    fr_shape_def shell = {.kind = FR_SHAPE_SHELL, .amount = 0.06, .children = inner, .child_count = 1};
    parts[0] = &shell;
    parts[1] = &box;
    fr_shape_def bowl = {.kind = FR_SHAPE_DIFFERENCE, .children = parts, .child_count = 2},
                 plate = scene_box(1, 0.1, 1);
    fr_obstacle_def obstacles[2] = {{.shape = {.shape = &bowl, .at = {0, 0.8, 0}}},
                                    {.shape = {.shape = &plate}, .path = path}};
    for (int k = 0; k < 2; k++) {
        scene *s = scene_new(3, 0.05);
        s->setup.obstacles = &obstacles[k];
        s->setup.obstacle_count = 1;
        s->setup.obstacle_motion = lift;
        scene_add(s, scene_box(0.2, 0.15, 0.2), 0.1, 1.0, 0.05)->bounce = 0;
        if (k == 0)
            scene_add(s, scene_ball(0.1), -0.1, 1.2, 0);
        scene_begin(s);
        for (int n = 0; n < 120; n++)
            scene_step(s, n / 60.0, (n + 1) / 60.0);
        const rigid_state q = scene_state(s, 0);
        print_message("box at %g %g %g, speed %g\n", q.position[0], q.position[1], q.position[2],
                      vec3_length(vec3_of(q.velocity)));
        if (k == 0) {
            for (int b = 0; b < 2; b++) {
                const rigid_state p = scene_state(s, b);
                assert_true(p.position[1] > 0.33 && hypot(p.position[0], p.position[2]) < 0.5);
            }
        } else {
            assert_true(fabs(q.position[1] - (1.5 + 0.05 + 0.075)) < 1e-3);
            assert_true(fabs(q.velocity[1] - 0.5) < 1e-3 && fabs(q.position[0] - 0.1) < 1e-3);
        }
        scene_end(s);
    }
}

/* The rows hold for the velocities that contacts and joints allow, and push a body away from what it touches. */
static void test_constraints(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        scene *s = scene_new(dims, 0.05);
        s->setup.wall[FR_BOTTOM] = true;
        scene_add(s, scene_box(0.4, 0.2, 0.4), 0, 0.1, 0);
        scene_add(s, scene_ball(0.1), 0, 0.31, 0);
        scene_add(s, scene_box(1, 0.1, 0.1), 1.5, 2, 0)->spin[2] = 2;
        scene_join(s, FR_JOINT_HINGE, 2, -1)->at[0] = 1;
        s->joints[0].at[1] = 2;
        s->bodies[2].velocity[1] = 1;
        scene_begin(s);
        const rigid_row *rows;
        rigid_state states[3];
        int count, sides = 0, closed = 0;
        assert_int_equal(rigid_constraints(s->world, 0.02, 0, &rows, &count), FR_OK);
        rigid_get(s->world, states);
        for (int i = 0; i < count; i++) {
            double sum = 0;
            for (int k = 0; k < 2; k++)
                for (int a = 0; a < 3 && rows[i].body[k] >= 0; a++)
                    sum += rows[i].row[k][a] * states[rows[i].body[k]].velocity[a] +
                           rows[i].row[k][3 + a] * states[rows[i].body[k]].spin[a];
            assert_true(rows[i].one_sided ? sum >= rows[i].bias - 1e-9 : fabs(sum - rows[i].bias) < 1e-9);
            sides += rows[i].one_sided;
            closed += rows[i].one_sided && rows[i].gap < 1e-6;
        }
        print_message("%dD: %d rows, %d one-sided, %d closed\n", dims, count, sides, closed);
        assert_int_equal(count - sides, dims == 2 ? 2 : 5);
        assert_int_equal(closed, dims == 2 ? 2 : 4);
        assert_int_equal(sides - closed, 1);
        scene_end(s);
    }
}

/* Where the last of as many bodies, a wheel, is about to touch the floor: the rows of its contacts. The first of five
   is heavier, the second has another shape, and all are far from each other. */
static int wheel_rows(int bodies, rigid_row *out, int room)
{
    static const fr_shape_def wheel = {.kind = FR_SHAPE_GEAR, .axis = 2, .radius = 0.2, .teeth = 7, .depth = 0.05,
                                       .thickness = 0.1, .hole = 0.05};
    scene *s = scene_new(3, 0.05);
    s->setup.wall[FR_BOTTOM] = true;
    for (int b = 5 - bodies; b < 5; b++) {
        const fr_shape_def shape = b == 1 ? scene_box(0.3, 0.2, 0.4) : wheel;
        fr_body_def *def = scene_add(s, shape, b == 4 ? 0 : 20.0 * (b + 1), 0.2, 0.1);
        def->density.value = b == 0 ? 2000 : 1000;
        def->shape.axis[0] = 1;
        def->shape.degrees = 30;
    }
    scene_begin(s);
    const rigid_row *rows;
    int count, found = 0;
    assert_int_equal(rigid_constraints(s->world, 0.1, 0, &rows, &count), FR_OK);
    for (int i = 0; i < count && found < room; i++)
        if (rows[i].body[0] == bodies - 1) {
            out[found] = rows[i];
            out[found++].body[0] = 0;
        }
    const rigid_mass *last = rigid_body_mass(s->world, bodies - 1);
    for (int b = 0; b + 1 < bodies; b++) {
        const bool same = memcmp(rigid_body_mass(s->world, b), last, sizeof *last) == 0;
        assert_true(same == (5 - bodies + b >= 2));
    }
    scene_end(s);
    return found;
}

/* Equal bodies are measured once, and each is as if it were alone. */
static void test_equal_bodies(void **state)
{
    (void)state;
    enum { ROOM = 64 };
    rigid_row alone[ROOM], among[ROOM];
    const int count = wheel_rows(1, alone, ROOM);
    assert_true(count > 0 && count < ROOM);
    for (int bodies = 2; bodies <= 5; bodies++) {
        assert_int_equal(wheel_rows(bodies, among, ROOM), count);
        for (int i = 0; i < count; i++) {
            assert_memory_equal(alone[i].row[0], among[i].row[0], sizeof alone[i].row[0]);
            assert_true(alone[i].gap == among[i].gap && alone[i].bias == among[i].bias);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thrown),    cmocka_unit_test(test_equal_bodies),
                                       cmocka_unit_test(test_same_bits), cmocka_unit_test(test_books),
                                       cmocka_unit_test(test_obstacles), cmocka_unit_test(test_constraints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
