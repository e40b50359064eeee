/* File operations by descriptor and by path. */
#define _GNU_SOURCE
#include "shim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FDS = 4096 };
static int64_t open_ids[FDS];   /* each opening has its own number; 0: not watched */
static bool moves_clock[FDS];
static int64_t last_id;

/* Takes "." and ".." and doubled slashes out of an absolute path. */
static void path_flatten(char *path)
{
    char *out = path;
    for (const char *in = path; *in;) {
        size_t length = strcspn(in + 1, "/");
        if (length == 2 && !strncmp(in + 1, "..", 2)) {
            while (out > path && *--out != '/')
                ;
        } else if (length > 0 && !(length == 1 && in[1] == '.')) {
            memmove(out, in, length + 1);
            out += length + 1;
        }
        in += length + 1;
    }
    *out = 0;
}

static bool path_begin(int dir, char whole[FAULT_PATH])
{
    char link[64];
    snprintf(link, sizeof link, dir == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", dir);
    ssize_t length = readlink(link, whole, FAULT_PATH - 1);
    whole[length > 0 ? length : 0] = 0;
    return length > 0;
}

bool path_is_watched(int dir, const char *path, char whole[FAULT_PATH])
{
    const char *root = plan_root();
    size_t used = 0, length = strlen(root);
    if (plan_is_off() || !length || !path)
        return false;
    if (path[0] != '/') {
        if (!path_begin(dir, whole))
            return false;
        used = strlen(whole);
    }
    if (snprintf(whole + used, FAULT_PATH - used, "/%s", path) >= (int)(FAULT_PATH - used))
        return false;
    path_flatten(whole);
    return !strncmp(whole, root, length) && (whole[length] == '/' || !whole[length]);
}

bool file_is_watched(int fd)
{
    return !plan_is_off() && fd >= 0 && fd < FDS && open_ids[fd];
}

int file_open_watched(const char *path, int flags, mode_t mode)
{
    struct stat info;
    plan_lock();
    bool there = stat(path, &info) == 0;
    int fd = -1;
    if (plan_ask(there || !(flags & O_CREAT) ? FAULT_OPEN : FAULT_CREATE) == FAULT_PASS) {
        if (there)
            journal_put_seen(path);
        fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    }
    if (fd >= 0 && fd < FDS) {
        open_ids[fd] = ++last_id;
        moves_clock[fd] = clock_is_moved_by(path);
        journal_put(!there ? "create" : flags & O_TRUNC ? "clear" : "open", last_id, 0, path, strlen(path));
    }
    plan_unlock();
    return fd;
}

static int file_open(int dir, const char *path, int flags, mode_t mode)
{
    char whole[FAULT_PATH];
    if (path_is_watched(dir, path, whole))
        return file_open_watched(whole, flags, mode);
    int fd = (int)syscall(SYS_openat, dir, path, flags, mode);
    if (fd >= 0 && fd < FDS)
        open_ids[fd] = 0;
    return fd;
}

static int file_open_with(int dir, const char *path, int flags, va_list more)
{
    mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(more, unsigned) : 0;
    return file_open(dir, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int fd = file_open_with(AT_FDCWD, path, flags, more);
    va_end(more);
    return fd;
}

int openat(int dir, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int fd = file_open_with(dir, path, flags, more);
    va_end(more);
    return fd;
}

int creat(const char *path, mode_t mode)
{
    return file_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* Names under which the same functions are called on some builds. */
int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int dir, const char *path, int flags, ...) __attribute__((alias("openat")));
int creat64(const char *path, mode_t mode) __attribute__((alias("creat")));
int __open_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));
int __openat64_2(int dir, const char *path, int flags) __attribute__((alias("__openat_2")));

int __open_2(const char *path, int flags)
{
    return file_open(AT_FDCWD, path, flags, 0);
}

int __openat_2(int dir, const char *path, int flags)
{
    return file_open(dir, path, flags, 0);
}

DIR *opendir(const char *path)
{
    static DIR *(*plain)(const char *);
    char whole[FAULT_PATH];
    if (!plain)
        *(void **)&plain = dlsym(RTLD_NEXT, "opendir");
    bool refused = path_is_watched(AT_FDCWD, path, whole) && plan_ask(FAULT_OPEN) != FAULT_PASS;
    return refused ? NULL : plain(path);
}

ssize_t file_read_watched(int fd, void *data, size_t size)
{
    return plan_ask(FAULT_READ) == FAULT_FAIL ? -1 : syscall(SYS_read, fd, data, size);
}

ssize_t read(int fd, void *data, size_t size)
{
    return file_is_watched(fd) ? file_read_watched(fd, data, size) : syscall(SYS_read, fd, data, size);
}

ssize_t pread(int fd, void *data, size_t size, off_t place)
{
    bool refused = file_is_watched(fd) && plan_ask(FAULT_READ) == FAULT_FAIL;
    return refused ? -1 : syscall(SYS_pread64, fd, data, size, place);
}

ssize_t pread64(int fd, void *data, size_t size, off_t place) __attribute__((alias("pread")));

/* Where a write without a place of its own would go. */
static int64_t file_place(int fd)
{
    struct stat info;
    bool at_end = fcntl(fd, F_GETFL) & O_APPEND;
    return at_end ? (fstat(fd, &info) == 0 ? info.st_size : 0) : lseek(fd, 0, SEEK_CUR);
}

/* `place` −1: where the descriptor stands. */
static ssize_t file_write_at(int fd, const void *data, size_t size, int64_t place)
{
    plan_lock();
    ssize_t done = -1;
    fault_verdict verdict = plan_ask(FAULT_WRITE);
    if (verdict != FAULT_FAIL) {
        size_t part = verdict == FAULT_SHORT && size > 1 ? size / 2 : size;
        int64_t begin = place < 0 ? file_place(fd) : place;
        done = place < 0 ? syscall(SYS_write, fd, data, part) : syscall(SYS_pwrite64, fd, data, part, place);
        if (done > 0 && moves_clock[fd])
            clock_note_write();
        if (done > 0)
            journal_put("write", open_ids[fd], begin, data, (size_t)done);
    }
    plan_unlock();
    return done;
}

ssize_t file_write_watched(int fd, const void *data, size_t size)
{
    return file_write_at(fd, data, size, -1);
}

ssize_t write(int fd, const void *data, size_t size)
{
    return file_is_watched(fd) ? file_write_at(fd, data, size, -1) : syscall(SYS_write, fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t place)
{
    return file_is_watched(fd) ? file_write_at(fd, data, size, place) : syscall(SYS_pwrite64, fd, data, size, place);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t place) __attribute__((alias("pwrite")));

/* One part after the other, as a short write may end anywhere. */
ssize_t writev(int fd, const struct iovec *parts, int count)
{
    ssize_t total = 0;
    if (!file_is_watched(fd))
        return syscall(SYS_writev, fd, parts, count);
    for (int i = 0; i < count; i++) {
        ssize_t done = file_write_at(fd, parts[i].iov_base, parts[i].iov_len, -1);
        if (done < 0)
            return total > 0 ? total : -1;
        total += done;
        if ((size_t)done < parts[i].iov_len)
            break;
    }
    return total;
}

int ftruncate(int fd, off_t size)
{
    if (!file_is_watched(fd))
        return (int)syscall(SYS_ftruncate, fd, size);
    plan_lock();
    int result = plan_ask(FAULT_TRUNCATE) == FAULT_FAIL ? -1 : (int)syscall(SYS_ftruncate, fd, size);
    if (result == 0)
        journal_put("truncate", open_ids[fd], size, "", 0);
    plan_unlock();
    return result;
}

int ftruncate64(int fd, off_t size) __attribute__((alias("ftruncate")));

static int file_sync(int fd, long call)
{
    if (!file_is_watched(fd))
        return (int)syscall(call, fd);
    plan_lock();
    int result = plan_ask(FAULT_SYNC) == FAULT_FAIL ? -1 : (int)syscall(call, fd);
    if (result == 0)
        journal_put(call == SYS_syncfs ? "syncall" : "sync", open_ids[fd], 0, "", 0);
    plan_unlock();
    return result;
}

int fsync(int fd)
{
    return file_sync(fd, SYS_fsync);
}

int fdatasync(int fd)
{
    return file_sync(fd, SYS_fdatasync);
}

int syncfs(int fd)
{
    return file_sync(fd, SYS_syncfs);
}

/* A close that reports an error has closed all the same. */
int file_close_watched(int fd)
{
    plan_lock();
    bool failed = plan_ask(FAULT_CLOSE) == FAULT_FAIL;
    int error = errno, result = (int)syscall(SYS_close, fd);
    journal_put("close", open_ids[fd], 0, "", 0);
    open_ids[fd] = 0;
    plan_unlock();
    errno = failed ? error : errno;
    return failed ? -1 : result;
}

int close(int fd)
{
    return file_is_watched(fd) ? file_close_watched(fd) : (int)syscall(SYS_close, fd);
}
