/* Which places are filled with liquid at the start. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "method/motion.h"
#include "sph/model.h"

/* A row of cell centres, and how far each is from the nearest shape of one kind. */
typedef struct fill_row {
    double start[3];
    int n;
    float *distance;         /* m, to the shape asked last */
    float *solid;            /* m, to the nearest obstacle */
    int *fill;               /* which shape of the fill covers it; −1: none */
} fill_row;

typedef struct fill_shapes {
    shape **fills, **obstacles;
} fill_shapes;

static fr_result fill_shapes_create(const sph_model *m, fill_shapes *shapes)
{
    const fr_scene_def *def = m->def;
    char key[64];
    shapes->fills = MEMORY_NEW(shape *, def->fill_count + 1);
    shapes->obstacles = MEMORY_NEW(shape *, def->obstacle_count + 1);
    if (!shapes->fills || !shapes->obstacles)
        return FR_ERROR_MEMORY;
    for (int i = 0; i < def->fill_count; i++) {
        snprintf(key, sizeof key, "fill[%d]", i + 1);
        FR_TRY(shape_create(&def->fill[i].shape, m->dims, key, &shapes->fills[i]));
    }
    for (int i = 0; i < def->obstacle_count; i++) {
        snprintf(key, sizeof key, "obstacles[%d].shape", i + 1);
        FR_TRY(shape_create(&def->obstacles[i].shape, m->dims, key, &shapes->obstacles[i]));
        motion now;
        FR_TRY(motion_over(&def->obstacles[i], 0, 0, &now));
        if (motion_moves(&def->obstacles[i]))
            shape_place(shapes->obstacles[i], &now.pose);
    }
    return FR_OK;
}

static void fill_shapes_destroy(const sph_model *m, fill_shapes *shapes)
{
    for (int i = 0; i < m->def->fill_count && shapes->fills; i++)
        shape_destroy(shapes->fills[i]);
    for (int i = 0; i < m->def->obstacle_count && shapes->obstacles; i++)
        shape_destroy(shapes->obstacles[i]);
    memory_free(shapes->fills);
    memory_free(shapes->obstacles);
}

static fr_result fill_measure(const sph_model *m, const fill_shapes *shapes, fill_row *row)
{
    for (int i = 0; i < row->n; i++) {
        row->solid[i] = INFINITY;
        row->fill[i] = -1;
    }
    for (int o = 0; o < m->def->obstacle_count; o++) {
        FR_TRY(shape_distance_row(shapes->obstacles[o], row->start, m->spacing, row->n, row->distance));
        for (int i = 0; i < row->n; i++)
            row->solid[i] = fminf(row->solid[i], row->distance[i]);
    }
    for (int f = 0; f < m->def->fill_count; f++) {
        FR_TRY(shape_distance_row(shapes->fills[f], row->start, m->spacing, row->n, row->distance));
        for (int i = 0; i < row->n; i++)
            if (row->distance[i] < 0 && row->fill[i] < 0)
                row->fill[i] = f;
    }
    return FR_OK;
}

static fr_result fill_rows(const sph_model *m, const fill_shapes *shapes, fill_row *row, sph_fill_place place, void *context)
{
    double d = m->spacing, touching = 0.5 * d * (1 - 1e-3);
    int n[3] = {1, 1, 1};
    for (int a = 0; a < m->dims; a++)
        n[a] = (int)floor((m->high[a] - m->low[a]) / d + 1e-3);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++) {
            int at[3] = {0, j, k};
            for (int a = 0; a < 3; a++)
                row->start[a] = a < m->dims ? m->low[a] + (at[a] + 0.5) * d : 0;
            FR_TRY(fill_measure(m, shapes, row));
            for (int i = 0; i < row->n; i++)
                if (row->fill[i] >= 0 && row->solid[i] >= touching)
                    FR_TRY(place(context, (double[3]){row->start[0] + i * d, row->start[1], row->start[2]}, &m->def->fill[row->fill[i]]));
        }
    return FR_OK;
}

fr_result sph_fill(const sph_model *m, sph_fill_place place, void *context)
{
    fill_row row = {.n = (int)floor((m->high[0] - m->low[0]) / m->spacing + 1e-3)};
    row.distance = MEMORY_NEW(float, row.n + 1);
    row.solid = MEMORY_NEW(float, row.n + 1);
    row.fill = MEMORY_NEW(int, row.n + 1);
    fill_shapes shapes = {0};
    fr_result result = row.distance && row.solid && row.fill ? fill_shapes_create(m, &shapes) : FR_ERROR_MEMORY;
    if (result == FR_OK)
        result = fill_rows(m, &shapes, &row, place, context);
    fill_shapes_destroy(m, &shapes);
    memory_free(row.distance);
    memory_free(row.solid);
    memory_free(row.fill);
    return result;
}
