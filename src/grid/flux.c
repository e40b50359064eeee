#include "grid/flux.h"

#include <math.h>

#include "base/threads.h"

enum { PIECE = 512 };    /* cells of a row at a time, so that the fluxes kept between rows stay in L1 cache */

typedef struct flux_job {
    const flux_flow *flow;
    const flux_step *step;
    double *partial;
} flux_job;

/* The limited slope δ, from the difference behind the upwind cell and the one across the face. */
static inline float flux_limited(float behind, float across)
{
    float a = fabsf(behind), b = fabsf(across), middle = fabsf(behind + 2 * across) * (1.0f / 6);
    float least = a < b ? a : b;
    float size = middle < least ? middle : least;
    return (behind > 0) == (across > 0) ? copysignf(size, across) : 0;
}

/* Volume flux in the positive direction through a row of n faces across an axis, in cells per second; 0 on closed
   sides. */
static void flux_through(const flux_flow *flow, int axis, const int face[3], int n, float *restrict out)
{
    const field *u = &flow->velocity[axis];
    ptrdiff_t at = field_offset(u, face[0], face[1], face[2]);
    const float *restrict velocity = u->data + at, *restrict open = flow->open ? flow->open[axis].data + at : NULL;
    float inverse = (float)(1 / flow->d->h[axis]);
    for (int i = 0; i < n; i++)
        out[i] = inverse * (open ? open[i] * velocity[i] : velocity[i]);
    for (int end = 0; end < 2; end++) {
        int side = end ? flow->d->n[axis] : 0, first = axis == 0 ? side - face[0] : 0, last = axis == 0 ? first : n - 1;
        bool here = axis == 0 ? first >= 0 && first < n : face[axis] == side;
        for (int i = first; here && flow->closed[2 * axis + end] && i <= last; i++)
            out[i] = 0;
    }
}

/* Index of a cell's upper neighbour along an axis, which is also that of its upper face. */
typedef struct flux_place {
    int at[3];
} flux_place;

static flux_place flux_above(const int cell[3], int axis)
{
    flux_place place = {{cell[0], cell[1], cell[2]}};
    place.at[axis]++;
    return place;
}

/* A row of faces across one axis. */
typedef struct flux_line {
    const float *phi;        /* the cells above the faces */
    const float *through, *open;
    ptrdiff_t back, back_face;
    float dt, origin;
    int n;
} flux_line;

/* λ (φ_f − origin). Where the face behind the upwind cell is closed, its slope is taken as 0. */
static inline void flux_faces(const flux_line *l, bool cut, float *restrict out)
{
    const float *restrict through = l->through, *restrict open = l->open, *restrict phi = l->phi;
    ptrdiff_t back = l->back, back_face = l->back_face;
    float dt = l->dt, origin = l->origin;
    for (int i = 0; i < l->n; i++) {
        bool upward = through[i] > 0;
        float low = phi[i - back], high = phi[i];
        float here = upward ? low : high, ahead = upward ? high : low;
        float behind = here - (upward ? phi[i - 2 * back] : phi[i + back]);
        if (cut)
            behind = (upward ? open[i - back_face] : open[i + back_face]) > 0 ? behind : 0;
        out[i] = dt * through[i] * (here + flux_limited(behind, ahead - here) - origin);
    }
}

/* The fluxes through a row of n faces across an axis. */
static void flux_row(const flux_job *job, int axis, const int face[3], int n, float *out)
{
    const field *phi = job->step->from, *open = job->flow->open ? &job->flow->open[axis] : NULL;
    float through[PIECE + 1];
    flux_through(job->flow, axis, face, n, through);
    flux_line line = {.phi = phi->data + field_offset(phi, face[0], face[1], face[2]),
                      .through = through,
                      .back = phi->stride[axis],
                      .dt = (float)job->step->dt,
                      .origin = job->step->origin,
                      .n = n};
    if (open) {
        line.open = open->data + field_offset(open, face[0], face[1], face[2]);
        line.back_face = open->stride[axis];
        flux_faces(&line, true, out);
    } else {
        flux_faces(&line, false, out);
    }
}

/* Subtracts φ Σλ from the change of cells that touch an obstacle (flux_flow.sweeps). */
static void flux_keep_swept(const flux_job *job, const int cell[3], int n, float *restrict change)
{
    const flux_flow *flow = job->flow;
    const float *restrict phi = job->step->from->data + field_offset(job->step->from, cell[0], cell[1], cell[2]);
    float low[PIECE], high[PIECE], gain[PIECE], least[PIECE], dt = (float)job->step->dt;
    for (int i = 0; i < n; i++) {
        gain[i] = 0;
        least[i] = 1;
    }
    for (int a = 0; a < flow->d->dims; a++) {
        const field *f = &flow->open[a];
        const float *restrict open = f->data + field_offset(f, cell[0], cell[1], cell[2]);
        flux_through(flow, a, cell, n, low);
        flux_through(flow, a, flux_above(cell, a).at, n, high);
        for (int i = 0; i < n; i++) {
            float smaller = open[i] < open[i + f->stride[a]] ? open[i] : open[i + f->stride[a]];
            least[i] = smaller < least[i] ? smaller : least[i];
            gain[i] += high[i] - low[i];
        }
    }
    for (int i = 0; i < n; i++)
        change[i] -= least[i] < 1 ? dt * gain[i] * (phi[i] - job->step->origin) : 0;
}

/* Tails of φ decay geometrically from cell to cell, down to subnormal numbers, which are a hundred times slower. */
static inline float flux_flush_tiny(float value, float origin)
{
    return fabsf(value - origin) < 1e-30f ? origin : value;
}

static void flux_update(const flux_job *job, const int cell[3], int n, const float *restrict change)
{
    const flux_step *step = job->step;
    ptrdiff_t at = field_offset(step->from, cell[0], cell[1], cell[2]);
    const float *restrict from = step->from->data + at, *start = step->start->data + at;
    float *to = step->to->data + at, mix = step->mix, origin = step->origin;
    if (job->flow->volume) {
        const float *restrict volume = job->flow->volume->data + at;
        for (int i = 0; i < n; i++) {
            float stepped = volume[i] > 0 ? from[i] - change[i] / volume[i] : from[i];
            to[i] = flux_flush_tiny(start[i] + mix * (stepped - start[i]), origin);
        }
    } else {
        for (int i = 0; i < n; i++)
            to[i] = flux_flush_tiny(start[i] + mix * (from[i] - change[i] - start[i]), origin);
    }
}

static inline void flux_add_difference(int n, const float *restrict high, const float *restrict low,
                                       float *restrict change)
{
    for (int i = 0; i < n; i++)
        change[i] += high[i] - low[i];
}

/* Rows [begin, end) of the cells [first, first + n) along x. Each row of fluxes along y is used by two rows of
   cells. */
static void flux_piece(const flux_job *job, int first, int n, int begin, int end)
{
    const domain *d = job->flow->d;
    float along[PIECE + 1], memory[2][PIECE], other[2][PIECE], change[PIECE];
    float *low = memory[0], *high = memory[1];
    for (int r = begin; r < end; r++) {
        int cell[3] = {first, r % d->n[1], r / d->n[1]};
        flux_row(job, 0, cell, n + 1, along);
        for (int i = 0; i < n; i++)
            change[i] = along[i + 1] - along[i];
        if (r == begin || cell[1] == 0)
            flux_row(job, 1, cell, n, low);
        flux_row(job, 1, flux_above(cell, 1).at, n, high);
        flux_add_difference(n, high, low, change);
        if (d->dims == 3) {
            flux_row(job, 2, cell, n, other[0]);
            flux_row(job, 2, flux_above(cell, 2).at, n, other[1]);
            flux_add_difference(n, other[1], other[0], change);
        }
        if (job->flow->sweeps)
            flux_keep_swept(job, cell, n, change);
        flux_update(job, cell, n, change);
        float *swap = low;
        low = high;
        high = swap;
    }
}

static void flux_advance_rows(void *context, int begin, int end)
{
    const flux_job *job = context;
    int n = job->flow->d->n[0];
    for (int first = 0; first < n; first += PIECE)
        flux_piece(job, first, n - first < PIECE ? n - first : PIECE, begin, end);
}

void flux_advance(const flux_flow *flow, const flux_step *step)
{
    flux_job job = {.flow = flow, .step = step};
    field_for_rows(step->from, flux_advance_rows, &job);
}

static void flux_rate_piece(const flux_flow *flow, const int cell[3], int n, float *most)
{
    float in[PIECE], out[PIECE], low[PIECE], high[PIECE];
    for (int i = 0; i < n; i++)
        in[i] = out[i] = 0;
    for (int a = 0; a < flow->d->dims; a++) {
        flux_through(flow, a, cell, n, low);
        flux_through(flow, a, flux_above(cell, a).at, n, high);
        for (int i = 0; i < n; i++) {
            in[i] += (low[i] > 0 ? low[i] : 0) + (high[i] < 0 ? -high[i] : 0);
            out[i] += (high[i] > 0 ? high[i] : 0) + (low[i] < 0 ? -low[i] : 0);
        }
    }
    const float *volume =
        flow->volume ? flow->volume->data + field_offset(flow->volume, cell[0], cell[1], cell[2]) : NULL;
    for (int i = 0; i < n; i++) {
        float larger = in[i] > out[i] ? in[i] : out[i];
        float rate = !volume ? 2 * larger : volume[i] > 0 ? 2 * larger / volume[i] : 0;
        *most = rate > *most ? rate : *most;
    }
}

static void flux_rate_rows(void *context, int begin, int end)
{
    const flux_job *job = context;
    const domain *d = job->flow->d;
    for (int r = begin; r < end; r++) {
        float most = 0;
        for (int first = 0; first < d->n[0]; first += PIECE)
            flux_rate_piece(job->flow, (int[3]){first, r % d->n[1], r / d->n[1]},
                            d->n[0] - first < PIECE ? d->n[0] - first : PIECE, &most);
        job->partial[r] = most;
    }
}

double flux_rate(const flux_flow *flow, double *partial)
{
    flux_job job = {.flow = flow, .partial = partial};
    int rows = flow->d->n[1] * flow->d->n[2];
    threads_for_cost(rows, flow->d->n[0], flux_rate_rows, &job);
    return threads_max(partial, rows);
}

/* Flux through one side. An inflow face carries its ghost's value, an outflow face that of the cell inside. */
static double flux_entered_side(const flux_flow *flow, const flux_step *step, int side)
{
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, face[3] = {0, 0, 0};
    ptrdiff_t back = step->from->stride[axis];
    double sum = 0;
    face[axis] = side % 2 ? flow->d->n[axis] : 0;
    for (face[c] = 0; face[c] < flow->d->n[c]; face[c]++)
        for (face[b] = 0; face[b] < flow->d->n[b]; face[b]++) {
            float through;
            flux_through(flow, axis, face, 1, &through);
            const float *above = step->from->data + field_offset(step->from, face[0], face[1], face[2]);
            double flux = step->dt * through * ((through > 0 ? above[-back] : *above) - step->origin);
            sum += side % 2 ? -flux : flux;
        }
    return sum;
}

double flux_entered(const flux_flow *flow, const flux_step *step)
{
    double sum = 0;
    for (int side = 0; side < 2 * flow->d->dims; side++)
        if (!flow->closed[side] && !flow->d->periodic[side / 2])
            sum += flux_entered_side(flow, step, side);
    return sum;
}
