#include "io/vtk_file.h"

#include <stdarg.h>
#include <stdio.h>

void vtk_put_floats(numbers *to, const vtk_array *array, int64_t n)
{
    for (int c = 0; c < array->components; c++)
        numbers_put_float(to, array->values[n * array->stride + c]);
}

static uint64_t vtk_length(const vtk_array *array)
{
    return (uint64_t)array->count * (uint64_t)array->components * array->bytes;
}

static void vtk_say(file_draft *draft, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    file_put(draft, text, strlen(text));
}

/* Escapes a name for an XML attribute. Only '&' needs it: names have no characters that file names cannot have. */
static void vtk_say_name(file_draft *draft, const char *name)
{
    for (const char *c = name; *c; c++)
        if (*c == '&')
            vtk_say(draft, "&amp;");
        else
            file_put(draft, c, 1);
}

static void vtk_put_section(file_draft *draft, const vtk_file *file, int section, uint64_t *offset)
{
    const char *element = file->sections[section];
    vtk_say(draft, "<%s>\n", element);
    for (int i = 0; i < file->count; i++) {
        const vtk_array *array = &file->arrays[i];
        if (array->section != section)
            continue;
        vtk_say(draft, "<DataArray type=\"%s\" Name=\"", array->type);
        vtk_say_name(draft, array->name);
        vtk_say(draft, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n", array->components,
                (unsigned long long)*offset);
        *offset += sizeof(uint64_t) + vtk_length(array);
    }
    vtk_say(draft, "</%.*s>\n", (int)strcspn(element, " "), element);
}

static void vtk_put_header(file_draft *draft, const vtk_file *file)
{
    uint64_t offset = 0;
    vtk_say(draft,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt64\">\n<%s%s>\n",
            file->type, file->type, file->whole);
    vtk_say(draft,
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%.17g</DataArray></FieldData>\n",
            file->time);
    vtk_say(draft, "<Piece%s>\n", file->piece);
    for (int s = 0; file->sections[s]; s++)
        vtk_put_section(draft, file, s, &offset);
    vtk_say(draft, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", file->type);
}

/* The data, in the same order as in the header. */
static void vtk_put_arrays(file_draft *draft, const vtk_file *file)
{
    numbers to = {.draft = draft};
    for (int i = 0; i < file->count; i++) {
        const vtk_array *array = &file->arrays[i];
        numbers_put(&to, vtk_length(array), sizeof(uint64_t));
        for (int64_t n = 0; n < array->count; n++)
            array->put(&to, array, n);
    }
    numbers_flush(&to);
}

fr_result vtk_write(const char *path, const vtk_file *file)
{
    file_draft draft;
    FR_TRY(file_begin(&draft, path));
    vtk_put_header(&draft, file);
    vtk_put_arrays(&draft, file);
    vtk_say(&draft, "\n</AppendedData>\n</VTKFile>\n");
    return file_commit(&draft, false);
}
