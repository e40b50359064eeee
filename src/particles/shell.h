/* Boundary particles: the outermost layers of solids and walls as points, each standing for a volume of the solid that
   fluid particles take for more fluid (Akinci, Ihmsen, Akinci, Solenthaler, Teschner 2012, "Versatile rigid-fluid
   coupling for incompressible SPH").

        surface  ─────────────────────────────────
                   ·     ·     ·     ·     ·         depth d/2, layer 0
                   ·     ·     ·     ·     ·         depth 3d/2, layer 1

   Fluid that begins d/2 off the surface then continues into the solid as if it were a lattice of spacing d. */
#ifndef FR_PARTICLES_SHELL_H
#define FR_PARTICLES_SHELL_H

#include "geom/pose.h"
#include "geom/shape.h"
#include "particles/store.h"

typedef struct shell {
    int dims, layers;            /* as asked for */
    double spacing;              /* m */
    int64_t count, room;
    particle_vector *position;   /* m, where the solid stood when it was sampled; z = 0 in 2D */
    particle_vector
        *normal; /* of the nearest surface, out of the solid; in the middle of a thin one either of its sides */
    float *volume;               /* m^dims, by shell_weigh; 0 before */
    uint8_t *layer;              /* 0: the outermost */
    float *cell; /* m^dims, the volume of its lattice cell; 0: it and its neighbours lie on no lattice */
} shell;

enum {
    SHELL_MAX_LAYERS = 16,
    SHELL_BYTES = 2 * sizeof(particle_vector) + 2 * sizeof(float) + 1
}; /* bytes of each point */

/* What is wanted. `low` and `high` are the domain for walls; for a shape they are where points are wanted, and may be
   ±INFINITY where the shape itself ends. */
typedef struct shell_plan {
    int dims, layers;            /* 2 or 3; 1 … SHELL_MAX_LAYERS */
    double spacing;              /* m */
    double low[3], high[3];      /* m */
} shell_plan;

/* Points inside the shape at depths (l + 1/2) d, about d apart; parts thinner than d get one layer in their middle. A
   shape whose faces lie on planes of the lattice that starts at its bounds' corner gets exactly that lattice. Place a
   moving shape at its own origin before: then its pose takes the points along. Makes `out`, which is empty when this
   fails; a failure is want of memory, or from a user's function. */
fr_result shell_sample(const shape *s, const shell_plan *plan, shell *out);

/* The same for the closed sides of a domain (low x, high x, low y, …): points outside, also between two or three closed
   sides. The lattice starts at the domain's corner and is stretched along an axis to fit. */
fr_result shell_walls(const shell_plan *domain, const bool closed[6], shell *out);

void shell_destroy(shell *s);

/* A kernel of the distance r in m, 0 from `support` on. */
typedef struct shell_kernel {
    double (*value)(const void *context, double r);
    const void *context;
    double support;              /* m */
} shell_kernel;

typedef struct shell_body {
    shell *shell;
    const pose *where;           /* NULL: where it was sampled */
} shell_body;

/* Computes the volumes from the number density of the points of all given bodies together: where solids overlap or
   touch, their points share the volume. */
fr_result shell_weigh(const shell_body *bodies, int count, const shell_kernel *kernel);

#endif
