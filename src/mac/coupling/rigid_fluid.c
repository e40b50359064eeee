#include "mac/coupling/rigid_fluid.h"

#include <math.h>

#include "base/threads.h"

/* Eq. 84's term is −N(1/relative − 1) times what it was a step ago, N ≤ 1: below one half it may grow for some shape.
   From here on ⅔ of it are left at most, which is room for what a free surface and other solids make of N. */
static const double LIGHT = 0.6;

void rigid_fluid_remedy(rigid_fluid_body *body)
{
    body->light = body->relative < LIGHT;
    body->first = fmin(1, 1 / body->relative);
}

double rigid_fluid_rate(const domain *d, const rigid_state *state, double radius)
{
    const double turning = vec3_length(vec3_of(state->spin)) * radius;
    double most = 0;
    for (int a = 0; a < d->dims; a++)
        most = fmax(most, (fabs(state->velocity[a]) + turning) / d->h[a]);
    return most;
}

/* Velocity and spin. */
enum { FREEDOMS = 6 };

/* A row of J at a face across an axis: how fast the body moves there along it for each of its freedoms. In 2D it turns
   about z alone, and r has no z. */
static void fluid_row(const domain *d, const double position[3], int axis, const double place[3], double row[FREEDOMS])
{
    double r[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++)
        r[a] = place[a] - position[a];
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    for (int n = 0; n < FREEDOMS; n++)
        row[n] = 0;
    row[axis] = 1;
    if (d->dims == 3 || b == 2) /* (ω × r)_a = ω_b r_c − ω_c r_b */
        row[3 + b] = r[c];
    if (d->dims == 3 || c == 2)
        row[3 + c] = -r[b];
}

static double fluid_dot(const double row[FREEDOMS], const double motion[FREEDOMS])
{
    double sum = 0;
    for (int n = 0; n < FREEDOMS; n++)
        sum += row[n] * motion[n];
    return sum;
}

static void fluid_motion(const rigid_state *state, double motion[FREEDOMS])
{
    for (int a = 0; a < 3; a++) {
        motion[a] = state->velocity[a];
        motion[3 + a] = state->spin[a];
    }
}

/* P: what the rigid world has changed. */
static void fluid_change(const rigid_fluid_body *body, double change[FREEDOMS])
{
    double before[FREEDOMS];
    fluid_motion(body->before, before);
    fluid_motion(body->state, change);
    for (int n = 0; n < FREEDOMS; n++)
        change[n] -= before[n];
}

/* The share of a body in what may flow through a face. */
static double fluid_part(const rigid_fluid_flow *flow, int axis, const body_piece *piece)
{
    const double open = flow->open ? (double)flow->open[axis].data[piece->at] : 1;
    return open > 0 ? fmin(1, (double)*piece->share / open) : 0;
}

/* How bodies change the faces across an axis: by `factor` times this motion, less the flow's own. */
typedef struct fluid_blend {
    const rigid_fluid_body *body;
    double motion[FREEDOMS];
    double factor;
    bool replace; /* of the flow's own velocity as much is taken away */
} fluid_blend;

static void fluid_blend_axis(const rigid_fluid_flow *flow, int axis, const fluid_blend *blend)
{
    const field *u = &flow->velocity[axis];
    float *spare = flow->spare + (u->data - u->block);
    body_piece piece;
    for (body_walk w = body_walk_on(blend->body->cover, u); body_walk_next(&w, &piece);) {
        double row[FREEDOMS];
        fluid_row(flow->d, blend->body->state->position, axis, piece.place, row);
        double other = fluid_dot(row, blend->motion) - (blend->replace ? (double)u->data[piece.at] : 0);
        spare[piece.at] += (float)(blend->factor * fluid_part(flow, axis, &piece) * other);
    }
}

/* A face that several bodies share has changes by all of them, each from the flow as it was. */
typedef void (*fluid_blend_of)(const rigid_fluid_body *body, fluid_blend *blend);

static void fluid_change_faces(const rigid_fluid_body *bodies, int count, const rigid_fluid_flow *flow,
                               fluid_blend_of of)
{
    for (int a = 0; a < flow->d->dims; a++) {
        const field *u = &flow->velocity[a];
        float *spare = flow->spare + (u->data - u->block);
        body_piece piece;
        for (int b = 0; b < count; b++)
            for (body_walk w = body_walk_on(bodies[b].cover, u); body_walk_next(&w, &piece);)
                spare[piece.at] = 0;
        for (int b = 0; b < count; b++) {
            fluid_blend blend = {.body = &bodies[b]};
            of(&bodies[b], &blend);
            fluid_blend_axis(flow, a, &blend);
        }
        for (int b = 0; b < count; b++)
            for (body_walk w = body_walk_on(bodies[b].cover, u); body_walk_next(&w, &piece);) {
                u->data[piece.at] += spare[piece.at];
                spare[piece.at] = 0;
            }
    }
}

static void fluid_push_of(const rigid_fluid_body *body, fluid_blend *blend)
{
    fluid_change(body, blend->motion);
    blend->factor = body->first * body->relative;
}

void rigid_fluid_push(const rigid_fluid_body *bodies, int count, const rigid_fluid_flow *flow)
{
    fluid_change_faces(bodies, count, flow, fluid_push_of);
}

/* The fluid in the place of a body: its momentum beyond that of the body's motion, and its mass matrix. */
typedef struct fluid_sums {
    double excess[FREEDOMS];
    double mass[FREEDOMS][FREEDOMS];
} fluid_sums;

static void fluid_sum_axis(const rigid_fluid_body *body, const rigid_fluid_flow *flow, int axis, fluid_sums *sums)
{
    const field *u = &flow->velocity[axis];
    const double cell = flow->density * domain_cell_volume(flow->d);
    double motion[FREEDOMS];
    body_piece piece;
    fluid_motion(body->before, motion);
    for (body_walk w = body_walk_on(body->cover, u); body_walk_next(&w, &piece);) {
        double row[FREEDOMS], mass = cell * (double)*piece.share;
        fluid_row(flow->d, body->state->position, axis, piece.place, row);
        double excess = mass * ((double)u->data[piece.at] - fluid_dot(row, motion));
        for (int n = 0; n < FREEDOMS; n++) {
            sums->excess[n] += row[n] * excess;
            for (int m = 0; m < FREEDOMS && body->light; m++)
                sums->mass[n][m] += row[n] * mass * row[m];
        }
    }
}

/* Solves A x = b for a positive semidefinite A, by elimination; what has no mass does not move. */
static void fluid_solve(double a[FREEDOMS][FREEDOMS], double b[FREEDOMS])
{
    static const double NOTHING = 1e-10;
    double whole[FREEDOMS];
    for (int n = 0; n < FREEDOMS; n++)
        whole[n] = a[n][n];
    for (int n = 0; n < FREEDOMS; n++) {
        const bool none = a[n][n] <= NOTHING * whole[n];
        for (int m = n + 1; m < FREEDOMS && !none; m++) {
            const double factor = a[m][n] / a[n][n];
            for (int k = n; k < FREEDOMS; k++)
                a[m][k] -= factor * a[n][k];
            b[m] -= factor * b[n];
        }
        for (int m = 0; m < FREEDOMS && none; m++)
            a[n][m] = a[m][n] = 0;
    }
    for (int n = FREEDOMS - 1; n >= 0; n--) {
        for (int m = n + 1; m < FREEDOMS; m++)
            b[n] -= a[n][m] * b[m];
        b[n] = a[n][n] > 0 ? b[n] / a[n][n] : 0;
    }
}

/* The impulse on a body as a change of its motion. */
static void fluid_answer(const rigid_fluid_body *body, int dims, fluid_sums *sums, double change[FREEDOMS])
{
    if (body->light && body->inverse.mass > 0) {
        fluid_solve(sums->mass, sums->excess);
        for (int n = 0; n < FREEDOMS; n++)
            change[n] = sums->excess[n];
        return;
    }
    for (int a = 0; a < 3; a++) {
        change[a] = a < dims ? body->inverse.mass * sums->excess[a] : 0;
        change[3 + a] = 0;
        for (int b = 0; b < 3 && (dims == 3 || a == 2); b++)
            change[3 + a] += body->inverse.inertia[a][b] * sums->excess[3 + b];
    }
}

/* How much of P is left for after the pressure. A light body has had all of it as fluid has. */
static double fluid_rest(const rigid_fluid_body *body)
{
    return body->light ? body->relative * (1 - body->first) : 1 - body->first;
}

typedef struct fluid_job {
    const rigid_fluid_body *bodies;
    const rigid_fluid_flow *flow;
} fluid_job;

static void fluid_move_bodies(void *context, int begin, int end)
{
    const fluid_job *job = context;
    for (int i = begin; i < end; i++) {
        const rigid_fluid_body *body = &job->bodies[i];
        fluid_sums sums = {.mass = {{0}}};
        double push[FREEDOMS], answer[FREEDOMS];
        for (int a = 0; a < job->flow->d->dims; a++)
            fluid_sum_axis(body, job->flow, a, &sums);
        fluid_change(body, push);
        fluid_answer(body, job->flow->d->dims, &sums, answer);
        for (int a = 0; a < 3; a++) {
            body->state->velocity[a] = body->before->velocity[a] + fluid_rest(body) * push[a] + answer[a];
            body->state->spin[a] = body->before->spin[a] + fluid_rest(body) * push[3 + a] + answer[3 + a];
        }
    }
}

static void fluid_rigid_of(const rigid_fluid_body *body, fluid_blend *blend)
{
    fluid_motion(body->state, blend->motion);
    blend->factor = 1;
    blend->replace = true;
}

void rigid_fluid_project(const rigid_fluid_body *bodies, int count, const rigid_fluid_flow *flow)
{
    int64_t faces = 0;
    for (int b = 0; b < count; b++)
        faces +=
            (int64_t)flow->d->dims * bodies[b].cover->size[0] * bodies[b].cover->size[1] * bodies[b].cover->size[2];
    fluid_job job = {bodies, flow};
    threads_for_cost(count, 10 * faces, fluid_move_bodies, &job);
    fluid_change_faces(bodies, count, flow, fluid_rigid_of);
}
