/* The matrix with half the cells along one axis. Take p as equal in both children: the energy ½ Σ a (p_i − p_j)² of the
   fine links then sums to one of coarse links. Links along the axis count half, because they are twice as long. In a
   plane with constant coefficients this equals the discretisation on the coarse cells. */
#include <string.h>

#include "base/threads.h"
#include "grid/tensor/parts.h"

typedef struct coarsen_work {
    const tensor_matrix *from;
    tensor_matrix *to;
    int axis;
} coarsen_work;

/* The rows of the two children (the same row where it holds both); `alone`: there is only one, the last of an odd
   number of rows. */
typedef struct coarsen_rows {
    int j[2], k[2];
    bool alone;
} coarsen_rows;

static coarsen_rows coarsen_children(const coarsen_work *w, int j, int k)
{
    coarsen_rows c = {{j, j}, {k, k}, false};
    int *at = w->axis == 1 ? c.j : c.k, n = w->from->shape.n[w->axis];
    if (w->axis > 0) {
        at[0] *= 2;
        at[1] = at[0] + 1 < n ? at[0] + 1 : at[0];
        c.alone = at[0] == at[1];
    }
    return c;
}

static void coarsen_add(float *restrict to, int n, const float *restrict from, int step, float scale)
{
    if (step == 1)
        for (int i = 0; i < n; i++)
            to[i] += scale * from[i];
    else
        for (int i = 0; i < n; i++)
            to[i] += scale * from[2 * i];
}

/* Length of a fine link along the axis over that of the coarse link from the coarse cell `index` upwards: ½, except
   near the end, where the last cell may be shorter. */
static float coarsen_shortening(const coarsen_work *w, int index)
{
    const tensor_shape *fine = &w->from->shape, *coarse = &w->to->shape;
    int a = w->axis, n = coarse->n[a];
    bool odd = fine->n[a] % 2;
    if (index < n - 2)
        return 0.5f;
    double children = index == n - 1 || odd ? (1 + fine->last[a]) / 2 : 1;
    return (float)(children / (1 + coarse->last[a]));
}

typedef enum coarsen_kind {
    COARSEN_BOTH,      /* an array that counts for each child that exists */
    COARSEN_PAIR,      /* links from one child towards the other */
    COARSEN_BEYOND     /* links of the outermost child that leave the pair */
} coarsen_kind;

/* Adds an array's row of one child to the coarse row. */
static void coarsen_child(const coarsen_work *w, const coarsen_rows *c, const float *array, int child,
                          coarsen_kind kind, float scale, float *to)
{
    const tensor_shape *fine = &w->from->shape;
    const float *row = array + tensor_at(fine, c->j[child], c->k[child]);
    int n = fine->n[0];
    if (w->axis > 0) {
        bool counts = kind == COARSEN_BEYOND || !c->alone || (kind == COARSEN_BOTH && child == 0);
        if (counts)
            coarsen_add(to, n, row, 1, scale);
        return;
    }
    int pairs = n / 2, odd = n % 2;
    coarsen_add(to, pairs, row + child, 2, scale);
    if (odd && (kind == COARSEN_BEYOND || (kind == COARSEN_BOTH && child == 0)))
        to[pairs] += scale * row[n - 1];
}

/* Diagonal links between the two children: on the coarse grid they lie along another axis. */
typedef struct coarsen_diagonal {
    int to, from, child, along_x, along_y;
} coarsen_diagonal;

static const coarsen_diagonal diagonals[3][4] = {
    {{2, 3, 0, 0, 0}, {2, 1, 1, 0, 0}, {4, 6, 0, 0, 0}, {4, 5, 1, 0, 0}},
    {{0, 3, 0, 0, 0}, {0, 1, 0, 1, 0}, {4, 8, 0, 0, 0}, {4, 7, 1, 0, 0}},
    {{0, 6, 0, 0, 0}, {0, 5, 0, 1, 0}, {2, 8, 0, 0, 0}, {2, 7, 0, 0, 1}},
};

static void coarsen_shorten(const coarsen_work *w, const coarsen_rows *c, float *links)
{
    int n = w->to->shape.n[0];
    float here = coarsen_shortening(w, w->axis == 1 ? c->j[0] / 2 : c->k[0] / 2);
    for (int i = 0; i < n; i++)
        links[i] *= w->axis == 0 ? 0.5f : here;
    for (int i = n > 1 ? n - 2 : 0; i < n && w->axis == 0; i++)
        links[i] *= 2 * coarsen_shortening(w, i);
}

static void coarsen_link(const coarsen_work *w, const coarsen_rows *c, int link, float *to)
{
    const int *offset = tensor_link_offset[link], along = offset[w->axis];
    const float *from = w->from->link[link];
    if (along) {
        bool straight = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2] == 1;
        coarsen_child(w, c, from, along > 0, COARSEN_BEYOND, 1, to);
        if (straight)
            coarsen_shorten(w, c, to);
        return;
    }
    for (int child = 0; child < 2; child++)
        coarsen_child(w, c, from, child, COARSEN_BOTH, 1, to);
    for (int i = 0; i < (w->from->shape.dims == 3 ? 4 : 2); i++) {
        const coarsen_diagonal *diagonal = &diagonals[w->axis][i];
        coarsen_rows rows = *c;
        if (diagonal->along_y)
            rows.j[0] = rows.j[1] = tensor_next(c->j[0], w->from->shape.n[1]);
        if (diagonal->to == link)
            coarsen_child(w, &rows, w->from->link[diagonal->from] + diagonal->along_x, diagonal->child, COARSEN_PAIR, 1,
                          to);
    }
}

/* Open share of a coarse face: that of the fine face at the same place, or the mean of two. */
static void coarsen_share(const coarsen_work *w, const coarsen_rows *c, int across, float *to)
{
    const float *from = w->from->share[across];
    int n = w->from->shape.n[0];
    if (across == w->axis) {
        const float *row = from + tensor_at(&w->from->shape, c->j[0], c->k[0]);
        coarsen_add(to, w->to->shape.n[0], row, w->axis == 0 ? 2 : 1, 1);
        return;
    }
    for (int child = 0; child < 2; child++)
        coarsen_child(w, c, from, child, COARSEN_BOTH, c->alone ? 1 : 0.5f, to);
    if (w->axis == 0 && n % 2)
        to[n / 2] *= 2;
}

static void coarsen_work_rows(void *context, int begin, int end)
{
    const coarsen_work *w = context;
    const tensor_shape *s = &w->to->shape;
    size_t bytes = (size_t)s->n[0] * sizeof(float);
    for (int row = begin; row < end; row++) {
        coarsen_rows c = coarsen_children(w, row % s->n[1], row / s->n[1]);
        ptrdiff_t at = row * s->row;
        for (int link = 0; link < tensor_links(s); link++) {
            float *to = memset(w->to->link[link] + at, 0, bytes);
            coarsen_link(w, &c, link, to);
            tensor_close_row(s, to);
        }
        for (int a = 0; a < s->dims; a++) {
            float *to = memset(w->to->share[a] + at, 0, bytes);
            coarsen_share(w, &c, a, to);
            tensor_close_row(s, to);
        }
        float *extra = memset(w->to->extra + at, 0, bytes);
        for (int child = 0; child < 2; child++)
            coarsen_child(w, &c, w->from->extra, child, COARSEN_BOTH, 1, extra);
    }
}

/* Cells twice as long along the axis have their centre twice as far from its fixed sides, so the coupling to the side
   is half as strong; it stays the same for a cell without a partner. */
static void coarsen_side(const coarsen_work *w, int side)
{
    const tensor_shape *fine = &w->from->shape, *coarse = &w->to->shape;
    int axis = side / 2, lower = axis == 0 ? 1 : 0, upper = axis == 2 ? 1 : 2, at[3];
    int step_lower = w->axis == lower ? 2 : 1, step_upper = w->axis == upper ? 2 : 1;
    bool at_last[2] = {side % 2 || fine->n[axis] == 1, side % 2 || coarse->n[axis] == 1};
    float keep = (float)((at_last[0] ? fine->last[axis] : 1) / (at_last[1] ? 2 * coarse->last[axis] : 2));
    at[axis] = side % 2 ? coarse->n[axis] - 1 : 0;
    for (at[upper] = 0; at[upper] < coarse->n[upper]; at[upper]++)
        for (at[lower] = 0; at[lower] < coarse->n[lower]; at[lower]++) {
            float held = 0;
            for (int u = step_upper * at[upper]; u < step_upper * (at[upper] + 1) && u < fine->n[upper]; u++)
                for (int l = step_lower * at[lower]; l < step_lower * (at[lower] + 1) && l < fine->n[lower]; l++)
                    held += w->from->side[side][l + fine->n[lower] * u];
            if (w->axis == axis) {
                w->to->extra[tensor_at(coarse, at[1], at[2]) + at[0]] -= (1 - keep) * held;
                held *= keep;
            }
            w->to->side[side][at[lower] + coarse->n[lower] * at[upper]] = held;
        }
}

static void coarsen_add_row(const tensor_shape *s, float *to, const float *from)
{
    for (int i = 0; i < s->n[0]; i++)
        to[i] += from[i];
    tensor_close_row(s, to);
}

/* A periodic axis with one cell left: straight links along it join a cell to itself and vanish, diagonal ones become
   links along the other axis. */
static void coarsen_fold(tensor_matrix *m, int axis)
{
    const tensor_shape *s = &m->shape;
    for (int i = 0; i < (s->dims == 3 ? 4 : 2); i++) {
        const coarsen_diagonal *diagonal = &diagonals[axis][i];
        for (int row = 0; row < tensor_rows(s); row++) {
            int j = row % s->n[1], k = row / s->n[1];
            ptrdiff_t from = tensor_at(s, diagonal->along_y ? tensor_next(j, s->n[1]) : j, k) + diagonal->along_x;
            coarsen_add_row(s, m->link[diagonal->to] + tensor_at(s, j, k), m->link[diagonal->from] + from);
        }
    }
    for (int link = 0; link < tensor_links(s); link++)
        for (int row = 0; row < tensor_rows(s) && tensor_link_offset[link][axis]; row++)
            memset(m->link[link] + row * s->row - 1, 0, (size_t)(s->n[0] + 2) * sizeof(float));
}

void tensor_coarsen(const tensor_matrix *from, int axis, tensor_matrix *to)
{
    coarsen_work w = {from, to, axis};
    threads_for_cost(tensor_rows(&to->shape), to->shape.n[0], coarsen_work_rows, &w);
    for (int side = 0; side < 6; side++)
        if (to->shape.fixed[side])
            coarsen_side(&w, side);
    if (to->shape.n[axis] == 1 && to->shape.wraps[axis])
        coarsen_fold(to, axis);
}
