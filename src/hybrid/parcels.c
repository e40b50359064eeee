#include "hybrid/parcels.h"

#include <assert.h>
#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/wide.h"
#include "hybrid/parcels_parts.h"
#include "hybrid/slabs.h"

_Static_assert(sizeof(slabs_packet) * PARCELS_PER_ORDER <= sizeof(int32_t) * SLABS_PACKET, "no room for packets");

int parcels_arrays(parcels *p, float **of[PARCELS_ARRAYS])
{
    int count = 0;
    for (int a = 0; a < 3; a++)
        of[count++] = &p->x[a];
    for (int a = 0; a < p->d.dims && p->kind != PARCELS_MARKERS; a++)
        of[count++] = &p->v[a];
    for (int a = 0; a < p->d.dims && p->kind == PARCELS_APIC; a++)
        for (int b = 0; b < p->d.dims; b++)
            of[count++] = &p->c[a][b];
    return count;
}

size_t parcels_saved_bytes(parcels_kind kind, int dims)
{
    float **of[PARCELS_ARRAYS];
    parcels p = {.kind = kind, .d.dims = dims};
    return sizeof(float) * (size_t)parcels_arrays(&p, of);
}

size_t parcels_bytes(parcels_kind kind, int dims)
{
    return parcels_saved_bytes(kind, dims) + 3 * sizeof(float) + sizeof(int32_t);
}

fr_result parcels_create(const domain *d, parcels_kind kind, parcels *out)
{
    bool deep = d->dims == 3 && d->n[2] >= d->n[1];
    *out = (parcels){.d = *d, .kind = kind, .slow = deep ? 2 : 1, .mid = deep ? 1 : 2};
    out->layer = MEMORY_NEW(int32_t, d->n[out->slow] + 1);
    out->strays = MEMORY_NEW(int32_t, d->n[out->slow]);
    out->start = MEMORY_NEW(int32_t, domain_cells(d) + 1);
    out->row_come = MEMORY_NEW(int32_t, 2 * d->n[1] * d->n[2]);
    if (out->layer && out->strays && out->start && out->row_come) {
        out->row_go = out->row_come + d->n[1] * d->n[2];
        return FR_OK;
    }
    parcels_destroy(out);
    return FR_ERROR_MEMORY;
}

static void parcels_free_scratch(parcels *p)
{
    memory_free(p->list);
    memory_free(p->order);
    memory_free(p->tally);
    p->list = p->order = p->tally = NULL;
}

void parcels_destroy(parcels *p)
{
    float **of[PARCELS_ARRAYS];
    int arrays = parcels_arrays(p, of);
    for (int i = 0; i < arrays; i++)
        memory_free(*of[i]);
    for (int a = 0; a < 3; a++)
        memory_free(p->spare[a]);
    parcels_free_scratch(p);
    memory_free(p->layer);
    memory_free(p->strays);
    memory_free(p->start);
    memory_free(p->row_come);
    *p = (parcels){0};
}

static fr_result parcels_grow_array(float **array, int64_t count, int64_t room)
{
    float *grown = MEMORY_NEW(float, room + WIDE); /* eight are read from any place */
    if (!grown)
        return FR_ERROR_MEMORY;
    if (count)
        memcpy(grown, *array, sizeof *grown * (size_t)count);
    memory_free(*array);
    *array = grown;
    return FR_OK;
}

fr_result parcels_reserve(parcels *p, int64_t room)
{
    if (room <= p->room)
        return FR_OK;
    room = room > p->room + p->room / 2 ? room : p->room + p->room / 2;
    room = (room + WIDE - 1) / WIDE * WIDE;
    float **of[PARCELS_ARRAYS];
    int arrays = parcels_arrays(p, of);
    for (int i = 0; i < arrays; i++)
        FR_TRY(parcels_grow_array(of[i], p->count, room));
    for (int a = 0; a < 3; a++)
        FR_TRY(parcels_grow_array(&p->spare[a], p->kept_count, room));
    parcels_free_scratch(p);
    p->room = 0; /* until all is there */
    p->list = MEMORY_NEW(int32_t, room);
    p->order = MEMORY_NEW(int32_t, room / PARCELS_PER_ORDER + 4);
    p->tally = MEMORY_NEW(int32_t, (int64_t)parcels_chunks(room) * p->d.n[p->slow]);
    if (!p->list || !p->order || !p->tally)
        return FR_ERROR_MEMORY;
    p->room = room;
    return FR_OK;
}

/* The place can be found again by parcels_put_back. */
void parcels_remove(parcels *p, int64_t n)
{
    float *along = &p->x[p->slow][n];
    p->gone += *along >= 0;
    *along = *along > 0 ? -*along : *along < 0 ? *along : -FLT_MIN;
}

void parcels_add(parcels *p, const float x[3], const float v[3])
{
    assert(p->count < p->room);
    int64_t n = p->count++;
    for (int a = 0; a < 3; a++)
        p->x[a][n] = a < p->d.dims ? x[a] : 0.5f;
    for (int a = 0; a < p->d.dims && p->kind != PARCELS_MARKERS; a++)
        p->v[a][n] = v ? v[a] : 0;
    for (int a = 0; a < p->d.dims && p->kind == PARCELS_APIC; a++)
        for (int b = 0; b < p->d.dims; b++)
            p->c[a][b][n] = 0;
}

void parcels_keep(parcels *p)
{
    p->kept_count = p->count;
    p->kept_gone = p->gone;
    p->moved = false;
}

void parcels_put_back(parcels *p)
{
    p->count = p->kept_count;
    p->gone = p->kept_gone;
    for (int a = 0; a < 3 && p->moved; a++)
        parcels_exchange(p, a);
    p->moved = false;
    float *along = p->x[p->slow];
    for (int64_t n = 0; n < p->count; n++)
        along[n] = along[n] < 0 && along[n] > PARCELS_GONE ? -along[n] : along[n];
}

bool parcels_want_sort(const parcels *p, int64_t strays)
{
    return strays + (p->count - p->sorted) + p->gone > p->count / 64;
}

void parcels_age(parcels *p, int64_t strays, int oldest)
{
    p->age++;
    if (p->age >= oldest || parcels_want_sort(p, strays))
        parcels_sort(p);
}

static bool parcels_layers_fit(const parcels *p)
{
    int layers = p->d.n[p->slow];
    bool fit = p->age > 0 && p->layer[0] == 0 && p->layer[layers] == p->sorted && p->sorted <= p->count;
    for (int l = 0; l < layers; l++)
        fit = fit && p->layer[l] <= p->layer[l + 1];
    return fit;
}

bool parcels_resume(parcels *p)
{
    p->gone = 0;
    if (p->age == 0) {
        parcels_sort(p);
        return true;
    }
    for (int64_t n = 0; n < p->count; n++)
        p->gone += !parcels_has(p, n);
    return parcels_layers_fit(p);
}
