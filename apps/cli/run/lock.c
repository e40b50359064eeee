/* The lock of a run's folder: the holder of .freshet-lock may write. The file contains its process id. */
#define _DEFAULT_SOURCE
#include "run/folder.h"
#include "kit/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lock_name[] = ".freshet-lock";

/* Length of the longest existing part of a path. */
static size_t lock_existing(const char *dir)
{
    struct stat info;
    run_path part;
    snprintf(part.text, sizeof part.text, "%s", dir);
    while (lstat(part.text, &info) != 0) {
        char *slash = strrchr(part.text, '/');
        if (!slash)
            return 0;
        *slash = 0;
    }
    return strlen(part.text);
}

static fr_result lock_refused(const run_folder *folder, int fd)
{
    char text[32] = "";
    ssize_t got = pread(fd, text, sizeof text - 1, 0);
    long pid = got > 0 ? strtol(text, NULL, 10) : 0;
    if (pid > 0)
        return fr_fail(FR_ERROR_FILE,
                       "another freshet (process %ld) is writing into %s; wait for it or choose another folder", pid,
                       folder->dir);
    return fr_fail(FR_ERROR_FILE, "another freshet is writing into %s; wait for it or choose another folder",
                   folder->dir);
}

/* Whether the open file still has that name: its previous holder may have removed it meanwhile. */
static bool lock_is_current(int fd, const char *path)
{
    struct stat open_one, named;
    return fstat(fd, &open_one) == 0 && stat(path, &named) == 0 && open_one.st_ino == named.st_ino &&
           open_one.st_dev == named.st_dev;
}

static fr_result lock_take(run_folder *folder)
{
    run_path path = run_folder_path(folder, "%s", lock_name);
    for (;;) {
        int fd = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (fd < 0)
            return fr_fail(FR_ERROR_FILE, "cannot write into %s: %s; choose another folder with -o", folder->dir,
                           strerror(errno));
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            fr_result result =
                errno == EWOULDBLOCK
                    ? lock_refused(folder, fd)
                    : fr_fail(FR_ERROR_FILE, "cannot lock %s: %s; choose a folder on another file system", path.text,
                              strerror(errno));
            close(fd);
            return result;
        }
        if (lock_is_current(fd, path.text)) {
            folder->lock = fd;
            folder->locked = true;
            return FR_OK;
        }
        close(fd);
    }
}

fr_result run_folder_lock(run_folder *folder)
{
    char pid[32];
    folder->existed = lock_existing(folder->dir);
    FR_TRY(fr_make_folder(folder->dir));
    FR_TRY(lock_take(folder));
    int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    if (ftruncate(folder->lock, 0) != 0 || pwrite(folder->lock, pid, (size_t)length, 0) != length)
        return fr_fail(FR_ERROR_FILE, "cannot write into %s: %s", folder->dir, strerror(errno));
    return fr_list_open(folder->dir, &folder->list);
}

fr_result run_folder_settle(const run_folder *folder)
{
    run_path part;
    snprintf(part.text, sizeof part.text, "%s", folder->dir);
    while (strlen(part.text) > folder->existed) {
        char *slash = strrchr(part.text, '/');
        if (slash)
            slash[slash == part.text] = 0;
        FR_TRY(fr_file_sync(slash ? part.text : "."));
        if (!slash || slash == part.text)
            break;
    }
    return FR_OK;
}

/* Removes folders that were created for a run that did not begin, if they are empty. */
static void lock_unmake(run_folder *folder)
{
    while (strlen(folder->dir) > folder->existed && rmdir(folder->dir) == 0) {
        char *slash = strrchr(folder->dir, '/');
        if (!slash)
            return;
        *slash = 0;
    }
}

void run_folder_close(run_folder *folder)
{
    say_set_log(NULL);
    fr_set_file_guard(NULL, NULL);
    if (folder->log)
        fclose(folder->log);
    fr_list_close(folder->list);
    if (folder->locked) {
        unlink(run_folder_path(folder, "%s", lock_name).text);
        close(folder->lock);
    }
    lock_unmake(folder);
    *folder = (run_folder){.locked = false};
}
