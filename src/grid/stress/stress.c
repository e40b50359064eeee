#include "grid/stress/stress.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/wide.h"
#include "grid/stress/parts.h"

/* Hands out pieces of one block. Without a block it only counts. */
typedef struct stress_store {
    char *block;
    size_t used;
} stress_store;

static void *store_take(stress_store *store, size_t bytes)
{
    const size_t line = 64;
    char *piece = store->block ? store->block + store->used : NULL;
    store->used += (bytes + line - 1) / line * line;
    return piece;
}

static void level_layout(stress_level *l)
{
    for (int a = 0; a < 3; a++)
        l->n[a] = l->cells[a] + (a < l->dims && !l->periodic[a]);
    ptrdiff_t row = WIDE + wide_round(l->n[0] + 1), plane = row * (l->n[1] + 2);
    l->stride[0] = 1;
    l->stride[1] = row;
    l->stride[2] = l->dims == 2 ? 0 : plane;
    l->count = (size_t)(l->dims == 2 ? plane : plane * (l->n[2] + 2)) + WIDE;
}

static void level_finest(const domain *d, stress_level *l)
{
    *l = (stress_level){.dims = d->dims};
    for (int a = 0; a < 3; a++) {
        l->cells[a] = d->n[a];
        l->periodic[a] = a < d->dims && d->periodic[a];
    }
    level_layout(l);
}

/* Halves every axis that has more than a few cells. False where there is none. */
static bool level_next(stress_level *l, stress_level *coarse)
{
    enum { FEW = 3 };
    *coarse = (stress_level){.dims = l->dims};
    bool any = false;
    for (int a = 0; a < 3; a++) {
        l->halves[a] = l->cells[a] > FEW && !(l->periodic[a] && l->cells[a] % 2);
        coarse->cells[a] = l->halves[a] ? (l->cells[a] + 1) / 2 : l->cells[a];
        coarse->periodic[a] = l->periodic[a];
        any = any || l->halves[a];
    }
    level_layout(coarse);
    return any;
}

/* Offset of sample (0, 0, 0) in an array. A whole vector of ghosts along x keeps rows aligned. */
static ptrdiff_t level_origin(const stress_level *l)
{
    return WIDE + l->stride[1] + l->stride[2];
}

static float *level_array(const stress_level *l, stress_store *store)
{
    float *array = store_take(store, l->count * sizeof(float));
    return array ? array + level_origin(l) : NULL;
}

/* In 2D there are two components and normal strains, and one kind of edge: that along z. */
static void level_vector(const stress_level *l, stress_store *store, stress_vector *v)
{
    bool edges = v == &l->shear;
    for (int a = 0; a < 3; a++)
        v->of[a] = l->dims == 3 || (edges ? a == 2 : a < 2) ? level_array(l, store) : l->zero;
}

static size_t level_most_runs(const stress_level *l)
{
    return (size_t)l->n[1] * (size_t)l->n[2] * (size_t)(l->n[0] / STRESS_GAP + 1);
}

static void level_place(stress_level *l, stress_store *store)
{
    l->zero = level_array(l, store);
    stress_vector *vectors[] = {&l->mass, &l->normal, &l->shear, &l->inverse, &l->b, &l->x, &l->t};
    for (int i = 0; i < 7; i++)
        level_vector(l, store, vectors[i]);
    l->bulk = level_array(l, store);
    l->runs = store_take(store, level_most_runs(l) * sizeof(stress_run));
}

static void level_place_links(stress_level *l, const stress_level *coarse, stress_store *store)
{
    for (int a = 0; a < 3; a++)
        for (stress_kind kind = 0; kind < STRESS_KINDS; kind++) {
            l->parents[a][kind] = store_take(store, (size_t)l->n[a] * sizeof(stress_parents));
            l->children[a][kind] = store_take(store, (size_t)coarse->n[a] * sizeof(stress_children));
        }
}

static void lumps_place(stress *s, stress_store *store)
{
    const stress_level *finest = &s->level[0];
    stress_lumps *lumps = &s->lumps;
    uint8_t *labels = store_take(store, finest->count);
    uint16_t *depths = store_take(store, finest->count * sizeof(uint16_t));
    lumps->labels = labels ? labels + level_origin(finest) : NULL;
    lumps->depths = depths ? depths + level_origin(finest) : NULL;
    lumps->queue = store_take(store, finest->count * sizeof(int));
    lumps->pieces = store_take(store, level_most_runs(finest) * sizeof(stress_piece));
    lumps->matrix = store_take(store, sizeof(double) * 36 * STRESS_LUMPS * STRESS_LUMPS);
}

static void stress_place(stress *s, stress_store *store)
{
    level_finest(&s->block, &s->level[0]);
    level_place(&s->level[0], store);
    for (s->levels = 1; s->levels < STRESS_LEVELS; s->levels++) {
        stress_level *l = &s->level[s->levels - 1];
        if (!level_next(l, l + 1))
            break;
        level_place(l + 1, store);
        level_place_links(l, l + 1, store);
    }
    const stress_level *finest = &s->level[0];
    level_vector(finest, store, &s->p);
    for (int a = 0; a < finest->dims; a++) {
        double *change = store_take(store, finest->count * sizeof(double));
        s->change[a] = change ? change + level_origin(finest) : NULL;
    }
    s->push = level_array(finest, store);
    s->wet = level_array(finest, store);
    s->partial = store_take(store, level_most_runs(finest) * sizeof(double));
    const int *labelled = stress_label_level(s)->n;
    size_t samples = (size_t)labelled[0] * (size_t)labelled[1] * (size_t)labelled[2];
    s->labels = store_take(store, samples);
    s->queue = store_take(store, samples * sizeof(int));
    s->most_pieces = (int)level_most_runs(finest);
    s->pieces = store_take(store, level_most_runs(finest) * sizeof(stress_piece));
    lumps_place(s, store);
    for (int f = 0; f < 2; f++) {
        float *block = store_take(store, field_bytes(&s->block, FR_AT_CELL));
        if (block)
            field_over(block, &s->block, FR_AT_CELL, &s->smooth[f]);
    }
    s->factor = store_take(store, STRESS_DIRECT * STRESS_DIRECT * sizeof(double));
    s->solution = store_take(store, STRESS_DIRECT * sizeof(double));
    s->place = store_take(store, STRESS_DIRECT * sizeof(ptrdiff_t));
}

size_t stress_bytes(const domain *d)
{
    stress s = {.block = *d};
    stress_store counter = {0};
    stress_place(&s, &counter);
    return counter.used + sizeof(stress);
}

fr_result stress_create(const domain *d, stress **out)
{
    *out = NULL;
    stress *s = MEMORY_NEW(stress, 1);
    if (!s)
        return FR_ERROR_MEMORY;
    s->block = *d;
    double square = 0;
    for (int a = 0; a < d->dims; a++)
        square += d->h[a] * d->h[a];
    s->reach = (float)(1.2 * sqrt(square));
    stress_store store = {.block = memory_alloc(stress_bytes(d))};
    s->memory = store.block;
    if (!store.block) {
        stress_destroy(s);
        return FR_ERROR_MEMORY;
    }
    stress_place(s, &store);
    *out = s;
    return FR_OK;
}

void stress_destroy(stress *s)
{
    if (!s)
        return;
    memory_free(s->memory);
    memory_free(s);
}

void stress_clear(const stress_level *l, const stress_vector *v)
{
    for (int a = 0; a < l->dims; a++)
        memset(v->of[a] - level_origin(l), 0, l->count * sizeof(float));
}

void stress_clear_exact(const stress_level *l, double *const v[3])
{
    for (int a = 0; a < l->dims; a++)
        memset(v[a] - level_origin(l), 0, l->count * sizeof(double));
}

void stress_set(stress *s, const stress_problem *problem)
{
    s->problem = *problem;
    stress_clear(&s->level[0], &s->p);
    stress_smear(s);
    s->weak = stress_is_weak(s);
    for (int i = 0; i < (s->weak ? 1 : s->levels); i++) {
        stress_level *l = &s->level[i];
        stress_clear(l, &l->b);
        stress_clear(l, &l->x);
        stress_clear(l, &l->t);
    }
    stress_build(s);
    const stress_level *last = s->weak ? stress_label_level(s) : &s->level[s->levels - 1];
    for (stress_level *l = s->level; l < last; l++) {
        stress_relate(s, l, l + 1);
        stress_coarsen(l, l + 1);
    }
    if (!s->weak)
        stress_factor(s);
    stress_find_bodies(s);
    stress_find_lumps(s);
}
