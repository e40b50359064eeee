#include "sph/pressure/coarse_space.h"

#include <math.h>

#include "base/memory.h"
#include "base/wide.h"

/* Edge of a coarse cell, in supports of the kernel. Twice or half of it takes as many sweeps. */
static const double EDGE = 2;

static domain coarse_block(const sph_model *m)
{
    domain block = {.dims = m->dims};
    for (int a = 0; a < 3; a++) {
        double length = m->high[a] - m->low[a];
        block.n[a] = a < m->dims ? (int)fmax(1, floor(length / (EDGE * m->kernel.support) * (1 + 1e-9))) : 1;
        block.h[a] = a < m->dims ? length / block.n[a] : 1;
        block.origin[a] = m->low[a];
        block.periodic[a] = m->periodic[a];
    }
    return block;
}

static void coarse_measure(sph_coarse *c)
{
    const domain *block = &c->block;
    c->full = 1;
    for (int a = 0; a < 3; a++) {
        bool there = a < block->dims, round = there && block->periodic[a];
        c->first[a] = there ? (float)(block->origin[a] + 0.5 * block->h[a]) : 0;
        c->per_edge[a] = there ? (float)(1 / block->h[a]) : 0;
        c->most[a] = (float)(block->n[a] - 1) + (round ? 0.5f : 0);
        c->period[a] = round ? (float)block->n[a] : 0;
    }
}

static fr_result coarse_divide(sph_coarse *c)
{
    c->memory = MEMORY_NEW(float, COARSE_PARTS * c->right.count);
    if (!c->memory)
        return FR_ERROR_MEMORY;
    for (int part = 0; part < COARSE_PARTS; part++)
        c->parts[part].data = c->memory + (size_t)part * c->right.count + field_first(&c->right);
    return FR_OK;
}

fr_result sph_coarse_create(const sph_model *m, sph_coarse **out)
{
    sph_coarse *c = *out = MEMORY_NEW(sph_coarse, 1);
    if (!c)
        return FR_ERROR_MEMORY;
    c->block = coarse_block(m);
    coarse_measure(c);
    for (int a = 0; a < m->dims; a++)
        c->full *= c->block.h[a] / m->spacing;
    FR_TRY(poisson_create(&c->block, false, &c->solver));
    for (int a = 0; a < 3; a++)
        FR_TRY(field_create(&c->block, field_face(a), &c->weight[a]));
    FR_TRY(field_create(&c->block, FR_AT_CELL, &c->extra));
    FR_TRY(field_create(&c->block, FR_AT_CELL, &c->right));
    FR_TRY(field_create(&c->block, FR_AT_CELL, &c->error));
    FR_TRY(field_create(&c->block, FR_AT_CELL, &c->filled));
    return coarse_divide(c);
}

fr_result sph_coarse_reserve(sph_coarse *c, int64_t particles)
{
    int64_t bytes = particles / WIDE + 1;
    if (bytes <= c->room)
        return FR_OK;
    memory_free(c->inside);
    c->inside = MEMORY_NEW(uint8_t, bytes);
    c->room = c->inside ? bytes : 0;
    return c->inside ? FR_OK : FR_ERROR_MEMORY;
}

void sph_coarse_destroy(sph_coarse *c)
{
    if (!c)
        return;
    poisson_destroy(c->solver);
    for (int a = 0; a < 3; a++)
        field_destroy(&c->weight[a]);
    field_destroy(&c->extra);
    field_destroy(&c->right);
    field_destroy(&c->error);
    field_destroy(&c->filled);
    memory_free(c->inside);
    memory_free(c->memory);
    memory_free(c);
}

double sph_coarse_bytes(const sph_model *m)
{
    domain block = coarse_block(m);
    double bytes =
        (double)poisson_bytes(&block, false) + (4.0 + COARSE_PARTS) * (double)field_bytes(&block, FR_AT_CELL);
    for (int a = 0; a < 3; a++)
        bytes += (double)field_bytes(&block, field_face(a));
    return bytes;
}
