/* Pictures, colours, lines and letters. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include "render/draw/canvas.h"
#include "render/draw/colormap.h"
#include "render/draw/font.h"
#include "render/draw/image.h"
#include "render/draw/ticks.h"

#include <math.h>
#include <png.h>
#include <unistd.h>

static void test_png_survives_the_way_there_and_back(void **state)
{
    (void)state;
    fr_image image;
    CHECK_OK(image_create(&image, 37, 21));
    for (int i = 0; i < 37 * 21 * 3; i++)
        image.pixels[i] = (uint8_t)(i * 7 + i / 11);
    char *folder = check_folder(), path[128];
    snprintf(path, sizeof path, "%s/a b'c.png", folder);
    CHECK_OK(fr_image_write_png(&image, path));
    png_image read = {.version = PNG_IMAGE_VERSION};
    assert_int_not_equal(png_image_begin_read_from_file(&read, path), 0);
    read.format = PNG_FORMAT_RGB;
    assert_int_equal(read.width, 37);
    assert_int_equal(read.height, 21);
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(read));
    assert_int_not_equal(png_image_finish_read(&read, NULL, pixels, 0, NULL), 0);
    assert_memory_equal(pixels, image.pixels, 37 * 21 * 3);
    free(pixels);
    fr_image_free(&image);
    assert_null(image.pixels);
    remove(path);
    rmdir(folder);
    free(folder);
}

static void test_png_says_when_it_cannot_be_written(void **state)
{
    (void)state;
    fr_image image;
    CHECK_OK(image_create(&image, 600, 600));
    assert_int_equal(fr_image_write_png(&image, "/nowhere/at/all.png"), FR_ERROR_FILE);
    assert_non_null(strstr(fr_error_message(), "/nowhere/at/all.png"));
    fr_image_free(&image);
    assert_int_equal(image_create(&image, 0, 10), FR_ERROR_INPUT);
    assert_int_equal(image_create(&image, 10, 1 << 20), FR_ERROR_INPUT);
}

static double lightness(const uint8_t *srgb)
{
    return colour_luminance(colour_of_bytes(srgb));
}

static void test_sequential_maps_grow_lighter_all_the_way(void **state)
{
    (void)state;
    const char *const names[] = {"viridis", "magma", "inferno", "gray", "smoke"};
    for (int n = 0; n < 5; n++) {
        colormap map;
        CHECK_OK(colormap_find(names[n], &map));
        for (int i = 16; i < COLORMAP_SIZE; i += 16)
            if (!(lightness(map.colours[i]) > lightness(map.colours[i - 16])))
                fail_msg("%s turns back at %d", names[n], i);
    }
}

static void test_the_diverging_map_is_palest_in_its_middle(void **state)
{
    (void)state;
    colormap map;
    CHECK_OK(colormap_find("coolwarm", &map));
    for (int i = 32; i <= COLORMAP_SIZE / 2; i += 32) {
        assert_true(lightness(map.colours[i]) > lightness(map.colours[i - 32]));
        assert_true(lightness(map.colours[COLORMAP_SIZE - 1 - i]) > lightness(map.colours[COLORMAP_SIZE - 1 - i + 32]));
    }
}

static void test_maps_take_any_number(void **state)
{
    (void)state;
    colormap map;
    CHECK_OK(colormap_find("viridis", &map));
    assert_memory_equal(colormap_at(&map, -INFINITY), map.colours[0], 3);
    assert_memory_equal(colormap_at(&map, 1e30f), map.colours[COLORMAP_SIZE - 1], 3);
    const uint8_t magenta[3] = {255, 0, 255};
    assert_memory_equal(colormap_at(&map, NAN), magenta, 3);
    assert_int_equal(colormap_find("rainbow", &map), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "viridis"));
}

static void test_bytes_survive_light(void **state)
{
    (void)state;
    for (int level = 0; level < 256; level++) {
        const uint8_t bytes[3] = {(uint8_t)level, (uint8_t)(255 - level), 128};
        uint8_t back[3];
        colour_to_bytes(colour_of_bytes(bytes), back);
        assert_memory_equal(bytes, back, 3);
    }
    uint8_t bytes[3];
    colour_to_bytes((rgb){NAN, INFINITY, -1}, bytes);
    assert_int_equal(bytes[0], 0);
    assert_int_equal(bytes[1], 255);
    assert_int_equal(bytes[2], 0);
}

/* The mask of a shape adds up to its area. */
static double painted(canvas *canvas)
{
    double sum = 0;
    for (int i = 0; i < canvas->image->width * canvas->image->height; i++)
        sum += canvas->mask[i];
    canvas_paint(canvas, (rgb){1, 1, 1}, 1);
    return sum;
}

static void test_shapes_cover_their_area(void **state)
{
    (void)state;
    fr_image image;
    canvas canvas;
    CHECK_OK(image_create(&image, 100, 80));
    CHECK_OK(canvas_create(&canvas, &image));
    const double triangle[3][2] = {{10.3, 10.2}, {60.7, 20.1}, {30.2, 70.9}};
    canvas_polygon(&canvas, triangle, 3);
    double area = fabs((60.7 - 10.3) * (70.9 - 10.2) - (30.2 - 10.3) * (20.1 - 10.2)) / 2;
    assert_true(fabs(painted(&canvas) - area) < 0.01 * area);
    const double a[2] = {20, 20}, b[2] = {70, 55};
    canvas_line(&canvas, a, b, 3);
    double stroke = 3 * hypot(50, 35) + 9 * 3.14159 / 4;
    assert_true(fabs(painted(&canvas) - stroke) < 0.03 * stroke);
    /* Outside, huge and not-a-number draw nothing and harm nothing. */
    canvas_line(&canvas, (double[2]){-1e9, -1e9}, (double[2]){-1e9, 1e300}, 2);
    canvas_line(&canvas, (double[2]){NAN, 3}, (double[2]){4, NAN}, 2);
    assert_true(painted(&canvas) >= 0);
    canvas_destroy(&canvas);
    fr_image_free(&image);
}

static void test_every_letter_draws_something_of_its_own(void **state)
{
    (void)state;
    uint64_t hashes[96];
    int count = 0;
    for (int letter = '!'; letter <= '~'; letter++) {
        fr_image image;
        canvas canvas;
        CHECK_OK(image_create(&image, 40, 40));
        CHECK_OK(canvas_create(&canvas, &image));
        const char text[2] = {(char)letter, '\0'};
        canvas_write(&canvas, &(canvas_text){.at = {10, 28}, .size = 18}, text);
        canvas_paint(&canvas, (rgb){1, 1, 1}, 1);
        hashes[count] = check_hash(&image);
        for (int i = 0; i < count; i++)
            if (hashes[i] == hashes[count])
                fail_msg("'%c' looks like '%c'", letter, '!' + i);
        count++;
        assert_true(font_advance(letter) > 0);
        canvas_destroy(&canvas);
        fr_image_free(&image);
    }
    /* Broken UTF-8 ends, and unknown letters have a width. */
    assert_true(font_width("\xff\xe2\x82 \xf0\x9f") > 0);
    assert_true(font_width("m\xc2\xb2/s \xe2\x88\x92") > font_width("m/s"));
}

static void test_ticks_are_round_and_inside(void **state)
{
    (void)state;
    const double ranges[][2] = {{0, 1}, {-3.2, 7.9}, {1e-7, 3e-7}, {-1e6, 4e6}, {290, 310}, {5, 5}, {0, 1e-300}};
    for (int r = 0; r < 7; r++) {
        ticks ticks = ticks_between(ranges[r][0], ranges[r][1], 6);
        assert_in_range(ticks.count, 1, 12);
        double span = ranges[r][1] - ranges[r][0];
        for (int i = 0; i < ticks.count; i++) {
            char label[48];
            ticks_label(&ticks, i, label, sizeof label);
            assert_true(ticks_value(&ticks, i) >= ranges[r][0] - 1e-6 * span);
            assert_true(ticks_value(&ticks, i) <= ranges[r][1] + 1e-6 * span);
            assert_true(fabs(strtod(label, NULL) - ticks_value(&ticks, i)) <=
                        1e-3 * fabs(ticks_value(&ticks, i)) + 1e-6 * span);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png_survives_the_way_there_and_back),
        cmocka_unit_test(test_png_says_when_it_cannot_be_written),
        cmocka_unit_test(test_sequential_maps_grow_lighter_all_the_way),
        cmocka_unit_test(test_the_diverging_map_is_palest_in_its_middle),
        cmocka_unit_test(test_maps_take_any_number),
        cmocka_unit_test(test_bytes_survive_light),
        cmocka_unit_test(test_shapes_cover_their_area),
        cmocka_unit_test(test_every_letter_draws_something_of_its_own),
        cmocka_unit_test(test_ticks_are_round_and_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
