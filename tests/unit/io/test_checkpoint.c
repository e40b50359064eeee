/* Checkpoints: every byte comes back, two files alternate, and the newest intact one is found after any damage. */
#include "workspace.h"

#include "io/seal.h"

static unsigned char big[100003];
static double number = 0.1;
static const fr_block blocks[] = {
    {"state/velocity u", big, sizeof big},
    {"time", &number, sizeof number},
    {"", NULL, 0},
    {"ünïcode name with \" quotes", big + 1, 17},
};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static void fill(void)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof big; i++)
        big[i] = (unsigned char)test_random(&seed);
}

static void write_one(const char *folder, int64_t order)
{
    number = (double)order;
    assert_int_equal(fr_checkpoint_write(folder, blocks, BLOCKS, order), FR_OK);
}

static void assert_checkpoint(const fr_checkpoint *checkpoint, int64_t order)
{
    number = (double)order;
    assert_int_equal(checkpoint->order, order);
    assert_int_equal(checkpoint->count, BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
        assert_string_equal(checkpoint->blocks[i].name, blocks[i].name);
        assert_int_equal(checkpoint->blocks[i].bytes, blocks[i].bytes);
        if (blocks[i].bytes)
            assert_memory_equal(checkpoint->blocks[i].data, blocks[i].data, blocks[i].bytes);
    }
}

/* Reads the folder and expects that checkpoint from that file, with so many warnings. */
static void expect(const char *folder, int64_t order, const char *file, int warnings)
{
    fr_checkpoint checkpoint;
    int counted = 0;
    fr_set_log_sink(count_warnings, &counted);
    assert_int_equal(fr_checkpoint_read(folder, 0, &checkpoint), FR_OK);
    fr_set_log_sink(NULL, NULL);
    assert_checkpoint(&checkpoint, order);
    assert_non_null(strstr(checkpoint.path, file));
    assert_int_equal(counted, warnings);
    fr_checkpoint_free(&checkpoint);
    fr_checkpoint_free(&checkpoint);
}

static void damage(const char *path)
{
    size_t size;
    unsigned char *bytes = load_file(path, &size);
    bytes[size / 2] ^= 4;
    store_file(path, bytes, size);
    free(bytes);
}

static void test_in_turn(void **state)
{
    (void)state;
    const char *folder = in_workspace("turn");
    fill();
    write_one(folder, 10);
    expect(folder, 10, "a.chk", 0);
    write_one(folder, 20);
    expect(folder, 20, "b.chk", 0);
    write_one(folder, 30);
    expect(folder, 30, "a.chk", 0);
    write_one(folder, 40);
    expect(folder, 40, "b.chk", 0);
    assert_false(is_there(in_workspace("turn/.freshet-draft-a.chk")));
    assert_false(is_there(in_workspace("turn/.freshet-draft-b.chk")));
}

static void test_damaged_is_passed_over_and_replaced(void **state)
{
    (void)state;
    const char *folder = in_workspace("recover"), *a = in_workspace("recover/a.chk"),
               *b = in_workspace("recover/b.chk");
    fill();
    write_one(folder, 1);
    write_one(folder, 2);
    damage(b);
    expect(folder, 1, "a.chk", 1);
    write_one(folder, 3);
    expect(folder, 3, "b.chk", 0);
    assert_int_equal(truncate(b, 1000), 0);
    expect(folder, 1, "a.chk", 1);
    write_one(folder, 4);
    expect(folder, 4, "b.chk", 0);
    assert_int_equal(unlink(a), 0);
    expect(folder, 4, "b.chk", 0);
    write_one(folder, 5);
    expect(folder, 5, "a.chk", 0);
}

/* A run that begins again has smaller orders than what an earlier one left. */
static void test_begun_again(void **state)
{
    (void)state;
    const char *folder = in_workspace("again");
    fill();
    write_one(folder, 100);
    write_one(folder, 200);
    write_one(folder, 1);
    write_one(folder, 2);
    expect(folder, 2, "a.chk", 0);
}

static void test_nothing_there(void **state)
{
    (void)state;
    fr_checkpoint checkpoint;
    const char *folder = in_workspace("none");
    assert_int_equal(fr_checkpoint_read(folder, 0, &checkpoint), FR_ERROR_FILE);
    assert_message_has("no checkpoint in");
    fr_checkpoint_free(&checkpoint);
    write_one(folder, 1);
    damage(in_workspace("none/a.chk"));
    fr_set_log_sink(NULL, NULL);
    assert_int_equal(fr_checkpoint_read(folder, 0, &checkpoint), FR_ERROR_FILE);
    assert_message_has("is whole");
    store_text(in_workspace("a_file"), "x");
    assert_int_equal(fr_checkpoint_write(in_workspace("a_file/c"), blocks, BLOCKS, 1), FR_ERROR_FILE);
    assert_int_equal(fr_checkpoint_write(folder, blocks, -1, 1), FR_ERROR_INPUT);
}

static void test_damaged_bytes(void **state)
{
    (void)state;
    size_t size;
    uint64_t seed = 77;
    fr_checkpoint checkpoint;
    const char *folder = in_workspace("bytes"), *path = in_workspace("bytes/a.chk");
    fill();
    write_one(folder, 12);
    unsigned char *bytes = load_file(path, &size);
    fr_set_log_sink(NULL, NULL);
    for (int i = 0; i < 300; i++) {
        size_t at = test_random(&seed) % (i % 2 ? size : 2048), length = size;
        at = i % 4 == 2 ? size - 1 - at : at;
        unsigned char kept = bytes[at];
        if (i % 3)
            bytes[at] ^= (unsigned char)(1u << test_random(&seed) % 8);
        else
            length = at;
        store_file(path, bytes, length);
        bytes[at] = kept;
        fr_result result = fr_checkpoint_read(folder, 0, &checkpoint);
        if (result == FR_OK)
            assert_checkpoint(&checkpoint, 12);
        else
            assert_int_equal(result, FR_ERROR_FILE);
        fr_checkpoint_free(&checkpoint);
    }
    free(bytes);
}

static void store_sealed(const char *path, const unsigned char *bytes, size_t size)
{
    file_draft draft;
    assert_int_equal(file_begin(&draft, path), FR_OK);
    file_put(&draft, bytes, size);
    seal_write(&draft.bytes, (seal){SEAL_CHECKPOINT, 12});
    assert_int_equal(file_commit(&draft, false), FR_OK);
}

/* A file may be whole by its checksum and make no sense at all. */
static void test_any_bytes_under_a_seal(void **state)
{
    (void)state;
    size_t size;
    uint64_t seed = 6;
    const char *folder = in_workspace("sealed"), *path = in_workspace("sealed/a.chk");
    fill();
    write_one(folder, 12);
    unsigned char *whole = load_file(path, &size), *bytes = malloc(size);
    fr_set_log_sink(NULL, NULL);
    for (int i = 0; i < 1500; i++) {
        fr_checkpoint checkpoint;
        memcpy(bytes, whole, size);
        /* the numbers are at the front, and behind the large block */
        size_t at = test_random(&seed) % (i % 2 ? 48 : 150);
        bytes[i % 2 ? at : size - 33 - at] =
            (unsigned char)(i % 3 ? 255 * (test_random(&seed) % 2) : test_random(&seed));
        store_sealed(path, bytes, i % 10 ? size - 32 : test_random(&seed) % 200);
        fr_result result = fr_checkpoint_read(folder, 0, &checkpoint);
        assert_true(result == FR_OK || (result == FR_ERROR_FILE && checkpoint.count == 0 && !checkpoint.blocks));
        fr_checkpoint_free(&checkpoint);
    }
    store_sealed(path, whole, size - 32);
    expect(folder, 12, "a.chk", 0);
    free(whole);
    free(bytes);
}

static void test_old_files(void **state)
{
    (void)state;
    fr_checkpoint checkpoint;
    const char *folder = in_workspace("old");
    assert_int_equal(fr_make_folder(folder), FR_OK);
    store_text(in_workspace("old/a.h5"), "x");
    assert_int_equal(fr_checkpoint_read(folder, 0, &checkpoint), FR_ERROR_FILE);
    assert_message_has("Freshet 0.1.0");
    assert_message_has("run the scene from the start");
}

static void test_full_disk(void **state)
{
    (void)state;
    const char *folder = in_workspace("full");
    const rlim_t room[] = {0, 60, 500, 5000, 100000};
    fill();
    write_one(folder, 1);
    write_one(folder, 2);
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        limit_files(room[i]);
        fr_result result = fr_checkpoint_write(folder, blocks, BLOCKS, 3);
        limit_files(RLIM_INFINITY);
        assert_int_equal(result, FR_ERROR_FILE);
        assert_message_has("a.chk: File too large");
        assert_false(is_there(in_workspace("full/.freshet-draft-a.chk")));
        expect(folder, 2, "b.chk", 0);
    }
    assert_int_equal(unlink(in_workspace("full/b.chk")), 0);
    expect(folder, 1, "a.chk", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_damaged_is_passed_over_and_replaced),
        cmocka_unit_test(test_begun_again),
        cmocka_unit_test(test_nothing_there),
        cmocka_unit_test(test_damaged_bytes),
        cmocka_unit_test(test_any_bytes_under_a_seal),
        cmocka_unit_test(test_old_files),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
