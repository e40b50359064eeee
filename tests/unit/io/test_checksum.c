/* The checksum: known answers of XXH64, and the same answer however the bytes are split. */
#include "workspace.h"

#include "base/checksum.h"

static void test_known_answers(void **state)
{
    (void)state;
    assert_true(checksum_of("", 0) == 0xef46db3751d8e999u);
    assert_true(checksum_of("a", 1) == 0xd24ec4f1a98c6e5bu);
    assert_true(checksum_of("abc", 3) == 0x44bc2cf5ad770999u);
    const char *text = "Nobody inspects the spammish repetition";
    assert_true(checksum_of(text, strlen(text)) == 0xfbcea83c8a378bf1u);
}

static void test_pieces(void **state)
{
    (void)state;
    unsigned char bytes[500];
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)test_random(&seed);
    for (size_t length = 0; length <= sizeof bytes; length += 7) {
        uint64_t whole = checksum_of(bytes, length);
        checksum sum;
        checksum_begin(&sum);
        for (size_t at = 0; at < length;) {
            size_t some = test_random(&seed) % 70;
            some = some < length - at ? some : length - at;
            checksum_add(&sum, bytes + at, some);
            at += some;
        }
        assert_true(checksum_end(&sum) == whole);
    }
}

static void test_every_bit_counts(void **state)
{
    (void)state;
    unsigned char bytes[77] = {0};
    uint64_t zero = checksum_of(bytes, sizeof bytes);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(checksum_of(bytes, sizeof bytes) != zero);
        bytes[bit / 8] = 0;
    }
    assert_true(checksum_of(bytes, 76) != zero);
}

static void test_of_a_file(void **state)
{
    (void)state;
    size_t size = 200001;
    unsigned char *bytes = malloc(size);
    uint64_t seed = 9, sum;
    file_bytes file;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)test_random(&seed);
    store_file(in_workspace("bytes"), bytes, size);
    assert_int_equal(file_open(in_workspace("bytes"), &file), FR_OK);
    assert_int_equal(file.size, size);
    assert_true(checksum_of_file(&file, file.size, &sum));
    assert_true(sum == checksum_of(bytes, size));
    assert_true(checksum_of_file(&file, 65536, &sum));
    assert_true(sum == checksum_of(bytes, 65536));
    file_close(&file);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_every_bit_counts),
        cmocka_unit_test(test_of_a_file),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
