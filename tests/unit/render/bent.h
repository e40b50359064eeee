/* Frames on curvilinear grids with fields from formulas, for tests of pictures. */
#ifndef FR_TEST_RENDER_BENT_H
#define FR_TEST_RENDER_BENT_H

#include "frames.h"

/* Where (s, t, r) in 0 … 1 lies. */
typedef void (*bent_map)(double s, double t, double r, double x[3]);

/* The frame `t` with its nodes; fields follow by bent_add. */
static inline void bent_init(test_frame *t, const int cells[3], bent_map map)
{
    test_frame_init(t, cells[0], cells[1], cells[2], 1);
    int n[3] = {cells[0] + 1, cells[1] + 1, t->frame.dims == 3 ? cells[2] + 1 : 1};
    float *nodes = malloc(sizeof(float) * 3 * (size_t)(n[0] * n[1] * n[2])), *next = nodes;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, next += 3) {
                double x[3] = {0, 0, 0};
                map((double)i / cells[0], (double)j / cells[1], t->frame.dims == 3 ? (double)k / cells[2] : 0, x);
                for (int a = 0; a < 3; a++) {
                    next[a] = (float)x[a];
                    low[a] = fmin(low[a], x[a]);
                    high[a] = fmax(high[a], x[a]);
                }
            }
    t->frame.nodes = (fr_vectors){nodes, 3};
    t->frame.can = FR_FRAME_BENT | FR_FRAME_RELATIVE_PRESSURE;
    for (int a = 0; a < 3; a++) {
        t->frame.origin[a] = low[a];
        t->frame.spacing[a] = (high[a] - low[a]) / cells[a];
    }
}

/* A field at the cells, by the place of their middle in the world. */
static inline float *bent_add(test_frame *t, const char *name, bent_map map, test_function function)
{
    float *data = test_frame_add(t, name, FR_AT_CELL, NULL);
    const int *n = t->frame.cells;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                double x[3] = {0, 0, 0};
                map((i + 0.5) / n[0], (j + 0.5) / n[1], (k + 0.5) / n[2], x);
                data[i + n[0] * (j + (ptrdiff_t)n[1] * k)] = (float)function(x[0], x[1], x[2]);
            }
    return data;
}

static inline void bent_free(test_frame *t)
{
    free((void *)t->frame.nodes.data);
    test_frame_free(t);
}

#endif
