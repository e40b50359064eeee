#include "geom/mesh.h"

#include "base/memory.h"

void mesh_free(mesh *m)
{
    memory_free(m->vertices);
    memory_free(m->triangles);
    *m = (mesh){0};
}

void mesh_fit(mesh *m, double size)
{
    double longest = 0;
    for (int a = 0; a < 3; a++)
        longest = fmax(longest, m->bounds.max[a] - m->bounds.min[a]);
    double factor = longest > 0 ? size / longest : 1;
    for (int a = 0; a < 3; a++) {
        double centre = 0.5 * (m->bounds.min[a] + m->bounds.max[a]);
        for (int v = 0; v < m->vertex_count; v++)
            m->vertices[v][a] = (m->vertices[v][a] - centre) * factor;
        m->bounds.min[a] = (m->bounds.min[a] - centre) * factor;
        m->bounds.max[a] = (m->bounds.max[a] - centre) * factor;
    }
}
