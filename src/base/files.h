/* Folders and the one way to write a file: a draft in the same folder, renamed when it is whole. Whatever goes wrong
   before that leaves the earlier file as it was and no draft behind.

   A draft's name begins with FILE_DRAFT_MARK: names of that kind belong to this program, so that one which a killed
   program left can be told from a file of the user's. */
#ifndef FR_BASE_FILES_H
#define FR_BASE_FILES_H

#include <freshet/base.h>

enum { FILE_PATH = 4096, FILE_TABLE_MOST = 1 << 30 /* bytes of a table of text */ };
#define FILE_DRAFT_MARK ".freshet-draft-"

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

/* Another program has written into draft->temporary: takes the size that the file has now. */
void file_measure(file_draft *draft);

/* Puts the file in its place, or fails with the first error of all writes. `sync`: it is on the disk, name and
   contents, before this returns. The guard (fr_set_file_guard) is asked first. The draft is over either way. */
fr_result file_commit(file_draft *draft, bool sync);
void file_abandon(file_draft *draft);

/* Opens for reading. Only regular files. */
fr_result file_open(const char *path, file_bytes *bytes);
void file_close(file_bytes *bytes);

/* "folder/name", or a failure when that is too long. */
fr_result file_join(char path[FILE_PATH], const char *folder, const char *name);

#endif
