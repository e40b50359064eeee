#include "sph/stage/shear.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sph/friction/tensor.h"
#include "sph/heat/heat.h"
#include "sph/stage/contact.h"

fr_result sph_paste_create(const sph_model *m, sph_paste **out)
{
    *out = NULL;
    if (!m->pasty)
        return FR_OK;
    *out = MEMORY_NEW(sph_paste, 1);
    return *out ? FR_OK : FR_ERROR_MEMORY;
}

void sph_paste_release(sph_paste *p)
{
    memory_free(p->viscosity);
    memory_free(p->share);
    memory_free(p->bare);
    p->viscosity = p->share = p->bare = NULL;
}

void sph_paste_destroy(sph_paste *p)
{
    if (!p)
        return;
    sph_paste_release(p);
    memory_free(p);
}

fr_result sph_paste_reserve(sph_paste *p, int64_t room)
{
    sph_paste_release(p);
    p->viscosity = MEMORY_NEW(float, room);
    p->share = MEMORY_NEW(float, room);
    p->bare = MEMORY_NEW(float, room);
    return p->viscosity && p->share && p->bare ? FR_OK : FR_ERROR_MEMORY;
}

double sph_paste_bytes(const sph_model *m, double particles)
{
    return m->pasty ? 3 * sizeof(float) * particles : 0;
}

/* Σ (v_j − v_i) ⊗ g, and M. */
typedef struct shear_sums {
    double velocity[3][3];
    hats_tensor places;
} shear_sums;

static void shear_add(shear_sums *sums, four v, four g, float distance)
{
    const float length = sqrtf(sums_product(g, g));
    if (length == 0)
        return;
    const double per = (double)(distance / length);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++)
            sums->velocity[a][b] += (double)v[a] * (double)g[b];
        sums->places.own[a] += per * (double)g[a] * (double)g[a];
    }
    sums->places.mixed[0] += per * (double)(g[0] * g[1]);
    sums->places.mixed[1] += per * (double)(g[0] * g[2]);
    sums->places.mixed[2] += per * (double)(g[1] * g[2]);
}

static void shear_add_walls(const sph_model *m, const sph_state *s, int64_t n, shear_sums *sums)
{
    const four own = sums_load(&s->fluid.velocity[n]);
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
        sph_contact contact;
        if (!sph_contact_of(m, s, k, &contact) || s->walls.grip[contact.wall] == 0)
            continue;
        shear_add(sums, contact.stretch * (sums_load(&s->walls.velocity[contact.wall]) - own), contact.g,
                  contact.distance);
    }
}

/* A direction in which there is nobody has a little of its own, and no shear. */
static const double NOBODY = 1e-3;

/* √(2 D:D) for a spacing of 1. */
static double shear_rate(const shear_sums *sums)
{
    hats_tensor places = sums->places;
    for (int a = 0; a < 3; a++)
        places.own[a] += NOBODY;
    const hats_tensor inverse = hats_tensor_inverse(places);
    double gradient[3][3], square = 0;
    for (int a = 0; a < 3; a++) {
        const double *row = sums->velocity[a];
        const hats_vector along = hats_tensor_times(&inverse, (hats_vector){row[0], row[1], row[2], 0});
        for (int b = 0; b < 3; b++)
            gradient[a][b] = along[b];
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            square += pow(0.5 * (gradient[a][b] + gradient[b][a]), 2);
    return sqrt(2 * square);
}

typedef struct shear_job {
    const sph_model *m;
    sph_state *s;
} shear_job;

static double shear_of(const shear_job *job, int64_t n)
{
    const sph_state *s = job->s;
    const pairs *p = &s->pairs;
    const float reach = (float)(job->m->kernel.support / job->m->spacing);
    const four own = sums_load(&s->fluid.velocity[n]);
    shear_sums sums = {0};
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k += 2) {
        const wide two = pairs_load(p->record + k);
        const four keep = {1, 1, 1, 0}, first = __builtin_shufflevector(two, two, 0, 1, 2, 3),
                   second = __builtin_shufflevector(two, two, 4, 5, 6, 7);
        shear_add(&sums, sums_load(&s->fluid.velocity[p->other[k]]) - own, first * keep, reach * first[3]);
        shear_add(&sums, sums_load(&s->fluid.velocity[p->other[k + 1]]) - own, second * keep, reach * second[3]);
    }
    shear_add_walls(job->m, s, n, &sums);
    return shear_rate(&sums) / job->m->spacing;
}

static void shear_blocks(void *context, int begin, int end)
{
    const shear_job *job = context;
    sph_state *s = job->s;
    const sph_model *m = job->m;
    for (int b = begin; b < end; b++) {
        double most = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(s->fluid.count, b + 1); n++) {
            const double nu = m->heat.melt.set ? (double)s->heat->viscosity[n] : m->fluid.viscosity,
                         acts = rheology_viscosity(&m->flow, nu, shear_of(job, n), m->still);
            s->paste->viscosity[n] = (float)acts;
            most = fmax(most, acts);
        }
        s->partial[b] = most;
    }
}

void stage_sph_shear(const sph_model *m, sph_state *s)
{
    const int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, shear_blocks, &(shear_job){m, s});
    s->paste->thickest = threads_max(s->partial, blocks);
}
