/* What can be said of the cells and the pressure of a scene before it runs. */
#include <math.h>

#include "mac/run.h"
#include "method/preview/preview.h"

void mac_describe_pressure(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    const char *name =
        def->solver.pressure == FR_PRESSURE_CG ? "cg (without multigrid)" : "multigrid (CG preconditioned by it)";
    if (def->has_prescribed)
        name = "none: the flow is prescribed";
    remark(to, FR_REMARK_FLOW, "pressure", "%s, tolerance %.3g", name, def->solver.pressure_tolerance);
}

void mac_describe_melt(const remarks *to)
{
    const fr_melt_def *melt = &to->about->def->heat.melt;
    if (melt->set)
        remark(to, FR_REMARK_SIZE, "melts", "from %g to %g K, viscosity %g to %g m²/s", melt->from, melt->to,
               melt->solid, melt->liquid);
}

/* One number for the cells makes cubes, so the shorter sides are rounded to whole cells. */
static void words_rounding(const remarks *to)
{
    const double noticed = 0.005;
    const fr_estimate *e = to->about->estimate;
    for (int a = 0; a < e->dims; a++) {
        double asked = to->about->def->domain.size[a], real = e->cells[a] * e->spacing[a];
        if (fabs(real - asked) > noticed * asked)
            remark_warn(
                to,
                "the domain is %.6g m long along %c, not %.6g m as domain.size says: a side has whole cells of %.6g m; "
                "give the cells of every axis (domain.cells = {...}), another size, or more cells",
                real, "xyz"[a], asked, e->spacing[a]);
    }
}

static void words_shape_of_cells(const remarks *to)
{
    double small = INFINITY, large = 0;
    for (int a = 0; a < to->about->estimate->dims; a++) {
        small = fmin(small, to->about->estimate->spacing[a]);
        large = fmax(large, to->about->estimate->spacing[a]);
    }
    if (large > 2 * small)
        remark_warn(to, "cells are %.3g times as long as wide: results will depend on the direction", large / small);
}

void mac_describe_cells(const remarks *to)
{
    words_rounding(to);
    words_shape_of_cells(to);
}
