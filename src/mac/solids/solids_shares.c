/* What rigid bodies cover of cells and of the cubes around the middles of faces.

   A cube consists of the upper half of one cell and the lower half of the next. So the bodies' shares of all octants of
   the cells near their surface (solids_cut.c) are added up to those of cells and their halves, and these to the shares
   of the cubes: along every axis they have the same sum, the body's volume. Edges and corners are not resolved by
   octants, so that the sum would be off by up to 5e-3 and change as the body moves; it is made to fit. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "mac/solids/solids_parts.h"

/* Cells beside a body's bounding box: a face there may be closed to keep two sides of the body apart. */
enum { SHARES_MARGIN = 1 };

/* By more than this part of itself no volume is off but that of a body too thin for the samples. */
static const double SHARES_OFF = 0.05;

typedef struct shares_job {
    solids *s;
    fr_result result;
} shares_job;

/* The most places that a box around a body can have, however it is turned. Turned, the edges of a box e add up to at
   most √dims Σ e, and no edge is longer than its diagonal; of all boxes with the same sum the cube has the most
   room. Along a periodic axis the box may reach from end to end. */
static int64_t shares_room(const domain *d, const shape *s)
{
    enum { MORE = 2 * SHARES_MARGIN + 3 }; /* a cell cut at each end, and the faces beyond */
    double min[3], max[3], square = 0, sum = 0, room = 1, least = domain_min_h(d);
    bool wraps = false;
    shape_bounds(s, min, max);
    for (int a = 0; a < d->dims; a++) {
        const double edge = fmin(max[a] - min[a], 1e6 * least);
        square += edge * edge;
        sum += edge;
        wraps = wraps || d->periodic[a];
    }
    for (int a = 0; a < d->dims; a++)
        room *= d->periodic[a] ? d->n[a] + 1 : fmin(d->n[a] + 1, sqrt(square) / d->h[a] + MORE);
    if (!wraps)
        room = fmin(room, pow(sum / (sqrt(d->dims) * least) + MORE, d->dims));
    return (int64_t)ceil(room);
}

fr_result shares_create(const domain *d, const shape *s, solids_shares **out)
{
    solids_shares *r = *out = MEMORY_NEW(solids_shares, 1);
    if (!r)
        return FR_ERROR_MEMORY;
    r->room = shares_room(d, s);
    if (!(r->cell = MEMORY_NEW(float, r->room)) || !(r->doubt = MEMORY_NEW(float, r->room)))
        return FR_ERROR_MEMORY;
    for (int a = 0; a < d->dims; a++)
        if (!(r->face[a] = MEMORY_NEW(float, r->room)) || !(r->doubts[a] = MEMORY_NEW(float, r->room)))
            return FR_ERROR_MEMORY;
    return push_create(d, r->room, &r->push);
}

void shares_destroy(solids_shares *r)
{
    if (!r)
        return;
    push_destroy(&r->push);
    memory_free(r->cell);
    memory_free(r->doubt);
    for (int a = 0; a < 3; a++) {
        memory_free(r->face[a]);
        memory_free(r->doubts[a]);
    }
    memory_free(r);
}

double shares_bytes(const domain *d, const shape *s)
{
    const int64_t room = shares_room(d, s);
    return sizeof(solids_shares) + (double)sizeof(float) * 2 * (1 + d->dims) * (double)room + push_bytes(d, room);
}

static int layers_count(const domain *d) { return d->n[d->dims == 3 ? 2 : 1] + 1; }

fr_result layers_create(const domain *d, int bodies, solids_layers *out)
{
    out->count = layers_count(d);
    out->first = MEMORY_NEW(int, out->count + 1);
    out->of = MEMORY_NEW(uint16_t, (int64_t)bodies * out->count + 1);
    return out->first && out->of ? FR_OK : FR_ERROR_MEMORY;
}

void layers_destroy(solids_layers *l)
{
    memory_free(l->first);
    memory_free(l->of);
}

double layers_bytes(const domain *d, int bodies)
{
    return (double)layers_count(d) * (sizeof(int) + (double)bodies * sizeof(uint16_t));
}

static void layers_list(solids *s)
{
    solids_layers *l = &s->layers;
    const int axis = s->domain.dims == 3 ? 2 : 1;
    int count = 0;
    for (int layer = 0; layer < l->count; layer++) {
        l->first[layer] = count;
        for (int b = 0; b < s->body_count; b++) {
            const solids_shares *r = s->bodies[b].shares;
            if (r && r->size[0] > 0 && layer >= r->box.low[axis] && layer < r->box.low[axis] + r->size[axis])
                l->of[count++] = (uint16_t)b;
        }
    }
    l->first[l->count] = count;
}

static void shares_place(const domain *d, solids_body *body)
{
    solids_shares *r = body->shares;
    r->box = body->present ? region_around(d, body->min, body->max, SHARES_MARGIN) : (region_box){{0}, {0}};
    const bool any = r->box.high[0] > 0;
    for (int a = 0; a < 3; a++)
        r->size[a] = !any ? 0 : a < d->dims ? r->box.high[a] - r->box.low[a] + 1 : 1;
    assert((int64_t)r->size[0] * r->size[1] * r->size[2] <= r->room);
}

/* What the distance at its centre says of a cell: whole, empty, or to be looked at (−1). */
static int shares_known(const solids *s, int b, const int cell[3], double reach)
{
    const float *at = field_row(&s->distance, cell[1], cell[2]) + cell[0];
    if (*at > reach)
        return 0;
    return *at < -reach && s->owner[at - s->distance.block] == b ? 1 : -1;
}

static void shares_store(solids_shares *r, int dims, const int cell[3], const double part[CUT_OCTANTS])
{
    const ptrdiff_t at = shares_place_of(r, cell);
    double sum = 0, low[3] = {0, 0, 0}, doubt = 0, doubts[3] = {0, 0, 0};
    for (int o = 0; o < CUT_OCTANTS; o++) {
        const double own = part[o] * (1 - part[o]);
        sum += part[o];
        doubt += own;
        for (int a = 0; a < dims; a++) {
            low[a] += o >> a & 1 ? 0 : part[o];
            doubts[a] += o >> a & 1 ? 0 : own;
        }
    }
    r->cell[at] = (float)(sum / 8);
    r->doubt[at] = (float)(doubt / 8);
    for (int a = 0; a < dims; a++) {
        r->face[a][at] = (float)(low[a] / 4);
        r->doubts[a][at] = (float)(doubts[a] / 4);
    }
}

/* Shares of the cells of a row and, in the places of faces, of their lower halves. */
static fr_result shares_lay_row(const solids *s, int b, int j, int k)
{
    static const double empty[CUT_OCTANTS] = {0}, whole[CUT_OCTANTS] = {1, 1, 1, 1, 1, 1, 1, 1};
    const domain *d = &s->domain;
    solids_shares *r = s->bodies[b].shares;
    double square = 0, part[CUT_MOST][CUT_OCTANTS];
    for (int a = 0; a < d->dims; a++)
        square += 0.25 * d->h[a] * d->h[a];
    const double reach = sqrt(square);
    const int last = j < r->box.high[1] && k < r->box.high[2] ? r->box.high[0] : r->box.low[0];
    int cell[3] = {r->box.low[0], j, k};
    while (cell[0] < last) {
        const int known = shares_known(s, b, cell, reach);
        int count = 0, next[3] = {cell[0], j, k};
        for (; known < 0 && count < CUT_MOST && next[0] < last && shares_known(s, b, next, reach) < 0; next[0]++)
            count++;
        if (count > 0)
            FR_TRY(solids_cut(s->bodies[b].shape, d, cell, count, part));
        for (int n = 0; n < count; n++, cell[0]++)
            shares_store(r, d->dims, cell, part[n]);
        if (count == 0) {
            shares_store(r, d->dims, cell, known ? whole : empty);
            cell[0]++;
        }
    }
    for (; cell[0] < r->box.low[0] + r->size[0]; cell[0]++)
        shares_store(r, d->dims, cell, empty);
    return FR_OK;
}

/* The rows of all bodies, one after the other. */
static void shares_lay_rows(void *context, int begin, int end)
{
    shares_job *job = context;
    const solids *s = job->s;
    for (int b = 0, first = 0; b < s->body_count && first < end; b++) {
        const solids_shares *r = s->bodies[b].shares;
        const int rows = r ? r->size[1] * r->size[2] : 0, last = end < first + rows ? end : first + rows;
        for (int row = begin > first ? begin : first; row < last; row++) {
            const int j = r->box.low[1] + (row - first) % r->size[1], k = r->box.low[2] + (row - first) / r->size[1];
            if (shares_lay_row(s, b, j, k) != FR_OK)
                job->result = FR_ERROR_INPUT;
        }
        first += rows;
    }
}

/* The upper half of a cell, whose lower half is known. */
static float shares_upper(const solids_shares *r, int axis, ptrdiff_t at)
{
    return fmaxf(2 * r->cell[at] - r->face[axis][at], 0);
}

/* Halves of cells become cubes, from the top down: each needs the halves of the place below. Cubes on the domain's
   sides have one half alone, but the two ends of a periodic axis are one face. */
static void shares_join_halves(const domain *d, solids_shares *r, int axis)
{
    const ptrdiff_t strides[3] = {1, r->size[0], (ptrdiff_t)r->size[0] * r->size[1]}, step = strides[axis];
    const int b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2, n = r->size[axis];
    const bool first = r->box.low[axis] == 0, last = r->box.high[axis] == d->n[axis];
    for (int q = 0; q < r->size[c]; q++)
        for (int p = 0; p < r->size[b]; p++) {
            float *f = r->face[axis];
            const ptrdiff_t at = p * strides[b] + q * strides[c], top = at + (n - 1) * step;
            f[top] = (last ? 1 : 0.5f) * shares_upper(r, axis, top - step);
            for (ptrdiff_t m = top - step; m > at; m -= step)
                f[m] = 0.5f * (f[m] + shares_upper(r, axis, m - step));
            if (d->periodic[axis] && first && last)
                f[at] = f[top] = 0.5f * (f[at] + f[top]);
            else if (!first)
                f[at] *= 0.5f;
        }
}

/* Whether all of a body is in the domain. */
static bool shares_whole(const domain *d, const solids_body *body)
{
    bool whole = body->shares->size[0] > 0;
    for (int a = 0; a < d->dims; a++)
        whole = whole && body->min[a] >= d->origin[a] && body->max[a] <= d->origin[a] + d->n[a] * d->h[a];
    return whole;
}

/* Makes the shares add up to the body's volume, as its mass has it: water lifts it by what it displaces, wherever its
   edges lie in cells. An octant with the share s takes a part of what is missing by s (1 − s). */
static void shares_fit(const domain *d, const solids_body *body)
{
    const solids_shares *r = body->shares;
    const ptrdiff_t count = (ptrdiff_t)r->size[0] * r->size[1] * r->size[2];
    double sum = 0, doubt = 0;
    for (ptrdiff_t at = 0; at < count; at++) {
        sum += (double)r->cell[at];
        doubt += (double)r->doubt[at];
    }
    const double off = body->filled / domain_cell_volume(d) - sum;
    if (!(fabs(off) < SHARES_OFF * sum) || !(fabs(off) < doubt))
        return;
    const double part = off / doubt;
    for (ptrdiff_t at = 0; at < count; at++) {
        r->cell[at] = (float)((double)r->cell[at] + part * (double)r->doubt[at]);
        for (int a = 0; a < d->dims; a++)
            r->face[a][at] = (float)((double)r->face[a][at] + part * (double)r->doubts[a][at]);
    }
}

static void shares_join(void *context, int begin, int end)
{
    const shares_job *job = context;
    const domain *d = &job->s->domain;
    for (int b = begin; b < end; b++) {
        solids_shares *r = job->s->bodies[b].shares;
        if (r && shares_whole(d, &job->s->bodies[b]))
            shares_fit(d, &job->s->bodies[b]);
        for (int a = 0; a < d->dims && r && r->size[0] > 0; a++)
            shares_join_halves(d, r, a);
    }
}

fr_result solids_lay_shares(solids *s)
{
    if (s->rigid_count == 0)
        return FR_OK;
    shares_job job = {s, FR_OK};
    int rows = 0, places = 0;
    for (int b = 0; b < s->body_count; b++) {
        solids_body *body = &s->bodies[b];
        if (!body->shares)
            continue;
        shares_place(&s->domain, body);
        rows += body->shares->size[1] * body->shares->size[2];
        places += body->shares->size[0];
    }
    layers_list(s);
    if (!solids_parallel(s))
        shares_lay_rows(&job, 0, rows);
    else if (rows > 0)
        threads_for_cost(rows, 20 * (int64_t)places / s->rigid_count + 1, shares_lay_rows, &job);
    FR_TRY(job.result);
    threads_for_cost(s->body_count, rows, shares_join, &job);
    return FR_OK;
}
