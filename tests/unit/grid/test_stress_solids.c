/* Solids that move with a viscous liquid: against a dense matrix, and what no viscosity changes. */
#include "stress_solids_case.h"

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

typedef double (*face_value)(const balls_case *b, int a, const double x[3]);

static double rough_flow(const balls_case *b, int a, const double x[3])
{
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
                    case_position(&b->c, f, at, x);
                    const bool side = !b->c.d.periodic[a] && (at[a] == 0 || at[a] == b->c.d.n[a]);
                    field_row(f, at[1], at[2])[at[0]] = side ? 0 : (float)value(b, a, x);
                }
    }
}

static void set_motions(balls_case *b)
{
    const bool flat = b->c.d.dims == 2;
    for (int i = 0; i < b->count; i++)
        b->solids.of[i].motion =
            (stress_motion){{0.7 - i, -1 + 0.3 * i, flat ? 0 : 0.4, flat ? 0 : 2 + i, flat ? 0 : -1, 3 - 2 * i}};
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
        if (!s->l->coupled) {
            dense_take(s, row, (double)s->l->shear.of[c][to]);
            memset(row, 0, (size_t)s->n * sizeof *row);
        }
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

/* Keeps the difference of the first two balls' velocities along x, as a rod does. */
static void dense_rod(dense *s)
{
    const double stiff = 1e11;
    const int one = s->faces, other = s->faces + 6;
    if (!s->b->solids.hold)
        return;
    const double apart = s->b->solids.of[0].motion.of[0] - s->b->solids.of[1].motion.of[0];
    s->matrix[one * s->n + one] += stiff;
    s->matrix[one * s->n + other] -= stiff;
    s->matrix[other * s->n + one] -= stiff;
    s->matrix[other * s->n + other] += stiff;
    s->right[one] += stiff * apart;
    s->right[other] -= stiff * apart;
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
    dense_rod(s);
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

/* The nearest changes that keep the difference along x: what an impulse along the rod does. */
static void rod_hold(void *context, stress_motion *change)
{
    const balls_case *b = context;
    const double one = b->solids.of[0].mass, other = b->solids.of[1].mass;
    const double both = (one * change[0].of[0] + other * change[1].of[0]) / (one + other);
    change[0].of[0] = change[1].of[0] = both;
}

/* One or two balls in cells that are no cubes. */
typedef struct dense_case {
    int dims, count;
    double viscosity;
    bool drop; /* else the box is full */
    bool rod;
    stress_form form;
} dense_case;

/* Dry faces are not given back, so that in a drop only the solids can be compared. */
static double dense_worst(const dense *exact, bool drop)
{
    double worst = drop ? 0 : dense_compare(exact);
    for (int i = 0; i < exact->b->count; i++)
        for (int m = 0; m < 6; m++)
            worst = fmax(worst, fabs(exact->b->solids.of[i].motion.of[m] - exact->right[exact->faces + 6 * i + m]));
    return worst;
}

static void against_dense(const dense_case *of)
{
    domain d = box(of->dims, of->dims == 3 ? 6 : 12);
    d.h[0] *= 1.1;
    d.h[1] *= 0.9;
    balls_case b = {0};
    const double z = of->dims == 3 ? 0.5 : 0;
    const case_ball whole = {{0.55, 0.45, z}, 0.44};
    balls_add(&b, (double[3]){of->count == 2 ? 0.36 : 0.55, 0.42, z}, 0.19, 0.1);
    if (of->count == 2)
        balls_add(&b, (double[3]){0.77, 0.5, z}, 0.2, 30);
    balls_create(&d, of->viscosity, 1, &b);
    b.c.problem.form = of->form;
    b.c.limits.tolerance = 1e-7;
    if (of->drop)
        case_surface(&b.c, drop_distance, &whole);
    if (of->rod) {
        b.solids.hold = rod_hold;
        b.solids.context = &b;
        b.solids.of[0].held = b.solids.of[1].held = true;
    }
    set_motions(&b);
    set_flow(&b, rough_flow);
    dense exact;
    dense_answer(&exact, &b);
    case_solve(&b.c);
    assert_below(dense_worst(&exact, of->drop), 2e-5);
    dense_destroy(&exact);
    balls_destroy(&b);
}

static void test_the_answer_is_that_of_a_dense_matrix(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int e = -4; e <= 2; e += 3) {
            dense_case of = {.dims = dims, .viscosity = pow(10, e)};
            for (of.count = 1; of.count <= 2; of.count++) {
                against_dense(&of);
                of.drop = true;
                against_dense(&of);
                of.drop = false;
            }
            of.count = 2;
            of.rod = true;
            against_dense(&of);
            of.rod = false;
            of.form = STRESS_LAPLACIAN;
            against_dense(&of);
        }
}

/* What a solve has changed, by the solver's own numbers: linear and angular momentum about the origin, and energy. */
typedef struct gains {
    double all[6], energy;
    double moved; /* the sum of all that went from one face to another */
} gains;

static bool is_of_ball(const balls_case *b, int a, const int at[3])
{
    const field *f = &b->c.velocity[a];
    return b->marks[a][field_row(f, at[1], at[2]) + at[0] - f->block] == DIFFUSION_FIXED;
}

static void gains_of_liquid(const balls_case *b, gains *g)
{
    const stress *s = b->c.solver;
    const stress_level *l = &s->level[0];
    const double volume = domain_cell_volume(&b->c.d);
    int at[3];
    for (int a = 0; a < l->dims; a++)
        for (at[2] = 0; at[2] < b->c.velocity[a].size[2]; at[2]++)
            for (at[1] = 0; at[1] < b->c.velocity[a].size[1]; at[1]++)
                for (at[0] = 0; at[0] < b->c.velocity[a].size[0]; at[0]++) {
                    const ptrdiff_t to = stress_offset(l, at);
                    const int e = (a + 1) % 3, f = (a + 2) % 3;
                    const double scale = stress_scale(&b->c.d, a), mass = (double)l->mass.of[a][to] * scale * scale;
                    if (!(mass > 0) || is_of_ball(b, a, at))
                        continue;
                    double x[3], more = s->change[a][to] / scale;
                    const double now = (double)field_row(&b->c.velocity[a], at[1], at[2])[at[0]];
                    case_position(&b->c, &b->c.velocity[a], at, x);
                    g->all[a] += volume * mass * more;
                    g->all[3 + e] += volume * mass * more * x[f];
                    g->all[3 + f] -= volume * mass * more * x[e];
                    g->moved += volume * mass * fabs(more);
                    g->energy += volume * mass * more * (now - 0.5 * more);
                }
}

static gains gains_of(const balls_case *b, const stress_motion *before)
{
    gains g = {.energy = 0};
    gains_of_liquid(b, &g);
    for (int i = 0; i < b->count; i++) {
        const stress_solid *solid = &b->solids.of[i];
        double push[3];
        for (int a = 0; a < 3; a++) {
            const double turn = solid->motion.of[3 + a] - before[i].of[3 + a];
            push[a] = solid->mass * (solid->motion.of[a] - before[i].of[a]);
            g.all[a] += push[a];
            g.all[3 + a] += solid->inertia[a][a] * turn;
            g.energy += 0.5 * solid->mass * (pow(solid->motion.of[a], 2) - pow(before[i].of[a], 2));
            g.energy += 0.5 * solid->inertia[a][a] * (pow(solid->motion.of[3 + a], 2) - pow(before[i].of[3 + a], 2));
        }
        for (int a = 0; a < 3; a++) {
            const int e = (a + 1) % 3, f = (a + 2) % 3;
            g.all[3 + a] += solid->centre[e] * push[f] - solid->centre[f] * push[e];
        }
    }
    return g;
}

/* Balls in a drop in flight. */
static void drop_create(int dims, double viscosity, double density, balls_case *b)
{
    const domain d = box(dims, dims == 3 ? 28 : 32);
    static const case_ball whole = {{0.51, 0.48, 0.5}, 0.33};
    static const case_ball flat = {{0.51, 0.48, 0}, 0.33};
    *b = (balls_case){0};
    balls_add(b, (double[3]){0.4, 0.47, dims == 3 ? 0.5 : 0}, 0.12, density);
    balls_add(b, (double[3]){0.65, 0.54, dims == 3 ? 0.47 : 0}, 0.1, 3 * density);
    balls_create(&d, viscosity, 0.01, b);
    case_surface(&b->c, drop_distance, dims == 3 ? &whole : &flat);
    set_motions(b);
    set_flow(b, rough_flow);
}

static void keep_motions(const balls_case *b, stress_motion *to)
{
    for (int i = 0; i < b->count; i++)
        to[i] = b->solids.of[i].motion;
}

/* Whatever the liquid loses the balls gain, to rounding: more of that is seen where they are far heavier than what they
   move. Energy only falls. */
static void test_momentum_goes_from_the_liquid_to_the_balls(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int e = -3; e <= 4; e++)
            for (double density = 0.01; density < 2e4; density *= 1e3) {
                balls_case b;
                stress_motion before[2];
                drop_create(dims, pow(10, e), density, &b);
                b.c.limits.tolerance = 1e-4;
                keep_motions(&b, before);
                case_solve(&b.c);
                const gains g = gains_of(&b, before);
                for (int m = 0; m < 6; m++)
                    assert_near(g.all[m], 0, (density > 100 ? 1e-5 : 1e-6) * g.moved);
                assert_true(g.energy < 0);
                balls_destroy(&b);
            }
}

/* The flow of a drop and of the balls in it that all turn as one. */
static double turning_flow(const balls_case *b, int a, const double x[3])
{
    (void)b;
    static const double shift[3] = {0.3, -1, 0.2}, spin[3] = {0, 0, 3};
    const int e = (a + 1) % 3, f = (a + 2) % 3;
    return shift[a] + spin[e] * (x[f] - 0.5) - spin[f] * (x[e] - 0.5);
}

/* What turns as one has no stress, and goes on as it is: no viscosity does anything. */
static void test_what_turns_as_one_goes_on(void **state)
{
    (void)state;
    for (int e = -3; e <= 5; e += 2) {
        balls_case b;
        drop_create(2, pow(10, e), 5, &b);
        for (int i = 0; i < b.count; i++) {
            const double *x = b.ball[i].middle;
            b.solids.of[i].motion = (stress_motion){{turning_flow(&b, 0, x), turning_flow(&b, 1, x), 0, 0, 0, 3}};
        }
        set_flow(&b, turning_flow);
        stress_motion before[2];
        keep_motions(&b, before);
        case_solve(&b.c);
        for (int i = 0; i < b.count; i++)
            for (int m = 0; m < 6; m++)
                assert_near(b.solids.of[i].motion.of[m], before[i].of[m], 3e-6);
        balls_destroy(&b);
    }
}

/* Balls in a drop of stiff wax go as one with it: momentum and spin of all decide how. */
static void test_balls_in_stiff_wax_move_as_one_with_it(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (double density = 0.01; density < 200; density *= 100) {
            balls_case b;
            drop_create(dims, 1e5, density, &b);
            b.c.limits.tolerance = 1e-5;
            case_solve(&b.c);
            const double *one = b.solids.of[0].motion.of, *other = b.solids.of[1].motion.of;
            double way[3];
            for (int a = 0; a < 3; a++)
                way[a] = b.ball[1].middle[a] - b.ball[0].middle[a];
            for (int a = 0; a < 3; a++) {
                const int e = (a + 1) % 3, f = (a + 2) % 3;
                assert_near(other[a], one[a] + one[3 + e] * way[f] - one[3 + f] * way[e], 1e-3);
                assert_near(other[3 + a], one[3 + a], 5e-3);
            }
            balls_destroy(&b);
        }
}

/* As many as in a liquid without solids, or a few times that: in a box whose walls stick, and in a drop in flight. */
static void test_iterations_hardly_grow(void **state)
{
    (void)state;
    int most[2] = {0, 0};
    for (int e = -3; e <= 6; e++)
        for (double density = 0.01; density < 2e4; density *= 100)
            for (int flight = 0; flight < 2; flight++) {
                balls_case b;
                drop_create(2, 0, density, &b);
                b.c.problem.viscosity = pow(10, e) * b.c.d.h[0] * b.c.d.h[0] / b.c.problem.dt;
                b.c.limits.tolerance = 1e-4;
                for (int side = 0; side < 4 && !flight; side++)
                    case_stick(&b.c, side, 0, 0);
                if (!flight)
                    b.c.problem.surface = NULL;
                const int iterations = case_solve(&b.c).iterations;
                most[flight] = iterations > most[flight] ? iterations : most[flight];
                balls_destroy(&b);
            }
    assert_true(most[0] <= 25 && most[1] <= 35);
}

/* A drop with balls whose viscosity is `number` h²/Δt, solved for; how many iterations that took. */
static int drop_solve(int dims, double density, double number, balls_case *b)
{
    drop_create(dims, 0, density, b);
    b->c.problem.viscosity = number * b->c.d.h[0] * b->c.d.h[0] / b->c.problem.dt;
    return case_solve(&b->c).iterations;
}

/* The greatest difference of two velocities on faces that touch liquid. */
static double drop_difference(const balls_case *one, const balls_case *two)
{
    double greatest = 0;
    for (int a = 0; a < one->c.d.dims; a++) {
        const field *f = &one->c.velocity[a], *g = &two->c.velocity[a];
        int at[3];
        for (at[2] = 0; at[2] < f->size[2]; at[2]++)
            for (at[1] = 0; at[1] < f->size[1]; at[1]++)
                for (at[0] = 0; at[0] < f->size[0]; at[0]++)
                    if (case_is_wet(&one->c, a, at))
                        greatest = fmax(greatest, fabs((double)field_row(f, at[1], at[2])[at[0]] -
                                                       (double)field_row(g, at[1], at[2])[at[0]]));
    }
    return greatest;
}

/* The least one that is not weak changes the flow as the greatest one that is, with coarse levels and without. */
static void test_weak_ones_need_no_multigrid(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (double density = 0.01; density < 2e4; density *= 1000) {
            balls_case weak, other, before;
            for (double number = 1e-7; number < 1e-3; number *= 10) {
                assert_true(drop_solve(dims, density, number, &weak) <= 20);
                assert_true(weak.c.solver->weak);
                balls_destroy(&weak);
            }
            drop_create(dims, 0, density, &before);
            drop_solve(dims, density, 0.999999e-3, &weak);
            drop_solve(dims, density, 1.000001e-3, &other);
            assert_true(weak.c.solver->weak && !other.c.solver->weak);
            assert_below(drop_difference(&weak, &other), 2e-3 * drop_difference(&weak, &before));
            balls_destroy(&weak);
            balls_destroy(&other);
            balls_destroy(&before);
        }
}

/* Many small balls, some of which hold no more than a face or two, in a periodic box. */
static void crowd_create(double viscosity, double density, balls_case *b)
{
    domain d = box(2, 24);
    d.periodic[0] = d.periodic[1] = true;
    *b = (balls_case){0};
    for (int i = 0; i < 16; i++)
        balls_add(b, (double[3]){0.03 + 0.25 * (i % 4) + 0.004 * i, 0.04 + 0.25 * (i / 4) + 0.003 * i, 0},
                  0.017 + 0.005 * i, density);
    balls_create(&d, viscosity, 0.01, b);
    set_motions(b);
    set_flow(b, rough_flow);
    for (int a = 0; a < 2; a++)
        for (int j = 0; j < b->c.velocity[a].size[1]; j++)
            for (int i = 0; i < b->c.velocity[a].size[0]; i++)
                field_row(&b->c.velocity[a], j, 0)[i] = field_row(&b->c.velocity[a], j % 24, 0)[i % 24];
}

static double crowd_mass(const balls_case *b)
{
    double mass = 0;
    for (int i = 0; i < b->count; i++)
        mass += b->solids.of[i].mass;
    return mass;
}

static void test_small_balls_in_a_periodic_box(void **state)
{
    (void)state;
    for (int e = -3; e <= 3; e += 2)
        for (double density = 0.01; density < 2e4; density *= 1e3) {
            balls_case b;
            stress_motion before[BALLS_MOST];
            crowd_create(pow(10, e), density, &b);
            keep_motions(&b, before);
            assert_true(case_solve(&b.c).iterations <= 100);
            const gains g = gains_of(&b, before);
            for (int a = 0; a < 2; a++) /* an error of the flow is one of momentum by the root of the masses */
                assert_near(g.all[a], 0, 1e-5 * (g.moved + sqrt(crowd_mass(&b) * g.moved)));
            assert_true(g.energy < 0);
            balls_destroy(&b);
        }
}

/* A short explicit step comes to what an implicit one does, and keeps momentum to rounding. */
static void test_explicit_steps_do_the_same(void **state)
{
    (void)state;
    for (double density = 0.1; density < 200; density *= 10) {
        balls_case implicit, steps;
        stress_motion before[BALLS_MOST];
        double most = 0, apart = 0;
        crowd_create(1e-6, density, &implicit);
        keep_motions(&implicit, before);
        case_solve(&implicit.c);
        crowd_create(1e-6, density, &steps);
        stress_set(steps.c.solver, &steps.c.problem);
        assert_true(stress_march(steps.c.solver, steps.c.velocity, 1000).converged);
        const gains g = gains_of(&steps, before);
        for (int a = 0; a < 2; a++)
            assert_near(g.all[a], 0, 1e-6 * g.moved);
        for (int i = 0; i < steps.count; i++)
            for (int m = 0; m < 6; m++) {
                const double now = implicit.solids.of[i].motion.of[m];
                most = fmax(most, fabs(now - before[i].of[m]));
                apart = fmax(apart, fabs(now - steps.solids.of[i].motion.of[m]));
            }
        assert_below(apart, 0.03 * most);
        balls_destroy(&implicit);
        balls_destroy(&steps);
    }
}

/* Explicit steps of light balls stay bounded at any viscosity. */
static void test_explicit_steps_are_stable(void **state)
{
    (void)state;
    for (double density = 1e-3; density < 20; density *= 100) {
        balls_case b;
        stress_motion before[2];
        drop_create(2, 1, density, &b);
        keep_motions(&b, before);
        stress_set(b.c.solver, &b.c.problem);
        assert_true(stress_march(b.c.solver, b.c.velocity, 10000).converged);
        for (int i = 0; i < 2; i++)
            for (int m = 0; m < 2; m++)
                assert_below(fabs(b.solids.of[i].motion.of[m]), 2);
        balls_destroy(&b);
    }
}

/* What pushes a whole drop with the balls in it, after the viscosity, is taken off all of it alike. */
static void test_balls_in_a_drop_keep_its_momentum(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        balls_case b;
        stress_motion before[2];
        drop_create(dims, 1, 20, &b);
        case_solve(&b.c);
        keep_motions(&b, before);
        stress_remember(b.c.solver, b.c.velocity);
        for (int a = 0; a < dims; a++)
            for (size_t i = 0; i < b.c.velocity[a].count; i++)
                b.c.velocity[a].block[i] += 0.5f;
        for (int i = 0; i < 2; i++)
            for (int a = 0; a < dims; a++)
                b.solids.of[i].motion.of[a] += 0.5;
        stress_keep_momentum(b.c.solver, b.c.velocity);
        for (int i = 0; i < 2; i++)
            for (int m = 0; m < 6; m++)
                assert_near(b.solids.of[i].motion.of[m], before[i].of[m], 1e-6);
        balls_destroy(&b);
    }
}

static void test_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        balls_case b[2];
        for (int t = 0; t < 2; t++) {
            fr_set_threads(1 + 2 * t);
            drop_create(dims, 3, 0.3, &b[t]);
            case_solve(&b[t].c);
        }
        for (int a = 0; a < dims; a++)
            assert_memory_equal(b[0].c.velocity[a].block, b[1].c.velocity[a].block,
                                b[0].c.velocity[a].count * sizeof(float));
        assert_memory_equal(&b[0].solids.of[0].motion, &b[1].solids.of[0].motion, sizeof(stress_motion));
        balls_destroy(&b[0]);
        balls_destroy(&b[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_answer_is_that_of_a_dense_matrix),
        cmocka_unit_test(test_momentum_goes_from_the_liquid_to_the_balls),
        cmocka_unit_test(test_what_turns_as_one_goes_on),
        cmocka_unit_test(test_balls_in_stiff_wax_move_as_one_with_it),
        cmocka_unit_test(test_iterations_hardly_grow),
        cmocka_unit_test(test_weak_ones_need_no_multigrid),
        cmocka_unit_test(test_small_balls_in_a_periodic_box),
        cmocka_unit_test(test_explicit_steps_do_the_same),
        cmocka_unit_test(test_explicit_steps_are_stable),
        cmocka_unit_test(test_balls_in_a_drop_keep_its_momentum),
        cmocka_unit_test(test_same_bits_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
