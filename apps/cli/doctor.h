/* The scene doctor's findings beyond sizes: flow, shapes, meshes. */
#ifndef DOCTOR_H
#define DOCTOR_H

#include "cli.h"
#include "text.h"

/* Findings are collected, one line each, and shown at the end. */
typedef struct doctor {
    const fr_scene_def *def;
    fr_estimate estimate;
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

/* Obstacles thinner than a cell, sources inside obstacles: by sampling each shape on a grid of its own. */
void doctor_shapes(doctor *doctor);

/* Meshes with holes or with edges of more than two triangles. */
void doctor_meshes(doctor *doctor);

#endif
