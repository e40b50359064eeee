/* The log: the library's messages, sent to the registered sink (stderr by default). */
#include <freshet/base.h>

#include <stdarg.h>
#include <stdio.h>

static void log_to_stderr(void *context, fr_log_level level, const char *message)
{
    (void)context;
    if (level == FR_LOG_WARNING)
        fprintf(stderr, "freshet: warning: %s\n", message);
}

static fr_log_sink log_sink = log_to_stderr;
static void *log_context;

void fr_set_log_sink(fr_log_sink sink, void *context)
{
    log_sink = sink;
    log_context = context;
}

void fr_log(fr_log_level level, const char *format, ...)
{
    if (!log_sink)
        return;
    char message[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    log_sink(log_context, level, fr_make_printable(message));
}
