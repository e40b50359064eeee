/* Solids that move with a viscous liquid: against a dense matrix, and what no viscosity changes. */
#include "stress_solids_case.h"

#include <stdlib.h>
#include <string.h>

#include <freshet/base.h>

static domain box(int dims, int n)
{
    const double h = 1.0 / n;
    return (domain){.dims = dims, .n = {n, n, dims == 3 ? n : 1}, .h = {h, h, dims == 3 ? h : 1}};
}

static double rough_value(const void *context, const double x[3])
{
    const double *shift = context;
    return check_noise((uint64_t)(1e4 * (x[0] + 1)) * 7919 + (uint64_t)(1e4 * (x[1] + 1)) * 31 +
                       (uint64_t)(1e4 * (x[2] + 1))) +
           *shift;
}

/* The rigid motion of a ball on a face. */
static double ball_motion(const balls_case *b, int ball, int a, const double x[3])
{
    const double *v = b->solids.of[ball].motion.of, *centre = b->ball[ball].middle;
    const int e = (a + 1) % 3, f = (a + 2) % 3;
    return v[a] + v[3 + e] * (x[f] - centre[f]) - v[3 + f] * (x[e] - centre[e]);
}

typedef double (*face_value)(const balls_case *b, int a, const double x[3], bool *keep);

static double rough_flow(const balls_case *b, int a, const double x[3], bool *keep)
{
    (void)a;
    *keep = false;
    const double shift = 0.5;
    return balls_nearest(b, x) <= 0 ? ball_motion(b, balls_owner(b, x), a, x) : rough_value(&shift, x);
}

/* Sets all faces; those on the sides are still. */
static void set_flow(balls_case *b, face_value value)
{
    for (int a = 0; a < b->c.d.dims; a++) {
        field *f = &b->c.velocity[a];
        int at[3];
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++) {
                    double x[3];
                    bool keep = false;
                    case_position(&b->c, f, at, x);
                    const bool side = !b->c.d.periodic[a] && (at[a] == 0 || at[a] == b->c.d.n[a]);
                    const bool end = b->c.d.periodic[a] && at[a] == b->c.d.n[a];
                    int from[3] = {at[0], at[1], at[2]};
                    from[a] = end ? 0 : at[a];
                    float *to = field_row(f, at[1], at[2]) + at[0];
                    const double u = end ? (double)field_row(f, from[1], from[2])[from[0]] : value(b, a, x, &keep);
                    *to = keep ? *to : side ? 0 : (float)u;
                }
    }
}

static void set_motions(balls_case *b)
{
    const bool flat = b->c.d.dims == 2;
    for (int i = 0; i < b->count; i++)
        b->solids.of[i].motion = (stress_motion){
            {0.7 - i, -1 + 0.3 * i, flat ? 0 : 0.4, flat ? 0 : 2 + i, flat ? 0 : -1, 3 - 2 * i}};
}

/* The system as a dense matrix: unknowns are the free faces, by û, and then the motions. */
typedef struct dense {
    const balls_case *b;
    const stress_level *l; /* W and K where all solids are held */
    int *number[3];        /* of the faces: an unknown, −1 − ball, or FIXED */
    int faces, n;
    double *matrix, *right;
} dense;

enum { DENSE_FIXED = -1000 };

static void dense_number(dense *s)
{
    const domain *d = &s->b->c.d;
    s->faces = 0;
    for (int a = 0; a < d->dims; a++) {
        int at[3];
        s->number[a] = test_malloc(s->l->count * sizeof(int));
        for (size_t i = 0; i < s->l->count; i++)
            s->number[a][i] = DENSE_FIXED;
        for (at[2] = 0; at[2] < s->l->n[2]; at[2]++)
            for (at[1] = 0; at[1] < s->l->n[1]; at[1]++)
                for (at[0] = 0; at[0] < s->l->n[0]; at[0]++)
                    if (s->l->mass.of[a][stress_offset(s->l, at)] > 0)
                        s->number[a][stress_offset(s->l, at)] = s->faces++;
    }
    for (int r = 0; r < s->b->solids.row_count; r++) {
        const stress_faces *row = &s->b->solids.faces[r];
        for (int i = 0; i < row->count; i++)
            s->number[row->axis][stress_offset(s->l, row->first) + i] = -1 - row->solid;
    }
    s->n = s->faces + 6 * s->b->count;
}

/* A strain as a row of numbers; û_a of a face times a sign. */
static void dense_add(const dense *s, int a, const int at[3], double sign, double *row)
{
    const int number = s->number[a][stress_offset(s->l, at)];
    if (number >= 0)
        row[number] += sign;
    if (number >= 0 || number == DENSE_FIXED)
        return;
    const int ball = -1 - number, e = (a + 1) % 3, f = (a + 2) % 3;
    const double scale = sign * stress_scale(&s->b->c.d, a);
    double x[3], *to = row + s->faces + 6 * ball;
    case_position(&s->b->c, &s->b->c.velocity[a], at, x);
    to[a] += scale;
    to[3 + e] += scale * (x[f] - s->b->ball[ball].middle[f]);
    to[3 + f] -= scale * (x[e] - s->b->ball[ball].middle[e]);
}

static void dense_take(dense *s, const double *row, double k)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n && row[i] != 0; j++)
            s->matrix[i * s->n + j] += k * row[i] * row[j];
}

static void dense_strains(dense *s, const int at[3], double *row)
{
    const ptrdiff_t to = stress_offset(s->l, at);
    for (int a = 0; a < s->l->dims; a++) {
        int next[3] = {at[0], at[1], at[2]};
        next[a]++;
        memset(row, 0, (size_t)s->n * sizeof *row);
        if (s->l->normal.of[a][to] == 0)
            continue;
        dense_add(s, a, next, 1, row);
        dense_add(s, a, at, -1, row);
        dense_take(s, row, (double)s->l->normal.of[a][to]);
    }
    for (int c = s->l->dims == 2 ? 2 : 0; c < 3; c++) {
        const int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
        int below[3] = {at[0], at[1], at[2]}, before[3] = {at[0], at[1], at[2]};
        below[b]--;
        before[a]--;
        memset(row, 0, (size_t)s->n * sizeof *row);
        if (s->l->shear.of[c][to] == 0)
            continue;
        dense_add(s, a, at, 1, row);
        dense_add(s, a, below, -1, row);
        dense_add(s, b, at, 1, row);
        dense_add(s, b, before, -1, row);
        dense_take(s, row, (double)s->l->shear.of[c][to]);
    }
}

static void dense_masses(dense *s)
{
    const double volume = domain_cell_volume(&s->b->c.d);
    const field *u = s->b->c.velocity;
    int at[3];
    for (int a = 0; a < s->l->dims; a++)
        for (at[2] = 0; at[2] < s->l->n[2]; at[2]++)
            for (at[1] = 0; at[1] < s->l->n[1]; at[1]++)
                for (at[0] = 0; at[0] < s->l->n[0]; at[0]++) {
                    const int number = s->number[a][stress_offset(s->l, at)];
                    const double mass = (double)s->l->mass.of[a][stress_offset(s->l, at)];
                    if (number < 0)
                        continue;
                    s->matrix[number * s->n + number] += mass;
                    s->right[number] =
                        mass * stress_scale(&s->b->c.d, a) * (double)field_row(&u[a], at[1], at[2])[at[0]];
                }
    for (int i = 0; i < s->b->count; i++)
        for (int m = 0; m < 6; m++) {
            const stress_solid *solid = &s->b->solids.of[i];
            const int to = s->faces + 6 * i + m;
            const double mass = (m < 3 ? solid->mass : solid->inertia[m - 3][m - 3]) / volume;
            s->matrix[to * s->n + to] += mass;
            s->right[to] = mass * solid->motion.of[m];
        }
}

/* Cholesky; the answer is left in `right`. */
static void dense_solve(dense *s)
{
    double *m = s->matrix, *y = s->right;
    const int n = s->n;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = m[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= m[i * n + k] * m[j * n + k];
            m[i * n + j] = i == j ? sqrt(sum) : sum / m[j * n + j];
        }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            y[i] -= m[i * n + k] * y[k];
        y[i] /= m[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            y[i] -= m[k * n + i] * y[k];
        y[i] /= m[i * n + i];
    }
}

/* The exact answer for the case as it stands. */
static void dense_answer(dense *s, balls_case *b)
{
    *s = (dense){.b = b};
    b->c.problem.solids = NULL;
    stress_set(b->c.solver, &b->c.problem);
    b->c.problem.solids = &b->solids;
    s->l = &b->c.solver->level[0];
    dense_number(s);
    s->matrix = test_calloc((size_t)s->n * (size_t)s->n, sizeof(double));
    s->right = test_calloc((size_t)s->n, sizeof(double));
    double *row = test_calloc((size_t)s->n, sizeof(double));
    int at[3];
    for (at[2] = 0; at[2] < s->l->n[2]; at[2]++)
        for (at[1] = 0; at[1] < s->l->n[1]; at[1]++)
            for (at[0] = 0; at[0] < s->l->n[0]; at[0]++)
                dense_strains(s, at, row);
    dense_masses(s);
    test_free(row);
    dense_solve(s);
}

static void dense_destroy(dense *s)
{
    for (int a = 0; a < s->b->c.d.dims; a++)
        test_free(s->number[a]);
    test_free(s->matrix);
    test_free(s->right);
}

/* The largest difference between the dense answer and that of the solver. */
static double dense_compare(const dense *s)
{
    const balls_case *b = s->b;
    double worst = 0;
    int at[3];
    for (int a = 0; a < s->l->dims; a++)
        for (at[2] = 0; at[2] < s->l->n[2]; at[2]++)
            for (at[1] = 0; at[1] < s->l->n[1]; at[1]++)
                for (at[0] = 0; at[0] < s->l->n[0]; at[0]++) {
                    const int number = s->number[a][stress_offset(s->l, at)];
                    const double u = (double)field_row(&b->c.velocity[a], at[1], at[2])[at[0]];
                    double x[3];
                    case_position(&b->c, &b->c.velocity[a], at, x);
                    if (number >= 0)
                        worst = fmax(worst, fabs(u - s->right[number] / stress_scale(&b->c.d, a)));
                    else if (number != DENSE_FIXED)
                        worst = fmax(worst, fabs(u - ball_motion(b, -1 - number, a, x)));
                }
    for (int i = 0; i < b->count; i++)
        for (int m = 0; m < 6; m++)
            worst = fmax(worst, fabs(b->solids.of[i].motion.of[m] - s->right[s->faces + 6 * i + m]));
    return worst;
}

static double drop_distance(const void *context, const double x[3])
{
    const case_ball *drop = context;
    return case_ball_distance(drop, x);
}

/* One or two balls, in a full box or in a drop, in cells that are no cubes. */
static void against_dense(int dims, int count, bool drop, double viscosity)
{
    domain d = box(dims, dims == 3 ? 6 : 12);
    d.h[0] *= 1.1;
    d.h[1] *= 0.9;
    balls_case b = {0};
    const double z = dims == 3 ? 0.5 : 0;
    balls_add(&b, (double[3]){count == 2 ? 0.36 : 0.55, 0.42, z}, 0.19, 0.1);
    if (count == 2)
        balls_add(&b, (double[3]){0.77, 0.5, z}, 0.2, 30);
    balls_create(&d, viscosity, 1, &b);
    b.c.limits.tolerance = 1e-7;
    const case_ball whole = {{0.55, 0.45, z}, 0.44};
    if (drop)
        case_surface(&b.c, drop_distance, &whole);
    set_motions(&b);
    set_flow(&b, rough_flow);
    dense exact;
    dense_answer(&exact, &b);
    case_solve(&b.c);
    /* dry faces are not given back, so that in a drop only the solids can be compared */
    double worst = 0;
    for (int i = 0; i < b.count; i++)
        for (int m = 0; m < 6; m++)
            worst = fmax(worst, fabs(b.solids.of[i].motion.of[m] - exact.right[exact.faces + 6 * i + m]));
    assert_below(drop ? worst : dense_compare(&exact), 2e-5);
    dense_destroy(&exact);
    balls_destroy(&b);
}

static void test_the_answer_is_that_of_a_dense_matrix(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int count = 1; count <= 2; count++)
            for (int e = -4; e <= 2; e += 3)
                for (int drop = 0; drop < 2; drop++)
                    against_dense(dims, count, drop, pow(10, e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_answer_is_that_of_a_dense_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
