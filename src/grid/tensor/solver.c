#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "grid/tensor/parts.h"

/* An axis whose coupling is below this share of the strongest is not halved: the coarse grid could not represent the
   errors that are smooth along the strong axes and rough along this one, and the smoother would not damp them. */
static const double WORTH_HALVING = 0.25;

/* The second axis, along the lines, is halved only where the coupling between lines is below this share of the coupling
   along them. The line solve already removes rough errors along the lines; but in float the coupling between lines
   would drown in the rounding errors of the stronger one. */
static const double WORTH_SHORTENING = 0.1;

static size_t solver_side_floats(const tensor_shape *s)
{
    size_t floats = 0;
    for (int a = 0; a < s->dims; a++)
        floats += 2 * tensor_side_floats(s, a);
    return floats;
}

/* Memory of a level: links, extra, lines, shares, x, r, work, the intermediate grids, and sides. */
static size_t solver_level_floats(const tensor_shape *s)
{
    size_t arrays = (size_t)(tensor_links(s) + 1 + (s->wraps[1] ? 4 : 2) + s->dims + 3 + 4);
    return arrays * s->count + solver_side_floats(s);
}

/* Memory of the matrices, with their shares, on the grids between the finest level and the next, if all axes are
   halved: the last axis first, and the first leads to the level itself. */
static size_t solver_between_floats(const tensor_shape *finest)
{
    size_t floats = 0;
    tensor_shape s = *finest;
    for (int a = 2; a > 0; a--)
        if (s.n[a] > 1) {
            s = tensor_shape_halved(&s, a);
            floats += (size_t)(tensor_links(&s) + 1 + s.dims) * s.count + solver_side_floats(&s);
        }
    return floats;
}

/* Memory of the finest level's vectors: x, r, work, p, q and b. The set-up uses the same memory: for weights and edges
   (3 arrays, 6 in 3D), then for shares and the grids between. */
enum { SOLVER_VECTORS = 6 };
static size_t solver_work_floats(const tensor_shape *s)
{
    size_t vectors = SOLVER_VECTORS * s->count, set_up = (size_t)s->dims * s->count + solver_between_floats(s);
    return vectors > set_up ? vectors : set_up;
}

/* Memory of all levels in the worst case: each level halves only one of the first and third axes, in the worst
   order. */
static size_t solver_floats(const tensor_shape *finest)
{
    enum { HALVINGS = 32 };          /* enough for any int */
    size_t most[HALVINGS + 1] = {0};
    tensor_shape thin[HALVINGS + 1] = {*finest};
    int times[2] = {0};
    for (tensor_shape s = *finest; s.n[0] > 1; s = thin[times[0]])
        thin[++times[0]] = tensor_shape_halved(&s, 0);
    for (int n = finest->n[2]; n > 1; n = (n + 1) / 2)
        times[1]++;
    for (int z = times[1]; z >= 0; z--)
        for (int x = times[0]; x >= 0; x--) {
            tensor_shape s = thin[x];
            for (int i = 0; i < z; i++)
                s = tensor_shape_halved(&s, 2);
            size_t by_x = x < times[0] ? most[x + 1] : 0, by_z = z < times[1] ? most[x] : 0;
            most[x] = solver_level_floats(&s) + (by_x > by_z ? by_x : by_z);
        }
    return most[0];
}

size_t tensor_solver_bytes(const domain *d)
{
    tensor_shape s = tensor_shape_of(d);
    size_t floats = solver_floats(&s) + solver_work_floats(&s), rows = (size_t)(tensor_rows(&s) + 1);
    return sizeof(tensor_solver) + sizeof(float) * floats + sizeof(double) * s.count +
           (6 * sizeof(double) + sizeof(int)) * rows;
}

fr_result tensor_solver_create(const domain *d, tensor_solver **out)
{
    *out = NULL;
    tensor_solver *s = MEMORY_NEW(tensor_solver, 1);
    if (!s)
        return FR_ERROR_MEMORY;
    s->shape = tensor_shape_of(d);
    for (int level = 0; level < TENSOR_LEVELS; level++)
        s->level[level].reach = TENSOR_LEAST_REACH;
    s->block = MEMORY_NEW(float, solver_floats(&s->shape));
    s->work = MEMORY_NEW(float, solver_work_floats(&s->shape));
    s->solution = MEMORY_NEW(double, s->shape.count);
    s->partial = MEMORY_NEW(double, 6 * (size_t)(tensor_rows(&s->shape) + 1));
    s->first_run = MEMORY_NEW(int, tensor_rows(&s->shape) + 1);
    if (!s->block || !s->work || !s->solution || !s->partial || !s->first_run) {
        tensor_solver_destroy(s);
        return FR_ERROR_MEMORY;
    }
    s->x = s->solution + TENSOR_PAD;
    *out = s;
    return FR_OK;
}

void tensor_solver_destroy(tensor_solver *s)
{
    if (!s)
        return;
    tensor_pools_free(&s->pools);
    memory_free(s->block);
    memory_free(s->work);
    memory_free(s->solution);
    memory_free(s->partial);
    memory_free(s->first_run);
    memory_free(s);
}

static void solver_take_matrix(tensor_matrix *m, const tensor_shape *shape, tensor_memory *memory)
{
    m->shape = *shape;
    for (int link = 0; link < tensor_links(shape); link++)
        m->link[link] = tensor_take(memory, shape);
    m->extra = tensor_take(memory, shape);
    for (int side = 0; side < 2 * shape->dims; side++)
        m->side[side] = tensor_take_side(memory, shape, side / 2);
}

static void solver_take_shares(tensor_matrix *m, tensor_memory *memory)
{
    for (int a = 0; a < m->shape.dims; a++)
        m->share[a] = tensor_take(memory, &m->shape);
}

static void solver_take_lines(tensor_level *l, tensor_memory *memory)
{
    const tensor_shape *s = &l->m.shape;
    l->pivot = tensor_take(memory, s);
    l->lower = tensor_take(memory, s);
    l->ring = s->wraps[1] ? tensor_take(memory, s) : NULL;
    l->root = s->wraps[1] ? memory->next : NULL;
    memory->next += s->wraps[1] ? s->row * s->n[2] : 0;
}

/* Chooses the axes to halve; false: a single line is left. */
static bool solver_choose(tensor_solver *s, const tensor_matrix *m, bool halve[3])
{
    const int *n = m->shape.n;
    double mean[3], most = 0;
    tensor_couplings(m, s->partial, mean);
    for (int a = 0; a < 3; a += 2)
        if (n[a] > 1)
            most = mean[a] > most ? mean[a] : most;
    for (int a = 0; a < 3; a += 2)
        halve[a] = n[a] > 1 && mean[a] >= WORTH_HALVING * most;
    halve[1] = n[1] > 1 && mean[1] <= WORTH_SHORTENING;
    return n[0] > 1 || n[2] > 1;
}

/* Makes the next level by halving axis after axis, the last axis first. */
static void solver_add_level(tensor_solver *s, const bool halve[3], tensor_memory *memory, tensor_memory work)
{
    tensor_level *l = &s->level[s->levels - 1], *next = &s->level[s->levels];
    tensor_matrix from = l->m;
    l->steps = 0;
    for (int a = 2; a >= 0; a--) {
        if (!halve[a])
            continue;
        tensor_matrix to;
        tensor_shape half = tensor_shape_halved(&from.shape, a);
        bool last = true;
        for (int b = 0; b < a; b++)
            last &= !halve[b];
        solver_take_matrix(&to, &half, last ? memory : &work);
        solver_take_shares(&to, last ? memory : &work);
        if (!last) {
            to.share[a] = tensor_take(memory, &half);
            l->between[l->steps] = tensor_take(memory, &half);
        }
        tensor_coarsen(&from, a, &to);
        l->step[l->steps++] = (tensor_step){a, from.shape, half, to.share[a]};
        from = to;
    }
    next->m = from;
    solver_take_lines(next, memory);
    next->x = tensor_take(memory, &from.shape);
    next->r = tensor_take(memory, &from.shape);
    next->work = tensor_take(memory, &from.shape);
    next->steps = 0;
    tensor_lines_set(next);
    s->levels++;
}

static void solver_take_vectors(tensor_solver *s)
{
    tensor_memory work = {s->work};
    tensor_level *l = &s->level[0];
    float **vectors[SOLVER_VECTORS] = {&l->x, &l->r, &l->work, &s->p, &s->q, &s->b};
    for (int i = 0; i < SOLVER_VECTORS; i++)
        *vectors[i] = tensor_take(&work, &s->shape);
}

fr_result tensor_solver_set(tensor_solver *s, const tensor *t, double number, const field *extra)
{
    tensor_memory memory = {s->block}, work = {s->work};
    tensor_level *l = &s->level[0];
    solver_take_matrix(&l->m, &s->shape, &memory);
    solver_take_lines(l, &memory);
    tensor_matrix_set(&l->m, t, number, extra, work);
    tensor_lines_set(l);
    FR_TRY(tensor_pools_find(&s->pools, &l->m, l->pivot, s->first_run));
    for (int a = 0; a < s->shape.dims; a++)
        tensor_take(&work, &s->shape);
    s->levels = 1;
    bool halve[3];
    while (solver_choose(s, &s->level[s->levels - 1].m, halve))
        solver_add_level(s, halve, &memory, work);
    solver_take_vectors(s);
    return FR_OK;
}
