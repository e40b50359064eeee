/* Boundary particles: the outermost layers of solids and walls as points, each with a volume of the
   solid that fluid particles treat like fluid (Akinci, Ihmsen, Akinci, Solenthaler, Teschner 2012, "Versatile
   rigid-fluid coupling for incompressible SPH").

        surface  ─────────────────────────────────
                   ·     ·     ·     ·     ·         depth d/2, layer 0
                   ·     ·     ·     ·     ·         depth 3d/2, layer 1

   A fluid lattice of spacing d that begins d/2 off the surface thus continues into the solid. */
#ifndef FR_PARTICLES_SHELL_H
#define FR_PARTICLES_SHELL_H

#include "geom/pose.h"
#include "geom/shape.h"
#include "particles/store.h"

typedef struct shell {
    int dims, layers;            /* as in the plan */
    double spacing;              /* m */
    int64_t count, room;
    particle_vector *position;   /* m, in the pose in which the solid was sampled; z = 0 in 2D */
    particle_vector *normal;     /* of the nearest surface, outward; in the middle of a thin part, of either side */
    float *volume;               /* m^dims; 0 until shell_weigh sets it */
    uint8_t *layer;              /* 0 is the outermost */
    float *cell; /* m^dims, the volume of its lattice cell; 0: not on a lattice */
} shell;

enum {
    SHELL_MAX_LAYERS = 16,
    SHELL_BYTES = 2 * sizeof(particle_vector) + 2 * sizeof(float) + 1
}; /* bytes of each point */

/* What to sample. For walls `low` and `high` are the domain. For a shape they bound the points, and may be ±INFINITY
   where the shape is bounded itself. */
typedef struct shell_plan {
    int dims, layers;            /* 2 or 3; 1 … SHELL_MAX_LAYERS */
    double spacing;              /* m */
    double low[3], high[3];      /* m */
} shell_plan;

/* Points inside the shape at depths (l + 1/2) d, about d apart; parts thinner than d get one layer in their middle. A
   shape whose faces lie on the planes of a lattice from its bounding box's corner gets exactly that lattice. Sample a
   moving shape in its own frame; its pose then moves the points. On failure (no memory, or a user's function fails)
   `out` is empty. */
fr_result shell_sample(const shape *s, const shell_plan *plan, shell *out);

/* The same for the closed sides of a domain (low x, high x, low y, …): points outside the domain, also at the edges
   and corners where closed sides meet. The lattice starts at the domain's corner and is stretched along each axis
   to fit. */
fr_result shell_walls(const shell_plan *domain, const bool closed[6], shell *out);

void shell_destroy(shell *s);

/* A kernel as a function of the distance r (m), 0 for r ≥ support. */
typedef struct shell_kernel {
    double (*value)(const void *context, double r);
    const void *context;
    double support;              /* m */
} shell_kernel;

typedef struct shell_body {
    shell *shell;
    const pose *where;           /* NULL: the pose in which it was sampled */
} shell_body;

/* Computes the volumes from the number density of the points of all bodies: where solids overlap or touch, their points
   share the volume. */
fr_result shell_weigh(const shell_body *bodies, int count, const shell_kernel *kernel);

#endif
