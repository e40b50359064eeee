/* The matrix must stay positive definite. At an edge half of the energy ½ w δ² of each face there stands against
   c ⟨δ_b⟩ ⟨δ_c⟩, so c² must not exceed the product of the smallest weights. Smooth grids stay far below this; where
   neighbours differ much, c is clamped. */
#include "grid/curve/weights.h"

#include "base/threads.h"
#include "base/vec.h"
#include "grid/halo.h"

typedef struct weights_job {
    const curve *c;
    const uint8_t *solid;
    tensor *t;
    int axis;
} weights_job;

static bool weights_solid(const weights_job *job, const int cell[3])
{
    const int *n = job->c->domain.n;
    return job->solid && job->solid[cell[0] + n[0] * (cell[1] + (ptrdiff_t)n[1] * cell[2])];
}

/* Whether the low face of a cell is open, or the high face of the last one. */
static bool weights_open(const weights_job *job, int axis, const int face[3])
{
    int n = job->c->domain.n[axis], at = face[axis];
    tensor_side side = job->t->sides[2 * axis + (at == n)];
    if ((at == 0 || at == n) && side == TENSOR_CLOSED)
        return false;
    int below[3] = {face[0], face[1], face[2]}, above[3] = {face[0], face[1], face[2]};
    below[axis] = at > 0 ? at - 1 : side == TENSOR_PERIODIC ? n - 1 : 0;
    above[axis] = at < n ? at : side == TENSOR_PERIODIC ? 0 : n - 1;
    return !weights_solid(job, below) && !weights_solid(job, above);
}

static vec3 weights_vector(const curve *c, int axis, ptrdiff_t at)
{
    const field *s = c->face[axis];
    return (vec3){s[0].data[at], s[1].data[at], c->domain.dims == 3 ? s[2].data[at] : 0};
}

static ptrdiff_t weights_offset(const field *f, const int at[3])
{
    return field_offset(f, at[0], at[1], at[2]);
}

static void weights_face_rows(void *context, int begin, int end)
{
    const weights_job *job = context;
    const field *w = &job->t->weight[job->axis], *inverse = &job->c->inverse[job->axis];
    for (int m = begin; m < end; m++)
        for (int i = 0; i < w->size[0]; i++) {
            int face[3] = {i, m % w->size[1], m / w->size[1]};
            ptrdiff_t at = weights_offset(w, face);
            vec3 s = weights_vector(job->c, job->axis, at);
            w->data[at] = weights_open(job, job->axis, face) ? (float)(vec3_dot(s, s) * inverse->data[at]) : 0;
        }
}

/* The faces across `axis` that touch an edge or a corner: below and above it along the axes in `around`. */
typedef struct weights_meeting {
    vec3 vector;             /* their mean S */
    int open;                /* number of open ones */
    double least;            /* smallest weight of those */
} weights_meeting;

static weights_meeting weights_meet(const weights_job *job, int axis, const int at[3], unsigned around)
{
    const field *w = &job->t->weight[axis];
    weights_meeting meeting = {.least = INFINITY};
    int count = 0;
    for (unsigned q = 0; q < 8; q++) {
        if (q & ~around)
            continue;
        ptrdiff_t face =
            weights_offset(w, (int[3]){at[0] - (int)(q & 1), at[1] - (int)(q >> 1 & 1), at[2] - (int)(q >> 2)});
        meeting.vector = vec3_add(meeting.vector, weights_vector(job->c, axis, face));
        count++;
        if (w->data[face] > 0) {
            meeting.open++;
            meeting.least = fmin(meeting.least, w->data[face]);
        }
    }
    meeting.vector = vec3_scale(meeting.vector, 1.0 / count);
    return meeting;
}

/* Mean volume of the cells around an edge. */
static double weights_volume(const curve *c, const int at[3], int b, int d)
{
    const float *j = c->volume.data + weights_offset(&c->volume, at);
    ptrdiff_t below = c->volume.stride[b], before = c->volume.stride[d];
    return 0.25 * (((double)j[0] + j[-below]) + ((double)j[-before] + j[-below - before]));
}

/* Whether two vectors are not perpendicular. */
static bool weights_lean(vec3 a, vec3 b)
{
    double product = vec3_dot(a, b);
    return product * product > 1e-10 * vec3_dot(a, a) * vec3_dot(b, b);
}

/* c of the edge along axis a at the low corner of a cell. At the corner of an obstacle one face of either kind is open,
   and tensor.h counts their product twice. In 2D the energy of the faces suffices for that. Where the third axis is
   skewed as well, each face also needs some of its energy for the edges along the other axis, so c is halved. */
static double weights_cross(const weights_job *job, int a, const int at[3])
{
    const double most = 0.999;
    int b = (a + 1) % 3, d = (a + 2) % 3;
    unsigned around = 1u << b | 1u << d;
    weights_meeting across_b = weights_meet(job, b, at, 1u << d), across_d = weights_meet(job, d, at, 1u << b);
    double volume = weights_volume(job->c, at, b, d), cross = vec3_dot(across_b.vector, across_d.vector) / volume;
    double limit = across_b.open && across_d.open ? most * sqrt(across_b.least * across_d.least) : 0;
    cross = clampd(cross, -limit, limit);
    bool owes = false;
    for (int high = 0; high < 2 && job->c->domain.dims == 3; high++) {
        int end[3] = {at[0], at[1], at[2]};
        end[a] += high;
        weights_meeting along = weights_meet(job, a, end, around);
        vec3 s = along.vector;
        owes = owes || weights_lean(across_b.vector, s) || weights_lean(across_d.vector, s);
        if (!along.open)
            cross -= 0.5 * vec3_dot(across_b.vector, s) * vec3_dot(across_d.vector, s) / (vec3_dot(s, s) * volume);
    }
    bool corner = across_b.open == 1 && across_d.open == 1;
    return corner && owes ? 0.5 * cross : cross;
}

/* Edges lie on both sides of the block: there is one row more than of cells. */
static void weights_edge_rows(void *context, int begin, int end)
{
    const weights_job *job = context;
    const field *cross = &job->t->cross[job->axis];
    const int *n = job->c->domain.n;
    int rows = n[1] + (job->axis != 1);
    for (int m = begin; m < end; m++)
        for (int i = 0; i < n[0] + (job->axis != 0); i++) {
            int edge[3] = {i, m % rows, m / rows};
            cross->data[weights_offset(cross, edge)] = (float)weights_cross(job, job->axis, edge);
        }
}

/* The part of |S^k|² that remains when the faces across one or two other axes there are closed. */
static double weights_remainder(vec3 s, const weights_meeting other[2])
{
    bool first = other[0].open == 0, second = other[1].open == 0;
    vec3 a = other[0].vector, b = other[1].vector, out = vec3_cross(a, b);
    if (first && second)
        return vec3_dot(s, out) * vec3_dot(s, out) / (vec3_dot(s, s) * vec3_dot(out, out));
    vec3 closed = first ? a : b;
    return first || second ? 1 - vec3_dot(s, closed) * vec3_dot(s, closed) / (vec3_dot(s, s) * vec3_dot(closed, closed))
                           : 1;
}

/* Mean over the four quarters of a face, each of which touches two of its edges; in 2D over its halves. */
static double weights_kept(const weights_job *job, const int face[3])
{
    int k = job->axis, dims = job->c->domain.dims;
    vec3 s = weights_vector(job->c, k, weights_offset(&job->t->weight[k], face));
    weights_meeting at_edge[3][2];
    for (int a = 0; a < dims; a++)
        for (int high = 0; high < 2 && a != k; high++) {
            int edge[3] = {face[0], face[1], face[2]};
            edge[a] += high;
            at_edge[a][high] = weights_meet(job, a, edge, 1u << k);
        }
    int b = (k + 1) % dims, d = (k + 2) % 3;
    const weights_meeting none = {.open = 1};
    double sum = 0;
    for (int q = 0; q < 4; q++)
        sum += weights_remainder(s, (weights_meeting[2]){at_edge[b][q & 1], dims == 3 ? at_edge[d][q >> 1] : none});
    return 0.25 * sum;
}

static void weights_close_rows(void *context, int begin, int end)
{
    const weights_job *job = context;
    const field *w = &job->t->weight[job->axis];
    for (int m = begin; m < end; m++)
        for (int i = 0; i < w->size[0]; i++) {
            int face[3] = {i, m % w->size[1], m / w->size[1]};
            ptrdiff_t at = weights_offset(w, face);
            if (w->data[at] > 0)
                w->data[at] *= (float)weights_kept(job, face);
        }
}

/* Fills the ghosts: there are no faces beyond sides. */
static void weights_fill(tensor *t, int k)
{
    halo_side sides[6];
    for (int side = 0; side < 6; side++)
        sides[side] = (halo_side){.kind = t->sides[side] == TENSOR_PERIODIC ? HALO_PERIODIC : HALO_BEYOND};
    halo_fill(&t->weight[k], &t->domain, sides);
}

void curve_weights(const curve *c, const uint8_t *solid, tensor *t)
{
    weights_job job = {c, solid, t, 0};
    int dims = c->domain.dims;
    const int *n = c->domain.n;
    for (job.axis = 0; job.axis < dims; job.axis++) {
        field_for_rows(&t->weight[job.axis], weights_face_rows, &job);
        weights_fill(t, job.axis);
    }
    for (job.axis = dims == 3 ? 0 : 2; job.axis < 3; job.axis++) {
        int rows = (n[1] + (job.axis != 1)) * (n[2] + (dims == 3 && job.axis != 2));
        threads_for_cost(rows, n[0], weights_edge_rows, &job);
    }
    for (job.axis = 0; job.axis < dims; job.axis++) {
        field_for_rows(&t->weight[job.axis], weights_close_rows, &job);
        weights_fill(t, job.axis);
    }
}
