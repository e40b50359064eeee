/* Failures: functions return a code; the message and the key are kept per thread. */
#include <freshet/base.h>

#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_LENGTH = 2048, KEY_LENGTH = 256 };

static _Thread_local char error_message[MESSAGE_LENGTH];
static _Thread_local char error_key[KEY_LENGTH];

const char *fr_error_message(void)
{
    return error_message;
}

const char *fr_error_key(void)
{
    return error_key;
}

/* Formats into a separate buffer first, so that a message may quote the previous one. */
static void result_record(const char *key, const char *format, va_list args)
{
    char message[MESSAGE_LENGTH];
    vsnprintf(message, sizeof message, format, args);
    snprintf(error_message, sizeof error_message, "%s", fr_make_printable(message));
    snprintf(error_key, sizeof error_key, "%s", key);
}

fr_result fr_fail(fr_result code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    result_record("", format, args);
    va_end(args);
    return code;
}

fr_result fr_fail_key(const char *key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    result_record(key, format, args);
    va_end(args);
    return FR_ERROR_INPUT;
}
