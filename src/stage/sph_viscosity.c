/* Monaghan's viscous sum (Monaghan 1992; Weiler, Koschier, Brand & Bender 2018, "A physically consistent implicit viscosity solver
   for SPH fluids", equation 6), here L:

       (L v)_i = K ν Σ_j V (v_ij·x_ij)/(r² + η²) ∇W_ij,   η² = 0.01 h²,

   which acts along the line between two particles and so conserves momentum and angular momentum. With the records g of pairs, which
   point against x_ij, and lengths in spacings d it is −(K ν/d²) Σ c (v_ij·g) g with c = r/(|g| (r² + η²)). K is set on the lattice
   (model/sph_tuning.c).

   For large ν Δt/d² the velocities at the step's end are felt: (I − Δt L) v = v*, a symmetric positive definite system, solved by
   conjugate gradients without a matrix, preconditioned by the inverse 3 × 3 blocks of its diagonal. */
#include "stage/sph_viscosity.h"

#include <math.h>

#include "base/threads.h"
#include "linalg/pcg.h"
#include "stage/sph_contact.h"
#include "stage/sph_loads.h"

typedef struct viscous_job {
    const sph_model *m;
    sph_state *s;
    bool sticks;             /* some wall does */
    float hold;              /* share of the friction between particles that acts at walls: damping does not */
    float rate;                         /* K ν Δt/d² */
    float reach, softening;             /* the support, and η², in spacings */
    const particle_vector *start;       /* the velocities that the solve starts from */
    particle_vector *right;             /* v* − (I − Δt L) start */
    particle_vector *change;            /* the unknown: what is added to the start */
    particle_vector *left, *scaled, *along, *image;   /* r, z, p and q of pcg.h */
    particle_vector *block[2];          /* inverse of the diagonal block: xx, yy, zz; xy, xz, yz */
    float balance;                      /* 1: what is left of the residual is added in the end; 0: it is not */
    double factor;                      /* α or β of the pass under way */
    pcg_norms wanted;                   /* of v* or the walls near by: what the residual is held against */
} viscous_job;

enum { SUM, MOST };   /* partial results of a block */

/* c of two pairs. */
static inline wide viscous_weight(const viscous_job *job, wide record)
{
    wide g = sums_gradient(record), r = job->reach * sums_distance(record);
    return r / ((r * r + job->softening) * (wide_sqrt(sums_each(g * g)) + 1e-12f));
}

/* c of a wall particle the liquid sticks to, stretched; 0 for others. */
static float viscous_contact(const viscous_job *job, int64_t k, sph_contact *contact)
{
    if (!sph_contact_of(job->m, job->s, k, contact) || job->s->walls.grip[contact->wall] == 0)
        return 0;
    float r = contact->distance, steep = sqrtf(sums_product(contact->g, contact->g));
    return job->hold * contact->stretch * r / ((r * r + job->softening) * steep);
}

static four viscous_wall_drag(const viscous_job *job, int64_t n, four own, bool homogeneous)
{
    const sph_state *s = job->s;
    four drag = {0};
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n) && job->sticks; k++) {
        sph_contact contact;
        float weight = viscous_contact(job, k, &contact);
        if (weight > 0)
            drag += weight * sums_product(contact.g, homogeneous ? own : own - sums_load(&s->walls.velocity[contact.wall])) * contact.g;
    }
    return drag;
}

/* −Δt L v of one particle. Walls stand still when `homogeneous`: what they add is part of the right-hand side. */
static four viscous_drag(const viscous_job *job, int64_t n, const particle_vector *v, bool homogeneous)
{
    const pairs *p = &job->s->pairs;
    four own = sums_load(&v[n]);
    wide both = sums_twice(own), sum = {0};
    for (int64_t k = p->begin[n]; k < p->begin[n] + p->number[n]; k += 2) {
        wide record = pairs_load(p->record + k);
        wide along = sums_each(record * (both - sums_two_vectors(v, p->other + k)));
        sum += viscous_weight(job, record) * along * sums_gradient(record);
    }
    return job->rate * (sums_both(sum) + viscous_wall_drag(job, n, own, homogeneous));
}

/* right = v* − (I − Δt L) start. */
static void viscous_set_right(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->right[n], sums_load(&job->s->next.velocity[n]) - sums_load(&job->start[n]) - viscous_drag(job, n, job->start, false));
}

static void viscous_invert(const float a[6], particle_vector *diagonal, particle_vector *rest)
{
    double xx = 1.0 + a[0], yy = 1.0 + a[1], zz = 1.0 + a[2], xy = a[3], xz = a[4], yz = a[5];
    double cx = yy * zz - yz * yz, cy = xz * yz - xy * zz, cz = xy * yz - xz * yy, per = 1 / (xx * cx + xy * cy + xz * cz);
    const double inverse[6] = {cx * per, (xx * zz - xz * xz) * per, (xx * yy - xy * xy) * per, cy * per, cz * per, (xy * xz - xx * yz) * per};
    for (int a3 = 0; a3 < 3; a3++) {
        (*diagonal)[a3] = (float)inverse[a3];
        (*rest)[a3] = (float)inverse[3 + a3];
    }
    (*diagonal)[3] = (*rest)[3] = 0;
}

/* The diagonal blocks of I − Δt L, inverted. */
static void viscous_set_blocks(void *context, int begin, int end)
{
    const viscous_job *job = context;
    const sph_state *s = job->s;
    const pairs *p = &s->pairs;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(s->fluid.count, end); n++) {
        wide squares = {0}, mixed = {0};
        for (int64_t k = p->begin[n]; k < p->begin[n] + p->number[n]; k += 2) {
            wide record = pairs_load(p->record + k), g = sums_gradient(record), weighted = viscous_weight(job, record) * g;
            squares += weighted * g;
            mixed += __builtin_shufflevector(weighted, weighted, 0, 0, 1, 3, 4, 4, 5, 7) * __builtin_shufflevector(g, g, 1, 2, 2, 3, 5, 6, 6, 7);
        }
        four own = sums_both(squares), cross = sums_both(mixed);
        for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
            sph_contact contact;
            four weighted = viscous_contact(job, k, &contact) * contact.g, g = contact.g;
            own += weighted * g;
            cross += __builtin_shufflevector(weighted, weighted, 0, 0, 1, 3) * __builtin_shufflevector(g, g, 1, 2, 2, 3);
        }
        own *= job->rate;
        cross *= job->rate;
        viscous_invert((float[6]){own[0], own[1], own[2], cross[0], cross[1], cross[2]}, &job->block[0][n], &job->block[1][n]);
    }
}

static pcg_norms viscous_norms(const sph_state *s)
{
    double square = 0, most = 0;
    for (int b = 0; b < sph_blocks(s->fluid.count); b++) {
        square += s->partial[SPH_PARTIALS * b + SUM];
        most = fmax(most, s->partial[SPH_PARTIALS * b + MOST]);
    }
    return (pcg_norms){sqrt(square), most};
}

static void viscous_note(sph_state *s, int block, double sum, double most)
{
    s->partial[SPH_PARTIALS * block + SUM] = sum;
    s->partial[SPH_PARTIALS * block + MOST] = most;
}

static void viscous_measure_block(sph_state *s, int block, const particle_vector *v)
{
    double square = 0, most = 0;
    for (int64_t n = (int64_t)block * SPH_BLOCK; n < sph_block_end(s->fluid.count, block + 1); n++) {
        four at = sums_load(&v[n]);
        double own = sums_product(at, at);
        square += own;
        most = fmax(most, own);
    }
    viscous_note(s, block, square, sqrt(most));
}

static void viscous_measure_right(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int b = begin; b < end; b++)
        viscous_measure_block(job->s, b, job->right);
}

/* How fast it goes, or is dragged along: |v|². */
static double viscous_scale(const sph_state *s, int64_t n)
{
    four v = sums_load(&s->next.velocity[n]);
    double most = sums_product(v, v);
    for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
        four wall = sums_load(&s->walls.velocity[s->wall_pairs.other[k]]);
        most = fmax(most, sums_product(wall, wall));
    }
    return most;
}

static void viscous_measure_wanted(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int b = begin; b < end; b++) {
        double square = 0, most = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            double own = viscous_scale(job->s, n);
            square += own;
            most = fmax(most, own);
        }
        viscous_note(job->s, b, square, sqrt(most));
    }
}

static void viscous_residual_blocks(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int b = begin; b < end; b++) {
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++)
            sums_store(&job->left[n], sums_load(&job->right[n]) - sums_load(&job->change[n]) - viscous_drag(job, n, job->change, true));
        viscous_measure_block(job->s, b, job->left);
    }
}

static pcg_norms viscous_residual(void *context)
{
    const viscous_job *job = context;
    threads_for(sph_blocks(job->s->fluid.count), viscous_residual_blocks, context);
    return viscous_norms(job->s);
}

static void viscous_precondition_blocks(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int b = begin; b < end; b++) {
        double sum = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            four r = sums_load(&job->left[n]), diagonal = sums_load(&job->block[0][n]), rest = sums_load(&job->block[1][n]);
            four z = diagonal * r + (four){rest[0] * r[1] + rest[1] * r[2], rest[0] * r[0] + rest[2] * r[2], rest[1] * r[0] + rest[2] * r[1], 0};
            sums_store(&job->scaled[n], z);
            sum += sums_product(z, r);
        }
        viscous_note(job->s, b, sum, 0);
    }
}

static double viscous_sum(const sph_state *s)
{
    double sum = 0;
    for (int b = 0; b < sph_blocks(s->fluid.count); b++)
        sum += s->partial[SPH_PARTIALS * b + SUM];
    return sum;
}

static double viscous_precondition(void *context)
{
    const viscous_job *job = context;
    threads_for(sph_blocks(job->s->fluid.count), viscous_precondition_blocks, context);
    return viscous_sum(job->s);
}

static void viscous_turn_blocks(void *context, int begin, int end)
{
    const viscous_job *job = context;
    float beta = (float)job->factor;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++) {
        four z = sums_load(&job->scaled[n]);
        sums_store(&job->along[n], beta == 0 ? z : z + beta * sums_load(&job->along[n]));
    }
}

static void viscous_image_blocks(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int b = begin; b < end; b++) {
        double sum = 0;
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            four p = sums_load(&job->along[n]), q = p + viscous_drag(job, n, job->along, true);
            sums_store(&job->image[n], q);
            sum += sums_product(p, q);
        }
        viscous_note(job->s, b, sum, 0);
    }
}

static double viscous_direction(void *context, double beta)
{
    viscous_job *job = context;
    job->factor = beta;
    threads_for(sph_blocks(job->s->fluid.count), viscous_turn_blocks, job);
    threads_for(sph_blocks(job->s->fluid.count), viscous_image_blocks, job);
    return viscous_sum(job->s);
}

static void viscous_step_blocks(void *context, int begin, int end)
{
    const viscous_job *job = context;
    float alpha = (float)job->factor;
    for (int b = begin; b < end; b++) {
        for (int64_t n = (int64_t)b * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, b + 1); n++) {
            sums_store(&job->change[n], sums_load(&job->change[n]) + alpha * sums_load(&job->along[n]));
            sums_store(&job->left[n], sums_load(&job->left[n]) - alpha * sums_load(&job->image[n]));
        }
        viscous_measure_block(job->s, b, job->left);
    }
}

static pcg_norms viscous_step(void *context, double alpha)
{
    viscous_job *job = context;
    job->factor = alpha;
    threads_for(sph_blocks(job->s->fluid.count), viscous_step_blocks, job);
    return viscous_norms(job->s);
}

/* next.velocity = start + change + what is left of the residual. With the last momentum is kept to rounding: every pair has given one
   what it took from the other. It is as small as the tolerance, but where a particle's weight in the system is so great that rounding
   of velocities alone leaves more: there it is left out. */
static void viscous_keep(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->s->next.velocity[n], sums_load(&job->start[n]) + sums_load(&job->change[n]) + job->balance * sums_load(&job->left[n]));
}

static void viscous_clear_change(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->change[n], (four){0});
}

static void viscous_add_right(void *context, int begin, int end)
{
    const viscous_job *job = context;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(job->s->fluid.count, end); n++)
        sums_store(&job->s->next.velocity[n], sums_load(&job->s->next.velocity[n]) + sums_load(&job->right[n]));
}

/* Friction on bodies: as much as wall particles slow the liquid. The velocities felt are start + change. */
static void viscous_loads(const viscous_job *job, double dt)
{
    sph_state *s = job->s;
    double unit = job->m->mass * job->rate / dt;
    for (int64_t n = 0; n < s->fluid.count && job->sticks; n++)
        for (int64_t k = sph_contact_begin(s, n); k < sph_contact_end(s, n); k++) {
            sph_contact contact;
            float weight = viscous_contact(job, k, &contact);
            if (weight == 0)
                continue;
            four v = sums_load(&job->start[n]) + sums_load(&job->change[n]) - sums_load(&s->walls.velocity[contact.wall]), g = contact.g;
            double force = unit * weight * sums_product(g, v);
            stage_sph_loads_push_wall(job->m, s, contact.wall, (vec3){force * g[0], force * g[1], force * g[2]});
        }
}

/* Starts from where it is nearer to the solution: v*, which is right for slight friction and for liquid that moves as one, or the
   velocities of the step before, which are right where friction holds the forces. */
static void viscous_choose_start(viscous_job *job)
{
    int blocks = sph_blocks(job->s->fluid.count);
    threads_for(blocks, viscous_measure_right, job);
    double pushed = viscous_norms(job->s).l2;
    job->start = job->s->fluid.velocity;
    threads_for(blocks, viscous_set_right, job);
    threads_for(blocks, viscous_measure_right, job);
    if (viscous_norms(job->s).l2 < pushed)
        return;
    job->start = job->s->next.velocity;
    threads_for(blocks, viscous_set_right, job);
}

/* As many iterations as the longest chain of particles would take, and no end of them where rounding lets it go no further. */
static const solve_limits LIMITS = {.tolerance = 1e-5, .max_iterations = 1000};
static const double TOLERABLE = 3e-2;
enum { PATIENCE = 300 };

static fr_result viscous_solve(viscous_job *job)
{
    int blocks = sph_blocks(job->s->fluid.count);
    threads_for(blocks, viscous_measure_wanted, job);
    job->wanted = viscous_norms(job->s);
    viscous_choose_start(job);
    threads_for(blocks, viscous_set_blocks, job);
    pcg_system system = {.context = job, .right = &job->wanted, .residual = viscous_residual, .precondition = viscous_precondition,
                         .direction = viscous_direction, .step = viscous_step, .patience = PATIENCE};
    solve_stats stats = pcg_solve(&system, &LIMITS);
    job->balance = stats.converged;
    if (!stats.converged && !(stats.residual <= TOLERABLE))
        return fr_fail(FR_ERROR_NUMERIC, "viscosity: a residual of %.3g is left after %d iterations", stats.residual, stats.iterations);
    return FR_OK;
}

/* Where a particle's own weight in Δt L is at most this much, no wave of velocities can grow: the greatest eigenvalue is at most
   twice the sum of the weights, and crowded particles may have a quarter more than those of the lattice; those that stick to walls
   twice as much. */
static double viscous_explicit(bool sticks) { return sticks ? 0.4 : 0.8; }

/* Whether a wall holds the liquid at all. */
static bool viscous_sticks(const sph_model *m, const sph_state *s)
{
    bool sticks = false;
    for (int i = 0; i < m->def->obstacle_count; i++)
        sticks = sticks || m->def->obstacles[i].no_slip;
    for (int side = 0; side < 2 * m->dims; side++)
        sticks = sticks || (m->closed[side] && m->def->walls[side].kind == FR_WALL_NO_SLIP);
    return sticks && s->walls.count > 0;
}

fr_result stage_sph_viscosity(const sph_model *m, sph_state *s, double dt)
{
    double reduced = m->def->fluid.viscosity * dt / (m->spacing * m->spacing), support = m->kernel.support / m->spacing;
    bool sticks = reduced > 0 && viscous_sticks(m, s);
    double most = viscous_explicit(sticks), own = reduced;
    if (m->def->sph.solver != FR_SPH_WCSPH)
        reduced = fmax(reduced, fmin(m->def->sph.damping, most / m->tuning.stiffness));
    if (reduced == 0)
        return FR_OK;
    double length = m->kernel.length / m->spacing;
    viscous_job job = {.m = m, .s = s, .sticks = sticks, .hold = (float)(own / reduced), .rate = (float)(m->tuning.shear * reduced), .reach = (float)support, .softening = (float)(0.01 * length * length),
                       .start = s->next.velocity, .right = s->work[0], .change = s->work[1], .left = s->work[2], .scaled = s->work[3],
                       .along = s->work[4], .image = s->shift, .block = {s->work[5], s->work[6]}};
    int blocks = sph_blocks(s->fluid.count);
    threads_for(blocks, viscous_set_right, &job);
    threads_for(blocks, viscous_clear_change, &job);
    bool gentle = m->tuning.stiffness * reduced <= most * (1 + 1e-9);
    if (!gentle)
        FR_TRY(viscous_solve(&job));
    viscous_loads(&job, dt);
    threads_for(blocks, gentle ? viscous_add_right : viscous_keep, &job);
    return FR_OK;
}
