#include "sph/stage/loads.h"

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

void stage_sph_loads_push(const sph_model *m, sph_state *s, int part, int body, vec3 force, vec3 x)
{
    double *sum = s->part_loads[part * m->body_count + body];
    vec3 torque = vec3_cross(vec3_sub(x, vec3_of(s->loads[body].position)), force);
    const double all[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int a = 0; a < 6; a++)
        sum[a] += all[a];
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
 * force on the fluid. */
static void loads_parts(void *context, int begin, int end)
{
    const loads_job *job = context;
    sph_state *s = job->s;
    const sph_walls *w = &s->walls;
    const pairs *p = &s->wall_pairs;
    for (int number = begin; number < end; number++) {
        sph_part part = sph_part_of(s, number);
        for (int64_t n = part.begin; n < part.end; n++) {
            for (int64_t k = p->begin[n]; k < pairs_end(p, n); k++) {
                int32_t b = p->other[k];
                double push = job->unit * (s->numbers[SPH_UNKNOWN][n] + w->push[b]);
                if (push == 0 || s->hemmed[n])
                    continue;
                stage_sph_loads_push(job->m, s, number, w->body[b], vec3_scale(loads_gradient(&p->record[k]), push),
                                     (vec3){w->x[b], w->y[b], w->z[b]});
            }
        }
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
