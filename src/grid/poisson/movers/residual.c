/* The true residual with bodies. Where they push, it is a small difference of large numbers, and made in double. */
#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/components.h"
#include "grid/poisson/lattice_lanes.h"

void movers_gather_solution(const poisson *s, int body, double to[MOVERS_LANES])
{
    const movers *b = s->movers;
    const movers_one *one = &b->one[body];
    const float *push = movers_lanes(b, MOVERS_PUSH, one);
    memset(to, 0, MOVERS_LANES * sizeof *to);
    for (int n = 0; n < one->pushes; n++)
        for (int d = 0; d < one->dofs; d++)
            to[d] += (double)push[(ptrdiff_t)one->lanes * n + d] * s->x[0][b->slot[one->first + n]];
}

typedef struct residual_work {
    poisson *s;
    const double *mean;
} residual_work;

static void residual_gather_share(void *context, int begin, int end)
{
    const residual_work *w = context;
    for (int n = begin; n < end; n++)
        movers_gather_solution(w->s, n, w->s->movers->force + (ptrdiff_t)MOVERS_LANES * n);
}

/* C times the motion, in double, at the leaders of all pushed cells. */
static void residual_load(movers *b)
{
    memset(b->load, 0, (size_t)b->used.pushed * sizeof *b->load);
    for (int n = 0; n < b->used.bodies; n++) {
        const movers_one *one = &b->one[n];
        const float *push = movers_lanes(b, MOVERS_PUSH, one);
        for (int entry = 0; entry < one->pushes; entry++)
            for (int d = 0; d < one->dofs; d++)
                b->load[b->leader[one->pushed + entry]] +=
                    (double)push[(ptrdiff_t)one->lanes * entry + d] * b->motion[MOVERS_LANES * n + d];
    }
}

/* r of one cell. */
static void residual_cell(const residual_work *w, int slot, double load)
{
    const poisson *s = w->s;
    const lattice *l = &s->level[0];
    const movers_place p = movers_place_of(l, slot);
    const lattice_site site = {p.colour, p.at[0] & 1, p.slot};
    const int component = components_of(l->e.of[p.colour][p.slot]);
    const double b = (double)field_row(s->right, p.at[1], p.at[2])[p.at[0]] - (component >= 0 ? w->mean[component] : 0);
    const poisson_balance balance = poisson_balance_of(s, &site, b);
    const double r = balance.sum - balance.diagonal * s->x[p.colour][p.slot] - load;
    l->b.of[p.colour][p.slot] = (float)(s->scale * r);
}

static void residual_cells_share(void *context, int begin, int end)
{
    const residual_work *w = context;
    const movers *b = w->s->movers;
    for (int n = begin; n < end; n++) {
        const movers_one *one = &b->one[n];
        for (int entry = 0; entry < one->pushes; entry++)
            if (b->leader[one->pushed + entry] == one->pushed + entry)
                residual_cell(w, b->slot[one->first + entry], b->load[one->pushed + entry]);
    }
}

/* r −= (A + C K Cᵀ) W c, x += W c, with c = E⁻¹ Wᵀ r. */
static void residual_deflate(poisson *s)
{
    movers *b = s->movers;
    const lattice *l = &s->level[0];
    double pocket[MOVERS_POCKETS];
    movers_project(s, b->right);
    envelope_solve(&b->space, b->right);
    movers_give_columns(b, b->right, -1, b->motion);
    movers_add(b, MOVERS_PRODUCT, b->motion, l->b.of[0]);
    movers_pushed_by_space(b, b->right);
    movers_move(b);
    for (int n = 0; n < b->used.bodies * MOVERS_LANES; n++)
        b->motion[n] = -b->motion[n];
    movers_add(b, MOVERS_PUSH, b->motion, l->b.of[0]);
    movers_give_columns(b, b->right, 1 / s->scale, b->motion);
    movers_add_solution(b, b->motion, s->x[0]);
    movers_give_pockets(b, b->right, 1 / s->scale, pocket);
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
    const float *e = s->level[0].e.of[0];
    movers_sum_pockets(s, r, sum);
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < b->used.bodies; n++) {
            const movers_one *one = &b->one[n];
            for (int entry = 0; entry < one->pushes; entry++) {
                const int slot = b->slot[one->first + entry], pocket = movers_pocket_of(&b->pockets, e[slot]);
                if (pocket >= 0 && pass == 0)
                    cells[pocket] += 1;
                else if (pocket >= 0)
                    r[slot] -= (float)(sum[pocket] / cells[pocket]);
            }
        }
}

static void residual_measure_strip(void *context, const lattice_strip *strip)
{
    const poisson *s = context;
    const lattice *l = &s->level[0];
    lanes_norms norms = {0};
    for (int j = strip->j0; j < strip->j1; j++)
        for (int colour = 0; colour < 2; colour++) {
            lattice_run run = lattice_run_of(l, j, strip->k);
            float *r = l->b.of[colour] + run.at;
            lanes_step(r, r, 0, run.count, &norms);
        }
    s->partial[2][strip->item] = lanes_total(&norms.square);
    s->partial[3][strip->item] = lanes_largest(&norms);
}

pcg_norms movers_residual(poisson *s, const double *mean)
{
    movers *b = s->movers;
    residual_work w = {s, mean};
    if (s->started) {
        threads_for_cost(b->used.bodies, 2 * b->used.pushed / b->used.bodies, residual_gather_share, &w);
        movers_move(b);
        residual_load(b);
        threads_for_cost(b->used.bodies, 20 * b->used.pushed / b->used.bodies, residual_cells_share, &w);
    }
    if (s->deflates && b->space.n > b->used.rows) {
        residual_deflate(s);
        s->started = true;
    }
    if (b->pockets.count && (s->deflates || b->pockets.springy == 0))
        residual_centre(s);
    lattice_for(&s->level[0], residual_measure_strip, s);
    pcg_norms norms = poisson_norms(s, 2, 3);
    return (pcg_norms){norms.l2 / s->scale, norms.max / s->scale};
}
