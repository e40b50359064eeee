/* Bodies in the pressure: what they are to the system, and what it gives them. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mac/coupling/parts.h"

/* A step that changes its mind more often goes on with what it has: the world of bodies has the last word. */
static const int MOST_TURNS = 8;

static void solve_inverse(const coupling *c, int b, poisson_body *to)
{
    const double density = c->m->fluid.density;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            to->inverse[i][j] = density * (i >= 3 && j >= 3  ? c->inverse[b].inertia[i - 3][j - 3]
                                           : i == j          ? c->inverse[b].mass
                                                             : 0);
}

/* A ball's spin moves no fluid: what the grid makes of it is an error. In 2D bodies turn about z alone. */
static bool solve_counts(const coupling *c, int b, int freedom)
{
    static const bool flat[6] = {true, true, false, false, false, true};
    return (c->m->domain.dims == 3 || flat[freedom]) && (freedom < 3 || !coupling_is_ball(&c->m->bodies.of[b]));
}

static void solve_set_bodies(const coupling *c, const solids *s)
{
    for (int b = 0; b < c->count; b++) {
        const solids_push *push = solids_pushes(s, c->m->obstacle_count + b);
        c->pushed[b] = (poisson_body){.count = push->count, .cell = push->cell};
        for (int d = 0; d < 6; d++)
            c->pushed[b].push[d] = solve_counts(c, b, d) ? push->push[d] : NULL;
        solve_inverse(c, b, &c->pushed[b]);
    }
}

static fr_result solve_set_rows(coupling *c, int *count)
{
    const rows *r = &c->rows;
    *count = 0;
    if (r->count > c->held_room) {
        memory_free(c->held);
        c->held_room = 0;
        if (!(c->held = MEMORY_NEW(poisson_row, 2 * r->count)))
            return FR_ERROR_MEMORY;
        c->held_room = 2 * r->count;
    }
    for (int n = 0; n < r->count; n++)
        if (r->holds[n]) {
            poisson_row *to = &c->held[(*count)++];
            memcpy(to->body, r->row[n].body, sizeof to->body);
            memcpy(to->row, r->row[n].row, sizeof to->row);
        }
    return FR_OK;
}

/* The walls move as the bodies do. */
static fr_result solve_show(state *s)
{
    coupling *c = s->coupling;
    bool changed;
    for (int b = 0; b < c->count; b++)
        for (int a = 0; a < 3; a++) {
            c->of[b].laid.velocity[a] = c->velocity[b].of[a];
            c->of[b].laid.spin[a] = c->velocity[b].of[3 + a];
        }
    coupling_lay(c, &s->bodies);
    return solids_move(&s->solids, &s->bodies, &changed);
}

fr_result coupling_join(const model *m, state *s)
{
    coupling *c = s->coupling;
    int count;
    memcpy(c->velocity, c->free, sizeof *c->free * (size_t)c->count);
    rows_keep(&c->rows, c->velocity);
    FR_TRY(solve_show(s));
    if (m->bodies.coupling != FR_COUPLING_MONOLITHIC)
        return FR_OK;
    FR_TRY(solve_set_rows(c, &count));
    solve_set_bodies(c, &s->solids);
    return projection_set_bodies(s->projection, c->pushed, c->count, c->held, count);
}

/* Velocities that would be without what holds the bodies. */
static void solve_find(const coupling *c, const projection *p, double dt, rows_vector *impulse)
{
    for (int b = 0; b < c->count; b++) {
        projection_push(p, b, impulse->of);
        for (int d = 0; d < 6; d++)
            impulse->of[d] *= dt;
        const rows_vector change = rows_response(&c->inverse[b], impulse);
        for (int d = 0; d < 6; d++)
            c->velocity[b].of[d] = c->free[b].of[d] + change.of[d];
        impulse++;
    }
}

static void solve_keep(coupling *c, double dt, bool whole)
{
    for (int b = 0; b < c->count; b++) {
        const rows_vector change = rows_response(&c->inverse[b], &c->last_impulse[b]);
        rigid_load *load = &c->next[b].load;
        for (int d = 0; d < 6; d++) {
            c->free[b].of[d] += change.of[d];
            c->impulse[b].of[d] += c->last_impulse[b].of[d];
        }
        for (int a = 0; a < 3; a++) {
            load->force[a] = (whole ? 0 : load->force[a]) + c->last_impulse[b].of[a] / dt;
            load->torque[a] = (whole ? 0 : load->torque[a]) + c->last_impulse[b].of[3 + a] / dt;
        }
    }
}

fr_result coupling_take(const model *m, state *s, double dt, bool whole, bool *again)
{
    coupling *c = s->coupling;
    *again = false;
    if (m->bodies.coupling != FR_COUPLING_MONOLITHIC)
        return FR_OK;
    solve_find(c, s->projection, dt, c->last_impulse);
    rows_keep(&c->rows, c->velocity);
    if (rows_turn(&c->rows, c->velocity) && ++c->turns < MOST_TURNS) {
        *again = true;
        return FR_OK;
    }
    solve_keep(c, dt, whole);
    return solve_show(s);
}
