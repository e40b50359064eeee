/* One HDF5 file from opening to closing, and small values in it. Every failure is a message with the file's path;
   HDF5 itself prints nothing meanwhile. */
#ifndef FR_IO_H5FILE_H
#define FR_IO_H5FILE_H

#include "base/arena.h"
#include "io/h5driver.h"
#include "io/seal.h"

typedef struct h5_file {
    hid_t file, driver, access;
    H5E_auto2_t printer;     /* HDF5's error printing as it was before */
    void *printer_data;
    const char *path;        /* for messages; the caller's */
    file_bytes *bytes;
    file_bytes own;          /* when reading */
} h5_file;

/* A new file in the draft, which stays the caller's to commit. */
fr_result h5_create(h5_file *h5, file_draft *draft);

/* Opens a whole file of that kind for reading; damaged and foreign files fail. */
fr_result h5_open(h5_file *h5, const char *path, seal_kind kind);

/* Ends what h5_create or h5_open began, also after a failure. Everything still open in the file is closed. */
fr_result h5_close(h5_file *h5);

/* Records a failure of HDF5 itself: "cannot <verb> PATH: <what>, <HDF5's reason>". */
fr_result h5_fail(const h5_file *h5, const char *verb, const char *what);

/* Attributes: arrays of numbers, and text in UTF-8. */
fr_result h5_put_integers(h5_file *h5, hid_t at, const char *name, const int64_t *values, int count);
fr_result h5_put_reals(h5_file *h5, hid_t at, const char *name, const double *values, int count);
fr_result h5_put_text(h5_file *h5, hid_t at, const char *name, const char *text);

/* Fail unless the attribute is there with exactly `count` values of that sort. */
fr_result h5_get_integers(h5_file *h5, hid_t at, const char *name, int64_t *values, int count);
fr_result h5_get_reals(h5_file *h5, hid_t at, const char *name, double *values, int count);
fr_result h5_get_text(h5_file *h5, hid_t at, const char *name, arena *arena, const char **text);

fr_result h5_make_group(h5_file *h5, hid_t at, const char *name, hid_t *group);
fr_result h5_open_group(h5_file *h5, hid_t at, const char *name, hid_t *group);
fr_result h5_open_dataset(h5_file *h5, hid_t at, const char *name, hid_t *dataset);

#endif
