/* Boundary layers on the sides that stick (grid/layer.h). Their friction is part of the viscosity (kick.c). What
   carries the liquid beside them is the profile that the grid knows (`thin` in grid/halo.h): with a layer thinner than
   a cell that is no less at the wall than in the middle of the cell. */
#include "grid/layer.h"

#include "base/memory.h"
#include "liquid/liquid.h"

/* The plane of cells beside a side. */
typedef struct layer_plane {
    int side, axis, b, c; /* the other two axes, the lower first */
    int n[2];             /* cells along them */
} layer_plane;

static layer_plane layer_plane_of(const domain *d, int side)
{
    int axis = side / 2, b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    return (layer_plane){side, axis, b, c, {d->n[b], d->n[c]}};
}

static size_t layer_cells(const layer_plane *p)
{
    return (size_t)p->n[0] * (size_t)p->n[1];
}

bool liquid_layer_grows(const model *m, int side) { return m->viscous && m->walls[side].kind == FR_WALL_NO_SLIP; }

fr_result liquid_layers_create(liquid_run *run)
{
    const model *m = run->flow.model;
    liquid_state *l = &run->liquid;
    for (int side = 0; side < 2 * m->domain.dims; side++) {
        layer_plane p = layer_plane_of(&m->domain, side);
        if (!liquid_layer_grows(m, side))
            continue;
        l->ages[side] = MEMORY_NEW(float, layer_cells(&p));
        l->layers[side] = MEMORY_NEW(float, layer_cells(&p));
        if (!l->ages[side] || !l->layers[side])
            return FR_ERROR_MEMORY;
    }
    return FR_OK;
}

void liquid_layers_destroy(liquid_state *l)
{
    for (int side = 0; side < FR_SIDES; side++) {
        memory_free(l->ages[side]);
        memory_free(l->layers[side]);
    }
}

/* m²/s, beside a side. */
static double layer_viscosity(const liquid_run *run, const layer_plane *p, size_t cell)
{
    const model *m = run->flow.model;
    const field *nu = &run->liquid.viscosity;
    if (!nu->data)
        return m->fluid.viscosity;
    const ptrdiff_t j = (ptrdiff_t)cell % p->n[0], k = (ptrdiff_t)cell / p->n[0];
    const ptrdiff_t first = (p->side % 2 ? m->domain.n[p->axis] - 1 : 0) * nu->stride[p->axis];
    return (double)nu->data[first + j * nu->stride[p->b] + k * nu->stride[p->c]];
}

void liquid_layers_thicken(liquid_run *run, double dt)
{
    const model *m = run->flow.model;
    for (int side = 0; side < 2 * m->domain.dims; side++) {
        layer_plane p = layer_plane_of(&m->domain, side);
        const float *ages = run->liquid.ages[side];
        for (size_t i = 0; ages && i < layer_cells(&p); i++)
            run->liquid.layers[side][i] = (float)layer_thickness(layer_viscosity(run, &p, i), (double)ages[i], dt);
    }
}

void liquid_layers_age(liquid_run *run, double dt)
{
    const domain *d = &run->flow.model->domain;
    const field *phi = &run->liquid.surface;
    const ptrdiff_t fine = run->model.settings.refine; /* cells of φ along an edge of the flow's */
    for (int side = 0; side < 2 * d->dims; side++) {
        layer_plane p = layer_plane_of(d, side);
        float *ages = run->liquid.ages[side];
        const float *first = phi->data + ((side % 2 ? d->n[p.axis] - 1 : 0) * fine + fine / 2) * phi->stride[p.axis];
        for (size_t i = 0; ages && i < layer_cells(&p); i++) {
            ptrdiff_t j = (ptrdiff_t)i % p.n[0] * fine + fine / 2, k = (ptrdiff_t)i / p.n[0] * fine + fine / 2;
            ages[i] = first[j * phi->stride[p.b] + k * phi->stride[p.c]] < 0 ? ages[i] + (float)dt : 0;
        }
    }
}

void liquid_layers_list_blocks(liquid_run *run)
{
    static const char *const names[FR_SIDES] = {"#age_left", "#age_right", "#age_bottom",
                                                "#age_top",  "#age_back",  "#age_front"};
    for (int side = 0; side < FR_SIDES; side++) {
        layer_plane p = layer_plane_of(&run->flow.model->domain, side);
        if (run->liquid.ages[side])
            method_add_block(&run->flow.base, names[side], run->liquid.ages[side], layer_cells(&p) * sizeof(float));
    }
}
