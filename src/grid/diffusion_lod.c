/* Diffusion along one axis after the other. Along an axis each line of samples is a tridiagonal system

     (E_i + c (w_i + w_{i+1})) x_i − c w_i x_{i−1} − c w_{i+1} x_{i+1} = b_i,

   E and b with the volume and what is fixed; Gauss's elimination without pivots is stable, as the diagonal outweighs
   the rest. On a periodic axis the ends are linked by w_0: the matrix is then that without the link, and
   c w_0 u uᵀ with u = e_0 − e_{n−1}, which the formula of Sherman and Morrison takes in. */
#include "base/threads.h"
#include "grid/diffusion_parts.h"

enum { LOD_LINES = 16 }; /* that lie beside one another are one item of work */

typedef struct lod_job {
    diffusion_job *job;
    int axis, lower, upper; /* along the lines, and across */
    int pieces;             /* of LOD_LINES lines each, along `lower` */
} lod_job;

/* A line: offsets of its first samples, and how far it is to the next. */
typedef struct lod_line {
    float *x, *b, *extra, *weight, *above; /* `above`: the elimination's factors, in the weights of another axis */
    ptrdiff_t step, weight_step, above_step;
    int n;
    double c;
    bool ring;
} lod_line;

static lod_line lod_line_of(const lod_job *lod, const int at[3])
{
    diffusion *s = lod->job->s;
    const int a = lod->axis, other = a == 0 ? 1 : 0;
    return (lod_line){.x = field_row(&s->x, at[1], at[2]) + at[0],
                      .b = field_row(&s->b, at[1], at[2]) + at[0],
                      .extra = field_row(&s->extra, at[1], at[2]) + at[0],
                      .weight = field_row(&s->weight[a], at[1], at[2]) + at[0],
                      .above = field_row(&s->weight[other], at[1], at[2]) + at[0],
                      .step = s->x.stride[a],
                      .weight_step = s->weight[a].stride[a],
                      .above_step = s->weight[other].stride[a],
                      .n = s->lattice.n[a],
                      .c = lod->job->c[a],
                      .ring = s->lattice.periodic[a]};
}

/* Coefficient of the link below a sample, without that between the ends of a ring. */
static double lod_link(const lod_line *l, int i)
{
    return i == 0 || i == l->n ? 0 : l->c * (double)l->weight[i * l->weight_step];
}

/* Solves for the right-hand side in b, which may be x itself. */
static void lod_eliminate(const lod_line *l, float *b, float *x)
{
    double above = 0, before = 0;
    for (int i = 0; i < l->n; i++) {
        const double low = lod_link(l, i), high = lod_link(l, i + 1);
        const double pivot = (double)l->extra[i * l->step] + low * (1 - above) + high;
        const double right = (double)b[i * l->step] + low * before;
        above = pivot > 0 ? high / pivot : 0;
        before = pivot > 0 ? right / pivot : 0;
        l->above[i * l->above_step] = (float)above;
        x[i * l->step] = (float)before;
    }
    for (int i = l->n - 2; i >= 0; i--)
        x[i * l->step] += l->above[i * l->above_step] * x[(i + 1) * l->step];
}

/* Adds the link between the ends. */
static void lod_close(const lod_line *l)
{
    const ptrdiff_t last = (l->n - 1) * l->step;
    const double link = l->c * (double)l->weight[0];
    if (link == 0 || l->n < 2)
        return;
    for (int i = 0; i < l->n; i++)
        l->b[i * l->step] = i == 0 ? 1 : i == l->n - 1 ? -1 : 0;
    lod_eliminate(l, l->b, l->b);
    const double off =
        link * ((double)l->x[0] - (double)l->x[last]) / (1 + link * ((double)l->b[0] - (double)l->b[last]));
    for (int i = 0; i < l->n; i++)
        l->x[i * l->step] = (float)((double)l->x[i * l->step] - off * (double)l->b[i * l->step]);
}

static void lod_items(void *context, int begin, int end)
{
    const lod_job *lod = context;
    const int *n = lod->job->s->lattice.n;
    for (int item = begin; item < end; item++) {
        int at[3] = {0, 0, 0}, first = item % lod->pieces * LOD_LINES;
        at[lod->upper] = item / lod->pieces;
        for (at[lod->lower] = first; at[lod->lower] < first + LOD_LINES && at[lod->lower] < n[lod->lower];
             at[lod->lower]++) {
            lod_line line = lod_line_of(lod, at);
            lod_eliminate(&line, line.b, line.x);
            if (line.ring)
                lod_close(&line);
        }
    }
}

void diffusion_solve_along(diffusion *s, field *f, const diffusion_problem *problem, int axis)
{
    diffusion_job job = {.s = s, .f = f, .p = problem, .only = axis};
    lod_job lod = {.job = &job, .axis = axis, .lower = axis == 0 ? 1 : 0, .upper = axis == 2 ? 1 : 2};
    lod.pieces = (s->lattice.n[lod.lower] + LOD_LINES - 1) / LOD_LINES;
    diffusion_set(&job);
    const diffusion_total before = problem->insulated ? diffusion_sum(&job) : (diffusion_total){0, 0};
    threads_for_cost(lod.pieces * s->lattice.n[lod.upper], (int64_t)LOD_LINES * s->lattice.n[axis], lod_items, &lod);
    diffusion_take(&job);
    if (problem->insulated)
        diffusion_restore(&job, before);
}
