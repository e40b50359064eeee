/* Signed distances from distorted level sets, and surfaces that must stay where they are. */
#include "support/levelsets.h"

/* 0.2 … 4.8, smooth. */
static double distortion(const double at[3])
{
    return 1 + 3 * pow(sin(2.1 * at[0] + 0.3) * cos(1.7 * at[1] - 0.4), 2) + 0.8 * sin(3 * at[0] + 2 * at[2]);
}

static double ball(const double at[3])
{
    return sqrt(pow(at[0] - 0.52, 2) + pow(at[1] - 0.47, 2) + pow(at[2] - 0.51, 2)) - 0.3;
}

static double disc(const double at[3]) { return hypot(at[0] - 0.52, at[1] - 0.47) - 0.3; }
static double distorted_ball(const double at[3]) { return ball(at) * distortion(at); }
static double distorted_disc(const double at[3]) { return disc(at) * distortion(at); }
static double tilted(const double at[3]) { return 0.6 * (at[0] - 0.5) + 0.8 * (at[1] - 0.43); }
static double level(const double at[3]) { return at[1] - 0.4567; }

typedef struct errors {
    double mean, most;     /* cells, within three cells of the surface */
} errors;

static errors distance_errors(const levelsets_case *c, levelsets_shape exact)
{
    errors e = {0, 0};
    double count = 0;
    for (int k = 0; k < c->d.n[2]; k++)
        for (int j = 0; j < c->d.n[1]; j++)
            for (int i = 0; i < c->d.n[0]; i++) {
                double at[3];
                levelsets_place(&c->phi, &c->d, i, j, k, at);
                const double want = exact(at), error = fabs(field_row(&c->phi, j, k)[i] - want) / domain_min_h(&c->d);
                if (fabs(want) > 3 * domain_min_h(&c->d))
                    continue;
                e.mean += error;
                e.most = fmax(e.most, error);
                count++;
            }
    e.mean /= count;
    return e;
}

static errors redistanced(const domain *d, levelsets_shape start, levelsets_shape exact)
{
    levelsets_case c;
    levelsets_begin(&c, d, start);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    const errors e = distance_errors(&c, exact);
    levelsets_end(&c);
    return e;
}

/* Of second order in cells: of third in metres. */
static void test_distance(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        errors e[3];
        for (int r = 0; r < 3; r++) {
            const domain d = levelsets_box(dims, 24 << r, 1);
            e[r] = redistanced(&d, dims == 2 ? distorted_disc : distorted_ball, dims == 2 ? disc : ball);
        }
        print_message("%dD, error in cells within three cells, mean %.1e %.1e %.1e, most %.1e %.1e %.1e\n", dims,
                      e[0].mean, e[1].mean, e[2].mean, e[0].most, e[1].most, e[2].most);
        assert_below(e[2].mean, 5e-4);
        assert_below(e[2].most, 5e-3);
        assert_true(log2(e[0].mean / e[2].mean) / 2 > 1.7);
        assert_true(log2(e[0].most / e[2].most) / 2 > 1.7);
    }
}

static void test_long_cells(void **state)
{
    (void)state;
    domain d = levelsets_box(3, 48, 1);
    d.n[0] = 72;
    d.h[0] = 1.0 / 72;
    d.n[1] = 37;
    d.h[1] = 1.0 / 37;
    const errors e = redistanced(&d, distorted_ball, ball);
    print_message("cells of 1/72 × 1/37 × 1/48: mean %.1e, most %.1e of the shortest edge\n", e.mean, e.most);
    assert_below(e.mean, 5e-3);
    assert_below(e.most, 4e-2);
}

/* How far the zero set along the grid lines lies from that of another field, in cells: mean square, or most. */
static errors zero_moved(const field *a, const field *b, const domain *d)
{
    errors e = {0, 0};
    double count = 0;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++)
                for (int axis = 0; axis < d->dims; axis++) {
                    const ptrdiff_t step = a->stride[axis];
                    const float *p = field_row(a, j, k) + i, *q = field_row(b, j, k) + i;
                    if ((p[0] < 0) == (p[step] < 0))
                        continue;
                    const double moved = fabs(p[0] / (p[0] - p[step]) - q[0] / (q[0] - q[step]));
                    assert_true((p[0] < 0) == (q[0] < 0) && (p[step] < 0) == (q[step] < 0));
                    e.mean += moved;
                    e.most = fmax(e.most, moved);
                    count++;
                }
    e.mean /= count;
    return e;
}

/* Calls it again and again: the zero set must not creep. */
static void stays(const char *name, const domain *d, levelsets_shape shape, int calls)
{
    levelsets_case c;
    field first;
    levelsets_begin(&c, d, shape);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    assert_ok(field_create(d, FR_AT_CELL, &first));
    field_copy(&first, &c.phi);
    const double volume = levelset_volume(c.ls, &c.phi, NULL);
    for (int n = 1; n < calls; n++)
        assert_ok(levelset_redistance(c.ls, &c.phi));
    const errors e = zero_moved(&first, &c.phi, d);
    print_message("%s after %d calls: moved %.1e cells in the mean, %.1e at most, volume %.1e\n", name, calls, e.mean,
                  e.most, levelset_volume(c.ls, &c.phi, NULL) / volume - 1);
    assert_below(e.mean, 1e-4);
    assert_below(e.most, 1e-3);
    levelsets_end(&c);
    field_destroy(&first);
}

static void test_stays(void **state)
{
    (void)state;
    const domain square = levelsets_box(2, 48, 1), box = levelsets_box(3, 32, 1), hundred = levelsets_box(2, 100, 100);
    stays("disc", &square, disc, 100);
    stays("distorted disc", &square, distorted_disc, 100);
    stays("ball", &box, ball, 100);
    stays("distorted ball", &box, distorted_ball, 100);
    stays("Zalesak's disc", &hundred, levelsets_zalesak, 100);
    stays("tilted pool", &square, tilted, 2000);
    stays("level pool", &box, level, 500);
}

/* The pseudo-time form: the same distances, and the same cells beside the surface. */
static void test_weno(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        const domain d = levelsets_box(dims, 48, 1);
        levelsets_case c;
        field first;
        levelsets_begin(&c, &d, dims == 2 ? distorted_disc : distorted_ball);
        assert_ok(levelset_redistance_weno(c.ls, &c.phi));
        const errors e = distance_errors(&c, dims == 2 ? disc : ball);
        print_message("%dD by WENO5: mean %.1e, most %.1e cells\n", dims, e.mean, e.most);
        assert_below(e.mean, 2e-3);
        assert_below(e.most, 2e-2);
        assert_ok(field_create(&d, FR_AT_CELL, &first));
        field_copy(&first, &c.phi);
        for (int n = 0; n < 50; n++)
            assert_ok(levelset_redistance_weno(c.ls, &c.phi));
        const errors moved = zero_moved(&first, &c.phi, &d);
        assert_below(moved.most, 1e-3);
        field_destroy(&first);
        levelsets_end(&c);
    }
}

/* A plane stays as it was, even where it meets the walls. */
static void test_plane_keeps_its_bits(void **state)
{
    (void)state;
    const domain d = levelsets_box(2, 40, 1);
    levelsets_case c;
    field first;
    levelsets_begin(&c, &d, tilted);
    assert_ok(field_create(&d, FR_AT_CELL, &first));
    field_copy(&first, &c.phi);
    for (int n = 0; n < 10; n++)
        assert_ok(levelset_redistance(c.ls, &c.phi));
    const errors e = zero_moved(&first, &c.phi, &d);
    assert_true(e.most == 0);
    levelsets_end(&c);
    field_destroy(&first);
}

/* Signs are right everywhere, and beyond the band φ is ± its width. */
static void test_far_cells(void **state)
{
    (void)state;
    const domain d = levelsets_box(3, 60, 1);
    levelsets_case c;
    levelsets_begin(&c, &d, distorted_ball);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    const float width = levelset_width(c.ls);
    for (int k = 0; k < d.n[2]; k++)
        for (int j = 0; j < d.n[1]; j++)
            for (int i = 0; i < d.n[0]; i++) {
                double at[3];
                levelsets_place(&c.phi, &d, i, j, k, at);
                const float value = field_row(&c.phi, j, k)[i];
                assert_true((value < 0) == (ball(at) < 0));
                if (fabs(ball(at)) > 1.05 * width)
                    assert_true(fabsf(value) == width);
            }
    levelsets_end(&c);
}

/* A disc across the sides of a periodic box is the one in its middle, moved. */
static double wrapped(const double at[3])
{
    double p[3] = {fmod(at[0] + 0.5, 1), fmod(at[1] + 0.5, 1), at[2]};
    return distorted_disc(p);
}

static void test_periodic(void **state)
{
    (void)state;
    domain d = levelsets_box(2, 40, 1);   /* the last block is not whole */
    d.periodic[0] = d.periodic[1] = true;
    levelsets_case middle, across;
    levelsets_begin(&middle, &d, distorted_disc);
    levelsets_begin(&across, &d, wrapped);
    assert_ok(levelset_redistance(middle.ls, &middle.phi));
    assert_ok(levelset_redistance(across.ls, &across.phi));
    for (int j = 0; j < d.n[1]; j++)
        for (int i = 0; i < d.n[0]; i++)
            assert_near(field_row(&across.phi, (j + 20) % 40, 0)[(i + 20) % 40], field_row(&middle.phi, j, 0)[i], 1e-5);
    levelsets_end(&across);
    levelsets_end(&middle);
}

static double upright(const double at[3]) { return at[0] - 22.0 / 32; }

/* Where two walls meet, far from the surface, a distance that falls towards them is no distance: it would hold itself
   up by what lies beyond the walls. */
static void test_falling_to_a_corner(void **state)
{
    (void)state;
    domain d = levelsets_box(3, 32, 1);
    levelsets_case c;
    levelsets_begin(&c, &d, upright);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++)
            for (int i = 16; i < 18; i++)
                field_row(&c.phi, j, k)[i] = (float)(-(2.8 + j) * d.h[0]);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++)
            for (int i = 16; i < 18; i++)
                assert_near(field_row(&c.phi, j, k)[i], -levelset_width(c.ls), 1e-6);
    levelsets_end(&c);
}

static double shallow(const double at[3]) { return at[1] - 3.6 / 32; }

/* The same in shallow water, where the surface is near: it lies the other way, and what is left of a film of air that
   the water has closed along a corner must go. */
static void test_film_in_a_corner(void **state)
{
    (void)state;
    domain d = levelsets_box(3, 32, 1);
    levelsets_case c;
    levelsets_begin(&c, &d, shallow);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 2; j++)
                field_row(&c.phi, j, k)[i] = (float)(-(0.05 + 0.5 * j + k) * d.h[0]);
    levelset_fill_ghosts(c.ls, &c.phi);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    const errors e = distance_errors(&c, shallow);
    print_message("a film of air in a corner of shallow water leaves %.2g cells of itself\n", e.most);
    assert_below(e.most, 1e-3);
    levelsets_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance),  cmocka_unit_test(test_long_cells),
        cmocka_unit_test(test_stays),     cmocka_unit_test(test_plane_keeps_its_bits),
        cmocka_unit_test(test_far_cells), cmocka_unit_test(test_periodic),  cmocka_unit_test(test_weno),
        cmocka_unit_test(test_falling_to_a_corner), cmocka_unit_test(test_film_in_a_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
