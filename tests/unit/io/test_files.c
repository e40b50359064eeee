/* Folders, drafts and appended lines, also with a full disk and with invalid paths. */
#include "workspace.h"

#include "base/files.h"

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
    const char *path = in_workspace("drafted"), *temporary = in_workspace(".freshet-draft-drafted");
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
    assert_false(is_there(in_workspace(".freshet-draft-full")));
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
    assert_false(is_there(in_workspace(".freshet-draft-taken")));
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
    assert_int_equal(fr_text_append(path, "head\n", "one\n"), FR_OK);
    assert_int_equal(fr_text_append(path, "head\n", "two\n"), FR_OK);
    assert_text(path, "head\none\ntwo\n");
    store_text(path, "head\none\ntw");
    assert_int_equal(fr_text_append(path, "head\n", "three\n"), FR_OK);
    assert_text(path, "head\none\nthree\n");
    store_text(path, "he");
    assert_int_equal(fr_text_append(path, "head\n", "one\n"), FR_OK);
    assert_text(path, "head\none\n");
    limit_files(12);
    fr_result result = fr_text_append(path, "head\n", "too long a line\n");
    limit_files(RLIM_INFINITY);
    assert_int_equal(result, FR_ERROR_FILE);
    assert_text(path, "head\none\n");
    /* half a line longer than the piece that is searched at once */
    char *torn = malloc(10001);
    memset(torn, 'x', 10000);
    memcpy(torn, "head\n", 5);
    store_file(path, torn, 10000);
    assert_int_equal(fr_text_append(path, NULL, "one\n"), FR_OK);
    assert_text(path, "head\none\n");
    free(torn);
    assert_int_equal(fr_text_append(in_workspace("a_file/x"), NULL, "one\n"), FR_ERROR_FILE);
}

/* Nothing is added to a device, a pipe or what a link leads to. */
static void test_append_to_no_file(void **state)
{
    (void)state;
    if (is_there("/dev/full"))
        assert_int_equal(fr_text_append("/dev/full", NULL, "one\n"), FR_ERROR_FILE);
    assert_int_equal(mkfifo(in_workspace("lines pipe"), 0600), 0);
    assert_int_equal(fr_text_append(in_workspace("lines pipe"), NULL, "one\n"), FR_ERROR_FILE);
    assert_message_has("not a regular file");
    store_text(in_workspace("other"), "mine\n");
    assert_int_equal(symlink("other", in_workspace("link")), 0);
    assert_int_equal(fr_text_append(in_workspace("link"), NULL, "one\n"), FR_ERROR_FILE);
    assert_text(in_workspace("other"), "mine\n");
}

static void test_copy_and_cut(void **state)
{
    (void)state;
    int64_t bytes;
    uint64_t sum;
    store_text(in_workspace("original"), "abc");
    assert_int_equal(fr_file_copy(in_workspace("original"), in_workspace("copy"), 3), FR_OK);
    assert_int_equal(fr_file_sum(in_workspace("copy"), &bytes, &sum), FR_OK);
    assert_true(bytes == 3 && sum == 0x44bc2cf5ad770999u);
    assert_int_equal(fr_file_copy(in_workspace("original"), in_workspace("second"), 2), FR_ERROR_FILE);
    assert_false(is_there(in_workspace("second")));
    assert_int_equal(fr_file_cut(in_workspace("copy"), 5), FR_OK);
    assert_text(in_workspace("copy"), "abc");
    assert_int_equal(fr_file_cut(in_workspace("copy"), 1), FR_OK);
    assert_text(in_workspace("copy"), "a");
}

typedef struct watched {
    int asked;
    int64_t bytes;
    fr_result answer;
} watched;

static fr_result watch(void *context, const char *path, int64_t bytes, uint64_t sum)
{
    watched *w = context;
    (void)sum;
    assert_false(w->answer == FR_OK && bytes > 0 && is_there(path));   /* asked before it takes its place */
    w->asked++;
    w->bytes = bytes;
    return w->answer == FR_OK ? FR_OK : fr_fail(w->answer, "not here");
}

static void test_guard(void **state)
{
    (void)state;
    watched w = {0};
    fr_set_file_guard(watch, &w);
    assert_int_equal(fr_text_write(in_workspace("guarded"), "four"), FR_OK);
    assert_true(w.asked == 1 && w.bytes == 4);
    assert_int_equal(fr_text_append(in_workspace("grows"), NULL, "one\n"), FR_OK);
    assert_int_equal(fr_text_append(in_workspace("grows"), NULL, "two\n"), FR_OK);
    assert_true(w.asked == 2 && w.bytes == 0);
    w.answer = FR_ERROR_FILE;
    fr_result written = fr_text_write(in_workspace("guarded"), "five!"),
              added = fr_text_append(in_workspace("more"), NULL, "x\n");
    fr_set_file_guard(NULL, NULL);
    assert_int_equal(written, FR_ERROR_FILE);
    assert_int_equal(added, FR_ERROR_FILE);
    assert_text(in_workspace("guarded"), "four");
    assert_false(is_there(in_workspace("more")));
    assert_false(is_there(in_workspace(".freshet-draft-guarded")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_draft),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_wrong_paths),
        cmocka_unit_test(test_appended_lines),
        cmocka_unit_test(test_append_to_no_file),
        cmocka_unit_test(test_copy_and_cut),
        cmocka_unit_test(test_guard),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
