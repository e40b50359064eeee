#include "validate/validate.h"

#include <math.h>
#include <string.h>

const validate_tracker validate_trackers[VALIDATE_TRACKERS] = {{"level set", FR_LIQUID_LEVEL_SET},
                                                               {"particle level set", FR_LIQUID_PARTICLE_LEVEL_SET},
                                                               {"markers", FR_LIQUID_MARKERS},
                                                               {"flip", FR_LIQUID_FLIP},
                                                               {"apic", FR_LIQUID_APIC}};

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

void validate_liquid_full(validate_liquid *liquid, fr_liquid_surface surface, int dims, const double size[3], int cells)
{
    const double low[3] = {-1e3, -1e3, -1e3}, high[3] = {1e3, 1e3, 1e3};
    validate_liquid_make(liquid, dims, size, low, high, 1);
    validate_liquid_on_grid(liquid, surface, cells);
    liquid->def.gravity[1] = 0;
}

double validate_share(const fr_frame *frame, int64_t i, int64_t j, int64_t k)
{
    const double phi = validate_value(fr_frame_field(frame, "level_set"), i, j, k);
    return fmin(1, fmax(0, 0.5 - phi / frame->spacing[0]));
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
