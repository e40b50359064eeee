/* The list of a run: damaged, missing and unlisted files are reported; files that may be removed are known. */
#include "workspace.h"

typedef struct told {
    int count;
    char lines[20][600];
} told;

static void tell(void *context, const char *path, fr_verify_kind kind, const char *trouble)
{
    told *t = context;
    (void)kind;
    assert_true(t->count < 20);
    snprintf(t->lines[t->count++], sizeof t->lines[0], "%s %s", path, trouble);
}

static fr_list *open_list(void)
{
    fr_list *list;
    assert_int_equal(fr_list_open(in_workspace("run"), &list), FR_OK);
    return list;
}

static fr_verify_report verify_part(told *t, bool unfinished, int64_t limit)
{
    fr_verify_report report;
    *t = (told){0};
    fr_list *list = open_list();
    assert_int_equal(
        fr_verify_run(list, &(fr_verify_def){.unfinished = unfinished, .limit = limit, .sink = tell, .context = t},
                      &report),
        FR_OK);
    fr_list_close(list);
    return report;
}

static fr_verify_report verify(told *t)
{
    return verify_part(t, false, -1);
}

static fr_result note(const char *path)
{
    fr_list *list = open_list();
    fr_result result = fr_list_add_file(list, path);
    fr_list_close(list);
    return result;
}

static void assert_report(fr_verify_report report, int files, int damaged, int missing)
{
    assert_int_equal(report.files, files);
    assert_int_equal(report.damaged, damaged);
    assert_int_equal(report.missing, missing);
}

static int make_run(void **state)
{
    (void)state;
    const char *const names[] = {"scene.lua", "cache/000000.h5", "cache/000001.h5", "npy/000000/ink é .npy"};
    fr_make_folder(in_workspace("run/cache"));
    fr_make_folder(in_workspace("run/npy/000000"));
    unlink(in_workspace("run/checksums.txt"));
    for (int i = 0; i < 4; i++) {
        char path[200];
        snprintf(path, sizeof path, "run/%s", names[i]);
        store_text(in_workspace(path), names[i]);
        if (note(names[i]) != FR_OK)
            return -1;
    }
    return 0;
}

static void test_whole_run(void **state)
{
    (void)state;
    told t;
    assert_report(verify(&t), 4, 0, 0);
    assert_int_equal(t.count, 0);
}

static void test_damaged_and_missing(void **state)
{
    (void)state;
    told t;
    store_text(in_workspace("run/cache/000001.h5"), "cache/000009.h5");
    store_text(in_workspace("run/scene.lua"), "longer than before");
    assert_int_equal(unlink(in_workspace("run/cache/000000.h5")), 0);
    assert_report(verify(&t), 4, 2, 1);
    assert_int_equal(t.count, 3);
    assert_string_equal(t.lines[0], "cache/000000.h5 is missing");
    assert_string_equal(t.lines[1], "cache/000001.h5 is damaged: its size or checksum is not the one that was noted");
    assert_string_equal(t.lines[2], "scene.lua is damaged: its size or checksum is not the one that was noted");
}

static void test_recorded_again(void **state)
{
    (void)state;
    told t;
    store_text(in_workspace("run/cache/000001.h5"), "new contents");
    assert_report(verify(&t), 4, 1, 0);
    assert_int_equal(note("cache/000001.h5"), FR_OK);
    assert_report(verify(&t), 4, 0, 0);
}

static void test_never_recorded(void **state)
{
    (void)state;
    told t;
    store_text(in_workspace("run/cache/000002.h5"), "x");
    store_text(in_workspace("run/cache/.freshet-draft-000003.h5"), "half a file");
    assert_report(verify(&t), 4, 0, 0);
    assert_int_equal(t.count, 1);
    assert_non_null(strstr(t.lines[0], "cache/000002.h5 is not in checksums.txt"));
    unlink(in_workspace("run/cache/000002.h5"));
    unlink(in_workspace("run/cache/.freshet-draft-000003.h5"));
}

static void test_torn_list(void **state)
{
    (void)state;
    told t;
    struct stat info;
    const char *list = in_workspace("run/checksums.txt");
    assert_int_equal(stat(list, &info), 0);
    assert_int_equal(truncate(list, info.st_size - 3), 0);
    assert_report(verify(&t), 3, 0, 0);
    assert_int_equal(note("npy/000000/ink é .npy"), FR_OK);
    assert_report(verify(&t), 4, 0, 0);
    assert_int_equal(t.count, 0);
}

static void test_damaged_list(void **state)
{
    (void)state;
    told t;
    const char list[] = "nonsense\n0123456789abcdef  x  y\n\0\n0123456789abcdef  3  \n\n";
    store_file(in_workspace("run/checksums.txt"), list, sizeof list - 1);
    fr_verify_report report = verify(&t);
    assert_int_equal(report.files, 0);
    assert_int_equal(report.damaged, 1);
    assert_non_null(strstr(t.lines[0], "checksums.txt is damaged: 5 of its lines"));
}

static void test_failures(void **state)
{
    (void)state;
    fr_list *list;
    fr_verify_report report;
    assert_int_equal(fr_list_open(in_workspace("nowhere"), &list), FR_OK);
    assert_int_equal(fr_verify_run(list, &(fr_verify_def){.limit = -1}, &report), FR_ERROR_FILE);
    assert_message_has("checksums.txt");
    fr_list_close(list);
    assert_int_equal(note("cache/none.h5"), FR_ERROR_FILE);
    assert_message_has("none.h5");
    list = open_list();
    assert_int_equal(fr_list_add(list, "two\nlines", 0, 0), FR_ERROR_INPUT);
    assert_int_equal(fr_list_add(list, "../outside", 0, 0), FR_ERROR_INPUT);
    assert_int_equal(fr_list_add(list, "/outside", 0, 0), FR_ERROR_INPUT);
    fr_list_close(list);
    limit_files(10);
    fr_result result = note("scene.lua");
    limit_files(RLIM_INFINITY);
    assert_int_equal(result, FR_ERROR_FILE);
    assert_message_has("checksums.txt: File too large");
}

/* What the list says of a name, and what removing does with it. */
static void test_ownership(void **state)
{
    (void)state;
    fr_list *list = open_list();
    fr_set_log_sink(NULL, NULL);
    store_text(in_workspace("run/notes.txt"), "mine");
    store_text(in_workspace("run/cache/000001.h5"), "edited");
    assert_int_equal(fr_list_judge(list, "scene.lua", true), FR_FILE_OURS);
    assert_int_equal(fr_list_judge(list, "cache/000001.h5", true), FR_FILE_CHANGED);
    assert_int_equal(fr_list_judge(list, "notes.txt", true), FR_FILE_STRANGE);
    assert_int_equal(fr_list_judge(list, "nothing", true), FR_FILE_ABSENT);
    assert_int_equal(fr_list_remove(list, "scene.lua", true), FR_OK);
    assert_int_equal(fr_list_remove(list, "notes.txt", true), FR_OK);
    assert_int_equal(fr_list_remove(list, "cache/000001.h5", true), FR_OK);
    assert_int_equal(fr_list_remove(list, "npy/000000/ink é .npy", true), FR_OK);
    assert_false(is_there(in_workspace("run/scene.lua")));
    assert_true(is_there(in_workspace("run/notes.txt")));
    assert_false(is_there(in_workspace("run/cache/000001.h5")));
    assert_true(is_there(in_workspace("run/cache/000001.h5.kept-1")));
    assert_false(is_there(in_workspace("run/npy")));
    fr_list_close(list);
    unlink(in_workspace("run/notes.txt"));
    unlink(in_workspace("run/cache/000001.h5.kept-1"));
}

/* A table that grows is the run's own while it grows; an edited one is not. */
static void test_growing(void **state)
{
    (void)state;
    fr_list *list = open_list();
    told t;
    const char *table = in_workspace("run/ledger.csv");
    assert_int_equal(fr_list_add(list, "ledger.csv", 0, 0xef46db3751d8e999u), FR_OK);
    store_text(table, "a\n");
    assert_int_equal(fr_list_judge(list, "ledger.csv", false), FR_FILE_OURS);
    assert_int_equal(fr_list_add_file(list, "ledger.csv"), FR_OK);
    store_text(table, "a\nb\n");
    assert_int_equal(fr_list_judge(list, "ledger.csv", false), FR_FILE_OURS);
    assert_int_equal(fr_list_judge(list, "ledger.csv", true), FR_FILE_CHANGED);
    assert_report(verify_part(&t, true, -1), 5, 0, 0);
    assert_report(verify_part(&t, false, -1), 5, 1, 0);
    store_text(table, "x\nb\n");
    assert_int_equal(fr_list_judge(list, "ledger.csv", false), FR_FILE_CHANGED);
    assert_report(verify_part(&t, true, -1), 5, 1, 0);
    fr_list_close(list);
    unlink(table);
}

/* A mark pins the list; what comes after it is not asked for. */
static void test_marks(void **state)
{
    (void)state;
    fr_list *list = open_list();
    told t;
    fr_list_mark mark;
    int64_t bytes;
    uint64_t sum;
    assert_int_equal(fr_list_pin(list, &mark), FR_OK);
    assert_int_equal(fr_list_add(list, "cache/000002.h5", 7, 1), FR_OK);
    assert_int_equal(fr_list_hold(list, &mark), FR_OK);
    assert_report(verify_part(&t, true, mark.bytes), 4, 0, 0);
    assert_report(verify_part(&t, true, -1), 5, 0, 1);
    fr_list_had(list, "cache/000002.h5", mark.bytes, &bytes, &sum);
    assert_true(bytes == 0);
    fr_list_had(list, "cache/000002.h5", INT64_MAX, &bytes, &sum);
    assert_true(bytes == 7 && sum == 1);
    assert_int_equal(fr_list_sync(list), FR_OK);
    mark.sum ^= 1;
    assert_int_equal(fr_list_hold(list, &mark), FR_ERROR_FILE);
    mark = (fr_list_mark){1 << 20, 0};
    assert_int_equal(fr_list_hold(list, &mark), FR_ERROR_FILE);
    fr_list_close(list);
}

static bool stays(const char *path)
{
    return !strcmp(path, "scene.lua");
}

static void test_restart(void **state)
{
    (void)state;
    fr_list *list = open_list();
    assert_int_equal(fr_list_restart(list, stays), FR_OK);
    assert_int_equal(fr_list_count(list), 1);
    assert_string_equal(fr_list_path(list, 0), "scene.lua");
    assert_int_equal(fr_list_add(list, "more", 0, 0), FR_OK);
    fr_list_close(list);
    list = open_list();
    assert_int_equal(fr_list_count(list), 2);
    fr_list_close(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_whole_run, make_run),
        cmocka_unit_test_setup(test_damaged_and_missing, make_run),
        cmocka_unit_test_setup(test_recorded_again, make_run),
        cmocka_unit_test_setup(test_never_recorded, make_run),
        cmocka_unit_test_setup(test_torn_list, make_run),
        cmocka_unit_test_setup(test_damaged_list, make_run),
        cmocka_unit_test_setup(test_failures, make_run),
        cmocka_unit_test_setup(test_ownership, make_run),
        cmocka_unit_test_setup(test_growing, make_run),
        cmocka_unit_test_setup(test_marks, make_run),
        cmocka_unit_test_setup(test_restart, make_run),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
