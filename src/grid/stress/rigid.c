/* Bodies of liquid in flight. Their rigid motions have no strain: the change of the velocity has no part in them, in
   the scalar product with W. So they are taken off every direction of search (deflation), which the cycle alone damps
   slowly: on coarse levels a body grows together with what is near.

   In samples and û, where strains are plain differences, a rotation in the plane of two axes a, b is
   û_a = −x_b, û_b = x_a. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "grid/stress/parts.h"

enum { RIGID_NONE = 0, RIGID_HELD = 1, RIGID_FIRST = 2 };

static const int rigid_planes[3][2] = {{0, 1}, {0, 2}, {1, 2}};

/* The label of a sample of the finest level. */
static uint8_t *rigid_label(const stress *s, const int fine[3])
{
    const stress_level *l = stress_label_level(s);
    int at[3] = {fine[0], fine[1], fine[2]};
    for (const stress_level *f = s->level; f < l; f++)
        for (int a = 0; a < 3; a++)
            at[a] = f->halves[a] ? at[a] / 2 : at[a];
    return &s->labels[(at[2] * l->n[1] + at[1]) * l->n[0] + at[0]];
}

static bool rigid_is_active(const stress_level *l, const int at[3])
{
    ptrdiff_t to = stress_offset(l, at);
    return l->mass.of[0][to] > 0 || l->mass.of[1][to] > 0 || l->mass.of[2][to] > 0;
}

/* Whether a sample lies on the rim of the grid, where sides hold the liquid or the grid begins anew. */
static bool rigid_on_rim(const stress_level *l, const int at[3])
{
    for (int a = 0; a < l->dims; a++)
        if (at[a] == 0 || at[a] >= l->cells[a] - 1)
            return true;
    return false;
}

/* The samples around one, itself included. */
typedef struct rigid_box {
    int low[3], high[3];
} rigid_box;

static rigid_box rigid_around(const stress_level *l, const int at[3])
{
    rigid_box box;
    for (int a = 0; a < 3; a++) {
        box.low[a] = at[a] > 0 ? at[a] - 1 : 0;
        box.high[a] = at[a] + 1 < l->n[a] ? at[a] + 1 : l->n[a] - 1;
    }
    return box;
}

/* Gives all active samples that hang together with one the same label; says whether none of them lies on the rim. */
static bool rigid_flood(stress *s, int start, uint8_t label)
{
    const stress_level *l = stress_label_level(s);
    int waiting = 0;
    bool inside = true;
    s->labels[start] = label;
    s->queue[waiting++] = start;
    while (waiting > 0) {
        int index = s->queue[--waiting];
        int at[3] = {index % l->n[0], index / l->n[0] % l->n[1], index / l->n[0] / l->n[1]}, to[3];
        inside = inside && !rigid_on_rim(l, at);
        rigid_box box = rigid_around(l, at);
        for (to[2] = box.low[2]; to[2] <= box.high[2]; to[2]++)
            for (to[1] = box.low[1]; to[1] <= box.high[1]; to[1]++)
                for (to[0] = box.low[0]; to[0] <= box.high[0]; to[0]++) {
                    int next = (to[2] * l->n[1] + to[1]) * l->n[0] + to[0];
                    if (s->labels[next] == RIGID_NONE && rigid_is_active(l, to)) {
                        s->labels[next] = label;
                        s->queue[waiting++] = next;
                    }
                }
    }
    return inside;
}

static void rigid_find(stress *s)
{
    const stress_level *l = stress_label_level(s);
    int count = l->n[0] * l->n[1] * l->n[2];
    memset(s->labels, RIGID_NONE, (size_t)count);
    s->body_count = 0;
    for (int i = 0; i < count; i++) {
        int at[3] = {i % l->n[0], i / l->n[0] % l->n[1], i / l->n[0] / l->n[1]};
        if (s->labels[i] != RIGID_NONE || !rigid_is_active(l, at))
            continue;
        bool room = s->body_count < STRESS_BODIES;
        bool inside = rigid_flood(s, i, room ? (uint8_t)(RIGID_FIRST + s->body_count) : RIGID_HELD);
        if (room)
            s->bodies[s->body_count++] = (stress_body){.free = inside};
    }
}

/* Bodies around a sample of the finest level are not free. */
static void rigid_hold_around(stress *s, const int at[3])
{
    rigid_box box = rigid_around(&s->level[0], at);
    int to[3];
    for (to[2] = box.low[2]; to[2] <= box.high[2]; to[2]++)
        for (to[1] = box.low[1]; to[1] <= box.high[1]; to[1]++)
            for (to[0] = box.low[0]; to[0] <= box.high[0]; to[0]++) {
                uint8_t label = *rigid_label(s, to);
                if (label >= RIGID_FIRST)
                    s->bodies[label - RIGID_FIRST].free = false;
            }
}

/* Whether a face is held and shares a strain with others, or hangs together with one of which the coarse level does not
   know. */
static bool rigid_holds(const stress *s, int a, const int at[3])
{
    const stress_level *l = &s->level[0];
    ptrdiff_t to = stress_offset(l, at);
    float mass = l->mass.of[a][to];
    return mass == STRESS_HELD ? stress_stiffness(l, a, to) > 0 : mass > 0 && *rigid_label(s, at) < RIGID_FIRST;
}

/* What is tied to a solid that contacts or joints hold is not free; nor are two bodies with a solid in both. */
static void rigid_hold_solids(stress *s)
{
    const stress_solids *solids = s->problem.solids;
    for (int r = 0; solids && r < solids->row_count; r++) {
        const stress_faces *row = &solids->faces[r];
        stress_tie *tie = &solids->ties->of[row->solid];
        const int body = *rigid_label(s, row->first) - RIGID_FIRST;
        if (!tie->wet)
            continue;
        tie->body = tie->body < 0 ? body : tie->body;
        if (tie->body < 0 || tie->body != body || solids->of[row->solid].held) {
            rigid_hold_around(s, row->first);
            if (tie->body >= 0)
                s->bodies[tie->body].free = false;
        }
    }
}

static void rigid_hold(stress *s)
{
    const stress_level *l = &s->level[0];
    int at[3];
    rigid_hold_solids(s);
    for (at[2] = 0; at[2] < l->n[2]; at[2]++)
        for (at[1] = 0; at[1] < l->n[1]; at[1]++)
            for (at[0] = 0; at[0] < l->n[0]; at[0]++)
                for (int a = 0; a < l->dims; a++)
                    if (rigid_holds(s, a, at))
                        rigid_hold_around(s, at);
}

/* The free body that a sample of the finest level belongs to; −1: none. */
static int rigid_body_at(const stress *s, const int at[3])
{
    int body = *rigid_label(s, at) - RIGID_FIRST;
    return body >= 0 && s->bodies[body].free ? body : -1;
}

/* Cuts a run into pieces of free bodies; false without room. */
static bool rigid_cut_run(stress *s, const stress_run *run)
{
    int last = -1;
    for (int i = 0; i < run->n; i++) {
        int at[3] = {run->first[0] + i, run->first[1], run->first[2]}, body = rigid_body_at(s, at);
        if (body >= 0 && body != last) {
            if (s->piece_count == s->most_pieces)
                return false;
            s->pieces[s->piece_count++] = (stress_piece){{{at[0], at[1], at[2]}, 0, run->at + i}, body, {0}};
        }
        if (body >= 0)
            s->pieces[s->piece_count - 1].run.n++;
        last = body;
    }
    return true;
}

/* Without room for all pieces there are none, and the cycle is on its own. */
static void rigid_cut(stress *s)
{
    const stress_level *l = &s->level[0];
    s->piece_count = 0;
    for (int r = 0; r < l->run_count; r++)
        if (!rigid_cut_run(s, &l->runs[r])) {
            s->piece_count = 0;
            return;
        }
}

/* Position of a face, in samples from the middle of its body. */
static void rigid_position(const stress *s, const stress_piece *piece, int a, double x[3])
{
    for (int b = 0; b < 3; b++)
        x[b] = piece->run.first[b] + (b == a ? 0 : 0.5) - s->bodies[piece->body].middle[b];
}

/* Adds Σ m v R over a component of a piece, for all modes R, from Σ m v and Σ m v i. */
static void rigid_add(const stress_level *l, int a, const double x[3], double sum, double moment, double out[6])
{
    double along[3] = {x[0] * sum + moment, x[1] * sum, x[2] * sum};
    out[a] += sum;
    for (int p = 0; p < 3 && l->coupled; p++) {
        if (rigid_planes[p][0] == a)
            out[3 + p] -= along[rigid_planes[p][1]];
        if (rigid_planes[p][1] == a)
            out[3 + p] += along[rigid_planes[p][0]];
    }
}

/* Adds a component of a piece to RᵀWR of its body. */
static void rigid_weigh_piece(stress *s, const stress_piece *piece, int a)
{
    const stress_level *l = &s->level[0];
    double x[3], c[6] = {0}, d[6] = {0}, sum[3] = {0};
    rigid_position(s, piece, a, x);
    rigid_add(l, a, x, 1, 0, c);
    rigid_add(l, a, x, 0, 1, d);
    for (int n = 0; n < piece->run.n; n++) {
        double mass = fmax(l->mass.of[a][piece->run.at + n], 0);
        sum[0] += mass;
        sum[1] += mass * n;
        sum[2] += mass * n * n;
    }
    six_add(s->bodies[piece->body].matrix, c, d, sum);
}

/* The middle of mass, so that the matrix is well conditioned. */
static void rigid_centre(stress *s)
{
    const stress_level *l = &s->level[0];
    for (int i = 0; i < s->piece_count; i++) {
        const stress_piece *piece = &s->pieces[i];
        stress_body *body = &s->bodies[piece->body];
        for (int b = 0; b < 3; b++)
            body->middle[b] += (double)piece->run.n * (piece->run.first[b] + 0.5 + (b == 0 ? 0.5 * piece->run.n : 0));
        body->mass += piece->run.n;
    }
    for (int i = 0; i < s->body_count; i++)
        for (int b = 0; b < 3; b++)
            s->bodies[i].middle[b] = b < l->dims ? s->bodies[i].middle[b] / fmax(s->bodies[i].mass, 1) : 0.5;
}

/* Of solids that belong to no body in flight nothing is known here. */
static void rigid_release_solids(stress *s)
{
    const stress_solids *solids = s->problem.solids;
    for (int i = 0; solids && i < solids->count; i++) {
        stress_tie *tie = &solids->ties->of[i];
        if (tie->body >= 0 && (s->piece_count == 0 || !s->bodies[tie->body].free))
            tie->body = -1;
    }
}

void stress_find_bodies(stress *s)
{
    rigid_find(s);
    rigid_hold(s);
    rigid_cut(s);
    rigid_release_solids(s);
    rigid_centre(s);
    for (int i = 0; i < s->piece_count; i++)
        for (int a = 0; a < s->block.dims; a++)
            rigid_weigh_piece(s, &s->pieces[i], a);
    stress_weigh_solids(s);
    for (int i = 0; i < s->body_count; i++)
        six_factor(s->bodies[i].matrix);
}

/* RᵀWx of each piece. */
static void rigid_measure(void *context, int begin, int end)
{
    const stress *s = context;
    const stress_level *l = &s->level[0];
    for (int i = begin; i < end; i++) {
        stress_piece *piece = &s->pieces[i];
        memset(piece->sum, 0, sizeof piece->sum);
        for (int a = 0; a < l->dims; a++) {
            const float *mass = l->mass.of[a] + piece->run.at, *v = l->x.of[a] + piece->run.at;
            double sum = 0, moment = 0, x[3];
            for (int n = 0; n < piece->run.n; n++) {
                double part = (double)mass[n] * v[n];
                sum += part;
                moment += part * n;
            }
            rigid_position(s, piece, a, x);
            rigid_add(l, a, x, sum, moment, piece->sum);
        }
    }
}

/* Takes the modes off. */
static void rigid_take(void *context, int begin, int end)
{
    const stress *s = context;
    const stress_level *l = &s->level[0];
    for (int i = begin; i < end; i++) {
        const stress_piece *piece = &s->pieces[i];
        const double *part = s->bodies[piece->body].part;
        for (int a = 0; a < l->dims; a++) {
            double x[3], value = part[a], slope = 0;
            rigid_position(s, piece, a, x);
            for (int p = 0; p < 3 && l->coupled; p++)
                for (int e = 0; e < 2; e++) {
                    int b = rigid_planes[p][1 - e];
                    if (rigid_planes[p][e] != a)
                        continue;
                    value += (e ? 1 : -1) * part[3 + p] * x[b];
                    slope += b == 0 ? (e ? 1 : -1) * part[3 + p] : 0;
                }
            const float *inverse = l->inverse.of[a] + piece->run.at;
            float *v = l->x.of[a] + piece->run.at;
            for (int n = 0; n < piece->run.n; n++)
                v[n] = inverse[n] > 0 ? (float)(v[n] - value - slope * n) : 0;
        }
    }
}

void stress_deflate(stress *s)
{
    if (s->piece_count == 0)
        return;
    threads_for_cost(s->piece_count, s->level[0].cells[0], rigid_measure, s);
    for (int i = 0; i < s->body_count; i++)
        memset(s->bodies[i].part, 0, sizeof s->bodies[i].part);
    for (int i = 0; i < s->piece_count; i++)
        for (int m = 0; m < 6; m++)
            s->bodies[s->pieces[i].body].part[m] += s->pieces[i].sum[m];
    stress_measure_solids(s);
    for (int i = 0; i < s->body_count; i++)
        six_solve(s->bodies[i].matrix, s->bodies[i].part);
    threads_for_cost(s->piece_count, s->level[0].cells[0], rigid_take, s);
    stress_take_solids(s);
}
