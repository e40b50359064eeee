#include "sph/stage/repel.h"

#include <math.h>

#include "base/threads.h"
#include "sph/stage/loads.h"
#include "sph/stage/move.h"

typedef struct repel_job {
    const sph_model *m;
    sph_state *s;
    double strength;   /* m²/s², D */
    double dt;
} repel_job;

/* x_i − x_b for the nearest periodic image of the wall particle. */
static vec3 repel_away(const sph_model *m, const sph_state *s, int64_t n, int32_t wall)
{
    const float *x = s->fluid.position[n];
    double d[3] = {x[0] - s->walls.x[wall], x[1] - s->walls.y[wall], x[2] - s->walls.z[wall]};
    for (int a = 0; a < m->dims; a++)
        if (m->periodic[a])
            d[a] -= (m->high[a] - m->low[a]) * round(d[a] / (m->high[a] - m->low[a]));
    return vec3_of(d);
}

/* The acceleration by one wall particle. It is bounded nearer than a fifth of the spacing, where steps would be too
   short. */
static vec3 repel_by(const repel_job *job, vec3 away)
{
    double r0 = job->m->spacing, r = fmax(vec3_length(away), 0.2 * r0), q = r0 / r;
    return q > 1 ? vec3_scale(away, job->strength * (q * q * q * q - q * q) / (r * r)) : (vec3){0};
}

static void repel_parts(void *context, int begin, int end)
{
    const repel_job *job = context;
    sph_state *s = job->s;
    const pairs *p = &s->wall_pairs;
    for (int number = begin; number < end; number++) {
        sph_part part = sph_part_of(s, number);
        for (int64_t n = part.begin; n < part.end; n++)
            for (int64_t k = p->begin[n]; k < pairs_end(p, n); k++) {
                int32_t b = p->other[k];
                if (p->record[k][3] == 0)   /* no pair, it makes their number even */
                    continue;
                vec3 a = repel_by(job, repel_away(job->m, s, n, b));
                float *v = s->next.velocity[n];
                v[0] += (float)(job->dt * a.x);
                v[1] += (float)(job->dt * a.y);
                v[2] += (float)(job->dt * a.z);
                stage_sph_loads_push(job->m, s, number, s->walls.body[b], vec3_scale(a, -job->m->mass),
                                     (vec3){s->walls.x[b], s->walls.y[b], s->walls.z[b]});
            }
    }
}

/* D: the square of the greatest speed that gravity can give or that there is. */
static double repel_strength(const sph_model *m, double speed)
{
    return fmax(m->fall_speed * m->fall_speed, speed * speed);
}

void stage_sph_repel(const sph_model *m, sph_state *s, double dt)
{
    double wall = 0;
    for (int64_t b = 0; b < s->walls.count && s->walls.moving; b++)
        for (int a = 0; a < 3; a++)
            wall = fmax(wall, fabsf(s->walls.velocity[b][a]));
    repel_job job = {m, s, repel_strength(m, fmax(stage_sph_max_speed(s), wall)), dt};
    if (s->walls.count == 0)
        return;
    threads_for(SPH_PARTS, repel_parts, &job);
    stage_sph_loads_gather(m, s);
}

/* At r = r₀/1.5 the force of one wall particle has the slope 42 D/r₀²: a step of ω Δt = 1 is short enough. */
double stage_sph_repel_limit(const sph_model *m, sph_state *s, double wall_speed)
{
    double speed = sqrt(repel_strength(m, fmax(stage_sph_max_speed(s), wall_speed)));
    return speed > 0 ? m->spacing / (speed * sqrt(42)) : INFINITY;
}
