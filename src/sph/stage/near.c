#include "sph/stage/near.h"

#include <string.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"

/* `next` is of no use before a step writes it. */
static void near_set_axes(sph_state *s)
{
    s->x = (float *)s->next.position;
    s->y = s->x + s->next.room + WIDE;
    s->z = s->y + s->next.room + WIDE;
}

static void near_split(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        s->x[n] = s->fluid.position[n][0];
        s->y[n] = s->fluid.position[n][1];
        s->z[n] = s->fluid.position[n][2];
    }
}

/* Sums over fluid and walls together, and how much a particle's own pressure changes its density: the diagonal of the
   solvers. A particle alone has none; it keeps the density it has. */
static void near_combine(void *context, int begin, int end)
{
    sph_state *s = context;
    bool walls = s->walls.count > 0;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        float *g = s->gradient[n];
        if (walls) {
            s->density[n] += s->source[n];
            for (int a = 0; a < 3; a++)
                g[a] += s->shift[n][a];
        }
        float diagonal = g[0] * g[0] + g[1] * g[1] + g[2] * g[2] + g[3];
        g[3] = diagonal > 1e-6f ? 1 / diagonal : 0;
    }
}

/* Neighbours lie no further in the order than the last of the cells around: a layer, a row and a cell ahead. Across a
   periodic side that may be anywhere in the layer; of the slowest axis, anywhere. */
static int near_reach(const sph_state *s)
{
    const cells_layout *l = s->cells.layout;
    int blocks = sph_blocks(s->fluid.count), reach = 0;
    if (l->periodic[l->axis[2]])
        return blocks;
    int64_t row = l->n[l->axis[0]], layer = row * l->n[l->axis[1]];
    bool within = !l->periodic[l->axis[0]] && !l->periodic[l->axis[1]];
    for (int b = 0; b < blocks; b++) {
        int64_t cell = s->cells.of[sph_block_end(s->fluid.count, b + 1) - 1];
        int64_t after = within ? cell + layer + row + 2 : (cell / layer + 2) * layer;
        int64_t last = s->cells.start[after < l->count ? after : l->count] - 1;
        int ahead = (int)(last / SPH_BLOCK) - b;
        reach = ahead > reach ? ahead : reach;
    }
    return reach;
}

static pairs_search near_search(const sph_model *m, const sph_state *s)
{
    pairs_set own = {.cells = &s->cells, .x = s->x, .y = s->y, .z = s->z, .count = s->fluid.count};
    return (pairs_search){.kernel = m->kernel,
                          .spacing = m->spacing,
                          .volume = m->weight,
                          .of = own,
                          .near = own,
                          .sums = {s->density, s->gradient}};
}

fr_result stage_sph_near(const sph_model *m, sph_state *s)
{
    if (s->near_known)
        return FR_OK;
    int blocks = sph_blocks(s->fluid.count);
    cells_sort(&s->cells, s->fluid.position, s->fluid.count);
    fluid_sort(&s->fluid, &s->next, &s->cells);
    near_set_axes(s);
    threads_for(blocks, near_split, s);
    pairs_search search = near_search(m, s);
    FR_TRY(pairs_find(&search, &s->pairs));
    if (s->walls.count) {
        const sph_walls *w = &s->walls;
        search.near =
            (pairs_set){.cells = &w->cells, .x = w->x, .y = w->y, .z = w->z, .volume = w->volume, .count = w->count};
        search.sums = (pairs_sums){s->source, s->shift};
        FR_TRY(pairs_find(&search, &s->wall_pairs));
    }
    if (s->walls.press)
        FR_TRY(stage_sph_brace_near(m, s));
    threads_for(blocks, near_combine, s);
    if (m->sph.density == FR_SPH_CONTINUITY)
        memcpy(s->density, s->fluid.density, sizeof *s->density * (size_t)s->fluid.count);
    s->reach = near_reach(s);
    s->near_known = true;
    return FR_OK;
}
