#include "sph/stage/move.h"

#include <math.h>

#include "base/threads.h"
#include "sph/pressure/sums.h"
#include "sph/stage/collide.h"
#include "sph/stage/stress.h"
#include "sph/stage/tension.h"

typedef struct move_job {
    sph_collide walls;
    fr_result result;        /* of functions of the scene, which are called on one thread only */
    double clamps[SPH_PARTS], bad[SPH_PARTS];
} move_job;

static fr_result move_part(move_job *job, int number)
{
    sph_state *s = job->walls.s;
    sph_part part = sph_part_of(s, number);
    int dims = job->walls.m->dims;
    bool smoothed = job->walls.m->sph.xsph > 0;
    for (int64_t n = part.begin; n < part.end; n++) {
        double from[3] = {0}, to[3] = {0}, v[3] = {0};
        for (int a = 0; a < dims; a++) {
            from[a] = s->fluid.position[n][a];
            v[a] = s->next.velocity[n][a];
            to[a] = from[a] + job->walls.dt * (smoothed ? v[a] + (double)s->smoothing[n][a] : v[a]);
        }
        if (!isfinite(v[0] + v[1] + v[2])) {
            job->bad[number]++;
            continue;
        }
        FR_TRY(stage_sph_collide(&job->walls, number, n, from, to, v, &job->clamps[number]));
        for (int a = 0; a < 4; a++) {
            s->next.position[n][a] = a < dims ? (float)to[a] : 0;
            s->next.velocity[n][a] = a < dims ? (float)v[a] : 0;
        }
    }
    return FR_OK;
}

static void move_parts(void *context, int begin, int end)
{
    move_job *job = context;
    for (int number = begin; number < end; number++) {
        fr_result result = move_part(job, number);
        if (result != FR_OK)
            job->result = result;
    }
}

fr_result stage_sph_move(const sph_model *m, sph_state *s, double dt)
{
    move_job job = {.walls = sph_collide_of(m, s, dt), .result = FR_OK};
    if (job.walls.parallel)
        threads_for(SPH_PARTS, move_parts, &job);
    else
        move_parts(&job, 0, SPH_PARTS);
    stage_sph_loads_gather(m, s);
    FR_TRY(job.result);
    s->now.report.clamps += (int64_t)threads_sum(job.clamps, SPH_PARTS);
    double bad = threads_sum(job.bad, SPH_PARTS);
    if (bad > 0)
        return fr_fail(FR_ERROR_NUMERIC, "%.0f velocities are not finite", bad);
    return FR_OK;
}

/* The squares of eight speeds. */
static wide move_squares(const particle_vector *velocity)
{
    wide both[4];
    for (int l = 0; l < 4; l++)
        both[l] = __builtin_shufflevector(sums_load(&velocity[l]), sums_load(&velocity[l + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
    const wide_group v = wide_turn_fours(both);
    return v.v[0] * v.v[0] + v.v[1] * v.v[1] + v.v[2] * v.v[2];
}

static void move_speeds(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int block = begin; block < end; block++) {
        const int64_t last = sph_block_end(s->fluid.count, block + 1);
        int64_t n = (int64_t)block * SPH_BLOCK;
        wide most = {0};
        for (; n + WIDE <= last; n += WIDE)
            most = wide_max(move_squares(s->fluid.velocity + n), most);
        float max = wide_greatest(most);
        for (; n < last; n++) {
            const float *v = s->fluid.velocity[n];
            float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            max = square > max ? square : max;
        }
        s->partial[block] = max;
    }
}

double stage_sph_max_speed(sph_state *s)
{
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, move_speeds, s);
    return sqrt(threads_max(s->partial, blocks));
}

static void move_pressures(void *context, int begin, int end)
{
    sph_state *s = context;
    for (int block = begin; block < end; block++) {
        float max = 0;
        for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++)
            max = s->fluid.pressure[n] > max ? s->fluid.pressure[n] : max;
        s->partial[block] = max;
    }
}

/* √(p/ρ), the speed that pressure could give, m/s. A particle in deep water is held in balance by great pressures from
   all sides. When the particles around it move in a step, the balance is off, and that must not throw the particle
   further than a part of its spacing: (Δt/d)² p/ρ must be about 1 at most, even in still water. */
static double move_push_speed(sph_state *s)
{
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, move_pressures, s);
    return sqrt(threads_max(s->partial, blocks));
}

static const double GROWTH = 1.15, FIRST = 0.1;

double stage_sph_courant(const sph_model *m, const sph_state *s, double speed)
{
    const double *g = m->gravity;
    double acceleration = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) + s->pull, reach = m->cfl * m->spacing;
    return 2 * reach / (speed + sqrt(speed * speed + 4 * acceleration * reach));
}

double stage_sph_limit(const sph_model *m, sph_state *s, double wall_speed)
{
    double speed = fmax(stage_sph_max_speed(s), wall_speed);
    if (m->sph.solver != FR_SPH_WCSPH)
        speed = fmax(speed, 0.7 * move_push_speed(s));
    double dt = stage_sph_courant(m, s, speed), last = s->now.time - s->now.before;
    dt = fmin(dt, fmin(stage_sph_stress_limit(m), stage_sph_tension_limit(m)));
    if (m->sph.solver == FR_SPH_WCSPH)
        return fmin(dt, m->cfl * m->kernel.length / (m->sound_speed + speed));
    return fmin(dt, last > 0 ? GROWTH * last : FIRST * dt);
}
