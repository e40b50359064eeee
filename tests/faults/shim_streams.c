/* Streams. What the C library's streams do to their files passes nobody's hands; so a stream on a watched file is made
   of cookies here, with our own functions below it. */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STREAMS = 256 };
static struct { FILE *file; int fd; } streams[STREAMS];

static ssize_t stream_read(void *cookie, char *data, size_t size)
{
    return file_read_watched((int)(intptr_t)cookie, data, size);
}

/* Goes on after a short write, as the C library's own streams do. A cookie that gives back less has failed. */
static ssize_t stream_write(void *cookie, const char *data, size_t size)
{
    size_t sent = 0;
    while (sent < size) {
        ssize_t done = file_write_watched((int)(intptr_t)cookie, data + sent, size - sent);
        if (done < 0)
            break;
        sent += (size_t)done;
    }
    return (ssize_t)sent;
}

static int stream_seek(void *cookie, off64_t *place, int from)
{
    off_t now = lseek((int)(intptr_t)cookie, *place, from);
    if (now >= 0)
        *place = now;
    return now >= 0 ? 0 : -1;
}

static int stream_close(void *cookie)
{
    int fd = (int)(intptr_t)cookie;
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].file && streams[i].fd == fd)
            streams[i].file = NULL;
    return file_close_watched(fd);
}

static FILE *stream_on(int fd, const char *mode)
{
    FILE *file = fopencookie((void *)(intptr_t)fd, mode,
                             (cookie_io_functions_t){stream_read, stream_write, stream_seek, stream_close});
    for (int i = 0; file && i < STREAMS; i++)
        if (!streams[i].file) {
            streams[i].file = file;
            streams[i].fd = fd;
            break;
        }
    return file;
}

static int stream_flags(const char *mode)
{
    bool both = strchr(mode, '+');
    int flags = mode[0] == 'r' ? 0 : mode[0] == 'w' ? O_CREAT | O_TRUNC : O_CREAT | O_APPEND;
    flags |= both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    return flags | (strchr(mode, 'e') ? O_CLOEXEC : 0) | (strchr(mode, 'x') ? O_EXCL : 0);
}

FILE *fopen(const char *path, const char *mode)
{
    static FILE *(*plain)(const char *, const char *);
    char whole[FAULT_PATH];
    if (!plain)
        *(void **)&plain = dlsym(RTLD_NEXT, "fopen");
    if (!path_is_watched(AT_FDCWD, path, whole))
        return plain(path, mode);
    int fd = file_open_watched(whole, stream_flags(mode), 0666);
    FILE *file = fd >= 0 ? stream_on(fd, mode) : NULL;
    if (fd >= 0 && !file)
        file_close_watched(fd);
    return file;
}

FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

FILE *fdopen(int fd, const char *mode)
{
    static FILE *(*plain)(int, const char *);
    if (!plain)
        *(void **)&plain = dlsym(RTLD_NEXT, "fdopen");
    return file_is_watched(fd) ? stream_on(fd, mode) : plain(fd, mode);
}

int fileno(FILE *file)
{
    static int (*plain)(FILE *);
    if (!plain)
        *(void **)&plain = dlsym(RTLD_NEXT, "fileno");
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].file == file)
            return streams[i].fd;
    return plain(file);
}

int fileno_unlocked(FILE *file) __attribute__((alias("fileno")));
