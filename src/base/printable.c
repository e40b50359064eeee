/* Makes text safe to show on a terminal and to keep in a log. */
#include <freshet/base.h>

#include <stdint.h>
#include <string.h>

/* Length in bytes of the UTF-8 character at `at`, and its code point. 0 for invalid UTF-8 (RFC 3629: overlong forms and
   surrogates are invalid). */
static int printable_character(const unsigned char *at, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
    if (length == 0)
        return 0;
    *code = length == 1 ? *at : *at & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if (at[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (at[i] & 0x3fu);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code >= least[length] && *code <= 0x10ffff && !surrogate ? length : 0;
}

/* Control characters can send commands to a terminal; bidirectional controls can show text in a misleading order. */
static bool printable_steers(uint32_t code)
{
    bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code <= 0x9f);
    bool direction = code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069);
    return control || direction || code == 0x2028 || code == 0x2029;
}

size_t fr_printable_length(const char *text)
{
    uint32_t code = 0;
    int length = printable_character((const unsigned char *)text, &code);
    return length > 0 && !printable_steers(code) ? (size_t)length : 0;
}

char *fr_make_printable(char *text)
{
    for (char *at = text; *at;) {
        size_t length = fr_printable_length(at);
        if (length == 0)
            *at = '?';
        at += length ? length : 1;
    }
    return text;
}
