/* Moving obstacles: their poses, and the open faces and volumes that they leave. */
#include <stdlib.h>
#include <string.h>

#include "mac/solids/solids.h"
#include "support/check.h"

static const double PI = 3.14159265358979323846;

enum { MOST = 3 };

typedef struct scene {
    fr_shape_def shapes[MOST], arms[2];
    const fr_shape_def *children[2];
    fr_obstacle_def obstacles[MOST];
    fr_scene_def def;
    domain d;
} scene;

/* To and fro and round about; stands still for a while in between. */
static fr_result wander(void *context, const double *args, double *out)
{
    double t = args[0] < 1 ? args[0] : args[0] < 2 ? 1 : args[0] - 1;
    out[0] = 0.5 + 0.3 * sin(2 * t);
    out[1] = 0.5 + 0.2 * cos(3 * t);
    out[2] = *(const int *)context == 3 ? 0.45 + 0.1 * sin(t) : 0;
    out[3] = 100 * t * t;
    return FR_OK;
}

/* A still ball, a cross that spins through it, and a thin plate on a path that takes it out of the domain at times. */
static void scene_make(scene *s, int dims, int cells, int *context)
{
    memset(s, 0, sizeof *s);
    *context = dims;
    double z = dims == 3 ? 0.5 : 0;
    s->shapes[0] = fr_default_shape(FR_SHAPE_SPHERE);
    s->shapes[0].radius = 0.12;
    for (int i = 0; i < 2; i++) {
        s->arms[i] = fr_default_shape(FR_SHAPE_BOX);
        for (int a = 0; a < 3; a++) {
            s->arms[i].max[a] = a == i ? 0.25 : a == 2 ? 0.1 : 0.03;
            s->arms[i].min[a] = -s->arms[i].max[a];
        }
        s->children[i] = &s->arms[i];
    }
    s->shapes[1] = fr_default_shape(FR_SHAPE_UNION);
    s->shapes[1].children = s->children;
    s->shapes[1].child_count = 2;
    s->shapes[2] = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        s->shapes[2].max[a] = a == 0 ? 0.2 : a == 1 ? 0.2 / cells : 0.2;
        s->shapes[2].min[a] = -s->shapes[2].max[a];
    }
    s->obstacles[0] = (fr_obstacle_def){.shape = {.shape = &s->shapes[0], .at = {0.3, 0.3, z}}, .no_slip = true};
    s->obstacles[1] =
        (fr_obstacle_def){.shape = {.shape = &s->shapes[1], .at = {0.55, 0.5, z}}, .spin_axis = {0, 0, 1}, .spin = 77};
    s->obstacles[2] = (fr_obstacle_def){
        .shape = {.shape = &s->shapes[2]}, .path = wander, .path_context = context, .has_temperature = true};
    s->def = fr_default_scene(FR_METHOD_SMOKE);
    s->def.domain.dims = dims;
    s->def.obstacles = s->obstacles;
    s->def.obstacle_count = MOST;
    double h = 1.0 / cells;
    s->d = (domain){.dims = dims, .n = {cells, cells, dims == 3 ? cells : 1}, .h = {h, h, dims == 3 ? h : 1}};
}

/* The bodies after a step, and the grid with them. */
typedef struct laid {
    bodies bodies;
    solids solid;
} laid;

static void laid_create(const scene *s, laid *l)
{
    assert_ok(bodies_create(s->def.obstacles, s->def.obstacle_count, &l->bodies));
    assert_ok(solids_create(&l->bodies, &s->d, &l->solid));
}

static bool laid_move(laid *l, double from, double to)
{
    bool changed;
    assert_ok(bodies_move(&l->bodies, from, to));
    assert_ok(solids_move(&l->solid, &l->bodies, &changed));
    return changed;
}

static void laid_destroy(laid *l)
{
    solids_destroy(&l->solid);
    bodies_destroy(&l->bodies);
}

static void same_field(const field *a, const field *b)
{
    assert_memory_equal(a->block, b->block, a->count * sizeof(float));
}

static void same_solids(const solids *a, const solids *b)
{
    size_t cells = a->distance.count;
    same_field(&a->distance, &b->distance);
    same_field(&a->volume, &b->volume);
    assert_memory_equal(a->owner, b->owner, cells * sizeof *a->owner);
    assert_memory_equal(a->cell_layers, b->cell_layers, cells);
    assert_memory_equal(a->cell_marks, b->cell_marks, cells);
    assert_memory_equal(a->warm_marks, b->warm_marks, cells);
    for (int i = 0; i < a->domain.dims; i++) {
        same_field(&a->open[i], &b->open[i]);
        same_field(&a->wall[i], &b->wall[i]);
        assert_memory_equal(a->face_layers[i], b->face_layers[i], a->open[i].count);
        assert_memory_equal(a->face_marks[i], b->face_marks[i], a->open[i].count);
    }
}

/* Whatever way led there: forwards, backwards, in leaps, with the grid's other half periodic. A resumed run comes
   straight to its time, a retried step comes back. */
static void test_a_place_does_not_remember_the_way(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int periodic = 0; periodic < 2; periodic++) {
            scene s;
            int context;
            scene_make(&s, dims, dims == 3 ? 24 : 60, &context);
            s.d.periodic[0] = periodic;
            laid walked, fresh;
            laid_create(&s, &walked);
            static const double ways[] = {0.01, 0.02, 0.05, 0.3, 2.9, 1.4, 1.5, 0.8};
            for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
                bool changed = laid_move(&walked, ways[i] - 0.01, ways[i]);
                assert_true(changed || ways[i] > 1.4);
                laid_create(&s, &fresh);
                laid_move(&fresh, ways[i] - 0.01, ways[i]);
                same_solids(&walked.solid, &fresh.solid);
                laid_destroy(&fresh);
            }
            laid_destroy(&walked);
        }
}

/* The moving bodies alone, laid out over nothing, are what the same bodies are when they stand there for good. */
static void test_moving_and_still_give_the_same_faces(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        scene s;
        int context;
        scene_make(&s, dims, dims == 3 ? 24 : 60, &context);
        laid moving, still;
        s.def.obstacle_count = 2;
        laid_create(&s, &moving);
        laid_move(&moving, 0.5, 0.6);
        s.obstacles[1].shape.axis[2] = 1;
        s.obstacles[1].shape.degrees = 77 * 0.6;
        s.obstacles[1].spin = 0;
        laid_create(&s, &still);
        for (int a = 0; a < dims; a++)
            same_field(&moving.solid.open[a], &still.solid.open[a]);
        laid_destroy(&moving);
        laid_destroy(&still);
    }
}

/* Σ over all open cells of what the walls push: a rigid body takes up the room that it leaves. */
static void test_a_rigid_motion_pushes_nothing_in_all(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        scene s;
        int context;
        scene_make(&s, dims, 40, &context);
        s.def.obstacles = &s.obstacles[1];
        s.def.obstacle_count = 1;
        laid spinning;
        laid_create(&s, &spinning);
        for (int step = 1; step < 8; step++) {
            const solids *solid = &spinning.solid;
            laid_move(&spinning, 0.31 * step - 0.05, 0.31 * step);
            double net = 0, gross = 0;
            for (int k = 0; k < s.d.n[2]; k++)
                for (int j = 0; j < s.d.n[1]; j++)
                    for (int i = 0; i < s.d.n[0]; i++) {
                        double pushed = 0, open = 0;
                        for (int a = 0; a < dims; a++) {
                            const field *f = &solid->open[a];
                            ptrdiff_t at = field_offset(f, i, j, k), next = at + f->stride[a];
                            pushed += (1.0 - f->data[next]) * solid->wall[a].data[next] -
                                      (1.0 - f->data[at]) * solid->wall[a].data[at];
                            open += f->data[at] + f->data[next];
                        }
                        net += open > 0 ? pushed : 0;
                        gross += open > 0 ? fabs(pushed) : 0;
                    }
            assert_true(gross > 1);
            assert_below(fabs(net), 1e-6 * gross);
        }
        laid_destroy(&spinning);
    }
}

static fr_result round_trip(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 + cos(2 * PI * args[0]);
    out[1] = sin(2 * PI * args[0]);
    out[3] = 90 * args[0];
    return FR_OK;
}

static void test_motions(void **state)
{
    (void)state;
    motion m;
    double metres;
    fr_obstacle_def spinning = {.shape.at = {1, 2, 3}, .spin_axis = {0, 0, 5}, .spin = 90}, path = {.path = round_trip};
    assert_ok(motion_over(&spinning, 0.5, 1, &m));
    assert_near(m.spin.z, PI / 2, 1e-12);
    assert_near(m.pose.turn[1][0], 1, 0);                /* a quarter turn, exactly */
    vec3 v = motion_velocity(&m, (vec3){1.5, 2, 3});
    assert_near(v.y, PI / 4, 1e-12);
    assert_near(v.x, 0, 1e-12);
    spinning.spin = 900;                                 /* more than a turn in the time looked at */
    assert_ok(motion_over(&spinning, 0, 0.5, &m));
    assert_near(m.spin.z, 5 * PI, 1e-9);
    assert_ok(motion_travel(&spinning, 0.5, 0, 10, &metres));
    assert_near(metres, 0.5 * 50 * PI, 1e-9);

    assert_ok(motion_over(&path, 0.999, 1, &m));         /* the mean over the step */
    assert_near(m.velocity.y, 2 * PI, 1e-3);
    assert_near(m.spin.z, PI / 2, 1e-9);
    assert_near(m.pose.at[0], 3, 1e-12);
    assert_near(m.begin.at[1], sin(2 * PI * 0.999), 1e-12);
    assert_ok(motion_over(&path, 0, 0, &m));             /* at the start: what is to come */
    assert_near(m.velocity.y, 2 * PI, 1e-3);
    assert_near(m.pose.at[0], 3, 0);
    assert_near(m.begin.at[0], 3, 0);
    assert_ok(motion_travel(&path, 0, 0, 1, &metres));   /* there and back is a way, not nothing */
    assert_near(metres, 16 * sin(PI / 8), 1e-9);
}

/* A body that stands still has its place and no motion; one that moves begins a step where it ended the last one. */
static void test_bodies(void **state)
{
    (void)state;
    fr_obstacle_def def[2] = {{.shape = {.at = {1, 2, 3}, .axis = {1, 2, 3}, .degrees = 40}}, {.path = round_trip}};
    bodies b;
    assert_ok(bodies_create(def, 2, &b));
    assert_false(b.of[0].moves);
    assert_true(b.of[1].moves);
    assert_ok(bodies_move(&b, 0, 0.1));
    pose ended = b.of[1].motion.pose;
    assert_ok(bodies_move(&b, 0.1, 0.3));
    assert_memory_equal(&ended, &b.of[1].motion.begin, sizeof ended);
    assert_near(b.of[1].motion.pose.at[1], sin(2 * PI * 0.3), 1e-12);
    vec3 v = motion_velocity(&b.of[0].motion, (vec3){5, 6, 7});
    assert_true(v.x == 0 && v.y == 0 && v.z == 0);
    assert_near(b.of[0].motion.pose.at[1], 2, 0);
    bodies_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_place_does_not_remember_the_way),
        cmocka_unit_test(test_moving_and_still_give_the_same_faces),
        cmocka_unit_test(test_a_rigid_motion_pushes_nothing_in_all),
        cmocka_unit_test(test_motions),
        cmocka_unit_test(test_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
