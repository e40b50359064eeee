/* A river through a constriction: the flux is the same through every cross-section, and p + u²/2 is constant
   (Bernoulli). */
#include "validate/validate.h"

#include <math.h>

/* A channel of length 9 and width 1, with a throat of width 1/2 that is long enough for a uniform flow in it. */
static double throat_width(double x)
{
    const double from = 2, to = 7, slope = 1.5;
    double in = fmin(fmax(fmin(x - from, to - x) / slope, 0), 1);
    return 1 - 0.25 * (1 - cos(VALIDATE_PI * in));
}

static fr_result throat_map(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 9 * args[0];
    out[1] = throat_width(out[0]) * (args[1] - 0.5);
    out[2] = 0;
    return FR_OK;
}

enum { THROAT_COARSE = 180, THROAT_FINE = 360, THROAT_PLACES = 3 };
static const double throat_places[THROAT_PLACES] = {1, 4.5, 8};   /* upstream, in the throat, downstream */

/* Means over a cross-section of cells. */
typedef struct throat_section {
    double speed, pressure;
} throat_section;

static throat_section throat_mean(const fr_frame *frame, int i)
{
    throat_section mean = {0, 0};
    const fr_field *pressure = fr_frame_field(frame, "pressure");
    for (int j = 0; j < frame->cells[1]; j++) {
        mean.speed += validate_velocity(frame, 0, i, j, 0) / frame->cells[1];
        mean.pressure += validate_value(pressure, i, j, 0) / frame->cells[1];
    }
    return mean;
}

/* The largest difference between the fluxes through two cross-sections, relative to the inflow. The flux through each
   is that through the previous one plus the divergence of the cells between, which is zero except for rounding. */
static double throat_spread(fr_world *world)
{
    const fr_frame *frame = fr_world_frame(world);
    const fr_field *divergence = fr_frame_field(frame, "divergence");
    double inflow = -validate_ledger(world, "through_s0"), flow = inflow, least = inflow, most = inflow;
    for (int i = 0; i < frame->cells[0]; i++) {
        for (int j = 0; j < frame->cells[1]; j++)
            flow += validate_area(frame, i, j) * validate_value(divergence, i, j, 0);
        least = fmin(least, flow);
        most = fmax(most, flow);
    }
    double out = validate_ledger(world, "through_s1");
    return (fmax(most, out) - fmin(least, out)) / inflow;
}

typedef struct throat_result {
    throat_section at[THROAT_PLACES];
    double middle;                 /* speed in the middle of the throat */
    double spread;
} throat_result;

static void throat_measure(fr_world *world, throat_result *out)
{
    const fr_frame *frame = fr_world_frame(world);
    for (int p = 0; p < THROAT_PLACES; p++)
        out->at[p] = throat_mean(frame, (int)(throat_places[p] / 9 * frame->cells[0]));
    out->middle = validate_velocity(frame, 0, frame->cells[0] / 2, frame->cells[1] / 2, 0);
    out->spread = throat_spread(world);
}

static void throat_plot(const fr_frame *frame, validate_curve *speed, validate_curve *pressure)
{
    for (int i = 0; i < frame->cells[0]; i++) {
        throat_section mean = throat_mean(frame, i);
        validate_point_add(speed, 9 * (i + 0.5) / frame->cells[0], mean.speed);
        validate_point_add(pressure, 9 * (i + 0.5) / frame->cells[0], mean.pressure);
    }
}

/* The curves may be NULL. */
static fr_result throat_run(const validate_case *self, const validate_river_kind *kind, int cells,
                            validate_curve *speed, validate_curve *pressure, throat_result *out)
{
    fr_scene_def def = validate_river_scene(throat_map, NULL, cells, cells * 2 / 15);
    validate_river_set_kind(&def, kind);
    def.river.sides[FR_LEFT] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = 1};
    def.river.sides[FR_RIGHT].kind = FR_RIVER_OUTFLOW;
    def.river.sides[FR_BOTTOM].roughness = def.river.sides[FR_TOP].roughness = 0;
    def.time = (fr_time_def){.duration = 9, .fps = 1};
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = FR_OK;
    while (result == FR_OK && fr_world_time(world) < def.time.duration - 1e-6)
        result = validate_frame(world, self->name);
    if (result == FR_OK) {
        throat_measure(world, out);
        if (speed)
            throat_plot(fr_world_frame(world), speed, pressure);
    }
    fr_world_destroy(world);
    return result;
}

static void throat_judge(validate_record *record, const validate_river_kind *kind, const throat_result *r, int cells)
{
    double before = r->at[0].speed;
    enum { ROWS = 5 };
    const validate_row rows[ROWS] = {
        {.measured = r->at[1].speed / before, .published = 2, .rule = VALIDATE_WITHIN, .limit = 0.02},
        {.measured = r->middle / before, .published = 2, .rule = VALIDATE_WITHIN, .limit = 0.02},
        {.measured = (r->at[0].pressure - r->at[1].pressure) / (before * before),
         .published = 1.5,
         .rule = VALIDATE_RELATIVE,
         .limit = 0.05},
        {.measured = r->spread, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 1e-6},
        {.measured = (r->at[0].pressure - r->at[2].pressure) / (0.5 * before * before),
         .published = NAN,
         .rule = VALIDATE_REPORT},
    };
    static const char *const names[ROWS] = {"mean speed in the throat over that before it",
                                            "speed in its middle over the mean before it",
                                            "fall of pressure into it, over density and speed squared",
                                            "greatest difference of flow between sections, over inflow",
                                            "pressure lost behind it, over half density and speed squared"};
    for (int n = 0; n < ROWS; n++) {
        validate_row row = rows[n];
        if (!kind->judged)
            row.rule = VALIDATE_REPORT;
        validate_row_add(record, row, "%s, %d cells: %s", kind->name, cells, names[n]);
    }
}

/* The exact mean flow where the width is constant: u = 1/w, p = (1 − u²)/2. */
static void throat_marks(validate_curve *speed, validate_curve *pressure)
{
    for (int n = 0; n <= 36; n++) {
        double x = n / 4.0, u = 1 / throat_width(x);
        validate_point_add(speed, x, u);
        validate_point_add(pressure, x, 0.5 * (1 - u * u));
    }
}

static fr_result throat_case(const validate_case *self, const validate_river_kind *kind, int cells,
                             validate_curve *speed, validate_curve *pressure, validate_record *record)
{
    throat_result result;
    FR_TRY(throat_run(self, kind, cells, speed, pressure, &result));
    throat_judge(record, kind, &result, cells);
    return FR_OK;
}

fr_result validate_river_throat(const validate_case *self, validate_record *record)
{
    validate_curve *speed[VALIDATE_RIVER_KINDS], *pressure[VALIDATE_RIVER_KINDS];
    validate_panel_add(record, "mean speed along the channel", "x", "speed");
    for (int n = 0; n < VALIDATE_RIVER_KINDS; n++)
        speed[n] = validate_curve_add(record, false, "%s", validate_river_kinds[n].name);
    validate_curve *evenly = validate_curve_add(record, true, "flow over width");
    validate_panel_add(record, "mean pressure along the channel", "x", "pressure over density");
    for (int n = 0; n < VALIDATE_RIVER_KINDS; n++)
        pressure[n] = validate_curve_add(record, false, "%s", validate_river_kinds[n].name);
    throat_marks(evenly, validate_curve_add(record, true, "Bernoulli"));
    for (int n = 0; n < VALIDATE_RIVER_KINDS; n++)
        FR_TRY(throat_case(self, &validate_river_kinds[n], THROAT_COARSE, speed[n], pressure[n], record));
    FR_TRY(throat_case(self, &validate_river_kinds[0], THROAT_FINE, NULL, NULL, record));
    validate_note(record, "a channel 9 long and 1 wide, 0.5 wide from x = 3.5 to 5.5, with banks that slip; water "
                          "comes in at a speed of 1, without viscosity; "
                          "180 x 24 and 360 x 48 cells, at t = 9");
    validate_note(
        record,
        "where the width changes, the flow is not even over a cross-section and means need not follow the marks");
    validate_note(record, "classic is reported only: what is pushed at the inflow reaches a cell further per sweep, so "
                          "that 80 of them cannot drive 180 cells");
    return FR_OK;
}
