#define _DEFAULT_SOURCE
#include "kit/say.h"
#include "cli.h"
#include "kit/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static say_mode mode = SAY_ALL;
static FILE *log_file;
static bool status_open;   /* the terminal shows an updating line */
static int warnings;
static bool scene_prints;  /* a scene is loading: what it prints is shown */
static text kept;          /* lines that a scene printed before the log was opened */

void say_set_mode(say_mode chosen)
{
    mode = chosen;
}

static void say_to_log(const char *prefix, const char *message);

void say_set_log(FILE *log)
{
    log_file = log;
    if (log && kept.length)
        say_to_log("", kept.data);
    text_free(&kept);
}

void say_scene_prints(bool on)
{
    scene_prints = on;
}

int say_warnings(void)
{
    return warnings;
}

bool say_on_terminal(void)
{
    return mode == SAY_ALL && isatty(STDOUT_FILENO);
}

static void say_close_status(void)
{
    if (!status_open)
        return;
    fputs("\r\033[K", stdout);
    fflush(stdout);
    status_open = false;
}

static void say_to_log(const char *prefix, const char *message)
{
    if (!log_file)
        return;
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    fprintf(log_file, "%s %s%s\n", stamp, prefix, message);
    fflush(log_file);
}

static void say_warning_text(const char *message)
{
    warnings++;
    say_to_log("warning: ", message);
    if (mode == SAY_QUIET)
        return;
    say_close_status();
    fprintf(stderr, "freshet: warning: %s\n", message);
}

/* A line that a loading scene prints. The library limits the amount and has made it safe to show. */
static void say_scene_line(const char *message)
{
    if (log_file)
        say_to_log("", message);
    else
        text_add(&kept, "%s%s", kept.length ? "\n" : "", message);
    if (mode == SAY_ALL)
        puts(message);
}

static void say_library(void *context, fr_log_level level, const char *message)
{
    (void)context;
    if (level == FR_LOG_WARNING)
        say_warning_text(message);
    else if (scene_prints)
        say_scene_line(message);
    else
        say_to_log("", message);
}

void say_listen(void)
{
    fr_set_log_sink(say_library, NULL);
}

/* Messages quote file names and user input, so control characters are removed. */
#define SAY_FORMAT(message, format)                        \
    char message[4096];                                    \
    do {                                                   \
        va_list args;                                      \
        va_start(args, format);                            \
        vsnprintf(message, sizeof message, format, args);  \
        va_end(args);                                      \
        fr_make_printable(message);                        \
    } while (0)

void say_info(const char *format, ...)
{
    SAY_FORMAT(message, format);
    say_to_log("", message);
    if (mode != SAY_ALL)
        return;
    say_close_status();
    puts(message);
    fflush(stdout);
}

void say_warning(const char *format, ...)
{
    SAY_FORMAT(message, format);
    say_warning_text(message);
}

/* Messages "file:12: …" get no prefix, so that editors can jump to the line. */
static bool say_is_located(const char *message)
{
    const char *colon = strchr(message, ':');
    for (; colon; colon = strchr(colon + 1, ':')) {
        size_t digits = strspn(colon + 1, "0123456789");
        if (digits && colon[1 + digits] == ':')
            return true;
    }
    return false;
}

void say_error(const char *format, ...)
{
    SAY_FORMAT(message, format);
    say_to_log("error: ", message);
    say_close_status();
    fflush(stdout);
    fprintf(stderr, "%s%s\n", say_is_located(message) ? "" : "freshet: ", message);
}

void say_log(const char *format, ...)
{
    SAY_FORMAT(message, format);
    say_to_log("", message);
}

void say_status(const char *format, ...)
{
    if (!say_on_terminal())
        return;
    SAY_FORMAT(message, format);
    /* cut to the terminal's width: a wrapped line could not be replaced */
    struct winsize window;
    int width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 ? window.ws_col - 1 : 79;
    printf("\r\033[K%.*s", width, message);
    fflush(stdout);
    status_open = true;
}

int say_failure(fr_result result)
{
    const char *message = fr_error_message();
    say_error("%s", *message ? message : "the call failed without a message");
    switch (result) {
    case FR_OK:
        return CLI_DONE;
    case FR_ERROR_INPUT:
    case FR_ERROR_UNSUPPORTED:
        return CLI_USAGE;
    case FR_ERROR_STOPPED:
        return CLI_INTERRUPTED;
    case FR_ERROR_FILE:
    case FR_ERROR_MEMORY:
    case FR_ERROR_NUMERIC:
        break;
    }
    return CLI_FAILED;
}

say_text say_bytes(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 5; unit++)
        bytes /= 1000;
    say_text out;
    snprintf(out.text, sizeof out.text, unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
    return out;
}

say_text say_seconds(double seconds)
{
    say_text out;
    if (!(seconds < 1e9)) {
        snprintf(out.text, sizeof out.text, "?");
    } else if (seconds < 60) {
        snprintf(out.text, sizeof out.text, "%.1f s", seconds);
    } else {
        long whole = lround(seconds);
        if (whole >= 3600)
            snprintf(out.text, sizeof out.text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
        else
            snprintf(out.text, sizeof out.text, "%ld:%02ld", whole / 60, whole % 60);
    }
    return out;
}
