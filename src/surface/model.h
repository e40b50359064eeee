/* The fine lattice from which a shape's surface is marched. */
#ifndef FR_SURFACE_MODEL_H
#define FR_SURFACE_MODEL_H

#include <freshet/surface.h>

typedef struct model_lattice {
    int n[3];               /* nodes */
    double low[3], step[3]; /* m: the first node, and the edges of a cell */
    double least;           /* m, the shortest edge */
    float *value;           /* m, signed distances, x fastest */
} model_lattice;

/* Around the model's shape, with room for the values: `cells` along its longest side, enough across a thin one. */
fr_result model_lattice_create(const fr_model *m, int cells, model_lattice *out);
void model_lattice_destroy(model_lattice *l);

/* The surface where the values change their sign, with the triangles' normals. */
fr_result model_lattice_march(const model_lattice *l, fr_mesh *mesh);

#endif
