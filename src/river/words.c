/* Remarks about a river before it runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "method/evaluate.h"
#include "method/preview/preview.h"
#include "river/check.h"
#include "river/river.h"

/* Angle between the edges of a cell, in degrees, below which the flow suffers; below 10 the grid is refused. */
static const double GOOD_ANGLE = 20;

/* World position of a node, m. */
static vec3 words_node(const fr_frame *frame, const int index[3])
{
    int64_t nx = frame->cells[0] + 1, ny = frame->cells[1] + 1, n = index[0] + nx * (index[1] + ny * index[2]);
    const float *node = frame->nodes.data + n * frame->nodes.stride;
    return (vec3){node[0], node[1], node[2]};
}

/* The edge from a node to the next one along an axis. */
static vec3 words_edge(const fr_frame *frame, const int from[3], int axis)
{
    int to[3] = {from[0], from[1], from[2]};
    to[axis]++;
    return vec3_sub(words_node(frame, to), words_node(frame, from));
}

static void words_corner(const int cell[3], int corner, int node[3])
{
    for (int a = 0; a < 3; a++)
        node[a] = cell[a] + (corner >> a & 1);
}

/* Centre of a cell, m. */
static void words_centre(const fr_frame *frame, const int cell[3], double at[3])
{
    int corners = 1 << frame->dims, node[3];
    vec3 sum = {0, 0, 0};
    for (int c = 0; c < corners; c++) {
        words_corner(cell, c, node);
        sum = vec3_add(sum, vec3_scale(words_node(frame, node), 1.0 / corners));
    }
    at[0] = sum.x, at[1] = sum.y, at[2] = sum.z;
}

/* The shortest and the longest edge along an axis. */
static void words_edges(const fr_frame *frame, int axis, double range[2])
{
    int last[3];
    for (int a = 0; a < 3; a++)
        last[a] = a >= frame->dims ? 0 : a == axis ? frame->cells[a] - 1 : frame->cells[a];
    range[0] = INFINITY;
    range[1] = 0;
    for (int k = 0; k <= last[2]; k++)
        for (int j = 0; j <= last[1]; j++)
            for (int i = 0; i <= last[0]; i++) {
                double edge = vec3_length(words_edge(frame, (const int[3]){i, j, k}, axis));
                range[0] = fmin(range[0], edge);
                range[1] = fmax(range[1], edge);
            }
}

static void words_cell(const remarks *to, const fr_frame *frame)
{
    static const char *const ways[] = {"long", "wide", "deep"};
    char text[160] = "";
    for (int a = 0; a < frame->dims; a++) {
        double range[2];
        size_t used = strlen(text);
        words_edges(frame, a, range);
        snprintf(text + used, sizeof text - used, "%s%.4g to %.4g m %s", a ? ", " : "", range[0], range[1], ways[a]);
    }
    remark(to, FR_REMARK_SIZE, "cell", "%s", text);
}

static void words_sizes(const remarks *to)
{
    const fr_estimate *e = to->about->estimate;
    const char *nodes = to->about->def->river.nodes;
    const double box[3] = {e->cells[0] * e->spacing[0], e->cells[1] * e->spacing[1], e->cells[2] * e->spacing[2]};
    remark(to, FR_REMARK_SIZE, "cells", "%s = %.0f, nodes from %s", remark_counts(e->dims, e->cells).text,
           (double)e->cells[0] * e->cells[1] * e->cells[2], nodes ? nodes : "river.grid");
    if (to->about->frame)
        words_cell(to, to->about->frame);
    remark(to, FR_REMARK_SIZE, "box", "%s m around it", remark_lengths(e->dims, box).text);
}

/* The largest value of a side's number at a few moments of the run, and places along the side. */
static double words_most(const fr_number *number, double duration)
{
    enum { MOMENTS = 5, PLACES = 64 };
    double most = 0, value;
    for (int i = 0; i < MOMENTS; i++)
        for (int n = 0; n < (number->function ? PLACES : 1); n++) {
            const double shares[3] = {(n + 0.5) / PLACES, 0.5, 0};
            if (evaluate_number(number, shares, duration * i / (MOMENTS - 1), &value) == FR_OK)
                most = fmax(most, fabs(value));
        }
    return most;
}

static preview_speed words_speed(const fr_scene_def *def)
{
    preview_speed speed = {0, ""};
    for (int side = 0; side < FR_SIDES; side++) {
        const fr_river_side *given = &def->river.sides[side];
        preview_speed_take(&speed, words_most(&given->speed, def->time.duration),
                           given->kind == FR_RIVER_INFLOW ? "an inflow" : "a moving bank");
        preview_speed_take(&speed, words_most(&given->inflow, def->time.duration), "an inflow");
    }
    preview_speed_of_scene(def, &speed);
    return speed;
}

/* Width of the river at its start, at the bed, m. */
static double words_width(const fr_frame *frame)
{
    double width = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        width += vec3_length(words_edge(frame, (const int[3]){0, j, 0}, 1));
    return width;
}

static void words_flow(const remarks *to, preview_speed speed)
{
    const fr_frame *frame = to->about->frame;
    double viscosity = to->about->def->fluid.viscosity;
    if (speed.value > 0 && viscosity > 0 && !frame)
        remark(to, FR_REMARK_FLOW, "Reynolds",
               "about %.3g for every metre of width (speed %.3g m/s from %s, viscosity %.3g m2/s)",
               speed.value / viscosity, speed.value, speed.origin, viscosity);
    else
        remark_reynolds(to, speed, (preview_length){"width", frame ? words_width(frame) : 0, " at s = 0"}, viscosity);
}

/* Describes a side, as "inflow at 2 m/s". */
static void words_side(const fr_river_side *side, char *text, size_t room)
{
    static const char *const kinds[] = {[FR_RIVER_BANK] = "bank of roughness",
                                        [FR_RIVER_INFLOW] = "inflow",
                                        [FR_RIVER_OUTFLOW] = "outflow",
                                        [FR_RIVER_PERIODIC] = "periodic"};
    char roughness[32] = "", speed[48] = "", inflow[48] = "";
    if (side->kind == FR_RIVER_BANK && side->roughness_of)
        snprintf(roughness, sizeof roughness, " that varies along it");
    else if (side->kind == FR_RIVER_BANK)
        snprintf(roughness, sizeof roughness, " %.3g", side->roughness);
    if (side->speed.function)
        snprintf(speed, sizeof speed, " at a speed that varies%s", side->speed_along ? " along it" : " in time");
    else if (side->speed.value != 0)
        snprintf(speed, sizeof speed, " at %.3g m/s", side->speed.value);
    if (side->inflow.function)
        snprintf(inflow, sizeof inflow, " with an inflow through part of it");
    else if (side->inflow.value != 0)
        snprintf(inflow, sizeof inflow, " with an inflow of %.3g m/s", side->inflow.value);
    snprintf(text, room, "%s%s%s%s", kinds[side->kind], roughness, speed, inflow);
}

static void words_sides(const remarks *to)
{
    char text[900] = "", side_text[150];
    for (int side = 0; side < 2 * to->about->estimate->dims; side++) {
        size_t used = strlen(text);
        words_side(&to->about->def->river.sides[side], side_text, sizeof side_text);
        snprintf(text + used, sizeof text - used, "%s%s %s", side ? ", " : "", river_side_names[side], side_text);
    }
    remark(to, FR_REMARK_FLOW, "sides", "%s", text);
}

static void words_scheme(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    if (def->river.scheme == FR_RIVER_CLASSIC)
        remark(to, FR_REMARK_FLOW, "scheme", "classic, %d sweeps for the pressure and %d for viscosity and diffusion",
               def->river.sweeps, def->river.viscous_sweeps);
    else
        remark(to, FR_REMARK_FLOW, "scheme", "flux, pressure by multigrid, tolerance %.3g",
               def->solver.pressure_tolerance);
}

/* Degrees between the edges at a corner of a cell; bit a of the corner's number is 1 at the high end along axis a. In
   3D between one edge and the plane of the other two. */
static double words_angle(const fr_frame *frame, const int cell[3], int corner)
{
    vec3 edge[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    double least = 1;
    for (int a = 0; a < frame->dims; a++) {
        int low[3];
        words_corner(cell, corner, low);
        low[a] = cell[a];
        edge[a] = words_edge(frame, low, a);
    }
    for (int a = 0; a < 3; a++) {
        vec3 plane = vec3_cross(edge[(a + 1) % 3], edge[(a + 2) % 3]);
        least = fmin(least, fabs(vec3_dot(edge[a], plane)) / (vec3_length(edge[a]) * vec3_length(plane)));
    }
    return asin(least) * 180 / acos(-1);
}

/* The sharpest corner below GOOD_ANGLE, and its cell. */
static double words_sharpest(const fr_frame *frame, int cell[3])
{
    double least = GOOD_ANGLE;
    for (int k = 0; k < frame->cells[2]; k++)
        for (int j = 0; j < frame->cells[1]; j++)
            for (int i = 0; i < frame->cells[0]; i++)
                for (int corner = 0; corner < 1 << frame->dims; corner++) {
                    double angle = words_angle(frame, (const int[3]){i, j, k}, corner);
                    if (angle < least) {
                        least = angle;
                        memcpy(cell, (const int[3]){i, j, k}, 3 * sizeof *cell);
                    }
                }
    return least;
}

static void words_lean(const remarks *to)
{
    const fr_frame *frame = to->about->frame;
    int cell[3] = {0, 0, 0};
    double least = frame ? words_sharpest(frame, cell) : GOOD_ANGLE;
    if (least < GOOD_ANGLE)
        remark_warn(to,
                    "lines of the grid lean: at cell %s there are %.2g degrees between its edges; below %g the flow is "
                    "smeared and the pressure takes long: let lines across the river be squarer to its banks",
                    curve_name_of(frame->dims, cell).text, least, GOOD_ANGLE);
}

static bool words_brings(const fr_scalar_value *scalars, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (!strcmp(scalars[k].name, name))
            return true;
    return false;
}

/* Whether an ink ever appears in the scene. */
static bool words_has_ink(const fr_scene_def *def, const fr_scalar_def *ink)
{
    bool there = ink->has_initial;
    for (int i = 0; i < def->source_count; i++)
        there = there || words_brings(def->sources[i].scalars, def->sources[i].scalar_count, ink->name);
    for (int side = 0; side < FR_SIDES; side++)
        there = there ||
                words_brings(def->river.sides[side].scalars, def->river.sides[side].scalar_count, ink->name);
    return there;
}

static void words_inks(const remarks *to)
{
    const fr_scene_def *def = to->about->def;
    for (int i = 0; i < def->scalar_count; i++)
        if (!words_has_ink(def, &def->scalars[i]))
            remark_warn(
                to, "nothing brings %s into the river: give it a source or an initial value, or let an inflow carry it",
                def->scalars[i].name);
}

void river_describe(const remarks *to)
{
    preview_speed speed = words_speed(to->about->def);
    words_sizes(to);
    words_flow(to, speed);
    words_sides(to);
    words_scheme(to);
    words_lean(to);
    words_inks(to);
    remark_rest(to, speed, false, "inflow, initial velocity, force or moving bank");
}

static fr_result call_scalars(const fr_preview *preview, const int cell[3], const fr_scalar_value *scalars, int count,
                              double time)
{
    double at[3];
    words_centre(preview->frame, cell, at);
    return preview_call_scalars(scalars, count, at, time);
}

/* Calls the functions of a side at the centres of all its faces. */
static fr_result call_side(const fr_river_side *side, const int cells[2])
{
    const fr_number numbers[] = {
        side->speed, side->inflow, {side->roughness, side->roughness_of, side->roughness_context}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int n = 0; n < cells[0] * cells[1] && numbers[i].function; n++) {
            const double shares[3] = {(n % cells[0] + 0.5) / cells[0], (n / cells[0] + 0.5) / cells[1], 0};
            double value;
            FR_TRY(evaluate_number(&numbers[i], shares, 0, &value));
        }
    return FR_OK;
}

static fr_result call_sides(const fr_preview *preview)
{
    const int *cells = preview->estimate->cells;
    for (int side = 0; side < 2 * preview->estimate->dims; side++) {
        const fr_river_side *given = &preview->def->river.sides[side];
        FR_TRY(call_side(given, (int[2]){cells[side / 2 == 0 ? 1 : 0], cells[side / 2 == 2 ? 1 : 2]}));
        int cell[3];
        for (int a = 0; a < 3; a++)
            cell[a] = a != side / 2 ? cells[a] / 2 : side % 2 ? cells[a] - 1 : 0;
        if (given->scalar_count > 0 && preview->frame)
            FR_TRY(call_scalars(preview, cell, given->scalars, given->scalar_count, 0));
    }
    return FR_OK;
}

/* Which cells a shape covers is known only in the run; here only sources given by cells are called. */
static fr_result call_sources(const fr_preview *preview)
{
    for (int i = 0; i < preview->def->source_count; i++) {
        const fr_source_def *source = &preview->def->sources[i];
        if (source->in_cells)
            FR_TRY(call_scalars(preview, source->cells.from, source->scalars, source->scalar_count,
                                fmax(source->from, 0)));
    }
    return FR_OK;
}

fr_result river_call_functions(const fr_preview *preview)
{
    const fr_scene_def *def = preview->def;
    const int *cells = preview->estimate->cells, middle[3] = {cells[0] / 2, cells[1] / 2, cells[2] / 2};
    double at[3], force[3];
    FR_TRY(call_sides(preview));
    if (!preview->frame)
        return FR_OK;
    FR_TRY(call_sources(preview));
    words_centre(preview->frame, middle, at);
    for (int i = 0; i < def->force_count; i++)
        if (!def->forces[i].shape.shape)
            FR_TRY(evaluate_vector(&def->forces[i].value, at, 0, force));
    return FR_OK;
}
