/* Plots as SVG and PNG. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <ctype.h>
#include <math.h>
#include <unistd.h>

enum { N = 200 };
static double x[N], wave[N], gaps[N], nothing[N], huge[N];

static int prepare(void **state)
{
    (void)state;
    for (int i = 0; i < N; i++) {
        x[i] = i * 0.05;
        wave[i] = sin(x[i]);
        gaps[i] = i % 50 > 30 ? NAN : i == 3 ? INFINITY : x[i];
        nothing[i] = NAN;
        huge[i] = i % 2 ? 1.7e308 : -1.7e308;
    }
    return 0;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    size_t count = fread(text, 1, (1 << 20) - 1, file);
    assert_true(count > 0);
    fclose(file);
    return text;
}

static const char *after(const char *text, char wanted)
{
    const char *found = strchr(text, wanted);
    assert_non_null(found);
    return found + 1;
}

/* Tags that open and close in order, quoted attributes, no bare & or <. */
static void check_well_formed(const char *text)
{
    char open[16][32];
    int depth = 0;
    assert_int_equal(strncmp(text, "<?xml", 5), 0);
    text = after(text, '>');
    while (*text) {
        if (*text == '&')
            assert_true(strncmp(text, "&lt;", 4) == 0 || strncmp(text, "&gt;", 4) == 0 ||
                        strncmp(text, "&amp;", 5) == 0);
        if (*text != '<') {
            assert_true(depth > 0 || isspace((unsigned char)*text));
            text++;
            continue;
        }
        bool closes = text[1] == '/';
        char name[32] = "";
        sscanf(text + 1 + closes, "%31[a-z]", name);
        assert_true(strlen(name) > 0);
        const char *end = text;
        for (bool quoted = false; *end != '>' || quoted; end++) {
            assert_true(*end != '\0');
            assert_false(end > text && *end == '<');
            quoted = *end == '"' ? !quoted : quoted;
        }
        if (closes)
            assert_string_equal(open[--depth], name);
        else if (end[-1] != '/')
            strcpy(open[depth++], name);
        assert_in_range(depth, 0, 15);
        text = end + 1;
    }
    assert_int_equal(depth, 0);
}

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

static void test_svg_is_well_formed_whatever_the_names(void **state)
{
    (void)state;
    char *folder = check_folder(), path[128];
    snprintf(path, sizeof path, "%s/p.svg", folder);
    const fr_curve curves[] = {{"a < b & \"c\" > d", x, wave, N, false},
                               {"bad \xff\x01 utf \xe2\x82\xac", x, gaps, N, false},
                               {"marks", x, wave, 20, true},
                               {NULL, x, wave, N, false}};
    const fr_plot_def panels[] = {{"<title>", "t & x", "m\xc2\xb2/s", curves, 4}, {NULL, NULL, NULL, NULL, 0}};
    CHECK_OK(fr_plot_write(path, panels, 2));
    char *text = read_text(path);
    check_well_formed(text);
    assert_int_equal(count_of(text, "nan"), 0);
    assert_int_equal(count_of(text, "inf"), 0);
    /* 20 marks, one in the legend, and the lone number before the infinite one is part of a line. */
    assert_int_equal(count_of(text, "<polygon"), 21);
    free(text);
    remove(path);
    rmdir(folder);
    free(folder);
}

static void test_gaps_break_the_line(void **state)
{
    (void)state;
    char *folder = check_folder(), path[128];
    snprintf(path, sizeof path, "%s/p.svg", folder);
    const fr_curve whole = {NULL, x, wave, N, false}, broken = {NULL, x, gaps, N, false};
    int lines[2];
    for (int i = 0; i < 2; i++) {
        const fr_plot_def panel = {"t", "x", "y", i == 0 ? &whole : &broken, 1};
        CHECK_OK(fr_plot_write(path, &panel, 1));
        char *text = read_text(path);
        lines[i] = count_of(text, "stroke-width=\"1.6\"");
        free(text);
    }
    assert_int_equal(lines[0], 1);
    assert_int_equal(lines[1], 5);   /* four stretches, the first cut once more */
    remove(path);
    rmdir(folder);
    free(folder);
}

static void test_png_of_odd_numbers(void **state)
{
    (void)state;
    char *folder = check_folder(), path[128];
    snprintf(path, sizeof path, "%s/p.PNG", folder);
    const double *const values[] = {nothing, huge, x};
    for (int i = 0; i < 3; i++) {
        const fr_curve curve = {"curve", i == 1 ? huge : x, values[i], i == 2 ? 1 : N, false};
        const fr_plot_def panel = {"odd", "x", "y", &curve, 1};
        CHECK_OK(fr_plot_write(path, &panel, 1));
        assert_int_equal(access(path, R_OK), 0);
        remove(path);
    }
    rmdir(folder);
    free(folder);
}

static void test_refusals(void **state)
{
    (void)state;
    const fr_plot_def panel = {0};
    assert_int_equal(fr_plot_write("/tmp/plot.gif", &panel, 1), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), ".svg"));
    assert_int_equal(fr_plot_write("/nowhere/plot.svg", &panel, 1), FR_ERROR_FILE);
    assert_int_equal(fr_plot_write("/nowhere/plot.png", &panel, 1), FR_ERROR_FILE);
    assert_int_equal(fr_plot_write("/tmp/plot.svg", &panel, 0), FR_ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svg_is_well_formed_whatever_the_names),
        cmocka_unit_test(test_gaps_break_the_line),
        cmocka_unit_test(test_png_of_odd_numbers),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
