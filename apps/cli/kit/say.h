/* All messages of the program: to the terminal, and to a run's log.txt with a timestamp. */
#ifndef KIT_SAY_H
#define KIT_SAY_H

#include <freshet/base.h>
#include <stdio.h>

/* What reaches the terminal. The log gets everything in any mode. */
typedef enum say_mode {
    SAY_ALL,      /* information to standard output, warnings and errors to standard error */
    SAY_MACHINE,  /* no information: standard output is for JSON */
    SAY_QUIET     /* errors only */
} say_mode;

void say_set_mode(say_mode mode);

/* The log file that gets a copy; NULL for none. The caller closes it. */
void say_set_log(FILE *log);

/* Routes the library's log through here as well. */
void say_listen(void);

/* While a scene loads, what it prints is shown as information, and kept until there is a log. */
void say_scene_prints(bool on);

void say_info(const char *format, ...) FR_PRINTF(1, 2);
void say_warning(const char *format, ...) FR_PRINTF(1, 2);
void say_error(const char *format, ...) FR_PRINTF(1, 2);

/* To the log only. */
void say_log(const char *format, ...) FR_PRINTF(1, 2);

/* A status line that the next one replaces; only when standard output is a terminal. */
void say_status(const char *format, ...) FR_PRINTF(1, 2);
bool say_on_terminal(void);

/* Reports the failure of a library call; returns the exit status for it. */
int say_failure(fr_result result);

/* The number of warnings so far. */
int say_warnings(void);

/* 1536 → "1.5 kB". */
typedef struct say_text {
    char text[48];
} say_text;
say_text say_bytes(double bytes);

/* 3725 → "1:02:05"; under a minute "12.3 s". */
say_text say_seconds(double seconds);

#endif
