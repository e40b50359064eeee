#include "render/flat/resample.h"

#include "base/memory.h"
#include "base/threads.h"
#include "render/space/cubic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The four-point stencil of a voxel along one axis: samples and weights. */
typedef struct resample_taps {
    int at[4];
    float weight[4];
} resample_taps;

/* Replaces a tap beyond the side by linear extrapolation, for distances: the surface of an obstacle that leaves the
   domain must not bend at the side. Smooth fields are constant there. */
static void resample_side(resample_taps *taps, int k, int cells)
{
    int side = taps->at[k] < 0 ? 0 : cells - 1, inner = side ? side - 1 : 1, beyond = abs(taps->at[k] - side);
    taps->at[k] = side;
    if (cells < 2)
        return;
    for (int j = 0; j < 4; j++)
        if (j != k && taps->at[j] == inner) {
            taps->weight[j] -= taps->weight[k] * (float)beyond;
            taps->weight[k] *= (float)(1 + beyond);
            return;
        }
}

static resample_taps resample_taps_at(int i, int n, int cells, bool smooth)
{
    resample_taps taps;
    double place = (i + 0.5) * cells / n - 0.5;
    int low = (int)floor(place);
    (smooth ? cubic_smooth_weights : cubic_weights)((float)(place - low), taps.weight);
    for (int k = 0; k < 4; k++) {
        int at = low - 1 + k;
        taps.at[k] = !smooth ? at : at < 0 ? 0 : at >= cells ? cells - 1 : at;
    }
    for (int k = 0; k < 4; k++)
        if (taps.at[k] < 0 || taps.at[k] >= cells)
            resample_side(&taps, k, cells);
    return taps;
}

typedef struct resample_job {
    const int *n;            /* voxels */
    const float *coarse;     /* dense, [z][y][x] */
    int cells[3];
    bool smooth;
    float *lines;            /* one row of cells per layer of voxels */
    float *out;
} resample_job;

/* One row of cells, interpolated along y and z to the voxel row (j, k). */
static void resample_row(const resample_job *r, int j, int k, float *line)
{
    resample_taps ty = resample_taps_at(j, r->n[1], r->cells[1], r->smooth);
    resample_taps tz = resample_taps_at(k, r->n[2], r->cells[2], r->smooth);
    memset(line, 0, sizeof *line * (size_t)r->cells[0]);
    for (int b = 0; b < 16; b++) {
        float weight = ty.weight[b % 4] * tz.weight[b / 4];
        if (weight == 0)
            continue;
        const float *row =
            r->coarse + ((size_t)tz.at[b / 4] * (size_t)r->cells[1] + (size_t)ty.at[b % 4]) * (size_t)r->cells[0];
        for (int i = 0; i < r->cells[0]; i++)
            line[i] += weight * row[i];
    }
}

static void resample_layers(void *context, int begin, int end)
{
    const resample_job *r = context;
    const int *n = r->n;
    for (int k = begin; k < end; k++) {
        float *line = r->lines + (size_t)k * (size_t)r->cells[0];
        for (int j = 0; j < n[1]; j++) {
            float *out = r->out + ((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0];
            resample_row(r, j, k, line);
            for (int i = 0; i < n[0]; i++) {
                resample_taps tx = resample_taps_at(i, n[0], r->cells[0], r->smooth);
                out[i] = tx.weight[0] * line[tx.at[0]] + tx.weight[1] * line[tx.at[1]] + tx.weight[2] * line[tx.at[2]]
                       + tx.weight[3] * line[tx.at[3]];
            }
        }
    }
}

/* Extrapolates into obstacles: an unknown cell takes the mean of its known neighbours. Three passes, as far as the
   cubic stencil reaches diagonally. */
static void resample_extend(float *values, uint8_t *known, const int cells[3])
{
    const ptrdiff_t stride[3] = {1, cells[0], (ptrdiff_t)cells[0] * cells[1]};
    for (uint8_t pass = 1; pass <= 3; pass++)
        for (int k = 0; k < cells[2]; k++)
            for (int j = 0; j < cells[1]; j++)
                for (int i = 0; i < cells[0]; i++) {
                    ptrdiff_t at = i + j * stride[1] + k * stride[2];
                    if (known[at])
                        continue;
                    const int place[3] = {i, j, k};
                    float sum = 0;
                    int count = 0;
                    for (int side = 0; side < 6; side++) {
                        int axis = side / 2, step = side % 2 ? 1 : -1, next = place[axis] + step;
                        ptrdiff_t beside = at + step * stride[axis];
                        if (next < 0 || next >= cells[axis] || known[beside] == 0 || known[beside] > pass)
                            continue;
                        sum += values[beside];
                        count++;
                    }
                    if (count > 0) {
                        values[at] = sum / (float)count;
                        known[at] = (uint8_t)(pass + 1);   /* counts as known from the next pass on */
                    }
                }
}

static fr_result resample_fill_obstacles(const resample_source *source, const int cells[3], float *values)
{
    size_t count = (size_t)cells[0] * (size_t)cells[1] * (size_t)cells[2];
    float *distance = MEMORY_NEW(float, count);
    uint8_t *known = MEMORY_NEW(uint8_t, count);
    if (distance && known) {
        fr_field_copy(source->solid, distance);
        for (size_t i = 0; i < count; i++)
            known[i] = (uint8_t)!(distance[i] < 0);
        resample_extend(values, known, cells);
    }
    memory_free(distance);
    memory_free(known);
    return distance && known ? FR_OK : FR_ERROR_MEMORY;
}

static bool resample_same_size(const fr_field *a, const fr_field *b)
{
    return a->size[0] == b->size[0] && a->size[1] == b->size[1] && a->size[2] == b->size[2];
}

/* A dense copy with finite values, extrapolated into obstacles. */
static fr_result resample_prepare(const resample_source *source, const int cells[3], float *values)
{
    fr_field_copy(source->field, values);
    for (size_t i = 0; i < (size_t)cells[0] * (size_t)cells[1] * (size_t)cells[2]; i++)
        values[i] = isfinite(values[i]) ? values[i] : 0;
    if (source->solid && resample_same_size(source->solid, source->field))
        return resample_fill_obstacles(source, cells, values);
    return FR_OK;
}

fr_result resample_field(const resample_source *source, const int n[3], float *out)
{
    const fr_field *field = source->field;
    const int cells[3] = {(int)field->size[0], (int)field->size[1], (int)field->size[2]};
    float *coarse = MEMORY_NEW(float, (size_t)(field->size[0] * field->size[1] * field->size[2]));
    float *lines = MEMORY_NEW(float, (size_t)n[2] * (size_t)cells[0]);
    fr_result result = coarse && lines ? resample_prepare(source, cells, coarse) : FR_ERROR_MEMORY;
    if (result == FR_OK) {
        resample_job job = {n, coarse, {cells[0], cells[1], cells[2]}, source->smooth, lines, out};
        threads_for(n[2], resample_layers, &job);
    }
    memory_free(coarse);
    memory_free(lines);
    return result;
}
