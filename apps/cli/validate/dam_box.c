/* A dam break against a box on the floor of a tank: SPHERIC's test 2, measured by MARIN (Kleefsman, Fekken, Veldman,
   Iwanowski & Buchner 2005). Four wires measure the water's height: H1 nearest to the gate, H2 in front of the box, H3
   behind it, H4 in the reservoir. P1 is the lowest pressure sensor in the face of the box that the water hits.

   Here x is measured from the reservoir's wall, so that the lattice of particles begins there; the published data
   measure from the opposite wall. */
#include "validate/validate.h"

#include <math.h>

enum { BOX_WIRES = 4 };
static const double TANK_LENGTH = 3.22, BOX_FACE = 3.22 - 0.8245;
static const double wire_from_far_wall[BOX_WIRES] = {1.488, 0.992, 0.496, 2.638};

/* The published data, or what was found. */
typedef struct box_record {
    double wet[BOX_WIRES];   /* s: more than 2 cm of the wire are wet */
    double half_empty;       /* s: the reservoir stands at half its height */
    double struck;           /* s: P1 exceeds 1 kPa */
    double peak;             /* Pa: first impact on P1 */
} box_record;
static const box_record published = {
    .wet = {0.218, 0.368, 0.920, NAN}, .half_empty = 1.015, .struck = 0.394, .peak = 11239};

typedef struct box_curves {
    validate_curve *wires[BOX_WIRES], *pressure;
} box_curves;

/* The wetted length of a wire: the volume of the particles around it, weighted by hat functions two spacings wide to
   each side, whose sum over a lattice does not depend on the lattice's position. */
static double box_height(const fr_frame *frame, double x, double z)
{
    double reach = 2 * frame->particle_spacing, sum = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *at = validate_particle(&frame->particles, n);
        sum += fmax(0, 1 - fabs(at[0] - x) / reach) * fmax(0, 1 - fabs(at[2] - z) / reach);
    }
    return sum * pow(frame->particle_spacing, 3) / (reach * reach);
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
        double pressure;
        FR_TRY(fr_world_probe(world, "pressure", (double[3]){BOX_FACE, 0.021, 0.4745}, &pressure));
        bool dry = isnan(pressure);
        validate_point_add(curves->pressure, fr_world_time(world), dry ? 0 : pressure / 1000);
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

static box_record box_read(const box_curves *curves)
{
    box_record found = {.half_empty = box_passes(curves->wires[3], 0.275), .struck = box_passes(curves->pressure, 1)};
    for (int i = 0; i < BOX_WIRES; i++)
        found.wet[i] = box_passes(curves->wires[i], 0.02);
    for (int i = 0; i < curves->pressure->count && curves->pressure->x[i] < 0.5; i++)
        found.peak = fmax(found.peak, 1000 * curves->pressure->y[i]);
    return found;
}

/* Fine particles are judged by limits that suit a spacing of 2 cm. Coarse ones need more than one layer to wet a wire,
   and the front of the flood is thinner than that, so they may be later. */
static void box_judge(validate_record *record, const box_record *found, bool fine)
{
    double late = fine ? 0.03 : 0.06;   /* s, for spacings of 2 and of 4 cm */
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

static void box_marks(validate_record *record, bool pressure)
{
    validate_curve *marks = validate_curve_add(record, true, "measured by MARIN");
    if (pressure) {
        validate_point_add(marks, published.struck, 1);
        validate_point_add(marks, 0.415, published.peak / 1000);
        return;
    }
    for (int i = 0; i < 3; i++)
        validate_point_add(marks, published.wet[i], 0.02);
    validate_point_add(marks, published.half_empty, 0.275);
}

fr_result validate_dam_box(const validate_case *self, validate_record *record)
{
    validate_liquid water;
    validate_liquid_make(&water, 3, (double[3]){TANK_LENGTH, 1, 1}, (double[3]){0}, (double[3]){1.228, 0.55, 1},
                         1.0 / self->cells);
    fr_shape_def box = fr_default_shape(FR_SHAPE_BOX);
    const double low[3] = {BOX_FACE, 0, 0.2985}, high[3] = {BOX_FACE + 0.161, 0.161, 0.7015};
    for (int a = 0; a < 3; a++) {
        box.min[a] = low[a];
        box.max[a] = high[a];
    }
    const fr_obstacle_def obstacle = {.shape.shape = &box};
    water.def.obstacles = &obstacle;
    water.def.obstacle_count = 1;
    water.def.walls[FR_TOP].kind = FR_WALL_OPEN;
    water.def.time = (fr_time_def){.duration = 1.2, .fps = 100};
    box_curves curves;
    validate_panel_add(record, "height of the water", "time (s)", "height (m)");
    for (int i = 0; i < BOX_WIRES; i++)
        curves.wires[i] = validate_curve_add(record, false, "H%d", i + 1);
    box_marks(record, false);
    validate_panel_add(record, "pressure on the box", "time (s)", "P1 (kPa)");
    curves.pressure = validate_curve_add(record, false, "freshet");
    box_marks(record, true);
    fr_world *world;
    FR_TRY(fr_world_create(&water.def, &world));
    fr_result result = box_follow(world, self, &curves);
    fr_world_destroy(world);
    FR_TRY(result);
    box_record found = box_read(&curves);
    box_judge(record, &found, self->cells >= 50);
    validate_note(record, "P1 is the mean pressure of the particles around it");
    validate_note(
        record,
        "spacing %.3g m, %d along the reservoir's height, walls slip, no viscosity, dfsph; the gate is gone at once",
        1.0 / self->cells, (int)(0.55 * self->cells));
    return FR_OK;
}
