/* Solids that stick and move as the flow makes them: their momentum is part of the viscosity's system. Of a solid with
   the velocity V (of its centre of mass, and its spin) the faces that it holds have P V, so that in matrices, with M
   its mass over the liquid's density and b its faces,

     [ W + BᵀKB     (BᵀKB)_fb P          ] [ u ]   [ W u* ]
     [ Pᵀ(BᵀKB)_bf  M + Pᵀ(BᵀKB)_bb P    ] [ V ] = [ M V* ]

   What the liquid loses the solids gain. It is symmetric and positive definite at any viscosity and density, and a
   solid that is far lighter than the liquid that sticks to it goes along with that. */
#ifndef FR_GRID_STRESS_SOLIDS_H
#define FR_GRID_STRESS_SOLIDS_H

#include <freshet/base.h>

/* Velocity and spin, m/s and rad/s along the axes. In 2D only [0], [1] and [5] count. */
typedef struct stress_motion {
    double of[6];
} stress_motion;

/* A row of faces across an axis, along x. */
typedef struct stress_faces {
    int solid, axis;
    int first[3], count;
    ptrdiff_t at;  /* made by stress_set: offset of the first, */
    double arm[3]; /* m, and where it is from the centre */
    double sum[6]; /* scratch */
} stress_faces;

typedef struct stress_solid {
    double centre[3];     /* m, of mass */
    double mass;          /* kg over the density of the liquid: m³; in 2D m² */
    double inertia[3][3]; /* about the centre, over the same: m⁵; in 2D only [2][2] counts, m⁴ */
    bool held;            /* some row of `hold` acts on it */
    stress_motion motion; /* before a solve, then after it */
    stress_motion gain;   /* momentum and spin that a solve took from the liquid, over its density */
} stress_solid;

typedef struct stress_solids {
    int count;
    stress_solid *of;
    stress_faces *faces; /* each face at most once; of those that the marks hold, and not on the domain's sides */
    int row_count, room;

    /* Makes changes of all velocities such as contacts and joints allow: the nearest ones in the metric of the masses.
       Linear. NULL: nothing holds them. */
    void (*hold)(void *context, stress_motion *change);
    void *context;

    struct stress_ties *ties; /* the solver's own */
} stress_solids;

/* Room for so many rows of faces at first. */
fr_result stress_solids_create(int count, int room, stress_solids *out);
void stress_solids_destroy(stress_solids *solids);
double stress_solids_bytes(int count, int room);

/* Adds a row of faces; makes room where there is too little. */
fr_result stress_solids_add(stress_solids *solids, const stress_faces *row);

#endif
