/* What is done with the pieces of covers. */
#include "mac/coupling/body_cover.h"

#include <math.h>

body_walk body_walk_on(const body_cover *c, const field *layout)
{
    body_walk w = {.c = c, .layout = layout};
    const int axis = field_axis(layout);
    for (int a = 0; a < 3; a++)
        w.end[a] = c->size[0] == 0 ? 0 : c->size[a] + (a == axis);
    field_origin(layout, &c->d, w.origin);
    return w;
}

/* A sample's number on a periodic axis, within the block. */
static int cover_wrap(const domain *d, int axis, int i)
{
    return d->periodic[axis] ? (i % d->n[axis] + d->n[axis]) % d->n[axis] : i;
}

static void walk_piece(const body_walk *w, const int cell[3], size_t index, body_piece *piece)
{
    const body_cover *c = w->c;
    const int axis = field_axis(w->layout);
    int at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = cover_wrap(&c->d, a, c->low[a] + cell[a]);
        double shift = axis < 0 && a < c->d.dims ? (double)c->centre[a][index] : 0;
        piece->place[a] = w->origin[a] + (c->low[a] + cell[a] + shift) * c->d.h[a];
    }
    piece->index = index;
    piece->at = field_offset(w->layout, at[0], at[1], at[2]);
}

bool body_walk_next(body_walk *w, body_piece *piece)
{
    const int axis = field_axis(w->layout);
    float *shares = axis < 0 ? w->c->share : w->c->face[axis];
    for (; w->next[2] < w->end[2]; w->next[2]++, w->next[1] = 0)
        for (; w->next[1] < w->end[1]; w->next[1]++, w->next[0] = 0) {
            const int row[3] = {0, w->next[1], w->next[2]};
            const size_t first = body_cover_index(w->c, row);
            while (w->next[0] < w->end[0] && shares[first + (size_t)w->next[0]] == 0)
                w->next[0]++;
            if (w->next[0] == w->end[0])
                continue;
            piece->share = &shares[first + (size_t)w->next[0]];
            walk_piece(w, (int[3]){w->next[0], row[1], row[2]}, first + (size_t)w->next[0], piece);
            w->next[0]++;
            return true;
        }
    return false;
}

/* What bodies may cover of the face of a piece. */
static double cover_free(const body_cover *c, const body_space *space, int axis, const body_piece *piece)
{
    const int face = (int)lround((piece->place[axis] - c->d.origin[axis]) / c->d.h[axis]);
    const bool low = face == 0, high = face == c->d.n[axis];
    if (!c->d.periodic[axis] && (low || high) && !(space->open_side && space->open_side[2 * axis + high]))
        return 0;
    return space->open ? (double)space->open[axis].data[piece->at] : 1;
}

static void cover_limit_axis(body_cover *const *covers, int count, const body_space *space, int axis)
{
    field layout;
    body_piece piece;
    field_over(space->spare, &covers[0]->d, field_face(axis), &layout);
    for (int b = 0; b < count; b++)
        for (body_walk w = body_walk_on(covers[b], &layout); body_walk_next(&w, &piece);)
            layout.data[piece.at] = 0;
    for (int b = 0; b < count; b++)
        for (body_walk w = body_walk_on(covers[b], &layout); body_walk_next(&w, &piece);)
            layout.data[piece.at] += *piece.share;
    for (int b = 0; b < count; b++)
        for (body_walk w = body_walk_on(covers[b], &layout); body_walk_next(&w, &piece);) {
            const double most = cover_free(covers[b], space, axis, &piece), all = (double)layout.data[piece.at];
            if (all > most)
                *piece.share *= (float)(most / all);
        }
}

void body_cover_limit(body_cover *const *covers, int count, const body_space *space)
{
    for (int a = 0; count > 0 && a < covers[0]->d.dims; a++)
        cover_limit_axis(covers, count, space, a);
}

fr_result body_cover_join(const domain *d, const shape *s, field *phi)
{
    enum { MARGIN = 2, PART = 64 };
    double min[3], max[3], origin[3];
    int low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    shape_bounds(s, min, max);
    field_origin(phi, d, origin);
    for (int a = 0; a < d->dims; a++) {
        double from = floor((min[a] - d->origin[a]) / d->h[a]) - MARGIN,
               to = ceil((max[a] - d->origin[a]) / d->h[a]) + MARGIN;
        low[a] = (int)(d->periodic[a] ? from : fmax(0, from));
        high[a] = (int)(d->periodic[a] ? fmin(to, from + d->n[a]) : fmin(to, d->n[a]));
    }
    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++)
            for (int i = low[0]; i < high[0]; i += PART) {
                float distance[PART], *row = field_row(phi, cover_wrap(d, 1, j), cover_wrap(d, 2, k));
                const double start[3] = {origin[0] + i * d->h[0], origin[1] + j * d->h[1],
                                         d->dims == 3 ? origin[2] + k * d->h[2] : 0};
                const int count = high[0] - i < PART ? high[0] - i : PART;
                FR_TRY(shape_distance_row(s, start, d->h[0], count, distance));
                for (int m = 0; m < count; m++) {
                    float *at = row + cover_wrap(d, 0, i + m);
                    *at = distance[m] < *at ? distance[m] : *at;
                }
            }
    return FR_OK;
}

double body_cover_wet(const body_cover *c, const field *phi)
{
    field layout;
    body_piece piece;
    double all = 0, wet = 0;
    field_layout(&c->d, FR_AT_CELL, &layout);
    for (body_walk w = body_walk_on(c, &layout); body_walk_next(&w, &piece);) {
        all += *piece.share;
        wet += !phi || phi->data[piece.at] < 0 ? *piece.share : 0;
    }
    return all > 0 ? wet / all : 0;
}
