/* A library for LD_PRELOAD that lets memory and file operations of a program fail where a test says so, or notes them
   all in a journal. Steered by the environment:

     FAULTS_ROOT     folder whose files count, absolute and without symbolic links
     FAULTS_MODE     count, once, forever, short, kill, journal
     FAULTS_KIND     kinds that count, with commas: a name below, or "file" for all but alloc, or "space" for those that
                     a full disk refuses
     FAULTS_AT       which one of them, from 1
     FAULTS_ERRNO    the error that a failing one gives
     FAULTS_JOURNAL  where the journal goes
     FAULTS_REPORT   where the counts go, and whether the fault was reached
     FAULTS_CLOCK    name of a file: the clock stands still but for a jump at every second write to it, so that
                     what is due by time is due at the same operation in every run

   The program alone is meant: what it starts finds a clean environment, and a fork of it that starts nothing is left
   alone too. Memory counts from main() on. */
#ifndef FAULTS_SHIM_H
#define FAULTS_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum fault_kind {
    FAULT_ALLOC,
    FAULT_OPEN,
    FAULT_CREATE,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_SYNC,
    FAULT_RENAME,
    FAULT_REMOVE,
    FAULT_TRUNCATE,
    FAULT_MKDIR,
    FAULT_LINK,
    FAULT_CLOSE,
    FAULT_KINDS
} fault_kind;

typedef enum fault_verdict { FAULT_PASS, FAULT_FAIL, FAULT_SHORT } fault_verdict;

enum { FAULT_PATH = 4096 };

/* Counts one operation and says what becomes of it; FAULT_FAIL has set errno. Does not return where the program is to
   be killed. */
fault_verdict plan_ask(fault_kind kind);
bool plan_is_off(void);
const char *plan_root(void);

/* Operations and their journal are one: both happen between these. */
void plan_lock(void);
void plan_unlock(void);

/* One record of the journal; nothing without one. `data` is the record's payload. */
void journal_put(const char *what, int64_t id, int64_t number, const void *data, size_t size);
/* A record whose payload is two texts, each ended by a zero. */
void journal_put_pair(const char *what, const char *first, const char *second);
/* What stands in a file just now: tells the journal of files that other programs wrote. */
void journal_put_seen(const char *path);

/* Writes to one file move the clock. */
bool clock_is_moved_by(const char *path);
void clock_note_write(void);

/* Whether a path (from the folder `dir`, as in openat) lies below the root; `whole` gets it without dots. */
bool path_is_watched(int dir, const char *path, char whole[FAULT_PATH]);

/* The operations on watched files, for streams too. */
int file_open_watched(const char *path, int flags, mode_t mode);
bool file_is_watched(int fd);
ssize_t file_read_watched(int fd, void *data, size_t size);
ssize_t file_write_watched(int fd, const void *data, size_t size);
int file_close_watched(int fd);

#endif
