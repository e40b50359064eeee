#include "validate/validate.h"
#include "kit/say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const validate_scheme validate_schemes[] = {
    {"maccormack", FR_ADVECTION_MACCORMACK, 0},
    {"linear", FR_ADVECTION_LINEAR, 0},
    {"cubic", FR_ADVECTION_CUBIC, 0},
    {"reflection", FR_ADVECTION_REFLECTION, 0.95},
    {"central", FR_ADVECTION_CENTRAL, 0.99},
};
const int validate_scheme_count = sizeof validate_schemes / sizeof validate_schemes[0];

fr_scene_def validate_box(int dims, double size, int cells, fr_wall_kind walls)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.name = "validate";
    def.domain = (fr_domain_def){.dims = dims, .size = {size, size, dims == 3 ? size : 0}, .cells = {cells, 0, 0}};
    def.fluid.density = 1;
    for (int side = 0; side < 2 * dims; side++)
        def.walls[side].kind = walls;
    return def;
}

fr_result validate_frame(fr_world *world, const char *name)
{
    FR_TRY(fr_world_step_frame(world));
    say_status("%s: t = %.4g", name, fr_world_time(world));
    return FR_OK;
}

double validate_value(const fr_field *field, int64_t i, int64_t j, int64_t k)
{
    return field->data[i * field->stride[0] + j * field->stride[1] + k * field->stride[2]];
}

static const char *const velocity_names[3] = {"u", "v", "w"};

double validate_velocity(const fr_frame *frame, int axis, int64_t i, int64_t j, int64_t k)
{
    return validate_value(fr_frame_field(frame, velocity_names[axis]), i, j, k);
}

/* A corner of cell (i, j, k) of a curvilinear grid; the bits of `corner` select the end along each axis. */
static const float *validate_corner(const fr_frame *frame, const int64_t index[3], int corner)
{
    int64_t node = 0, step = 1;
    for (int a = 0; a < frame->dims; a++) {
        node += (index[a] + (corner >> a & 1)) * step;
        step *= frame->cells[a] + 1;
    }
    return frame->nodes.data + node * frame->nodes.stride;
}

static void validate_centre(const fr_frame *frame, const int64_t index[3], double at[3])
{
    int corners = 1 << frame->dims;
    for (int a = 0; a < 3; a++) {
        at[a] = 0;
        for (int corner = 0; corner < corners; corner++)
            at[a] += validate_corner(frame, index, corner)[a] / (double)corners;
    }
}

/* Area of a quadrilateral: half the cross product of its diagonals. */
double validate_area(const fr_frame *frame, int64_t i, int64_t j)
{
    if (!(frame->can & FR_FRAME_BENT))
        return frame->spacing[0] * frame->spacing[1];
    const float *corner[4];
    for (int c = 0; c < 4; c++)
        corner[c] = validate_corner(frame, (int64_t[3]){i, j, 0}, c);
    double up[2], down[2];
    for (int a = 0; a < 2; a++) {
        up[a] = (double)corner[3][a] - corner[0][a];
        down[a] = (double)corner[2][a] - corner[1][a];
    }
    return 0.5 * fabs(up[0] * down[1] - up[1] * down[0]);
}

void validate_place(const fr_frame *frame, const fr_field *field, const int64_t index[3], double at[3])
{
    if (frame->can & FR_FRAME_BENT) {
        validate_centre(frame, index, at);
        return;
    }
    for (int a = 0; a < 3; a++) {
        bool on_face = (int)field->location == FR_AT_FACE_X + a;
        at[a] = frame->origin[a] + ((double)index[a] + (on_face ? 0 : 0.5)) * frame->spacing[a];
    }
}

double validate_order(double coarse, double fine)
{
    return log2(coarse / fine);
}

double validate_ledger(fr_world *world, const char *column)
{
    const fr_ledger *ledger = &fr_world_frame(world)->ledger;
    for (int c = 0; c < ledger->count; c++)
        if (!strcmp(ledger->names[c], column))
            return ledger->values[c];
    return NAN;
}

fr_result validate_profile(fr_world *world, const char *name, int axis, double scale, validate_curve *curve,
                           validate_extremes *extremes)
{
    enum { PIECES = 400 };
    *extremes = (validate_extremes){INFINITY, -INFINITY};
    for (int i = 0; i <= PIECES; i++) {
        double at[3] = {0.5, 0.5, 0}, value;
        at[axis] = (double)i / PIECES;
        FR_TRY(fr_world_probe(world, name, at, &value));
        validate_point_add(curve, at[axis], value * scale);
        extremes->least = fmin(extremes->least, value * scale);
        extremes->most = fmax(extremes->most, value * scale);
    }
    return FR_OK;
}

/* The largest change of the velocity since the copy `before`, which is then updated. */
static double validate_change(const fr_frame *frame, float *before)
{
    double most = 0;
    for (int a = 0; a < frame->dims; a++) {
        const fr_field *field = fr_frame_field(frame, velocity_names[a]);
        for (int64_t k = 0; k < field->size[2]; k++)
            for (int64_t j = 0; j < field->size[1]; j++)
                for (int64_t i = 0; i < field->size[0]; i++) {
                    double now = validate_value(field, i, j, k);
                    most = fmax(most, fabs(now - *before));
                    *before++ = (float)now;
                }
    }
    return most;
}

static size_t validate_samples(const fr_frame *frame)
{
    size_t count = 0;
    for (int a = 0; a < frame->dims; a++) {
        const fr_field *field = fr_frame_field(frame, velocity_names[a]);
        count += (size_t)(field->size[0] * field->size[1] * field->size[2]);
    }
    return count;
}

fr_result validate_run_steady(fr_world *world, const char *name, validate_steady *steady)
{
    const fr_frame *frame = fr_world_frame(world);
    float *before = calloc(validate_samples(frame), sizeof *before);
    if (!before)
        return fr_fail(FR_ERROR_MEMORY, "no memory to compare two frames of '%s'", name);
    validate_change(frame, before);
    fr_result result = FR_OK;
    steady->reached = false;
    while (result == FR_OK && !steady->reached && fr_world_time(world) < steady->cap) {
        double start = fr_world_time(world);
        result = validate_frame(world, name);
        if (result != FR_OK)
            break;
        frame = fr_world_frame(world);
        steady->left = validate_change(frame, before) / (frame->time - start);
        steady->reached = steady->left < steady->change;
    }
    steady->time = fr_world_time(world);
    free(before);
    return result;
}

void validate_note_steady(validate_record *record, const validate_steady *steady)
{
    if (steady->reached)
        validate_note(record, "steady at t = %.4g: no velocity changes by more than %.1g per unit of time",
                      steady->time, steady->change);
    else
        validate_note(
            record, "stopped by the cap at t = %.4g: velocities still change by %.2g per unit of time (steady is %.1g)",
            steady->time, steady->left, steady->change);
}
