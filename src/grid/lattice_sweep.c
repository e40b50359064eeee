#include "grid/lattice_sweep.h"

#include <string.h>

#include "grid/lattice_lanes.h"
#include "grid/lattice_stencil.h"

typedef struct sweep_work {
    const lattice *l;
    const lattice_vector *v, *out;
    int colour;
    double *dot;
} sweep_work;

static void sweep_first_strip(void *context, const lattice_strip *strip)
{
    const sweep_work *w = context;
    const lattice *l = w->l;
    const stencil s = stencil_of(l);
    for (int j = strip->j0; j < strip->j1; j++) {
        stencil_site site = {0, lattice_parity(0, j, strip->k), lattice_at(l, j, strip->k)};
        for (int block = 0; block < l->blocks; block++, site.at += LANES) {
            float t[LANES];
            stencil_divide(&s, site, &l->b, t);
            memcpy(l->x.of[0] + site.at, t, sizeof t);
            if (l->clash)
                memset(l->x.of[1] + site.at, 0, sizeof t);
        }
    }
}

void lattice_sweep_first(const lattice *l)
{
    sweep_work w = {.l = l};
    lattice_for(l, sweep_first_strip, &w);
}

static void sweep_strip(void *context, const lattice_strip *strip)
{
    const sweep_work *w = context;
    const lattice *l = w->l;
    const stencil s = stencil_of(l);
    const lattice_vector x = l->x;
    const float *rhs = l->b.of[w->colour];
    float *out = x.of[w->colour];
    double sum = 0;
    for (int j = strip->j0; j < strip->j1; j++) {
        stencil_site site = {w->colour, lattice_parity(w->colour, j, strip->k), lattice_at(l, j, strip->k)};
        for (int block = 0; block < l->blocks; block++, site.at += LANES) {
            float t[LANES];
            stencil_relax(&s, site, &x, rhs + site.at, t);
            memcpy(out + site.at, t, sizeof t);
        }
        if (w->dot)
            sum += lanes_dot(out + site.at - l->row, rhs + site.at - l->row, l->row);
    }
    if (w->dot)
        w->dot[strip->item] = sum;
}

void lattice_sweep(const lattice *l, int colour, double *dot)
{
    lattice_wrap_vector(l, &l->x, 1 - colour);
    sweep_work w = {.l = l, .colour = colour, .dot = dot};
    lattice_for(l, sweep_strip, &w);
}

static void divide_strip(void *context, const lattice_strip *strip)
{
    const sweep_work *w = context;
    const lattice *l = w->l;
    const stencil s = stencil_of(l);
    double sum = 0;
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            stencil_site site = {colour, lattice_parity(colour, j, strip->k), lattice_at(l, j, strip->k)};
            const float *v = w->v->of[colour];
            float *out = w->out->of[colour];
            for (int block = 0; block < l->blocks; block++, site.at += LANES) {
                float t[LANES];
                stencil_divide(&s, site, w->v, t);
                memcpy(out + site.at, t, sizeof t);
            }
            sum += lanes_dot(out + site.at - l->row, v + site.at - l->row, l->row);
        }
    }
    w->dot[strip->item] = sum;
}

void lattice_divide(const lattice *l, const lattice_vector *v, const lattice_vector *out, double *dot)
{
    sweep_work w = {.l = l, .v = v, .out = out, .dot = dot};
    lattice_for(l, divide_strip, &w);
}

static void apply_strip(void *context, const lattice_strip *strip)
{
    const sweep_work *w = context;
    const lattice *l = w->l;
    const stencil s = stencil_of(l);
    const lattice_vector v = *w->v, out = *w->out;
    double sum = 0;
    for (int j = strip->j0; j < strip->j1; j++) {
        for (int colour = 0; colour < 2; colour++) {
            stencil_site site = {colour, lattice_parity(colour, j, strip->k), lattice_at(l, j, strip->k)};
            for (int block = 0; block < l->blocks; block++, site.at += LANES) {
                float t[LANES];
                stencil_apply(&s, site, &v, t);
                memcpy(out.of[colour] + site.at, t, sizeof t);
            }
            sum += lanes_dot(out.of[colour] + site.at - l->row, v.of[colour] + site.at - l->row, l->row);
        }
    }
    w->dot[strip->item] = sum;
}

void lattice_apply(const lattice *l, const lattice_vector *v, const lattice_vector *out, double *dot)
{
    lattice_wrap_vector(l, v, 0);
    lattice_wrap_vector(l, v, 1);
    sweep_work w = {.l = l, .v = v, .out = out, .dot = dot};
    lattice_for(l, apply_strip, &w);
}
