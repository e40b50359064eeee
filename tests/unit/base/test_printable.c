/* Printable text: control characters and invalid UTF-8 become '?', everything else stays. */
#include <freshet/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void becomes(const char *text, const char *expected)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    assert_string_equal(fr_make_printable(copy), expected);
}

static void keeps_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"",         "plain ~",      "two\nlines\tand a tab", "grün – «ρ» 水 🌊",
                                        "\xc2\xa0", "\xed\x9f\xbf", "\xee\x80\x80",          "\xf4\x8f\xbf\xbf"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        becomes(texts[i], texts[i]);
}

static void hides_what_steers(void **state)
{
    (void)state;
    becomes("\x1b[31mred\x1b[0m", "?[31mred?[0m");
    becomes("a\rb\bc\x7f\x01", "a?b?c??");
    becomes("\xc2\x9b" "31m \xc2\x80 \xc2\x9f", "??31m ?? ??");       /* C1 controls */
    becomes("a\xe2\x80\xae" "b\xe2\x81\xa6", "a???b???");             /* writing direction */
    becomes("a\xe2\x80\xa8" "b", "a???b");                            /* a line break that is none of ours */
}

static void hides_what_is_no_utf8(void **state)
{
    (void)state;
    becomes("\xff\xfe", "??");
    becomes("gr\xfcn", "gr?n");
    becomes("\xc3", "?");
    becomes("\xe2\x82", "??");
    becomes("\xc0\xaf \xe0\x80\xaf", "?? ???");     /* overlong */
    becomes("\xed\xa0\x80", "???");                 /* a surrogate */
    becomes("\xf4\x90\x80\x80", "????");            /* beyond the last */
    becomes("\xc3(", "?(");
}

/* All that the library says goes through it. */
static char heard[128];
static void hear(void *context, fr_log_level level, const char *message)
{
    (void)context, (void)level;
    snprintf(heard, sizeof heard, "%s", message);
}

static void is_used_for_messages(void **state)
{
    (void)state;
    fr_fail(FR_ERROR_INPUT, "cannot open %s", "\x1b[2J\xff.lua");
    assert_string_equal(fr_error_message(), "cannot open ?[2J?.lua");
    fr_fail_key("time.fps", "found %s", "\x1b");
    assert_string_equal(fr_error_message(), "found ?");
    fr_set_log_sink(hear, NULL);
    fr_log(FR_LOG_INFO, "%s", "\x1b[2J");
    assert_string_equal(heard, "?[2J");
    fr_set_log_sink(NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_text),
        cmocka_unit_test(hides_what_steers),
        cmocka_unit_test(hides_what_is_no_utf8),
        cmocka_unit_test(is_used_for_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
