/* 3D pictures: transmittance, light and their independence of threads. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "frames.h"

#include "render/space/volume.h"

static double even(double x, double y, double z) { (void)x; (void)y; (void)z; return 1; }
static double puff(double x, double y, double z)
{
    double r2 = (x - 0.5) * (x - 0.5) + (y - 0.6) * (y - 0.6) + (z - 0.5) * (z - 0.5);
    return exp(-r2 / 0.03) * (1.2 + sin(20 * x) * sin(17 * y) * sin(23 * z));
}
static double ball(double x, double y, double z)
{
    return sqrt((x - 0.5) * (x - 0.5) + (y - 0.4) * (y - 0.4) + (z - 0.5) * (z - 0.5)) - 0.2;
}

static void cube(test_frame *t, int n, test_function density)
{
    test_frame_init(t, n, n, n, 1);
    test_frame_add(t, "density", FR_AT_CELL, density);
}

static const fr_view_def view = {.field = "volume"};

static void draw(const test_frame *t, const fr_scene_def *def, fr_image *image)
{
    CHECK_OK(fr_render_view(&t->frame, def, &view, NULL, image));
    assert_non_null(image->pixels);
}

/* Transmittance of the unit cube of even smoke along z. */
static double through(double opacity)
{
    test_frame t;
    brick brick;
    cube(&t, 12, even);
    fr_scene_def def = {.look = {.smoke_opacity = opacity}};
    CHECK_OK(brick_create(&t.frame, &def, &brick));
    brick_find_blocks(&brick);
    sight sight = {.from = {0.5, 0.5, -2}, .along = {0, 0, 1}, .jitter = 0.3f};
    double range[2];
    assert_true(sight_cross(&sight, brick.low, brick.high, range));
    double result = march_smoke(&brick, &sight, range).through;
    brick_destroy(&brick);
    test_frame_free(&t);
    return result;
}

static void test_beer_and_lambert(void **state)
{
    (void)state;
    for (double opacity = 0.25; opacity < 3; opacity *= 2) {
        assert_true(fabs(through(opacity) - exp(-opacity)) < 1e-4);
        assert_true(fabs(through(2 * opacity) - through(opacity) * through(opacity)) < 1e-4);
    }
}

static void test_depth_towards_the_light(void **state)
{
    (void)state;
    test_frame t;
    brick brick;
    cube(&t, 10, even);
    fr_scene_def def = {.look = {.smoke_opacity = 3}};
    CHECK_OK(brick_create(&t.frame, &def, &brick));
    /* From above: extinction times the way up. */
    CHECK_OK(light_sweep(&brick, (vec3){0, 1, 0}, 0, brick.light));
    for (int j = 0; j < brick.n[1]; j++) {
        double way = 1 - (j + 0.5) * brick.spacing[1];
        float depth = brick.light[((size_t)10 * (size_t)brick.n[1] + (size_t)j) * (size_t)brick.n[0] + 10];
        assert_true(fabs(depth - 3 * way) < 1e-4);
    }
    /* Aslant from each side, in the middle: extinction times the way out. */
    for (int side = -1; side <= 1; side += 2)
        for (int axis = 0; axis < 3; axis++) {
            double d[3] = {0.3, 0.3, 0.3};
            d[axis] = side;
            vec3 towards = vec3_unit(vec3_of(d));
            CHECK_OK(light_sweep(&brick, towards, 0, brick.light));
            double expected = 3 * 0.5 * sqrt(1 + 2 * 0.09);
            assert_true(fabs(light_depth_at(&brick, brick.light, (vec3){0.5, 0.5, 0.5}) - expected) < 0.02 * expected);
        }
    assert_true(light_depth_at(&brick, brick.light, (vec3){0.5, 1.5, 0.5}) == 0);
    brick_destroy(&brick);
    test_frame_free(&t);
}

static void test_without_smoke_there_is_the_background(void **state)
{
    (void)state;
    test_frame t;
    cube(&t, 8, NULL);
    fr_scene_def def = {.look = {.width = 96, .height = 96, .background_set = true, .background = {0.5, 0.5, 0.5}}};
    fr_image empty, smoky;
    draw(&t, &def, &empty);
    for (int y = 0; y < 96; y++)
        for (int x = 0; x < 96; x++) {
            const uint8_t *p = empty.pixels + 3 * (y * 96 + x);
            /* Gray stays gray: one step of noise apart at most. */
            assert_in_range(p[0], 40, 220);
            assert_true(p[0] == p[1] && p[1] == p[2]);
        }
    test_frame_free(&t);
    cube(&t, 8, even);
    draw(&t, &def, &smoky);
    assert_true(check_hash(&empty) != check_hash(&smoky));
    fr_image_free(&empty);
    fr_image_free(&smoky);
    test_frame_free(&t);
}

static void test_smoke_shades_the_floor_and_its_own_far_side(void **state)
{
    (void)state;
    test_frame t;
    brick brick;
    cube(&t, 24, puff);
    fr_scene_def def = {0};
    CHECK_OK(brick_create(&t.frame, &def, &brick));
    lights lights = lights_of_look(&(fr_look_def){.light = {-1, 1, 0}});
    CHECK_OK(light_brick(&brick, &lights, (vec3){0.5, 0.5, 4}));
    float near_side = light_depth_at(&brick, brick.light, (vec3){0.35, 0.75, 0.5});
    float far_side = light_depth_at(&brick, brick.light, (vec3){0.65, 0.45, 0.5});
    assert_true(far_side > 4 * near_side);
    brick_destroy(&brick);
    test_frame_free(&t);
}

static void test_obstacles_are_hit_at_their_surface(void **state)
{
    (void)state;
    test_frame t;
    brick brick;
    cube(&t, 24, NULL);
    test_frame_add(&t, "solid", FR_AT_CELL, ball);
    fr_scene_def def = {0};
    CHECK_OK(brick_create(&t.frame, &def, &brick));
    double distance;
    sight sight = {.from = {0.5, 0.4, 3}, .along = {0, 0, -1}};
    assert_true(solid_hit(&brick, &sight, &distance));
    assert_true(fabs(distance - 2.3) < 0.005);
    sight.from.y = 0.63;
    assert_false(solid_hit(&brick, &sight, &distance));
    brick_destroy(&brick);
    test_frame_free(&t);
}

static double post(double x, double y, double z) { (void)y; return hypot(x - 0.5, z - 0.5) - 0.2; }
static double flush(double x, double y, double z) { (void)x; (void)y; return 0.6 - z; }

static void test_sides_of_the_domain_cut_obstacles_flat(void **state)
{
    (void)state;
    const test_function shapes[2] = {post, flush};
    for (int s = 0; s < 2; s++) {
        test_frame t;
        volume volume = {.lights = lights_of_look(&(fr_look_def){.light = {0.1, 1, 0.2}}),
                         .obstacle = {0.5f, 0.5f, 0.5f}};
        cube(&t, 20, NULL);
        test_frame_add(&t, "solid", FR_AT_CELL, shapes[s]);
        fr_scene_def def = {0};
        CHECK_OK(brick_create(&t.frame, &def, &volume.brick));
        CHECK_OK(light_brick(&volume.brick, &volume.lights, (vec3){0.5, 3, 0.7}));
        brick_find_blocks(&volume.brick);
        /* From above, all over the cut: hit in the side itself, one colour, in full light. */
        rgb first = {0, 0, 0};
        for (int i = 0; i < 400; i++) {
            double distance, x = 0.38 + 0.24 * (i % 20) / 20, z = (s ? 0.7 : 0.38) + 0.24 * (i / 20) / 20;
            sight sight = {.from = {x, 3, z}, .along = {0, -1, 0}};
            assert_int_equal(solid_hit(&volume.brick, &sight, &distance), 5);
            assert_true(fabs(distance - 2) < 1e-9);
            rgb colour = solid_shade(&volume, &sight, distance);
            first = i == 0 ? colour : first;
            assert_true(fabs((double)(colour.r - first.r)) < 1e-4);
            assert_true(colour.r > 0.3f);
        }
        brick_destroy(&volume.brick);
        test_frame_free(&t);
    }
}

static double around_ball(double x, double y, double z) { return ball(x, y, z) < 0 ? 0 : 1; }

static void test_smoke_does_not_fade_towards_obstacles(void **state)
{
    (void)state;
    test_frame t;
    brick brick;
    cube(&t, 20, around_ball);
    test_frame_add(&t, "solid", FR_AT_CELL, ball);
    fr_scene_def def = {.look = {.smoke_opacity = 1}};
    CHECK_OK(brick_create(&t.frame, &def, &brick));
    for (double angle = 0; angle < 6.2; angle += 0.1) {
        vec3 p = brick_place(&brick, (vec3){0.5 + 0.21 * cos(angle), 0.4 + 0.21 * sin(angle), 0.5});
        float extinction = brick_sample(&brick, (float)p.x, (float)p.y, (float)p.z)[3];
        assert_true(fabs(extinction - 1) < 1e-3);
    }
    brick_destroy(&brick);
    test_frame_free(&t);
}

static void test_any_numbers_and_any_size(void **state)
{
    (void)state;
    const float values[] = {NAN, INFINITY, -3, 1e30f, 0};
    const int sizes[][3] = {{1, 1, 2}, {2, 2, 2}, {1, 40, 3}, {64, 1, 2}};
    fr_scene_def def = {.look = {.width = 48, .height = 40, .glow = 1}};
    for (int s = 0; s < 4; s++)
        for (int v = 0; v < 5; v++) {
            test_frame t;
            fr_image image;
            test_frame_init(&t, sizes[s][0], sizes[s][1], sizes[s][2], 1);
            const char *const names[] = {"density", "ink", "solid", "temperature"};
            for (int f = 0; f < 4; f++) {
                float *data = test_frame_add(&t, names[f], FR_AT_CELL, NULL);
                for (int i = 0; i < sizes[s][0] * sizes[s][1] * sizes[s][2]; i++)
                    data[i] = values[v];
            }
            draw(&t, &def, &image);
            fr_image_free(&image);
            test_frame_free(&t);
        }
}

static void test_drawn_out_cells_do_not_hang(void **state)
{
    (void)state;
    test_frame t;
    fr_image image;
    cube(&t, 6, even);
    test_frame_add(&t, "solid", FR_AT_CELL, ball);
    t.frame.spacing[0] = 1e5;
    fr_scene_def def = {.look = {.width = 64, .height = 32, .light = {1, 0.2, 0.1}}};
    draw(&t, &def, &image);
    fr_image_free(&image);
    test_frame_free(&t);
}

static void test_cameras(void **state)
{
    (void)state;
    test_frame t;
    camera camera;
    fr_image image;
    cube(&t, 8, puff);
    fr_scene_def def = {.look = {.width = 64, .height = 48}};
    CHECK_OK(camera_of_scene(&t.frame, &def, &camera));
    for (int corner = 0; corner < 8; corner++) {
        vec3 p = vec3_sub((vec3){corner & 1, corner >> 1 & 1, corner >> 2}, camera.eye);
        double depth = vec3_dot(p, camera.forward);
        assert_true(depth > 0);
        assert_true(fabs(vec3_dot(p, camera.right)) / depth <= camera.half_width);
        assert_true(fabs(vec3_dot(p, camera.up)) / depth <= camera.half_height);
    }
    const double eyes[][3] = {{0.5, 0.5, 0.5}, {0.5, 5, 0.5}, {0.5, -3, 0.5}, {9, 0.5, 0.5}};
    for (int i = 0; i < 4; i++) {
        def.camera =
            (fr_camera_def){.set = true, .eye = {eyes[i][0], eyes[i][1], eyes[i][2]}, .target = {0.5, 0.4, 0.5}};
        draw(&t, &def, &image);
        fr_image_free(&image);
    }
    def.camera.target[0] = 9;
    def.camera.target[1] = 0.5;
    assert_int_equal(fr_render_view(&t.frame, &def, &view, NULL, &image), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "camera.target");
    test_frame_free(&t);
}

/* Smoke of finer cells is drawn as if all cells were so fine. */
static void test_refined_smoke_looks_like_a_fine_grid(void **state)
{
    (void)state;
    test_frame t;
    cube(&t, 24, puff);
    fr_scene_def def = {.look = {.width = 120, .height = 100}};
    fr_image images[2];
    draw(&t, &def, &images[0]);
    for (int axis = 0; axis < 3; axis++) {
        t.frame.cells[axis] /= 2;
        t.frame.spacing[axis] *= 2;
    }
    draw(&t, &def, &images[1]);
    assert_true(check_hash(&images[0]) == check_hash(&images[1]));
    fr_image_free(&images[0]);
    fr_image_free(&images[1]);
    test_frame_free(&t);
}

static void test_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    test_frame t;
    cube(&t, 20, puff);
    test_frame_add(&t, "solid", FR_AT_CELL, ball);
    test_frame_add(&t, "ink", FR_AT_CELL, puff);
    fr_scene_def def = {.look = {.width = 90, .height = 77}};
    uint64_t first = 0;
    const int threads[3] = {1, 2, 4};
    for (int n = 0; n < 3; n++) {
        fr_image image;
        fr_set_threads(threads[n]);
        draw(&t, &def, &image);
        uint64_t hash = check_hash(&image);
        first = n == 0 ? hash : first;
        assert_true(hash == first);
        fr_image_free(&image);
    }
    fr_set_threads(0);
    test_frame_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beer_and_lambert),
        cmocka_unit_test(test_depth_towards_the_light),
        cmocka_unit_test(test_without_smoke_there_is_the_background),
        cmocka_unit_test(test_smoke_shades_the_floor_and_its_own_far_side),
        cmocka_unit_test(test_obstacles_are_hit_at_their_surface),
        cmocka_unit_test(test_sides_of_the_domain_cut_obstacles_flat),
        cmocka_unit_test(test_smoke_does_not_fade_towards_obstacles),
        cmocka_unit_test(test_any_numbers_and_any_size),
        cmocka_unit_test(test_drawn_out_cells_do_not_hang),
        cmocka_unit_test(test_cameras),
        cmocka_unit_test(test_refined_smoke_looks_like_a_fine_grid),
        cmocka_unit_test(test_the_same_bits_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
