/* Rivers on bent grids, where the flow is known exactly: between cylinders (Taylor 1923), round a curved channel (Dean 1928), through a
   throat (Bernoulli), and a uniform one, which no grid may disturb. */
#include "validate.h"

#include <math.h>
#include <stdlib.h>

const validate_river_scheme validate_river_schemes[VALIDATE_RIVER_SCHEMES] = {{"flux", FR_RIVER_FLUX, true}, {"classic", FR_RIVER_CLASSIC, false}};

static fr_scene_def river_scene(fr_function map, void *context, int ns, int nt)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_RIVER);
    def.name = "validate";
    def.fluid.density = 1;
    def.river.cells[0] = ns;
    def.river.cells[1] = nt;
    def.river.grid = map;
    def.river.grid_context = context;
    return def;
}

static void river_repeat(fr_scene_def *def, int axis)
{
    def->river.sides[2 * axis].kind = def->river.sides[2 * axis + 1].kind = FR_RIVER_PERIODIC;
}

static double river_velocity(const fr_frame *frame, int axis, int i, int j, int k)
{
    static const char *const names[3] = {"u", "v", "w"};
    return validate_value(fr_frame_field(frame, names[axis]), i, j, k);
}

/* Rings: s goes round, t outwards. */
typedef struct ring_flow {
    double inner, outer;            /* m */
    double viscosity;
    double speed;                   /* m/s of the inner bank */
    bool pushed;                    /* by a force 2ν/r round the ring */
    double (*exact)(double r);      /* m/s round the ring */
} ring_flow;

enum { RING_GRIDS = 3, RING_COARSEST = 16, RING_JUDGED = 1 };

static fr_result ring_map(void *context, const double *args, double *out)
{
    const ring_flow *flow = context;
    double angle = 2 * VALIDATE_PI * args[0], r = flow->inner + (flow->outer - flow->inner) * args[1];
    out[0] = r * cos(angle);
    out[1] = r * sin(angle);
    out[2] = 0;
    return FR_OK;
}

/* A pressure that falls steadily round a ring cannot close on itself; its gradient can act as a force. */
static fr_result ring_push(void *context, const double *args, double *out)
{
    const ring_flow *flow = context;
    double square = args[0] * args[0] + args[1] * args[1];
    out[0] = -2 * flow->viscosity * args[1] / square;
    out[1] = 2 * flow->viscosity * args[0] / square;
    out[2] = 0;
    return FR_OK;
}

/* A r + B/r, the inner cylinder of radius 1/4 turning once per 2π s, the outer one of radius 1/2 at rest. */
static double ring_couette(double r)
{
    const double a = 0.25, b = 0.5;
    return a * a / (b * b - a * a) * (b * b / r - r);
}

/* r ln r + C r + D/r, times −1 as the force is 2ν/r, between radii 1 and 2. */
static double ring_dean(double r)
{
    const double a = 1, b = 2, C = -(b * b * log(b) - a * a * log(a)) / (b * b - a * a), D = a * a * b * b * log(b / a) / (b * b - a * a);
    return -(r * log(r) + C * r + D / r);
}

typedef struct ring_result {
    double greatest;                /* error of the speed round the ring, over the greatest speed */
    double mean_square;             /* m/s, root of the mean over the area */
    double torque;                  /* on the inner bank, over density and viscosity; m² */
    validate_steady steady;
} ring_result;

static double ring_speed(const fr_frame *frame, int i, int j, double *r)
{
    double at[3];
    validate_place(frame, fr_frame_field(frame, "u"), (int64_t[3]){i, j, 0}, at);
    *r = hypot(at[0], at[1]);
    return (river_velocity(frame, 1, i, j, 0) * at[0] - river_velocity(frame, 0, i, j, 0) * at[1]) / *r;
}

/* 2π a³ d(u/r)/dr at the bank, from u/r there and in the two cells beside it. */
static double ring_torque(const fr_frame *frame, const ring_flow *flow)
{
    double sum = 0, a = flow->inner;
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
            double r, error = ring_speed(frame, i, j, &r) - flow->exact(r), cell = validate_area(frame, i, j);
            worst = fmax(worst, fabs(error));
            fastest = fmax(fastest, fabs(flow->exact(r)));
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

/* From rest until it is steady. The curves may be NULL. */
static fr_result ring_run(const validate_case *self, ring_flow *flow, fr_river_scheme scheme, int cells, validate_curve *profile, validate_curve *difference,
                          ring_result *out)
{
    fr_scene_def def = river_scene(ring_map, flow, 4 * cells, cells);
    const fr_force_def push = {.value = {.function = ring_push, .context = flow}};
    def.river.scheme = scheme;
    def.fluid.viscosity = flow->viscosity;
    def.river.sides[FR_BOTTOM].speed.value = flow->speed;
    def.forces = &push;
    def.force_count = flow->pushed;
    def.time = (fr_time_def){.duration = 6, .fps = 2};
    river_repeat(&def, 0);
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

/* Both schemes on three grids. */
static fr_result ring_runs(const validate_case *self, ring_flow *flow, validate_record *record, ring_result results[VALIDATE_RIVER_SCHEMES][RING_GRIDS])
{
    validate_curve *profiles[VALIDATE_RIVER_SCHEMES], *differences[RING_GRIDS];
    validate_panel_add(record, "speed across the ring, 32 cells (lines) and exact (marks)", "radius", "speed round the ring");
    for (int n = 0; n < VALIDATE_RIVER_SCHEMES; n++)
        profiles[n] = validate_curve_add(record, false, "%s", validate_river_schemes[n].name);
    ring_marks(record, flow);
    validate_panel_add(record, "difference to the exact speed, scheme flux", "radius", "difference");
    for (int g = 0; g < RING_GRIDS; g++)
        differences[g] = validate_curve_add(record, false, "%d cells", RING_COARSEST << g);
    for (int n = 0; n < VALIDATE_RIVER_SCHEMES; n++)
        for (int g = 0; g < RING_GRIDS; g++)
            FR_TRY(ring_run(self, flow, validate_river_schemes[n].scheme, RING_COARSEST << g, g == RING_JUDGED ? profiles[n] : NULL,
                            validate_river_schemes[n].judged ? differences[g] : NULL, &results[n][g]));
    validate_note_steady(record, &results[0][RING_GRIDS - 1].steady);
    validate_note(record, "16, 32 and 64 cells across the ring, four times as many round it; steps as the program chooses them; scheme classic makes 80 and 20 "
                          "sweeps and is reported only");
    return FR_OK;
}

/* The error that is judged, the other one and orders. */
static void ring_judge(validate_record *record, ring_result results[VALIDATE_RIVER_SCHEMES][RING_GRIDS], bool by_greatest, double limit)
{
    static const char *const judged[2] = {"root of the mean square of the error, m/s", "greatest error over the greatest speed"};
    for (int n = 0; n < VALIDATE_RIVER_SCHEMES; n++) {
        const validate_river_scheme *scheme = &validate_river_schemes[n];
        double errors[RING_GRIDS];
        for (int g = 0; g < RING_GRIDS; g++) {
            const ring_result *r = &results[n][g];
            errors[g] = by_greatest ? r->greatest : r->mean_square;
            validate_rule rule = scheme->judged && g == RING_JUDGED ? VALIDATE_AT_MOST : VALIDATE_REPORT;
            validate_row_add(record, (validate_row){.measured = errors[g], .published = NAN, .rule = rule, .limit = limit}, "%s: %s, %d cells", scheme->name,
                             judged[by_greatest], RING_COARSEST << g);
            validate_report(record, by_greatest ? r->mean_square : r->greatest, NAN, "%s: %s, %d cells", scheme->name, judged[!by_greatest], RING_COARSEST << g);
        }
        for (int g = 0; g + 1 < RING_GRIDS; g++) {
            validate_row row = {.measured = validate_order(errors[g], errors[g + 1]), .published = 2,
                                .rule = scheme->judged ? VALIDATE_AT_LEAST : VALIDATE_REPORT, .limit = 1.9};
            if (!scheme->judged)
                row.published = NAN;
            validate_row_add(record, row, "%s: order, %d to %d cells", scheme->name, RING_COARSEST << g, RING_COARSEST << (g + 1));
        }
    }
}

fr_result validate_river_couette(const validate_case *self, validate_record *record)
{
    ring_flow flow = {.inner = 0.25, .outer = 0.5, .viscosity = 0.05, .speed = 0.25, .exact = ring_couette};
    ring_result results[VALIDATE_RIVER_SCHEMES][RING_GRIDS];
    FR_TRY(ring_runs(self, &flow, record, results));
    ring_judge(record, results, true, 1e-3);
    const double torque = 4 * VALIDATE_PI / 12;   /* 4π B with B = 1/12 */
    for (int n = 0; n < VALIDATE_RIVER_SCHEMES; n++) {
        const validate_river_scheme *scheme = &validate_river_schemes[n];
        validate_row row = {.measured = results[n][RING_JUDGED].torque, .published = torque,
                            .rule = scheme->judged ? VALIDATE_RELATIVE : VALIDATE_REPORT, .limit = 0.01};
        validate_row_add(record, row, "%s: torque on the inner cylinder over density and viscosity, 32 cells", scheme->name);
    }
    return FR_OK;
}

fr_result validate_river_dean(const validate_case *self, validate_record *record)
{
    ring_flow flow = {.inner = 1, .outer = 2, .viscosity = 0.5, .pushed = true, .exact = ring_dean};
    ring_result results[VALIDATE_RIVER_SCHEMES][RING_GRIDS];
    FR_TRY(ring_runs(self, &flow, record, results));
    ring_judge(record, results, false, 2e-3);
    validate_note(record, "driven by a force that stands for the fall of pressure round the ring: a pressure cannot fall all the way round");
    return FR_OK;
}

/* A channel 9 long and 1 wide, half as wide for so long that the flow is even there. */
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

enum { THROAT_FINEST = 360, THROAT_GRIDS = 2, THROAT_PLACES = 3 };
static const double throat_places[THROAT_PLACES] = {1, 4.5, 8};   /* before, within, behind */

/* Means over a cross-section of cells. */
typedef struct throat_section {
    double speed, pressure;
} throat_section;

static throat_section throat_mean(const fr_frame *frame, int i)
{
    throat_section mean = {0, 0};
    const fr_field *pressure = fr_frame_field(frame, "pressure");
    for (int j = 0; j < frame->cells[1]; j++) {
        mean.speed += river_velocity(frame, 0, i, j, 0) / frame->cells[1];
        mean.pressure += validate_value(pressure, i, j, 0) / frame->cells[1];
    }
    return mean;
}

/* Greatest difference of what flows through two cross-sections, over what flows in. The flow through each is that through the one before
   it less what is lost in the cells between. */
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

static void throat_plot(const fr_frame *frame, validate_curve *speed, validate_curve *pressure)
{
    for (int i = 0; i < frame->cells[0]; i++) {
        throat_section mean = throat_mean(frame, i);
        validate_point_add(speed, 9 * (i + 0.5) / frame->cells[0], mean.speed);
        validate_point_add(pressure, 9 * (i + 0.5) / frame->cells[0], mean.pressure);
    }
}

static fr_result throat_run(const validate_case *self, fr_river_scheme scheme, int cells, validate_curve *speed, validate_curve *pressure, throat_result *out)
{
    fr_scene_def def = river_scene(throat_map, NULL, cells, cells * 2 / 15);
    def.river.scheme = scheme;
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
        const fr_frame *frame = fr_world_frame(world);
        for (int p = 0; p < THROAT_PLACES; p++)
            out->at[p] = throat_mean(frame, (int)(throat_places[p] / 9 * cells));
        out->middle = river_velocity(frame, 0, cells / 2, frame->cells[1] / 2, 0);
        out->spread = throat_spread(world);
        if (speed)
            throat_plot(frame, speed, pressure);
    }
    fr_world_destroy(world);
    return result;
}

/* Published rows: judged where the scheme is, else reported beside the same numbers. */
static void throat_judge(validate_record *record, const validate_river_scheme *scheme, const throat_result *r, int cells)
{
    double before = r->at[0].speed;
    validate_row rows[] = {
        {.measured = r->at[1].speed / before, .published = 2, .rule = VALIDATE_WITHIN, .limit = 0.02},
        {.measured = r->middle / before, .published = 2, .rule = VALIDATE_WITHIN, .limit = 0.02},
        {.measured = (r->at[0].pressure - r->at[1].pressure) / (before * before), .published = 1.5, .rule = VALIDATE_RELATIVE, .limit = 0.05},
        {.measured = r->spread, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 1e-6},
        {.measured = (r->at[0].pressure - r->at[2].pressure) / (0.5 * before * before), .published = NAN, .rule = VALIDATE_REPORT},
    };
    static const char *const names[] = {"mean speed in the throat over that before it", "speed in its middle over the mean before it",
                                        "fall of pressure into the throat, over density times the square of the speed",
                                        "greatest difference of the flow through two cross-sections, over the inflow",
                                        "pressure lost to behind the throat, over half the density times the square"};
    for (int n = 0; n < 5; n++) {
        if (!scheme->judged)
            rows[n].rule = VALIDATE_REPORT;
        validate_row_add(record, rows[n], "%s, %d cells: %s", scheme->name, cells, names[n]);
    }
}

/* The mean flow where the channel is even: u = 1/w, p = (1 − u²)/2. */
static void throat_marks(validate_curve *speed, validate_curve *pressure)
{
    for (int n = 0; n <= 36; n++) {
        double x = n / 4.0, u = 1 / throat_width(x);
        validate_point_add(speed, x, u);
        validate_point_add(pressure, x, 0.5 * (1 - u * u));
    }
}

fr_result validate_river_throat(const validate_case *self, validate_record *record)
{
    validate_curve *speed[VALIDATE_RIVER_SCHEMES + 1], *pressure[VALIDATE_RIVER_SCHEMES + 1];
    validate_panel_add(record, "mean speed along the channel", "x", "speed");
    for (int n = 0; n <= VALIDATE_RIVER_SCHEMES; n++)
        speed[n] = validate_curve_add(record, n == VALIDATE_RIVER_SCHEMES, "%s", n < VALIDATE_RIVER_SCHEMES ? validate_river_schemes[n].name : "flow over width");
    validate_panel_add(record, "mean pressure along the channel", "x", "pressure over density");
    for (int n = 0; n <= VALIDATE_RIVER_SCHEMES; n++)
        pressure[n] = validate_curve_add(record, n == VALIDATE_RIVER_SCHEMES, "%s", n < VALIDATE_RIVER_SCHEMES ? validate_river_schemes[n].name : "Bernoulli");
    throat_marks(speed[VALIDATE_RIVER_SCHEMES], pressure[VALIDATE_RIVER_SCHEMES]);
    for (int n = 0; n < VALIDATE_RIVER_SCHEMES; n++)
        for (int cells = THROAT_FINEST >> (THROAT_GRIDS - 1); cells <= THROAT_FINEST; cells *= 2) {
            throat_result result;
            bool finest = cells == THROAT_FINEST;
            FR_TRY(throat_run(self, validate_river_schemes[n].scheme, cells, finest ? speed[n] : NULL, finest ? pressure[n] : NULL, &result));
            throat_judge(record, &validate_river_schemes[n], &result, cells);
        }
    validate_note(record, "a channel 9 long and 1 wide, 0.5 wide from x = 3.5 to 5.5, with banks that slip; water comes in at a speed of 1, without viscosity; at t = 9");
    validate_note(record, "180 x 24 and 360 x 48 cells; lines in the plot are those of the finer grid; where the width changes, the flow is not even "
                          "over a cross-section and means need not follow the marks");
    return FR_OK;
}

static fr_result bent_map(void *context, const double *args, double *out)
{
    double bend = *(const double *)context, s = 2 * VALIDATE_PI * args[0], t = 2 * VALIDATE_PI * args[1], r = 2 * VALIDATE_PI * args[2];
    out[0] = args[0] + bend * sin(s) * sin(t) + 0.2 * bend * sin(t + r);
    out[1] = args[1] + 0.8 * bend * sin(s + t);
    out[2] = args[2] + 0.8 * bend * sin(t + r);
    if (bend < 0)
        out[0] = -out[0];
    return FR_OK;
}

fr_scene_def validate_river_bent(int dims, int cells, double *bend)
{
    fr_scene_def def = river_scene(bent_map, bend, cells, cells);
    for (int a = 0; a < dims; a++) {
        def.river.cells[a] = cells;
        river_repeat(&def, a);
    }
    return def;
}

static const double stream_flow[3] = {1, 0.5, -0.75};

/* Greatest difference of a component of the velocity to what it was at the start. */
static double stream_error(const fr_frame *frame)
{
    double worst = 0;
    for (int a = 0; a < frame->dims; a++)
        for (int k = 0; k < frame->cells[2]; k++)
            for (int j = 0; j < frame->cells[1]; j++)
                for (int i = 0; i < frame->cells[0]; i++)
                    worst = fmax(worst, fabs(river_velocity(frame, a, i, j, k) - stream_flow[a]));
    return worst;
}

static fr_result stream_run(const validate_case *self, int dims, double bend, fr_river_scheme scheme, validate_curve *curve, double *worst)
{
    fr_scene_def def = validate_river_bent(dims, dims == 3 ? 16 : 32, &bend);
    def.river.scheme = scheme;
    def.has_initial_velocity = true;
    for (int a = 0; a < dims; a++)
        def.initial_velocity.value[a] = stream_flow[a];
    def.time = (fr_time_def){.duration = 2, .fps = 10};
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = FR_OK;
    *worst = stream_error(fr_world_frame(world));
    while (result == FR_OK && fr_world_time(world) < def.time.duration - 1e-6) {
        if ((result = validate_frame(world, self->name)) != FR_OK)
            break;
        double error = stream_error(fr_world_frame(world));
        *worst = fmax(*worst, error);
        if (curve)
            validate_point_add(curve, fr_world_time(world), error);
    }
    fr_world_destroy(world);
    return result;
}

fr_result validate_river_free_stream(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "greatest difference of a velocity to the uniform one, scheme flux", "time", "difference");
    for (int n = 0; n < VALIDATE_RIVER_SCHEMES; n++)
        for (int dims = 2; dims <= 3; dims++)
            for (int mirrored = 0; mirrored <= 1; mirrored++) {
                const validate_river_scheme *scheme = &validate_river_schemes[n];
                const char *grid = mirrored ? "mirrored" : "bent";
                validate_curve *curve = scheme->judged ? validate_curve_add(record, false, "%dD, %s", dims, grid) : NULL;
                double worst;
                FR_TRY(stream_run(self, dims, mirrored ? -0.1 : 0.1, scheme->scheme, curve, &worst));
                validate_row row = {.measured = worst, .published = NAN, .rule = scheme->judged ? VALIDATE_AT_MOST : VALIDATE_REPORT, .limit = 1e-6};
                validate_row_add(record, row, "%s, %dD, %s grid: greatest difference of a velocity, m/s", scheme->name, dims, grid);
            }
    validate_note(record, "32 x 32 and 16 x 16 x 16 cells that repeat, flow (1, 0.5) and (1, 0.5, -0.75), t = 0 to 2; fields are kept in single precision, of "
                          "which a unit in the last place is 1.2e-7");
    return FR_OK;
}
