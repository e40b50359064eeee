#include "sph/stage/near.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "sph/pressure/brace.h"

typedef struct near_job {
    sph_state *s;
    float *x, *y, *z;                /* m, positions by axis, for the search */
    pairs_sums walls;                /* what walls add to density and gradient */
    float most;                      /* that they may add: as much as leaves room for the particle alone */
    float volume, *volumes;          /* m³, in 2D m², of a particle; as each counts in the densities at walls */
} near_job;

static void near_split(void *context, int begin, int end)
{
    const near_job *job = context;
    const particle_vector *position = job->s->fluid.position;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        job->x[n] = position[n][0];
        job->y[n] = position[n][1];
        job->z[n] = position[n][2];
    }
}

/* Sums over fluid and walls together, and one over the diagonal of the solvers: how much a particle's own pressure
   changes its density; with E for those that have less than one neighbour (sph/pressure/operate.c).

   In a gap that is thinner than the spacing, walls alone make a particle too dense, wherever it goes, and it is too
   much for both walls. What no shift can change must not be asked for. So walls count as far as they leave room for
   the particle itself. Beyond that it is hemmed in: only the liquid around it can give way. It and the walls do not
   press each other, and sph/stage/collide alone keeps it out of them. */
static void near_combine(void *context, int begin, int end)
{
    const near_job *job = context;
    sph_state *s = job->s;
    bool walls = s->walls.count > 0;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        float *g = s->gradient[n];
        s->hemmed[n] = walls && job->walls.density[n] > job->most;
        job->volumes[n] = s->hemmed[n] ? 0 : job->volume;
        if (walls)
            s->density[n] += s->hemmed[n] ? job->most : job->walls.density[n];
        for (int a = 0; a < 3 && walls && !s->hemmed[n]; a++)
            g[a] += job->walls.gradient[n][a];
        float diagonal = g[0] * g[0] + g[1] * g[1] + g[2] * g[2] + g[3];
        g[3] = 1 / (diagonal > s->neighbour ? diagonal : 0.5f * (s->neighbour + diagonal));
    }
}

/* A neighbour lies at most a layer, a row and a cell of the sort ahead. Across a periodic side it may be anywhere in
   the layer; across one of the slowest axis, anywhere. */
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

static bool near_any_hemmed(const sph_state *s)
{
    return s->fluid.count > 0 && memchr(s->hemmed, 1, (size_t)s->fluid.count);
}

static float near_most(const sph_model *m)
{
    return m->sph.solver == FR_SPH_WCSPH ? INFINITY : (float)(1 - m->weight * kernel_value(&m->kernel, 0));
}

static pairs_search near_search(const sph_model *m, const near_job *job)
{
    const sph_state *s = job->s;
    pairs_set own = {.cells = &s->cells, .x = job->x, .y = job->y, .z = job->z, .count = s->fluid.count};
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
    s->neighbour = (float)m->neighbour;
    int blocks = sph_blocks(s->fluid.count);
    near_job job = {s, s->numbers[0], s->numbers[1], s->numbers[2], {s->numbers[3], s->vectors[0]}, near_most(m),
                    (float)m->weight, s->numbers[4]};
    cells_sort(&s->cells, s->fluid.position, s->fluid.count);
    fluid_sort(&s->fluid, &s->next, &s->cells);
    threads_for(blocks, near_split, &job);
    pairs_search search = near_search(m, &job);
    FR_TRY(pairs_find(&search, &s->pairs));
    if (s->walls.count) {
        const sph_walls *w = &s->walls;
        search.near =
            (pairs_set){.cells = &w->cells, .x = w->x, .y = w->y, .z = w->z, .volume = w->volume, .count = w->count};
        search.sums = job.walls;
        FR_TRY(pairs_find(&search, &s->wall_pairs));
    }
    threads_for(blocks, near_combine, &job);
    search.of.volume = near_any_hemmed(s) ? job.volumes : NULL;
    if (s->walls.press)
        FR_TRY(sph_brace_near(m, s, &search.of));
    if (m->sph.density == FR_SPH_CONTINUITY)
        memcpy(s->density, s->fluid.density, sizeof *s->density * (size_t)s->fluid.count);
    s->reach = near_reach(s);
    s->near_known = true;
    return FR_OK;
}
