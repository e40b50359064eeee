/* Shapes looked at through worlds of their own: a world whose only obstacles are the shapes shows their signed distance
   as the field "solid". */
#ifndef DOCTOR_SAMPLE_H
#define DOCTOR_SAMPLE_H

#include "doctor/doctor.h"

/* Signed distances to one shape or to several together at the cells of a box. */
typedef struct doctor_sample {
    float *distance;
    int64_t size[3], count;
    double origin[3], spacing[3];
} doctor_sample;

/* False when the shapes cannot be sampled; they have been accepted before, so that is no finding. `distance` is to be
 * freed. */
bool doctor_sample_in(const fr_domain_def *domain, const fr_obstacle_def *obstacles, int count, doctor_sample *sample);

/* The deepest sample; outside a shape that no sample meets, the nearest. */
int64_t doctor_deepest(const doctor_sample *sample);

#endif
