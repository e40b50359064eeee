/* Stable Fluids on a plain grid of cells hx × hy with centred velocities, in 2D (Stam 1999; Barroso & Celes, section
   3): what the river's classic scheme must become when its grid is plain. A channel: flow comes in at the left and goes
   out at the right at one speed, banks are above and below. Arrays have one layer of border cells. */
#ifndef TESTS_SUPPORT_PLAIN_FLUID_H
#define TESTS_SUPPORT_PLAIN_FLUID_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct plain_fluid {
    int n[2];
    int row;                     /* from one row to the next */
    float h[2], dt, density, viscosity;
    float speed, factor;         /* of what comes in; that banks leave of what flows along them */
    float force[2];
    int sweeps, viscous_sweeps;
    float *u[2], *spare[2];
    float *p, *other, *right;
} plain_fluid;

static float *plain_array(const plain_fluid *f)
{
    return calloc((size_t)f->row * (size_t)(f->n[1] + 2), sizeof(float));
}

static int plain_at(const plain_fluid *f, int i, int j) { return (i + 1) + f->row * (j + 1); }

static void plain_make(plain_fluid *f)
{
    f->row = f->n[0] + 2;
    for (int a = 0; a < 2; a++) {
        f->u[a] = plain_array(f);
        f->spare[a] = plain_array(f);
    }
    f->p = plain_array(f);
    f->other = plain_array(f);
    f->right = plain_array(f);
}

static void plain_free(plain_fluid *f)
{
    for (int a = 0; a < 2; a++) {
        free(f->u[a]);
        free(f->spare[a]);
    }
    free(f->p);
    free(f->other);
    free(f->right);
}

static void plain_border(const plain_fluid *f, float *u[2])
{
    for (int i = 0; i < f->n[0]; i++)
        for (int end = 0; end < 2; end++) {
            int to = plain_at(f, i, end ? f->n[1] : -1), from = plain_at(f, i, end ? f->n[1] - 1 : 0);
            u[0][to] = f->factor * u[0][from];
            u[1][to] = 0;
        }
    for (int j = -1; j <= f->n[1]; j++) {
        bool corner = j < 0 || j == f->n[1];
        u[0][plain_at(f, -1, j)] = u[0][plain_at(f, f->n[0], j)] = f->speed;
        u[1][plain_at(f, -1, j)] = 0;
        u[1][plain_at(f, f->n[0], j)] = corner ? 0 : u[1][plain_at(f, f->n[0] - 1, j)];
    }
}

static void plain_copy_border(const plain_fluid *f, float *p)
{
    for (int j = 0; j < f->n[1]; j++) {
        p[plain_at(f, -1, j)] = p[plain_at(f, 0, j)];
        p[plain_at(f, f->n[0], j)] = p[plain_at(f, f->n[0] - 1, j)];
    }
    memcpy(p, p + f->row, (size_t)f->row * sizeof *p);
    memcpy(p + plain_at(f, -1, f->n[1]), p + plain_at(f, -1, f->n[1] - 1), (size_t)f->row * sizeof *p);
}

/* Linear between the four centres around a place that is (x, y) cells from the centre (i, j), in the block or its
 * border. */
static float plain_value(const plain_fluid *f, const float *q, int i, int j, float x, float y)
{
    x = fminf(fmaxf(x, (float)(-1 - i)), (float)(f->n[0] - i));
    y = fminf(fmaxf(y, (float)(-1 - j)), (float)(f->n[1] - j));
    int left = (int)floorf(x), below = (int)floorf(y);
    if (i + left == f->n[0])
        left--;
    if (j + below == f->n[1])
        below--;
    float s = x - ((float)left + 0.5f), t = y - ((float)below + 0.5f);
    const float *at = q + plain_at(f, i + left, j + below);
    float low = at[0] * (0.5f - s) + at[1] * (0.5f + s), high = at[f->row] * (0.5f - s) + at[f->row + 1] * (0.5f + s);
    float value = low * (0.5f - t) + high * (0.5f + t);
    float least = fminf(fminf(at[0], at[1]), fminf(at[f->row], at[f->row + 1])),
          most = fmaxf(fmaxf(at[0], at[1]), fmaxf(at[f->row], at[f->row + 1]));
    return fminf(fmaxf(value, least), most);
}

/* Eq. 4. */
static void plain_advect(const plain_fluid *f, float *const from[2], float *to[2])
{
    for (int j = 0; j < f->n[1]; j++)
        for (int i = 0; i < f->n[0]; i++) {
            int at = plain_at(f, i, j);
            float x = -f->dt * from[0][at] / f->h[0], y = -f->dt * from[1][at] / f->h[1];
            for (int a = 0; a < 2; a++)
                to[a][at] = plain_value(f, from[a], i, j, x, y);
        }
}

/* A sweep of eq. 6 and 8 over one row: (neighbours + b·f)/(b + 2/hx² + 2/hy²). */
static inline void plain_sweep_row(const float *restrict x, const float *restrict f, float *restrict to, int n, int row,
                                   const float k[2], float b)
{
    float share = 1 / (b + 2 * (k[0] + k[1]));
    for (int i = 0; i < n; i++)
        to[i] = ((x[i + 1] + x[i - 1]) * k[0] + (x[i + row] + x[i - row]) * k[1] + f[i]) * share;
}

static void plain_sweep(const plain_fluid *f, const float *x, const float *right, float b, float *to)
{
    float k[2] = {1 / (f->h[0] * f->h[0]), 1 / (f->h[1] * f->h[1])};
    for (int j = 0; j < f->n[1]; j++)
        plain_sweep_row(x + plain_at(f, 0, j), right + plain_at(f, 0, j), to + plain_at(f, 0, j), f->n[0], f->row, k,
                        b);
}

static void plain_diffuse(plain_fluid *f)
{
    float b = 1 / (f->viscosity * f->dt), *right[2] = {plain_array(f), plain_array(f)};
    size_t count = (size_t)f->row * (size_t)(f->n[1] + 2);
    for (int a = 0; a < 2; a++)
        for (size_t c = 0; c < count; c++)
            right[a][c] = b * f->u[a][c];
    plain_border(f, f->u);
    for (int q = 0; q < f->viscous_sweeps; q++) {
        for (int a = 0; a < 2; a++) {
            plain_sweep(f, f->u[a], right[a], b, f->spare[a]);
            float *swap = f->u[a];
            f->u[a] = f->spare[a];
            f->spare[a] = swap;
        }
        plain_border(f, f->u);
    }
    free(right[0]);
    free(right[1]);
}

/* Eq. 7 to 9. Outside p is in Pa with mean 0. */
static void plain_project(plain_fluid *f)
{
    float pascal = f->density / f->dt, per_pascal = f->dt / f->density;
    plain_border(f, f->u);
    for (int j = 0; j < f->n[1]; j++)
        for (int i = 0; i < f->n[0]; i++) {
            int at = plain_at(f, i, j);
            f->right[at] = -(0.5f * (f->u[0][at + 1] - f->u[0][at - 1]) / f->h[0] +
                             0.5f * (f->u[1][at + f->row] - f->u[1][at - f->row]) / f->h[1]);
            f->p[at] *= per_pascal;
        }
    plain_copy_border(f, f->p);
    for (int q = 0; q < f->sweeps; q++) {
        plain_sweep(f, f->p, f->right, 0, f->other);
        plain_copy_border(f, f->other);
        float *swap = f->p;
        f->p = f->other;
        f->other = swap;
    }
    double sum = 0;
    for (int j = 0; j < f->n[1]; j++) {
        double in_row = 0;
        for (int i = 0; i < f->n[0]; i++) {
            int at = plain_at(f, i, j);
            f->u[0][at] -= 0.5f * (f->p[at + 1] - f->p[at - 1]) / f->h[0];
            f->u[1][at] -= 0.5f * (f->p[at + f->row] - f->p[at - f->row]) / f->h[1];
            in_row += (double)f->p[at];
        }
        sum += in_row;
    }
    float mean = (float)((double)pascal * (sum / (f->n[0] * f->n[1])));
    for (int j = 0; j < f->n[1]; j++)
        for (int i = 0; i < f->n[0]; i++)
            f->p[plain_at(f, i, j)] = pascal * f->p[plain_at(f, i, j)] - mean;
}

/* Eq. 3. */
static void plain_step(plain_fluid *f)
{
    for (int a = 0; a < 2; a++)
        for (int j = 0; j < f->n[1]; j++)
            for (int i = 0; i < f->n[0]; i++)
                f->u[a][plain_at(f, i, j)] += f->dt * f->force[a];
    plain_border(f, f->u);
    plain_advect(f, f->u, f->spare);
    for (int a = 0; a < 2; a++) {
        float *swap = f->u[a];
        f->u[a] = f->spare[a];
        f->spare[a] = swap;
    }
    if (f->viscosity > 0)
        plain_diffuse(f);
    plain_project(f);
}

#endif
