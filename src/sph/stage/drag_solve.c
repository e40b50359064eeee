/* (I − Δt L) v = v*, a symmetric positive definite system, solved by conjugate gradients without a matrix,
   preconditioned by the inverse 3 × 3 blocks of its diagonal and, added to it, what velocities that are linear on
   boxes of a few spacings can do (sph/friction/space.h): strong friction leaves only smooth motions, and those are what
   the blocks do not see. The unknown is what is added to the velocities v₀ of the step before: rounding of whole
   velocities, times a strong friction, would be more than the tolerance.

   The error e is measured by the energy e·(I − Δt L) e of which the solution is the minimum, and never by the residual:
   that of the last bits of the velocities, which friction multiplies by its strength, would hide all others. */
#include <math.h>

#include "base/threads.h"
#include "linalg/pcg.h"
#include "sph/floating/grip.h"
#include "sph/friction/rigid.h"
#include "sph/friction/space.h"
#include "sph/stage/drag.h"

typedef struct solve_job {
    const sph_drag *drag;
    sph_state *s;
    friction_space *space;
    particle_vector *base;               /* velocities that the unknown is added to */
    particle_vector *change;             /* the unknown, v − base */
    particle_vector *left, *along;       /* r and p of pcg.h */
    particle_vector *image;              /* q and, before it is there, z = M r */
    float *block[6];                     /* inverse of the diagonal block: xx, yy, zz, xy, xz, yz */
    friction_motion owed;                   /* what they are short of as a whole, in the end */
    double factor;                       /* α or β of the pass under way */
    double product;                      /* r·z */
    pcg_norms wanted;                    /* of v* or the walls near by: the error is measured against it */
} solve_job;

/* Partial results of a block. */
enum { SUM, COST, WANTED };

/* The diagonal block of I − Δt L, inverted; and for the hats of what it consists, in `along` and `image`. */
static void solve_set_diagonal(const solve_job *job, int64_t n)
{
    const sph_state *s = job->s;
    const pairs *p = &s->pairs;
    const float reach = (float)(job->drag->m->kernel.support / job->drag->m->spacing);
    const bool differs = job->drag->share;
    wide squares = {0}, mixed = {0}, stretched = {0};
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k += 2) {
        const pair_record *two = p->record + k;
        wide g = pairs_load(two), weighted = g * sph_drag_pair(job->drag, two, n, p->other + k, differs),
             r = reach * sums_distance(g), square = weighted * g;
        squares += square;
        stretched += square * r * r;
        mixed += __builtin_shufflevector(weighted, weighted, 0, 0, 1, 3, 4, 4, 5, 7) *
                 __builtin_shufflevector(g, g, 1, 2, 2, 3, 5, 6, 6, 7);
    }
    four walls = {0}, walls_mixed = {0};
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
        sph_contact contact;
        four weighted = sph_drag_contact(job->drag, n, k, &contact) * contact.g, g = contact.g;
        walls += weighted * g;
        walls_mixed +=
            __builtin_shufflevector(weighted, weighted, 0, 0, 1, 3) * __builtin_shufflevector(g, g, 1, 2, 2, 3);
    }
    const float rate = job->drag->rate;
    const int dims = job->drag->m->dims;
    four stretch = sums_both(stretched);
    four own = 1 + rate * (sums_both(squares) + walls), cross = rate * (sums_both(mixed) + walls_mixed);
    hats_tensor inverse = hats_tensor_inverse((hats_tensor){__builtin_convertvector(own, hats_vector),
                                                            __builtin_convertvector(cross, hats_vector)});
    for (int i = 0; i < 3; i++) {
        job->block[i][n] = (float)inverse.own[i];
        job->block[3 + i][n] = (float)inverse.mixed[i];
    }
    walls *= rate;
    walls[3] = rate * (stretch[0] + stretch[1] + stretch[2]) / (float)(2 * dims * (dims + 2));
    sums_store(&job->along[n], walls);
    sums_store(&job->image[n], rate * walls_mixed);
}

static double *solve_partial(const solve_job *job, int block) { return job->s->partial + SPH_PARTIALS * block; }

static double solve_sum(const solve_job *job, int which)
{
    double sum = 0;
    for (int b = 0; b < sph_blocks(job->s->fluid.count); b++)
        sum += solve_partial(job, b)[which];
    return sum;
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
    double square = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, block + 1); n++)
        square += solve_scale(job->s, n);
    solve_partial(job, block)[WANTED] = square;
}

/* The diagonal, v* − v₀ as the first change of v₀, and what v₀ leaves. */
static void solve_set_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int b = begin; b < end; b++) {
        solve_measure_wanted(job, b);
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            four last = sums_load(&job->s->fluid.velocity[n]);
            four pushed = sums_load(&job->s->next.velocity[n]) - last;
            solve_set_diagonal(job, n);
            sums_store(&job->base[n], last);
            sums_store(&job->change[n], pushed);
            sums_store(&job->left[n], pushed - sph_drag_of(job->drag, n, job->s->fluid.velocity, false));
        }
    }
}

/* Of v* − v₀: its products with what v₀ leaves and with its image. */
static void solve_try_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int b = begin; b < end; b++) {
        double gain = 0, cost = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            four pushed = sums_load(&job->change[n]);
            gain += sums_product(pushed, sums_load(&job->left[n]));
            cost += sums_product(pushed, pushed + sph_drag_of(job->drag, n, job->change, true));
        }
        solve_partial(job, b)[SUM] = gain;
        solve_partial(job, b)[COST] = cost;
    }
}

static void solve_scale_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->change[n], (float)job->factor * sums_load(&job->change[n]));
}

/* The change becomes part of what it is added to. */
static void solve_settle_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        sums_store(&job->base[n], sums_load(&job->base[n]) + sums_load(&job->change[n]));
        sums_store(&job->change[n], (four){0});
    }
}

static void solve_residual_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->left[n], sums_load(&job->s->next.velocity[n]) - sums_load(&job->base[n]) -
                                      sph_drag_of(job->drag, n, job->base, false));
}

/* z, and z·r. */
static void solve_precondition_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    const hats_level *hats = hats_finest(job->space->hats);
    float *const *a = job->block;
    for (int b = begin; b < end; b++) {
        double sum = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            four r = sums_load(&job->left[n]);
            four own = {a[0][n] * r[0] + a[3][n] * r[1] + a[4][n] * r[2],
                        a[3][n] * r[0] + a[1][n] * r[1] + a[5][n] * r[2],
                        a[4][n] * r[0] + a[5][n] * r[1] + a[2][n] * r[2], 0};
            four z = own + friction_space_at(job->space, hats, n);
            sums_store(&job->image[n], z);
            sum += sums_product(z, r);
        }
        solve_partial(job, b)[SUM] = sum;
    }
}

/* √(r·z), which is the energy's root of the error but for a factor of a few. */
static pcg_norms solve_measure(solve_job *job)
{
    friction_space_solve(job->space, job->left);
    threads_for(sph_blocks(job->s->fluid.count), solve_precondition_blocks, job);
    job->product = solve_sum(job, SUM);
    double norm = sqrt(job->product);
    return (pcg_norms){norm, norm};
}

static pcg_norms solve_residual(void *context)
{
    solve_job *job = context;
    threads_for(sph_blocks(job->s->fluid.count), solve_settle_blocks, job);
    sph_grip_lead(job->drag, job->base, false);
    threads_for(sph_blocks(job->s->fluid.count), solve_residual_blocks, job);
    return solve_measure(job);
}

/* Whatever makes a residual makes z too. */
static double solve_precondition(void *context) { return ((const solve_job *)context)->product; }

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
    sph_grip_lead(job->drag, job->along, true);
    threads_for(sph_blocks(job->s->fluid.count), solve_image_blocks, job);
    return solve_sum(job, SUM);
}

static void solve_step_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    float alpha = (float)job->factor;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        sums_store(&job->change[n], sums_load(&job->change[n]) + alpha * sums_load(&job->along[n]));
        sums_store(&job->left[n], sums_load(&job->left[n]) - alpha * sums_load(&job->image[n]));
    }
}

static pcg_norms solve_step(void *context, double alpha)
{
    solve_job *job = context;
    job->factor = alpha;
    threads_for(sph_blocks(job->s->fluid.count), solve_step_blocks, job);
    return solve_measure(job);
}

/* From changes to velocities: those at which friction acts. */
static void solve_add_base(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->change[n], sums_load(&job->base[n]) + sums_load(&job->change[n]));
}

/* Friction is between pairs, along the line between the two: where no wall holds the liquid, momentum and angular
   momentum stay those of v*, less what rigid bodies get. What they lack is given to all as to a rigid body, which has
   no friction within. */
/* What particle n gives to bodies. */
static inline four solve_given(const sph_drag *drag, int64_t n, four own)
{
    return drag->sticks ? drag->rate * sph_drag_walls(drag, n, own, false) : (four){0};
}

static void solve_owe_blocks(void *context, int begin, int end)
{
    const solve_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->left[n], sums_load(&job->s->next.velocity[n]) - sums_load(&job->change[n]) -
                                      solve_given(job->drag, n, sums_load(&job->change[n])));
}

static void solve_keep(void *context, int begin, int end)
{
    const solve_job *job = context;
    const sph_state *s = job->s;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++)
        sums_store(&s->next.velocity[n],
                   sums_load(&job->change[n]) + rigid_at(&job->owed, sums_load(&s->fluid.position[n])));
}

static friction_motion solve_owed(solve_job *job)
{
    const bool *periodic = job->drag->m->periodic, held = job->drag->sticks && job->s->walls.holds;
    if (!held)
        threads_for(sph_blocks(job->s->fluid.count), solve_owe_blocks, job);
    return friction_rigid(job->s, job->left, !held && !periodic[0] && !periodic[1] && !periodic[2]);
}

/* Starts from the velocity on the line from v₀ to v* that is nearest to the solution: v* fits slight friction and
   liquid that moves as a whole, v₀ fits where friction balances the forces. */
static void solve_start(solve_job *job)
{
    sph_state *s = job->s;
    int blocks = sph_blocks(s->fluid.count);
    sph_grip_lead(job->drag, s->fluid.velocity, false);
    threads_for(blocks, solve_set_blocks, job);
    const double wanted = sqrt(solve_sum(job, WANTED));
    job->wanted = (pcg_norms){wanted, wanted};
    friction_space_set(job->drag->m, job->space, &s->fluid, (particle_vector *const[2]){job->along, job->image});
    sph_grip_lead(job->drag, job->change, true);
    threads_for(blocks, solve_try_blocks, job);
    double cost = solve_sum(job, COST);
    job->factor = cost > 0 ? solve_sum(job, SUM) / cost : 0;
    threads_for(blocks, solve_scale_blocks, job);
}

/* Two rounds: the second has the friction of the first one's result to start from, without the rounding of what the
   first added up. */
static const solve_limits LIMITS = {.tolerance = 1e-5, .max_iterations = 200};

static fr_result solve_rounds(solve_job *job)
{
    pcg_system system = {.context = job,
                         .right = &job->wanted,
                         .residual = solve_residual,
                         .precondition = solve_precondition,
                         .direction = solve_direction,
                         .step = solve_step,
                         .trusting = true};
    solve_stats first = pcg_solve(&system, &LIMITS), last = pcg_solve(&system, &LIMITS);
    fr_step_report *report = &job->s->now.report;
    report->viscosity_iterations = first.iterations + last.iterations;
    report->viscosity_residual = last.residual;
    if (!last.converged)
        return fr_fail(FR_ERROR_NUMERIC, "viscosity: the velocities are %.3g of their size off after %d iterations",
                       last.residual, report->viscosity_iterations);
    return FR_OK;
}

fr_result stage_sph_drag_solve(const sph_drag *drag, double dt)
{
    sph_state *s = drag->s;
    int blocks = sph_blocks(s->fluid.count);
    solve_job job = {
        .drag = drag,
        .s = s,
        .space = s->friction,
        .base = s->vectors[0],
        .change = s->vectors[1],
        .left = s->vectors[2],
        .along = s->vectors[3],
        .image = s->vectors[4],
        .block = {s->numbers[0], s->numbers[1], s->numbers[2], s->numbers[3], s->numbers[4], s->numbers[5]}};
    FR_TRY(sph_grip_find(drag));
    solve_start(&job);
    FR_TRY(solve_rounds(&job));
    threads_for(blocks, solve_add_base, &job);
    sph_grip_lead(drag, job.change, false);
    job.owed = solve_owed(&job);
    stage_sph_drag_loads(drag, job.change, dt, 1);
    threads_for(blocks, solve_keep, &job);
    return FR_OK;
}
