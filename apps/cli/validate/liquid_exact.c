/* Liquids on a grid whose motion is known: low waves between periodic sides and between walls (Lighthill 1978), a pool
   at rest over a step, and a disc that falls. Every tracker is held to the same marks. */
#include "validate/validate.h"

#include <math.h>

static const double GRAVITY = 9.81;

/* A box of 1 m × `height` with liquid in a shape; `cells` along its longest side. Fills `liquid` in place. */
static void exact_make(validate_liquid *liquid, int tracker, double height, fr_shape_def shape, int cells)
{
    validate_liquid_make(liquid, 2, (double[3]){1, height, 0}, (double[3]){0}, (double[3]){1, 1, 0}, 1);
    liquid->shape = shape;
    validate_liquid_on_grid(liquid, validate_trackers[tracker].surface, cells);
    liquid->def.gravity[1] = -GRAVITY;
}

static void exact_judge(validate_record *record, validate_rule rule, double measured, double limit, const char *what,
                        int tracker)
{
    validate_row row = {.measured = measured, .published = NAN, .rule = rule, .limit = limit};
    validate_row_add(record, row, "%s: %s", validate_trackers[tracker].name, what);
}

/* Waves. */

static const double WAVE_DEPTH = 0.5, WAVE_HEIGHT = 0.02; /* m */

static fr_result wave_distance(void *context, const double *args, double *out)
{
    double k = *(const double *)context, slope = WAVE_HEIGHT * k * sin(k * args[0]);
    *out = (args[1] - WAVE_DEPTH - WAVE_HEIGHT * cos(k * args[0])) / sqrt(1 + slope * slope);
    return FR_OK;
}

/* The height of the highest surface in a column of cells, m. */
static double exact_height(const fr_frame *frame, int i)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    for (int j = frame->cells[1] - 2; j >= 0; j--) {
        double low = validate_value(phi, i, j, 0), high = validate_value(phi, i, j + 1, 0);
        if (low < 0 && high >= 0)
            return frame->spacing[1] * (j + 0.5 + low / (low - high));
    }
    return NAN;
}

static double wave_amplitude(const fr_frame *frame, double k)
{
    double sum = 0;
    for (int i = 0; i < frame->cells[0]; i++)
        sum += 2 * exact_height(frame, i) * cos(k * (i + 0.5) * frame->spacing[0]) / frame->cells[0];
    return sum / WAVE_HEIGHT;
}

/* The period from the first and the last zero, and what is left of the amplitude after three of them: the largest
   within the last half period, over the first one. */
static void wave_judge(validate_record *record, int tracker, const validate_curve *curve, double period)
{
    double first = NAN, last = NAN, kept = 0;
    int zeros = 0;
    for (int n = 1; n < curve->count; n++) {
        double before = curve->y[n - 1], now = curve->y[n];
        if (before * now < 0) {
            last = curve->x[n] - (curve->x[n] - curve->x[n - 1]) * now / (now - before);
            first = zeros++ ? first : last;
        }
        if (curve->x[n] > 2.75 * period && curve->x[n] < 3.25 * period)
            kept = fmax(kept, now / curve->y[0]);
    }
    validate_row row = {
        .measured = 2 * (last - first) / (zeros - 1), .published = period, .rule = VALIDATE_RELATIVE, .limit = 0.01};
    validate_row_add(record, row, "%s: period, in s", validate_trackers[tracker].name);
    exact_judge(record, VALIDATE_AT_LEAST, kept, 0.9, "share of the amplitude after three periods", tracker);
}

static fr_result wave_follow(const validate_case *self, fr_scene_def *def, double k, validate_curve *curve)
{
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = FR_OK;
    for (int f = 0; f <= fr_world_frame_count(world) && result == FR_OK; f++) {
        result = f > 0 ? validate_frame(world, self->name) : FR_OK;
        validate_point_add(curve, fr_world_time(world), wave_amplitude(fr_world_frame(world), k));
    }
    fr_world_destroy(world);
    return result;
}

/* `number` is how many halves of a wave fit into the box: 2 between periodic sides, 1 between walls. */
fr_result validate_liquid_wave(const validate_case *self, validate_record *record)
{
    double k = self->number * VALIDATE_PI, period = 2 * VALIDATE_PI / sqrt(GRAVITY * k * tanh(k * WAVE_DEPTH));
    validate_panel_add(record, "amplitude of the surface", "time (s)", "amplitude");
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        fr_shape_def shape = fr_default_shape(FR_SHAPE_SDF);
        shape.function = wave_distance;
        shape.context = &k;
        validate_liquid water;
        exact_make(&water, t, 1, shape, self->cells);
        water.def.time = (fr_time_def){.duration = 3.3 * period, .fps = 60};
        if (self->number == 2)
            water.def.walls[FR_LEFT].kind = water.def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
        validate_curve *curve = validate_curve_add(record, false, "%s", validate_trackers[t].name);
        FR_TRY(wave_follow(self, &water.def, k, curve));
        wave_judge(record, t, curve, period);
    }
    validate_curve *exact = validate_curve_add(record, true, "low waves");
    for (int n = 0; n <= 33; n++)
        validate_point_add(exact, 0.1 * n * period, cos(2 * VALIDATE_PI * 0.1 * n));
    validate_note(record, "water %.2g m deep, waves %.2g m high on %d cells, walls slip, no viscosity", WAVE_DEPTH,
                  WAVE_HEIGHT, self->cells);
    return FR_OK;
}

/* Rest. */

/* The largest speed, m/s; how far the surface is from flat, rms in cells; and how far the pressure in the liquid is
   from the water's weight above it, as a share of that on the floor. */
static void rest_judge(validate_record *record, int tracker, const fr_frame *frame, double depth)
{
    const bool level_set = tracker < 2;
    const double h = frame->spacing[1];
    const fr_field *p = fr_frame_field(frame, "pressure"), *solid = fr_frame_field(frame, "solid");
    double speed = 0, square = 0, off = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++) {
            double deep = depth - (j + 0.5) * h;
            bool wet = deep > h && validate_value(solid, i, j, 0) > h;
            for (int a = 0; a < 2 && wet; a++)
                speed = fmax(speed, fabs(validate_velocity(frame, a, i, j, 0)));
            off = wet ? fmax(off, fabs(validate_value(p, i, j, 0) / (1000 * GRAVITY) - deep)) : off;
        }
    for (int i = 0; i < frame->cells[0]; i++)
        square += pow(exact_height(frame, i) - depth, 2) / frame->cells[0];
    exact_judge(record, VALIDATE_AT_MOST, speed, level_set ? 1e-4 : 2e-3, "largest speed, in m/s", tracker);
    exact_judge(record, VALIDATE_AT_MOST, sqrt(square) / h, level_set ? 1e-3 : 0.05, "surface, rms in cells", tracker);
    exact_judge(record, VALIDATE_AT_MOST, off / depth, 1e-3, "pressure, share of that on the floor", tracker);
}

fr_result validate_liquid_rest(const validate_case *self, validate_record *record)
{
    const double depth = 0.51;
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        fr_shape_def below = fr_default_shape(FR_SHAPE_BOX), step = fr_default_shape(FR_SHAPE_BOX);
        for (int a = 0; a < 3; a++) {
            below.min[a] = -1;
            below.max[a] = a == 1 ? depth : 2;
            step.min[a] = a == 0 ? 0.63 : -1;
            step.max[a] = a == 1 ? 0.27 : 2;
        }
        const fr_obstacle_def obstacle = {.shape.shape = &step};
        validate_liquid water;
        exact_make(&water, t, 0.75, below, self->cells);
        water.def.obstacles = &obstacle;
        water.def.obstacle_count = 1;
        water.def.time = (fr_time_def){.duration = 10, .fps = 0.1};
        fr_world *world;
        FR_TRY(fr_world_create(&water.def, &world));
        fr_result result = validate_frame(world, self->name);
        if (result == FR_OK)
            rest_judge(record, t, fr_world_frame(world), depth);
        fr_world_destroy(world);
        FR_TRY(result);
    }
    validate_note(record, "water %.2g m deep, over a step half as high, %d cells along 1 m, after 10 s", depth,
                  self->cells);
    return FR_OK;
}

/* Free fall. */

static const double FALL_RADIUS = 0.15, FALL_FROM = 1.7, FALL_TIME = 0.45; /* m, m, s */

/* The largest distance of the surface from where it should be, in cells: φ of cells beside it against the exact one. */
static double fall_off(const fr_frame *frame)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    const double h = frame->spacing[0], y = FALL_FROM - 0.5 * GRAVITY * FALL_TIME * FALL_TIME;
    double off = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++) {
            double exact = hypot((i + 0.5) * h - 0.5, (j + 0.5) * h - y) - FALL_RADIUS;
            off = fabs(exact) < h ? fmax(off, fabs(validate_value(phi, i, j, 0) - exact) / h) : off;
        }
    return off;
}

fr_result validate_liquid_fall(const validate_case *self, validate_record *record)
{
    for (int t = 0; t < VALIDATE_TRACKERS; t++) {
        fr_shape_def disc = fr_default_shape(FR_SHAPE_SPHERE);
        validate_liquid water;
        disc.radius = FALL_RADIUS;
        exact_make(&water, t, 2, disc, self->cells);
        water.fill.shape.at[0] = 0.5;
        water.fill.shape.at[1] = FALL_FROM;
        water.def.time = (fr_time_def){.duration = FALL_TIME, .fps = 1 / FALL_TIME};
        fr_world *world;
        FR_TRY(fr_world_create(&water.def, &world));
        fr_result result = validate_frame(world, self->name);
        if (result == FR_OK)
            exact_judge(record, VALIDATE_AT_MOST, fall_off(fr_world_frame(world)), 0.1,
                        "surface off its place, in cells", t);
        fr_world_destroy(world);
        FR_TRY(result);
    }
    validate_note(record, "a disc of radius %.2g m falls for %.2g s, %d cells along 2 m", FALL_RADIUS, FALL_TIME,
                  self->cells);
    return FR_OK;
}
