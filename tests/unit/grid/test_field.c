/* The largest value of a field, whatever the length of its rows. */
#include "grid/field.h"

#include <math.h>

#include "base/random.h"
#include "support/check.h"

enum { LONGEST = 40 };

static double largest_of(const field *f, float origin)
{
    double most = 0;
    for (int j = 0; j < f->size[1]; j++)
        for (int i = 0; i < f->size[0]; i++)
            most = fmax(most, fabsf(field_row(f, j, 0)[i] - origin));
    return most;
}

static void check_largest(int length, float origin)
{
    domain d = {.dims = 2, .n = {length, 3, 1}, .h = {1, 1, 1}};
    double partial[3];
    field f;
    assert_ok(field_create(&d, FR_AT_CELL, &f));
    for (int at = 0; at < length; at++) {
        for (int n = 0; n < 3 * length; n++)
            field_row(&f, n / length, 0)[n % length] = (float)(random_unit((uint64_t)length, (uint64_t)n) - 0.5);
        field_row(&f, 1, 0)[at] = at % 2 ? -7 : 7;  /* the largest anywhere in a row, of either sign */
        field_row(&f, 2, 0)[length - 1 - at] = NAN; /* and what is not a number is passed over */
        assert_true(field_largest(&f, origin, partial) == largest_of(&f, origin));
    }
    field_destroy(&f);
}

static void test_largest(void **state)
{
    (void)state;
    for (int length = 1; length <= LONGEST; length++) {
        check_largest(length, 0);
        check_largest(length, 0.25f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_largest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
