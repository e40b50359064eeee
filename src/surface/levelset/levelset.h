/* The level set φ of a liquid, kept in a narrow band around its surface: φ < 0 in the liquid, in metres.

   φ is a dense field of cells that the caller owns. Beyond the band it is ± the band's width, so that every cell's sign
   is right everywhere. All passes go over a list of the blocks of cells that the band touches, so that their time
   follows the surface's area and not the box. The list follows the surface by itself; a caller who has changed signs of
   φ far from the surface calls levelset_find.

   What lies beyond the box's sides is extrapolated linearly, or wraps around on periodic axes; where the surface does
   not meet a wall, never to the other side of the surface. Beyond open sides there is air: liquid that touches one has
   its surface there. The calls leave the ghosts of φ filled accordingly. */
#ifndef FR_SURFACE_LEVELSET_H
#define FR_SURFACE_LEVELSET_H

#include "grid/field.h"

enum { LEVELSET_BAND = 4 }; /* the band's half width in cells, of the longest edge */

typedef struct levelset levelset; /* the list of blocks and working memory; nothing that a snapshot must keep */

fr_result levelset_create(const domain *d, levelset **out);
void levelset_destroy(levelset *ls);
size_t levelset_bytes(const levelset *ls);
float levelset_width(const levelset *ls); /* |φ| beyond the band, m */

/* Sides through which the liquid leaves and air enters, low x, high x, low y …: none at first. */
void levelset_open_sides(levelset *ls, const bool sides[6]);

void levelset_fill_ghosts(const levelset *ls, field *phi);

/* Lists the blocks by the signs of any φ, over the whole box, and sets φ to ± the width in all others. */
fr_result levelset_find(levelset *ls, field *phi);

/* A flow that stays as it is during a step. */
typedef struct levelset_flow {
    const field *velocity; /* one field of faces per axis; ghosts filled */
    int refine;            /* cells of φ per cell of the flow, along each axis */
} levelset_flow;

/* Derivatives are upwind ones of first order, ENO of second and third (Shu & Osher 1989) and WENO of fifth (Jiang &
   Peng 2000). Semi-Lagrangian interpolates cubically, without bounds. */
typedef enum levelset_scheme {
    LEVELSET_SEMI_LAGRANGIAN,
    LEVELSET_UPWIND,
    LEVELSET_ENO2,
    LEVELSET_ENO3,
    LEVELSET_WENO5
} levelset_scheme;

typedef struct levelset_motion {
    levelset_scheme scheme;
    int order; /* of Runge–Kutta, 1 … 3: of the trace, or of the TVD steps of the others (Shu & Osher 1988) */
    int steps; /* result: sub-steps taken */
} levelset_motion;

/* Dφ/Dt = 0 over dt at any Courant number. All schemes but the semi-Lagrangian take sub-steps of a Courant number below
   one. */
fr_result levelset_carry(levelset *ls, const levelset_flow *flow, double dt, levelset_motion *motion, field *phi);

/* Makes φ the signed distance, |∇φ| = 1, within the band. The zero set stays where it is (redistance.c). */
fr_result levelset_redistance(levelset *ls, field *phi);

/* levelset_find and levelset_redistance, for a φ whose signs may have changed anywhere. */
fr_result levelset_renew(levelset *ls, field *phi);

/* The same by pseudo-time steps with WENO of fifth order, as Carlson has it (redistance_weno.c): slower. */
fr_result levelset_redistance_weno(levelset *ls, field *phi);

/* The volume of φ < 0, m³ (in 2D of a sheet one metre deep), from the plane through each cell that fits φ and ∇φ there:
   of second order. `open`: share of each cell that counts; NULL: 1. Ghosts of φ must be filled. */
double levelset_volume(levelset *ls, const field *phi, const field *open);

/* Cells whose φ is farther from 0 than this, half their diagonal, m, are all liquid or all air, even where φ is steeper
   than a distance: beside drops and holes that particles have just put back it is. */
float levelset_whole(const levelset *ls);

/* The share of the cell at `at` (a sample of φ, ghosts filled) that is liquid when the surface is moved outward by
   `moved` m. */
double levelset_share(const field *phi, const float *at, double moved);

/* Moves the surface by one distance everywhere so that the volume becomes `wanted`, m³. Returns the distance, m;
   outward is positive. */
double levelset_shift(levelset *ls, double wanted, const field *open, field *phi);

#endif
