#include "render/flat/plane.h"

#include "base/memory.h"
#include "base/vec.h"
#include "base/words.h"
#include "render/space/cubic.h"
#include "render/space/liquid.h"

#include <freshet/fields.h>

#include <string.h>

/* Adds a margin of land around a curvilinear grid, equally wide on all sides. */
static void cut_widen(cut *cut)
{
    double margin = 0.03 * fmax(cut->size[0], cut->size[1]);
    for (int i = 0; i < 2; i++) {
        cut->low[i] -= margin;
        cut->size[i] += 2 * margin;
    }
}

fr_result cut_of_view(const fr_frame *frame, const fr_view_def *view, cut *cut)
{
    static const int axes[3][2] = {{2, 1}, {0, 2}, {0, 1}};
    int across = frame->dims == 3 ? view->slice_axis : 2;
    if (across < 0 || across > 2)
        return fr_fail_key("look.views.slice_axis", "a slice lies across axis 0, 1 or 2 (x, y, z), not %d", across);
    double at = frame->dims == 3 ? view->slice_at : 0.5;
    if (!(at >= 0 && at <= 1))
        return fr_fail_key("look.views.slice_at", "a slice lies from 0 to 1 of the domain, not at %g", at);
    cut->across = across;
    cut->at = at * frame->cells[across];
    for (int i = 0; i < 2; i++) {
        cut->axes[i] = axes[across][i];
        cut->cells[i] = frame->cells[axes[across][i]];
        cut->spacing[i] = frame->spacing[axes[across][i]];
        cut->low[i] = frame->origin[axes[across][i]];
        cut->size[i] = cut->cells[i] * cut->spacing[i];
    }
    if (frame->can & FR_FRAME_BENT)
        cut_widen(cut);
    return FR_OK;
}

static double plane_field_offset(const fr_field *field, int axis)
{
    return (int)field->location - (int)FR_AT_FACE_X == axis ? 0 : 0.5;
}

static fr_result plane_of_field(const fr_frame *frame, const fr_field *field, const cut *cut, plane *plane)
{
    int refine = fr_field_refine(frame, field);
    refine = refine > 0 ? refine : 1;
    plane->refine = refine;
    for (int i = 0; i < 2; i++) {
        int axis = cut->axes[i];
        plane->n[i] = (int)field->size[axis];
        plane->offset[i] = plane_field_offset(field, axis);
        plane->period[i] = frame->periodic[axis] ? refine * frame->cells[axis] : 0;
    }
    plane->data = MEMORY_NEW(float, (size_t)plane->n[0] * (size_t)plane->n[1]);
    if (!plane->data)
        return FR_ERROR_MEMORY;
    int last = (int)field->size[cut->across] - 1;
    double place = clampd(refine * cut->at - plane_field_offset(field, cut->across), 0, last);
    int layer = (int)place, above = layer < last ? layer + 1 : last;
    float weight = (float)(place - layer);
    const float *low = field->data + layer * field->stride[cut->across];
    const float *high = field->data + above * field->stride[cut->across];
    ptrdiff_t right = field->stride[cut->axes[0]], up = field->stride[cut->axes[1]];
    for (int j = 0; j < plane->n[1]; j++)
        for (int i = 0; i < plane->n[0]; i++) {
            ptrdiff_t at = i * right + j * up;
            float a = low[at], b = high[at];
            plane->data[(size_t)j * (size_t)plane->n[0] + (size_t)i] = weight > 0 ? a + (b - a) * weight : a;
        }
    return FR_OK;
}

/* Adds the square of one velocity component at the cell centres. */
static fr_result plane_add_square(const fr_frame *frame, int axis, const cut *cut, plane *speed)
{
    static const char *const names[3] = {"u", "v", "w"};
    const fr_field *field = fr_frame_field(frame, names[axis]);
    if (!field)
        return FR_OK;
    plane part = {0};
    FR_TRY(plane_of_field(frame, field, cut, &part));
    for (int j = 0; j < speed->n[1]; j++)
        for (int i = 0; i < speed->n[0]; i++) {
            float v = plane_linear(&part, i + 0.5, j + 0.5);
            speed->data[(size_t)j * (size_t)speed->n[0] + (size_t)i] += v * v;
        }
    plane_free(&part);
    return FR_OK;
}

static fr_result plane_of_speed(const fr_frame *frame, const cut *cut, plane *plane)
{
    plane->refine = 1;
    for (int i = 0; i < 2; i++) {
        plane->n[i] = cut->cells[i];
        plane->offset[i] = 0.5;
        plane->period[i] = frame->periodic[cut->axes[i]] ? cut->cells[i] : 0;
    }
    size_t count = (size_t)plane->n[0] * (size_t)plane->n[1];
    plane->data = MEMORY_NEW(float, count);
    if (!plane->data)
        return FR_ERROR_MEMORY;
    for (int axis = 0; axis < frame->dims; axis++)
        FR_TRY(plane_add_square(frame, axis, cut, plane));
    for (size_t i = 0; i < count; i++)
        plane->data[i] = sqrtf(plane->data[i]);
    return FR_OK;
}

static fr_result plane_unknown(const fr_frame *frame, const char *name)
{
    char known[512] = "";
    if (liquid_is(frame) && !liquid_has_grid(frame))
        return liquid_unknown(frame, name);
    const fr_field_info *made;
    int count = fr_fields(&made);
    for (int i = 0; i < count; i++)
        if ((made[i].derived & FR_FROM_GRIDS && (frame->dims == 3 || !made[i].only_3d)) ||
            (made[i].derived & FR_FROM_LIQUIDS && liquid_has(frame, made[i].name)))
            words_add(known, sizeof known, made[i].name);
    for (int i = 0; i < frame->field_count; i++)
        words_add(known, sizeof known, frame->fields[i].name);
    return fr_fail_key("look.views.field", "there is no field '%s' to draw; there are %s", name, known);
}

fr_result plane_extract(const fr_frame *frame, const char *name, const cut *cut, plane *out)
{
    *out = (plane){0};
    const fr_field *field = fr_frame_field(frame, name);
    fr_result result = FR_OK;
    if (field)
        result = plane_of_field(frame, field, cut, out);
    else if (strcmp(name, "speed") == 0 && fr_frame_field(frame, "u"))
        result = plane_of_speed(frame, cut, out);
    else
        return plane_unknown(frame, name);
    if (result != FR_OK)
        plane_free(out);
    return result;
}

void plane_free(plane *plane)
{
    memory_free(plane->data);
    plane->data = NULL;
}

static int plane_index(const plane *plane, int axis, int i)
{
    int period = plane->period[axis];
    if (period > 0)
        return (i % period + period) % period;
    return i < 0 ? 0 : i >= plane->n[axis] ? plane->n[axis] - 1 : i;
}

static float plane_value(const plane *plane, int i, int j)
{
    return plane->data[(size_t)plane_index(plane, 1, j) * (size_t)plane->n[0] + (size_t)plane_index(plane, 0, i)];
}

/* Stands for a sample that is not known yet: NaN is one that a run has made. */
static const float plane_unknown_yet = INFINITY;

/* The mean of the samples beside one that are known. */
static float plane_beside(const plane *plane, int i, int j)
{
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    float sum = 0, count = 0;
    for (int k = 0; k < 4; k++) {
        float v = plane_value(plane, i + step[k][0], j + step[k][1]);
        sum += v == plane_unknown_yet ? 0 : v;
        count += v != plane_unknown_yet;
    }
    return count > 0 ? sum / count : plane_unknown_yet;
}

/* One more layer of samples, found from those that were known before it. */
static void plane_continue_once(plane *plane, float *found)
{
    size_t n = (size_t)plane->n[0], count = n * (size_t)plane->n[1];
    for (size_t i = 0; i < count; i++)
        found[i] =
            plane->data[i] == plane_unknown_yet ? plane_beside(plane, (int)(i % n), (int)(i / n)) : plane->data[i];
    memcpy(plane->data, found, count * sizeof *found);
}

void plane_continue(plane *plane, const struct plane *level)
{
    enum { LAYERS = 4 };
    size_t n = (size_t)plane->n[0], count = n * (size_t)plane->n[1];
    float *clean = MEMORY_NEW(float, 2 * count), *found = clean + count;
    if (!clean)
        return; /* the rim fades, no more */
    memcpy(clean, plane->data, count * sizeof *clean);
    for (size_t i = 0; i < count; i++) {
        double x = ((double)(i % n) + 0.5) / plane->refine, y = ((double)(i / n) + 0.5) / plane->refine;
        plane->data[i] = plane_linear(level, x, y) < 0 ? plane->data[i] : plane_unknown_yet;
    }
    for (int layer = 0; layer < LAYERS; layer++)
        plane_continue_once(plane, found);
    for (size_t i = 0; i < count; i++)
        plane->data[i] = plane->data[i] == plane_unknown_yet ? clean[i] : plane->data[i];
    memory_free(clean);
}

float plane_linear(const plane *plane, double x, double y)
{
    double px = plane->refine * x - plane->offset[0], py = plane->refine * y - plane->offset[1];
    int i = (int)floor(px), j = (int)floor(py);
    float fx = (float)(px - i), fy = (float)(py - j);
    float low = plane_value(plane, i, j) * (1 - fx) + plane_value(plane, i + 1, j) * fx;
    float high = plane_value(plane, i, j + 1) * (1 - fx) + plane_value(plane, i + 1, j + 1) * fx;
    return low * (1 - fy) + high * fy;
}

float plane_cubic(const plane *plane, double x, double y)
{
    double px = plane->refine * x - plane->offset[0], py = plane->refine * y - plane->offset[1];
    int i = (int)floor(px), j = (int)floor(py);
    float wx[4], wy[4];
    (plane->smooth ? cubic_smooth_weights : cubic_weights)((float)(px - i), wx);
    (plane->smooth ? cubic_smooth_weights : cubic_weights)((float)(py - j), wy);
    int column[4];
    for (int a = 0; a < 4; a++)
        column[a] = plane_index(plane, 0, i - 1 + a);
    float sum = 0, least = INFINITY, greatest = -INFINITY;
    for (int b = 0; b < 4; b++) {
        const float *row = plane->data + (size_t)plane_index(plane, 1, j - 1 + b) * (size_t)plane->n[0];
        float part = 0;
        for (int a = 0; a < 4; a++) {
            float v = row[column[a]];
            part += wx[a] * v;
            least = v < least ? v : least;
            greatest = v > greatest ? v : greatest;
        }
        sum += wy[b] * part;
    }
    return sum < least ? least : sum > greatest ? greatest : sum;
}

void plane_slope(const plane *plane, const double at[2], double slope[2])
{
    for (int i = 0; i < 2; i++) {
        double e = 0.25 * (i == 0), f = 0.25 * (i == 1);
        slope[i] = (plane_cubic(plane, at[0] + e, at[1] + f) - plane_cubic(plane, at[0] - e, at[1] - f)) / 0.5;
    }
}
