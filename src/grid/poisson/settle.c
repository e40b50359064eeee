/* The first guess beside a surface. The pressure of the last step is a good guess inside the liquid, but the surface
   has moved, and where it is close to a cell's centre now the extra is up to 1e9 times the other weights. What the
   guess leaves there is thousands of times b, and CG spends its first iterations on these single cells: a falling dam
   then takes longer than from zero. One Gauss–Seidel sweep over the cells that are tied to the surface settles them. */
#include "grid/poisson/parts.h"

typedef struct settle_work {
    poisson *s;
    int colour;
} settle_work;

/* x = (b + Σ c w x_j) / (Σ c w + e). */
static void settle_cell(const poisson *s, const lattice_site *site, double b)
{
    const poisson_balance balance = poisson_balance_of(s, site, b);
    s->x[site->colour][site->at] = balance.sum / balance.diagonal;
}

static void settle_block(const poisson *s, lattice_site site, const float *b, int cells)
{
    const float *e = s->level[0].e.of[site.colour] + site.at;
    for (int h = 0; h < LANES && h < cells; h++, site.at++)
        if (e[h] > 0)
            settle_cell(s, &site, (double)b[2 * h]);
}

static void settle_strip(void *context, const lattice_strip *strip)
{
    const settle_work *w = context;
    const lattice *l = &w->s->level[0];
    for (int j = strip->j0; j < strip->j1; j++) {
        const lattice_run run = lattice_run_of(l, j, strip->k);
        lattice_site site = {w->colour, lattice_parity(w->colour, j, strip->k), run.at};
        const float *b = field_row(w->s->right, j, strip->k) + 2 * run.first + site.parity;
        int cells = lattice_half(l->n[0], site.parity) - (int)run.first;
        for (; site.at < run.at + run.count; site.at += LANES, b += 2 * LANES, cells -= LANES)
            if (l->code[w->colour][site.at / LANES] >= BLOCK_BINARY)
                settle_block(w->s, site, b, cells);
    }
}

void poisson_settle(poisson *s)
{
    const lattice *l = &s->level[0];
    for (int colour = 0; colour < 2; colour++) {
        lattice_wrap(l, (void *const[2]){s->x[0], s->x[1]}, sizeof(double), 1 - colour);
        lattice_for(l, settle_strip, &(settle_work){s, colour});
    }
}
