/* The hats of friction among the particles: velocities of particles from those of nodes, and sums over particles. */
#ifndef FR_SPH_FRICTION_SPACE_H
#define FR_SPH_FRICTION_SPACE_H

#include "particles/fluid.h"
#include "sph/friction/hats.h"
#include "sph/model.h"
#include "sph/pressure/sums.h"

typedef struct friction_space {
    hats *hats;
    double low[3];
    int64_t room;
    int32_t (*node)[HATS_CORNERS];   /* of the corners of each particle's simplex */
    float (*share)[HATS_CORNERS];    /* and the hats' values */
    uint8_t *order;                  /* of its axes */
    uint32_t *begin;                 /* of each node's items */
    int32_t *item;                   /* HATS_CORNERS times a particle near it, plus the corner that the node is */
} friction_space;

fr_result friction_space_create(const sph_model *m, friction_space **out);
void friction_space_destroy(friction_space *f);
double friction_space_bytes(const sph_model *m);
enum { FRICTION_SPACE_BYTES = HATS_CORNERS * (2 * sizeof(int32_t) + sizeof(float)) + 1 };

/* Memory for so many particles. */
fr_result friction_space_reserve(friction_space *f, int64_t particles);

/* The operator, for particles where they are. own[0] holds of each the friction of walls, its share of the diagonal
   block (xx, yy, zz), then W, the strength of that within the liquid; own[1] xy, xz, yz of the former. */
void friction_space_set(const sph_model *m, friction_space *f, const fluid *liquid, particle_vector *const own[2]);

/* What the coarse space adds to the velocity of a particle, once friction_space_solve has found it. */
static inline four friction_space_at(const friction_space *f, const hats_level *l, int64_t n)
{
    hats_vector sum = {0};
    for (int c = 0; c < HATS_CORNERS; c++)
        sum += (double)f->share[n][c] * l->error[f->node[n][c]];
    return __builtin_convertvector(sum, four);
}

/* Finds the velocities of the nodes for the forces on particles. */
void friction_space_solve(friction_space *f, const particle_vector *force);

#endif
