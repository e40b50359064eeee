#include "render/flat/flow.h"

#include "base/vec.h"

#include <string.h>

/* A high percentile of the speed over a coarse lattice of pixels. */
static double flow_fastest(const flow *flow)
{
    enum { SIDE = 64, LEFT_OUT = SIDE * SIDE / 200 };
    double top[LEFT_OUT] = {0};
    const int *plot = flow->flat->plot;
    for (int i = 0; i < SIDE * SIDE; i++) {
        double at[2] = {plot[0] + (plot[2] - plot[0]) * (i % SIDE + 0.5) / SIDE,
                        plot[1] + (plot[3] - plot[1]) * (i / SIDE + 0.5) / SIDE};
        double v[2], speed = flow_at(flow, at, v) ? hypot(v[0], v[1]) : 0;
        for (int k = 0; k < LEFT_OUT && speed > 0; k++)
            if (speed > top[k]) {
                double slower = top[k];
                top[k] = speed;
                speed = slower;
            }
    }
    return top[LEFT_OUT - 1] > 0 ? top[LEFT_OUT - 1] : top[0];
}

fr_result flow_create(flow *out, const flat *flat)
{
    static const char *const names[3] = {"u", "v", "w"};
    *out = (flow){.flat = flat, .scale = {1 / flat_metres(flat, 0), -1 / flat_metres(flat, 1)}};
    for (int i = 0; i < 2; i++) {
        const char *name = names[flat->cut.axes[i]];
        if (!fr_frame_field(flat->frame, name)) {
            flow_destroy(out);
            return fr_fail_key("look.views.arrows",
                               "arrows and streamlines need the velocity, and this frame has no '%s'", name);
        }
        fr_result result = plane_extract(flat->frame, name, &flat->cut, &out->parts[i]);
        if (result != FR_OK) {
            flow_destroy(out);
            return result;
        }
    }
    out->fastest = flow_fastest(out);
    return FR_OK;
}

void flow_destroy(flow *flow)
{
    plane_free(&flow->parts[0]);
    plane_free(&flow->parts[1]);
}

bool flow_at(const flow *flow, const double at[2], double velocity[2])
{
    const flat *flat = flow->flat;
    double cells[2];
    flat_cells(flat, at[0], at[1], cells);
    if (!(cells[0] >= 0 && cells[1] >= 0 && cells[0] <= flat->cut.cells[0] && cells[1] <= flat->cut.cells[1]))
        return false;
    if (flat->solid.data && !(plane_linear(&flat->solid, cells[0], cells[1]) >= 0))
        return false;
    for (int i = 0; i < 2; i++)
        velocity[i] = plane_linear(&flow->parts[i], cells[0], cells[1]) * flow->scale[i];
    return isfinite(velocity[0]) && isfinite(velocity[1]);
}
