/* What a scene will need, without making it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/cover.h"
#include "model/sizes.h"
#include "world/world.h"

/* The program, its libraries and their buffers before the first field. */
static const double BASE_BYTES = 24e6;

static double estimate_solids(const domain *d)
{
    double cells = (double)field_bytes(d, FR_AT_CELL), faces = 0, owners = cells / 2, marks = cells / 4;
    for (int a = 0; a < d->dims; a++) {
        faces += (double)field_bytes(d, field_face(a));
        marks += (double)field_bytes(d, field_face(a)) / 4;
    }
    return 2 * cells + owners + faces + marks;
}

/* Lists of what shapes cover: 8 bytes a sample, and of what obstacles close: 12 bytes. Bounding boxes are enough. */
static fr_result estimate_lists(const fr_placed_shape *placed, const domain *d, double bytes_per_cell, double *bytes)
{
    shape *s;
    FR_TRY(shape_create(placed, d->dims, "", &s));
    *bytes += bytes_per_cell * cover_share_of_domain(s, d) * (double)domain_cells(d);
    shape_destroy(s);
    return FR_OK;
}

static fr_result estimate_all_lists(const fr_scene_def *def, const domain *d, double *bytes)
{
    for (int i = 0; i < def->source_count; i++)
        FR_TRY(estimate_lists(&def->sources[i].shape, d, 8.0 * (def->sources[i].sets_velocity ? 1 + d->dims : 1), bytes));
    for (int i = 0; i < def->force_count; i++)
        if (def->forces[i].shape.shape)
            FR_TRY(estimate_lists(&def->forces[i].shape, d, 8.0 * d->dims, bytes));
    double closed = 0;
    for (int i = 0; i < def->obstacle_count; i++)
        FR_TRY(estimate_lists(&def->obstacles[i].shape, d, 12.0 * (1 + d->dims), &closed));
    *bytes += fmin(closed, 12.0 * (1 + d->dims) * (double)domain_cells(d));
    return FR_OK;
}

/* One packed field at a time is on its way to a file. */
static double estimate_writing(const domain *d)
{
    return 4.0 * (double)domain_cells(d);
}

fr_result fr_scene_estimate(const fr_scene_def *def, fr_estimate *estimate)
{
    FR_TRY(fr_scene_check(def));
    model outline = {0};
    double lists = 0;
    domain block = sizes_domain(def);
    FR_TRY(estimate_all_lists(def, &block, &lists));
    FR_TRY(model_outline(def, &outline));
    const domain *d = &outline.domain;
    *estimate = (fr_estimate){.dims = d->dims, .frames = sizes_frames(&def->time)};
    for (int a = 0; a < 3; a++) {
        estimate->cells[a] = d->n[a];
        estimate->spacing[a] = d->h[a];
    }
    double cells = (double)domain_cells(d);
    estimate->memory_bytes = BASE_BYTES + lists + state_bytes(&outline) + (outline.has_obstacles ? estimate_solids(d) : 0) + estimate_writing(d);
    int fields = d->dims + 1 + outline.scalar_count + 2 + outline.has_obstacles;
    estimate->cache_frame_bytes = 4.0 * cells * (fields + 3);
    int saved = d->dims * (state_remembers(&outline) ? 2 : 1) + 1;
    for (int i = 0; i < outline.scalar_count; i++)
        saved += outline.scalars[i].varies;
    estimate->checkpoint_bytes = (double)saved * (double)field_bytes(d, FR_AT_CELL);
    model_outline_free(&outline);
    return FR_OK;
}

double fr_memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    double kilobytes = 0;
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}

double world_resident_mb(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;
    if (file) {
        if (fscanf(file, "%*d %ld", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return 1e-6 * (double)pages * (double)sysconf(_SC_PAGESIZE);
}
