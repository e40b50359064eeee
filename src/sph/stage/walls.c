#include "sph/stage/walls.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "method/motion.h"
#include "method/evaluate.h"
#include "sph/floating/floating.h"
#include "sph/pressure/brace.h"

static vec3 walls_turn(const pose *p, const float v[3])
{
    vec3 u = {v[0], v[1], v[2]};
    return (vec3){vec3_dot(vec3_of(p->turn[0]), u), vec3_dot(vec3_of(p->turn[1]), u), vec3_dot(vec3_of(p->turn[2]), u)};
}

static void walls_store(particle_vector to, vec3 v, double fourth)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
    to[3] = (float)fourth;
}

/* Moves the obstacles over a step, and the points that their torques are about. */
static fr_result walls_follow(const sph_model *m, sph_state *s, double from, double to)
{
    FR_TRY(bodies_move(&s->bodies, from, to));
    if (s->floating)
        sph_floating_lay(m, s);
    for (int b = 0; b < m->given_count; b++) {
        const body *body = &s->bodies.of[b];
        if (body->moves)
            shape_place(s->solids[b], &body->motion.pose);
        memcpy(s->loads[b].position, body->motion.begin.at, sizeof s->loads[b].position);
    }
    return FR_OK;
}

/* The points of one body, the first of them number `first`, as it stands and moves. */
static void walls_place_body(const sph_model *m, const sph_body *body, int64_t first, const motion *moves, sph_walls *w)
{
    for (int64_t k = 0; k < body->shell.count; k++) {
        vec3 x = vec3_add(walls_turn(&moves->pose, body->shell.position[k]), vec3_of(moves->pose.at));
        walls_store(w->unsorted.position[first + k], x, 0);
        walls_store(w->unsorted.velocity[first + k], motion_velocity(moves, x), 0);
        walls_store(w->unsorted.normal[first + k], walls_turn(&moves->pose, body->shell.normal[k]),
                    (body->shell.layer[k] + 0.5) * m->spacing);
    }
}

/* The points of all bodies. */
static void walls_place(const sph_model *m, sph_state *s)
{
    int64_t first = 0;
    for (int b = 0; b < m->body_count; b++) {
        const sph_body *body = &m->bodies[b];
        motion moves = {.pose = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        if (body->moves) {
            moves = s->bodies.of[b].motion;
            moves.pose = moves.begin;
        }
        walls_place_body(m, body, first, &moves, &s->walls);
        first += body->shell.count;
    }
}

/* Sides may slide in their own plane, as a lid does. */
static fr_result walls_slide(const sph_model *m, double t, sph_walls *w)
{
    for (int64_t n = w->count - m->bodies[m->body_count - 1].shell.count; n < w->count; n++) {
        const fr_wall_def *wall = &m->walls[sph_walls_side(w->unsorted.normal[n])];
        const float *x = w->unsorted.position[n];
        double velocity[3];
        memcpy(velocity, wall->velocity.value, sizeof velocity);
        if (wall->velocity.function)
            FR_TRY(wall->velocity.function(wall->velocity.context, (double[4]){x[0], x[1], x[2], t}, velocity));
        walls_store(w->unsorted.velocity[n], vec3_of(velocity), 0);
    }
    return FR_OK;
}

/* Whether all wall velocities are 0, as they were allocated: then they are not written, and their memory stays
   untouched. */
/* Whether some of the domain's sides are given a velocity. */
static bool walls_slide_at_all(const sph_model *m)
{
    bool slide = false;
    for (int side = 0; side < 2 * m->dims; side++) {
        const fr_vector *velocity = &m->walls[side].velocity;
        slide = slide || velocity->function || vec3_length(vec3_of(velocity->value)) > 0;
    }
    return slide;
}

static bool walls_stand(const sph_model *m, const sph_walls *w)
{
    return !w->moving && !walls_slide_at_all(m);
}

static void walls_sort(const sph_model *m, sph_walls *w)
{
    cells_sort(&w->cells, w->unsorted.position, w->count);
    cells_reorder(&w->cells, w->count, sizeof(float), w->unsorted.volume, w->volume);
    cells_reorder(&w->cells, w->count, sizeof(int32_t), w->unsorted.body, w->body);
    cells_reorder(&w->cells, w->count, sizeof(float), w->unsorted.grip, w->grip);
    cells_reorder(&w->cells, w->count, sizeof(float), w->unsorted.room, w->room);
    cells_reorder(&w->cells, w->count, sizeof(particle_vector), w->unsorted.normal, w->normal);
    if (!walls_stand(m, w))
        cells_reorder(&w->cells, w->count, sizeof(particle_vector), w->unsorted.velocity, w->velocity);
    for (int64_t n = 0; n < w->count; n++) {
        const float *x = w->unsorted.position[w->cells.order[n]];
        w->x[n] = x[0];
        w->y[n] = x[1];
        w->z[n] = x[2];
    }
}

static bool walls_change(const sph_model *m, const sph_walls *w)
{
    bool changes = w->moving;
    for (int side = 0; side < 2 * m->dims; side++)
        changes = changes || m->walls[side].velocity.function;
    return changes;
}

fr_result stage_sph_walls(const sph_model *m, sph_state *s, double from, double to)
{
    sph_walls *w = &s->walls;
    FR_TRY(walls_follow(m, s, from, to));
    if (w->placed && !walls_change(m, w))
        return FR_OK;
    walls_place(m, s);
    FR_TRY(walls_slide(m, from, w));
    walls_sort(m, w);
    s->near_known = false;
    if (w->press)
        FR_TRY(sph_brace_link(m, s));
    w->placed = true;
    if (!walls_change(m, w))
        sph_walls_forget(w);
    return FR_OK;
}

/* Sides that slide drag the liquid along. */
static fr_result walls_slide_speed(const sph_model *m, double t, double *speed)
{
    const shell *points = &m->bodies[m->body_count - 1].shell;
    for (int64_t k = 0; k < points->count; k++) {
        const fr_vector *velocity = &m->walls[sph_walls_side(points->normal[k])].velocity;
        const double at[3] = {points->position[k][0], points->position[k][1], points->position[k][2]};
        double own[3];
        FR_TRY(evaluate_vector(velocity, at, t, own));
        *speed = fmax(*speed, vec3_length(vec3_of(own)));
    }
    return FR_OK;
}

fr_result stage_sph_walls_speed(const sph_model *m, double from, double to, double *speed)
{
    *speed = 0;
    if (walls_slide_at_all(m))
        FR_TRY(walls_slide_speed(m, from, speed));
    for (int b = 0; b < m->body_count; b++) {
        double metres;
        if (!m->bodies[b].moves || (b >= m->given_count && b < m->obstacle_count))
            continue;
        FR_TRY(motion_travel(m->bodies[b].obstacle, shape_radius(m->bodies[b].shape), from, to, &metres));
        *speed = fmax(*speed, metres / (to - from));
    }
    return FR_OK;
}
