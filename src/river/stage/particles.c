/* Particles are stored in grid coordinates. They start uniformly distributed in the world: points of a low-discrepancy
   sequence over the cells are accepted with a probability proportional to the cell's volume. A particle that leaves and
   is renewed starts again on an inflow, with a probability proportional to the flux there, and moves on for the rest of
   the step. All random numbers are functions of seed, particle and step, so the bits do not depend on the number of
   threads or on a restart. */
#include "river/stage/particles.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/threads.h"
#include "base/vec.h"
#include "mac/tracers.h"
#include "particles/scatter.h"
#include "river/stage/flow.h"
#include "river/stage/ledger.h"
#include "river/stage/sides.h"

/* Ids of particles that have left the river, or reached their lifetime, until they are removed. */
enum { LEFT = -1, LIVED = -2 };

/* Places tried for one particle; renewals of one particle in a step. */
enum { MOST_TRIES = 4096, MOST_RENEWALS = 16, BATCH = 256 };

static const fr_tracers_def *drift_kind(const river_model *m, int64_t id)
{
    return &m->tracers[id >> FR_PARTICLE_KIND_SHIFT];
}

static uint64_t drift_seed(const river_model *m, int kind)
{
    return (uint64_t)m->tracers[kind].seed * 1000 + (uint64_t)kind;
}

/* The cells where particles of a kind start. */
typedef struct birth_block {
    int from[3], to[3];        /* to: exclusive */
    float largest;             /* m³, of one cell */
    int64_t wet;
} birth_block;

static birth_block drift_block(const river_model *m, const fr_tracers_def *def)
{
    const domain *d = &m->curve.domain;
    birth_block b = {.largest = 0};
    for (int a = 0; a < 3; a++) {
        b.from[a] = def->in_cells && a < d->dims ? def->cells.from[a] : 0;
        b.to[a] = def->in_cells && a < d->dims ? def->cells.to[a] + 1 : d->n[a];
    }
    for (int k = b.from[2]; k < b.to[2]; k++)
        for (int j = b.from[1]; j < b.to[1]; j++)
            for (int i = b.from[0]; i < b.to[0]; i++)
                if (!river_solid(m, i, j, k)) {
                    b.largest = fmaxf(b.largest, field_row(&m->curve.volume, j, k)[i]);
                    b.wet++;
                }
    return b;
}

/* Whether a place is accepted: in water, with a probability proportional to the volume of its cell. */
static bool drift_take_place(const river_model *m, const birth_block *b, const double place[3], double chance)
{
    int cell[3] = {0, 0, 0};
    for (int a = 0; a < m->curve.domain.dims; a++)
        cell[a] = (int)clampd(floor(place[a]), b->from[a], b->to[a] - 1);
    double volume = (double)field_row(&m->curve.volume, cell[1], cell[2])[cell[0]];
    return !river_solid(m, cell[0], cell[1], cell[2]) && chance * (double)b->largest < volume;
}

static void drift_add(river_particles *p, int64_t id, const double place[3], float age)
{
    for (int a = 0; a < 3; a++)
        p->place[p->count][a] = place[a];
    p->age[p->count] = age;
    p->id[p->count++] = id;
}

static fr_result drift_seed_kind(const river_model *m, river_state *s, int kind)
{
    const fr_tracers_def *def = &m->tracers[kind];
    const birth_block b = drift_block(m, def);
    int64_t wanted = def->count ? def->count : (int64_t)floor(def->per_cell * (double)b.wet + 0.5),
            first = s->particles.count;
    scatter places = {.dims = m->curve.domain.dims, .seed = drift_seed(m, kind)};
    for (int a = 0; a < 3; a++) {
        places.low[a] = b.from[a];
        places.high[a] = b.to[a];
    }
    if (wanted > 0 && b.wet == 0)
        return fr_fail_key("particles",
                           "particles[%d]: all cells where they start are solid; move them or the obstacle", kind + 1);
    FR_TRY(river_particles_reserve(&s->particles, first + wanted));
    for (int64_t i = 0; s->particles.count < first + wanted; i++) {
        double place[3];
        scatter_place(&places, (uint64_t)i, place);
        if (drift_take_place(m, &b, place, random_unit(places.seed + 2, (uint64_t)i)))
            drift_add(&s->particles, ((int64_t)kind << FR_PARTICLE_KIND_SHIFT) + i, place, 0);
        if (i > MOST_TRIES * (s->particles.count - first + 1))
            return fr_fail_key(
                "particles",
                "particles[%d]: there is hardly room for particles outside the obstacles; %lld of %lld were placed",
                kind + 1, (long long)(s->particles.count - first), (long long)wanted);
    }
    return FR_OK;
}

fr_result stage_river_particles_seed(const river_model *m, river_state *s)
{
    for (int k = 0; k < m->tracer_count; k++)
        FR_TRY(drift_seed_kind(m, s, k));
    return FR_OK;
}

/* Particles born during the step start it with a negative age: minus the time until their birth. */
static void drift_give_birth(const river_model *m, river_state *s, int kind)
{
    const fr_tracers_def *def = &m->tracers[kind];
    int64_t first = tracers_born(def, s->now.time), end = tracers_born(def, s->now.end);
    if (first == end)
        return;
    const birth_block b = drift_block(m, def);
    uint64_t seed = drift_seed(m, kind) + 3;
    for (int64_t i = first; i < end; i++)
        for (int try = 0; try < MOST_TRIES; try++) {
            uint64_t draw = 4 * ((uint64_t)i * MOST_TRIES + (uint64_t)try);
            double place[3] = {0, 0, 0}, wait = fmax(tracers_birth_time(def, i) - s->now.time, 0);
            for (int a = 0; a < m->curve.domain.dims; a++)
                place[a] = b.from[a] + (b.to[a] - b.from[a]) * random_unit(seed, draw + (uint64_t)a);
            if (!drift_take_place(m, &b, place, random_unit(seed, draw + 3)))
                continue;
            int64_t number = (INT64_C(1) << (FR_PARTICLE_KIND_SHIFT - 1)) + i;
            drift_add(&s->next_particles, ((int64_t)kind << FR_PARTICLE_KIND_SHIFT) + number, place, (float)-wait);
            break;
        }
}

typedef struct drift_job {
    const river_model *m;
    const river_state *s;
    river_particles *to;
    river_flow flow;
    double dt;
    double brings[FR_SIDES], inflow;   /* m³/s that come in through each side, and in total */
    double widest[FR_SIDES];   /* m²: largest face of each side */
} drift_job;

static double drift_area(const river_model *m, int axis, const int face[3])
{
    double square = 0;
    for (int a = 0; a < m->curve.domain.dims; a++) {
        double part = (double)field_row(&m->curve.face[axis][a], face[1], face[2])[face[0]];
        square += part * part;
    }
    return sqrt(square);
}

/* m³/s that come in through a side. If an inflow is reversed, water comes in through the outflow. */
static double drift_brings(const drift_job *job, int side)
{
    const int cells = (int)(domain_cells(&job->m->curve.domain) / job->m->curve.domain.n[side / 2]);
    if (job->s->side_passing[side])
        return job->s->side_passing[side][cells - 1];
    switch (job->m->sides[side].kind) {
    case FR_RIVER_INFLOW: return fmax(job->s->side_speed[side][0] * job->m->sides[side].area, 0);
    case FR_RIVER_OUTFLOW: return fmax(-stage_river_through(job->m, job->s, side), 0);
    default: return 0;
    }
}

static void drift_look_at_inflows(drift_job *job)
{
    const int *n = job->m->curve.domain.n;
    for (int side = 0; side < 2 * job->m->curve.domain.dims; side++) {
        int axis = side / 2, face[3], first[3] = {0, 0, 0}, end[3] = {n[0], n[1], n[2]};
        job->brings[side] = drift_brings(job, side);
        job->inflow += job->brings[side];
        if (job->brings[side] == 0 || job->s->side_passing[side])
            continue;
        first[axis] = side % 2 ? n[axis] : 0;
        end[axis] = first[axis] + 1;
        for (face[2] = first[2]; face[2] < end[2]; face[2]++)
            for (face[1] = first[1]; face[1] < end[1]; face[1]++)
                for (face[0] = first[0]; face[0] < end[0]; face[0]++)
                    job->widest[side] = fmax(job->widest[side], drift_area(job->m, axis, face));
    }
}

/* Draws a side with a probability proportional to its inflow; `share` is the random number, 0 to 1. */
static int drift_draw_side(const drift_job *job, double share)
{
    int drawn = 0;
    double sum = 0;
    for (int side = 0; side < FR_SIDES && sum <= share * job->inflow; side++)
        if (job->brings[side] > 0) {
            sum += job->brings[side];
            drawn = side;
        }
    return drawn;
}

/* The first face of a side up to which more than `flux` enters. */
static int drift_draw_face(const drift_job *job, int side, double flux)
{
    int low = 0, high = (int)(domain_cells(&job->m->curve.domain) / job->m->curve.domain.n[side / 2]) - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (job->s->side_passing[side][middle] > flux)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Draws a place on the inflows in proportion to the flux; where the speed is uniform on a side, to the face's area. */
static void drift_renew(const drift_job *job, uint64_t key, double place[3])
{
    const domain *d = &job->m->curve.domain;
    int side = drift_draw_side(job, random_unit(key, 0)), axis = side / 2;
    if (job->s->side_passing[side]) {
        int cell[3], face[3];
        const river_frame f = river_frame_of(d, side);
        const int n = drift_draw_face(job, side, random_unit(key, 1) * job->brings[side]);
        river_beside(d, side, n % f.n[0], n / f.n[0], cell, face);
        for (int a = 0; a < d->dims; a++)
            place[a] = a == axis ? face[a] : cell[a] + random_unit(key, 4 + (uint64_t)a);
        return;
    }
    for (int try = 0; try < MOST_TRIES; try++) {
        uint64_t draw = 4 * (uint64_t)try + 4;
        int cell[3] = {0, 0, 0};
        for (int a = 0; a < d->dims; a++) {
            place[a] = a == axis ? (side % 2 ? d->n[a] : 0) : d->n[a] * random_unit(key, draw + (uint64_t)a);
            cell[a] = (int)clampd(floor(place[a]), 0, d->n[a] - 1);
        }
        int face[3] = {cell[0], cell[1], cell[2]};
        face[axis] += side % 2;
        if (!river_solid(job->m, cell[0], cell[1], cell[2]) &&
            random_unit(key, draw + 3) * job->widest[side] <= drift_area(job->m, axis, face))
            return;
    }
}

static void drift_move_one(const drift_job *job, const curve_walk *walk, int64_t n)
{
    river_particles *p = job->to;
    const fr_tracers_def *def = drift_kind(job->m, p->id[n]);
    double left = p->age[n] < 0 ? fmax(job->dt + (double)p->age[n], 0) : job->dt;
    p->age[n] += (float)job->dt;
    for (int turn = 0; turn <= MOST_RENEWALS; turn++) {
        left = curve_walk_move(walk, p->place[n], left);
        if (left == 0)
            break;
        if (!def->renewed || job->inflow == 0) {
            p->id[n] = LEFT;
            return;
        }
        uint64_t key = random_mix((uint64_t)p->id[n] ^ random_mix((uint64_t)job->s->now.steps)) + (uint64_t)turn;
        drift_renew(job, random_mix(key + (uint64_t)def->seed), p->place[n]);
        p->age[n] = (float)left;
    }
    if (def->lifetime > 0 && p->age[n] >= (float)def->lifetime)
        p->id[n] = LIVED;
}

static void drift_move_batches(void *context, int begin, int end)
{
    const drift_job *job = context;
    const curve_walk walk = stage_river_walk(&job->flow);
    for (int64_t n = (int64_t)begin * BATCH; n < (int64_t)end * BATCH && n < job->to->count; n++)
        drift_move_one(job, &walk, n);
}

/* Removes the particles that are gone; returns how many left with the flow. */
static int64_t drift_sweep_gone(river_particles *p)
{
    int64_t kept = 0, left = 0;
    for (int64_t n = 0; n < p->count; n++) {
        left += p->id[n] == LEFT;
        if (p->id[n] < 0 || kept == n) {
            kept += p->id[n] >= 0;
            continue;
        }
        for (int a = 0; a < 3; a++)
            p->place[kept][a] = p->place[n][a];
        p->age[kept] = p->age[n];
        p->id[kept++] = p->id[n];
    }
    p->count = kept;
    return left;
}

/* Copies the present particles to next_particles, with room for those to be born. */
static fr_result drift_copy(const river_model *m, river_state *s)
{
    const river_particles *from = &s->particles;
    int64_t room = from->count;
    for (int k = 0; k < m->tracer_count; k++)
        room += tracers_born(&m->tracers[k], s->now.end) - tracers_born(&m->tracers[k], s->now.time);
    FR_TRY(river_particles_reserve(&s->next_particles, room));
    if (from->count > 0) {
        memcpy(s->next_particles.place, from->place, (size_t)from->count * sizeof *from->place);
        memcpy(s->next_particles.age, from->age, (size_t)from->count * sizeof *from->age);
        memcpy(s->next_particles.id, from->id, (size_t)from->count * sizeof *from->id);
    }
    s->next_particles.count = from->count;
    return FR_OK;
}

fr_result stage_river_particles_move(const river_model *m, river_state *s, double dt)
{
    s->next_left = s->particles_left;
    if (m->tracer_count == 0)
        return FR_OK;
    FR_TRY(drift_copy(m, s));
    for (int k = 0; k < m->tracer_count; k++)
        drift_give_birth(m, s, k);
    drift_job job = {.m = m, .s = s, .to = &s->next_particles, .flow = stage_river_flow(m, s), .dt = dt};
    drift_look_at_inflows(&job);
    threads_for((int)((s->next_particles.count + BATCH - 1) / BATCH), drift_move_batches, &job);
    s->next_left += drift_sweep_gone(&s->next_particles);
    return FR_OK;
}

void stage_river_particles_accept(river_state *s)
{
    river_particles swap = s->particles;
    s->particles = s->next_particles;
    s->next_particles = swap;
    s->particles_left = s->next_left;
}
