/* Still obstacles on the grid: how much of each face is open, which samples lie inside, and from where values are
   carried on into them. */
#ifndef FR_MODEL_SOLIDS_H
#define FR_MODEL_SOLIDS_H

#include <freshet/defs.h>

#include "grid/field.h"

/* A sample inside an obstacle that gets the mean of some of its neighbours: bit 2a of `from` for the lower neighbour
   along axis a, bit 2a + 1 for the upper one. In layers: the first touch the fluid, the next touch the first, and so on;
   at the end those too deep inside to matter, linked to nothing. */
typedef struct solids_link {
    int32_t at;
    uint8_t from;
    uint16_t obstacle;
} solids_link;

typedef struct solids_links {
    solids_link *links;
    int64_t count;
} solids_links;

typedef struct solids {
    bool any;
    field distance;          /* m, cells: signed distance to the nearest obstacle, negative inside, ghosts filled; made by
                                solids_create */
    uint16_t *owner;         /* nearest obstacle of every cell, by block offset */
    field open[3];           /* open share of each face; made by solids_create */
    solids_links cells;      /* cells with no open face */
    solids_links faces[3];   /* closed faces */
    solids_links slivers[3]; /* faces less than half open, linked to neighbours that are open further; made by solids_create */
    uint8_t *cell_marks;     /* diffusion_mark of every cell, by block offset: outside in closed cells */
    uint8_t *warm_marks;     /* the same for temperature: fixed in obstacles that have one, wherever the centre is inside, whole
                                around them; NULL when none has */
    uint8_t *face_marks[3];  /* of every face: fixed in obstacles that stick, wherever the centre is inside or the face closed;
                                outside where closed by those that slip */
} solids;

/* `any` stays false without obstacles, and no memory is taken. */
fr_result solids_create(const fr_scene_def *def, const domain *d, solids *out);

/* The same for a grid on which scalars live and no flow, `refine` times as fine as the flow's: `faces` and `face_marks` stay
   empty, and cells are linked as deep into the obstacles as those of the flow are. */
fr_result solids_create_fine(const fr_scene_def *def, const domain *d, int refine, solids *out);
void solids_destroy(solids *s);

/* Which obstacle a sample of cells or faces belongs to: the nearest of its cell, or of the nearer of a face's two cells. */
uint16_t solids_owner(const solids *s, const domain *d, const field *layout, const int at[3]);

/* Share of a cell that is not obstacle, from the distance at its centre. */
float solids_open_volume(const domain *d, float distance);

#endif
