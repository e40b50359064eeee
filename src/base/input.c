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

static bool input_fail(input_file *in, int fd, int reason)
{
    if (fd >= 0)
        close(fd);
    snprintf(in->trouble, sizeof in->trouble, "cannot be opened: %s", strerror(reason));
    return false;
}

bool input_open(const char *path, input_file *in)
{
    struct stat info;
    *in = (input_file){0};
    /* not blocking: a pipe without a writer; no terminal of ours: a device may be one */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0)
        return input_fail(in, fd, errno);
    const char *trouble = input_kind_trouble(info.st_mode);
    if (trouble) {
        close(fd);
        snprintf(in->trouble, sizeof in->trouble, "%s", trouble);
        return false;
    }
    in->bytes = (int64_t)info.st_size;
    in->stream = fdopen(fd, "rb");
    return in->stream || input_fail(in, fd, errno);
}
