#include "geom/pose.h"

/* Sine and cosine that are exact for quarter turns. */
static void pose_sine(double degrees, double *sine, double *cosine)
{
    double turn = fmod(degrees, 360);
    int quarter = (int)floor(turn / 90 + 0.5);
    double rest = (turn - 90 * quarter) * FR_PI / 180, s = sin(rest), c = cos(rest);
    switch (quarter & 3) {
    case 0: *sine = s; *cosine = c; break;
    case 1: *sine = c; *cosine = -s; break;
    case 2: *sine = -s; *cosine = -c; break;
    default: *sine = -c; *cosine = s; break;
    }
}

/* Rodrigues' rotation. */
pose pose_of(const double axis[3], double degrees, const double at[3])
{
    vec3 unit = vec3_unit(vec3_of(axis));
    double s, c, u[3] = {unit.x, unit.y, unit.z};
    pose_sine(degrees, &s, &c);
    double cross[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
    pose p = {.at = {at[0], at[1], at[2]}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            p.turn[a][b] = (a == b ? c : 0) + s * cross[a][b] + (1 - c) * u[a] * u[b];
    return p;
}

pose pose_join(const pose *outer, const pose *inner)
{
    pose p = {.at = {outer->at[0], outer->at[1], outer->at[2]}};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++) {
            p.at[a] += outer->turn[a][k] * inner->at[k];
            for (int b = 0; b < 3; b++)
                p.turn[a][b] += outer->turn[a][k] * inner->turn[k][b];
        }
    return p;
}

/* The antisymmetric part of a rotation matrix gives axis times sine, its trace the cosine. At exactly half a turn the
   axis cannot be found this way; the result is then 0. */
vec3 pose_turn_between(const pose *from, const pose *to)
{
    double by[3][3] = {{0}}, trace = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int k = 0; k < 3; k++)
                by[a][b] += to->turn[a][k] * from->turn[b][k];
    for (int a = 0; a < 3; a++)
        trace += by[a][a];
    vec3 skew = {0.5 * (by[2][1] - by[1][2]), 0.5 * (by[0][2] - by[2][0]), 0.5 * (by[1][0] - by[0][1])};
    double sine = vec3_length(skew), angle = atan2(sine, 0.5 * (trace - 1));
    return sine > 0 ? vec3_scale(skew, angle / sine) : skew;
}
