/* Shapes of the scene language and their definitions. */
#define _POSIX_C_SOURCE 200809L
#include "load_text.h"

static fr_scene *scene;

/* The shape of a scene's only source. */
static const fr_shape_def *shape_of(const char *head, const char *shape)
{
    char text[1024];
    snprintf(text, sizeof text, "return { %s, sources={source{density=1, shape=%s}} }", head, shape);
    fr_scene_destroy(scene);
    scene = load(text);
    return fr_scene_definition(scene)->sources[0].shape.shape;
}

static void is_kind(const char *head, const char *text, fr_shape_kind kind)
{
    if (shape_of(head, text)->kind != kind)
        fail_msg("%s has the wrong kind", text);
}

static void knows_every_shape(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        fr_shape_kind kind;
    } shapes[] = {
        {"sphere{radius=1}", FR_SHAPE_SPHERE},
        {"circle{radius=1}", FR_SHAPE_SPHERE},
        {"ellipsoid{radii={1,2,3}}", FR_SHAPE_ELLIPSOID},
        {"torus{radius=1, tube=0.2, axis='x'}", FR_SHAPE_TORUS},
        {"box{size={1,1,1}, round=0.1}", FR_SHAPE_BOX},
        {"rectangle{min={0,0,0}, max={1,1,1}}", FR_SHAPE_BOX},
        {"cylinder{radius=1, height=2}", FR_SHAPE_CYLINDER},
        {"capsule{radius=1, height=2}", FR_SHAPE_CAPSULE},
        {"cone{radius=1, height=2}", FR_SHAPE_CONE},
        {"plane{normal={0,1,0}, offset=0.5}", FR_SHAPE_PLANE},
        {"gear{radius=1, teeth=12, depth=0.1, thickness=0.2, hole=0.3}", FR_SHAPE_GEAR},
        {"polygon{points={{0,0},{1,0},{0,1}}}", FR_SHAPE_POLYGON},
        {"polygon{{0,0},{1,0},{0,1}}", FR_SHAPE_POLYGON},
        {"extrude{polygon{{0,0},{1,0},{0,1}}, height=1}", FR_SHAPE_EXTRUDE},
        {"extrude{polygon=polygon{points={{0,0},{1,0},{0,1}}}, height=1}", FR_SHAPE_EXTRUDE},
        {"extrude{points={{0,0},{1,0},{0,1}}, height=1}", FR_SHAPE_EXTRUDE},
        {"extrude(polygon{{0,0},{1,0},{0,1}}, 1)", FR_SHAPE_EXTRUDE},
        {"revolve{polygon{{0,0},{1,0},{0,1}}}", FR_SHAPE_REVOLVE},
        {"revolve(polygon{{0,0},{1,0},{0,1}})", FR_SHAPE_REVOLVE},
        {"union{sphere{radius=1}, sphere{radius=2}}", FR_SHAPE_UNION},
        {"union(sphere{radius=1}, sphere{radius=2})", FR_SHAPE_UNION},
        {"intersection{sphere{radius=1}, sphere{radius=2}}", FR_SHAPE_INTERSECTION},
        {"difference{sphere{radius=1}, sphere{radius=2}}", FR_SHAPE_DIFFERENCE},
        {"smooth_union{sphere{radius=1}, sphere{radius=2}, k=0.1}", FR_SHAPE_SMOOTH_UNION},
        {"translate{sphere{radius=1}, by={1,2,3}}", FR_SHAPE_TRANSLATE},
        {"translate{shape=sphere{radius=1}, by={1,2,3}}", FR_SHAPE_TRANSLATE},
        {"translate(sphere{radius=1}, {1,2,3})", FR_SHAPE_TRANSLATE},
        {"rotate{sphere{radius=1}, axis={0,1,0}, degrees=45}", FR_SHAPE_ROTATE},
        {"rotate(sphere{radius=1}, 'y', 45)", FR_SHAPE_ROTATE},
        {"scale{sphere{radius=1}, factor=2}", FR_SHAPE_SCALE},
        {"scale(sphere{radius=1}, 2)", FR_SHAPE_SCALE},
        {"offset{sphere{radius=1}, amount=-0.1}", FR_SHAPE_OFFSET},
        {"shell{sphere{radius=1}, thickness=0.1}", FR_SHAPE_SHELL},
        {"shell(sphere{radius=1}, 0.1)", FR_SHAPE_SHELL},
        {"sdf(function(x,y,z) return x end)", FR_SHAPE_SDF},
        {"sdf{function(x,y,z) return x end}", FR_SHAPE_SDF},
        {"sdf{distance=function(x,y,z) return x end}", FR_SHAPE_SDF},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        is_kind(HEAD_3D, shapes[i].text, shapes[i].kind);
}

static void fills_their_fields(void **state)
{
    (void)state;
    const fr_shape_def *s = shape_of(HEAD_3D, "box{size={2,4,6}, round=0.1}");
    assert_float_equal(s->min[1], -2, 0);
    assert_float_equal(s->max[2], 3, 0);
    assert_float_equal(s->round, 0.1, 0);
    s = shape_of(HEAD_3D, "torus{radius=1, tube=0.25, axis='x'}");
    assert_int_equal(s->axis, 0);
    assert_float_equal(s->tube, 0.25, 0);
    s = shape_of(HEAD_3D, "rotate(cone{radius=1, height=3}, 'x', 45)");
    assert_float_equal(s->normal[0], 1, 0);
    assert_float_equal(s->amount, 45, 0);
    assert_int_equal(s->child_count, 1);
    assert_int_equal(s->children[0]->axis, 1);
    s = shape_of(HEAD_3D, "translate(sphere{radius=1}, {1,2,3})");
    assert_float_equal(s->min[2], 3, 0);
    s = shape_of(HEAD_3D, "smooth_union{sphere{radius=1}, sphere{radius=2}, sphere{radius=3}, k=0.5}");
    assert_int_equal(s->child_count, 3);
    assert_float_equal(s->children[2]->radius, 3, 0);
    assert_float_equal(s->amount, 0.5, 0);
    s = shape_of(HEAD_3D, "extrude{polygon{{0,0},{1,0},{0,1}}, height=2}");
    assert_int_equal(s->point_count, 3);
    assert_float_equal(s->points[1][0], 1, 0);
    assert_float_equal(s->height, 2, 0);
    s = shape_of(HEAD_3D, "mesh{file='" SOURCE_DIR "/CMakeLists.txt', size=0.5}");
    assert_string_equal(s->file, SOURCE_DIR "/CMakeLists.txt");
    assert_float_equal(s->size[0], 0.5, 0);
}

/* Every shape takes at and rotation, as if translated and rotated. */
static void places_shapes_within_shapes(void **state)
{
    (void)state;
    const fr_shape_def *s =
        shape_of(HEAD_3D, "union{ sphere{radius=1, at={1,2,3}, rotation={0,1,0,90}} }")->children[0];
    assert_int_equal(s->kind, FR_SHAPE_TRANSLATE);
    assert_float_equal(s->min[0], 1, 0);
    s = s->children[0];
    assert_int_equal(s->kind, FR_SHAPE_ROTATE);
    assert_float_equal(s->amount, 90, 0);
    assert_float_equal(s->normal[1], 1, 0);
    assert_int_equal(s->children[0]->kind, FR_SHAPE_SPHERE);
}

static void lies_in_the_plane_in_2d(void **state)
{
    (void)state;
    assert_int_equal(shape_of(HEAD, "gear{radius=1, teeth=12, depth=0.1}")->axis, 2);
    assert_int_equal(shape_of(HEAD, "torus{radius=1, tube=0.1}")->axis, 2);
    assert_int_equal(shape_of(HEAD, "cylinder{radius=1}")->axis, 2);
    assert_int_equal(shape_of(HEAD, "cylinder{radius=1, height=2}")->axis, 1);
    assert_float_equal(shape_of(HEAD, "rotate(box{size={1,2}}, 30)")->normal[2], 1, 0);
    is_kind(HEAD, "extrude{polygon{{0,0},{1,0},{0,1}}}", FR_SHAPE_EXTRUDE);
    is_kind(HEAD, "ellipsoid{radii={1,2}}", FR_SHAPE_ELLIPSOID);
    refused("return { " HEAD_3D ", sources={source{density=1, shape=cylinder{radius=1}}} }", 1, "needs height", "");
    refused("return { " HEAD_3D ", sources={source{density=1, shape=sphere{radius=1}, rotation=30}} }", 1,
            "an axis and degrees", "30");
    refused("return { " HEAD_3D ", sources={source{density=1, shape=rotate(sphere{radius=1}, 30)}} }", 1, "needs axis",
            "");
    fr_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_every_shape),
        cmocka_unit_test(fills_their_fields),
        cmocka_unit_test(places_shapes_within_shapes),
        cmocka_unit_test(lies_in_the_plane_in_2d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
