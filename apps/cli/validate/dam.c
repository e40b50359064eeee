/* Dam breaks: collapsing columns of water.

   Martin & Moyce 1952: a column of width a and height n²a, a = 2 1/4 in. Published are the front Z = x/a over
   T = n t √(g/a), and the remaining height at the back wall H = η/(n²a) over τ = t √(g/a). The membrane that held the
   water takes time to open, so the origin of T is unknown: the front may be shifted in time by up to 0.2, the height
   not at all. No front can be faster than Ritter's (1892) on a dry bed, x − a < 2 t √(g n²a). */
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double GRAVITY = 9.81;

typedef struct dam_point {
    double time, value;
} dam_point;

typedef struct dam_table {
    const dam_point *points;
    int count;
} dam_table;

#define DAM_TABLE(points)                                                                                              \
    {                                                                                                                  \
        points, sizeof(points) / sizeof(points)[0]                                                                     \
    }

static const dam_point square_front[] = {{0.43, 1.11}, {0.62, 1.22}, {0.80, 1.44}, {0.97, 1.67}, {1.14, 1.89},
                                         {1.29, 2.11}, {1.45, 2.33}, {1.62, 2.56}, {1.76, 2.78}, {1.93, 3.00},
                                         {2.07, 3.22}, {2.24, 3.44}, {2.40, 3.67}, {2.54, 3.89}, {2.71, 4.11},
                                         {2.87, 4.33}, {3.04, 4.56}, {3.21, 4.78}, {3.29, 4.89}, {3.32, 5.00}};
static const dam_point square_height[] = {{0, 1.00},    {0.80, 0.89}, {1.29, 0.78}, {1.74, 0.67},
                                          {2.15, 0.56}, {2.57, 0.44}, {3.08, 0.33}};
static const dam_point tall_front[] = {{0.41, 1.11}, {0.84, 1.22}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89},
                                       {1.83, 2.11}, {1.98, 2.33}, {2.20, 2.56}, {2.32, 2.78}, {2.51, 3.00},
                                       {2.65, 3.22}, {2.83, 3.44}, {2.98, 3.67}, {3.11, 3.89}, {3.33, 4.11}};
static const dam_point tall_height[] = {{0.56, 0.94}, {0.77, 0.89}, {0.93, 0.83}, {1.08, 0.78},
                                        {1.28, 0.72}, {1.46, 0.67}, {1.66, 0.61}, {1.84, 0.56},
                                        {2.00, 0.50}, {2.21, 0.44}, {2.45, 0.39}};

typedef struct dam_column {
    double times_high; /* n² */
    dam_table front, height;
} dam_column;

static const dam_column dam_columns[] = {{1, DAM_TABLE(square_front), DAM_TABLE(square_height)},
                                         {2, DAM_TABLE(tall_front), DAM_TABLE(tall_height)}};

/* dam_front: the largest x of the water. dam_height: its height at the back wall. Particles of SPH count as cubes. */
static double dam_front_of_particles(const fr_frame *frame)
{
    double most = 0;
    for (int64_t n = 0; n < frame->particle_count; n++)
        most = fmax(most, validate_particle(&frame->particles, n)[0]);
    return most + frame->particle_spacing / 2;
}

static double dam_height_of_particles(const fr_frame *frame)
{
    double most = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *x = validate_particle(&frame->particles, n);
        most = x[0] < 2 * frame->particle_spacing ? fmax(most, x[1]) : most;
    }
    return most + frame->particle_spacing / 2;
}

/* Where the surface crosses the line from a wet cell to its neighbour along an axis, m; 0: the cell is dry, or both
   are wet. */
static double dam_crossing(const fr_frame *frame, const fr_field *phi, const int64_t cell[3], int axis)
{
    int64_t next[3] = {cell[0], cell[1], cell[2]};
    double at[3], beside[3], here = validate_value(phi, cell[0], cell[1], cell[2]);
    if (here >= 0 || ++next[axis] == frame->cells[axis])
        return 0;
    double there = validate_value(phi, next[0], next[1], next[2]);
    validate_place(frame, phi, cell, at);
    validate_place(frame, phi, next, beside);
    return there < 0 ? 0 : at[axis] + (beside[axis] - at[axis]) * here / (here - there);
}

static double dam_front(const fr_frame *frame)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    if (!phi)
        return dam_front_of_particles(frame);
    double most = 0;
    for (int64_t j = 0; j < frame->cells[1]; j++)
        for (int64_t i = 0; i < frame->cells[0]; i++)
            most = fmax(most, dam_crossing(frame, phi, (int64_t[3]){i, j, 0}, 0));
    return most;
}

/* The water that hangs together with that in the lowest cell at the back wall. */
typedef struct dam_flood {
    const fr_frame *frame;
    const fr_field *phi;
    bool *seen;
    int64_t *cells; /* of it */
    int64_t count;
} dam_flood;

static void dam_flood_add(dam_flood *flood, int64_t i, int64_t j)
{
    const int64_t wide = flood->frame->cells[0], at = j * wide + i;
    if (i < 0 || j < 0 || i >= wide || j >= flood->frame->cells[1] || flood->seen[at] ||
        validate_value(flood->phi, i, j, 0) >= 0)
        return;
    flood->seen[at] = true;
    flood->cells[flood->count++] = at;
}

static double dam_flood_front(dam_flood *flood)
{
    const int64_t wide = flood->frame->cells[0];
    double most = 0;
    dam_flood_add(flood, 0, 0);
    for (int64_t n = 0; n < flood->count; n++) {
        const int64_t i = flood->cells[n] % wide, j = flood->cells[n] / wide;
        most = fmax(most, dam_crossing(flood->frame, flood->phi, (int64_t[3]){i, j, 0}, 0));
        for (int side = -1; side <= 1; side += 2) {
            dam_flood_add(flood, i + side, j);
            dam_flood_add(flood, i, j + side);
        }
    }
    return most;
}

/* How far water that has come off flies ahead of the rest, m. */
static double dam_ahead(const fr_frame *frame, double front)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    const size_t cells = (size_t)frame->cells[0] * (size_t)frame->cells[1];
    if (!phi)
        return 0;
    dam_flood flood = {frame, phi, calloc(cells, sizeof *flood.seen), calloc(cells, sizeof *flood.cells), 0};
    double ahead = flood.seen && flood.cells ? front - dam_flood_front(&flood) : NAN;
    free(flood.seen);
    free(flood.cells);
    return ahead;
}

static double dam_height(const fr_frame *frame)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    if (!phi)
        return dam_height_of_particles(frame);
    double most = 0;
    for (int64_t j = 0; j < frame->cells[1]; j++)
        most = fmax(most, dam_crossing(frame, phi, (int64_t[3]){0, j, 0}, 1));
    return most;
}

/* Linear interpolation of a curve. */
static double dam_between(const validate_curve *curve, double x)
{
    int i = 1;
    while (i < curve->count - 1 && curve->x[i] < x)
        i++;
    double share = (x - curve->x[i - 1]) / (curve->x[i] - curve->x[i - 1]);
    return curve->y[i - 1] + share * (curve->y[i] - curve->y[i - 1]);
}

/* RMS error of the curve, shifted by `shift`, against a table; of relative errors if `relative`. */
static double dam_misses(const validate_curve *curve, const dam_table *table, double shift, bool relative)
{
    double square = 0;
    for (int i = 0; i < table->count; i++) {
        const dam_point *point = &table->points[i];
        double error = dam_between(curve, fmax(0, point->time - shift)) - point->value;
        error /= relative ? point->value : 1;
        square += error * error;
    }
    return sqrt(square / table->count);
}

static double dam_best_shift(const validate_curve *curve, const dam_table *table)
{
    double best = 0;
    for (int i = -40; i <= 40; i++)
        if (dam_misses(curve, table, 0.005 * i, true) < dam_misses(curve, table, best, true))
            best = 0.005 * i;
    return best;
}

static void dam_marks(validate_record *record, const dam_table *table)
{
    validate_curve *marks = validate_curve_add(record, true, "Martin & Moyce");
    for (int i = 0; i < table->count; i++)
        validate_point_add(marks, table->points[i].time, table->points[i].value);
}

typedef struct dam_paths {
    validate_curve *front, *height;
    double ritter; /* largest ratio of the front's distance to Ritter's */
    double ahead;  /* farthest that drops were ahead of the rest, in a */
} dam_paths;

static fr_result dam_follow(fr_world *world, const validate_case *self, double a, dam_paths *paths)
{
    double n = sqrt(self->number), unit = sqrt(a / GRAVITY);
    for (int f = 0; f <= fr_world_frame_count(world); f++) {
        if (f > 0)
            FR_TRY(validate_frame(world, self->name));
        const fr_frame *frame = fr_world_frame(world);
        double front = dam_front(frame), tau = frame->time / unit;
        validate_point_add(paths->front, n * tau, front / a);
        validate_point_add(paths->height, tau, dam_height(frame) / (self->number * a));
        paths->ahead = fmax(paths->ahead, dam_ahead(frame, front) / a);
        if (f > 0)
            paths->ritter = fmax(paths->ritter, (front - a) / (2 * frame->time * sqrt(GRAVITY * self->number * a)));
    }
    return FR_OK;
}

/* One way to compute the collapse. */
typedef struct dam_try {
    const char *name;
    fr_liquid_surface surface; /* of a liquid on the grid */
    bool judged;
    dam_paths paths;
} dam_try;

static const double DAM_WIDTH = 0.05715;

/* The water of a case. */
static void dam_make(const validate_case *self, const dam_column *column, validate_liquid *water)
{
    const double a = DAM_WIDTH, tank[3] = {7 * a, (self->number + 0.5) * a, 0}, high[3] = {a, self->number * a, 0};
    validate_liquid_make(water, 2, tank, (double[3]){0}, high, a / self->cells);
    double unit = sqrt(a / GRAVITY),
           end = column->front.points[column->front.count - 1].time / sqrt(self->number) + 0.25;
    water->def.time = (fr_time_def){.duration = end * unit, .fps = 50 / unit};
}

/* Water that sticks to its walls: near the tip it is hardly thicker than the boundary layer on the floor, and without
   friction the front is as far ahead of the measured one as that of Ritter would be. */
static void dam_stick(fr_scene_def *def)
{
    def->fluid.viscosity = 1e-6;
    for (int side = 0; side < FR_SIDES; side++)
        def->walls[side].kind = FR_WALL_NO_SLIP;
}

static void dam_panels(validate_record *record, const dam_column *column, dam_try *tries, int count)
{
    validate_panel_add(record, "the front", "T = n t sqrt(g/a)", "Z = x/a");
    for (int i = 0; i < count; i++)
        tries[i].paths.front = validate_curve_add(record, false, "%s", tries[i].name);
    dam_marks(record, &column->front);
    validate_panel_add(record, "the height at the back wall", "tau = t sqrt(g/a)", "H = eta/(n^2 a)");
    for (int i = 0; i < count; i++)
        tries[i].paths.height = validate_curve_add(record, false, "%s", tries[i].name);
    dam_marks(record, &column->height);
}

/* `prefix` names the way where there are several. */
static void dam_judge(validate_record *record, const dam_column *column, const dam_try *one, double front_error,
                      const char *prefix)
{
    const dam_paths *paths = &one->paths;
    double shift = dam_best_shift(paths->front, &column->front);
    validate_row row = {.measured = dam_misses(paths->front, &column->front, shift, true),
                        .published = NAN,
                        .rule = one->judged ? VALIDATE_AT_MOST : VALIDATE_REPORT,
                        .limit = front_error};
    validate_row_add(record, row, "%sfront: root mean square of the relative error", prefix);
    row.measured = dam_misses(paths->height, &column->height, 0, false);
    row.limit = 0.03;
    validate_row_add(record, row, "%sheight at the back wall: root mean square of the error", prefix);
    row.measured = paths->ritter;
    row.limit = 1;
    validate_row_add(record, row, "%sgreatest share of Ritter's distance that the front has come", prefix);
    validate_report(record, shift, NAN, "%sshift of the front's beginning, in T", prefix);
}

fr_result validate_dam_front(const validate_case *self, validate_record *record)
{
    const dam_column *column = &dam_columns[self->number > 1];
    dam_try one = {.name = "freshet", .judged = true};
    validate_liquid water;
    dam_make(self, column, &water);
    dam_stick(&water.def);
    dam_panels(record, column, &one, 1);
    fr_world *world;
    FR_TRY(fr_world_create(&water.def, &world));
    fr_result result = dam_follow(world, self, DAM_WIDTH, &one.paths);
    fr_world_destroy(world);
    FR_TRY(result);
    dam_judge(record, column, &one, 0.05, "");
    validate_note(record, "2D, %d spacings along a, viscosity of water, walls stick, dfsph", self->cells);
    return FR_OK;
}

static fr_result dam_on_grid(const validate_case *self, validate_record *record, const dam_column *column, dam_try *one)
{
    validate_liquid water;
    dam_make(self, column, &water);
    validate_liquid_on_grid(&water, one->surface, 7 * self->cells);
    dam_stick(&water.def);
    water.def.walls[FR_TOP].kind = FR_WALL_OPEN;
    fr_world *world;
    FR_TRY(fr_world_create(&water.def, &world));
    fr_result result = dam_follow(world, self, DAM_WIDTH, &one->paths);
    double volume = validate_ledger(world, "volume") / (self->number * DAM_WIDTH * DAM_WIDTH);
    fr_world_destroy(world);
    FR_TRY(result);
    char prefix[48];
    snprintf(prefix, sizeof prefix, "%s: ", one->name);
    dam_judge(record, column, one, 0.04, prefix);
    validate_row row = {.measured = volume, .published = 1, .rule = VALIDATE_WITHIN, .limit = 0.001};
    validate_row_add(record, row, "%svolume at the end over that at the start", prefix);
    validate_report(record, one->paths.ahead, NAN, "%sfarthest that drops were ahead of the rest, in a", prefix);
    return FR_OK;
}

fr_result validate_dam_front_grid(const validate_case *self, validate_record *record)
{
    dam_try tries[] = {{"level set", FR_LIQUID_LEVEL_SET, true, {0}},
                       {"particle level set", FR_LIQUID_PARTICLE_LEVEL_SET, true, {0}},
                       {"markers", FR_LIQUID_MARKERS, true, {0}},
                       {"flip", FR_LIQUID_FLIP, true, {0}},
                       {"apic", FR_LIQUID_APIC, true, {0}}};
    const int count = sizeof tries / sizeof tries[0];
    const dam_column *column = &dam_columns[self->number > 1];
    dam_panels(record, column, tries, count);
    for (int i = 0; i < count; i++)
        FR_TRY(dam_on_grid(self, record, column, &tries[i]));
    validate_note(record, "2D, %d cells along a, viscosity of water, walls stick, the top is open", self->cells);
    return FR_OK;
}

/* Lobovsky et al. 2014: a column of 0.6 m by 0.3 m in a tank 1.61 m long. Their gate takes time to rise, so that one
   time alone is no mark: it is reported. */
fr_result validate_dam_lobovsky(const validate_case *self, validate_record *record)
{
    const double high = 0.3, wide = 0.6, reach = 3, unit = sqrt(high / GRAVITY);
    validate_liquid water;
    validate_liquid_make(&water, 2, (double[3]){1.61, 0.6, 0}, (double[3]){0}, (double[3]){wide, high, 0}, 0.01);
    validate_liquid_on_grid(&water, FR_LIQUID_FLIP, self->cells);
    dam_stick(&water.def);
    water.def.time = (fr_time_def){.duration = 2.6 * unit, .fps = 100 / unit};
    water.def.walls[FR_TOP].kind = FR_WALL_OPEN;
    validate_panel_add(record, "the front", "t* = t sqrt(g/H)", "X* = (x - B)/H");
    validate_curve *front = validate_curve_add(record, false, "freshet"),
                   *mark = validate_curve_add(record, true, "Lobovsky");
    validate_point_add(mark, 2.38, reach);
    fr_world *world;
    FR_TRY(fr_world_create(&water.def, &world));
    fr_result result = FR_OK;
    double when = NAN, ritter = 0;
    for (int f = 0; f <= fr_world_frame_count(world) && result == FR_OK; f++) {
        result = f > 0 ? validate_frame(world, self->name) : FR_OK;
        const fr_frame *frame = fr_world_frame(world);
        double x = (dam_front(frame) - wide) / high;
        validate_point_add(front, frame->time / unit, x);
        if (f > 0)
            ritter = fmax(ritter, x * unit / (2 * frame->time));
        if (isnan(when) && x >= reach)
            when = frame->time / unit;
    }
    fr_world_destroy(world);
    FR_TRY(result);
    validate_row arrival = {.measured = when, .published = 2.38, .rule = VALIDATE_RELATIVE, .limit = 0.05};
    validate_row_add(record, arrival, "t* at which the front has come three heights");
    validate_row row = {.measured = ritter, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 1};
    validate_row_add(record, row, "greatest share of Ritter's distance that the front has come");
    validate_note(record,
                  "2D, %d cells along the tank, flip, viscosity of water, walls stick; the gate is gone at once",
                  self->cells);
    return FR_OK;
}
