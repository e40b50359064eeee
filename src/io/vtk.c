/* Particles as VTK's PolyData (.vtp): a header in XML that names the arrays, then the arrays one after the other as they are, each
   behind its length (VTK File Formats, "appended raw"). Every particle is a vertex, without which ParaView would show none. */
#include <freshet/io.h>

#include <stdarg.h>
#include <stdio.h>

#include "io/numbers.h"

typedef struct vtk_array {
    const char *name, *type;
    int components;
    size_t bytes;            /* of a component */
    bool of_identity;        /* needs ages and ids, which not every frame has */
    void (*put)(numbers *to, const fr_frame *frame, int64_t n);
} vtk_array;

static void vtk_put_vector(numbers *to, const fr_vectors *vectors, int64_t n)
{
    for (int a = 0; a < 3; a++)
        numbers_put_float(to, vectors->data[n * vectors->stride + a]);
}

static void vtk_put_position(numbers *to, const fr_frame *frame, int64_t n)
{
    vtk_put_vector(to, &frame->particles, n);
}

static void vtk_put_velocity(numbers *to, const fr_frame *frame, int64_t n)
{
    vtk_put_vector(to, &frame->particle_velocity, n);
}

static void vtk_put_age(numbers *to, const fr_frame *frame, int64_t n)
{
    numbers_put_float(to, frame->particle_age[n]);
}

static void vtk_put_id(numbers *to, const fr_frame *frame, int64_t n)
{
    numbers_put(to, (uint64_t)frame->particle_id[n], sizeof(int64_t));
}

static void vtk_put_kind(numbers *to, const fr_frame *frame, int64_t n)
{
    numbers_put(to, (uint64_t)(frame->particle_id[n] >> FR_PARTICLE_KIND_SHIFT) + 1, sizeof(int32_t));
}

static void vtk_put_connectivity(numbers *to, const fr_frame *frame, int64_t n)
{
    (void)frame;
    numbers_put(to, (uint64_t)n, sizeof(int64_t));
}

static void vtk_put_offset(numbers *to, const fr_frame *frame, int64_t n)
{
    (void)frame;
    numbers_put(to, (uint64_t)n + 1, sizeof(int64_t));
}

typedef struct vtk_section {
    const char *name, *attributes;
    vtk_array arrays[4];
} vtk_section;

static const vtk_section sections[] = {
    {"PointData", " Vectors=\"velocity\"", {{"velocity", "Float32", 3, 4, false, vtk_put_velocity},
                                            {"age", "Float32", 1, 4, true, vtk_put_age},
                                            {"id", "Int64", 1, 8, true, vtk_put_id},
                                            {"kind", "Int32", 1, 4, true, vtk_put_kind}}},
    {"Points", "", {{"position", "Float32", 3, 4, false, vtk_put_position}}},
    {"Verts", "", {{"connectivity", "Int64", 1, 8, false, vtk_put_connectivity}, {"offsets", "Int64", 1, 8, false, vtk_put_offset}}},
};
enum { SECTIONS = sizeof sections / sizeof sections[0], SECTION_ARRAYS = sizeof sections[0].arrays / sizeof sections[0].arrays[0] };

static bool vtk_has(const fr_frame *frame, const vtk_array *array)
{
    return array->name && (!array->of_identity || (frame->particle_age && frame->particle_id));
}

static uint64_t vtk_length(const fr_frame *frame, const vtk_array *array)
{
    return (uint64_t)frame->particle_count * (uint64_t)array->components * array->bytes;
}

static void vtk_say(file_draft *draft, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    file_put(draft, text, (size_t)length);
}

static void vtk_put_header(file_draft *draft, const fr_frame *frame)
{
    uint64_t offset = 0;
    long long count = (long long)frame->particle_count;
    vtk_say(draft, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n");
    vtk_say(draft, "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray></FieldData>\n",
            frame->time);
    vtk_say(draft, "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n", count, count);
    for (int s = 0; s < SECTIONS; s++) {
        vtk_say(draft, "<%s%s>\n", sections[s].name, sections[s].attributes);
        for (int i = 0; i < SECTION_ARRAYS; i++) {
            const vtk_array *array = &sections[s].arrays[i];
            if (!vtk_has(frame, array))
                continue;
            vtk_say(draft, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n", array->type,
                    array->name, array->components, (unsigned long long)offset);
            offset += sizeof(uint64_t) + vtk_length(frame, array);
        }
        vtk_say(draft, "</%s>\n", sections[s].name);
    }
    vtk_say(draft, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void vtk_put_arrays(file_draft *draft, const fr_frame *frame)
{
    numbers to = {.draft = draft};
    for (int s = 0; s < SECTIONS; s++)
        for (int i = 0; i < SECTION_ARRAYS; i++) {
            const vtk_array *array = &sections[s].arrays[i];
            if (!vtk_has(frame, array))
                continue;
            numbers_put(&to, vtk_length(frame, array), sizeof(uint64_t));
            for (int64_t n = 0; n < frame->particle_count; n++)
                array->put(&to, frame, n);
        }
    numbers_flush(&to);
}

fr_result fr_vtk_write_particles(const char *path, const fr_frame *frame)
{
    file_draft draft;
    if (!frame->has_particles)
        return fr_fail(FR_ERROR_INPUT, "there are no particles to write to %s; VTK and ParaView open fields from the cache as it is", path);
    FR_TRY(file_begin(&draft, path));
    vtk_put_header(&draft, frame);
    vtk_put_arrays(&draft, frame);
    vtk_say(&draft, "\n</AppendedData>\n</VTKFile>\n");
    return file_commit(&draft, false);
}
