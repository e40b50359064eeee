/* Every cell is cut into the six tetrahedra around its diagonal, in the same way (Kuhn 1960). So neighbouring cells
   agree on the diagonals of their common face: the surface has no holes and no ambiguous cases. Each node owns the
   seven edges that lead from it one step up along one, two or three axes. An edge whose ends differ in sign holds a
   vertex. */
#include "surface/tetrahedra.h"

#include "base/memory.h"
#include "base/threads.h"

/* The edges of a block's nodes that hold vertices. */
typedef struct march_block {
    uint8_t edges[BLOCK_NODES];      /* bit e − 1: the edge to corner e (bits x, y, z) */
    uint16_t before[BLOCK_NODES];    /* number of the block's vertices before this node's */
    int32_t vertices, triangles;     /* number in this block; after march_add_up the number in all blocks before it */
} march_block;

typedef struct march {
    const blocks *blocks;
    march_block *marched;
    fr_mesh *mesh;
} march;

/* A block and its seven upper neighbours, numbered by the bits x, y, z. They hold all corners of the block's cells. */
typedef struct march_corner {
    int32_t block[8];
} march_corner;

static march_corner march_around(const blocks *b, const block *block)
{
    march_corner around;
    for (int c = 0; c < 8; c++) {
        const int at[3] = {block->at[0] + (c & 1), block->at[1] + (c >> 1 & 1), block->at[2] + (c >> 2)};
        bool there = at[0] < b->n[0] && at[1] < b->n[1] && at[2] < b->n[2];
        around.block[c] = there ? b->table[blocks_index(b, at)] : BLOCK_OUTSIDE;
    }
    return around;
}

/* A node: its block, which may not be stored, and its index there. */
typedef struct march_node {
    int32_t block;
    int node;
} march_node;

static march_node march_find(const march_corner *around, const int node[3], int corner)
{
    int place[3], which = 0;
    for (int a = 0; a < 3; a++) {
        place[a] = node[a] + (corner >> a & 1);
        if (place[a] == BLOCK_SIDE) {
            place[a] = 0;
            which |= 1 << a;
        }
    }
    return (march_node){around->block[which], block_node(place[0], place[1], place[2])};
}

static float march_value(const blocks *b, march_node at)
{
    if (at.block < 0)
        return at.block == BLOCK_INSIDE ? -b->sampler->radius : b->sampler->radius;
    return b->stored[at.block].value[at.node];
}

/* The corners of a cell that are in the liquid, as bits. */
static int march_inside(const blocks *b, const march_corner *around, const int node[3])
{
    int inside = 0;
    for (int c = 0; c < 8; c++)
        inside |= (march_value(b, march_find(around, node, c)) < 0) << c;
    return inside;
}

/* The tetrahedra of a cell: paths of corners from 0 to 7, one axis per step. The two middle corners are swapped where
   the orientation would be negative. */
static const uint8_t tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                                         {0, 3, 2, 7}, {0, 5, 1, 7}, {0, 6, 4, 7}};

/* For each set of corners in the liquid an even permutation of the corners. It begins with those in the liquid; where
   these are three, with the one in the air. */
static const uint8_t arrangement[16][4] = {
    {0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 3, 2}, {0, 1, 2, 3}, {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 0, 3}, {3, 2, 1, 0},
    {3, 2, 1, 0}, {0, 3, 1, 2}, {1, 3, 2, 0}, {2, 3, 0, 1}, {2, 3, 0, 1}, {1, 0, 3, 2}, {0, 1, 2, 3}, {0, 1, 2, 3}};
static const uint8_t corner_count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/* The triangles of one tetrahedron. Each vertex is given by the edge that it cuts, a pair of corners. Returns the
   number of triangles. */
static int march_cut(const uint8_t corners[4], int inside, uint8_t cuts[6][2])
{
    /* Cuts for one corner in the liquid, for one in the air (three), and for two and two, oriented to the outside. */
    static const uint8_t one[3][2] = {{0, 1}, {0, 2}, {0, 3}}, three[3][2] = {{0, 1}, {0, 3}, {0, 2}};
    static const uint8_t two[6][2] = {{0, 2}, {0, 3}, {1, 3}, {0, 2}, {1, 3}, {1, 2}};
    int set = 0;
    for (int i = 0; i < 4; i++)
        set |= (inside >> corners[i] & 1) << i;
    int most = corner_count[set], cut = most == 0 || most == 4 ? 0 : most == 2 ? 6 : 3;
    const uint8_t(*edges)[2] = most == 1 ? one : most == 2 ? two : three;
    for (int i = 0; i < cut; i++)
        for (int end = 0; end < 2; end++)
            cuts[i][end] = corners[arrangement[set][edges[i][end]]];
    return cut / 3;
}

static int march_count_triangles(int inside)
{
    uint8_t cuts[6][2];
    int count = 0;
    if (inside == 0 || inside == 255)
        return 0;
    for (int t = 0; t < 6; t++)
        count += march_cut(tetrahedra[t], inside, cuts);
    return count;
}

static void march_count(void *context, int begin, int end)
{
    const march *m = context;
    for (int n = begin; n < end; n++) {
        march_block *marched = &m->marched[n];
        march_corner around = march_around(m->blocks, &m->blocks->stored[n]);
        int node[3], i = 0;
        for (node[2] = 0; node[2] < BLOCK_SIDE; node[2]++)
            for (node[1] = 0; node[1] < BLOCK_SIDE; node[1]++)
                for (node[0] = 0; node[0] < BLOCK_SIDE; node[0]++, i++) {
                    int inside = march_inside(m->blocks, &around, node);
                    marched->before[i] = (uint16_t)marched->vertices;
                    for (int c = 1; c < 8; c++)
                        if ((inside >> c & 1) != (inside & 1)) {
                            marched->edges[i] |= (uint8_t)(1 << (c - 1));
                            marched->vertices++;
                        }
                    marched->triangles += march_count_triangles(inside);
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
        vertices += own[0];
        triangles += own[1];
    }
    m->mesh->vertex_count = vertices;
    m->mesh->triangle_count = triangles;
}

static int32_t march_vertex(const march *m, march_node owner, int edge)
{
    const march_block *marched = &m->marched[owner.block];
    int before = __builtin_popcount(marched->edges[owner.node] & ((1u << (edge - 1)) - 1));
    return marched->vertices + marched->before[owner.node] + before;
}

/* Places the vertices between the ends of their edges, never at one of them: degenerate triangles have no normal. */
static void march_place(const march *m, const march_corner *around, const block *block, const int node[3])
{
    const float closest = 0.04f;
    march_node own = march_find(around, node, 0);
    float place[3], here = march_value(m->blocks, own);
    blocks_place(m->blocks, block, node, place);
    for (int c = 1; c < 8; c++) {
        if (!(m->marched[own.block].edges[own.node] >> (c - 1) & 1))
            continue;
        float there = march_value(m->blocks, march_find(around, node, c)), t = here / (here - there);
        t = t < closest ? closest : t > 1 - closest ? 1 - closest : t;
        float *vertex = m->mesh->vertices[march_vertex(m, own, c)];
        for (int a = 0; a < 3; a++)
            vertex[a] = place[a] + (c >> a & 1 ? t * (float)m->blocks->cell : 0);
    }
}

/* Of two corners of a tetrahedron one is the lower along all axes in which they differ: it owns the edge. */
static int32_t march_cut_vertex(const march *m, const march_corner *around, const int node[3], const uint8_t cut[2])
{
    int owner = cut[0] & cut[1], edge = cut[0] ^ cut[1];
    return march_vertex(m, march_find(around, node, owner), edge);
}

static int32_t march_connect(const march *m, const march_corner *around, const int node[3], int32_t next)
{
    int inside = march_inside(m->blocks, around, node);
    uint8_t cuts[6][2];
    if (inside == 0 || inside == 255)
        return next;
    for (int t = 0; t < 6; t++) {
        int count = march_cut(tetrahedra[t], inside, cuts);
        for (int i = 0; i < 3 * count; i++)
            m->mesh->triangles[next + i / 3][i % 3] = march_cut_vertex(m, around, node, cuts[i]);
        next += count;
    }
    return next;
}

static void march_build(void *context, int begin, int end)
{
    const march *m = context;
    for (int n = begin; n < end; n++) {
        const block *block = &m->blocks->stored[n];
        march_corner around = march_around(m->blocks, block);
        int node[3];
        int32_t next = m->marched[n].triangles;
        for (node[2] = 0; node[2] < BLOCK_SIDE; node[2]++)
            for (node[1] = 0; node[1] < BLOCK_SIDE; node[1]++)
                for (node[0] = 0; node[0] < BLOCK_SIDE; node[0]++) {
                    march_place(m, &around, block, node);
                    next = march_connect(m, &around, node, next);
                }
    }
}

fr_result tetrahedra_march(const blocks *b, fr_mesh *mesh)
{
    march m = {b, MEMORY_NEW(march_block, b->count), mesh};
    if (!m.marched)
        return FR_ERROR_MEMORY;
    threads_for(b->count, march_count, &m);
    march_add_up(&m);
    bool few = mesh->vertex_count < INT32_MAX && mesh->triangle_count < INT32_MAX / 3;
    fr_result result =
        few ? FR_OK : fr_fail(FR_ERROR_UNSUPPORTED, "the liquid's surface has too many triangles; take larger cells");
    if (few) {
        mesh->vertices = memory_alloc((size_t)mesh->vertex_count * sizeof *mesh->vertices);
        mesh->triangles = memory_alloc((size_t)mesh->triangle_count * sizeof *mesh->triangles);
        result = mesh->vertices && mesh->triangles ? FR_OK : FR_ERROR_MEMORY;
    }
    if (result == FR_OK)
        threads_for(b->count, march_build, &m);
    memory_free(m.marched);
    return result;
}
