/* Checksums of a run: what was damaged, lost or never recorded is named. */
#include "workspace.h"

typedef struct told {
    int count;
    char lines[20][600];
} told;

static void tell(void *context, const char *path, const char *trouble)
{
    told *t = context;
    assert_true(t->count < 20);
    snprintf(t->lines[t->count++], sizeof t->lines[0], "%s %s", path, trouble);
}

static fr_verify_report verify(told *t)
{
    fr_verify_report report;
    *t = (told){0};
    assert_int_equal(fr_verify_run(in_workspace("run"), tell, t, &report), FR_OK);
    return report;
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
        if (fr_verify_record(in_workspace("run"), names[i]) != FR_OK)
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
    fr_verify_report report;
    assert_int_equal(fr_verify_run(in_workspace("run"), NULL, NULL, &report), FR_OK);
    assert_report(report, 4, 0, 0);
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
    assert_string_equal(t.lines[1], "cache/000001.h5 is damaged: its checksum does not match");
    assert_string_equal(t.lines[2], "scene.lua is damaged: it has 18 bytes, 9 were written");
}

static void test_recorded_again(void **state)
{
    (void)state;
    told t;
    store_text(in_workspace("run/cache/000001.h5"), "new contents");
    assert_report(verify(&t), 4, 1, 0);
    assert_int_equal(fr_verify_record(in_workspace("run"), "cache/000001.h5"), FR_OK);
    assert_report(verify(&t), 4, 0, 0);
}

static void test_never_recorded(void **state)
{
    (void)state;
    told t;
    store_text(in_workspace("run/cache/000002.h5"), "x");
    store_text(in_workspace("run/cache/000003.h5.tmp"), "half a file");
    assert_report(verify(&t), 4, 0, 0);
    assert_int_equal(t.count, 1);
    assert_non_null(strstr(t.lines[0], "cache/000002.h5 is not in checksums.txt"));
    unlink(in_workspace("run/cache/000002.h5"));
    unlink(in_workspace("run/cache/000003.h5.tmp"));
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
    assert_int_equal(fr_verify_record(in_workspace("run"), "npy/000000/ink é .npy"), FR_OK);
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
    assert_int_equal(report.damaged, 5);
    assert_non_null(strstr(t.lines[0], "checksums.txt is damaged: line 1"));
}

static void test_failures(void **state)
{
    (void)state;
    fr_verify_report report;
    assert_int_equal(fr_verify_run(in_workspace("nowhere"), NULL, NULL, &report), FR_ERROR_FILE);
    assert_message_has("checksums.txt");
    assert_int_equal(fr_verify_record(in_workspace("run"), "cache/none.h5"), FR_ERROR_FILE);
    assert_message_has("none.h5");
    assert_int_equal(fr_verify_record(in_workspace("run"), "two\nlines"), FR_ERROR_INPUT);
    limit_files(10);
    fr_result result = fr_verify_record(in_workspace("run"), "scene.lua");
    limit_files(RLIM_INFINITY);
    assert_int_equal(result, FR_ERROR_FILE);
    assert_message_has("checksums.txt: File too large");
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
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
