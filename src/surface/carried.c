#include "surface/carried.h"

#include <freshet/defs.h>
#include <freshet/fields.h>

#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vec.h"

/* How deep below the surface values are looked for, in cells: as little as there is liquid around. */
static const double carried_depths[] = {0.25, 0.75, 1.25, 2};
/* Share of the eight cells around a point that must be liquid. */
static const double carried_least = 0.1;

typedef struct carried_job {
    const fr_frame *frame;
    const fr_mesh *mesh;
    const fr_field *field, *level;
    bool decades; /* the field ranges over decades: means are of logarithms */
    int refine;   /* cells of the level set per cell of the field */
    float *values;
} carried_job;

/* Whether the middle of a cell is liquid. */
static bool carried_is_wet(const carried_job *job, const int cell[3])
{
    const fr_field *level = job->level;
    const int r = job->refine, low = (r - 1) / 2, high = r / 2;
    float sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        ptrdiff_t at = 0;
        for (int a = 0; a < 3; a++)
            at += (cell[a] * r + (corner >> a & 1 ? high : low)) * level->stride[a];
        sum += level->data[at];
    }
    return sum < 0;
}

/* The cell that holds a point, and the eight around it: the lowest of them, and its share along each axis. */
static void carried_place(const carried_job *job, const double at[3], int low[3], double share[3])
{
    for (int a = 0; a < 3; a++) {
        double place = (at[a] - job->frame->origin[a]) / job->frame->spacing[a] - 0.5;
        place = clampd(place, 0, (double)job->field->size[a] - 1);
        low[a] = (int)fmin(floor(place), fmax((double)job->field->size[a] - 2, 0));
        share[a] = place - low[a];
    }
}

/* The mean of the liquid's cells around a point, by how near they are; false where there are hardly any. */
static bool carried_mean(const carried_job *job, const double at[3], float *mean)
{
    int low[3];
    double share[3], sum = 0, weights = 0;
    carried_place(job, at, low, share);
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int cell[3];
        ptrdiff_t offset = 0;
        for (int a = 0; a < 3; a++) {
            const int up = corner >> a & 1;
            weight *= up ? share[a] : 1 - share[a];
            cell[a] = low[a] + (low[a] + up < job->field->size[a] ? up : 0);
            offset += cell[a] * job->field->stride[a];
        }
        if (weight > 0 && carried_is_wet(job, cell)) {
            const double value = (double)job->field->data[offset];
            sum += weight * (job->decades ? log(value) : value);
            weights += weight;
        }
    }
    *mean = weights > 0 ? (float)(job->decades ? exp(sum / weights) : sum / weights) : 0;
    return weights > carried_least;
}

/* The cell at a point has some liquid, though its middle is in the air: a speck. */
static float carried_own(const carried_job *job, const float vertex[3])
{
    ptrdiff_t offset = 0;
    for (int a = 0; a < 3; a++) {
        double place = floor(((double)vertex[a] - job->frame->origin[a]) / job->frame->spacing[a]);
        offset += (ptrdiff_t)clampd(place, 0, (double)job->field->size[a] - 1) * job->field->stride[a];
    }
    return job->field->data[offset];
}

static void carried_find(void *context, int begin, int end)
{
    const carried_job *job = context;
    enum { DEPTHS = sizeof carried_depths / sizeof *carried_depths };
    for (int v = begin; v < end; v++) {
        const float *vertex = job->mesh->vertices[v], *normal = job->mesh->normals[v];
        bool found = false;
        for (int n = 0; n < DEPTHS && !found; n++) {
            double at[3];
            for (int a = 0; a < 3; a++)
                at[a] = (double)vertex[a] - carried_depths[n] * job->frame->spacing[a] * (double)normal[a];
            found = carried_mean(job, at, &job->values[v]);
        }
        if (!found)
            job->values[v] = carried_own(job, vertex);
    }
}

fr_result fr_surface_values(const fr_frame *frame, const fr_mesh *mesh, const char *field, float *values)
{
    carried_job job = {.frame = frame, .mesh = mesh, .values = values};
    job.field = fr_frame_field(frame, field);
    job.level = fr_frame_field(frame, "level_set");
    job.decades = fr_field_on_grid(field)->in_3d.span == FR_SPAN_DECADES;
    job.refine = job.level && job.level->location == FR_AT_CELL ? fr_field_refine(frame, job.level) : 0;
    if (job.refine < 1)
        return fr_fail(FR_ERROR_INPUT, "values on a surface are those of a liquid with a level set, and this frame has "
                                       "none");
    if (!job.field || job.field->location != FR_AT_CELL || fr_field_refine(frame, job.field) != 1)
        return fr_fail(FR_ERROR_INPUT, "the frame has no field '%s' of cells to show on a surface", field);
    threads_for((int)mesh->vertex_count, carried_find, &job);
    return FR_OK;
}

/* Three fields as the parts of a vector at each vertex. */
static fr_result carried_vectors(const fr_frame *frame, const fr_mesh *mesh, const char *const names[3], float *vectors)
{
    float *part = MEMORY_NEW(float, mesh->vertex_count);
    fr_result result = part ? FR_OK : FR_ERROR_MEMORY;
    for (int a = 0; a < 3 && result == FR_OK; a++) {
        result = fr_surface_values(frame, mesh, names[a], part);
        for (int64_t v = 0; v < mesh->vertex_count && result == FR_OK; v++)
            vectors[3 * v + a] = part[v];
    }
    memory_free(part);
    return result;
}

static fr_result carried_colours(const fr_frame *frame, fr_mesh *mesh, float *vectors)
{
    static const char *const names[3] = {FR_COLOUR_RED, FR_COLOUR_GREEN, FR_COLOUR_BLUE};
    mesh->colours = memory_alloc((size_t)mesh->vertex_count * sizeof *mesh->colours);
    if (!mesh->colours)
        return FR_ERROR_MEMORY;
    FR_TRY(carried_vectors(frame, mesh, names, vectors));
    for (int64_t i = 0; i < 3 * mesh->vertex_count; i++)
        mesh->colours[i / 3][i % 3] = (uint8_t)(255 * clampd((double)vectors[i], 0, 1) + 0.5);
    return FR_OK;
}

fr_result carried_add(const fr_frame *frame, fr_mesh *mesh)
{
    static const char *const names[3] = {"texture_x", "texture_y", "texture_z"};
    const bool coloured = fr_frame_field(frame, FR_COLOUR_RED), textured = fr_frame_field(frame, names[0]);
    if (mesh->vertex_count == 0 || !(coloured || textured))
        return FR_OK;
    float *vectors = memory_alloc((size_t)mesh->vertex_count * sizeof *mesh->texture);
    fr_result result = vectors ? FR_OK : FR_ERROR_MEMORY;
    if (result == FR_OK && coloured)
        result = carried_colours(frame, mesh, vectors);
    if (result == FR_OK && textured)
        result = carried_vectors(frame, mesh, names, vectors);
    if (result == FR_OK && textured)
        mesh->texture = (float(*)[3])(void *)vectors;
    else
        memory_free(vectors);
    return result;
}
