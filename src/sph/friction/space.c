#include "sph/friction/space.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

/* Edge of a box, in spacings. */
static const double EDGE = 2.5;

static hats_grid space_grid(const sph_model *m)
{
    double length[3];
    for (int a = 0; a < 3; a++)
        length[a] = (m->high[a] - m->low[a]) / m->spacing;
    return hats_grid_of(m->dims, length, m->periodic, EDGE);
}

fr_result friction_space_create(const sph_model *m, friction_space **out)
{
    friction_space *f = *out = MEMORY_NEW(friction_space, 1);
    if (!f)
        return FR_ERROR_MEMORY;
    hats_grid grid = space_grid(m);
    FR_TRY(hats_create(&grid, &f->hats));
    f->begin = MEMORY_NEW(uint32_t, hats_finest(f->hats)->count + 1);
    return f->begin ? FR_OK : FR_ERROR_MEMORY;
}

static void space_free(friction_space *f)
{
    memory_free(f->node);
    memory_free(f->share);
    memory_free(f->order);
    memory_free(f->item);
    f->node = NULL;
    f->share = NULL;
    f->order = NULL;
    f->item = NULL;
    f->room = 0;
}

void friction_space_destroy(friction_space *f)
{
    if (!f)
        return;
    space_free(f);
    hats_destroy(f->hats);
    memory_free(f->begin);
    memory_free(f);
}

double friction_space_bytes(const sph_model *m)
{
    hats_grid grid = space_grid(m);
    return hats_bytes(&grid);
}

fr_result friction_space_reserve(friction_space *f, int64_t particles)
{
    if (particles <= f->room)
        return FR_OK;
    space_free(f);
    f->node = memory_alloc((size_t)particles * sizeof *f->node);
    f->share = memory_alloc((size_t)particles * sizeof *f->share);
    f->order = MEMORY_NEW(uint8_t, particles);
    f->item = MEMORY_NEW(int32_t, HATS_CORNERS *particles);
    if (!f->node || !f->share || !f->order || !f->item)
        return FR_ERROR_MEMORY;
    f->room = particles;
    return FR_OK;
}

typedef struct space_job {
    const sph_model *m;
    friction_space *f;
    const fluid *liquid;
    particle_vector *const *own;
    const particle_vector *force;
} space_job;

enum { SPACE_BLOCK = 256 };

static int space_blocks(int64_t count) { return (int)((count + SPACE_BLOCK - 1) / SPACE_BLOCK); }
static int64_t space_end(int64_t count, int block)
{
    int64_t end = (int64_t)block * SPACE_BLOCK;
    return end < count ? end : count;
}

/* The simplex of each particle. Those outside of the domain count as on its side. */
static void space_place_blocks(void *context, int begin, int end)
{
    const space_job *job = context;
    friction_space *f = job->f;
    const hats_level *l = hats_finest(f->hats);
    for (int64_t n = (int64_t)begin * SPACE_BLOCK; n < space_end(job->liquid->count, end); n++) {
        int at[3] = {0}, corner[HATS_CORNERS];
        float place[3] = {0};
        for (int a = 0; a < l->grid.dims; a++) {
            int boxes = l->grid.n[a] - !l->grid.around[a];
            double x = (job->liquid->position[n][a] - job->m->low[a]) / (job->m->spacing * l->grid.h[a]);
            at[a] = (int)fmin(fmax(floor(x), 0), boxes - 1);
            place[a] = (float)fmin(fmax(x - at[a], 0), 1);
        }
        memset(f->share[n], 0, sizeof f->share[n]);
        f->order[n] = (uint8_t)hats_simplex(l->grid.dims, place, corner, f->share[n]);
        for (int c = 0; c < HATS_CORNERS; c++)
            f->node[n][c] = (int32_t)hats_ahead(l, at, c <= l->grid.dims ? corner[c] : 0);
    }
}

/* The items of each node, in the order of the particles. */
static void space_sort(friction_space *f, int64_t count)
{
    const hats_level *l = hats_finest(f->hats);
    const int corners = l->grid.dims + 1;
    memset(f->begin, 0, (size_t)(l->count + 1) * sizeof *f->begin);
    for (int64_t n = 0; n < count; n++)
        for (int c = 0; c < corners; c++)
            f->begin[f->node[n][c]]++;
    uint32_t before = 0;
    for (int64_t k = 0; k <= l->count; k++) {
        before += f->begin[k];
        f->begin[k] = before;
    }
    for (int64_t n = count; n-- > 0;)
        for (int c = 0; c < corners; c++)
            f->item[--f->begin[f->node[n][c]]] = (int32_t)(HATS_CORNERS * n + c);
}

/* A corner whose hat is 0 where its only particle is must still be free to move. */
static const float LEAST_SHARE = 1e-4f;

static void space_gather_nodes(void *context, int begin, int end)
{
    const space_job *job = context;
    const friction_space *f = job->f;
    hats_level *l = hats_finest(f->hats);
    for (int k = begin; k < end; k++) {
        hats_tensor mass = {0};
        double *weight = l->weight + HATS_ORDERS * (int64_t)k;
        memset(weight, 0, HATS_ORDERS * sizeof *weight);
        for (uint32_t i = f->begin[k]; i < f->begin[k + 1]; i++) {
            int n = f->item[i] / HATS_CORNERS, corner = f->item[i] % HATS_CORNERS;
            float share = fmaxf(f->share[n][corner], LEAST_SHARE);
            mass.own += (double)share * (1 + __builtin_convertvector(sums_load(&job->own[0][n]), hats_vector));
            mass.mixed += (double)share * __builtin_convertvector(sums_load(&job->own[1][n]), hats_vector);
            if (corner == 0)
                weight[f->order[n]] += job->own[0][n][3];
        }
        l->mass[k] = mass;
    }
}

void friction_space_set(const sph_model *m, friction_space *f, const fluid *liquid, particle_vector *const own[2])
{
    space_job job = {.m = m, .f = f, .liquid = liquid, .own = own};
    threads_for(space_blocks(liquid->count), space_place_blocks, &job);
    space_sort(f, liquid->count);
    threads_for((int)hats_finest(f->hats)->count, space_gather_nodes, &job);
    hats_set(f->hats);
}

static void space_sum_nodes(void *context, int begin, int end)
{
    const space_job *job = context;
    const friction_space *f = job->f;
    hats_level *l = hats_finest(f->hats);
    for (int k = begin; k < end; k++) {
        four sum = {0};
        for (uint32_t i = f->begin[k]; i < f->begin[k + 1]; i++)
            sum += f->share[f->item[i] / HATS_CORNERS][f->item[i] % HATS_CORNERS] *
                   sums_load(&job->force[f->item[i] / HATS_CORNERS]);
        l->right[k] = __builtin_convertvector(sum, hats_vector);
    }
}

void friction_space_solve(friction_space *f, const particle_vector *force)
{
    space_job job = {.f = f, .force = force};
    threads_for((int)hats_finest(f->hats)->count, space_sum_nodes, &job);
    hats_solve(f->hats);
}
