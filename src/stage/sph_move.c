#include "stage/sph_move.h"

#include <math.h>

#include "base/threads.h"
#include "stage/sph_stress.h"
#include "stage/sph_tension.h"

typedef struct move_job {
    const sph_model *m;
    sph_state *s;
    float dt;
} move_job;

enum { CLAMPS, BAD };   /* partial sums of a block */

/* Along one axis. A particle at a closed side keeps a hundredth of a spacing away from it. */
static float move_side(const sph_model *m, int axis, float x, float *speed, double *clamps)
{
    float low = (float)m->low[axis], high = (float)m->high[axis], margin = 0.01f * (float)m->spacing;
    if (m->periodic[axis]) {
        x = x < low ? x + (high - low) : x;
        return x >= high ? x - (high - low) : x;
    }
    bool below = m->closed[2 * axis] && x < low + margin, above = m->closed[2 * axis + 1] && x > high - margin;
    if (below || above) {
        x = below ? low + margin : high - margin;
        *speed = 0;
        ++*clamps;
    }
    return x;
}

static void move_blocks(void *context, int begin, int end)
{
    const move_job *job = context;
    const sph_model *m = job->m;
    sph_state *s = job->s;
    bool smoothed = m->def->sph.xsph > 0;
    for (int block = begin; block < end; block++) {
        double clamps = 0, bad = 0;
        for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
            float *v = s->next.velocity[n], *to = s->next.position[n];
            const float *from = s->fluid.position[n];
            for (int a = 0; a < m->dims; a++) {
                bad += !isfinite(v[a]);
                float goes = smoothed ? v[a] + s->shift[n][a] : v[a];
                to[a] = move_side(m, a, from[a] + job->dt * goes, &v[a], &clamps);
            }
            for (int a = m->dims; a < 4; a++)
                to[a] = v[a] = 0;
        }
        s->partial[SPH_PARTIALS * block + CLAMPS] = clamps;
        s->partial[SPH_PARTIALS * block + BAD] = bad;
    }
}

fr_result stage_sph_move(const sph_model *m, sph_state *s, double dt)
{
    move_job job = {m, s, (float)dt};
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, move_blocks, &job);
    double bad = 0;
    for (int b = 0; b < blocks; b++) {
        s->now.report.clamps += (int64_t)s->partial[SPH_PARTIALS * b + CLAMPS];
        bad += s->partial[SPH_PARTIALS * b + BAD];
    }
    if (bad > 0)
        return fr_fail(FR_ERROR_NUMERIC, "%.0f velocities are not finite", bad);
    return FR_OK;
}

static void move_speeds(void *context, int begin, int end)
{
    const sph_state *s = context;
    for (int block = begin; block < end; block++) {
        float max = 0;
        for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
            const float *v = s->fluid.velocity[n];
            float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            max = square > max ? square : max;
        }
        s->partial[block] = max;
    }
}

double stage_sph_max_speed(const sph_state *s)
{
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, move_speeds, (void *)s);
    return sqrt(threads_max(s->partial, blocks));
}

static const double GROWTH = 1.15, FIRST = 0.1;

double stage_sph_limit(const sph_model *m, const sph_state *s, double wall_speed)
{
    double speed = fmax(stage_sph_max_speed(s), wall_speed);
    const double *g = m->def->gravity;
    double acceleration = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) + s->pull, reach = m->cfl * m->spacing;
    double dt = 2 * reach / (speed + sqrt(speed * speed + 4 * acceleration * reach)), last = s->now.time - s->now.before;
    dt = fmin(dt, fmin(stage_sph_stress_limit(m), stage_sph_tension_limit(m)));
    return fmin(dt, last > 0 ? GROWTH * last : FIRST * dt);
}

void stage_sph_leave(const sph_model *m, sph_state *s)
{
    uint8_t *mark = (uint8_t *)s->source;
    int64_t before = s->fluid.count;
    bool open = false;
    for (int side = 0; side < 2 * m->dims; side++)
        open = open || (!m->closed[side] && !m->periodic[side / 2]);
    if (!open)
        return;
    for (int64_t n = 0; n < before; n++) {
        const float *x = s->fluid.position[n];
        mark[n] = 0;
        for (int a = 0; a < m->dims; a++)
            mark[n] |= x[a] < m->low[a] || x[a] > m->high[a];
    }
    fluid_sweep(&s->fluid, mark);
    s->left += before - s->fluid.count;
}
