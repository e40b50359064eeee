/* The field "solid" of a frame may hold bodies, as obstacles that the flow runs into, or not. Pictures need it both
   ways: the liquid's surface ends inside all of them, and only obstacles are drawn from it. */
#include "render/body/cast.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

/* Farther away than so many cells a body does not count. */
static const double cast_margin = 4;
/* In cells: how much nearer than every body an obstacle has to be, to be known. */
static const float cast_doubt = 0.25f;

typedef struct cast_job {
    const fr_frame *frame;
    const cast *cast;
    const float *solid; /* the frame's, dense; NULL: none */
    double cell;        /* m, its shortest edge */
    float *joined, *drawn;
} cast_job;

/* The cells along an axis that a body counts in. */
static void cast_range(const cast_job *job, const placed_body *body, int axis, int range[2])
{
    const fr_frame *f = job->frame;
    const double margin = cast_margin * job->cell, h = f->spacing[axis];
    range[0] = (int)clampd(floor((body->low[axis] - margin - f->origin[axis]) / h), 0, f->cells[axis]);
    range[1] = (int)clampd(ceil((body->high[axis] + margin - f->origin[axis]) / h), 0, f->cells[axis]);
}

/* Lowers a row of distances to those to one body. */
static void cast_lower(const cast_job *job, const placed_body *body, const int cell[3], float *row)
{
    const fr_frame *f = job->frame;
    double at[3] = {0, 0, 0};
    int range[3][2];
    for (int a = 0; a < f->dims; a++) {
        cast_range(job, body, a, range[a]);
        at[a] = f->origin[a] + (cell[a] + 0.5) * f->spacing[a];
        if (a > 0 && (cell[a] < range[a][0] || cell[a] >= range[a][1]))
            return;
    }
    for (int i = range[0][0]; i < range[0][1]; i++) {
        at[0] = f->origin[0] + (i + 0.5) * f->spacing[0];
        vec3 p = body_point(body, vec3_of(at));
        row[i] = fminf(row[i], fr_model_distance(body->model, (const double[3]){p.x, p.y, p.z}));
    }
}

/* A cell's own distance to the obstacles is known where it is less than that to the bodies. */
static void cast_rows(void *context, int begin, int end)
{
    const cast_job *job = context;
    const fr_frame *f = job->frame;
    const float far = (float)(cast_margin * job->cell), doubt = cast_doubt * (float)job->cell;
    for (int row = begin; row < end; row++) {
        const int cell[3] = {0, row % f->cells[1], row / f->cells[1]};
        const size_t first = (size_t)row * (size_t)f->cells[0];
        float *joined = job->joined + first;
        for (int i = 0; i < f->cells[0]; i++)
            joined[i] = INFINITY;
        for (int b = 0; b < job->cast->count; b++)
            cast_lower(job, &job->cast->list[b], cell, joined);
        for (int i = 0; i < f->cells[0]; i++) {
            float solid = job->solid ? job->solid[first + (size_t)i] : far;
            if (job->drawn)
                job->drawn[first + (size_t)i] = solid < joined[i] - doubt ? solid : INFINITY;
            joined[i] = fminf(fminf(joined[i], far), solid);
        }
    }
}

/* From the cells before it in the order of the sweep an unknown cell takes the least of their distances and the way
   to them. */
static void cast_sweep(const fr_frame *f, const uint8_t *unknown, int side, float *distance)
{
    const int nx = f->cells[0], ny = f->cells[1], nz = f->dims == 3 ? f->cells[2] : 1;
    const int64_t count = (int64_t)nx * ny * nz;
    for (int64_t n = 0; n < count; n++) {
        const int64_t own = side > 0 ? n : count - 1 - n;
        if (!unknown[own])
            continue;
        const int at[3] = {(int)(own % nx), (int)(own / nx % ny), (int)(own / ((int64_t)nx * ny))};
        for (int d = 0; d < 13; d++) {
            const int step[3] = {side * (d % 3 - 1), side * (d / 3 % 3 - 1), side * (d / 9 - 1)};
            const int x = at[0] + step[0], y = at[1] + step[1], z = at[2] + step[2];
            if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz)
                continue;
            double way = hypot(hypot(step[0] * f->spacing[0], step[1] * f->spacing[1]), step[2] * f->spacing[2]);
            distance[own] = fminf(distance[own], distance[((int64_t)z * ny + y) * nx + x] + (float)way);
        }
    }
}

/* Goes on with the obstacles' distance where bodies hide it (Borgefors 1986). */
static fr_result cast_go_on(const fr_frame *f, float *distance)
{
    const size_t count = (size_t)f->cells[0] * (size_t)f->cells[1] * (size_t)(f->dims == 3 ? f->cells[2] : 1);
    uint8_t *unknown = MEMORY_NEW(uint8_t, count);
    if (!unknown)
        return FR_ERROR_MEMORY;
    for (size_t n = 0; n < count; n++)
        unknown[n] = distance[n] == INFINITY;
    for (int i = 0; i < 4; i++)
        cast_sweep(f, unknown, i % 2 ? -1 : 1, distance);
    memory_free(unknown);
    return FR_OK;
}

static fr_field cast_of(const fr_frame *f, const float *data)
{
    fr_field field = {.name = "solid", .unit = "m", .location = FR_AT_CELL, .data = data};
    for (int a = 0; a < 3; a++) {
        field.size[a] = a < f->dims ? f->cells[a] : 1;
        field.stride[a] = a == 0 ? 1 : field.stride[a - 1] * (ptrdiff_t)field.size[a - 1];
    }
    return field;
}

/* The frame with this field "solid" instead of its own, or with none where there is no data. */
static fr_result cast_exchange(const fr_frame *frame, const float *solid, fr_field **fields, fr_frame *out)
{
    int count = 0;
    fr_field *all = *fields = MEMORY_NEW(fr_field, frame->field_count + 1);
    if (!all)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < frame->field_count; i++)
        if (strcmp(frame->fields[i].name, "solid") != 0)
            all[count++] = frame->fields[i];
    if (solid)
        all[count++] = cast_of(frame, solid);
    out->fields = all;
    out->field_count = count;
    out->has_obstacles = solid;
    return FR_OK;
}

/* `dense`: the frame's own field, or NULL. */
static fr_result cast_fill(const fr_frame *frame, const float *dense, cast *b)
{
    cast_job job = {.frame = frame, .cast = b, .solid = dense, .cell = INFINITY};
    for (int a = 0; a < frame->dims; a++)
        job.cell = fmin(job.cell, frame->spacing[a]);
    job.joined = b->joined_solid;
    job.drawn = b->drawn_solid;
    threads_for(frame->cells[1] * (frame->dims == 3 ? frame->cells[2] : 1), cast_rows, &job);
    if (b->drawn_solid)
        FR_TRY(cast_go_on(frame, b->drawn_solid));
    FR_TRY(cast_exchange(frame, b->joined_solid, &b->joined_fields, &b->joined));
    return cast_exchange(frame, b->drawn_solid, &b->drawn_fields, &b->drawn);
}

fr_result cast_fields(const fr_frame *frame, bool obstacles, cast *b)
{
    const fr_field *solid = fr_frame_field(frame, "solid");
    const size_t count =
        (size_t)frame->cells[0] * (size_t)frame->cells[1] * (size_t)(frame->dims == 3 ? frame->cells[2] : 1);
    bool kept = solid && obstacles;
    b->joined_solid = MEMORY_NEW(float, count);
    b->drawn_solid = kept ? MEMORY_NEW(float, count) : NULL;
    float *dense = solid ? MEMORY_NEW(float, count) : NULL;
    fr_result result = b->joined_solid && (b->drawn_solid || !kept) && (dense || !solid) ? FR_OK : FR_ERROR_MEMORY;
    if (result == FR_OK) {
        if (solid)
            fr_field_copy(solid, dense);
        result = cast_fill(frame, dense, b);
    }
    memory_free(dense);
    return result;
}
