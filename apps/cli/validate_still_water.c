/* Water at rest in a box bears its own weight, p = ρ g (H − y). */
#include "validate.h"

#include <math.h>
#include <stdlib.h>

enum { STILL_LAYERS = 64 };   /* most layers, one spacing thick, of a column */

/* Sums over the particles of a layer, and over frames. */
typedef struct still_layer {
    double height, pressure;
    int64_t count;
} still_layer;

typedef struct still_column {
    double spacing, depth;    /* m */
    still_layer layers[STILL_LAYERS];
} still_column;

static void still_add(const fr_frame *frame, still_column *column)
{
    const float *pressure = validate_attribute(frame, "pressure");
    for (int64_t n = 0; n < frame->particle_count && pressure; n++) {
        double y = validate_particle(&frame->particles, n)[1];
        int layer = (int)fmax(0, floor(y / column->spacing));
        if (layer >= STILL_LAYERS)
            continue;
        column->layers[layer].height += y;
        column->layers[layer].pressure += pressure[n];
        column->layers[layer].count++;
    }
}

/* The greatest difference of a layer's mean pressure, 3 spacings or more below the surface, to that of the weight on it, over ρ g H;
   and the same for the root of the mean square. */
static double still_error(const still_column *column, double unit, validate_curve *curve, double *rms)
{
    double worst = 0, square = 0;
    int count = 0;
    for (int i = 0; i < STILL_LAYERS; i++) {
        const still_layer *layer = &column->layers[i];
        if (layer->count == 0)
            continue;
        double y = layer->height / (double)layer->count, p = layer->pressure / (double)layer->count / (unit * column->depth);
        validate_point_add(curve, y / column->depth, p);
        if (y > column->depth - 3 * column->spacing)
            continue;
        double error = p - (1 - y / column->depth);
        worst = fabs(error) > fabs(worst) ? error : worst;
        square += error * error;
        count++;
    }
    *rms = sqrt(square / count);
    return worst;
}

static fr_result still_run(const validate_case *self, const fr_scene_def *def, still_column *column)
{
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = FR_OK;
    for (int f = 0; f < fr_world_frame_count(world) && result == FR_OK; f++) {
        result = validate_frame(world, self->name);
        if (result == FR_OK && fr_world_time(world) > def->time.duration / 2)
            still_add(fr_world_frame(world), column);
    }
    fr_world_destroy(world);
    return result;
}

fr_result validate_still_water(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "pressure of water at rest", "height (H)", "pressure (rho g H)");
    for (int dims = 2; dims <= 3; dims++)
        for (int i = 0; i < validate_solver_count; i++) {
            int along = dims == 3 ? 14 : 32;
            double d = 1.0 / along, wide = dims == 3 ? 8 * d : 16 * d, rms;
            validate_liquid water;
            validate_liquid_make(&water, dims, (double[3]){wide, 1.25, wide}, (double[3]){0}, (double[3]){wide, 1, wide}, d);
            water.def.time = (fr_time_def){.duration = 2, .fps = 50};
            water.def.sph.solver = validate_solvers[i].solver;
            still_column column = {.spacing = d, .depth = 1};
            FR_TRY(still_run(self, &water.def, &column));
            validate_curve *curve = validate_curve_add(record, false, "%s, %dD", validate_solvers[i].name, dims);
            double worst = still_error(&column, -water.def.gravity[1] * water.def.fluid.density, curve, &rms);
            validate_row_add(record, (validate_row){.measured = worst, .published = 0, .rule = VALIDATE_WITHIN, .limit = 0.01},
                             "%s, %dD: greatest error of a layer's pressure over rho g H", validate_solvers[i].name, dims);
            validate_report(record, rms, NAN, "%s, %dD: root mean square of it", validate_solvers[i].name, dims);
        }
    validate_curve *exact = validate_curve_add(record, true, "rho g (H - y)");
    for (int i = 0; i <= 10; i++)
        validate_point_add(exact, i / 10.0, 1 - i / 10.0);
    validate_note(record, "means over the particles of a layer one spacing thick and over t = 1 to 2 s; 3 spacings below the surface and deeper");
    validate_note(record, "H = 1 m: 32 spacings in 2D, 14 in 3D; no viscosity");
    return FR_OK;
}
