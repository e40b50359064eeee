/* Flat views of fields on curvilinear grids. */
#define _POSIX_C_SOURCE 200809L
#include "bent.h"
#include "check.h"

static const double pi = 3.14159265358979323846;
enum { SIDE = 150 };   /* too small for labels: the plot is all of the picture */

/* All around the origin, from 0.4 to 1; the sense says which way s runs. */
static void ring(double s, double t, double r, double x[3])
{
    (void)r;
    x[0] = (0.4 + 0.6 * t) * cos(2 * pi * s);
    x[1] = (0.4 + 0.6 * t) * sin(2 * pi * s);
}
static void ring_mirrored(double s, double t, double r, double x[3]) { ring(1 - s, t, r, x); }

static double height(double x, double y, double z) { (void)x; (void)z; return y; }
static double distance(double x, double y, double z) { (void)z; return hypot(x, y); }
static double turning_u(double x, double y, double z) { (void)x; (void)z; return -y; }
static double turning_v(double x, double y, double z) { (void)y; (void)z; return x; }
static double nothing(double x, double y, double z) { (void)x; (void)y; (void)z; return 0; }

static void make_ring(test_frame *t, bent_map map)
{
    bent_init(t, (const int[3]){64, 16, 1}, map);
    t->frame.periodic[0] = true;
    bent_add(t, "u", map, turning_u);
    bent_add(t, "v", map, turning_v);
    bent_add(t, "pressure", map, height);
    bent_add(t, "salt", map, distance);
}

static const fr_scene_def small = {.look = {.width = SIDE, .height = SIDE}};

static fr_image draw(const test_frame *t, const fr_scene_def *def, fr_view_def view)
{
    fr_image image;
    CHECK_OK(fr_render_view(&t->frame, def, &view, NULL, &image));
    return image;
}

/* The pixel at a place in the world: the box around the ring with 3 % of it as land on each side. */
static const uint8_t *pixel_at(const fr_image *image, double x, double y)
{
    int i = (int)((x + 1.06 * 1) / (2 * 1.06) * SIDE), j = (int)((1.06 - y) / (2 * 1.06) * SIDE);
    assert_true(i >= 0 && j >= 0 && i < SIDE && j < SIDE);
    return image->pixels + 3 * (j * SIDE + i);
}

/* A grey picture of a field shows its numbers where they lie. */
static void test_fields_lie_in_the_world(void **state)
{
    (void)state;
    test_frame t;
    make_ring(&t, ring);
    fr_image y = draw(&t, &small, (fr_view_def){.field = "pressure", .colormap = "gray", .min = -1, .max = 1});
    fr_image r = draw(&t, &small, (fr_view_def){.field = "salt", .colormap = "gray", .min = 0, .max = 1});
    for (int n = 0; n < 40; n++) {
        double angle = 2 * pi * (n + 0.3) / 40, radius = 0.5 + 0.4 * (n % 5) / 4,
               x[2] = {radius * cos(angle), radius * sin(angle)};
        assert_true(fabs(pixel_at(&y, x[0], x[1])[0] / 255.0 - 0.5 - 0.5 * x[1]) < 0.012);
        assert_true(fabs(pixel_at(&r, x[0], x[1])[0] / 255.0 - radius) < 0.02);
    }
    fr_image_free(&y);
    fr_image_free(&r);
    bent_free(&t);
}

static void test_a_mirrored_grid_gives_the_same_picture(void **state)
{
    (void)state;
    test_frame t, m;
    make_ring(&t, ring);
    make_ring(&m, ring_mirrored);
    static const char *const views[] = {"pressure", "dyes", "velocity", "speed"};
    for (int n = 0; n < 4; n++) {
        fr_image a = draw(&t, &small, (fr_view_def){.field = views[n]}),
                 b = draw(&m, &small, (fr_view_def){.field = views[n]});
        for (int i = 0; i < 3 * SIDE * SIDE; i++)
            assert_in_range(a.pixels[i] - b.pixels[i] + 2, 0, 4);
        fr_image_free(&a);
        fr_image_free(&b);
    }
    bent_free(&t);
    bent_free(&m);
}

static void test_land_is_around_and_obstacles_are_land(void **state)
{
    (void)state;
    test_frame t;
    make_ring(&t, ring);
    float *solid = bent_add(&t, "solid", ring, nothing);
    /* a block of cells about the middle of the upper half */
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 64; i++)
            solid[64 * j + i] = i >= 12 && i < 20 && j >= 4 && j < 12 ? -1 : 1;
    t.frame.has_obstacles = true;
    static const char *const views[] = {"pressure", "dyes", "velocity"};
    for (int n = 0; n < 3; n++) {
        fr_image image = draw(&t, &small, (fr_view_def){.field = views[n]});
        const uint8_t *land = pixel_at(&image, -1.03, 1.03);
        assert_memory_equal(pixel_at(&image, 0, 0), land, 3);
        assert_memory_equal(pixel_at(&image, 0, 0.7), land, 3);
        assert_memory_not_equal(pixel_at(&image, 0, -0.7), land, 3);
        fr_image_free(&image);
    }
    bent_free(&t);
}

/* The ring turns to the left: right of the middle it goes up, above it to the left. */
static void test_velocity_is_red_and_green(void **state)
{
    (void)state;
    test_frame t;
    make_ring(&t, ring);
    fr_image image = draw(&t, &small, (fr_view_def){.field = "velocity", .min = -1, .max = 1});
    for (int n = 0; n < 24; n++) {
        double angle = 2 * pi * (n + 0.2) / 24, x[2] = {0.8 * cos(angle), 0.8 * sin(angle)};
        const uint8_t *p = pixel_at(&image, x[0], x[1]);
        assert_true(fabs(p[0] / 255.0 - 0.5 + 0.5 * x[1]) < 0.02);
        assert_true(fabs(p[1] / 255.0 - 0.5 - 0.5 * x[0]) < 0.02);
    }
    fr_image_free(&image);
    bent_free(&t);
}

static void test_a_ring_has_no_seam(void **state)
{
    (void)state;
    test_frame t;
    make_ring(&t, ring);
    fr_image image = draw(&t, &small, (fr_view_def){.field = "pressure", .colormap = "gray", .min = -1, .max = 1});
    /* along the seam, y = 0 */
    for (double x = 0.46; x < 0.94; x += 0.02)
        for (double y = -0.05; y < 0.05; y += 0.01)
            assert_true(fabs(pixel_at(&image, x, y)[0] / 255.0 - 0.5 - 0.5 * y) < 0.012);
    fr_image_free(&image);
    bent_free(&t);
}

/* What is measured from an outflow is shown to either side of its mean. */
static void test_pressure_spans_its_mean(void **state)
{
    (void)state;
    test_frame t;
    make_ring(&t, ring);
    float *p = (float *)t.fields[2].data;
    for (int n = 0; n < 64 * 16; n++)
        p[n] = 500 + 3 * p[n];
    fr_range range = {0, 0};
    CHECK_OK(fr_view_range(&t.frame, &(fr_view_def){.field = "pressure"}, &range));
    assert_true(fabs(range.min + range.max - 1000) < 1e-2);
    assert_true(range.max > 502.5 && range.max < 503.1);
    bent_free(&t);
}

static void test_particles_and_the_grid_have_views(void **state)
{
    (void)state;
    test_frame t;
    make_ring(&t, ring);
    fr_image image;
    assert_int_equal(fr_render_view(&t.frame, &small, &(fr_view_def){.field = "particles"}, NULL, &image),
                     FR_ERROR_INPUT);
    const float at[3] = {0.7f, 0, 0}, still[3] = {0, 0, 0};
    t.frame.has_particles = true;
    t.frame.can |= FR_FRAME_CARRIED_PARTICLES;
    t.frame.particle_count = 1;
    t.frame.particles = (fr_vectors){at, 3};
    t.frame.particle_velocity = (fr_vectors){still, 3};
    image = draw(&t, &small, (fr_view_def){.field = "particles"});
    const uint8_t *dot = pixel_at(&image, 0.7, 0), *water = pixel_at(&image, -0.7, 0);
    assert_true(dot[0] > water[0] + 100);
    assert_memory_equal(pixel_at(&image, 0, 0.7), water, 3);
    int ground = water[0];
    fr_image_free(&image);
    image = draw(&t, &small, (fr_view_def){.field = "grid"});
    int lines = 0;
    for (int n = 0; n < 200; n++)
        lines += pixel_at(&image, 0.7375 * cos(0.0314 * n), 0.7375 * sin(0.0314 * n))[0] > ground + 20;
    assert_in_range(lines, 20, 199);
    fr_image_free(&image);
    bent_free(&t);
}

static void test_default_views(void **state)
{
    (void)state;
    test_frame t;
    fr_view_def view;
    make_ring(&t, ring);
    assert_int_equal(fr_default_views(&t.frame, &view, 1), 1);
    assert_string_equal(view.field, "dyes");
    t.frame.field_count--;   /* without the ink */
    fr_default_views(&t.frame, &view, 1);
    assert_string_equal(view.field, "speed");
    t.frame.field_count++;
    bent_free(&t);
}

/* A bed is seen under clear water, and is not an ink. */
static void test_a_bed_shows_under_the_water(void **state)
{
    (void)state;
    test_frame t;
    make_ring(&t, ring);
    for (int n = 0; n < 64 * 16; n++)
        ((float *)t.fields[3].data)[n] = 0;
    bent_add(&t, "bed", ring, distance);
    fr_view_def view = {.field = "dyes", .min = 0, .max = 1};
    fr_image image = draw(&t, &small, view);
    assert_true(pixel_at(&image, 0.9, 0)[1] > pixel_at(&image, 0.5, 0)[1] + 15);
    fr_image_free(&image);
    bent_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_lie_in_the_world),
        cmocka_unit_test(test_a_mirrored_grid_gives_the_same_picture),
        cmocka_unit_test(test_land_is_around_and_obstacles_are_land),
        cmocka_unit_test(test_velocity_is_red_and_green),
        cmocka_unit_test(test_a_ring_has_no_seam),
        cmocka_unit_test(test_pressure_spans_its_mean),
        cmocka_unit_test(test_particles_and_the_grid_have_views),
        cmocka_unit_test(test_default_views),
        cmocka_unit_test(test_a_bed_shows_under_the_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
