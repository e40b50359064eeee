/* CG preconditioned by one V-cycle, after A. McAdams, E. Sifakis, J. Teran, "A parallel multigrid Poisson solver for
   fluids simulation on large grids", Symposium on Computer Animation 2010. Differences: weighted faces, weight-aware
   transfers, colours stored separately. Limits: fields are float32, so the returned answer has a relative rounding
   error of 6e-8; the residual reported is that of the double-precision solution behind it. */
#include "grid/poisson/poisson.h"

#include <math.h>

#include "base/memory.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/lattice_spans.h"
#include "grid/poisson/lattice_weights.h"
#include "grid/poisson/components.h"
#include "grid/poisson/parts.h"

/* From this tolerance on the recursive residual ends a solve: in float it differs from the true one by about 1e-6 of b,
   and finding that out would take as long as an iteration. Closed systems want the sum of x, which comes with it. */
static const double TRUSTED = 1e-3;

/* If multigrid does not halve the residual in this many iterations, plain CG takes over. */
enum { PATIENCE = 25 };

/* The shapes of all levels. The axes to halve follow from the cell sizes, c_a ∝ 1 / h_a². */
static void poisson_plan(poisson *s, const domain *block, bool surface)
{
    lattice_shape shape;
    double c[3];
    for (int a = 0; a < 3; a++) {
        shape.n[a] = block->n[a];
        shape.periodic[a] = block->periodic[a];
        c[a] = 1 / (block->h[a] * block->h[a]);
    }
    for (s->levels = 1; s->levels <= POISSON_LEVELS; s->levels++) {
        lattice *l = &s->level[s->levels - 1];
        lattice_layout(l, &shape);
        l->surface = surface;
        for (int a = 0; a < 3; a++)
            l->c[a] = c[a];
        if (!lattice_weights_choose(l) || s->levels == POISSON_LEVELS)
            break;
        for (int a = 0; a < 3; a++) {
            shape.n[a] = l->coarsen[a] ? (shape.n[a] + 1) / 2 : shape.n[a];
            c[a] = l->coarsen[a] ? c[a] / 4 : c[a];
        }
    }
}

static size_t poisson_own_bytes(const poisson *s)
{
    const lattice *l = &s->level[0];
    return 2 * (size_t)l->slots * (sizeof(double) + sizeof(float)) +
           POISSON_PARTIALS * (size_t)lattice_items(l) * sizeof(double);
}

size_t poisson_bytes(const domain *block, bool surface)
{
    poisson s = {0};
    poisson_plan(&s, block, surface);
    size_t bytes = sizeof s + poisson_own_bytes(&s);
    for (int level = 0; level < s.levels; level++)
        bytes += lattice_bytes(&s.level[level], level == 0);
    return bytes;
}

fr_result poisson_create(const domain *block, bool surface, poisson **out)
{
    *out = NULL;
    poisson *s = MEMORY_NEW(poisson, 1);
    if (!s)
        return FR_ERROR_MEMORY;
    poisson_plan(s, block, surface);
    fr_result result = FR_OK;
    for (int level = 0; level < s->levels && result == FR_OK; level++)
        result = lattice_allocate(&s->level[level], level == 0);
    s->memory = result == FR_OK ? memory_alloc(poisson_own_bytes(s)) : NULL;
    if (!s->memory) {
        poisson_destroy(s);
        return FR_ERROR_MEMORY;
    }
    const lattice *l = &s->level[0];
    double *x = s->memory;
    float *p = (float *)(x + 2 * l->slots);
    for (int colour = 0; colour < 2; colour++) {
        s->x[colour] = x + colour * l->slots + l->origin;
        s->p.of[colour] = p + colour * l->slots + l->origin;
    }
    for (int i = 0; i < POISSON_PARTIALS; i++)
        s->partial[i] = (double *)(p + 2 * l->slots) + i * lattice_items(l);
    void *z = l->x.of[0] - l->origin, *r = l->b.of[0] - l->origin;
    s->closed = (poisson_closed){.run = (int32_t *)(void *)p, .parent = z, .sum = z, .count = r};
    *out = s;
    return FR_OK;
}

void poisson_destroy(poisson *s)
{
    if (!s)
        return;
    for (int level = 0; level < s->levels; level++)
        lattice_free(&s->level[level]);
    movers_destroy(s->movers);
    memory_free(s->memory);
    memory_free(s);
}

void poisson_set_operator(poisson *s, const poisson_operator *op)
{
    lattice *finest = &s->level[0];
    poisson_set_bodies(s, NULL, 0, NULL, 0);
    for (int a = 0; a < 3; a++)
        finest->c[a] = op->coefficient[a];
    lattice_weights_take(finest, op);
    lattice_spans_shrink(finest, (lattice_array[]){{{s->x[0], s->x[1]}, sizeof(double)},
                                                   {{s->p.of[0], s->p.of[1]}, sizeof(float)}}, 2);
    memset(s->partial[0], 0, POISSON_PARTIALS * (size_t)lattice_items(finest) * sizeof(double));
    s->closed.number = components_label(finest, s->closed.run, s->closed.parent);
    for (int level = 1; level < s->levels; level++)
        lattice_weights_coarsen(&s->level[level - 1], &s->level[level]);
}

/* Memory traffic, in float vectors of the finest level read; written. Per iteration: the step with the first sweeps
   (r, q; r, x), the direction (x in double, p, z; x, p, q), the rest of the cycle (half of b and x; b, half of x, x);
   in 3D the six of a whole cycle on the coarser levels add a seventh. Per solve: the checks at the start and at the end
   (x, p, b; x, r). */
static double poisson_traffic(const poisson *s, int iterations)
{
    const int *n = s->level[0].n;
    double cells = (double)n[0] * n[1] * n[2] * lattice_active(&s->level[0]), cycle = 4 + 6 / (n[2] > 1 ? 7.0 : 3.0);
    return sizeof(float) * cells * (iterations * (4 + 8 + cycle) + 2 * 7);
}

/* How a solve begins. */
typedef struct poisson_start {
    const field *guess; /* NULL: 0 */
    bool kept;          /* from the last answer */
    bool plain;         /* without multigrid */
} poisson_start;

/* Tries one preconditioner after the other until one converges. */
static solve_stats poisson_run(poisson *s, const poisson_start *start, field *x, const solve_limits *limits)
{
    const bool plain = start->plain;
    s->pending = 0;
    s->measured = false;
    s->cycles = !plain && s->levels > 1;
    s->deflates = !plain;
    poisson_load(s, start->guess, start->kept);
    pcg_system system = {.context = s, .right = &s->right_norms, .residual = poisson_residual,
                         .precondition = plain ? poisson_divide : poisson_cycle, .direction = poisson_direction,
                         .step = poisson_step, .more = &s->more, .patience = plain ? 0 : PATIENCE,
                         .trusting = limits->tolerance >= TRUSTED && s->closed.number == 0};
    solve_stats stats = pcg_solve(&system, limits);
    if (!stats.converged && !plain && stats.iterations < limits->max_iterations && isfinite(stats.residual)) {
        system.precondition = poisson_divide;
        system.patience = 0;
        s->cycles = s->deflates = false;
        solve_limits rest = *limits;
        rest.max_iterations -= stats.iterations;
        int before = stats.iterations;
        stats = pcg_solve(&system, &rest);
        stats.iterations += before;
    }
    poisson_store(s, x);
    stats.bytes = poisson_traffic(s, stats.iterations);
    return stats;
}

solve_stats poisson_solve(poisson *s, const field *b, field *x, const solve_limits *limits)
{
    return poisson_solve_from(s, x, b, x, limits);
}

solve_stats poisson_solve_from(poisson *s, const field *guess, const field *b, field *x, const solve_limits *limits)
{
    s->right = b;
    return poisson_run(s, &(poisson_start){.guess = guess}, x, limits);
}

solve_stats poisson_solve_on(poisson *s, const field *b, field *x, const solve_limits *limits)
{
    s->right = b;
    return poisson_run(s, &(poisson_start){.kept = true}, x, limits);
}

solve_stats poisson_solve_cg(poisson *s, const field *b, field *x, const solve_limits *limits)
{
    s->right = b;
    return poisson_run(s, &(poisson_start){.guess = x, .plain = true}, x, limits);
}

void poisson_active(const poisson *s, int j, int k, int span[2])
{
    const lattice *l = &s->level[0];
    lattice_span blocks = lattice_span_of(l, j, k);
    span[0] = blocks.begin * 2 * LANES;
    span[1] = blocks.end * 2 * LANES < l->n[0] ? blocks.end * 2 * LANES : l->n[0];
}
