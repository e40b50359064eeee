/* Bodies that swing. A disc half in water is let go a little above its place: its fall and rise by linear theory
   (Maskell & Ursell 1970), which was computed anew, not copied: from added mass and damping at every frequency by
   Ursell's (1949) series of ten terms, and

     x(t)/x(0) = (2/π) ∫ Re( iω m/(2ρga − ω²m) ) cos ωt dω,   m = ½πρa² + A(ω) − iB(ω)/ω.

   A square on a hinge deep in water, the heavier half below: the water adds 0.725 ρa⁴ to its moment of inertia, a half
   the side (Newman 1977, table 4.3). */
#include "validate/floating.h"

#include <math.h>

enum { HEAVE_POINTS = 39 };
static const double HEAVE_SPACING = 0.25; /* √(a/g), of the table */
static const double heave_table[HEAVE_POINTS] = {1.0000,  0.9802,  0.9219,  0.8280,  0.7035,  0.5547,  0.3892,  0.2151,
                                                 0.0407,  -0.1259, -0.2774, -0.4076, -0.5116, -0.5859, -0.6290, -0.6407,
                                                 -0.6225, -0.5773, -0.5092, -0.4231, -0.3245, -0.2192, -0.1128, -0.0108,
                                                 0.0820,  0.1618,  0.2253,  0.2707,  0.2971,  0.3045,  0.2940,  0.2675,
                                                 0.2277,  0.1776,  0.1208,  0.0605,  0.0005,  -0.0563, -0.1070};
static const double heave_zeros[3] = {2.0596, 5.7777, 9.0020};

enum { SWING_ZEROS = 8 };
typedef struct swing_look {
    validate_curve *curve;     /* NULL: not drawn */
    double scale, rest, start; /* s to the units of the plot; where it comes to rest; how far off it starts */
    double time, value;        /* the last */
    double zeros[SWING_ZEROS];
    int count;
    double off; /* from the table, the most */
} swing_look;

static void swing_see(swing_look *look, double time, double value)
{
    if (time > 0 && value * look->value < 0 && look->count < SWING_ZEROS)
        look->zeros[look->count++] = time - (time - look->time) * value / (value - look->value);
    look->time = time;
    look->value = value;
    if (look->curve)
        validate_point_add(look->curve, time, value);
}

/* Between the table's points by a parabola. */
static double heave_exact(double t)
{
    const double x = t / HEAVE_SPACING;
    const int n = (int)fmin(HEAVE_POINTS - 2, fmax(1, round(x)));
    const double s = x - n, before = heave_table[n - 1], here = heave_table[n], after = heave_table[n + 1];
    return here + s * (after - before) / 2 + s * s * (after - 2 * here + before) / 2;
}

static void heave_see(void *context, const fr_frame *frame)
{
    swing_look *look = context;
    const double time = frame->time * look->scale, value = (frame->bodies[0].position[1] - look->rest) / look->start;
    swing_see(look, time, value);
    if (time <= (HEAVE_POINTS - 1) * HEAVE_SPACING)
        look->off = fmax(look->off, fabs(value - heave_exact(time)));
}

static const double HEAVE_WIDTH = 40, HEAVE_DEPTH = 8, HEAVE_HEIGHT = 10, HEAVE_START = 0.1; /* radii */

static fr_result heave_run(const validate_case *self, int tracker, swing_look *look)
{
    floating f;
    floating_make(&f, validate_trackers[tracker].surface, 2, (double[3]){HEAVE_WIDTH, HEAVE_HEIGHT, 0},
                  (int)HEAVE_WIDTH * self->cells);
    floating_fill(&f, HEAVE_DEPTH);
    floating_add(&f, floating_ball(1), (double[3]){HEAVE_WIDTH / 2, HEAVE_DEPTH + HEAVE_START, 0}, 500);
    look->scale = sqrt(FLOATING_GRAVITY);
    look->rest = HEAVE_DEPTH;
    look->start = HEAVE_START;
    f.water.def.time = (fr_time_def){.duration = 9.5 / look->scale, .fps = 20 * look->scale};
    return floating_follow(&f, self->name, heave_see, look);
}

static void heave_judge(validate_record *record, const char *name, const swing_look *look)
{
    validate_row period = {.measured = look->count >= 3 ? look->zeros[2] - look->zeros[0] : NAN,
                           .published = heave_zeros[2] - heave_zeros[0],
                           .rule = VALIDATE_RELATIVE,
                           .limit = 0.03};
    validate_row off = {.measured = look->off, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 0.05};
    validate_row_add(record, period, "%s: period of a disc, in (a/g)^1/2", name);
    validate_row_add(record, off, "%s: largest distance from the curve, in x(0)", name);
}

/* The square on its hinge. */

static const double ROLL_HALF = 1, ROLL_ROOM = 12, ROLL_DENSITY = 500, ROLL_LEAN = 0.5, ROLL_START = 5; /* m, degrees */
static const double ROLL_ADDED = 0.725;

static fr_result roll_density(void *context, const double *args, double *out)
{
    (void)context;
    *out = ROLL_DENSITY * (1 - ROLL_LEAN * args[1] / ROLL_HALF);
    return FR_OK;
}

static void roll_see(void *context, const fr_frame *frame)
{
    swing_look *look = context;
    const double *turn = frame->bodies[0].rotation;
    swing_see(look, frame->time * look->scale, 2 * atan2(turn[3], turn[0]) * 180 / VALIDATE_PI / ROLL_START);
}

/* In √(a/g), with the water's share of the inertia or without. */
static double roll_period(double added)
{
    const double mass = ROLL_DENSITY * 4, arm = ROLL_LEAN / 3, inertia = mass * 2 / 3 + added * 1000;
    return 2 * VALIDATE_PI * sqrt(inertia / (mass * arm));
}

static fr_result roll_run(const validate_case *self, int tracker, swing_look *look)
{
    floating f;
    floating_make(&f, validate_trackers[tracker].surface, 2, (double[3]){ROLL_ROOM, ROLL_ROOM, 0},
                  (int)ROLL_ROOM * self->cells);
    fr_body_def *square = floating_add(&f, floating_box(2 * ROLL_HALF, 2 * ROLL_HALF, 1),
                                       (double[3]){ROLL_ROOM / 2, ROLL_ROOM / 2, 0}, 0);
    square->density.function = roll_density;
    square->shape.axis[2] = 1;
    square->shape.degrees = ROLL_START;
    fr_joint_def hinge = fr_default_joint(FR_JOINT_HINGE);
    hinge.at[0] = hinge.at[1] = ROLL_ROOM / 2;
    f.water.def.joints = &hinge;
    f.water.def.joint_count = 1;
    look->scale = sqrt(FLOATING_GRAVITY);
    f.water.def.time = (fr_time_def){.duration = 1.8 * roll_period(ROLL_ADDED) / look->scale, .fps = 5 * look->scale};
    return floating_follow(&f, self->name, roll_see, look);
}

static fr_result roll_judge(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "a square on a hinge under water", "time ((a/g)^1/2)", "angle / first angle");
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        swing_look look = {.curve = validate_curve_add(record, false, "%s", validate_trackers[t].name)};
        FR_TRY(roll_run(self, t, &look));
        validate_row row = {.measured = look.count >= 3 ? look.zeros[2] - look.zeros[0] : NAN,
                            .published = roll_period(ROLL_ADDED),
                            .rule = VALIDATE_RELATIVE,
                            .limit = 0.03};
        validate_row_add(record, row, "%s: period of a square, in (a/g)^1/2", validate_trackers[t].name);
    }
    validate_note(
        record,
        "the square swings on a hinge at its centre, 5 degrees at first, in a closed tank 6 times as wide, %d "
        "cells in half its side; without water its period would be %.4g",
        self->cells, roll_period(0));
    return FR_OK;
}

fr_result validate_floating_heave(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "a disc let go above its place", "time ((a/g)^1/2)", "height / first height");
    validate_curve *theory = validate_curve_add(record, true, "linear theory");
    for (int n = 0; n < HEAVE_POINTS; n++)
        validate_point_add(theory, n * HEAVE_SPACING, heave_table[n]);
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        swing_look look = {.curve = validate_curve_add(record, false, "%s", validate_trackers[t].name)};
        FR_TRY(heave_run(self, t, &look));
        heave_judge(record, validate_trackers[t].name, &look);
    }
    validate_note(record,
                  "the disc has half the density of water and starts %g radii above its place, in a tank %g radii wide "
                  "and %g deep, %d cells in the radius; the theory is for a boundless sea",
                  HEAVE_START, HEAVE_WIDTH, HEAVE_DEPTH, self->cells);
    return roll_judge(self, record);
}
