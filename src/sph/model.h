/* The model of a particle liquid: a definition made ready to run; constant while the world lives. */
#ifndef FR_SPH_MODEL_H
#define FR_SPH_MODEL_H

#include <math.h>

#include <freshet/defs.h>

#include "geom/shape.h"
#include "mac/melt.h"
#include "mac/rheology.h"
#include "particles/cells.h"
#include "particles/kernel.h"
#include "particles/shell.h"

/* Something solid: an obstacle of the scene or, as the last of all, the closed sides of the domain. */
typedef struct sph_body {
    const fr_obstacle_def *obstacle; /* NULL: the domain's sides */
    shape *shape;                    /* as it was sampled; NULL: the domain's sides */
    shell shell;                     /* its boundary particles; of bodies that move, placed at their own origin */
    float *room; /* of each point: the density of the liquid there when it fills all that is not solid; see room.c */
    bool moves;
} sph_body;

/* Factors of sums over neighbours, calibrated on lattices: with few neighbours a sum differs from its integral. */
typedef struct sph_tuning {
    double shear;                    /* of Monaghan's viscous sum; 2 (dims + 2) for very many neighbours */
    double stiffness;                /* diagonal of that sum for ν Δt/d² = 1 */
    double tension;                  /* of the attraction between particles, 1/m²: times σ/ρ it is an acceleration */
} sph_tuning;

typedef struct sph_model {
    int dims;
    double low[3], high[3];          /* m, the domain */
    bool periodic[3];
    bool closed[FR_SIDES];           /* a wall stands there */
    fr_wall_def walls[FR_SIDES];
    fr_fluid_def fluid;
    fr_sph_def sph;
    fr_heat_def heat;
    melt melt;
    rheology flow;
    bool viscous;                    /* the liquid has a viscosity, */
    bool pasty;                      /* which hangs on its shear rate */
    double still;                    /* 1/s: what shears less stands still */
    double gravity[3];               /* m/s² */
    double spacing;                  /* m, d */
    double volume;                   /* m³, d³; in 2D m², d² */
    double mass;                     /* kg, of a particle; in 2D kg/m */
    double slope;                    /* the sums' gradient of x on the lattice: 1 and a few percent */
    double neighbour;                /* |g|² of one that is a spacing away */
    double weight;   /* m³, the volume of a particle in sums: 1/Σ W on the lattice, so that its density is exactly 1 */
    double surface;                  /* least |Σ g|² of a particle at a surface: that half as great as at a flat one */
    double spray;                    /* density of a particle at a flat surface: what has less has come off it */
    kernel kernel;
    cells_layout layout;
    double cfl;
    double sound_speed;              /* m/s, of wcsph; else 0 */
    int layers;                      /* of wall particles, as deep as the kernel reaches */
    const fr_obstacle_def *obstacles;
    int obstacle_count;              /* those of the scene, so many: */
    int given_count;                 /* behind them its rigid bodies */
    fr_obstacle_def *own_obstacles;  /* the memory of that list, where there are bodies */
    const fr_body_def *rigid;        /* the rigid bodies, which are obstacles to the liquid */
    int rigid_count;
    const fr_joint_def *joints;
    int joint_count;
    fr_coupling coupling;
    sph_body *bodies;
    int body_count;                  /* obstacles and the domain's sides */
    int64_t wall_count;              /* particles of all their shells */
    bool moves;                      /* some body can */
    const fr_source_def *sources;
    int source_count;
    const fr_sink_def *sinks;
    shape **sink_shapes;
    int sink_count;
    const fr_force_def *forces;
    shape **force_shapes;            /* NULL: acts everywhere */
    int force_count;
    double fall_speed; /* m/s, of liquid that falls from its start to the bottom; only for wcsph and walls that repel */
    sph_tuning tuning;
    float *friction;                 /* weight c of sph/stage/drag.h, by the bits of a pair's distance in its record */
    float *conduction;               /* weight w of sph/heat/conduct.c, in the same way; NULL without heat */
    double cooled_surface, cooled_least;   /* |Σ g| below d² (2D: d) of a surface, and the least that counts */
} sph_model;

/* Which cells of the lattice that starts at the domain's corner are filled at the start: those that a shape of the
   scene's fill covers and no obstacle touches, with the last such shape. */
typedef struct sph_filled {
    int32_t place, fill;             /* cell of the lattice, the first axis fastest; which of the scene's fill */
} sph_filled;
typedef struct sph_filling {
    sph_filled *places;
    int64_t count;
} sph_filling;

/* `filling` is that of the outline; it is not kept. */
fr_result sph_model_create(const fr_scene_def *def, const sph_filling *filling, sph_model **out);
void sph_model_destroy(sph_model *m);

/* The greatest speed to expect: fills m->fall_speed where it is needed. Then the speed of sound that the scene gives
   or, without one, that follows from it: fills m->sound_speed. */
fr_result sph_model_fall(const fr_scene_def *def, const sph_filling *filling, sph_model *m);
fr_result sph_model_sound(sph_model *m);

/* Sizes alone, for estimates: bodies are left out. */
void sph_model_outline(const fr_scene_def *def, sph_model *m);

/* That of Cole's equation of state, m/s: c² = dp/dρ = γ (1 + B)/ρ₀. */
static inline double sph_cole_sound(const fr_sph_def *sph, double density)
{
    return sqrt(sph->exponent * (1 + sph->stiffness) / density);
}

sph_tuning sph_model_tune(const sph_model *m);

/* Fills the `room` of all bodies, whose shells must be there. A failure comes from a function of the scene, or is want
   of memory. */
fr_result sph_model_room(sph_model *m);

/* η² of viscous sums, in spacings squared; and their weights: fills m->friction. */
static inline double sph_model_soft(const sph_model *m)
{
    return 0.01 * m->kernel.length * m->kernel.length / (m->spacing * m->spacing);
}
fr_result sph_model_friction(sph_model *m);
fr_result sph_model_conduction(sph_model *m);   /* fills m->conduction and what belongs to surfaces (heat/weights.c) */

/* Where the liquid is at the start; of the model only its outline is needed. */
fr_result sph_filling_create(const fr_scene_def *def, const sph_model *m, sph_filling *out);
void sph_filling_destroy(sph_filling *f);

/* Calls `place` with the centre of each in turn. */
typedef fr_result (*sph_fill_place)(void *context, const double centre[3], const fr_fill_def *fill);
fr_result sph_fill(const fr_scene_def *def, const sph_model *m, const sph_filling *filling, sph_fill_place place,
                   void *context);

#endif
