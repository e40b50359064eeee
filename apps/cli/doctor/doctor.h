/* The scene doctor's findings beyond sizes: flow, shapes, meshes. */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "cli.h"
#include "kit/text.h"

/* Findings are collected, one line each, and shown at the end. */
typedef struct doctor {
    const fr_scene_def *def;
    fr_estimate estimate;
    const fr_frame *frame;     /* frame 0; NULL where the world is too dear to make */
    text warnings;
    int warning_count;
} doctor;

void doctor_warn(doctor *doctor, const char *format, ...) FR_PRINTF(2, 3);

/* A speed that the scene suggests, and where it comes from. */
typedef struct doctor_speed {
    double value;          /* m/s; 0 when nothing drives the flow */
    const char *origin;
} doctor_speed;
doctor_speed doctor_expected_speed(const fr_scene_def *def);

/* Whether buoyancy acts on what the domain holds at the start. */
bool doctor_starts_buoyant(const fr_scene_def *def);

/* Temperatures of walls and obstacles that cannot get into the fluid. */
void doctor_heat(doctor *doctor);

/* Obstacles thinner than a cell or that leave no fluid, sources and fills inside obstacles: by sampling each shape on a
   grid of its own. */
void doctor_shapes(doctor *doctor);

/* Rivers: the cells and how long and wide they are, the sides, how fast it flows, what looks wrong. */
void doctor_river_sizes(const doctor *doctor);
void doctor_river_solver(const doctor *doctor);
void doctor_river_flow(const doctor *doctor);
void doctor_river_habits(doctor *doctor);
/* The middle of a cell of a frame with nodes, m. */
void doctor_river_centre(const fr_frame *frame, const int cell[3], double at[3]);

/* Liquids of particles: how many and how far apart, what solves them, how fast they will be, what looks wrong. */
void doctor_liquid_sizes(const doctor *doctor);
void doctor_liquid_solver(const doctor *doctor);
void doctor_liquid_flow(const doctor *doctor);
void doctor_liquid_habits(doctor *doctor);

/* A point deep inside a shape and the domain; false when the shape cannot be sampled. */
bool doctor_point_inside(const doctor *doctor, const fr_placed_shape *shape, double at[3]);

/* Calls every function of walls, sources and forces once, where and when the first step would: a function that fails
   or gives no number is found before the run. */
fr_result doctor_functions(const doctor *doctor);

/* Meshes with holes or with edges of more than two triangles. */
void doctor_meshes(doctor *doctor);

#endif
