/* A level set goes through the cache without a change, with what its frame can. */
#include "workspace.h"

#include "support/levels.h"

static double ball(const double at[3])
{
    return hypot(hypot(at[0] - 0.5, at[1] - 0.5), at[2] - 0.4) - 0.3;
}

static void check_cached(int dims, int refine)
{
    levels l;
    char path[512];
    fr_cached_frame *cached;
    level_make(&l, (int[3]){12, 10, dims == 3 ? 8 : 1}, refine, ball);
    level_add_solid(&l, ball);
    snprintf(path, sizeof path, "%s/000000.h5", workspace);
    assert_ok(fr_cache_write(path, &l.frame));
    assert_ok(fr_cache_read(path, &cached));
    const fr_frame *back = fr_cached_frame_view(cached);
    assert_int_equal(back->can, FR_FRAME_SURFACE);
    const fr_field *field = fr_frame_field(back, "level_set");
    assert_non_null(field);
    assert_int_equal(fr_field_refine(back, field), refine);
    assert_string_equal(field->unit, "m");
    assert_memory_equal(field->data, l.data[0],
                        (size_t)(field->size[0] * field->size[1] * field->size[2]) * sizeof(float));
    fr_cached_frame_destroy(cached);
    level_free(&l);
}

static void test_cached(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int refine = 1; refine <= 2; refine++)
            check_cached(dims, refine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cached)};
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
