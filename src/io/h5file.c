#ifdef FR_HAVE_HDF5
#include "io/h5file.h"

#include <stdio.h>
#include <string.h>

static herr_t h5_first_reason(unsigned n, const H5E_error2_t *error, void *context)
{
    if (n == 0 && error->desc)
        snprintf(context, 200, "%s", error->desc);
    return 0;
}

fr_result h5_fail(const h5_file *h5, const char *verb, const char *what)
{
    char reason[200] = "no reason given";
    if (h5->bytes && h5->bytes->error)
        return fr_fail(FR_ERROR_FILE, "cannot %s %s: %s", verb, h5->path, strerror(h5->bytes->error));
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, h5_first_reason, reason);
    return fr_fail(FR_ERROR_FILE, "cannot %s %s: %s (HDF5: %s)", verb, h5->path, what, reason);
}

static fr_result h5_begin(h5_file *h5, const char *path, file_bytes *bytes)
{
    h5->path = path;
    h5->bytes = bytes;
    h5->file = -1;
    H5Eget_auto2(H5E_DEFAULT, &h5->printer, &h5->printer_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    h5->access = H5Pcreate(H5P_FILE_ACCESS);
    h5->driver = h5driver_register();
    if (h5->access < 0 || h5->driver < 0 || H5Pset_fclose_degree(h5->access, H5F_CLOSE_STRONG) < 0
        || h5driver_use(h5->access, h5->driver, bytes) < 0)
        return h5_fail(h5, "open", "HDF5 does not take our driver");
    return FR_OK;
}

fr_result h5_create(h5_file *h5, file_draft *draft)
{
    *h5 = (h5_file){.own = {.fd = -1}};
    FR_TRY(h5_begin(h5, draft->path, &draft->bytes));
    h5->file = H5Fcreate(draft->path, H5F_ACC_TRUNC, H5P_DEFAULT, h5->access);
    return h5->file < 0 ? h5_fail(h5, "write", "no HDF5 file can be begun") : FR_OK;
}

fr_result h5_open(h5_file *h5, const char *path, seal_kind kind)
{
    seal seal;
    *h5 = (h5_file){.own = {.fd = -1}};
    FR_TRY(h5_begin(h5, path, &h5->own));
    FR_TRY(file_open(path, &h5->own));
    FR_TRY(seal_check(&h5->own, path, &seal));
    if (seal.kind != kind)
        return fr_fail(FR_ERROR_FILE, "%s is not a %s file", path, kind == SEAL_CACHE ? "cache" : "checkpoint");
    h5->file = H5Fopen(path, H5F_ACC_RDONLY, h5->access);
    return h5->file < 0 ? h5_fail(h5, "read", "it is not an HDF5 file") : FR_OK;
}

fr_result h5_close(h5_file *h5)
{
    fr_result result = FR_OK;
    if (h5->file >= 0 && H5Fclose(h5->file) < 0)
        result = h5_fail(h5, "close", "HDF5 could not finish it");
    if (h5->access >= 0)
        H5Pclose(h5->access);
    if (h5->driver >= 0)
        H5FDunregister(h5->driver);
    H5Eset_auto2(H5E_DEFAULT, h5->printer, h5->printer_data);
    file_close(&h5->own);
    return result;
}

typedef struct h5_value {
    hid_t stored, memory;    /* types */
    hsize_t count;
    const void *data;
} h5_value;

static fr_result h5_put(h5_file *h5, hid_t at, const char *name, h5_value value, bool scalar)
{
    hid_t space = scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &value.count, NULL);
    hid_t attribute = H5Acreate2(at, name, value.stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, value.memory, value.data) >= 0;
    fr_result result = done ? FR_OK : h5_fail(h5, "write", name);
    if (attribute >= 0)
        H5Aclose(attribute);
    if (space >= 0)
        H5Sclose(space);
    return result;
}

fr_result h5_put_integers(h5_file *h5, hid_t at, const char *name, const int64_t *values, int count)
{
    return h5_put(h5, at, name, (h5_value){H5T_STD_I64LE, H5T_NATIVE_INT64, (hsize_t)count, values}, false);
}

fr_result h5_put_reals(h5_file *h5, hid_t at, const char *name, const double *values, int count)
{
    return h5_put(h5, at, name, (h5_value){H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, (hsize_t)count, values}, false);
}

fr_result h5_put_text(h5_file *h5, hid_t at, const char *name, const char *text)
{
    size_t length = strlen(text);
    bool ascii = true;
    for (size_t i = 0; i < length; i++)
        ascii = ascii && (unsigned char)text[i] < 128;
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length + 1);
    /* VTK 9.1 compares the character set of its own attributes */
    H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
    fr_result result = h5_put(h5, at, name, (h5_value){type, type, 1, text}, true);
    H5Tclose(type);
    return result;
}

static fr_result h5_lacks(const h5_file *h5, const char *name)
{
    return fr_fail(FR_ERROR_FILE, "%s cannot be used: its '%s' is missing or of another kind", h5->path, name);
}

/* An attribute of that class of type with that many values, or negative. */
static hid_t h5_find(hid_t at, const char *name, H5T_class_t class, hssize_t count)
{
    hid_t attribute = H5Aopen(at, name, H5P_DEFAULT);
    if (attribute < 0)
        return -1;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool fits = H5Tget_class(type) == class && H5Sget_simple_extent_npoints(space) == count
        && H5Tis_variable_str(type) <= 0;
    H5Tclose(type);
    H5Sclose(space);
    if (fits)
        return attribute;
    H5Aclose(attribute);
    return -1;
}

static fr_result h5_get(h5_file *h5, hid_t attribute, const char *name, hid_t memory, void *data)
{
    bool read = attribute >= 0 && H5Aread(attribute, memory, data) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return read ? FR_OK : h5_lacks(h5, name);
}

fr_result h5_get_integers(h5_file *h5, hid_t at, const char *name, int64_t *values, int count)
{
    return h5_get(h5, h5_find(at, name, H5T_INTEGER, count), name, H5T_NATIVE_INT64, values);
}

fr_result h5_get_reals(h5_file *h5, hid_t at, const char *name, double *values, int count)
{
    return h5_get(h5, h5_find(at, name, H5T_FLOAT, count), name, H5T_NATIVE_DOUBLE, values);
}

fr_result h5_get_text(h5_file *h5, hid_t at, const char *name, arena *arena, const char **text)
{
    hid_t attribute = h5_find(at, name, H5T_STRING, 1);
    if (attribute < 0)
        return h5_lacks(h5, name);
    hid_t type = H5Aget_type(attribute);
    char *copy = arena_alloc(arena, H5Tget_size(type) + 1);
    fr_result result = copy ? h5_get(h5, attribute, name, type, copy) : FR_ERROR_MEMORY;
    if (!copy)
        H5Aclose(attribute);
    H5Tclose(type);
    *text = copy;
    return result;
}

fr_result h5_make_group(h5_file *h5, hid_t at, const char *name, hid_t *group)
{
    *group = H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return *group < 0 ? h5_fail(h5, "write", name) : FR_OK;
}

fr_result h5_open_group(h5_file *h5, hid_t at, const char *name, hid_t *group)
{
    *group = H5Gopen2(at, name, H5P_DEFAULT);
    return *group < 0 ? h5_lacks(h5, name) : FR_OK;
}

fr_result h5_open_dataset(h5_file *h5, hid_t at, const char *name, hid_t *dataset)
{
    *dataset = H5Dopen2(at, name, H5P_DEFAULT);
    return *dataset < 0 ? h5_lacks(h5, name) : FR_OK;
}
#endif
