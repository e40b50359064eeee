/* The scene doctor's findings: what the method says of the scene, and what is said of any. */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include "cli.h"
#include "kit/text.h"

/* Lines are collected, and shown in the doctor's own order. */
typedef struct doctor {
    const fr_scene_def *def;
    fr_estimate estimate;
    const fr_frame *frame;              /* frame 0; NULL where the world is too dear to make */
    text said[FR_REMARK_WARNING + 1];   /* by the method, by kind of remark */
    text warnings;
    int warning_count;
} doctor;

void doctor_warn(doctor *doctor, const char *format, ...) FR_PRINTF(2, 3);

/* Names the meshes, and warns of those with holes or with edges of more than two triangles. */
void doctor_meshes(doctor *doctor);

#endif
