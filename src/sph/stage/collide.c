#include "sph/stage/collide.h"

#include <string.h>

#include "base/random.h"
#include "sph/floating/knock.h"

/* In spacings: the least gap to a wall; how near a path must come to count as meeting it; the width of difference
   quotients. */
static const double MARGIN = 0.01, SKIN = 0.01, DIFFERENCE = 0.02;

/* In spacings: a particle is checked against obstacles when their wall particles place it this near to the surface. */
static const double NEAR = 0.2;

sph_collide sph_collide_of(const sph_model *m, sph_state *s, double dt)
{
    const fr_sph_def *sph = &m->sph;
    sph_collide c = {.m = m,
                     .s = s,
                     .dt = dt,
                     .gap = MARGIN * m->spacing,
                     .bounces = sph->boundary == FR_SPH_COLLIDE,
                     .parallel = true};
    if (c.bounces) {
        c.gap = fmax(sph->gap, MARGIN) * m->spacing;
        memcpy(c.restitution, sph->restitution, sizeof c.restitution);
    }
    for (int b = 0; b < m->obstacle_count; b++)
        c.parallel = c.parallel && shape_is_parallel(s->solids[b]);
    return c;
}

/* A contact: the point where a wall was met, its normal and velocity there. */
typedef struct collide_contact {
    vec3 at, normal, wall;
    double distance;         /* m, from the point to the wall */
} collide_contact;

static fr_result collide_distance(const shape *s, vec3 x, double *distance)
{
    return shape_distance(s, (double[3]){x.x, x.y, x.z}, distance);
}

/* The direction in which the distance grows fastest. */
static fr_result collide_normal(const sph_collide *c, const shape *s, vec3 x, vec3 *normal)
{
    double slope[3] = {0, 0, 0}, h = DIFFERENCE * c->m->spacing;
    for (int a = 0; a < c->m->dims; a++) {
        vec3 step = {a == 0 ? h : 0, a == 1 ? h : 0, a == 2 ? h : 0};
        double ahead, behind;
        FR_TRY(collide_distance(s, vec3_add(x, step), &ahead));
        FR_TRY(collide_distance(s, vec3_sub(x, step), &behind));
        slope[a] = ahead - behind;
    }
    *normal = vec3_unit(vec3_of(slope));
    return FR_OK;
}

/* Sphere tracing: steps as long as the distance to the surface cannot pass through it, however thin the body is. `met`
   is where the path reaches it. */
static fr_result collide_way(const sph_collide *c, const shape *s, vec3 from, vec3 to, vec3 *met, bool *through)
{
    vec3 way = vec3_sub(to, from);
    double length = vec3_length(way), skin = SKIN * c->m->spacing, distance, last;
    *through = false;
    FR_TRY(collide_distance(s, from, &distance));
    if (distance <= 0)
        return FR_OK;
    for (double gone = fmax(distance, skin / 4); gone < length && !*through; gone += fmax(distance, skin / 4)) {
        *met = vec3_add(from, vec3_scale(way, gone / length));
        last = distance;
        FR_TRY(collide_distance(s, *met, &distance));
        *through = distance < skin && distance < last;
    }
    return FR_OK;
}

/* Whether the path from `from` (carried along with the body) to `to` meets the body, and where. A path shorter than the
   distance at its end cannot. */
static fr_result collide_meet(const sph_collide *c, const shape *s, vec3 from, vec3 to, collide_contact *contact,
                              bool *meets)
{
    double left;
    bool through = false;
    contact->at = to;
    FR_TRY(collide_distance(s, to, &left));
    if (left < vec3_length(vec3_sub(to, from)))
        FR_TRY(collide_way(c, s, from, to, &contact->at, &through));
    if (!through)
        contact->at = to;
    *meets = through || left < c->gap;
    if (!*meets)
        return FR_OK;
    FR_TRY(collide_distance(s, contact->at, &contact->distance));
    return collide_normal(c, s, contact->at, &contact->normal);
}

/* A particle under way. */
typedef struct collide_mover {
    int part;
    int64_t particle;
    vec3 from, to, velocity;
} collide_mover;

/* Back to the gap along the normal; v·n = w·n − ε ((x − x₀)/Δt − w)·n with w the wall's velocity, and never into it.
   Macêdo's own walls stand still. For oblique normals ε is the mean over the axes, weighted by the squares of the
   normal's components. */
static void collide_bounce(const sph_collide *c, const collide_contact *contact, collide_mover *p)
{
    vec3 n = contact->normal;
    double off = vec3_dot(vec3_sub(p->to, contact->at), n) + contact->distance;
    p->to = vec3_add(p->to, vec3_scale(n, c->gap - off));
    double toward = fmin(vec3_dot(vec3_sub(vec3_scale(vec3_sub(p->to, p->from), 1 / c->dt), contact->wall), n), 0);
    double keep = n.x * n.x * c->restitution[0] + n.y * n.y * c->restitution[1] + n.z * n.z * c->restitution[2];
    double wanted = vec3_dot(contact->wall, n) - keep * toward, now = vec3_dot(p->velocity, n);
    if (c->bounces || now < wanted)
        p->velocity = vec3_add(p->velocity, vec3_scale(n, wanted - now));
}

/* What the meeting does: a body that gives way, and the particle, learn of their velocities at the end of the step. */
static fr_result collide_answer(const sph_collide *c, int body, const collide_contact *contact, collide_mover *p)
{
    const vec3 before = p->velocity;
    collide_bounce(c, contact, p);
    if (!sph_floating_gives_way(c->s, body))
        return FR_OK;
    p->velocity = before;
    const floating_knock knock = {.particle = (int32_t)p->particle,
                                  .body = body,
                                  .at = contact->at,
                                  .normal = contact->normal,
                                  .wall = vec3_dot(contact->wall, contact->normal)};
    return sph_floating_meet(c->s, p->part, &knock);
}

static fr_result collide_obstacle(const sph_collide *c, int body, collide_mover *p, double *count)
{
    const shape *s = c->s->solids[body];
    double low[3], high[3], reach = c->gap + vec3_length(vec3_sub(p->to, p->from));
    const double x[3] = {p->to.x, p->to.y, p->to.z};
    shape_bounds(s, low, high);
    for (int a = 0; a < c->m->dims; a++)
        if (x[a] < low[a] - reach || x[a] > high[a] + reach)
            return FR_OK;
    collide_contact contact = {.wall = motion_velocity(&c->s->bodies.of[body].motion, p->from)};
    vec3 carried = vec3_add(p->from, vec3_scale(contact.wall, c->dt));
    bool meets;
    FR_TRY(collide_meet(c, s, carried, p->to, &contact, &meets));
    if (!meets)
        return FR_OK;
    ++*count;
    FR_TRY(collide_answer(c, body, &contact, p));
    double left;   /* in a notch one face may push the particle into another: then it stays at the contact */
    FR_TRY(collide_distance(s, p->to, &left));
    if (left < 0 && contact.distance > 0)
        p->to = contact.at;
    return FR_OK;
}

/* Whether particle n may have got into an obstacle made of particles, judged by the planes over its wall particles:
   the surface lies above each by its depth. */
static bool collide_suspect(const sph_collide *c, int64_t n, vec3 to)
{
    const sph_walls *w = &c->s->walls;
    const pairs *p = &c->s->wall_pairs;
    for (int64_t k = p->begin[n]; k < pairs_end(p, n); k++) {
        int32_t b = p->other[k];
        if (w->body[b] == c->m->body_count - 1)
            continue;
        const float *normal = w->normal[b], *moves = w->velocity[b];
        vec3 wall = {w->x[b] + c->dt * moves[0], w->y[b] + c->dt * moves[1], w->z[b] + c->dt * moves[2]};
        if (vec3_dot(vec3_sub(to, wall), (vec3){normal[0], normal[1], normal[2]}) - normal[3] < NEAR * c->m->spacing)
            return true;
    }
    return false;
}

/* Into [low, high) as floats: rounding may give `high`, which is the same place as `low`. */
static double collide_wrap(double x, double low, double high)
{
    double inside = x + (x < low ? high - low : x >= high ? low - high : 0);
    return (float)inside >= (float)high ? low : inside;
}

/* In corners several particles would be put into the same place, where no pressure can part them. So each has a gap of
   its own, up to 1 % wider. */
static double collide_own_gap(const sph_collide *c, int64_t n, int axis)
{
    return c->gap * (1 + 0.01 * random_unit((uint64_t)c->s->fluid.id[n], (uint64_t)axis));
}

/* The sides across one axis. */
static void collide_side(const sph_collide *c, int64_t n, int axis, double from, double *to, double *v, double *count)
{
    const sph_model *m = c->m;
    double low = m->low[axis], high = m->high[axis];
    bool below = m->closed[2 * axis] && *to < low + c->gap, above = m->closed[2 * axis + 1] && *to > high - c->gap;
    if (m->periodic[axis])
        *to = collide_wrap(*to, low, high);
    if (!below && !above)
        return;
    double gap = collide_own_gap(c, n, axis);
    *to = below ? low + gap : high - gap;
    double back = -c->restitution[axis] * (*to - from) / c->dt;
    *v = below ? fmax(back, 0) : fmin(back, 0);
    ++*count;
}

/* Far enough from all sides that none matters, as for nearly all particles. */
static bool collide_inside(const sph_collide *c, const double to[3])
{
    for (int a = 0; a < c->m->dims; a++)
        if (!(to[a] >= c->m->low[a] + c->gap && to[a] <= c->m->high[a] - c->gap))
            return false;
    return true;
}

/* The momentum that a particle lost is a load on the body. */
static void collide_load(const sph_collide *c, int part, int body, vec3 before, vec3 after, vec3 x)
{
    vec3 given = vec3_sub(before, after);
    if (vec3_dot(given, given) > 0)
        stage_sph_loads_push(c->m, c->s, part, body, vec3_scale(given, c->m->mass / c->dt), x);
}

/* The sides last: whatever an obstacle does, the liquid stays in a closed box. */
fr_result stage_sph_collide(const sph_collide *c, int part, int64_t n, const double from[3], double to[3], double v[3],
                            double *count)
{
    const sph_model *m = c->m;
    collide_mover p = {part, n, vec3_of(from), vec3_of(to), vec3_of(v)};
    int obstacles = m->obstacle_count;
    if (!c->bounces && obstacles && !collide_suspect(c, n, p.to))
        obstacles = 0;
    if (!obstacles && collide_inside(c, to))
        return FR_OK;
    for (int b = 0; b < obstacles; b++) {
        vec3 before = p.velocity;
        FR_TRY(collide_obstacle(c, b, &p, count));
        collide_load(c, part, b, before, p.velocity, p.to);
    }
    memcpy(to, (double[3]){p.to.x, p.to.y, p.to.z}, 3 * sizeof *to);
    memcpy(v, (double[3]){p.velocity.x, p.velocity.y, p.velocity.z}, 3 * sizeof *v);
    for (int a = 0; a < m->dims; a++)
        collide_side(c, n, a, from[a], &to[a], &v[a], count);
    collide_load(c, part, m->body_count - 1, p.velocity, vec3_of(v), p.to);
    return FR_OK;
}
