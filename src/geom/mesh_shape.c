/* A mesh as a shape: distance from the hierarchy, sign from the winding number. */
#include <stdlib.h>

#include "geom/mesh_grid.h"
#include "geom/mesh_store.h"

/* Inside where |winding number| ≥ 1/2: a mesh whose faces all point inwards is the same solid. Points outside the
   bounding box are outside, whatever the error of the dipole approximation. */
static bool mesh_is_inside(const bvh *b, vec3 p)
{
    const box *in = &b->nodes[0].bounds;
    bool boxed = p.x > in->min[0] && p.x < in->max[0] && p.y > in->min[1] && p.y < in->max[1] && p.z > in->min[2] &&
                 p.z < in->max[2];
    return boxed && fabs(bvh_winding(b, p)) > 0.5;
}

static void mesh_unsigned_distance(const bvh *b, const line *l, double *d)
{
    int hint = 0;
    for (int first = 0; first < l->n; first += BVH_PACKET) {
        bvh_packet packet;
        for (int i = 0; i < BVH_PACKET; i++) {
            vec3 p = line_point(l, first + i < l->n ? first + i : l->n - 1);
            packet.x[i] = p.x;
            packet.y[i] = p.y;
            packet.z[i] = p.z;
        }
        bvh_distance(b, &packet, &hint);
        for (int i = 0; i < BVH_PACKET && first + i < l->n; i++)
            d[first + i] = sqrt(packet.distance2[i]);
    }
}

/* In a closed mesh the sign cannot change between two points that are closer to each other than the first is to the
   surface. This saves most winding numbers. */
void mesh_line_distance(const bvh *b, const line *l, double *d)
{
    double step = vec3_length(vec3_of(l->step)) * (1 + 1e-6), last = 0;
    bool inside = false;
    mesh_unsigned_distance(b, l, d);
    for (int i = 0; i < l->n; i++) {
        if (!(b->closed && last > step))
            inside = mesh_is_inside(b, line_point(l, i));
        last = d[i];
        d[i] = inside ? -d[i] : d[i];
    }
}

static fr_result mesh_shape_distance(const node *self, const line *l, double *d)
{
    mesh_line_distance(self->triangles, l, d);
    return FR_OK;
}

/* Makes room in the list of meshes that the shape gives back to the store at its end. */
static fr_result mesh_reserve(shape_compiler *c)
{
    if (c->mesh_count < c->mesh_space)
        return FR_OK;
    int space = 2 * c->mesh_space + 4;
    const bvh **meshes = realloc(c->meshes, sizeof *meshes * (size_t)space);
    if (!meshes)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for a list of %d meshes", space);
    c->meshes = meshes;
    c->mesh_space = space;
    return FR_OK;
}

/* A file that cannot be read is an error of the scene, reported with its key. */
fr_result mesh_setup(shape_compiler *c, node *n)
{
    if (!n->def.file || !*n->def.file)
        return fr_fail_key(c->key, "%s: needs a file", c->kind);
    if (n->def.size[0] != 0)
        FR_TRY(node_require_positive(c, "size", n->def.size[0]));
    FR_TRY(mesh_reserve(c));
    fr_result result = mesh_store_take(n->def.file, n->def.size[0], &n->triangles);
    if (result == FR_OK) {
        c->meshes[c->mesh_count++] = n->triangles;
        n->bounds = n->triangles->nodes[0].bounds;
        n->distance = mesh_shape_distance;
    }
    if (result == FR_OK || result == FR_ERROR_MEMORY)
        return result;
    fr_fail_key(c->key, "%s: %s", c->kind, fr_error_message());
    return result == FR_ERROR_FILE ? FR_ERROR_INPUT : result;
}
