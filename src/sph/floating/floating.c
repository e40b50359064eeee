#include "sph/floating/floating.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sph/floating/grip.h"
#include "sph/pressure/bodies.h"

/* Contacts closer than this many spacings hold in the pressure. */
static const double REACH = 0.05;

/* m, in domains: where bodies stand whose time has not come. */
static const double AWAY = 1e3;

static rigid_setup floating_setup(const sph_model *m)
{
    rigid_setup setup = {.dims = m->dims,
                         .length = m->spacing,
                         .bodies = m->rigid,
                         .body_count = m->rigid_count,
                         .joints = m->joints,
                         .joint_count = m->joint_count,
                         .obstacles = m->obstacles,
                         .obstacle_count = m->given_count,
                         .obstacle_motion = bodies_obstacle_motion,
                         .obstacle_context = (void *)m->obstacles};
    for (int a = 0; a < m->dims; a++) {
        setup.low[a] = m->low[a];
        setup.high[a] = m->high[a];
        setup.gravity[a] = m->gravity[a];
    }
    for (int side = 0; side < 2 * m->dims; side++)
        setup.wall[side] = m->closed[side];
    return setup;
}

static fr_result floating_fill(const sph_model *m, sph_floating *f)
{
    const rigid_setup setup = floating_setup(m);
    const int n = m->rigid_count;
    f->m = m;
    f->feels = m->coupling == FR_COUPLING_MONOLITHIC;
    f->first = m->given_count;
    FR_TRY(fleet_create(&setup, &f->fleet));
    f->of = MEMORY_NEW(floating_body, n);
    f->next = MEMORY_NEW(floating_body, n);
    f->pushed = MEMORY_NEW(rigid_vector, n);
    f->answer = MEMORY_NEW(rigid_vector, n);
    f->part_pushed = MEMORY_NEW(rigid_vector, (int64_t)SPH_PARTS * n);
    f->held = MEMORY_NEW(floating_grip, n);
    f->gives = MEMORY_NEW(floating_grip, n);
    f->eased = MEMORY_NEW(floating_grip, n);
    f->gained = MEMORY_NEW(rigid_vector, n);
    f->found = MEMORY_NEW(floating_found, (int64_t)SPH_PARTS * n);
    const bool grips = f->held && f->gives && f->eased, sums = f->pushed && f->answer && f->part_pushed && f->gained;
    if (!f->of || !f->next || !f->found || !grips || !sums)
        return FR_ERROR_MEMORY;
    for (int b = 0; b < n; b++)
        memcpy(f->of[b].mean, f->fleet.of[b].now.velocity, sizeof f->of[b].mean);
    return FR_OK;
}

fr_result sph_floating_create(const sph_model *m, sph_floating **out)
{
    *out = NULL;
    if (m->rigid_count == 0)
        return FR_OK;
    sph_floating *f = MEMORY_NEW(sph_floating, 1);
    if (!f)
        return FR_ERROR_MEMORY;
    fr_result result = floating_fill(m, f);
    if (result != FR_OK)
        sph_floating_destroy(f);
    else
        *out = f;
    return result;
}

void sph_floating_destroy(sph_floating *f)
{
    if (!f)
        return;
    fleet_destroy(&f->fleet);
    memory_free(f->of);
    memory_free(f->next);
    memory_free(f->touches);
    memory_free(f->walls);
    memory_free(f->eased);
    memory_free(f->grips);
    memory_free(f->held);
    memory_free(f->gives);
    memory_free(f->pushed);
    memory_free(f->answer);
    memory_free(f->part_pushed);
    memory_free(f->gained);
    memory_free(f->found);
    for (int part = 0; part < SPH_PARTS; part++)
        memory_free(f->knocks[part].of);
    memory_free(f);
}

double sph_floating_bytes(const sph_model *m)
{
    const rigid_setup setup = floating_setup(m);
    const double own = 2048 + 2 * sizeof(floating_body) + (SPH_PARTS + 3) * sizeof(rigid_vector) +
                       SPH_PARTS * sizeof(floating_found) + 3 * sizeof(floating_grip);
    return fleet_bytes(&setup) + own * m->rigid_count;
}

/* Where a body stands in the domain, or far away from it. */
static pose floating_pose(const sph_model *m, const fleet *f, int b, const rigid_state *state)
{
    pose where = rigid_pose(f->world, b, state);
    for (int a = 0; a < m->dims && !(state->present > 0); a++)
        where.at[a] = m->low[a] - AWAY * (m->high[a] - m->low[a]);
    return where;
}

/* The motion of one body between two states; the velocity is the way over the time, or the first state's. */
static motion floating_motion(const sph_model *m, const fleet *f, int b, double dt)
{
    const rigid_state *from = &f->of[b].now, *to = dt > 0 ? &f->next[b].now : from;
    const vec3 spin = vec3_of(from->spin);
    motion moves = {.begin = floating_pose(m, f, b, from), .pose = floating_pose(m, f, b, to), .spin = spin};
    const vec3 arm = vec3_sub(vec3_of(moves.begin.at), vec3_of(from->position));
    moves.velocity = vec3_add(vec3_of(from->velocity), vec3_cross(spin, arm));
    if (dt > 0 && from->present == to->present)
        moves.velocity = vec3_scale(vec3_sub(vec3_of(moves.pose.at), vec3_of(moves.begin.at)), 1 / dt);
    return moves;
}

static void floating_place(const sph_model *m, sph_state *s, double dt)
{
    const sph_floating *f = s->floating;
    for (int b = 0; b < f->fleet.count; b++) {
        body *to = &s->bodies.of[f->first + b];
        to->motion = floating_motion(m, &f->fleet, b, dt);
        to->present = f->fleet.of[b].now.present > 0;
        shape_place(s->solids[f->first + b], &to->motion.pose);
    }
}

void sph_floating_lay(const sph_model *m, sph_state *s)
{
    const fleet *f = &s->floating->fleet;
    floating_place(m, s, 0);
    for (int b = 0; b < f->count; b++)
        memcpy(s->loads[s->floating->first + b].position, f->of[b].now.position, sizeof s->loads[0].position);
}

void sph_floating_limit(const sph_model *m, const sph_state *s, double *dt)
{
    fleet_limit(&s->floating->fleet, m->cfl * m->spacing, dt);
}

typedef struct floating_job {
    sph_state *s;
    const rigid_vector *velocity;
    particle_vector *to;
} floating_job;

static void floating_show_blocks(void *context, int begin, int end)
{
    const floating_job *job = context;
    const sph_walls *w = &job->s->walls;
    const sph_floating *f = job->s->floating;
    for (int64_t n = (int64_t)begin * SPH_BLOCK; n < sph_block_end(w->count, end); n++) {
        const int b = w->body[n] - f->first;
        if (b < 0 || b >= f->fleet.count)
            continue;
        const double *v = job->velocity[b].of, *at = f->fleet.of[b].laid.position;
        const vec3 arm = {(double)w->x[n] - at[0], (double)w->y[n] - at[1], (double)w->z[n] - at[2]};
        const vec3 moves = vec3_add(vec3_of(v), vec3_cross(vec3_of(v + 3), arm));
        job->to[n][0] = (float)moves.x;
        job->to[n][1] = (float)moves.y;
        job->to[n][2] = (float)moves.z;
        job->to[n][3] = 0;
    }
}

void sph_floating_show(sph_state *s, const rigid_vector *velocity, particle_vector *to)
{
    threads_for(sph_blocks(s->walls.count), floating_show_blocks, &(floating_job){s, velocity, to});
}

/* Velocities that respect what holds. */
static void floating_hold(sph_state *s)
{
    fleet *f = &s->floating->fleet;
    memcpy(f->velocity, f->free, sizeof *f->velocity * (size_t)f->count);
    constraints_keep(&f->rows, f->velocity);
    sph_floating_show(s, f->velocity, s->walls.velocity);
}

/* Inverse masses as they are with what holds: each body's own, as if the others did not move. */
static void floating_give(sph_floating *f)
{
    for (int b = 0; b < f->fleet.count; b++)
        for (int d = 0; d < 6; d++) {
            rigid_vector unit = {{0}};
            unit.of[d] = 1;
            memset(f->answer, 0, sizeof *f->answer * (size_t)f->fleet.count);
            f->answer[b] = constraints_response(&f->fleet.inverse[b], &unit);
            if (f->fleet.rows.count > 0)
                constraints_project(&f->fleet.rows, f->answer);
            for (int i = 0; i < 6; i++)
                f->gives[b].of[i][d] = f->answer[b].of[i];
        }
}

fr_result sph_floating_kick(const sph_model *m, sph_state *s)
{
    fleet *f = &s->floating->fleet;
    const double dt = s->now.end - s->now.time, middle = s->now.time + dt / 2;
    fleet_begin(f);
    s->floating->turns = 0;
    for (int part = 0; part < SPH_PARTS; part++)
        s->floating->knocks[part].count = 0;
    for (int b = 0; b < f->count; b++)
        f->of[b].laid = f->of[b].now;
    fleet_stand(f, true);
    FR_TRY(rigid_given_loads(f->world, middle, f->given));
    for (int b = 0; b < f->count; b++) {
        f->inverse[b] = rigid_inverse_of(f->world, b, &f->of[b].laid);
        f->free[b] = fleet_velocity(&f->of[b].now);
        for (int d = 0; d < 6; d++)
            f->free[b].of[d] -= s->floating->of[b].ahead.of[d];
        fleet_add(f, b, &f->given[b], dt, &f->free[b]);
    }
    FR_TRY(fleet_find_rows(f, REACH * m->spacing, middle, dt));
    /* what the liquid will give is about what it gave last */
    memcpy(f->velocity, f->free, sizeof *f->velocity * (size_t)f->count);
    for (int b = 0; b < f->count; b++)
        fleet_add(f, b, &f->of[b].load, dt, &f->velocity[b]);
    constraints_choose(&f->rows, f->velocity);
    floating_hold(s);
    floating_give(s->floating);
    return s->floating->feels ? sph_bodies_near(m, s) : FR_OK;
}

/* What the liquid has given to a body since the last time it was asked, kg m/s; none where it does not feel it. */
static rigid_vector floating_given(const sph_model *m, sph_state *s, int b, double dt)
{
    fr_obstacle_load *load = &s->loads[s->floating->first + b];
    rigid_vector impulse = {{0}};
    for (int a = 0; a < 3; a++) {
        if (s->floating->feels) {
            impulse.of[a] = load->force[a] * dt;
            impulse.of[3 + a] = m->dims == 3 || a == 2 ? load->torque[a] * dt : 0;
        }
        load->force[a] = load->torque[a] = 0;
    }
    return impulse;
}

void sph_floating_take(const sph_model *m, sph_state *s, double dt)
{
    fleet *f = &s->floating->fleet;
    for (int b = 0; b < f->count; b++) {
        const rigid_vector impulse = floating_given(m, s, b, dt);
        fleet_give(f, b, &impulse);
    }
    floating_hold(s);
}

/* A body that goes further than its step was made for would leave the liquid behind, or jump into it. */
static fr_result floating_check(const sph_model *m, const sph_floating *f, double dt)
{
    for (int b = 0; b < f->fleet.count; b++) {
        const double way = dt * vec3_length(vec3_of(f->next[b].mean)) / m->spacing;
        if (f->feels && way > 2 * m->cfl)
            return fr_fail(FR_ERROR_NUMERIC, "body %d went %.3g spacings in a step, where time.cfl asks for %.3g",
                           b + 1, way, m->cfl);
    }
    return FR_OK;
}

fr_result sph_floating_advance(const sph_model *m, sph_state *s)
{
    sph_floating *floating = s->floating;
    fleet *f = &floating->fleet;
    const double dt = s->now.end - s->now.time;
    for (int b = 0; b < f->count; b++) {
        rigid_vector *ahead = &floating->next[b].ahead;
        rigid_load *load = &f->next[b].load;
        *ahead = (rigid_vector){{0}};
        for (int a = 0; a < 3; a++) {
            load->force[a] = f->impulse[b].of[a] / dt;
            load->torque[a] = f->impulse[b].of[3 + a] / dt;
            f->loads[b].force[a] = f->given[b].force[a] + load->force[a];
            f->loads[b].torque[a] = f->given[b].torque[a] + load->torque[a];
        }
        fleet_add(f, b, &f->loads[b], dt / 2, ahead);
        f->states[b] = f->of[b].now;
        for (int a = 0; a < 3; a++) {
            f->states[b].velocity[a] += ahead->of[a] - floating->of[b].ahead.of[a];
            f->states[b].spin[a] += ahead->of[3 + a] - floating->of[b].ahead.of[3 + a];
            floating->next[b].mean[a] = f->states[b].velocity[a] / 2;
        }
    }
    FR_TRY(fleet_move(f, s->now.time, s->now.end));
    for (int b = 0; b < f->count; b++)
        for (int a = 0; a < 3; a++)
            floating->next[b].mean[a] += f->next[b].now.velocity[a] / 2;
    FR_TRY(floating_check(m, floating, dt));
    floating->appears = false;
    for (int b = 0; b < f->count; b++)
        floating->appears = floating->appears || f->next[b].now.present > f->of[b].now.present;
    floating_place(m, s, dt);
    return FR_OK;
}

fr_result sph_floating_covers(const sph_model *m, const sph_state *s, const double x[3], bool *covers)
{
    const fleet *f = &s->floating->fleet;
    double distance;
    *covers = false;
    for (int b = 0; b < f->count && !*covers; b++) {
        if (!(f->next[b].now.present > f->of[b].now.present))
            continue;
        FR_TRY(shape_distance(s->solids[s->floating->first + b], x, &distance));
        *covers = distance < 0.5 * m->spacing;
    }
    return FR_OK;
}

void sph_floating_accept(sph_floating *f)
{
    fleet_accept(&f->fleet);
    memcpy(f->of, f->next, sizeof *f->of * (size_t)f->fleet.count);
}

void sph_floating_momentum(const sph_floating *f, double sum[3])
{
    for (int a = 0; a < 3; a++) {
        sum[a] = 0;
        for (int b = 0; b < f->fleet.count; b++)
            if (f->fleet.of[b].now.present > 0 && !f->fleet.def[b].fixed)
                sum[a] += rigid_body_mass(f->fleet.world, b)->mass * f->of[b].mean[a];
    }
}

void floating_solve(double a[6][6], double b[6])
{
    for (int k = 0; k < 6; k++) {
        int pivot = k;
        for (int i = k + 1; i < 6; i++)
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        for (int j = 0; j < 6 && pivot != k; j++) {
            const double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[pivot];
        b[pivot] = swap;
        for (int i = k + 1; i < 6; i++) {
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j < 6; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = 5; k >= 0; k--) {
        for (int j = k + 1; j < 6; j++)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}
