/* Translating, rotating and scaling a shape: the line of points is transformed into the child's frame. */
#include "geom/node.h"

#include <string.h>

static fr_result place_distance(const node *self, const line *l, double *d)
{
    const node *child = self->children[0];
    line inner = {.first = l->first, .n = l->n};
    for (int a = 0; a < 3 && self->upright; a++) {
        inner.at[a] = l->at[a] - self->move[a];
        inner.step[a] = l->step[a];
    }
    const double off[3] = {l->at[0] - self->move[0], l->at[1] - self->move[1], l->at[2] - self->move[2]};
    for (int a = 0; a < 3 && !self->upright; a++) {
        const double *t = self->turn[a];
        inner.at[a] = t[0] * off[0] + t[1] * off[1] + t[2] * off[2];
        if (l->n > 1 || l->first > 0)
            inner.step[a] = t[0] * l->step[0] + t[1] * l->step[1] + t[2] * l->step[2];
    }
    return child->distance(child, &inner, d);
}

/* Bounding box of the transformed box. Zero factors are skipped: 0·∞ would be NaN. */
static box place_box(const node *n, const box *inner)
{
    box b;
    for (int a = 0; a < 3; a++) {
        b.min[a] = b.max[a] = n->move[a];
        for (int k = 0; k < 3; k++) {
            double factor = n->turn[k][a];
            if (factor == 0)
                continue;
            b.min[a] += factor * (factor > 0 ? inner->min[k] : inner->max[k]);
            b.max[a] += factor * (factor > 0 ? inner->max[k] : inner->min[k]);
        }
    }
    return b;
}

static fr_result scale_distance(const node *self, const line *l, double *d)
{
    const node *child = self->children[0];
    double factor = self->def.amount;
    line inner = {.first = l->first, .n = l->n};
    for (int a = 0; a < 3; a++) {
        inner.at[a] = l->at[a] / factor;
        inner.step[a] = l->step[a] / factor;
    }
    FR_TRY(child->distance(child, &inner, d));
    for (int i = 0; i < l->n; i++)
        d[i] *= factor;
    return FR_OK;
}

void node_renew_bounds(node *n)
{
    if (n->distance == place_distance) {
        n->bounds = place_box(n, &n->children[0]->bounds);
        n->reach = place_box(n, &n->children[0]->reach);
    } else if (n->distance == scale_distance) {
        n->bounds = box_scale(n->children[0]->bounds, n->def.amount);
        n->reach = box_scale(n->children[0]->reach, n->def.amount);
    }
}

void node_set_pose(node *n, const pose *p)
{
    n->upright = true;
    for (int a = 0; a < 3; a++) {
        n->move[a] = p->at[a];
        for (int b = 0; b < 3; b++) {
            n->turn[b][a] = p->turn[a][b];
            n->upright = n->upright && p->turn[a][b] == (a == b);
        }
    }
    node_renew_bounds(n);
}

static fr_result place_setup(shape_compiler *c, node *n, const double axis[3], double degrees)
{
    FR_TRY(node_require_finite(c, "the rotation's axis", axis, 3));
    FR_TRY(node_require_finite(c, "the rotation's angle", &degrees, 1));
    FR_TRY(node_require_finite(c, "the position", n->move, 3));
    if (degrees != 0 && !(vec3_length(vec3_unit(vec3_of(axis))) > 0.5))
        return fr_fail_key(c->key, "%s: a rotation by %g degrees needs an axis that is not zero", c->kind, degrees);
    pose p = pose_of(axis, degrees, n->move);
    n->distance = place_distance;
    node_set_pose(n, &p);
    return FR_OK;
}

fr_result translate_setup(shape_compiler *c, node *n)
{
    memcpy(n->move, n->def.min, sizeof n->move);
    return place_setup(c, n, (double[3]){0}, 0);
}

fr_result rotate_setup(shape_compiler *c, node *n)
{
    return place_setup(c, n, n->def.normal, n->def.amount);
}

fr_result node_place(shape_compiler *c, node *child, const double axis[3], double degrees, const double move[3],
                     node **out)
{
    node *n = ARENA_NEW(c->arena, node, 1);
    node **children = ARENA_NEW(c->arena, node *, 1);
    if (!n || !children)
        return FR_ERROR_MEMORY;
    children[0] = child;
    n->children = children;
    n->def.child_count = 1;
    n->dims = c->dims;
    memcpy(n->move, move, sizeof n->move);
    *out = n;
    return place_setup(c, n, axis, degrees);
}

fr_result scale_setup(shape_compiler *c, node *n)
{
    FR_TRY(node_require_positive(c, "amount", n->def.amount));
    n->distance = scale_distance;
    node_renew_bounds(n);
    return FR_OK;
}
