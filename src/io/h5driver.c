#ifdef FR_HAVE_HDF5
#include "io/h5driver.h"

#include <stdlib.h>

typedef struct h5driver_file {
    H5FD_t base;         /* HDF5 fills it; must be first */
    file_bytes *bytes;
    haddr_t allocated;   /* end of the address space that HDF5 has given out */
} h5driver_file;

typedef struct h5driver_info {
    file_bytes *bytes;
} h5driver_info;

static H5FD_t *h5driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name, (void)flags, (void)most;
    const h5driver_info *info = H5Pget_driver_info(access);
    h5driver_file *file = info ? calloc(1, sizeof *file) : NULL;
    if (!file)
        return NULL;
    file->bytes = info->bytes;
    return &file->base;
}

static herr_t h5driver_close(H5FD_t *base)
{
    free(base);
    return 0;
}

static herr_t h5driver_query(const H5FD_t *base, unsigned long *flags)
{
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE
        | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t h5driver_get_allocated(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const h5driver_file *)base)->allocated;
}

static herr_t h5driver_set_allocated(H5FD_t *base, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((h5driver_file *)base)->allocated = address;
    return 0;
}

static haddr_t h5driver_get_end(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return (haddr_t)((const h5driver_file *)base)->bytes->size;
}

static herr_t h5driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *data)
{
    (void)type, (void)transfer;
    return file_bytes_read(((h5driver_file *)base)->bytes, (int64_t)address, data, size) ? 0 : -1;
}

static herr_t h5driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                             const void *data)
{
    (void)type, (void)transfer;
    file_bytes_write(((h5driver_file *)base)->bytes, (int64_t)address, data, size);
    return 0;
}

/* The file ends where HDF5's header says that it does. */
static herr_t h5driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    h5driver_file *file = (h5driver_file *)base;
    if ((haddr_t)file->bytes->size != file->allocated)
        file_bytes_resize(file->bytes, (int64_t)file->allocated);
    return 0;
}

static const H5FD_class_t h5driver_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* from the range that HDF5 leaves to programs */
#endif
    .name = "freshet",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(h5driver_info),
    .open = h5driver_open,
    .close = h5driver_close,
    .query = h5driver_query,
    .get_eoa = h5driver_get_allocated,
    .set_eoa = h5driver_set_allocated,
    .get_eof = h5driver_get_end,
    .read = h5driver_read,
    .write = h5driver_write,
    .truncate = h5driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t h5driver_register(void)
{
    return H5FDregister(&h5driver_class);
}

herr_t h5driver_use(hid_t access, hid_t driver, file_bytes *bytes)
{
    h5driver_info info = {bytes};
    return H5Pset_driver(access, driver, &info);
}
#endif
