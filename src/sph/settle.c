/* How liquid starts around rigid bodies. It stands on a lattice, of which the places outside of the bodies are taken,
   so that there is just as much of it as there is room for; but some are nearer to a body than particles can be, and
   the next ones too far. Left like that, or with a gap all around, it would close up under its weight, and let a body
   that should hang in it fall meanwhile. So particles first give way: what is too dense is pushed apart by shifts
   alone, by the pressure that the solver finds for it, while bodies stand and nothing moves,

       A Q ≥ density − 1, Q ≥ 0,   x += d s,   s = −Dᵀ Q,

   until nothing has far to go. */
#include "sph/scheme.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "sph/floating/floating.h"
#include "sph/pressure/solve.h"
#include "sph/stage/collide.h"
#include "sph/stage/near.h"

/* Spacings: the longest shift, of which gradients know; and a shift that is not worth another round. */
static const double LONGEST = 0.2, ENOUGH = 0.01;
static const int ROUNDS = 30;

typedef struct settle_job {
    sph_collide walls;
    double longest[SPH_PARTS];
    fr_result result;
} settle_job;

static fr_result settle_particle(settle_job *job, int part, int64_t n)
{
    const sph_model *m = job->walls.m;
    const float *shift = job->walls.s->vectors[SPH_SHIFT][n];
    float *at = job->walls.s->fluid.position[n];
    const double length = sqrt((double)(shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2]));
    double from[3] = {0}, to[3] = {0}, still[3] = {0}, count = 0;
    for (int a = 0; a < m->dims; a++) {
        from[a] = at[a];
        to[a] = from[a] + m->spacing * (double)shift[a] * fmin(1, LONGEST / fmax(length, LONGEST));
    }
    FR_TRY(stage_sph_collide(&job->walls, part, n, from, to, still, &count));
    for (int a = 0; a < m->dims; a++)
        at[a] = (float)to[a];
    job->longest[part] = fmax(job->longest[part], length);
    return FR_OK;
}

static void settle_parts(void *context, int begin, int end)
{
    settle_job *job = context;
    for (int number = begin; number < end; number++) {
        const sph_part part = sph_part_of(job->walls.s, number);
        for (int64_t n = part.begin; n < part.end; n++) {
            const fr_result result = settle_particle(job, number, n);
            if (result != FR_OK)
                job->result = result;
        }
    }
}

/* The shifts that take all excess back, into SPH_SHIFT. */
static void settle_solve(const sph_model *m, sph_state *s)
{
    const sph_recovery recovery = {.excess = 1, .gap = 0, .spray = (float)m->spray};
    sph_solve solve = {.tolerance = m->sph.density_error, .recovery = &recovery, .most = m->sph.max_iterations};
    memset(s->numbers[SPH_UNKNOWN], 0, sizeof(float) * (size_t)s->fluid.count);
    memset(s->walls.unknown, 0, sizeof(float) * (size_t)s->walls.count);
    sph_predict(m, s, s->fluid.velocity, 0, &recovery);
    sph_solve_run(m, s, &solve);
}

static fr_result settle_round(const sph_model *m, sph_state *s, double *longest)
{
    FR_TRY(stage_sph_near(m, s));
    settle_solve(m, s);
    settle_job job = {.walls = sph_collide_of(m, s, 1e-6 * sqrt(m->spacing)), .result = FR_OK};
    if (job.walls.parallel)
        threads_for(SPH_PARTS, settle_parts, &job);
    else
        settle_parts(&job, 0, SPH_PARTS);
    stage_sph_loads_gather(m, s);
    stage_sph_loads_clear(m, s);
    s->near_known = false;
    *longest = threads_max(job.longest, SPH_PARTS);
    return job.result;
}

fr_result sph_settle(const sph_model *m, sph_state *s)
{
    double longest = INFINITY;
    const bool feels = s->floating->feels;
    fr_result result = FR_OK;
    s->floating->feels = false;
    for (int round = 0; round < ROUNDS && longest > ENOUGH && result == FR_OK; round++)
        result = settle_round(m, s, &longest);
    s->floating->feels = feels;
    return result;
}
