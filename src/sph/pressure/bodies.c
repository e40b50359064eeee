#include "sph/pressure/bodies.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sph/floating/floating.h"
#include "sph/stage/loads.h"

/* A step that changes its mind more often goes on with what it has: the world of bodies has the last word. */
static const int MOST_TURNS = 8;

typedef struct bodies_job {
    const sph_model *m;
    sph_state *s;
    sph_floating *f;
    const float *values;
    floating_touch *to;          /* NULL: they are counted */
    int64_t count[SPH_PARTS];
    double dot[SPH_PARTS];
} bodies_job;

static vec3 bodies_gradient(const pair_record *record)
{
    half_eight halves = {(*record)[0], (*record)[1], (*record)[2]};
    wide g = wide_of_half(halves);
    return (vec3){g[0], g[1], g[2]};
}

static void bodies_push(double push[6], const double centre[3], vec3 at, vec3 g)
{
    const vec3 turn = vec3_cross(vec3_sub(at, vec3_of(centre)), g);
    const double all[6] = {g.x, g.y, g.z, turn.x, turn.y, turn.z};
    for (int d = 0; d < 6; d++)
        push[d] += all[d];
}

/* The body of a wall particle that gives way; −1: it is of something else. */
static int bodies_of(const sph_floating *f, const sph_walls *w, int64_t wall)
{
    const int b = w->body[wall] - f->first;
    return b >= 0 && b < f->fleet.count && f->fleet.inverse[b].mass > 0 ? b : -1;
}

/* The touches of one particle: their number; into `to` unless it is NULL. Walls do not press what they hem in. */
static int64_t bodies_touch(const bodies_job *job, int64_t n, floating_touch *to)
{
    const sph_walls *w = &job->s->walls;
    const pairs *p = &job->s->wall_pairs;
    int32_t seen[8];
    int count = 0;
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k++) {
        const int32_t wall = p->other[k];
        const int b = bodies_of(job->f, w, wall);
        int at = 0;
        if (b < 0)
            continue;
        while (at < count && seen[at] != b)
            at++;
        if (at == 8)
            continue;
        if (at == count) {
            seen[count++] = b;
            if (to)
                to[at] = (floating_touch){.particle = (int32_t)n, .body = b};
        }
        if (to && !job->s->hemmed[n])
            bodies_push(to[at].push, job->f->fleet.of[b].laid.position, (vec3){w->x[wall], w->y[wall], w->z[wall]},
                        bodies_gradient(&p->record[k]));
    }
    return count;
}

static void bodies_find(void *context, int begin, int end)
{
    bodies_job *job = context;
    for (int number = begin; number < end; number++) {
        const sph_part part = sph_part_of(job->s, number);
        int64_t count = 0;
        for (int64_t n = part.begin; n < part.end; n++)
            count += bodies_touch(job, n, job->to ? job->to + job->f->touch_begin[number] + count : NULL);
        job->count[number] = count;
    }
}

fr_result sph_bodies_near(const sph_model *m, sph_state *s)
{
    sph_floating *f = s->floating;
    bodies_job job = {.m = m, .s = s, .f = f};
    threads_for(SPH_PARTS, bodies_find, &job);
    f->touch_begin[0] = 0;
    for (int part = 0; part < SPH_PARTS; part++)
        f->touch_begin[part + 1] = f->touch_begin[part] + job.count[part];
    const int64_t count = f->touch_begin[SPH_PARTS];
    if (count > f->touch_room) {
        memory_free(f->touches);
        f->touch_room = 0;
        if (!(f->touches = MEMORY_NEW(floating_touch, 2 * count)))
            return FR_ERROR_MEMORY;
        f->touch_room = 2 * count;
    }
    job.to = f->touches;
    threads_for(SPH_PARTS, bodies_find, &job);
    return FR_OK;
}

/* What wall particle b pushes its body with for a push of 1, by the liquid around it: equal and opposite to what that
   gets from it. */
static void bodies_wall(const bodies_job *job, int64_t b, int body, double push[6])
{
    const sph_walls *w = &job->s->walls;
    const double share = -(double)w->volume[b] / job->m->weight;
    const float *g = w->gradient[b];
    memset(push, 0, 6 * sizeof *push);
    bodies_push(push, job->f->fleet.of[body].laid.position, (vec3){w->x[b], w->y[b], w->z[b]},
                (vec3){share * (double)g[0], share * (double)g[1], share * (double)g[2]});
}

static int64_t bodies_share(int64_t count, int part) { return count * part / SPH_PARTS; }

static void bodies_gather_parts(void *context, int begin, int end)
{
    const bodies_job *job = context;
    const sph_floating *f = job->f;
    const sph_walls *w = &job->s->walls;
    for (int part = begin; part < end; part++) {
        rigid_vector *sum = f->part_pushed + (int64_t)part * f->fleet.count;
        memset(sum, 0, sizeof *sum * (size_t)f->fleet.count);
        for (int64_t i = f->touch_begin[part]; i < f->touch_begin[part + 1]; i++) {
            const floating_touch *t = &f->touches[i];
            for (int d = 0; d < 6; d++)
                sum[t->body].of[d] += (double)job->values[t->particle] * t->push[d];
        }
        for (int64_t i = bodies_share(w->reached_count, part); i < bodies_share(w->reached_count, part + 1); i++) {
            const int64_t wall = w->reached[i];
            const int b = bodies_of(f, w, wall);
            double push[6];
            if (b < 0 || w->push[wall] == 0)
                continue;
            bodies_wall(job, wall, b, push);
            for (int d = 0; d < 6; d++)
                sum[b].of[d] += (double)w->push[wall] * push[d];
        }
    }
}

/* Cᵀ Q into `pushed`. In 2D bodies turn about z alone, and a ball's spin moves nothing. */
static void bodies_gather(bodies_job *job)
{
    sph_floating *f = job->f;
    threads_for(SPH_PARTS, bodies_gather_parts, job);
    memset(f->pushed, 0, sizeof *f->pushed * (size_t)f->fleet.count);
    for (int part = 0; part < SPH_PARTS; part++)
        for (int b = 0; b < f->fleet.count; b++)
            for (int d = 0; d < 6; d++)
                f->pushed[b].of[d] += f->part_pushed[(int64_t)part * f->fleet.count + b].of[d];
    for (int b = 0; b < f->fleet.count && job->m->dims == 2; b++)
        f->pushed[b].of[2] = f->pushed[b].of[3] = f->pushed[b].of[4] = 0;
}

static void bodies_scatter_parts(void *context, int begin, int end)
{
    bodies_job *job = context;
    const sph_floating *f = job->f;
    sph_walls *w = &job->s->walls;
    float *product = job->s->numbers[SPH_PRODUCT];
    for (int part = begin; part < end; part++) {
        job->dot[part] = 0;
        for (int64_t i = f->touch_begin[part]; i < f->touch_begin[part + 1]; i++) {
            const floating_touch *t = &f->touches[i];
            double change = 0;
            for (int d = 0; d < 6; d++)
                change += t->push[d] * f->answer[t->body].of[d];
            product[t->particle] += (float)change;
            job->dot[part] += (double)job->values[t->particle] * change;
        }
        for (int64_t i = bodies_share(w->reached_count, part); i < bodies_share(w->reached_count, part + 1); i++) {
            const int64_t wall = w->reached[i];
            const int b = bodies_of(f, w, wall);
            double push[6], change = 0;
            if (b < 0)
                continue;
            bodies_wall(job, wall, b, push);
            for (int d = 0; d < 6; d++)
                change += push[d] * f->answer[b].of[d];
            w->left[wall] += w->take[wall] * (float)change;
        }
    }
}

double sph_bodies_answer(sph_state *s, const float *values)
{
    sph_floating *f = s->floating;
    if (!f || !f->feels)
        return 0;
    bodies_job job = {.m = f->m, .s = s, .f = f, .values = values};
    bodies_gather(&job);
    for (int b = 0; b < f->fleet.count; b++) {
        f->answer[b] = constraints_response(&f->fleet.inverse[b], &f->pushed[b]);
        for (int d = 0; d < 6; d++)
            f->answer[b].of[d] *= f->m->mass;
    }
    constraints_project(&f->fleet.rows, f->answer);
    threads_for(SPH_PARTS, bodies_scatter_parts, &job);
    return threads_sum(job.dot, SPH_PARTS);
}

double sph_bodies_most(const sph_state *s)
{
    const sph_floating *f = s->floating;
    double most = 0;
    for (int b = 0; f && f->feels && b < f->fleet.count; b++) {
        const double *way = f->answer[b].of, radius = shape_radius(rigid_body_shape(f->fleet.world, b));
        most = fmax(most, vec3_length(vec3_of(way)) + radius * vec3_length(vec3_of(way + 3)));
    }
    return most;
}

/* Velocities with what unknowns push, held by nothing yet. */
static void bodies_free(const sph_model *m, sph_state *s, const float *values, double dt)
{
    sph_floating *f = s->floating;
    bodies_job job = {.m = m, .s = s, .f = f, .values = values};
    bodies_gather(&job);
    for (int b = 0; b < f->fleet.count; b++) {
        rigid_vector impulse;
        for (int d = 0; d < 6; d++)
            impulse.of[d] = m->mass * m->spacing / dt * f->pushed[b].of[d];
        const rigid_vector change = constraints_response(&f->fleet.inverse[b], &impulse);
        for (int d = 0; d < 6; d++)
            f->fleet.velocity[b].of[d] = f->fleet.free[b].of[d] + change.of[d];
    }
}

void sph_bodies_lead(const sph_model *m, sph_state *s, const float *values, double dt)
{
    if (!s->floating || !s->floating->feels)
        return;
    bodies_free(m, s, values, dt);
    constraints_keep(&s->floating->fleet.rows, s->floating->fleet.velocity);
    sph_floating_show(s, s->floating->fleet.velocity, s->walls.velocity);
}

bool sph_bodies_turn(const sph_model *m, sph_state *s, double dt)
{
    sph_floating *f = s->floating;
    if (!f || !f->feels)
        return false;
    bodies_free(m, s, s->numbers[SPH_UNKNOWN], dt);
    constraints_keep(&f->fleet.rows, f->fleet.velocity);
    if (!constraints_turn(&f->fleet.rows, f->fleet.velocity) || ++f->turns >= MOST_TURNS)
        return false;
    memcpy(f->fleet.velocity, f->fleet.free, sizeof *f->fleet.velocity * (size_t)f->fleet.count);
    constraints_keep(&f->fleet.rows, f->fleet.velocity);
    sph_floating_show(s, s->floating->fleet.velocity, s->walls.velocity);
    return true;
}
