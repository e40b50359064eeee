/* Frames with fields from formulas, for tests of pictures. */
#ifndef FR_TEST_RENDER_FRAMES_H
#define FR_TEST_RENDER_FRAMES_H

#include <freshet/frame.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_FIELDS = 16 };

typedef struct test_frame {
    fr_frame frame;
    fr_field fields[FRAME_FIELDS];
} test_frame;

/* Value of a field at a point. */
typedef double (*test_function)(double x, double y, double z);

static inline void test_frame_init(test_frame *t, int nx, int ny, int nz, double width)
{
    memset(t, 0, sizeof *t);
    t->frame.dims = nz > 1 ? 3 : 2;
    t->frame.cells[0] = nx;
    t->frame.cells[1] = ny;
    t->frame.cells[2] = nz;
    for (int axis = 0; axis < 3; axis++)
        t->frame.spacing[axis] = width / nx;
    t->frame.fields = t->fields;
}

static inline float *test_frame_add(test_frame *t, const char *name, fr_location location, test_function function)
{
    fr_field *field = &t->fields[t->frame.field_count++];
    *field = (fr_field){.name = name, .unit = "", .location = location, .stride = {1, 0, 0}};
    for (int axis = 0; axis < 3; axis++)
        field->size[axis] = t->frame.cells[axis] + ((int)location == axis + 1);
    field->stride[1] = (ptrdiff_t)field->size[0];
    field->stride[2] = (ptrdiff_t)(field->size[0] * field->size[1]);
    float *data = malloc(sizeof(float) * (size_t)(field->size[0] * field->size[1] * field->size[2]));
    size_t at = 0;
    for (int k = 0; k < field->size[2]; k++)
        for (int j = 0; j < field->size[1]; j++)
            for (int i = 0; i < field->size[0]; i++) {
                double h = t->frame.spacing[0];
                double x = (i + (location == FR_AT_FACE_X ? 0 : 0.5)) * h,
                       y = (j + (location == FR_AT_FACE_Y ? 0 : 0.5)) * h;
                double z = t->frame.dims == 3 ? (k + (location == FR_AT_FACE_Z ? 0 : 0.5)) * h : 0;
                data[at++] = function ? (float)function(x, y, z) : 0;
            }
    field->data = data;
    return data;
}

static inline void test_frame_free(test_frame *t)
{
    for (int i = 0; i < t->frame.field_count; i++)
        free((void *)t->fields[i].data);
}

#endif
