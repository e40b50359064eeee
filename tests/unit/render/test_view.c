/* Flat views of frames with fields from formulas. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "frames.h"

static const fr_scene_def plain = {.name = "test"};

static double blob(double x, double y, double z)
{
    (void)z;
    return exp(-((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5)) / 0.03);
}
static double swirl_u(double x, double y, double z) { (void)z; return -(y - 0.5) * blob(x, y, 0) * 20; }
static double swirl_v(double x, double y, double z) { (void)z; return (x - 0.5) * blob(x, y, 0) * 20; }
static double odd(double x, double y, double z) { (void)y; (void)z; return x - 0.5; }
static double warm(double x, double y, double z) { return 293 + 10 * blob(x, y, z); }
static double disc(double x, double y, double z) { (void)z; return hypot(x - 0.5, y - 0.5) - 0.2; }

static void swirl(test_frame *t, int nx, int ny)
{
    test_frame_init(t, nx, ny, 1, 1);
    test_frame_add(t, "u", FR_AT_FACE_X, swirl_u);
    test_frame_add(t, "v", FR_AT_FACE_Y, swirl_v);
    test_frame_add(t, "density", FR_AT_CELL, blob);
    test_frame_add(t, "pressure", FR_AT_CELL, odd);
    test_frame_add(t, "temperature", FR_AT_CELL, warm);
}

static void draw(const test_frame *t, const fr_scene_def *def, fr_view_def view, fr_image *image)
{
    CHECK_OK(fr_render_view(&t->frame, def, &view, NULL, image));
    assert_non_null(image->pixels);
}

static void test_a_symmetric_field_gives_a_symmetric_picture(void **state)
{
    (void)state;
    test_frame t;
    swirl(&t, 32, 32);
    fr_scene_def def = {.look = {.width = 150, .height = 150}};   /* too small for labels: the plot is all of it */
    fr_image image;
    draw(&t, &def, (fr_view_def){.field = "density"}, &image);
    assert_int_equal(image.width, 150);
    assert_true(check_level(&image, 75, 75) > check_level(&image, 2, 2) + 150);
    for (int y = 0; y < 150; y++)
        for (int x = 0; x < 75; x++) {
            assert_true(fabs(check_level(&image, x, y) - check_level(&image, 149 - x, y)) <= 1);
            assert_true(fabs(check_level(&image, x, y) - check_level(&image, x, 149 - y)) <= 1);
        }
    fr_image_free(&image);
    test_frame_free(&t);
}

static void test_up_is_up(void **state)
{
    (void)state;
    test_frame t;
    test_frame_init(&t, 8, 8, 1, 1);
    float *data = test_frame_add(&t, "density", FR_AT_CELL, NULL);
    for (int i = 0; i < 8; i++)
        data[7 * 8 + i] = 1;
    fr_scene_def def = {.look = {.width = 64, .height = 64}};
    fr_image image;
    draw(&t, &def, (fr_view_def){.field = "density"}, &image);
    assert_true(check_level(&image, 32, 3) > check_level(&image, 32, 60) + 100);
    fr_image_free(&image);
    test_frame_free(&t);
}

static void test_ranges_suit_their_fields(void **state)
{
    (void)state;
    test_frame t;
    swirl(&t, 48, 48);
    fr_range range = {0, 0};
    CHECK_OK(fr_view_range(&t.frame, &(fr_view_def){.field = "pressure"}, &range));
    assert_true(range.max > 0.4 && range.max < 0.51);
    assert_true(range.min == -range.max);
    range = (fr_range){0, 0};
    CHECK_OK(fr_view_range(&t.frame, &(fr_view_def){.field = "density"}, &range));
    assert_true(range.min == 0 && range.max > 0.8 && range.max <= 1);
    range = (fr_range){0, 0};
    CHECK_OK(fr_view_range(&t.frame, &(fr_view_def){.field = "temperature"}, &range));
    assert_true(range.min > 292 && range.min < 294 && range.max > 301 && range.max <= 303);
    /* It only widens. */
    range = (fr_range){100, 400};
    CHECK_OK(fr_view_range(&t.frame, &(fr_view_def){.field = "temperature"}, &range));
    assert_true(range.min == 100 && range.max == 400);
    test_frame_free(&t);
}

static void test_a_spike_does_not_set_the_range(void **state)
{
    (void)state;
    test_frame t;
    test_frame_init(&t, 64, 64, 1, 1);
    float *data = test_frame_add(&t, "density", FR_AT_CELL, NULL);
    for (int i = 0; i < 64 * 64; i++)
        data[i] = 1 + (float)(i % 7) * 0.1f;
    data[100] = 1000;
    data[200] = NAN;
    data[300] = INFINITY;
    for (int i = 500; i < 1500; i++)
        data[i] = 50;
    fr_range range = {0, 0};
    CHECK_OK(fr_view_range(&t.frame, &(fr_view_def){.field = "density"}, &range));
    assert_true(range.max >= 50 && range.max < 100);
    test_frame_free(&t);
}

static void test_default_views(void **state)
{
    (void)state;
    test_frame t;
    fr_view_def views[4];
    swirl(&t, 8, 8);
    assert_int_equal(fr_default_views(&t.frame, views, 4), 1);
    assert_string_equal(views[0].field, "speed");
    t.frame.can = FR_FRAME_SMOKE;
    assert_int_equal(fr_default_views(&t.frame, views, 4), 1);
    assert_string_equal(views[0].field, "density");
    test_frame_add(&t, "ink", FR_AT_CELL, blob);
    assert_int_equal(fr_default_views(&t.frame, views, 4), 1);
    assert_string_equal(views[0].field, "dyes");
    t.frame.dims = 3;
    assert_int_equal(fr_default_views(&t.frame, views, 4), 1);
    assert_string_equal(views[0].field, "volume");
    assert_int_equal(fr_default_views(&t.frame, views, 0), 0);
    test_frame_free(&t);
}

static void test_odd_numbers_do_no_harm(void **state)
{
    (void)state;
    const float values[] = {NAN, INFINITY, -INFINITY, 0, 1e30f, -5, 1e-40f};
    const fr_scene_def small = {.look = {.width = 300, .height = 220}};
    const char *const fields[] = {"density", "pressure", "ink", "speed", "dyes", "temperature"};
    for (int v = 0; v < 7; v++) {
        test_frame t;
        swirl(&t, 12, 9);
        test_frame_add(&t, "ink", FR_AT_CELL, blob);
        test_frame_add(&t, "solid", FR_AT_CELL, disc);
        for (int f = 0; f < t.frame.field_count; f++)
            for (int i = 0; i < t.fields[f].size[0] * t.fields[f].size[1]; i++)
                if (v != 0 || i % 3 == 0)
                    ((float *)(uintptr_t)t.fields[f].data)[i] = values[v];
        for (int f = 0; f < 6; f++) {
            fr_image image;
            draw(&t, &small, (fr_view_def){.field = fields[f], .arrows = true, .streamlines = true}, &image);
            fr_image_free(&image);
        }
        test_frame_free(&t);
    }
}

static void test_not_a_number_is_shown(void **state)
{
    (void)state;
    test_frame t;
    swirl(&t, 16, 16);
    ((float *)(uintptr_t)t.fields[2].data)[8 * 16 + 8] = NAN;
    fr_scene_def def = {.look = {.width = 64, .height = 64}};
    fr_image image;
    draw(&t, &def, (fr_view_def){.field = "density"}, &image);
    const uint8_t magenta[3] = {255, 0, 255};
    assert_memory_equal(image.pixels + 3 * (30 * 64 + 34), magenta, 3);
    fr_image_free(&image);
    test_frame_free(&t);
}

static void test_any_shape_of_domain(void **state)
{
    (void)state;
    const int sizes[][2] = {{1, 1}, {1, 2}, {500, 1}, {1, 500}, {2, 300}};
    for (int s = 0; s < 5; s++) {
        test_frame t;
        swirl(&t, sizes[s][0], sizes[s][1]);
        fr_image image;
        draw(&t, &plain, (fr_view_def){.field = "speed", .arrows = true, .streamlines = true}, &image);
        assert_in_range(image.width, 100, 1200);
        assert_in_range(image.height, 100, 1200);
        fr_image_free(&image);
        for (int side = 1; side < 400; side = side * 3 + 1) {
            fr_scene_def def = {.look = {.width = side, .height = 400 / side}};
            draw(&t, &def, (fr_view_def){.field = "density", .arrows = true, .streamlines = true}, &image);
            assert_int_equal(image.width, side);
            assert_int_equal(image.height, 400 / side);
            fr_image_free(&image);
        }
        test_frame_free(&t);
    }
}

static void test_obstacles_are_seen(void **state)
{
    (void)state;
    test_frame t;
    test_frame_init(&t, 32, 32, 1, 1);
    test_frame_add(&t, "density", FR_AT_CELL, NULL);
    test_frame_add(&t, "solid", FR_AT_CELL, disc);
    fr_scene_def def = {.look = {.width = 128, .height = 128, .obstacle_colour = {1, 0, 0}}};
    fr_image image;
    draw(&t, &def, (fr_view_def){.field = "density"}, &image);
    int red = 0;
    for (int i = 0; i < 128 * 128; i++)
        red += image.pixels[3 * i] > 200;
    /* The disc of radius 0.2, with half its outline: 3.14 · 25.6² pixels. */
    assert_in_range(red, 1900, 2250);
    fr_image_free(&image);
    test_frame_free(&t);
}

static void test_inks_have_their_colours(void **state)
{
    (void)state;
    test_frame t;
    test_frame_init(&t, 16, 16, 1, 1);
    float *left = test_frame_add(&t, "left", FR_AT_CELL, NULL), *right = test_frame_add(&t, "right", FR_AT_CELL, NULL);
    for (int i = 0; i < 256; i++)
        (i % 16 < 8 ? left : right)[i] = 1;
    const fr_ink_look inks[2] = {{"left", {1, 0, 0}}, {"right", {0, 1, 0}}};
    for (int light = 0; light < 2; light++) {
        fr_scene_def def = {.look = {.width = 64, .height = 64, .inks = inks, .ink_count = 2, .background_set = true,
                                     .background = {light, light, light}}};
        fr_image image;
        draw(&t, &def, (fr_view_def){.field = "dyes"}, &image);
        const uint8_t *a = image.pixels + 3 * (32 * 64 + 10), *b = image.pixels + 3 * (32 * 64 + 54);
        assert_true(a[0] > a[1] + 80 && a[0] > a[2] + 80);
        assert_true(b[1] > b[0] + 80 && b[1] > b[2] + 80);
        fr_image_free(&image);
    }
    test_frame_free(&t);
}

/* Colour in the middle of a picture full of one ink. */
static void ink_pixel(const char *name, const fr_look_def *look, uint8_t pixel[3])
{
    test_frame t;
    test_frame_init(&t, 8, 8, 1, 1);
    float *data = test_frame_add(&t, name, FR_AT_CELL, NULL);
    for (int i = 0; i < 64; i++)
        data[i] = 1;
    fr_scene_def def = {.look = *look};
    fr_image image;
    draw(&t, &def, (fr_view_def){.field = "dyes"}, &image);
    memcpy(pixel, image.pixels + 3 * (32 * 64 + 32), 3);
    fr_image_free(&image);
    test_frame_free(&t);
}

static void test_an_ink_has_the_same_colour_on_any_ground(void **state)
{
    (void)state;
    const double colours[][3] = {{1, 0, 0}, {1, 1, 1}, {0.05, 0.1, 0.3}, {0, 0, 0}};
    for (int ground = 0; ground < 5; ground++)
        for (int c = 0; c < 4; c++) {
            const fr_ink_look ink = {"dye", {colours[c][0], colours[c][1], colours[c][2]}};
            double level = ground / 4.0;
            fr_look_def look = {.width = 64, .height = 64, .inks = &ink, .ink_count = 1, .background_set = true,
                                .background = {level, level, level}};
            uint8_t pixel[3];
            ink_pixel("dye", &look, pixel);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(pixel[k] - 255 * colours[c][k]) < 40);
        }
}

static void test_inks_called_by_a_colour_have_it(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int colour[3];
    } named[] = {
        {"red", {214, 38, 41}}, {"white", {255, 255, 255}}, {"navy", {13, 26, 77}}, {"orange", {255, 128, 13}}};
    fr_look_def look = {.width = 64, .height = 64};
    uint8_t pixel[3];
    for (int i = 0; i < 4; i++) {
        ink_pixel(named[i].name, &look, pixel);
        for (int k = 0; k < 3; k++)
            assert_true(abs(pixel[k] - named[i].colour[k]) < 8);
    }
    /* What the look says goes before the name. */
    const fr_ink_look green = {"red", {0, 1, 0}};
    look.inks = &green;
    look.ink_count = 1;
    ink_pixel("red", &look, pixel);
    assert_true(pixel[1] > 240 && pixel[0] < 40);
}

/* Pixels of exactly that colour beside the plot, where the bar stands. */
static int bar_pixels(const fr_image *image, const uint8_t colour[3])
{
    int count = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = image->width - 95; x < image->width; x++)
            count += memcmp(image->pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x), colour, 3) == 0;
    return count;
}

static void test_clipped_ends_of_the_bar_are_marked(void **state)
{
    (void)state;
    test_frame t;
    swirl(&t, 32, 32);
    const uint8_t brightest[3] = {0xfd, 0xe7, 0x25};   /* of viridis */
    const double most[3] = {2, 1.0, 0.9};              /* the field reaches nearly 1 */
    int count[3];
    for (int i = 0; i < 3; i++) {
        fr_image image;
        draw(&t, &plain, (fr_view_def){.field = "density", .colormap = "viridis", .min = -1, .max = most[i]}, &image);
        count[i] = bar_pixels(&image, brightest);
        fr_image_free(&image);
    }
    assert_int_equal(count[0], count[1]);
    assert_true(count[2] > count[0] + 30);
    test_frame_free(&t);
}

static void test_slices_cut_where_they_should(void **state)
{
    (void)state;
    test_frame t;
    test_frame_init(&t, 6, 8, 10, 0.6);
    float *data = test_frame_add(&t, "density", FR_AT_CELL, NULL);
    for (int k = 0; k < 10; k++)
        for (int j = 0; j < 8; j++)
            for (int i = 0; i < 6; i++)
                data[(k * 8 + j) * 6 + i] = (float)(k == 7);
    fr_view_def view = {.field = "density", .slice_axis = 2, .slice_at = 0.75, .max = 1};
    fr_scene_def def = {.look = {.width = 60, .height = 60}};
    fr_image image;
    draw(&t, &def, view, &image);
    assert_true(check_level(&image, 30, 30) > 240);
    fr_image_free(&image);
    view.slice_at = 0.3;
    draw(&t, &def, view, &image);
    assert_true(check_level(&image, 30, 30) < 30);
    fr_image_free(&image);
    for (int axis = 0; axis < 3; axis++) {
        view.slice_axis = axis;
        draw(&t, &plain, view, &image);
        fr_image_free(&image);
    }
    view.slice_axis = 3;
    assert_int_equal(fr_render_view(&t.frame, &plain, &view, NULL, &image), FR_ERROR_INPUT);
    test_frame_free(&t);
}

static void test_wrong_views_say_why(void **state)
{
    (void)state;
    test_frame t;
    swirl(&t, 8, 8);
    fr_image image;
    assert_int_equal(fr_render_view(&t.frame, &plain, &(fr_view_def){.field = "densty"}, NULL, &image), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "temperature"));
    assert_int_equal(fr_render_view(&t.frame, &plain, &(fr_view_def){.field = "dyes"}, NULL, &image), FR_ERROR_INPUT);
    assert_int_equal(fr_render_view(&t.frame, &plain, &(fr_view_def){.field = "volume"}, NULL, &image), FR_ERROR_INPUT);
    assert_int_equal(
        fr_render_view(&t.frame, &plain, &(fr_view_def){.field = "density", .colormap = "jet"}, NULL, &image),
        FR_ERROR_INPUT);
    fr_scene_def huge = {.look = {.width = 1 << 20}};
    assert_int_equal(fr_render_view(&t.frame, &huge, &(fr_view_def){.field = "density"}, NULL, &image), FR_ERROR_INPUT);
    assert_null(image.pixels);
    test_frame_free(&t);
}

/* A field of finer cells is drawn as if all cells were so fine: the same picture, of the whole and of slices. */
static void test_refined_fields_look_like_fine_grids(void **state)
{
    (void)state;
    for (int nz = 1; nz <= 8; nz += 7)
        for (int periodic = 0; periodic < 2; periodic++) {
            test_frame fine, refined;
            test_frame_init(&fine, 48, 36, nz > 1 ? 3 * nz : 1, 1);
            fine.frame.periodic[0] = fine.frame.periodic[1] = periodic;
            test_frame_add(&fine, "ink", FR_AT_CELL, blob);
            refined = fine;
            for (int axis = 0; axis < refined.frame.dims; axis++) {
                refined.frame.cells[axis] /= 3;
                refined.frame.spacing[axis] *= 3;
            }
            refined.frame.fields = refined.fields;
            fr_scene_def def = {.name = "test", .look = {.width = 300, .height = 260}};
            const char *const fields[2] = {"ink", "dyes"};
            for (int f = 0; f < 2; f++) {
                fr_image images[2];
                fr_view_def view = {.field = fields[f], .slice_axis = 2, .slice_at = 0.31};
                draw(&fine, &def, view, &images[0]);
                draw(&refined, &def, view, &images[1]);
                assert_true(check_hash(&images[0]) == check_hash(&images[1]));
                fr_image_free(&images[0]);
                fr_image_free(&images[1]);
            }
            test_frame_free(&fine);
        }
}

static void test_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    test_frame t;
    swirl(&t, 40, 30);
    test_frame_add(&t, "ink", FR_AT_CELL, blob);
    test_frame_add(&t, "solid", FR_AT_CELL, disc);
    uint64_t hashes[3][2];
    const int threads[3] = {1, 2, 4};
    for (int n = 0; n < 3; n++) {
        fr_set_threads(threads[n]);
        const char *const fields[2] = {"dyes", "speed"};
        for (int f = 0; f < 2; f++) {
            fr_image image;
            draw(&t, &plain, (fr_view_def){.field = fields[f], .streamlines = true}, &image);
            hashes[n][f] = check_hash(&image);
            fr_image_free(&image);
        }
        assert_memory_equal(hashes[n], hashes[0], sizeof hashes[0]);
    }
    fr_set_threads(0);
    test_frame_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_symmetric_field_gives_a_symmetric_picture),
        cmocka_unit_test(test_up_is_up),
        cmocka_unit_test(test_ranges_suit_their_fields),
        cmocka_unit_test(test_a_spike_does_not_set_the_range),
        cmocka_unit_test(test_default_views),
        cmocka_unit_test(test_odd_numbers_do_no_harm),
        cmocka_unit_test(test_not_a_number_is_shown),
        cmocka_unit_test(test_any_shape_of_domain),
        cmocka_unit_test(test_obstacles_are_seen),
        cmocka_unit_test(test_inks_have_their_colours),
        cmocka_unit_test(test_an_ink_has_the_same_colour_on_any_ground),
        cmocka_unit_test(test_inks_called_by_a_colour_have_it),
        cmocka_unit_test(test_clipped_ends_of_the_bar_are_marked),
        cmocka_unit_test(test_slices_cut_where_they_should),
        cmocka_unit_test(test_wrong_views_say_why),
        cmocka_unit_test(test_refined_fields_look_like_fine_grids),
        cmocka_unit_test(test_the_same_bits_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
