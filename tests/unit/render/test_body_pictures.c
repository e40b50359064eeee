/* Bodies in pictures: they are where the frame says, hide what is behind them, and their patterns turn with them. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "frames.h"

#include "render/body/cast.h"

#include <freshet/surface.h>

enum { BODIES = 3 };

/* A scene with bodies, all alike at first, and a frame of it. */
typedef struct stage {
    test_frame t;
    fr_scene_def def;
    fr_shape_def shapes[BODIES];
    fr_body_def bodies[BODIES];
    fr_body_state states[BODIES];
} stage;

static double even(double x, double y, double z)
{
    (void)x;
    (void)y;
    (void)z;
    return 0.5;
}
static double pool(double x, double y, double z)
{
    (void)x;
    (void)z;
    return y - 0.45;
}
static double haze(double x, double y, double z)
{
    (void)x;
    (void)y;
    (void)z;
    return 0.02;
}
static double post(double x, double y, double z)
{
    (void)y;
    return hypot(x - 0.2, z > 0 ? z - 0.2 : 0) - 0.1;
}

static void stage_make(stage *s, fr_method method, int dims, int count)
{
    const int n = dims == 3 ? 24 : 48;
    s->def = fr_default_scene(method);
    s->def.domain.dims = dims;
    s->def.look.width = s->def.look.height = dims == 3 ? 120 : 150; /* small enough for no labels */
    s->def.bodies = s->bodies;
    s->def.body_count = count;
    test_frame_init(&s->t, n, n, dims == 3 ? n : 1, 1);
    for (int i = 0; i < count; i++) {
        s->shapes[i] = fr_default_shape(FR_SHAPE_SPHERE);
        s->shapes[i].radius = 0.15;
        s->bodies[i] = fr_default_body();
        s->bodies[i].shape.shape = &s->shapes[i];
        s->states[i] = (fr_body_state){.position = {0.5, 0.5, dims == 3 ? 0.5 : 0}, .rotation = {1}, .present = true};
    }
    s->t.frame.bodies = s->states;
    s->t.frame.body_count = count;
}

static void stage_make_smoke(stage *s, int dims, int count, test_function density)
{
    stage_make(s, FR_METHOD_SMOKE, dims, count);
    test_frame_add(&s->t, "density", FR_AT_CELL, density);
}

static void stage_make_pool(stage *s, int dims, int count)
{
    stage_make(s, FR_METHOD_LIQUID, dims, count);
    s->t.frame.can = FR_FRAME_SURFACE;
    test_frame_add(&s->t, "level_set", FR_AT_CELL, pool);
    test_frame_add(&s->t, "u", FR_AT_FACE_X, NULL);
    test_frame_add(&s->t, "v", FR_AT_FACE_Y, NULL);
    if (dims == 3)
        test_frame_add(&s->t, "w", FR_AT_FACE_Z, NULL);
}

static fr_image stage_draw(const stage *s, const char *field)
{
    fr_view_def view = {.field = field, .slice_axis = 2, .slice_at = 0.5};
    fr_image image;
    CHECK_OK(fr_render_view(&s->t.frame, &s->def, &view, NULL, &image));
    return image;
}

static fr_image stage_draw_bare(const stage *s, const char *field)
{
    stage bare = *s;
    bare.t.frame.fields = bare.t.fields;
    bare.t.frame.body_count = bare.def.body_count = 0;
    return stage_draw(&bare, field);
}

static bool stage_has_embree(const stage *s)
{
    fr_view_def view = {.field = "volume"};
    fr_image image;
    fr_result result = fr_render_view(&s->t.frame, &s->def, &view, NULL, &image);
    if (result == FR_OK)
        fr_image_free(&image);
    return result != FR_ERROR_UNSUPPORTED;
}

static const uint8_t *pixel_of(const fr_image *image, double x, double y)
{
    int column = (int)(x * image->width), row = (int)((1 - y) * image->height);
    return image->pixels + 3 * ((size_t)row * (size_t)image->width + (size_t)column);
}

/* The number of pixels that differ by more than `most` levels. */
static int differ(const fr_image *a, const fr_image *b, int most)
{
    int count = 0;
    for (int i = 0; i < a->width * a->height; i++) {
        int worst = 0;
        for (int c = 0; c < 3; c++)
            worst = abs(a->pixels[3 * i + c] - b->pixels[3 * i + c]) > worst
                        ? abs(a->pixels[3 * i + c] - b->pixels[3 * i + c])
                        : worst;
        count += worst > most;
    }
    return count;
}

/* A disc covers what it should, and what is beyond its outline is as without it. */
static void test_flat_place(void **state)
{
    (void)state;
    stage s;
    stage_make_smoke(&s, 2, 1, even);
    s.bodies[0].material = FR_BODY_PLAIN;
    s.bodies[0].colour[0] = 1;
    for (int i = 0; i < 3; i++) {
        const double x = 0.3 + 0.2 * i, y = 0.6 - 0.1 * i;
        s.states[0].position[0] = x;
        s.states[0].position[1] = y;
        fr_image image = stage_draw(&s, "density"), bare = stage_draw_bare(&s, "density");
        int red = 0, changed = differ(&image, &bare, 0);
        for (int p = 0; p < image.width * image.height; p++)
            red += image.pixels[3 * p] > 200 && image.pixels[3 * p + 1] < 40;
        const double disc = acos(-1) * 0.15 * 0.15 * image.width * image.height,
                     rim = 2 * acos(-1) * 0.15 * image.width;
        assert_true(fabs(red - disc) < 2.5 * rim); /* the outline and the sign of the centre are not red */
        assert_true(fabs(changed - disc) < 2 * rim);
        assert_true(pixel_of(&image, x + 0.09, y)[0] > 200 && pixel_of(&image, x + 0.09, y)[1] < 40);
        fr_image_free(&image);
        fr_image_free(&bare);
    }
    test_frame_free(&s.t);
}

/* The picture of a turned disc is the turned picture: a quarter turn maps pixels onto pixels. */
static void test_flat_turn(void **state)
{
    (void)state;
    const fr_body_material kinds[] = {FR_BODY_WOOD, FR_BODY_STONE, FR_BODY_METAL, FR_BODY_PAINT};
    stage s;
    stage_make_smoke(&s, 2, 1, even);
    s.shapes[0].radius = 0.3;
    for (int k = 0; k < 4; k++) {
        s.bodies[0].material = kinds[k];
        s.states[0].rotation[0] = 1;
        s.states[0].rotation[3] = 0;
        fr_image first = stage_draw(&s, "density");
        s.states[0].rotation[0] = s.states[0].rotation[3] = sqrt(0.5);
        fr_image second = stage_draw(&s, "density");
        int n = first.width, wrong = 0, unlike = differ(&first, &second, 12);
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) /* anticlockwise: what was right of the middle is above it */
                wrong += fabs(check_level(&first, x, y) - check_level(&second, y, n - 1 - x)) > 12;
        print_message("material %d: %d pixels change, %d differ from the turned picture\n", kinds[k], unlike, wrong);
        assert_true(unlike > n * n / 100);
        assert_true(wrong < n * n / 1000);
        fr_image_free(&first);
        fr_image_free(&second);
    }
    test_frame_free(&s.t);
}

/* A body whose time has not come leaves no trace, in any view. */
static void test_absent(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int liquid = 0; liquid < 2; liquid++) {
            stage s;
            const char *field = liquid ? "liquid" : dims == 3 ? "volume" : "density";
            if (liquid)
                stage_make_pool(&s, dims, 2);
            else
                stage_make_smoke(&s, dims, 2, even);
            s.states[0].present = s.states[1].present = false;
            if (dims == 2 || stage_has_embree(&s)) {
                fr_image image = stage_draw(&s, field), bare = stage_draw_bare(&s, field);
                assert_int_equal(differ(&image, &bare, liquid ? 1 : 0), 0);
                fr_image_free(&image);
                fr_image_free(&bare);
            }
            test_frame_free(&s.t);
        }
}

/* Whether the frame's field "solid" has the bodies in it makes no difference; obstacles in it stay. */
static void test_solid(void **state)
{
    (void)state;
    for (int held = 0; held < 2; held++) {
        stage s;
        stage_make_smoke(&s, 2, 1, even);
        const fr_obstacle_def obstacle = {.no_slip = true};
        s.def.obstacles = &obstacle;
        s.def.obstacle_count = 1;
        s.states[0].position[0] = 0.7;
        float *solid = test_frame_add(&s.t, "solid", FR_AT_CELL, post);
        fr_image bare = stage_draw_bare(&s, "density");
        for (int i = 0; i < 48 * 48 && held; i++) {
            double body = hypot((i % 48 + 0.5) / 48 - 0.7, (i / 48 + 0.5) / 48 - 0.5) - 0.15;
            solid[i] = fminf(solid[i], (float)body);
        }
        fr_image image = stage_draw(&s, "density");
        int left = 0;
        for (int y = 0; y < image.height; y++)
            for (int x = 0; x < image.width / 2; x++)
                left += fabs(check_level(&image, x, y) - check_level(&bare, x, y)) > 1;
        print_message("bodies %s the field: %d pixels of the obstacle change\n", held ? "in" : "beside", left);
        assert_true(left <= 4);
        const double disc = acos(-1) * 0.15 * 0.15 * image.width * image.height,
                     rim = 2 * acos(-1) * 0.15 * image.width;
        assert_true(fabs(differ(&image, &bare, 3) - disc) < 2 * rim);
        fr_image_free(&image);
        fr_image_free(&bare);
        test_frame_free(&s.t);
    }
}

/* Looking along z: a body hides the back of the room, moves with its state, and throws its shadow through smoke. */
static void test_volume(void **state)
{
    (void)state;
    stage s;
    stage_make_smoke(&s, 3, 1, haze);
    s.bodies[0].material = FR_BODY_PLAIN;
    s.def.camera = (fr_camera_def){.set = true, .eye = {0.5, 0.5, 4}, .target = {0.5, 0.5, 0.5}, .fov = 20};
    const double up[3] = {0, 1, 0};
    memcpy(s.def.look.light, up, sizeof up);
    if (!stage_has_embree(&s)) {
        test_frame_free(&s.t);
        skip();
    }
    fr_image bare = stage_draw_bare(&s, "volume"), first = stage_draw(&s, "volume");
    s.states[0].position[0] = 0.8;
    fr_image second = stage_draw(&s, "volume");
    /* 0.1 m is about eight pixels */
    double middle = check_level(&bare, 60, 55);
    print_message("room %.1f, body %.1f\n", middle, check_level(&first, 60, 55));
    assert_true(fabs(check_level(&first, 60, 55) - middle) > 20);
    assert_true(fabs(check_level(&second, 60, 55) - middle) < 4);
    assert_true(fabs(check_level(&second, 60 + 29, 55) - check_level(&bare, 60 + 29, 55)) > 20);
    /* below the body the haze is in its shadow */
    double lit = check_level(&second, 60, 82), dark = check_level(&first, 60, 82);
    print_message("haze below the body: %.1f, beside it %.1f\n", dark, lit);
    assert_true(dark < lit - 1);
    fr_image_free(&bare);
    fr_image_free(&first);
    fr_image_free(&second);
    test_frame_free(&s.t);
}

/* A pattern turns with a ball in 3D: the outline stays and the stripes move; half a turn about the sectors' axis swaps
   red and white. */
static void test_roll(void **state)
{
    (void)state;
    stage s;
    stage_make_smoke(&s, 3, 1, NULL);
    s.bodies[0].material = FR_BODY_PAINT;
    s.def.camera = (fr_camera_def){.set = true, .eye = {0.5, 0.5, 4}, .target = {0.5, 0.5, 0.5}, .fov = 12};
    if (!stage_has_embree(&s)) {
        test_frame_free(&s.t);
        skip();
    }
    fr_image first = stage_draw(&s, "volume");
    for (int c = 0; c < 4; c++)
        s.states[0].rotation[c] = c == 0 ? cos(acos(-1) / 6) : c == 2 ? sin(acos(-1) / 6) : 0; /* a sector further */
    fr_image second = stage_draw(&s, "volume");
    for (int c = 0; c < 4; c++)
        s.states[0].rotation[c] = c == 0 ? cos(acos(-1) / 3) : c == 2 ? sin(acos(-1) / 3) : 0; /* and once more */
    fr_image third = stage_draw(&s, "volume");
    int swapped = differ(&first, &second, 30), same = differ(&first, &third, 30);
    print_message("a sector on %d pixels change, two sectors on %d\n", swapped, same);
    assert_true(swapped > 300);
    assert_true(same < swapped / 10);
    fr_image_free(&first);
    fr_image_free(&second);
    fr_image_free(&third);
    test_frame_free(&s.t);
}

/* A white body: in the air it is as bright as without the water, below it is darker, and blue. */
static void test_pool(void **state)
{
    (void)state;
    stage s;
    stage_make_pool(&s, 3, 2);
    for (int i = 0; i < 2; i++) {
        s.bodies[i].material = FR_BODY_PLAIN;
        for (int c = 0; c < 3; c++)
            s.bodies[i].colour[c] = 0.9;
        s.states[i].position[1] = i ? 0.18 : 0.8;
    }
    s.def.camera = (fr_camera_def){.set = true, .eye = {0.5, 0.6, 4}, .target = {0.5, 0.5, 0.5}, .fov = 20};
    if (!stage_has_embree(&s)) {
        test_frame_free(&s.t);
        skip();
    }
    fr_image image = stage_draw(&s, "liquid");
    const uint8_t *dry = image.pixels + 3 * (60 - 24 + 0) * 120 + 3 * 60,
                  *under = image.pixels + 3 * (60 + 26) * 120 + 3 * 60;
    print_message("dry %d %d %d, under water %d %d %d\n", dry[0], dry[1], dry[2], under[0], under[1], under[2]);
    assert_true(abs(dry[0] - dry[2]) < 40);
    assert_true(under[2] > under[0] + 30);
    assert_true(under[0] < dry[0]);
    fr_image_free(&image);
    test_frame_free(&s.t);
}

/* Pictures are the same on any number of threads, and with models made once or anew. */
static void test_same_bits(void **state)
{
    (void)state;
    static const char *const fields[2][2] = {{"density", "volume"}, {"liquid", "liquid"}};
    for (int c = 0; c < 4; c++) {
        const int liquid = c / 2, dims = 2 + c % 2;
        stage s;
        if (liquid)
            stage_make_pool(&s, dims, 3);
        else
            stage_make_smoke(&s, dims, 3, even);
        for (int i = 0; i < 3; i++) {
            s.states[i].position[0] = 0.25 + 0.25 * i;
            s.bodies[i].density.value = 500 + 3000 * i;
        }
        if (dims == 2 || stage_has_embree(&s)) {
            fr_models *models;
            fr_set_threads(1);
            fr_image first = stage_draw(&s, fields[liquid][dims - 2]);
            fr_set_threads(3);
            CHECK_OK(fr_models_create(&s.def, &models));
            s.def.look.models = models;
            fr_image second = stage_draw(&s, fields[liquid][dims - 2]);
            assert_true(check_hash(&first) == check_hash(&second));
            assert_int_equal(models->count, 1); /* one shape */
            fr_image_free(&first);
            fr_image_free(&second);
            fr_models_destroy(models);
        }
        test_frame_free(&s.t);
    }
}

static void test_materials(void **state)
{
    (void)state;
    static const struct {
        double density;
        fr_body_material material;
    } usual[] = {{300, FR_BODY_WOOD}, {1000, FR_BODY_PAINT}, {2500, FR_BODY_STONE}, {7800, FR_BODY_METAL}};
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    fr_model model;
    ball.radius = 0.1;
    CHECK_OK(fr_model_create(&ball, 3, 0.01, &model));
    for (int i = 0; i < 4; i++) {
        fr_body_def body = fr_default_body();
        body.density.value = usual[i].density;
        assert_int_equal(texture_of_body(&body, &model, 0).material, usual[i].material);
        body.density.value = 1;
        body.mass = usual[i].density * 4.0 / 3 * acos(-1) * 1e-3;
        texture t = texture_of_body(&body, &model, 0);
        assert_int_equal(t.material, usual[i].material);
        /* what is finer than a pixel fades to an even colour, but for stripes */
        double spread[2] = {0, 0};
        for (int coarse = 0; coarse < 2; coarse++)
            for (int k = 0; k < 200; k++) {
                const double place[3] = {0.1 * cos(k * 0.1), 0.1 * sin(k * 0.1), 0.0007 * k};
                double light = (double)colour_luminance(texture_at(&t, place, coarse ? 1 : 1e-4).colour);
                spread[coarse] += pow(light - (double)colour_luminance(t.colour), 2);
            }
        assert_true(spread[0] > 1e-4);
        assert_true(t.material == FR_BODY_PAINT || spread[1] < spread[0]);
        body.material = FR_BODY_PLAIN;
        assert_int_equal(texture_of_body(&body, &model, 0).material, FR_BODY_PLAIN);
    }
    fr_model_destroy(&model);
}

static void test_refused(void **state)
{
    (void)state;
    stage s;
    fr_view_def view = {.field = "density"};
    fr_image image;
    stage_make_smoke(&s, 2, 2, even);
    s.def.body_count = 1;
    assert_int_equal(fr_render_view(&s.t.frame, &s.def, &view, NULL, &image), FR_ERROR_INPUT);
    s.def.body_count = 2;
    s.states[1].position[0] = NAN;
    assert_int_equal(fr_render_view(&s.t.frame, &s.def, &view, NULL, &image), FR_ERROR_INPUT);
    s.states[1].position[0] = 0;
    s.states[1].rotation[0] = 0;
    assert_int_equal(fr_render_view(&s.t.frame, &s.def, &view, NULL, &image), FR_ERROR_INPUT);
    test_frame_free(&s.t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flat_place), cmocka_unit_test(test_flat_turn),
                                       cmocka_unit_test(test_absent),     cmocka_unit_test(test_solid),
                                       cmocka_unit_test(test_volume),     cmocka_unit_test(test_roll),
                                       cmocka_unit_test(test_pool),       cmocka_unit_test(test_same_bits),
                                       cmocka_unit_test(test_materials),  cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
