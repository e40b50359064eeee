/* Pictures of liquids with a level set: fills in 2D, water and clay in 3D, and which views there are. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "support/levels.h"

#include <freshet/defs.h>

#include <string.h>

static double circle(const double at[3])
{
    return hypot(at[0] - 0.5, at[1] - 0.45) - 0.3;
}

static double pool(const double at[3])
{
    return at[1] - 0.4;
}

static double stone(const double at[3])
{
    return hypot(hypot(at[0] - 0.5, at[1] - 0.1), at[2] - 0.5) - 0.2;
}

static double disc(const double at[3])
{
    return hypot(at[0] - 0.5, at[1] - 0.1) - 0.2;
}

static fr_image picture_of(const levels *l, const char *field, int width, int height)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_view_def view = {.field = field, .slice_axis = 2, .slice_at = 0.5};
    fr_image image;
    def.look.width = width;
    def.look.height = height;
    assert_ok(fr_render_view(&l->frame, &def, &view, NULL, &image));
    return image;
}

/* The share of the pixels with more blue than half of the water's rim has on the dark ground. */
static double wet_share(const fr_image *image)
{
    int64_t wet = 0, count = (int64_t)image->width * image->height;
    for (int64_t i = 0; i < count; i++)
        wet += image->pixels[3 * i + 2] > 85;
    return (double)wet / (double)count;
}

/* Without labels the plot is the picture. */
static void test_fill(void **state)
{
    (void)state;
    for (int refine = 1; refine <= 2; refine++) {
        levels l;
        level_make(&l, (int[3]){16, 16, 1}, refine, circle);
        fr_image image = picture_of(&l, "liquid", 150, 150);
        double share = wet_share(&image), exact = acos(-1) * 0.09;
        print_message("circle, refine %d: %.4f of the pixels, exactly %.4f\n", refine, share, exact);
        assert_near(share / exact, 1, 0.01);
        fr_image_free(&image);
        level_free(&l);
    }
}

/* Water reaches the walls and goes on under the obstacle: no seam between them. */
static void test_fill_meets_walls(void **state)
{
    (void)state;
    levels l;
    level_make(&l, (int[3]){16, 16, 1}, 1, pool);
    fr_image image = picture_of(&l, "liquid", 150, 150);
    assert_near(wet_share(&image), 0.4, 0.004);
    fr_image_free(&image);
    level_add_solid(&l, disc);
    for (int i = 0; i < 16 * 16; i++)
        l.data[0][i] = l.data[3][i] < 0 ? 3.0f / 16 : l.data[0][i];
    image = picture_of(&l, "liquid", 150, 150);
    /* from the floor up through the obstacle and the water above it nothing is as dark as the ground */
    for (int row = 95; row < 150; row++) {
        const uint8_t *pixel = image.pixels + 3 * (row * 150 + 75);
        assert_true(pixel[0] + pixel[1] + pixel[2] > 120);
    }
    fr_image_free(&image);
    level_free(&l);
}

static void test_cell_types(void **state)
{
    (void)state;
    levels l;
    level_make(&l, (int[3]){16, 16, 1}, 1, pool);
    fr_image image = picture_of(&l, "cell_types", 160, 160);
    /* six of sixteen rows of cells have their centre under 0.4 m */
    assert_near(wet_share(&image), 6.0 / 16, 1e-9);
    fr_image_free(&image);
    level_free(&l);
}

static void test_default_view(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        levels l;
        fr_view_def view;
        level_make(&l, (int[3]){8, 8, dims == 3 ? 8 : 1}, 1, pool);
        assert_int_equal(fr_default_views(&l.frame, &view, 1), 1);
        assert_string_equal(view.field, "liquid");
        level_free(&l);
    }
}

static bool has_embree(const levels *l)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_view_def view = {.field = "clay", .slice_axis = 2, .slice_at = 0.5};
    fr_image image;
    def.look.width = def.look.height = 8;
    fr_result result = fr_render_view(&l->frame, &def, &view, NULL, &image);
    fr_image_free(&image);
    return result != FR_ERROR_UNSUPPORTED;
}

/* Water is blue, clay is not; both cover about the same part of the picture, and threads make no difference. */
static void test_space(void **state)
{
    (void)state;
    static const char *const fields[2] = {"liquid", "clay"};
    levels l, none;
    level_make(&l, (int[3]){16, 16, 16}, 2, pool);
    level_add_solid(&l, stone);
    level_make(&none, (int[3]){16, 16, 16}, 1, stone);
    for (int i = 0; i < 16 * 16 * 16; i++)
        none.data[0][i] = 1;
    for (int f = 0; f < 2 && has_embree(&l); f++) {
        uint64_t hash = 0;
        for (int threads = 1; threads <= 2; threads++) {
            fr_set_threads(threads);
            fr_image image = picture_of(&l, fields[f], 120, 100);
            hash = threads == 1 ? check_hash(&image) : hash;
            assert_true(check_hash(&image) == hash);
            int blue = 0, red = 0;
            for (int i = 0; i < 120 * 100; i++) {
                blue += image.pixels[3 * i + 2] > image.pixels[3 * i] + 40;
                red += image.pixels[3 * i] > image.pixels[3 * i + 2] + 10;
            }
            print_message("%s: %d blue pixels, %d red ones\n", fields[f], blue, red);
            assert_true((f == 0 ? blue : red) > 1200 && (f == 0 ? red : blue) < 800);
            fr_image_free(&image);
        }
        fr_image empty = picture_of(&none, fields[f], 120, 100);
        assert_true(check_hash(&empty) != hash);
        fr_image_free(&empty);
    }
    fr_set_threads(1);
    level_free(&l);
    level_free(&none);
}

/* Fields of the grid stay views of the grid; "particles" shows those of FLIP; an unknown name gets a list. */
static void test_views(void **state)
{
    (void)state;
    levels l;
    level_make(&l, (int[3]){16, 16, 1}, 1, circle);
    float places[3] = {0.5f, 0.5f, 0}, velocities[3] = {1, 0, 0};
    l.frame.can |= FR_FRAME_LIQUID;
    l.frame.has_particles = true;
    l.frame.particle_count = 1;
    l.frame.particle_spacing = 0.03;
    l.frame.particles = (fr_vectors){places, 3};
    l.frame.particle_velocity = (fr_vectors){velocities, 3};
    static const char *const fields[] = {"liquid", "level_set", "speed", "u", "particles", "cell_types", "grid"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        fr_image image = picture_of(&l, fields[i], 320, 240);
        fr_image_free(&image);
    }
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    fr_view_def view = {.field = "clay", .slice_axis = 2, .slice_at = 0.5};
    fr_image image;
    assert_int_equal(fr_render_view(&l.frame, &def, &view, NULL, &image), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "liquid"));
    assert_non_null(strstr(fr_error_message(), "level_set"));
    l.frame.can = 0;
    view.field = "cell_types";
    assert_int_equal(fr_render_view(&l.frame, &def, &view, NULL, &image), FR_ERROR_INPUT);
    level_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill),       cmocka_unit_test(test_fill_meets_walls),
        cmocka_unit_test(test_cell_types), cmocka_unit_test(test_default_view),
        cmocka_unit_test(test_space),      cmocka_unit_test(test_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
