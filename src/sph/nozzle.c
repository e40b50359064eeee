#include "sph/nozzle.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"

fr_result sph_nozzle_create(const sph_model *m, int source, sph_nozzle *out)
{
    char key[64];
    double low[3], high[3], middle[3] = {0};
    *out = (sph_nozzle){0};
    snprintf(key, sizeof key, "sources[%d].shape", source + 1);
    FR_TRY(shape_create(&m->sources[source].shape, m->dims, key, &out->shape));
    shape_bounds(out->shape, low, high);
    for (int a = 0; a < m->dims; a++)
        middle[a] = 0.5 * (fmax(low[a], m->low[a]) + fmin(high[a], m->high[a]));
    out->middle = vec3_of(middle);
    return FR_OK;
}

void sph_nozzle_destroy(sph_nozzle *nozzle)
{
    shape_destroy(nozzle->shape);
    memory_free(nozzle->begins);
}

/* The plane across the flow, and how far from the middle the shape reaches in it. */
typedef struct nozzle_plane {
    vec3 across[2];
    double half[2];          /* m */
    int dims;                /* of the plane: 1 or 2 */
} nozzle_plane;

static nozzle_plane nozzle_plane_of(const sph_model *m, const sph_nozzle *nozzle, vec3 u)
{
    nozzle_plane plane = {.dims = m->dims - 1};
    plane.across[0] = m->dims == 2 ? (vec3){-u.y, u.x, 0}
                                   : vec3_unit(vec3_cross(fabs(u.y) < 0.9 ? (vec3){0, 1, 0} : (vec3){1, 0, 0}, u));
    plane.across[1] = m->dims == 2 ? (vec3){0} : vec3_cross(u, plane.across[0]);
    double low[3], high[3], reach[3] = {0};
    shape_bounds(nozzle->shape, low, high);
    for (int a = 0; a < m->dims; a++)
        reach[a] = 0.5 * (fmin(high[a], m->high[a]) - fmax(low[a], m->low[a]));
    for (int i = 0; i < 2; i++)
        plane.half[i] = fabs(plane.across[i].x) * reach[0] + fabs(plane.across[i].y) * reach[1] +
                        fabs(plane.across[i].z) * reach[2];
    return plane;
}

/* A lattice in the plane, points `pitch` apart about the middle; `shift` 0 has one in the middle, 0.5 has two beside
 * it. */
typedef struct nozzle_lattice {
    double pitch, shift[2];
} nozzle_lattice;

typedef fr_result (*nozzle_visit)(void *context, const nozzle_plane *plane, double a, double b);

static vec3 nozzle_point(const sph_nozzle *nozzle, const nozzle_plane *plane, double a, double b)
{
    return vec3_add(nozzle->middle, vec3_add(vec3_scale(plane->across[0], a), vec3_scale(plane->across[1], b)));
}

/* The points of the lattice that the shape covers. */
static fr_result nozzle_visit_points(const sph_model *m, const sph_nozzle *nozzle, vec3 u,
                                     const nozzle_lattice *lattice, nozzle_visit visit, void *context)
{
    nozzle_plane plane = nozzle_plane_of(m, nozzle, u);
    int n[2] = {(int)ceil(plane.half[0] / lattice->pitch),
                plane.dims == 2 ? (int)ceil(plane.half[1] / lattice->pitch) : 0};
    for (int j = -n[1]; j <= n[1]; j++)
        for (int i = -n[0]; i <= n[0]; i++) {
            double a = (i + lattice->shift[0]) * lattice->pitch,
                   b = plane.dims == 2 ? (j + lattice->shift[1]) * lattice->pitch : 0, distance;
            vec3 x = nozzle_point(nozzle, &plane, a, b);
            FR_TRY(shape_distance(nozzle->shape, (double[3]){x.x, x.y, x.z}, &distance));
            if (distance < 0)
                FR_TRY(visit(context, &plane, a, b));
        }
    return FR_OK;
}

static fr_result nozzle_count(void *context, const nozzle_plane *plane, double a, double b)
{
    (void)plane, (void)a, (void)b;
    ++*(int *)context;
    return FR_OK;
}

static fr_result nozzle_measure_area(const sph_model *m, sph_nozzle *nozzle, vec3 u)
{
    int fine = m->dims == 2 ? 64 : 8, count = 0;   /* samples per spacing */
    nozzle_lattice samples = {m->spacing / fine, {0.5, 0.5}};
    FR_TRY(nozzle_visit_points(m, nozzle, u, &samples, nozzle_count, &count));
    nozzle->area = count * pow(samples.pitch, m->dims - 1);
    return FR_OK;
}

/* Factor by which the columns' distances must grow so that they fill the area; 0: there are none. */
static double nozzle_stretch(const sph_model *m, const sph_nozzle *nozzle, int count)
{
    return count > 0 ? pow(nozzle->area / (count * pow(m->spacing, m->dims - 1)), 1.0 / (m->dims - 1)) : 0;
}

/* Of the lattices that are symmetric about the middle the one that has to be stretched least. */
static fr_result nozzle_choose(const sph_model *m, sph_nozzle *nozzle, vec3 u, nozzle_lattice *best, int *best_count)
{
    *best_count = 0;
    for (int k = 0; k < (m->dims == 3 ? 4 : 2); k++) {
        nozzle_lattice lattice = {m->spacing, {0.5 * (k & 1), 0.5 * (k >> 1)}};
        int count = 0;
        FR_TRY(nozzle_visit_points(m, nozzle, u, &lattice, nozzle_count, &count));
        if (count > 0 && (*best_count == 0 || fabs(log(nozzle_stretch(m, nozzle, count))) <
                                                  fabs(log(nozzle_stretch(m, nozzle, *best_count))))) {
            *best = lattice;
            *best_count = count;
        }
    }
    return FR_OK;
}

typedef struct nozzle_job {
    sph_nozzle *nozzle;
    double stretch;
} nozzle_job;

static fr_result nozzle_keep(void *context, const nozzle_plane *plane, double a, double b)
{
    const nozzle_job *job = context;
    job->nozzle->begins[job->nozzle->count++] = nozzle_point(job->nozzle, plane, job->stretch * a, job->stretch * b);
    return FR_OK;
}

fr_result sph_nozzle_aim(const sph_model *m, sph_nozzle *nozzle, vec3 direction)
{
    nozzle_lattice lattice;
    int count;
    if (vec3_dot(direction, nozzle->direction) > 1 - 1e-9)
        return FR_OK;
    FR_TRY(nozzle_measure_area(m, nozzle, direction));
    FR_TRY(nozzle_choose(m, nozzle, direction, &lattice, &count));
    if (count > nozzle->room) {
        memory_free(nozzle->begins);
        nozzle->begins = MEMORY_NEW(vec3, count);
        nozzle->room = nozzle->begins ? count : 0;
        if (!nozzle->begins)
            return FR_ERROR_MEMORY;
    }
    nozzle->count = 0;
    nozzle_job job = {nozzle, nozzle_stretch(m, nozzle, count)};
    if (count > 0)
        FR_TRY(nozzle_visit_points(m, nozzle, direction, &lattice, nozzle_keep, &job));
    nozzle->step = count > 0 ? count * m->volume / nozzle->area : INFINITY;
    nozzle->direction = direction;
    return FR_OK;
}
