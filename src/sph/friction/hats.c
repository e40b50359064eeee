/* The levels, and the operators on them. A velocity v_K at the nodes has the force M_K v_K + Σ_L B_KL (v_K − v_L), in
   which B_KL = −Σ_S W_S ((g_K·g_L) I + g_K g_Lᵀ + g_L g_Kᵀ), g the gradients of hats: differences first, or rounding
   would resist what moves as a whole. */
#include "sph/friction/hats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "linalg/envelope.h"

enum { COARSEST = 3 * 8 };

struct hats {
    int count;
    hats_level level[HATS_LEVELS];
    envelope coarsest;
    int first[COARSEST];
    ptrdiff_t row[COARSEST];
    double value[COARSEST * (COARSEST + 1) / 2], inverse[COARSEST];
};

/* The orders of the axes; the first two are those of the plane. */
static const int ORDER[HATS_ORDERS][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static int hats_orders(int dims) { return dims == 3 ? 6 : 2; }
static int hats_edges(int dims) { return (1 << dims) - 1; }

static int hats_order_of(int dims, const float place[3])
{
    if (dims == 2)
        return place[1] > place[0];
    if (place[0] >= place[1])
        return place[1] >= place[2] ? 0 : place[0] >= place[2] ? 2 : 4;
    return place[0] >= place[2] ? 1 : place[1] >= place[2] ? 3 : 5;
}

int hats_simplex(int dims, const float place[3], int corner[HATS_CORNERS], float share[HATS_CORNERS])
{
    int order = hats_order_of(dims, place);
    float before = 1;
    corner[0] = 0;
    for (int k = 0; k < dims; k++) {
        int axis = ORDER[order][k];
        share[k] = before - place[axis];
        before = place[axis];
        corner[k + 1] = corner[k] | 1 << axis;
    }
    share[dims] = before;
    return order;
}

static hats_near hats_around_border(const hats_level *l, const int at[3])
{
    hats_near near = {0};
    int64_t ahead[3], back[3];
    for (int a = 0; a < 3; a++) {
        int last = l->grid.n[a] - 1;
        ahead[a] = at[a] == last ? -last * l->stride[a] : l->stride[a];
        back[a] = at[a] == 0 ? last * l->stride[a] : -l->stride[a];
        near.ends_ahead |= (at[a] == last && !l->grid.around[a]) << a;
        near.ends_back |= (at[a] == 0 && !l->grid.around[a]) << a;
    }
    for (int set = 1; set < 8; set++) {
        int axis = __builtin_ctz((unsigned)set);
        near.ahead[set] = near.ahead[set & (set - 1)] + ahead[axis];
        near.back[set] = near.back[set & (set - 1)] + back[axis];
    }
    return near;
}

/* What lies around a node; `border` is room for it where it is not the same as within the grid. */
static inline const hats_near *hats_around(const hats_level *l, const int at[3], hats_near *border)
{
    bool inside = true;
    for (int a = 0; a < l->grid.dims; a++)
        inside = inside && at[a] > 0 && at[a] < l->grid.n[a] - 1;
    if (inside)
        return &l->within;
    *border = hats_around_border(l, at);
    return border;
}

int64_t hats_ahead(const hats_level *l, const int at[3], int axes)
{
    hats_near border;
    return at[0] + at[1] * l->stride[1] + at[2] * l->stride[2] + hats_around(l, at, &border)->ahead[axes];
}

hats_grid hats_grid_of(int dims, const double length[3], const bool around[3], double edge)
{
    hats_grid grid = {.dims = dims};
    for (int a = 0; a < 3; a++) {
        double cells = a < dims ? fmax(1, length[a] / edge) : 1;
        int whole = around[a] ? 1 << (int)round(log2(cells)) : (int)ceil(cells * (1 - 1e-9));
        grid.around[a] = a < dims && around[a];
        grid.n[a] = a < dims ? whole + !around[a] : 1;
        grid.h[a] = a < dims ? length[a] / whole : 1;
    }
    return grid;
}

static bool hats_is_coarsest(const hats_grid *grid)
{
    for (int a = 0; a < grid->dims; a++)
        if (grid->n[a] > 2 - grid->around[a])
            return false;
    return true;
}

static hats_grid hats_coarser(const hats_grid *fine, int *halved)
{
    hats_grid grid = *fine;
    *halved = 0;
    for (int a = 0; a < fine->dims; a++)
        if (!fine->around[a] || fine->n[a] > 1) {
            *halved |= 1 << a;
            grid.n[a] = fine->around[a] ? fine->n[a] / 2 : fine->n[a] / 2 + 1;
            grid.h[a] = 2 * fine->h[a];
        }
    return grid;
}

/* The gradient of the hat of corner k of a path: it rises along the step to it and falls along the next. */
static void hats_slope(const hats_grid *grid, int order, int k, double slope[3])
{
    memset(slope, 0, 3 * sizeof *slope);
    if (k > 0)
        slope[ORDER[order][k - 1]] += 1 / grid->h[ORDER[order][k - 1]];
    if (k < grid->dims)
        slope[ORDER[order][k]] -= 1 / grid->h[ORDER[order][k]];
}

static hats_tensor hats_spring(const double a[3], const double b[3])
{
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return (hats_tensor){{-dot - 2 * a[0] * b[0], -dot - 2 * a[1] * b[1], -dot - 2 * a[2] * b[2]},
                         {-(a[0] * b[1] + a[1] * b[0]), -(a[0] * b[2] + a[2] * b[0]), -(a[1] * b[2] + a[2] * b[1])}};
}

static void hats_lay_out(hats_level *l)
{
    const int dims = l->grid.dims;
    l->stride[0] = 1;
    l->stride[1] = l->grid.n[0];
    l->stride[2] = (int64_t)l->grid.n[0] * l->grid.n[1];
    l->count = l->stride[2] * l->grid.n[2];
    l->within = hats_around_border(l, (int[3]){1, 1, 1});
    for (int order = 0; order < hats_orders(dims); order++)
        for (int k = 0, back = 0; k < dims; back |= 1 << ORDER[order][k++])
            for (int to = k + 1, edge = 0; to <= dims; to++) {
                double a[3], b[3];
                edge |= 1 << ORDER[order][to - 1];
                hats_slope(&l->grid, order, k, a);
                hats_slope(&l->grid, order, to, b);
                l->part[l->parts++] = (hats_part){edge, back, order, hats_spring(a, b)};
            }
}

static fr_result hats_create_level(hats_level *l)
{
    hats_lay_out(l);
    l->weight = MEMORY_NEW(double, HATS_ORDERS *l->count);
    l->mass = MEMORY_NEW(hats_tensor, l->count);
    l->inverse = MEMORY_NEW(hats_tensor, l->count);
    l->spring = MEMORY_NEW(hats_tensor, hats_edges(l->grid.dims) * l->count);
    l->right = MEMORY_NEW(hats_vector, l->count);
    l->error = MEMORY_NEW(hats_vector, l->count);
    l->left = MEMORY_NEW(hats_vector, l->count);
    return l->weight && l->mass && l->inverse && l->spring && l->right && l->error && l->left ? FR_OK
                                                                                              : FR_ERROR_MEMORY;
}

fr_result hats_create(const hats_grid *grid, hats **out)
{
    hats *h = *out = MEMORY_NEW(hats, 1);
    if (!h)
        return FR_ERROR_MEMORY;
    h->level[0].grid = *grid;
    for (;;) {
        hats_level *l = &h->level[h->count++];
        FR_TRY(hats_create_level(l));
        if (hats_is_coarsest(&l->grid))
            break;
        assert(h->count < HATS_LEVELS);
        l[1].grid = hats_coarser(&l->grid, &l->halved);
    }
    int unknowns = 3 * (int)h->level[h->count - 1].count;
    h->coarsest = (envelope){.n = unknowns, .first = h->first, .row = h->row, .value = h->value, .inverse = h->inverse};
    envelope_lay_out(&h->coarsest);
    return FR_OK;
}

void hats_destroy(hats *h)
{
    if (!h)
        return;
    for (int i = 0; i < h->count; i++) {
        hats_level *l = &h->level[i];
        memory_free(l->weight);
        memory_free(l->mass);
        memory_free(l->inverse);
        memory_free(l->spring);
        memory_free(l->right);
        memory_free(l->error);
        memory_free(l->left);
    }
    memory_free(h);
}

double hats_bytes(const hats_grid *grid)
{
    const size_t tensors = 2 + (size_t)hats_edges(grid->dims);
    const double each = (double)(HATS_ORDERS * sizeof(double) + tensors * sizeof(hats_tensor) +
                                 3 * sizeof(hats_vector));
    return each * grid->n[0] * grid->n[1] * grid->n[2] * (grid->dims == 3 ? 8.0 / 7 : 4.0 / 3);
}

hats_level *hats_finest(hats *h) { return &h->level[0]; }

/* Loops over the nodes of a level, by rows along x. */
typedef struct hats_job {
    hats_level *l, *fine;
    int colour;                  /* sets of axes along which a node's number is odd */
} hats_job;

static void hats_row(const hats_level *l, int row, int at[3])
{
    at[0] = 0;
    at[1] = row % l->grid.n[1];
    at[2] = row / l->grid.n[1];
}

static int hats_rows(const hats_level *l) { return l->grid.n[1] * l->grid.n[2]; }

static int64_t hats_number(const hats_level *l, const int at[3])
{
    return at[0] + at[1] * l->stride[1] + at[2] * l->stride[2];
}

static void hats_add(hats_tensor *to, double factor, const hats_tensor *t)
{
    to->own += factor * t->own;
    to->mixed += factor * t->mixed;
}

/* Springs from the weights of the simplices around; then the inverse of the diagonal. */
static void hats_spring_rows(void *context, int begin, int end)
{
    hats_level *l = ((hats_job *)context)->l;
    const int edges = hats_edges(l->grid.dims);
    for (int row = begin; row < end; row++) {
        int at[3];
        for (hats_row(l, row, at); at[0] < l->grid.n[0]; at[0]++) {
            int64_t k = hats_number(l, at);
            hats_tensor *own = l->spring + edges * k;
            memset(own, 0, (size_t)edges * sizeof *own);
            if (l->mass[k].own[0] == 0)
                continue;
            hats_near border;
            const hats_near *near = hats_around(l, at, &border);
            for (const hats_part *p = l->part; p < l->part + l->parts; p++)
                if (!(p->back & near->ends_back))
                    hats_add(&own[p->edge - 1], l->weight[HATS_ORDERS * (k + near->back[p->back]) + p->order],
                             &p->spring);
        }
    }
}

static hats_tensor hats_diagonal(const hats_level *l, const int at[3], int64_t k)
{
    const int edges = hats_edges(l->grid.dims);
    hats_near border;
    const hats_near *near = hats_around(l, at, &border);
    hats_tensor sum = l->mass[k];
    for (int edge = 1; edge <= edges; edge++) {
        if (!(edge & near->ends_ahead))
            hats_add(&sum, 1, &l->spring[edges * k + edge - 1]);
        if (!(edge & near->ends_back))
            hats_add(&sum, 1, &l->spring[edges * (k + near->back[edge]) + edge - 1]);
    }
    return sum;
}

static void hats_diagonal_rows(void *context, int begin, int end)
{
    hats_level *l = ((hats_job *)context)->l;
    for (int row = begin; row < end; row++) {
        int at[3];
        for (hats_row(l, row, at); at[0] < l->grid.n[0]; at[0]++) {
            int64_t k = hats_number(l, at);
            l->inverse[k] = l->mass[k].own[0] == 0 ? (hats_tensor){0} : hats_tensor_inverse(hats_diagonal(l, at, k));
        }
    }
}

/* Which simplex of a coarse box a part of it lies in: the one of `order` in the box shifted by the axes `box`. */
static int hats_whole_of(int dims, int halved, int box, int order)
{
    float middle[3] = {0};
    for (int k = 0; k < dims; k++) {
        int axis = ORDER[order][k];
        float own = (float)(dims - k) / (float)(dims + 1);
        middle[axis] = halved >> axis & 1 ? (own + (float)(box >> axis & 1)) / 2 : own;
    }
    return hats_order_of(dims, middle);
}

/* The fine node at twice the numbers of a coarse one; false where the fine grid has none. */
static bool hats_fine_node(const hats_level *fine, const int at[3], int to[3])
{
    bool there = true;
    for (int a = 0; a < 3; a++) {
        to[a] = fine->halved >> a & 1 ? 2 * at[a] : at[a];
        there = there && to[a] < fine->grid.n[a];
    }
    return there;
}

/* The fine nodes where the coarse hat of a node is not 0, and its values there: 1 at its own place, 1/2 at the other
   ends of the fine edges from there. */
typedef struct hats_gather {
    int64_t node[1 + 2 * HATS_EDGES];
    double share[1 + 2 * HATS_EDGES];
    int count;
} hats_gather;

static hats_gather hats_under(const hats_level *fine, const int at[3])
{
    hats_gather under = {0};
    int centre[3];
    bool there = hats_fine_node(fine, at, centre);
    if (there) {
        under.node[0] = hats_number(fine, centre);
        under.share[under.count++] = 1;
    }
    for (int sign = -1; sign <= 1; sign += 2)
        for (int edge = 1; edge <= hats_edges(fine->grid.dims); edge++) {
            int to[3];
            bool inside = !(edge & ~fine->halved);
            for (int a = 0; a < 3; a++) {
                int n = fine->grid.n[a];
                to[a] = centre[a] + (edge >> a & 1 ? sign : 0);
                to[a] = fine->grid.around[a] ? (to[a] + n) % n : to[a];
                inside = inside && to[a] >= 0 && to[a] < n;
            }
            if (!inside)
                continue;
            under.node[under.count] = hats_number(fine, to);
            under.share[under.count++] = 0.5;
        }
    return under;
}

static void hats_coarsen_rows(void *context, int begin, int end)
{
    const hats_job *job = context;
    const hats_level *fine = job->fine;
    hats_level *l = job->l;
    const int dims = l->grid.dims;
    for (int row = begin; row < end; row++) {
        int at[3];
        for (hats_row(l, row, at); at[0] < l->grid.n[0]; at[0]++) {
            int64_t k = hats_number(l, at);
            hats_gather under = hats_under(fine, at);
            l->mass[k] = (hats_tensor){0};
            for (int i = 0; i < under.count; i++)
                hats_add(&l->mass[k], under.share[i], &fine->mass[under.node[i]]);
            double *weight = l->weight + HATS_ORDERS * k;
            memset(weight, 0, HATS_ORDERS * sizeof *weight);
            int low[3];
            if (!hats_fine_node(fine, at, low))
                continue;
            hats_near border;
            const hats_near *near = hats_around(fine, low, &border);
            for (int box = 0; box < 1 << dims; box++)
                for (int order = 0; !(box & (~fine->halved | near->ends_ahead)) && order < hats_orders(dims); order++)
                    weight[hats_whole_of(dims, fine->halved, box, order)] +=
                        fine->weight[HATS_ORDERS * (hats_number(fine, low) + near->ahead[box]) + order];
        }
    }
}

static const double LEAST_PIVOT = 1e-10;

/* Writes one block of the coarsest matrix, its lower triangle alone. */
static void hats_put(const envelope *e, int64_t i, int64_t j, hats_tensor t, double sign)
{
    const double full[3][3] = {
        {t.own[0], t.mixed[0], t.mixed[1]}, {t.mixed[0], t.own[1], t.mixed[2]}, {t.mixed[1], t.mixed[2], t.own[2]}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (3 * j + b <= 3 * i + a)
                *envelope_at(e, (int)(3 * i + a), (int)(3 * j + b)) += sign * full[a][b];
}

static void hats_factor(hats *h)
{
    const hats_level *l = &h->level[h->count - 1];
    const int edges = hats_edges(l->grid.dims);
    double floor[COARSEST];
    memset(h->value, 0, sizeof h->value);
    for (int row = 0; row < hats_rows(l); row++) {
        int at[3];
        for (hats_row(l, row, at); at[0] < l->grid.n[0]; at[0]++) {
            int64_t k = hats_number(l, at);
            hats_near border;
            const hats_near *near = hats_around(l, at, &border);
            hats_put(&h->coarsest, k, k, l->mass[k], 1);
            for (int edge = 1; edge <= edges; edge++) {
                int64_t other = k + near->ahead[edge];
                if (edge & near->ends_ahead || other == k)
                    continue;
                hats_tensor spring = l->spring[edges * k + edge - 1];
                hats_put(&h->coarsest, k, k, spring, 1);
                hats_put(&h->coarsest, other, other, spring, 1);
                hats_put(&h->coarsest, k > other ? k : other, k > other ? other : k, spring, -1);
            }
        }
    }
    for (int i = 0; i < h->coarsest.n; i++)
        floor[i] = LEAST_PIVOT * *envelope_at(&h->coarsest, i, i);
    envelope_factor(&h->coarsest, floor);
}

void hats_set(hats *h)
{
    for (int i = 0; i < h->count; i++) {
        hats_job job = {.l = &h->level[i], .fine = i > 0 ? &h->level[i - 1] : NULL};
        if (i > 0)
            threads_for(hats_rows(job.l), hats_coarsen_rows, &job);
        threads_for(hats_rows(job.l), hats_spring_rows, &job);
        threads_for(hats_rows(job.l), hats_diagonal_rows, &job);
    }
    hats_factor(h);
}

/* right − the operator times error, at node k. */
static inline hats_vector hats_left(const hats_level *l, const hats_near *near, int64_t k, int edges)
{
    const hats_tensor *spring = l->spring - 1;
    hats_vector own = l->error[k], sum = l->right[k] - hats_tensor_times(&l->mass[k], own);
    for (int edge = 1; edge <= edges; edge++) {
        if (!(edge & near->ends_ahead))
            sum -= hats_tensor_times(&spring[edges * k + edge], own - l->error[k + near->ahead[edge]]);
        if (!(edge & near->ends_back)) {
            int64_t other = k + near->back[edge];
            sum -= hats_tensor_times(&spring[edges * other + edge], own - l->error[other]);
        }
    }
    return sum;
}

static void hats_left_rows(void *context, int begin, int end)
{
    hats_level *l = ((hats_job *)context)->l;
    const int edges = hats_edges(l->grid.dims);
    for (int row = begin; row < end; row++) {
        int at[3];
        for (hats_row(l, row, at); at[0] < l->grid.n[0]; at[0]++) {
            int64_t k = hats_number(l, at);
            if (l->mass[k].own[0] == 0)
                continue;
            hats_near border;
            const hats_near *near = hats_around(l, at, &border);
            l->left[k] = hats_left(l, near, k, edges);
        }
    }
}

/* Gauss and Seidel's step at the nodes of one colour, none of which are joined. */
static void hats_smooth_rows(void *context, int begin, int end)
{
    const hats_job *job = context;
    hats_level *l = job->l;
    const int edges = hats_edges(l->grid.dims), across = (l->grid.n[1] + 1 - (job->colour >> 1 & 1)) / 2;
    for (int row = begin; row < end; row++) {
        int at[3] = {job->colour & 1, 2 * (row % across) + (job->colour >> 1 & 1),
                     2 * (row / across) + (job->colour >> 2 & 1)};
        for (; at[0] < l->grid.n[0]; at[0] += 2) {
            int64_t k = hats_number(l, at);
            if (l->mass[k].own[0] == 0)
                continue;
            hats_near border;
            const hats_near *near = hats_around(l, at, &border);
            hats_vector change = hats_tensor_times(&l->inverse[k], hats_left(l, near, k, edges));
            l->error[k] += change;
        }
    }
}

static void hats_smooth(hats_job *job, bool forward)
{
    const hats_grid *grid = &job->l->grid;
    for (int i = 0; i < 8; i++) {
        job->colour = forward ? i : 7 - i;
        int across = (grid->n[1] + 1 - (job->colour >> 1 & 1)) / 2, deep = (grid->n[2] + 1 - (job->colour >> 2)) / 2;
        if (across * deep > 0)
            threads_for(across * deep, hats_smooth_rows, job);
    }
}

static void hats_restrict_rows(void *context, int begin, int end)
{
    const hats_job *job = context;
    hats_level *l = job->l;
    for (int row = begin; row < end; row++) {
        int at[3];
        for (hats_row(l, row, at); at[0] < l->grid.n[0]; at[0]++) {
            int64_t k = hats_number(l, at);
            if (l->mass[k].own[0] == 0)
                continue;
            hats_gather under = hats_under(job->fine, at);
            hats_vector sum = {0};
            for (int i = 0; i < under.count; i++)
                if (job->fine->mass[under.node[i]].own[0] > 0)
                    sum += under.share[i] * job->fine->left[under.node[i]];
            l->right[k] = sum;
        }
    }
}

static void hats_prolong_rows(void *context, int begin, int end)
{
    const hats_job *job = context;
    hats_level *fine = job->fine;
    const hats_level *l = job->l;
    for (int row = begin; row < end; row++) {
        int at[3];
        for (hats_row(fine, row, at); at[0] < fine->grid.n[0]; at[0]++) {
            int64_t k = hats_number(fine, at);
            if (fine->mass[k].own[0] == 0)
                continue;
            int from[3], odd = 0;
            for (int a = 0; a < 3; a++) {
                bool halved = fine->halved >> a & 1;
                from[a] = halved ? at[a] / 2 : at[a];
                odd |= (halved && at[a] % 2) << a;
            }
            int64_t low = hats_number(l, from), high = hats_ahead(l, from, odd);
            fine->error[k] += 0.5 * (l->error[low] + l->error[high]);
        }
    }
}

static void hats_solve_coarsest(hats *h)
{
    hats_level *l = &h->level[h->count - 1];
    double x[COARSEST];
    for (int64_t k = 0; k < l->count; k++)
        for (int a = 0; a < 3; a++)
            x[3 * k + a] = l->mass[k].own[0] > 0 ? l->right[k][a] : 0;
    envelope_solve(&h->coarsest, x);
    for (int64_t k = 0; k < l->count; k++)
        l->error[k] = (hats_vector){x[3 * k], x[3 * k + 1], x[3 * k + 2], 0};
}

void hats_solve(hats *h)
{
    for (int i = 0; i + 1 < h->count; i++) {
        hats_job job = {.l = &h->level[i]};
        memset(job.l->error, 0, (size_t)job.l->count * sizeof *job.l->error);
        hats_smooth(&job, true);
        threads_for(hats_rows(job.l), hats_left_rows, &job);
        hats_job down = {.l = &h->level[i + 1], .fine = &h->level[i]};
        threads_for(hats_rows(down.l), hats_restrict_rows, &down);
    }
    hats_solve_coarsest(h);
    for (int i = h->count - 1; i-- > 0;) {
        hats_job up = {.l = &h->level[i + 1], .fine = &h->level[i]};
        threads_for(hats_rows(up.fine), hats_prolong_rows, &up);
        hats_job job = {.l = &h->level[i]};
        hats_smooth(&job, false);
    }
}
