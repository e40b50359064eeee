/* What tests ask of meshes: whether they are closed, their volume and area, their bits. */
#ifndef TESTS_SUPPORT_MESHES_H
#define TESTS_SUPPORT_MESHES_H

#include "support/check.h"

#include <freshet/surface.h>

#include <stdlib.h>

typedef struct edge {
    int32_t from, to;
} edge;

static inline int compare_edges(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    return p->from != q->from ? (p->from > q->from) - (p->from < q->from) : (p->to > q->to) - (p->to < q->to);
}

/* Every edge is run through once in each direction. */
static inline void assert_closed(const fr_mesh *mesh)
{
    size_t count = 3 * (size_t)mesh->triangle_count;
    edge *edges = malloc(count * sizeof *edges + 1);
    for (size_t c = 0; c < count; c++)
        edges[c] = (edge){mesh->triangles[c / 3][c % 3], mesh->triangles[c / 3][(c + 1) % 3]};
    qsort(edges, count, sizeof *edges, compare_edges);
    int64_t wrong = 0;
    for (size_t c = 0; c < count; c++) {
        edge back = {edges[c].to, edges[c].from};
        wrong += c > 0 && compare_edges(&edges[c - 1], &edges[c]) == 0;
        wrong += !bsearch(&back, edges, count, sizeof *edges, compare_edges);
        wrong += edges[c].from == edges[c].to;
    }
    free(edges);
    assert_int_equal(wrong, 0);
}

typedef struct extent {
    double volume, area;
} extent;

static inline extent extent_of(const fr_mesh *mesh)
{
    extent sum = {0, 0};
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const float *a = mesh->vertices[mesh->triangles[t][0]], *b = mesh->vertices[mesh->triangles[t][1]];
        const float *c = mesh->vertices[mesh->triangles[t][2]];
        double p[3], q[3], n[3];
        for (int i = 0; i < 3; i++) {
            p[i] = (double)b[i] - (double)a[i];
            q[i] = (double)c[i] - (double)a[i];
        }
        for (int i = 0; i < 3; i++)
            n[i] = p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3];
        sum.volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
        sum.area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    return sum;
}

static inline uint64_t hash_of(const void *data, size_t bytes, uint64_t hash)
{
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    return hash;
}

static inline uint64_t hash_of_mesh(const fr_mesh *mesh)
{
    size_t vertices = (size_t)mesh->vertex_count * sizeof *mesh->vertices;
    uint64_t hash = hash_of(mesh->vertices, vertices, 14695981039346656037u);
    hash = hash_of(mesh->normals, vertices, hash);
    hash = hash_of(mesh->velocity, vertices, hash);
    return hash_of(mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles, hash);
}

#endif
