#include "render/flat/bend.h"

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"

/* Subsamples per pixel along each axis; the middle one is the pixel's centre. */
enum { BEND_POINTS = 5, BEND_ALL = (1 << BEND_POINTS * BEND_POINTS) - 1, BEND_BAND = 32 };

typedef double corners[4][2];

typedef struct bend_job {
    bend *bend;
    uint32_t *covered;       /* per pixel: bits of the subsamples that lie inside some cell */
    float *away;             /* distance from the pixel's centre to the subsample that `place` is for, pixels */
} bend_job;

static void bend_corners(const bend *bend, int i, int j, corners q)
{
    static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int c = 0; c < 4; c++)
        for (int a = 0; a < 2; a++)
            q[c][a] = bend_node(bend, i + step[c][0], j + step[c][1])[a];
}

static double bend_area(const corners q)
{
    return 0.5 * ((q[2][0] - q[0][0]) * (q[3][1] - q[1][1]) - (q[2][1] - q[0][1]) * (q[3][0] - q[1][0]));
}

/* Cells are convex: a point inside is on the same side of all four edges. A point on a common edge is in both cells. */
static bool bend_inside(const corners q, double sign, double x, double y)
{
    static const double slack = 1e-9;
    for (int c = 0; c < 4; c++) {
        const double *a = q[c], *b = q[(c + 1) % 4];
        if (sign * ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) < -slack)
            return false;
    }
    return true;
}

/* The bilinear map of a cell and its Jacobian at (s, t) in 0 … 1. */
static void bend_map(const corners q, const double at[2], double point[2], double slopes[2][2])
{
    for (int a = 0; a < 2; a++) {
        double low = q[0][a] + (q[1][a] - q[0][a]) * at[0], high = q[3][a] + (q[2][a] - q[3][a]) * at[0];
        point[a] = low + (high - low) * at[1];
        slopes[0][a] = (q[1][a] - q[0][a]) * (1 - at[1]) + (q[2][a] - q[3][a]) * at[1];
        slopes[1][a] = high - low;
    }
}

/* Inverts the bilinear map at a point by Newton's method, starting from the cell's middle. */
static void bend_invert(const corners q, double x, double y, double at[2])
{
    at[0] = at[1] = 0.5;
    for (int iteration = 0; iteration < 8; iteration++) {
        double point[2], s[2][2];
        bend_map(q, at, point, s);
        double miss[2] = {x - point[0], y - point[1]}, det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        if (fabs(miss[0]) + fabs(miss[1]) < 1e-6 || det == 0)
            break;
        at[0] = clampd(at[0] + (miss[0] * s[1][1] - miss[1] * s[1][0]) / det, 0, 1);
        at[1] = clampd(at[1] + (miss[1] * s[0][0] - miss[0] * s[0][1]) / det, 0, 1);
    }
}

/* The subsamples of a pixel that lie in the cell, as bits, and the one nearest to the pixel's centre. */
static uint32_t bend_cover(const corners q, double sign, int x, int y, double nearest[2], float *away)
{
    uint32_t covered = 0;
    *away = INFINITY;
    for (int n = 0; n < BEND_POINTS * BEND_POINTS; n++) {
        double point[2] = {x + (n % BEND_POINTS + 0.5) / BEND_POINTS, y + (n / BEND_POINTS + 0.5) / BEND_POINTS};
        if (!bend_inside(q, sign, point[0], point[1]))
            continue;
        covered |= 1u << n;
        float distance = (float)hypot(point[0] - x - 0.5, point[1] - y - 0.5);
        if (distance < *away) {
            *away = distance;
            nearest[0] = point[0];
            nearest[1] = point[1];
        }
    }
    return covered;
}

static bool bend_holds_all(const corners q, double sign, int x, int y)
{
    return bend_inside(q, sign, x, y) && bend_inside(q, sign, x + 1, y) && bend_inside(q, sign, x, y + 1) &&
           bend_inside(q, sign, x + 1, y + 1);
}

static void bend_cell_pixel(const bend_job *job, const corners q, const int cell[2], int x, int y)
{
    double sign = bend_area(q) < 0 ? -1 : 1, point[2] = {x + 0.5, y + 0.5}, at[2];
    size_t n = (size_t)bend_pixel(job->bend, point[0], point[1]);
    float away = 0;
    uint32_t covered = bend_holds_all(q, sign, x, y) ? BEND_ALL : bend_cover(q, sign, x, y, point, &away);
    job->covered[n] |= covered;
    if (!covered || !(away < job->away[n]))
        return;
    job->away[n] = away;
    bend_invert(q, point[0], point[1], at);
    for (int a = 0; a < 2; a++)
        job->bend->place[n][a] = (float)(cell[a] + at[a]);
}

/* Processes the pixels of one cell in the rows [begin, end). */
static void bend_cell(const bend_job *job, int i, int j, int begin, int end)
{
    corners q;
    bend_corners(job->bend, i, j, q);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int c = 0; c < 4; c++)
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], q[c][a]);
            high[a] = fmax(high[a], q[c][a]);
        }
    const int *box = job->bend->box;
    if (!(high[1] >= begin && low[1] <= end && high[0] >= box[0] && low[0] <= box[2]))
        return;
    int x0 = (int)fmax(floor(low[0]), box[0]), x1 = (int)fmin(ceil(high[0]), box[2]);
    int y0 = (int)fmax(floor(low[1]), begin), y1 = (int)fmin(ceil(high[1]), end);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            bend_cell_pixel(job, q, (int[2]){i, j}, x, y);
}

/* Each band of rows visits all cells, so that no two threads write the same pixel. */
static void bend_bands(void *context, int begin, int end)
{
    const bend_job *job = context;
    const bend *bend = job->bend;
    for (int band = begin; band < end; band++) {
        int from = bend->box[1] + band * BEND_BAND,
            to = from + BEND_BAND < bend->box[3] ? from + BEND_BAND : bend->box[3];
        for (int j = 0; j < bend->n[1]; j++)
            for (int i = 0; i < bend->n[0]; i++)
                bend_cell(job, i, j, from, to);
    }
}

static int bend_count(uint32_t bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void bend_look_up(const bend_job *job)
{
    bend *bend = job->bend;
    int rows = bend->box[3] - bend->box[1];
    size_t count = (size_t)(bend->box[2] - bend->box[0]) * (size_t)rows;
    for (size_t n = 0; n < count; n++) {
        job->away[n] = INFINITY;
        bend->place[n][0] = bend->place[n][1] = NAN;
    }
    threads_for((rows + BEND_BAND - 1) / BEND_BAND, bend_bands, (void *)job);
    for (size_t n = 0; n < count; n++)
        bend->share[n] = (float)bend_count(job->covered[n]) / (BEND_POINTS * BEND_POINTS);
}

/* Length of the grid's side at the low or high end of `axis`, pixels. */
static double bend_side_length(const bend *bend, int axis, bool high)
{
    double length = 0;
    for (int n = 0; n < bend->n[1 - axis]; n++) {
        const double *a =
            axis == 0 ? bend_node(bend, high ? bend->n[0] : 0, n) : bend_node(bend, n, high ? bend->n[1] : 0);
        const double *b =
            axis == 0 ? bend_node(bend, high ? bend->n[0] : 0, n + 1) : bend_node(bend, n + 1, high ? bend->n[1] : 0);
        length += hypot(b[0] - a[0], b[1] - a[1]);
    }
    return length;
}

/* The mean width: twice the area divided by the length of both banks. */
static double bend_mean_width(const bend *bend)
{
    double area = 0, banks = 0;
    for (int j = 0; j < bend->n[1]; j++)
        for (int i = 0; i < bend->n[0]; i++) {
            corners q;
            bend_corners(bend, i, j, q);
            area += fabs(bend_area(q));
        }
    for (int axis = 0; axis < 2; axis++)
        if (!bend->closed[axis])
            banks += bend_side_length(bend, axis, false) + bend_side_length(bend, axis, true);
    return banks > 0 ? 2 * area / banks : sqrt(area);
}

fr_result bend_create(const fr_frame *frame, const bend_view *view, bend *out)
{
    *out = (bend){.n = {frame->cells[0], frame->cells[1]}, .closed = {frame->periodic[0], frame->periodic[1]},
                  .box = {view->box[0], view->box[1], view->box[2], view->box[3]}};
    int64_t nodes = (int64_t)(out->n[0] + 1) * (out->n[1] + 1),
            pixels = (int64_t)(out->box[2] - out->box[0]) * (out->box[3] - out->box[1]);
    bend_job job = {out, MEMORY_NEW(uint32_t, pixels), MEMORY_NEW(float, pixels)};
    out->node = memory_alloc(sizeof *out->node * (size_t)nodes);
    out->place = memory_alloc(sizeof *out->place * (size_t)pixels);
    out->share = MEMORY_NEW(float, pixels);
    bool room = job.covered && job.away && out->node && out->place && out->share;
    for (int64_t n = 0; room && n < nodes; n++)
        for (int a = 0; a < 2; a++)
            out->node[n][a] = view->from[a] + view->scale[a] * (double)frame->nodes.data[n * frame->nodes.stride + a];
    if (room) {
        bend_look_up(&job);
        out->width = bend_mean_width(out);
    } else {
        bend_destroy(out);
    }
    memory_free(job.covered);
    memory_free(job.away);
    return room ? FR_OK : FR_ERROR_MEMORY;
}

void bend_destroy(bend *bend)
{
    memory_free(bend->node);
    memory_free(bend->place);
    memory_free(bend->share);
    bend->node = NULL;
    bend->place = NULL;
    bend->share = NULL;
}

void bend_slope(const bend *bend, const double place[2], const double per_cell[2], double per_pixel[2])
{
    int cell[2];
    corners q;
    double at[2], point[2], s[2][2];
    for (int a = 0; a < 2; a++) {
        cell[a] = (int)clampd(floor(place[a]), 0, bend->n[a] - 1);
        at[a] = place[a] - cell[a];
    }
    bend_corners(bend, cell[0], cell[1], q);
    bend_map(q, at, point, s);
    double det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    double along = per_cell[0], across = per_cell[1];   /* both may be the same array */
    per_pixel[0] = (along * s[1][1] - across * s[0][1]) / det;
    per_pixel[1] = (across * s[0][0] - along * s[1][0]) / det;
}
