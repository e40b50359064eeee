/* The nearest obstacle to a point.

   Rigid bodies have bounds, and a tree of boxes over them: they are sorted along a curve that fills space (Morton
   1966), halves of that order are halves of the tree, and the nearer half is looked at first. So among N bodies a
   distance takes about log N of them. The nearest of all does not depend on the order in which they are visited. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geom/box.h"
#include "mac/solids/solids_parts.h"

enum { TREE_BITS = 10 };

/* Depth first: the low half of a node follows it. */
typedef struct tree_node {
    box bounds;
    int high;                /* where the other half begins; 0: a leaf */
    int body;                /* of a leaf */
} tree_node;

typedef struct tree_leaf {
    uint32_t place;          /* along the curve */
    int body;
} tree_leaf;

struct solids_tree {
    int count;               /* bodies in it; the rest of `leaf` are all that are present besides */
    int rest;
    tree_leaf *leaf;
    tree_node *node;
};

fr_result tree_create(int bodies, solids_tree **out)
{
    *out = MEMORY_NEW(solids_tree, 1);
    if (!*out)
        return FR_ERROR_MEMORY;
    (*out)->leaf = MEMORY_NEW(tree_leaf, bodies);
    (*out)->node = MEMORY_NEW(tree_node, 2 * bodies);
    return (*out)->leaf && (*out)->node ? FR_OK : FR_ERROR_MEMORY;
}

void tree_destroy(solids_tree *t)
{
    if (!t)
        return;
    memory_free(t->leaf);
    memory_free(t->node);
    memory_free(t);
}

double tree_bytes(int bodies)
{
    return sizeof(solids_tree) + (double)bodies * (double)(sizeof(tree_leaf) + 2 * sizeof(tree_node));
}

static int tree_compare(const void *one, const void *other)
{
    const tree_leaf *a = one, *b = other;
    return a->place != b->place ? (a->place > b->place) - (a->place < b->place) : a->body - b->body;
}

/* Where the middle of a body is along the curve through the box of all: the bits of its places on the axes in turn. */
static uint32_t tree_place(const solids_body *body, const box *all)
{
    uint32_t place = 0;
    for (int a = 0; a < 3; a++) {
        const double middle = 0.5 * (body->min[a] + body->max[a]), width = all->max[a] - all->min[a];
        const double part = width > 0 && isfinite(width) ? (middle - all->min[a]) / width : 0;
        const uint32_t at = (uint32_t)(part * ((1 << TREE_BITS) - 1));
        for (int bit = 0; bit < TREE_BITS; bit++)
            place |= (at >> bit & 1) << (3 * bit + a);
    }
    return place;
}

/* The leaves from `first` up to `end` become the node `at`; gives where the next one goes. */
static int tree_grow(const solids *s, int first, int end, int at)
{
    tree_node *n = &s->tree->node[at];
    *n = (tree_node){.body = s->tree->leaf[first].body};
    if (end - first == 1) {
        const solids_body *body = &s->bodies[n->body];
        n->bounds = box_empty();
        box_add(&n->bounds, body->min);
        box_add(&n->bounds, body->max);
        return at + 1;
    }
    const int middle = first + (end - first) / 2;
    n->high = tree_grow(s, first, middle, at + 1);
    const int next = tree_grow(s, middle, end, n->high);
    n->bounds = box_hull(n[1].bounds, s->tree->node[n->high].bounds);
    return next;
}

void tree_build(solids *s)
{
    solids_tree *t = s->tree;
    box all = box_empty();
    t->count = t->rest = 0;
    for (int b = 0; b < s->body_count; b++)
        if (s->bodies[b].present && s->bodies[b].rigid) {
            box_add(&all, s->bodies[b].min);
            box_add(&all, s->bodies[b].max);
            t->leaf[t->count++].body = b;
        }
    for (int b = 0; b < s->body_count; b++)
        if (s->bodies[b].present && !s->bodies[b].rigid)
            t->leaf[t->count + t->rest++].body = b;
    for (int n = 0; n < t->count; n++)
        t->leaf[n].place = tree_place(&s->bodies[t->leaf[n].body], &all);
    qsort(t->leaf, (size_t)t->count, sizeof *t->leaf, tree_compare);
    if (t->count > 0)
        tree_grow(s, 0, t->count, 0);
}

/* m², from a point to a box; 0 in it. */
static double tree_gap(const box *b, const double point[3])
{
    double square = 0;
    for (int a = 0; a < 3; a++) {
        const double below = b->min[a] - point[a], above = point[a] - b->max[a];
        const double gap = below > 0 ? below : above > 0 ? above : 0;
        square += gap * gap;
    }
    return square;
}

/* Whether nothing at that distance, squared, can be nearer: outside of its box no body has a negative distance. */
static bool tree_beyond(double square, double nearest)
{
    return nearest > 0 ? square >= nearest * nearest : square > 0;
}

static fr_result tree_nearest(const solids *s, const double point[3], double *nearest)
{
    enum { DEPTH = 64 };
    const tree_node *node = s->tree->node;
    struct {
        double gap;
        int node;
    } stack[DEPTH];
    int waiting = 0;
    stack[waiting].gap = tree_gap(&node[0].bounds, point);
    stack[waiting++].node = 0;
    while (waiting > 0) {
        const double gap = stack[--waiting].gap;
        const int at = stack[waiting].node;
        if (tree_beyond(gap, *nearest))
            continue;
        if (node[at].high == 0) {
            double distance;
            FR_TRY(shape_distance(s->bodies[node[at].body].shape, point, &distance));
            *nearest = fmin(*nearest, distance);
            continue;
        }
        const double gaps[2] = {tree_gap(&node[at + 1].bounds, point), tree_gap(&node[node[at].high].bounds, point)};
        const int first = gaps[1] < gaps[0]; /* the nearer is taken next */
        stack[waiting].gap = gaps[1 - first];
        stack[waiting++].node = first ? at + 1 : node[at].high;
        stack[waiting].gap = gaps[first];
        stack[waiting++].node = first ? node[at].high : at + 1;
    }
    return FR_OK;
}

static fr_result tree_rest(const solids *s, const double point[3], double *nearest)
{
    const solids_tree *t = s->tree;
    for (int n = t->count; n < t->count + t->rest; n++) {
        double distance;
        FR_TRY(shape_distance(s->bodies[t->leaf[n].body].shape, point, &distance));
        *nearest = fmin(*nearest, distance);
    }
    return FR_OK;
}

fr_result solids_distance_at(const solids *s, const double point[3], double *nearest)
{
    *nearest = INFINITY;
    FR_TRY(tree_rest(s, point, nearest));
    return s->tree->count > 0 ? tree_nearest(s, point, nearest) : FR_OK;
}

fr_result solids_distance_to_others(const solids *s, const double point[3], double *nearest)
{
    if (s->rigid_count == 0)
        return solids_distance_at(s, point, nearest);
    *nearest = INFINITY;
    return tree_rest(s, point, nearest);
}
