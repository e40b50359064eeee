#include "grid/extend.h"

#include <math.h>
#include <string.h>

/* What the map calls the samples that a layer is extended from. */
static void extend_below(uint8_t layer, uint8_t is[2])
{
    is[0] = (uint8_t)(layer - 1);
    is[1] = layer == 1 ? EXTEND_PARTLY : is[0];
}

static bool extend_touches(const field *layout, const uint8_t *map, ptrdiff_t at, const uint8_t is[2])
{
    for (int a = 0; a < 3; a++) {
        uint8_t low = map[at - layout->stride[a]], high = map[at + layout->stride[a]];
        if (low == is[0] || low == is[1] || high == is[0] || high == is[1])
            return true;
    }
    return false;
}

void extend_number_row(const field *layout, uint8_t *map, uint8_t layer, const int row[2], const int span[2])
{
    uint8_t is[2];
    ptrdiff_t start = field_row(layout, row[0], row[1]) - layout->block;
    const uint8_t *end = map + start + span[1];
    extend_below(layer, is);
    for (uint8_t *at = map + start + span[0]; (at = memchr(at, EXTEND_FAR, (size_t)(end - at))); at++)
        if (extend_touches(layout, map, at - map, is))
            *at = layer;
}

void extend_number(const field *layout, uint8_t *map, int depth)
{
    const int all[2] = {0, layout->size[0]};
    for (uint8_t layer = 1; layer <= depth; layer++)
        for (int r = 0; r < field_rows(layout); r++)
            extend_number_row(layout, map, layer, (int[2]){r % layout->size[1], r / layout->size[1]}, all);
}

float extend_mean(const field *f, const uint8_t *map, ptrdiff_t at, const uint8_t is[2], float none)
{
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++) {
        ptrdiff_t step = f->stride[a];
        bool low = step && (map[at - step] == is[0] || map[at - step] == is[1]);
        bool high = step && (map[at + step] == is[0] || map[at + step] == is[1]);
        float from_low = low ? f->block[at - step] : 0, from_high = high ? f->block[at + step] : 0;
        sum += from_low + from_high;
        count += low + high;
    }
    return count ? sum / (float)count : none;
}

static bool extend_is_known(const uint8_t *map, ptrdiff_t at)
{
    return map[at] == EXTEND_KNOWN || map[at] == EXTEND_PARTLY;
}

/* The slope with which a field leaves what is known: that of a linear field exactly, that of noise hardly (minmod). */
static float extend_slope(const field *f, const uint8_t *map, ptrdiff_t known, ptrdiff_t back)
{
    const float *u = f->block + known;
    if (!extend_is_known(map, known + back) || !extend_is_known(map, known + 2 * back))
        return 0;
    float near = u[0] - u[back], behind = u[back] - u[2 * back];
    return near * behind <= 0 ? 0 : fabsf(near) < fabsf(behind) ? near : behind;
}

static float extend_linear(const field *f, const uint8_t *map, ptrdiff_t at, float none)
{
    float sum = 0;
    int count = 0;
    for (int a = 0; a < 3; a++)
        for (ptrdiff_t step = -f->stride[a]; step <= f->stride[a] && step; step += 2 * f->stride[a])
            if (extend_is_known(map, at + step)) {
                sum += f->block[at + step] + extend_slope(f, map, at + step, step);
                count++;
            }
    return count ? sum / (float)count : none;
}

typedef struct extend_pass {
    const extend_job *job;
    field *f;
    uint8_t layer;
} extend_pass;

static float extend_value(const extend_pass *pass, ptrdiff_t at)
{
    const extend_job *job = pass->job;
    float value;
    uint8_t is[2];
    if (job->given && job->given(job->context, at, &value))
        return value;
    if (pass->layer == EXTEND_FAR)
        return job->far;
    if (job->linear && pass->layer == 1)
        return extend_linear(pass->f, job->map, at, job->far);
    extend_below(pass->layer, is);
    return extend_mean(pass->f, job->map, at, is, job->far);
}

static void extend_rows(void *context, int begin, int end)
{
    const extend_pass *pass = context;
    const uint8_t *map = pass->job->map;
    for (int r = begin; r < end; r++) {
        ptrdiff_t start = field_row(pass->f, r % pass->f->size[1], r / pass->f->size[1]) - pass->f->block;
        const uint8_t *at = map + start, *stop = at + pass->f->size[0];
        for (; (at = memchr(at, pass->layer, (size_t)(stop - at))); at++)
            pass->f->block[at - map] = extend_value(pass, at - map);
    }
}

void extend_field(const extend_job *job, field *f)
{
    extend_pass pass = {job, f, 1};
    for (; pass.layer <= job->depth; pass.layer++)
        field_for_rows(f, extend_rows, &pass);
    pass.layer = EXTEND_FAR;
    field_for_rows(f, extend_rows, &pass);
}
