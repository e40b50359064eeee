/* A float32 field on a block: samples at cell centres or on the faces across one axis, surrounded by GHOST layers of
   ghost samples along every axis the scene has. In 2D stride[2] is 0: the neighbour along z is the sample itself, so
   that differences along z vanish and every stage is written once, for 3D.

   A field on the faces across x has one more sample along x: face i lies between cells i − 1 and i. */
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
    float *block;        /* all samples, including ghosts */
    size_t count;        /* of `block` */
} field;

static inline fr_location field_face(int axis) { return (fr_location)(FR_AT_FACE_X + axis); }

/* The axis whose faces carry the samples, or −1 for centres. */
static inline int field_axis(const field *f) { return f->at == FR_AT_CELL ? -1 : (int)f->at - FR_AT_FACE_X; }

/* Offset of the sample (i, j, k) from `data`. */
static inline ptrdiff_t field_offset(const field *f, int i, int j, int k)
{
    return i + j * f->stride[1] + k * f->stride[2];
}

static inline float *field_row(const field *f, int j, int k) { return f->data + j * f->stride[1] + k * f->stride[2]; }

/* Sets sizes and strides without allocating, for counting bytes and offsets. */
void field_layout(const domain *domain, fr_location at, field *out);
fr_result field_create(const domain *domain, fr_location at, field *out);
/* The same over memory that the caller owns; it must be large enough. */
void field_over(float *block, const domain *domain, fr_location at, field *out);
void field_destroy(field *f);
size_t field_bytes(const domain *domain, fr_location at);
void field_fill(field *f, float value);       /* including ghosts */
void field_copy(field *to, const field *from); /* same layout; including ghosts */
/* to = a·x + b·y, including ghosts. All have the same layout; `to` may be x or y. */
void field_blend(field *to, float a, const field *x, float b, const field *y);
void field_swap(field *a, field *b);

/* Position of sample (0, 0, 0), m. */
void field_origin(const field *f, const domain *d, double origin[3]);
/* Position of any sample, m. */
void field_position(const field *f, const domain *d, const ptrdiff_t index[3], double at[3]);

/* Processes the rows [begin, end) of a field; row m is j = m mod size[1], k = m div size[1]. */
typedef void (*field_work)(void *context, int begin, int end);
void field_for_rows(const field *layout, field_work work, void *context);
/* The samples [span[0], span[1]) of a row, from its first to its last negative one; empty if none is. */
void field_negative_span(const field *f, int j, int k, int span[2]);
/* Largest |f − origin| over the samples; `partial` is scratch for one number per row. NaN is ignored. */
double field_largest(const field *f, float origin, double *partial);
float field_largest_in(const float *samples, int count, float origin);

/* Offset of sample (0, 0, 0) from the block. */
static inline ptrdiff_t field_first(const field *f) { return GHOST * (f->stride[0] + f->stride[1] + f->stride[2]); }

static inline int field_rows(const field *f) { return f->size[1] * f->size[2]; }

#endif
