#include "geom/mesh_grid.h"

#include "base/memory.h"
#include "base/threads.h"

/* Steps along the longest side of a mesh: four in a cell, but two are enough when there are ENOUGH, and never fewer
   than LEAST. Measured with the bunny: 32 steps give its volume to 1e-4, 16 to 3e-3. */
static const double ENOUGH = 64, LEAST = 32;

/* Samples along an axis, margins included: the step grows before they become more. */
static const double MOST = 384;

/* Steps across the thinnest side, and the share of the step that these may shrink to: a plate that is lost between two
   samples has no inside. Even, so that a sample lies in the middle, where the distance has its ridge. */
static const double THIN_STEPS = 8, THIN_SHARE = 0.125;

static double grid_longest(const box *b)
{
    double longest = 0;
    for (int a = 0; a < 3; a++)
        longest = fmax(longest, b->max[a] - b->min[a]);
    return longest;
}

static double grid_step(double longest, double cell)
{
    const double cells = longest / cell;
    return longest / fmax(LEAST, fmax(2 * cells, fmin(4 * cells, ENOUGH)));
}

/* A whole number of steps fits the mesh's box: where its sides are flat they fall on samples and stay sharp. */
static void grid_lay(const box *b, const mesh_detail *detail, mesh_grid *g)
{
    const double longest = grid_longest(b), step = grid_step(longest, detail->cell),
                 margin = fmin(detail->cell, 0.25 * longest) + detail->beyond;
    *g = (mesh_grid){.detail = *detail, .bounds = *b};
    for (int a = 0; a < 3; a++) {
        const double side = b->max[a] - b->min[a], middle = 0.5 * (b->min[a] + b->max[a]);
        const double most = (side + 2 * margin) / (MOST - 4);
        g->step[a] = side / fmax(THIN_STEPS, 2 * ceil(0.5 * side / step));
        g->step[a] = fmax(g->step[a], fmax(THIN_SHARE * step, most));
        const double half = ceil(0.5 * side / g->step[a] - 1e-6) + ceil(margin / g->step[a]);
        g->origin[a] = middle - half * g->step[a];
        g->n[a] = 2 * (int)half + 1;
    }
}

static size_t grid_samples(const mesh_grid *g)
{
    return (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
}

double mesh_grid_room(const box *bounds, const mesh_detail *detail)
{
    mesh_grid g;
    grid_lay(bounds, detail, &g);
    return (double)(sizeof g + sizeof *g.distance * grid_samples(&g));
}

double mesh_grid_bytes(const bvh *b, const mesh_detail *detail)
{
    return mesh_grid_room(&b->nodes[0].bounds, detail);
}

typedef struct grid_job {
    const mesh_grid *g;
    const grid_source *source;
    float *exact;
} grid_job;

static void grid_sample(void *context, int begin, int end)
{
    const grid_job *job = context;
    const mesh_grid *g = job->g;
    double d[LINE_MAX_POINTS];
    for (int row = begin; row < end; row++) {
        const int j = row % g->n[1], k = row / g->n[1];
        float *to = job->exact + (size_t)row * (size_t)g->n[0];
        line l = {.at = {g->origin[0], g->origin[1] + j * g->step[1], g->origin[2] + k * g->step[2]},
                  .step = {g->step[0], 0, 0}};
        for (; l.first < g->n[0]; l.first += LINE_MAX_POINTS) {
            l.n = g->n[0] - l.first < LINE_MAX_POINTS ? g->n[0] - l.first : LINE_MAX_POINTS;
            job->source->distance(job->source->of, &l, d);
            for (int i = 0; i < l.n; i++)
                to[l.first + i] = (float)d[i];
        }
    }
}

/* d − h²/12 Δd, by second differences; without that of an axis at its ends. */
static void grid_sharpen(void *context, int begin, int end)
{
    const grid_job *job = context;
    const mesh_grid *g = job->g;
    const ptrdiff_t stride[3] = {1, g->n[0], (ptrdiff_t)g->n[0] * g->n[1]};
    for (int row = begin; row < end; row++) {
        const float *from = job->exact + row * stride[1];
        float *to = g->distance + row * stride[1];
        for (int i = 0; i < g->n[0]; i++) {
            const int at[3] = {i, row % g->n[1], row / g->n[1]};
            double bend = 0;
            for (int a = 0; a < 3; a++)
                if (at[a] > 0 && at[a] < g->n[a] - 1)
                    bend += (double)from[i - stride[a]] - 2 * (double)from[i] + (double)from[i + stride[a]];
            to[i] = (float)((double)from[i] - bend / 12);
        }
    }
}

static fr_result grid_fill(mesh_grid *g, const grid_source *source)
{
    const int rows = g->n[1] * g->n[2];
    grid_job job = {g, source, MEMORY_NEW(float, grid_samples(g))};
    g->distance = MEMORY_NEW(float, grid_samples(g));
    if (!job.exact || !g->distance) {
        memory_free(job.exact);
        return FR_ERROR_MEMORY;
    }
    threads_for(rows, grid_sample, &job);
    threads_for(rows, grid_sharpen, &job);
    memory_free(job.exact);
    return FR_OK;
}

fr_result mesh_grid_sample(const grid_source *source, const mesh_detail *detail, mesh_grid **out)
{
    *out = NULL;
    mesh_grid *g = MEMORY_NEW(mesh_grid, 1);
    if (!g)
        return FR_ERROR_MEMORY;
    grid_lay(&source->bounds, detail, g);
    fr_result result = grid_fill(g, source);
    if (result != FR_OK)
        mesh_grid_destroy(g);
    else
        *out = g;
    return result;
}

static void grid_of_mesh(const void *of, const line *l, double *d)
{
    mesh_line_distance(of, l, d);
}

fr_result mesh_grid_create(const bvh *b, const mesh_detail *detail, mesh_grid **out)
{
    return mesh_grid_sample(&(grid_source){grid_of_mesh, b, b->nodes[0].bounds}, detail, out);
}

/* The samples around what is inside: one further than those inside themselves. */
static bool grid_inside(const mesh_grid *g, int low[3], int high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = g->n[a];
        high[a] = -1;
    }
    for (size_t n = 0; n < grid_samples(g); n++) {
        const size_t row = n / (size_t)g->n[0];
        const int at[3] = {(int)(n % (size_t)g->n[0]), (int)(row % (size_t)g->n[1]), (int)(row / (size_t)g->n[1])};
        for (int a = 0; a < 3 && g->distance[n] < 0; a++) {
            low[a] = at[a] - 1 < low[a] ? at[a] - 1 : low[a];
            high[a] = at[a] + 1 > high[a] ? at[a] + 1 : high[a];
        }
    }
    return high[0] >= 0;
}

void mesh_grid_tighten(mesh_grid *g)
{
    int low[3], high[3];
    if (!grid_inside(g, low, high))
        return;
    for (int a = 0; a < 3; a++) {
        g->bounds.min[a] = max2(g->bounds.min[a], g->origin[a] + low[a] * g->step[a]);
        g->bounds.max[a] = min2(g->bounds.max[a], g->origin[a] + high[a] * g->step[a]);
    }
}

void mesh_grid_destroy(mesh_grid *g)
{
    if (!g)
        return;
    memory_free(g->distance);
    memory_free(g);
}

/* Where points are in the grid; those outside are moved to its surface. */
typedef struct grid_spots {
    int at[LINE_MAX_POINTS];          /* the sample before */
    double share[3][LINE_MAX_POINTS]; /* from there to the next, along each axis */
    double moved2[LINE_MAX_POINTS];   /* m², how far outside */
    double least2[LINE_MAX_POINTS];   /* m², to the mesh's box */
} grid_spots;

/* Anything that is no number counts as the low end. */
static void grid_locate(const mesh_grid *g, const line *l, int axis, grid_spots *s)
{
    const double origin = g->origin[axis], step = g->step[axis], inverse = 1 / step, last = g->n[axis] - 1;
    const double low = g->bounds.min[axis], high = g->bounds.max[axis];
    const int stride = axis == 0 ? 1 : axis == 1 ? g->n[0] : g->n[0] * g->n[1];
    for (int i = 0; i < l->n; i++) {
        const double x = line_coordinate(l, axis, i), t = (x - origin) * inverse;
        const double in = min2(max2(t, 0), last), over = (t - in) * step, gap = max2(max2(low - x, x - high), 0);
        const int before = (int)min2(in, last - 1);
        s->at[i] += before * stride;
        s->share[axis][i] = in - before;
        s->moved2[i] += over * over;
        s->least2[i] += gap * gap;
    }
}

static inline double grid_between(const float *v, double share)
{
    return (double)v[0] + share * ((double)v[1] - (double)v[0]);
}

static void grid_interpolate(const mesh_grid *g, const grid_spots *s, int n, double *d)
{
    const ptrdiff_t up = g->n[0], over = up * g->n[1];
    for (int i = 0; i < n; i++) {
        const float *v = g->distance + s->at[i];
        const double x = s->share[0][i], y = s->share[1][i], z = s->share[2][i];
        const double a = grid_between(v, x), b = grid_between(v + up, x);
        const double c = grid_between(v + over, x), e = grid_between(v + over + up, x);
        const double near = a + y * (b - a), far = c + y * (e - c);
        d[i] = near + z * (far - near);
    }
}

/* What lies in a box is at least as far from p as √(m² + d²), where q is the box's point nearest to p, m how far it is
   there and d the distance at q. */
void mesh_grid_distance(const mesh_grid *g, const line *l, double *d)
{
    grid_spots s;
    for (int i = 0; i < l->n; i++) {
        s.at[i] = 0;
        s.moved2[i] = s.least2[i] = 0;
    }
    for (int a = 0; a < 3; a++)
        grid_locate(g, l, a, &s);
    grid_interpolate(g, &s, l->n, d);
    for (int i = 0; i < l->n; i++) {
        const double there = s.moved2[i] > 0 ? sqrt(s.moved2[i] + d[i] * d[i]) : d[i];
        d[i] = s.least2[i] > 0 ? max2(there, sqrt(s.least2[i])) : there;
    }
}
