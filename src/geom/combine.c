/* Combinations of shapes, and modifiers of their distance (offset, shell). A child whose reach box is too far from the
   line of points to change the result is not evaluated. */
#include "geom/node.h"

/* A lower bound of the child's distances on the whole line; −∞ where its reach box meets the line's bounding box. The
   slack covers rounding errors in the child's distances. */
static double combine_lower_bound(const node *child, const line *l)
{
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        double p = line_coordinate(l, a, 0), q = line_coordinate(l, a, l->n - 1);
        double gap = max2(child->reach.min[a] - max2(p, q), min2(p, q) - child->reach.max[a]);
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum > 0 ? sqrt(sum) * (1 - 1e-9) : -INFINITY;
}

static double combine_greatest(const double *d, int n)
{
    double greatest = d[0];
    for (int i = 1; i < n; i++)
        greatest = max2(greatest, d[i]);
    return greatest;
}

static double combine_least(const double *d, int n)
{
    double least = d[0];
    for (int i = 1; i < n; i++)
        least = min2(least, d[i]);
    return least;
}

/* The nearest child is evaluated first, so that most others can be skipped. */
static int combine_nearest_child(const node *self, const line *l)
{
    int nearest = 0;
    double least = INFINITY;
    for (int k = 0; k < self->def.child_count; k++) {
        double bound = combine_lower_bound(self->children[k], l);
        if (bound < least) {
            least = bound;
            nearest = k;
        }
    }
    return nearest;
}

static fr_result union_distance(const node *self, const line *l, double *d)
{
    double other[LINE_MAX_POINTS];
    int nearest = combine_nearest_child(self, l);
    const node *first = self->children[nearest];
    FR_TRY(first->distance(first, l, d));
    double greatest = combine_greatest(d, l->n);
    for (int k = 0; k < self->def.child_count; k++) {
        const node *child = self->children[k];
        if (k == nearest || combine_lower_bound(child, l) >= greatest)
            continue;
        FR_TRY(child->distance(child, l, other));
        for (int i = 0; i < l->n; i++)
            d[i] = min2(d[i], other[i]);
        greatest = combine_greatest(d, l->n);
    }
    return FR_OK;
}

static fr_result combine_require_children(const shape_compiler *c, const node *n)
{
    if (n->def.child_count < 1)
        return fr_fail_key(c->key, "%s: needs at least one shape", c->kind);
    return FR_OK;
}

fr_result union_setup(shape_compiler *c, node *n)
{
    FR_TRY(combine_require_children(c, n));
    n->bounds = n->reach = box_empty();
    for (int k = 0; k < n->def.child_count; k++) {
        n->bounds = box_hull(n->bounds, n->children[k]->bounds);
        n->reach = box_hull(n->reach, n->children[k]->reach);
    }
    n->distance = union_distance;
    return FR_OK;
}

static fr_result intersection_distance(const node *self, const line *l, double *d)
{
    double other[LINE_MAX_POINTS];
    FR_TRY(self->children[0]->distance(self->children[0], l, d));
    for (int k = 1; k < self->def.child_count; k++) {
        FR_TRY(self->children[k]->distance(self->children[k], l, other));
        for (int i = 0; i < l->n; i++)
            d[i] = max2(d[i], other[i]);
    }
    return FR_OK;
}

/* The maximum of two distances is at least each of them, but may be less than the distance to the intersection of the
   two reach boxes. So the reach is that of one child: the smallest. */
fr_result intersection_setup(shape_compiler *c, node *n)
{
    FR_TRY(combine_require_children(c, n));
    n->bounds = n->children[0]->bounds;
    n->reach = n->children[0]->reach;
    for (int k = 1; k < n->def.child_count; k++) {
        n->bounds = box_common(n->bounds, n->children[k]->bounds);
        if (box_girth(&n->children[k]->reach) < box_girth(&n->reach))
            n->reach = n->children[k]->reach;
    }
    n->distance = intersection_distance;
    return FR_OK;
}

static fr_result difference_distance(const node *self, const line *l, double *d)
{
    double other[LINE_MAX_POINTS];
    FR_TRY(self->children[0]->distance(self->children[0], l, d));
    for (int k = 1; k < self->def.child_count; k++) {
        const node *child = self->children[k];
        if (combine_lower_bound(child, l) >= -combine_least(d, l->n))
            continue;
        FR_TRY(child->distance(child, l, other));
        for (int i = 0; i < l->n; i++)
            d[i] = max2(d[i], -other[i]);
    }
    return FR_OK;
}

fr_result difference_setup(shape_compiler *c, node *n)
{
    FR_TRY(combine_require_children(c, n));
    n->bounds = n->children[0]->bounds;
    n->reach = n->children[0]->reach;
    n->distance = difference_distance;
    return FR_OK;
}

/* The quadratic smooth minimum: min(a, b) − h²k/4 with h = max(1 − |a − b|/k, 0). It equals min(a, b) where the two
   distances differ by more than k. */
static fr_result smooth_union_distance(const node *self, const line *l, double *d)
{
    double other[LINE_MAX_POINTS], k = self->def.amount;
    FR_TRY(self->children[0]->distance(self->children[0], l, d));
    for (int c = 1; c < self->def.child_count; c++) {
        const node *child = self->children[c];
        if (combine_lower_bound(child, l) >= combine_greatest(d, l->n) + k)
            continue;
        FR_TRY(child->distance(child, l, other));
        for (int i = 0; i < l->n; i++) {
            double h = max2(k - fabs(d[i] - other[i]), 0);
            d[i] = min2(d[i], other[i]) - 0.25 * h * h / k;
        }
    }
    return FR_OK;
}

fr_result smooth_union_setup(shape_compiler *c, node *n)
{
    FR_TRY(node_require_positive(c, "k", n->def.amount));
    FR_TRY(union_setup(c, n));
    n->reach = box_grow(n->reach, 0.25 * n->def.amount * (n->def.child_count - 1));
    n->bounds = n->reach;
    n->distance = smooth_union_distance;
    return FR_OK;
}

static fr_result offset_distance(const node *self, const line *l, double *d)
{
    FR_TRY(self->children[0]->distance(self->children[0], l, d));
    for (int i = 0; i < l->n; i++)
        d[i] -= self->def.amount;
    return FR_OK;
}

fr_result offset_setup(shape_compiler *c, node *n)
{
    const node *child = n->children[0];
    FR_TRY(node_require_finite(c, "amount", &n->def.amount, 1));
    n->reach = box_grow(child->reach, max2(n->def.amount, 0));
    n->bounds = n->def.amount > 0 ? n->reach : child->bounds;
    n->distance = offset_distance;
    return FR_OK;
}

static fr_result shell_distance(const node *self, const line *l, double *d)
{
    double half = 0.5 * self->def.amount;
    FR_TRY(self->children[0]->distance(self->children[0], l, d));
    for (int i = 0; i < l->n; i++)
        d[i] = fabs(d[i]) - half;
    return FR_OK;
}

fr_result shell_setup(shape_compiler *c, node *n)
{
    FR_TRY(node_require_positive(c, "amount", n->def.amount));
    n->bounds = n->reach = box_grow(n->children[0]->reach, 0.5 * n->def.amount);
    n->distance = shell_distance;
    return FR_OK;
}

static fr_result function_distance(const node *self, const line *l, double *d)
{
    for (int i = 0; i < l->n; i++) {
        vec3 p = line_point(l, i);
        double args[4] = {p.x, p.y, p.z, 0};
        d[i] = NAN;
        FR_TRY(self->def.function(self->def.context, args, &d[i]));
        if (!isfinite(d[i]))
            return fr_fail_key(self->key, "sdf: the function's result at (%g, %g, %g) is not a finite number", p.x, p.y,
                               p.z);
    }
    return FR_OK;
}

fr_result function_setup(shape_compiler *c, node *n)
{
    if (!n->def.function)
        return fr_fail_key(c->key, "%s: needs a function of x, y, z", c->kind);
    c->has_function = true;
    n->bounds = box_endless();
    n->distance = function_distance;
    return FR_OK;
}
