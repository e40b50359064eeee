#include "rigid/quaternion.h"

#include <math.h>

void quaternion_matrix(const double q[4], double turn[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            turn[a][b] = rows[a][b];
}

static void quaternion_normalise(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= length;
}

/* By the largest of the four, whose square is at least a quarter (Shepperd 1978). */
void quaternion_of(const double turn[3][3], double q[4])
{
    const double trace = turn[0][0] + turn[1][1] + turn[2][2];
    int most = -1;
    double largest = trace;
    for (int a = 0; a < 3; a++)
        if (turn[a][a] > largest) {
            most = a;
            largest = turn[a][a];
        }
    if (most < 0) {
        q[0] = 1 + trace;
        q[1] = turn[2][1] - turn[1][2];
        q[2] = turn[0][2] - turn[2][0];
        q[3] = turn[1][0] - turn[0][1];
    } else {
        const int a = most, b = (a + 1) % 3, c = (a + 2) % 3;
        q[0] = turn[c][b] - turn[b][c];
        q[1 + a] = 1 + turn[a][a] - turn[b][b] - turn[c][c];
        q[1 + b] = turn[b][a] + turn[a][b];
        q[1 + c] = turn[c][a] + turn[a][c];
    }
    quaternion_normalise(q);
    for (int i = 3; i >= 0 && q[0] < 0; i--)
        q[i] = -q[i];
}

void quaternion_product(const double p[4], const double q[4], double out[4])
{
    const double product[4] = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                               p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                               p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
                               p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1]};
    for (int i = 0; i < 4; i++)
        out[i] = product[i];
    quaternion_normalise(out);
}

void quaternion_turn(const double q[4], vec3 turn, double out[4])
{
    const double angle = vec3_length(turn), half = angle / 2;
    const double s = angle > 0 ? sin(half) / angle : 0.5;
    quaternion_product((double[4]){cos(half), s * turn.x, s * turn.y, s * turn.z}, q, out);
}
