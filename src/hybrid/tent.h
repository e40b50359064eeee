/* The tent k(s) = ½ − ¼|s| of radius 2, and what it sees of a half space that ends at the distance d. */
#ifndef FR_HYBRID_TENT_H
#define FR_HYBRID_TENT_H

#include <math.h>

/* The share of the tent that lies in the liquid. */
static inline double tent_share(double d)
{
    double beyond = 2 - fmin(fabs(d), 2), less = beyond * beyond / 8;
    return d > 0 ? less : 1 - less;
}

/* How far the centroid of the liquid is from the tent's centre. */
static inline double tent_centroid(double d)
{
    double away = fmin(fabs(d), 2), moment = 1 / 3.0 - away * away / 4 + away * away * away / 12;
    return d >= 2 ? 2 : moment / tent_share(d);
}

/* d from the share, and from the centroid: tables, −2 … 2. */
enum { TENT_STEPS = 64 };
typedef struct tent_inverse {
    float share[TENT_STEPS + 2];    /* of shares 0 … 1 */
    float centroid[TENT_STEPS + 2]; /* of centroids 0 … 2 */
} tent_inverse;

/* d with rising · of(d) = value, for a monotonic function. */
static inline double tent_solve(double (*of)(double), double rising, double value)
{
    double low = -2, high = 2;
    for (int i = 0; i < 40; i++) {
        double middle = 0.5 * (low + high);
        if (rising * of(middle) < rising * value)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static inline void tent_invert(tent_inverse *t)
{
    for (int i = 0; i < TENT_STEPS + 2; i++) {
        t->share[i] = (float)tent_solve(tent_share, -1, fmin(i, TENT_STEPS) / TENT_STEPS);
        t->centroid[i] = (float)tent_solve(tent_centroid, 1, 2 * fmin(i, TENT_STEPS) / TENT_STEPS);
    }
}

/* Looks up 0 ≤ at ≤ 1 of a table. */
static inline float tent_look(const float *table, float at)
{
    float place = fminf(at, 1) * TENT_STEPS;
    int i = (int)place;
    return table[i] + (place - (float)i) * (table[i + 1] - table[i]);
}

#endif
