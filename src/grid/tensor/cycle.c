/* The V-cycle. The smoother solves lines along the second axis exactly (lines.c); coarsening halves the cells along the
   other axes.

   Smoothing is a Chebyshev polynomial in B⁻¹A over [reach/spread, reach], the eigenvalues that the next level cannot
   represent. It is applied as steps weighted with the inverse of its roots; these commute, so any order is symmetric.
   It still damps errors at 1.16 times the reach. Far beyond that the whole cycle would no longer be positive definite
   (reach.c). A second step pays on all levels except the finest, which is half of the work: 10 iterations instead of 14
   in a winding channel. */
#include <math.h>

#include "grid/tensor/parts.h"

enum { DEGREE = 2 };

static int cycle_degree(int level) { return level == 0 ? 1 : DEGREE; }

static float cycle_weight(const tensor_solver *s, int level, int step)
{
    static const double spread[2] = {3, 6};
    double high = s->level[level].reach, low = high / spread[level > 0],
           angle = acos(-1) * (2 * step + 1) / (2 * cycle_degree(level));
    return (float)(2 / ((high + low) + (high - low) * cos(angle)));
}

static void cycle_down(void *context, int level)
{
    tensor_solver *s = context;
    tensor_level *l = &s->level[level];
    tensor_lines_start(l, cycle_weight(s, level, 0));
    for (int i = 1; i < cycle_degree(level); i++)
        tensor_lines_add(l, cycle_weight(s, level, i));
    const float *from = NULL;
    for (int i = 0; i < l->steps; i++) {
        float *to = i + 1 < l->steps ? l->between[i] : s->level[level + 1].r;
        if (i == 0)
            tensor_restrict_residual(l, to);
        else
            tensor_restrict(&l->step[i], from, to);
        from = to;
    }
}

static void cycle_up(void *context, int level)
{
    tensor_solver *s = context;
    tensor_level *l = &s->level[level];
    const float *from = s->level[level + 1].x;
    for (int i = l->steps - 1; i >= 0; i--) {
        float *to = i > 0 ? l->between[i - 1] : l->x;
        tensor_prolong(&l->step[i], from, to, i == 0);
        from = to;
    }
    for (int i = 0; i < cycle_degree(level); i++)
        tensor_lines_add(l, cycle_weight(s, level, i));
}

/* Removes the mean from the cells [begin, end) of a line. */
static void cycle_level_line(const tensor_shape *s, float *line, int begin, int end)
{
    double sum = 0;
    for (int j = begin; j < end; j++)
        sum += (double)line[j * s->row];
    for (int j = begin; j < end; j++)
        line[j * s->row] -= (float)(sum / (end - begin));
}

/* The coarsest level is one line. Pieces of it without any tie are singular: the mean that rounding has left in their
   right-hand side is removed. */
static void cycle_level_pieces(const tensor_level *l, float *line)
{
    const tensor_shape *s = &l->m.shape;
    for (int begin = 0, end; begin < s->n[1]; begin = end) {
        bool tied = l->m.extra[begin * s->row] > 0;
        for (end = begin + 1; end < s->n[1] && l->lower[end * s->row] > 0; end++)
            tied |= l->m.extra[end * s->row] > 0;
        if (!tied)
            cycle_level_line(s, line, begin, end);
    }
}

static void cycle_coarsest(void *context, int level)
{
    tensor_solver *s = context;
    tensor_level *l = &s->level[level];
    cycle_level_pieces(l, l->r);
    tensor_lines_start(l, 1);
    cycle_level_pieces(l, l->x);
    for (int row = 0; row < tensor_rows(&l->m.shape); row++)
        tensor_close_row(&l->m.shape, l->x + row * l->m.shape.row);
}

void tensor_cycle(tensor_solver *s)
{
    multigrid_cycle(&(multigrid){
        .context = s, .levels = s->levels, .down = cycle_down, .coarsest = cycle_coarsest, .up = cycle_up});
}
