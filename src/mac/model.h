/* The model: what a scene asks of a flow on a staggered grid, made ready to run: sizes, scalars, the cells and faces
   that sources and forces act on. It stays as it is while the world lives. */
#ifndef FR_MAC_MODEL_H
#define FR_MAC_MODEL_H

#include <freshet/defs.h>

#include "geom/shape.h"
#include "grid/field.h"
#include "method/sizes.h"
#include "mac/turbulence.h"
#include "particles/scatter.h"
#include "particles/store.h"

/* A grid on which scalars live. The first is the flow's own; each of the others is finer, and the flow carries what
   lives there by its values between its own samples. */
typedef struct model_grid {
    int refine;                         /* cells per cell of the flow along every axis */
    domain domain;
} model_grid;

enum { MODEL_MOST_GRIDS = SIZES_MOST_REFINE };

typedef struct model_scalar {
    const char *name;
    int grid;                           /* which of the model's grids it lives on */
    double diffusion, dissipation;      /* m²/s, 1/s */
    fr_number initial;                  /* of x, y, z, t = 0 */
    bool logarithmic;                   /* what the scene gives is kept as its logarithm, which mixes as such */
    double clean;                       /* its value in clean air: 0, or the ambient temperature */
    bool conserved;                     /* transported in flux form, so that its total is kept */
    bool sticks;                        /* it belongs to the material: what comes in brings `initial` along, unless
                                           something else is said */
    int texture;                        /* 1, 2, 3: a texture coordinate along x, y, z; 0: none */
    bool varies;                        /* false: it is `clean` everywhere and always; stages leave it alone */
} model_scalar;

/* Cells or faces that a shape covers, with the share of each that it covers. */
typedef struct model_cover {
    int64_t count;
    int32_t *at;                        /* offset from the field's data */
    float *share;                       /* 0 … 1 */
} model_cover;

typedef struct model_source {
    const fr_source_def *def;
    model_cover cells[MODEL_MOST_GRIDS];/* of every grid on which one of its scalars lives */
    model_cover faces[3];               /* when it sets velocity */
} model_source;

typedef struct model_force {
    const fr_force_def *def;
    bool everywhere;
    model_cover faces[3];
} model_force;

/* Where the particles of one kind start. */
typedef struct model_tracers {
    const fr_tracers_def *def;
    shape *shape;                       /* NULL: the whole domain */
    scatter scatter;
    particle_vector *births;            /* m; particles emitted at a rate start at these places in turn */
    int64_t birth_count;
} model_tracers;

/* Scalars that belong to the material of a liquid: colour, texture coordinates. */
enum { MODEL_MOST_MATERIAL = 6 };
typedef struct model_material {
    int count;
    struct {
        const char *name;
        fr_number initial;
        int texture;                    /* see model_scalar */
    } scalars[MODEL_MOST_MATERIAL];
} model_material;

/* The rigid bodies of the scene. */
typedef struct model_bodies {
    int count, joint_count;
    const fr_body_def *of;
    const fr_joint_def *joints;
    fr_coupling coupling;
    bool are_solid;                     /* nothing flows through them: they are laid on the grid as obstacles are */
    double gravity[3];                  /* m/s² */
} model_bodies;

/* What a method decides about its flow. */
typedef struct model_choice {
    const char *const *own_scalars;     /* that each of its scenes has, the first ones; ends with NULL */
    model_material material;            /* scalars after those */
    fr_advection advection;             /* how velocities and scalars are carried */
    double ambient;                     /* K, the temperature of clean air */
    double cfl;                         /* Courant number where the scene names none */
    bool watertight;                    /* obstacles let nothing through, see solids_create_as */
    bool needs_scratch;                 /* the state's scratch_velocity, whatever the advection */
    bool carries_itself;                /* particles carry the velocity: scratch_velocity is there for scalars alone */
    bool viscosity_varies;              /* the method knows it by a law of its own */
    bool has_surface;                   /* free: the pressure is found in a liquid with air around it */
    bool no_past;                       /* the flow of the last step is not kept */
    int refine;                         /* of a grid that the method has besides those of scalars; 0, 1: none */
} model_choice;

typedef struct model {
    model_choice choice;
    fr_fluid_def fluid;
    fr_wall_def walls[FR_SIDES];
    fr_solver_def solver;
    double fps;                         /* frames that are written per second of the scene */
    const fr_vector *prescribed;        /* the flow, when it is given; NULL: it is solved */
    const fr_vector *initial_velocity;  /* NULL: it starts at rest */
    fr_turbulence_def initial_turbulence;   /* of speed 0: none */
    int obstacle_count;                 /* those of the scene; behind them are the bodies that are solid, */
    fr_obstacle_def *obstacles;
    int solid_count;                    /* of all */
    model_bodies bodies;
    domain domain;
    int grid_count;                     /* at least one */
    model_grid grids[MODEL_MOST_GRIDS];
    double cfl;
    double heat_capacity;               /* J/(kg K), of the fluid */
    double up[3];                       /* unit vector against gravity */
    int scalar_count;
    model_scalar *scalars;
    int temperature;                    /* its place in `scalars`; −1: there is none */
    int source_count;
    model_source *sources;
    int force_count;
    model_force *forces;
    int tracer_count;
    model_tracers *tracers;
    double most_particles;              /* of all kinds together at once */
    turbulence *wall_turbulence[FR_SIDES];   /* NULL: none */
    turbulence **source_turbulence;     /* per source; NULL: none */
    bool viscous;
} model;

/* The definition must have been found legal, and must outlive the model, which points into it. */
fr_result model_create(const fr_scene_def *def, model_choice choice, model **out);
void model_destroy(model *m);

/* Sizes and scalars alone, for estimates: no shape is looked at, nothing large allocated. */
fr_result model_outline(const fr_scene_def *def, model_choice choice, model *outline);
void model_outline_free(model *outline);

/* Fails when a body lies wholly outside the domain: it would never be seen. */
fr_result model_check_bodies(const fr_scene_def *def, const domain *d);

/* The scalar of this name; the scene has been checked for names that no scalar has. */
int model_scalar_index(const model *m, const char *name);

/* What is kept of a value that the scene gives. */
double model_scalar_kept(const model_scalar *scalar, double given);

/* The block of cells on which a scalar lives. */
static inline const domain *model_scalar_domain(const model *m, int index)
{
    return &m->grids[m->scalars[index].grid].domain;
}

/* The position of a sample of a field, from its offset; for functions of x, y, z, t. */
void model_position(const domain *d, const field *layout, int32_t at, double position[3]);

#endif
