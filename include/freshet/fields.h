/* Freshet: the fields that the engine knows by name: what they are, and how pictures show them. */
#ifndef FRESHET_FIELDS_H
#define FRESHET_FIELDS_H

#include <freshet/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The colour range where a view gives none. */
typedef enum fr_span {
    FR_SPAN_DATA,          /* from the minimum to the maximum */
    FR_SPAN_FROM_ZERO,     /* from zero to the maximum */
    FR_SPAN_SIGNED,        /* symmetric about zero */
    FR_SPAN_DECADES        /* from the minimum to the maximum, of logarithms: for what ranges over decades */
} fr_span;

typedef struct fr_field_look {
    const char *colormap;  /* where a view names none; NULL: the picture uses no colour map */
    fr_span span;
} fr_field_look;

/* What a derived field, which no frame contains, is computed from. */
enum { FR_FROM_GRIDS = 1, FR_FROM_LIQUIDS = 2 };

typedef struct fr_field_info {
    const char *name;
    const char *meaning;         /* a sentence */
    const char *unit;            /* on a grid; NULL: not a grid field */
    const char *bent_unit;       /* on a bent grid */
    const char *particle_unit;   /* as a particle attribute; NULL: it is none */
    fr_location location;        /* on a regular grid; on a bent one all fields are cell-centred */
    unsigned derived;            /* computed for pictures and probes: FR_FROM_GRIDS, FR_FROM_LIQUIDS; 0: not derived */
    bool only_3d;                /* 2D scenes have no such field */
    bool is_scalar;              /* the flow carries it; scenes give it values by name */
    fr_field_look in_2d, in_3d;  /* of grid fields; all attributes of liquid particles look alike */
} fr_field_info;

/* All fields, in a static table; returns their number. */
FR_API int fr_fields(const fr_field_info **fields);

/* The field of that name; NULL when the engine has none, as for scalars that a scene declares. */
FR_API const fr_field_info *fr_field_describe(const char *name);

/* The entry of a field on a frame's grid. A name that the engine does not know is a scalar that the scene declares; all
   of those share one entry, whose name is NULL. */
FR_API const fr_field_info *fr_field_on_grid(const char *name);

/* Whether a scene may declare a scalar of that name. */
FR_API bool fr_field_may_be_scalar(const char *name);

#ifdef __cplusplus
}
#endif
#endif
