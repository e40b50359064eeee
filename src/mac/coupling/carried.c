#include "mac/coupling/carried.h"

#include <math.h>

#include "base/threads.h"
#include "grid/sample.h"
#include "rigid/quaternion.h"

carried_form carried_form_of(int dims, const double min[3], const double max[3], double volume)
{
    carried_form form = {.volume = volume};
    form.radius = dims == 3 ? cbrt(volume * 3 / (4 * FR_PI)) : sqrt(volume / FR_PI);
    double all = 0;
    for (int a = 0; a < dims; a++)
        all += 1 / (max[a] - min[a]);
    for (int a = 0; a < dims; a++) {
        const double own = 1 / (max[a] - min[a]);
        form.added[a] = own / (all - own);
    }
    return form;
}

/* What the flow does in the place of a body. */
typedef struct carried_sums {
    double volume;                   /* m³, wet */
    double moment[3];                /* m⁴, of the wet volume about the centre of mass */
    double velocity[3];              /* ∫ u dV */
    double turning[3], spread[3][3]; /* ∫ r × u dV; ∫ (r² 1 − r rᵀ) dV */
    double rise[3];                  /* ∫ Du/Dt dV */
    double twist[3];                 /* ∫ r × (Du/Dt − g) dV */
    double edge, righting[3][3]; /* where the surface cuts it: ∫ dA; ∫ (r × n)(r × n)ᵀ dA, n along gravity */
} carried_sums;

static void carried_cross(const double a[3], const double b[3], double factor, double sum[3])
{
    vec3 c = vec3_scale(vec3_cross(vec3_of(a), vec3_of(b)), factor);
    sum[0] += c.x;
    sum[1] += c.y;
    sum[2] += c.z;
}

/* Du/Dt: what has come here was there a step ago. */
static void carried_sample(const carried_flow *flow, const double place[3], double u[3], double rise[3])
{
    double from[3] = {place[0], place[1], place[2]};
    for (int a = 0; a < flow->d->dims; a++)
        u[a] = sample_at(&flow->velocity[a], flow->d, place);
    for (int a = 0; a < flow->d->dims; a++)
        from[a] -= flow->past * u[a];
    const field *before = flow->before ? flow->before : flow->velocity;
    for (int a = 0; a < flow->d->dims && flow->past > 0; a++)
        rise[a] = (u[a] - sample_at(&before[a], flow->d, from)) / flow->past;
}

/* The wet part of a piece: its surface is taken to lie across it. */
static double carried_wet(const carried_flow *flow, const double place[3])
{
    if (!flow->surface)
        return 1;
    const double phi = sample_at(flow->surface, flow->d, place);
    return clampd(0.5 - phi / domain_min_h(flow->d), 0, 1);
}

/* Where the surface is in a piece, as much of it comes in or out as the piece moves along gravity, by its depth. */
static void carried_add_edge(const carried_flow *flow, double volume, const double r[3], carried_sums *sums)
{
    const double area = volume / domain_min_h(flow->d);
    const vec3 down = vec3_unit(vec3_of(flow->gravity));
    const vec3 lever = vec3_cross(vec3_of(r), down);
    const double arm[3] = {lever.x, lever.y, lever.z};
    sums->edge += area;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            sums->righting[a][b] += area * arm[a] * arm[b];
}

typedef struct carried_piece {
    const double *place;
    double volume; /* m³, wet or not */
} carried_piece;

/* Of h²: what a piece adds to the spread on its own, so that there is some where pieces lie in a line. */
static const double THIN = 1e-3;

static void carried_add(const carried_body *body, const carried_flow *flow, const carried_piece *piece,
                        carried_sums *sums)
{
    const int dims = flow->d->dims;
    const double wet = carried_wet(flow, piece->place), volume = piece->volume * wet;
    double u[3] = {0, 0, 0}, rise[3] = {0, 0, 0}, net[3], r[3] = {0, 0, 0};
    if (wet == 0)
        return;
    carried_sample(flow, piece->place, u, rise);
    for (int a = 0; a < dims; a++)
        r[a] = piece->place[a] - body->state->position[a];
    if (wet < 1)
        carried_add_edge(flow, piece->volume, r, sums);
    const double square = vec3_dot(vec3_of(r), vec3_of(r)) + THIN * pow(domain_min_h(flow->d), 2);
    sums->volume += volume;
    for (int a = 0; a < 3; a++) {
        sums->moment[a] += volume * r[a];
        sums->velocity[a] += volume * u[a];
        sums->rise[a] += volume * rise[a];
        net[a] = a < dims ? rise[a] - flow->gravity[a] : 0;
        for (int b = 0; b < 3; b++)
            sums->spread[a][b] += volume * ((a == b ? square : 0) - r[a] * r[b]);
    }
    carried_cross(r, u, volume, sums->turning);
    carried_cross(r, net, volume, sums->twist);
}

/* x = A⁻¹ b of a symmetric matrix; directions without it are left out. */
static void carried_solve(const double a[3][3], const double b[3], double x[3])
{
    double cofactor[3][3], det = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            cofactor[i][j] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
        }
    for (int j = 0; j < 3; j++)
        det += a[0][j] * cofactor[0][j];
    for (int i = 0; i < 3; i++) {
        x[i] = 0;
        for (int j = 0; j < 3 && det != 0; j++)
            x[i] += cofactor[i][j] * b[j] / det;
    }
}

/* In 2D there is nothing but turning about z: without the others' zeros the matrix has an inverse. */
static void carried_flatten(int dims, double a[3][3])
{
    for (int i = 0; i < 2 && dims == 2; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = a[j][i] = i == j;
}

/* Drag over speed, at a speed x: `slow` + `steady` x, and what lies between them. */
typedef struct carried_drag {
    int dims;
    double slow, steady, between; /* N s/m, N s²/m², … */
    double reach;                 /* m/s: ν over the diameter */
} carried_drag;

static double carried_drag_at(const carried_drag *drag, double x)
{
    if (drag->between == 0 || x == 0)
        return drag->slow + drag->steady * x;
    if (drag->dims == 2)
        return drag->slow + drag->steady * x + drag->between * x * pow(drag->reach / x, 2.0 / 3);
    return drag->slow + drag->steady * x +
           drag->between * x / (1 + (drag->reach > 0 ? sqrt(x / drag->reach) : INFINITY));
}

/* y, the motion at the end of the step beyond the mean flow's, from that at its begin: what resists is the body and
   its added mass, and Δt² times what weight and buoyancy gain as it moves across the surface, as far as that has a
   level; what acts is `push`. */
typedef struct carried_balance {
    double own[3][3], more[3][3]; /* the body's mass or inertia; what it carries along */
    double right[3], dt;
    carried_drag drag;
} carried_balance;

/* Solves (M + Δt k(|y|) 1) y = R for y: |y| falls as k rises, so there is one answer, and bisection finds it. */
static double carried_try(const carried_balance *balance, double speed, double y[3])
{
    double a[3][3];
    const double more = balance->dt * carried_drag_at(&balance->drag, speed);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = balance->own[i][j] + balance->more[i][j] + (i == j ? more : 0);
    carried_solve(a, balance->right, y);
    return vec3_length(vec3_of(y));
}

static void carried_settle(const carried_balance *balance, double y[3])
{
    enum { HALVINGS = 60 };
    double low = 0, high = carried_try(balance, 0, y);
    for (int n = 0; n < HALVINGS && high > 0; n++) {
        const double middle = 0.5 * (low + high);
        if (carried_try(balance, middle, y) > middle)
            low = middle;
        else
            high = middle;
    }
    carried_try(balance, high, y);
}

static carried_drag carried_linear_drag(const carried_body *body, const carried_flow *flow, double share)
{
    const double radius = body->form->radius, viscosity = flow->density * flow->viscosity;
    carried_drag drag = {.dims = flow->d->dims, .reach = flow->viscosity / (2 * radius)};
    if (drag.dims == 2) {
        drag.steady = share * flow->density * radius;
        drag.between = 10 * drag.steady;
        return drag;
    }
    const double face = 0.5 * share * flow->density * FR_PI * radius * radius;
    drag.slow = share * 6 * FR_PI * viscosity * radius;
    drag.steady = 0.4 * face;
    drag.between = 6 * face;
    return drag;
}

static carried_drag carried_spin_drag(const carried_body *body, const carried_flow *flow, double share)
{
    const double radius = body->form->radius, viscosity = flow->density * flow->viscosity;
    carried_drag drag = carried_linear_drag(body, flow, share);
    const double gyration = radius * sqrt(drag.dims == 3 ? 0.4 : 0.5);
    drag.slow = share * viscosity * (drag.dims == 3 ? 8 * FR_PI * pow(radius, 3) : 4 * FR_PI * radius * radius);
    drag.steady *= pow(gyration, 3);
    drag.between = 0;
    return drag;
}

/* The added mass of the wet volume, along the world's axes. */
static void carried_added(const carried_body *body, double mass, double added[3][3])
{
    double turn[3][3];
    quaternion_matrix(body->state->rotation, turn);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            added[a][b] = 0;
            for (int n = 0; n < 3; n++)
                added[a][b] += mass * body->form->added[n] * turn[a][n] * turn[b][n];
        }
}

static void carried_force(const carried_body *body, const carried_flow *flow, const carried_sums *sums, double force[3])
{
    const double share = fmin(1, sums->volume / body->form->volume), fluid = flow->density * sums->volume;
    const double weight = vec3_length(vec3_of(flow->gravity)), stiff = flow->density * sums->edge * flow->dt * flow->dt;
    carried_balance balance = {.dt = flow->dt, .drag = carried_linear_drag(body, flow, share)};
    double lag[3], y[3];
    carried_added(body, fluid, balance.more);
    for (int a = 0; a < 3; a++) {
        balance.own[a][a] = 1 / body->inverse.mass;
        lag[a] = body->state->velocity[a] - sums->velocity[a] / sums->volume;
    }
    for (int a = 0; a < flow->d->dims; a++) {
        const double pressure = flow->density * sums->rise[a] - fluid * flow->gravity[a];
        balance.right[a] = balance.own[a][a] * lag[a] + flow->dt * (pressure + body->given.force[a]);
        for (int b = 0; b < 3; b++)
            balance.right[a] += balance.more[a][b] * (lag[b] + flow->dt * sums->rise[b] / sums->volume);
    }
    for (int a = 0; a < flow->d->dims && weight > 0; a++)
        for (int b = 0; b < flow->d->dims; b++)
            balance.more[a][b] += stiff * flow->gravity[a] * flow->gravity[b] / weight;
    carried_settle(&balance, y);
    for (int a = 0; a < flow->d->dims; a++)
        force[a] = balance.own[a][a] * (y[a] - lag[a]) / flow->dt - body->given.force[a];
}

/* The spin that the fluid in the wet part has on the whole, about its own centre. */
static void carried_mean_spin(const carried_sums *sums, int dims, double mean[3])
{
    double spread[3][3], turning[3], square = vec3_dot(vec3_of(sums->moment), vec3_of(sums->moment));
    for (int a = 0; a < 3; a++) {
        turning[a] = sums->turning[a];
        for (int b = 0; b < 3; b++)
            spread[a][b] =
                sums->spread[a][b] - ((a == b ? square : 0) - sums->moment[a] * sums->moment[b]) / sums->volume;
    }
    carried_cross(sums->moment, sums->velocity, -1 / sums->volume, turning);
    carried_flatten(dims, spread);
    carried_solve(spread, turning, mean);
}

static void carried_torque(const carried_body *body, const carried_flow *flow, const carried_sums *sums,
                           double torque[3])
{
    const int dims = flow->d->dims, first = dims == 3 ? 0 : 2;
    const double share = fmin(1, sums->volume / body->form->volume);
    const double stiff = flow->density * vec3_length(vec3_of(flow->gravity)) * flow->dt * flow->dt;
    carried_balance balance = {.dt = flow->dt, .drag = carried_spin_drag(body, flow, share)};
    double inverse[3][3], mean[3], lag[3], y[3];
    carried_mean_spin(sums, dims, mean);
    for (int a = 0; a < 3; a++) {
        lag[a] = body->state->spin[a] - mean[a];
        for (int b = 0; b < 3; b++)
            inverse[a][b] = body->inverse.inertia[a][b];
    }
    carried_flatten(dims, inverse);
    for (int b = 0; b < 3; b++)
        carried_solve(inverse, (const double[3]){b == 0, b == 1, b == 2}, balance.own[b]);
    for (int a = first; a < 3; a++) {
        balance.right[a] = flow->dt * (flow->density * sums->twist[a] + body->given.torque[a]);
        for (int b = first; b < 3; b++) {
            balance.right[a] += balance.own[a][b] * lag[b];
            balance.more[a][b] = stiff * sums->righting[a][b];
        }
    }
    carried_settle(&balance, y);
    for (int a = first; a < 3; a++) {
        torque[a] = -body->given.torque[a];
        for (int b = first; b < 3; b++)
            torque[a] += balance.own[a][b] * (y[b] - lag[b]) / flow->dt;
    }
}

typedef struct carried_job {
    const carried_body *bodies;
    const carried_flow *flow;
    rigid_load *loads;
} carried_job;

/* The samples of a cover give its volume within some thousandths. A body as heavy as the fluid shall not feel them;
   one that is in part outside the block shall not be taken for a whole one. */
static double carried_scale(const carried_body *body, const field *layout)
{
    static const double MOST = 0.1;
    const double cell = domain_cell_volume(&body->cover->d);
    double sum = 0;
    body_piece piece;
    for (body_walk w = body_walk_on(body->cover, layout); body_walk_next(&w, &piece);)
        sum += cell * (double)*piece.share;
    return sum > 0 ? clampd(body->form->volume / sum, 1 - MOST, 1 + MOST) : 1;
}

static void carried_work(void *context, int begin, int end)
{
    const carried_job *job = context;
    field layout;
    field_layout(job->flow->d, FR_AT_CELL, &layout);
    for (int i = begin; i < end; i++) {
        const carried_body *body = &job->bodies[i];
        carried_sums sums = {0};
        body_piece piece;
        job->loads[i] = (rigid_load){{0}, {0}};
        if (body->inverse.mass == 0)
            continue;
        const double volume = domain_cell_volume(job->flow->d) * carried_scale(body, &layout);
        for (body_walk w = body_walk_on(body->cover, &layout); body_walk_next(&w, &piece);)
            carried_add(body, job->flow, &(carried_piece){piece.place, volume * (double)*piece.share}, &sums);
        if (sums.volume == 0)
            continue;
        carried_force(body, job->flow, &sums, job->loads[i].force);
        carried_torque(body, job->flow, &sums, job->loads[i].torque);
    }
}

void carried_loads(const carried_body *bodies, int count, const carried_flow *flow, rigid_load *loads)
{
    int64_t cells = 0;
    for (int b = 0; b < count; b++)
        cells += (int64_t)bodies[b].cover->size[0] * bodies[b].cover->size[1] * bodies[b].cover->size[2];
    carried_job job = {bodies, flow, loads};
    threads_for_cost(count, 200 * cells, carried_work, &job);
}
