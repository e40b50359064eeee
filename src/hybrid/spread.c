#include "hybrid/spread.h"

#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "base/wide.h"
#include "grid/halo.h"
#include "hybrid/density.h"
#include "hybrid/stay.h"

/* No parcel moves further at once, in cells: beyond, −∇q is no longer what the density asks for. */
static const float FARTHEST = 0.25f;

static const float SPRAY = 0.5f; /* less dense parcels near the surface are spray */
static const float DEEP = 1;     /* cells below the surface from which on there is none */

typedef struct spread_job {
    const spread *s;
    const parcels *p;
    const transfer *t;
    sums density;           /* parcels per cell */
    double *square, *cells; /* per row */
    double smallest;        /* m: smallest edge of a cell */
} spread_job;

static void spread_clear(const void *context, int begin, int end)
{
    const spread_job *job = context;
    sums_clear(&job->density, job->p->slow, begin, end);
}

/* Adds the parcels' weights to the eight centres around them. */
static void spread_add(const void *context, const slabs_group *group)
{
    const spread_job *job = context;
    density_layers layers;
    density_of(&job->density, group, &layers);
    for (unsigned lanes = group->lanes; lanes; lanes &= lanes - 1)
        density_add(&job->density, &layers, __builtin_ctz(lanes));
}

/* What trilinear weights see of a half space that ends at the distance d, in cells. */
static wide spread_full(wide d)
{
    const wide size = wide_max(d, -d), beyond = 1 - wide_min(size, wide_all(1)), less = 0.5f * beyond * beyond;
    return wide_choose(d > 0, less, 1 - less);
}

/* ρ − ρ₀ of cells, phi and solid being their distances in cells. */
static wide spread_excess(wide density, wide phi, wide solid)
{
    const wide full = spread_full(phi) * spread_full(-solid);
    const wide_mask spray = (phi > -DEEP) & (density < SPRAY * full);
    return wide_keep(~spray, density - full);
}

/* Eight samples, or the `left` of them that are in the row and zeros. */
static wide spread_load(const float *from, int left)
{
    wide v = {0};
    if (left >= WIDE)
        return wide_load(from);
    memcpy(&v, from, (size_t)left * sizeof *from);
    return v;
}

static void spread_row(const spread_job *job, int j, int k, double sums[2])
{
    const spread *s = job->s;
    const float *density = sums_row(&job->density, j, k), *phi = field_row(s->surface, j, k);
    const float *solid = s->solid ? field_row(s->solid, j, k) : NULL;
    const float cells = (float)(1 / job->smallest), share = (float)(1 / s->per_cell);
    const float deepest = s->deepest > 0 ? (float)(s->deepest - job->smallest) : INFINITY;
    const float volume = (float)(s->share * domain_cell_volume(&job->p->d));
    float *excess = field_row(s->excess, j, k);
    wide squares = {0};
    int span[2];
    projection_active(s->projection, j, k, span);
    for (int i = span[0], left = span[1] - span[0]; left > 0; i += WIDE, left -= WIDE) {
        const wide far = spread_load(phi + i, left), wall = solid ? spread_load(solid + i, left) : wide_all(INFINITY);
        const wide_mask counts = (far < 0) & (far >= -deepest) & (wall >= 0);
        wide more = {0};
        if (wide_any(counts))
            more = wide_keep(counts, spread_excess(share * spread_load(density + i, left), cells * far, cells * wall));
        const wide before = s->goes_on ? wide_keep(far < 0, spread_load(excess + i, left)) : wide_all(0);
        wide_store_first(excess + i, before + volume * more, left);
        squares += more * more;
        sums[1] += __builtin_popcount(wide_bits(counts));
    }
    sums[0] = (double)wide_sum(squares);
}

static void spread_rows(void *context, int begin, int end)
{
    const spread_job *job = context;
    int rows = job->p->d.n[1];
    for (int r = begin; r < end; r++) {
        double sums[2] = {0, 0};
        spread_row(job, r % rows, r / rows, sums);
        job->square[r] = sums[0];
        job->cells[r] = sums[1];
    }
}

/* The excess of each cell, times its volume, into `excess`, as far as the system reads it; returns its root mean
   square. */
static double spread_measure(spread_job *job, transfer *t)
{
    const domain *d = &job->p->d;
    job->density = sums_over(job->s->density ? job->s->density : t->block, d, FR_AT_CELL, 1);
    job->square = t->rows[0];
    job->cells = t->rows[1];
    if (!job->s->summed)
        slabs_run(&(slabs_job){.p = job->p, .clear = spread_clear, .add = spread_add, .context = job});
    for (int a = 0; a < d->dims; a++)
        sums_fold(&job->density, a, d->periodic[a], -1);
    field_for_rows(job->s->excess, spread_rows, job);
    double cells = threads_sum(job->cells, field_rows(job->s->excess));
    return cells > 0 ? sqrt(threads_sum(job->square, field_rows(job->s->excess)) / cells) : 0;
}

/* δ is found and bounded row by row, as far as it is read. */
static void spread_begin_row(void *context, const projection_row *row)
{
    const spread_job *job = context;
    const extend_span span = transfer_reach(job->t, row->axis, row->j, row->k);
    memset(row->u + span.begin, 0, (size_t)(span.end - span.begin) * sizeof(float));
}

static void spread_bound_row(void *context, const projection_row *row)
{
    const spread_job *job = context;
    const extend_span span = transfer_reach(job->t, row->axis, row->j, row->k);
    const float most = FARTHEST * (float)job->p->d.h[row->axis];
    float *restrict u = row->u;
    int beyond = 0;
    for (int i = span.begin; i < span.end; i++)
        beyond += !(fabsf(u[i]) <= most);
    for (int i = span.begin; i < span.end && beyond; i++)
        u[i] = fabsf(u[i]) <= most ? u[i] : u[i] > 0 ? most : -most;
}

spread_report spread_find(const spread *s, transfer *t, const parcels *p)
{
    const domain *d = &p->d;
    spread_job job = {.s = s, .p = p, .t = t, .smallest = domain_min_h(d)};
    spread_report report = {.excess = spread_measure(&job, t)};
    const projection_task task = {.b = s->excess, .goes_on = s->goes_on, .limits = &s->limits};
    report.solve = projection_solve(s->projection, &task, s->potential);
    projection_correct_rows(s->projection, &(projection_step){s->potential, 1, 1},
                            &(projection_rows){spread_begin_row, spread_bound_row, &job}, s->shift);
    for (int a = 0; a < d->dims; a++)
        halo_fill_even(&s->shift[a], d);
    return report;
}

/* Half the side of the cube, or square, of liquid that a parcel stands for, m. */
static float spread_radius(const spread *s, const domain *d)
{
    double volume = domain_cell_volume(d) / s->per_cell;
    return (float)(0.5 * (d->dims == 3 ? cbrt(volume) : sqrt(volume)));
}

spread_report spread_run(const spread *s, transfer *t, parcels *p)
{
    spread_report report = spread_find(s, t, p);
    transfer_flow flow = {.velocity = s->shift, .dt = 1, .order = 1, .solid = s->solid};
    memcpy(flow.open_side, s->open_side, sizeof flow.open_side);
    report.left = transfer_move(&flow, p);
    stay_inside(&(stay){.surface = s->surface, .drift = s->shift, .dt = 1, .least = spread_radius(s, &p->d)}, p);
    return report;
}
