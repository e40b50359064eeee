#include "surface/spheres.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "surface/blocks.h"

static const float *spheres_radius(const fr_frame *frame)
{
    for (int i = 0; frame->can & FR_FRAME_LEVEL_PARTICLES && i < frame->attribute_count; i++)
        if (!strcmp(frame->attributes[i].name, "radius"))
            return frame->attributes[i].data;
    return NULL;
}

/* The last node that is not above a place. */
static int spheres_node(const source *s, int axis, double place)
{
    int low = 0, high = s->n[axis];
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(s->place[axis][middle] <= place ? &low : &high) = middle;
    }
    return low;
}

/* The range of blocks with cells that a sphere may touch. */
static void spheres_range(const spheres *out, const source *s, const sphere *one, int low[3], int high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = spheres_node(s, a, (double)one->at[a] - 1.01 * out->reach[a]) / BLOCK_SIDE;
        high[a] = spheres_node(s, a, (double)one->at[a] + 1.01 * out->reach[a]) / BLOCK_SIDE;
    }
}

static bool spheres_take(const fr_frame *frame, const float *radius, int64_t n, const probe *solid, sphere *one)
{
    const float *p = frame->particles.data + n * frame->particles.stride;
    const double at[3] = {p[0], p[1], p[2]};
    *one = (sphere){{p[0], p[1], p[2]}, radius[n]};
    bool finite = isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && isfinite(radius[n]);
    return finite && radius[n] != 0 && (!solid->field || probe_at(solid, at) > fabsf(radius[n]));
}

/* Counts the spheres of every block, and then lists them: first[b + 1] is the beginning of block b, and the second pass
   moves it on to the end. */
static void spheres_list(spheres *out, const fr_frame *frame, const source *s)
{
    const probe solid = probe_of(frame, fr_frame_field(frame, "solid"), true);
    const float *radius = spheres_radius(frame);
    const bool fill = out->listed;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        int low[3], high[3];
        sphere one;
        if (!spheres_take(frame, radius, n, &solid, &one))
            continue;
        spheres_range(out, s, &one, low, high);
        for (int k = low[2]; k <= high[2]; k++)
            for (int j = low[1]; j <= high[1]; j++)
                for (int i = low[0]; i <= high[0]; i++) {
                    int32_t *next = &out->first[(k * out->blocks[1] + j) * out->blocks[0] + i + 1];
                    if (fill)
                        out->listed[*next] = one;
                    ++*next;
                }
    }
}

fr_result spheres_create(const fr_frame *frame, const source *s, const double cell[3], spheres *out)
{
    size_t total = 1;
    *out = (spheres){0};
    if (!spheres_radius(frame) || frame->particle_count == 0)
        return FR_OK;
    for (int a = 0; a < 3; a++) {
        out->blocks[a] = (s->n[a] - 1) / BLOCK_SIDE + 1;
        out->reach[a] = 0.5 * cell[a];
        total *= (size_t)out->blocks[a];
    }
    out->first = MEMORY_NEW(int32_t, total + 1);
    if (!out->first)
        return FR_ERROR_MEMORY;
    spheres_list(out, frame, s);
    int32_t sum = 0;
    for (size_t b = 0; b < total; b++) {
        int32_t own = out->first[b + 1];
        out->first[b + 1] = sum;
        sum += own;
    }
    out->listed = MEMORY_NEW(sphere, (size_t)sum + 1);
    if (!out->listed)
        return FR_ERROR_MEMORY;
    spheres_list(out, frame, s);
    return FR_OK;
}

void spheres_destroy(spheres *s)
{
    memory_free(s->first);
    memory_free(s->listed);
    *s = (spheres){0};
}

spheres_near spheres_at(const spheres *s, const int node[3])
{
    if (!s || !s->first)
        return (spheres_near){0};
    int block = (node[2] / BLOCK_SIDE * s->blocks[1] + node[1] / BLOCK_SIDE) * s->blocks[0] + node[0] / BLOCK_SIDE;
    return (spheres_near){s->listed + s->first[block], s->first[block + 1] - s->first[block]};
}

float spheres_correct(const spheres *s, spheres_near near, const double at[3], float phi)
{
    float air = phi, liquid = phi;
    for (int n = 0; n < near.count; n++) {
        const sphere *one = &near.first[n];
        double square = 0;
        bool counts = true;
        for (int a = 0; a < 3; a++) {
            double away = at[a] - (double)one->at[a];
            counts = counts && fabs(away) <= s->reach[a];
            square += away * away;
        }
        if (!counts)
            continue;
        float inside = fabsf(one->radius) - (float)sqrt(square);
        if (one->radius > 0)
            air = fmaxf(air, inside);
        else
            liquid = fminf(liquid, -inside);
    }
    return fabsf(air) <= fabsf(liquid) ? air : liquid;
}
