/* A lattice of cells over the shape: each cell that the surface crosses gives one point. Around the cell's centre the
   surface is probed at a few places; the point is the one that is nearest to all their tangent planes (the quadratic
   error function of Ju, Losasso, Schaefer & Warren 2002), so that it falls into edges and corners. Where the surface is
   smooth that is as good as any other of its points, and it is dropped onto the surface. */
#include "rigid/surface.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    DROPS = 12,             /* steps of a drop to the surface */
    LEVELS = 5,             /* of probes that are ever nearer to a ridge, by this part: */
    PROBES_MOST = 9,        /* the centre and the cell's corners */
    CELLS_LEAST = 5,        /* cells along the shortest side of the box, but for thin ones: */
    CELLS_ENOUGH = 40,      /* along the longest side, and if it takes more than */
    CELLS_MOST = 128,       /* they grow beyond the spacing */
    BLOCK = 4               /* cells along the side of a block */
};

/* Parts of the spacing. */
static const double CLOSE = 1e-7;        /* what a drop may leave */
static const double MERGE = 0.3;         /* points that are nearer are one */
static const double WIDE = 0.9, NARROW = 0.45;   /* where probes are taken: one or the other sees a cell's corner */
static const double MEET = 0.2;          /* how far from a common point of its sides' planes a ridge may pass */
static const double DIFFERENCE = 1e-4;   /* for slopes */
static const double FLAT = 20;           /* the radius of curvature that counts as flat */

static const double NEARER = 0.35;

/* What planes must say of a direction to count, as a sum of squares of cosines. */
static const double PLAIN = 1e-3;

/* Of the slope: by how much it changes over a difference across a ridge, at least. */
static const double RIDGE = 0.05;

/* rad, beyond its normals' cone within which a contact's normal may lie; and what the normals of a smooth patch may
   differ by. */
static const double CONE = 0.4, SMOOTH = 0.1;

/* Cosines: normals that are one side's; normals that are those of a thin wall's two sides. */
static const double ONE_SIDE = 0.98, TWO_SIDES = -0.9;

typedef struct probe {
    vec3 at, normal;
} probe;

typedef struct sampler {
    const shape *shape;
    int dims, n[3];
    double low[3], cell, reach;      /* m; reach: from a cell's centre to its corners */
    int *owner;                      /* per cell: its point + 1, or 0 */
    surface *out;
    int room;
} sampler;

static vec3 axis_unit(int a, double length)
{
    return (vec3){a == 0 ? length : 0, a == 1 ? length : 0, a == 2 ? length : 0};
}

static fr_result distance_at(const shape *s, vec3 at, double *distance)
{
    return shape_distance(s, (double[3]){at.x, at.y, at.z}, distance);
}

/* Differences of the distance along an axis. */
static fr_result axis_ends(const shape *s, vec3 at, int axis, double by, double ends[2])
{
    FR_TRY(distance_at(s, vec3_sub(at, axis_unit(axis, by)), &ends[0]));
    return distance_at(s, vec3_add(at, axis_unit(axis, by)), &ends[1]);
}

fr_result surface_slope(const shape *s, int dims, vec3 at, double by, vec3 *slope)
{
    *slope = (vec3){0, 0, 0};
    for (int a = 0; a < dims; a++) {
        double ends[2];
        FR_TRY(axis_ends(s, at, a, by, ends));
        *slope = vec3_add(*slope, axis_unit(a, (ends[1] - ends[0]) / (2 * by)));
    }
    return FR_OK;
}

/* `bend`: by how much the slope changes over the difference. */
static fr_result slope_and_bend(const shape *s, int dims, vec3 at, double by, vec3 *slope, double *bend)
{
    double here;
    FR_TRY(distance_at(s, at, &here));
    *slope = (vec3){0, 0, 0};
    *bend = 0;
    for (int a = 0; a < dims; a++) {
        double ends[2];
        FR_TRY(axis_ends(s, at, a, by, ends));
        *slope = vec3_add(*slope, axis_unit(a, (ends[1] - ends[0]) / (2 * by)));
        *bend += fabs(ends[1] + ends[0] - 2 * here) / by;
    }
    return FR_OK;
}

fr_result surface_drop(const shape *s, int dims, double spacing, vec3 *at, double *left)
{
    for (int n = 0; n < DROPS; n++) {
        vec3 slope;
        FR_TRY(distance_at(s, *at, left));
        if (fabs(*left) <= CLOSE * spacing)
            return FR_OK;
        FR_TRY(surface_slope(s, dims, *at, DIFFERENCE * spacing, &slope));
        const double steep = vec3_dot(slope, slope);
        if (!(steep > 0.01))
            return FR_OK;
        *at = vec3_sub(*at, vec3_scale(slope, *left / steep));
    }
    return distance_at(s, *at, left);
}

/* Drops a place onto the surface; `clear` if there is one tangent plane. */
static fr_result sampler_drop(const sampler *w, probe *p, bool *clear)
{
    double left, bend;
    FR_TRY(surface_drop(w->shape, w->dims, w->cell, &p->at, &left));
    FR_TRY(slope_and_bend(w->shape, w->dims, p->at, DIFFERENCE * w->cell, &p->normal, &bend));
    *clear = fabs(left) < 1e-3 * w->cell && bend < RIDGE * vec3_length(p->normal);
    p->normal = vec3_unit(p->normal);
    return FR_OK;
}

/* The places around a cell's centre, as far as `wide` times its side, where the surface has one clear tangent plane. */
static fr_result sampler_probe(const sampler *w, vec3 centre, double wide, probe found[PROBES_MOST], int *count)
{
    *count = 0;
    for (int k = 0; k <= 1 << w->dims; k++) {
        probe p = {.at = centre};
        bool clear;
        for (int a = 0; a < w->dims && k > 0; a++)
            p.at = vec3_add(p.at, axis_unit(a, ((k - 1) >> a & 1 ? wide : -wide) * w->cell));
        FR_TRY(sampler_drop(w, &p, &clear));
        if (clear && vec3_length(vec3_sub(p.at, centre)) <= (1 + 2 * wide) * w->reach)
            found[(*count)++] = p;
    }
    return FR_OK;
}

/* x of the symmetric m x = b, by Cramer's rule. */
static vec3 solve_three(const vec3 m[3], vec3 b)
{
    const vec3 yz = vec3_cross(m[1], m[2]), zx = vec3_cross(m[2], m[0]), xy = vec3_cross(m[0], m[1]);
    const vec3 sum = vec3_add(vec3_add(vec3_scale(yz, b.x), vec3_scale(zx, b.y)), vec3_scale(xy, b.z));
    return vec3_scale(sum, 1 / vec3_dot(m[0], yz));
}

/* The point that is nearest to all planes. It starts from their mean point and stays where the planes say nothing: by
   iterated regularisation (Tikhonov), whose last turn leaves PLAIN⁴ of where planes meet at right angles. */
static vec3 probes_corner(const probe *p, int count)
{
    enum { TURNS = 4 };
    vec3 at = {0, 0, 0}, sum[3];
    for (int a = 0; a < 3; a++)
        sum[a] = axis_unit(a, PLAIN);
    for (int k = 0; k < count; k++) {
        const vec3 n = p[k].normal;
        at = vec3_add(at, vec3_scale(p[k].at, 1.0 / count));
        sum[0] = vec3_add(sum[0], vec3_scale(n, n.x));
        sum[1] = vec3_add(sum[1], vec3_scale(n, n.y));
        sum[2] = vec3_add(sum[2], vec3_scale(n, n.z));
    }
    for (int turn = 0; turn < TURNS; turn++) {
        vec3 off = {0, 0, 0};
        for (int k = 0; k < count; k++)
            off = vec3_add(off, vec3_scale(p[k].normal, vec3_dot(p[k].normal, vec3_sub(p[k].at, at))));
        at = vec3_add(at, solve_three(sum, off));
    }
    return at;
}

/* Two directions across the normal, orthogonal; in 2D the first lies in the plane. */
static void point_frame(int dims, surface_point *s)
{
    const vec3 n = s->normal;
    if (dims == 2)
        s->along[0] = (vec3){-n.y, n.x, 0};
    else
        s->along[0] = vec3_unit(fabs(n.x) < 0.6 ? (vec3){0, n.z, -n.y} : (vec3){-n.z, 0, n.x});
    s->along[1] = vec3_cross(n, s->along[0]);
}

/* Curvature of a smooth surface: how the normal turns along both directions, as a symmetric 2 × 2 matrix, whose axes
   become the point's. */
static fr_result point_curvature(const sampler *w, surface_point *s)
{
    const double by = 0.05 * w->cell;
    double k[2][2] = {{0}};
    for (int a = 0; a < w->dims - 1; a++) {
        vec3 up, down;
        const vec3 step = vec3_scale(s->along[a], by);
        FR_TRY(surface_slope(w->shape, w->dims, vec3_add(s->at, step), DIFFERENCE * w->cell, &up));
        FR_TRY(surface_slope(w->shape, w->dims, vec3_sub(s->at, step), DIFFERENCE * w->cell, &down));
        up = vec3_unit(up);
        down = vec3_unit(down);
        for (int b = 0; b < w->dims - 1; b++)
            k[a][b] = vec3_dot(vec3_sub(up, down), s->along[b]) / (2 * by);
    }
    const double off = 0.5 * (k[0][1] + k[1][0]), turn = 0.5 * atan2(2 * off, k[0][0] - k[1][1]);
    const double c = cos(turn), sn = sin(turn);
    const vec3 first = s->along[0], second = s->along[1];
    s->along[0] = vec3_add(vec3_scale(first, c), vec3_scale(second, sn));
    s->along[1] = vec3_sub(vec3_scale(second, c), vec3_scale(first, sn));
    const double bend[2] = {c * c * k[0][0] + 2 * c * sn * off + sn * sn * k[1][1],
                            sn * sn * k[0][0] - 2 * c * sn * off + c * c * k[1][1]};
    for (int a = 0; a < 2; a++)
        s->reach[a] = bend[a] * FLAT * w->cell > 1 ? 1 / bend[a] : 0;
    return FR_OK;
}

/* Along an edge the extreme point may lie anywhere; at corners the normals span all directions. */
static void point_edge(const sampler *w, surface_point *s, const probe *p, int count)
{
    vec3 edge = {0, 0, 0};
    for (int k = 0; k < count; k++)
        for (int j = 0; j < k; j++) {
            vec3 cross = vec3_cross(p[j].normal, p[k].normal);
            if (vec3_length(cross) > vec3_length(edge))
                edge = cross;
        }
    edge = vec3_unit(edge);
    for (int k = 0; k < count; k++)
        if (fabs(vec3_dot(p[k].normal, edge)) > 0.4)
            return;
    if (w->dims == 3) {
        s->along[0] = edge;
        s->reach[0] = w->cell;
    }
}

/* Normal and cone from the probes, each side once. */
static void point_cone(surface_point *s, const probe *p, int count)
{
    vec3 sum = {0, 0, 0};
    double least = 1;
    for (int k = 0; k < count; k++) {
        bool known = false;
        for (int j = 0; j < k; j++)
            known = known || vec3_dot(p[j].normal, p[k].normal) > ONE_SIDE;
        if (!known)
            sum = vec3_add(sum, p[k].normal);
    }
    s->normal = vec3_unit(sum);
    for (int k = 0; k < count; k++)
        least = fmin(least, vec3_dot(s->normal, p[k].normal));
    s->cosine = acos(clampd(least, -1, 1));
}

/* Where sides that are bent meet: again from places on them that are ever nearer. At last the probes are so near that
   they differ at a ridge only. */
static fr_result probes_near(const sampler *w, probe *p, int *count, vec3 *at)
{
    for (int level = 0; level < LEVELS; level++) {
        probe next[PROBES_MOST];
        int found = 0;
        for (int k = 0; k < *count; k++) {
            bool clear;
            next[found].at = vec3_add(*at, vec3_scale(vec3_sub(p[k].at, *at), NEARER));
            FR_TRY(sampler_drop(w, &next[found], &clear));
            found += clear;
        }
        if (found == 0)
            return FR_OK;
        *at = probes_corner(next, found);
        memcpy(p, next, sizeof *p * (size_t)found);
        *count = found;
    }
    return FR_OK;
}

/* Whether all planes meet in a point of the surface, in the cell or a little beyond. */
static fr_result probes_meet(const sampler *w, vec3 centre, const probe *p, int count, vec3 at, bool *meet)
{
    double left, far = vec3_length(vec3_sub(at, centre));
    for (int k = 0; k < count; k++)
        far = fmax(far, w->reach * fabs(vec3_dot(p[k].normal, vec3_sub(at, p[k].at))) / (MEET * w->cell));
    FR_TRY(distance_at(w->shape, at, &left));
    *meet = count > 0 && far <= 1.2 * w->reach && fabs(left) <= 0.25 * w->cell;
    return FR_OK;
}

/* What a cell's probes make of its point. */
static fr_result point_make(const sampler *w, vec3 centre, probe *p, int count, surface_point *s)
{
    double left;
    bool meet;
    *s = (surface_point){.at = probes_corner(p, count)};
    FR_TRY(probes_meet(w, centre, p, count, s->at, &meet));
    point_cone(s, p, count);
    if (!meet)
        s->at = p[0].at;
    else if (s->cosine >= SMOOTH)
        FR_TRY(probes_near(w, p, &count, &s->at));
    FR_TRY(surface_drop(w->shape, w->dims, w->cell, &s->at, &left));
    point_cone(s, p, count);
    point_frame(w->dims, s);
    if (meet && s->cosine >= SMOOTH) {
        point_edge(w, s, p, count);
    } else {
        FR_TRY(surface_slope(w->shape, w->dims, s->at, DIFFERENCE * w->cell, &s->normal));
        s->normal = vec3_unit(s->normal);
        s->cosine = 0;
        point_frame(w->dims, s);
        FR_TRY(point_curvature(w, s));
    }
    s->cosine = cos(fmin(s->cosine + CONE, FR_PI));
    return FR_OK;
}

static int sampler_cell(const sampler *w, const int at[3])
{
    return (at[2] * w->n[1] + at[1]) * w->n[0] + at[0];
}

static bool point_same(const sampler *w, const surface_point *a, const surface_point *b)
{
    return vec3_length(vec3_sub(a->at, b->at)) < MERGE * w->cell && vec3_dot(a->normal, b->normal) > 0;
}

/* The point that a neighbouring cell has there already, or NULL. */
static surface_point *sampler_has(const sampler *w, const int at[3], const surface_point *point)
{
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                const int near[3] = {at[0] + i, at[1] + j, at[2] + k};
                bool in = true;
                for (int a = 0; a < 3; a++)
                    in = in && near[a] >= 0 && near[a] < w->n[a];
                const int owner = in ? w->owner[sampler_cell(w, near)] : 0;
                if (owner > 0 && point_same(w, &w->out->points[owner - 1], point))
                    return &w->out->points[owner - 1];
            }
    return NULL;
}

static fr_result sampler_push(sampler *w, const surface_point *s)
{
    surface *out = w->out;
    if (out->count == w->room) {
        w->room = w->room ? 2 * w->room : 256;
        surface_point *more = realloc(out->points, sizeof *more * (size_t)w->room);
        if (!more)
            return fr_fail(FR_ERROR_MEMORY, "out of memory for the points on a body's surface");
        out->points = more;
    }
    out->points[out->count++] = *s;
    return FR_OK;
}

/* Puts the probes from `first` on that are not on the other side of a thin wall first; gives the end of these. */
static int probes_side(probe *p, int first, int count)
{
    int end = first + 1;
    for (int k = first + 1; k < count; k++)
        if (vec3_dot(p[k].normal, p[first].normal) > TWO_SIDES) {
            const probe other = p[end];
            p[end++] = p[k];
            p[k] = other;
        }
    return end;
}

static fr_result sampler_visit(sampler *w, const int at[3])
{
    double distance;
    vec3 centre = {w->low[0] + (at[0] + 0.5) * w->cell, w->low[1] + (at[1] + 0.5) * w->cell,
                   w->dims == 2 ? 0 : w->low[2] + (at[2] + 0.5) * w->cell};
    probe p[PROBES_MOST];
    int count, sides;
    bool meet = false;
    surface_point s;
    FR_TRY(distance_at(w->shape, centre, &distance));
    if (fabs(distance) > w->reach)
        return FR_OK;
    for (int n = 0; n < 2 && !meet; n++) {
        FR_TRY(sampler_probe(w, centre, n == 0 ? WIDE : NARROW, p, &count));
        FR_TRY(probes_meet(w, centre, p, count, probes_corner(p, count), &meet));
    }
    for (int first = 0; first < count; first = sides) {
        sides = meet ? count : probes_side(p, first, count);
        FR_TRY(point_make(w, centre, p + first, sides - first, &s));
        surface_point *old = sampler_has(w, at, &s);
        if (old) {
            *old = s.cosine < old->cosine ? s : *old;
            continue;
        }
        FR_TRY(sampler_push(w, &s));
        w->owner[sampler_cell(w, at)] = w->out->count;
    }
    return FR_OK;
}

/* The ball around a block's points, which may still give way to sharper ones nearby. */
static fr_result block_close(sampler *w, int begin)
{
    surface *out = w->out;
    surface_block b = {.begin = begin, .end = out->count};
    if (begin == out->count)
        return FR_OK;
    for (int i = begin; i < b.end; i++)
        b.centre = vec3_add(b.centre, vec3_scale(out->points[i].at, 1.0 / (b.end - begin)));
    for (int i = begin; i < b.end; i++)
        b.radius = fmax(b.radius, vec3_length(vec3_sub(out->points[i].at, b.centre)) + MERGE * w->cell);
    surface_block *more = realloc(out->blocks, sizeof *more * (size_t)(out->block_count + 1));
    if (!more)
        return fr_fail(FR_ERROR_MEMORY, "out of memory for the points on a body's surface");
    out->blocks = more;
    out->blocks[out->block_count++] = b;
    return FR_OK;
}

static fr_result sampler_block(sampler *w, const int from[3])
{
    const int begin = w->out->count;
    int to[3], at[3];
    double distance, reach = 0.5 * BLOCK * w->cell * sqrt(w->dims);
    vec3 centre = {w->low[0] + (from[0] + 0.5 * BLOCK) * w->cell, w->low[1] + (from[1] + 0.5 * BLOCK) * w->cell,
                   w->dims == 2 ? 0 : w->low[2] + (from[2] + 0.5 * BLOCK) * w->cell};
    FR_TRY(distance_at(w->shape, centre, &distance));
    if (fabs(distance) > reach)
        return FR_OK;
    for (int a = 0; a < 3; a++)
        to[a] = from[a] + BLOCK < w->n[a] ? from[a] + BLOCK : w->n[a];
    for (at[2] = from[2]; at[2] < to[2]; at[2]++)
        for (at[1] = from[1]; at[1] < to[1]; at[1]++)
            for (at[0] = from[0]; at[0] < to[0]; at[0]++)
                FR_TRY(sampler_visit(w, at));
    return block_close(w, begin);
}

/* The side of the cells for a box. */
static double surface_cell(int dims, const box *in, double spacing)
{
    double longest = 0, shortest = INFINITY;
    for (int a = 0; a < dims; a++) {
        longest = fmax(longest, in->max[a] - in->min[a]);
        shortest = fmin(shortest, in->max[a] - in->min[a]);
    }
    return fmax(fmin(spacing, fmax(shortest / CELLS_LEAST, longest / CELLS_ENOUGH)), longest / CELLS_MOST);
}

/* The lattice begins a part of a cell outside of the box, so that no cell's face lies in a face of the shape. */
fr_result surface_sample(const shape *s, int dims, const box *in, double spacing, surface *out)
{
    sampler w = {.shape = s, .dims = dims, .n = {1, 1, 1}, .out = out};
    *out = (surface){0};
    out->spacing = w.cell = surface_cell(dims, in, spacing);
    w.reach = 0.5 * w.cell * sqrt(dims);
    int at[3] = {0, 0, 0};
    for (int a = 0; a < dims; a++) {
        w.n[a] = (int)ceil((in->max[a] - in->min[a]) / w.cell) + 1;
        w.low[a] = 0.5 * (in->min[a] + in->max[a] - w.n[a] * w.cell);
    }
    w.owner = MEMORY_NEW(int, (size_t)w.n[0] * (size_t)w.n[1] * (size_t)w.n[2]);
    fr_result result = w.owner ? FR_OK : FR_ERROR_MEMORY;
    for (at[2] = 0; at[2] < w.n[2] && result == FR_OK; at[2] += BLOCK)
        for (at[1] = 0; at[1] < w.n[1] && result == FR_OK; at[1] += BLOCK)
            for (at[0] = 0; at[0] < w.n[0] && result == FR_OK; at[0] += BLOCK)
                result = sampler_block(&w, at);
    memory_free(w.owner);
    if (result != FR_OK)
        surface_free(out);
    return result;
}

void surface_free(surface *s)
{
    free(s->points);
    free(s->blocks);
    *s = (surface){0};
}

fr_result surface_copy(const surface *from, surface *out)
{
    const size_t points = sizeof *out->points * (size_t)from->count;
    const size_t blocks = sizeof *out->blocks * (size_t)from->block_count;
    *out = *from;
    out->points = malloc(points + 1);
    out->blocks = malloc(blocks + 1);
    if (!out->points || !out->blocks) {
        surface_free(out);
        return fr_fail(FR_ERROR_MEMORY, "out of memory for the points on a body's surface");
    }
    if (points > 0)
        memcpy(out->points, from->points, points);
    if (blocks > 0)
        memcpy(out->blocks, from->blocks, blocks);
    return FR_OK;
}

double surface_bytes(int dims, const box *in, double spacing)
{
    const double cell = surface_cell(dims, in, spacing);
    double area = 0;
    for (int a = 0; a < dims; a++)
        area += dims == 2 ? 2 * (in->max[a] - in->min[a]) / cell
                          : 2 * (in->max[a] - in->min[a]) * (in->max[(a + 1) % 3] - in->min[(a + 1) % 3]) / cell / cell;
    return area * (double)sizeof(surface_point);
}
