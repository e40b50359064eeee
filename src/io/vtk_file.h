/* VTK's own files: a header in XML that names the arrays, then the arrays one after the other as they are, each behind
   its length (VTK File Formats, "appended raw"). */
#ifndef FR_IO_VTK_FILE_H
#define FR_IO_VTK_FILE_H

#include <freshet/frame.h>

#include "io/numbers.h"

enum { VTK_OF_FLOAT = sizeof(float), VTK_OF_LONG = sizeof(int64_t), VTK_OF_INT = sizeof(int32_t) };

typedef struct vtk_array {
    int section;
    const char *name, *type;
    int components;
    size_t bytes;            /* of a component */
    int64_t count;
    void (*put)(numbers *to, const struct vtk_array *array, int64_t n);
    const float *values;     /* for `put`: what the array is made from, and floats from one to the next */
    ptrdiff_t stride;
    const int64_t *ids;
    const fr_field *parts[3];
} vtk_array;

typedef struct vtk_file {
    const char *type;        /* of the data, in VTK's words */
    char whole[96], piece[160];              /* attributes of the data and of their one piece */
    const char *const *sections; /* their elements as they open, up to a NULL; arrays of one section stand together */
    double time;
    const vtk_array *arrays;
    int count;
} vtk_file;

fr_result vtk_write(const char *path, const vtk_file *file);

/* array->components floats of each. */
void vtk_put_floats(numbers *to, const vtk_array *array, int64_t n);

#endif
