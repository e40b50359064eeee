/* Rivers on annular grids: circular Couette flow (Taylor 1923) and flow in a curved channel (Dean 1928). */
#include "validate/validate.h"

#include <math.h>

/* On an annulus s is the azimuthal and t the radial coordinate. */
typedef struct ring_flow {
    double inner, outer;            /* m */
    double viscosity;
    double speed;                   /* m/s, of the inner bank */
    bool pushed;                    /* driven by an azimuthal force 2ν/r */
    double (*exact)(double r);      /* azimuthal velocity, m/s */
} ring_flow;

enum { RING_GRIDS = 3, RING_COARSEST = 16, RING_JUDGED = 1 };

/* The finest grid is left out with a fixed number of sweeps: a thousand are too few there. */
static int ring_grids(const validate_river_kind *kind) { return kind->sweeps ? RING_GRIDS - 1 : RING_GRIDS; }

static fr_result ring_map(void *context, const double *args, double *out)
{
    const ring_flow *flow = context;
    double angle = 2 * VALIDATE_PI * args[0], r = flow->inner + (flow->outer - flow->inner) * args[1];
    out[0] = r * cos(angle);
    out[1] = r * sin(angle);
    out[2] = 0;
    return FR_OK;
}

/* A pressure that falls steadily around the annulus would not be periodic, so its gradient is applied as a force. */
static fr_result ring_push(void *context, const double *args, double *out)
{
    const ring_flow *flow = context;
    double square = args[0] * args[0] + args[1] * args[1];
    out[0] = -2 * flow->viscosity * args[1] / square;
    out[1] = 2 * flow->viscosity * args[0] / square;
    out[2] = 0;
    return FR_OK;
}

/* u = A r + B/r: the inner cylinder of radius 1/4 rotates with 1 rad/s, the outer one of radius 1/2 is at rest. */
static double ring_couette(double r)
{
    const double a = 0.25, b = 0.5;
    return a * a / (b * b - a * a) * (b * b / r - r);
}

/* u = −(r ln r + C r + D/r) for the force 2ν/r, between the radii 1 and 2. */
static double ring_dean(double r)
{
    const double a = 1, b = 2, C = -(b * b * log(b) - a * a * log(a)) / (b * b - a * a),
                 D = a * a * b * b * log(b / a) / (b * b - a * a);
    return -(r * log(r) + C * r + D / r);
}

typedef struct ring_result {
    double greatest;                /* largest error of the azimuthal velocity, relative to the largest velocity */
    double mean_square;             /* m/s, RMS error over the area */
    double torque;                  /* on the inner bank, divided by density and viscosity */
    validate_steady steady;
} ring_result;

static double ring_speed(const fr_frame *frame, int i, int j, double *r)
{
    double at[3];
    validate_place(frame, fr_frame_field(frame, "u"), (int64_t[3]){i, j, 0}, at);
    *r = hypot(at[0], at[1]);
    return (validate_velocity(frame, 1, i, j, 0) * at[0] - validate_velocity(frame, 0, i, j, 0) * at[1]) / *r;
}

/* 2π a³ d(u/r)/dr at the bank, from u/r there and in the two nearest cells. Cells have straight sides, so the bank is a
   polygon; the foot of the perpendicular from a cell centre is the midpoint of its side, at the radius a. */
static double ring_torque(const fr_frame *frame, const ring_flow *flow)
{
    double sum = 0, a = flow->inner * cos(VALIDATE_PI / frame->cells[0]);
    for (int i = 0; i < frame->cells[0]; i++) {
        double r[2], turn[2];
        for (int j = 0; j < 2; j++) {
            turn[j] = ring_speed(frame, i, j, &r[j]);
            turn[j] = (turn[j] / r[j] - flow->speed / a) / (r[j] - a);
        }
        sum += turn[0] - (turn[1] - turn[0]) * (r[0] - a) / (r[1] - r[0]);
    }
    return -2 * VALIDATE_PI * a * a * a * sum / frame->cells[0];
}

static void ring_measure(const fr_frame *frame, const ring_flow *flow, ring_result *out)
{
    double worst = 0, fastest = 0, squares = 0, area = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++) {
            double r, speed = ring_speed(frame, i, j, &r), exact = flow->exact(r), cell = validate_area(frame, i, j);
            double error = speed - exact;
            worst = fmax(worst, fabs(error));
            fastest = fmax(fastest, fabs(exact));
            squares += cell * error * error;
            area += cell;
        }
    out->greatest = worst / fastest;
    out->mean_square = sqrt(squares / area);
    out->torque = ring_torque(frame, flow);
}

static void ring_plot(const fr_frame *frame, const ring_flow *flow, validate_curve *profile, validate_curve *difference)
{
    for (int j = 0; j < frame->cells[1]; j++) {
        double r, speed = ring_speed(frame, 0, j, &r);
        if (profile)
            validate_point_add(profile, r, speed);
        if (difference)
            validate_point_add(difference, r, speed - flow->exact(r));
    }
}

/* Runs from rest until the flow is steady. The curves may be NULL. */
static fr_result ring_run(const validate_case *self, ring_flow *flow, const validate_river_kind *kind, int cells,
                          validate_curve *profile, validate_curve *difference, ring_result *out)
{
    fr_scene_def def = validate_river_scene(ring_map, flow, 4 * cells, cells);
    const fr_force_def push = {.value = {.function = ring_push, .context = flow}};
    validate_river_set_kind(&def, kind);
    def.fluid.viscosity = flow->viscosity;
    def.river.sides[FR_BOTTOM].speed.value = flow->speed;
    def.forces = &push;
    def.force_count = flow->pushed;
    def.time = (fr_time_def){.duration = 6, .fps = 2};
    validate_river_repeat(&def, 0);
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    out->steady = (validate_steady){.change = 1e-5, .cap = def.time.duration};
    fr_result result = validate_run_steady(world, self->name, &out->steady);
    if (result == FR_OK) {
        ring_measure(fr_world_frame(world), flow, out);
        ring_plot(fr_world_frame(world), flow, profile, difference);
    }
    fr_world_destroy(world);
    return result;
}

static void ring_marks(validate_record *record, const ring_flow *flow)
{
    validate_curve *marks = validate_curve_add(record, true, "exact");
    for (int j = 0; j <= 20; j++) {
        double r = flow->inner + (flow->outer - flow->inner) * j / 20;
        validate_point_add(marks, r, flow->exact(r));
    }
}

/* Runs every scheme on its grids. */
static fr_result ring_runs(const validate_case *self, ring_flow *flow, validate_record *record,
                           ring_result results[VALIDATE_RIVER_KINDS][RING_GRIDS])
{
    validate_curve *profiles[VALIDATE_RIVER_KINDS], *differences[RING_GRIDS];
    validate_panel_add(record, "speed across the ring, 32 cells (lines) and exact (marks)", "radius",
                       "speed round the ring");
    for (int n = 0; n < VALIDATE_RIVER_KINDS; n++)
        profiles[n] = validate_curve_add(record, false, "%s", validate_river_kinds[n].name);
    ring_marks(record, flow);
    validate_panel_add(record, "difference to the exact speed, scheme flux", "radius", "difference");
    for (int g = 0; g < RING_GRIDS; g++)
        differences[g] = validate_curve_add(record, false, "%d cells", RING_COARSEST << g);
    for (int n = 0; n < VALIDATE_RIVER_KINDS; n++)
        for (int g = 0; g < ring_grids(&validate_river_kinds[n]); g++)
            FR_TRY(ring_run(self, flow, &validate_river_kinds[n], RING_COARSEST << g,
                            g == RING_JUDGED ? profiles[n] : NULL,
                            validate_river_kinds[n].judged ? differences[g] : NULL, &results[n][g]));
    validate_note_steady(record, &results[0][RING_GRIDS - 1].steady);
    validate_note(record, "cells are those across the ring, with four times as many round it; steps as the program "
                          "chooses them; speeds are "
                          "compared at the means of a cell's corners, which lie nearer to the axis than the middles of "
                          "the arcs between them");
    validate_note(record, "classic is reported only: its 20 sweeps leave viscosity undone, the more so the finer the "
                          "grid; with 1000 it is of first order, "
                          "because a bank holds the cells beyond it, half a cell away");
    return FR_OK;
}

typedef double (*ring_error)(const ring_result *result);
static double ring_greatest(const ring_result *result) { return result->greatest; }
static double ring_mean_square(const ring_result *result) { return result->mean_square; }

/* Reports the errors on the grids and their orders. The error on the middle grid is judged if there is a limit. */
static void ring_judge(validate_record *record, const validate_river_kind *kind, const ring_result results[RING_GRIDS],
                       const char *name, ring_error error, double limit)
{
    bool judged = kind->judged && limit > 0;
    for (int g = 0; g < ring_grids(kind); g++) {
        validate_row row = {.measured = error(&results[g]), .published = NAN, .rule = VALIDATE_REPORT};
        if (judged && g == RING_JUDGED)
            row = (validate_row){.measured = row.measured, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = limit};
        validate_row_add(record, row, "%s: %s, %d cells", kind->name, name, RING_COARSEST << g);
    }
    for (int g = 0; g + 1 < ring_grids(kind); g++) {
        validate_row row = {.measured = validate_order(error(&results[g]), error(&results[g + 1])),
                            .published = NAN,
                            .rule = VALIDATE_REPORT};
        if (judged)
            row = (validate_row){.measured = row.measured, .published = 2, .rule = VALIDATE_AT_LEAST, .limit = 1.9};
        validate_row_add(record, row, "%s: order, %d to %d cells", kind->name, RING_COARSEST << g,
                         RING_COARSEST << (g + 1));
    }
}

static const char ring_greatest_name[] = "greatest error over the greatest speed",
                  ring_square_name[] = "root of the mean square of the error, m/s";

fr_result validate_river_couette(const validate_case *self, validate_record *record)
{
    ring_flow flow = {.inner = 0.25, .outer = 0.5, .viscosity = 0.05, .speed = 0.25, .exact = ring_couette};
    ring_result results[VALIDATE_RIVER_KINDS][RING_GRIDS];
    FR_TRY(ring_runs(self, &flow, record, results));
    for (int n = 0; n < VALIDATE_RIVER_KINDS; n++)
        ring_judge(record, &validate_river_kinds[n], results[n], ring_greatest_name, ring_greatest, 1e-3);
    const double torque = 4 * VALIDATE_PI / 12;   /* 4π B with B = 1/12 */
    validate_row_add(
        record,
        (validate_row){
            .measured = results[0][RING_JUDGED].torque, .published = torque, .rule = VALIDATE_RELATIVE, .limit = 0.01},
        "flux: torque on the inner cylinder over density and viscosity, 32 cells");
    return FR_OK;
}

fr_result validate_river_dean(const validate_case *self, validate_record *record)
{
    ring_flow flow = {.inner = 1, .outer = 2, .viscosity = 0.5, .pushed = true, .exact = ring_dean};
    ring_result results[VALIDATE_RIVER_KINDS][RING_GRIDS];
    FR_TRY(ring_runs(self, &flow, record, results));
    for (int n = 0; n < VALIDATE_RIVER_KINDS; n++)
        ring_judge(record, &validate_river_kinds[n], results[n], ring_square_name, ring_mean_square, 2e-3);
    ring_judge(record, &validate_river_kinds[0], results[0], ring_greatest_name, ring_greatest, 0);
    validate_note(record, "driven by a force that stands for the fall of pressure round the ring: a pressure cannot "
                          "fall all the way round");
    return FR_OK;
}
