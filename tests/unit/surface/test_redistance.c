/* Signed distances from distorted level sets, and surfaces that must stay where they are. */
#include <freshet/base.h>

#include "support/levelsets.h"

static double distortion(const double at[3])
{
    return 1 + 3 * pow(sin(2.1 * at[0] + 0.3) * cos(1.7 * at[1] - 0.4), 2) + 0.8 * sin(3 * at[0] + 2 * at[2]);
}

static double ball(const double at[3])
{
    return sqrt(pow(at[0] - 0.52, 2) + pow(at[1] - 0.47, 2) + pow(at[2] - 0.51, 2)) - 0.3;
}

static double flat_disc(const double at[3]) { return hypot(at[0] - 0.52, at[1] - 0.47) - 0.3; }
static double distorted_ball(const double at[3]) { return ball(at) * distortion(at); }
static double distorted_disc(const double at[3]) { return flat_disc(at) * distortion(at); }

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
                const double want = exact(at), error = fabs(field_row(&c->phi, j, k)[i] - want) / c->d.h[0];
                if (fabs(want) > 3 * c->d.h[0])
                    continue;
                e.mean += error;
                e.most = fmax(e.most, error);
                count++;
            }
    e.mean /= count;
    return e;
}

static errors redistanced(int dims, int cells, levelsets_shape start, levelsets_shape exact)
{
    const domain d = levelsets_box(dims, cells, 1);
    levelsets_case c;
    levelsets_begin(&c, &d, start);
    assert_ok(levelset_redistance(c.ls, &c.phi));
    const errors e = distance_errors(&c, exact);
    levelsets_end(&c);
    return e;
}

static void test_distance(void **state)
{
    (void)state;
    const struct { int dims; levelsets_shape start, exact; } cases[] = {
        {2, flat_disc, flat_disc}, {2, distorted_disc, flat_disc}, {3, ball, ball}, {3, distorted_ball, ball}};
    for (size_t s = 0; s < sizeof cases / sizeof *cases; s++) {
        errors e[3];
        for (int r = 0; r < 3; r++) {
            e[r] = redistanced(cases[s].dims, 24 << r, cases[s].start, cases[s].exact);
            print_message("%dD %s %d: mean %.2e, most %.2e cells\n", cases[s].dims,
                          cases[s].start == cases[s].exact ? "exact" : "distorted", 24 << r, e[r].mean, e[r].most);
        }
    }
}

/* How far the zero set along the grid lines has moved, cells. */
static double zero_moved(const field *a, const field *b, const domain *d)
{
    double most = 0;
    for (int k = 0; k < d->n[2]; k++)
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0] - 1; i++) {
                const float *p = field_row(a, j, k) + i, *q = field_row(b, j, k) + i;
                if ((p[0] < 0) != (p[1] < 0))
                    most = fmax(most, fabs(p[0] / (p[0] - p[1]) - q[0] / (q[0] - q[1])));
            }
    return most;
}

static double slot(const double at[3]) { return levelsets_zalesak(at); }

static void stays(const char *name, int dims, int cells, double edge, levelsets_shape shape)
{
    const domain d = levelsets_box(dims, cells, edge);
    levelsets_case c;
    field first, before;
    levelsets_begin(&c, &d, shape);
    assert_ok(field_create(&d, FR_AT_CELL, &first));
    assert_ok(field_create(&d, FR_AT_CELL, &before));
    field_copy(&first, &c.phi);
    const double volume = levelset_volume(c.ls, &c.phi, NULL);
    for (int n = 1; n <= 100; n++) {
        field_copy(&before, &c.phi);
        assert_ok(levelset_redistance(c.ls, &c.phi));
        if (n == 1 || n == 10 || n == 100)
            print_message("%s %d: zero moved %.2e, last %.2e cells, volume %.2e\n", name, n,
                          zero_moved(&first, &c.phi, &d), zero_moved(&before, &c.phi, &d),
                          levelset_volume(c.ls, &c.phi, NULL) / volume - 1);
    }
    levelsets_end(&c);
    field_destroy(&first);
    field_destroy(&before);
}

static double tilted(const double at[3]) { return 0.6 * (at[0] - 0.5) + 0.8 * (at[1] - 0.43); }
static double level(const double at[3]) { return at[1] - 0.4567; }

static void test_stays(void **state)
{
    (void)state;
    stays("disc", 2, 48, 1, flat_disc);
    stays("distorted disc", 2, 48, 1, distorted_disc);
    stays("ball", 3, 32, 1, ball);
    stays("distorted ball", 3, 32, 1, distorted_ball);
    stays("slot", 2, 100, 100, slot);
    stays("tilted", 2, 32, 1, tilted);
    stays("level", 3, 32, 1, level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
