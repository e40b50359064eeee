#include "surface/sampler.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const double reach_spacings = 2.5, shore_spacings = 0.75, farthest_spacings = 1.2;
/* At rest a bin holds three particles or more, so an empty bin means a hole. */
static const double edge_spacings = 1.5;
static const double most_bins = 1 << 27;

/* The radius r in spacings: the depth of the mean position x̄ below a flat surface. */
static double sampler_depth(int dims)
{
    double weights = 0, sum = 0;
    for (double z = 0.5; z < reach_spacings; z++) {
        double weight = pow(1 - z * z / (reach_spacings * reach_spacings), dims == 2 ? 3.5 : 4);
        weights += weight;
        sum += weight * z;
    }
    return sum / weights;
}

static bool sampler_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static void sampler_find_sides(const fr_frame *frame, sampler *s)
{
    for (int a = 0; a < 3; a++) {
        bool ends = a < frame->dims;
        s->domain[0][a] = ends ? (float)(frame->origin[a] - s->low[a]) : -INFINITY;
        s->domain[1][a] = ends ? (float)(frame->origin[a] + frame->cells[a] * frame->spacing[a] - s->low[a]) : INFINITY;
    }
    s->shore = (float)(shore_spacings * frame->particle_spacing);
    s->solid = probe_of(frame, fr_frame_field(frame, "solid"), true);
}

static void sampler_bound(const fr_frame *frame, sampler *s)
{
    for (int a = 0; a < 3; a++) {
        s->low[a] = INFINITY;
        s->high[a] = -INFINITY;
    }
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *p = frame->particles.data + n * frame->particles.stride;
        if (!sampler_finite(p))
            continue;
        s->count++;
        for (int a = 0; a < 3; a++) {
            s->low[a] = fmin(s->low[a], p[a]);
            s->high[a] = fmax(s->high[a], p[a]);
        }
    }
}

/* Bins of the usual size, or larger ones where the box would have too many. */
static void sampler_size_bins(sampler *s)
{
    double edge = edge_spacings * s->spacing, bins;
    s->fine = true;
    for (;; edge *= 2, s->fine = false) {
        bins = 1;
        for (int a = 0; a < 3; a++)
            bins *= floor((s->high[a] - s->low[a]) / edge) + 1;
        if (bins <= most_bins)
            break;
    }
    s->edge = (float)edge;
    for (int a = 0; a < 3; a++)
        s->bins[a] = (int)((s->high[a] - s->low[a]) / edge) + 1;
}

static int sampler_bin_along(const sampler *s, int axis, float place)
{
    float bin = floorf(place / s->edge);
    return bin < 0 ? 0 : bin >= (float)s->bins[axis] ? s->bins[axis] - 1 : (int)bin;
}

static size_t sampler_row(const sampler *s, int j, int k)
{
    return ((size_t)k * (size_t)s->bins[1] + (size_t)j) * (size_t)s->bins[0];
}

static size_t sampler_bin_of(const sampler *s, const float place[3])
{
    return sampler_row(s, sampler_bin_along(s, 1, place[1]), sampler_bin_along(s, 2, place[2]))
         + (size_t)sampler_bin_along(s, 0, place[0]);
}

static void sampler_place_of(const sampler *s, const float *p, float place[3])
{
    for (int a = 0; a < 3; a++)
        place[a] = (float)(p[a] - s->low[a]);
}

/* Counting sort of the particles into bins. */
static void sampler_sort(const fr_frame *frame, sampler *s)
{
    size_t bins = (size_t)s->bins[0] * (size_t)s->bins[1] * (size_t)s->bins[2];
    float place[3];
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t n = 0; n < frame->particle_count; n++) {
            const float *p = frame->particles.data + n * frame->particles.stride;
            const float *v = frame->particle_velocity.data + n * frame->particle_velocity.stride;
            if (!sampler_finite(p))
                continue;
            sampler_place_of(s, p, place);
            int32_t *count = &s->first[sampler_bin_of(s, place) + 1];
            if (pass == 1) {
                memcpy(s->place[*count], place, sizeof place);
                memcpy(s->velocity[*count], v, sizeof place);
            }
            ++*count;
        }
        if (pass == 1)
            break;
        /* first[b + 1] becomes the beginning of bin b; the second pass advances it to the beginning of bin b + 1 */
        int32_t begin = 0;
        for (size_t b = 1; b <= bins; b++) {
            int32_t here = s->first[b];
            s->first[b] = begin;
            begin += here;
        }
    }
}

fr_result sampler_create(const fr_frame *frame, sampler *out)
{
    *out = (sampler){.dims = frame->dims, .spacing = (float)frame->particle_spacing};
    out->reach = (float)(reach_spacings * frame->particle_spacing);
    out->farthest = (float)(farthest_spacings * frame->particle_spacing);
    out->radius = (float)(sampler_depth(frame->dims) * frame->particle_spacing);
    if (!(frame->particle_spacing > 0))
        return fr_fail(
            FR_ERROR_INPUT,
            "there is no surface to find: this frame has no liquid of particles (particles that a flow carries are "
            "none)");
    if (frame->particle_count > INT32_MAX)
        return fr_fail(FR_ERROR_UNSUPPORTED, "%lld particles are too many for a surface: at most %d",
                       (long long)frame->particle_count, INT32_MAX);
    sampler_bound(frame, out);
    if (out->count == 0)
        return FR_OK;
    sampler_find_sides(frame, out);
    sampler_size_bins(out);
    out->first = MEMORY_NEW(int32_t, (size_t)out->bins[0] * (size_t)out->bins[1] * (size_t)out->bins[2] + 1);
    out->place = MEMORY_NEW(sampler_vector, out->count);
    out->velocity = MEMORY_NEW(sampler_vector, out->count);
    if (!out->first || !out->place || !out->velocity) {
        sampler_destroy(out);
        return FR_ERROR_MEMORY;
    }
    sampler_sort(frame, out);
    return FR_OK;
}

void sampler_destroy(sampler *s)
{
    memory_free(s->first);
    memory_free(s->place);
    memory_free(s->velocity);
    s->first = NULL;
    s->place = s->velocity = NULL;
}

/* The range of bins within reach of a point; false when it is empty. */
static bool sampler_around(const sampler *s, const float at[3], int low[3], int high[3])
{
    for (int a = 0; a < 3; a++) {
        if (at[a] + s->reach < 0 || at[a] - s->reach > (float)s->bins[a] * s->edge)
            return false;
        low[a] = sampler_bin_along(s, a, at[a] - s->reach);
        high[a] = sampler_bin_along(s, a, at[a] + s->reach);
    }
    return true;
}

/* Sums over the particles in a row of bins. */
typedef struct sampler_sums {
    float weight, nearest;       /* Σ w; the smallest squared distance */
    float vector[3];             /* Σ w (x_i − x), or Σ w v_i */
} sampler_sums;

static void sampler_add_places(const sampler *s, const float at[3], const int32_t range[2], sampler_sums *sums)
{
    float inverse = 1 / (s->reach * s->reach);
    for (int32_t n = range[0]; n < range[1]; n++) {
        const float *p = s->place[n];
        float x = p[0] - at[0], y = p[1] - at[1], z = p[2] - at[2], square = x * x + y * y + z * z,
              q = 1 - square * inverse;
        if (!(q > 0))
            continue;
        float w = q * q * q;
        sums->weight += w;
        sums->vector[0] += w * x;
        sums->vector[1] += w * y;
        sums->vector[2] += w * z;
        sums->nearest = square < sums->nearest ? square : sums->nearest;
    }
}

static void sampler_add_velocities(const sampler *s, const float at[3], const int32_t range[2], sampler_sums *sums)
{
    float inverse = 1 / (s->reach * s->reach);
    for (int32_t n = range[0]; n < range[1]; n++) {
        const float *p = s->place[n], *v = s->velocity[n];
        float x = p[0] - at[0], y = p[1] - at[1], z = p[2] - at[2], q = 1 - (x * x + y * y + z * z) * inverse;
        if (!(q > 0))
            continue;
        float w = q * q * q;
        sums->weight += w;
        for (int a = 0; a < 3; a++)
            sums->vector[a] += w * v[a];
    }
}

typedef void (*sampler_add)(const sampler *s, const float at[3], const int32_t range[2], sampler_sums *sums);

static sampler_sums sampler_gather(const sampler *s, const float at[3], sampler_add add)
{
    sampler_sums sums = {.nearest = INFINITY};
    int low[3], high[3];
    if (!sampler_around(s, at, low, high))
        return sums;
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++) {
            const int32_t *row = s->first + sampler_row(s, j, k);
            add(s, at, (const int32_t[2]){row[low[0]], row[high[0] + 1]}, &sums);
        }
    return sums;
}

/* Moves a point that is too close to a side inwards by up to `shore`; φ is taken there. In a very thin domain it is
   moved to the middle. */
static void sampler_from_shore(const sampler *s, const float at[3], float in[3])
{
    for (int a = 0; a < 3; a++) {
        float low = s->domain[0][a] + s->shore, high = s->domain[1][a] - s->shore;
        in[a] = !(low < high) ? (low + high) / 2 : at[a] < low ? low : at[a] > high ? high : at[a];
    }
}

/* The same for obstacles, along the gradient of their distance. */
static void sampler_from_obstacle(const sampler *s, float at[3])
{
    double scene[3], slope[3], square = 0;
    if (!s->solid.field)
        return;
    for (int a = 0; a < 3; a++)
        scene[a] = at[a] + s->low[a];
    float away = s->shore - probe_at(&s->solid, scene);
    if (!(away > 0 && isfinite(away)))
        return;
    probe_slope(&s->solid, scene, slope);
    for (int a = 0; a < s->dims; a++)
        square += slope[a] * slope[a];
    for (int a = 0; a < s->dims && square > 0; a++)
        at[a] += (float)(away * slope[a] / sqrt(square));
}

float sampler_distance(const sampler *s, const float at[3])
{
    float in[3];
    if (s->count == 0)
        return s->reach - s->radius;
    sampler_from_shore(s, at, in);
    sampler_from_obstacle(s, in);
    sampler_sums sums = sampler_gather(s, in, sampler_add_places);
    /* at the very end of the reach the weights are only rounding errors */
    if (!(sums.weight > 1e-9f))
        return s->reach - s->radius;
    const float *m = sums.vector;
    float offset = sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) / sums.weight;
    return fmaxf(offset - s->radius, sqrtf(sums.nearest) - s->farthest);
}

void sampler_velocity(const sampler *s, const float at[3], float velocity[3])
{
    sampler_sums sums = {0};
    if (s->count > 0)
        sums = sampler_gather(s, at, sampler_add_velocities);
    for (int a = 0; a < 3; a++)
        velocity[a] = sums.weight > 1e-9f ? sums.vector[a] / sums.weight : 0;
}

bool sampler_is_filled(const sampler *s, const double low[3], const double high[3])
{
    int begin[3], end[3];
    for (int a = 0; a < 3; a++) {
        if (!s->fine || low[a] < 0 || high[a] >= (double)s->bins[a] * s->edge)
            return false;
        begin[a] = sampler_bin_along(s, a, (float)low[a]);
        end[a] = sampler_bin_along(s, a, (float)high[a]);
    }
    for (int k = begin[2]; k <= end[2]; k++)
        for (int j = begin[1]; j <= end[1]; j++)
            for (int i = begin[0]; i <= end[0]; i++) {
                const int32_t *bin = s->first + sampler_row(s, j, k) + i;
                if (bin[0] == bin[1])
                    return false;
            }
    return true;
}
