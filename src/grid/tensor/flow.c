/* The flux F. It must agree with the matrix (matrix.c): the same faces count as open at an edge, and as often. */
#include "base/threads.h"
#include "grid/halo.h"
#include "grid/tensor/tensor.h"

typedef struct flow_work {
    const tensor *t;
    const field *p;
    field *flux;
    int axis;
    float scale;
} flow_work;

/* Maps an index along an axis back into the block: periodically, or to the mirror image beyond a fixed side. */
static int flow_inside(const domain *d, int axis, int i)
{
    int n = d->n[axis];
    if (i >= 0 && i < n)
        return i;
    return d->periodic[axis] ? (i + n) % n : i < 0 ? 0 : n - 1;
}

/* Index of a face or edge: on a periodic axis those on the high side are the same as those on the low side. */
static int flow_on_side(const domain *d, int axis, int i) { return d->periodic[axis] && i == d->n[axis] ? 0 : i; }

static bool flow_on_closed_side(const tensor *t, int axis, int i)
{
    return (i == 0 && t->sides[2 * axis] == TENSOR_CLOSED) ||
           (i == t->domain.n[axis] && t->sides[2 * axis + 1] == TENSOR_CLOSED);
}

/* Rows of values around the edges of a range of faces, all indexed like the flux. */
typedef struct flow_edge {
    const float *cross, *f1, *f2, *g1, *g2, *low1, *high1, *low2, *high2;
} flow_edge;

static const float *flow_row(const field *f, const int at[3]) { return field_row(f, at[1], at[2]) + at[0]; }

/* The edges between the faces across `axis` at `face` and those across `other` at `place` along it. */
static flow_edge flow_edge_at(const flow_work *w, const int face[3], int other, int place)
{
    const domain *d = &w->t->domain;
    int a = w->axis, at[3] = {face[0], face[1], face[2]}, shift = face[0];
    flow_edge e;
    at[a] = flow_on_side(d, a, face[a]);
    at[other] = flow_on_side(d, other, place);
    e.cross = flow_row(&w->t->cross[3 - a - other], at);
    at[other] = flow_inside(d, other, place - 1);
    e.f1 = flow_row(&w->t->weight[a], at);
    at[other] = flow_inside(d, other, place);
    e.f2 = flow_row(&w->t->weight[a], at);
    const float **faces[2] = {&e.g1, &e.g2}, **low[2] = {&e.low1, &e.low2}, **high[2] = {&e.high1, &e.high2};
    for (int c = 0; c < 2; c++) {
        at[a] = flow_inside(d, a, face[a] - 1 + c);
        at[other] = flow_on_side(d, other, place);
        *faces[c] = flow_row(&w->t->weight[other], at) - shift;
        at[other] = place;
        *high[c] = flow_row(w->p, at) - shift;
        at[other] = place - 1;
        *low[c] = flow_row(w->p, at) - shift;
    }
    e.cross -= shift;
    e.f1 -= shift;
    e.f2 -= shift;
    return e;
}

static inline float flow_open(float weight) { return weight > 0 ? 1 : 0; }

/* Adds the cross terms of the edges on one side of the faces [begin, end) of a row. */
static void flow_add_edges(const flow_edge *e, const float *restrict weight, float scale, int begin, int end,
                           float *restrict flux)
{
    const float *restrict cross = e->cross, *restrict f1 = e->f1, *restrict f2 = e->f2, *restrict g1 = e->g1,
                          *restrict g2 = e->g2;
    const float *restrict low1 = e->low1, *restrict high1 = e->high1, *restrict low2 = e->low2,
                          *restrict high2 = e->high2;
    for (int i = begin; i < end; i++) {
        float before = flow_open(g1[i]), behind = flow_open(g2[i]), f = flow_open(f1[i]) + flow_open(f2[i]),
              g = before + behind;
        float share = (f > g ? f : g) > 1 ? 0.25f : 0.5f;
        float slope = before * (high1[i] - low1[i]) + behind * (high2[i] - low2[i]);
        flux[i] += scale * flow_open(weight[i]) * share * cross[i] * slope;
    }
}

/* Faces [begin, end) of a row: all of them interior along the row, or a single one. */
static void flow_add_range(const flow_work *w, int j, int k, int begin, int end)
{
    const domain *d = &w->t->domain;
    const int a = w->axis, face[3] = {begin, j, k};
    float *restrict flux = field_row(&w->flux[a], j, k);
    const float *weight = field_row(&w->t->weight[a], j, k), *p = field_row(w->p, j, k), *low = p - w->p->stride[a];
    for (int i = begin; i < end; i++)
        flux[i] += w->scale * (weight[i] * (p[i] - low[i]));
    for (int other = 0; other < d->dims; other++)
        for (int place = face[other]; other != a && place <= face[other] + 1; place++) {
            if (flow_on_closed_side(w->t, other, place))
                continue;
            flow_edge e = flow_edge_at(w, face, other, place);
            flow_add_edges(&e, weight, w->scale, begin, end, flux);
        }
}

static void flow_rows(void *context, int begin, int end)
{
    const flow_work *w = context;
    const int *size = w->flux[w->axis].size, *n = w->t->domain.n, a = w->axis;
    for (int row = begin; row < end; row++) {
        int j = row % size[1], k = row / size[1], at[3] = {0, j, k};
        if (a > 0 && flow_on_closed_side(w->t, a, at[a]))
            continue;
        int first = a == 0 && flow_on_closed_side(w->t, 0, 0),
            end_of_row = size[0] - (a == 0 && flow_on_closed_side(w->t, 0, n[0]));
        for (int i = first; i < end_of_row;) {
            bool at_an_end = i == 0 || i >= n[0] - 1;
            int until = at_an_end ? i + 1 : n[0] - 1;
            flow_add_range(w, j, k, i, until < end_of_row ? until : end_of_row);
            i = until;
        }
    }
}

void tensor_add_flow(const tensor *t, field *p, float scale, field flux[3])
{
    halo_side sides[6] = {{0}};
    for (int side = 0; side < 6; side++)
        sides[side].kind = t->sides[side] == TENSOR_FIXED      ? HALO_VALUE
                           : t->sides[side] == TENSOR_PERIODIC ? HALO_PERIODIC
                                                               : HALO_EVEN;
    halo_fill(p, &t->domain, sides);
    for (int a = 0; a < t->domain.dims; a++) {
        flow_work w = {t, p, flux, a, scale};
        field_for_rows(&flux[a], flow_rows, &w);
    }
}
