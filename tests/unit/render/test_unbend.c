/* Curvilinear 3D grids resampled on uniform voxels. */
#define _POSIX_C_SOURCE 200809L
#include "bent.h"
#include "check.h"

#include "render/flat/unbend.h"

static const double pi = 3.14159265358979323846;

/* A pipe of square section, 0.3 wide, half a turn of a helix about y. */
static void pipe(double s, double t, double r, double x[3])
{
    double radius = 0.7 + 0.3 * (t - 0.5);
    x[0] = radius * cos(pi * s);
    x[1] = 0.5 * s + 0.3 * (r - 0.5);
    x[2] = radius * sin(pi * s);
}

static double slope(double x, double y, double z) { return x - 2 * y + 0.5 * z; }

static void make_pipe(test_frame *t)
{
    bent_init(t, (const int[3]){40, 8, 8}, pipe);
    bent_add(t, "u", pipe, slope);
    bent_add(t, "salt", pipe, slope);
}

static void test_fields_lie_where_they_did(void **state)
{
    (void)state;
    test_frame t;
    unbent plain;
    make_pipe(&t);
    CHECK_OK(unbend(&t.frame, &(fr_view_def){.field = "u"}, &plain));
    const fr_frame *f = &plain.frame;
    const fr_field *u = fr_frame_field(f, "u"), *solid = fr_frame_field(f, "solid");
    assert_null(f->nodes.data);
    assert_non_null(u);
    assert_non_null(solid);
    double inside = 0, worst = 0;
    int64_t n = 0;
    for (int k = 0; k < f->cells[2]; k++)
        for (int j = 0; j < f->cells[1]; j++)
            for (int i = 0; i < f->cells[0]; i++, n++) {
                const int at[3] = {i, j, k};
                double x[3];
                for (int a = 0; a < 3; a++)
                    x[a] = f->origin[a] + (at[a] + 0.5) * f->spacing[a];
                double s = atan2(x[2], x[0]) / pi, away[2] = {fabs(hypot(x[0], x[2]) - 0.7), fabs(x[1] - 0.5 * s)};
                double depth = 0.15 - fmax(away[0], away[1]);
                if (fabs(depth) > 0.01 && s > 0.01 && s < 0.99)
                    assert_int_equal(solid->data[n] > 0, depth > 0);
                if (solid->data[n] <= 0)
                    continue;
                inside++;
                /* half a cell from the sides values are held */
                if (depth > 0.02 && s > 0.02 && s < 0.98)
                    worst = fmax(worst, fabs((double)u->data[n] - slope(x[0], x[1], x[2])));
            }
    assert_true(worst < 0.004);
    assert_true(fabs(inside * f->spacing[0] * f->spacing[1] * f->spacing[2] / (0.09 * 0.7 * pi) - 1) < 0.01);
    unbend_free(&plain);
    bent_free(&t);
}

static void test_volumes_show_inks_and_the_pipe(void **state)
{
    (void)state;
    test_frame t;
    unbent plain;
    make_pipe(&t);
    CHECK_OK(unbend(&t.frame, &(fr_view_def){.field = "volume"}, &plain));
    assert_non_null(fr_frame_field(&plain.frame, "salt"));
    assert_non_null(fr_frame_field(&plain.frame, "density"));
    assert_null(fr_frame_field(&plain.frame, "u"));
    assert_null(fr_frame_field(&plain.frame, "solid"));
    unbend_free(&plain);
    fr_scene_def def = {.look = {.width = 80, .height = 60}};
    fr_view_def views[2] = {{.field = "volume"}, {.field = "u", .slice_axis = 1, .slice_at = 0.5}};
    for (int n = 0; n < 2; n++) {
        fr_image image;
        CHECK_OK(fr_render_view(&t.frame, &def, &views[n], NULL, &image));
        double least = 255, most = 0;
        for (int i = 0; i < 80 * 60; i++) {
            least = fmin(least, check_level(&image, i % 80, i / 80));
            most = fmax(most, check_level(&image, i % 80, i / 80));
        }
        assert_true(most > least + 60);
        fr_image_free(&image);
    }
    bent_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_lie_where_they_did),
        cmocka_unit_test(test_volumes_show_inks_and_the_pipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
