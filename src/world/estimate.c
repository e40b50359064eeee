/* What a scene will need, without making it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/sizes.h"
#include "world/world.h"

/* The program, its libraries and their buffers before the first field. */
static const double BASE_BYTES = 24e6;

static double estimate_solids(const domain *d)
{
    double cells = (double)field_bytes(d, FR_AT_CELL), faces = 0, marks = cells / 4;
    for (int a = 0; a < d->dims; a++) {
        faces += (double)field_bytes(d, field_face(a));
        marks += (double)field_bytes(d, field_face(a)) / 4;
    }
    return cells + faces + marks;
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
    FR_TRY(model_outline(def, &outline));
    const domain *d = &outline.domain;
    *estimate = (fr_estimate){.dims = d->dims, .frames = sizes_frames(&def->time)};
    for (int a = 0; a < 3; a++) {
        estimate->cells[a] = d->n[a];
        estimate->spacing[a] = d->h[a];
    }
    double cells = (double)domain_cells(d);
    estimate->memory_bytes = BASE_BYTES + state_bytes(&outline) + (outline.solids.any ? estimate_solids(d) : 0) + estimate_writing(d);
    int fields = d->dims + 1 + outline.scalar_count + 2 + outline.solids.any;
    estimate->cache_frame_bytes = 4.0 * cells * (fields + 3);
    int saved = d->dims + 1;
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
