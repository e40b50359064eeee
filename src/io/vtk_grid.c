/* Writes the fields of a curvilinear grid as a VTK StructuredGrid (.vts). */
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>

#include "io/names.h"
#include "io/nodes.h"
#include "io/vtk_file.h"

enum { CELL_DATA, POINTS };
static const char *const sections[] = {"CellData Vectors=\"velocity\"", "Points", NULL};
static const char *const names_taken[] = {"velocity", NULL};

/* VTK vectors have three components; a missing one is 0. */
static void vtk_put_cell(numbers *to, const vtk_array *array, int64_t n)
{
    const int64_t *size = array->parts[0]->size;
    int64_t at[3] = {n % size[0], n / size[0] % size[1], n / size[0] / size[1]};
    for (int c = 0; c < array->components; c++) {
        const fr_field *part = array->parts[c];
        numbers_put_float(
            to, part ? part->data[at[0] * part->stride[0] + at[1] * part->stride[1] + at[2] * part->stride[2]] : 0);
    }
}

/* Returns the number of arrays. Refined fields are left out: their samples are not the grid's cells. */
static int vtk_list_fields(const fr_frame *f, name_text *names, vtk_array *arrays)
{
    vtk_array *next = arrays;
    int64_t cells = (int64_t)f->cells[0] * f->cells[1] * f->cells[2];
    vtk_array velocity = {CELL_DATA,    "velocity", "Float32", 3,    VTK_OF_FLOAT, cells,
                          vtk_put_cell, NULL,       0,         NULL, {NULL}};
    if (nodes_velocity(f, velocity.parts))
        *next++ = velocity;
    for (int i = 0; i < f->field_count; i++) {
        const fr_field *field = &f->fields[i];
        if (field->location == FR_AT_CELL && fr_field_refine(f, field) == 1 && !nodes_is_velocity(f, field))
            *next++ = (vtk_array){CELL_DATA,    names[i], "Float32", 1,    VTK_OF_FLOAT, cells,
                                  vtk_put_cell, NULL,     0,         NULL, {field}};
    }
    int64_t nodes = nodes_along(f, 0) * nodes_along(f, 1) * nodes_along(f, 2);
    *next++ = (vtk_array){POINTS,         "position",    "Float32",       3,    VTK_OF_FLOAT, nodes,
                          vtk_put_floats, f->nodes.data, f->nodes.stride, NULL, {NULL}};
    return (int)(next - arrays);
}

fr_result fr_vtk_write_grid(const char *path, const fr_frame *frame)
{
    enum { OWN_ARRAYS = 2 };
    if (!(frame->can & FR_FRAME_BENT))
        return fr_fail(FR_ERROR_INPUT,
                       "there is no bent grid to write to %s; VTK and ParaView open fields from the cache as it is",
                       path);
    vtk_file file = {.type = "StructuredGrid", .sections = sections, .time = frame->time};
    const int *n = frame->cells;
    int last = frame->dims == 3 ? n[2] : 0;
    snprintf(file.whole, sizeof file.whole, " WholeExtent=\"0 %d 0 %d 0 %d\"", n[0], n[1], last);
    snprintf(file.piece, sizeof file.piece, " Extent=\"0 %d 0 %d 0 %d\"", n[0], n[1], last);
    vtk_array *arrays = calloc((size_t)(OWN_ARRAYS + frame->field_count), sizeof *arrays);
    name_text *names = calloc((size_t)frame->field_count + 1, sizeof *names);
    fr_result result = FR_OK;
    if (arrays && names) {
        names_of_fields(frame, names_taken, names);
        file.arrays = arrays;
        file.count = vtk_list_fields(frame, names, arrays);
        result = vtk_write(path, &file);
    } else {
        result = fr_fail(FR_ERROR_MEMORY, "out of memory: no room to list %d fields", frame->field_count);
    }
    free(arrays);
    free(names);
    return result;
}
