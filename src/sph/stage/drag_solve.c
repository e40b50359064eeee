/* (I − Δt L) v = v*, a symmetric positive definite system, solved by conjugate gradients without a matrix,
   preconditioned by the inverse 3 × 3 blocks of its diagonal. The unknown is what is added to the velocities v₀ of the
   step before: rounding of whole velocities, times a strong friction, would be more than the tolerance. */
#include <math.h>

#include "base/threads.h"
#include "linalg/pcg.h"
#include "sph/stage/drag.h"

typedef struct solve_job {
    const sph_drag *drag;
    sph_state *s;
    particle_vector *right;              /* v* − (I − Δt L) v₀ */
    particle_vector *change;             /* the unknown, v − v₀ */
    particle_vector *left, *along;       /* r and p of pcg.h */
    particle_vector *image;              /* q and, before it is there, z = M r */
    float *block[6];                     /* inverse of the diagonal block: xx, yy, zz, xy, xz, yz */
    float balance;                       /* 1: the final residual is added to the velocities; 0: it is not */
    double factor;                       /* α or β of the pass under way */
    pcg_norms wanted;                    /* of v* or the walls near by: the residual is measured against it */
} solve_job;

/* Partial results of a block: p·q or the square of a vector, its largest element, z·r; then square and largest element
   of the right-hand side. */
enum { SUM, MOST, PRODUCT, WANTED };

static void solve_invert(const float a[6], float inverse[6])
{
    double xx = 1.0 + a[0], yy = 1.0 + a[1], zz = 1.0 + a[2], xy = a[3], xz = a[4], yz = a[5];
    double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy,
           per = 1 / (xx * cx + xy * cy + xz * cz);
    const double exact[6] = {cx * per, (xx * zz - xz * xz) * per, (xx * yy - xy * xy) * per, cy * per,
                             cz * per, (xy * xz - xx * yz) * per};
    for (int i = 0; i < 6; i++)
        inverse[i] = (float)exact[i];
}

/* The diagonal block of I − Δt L, inverted. */
static void solve_set_diagonal(const solve_job *job, int64_t n)
{
    const sph_state *s = job->s;
    const pairs *p = &s->pairs;
    wide squares = {0}, mixed = {0};
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k += 2) {
        wide g = pairs_load(p->record + k), weighted = sph_drag_weights(job->drag->m, p->record + k) * g;
        squares += weighted * g;
        mixed += __builtin_shufflevector(weighted, weighted, 0, 0, 1, 3, 4, 4, 5, 7) *
                 __builtin_shufflevector(g, g, 1, 2, 2, 3, 5, 6, 6, 7);
    }
    four own = sums_both(squares), cross = sums_both(mixed);
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
        sph_contact contact;
        four weighted = sph_drag_contact(job->drag, k, &contact) * contact.g, g = contact.g;
        own += weighted * g;
        cross += __builtin_shufflevector(weighted, weighted, 0, 0, 1, 3) * __builtin_shufflevector(g, g, 1, 2, 2, 3);
    }
    own *= job->drag->rate;
    cross *= job->drag->rate;
    float inverse[6];
    solve_invert((float[6]){own[0], own[1], own[2], cross[0], cross[1], cross[2]}, inverse);
    for (int i = 0; i < 6; i++)
        job->block[i][n] = inverse[i];
}

static double *solve_partial(const solve_job *job, int block) { return job->s->partial + SPH_PARTIALS * block; }

/* Of the partial results at `first` and after it. */
static pcg_norms solve_norms(const solve_job *job, int first)
{
    double square = 0, most = 0;
    for (int b = 0; b < sph_blocks(job->s->fluid.count); b++) {
        square += solve_partial(job, b)[first];
        most = fmax(most, solve_partial(job, b)[first + 1]);
    }
    return (pcg_norms){sqrt(square), most};
}

static double solve_sum(const solve_job *job, int which)
{
    double sum = 0;
    for (int b = 0; b < sph_blocks(job->s->fluid.count); b++)
        sum += solve_partial(job, b)[which];
    return sum;
}

static void solve_measure(const solve_job *job, int block, const particle_vector *v)
{
    double square = 0, most = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, block + 1); n++) {
        four at = sums_load(&v[n]);
        double own = sums_product(at, at);
        square += own;
        most = fmax(most, own);
    }
    solve_partial(job, block)[SUM] = square;
    solve_partial(job, block)[MOST] = sqrt(most);
}

/* |v*|² of a particle, or |v|² of a wall near it, whichever is more. */
static double solve_scale(const sph_state *s, int64_t n)
{
    four v = sums_load(&s->next.velocity[n]);
    double most = sums_product(v, v);
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
        four wall = sums_load(&s->walls.velocity[s->wall_pairs.other[k]]);
        most = fmax(most, sums_product(wall, wall));
    }
    return most;
}

static void solve_measure_wanted(const solve_job *job, int block)
{
    double square = 0, most = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, block + 1); n++) {
        double own = solve_scale(job->s, n);
        square += own;
        most = fmax(most, own);
    }
    solve_partial(job, block)[WANTED] = square;
    solve_partial(job, block)[WANTED + 1] = sqrt(most);
}

/* The diagonal, the start v* − v₀ of the unknown, and the right-hand side. */
static void solve_set_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    const particle_vector *last = job->s->fluid.velocity;
    for (int b = begin; b < end; b++) {
        solve_measure_wanted(job, b);
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            solve_set_diagonal(job, n);
            four pushed = sums_load(&job->s->next.velocity[n]) - sums_load(&last[n]);
            sums_store(&job->change[n], pushed);
            sums_store(&job->right[n], pushed - sph_drag_of(job->drag, n, last, false));
        }
        solve_measure(job, b, job->right);
    }
}

/* Norms of the residual of a block; z, and z·r. */
static void solve_precondition_block(const solve_job *job, int block)
{
    float *const *a = job->block;
    double sum = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, block + 1); n++) {
        four r = sums_load(&job->left[n]);
        four z = {a[0][n] * r[0] + a[3][n] * r[1] + a[4][n] * r[2], a[3][n] * r[0] + a[1][n] * r[1] + a[5][n] * r[2],
                  a[4][n] * r[0] + a[5][n] * r[1] + a[2][n] * r[2], 0};
        sums_store(&job->image[n], z);
        sum += sums_product(z, r);
    }
    solve_partial(job, block)[PRODUCT] = sum;
    solve_measure(job, block, job->left);
}

static void solve_residual_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int b = begin; b < end; b++) {
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++)
            sums_store(&job->left[n], sums_load(&job->right[n]) - sums_load(&job->change[n]) -
                                          sph_drag_of(job->drag, n, job->change, true));
        solve_precondition_block(job, b);
    }
}

static pcg_norms solve_residual(void *context)
{
    const solve_job *job = context;
    threads_for(sph_blocks(job->s->fluid.count), solve_residual_blocks, context);
    return solve_norms(job, SUM);
}

/* z is known already: every pass that makes a residual makes z too. */
static double solve_precondition(void *context) { return solve_sum(context, PRODUCT); }

static void solve_turn_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    float beta = (float)job->factor;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        four z = sums_load(&job->image[n]);
        sums_store(&job->along[n], beta == 0 ? z : z + beta * sums_load(&job->along[n]));
    }
}

static void solve_image_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int b = begin; b < end; b++) {
        double sum = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            four p = sums_load(&job->along[n]), q = p + sph_drag_of(job->drag, n, job->along, true);
            sums_store(&job->image[n], q);
            sum += sums_product(p, q);
        }
        solve_partial(job, b)[SUM] = sum;
    }
}

static double solve_direction(void *context, double beta)
{
    solve_job *job = context;
    job->factor = beta;
    threads_for(sph_blocks(job->s->fluid.count), solve_turn_blocks, job);
    threads_for(sph_blocks(job->s->fluid.count), solve_image_blocks, job);
    return solve_sum(job, SUM);
}

static void solve_step_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    float alpha = (float)job->factor;
    for (int b = begin; b < end; b++) {
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            sums_store(&job->change[n], sums_load(&job->change[n]) + alpha * sums_load(&job->along[n]));
            sums_store(&job->left[n], sums_load(&job->left[n]) - alpha * sums_load(&job->image[n]));
        }
        solve_precondition_block(job, b);
    }
}

static pcg_norms solve_step(void *context, double alpha)
{
    solve_job *job = context;
    job->factor = alpha;
    threads_for(sph_blocks(job->s->fluid.count), solve_step_blocks, job);
    return solve_norms(job, SUM);
}

static void solve_clear_change(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->change[n], (four){0});
}

/* From changes to velocities: those at which friction acts. */
static void solve_add_last(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->change[n], sums_load(&job->s->fluid.velocity[n]) + sums_load(&job->change[n]));
}

/* Adding the final residual conserves momentum to rounding: v* minus the pairwise friction of the velocities found. The
   residual is as small as the tolerance, except where friction is so strong that rounding of velocities leaves more:
   there it is left out. */
static void solve_keep(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->s->next.velocity[n], sums_load(&job->change[n]) + job->balance * sums_load(&job->left[n]));
}

/* Starts from v* or v₀, whichever has the smaller residual: v* fits slight friction and liquid that moves as a whole,
   v₀ fits where friction balances the forces. */
static void solve_start(solve_job *job)
{
    int blocks = sph_blocks(job->s->fluid.count);
    threads_for(blocks, solve_set_blocks, job);
    job->wanted = solve_norms(job, WANTED);
    double held = solve_norms(job, SUM).l2;
    if (held < solve_residual(job).l2)
        threads_for(blocks, solve_clear_change, job);
}

/* Enough iterations for the longest chain of particles; PATIENCE ends the solve where rounding stops progress. A
   residual up to TOLERABLE is accepted then. */
static const solve_limits LIMITS = {.tolerance = 1e-5, .max_iterations = 1000};
static const double TOLERABLE = 3e-2;
enum { PATIENCE = 300 };

fr_result stage_sph_drag_solve(const sph_drag *drag, double dt)
{
    sph_state *s = drag->s;
    int blocks = sph_blocks(s->fluid.count);
    solve_job job = {
        .drag = drag,
        .s = s,
        .right = s->vectors[0],
        .change = s->vectors[1],
        .left = s->vectors[2],
        .along = s->vectors[3],
        .image = s->vectors[4],
        .block = {s->numbers[0], s->numbers[1], s->numbers[2], s->numbers[3], s->numbers[4], s->numbers[5]}};
    solve_start(&job);
    pcg_system system = {.context = &job,
                         .right = &job.wanted,
                         .residual = solve_residual,
                         .precondition = solve_precondition,
                         .direction = solve_direction,
                         .step = solve_step,
                         .patience = PATIENCE};
    solve_stats stats = pcg_solve(&system, &LIMITS);
    if (!stats.converged && !(stats.residual <= TOLERABLE))
        return fr_fail(FR_ERROR_NUMERIC, "viscosity: a residual of %.3g is left after %d iterations", stats.residual,
                       stats.iterations);
    job.balance = stats.converged;
    threads_for(blocks, solve_add_last, &job);
    stage_sph_drag_loads(drag, job.change, dt, 1);
    threads_for(blocks, solve_keep, &job);
    return FR_OK;
}
