#include "surface/level.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "surface/blocks.h"

/* Values far from the surface, in cells. */
static const double far_cells = 3;

/* Cells closer to an obstacle than this count as its own, in cells of the frame: between cells its distance is known
   to some hundredths of a cell only. */
static const double solid_margin = 0.1;

static void level_centre(const level *l, const int at[3], double place[3])
{
    for (int a = 0; a < 3; a++)
        place[a] = l->frame->origin[a] + (a < l->frame->dims ? (at[a] + 0.5) * l->step[a] : 0);
}

static float level_raw(const level *l, const int at[3])
{
    const ptrdiff_t *stride = l->field->stride;
    float value = l->field->data[at[0] * stride[0] + at[1] * stride[1] + at[2] * stride[2]];
    return isfinite(value) ? value : (float)(far_cells * l->smallest);
}

static ptrdiff_t level_index(const level *l, const int at[3])
{
    return ((ptrdiff_t)at[2] * l->cells[1] + at[1]) * l->cells[0] + at[0];
}

static bool level_is_solid(const level *l, const int at[3])
{
    return l->in_solid[level_index(l, at)];
}

static void level_find_solid(void *context, int begin, int end)
{
    const level *l = context;
    double place[3];
    int at[3];
    for (int row = begin; row < end; row++)
        for (at[0] = 0; at[0] < l->cells[0]; at[0]++) {
            at[1] = row % l->cells[1];
            at[2] = row / l->cells[1];
            level_centre(l, at, place);
            l->in_solid[level_index(l, at)] = (double)probe_at(&l->solid, place) < solid_margin * l->solid.step[0];
        }
}

fr_result level_open(const fr_frame *frame, level *out)
{
    static const char *const names[3] = {"u", "v", "w"};
    const fr_field *field = fr_frame_field(frame, "level_set");
    int refine = field && field->location == FR_AT_CELL ? fr_field_refine(frame, field) : 0;
    *out = (level){.frame = frame, .field = field, .fine = 1, .smallest = INFINITY};
    if (refine < 1)
        return fr_fail(FR_ERROR_INPUT, "there is no surface to find: this frame has no level set on its cells");
    for (int a = 0; a < 3; a++) {
        const fr_field *component = fr_frame_field(frame, names[a]);
        bool fits = component && fr_field_refine(frame, component) == 1;
        out->velocity[a] = probe_of(frame, fits ? component : NULL, false);
        out->cells[a] = (int)field->size[a];
        out->step[a] = a < frame->dims ? frame->spacing[a] / refine : 1;
        out->smallest = a < frame->dims ? fmin(out->smallest, out->step[a]) : out->smallest;
    }
    out->solid = probe_of(frame, fr_frame_field(frame, "solid"), true);
    if (!out->solid.field)
        return FR_OK;
    out->in_solid = MEMORY_NEW(uint8_t, (int64_t)out->cells[0] * out->cells[1] * out->cells[2]);
    if (!out->in_solid)
        return FR_ERROR_MEMORY;
    threads_for(out->cells[1] * out->cells[2], level_find_solid, out);
    return FR_OK;
}

void level_close(level *l)
{
    memory_free(l->in_solid);
    l->in_solid = NULL;
}

/* The mean over the cells around that are not in an obstacle, near ones first. Far from all of them the obstacle's own
   distance decides. */
static float level_beside(const level *l, const int at[3])
{
    float sum = 0, weights = 0;
    for (int d = 0; d < 27; d++) {
        const int step[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
        int next[3], steps = 0;
        bool beyond = false;
        for (int a = 0; a < 3; a++) {
            next[a] = at[a] + step[a];
            beyond = beyond || next[a] < 0 || next[a] >= l->cells[a];
            steps += step[a] != 0;
        }
        if (beyond || steps == 0 || level_is_solid(l, next))
            continue;
        sum += level_raw(l, next) / (float)(steps * steps);
        weights += 1 / (float)(steps * steps);
    }
    return weights > 0 ? sum / weights : -(float)(far_cells * l->smallest);
}

static float level_cell(const level *l, const int at[3])
{
    return l->solid.field && level_is_solid(l, at) ? level_beside(l, at) : level_raw(l, at);
}

/* Whether the surface passes between a cell beside a side and one of its neighbours, but those beyond the side. */
static bool level_meets(const level *l, const int cell[3])
{
    const bool inside = level_cell(l, cell) < 0;
    bool meets = false;
    for (int d = 0; d < 6 && !meets; d++) {
        int next[3] = {cell[0], cell[1], cell[2]};
        next[d / 2] += d % 2 ? 1 : -1;
        if (next[d / 2] >= 0 && next[d / 2] < l->cells[d / 2])
            meets = (level_cell(l, next) < 0) != inside;
    }
    return meets;
}

/* On a side of the domain, half a cell beyond a cell with φ = `first`; `second` is the cell before it. */
static float level_on_side(const level *l, const int node[3], float first, float second, float step)
{
    float slope = (first - second) / step, share = (1 - fabsf(slope)) / 0.3f;
    share = share > 0 ? share < 1 ? share : 1 : 0;
    float value = first + 0.5f * step * slope * share;
    if ((value < 0) == (first < 0))
        return value;
    int cell[3];
    for (int a = 0; a < 3; a++)
        cell[a] = node[a] < 1 ? 0 : node[a] > l->cells[a] ? l->cells[a] - 1 : node[a] - 1;
    return level_meets(l, cell) ? value : 1e-3f * first;
}

/* φ at a node of the lattice with one node per cell. Node 0 lies on the side, node 1 in the middle of the first cell.
 */
static float level_extended(const level *l, const int node[3])
{
    for (int a = 0; a < 3; a++) {
        bool low = node[a] == 0;
        if (!low && node[a] <= l->cells[a])
            continue;
        int first[3] = {node[0], node[1], node[2]}, second[3] = {node[0], node[1], node[2]}, last = l->cells[a];
        first[a] = low ? 1 : last;
        second[a] = l->frame->periodic[a] ? (low ? last : 1) : last == 1 ? 1 : low ? 2 : last - 1;
        float f = level_extended(l, first), s = level_extended(l, second);
        return l->frame->periodic[a] ? (f + s) / 2 : level_on_side(l, node, f, s, (float)l->step[a]);
    }
    return level_cell(l, (const int[3]){node[0] - 1, node[1] - 1, node[2] - 1});
}

static double level_place(const level *l, int axis, int node)
{
    double place = node == 0 ? 0 : node > l->cells[axis] ? l->cells[axis] : node - 0.5;
    return l->frame->origin[axis] + place * l->step[axis];
}

/* The liquid without the obstacles, but for a thin layer of them. */
static float level_trimmed(const level *l, const int node[3])
{
    float value = level_extended(l, node);
    if (!l->solid.field)
        return value;
    const double at[3] = {level_place(l, 0, node[0]), level_place(l, 1, node[1]), level_place(l, 2, node[2])};
    float outside = -(probe_at(&l->solid, at) + l->overlap);
    return outside > value ? outside : value;
}

/* Nodes and weights of cubic interpolation along an axis of the finer lattice. */
typedef struct level_taps {
    int count, inner; /* the first `inner` are those beside the point */
    int node[4];
    float weight[4];
} level_taps;

static level_taps level_taps_at(const level *l, int axis, int node)
{
    int low = node / 2;
    if (node % 2 == 0)
        return (level_taps){1, 1, {low}, {1}};
    if (low < 2 || low + 2 > l->cells[axis])
        return (level_taps){2, 2, {low, low + 1}, {0.5f, 0.5f}};
    return (level_taps){4, 2, {low, low + 1, low - 1, low + 2}, {0.5625f, 0.5625f, -0.0625f, -0.0625f}};
}

/* A node of the finer lattice, by cubics. */
static float level_between(const level *l, const int node[3], float bulge)
{
    level_taps taps[3];
    for (int a = 0; a < 3; a++)
        taps[a] = level_taps_at(l, a, node[a]);
    float sum = 0, least = INFINITY, most = -INFINITY;
    for (int z = 0; z < taps[2].count; z++)
        for (int y = 0; y < taps[1].count; y++)
            for (int x = 0; x < taps[0].count; x++) {
                const int at[3] = {taps[0].node[x], taps[1].node[y], taps[2].node[z]};
                float value = level_trimmed(l, at);
                sum += taps[0].weight[x] * taps[1].weight[y] * taps[2].weight[z] * value;
                if (x >= taps[0].inner || y >= taps[1].inner || z >= taps[2].inner)
                    continue;
                least = value < least ? value : least;
                most = value > most ? value : most;
            }
    return source_limit(sum, least, most, bulge);
}

/* The same, corrected by the spheres that may count there. */
static float level_finer(const source *s, const int node[3], spheres_near near)
{
    const double at[3] = {s->place[0][node[0]], s->place[1][node[1]], s->place[2][node[2]]};
    float value = level_between(s->of, node, s->bulge);
    bool between = node[0] % 2 || node[1] % 2 || node[2] % 2;
    return near.count && between ? spheres_correct(s->spheres, near, at, value) : value;
}

static void level_fill(const source *s, const int node[3], float *values)
{
    const level *l = s->of;
    const spheres_near near = spheres_at(s->spheres, node);
    for (int k = 0; k < BLOCK_SIDE && node[2] + k < s->n[2]; k++)
        for (int j = 0; j < BLOCK_SIDE && node[1] + j < s->n[1]; j++)
            for (int i = 0; i < BLOCK_SIDE && node[0] + i < s->n[0]; i++) {
                const int at[3] = {node[0] + i, node[1] + j, node[2] + k};
                values[block_node(i, j, k)] = l->fine == 1 ? level_trimmed(l, at) : level_finer(s, at, near);
            }
}

/* What a block has: liquid, or something else, as bits. */
enum { HAS_LIQUID = 1, HAS_OTHER = 2 };

typedef struct level_marking {
    const level *level;
    const blocks *blocks;
    uint8_t *has; /* per block */
} level_marking;

/* The cells that decide over the nodes of a block. */
static void level_cells_of(const level *l, int axis, int block, int range[2])
{
    int per_block = BLOCK_SIDE / l->fine, last = l->cells[axis] - 1;
    range[0] = block * per_block - 1;
    range[1] = range[0] + per_block - (l->fine == 1);
    for (int end = 0; end < 2; end++)
        range[end] = range[end] < 0 ? 0 : range[end] > last ? last : range[end];
}

static bool level_at_side(const blocks *b, const int at[3])
{
    bool side = false;
    for (int a = 0; a < 3; a++)
        side = side || at[a] == 0 || at[a] == b->n[a] - 1;
    return side;
}

/* What the cells of a block have. At a side nodes may differ in sign from their cells, so a margin is taken. */
static int level_look(const level *l, const blocks *b, const int at[3])
{
    int range[3][2], has = 0;
    const ptrdiff_t *stride = l->field->stride;
    for (int a = 0; a < 3; a++)
        level_cells_of(l, a, at[a], range[a]);
    float margin = level_at_side(b, at) ? (float)l->smallest : 0;
    for (int k = range[2][0]; k <= range[2][1]; k++)
        for (int j = range[1][0]; j <= range[1][1]; j++) {
            const float *row = l->field->data + j * stride[1] + k * stride[2];
            for (int i = range[0][0]; i <= range[0][1]; i++) {
                float value = row[i * stride[0]];
                has |= (value < margin ? HAS_LIQUID : 0) | (value < -margin ? 0 : HAS_OTHER);
            }
        }
    return has;
}

/* Whether an obstacle is in the block or beside it. Its distance changes by no more than the way to it. */
static bool level_has_obstacle(const level *l, const int at[3])
{
    double middle[3], reach = 0;
    for (int a = 0; a < 3; a++) {
        int range[2];
        level_cells_of(l, a, at[a], range);
        middle[a] = l->frame->origin[a] + (0.5 * (range[0] + range[1]) + 0.5) * l->step[a];
        reach += pow((0.5 * (range[1] - range[0]) + 2) * l->step[a], 2);
    }
    return !((double)probe_at(&l->solid, middle) > 1.1 * sqrt(reach));
}

static void level_look_layers(void *context, int begin, int end)
{
    const level_marking *job = context;
    const blocks *b = job->blocks;
    int at[3];
    for (at[2] = begin; at[2] < end; at[2]++)
        for (at[1] = 0; at[1] < b->n[1]; at[1]++)
            for (at[0] = 0; at[0] < b->n[0]; at[0]++) {
                int has = level_look(job->level, b, at);
                const int first[3] = {BLOCK_SIDE * at[0], BLOCK_SIDE * at[1], BLOCK_SIDE * at[2]};
                if (spheres_at(&job->level->spheres, first).count)
                    has |= HAS_LIQUID | HAS_OTHER;
                if (job->level->solid.field && level_has_obstacle(job->level, at))
                    has |= HAS_OTHER;
                job->has[blocks_index(b, at)] = (uint8_t)has;
            }
}

/* What a block and those around it have. */
static int level_around(const level_marking *job, const int at[3])
{
    const blocks *b = job->blocks;
    int low[3], high[3], has = 0;
    for (int a = 0; a < 3; a++) {
        low[a] = at[a] > 0 ? -1 : 0;
        high[a] = at[a] + 1 < b->n[a] ? 1 : 0;
    }
    const uint8_t *own = job->has + blocks_index(b, at);
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++)
                has |= own[((ptrdiff_t)k * b->n[1] + j) * b->n[0] + i];
    return has;
}

static void level_mark_layers(void *context, int begin, int end)
{
    const level_marking *job = context;
    const blocks *b = job->blocks;
    int at[3];
    for (at[2] = begin; at[2] < end; at[2]++)
        for (at[1] = 0; at[1] < b->n[1]; at[1]++)
            for (at[0] = 0; at[0] < b->n[0]; at[0]++) {
                size_t n = blocks_index(b, at);
                bool wet_side = job->has[n] & HAS_LIQUID && level_at_side(b, at);
                bool near = wet_side || level_around(job, at) == (HAS_LIQUID | HAS_OTHER);
                b->table[n] = near ? BLOCK_NEAR : job->has[n] == HAS_LIQUID ? BLOCK_INSIDE : BLOCK_OUTSIDE;
            }
}

static fr_result level_mark(const source *s, blocks *b)
{
    level_marking job = {s->of, b, MEMORY_NEW(uint8_t, (size_t)b->n[0] * (size_t)b->n[1] * (size_t)b->n[2])};
    if (!job.has)
        return FR_ERROR_MEMORY;
    threads_for(b->n[2], level_look_layers, &job);
    threads_for(b->n[2], level_mark_layers, &job);
    memory_free(job.has);
    return FR_OK;
}

void level_velocity(const level *l, const double at[3], float velocity[3])
{
    for (int a = 0; a < 3; a++)
        velocity[a] = probe_at(&l->velocity[a], at);
}

static void level_source_velocity(const source *s, const double at[3], float velocity[3])
{
    level_velocity(s->of, at, velocity);
}

fr_result level_source(level *l, int fine, double overlap, source *out)
{
    const double *h = l->frame->spacing;
    l->fine = fine;
    l->overlap = (float)(overlap * fmin(h[0], fmin(h[1], h[2])));
    *out = (source){.of = l,
                    .far = (float)(far_cells * l->smallest),
                    .smooth = true,
                    .bulge = (float)(0.1 * l->smallest),
                    .mark = level_mark,
                    .fill = level_fill,
                    .velocity = level_source_velocity};
    for (int a = 0; a < 3; a++) {
        out->n[a] = fine * (l->cells[a] + 1) + 1;
        out->high[a] = out->n[a] - 1;
    }
    FR_TRY(source_places(out));
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < out->n[a]; i++)
            out->place[a][i] = 0.5 * (level_place(l, a, i / fine) + level_place(l, a, (i + fine - 1) / fine));
    FR_TRY(spheres_create(l->frame, out, l->step, &l->spheres));
    out->spheres = l->spheres.first ? &l->spheres : NULL;
    return FR_OK;
}

void level_end(level *l, source *s)
{
    spheres_destroy(&l->spheres);
    source_destroy(s);
    level_close(l);
}

/* Four samples around a place along an axis, and the weights of cubic interpolation (Keys 1981); beyond the ends the
   last sample counts again. */
static void level_weights(const level *l, int axis, double at, int cell[4], float weight[4])
{
    double place = axis < l->frame->dims ? (at - l->frame->origin[axis]) / l->step[axis] - 0.5 : 0;
    double low = floor(fmin(fmax(place, -1), l->cells[axis])), t = fmin(fmax(place - low, 0), 1);
    for (int i = 0; i < 4; i++) {
        int c = (int)low - 1 + i;
        cell[i] = c < 0 ? 0 : c >= l->cells[axis] ? l->cells[axis] - 1 : c;
    }
    weight[0] = (float)(t * (t * (2 - t) - 1) / 2);
    weight[1] = (float)((t * t * (3 * t - 5) + 2) / 2);
    weight[2] = (float)(t * (t * (4 - 3 * t) + 1) / 2);
    weight[3] = (float)(t * t * (t - 1) / 2);
}

static float level_cubic(const level *l, const double at[3])
{
    int cell[3][4];
    float weight[3][4], sum = 0;
    for (int a = 0; a < 3; a++)
        level_weights(l, a, at[a], cell[a], weight[a]);
    for (int c = 0; c < 64; c++) {
        int x = c % 4, y = c / 4 % 4, z = c / 16;
        float w = weight[0][x] * weight[1][y] * weight[2][z];
        if (w != 0)
            sum += w * level_cell(l, (const int[3]){cell[0][x], cell[1][y], cell[2][z]});
    }
    return sum;
}

float level_distance(const level *l, const double at[3])
{
    float value = level_cubic(l, at);
    if (!(fabs((double)value) < 1.5 * l->smallest))
        return value;
    double square = 0;
    for (int a = 0; a < l->frame->dims; a++) {
        double low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]}, half = 0.25 * l->step[a];
        low[a] -= half;
        high[a] += half;
        square += pow((double)(level_cubic(l, high) - level_cubic(l, low)) / (2 * half), 2);
    }
    return (float)(value / fmax(sqrt(square), 0.3));
}
