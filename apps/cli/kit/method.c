#include "kit/method.h"

const char *method_coarser(const fr_scene_def *def, const fr_estimate *estimate)
{
    const fr_method_info *info = fr_method_describe(def->method);
    double cells = (double)estimate->cells[0] * estimate->cells[1] * estimate->cells[2];
    if (!info->of_particles && estimate->particles > cells)
        return "use fewer particles (a smaller count, per_cell or rate, or a shorter lifetime)";
    return info->coarser;
}
