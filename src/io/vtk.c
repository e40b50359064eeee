/* Particles as VTK's PolyData (.vtp): a header in XML that names the arrays, then the arrays one after the other as they are, each
   behind its length (VTK File Formats, "appended raw"). Every particle is a vertex, without which ParaView would show none. */
#include <freshet/io.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/numbers.h"

typedef enum vtk_section { POINT_DATA, POINTS, VERTICES, SECTIONS } vtk_section;
static const char *const section_names[SECTIONS] = {"PointData", "Points", "Verts"};

typedef struct vtk_array {
    vtk_section section;
    const char *name, *type;
    int components;
    size_t bytes;            /* of a component */
    void (*put)(numbers *to, const struct vtk_array *array, int64_t n);
    const float *values;     /* for `put`: what the array is made from, and floats from one particle to the next */
    ptrdiff_t stride;
    const int64_t *ids;
} vtk_array;

static void vtk_put_floats(numbers *to, const vtk_array *array, int64_t n)
{
    for (int c = 0; c < array->components; c++)
        numbers_put_float(to, array->values[n * array->stride + c]);
}

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

typedef struct vtk_file {
    file_draft draft;
    const fr_frame *frame;
    vtk_array *arrays;
    int count;
} vtk_file;

static void vtk_list_arrays(vtk_file *file)
{
    enum { OF_FLOAT = sizeof(float), OF_LONG = sizeof(int64_t), OF_INT = sizeof(int32_t) };
    const fr_frame *f = file->frame;
    const fr_vectors *at = &f->particles, *v = &f->particle_velocity;
    vtk_array *next = file->arrays;
    *next++ = (vtk_array){POINT_DATA, "velocity", "Float32", 3, OF_FLOAT, vtk_put_floats, v->data, v->stride, NULL};
    for (int i = 0; i < f->attribute_count; i++)
        *next++ = (vtk_array){POINT_DATA, f->attributes[i].name, "Float32", 1, OF_FLOAT, vtk_put_floats, f->attributes[i].data, 1, NULL};
    if (f->particle_ids)
        *next++ = (vtk_array){POINT_DATA, "id", "Int64", 1, OF_LONG, vtk_put_id, NULL, 0, f->particle_ids};
    if (f->particle_ids && f->particle_spacing == 0)
        *next++ = (vtk_array){POINT_DATA, "kind", "Int32", 1, OF_INT, vtk_put_kind, NULL, 0, f->particle_ids};
    *next++ = (vtk_array){POINTS, "position", "Float32", 3, OF_FLOAT, vtk_put_floats, at->data, at->stride, NULL};
    *next++ = (vtk_array){VERTICES, "connectivity", "Int64", 1, OF_LONG, vtk_put_vertex, NULL, 0, NULL};
    *next++ = (vtk_array){VERTICES, "offsets", "Int64", 1, OF_LONG, vtk_put_vertex_end, NULL, 0, NULL};
    file->count = (int)(next - file->arrays);
}

static uint64_t vtk_length(const vtk_file *file, const vtk_array *array)
{
    return (uint64_t)file->frame->particle_count * (uint64_t)array->components * array->bytes;
}

static void vtk_say(vtk_file *file, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    file_put(&file->draft, text, strlen(text));
}

static void vtk_put_header(vtk_file *file)
{
    uint64_t offset = 0;
    long long count = (long long)file->frame->particle_count;
    vtk_say(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n");
    vtk_say(file, "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray></FieldData>\n",
            file->frame->time);
    vtk_say(file, "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n", count, count);
    for (vtk_section s = 0; s < SECTIONS; s++) {
        vtk_say(file, "<%s%s>\n", section_names[s], s == POINT_DATA ? " Vectors=\"velocity\"" : "");
        for (int i = 0; i < file->count; i++) {
            const vtk_array *array = &file->arrays[i];
            if (array->section != s)
                continue;
            vtk_say(file, "<DataArray type=\"%s\" Name=\"%.100s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n", array->type,
                    array->name, array->components, (unsigned long long)offset);
            offset += sizeof(uint64_t) + vtk_length(file, array);
        }
        vtk_say(file, "</%s>\n", section_names[s]);
    }
    vtk_say(file, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

/* In the order of the header, which is that of the list. */
static void vtk_put_arrays(vtk_file *file)
{
    numbers to = {.draft = &file->draft};
    for (int i = 0; i < file->count; i++) {
        const vtk_array *array = &file->arrays[i];
        numbers_put(&to, vtk_length(file, array), sizeof(uint64_t));
        for (int64_t n = 0; n < file->frame->particle_count; n++)
            array->put(&to, array, n);
    }
    numbers_flush(&to);
}

fr_result fr_vtk_write_particles(const char *path, const fr_frame *frame)
{
    enum { OWN_ARRAYS = 6 };
    vtk_file file = {.frame = frame};
    if (!frame->has_particles)
        return fr_fail(FR_ERROR_INPUT, "there are no particles to write to %s; VTK and ParaView open fields from the cache as it is", path);
    file.arrays = calloc((size_t)(OWN_ARRAYS + frame->attribute_count), sizeof *file.arrays);
    if (!file.arrays)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room to list the numbers of particles");
    vtk_list_arrays(&file);
    fr_result result = file_begin(&file.draft, path);
    if (result == FR_OK) {
        vtk_put_header(&file);
        vtk_put_arrays(&file);
        vtk_say(&file, "\n</AppendedData>\n</VTKFile>\n");
        result = file_commit(&file.draft, false);
    }
    free(file.arrays);
    return result;
}
