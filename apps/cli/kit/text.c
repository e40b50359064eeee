#include "kit/text.h"
#include "cli.h"

#include <freshet/io.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text_reserve(text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return;
    size_t capacity = needed * 2;
    char *data = realloc(text->data, capacity);
    if (!data) {
        fputs("freshet: out of memory\n", stderr);
        exit(CLI_FAILED);
    }
    text->data = data;
    text->capacity = capacity;
}

void text_add(text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t more = length > 0 ? (size_t)length : 0;
    text_reserve(text, more);
    vsnprintf(text->data + text->length, more + 1, format, again);
    va_end(again);
    text->length += more;
}

void text_add_number(text *text, double number)
{
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    text_add(text, "%s", digits);
}

void text_free(text *text)
{
    free(text->data);
    *text = (struct text){0};
}

fr_result text_read_file(const char *path, size_t most, text *text)
{
    char *content = NULL;
    size_t length = 0;
    FR_TRY(fr_text_read(path, (int64_t)most, &content, &length));
    text_reserve(text, length);
    memcpy(text->data + text->length, content, length + 1);
    text->length += length;
    free(content);
    return FR_OK;
}
