/* Frames with a level set for tests. */
#ifndef TESTS_SUPPORT_LEVELS_H
#define TESTS_SUPPORT_LEVELS_H

#include "support/check.h"

#include <freshet/frame.h>

#include <stdlib.h>

enum { LEVEL_FIELDS = 5 }; /* level_set, u, v, w, solid */

typedef struct levels {
    fr_frame frame;
    fr_field fields[LEVEL_FIELDS];
    float *data[LEVEL_FIELDS];
} levels;

typedef double (*level_shape)(const double at[3]);

static inline void level_add(levels *l, const char *name, fr_location at, int refine)
{
    int n = l->frame.field_count++;
    fr_field *f = &l->fields[n];
    *f = (fr_field){.name = name, .unit = at == FR_AT_CELL ? "m" : "m/s", .location = at};
    for (int a = 0; a < 3; a++) {
        bool used = a < l->frame.dims;
        f->size[a] = used ? refine * l->frame.cells[a] + ((int)at == (int)FR_AT_FACE_X + a) : 1;
        f->stride[a] = a == 0 ? 1 : f->stride[a - 1] * f->size[a - 1];
    }
    l->data[n] = malloc((size_t)(f->stride[2] * f->size[2]) * sizeof(float));
    f->data = l->data[n];
}

/* Fills field n with a function of the place, held to ± `most`. */
static inline void level_fill(levels *l, int n, level_shape shape, double most)
{
    const fr_field *f = &l->fields[n];
    int refine = fr_field_refine(&l->frame, f);
    for (int64_t k = 0; k < f->size[2]; k++)
        for (int64_t j = 0; j < f->size[1]; j++)
            for (int64_t i = 0; i < f->size[0]; i++) {
                const int64_t index[3] = {i, j, k};
                double at[3];
                for (int a = 0; a < 3; a++) {
                    double h = l->frame.spacing[a] / refine,
                           middle = (int)f->location == (int)FR_AT_FACE_X + a ? 0 : 0.5;
                    at[a] = l->frame.origin[a] + (a < l->frame.dims ? ((double)index[a] + middle) * h : 0);
                }
                double value = shape(at);
                l->data[n][i * f->stride[0] + j * f->stride[1] + k * f->stride[2]] = (float)(value > most    ? most
                                                                                             : value < -most ? -most
                                                                                                             : value);
            }
}

static inline double level_turn_x(const double at[3])
{
    return at[2];
}
static inline double level_turn_y(const double at[3])
{
    (void)at;
    return 0.5;
}
static inline double level_turn_z(const double at[3])
{
    return -at[0];
}

/* A domain of size 1 along x, with cells of edge 1 / n, whose liquid turns about y and rises. */
static inline void level_make(levels *l, const int cells[3], int refine, level_shape shape)
{
    double h = 1.0 / cells[0];
    *l = (levels){.frame = {.can = FR_FRAME_SURFACE,
                            .dims = cells[2] > 1 ? 3 : 2,
                            .cells = {cells[0], cells[1], cells[2]},
                            .spacing = {h, h, h}}};
    l->frame.fields = l->fields;
    level_add(l, "level_set", FR_AT_CELL, refine);
    level_fill(l, 0, shape, 3 * h / refine);
    level_add(l, "u", FR_AT_FACE_X, 1);
    level_fill(l, 1, level_turn_x, 1e9);
    level_add(l, "v", FR_AT_FACE_Y, 1);
    level_fill(l, 2, level_turn_y, 1e9);
    if (cells[2] > 1) {
        level_add(l, "w", FR_AT_FACE_Z, 1);
        level_fill(l, 3, level_turn_z, 1e9);
    }
}

static inline void level_add_solid(levels *l, level_shape shape)
{
    level_add(l, "solid", FR_AT_CELL, 1);
    level_fill(l, l->frame.field_count - 1, shape, 1e9);
    l->frame.has_obstacles = true;
}

static inline void level_free(levels *l)
{
    for (int i = 0; i < l->frame.field_count; i++)
        free(l->data[i]);
}

#endif
