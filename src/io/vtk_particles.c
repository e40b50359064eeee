/* Writes particles as VTK PolyData (.vtp). Each particle is also a vertex cell; ParaView shows nothing without. */
#include <freshet/io.h>

#include <stdio.h>
#include <stdlib.h>

#include "io/vtk_file.h"

enum { POINT_DATA, POINTS, VERTICES };
static const char *const sections[] = {"PointData Vectors=\"velocity\"", "Points", "Verts", NULL};

static void vtk_put_id(numbers *to, const vtk_array *array, int64_t n)
{
    numbers_put(to, (uint64_t)array->ids[n], array->bytes);
}

static void vtk_put_kind(numbers *to, const vtk_array *array, int64_t n)
{
    numbers_put(to, (uint64_t)(array->ids[n] >> FR_PARTICLE_KIND_SHIFT) + 1, array->bytes);
}

static void vtk_put_vertex(numbers *to, const vtk_array *array, int64_t n)
{
    numbers_put(to, (uint64_t)n, array->bytes);
}

static void vtk_put_vertex_end(numbers *to, const vtk_array *array, int64_t n)
{
    numbers_put(to, (uint64_t)n + 1, array->bytes);
}

/* Returns the number of arrays. */
static int vtk_list_particles(const fr_frame *f, vtk_array *arrays)
{
    int64_t count = f->particle_count;
    const fr_vectors *at = &f->particles, *v = &f->particle_velocity;
    vtk_array *next = arrays;
    *next++ = (vtk_array){POINT_DATA,     "velocity", "Float32", 3,    VTK_OF_FLOAT, count,
                          vtk_put_floats, v->data,    v->stride, NULL, {NULL}};
    for (int i = 0; i < f->attribute_count; i++)
        *next++ = (vtk_array){POINT_DATA,     f->attributes[i].name, "Float32", 1,    VTK_OF_FLOAT, count,
                              vtk_put_floats, f->attributes[i].data, 1,         NULL, {NULL}};
    if (f->particle_ids)
        *next++ =
            (vtk_array){POINT_DATA, "id", "Int64", 1, VTK_OF_LONG, count, vtk_put_id, NULL, 0, f->particle_ids, {NULL}};
    if (f->particle_ids && f->can & FR_FRAME_CARRIED_PARTICLES)
        *next++ = (vtk_array){POINT_DATA, "kind", "Int32",         1,     VTK_OF_INT, count, vtk_put_kind,
                              NULL,       0,      f->particle_ids, {NULL}};
    *next++ = (vtk_array){POINTS,         "position", "Float32",  3,    VTK_OF_FLOAT, count,
                          vtk_put_floats, at->data,   at->stride, NULL, {NULL}};
    *next++ =
        (vtk_array){VERTICES, "connectivity", "Int64", 1, VTK_OF_LONG, count, vtk_put_vertex, NULL, 0, NULL, {NULL}};
    *next++ =
        (vtk_array){VERTICES, "offsets", "Int64", 1, VTK_OF_LONG, count, vtk_put_vertex_end, NULL, 0, NULL, {NULL}};
    return (int)(next - arrays);
}

fr_result fr_vtk_write_particles(const char *path, const fr_frame *frame)
{
    enum { OWN_ARRAYS = 6 };
    vtk_file file = {.type = "PolyData", .sections = sections, .time = frame->time};
    long long count = (long long)frame->particle_count;
    if (!frame->has_particles)
        return fr_fail(FR_ERROR_INPUT,
                       "there are no particles to write to %s; VTK and ParaView open fields from the cache as it is",
                       path);
    vtk_array *arrays = calloc((size_t)(OWN_ARRAYS + frame->attribute_count), sizeof *arrays);
    if (!arrays)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room to list the numbers of particles");
    file.arrays = arrays;
    file.count = vtk_list_particles(frame, arrays);
    snprintf(
        file.piece, sizeof file.piece,
        " NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\"",
        count, count);
    fr_result result = vtk_write(path, &file);
    free(arrays);
    return result;
}
