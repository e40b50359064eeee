#define _POSIX_C_SOURCE 200809L
#include "kit/last_words.h"
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static char words[4096];
static size_t length;

/* Only calls that are safe in a signal handler: the heap may be in any state. */
static void last_words_say(int number)
{
    (void)number;
    for (size_t done = 0; done < length;) {
        ssize_t said = write(STDERR_FILENO, words + done, length - done);
        if (said <= 0)
            break;
        done += (size_t)said;
    }
    _exit(CLI_FAILED);
}

void last_words_set(const char *text)
{
    if (text)
        length = (size_t)snprintf(words, sizeof words, "freshet: %s\n", text);
    if (length >= sizeof words)
        length = sizeof words - 1;
    for (int i = 0; i < SIGNALS; i++)
        signal(signals[i], text ? last_words_say : SIG_DFL);
}
