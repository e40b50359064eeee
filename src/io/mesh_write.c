/* Writes surfaces as PLY (Turk 1994: a text header that describes binary records) and as Wavefront OBJ. */
#include <freshet/io.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/files.h"

enum { MESH_BUFFER = 64 << 10, MESH_RECORD = 160 /* more than the longest line or record */ };

typedef struct mesh_writer {
    file_draft draft;
    size_t filled;
    unsigned char buffer[MESH_BUFFER];
} mesh_writer;

static void mesh_flush(mesh_writer *w)
{
    file_put(&w->draft, w->buffer, w->filled);
    w->filled = 0;
}

static void mesh_make_room(mesh_writer *w)
{
    if (w->filled + MESH_RECORD > MESH_BUFFER)
        mesh_flush(w);
}

static void mesh_put_bits(mesh_writer *w, uint32_t bits)
{
    for (int i = 0; i < 4; i++)
        w->buffer[w->filled++] = (unsigned char)(bits >> (8 * i));
}

static void mesh_put_floats(mesh_writer *w, const float v[3])
{
    for (int a = 0; a < 3; a++) {
        uint32_t bits;
        memcpy(&bits, &v[a], sizeof bits);
        mesh_put_bits(w, bits);
    }
}

static void mesh_put_ply_header(mesh_writer *w, const fr_mesh *mesh)
{
    static const char colours[] = "property uchar red\nproperty uchar green\nproperty uchar blue\n",
                      texture[] = "property float texture_x\nproperty float texture_y\nproperty float texture_z\n";
    char header[768];
    int length =
        snprintf(header, sizeof header,
                 "ply\nformat binary_little_endian 1.0\ncomment metres, metres per second\nelement vertex %lld\n"
                 "property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty "
                 "float nz\n"
                 "property float vx\nproperty float vy\nproperty float vz\n%s%selement face %lld\n"
                 "property list uchar int vertex_indices\nend_header\n",
                 (long long)mesh->vertex_count, mesh->colours ? colours : "", mesh->texture ? texture : "",
                 (long long)mesh->triangle_count);
    file_put(&w->draft, header, (size_t)length);
}

static void mesh_put_ply(mesh_writer *w, const fr_mesh *mesh)
{
    mesh_put_ply_header(w, mesh);
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        mesh_make_room(w);
        mesh_put_floats(w, mesh->vertices[v]);
        mesh_put_floats(w, mesh->normals[v]);
        mesh_put_floats(w, mesh->velocity[v]);
        for (int c = 0; c < 3 && mesh->colours; c++)
            w->buffer[w->filled++] = mesh->colours[v][c];
        if (mesh->texture)
            mesh_put_floats(w, mesh->texture[v]);
    }
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        mesh_make_room(w);
        w->buffer[w->filled++] = 3;
        for (int c = 0; c < 3; c++)
            mesh_put_bits(w, (uint32_t)mesh->triangles[t][c]);
    }
}

static void mesh_put_line(mesh_writer *w, const char *name, const float v[3])
{
    mesh_make_room(w);
    w->filled += (size_t)snprintf((char *)w->buffer + w->filled, MESH_RECORD, "%s %.9g %.9g %.9g\n", name, (double)v[0],
                                  (double)v[1], (double)v[2]);
}

static void mesh_put_obj(mesh_writer *w, const fr_mesh *mesh)
{
    for (int64_t v = 0; v < mesh->vertex_count; v++)
        mesh_put_line(w, "v", mesh->vertices[v]);
    for (int64_t v = 0; v < mesh->vertex_count; v++)
        mesh_put_line(w, "vn", mesh->normals[v]);
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *c = mesh->triangles[t];
        mesh_make_room(w);
        w->filled += (size_t)snprintf((char *)w->buffer + w->filled, MESH_RECORD, "f %d//%d %d//%d %d//%d\n", c[0] + 1,
                                      c[0] + 1, c[1] + 1, c[1] + 1, c[2] + 1, c[2] + 1);
    }
}

fr_result fr_mesh_write(const char *path, const fr_mesh *mesh)
{
    const char *ending = strrchr(path, '.');
    bool ply = ending && strcasecmp(ending, ".ply") == 0, obj = ending && strcasecmp(ending, ".obj") == 0;
    if (!ply && !obj)
        return fr_fail(FR_ERROR_INPUT, "%s: surfaces are written as .ply or .obj", path);
    mesh_writer w = {.filled = 0};
    FR_TRY(file_begin(&w.draft, path));
    (ply ? mesh_put_ply : mesh_put_obj)(&w, mesh);
    mesh_flush(&w);
    return file_commit(&w.draft, false);
}
