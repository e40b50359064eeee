/* Folders, and the one way to write a file: write a draft in the same folder, then rename it atomically. A failure
   before the rename leaves the old file untouched and removes the draft.

   A draft's name begins with FILE_DRAFT_MARK. Such names are reserved for this program, so a draft that a killed
   process left behind is never mistaken for a user's file. */
#ifndef FR_BASE_FILES_H
#define FR_BASE_FILES_H

#include <freshet/base.h>

enum { FILE_PATH = 4096, FILE_TABLE_MOST = 1 << 30 /* largest text table, bytes */ };
#define FILE_DRAFT_MARK ".freshet-draft-"

/* An open file, read and written at byte offsets. `error` keeps the first failure, and later writes do nothing: the
   writer checks once, at the end. */
typedef struct file_bytes {
    int fd;
    int64_t size;
    int error;           /* errno of the first failure, 0 without one */
} file_bytes;

void file_bytes_write(file_bytes *bytes, int64_t offset, const void *data, size_t count);

/* False when the bytes cannot be read; `error` says why. Bytes beyond the end of the file read as zeros. */
bool file_bytes_read(file_bytes *bytes, int64_t offset, void *data, size_t count);

typedef struct file_draft {
    char path[FILE_PATH];
    char temporary[FILE_PATH];
    file_bytes bytes;
} file_draft;

fr_result file_begin(file_draft *draft, const char *path);
void file_put(file_draft *draft, const void *data, size_t count);

/* After another program has written into draft->temporary: updates the size. */
void file_measure(file_draft *draft);

/* Renames the draft to its final path, or fails with the first write error. Asks the guard (fr_set_file_guard) first.
   `sync`: contents and name are on the disk before this returns. The draft is gone in either case. */
fr_result file_commit(file_draft *draft, bool sync);
void file_abandon(file_draft *draft);

/* Opens a regular file for reading. */
fr_result file_open(const char *path, file_bytes *bytes);
void file_close(file_bytes *bytes);

/* "folder/name"; fails when that is too long. */
fr_result file_join(char path[FILE_PATH], const char *folder, const char *name);

#endif
