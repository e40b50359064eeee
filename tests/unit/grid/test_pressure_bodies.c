/* Bodies in the pressure system, against a dense reference in double: the residual, and what the pressure does to the
   bodies; closed parts that pistons compress, rows that hold, free surfaces, open sides, 2D and 3D. Then how many
   iterations it takes, and that threads leave no trace. */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "support/check.h"
#include "support/pressed_cases.h"

/* The whole system: n cells, and K less what rows take off it for all degrees of freedom of all bodies. */
typedef struct dense {
    int n, freedoms;
    double *matrix, *push, *inverse;   /* n × n; freedoms × n; freedoms × freedoms */
    double *right, *answer;
} dense;

static double *dense_make(int rows, int columns) { return calloc((size_t)rows * (size_t)columns, sizeof(double)); }

static void dense_destroy(dense *m)
{
    free(m->matrix);
    free(m->push);
    free(m->inverse);
    free(m->right);
    free(m->answer);
}

/* Solves a x = b for a symmetric matrix ≥ 0, by elimination with the greatest pivot of the diagonal; unknowns whose
   pivot is rounding are 0. Spoils both; x comes in b. Returns how many were left out. */
static int dense_solve(double *a, double *b, int n)
{
    int *order = malloc((size_t)n * sizeof *order), rank = 0;
    double most = 0;
    bool *done = calloc((size_t)n, sizeof *done);
    for (int i = 0; i < n; i++)
        most = fmax(most, a[i * n + i]);
    for (; rank < n; rank++) {
        int best = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (best < 0 || a[i * n + i] > a[best * n + best]))
                best = i;
        if (a[best * n + best] < 1e-10 * most)
            break;
        done[order[rank] = best] = true;
        for (int r = 0; r < n; r++) {
            const double factor = done[r] ? 0 : a[r * n + best] / a[best * n + best];
            for (int c = 0; c < n && factor != 0; c++)
                a[r * n + c] -= factor * a[best * n + c];
            b[r] -= factor * b[best];
        }
    }
    for (int i = 0; i < n; i++)
        b[i] = done[i] ? b[i] : 0;
    for (int at = rank - 1; at >= 0; at--) {
        const int i = order[at];
        for (int later = at + 1; later < rank; later++)
            b[i] -= a[i * n + order[later]] * b[order[later]];
        b[i] /= a[i * n + i];
    }
    free(order);
    free(done);
    return n - rank;
}

static int cell_of(const pressed *t, int i, int j, int k) { return i + t->d.n[0] * (j + t->d.n[1] * k); }

static bool is_wet(const pressed *t, int i, int j, int k)
{
    return !t->g.surface || *pressed_at(&t->surface, i, j, k) < 0;
}

/* A of one cell: faces to liquid, the surface, open sides. */
static void dense_add_cell(const pressed *t, dense *m, const int at[3])
{
    const int own = cell_of(t, at[0], at[1], at[2]);
    for (int face = 0; face < 2 * t->d.dims && is_wet(t, at[0], at[1], at[2]); face++) {
        const int a = face / 2;
        int f[3] = {at[0], at[1], at[2]}, o[3] = {at[0], at[1], at[2]};
        f[a] += face % 2;
        o[a] += face % 2 ? 1 : -1;
        const bool side = o[a] < 0 || o[a] == t->d.n[a];
        const double w = (double)*pressed_at(&t->open[a], f[0], f[1], f[2]);
        if (side && t->d.periodic[a]) {
            o[a] = o[a] < 0 ? t->d.n[a] - 1 : 0;
        } else if (side) {
            m->matrix[own * m->n + own] += t->g.open_side[face] ? 2 * w : 0;
            continue;
        }
        const double own_phi = (double)*pressed_at(&t->surface, at[0], at[1], at[2]);
        const double other_phi = (double)*pressed_at(&t->surface, o[0], o[1], o[2]);
        const bool joined = is_wet(t, o[0], o[1], o[2]);
        m->matrix[own * m->n + own] += joined ? w : w / fmax(1e-9, own_phi / (own_phi - other_phi));
        if (joined)
            m->matrix[own * m->n + cell_of(t, o[0], o[1], o[2])] -= w;
    }
}

/* K = M⁻¹ − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹. */
static void dense_hold(const pressed *t, dense *m, const poisson_row *rows, int count)
{
    const int n = m->freedoms;
    for (int q = 0; q < t->count; q++)
        for (int a = 0; a < 6; a++)
            for (int c = 0; c < 6; c++)
                m->inverse[(6 * q + a) * n + 6 * q + c] =
                    t->mover[q].push[a] && t->mover[q].push[c] ? t->mover[q].inverse[a][c] : 0;
    double *jk = dense_make(count, n), *held = dense_make(count, count), *column = dense_make(count, 1);
    double *copy = dense_make(count, count), *taken = dense_make(n, n);
    for (int r = 0; r < count; r++)
        for (int side = 0; side < 2; side++)
            for (int a = 0; a < 6 && rows[r].body[side] >= 0; a++)
                for (int c = 0; c < n; c++)
                    jk[r * n + c] += rows[r].row[side][a] * m->inverse[(6 * rows[r].body[side] + a) * n + c];
    for (int r = 0; r < count; r++)
        for (int s = 0; s < count; s++)
            for (int side = 0; side < 2; side++)
                for (int a = 0; a < 6 && rows[s].body[side] >= 0; a++)
                    held[r * count + s] += jk[r * n + 6 * rows[s].body[side] + a] * rows[s].row[side][a];
    for (int c = 0; c < n && count; c++) {
        memcpy(copy, held, (size_t)count * (size_t)count * sizeof *held);
        for (int r = 0; r < count; r++)
            column[r] = jk[r * n + c];
        dense_solve(copy, column, count);
        for (int a = 0; a < n; a++)
            for (int r = 0; r < count; r++)
                taken[a * n + c] += jk[r * n + a] * column[r];
    }
    for (int i = 0; i < n * n; i++)
        m->inverse[i] -= taken[i];
    free(jk);
    free(held);
    free(column);
    free(copy);
    free(taken);
}

/* Cᵀ x. */
static void dense_gather(const dense *m, const double *x, double *force)
{
    for (int a = 0; a < m->freedoms; a++) {
        force[a] = 0;
        for (int i = 0; i < m->n; i++)
            force[a] += m->push[a * m->n + i] * x[i];
    }
}

/* K times a force. */
static void dense_multiply(const dense *m, const double *force, double *motion)
{
    for (int a = 0; a < m->freedoms; a++) {
        motion[a] = 0;
        for (int c = 0; c < m->freedoms; c++)
            motion[a] += m->inverse[a * m->freedoms + c] * force[c];
    }
}

static dense dense_of(const pressed *t, const poisson_row *rows, int count)
{
    const int low[3] = {0, 0, 0};
    dense m = {.n = t->d.n[0] * t->d.n[1] * t->d.n[2], .freedoms = 6 * t->count};
    m.matrix = dense_make(m.n, m.n);
    m.push = dense_make(m.freedoms, m.n);
    m.inverse = dense_make(m.freedoms, m.freedoms);
    m.right = dense_make(m.n, 1);
    m.answer = dense_make(m.n, 1);
    PRESSED_EACH(low, t->d.n, i, j, k)
    {
        dense_add_cell(t, &m, (int[3]){i, j, k});
        m.right[cell_of(t, i, j, k)] = (double)*pressed_at(&t->b, i, j, k);
    }
    for (int q = 0; q < t->count; q++)
        for (int c = 0; c < t->mover[q].count; c++)
            for (int a = 0; a < 6; a++) {
                const int cell = t->mover[q].cell[c];
                if (t->mover[q].push[a] && m.matrix[cell * m.n + cell] > 0)
                    m.push[(6 * q + a) * m.n + cell] = (double)t->mover[q].push[a][c];
            }
    dense_hold(t, &m, rows, count);
    for (int cell = 0; cell < m.n; cell++)
        m.right[cell] = m.matrix[cell * m.n + cell] > 0 ? m.right[cell] : 0;
    double *moved = dense_make(m.freedoms, m.n);
    for (int a = 0; a < m.freedoms; a++)
        for (int c = 0; c < m.freedoms; c++)
            for (int i = 0; i < m.n && m.inverse[a * m.freedoms + c] != 0; i++)
                moved[a * m.n + i] += m.inverse[a * m.freedoms + c] * m.push[c * m.n + i];
    for (int a = 0; a < m.freedoms; a++)
        for (int i = 0; i < m.n; i++)
            for (int c = 0; c < m.n && m.push[a * m.n + i] != 0; c++)
                m.matrix[i * m.n + c] += m.push[a * m.n + i] * moved[a * m.n + c];
    free(moved);
    return m;
}

/* What is compared: the residual, and the bodies' velocities, relative to the greatest of either; what the rounding of
   the answer to float may add to the residual; unknowns that the matrix does not see. */
typedef struct dense_errors {
    double residual, motion, rounding;
    int nulls;
} dense_errors;

static dense_errors dense_compare(const pressed *t, dense *m)
{
    const int low[3] = {0, 0, 0};
    double *x = dense_make(m->n, 1), *copy = dense_make(m->n, m->n), *v[4], most = 0, largest = 0;
    dense_errors e = {0};
    for (int q = 0; q < 4; q++)
        v[q] = dense_make(m->freedoms, 1);
    PRESSED_EACH(low, t->d.n, i, j, k)
    x[cell_of(t, i, j, k)] = (double)*pressed_at(&t->x, i, j, k);
    memcpy(copy, m->matrix, (size_t)m->n * (size_t)m->n * sizeof *copy);
    memcpy(m->answer, m->right, (size_t)m->n * sizeof *m->answer);
    e.nulls = dense_solve(copy, m->answer, m->n);
    for (int i = 0; i < m->n; i++) {
        double r = m->right[i], sizes = 0;
        for (int c = 0; c < m->n; c++) {
            r -= m->matrix[i * m->n + c] * x[c];
            sizes += fabs(m->matrix[i * m->n + c] * x[c]);
        }
        e.rounding = fmax(e.rounding, 6e-8 * sizes);
        largest = fmax(largest, fabs(m->right[i]));
        e.residual = fmax(e.residual, fabs(r));
    }
    dense_gather(m, m->answer, v[0]);
    dense_multiply(m, v[0], v[1]);
    for (int q = 0; q < t->count; q++)
        projection_push(t->p, q, v[2] + 6 * q);
    dense_multiply(m, v[2], v[3]);
    for (int a = 0; a < m->freedoms; a++)
        most = fmax(most, fabs(v[1][a]));
    for (int a = 0; a < m->freedoms; a++)
        e.motion = fmax(e.motion, fabs(v[1][a] - v[3][a]) / most);
    e.residual /= largest;
    e.rounding /= largest;
    for (int q = 0; q < 4; q++)
        free(v[q]);
    free(x);
    free(copy);
    return e;
}

/* Solves, and compares; returns the iterations. */
static int check_against_dense(pressed *t, const char *name, projection_solver solver, const poisson_row *rows,
                               int count)
{
    assert_ok(projection_reserve_bodies(t->p, t->count, pressed_cells(t), count));
    projection_build(t->p, &t->g, &t->work);
    assert_int_equal(projection_set_bodies(t->p, t->mover, t->count, rows, count), count);
    solve_stats stats = pressed_solve(t, solver, 1e-6, false);
    dense m = dense_of(t, rows, count);
    dense_errors e = dense_compare(t, &m);
    print_message("%-34s %3d iterations, residual %.1e (rounding %.1e, says %.1e), velocities %.1e off, %d null\n",
                  name, stats.iterations, e.residual, e.rounding, stats.residual, e.motion, e.nulls);
    assert_true(stats.converged);
    assert_below(e.residual, 1.2e-6 + e.rounding);
    assert_below(e.motion, 2e-5);
    dense_destroy(&m);
    return stats.iterations;
}

static void make(pressed *t, int dims, int nx, int ny, int nz)
{
    const domain d = {.dims = dims, .n = {nx, ny, nz}, .h = {1, 1, 1}};
    assert_true(pressed_make(t, &d, PRESSED_ROOM));
}

/* A surface that slopes. */
static void flood(pressed *t, double level)
{
    t->g.surface = &t->surface;
    for (int k = t->d.dims == 3 ? -1 : 0; k < t->d.n[2] + (t->d.dims == 3); k++)
        for (int j = -1; j <= t->d.n[1]; j++)
            for (int i = -1; i <= t->d.n[0]; i++)
                *pressed_at(&t->surface, i, j, k) = (float)(j + 0.5 - level - 0.13 * i + 0.07 * k);
}

static pressed_body block(double x, double y, double z, double a, double b, double c, double density)
{
    return pressed_box((double[3]){x, y, z}, (double[3]){a, b, c}, density);
}

static void check_scene(int dims, int scene, double density, projection_solver solver)
{
    const char *const names[] = {"closed", "open side", "free surface", "surface, open side", "overlapping"};
    char name[64];
    pressed t;
    uint32_t seed = 5;
    const double z = dims == 3 ? 3.6 : 0;
    make(&t, dims, dims == 3 ? 10 : 24, dims == 3 ? 9 : 19, dims == 3 ? 7 : 1);
    t.g.open_side[FR_RIGHT] = scene == 1 || scene == 3;
    if (scene >= 2)
        flood(&t, dims == 3 ? 6.7 : 12.2);
    if (dims == 3) {
        t.body[t.count++] = pressed_ball(3.2, 4.1, z, 1.6, density);
        t.body[t.count++] = block(7.1, scene == 4 ? 4.3 : 4.9, z, 1.3, 0.9, 1.4, 3 * density);
    } else {
        t.body[t.count++] = pressed_ball(6.2, 8.1, z, 3.1, density);
        t.body[t.count++] = block(14.1, 6.3, z, 3.2, 1.4, 0, 3 * density);
        t.body[t.count++] = block(18.4, scene == 4 ? 7.3 : 13.3, z, 2.2, 1.7, 0, 0.2 * density);
    }
    for (int q = 1; q < t.count; q++)
        pressed_turn(&t.body[q], dims, &seed);
    pressed_put(&t);
    pressed_load(&t, 1, 3);
    snprintf(name, sizeof name, "%dD, %s, %g%s", dims, names[scene], density, solver == PROJECTION_CG ? ", CG" : "");
    check_against_dense(&t, name, solver, NULL, 0);
    pressed_destroy(&t);
}

static void test_bodies_match_the_dense_system(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int scene = 0; scene < 5; scene++) {
            check_scene(dims, scene, 0.01, PROJECTION_MULTIGRID);
            check_scene(dims, scene, 2, PROJECTION_MULTIGRID);
        }
    check_scene(2, 2, 0.1, PROJECTION_CG);
    check_scene(3, 0, 0.1, PROJECTION_CG);
}

/* A piston between two chambers, in one that is open, and two pistons: only the sum over what they join is lost. Water
   that is gravity's alone hangs on a plug that can move as it does itself. */
static void test_pistons_compress(void **state)
{
    (void)state;
    const char *const names[] = {"plug", "plug, open to the right", "two pistons", "plug that is held", "plug, CG"};
    for (int scene = 0; scene < 5; scene++) {
        pressed t;
        make(&t, 3, 17, 6, 5);
        t.g.open_side[FR_RIGHT] = scene == 1;
        t.body[t.count++] = block(5, 3, 2.5, 2, 3.5, 3, 0.05);
        if (scene == 2)
            t.body[t.count++] = block(12, 3, 2.5, 1, 3.5, 3, 0.02);
        pressed_put(&t);
        pressed_load(&t, 1, 3);
        const poisson_row hold = {.body = {0, -1}, .row = {{1, 0.3, 0, 0, 0, 0}}};
        if (scene == 3) /* then either chamber is closed: what it cannot take is not there */
            for (int side = 0; side < 2; side++) {
                double sum = 0;
                int cells = 0;
                const int low[3] = {side ? 7 : 0, 0, 0}, high[3] = {side ? 17 : 3, 6, 5};
                PRESSED_EACH(low, high, i, j, k)
                {
                    sum += (double)*pressed_at(&t.b, i, j, k);
                    cells++;
                }
                PRESSED_EACH(low, high, i, j, k)
                *pressed_at(&t.b, i, j, k) -= (float)(sum / cells);
            }
        const int iterations = check_against_dense(&t, names[scene], scene == 4 ? PROJECTION_CG : PROJECTION_MULTIGRID,
                                                   &hold, scene == 3);
        assert_true(scene == 4 || iterations <= 15);
        pressed_destroy(&t);
    }
}

/* What no motion of a piston balances is taken off evenly, from both chambers that it joins. */
static void test_what_cannot_be_balanced_is_taken_off(void **state)
{
    (void)state;
    pressed t;
    make(&t, 2, 20, 5, 1);
    t.body[t.count++] = block(8, 2.5, 0, 2, 3, 0, 0.05);
    pressed_put(&t);
    pressed_load(&t, 0.5, 3);
    *pressed_at(&t.b, 1, 1, 0) += 5;
    assert_ok(projection_reserve_bodies(t.p, 1, pressed_cells(&t), 0));
    projection_build(t.p, &t.g, &t.work);
    projection_set_bodies(t.p, t.mover, 1, NULL, 0);
    solve_stats stats = pressed_solve(&t, PROJECTION_MULTIGRID, 1e-6, false);
    dense m = dense_of(&t, NULL, 0);
    double off = 0;
    const int low[3] = {0, 0, 0};
    for (int i = 0; i < m.n; i++)
        off += m.right[i];
    off /= 80; /* cells */
    double worst = 0;
    PRESSED_EACH(low, t.d.n, i, j, k)
    {
        const int own = cell_of(&t, i, j, k);
        double r = m.right[own] - (m.matrix[own * m.n + own] > 0 ? off : 0);
        PRESSED_EACH(low, t.d.n, a, c, e)
        r -= m.matrix[own * m.n + cell_of(&t, a, c, e)] * (double)*pressed_at(&t.x, a, c, e);
        worst = fmax(worst, fabs(r));
    }
    print_message("5 too much, %g off in each cell: %d iterations, residual %.1e\n", off, stats.iterations, worst / 5);
    assert_true(stats.converged);
    assert_below(worst, 1e-5);
    dense_destroy(&m);
    pressed_destroy(&t);
}

/* Three boxes that press on each other and on the bottom, one of the rows twice; then other rows, and on from there. */
static void test_rows_hold(void **state)
{
    (void)state;
    pressed t;
    make(&t, 2, 22, 24, 1);
    flood(&t, 19.3);
    for (int q = 0; q < 3; q++)
        t.body[t.count++] = block(8 + 0.7 * q, 3.1 + 4.9 * q, 0, 3.1, 1.7, 0, 0.02 * (q + 1));
    pressed_put(&t);
    pressed_load(&t, 1, 3);
    const poisson_row rows[] = {{{0, -1}, {{0, 1, 0, 0, 0, -2.5}}},
                                {{0, -1}, {{0, 1, 0, 0, 0, 2.5}}},
                                {{1, 0}, {{0, 1, 0, 0, 0, -1.5}, {0, -1, 0, 0, 0, 0.8}}},
                                {{1, 0}, {{0, 1, 0, 0, 0, 2}, {0, -1, 0, 0, 0, -2.7}}},
                                {{1, 0}, {{0, 2, 0, 0, 0, 4}, {0, -2, 0, 0, 0, -5.4}}},
                                {{2, 1}, {{1, 0, 0, 0, 0, 0.4}, {-1, 0, 0, 0, 0, 0.4}}}};
    check_against_dense(&t, "2D, six rows", PROJECTION_MULTIGRID, rows, 6);
    assert_int_equal(projection_set_rows(t.p, rows, 3), 3);
    solve_stats stats = pressed_solve(&t, PROJECTION_MULTIGRID, 1e-6, true);
    dense m = dense_of(&t, rows, 3);
    dense_errors e = dense_compare(&t, &m);
    print_message("three of them, going on: %d iterations, velocities %.1e off\n", stats.iterations, e.motion);
    assert_true(stats.converged);
    assert_below(e.residual, 1.2e-6 + e.rounding);
    assert_below(e.motion, 2e-5);
    dense_destroy(&m);
    pressed_destroy(&t);
}

/* Bodies that are in the air, that nothing moves, and that have no freedom: the answer is that without them. */
static void test_bodies_that_do_not_move_change_nothing(void **state)
{
    (void)state;
    pressed t;
    field plain;
    make(&t, 3, 20, 18, 14);
    flood(&t, 8);
    t.body[t.count++] = pressed_ball(8, 14.5, 7, 2, 0.1);
    t.body[t.count++] = pressed_ball(12, 5, 7, 2.2, 0.1);
    pressed_put(&t);
    pressed_load(&t, 1, 3);
    memset(t.mover[1].inverse, 0, sizeof t.mover[1].inverse);
    assert_ok(projection_reserve_bodies(t.p, 2, pressed_cells(&t), 0));
    assert_ok(field_create(&t.d, FR_AT_CELL, &plain));
    projection_build(t.p, &t.g, &t.work);
    solve_stats before = pressed_solve(&t, PROJECTION_MULTIGRID, 1e-6, false);
    field_copy(&plain, &t.x);
    projection_set_bodies(t.p, t.mover, 2, NULL, 0);
    solve_stats after = pressed_solve(&t, PROJECTION_MULTIGRID, 1e-6, false);
    assert_int_equal(before.iterations, after.iterations);
    for (int k = 0; k < t.d.n[2]; k++)
        for (int j = 0; j < t.d.n[1]; j++)
            assert_memory_equal(pressed_at(&plain, 0, j, k), pressed_at(&t.x, 0, j, k), 20 * sizeof(float));
    double force[6];
    projection_push(t.p, 0, force);
    assert_true(force[0] == 0 && force[1] == 0 && force[2] == 0);
    projection_push(t.p, 1, force);
    assert_true(force[1] != 0);
    field_destroy(&plain);
    pressed_destroy(&t);
}

static const pressed_case *find_case(const char *name)
{
    for (size_t c = 0; c < sizeof pressed_cases / sizeof *pressed_cases; c++)
        if (!strcmp(pressed_cases[c].name, name))
            return &pressed_cases[c];
    fail_msg("no case %s", name);
    return NULL;
}

static solve_stats solve_case(pressed *t, const char *name, int size, bool *converged_plain)
{
    const pressed_case *c = find_case(name);
    make(t, 3, size, size, size);
    c->fill(t, c->density);
    pressed_put(t);
    pressed_load(t, 0.5, 5);
    assert_ok(projection_reserve_bodies(t->p, t->count, pressed_cells(t), 0));
    projection_build(t->p, &t->g, &t->work);
    *converged_plain = pressed_solve(t, PROJECTION_MULTIGRID, 1e-6, false).converged;
    projection_set_bodies(t->p, t->mover, t->count, NULL, 0);
    return pressed_solve(t, PROJECTION_MULTIGRID, 1e-6, false);
}

/* Bodies a hundred times lighter than the fluid, and others; alone they would take up to 140 iterations. */
static void test_light_bodies_take_few_iterations(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int most;
    } limits[] = {{"1 ball", 11},   {"10", 13},     {"50", 14},       {"200", 14},      {"10 heavier", 9},
                  {"50, 0.05", 13}, {"50, 11", 9},  {"plug", 13},     {"bent", 15},     {"pistons", 14},
                  {"big ball", 12}, {"plates", 17}, {"touching", 17}, {"floating", 14}, {"slender", 13}};
    for (size_t c = 0; c < sizeof limits / sizeof *limits; c++) {
        pressed t;
        bool plain;
        solve_stats stats = solve_case(&t, limits[c].name, 48, &plain);
        print_message("%-12s %d iterations, residual %.1e\n", limits[c].name, stats.iterations, stats.residual);
        assert_true(plain && stats.converged);
        if (stats.iterations > limits[c].most)
            fail_msg("%s: %d iterations", limits[c].name, stats.iterations);
        pressed_destroy(&t);
    }
}

/* The same bits for any number of threads, also where many bodies share cells, and after other bodies. */
static void test_threads_leave_no_trace(void **state)
{
    (void)state;
    const char *const names[] = {"touching", "pistons", "slender", "enclosing"};
    for (int c = 0; c < 4; c++) {
        pressed t;
        field first;
        bool plain;
        fr_set_threads(1);
        const int alone = solve_case(&t, names[c], 32, &plain).iterations;
        assert_ok(field_create(&t.d, FR_AT_CELL, &first));
        field_copy(&first, &t.x);
        for (int threads = 2; threads <= 5; threads++) {
            fr_set_threads(threads);
            projection_set_bodies(t.p, t.mover + 1, t.count - 1, NULL, 0);
            pressed_solve(&t, PROJECTION_MULTIGRID, 1e-2, false);
            projection_set_bodies(t.p, t.mover, t.count, NULL, 0);
            assert_int_equal(pressed_solve(&t, PROJECTION_MULTIGRID, 1e-6, false).iterations, alone);
            for (int k = 0; k < 32; k++)
                for (int j = 0; j < 32; j++)
                    assert_memory_equal(pressed_at(&first, 0, j, k), pressed_at(&t.x, 0, j, k), 32 * sizeof(float));
        }
        fr_set_threads(1);
        field_destroy(&first);
        pressed_destroy(&t);
    }
}

/* Sixty bodies in one place couple more than there is room for: some go without fields, and the answer is the same. */
static void test_a_crowd_is_solved_nevertheless(void **state)
{
    (void)state;
    pressed t;
    make(&t, 2, 26, 22, 1);
    flood(&t, 18);
    uint32_t seed = 9;
    for (int q = 0; q < 60; q++) {
        t.body[t.count++] = block(9 + 5 * pressed_unit(&seed), 6 + 4 * pressed_unit(&seed), 0, 3, 1.2, 0, 0.3);
        pressed_turn(&t.body[q], 2, &seed);
    }
    pressed_put(&t);
    pressed_load(&t, 1, 3);
    check_against_dense(&t, "sixty in one place", PROJECTION_MULTIGRID, NULL, 0);
    pressed_destroy(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_match_the_dense_system),
        cmocka_unit_test(test_pistons_compress),
        cmocka_unit_test(test_what_cannot_be_balanced_is_taken_off),
        cmocka_unit_test(test_rows_hold),
        cmocka_unit_test(test_bodies_that_do_not_move_change_nothing),
        cmocka_unit_test(test_a_crowd_is_solved_nevertheless),
        cmocka_unit_test(test_threads_leave_no_trace),
        cmocka_unit_test(test_light_bodies_take_few_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
