/* The constraints that contacts and joints put on velocities, for others to keep to. */
#include <stdlib.h>
#include <string.h>

#include "rigid/islands.h"

static fr_result rows_push(rigid *r, const rigid_row *row)
{
    if (r->row_count == r->row_room) {
        const int room = r->row_room ? 2 * r->row_room : 64;
        rigid_row *more = realloc(r->rows, sizeof *more * (size_t)room);
        if (!more)
            return fr_fail(FR_ERROR_MEMORY, "out of memory for the constraints of bodies");
        r->rows = more;
        r->row_room = room;
    }
    r->rows[r->row_count++] = *row;
    return FR_OK;
}

/* The velocity of a body's point along a direction, and its spin, times a sign. */
static void row_part(double row[6], double sign, vec3 along, vec3 about)
{
    row[0] = sign * along.x;
    row[1] = sign * along.y;
    row[2] = sign * along.z;
    row[3] = sign * about.x;
    row[4] = sign * about.y;
    row[5] = sign * about.z;
}

/* That two points keep together along a direction. */
static void row_points(const rigid *r, rigid_row *row, vec3 at, vec3 along)
{
    for (int k = 0; k < 2; k++)
        if (row->body[k] >= 0) {
            const vec3 arm = vec3_sub(at, vec3_of(r->states[row->body[k]].position));
            row_part(row->row[k], k == 0 ? 1 : -1, along, vec3_cross(arm, along));
        }
}

/* That two bodies turn alike about a direction. */
static void row_turns(rigid_row *row, vec3 about)
{
    for (int k = 0; k < 2; k++)
        if (row->body[k] >= 0)
            row_part(row->row[k], k == 0 ? 1 : -1, (vec3){0, 0, 0}, about);
}

static fr_result rows_contacts(rigid *r, double reach)
{
    for (int i = 0; i < r->contacts.count; i++) {
        const contact *c = &r->contacts.of[i];
        rigid_row row = {.body = {c->body[0], c->body[1]}, .one_sided = true, .gap = fmax(c->gap, 0)};
        if (c->gap > reach)
            continue;
        row.bias = vec3_dot(c->normal, c->surface);
        row_points(r, &row, c->at, c->normal);
        FR_TRY(rows_push(r, &row));
    }
    return FR_OK;
}

/* Along or about the axis: a motor, or a limit within reach. A hinge's reach is that of the unit
   length, as an angle at the body's far end. */
static fr_result rows_axis(rigid *r, const joint *j, rigid_row row, double reach, double t)
{
    const bool hinge = j->def->kind == FR_JOINT_HINGE;
    const double at = joint_position(r, j), near = hinge ? reach / r->bodies[j->body[0]].radius : reach;
    const vec3 axis = joint_axis(r, j);
    double limits[2], speed;
    bool driven;
    FR_TRY(joint_motor(r, j, t, &driven, &speed));
    const bool limited = joint_limits(j, limits);
    const int end = limited && at <= limits[0] + near ? 1 : limited && at >= limits[1] - near ? -1 : 0;
    driven = driven && !(end != 0 && end * speed < 0);
    if (!driven && end == 0)
        return FR_OK;
    row.one_sided = !driven;
    row.bias = driven ? speed : 0;
    row.most = driven ? j->def->torque : 0;
    row.gap = driven ? 0 : fmax(end > 0 ? at - limits[0] : limits[1] - at, 0);
    const vec3 along = vec3_scale(axis, driven ? 1 : end);
    if (hinge)
        row_turns(&row, along);
    else
        row_points(r, &row, joint_anchor(r, j, 0), along);
    return rows_push(r, &row);
}

static fr_result rows_joint(rigid *r, const joint *j, double reach, double t)
{
    const bool flat = r->setup.dims == 2, slider = j->def->kind == FR_JOINT_SLIDER;
    const rigid_row start = {.body = {j->body[0], j->body[1]}};
    const vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, axis = joint_axis(r, j);
    const vec3 first = vec3_unit(fabs(axis.z) > 0.6 ? (vec3){axis.z, 0, -axis.x} : (vec3){-axis.y, axis.x, 0});
    const vec3 second = vec3_cross(axis, first), at = joint_anchor(r, j, 0);
    for (int k = 0; k < 3; k++) {
        rigid_row row = start;
        if (slider ? flat && k < 2 : flat && k == 2)
            continue;
        if (slider)
            row_turns(&row, unit[k]);
        else
            row_points(r, &row, at, unit[k]);
        FR_TRY(rows_push(r, &row));
    }
    for (int k = 0; k < 2 && j->def->kind != FR_JOINT_BALL; k++) {
        rigid_row row = start;
        if (flat && (!slider || k == 1))
            continue;
        if (slider)
            row_points(r, &row, at, k == 0 ? first : second);
        else
            row_turns(&row, k == 0 ? first : second);
        FR_TRY(rows_push(r, &row));
    }
    return j->def->kind == FR_JOINT_BALL ? FR_OK : rows_axis(r, j, start, reach, t);
}

fr_result rigid_constraints(rigid *r, double reach, double t, const rigid_row **rows, int *count)
{
    r->row_count = 0;
    FR_TRY(rigid_place_obstacles(r, t, t));
    for (int i = 0; i < r->setup.body_count + r->setup.obstacle_count; i++)
        r->solids[i].room = i < r->setup.body_count ? reach : 0;
    FR_TRY(near_find(r));
    FR_TRY(rows_contacts(r, reach));
    for (int i = 0; i < r->setup.joint_count; i++)
        if (joint_holds(r, &r->joints[i]))
            FR_TRY(rows_joint(r, &r->joints[i], reach, t));
    *rows = r->rows;
    *count = r->row_count;
    return FR_OK;
}
