#include "geom/bake.h"

#include <stdlib.h>

#include "geom/blend_grid.h"
#include "geom/mesh_store.h"

typedef fr_result (*bake_visit)(void *context, node *n, const mesh_detail *detail);

/* What a node asks of the distances of its children: those that grow a shape need them as far outside. */
static mesh_detail bake_below(const node *n, mesh_detail detail)
{
    const fr_shape_kind kind = n->def.kind;
    const double amount = n->def.amount;
    if (kind == FR_SHAPE_SCALE)
        return (mesh_detail){detail.cell / amount, detail.beyond / amount};
    if (kind == FR_SHAPE_OFFSET || kind == FR_SHAPE_SMOOTH_UNION)
        detail.beyond += max2(amount, 0);
    if (kind == FR_SHAPE_SHELL)
        detail.beyond += 0.5 * amount;
    return detail;
}

static fr_result bake_walk(node *n, mesh_detail detail, bake_visit visit, void *context)
{
    if (n->triangles || blend_is_large(n))
        return visit(context, n, &detail);
    if (!n->children)
        return FR_OK;
    const mesh_detail below = bake_below(n, detail);
    for (int k = 0; k < n->def.child_count; k++)
        FR_TRY(bake_walk(n->children[k], below, visit, context));
    node_renew_bounds(n);
    return FR_OK;
}

static fr_result bake_distance(const node *self, const line *l, double *d)
{
    mesh_grid_distance(self->grid, l, d);
    return FR_OK;
}

static fr_result bake_one(void *context, node *n, const mesh_detail *detail)
{
    (void)context;
    if (n->triangles) {
        FR_TRY(mesh_store_grid(n->triangles, detail, &n->grid));
    } else if (!n->grid) {
        FR_TRY(blend_take(n, detail, &n->grid));
        n->bounds = n->reach = n->grid->bounds;
    }
    n->distance = bake_distance;
    return FR_OK;
}

void bake_end(node *n)
{
    if (n->grid && !n->triangles)
        blend_give_back(n->grid);
    for (int k = 0; n->children && k < n->def.child_count; k++)
        bake_end(n->children[k]);
}

fr_result bake_node(node *n, double cell)
{
    return bake_walk(n, (mesh_detail){.cell = cell}, bake_one, NULL);
}

static fr_result bake_note(void *context, node *n, const mesh_detail *detail)
{
    bake_list *list = context;
    bake_item own = {n->triangles, n->triangles ? 0 : node_digest(n), *detail, {{0}, {0}}};
    for (int i = 0; i < list->count; i++) {
        const bake_item *item = &list->items[i];
        if (item->triangles == own.triangles && item->digest == own.digest && item->detail.cell == detail->cell &&
            item->detail.beyond == detail->beyond)
            return FR_OK;
    }
    if (n->triangles)
        own.bounds = n->triangles->nodes[0].bounds;
    else
        FR_TRY(blend_box(n, &own.bounds));
    if (list->count == list->space) {
        const int space = 2 * list->space + 8;
        bake_item *items = realloc(list->items, sizeof *items * (size_t)space);
        if (!items)
            return fr_fail(FR_ERROR_MEMORY, "out of memory for a list of %d grids", space);
        list->items = items;
        list->space = space;
    }
    list->items[list->count++] = own;
    return FR_OK;
}

fr_result bake_list_add(bake_list *list, node *n, double cell)
{
    return bake_walk(n, (mesh_detail){.cell = cell}, bake_note, list);
}

double bake_list_bytes(const bake_list *list)
{
    double bytes = 0;
    for (int i = 0; i < list->count; i++)
        bytes += mesh_grid_room(&list->items[i].bounds, &list->items[i].detail);
    return bytes;
}

void bake_list_free(bake_list *list)
{
    free(list->items);
    *list = (bake_list){0};
}
