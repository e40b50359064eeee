/* Evenly spaced streamlines (Jobard and Lefer, Creating Evenly-Spaced Streamlines of Arbitrary Density, 1997):
   a line grows until it comes closer to another one than a fraction of the separation; new lines start beside old
   ones. */
#include "base/memory.h"
#include "base/vec.h"
#include "render/flat/flow.h"

static const double step = 2;            /* pixels along the line */
static const double closeness = 0.55;    /* fraction of the separation at which a line ends */

typedef struct streamlines {
    const flow *flow;
    double separation;             /* pixels */
    double (*points)[2];           /* of all half-lines, one after the other */
    int *halves;                   /* first point of each half-line: upstream, then downstream */
    int *next;                     /* the next point of the same bucket, -1 at the end */
    int *buckets;                  /* first point of each square of the separation's side */
    int columns, rows;
    int count, capacity, half_count;
} streamlines;

static int streamlines_bucket(const streamlines *s, const double at[2], int shift_x, int shift_y)
{
    const int *plot = s->flow->flat->plot;
    int i = (int)floor((at[0] - plot[0]) / s->separation) + shift_x,
        j = (int)floor((at[1] - plot[1]) / s->separation) + shift_y;
    return i < 0 || j < 0 || i >= s->columns || j >= s->rows ? -1 : j * s->columns + i;
}

/* Whether a point with an index below `before` (of other lines, or early ones of the same line) lies within `reach`. */
static bool streamlines_crowded(const streamlines *s, const double at[2], double reach, int before)
{
    for (int k = 0; k < 9; k++) {
        int bucket = streamlines_bucket(s, at, k % 3 - 1, k / 3 - 1);
        for (int p = bucket < 0 ? -1 : s->buckets[bucket]; p >= 0; p = s->next[p])
            if (p < before && hypot(s->points[p][0] - at[0], s->points[p][1] - at[1]) < reach)
                return true;
    }
    return false;
}

static bool streamlines_direction(const streamlines *s, const double at[2], double sign, double unit[2])
{
    double v[2];
    if (!flow_at(s->flow, at, v))
        return false;
    double speed = hypot(v[0], v[1]);
    if (!(speed > 1e-3 * s->flow->fastest))
        return false;
    unit[0] = sign * v[0] / speed;
    unit[1] = sign * v[1] / speed;
    return true;
}

/* One classical Runge–Kutta step of fixed length along the direction field. */
static bool streamlines_advance(const streamlines *s, const double from[2], double sign, double to[2])
{
    static const double reach[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double k[2] = {0, 0}, sum[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        double at[2] = {from[0] + step * reach[i] * k[0], from[1] + step * reach[i] * k[1]};
        if (!streamlines_direction(s, at, sign, k))
            return false;
        sum[0] += weight[i] * k[0];
        sum[1] += weight[i] * k[1];
    }
    to[0] = from[0] + step * sum[0];
    to[1] = from[1] + step * sum[1];
    return true;
}

static void streamlines_add(streamlines *s, const double at[2])
{
    int bucket = streamlines_bucket(s, at, 0, 0);
    s->points[s->count][0] = at[0];
    s->points[s->count][1] = at[1];
    s->next[s->count] = bucket < 0 ? -1 : s->buckets[bucket];
    if (bucket >= 0)
        s->buckets[bucket] = s->count;
    s->count++;
}

/* Appends the points of one half-line from `seed`. The latest points of the same line, which began at `begin`, do not
   count as neighbours. */
static void streamlines_trace(streamlines *s, const double seed[2], double sign, int begin)
{
    int own = (int)(4 * s->separation / step), here = s->count;
    double at[2] = {seed[0], seed[1]}, to[2];
    if (s->count < s->capacity)
        streamlines_add(s, at);
    while (s->count < s->capacity && streamlines_advance(s, at, sign, to)) {
        /* near the seed the other half of the line is close as well */
        bool young = s->count - here < own;
        int before = young ? begin : s->count - own;
        if (streamlines_crowded(s, to, closeness * s->separation, before))
            break;
        at[0] = to[0];
        at[1] = to[1];
        streamlines_add(s, at);
    }
}

/* Removes the points of a line that came out too short. */
static void streamlines_drop(streamlines *s, int begin)
{
    while (s->count > begin) {
        int point = --s->count, bucket = streamlines_bucket(s, s->points[point], 0, 0);
        if (bucket >= 0)
            s->buckets[bucket] = s->next[point];
    }
}

/* Adds a line through the seed as two halves, upstream and downstream, unless it would be too short. */
static void streamlines_grow(streamlines *s, const double seed[2])
{
    int begin = s->count;
    double unit[2];
    if (!streamlines_direction(s, seed, 1, unit) || streamlines_crowded(s, seed, s->separation, begin))
        return;
    streamlines_trace(s, seed, -1, begin);
    int middle = s->count;
    streamlines_trace(s, seed, 1, begin);
    if ((s->count - begin) * step < 2.5 * s->separation) {
        streamlines_drop(s, begin);
        return;
    }
    s->halves[s->half_count++] = begin;
    s->halves[s->half_count++] = middle;
}

/* Seeds on both sides of every line so far, then on a lattice for regions that no line has reached. */
static void streamlines_fill(streamlines *s)
{
    const int *plot = s->flow->flat->plot;
    double middle[2] = {(plot[0] + plot[2]) / 2.0, (plot[1] + plot[3]) / 2.0};
    int lattice = 0, columns = 2 * s->columns, most = columns * 2 * s->rows, beside = 0;
    streamlines_grow(s, middle);
    while (s->count < s->capacity && (beside < s->count || lattice < most)) {
        if (beside < s->count) {
            const double *at = s->points[beside];
            double unit[2], away = s->separation * 1.02;
            if (streamlines_direction(s, at, 1, unit)) {
                streamlines_grow(s, (double[2]){at[0] - away * unit[1], at[1] + away * unit[0]});
                streamlines_grow(s, (double[2]){at[0] + away * unit[1], at[1] - away * unit[0]});
            }
            beside += 4;
        } else {
            double seed[2] = {plot[0] + (lattice % columns + 0.5) * s->separation / 2,
                              plot[1] + (lattice / columns + 0.5) * s->separation / 2};
            streamlines_grow(s, seed);
            lattice++;
        }
    }
}

static void streamlines_head(canvas *canvas, const double from[2], const double to[2], double size)
{
    double length = hypot(to[0] - from[0], to[1] - from[1]);
    if (!(length > 0))
        return;
    double u[2] = {(to[0] - from[0]) / length * size, (to[1] - from[1]) / length * size};
    double corners[3][2] = {{to[0] + u[0], to[1] + u[1]},
                            {to[0] - u[0] - 0.8 * u[1], to[1] - u[1] + 0.8 * u[0]},
                            {to[0] - u[0] + 0.8 * u[1], to[1] - u[1] - 0.8 * u[0]}};
    canvas_polygon(canvas, corners, 3);
}

static void streamlines_draw(const streamlines *s, canvas *canvas)
{
    for (int pass = 0; pass < 2; pass++) {
        double width = pass == 0 ? 3 : 1.3;
        for (int h = 0; h < s->half_count; h++) {
            int begin = s->halves[h], end = h + 1 < s->half_count ? s->halves[h + 1] : s->count,
                half = (begin + end) / 2;
            canvas_polyline(canvas, (const double(*)[2])(s->points + begin), end - begin, width);
            if (h % 2 == 1 && end - begin > 8)
                streamlines_head(canvas, s->points[half - 1], s->points[half], pass == 0 ? 5.5 : 4.5);
        }
        float light = pass == 0 ? 0 : 1;
        canvas_paint(canvas, (rgb){light, light, light}, pass == 0 ? 0.3 : 0.85);
    }
}

static fr_result streamlines_create(streamlines *s, const flow *flow)
{
    const int *plot = flow->flat->plot;
    double width = plot[2] - plot[0], height = plot[3] - plot[1];
    *s = (streamlines){.flow = flow, .separation = fmax(flat_lattice(flow->flat, 36), 8)};
    s->columns = (int)ceil(width / s->separation);
    s->rows = (int)ceil(height / s->separation);
    /* an upper bound of the points, given the smallest distance between lines */
    s->capacity = (int)(4 * (width + 64) * (height + 64) / (step * closeness * s->separation)) + 64;
    s->points = memory_alloc(sizeof *s->points * (size_t)s->capacity);
    s->next = MEMORY_NEW(int, s->capacity);
    s->halves = MEMORY_NEW(int, 2 * s->capacity + 2);
    s->buckets = MEMORY_NEW(int, s->columns * s->rows);
    for (int i = 0; s->buckets && i < s->columns * s->rows; i++)
        s->buckets[i] = -1;
    return s->points && s->next && s->halves && s->buckets ? FR_OK : FR_ERROR_MEMORY;
}

fr_result flat_streamlines(const flat *flat, canvas *canvas)
{
    flow flow;
    streamlines lines;
    FR_TRY(flow_create(&flow, flat));
    fr_result result = streamlines_create(&lines, &flow);
    if (result == FR_OK && flow.fastest > 0) {
        streamlines_fill(&lines);
        streamlines_draw(&lines, canvas);
    }
    memory_free(lines.points);
    memory_free(lines.next);
    memory_free(lines.halves);
    memory_free(lines.buckets);
    flow_destroy(&flow);
    return result;
}
