/* Cache files: every bit comes back; damaged and foreign files fail; a full disk leaves nothing behind. */
#include "made_up_frame.h"

static void round_trip(int nx, int ny, int nz)
{
    made_up_frame made;
    fr_cached_frame *cached;
    const char *path = in_workspace("000007.h5");
    made_up_frame_make(&made, nx, ny, nz);
    assert_int_equal(fr_cache_write(path, &made.frame), FR_OK);
    assert_int_equal(fr_cache_read(path, &cached), FR_OK);
    assert_same_frame(fr_cached_frame_view(cached), &made.frame);
    fr_cached_frame_destroy(cached);
    assert_false(is_there(in_workspace(".freshet-draft-000007.h5")));
    made_up_frame_free(&made);
}

static void test_round_trips(void **state)
{
    (void)state;
    round_trip(1, 1, 0);
    round_trip(7, 5, 0);
    round_trip(300, 257, 0);
    round_trip(1, 1, 1);
    round_trip(3, 2, 5);
    round_trip(67, 33, 17);
}

/* A frame in which the density and a scalar of odd bits are twice as fine as the rest. */
static void refined_round_trip(int nx, int ny, int nz)
{
    made_up_frame coarse, fine;
    fr_cached_frame *cached;
    made_up_frame_make(&coarse, nx, ny, nz);
    made_up_frame_make(&fine, 2 * nx, 2 * ny, 2 * nz);
    fr_field coarse_fields[MADE_UP_FIELDS];
    memcpy(coarse_fields, coarse.fields, sizeof coarse_fields);
    int last = coarse.frame.field_count - 1;
    coarse.fields[3] = fine.fields[3];
    coarse.fields[last] = fine.fields[last];
    assert_int_equal(fr_field_refine(&coarse.frame, &coarse.fields[last]), 2);
    assert_int_equal(fr_cache_write(in_workspace("refined.h5"), &coarse.frame), FR_OK);
    assert_int_equal(fr_cache_read(in_workspace("refined.h5"), &cached), FR_OK);
    assert_same_frame(fr_cached_frame_view(cached), &coarse.frame);
    fr_cached_frame_destroy(cached);
    memcpy(coarse.fields, coarse_fields, sizeof coarse_fields);
    made_up_frame_free(&coarse);
    made_up_frame_free(&fine);
}

static void test_refined_fields(void **state)
{
    (void)state;
    refined_round_trip(1, 1, 0);
    refined_round_trip(37, 20, 0);
    refined_round_trip(1, 1, 1);
    refined_round_trip(9, 7, 5);
}

static void test_empty_frame(void **state)
{
    (void)state;
    fr_frame frame = {.dims = 3, .cells = {4, 4, 4}, .spacing = {1, 1, 1}};
    fr_cached_frame *cached;
    assert_int_equal(fr_cache_write(in_workspace("empty.h5"), &frame), FR_OK);
    assert_int_equal(fr_cache_read(in_workspace("empty.h5"), &cached), FR_OK);
    assert_same_frame(fr_cached_frame_view(cached), &frame);
    fr_cached_frame_destroy(cached);
}

/* A liquid of particles has no field; particles that are only carried have neither ids that are known nor numbers of
 * their own. */
static void test_particles_alone(void **state)
{
    (void)state;
    for (int carried = 0; carried < 2; carried++) {
        made_up_frame made;
        fr_cached_frame *cached;
        made_up_frame_make(&made, 4, 5, 6);
        fr_frame frame = made.frame;
        frame.field_count = 0;
        frame.has_obstacles = false;
        if (carried) {
            frame.particle_ids = NULL;
            frame.attribute_count = 0;
            frame.particle_spacing = 0;
            frame.can = FR_FRAME_CARRIED_PARTICLES;
        }
        assert_int_equal(fr_cache_write(in_workspace("particles.h5"), &frame), FR_OK);
        assert_int_equal(fr_cache_read(in_workspace("particles.h5"), &cached), FR_OK);
        assert_same_frame(fr_cached_frame_view(cached), &frame);
        fr_cached_frame_destroy(cached);
        assert_int_equal(fr_npy_write_frame(in_workspace("particles"), &frame), FR_OK);
        made_up_frame_free(&made);
    }
}

/* More than are written at a time, and none. */
static void test_bodies(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    fr_body_state *bodies = calloc(MANY, sizeof *bodies);
    made_up_bodies(bodies, MANY);
    fr_frame frame = {.dims = 2, .cells = {4, 4, 1}, .spacing = {1, 1, 0}, .bodies = bodies};
    for (int count = 0; count <= MANY; count += MANY / 2) {
        fr_cached_frame *cached;
        frame.body_count = count;
        assert_int_equal(fr_cache_write(in_workspace("bodies.h5"), &frame), FR_OK);
        assert_int_equal(fr_cache_read(in_workspace("bodies.h5"), &cached), FR_OK);
        assert_same_frame(fr_cached_frame_view(cached), &frame);
        assert_int_equal(!fr_cached_frame_view(cached)->bodies, count == 0);
        fr_cached_frame_destroy(cached);
    }
    free(bodies);
}

static void test_same_file_for_any_threads(void **state)
{
    (void)state;
    made_up_frame made;
    size_t size[2];
    unsigned char *bytes[2];
    made_up_frame_make(&made, 70, 66, 34);
    for (int i = 0; i < 2; i++) {
        fr_set_threads(i ? 3 : 1);
        assert_int_equal(fr_cache_write(in_workspace("threads.h5"), &made.frame), FR_OK);
        bytes[i] = load_file(in_workspace("threads.h5"), &size[i]);
    }
    fr_set_threads(0);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
    made_up_frame_free(&made);
}

/* So many chunks that the tree that finds them has three levels, and every 64th of them is zero. */
static void test_many_chunks(void **state)
{
    (void)state;
    enum { SAMPLES = 256 * 4100 + 1 };
    fr_cached_frame *cached;
    float *row = malloc(SAMPLES * sizeof *row);
    for (int i = 0; i < SAMPLES; i++)
        row[i] = i / 256 % 64 == 3 ? 0.0f : (float)i;
    fr_field field = {"density", "", FR_AT_CELL, {SAMPLES, 1, 1}, {1, 0, 0}, row};
    fr_frame frame = {.can = FR_FRAME_SMOKE, .dims = 2, .cells = {SAMPLES, 1, 1}, .spacing = {1, 1, 0},
                      .fields = &field, .field_count = 1};
    assert_int_equal(fr_cache_write(in_workspace("many.h5"), &frame), FR_OK);
    assert_int_equal(fr_cache_read(in_workspace("many.h5"), &cached), FR_OK);
    assert_same_frame(fr_cached_frame_view(cached), &frame);
    fr_cached_frame_destroy(cached);
    free(row);
}

static void test_zeros_take_no_room(void **state)
{
    (void)state;
    struct stat info;
    float *zeros = calloc(64 * 64 * 64, sizeof *zeros);
    fr_field field = {"density", "", FR_AT_CELL, {64, 64, 64}, {1, 64, 64 * 64}, zeros};
    fr_frame frame = {.dims = 3, .cells = {64, 64, 64}, .spacing = {1, 1, 1}, .fields = &field, .field_count = 1};
    assert_int_equal(fr_cache_write(in_workspace("zeros.h5"), &frame), FR_OK);
    assert_int_equal(stat(in_workspace("zeros.h5"), &info), 0);
    assert_true(info.st_size < 32768);
    free(zeros);
}

/* A damaged file is refused; should it be read all the same, then only with the right data. */
static void read_damaged(const char *path, const fr_frame *truth)
{
    fr_cached_frame *cached;
    fr_result result = fr_cache_read(path, &cached);
    if (result == FR_OK) {
        assert_same_frame(fr_cached_frame_view(cached), truth);
        fr_cached_frame_destroy(cached);
        return;
    }
    assert_int_equal(result, FR_ERROR_FILE);
    assert_null(cached);
    assert_message_has(path);
}

static void test_damaged_bytes(void **state)
{
    (void)state;
    made_up_frame made;
    size_t size;
    uint64_t seed = 5;
    const char *path = in_workspace("damaged.h5");
    made_up_frame_make(&made, 9, 8, 7);
    assert_int_equal(fr_cache_write(path, &made.frame), FR_OK);
    unsigned char *bytes = load_file(path, &size);
    for (int i = 0; i < 400; i++) {
        /* half of them near the ends, where the headers are */
        size_t at = test_random(&seed) % (i % 2 ? size : 2048);
        at = i % 4 == 2 ? size - 1 - at : at;
        unsigned char kept = bytes[at];
        bytes[at] ^= (unsigned char)(1u << test_random(&seed) % 8);
        store_file(path, bytes, size);
        read_damaged(path, &made.frame);
        bytes[at] = kept;
    }
    for (int i = 0; i < 100; i++) {
        store_file(path, bytes, test_random(&seed) % size);
        read_damaged(path, &made.frame);
    }
    free(bytes);
    made_up_frame_free(&made);
}

static void test_foreign_files(void **state)
{
    (void)state;
    fr_cached_frame *cached;
    fr_block block = {"x", (char[]){1, 2, 3}, 3};
    store_text(in_workspace("foreign.h5"), "frame,time\n0,0\nthis is a table, not a cache file at all\n");
    assert_int_equal(fr_cache_read(in_workspace("foreign.h5"), &cached), FR_ERROR_FILE);
    assert_message_has("foreign.h5");
    assert_int_equal(fr_cache_read(in_workspace("nowhere.h5"), &cached), FR_ERROR_FILE);
    assert_message_has("No such file");
    assert_int_equal(fr_cache_read(workspace, &cached), FR_ERROR_FILE);
    assert_int_equal(fr_checkpoint_write(in_workspace("other"), &block, 1, 1), FR_OK);
    assert_int_equal(fr_cache_read(in_workspace("other/a.chk"), &cached), FR_ERROR_FILE);
    assert_message_has("not a cache file");
}

static void test_bad_frames(void **state)
{
    (void)state;
    made_up_frame made;
    made_up_frame_make(&made, 4, 4, 4);
    made.fields[3].size[0] = 5;
    assert_int_equal(fr_cache_write(in_workspace("bad.h5"), &made.frame), FR_ERROR_INPUT);
    assert_message_has("pressure");
    const float value = 1;
    fr_field vast = {"vast", "", FR_AT_CELL, {1 << 20, 1 << 20, 4}, {0, 0, 0}, &value};
    fr_frame frame = {
        .dims = 3, .cells = {1 << 20, 1 << 20, 4}, .spacing = {1, 1, 1}, .fields = &vast, .field_count = 1};
    assert_int_equal(fr_cache_write(in_workspace("bad.h5"), &frame), FR_ERROR_INPUT);
    assert_message_has("too large to cache");
    made.frame.dims = 4;
    assert_int_equal(fr_cache_write(in_workspace("bad.h5"), &made.frame), FR_ERROR_INPUT);
    assert_false(is_there(in_workspace("bad.h5")));
    made_up_frame_free(&made);
}

static void test_full_disk(void **state)
{
    (void)state;
    made_up_frame made, small;
    fr_cached_frame *cached;
    const char *path = in_workspace("full.h5");
    made_up_frame_make(&made, 40, 41, 42);
    made_up_frame_make(&small, 4, 4, 0);
    assert_int_equal(fr_cache_write(path, &small.frame), FR_OK);
    const rlim_t room[] = {0, 50, 100, 3000, 20000, 200000};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        limit_files(room[i]);
        fr_result result = fr_cache_write(path, &made.frame);
        limit_files(RLIM_INFINITY);
        assert_int_equal(result, FR_ERROR_FILE);
        assert_message_has("full.h5: File too large");
        assert_false(is_there(in_workspace(".freshet-draft-full.h5")));
    }
    assert_int_equal(fr_cache_read(path, &cached), FR_OK);
    assert_same_frame(fr_cached_frame_view(cached), &small.frame);
    fr_cached_frame_destroy(cached);
    store_text(in_workspace("a_file"), "x");
    assert_int_equal(fr_cache_write(in_workspace("a_file/0.h5"), &small.frame), FR_ERROR_FILE);
    assert_message_has("Not a directory");
    made_up_frame_free(&made);
    made_up_frame_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_refined_fields),
        cmocka_unit_test(test_empty_frame),
        cmocka_unit_test(test_particles_alone),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_same_file_for_any_threads),
        cmocka_unit_test(test_many_chunks),
        cmocka_unit_test(test_zeros_take_no_room),
        cmocka_unit_test(test_damaged_bytes),
        cmocka_unit_test(test_foreign_files),
        cmocka_unit_test(test_bad_frames),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
