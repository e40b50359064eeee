#include "surface/tetrahedra.h"

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "surface/scheme.h"
#include "surface/spheres.h"

/* The vertices of a block, by the nodes that own them. */
typedef struct march_block {
    uint64_t slots[BLOCK_NODES];  /* bit s: there is a vertex at slot s */
    uint16_t inside[BLOCK_NODES]; /* bit p: point p of the node's cell is in the liquid */
    uint16_t before[BLOCK_NODES]; /* number of the block's vertices before this node's */
    int32_t vertices, triangles;  /* number in this block; after march_add_up the number in all blocks before it */
    bool full;                    /* it has vertices or triangles */
} march_block;

typedef struct march {
    const blocks *blocks;
    const source *source;
    scheme scheme;
    float *share[3]; /* of cubic interpolation in the middle of a cell: march_middle */
    march_block *marched;
    fr_mesh *mesh;
} march;

/* A node while its block is worked on. */
typedef struct march_node {
    int in_block[3], at[3]; /* its place in the block and in the lattice */
    int own;                /* index in the block */
    int room;               /* the axes along which the lattice goes on, as bits */
    int sides;              /* axes across which it lies on a side of the domain */
    spheres_near near;      /* what may correct values in its cell */
} march_node;

static march_node march_find_node(const march *m, const block *block, int own)
{
    march_node node = {.in_block = {own % BLOCK_SIDE, own / BLOCK_SIDE % BLOCK_SIDE, own / (BLOCK_SIDE * BLOCK_SIDE)},
                       .own = own,
                       .near = spheres_at(m->source->spheres, block->node)};
    for (int a = 0; a < 3; a++) {
        node.at[a] = block->node[a] + node.in_block[a];
        node.room |= (node.at[a] + 1 < m->source->n[a]) << a;
        node.sides |= (node.at[a] == 0 || node.at[a] + 1 == m->source->n[a]) << a;
    }
    return node;
}

static bool march_is_beyond(const march *m, const march_node *node)
{
    return node->at[0] >= m->source->n[0] || node->at[1] >= m->source->n[1] || node->at[2] >= m->source->n[2];
}

static const int window_step[3] = {1, WINDOW_SIDE, WINDOW_SIDE * WINDOW_SIDE};

/* The value in the middle of a face or of a cell: by cubics along the axes, (9(f₀ + f₁) − f₋₁ − f₂)/16 along a single
   one. `low` is the lowest corner; share[x] is 1/8, or 0 for linear interpolation. */
static float march_middle(const float *low, const int *step, const float *share, int axes, float bulge)
{
    const int corners = 1 << axes;
    float sum = 0, least = INFINITY, most = -INFINITY;
    for (int c = 0; c < corners; c++) {
        ptrdiff_t at = 0;
        for (int x = 0; x < axes; x++)
            at += (c >> x & 1) * step[x];
        sum += low[at];
        least = low[at] < least ? low[at] : least;
        most = low[at] > most ? low[at] : most;
    }
    float mean = sum / (float)corners, value = mean;
    for (int x = 0; x < axes; x++) {
        if (!(share[x] > 0))
            continue;
        float outer = 0;
        for (int c = 0; c < corners; c++) {
            ptrdiff_t at = (c >> x & 1 ? 2 : -1) * step[x];
            for (int y = 0; y < axes; y++)
                at += y != x ? (c >> y & 1) * step[y] : 0;
            outer += low[at];
        }
        value -= share[x] * (outer / (float)corners - mean);
    }
    return source_limit(value, least, most, bulge);
}

/* A value between the nodes, corrected by the spheres around it. */
static float march_corrected(const march *m, const march_node *node, int point, float value)
{
    double at[3];
    if (node->near.count == 0)
        return value;
    for (int a = 0; a < 3; a++) {
        const double *place = m->source->place[a] + node->at[a];
        int halves = m->scheme.place[point][a];
        at[a] = halves == 1 ? 0.5 * (place[0] + place[1]) : place[halves / 2];
    }
    return spheres_correct(m->source->spheres, node->near, at, value);
}

/* The values at the points of the node's cell that exist. */
static void march_values(const march *m, const float *window, const march_node *node, float values[SCHEME_POINTS])
{
    const float *low = window + window_node(node->in_block[0], node->in_block[1], node->in_block[2]);
    const int points = m->scheme.points_in_room[node->room];
    const float bulge = m->source->bulge;
    float share[3];
    for (int a = 0; a < 3; a++)
        share[a] = m->share[a][node->at[a]];
    for (int p = 0; p < m->scheme.points; p++) {
        if (!(points >> p & 1))
            continue;
        int axis = (p - POINT_FACE) / 2, others[2] = {axis == 0, axis == 2 ? 1 : 2};
        if (p < POINT_FACE)
            values[p] = low[(p & 1) * window_step[0] + (p >> 1 & 1) * window_step[1] + (p >> 2) * window_step[2]];
        else if (p == POINT_CENTRE)
            values[p] = march_corrected(m, node, p, march_middle(low, window_step, share, 3, bulge));
        else
            values[p] = march_corrected(m, node, p,
                                        march_middle(low + (p - POINT_FACE) % 2 * window_step[axis],
                                                     (const int[2]){window_step[others[0]], window_step[others[1]]},
                                                     (const float[2]){share[others[0]], share[others[1]]}, 2, bulge));
    }
}

/* The points of the node's cell that are in the liquid. Where all corners are, or none, so are the other points, unless
   spheres know better. */
static int march_inside(const march *m, const float *window, const march_node *node)
{
    const int points = m->scheme.points_in_room[node->room], corners = points & 255;
    const float *low = window + window_node(node->in_block[0], node->in_block[1], node->in_block[2]);
    int inside = 0;
    for (int p = 0; p < POINT_FACE; p++)
        inside |= (low[(p & 1) * window_step[0] + (p >> 1 & 1) * window_step[1] + (p >> 2) * window_step[2]] < 0) << p;
    inside &= corners;
    if ((inside == 0 || inside == corners) && node->near.count == 0)
        return inside ? points : 0;
    float values[SCHEME_POINTS] = {0};
    march_values(m, window, node, values);
    for (int p = POINT_FACE; p < m->scheme.points; p++)
        inside |= (values[p] < 0) << p;
    return inside & points;
}

/* The slots of a node that hold vertices: edges whose ends differ, and points of the domain's sides in the liquid. */
static uint64_t march_slots(const scheme *s, const march_node *node, int inside)
{
    uint64_t slots = 0;
    if (inside == 0 || (inside == s->points_in_room[node->room] && !node->sides))
        return 0;
    for (int i = 0; i < s->slots; i++) {
        int p = s->ends[i][0], q = s->ends[i][1], axes = p < POINT_FACE ? 7 : 1 << (p - POINT_FACE) / 2;
        bool vertex = p != q ? ((inside >> p ^ inside >> q) & 1) : (inside >> p & 1) && node->sides & axes;
        slots |= (uint64_t)vertex << i;
    }
    return slots & s->slots_in_room[node->room];
}

static int march_set(const uint8_t corners[4], int inside)
{
    return (inside >> corners[0] & 1) | (inside >> corners[1] & 1) << 1 | (inside >> corners[2] & 1) << 2 |
           (inside >> corners[3] & 1) << 3;
}

/* Whether the lower face of the node's cell across the axis is part of a side of the domain. */
static bool march_has_side(const march_node *node, int axis)
{
    return node->sides >> axis & 1 && (node->room | 1 << axis) == 7;
}

/* The part of a triangle on a side that is in the liquid, as a polygon. Returns its number of vertices. */
static int march_clip(const scheme *s, const uint8_t triangle[3], int inside, scheme_slot polygon[4])
{
    int count = 0;
    for (int c = 0; c < 3; c++) {
        int p = triangle[c], q = triangle[(c + 1) % 3];
        if (inside >> p & 1)
            polygon[count++] = s->between[p][p];
        if ((inside >> p ^ inside >> q) & 1)
            polygon[count++] = s->between[p][q];
    }
    return count;
}

static int march_count_triangles(const scheme *s, const march_node *node, int inside)
{
    int count = 0;
    if (inside == 0)
        return 0;
    if (node->room == 7 && inside != s->points_in_room[7])
        for (int t = 0; t < s->tetrahedra; t++)
            count += s->cuts[t][march_set(s->corners[t], inside)].count;
    for (int a = 0; a < 3 && node->sides; a++)
        for (int t = 0; t < s->face_triangles && march_has_side(node, a); t++) {
            scheme_slot polygon[4];
            int corners = march_clip(s, s->face[a][t], inside, polygon);
            count += corners > 2 ? corners - 2 : 0;
        }
    return count;
}

static void march_count(void *context, int begin, int end)
{
    const march *m = context;
    for (int n = begin; n < end; n++) {
        march_block *marched = &m->marched[n];
        const block *block = &m->blocks->stored[n];
        float window[WINDOW_NODES];
        blocks_window(m->blocks, block, window);
        for (int own = 0; own < BLOCK_NODES; own++) {
            march_node node = march_find_node(m, block, own);
            marched->before[own] = (uint16_t)marched->vertices;
            if (march_is_beyond(m, &node))
                continue;
            int inside = march_inside(m, window, &node);
            marched->inside[own] = (uint16_t)inside;
            marched->slots[own] = march_slots(&m->scheme, &node, inside);
            marched->vertices += __builtin_popcountll(marched->slots[own]);
            marched->triangles += march_count_triangles(&m->scheme, &node, inside);
        }
    }
}

/* Turns the counts per block into the counts before each block (exclusive prefix sum). */
static void march_add_up(march *m)
{
    int64_t vertices = 0, triangles = 0;
    for (int32_t n = 0; n < m->blocks->count; n++) {
        march_block *marched = &m->marched[n];
        int32_t own[2] = {marched->vertices, marched->triangles};
        marched->vertices = (int32_t)vertices;
        marched->triangles = (int32_t)triangles;
        marched->full = own[0] > 0 || own[1] > 0;
        vertices += own[0];
        triangles += own[1];
    }
    m->mesh->vertex_count = vertices;
    m->mesh->triangle_count = triangles;
}

/* A block and its seven upper neighbours, numbered by the bits x, y, z. They hold all corners of the block's cells. */
typedef struct march_around {
    int32_t block[8];
} march_around;

static march_around march_look_around(const blocks *b, const block *block)
{
    march_around around;
    for (int c = 0; c < 8; c++) {
        const int node[3] = {block->node[0] + (c & 1) * BLOCK_SIDE, block->node[1] + (c >> 1 & 1) * BLOCK_SIDE,
                             block->node[2] + (c >> 2) * BLOCK_SIDE};
        around.block[c] = blocks_find(b, node);
    }
    return around;
}

/* The number of the vertex at a slot. */
static int32_t march_vertex(const march *m, const march_around *around, const march_node *node, scheme_slot slot)
{
    int place[3], which = 0;
    for (int a = 0; a < 3; a++) {
        place[a] = node->in_block[a] + (slot.owner >> a & 1);
        which |= (place[a] == BLOCK_SIDE) << a;
        place[a] &= BLOCK_SIDE - 1;
    }
    const march_block *marched = &m->marched[around->block[which]];
    int own = block_node(place[0], place[1], place[2]);
    int before = __builtin_popcountll(marched->slots[own] & ((UINT64_C(1) << slot.slot) - 1));
    return marched->vertices + marched->before[own] + before;
}

/* Where the vertex at a slot lies, in cells from the node. A vertex on an edge is never at one of its ends: triangles
   without an area have no normal. */
static void march_locate(const march *m, const float values[SCHEME_POINTS], int slot, float in_cell[3])
{
    const float closest = 0.01f;
    const uint8_t *ends = m->scheme.ends[slot], *p = m->scheme.place[ends[0]], *q = m->scheme.place[ends[1]];
    float t = values[ends[0]] / (values[ends[0]] - values[ends[1]]);
    t = ends[0] == ends[1] ? 0 : t < closest ? closest : t > 1 - closest ? 1 - closest : t;
    for (int a = 0; a < 3; a++)
        in_cell[a] = 0.5f * ((float)p[a] + t * (float)(q[a] - p[a]));
}

/* The gradients at the nodes of a block's cells, by central differences, one-sided at the sides. */
enum { SLOPE_SIDE = BLOCK_SIDE + 1, SLOPE_NODES = SLOPE_SIDE * SLOPE_SIDE * SLOPE_SIDE };
typedef float march_slope[3];

static void march_slopes(const march *m, const float *window, const block *block, march_slope slopes[SLOPE_NODES])
{
    for (int n = 0; n < SLOPE_NODES; n++) {
        const int at[3] = {n % SLOPE_SIDE, n / SLOPE_SIDE % SLOPE_SIDE, n / (SLOPE_SIDE * SLOPE_SIDE)};
        const float *own = window + window_node(at[0], at[1], at[2]);
        for (int a = 0; a < 3; a++) {
            int i = block->node[a] + at[a], last = m->source->n[a] - 1, low = i > 0, high = i < last;
            slopes[n][a] = 0;
            if (i <= last)
                slopes[n][a] = (own[high * window_step[a]] - own[-low * window_step[a]]) /
                               (float)(m->source->place[a][i + high] - m->source->place[a][i - low]);
        }
    }
}

static void march_unit(float v[3])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++)
        v[a] = length > 0 ? v[a] / length : a == 1;
}

static void march_slope_at(const march_slope *slopes, const march_node *node, const float in_cell[3], float normal[3])
{
    for (int c = 0; c < 8; c++) {
        float weight = 1;
        int at[3];
        for (int a = 0; a < 3; a++) {
            weight *= c >> a & 1 ? in_cell[a] : 1 - in_cell[a];
            at[a] = node->in_block[a] + (c >> a & 1);
        }
        const float *slope = slopes[(at[2] * SLOPE_SIDE + at[1]) * SLOPE_SIDE + at[0]];
        for (int a = 0; a < 3; a++)
            normal[a] += weight * slope[a];
    }
    march_unit(normal);
}

/* Of a vertex at a point of the domain's sides: out of the domain. */
static void march_side_normal(const march_node *node, int point, float normal[3])
{
    for (int a = 0; a < 3; a++)
        if (node->sides >> a & 1 && (point < POINT_FACE || point == POINT_FACE + 2 * a))
            normal[a] = node->at[a] == 0 ? -1 : 1;
    march_unit(normal);
}

/* What is known of a block while its part of the mesh is built. */
typedef struct march_work {
    const march *march;
    march_block *marched;
    march_around around;
    float window[WINDOW_NODES];
    march_slope slopes[SLOPE_NODES]; /* of a smooth source */
} march_work;

static void march_place(const march_work *w, const march_node *node)
{
    const march *m = w->march;
    uint64_t slots = w->marched->slots[node->own];
    int32_t vertex = w->marched->vertices + w->marched->before[node->own];
    float values[SCHEME_POINTS] = {0}, in_cell[3];
    if (slots)
        march_values(m, w->window, node, values);
    for (; slots; slots &= slots - 1, vertex++) {
        int slot = __builtin_ctzll(slots), point = m->scheme.ends[slot][0];
        march_locate(m, values, slot, in_cell);
        for (int a = 0; a < 3; a++) {
            const double *place = m->source->place[a] + node->at[a];
            double step = in_cell[a] > 0 ? place[1] - place[0] : 0;
            m->mesh->vertices[vertex][a] = (float)(place[0] + (double)in_cell[a] * step);
        }
        if (!m->mesh->normals)
            continue;
        if (point == m->scheme.ends[slot][1])
            march_side_normal(node, point, m->mesh->normals[vertex]);
        else
            march_slope_at(w->slopes, node, in_cell, m->mesh->normals[vertex]);
    }
}

static int32_t march_add_triangle(const march_work *w, const march_node *node, const scheme_slot corners[3],
                                  int32_t next)
{
    for (int c = 0; c < 3; c++)
        w->march->mesh->triangles[next][c] = march_vertex(w->march, &w->around, node, corners[c]);
    return next + 1;
}

/* Closes the surface at the domain's sides. */
static int32_t march_close(const march_work *w, const march_node *node, int inside, int32_t next)
{
    const scheme *s = &w->march->scheme;
    for (int a = 0; a < 3; a++)
        for (int t = 0; t < s->face_triangles && march_has_side(node, a); t++) {
            scheme_slot polygon[4];
            int corners = march_clip(s, s->face[a][t], inside, polygon);
            bool low = node->at[a] == 0;
            for (int c = 2; c < corners; c++) {
                const scheme_slot triangle[3] = {polygon[0], polygon[low ? c : c - 1], polygon[low ? c - 1 : c]};
                next = march_add_triangle(w, node, triangle, next);
            }
        }
    return next;
}

static int32_t march_connect(const march_work *w, const march_node *node, int32_t next)
{
    const scheme *s = &w->march->scheme;
    int inside = w->marched->inside[node->own];
    if (inside == 0)
        return next;
    if (node->room == 7 && inside != s->points_in_room[7])
        for (int t = 0; t < s->tetrahedra; t++) {
            const scheme_cut *cut = &s->cuts[t][march_set(s->corners[t], inside)];
            for (int i = 0; i < cut->count; i++)
                next = march_add_triangle(w, node, cut->vertices + 3 * i, next);
        }
    return node->sides ? march_close(w, node, inside, next) : next;
}

static void march_build(void *context, int begin, int end)
{
    const march *m = context;
    for (int n = begin; n < end; n++) {
        const block *block = &m->blocks->stored[n];
        march_work w = {.march = m, .marched = &m->marched[n]};
        int32_t next = w.marched->triangles;
        if (!w.marched->full)
            continue;
        w.around = march_look_around(m->blocks, block);
        blocks_window(m->blocks, block, w.window);
        if (m->mesh->normals)
            march_slopes(m, w.window, block, w.slopes);
        for (int own = 0; own < BLOCK_NODES; own++) {
            march_node node = march_find_node(m, block, own);
            if (march_is_beyond(m, &node))
                continue;
            march_place(&w, &node);
            next = march_connect(&w, &node, next);
        }
    }
}

/* Cubic interpolation in the middle between nodes i and i + 1 needs one more node on either side, all equally far
   apart. */
static fr_result march_share(march *m)
{
    for (int a = 0; a < 3; a++) {
        const int n = m->source->n[a];
        const double *place = m->source->place[a];
        m->share[a] = MEMORY_NEW(float, n);
        if (!m->share[a])
            return FR_ERROR_MEMORY;
        for (int i = 1; m->source->smooth && i + 2 < n; i++) {
            double step = place[i + 1] - place[i], uneven = fabs(place[i] - place[i - 1] - step);
            uneven = fmax(uneven, fabs(place[i + 2] - place[i + 1] - step));
            m->share[a][i] = uneven < 1e-3 * step ? 0.125f : 0;
        }
    }
    return FR_OK;
}

static fr_result march_room(march *m)
{
    fr_mesh *mesh = m->mesh;
    if (mesh->vertex_count >= INT32_MAX || mesh->triangle_count >= INT32_MAX / 3)
        return fr_fail(FR_ERROR_UNSUPPORTED,
                       "the liquid's surface has too many triangles; take fewer tetrahedra or larger cells");
    mesh->vertices = memory_alloc((size_t)mesh->vertex_count * sizeof *mesh->vertices);
    mesh->triangles = memory_alloc((size_t)mesh->triangle_count * sizeof *mesh->triangles);
    if (m->source->smooth)
        mesh->normals = memory_alloc((size_t)mesh->vertex_count * sizeof *mesh->normals);
    return mesh->vertices && mesh->triangles && (mesh->normals || !m->source->smooth) ? FR_OK : FR_ERROR_MEMORY;
}

fr_result tetrahedra_march(const blocks *b, int tetrahedra, fr_mesh *mesh)
{
    march m = {.blocks = b, .source = b->source, .marched = MEMORY_NEW(march_block, b->count), .mesh = mesh};
    scheme_make(tetrahedra, &m.scheme);
    fr_result result = m.marched ? march_share(&m) : FR_ERROR_MEMORY;
    if (result == FR_OK) {
        threads_for(b->count, march_count, &m);
        march_add_up(&m);
        result = march_room(&m);
    }
    if (result == FR_OK)
        threads_for(b->count, march_build, &m);
    for (int a = 0; a < 3; a++)
        memory_free(m.share[a]);
    memory_free(m.marched);
    return result;
}
