/* Which bodies and joints are valid, and where frames have them. */
#include "refusals.h"

/* A scene with two bodies and a joint between them, and what a C program may get wrong in them. */
typedef struct jointed {
    fr_shape_def ball;
    fr_body_def bodies[2];
    fr_joint_def joint;
    fr_scene_def def;
} jointed;

static void make_jointed(jointed *j, int dims)
{
    j->ball = fr_default_shape(FR_SHAPE_SPHERE);
    j->ball.radius = 0.1;
    for (int i = 0; i < 2; i++) {
        j->bodies[i] = fr_default_body();
        j->bodies[i].shape = (fr_placed_shape){.shape = &j->ball, .at = {0.3 + 0.4 * i, 0.5, dims == 3 ? 0.5 : 0}};
    }
    j->joint = fr_default_joint(FR_JOINT_HINGE);
    j->joint.bodies[1] = 1;
    j->def = fr_default_scene(FR_METHOD_SMOKE);
    j->def.domain.dims = dims;
    j->def.bodies = j->bodies;
    j->def.joints = &j->joint;
    j->def.body_count = 2;
    j->def.joint_count = 1;
}

static void test_bodies_out_of_range_name_their_key(void **state)
{
    (void)state;
    jointed j;
    make_jointed(&j, 3);
    assert_ok(fr_scene_check(&j.def));
    const struct {
        double *number, bad;
        const char *key;
    } numbers[] = {
        {&j.bodies[1].density.value, 0, "bodies[2].density"},
        {&j.bodies[1].mass, -1, "bodies[2].mass"},
        {&j.bodies[0].bounce, 1.01, "bodies[1].bounce"},
        {&j.bodies[0].bounce, NAN, "bodies[1].bounce"},
        {&j.bodies[0].friction, -1, "bodies[1].friction"},
        {&j.bodies[0].from, -1, "bodies[1].from"},
        {&j.bodies[0].from, INFINITY, "bodies[1].from"},
        {&j.bodies[0].velocity[1], NAN, "bodies[1].velocity"},
        {&j.bodies[0].spin[2], INFINITY, "bodies[1].spin"},
        {&j.bodies[0].force.value[0], NAN, "bodies[1].force"},
        {&j.bodies[0].torque.value[0], NAN, "bodies[1].torque"},
        {&j.bodies[0].temperature, NAN, "bodies[1].temperature"},
        {&j.bodies[0].heat_capacity, -1, "bodies[1].heat_capacity"},
        {&j.bodies[0].heat_capacity, 1, "bodies[1].heat_capacity"},
        {&j.bodies[0].shape.at[0], NAN, "bodies[1]"},
        {&j.joint.at[0], NAN, "joints[1].at"},
        {&j.joint.axis[2], 0, "joints[1].axis"},
        {&j.joint.torque, 1, "joints[1]"},
        {&j.joint.motor.value, NAN, "joints[1].motor"},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double good = *numbers[i].number;
        *numbers[i].number = numbers[i].bad;
        expect_key(&j.def, numbers[i].key);
        *numbers[i].number = good;
    }
    j.bodies[1].shape.shape = NULL;
    expect_key(&j.def, "bodies[2]");
}

static fr_result even(void *context, const double *args, double *out)
{
    (void)context, (void)args;
    out[0] = 1;
    return FR_OK;
}

static void test_bodies_that_contradict_themselves(void **state)
{
    (void)state;
    jointed j;
    make_jointed(&j, 2);
    assert_ok(fr_scene_check(&j.def));
    j.bodies[1].mass = 2;
    assert_ok(fr_scene_check(&j.def));
    j.bodies[1].density.function = even;
    expect_key(&j.def, "bodies[2].mass");
    j.bodies[1].mass = 0;
    assert_ok(fr_scene_check(&j.def));
    j.bodies[0].name = j.bodies[1].name = "twin";
    expect_key(&j.def, "bodies[2].name");
    j.bodies[0].name = NULL;
    j.bodies[0].velocity[2] = 1;
    expect_key(&j.def, "bodies[1].velocity");
    j.bodies[0].velocity[2] = 0;
    j.def.coupling = (fr_coupling)4;
    expect_key(&j.def, "coupling");
    make_jointed(&j, 2);
    fr_scene_def other = fr_default_scene(FR_METHOD_SPH);
    const fr_fill_def fill = {.shape.shape = &j.ball};
    other.sph.spacing = 0.1;
    other.fill = &fill;
    other.fill_count = 1;
    assert_ok(fr_scene_check(&other));
    other.bodies = j.bodies;
    other.body_count = 1;
    assert_ok(fr_scene_check(&other));
    other.coupling = FR_COUPLING_CARRIED;
    expect_key(&other, "coupling");
}

static void test_joints_that_hold_nothing(void **state)
{
    (void)state;
    static const int ends[][2] = {{-1, 0}, {0, 2}, {2, 0}, {0, -2}, {1, 1}};
    jointed j;
    make_jointed(&j, 3);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        memcpy(j.joint.bodies, ends[i], sizeof ends[i]);
        expect_key(&j.def, "joints[1].bodies");
    }
    j.joint.bodies[0] = 1;
    j.joint.bodies[1] = -1;
    assert_ok(fr_scene_check(&j.def));
    j.joint.kind = (fr_joint_kind)3;
    expect_key(&j.def, "joints[1]");
    j.joint.kind = FR_JOINT_BALL;
    j.joint.has_limits = true;
    expect_key(&j.def, "joints[1]");
    j.joint.kind = FR_JOINT_SLIDER;
    j.joint.limits[0] = 2, j.joint.limits[1] = 1;
    expect_key(&j.def, "joints[1].limits");
    j.joint.limits[1] = 200;
    expect_key(&j.def, "joints[1].limits");
    j.joint.limits[0] = -1;
    assert_ok(fr_scene_check(&j.def));
    j.joint.kind = FR_JOINT_HINGE;
    expect_key(&j.def, "joints[1].limits");
}

/* A body may reach out of the domain, and may not start outside. */
static void test_bodies_outside(void **state)
{
    (void)state;
    fr_world *world = NULL;
    jointed j;
    make_jointed(&j, 3);
    j.bodies[1].shape.at[0] = 1.05;
    assert_ok(fr_world_create(&j.def, &world));
    fr_world_destroy(world);
    j.bodies[1].shape.at[0] = 1.2;
    assert_int_equal(fr_world_create(&j.def, &world), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "bodies[2]");
    assert_non_null(strstr(fr_error_message(), "outside the domain"));
}

/* Frame 0 has every body where the definition puts it. */
static void test_bodies_of_a_frame(void **state)
{
    (void)state;
    fr_world *world = NULL;
    jointed j;
    make_jointed(&j, 3);
    j.def.domain.cells[0] = 8;
    j.bodies[0].shape.axis[1] = 1;
    j.bodies[0].shape.degrees = 90;
    j.bodies[0].spin[1] = 3;
    j.bodies[1].from = 0.5;
    j.bodies[1].has_temperature = true;
    j.bodies[1].temperature = 300;
    assert_ok(fr_world_create(&j.def, &world));
    const fr_frame *frame = fr_world_frame(world);
    assert_int_equal(frame->body_count, 2);
    const fr_body_state *b = frame->bodies;
    assert_true(b[0].present && !b[1].present);
    assert_true(isnan(b[0].temperature) && b[1].temperature == 300);
    assert_true(b[0].spin[1] == 3 && fabs(b[0].rotation[0] - sqrt(0.5)) < 1e-12 &&
                fabs(b[0].rotation[2] - sqrt(0.5)) < 1e-12);
    for (int a = 0; a < 3; a++) /* the centre of a ball is its middle, however it is turned */
        assert_true(fabs(b[1].position[a] - b[1].centre[a] - j.bodies[1].shape.at[a]) < 1e-9);
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_out_of_range_name_their_key),
        cmocka_unit_test(test_bodies_that_contradict_themselves),
        cmocka_unit_test(test_joints_that_hold_nothing),
        cmocka_unit_test(test_bodies_outside),
        cmocka_unit_test(test_bodies_of_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
