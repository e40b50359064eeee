#include "validate/validate.h"

#include <string.h>

const validate_solver validate_solvers[] = {
    {"dfsph", FR_SPH_DFSPH, 0.01}, {"pcisph", FR_SPH_PCISPH, 0}, {"wcsph", FR_SPH_WCSPH, 0}};
const int validate_solver_count = sizeof validate_solvers / sizeof validate_solvers[0];

void validate_liquid_make(validate_liquid *liquid, int dims, const double size[3], const double low[3],
                          const double high[3], double spacing)
{
    *liquid = (validate_liquid){.shape = fr_default_shape(FR_SHAPE_BOX), .def = fr_default_scene(FR_METHOD_SPH)};
    liquid->fill.shape.shape = &liquid->shape;
    fr_scene_def *def = &liquid->def;
    def->name = "validate";
    def->domain.dims = dims;
    for (int a = 0; a < dims; a++) {
        def->domain.size[a] = size[a];
        liquid->shape.min[a] = low[a];
        liquid->shape.max[a] = high[a];
    }
    def->sph.spacing = spacing;
    def->fill = &liquid->fill;
    def->fill_count = 1;
}

void validate_liquid_on_grid(validate_liquid *liquid, fr_liquid_surface surface, int cells)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_LIQUID);
    def.name = liquid->def.name;
    def.domain = liquid->def.domain;
    def.domain.cells[0] = cells;
    def.time = liquid->def.time;
    def.fill = liquid->def.fill;
    def.fill_count = liquid->def.fill_count;
    def.liquid.surface = surface;
    liquid->def = def;
}

const float *validate_particle(const fr_vectors *vectors, int64_t n)
{
    return vectors->data + n * vectors->stride;
}

const float *validate_attribute(const fr_frame *frame, const char *name)
{
    for (int i = 0; i < frame->attribute_count; i++)
        if (!strcmp(frame->attributes[i].name, name))
            return frame->attributes[i].data;
    return NULL;
}
