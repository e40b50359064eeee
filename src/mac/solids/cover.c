#include "mac/solids/cover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* First and last sample of an axis within reach of [min, max]. */
static void cover_range(const field *f, const domain *d, int axis, const double bounds[2], int range[2])
{
    double origin[3];
    field_origin(f, d, origin);
    double h = d->h[axis], last = f->size[axis] - 1;
    double low = (bounds[0] - origin[axis]) / h - 1, high = (bounds[1] - origin[axis]) / h + 1;
    range[0] = (int)ceil(fmax(0, fmin(low, last + 1)));
    range[1] = (int)floor(fmax(-1, fmin(high, last)));
}

/* Gives the arrays room for `room` samples, those that are there kept. */
static fr_result cover_resize(model_cover *cover, int64_t room)
{
    int32_t *at = MEMORY_NEW(int32_t, room);
    float *share = MEMORY_NEW(float, room);
    if (!at || !share) {
        memory_free(at);
        memory_free(share);
        return FR_ERROR_MEMORY;
    }
    if (cover->count) {
        memcpy(at, cover->at, sizeof *at * (size_t)cover->count);
        memcpy(share, cover->share, sizeof *share * (size_t)cover->count);
    }
    memory_free(cover->at);
    memory_free(cover->share);
    cover->at = at;
    cover->share = share;
    return FR_OK;
}

static fr_result cover_append(model_cover *cover, int64_t *room, int32_t at, float share)
{
    if (cover->count == *room) {
        *room = *room ? 2 * *room : 256;
        FR_TRY(cover_resize(cover, *room));
    }
    cover->at[cover->count] = at;
    cover->share[cover->count++] = share;
    return FR_OK;
}

fr_result cover_create(const shape *s, const domain *d, const field *layout, model_cover *out)
{
    *out = (model_cover){0};
    double min[3], max[3], origin[3];
    int range[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    shape_bounds(s, min, max);
    field_origin(layout, d, origin);
    for (int a = 0; a < d->dims; a++)
        cover_range(layout, d, a, (double[2]){min[a], max[a]}, range[a]);
    int n = range[0][1] - range[0][0] + 1;
    if (n <= 0)
        return FR_OK;
    float *row = malloc(sizeof(float) * (size_t)n);
    if (!row)
        return fr_fail(FR_ERROR_MEMORY, "out of memory while the shapes were laid out");
    float width = (float)domain_min_h(d);
    int64_t room = 0;
    fr_result result = FR_OK;
    for (int k = range[2][0]; k <= range[2][1] && result == FR_OK; k++)
        for (int j = range[1][0]; j <= range[1][1] && result == FR_OK; j++) {
            double start[3] = {origin[0] + range[0][0] * d->h[0], origin[1] + j * d->h[1],
                               d->dims == 3 ? origin[2] + k * d->h[2] : 0};
            result = shape_distance_row(s, start, d->h[0], n, row);
            int32_t at = (int32_t)field_offset(layout, range[0][0], j, k);
            for (int i = 0; i < n && result == FR_OK; i++) {
                float share = 0.5f - row[i] / width;
                if (share > 0)
                    result = cover_append(out, &room, at + i, share > 1 ? 1 : share);
            }
        }
    free(row);
    return result == FR_OK && out->count > 0 ? cover_resize(out, out->count) : result;
}

void cover_destroy(model_cover *cover)
{
    memory_free(cover->at);
    memory_free(cover->share);
    *cover = (model_cover){0};
}

double cover_share_of_domain(const shape *s, const domain *d)
{
    double min[3], max[3], share = 1;
    shape_bounds(s, min, max);
    for (int a = 0; a < d->dims; a++) {
        double length = d->n[a] * d->h[a];
        double low = fmax(min[a], d->origin[a]), high = fmin(max[a], d->origin[a] + length);
        share *= fmax(0, high - low) / length;
    }
    return share;
}

fr_result cover_check_inside(const shape *s, const domain *d, const char *key)
{
    double min[3], max[3];
    shape_bounds(s, min, max);
    for (int a = 0; a < d->dims; a++)
        if (max[a] <= d->origin[a] || min[a] >= d->origin[a] + d->n[a] * d->h[a])
            return fr_fail_key(key,
                               "%s lies wholly outside the domain (%c from %g to %g m; the domain from %g to %g m)",
                               key, "xyz"[a], min[a], max[a], d -> origin[a], d -> origin[a] + d -> n[a] * d -> h[a]);
    return FR_OK;
}
