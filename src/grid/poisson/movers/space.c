/* The small system of deflation, E = Wᵀ (A + C K Cᵀ) W. What rows take off K is an unknown for each row more:

     [ Wᵀ A W + Gᵀ M⁻¹ G    Gᵀ M⁻¹ Jᵀ ]
     [ J M⁻¹ G              J M⁻¹ Jᵀ  ],   G = Cᵀ W,

   so that the matrix is as sparse as bodies touch each other. Every column has for each body the six numbers by which
   it moves it, G or Jᵀ, and they couple with what else moves the body. */
#include <stdlib.h>

#include "grid/poisson/movers/movers.h"

/* Pivots below this share of the diagonal are taken for rounding: of fields, which are in float, and of the others. */
static const double SPACE_LEAST_FIELD = 1e-7, SPACE_LEAST = 1e-10;

/* Columns in the order of the domain, so that the envelope is narrow; those of pockets are the last. */
static void space_order(movers *b)
{
    int nodes = 0, column = 0;
    for (int n = 0; n < b->used.bodies; n++)
        if (b->one[n].inner)
            b->node[nodes++] = (movers_node){b->one[n].middle, n};
    for (int r = 0; r < b->used.rows; r++)
        b->node[nodes++] = (movers_node){movers_row_middle(b, r), b->used.bodies + r};
    qsort(b->node, (size_t)nodes, sizeof *b->node, movers_by_middle);
    for (int at = 0; at < nodes; at++) {
        const int what = b->node[at].what;
        *(what < b->used.bodies ? &b->one[what].column : &b->row_column[what - b->used.bodies]) = column;
        column += what < b->used.bodies ? b->one[what].dofs : 1;
    }
    for (int p = 0; p < b->pockets.count; p++)
        if (b->pockets.column[p] >= 0)
            b->pockets.column[p] = column++;
    b->space.n = column;
}

/* All that moves a body, by lanes; returns how many there are. */
static int space_attach(movers *b, const movers_one *one)
{
    int count = 0;
    for (int at = one->pair; at >= 0; at = b->pair[at].next) {
        const movers_one *other = &b->one[b->pair[at].field];
        for (int c = 0; c < other->dofs && other->inner; c++) {
            b->attached[count].column = other->column + c;
            for (int d = 0; d < one->dofs; d++)
                b->attached[count].lanes[d] = b->pair[at].push[d][c];
            count++;
        }
    }
    for (int at = one->row; at >= 0; at = movers_next_row(b, at)) {
        b->attached[count].column = b->row_column[at / 2];
        movers_row_lanes(b, one, at, b->attached[count++].lanes);
    }
    for (int at = one->touch; at >= 0; at = b->touch[at].next)
        if (b->pockets.column[b->touch[at].pocket] >= 0) {
            b->attached[count].column = b->pockets.column[b->touch[at].pocket];
            memcpy(b->attached[count++].lanes, b->touch[at].sum, sizeof b->touch[at].sum);
        }
    return count;
}

/* Returns how many numbers the envelope takes. */
static size_t space_lay_out(movers *b)
{
    envelope *e = &b->space;
    space_order(b);
    for (int i = 0; i < e->n; i++)
        e->first[i] = i;
    for (int n = 0; n < b->used.bodies; n++) {
        const int count = space_attach(b, &b->one[n]);
        int least = e->n;
        for (int at = 0; at < count; at++)
            least = b->attached[at].column < least ? b->attached[at].column : least;
        for (int at = 0; at < count; at++) {
            int *first = &e->first[b->attached[at].column];
            *first = least < *first ? least : *first;
        }
    }
    return envelope_lay_out(e);
}

/* Takes its fields off the body whose columns reach back the farthest. */
static void space_give_up(movers *b)
{
    movers_one *widest = NULL;
    int most = -1;
    for (int n = 0; n < b->used.bodies; n++) {
        movers_one *one = &b->one[n];
        if (one->inner && one->column - b->space.first[one->column] > most) {
            most = one->column - b->space.first[one->column];
            widest = one;
        }
    }
    movers_give_up(widest);
}

static void space_add(const movers *b, int i, int j, double value)
{
    if (j <= i)
        *envelope_at(&b->space, i, j) += value;
}

/* Adds what goes through one body, and what its fields do to others'. */
static void space_add_body(movers *b, const movers_one *one)
{
    const int count = space_attach(b, one);
    for (int at = 0; at < count; at++) {
        double motion[6];
        movers_inverse(one, b->attached[at].lanes, motion);
        for (int other = 0; other < count; other++) {
            double sum = 0;
            for (int d = 0; d < one->dofs; d++)
                sum += b->attached[other].lanes[d] * motion[d];
            space_add(b, b->attached[at].column, b->attached[other].column, sum);
        }
    }
    for (int at = one->pair; at >= 0 && one->inner; at = b->pair[at].next) {
        const movers_one *other = &b->one[b->pair[at].field];
        for (int d = 0; d < one->dofs && other->inner; d++)
            for (int c = 0; c < other->dofs; c++)
                space_add(b, one->column + d, other->column + c, b->pair[at].product[d][c]);
    }
}

void movers_make_space(movers *b)
{
    size_t numbers = space_lay_out(b);
    while (numbers > b->most.space) {
        space_give_up(b);
        numbers = space_lay_out(b);
    }
    memset(b->space.value, 0, numbers * sizeof *b->space.value);
    for (int n = 0; n < b->used.bodies; n++)
        space_add_body(b, &b->one[n]);
    for (int i = 0; i < b->space.n; i++)
        b->floor[i] = SPACE_LEAST * *envelope_at(&b->space, i, i);
    for (int n = 0; n < b->used.bodies; n++)
        for (int d = 0; d < b->one[n].dofs && b->one[n].inner; d++)
            b->floor[b->one[n].column + d] *= SPACE_LEAST_FIELD / SPACE_LEAST;
    envelope_factor(&b->space, b->floor);
}

void movers_push_space(movers *b, double *to)
{
    for (int n = 0; n < b->used.bodies; n++) {
        const movers_one *one = &b->one[n];
        const double *motion = b->motion + (ptrdiff_t)MOVERS_LANES * n;
        for (int at = one->pair; at >= 0; at = b->pair[at].next) {
            const movers_one *other = &b->one[b->pair[at].field];
            for (int c = 0; c < other->dofs && other->inner; c++)
                for (int d = 0; d < one->dofs; d++)
                    to[other->column + c] -= b->pair[at].push[d][c] * motion[d];
        }
        for (int at = one->touch; at >= 0; at = b->touch[at].next)
            for (int d = 0; d < one->dofs && b->pockets.column[b->touch[at].pocket] >= 0; d++)
                to[b->pockets.column[b->touch[at].pocket]] -= b->touch[at].sum[d] * motion[d];
    }
}

void movers_pushed_by_space(movers *b, const double *from)
{
    memset(b->force, 0, (size_t)b->used.bodies * MOVERS_LANES * sizeof *b->force);
    for (int n = 0; n < b->used.bodies; n++) {
        const movers_one *one = &b->one[n];
        double *force = b->force + (ptrdiff_t)MOVERS_LANES * n;
        for (int at = one->pair; at >= 0; at = b->pair[at].next) {
            const movers_one *other = &b->one[b->pair[at].field];
            for (int c = 0; c < other->dofs && other->inner; c++)
                for (int d = 0; d < one->dofs; d++)
                    force[d] += b->pair[at].push[d][c] * from[other->column + c];
        }
        for (int at = one->touch; at >= 0; at = b->touch[at].next)
            for (int d = 0; d < one->dofs && b->pockets.column[b->touch[at].pocket] >= 0; d++)
                force[d] += b->touch[at].sum[d] * from[b->pockets.column[b->touch[at].pocket]];
    }
}
