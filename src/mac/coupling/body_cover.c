#include "mac/coupling/body_cover.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

/* Samples along an axis of a cell: 64 in all. Even, so that the samples of a cell are those of the faces' halves. */
static int cover_along(const domain *d)
{
    return d->dims == 3 ? 4 : 8;
}

/* Cells along an axis that a body may need in some pose. */
static int cover_most(const domain *d, const shape *s, int axis)
{
    double min[3], max[3], square = 0;
    if (axis >= d->dims)
        return 1;
    shape_bounds(s, min, max);
    for (int a = 0; a < d->dims; a++)
        square += (max[a] - min[a]) * (max[a] - min[a]);
    return (int)fmin(d->n[axis], ceil(sqrt(square) / d->h[axis]) + 3);
}

static size_t cover_room(const domain *d, const shape *s)
{
    size_t room = 1;
    for (int a = 0; a < d->dims; a++)
        room *= (size_t)cover_most(d, s, a) + 1;
    return room;
}

double body_cover_bytes(const domain *d, const shape *s)
{
    return (double)(1 + 2 * d->dims) * (double)(sizeof(float) * cover_room(d, s));
}

fr_result body_cover_create(const domain *d, const shape *s, body_cover *out)
{
    *out = (body_cover){.d = *d, .room = cover_room(d, s)};
    bool full = (out->share = MEMORY_NEW(float, out->room)) != NULL;
    for (int a = 0; a < d->dims; a++) {
        full = full && (out->centre[a] = MEMORY_NEW(float, out->room)) != NULL;
        full = full && (out->face[a] = MEMORY_NEW(float, out->room)) != NULL;
    }
    if (!full)
        body_cover_destroy(out);
    return full ? FR_OK : FR_ERROR_MEMORY;
}

void body_cover_destroy(body_cover *c)
{
    memory_free(c->share);
    for (int a = 0; a < 3; a++) {
        memory_free(c->centre[a]);
        memory_free(c->face[a]);
    }
    *c = (body_cover){0};
}

/* The cells that the shape's bounds reach, and what lies outside the block left out; 0 of them when it is all
   outside. */
static void cover_place(body_cover *c, const shape *s)
{
    const domain *d = &c->d;
    double min[3], max[3];
    size_t count = 1;
    shape_bounds(s, min, max);
    for (int a = 0; a < 3; a++) {
        double low = a < d->dims ? floor((min[a] - d->origin[a]) / d->h[a]) : 0,
               high = a < d->dims ? ceil((max[a] - d->origin[a]) / d->h[a]) : 1;
        if (!d->periodic[a] || a >= d->dims) {
            low = fmax(low, 0);
            high = fmin(high, d->n[a]);
        }
        c->low[a] = (int)low;
        c->size[a] = (int)fmax(0, fmin(high - low, d->n[a]));
        c->stride[a] = a < d->dims ? (ptrdiff_t)count : 0;
        count *= a < d->dims ? (size_t)c->size[a] + 1 : 1;
    }
    if (c->size[0] == 0 || c->size[1] == 0 || c->size[2] == 0)
        c->size[0] = c->size[1] = c->size[2] = 0;
    assert(c->size[0] == 0 || count <= c->room);
}

/* Cells beside one another that are sampled together. */
enum { COVER_RUN = 16, COVER_ALONG_MOST = 8 };

typedef struct cover_run {
    int cell[3], count; /* the first cell, in the box */
} cover_run;

/* What the samples of a cell make. */
typedef struct cover_sum {
    double share, moment[3], low[3]; /* `low`: in the half on the low side of an axis */
} cover_sum;

/* Adds a row of samples, number m along y and l along z. */
static void cover_add_row(const body_cover *c, const float *distance, const int sub[3], cover_sum *sums, int count)
{
    const int along = cover_along(&c->d);
    const double width = domain_min_h(&c->d) / along, each = 1 / pow(along, c->d.dims);
    for (int n = 0; n < count * along; n++) {
        cover_sum *sum = &sums[n / along];
        const int place[3] = {n % along, sub[1], sub[2]};
        double part = each * fmin(fmax(0.5 - (double)distance[n] / width, 0), 1);
        if (part == 0)
            continue;
        sum->share += part;
        for (int a = 0; a < c->d.dims; a++) {
            sum->moment[a] += part * ((place[a] + 0.5) / along - 0.5);
            sum->low[a] += 2 * place[a] < along ? part : 0;
        }
    }
}

static fr_result cover_sample(body_cover *c, const shape *s, const cover_run *run)
{
    const domain *d = &c->d;
    const int along = cover_along(d), deep = d->dims == 3 ? along : 1;
    cover_sum sums[COVER_RUN] = {{0}};
    float distance[COVER_RUN * COVER_ALONG_MOST];
    for (int m = 0; m < along * deep; m++) {
        const int sub[3] = {0, m % along, m / along};
        double start[3] = {0, 0, 0};
        for (int a = 0; a < d->dims; a++)
            start[a] = d->origin[a] + (c->low[a] + run->cell[a] + (sub[a] + 0.5) / along) * d->h[a];
        FR_TRY(shape_distance_row(s, start, d->h[0] / along, run->count * along, distance));
        cover_add_row(c, distance, sub, sums, run->count);
    }
    size_t at = body_cover_index(c, run->cell);
    for (int i = 0; i < run->count; i++) {
        c->share[at + (size_t)i] = (float)sums[i].share;
        for (int a = 0; a < d->dims; a++) {
            c->centre[a][at + (size_t)i] = sums[i].share > 0 ? (float)(sums[i].moment[a] / sums[i].share) : 0;
            c->face[a][at + (size_t)i] = (float)sums[i].low[a];
        }
    }
    return FR_OK;
}

/* A cell whose middle is further from the surface than its corners are is covered or not. */
static void cover_whole(body_cover *c, size_t at)
{
    c->share[at] = c->share[at] < 0 ? 1 : 0;
    for (int a = 0; a < c->d.dims; a++) {
        c->centre[a][at] = 0;
        c->face[a][at] = 0.5f * c->share[at];
    }
}

/* Cells of a row; the faces hold the low halves of their cells' shares for now. `share` holds distances at first. */
static fr_result cover_row(body_cover *c, const shape *s, int j, int k)
{
    const domain *d = &c->d;
    const int row[3] = {0, j, k};
    double start[3] = {0, 0, 0}, square = 0;
    for (int a = 0; a < d->dims; a++) {
        start[a] = d->origin[a] + (c->low[a] + row[a] + 0.5) * d->h[a];
        square += 0.25 * d->h[a] * d->h[a];
    }
    const size_t first = body_cover_index(c, row);
    const float reach = (float)sqrt(square);
    FR_TRY(shape_distance_row(s, start, d->h[0], c->size[0], c->share + first));
    cover_run run = {{0, j, k}, 0};
    for (int i = 0; i <= c->size[0]; i++) {
        bool cut = i < c->size[0] && fabsf(c->share[first + (size_t)i]) < reach;
        if (run.count > 0 && (!cut || run.count == COVER_RUN)) {
            FR_TRY(cover_sample(c, s, &run));
            run.count = 0;
        }
        if (cut)
            run.cell[0] = run.count++ == 0 ? i : run.cell[0];
        else if (i < c->size[0])
            cover_whole(c, first + (size_t)i);
    }
    return FR_OK;
}

typedef struct cover_job {
    body_cover *c;
    const shape *s;
    fr_result result; /* of a shape that is a function: its rows are done one after the other */
} cover_job;

static void cover_rows(void *context, int begin, int end)
{
    cover_job *job = context;
    for (int r = begin; r < end; r++) {
        fr_result result = cover_row(job->c, job->s, r % job->c->size[1], r / job->c->size[1]);
        if (result != FR_OK) {
            job->result = result;
            return;
        }
    }
}

/* Faces get the high half of the cell before them and keep the low half of the one behind: from the high end, where
   halves are still to be taken from. */
static void cover_join_halves(body_cover *c, int axis)
{
    const int b = axis == 0 ? 1 : 0, e = axis == 2 ? 1 : 2;
    float *face = c->face[axis];
    for (int m = 0; m < c->size[b] * c->size[e]; m++) {
        int cell[3] = {0, 0, 0};
        cell[b] = m % c->size[b];
        cell[e] = m / c->size[b];
        const size_t first = body_cover_index(c, cell), step = (size_t)c->stride[axis], n = (size_t)c->size[axis];
        face[first + n * step] = c->share[first + (n - 1) * step] - face[first + (n - 1) * step];
        for (size_t i = n - 1; i > 0; i--)
            face[first + i * step] += c->share[first + (i - 1) * step] - face[first + (i - 1) * step];
    }
}

fr_result body_cover_make(body_cover *c, const shape *s)
{
    cover_place(c, s);
    if (c->size[0] == 0)
        return FR_OK;
    cover_job job = {c, s, FR_OK};
    const int rows = c->size[1] * c->size[2];
    if (shape_is_parallel(s))
        threads_for_cost(rows, (int64_t)rows * c->size[0] * 64, cover_rows, &job);
    else
        cover_rows(&job, 0, rows);
    for (int a = 0; a < c->d.dims; a++)
        cover_join_halves(c, a);
    return job.result;
}
