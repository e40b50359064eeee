#include "sph/stage/loads.h"

#include <string.h>

#include "base/threads.h"

void stage_sph_loads_clear(const sph_model *m, sph_state *s)
{
    for (int b = 0; b < m->body_count; b++)
        for (int a = 0; a < 3; a++)
            s->loads[b].force[a] = s->loads[b].torque[a] = 0;
}

sph_part sph_part_of(const sph_state *s, int number)
{
    int64_t blocks = sph_blocks(s->fluid.count);
    return (sph_part){number, sph_block_end(s->fluid.count, (int)(blocks * number / SPH_PARTS)),
                      sph_block_end(s->fluid.count, (int)(blocks * (number + 1) / SPH_PARTS))};
}

/* The load of a body by a part of the liquid, while that is added up. */
typedef struct loads_sum {
    double *to;
    vec3 centre, force, torque;
} loads_sum;

static loads_sum loads_open(const sph_model *m, const sph_state *s, int part, int body)
{
    double *to = s->part_loads[part * m->body_count + body];
    return (loads_sum){to, vec3_of(s->loads[body].position), vec3_of(to), vec3_of(to + 3)};
}

static void loads_push(loads_sum *sum, vec3 force, vec3 x)
{
    sum->force = vec3_add(sum->force, force);
    sum->torque = vec3_add(sum->torque, vec3_cross(vec3_sub(x, sum->centre), force));
}

static void loads_close(const loads_sum *sum)
{
    const double all[6] = {sum->force.x, sum->force.y, sum->force.z, sum->torque.x, sum->torque.y, sum->torque.z};
    memcpy(sum->to, all, sizeof all);
}

void stage_sph_loads_push(const sph_model *m, sph_state *s, int part, int body, vec3 force, vec3 x)
{
    loads_sum sum = loads_open(m, s, part, body);
    loads_push(&sum, force, x);
    loads_close(&sum);
}

void stage_sph_loads_gather(const sph_model *m, sph_state *s)
{
    for (int part = 0; part < SPH_PARTS; part++)
        for (int b = 0; b < m->body_count; b++) {
            double *sum = s->part_loads[part * m->body_count + b];
            for (int a = 0; a < 3; a++) {
                s->loads[b].force[a] += sum[a];
                s->loads[b].torque[a] += sum[3 + a];
                sum[a] = sum[3 + a] = 0;
            }
        }
}

static vec3 loads_gradient(const pair_record *record)
{
    half_eight halves = {(*record)[0], (*record)[1], (*record)[2]};
    wide g = wide_of_half(halves);
    return (vec3){g[0], g[1], g[2]};
}

typedef struct loads_job {
    const sph_model *m;
    sph_state *s;
    double unit;   /* N for a shift of 1 */
} loads_job;

/* The shift of particle n by the wall particle b is −(Q_n + Q_b) g; its mass times that, over the step squared, is the
   force on the fluid. Neighbours are mostly of one body. */
static void loads_particle(const loads_job *job, int number, int64_t n)
{
    const sph_state *s = job->s;
    const sph_walls *w = &s->walls;
    const pairs *p = &s->wall_pairs;
    for (int64_t k = p->begin[n]; k < pairs_end(p, n);) {
        const int32_t body = w->body[p->other[k]];
        loads_sum sum = loads_open(job->m, s, number, body);
        for (; k < pairs_end(p, n) && w->body[p->other[k]] == body; k++) {
            const int32_t b = p->other[k];
            const double push = job->unit * (s->numbers[SPH_UNKNOWN][n] + w->push[b]);
            loads_push(&sum, vec3_scale(loads_gradient(&p->record[k]), push), (vec3){w->x[b], w->y[b], w->z[b]});
        }
        loads_close(&sum);
    }
}

static void loads_parts(void *context, int begin, int end)
{
    const loads_job *job = context;
    const sph_state *s = job->s;
    for (int number = begin; number < end; number++) {
        sph_part part = sph_part_of(s, number);
        for (int64_t n = part.begin; n < part.end; n++)
            if (!s->hemmed[n])
                loads_particle(job, number, n);
    }
}

void stage_sph_loads_add(const sph_model *m, sph_state *s, double dt)
{
    loads_job job = {m, s, m->mass * m->spacing / (dt * dt)};
    if (s->walls.count == 0)
        return;
    threads_for(SPH_PARTS, loads_parts, &job);
    stage_sph_loads_gather(m, s);
}
