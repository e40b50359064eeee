/* The force on an obstacle is the momentum that the discrete equations of the faces lose to it, so that momentum is
   balanced: the forces on obstacles and sides add up to what drives the flow, less the growth of its momentum.

   Pressure acts on the closed part of a face. Where an obstacle sticks that is a whole face or none, as in the viscous
   solve; where it slips it is the closed share, as in the projection. In both sums the pressures inside cancel: only
   those of cells at the surface count.

   Friction is the viscous flux from a free face to the surface, μ A (u − u_wall)/(θh), acting where the grid line meets
   the surface. That is the stress of the Laplacian. The other half of the full stress, μ(∇u)ᵀn, is −μ ω×n on a body
   that turns with ω: no net force, but the torque −2μωV of a body of volume V.

   In a liquid the pressure of a cell beside an obstacle is not that on its surface: on a wall that stands still
   ∂p/∂n = ρ g·n. Together the ways from the centres to the surface make the volume by which the closed faces are too
   much for the obstacle, and its weight is added: then an obstacle feels the weight of the resting liquid that it
   displaces. An obstacle that reaches through a side of the domain has no liquid beyond it: there the pressure on its
   section is none, whatever stands in the cells inside. */
#include "mac/stage/drag.h"

#include <math.h>

typedef struct drag_job {
    const model *m;
    const state *s;
    fr_obstacle_load *loads;
    int axis; /* of the faces that are visited */
} drag_job;

/* Adds a force along the current axis. On periodic axes the lever arm is that to the nearest image of the body. */
static void drag_add(const drag_job *job, int obstacle, const double at[3], double force)
{
    const domain *d = &job->m->domain;
    fr_obstacle_load *load = &job->loads[obstacle];
    double arm[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++) {
        arm[a] = at[a] - load->position[a];
        arm[a] = d->periodic[a] ? remainder(arm[a], d->n[a] * d->h[a]) : arm[a];
    }
    int b = (job->axis + 1) % 3, c = (job->axis + 2) % 3;
    load->force[job->axis] += force;
    load->torque[b] += arm[c] * force;
    load->torque[c] -= arm[b] * force;
}

static diffusion_mark drag_mark(const drag_job *job, const int at[3])
{
    const field *u = &job->s->velocity[job->axis];
    return (diffusion_mark)job->s->solids.face_marks[job->axis][field_row(u, at[1], at[2]) + at[0] - u->block];
}

static void drag_position(const drag_job *job, const int at[3], double position[3])
{
    const field *u = &job->s->velocity[job->axis];
    model_position(&job->m->domain, u, (int32_t)field_offset(u, at[0], at[1], at[2]), position);
}

/* Faces on the sides belong to the walls, and the two ends of a periodic axis are one face. */
static bool drag_is_inside(const drag_job *job, const int at[3])
{
    const domain *d = &job->m->domain;
    int a = job->axis;
    return at[a] < d->n[a] && (at[a] > 0 || d->periodic[a]);
}

/* Whether an obstacle that reaches through a side would be cut off there: in a liquid. */
static bool drag_is_section(const drag_job *job, const int at[3])
{
    return job->s->surface && !job->m->domain.periodic[job->axis] && !drag_is_inside(job, at);
}

/* The share of a face where pressure acts on the liquid beyond, and not on the obstacle. Faces on the sides stick
   whether there is an obstacle or not. */
static double drag_open(const drag_job *job, const int at[3], int obstacle)
{
    bool sticks = job->m->viscous && job->m->obstacles[obstacle].no_slip && !drag_is_section(job, at);
    return sticks ? drag_mark(job, at) != DIFFUSION_FIXED
                  : field_row(&job->s->solids.open[job->axis], at[1], at[2])[at[0]];
}

static void drag_pressure(const drag_job *job, const int at[3], int obstacle)
{
    const domain *d = &job->m->domain;
    const field *p = &job->s->pressure;
    double flows = drag_open(job, at, obstacle);
    if (flows == 1)
        return;
    const float *above = field_row(p, at[1], at[2]) + at[0];
    double area = domain_cell_volume(d) / d->h[job->axis], position[3];
    double low = (double)above[-p->stride[job->axis]], high = (double)above[0];
    if (drag_is_section(job, at))
        *(at[job->axis] == 0 ? &low : &high) = 0;
    drag_position(job, at, position);
    drag_add(job, obstacle, position, (1 - flows) * area * (low - high));
}

/* Friction between a face that sticks and its neighbour along axis b, if that one is free. */
static void drag_friction(const drag_job *job, const int at[3], int obstacle, int b, int end)
{
    const domain *d = &job->m->domain;
    const field *u = &job->s->velocity[job->axis];
    int next[3] = {at[0], at[1], at[2]};
    next[b] += end ? 1 : -1;
    if (d->periodic[b])
        next[b] = (next[b] + d->n[b]) % d->n[b];
    if (next[b] < 0 || next[b] >= u->size[b] || !drag_is_inside(job, next) || drag_mark(job, next) == DIFFUSION_FIXED)
        return;
    double reach = diffusion_reach(&job->s->solids.distance, job->axis, next, at), position[3];
    double shift = end ? 1 - reach : reach - 1;
    drag_position(job, at, position);
    position[b] += shift * d->h[b];
    double conductance =
        job->m->fluid.density * job->m->fluid.viscosity * domain_cell_volume(d) / (d->h[b] * d->h[b] * reach);
    double wall = solids_wall_beside(&job->s->solids, job->axis, at, b, shift);
    drag_add(job, obstacle, position, conductance * (field_row(u, next[1], next[2])[next[0]] - wall));
}

static void drag_face(const drag_job *job, const int at[3], bool stuck)
{
    int obstacle = solids_owner(&job->s->solids, &job->m->domain, &job->s->velocity[job->axis], at);
    if (obstacle >= job->m->obstacle_count)
        return; /* a rigid body */
    drag_pressure(job, at, obstacle);
    for (int link = 0; link < 2 * job->m->domain.dims && stuck && job->m->viscous; link++)
        drag_friction(job, at, obstacle, link / 2, link % 2);
}

/* Few faces are at obstacles: the others are passed over a row at a time. */
static void drag_faces(const drag_job *job)
{
    const field *u = &job->s->velocity[job->axis];
    for (int k = 0; k < u->size[2]; k++)
        for (int j = 0; j < u->size[1]; j++) {
            const float *open = field_row(&job->s->solids.open[job->axis], j, k);
            const unsigned char *marks = job->s->solids.face_marks[job->axis] + (field_row(u, j, k) - u->block);
            for (int i = 0; i < u->size[0]; i++) {
                const int at[3] = {i, j, k};
                bool stuck = marks[i] == DIFFUSION_FIXED;
                if ((stuck || open[i] != 1) && drag_is_inside(job, at))
                    drag_face(job, at, stuck);
                else if (open[i] != 1 && drag_is_section(job, at))
                    drag_face(job, at, false);
            }
        }
}

/* How much more of a cell its faces across the current axis close than the obstacle fills. */
static double drag_surplus(const drag_job *job, const int cell[3], int obstacle)
{
    double closed = 1 - field_row(&job->s->solids.volume, cell[1], cell[2])[cell[0]], sum = 0;
    for (int end = 0; end < 2; end++) {
        int face[3] = {cell[0], cell[1], cell[2]};
        face[job->axis] += end;
        if (job->m->domain.periodic[job->axis])
            face[job->axis] %= job->m->domain.n[job->axis];
        if (drag_is_inside(job, face) || drag_is_section(job, face))
            sum += 1 - drag_open(job, face, obstacle) - closed;
    }
    return sum / 2;
}

static void drag_add_weight(const drag_job *job, double weight)
{
    const domain *d = &job->m->domain;
    const field *phi = job->s->surface;
    for (int k = 0; k < phi->size[2]; k++)
        for (int j = 0; j < phi->size[1]; j++)
            for (int i = 0; i < phi->size[0]; i++) {
                const float *at = field_row(phi, j, k) + i;
                int obstacle = job->s->solids.owner[at - phi->block];
                if (obstacle >= job->m->obstacle_count)
                    continue;
                double surplus = *at < 0 ? drag_surplus(job, (int[3]){i, j, k}, obstacle) : 0, position[3];
                if (surplus == 0)
                    continue;
                model_position(d, phi, (int32_t)field_offset(phi, i, j, k), position);
                drag_add(job, obstacle, position, weight * surplus);
            }
}

/* The torque that the stress of the Laplacian leaves out. */
static void drag_add_spin(const model *m, const state *s, fr_obstacle_load *loads)
{
    const field *distance = &s->solids.distance;
    for (int k = 0; k < distance->size[2]; k++)
        for (int j = 0; j < distance->size[1]; j++)
            for (int i = 0; i < distance->size[0]; i++) {
                const float *at = field_row(distance, j, k) + i;
                int owner = s->solids.owner[at - distance->block];
                const body *body = &s->bodies.of[owner];
                if (owner >= m->obstacle_count || !s->solids.bodies[owner].moves || !m->obstacles[owner].no_slip)
                    continue;
                double closed = (1 - solids_open_volume(&m->domain, *at)) * domain_cell_volume(&m->domain);
                double factor = -2 * m->fluid.density * m->fluid.viscosity * closed;
                loads[owner].torque[0] += factor * body->motion.spin.x;
                loads[owner].torque[1] += factor * body->motion.spin.y;
                loads[owner].torque[2] += factor * body->motion.spin.z;
            }
}

void stage_drag(const model *m, const state *s, const double gravity[3], fr_obstacle_load *loads)
{
    double start = s->now.steps > 0 ? 0 : NAN;
    for (int o = 0; o < m->obstacle_count; o++) {
        loads[o] = (fr_obstacle_load){.force = {start, start, start}, .torque = {start, start, start}};
        for (int a = 0; a < 3; a++)
            loads[o].position[a] = s->bodies.of[o].motion.pose.at[a];
    }
    for (int a = 0; a < m->domain.dims; a++)
        drag_faces(&(drag_job){m, s, loads, a});
    for (int a = 0; a < m->domain.dims && s->surface; a++)
        if (gravity[a] != 0)
            drag_add_weight(&(drag_job){m, s, loads, a},
                            m->fluid.density * gravity[a] * domain_cell_volume(&m->domain));
    if (m->viscous && s->solids.moving)
        drag_add_spin(m, s, loads);
}
