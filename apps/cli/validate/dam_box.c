/* A dam break against a box on the floor of a tank: SPHERIC's test 2, measured by MARIN (Kleefsman, Fekken, Veldman,
   Iwanowski & Buchner 2005). Four wires measure the water's height: H1 nearest to the gate, H2 in front of the box, H3
   behind it, H4 in the reservoir. P1 to P4 are the pressure sensors in the face of the box that the water hits, from
   the lowest one up. By particles, and on grids: `number` says by what tracker.

   Here x is measured from the reservoir's wall, so that the lattice of particles begins there; the published data
   measure from the opposite wall. */
#include "validate/dam_box.h"
#include "validate/validate.h"

#include <math.h>

enum { BOX_WIRES = DAM_BOX_WIRES, BOX_SENSORS = 4 };
static const double TANK_LENGTH = 3.22, BOX_FACE = 3.22 - 0.8245;
static const double wire_from_far_wall[BOX_WIRES] = {1.488, 0.992, 0.496, 2.638};

/* The published data, or what was found. */
typedef struct box_record {
    double wet[BOX_WIRES]; /* s: more than 2 cm of the wire are wet */
    double half_empty;     /* s: the reservoir stands at half its height */
    double struck;         /* s: P1 exceeds 1 kPa */
    double peak;           /* Pa: first impact on P1 */
} box_record;
static const box_record published = {
    .wet = {0.218, 0.368, 0.920, NAN}, .half_empty = 1.015, .struck = 0.394, .peak = 11239};

/* m above the floor, and the first peaks of the measured record, Pa */
static const double sensor_height[BOX_SENSORS] = {0.021, 0.061, 0.101, 0.141};
static const double sensor_peak[BOX_SENSORS] = {11239, 8127, 6564, 7203};

typedef struct box_curves {
    validate_curve *wires[BOX_WIRES], *pressure[BOX_SENSORS];
    int sensors;
} box_curves;

/* The wetted length of a wire: the volume of the particles around it, weighted by hat functions two spacings wide to
   each side, whose sum over a lattice does not depend on the lattice's position. */
static double box_height_of_particles(const fr_frame *frame, double x, double z)
{
    double reach = 2 * frame->particle_spacing, sum = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *at = validate_particle(&frame->particles, n);
        sum += fmax(0, 1 - fabs(at[0] - x) / reach) * fmax(0, 1 - fabs(at[2] - z) / reach);
    }
    return sum * pow(frame->particle_spacing, 3) / (reach * reach);
}

/* The same on a grid: the shares of the cells above each other, between the four columns around the wire. */
static double box_height_on_grid(const fr_frame *frame, double x, double z)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    const double h = frame->spacing[1], at[2] = {x / frame->spacing[0] - 0.5, z / frame->spacing[2] - 0.5};
    double sum = 0;
    for (int c = 0; c < 4; c++) {
        const int i = (int)at[0] + c % 2, k = (int)at[1] + c / 2;
        const double weight = (1 - fabs(at[0] - i)) * (1 - fabs(at[1] - k));
        for (int j = 0; j < frame->cells[1]; j++)
            sum += weight * h * fmin(1, fmax(0, 0.5 - validate_value(phi, i, j, k) / h));
    }
    return sum;
}

static double box_height(const fr_frame *frame, double x, double z)
{
    return (frame->can & FR_FRAME_SURFACE ? box_height_on_grid : box_height_of_particles)(frame, x, z);
}

/* The pressure on the box, kPa: of particles around the sensor; on a grid one cell before the face, so that no cell in
   the box has a part in it. */
static fr_result box_pressure(fr_world *world, int sensor, double *pressure)
{
    const fr_frame *frame = fr_world_frame(world);
    const double before = frame->can & FR_FRAME_SURFACE ? frame->spacing[0] : 0;
    FR_TRY(fr_world_probe(world, "pressure", (double[3]){BOX_FACE - before, sensor_height[sensor], 0.4745}, pressure));
    *pressure = isnan(*pressure) ? 0 : *pressure / 1000;
    return FR_OK;
}

static fr_result box_follow(fr_world *world, const validate_case *self, const box_curves *curves)
{
    for (int f = 0; f <= fr_world_frame_count(world); f++) {
        if (f > 0)
            FR_TRY(validate_frame(world, self->name));
        const fr_frame *frame = fr_world_frame(world);
        for (int i = 0; i < BOX_WIRES; i++)
            validate_point_add(curves->wires[i], frame->time,
                               box_height(frame, TANK_LENGTH - wire_from_far_wall[i], 0.5));
        for (int i = 0; i < curves->sensors; i++) {
            double pressure;
            FR_TRY(box_pressure(world, i, &pressure));
            validate_point_add(curves->pressure[i], fr_world_time(world), pressure);
        }
    }
    return FR_OK;
}

/* The time at which a curve first exceeds a level, by linear interpolation. */
static double box_passes(const validate_curve *curve, double level)
{
    bool above = curve->y[0] > level;
    for (int i = 1; i < curve->count; i++)
        if ((curve->y[i] > level) != above)
            return curve->x[i - 1] +
                   (curve->x[i] - curve->x[i - 1]) * (level - curve->y[i - 1]) / (curve->y[i] - curve->y[i - 1]);
    return NAN;
}

/* Of the first impact, Pa. */
static double box_peak(const validate_curve *pressure)
{
    double peak = 0;
    for (int i = 0; i < pressure->count && pressure->x[i] < 0.5; i++)
        peak = fmax(peak, 1000 * pressure->y[i]);
    return peak;
}

static box_record box_read(const box_curves *curves)
{
    box_record found = {.half_empty = box_passes(curves->wires[3], 0.275),
                        .struck = box_passes(curves->pressure[0], 1)};
    for (int i = 0; i < BOX_WIRES; i++)
        found.wet[i] = box_passes(curves->wires[i], 0.02);
    found.peak = box_peak(curves->pressure[0]);
    return found;
}

/* The heights over the whole record. */
static void box_judge_heights(validate_record *record, const box_curves *curves, bool fine)
{
    for (int i = 0; i < BOX_WIRES; i++) {
        const validate_curve *curve = curves->wires[i];
        double square = 0;
        int count = 0;
        for (int n = 0; n < curve->count; n++) {
            const int at = (int)lround(10 * curve->x[n]);
            if (fabs(curve->x[n] - 0.1 * at) > 1e-6 || at >= DAM_BOX_TIMES)
                continue;
            square += pow(curve->y[n] - dam_box_heights[at][i], 2);
            count++;
        }
        validate_row row = {.measured = sqrt(square / count),
                            .published = NAN,
                            .rule = fine ? VALIDATE_AT_MOST : VALIDATE_REPORT,
                            .limit = 0.04};
        validate_row_add(record, row, "H%d: rms of the error over 6 s, in m", i + 1);
    }
}

/* Fine particles are judged by limits that suit a spacing of 2 cm. Coarse ones need more than one layer to wet a wire,
   and the front of the flood is thinner than that, so they may be later. */
static void box_judge(validate_record *record, const box_record *found, bool fine)
{
    double late = fine ? 0.03 : 0.06; /* s, for spacings of 2 and of 4 cm */
    validate_row row = {.rule = VALIDATE_WITHIN, .limit = late};
    for (int i = 0; i < 3; i++) {
        row.measured = found->wet[i];
        row.published = published.wet[i];
        row.rule = fine || i < 2 ? VALIDATE_WITHIN : VALIDATE_REPORT;
        validate_row_add(record, row, "H%d is wet, in s", i + 1);
    }
    row = (validate_row){
        .measured = found->struck, .published = published.struck, .rule = VALIDATE_WITHIN, .limit = late};
    validate_row_add(record, row, "P1 exceeds 1 kPa, in s");
    row = (validate_row){.measured = found->half_empty,
                         .published = published.half_empty,
                         .rule = fine ? VALIDATE_WITHIN : VALIDATE_REPORT,
                         .limit = 0.03};
    validate_row_add(record, row, "the reservoir is half empty, in s");
    row = (validate_row){.measured = found->peak,
                         .published = published.peak,
                         .rule = fine ? VALIDATE_RELATIVE : VALIDATE_REPORT,
                         .limit = 0.4};
    validate_row_add(record, row, "first peak of P1, in Pa");
}

static void box_mark_pressure(validate_record *record)
{
    validate_curve *marks = validate_curve_add(record, true, "measured by MARIN");
    validate_point_add(marks, published.struck, 1);
    validate_point_add(marks, 0.415, published.peak / 1000);
}

static void box_mark_heights(validate_record *record, bool whole)
{
    if (!whole) {
        validate_curve *marks = validate_curve_add(record, true, "measured by MARIN");
        for (int i = 0; i < 3; i++)
            validate_point_add(marks, published.wet[i], 0.02);
        validate_point_add(marks, published.half_empty, 0.275);
        return;
    }
    for (int i = 0; i < BOX_WIRES; i++) {
        validate_curve *marks = validate_curve_add(record, true, "H%d, measured", i + 1);
        for (int n = 0; n < DAM_BOX_TIMES; n += 2)
            validate_point_add(marks, 0.1 * n, dam_box_heights[n][i]);
    }
}

static void box_add_curves(validate_record *record, box_curves *curves, bool whole)
{
    validate_panel_add(record, "height of the water", "time (s)", "height (m)");
    for (int i = 0; i < BOX_WIRES; i++)
        curves->wires[i] = validate_curve_add(record, false, "H%d", i + 1);
    box_mark_heights(record, whole);
    validate_panel_add(record, "pressure on the box", "time (s)", whole ? "pressure (kPa)" : "P1 (kPa)");
    curves->sensors = whole ? BOX_SENSORS : 1;
    for (int i = 0; i < curves->sensors; i++)
        curves->pressure[i] =
            whole ? validate_curve_add(record, false, "P%d", i + 1) : validate_curve_add(record, false, "freshet");
    box_mark_pressure(record);
}

/* Follows the flood and judges it; `whole`: over the 6 s of the record. */
static fr_result box_flood(const validate_case *self, fr_scene_def *def, bool whole, validate_record *record)
{
    fr_shape_def box = fr_default_shape(FR_SHAPE_BOX);
    const double low[3] = {BOX_FACE, 0, 0.2985}, high[3] = {BOX_FACE + 0.161, 0.161, 0.7015};
    for (int a = 0; a < 3; a++) {
        box.min[a] = low[a];
        box.max[a] = high[a];
    }
    const fr_obstacle_def obstacle = {.shape.shape = &box};
    def->obstacles = &obstacle;
    def->obstacle_count = 1;
    def->walls[FR_TOP].kind = FR_WALL_OPEN;
    def->time = (fr_time_def){.duration = whole ? 6 : 1.2, .fps = 100};
    box_curves curves;
    box_add_curves(record, &curves, whole);
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = box_follow(world, self, &curves);
    fr_world_destroy(world);
    FR_TRY(result);
    box_record found = box_read(&curves);
    box_judge(record, &found, self->cells >= 50);
    for (int i = 1; i < curves.sensors; i++)
        validate_report(record, box_peak(curves.pressure[i]), sensor_peak[i], "first peak of P%d, in Pa", i + 1);
    if (whole)
        box_judge_heights(record, &curves, self->cells >= 50);
    return FR_OK;
}

fr_result validate_dam_box(const validate_case *self, validate_record *record)
{
    validate_liquid water;
    validate_liquid_make(&water, 3, (double[3]){TANK_LENGTH, 1, 1}, (double[3]){0}, (double[3]){1.228, 0.55, 1},
                         1.0 / self->cells);
    FR_TRY(box_flood(self, &water.def, false, record));
    validate_note(record, "P1 is the mean pressure of the particles around it");
    validate_note(
        record,
        "spacing %.3g m, %d along the reservoir's height, walls slip, no viscosity, dfsph; the gate is gone at once",
        1.0 / self->cells, (int)(0.55 * self->cells));
    return FR_OK;
}

fr_result validate_dam_box_grid(const validate_case *self, validate_record *record)
{
    validate_liquid water;
    validate_liquid_make(&water, 3, (double[3]){TANK_LENGTH, 1, 1}, (double[3]){0}, (double[3]){1.228, 0.55, 1}, 1);
    validate_liquid_on_grid(&water, (fr_liquid_surface)self->number, (int)lround(TANK_LENGTH * self->cells));
    FR_TRY(box_flood(self, &water.def, true, record));
    validate_note(record, "pressures are those one cell before the face of the box");
    validate_note(record, "cells of %.3g m, walls slip, no viscosity; the gate is gone at once", 1.0 / self->cells);
    return FR_OK;
}
