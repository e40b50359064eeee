/* Transfer between levels. A component is interpolated linearly: P copies, or takes the mean of two, along its own
   axis, and weighs ¾ and ¼ along the others. Strains then have an interpolation Q of their own with B P = Q B of the
   next level, so that the next level's K is that of this level, distributed by Qᵀ (lumped: QᵀKQ with all of a row on
   its diagonal). Rigid motions are interpolated exactly. */
#include "base/threads.h"
#include "grid/stress/parts.h"

enum { TRANSFER_ROW = 2 * STRESS_RUN + 8 };

static bool transfer_sticks(const stress *s, int side)
{
    for (int a = 0; a < s->block.dims; a++)
        if (a != side / 2 && s->problem.sides[a][side].kind == HALO_VALUE)
            return true;
    return false;
}

/* Half of i, rounded down. */
static int transfer_half(int i)
{
    return (i + 2) / 2 - 1;
}

/* Unknowns scale with the size of cells (û = u h_a/h), and strains with its square. */
static stress_parents transfer_node(int i)
{
    return (stress_parents){{transfer_half(i), transfer_half(i + 1)}, {0.25f, 0.25f}};
}

/* What strains beside a side count of those on it, besides their own. On a wall that sticks they are over half a cell
   and count twice; on one that slips the flow has none. Through an open side flows may differ from place to place. */
static float transfer_side_weight(const stress *s, int side)
{
    return transfer_sticks(s, side) ? 0.5f : s->problem.fixed_sides[side] ? 0 : 0.25f;
}

/* Shear strains. A side in the middle of the last coarse cell has its strain from the one before, too. */
static stress_parents transfer_edge(const stress *s, const stress_level *l, int axis, int i)
{
    stress_parents p = transfer_node(i);
    int n = l->cells[axis];
    if (l->periodic[axis])
        return p;
    if (n % 2 && i == n)
        return (stress_parents){{p.of[0], p.of[1]}, {0.125f, 0.5f}};
    if (i == 1)
        p.weight[0] = transfer_side_weight(s, 2 * axis);
    if (n % 2 == 0 && i == n - 1)
        p.weight[1] = transfer_side_weight(s, 2 * axis + 1);
    return p;
}

/* Beyond walls lies the mirror image of the flow, reversed where they stick. */
static stress_parents transfer_middle(const stress *s, const stress_level *l, int axis, int i)
{
    int near = transfer_half(i), far = i == 2 * near ? near - 1 : near + 1;
    float weight = 0.25f;
    if (!l->periodic[axis] && (far < 0 || far >= (l->cells[axis] + 1) / 2)) {
        weight = transfer_sticks(s, 2 * axis + (far > 0)) ? -0.25f : 0.25f;
        far = near;
    }
    return (stress_parents){{near, far}, {0.75f, weight}};
}

static stress_parents transfer_whole(const stress *s, const stress_level *l, int axis, int i)
{
    bool cut =
        !l->periodic[axis] && l->cells[axis] % 2 && i == l->cells[axis] - 1 && s->problem.fixed_sides[2 * axis + 1];
    return (stress_parents){{transfer_half(i), transfer_half(i)}, {cut ? 0.5f : 0.25f, 0}};
}

/* On periodic axes also for the ghosts at −1 and n, with ghosts as parents. */
static stress_parents transfer_parents(const stress *s, const stress_level *l, int axis, stress_kind kind, int i)
{
    if (!l->halves[axis])
        return (stress_parents){{i, i}, {1, 0}};
    return kind == STRESS_NODE     ? transfer_node(i)
           : kind == STRESS_EDGE   ? transfer_edge(s, l, axis, i)
           : kind == STRESS_MIDDLE ? transfer_middle(s, l, axis, i)
           : kind == STRESS_CELL   ? (stress_parents){{transfer_half(i), transfer_half(i)}, {1, 0}}
                                   : transfer_whole(s, l, axis, i);
}

static void transfer_add_child(stress_children *c, int fine, float weight, float lumped)
{
    int slot = 0;
    while (slot < c->count && c->of[slot] != fine)
        slot++;
    if (slot == c->count) {
        c->of[c->count++] = fine;
        c->weight[slot] = c->lumped[slot] = 0;
    }
    c->weight[slot] += weight;
    c->lumped[slot] += lumped;
}

static void transfer_add(const stress *s, stress_level *l, const stress_level *coarse, int axis, stress_kind kind,
                         int i)
{
    stress_parents p = transfer_parents(s, l, axis, kind, i);
    if (i >= 0 && i < l->n[axis])
        l->parents[axis][kind][i] = p;
    for (int q = 0; q < 2; q++)
        if (p.weight[q] != 0 && p.of[q] >= 0 && p.of[q] < coarse->n[axis])
            transfer_add_child(&l->children[axis][kind][p.of[q]], i, p.weight[q],
                               p.weight[q] * (p.weight[0] + p.weight[1]));
}

void stress_relate(const stress *s, stress_level *l, const stress_level *coarse)
{
    for (int axis = 0; axis < 3; axis++)
        for (stress_kind kind = 0; kind < STRESS_KINDS; kind++) {
            int ghost = l->periodic[axis] && l->halves[axis];
            for (int i = 0; i < coarse->n[axis]; i++)
                l->children[axis][kind][i].count = 0;
            for (int i = -ghost; i < l->n[axis] + ghost; i++)
                transfer_add(s, l, coarse, axis, kind, i);
        }
}

/* An array and how its samples lie. */
typedef struct transfer_array {
    float *fine, *coarse;
    stress_kind kind[3];
    bool lumped;
} transfer_array;

static transfer_array transfer_component(int a, float *fine, float *coarse, bool lumped)
{
    transfer_array array = {fine, coarse, {STRESS_MIDDLE, STRESS_MIDDLE, STRESS_MIDDLE}, lumped};
    array.kind[a] = STRESS_NODE;
    return array;
}

static void transfer_add_row(float *restrict to, const float *restrict from, float weight, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += weight * from[i];
}

/* out[0 … n) = the sums over the children of n coarse samples from `first` on. */
static void transfer_gather(const stress_level *l, const transfer_array *array, const int first[3], int n, float *out)
{
    float row[TRANSFER_ROW] = {0};
    const stress_children *cx = l->children[0][array->kind[0]] + first[0];
    const stress_children *cy = &l->children[1][array->kind[1]][first[1]];
    const stress_children *cz = &l->children[2][array->kind[2]][first[2]];
    int low = l->n[0], high = 0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < cx[i].count; c++) {
            low = cx[i].of[c] < low ? cx[i].of[c] : low;
            high = cx[i].of[c] >= high ? cx[i].of[c] + 1 : high;
        }
    for (int z = 0; z < cz->count; z++)
        for (int y = 0; y < cy->count; y++) {
            float weight = array->lumped ? cy->lumped[y] * cz->lumped[z] : cy->weight[y] * cz->weight[z];
            transfer_add_row(row, array->fine + stress_offset(l, (int[3]){low, cy->of[y], cz->of[z]}), weight,
                             high - low);
        }
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int c = 0; c < cx[i].count; c++)
            out[i] += (array->lumped ? cx[i].lumped[c] : cx[i].weight[c]) * row[cx[i].of[c] - low];
    }
}

typedef struct transfer_job {
    const stress_level *l, *coarse;
    transfer_array arrays[10];
    int count;
} transfer_job;

static void transfer_gather_rows(void *context, int begin, int end)
{
    const transfer_job *job = context;
    const stress_level *coarse = job->coarse;
    for (int r = begin; r < end; r++)
        for (int i = 0; i < coarse->n[0]; i += STRESS_RUN) {
            int first[3] = {i, r % coarse->n[1], r / coarse->n[1]};
            int n = coarse->n[0] - i < STRESS_RUN ? coarse->n[0] - i : STRESS_RUN;
            for (int f = 0; f < job->count; f++)
                transfer_gather(job->l, &job->arrays[f], first, n,
                                job->arrays[f].coarse + stress_offset(coarse, first));
        }
}

/* Whether at least half of the faces of this level that lie in a face of the next are held. */
static bool transfer_is_held(const stress_level *l, int a, const int at[3])
{
    int held = 0, all = 0, fine[3];
    int step[3], begin[3];
    for (int b = 0; b < 3; b++) {
        begin[b] = l->halves[b] ? 2 * at[b] : at[b];
        step[b] = l->halves[b] && b != a ? 2 : 1;
    }
    for (fine[2] = begin[2]; fine[2] < begin[2] + step[2]; fine[2]++)
        for (fine[1] = begin[1]; fine[1] < begin[1] + step[1]; fine[1]++)
            for (fine[0] = begin[0]; fine[0] < begin[0] + step[0]; fine[0]++) {
                all++;
                held += fine[0] < l->n[0] && fine[1] < l->n[1] && fine[2] < l->n[2] &&
                        l->mass.of[a][stress_offset(l, fine)] == STRESS_HELD;
            }
    return 2 * held >= all;
}

static void transfer_mass_rows(void *context, int begin, int end)
{
    const transfer_job *job = context;
    const stress_level *coarse = job->coarse;
    for (int r = begin; r < end; r++) {
        int at[3] = {0, r % coarse->n[1], r / coarse->n[1]};
        for (at[0] = 0; at[0] < coarse->n[0]; at[0]++)
            for (int a = 0; a < coarse->dims; a++)
                if (transfer_is_held(job->l, a, at))
                    coarse->mass.of[a][stress_offset(coarse, at)] = STRESS_HELD;
    }
}

void stress_coarsen(const stress_level *l, stress_level *coarse)
{
    transfer_job job = {.l = l, .coarse = coarse};
    for (int a = 0; a < l->dims; a++) {
        job.arrays[job.count++] = transfer_component(a, l->mass.of[a], coarse->mass.of[a], true);
        transfer_array normal = transfer_component(a, l->normal.of[a], coarse->normal.of[a], true);
        normal.kind[a] = STRESS_WHOLE;
        job.arrays[job.count++] = normal;
    }
    for (int c = l->dims == 2 ? 2 : 0; c < 3; c++) {
        transfer_array shear = {l->shear.of[c], coarse->shear.of[c], {STRESS_EDGE, STRESS_EDGE, STRESS_EDGE}, true};
        shear.kind[c] = STRESS_MIDDLE;
        job.arrays[job.count++] = shear;
    }
    job.arrays[job.count++] =
        (transfer_array){l->bulk, coarse->bulk, {STRESS_CELL, STRESS_CELL, STRESS_CELL}, true};
    for (int a = 0; a < 3; a++)
        coarse->spread[a] = (l->halves[a] ? 0.25 : 1) * l->spread[a];
    coarse->coupled = l->coupled;
    int rows = coarse->n[1] * coarse->n[2];
    threads_for_cost(rows, (int64_t)coarse->n[0] * job.count * 16, transfer_gather_rows, &job);
    threads_for_cost(rows, (int64_t)coarse->n[0] * 16, transfer_mass_rows, &job);
    stress_wrap(coarse, &coarse->normal);
    stress_wrap(coarse, &coarse->shear);
    stress_wrap_cells(coarse, coarse->bulk);
    stress_finish(coarse);
}

static void transfer_restrict_run(void *context, const stress_level *coarse, const stress_run *run, int index)
{
    (void)index;
    const transfer_job *job = context;
    float sums[STRESS_RUN];
    for (int a = 0; a < coarse->dims; a++) {
        const float *inverse = coarse->inverse.of[a] + run->at;
        float *b = job->arrays[a].coarse + run->at;
        transfer_gather(job->l, &job->arrays[a], run->first, run->n, sums);
        for (int i = 0; i < run->n; i++)
            b[i] = inverse[i] > 0 ? sums[i] : 0;
    }
}

void stress_restrict(const stress_level *l, const stress_level *coarse)
{
    transfer_job job = {.l = l, .coarse = coarse};
    stress_wrap(l, &l->t);
    for (int a = 0; a < l->dims; a++)
        job.arrays[a] = transfer_component(a, l->t.of[a], coarse->b.of[a], false);
    stress_for_runs(coarse, transfer_restrict_run, &job);
}

/* Adds what component a of a run gets from the next level. */
static void transfer_spread(const stress_level *l, const stress_level *coarse, int a, const stress_run *run)
{
    float row[STRESS_RUN + 8] = {0};
    const stress_parents *px = l->parents[0][a == 0 ? STRESS_NODE : STRESS_MIDDLE] + run->first[0];
    const stress_parents *py = &l->parents[1][a == 1 ? STRESS_NODE : STRESS_MIDDLE][run->first[1]];
    const stress_parents *pz = &l->parents[2][a == 2 ? STRESS_NODE : STRESS_MIDDLE][run->first[2]];
    int low = l->halves[0] ? transfer_half(run->first[0]) - 1 : run->first[0];
    int high = l->halves[0] ? transfer_half(run->first[0] + run->n) + 2 : run->first[0] + run->n;
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 2; y++)
            if (py->weight[y] * pz->weight[z] != 0)
                transfer_add_row(row, coarse->x.of[a] + stress_offset(coarse, (int[3]){low, py->of[y], pz->of[z]}),
                                 py->weight[y] * pz->weight[z], high - low);
    const float *inverse = l->inverse.of[a] + run->at;
    float *x = l->x.of[a] + run->at;
    for (int i = 0; i < run->n; i++) {
        float sum = px[i].weight[0] * row[px[i].of[0] - low] + px[i].weight[1] * row[px[i].of[1] - low];
        x[i] += inverse[i] > 0 ? sum : 0;
    }
}

static void transfer_prolong_run(void *context, const stress_level *l, const stress_run *run, int index)
{
    (void)index;
    const transfer_job *job = context;
    for (int a = 0; a < l->dims; a++)
        transfer_spread(l, job->coarse, a, run);
}

void stress_prolong(const stress_level *l, const stress_level *coarse)
{
    transfer_job job = {.l = l, .coarse = coarse};
    stress_wrap(coarse, &coarse->x);
    stress_for_runs(l, transfer_prolong_run, &job);
}
