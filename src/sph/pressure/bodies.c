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
    const float *values, *wall_values;
    bool counts;                 /* touches are counted, not written */
    int64_t count[SPH_PARTS], wall_count[SPH_PARTS];
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

/* Its touch with a body, by its number among those of the particle: a new one, unless it is the last that this part of
   the liquid has found with that body. */
static int64_t bodies_place(floating_found *found, int64_t n, int64_t *count)
{
    if (found->particle != n)
        *found = (floating_found){n, (*count)++};
    return found->at;
}

/* The touches of one particle: their number; into `to` unless it is NULL. `found` is that of its part. Walls do not
   press what they hem in. */
static int64_t bodies_touch(const bodies_job *job, int64_t n, floating_found *found, floating_touch *to)
{
    const sph_walls *w = &job->s->walls;
    const pairs *p = &job->s->wall_pairs;
    int64_t count = 0;
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k++) {
        const int32_t wall = p->other[k];
        const int b = bodies_of(job->f, w, wall);
        if (b < 0)
            continue;
        const int64_t before = count, at = bodies_place(&found[b], n, &count);
        if (to && at == before)
            to[at] = (floating_touch){.particle = (int32_t)n, .body = b};
        if (to && !job->s->hemmed[n])
            bodies_push(to[at].push, job->f->fleet.of[b].laid.position, (vec3){w->x[wall], w->y[wall], w->z[wall]},
                        bodies_gradient(&p->record[k]));
    }
    return count;
}

/* What wall particle b pushes its body with for a push of 1, by the liquid around it: equal and opposite to what that
   gets from it. */
static void bodies_wall(const bodies_job *job, int64_t b, int body, double times, double push[6])
{
    const sph_walls *w = &job->s->walls;
    const double share = -times * (double)w->volume[b] / job->m->weight;
    const float *g = w->gradient[b];
    bodies_push(push, job->f->fleet.of[body].laid.position, (vec3){w->x[b], w->y[b], w->z[b]},
                (vec3){share * (double)g[0], share * (double)g[1], share * (double)g[2]});
}

/* The unknown of wall particle c pushes with all that take a part of it (sph/pressure/brace.h). */
static floating_touch bodies_wall_touch(const bodies_job *job, int32_t c, int body)
{
    const sph_walls *w = &job->s->walls;
    floating_touch touch = {.particle = c, .body = body};
    bodies_wall(job, c, body, (double)w->give[c] * (double)w->take[c], touch.push);
    for (const sph_link *l = w->links + w->link_begin[c]; l < w->links + w->link_begin[c + 1]; l++)
        bodies_wall(job, l->other, body, (double)w->give[c] * (double)l->part * (double)w->take[l->other], touch.push);
    return touch;
}

static int64_t bodies_share(int64_t count, int part) { return count * part / SPH_PARTS; }

static int64_t bodies_find_walls(const bodies_job *job, int part)
{
    const sph_walls *w = &job->s->walls;
    int64_t count = 0;
    for (int64_t i = bodies_share(w->reached_count, part); i < bodies_share(w->reached_count, part + 1); i++) {
        const int32_t c = w->reached[i];
        const int b = bodies_of(job->f, w, c);
        if (b < 0 || w->give[c] == 0)
            continue;
        if (!job->counts)
            job->f->walls[job->f->wall_begin[part] + count] = bodies_wall_touch(job, c, b);
        count++;
    }
    return count;
}

static void bodies_find(void *context, int begin, int end)
{
    bodies_job *job = context;
    for (int number = begin; number < end; number++) {
        const sph_part part = sph_part_of(job->s, number);
        floating_found *found = job->f->found + (int64_t)number * job->f->fleet.count;
        int64_t count = 0;
        for (int b = 0; b < job->f->fleet.count; b++)
            found[b].particle = -1;
        for (int64_t n = part.begin; n < part.end; n++)
            count += bodies_touch(job, n, found,
                                  job->counts ? NULL : job->f->touches + job->f->touch_begin[number] + count);
        job->count[number] = count;
        job->wall_count[number] = bodies_find_walls(job, number);
    }
}

/* Where the touches of each part begin, and room for them. */
static fr_result bodies_make_room(const int64_t count[SPH_PARTS], int64_t begin[SPH_PARTS + 1], floating_touch **list,
                                  int64_t *room)
{
    begin[0] = 0;
    for (int part = 0; part < SPH_PARTS; part++)
        begin[part + 1] = begin[part] + count[part];
    if (begin[SPH_PARTS] <= *room)
        return FR_OK;
    memory_free(*list);
    *room = 2 * begin[SPH_PARTS];
    *list = MEMORY_NEW(floating_touch, *room);
    if (!*list)
        *room = 0;
    return *list ? FR_OK : FR_ERROR_MEMORY;
}

fr_result sph_bodies_near(const sph_model *m, sph_state *s)
{
    sph_floating *f = s->floating;
    bodies_job job = {.m = m, .s = s, .f = f, .counts = true};
    threads_for(SPH_PARTS, bodies_find, &job);
    FR_TRY(bodies_make_room(job.count, f->touch_begin, &f->touches, &f->touch_room));
    FR_TRY(bodies_make_room(job.wall_count, f->wall_begin, &f->walls, &f->wall_room));
    job.counts = false;
    threads_for(SPH_PARTS, bodies_find, &job);
    return FR_OK;
}

static void bodies_add_up(const floating_touch *from, const floating_touch *end, const float *values, rigid_vector *sum)
{
    for (const floating_touch *t = from; t < end; t++)
        for (int d = 0; d < 6; d++)
            sum[t->body].of[d] += (double)values[t->particle] * t->push[d];
}

static void bodies_gather_parts(void *context, int begin, int end)
{
    const bodies_job *job = context;
    const sph_floating *f = job->f;
    for (int part = begin; part < end; part++) {
        rigid_vector *sum = f->part_pushed + (int64_t)part * f->fleet.count;
        memset(sum, 0, sizeof *sum * (size_t)f->fleet.count);
        bodies_add_up(f->touches + f->touch_begin[part], f->touches + f->touch_begin[part + 1], job->values, sum);
        bodies_add_up(f->walls + f->wall_begin[part], f->walls + f->wall_begin[part + 1], job->wall_values, sum);
    }
}

/* Cᵀ v into `pushed`. In 2D bodies turn about z alone. */
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

static double bodies_along(const floating_touch *t, const rigid_vector *answer)
{
    double sum = 0;
    for (int d = 0; d < 6; d++)
        sum += t->push[d] * answer[t->body].of[d];
    return sum;
}

static double bodies_spread(const floating_touch *from, const floating_touch *end, const rigid_vector *answer,
                            const float *values, float *product)
{
    double dot = 0;
    for (const floating_touch *t = from; t < end; t++) {
        const double change = bodies_along(t, answer);
        product[t->particle] += (float)change;
        dot += (double)values[t->particle] * change;
    }
    return dot;
}

static void bodies_scatter_parts(void *context, int begin, int end)
{
    bodies_job *job = context;
    const sph_floating *f = job->f;
    for (int part = begin; part < end; part++)
        job->dot[part] = bodies_spread(f->touches + f->touch_begin[part], f->touches + f->touch_begin[part + 1],
                                       f->answer, job->values, job->s->numbers[SPH_PRODUCT]) +
                         bodies_spread(f->walls + f->wall_begin[part], f->walls + f->wall_begin[part + 1], f->answer,
                                       job->wall_values, job->s->walls.product);
}

bool sph_bodies_feel(const sph_state *s)
{
    return s->floating && s->floating->feels;
}

double sph_bodies_answer(sph_state *s, const float *values, const float *wall_values)
{
    sph_floating *f = s->floating;
    if (!f->feels)
        return 0;
    bodies_job job = {.m = f->m, .s = s, .f = f, .values = values, .wall_values = wall_values};
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
static void bodies_free(const sph_model *m, sph_state *s, double dt)
{
    sph_floating *f = s->floating;
    bodies_job job = {
        .m = m, .s = s, .f = f, .values = s->numbers[SPH_UNKNOWN], .wall_values = s->walls.unknown};
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

void sph_bodies_lead(const sph_model *m, sph_state *s, double dt)
{
    if (!s->floating || !s->floating->feels)
        return;
    bodies_free(m, s, dt);
    constraints_keep(&s->floating->fleet.rows, s->floating->fleet.velocity);
    sph_floating_show(s, s->floating->fleet.velocity, s->walls.velocity);
}

bool sph_bodies_turn(const sph_model *m, sph_state *s, double dt)
{
    sph_floating *f = s->floating;
    if (!f || !f->feels)
        return false;
    bodies_free(m, s, dt);
    constraints_keep(&f->fleet.rows, f->fleet.velocity);
    if (!constraints_turn(&f->fleet.rows, f->fleet.velocity) || ++f->turns >= MOST_TURNS)
        return false;
    memcpy(f->fleet.velocity, f->fleet.free, sizeof *f->fleet.velocity * (size_t)f->fleet.count);
    constraints_keep(&f->fleet.rows, f->fleet.velocity);
    sph_floating_show(s, s->floating->fleet.velocity, s->walls.velocity);
    return true;
}
