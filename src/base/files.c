#define _GNU_SOURCE
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freshet/io.h>

#include "base/checksum.h"
#include "base/input.h"

static fr_file_guard file_guard;
static void *file_guard_context;

void fr_set_file_guard(fr_file_guard guard, void *context)
{
    file_guard = guard;
    file_guard_context = context;
}

fr_result file_join(char path[FILE_PATH], const char *folder, const char *name)
{
    if (snprintf(path, FILE_PATH, "%s/%s", folder, name) >= FILE_PATH)
        return fr_fail(FR_ERROR_FILE, "the path %.60s…/%.60s is too long: choose a shorter folder", folder, name);
    return FR_OK;
}

static fr_result file_make_one(const char *path)
{
    struct stat info;
    if (mkdir(path, 0777) == 0)
        return FR_OK;
    int reason = errno;
    if (stat(path, &info) == 0)
        return S_ISDIR(info.st_mode) ? FR_OK
            : fr_fail(FR_ERROR_FILE, "cannot make the folder %s: a file of that name is there", path);
    return fr_fail(FR_ERROR_FILE, "cannot make the folder %s: %s", path, strerror(reason));
}

fr_result fr_make_folder(const char *path)
{
    char part[FILE_PATH];
    if (!*path || snprintf(part, sizeof part, "%s", path) >= FILE_PATH)
        return fr_fail(FR_ERROR_FILE, "cannot make a folder: its path is %s", *path ? "too long" : "empty");
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        FR_TRY(file_make_one(part));
        *slash = '/';
    }
    return file_make_one(part);
}

void file_bytes_write(file_bytes *bytes, int64_t offset, const void *data, size_t count)
{
    const char *next = data;
    while (count > 0 && !bytes->error) {
        ssize_t done = pwrite(bytes->fd, next, count, (off_t)offset);
        if (done <= 0) {
            if (done == 0 || errno != EINTR)
                bytes->error = done == 0 ? EIO : errno;
            continue;
        }
        next += done;
        offset += done;
        count -= (size_t)done;
        bytes->size = offset > bytes->size ? offset : bytes->size;
    }
}

bool file_bytes_read(file_bytes *bytes, int64_t offset, void *data, size_t count)
{
    char *next = data;
    while (count > 0) {
        ssize_t done = pread(bytes->fd, next, count, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            bytes->error = bytes->error ? bytes->error : errno;
            return false;
        }
        if (done == 0) {
            memset(next, 0, count);
            return true;
        }
        next += done;
        offset += done;
        count -= (size_t)done;
    }
    return true;
}

static void file_bytes_resize(file_bytes *bytes, int64_t size)
{
    if (bytes->error)
        return;
    if (ftruncate(bytes->fd, (off_t)size) == 0)
        bytes->size = size;
    else
        bytes->error = errno;
}

fr_result file_begin(file_draft *draft, const char *path)
{
    draft->bytes = (file_bytes){.fd = -1};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int length = snprintf(draft->path, FILE_PATH, "%s", path);
    if (length >= FILE_PATH ||
        snprintf(draft->temporary, FILE_PATH, "%.*s" FILE_DRAFT_MARK "%s", (int)(name - path), path, name) >= FILE_PATH)
        return fr_fail(FR_ERROR_FILE, "cannot write %.80s…: the path is too long", path);
    unlink(draft->temporary); /* a draft that an earlier crash left behind */
    draft->bytes.fd = open(draft->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (draft->bytes.fd < 0)
        return fr_fail(FR_ERROR_FILE, "cannot write %s: %s", path, strerror(errno));
    return FR_OK;
}

void file_put(file_draft *draft, const void *data, size_t count)
{
    file_bytes_write(&draft->bytes, draft->bytes.size, data, count);
}

void file_measure(file_draft *draft)
{
    struct stat info;
    if (fstat(draft->bytes.fd, &info) == 0)
        draft->bytes.size = (int64_t)info.st_size;
    else
        draft->bytes.error = errno;
}

static int file_sync_path(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno;
    /* some file systems cannot sync folders and return EINVAL */
    int error = fsync(fd) != 0 && errno != EINVAL ? errno : 0;
    close(fd);
    return error;
}

fr_result fr_file_sync(const char *path)
{
    int error = file_sync_path(path);
    return error ? fr_fail(FR_ERROR_FILE, "cannot sync %s to the disk: %s", path, strerror(error)) : FR_OK;
}

/* Without this a power cut may undo the rename. */
static int file_sync_folder_of(const char *path)
{
    char folder[FILE_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    return file_sync_path(slash ? folder : ".");
}

/* Starts writing to disk in the background, so that a later sync (for a checkpoint) waits for less. */
static void file_start_writing(const file_bytes *bytes)
{
#ifdef SYNC_FILE_RANGE_WRITE
    sync_file_range(bytes->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)bytes;
#endif
}

/* Asks the guard whether the draft may replace the file. */
static fr_result file_ask_guard(file_draft *draft)
{
    uint64_t sum;
    if (!file_guard || draft->bytes.error)
        return FR_OK;
    if (!checksum_of_file(&draft->bytes, draft->bytes.size, &sum))
        return FR_OK; /* file_commit reports bytes.error */
    return file_guard(file_guard_context, draft->path, draft->bytes.size, sum);
}

fr_result file_commit(file_draft *draft, bool sync)
{
    file_bytes *bytes = &draft->bytes;
    fr_result allowed = file_ask_guard(draft);
    if (allowed != FR_OK) {
        file_abandon(draft);
        return allowed;
    }
    if (!sync)
        file_start_writing(bytes);
    else if (!bytes->error && fsync(bytes->fd) != 0)
        bytes->error = errno;
    if (close(bytes->fd) != 0 && !bytes->error)
        bytes->error = errno;
    bytes->fd = -1;
    if (!bytes->error && rename(draft->temporary, draft->path) != 0)
        bytes->error = errno;
    if (bytes->error)
        unlink(draft->temporary);
    else if (sync)
        bytes->error = file_sync_folder_of(draft->path);
    if (bytes->error == ENOMEM)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room to write %s", draft->path);
    if (bytes->error)
        return fr_fail(FR_ERROR_FILE, "cannot write %s: %s", draft->path, strerror(bytes->error));
    return FR_OK;
}

void file_abandon(file_draft *draft)
{
    if (draft->bytes.fd < 0)
        return;
    close(draft->bytes.fd);
    draft->bytes.fd = -1;
    unlink(draft->temporary);
}

fr_result file_open(const char *path, file_bytes *bytes)
{
    char trouble[INPUT_TROUBLE];
    *bytes = (file_bytes){.fd = -1};
    bytes->fd = input_descriptor(path, &bytes->size, trouble);
    return bytes->fd < 0 ? fr_fail(FR_ERROR_FILE, "cannot read %s: it %s", path, trouble) : FR_OK;
}

void file_close(file_bytes *bytes)
{
    if (bytes->fd >= 0)
        close(bytes->fd);
    bytes->fd = -1;
}

fr_result fr_text_read(const char *path, int64_t most, char **text, size_t *length)
{
    file_bytes bytes;
    *text = NULL;
    FR_TRY(file_open(path, &bytes));
    if (bytes.size > most) {
        file_close(&bytes);
        return fr_fail(FR_ERROR_FILE, "%s has %lld bytes, more than the %lld that such a file may have", path,
                       (long long)bytes.size, (long long)most);
    }
    size_t size = (size_t)bytes.size;
    *text = malloc(size + 1);
    bool read = *text && file_bytes_read(&bytes, 0, *text, size);
    file_close(&bytes);
    if (!read) {
        bool memory = !*text;
        free(*text);
        *text = NULL;
        return memory ? fr_fail(FR_ERROR_MEMORY, "out of memory: %s has %zu bytes", path, size)
            : fr_fail(FR_ERROR_FILE, "cannot read %s: %s", path, strerror(bytes.error));
    }
    (*text)[size] = 0;
    *length = size;
    return FR_OK;
}

/* The offset just behind the last complete line. */
static int64_t file_last_line_end(file_bytes *bytes)
{
    char piece[4096];
    for (int64_t end = bytes->size; end > 0;) {
        int64_t begin = end > (int64_t)sizeof piece ? end - (int64_t)sizeof piece : 0;
        if (!file_bytes_read(bytes, begin, piece, (size_t)(end - begin)))
            return bytes->size;
        for (int64_t i = end - begin; i > 0; i--)
            if (piece[i - 1] == '\n')
                return begin + i;
        end = begin;
    }
    return 0;
}

/* Opens a text file for appending; creates it when the guard allows. Symbolic links are not followed: they may lead
   out of the folder. */
static fr_result file_open_to_append(const char *path, file_bytes *bytes)
{
    struct stat info;
    const int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW;
    *bytes = (file_bytes){.fd = open(path, flags)};
    if (bytes->fd < 0 && errno == ENOENT) {
        if (file_guard)
            FR_TRY(file_guard(file_guard_context, path, 0, checksum_of("", 0)));
        bytes->fd = open(path, flags | O_CREAT, 0666);
    }
    if (bytes->fd < 0 || fstat(bytes->fd, &info) != 0) {
        int reason = errno;
        file_close(bytes);
        return fr_fail(FR_ERROR_FILE, "cannot write %s: %s", path, strerror(reason));
    }
    if (!S_ISREG(info.st_mode)) {
        file_close(bytes);
        return fr_fail(FR_ERROR_FILE, "cannot write %s: it is not a regular file", path);
    }
    bytes->size = (int64_t)info.st_size;
    return FR_OK;
}

fr_result fr_text_append(const char *path, const char *header, const char *lines)
{
    file_bytes bytes;
    FR_TRY(file_open_to_append(path, &bytes));
    int64_t end = file_last_line_end(&bytes);
    if (end < bytes.size)
        file_bytes_resize(&bytes, end);
    if (end == 0 && header)
        file_bytes_write(&bytes, 0, header, strlen(header));
    file_bytes_write(&bytes, bytes.size, lines, strlen(lines));
    if (bytes.error && ftruncate(bytes.fd, (off_t)end) != 0)
        fr_log(FR_LOG_WARNING, "%s may end in half a line", path);
    if (close(bytes.fd) != 0 && !bytes.error)
        bytes.error = errno;
    if (bytes.error)
        return fr_fail(FR_ERROR_FILE, "cannot write %s: %s", path, strerror(bytes.error));
    return FR_OK;
}

fr_result fr_text_write(const char *path, const char *text)
{
    file_draft draft;
    FR_TRY(file_begin(&draft, path));
    file_put(&draft, text, strlen(text));
    return file_commit(&draft, true);
}

fr_result fr_file_sum(const char *path, int64_t *bytes, uint64_t *sum)
{
    file_bytes file;
    FR_TRY(file_open(path, &file));
    *bytes = file.size;
    bool read = checksum_of_file(&file, file.size, sum);
    file_close(&file);
    return read ? FR_OK : fr_fail(FR_ERROR_FILE, "cannot read %s: %s", path, strerror(file.error));
}

static fr_result file_copy_bytes(file_bytes *from, file_draft *to)
{
    char piece[64 << 10];
    for (int64_t at = 0; at < from->size; at += (int64_t)sizeof piece) {
        size_t some = from->size - at < (int64_t)sizeof piece ? (size_t)(from->size - at) : sizeof piece;
        if (!file_bytes_read(from, at, piece, some))
            return fr_fail(FR_ERROR_FILE, "cannot copy to %s: %s", to->path, strerror(from->error));
        file_put(to, piece, some);
    }
    return FR_OK;
}

fr_result fr_file_copy(const char *from, const char *to, int64_t most)
{
    file_bytes source;
    file_draft draft;
    FR_TRY(file_open(from, &source));
    fr_result result = source.size <= most ? file_begin(&draft, to)
                                           : fr_fail(FR_ERROR_FILE, "%s has %lld bytes; at most %lld are copied", from,
                                                     (long long)source.size, (long long)most);
    if (result != FR_OK) {
        file_close(&source);
        return result;
    }
    result = file_copy_bytes(&source, &draft);
    file_close(&source);
    if (result == FR_OK)
        return file_commit(&draft, false);
    file_abandon(&draft);
    return result;
}

fr_result fr_file_cut(const char *path, int64_t bytes)
{
    file_bytes file;
    FR_TRY(file_open_to_append(path, &file));
    if (file.size > bytes)
        file_bytes_resize(&file, bytes);
    file_close(&file);
    return file.error ? fr_fail(FR_ERROR_FILE, "cannot shorten %s: %s", path, strerror(file.error)) : FR_OK;
}
