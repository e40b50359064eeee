/* What the files on particles share. */
#ifndef FR_SURFACE_LEVELSET_PARTICLES_PARTS_H
#define FR_SURFACE_LEVELSET_PARTICLES_PARTS_H

#include "surface/levelset/band.h"
#include "surface/levelset/levelset_particles.h"

enum { PARTICLES_PIECE = 1024 }; /* particles in an item of work */

static inline int particles_pieces(const levelset_particles *p)
{
    return (p->count + PARTICLES_PIECE - 1) / PARTICLES_PIECE;
}

/* Limits of the radius, m. By less than the least one the surface can err and no particle object: with the 0.1 cells of
   Enright et al. 2002, eq. 12, a scheme that errs to one side loses that much all along the surface. */
static inline float particles_least(const levelset_particles *p)
{
    return (float)(0.01 * domain_min_h(&p->d));
}
static inline float particles_most(const levelset_particles *p)
{
    return (float)(0.5 * domain_min_h(&p->d));
}

/* φ where blocks are marked: from what it is towards ls->next, so far that the volume becomes what it should. */
void levelset_particles_balance(const levelset_particles *p, levelset *ls, const levelset_total *total, field *phi);

/* Room for `count`; the particles that are there and their order are kept. */
fr_result levelset_particles_reserve(levelset_particles *p, int64_t count);

#endif
