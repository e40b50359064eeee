#include "geom/blend_grid.h"

#include <pthread.h>
#include <stdlib.h>

/* From so many parts on: six spheres, the fastest parts there are, take as long as a grid. */
enum { PARTS_LEAST = 6 };

/* Cells along the longest side of the node's box, of which those are found that may have something inside. */
enum { BOX_CELLS = 32 };

typedef struct blend_entry blend_entry;
struct blend_entry {
    uint64_t digest;
    mesh_detail detail;
    mesh_grid *grid;
    int users;
    blend_entry *next;
};

/* Held also while a grid is made, so that other threads wait for it and share it. */
static pthread_mutex_t blends_lock = PTHREAD_MUTEX_INITIALIZER;
static blend_entry *blends;

static bool blend_is_bounded(const box *b)
{
    bool bounded = true;
    for (int a = 0; a < 3; a++)
        bounded = bounded && isfinite(b->min[a]) && isfinite(b->max[a]) && b->max[a] > b->min[a];
    return bounded;
}

/* Parts without children; a function's and a mesh's distances are not for grids of this kind. */
static int blend_parts(const node *n, bool *known)
{
    int parts = 0;
    *known = *known && !n->triangles && n->def.kind != FR_SHAPE_SDF;
    for (int k = 0; n->children && k < n->def.child_count; k++)
        parts += blend_parts(n->children[k], known);
    return n->children ? parts : 1;
}

bool blend_is_large(const node *n)
{
    bool known = true;
    return n->def.kind == FR_SHAPE_SMOOTH_UNION && blend_parts(n, &known) >= PARTS_LEAST && known &&
           blend_is_bounded(&n->bounds);
}

/* Cells along a row of the lattice over `in`, whose centres are no further outside than their corners reach. */
static fr_result box_row(const node *n, const line *row, double reach, box *found)
{
    double d[LINE_MAX_POINTS];
    FR_TRY(n->distance(n, row, d));
    for (int i = 0; i < row->n; i++)
        for (int a = 0; a < 3 && d[i] <= reach; a++) {
            found->min[a] = min2(found->min[a], line_coordinate(row, a, i));
            found->max[a] = max2(found->max[a], line_coordinate(row, a, i));
        }
    return FR_OK;
}

fr_result blend_box(const node *n, box *out)
{
    const box *in = &n->bounds;
    double longest = 0, h[3];
    int count[3];
    for (int a = 0; a < 3; a++)
        longest = max2(longest, in->max[a] - in->min[a]);
    for (int a = 0; a < 3; a++) {
        count[a] = (int)ceil(BOX_CELLS * (in->max[a] - in->min[a]) / longest);
        h[a] = (in->max[a] - in->min[a]) / count[a];
    }
    const double reach = 0.5 * sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    box found = box_empty();
    for (int r = 0; r < count[1] * count[2]; r++) {
        const line row = {.at = {in->min[0] + 0.5 * h[0], in->min[1] + (r % count[1] + 0.5) * h[1],
                                 in->min[2] + (r / count[1] + 0.5) * h[2]},
                          .step = {h[0], 0, 0}, .n = count[0]};
        FR_TRY(box_row(n, &row, reach, &found));
    }
    for (int a = 0; a < 3; a++) {
        out->min[a] = found.min[a] - 0.5 * h[a];
        out->max[a] = found.max[a] + 0.5 * h[a];
    }
    if (!blend_is_bounded(out)) /* nothing is inside */
        *out = *in;
    return FR_OK;
}

/* Only functions fail, and there are none in a blend. */
static void blend_distance(const void *of, const line *l, double *d)
{
    const node *n = of;
    (void)n->distance(n, l, d);
}

static fr_result blend_make(const node *n, const mesh_detail *detail, blend_entry *entry)
{
    grid_source source = {.distance = blend_distance, .of = n};
    FR_TRY(blend_box(n, &source.bounds));
    FR_TRY(mesh_grid_sample(&source, detail, &entry->grid));
    mesh_grid_tighten(entry->grid);
    return FR_OK;
}

static fr_result blend_find(const node *n, const mesh_detail *detail, blend_entry **out)
{
    const uint64_t digest = node_digest(n);
    for (blend_entry *entry = blends; entry; entry = entry->next)
        if (entry->digest == digest && entry->detail.cell == detail->cell && entry->detail.beyond == detail->beyond) {
            *out = entry;
            return FR_OK;
        }
    blend_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for the grid of a shape");
    *entry = (blend_entry){.digest = digest, .detail = *detail, .next = blends};
    fr_result result = blend_make(n, detail, entry);
    if (result != FR_OK) {
        free(entry);
        return result;
    }
    blends = *out = entry;
    return FR_OK;
}

fr_result blend_take(const node *n, const mesh_detail *detail, const mesh_grid **out)
{
    blend_entry *entry = NULL;
    pthread_mutex_lock(&blends_lock);
    fr_result result = blend_find(n, detail, &entry);
    if (result == FR_OK) {
        entry->users++;
        *out = entry->grid;
    }
    pthread_mutex_unlock(&blends_lock);
    return result;
}

void blend_give_back(const mesh_grid *grid)
{
    pthread_mutex_lock(&blends_lock);
    for (blend_entry **at = &blends; *at; at = &(*at)->next) {
        blend_entry *entry = *at;
        if (entry->grid != grid)
            continue;
        if (--entry->users == 0) {
            *at = entry->next;
            mesh_grid_destroy(entry->grid);
            free(entry);
        }
        break;
    }
    pthread_mutex_unlock(&blends_lock);
}
