/* Everything the program says: to the terminal, and to a run's log.txt with the time of day. */
#ifndef KIT_SAY_H
#define KIT_SAY_H

#include <freshet/base.h>
#include <stdio.h>

/* What reaches the terminal. The log gets everything in any mode. */
typedef enum say_mode {
    SAY_ALL,      /* remarks to standard output, warnings and errors to standard error */
    SAY_MACHINE,  /* no remarks: standard output belongs to JSON */
    SAY_QUIET     /* errors only */
} say_mode;

void say_set_mode(say_mode mode);

/* The log that gets a copy; NULL for none. The caller keeps the file. */
void say_set_log(FILE *log);

/* The library's remarks come through here as well once this was called. */
void say_listen(void);

/* While a scene loads, what it prints is shown like a remark; it is kept for the log when there is none yet. */
void say_scene_prints(bool on);

void say_info(const char *format, ...) FR_PRINTF(1, 2);
void say_warning(const char *format, ...) FR_PRINTF(1, 2);
void say_error(const char *format, ...) FR_PRINTF(1, 2);

/* Only into the log. */
void say_log(const char *format, ...) FR_PRINTF(1, 2);

/* One line that the next one replaces; nothing unless standard output is a terminal. */
void say_status(const char *format, ...) FR_PRINTF(1, 2);
bool say_on_terminal(void);

/* The failure of a library call as an error; returns the exit status that goes with it. */
int say_failure(fr_result result);

/* How many warnings were said so far. */
int say_warnings(void);

/* 1536 → "1.5 kB". */
typedef struct say_text {
    char text[48];
} say_text;
say_text say_bytes(double bytes);

/* 3725 → "1:02:05"; under a minute "12.3 s". */
say_text say_seconds(double seconds);

#endif
