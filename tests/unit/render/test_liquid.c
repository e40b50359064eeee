/* Pictures of SPH liquids: positions, colours, and which views are rejected. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "support/check.h"

#include <freshet/defs.h>

#include <math.h>

enum { COLUMNS = 24, ROWS = 16, LAYERS = 10, MOST = COLUMNS * ROWS * LAYERS };

typedef struct pool {
    fr_frame frame;
    fr_attribute attributes[2];
    float places[MOST][4], velocities[MOST][4], density[MOST], pressure[MOST];
    int64_t ids[MOST];
} pool;

/* The lower half is full of liquid, at rest in the left half and moving in the right. */
static pool *pool_make(int dims)
{
    pool *p = calloc(1, sizeof *p);
    double d = 1.0 / ROWS;
    p->frame = (fr_frame){.can = FR_FRAME_LIQUID,
                          .dims = dims,
                          .cells = {COLUMNS, ROWS, dims == 3 ? LAYERS : 1},
                          .spacing = {d, d, d},
                          .has_particles = true,
                          .particles = {p->places[0], 4},
                          .particle_velocity = {p->velocities[0], 4},
                          .particle_ids = p->ids,
                          .attributes = p->attributes,
                          .attribute_count = 2,
                          .particle_spacing = d};
    p->attributes[0] = (fr_attribute){"density", "kg/m³", p->density};
    p->attributes[1] = (fr_attribute){"pressure", "Pa", p->pressure};
    int64_t *n = &p->frame.particle_count;
    for (int k = 0; k < p->frame.cells[2]; k++)
        for (int j = 0; j < ROWS / 2; j++)
            for (int i = 0; i < COLUMNS; i++, ++*n) {
                p->places[*n][0] = (float)((i + 0.5) * d);
                p->places[*n][1] = (float)((j + 0.5) * d);
                p->places[*n][2] = dims == 3 ? (float)((k + 0.5) * d) : 0;
                p->velocities[*n][0] = i < COLUMNS / 2 ? 0 : 2;
                p->density[*n] = 1000;
                p->pressure[*n] = (float)(9810 * (0.5 - (j + 0.5) * d));
                p->ids[*n] = *n;
            }
    return p;
}

static fr_scene_def plain_scene(void)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_SPH);
    def.look.width = 320;
    def.look.height = 200;
    return def;
}

static fr_view_def view_of(const char *field)
{
    return (fr_view_def){.field = field, .slice_axis = 2, .slice_at = 0.5};
}

static const uint8_t *pixel_at(const fr_image *image, double x, double y)
{
    return image->pixels + 3 * ((size_t)(y * image->height) * (size_t)image->width + (size_t)(x * image->width));
}

/* The share of all pixels in whose colour there is far more blue than red. */
static double blue_share(const fr_image *image)
{
    int64_t blue = 0, count = (int64_t)image->width * image->height;
    for (int64_t i = 0; i < count; i++)
        blue += image->pixels[3 * i + 2] > image->pixels[3 * i] + 40;
    return (double)blue / (double)count;
}

static void test_default_view(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        pool *p = pool_make(dims);
        fr_view_def view;
        assert_int_equal(fr_default_views(&p->frame, &view, 1), 1);
        assert_string_equal(view.field, "liquid");
        free(p);
    }
}

/* Water below, none above; the moving half is lighter; up to the walls, without a rim there. */
static void test_flat_water(void **state)
{
    (void)state;
    pool *p = pool_make(2);
    fr_scene_def def = plain_scene();
    fr_view_def view = view_of("liquid");
    fr_image image;
    CHECK_OK(fr_render_view(&p->frame, &def, &view, NULL, &image));
    const uint8_t *still = pixel_at(&image, 0.3, 0.65), *fast = pixel_at(&image, 0.7, 0.65),
                  *air = pixel_at(&image, 0.5, 0.3);
    assert_true(still[2] > 100 && still[2] > still[0] + 60);
    assert_true(fast[0] > still[0] + 20 && fast[1] > still[1] + 20);
    assert_true(air[2] < 40);
    double share = blue_share(&image);
    print_message("flat water covers %.3f of the picture\n", share);
    fr_image_free(&image);
    /* without labels the plot is the picture: water is half of it, within a pixel and its rim */
    def.look.width = 150;
    def.look.height = 100;
    CHECK_OK(fr_render_view(&p->frame, &def, &view, NULL, &image));
    assert_near(blue_share(&image), 0.5, 0.03);
    assert_true(pixel_at(&image, 0.001, 0.98)[2] > 100 && pixel_at(&image, 0.999, 0.98)[2] > 100);
    fr_image_free(&image);
    free(p);
}

static void test_flat_discs(void **state)
{
    (void)state;
    pool *p = pool_make(2);
    fr_scene_def def = plain_scene();
    static const char *const fields[] = {"speed", "particles", "pressure", "density", "id"};
    uint64_t hashes[5];
    for (int i = 0; i < 5; i++) {
        fr_view_def view = view_of(fields[i]);
        fr_image image;
        CHECK_OK(fr_render_view(&p->frame, &def, &view, NULL, &image));
        hashes[i] = check_hash(&image);
        fr_image_free(&image);
    }
    assert_true(hashes[0] != hashes[2] && hashes[2] != hashes[4] && hashes[3] != hashes[2]);
    fr_range range = {0, 0};
    fr_view_def speed = view_of("speed"), pressure = view_of("pressure");
    CHECK_OK(fr_view_range(&p->frame, &speed, &range));
    assert_near(range.min, 0, 0);
    assert_near(range.max, 2, 1e-6);
    range = (fr_range){0, 0};
    CHECK_OK(fr_view_range(&p->frame, &pressure, &range));
    assert_true(range.min >= 0 && range.max > 4000 && range.max < 9810 / 2);
    free(p);
}

/* Water takes part of the picture and is blue; balls have the colours of the map. */
static void test_volume(void **state)
{
    (void)state;
    pool *p = pool_make(3);
    fr_scene_def def = plain_scene();
    fr_view_def view = view_of("liquid");
    fr_image water = {0}, balls = {0};
    fr_result result = fr_render_view(&p->frame, &def, &view, NULL, &water);
    if (result == FR_ERROR_UNSUPPORTED) {
        assert_non_null(strstr(fr_error_message(), "Embree"));
        free(p);
        skip();
    }
    CHECK_OK(result);
    view = view_of("speed");
    CHECK_OK(fr_render_view(&p->frame, &def, &view, NULL, &balls));
    double share = blue_share(&water);
    print_message("water covers %.3f of the picture\n", share);
    assert_true(share > 0.05 && share < 0.6);
    const uint8_t *slow = pixel_at(&balls, 0.3, 0.65), *fast = pixel_at(&balls, 0.62, 0.75);
    assert_true(slow[2] > slow[1]);              /* violet */
    assert_true(fast[1] > fast[2] + 30);         /* yellow */
    fr_image_free(&water);
    fr_image_free(&balls);
    free(p);
}

/* The same picture for any number of threads. */
static void test_same_bits(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        pool *p = pool_make(dims);
        fr_scene_def def = plain_scene();
        static const char *const fields[] = {"liquid", "pressure"};
        for (int f = 0; f < 2; f++) {
            uint64_t first = 0;
            for (int threads = 1; threads <= 3; threads++) {
                fr_view_def view = view_of(fields[f]);
                fr_image image = {0};
                fr_set_threads(threads);
                fr_result result = fr_render_view(&p->frame, &def, &view, NULL, &image);
                if (result == FR_ERROR_UNSUPPORTED)
                    break;
                CHECK_OK(result);
                first = threads == 1 ? check_hash(&image) : first;
                assert_true(check_hash(&image) == first);
                fr_image_free(&image);
            }
        }
        free(p);
    }
    fr_set_threads(1);
}

/* A scene whose liquid is gone, or not there yet, still has pictures. */
static void test_nothing_left(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        pool *p = pool_make(dims);
        fr_scene_def def = plain_scene();
        p->frame.particle_count = 0;
        static const char *const fields[] = {"liquid", "speed", "density"};
        for (int f = 0; f < 3; f++) {
            fr_view_def view = view_of(fields[f]);
            fr_image image = {0};
            fr_result result = fr_render_view(&p->frame, &def, &view, NULL, &image);
            if (result != FR_ERROR_UNSUPPORTED)
                CHECK_OK(result);
            fr_image_free(&image);
        }
        free(p);
    }
}

static void test_unknown_field(void **state)
{
    (void)state;
    pool *p = pool_make(2);
    fr_scene_def def = plain_scene();
    fr_view_def view = view_of("temperature");
    fr_image image;
    assert_int_equal(fr_render_view(&p->frame, &def, &view, NULL, &image), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "liquid, particles, speed, id, density, pressure"));
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_view), cmocka_unit_test(test_flat_water), cmocka_unit_test(test_flat_discs),
        cmocka_unit_test(test_volume),       cmocka_unit_test(test_same_bits),  cmocka_unit_test(test_nothing_left),
        cmocka_unit_test(test_unknown_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
