/* The parts of the multigrid solver, compared with their definitions on tiny grids. */
#include "poisson_case.h"

#include "grid/poisson/lattice_sweep.h"
#include "grid/poisson/lattice_transfer.h"
#include "grid/poisson/parts.h"

enum { MOST = 40000 };

static void to_vector(const domain *d, const lattice *l, const double *from, const lattice_vector *to)
{
    CASE_EACH(d, i, j, k)
    to->of[lattice_colour(i, j, k)][lattice_slot(l, i, j, k)] = (float)from[(k * d->n[1] + j) * d->n[0] + i];
}

static double of_vector(const lattice *l, const lattice_vector *v, const int at[3])
{
    return (double)v->of[lattice_colour(at[0], at[1], at[2])][lattice_slot(l, at[0], at[1], at[2])];
}

static bool is_live(const lattice *l, int i, int j, int k)
{
    return l->flags[lattice_colour(i, j, k)][lattice_slot(l, i, j, k)] & FLAG_LIVE;
}

static void random_vector(const lattice *l, const lattice_vector *v, uint32_t *seed)
{
    CASE_EACH(l, i, j, k)
    v->of[lattice_colour(i, j, k)][lattice_slot(l, i, j, k)] = is_live(l, i, j, k) ? case_unit(seed) - 0.5f : 0;
}

static double dot(const lattice *l, const lattice_vector *a, const lattice_vector *b)
{
    double sum = 0;
    CASE_EACH(l, i, j, k)
    sum += of_vector(l, a, (int[3]){i, j, k}) * of_vector(l, b, (int[3]){i, j, k});
    return sum;
}

static bool hole_solid(const domain *d, const int c[3])
{
    double r2 = 0;
    for (int a = 0; a < d->dims; a++)
        r2 += pow((c[a] + 0.5) / d->n[a] - 0.45, 2);
    return r2 < 0.05;
}

/* Weights and extras of every kind. */
static void mixed_case(poisson_case *c, domain d, int kind)
{
    uint32_t seed = 7;
    case_create(c, d);
    if (kind >= 1)
        case_close(c, hole_solid);
    for (int a = 0; a < d.dims && kind >= 2; a++)
        for (size_t i = 0; i < c->w[a].count; i++)
            if (case_random(&seed) % 4 == 0)
                c->w[a].block[i] = case_random(&seed) % 2 ? case_unit(&seed) : 0;
    if (kind >= 3)
        case_open_side(c, 1, true);
}

static const domain shapes[] = {
    {.dims = 3, .n = {64, 12, 9}, .h = {1, 1, 1}},
    {.dims = 3, .n = {7, 5, 3}, .h = {1, 1, 1}},
    {.dims = 3, .n = {34, 6, 1}, .h = {1, 1, 1}},
    {.dims = 3, .n = {1, 1, 40}, .h = {1, 1, 1}},
    {.dims = 3, .n = {66, 8, 6}, .h = {1, 1, 1}, .periodic = {true, true, true}},
    {.dims = 3, .n = {9, 7, 5}, .h = {1, 1, 1}, .periodic = {true, true, true}},
    {.dims = 3, .n = {40, 16, 8}, .h = {1, 1, 10}},
    {.dims = 3, .n = {40, 16, 8}, .h = {10, 1, 1}, .periodic = {true, false, true}},
    {.dims = 2, .n = {70, 31, 1}, .h = {1, 1, 1}},
    {.dims = 2, .n = {35, 32, 1}, .h = {1, 1, 1}, .periodic = {true, true, false}},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], KINDS = 4 };

static poisson *solver_of(poisson_case *c)
{
    poisson *s;
    assert_int_equal(poisson_create(&c->d, false, &s), FR_OK);
    poisson_set_operator(s, &c->op);
    return s;
}

static void matches_definition(void **state)
{
    (void)state;
    static double x[MOST];
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int kind = 0; kind < KINDS; kind++) {
            poisson_case c;
            mixed_case(&c, shapes[shape], kind);
            poisson *s = solver_of(&c);
            uint32_t seed = 3;
            for (int64_t i = 0; i < domain_cells(&c.d); i++)
                x[i] = (double)(case_unit(&seed) - 0.5f);
            to_vector(&c.d, &s->level[0], x, &s->p);
            lattice_product product = {&s->level[0], &s->p, &s->level[0].x, s->partial[0]};
            lattice_apply_renew(&product);
            lattice_for(product.l, lattice_apply_strip, &product);
            CASE_EACH(&c.d, i, j, k)
            {
                int at[3] = {i, j, k};
                double want = case_apply(&c, x, at), got = of_vector(&s->level[0], &s->level[0].x, at);
                if (fabs(want - got) > 1e-5 * c.op.coefficient[0] + 1e-5 * c.op.coefficient[2])
                    fail_msg("shape %d kind %d cell %d %d %d: %g, not %g", shape, kind, i, j, k, got, want);
            }
            poisson_destroy(s);
            case_destroy(&c);
        }
    }
}

/* (P u, v) = (u, Pᵀ v) on every pair of levels, with v the residual for x = 0. */
static void transfers_are_adjoint(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int kind = 0; kind < KINDS; kind++) {
            poisson_case c;
            mixed_case(&c, shapes[shape], kind);
            poisson *s = solver_of(&c);
            uint32_t seed = 11;
            for (int level = 0; level + 1 < s->levels; level++) {
                lattice *f = &s->level[level], *g = &s->level[level + 1];
                random_vector(f, &f->b, &seed);
                CASE_EACH(f, i, j, k)
                {
                    f->x.of[lattice_colour(i, j, k)][lattice_slot(f, i, j, k)] = 0;
                    if (!f->clash && lattice_colour(i, j, k) == 1)
                        f->b.of[1][lattice_slot(f, i, j, k)] = 0;
                }
                lattice_restrict(f, g);
                random_vector(g, &g->x, &seed);
                double right = dot(g, &g->x, &g->b), size = sqrt(dot(g, &g->x, &g->x) * dot(g, &g->b, &g->b));
                lattice_pair pair = {f, g};
                lattice_prolong_renew(&pair);
                lattice_for(f, lattice_prolong_strip, &pair);
                double left = dot(f, &f->x, &f->b);
                if (fabs(left - right) > 1e-5 * size + 1e-7)
                    fail_msg("shape %d kind %d level %d: %g and %g", shape, kind, level, left, right);
            }
            poisson_destroy(s);
            case_destroy(&c);
        }
    }
}

/* (M u, v) = (u, M v) and (M u, u) > 0. */
static void cycle_is_symmetric(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int kind = 0; kind < KINDS; kind++) {
            poisson_case c;
            mixed_case(&c, shapes[shape], kind);
            poisson *s = solver_of(&c);
            lattice *l = &s->level[0];
            uint32_t seed = 5, again;
            random_vector(l, &s->p, &seed);
            again = seed;
            random_vector(l, &l->b, &seed);
            double vv = poisson_cycle(s);
            double left = dot(l, &l->x, &s->p);
            memcpy(l->b.of[0] - l->origin, s->p.of[0] - l->origin, 2 * (size_t)l->slots * sizeof(float));
            double uu = poisson_cycle(s);
            random_vector(l, &s->p, &again);
            double right = dot(l, &l->x, &s->p);
            if (fabs(left - right) > 1e-4 * sqrt(uu * vv) || !(uu > 0) || !(vv > 0))
                fail_msg("shape %d kind %d: %g and %g; %g %g", shape, kind, left, right, uu, vv);
            poisson_destroy(s);
            case_destroy(&c);
        }
    }
}

/* Slabs and the wedges between them give the bits that one thread gives, and so do the shares of the set-up. */
static void slabs_leave_no_trace(void **state)
{
    (void)state;
    const domain large[] = {{.dims = 3, .n = {61, 48, 57}, .h = {1, 1, 1}},
                            {.dims = 2, .n = {300, 800, 1}, .h = {1, 1, 1}}};
    for (int shape = 0; shape < 2; shape++) {
        for (int kind = 0; kind < KINDS; kind++) {
            poisson_case c;
            mixed_case(&c, large[shape], kind);
            poisson *s[2];
            for (int threads = 1; threads <= 5; threads++) {
                int which = threads > 1;
                uint32_t seed = 5;
                fr_set_threads(threads);
                s[which] = solver_of(&c);
                lattice *l = &s[which]->level[0], *one = &s[0]->level[0];
                random_vector(l, &l->b, &seed);
                poisson_cycle(s[which]);
                size_t bytes = 2 * (size_t)l->slots * sizeof(float);
                assert_int_equal(s[which]->closed.number, s[0]->closed.number);
                assert_memory_equal(l->e.of[0] - l->origin, one->e.of[0] - l->origin, bytes);
                assert_memory_equal(l->x.of[0] - l->origin, one->x.of[0] - l->origin, bytes);
                if (which)
                    poisson_destroy(s[1]);
            }
            poisson_destroy(s[0]);
            case_destroy(&c);
        }
    }
    fr_set_threads(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_definition),
        cmocka_unit_test(transfers_are_adjoint),
        cmocka_unit_test(cycle_is_symmetric),
        cmocka_unit_test(slabs_leave_no_trace),
    };
    fr_set_threads(1); /* most of the systems are too small to share */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
