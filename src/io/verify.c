/* Compares a run's files with its list (io/run_list.c). */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/run_list.h"

typedef struct verify_run {
    fr_list *list;
    const fr_verify_def *def;
    fr_verify_report *report;
} verify_run;

static void verify_tell(verify_run *run, const char *path, fr_verify_kind kind, const char *trouble)
{
    run->report->damaged += kind == FR_VERIFY_DAMAGED;
    run->report->missing += kind == FR_VERIFY_MISSING;
    if (run->def->sink)
        run->def->sink(run->def->context, path, kind, trouble);
}

/* Whether the file matches one of its entries [first, end). Older entries count as well: the newest file may have been
   listed but not yet renamed to its path. */
static bool verify_matches(const fr_list *list, int first, int end, bool grows, list_match *last)
{
    *last = run_list_compare(list, &list->entries[end - 1]);
    if (*last == LIST_SAME || (grows && *last == LIST_LONGER))
        return true;
    for (int i = end - 2; !grows && i >= first; i--)
        if (run_list_compare(list, &list->entries[i]) == LIST_SAME)
            return true;
    return false;
}

/* Checks the entries [first, end) of one path. In an unfinished run, entries behind the mark may be of files that were
   never written. */
static void verify_path(verify_run *run, int first, int end)
{
    const fr_list *list = run->list;
    const char *path = list->entries[first].path;
    const fr_verify_def *def = run->def;
    list_match match;
    int counted = end;
    while (counted > first && def->limit >= 0 && list->entries[counted - 1].offset >= def->limit)
        counted--;
    if (counted == first)
        return;
    bool grows = run_list_grows(list, first, end) && (def->unfinished || list->entries[end - 1].bytes == 0);
    run->report->files++;
    if (grows && verify_matches(list, first, counted, true, &match))
        return;
    if (!grows && verify_matches(list, first, end, false, &match))
        return;
    switch (match) {
    case LIST_MISSING:
        verify_tell(run, path, FR_VERIFY_MISSING, "is missing");
        break;
    case LIST_UNREADABLE:
        verify_tell(run, path, FR_VERIFY_DAMAGED, "cannot be read as a regular file");
        break;
    default:
        verify_tell(run, path, FR_VERIFY_DAMAGED, "is damaged: its size or checksum is not the one that was noted");
    }
}

static int verify_text_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reports files in the cache folder that are not listed, sorted by name; drafts left by a crash do not count. */
static fr_result verify_strangers(verify_run *run, DIR *folder)
{
    char **names = NULL, relative[FILE_PATH];
    int count = 0;
    int64_t bytes;
    uint64_t sum;
    fr_result result = FR_OK;
    for (struct dirent *item; result == FR_OK && (item = readdir(folder));) {
        if (item->d_name[0] == '.' || file_join(relative, "cache", item->d_name) != FR_OK ||
            fr_list_has(run->list, relative, &bytes, &sum))
            continue;
        char **more = realloc(names, ((size_t)count + 1) * sizeof *names);
        names = more ? more : names;
        if (!more || !(names[count] = strdup(relative)))
            result = fr_fail(FR_ERROR_MEMORY, "out of memory while looking through %s/cache", run->list->dir);
        else
            count++;
    }
    if (count > 0)
        qsort(names, (size_t)count, sizeof *names, verify_text_order);
    for (int i = 0; i < count; i++) {
        verify_tell(run, names[i], FR_VERIFY_STRANGE, "is not in checksums.txt: nobody can say whether it is whole");
        free(names[i]);
    }
    free(names);
    return result;
}

fr_result fr_verify_run(fr_list *list, const fr_verify_def *def, fr_verify_report *report)
{
    verify_run run = {.list = list, .def = def, .report = report};
    char cache[FILE_PATH], trouble[80];
    *report = (fr_verify_report){0};
    if (list->count == 0 && list->torn == 0)
        return fr_fail(FR_ERROR_FILE, "there is nothing to verify with: %s/%s has no lines", list->dir, run_list_name);
    if (list->torn && (def->limit < 0 || list->torn_at < def->limit)) {
        snprintf(trouble, sizeof trouble, "is damaged: %d of its lines are not \"hash  bytes  path\"", list->torn);
        verify_tell(&run, run_list_name, FR_VERIFY_DAMAGED, trouble);
    }
    run_list_sort(list);
    for (int first = 0, end; first < list->count; first = end) {
        end = run_list_same(list, first);
        if (!def->wanted || def->wanted(def->context, list->entries[first].path))
            verify_path(&run, first, end);
    }
    DIR *folder = def->wanted || file_join(cache, list->dir, "cache") != FR_OK ? NULL : opendir(cache);
    fr_result result = FR_OK;
    if (folder) {
        result = verify_strangers(&run, folder);
        closedir(folder);
    }
    return result;
}
