/* A float32 field on a block: samples at cell centres or on the faces across one axis, with GHOST layers of
   ghost samples around it along every axis the scene has. In 2D stride[2] is 0: the neighbour "above" is the
   sample itself, so that differences along z vanish and every stage is written once, for 3D.

   On the faces across x there is one more sample along x: face i lies between cells i − 1 and i. */
#ifndef FR_GRID_FIELD_H
#define FR_GRID_FIELD_H

#include <freshet/frame.h>

#include "grid/domain.h"

enum { GHOST = 2 };

typedef struct field {
    float *data;         /* the sample (0, 0, 0) */
    int size[3];         /* samples without ghosts */
    ptrdiff_t stride[3]; /* stride[0] = 1 */
    fr_location at;
    float *block;        /* all samples, ghosts included */
    size_t count;
} field;

static inline fr_location field_face(int axis) { return (fr_location)(FR_AT_FACE_X + axis); }

/* The axis whose faces carry the samples, or −1 for centres. */
static inline int field_axis(const field *f) { return f->at == FR_AT_CELL ? -1 : (int)f->at - FR_AT_FACE_X; }

/* Where the sample (i, j, k) stands, counted from `data`. */
static inline ptrdiff_t field_offset(const field *f, int i, int j, int k)
{
    return i + j * f->stride[1] + k * f->stride[2];
}

static inline float *field_row(const field *f, int j, int k) { return f->data + j * f->stride[1] + k * f->stride[2]; }

/* Sizes and strides without memory: for counting bytes and offsets. */
void field_layout(const domain *domain, fr_location at, field *out);
fr_result field_create(const domain *domain, fr_location at, field *out);
/* The same over memory that somebody else owns, large enough for it. */
void field_over(float *block, const domain *domain, fr_location at, field *out);
void field_destroy(field *f);
size_t field_bytes(const domain *domain, fr_location at);
void field_fill(field *f, float value);       /* ghosts too */
void field_copy(field *to, const field *from);/* of the same shape; ghosts too */
/* to = a·x + b·y, ghosts too; all of the same shape, `to` may be one of them. */
void field_blend(field *to, float a, const field *x, float b, const field *y);
void field_swap(field *a, field *b);

/* Where sample (0, 0, 0) lies, m. */
void field_origin(const field *f, const domain *d, double origin[3]);

/* Does rows [begin, end) of a field; row m is j = m mod size[1], k = m div size[1]. */
typedef void (*field_work)(void *context, int begin, int end);
void field_for_rows(const field *layout, field_work work, void *context);
/* Greatest |f − origin| over the samples; `partial` has room for one number per row. NaN counts as nothing. */
double field_largest(const field *f, float origin, double *partial);

static inline int field_rows(const field *f) { return f->size[1] * f->size[2]; }

#endif
