#define _POSIX_C_SOURCE 200809L
#include "text.h"
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static fr_result text_file_failure(const char *verb, const char *path)
{
    return fr_fail(FR_ERROR_FILE, "cannot %s %s: %s", verb, path, strerror(errno));
}

fr_result text_read_file(const char *path, size_t most, text *text)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return text_file_failure("open", path);
    char block[4096];
    size_t got;
    while ((got = fread(block, 1, sizeof block, file)) > 0 && text->length <= most) {
        text_reserve(text, got);
        memcpy(text->data + text->length, block, got);
        text->length += got;
        text->data[text->length] = 0;
    }
    bool bad = ferror(file);
    int reason = errno;
    fclose(file);
    if (bad) {
        errno = reason;
        return text_file_failure("read", path);
    }
    if (text->length > most)
        return fr_fail(FR_ERROR_FILE, "%s is larger than %zu bytes: not a file of this program", path, most);
    text_add(text, "%s", "");
    return FR_OK;
}

static bool text_write_whole(const char *path, const char *content)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    size_t length = strlen(content);
    bool good = fwrite(content, 1, length, file) == length;
    good = fflush(file) == 0 && good;
    good = fsync(fileno(file)) == 0 && good;
    int reason = errno;
    good = fclose(file) == 0 && good;
    if (!good && reason)
        errno = reason;
    return good;
}

fr_result text_write_file(const char *path, const char *content)
{
    text temporary = {0};
    text_add(&temporary, "%s.tmp", path);
    errno = 0;
    fr_result result = FR_OK;
    if (!text_write_whole(temporary.data, content) || rename(temporary.data, path)) {
        result = text_file_failure("write", path);
        remove(temporary.data);
    }
    text_free(&temporary);
    return result;
}
