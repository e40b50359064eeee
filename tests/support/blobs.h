/* Shapes of liquids and solids drawn from a seed. */
#ifndef TESTS_SUPPORT_BLOBS_H
#define TESTS_SUPPORT_BLOBS_H

#include "grid/domain.h"
#include "support/check.h"

typedef struct draw {
    uint64_t seed;
} draw;

/* 0 … 1, the next of a repeatable sequence. */
static inline double draw_unit(draw *d)
{
    return 0.5 + 0.5 * check_noise(d->seed++);
}

static inline int draw_int(draw *d, int least, int most)
{
    int value = least + (int)(draw_unit(d) * (most - least + 1));
    return value < most ? value : most;
}

typedef enum blob_kind { BALL, HALF_SPACE, SHEET, COLUMN } blob_kind;

/* A piece of liquid or a solid, in cells. */
typedef struct blob {
    blob_kind kind;
    double centre[3], normal[3], radius, thickness;
} blob;

static inline blob draw_blob(draw *r, const domain *d, blob_kind kind)
{
    blob b = {.kind = kind, .radius = 0.6 + 0.3 * draw_unit(r) * fmin(d->n[0], d->n[1])};
    double length = 0, tilted = draw_unit(r);
    int upright = draw_int(r, 0, d->dims - 1);
    for (int a = 0; a < d->dims; a++) {
        b.centre[a] = draw_unit(r) * d->n[a];
        b.normal[a] = tilted < 0.5 ? a == upright : draw_unit(r) - 0.5;
        length += b.normal[a] * b.normal[a];
    }
    for (int a = 0; a < d->dims; a++)
        b.normal[a] /= sqrt(length);
    b.thickness = 0.2 + 1.3 * draw_unit(r);
    return b;
}

static inline double blob_distance(const blob *b, const double x[3], int dims)
{
    double along = 0, square = 0, beside = 0;
    for (int a = 0; a < dims; a++) {
        double far = x[a] - b->centre[a];
        along += far * b->normal[a];
        square += far * far;
        beside = a == 1 ? beside : fmax(beside, fabs(far));
    }
    switch (b->kind) {
    case BALL:
        return sqrt(square) - b->radius;
    case HALF_SPACE:
        return along;
    case SHEET:
        return fabs(along) - b->thickness;
    default:
        return beside - 2 * b->thickness;
    }
}

#endif
