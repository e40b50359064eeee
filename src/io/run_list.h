/* The internals of a run's list, for the files of io that work on all its entries. */
#ifndef FR_IO_RUN_LIST_H
#define FR_IO_RUN_LIST_H

#include <freshet/io.h>

#include "base/arena.h"
#include "base/files.h"

extern const char run_list_name[];   /* "checksums.txt" */

typedef struct list_entry {
    const char *path;        /* relative to the run's folder */
    uint64_t sum;
    int64_t bytes;
    int64_t offset;          /* of its line in the list */
} list_entry;

struct fr_list {
    char dir[FILE_PATH];
    arena texts;             /* the paths */
    list_entry *entries;     /* the first `sorted` by path, then offset; the rest as they were added */
    int count, capacity, sorted;
    int64_t bytes;           /* size of the list's file, as known to this process */
    int64_t synced;          /* files of the lines before this offset are synced to disk */
    int torn;                /* number of invalid lines */
    int64_t torn_at;         /* offset of the first invalid line */
    bool eager;              /* sync every line to disk before its file is renamed to its path */
    bool named;              /* the list's own directory entry is synced */
};

/* Adds the lines of a text, which is modified. */
fr_result run_list_read(fr_list *list, char *text, size_t length);

/* Reads lines that another process (render during a run) has added since. */
fr_result run_list_catch_up(fr_list *list);

/* Sorts the entries by path, then oldest first. */
void run_list_sort(fr_list *list);

/* The index behind the last entry with the same path as `first`. The entries must be sorted. */
int run_list_same(const fr_list *list, int first);

/* Compares a file with its entry. LIST_LONGER: its first `bytes` match and more follow. Files that are not regular are
   LIST_UNREADABLE. */
typedef enum list_match { LIST_MISSING, LIST_UNREADABLE, LIST_DIFFERENT, LIST_LONGER, LIST_SAME } list_match;
list_match run_list_compare(const fr_list *list, const list_entry *entry);

/* Whether a path leaves the run's folder, also through a symbolic link: such a file is not the run's. */
bool run_list_leads_out(const fr_list *list, const char *path);

/* Whether the entries [first, end) are of a growing file: one that was listed as empty first. */
bool run_list_grows(const fr_list *list, int first, int end);

#endif
