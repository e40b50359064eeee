#include "sph/stage/pour.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "method/times.h"
#include "method/evaluate.h"
#include "sph/heat/heat.h"
#include "sph/floating/floating.h"
#include "sph/stage/loads.h"

/* In spacings: the least distance of a new particle from others and from walls. */
static const double ROOM = 0.6, WALL_ROOM = 0.25;

fr_result stage_sph_pour_velocity(const sph_model *m, int source, const sph_nozzle *nozzle, double t, vec3 *velocity)
{
    const fr_source_def *given = &m->sources[source];
    double v[3];
    *velocity = (vec3){0};
    if (t < given->from || t >= times_end(given->to))
        return FR_OK;
    FR_TRY(evaluate_vector(&given->velocity, (double[3]){nozzle->middle.x, nozzle->middle.y, nozzle->middle.z}, t, v));
    *velocity = (vec3){v[0], v[1], m->dims == 3 ? v[2] : 0};
    return FR_OK;
}

fr_result stage_sph_pour_speed(const sph_model *m, const sph_state *s, double t, double *speed)
{
    *speed = 0;
    for (int i = 0; i < s->source_count; i++) {
        vec3 v;
        FR_TRY(stage_sph_pour_velocity(m, i, &s->nozzles[i], t, &v));
        *speed = fmax(*speed, vec3_length(v));
    }
    return FR_OK;
}

typedef struct hold_job {
    sph_state *s;
    const shape *shape;
    double low[3], high[3];   /* m, around the shape */
    vec3 velocity;
    fr_result result;         /* of functions of the scene, which are called on one thread only */
} hold_job;

static fr_result hold_particle(const hold_job *job, int64_t n)
{
    const float *at = job->s->fluid.position[n];
    const double x[3] = {at[0], at[1], at[2]};
    double distance;
    for (int a = 0; a < 3; a++)
        if (x[a] < job->low[a] || x[a] > job->high[a])
            return FR_OK;
    FR_TRY(shape_distance(job->shape, x, &distance));
    if (distance >= 0)
        return FR_OK;
    float *v = job->s->next.velocity[n];
    v[0] = (float)job->velocity.x;
    v[1] = (float)job->velocity.y;
    v[2] = (float)job->velocity.z;
    return FR_OK;
}

static void hold_parts(void *context, int begin, int end)
{
    hold_job *job = context;
    for (int number = begin; number < end; number++) {
        sph_part part = sph_part_of(job->s, number);
        for (int64_t n = part.begin; n < part.end; n++) {
            fr_result result = hold_particle(job, n);
            if (result != FR_OK)
                job->result = result;
        }
    }
}

/* The part of the step in which a source works. */
static bool pour_works(const sph_model *m, const sph_state *s, int source, double span[2])
{
    const fr_source_def *given = &m->sources[source];
    span[0] = fmax(s->now.time, given->from);
    span[1] = fmin(s->now.end, times_end(given->to));
    return given->sets_velocity && span[1] > span[0];
}

fr_result stage_sph_hold(const sph_model *m, sph_state *s)
{
    for (int i = 0; i < s->source_count; i++) {
        const sph_nozzle *nozzle = &s->nozzles[i];
        hold_job job = {.s = s, .shape = nozzle->shape, .result = FR_OK};
        double span[2];
        if (!pour_works(m, s, i, span))
            continue;
        FR_TRY(stage_sph_pour_velocity(m, i, nozzle, 0.5 * (span[0] + span[1]), &job.velocity));
        shape_bounds(nozzle->shape, job.low, job.high);
        if (shape_is_parallel(nozzle->shape))
            threads_for(SPH_PARTS, hold_parts, &job);
        else
            hold_parts(&job, 0, SPH_PARTS);
        FR_TRY(job.result);
    }
    return FR_OK;
}

static fr_result pour_add(sph_state *s, const sph_poured *one)
{
    if (s->poured_count == s->poured_room) {
        int room = 2 * s->poured_room + 64;
        sph_poured *larger = MEMORY_NEW(sph_poured, room);
        if (!larger)
            return FR_ERROR_MEMORY;
        if (s->poured)
            memcpy(larger, s->poured, sizeof *larger * (size_t)s->poured_count);
        memory_free(s->poured);
        s->poured = larger;
        s->poured_room = room;
    }
    s->poured[s->poured_count++] = *one;
    return FR_OK;
}

/* Inside the domain and clear of what is solid at the step's end. */
static fr_result pour_fits(const sph_model *m, const sph_state *s, vec3 at, bool *fits)
{
    const double x[3] = {at.x, at.y, at.z};
    double off = WALL_ROOM * m->spacing, distance;
    *fits = true;
    for (int a = 0; a < m->dims; a++)
        *fits = *fits && x[a] >= m->low[a] + (m->closed[2 * a] ? off : 0) &&
                x[a] <= m->high[a] - (m->closed[2 * a + 1] ? off : 0);
    for (int b = 0; b < m->obstacle_count && *fits; b++) {
        FR_TRY(shape_distance(s->solids[b], x, &distance));
        *fits = distance >= off;
    }
    return FR_OK;
}

/* The layers of one source. The k-th comes out when k − 1/2 layers have passed, so that a layer lies in the middle of
   the volume that it stands for. A layer that came out during the step has moved on since. */
static fr_result pour_source(const sph_model *m, sph_state *s, int index)
{
    sph_nozzle *nozzle = &s->nozzles[index];
    double span[2];
    vec3 v;
    s->next_layers[index] = s->layers[index];
    if (!pour_works(m, s, index, span))
        return FR_OK;
    FR_TRY(stage_sph_pour_velocity(m, index, nozzle, 0.5 * (span[0] + span[1]), &v));
    if (vec3_length(v) == 0)
        return FR_OK;
    FR_TRY(sph_nozzle_aim(m, nozzle, vec3_unit(v)));
    double layers = s->next_layers[index] += vec3_length(v) * (span[1] - span[0]) / nozzle->step;
    for (double k = floor(s->layers[index] + 0.5) + 1; k <= layers + 0.5; k++)
        for (int c = 0; c < nozzle->count; c++) {
            vec3 x = vec3_add(nozzle->begins[c], vec3_scale(nozzle->direction, (layers + 0.5 - k) * nozzle->step));
            sph_poured one = {.position = x, .velocity = v};
            bool fits;
            FR_TRY(pour_fits(m, s, x, &fits));
            if (fits && s->heat)
                FR_TRY(sph_heat_poured(m, index, (double[3]){x.x, x.y, x.z}, s->now.end, &one.enthalpy));
            if (fits)
                FR_TRY(pour_add(s, &one));
        }
    return FR_OK;
}

static bool pour_is_near(const sph_model *m, vec3 a, vec3 b)
{
    vec3 d = vec3_sub(a, b);
    return vec3_dot(d, d) < ROOM * ROOM * m->spacing * m->spacing;
}

static void pour_drop(sph_state *s, int k)
{
    memmove(s->poured + k, s->poured + k + 1, sizeof *s->poured * (size_t)(s->poured_count - k - 1));
    s->poured_count--;
}

/* Drops new particles that are too near to each other, as those of two sources may be. */
static void pour_spread(const sph_model *m, sph_state *s)
{
    for (int k = s->poured_count - 1; k > 0; k--) {
        bool near = false;
        for (int i = 0; i < k && !near; i++)
            near = pour_is_near(m, s->poured[k].position, s->poured[i].position);
        if (near)
            pour_drop(s, k);
    }
}

/* Drops new particles too near to existing ones. Most of these lie outside the box around all new ones and are skipped.
 */
static void pour_give_way(const sph_model *m, sph_state *s)
{
    vec3 low = s->poured[0].position, high = low;
    double off = ROOM * m->spacing;
    for (int k = 1; k < s->poured_count; k++) {
        vec3 x = s->poured[k].position;
        low = (vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    for (int64_t n = 0; n < s->fluid.count; n++) {
        const float *x = s->next.position[n];
        if (x[0] < low.x - off || x[0] > high.x + off || x[1] < low.y - off || x[1] > high.y + off ||
            x[2] < low.z - off || x[2] > high.z + off)
            continue;
        for (int k = s->poured_count - 1; k >= 0; k--)
            if (pour_is_near(m, s->poured[k].position, (vec3){x[0], x[1], x[2]}))
                pour_drop(s, k);
    }
}

fr_result stage_sph_pour(const sph_model *m, sph_state *s)
{
    s->poured_count = 0;
    for (int i = 0; i < s->source_count; i++)
        FR_TRY(pour_source(m, s, i));
    if (s->poured_count == 0)
        return FR_OK;
    pour_spread(m, s);
    pour_give_way(m, s);
    return sph_state_reserve(m, s, s->fluid.count + s->poured_count);
}

typedef struct drain_job {
    const sph_model *m;
    sph_state *s;
    fr_result result;        /* of functions of the scene, which are called on one thread only */
} drain_job;

static fr_result drain_leaves(const sph_model *m, const sph_state *s, const float position[3], bool *leaves)
{
    const double x[3] = {position[0], position[1], position[2]};
    *leaves = false;
    for (int a = 0; a < m->dims; a++)
        *leaves = *leaves || x[a] < m->low[a] || x[a] > m->high[a];
    for (int i = 0; i < m->sink_count && !*leaves; i++) {
        double low[3], high[3], distance;
        bool works = s->now.end >= m->sinks[i].from && s->now.end <= times_end(m->sinks[i].to);
        shape_bounds(m->sink_shapes[i], low, high);
        for (int a = 0; a < m->dims; a++)
            works = works && x[a] >= low[a] && x[a] <= high[a];
        if (!works)
            continue;
        FR_TRY(shape_distance(m->sink_shapes[i], x, &distance));
        *leaves = distance < 0;
    }
    return s->floating && s->floating->appears && !*leaves ? sph_floating_covers(m, s, x, leaves) : FR_OK;
}

static void drain_parts(void *context, int begin, int end)
{
    drain_job *job = context;
    sph_state *s = job->s;
    for (int number = begin; number < end; number++) {
        sph_part part = sph_part_of(s, number);
        for (int64_t n = part.begin; n < part.end; n++) {
            bool leaves;
            fr_result result = drain_leaves(job->m, s, s->next.position[n], &leaves);
            if (result != FR_OK)
                job->result = result;
            s->leaves[n] = leaves;
        }
    }
}

/* Whether anything can leave at all. */
static bool drain_open(const sph_model *m, const sph_state *s)
{
    bool open = m->sink_count > 0 || (s->floating && s->floating->appears);
    for (int side = 0; side < 2 * m->dims; side++)
        open = open || (!m->closed[side] && !m->periodic[side / 2]);
    return open;
}

fr_result stage_sph_drain(const sph_model *m, sph_state *s)
{
    drain_job job = {m, s, FR_OK};
    bool parallel = true;
    if (!drain_open(m, s))
        return FR_OK;
    for (int i = 0; i < m->sink_count; i++)
        parallel = parallel && shape_is_parallel(m->sink_shapes[i]);
    for (int i = m->given_count; i < m->obstacle_count; i++)
        parallel = parallel && shape_is_parallel(s->solids[i]);
    if (parallel)
        threads_for(SPH_PARTS, drain_parts, &job);
    else
        drain_parts(&job, 0, SPH_PARTS);
    return job.result;
}

void stage_sph_exchange(const sph_model *m, sph_state *s)
{
    int64_t before = s->fluid.count;
    if (drain_open(m, s) && s->heat)
        sph_heat_leave(m, s);
    if (drain_open(m, s))
        fluid_sweep(&s->fluid, s->leaves);
    s->left += before - s->fluid.count;
    for (int k = 0; k < s->poured_count; k++) {
        const sph_poured *p = &s->poured[k];
        fluid_add(&s->fluid, s->born++, (double[3]){p->position.x, p->position.y, p->position.z},
                  (double[3]){p->velocity.x, p->velocity.y, p->velocity.z});
        if (s->heat)
            sph_heat_enter(m, s, p->enthalpy);
    }
    for (int i = 0; i < s->source_count; i++)
        s->layers[i] = s->next_layers[i];
}
