/* The energy of a free body with angular momentum L is a sum of squares of L along its principal axes a, b, c:

       H = |L|²/2I_a + L_b² (1/I_b − 1/I_a)/2 + L_c² (1/I_c − 1/I_a)/2.

   Each term alone turns the body in a way that is known exactly: the first about L in space, the others about b and c
   in the body. The first commutes with the others; those two are composed symmetrically (Dullweber, Leimkuhler &
   McLachlan 1997; Fassò 2003) in steps of sixth order (Yoshida 1990, solution A). With a the middle moment, one of the
   two is zero for a body of revolution, and the motion exact. */
#include "rigid/turn.h"

#include <stdlib.h>
#include <string.h>

#include "rigid/quaternion.h"

/* Sweeps of Jacobi's rotations; six suffice for any symmetric matrix of this size. */
enum { SWEEPS = 12 };

/* rad, by which the two terms may turn in a step, as a geometric mean. */
static const double STEP = 0.04;

/* rad: what a turn may neglect. */
static const double NOTHING = 1e-15;

static void principal_rotate(double m[3][3], double axes[3][3], int p, int q)
{
    if (m[p][q] == 0)
        return;
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double mp = m[k][p], mq = m[k][q], ap = axes[k][p], aq = axes[k][q];
        m[k][p] = c * mp - s * mq;
        m[k][q] = s * mp + c * mq;
        axes[k][p] = c * ap - s * aq;
        axes[k][q] = s * ap + c * aq;
    }
    for (int k = 0; k < 3; k++) {
        double mp = m[p][k], mq = m[q][k];
        m[p][k] = c * mp - s * mq;
        m[q][k] = s * mp + c * mq;
    }
    m[p][q] = m[q][p] = 0;
}

/* The third axis is the middle moment, the first the one nearest to it. */
static void principal_order(principal *p)
{
    const double *m = p->moment;
    int low = 0, high = 0;
    for (int a = 1; a < 3; a++) {
        low = m[a] < m[low] ? a : low;
        high = m[a] >= m[high] ? a : high;
    }
    p->third = 3 - low - high;
    const bool low_first = 1 / m[low] - 1 / m[p->third] < 1 / m[p->third] - 1 / m[high];
    p->first = low_first ? low : high;
    p->second = low_first ? high : low;
    p->excess[0] = 1 / m[p->first] - 1 / m[p->third];
    p->excess[1] = 1 / m[p->second] - 1 / m[p->third];
}

principal principal_of(const double inertia[3][3])
{
    principal p = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double m[3][3];
    memcpy(m, inertia, sizeof m);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int a = 0; a < 3; a++)
            principal_rotate(m, p.axes, a, (a + 1) % 3);
    for (int a = 0; a < 3; a++)
        p.moment[a] = m[a][a];
    quaternion_of(p.axes, p.rotation);
    principal_order(&p);
    return p;
}

/* Multiplies what is along the world's axes by a function of the moments. */
static vec3 principal_apply(const principal *p, const double rotation[4], vec3 v, bool inverse)
{
    double turn[3][3], in[3] = {v.x, v.y, v.z}, out[3] = {0};
    quaternion_matrix(rotation, turn);
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0}, along = 0;
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++)
                axis[a] += turn[a][b] * p->axes[b][k];
            along += axis[a] * in[a];
        }
        along = inverse ? along / p->moment[k] : along * p->moment[k];
        for (int a = 0; a < 3; a++)
            out[a] += along * axis[a];
    }
    return vec3_of(out);
}

vec3 principal_momentum(const principal *p, const double rotation[4], vec3 spin)
{
    return principal_apply(p, rotation, spin, false);
}

vec3 principal_spin(const principal *p, const double rotation[4], vec3 momentum)
{
    return principal_apply(p, rotation, momentum, true);
}

/* Turns q about its own axis k by excess·L_k·seconds. */
static void turn_about(double q[4], int k, double excess, vec3 momentum, double seconds)
{
    double turn[3][3], axis[3];
    quaternion_matrix(q, turn);
    for (int a = 0; a < 3; a++)
        axis[a] = turn[a][k];
    const vec3 along = vec3_of(axis);
    const double angle = excess * vec3_dot(along, momentum) * seconds;
    quaternion_turn(q, vec3_scale(along, angle), q);
}

static void turn_split(const principal *p, vec3 momentum, double seconds, double q[4])
{
    turn_about(q, p->first, p->excess[0], momentum, seconds / 2);
    turn_about(q, p->second, p->excess[1], momentum, seconds);
    turn_about(q, p->first, p->excess[0], momentum, seconds / 2);
}

void principal_turn(const principal *p, vec3 momentum, double seconds, const double rotation[4], double out[4])
{
    static const double weight[4] = {0.784513610477560, 0.235573213359357, -1.17767998417887, 1.31518632068391};
    const double size = vec3_length(momentum) * fabs(seconds);
    double q[4];
    memcpy(out, rotation, sizeof q);
    if (size == 0)
        return;
    quaternion_product(rotation, p->rotation, q);
    const int steps = (int)fmin(ceil(sqrt(fabs(p->excess[0] * p->excess[1])) * size / STEP), 1e6);
    if (fabs(p->excess[0]) * size < NOTHING)
        turn_about(q, p->second, p->excess[1], momentum, seconds);
    else
        for (int n = 0; n < steps; n++)
            for (int k = -3; k <= 3; k++)
                turn_split(p, momentum, weight[3 - abs(k)] * seconds / steps, q);
    const double back[4] = {p->rotation[0], -p->rotation[1], -p->rotation[2], -p->rotation[3]};
    quaternion_turn(q, vec3_scale(momentum, seconds / p->moment[p->third]), q);
    quaternion_product(q, back, out);
}
