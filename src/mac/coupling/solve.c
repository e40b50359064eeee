/* Bodies in the pressure: what they are to the system, and what it gives them. */
#include <math.h>
#include <string.h>

#include "mac/coupling/parts.h"

/* A step that changes its mind more often goes on with what it has: the world of bodies has the last word. */
static const int MOST_TURNS = 8;

static void solve_inverse(const coupling *c, int b, poisson_body *to)
{
    const double density = c->m->fluid.density;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            to->inverse[i][j] = density * (i >= 3 && j >= 3 ? c->fleet.inverse[b].inertia[i - 3][j - 3]
                                           : i == j         ? c->fleet.inverse[b].mass
                                                            : 0);
}

/* A ball's spin moves no fluid: what the grid makes of it is an error. In 2D bodies turn about z alone. */
static bool solve_counts(const coupling *c, int b, int freedom)
{
    static const bool flat[6] = {true, true, false, false, false, true};
    return (c->m->domain.dims == 3 || flat[freedom]) && (freedom < 3 || !fleet_is_ball(&c->m->bodies.of[b]));
}

static void solve_set_bodies(const coupling *c, const solids *s)
{
    for (int b = 0; b < c->fleet.count; b++) {
        const solids_push *push = solids_pushes(s, c->m->obstacle_count + b);
        c->pushed[b] = (poisson_body){.count = push->count, .cell = push->cell};
        for (int d = 0; d < 6; d++)
            c->pushed[b].push[d] = solve_counts(c, b, d) ? push->push[d] : NULL;
        solve_inverse(c, b, &c->pushed[b]);
    }
}

/* The rows that hold. Those for which there is no room do not: the world of bodies has the last word. */
static int solve_list_rows(coupling *c)
{
    int count = 0;
    for (int n = 0; n < c->fleet.rows.count; n++) {
        if (count == COUPLING_ROWS)
            constraints_set(&c->fleet.rows, n, false);
        if (!c->fleet.rows.holds[n])
            continue;
        memcpy(c->held[count].body, c->fleet.rows.row[n].body, sizeof c->held[count].body);
        memcpy(c->held[count].row, c->fleet.rows.row[n].row, sizeof c->held[count].row);
        count++;
    }
    return count;
}

fr_result coupling_reserve(const model *m, state *s)
{
    coupling *c = s->coupling;
    int cells = 0;
    if (m->bodies.coupling != FR_COUPLING_MONOLITHIC || !s->projection)
        return FR_OK;
    for (int b = 0; b < c->fleet.count; b++)
        cells += solids_pushes(&s->solids, m->obstacle_count + b)->room;
    return projection_reserve_bodies(s->projection, c->fleet.count, cells, COUPLING_ROWS);
}

void coupling_show_walls(state *s)
{
    coupling *c = s->coupling;
    for (int b = 0; b < c->fleet.count; b++)
        for (int a = 0; a < 3; a++) {
            c->fleet.of[b].laid.velocity[a] = c->fleet.velocity[b].of[a];
            c->fleet.of[b].laid.spin[a] = c->fleet.velocity[b].of[3 + a];
        }
    coupling_lay(c, &s->bodies);
    solids_take_speeds(&s->solids, &s->bodies);
}

void coupling_bring(state *s)
{
    coupling *c = s->coupling;
    memcpy(c->fleet.velocity, c->fleet.free, sizeof *c->fleet.free * (size_t)c->fleet.count);
    constraints_keep(&c->fleet.rows, c->fleet.velocity);
    coupling_show_walls(s);
}

void coupling_join(const model *m, state *s)
{
    coupling *c = s->coupling;
    const int rows = solve_list_rows(c);
    coupling_bring(s);
    if (m->bodies.coupling != FR_COUPLING_MONOLITHIC || !c->fleet.stepping)
        return;
    if (c->turns > 0) {
        projection_set_rows(s->projection, c->held, rows);
        return;
    }
    solve_set_bodies(c, &s->solids);
    projection_set_bodies(s->projection, c->pushed, c->fleet.count, c->held, rows);
}

/* Velocities that would be without what holds the bodies. */
static void solve_find(const coupling *c, const projection *p, double dt, rigid_vector *impulse)
{
    for (int b = 0; b < c->fleet.count; b++) {
        projection_push(p, b, impulse->of);
        for (int d = 0; d < 6; d++)
            impulse->of[d] *= dt;
        const rigid_vector change = constraints_response(&c->fleet.inverse[b], impulse);
        for (int d = 0; d < 6; d++)
            c->fleet.velocity[b].of[d] = c->fleet.free[b].of[d] + change.of[d];
        impulse++;
    }
}

void coupling_press(const model *m, state *s, const field *pressure, double dt)
{
    coupling *c = s->coupling;
    const int n[2] = {m->domain.n[0], m->domain.n[1]};
    for (int b = 0; b < c->fleet.count && m->bodies.coupling == FR_COUPLING_MONOLITHIC; b++) {
        const solids_push *push = solids_pushes(&s->solids, m->obstacle_count + b);
        rigid_vector impulse = {{0}};
        for (int i = 0; i < push->count; i++) {
            const int cell = push->cell[i];
            const double p = (double)field_row(pressure, cell / n[0] % n[1], cell / n[0] / n[1])[cell % n[0]];
            for (int d = 0; d < 6; d++)
                impulse.of[d] += solve_counts(c, b, d) ? (double)push->push[d][i] * p * dt : 0;
        }
        fleet_give(&c->fleet, b, &impulse);
    }
}

bool coupling_take(const model *m, state *s, double dt)
{
    coupling *c = s->coupling;
    if (m->bodies.coupling != FR_COUPLING_MONOLITHIC || !c->fleet.stepping)
        return false;
    solve_find(c, s->projection, dt, c->last_impulse);
    constraints_keep(&c->fleet.rows, c->fleet.velocity);
    if (constraints_turn(&c->fleet.rows, c->fleet.velocity) && ++c->turns < MOST_TURNS)
        return true;
    c->turns = 0;
    for (int b = 0; b < c->fleet.count; b++)
        fleet_give(&c->fleet, b, &c->last_impulse[b]);
    coupling_show_walls(s);
    return false;
}
