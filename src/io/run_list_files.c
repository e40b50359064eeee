/* Operations on the files of a run's list: add, set aside, remove. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/run_list.h"

fr_result fr_list_set_aside(fr_list *list, const char *path)
{
    char from[FILE_PATH], to[FILE_PATH];
    struct stat info;
    FR_TRY(file_join(from, list->dir, path));
    for (int n = 1; n < 10000; n++) {
        if (snprintf(to, sizeof to, "%s.kept-%d", from, n) >= FILE_PATH)
            break;
        if (lstat(to, &info) == 0)
            continue;
        if (rename(from, to) != 0)
            return fr_fail(FR_ERROR_FILE, "cannot move %s aside: %s", from, strerror(errno));
        fr_log(FR_LOG_WARNING, "%s is not as this run wrote it; it is kept as %s", from, to);
        return FR_OK;
    }
    return fr_fail(FR_ERROR_FILE, "cannot move %s aside: there is no free name for it", from);
}

/* Whether a file is empty or all zeros, as a power cut leaves it when it was not synced. Overwriting it loses
   nothing. */
static bool list_is_blank(const fr_list *list, const char *path)
{
    char whole[FILE_PATH], piece[4096];
    struct stat info;
    file_bytes bytes;
    if (file_join(whole, list->dir, path) != FR_OK || lstat(whole, &info) != 0 || !S_ISREG(info.st_mode) ||
        file_open(whole, &bytes) != FR_OK)
        return false;
    bool blank = true;
    for (int64_t at = 0; at < bytes.size && blank; at += (int64_t)sizeof piece) {
        size_t some = bytes.size - at < (int64_t)sizeof piece ? (size_t)(bytes.size - at) : sizeof piece;
        blank = file_bytes_read(&bytes, at, piece, some);
        for (size_t i = 0; i < some && blank; i++)
            blank = piece[i] == 0;
    }
    file_close(&bytes);
    return blank;
}

fr_result fr_list_admit(fr_list *list, const char *path, int64_t bytes, uint64_t sum)
{
    if (!strcmp(path, run_list_name))
        return FR_OK;
    if (run_list_leads_out(list, path))
        return fr_fail(
            FR_ERROR_FILE,
            "cannot write %s/%s: it points outside the run's folder, or a folder on its way is a link; put a folder in "
            "the link's place",
            list->dir, path);
    fr_listed there = fr_list_judge(list, path, true);
    if (there == FR_FILE_STRANGE || there == FR_FILE_CHANGED) {
        FR_TRY(run_list_catch_up(list));
        there = fr_list_judge(list, path, true);
    }
    if (there == FR_FILE_STRANGE || (there == FR_FILE_CHANGED && !list_is_blank(list, path)))
        FR_TRY(fr_list_set_aside(list, path));
    return fr_list_add(list, path, bytes, sum);
}

fr_result fr_list_remove(fr_list *list, const char *path, bool finished)
{
    char whole[FILE_PATH];
    fr_listed there = fr_list_judge(list, path, finished);
    if (there == FR_FILE_CHANGED && !list_is_blank(list, path))
        return fr_list_set_aside(list, path);
    if (there == FR_FILE_ABSENT || there == FR_FILE_STRANGE)
        return FR_OK;
    FR_TRY(file_join(whole, list->dir, path));
    if (unlink(whole) != 0 && errno != ENOENT)
        return fr_fail(FR_ERROR_FILE, "cannot remove %s: %s", whole, strerror(errno));
    for (char *slash = strrchr(whole, '/'); slash && slash > whole + strlen(list->dir); slash = strrchr(whole, '/')) {
        *slash = 0;
        if (rmdir(whole) != 0)
            break;   /* not empty */
    }
    return FR_OK;
}
