/* Out of memory: the first allocation of a write or read fails, then the second, and so on until none fails. Each time
   the call either succeeds or fails with a message, frees its memory and leaves no draft. The linker redirects the
   allocations of our own code to this file. */
#include "made_up_frame.h"

static int allocations;        /* since the chore began */
static int failing;            /* the number of the one that fails; 0: none */
static long held;              /* blocks that are not given back */

static bool fails_now(void)
{
    return ++allocations == failing;
}

#pragma GCC visibility push(default)     /* libraries call some of them, too */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);

void *__wrap_malloc(size_t bytes)
{
    void *block = fails_now() ? NULL : __real_malloc(bytes);
    held += block != NULL;
    return block;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *block = fails_now() ? NULL : __real_calloc(count, bytes);
    held += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t bytes)
{
    void *grown = fails_now() ? NULL : __real_realloc(block, bytes);
    held += grown && !block;
    return grown;
}

void __wrap_free(void *block)
{
    held -= block != NULL;
    __real_free(block);
}

/* zlib is a library of its own, whose allocations do not come by here: it fails as a whole. Weak, for it may not be
 * there. */
struct z_stream_s;
enum { Z_MEMORY = -4 };
int __real_deflateInit_(struct z_stream_s *stream, int level, const char *version, int size) __attribute__((weak));
int __real_inflateInit_(struct z_stream_s *stream, const char *version, int size) __attribute__((weak));
int __wrap_deflateInit_(struct z_stream_s *stream, int level, const char *version, int size);
int __wrap_inflateInit_(struct z_stream_s *stream, const char *version, int size);

int __wrap_deflateInit_(struct z_stream_s *stream, int level, const char *version, int size)
{
    return fails_now() ? Z_MEMORY : __real_deflateInit_(stream, level, version, size);
}

int __wrap_inflateInit_(struct z_stream_s *stream, const char *version, int size)
{
    return fails_now() ? Z_MEMORY : __real_inflateInit_(stream, version, size);
}

#pragma GCC visibility pop

typedef fr_result (*chore)(void *context);

/* Runs the chore with one failure after the other. Returns how many there were. */
static int fail_one_by_one(chore work, void *context)
{
    for (int n = 1;; n++) {
        long before = held;
        fr_fail(FR_ERROR_INPUT, "%s", "");
        allocations = 0;
        failing = n;
        fr_result result = work(context);
        failing = 0;
        assert_int_equal(held, before);
        if (allocations < n) {
            assert_int_equal(result, FR_OK);
            return n - 1;
        }
        assert_true(result == FR_OK || result == FR_ERROR_MEMORY);
        if (result != FR_OK)
            assert_message_has("out of memory");
        assert_false(is_there(in_workspace(".freshet-draft-frame.h5")));
        assert_false(is_there(in_workspace("states/.freshet-draft-a.chk")));
        assert_false(is_there(in_workspace("states/.freshet-draft-b.chk")));
    }
}

static fr_result write_cache(void *context)
{
    return fr_cache_write(in_workspace("frame.h5"), context);
}

/* What is read is right. */
static fr_result read_cache(void *context)
{
    fr_cached_frame *cached;
    fr_result result = fr_cache_read(in_workspace("frame.h5"), &cached);
    if (result == FR_OK)
        assert_same_frame(fr_cached_frame_view(cached), context);
    else
        assert_null(cached);
    fr_cached_frame_destroy(cached);
    return result;
}

static void check_frame(const fr_frame *frame)
{
    /* names, the groups' headers, and at least two blocks and a header for every field */
    assert_true(fail_one_by_one(write_cache, (void *)frame) > 6 + 3 * frame->field_count);
    assert_int_equal(read_cache((void *)frame), FR_OK);
    assert_true(fail_one_by_one(read_cache, (void *)frame) > 4 + 3 * frame->field_count);
}

static void test_caches(void **state)
{
    (void)state;
    for (int nz = 0; nz < 7; nz += 6) {
        made_up_frame coarse, fine;
        made_up_frame_make(&coarse, 9, 7, nz);
        made_up_frame_make(&fine, 18, 14, 2 * nz);
        fr_field fields[MADE_UP_FIELDS];
        memcpy(fields, coarse.fields, sizeof fields);
        fields[3] = fine.fields[3];
        coarse.frame.fields = fields;
        check_frame(&coarse.frame);
        made_up_frame_free(&coarse);
        made_up_frame_free(&fine);
    }
}

/* On a bent grid, the velocities of which are at the cells. */
static void test_bent_grids(void **state)
{
    (void)state;
    enum { NODES = 10 * 8 * 7 };
    static float nodes[NODES][3];
    made_up_frame made;
    made_up_frame_make(&made, 9, 7, 6);
    for (int n = 0; n < NODES; n++)
        nodes[n][n % 3] = (float)n;
    fr_frame frame = made.frame;
    frame.nodes = (fr_vectors){nodes[0], 3};
    frame.fields += 3;
    frame.field_count = 2;
    check_frame(&frame);
    made_up_frame_free(&made);
}

static char bytes[300000];
static double number = 0.1;
static const fr_block blocks[] = {
    {"state", bytes, sizeof bytes}, {"time", &number, sizeof number}, {"nothing", NULL, 0}};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static fr_result write_checkpoint(void *context)
{
    return fr_checkpoint_write(in_workspace("states"), blocks, BLOCKS, ++*(int64_t *)context);
}

static fr_result read_checkpoint(void *context)
{
    fr_checkpoint checkpoint;
    fr_result result = fr_checkpoint_read(in_workspace("states"), 0, &checkpoint);
    assert_int_equal(checkpoint.count, result == FR_OK ? BLOCKS : 0);
    if (result == FR_OK) {
        assert_int_equal(checkpoint.order, *(int64_t *)context);
        assert_memory_equal(checkpoint.blocks[0].data, bytes, sizeof bytes);
    }
    fr_checkpoint_free(&checkpoint);
    return result;
}

static void test_checkpoints(void **state)
{
    (void)state;
    int64_t order = 0;
    memset(bytes, 5, sizeof bytes);
    assert_int_equal(fail_one_by_one(write_checkpoint, &order), 0);
    assert_int_equal(read_checkpoint(&order), FR_OK);
    assert_int_equal(fail_one_by_one(read_checkpoint, &order), 1 + 2 * BLOCKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caches),
        cmocka_unit_test(test_bent_grids),
        cmocka_unit_test(test_checkpoints),
    };
    fr_set_threads(1);
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
