/* The inside of a run's list, for those who read it whole (verify). */
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
    list_entry *entries;     /* by path, then offset, up to `sorted`; then as they were added */
    int count, capacity, sorted;
    int64_t bytes;           /* of the list's file, as far as this process knows it */
    int64_t synced;          /* lines before this are of files that are on the disk */
    int torn;                /* lines that are none, */
    int64_t torn_at;         /* and where the first of them is */
    bool eager;              /* every line is on the disk before its file takes its place */
    bool named;              /* so is the list's own name in its folder */
};

/* Adds the lines of a text, which it changes. */
fr_result run_list_read(fr_list *list, char *text, size_t length);

/* Takes in lines that another program (render beside a run) has added since. */
fr_result run_list_catch_up(fr_list *list);

/* The entries sorted by path, then by age. */
void run_list_sort(fr_list *list);

/* The end of the entries of the same path as `first` (sorted). */
int run_list_same(const fr_list *list, int first);

/* Whether the first `bytes` of a file have that sum, and whether nothing follows. The file must be a regular one. */
typedef enum list_match { LIST_MISSING, LIST_UNREADABLE, LIST_DIFFERENT, LIST_LONGER, LIST_SAME } list_match;
list_match run_list_compare(const fr_list *list, const list_entry *entry);

/* Whether a path leaves the run's folder, or a folder on its way is a link: what is there is not the run's. */
bool run_list_leads_out(const fr_list *list, const char *path);

/* A file that grows was announced empty. */
bool run_list_grows(const fr_list *list, int first, int end);

#endif
