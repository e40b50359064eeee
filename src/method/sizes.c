#include "method/sizes.h"

#include <math.h>

#include "grid/field.h"

void sizes_of_domain(const fr_domain_def *def, int cells[3], double spacing[3])
{
    cells[2] = 1;
    spacing[2] = 1;
    bool cubes = def->cells[1] == 0 && def->cells[2] == 0;
    double longest = 0;
    for (int a = 0; a < def->dims; a++)
        longest = fmax(longest, def->size[a]);
    for (int a = 0; a < def->dims; a++) {
        double cube = longest / def->cells[0];
        cells[a] = cubes ? (int)fmax(1, round(def->size[a] / cube)) : def->cells[a];
        spacing[a] = cubes ? cube : def->size[a] / cells[a];
    }
}

domain sizes_domain(const fr_scene_def *def)
{
    domain d = {.dims = def->domain.dims};
    sizes_of_domain(&def->domain, d.n, d.h);
    sizes_place(def, &d);
    return d;
}

void sizes_estimate(const fr_scene_def *def, fr_estimate *estimate)
{
    *estimate = (fr_estimate){
        .dims = def->domain.dims, .frames = sizes_frames(&def->time), .memory_bytes = SIZES_PROGRAM_BYTES};
    sizes_of_domain(&def->domain, estimate->cells, estimate->spacing);
}

void sizes_centre(const domain *d, int64_t cell, double at[3])
{
    int64_t index[3] = {cell % d->n[0], cell / d->n[0] % d->n[1], cell / d->n[0] / d->n[1]};
    for (int a = 0; a < 3; a++)
        at[a] = a < d->dims ? d->origin[a] + ((double)index[a] + 0.5) * d->h[a] : 0;
}

void sizes_place(const fr_scene_def *def, domain *d)
{
    for (int a = 0; a < d->dims; a++) {
        d->origin[a] = def->domain.origin[a];
        d->periodic[a] = def->walls[2 * a].kind == FR_WALL_PERIODIC;
    }
}

void sizes_bounds(const fr_scene_def *def, double low[3], double high[3])
{
    domain d = sizes_domain(def);
    for (int a = 0; a < 3; a++) {
        low[a] = d.origin[a];
        high[a] = d.origin[a] + d.n[a] * d.h[a];
    }
}

domain sizes_refined(const domain *d, int refine)
{
    domain fine = *d;
    for (int a = 0; a < d->dims; a++) {
        fine.n[a] *= refine;
        fine.h[a] /= refine;
    }
    return fine;
}

bool sizes_can_be_numbered(const domain *d)
{
    double most = 1;      /* in double: the integers of the real layout could overflow */
    for (int a = 0; a < d->dims; a++)
        most *= d->n[a] + 1 + 2 * GHOST + (a == 0 ? 8 : 0);
    return most < INT32_MAX;
}

/* A duration of 0.1 s at 10 fps is one frame although 0.1·10 may round below 1. */
int sizes_frames(const fr_time_def *time)
{
    return (int)floor(time->duration * time->fps + 1e-6);
}

double sizes_bodies(int count)
{
    enum { HEADERS = 4096 };
    return count > 0 ? HEADERS + (double)count * sizeof(fr_body_state) : 0;
}
