/* The model of a river: its curvilinear grid, boundary conditions, sources and forces. Constant during the life of the
   world. */
#ifndef FR_RIVER_MODEL_H
#define FR_RIVER_MODEL_H

#include <freshet/defs.h>

#include "grid/border_cells.h"
#include "grid/curve/curve.h"
#include "grid/tensor/tensor.h"

typedef struct river_scalar {
    const char *name;
    double diffusion, dissipation;      /* m²/s, 1/s */
    fr_number initial;                  /* of x, y, z, t = 0 */
    bool conserved;                     /* transported in flux form */
} river_scalar;

/* Cells or faces that something acts on. */
typedef struct river_places {
    int64_t count;
    int32_t *at;                        /* offset from the field's data */
} river_places;

typedef struct river_source {
    const fr_source_def *def;
    river_places cells;
} river_source;

typedef struct river_force {
    const fr_force_def *def;
    river_places at[4];                 /* faces across each axis, cells: those whose centre is inside */
} river_force;

enum { RIVER_CELLS = 3 };               /* the last of four locations; the first three are faces across the axes */

static inline fr_location river_location(int place) { return place == RIVER_CELLS ? FR_AT_CELL : field_face(place); }

/* Samples inside obstacles that serve as ghosts. They get a value from the water next to them, so that stencils across
   an obstacle's side see what its roughness demands. */
typedef struct river_skin {
    int64_t count;
    int32_t *at; /* offset of the sample; `from`: of the open samples next to it, whose mean it takes; −1: none */
    int32_t (*from)[6];
} river_skin;

/* The axis across a side, the two axes along it, lower first, and the number of cells along these. */
typedef struct river_frame {
    int axis, b, c, n[2];
} river_frame;

static inline river_frame river_frame_of(const domain *d, int side)
{
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    return (river_frame){axis, b, c, {d->n[b], d->n[c]}};
}

/* The cell next to a side at (j, k) along it, and its face on the side. */
static inline void river_beside(const domain *d, int side, int j, int k, int cell[3], int face[3])
{
    const river_frame f = river_frame_of(d, side);
    cell[f.axis] = side % 2 ? d->n[f.axis] - 1 : 0;
    cell[f.b] = face[f.b] = j;
    cell[f.c] = face[f.c] = k;
    face[f.axis] = side % 2 ? d->n[f.axis] : 0;
}

/* The shares of the way along a side at a face's centre, as functions of the side get them. */
static inline void river_shares(const river_frame *f, int cell, double shares[3])
{
    shares[0] = (cell % f->n[0] + 0.5) / f->n[0];
    shares[1] = (cell / f->n[0] + 0.5) / f->n[1];
    shares[2] = 0;
}

/* A side of the block. Arrays per cell have the lower of the other two axes fastest. */
typedef struct river_side {
    fr_river_side_kind kind;
    double *roughness;                  /* of a bank, per cell: 1 sticks, 0 slips */
    bool sticks;                        /* it is above 0 somewhere */
    fr_number speed;                    /* m/s: along +s for a bank, into the river for an inflow */
    bool uneven;                        /* `speed` is a function of the place on the side, else at most of t */
    bool gated;                         /* a bank through which water may enter, with `inflow` m/s where it does */
    fr_number inflow;
    fr_number *brings;                  /* per scalar: what comes in, of x, y, z, t; NULL: nothing ever does */
    float (*inward)[3];                 /* unit normal of the side */
    float (*along)[3];                  /* unit tangent of the side along +s */
    double area, *areas;                /* m², and per cell; 0 in front of obstacles */
} river_side;

/* Whether water enters at different speeds along a side. */
static inline bool river_side_varies(const river_side *side)
{
    return side->kind == FR_RIVER_INFLOW ? side->uneven : side->gated;
}

/* What a side subtracts from the flux of a face that leans against it: `part` times the change of the velocity there
   (lean.c). */
typedef struct river_lean_part {
    int32_t at, stopped;                /* the face, and the face on the side: offsets in the fields of their axes */
    uint8_t side;
    bool outflow;                       /* acts only where water comes in, and then on the whole velocity */
    float part[3];
} river_lean_part;

typedef struct river_lean {
    int64_t count;
    river_lean_part *part;
} river_lean;

typedef struct river_model {
    fr_river_scheme scheme;
    fr_fluid_def fluid;
    fr_solver_def solver;               /* flux scheme */
    int sweeps, viscous_sweeps;         /* classic scheme */
    const fr_vector *initial_velocity;  /* NULL: at rest */
    curve curve;
    river_side sides[FR_SIDES];
    double cfl;
    double block_roughness;             /* of obstacles: 1 sticks, 0 slips */
    uint8_t *solid;                     /* per cell, the first axis fastest; NULL: no obstacles */
    int64_t wet;                        /* cells that are not solid */
    double volume;                      /* of the wet cells, m³ */
    int scalar_count;
    river_scalar *scalars;
    int source_count;
    river_source *sources;
    int force_count;
    river_force *forces;
    int tracer_count;
    const fr_tracers_def *tracers;      /* kinds of particles */
    river_places closed[3];             /* faces across each axis that touch something solid */
    river_skin skins[4];                /* of the faces across each axis, and of cells */
    bool viscous;
    double viscous_step;                /* s: longest step that viscosity allows; INFINITY without viscosity */
    tensor pressure;                    /* flux scheme: p = 0 on outflows */
    tensor still;                       /* diffusion of inks: all sides closed */
    tensor rough;                       /* viscosity: velocity sticks to banks and inflows */
    field correction[3]; /* flux scheme: share of MacCormack's correction on the faces across each axis; no memory:
                            1 everywhere */
    river_lean lean[3];                 /* flux scheme: faces across each axis */
    classic_metric metric;              /* classic scheme; no memory in the other */
    border_cells border;                /* classic scheme */
    field drag; /* friction of obstacles' sides on cells, in the units of the tensor's weights; no memory: none */
} river_model;

fr_result river_model_create(const fr_scene_def *def, river_model **out);
void river_model_destroy(river_model *m);

/* Makes `correction`, if grid lines are skewed enough to need it. */
fr_result river_make_correction(river_model *m);

fr_result river_make_lean(river_model *m);

/* Makes a side, when the grid and the scalars are known. */
fr_result river_make_side(const fr_river_side *given, int side, river_model *m);

/* Scales the friction of banks, in `rough`, by their roughness. */
void river_scale_friction(river_model *m);

/* The nodes of a scene's grid, from its function or its file: x, y, z of each, the first axis fastest. Free them with
   memory_free. */
fr_result river_nodes(const fr_scene_def *def, double **out);

/* World position of a sample at a location. */
void river_position(const river_model *m, fr_location at, int i, int j, int k, double world[3]);

/* The block of cells in grid space. */
domain river_domain(const fr_scene_def *def);

static inline bool river_solid(const river_model *m, int i, int j, int k)
{
    const int *n = m->curve.domain.n;
    return m->solid && m->solid[i + (int64_t)n[0] * (j + (int64_t)n[1] * k)];
}

/* The index of the sample at an offset of a field. */
static inline void river_index(const river_model *m, const field *f, ptrdiff_t at, int index[3])
{
    ptrdiff_t from = at;
    index[2] = m->curve.domain.dims == 3 ? (int)(from / f->stride[2]) : 0;
    from -= index[2] * f->stride[2];
    index[1] = (int)(from / f->stride[1]);
    index[0] = (int)(from - index[1] * f->stride[1]);
}

#endif
