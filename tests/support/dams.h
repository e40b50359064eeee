/* Boxes of particle liquid for tests. */
#ifndef TESTS_SUPPORT_DAMS_H
#define TESTS_SUPPORT_DAMS_H

#include "support/worlds.h"

typedef struct dams_box {
    fr_shape_def shape;
    fr_fill_def fill;
    fr_scene_def def;
} dams_box;

/* A closed domain with a box of liquid in its low corner. Fills `b` in place: the definition points into it. */
static inline void dams_make(dams_box *b, fr_sph_solver solver, int dims, const double domain[3],
                             const double liquid[3], double spacing)
{
    memset(b, 0, sizeof *b);
    b->shape = fr_default_shape(FR_SHAPE_BOX);
    b->def = fr_default_scene(FR_METHOD_SPH);
    b->def.domain.dims = dims;
    for (int a = 0; a < 3; a++) {
        b->def.domain.size[a] = a < dims ? domain[a] : 0;
        b->shape.min[a] = 0;
        b->shape.max[a] = a < dims ? liquid[a] : 0;
    }
    b->fill.shape.shape = &b->shape;
    b->def.fill = &b->fill;
    b->def.fill_count = 1;
    b->def.sph.solver = solver;
    b->def.sph.spacing = spacing;
}

/* A column of 1 m that falls over in a box of 3 × 2 (× 1) m. */
static inline void dams_fall(dams_box *b, fr_sph_solver solver, int dims, int along)
{
    dams_make(b, solver, dims, (double[3]){3, 2, 1}, (double[3]){1, 1, 1}, 1.0 / along);
}

static inline double dams_energy(fr_world *world)
{
    return worlds_ledger(world, "kinetic_energy") + worlds_ledger(world, "potential_energy");
}

#endif
