/* The processor check: a missing instruction set is named. */
#include "base/processor.h"
#include "support/check.h"

#include <string.h>

static void test_this_build_runs_here(void **state)
{
    (void)state;
    assert_ok(fr_processor_check());
    assert_ok(processor_has(&(processor_needs){.avx = false}));
}

/* Whatever the processor lacks is named; what it has is not. */
static void test_names_what_is_missing(void **state)
{
    (void)state;
#if defined(__x86_64__)
    fr_result result = processor_has(&(processor_needs){.avx512f = true});
    if (__builtin_cpu_supports("avx512f")) {
        assert_ok(result);
    } else {
        assert_int_equal(result, FR_ERROR_UNSUPPORTED);
        assert_non_null(strstr(fr_error_message(), "avx512f"));
        assert_non_null(strstr(fr_error_message(), "FRESHET_ARCH"));
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_this_build_runs_here),
        cmocka_unit_test(test_names_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
