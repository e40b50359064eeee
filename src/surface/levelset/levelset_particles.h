/* Particles on both sides of a level set that restore what its grid loses (Enright, Fedkiw, Ferziger & Mitchell 2002).

   They are spheres in the band, each of the side on which it was born, and are moved by the flow. One that is found on
   the wrong side by more than its radius has escaped: the level set has erred there, and it corrects φ. A step:

     levelset_carry, levelset_particles_move, levelset_particles_correct, levelset_redistance,
     levelset_particles_correct and levelset_particles_fit; every PARTICLES_RESEED steps levelset_particles_seed

   Positions, signed radii and which blocks are calm are the whole state, 16 bytes a particle; everything else is
   working memory. */
#ifndef FR_SURFACE_LEVELSET_PARTICLES_H
#define FR_SURFACE_LEVELSET_PARTICLES_H

#include "surface/levelset/levelset.h"

enum { PARTICLES_PER_CELL = 32, PARTICLES_RESEED = 20 }; /* defaults */
enum { LEVELSET_PARTICLE_BYTES = 40, LEVELSET_PARTICLE_SAVED_BYTES = 16 }; /* of one, with working memory; its state */

typedef struct levelset_particles {
    domain d;
    int per_cell; /* 1 … 255 */
    int count, capacity;
    float *place[3]; /* cells of φ from the low corner of the box; place[2] is 0 in 2D */
    float *radius;   /* m; negative in the liquid, positive in the air, 0: deleted */
    uint8_t *calm;   /* per block of the box: whether its particles have been let go of; NULL: they never are */
    int block_count;

    /* working memory: as large as those above, per 1024 of them, per block */
    float *spare[4];
    uint8_t *calm_before; /* `calm` before the step */
    int32_t *key, *order;
    int32_t *pieces;
    int32_t *starts;
    int start_count;
    float *witness; /* per cell of the listed blocks: what escaped ones of the liquid and of the air stand for, cells */
    int witness_blocks;
} levelset_particles;

fr_result levelset_particles_create(const domain *d, int per_cell, levelset_particles **out);
void levelset_particles_destroy(levelset_particles *p);
size_t levelset_particles_bytes(const levelset_particles *p);

/* How many are not deleted. */
int levelset_particles_alive(const levelset_particles *p);

/* Room for `count` particles, whose values the caller then sets: for resuming. */
fr_result levelset_particles_resize(levelset_particles *p, int count);

/* Moves them by Runge–Kutta of an order of 1 … 4. Those that leave the box, or enter a solid, are deleted. `solid`:
   signed distance at the cells, negative inside, ghosts filled; NULL: none. */
void levelset_particles_move(levelset_particles *p, const levelset_flow *flow, double dt, int order,
                             const field *solid);

/* What the liquid holds in all. */
typedef struct levelset_total {
    double volume;     /* m³ */
    const field *open; /* share of each cell that counts; NULL: 1 */
} levelset_total;

/* Corrects φ by the particles that have escaped, all the way or, where the total is known (else NULL), as far as it
   allows (particles_balance.c). */
fr_result levelset_particles_correct(levelset_particles *p, levelset *ls, const levelset_total *total, field *phi);

/* Lists those that have escaped in `order`, sorted; returns their number. */
int levelset_particles_find_escaped(levelset_particles *p, const field *phi);

/* Makes the spheres touch the surface, within 0.01 … 0.5 cells. */
void levelset_particles_fit(levelset_particles *p, const field *phi);

/* Where air has no pressure and no velocity of its own, deletes those that know nothing of the surface any more. Those
   of the air that are in the liquid by more than their radius: what the liquid closes around is gone, and would else go
   on eating it. Those of the liquid that are in the air by half a cell more than that: drops that the grid does not
   have, and which move as the liquid beside them does, not as they would. */
void levelset_particles_forget(levelset_particles *p, const field *phi);

/* Deletes those that are too many or too far from the surface, and fills the cells within three cells of it up to their
   number. Where new ones appear depends on the cell and `step` only. */
fr_result levelset_particles_seed(levelset_particles *p, levelset *ls, const field *phi, const field *solid,
                                  uint64_t step);

/* From now on particles are let go of where the water is calm (particles_calm.c). */
fr_result levelset_particles_watch(levelset_particles *p, const levelset *ls);

/* A step that has been. */
typedef struct levelset_stir {
    const field *phi, *solid; /* as above */
    levelset_flow flow;
    double dt; /* s */
    uint64_t step;
    bool settles; /* particles are born now, levelset_particles_seed: blocks may become calm */
} levelset_stir;

/* Fills calm blocks that have been stirred; where blocks have become calm, levelset_particles_seed then deletes theirs.
   Does nothing unless they are watched. */
fr_result levelset_particles_stir(levelset_particles *p, levelset *ls, const levelset_stir *stir);

/* Which blocks are calm, as it is before a step, and again after a failed one. */
void levelset_particles_keep_calm(levelset_particles *p);
void levelset_particles_undo_calm(levelset_particles *p);

/* Where φ has been set from outside, and particles know nothing of it: near sources of liquid. */
typedef struct levelset_renewal {
    const field *region; /* cells: signed distance, m, ghosts filled */
    float reach;         /* m: particles nearer to the region than this, or inside, are replaced */
    const field *solid;  /* as above */
    uint64_t step;
} levelset_renewal;

/* Replaces the particles there by new ones that fit φ, as many as at the start; sorts and deletes the others as
   levelset_particles_seed does. */
fr_result levelset_particles_renew(levelset_particles *p, levelset *ls, const field *phi,
                                   const levelset_renewal *renewal);

#endif
