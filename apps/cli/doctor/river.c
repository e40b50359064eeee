/* What the scene doctor says of rivers. */
#include "doctor/doctor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const side_names[FR_SIDES] = {"s0", "s1", "t0", "t1", "r0", "r1"};

/* Where a node of the grid lies, m. */
static const float *river_node(const fr_frame *frame, const int index[3])
{
    int64_t nx = frame->cells[0] + 1, ny = frame->cells[1] + 1, n = index[0] + nx * (index[1] + ny * index[2]);
    return frame->nodes.data + n * frame->nodes.stride;
}

static double river_edge(const fr_frame *frame, const int from[3], int axis)
{
    int to[3] = {from[0], from[1], from[2]};
    to[axis]++;
    const float *a = river_node(frame, from), *b = river_node(frame, to);
    double sum = 0;
    for (int x = 0; x < 3; x++)
        sum += ((double)b[x] - (double)a[x]) * ((double)b[x] - (double)a[x]);
    return sqrt(sum);
}

void doctor_river_centre(const fr_frame *frame, const int cell[3], double at[3])
{
    int corners = 1 << frame->dims;
    at[0] = at[1] = at[2] = 0;
    for (int c = 0; c < corners; c++) {
        const float *node =
            river_node(frame, (const int[3]){cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1)});
        for (int x = 0; x < 3; x++)
            at[x] += (double)node[x] / corners;
    }
}

/* The shortest and the longest edge along an axis. */
static void river_edges(const fr_frame *frame, int axis, double range[2])
{
    int last[3];
    for (int a = 0; a < 3; a++)
        last[a] = a >= frame->dims ? 0 : a == axis ? frame->cells[a] - 1 : frame->cells[a];
    range[0] = INFINITY;
    range[1] = 0;
    for (int k = 0; k <= last[2]; k++)
        for (int j = 0; j <= last[1]; j++)
            for (int i = 0; i <= last[0]; i++) {
                double edge = river_edge(frame, (const int[3]){i, j, k}, axis);
                range[0] = fmin(range[0], edge);
                range[1] = fmax(range[1], edge);
            }
}

void doctor_river_sizes(const doctor *doctor)
{
    static const char *const ways[] = {"long", "wide", "deep"};
    const fr_estimate *e = &doctor->estimate;
    bool flat = e->dims == 2;
    const char *nodes = doctor->def->river.nodes;
    printf("cells       %d x %d", e->cells[0], e->cells[1]);
    if (!flat)
        printf(" x %d", e->cells[2]);
    printf(" = %.0f, nodes from %s\n", (double)e->cells[0] * e->cells[1] * e->cells[2], nodes ? nodes : "river.grid");
    for (int a = 0; a < e->dims && doctor->frame; a++) {
        double range[2];
        river_edges(doctor->frame, a, range);
        printf("%s%.4g to %.4g m %s%s", a ? "" : "cell        ", range[0], range[1], ways[a],
               a + 1 < e->dims ? ", " : "\n");
    }
    printf("box         %.6g x %.6g", e->cells[0] * e->spacing[0], e->cells[1] * e->spacing[1]);
    if (!flat)
        printf(" x %.6g", e->cells[2] * e->spacing[2]);
    printf(" m around it\n");
}

/* Across the river where it begins, at its bed. */
static double river_width(const fr_frame *frame)
{
    double width = 0;
    for (int j = 0; j < frame->cells[1]; j++)
        width += river_edge(frame, (const int[3]){0, j, 0}, 1);
    return width;
}

void doctor_river_flow(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    doctor_speed speed = doctor_expected_speed(def);
    if (speed.value <= 0)
        printf("Reynolds    unknown: nothing in the scene tells a speed\n");
    else if (def->fluid.viscosity <= 0)
        printf("Reynolds    inviscid (speed about %.3g m/s from %s)\n", speed.value, speed.origin);
    else if (doctor->frame)
        printf("Reynolds    about %.3g (speed %.3g m/s from %s, width %.3g m at s = 0, viscosity %.3g m2/s)\n",
               speed.value * river_width(doctor->frame) / def->fluid.viscosity, speed.value, speed.origin,
               river_width(doctor->frame), def->fluid.viscosity);
    else
        printf("Reynolds    about %.3g for every metre of width (speed %.3g m/s from %s, viscosity %.3g m2/s)\n",
               speed.value / def->fluid.viscosity, speed.value, speed.origin, def->fluid.viscosity);
}

static void river_say_side(const fr_river_side *side, const char *name)
{
    printf(" %s ", name);
    if (side->kind == FR_RIVER_OUTFLOW)
        printf("outflow");
    else if (side->kind == FR_RIVER_PERIODIC)
        printf("periodic");
    else if (side->kind == FR_RIVER_BANK)
        printf("bank of roughness %.3g", side->roughness);
    else
        printf("inflow");
    if (side->speed.function)
        printf(" at a speed that varies");
    else if (side->speed.value != 0)
        printf(" at %.3g m/s", side->speed.value);
}

void doctor_river_solver(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    const fr_river_def *river = &def->river;
    printf("sides      ");
    for (int side = 0; side < 2 * doctor->estimate.dims; side++) {
        river_say_side(&river->sides[side], side_names[side]);
        printf(side + 1 < 2 * doctor->estimate.dims ? "," : "\n");
    }
    if (river->scheme == FR_RIVER_CLASSIC)
        printf("scheme      classic, %d sweeps for the pressure and %d for viscosity and diffusion\n", river->sweeps,
               river->viscous_sweeps);
    else
        printf("scheme      flux, pressure by multigrid, tolerance %.3g\n", def->solver.pressure_tolerance);
}

/* Whether an ink is anywhere at any time. */
static bool river_has_ink(const fr_scene_def *def, const fr_scalar_def *ink)
{
    bool there = ink->has_initial;
    for (int i = 0; i < def->source_count; i++)
        for (int k = 0; k < def->sources[i].scalar_count; k++)
            there = there || !strcmp(def->sources[i].scalars[k].name, ink->name);
    for (int side = 0; side < FR_SIDES; side++)
        for (int k = 0; k < def->river.sides[side].scalar_count; k++)
            there = there || !strcmp(def->river.sides[side].scalars[k].name, ink->name);
    return there;
}

static void river_cross(const double a[3], const double b[3], double out[3])
{
    for (int x = 0; x < 3; x++)
        out[x] = a[(x + 1) % 3] * b[(x + 2) % 3] - a[(x + 2) % 3] * b[(x + 1) % 3];
}

static double river_length(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/* Degrees between the edges at a corner of a cell, bit a of its number saying which end along axis a; in 3D between one
 * edge and the plane of the other two. */
static double river_corner_angle(const fr_frame *frame, const int cell[3], int corner)
{
    double edge[3][3] = {{0}, {0}, {0, 0, 1}}, least = 1;
    for (int a = 0; a < frame->dims; a++) {
        int low[3] = {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2 & 1)}, high[3];
        low[a] = cell[a];
        memcpy(high, low, sizeof high);
        high[a]++;
        for (int x = 0; x < 3; x++)
            edge[a][x] = (double)river_node(frame, high)[x] - (double)river_node(frame, low)[x];
    }
    for (int a = 0; a < 3; a++) {
        double plane[3];
        river_cross(edge[(a + 1) % 3], edge[(a + 2) % 3], plane);
        double triple = edge[a][0] * plane[0] + edge[a][1] * plane[1] + edge[a][2] * plane[2];
        least = fmin(least, fabs(triple) / (river_length(edge[a]) * river_length(plane)));
    }
    return asin(least) * 180 / acos(-1);
}

/* Grids with less than 10 degrees are refused. */
static void river_warn_of_lean(doctor *doctor)
{
    const double good = 20;
    const fr_frame *frame = doctor->frame;
    double least = good;
    int worst[3] = {0, 0, 0};
    for (int k = 0; frame && k < frame->cells[2]; k++)
        for (int j = 0; j < frame->cells[1]; j++)
            for (int i = 0; i < frame->cells[0]; i++)
                for (int corner = 0; corner < 1 << frame->dims; corner++) {
                    double angle = river_corner_angle(frame, (const int[3]){i, j, k}, corner);
                    if (angle < least) {
                        least = angle;
                        memcpy(worst, (const int[3]){i, j, k}, sizeof worst);
                    }
                }
    char third[16] = "";
    if (frame && frame->dims == 3)
        snprintf(third, sizeof third, ", %d", worst[2]);
    if (least < good)
        doctor_warn(doctor,
                    "lines of the grid lean: at cell (%d, %d%s) there are %.2g degrees between its edges; below %g the "
                    "flow is smeared and the pressure takes long: "
                    "let lines across the river be squarer to its banks",
                    worst[0], worst[1], third, least, good);
}

void doctor_river_habits(doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    river_warn_of_lean(doctor);
    for (int i = 0; i < def->scalar_count; i++)
        if (!river_has_ink(def, &def->scalars[i]))
            doctor_warn(
                doctor,
                "nothing brings %s into the river: give it a source or an initial value, or let an inflow carry it",
                def->scalars[i].name);
}
