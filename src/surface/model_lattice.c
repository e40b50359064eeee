#include "surface/model.h"

#include <math.h>

#include "base/memory.h"
#include "surface/blocks.h"
#include "surface/smooth.h"
#include "surface/tetrahedra.h"

/* Cells across the thinnest side at least; nodes of empty space around the shape. */
enum { LATTICE_THIN = 12, LATTICE_MARGIN = 2 };

fr_result model_lattice_create(const fr_model *m, int cells, model_lattice *out)
{
    const double longest = fmax(m->size[0], fmax(m->size[1], m->size[2]));
    *out = (model_lattice){.least = INFINITY};
    for (int a = 0; a < 3; a++) {
        double middle = m->low[a] + 0.5 * (m->n[a] - 1) * m->step;
        int own = (int)fmax(ceil(cells * m->size[a] / longest), LATTICE_THIN);
        out->step[a] = m->size[a] / own;
        out->least = fmin(out->least, out->step[a]);
        out->n[a] = own + 1 + 2 * LATTICE_MARGIN;
        /* an odd share of a cell, so that no face of the shape runs along the nodes */
        out->low[a] = middle - (0.5 * (out->n[a] - 1) + 0.2371) * out->step[a];
    }
    out->value = MEMORY_NEW(float, (int64_t)out->n[0] * out->n[1] * out->n[2]);
    return out->value ? FR_OK : FR_ERROR_MEMORY;
}

void model_lattice_destroy(model_lattice *l)
{
    memory_free(l->value);
    l->value = NULL;
}

/* All blocks are evaluated: that is a copy. */
static fr_result lattice_mark(const source *s, blocks *b)
{
    (void)s;
    for (int64_t i = 0; i < (int64_t)b->n[0] * b->n[1] * b->n[2]; i++)
        b->table[i] = BLOCK_NEAR;
    return FR_OK;
}

static void lattice_fill(const source *s, const int node[3], float *values)
{
    const model_lattice *l = s->of;
    for (int k = 0; k < BLOCK_SIDE && node[2] + k < s->n[2]; k++)
        for (int j = 0; j < BLOCK_SIDE && node[1] + j < s->n[1]; j++)
            for (int i = 0; i < BLOCK_SIDE && node[0] + i < s->n[0]; i++) {
                ptrdiff_t at = ((ptrdiff_t)(node[2] + k) * l->n[1] + node[1] + j) * l->n[0] + node[0] + i;
                values[block_node(i, j, k)] = l->value[at];
            }
}

static fr_result lattice_source(const model_lattice *l, source *out)
{
    *out = (source){.of = l, .mark = lattice_mark, .fill = lattice_fill};
    for (int a = 0; a < 3; a++) {
        out->n[a] = l->n[a];
        out->high[a] = l->n[a] - 1;
    }
    FR_TRY(source_places(out));
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < l->n[a]; i++)
            out->place[a][i] = l->low[a] + i * l->step[a];
    return FR_OK;
}

fr_result model_lattice_march(const model_lattice *l, fr_mesh *mesh)
{
    source s;
    blocks b;
    FR_TRY(lattice_source(l, &s));
    fr_result result = blocks_create(&s, &b);
    if (result == FR_OK) {
        result = tetrahedra_march(&b, 6, mesh);
        blocks_destroy(&b);
    }
    source_destroy(&s);
    return result == FR_OK ? smooth_normals(mesh) : result;
}
