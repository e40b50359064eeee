/* The coarsest level, by Cholesky's factors in double precision. */
#include <math.h>

#include "grid/stress/parts.h"

/* The number of an unknown, −1 where there is none; x of the level is scratch for the numbers. */
static int direct_number(const stress_level *l, int a, ptrdiff_t at)
{
    return l->inverse.of[a][at] > 0 ? (int)l->x.of[a][at] : -1;
}

static bool direct_count(stress *s)
{
    stress_level *l = &s->level[s->levels - 1];
    int count = 0;
    for (int a = 0; a < l->dims; a++) {
        s->place_start[a] = count;
        for (int r = 0; r < l->run_count; r++)
            for (ptrdiff_t at = l->runs[r].at; at < l->runs[r].at + l->runs[r].n; at++) {
                if (!(l->inverse.of[a][at] > 0))
                    continue;
                if (count == STRESS_DIRECT)
                    return false;
                l->x.of[a][at] = (float)count;
                s->place[count++] = at;
            }
    }
    for (int a = l->dims; a < 4; a++)
        s->place_start[a] = count;
    return true;
}

/* A strain: K and the unknowns it is the sum of, with their signs. */
typedef struct direct_strain {
    double k;
    int count;
    int unknown[6];
    double sign[6];
} direct_strain;

static void direct_take(const stress_level *l, direct_strain *e, int a, ptrdiff_t at, double sign)
{
    int number = direct_number(l, a, at);
    if (number < 0)
        return;
    e->unknown[e->count] = number;
    e->sign[e->count++] = sign;
}

static void direct_add(stress *s, const direct_strain *e)
{
    int n = s->place_start[3];
    for (int i = 0; i < e->count; i++)
        for (int j = 0; j < e->count; j++)
            s->factor[e->unknown[i] * n + e->unknown[j]] += e->k * e->sign[i] * e->sign[j];
}

/* All strains that the sample holds. In the Laplacian form a shear strain is two. */
static void direct_add_sample(stress *s, const stress_level *l, ptrdiff_t at)
{
    for (int a = 0; a < l->dims; a++) {
        direct_strain e = {.k = l->normal.of[a][at]};
        direct_take(l, &e, a, at + l->stride[a], 1);
        direct_take(l, &e, a, at, -1);
        direct_add(s, &e);
    }
    direct_strain divergence = {.k = l->bulk[at]};
    for (int a = 0; a < l->dims; a++) {
        direct_take(l, &divergence, a, at + l->stride[a], l->spread[a]);
        direct_take(l, &divergence, a, at, -l->spread[a]);
    }
    direct_add(s, &divergence);
    for (int c = l->dims == 2 ? 2 : 0; c < 3; c++) {
        int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
        direct_strain e = {.k = l->shear.of[c][at]};
        direct_take(l, &e, a, at, 1);
        direct_take(l, &e, a, at - l->stride[b], -1);
        if (!l->coupled) {
            direct_add(s, &e);
            e.count = 0;
        }
        direct_take(l, &e, b, at, 1);
        direct_take(l, &e, b, at - l->stride[a], -1);
        direct_add(s, &e);
    }
}

static void direct_decompose(double *m, int n)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            m[j * n + j] -= m[j * n + k] * m[j * n + k];
        m[j * n + j] = sqrt(m[j * n + j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++)
                m[i * n + j] -= m[i * n + k] * m[j * n + k];
            m[i * n + j] /= m[j * n + j];
        }
    }
}

void stress_factor(stress *s)
{
    const stress_level *l = &s->level[s->levels - 1];
    stress_clear(l, &l->x);
    if (!direct_count(s)) {
        s->place_start[3] = 0;
        return;
    }
    stress_wrap(l, &l->x);
    stress_wrap(l, &l->inverse);
    int n = s->place_start[3];
    for (int i = 0; i < n * n; i++)
        s->factor[i] = 0;
    for (int a = 0; a < l->dims; a++)
        for (int i = s->place_start[a]; i < s->place_start[a + 1]; i++)
            s->factor[i * n + i] = l->mass.of[a][s->place[i]];
    int at[3];
    for (at[2] = 0; at[2] < l->n[2]; at[2]++)
        for (at[1] = 0; at[1] < l->n[1]; at[1]++)
            for (at[0] = 0; at[0] < l->n[0]; at[0]++)
                direct_add_sample(s, l, stress_offset(l, at));
    direct_decompose(s->factor, n);
    stress_clear(l, &l->x);
}

void stress_solve_coarsest(stress *s)
{
    const stress_level *l = &s->level[s->levels - 1];
    int n = s->place_start[3];
    double *y = s->solution;
    const double *m = s->factor;
    for (int a = 0; a < l->dims; a++)
        for (int i = s->place_start[a]; i < s->place_start[a + 1]; i++)
            y[i] = l->b.of[a][s->place[i]];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            y[i] -= m[i * n + k] * y[k];
        y[i] /= m[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        y[i] /= m[i * n + i];
        for (int k = 0; k < i; k++)
            y[k] -= m[i * n + k] * y[i];
    }
    for (int a = 0; a < l->dims; a++)
        for (int i = s->place_start[a]; i < s->place_start[a + 1]; i++)
            l->x.of[a][s->place[i]] = (float)y[i];
}
