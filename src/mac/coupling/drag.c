/* Bodies that stick to a viscous fluid: their momentum in the system of its viscosity (grid/stress/solids.h), and what
   that gives them.

   What holds bodies in the pressure holds them here too, as it was when that was solved: a contact that drag alone
   would open, or close, waits for the world of bodies at the end of the step. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mac/coupling/parts.h"
#include "rigid/quaternion.h"

static bool drag_is_felt(const model *m, int b)
{
    return !m->bodies.of[b].fixed && !m->bodies.of[b].free_slip;
}

bool coupling_sticks(const model *m)
{
    bool any = false;
    for (int b = 0; b < m->bodies.count; b++)
        any = any || drag_is_felt(m, b);
    return any && m->viscous && m->bodies.coupling == FR_COUPLING_MONOLITHIC;
}

/* Changes that respect what holds: the velocities of the step are the ones that do. */
static void drag_hold(void *context, stress_motion *change)
{
    coupling *c = context;
    rigid_vector *held = c->drag.held;
    for (int b = 0; b < c->fleet.count; b++)
        memcpy(held[b].of, change[b].of, sizeof held[b].of);
    constraints_project(&c->fleet.rows, held);
    for (int b = 0; b < c->fleet.count; b++)
        memcpy(change[b].of, held[b].of, sizeof held[b].of);
}

/* More rows of faces than a convex body of that radius holds, wherever it is. */
static double drag_rows(const model *m, double radius)
{
    const domain *d = &m->domain;
    double rows = d->dims;
    for (int a = 1; a < d->dims; a++)
        rows *= fmin(2 * radius / d->h[a] + 3, d->n[a] + 1);
    return rows;
}

fr_result drag_create(coupling *c)
{
    double rows = 0;
    c->drag.impulse = MEMORY_NEW(rigid_vector, c->fleet.count);
    c->drag.held = MEMORY_NEW(rigid_vector, c->fleet.count);
    if (!c->drag.impulse || !c->drag.held)
        return FR_ERROR_MEMORY;
    if (!coupling_sticks(c->m))
        return FR_OK;
    for (int b = 0; b < c->fleet.count; b++)
        rows += drag_is_felt(c->m, b) ? drag_rows(c->m, shape_radius(rigid_body_shape(c->fleet.world, b))) : 0;
    return stress_solids_create(c->fleet.count, (int)fmin(rows, 1e8), &c->drag.solids);
}

void drag_destroy(coupling *c)
{
    memory_free(c->drag.impulse);
    memory_free(c->drag.held);
    stress_solids_destroy(&c->drag.solids);
}

double drag_bytes(const model *m)
{
    return coupling_sticks(m) ? stress_solids_bytes(m->bodies.count, (int)drag_rows(m, INFINITY)) : 0;
}

/* R I Rᵀ: the inertia along the world's axes. */
static void drag_inertia(const coupling *c, int b, double inertia[3][3])
{
    const rigid_mass *mass = rigid_body_mass(c->fleet.world, b);
    double turn[3][3];
    quaternion_matrix(c->fleet.of[b].laid.rotation, turn);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            inertia[i][j] = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    inertia[i][j] += turn[i][k] * mass->inertia[k][l] * turn[j][l];
        }
}

/* Fixed and absent bodies have no mass and no faces here: nothing moves them. */
static void drag_weigh(const coupling *c, int b, stress_solid *to)
{
    const double density = c->m->fluid.density;
    const bool moves = c->fleet.inverse[b].mass > 0;
    *to = (stress_solid){.mass = moves ? rigid_body_mass(c->fleet.world, b)->mass / density : 0};
    drag_inertia(c, b, to->inertia);
    for (int a = 0; a < 3; a++) {
        to->centre[a] = c->fleet.of[b].laid.position[a];
        for (int i = 0; i < 3; i++)
            to->inertia[a][i] = moves ? to->inertia[a][i] / density : 0;
    }
    for (int d = 0; d < 6; d++)
        to->motion.of[d] = c->fleet.velocity[b].of[d];
}

typedef struct drag_search {
    const coupling *c;
    const state *s;
    int axis, body;
    stress_faces row; /* that is growing */
} drag_search;

static fr_result drag_end_row(drag_search *search, stress_solids *solids)
{
    fr_result result = search->row.count > 0 ? stress_solids_add(solids, &search->row) : FR_OK;
    search->row.count = 0;
    return result;
}

/* Whether a face is held by the body alone: faces on the sides belong to the walls, and the two ends of a periodic axis
   are one. */
static bool drag_holds(const coupling *c, const state *s, int body, int axis, const int at[3])
{
    const domain *d = &c->m->domain;
    const field *u = &s->next_velocity[axis];
    if (at[axis] >= d->n[axis] || (at[axis] == 0 && !d->periodic[axis]))
        return false;
    return s->solids.face_marks[axis][field_row(u, at[1], at[2]) + at[0] - u->block] == DIFFUSION_FIXED &&
           solids_owner(&s->solids, d, u, at) == c->m->obstacle_count + body;
}

/* Cells around a body: faces that it holds lie among theirs. */
static region_box drag_box(const coupling *c, const state *s, int body)
{
    double min[3], max[3];
    shape_bounds(s->solids.bodies[c->m->obstacle_count + body].shape, min, max);
    return region_around(&c->m->domain, min, max, 2);
}

static fr_result drag_list_faces(drag_search *search, const region_box *box, stress_solids *solids)
{
    const field *u = &search->s->next_velocity[search->axis];
    int at[3];
    for (at[2] = box->low[2]; at[2] <= box->high[2] && at[2] < u->size[2]; at[2]++)
        for (at[1] = box->low[1]; at[1] <= box->high[1] && at[1] < u->size[1]; at[1]++) {
            for (at[0] = box->low[0]; at[0] <= box->high[0] && at[0] < u->size[0]; at[0]++) {
                if (!drag_holds(search->c, search->s, search->body, search->axis, at))
                    FR_TRY(drag_end_row(search, solids));
                else if (search->row.count++ == 0)
                    search->row = (stress_faces){search->body, search->axis, {at[0], at[1], at[2]}, .count = 1};
            }
            FR_TRY(drag_end_row(search, solids));
        }
    return FR_OK;
}

static fr_result drag_list_body(const coupling *c, const state *s, int b, stress_solids *solids)
{
    const region_box box = drag_box(c, s, b);
    if (box.low[0] >= box.high[0])
        return FR_OK;
    for (int a = 0; a < c->m->domain.dims; a++)
        FR_TRY(drag_list_faces(&(drag_search){.c = c, .s = s, .axis = a, .body = b}, &box, solids));
    return FR_OK;
}

static void drag_set_rows(coupling *c, stress_solids *solids)
{
    solids->hold = NULL;
    solids->context = c;
    for (int n = 0; n < c->fleet.rows.count; n++)
        for (int side = 0; side < 2 && c->fleet.rows.holds[n]; side++)
            if (c->fleet.rows.row[n].body[side] >= 0) {
                solids->of[c->fleet.rows.row[n].body[side]].held = true;
                solids->hold = drag_hold;
            }
}

fr_result coupling_stick(const model *m, state *s, stress_solids **out)
{
    coupling *c = s->coupling;
    *out = NULL;
    if (!c || !coupling_sticks(m))
        return FR_OK;
    stress_solids *solids = *out = &c->drag.solids;
    solids->row_count = 0;
    for (int b = 0; b < c->fleet.count; b++) {
        drag_weigh(c, b, &solids->of[b]);
        if (solids->of[b].mass > 0 && drag_is_felt(c->m, b))
            FR_TRY(drag_list_body(c, s, b, solids));
    }
    drag_set_rows(c, solids);
    return FR_OK;
}

static void drag_take(coupling *c, int b, const rigid_vector *impulse)
{
    const rigid_vector change = constraints_response(&c->fleet.inverse[b], impulse);
    for (int d = 0; d < 6; d++) {
        c->drag.impulse[b].of[d] += impulse->of[d];
        c->fleet.free[b].of[d] += change.of[d];
    }
}

void coupling_feel(const model *m, state *s)
{
    coupling *c = s->coupling;
    if (!c || !coupling_sticks(m))
        return;
    for (int b = 0; b < c->fleet.count; b++) {
        const stress_solid *solid = &c->drag.solids.of[b];
        rigid_vector impulse;
        for (int d = 0; d < 6; d++) {
            impulse.of[d] = m->fluid.density * solid->gain.of[d];
            c->fleet.velocity[b].of[d] = solid->motion.of[d];
        }
        drag_take(c, b, &impulse);
    }
    coupling_show_walls(s);
}

void coupling_tell(const model *m, state *s)
{
    const coupling *c = s->coupling;
    for (int b = 0; c && coupling_sticks(m) && b < c->fleet.count; b++)
        for (int d = 0; d < 6; d++)
            c->drag.solids.of[b].motion.of[d] = c->fleet.velocity[b].of[d];
}
