/* The state of a particle liquid. A step reads `fluid` and writes `next`; when it is accepted the two are exchanged.
   During a step only the order of `fluid` changes, by sorting. */
#ifndef FR_SPH_STATE_H
#define FR_SPH_STATE_H

#include "method/bodies.h"
#include "method/progress.h"
#include "sph/friction/space.h"
#include "sph/pressure/coarse_space.h"
#include "sph/model.h"
#include "sph/nozzle.h"
#include "particles/fluid.h"
#include "particles/pairs.h"

/* A wall particle near another, and its weight in means over the wall around. */
typedef struct sph_link {
    int32_t other;
    float part;
} sph_link;

/* Particles on surfaces, in the order of their cells. */
typedef struct sph_walls {
    int64_t count;
    float *x, *y, *z;            /* m */
    float *volume;               /* that each stands for */
    particle_vector *velocity;   /* m/s, the mean over the step under way */
    particle_vector *answer;     /* m/s, that friction alone gives those of rigid bodies, else 0; NULL: no bodies */
    particle_vector *normal;     /* out of the body; then m, how deep it lies in it */
    int32_t *body;               /* which of the model's bodies */
    float *grip;                 /* 1: the liquid sticks to it; 0: it slips */
    bool sticks;                 /* to some of them, */
    bool holds;                  /* and to some that do not give way */
    bool moving;                 /* some can move */
    bool placed;                 /* once, at least */
    cells cells;

    /* Their pressure, see sph/pressure/brace.h. */
    bool press;                  /* they have one; false: walls that only repel */
    pairs pairs;                 /* with the fluid around each */
    float *room;                 /* share of the density at rest that the liquid may come to at a wall particle */
    float *density;              /* that it has there */
    particle_vector *gradient;   /* Σ g over the fluid */
    float *source, *left, *offer, *unknown;
    float *residual, *direction, *product, *correction, *diagonal;   /* of the solver; see sph/pressure/solve.h */
    float *impulse;              /* m/s, of WCSPH: `push` times d/Δt */
    float *push;                 /* the pressure that acts at each: the mean of the unknowns over the wall around */
    pairs around;                /* wall particles near each, to find links from; empty once those are final */
    sph_link *links;             /* with the wall particles around each */
    int64_t link_room;
    uint32_t *link_begin;        /* first of each; behind the last one's, the end */
    uint32_t *link_led;          /* end of the first ones, which are with those that have the unknown of their place */
    float *wet;                  /* 0 to 1: density of the liquid over the room for it */
    int32_t *reached; /* those that are not dry, in order; pressures and all that belongs to them are 0 at the others */
    int64_t reached_count;
    int32_t *led;                /* those of them that have the unknown of their place */
    int64_t led_count;
    uint8_t *leads;              /* it has the unknown of its place; see sph/pressure/brace.h */
    float *give, *take, *weigh;  /* of its unknown to pushes around; of those to its push; of it in what they ask for */
    float *layer; /* spacings, of the boundary layer at each, where the liquid sticks; by sph/stage/layer */

    /* The same in the order of the bodies; all but pressures and ages NULL once walls that stand still have been
     * placed. */
    struct {
        particle_vector *position, *velocity, *normal;
        float *volume, *grip, *room;
        int32_t *body;
        float *pressure, *next_pressure;   /* as of `fluid` and `next` */
        float *age;                        /* s, how long each has been wet */
    } unsorted;
} sph_walls;

/* A particle that comes out of a source. */
typedef struct sph_poured {
    vec3 position, velocity;     /* m, m/s */
    double enthalpy;             /* K, with heat */
} sph_poured;

typedef double sph_part_load[6];   /* force, then torque */

typedef struct sph_heat sph_heat;          /* sph/heat/heat.h */
typedef struct sph_floating sph_floating;  /* sph/floating/floating.h */
typedef struct sph_paste sph_paste;        /* sph/stage/shear.h */

enum { SPH_NUMBERS = 6, SPH_VECTORS = 5 };

typedef struct sph_state {
    progress now;
    fluid fluid, next;           /* `next` has the order of `fluid`; its ids and their like are of no use */
    int64_t born;                /* particles since the start: the next one's id */
    int64_t left, lost;          /* that left through open sides and sinks, and that had to be removed */
    sph_nozzle *nozzles;         /* of the sources, in the order of the scene */
    double *layers,
        *next_layers; /* that have come out of each by now, and by the end of the step under way; by sph/stage/pour */
    int source_count;
    sph_poured *poured;          /* particles that come out of sources in the step under way */
    int poured_count, poured_room;
    uint8_t *leaves;             /* of `next`: 1 where it has come to a sink or out of an open side */
    sph_walls walls;
    fr_obstacle_load *loads;     /* of every body in the last step */
    sph_part_load *part_loads;   /* what each of SPH_PARTS parts of the liquid adds to them, by parts, then bodies; 0
                                    between stages */
    bodies bodies;               /* obstacles over the step under way; moved by sph/stage/walls, once a step */
    shape **solids;              /* their shapes, where they stand at the step's end */
    int solid_count;
    double pull, next_pull; /* m/s², the greatest of the scene's forces in the last step, and in the one under way */

    /* Of the present positions; made by sph/stage/near. */
    bool near_known;
    cells cells;
    pairs pairs, wall_pairs;
    int reach;                   /* greatest distance, in blocks, of a neighbour from a particle in the order */
    float *density; /* as a share of that at rest: summed, or the fluid's own where it is integrated in time */
    particle_vector *gradient; /* Σ g over fluid and walls; then 1/(|Σ g|² + Σ |g|²), the second sum over fluid alone */
    uint8_t *hemmed; /* whether walls leave less room than for the particle alone: see sph/stage/near.c; WCSPH: never */

    float *impulse;              /* of WCSPH, else NULL: m/s, pressure times Δt/d, by sph/pressure/accelerate */
    sph_coarse *coarse;          /* NULL with WCSPH */
    friction_space *friction;    /* NULL without viscosity */
    sph_heat *heat;              /* NULL without heat */
    sph_paste *paste;            /* NULL unless the viscosity hangs on the shear rate */
    sph_floating *floating;      /* the rigid bodies of the scene; NULL: it has none */

    float yielding;              /* density error that a pressure of 1 leaves; see sph/pressure/operate.h */
    float neighbour;             /* as in the model */

    particle_vector *smoothing;  /* m/s, what particles move with besides their velocity, by sph/stage/smooth; NULL
                                    without sph.xsph */

    /* Working memory for the inside of a stage: none reads what another has left here, but for those of the pressure,
       which follow each other. A frame's attributes lie here until the next step. Those behind the first ones are NULL
       before they are needed: state_vectors, sph_state_reserve_work. */
    float *numbers[SPH_NUMBERS];
    particle_vector *vectors[SPH_VECTORS];
    uint8_t *done;               /* per block */
    double *partial;             /* SPH_PARTIALS per block */
    int64_t room;                /* particles that all of this has room for */
} sph_state;

/* The working memory of the pressure, see sph/pressure/solve.h: what its stages hand on, and what the solver takes
   along. */
enum { SPH_UNKNOWN, SPH_SOURCE, SPH_RESIDUAL, SPH_DIRECTION, SPH_PRODUCT, SPH_CORRECTION };   /* of `numbers` */
enum { SPH_SHIFT, SPH_SHIFTED };   /* of `vectors`: spacings, that pressures move each particle by in a step; while they
                                      are solved for, by those of a step of the solver, and by all so far */

enum { SPH_BLOCK = 256, SPH_PARTIALS = 6, SPH_PARTS = 64 };

static inline int sph_blocks(int64_t count) { return (int)((count + SPH_BLOCK - 1) / SPH_BLOCK); }
static inline int64_t sph_block_end(int64_t count, int block)
{
    int64_t end = (int64_t)block * SPH_BLOCK;
    return end < count ? end : count;
}

/* Factor of the volumes of wall particles in densities. Layers of liquid that slide over each other need up to a
   thousandth more room than those of a lattice, which a completely full box does not have; so walls stand back by a
   hundredth of a spacing. */
static const float SPH_WALL_PART = 0.97f;

/* Which side of the domain a point of its walls stands behind, from its normal, which points into the domain. */
int sph_walls_side(const float normal[3]);

/* Frees what only placing them again would need. */
void sph_walls_forget(sph_walls *w);

fr_result sph_state_create(const sph_model *m, sph_state **out);
void sph_state_destroy(sph_state *s);

/* Memory for so many particles in all; a step with no more of them allocates nothing. */
fr_result sph_state_reserve(const sph_model *m, sph_state *s, int64_t particles);

/* All the working memory, from now on for all the particles there is room for: few scenes need it. */
fr_result sph_state_reserve_work(sph_state *s);

/* Memory of all of it, bytes. */
double sph_state_bytes(const sph_model *m, double particles, double wall_particles);

#endif
