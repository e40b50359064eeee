#include "io/cache_bodies.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "io/cache_table.h"

/* The numbers of a body that are doubles, in the order of the file. */
static const struct {
    const char *name;
    size_t offset;
    int columns;
} body_parts[] = {
    {"centre", offsetof(fr_body_state, centre), 3},     {"position", offsetof(fr_body_state, position), 3},
    {"rotation", offsetof(fr_body_state, rotation), 4}, {"velocity", offsetof(fr_body_state, velocity), 3},
    {"spin", offsetof(fr_body_state, spin), 3},         {"temperature", offsetof(fr_body_state, temperature), 1},
};
enum { BODY_PARTS = sizeof body_parts / sizeof *body_parts, BODY_STRIDE = sizeof(fr_body_state) / sizeof(double) };
_Static_assert(sizeof(fr_body_state) % sizeof(double) == 0, "rows of bodies are counted in doubles");

static fr_result cache_put_present(file_draft *draft, const fr_frame *frame, h5_header *group)
{
    int64_t *present = MEMORY_NEW(int64_t, frame->body_count);
    if (!present)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < frame->body_count; i++)
        present[i] = frame->bodies[i].present;
    fr_result result =
        cache_put_table(draft, group, "present", &(cache_table){H5_INT64, 1, frame->body_count, present, 1});
    memory_free(present);
    return result;
}

static fr_result cache_fill_bodies(file_draft *draft, const fr_frame *frame, h5_header *group)
{
    for (int p = 0; p < BODY_PARTS; p++) {
        const void *values = (const char *)frame->bodies + body_parts[p].offset;
        const cache_table table = {H5_FLOAT64, body_parts[p].columns, frame->body_count, values, BODY_STRIDE};
        FR_TRY(cache_put_table(draft, group, body_parts[p].name, &table));
    }
    return cache_put_present(draft, frame, group);
}

fr_result cache_put_bodies(file_draft *draft, const fr_frame *frame, h5_header *own)
{
    h5_header group;
    h5_begin_group(&group);
    fr_result result = cache_fill_bodies(draft, frame, &group);
    if (result == FR_OK)
        return h5_end_child(draft, &group, own, "bodies");
    h5_drop(&group);
    return result;
}

/* One dataset of the group; the first one sets the number of bodies. The caller frees table->values. */
static fr_result cache_get_part(h5_source *h5, const h5_object *group, const char *name, cache_table *table)
{
    h5_object dataset;
    fr_result result = h5_open_child(h5, group, name, &dataset);
    if (result == FR_OK)
        result = cache_get_table(h5, &dataset, "bodies", table);
    h5_release(&dataset);
    if (result == FR_OK && table->rows > INT_MAX)
        return h5_refuse(h5, "number of bodies");
    return result;
}

/* Spreads a dataset over the bodies, for which the first one makes room. */
static fr_result cache_get_reals(h5_source *h5, const h5_object *group, int part, fr_body_state **bodies, int *count)
{
    const int columns = body_parts[part].columns;
    cache_table table = {.type = H5_FLOAT64, .columns = columns, .rows = part == 0 ? -1 : *count};
    fr_result result = cache_get_part(h5, group, body_parts[part].name, &table);
    if (result == FR_OK && part == 0) {
        *bodies = MEMORY_NEW(fr_body_state, table.rows);
        *count = *bodies ? (int)table.rows : 0;
        result = *bodies ? FR_OK : FR_ERROR_MEMORY;
    }
    for (int i = 0; i < *count && result == FR_OK; i++)
        memcpy((char *)&(*bodies)[i] + body_parts[part].offset, (const double *)table.values + (int64_t)i * columns,
               (size_t)columns * sizeof(double));
    memory_free((void *)table.values);
    return result;
}

static fr_result cache_get_present(h5_source *h5, const h5_object *group, fr_body_state *bodies, int count)
{
    cache_table table = {.type = H5_INT64, .columns = 1, .rows = count};
    fr_result result = cache_get_part(h5, group, "present", &table);
    for (int i = 0; i < count && result == FR_OK; i++) {
        const int64_t present = ((const int64_t *)table.values)[i];
        bodies[i].present = present != 0;
        if (present != 0 && present != 1)
            result = h5_refuse(h5, "list of bodies that are present");
    }
    memory_free((void *)table.values);
    return result;
}

/* Nobody who draws a body looks whether its numbers make sense. */
static bool cache_body_makes_sense(const fr_body_state *body)
{
    const double *q = body->rotation, near = 1e-6;
    double square = 0;
    bool finite = true;
    for (int a = 0; a < 3; a++)
        finite = finite && isfinite(body->centre[a]) && isfinite(body->position[a]) && isfinite(body->velocity[a]) &&
                 isfinite(body->spin[a]);
    for (int a = 0; a < 4; a++)
        square += q[a] * q[a];
    return finite && fabs(square - 1) < near && !isinf(body->temperature);
}

fr_result cache_get_bodies(h5_source *h5, const h5_object *group, fr_body_state **bodies, int *count)
{
    for (int p = 0; p < BODY_PARTS; p++)
        FR_TRY(cache_get_reals(h5, group, p, bodies, count));
    FR_TRY(cache_get_present(h5, group, *bodies, *count));
    for (int i = 0; i < *count; i++)
        if (!cache_body_makes_sense(&(*bodies)[i]))
            return h5_refuse(h5, "place of a body");
    return FR_OK;
}
