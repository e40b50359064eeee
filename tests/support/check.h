/* What the tests share: cmocka with its includes, and asserts for floating point. */
#ifndef TESTS_SUPPORT_CHECK_H
#define TESTS_SUPPORT_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* |a − b| ≤ tolerance; prints both when not. */
#define assert_near(a, b, tolerance) check_near((a), (b), (tolerance), #a, __FILE__, __LINE__)
#define assert_below(a, limit) check_below((a), (limit), #a, __FILE__, __LINE__)
#define assert_ok(call) check_ok((int)(call), #call, fr_error_message(), __FILE__, __LINE__)

static inline void check_near(double a, double b, double tolerance, const char *what, const char *file, int line)
{
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%s is %.9g, expected %.9g within %.3g\n", what, a, b, tolerance);
        _fail(file, line);
    }
}

static inline void check_below(double a, double limit, const char *what, const char *file, int line)
{
    if (!(a <= limit)) {
        print_error("%s is %.9g, more than %.9g\n", what, a, limit);
        _fail(file, line);
    }
}

static inline void check_ok(int result, const char *what, const char *message, const char *file, int line)
{
    if (result != 0) {
        print_error("%s failed: %s\n", what, message);
        _fail(file, line);
    }
}

/* A repeatable rough number in [−1, 1). */
static inline double check_noise(uint64_t seed)
{
    seed = (seed + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
    return (double)((seed ^ (seed >> 31)) >> 11) / 4503599627370496.0 - 1.0;
}

#endif
