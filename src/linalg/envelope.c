#include "linalg/envelope.h"

#include <math.h>

size_t envelope_lay_out(envelope *e)
{
    ptrdiff_t count = 0;
    for (int i = 0; i < e->n; i++) {
        e->row[i] = count - e->first[i];
        count += i - e->first[i] + 1;
    }
    return (size_t)count;
}

typedef double envelope_four __attribute__((vector_size(32), aligned(8), may_alias));

/* Σ a b, in a fixed order. */
static double envelope_dot(const double *a, const double *b, int n)
{
    envelope_four s0 = {0}, s1 = {0};
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        s0 += *(const envelope_four *)(a + i) * *(const envelope_four *)(b + i);
        s1 += *(const envelope_four *)(a + i + 4) * *(const envelope_four *)(b + i + 4);
    }
    s0 += s1;
    double sum = (s0[0] + s0[1]) + (s0[2] + s0[3]);
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void envelope_factor(envelope *e, const double *floor)
{
    for (int i = 0; i < e->n; i++) {
        double *own = e->value + e->row[i];
        const int first = e->first[i];
        for (int j = first; j < i; j++) {
            const double *other = e->value + e->row[j];
            const int from = first > e->first[j] ? first : e->first[j];
            own[j] = (own[j] - envelope_dot(own + from, other + from, j - from)) * e->inverse[j];
        }
        double pivot = own[i] - envelope_dot(own + first, own + first, i - first);
        e->inverse[i] = pivot > floor[i] ? 1 / sqrt(pivot) : 0;
        own[i] = sqrt(pivot > 0 ? pivot : 0);
    }
}

void envelope_solve(const envelope *e, double *x)
{
    for (int i = 0; i < e->n; i++) {
        const double *own = e->value + e->row[i];
        const int first = e->first[i];
        x[i] = (x[i] - envelope_dot(own + first, x + first, i - first)) * e->inverse[i];
    }
    for (int i = e->n - 1; i >= 0; i--) {
        const double *own = e->value + e->row[i];
        x[i] *= e->inverse[i];
        for (int j = e->first[i]; j < i; j++)
            x[j] -= own[j] * x[i];
    }
}
