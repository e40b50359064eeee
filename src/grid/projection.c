#include "grid/projection.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/wide.h"

/* Surfaces nearer to a centre than this many cells are taken to be this far away, so that 1/θ stays bounded. The
   pressure is off by LEAST_THETA h |∇p| there, and where a surface at rest passes through centres, wet ones beside dry
   ones, that sets the liquid in motion: up to 0.1 m/s with 1e-3, 3 mm/s with 1e-7, no more than rounding does with
   1e-9. The solver needs as many iterations with any of them. */
static const double LEAST_THETA = 1e-9;

struct projection {
    domain d;
    projection_geometry geometry;
    poisson *solver;
};

fr_result projection_create(const domain *d, bool surface, projection **out)
{
    *out = NULL;
    projection *p = MEMORY_NEW(projection, 1);
    if (!p)
        return FR_ERROR_MEMORY;
    p->d = *d;
    fr_result result = poisson_create(d, surface, &p->solver);
    if (result != FR_OK)
        projection_destroy(p);
    else
        *out = p;
    return result;
}

void projection_destroy(projection *p)
{
    if (p)
        poisson_destroy(p->solver);
    memory_free(p);
}

size_t projection_bytes(const domain *d, bool surface) { return sizeof(projection) + poisson_bytes(d, surface); }

/* A side's samples: `at` is the first one of a field, `step` leads along the side. */
typedef struct projection_side {
    int size[2];
    ptrdiff_t at, step[2];
} projection_side;

static projection_side projection_side_of(const field *f, int side)
{
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    return (projection_side){.size = {f->size[b], f->size[c]},
                             .at = side % 2 ? (f->size[axis] - 1) * f->stride[axis] : 0,
                             .step = {f->stride[b], f->stride[c]}};
}

static float *projection_side_at(const field *f, const projection_side *s, int j, int k)
{
    return f->data + s->at + j * s->step[0] + k * s->step[1];
}

static double projection_coefficient(const domain *d, int axis)
{
    return domain_cell_volume(d) / (d->h[axis] * d->h[axis]);
}

static void projection_add_open_side(const projection *p, int side, field *extra)
{
    int axis = side / 2;
    double coefficient = 2 * projection_coefficient(&p->d, axis);
    const field *open = p->geometry.open ? &p->geometry.open[axis] : NULL;
    projection_side cells = projection_side_of(extra, side), faces = open ? projection_side_of(open, side) : cells;
    for (int k = 0; k < cells.size[1]; k++)
        for (int j = 0; j < cells.size[0]; j++) {
            float share = open ? *projection_side_at(open, &faces, j, k) : 1;
            *projection_side_at(extra, &cells, j, k) += (float)coefficient * share;
        }
}

/* How many cells the surface is away from a centre in the liquid, towards one in the air. */
static double projection_theta(float liquid, float air)
{
    return fmax(LEAST_THETA, (double)liquid / ((double)liquid - (double)air));
}

/* Whether there are cells on both sides of a face, and it is open. */
static bool projection_joins(const projection *p, int axis, const int face[3], float *share)
{
    const field *open = p->geometry.open ? &p->geometry.open[axis] : NULL;
    bool inner = p->d.periodic[axis] || (face[axis] > 0 && face[axis] < p->d.n[axis]);
    *share = !inner ? 0 : open ? field_row(open, face[1], face[2])[face[0]] : 1;
    return *share > 0;
}

/* What ties a cell of the liquid to the surface through one of its faces; 0 where the liquid goes on. */
static double projection_tie(const projection *p, const int cell[3], int axis, int high)
{
    const field *surface = p->geometry.surface;
    const float *phi = field_row(surface, cell[1], cell[2]) + cell[0];
    float beyond = phi[(high ? 1 : -1) * surface->stride[axis]], share;
    int face[3] = {cell[0], cell[1], cell[2]};
    face[axis] += high;
    if (beyond < 0 || !projection_joins(p, axis, face, &share))
        return 0;
    return projection_coefficient(&p->d, axis) * (double)share / projection_theta(*phi, beyond);
}

typedef struct projection_job {
    const projection *p;
    field *to;
    const field *x;
    int axis;
    double factor;
    bool started;                 /* `to` holds something already */
} projection_job;

/* The bits of eight samples that lie in a row of which `left` are left. */
static unsigned projection_inside(int left)
{
    return left < WIDE ? (1u << left) - 1 : 0xffu;
}

/* Bits of the eight cells from φ on that are liquid beside air; of `left` of them at most. */
static unsigned projection_beside(const field *surface, const float *phi, int left)
{
    wide_mask air = {0};
    for (int a = 0; a < 3; a++)
        air |= (wide_load(phi - surface->stride[a]) >= 0) | (wide_load(phi + surface->stride[a]) >= 0);
    return wide_bits((wide_load(phi) < 0) & air) & projection_inside(left);
}

/* Adds what ties the liquid to its surface to the extras; cells of air take no part, and rows without liquid are left
   as they are. */
static void projection_tie_rows(void *context, int begin, int end)
{
    const projection_job *job = context;
    const field *surface = job->p->geometry.surface;
    const int n = job->to->size[0];
    for (int r = begin; r < end; r++) {
        int j = r % job->to->size[1], k = r / job->to->size[1], wet[2];
        field_negative_span(surface, j, k, wet);
        if (wet[0] == wet[1])
            continue;
        const float *restrict phi = field_row(surface, j, k);
        float *restrict extra = field_row(job->to, j, k);
        if (!job->started)
            memset(extra, 0, (size_t)n * sizeof(float));
        for (int i = 0; i < n && job->started; i++)
            extra[i] = phi[i] < 0 ? extra[i] : 0;
        for (int i = wet[0]; i < wet[1]; i += WIDE)
            for (unsigned beside = projection_beside(surface, phi + i, n - i); beside; beside &= beside - 1) {
                const int cell[3] = {i + __builtin_ctz(beside), j, k};
                for (int face = 0; face < 2 * job->p->d.dims; face++)
                    extra[cell[0]] += (float)projection_tie(job->p, cell, face / 2, face % 2);
            }
    }
}

void projection_build(projection *p, const projection_geometry *g, field *work)
{
    bool sides = false;
    p->geometry = *g;
    for (int side = 0; side < 2 * p->d.dims; side++)
        sides = sides || g->open_side[side];
    if (sides || !g->surface) /* otherwise the liquid's rows are cleared as they are filled, and others are not read */
        field_fill(work, 0);
    for (int side = 0; side < 2 * p->d.dims; side++)
        if (g->open_side[side])
            projection_add_open_side(p, side, work);
    if (g->surface)
        field_for_rows(work, projection_tie_rows, &(projection_job){.p = p, .to = work, .started = sides});
    poisson_operator op = {.extra = work, .outside = g->surface};
    for (int a = 0; a < p->d.dims; a++) {
        op.coefficient[a] = projection_coefficient(&p->d, a);
        op.weight[a] = g->open ? &g->open[a] : NULL;
    }
    poisson_set_operator(p->solver, &op);
}

fr_result projection_reserve_bodies(projection *p, int bodies, int cells, int rows)
{
    return poisson_reserve_bodies(p->solver, bodies, cells, rows);
}

size_t projection_bodies_bytes(const domain *d, int bodies, int cells, int rows)
{
    return poisson_bodies_bytes(d, bodies, cells, rows);
}

int projection_set_bodies(projection *p, const poisson_body *bodies, int count, const poisson_row *rows, int row_count)
{
    return poisson_set_bodies(p->solver, bodies, count, rows, row_count);
}

int projection_set_rows(projection *p, const poisson_row *rows, int count)
{
    return poisson_set_rows(p->solver, rows, count);
}

void projection_active(const projection *p, int j, int k, int span[2]) { poisson_active(p->solver, j, k, span); }

void projection_push(const projection *p, int body, double force[6]) { poisson_push(p->solver, body, force); }

solve_stats projection_solve(projection *p, const projection_task *task, field *x)
{
    if (task->goes_on)
        return poisson_solve_on(p->solver, task->b, x, task->limits);
    if (task->solver == PROJECTION_MULTIGRID)
        return poisson_solve_from(p->solver, task->guess, task->b, x, task->limits);
    if (!task->guess)
        field_fill(x, 0);
    else if (task->guess != x)
        field_copy(x, task->guess);
    return poisson_solve_cg(p->solver, task->b, x, task->limits);
}

/* The faces of a row that are on an open side: p = 0 there, half a cell from the centre, so the difference is ±2p. */
static void projection_correct_sides(const projection_job *job, int j, int k, float *u)
{
    const int *n = job->p->d.n, row[3] = {0, j, k};
    for (int high = 0; high < 2; high++) {
        const int side = high ? n[job->axis] : 0, off = job->axis == 0 ? 1 : n[0];
        if (!job->p->geometry.open_side[2 * job->axis + high] || (job->axis > 0 && row[job->axis] != side))
            continue;
        const float *x = field_row(job->x, j, k) - high * job->x->stride[job->axis];
        for (int i = job->axis == 0 ? side : 0, end = i + off; i < end; i++)
            u[i] += (float)(job->factor * (high ? -2 : 2) * x[i]);
    }
}

/* The difference of x across a face between liquid and air. Beyond the ends of a periodic axis x is read at the other
   end: its ghosts are not filled. */
static double projection_surface_difference(const projection_job *job, const int face[3])
{
    const field *surface = job->p->geometry.surface;
    int n = job->p->d.n[job->axis], at = face[job->axis];
    const float *phi = field_row(surface, face[1], face[2]) + face[0];
    const float *x = field_row(job->x, face[1], face[2]) + face[0];
    ptrdiff_t step = job->x->stride[job->axis];
    if (phi[0] < 0)
        return (double)x[at == n ? -n * step : 0] / projection_theta(phi[0], phi[-step]);
    return -(double)x[at == 0 ? (n - 1) * step : -step] / projection_theta(phi[-step], phi[0]);
}

/* The row that is row −1 or n of a periodic axis. */
static int projection_around(int row, int n) { return row < 0 ? n - 1 : row == n ? 0 : row; }

/* The faces [span[0], span[1]) of a row of faces that may have liquid on one side. */
static void projection_beside_liquid(const projection_job *job, int j, int k, int span[2])
{
    const int *n = job->p->d.n, first = job->axis == 0;
    const int row[2][2] = {{j - (job->axis == 1), k - (job->axis == 2)}, {j, k}};
    span[0] = job->to->size[0];
    span[1] = 0;
    for (int side = first; side < 2; side++) {
        int own[2];
        poisson_active(job->p->solver, projection_around(row[side][0], n[1]), projection_around(row[side][1], n[2]),
                       own);
        if (own[0] < own[1]) {
            span[0] = own[0] < span[0] ? own[0] : span[0];
            span[1] = own[1] > span[1] ? own[1] : span[1];
        }
    }
    if (job->axis == 0 && span[1] > 0)
        span[1]++;
    if (job->axis == 0 && job->p->d.periodic[0]) {
        span[0] = 0;
        span[1] = job->to->size[0];
    }
}

/* Faces [span[0], span[1]) between liquid and air. The difference is p itself, so its rounding to float is no more than
   that of the velocity. */
static void projection_correct_surface(const projection_job *job, int j, int k, const int span[2], float *u)
{
    const field *surface = job->p->geometry.surface;
    float share;
    const float *phi = field_row(surface, j, k), *below = phi - surface->stride[job->axis];
    fetch(phi + 2 * surface->stride[1] + span[0], (span[1] - span[0]) * (ptrdiff_t)sizeof *phi);
    fetch(field_row(job->x, j, k) + 2 * job->x->stride[1] + span[0], (span[1] - span[0]) * (ptrdiff_t)sizeof *phi);
    for (int i = span[0]; i < span[1]; i += WIDE) {
        unsigned crossed = wide_bits((wide_load(phi + i) < 0) ^ (wide_load(below + i) < 0));
        for (crossed &= projection_inside(span[1] - i); crossed; crossed &= crossed - 1) {
            const int face[3] = {i + __builtin_ctz(crossed), j, k};
            if (projection_joins(job->p, job->axis, face, &share))
                u[face[0]] += (float)(job->factor * projection_surface_difference(job, face));
        }
    }
}

typedef struct projection_correction {
    projection_job axis[3];
    const projection_rows *own;
} projection_correction;

static void projection_correct_row(const projection_correction *c, const projection_job *job, int j, int k)
{
    const projection_row row = {job->axis, j, k, field_row(job->to, j, k)};
    const bool surface = job->p->geometry.surface;
    int span[2];
    if (c->own && c->own->begin)
        c->own->begin(c->own->context, &row);
    if (surface)
        projection_beside_liquid(job, j, k, span);
    if (!surface || span[0] < span[1]) {
        poisson_add_gradient_row(job->p->solver, &(poisson_faces){job->axis, job->factor}, j, k, row.u);
        projection_correct_sides(job, j, k, row.u);
    }
    if (surface)
        projection_correct_surface(job, j, k, span, row.u);
    if (c->own && c->own->end)
        c->own->end(c->own->context, &row);
}

/* The faces below the cells of some rows, across all axes; behind the last cells there are faces as well. */
static void projection_correct_part(void *context, int begin, int end)
{
    const projection_correction *c = context;
    const domain *d = &c->axis[0].p->d;
    for (int r = begin; r < end; r++) {
        const int j = r % (d->n[1] + 1), k = r / (d->n[1] + 1);
        for (int a = 0; a < d->dims; a++)
            if (j < c->axis[a].to->size[1] && k < c->axis[a].to->size[2])
                projection_correct_row(c, &c->axis[a], j, k);
    }
}

void projection_correct_rows(projection *p, const projection_step *step, const projection_rows *own, field velocity[3])
{
    projection_correction c = {.own = own};
    poisson_ready_gradient(p->solver);
    for (int a = 0; a < p->d.dims; a++)
        c.axis[a] = (projection_job){
            .p = p, .to = &velocity[a], .x = step->x, .axis = a, .factor = -step->dt / (step->density * p->d.h[a])};
    const int planes = p->d.dims == 3 ? p->d.n[2] + 1 : 1;
    threads_for_cost((p->d.n[1] + 1) * planes, p->d.dims * p->d.n[0], projection_correct_part, &c);
}

void projection_correct(projection *p, const field *x, double dt, double density, field velocity[3])
{
    projection_correct_rows(p, &(projection_step){x, dt, density}, NULL, velocity);
}
