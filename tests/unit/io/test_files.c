/* Folders, drafts and appended lines; what a full disk and a wrong path leave behind. */
#include "workspace.h"

#include "io/files.h"

static void test_folders(void **state)
{
    (void)state;
    struct stat info;
    assert_int_equal(fr_make_folder(in_workspace("a/b/c")), FR_OK);
    assert_int_equal(fr_make_folder(in_workspace("a/b/c")), FR_OK);
    assert_int_equal(fr_make_folder(in_workspace("a/b//d/")), FR_OK);
    assert_int_equal(stat(in_workspace("a/b/d"), &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_int_equal(fr_make_folder("/"), FR_OK);
    store_text(in_workspace("plain"), "x");
    assert_int_equal(fr_make_folder(in_workspace("plain")), FR_ERROR_FILE);
    assert_message_has("a file of that name");
    assert_int_equal(fr_make_folder(in_workspace("plain/below")), FR_ERROR_FILE);
    assert_int_equal(fr_make_folder(""), FR_ERROR_FILE);
    char *longest = calloc(FILE_PATH + 2, 1);
    memset(longest, 'x', FILE_PATH + 1);
    assert_int_equal(fr_make_folder(longest), FR_ERROR_FILE);
    free(longest);
}

static void test_draft(void **state)
{
    (void)state;
    file_draft draft;
    size_t size;
    const char *path = in_workspace("drafted"), *temporary = in_workspace("drafted.tmp");
    store_text(path, "before");
    store_text(temporary, "left by a crash, longer than what follows");
    assert_int_equal(file_begin(&draft, path), FR_OK);
    file_put(&draft, "after", 5);
    file_abandon(&draft);
    assert_false(is_there(temporary));
    assert_int_equal(file_begin(&draft, path), FR_OK);
    file_put(&draft, "af", 2);
    file_put(&draft, "ter", 3);
    assert_int_equal(file_commit(&draft, true), FR_OK);
    assert_false(is_there(temporary));
    unsigned char *text = load_file(path, &size);
    assert_string_equal((char *)text, "after");
    free(text);
}

static void test_full_disk(void **state)
{
    (void)state;
    file_draft draft;
    size_t size;
    char bytes[1000] = {0};
    const char *path = in_workspace("full");
    store_text(path, "before");
    assert_int_equal(file_begin(&draft, path), FR_OK);
    limit_files(2500);
    for (int i = 0; i < 5; i++)
        file_put(&draft, bytes, sizeof bytes);
    fr_result result = file_commit(&draft, true);
    limit_files(RLIM_INFINITY);
    assert_int_equal(result, FR_ERROR_FILE);
    assert_message_has("full: File too large");
    assert_false(is_there(in_workspace("full.tmp")));
    unsigned char *text = load_file(path, &size);
    assert_string_equal((char *)text, "before");
    free(text);
}

static void test_wrong_paths(void **state)
{
    (void)state;
    file_draft draft;
    store_text(in_workspace("a_file"), "x");
    assert_int_equal(file_begin(&draft, in_workspace("a_file/below")), FR_ERROR_FILE);
    assert_message_has("Not a directory");
    assert_int_equal(file_begin(&draft, in_workspace("no/folder")), FR_ERROR_FILE);
    assert_message_has("No such file");
    /* the name is taken by a folder: found out by the rename, and cleaned up */
    assert_int_equal(fr_make_folder(in_workspace("taken/x")), FR_OK);
    assert_int_equal(file_begin(&draft, in_workspace("taken")), FR_OK);
    assert_int_equal(file_commit(&draft, false), FR_ERROR_FILE);
    assert_false(is_there(in_workspace("taken.tmp")));
    assert_int_equal(mkfifo(in_workspace("pipe"), 0600), 0);
    file_bytes bytes;
    assert_int_equal(file_open(in_workspace("pipe"), &bytes), FR_ERROR_FILE);
    assert_message_has("not a regular file");
}

static void assert_text(const char *path, const char *expected)
{
    size_t size;
    unsigned char *text = load_file(path, &size);
    assert_string_equal((char *)text, expected);
    free(text);
}

static void test_appended_lines(void **state)
{
    (void)state;
    const char *path = in_workspace("lines");
    assert_int_equal(file_append_line(path, "head\n", "one\n"), FR_OK);
    assert_int_equal(file_append_line(path, "head\n", "two\n"), FR_OK);
    assert_text(path, "head\none\ntwo\n");
    store_text(path, "head\none\ntw");
    assert_int_equal(file_append_line(path, "head\n", "three\n"), FR_OK);
    assert_text(path, "head\none\nthree\n");
    store_text(path, "he");
    assert_int_equal(file_append_line(path, "head\n", "one\n"), FR_OK);
    assert_text(path, "head\none\n");
    limit_files(12);
    fr_result result = file_append_line(path, "head\n", "too long a line\n");
    limit_files(RLIM_INFINITY);
    assert_int_equal(result, FR_ERROR_FILE);
    assert_text(path, "head\none\n");
    /* half a line longer than the piece that is searched at once */
    char *torn = malloc(10001);
    memset(torn, 'x', 10000);
    memcpy(torn, "head\n", 5);
    store_file(path, torn, 10000);
    assert_int_equal(file_append_line(path, NULL, "one\n"), FR_OK);
    assert_text(path, "head\none\n");
    free(torn);
    assert_int_equal(file_append_line(in_workspace("a_file/x"), NULL, "one\n"), FR_ERROR_FILE);
}

static void test_full_device(void **state)
{
    (void)state;
    if (!is_there("/dev/full"))
        skip();
    int warnings = 0;
    fr_set_log_sink(count_warnings, &warnings);
    assert_int_equal(file_append_line("/dev/full", NULL, "one\n"), FR_ERROR_FILE);
    fr_set_log_sink(NULL, NULL);
    assert_message_has("No space left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_draft),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_wrong_paths),
        cmocka_unit_test(test_appended_lines),
        cmocka_unit_test(test_full_device),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
