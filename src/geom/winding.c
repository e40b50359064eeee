/* The generalised winding number of a triangle soup: the sum of the solid angles of its triangles over 4π
   (A. Jacobson, L. Kavan, O. Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding
   numbers", 2013, eq. 5). Triangles far away are summed as one dipole per node of the hierarchy (G. Barill et
   al., "Fast winding numbers for soups and clouds", 2018, section 3). */
#include "geom/bvh.h"

/* A node is far when its distance exceeds this many of its radii. The error of the winding number stays near 0.01, far
   below the threshold of 1/2. */
static const double far_radii = 2.0;

/* Solid angle of a triangle seen from the origin (A. van Oosterom, J. Strackee, "The solid angle of a plane
   triangle", 1983, eq. 8). */
static double winding_triangle(vec3 a, vec3 b, vec3 c)
{
    double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
    double volume = vec3_dot(a, vec3_cross(b, c));
    double scale = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    return 2 * atan2(volume, scale);
}

static double winding_leaf(const bvh *b, const bvh_node *n, vec3 at)
{
    double sum = 0;
    for (int i = n->first; i < n->first + n->count; i++) {
        const bvh_triangle *t = &b->triangles[i];
        vec3 a = vec3_sub(t->a, at);
        sum += winding_triangle(a, vec3_add(a, t->ab), vec3_add(a, t->ac));
    }
    return sum;
}

double bvh_winding(const bvh *b, vec3 at)
{
    int stack[BVH_STACK], top = 0;
    double sum = 0;
    stack[top++] = 0;
    while (top > 0) {
        int index = stack[--top];
        const bvh_node *n = &b->nodes[index];
        vec3 to = vec3_sub(n->centre, at);
        double distance2 = vec3_dot(to, to), reach = far_radii * n->radius;
        if (distance2 > reach * reach) {
            sum += vec3_dot(to, n->normal) / (distance2 * sqrt(distance2));
        } else if (!n->right) {
            sum += winding_leaf(b, n, at);
        } else {
            stack[top++] = n->right;
            stack[top++] = index + 1;
        }
    }
    return sum / (4 * FR_PI);
}
