/* What tells shapes from each other: a hash of all numbers of a node and of those below it. */
#include "base/checksum.h"
#include "geom/node.h"

static void digest_add(const node *n, checksum *sum)
{
    const fr_shape_def *def = &n->def;
    const double numbers[] = {def->radius, def->tube, def->height, def->round, def->depth, def->thickness,
                              def->hole, def->offset, def->amount};
    const int counts[] = {(int)def->kind, n->dims, def->teeth, def->axis, def->point_count, def->child_count};
    checksum_add(sum, numbers, sizeof numbers);
    checksum_add(sum, counts, sizeof counts);
    checksum_add(sum, def->min, sizeof def->min);
    checksum_add(sum, def->max, sizeof def->max);
    checksum_add(sum, def->size, sizeof def->size);
    checksum_add(sum, def->normal, sizeof def->normal);
    checksum_add(sum, &n->triangles, sizeof n->triangles);
    if (def->points)
        checksum_add(sum, def->points, sizeof *def->points * (size_t)def->point_count);
    for (int k = 0; n->children && k < def->child_count; k++)
        digest_add(n->children[k], sum);
}

uint64_t node_digest(const node *n)
{
    checksum sum;
    checksum_begin(&sum);
    digest_add(n, &sum);
    return checksum_end(&sum);
}
