/* Closed parts of the fluid that bodies touch. A constant pressure in one pushes them, so that it is no null vector
   where they can move; what is left of the null space are combinations of pockets that no motion changes the volumes
   of. */
#include "base/threads.h"
#include "grid/poisson/movers/movers.h"
#include "grid/poisson/components.h"

/* A pocket of which no more than this is left by others is one that they determine. */
static const double POCKETS_LEAST = 1e-9;

int movers_pocket_of(const movers_pockets *p, float e)
{
    const int number = components_of(e);
    for (int at = 0; at < p->count && number >= 0; at++)
        if (p->number[at] == number)
            return at;
    return -1;
}

typedef double pockets_matrix[MOVERS_POCKETS][MOVERS_POCKETS];

/* What each pocket sweeps out of each, by the bodies that they move: Sᵀ K S; `alone`: its diagonal for K = M⁻¹. */
static void pockets_measure(movers *b, pockets_matrix m, double alone[MOVERS_POCKETS])
{
    for (int p = 0; p < b->pockets.count; p++) {
        memset(b->force, 0, (size_t)b->used.bodies * MOVERS_LANES * sizeof *b->force);
        alone[p] = 0;
        for (int n = 0; n < b->used.bodies; n++)
            for (int at = b->one[n].touch; at >= 0; at = b->touch[at].next) {
                double motion[6];
                if (b->touch[at].pocket != p)
                    continue;
                memcpy(b->force + (ptrdiff_t)MOVERS_LANES * n, b->touch[at].sum, sizeof b->touch[at].sum);
                movers_inverse(&b->one[n], b->touch[at].sum, motion);
                for (int d = 0; d < b->one[n].dofs; d++)
                    alone[p] += b->touch[at].sum[d] * motion[d];
            }
        movers_move(b);
        for (int q = 0; q < b->pockets.count; q++)
            m[q][p] = 0;
        for (int n = 0; n < b->used.bodies; n++)
            for (int at = b->one[n].touch; at >= 0; at = b->touch[at].next)
                for (int d = 0; d < b->one[n].dofs; d++)
                    m[b->touch[at].pocket][p] += b->touch[at].sum[d] * b->motion[MOVERS_LANES * n + d];
    }
}

/* The pocket of which others leave the most; −1: nothing of any. */
static int pockets_choose(const movers_pockets *p, pockets_matrix m, const double alone[MOVERS_POCKETS])
{
    double most = POCKETS_LEAST;
    int best = -1;
    for (int at = 0; at < p->count; at++)
        if (p->column[at] < 0 && alone[at] > 0 && m[at][at] > most * alone[at]) {
            most = m[at][at] / alone[at];
            best = at;
        }
    return best;
}

/* Gauss and Jordan: what `at` determines is taken off all others. */
static void pockets_eliminate(int count, pockets_matrix m, int at)
{
    const double pivot = m[at][at];
    for (int c = 0; c < count; c++)
        m[at][c] /= pivot;
    for (int r = 0; r < count; r++) {
        const double factor = m[r][at];
        for (int c = 0; c < count && r != at; c++)
            m[r][c] -= factor * m[at][c];
    }
}

void movers_find_nulls(movers *b)
{
    movers_pockets *p = &b->pockets;
    pockets_matrix m;
    double alone[MOVERS_POCKETS];
    p->springy = p->nulls = 0;
    for (int at = 0; at < p->count; at++)
        p->column[at] = -1;
    pockets_measure(b, m, alone);
    for (int at; (at = pockets_choose(p, m, alone)) >= 0; p->springy++) {
        pockets_eliminate(p->count, m, at);
        p->column[at] = 0;
    }
    for (int at = 0; at < p->count; at++) {
        if (p->column[at] >= 0)
            continue;
        double *null = p->null[p->nulls++];
        for (int r = 0; r < p->count; r++)
            null[r] = r == at ? 1 : p->column[r] >= 0 ? -m[r][at] : 0;
    }
}

/* Gram and Schmidt, cells counting alike. */
void movers_keep_nulls(const movers *b, double *mean, const double *count)
{
    const movers_pockets *p = &b->pockets;
    pockets_matrix own;
    double sum[MOVERS_POCKETS];
    if (p->springy == 0)
        return;
    for (int at = 0; at < p->count; at++) {
        sum[at] = mean[p->number[at]] * count[p->number[at]];
        mean[p->number[at]] = 0;
    }
    for (int n = 0; n < p->nulls; n++) {
        memcpy(own[n], p->null[n], sizeof own[n]);
        for (int before = 0; before <= n; before++) {
            double along = 0;
            for (int at = 0; at < p->count; at++)
                along += own[before][at] * own[n][at] * count[p->number[at]];
            for (int at = 0; at < p->count; at++)
                own[n][at] = before < n ? own[n][at] - along * own[before][at] : own[n][at] / sqrt(along);
        }
        double along = 0;
        for (int at = 0; at < p->count; at++)
            along += own[n][at] * sum[at];
        for (int at = 0; at < p->count; at++)
            mean[p->number[at]] += along * own[n][at];
    }
}

/* A pass over the cells of pockets. */
typedef struct pockets_work {
    const poisson *s;
    const float *v;              /* what is summed, */
    const double *add;           /* or what is added in each pocket: */
    float *to;                   /* to one of these */
    double *to_double;
} pockets_work;

/* The pocket of a cell by its stored extra. Neighbours mostly have the same. */
typedef struct pockets_last {
    int32_t bits;
    int pocket;
} pockets_last;

static int pockets_of(const movers_pockets *p, float e, pockets_last *last)
{
    int32_t bits;
    memcpy(&bits, &e, sizeof bits);
    if (bits != last->bits)
        *last = (pockets_last){bits, movers_pocket_of(p, e)};
    return last->pocket;
}

/* All cells of an interior block are in one pocket. */
static void pockets_block(const pockets_work *w, int pocket, ptrdiff_t slot, double *sum)
{
    double lanes[4] = {0};
    for (int h = 0; h < LANES && w->v; h += 4)
        for (int lane = 0; lane < 4; lane++)
            lanes[lane] += (double)w->v[slot + h + lane];
    *sum += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    for (int h = 0; h < LANES && w->to; h++)
        w->to[slot + h] += (float)w->add[pocket];
    for (int h = 0; h < LANES && w->to_double; h++)
        w->to_double[slot + h] += w->add[pocket];
}

static void pockets_cell(const pockets_work *w, int pocket, ptrdiff_t slot, double *sum)
{
    if (w->v)
        *sum += (double)w->v[slot];
    else if (w->to)
        w->to[slot] += (float)w->add[pocket];
    else
        w->to_double[slot] += w->add[pocket];
}

static void pockets_strip(void *context, const lattice_strip *strip)
{
    const pockets_work *w = context;
    const lattice *l = &w->s->level[0];
    const movers_pockets *p = &w->s->movers->pockets;
    double *sum = w->s->movers->pocket_sum + (ptrdiff_t)MOVERS_POCKETS * strip->item;
    pockets_last last = {0, -1};
    memset(sum, 0, MOVERS_POCKETS * sizeof *sum);
    for (int j = strip->j0; j < strip->j1; j++)
        for (int colour = 0; colour < 2; colour++) {
            const lattice_run run = lattice_run_of(l, j, strip->k);
            for (ptrdiff_t at = run.at; at < run.at + run.count; at += LANES) {
                const float *e = l->e.of[colour] + at;
                const ptrdiff_t slot = colour * l->slots + at;
                const bool interior = l->code[colour][at / LANES] == BLOCK_INTERIOR;
                if (interior && pockets_of(p, e[0], &last) >= 0)
                    pockets_block(w, last.pocket, slot, &sum[last.pocket]);
                for (int h = 0; h < LANES && !interior; h++)
                    if (pockets_of(p, e[h], &last) >= 0)
                        pockets_cell(w, last.pocket, slot + h, &sum[last.pocket]);
            }
        }
}

void movers_sum_strip(const poisson *s, const float *v, const lattice_strip *strip)
{
    pockets_strip(&(pockets_work){.s = s, .v = v}, strip);
}

void movers_begin_sums(const poisson *s)
{
    memset(s->movers->pocket_sum, 0, (size_t)lattice_items(&s->level[0]) * MOVERS_POCKETS * sizeof(double));
}

void movers_sum_pockets(const poisson *s, const float *v, double sum[MOVERS_POCKETS])
{
    movers_begin_sums(s);
    lattice_for(&s->level[0], pockets_strip, &(pockets_work){.s = s, .v = v});
    movers_total_pockets(s, sum);
}

void movers_total_pockets(const poisson *s, double sum[MOVERS_POCKETS])
{
    const lattice *l = &s->level[0];
    for (int p = 0; p < s->movers->pockets.count; p++) {
        sum[p] = 0;
        for (int item = 0; item < lattice_items(l); item++)
            sum[p] += s->movers->pocket_sum[item * MOVERS_POCKETS + p];
    }
}

void movers_add_pockets(const poisson *s, const double *add, float *to, double *to_double)
{
    lattice_for(&s->level[0], pockets_strip, &(pockets_work){.s = s, .add = add, .to = to, .to_double = to_double});
}
