#define _POSIX_C_SOURCE 200809L
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *input_kind_trouble(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "is a folder"
           : S_ISFIFO(mode) ? "is a pipe, not a regular file"
           : S_ISSOCK(mode) ? "is a socket, not a regular file"
                            : "is a device, not a regular file";
}

static int input_fail(char trouble[INPUT_TROUBLE], int fd, const char *why, const char *reason)
{
    if (fd >= 0)
        close(fd);
    snprintf(trouble, INPUT_TROUBLE, "%s%s", why, reason);
    return -1;
}

int input_descriptor(const char *path, int64_t *bytes, char trouble[INPUT_TROUBLE])
{
    struct stat info;
    /* O_NONBLOCK: a pipe without a writer would block. O_NOCTTY: a terminal must not become the controlling one. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0)
        return input_fail(trouble, fd, "cannot be opened: ", strerror(errno));
    const char *kind = input_kind_trouble(info.st_mode);
    if (kind)
        return input_fail(trouble, fd, kind, "");
    *bytes = (int64_t)info.st_size;
    return fd;
}

bool input_open(const char *path, input_file *in)
{
    *in = (input_file){0};
    int fd = input_descriptor(path, &in->bytes, in->trouble);
    if (fd < 0)
        return false;
    in->stream = fdopen(fd, "rb");
    if (!in->stream)
        input_fail(in->trouble, fd, "cannot be opened: ", strerror(errno));
    return in->stream;
}
