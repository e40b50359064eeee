/* How much room there is for liquid at a wall particle: the share of the kernel that lies outside of solids,

       room_b = V Σ_x W(x) before(x_b + x),

   over a lattice around it, whose cubes count by the share outside the surface. A lattice of liquid at a flat wall has
   exactly this density there. */
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"
#include "sph/model.h"

typedef struct room_job {
    const sph_model *m;
    sph_body *body;
    fr_result result;        /* of functions of the scene, which are called on one thread only */
} room_job;

/* The share of a cube of one spacing outside a surface at this distance from its centre. */
static double room_before(const sph_model *m, double distance) { return clampd(0.5 + distance / m->spacing, 0, 1); }

static double room_between_sides(const sph_model *m, const double at[3])
{
    double share = 1;
    for (int a = 0; a < m->dims; a++) {
        share *= m->closed[2 * a] ? room_before(m, at[a] - m->low[a]) : 1;
        share *= m->closed[2 * a + 1] ? room_before(m, m->high[a] - at[a]) : 1;
    }
    return share;
}

static bool room_reaches(const sph_model *m, const shape *s, const double at[3])
{
    double low[3], high[3];
    bool near = true;
    shape_bounds(s, low, high);
    for (int a = 0; a < m->dims; a++)
        near = near && at[a] > low[a] - m->spacing && at[a] < high[a] + m->spacing;
    return near;
}

/* Bodies that move are alone: who knows what they come near to. The function of a user need not be a distance in
   metres; its sign is what is known. */
static bool room_counts(const room_job *job, const sph_body *other)
{
    return other->shape && (other == job->body || (!job->body->moves && !other->moves));
}

static fr_result room_share(const room_job *job, const double at[3], double *share)
{
    const sph_model *m = job->m;
    *share = job->body->moves ? 1 : room_between_sides(m, at);
    for (int b = 0; b < m->body_count && *share > 0; b++) {
        const shape *s = m->bodies[b].shape;
        double distance;
        if (!room_counts(job, &m->bodies[b]) || !room_reaches(m, s, at))
            continue;
        FR_TRY(shape_distance(s, at, &distance));
        *share = fmin(*share, shape_is_parallel(s) ? room_before(m, distance) : distance > 0);
    }
    return FR_OK;
}

static fr_result room_sum(const room_job *job, const float position[3], float *room)
{
    const sph_model *m = job->m;
    double d = m->spacing, sum = 0;
    int reach = (int)ceil(m->kernel.support / d), depth = m->dims == 3 ? reach : 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double r = d * sqrt(x * x + y * y + z * z), share = 0;
                if (r < m->kernel.support)
                    FR_TRY(room_share(job, (double[3]){position[0] + x * d, position[1] + y * d, position[2] + z * d},
                                      &share));
                sum += kernel_value(&m->kernel, r) * share;
            }
    *room = (float)(m->weight * sum);
    return FR_OK;
}

static void room_points(void *context, int begin, int end)
{
    room_job *job = context;
    for (int k = begin; k < end; k++) {
        fr_result result = room_sum(job, job->body->shell.position[k], &job->body->room[k]);
        if (result != FR_OK)
            job->result = result;
    }
}

static bool room_is_parallel(const sph_model *m)
{
    bool parallel = true;
    for (int b = 0; b < m->body_count; b++)
        parallel = parallel && (!m->bodies[b].shape || shape_is_parallel(m->bodies[b].shape));
    return parallel;
}

fr_result sph_model_room(sph_model *m)
{
    for (int b = 0; b < m->body_count; b++) {
        sph_body *body = &m->bodies[b];
        room_job job = {m, body, FR_OK};
        body->room = MEMORY_NEW(float, body->shell.count + 1);
        if (!body->room)
            return FR_ERROR_MEMORY;
        if (room_is_parallel(m))
            threads_for((int)body->shell.count, room_points, &job);
        else
            room_points(&job, 0, (int)body->shell.count);
        FR_TRY(job.result);
    }
    return FR_OK;
}
