/* Checksums of a run's files. DIR/checksums.txt has lines "hash  bytes  path", only ever added to: the last line
   of a path counts, and half a line that a crash left at the end is no line. */
#define _POSIX_C_SOURCE 200809L
#include <freshet/io.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/checksum.h"

static const char verify_list[] = "checksums.txt";

typedef struct verify_entry {
    const char *path;
    uint64_t sum;
    int64_t bytes;
    int line;
} verify_entry;

typedef struct verify_run {
    const char *dir;
    char *text;
    verify_entry *entries;   /* sorted by path, one each */
    int count;
    fr_verify_sink sink;
    void *context;
    fr_verify_report *report;
} verify_run;

fr_result fr_verify_record(const char *dir, const char *relative_path)
{
    char path[FILE_PATH], list[FILE_PATH], line[FILE_PATH + 64];
    file_bytes bytes;
    uint64_t sum;
    if (strchr(relative_path, '\n') || !*relative_path)
        return fr_fail(FR_ERROR_INPUT, "a file cannot be recorded in %s: its name is empty or has a line break",
                       verify_list);
    FR_TRY(file_join(path, dir, relative_path));
    FR_TRY(file_join(list, dir, verify_list));
    FR_TRY(file_open(path, &bytes));
    bool read = checksum_of_file(&bytes, bytes.size, &sum);
    file_close(&bytes);
    if (!read)
        return fr_fail(FR_ERROR_FILE, "cannot read %s: %s", path, strerror(bytes.error));
    snprintf(line, sizeof line, "%016" PRIx64 "  %" PRId64 "  %s\n", sum, bytes.size, relative_path);
    return file_append_line(list, NULL, line);
}

static void verify_tell(verify_run *run, const char *path, const char *trouble)
{
    if (run->sink)
        run->sink(run->context, path, trouble);
}

/* "hash  bytes  path", the path to the end of the line. */
static bool verify_parse(char *line, verify_entry *entry)
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

static int verify_order(const void *a, const void *b)
{
    const verify_entry *left = a, *right = b;
    int order = strcmp(left->path, right->path);
    return order ? order : (left->line > right->line) - (left->line < right->line);
}

static int verify_find(const void *path, const void *entry)
{
    return strcmp(path, ((const verify_entry *)entry)->path);
}

static void verify_keep_last(verify_run *run)
{
    int kept = 0;
    qsort(run->entries, (size_t)run->count, sizeof *run->entries, verify_order);
    for (int i = 0; i < run->count; i++)
        if (i + 1 == run->count || strcmp(run->entries[i].path, run->entries[i + 1].path) != 0)
            run->entries[kept++] = run->entries[i];
    run->count = kept;
}

static fr_result verify_load(verify_run *run)
{
    char path[FILE_PATH], trouble[80];
    size_t length, lines = 0;
    FR_TRY(file_join(path, run->dir, verify_list));
    if (file_read_text(path, &run->text, &length) != FR_OK)
        return fr_fail(FR_ERROR_FILE, "there is nothing to verify with: %.1500s", fr_error_message());
    for (size_t i = 0; i < length; i++)
        lines += run->text[i] == '\n';
    run->entries = calloc(lines + 1, sizeof *run->entries);
    if (!run->entries)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: %s has %zu lines", path, lines);
    char *line = run->text;
    for (int number = 1; number <= (int)lines; number++) {
        char *end = memchr(line, '\n', length - (size_t)(line - run->text));
        *end = 0;
        run->entries[run->count].line = number;
        if (strlen(line) == (size_t)(end - line) && verify_parse(line, &run->entries[run->count])) {
            run->count++;
        } else {
            snprintf(trouble, sizeof trouble, "is damaged: line %d is not \"hash  bytes  path\"", number);
            verify_tell(run, verify_list, trouble);
            run->report->damaged++;
        }
        line = end + 1;
    }
    verify_keep_last(run);
    return FR_OK;
}

static void verify_damaged(verify_run *run, const verify_entry *entry, const char *trouble)
{
    run->report->damaged++;
    verify_tell(run, entry->path, trouble);
}

static void verify_entry_check(verify_run *run, const verify_entry *entry)
{
    char path[FILE_PATH], trouble[256];
    file_bytes bytes;
    uint64_t sum;
    run->report->files++;
    if (file_join(path, run->dir, entry->path) == FR_OK && access(path, F_OK) != 0
        && (errno == ENOENT || errno == ENOTDIR)) {
        run->report->missing++;
        verify_tell(run, entry->path, "is missing");
        return;
    }
    if (file_join(path, run->dir, entry->path) != FR_OK || file_open(path, &bytes) != FR_OK) {
        verify_damaged(run, entry, fr_error_message());
        return;
    }
    bool read = checksum_of_file(&bytes, bytes.size, &sum);
    file_close(&bytes);
    snprintf(trouble, sizeof trouble, "cannot be read: %s", strerror(bytes.error));
    if (read && bytes.size != entry->bytes)
        snprintf(trouble, sizeof trouble, "is damaged: it has %" PRId64 " bytes, %" PRId64 " were written",
                 bytes.size, entry->bytes);
    else if (read && sum != entry->sum)
        snprintf(trouble, sizeof trouble, "is damaged: its checksum does not match");
    else if (read)
        return;
    verify_damaged(run, entry, trouble);
}

static int verify_text_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in the cache folder that the list does not have, sorted; drafts that a crash left do not count. */
static fr_result verify_strangers(verify_run *run, DIR *folder)
{
    char **names = NULL, relative[FILE_PATH];
    int count = 0;
    fr_result result = FR_OK;
    for (struct dirent *item; result == FR_OK && (item = readdir(folder));) {
        size_t length = strlen(item->d_name);
        bool draft = length > 4 && strcmp(item->d_name + length - 4, ".tmp") == 0;
        if (item->d_name[0] == '.' || draft || file_join(relative, "cache", item->d_name) != FR_OK
            || bsearch(relative, run->entries, (size_t)run->count, sizeof *run->entries, verify_find))
            continue;
        char **more = realloc(names, ((size_t)count + 1) * sizeof *names);
        names = more ? more : names;
        if (!more || !(names[count] = strdup(relative)))
            result = fr_fail(FR_ERROR_MEMORY, "out of memory while looking through %s/cache", run->dir);
        else
            count++;
    }
    if (count > 0)
        qsort(names, (size_t)count, sizeof *names, verify_text_order);
    for (int i = 0; i < count; i++) {
        verify_tell(run, names[i], "is not in checksums.txt: nobody can say whether it is whole");
        free(names[i]);
    }
    free(names);
    return result;
}

fr_result fr_verify_run(const char *dir, fr_verify_sink sink, void *context, fr_verify_report *report)
{
    verify_run run = {.dir = dir, .sink = sink, .context = context, .report = report};
    char cache[FILE_PATH];
    *report = (fr_verify_report){0};
    fr_result result = verify_load(&run);
    for (int i = 0; result == FR_OK && i < run.count; i++)
        verify_entry_check(&run, &run.entries[i]);
    DIR *folder = result == FR_OK && file_join(cache, dir, "cache") == FR_OK ? opendir(cache) : NULL;
    if (folder) {
        result = verify_strangers(&run, folder);
        closedir(folder);
    }
    free(run.entries);
    free(run.text);
    return result;
}
