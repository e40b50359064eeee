/* Durability of a run's list: syncing its files, the mark that a checkpoint stores, and rewriting the list. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "io/run_list.h"

/* Syncs the folders between a file and the run's folder, so that the file's directory entry is on disk as well. `last`
   avoids syncing the same folder twice in a row. */
static fr_result list_sync_folders(const fr_list *list, const char *path, char last[FILE_PATH])
{
    char whole[FILE_PATH];
    FR_TRY(file_join(whole, list->dir, path));
    char *slash = strrchr(whole, '/');
    *slash = 0;
    if (!strcmp(whole, last))
        return FR_OK;
    snprintf(last, FILE_PATH, "%s", whole);
    for (; strlen(whole) > strlen(list->dir); *strrchr(whole, '/') = 0)
        FR_TRY(fr_file_sync(whole));
    return FR_OK;
}

fr_result fr_list_sync(fr_list *list)
{
    char path[FILE_PATH], last[FILE_PATH] = "";
    run_list_sort(list);
    for (int i = 0; i < list->count; i++) {
        if (list->entries[i].offset < list->synced)
            continue;
        FR_TRY(file_join(path, list->dir, list->entries[i].path));
        if (access(path, F_OK) != 0)
            continue;   /* listed but never written, or removed */
        FR_TRY(fr_file_sync(path));
        FR_TRY(list_sync_folders(list, list->entries[i].path, last));
    }
    FR_TRY(file_join(path, list->dir, run_list_name));
    FR_TRY(fr_file_sync(path));
    FR_TRY(fr_file_sync(list->dir));
    list->synced = list->bytes;
    return FR_OK;
}

static fr_result list_sum(const fr_list *list, int64_t bytes, fr_list_mark *mark)
{
    char path[FILE_PATH];
    file_bytes file;
    FR_TRY(file_join(path, list->dir, run_list_name));
    FR_TRY(file_open(path, &file));
    mark->bytes = bytes < 0 || bytes > file.size ? file.size : bytes;
    bool read = checksum_of_file(&file, mark->bytes, &mark->sum);
    file_close(&file);
    return read ? FR_OK : fr_fail(FR_ERROR_FILE, "cannot read %s: %s", path, strerror(file.error));
}

fr_result fr_list_pin(fr_list *list, fr_list_mark *mark)
{
    return list_sum(list, -1, mark);
}

fr_result fr_list_hold(fr_list *list, const fr_list_mark *mark)
{
    fr_list_mark now;
    FR_TRY(list_sum(list, mark->bytes, &now));
    if (now.bytes != mark->bytes || now.sum != mark->sum)
        return fr_fail(FR_ERROR_FILE, "%s/%s is damaged: its first %" PRId64 " bytes are not those that the run wrote",
                       list->dir, run_list_name, mark->bytes);
    list->synced = mark->bytes;
    return FR_OK;
}

static int list_order_by_age(const void *a, const void *b)
{
    const list_entry *left = a, *right = b;
    return (left->offset > right->offset) - (left->offset < right->offset);
}

/* Rewrites the list with the entries for which `stays` is true, oldest first. */
static fr_result list_rewrite(fr_list *list, bool (*stays)(const fr_list *list, int index, const void *context),
                              const void *context)
{
    arena texts = {0};
    char path[FILE_PATH];
    size_t length = 1;
    int kept = 0;
    run_list_sort(list);
    for (int i = 0; i < list->count; i++)
        length += strlen(list->entries[i].path) + 64;
    list_entry *lines = ARENA_NEW(&texts, list_entry, list->count + 1);
    char *text = arena_alloc(&texts, length), *end = text;
    for (int i = 0; lines && i < list->count; i++)
        if (stays(list, i, context))
            lines[kept++] = list->entries[i];
    if (kept)
        qsort(lines, (size_t)kept, sizeof *lines, list_order_by_age);
    for (int i = 0; text && i < kept; i++)
        end += sprintf(end, "%016" PRIx64 "  %" PRId64 "  %s\n", lines[i].sum, lines[i].bytes, lines[i].path);
    fr_result result = text && lines ? file_join(path, list->dir, run_list_name) : FR_ERROR_MEMORY;
    if (result == FR_OK)
        result = fr_text_write(path, text);
    if (result == FR_OK) {
        list->count = list->sorted = list->torn = 0;
        list->bytes = list->synced = 0;
        result = run_list_read(list, text, (size_t)(end - text));
    }
    arena_free(&texts);
    return result;
}

typedef bool (*list_keep)(const char *path);

/* Keeps the last line of each path that the caller wants to keep. */
static bool list_stays(const fr_list *list, int index, const void *context)
{
    list_keep keep = *(const list_keep *)context;
    return keep(list->entries[index].path) && run_list_same(list, index) == index + 1;
}

fr_result fr_list_restart(fr_list *list, bool (*stays)(const char *path))
{
    return list_rewrite(list, list_stays, &stays);
}

static bool list_stays_always(const fr_list *list, int index, const void *context)
{
    (void)list, (void)index, (void)context;
    return true;
}

fr_result fr_list_mend(fr_list *list, const fr_list_mark *mark)
{
    if (list->torn == 0 || list->torn_at < mark->bytes)
        return FR_OK;
    FR_TRY(list_rewrite(list, list_stays_always, NULL));
    return fr_list_hold(list, mark);
}
