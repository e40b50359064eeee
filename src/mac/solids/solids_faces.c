/* Distances → open faces, and how the walls on them move.

   The open share of a face comes from the signed distances at its corners (linear between them), so that a slope
   does not act like a staircase (fractional areas as in Batty, Bertails & Bridson 2007). What is thinner than a cell
   can slip between the corners: a face between two cell centres that are both outside is closed when the line
   between them meets the obstacle. Where obstacles are to be watertight, each face between two sides of a wall is
   closed (solids_ways.c). */
#include <math.h>
#include <string.h>

#include "mac/solids/solids_parts.h"

/* Faces with a smaller open share count as closed. The flow through a slit is faster by the inverse of its share: a
   slit of 1 % makes a jet a hundred times as fast as the flow around it, and the jet then grows. */
static const float LEAST_SHARE = 0.1f;

typedef struct faces_job {
    solids *s;
    int axis;
    double clear;             /* solids_clear; of solids_open_faces */
    fr_result result;
} faces_job;

/* Integral of a linear function g over the part of a segment of length 1 on which another one, f, is positive; from
   their ends. With g = 1 it is the share of that part. */
static double faces_segment(const double f[2], const double g[2])
{
    if (f[0] >= 0 && f[1] >= 0)
        return 0.5 * (g[0] + g[1]);
    if (f[0] < 0 && f[1] < 0)
        return 0;
    int end = f[0] >= 0 ? 0 : 1;
    double part = f[end] / (f[end] - f[1 - end]);
    return part * (g[end] + 0.5 * part * (g[1 - end] - g[end]));
}

/* The same over a triangle of area 1, from the corners. */
static double faces_triangle(const double f[3], const double g[3])
{
    double whole = (g[0] + g[1] + g[2]) / 3;
    int positive = (f[0] >= 0) + (f[1] >= 0) + (f[2] >= 0);
    if (positive == 0 || positive == 3)
        return positive ? whole : 0;
    bool alone = positive == 1;          /* the odd corner is the positive one */
    int odd = 0;
    while ((f[odd] >= 0) != alone)
        odd++;
    int next = (odd + 1) % 3, last = (odd + 2) % 3;
    double s = f[odd] / (f[odd] - f[next]), t = f[odd] / (f[odd] - f[last]);
    double corner = s * t * (g[odd] + (s * (g[next] - g[odd]) + t * (g[last] - g[odd])) / 3);
    return alone ? corner : whole - corner;
}

/* The same over a square: four triangles around its centre, so that no diagonal is preferred. */
static double faces_square(const double f[4], const double g[4])
{
    double centre[2] = {0.25 * (f[0] + f[1] + f[2] + f[3]), 0.25 * (g[0] + g[1] + g[2] + g[3])};
    double sum = 0;
    for (int e = 0; e < 4; e++) {
        int next = (e + 1) % 4;
        sum += faces_triangle((double[3]){f[e], f[next], centre[0]}, (double[3]){g[e], g[next], centre[1]});
    }
    return 0.25 * sum;
}

/* The same over the face across `axis` whose lowest corner is (i, j, k), f the distance there: over its open part. */
static double faces_integral(const solids *s, int axis, const int at[3], const double g[4])
{
    const field *c = &s->corner;
    const float *f = field_row(c, at[1], at[2]) + at[0];
    ptrdiff_t s1 = c->stride[axis == 0 ? 1 : 0], s2 = c->stride[axis == 2 ? 1 : 2];
    if (s->domain.dims == 2)
        return faces_segment((double[2]){f[0], f[s1]}, g);
    return faces_square((double[4]){f[0], f[s1], f[s1 + s2], f[s2]}, g);
}

static float faces_share(const solids *s, int axis, const int at[3])
{
    double share = faces_integral(s, axis, at, (double[4]){1, 1, 1, 1});
    return share < LEAST_SHARE ? 0 : (float)share;
}

/* Whether a cell's centre is inside while those of both neighbours along the axis are outside. */
static bool faces_is_slice(const solids *s, int axis, const int cell[3])
{
    const field *d = &s->distance;
    const float *at = field_row(d, cell[1], cell[2]) + cell[0];
    bool last = cell[axis] == s->domain.n[axis] - 1;
    return at[0] < 0 && at[-d->stride[axis]] >= 0 && !last && at[d->stride[axis]] >= 0;
}

/* Whether an obstacle thinner than a cell stands between the centres of the two cells of a face: the line between them
   meets it although both are outside, or the upper one lies in it and the flow would come out beyond. */
static fr_result faces_thin(const solids *s, int axis, const int cell[3], bool *meets)
{
    const field *d = &s->distance;
    const float *high = field_row(d, cell[1], cell[2]) + cell[0];
    const float *low = high - d->stride[axis];
    double reach = s->domain.h[axis];
    *meets = faces_is_slice(s, axis, cell);
    if (*low < 0 || *high < 0 || *low + *high >= reach)
        return FR_OK;
    double at[3];
    field_origin(d, &s->domain, at);
    for (int a = 0; a < s->domain.dims; a++)
        at[a] += cell[a] * s->domain.h[a];
    /* Steps as long as the distance allows. A distance that the scene gives may be too large: at most an eighth. */
    double gone = 0, distance = *high;
    while (distance >= 0 && gone < reach) {
        gone += fmin(fmax(distance, reach / 64), reach / 8);
        double point[3] = {at[0], at[1], at[2]};
        point[axis] -= fmin(gone, reach);
        FR_TRY(solids_distance_at(s, point, &distance));
    }
    *meets = *meets || distance < 0;
    return FR_OK;
}

/* The slope of the distance at a cell, m/m. */
static vec3 faces_slope(const solids *s, const int cell[3])
{
    const field *d = &s->distance;
    const float *at = field_row(d, cell[1], cell[2]) + cell[0];
    double slope[3] = {0, 0, 0};
    for (int a = 0; a < s->domain.dims; a++)
        slope[a] = ((double)at[d->stride[a]] - (double)at[-d->stride[a]]) / (2 * s->domain.h[a]);
    return vec3_of(slope);
}

/* The smallest distance within two cells of those of a face: how deep the body is there. At an edge of a box that is
   four cells thick it is more than one of them. */
static double faces_depth(const solids *s, const int low[3], const int high[3])
{
    const field *d = &s->distance;
    int from[3], to[3];
    float least = INFINITY;
    for (int a = 0; a < 3; a++) {
        from[a] = low[a] > 2 ? low[a] - 2 : 0;
        to[a] = high[a] + 2 < s->domain.n[a] ? high[a] + 2 : s->domain.n[a] - 1;
    }
    for (int k = from[2]; k <= to[2]; k++)
        for (int j = from[1]; j <= to[1]; j++)
            for (int i = from[0]; i <= to[0]; i++)
                least = fminf(least, field_row(d, j, k)[i]);
    return least;
}

/* Whether the two cells of a face may be on two sides of a body that is thin there. They are not where it is two cells
   thick, so that it covers some face on each way through it whole, and where what is nearest to them faces the same way
   for both. Slopes alone do not tell: where a wall meets a floor as thin as itself they are those of neither. */
static bool faces_are_apart(const solids *s, int axis, const int face[3])
{
    const int low[3] = {face[0] - (axis == 0), face[1] - (axis == 1), face[2] - (axis == 2)};
    for (int e = 0; e < s->domain.dims; e++)
        if (low[e] == 0 || face[e] == s->domain.n[e] - 1)
            return true; /* beyond the domain's sides distances are not known well enough */
    const vec3 a = faces_slope(s, low), b = faces_slope(s, face);
    const double lengths = vec3_length(a) * vec3_length(b);
    if (vec3_dot(a, b) < -0.25 * lengths || fmin(vec3_length(a), vec3_length(b)) < 0.5)
        return true;
    return faces_depth(s, low, face) > -s->domain.h[axis];
}

/* Whether a way leads through a face. Rigid bodies are always watertight; where they are thick the shares that they
   cover say all. */
static fr_result faces_join(const solids *s, int axis, const int face[3], bool *joins)
{
    const bool rigid = s->bodies[solids_owner(s, &s->domain, &s->open[axis], face)].shares != NULL;
    *joins = true;
    if (rigid && !faces_are_apart(s, axis, face))
        return FR_OK;
    if (rigid || s->sealed)
        return solids_joins(s, axis, face, joins);
    FR_TRY(faces_thin(s, axis, face, joins));
    *joins = !*joins;
    return FR_OK;
}

/* Closes a face that leads to the other side of a wall. */
static fr_result faces_seal(const solids *s, int axis, const int face[3], float *open)
{
    bool joins;
    FR_TRY(faces_join(s, axis, face, &joins));
    if (joins)
        return FR_OK;
    if (*open > 0 && s->rigid_count > 0)
        solids_give_face(s, axis, face, *open);
    *open = 0;
    if (s->sealed)
        s->sealed[field_row(&s->distance, face[1], face[2]) + face[0] - s->distance.block] |= (uint8_t)(1 << axis);
    return FR_OK;
}

static fr_result faces_open(const faces_job *job, int j, int k, const int span[2])
{
    const solids *s = job->s;
    int axis = job->axis;
    float *row = field_row(&s->open[axis], j, k);
    const float *high = field_row(&s->distance, j, k);
    for (int i = span[0]; i < span[1] && !solids_all_rigid(s); i++)
        row[i] = fminf(row[i], faces_share(s, axis, (int[3]){i, j, k}));
    solids_cover_faces(s, axis, (int[2]){j, k}, span, row);
    for (int i = span[0]; i < span[1]; i++) {
        int cell[3] = {i, j, k};
        if (cell[axis] == 0 || cell[axis] == s->domain.n[axis] ||
            solids_are_clear((double)high[i - s->distance.stride[axis]], (double)high[i], job->clear))
            continue;
        if (row[i] > 0 || s->sealed)
            FR_TRY(faces_seal(s, axis, cell, &row[i]));
    }
    return FR_OK;
}

static void faces_open_row(void *context, int j, int k, const int span[2])
{
    faces_job *job = context;
    if (faces_open(job, j, k, span) != FR_OK)
        job->result = FR_ERROR_INPUT;
}

/* The seals of a row of cells as the still obstacles alone have them. */
static void faces_restore_seals(const solids *s, int j, int k, const int span[2])
{
    ptrdiff_t row = field_row(&s->distance, j, k) - s->distance.block;
    for (int i = span[0]; i < span[1] && i < s->domain.n[0]; i++)
        s->sealed[row + i] = s->still.sealed ? s->still.sealed[row + i] : 0;
}

static void faces_restore_row(void *context, int j, int k, const int span[2])
{
    const faces_job *job = context;
    const solids *s = job->s;
    const field *open = &s->open[job->axis], *still = &s->still.open[job->axis];
    ptrdiff_t row = field_row(open, j, k) - open->block;
    for (int i = span[0]; i < span[1]; i++)
        open->block[row + i] = still->block ? still->block[row + i] : 1;
    if (job->axis == 0 && s->sealed && j < s->domain.n[1] && k < s->domain.n[2])
        faces_restore_seals(s, j, k, span);
    for (int i = span[0]; s->wall[job->axis].block && i < span[1]; i++)
        s->wall[job->axis].block[row + i] = 0;
}

void solids_restore_faces(solids *s, const region *r)
{
    for (int a = 0; a < s->domain.dims; a++) {
        faces_job job = {.s = s, .axis = a};
        region_for_rows(r, &s->open[a], true, faces_restore_row, &job);
    }
}

fr_result solids_open_faces(solids *s, const region *r)
{
    for (int a = 0; a < s->domain.dims; a++) {
        faces_job job = {s, a, solids_clear(&s->domain), FR_OK};
        region_for_rows(r, &s->open[a], solids_parallel(s), faces_open_row, &job);
        FR_TRY(job.result);
    }
    return FR_OK;
}

/* The two ends of a periodic axis are one face. */
static void faces_join_row(void *context, int j, int k, const int span[2])
{
    const faces_job *job = context;
    const domain *d = &job->s->domain;
    const field *open = &job->s->open[job->axis];
    int index[3] = {0, j, k};
    for (int i = span[0]; i < span[1]; i++) {
        index[0] = i;
        if (index[job->axis] != 0)
            continue;
        float *low = field_row(open, j, k) + i, *high = low + d->n[job->axis] * open->stride[job->axis];
        *low = *high = fminf(*low, *high);
    }
}

void solids_join_ends(solids *s, const region *r)
{
    for (int a = 0; a < s->domain.dims; a++) {
        faces_job job = {.s = s, .axis = a};
        if (s->domain.periodic[a])
            region_for_rows(r, &s->open[a], false, faces_join_row, &job);
    }
}

/* The cell that says which obstacle a sample belongs to, by block offset. */
static ptrdiff_t faces_owner_cell(const solids *s, const domain *d, const field *layout, const int at[3])
{
    int axis = field_axis(layout), cell[3] = {at[0], at[1], at[2]};
    if (axis >= 0) {
        const float *above = field_row(&s->distance, at[1], at[2]) + at[0];
        bool nearer = above[-s->distance.stride[axis]] < above[0];
        cell[axis] = at[axis] - (nearer || at[axis] == d->n[axis]);
        cell[axis] = cell[axis] >= 0 ? cell[axis] : d->periodic[axis] ? d->n[axis] - 1 : 0;
    }
    return field_row(&s->distance, cell[1], cell[2]) + cell[0] - s->distance.block;
}

uint16_t solids_owner(const solids *s, const domain *d, const field *layout, const int at[3])
{
    return s->owner[faces_owner_cell(s, d, layout, at)];
}

double solids_motion_along(const solids_body *body, int axis, vec3 at)
{
    vec3 v = motion_velocity(&body->motion, at);
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

double solids_wall_beside(const solids *s, int axis, const int face[3], int b, double shift)
{
    double at[3];
    field_origin(&s->open[axis], &s->domain, at);
    for (int a = 0; a < s->domain.dims; a++)
        at[a] += (face[a] + (a == b ? shift : 0)) * s->domain.h[a];
    return solids_motion_along(&s->bodies[solids_owner(s, &s->domain, &s->open[axis], face)], axis, vec3_of(at));
}

/* The mean velocity of a rigid body over the closed part of a face, `middle` the middle of the whole face. With the
   velocity at the middle instead, a body that turns would push more or less than its surface sweeps. */
static double faces_closed_mean(const solids *s, int axis, const int face[3], float open, const solids_body *body,
                                vec3 middle)
{
    double h[3] = {0, 0, 0}, g[4], sum = 0;
    for (int corner = 0; corner < 4; corner++) {
        int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
        h[first] = (corner == 1 || corner == 2 ? 0.5 : -0.5) * s->domain.h[first];
        h[second] = s->domain.dims == 2 ? 0 : (corner >= 2 ? 0.5 : -0.5) * s->domain.h[second];
        g[corner] = solids_motion_along(body, axis, vec3_add(middle, vec3_of(h)));
        sum += 0.25 * g[corner];
    }
    return (sum - faces_integral(s, axis, face, g)) / (1 - (double)open);
}

/* The mean over all that closes a face in which rigid bodies have a part: `share` of it, which moves with moved/share;
   the rest is closed by the nearest of the others. */
static double faces_shared_mean(const solids *s, int axis, const int face[3], const double shares[2], vec3 middle)
{
    const ptrdiff_t cell = faces_owner_cell(s, &s->domain, &s->open[axis], face);
    const double closed = 1 - (double)field_row(&s->open[axis], face[1], face[2])[face[0]];
    const double rest = fmax(closed - shares[0], 0);
    if (closed <= 0)
        return solids_motion_along(&s->bodies[s->owner[cell]], axis, middle);
    return (shares[1] + (s->other ? rest * solids_motion_along(&s->bodies[s->other[cell]], axis, middle) : 0)) / closed;
}

/* A row of faces: what is open of them, and the distances above and below. */
typedef struct faces_row {
    const float *open, *above, *below;
} faces_row;

static faces_row faces_row_of(const solids *s, int axis, int j, int k)
{
    const float *above = field_row(&s->distance, j, k);
    return (faces_row){field_row(&s->open[axis], j, k), above, above - s->distance.stride[axis]};
}

/* Whether an obstacle cuts a face or holds its middle. */
static inline bool faces_is_walled(const faces_row *r, int i)
{
    return r->open[i] < 1 || 0.5f * (r->above[i] + r->below[i]) <= 0;
}

/* The part of a span of faces outside of which none is. */
static shares_run faces_walled(const faces_row *r, int axis, const int row[2], const int span[2])
{
    int low = span[0], high = span[1];
    while (low < high && !faces_is_walled(r, low))
        low++;
    while (high > low && !faces_is_walled(r, high - 1))
        high--;
    return (shares_run){axis, {row[0], row[1]}, low, high - low};
}

/* The velocity on a face that an obstacle cuts or whose middle it holds; `shares`: of rigid bodies, and that times
   their velocities. */
static double faces_wall(const solids *s, int axis, const int face[3], const double shares[2], vec3 middle)
{
    const float open = field_row(&s->open[axis], face[1], face[2])[face[0]];
    const solids_body *body = &s->bodies[solids_owner(s, &s->domain, &s->open[axis], face)];
    if (body->shares || shares[0] > 0)
        return faces_shared_mean(s, axis, face, shares, middle);
    if (body->moves && open > 0 && open < 1 && open == faces_share(s, axis, face))
        return faces_closed_mean(s, axis, face, open, body, middle);
    return solids_motion_along(body, axis, middle);
}

/* Along an axis a rigid motion has the same component on both faces of a cell: the net flux that it pushes out of a
   closed cell is 0 to the last bit. */
static void faces_wall_row(void *context, int j, int k, const int span[2])
{
    enum { PIECE = 256 };
    const faces_job *job = context;
    const solids *s = job->s;
    int axis = job->axis;
    float *wall = field_row(&s->wall[axis], j, k);
    const faces_row row = faces_row_of(s, axis, j, k);
    double at[3];
    field_origin(&s->open[axis], &s->domain, at);
    vec3 x = {0, at[1] + j * s->domain.h[1], s->domain.dims == 3 ? at[2] + k * s->domain.h[2] : 0};
    for (int first = span[0]; first < span[1]; first += PIECE) {
        const int end = span[1] - first < PIECE ? span[1] : first + PIECE;
        const shares_run run = faces_walled(&row, axis, (int[2]){j, k}, (int[2]){first, end});
        double share[PIECE], moved[PIECE];
        memset(wall + first, 0, (size_t)(end - first) * sizeof *wall);
        memset(share, 0, (size_t)run.count * sizeof *share);
        memset(moved, 0, (size_t)run.count * sizeof *moved);
        if (run.count > 0 && solids_add_shares(s, &run, share))
            solids_add_motion(s, &run, moved);
        for (int n = 0; n < run.count; n++) {
            const int face[3] = {run.first + n, j, k};
            if (!faces_is_walled(&row, face[0]))
                continue;
            x.x = at[0] + face[0] * s->domain.h[0];
            wall[face[0]] = (float)faces_wall(s, axis, face, (double[2]){share[n], moved[n]}, x);
        }
    }
}

void solids_set_walls(solids *s, const region *r)
{
    for (int a = 0; a < s->domain.dims; a++) {
        faces_job job = {.s = s, .axis = a};
        region_for_rows(r, &s->wall[a], true, faces_wall_row, &job);
    }
}
