#include "river/stage/ledger.h"

#include <math.h>

#include "base/threads.h"
#include "grid/operators.h"
#include "river/stage/sides.h"

/* World components at the centres; ghosts are filled only in the classic scheme, which stores them. */
static void ledger_centres(const river_model *m, river_state *s, field velocity[3])
{
    bool classic = m->scheme == FR_RIVER_CLASSIC;
    for (int a = 0; a < m->curve.domain.dims; a++) {
        velocity[a] = river_scratch(m, s, a, FR_AT_CELL);
        if (classic)
            field_copy(&velocity[a], &s->velocity[a]);
    }
    if (!classic)
        curve_velocity_on_cells(&m->curve, s->flux, velocity);
}

void stage_river_velocity(const river_model *m, river_state *s, field velocity[3])
{
    ledger_centres(m, s, velocity);
    if (m->scheme == FR_RIVER_FLUX)
        stage_river_sides_velocity(m, s, velocity);
}

void stage_river_blank(const river_model *m, field velocity[3])
{
    const int *n = m->curve.domain.n;
    for (int64_t cell = 0; m->solid && cell < domain_cells(&m->curve.domain); cell++)
        for (int a = 0; a < m->curve.domain.dims && m->solid[cell]; a++)
            velocity[a].data[field_offset(&velocity[a], (int)(cell % n[0]), (int)(cell / n[0] % n[1]),
                                          (int)(cell / n[0] / n[1]))] = 0;
}

typedef struct ledger_job {
    const river_model *m;
    const field *velocity, *scalar;
    double *partial[RIVER_PARTIALS];
} ledger_job;

static void ledger_flow_rows(void *context, int begin, int end)
{
    const ledger_job *job = context;
    const field *layout = &job->velocity[0];
    int dims = job->m->curve.domain.dims;
    for (int r = begin; r < end; r++) {
        int j = r % layout->size[1], k = r / layout->size[1];
        const float *volume = field_row(&job->m->curve.volume, j, k);
        double energy = 0, momentum[3] = {0, 0, 0};
        for (int i = 0; i < layout->size[0]; i++)
            for (int a = 0; a < dims && !river_solid(job->m, i, j, k); a++) {
                double u = field_row(&job->velocity[a], j, k)[i];
                energy += 0.5 * volume[i] * u * u;
                momentum[a] += volume[i] * u;
            }
        job->partial[0][r] = energy;
        for (int a = 0; a < 3; a++)
            job->partial[1 + a][r] = momentum[a];
    }
}

static void ledger_speed_rows(void *context, int begin, int end)
{
    const ledger_job *job = context;
    const field *v = job->velocity;
    int dims = job->m->curve.domain.dims;
    for (int r = begin; r < end; r++) {
        int j = r % v[0].size[1], k = r / v[0].size[1];
        const float *restrict u = field_row(&v[0], j, k), *restrict w = field_row(&v[1], j, k),
                              *restrict x = field_row(&v[dims - 1], j, k);
        float most = 0, third = dims == 3;
        for (int i = 0; i < v[0].size[0]; i++) {
            float square = u[i] * u[i] + w[i] * w[i] + third * x[i] * x[i];
            square = river_solid(job->m, i, j, k) ? 0 : square;
            most = square > most ? square : most;
        }
        job->partial[0][r] = sqrt((double)most);
    }
}

static void ledger_total_rows(void *context, int begin, int end)
{
    const ledger_job *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->scalar->size[1], k = r / job->scalar->size[1];
        const float *volume = field_row(&job->m->curve.volume, j, k), *q = field_row(job->scalar, j, k);
        double sum = 0;
        for (int i = 0; i < job->scalar->size[0]; i++)
            sum += river_solid(job->m, i, j, k) ? 0 : (double)volume[i] * q[i];
        job->partial[0][r] = sum;
    }
}

static ledger_job ledger_begin(const river_model *m, river_state *s)
{
    ledger_job job = {.m = m};
    for (int n = 0; n < RIVER_PARTIALS; n++)
        job.partial[n] = s->partial + n * field_rows(&m->curve.volume);
    return job;
}

river_ledger stage_river_ledger(const river_model *m, river_state *s, const field velocity[3])
{
    ledger_job job = ledger_begin(m, s);
    int rows = field_rows(&velocity[0]);
    double density = m->fluid.density;
    job.velocity = velocity;
    field_for_rows(&velocity[0], ledger_flow_rows, &job);
    river_ledger sums = {.kinetic_energy = density * threads_sum(job.partial[0], rows)};
    for (int a = 0; a < 3; a++)
        sums.momentum[a] = density * threads_sum(job.partial[1 + a], rows);
    return sums;
}

double stage_river_max_speed(const river_model *m, river_state *s)
{
    ledger_job job = ledger_begin(m, s);
    field velocity[3];
    ledger_centres(m, s, velocity);
    job.velocity = velocity;
    field_for_rows(&velocity[0], ledger_speed_rows, &job);
    return threads_max(job.partial[0], field_rows(&velocity[0]));
}

double stage_river_total(const river_model *m, river_state *s, const field *scalar)
{
    ledger_job job = ledger_begin(m, s);
    job.scalar = scalar;
    field_for_rows(scalar, ledger_total_rows, &job);
    return threads_sum(job.partial[0], field_rows(scalar));
}

/* The flux scheme has the fluxes on the side; the classic one uses the velocity of the cells next to it. */
double stage_river_through(const river_model *m, const river_state *s, int side)
{
    const river_frame f = river_frame_of(&m->curve.domain, side);
    int axis = f.axis, dims = m->curve.domain.dims;
    bool classic = m->scheme == FR_RIVER_CLASSIC;
    double sum = 0;
    for (int k = 0; k < f.n[1]; k++)
        for (int j = 0; j < f.n[0]; j++) {
            int cell[3], face[3];
            river_beside(&m->curve.domain, side, j, k, cell, face);
            bool closed = m->sides[side].gated && !stage_river_sides_lets_in(m, s, side, j + f.n[0] * k);
            if (closed || river_solid(m, cell[0], cell[1], cell[2]))
                continue;
            for (int a = 0; a < dims && classic; a++)
                sum += field_row(&s->velocity[a], cell[1], cell[2])[cell[0]] *
                       field_row(&m->curve.face[axis][a], face[1], face[2])[face[0]];
            if (!classic)
                sum += field_row(&s->flux[axis], face[1], face[2])[face[0]];
        }
    return side % 2 ? sum : -sum;
}

typedef struct ledger_divergence {
    const river_model *m;
    const field *velocity;   /* NULL: `out` already holds the net outflow of each cell */
    field *out;
} ledger_divergence;

/* Net flux out of a cell through its two faces across an axis, from velocities at the centres. */
static float ledger_outflow(const ledger_divergence *job, int axis, int i, int j, int k)
{
    const curve *c = &job->m->curve;
    float sum = 0;
    for (int a = 0; a < c->domain.dims; a++) {
        const field *v = &job->velocity[a], *face = &c->face[axis][a];
        ptrdiff_t here = field_offset(v, i, j, k), step = v->stride[axis], low = field_offset(face, i, j, k);
        sum += 0.5f * (face->data[low + face->stride[axis]] * (v->data[here] + v->data[here + step]) -
                       face->data[low] * (v->data[here - step] + v->data[here]));
    }
    return sum;
}

static void ledger_divergence_rows(void *context, int begin, int end)
{
    const ledger_divergence *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->out->size[1], k = r / job->out->size[1];
        float *to = field_row(job->out, j, k);
        const float *volume = field_row(&job->m->curve.volume, j, k);
        for (int i = 0; i < job->out->size[0]; i++) {
            float out = job->velocity ? 0 : to[i];
            for (int axis = 0; axis < job->m->curve.domain.dims && job->velocity; axis++)
                out += ledger_outflow(job, axis, i, j, k);
            to[i] = river_solid(job->m, i, j, k) ? 0 : out / volume[i];
        }
    }
}

void stage_river_divergence(const river_model *m, const field flow[3], field *out)
{
    bool fluxes = flow[0].at != FR_AT_CELL;
    if (fluxes)
        operators_divergence(&m->curve.domain, flow, NULL, out);
    field_for_rows(out, ledger_divergence_rows, &(ledger_divergence){m, fluxes ? NULL : flow, out});
}

typedef struct ledger_curl {
    const river_model *m;
    const field *velocity;
    field *out;
} ledger_curl;

/* Σ over the two faces across `axis`: (S × u)_c with S_a u_b − S_b u_a, outwards. */
static float ledger_curl_part(const ledger_curl *job, int axis, int a, int b, int i, int j, int k)
{
    const curve *c = &job->m->curve;
    const field *v = job->velocity;
    ptrdiff_t here = field_offset(&v[0], i, j, k), step = v[0].stride[axis];
    ptrdiff_t low = field_offset(&c->face[axis][0], i, j, k), high = low + c->face[axis][0].stride[axis];
    float ua[2] = {0.5f * (v[a].data[here - step] + v[a].data[here]),
                   0.5f * (v[a].data[here] + v[a].data[here + step])};
    float ub[2] = {0.5f * (v[b].data[here - step] + v[b].data[here]),
                   0.5f * (v[b].data[here] + v[b].data[here + step])};
    const float *sa = c->face[axis][a].data, *sb = c->face[axis][b].data;
    return (sa[high] * ub[1] - sb[high] * ua[1]) - (sa[low] * ub[0] - sb[low] * ua[0]);
}

static void ledger_curl_rows(void *context, int begin, int end)
{
    const ledger_curl *job = context;
    int dims = job->m->curve.domain.dims;
    for (int r = begin; r < end; r++) {
        int j = r % job->out->size[1], k = r / job->out->size[1];
        float *to = field_row(job->out, j, k);
        for (int i = 0; i < job->out->size[0]; i++) {
            float curl[3] = {0, 0, 0}, volume = field_row(&job->m->curve.volume, j, k)[i];
            for (int c = dims == 3 ? 0 : 2; c < 3; c++)
                for (int axis = 0; axis < dims; axis++)
                    curl[c] += ledger_curl_part(job, axis, (c + 1) % 3, (c + 2) % 3, i, j, k) / volume;
            to[i] = dims == 2 ? curl[2] : sqrtf(curl[0] * curl[0] + curl[1] * curl[1] + curl[2] * curl[2]);
            to[i] = river_solid(job->m, i, j, k) ? 0 : to[i];
        }
    }
}

void stage_river_vorticity(const river_model *m, const field velocity[3], field *out)
{
    field_for_rows(out, ledger_curl_rows, &(ledger_curl){m, velocity, out});
}
