/* The list of a run's files: DIR/checksums.txt, an append-only list of lines "hash  bytes  path". A file's line is
   added before the file is renamed to its path. So whenever the program is killed, every file of the run is listed,
   with its current or its previous content. An incomplete last line, left by a crash, is ignored. */
#define _DEFAULT_SOURCE
#include "io/run_list.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"

const char run_list_name[] = "checksums.txt";

/* "hash  bytes  path"; the path extends to the end of the line. */
static bool list_parse(const char *line, list_entry *entry)
{
    char *end;
    if (strspn(line, "0123456789abcdef") != 16 || strncmp(line + 16, "  ", 2) != 0)
        return false;
    entry->sum = strtoull(line, NULL, 16);
    if (line[18] < '0' || line[18] > '9')
        return false;
    errno = 0;
    entry->bytes = strtoll(line + 18, &end, 10);
    if (errno || strncmp(end, "  ", 2) != 0 || !end[2])
        return false;
    entry->path = end + 2;
    return true;
}

static fr_result list_remember(fr_list *list, const list_entry *entry)
{
    if (list->count == list->capacity) {
        int capacity = 2 * list->capacity + 64;
        list_entry *more = realloc(list->entries, (size_t)capacity * sizeof *more);
        if (!more)
            return fr_fail(FR_ERROR_MEMORY, "out of memory: the list of %s has %d lines", list->dir, list->count);
        list->entries = more;
        list->capacity = capacity;
    }
    list->entries[list->count] = *entry;
    list->entries[list->count].path = arena_strdup(&list->texts, entry->path);
    if (!list->entries[list->count].path)
        return FR_ERROR_MEMORY;
    list->count++;
    return FR_OK;
}

/* Rejects paths that leave the run's folder or are not normalised, and those of the lock and of drafts: the list may
   come from someone else. */
static bool list_stays_inside(const char *path)
{
    enum { PATH_MOST = 1000 };
    if (strlen(path) > PATH_MOST)
        return false;
    for (const char *part = path, *end; part; part = *end ? end + 1 : NULL) {
        end = part + strcspn(part, "/");
        bool dots = end - part <= 2 && (size_t)(end - part) == strspn(part, ".");   /* "", "." and ".." */
        if (dots || !strncmp(part, ".freshet-", 9))
            return false;
    }
    return true;
}

fr_result run_list_read(fr_list *list, char *text, size_t length)
{
    for (char *line = text, *end; (end = memchr(line, '\n', length - (size_t)(line - text))); line = end + 1) {
        list_entry entry = {.offset = line - text};
        *end = 0;
        if (strlen(line) == (size_t)(end - line) && list_parse(line, &entry) && list_stays_inside(entry.path))
            FR_TRY(list_remember(list, &entry));
        else if (list->torn++ == 0)
            list->torn_at = line - text;
        list->bytes = end + 1 - text;
    }
    return FR_OK;
}

static fr_result list_load(fr_list *list)
{
    char path[FILE_PATH], *text;
    size_t length;
    FR_TRY(file_join(path, list->dir, run_list_name));
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return FR_OK;
    FR_TRY(fr_text_read(path, FILE_TABLE_MOST, &text, &length));
    fr_result result = run_list_read(list, text, length);
    free(text);
    return result;
}

fr_result run_list_catch_up(fr_list *list)
{
    char path[FILE_PATH];
    struct stat info;
    FR_TRY(file_join(path, list->dir, run_list_name));
    if (stat(path, &info) != 0 || info.st_size == list->bytes)
        return FR_OK;
    list->count = list->sorted = list->torn = 0;
    list->bytes = 0;
    return list_load(list);
}

fr_result fr_list_open(const char *dir, fr_list **out)
{
    *out = NULL;
    fr_list *list = calloc(1, sizeof *list);
    if (!list)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for the list of %s", dir);
    fr_result result = FR_OK;
    if (snprintf(list->dir, sizeof list->dir, "%s", dir) >= FILE_PATH)
        result = fr_fail(FR_ERROR_FILE, "the path %.60s… is too long: choose a shorter folder", dir);
    if (result == FR_OK)
        result = list_load(list);
    if (result == FR_OK)
        *out = list;
    else
        fr_list_close(list);
    return result;
}

void fr_list_close(fr_list *list)
{
    if (!list)
        return;
    arena_free(&list->texts);
    free(list->entries);
    free(list);
}

static int list_order(const void *a, const void *b)
{
    const list_entry *left = a, *right = b;
    int order = strcmp(left->path, right->path);
    return order ? order : (left->offset > right->offset) - (left->offset < right->offset);
}

void run_list_sort(fr_list *list)
{
    if (list->sorted < list->count)
        qsort(list->entries, (size_t)list->count, sizeof *list->entries, list_order);
    list->sorted = list->count;
}

int run_list_same(const fr_list *list, int first)
{
    int end = first + 1;
    while (end < list->count && !strcmp(list->entries[end].path, list->entries[first].path))
        end++;
    return end;
}

/* Only these files are listed as empty first and grow later; any content of theirs counts as the run's. The names are
   fixed because the list may come from someone else. */
static bool list_may_grow(const char *path)
{
    static const char *const names[] = {"log.txt", "ledger.csv", "probes.csv", "obstacles.csv", "bodies.csv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(path, names[i]))
            return true;
    return false;
}

bool run_list_grows(const fr_list *list, int first, int end)
{
    for (int i = first; i < end && list_may_grow(list->entries[first].path); i++)
        if (list->entries[i].bytes == 0)
            return true;
    return false;
}

/* The first entry of a path, or −1. */
static int list_find(fr_list *list, const char *path)
{
    run_list_sort(list);
    int low = 0, high = list->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(list->entries[middle].path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && !strcmp(list->entries[low].path, path) ? low : -1;
}

int fr_list_count(fr_list *list)
{
    run_list_sort(list);
    return list->count;
}

const char *fr_list_path(const fr_list *list, int index)
{
    bool again = index > 0 && !strcmp(list->entries[index].path, list->entries[index - 1].path);
    return again ? NULL : list->entries[index].path;
}

bool fr_list_has(fr_list *list, const char *path, int64_t *bytes, uint64_t *sum)
{
    int first = list_find(list, path);
    if (first < 0)
        return false;
    const list_entry *last = &list->entries[run_list_same(list, first) - 1];
    *bytes = last->bytes;
    *sum = last->sum;
    return true;
}

void fr_list_had(fr_list *list, const char *path, int64_t limit, int64_t *bytes, uint64_t *sum)
{
    *bytes = 0;
    *sum = checksum_of("", 0);
    int first = list_find(list, path);
    for (int i = first, end = first < 0 ? first : run_list_same(list, first); i < end; i++)
        if (list->entries[i].offset < limit) {
            *bytes = list->entries[i].bytes;
            *sum = list->entries[i].sum;
        }
}

bool run_list_leads_out(const fr_list *list, const char *path)
{
    char whole[FILE_PATH];
    struct stat info;
    bool link = false;
    if (!list_stays_inside(path) || file_join(whole, list->dir, path) != FR_OK)
        return true;
    for (char *slash = strchr(whole + strlen(list->dir) + 1, '/'); slash && !link; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        link = lstat(whole, &info) == 0 && S_ISLNK(info.st_mode);
        *slash = '/';
    }
    return link;
}

list_match run_list_compare(const fr_list *list, const list_entry *entry)
{
    char path[FILE_PATH];
    struct stat info;
    file_bytes bytes;
    uint64_t sum;
    if (file_join(path, list->dir, entry->path) != FR_OK || run_list_leads_out(list, entry->path))
        return LIST_UNREADABLE;
    if (lstat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR ? LIST_MISSING : LIST_UNREADABLE;
    if (!S_ISREG(info.st_mode) || file_open(path, &bytes) != FR_OK)
        return LIST_UNREADABLE;
    list_match match = bytes.size < entry->bytes ? LIST_DIFFERENT : bytes.size > entry->bytes ? LIST_LONGER : LIST_SAME;
    if (match != LIST_DIFFERENT && !checksum_of_file(&bytes, entry->bytes, &sum))
        match = LIST_UNREADABLE;
    else if (match != LIST_DIFFERENT && sum != entry->sum)
        match = LIST_DIFFERENT;
    file_close(&bytes);
    return match;
}

fr_listed fr_list_judge(fr_list *list, const char *path, bool finished)
{
    char whole[FILE_PATH];
    struct stat info;
    if (file_join(whole, list->dir, path) != FR_OK || lstat(whole, &info) != 0)
        return FR_FILE_ABSENT;
    int first = list_find(list, path), end = first < 0 ? -1 : run_list_same(list, first);
    if (first < 0 || run_list_leads_out(list, path))
        return FR_FILE_STRANGE;
    if (run_list_grows(list, first, end)) {
        list_match match = run_list_compare(list, &list->entries[end - 1]);
        bool announced = list->entries[end - 1].bytes == 0;   /* its content was never listed */
        return match == LIST_SAME || (match == LIST_LONGER && (announced || !finished)) ? FR_FILE_OURS
                                                                                        : FR_FILE_CHANGED;
    }
    for (int i = end - 1; i >= first; i--)
        if (run_list_compare(list, &list->entries[i]) == LIST_SAME)
            return FR_FILE_OURS;
    return FR_FILE_CHANGED;
}

/* Appends the line. Lines that another process (render during a run) has added meanwhile are kept. */
static fr_result list_append(fr_list *list, const char *line)
{
    char path[FILE_PATH];
    FR_TRY(file_join(path, list->dir, run_list_name));
    int lock = open(list->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0)
        flock(lock, LOCK_EX);   /* best effort: some file systems cannot lock folders */
    fr_result result = fr_text_append(path, NULL, line);
    if (lock >= 0)
        close(lock);
    if (result == FR_OK && list->eager)
        result = fr_file_sync(path);
    if (result == FR_OK && list->eager && !list->named) {
        result = fr_file_sync(list->dir);
        list->named = result == FR_OK;
    }
    return result;
}

void fr_list_set_eager(fr_list *list, bool eager)
{
    list->eager = eager;
}

fr_result fr_list_add(fr_list *list, const char *path, int64_t bytes, uint64_t sum)
{
    char line[FILE_PATH + 64];
    const list_entry entry = {.path = path, .sum = sum, .bytes = bytes, .offset = list->bytes};
    if (strchr(path, '\n') || !*path || !list_stays_inside(path))
        return fr_fail(
            FR_ERROR_INPUT,
            "a file cannot be recorded in %s: its name is empty, has a line break or points outside the folder",
            run_list_name);
    int length = snprintf(line, sizeof line, "%016" PRIx64 "  %" PRId64 "  %s\n", sum, bytes, path);
    FR_TRY(list_append(list, line));
    list->bytes += length;
    return list_remember(list, &entry);
}

fr_result fr_list_add_file(fr_list *list, const char *path)
{
    char whole[FILE_PATH];
    int64_t bytes;
    uint64_t sum;
    FR_TRY(file_join(whole, list->dir, path));
    FR_TRY(fr_file_sum(whole, &bytes, &sum));
    return fr_list_add(list, path, bytes, sum);
}
