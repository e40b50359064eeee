/* The connectivity of a mesh: welding, edges, repeated triangles. */
#include <freshet/shape.h>

#include <stdlib.h>

#include "base/memory.h"
#include "geom/mesh_store.h"

typedef struct mesh_corner {
    double at[3];
    int vertex;
} mesh_corner;

static int mesh_compare_corners(const void *left, const void *right)
{
    const mesh_corner *l = left, *r = right;
    for (int a = 0; a < 3; a++)
        if (l->at[a] != r->at[a])
            return l->at[a] < r->at[a] ? -1 : 1;
    return (l->vertex > r->vertex) - (l->vertex < r->vertex);
}

/* Numbers the distinct positions in sorted order and moves their vertices to the front. place[v]: new index of v. */
static int mesh_number_places(mesh *m, const mesh_corner *corners, int *place)
{
    int count = 0;
    for (int i = 0; i < m->vertex_count; i++) {
        const double *p = corners[i].at, *q = i ? corners[i - 1].at : p;
        if (i == 0 || p[0] != q[0] || p[1] != q[1] || p[2] != q[2])
            count++;
        place[corners[i].vertex] = count - 1;
        for (int a = 0; a < 3; a++)
            m->vertices[count - 1][a] = p[a];
    }
    return count;
}

fr_result mesh_weld(mesh *m)
{
    mesh_corner *corners = MEMORY_NEW(mesh_corner, m->vertex_count);
    int *place = MEMORY_NEW(int, m->vertex_count);
    fr_result result = corners && place ? FR_OK : FR_ERROR_MEMORY;
    if (result == FR_OK) {
        for (int i = 0; i < m->vertex_count; i++)
            corners[i] = (mesh_corner){{m->vertices[i][0], m->vertices[i][1], m->vertices[i][2]}, i};
        qsort(corners, (size_t)m->vertex_count, sizeof *corners, mesh_compare_corners);
        m->vertex_count = mesh_number_places(m, corners, place);
        for (int i = 0; i < m->triangle_count; i++)
            for (int k = 0; k < 3; k++)
                m->triangles[i][k] = place[m->triangles[i][k]];
    }
    memory_free(corners);
    memory_free(place);
    return result;
}

typedef struct mesh_edge {
    int low, high;
    int way;       /* +1: from low to high */
} mesh_edge;

static int mesh_compare_edges(const void *left, const void *right)
{
    const mesh_edge *l = left, *r = right;
    if (l->low != r->low)
        return l->low < r->low ? -1 : 1;
    return (l->high > r->high) - (l->high < r->high);
}

static size_t mesh_list_edges(const mesh *m, mesh_edge *edges)
{
    size_t count = 0;
    for (int i = 0; i < m->triangle_count; i++) {
        const int *v = m->triangles[i];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            continue;
        for (int k = 0; k < 3; k++) {
            int from = v[k], to = v[(k + 1) % 3];
            edges[count++] = from < to ? (mesh_edge){from, to, 1} : (mesh_edge){to, from, -1};
        }
    }
    return count;
}

fr_result mesh_count_edges(const mesh *m, mesh_edges *out)
{
    mesh_edge *edges = MEMORY_NEW(mesh_edge, 3 * (size_t)m->triangle_count);
    if (!edges)
        return FR_ERROR_MEMORY;
    size_t count = mesh_list_edges(m, edges);
    qsort(edges, count, sizeof *edges, mesh_compare_edges);
    *out = (mesh_edges){.closed = true};
    for (size_t i = 0, end; i < count; i = end) {
        int balance = 0;
        for (end = i; end < count && mesh_compare_edges(&edges[i], &edges[end]) == 0; end++)
            balance += edges[end].way;
        out->open += end - i == 1;
        out->odd += end - i > 2;
        out->closed &= balance == 0;
    }
    memory_free(edges);
    return FR_OK;
}

typedef struct mesh_face {
    int vertices[3];      /* sorted, so that orientation and first corner do not matter */
} mesh_face;

static int mesh_compare_faces(const void *left, const void *right)
{
    const mesh_face *l = left, *r = right;
    for (int k = 0; k < 3; k++)
        if (l->vertices[k] != r->vertices[k])
            return l->vertices[k] < r->vertices[k] ? -1 : 1;
    return 0;
}

static mesh_face mesh_face_of(const int v[3])
{
    int low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
    if (v[2] < low)
        return (mesh_face){{v[2], low, high}};
    return v[2] < high ? (mesh_face){{low, v[2], high}} : (mesh_face){{low, high, v[2]}};
}

fr_result mesh_count_repeats(const mesh *m, int *most)
{
    mesh_face *faces = MEMORY_NEW(mesh_face, m->triangle_count);
    if (!faces)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < m->triangle_count; i++)
        faces[i] = mesh_face_of(m->triangles[i]);
    qsort(faces, (size_t)m->triangle_count, sizeof *faces, mesh_compare_faces);
    *most = 0;
    for (int i = 0, first = 0; i < m->triangle_count; i++) {
        first = mesh_compare_faces(&faces[first], &faces[i]) == 0 ? first : i;
        *most = i - first + 1 > *most ? i - first + 1 : *most;
    }
    memory_free(faces);
    return FR_OK;
}

fr_result mesh_survey(mesh *m, fr_mesh_report *report, bool *closed)
{
    mesh_edges edges;
    FR_TRY(mesh_weld(m));
    FR_TRY(mesh_count_edges(m, &edges));
    *closed = edges.closed;
    report->vertices = m->vertex_count;
    report->triangles = m->triangle_count;
    report->open_edges = edges.open;
    report->odd_edges = edges.odd;
    for (int a = 0; a < 3; a++) {
        report->min[a] = m->bounds.min[a];
        report->max[a] = m->bounds.max[a];
    }
    return FR_OK;
}

fr_result fr_mesh_inspect(const char *file, fr_mesh_report *report)
{
    mesh m;
    bool closed;
    *report = (fr_mesh_report){0};
    if (mesh_store_report(file, report))
        return FR_OK;
    fr_result result = mesh_load(file, &m);
    if (result == FR_OK)
        result = mesh_survey(&m, report, &closed);
    mesh_free(&m);
    return result;
}
