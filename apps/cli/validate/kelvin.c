/* Kelvin's theorem: without viscosity the circulation Γ = ∮ u·dl of a material loop is constant. Two equal vortices,
   u = Γ/(2πr)(1 − exp(−r²/a²)), orbit each other in a closed box with slip walls. The loop starts as a circle in the
   outer part of one vortex, is strained by the other and wound up. Its points move by the classical Runge–Kutta method
   over two frames: slopes at the start, twice in the middle, at the end. */
#include "validate/validate.h"

#include <math.h>
#include <stdlib.h>

enum { LOOP_POINTS = 2000, KELVIN_CELLS = 128 };

static fr_result kelvin_start(void *context, const double *args, double *out)
{
    (void)context;
    const double core = 0.07;
    out[0] = out[1] = out[2] = 0;
    for (int v = 0; v < 2; v++) {
        double x = args[0] - (v ? 0.7 : 0.3), y = args[1] - 0.5, square = x * x + y * y;
        double swirl = square > 0 ? -expm1(-square / (core * core)) / (2 * VALIDATE_PI * square) : 0;
        out[0] -= swirl * y;
        out[1] += swirl * x;
    }
    return FR_OK;
}

typedef double kelvin_loop[LOOP_POINTS][2];

static fr_result kelvin_flow(fr_world *world, kelvin_loop points, kelvin_loop flow)
{
    for (int i = 0; i < LOOP_POINTS; i++) {
        double at[3] = {points[i][0], points[i][1], 0};
        FR_TRY(fr_world_probe(world, "u", at, &flow[i][0]));
        FR_TRY(fr_world_probe(world, "v", at, &flow[i][1]));
    }
    return FR_OK;
}

static void kelvin_move(kelvin_loop from, kelvin_loop flow, double dt, kelvin_loop to)
{
    for (int i = 0; i < LOOP_POINTS; i++)
        for (int a = 0; a < 2; a++)
            to[i][a] = from[i][a] + dt * flow[i][a];
}

/* The trapezoidal rule along the loop. */
static double kelvin_circulation(kelvin_loop points, kelvin_loop flow)
{
    double sum = 0;
    for (int i = 0; i < LOOP_POINTS; i++) {
        int next = (i + 1) % LOOP_POINTS;
        for (int a = 0; a < 2; a++)
            sum += 0.5 * (flow[i][a] + flow[next][a]) * (points[next][a] - points[i][a]);
    }
    return sum;
}

typedef struct kelvin_work {
    kelvin_loop points, moved, slopes[4];
} kelvin_work;

/* Advances the loop by two frames. On entry and on return `slopes[0]` is the velocity at its points. */
static fr_result kelvin_advance(fr_world *world, const validate_case *self, kelvin_work *work)
{
    double frame = 1 / 100.0;
    kelvin_move(work->points, work->slopes[0], frame, work->moved);
    FR_TRY(validate_frame(world, self->name));
    FR_TRY(kelvin_flow(world, work->moved, work->slopes[1]));
    kelvin_move(work->points, work->slopes[1], frame, work->moved);
    FR_TRY(kelvin_flow(world, work->moved, work->slopes[2]));
    kelvin_move(work->points, work->slopes[2], 2 * frame, work->moved);
    FR_TRY(validate_frame(world, self->name));
    FR_TRY(kelvin_flow(world, work->moved, work->slopes[3]));
    static const double weights[4] = {1 / 6.0, 2 / 6.0, 2 / 6.0, 1 / 6.0};
    for (int s = 0; s < 4; s++)
        kelvin_move(work->points, work->slopes[s], 2 * frame * weights[s], work->points);
    return kelvin_flow(world, work->points, work->slopes[0]);
}

/* Records Γ over time relative to its start; returns the largest change. */
static fr_result kelvin_follow(fr_world *world, const validate_case *self, kelvin_work *work, validate_curve *curve,
                               double *change)
{
    for (int i = 0; i < LOOP_POINTS; i++) {
        double angle = 2 * VALIDATE_PI * i / LOOP_POINTS;
        work->points[i][0] = 0.3 + 0.1 * cos(angle);
        work->points[i][1] = 0.5 + 0.1 * sin(angle);
    }
    FR_TRY(kelvin_flow(world, work->points, work->slopes[0]));
    double start = kelvin_circulation(work->points, work->slopes[0]);
    *change = 0;
    validate_point_add(curve, 0, 1);
    while (fr_world_frame_index(world) < fr_world_frame_count(world)) {
        FR_TRY(kelvin_advance(world, self, work));
        double ratio = kelvin_circulation(work->points, work->slopes[0]) / start;
        validate_point_add(curve, fr_world_time(world), ratio);
        *change = fmax(*change, fabs(ratio - 1));
    }
    return FR_OK;
}

static fr_result kelvin_scheme(const validate_case *self, fr_advection scheme, validate_curve *curve, double *change)
{
    fr_scene_def def = validate_box(2, 1, KELVIN_CELLS, FR_WALL_FREE_SLIP);
    def.time = (fr_time_def){.duration = 1, .fps = 100};
    def.smoke.advection = scheme;
    def.has_initial_velocity = true;
    def.initial_velocity.function = kelvin_start;
    kelvin_work *work = malloc(sizeof *work);
    if (!work)
        return fr_fail(FR_ERROR_MEMORY, "no memory for a loop of %d points", LOOP_POINTS);
    fr_world *world = NULL;
    fr_result result = fr_world_create(&def, &world);
    if (result == FR_OK)
        result = kelvin_follow(world, self, work, curve, change);
    fr_world_destroy(world);
    free(work);
    return result;
}

fr_result validate_kelvin(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "circulation of the loop", "time", "circulation over that at the start");
    for (int s = 0; s < validate_scheme_count; s++) {
        double change = 0;
        validate_curve *curve = validate_curve_add(record, false, "%s", validate_schemes[s].name);
        FR_TRY(kelvin_scheme(self, validate_schemes[s].advection, curve, &change));
        validate_row row = {.measured = change, .published = 0};
        if (validate_schemes[s].advection == VALIDATE_BEST)
            row = (validate_row){.measured = change, .published = 0, .rule = VALIDATE_AT_MOST, .limit = 0.01};
        validate_row_add(record, row, "%s: greatest relative change until t = 1", validate_schemes[s].name);
    }
    validate_note(record,
                  "%d x %d cells, no viscosity, loop of %d points; it turns three times and more, the pair a third "
                  "of a turn",
                  KELVIN_CELLS, KELVIN_CELLS, LOOP_POINTS);
    return FR_OK;
}
