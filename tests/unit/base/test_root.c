/* Roots by false position. */
#include "support/check.h"

#include "base/root.h"

#include <math.h>

typedef struct curve {
    int calls;
    double last;
} curve;

/* Flat at one end: plain false position would creep. */
static double flat(void *context, double at)
{
    curve *c = context;
    c->calls++;
    c->last = at;
    return pow(at, 9) - 0.1;
}

static void test_root(void **state)
{
    (void)state;
    curve c = {0};
    const double at = root_between(flat, &c, (root_ends){{0, 1}, {-0.1, 0.9}}, 1e-9, 40);
    print_message("the ninth root of a tenth in %d calls\n", c.calls);
    assert_near(at, pow(0.1, 1.0 / 9), 1e-8);
    assert_near(c.last, at, 0);
    assert_true(c.calls < 20);
}

static void test_no_root(void **state)
{
    (void)state;
    curve c = {0};
    assert_near(root_between(flat, &c, (root_ends){{0.9, 1}, {0.287, 0.9}}, 1e-9, 40), 1, 0);
    assert_int_equal(c.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_root), cmocka_unit_test(test_no_root)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
