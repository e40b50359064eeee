/* Freshet: the fields that the engine knows by name: what they are, and how pictures show them. */
#ifndef FRESHET_FIELDS_H
#define FRESHET_FIELDS_H

#include <freshet/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which numbers the colours span where a view gives no range. */
typedef enum fr_span {
    FR_SPAN_DATA,          /* from the least to the greatest */
    FR_SPAN_FROM_ZERO,     /* from nothing to the greatest */
    FR_SPAN_SIGNED         /* as far below zero as above: both signs deserve the same colours */
} fr_span;

typedef struct fr_field_look {
    const char *colormap;  /* where a view names none; NULL: its colours are no numbers */
    fr_span span;
} fr_field_look;

/* From what a field is made that no frame has as one. */
enum { FR_FROM_GRIDS = 1, FR_FROM_LIQUIDS = 2 };

typedef struct fr_field_info {
    const char *name;
    const char *meaning;         /* a sentence */
    const char *unit;            /* on a grid; NULL: no grid has it */
    const char *bent_unit;       /* on a bent grid */
    const char *particle_unit;   /* as a number of every particle; NULL: none have it */
    fr_location location;        /* on a plain grid; on a bent one all fields lie at the cells */
    unsigned derived;            /* made for pictures and probes: FR_FROM_GRIDS, FR_FROM_LIQUIDS; 0: frames have it */
    bool only_3d;                /* 2D has none */
    bool is_scalar;              /* the flow carries it; scenes give it values by name */
    fr_field_look in_2d, in_3d;  /* of fields on grids; particles of a liquid have one look for all their numbers */
} fr_field_info;

/* All of them; returns how many. */
FR_API int fr_fields(const fr_field_info **fields);

/* What a name stands for; NULL when it is none of the engine's, as those of a scene's own scalars. */
FR_API const fr_field_info *fr_field_describe(const char *name);

/* What a field is that lies on a frame's grid: whatever the engine does not put there itself is a scalar of the scene,
   and has the row of them all, whose name is NULL. */
FR_API const fr_field_info *fr_field_on_grid(const char *name);

/* Whether a scene may declare a scalar of that name. */
FR_API bool fr_field_may_be_scalar(const char *name);

#ifdef __cplusplus
}
#endif
#endif
