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

/* The cell that holds a position, and the block that holds a particle. */
static inline int particles_cell(const domain *d, int axis, float place)
{
    const int c = (int)place;
    return c < d->n[axis] ? c : d->n[axis] - 1;
}
static inline int particles_block(const levelset_particles *p, const levelset *ls, int i)
{
    int number = 0;
    for (int a = p->d.dims - 1; a >= 0; a--)
        number = number * ls->blocks[a] + particles_cell(&p->d, a, p->place[a][i]) / ls->side[a];
    return number;
}

/* What `calm` says of a block; the last while it is being filled. */
enum { PARTICLES_STIRRED, PARTICLES_CALM, PARTICLES_WAKING };

/* Fills the waking blocks as at the start (particles_seed.c). */
fr_result levelset_particles_wake(levelset_particles *p, levelset *ls, const levelset_stir *stir);

/* φ where blocks are marked: from what it is towards ls->next, so far that the volume becomes what it should. */
void levelset_particles_balance(const levelset_particles *p, levelset *ls, const levelset_total *total, field *phi);

/* Room for `count`; the particles that are there and their order are kept. */
fr_result levelset_particles_reserve(levelset_particles *p, int64_t count);

#endif
