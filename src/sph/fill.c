/* Which places of the lattice are filled with liquid at the start. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "method/motion.h"
#include "sph/model.h"

typedef struct fill_shapes {
    shape **fills, **obstacles;  /* with the rigid bodies that are there at the start */
    int obstacle_count, given_count;   /* the first ones are obstacles of the scene */
} fill_shapes;

static fr_result fill_shapes_create(const fr_scene_def *def, fill_shapes *shapes)
{
    char key[64];
    shapes->fills = MEMORY_NEW(shape *, def->fill_count + 1);
    shapes->obstacles = MEMORY_NEW(shape *, def->obstacle_count + def->body_count + 1);
    if (!shapes->fills || !shapes->obstacles)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < def->fill_count; i++) {
        snprintf(key, sizeof key, "fill[%d]", i + 1);
        FR_TRY(shape_create(&def->fill[i].shape, def->domain.dims, key, &shapes->fills[i]));
    }
    for (int i = 0; i < def->obstacle_count; i++) {
        snprintf(key, sizeof key, "obstacles[%d].shape", i + 1);
        FR_TRY(shape_create(&def->obstacles[i].shape, def->domain.dims, key, &shapes->obstacles[i]));
        motion now;
        FR_TRY(motion_over(&def->obstacles[i], 0, 0, &now));
        if (motion_moves(&def->obstacles[i]))
            shape_place(shapes->obstacles[i], &now.pose);
    }
    shapes->obstacle_count = shapes->given_count = def->obstacle_count;
    for (int b = 0; b < def->body_count; b++) {
        snprintf(key, sizeof key, "bodies[%d].shape", b + 1);
        shape **body = &shapes->obstacles[shapes->obstacle_count];
        if (def->bodies[b].from > 0)
            continue;
        FR_TRY(shape_create(&def->bodies[b].shape, def->domain.dims, key, body));
        shapes->obstacle_count++;
    }
    return FR_OK;
}

static void fill_shapes_destroy(const fr_scene_def *def, fill_shapes *shapes)
{
    for (int i = 0; i < def->fill_count && shapes->fills; i++)
        shape_destroy(shapes->fills[i]);
    for (int i = 0; i < def->obstacle_count + def->body_count && shapes->obstacles; i++)
        shape_destroy(shapes->obstacles[i]);
    memory_free(shapes->fills);
    memory_free(shapes->obstacles);
}

/* Rows of places, a batch at a time, each on one thread. */
enum { BATCH = 64 };
typedef struct fill_batch {
    const fr_scene_def *def;
    const sph_model *m;
    const fill_shapes *shapes;
    int n[3];                /* places along every axis */
    int first, rows;         /* of the batch */
    float *distance;         /* m, of each place to the shape at hand */
    int32_t *fill;           /* which shape of the fill covers it; −1: none */
    fr_result result;        /* of functions of the scene, which are called on one thread only */
} fill_batch;

static void fill_places(const sph_model *m, int n[3])
{
    for (int a = 0; a < 3; a++)
        n[a] = a < m->dims ? (int)floor((m->high[a] - m->low[a]) / m->spacing + 1e-3) : 1;
}

/* The first place of a row. */
static void fill_start(const sph_model *m, const int n[3], int row, double start[3])
{
    const int at[3] = {0, row % n[1], row / n[1]};
    for (int a = 0; a < 3; a++)
        start[a] = a < m->dims ? m->low[a] + (at[a] + 0.5) * m->spacing : 0;
}

/* The part of a row that the box around a shape holds, and a place more to either side. */
static void fill_part(const fill_batch *b, const shape *s, const double start[3], int part[2])
{
    double min[3], max[3], d = b->m->spacing;
    shape_bounds(s, min, max);
    bool beside = false;
    for (int a = 1; a < b->m->dims; a++)
        beside = beside || start[a] < min[a] - d || start[a] > max[a] + d;
    part[0] = beside ? 0 : (int)fmax(0, fmin(b->n[0], floor((min[0] - start[0]) / d) - 1));
    part[1] = beside ? 0 : (int)fmax(0, fmin(b->n[0], ceil((max[0] - start[0]) / d) + 2));
}

/* The last shape of the fill that covers each place of a row; says whether any does. */
static fr_result fill_cover(const fill_batch *b, const double start[3], float *distance, int32_t *fill, bool *any)
{
    *any = false;
    for (int i = 0; i < b->n[0]; i++)
        fill[i] = -1;
    for (int f = 0; f < b->def->fill_count; f++) {
        int part[2];
        fill_part(b, b->shapes->fills[f], start, part);
        FR_TRY(shape_distance_part(b->shapes->fills[f], start, b->m->spacing, part[0], part[1], distance));
        for (int i = part[0]; i < part[1]; i++)
            if (distance[i] < 0) {
                fill[i] = f;
                *any = true;
            }
    }
    return FR_OK;
}

/* Not where an obstacle is nearer than half a spacing, nor in a rigid body, from which sph/settle.c keeps clear; WCSPH
   keeps clear of both. */
static fr_result fill_keep_clear(const fill_batch *b, const double start[3], float *distance, int32_t *fill)
{
    const double touching = 0.5 * b->m->spacing * (1 - 1e-3);
    for (int o = 0; o < b->shapes->obstacle_count; o++) {
        FR_TRY(shape_distance_row(b->shapes->obstacles[o], start, b->m->spacing, b->n[0], distance));
        const double least = o < b->shapes->given_count || b->m->sph.solver == FR_SPH_WCSPH ? touching : 0;
        for (int i = 0; i < b->n[0]; i++)
            if (distance[i] < least)
                fill[i] = -1;
    }
    return FR_OK;
}

static fr_result fill_row(const fill_batch *b, int row)
{
    float *distance = b->distance + (size_t)row * (size_t)b->n[0];
    int32_t *fill = b->fill + (size_t)row * (size_t)b->n[0];
    double start[3];
    bool any;
    fill_start(b->m, b->n, b->first + row, start);
    FR_TRY(fill_cover(b, start, distance, fill, &any));
    return any ? fill_keep_clear(b, start, distance, fill) : FR_OK;
}

static void fill_rows(void *context, int begin, int end)
{
    fill_batch *b = context;
    for (int row = begin; row < end && b->result == FR_OK; row++) {
        fr_result result = fill_row(b, row);
        if (result != FR_OK)
            b->result = result;
    }
}

static bool fill_is_parallel(const fr_scene_def *def, const fill_shapes *shapes)
{
    bool parallel = true;
    for (int i = 0; i < def->fill_count; i++)
        parallel = parallel && shape_is_parallel(shapes->fills[i]);
    for (int i = 0; i < shapes->obstacle_count; i++)
        parallel = parallel && shape_is_parallel(shapes->obstacles[i]);
    return parallel;
}

static fr_result filling_reserve(sph_filling *f, int64_t *room, int64_t count)
{
    if (count <= *room)
        return FR_OK;
    int64_t wanted = 2 * *room > count ? 2 * *room : count;
    sph_filled *places = MEMORY_NEW(sph_filled, wanted);
    if (!places)
        return FR_ERROR_MEMORY;
    if (f->count > 0)
        memcpy(places, f->places, (size_t)f->count * sizeof *places);
    memory_free(f->places);
    f->places = places;
    *room = wanted;
    return FR_OK;
}

static fr_result filling_append(const fill_batch *b, sph_filling *f, int64_t *room)
{
    FR_TRY(filling_reserve(f, room, f->count + (int64_t)b->rows * b->n[0]));
    for (int row = 0; row < b->rows; row++)
        for (int i = 0; i < b->n[0]; i++) {
            int32_t fill = b->fill[(int64_t)row * b->n[0] + i], place = i + b->n[0] * (b->first + row);
            if (fill >= 0)
                f->places[f->count++] = (sph_filled){place, fill};
        }
    return FR_OK;
}

static fr_result filling_make(fill_batch *b, sph_filling *f)
{
    bool parallel = fill_is_parallel(b->def, b->shapes);
    int rows = b->n[1] * b->n[2];
    int64_t room = 0;
    for (b->first = 0; b->first < rows; b->first += BATCH) {
        b->rows = rows - b->first < BATCH ? rows - b->first : BATCH;
        if (parallel)
            threads_for(b->rows, fill_rows, b);
        else
            fill_rows(b, 0, b->rows);
        FR_TRY(b->result);
        FR_TRY(filling_append(b, f, &room));
    }
    return FR_OK;
}

fr_result sph_filling_create(const fr_scene_def *def, const sph_model *m, sph_filling *out)
{
    fill_shapes shapes = {0};
    fill_batch batch = {.def = def, .m = m, .shapes = &shapes};
    *out = (sph_filling){0};
    fill_places(m, batch.n);
    batch.distance = MEMORY_NEW(float, (int64_t)BATCH * batch.n[0] + 1);
    batch.fill = MEMORY_NEW(int32_t, (int64_t)BATCH * batch.n[0] + 1);
    fr_result result = batch.distance && batch.fill ? fill_shapes_create(def, &shapes) : FR_ERROR_MEMORY;
    if (result == FR_OK)
        result = filling_make(&batch, out);
    if (result != FR_OK)
        sph_filling_destroy(out);
    fill_shapes_destroy(def, &shapes);
    memory_free(batch.distance);
    memory_free(batch.fill);
    return result;
}

void sph_filling_destroy(sph_filling *f)
{
    memory_free(f->places);
    *f = (sph_filling){0};
}

fr_result sph_fill(const fr_scene_def *def, const sph_model *m, const sph_filling *filling, sph_fill_place place,
                   void *context)
{
    int n[3];
    fill_places(m, n);
    for (int64_t f = 0; f < filling->count; f++) {
        const sph_filled *filled = &filling->places[f];
        double centre[3];
        fill_start(m, n, filled->place / n[0], centre);
        centre[0] += filled->place % n[0] * m->spacing;
        FR_TRY(place(context, centre, &def->fill[filled->fill]));
    }
    return FR_OK;
}
