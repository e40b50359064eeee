/* Particles in a flow u, falling with the speed w in still air:

     dx/dt = v,   dv/dt = (u(x, t) + w − v)/τ

   Over a substep δ with U = u + w taken at its middle, this is solved exactly,

     v' = U + (v − U) e^(−δ/τ),   x' = x + U δ + (v − U) τ (1 − e^(−δ/τ)),

   stable for any τ; τ = 0 gives the midpoint rule for a particle that follows at once. Second order in δ. The flow is
   linear between the begin and the end of the step, trilinear between samples. No particle moves further than a cell in
   a substep, or half a cell where there are obstacles, so that none passes through a wall of one cell. */
#include "mac/stage/tracers.h"

#include <math.h>

#include "base/threads.h"
#include "base/vec.h"
#include "grid/sample.h"
#include "mac/tracers.h"
#include "mac/stage/cfl.h"

/* What becomes of a particle (particles.mark). */
enum { STAYS, LEFT, EXPIRED, LOST };

static const model_tracers *tracers_kind(const model *m, int64_t id)
{
    return &m->tracers[id >> FR_PARTICLE_KIND_SHIFT];
}

typedef struct tracers_job {
    const model *m;
    state *s;
    const field *before;     /* the flow at the step's begin */
    double dt;
    int substeps;
} tracers_job;

/* Some particles at once. Places are in cells from the domain's low corner, split into where the step began and how far
   they have come since, which loses no digits in large domains. */
typedef struct tracers_batch {
    const tracers_job *job;
    int64_t first;
    int n;
    double start[3][SAMPLE_ROW];
    float moved[3][SAMPLE_ROW];
    float velocity[3][SAMPLE_ROW];      /* m/s */
    float fall[3][SAMPLE_ROW];          /* w */
    float begin[SAMPLE_ROW];            /* share of the step before birth */
    float lag[SAMPLE_ROW];              /* τ */
    sample_points points;
} tracers_batch;

static double tracers_place(const tracers_batch *b, int axis, int i)
{
    return b->start[axis][i] + (double)b->moved[axis][i];
}

/* Puts the sample points where the particles are, moved on by `shift` cells. */
static void tracers_aim(tracers_batch *b, float shift[3][SAMPLE_ROW])
{
    float *moves[3] = {b->points.dx, b->points.dy, b->points.dz};
    b->points.at = FR_AT_CELL;
    b->points.n = b->n;
    for (int a = 0; a < b->job->m->domain.dims; a++)
        for (int i = 0; i < b->n; i++)
            moves[a][i] = (float)(tracers_place(b, a, i) + (shift ? (double)shift[a][i] : 0) - 0.5 - (a == 0 ? i : 0));
    sample_confine(&b->points, &b->job->m->domain);
}

/* u + w at the sample points, at the fraction `when` of each particle's time: the step, or its rest after the birth. */
static void tracers_flow(const tracers_batch *b, float when, float flow[3][SAMPLE_ROW])
{
    const domain *d = &b->job->m->domain;
    float early[SAMPLE_ROW], late[SAMPLE_ROW];
    for (int a = 0; a < d->dims; a++) {
        sample_values(&b->job->before[a], d, &b->points, early);
        sample_values(&b->job->s->velocity[a], d, &b->points, late);
        for (int i = 0; i < b->n; i++) {
            float t = b->begin[i] + when * (1 - b->begin[i]);
            flow[a][i] = early[i] + t * (late[i] - early[i]) + b->fall[a][i];
        }
    }
}

/* How far particles get, in cells, over `share` of their time when U is `flow`; and their velocity after it. */
static void tracers_advance(const tracers_batch *b, float flow[3][SAMPLE_ROW], float share, float way[3][SAMPLE_ROW],
                            float velocity[3][SAMPLE_ROW])
{
    const domain *d = &b->job->m->domain;
    const uint8_t *mark = b->job->s->particles.mark + b->first;
    for (int i = 0; i < b->n; i++) {
        float time = mark[i] == STAYS ? share * (float)b->job->dt * (1 - b->begin[i]) : 0;
        float keep = b->lag[i] > 0 ? expf(-time / b->lag[i]) : 0,
              late = b->lag[i] > 0 ? -b->lag[i] * expm1f(-time / b->lag[i]) : 0;
        for (int a = 0; a < d->dims; a++) {
            float behind = b->velocity[a][i] - flow[a][i];
            way[a][i] = (flow[a][i] * time + behind * late) / (float)d->h[a];
            velocity[a][i] = flow[a][i] + behind * keep;
        }
    }
}

/* Particles leave the domain through open sides and inflows; at walls they stop. */
static void tracers_meet_sides(tracers_batch *b, int i)
{
    const domain *d = &b->job->m->domain;
    for (int a = 0; a < d->dims; a++) {
        double place = tracers_place(b, a, i);
        bool low = place < 0, high = place > d->n[a];
        if (d->periodic[a] || (!low && !high))
            continue;
        fr_wall_kind kind = b->job->m->walls[2 * a + high].kind;
        if (kind == FR_WALL_OPEN || kind == FR_WALL_INFLOW)
            b->job->s->particles.mark[b->first + i] = LEFT;
        b->moved[a][i] = (float)((low ? 0 : d->n[a]) - b->start[a][i]);
        b->velocity[a][i] = 0;
    }
}

/* Distance to the obstacles at a place in cells, m, and the unit vector away from them. */
static double tracers_distance(const tracers_job *job, const double place[3], vec3 *away)
{
    const domain *d = &job->m->domain;
    const field *distance = &job->s->solids.distance;
    double at[3] = {0, 0, 0}, slope[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++)
        at[a] = d->origin[a] + place[a] * d->h[a];
    for (int a = 0; a < d->dims; a++) {
        double low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
        low[a] -= 0.5 * d->h[a];
        high[a] += 0.5 * d->h[a];
        slope[a] = (sample_at(distance, d, high) - sample_at(distance, d, low)) / d->h[a];
    }
    *away = vec3_unit(vec3_of(slope));
    return sample_at(distance, d, at);
}

/* The velocity of the nearest obstacle at a place in cells, m/s. */
static vec3 tracers_wall(const tracers_job *job, const double place[3])
{
    const domain *d = &job->m->domain;
    const solids *solid = &job->s->solids;
    int cell[3] = {0, 0, 0};
    double at[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++) {
        double inside = d->periodic[a] ? place[a] - d->n[a] * floor(place[a] / d->n[a]) : place[a];
        cell[a] = (int)clampd(inside, 0, d->n[a] - 1);
        at[a] = d->origin[a] + inside * d->h[a];
    }
    return motion_velocity(&job->s->bodies.of[solids_owner(solid, d, &solid->distance, cell)].motion, vec3_of(at));
}

/* Pushes a particle out of an obstacle and removes its velocity into the wall, relative to that of the wall. One that
   is still deep inside after some pushes is lost. */
static void tracers_push_out(tracers_batch *b, int i)
{
    enum { MOST_PUSHES = 4 };
    const domain *d = &b->job->m->domain;
    double skin = 1e-3 * domain_min_h(d), distance = 0;
    for (int push = 0; push < MOST_PUSHES; push++) {
        vec3 away;
        double place[3] = {tracers_place(b, 0, i), tracers_place(b, 1, i), tracers_place(b, 2, i)};
        distance = tracers_distance(b->job, place, &away);
        if (distance >= 0)
            return;
        double normal[3] = {away.x, away.y, away.z}, towards = -vec3_dot(tracers_wall(b->job, place), away);
        for (int a = 0; a < d->dims; a++)
            towards += (double)b->velocity[a][i] * normal[a];
        for (int a = 0; a < d->dims; a++) {
            b->moved[a][i] += (float)((skin - distance) * normal[a] / d->h[a]);
            b->velocity[a][i] -= towards < 0 ? (float)(towards * normal[a]) : 0;
        }
        tracers_meet_sides(b, i);
    }
    if (distance < -0.5 * domain_min_h(d))
        b->job->s->particles.mark[b->first + i] = LOST;
}

static void tracers_meet(tracers_batch *b)
{
    float distance[SAMPLE_ROW];
    const uint8_t *mark = b->job->s->particles.mark + b->first;
    for (int i = 0; i < b->n; i++)
        if (mark[i] == STAYS)
            tracers_meet_sides(b, i);
    if (!b->job->s->solids.any)
        return;
    tracers_aim(b, NULL);
    sample_values(&b->job->s->solids.distance, &b->job->m->domain, &b->points, distance);
    for (int i = 0; i < b->n; i++)
        if (mark[i] == STAYS && distance[i] < 0)
            tracers_push_out(b, i);
}

static void tracers_load(tracers_batch *b)
{
    const model *m = b->job->m;
    particles *p = &b->job->s->particles;
    const domain *d = &m->domain;
    for (int i = 0; i < b->n; i++) {
        int64_t k = b->first + i;
        const fr_tracers_def *def = tracers_kind(m, p->id[k])->def;
        for (int a = 0; a < 3; a++) {
            b->start[a][i] = a < d->dims ? ((double)p->position[k][a] - d->origin[a]) / d->h[a] : 0;
            b->moved[a][i] = 0;
            b->velocity[a][i] = p->velocity[k][a];
            b->fall[a][i] = (float)(-def->settle * m->up[a]);
        }
        p->mark[k] = STAYS;
        b->lag[i] = (float)def->response;
        b->begin[i] = p->age[k] < 0 ? fminf(1, -p->age[k] / (float)b->job->dt) : 0;
    }
}

static void tracers_store(const tracers_batch *b)
{
    const domain *d = &b->job->m->domain;
    particles *p = &b->job->s->particles;
    for (int i = 0; i < b->n; i++) {
        int64_t k = b->first + i;
        double lifetime = tracers_kind(b->job->m, p->id[k])->def->lifetime;
        bool number = true;
        for (int a = 0; a < d->dims; a++) {
            double place = tracers_place(b, a, i);
            place -= d->periodic[a] ? d->n[a] * floor(place / d->n[a]) : 0;
            p->position[k][a] = (float)(d->origin[a] + place * d->h[a]);
            p->velocity[k][a] = b->velocity[a][i];
            number = number && isfinite(p->position[k][a]) && isfinite(p->velocity[k][a]);
        }
        p->age[k] += (float)b->job->dt;
        if (!number)
            p->mark[k] = LOST;
        else if (p->mark[k] == STAYS && lifetime > 0 && p->age[k] >= (float)lifetime)
            p->mark[k] = EXPIRED;
    }
}

/* Particles without inertia have the flow's velocity where they are now, not the mean of their way there. */
static void tracers_take_velocity(tracers_batch *b, float flow[3][SAMPLE_ROW])
{
    tracers_aim(b, NULL);
    tracers_flow(b, 1, flow);
    for (int a = 0; a < b->job->m->domain.dims; a++)
        for (int i = 0; i < b->n; i++)
            if (b->lag[i] == 0)
                b->velocity[a][i] = flow[a][i];
}

static void tracers_carry(tracers_batch *b)
{
    float flow[3][SAMPLE_ROW], way[3][SAMPLE_ROW], later[3][SAMPLE_ROW];
    float share = 1 / (float)b->job->substeps;
    tracers_load(b);
    for (int q = 0; q < b->job->substeps; q++) {
        tracers_aim(b, NULL);
        tracers_flow(b, share * (float)q, flow);
        tracers_advance(b, flow, 0.5f * share, way, later);
        tracers_aim(b, way);
        tracers_flow(b, share * ((float)q + 0.5f), flow);
        tracers_advance(b, flow, share, way, later);
        for (int a = 0; a < b->job->m->domain.dims; a++)
            for (int i = 0; i < b->n; i++) {
                b->moved[a][i] += way[a][i];
                b->velocity[a][i] = later[a][i];
            }
        tracers_meet(b);
    }
    tracers_take_velocity(b, flow);
    tracers_store(b);
}

static void tracers_batches(void *context, int begin, int end)
{
    const tracers_job *job = context;
    for (int n = begin; n < end; n++) {
        tracers_batch b = {.job = job, .first = (int64_t)n * SAMPLE_ROW};
        int64_t left = job->s->particles.count - b.first;
        b.n = left < SAMPLE_ROW ? (int)left : SAMPLE_ROW;
        tracers_carry(&b);
    }
}

/* Adds a particle unless an obstacle is there; says whether it did. When the scene gives no velocity it starts with
   that of `flow`. */
static bool tracers_add(const model *m, state *s, const field flow[3], int kind, int64_t index, const double at[3])
{
    const fr_tracers_def *def = m->tracers[kind].def;
    double velocity[3] = {def->velocity[0], def->velocity[1], def->velocity[2]};
    if (s->solids.any && sample_at(&s->solids.distance, &m->domain, at) < 0)
        return false;
    for (int a = 0; a < m->domain.dims && !def->has_velocity; a++)
        velocity[a] = sample_at(&flow[a], &m->domain, at) - def->settle * m->up[a];
    particles_add(&s->particles, ((int64_t)kind << FR_PARTICLE_KIND_SHIFT) + index, at, velocity);
    return true;
}

/* With a number given, tries places until it is reached; with a density, as many as the box around the shape holds. */
static fr_result tracers_seed_kind(const model *m, state *s, int kind)
{
    enum { TRIES_PER_PLACE = 4096 };
    const model_tracers *tracers = &m->tracers[kind];
    double box = 1;
    for (int a = 0; a < m->domain.dims; a++)
        box *= (tracers->scatter.high[a] - tracers->scatter.low[a]) / m->domain.h[a];
    int64_t tries = (int64_t)ceil(tracers->def->per_cell * box), wanted = tracers->def->count, added = 0;
    for (int64_t i = 0; wanted ? added < wanted : i < tries; i++) {
        double place[3];
        bool covered;
        scatter_place(&tracers->scatter, (uint64_t)i, place);
        FR_TRY(scatter_covers(&tracers->scatter, place, &covered));
        if (wanted && i > TRIES_PER_PLACE * (added + 1))
            return fr_fail_key("particles",
                               "particles[%d]: there is hardly room for particles in its shape outside the obstacles; "
                               "%lld of %lld were placed",
                               kind + 1, (long long)added, (long long)wanted);
        if (!covered)
            continue;
        FR_TRY(particles_reserve(&s->particles, s->particles.count + 1));
        /* ids of emitted particles start above these: no two are the same */
        added += tracers_add(m, s, s->velocity, kind, i, place);
    }
    return FR_OK;
}

fr_result stage_tracers_seed(const model *m, state *s)
{
    if (m->tracer_count == 0)
        return FR_OK;
    FR_TRY(particles_reserve(&s->particles, (int64_t)m->most_particles));
    for (int k = 0; k < m->tracer_count; k++)
        FR_TRY(tracers_seed_kind(m, s, k));
    return FR_OK;
}

fr_result stage_tracers_reserve(const model *m, state *s)
{
    int64_t room = s->particles.count;
    for (int k = 0; k < m->tracer_count; k++)
        room += tracers_born(m->tracers[k].def, s->now.end) - tracers_born(m->tracers[k].def, s->now.time);
    return particles_reserve(&s->particles, room);
}

/* Particles emitted during the step begin it with a negative age: minus the time until then. */
static void tracers_give_birth(const model *m, state *s, const field before[3])
{
    for (int k = 0; k < m->tracer_count; k++) {
        const model_tracers *tracers = &m->tracers[k];
        int64_t end = tracers->birth_count ? tracers_born(tracers->def, s->now.end) : 0;
        for (int64_t i = tracers_born(tracers->def, s->now.time); i < end; i++) {
            const float *from = tracers->births[i % tracers->birth_count];
            double at[3] = {from[0], from[1], from[2]}, wait = tracers_birth_time(tracers->def, i) - s->now.time;
            int64_t number = (INT64_C(1) << (FR_PARTICLE_KIND_SHIFT - 1)) + i;
            if (tracers_add(m, s, before, k, number, at))
                s->particles.age[s->particles.count - 1] = (float)-fmax(wait, 0);
        }
    }
}

/* How many substeps keep every particle from moving further than a cell, or half a cell near obstacles. */
static int tracers_substeps(const model *m, state *s, const field before[3], double dt)
{
    double speed = 0, cells = s->solids.any ? 0.5 : 1;
    bool inertia = false;
    for (int k = 0; k < m->tracer_count; k++) {
        speed = fmax(speed, fabs(m->tracers[k].def->settle));
        inertia = inertia || m->tracers[k].def->response > 0;
    }
    double own = 0;
    for (int64_t i = 0; inertia && i < s->particles.count; i++)
        for (int a = 0; a < m->domain.dims; a++)
            own = fmax(own, fabs((double)s->particles.velocity[i][a]));
    double rate = fmax(stage_cfl_rate(m, s), stage_cfl_rate_of(m, s, before));
    double steps = ceil(dt * fmax(rate + speed / domain_min_h(&m->domain), own / domain_min_h(&m->domain)) / cells);
    return steps > 1 ? (int)fmin(steps, 1e6) : 1;
}

void stage_tracers_move(const model *m, state *s, const field before[3])
{
    double dt = s->now.end - s->now.time;
    if (m->tracer_count == 0 || !(dt > 0))
        return;
    tracers_give_birth(m, s, before);
    tracers_job job = {m, s, before, dt, tracers_substeps(m, s, before, dt)};
    int64_t batches = (s->particles.count + SAMPLE_ROW - 1) / SAMPLE_ROW;
    threads_for((int)batches, tracers_batches, &job);
    int64_t removed[PARTICLES_MARKS] = {0};
    particles_sweep(&s->particles, removed);
    s->particles_left += removed[LEFT];
    s->particles_lost += removed[LOST];
}
