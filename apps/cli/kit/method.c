#include "kit/method.h"

static const struct method_words {
    const char *name, *coarser, *easier;
} method_words[] = {
    [FR_METHOD_SMOKE] = {"smoke", "use fewer cells (--res)",
                         "a smaller time.cfl or time.dt_max, a larger solver.pressure_tolerance or solver.max_iterations, milder forces"},
    [FR_METHOD_SPH] = {"sph", "use a larger sph.spacing (a smaller --res)",
                       "a smaller time.cfl or time.dt_max, a larger sph.density_error or sph.max_iterations, milder forces"},
    [FR_METHOD_RIVER] = {"river", "use fewer cells (--res)",
                         "a smaller time.cfl or time.dt_max, a larger solver.pressure_tolerance or solver.max_iterations, milder forces, fewer skewed cells"},
};

const char *method_name(const fr_scene_def *def)
{
    return method_words[def->method].name;
}

const char *method_coarser(const fr_scene_def *def, const fr_estimate *estimate)
{
    double cells = (double)estimate->cells[0] * estimate->cells[1] * estimate->cells[2];
    if (def->method != FR_METHOD_SPH && estimate->particles > cells)
        return "use fewer particles (a smaller count, per_cell or rate, or a shorter lifetime)";
    return method_words[def->method].coarser;
}

const char *method_easier(const fr_scene_def *def)
{
    return method_words[def->method].easier;
}
