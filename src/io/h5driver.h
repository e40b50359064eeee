/* HDF5's way to our files: a driver that reads and writes file_bytes. HDF5 1.10 crashes when the program ends after
   a file could not be flushed (a full disk); here it never learns of a failed write, and the error that sticks to
   the bytes is reported by whoever commits the file. */
#ifndef FR_IO_H5DRIVER_H
#define FR_IO_H5DRIVER_H

#include <hdf5.h>

#include "base/files.h"

/* Registers the driver; closed by H5FDunregister. Negative when HDF5 refuses. */
hid_t h5driver_register(void);

/* Makes files opened with this access list live in `bytes`, which must outlive them. */
herr_t h5driver_use(hid_t access, hid_t driver, file_bytes *bytes);

#endif
