#include "grid/sample.h"

#include <math.h>

#include "base/wide.h"

/* Where samples of a location sit in their cell, in cells. */
static float sample_offset(fr_location at, int axis)
{
    return at == field_face(axis) ? 0.0f : 0.5f;
}

/* Comparisons are written so that a displacement that is no number ends inside too: the field then shows it, and
   nothing is read from outside the block. */
static void sample_confine_axis(float *restrict d, int n, float first, float step, float cells, bool periodic)
{
    if (periodic) {
        float inverse = 1.0f / cells;
        for (int i = 0; i < n; i++)
            d[i] -= cells * floorf((d[i] + (first + step * (float)i)) * inverse);
    }
    for (int i = 0; i < n; i++) {
        float low = -(first + step * (float)i);
        float high = cells + low;
        float v = d[i] > low ? d[i] : low;
        d[i] = v < high ? v : high;
    }
}

void sample_confine(sample_points *p, const domain *d)
{
    int start[3] = {p->i, p->j, p->k};
    float *moves[3] = {p->dx, p->dy, p->dz};
    for (int a = 0; a < d->dims; a++)
        sample_confine_axis(moves[a], p->n, (float)start[a] + sample_offset(p->at, a), a == 0 ? 1.0f : 0.0f, (float)d->n[a], d->periodic[a]);
}

typedef struct sample_frame {
    const float *origin;       /* the row's first sample of the field */
    int row, plane;            /* strides */
    float shift[3];            /* from the points' location to the field's, cells */
} sample_frame;

static sample_frame sample_frame_of(const field *f, const sample_points *p)
{
    sample_frame s = {.origin = field_row(f, p->j, p->k) + p->i, .row = (int)f->stride[1], .plane = (int)f->stride[2]};
    for (int a = 0; a < 3; a++)
        s.shift[a] = sample_offset(p->at, a) - sample_offset(f->at, a);
    return s;
}

/* Which samples each point lies between, and how far from their middle, −½ … ½. Apart from the loop below so that it
   vectorises. */
typedef struct sample_stencil {
    int32_t at[SAMPLE_ROW];
    float fx[SAMPLE_ROW], fy[SAMPLE_ROW], fz[SAMPLE_ROW];
} sample_stencil;

static void sample_locate(const sample_frame *s, const sample_points *p, bool flat, sample_stencil *stencil)
{
    const int n = p->n, row = s->row, plane = s->plane;
    const float sx = s->shift[0], sy = s->shift[1], sz = s->shift[2];
    for (int i = 0; i < n; i++) {
        float bx = floorf(p->dx[i] + sx), by = floorf(p->dy[i] + sy);
        stencil->fx[i] = p->dx[i] - (bx + 0.5f - sx);
        stencil->fy[i] = p->dy[i] - (by + 0.5f - sy);
        stencil->at[i] = i + (int)bx + (int)by * row;
    }
    for (int i = 0; i < n && !flat; i++) {
        float bz = floorf(p->dz[i] + sz);
        stencil->fz[i] = p->dz[i] - (bz + 0.5f - sz);
        stencil->at[i] += (int)bz * plane;
    }
    for (int i = n; i < wide_round(n); i++) {
        stencil->at[i] = 0;
        stencil->fx[i] = stencil->fy[i] = stencil->fz[i] = 0;
    }
}

/* Bilinear in one layer, eight points at once. */
typedef struct sample_layer {
    wide value, low, high;
} sample_layer;

static inline sample_layer sample_bilinear(const float *data, const int32_t *at, int row, wide fx, wide fy)
{
    wide a = wide_pick(data, at), b = wide_pick(data + 1, at);
    wide c = wide_pick(data + row, at), e = wide_pick(data + row + 1, at);
    return (sample_layer){wide_between(wide_between(a, b, fx), wide_between(c, e, fx), fy), wide_min(wide_min(a, b), wide_min(c, e)),
                          wide_max(wide_max(a, b), wide_max(c, e))};
}

/* Compiled four times: flat or not, with bounds or without. */
static inline void sample_loop(const sample_frame *s, const sample_points *p, bool flat, float *restrict out,
                               float *restrict low, float *restrict high)
{
    sample_stencil stencil;
    sample_locate(s, p, flat, &stencil);
    for (int i = 0; i < p->n; i += WIDE) {
        wide fx = wide_load(stencil.fx + i), fy = wide_load(stencil.fy + i);
        sample_layer below = sample_bilinear(s->origin, stencil.at + i, s->row, fx, fy), above = below;
        if (!flat) {
            above = sample_bilinear(s->origin + s->plane, stencil.at + i, s->row, fx, fy);
            below.value = wide_between(below.value, above.value, wide_load(stencil.fz + i));
        }
        wide_store(out + i, below.value);
        if (low) {
            wide_store(low + i, wide_min(below.low, above.low));
            wide_store(high + i, wide_max(below.high, above.high));
        }
    }
}

void sample_values(const field *f, const domain *d, const sample_points *points, float *out)
{
    sample_frame s = sample_frame_of(f, points);
    if (d->dims == 2)
        sample_loop(&s, points, true, out, NULL, NULL);
    else
        sample_loop(&s, points, false, out, NULL, NULL);
}

void sample_values_bounds(const field *f, const domain *d, const sample_points *points, float *out, float *low, float *high)
{
    sample_frame s = sample_frame_of(f, points);
    if (d->dims == 2)
        sample_loop(&s, points, true, out, low, high);
    else
        sample_loop(&s, points, false, out, low, high);
}

double sample_at(const field *f, const domain *d, const double at[3])
{
    sample_points p = {.at = FR_AT_CELL, .n = 1};
    float *moves[3] = {p.dx, p.dy, p.dz};
    for (int a = 0; a < d->dims; a++)
        moves[a][0] = (float)((at[a] - d->origin[a]) / d->h[a] - 0.5);
    sample_confine(&p, d);
    float value[WIDE];
    sample_values(f, d, &p, value);
    return value[0];
}
