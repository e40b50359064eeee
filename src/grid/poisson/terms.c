/* Low-rank terms d u uᵀ. They are few and have few entries, so they are applied serially. */
#include <math.h>

#include "base/threads.h"
#include "grid/poisson/lattice_chain.h"
#include "grid/poisson/lattice_lanes.h"
#include "grid/poisson/parts.h"

void poisson_set_terms(poisson *s, const poisson_term *terms, int count)
{
    s->terms = terms;
    s->term_count = count;
}

typedef struct terms_place {
    int colour;
    ptrdiff_t slot;
    bool live;
} terms_place;

static terms_place terms_place_of(const lattice *l, int32_t cell)
{
    int i = cell % l->n[0], j = cell / l->n[0] % l->n[1], k = cell / l->n[0] / l->n[1];
    int colour = lattice_colour(i, j, k);
    ptrdiff_t slot = lattice_slot(l, i, j, k);
    return (terms_place){colour, slot, l->flags[colour][slot] & FLAG_LIVE};
}

/* to += factor·u */
static void terms_scatter(const lattice *l, const poisson_term *term, double factor, const lattice_vector *to)
{
    for (int n = 0; n < term->count; n++) {
        terms_place at = terms_place_of(l, term->cell[n]);
        if (at.live)
            to->of[at.colour][at.slot] += (float)(factor * (double)term->u[n]);
    }
}

double poisson_term_product(const poisson *s, int index)
{
    const poisson_term *term = &s->terms[index];
    double sum = 0;
    for (int n = 0; n < term->count; n++) {
        terms_place at = terms_place_of(&s->level[0], term->cell[n]);
        sum += at.live ? (double)term->u[n] * s->x[at.colour][at.slot] : 0;
    }
    return sum;
}

static double terms_gather(const poisson *s, const poisson_term *term)
{
    double sum = 0;
    for (int n = 0; n < term->count; n++) {
        terms_place at = terms_place_of(&s->level[0], term->cell[n]);
        sum += at.live ? (double)term->u[n] * (double)s->p.of[at.colour][at.slot] : 0;
    }
    return sum;
}

double poisson_terms_apply(const poisson *s)
{
    const lattice *l = &s->level[0];
    double product = 0;
    for (int t = 0; t < s->term_count; t++) {
        double along = terms_gather(s, &s->terms[t]);
        terms_scatter(l, &s->terms[t], s->terms[t].d * along, &l->x);
        product += s->terms[t].d * along * along;
    }
    return product;
}

static void terms_measure_strip(void *context, const lattice_strip *strip)
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

pcg_norms poisson_terms_residual(poisson *s)
{
    const lattice *l = &s->level[0];
    for (int t = 0; t < s->term_count; t++)
        terms_scatter(l, &s->terms[t], -s->scale * s->terms[t].d * poisson_term_product(s, t), &l->b);
    lattice_for(l, terms_measure_strip, s);
    pcg_norms norms = poisson_norms(s, 2, 3);
    return (pcg_norms){norms.l2 / s->scale, norms.max / s->scale};
}
