/* Colour ranges. Each end is a percentile, taken only over the values that differ from the median by more than a
   hundredth of the extreme's difference. So a small plume in a large calm domain counts, but a single spike does
   not. */
#include "render/draw/range.h"

#include "base/memory.h"
#include "render/space/liquid.h"
#include "render/draw/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values are subsampled to about this many. */
enum { RANGE_SAMPLES = 1 << 16 };

const fr_field_look *range_look(const fr_frame *frame, const char *field)
{
    const fr_field_info *known = fr_field_describe(field);
    bool made = known && known->derived & FR_FROM_GRIDS && !fr_frame_field(frame, field);
    const fr_field_info *info = made ? known : fr_field_on_grid(field);
    return frame->dims == 3 ? &info->in_3d : &info->in_2d;
}

static int range_compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* One end of the range, from sorted values: the 99th percentile of those beyond median + 0.01·(extreme − median), seen
   in `direction` (±1). */
static double range_end(const float *values, size_t n, int direction)
{
    double middle = values[n / 2], extreme = values[direction > 0 ? n - 1 : 0];
    double edge = middle + 0.01 * (extreme - middle);
    size_t beyond = 0;
    while (beyond < n && direction * (values[direction > 0 ? n - 1 - beyond : beyond] - edge) > 0)
        beyond++;
    size_t skip = beyond / 100;
    return values[direction > 0 ? n - 1 - skip : skip];
}

static void range_widen(fr_range *range, double min, double max)
{
    bool empty = !(range->min < range->max);
    range->min = empty ? min : fmin(range->min, min);
    range->max = empty ? max : fmax(range->max, max);
}

/* Gives a constant field a range that is not empty. */
static void range_open(fr_range *range)
{
    double size = fmax(fabs(range->min), fabs(range->max));
    if (range->max - range->min > 1e-6 * size)
        return;
    if (range->min == 0)
        *range = (fr_range){0, 1};
    else
        *range = (fr_range){range->min - 0.05 * size, range->max + 0.05 * size};
}

/* The field on a cut, and what masks it: the obstacles, and the liquid's surface where the field is known in the liquid
   alone. */
enum { CUT_FIELD, CUT_SOLID, CUT_LEVEL, CUT_PLANES };

/* Whether a sample of the plane at cell centres lies in an obstacle, or in the air above a liquid. */
static bool range_masked(const plane planes[CUT_PLANES], size_t at)
{
    const plane *plane = &planes[CUT_FIELD];
    if (plane->offset[0] != 0.5 || plane->offset[1] != 0.5)
        return false;
    size_t n = (size_t)plane->n[0];
    double x = ((double)(at % n) + 0.5) / plane->refine, y = ((double)(at / n) + 0.5) / plane->refine;
    const struct plane *solid = &planes[CUT_SOLID], *level = &planes[CUT_LEVEL];
    return (solid->data && plane_linear(solid, x, y) < 0) || (level->data && !(plane_linear(level, x, y) < 0));
}

/* Collects finite values that are not masked, subsampled; returns their number. */
static size_t range_gather(const plane planes[CUT_PLANES], float *values)
{
    const plane *plane = &planes[CUT_FIELD];
    size_t count = (size_t)plane->n[0] * (size_t)plane->n[1], stride = count / RANGE_SAMPLES + 1, found = 0;
    for (size_t i = 0; i < count; i += stride)
        if (isfinite(plane->data[i]) && !range_masked(planes, i))
            values[found++] = plane->data[i];
    return found;
}

/* Sorts the values in place. */
static fr_range range_of_values(float *values, size_t n)
{
    if (n == 0)
        return (fr_range){0, 0};
    qsort(values, n, sizeof *values, range_compare);
    return (fr_range){range_end(values, n, -1), range_end(values, n, 1)};
}

/* The same of logarithms. */
static fr_range range_of_decades(float *values, size_t n)
{
    size_t positive = 0;
    for (size_t i = 0; i < n; i++)
        if (values[i] > 0)
            values[positive++] = log10f(values[i]);
    fr_range range = range_of_values(values, positive);
    return positive > 0 ? (fr_range){pow(10, range.min), pow(10, range.max)} : range;
}

bool range_is_in_decades(const fr_frame *frame, const char *field, const fr_range *range)
{
    return range_look(frame, field)->span == FR_SPAN_DECADES && range->min > 0;
}

float range_share(const fr_range *range, bool decades, double value)
{
    if (!decades)
        return (float)((value - range->min) / (range->max - range->min));
    return value > 0 ? (float)(log(value / range->min) / log(range->max / range->min)) : value == value ? -1 : NAN;
}

/* The range and the mean of a plane's values. */
static fr_result range_of_plane(const plane planes[CUT_PLANES], bool decades, fr_range *range, double *mean)
{
    float *values = MEMORY_NEW(float, (size_t)planes[0].n[0] * (size_t)planes[0].n[1]);
    if (!values)
        return FR_ERROR_MEMORY;
    size_t count = range_gather(planes, values);
    *mean = 0;
    for (size_t i = 0; i < count; i++)
        *mean += (double)values[i] / (double)count;
    *range = (decades ? range_of_decades : range_of_values)(values, count);
    memory_free(values);
    return FR_OK;
}

/* Speeds range from zero; other numbers of particles, as a pressure that may be negative, from the smallest value. */
static fr_result range_of_liquid(const fr_frame *frame, const char *field, fr_range *range)
{
    float *values;
    int64_t count = frame->particle_count, stride = count / RANGE_SAMPLES + 1;
    size_t n = 0;
    FR_TRY(liquid_values(frame, field, &values));
    for (int64_t i = 0; i < count; i += stride)
        if (isfinite(values[i]))
            values[n++] = values[i];
    *range = range_of_values(values, n);
    if (liquid_is_speed(field))
        range->min = 0;
    memory_free(values);
    return FR_OK;
}

/* Notes whether a value lies visibly beyond an end of the range. */
static void range_note(const fr_range *range, bool decades, double value, bool clipped[2])
{
    const float slack = 0.005f, share = range_share(range, decades, value);
    clipped[0] |= share < -slack;
    clipped[1] |= share > 1 + slack;
}

static fr_result range_clips_liquid(const fr_frame *frame, const char *field, const fr_range *range, bool clipped[2])
{
    float *values;
    FR_TRY(liquid_values(frame, field, &values));
    for (int64_t i = 0; i < frame->particle_count; i++)
        range_note(range, false, (double)values[i], clipped);
    memory_free(values);
    return FR_OK;
}

static void range_release(plane planes[CUT_PLANES])
{
    for (int i = 0; i < CUT_PLANES; i++)
        plane_free(&planes[i]);
}

/* The caller releases the planes, also after a failure. */
static fr_result range_extract(const fr_frame *frame, const char *name, const cut *cut, plane planes[CUT_PLANES])
{
    for (int i = 0; i < CUT_PLANES; i++)
        planes[i] = (plane){.data = NULL};
    FR_TRY(plane_extract(frame, name, cut, &planes[CUT_FIELD]));
    if (fr_frame_field(frame, "solid"))
        FR_TRY(plane_extract(frame, "solid", cut, &planes[CUT_SOLID]));
    return liquid_owns(frame, name) ? plane_extract(frame, "level_set", cut, &planes[CUT_LEVEL]) : FR_OK;
}

/* The values of a liquid's cells, in new memory: of a field, or their speeds. Subsampled. */
static fr_result range_gather_body(const fr_frame *frame, const char *name, float **values, size_t *found)
{
    const bool speed = strcmp(name, "speed") == 0;
    const fr_field *level = fr_frame_field(frame, "level_set"), *field = fr_frame_field(frame, speed ? "u" : name);
    const fr_field *v = fr_frame_field(frame, "v"), *w = fr_frame_field(frame, "w");
    int refine = level ? fr_field_refine(frame, level) : 0;
    if (refine < 1 || !field || (speed && !(v && w)))
        return fr_fail_key("look.views.field", "there is no field '%s' to draw on a surface", name);
    size_t cells = (size_t)frame->cells[0] * (size_t)frame->cells[1] * (size_t)frame->cells[2];
    size_t stride = cells / RANGE_SAMPLES + 1;
    float *out = *values = MEMORY_NEW(float, cells / stride + 1);
    *found = 0;
    for (size_t n = 0; n < cells && out; n += stride) {
        const ptrdiff_t at[3] = {(ptrdiff_t)(n % (size_t)frame->cells[0]),
                                 (ptrdiff_t)(n / (size_t)frame->cells[0] % (size_t)frame->cells[1]),
                                 (ptrdiff_t)(n / (size_t)frame->cells[0] / (size_t)frame->cells[1])};
        ptrdiff_t deep = 0;
        const fr_field *parts[3] = {field, v, w};
        double sum = 0, one = 0;
        for (int a = 0; a < 3; a++)
            deep += (at[a] * refine + refine / 2) * level->stride[a];
        for (int p = 0; p < (speed ? 3 : 1); p++) {
            const fr_field *f = parts[p];
            one = (double)f->data[at[0] * f->stride[0] + at[1] * f->stride[1] + at[2] * f->stride[2]];
            sum += one * one;
        }
        if (level->data[deep] < 0 && isfinite(one))
            out[(*found)++] = (float)(speed ? sqrt(sum) : one);
    }
    return out ? FR_OK : FR_ERROR_MEMORY;
}

static fr_result range_of_body(const fr_frame *frame, const char *name, fr_range *range)
{
    float *values;
    size_t found;
    FR_TRY(range_gather_body(frame, name, &values, &found));
    const fr_span span = range_look(frame, name)->span;
    *range = (span == FR_SPAN_DECADES ? range_of_decades : range_of_values)(values, found);
    if (span == FR_SPAN_FROM_ZERO)
        *range = (fr_range){0, fmax(range->max, 0)};
    memory_free(values);
    return FR_OK;
}

static fr_result range_clips_body(const fr_frame *frame, const char *name, const fr_range *range, bool clipped[2])
{
    float *values;
    size_t found;
    FR_TRY(range_gather_body(frame, name, &values, &found));
    for (size_t i = 0; i < found; i++)
        range_note(range, range_is_in_decades(frame, name, range), (double)values[i], clipped);
    memory_free(values);
    return FR_OK;
}

fr_result range_clips(const fr_frame *frame, const fr_view_def *view, const fr_range *range, bool clipped[2])
{
    cut cut;
    plane planes[CUT_PLANES];
    clipped[0] = clipped[1] = false;
    if (view->surface && liquid_has_grid(frame))
        return range_clips_body(frame, view->field, range, clipped);
    if (liquid_has(frame, view->field))
        return range_clips_liquid(frame, view->field, range, clipped);
    FR_TRY(cut_of_view(frame, view, &cut));
    fr_result result = range_extract(frame, view->field, &cut, planes);
    bool decades = range_is_in_decades(frame, view->field, range);
    size_t count = result == FR_OK ? (size_t)planes[0].n[0] * (size_t)planes[0].n[1] : 0;
    for (size_t i = 0; i < count; i++)
        if (!range_masked(planes, i))
            range_note(range, decades, (double)planes[CUT_FIELD].data[i], clipped);
    range_release(planes);
    return result;
}

static fr_range range_about(double middle, fr_range range)
{
    double most = fmax(range.max - middle, middle - range.min);
    return (fr_range){middle - most, middle + most};
}

static fr_result range_of_field(const fr_frame *frame, const char *name, const cut *cut, fr_range *range)
{
    plane planes[CUT_PLANES];
    double mean;
    fr_span span = range_look(frame, name)->span;
    fr_result result = range_extract(frame, name, cut, planes);
    if (result == FR_OK)
        result = range_of_plane(planes, span == FR_SPAN_DECADES, range, &mean);
    range_release(planes);
    FR_TRY(result);
    /* Where the pressure is defined up to a constant, the range is centred on the mean. */
    bool relative = frame->can & FR_FRAME_RELATIVE_PRESSURE && strcmp(name, "pressure") == 0;
    if (span == FR_SPAN_SIGNED)
        *range = range_about(relative ? mean : 0, *range);
    else if (span == FR_SPAN_FROM_ZERO)
        *range = (fr_range){0, fmax(range->max, 0)};
    return FR_OK;
}

static fr_result range_of_inks(const fr_frame *frame, const cut *cut, fr_range *range)
{
    int at = 0;
    for (const fr_field *ink = palette_next_ink(frame, &at); ink; ink = palette_next_ink(frame, &at)) {
        fr_range one;
        FR_TRY(range_of_field(frame, ink->name, cut, &one));
        range_widen(range, 0, one.max);
    }
    return FR_OK;
}

/* One range for both components, symmetric about zero. */
static fr_result range_of_velocity(const fr_frame *frame, const cut *cut, fr_range *range)
{
    static const char *const names[3] = {"u", "v", "w"};
    for (int i = 0; i < 2; i++) {
        fr_range one;
        FR_TRY(range_of_field(frame, names[cut->axes[i]], cut, &one));
        range_widen(range, one.min, one.max);
    }
    return FR_OK;
}

/* Pictures that show no numbers have no range. */
static bool range_is_without(const fr_frame *frame, const char *field)
{
    if (strcmp(field, "volume") == 0)
        return true;
    static const char *const plain[] = {"grid", "particles", "cell_types"};
    bool without = false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        without = without || strcmp(field, plain[i]) == 0;
    return without && !fr_frame_field(frame, field) && !liquid_has(frame, field);
}

static fr_result range_measure(const fr_frame *frame, const fr_view_def *view, fr_range *range)
{
    cut cut;
    FR_TRY(cut_of_view(frame, view, &cut));
    *range = (fr_range){0, 0};
    if (range_is_without(frame, view->field))
        return FR_OK;
    if (view->surface && liquid_has_grid(frame))
        return range_of_body(frame, view->field, range);
    if (liquid_is_surface(frame, view->field) && liquid_has_grid(frame))
        return range_of_field(frame, "speed", &cut, range);
    if (liquid_has(frame, view->field))
        return range_of_liquid(frame, view->field, range);
    if (strcmp(view->field, "dyes") == 0)
        return range_of_inks(frame, &cut, range);
    if (strcmp(view->field, "velocity") == 0 && !fr_frame_field(frame, view->field))
        return range_of_velocity(frame, &cut, range);
    return range_of_field(frame, view->field, &cut, range);
}

fr_result fr_view_range(const fr_frame *frame, const fr_view_def *view, fr_range *range)
{
    fr_range one;
    FR_TRY(range_measure(frame, view, &one));
    if (one.min < one.max)
        range_widen(range, one.min, one.max);
    return FR_OK;
}

fr_result range_of_view(const fr_frame *frame, const fr_view_def *view, const fr_range *film, fr_range *range)
{
    *range = (fr_range){view->min, view->max};
    if (!(view->min < view->max)) {
        *range = film ? *film : (fr_range){0, 0};
        if (!(range->min < range->max))
            FR_TRY(range_measure(frame, view, range));
        range_open(range);
    }
    if (!isfinite(range->max - range->min))
        return fr_fail_key("look.views.min", "the colour range %g to %g is not finite", range->min, range->max);
    return FR_OK;
}

int fr_default_views(const fr_frame *frame, fr_view_def *views, int most)
{
    if (most < 1)
        return 0;
    const char *bare = frame->can & FR_FRAME_SMOKE ? "density" : "speed";
    const char *field = liquid_is(frame)               ? "liquid"
                        : frame->dims == 3             ? "volume"
                        : palette_ink_count(frame) > 0 ? "dyes"
                                                       : bare;
    views[0] = (fr_view_def){.field = field, .slice_axis = 2, .slice_at = 0.5};
    return 1;
}
