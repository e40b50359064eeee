/* Obstacles → open faces.

   The open share of a face comes from the signed distances at its corners (linear between them), so that a slope
   does not act like a staircase (fractional areas as in Batty, Bertails & Bridson 2007). What is thinner than a cell
   can slip between the corners: a face between two cell centres that are both outside is closed when the line
   between them meets the obstacle. */
#include "model/solids.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/threads.h"
#include "geom/shape.h"
#include "grid/diffusion.h"
#include "model/cover.h"
#include "model/pockets.h"

/* Shares below this are taken as closed. What flows against a slit must pass it at the inverse of its share: a slit of 1 %
   makes a jet a hundred times as fast as the flow, and the jet feeds on itself. */
static const float LEAST_SHARE = 0.1f;

typedef struct solids_builder {
    const fr_scene_def *def;
    const domain *d;
    shape **shapes;
    int shape_count;
    domain corners;          /* cells of this one are the corners of ours */
    field corner;            /* signed distance at the corners */
    int refine;              /* cells per cell of the flow */
    solids *out;
} solids_builder;

/* Distance to the nearest obstacle along a row of samples, and which one it is. Only a user's function can fail. */
static fr_result solids_row(const solids_builder *b, const double start[3], double h, int n, float *distance, uint16_t *owner)
{
    enum { PIECE = 256 };
    float piece[PIECE];
    for (int first = 0; first < n; first += PIECE) {
        int count = n - first < PIECE ? n - first : PIECE;
        double from[3] = {start[0] + first * h, start[1], start[2]};
        for (int s = 0; s < b->shape_count; s++) {
            FR_TRY(shape_distance_row(b->shapes[s], from, h, count, piece));
            for (int i = 0; i < count; i++)
                if (s == 0 || piece[i] < distance[first + i]) {
                    distance[first + i] = piece[i];
                    if (owner)
                        owner[first + i] = (uint16_t)s;
                }
        }
    }
    return FR_OK;
}

typedef struct solids_fill {
    const solids_builder *b;
    const domain *d;          /* whose cell centres are sampled */
    field *to;
    bool owners;
    fr_result result;
} solids_fill;

static void solids_fill_rows(void *context, int begin, int end)
{
    solids_fill *fill = context;
    const domain *d = fill->d;
    for (int m = begin; m < end; m++) {
        int j = m % d->n[1], k = m / d->n[1];
        double start[3];
        field_origin(fill->to, d, start);
        start[1] += j * d->h[1];
        start[2] += d->dims == 3 ? k * d->h[2] : 0;
        float *row = field_row(fill->to, j, k);
        uint16_t *owner = fill->owners ? fill->b->out->owner + (row - fill->to->block) : NULL;
        if (solids_row(fill->b, start, d->h[0], d->n[0], row, owner) != FR_OK)
            fill->result = FR_ERROR_INPUT;
    }
}

/* User functions may not run on several threads; a failure of theirs is on the thread that ran it. */
static fr_result solids_sample(const solids_builder *b, const domain *d, field *to, bool owners)
{
    solids_fill fill = {b, d, to, owners, FR_OK};
    bool parallel = true;
    for (int s = 0; s < b->shape_count; s++)
        parallel = parallel && shape_is_parallel(b->shapes[s]);
    int rows = d->n[1] * d->n[2];
    if (parallel)
        threads_for(rows, solids_fill_rows, &fill);
    else
        solids_fill_rows(&fill, 0, rows);
    return fill.result;
}

/* Share of a segment on which a linear function is positive, from its ends. */
static double solids_segment(double a, double b)
{
    if (a >= 0 && b >= 0)
        return 1;
    if (a < 0 && b < 0)
        return 0;
    return a >= 0 ? a / (a - b) : b / (b - a);
}

/* Share of a triangle on which a linear function is positive, from its corners. */
static double solids_triangle(double a, double b, double c)
{
    int positive = (a >= 0) + (b >= 0) + (c >= 0);
    if (positive == 0 || positive == 3)
        return positive / 3;
    bool alone = positive == 1;          /* the odd corner is the positive one */
    double odd = (a >= 0) == alone && (b >= 0) != alone && (c >= 0) != alone   ? a
                 : (b >= 0) == alone && (a >= 0) != alone && (c >= 0) != alone ? b
                                                                               : c;
    double other1 = odd == a ? b : a, other2 = odd == c ? b : c;
    double corner = odd / (odd - other1) * (odd / (odd - other2));
    return alone ? corner : 1 - corner;
}

/* Share of a square: four triangles around its centre, so that no diagonal is preferred. */
static double solids_square(const float v[4])
{
    double centre = 0.25 * ((double)v[0] + v[1] + v[2] + v[3]);
    double sum = 0;
    for (int e = 0; e < 4; e++)
        sum += solids_triangle(v[e], v[(e + 1) % 4], centre);
    return 0.25 * sum;
}

/* Open share of the face across `axis` whose lowest corner is (i, j, k). */
static float solids_face_share(const solids_builder *b, int axis, int i, int j, int k)
{
    const field *c = &b->corner;
    const float *at = field_row(c, j, k) + i;
    ptrdiff_t s1 = c->stride[axis == 0 ? 1 : 0], s2 = c->stride[axis == 2 ? 1 : 2];
    double share;
    if (b->d->dims == 2) {
        share = solids_segment(at[0], at[axis == 0 ? c->stride[1] : 1]);
    } else {
        float v[4] = {at[0], at[s1], at[s1 + s2], at[s2]};
        share = solids_square(v);
    }
    return share < LEAST_SHARE ? 0 : (float)share;
}

/* Whether a cell's centre is inside while those of both neighbours along the axis are outside. */
static bool solids_is_slice(const solids_builder *b, int axis, const int cell[3])
{
    const field *d = &b->out->distance;
    const float *at = field_row(d, cell[1], cell[2]) + cell[0];
    bool last = cell[axis] == b->d->n[axis] - 1;
    return at[0] < 0 && at[-d->stride[axis]] >= 0 && !last && at[d->stride[axis]] >= 0;
}

/* Whether an obstacle thinner than a cell stands between the centres of the two cells of a face: the line between them
   meets it although both are outside, or the upper one lies in it and the flow would come out beyond. */
static fr_result solids_thin(const solids_builder *b, int axis, const int cell[3], bool *meets)
{
    const field *d = &b->out->distance;
    const float *high = field_row(d, cell[1], cell[2]) + cell[0];
    const float *low = high - d->stride[axis];
    double reach = b->d->h[axis];
    *meets = solids_is_slice(b, axis, cell);
    if (*low < 0 || *high < 0 || *low + *high >= reach)
        return FR_OK;
    double at[3];
    field_origin(d, b->d, at);
    for (int a = 0; a < b->d->dims; a++)
        at[a] += cell[a] * b->d->h[a];
    enum { PIECES = 8 };
    for (int p = 1; p < PIECES && !*meets; p++) {
        double point[3] = {at[0], at[1], at[2]};
        point[axis] -= reach * p / PIECES;
        for (int s = 0; s < b->shape_count && !*meets; s++) {
            double distance;
            FR_TRY(shape_distance(b->shapes[s], point, &distance));
            *meets = distance < 0;
        }
    }
    return FR_OK;
}

static fr_result solids_open_faces(solids_builder *b, int axis)
{
    field *open = &b->out->open[axis];
    for (int k = 0; k < open->size[2]; k++)
        for (int j = 0; j < open->size[1]; j++) {
            float *row = field_row(open, j, k);
            for (int i = 0; i < open->size[0]; i++) {
                row[i] = solids_face_share(b, axis, i, j, k);
                int cell[3] = {i, j, k};
                if (row[i] == 0 || cell[axis] == 0 || cell[axis] == b->d->n[axis])
                    continue;
                bool meets;
                FR_TRY(solids_thin(b, axis, cell, &meets));
                if (meets)
                    row[i] = 0;
            }
        }
    return FR_OK;
}

/* The two ends of a periodic axis are one face. */
static void solids_join_ends(const solids_builder *b, int axis)
{
    field *open = &b->out->open[axis];
    int limit[3] = {open->size[0], open->size[1], open->size[2]};
    limit[axis] = b->d->periodic[axis] ? 1 : 0;
    for (int k = 0; k < limit[2]; k++)
        for (int j = 0; j < limit[1]; j++)
            for (int i = 0; i < limit[0]; i++) {
                float *low = field_row(open, j, k) + i, *high = low + b->d->n[axis] * open->stride[axis];
                *low = *high = fminf(*low, *high);
            }
}

/* A sample counts as inside when it is closed: a cell without open faces, a face without open share. */
static bool solids_closed_cell(const solids_builder *b, int i, int j, int k)
{
    for (int a = 0; a < b->d->dims; a++) {
        const field *open = &b->out->open[a];
        const float *at = field_row(open, j, k) + i;
        if (at[0] > 0 || at[open->stride[a]] > 0)
            return false;
    }
    return true;
}

typedef struct solids_marks {
    const field *layout;
    uint8_t *layer;          /* 0 fluid, 255 inside and not reached, else the layer; by block offset, ghosts fluid-less */
} solids_marks;

/* Layers are three cells of the flow deep. */
enum { LAYERS = 3, DEEP = 253, OUTSIDE = 254, UNREACHED = 255 };

static uint8_t solids_sources(const solids_marks *m, ptrdiff_t at, int dims, uint8_t below)
{
    uint8_t from = 0;
    for (int a = 0; a < dims; a++) {
        if (m->layer[at - m->layout->stride[a]] == below)
            from |= (uint8_t)(1u << (2 * a));
        if (m->layer[at + m->layout->stride[a]] == below)
            from |= (uint8_t)(2u << (2 * a));
    }
    return from;
}

static ptrdiff_t solids_offset(const field *f, int i, int j, int k)
{
    return field_row(f, j, k) + i - f->block;
}

uint16_t solids_owner(const solids *s, const domain *d, const field *layout, const int at[3])
{
    int axis = field_axis(layout), cell[3] = {at[0], at[1], at[2]};
    if (axis >= 0) {
        const float *above = field_row(&s->distance, at[1], at[2]) + at[0];
        bool nearer = above[-s->distance.stride[axis]] < above[0];
        cell[axis] = at[axis] - (nearer || at[axis] == d->n[axis]);
        cell[axis] = cell[axis] >= 0 ? cell[axis] : d->periodic[axis] ? d->n[axis] - 1 : 0;
    }
    return s->owner[solids_offset(&s->distance, cell[0], cell[1], cell[2])];
}

/* Adds the samples that touch the layer below; as DEEP all that are left, linked to nothing. */
static void solids_add_layer(const solids_builder *b, const solids_marks *marks, uint8_t layer, solids_links *links)
{
    const field *layout = marks->layout;
    for (int k = 0; k < layout->size[2]; k++)
        for (int j = 0; j < layout->size[1]; j++)
            for (int i = 0; i < layout->size[0]; i++) {
                ptrdiff_t at = solids_offset(layout, i, j, k);
                if (marks->layer[at] != UNREACHED)
                    continue;
                uint8_t from = layer == DEEP ? 0 : solids_sources(marks, at, b->d->dims, (uint8_t)(layer - 1));
                if (from || layer == DEEP)
                    links->links[links->count++] = (solids_link){(int32_t)field_offset(layout, i, j, k), from, solids_owner(b->out, b->d, layout, (int[3]){i, j, k})};
            }
}

static fr_result solids_link_layers(const solids_builder *b, solids_marks *marks, solids_links *links)
{
    const field *layout = marks->layout;
    int64_t closed = 0;
    for (size_t i = 0; i < layout->count; i++)
        closed += marks->layer[i] == UNREACHED;
    links->links = MEMORY_NEW(solids_link, closed + 1);
    if (!links->links)
        return FR_ERROR_MEMORY;
    for (uint8_t layer = 1; layer <= LAYERS * b->refine; layer++) {
        int64_t first = links->count;
        solids_add_layer(b, marks, layer, links);
        for (int64_t l = first; l < links->count; l++)
            marks->layer[links->links[l].at + (layout->data - layout->block)] = layer;
    }
    solids_add_layer(b, marks, DEEP, links);
    return FR_OK;
}

/* Links of one location: cells when axis is −1. */
static fr_result solids_make_links(const solids_builder *b, int axis, solids_links *links)
{
    const field *layout = axis < 0 ? &b->out->distance : &b->out->open[axis];
    solids_marks marks = {layout, MEMORY_NEW(uint8_t, layout->count)};
    if (!marks.layer)
        return FR_ERROR_MEMORY;
    for (size_t i = 0; i < layout->count; i++)
        marks.layer[i] = OUTSIDE;
    for (int k = 0; k < layout->size[2]; k++)
        for (int j = 0; j < layout->size[1]; j++)
            for (int i = 0; i < layout->size[0]; i++) {
                bool closed = axis < 0 ? solids_closed_cell(b, i, j, k) : field_row(layout, j, k)[i] == 0;
                marks.layer[solids_offset(layout, i, j, k)] = closed ? UNREACHED : 0;
            }
    fr_result result = solids_link_layers(b, &marks, links);
    memory_free(marks.layer);
    return result;
}

/* Faces that are open, but so little that their middle lies inside the obstacle. */
static bool solids_is_sliver(float share)
{
    return share > 0 && share < 0.5f;
}

static uint8_t solids_sliver_sources(const field *open, const float *at, int dims)
{
    uint8_t from = 0;
    for (int a = 0; a < dims; a++) {
        if (at[-open->stride[a]] >= 0.5f)
            from |= (uint8_t)(1u << (2 * a));
        if (at[open->stride[a]] >= 0.5f)
            from |= (uint8_t)(2u << (2 * a));
    }
    return from;
}

static fr_result solids_make_slivers(const solids_builder *b, int axis, solids_links *links)
{
    const field *open = &b->out->open[axis];
    int64_t count = 0;
    for (size_t i = 0; i < open->count; i++)
        count += solids_is_sliver(open->block[i]);
    links->links = MEMORY_NEW(solids_link, count + 1);
    if (!links->links)
        return FR_ERROR_MEMORY;
    for (int k = 0; k < open->size[2]; k++)
        for (int j = 0; j < open->size[1]; j++)
            for (int i = 0; i < open->size[0]; i++) {
                const float *at = field_row(open, j, k) + i;
                const int place[3] = {i, j, k};
                if (solids_is_sliver(*at))
                    links->links[links->count++] = (solids_link){(int32_t)field_offset(open, i, j, k), solids_sliver_sources(open, at, b->d->dims),
                                                                 solids_owner(b->out, b->d, open, place)};
            }
    return FR_OK;
}

/* What a sample is to diffusion; see the fields in solids.h. Where an obstacle holds a value, that is so from its surface
   on: a sample inside it is held although its cell or face may be open in part, and the shares of those beside it do not
   count, the distance does. */
static diffusion_mark solids_mark(const solids_builder *b, const field *layout, bool warm, const int at[3])
{
    int axis = field_axis(layout);
    bool closed = axis < 0 ? solids_closed_cell(b, at[0], at[1], at[2]) : field_row(layout, at[1], at[2])[at[0]] == 0;
    const fr_obstacle_def *obstacle = &b->def->obstacles[solids_owner(b->out, b->d, layout, at)];
    bool holds = axis < 0 ? warm && obstacle->has_temperature : obstacle->no_slip;
    float distance = diffusion_distance(&b->out->distance, axis, at);
    if (holds && (closed || distance <= 0))
        return DIFFUSION_FIXED;
    if (closed)
        return DIFFUSION_OUTSIDE;
    double diagonal = sqrt(b->d->h[0] * b->d->h[0] + b->d->h[1] * b->d->h[1] + (b->d->dims == 3 ? b->d->h[2] * b->d->h[2] : 0));
    return holds && distance < 0.5 * diagonal ? DIFFUSION_WHOLE : DIFFUSION_FREE;
}

static fr_result solids_make_marks(const solids_builder *b, int axis, bool warm, uint8_t **out)
{
    const field *layout = axis < 0 ? &b->out->distance : &b->out->open[axis];
    uint8_t *marks = *out = MEMORY_NEW(uint8_t, layout->count);
    if (!marks)
        return FR_ERROR_MEMORY;
    for (int k = 0; k < layout->size[2]; k++)
        for (int j = 0; j < layout->size[1]; j++)
            for (int i = 0; i < layout->size[0]; i++) {
                int at[3] = {i, j, k};
                marks[solids_offset(layout, i, j, k)] = (uint8_t)solids_mark(b, layout, warm, at);
            }
    return FR_OK;
}

static fr_result solids_make_all_marks(const solids_builder *b)
{
    bool warm = false;
    for (int i = 0; i < b->def->obstacle_count; i++)
        warm = warm || b->def->obstacles[i].has_temperature;
    FR_TRY(solids_make_marks(b, -1, false, &b->out->cell_marks));
    if (warm && b->refine == 1)
        FR_TRY(solids_make_marks(b, -1, true, &b->out->warm_marks));
    for (int a = 0; a < b->d->dims && b->refine == 1; a++)
        FR_TRY(solids_make_marks(b, a, false, &b->out->face_marks[a]));
    return FR_OK;
}

static fr_result solids_build(solids_builder *b)
{
    solids *out = b->out;
    FR_TRY(field_create(b->d, FR_AT_CELL, &out->distance));
    for (int a = 0; a < b->d->dims; a++)
        FR_TRY(field_create(b->d, field_face(a), &out->open[a]));
    b->corners = *b->d;
    for (int a = 0; a < b->d->dims; a++) {
        b->corners.n[a]++;
        b->corners.origin[a] -= 0.5 * b->d->h[a];
    }
    FR_TRY(field_create(&b->corners, FR_AT_CELL, &b->corner));
    out->owner = MEMORY_NEW(uint16_t, out->distance.count);
    if (!out->owner)
        return FR_ERROR_MEMORY;
    FR_TRY(solids_sample(b, b->d, &out->distance, true));
    halo_fill_linear(&out->distance, b->d);
    FR_TRY(solids_sample(b, &b->corners, &b->corner, false));
    for (int a = 0; a < b->d->dims; a++)
        FR_TRY(solids_open_faces(b, a));
    FR_TRY(pockets_close(b->d, &out->distance, out->open));
    for (int a = 0; a < b->d->dims; a++)
        solids_join_ends(b, a);
    FR_TRY(solids_make_all_marks(b));
    FR_TRY(solids_make_links(b, -1, &out->cells));
    for (int a = 0; a < b->d->dims && b->refine == 1; a++)
        FR_TRY(solids_make_links(b, a, &out->faces[a]));
    for (int a = 0; a < b->d->dims && b->refine == 1; a++)
        FR_TRY(solids_make_slivers(b, a, &out->slivers[a]));
    return FR_OK;
}

static fr_result solids_open_shapes(solids_builder *b)
{
    for (int s = 0; s < b->def->obstacle_count; s++) {
        char key[64];
        snprintf(key, sizeof key, "obstacles[%d]", s + 1);
        FR_TRY(shape_create(&b->def->obstacles[s].shape, b->d->dims, key, &b->shapes[s]));
        b->shape_count++;
        FR_TRY(cover_check_inside(b->shapes[s], b->d, key));
    }
    return FR_OK;
}

fr_result solids_create_fine(const fr_scene_def *def, const domain *d, int refine, solids *out)
{
    *out = (solids){.any = def->obstacle_count > 0};
    if (!out->any)
        return FR_OK;
    if (def->obstacle_count > UINT16_MAX)
        return fr_fail_key("obstacles", "at most %d obstacles", UINT16_MAX);
    solids_builder b = {.def = def, .d = d, .out = out, .refine = refine, .shapes = MEMORY_NEW(shape *, def->obstacle_count)};
    fr_result result = b.shapes ? solids_open_shapes(&b) : FR_ERROR_MEMORY;
    if (result == FR_OK)
        result = solids_build(&b);
    for (int s = 0; s < b.shape_count; s++)
        shape_destroy(b.shapes[s]);
    memory_free(b.shapes);
    field_destroy(&b.corner);
    return result;
}

fr_result solids_create(const fr_scene_def *def, const domain *d, solids *out)
{
    return solids_create_fine(def, d, 1, out);
}

void solids_destroy(solids *s)
{
    field_destroy(&s->distance);
    memory_free(s->owner);
    memory_free(s->cells.links);
    memory_free(s->cell_marks);
    memory_free(s->warm_marks);
    for (int a = 0; a < 3; a++) {
        field_destroy(&s->open[a]);
        memory_free(s->faces[a].links);
        memory_free(s->slivers[a].links);
        memory_free(s->face_marks[a]);
    }
    *s = (solids){0};
}

float solids_open_volume(const domain *d, float distance)
{
    float share = 0.5f + distance / (float)domain_min_h(d);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}
