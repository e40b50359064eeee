/* Sides through which liquid comes: wherever the flow that is given there enters. */
#include <math.h>

#include "liquid/liquid.h"

typedef struct inflow_side {
    const model *m;
    const domain *d;      /* of φ */
    int fine;             /* cells of φ along an edge of the flow's */
    const float *through; /* m/s along the axis, one per face of the side */
    field *phi;
    const field *from;    /* what is copied */
    int side, axis, b, c; /* the other axes */
    double seconds;       /* how long liquid has come in; negative: a cell is full of it */
} inflow_side;

/* m/s into the domain; 0 beyond the ends of the side. */
static double inflow_speed(const inflow_side *job, int j, int k)
{
    const int *n = job->phi->size;
    if (j < 0 || j >= n[job->b] || k < 0 || k >= n[job->c])
        return 0;
    double u = job->through[j / job->fine + (ptrdiff_t)(k / job->fine) * (n[job->b] / job->fine)];
    return fmax(job->side % 2 ? -u : u, 0);
}

/* The height of a cell's centre above the level up to which liquid comes, m. */
static double inflow_height(const inflow_side *job, int i, int j, int k)
{
    const fr_wall_def *wall = &job->m->walls[job->side];
    const domain *d = job->d;
    ptrdiff_t index[3] = {0};
    double at[3], height = -wall->level;
    if (!wall->has_level)
        return -INFINITY;
    index[job->axis] = i;
    index[job->b] = j;
    index[job->c] = k;
    field_position(job->phi, d, index, at);
    for (int a = 0; a < d->dims; a++)
        height += job->m->up[a] * at[a];
    return height;
}

/* The speed at which liquid comes in at a cell of the side, and how far off it is where it comes in at a neighbour. */
static double inflow_beside(const inflow_side *job, int j, int k, double *aside)
{
    const double *h = job->d->h;
    double speed = inflow_speed(job, j, k);
    double along_b = fmax(inflow_speed(job, j - 1, k), inflow_speed(job, j + 1, k));
    double along_c = fmax(inflow_speed(job, j, k - 1), inflow_speed(job, j, k + 1));
    *aside = speed > 0 ? -INFINITY : 0.5 * (along_b > 0 ? h[job->b] : h[job->c]);
    return speed > 0 ? speed : along_b > 0 ? along_b : along_c;
}

static ptrdiff_t inflow_cell(const inflow_side *job, int i, int j, int k)
{
    return i * job->phi->stride[job->axis] + j * job->phi->stride[job->b] + k * job->phi->stride[job->c];
}

/* A column of cells inward from the side. */
static void inflow_column(const inflow_side *job, int j, int k)
{
    int n = job->phi->size[job->axis];
    double h = job->d->h[job->axis], aside, speed = inflow_beside(job, j, k, &aside);
    double depth = job->seconds < 0 ? h : speed * job->seconds;
    if (speed == 0)
        return;
    for (int step = 0; step < n && (step - 1.5) * h < depth; step++) {
        int i = job->side % 2 ? n - 1 - step : step;
        float *at = job->phi->data + inflow_cell(job, i, j, k);
        double distance = fmax(fmax((step + 0.5) * h - depth, aside), inflow_height(job, i, j, k));
        *at = fminf(*at, (float)distance);
    }
}

/* The first cells of a column, where liquid comes in or beside. */
static void inflow_copy(const inflow_side *job, int j, int k)
{
    enum { DEEP = 3 };
    int n = job->phi->size[job->axis];
    double aside;
    if (inflow_beside(job, j, k, &aside) == 0)
        return;
    for (int step = 0; step < n && step < DEEP; step++) {
        ptrdiff_t at = inflow_cell(job, job->side % 2 ? n - 1 - step : step, j, k);
        job->phi->data[at] = job->from->data[at];
    }
}

typedef void (*inflow_work)(const inflow_side *job, int j, int k);

static void inflow_sides(const liquid_run *run, inflow_side job, inflow_work work)
{
    const model *m = job.m = run->flow.model;
    job.d = liquid_domain(run);
    job.fine = run->model.settings.refine;
    for (job.side = 0; job.side < 2 * m->domain.dims; job.side++) {
        if (m->walls[job.side].kind != FR_WALL_INFLOW)
            continue;
        job.axis = job.side / 2;
        job.b = job.axis == 0 ? 1 : 0;
        job.c = job.axis == 2 ? 1 : 2;
        job.through = run->flow.state->sides[job.side].velocity[job.axis];
        for (int k = 0; k < job.phi->size[job.c]; k++)
            for (int j = 0; j < job.phi->size[job.b]; j++)
                work(&job, j, k);
    }
}

void liquid_pour_sides(const liquid_run *run, field *phi)
{
    inflow_sides(run, (inflow_side){.phi = phi, .seconds = -1}, inflow_column);
}

void liquid_enter_sides(const liquid_run *run, double seconds, field *phi)
{
    inflow_sides(run, (inflow_side){.phi = phi, .seconds = seconds}, inflow_column);
}

void liquid_copy_at_sides(const liquid_run *run, const field *from, field *to)
{
    inflow_sides(run, (inflow_side){.phi = to, .from = from}, inflow_copy);
}
