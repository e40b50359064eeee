#include "sph/stage/repel.h"

#include <math.h>

#include "base/threads.h"
#include "sph/stage/loads.h"
#include "sph/stage/move.h"

typedef struct repel_job {
    const sph_model *m;
    sph_state *s;
    double strength; /* m²/s², D */
    double nearest;  /* share of r₀ */
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

static double repel_power(double q, int exponent)
{
    double power = 1;
    for (int i = 0; i < exponent; i++)
        power *= q;
    return power;
}

/* Of one wall particle at r₀/q, in the units D/r₀: acceleration, and the potential in those of D. */
static double repel_push(const int p[2], double q)
{
    return (repel_power(q, p[0]) - repel_power(q, p[1])) * q;
}
static double repel_potential(const int p[2], double q)
{
    return (repel_power(q, p[0]) - 1) / p[0] - (repel_power(q, p[1]) - 1) / p[1];
}

/* Where a function of q that grows from q = 1 on has a value. */
static double repel_find(double (*of)(const int p[2], double q), const int p[2], double value)
{
    enum { HALVINGS = 60 };
    double low = 1, high = 8;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        *(of(p, middle) < value ? &low : &high) = middle;
    }
    return low;
}

/* The repulsion is bounded where it is 3000 D/r₀, since steps would be too short: for the exponents 4 and 2 nearer than
   a fifth of r₀, to a thousandth of it. */
static double repel_nearest(const int p[2])
{
    return round(1000 / repel_find(repel_push, p, 3000)) / 1000;
}

/* The acceleration by one wall particle. */
static vec3 repel_by(const repel_job *job, vec3 away)
{
    const int *p = job->m->sph.exponents;
    double r0 = job->m->spacing, r = fmax(vec3_length(away), job->nearest * r0), q = r0 / r;
    double rise = q > 1 ? repel_power(q, p[0]) - repel_power(q, p[1]) : 0;
    return q > 1 ? vec3_scale(away, job->strength * rise / (r * r)) : (vec3){0};
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
                if (p->record[k][3] == 0) /* no pair, it makes their number even */
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

/* D: what the scene says, or the square of the greatest speed that gravity can give or that there is. */
static double repel_strength(const sph_model *m, double speed)
{
    return m->sph.repulsion > 0 ? m->sph.repulsion : fmax(m->fall_speed * m->fall_speed, speed * speed);
}

void stage_sph_repel(const sph_model *m, sph_state *s, double dt)
{
    double wall = 0;
    for (int64_t b = 0; b < s->walls.count && s->walls.moving; b++)
        for (int a = 0; a < 3; a++)
            wall = fmax(wall, fabsf(s->walls.velocity[b][a]));
    repel_job job = {.m = m,
                     .s = s,
                     .strength = repel_strength(m, fmax(stage_sph_max_speed(s), wall)),
                     .nearest = repel_nearest(m->sph.exponents),
                     .dt = dt};
    if (s->walls.count == 0)
        return;
    threads_for(SPH_PARTS, repel_parts, &job);
    stage_sph_loads_gather(m, s);
}

/* Slope of the acceleration by one wall particle at r₀/q over D/r₀². */
static double repel_slope(const int p[2], double q)
{
    return q * q * ((p[0] + 1) * repel_power(q, p[0]) - (p[1] + 1) * repel_power(q, p[1]));
}

/* A step of ω Δt = 1 is short enough, ω² the slope of the force where it has taken 25/64 of the square of the speed: at
   r₀/1.5, where it is 42 D/r₀², for the exponents 4 and 2 and D that square; deeper, where D is less. */
double stage_sph_repel_limit(const sph_model *m, sph_state *s, double wall_speed)
{
    const int *p = m->sph.exponents;
    double speed = fmax(stage_sph_max_speed(s), wall_speed), strength = repel_strength(m, speed);
    double deep = repel_find(repel_potential, p, 25.0 / 64 * fmax(1, speed * speed / strength));
    double slope = ceil(repel_slope(p, fmin(deep, 1 / repel_nearest(p))));
    return strength > 0 ? m->spacing / (sqrt(strength) * sqrt(slope)) : INFINITY;
}
