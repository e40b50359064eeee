/* VTK XML files: an XML header that describes the arrays, then the raw arrays, each preceded by its length (VTK File
   Formats, "appended raw"). */
#ifndef FR_IO_VTK_FILE_H
#define FR_IO_VTK_FILE_H

#include <freshet/frame.h>

#include "io/numbers.h"

enum { VTK_OF_FLOAT = sizeof(float), VTK_OF_LONG = sizeof(int64_t), VTK_OF_INT = sizeof(int32_t) };

typedef struct vtk_array {
    int section;
    const char *name, *type;
    int components;
    size_t bytes;            /* per component */
    int64_t count;
    void (*put)(numbers *to, const struct vtk_array *array, int64_t n);
    const float *values;     /* for `put`: the source of the array */
    ptrdiff_t stride;        /* of `values`, in floats */
    const int64_t *ids;
    const fr_field *parts[3];
} vtk_array;

typedef struct vtk_file {
    const char *type;        /* VTK's name of the dataset type */
    char whole[96], piece[160];              /* XML attributes of the dataset and of its only piece */
    const char *const *sections;             /* opening XML tags; NULL ends the list. Arrays are grouped by section */
    double time;
    const vtk_array *arrays;
    int count;
} vtk_file;

fr_result vtk_write(const char *path, const vtk_file *file);

/* Writes array->components floats of element n. */
void vtk_put_floats(numbers *to, const vtk_array *array, int64_t n);

#endif
