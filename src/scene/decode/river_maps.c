#include "scene/decode/river_maps.h"

#include <math.h>

#include "base/vec.h"

/* Each span between two points is divided into this many pieces with known arc lengths, so short that the speed along
   the parameter hardly changes within one. */
enum { COURSE_PIECES = 16 };

/* The spline and its derivatives at a parameter. */
typedef struct course_sample {
    double at[2], first[2], second[2];
} course_sample;

static course_sample course_sample_at(const river_course *c, int span, double u)
{
    double h = c->knot[span + 1] - c->knot[span], b = (u - c->knot[span]) / h, a = 1 - b;
    course_sample s;
    for (int x = 0; x < 2; x++) {
        double p = c->point[span][x], q = c->point[span + 1][x], mp = c->bend[span][x], mq = c->bend[span + 1][x];
        s.at[x] = a * p + b * q + ((a * a * a - a) * mp + (b * b * b - b) * mq) * h * h / 6;
        s.first[x] = (q - p) / h + ((3 * b * b - 1) * mq - (3 * a * a - 1) * mp) * h / 6;
        s.second[x] = a * mp + b * mq;
    }
    return s;
}

static double course_speed(const river_course *c, int span, double u)
{
    course_sample s = course_sample_at(c, span, u);
    return hypot(s.first[0], s.first[1]);
}

/* Arc length between two parameters of a span, by five-point Gauss quadrature. */
static double course_measure(const river_course *c, int span, double from, double to)
{
    static const double place[3] = {0, 0.53846931010568309, 0.90617984593866399};
    static const double weight[3] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
    double middle = (from + to) / 2, half = (to - from) / 2;
    double sum = weight[0] * course_speed(c, span, middle);
    for (int i = 1; i < 3; i++)
        sum += weight[i] *
               (course_speed(c, span, middle - half * place[i]) + course_speed(c, span, middle + half * place[i]));
    return sum * half;
}

/* Second derivatives of the natural cubic spline, by the Thomas algorithm. `scratch` has `count` numbers. */
static void course_bend(const river_course *c, int x, double *scratch)
{
    scratch[0] = 0;
    c->bend[0][x] = c->bend[c->count - 1][x] = 0;
    for (int i = 1; i < c->count - 1; i++) {
        double before = c->knot[i] - c->knot[i - 1], after = c->knot[i + 1] - c->knot[i];
        double turn = (c->point[i + 1][x] - c->point[i][x]) / after - (c->point[i][x] - c->point[i - 1][x]) / before;
        double pivot = 2 * (before + after) - before * scratch[i - 1];
        scratch[i] = after / pivot;
        c->bend[i][x] = (6 * turn - before * c->bend[i - 1][x]) / pivot;
    }
    for (int i = c->count - 2; i > 0; i--)
        c->bend[i][x] -= scratch[i] * c->bend[i + 1][x];
}

static double course_piece(const river_course *c, int piece)
{
    int span = piece / COURSE_PIECES;
    return c->knot[span] + (c->knot[span + 1] - c->knot[span]) * (piece % COURSE_PIECES) / COURSE_PIECES;
}

static double course_piece_end(const river_course *c, int piece)
{
    return (piece + 1) % COURSE_PIECES ? course_piece(c, piece + 1) : c->knot[piece / COURSE_PIECES + 1];
}

fr_result river_course_create(arena *memory, const double (*points)[2], int count, river_course *out)
{
    int pieces = (count - 1) * COURSE_PIECES;
    double *scratch = ARENA_NEW(memory, double, count);
    *out = (river_course){.count = count,
                          .point = arena_alloc(memory, sizeof *out->point * (size_t)count),
                          .bend = arena_alloc(memory, sizeof *out->bend * (size_t)count),
                          .knot = ARENA_NEW(memory, double, count),
                          .length = ARENA_NEW(memory, double, pieces + 1)};
    if (!scratch || !out->point || !out->bend || !out->knot || !out->length)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        for (int x = 0; x < 2; x++)
            out->point[i][x] = points[i][x];
        if (i > 0)
            out->knot[i] = out->knot[i - 1] + hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
    }
    for (int x = 0; x < 2; x++)
        course_bend(out, x, scratch);
    for (int p = 0; p < pieces; p++)
        out->length[p + 1] =
            out->length[p] + course_measure(out, p / COURSE_PIECES, course_piece(out, p), course_piece_end(out, p));
    return FR_OK;
}

/* The parameter at an arc length, and its span: the piece by bisection, then Newton's method. */
static double course_parameter(const river_course *c, double length, int *span)
{
    int low = 0, high = (c->count - 1) * COURSE_PIECES;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(c->length[middle] <= length ? &low : &high) = middle;
    }
    *span = low / COURSE_PIECES;
    double start = course_piece(c, low), end = course_piece_end(c, low), u = start;
    double rest = length - c->length[low], whole = c->length[low + 1] - c->length[low];
    if (whole > 0)
        u += (end - start) * rest / whole;
    double step = end - start;
    for (int turn = 0; turn < 6 && fabs(step) > 1e-14 * (end - start); turn++) {
        double speed = course_speed(c, *span, u);
        step = speed > 0 ? (course_measure(c, *span, start, u) - rest) / speed : 0;
        u = clampd(u - step, start, end);
    }
    return u;
}

/* A point of the curve. */
typedef struct course_station {
    double at[2], along[2]; /* m; unit tangent */
    double curvature;       /* 1/m, positive to the left */
} course_station;

static course_station course_at(const river_course *course, double share)
{
    int span;
    double whole = course->length[(course->count - 1) * COURSE_PIECES];
    double u = course_parameter(course, clampd(share, 0, 1) * whole, &span);
    course_sample s = course_sample_at(course, span, u);
    double speed = hypot(s.first[0], s.first[1]);
    course_station station = {.at = {s.at[0], s.at[1]}};
    if (speed > 0) {
        station.along[0] = s.first[0] / speed;
        station.along[1] = s.first[1] / speed;
        station.curvature = (s.first[0] * s.second[1] - s.first[1] * s.second[0]) / (speed * speed * speed);
    }
    return station;
}

/* Evaluates a length, which must be positive, at args = s, t. */
static fr_result map_length(const fr_number *number, const char *name, const double *args, double *length)
{
    *length = number->value;
    if (number->function)
        FR_TRY(number->function(number->context, args, length));
    if (!(*length > 0))
        return fr_fail_key("river.grid", "river.grid: %s must be positive (m), not %g at s = %g", name, *length,
                           args[0]);
    return FR_OK;
}

fr_result river_map_at(void *context, const double *args, double *out)
{
    const river_map *map = context;
    double s = args[0], t = args[1], depth, width;
    if (map->ring) {
        double angle = map->angles[0] + s * (map->angles[1] - map->angles[0]),
               radius = map->radii[0] + t * (map->radii[1] - map->radii[0]);
        out[0] = map->centre[0] + radius * cos(angle);
        out[1] = map->centre[1] + radius * sin(angle);
    } else {
        FR_TRY(map_length(&map->width, "width", args, &width));
        course_station station = course_at(&map->course, s);
        double aside = (t - 0.5) * width;
        out[0] = station.at[0] - aside * station.along[1];
        out[1] = station.at[1] + aside * station.along[0];
    }
    out[2] = 0;
    if (!map->deep)
        return FR_OK;
    FR_TRY(map_length(&map->depth, "depth", args, &depth));
    out[2] = -depth * (1 - args[2]);
    return FR_OK;
}

fr_result river_map_check(const river_map *map, int samples)
{
    for (int i = 0; i <= samples && !map->ring; i++) {
        const double place[2] = {(double)i / samples, 0.5};
        double width;
        FR_TRY(map_length(&map->width, "width", place, &width));
        course_station station = course_at(&map->course, place[0]);
        if (fabs(station.curvature) * width >= 2)
            return fr_fail_key("river.grid",
                               "river.grid: at s = %.4g, near (%.4g, %.4g) m, the bend has a radius of %.3g m, less "
                               "than half the width of %.4g m: "
                               "the banks would cross; make the channel narrower or spread its points",
                               place[0], station.at[0], station.at[1], 1 / fabs(station.curvature), width);
    }
    return FR_OK;
}

/* The neck has constant width; the transitions before and after it take a fifth of the length each. */
fr_result river_venturi_width(void *context, const double *args, double *out)
{
    const river_venturi *v = context;
    double aside = fabs(args[0] - 0.5) * v->length - v->neck / 2, slope = v->length / 5;
    double narrow = 0.5 * (1 + cos(FR_PI * clampd(aside / slope, 0, 1)));
    out[0] = v->width * (1 - (1 - v->throat) * narrow);
    return FR_OK;
}
