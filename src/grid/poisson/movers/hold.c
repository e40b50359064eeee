/* What contacts and joints leave of the motions that forces give: K = M⁻¹ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹. */
#include <stdlib.h>

#include "grid/poisson/movers/movers.h"

/* Rows whose pivot is below this share of their diagonal say what others say already. */
static const double HOLD_LEAST = 1e-10;

int movers_by_middle(const void *a, const void *b)
{
    const movers_node *one = a, *two = b;
    if (one->middle != two->middle)
        return one->middle < two->middle ? -1 : 1;
    return one->what < two->what ? -1 : one->what > two->what;
}

double movers_row_middle(const movers *b, int row)
{
    const poisson_row *r = &b->row[row];
    const int first = r->body[0] >= 0 ? r->body[0] : r->body[1], second = r->body[1] >= 0 ? r->body[1] : first;
    return first < 0 ? 0 : (b->one[first].middle + b->one[second].middle) / 2;
}

/* The rows of every body, and their order along the domain. */
static void hold_list(movers *b)
{
    for (int n = 0; n < b->used.bodies; n++)
        b->one[n].row = -1;
    for (int r = 0; r < b->used.rows; r++) {
        b->node[r] = (movers_node){movers_row_middle(b, r), r};
        for (int side = 0; side < 2; side++) {
            const int body = b->row[r].body[side];
            if (body >= 0) {
                b->next_row[side][r] = b->one[body].row;
                b->one[body].row = 2 * r + side;
            }
        }
    }
    qsort(b->node, (size_t)b->used.rows, sizeof *b->node, movers_by_middle);
    for (int place = 0; place < b->used.rows; place++)
        b->row_place[b->node[place].what] = place;
}

/* Returns how many numbers the envelope takes. */
static size_t hold_lay_out(movers *b)
{
    envelope *e = &b->held;
    e->n = b->used.rows;
    for (int i = 0; i < e->n; i++)
        e->first[i] = i;
    for (int n = 0; n < b->used.bodies; n++) {
        int least = e->n;
        for (int at = b->one[n].row; at >= 0; at = movers_next_row(b, at))
            least = b->row_place[at / 2] < least ? b->row_place[at / 2] : least;
        for (int at = b->one[n].row; at >= 0; at = movers_next_row(b, at)) {
            int *first = &e->first[b->row_place[at / 2]];
            *first = least < *first ? least : *first;
        }
    }
    return envelope_lay_out(e);
}

/* Adds what goes through one body. */
static void hold_add(movers *b, const movers_one *one)
{
    for (int at = one->row; at >= 0; at = movers_next_row(b, at)) {
        double own[6], motion[6];
        movers_row_lanes(b, one, at, own);
        movers_inverse(one, own, motion);
        for (int other = one->row; other >= 0; other = movers_next_row(b, other)) {
            const int i = b->row_place[at / 2], j = b->row_place[other / 2];
            double row[6];
            movers_row_lanes(b, one, other, row);
            for (int d = 0; d < one->dofs && j <= i; d++)
                *envelope_at(&b->held, i, j) += row[d] * motion[d];
        }
    }
}

int movers_hold(movers *b, const poisson_row *rows, int count)
{
    b->row = rows;
    b->used.rows = count;
    hold_list(b);
    size_t numbers = hold_lay_out(b);
    while (numbers > b->most.held) {
        b->used.rows -= (b->used.rows + 9) / 10;
        hold_list(b);
        numbers = hold_lay_out(b);
    }
    memset(b->held.value, 0, numbers * sizeof *b->held.value);
    for (int n = 0; n < b->used.bodies; n++)
        hold_add(b, &b->one[n]);
    for (int i = 0; i < b->held.n; i++)
        b->floor[i] = HOLD_LEAST * *envelope_at(&b->held, i, i);
    envelope_factor(&b->held, b->floor);
    return b->used.rows;
}

void movers_move(movers *b)
{
    for (int n = 0; n < b->used.bodies; n++)
        movers_inverse(&b->one[n], b->force + (ptrdiff_t)MOVERS_LANES * n, b->motion + (ptrdiff_t)MOVERS_LANES * n);
    if (b->used.rows == 0)
        return;
    memset(b->hold, 0, (size_t)b->used.rows * sizeof *b->hold);
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < b->used.bodies; n++) {
            double *motion = b->motion + (ptrdiff_t)MOVERS_LANES * n, row[6], taken[6];
            for (int at = b->one[n].row; at >= 0; at = movers_next_row(b, at)) {
                double *hold = &b->hold[b->row_place[at / 2]];
                movers_row_lanes(b, &b->one[n], at, row);
                for (int d = 0; d < b->one[n].dofs && pass == 0; d++)
                    *hold += row[d] * motion[d];
                movers_inverse(&b->one[n], row, taken);
                for (int d = 0; d < b->one[n].dofs && pass == 1; d++)
                    motion[d] -= taken[d] * *hold;
            }
        }
        if (pass == 0)
            envelope_solve(&b->held, b->hold);
    }
}
