/* The matrix of the finest level from the coefficients. The energy of a cross term at an edge with the cells

     c d        faces across one axis: f1 between a and b, f2 between c and d,
     a b        across the other:      g1 between a and c, g2 between b and d,

   is κ Σ over the open pairs of δ_f δ_g. Every product of differences is a sum of squares of differences:
   2 (b − a)(c − a) = (b − a)² + (c − a)² − (b − c)², and so on. Summed up, with 1 for open and 0 for closed, the links
   get

     ad: κ (f1 g2 + f2 g1)    ab: κ f1 (g1 − g2)    ac: κ g1 (f1 − f2)
     bc: −κ (f1 g1 + f2 g2)   cd: −κ f2 (g1 − g2)   bd: −κ g2 (f1 − f2).

   κ = ½ c / max(f1 + f2, g1 + g2), which is c/4 where all are open: each of the four quarter cells around the edge has
   its share. */
#include "base/threads.h"
#include "base/wide.h"
#include "grid/tensor/parts.h"

const int tensor_link_offset[TENSOR_LINKS][3] = {
    {1, 0, 0}, {-1, 1, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {-1, 0, 1}, {1, 0, 1}, {0, -1, 1}, {0, 1, 1},
};

static const int axis_link[3] = {0, 2, 4};

static void shape_measure(tensor_shape *s)
{
    s->row = wide_round(s->n[0]) + TENSOR_PAD;
    s->count = (size_t)tensor_rows(s) * (size_t)s->row + 2 * TENSOR_PAD;
}

tensor_shape tensor_shape_of(const domain *d)
{
    tensor_shape s = {.dims = d->dims};
    for (int a = 0; a < 3; a++) {
        s.n[a] = a < d->dims ? d->n[a] : 1;
        s.wraps[a] = a < d->dims && d->periodic[a];
        s.last[a] = 1;
    }
    shape_measure(&s);
    return s;
}

tensor_shape tensor_shape_halved(const tensor_shape *s, int axis)
{
    tensor_shape half = *s;
    half.n[axis] = (s->n[axis] + 1) / 2;
    half.last[axis] = (s->last[axis] + (s->n[axis] % 2 ? 0 : 1)) / 2;
    shape_measure(&half);
    return half;
}

float *tensor_take(tensor_memory *memory, const tensor_shape *s)
{
    float *array = memory->next + TENSOR_PAD;
    memory->next += s->count;
    return array;
}

size_t tensor_side_floats(const tensor_shape *s, int axis)
{
    int lower = axis == 0 ? 1 : 0, upper = axis == 2 ? 1 : 2;
    return (size_t)wide_round(s->n[lower] * s->n[upper]);
}

float *tensor_take_side(tensor_memory *memory, const tensor_shape *s, int axis)
{
    float *side = memory->next;
    memory->next += tensor_side_floats(s, axis);
    return side;
}

/* The coefficients in the matrix's layout, 0 on the sides: w of the low face of a cell, κ of the edge at its low
   corner. */
typedef struct matrix_work {
    const tensor *t;
    tensor_matrix *m;
    const field *extra;
    float number;
    float *w[3], *edge[3];
} matrix_work;

/* Copies a row of samples at the low faces or corners of cells; 0 on the sides of the axes in the bit mask. */
static void matrix_copy_row(const tensor_shape *s, const field *from, unsigned axes, int j, int k, float number,
                            float *to)
{
    bool outside = ((axes & 2) && j == 0 && !s->wraps[1]) || ((axes & 4) && k == 0 && !s->wraps[2]);
    const float *restrict row = field_row(from, j, k);
    float *restrict out = to + tensor_at(s, j, k);
    for (int i = 0; i < s->n[0]; i++)
        out[i] = outside ? 0 : number * row[i];
    if ((axes & 1) && !s->wraps[0])
        out[0] = 0;
    tensor_close_row(s, out);
}

static void matrix_copy_rows(void *context, int begin, int end)
{
    const matrix_work *w = context;
    const tensor_shape *s = &w->m->shape;
    for (int row = begin; row < end; row++)
        for (int a = 0; a < s->dims; a++)
            matrix_copy_row(s, &w->t->weight[a], 1u << a, row % s->n[1], row / s->n[1], w->number, w->w[a]);
}

/* Offset of the row of cells shifted by one along an axis. */
static ptrdiff_t matrix_shifted(const tensor_shape *s, int j, int k, const int shift[3])
{
    int to[3] = {0, j, k};
    for (int a = 1; a < 3; a++)
        to[a] = shift[a] > 0 ? tensor_next(to[a], s->n[a]) : shift[a] < 0 ? tensor_last(to[a], s->n[a]) : to[a];
    return tensor_at(s, to[1], to[2]) + shift[0];
}

static inline float matrix_open(float weight) { return weight > 0 ? 1 : 0; }

/* The faces around an edge, across a (f) and across b (g). */
typedef struct matrix_edges {
    const float *f1, *f2, *g1, *g2;
} matrix_edges;

static matrix_edges matrix_edges_at(const matrix_work *w, int a, int b, int j, int k)
{
    int low_a[3] = {0}, low_b[3] = {0}, here[3] = {0};
    low_a[a] = low_b[b] = -1;
    const tensor_shape *s = &w->m->shape;
    ptrdiff_t at = matrix_shifted(s, j, k, here);
    return (matrix_edges){w->w[a] + matrix_shifted(s, j, k, low_b), w->w[a] + at,
                          w->w[b] + matrix_shifted(s, j, k, low_a), w->w[b] + at};
}

static void matrix_edge_rows(void *context, int begin, int end)
{
    const matrix_work *w = context;
    const tensor_shape *s = &w->m->shape;
    for (int row = begin; row < end; row++)
        for (int along = s->dims == 3 ? 0 : 2; along < 3; along++) {
            int j = row % s->n[1], k = row / s->n[1], a = along == 0 ? 1 : 0, b = along == 2 ? 1 : 2;
            matrix_copy_row(s, &w->t->cross[along], 1u << a | 1u << b, j, k, w->number, w->edge[along]);
            matrix_edges e = matrix_edges_at(w, a, b, j, k);
            float *restrict edge = w->edge[along] + tensor_at(s, j, k);
            for (int i = 0; i < s->n[0]; i++) {
                float f = matrix_open(e.f1[i]) + matrix_open(e.f2[i]), g = matrix_open(e.g1[i]) + matrix_open(e.g2[i]);
                float most = f > g ? f : g;
                edge[i] *= most > 1 ? 0.25f : 0.5f;
            }
            tensor_close_row(s, edge);
        }
}

/* The parts of the sum above. Each goes to a link of a cell, from the edge at one of its corners. */
typedef enum edge_part { EDGE_AD, EDGE_BC, EDGE_AB, EDGE_CD, EDGE_AC, EDGE_BD } edge_part;

static inline float matrix_part(edge_part part, float f1, float f2, float g1, float g2)
{
    switch (part) {
    case EDGE_AD: return f1 * g2 + f2 * g1;
    case EDGE_BC: return -(f1 * g1 + f2 * g2);
    case EDGE_AB: return f1 * (g1 - g2);
    case EDGE_CD: return -f2 * (g1 - g2);
    case EDGE_AC: return g1 * (f1 - f2);
    default: return -g2 * (f1 - f2);
    }
}

__attribute__((always_inline)) static inline void matrix_add_part(const edge_part part, const matrix_edges e,
                                                                  const float *edge, int n, float *restrict link)
{
    for (int i = 0; i < n; i++)
        link[i] += edge[i] * matrix_part(part, matrix_open(e.f1[i]), matrix_open(e.f2[i]), matrix_open(e.g1[i]),
                                         matrix_open(e.g2[i]));
}

/* Adds one part to a row of links, from the edges shifted up by (in_a, in_b) cells. */
static void matrix_add_edges(const matrix_work *w, int along, edge_part part, int in_a, int in_b, int link, int j,
                             int k)
{
    const tensor_shape *s = &w->m->shape;
    int a = along == 0 ? 1 : 0, b = along == 2 ? 1 : 2, up[3] = {0};
    up[a] = in_a;
    up[b] = in_b;
    int to_j = up[1] ? tensor_next(j, s->n[1]) : j, to_k = up[2] ? tensor_next(k, s->n[2]) : k;
    matrix_edges e = matrix_edges_at(w, a, b, to_j, to_k);
    e = (matrix_edges){e.f1 + up[0], e.f2 + up[0], e.g1 + up[0], e.g2 + up[0]};
    const float *edge = w->edge[along] + tensor_at(s, to_j, to_k) + up[0];
    float *row = w->m->link[link] + tensor_at(s, j, k);
    switch (part) {
    case EDGE_AD: matrix_add_part(EDGE_AD, e, edge, s->n[0], row); break;
    case EDGE_BC: matrix_add_part(EDGE_BC, e, edge, s->n[0], row); break;
    case EDGE_AB: matrix_add_part(EDGE_AB, e, edge, s->n[0], row); break;
    case EDGE_CD: matrix_add_part(EDGE_CD, e, edge, s->n[0], row); break;
    case EDGE_AC: matrix_add_part(EDGE_AC, e, edge, s->n[0], row); break;
    default: matrix_add_part(EDGE_BD, e, edge, s->n[0], row); break;
    }
}

static void matrix_link_rows(void *context, int begin, int end)
{
    static const int falling[3] = {7, 5, 1}, rising[3] = {8, 6, 3};     /* the links across an edge along each axis */
    const matrix_work *w = context;
    const tensor_shape *s = &w->m->shape;
    for (int row = begin; row < end; row++) {
        int j = row % s->n[1], k = row / s->n[1];
        ptrdiff_t at = tensor_at(s, j, k);
        for (int link = 0; link < tensor_links(s); link++)
            memset(w->m->link[link] + at, 0, (size_t)s->n[0] * sizeof(float));
        for (int a = 0; a < s->dims; a++) {
            int up[3] = {0};
            up[a] = 1;
            memcpy(w->m->link[axis_link[a]] + at, w->w[a] + matrix_shifted(s, j, k, up),
                   (size_t)s->n[0] * sizeof(float));
        }
        for (int along = s->dims == 3 ? 0 : 2; along < 3; along++) {
            int a = along == 0 ? 1 : 0, b = along == 2 ? 1 : 2;
            matrix_add_edges(w, along, EDGE_AD, 1, 1, rising[along], j, k);
            matrix_add_edges(w, along, EDGE_BC, 0, 1, falling[along], j, k);
            matrix_add_edges(w, along, EDGE_AB, 1, 1, axis_link[a], j, k);
            matrix_add_edges(w, along, EDGE_CD, 1, 0, axis_link[a], j, k);
            matrix_add_edges(w, along, EDGE_AC, 1, 1, axis_link[b], j, k);
            matrix_add_edges(w, along, EDGE_BD, 0, 1, axis_link[b], j, k);
        }
        for (int i = 0; i < s->n[0]; i++)
            w->m->extra[at + i] = w->extra ? field_row(w->extra, j, k)[i] : 0;
    }
}

/* A fixed side acts like a cell of value 0 at half the distance: differences to it count twice, δ_g = ±2 p. */
typedef struct matrix_side {
    int axis, other;         /* across the side; across the inner faces at its edges */
    int sign;                /* + for the low side */
} matrix_side;

static ptrdiff_t matrix_cell(const tensor_shape *s, const int at[3]) { return tensor_at(s, at[1], at[2]) + at[0]; }

/* w of the low face of a cell across an axis, or, with `high`, of its high face. */
static float matrix_face(const matrix_work *w, int axis, const int cell[3], bool high)
{
    int at[3] = {cell[0], cell[1], cell[2]};
    at[axis] += high;
    return w->number * field_row(&w->t->weight[axis], at[1], at[2])[at[0]];
}

/* The edge on the side between the cells c and d, which are neighbours along `other`. */
static void matrix_add_side_edge(const matrix_work *w, const matrix_side *side, const int c[3], const int d[3],
                                 float cross)
{
    const tensor_shape *s = &w->m->shape;
    float f = matrix_open(matrix_face(w, side->other, d, false));
    float g1 = matrix_open(matrix_face(w, side->axis, c, side->sign < 0)),
          g2 = matrix_open(matrix_face(w, side->axis, d, side->sign < 0));
    float twice = f > 0 ? 0.5f * cross * (float)side->sign : 0;     /* 2 κ; the inner face counts for its image, too */
    w->m->link[axis_link[side->other]][matrix_cell(s, c)] += twice * f * (g2 - g1);
    w->m->extra[matrix_cell(s, d)] += twice * f * (g1 + g2);
    w->m->extra[matrix_cell(s, c)] -= twice * f * (g1 + g2);
}

/* The edge where two fixed sides meet; added once for both. */
static void matrix_add_corner_edge(const matrix_work *w, const matrix_side *side, const int cell[3], bool high_end,
                                   float cross)
{
    bool open = matrix_face(w, side->axis, cell, side->sign < 0) > 0 && matrix_face(w, side->other, cell, high_end) > 0;
    if (open && side->other < side->axis)
        w->m->extra[matrix_cell(&w->m->shape, cell)] += 2 * cross * (float)(high_end ? -side->sign : side->sign);
}

static void matrix_add_side_edges(const matrix_work *w, const matrix_side *side, const int cell[3])
{
    const tensor_shape *s = &w->m->shape;
    int along = 3 - side->axis - side->other, n = s->n[side->other], at = cell[side->other];
    int edge[3] = {cell[0], cell[1], cell[2]}, below[3] = {cell[0], cell[1], cell[2]};
    edge[side->axis] += side->sign < 0;
    below[side->other] = tensor_last(at, n);
    const field *cross = &w->t->cross[along];
    float low = w->number * field_row(cross, edge[1], edge[2])[edge[0]];
    if (at > 0 || s->wraps[side->other])
        matrix_add_side_edge(w, side, below, cell, low);
    else if (s->fixed[2 * side->other])
        matrix_add_corner_edge(w, side, cell, false, low);
    if (at == n - 1 && s->fixed[2 * side->other + 1]) {
        edge[side->other]++;
        matrix_add_corner_edge(w, side, cell, true, w->number * field_row(cross, edge[1], edge[2])[edge[0]]);
    }
}

static void matrix_add_side(const matrix_work *w, int side)
{
    const tensor_shape *s = &w->m->shape;
    int axis = side / 2, lower = axis == 0 ? 1 : 0, upper = axis == 2 ? 1 : 2, first[3] = {0},
        end[3] = {s->n[0], s->n[1], s->n[2]}, at[3];
    first[axis] = side % 2 ? end[axis] - 1 : 0;
    end[axis] = first[axis] + 1;
    for (at[2] = first[2]; at[2] < end[2]; at[2]++)
        for (at[1] = first[1]; at[1] < end[1]; at[1]++)
            for (at[0] = first[0]; at[0] < end[0]; at[0]++) {
                float held = 2 * matrix_face(w, axis, at, side % 2);
                w->m->side[side][at[lower] + s->n[lower] * at[upper]] = held;
                w->m->extra[matrix_cell(s, at)] += held;
                for (int other = 0; other < s->dims; other++)
                    if (other != axis)
                        matrix_add_side_edges(w, &(matrix_side){axis, other, side % 2 ? -1 : 1}, at);
            }
}

/* Fills the ends of the rows of links, and replaces weights by open shares. */
static void matrix_finish_rows(void *context, int begin, int end)
{
    const matrix_work *w = context;
    const tensor_shape *s = &w->m->shape;
    for (int row = begin; row < end; row++) {
        for (int link = 0; link < tensor_links(s); link++)
            tensor_close_row(s, w->m->link[link] + row * s->row);
        for (int a = 0; a < s->dims; a++) {
            float *share = w->w[a] + row * s->row;
            for (int i = -1; i <= s->n[0]; i++)
                share[i] = matrix_open(share[i]);
        }
    }
}

void tensor_matrix_set(tensor_matrix *m, const tensor *t, double number, const field *extra, tensor_memory memory)
{
    matrix_work w = {.t = t, .m = m, .extra = extra, .number = (float)number};
    tensor_shape *s = &m->shape;
    for (int side = 0; side < 6; side++)
        s->fixed[side] = side / 2 < s->dims && t->sides[side] == TENSOR_FIXED;
    for (int a = 0; a < s->dims; a++)
        m->share[a] = w.w[a] = tensor_take(&memory, s);
    for (int along = s->dims == 3 ? 0 : 2; along < 3; along++)
        w.edge[along] = tensor_take(&memory, s);
    int rows = tensor_rows(s);
    threads_for_cost(rows, s->n[0], matrix_copy_rows, &w);
    threads_for_cost(rows, s->n[0], matrix_edge_rows, &w);
    threads_for_cost(rows, s->n[0], matrix_link_rows, &w);
    for (int side = 0; side < 6; side++)
        if (s->fixed[side])
            matrix_add_side(&w, side);
    threads_for_cost(rows, s->n[0], matrix_finish_rows, &w);
}
