/* Ledgers and other tables. */
#include "workspace.h"

#include <locale.h>
#include <math.h>

static const char *const names[] = {"frame", "time", "volume", "particles", "residual"};

static void append(const char *path, int frame)
{
    const double values[] = {frame, frame / 24.0, NAN, 123456789012.0, -1.23456789e-7};
    const fr_ledger row = {5, names, values};
    assert_int_equal(fr_ledger_append(path, &row), FR_OK);
}

static void assert_text(const char *path, const char *expected)
{
    size_t size;
    unsigned char *text = load_file(path, &size);
    assert_string_equal((char *)text, expected);
    free(text);
}

static void test_ledger(void **state)
{
    (void)state;
    fr_table table;
    const char *path = in_workspace("ledger.csv");
    append(path, 0);
    append(path, 1);
    assert_text(path, "frame,time,volume,particles,residual\n"
                "0,0,,123456789012,-1.23456789e-07\n1,0.0416666667,,123456789012,-1.23456789e-07\n");
    assert_int_equal(fr_table_read(path, &table), FR_OK);
    assert_int_equal(table.columns, 5);
    assert_int_equal(table.rows, 2);
    assert_string_equal(table.names[4], "residual");
    assert_true(table.values[5] == 1 && isnan(table.values[7]));
    assert_true((float)table.values[6] == (float)(1 / 24.0));
    fr_table_free(&table);
    fr_table_free(&table);
}

/* Nine digits give every float back, whatever its size. */
static void test_floats_come_back(void **state)
{
    (void)state;
    uint64_t seed = 4;
    const char *path = in_workspace("floats.csv"), *const one[] = {"x"};
    float values[200];
    fr_table table;
    for (int i = 0; i < 200; i++) {
        uint32_t bits = test_random(&seed) ^ test_random(&seed) << 16;
        memcpy(&values[i], &bits, sizeof bits);
        values[i] = isfinite(values[i]) ? values[i] : (float)INFINITY;
        double value = values[i];
        assert_int_equal(fr_ledger_append(path, &(fr_ledger){1, one, &value}), FR_OK);
    }
    assert_int_equal(fr_table_read(path, &table), FR_OK);
    assert_int_equal(table.rows, 200);
    for (int i = 0; i < 200; i++)
        assert_true((float)table.values[i] == values[i]);
    fr_table_free(&table);
}

static void test_other_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        skip();
    const char *path = in_workspace("german.csv");
    append(path, 1);
    setlocale(LC_NUMERIC, "C");
    assert_text(path, "frame,time,volume,particles,residual\n1,0.0416666667,,123456789012,-1.23456789e-07\n");
}

static void test_torn_table(void **state)
{
    (void)state;
    fr_table table;
    int warnings = 0;
    store_text(in_workspace("torn.csv"), "a,b\r\n1,2\r\n\r\n3, \r\n4,5");
    fr_set_log_sink(count_warnings, &warnings);
    assert_int_equal(fr_table_read(in_workspace("torn.csv"), &table), FR_OK);
    fr_set_log_sink(NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_int_equal(table.rows, 2);
    assert_string_equal(table.names[1], "b");
    assert_true(table.values[1] == 2 && table.values[2] == 3 && isnan(table.values[3]));
    fr_table_free(&table);
}

static void expect_refusal(const char *text, const char *message)
{
    fr_table table;
    store_text(in_workspace("bad.csv"), text);
    assert_int_equal(fr_table_read(in_workspace("bad.csv"), &table), FR_ERROR_FILE);
    assert_message_has(message);
    assert_null(table.values);
}

static void test_bad_tables(void **state)
{
    (void)state;
    fr_table table;
    fr_set_log_sink(NULL, NULL);
    expect_refusal("", "no header");
    expect_refusal("a,b", "no header");
    expect_refusal("\n1,2\n", "no header");
    expect_refusal("a,b\n1,2\n1\n", "bad.csv:3: the line has 1 cells, the header has 2");
    expect_refusal("a,b\n1,2,3\n", "bad.csv:2: the line has 3 cells");
    expect_refusal("a,b\n1,two\n", "bad.csv:2: 'two' in column 'b' is not a number");
    expect_refusal("a,b\n1,2x\n", "'2x'");
    assert_int_equal(fr_table_read(in_workspace("none.csv"), &table), FR_ERROR_FILE);
    assert_message_has("No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ledger),
        cmocka_unit_test(test_floats_come_back),
        cmocka_unit_test(test_other_locale),
        cmocka_unit_test(test_torn_table),
        cmocka_unit_test(test_bad_tables),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
