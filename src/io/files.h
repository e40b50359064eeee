/* Folders and the one way to write a file: a draft under a temporary name in the same folder, renamed when it is
   whole. Whatever goes wrong before that leaves the earlier file as it was and no draft behind. */
#ifndef FR_IO_FILES_H
#define FR_IO_FILES_H

#include <freshet/base.h>

enum { FILE_PATH = 4096 };

/* An open file as bytes at offsets. The first error sticks: later writes do nothing, and whoever wrote asks once,
   at the end. */
typedef struct file_bytes {
    int fd;
    int64_t size;
    int error;           /* errno of the first failure, 0 without one */
} file_bytes;

void file_bytes_write(file_bytes *bytes, int64_t offset, const void *data, size_t count);

/* False, with the error stuck, when the bytes cannot be had. What lies beyond the end reads as zeros. */
bool file_bytes_read(file_bytes *bytes, int64_t offset, void *data, size_t count);
void file_bytes_resize(file_bytes *bytes, int64_t size);

typedef struct file_draft {
    char path[FILE_PATH];
    char temporary[FILE_PATH];
    file_bytes bytes;
} file_draft;

fr_result file_begin(file_draft *draft, const char *path);
void file_put(file_draft *draft, const void *data, size_t count);

/* Puts the file in its place, or fails with the first error of all writes. `sync`: it is on the disk, name and
   contents, before this returns. The draft is over either way. */
fr_result file_commit(file_draft *draft, bool sync);
void file_abandon(file_draft *draft);

/* Opens for reading. Only regular files. */
fr_result file_open(const char *path, file_bytes *bytes);
void file_close(file_bytes *bytes);

/* The whole file with a zero after it; freed by the caller. */
fr_result file_read_text(const char *path, char **text, size_t *length);

/* Adds a line at the end of a text file, `header` (may be NULL) first when the file is empty or new. What a crash
   left of an unfinished last line is dropped; a line that cannot be written whole leaves no trace. */
fr_result file_append_line(const char *path, const char *header, const char *line);

/* "folder/name", or a failure when that is too long. */
fr_result file_join(char path[FILE_PATH], const char *folder, const char *name);

#endif
