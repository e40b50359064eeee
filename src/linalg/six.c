#include "linalg/six.h"

#include <math.h>
#include <stdbool.h>

void six_add(double m[6][6], const double first[6], const double slope[6], const double sum[3])
{
    for (int p = 0; p < 6; p++)
        for (int q = 0; q < 6; q++)
            m[p][q] += first[p] * first[q] * sum[0] + (first[p] * slope[q] + slope[p] * first[q]) * sum[1] +
                       slope[p] * slope[q] * sum[2];
}

void six_factor(double m[6][6])
{
    for (int j = 0; j < 6; j++) {
        double whole = m[j][j], rest = whole;
        for (int k = 0; k < j; k++)
            rest -= m[j][k] * m[j][k];
        bool has = rest > 1e-9 * whole && whole > 0;
        m[j][j] = has ? sqrt(rest) : 0;
        for (int i = j + 1; i < 6; i++) {
            for (int k = 0; k < j; k++)
                m[i][j] -= m[i][k] * m[j][k];
            m[i][j] = has ? m[i][j] / m[j][j] : 0;
        }
    }
}

void six_solve(const double m[6][6], double y[6])
{
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < i; k++)
            y[i] -= m[i][k] * y[k];
        y[i] = m[i][i] > 0 ? y[i] / m[i][i] : 0;
    }
    for (int i = 5; i >= 0; i--) {
        y[i] = m[i][i] > 0 ? y[i] / m[i][i] : 0;
        for (int k = 0; k < i; k++)
            y[k] -= m[i][k] * y[i];
    }
}

double six_times(const double m[6][6], const double x[6], double out[6])
{
    double product = 0;
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int j = 0; j < 6; j++)
            sum += m[i][j] * x[j];
        out[i] = sum;
        product += x[i] * sum;
    }
    return product;
}
