#include "grid/stress/stress.h"

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

static void level_layout(const domain *d, stress_level *l)
{
    *l = (stress_level){.dims = d->dims};
    for (int a = 0; a < 3; a++) {
        l->cells[a] = d->n[a];
        l->periodic[a] = a < d->dims && d->periodic[a];
        l->n[a] = d->n[a] + (a < d->dims && !d->periodic[a]);
    }
    ptrdiff_t row = WIDE + wide_round(l->n[0] + 1), plane = row * (l->n[1] + 2);
    l->stride[0] = 1;
    l->stride[1] = row;
    l->stride[2] = l->dims == 2 ? 0 : plane;
    l->count = (size_t)(l->dims == 2 ? plane : plane * (l->n[2] + 2)) + WIDE;
}

/* An array of a level, from sample (0, 0, 0) on. A whole vector of ghosts along x keeps rows aligned. */
static float *level_array(const stress_level *l, stress_store *store)
{
    float *array = store_take(store, l->count * sizeof(float));
    return array ? array + WIDE + l->stride[1] + l->stride[2] : NULL;
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
    l->runs = store_take(store, level_most_runs(l) * sizeof(stress_run));
}

static void stress_place(stress *s, stress_store *store)
{
    stress_level *l = &s->fine;
    level_layout(&s->block, l);
    level_place(l, store);
    level_vector(l, store, &s->p);
    for (int a = 0; a < l->dims; a++)
        s->change[a] = store_take(store, l->count * sizeof(double));
    s->partial = store_take(store, level_most_runs(l) * sizeof(double));
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
        memset(v->of[a] - (WIDE + l->stride[1] + l->stride[2]), 0, l->count * sizeof(float));
}

void stress_set(stress *s, const stress_problem *problem)
{
    s->problem = *problem;
    stress_level *l = &s->fine;
    stress_vector *vectors[] = {&l->b, &l->x, &l->t, &s->p};
    for (int i = 0; i < 4; i++)
        stress_clear(l, vectors[i]);
    stress_build(s);
}
