#include "grid/poisson/lattice_sweep.h"

#include <string.h>

#include "grid/poisson/lattice_lanes.h"
#include "grid/poisson/lattice_stencil.h"
#include "grid/poisson/lattice_transfer.h"

enum { MOST_SWEEPS = 8 };

typedef struct sweep_work {
    const lattice *l;
    int colour;
    bool overdone;
    double *dot;         /* gets Σ x b of this colour per item; NULL: not needed */
} sweep_work;

static stencil sweep_stencil_of(const lattice *l)
{
    stencil s = stencil_of(l);
    for (int colour = 0; colour < 2 && stencil_fetches(l); colour++)
        s.fetch[colour] = s.over[colour];
    return s;
}

/* x = b / D in colour 0: the first half sweep from x = 0. */
static void sweep_first_strip(void *context, const lattice_strip *strip)
{
    const sweep_work *w = context;
    const lattice *l = w->l;
    const stencil s = sweep_stencil_of(l);
    const stencil_view view[2] = {stencil_view_of(&s, &l->x, 0, 0), stencil_view_of(&s, &l->x, 0, 1)};
    for (int j = strip->j0; j < strip->j1; j += STENCIL_ROWS_MOST) {
        const stencil_rows rows = stencil_rows_of(l, 0, strip, j);
        stencil_divide(&s, view, &rows, l->b.of[0], l->x.of[0]);
    }
    for (int j = strip->j0; j < strip->j1 && l->clash; j++) {
        lattice_run run = lattice_run_of(l, j, strip->k);
        memset(l->x.of[1] + run.at, 0, (size_t)run.count * sizeof(float));
    }
}

/* Adds Σ a b over rows. */
LATTICE_INLINE void sweep_dot(const lattice *l, const stencil_rows *rows, const float *a, const float *b,
                              lanes_sums *sum)
{
    for (int row = 0; row < rows->count; row++) {
        lattice_span span = rows->span[row];
        ptrdiff_t at = rows->at + row * l->row + span.begin * LANES;
        lanes_dot(a + at, b + at, (ptrdiff_t)(span.end - span.begin) * LANES, sum);
    }
}

static void sweep_strip(void *context, const lattice_strip *strip)
{
    const sweep_work *w = context;
    const lattice *l = w->l;
    const stencil s = sweep_stencil_of(l);
    const stencil_view view[2] = {stencil_view_of(&s, &l->x, w->colour, 0), stencil_view_of(&s, &l->x, w->colour, 1)};
    const float *rhs = l->b.of[w->colour];
    float *out = l->x.of[w->colour];
    lanes_sums sum = {0};
    for (int j = strip->j0; j < strip->j1; j += STENCIL_ROWS_MOST) {
        const stencil_rows rows = stencil_rows_of(l, w->colour, strip, j);
        if (w->overdone)
            stencil_overdo(&s, view, &rows, rhs, out);
        else
            stencil_relax(&s, view, &rows, rhs, out);
        if (w->dot)
            sweep_dot(l, &rows, out, rhs, &sum);
    }
    if (w->dot)
        w->dot[strip->item] = lanes_total(&sum);
}

static void sweep_renew(void *context)
{
    const sweep_work *w = context;
    lattice_wrap_vector(w->l, &w->l->x, 1 - w->colour);
}

/* A half sweep of each colour, plain and overdone. */
typedef struct sweep_kinds {
    sweep_work plain[2], overdone[2];
} sweep_kinds;

static sweep_kinds sweep_kinds_of(const lattice *l)
{
    const bool liquid = l->surface;
    return (sweep_kinds){{{.l = l, .colour = 0}, {.l = l, .colour = 1}},
                         {{.l = l, .colour = 0, .overdone = liquid}, {.l = l, .colour = 1, .overdone = liquid}}};
}

void lattice_smooth_first(const lattice *l, const lattice_pass *before, int sweeps)
{
    sweep_kinds work = sweep_kinds_of(l);
    lattice_pass passes[1 + 2 * MOST_SWEEPS];
    int count = 0, halves = 2 * sweeps;
    if (before)
        passes[count++] = *before;
    passes[count++] = (lattice_pass){sweep_first_strip, &work.plain[0], 0, NULL, 0};
    for (int half = 1; half < halves; half++) /* the first two begin at zero; the last leaves no residual behind */
        passes[count++] = (lattice_pass){
            sweep_strip, half > 1 && half < halves - 1 ? &work.overdone[half % 2] : &work.plain[half % 2], half,
            sweep_renew, 0};
    lattice_chain(l, passes, count);
}

void lattice_smooth_last(const lattice *l, const lattice *coarse, int sweeps, double *const dot[2])
{
    lattice_pair pair = {l, coarse};
    sweep_kinds work = sweep_kinds_of(l);
    sweep_work last[2] = {work.plain[0], work.plain[1]};
    lattice_pass passes[1 + 2 * MOST_SWEEPS];
    int count = 0, halves = 2 * sweeps;
    if (coarse)
        passes[count++] = (lattice_pass){lattice_prolong_strip, &pair, 0, lattice_prolong_renew, 0};
    for (int colour = 0; colour < 2 && dot; colour++)
        last[colour].dot = dot[colour];
    for (int half = 0; half < halves; half++, count++) { /* as the first ones, in reverse */
        const int colour = 1 - half % 2;
        sweep_work *kind = half == 0 ? work.plain : half < halves - 2 ? work.overdone : last;
        passes[count] = (lattice_pass){sweep_strip, &kind[colour], count, sweep_renew, 0};
    }
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
        for (int j = strip->j0; j < strip->j1; j += STENCIL_ROWS_MOST) {
            const stencil_rows rows = stencil_rows_of(l, colour, strip, j);
            stencil_divide(&s, view, &rows, w->v->of[colour], w->out->of[colour]);
            sweep_dot(l, &rows, w->out->of[colour], w->v->of[colour], &sum);
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
    stencil s = stencil_of(l);
    lanes_sums sum = {0};
    for (int colour = 0; colour < 2; colour++) {
        if (stencil_fetches(l))
            s.fetch[colour] = s.e[colour];
        const stencil_view view[2] = {stencil_view_of(&s, w->v, colour, 0), stencil_view_of(&s, w->v, colour, 1)};
        for (int j = strip->j0; j < strip->j1; j += STENCIL_ROWS_MOST) {
            const stencil_rows rows = stencil_rows_of(l, colour, strip, j);
            stencil_apply(&s, view, &rows, w->out->of[colour]);
            sweep_dot(l, &rows, w->out->of[colour], w->v->of[colour], &sum);
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
