/* The true residual with bodies. Where they push, it is a small difference of large numbers, and made in double. */
#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/lattice_lanes.h"

typedef struct residual_work {
    poisson *s;
    const double *mean;
} residual_work;

/* b without its means, where bodies push. */
static void residual_take_right(const residual_work *w)
{
    const poisson *s = w->s;
    const int *n = s->level[0].n;
    movers *b = s->movers;
    for (int at = 0; at < b->used.pushed; at++) {
        const movers_cell *c = &b->cell[at];
        const int i = c->number % n[0], j = c->number / n[0] % n[1], k = c->number / n[0] / n[1];
        const double mean = c->pocket >= 0 ? w->mean[b->pockets.number[c->pocket]] : 0;
        b->right[at] = (double)field_row(s->right, j, k)[i] - mean;
    }
}

static void residual_cells_share(void *context, int begin, int end)
{
    const residual_work *w = context;
    const poisson *s = w->s;
    const movers *b = s->movers;
    const lattice *l = &s->level[0];
    const double *x = s->x[0];
    for (const movers_piece *piece = b->piece + begin; piece < b->piece + end; piece++) {
        const movers_one *one = &b->one[piece->body];
        for (int n = piece->begin; n < piece->end && n < one->pushes; n++) {
            const int at = one->pushed + n, slot = b->slot[one->first + n];
            const movers_cell *c = &b->cell[at];
            double r = b->right[at] - b->load[at] - (double)c->extra * x[slot];
            for (int face = 0; face < 6; face++)
                r -= l->c[face / 2] * (double)c->weight[face] * (x[slot] - x[c->near[face]]);
            if (b->leader[at] == at)
                l->b.of[0][slot] = (float)(s->scale * r);
        }
    }
}

/* r −= (A + C K Cᵀ) W c, x += W c, with c = E⁻¹ Wᵀ r. */
static void residual_deflate(poisson *s)
{
    movers *b = s->movers;
    const lattice *l = &s->level[0];
    double pocket[MOVERS_POCKETS];
    movers_project(s, b->answer);
    envelope_solve(&b->space, b->answer);
    movers_give_columns(b, b->answer, -1, b->motion);
    movers_add(b, MOVERS_PRODUCT, b->motion, l->b.of[0]);
    movers_pushed_by_space(b, b->answer);
    movers_move(b);
    for (int n = 0; n < b->used.bodies * MOVERS_LANES; n++)
        b->motion[n] = -b->motion[n];
    movers_add(b, MOVERS_PUSH, b->motion, l->b.of[0]);
    movers_give_columns(b, b->answer, 1 / s->scale, b->motion);
    movers_add_solution(b, b->motion, s->x[0]);
    movers_give_pockets(b, b->answer, 1 / s->scale, pocket);
    if (b->pockets.springy)
        movers_add_pockets(s, pocket, NULL, s->x[0]);
}

/* What rounding has left of the sums over pockets goes to the cells that bodies push there. A mean of 1e-8 would grow a
   thousandfold on the coarse levels. */
static void residual_centre(poisson *s)
{
    movers *b = s->movers;
    double sum[MOVERS_POCKETS], cells[MOVERS_POCKETS] = {0};
    float *r = s->level[0].b.of[0];
    movers_total_pockets(s, sum);
    for (int at = 0; at < b->used.pushed; at++)
        if (b->cell[at].pocket >= 0)
            cells[b->cell[at].pocket] += 1;
    for (const movers_one *one = b->one; one < b->one + b->used.bodies; one++)
        for (int n = 0; n < one->pushes; n++) {
            const int pocket = b->cell[one->pushed + n].pocket;
            if (pocket >= 0)
                r[b->slot[one->first + n]] -= (float)(sum[pocket] / cells[pocket]);
        }
}

typedef struct residual_measure_work {
    const poisson *s;
    bool centres;
} residual_measure_work;

/* Norms, and sums over pockets. */
static void residual_measure_strip(void *context, const lattice_strip *strip)
{
    const residual_measure_work *w = context;
    const poisson *s = w->s;
    const lattice *l = &s->level[0];
    lanes_norms norms = {0};
    for (int j = strip->j0; j < strip->j1; j++)
        for (int colour = 0; colour < 2; colour++) {
            lattice_run run = lattice_run_of(l, j, strip->k);
            lanes_take_norms(l->b.of[colour] + run.at, run.count, &norms);
        }
    s->partial[2][strip->item] = lanes_total(&norms.square);
    s->partial[3][strip->item] = lanes_largest(&norms);
    if (w->centres)
        movers_sum_strip(s, l->b.of[0], strip);
}

pcg_norms movers_residual(poisson *s, const double *mean, bool fresh)
{
    movers *b = s->movers;
    residual_work w = {s, mean};
    if (fresh)
        residual_take_right(&w);
    if (s->started) {
        movers_gather_solution(b, s->x[0], b->force);
        movers_move(b);
        movers_make_load(b, b->motion);
        threads_for_cost(b->used.pieces, 10 * MOVERS_PIECE, residual_cells_share, &w);
    }
    if (s->deflates && b->space.n > b->used.rows) {
        residual_deflate(s);
        s->started = true;
    }
    residual_measure_work measure = {s, b->pockets.count && (s->deflates || b->pockets.springy == 0)};
    movers_begin_sums(s);
    lattice_for(&s->level[0], residual_measure_strip, &measure);
    if (measure.centres)
        residual_centre(s);
    pcg_norms norms = poisson_norms(s, 2, 3);
    return (pcg_norms){norms.l2 / s->scale, norms.max / s->scale};
}
