/* Builds the hierarchy by median splits along the longest side of the bounding box of the triangles' centres. */
#include "geom/bvh.h"

#include "base/memory.h"

enum { LEAF_TRIANGLES = 4 };

static vec3 bvh_triangle_normal(const bvh_triangle *t)
{
    return vec3_scale(vec3_cross(t->ab, t->ac), 0.5);
}

static vec3 bvh_triangle_centre(const bvh_triangle *t)
{
    return vec3_add(t->a, vec3_scale(vec3_add(t->ab, t->ac), 1.0 / 3));
}

static double bvh_component(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static void bvh_box_add(box *b, vec3 p)
{
    box_add(b, (double[3]){p.x, p.y, p.z});
}

static void bvh_swap(bvh_triangle *t, int i, int j)
{
    bvh_triangle swap = t[i];
    t[i] = t[j];
    t[j] = swap;
}

/* Hoare's quickselect: the triangles before `middle` get the smaller centres. Equal keys stop both scans, so that many
   equal centres are still split in half. */
static void bvh_select(bvh_triangle *t, int count, int middle, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        double pivot = bvh_component(bvh_triangle_centre(&t[low + (high - low) / 2]), axis);
        int i = low, j = high;
        while (i <= j) {
            while (bvh_component(bvh_triangle_centre(&t[i]), axis) < pivot)
                i++;
            while (bvh_component(bvh_triangle_centre(&t[j]), axis) > pivot)
                j--;
            if (i <= j)
                bvh_swap(t, i++, j--);
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

/* Computes the bounds and the dipole of a node. Returns the longest axis of the bounding box of the centres. */
static int bvh_measure(const bvh *b, bvh_node *n)
{
    box centres = box_empty();
    double area = 0;
    n->bounds = box_empty();
    for (int i = n->first; i < n->first + n->count; i++) {
        const bvh_triangle *t = &b->triangles[i];
        vec3 normal = bvh_triangle_normal(t), centre = bvh_triangle_centre(t);
        double weight = vec3_length(normal);
        bvh_box_add(&n->bounds, t->a);
        bvh_box_add(&n->bounds, vec3_add(t->a, t->ab));
        bvh_box_add(&n->bounds, vec3_add(t->a, t->ac));
        bvh_box_add(&centres, centre);
        n->normal = vec3_add(n->normal, normal);
        n->centre = vec3_add(n->centre, vec3_scale(centre, weight));
        area += weight;
    }
    n->centre = vec3_scale(n->centre, 1 / area);
    double c[3] = {n->centre.x, n->centre.y, n->centre.z}, corner = 0;
    int longest = 0;
    for (int a = 0; a < 3; a++) {
        double far = fmax(c[a] - n->bounds.min[a], n->bounds.max[a] - c[a]);
        corner += far * far;
        if (centres.max[a] - centres.min[a] > centres.max[longest] - centres.min[longest])
            longest = a;
    }
    n->radius = sqrt(corner);
    return longest;
}

static int bvh_build(bvh *b, int first, int count)
{
    int index = b->node_count++;
    bvh_node *n = &b->nodes[index];
    n->first = first;
    n->count = count;
    int axis = bvh_measure(b, n);
    if (count > LEAF_TRIANGLES) {
        int half = count / 2;
        bvh_select(b->triangles + first, count, half, axis);
        bvh_build(b, first, half);
        n->right = bvh_build(b, first + half, count - half);
    }
    return index;
}

/* A triangle whose area is below the rounding error of its coordinates has no normal and no winding number. */
static bool bvh_has_area(const bvh_triangle *t)
{
    double side = fmax(vec3_dot(t->ab, t->ab), vec3_dot(t->ac, t->ac));
    return vec3_length(vec3_cross(t->ab, t->ac)) > 1e-10 * side;
}

static void bvh_collect(bvh *b, const mesh *m)
{
    for (int i = 0; i < m->triangle_count; i++) {
        const int *v = m->triangles[i];
        vec3 p = vec3_of(m->vertices[v[0]]);
        bvh_triangle t = {p, vec3_sub(vec3_of(m->vertices[v[1]]), p), vec3_sub(vec3_of(m->vertices[v[2]]), p)};
        if (bvh_has_area(&t))
            b->triangles[b->triangle_count++] = t;
    }
}

fr_result bvh_create(const mesh *m, bool closed, bvh **out)
{
    bvh *b = MEMORY_NEW(bvh, 1);
    if (!b)
        return FR_ERROR_MEMORY;
    b->closed = closed;
    b->triangles = MEMORY_NEW(bvh_triangle, m->triangle_count);
    b->nodes = MEMORY_NEW(bvh_node, m->triangle_count);
    if (!b->triangles || !b->nodes) {
        bvh_destroy(b);
        return FR_ERROR_MEMORY;
    }
    bvh_collect(b, m);
    if (b->triangle_count == 0) {
        bvh_destroy(b);
        return fr_fail(FR_ERROR_FILE, "none of the mesh's %d triangles has an area", m->triangle_count);
    }
    if (b->triangle_count < m->triangle_count)
        fr_log(FR_LOG_INFO, "%d of the mesh's %d triangles have no area and were left out",
               m->triangle_count - b->triangle_count, m->triangle_count);
    bvh_build(b, 0, b->triangle_count);
    *out = b;
    return FR_OK;
}

void bvh_destroy(bvh *b)
{
    if (!b)
        return;
    memory_free(b->nodes);
    memory_free(b->triangles);
    memory_free(b);
}
