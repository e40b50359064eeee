/* What a wall has passed over.

   A cell is on the side of its middle (solids_ways.c). When a wall moves, the middles of some cells come to its other
   side: what was in them has been pushed along, and belongs to where the wall has carried the old middle. In the frame
   of the wall nothing but the cell has moved: its old middle is seen there at pose · before⁻¹ of where it was, and the
   wall has passed if no way leads from there to the new one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mac/solids/solids_parts.h"

/* Where a body moves a point less than the distance there over this, it has not passed it: slopes of distances are at
   most 1, of those interpolated from a grid √3. */
static const double SWEEP_SLOPE = 1.75;

typedef struct sweep_job {
    solids *s;
    double reach; /* m: cells further from obstacles than this have not been passed */
    double deep;  /* m: as far inside there is nothing but obstacle in a cell */
    bool slopes;  /* of distances are known: no function gives them */
    fr_result result;
} sweep_job;

vec3 solids_carried(const solids_body *body, vec3 x)
{
    const pose *from = &body->before, *to = &body->motion.pose;
    vec3 off = vec3_sub(x, vec3_of(from->at));
    double own[3], in[3] = {off.x, off.y, off.z}, out[3];
    for (int a = 0; a < 3; a++)
        own[a] = from->turn[0][a] * in[0] + from->turn[1][a] * in[1] + from->turn[2][a] * in[2];
    for (int a = 0; a < 3; a++)
        out[a] = to->turn[a][0] * own[0] + to->turn[a][1] * own[1] + to->turn[a][2] * own[2];
    return vec3_add(vec3_of(out), vec3_of(to->at));
}

/* Where the body has carried the centre of a cell, and how far, m. */
static double sweep_centre(const solids *s, const solids_body *body, const int cell[3], double at[3])
{
    double centre[3] = {0, 0, 0};
    for (int a = 0; a < s->domain.dims; a++)
        centre[a] = s->domain.origin[a] + (cell[a] + 0.5) * s->domain.h[a];
    const vec3 carried = solids_carried(body, vec3_of(centre));
    at[0] = carried.x;
    at[1] = carried.y;
    at[2] = s->domain.dims == 3 ? carried.z : 0;
    return vec3_length(vec3_sub(vec3_of(at), vec3_of(centre)));
}

/* The middle that a cell had, from where its centre is by now; *inside: whether that was in the body. */
static fr_result sweep_old_middle(const solids *s, const solids_body *body, ways_point *p, bool *inside)
{
    double own;
    FR_TRY(solids_distance_at(s, p->at, &p->distance));
    own = p->distance;
    if (own < 0 && s->body_count > 1)
        FR_TRY(shape_distance(body->shape, p->at, &own));
    *inside = own < 0;
    return ways_leave(s, p);
}

/* Straight, or by way of the point between that is outside. */
static fr_result sweep_joined(const solids *s, const ways_point ends[2], bool *joined)
{
    ways_point third;
    FR_TRY(ways_straight(s, &ends[0], &ends[1], joined));
    if (*joined)
        return FR_OK;
    for (int a = 0; a < 3; a++)
        third.at[a] = 0.5 * (ends[0].at[a] + ends[1].at[a]);
    FR_TRY(solids_distance_at(s, third.at, &third.distance));
    FR_TRY(ways_leave(s, &third));
    return ways_over(s, ends, &third, joined);
}

/* Whether what is at a point may go to a cell: outside of obstacles, and on the same side. */
static fr_result sweep_accepts(const solids *s, const int cell[3], const ways_point *from, bool *yes)
{
    ways_point ends[2] = {*from};
    *yes = false;
    for (int a = 0; a < s->domain.dims; a++)
        if (cell[a] < 0 || cell[a] >= s->domain.n[a])
            return FR_OK;
    if (field_row(&s->distance, cell[1], cell[2])[cell[0]] < 0)
        return FR_OK;
    FR_TRY(ways_middle(s, cell, &ends[1]));
    return ways_straight(s, &ends[0], &ends[1], yes);
}

/* The cell around a point, or beside that, to which what is there may go; its place from `cell`. */
static fr_result sweep_target(const solids *s, const int cell[3], const ways_point *from, uint16_t *code)
{
    int home[3] = {0, 0, 0}, deep = s->domain.dims == 3;
    for (int a = 0; a < s->domain.dims; a++)
        home[a] = (int)floor((from->at[a] - s->domain.origin[a]) / s->domain.h[a]);
    for (int ring = 0; ring <= 3; ring++)
        for (int k = -deep; k <= deep; k++)
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    int to[3] = {home[0] + i, home[1] + j, home[2] + k}, off[3];
                    bool yes = abs(i) + abs(j) + abs(k) == ring;
                    for (int a = 0; a < 3; a++) {
                        off[a] = to[a] - cell[a];
                        yes = yes && abs(off[a]) <= SWEPT_REACH;
                    }
                    if (yes)
                        FR_TRY(sweep_accepts(s, to, from, &yes));
                    if (yes) {
                        *code = solids_swept_code(off);
                        return FR_OK;
                    }
                }
    *code = 0;
    return FR_OK;
}

/* Most cells need no search: far enough outside for what the body has moved there, or so deep inside that nothing can
   have been in them. */
static fr_result sweep_cell(const sweep_job *job, const int cell[3], uint16_t *mark)
{
    const solids *s = job->s;
    const float *distance = field_row(&s->distance, cell[1], cell[2]) + cell[0];
    const solids_body *body = &s->bodies[s->owner[distance - s->distance.block]];
    ways_point ends[2];
    bool inside, joined;
    *mark = 0;
    if (!body->moves || body->appears)
        return FR_OK;
    const double gone = SWEEP_SLOPE * sweep_centre(s, body, cell, ends[0].at);
    if (job->slopes && (double)*distance > gone)
        return FR_OK;
    if (job->slopes && (double)*distance < -job->deep - gone) {
        *mark = SWEPT_INSIDE;
        return FR_OK;
    }
    FR_TRY(sweep_old_middle(s, body, &ends[0], &inside));
    FR_TRY(ways_middle(s, cell, &ends[1]));
    FR_TRY(sweep_joined(s, ends, &joined));
    uint16_t code = 0;
    if (!joined)
        FR_TRY(sweep_target(s, cell, &ends[0], &code));
    *mark = (uint16_t)(code | (inside ? SWEPT_INSIDE : 0) | (joined ? 0 : SWEPT_PASSED));
    return FR_OK;
}

static void sweep_row(void *context, int j, int k, const int span[2])
{
    sweep_job *job = context;
    solids *s = job->s;
    const float *distance = field_row(&s->distance, j, k);
    uint16_t *marks = s->swept + (distance - s->distance.block);
    for (int i = span[0]; i < span[1] && job->result == FR_OK; i++) {
        marks[i] = 0;
        if (fabs(distance[i]) < job->reach && sweep_cell(job, (int[3]){i, j, k}, &marks[i]) != FR_OK)
            job->result = FR_ERROR_INPUT;
    }
}

fr_result solids_sweep(solids *s, const region *both)
{
    double square = 0;
    if (!s->swept)
        return FR_OK;
    for (int a = 0; a < s->domain.dims; a++)
        square += s->domain.h[a] * s->domain.h[a];
    /* a step takes a wall no further than a cell, and nothing of it is in cells further than half a diagonal */
    sweep_job job = {s, 1.5 * sqrt(square), solids_clear(&s->domain), solids_parallel(s), FR_OK};
    memset(s->swept, 0, s->distance.count * sizeof *s->swept);
    s->any_swept = true;
    region_for_rows(both, &s->distance, solids_parallel(s), sweep_row, &job);
    return job.result;
}
