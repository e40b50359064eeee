#include "grid/curve/curve.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "grid/curve/parts.h"
#include "grid/halo.h"

enum { CURVE_FIELDS = 55 };

curve_name curve_name_of(int dims, const int at[3])
{
    curve_name name;
    if (dims == 2)
        snprintf(name.text, sizeof name.text, "(%d, %d)", at[0], at[1]);
    else
        snprintf(name.text, sizeof name.text, "(%d, %d, %d)", at[0], at[1], at[2]);
    return name;
}

typedef struct curve_slot {
    field *field;
    fr_location at;
} curve_slot;

static int curve_basis_slots(curve_basis *basis, fr_location at, int dims, curve_slot *slots)
{
    int count = 0;
    for (int j = 0; j < dims; j++)
        for (int x = 0; x < dims; x++)
            slots[count++] = (curve_slot){&basis->vector[j][x], at};
    return count;
}

/* Every field of a grid with its location. */
static int curve_slots(curve *c, curve_slot slots[CURVE_FIELDS])
{
    int dims = c->domain.dims, count = 0;
    slots[count++] = (curve_slot){&c->volume, FR_AT_CELL};
    for (int k = 0; k < dims; k++) {
        slots[count++] = (curve_slot){&c->inverse[k], field_face(k)};
        for (int x = 0; x < dims; x++)
            slots[count++] = (curve_slot){&c->face[k][x], field_face(k)};
        for (int j = 0; j < dims; j++)
            if (j != k)
                slots[count++] = (curve_slot){&c->lean[k][j], field_face(k)};
        count += curve_basis_slots(&c->on_face[k], field_face(k), dims, slots + count);
    }
    return count + curve_basis_slots(&c->on_cell, FR_AT_CELL, dims, slots + count);
}

static size_t curve_node_bytes(const int nodes[3])
{
    return sizeof(double) * 3 * (size_t)nodes[0] * (size_t)nodes[1] * (size_t)nodes[2];
}

size_t curve_bytes(const domain *d)
{
    curve shape = {.domain = *d};
    curve_slot slots[CURVE_FIELDS];
    int count = curve_slots(&shape, slots);
    size_t bytes = curve_node_bytes((int[3]){d->n[0] + 1, d->n[1] + 1, d->dims == 3 ? d->n[2] + 1 : 1});
    for (int i = 0; i < count; i++)
        bytes += field_bytes(d, slots[i].at);
    return bytes;
}

void curve_destroy(curve *c)
{
    curve_slot slots[CURVE_FIELDS];
    int count = curve_slots(c, slots);
    for (int i = 0; i < count; i++)
        field_destroy(slots[i].field);
    memory_free(c->node);
    *c = (curve){0};
}

static fr_result curve_allocate(curve *c)
{
    curve_slot slots[CURVE_FIELDS];
    int count = curve_slots(c, slots);
    for (int i = 0; i < count; i++)
        FR_TRY(field_create(&c->domain, slots[i].at, slots[i].field));
    c->node = memory_alloc(curve_node_bytes(c->nodes));
    return c->node ? FR_OK : FR_ERROR_MEMORY;
}

/* Files keep few digits: makes the high end of a periodic axis exactly the low end plus the period. */
static void curve_join_ends(curve *c, int axis)
{
    ptrdiff_t stride[3] = {3, 3 * c->nodes[0], 3 * (ptrdiff_t)c->nodes[0] * c->nodes[1]};
    int b = (axis + 1) % 3, d = (axis + 2) % 3;
    ptrdiff_t across = (c->nodes[axis] - 1) * stride[axis];
    double moved[3];
    for (int x = 0; x < 3; x++)
        moved[x] = c->node[across + x] - c->node[x];
    for (int j = 0; j < c->nodes[b]; j++)
        for (int k = 0; k < c->nodes[d]; k++) {
            double *low = c->node + j * stride[b] + k * stride[d];
            for (int x = 0; x < 3; x++)
                low[across + x] = low[x] + moved[x];
        }
}

static void curve_take_nodes(curve *c, const curve_def *def)
{
    memcpy(c->node, def->node, curve_node_bytes(c->nodes));
    if (def->dims == 2)
        for (ptrdiff_t i = 0; i < (ptrdiff_t)c->nodes[0] * c->nodes[1]; i++)
            c->node[3 * i + 2] = 0;
    for (int a = 0; a < def->dims; a++)
        if (def->periodic[a])
            curve_join_ends(c, a);
}

typedef struct curve_job {
    curve *c;
    curve_nodes nodes;
    int k;
    double hand;
} curve_job;

static void curve_volume_rows(void *context, int begin, int end)
{
    const curve_job *job = context;
    const int *n = job->c->domain.n;
    for (int m = begin; m < end; m++) {
        float *row = field_row(&job->c->volume, m % n[1], m / n[1]);
        for (int i = 0; i < n[0]; i++) {
            curve_patch cell = curve_patch_at(&job->nodes, i, m % n[1], m / n[1]);
            row[i] = (float)(job->hand * curve_patch_volume(&cell));
        }
    }
}

/* ½ d₁ × d₂, d the two diagonals: the area vector of any surface bounded by the four edges, so the vectors of a closed
   cell add up to zero. */
static vec3 curve_face_vector(const curve_nodes *nodes, int k, const int at[3])
{
    vec3 corner[4];
    for (int q = 0; q < 4; q++) {
        int node[3] = {at[0], at[1], at[2]};
        node[(k + 1) % 3] += q & 1;
        node[(k + 2) % 3] += q >> 1;
        corner[q] = curve_node(nodes, node[0], node[1], node[2]);
    }
    return vec3_scale(vec3_cross(vec3_sub(corner[3], corner[0]), vec3_sub(corner[2], corner[1])), 0.5);
}

static void curve_face_rows(void *context, int begin, int end)
{
    const curve_job *job = context;
    field *face = job->c->face[job->k];
    bool solid = job->c->domain.dims == 3;
    for (int m = begin; m < end; m++) {
        int j = m % face->size[1], k = m / face->size[1];
        for (int i = 0; i < face->size[0]; i++) {
            vec3 s = vec3_scale(curve_face_vector(&job->nodes, job->k, (int[3]){i, j, k}), job->hand);
            ptrdiff_t at = field_offset(face, i, j, k);
            face[0].data[at] = (float)s.x;
            face[1].data[at] = (float)s.y;
            if (solid)
                face[2].data[at] = (float)s.z;
        }
    }
}

static void curve_inverse_rows(void *context, int begin, int end)
{
    const curve_job *job = context;
    field *inverse = &job->c->inverse[job->k];
    const field *volume = &job->c->volume;
    for (int m = begin; m < end; m++) {
        int j = m % inverse->size[1], k = m / inverse->size[1];
        const float *restrict cell = field_row(volume, j, k), *restrict before = cell - volume->stride[job->k];
        float *restrict out = field_row(inverse, j, k);
        for (int i = 0; i < inverse->size[0]; i++)
            out[i] = 2 / (before[i] + cell[i]);
    }
}

static void curve_measure(curve *c)
{
    curve_job job = {.c = c, .nodes = curve_nodes_of(c), .hand = c->left_handed ? -1 : 1};
    field_for_rows(&c->volume, curve_volume_rows, &job);
    halo_fill_even(&c->volume, &c->domain);
    for (job.k = 0; job.k < c->domain.dims; job.k++) {
        field_for_rows(c->face[job.k], curve_face_rows, &job);
        for (int x = 0; x < c->domain.dims; x++)
            halo_fill_even(&c->face[job.k][x], &c->domain);
        field_for_rows(&c->inverse[job.k], curve_inverse_rows, &job);
        halo_fill_even(&c->inverse[job.k], &c->domain);
    }
}

static fr_result curve_build(const curve_def *def, curve *c)
{
    FR_TRY(curve_allocate(c));
    curve_take_nodes(c, def);
    curve_nodes nodes = curve_nodes_of(c);
    curve_patch first = curve_patch_at(&nodes, 0, 0, 0);
    c->left_handed = curve_patch_volume(&first) < 0;
    curve_measure(c);
    return curve_basis_make(c);
}

fr_result curve_create(const curve_def *def, curve *out)
{
    *out = (curve){.domain = {.dims = def->dims, .n = {1, 1, 1}, .h = {1, 1, 1}}, .nodes = {1, 1, 1}};
    for (int a = 0; a < def->dims; a++) {
        out->domain.n[a] = def->cells[a];
        out->domain.periodic[a] = def->periodic[a];
        out->nodes[a] = def->cells[a] + 1;
    }
    fr_result result = curve_build(def, out);
    if (result != FR_OK)
        curve_destroy(out);
    return result;
}
