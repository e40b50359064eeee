/* Small vectors of doubles. */
#ifndef FR_BASE_VEC_H
#define FR_BASE_VEC_H

#include <math.h>

#define FR_PI 3.14159265358979323846

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 vec3_of(const double v[3]) { return (vec3){v[0], v[1], v[2]}; }
static inline vec3 vec3_add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 vec3_sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 vec3_scale(vec3 a, double s) { return (vec3){a.x * s, a.y * s, a.z * s}; }
static inline double vec3_dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double vec3_length(vec3 a) { return sqrt(vec3_dot(a, a)); }
static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vec3 vec3_unit(vec3 a)
{
    double length = vec3_length(a);
    return length > 0 ? vec3_scale(a, 1 / length) : a;
}
static inline double clampd(double v, double low, double high) { return v < low ? low : v > high ? high : v; }

#endif
