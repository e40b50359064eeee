#include "grid/lattice_sweep.h"

#include <string.h>

#include "grid/lattice_lanes.h"
#include "grid/lattice_stencil.h"
#include "grid/lattice_transfer.h"

enum { MOST_SWEEPS = 8 };

typedef struct sweep_work {
    const lattice *l;
    int colour;
    double *dot;         /* takes Σ x b of this colour for every item; NULL: not asked for */
} sweep_work;

/* x = b / D in colour 0: the first half sweep from x = 0. */
static void sweep_first_strip(void *context, const lattice_strip *strip)
{
    const sweep_work *w = context;
    const lattice *l = w->l;
    const stencil s = stencil_of(l);
    const stencil_view view[2] = {stencil_view_of(&s, &l->x, 0, 0), stencil_view_of(&s, &l->x, 0, 1)};
    for (int j = strip->j0; j < strip->j1; j++) {
        ptrdiff_t at = lattice_at(l, j, strip->k);
        stencil_divide(&s, &view[lattice_parity(0, j, strip->k)], at, l->b.of[0] + at, l->x.of[0] + at, l->blocks);
        if (l->clash)
            memset(l->x.of[1] + at, 0, (size_t)l->row * sizeof(float));
    }
}

static void sweep_strip(void *context, const lattice_strip *strip)
{
    const sweep_work *w = context;
    const lattice *l = w->l;
    const stencil s = stencil_of(l);
    const stencil_view view[2] = {stencil_view_of(&s, &l->x, w->colour, 0), stencil_view_of(&s, &l->x, w->colour, 1)};
    lanes_sums sum = {0};
    for (int j = strip->j0; j < strip->j1; j++) {
        ptrdiff_t at = lattice_at(l, j, strip->k);
        const float *rhs = l->b.of[w->colour] + at;
        float *out = l->x.of[w->colour] + at;
        stencil_relax(&s, &view[lattice_parity(w->colour, j, strip->k)], at, rhs, out, l->blocks);
        if (w->dot)
            lanes_dot(out, rhs, l->row, &sum);
    }
    if (w->dot)
        w->dot[strip->item] = lanes_total(&sum);
}

static void sweep_renew(void *context)
{
    const sweep_work *w = context;
    lattice_wrap_vector(w->l, &w->l->x, 1 - w->colour);
}

void lattice_smooth_first(const lattice *l, const lattice_pass *before, int sweeps)
{
    sweep_work work[2] = {{.l = l, .colour = 0}, {.l = l, .colour = 1}};
    lattice_pass passes[1 + 2 * MOST_SWEEPS];
    int count = 0;
    if (before)
        passes[count++] = *before;
    passes[count++] = (lattice_pass){sweep_first_strip, &work[0], 0, NULL};
    for (int half = 1; half < 2 * sweeps; half++)
        passes[count++] = (lattice_pass){sweep_strip, &work[half % 2], half, sweep_renew};
    lattice_chain(l, passes, count);
}

void lattice_smooth_last(const lattice *l, const lattice *coarse, int sweeps, double *const dot[2])
{
    lattice_pair pair = {l, coarse};
    sweep_work work[2] = {{.l = l, .colour = 0}, {.l = l, .colour = 1}}, last[2] = {work[0], work[1]};
    lattice_pass passes[1 + 2 * MOST_SWEEPS];
    int count = 0, halves = 2 * sweeps;
    if (coarse)
        passes[count++] = (lattice_pass){lattice_prolong_strip, &pair, 0, lattice_prolong_renew};
    for (int colour = 0; colour < 2 && dot; colour++)
        last[colour].dot = dot[colour];
    for (int half = 0; half < halves; half++, count++)
        passes[count] = (lattice_pass){sweep_strip, half < halves - 2 ? &work[1 - half % 2] : &last[1 - half % 2], count, sweep_renew};
    lattice_chain(l, passes, count);
}

static void divide_strip(void *context, const lattice_strip *strip)
{
    const lattice_product *w = context;
    const lattice *l = w->l;
    const stencil s = stencil_of(l);
    lanes_sums sum = {0};
    for (int colour = 0; colour < 2; colour++) {
        const stencil_view view[2] = {stencil_view_of(&s, w->v, colour, 0), stencil_view_of(&s, w->v, colour, 1)};
        for (int j = strip->j0; j < strip->j1; j++) {
            ptrdiff_t at = lattice_at(l, j, strip->k);
            const float *v = w->v->of[colour] + at;
            float *out = w->out->of[colour] + at;
            stencil_divide(&s, &view[lattice_parity(colour, j, strip->k)], at, v, out, l->blocks);
            lanes_dot(out, v, l->row, &sum);
        }
    }
    w->dot[strip->item] = lanes_total(&sum);
}

void lattice_divide(const lattice *l, const lattice_vector *v, const lattice_vector *out, double *dot)
{
    lattice_product w = {l, v, out, dot};
    lattice_for(l, divide_strip, &w);
}

void lattice_apply_strip(void *context, const lattice_strip *strip)
{
    const lattice_product *w = context;
    const lattice *l = w->l;
    const stencil s = stencil_of(l);
    lanes_sums sum = {0};
    for (int colour = 0; colour < 2; colour++) {
        const stencil_view view[2] = {stencil_view_of(&s, w->v, colour, 0), stencil_view_of(&s, w->v, colour, 1)};
        for (int j = strip->j0; j < strip->j1; j++) {
            ptrdiff_t at = lattice_at(l, j, strip->k);
            float *out = w->out->of[colour] + at;
            stencil_apply(&s, &view[lattice_parity(colour, j, strip->k)], at, out, l->blocks);
            lanes_dot(out, w->v->of[colour] + at, l->row, &sum);
        }
    }
    w->dot[strip->item] = lanes_total(&sum);
}

void lattice_apply_renew(void *context)
{
    const lattice_product *w = context;
    lattice_wrap_vector(w->l, w->v, 0);
    lattice_wrap_vector(w->l, w->v, 1);
}
