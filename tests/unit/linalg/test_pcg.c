/* Conjugate gradients and the V-cycle on small systems. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "linalg/multigrid.h"
#include "linalg/pcg.h"

enum { N = 50 };

/* −x'' = b with x = 0 at both ends, preconditioned by the diagonal. */
typedef struct chain {
    double b[N], x[N], r[N], z[N], p[N], q[N];
    pcg_norms right;
    double drift;      /* added to the recursive residual, as rounding would */
    int replaced;
    int n;
} chain;

static double chain_at(const double *v, int n, int i) { return i < 0 || i >= n ? 0 : v[i]; }

static double chain_product(const double *v, int n, int i)
{
    return 2 * v[i] - chain_at(v, n, i - 1) - chain_at(v, n, i + 1);
}

static pcg_norms chain_norms(const double *v, int n)
{
    pcg_norms norms = {0};
    for (int i = 0; i < n; i++) {
        norms.l2 += v[i] * v[i];
        norms.max = fabs(v[i]) > norms.max ? fabs(v[i]) : norms.max;
    }
    norms.l2 = sqrt(norms.l2);
    return norms;
}

static pcg_norms chain_residual(void *context)
{
    chain *c = context;
    for (int i = 0; i < c->n; i++)
        c->r[i] = c->b[i] - chain_product(c->x, c->n, i);
    c->right = chain_norms(c->b, c->n);
    c->replaced++;
    return chain_norms(c->r, c->n);
}

static double chain_precondition(void *context)
{
    chain *c = context;
    double zr = 0;
    for (int i = 0; i < c->n; i++) {
        c->z[i] = c->r[i] / 2;
        zr += c->z[i] * c->r[i];
    }
    return zr;
}

static double chain_nothing(void *context)
{
    (void)context;
    return 0;
}

static double chain_direction(void *context, double beta)
{
    chain *c = context;
    double pq = 0;
    for (int i = 0; i < c->n; i++)
        c->p[i] = beta != 0 ? c->z[i] + beta * c->p[i] : c->z[i];
    for (int i = 0; i < c->n; i++) {
        c->q[i] = chain_product(c->p, c->n, i);
        pq += c->p[i] * c->q[i];
    }
    return pq;
}

static pcg_norms chain_step(void *context, double alpha)
{
    chain *c = context;
    for (int i = 0; i < c->n; i++) {
        c->x[i] += alpha * c->p[i];
        c->r[i] -= alpha * (1 + c->drift) * c->q[i];
    }
    return chain_norms(c->r, c->n);
}

static pcg_system chain_system(chain *c)
{
    memset(c, 0, sizeof *c);
    c->n = N;
    for (int i = 0; i < N; i++)
        c->b[i] = sin(0.37 * i * i);
    return (pcg_system){.context = c, .right = &c->right, .residual = chain_residual,
                        .precondition = chain_precondition, .direction = chain_direction, .step = chain_step};
}

static void ends_within_n_steps(void **state)
{
    (void)state;
    chain c;
    pcg_system s = chain_system(&c);
    solve_stats stats = pcg_solve(&s, &(solve_limits){.tolerance = 1e-10, .max_iterations = 100});
    assert_true(stats.converged && stats.iterations <= N && stats.residual <= 1e-10);
    for (int i = 0; i < N; i++)
        assert_true(fabs(c.b[i] - chain_product(c.x, N, i)) < 1e-9);
}

/* The recursive residual lies; only the true one counts. */
static void trusts_the_true_residual(void **state)
{
    (void)state;
    chain c;
    pcg_system s = chain_system(&c);
    c.drift = 1e-4;
    solve_stats stats = pcg_solve(&s, &(solve_limits){.tolerance = 1e-8, .max_iterations = 1000});
    assert_true(stats.converged && stats.residual <= 1e-8 && c.replaced > 2);
    pcg_norms r = chain_residual(&c);
    assert_true(r.max <= 1e-8 * c.right.max);
}

static void keeps_limits(void **state)
{
    (void)state;
    chain c;
    pcg_system s = chain_system(&c);
    solve_stats stats = pcg_solve(&s, &(solve_limits){.tolerance = 1e-10, .max_iterations = 3});
    assert_true(!stats.converged && stats.iterations == 3 && stats.residual > 1e-10);
    s = chain_system(&c);
    stats = pcg_solve(&s, &(solve_limits){.absolute = 0.5, .max_iterations = 100});
    assert_true(stats.converged && stats.iterations < N);
    s = chain_system(&c);
    memset(c.b, 0, sizeof c.b);
    stats = pcg_solve(&s, &(solve_limits){.tolerance = 1e-10, .max_iterations = 3});
    assert_true(stats.converged && stats.iterations == 0 && stats.residual == 0);
}

static void stops_at_trouble(void **state)
{
    (void)state;
    chain c;
    pcg_system s = chain_system(&c);
    c.b[3] = NAN;
    solve_stats stats = pcg_solve(&s, &(solve_limits){.tolerance = 1e-6, .max_iterations = 100});
    assert_true(!stats.converged && isnan(stats.residual) && stats.iterations == 0);
    s = chain_system(&c);
    s.precondition = chain_nothing;
    stats = pcg_solve(&s, &(solve_limits){.tolerance = 1e-6, .max_iterations = 100});
    assert_true(!stats.converged && stats.iterations == 0 && stats.residual == 1);
    s = chain_system(&c);
    s.patience = 3;
    for (int i = 0; i < N; i++)
        c.b[i] = 1; /* the front moves a cell per iteration: no halving in three */
    stats = pcg_solve(&s, &(solve_limits){.tolerance = 1e-6, .max_iterations = 100});
    assert_true(!stats.converged && stats.iterations < 20);
}

/* Writes down the order of the calls. */
static void note(void *context, char what, int level)
{
    char *log = context;
    size_t length = strlen(log);
    log[length] = what;
    log[length + 1] = (char)('0' + level);
    log[length + 2] = 0;
}
static void note_down(void *context, int level) { note(context, 'd', level); }
static void note_up(void *context, int level) { note(context, 'u', level); }
static void note_coarsest(void *context, int level) { note(context, 'c', level); }

static void cycle_has_the_shape_of_a_v(void **state)
{
    (void)state;
    char log[100] = "";
    multigrid m = {log, 3, note_down, note_coarsest, note_up};
    multigrid_cycle(&m);
    assert_string_equal(log, "d0d1c2u1u0");
    log[0] = 0;
    m.levels = 1;
    multigrid_cycle(&m);
    assert_string_equal(log, "c0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_within_n_steps), cmocka_unit_test(trusts_the_true_residual),
        cmocka_unit_test(keeps_limits),        cmocka_unit_test(stops_at_trouble),
        cmocka_unit_test(cycle_has_the_shape_of_a_v),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
