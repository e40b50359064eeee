/* The exact distance to the nearest triangle of a hierarchy, for a packet of neighbouring points at once: they visit
   nearly the same nodes, and the inner loops over plain arrays vectorise. */
#include "geom/bvh.h"

#include <stdbool.h>

static inline double bvh_least(double a, double b) { return a < b ? a : b; }
static inline double bvh_gap(double x, double low, double high)
{
    double below = low - x, above = x - high, gap = below > above ? below : above;
    return gap > 0 ? gap : 0;
}
static inline double bvh_clamp(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

/* Squared distance from a point to a segment. w: vector from the point to the segment's start; inverse: 1 / length². */
static inline double segment_distance2(vec3 w, vec3 along, double inverse)
{
    double t = bvh_clamp(-vec3_dot(w, along) * inverse);
    vec3 gap = vec3_add(w, vec3_scale(along, t));
    return vec3_dot(gap, gap);
}

/* The height above the plane where the point projects into the triangle, else the distance to the nearest edge. The
   barycentric coordinates come from cross products with the normal: they stay accurate for sliver triangles. */
static void triangle_distance2(const bvh_triangle *t, const bvh_packet *p, double *d2)
{
    const vec3 a = t->a, ab = t->ab, ac = t->ac, bc = vec3_sub(ac, ab), normal = vec3_cross(ab, ac);
    const double whole = vec3_dot(normal, normal), inverse = 1 / whole;
    const double ab1 = 1 / vec3_dot(ab, ab), ac1 = 1 / vec3_dot(ac, ac), bc1 = 1 / vec3_dot(bc, bc);
    const vec3 across_u = vec3_cross(ac, normal), across_v = vec3_cross(normal, ab);
    for (int i = 0; i < BVH_PACKET; i++) {
        vec3 ap = {p->x[i] - a.x, p->y[i] - a.y, p->z[i] - a.z}, w = {-ap.x, -ap.y, -ap.z};
        double u = vec3_dot(ap, across_u), v = vec3_dot(ap, across_v), height = vec3_dot(ap, normal);
        double side = bvh_least(segment_distance2(w, ab, ab1), segment_distance2(w, ac, ac1));
        side = bvh_least(side, segment_distance2(vec3_add(w, ab), bc, bc1));
        bool inside = (u >= 0) & (v >= 0) & (u + v <= whole);
        d2[i] = inside ? height * height * inverse : side;
    }
}

static bool bvh_box_matters(const box *b, const bvh_packet *p)
{
    int nearer = 0;
    for (int i = 0; i < BVH_PACKET; i++) {
        double x = bvh_gap(p->x[i], b->min[0], b->max[0]);
        double y = bvh_gap(p->y[i], b->min[1], b->max[1]);
        double z = bvh_gap(p->z[i], b->min[2], b->max[2]);
        nearer |= x * x + y * y + z * z < p->distance2[i];
    }
    return nearer != 0;
}

/* Decides which child is visited first, by the packet's middle point. */
static double bvh_box_distance2(const box *b, const bvh_packet *p)
{
    const double at[3] = {p->x[BVH_PACKET / 2], p->y[BVH_PACKET / 2], p->z[BVH_PACKET / 2]};
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        double gap = bvh_gap(at[a], b->min[a], b->max[a]);
        sum += gap * gap;
    }
    return sum;
}

static void bvh_try_triangle(const bvh *b, int index, bvh_packet *p, int *hint)
{
    double d2[BVH_PACKET];
    triangle_distance2(&b->triangles[index], p, d2);
    if (d2[BVH_PACKET - 1] < p->distance2[BVH_PACKET - 1])
        *hint = index;
    for (int i = 0; i < BVH_PACKET; i++)
        p->distance2[i] = bvh_least(p->distance2[i], d2[i]);
}

void bvh_distance(const bvh *b, bvh_packet *p, int *hint)
{
    int stack[BVH_STACK], top = 0;
    for (int i = 0; i < BVH_PACKET; i++)
        p->distance2[i] = INFINITY;
    bvh_try_triangle(b, *hint, p, hint);
    stack[top++] = 0;
    while (top > 0) {
        int index = stack[--top];
        const bvh_node *n = &b->nodes[index];
        if (!bvh_box_matters(&n->bounds, p))
            continue;
        if (!n->right) {
            for (int i = n->first; i < n->first + n->count; i++)
                bvh_try_triangle(b, i, p, hint);
            continue;
        }
        int left = index + 1, right = n->right;
        bool left_first = bvh_box_distance2(&b->nodes[left].bounds, p) <= bvh_box_distance2(&b->nodes[right].bounds, p);
        stack[top++] = left_first ? right : left;
        stack[top++] = left_first ? left : right;
    }
}
