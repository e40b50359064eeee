/* Particles of a level set: where they are born and die, how they move, what they correct, and the same bits for any
   number of threads and after a resume. */
#include <string.h>

#include "support/levelsets.h"
#include "surface/levelset/levelset_particles.h"

static double ball(const double at[3])
{
    return sqrt(pow(at[0] - 0.52, 2) + pow(at[1] - 0.47, 2) + pow(at[2] - 0.51, 2)) - 0.3;
}

static double disc(const double at[3])
{
    return hypot(at[0] - 0.52, at[1] - 0.47) - 0.3;
}
static double shrunk_disc(const double at[3])
{
    return disc(at) + 0.4 / 48;
}
static double worn_disc(const double at[3])
{
    return disc(at) + 0.1 / 48;
}
static double wall(const double at[3])
{
    return at[0] - 0.4;
}

static levelset_particles *seeded(levelsets_case *c, const domain *d, levelsets_shape shape, const field *solid)
{
    levelset_particles *p;
    levelsets_begin(c, d, shape);
    assert_ok(levelset_redistance(c->ls, &c->phi));
    assert_ok(levelset_particles_create(d, PARTICLES_PER_CELL, &p));
    assert_ok(levelset_particles_seed(p, c->ls, &c->phi, solid, 0));
    return p;
}

static void metres(const levelset_particles *p, int i, double at[3])
{
    for (int a = 0; a < 3; a++)
        at[a] = a < p->d.dims ? p->d.origin[a] + p->place[a][i] * p->d.h[a] : 0;
}

static void test_births(void **state)
{
    (void)state;
    const domain d = levelsets_box(3, 40, 1);
    levelsets_case c;
    levelset_particles *p = seeded(&c, &d, ball, NULL);
    const double h = 1.0 / 40, shell = 4 * LEVELSETS_PI * 0.3 * 0.3 * 6 * h;
    for (int i = 0; i < p->count; i++) {
        double at[3];
        metres(p, i, at);
        const double distance = ball(at);
        assert_true((distance < 0) == (p->radius[i] < 0) || fabs(distance) < 0.02 * h); /* φ is not exact */
        assert_below(fabs(distance), 3.1 * h);
        assert_true(fabsf(p->radius[i]) >= 0.0099 * h && fabsf(p->radius[i]) <= 0.5001 * h);
        assert_true(fabsf(p->radius[i]) <= fabs(distance) + 0.05 * h);
    }
    print_message("%d particles, %.1f in a cell of the band, %.1f bytes each\n", p->count, p->count / shell * h * h * h,
                  (double)levelset_particles_bytes(p) / p->count);
    assert_near(p->count / shell * h * h * h, 32, 3);
    levelset_particles_destroy(p);
    levelsets_end(&c);
}

/* None in a solid, and none after it has moved into one or out of the box. */
static void rush(const double at[3], double u[3])
{
    (void)at;
    u[0] = 1;
    u[1] = u[2] = 0;
}

static void test_deaths(void **state)
{
    (void)state;
    const domain d = levelsets_box(2, 48, 1);
    levelsets_case c;
    field solid;
    assert_ok(field_create(&d, FR_AT_CELL, &solid));
    levelsets_fill(&solid, &d, wall);
    levelset_particles *p = seeded(&c, &d, disc, &solid);
    assert_true(p->count > 1000);
    for (int i = 0; i < p->count; i++)
        assert_true(p->place[0][i] >= 0.4 * 48 - 0.01);
    levelsets_flow(c.velocity, &d, rush);
    levelset_particles_move(p, &(levelset_flow){c.velocity, 1}, -0.2, 2, &solid);
    for (int i = 0; i < p->count; i++)
        assert_true(p->radius[i] == 0 || p->place[0][i] >= 0.4 * 48 - 0.01);
    levelset_particles_move(p, &(levelset_flow){c.velocity, 1}, 0.5, 2, NULL);
    for (int i = 0; i < p->count; i++)
        assert_true(p->radius[i] == 0 || p->place[0][i] <= 48);
    levelset_particles_move(p, &(levelset_flow){c.velocity, 1}, 1, 2, NULL);
    for (int i = 0; i < p->count; i++)
        assert_true(p->radius[i] == 0);
    assert_ok(levelset_particles_seed(p, c.ls, &c.phi, NULL, 20));
    for (int i = 0; i < p->count; i++)
        assert_true(p->radius[i] != 0);
    levelset_particles_destroy(p);
    field_destroy(&solid);
    levelsets_end(&c);
}

/* Around a periodic box and back to the same place. */
static void test_wrap(void **state)
{
    (void)state;
    domain d = levelsets_box(2, 48, 1);
    d.periodic[0] = true;
    levelsets_case c;
    levelset_particles *p = seeded(&c, &d, disc, NULL);
    levelsets_flow(c.velocity, &d, rush);
    double first[100];
    for (int i = 0; i < 100; i++)
        first[i] = p->place[0][i * 7];
    for (int n = 0; n < 8; n++)
        levelset_particles_move(p, &(levelset_flow){c.velocity, 1}, 0.125, 4, NULL);
    for (int i = 0; i < 100; i++) {
        assert_near(p->place[0][i * 7], first[i], 1e-4);
        assert_true(p->radius[i * 7] != 0);
    }
    levelset_particles_destroy(p);
    levelsets_end(&c);
}

/* A quarter turn about the middle, in which the flow is linear: interpolation is exact and the order shows. */
static void whirl(const double at[3], double u[3])
{
    u[0] = 0.5 - at[1];
    u[1] = at[0] - 0.5;
    u[2] = 0;
}

static double turned(int order, int steps, int refine)
{
    const domain d = levelsets_box(2, 48, 1), coarse = levelsets_box(2, 48 / refine, 1);
    levelsets_case c;
    field velocity[3];
    levelset_particles *p = seeded(&c, &d, disc, NULL);
    for (int a = 0; a < 2; a++)
        assert_ok(field_create(&coarse, field_face(a), &velocity[a]));
    levelsets_flow(velocity, &coarse, whirl);
    double x[100], y[100], most = 0;
    for (int i = 0; i < 100; i++) {
        x[i] = p->place[0][i * 7] - 24;
        y[i] = p->place[1][i * 7] - 24;
    }
    for (int n = 0; n < steps; n++)
        levelset_particles_move(p, &(levelset_flow){velocity, refine}, LEVELSETS_PI / 2 / steps, order, NULL);
    for (int i = 0; i < 100; i++)
        most = fmax(most, hypot(p->place[0][i * 7] - 24 + y[i], p->place[1][i * 7] - 24 - x[i]));
    for (int a = 0; a < 2; a++)
        field_destroy(&velocity[a]);
    levelset_particles_destroy(p);
    levelsets_end(&c);
    return most;
}

static void test_orders(void **state)
{
    (void)state;
    for (int order = 1; order <= 4; order++) {
        const double rough = turned(order, 3, 1), fine = turned(order, 6, 1), refined = turned(order, 6, 2);
        print_message("Runge–Kutta %d: a quarter turn errs by %.1e cells in 3 steps, %.1e in 6: order %.2f\n", order,
                      rough, fine, log2(rough / fine));
        assert_true(log2(rough / fine) > order - 0.3);
        assert_near(refined, fine, 1e-3 + 0.01 * fine);
    }
}

/* What is left of `lost` cells that a disc has lost all around, after its particles have restored it; cells. */
static double left_of(double lost, levelsets_shape shrunk)
{
    const domain d = levelsets_box(2, 48, 1);
    levelsets_case c;
    levelset_particles *p = seeded(&c, &d, disc, NULL);
    const double whole = levelset_volume(c.ls, &c.phi, NULL);
    assert_int_equal(levelset_particles_find_escaped(p, &c.phi), 0);
    levelsets_fill(&c.phi, &d, shrunk);
    assert_ok(levelset_find(c.ls, &c.phi));
    const int escaped = levelset_particles_find_escaped(p, &c.phi);
    for (int n = 0; n < 5; n++) {
        assert_ok(levelset_particles_correct(p, c.ls, NULL, &c.phi));
        assert_ok(levelset_redistance(c.ls, &c.phi));
    }
    const double left = (1 - levelset_volume(c.ls, &c.phi, NULL) / whole) * 0.3 / 2 * 48; /* δA/A = 2 δr/r */
    print_message("a disc that lost %.2f cells all around lacks %.3f after correction by %d particles\n", lost, left,
                  escaped);
    levelset_particles_destroy(p);
    levelsets_end(&c);
    return left;
}

/* One whose sphere touched the surface escapes when that has moved by twice its radius. Those nearest to it, of 0.01
   cells, see small losses too; along a smooth surface they then give back all that is lost. */
static void test_correction(void **state)
{
    (void)state;
    assert_below(fabs(left_of(0.4, shrunk_disc)), 0.15);
    assert_below(fabs(left_of(0.1, worn_disc)), 0.03);
}

/* The same where the volume is known: they are believed until it is reached, and all the way where it is not. */
static void test_total(void **state)
{
    (void)state;
    const domain d = levelsets_box(2, 48, 1);
    levelsets_case c;
    levelset_particles *p = seeded(&c, &d, disc, NULL);
    levelsets_fill(&c.phi, &d, shrunk_disc);
    assert_ok(levelset_find(c.ls, &c.phi));
    const double less = levelset_volume(c.ls, &c.phi, NULL);
    field shrunk;
    assert_ok(field_create(&d, FR_AT_CELL, &shrunk));
    field_copy(&shrunk, &c.phi);
    assert_ok(levelset_particles_correct(p, c.ls, NULL, &c.phi));
    const double most = levelset_volume(c.ls, &c.phi, NULL), shares[] = {0, 0.3, 0.8, 1.5};
    assert_true(most > 1.01 * less);
    for (int n = 0; n < 4; n++) {
        field_copy(&c.phi, &shrunk);
        const levelset_total total = {less + shares[n] * (most - less), NULL};
        assert_ok(levelset_particles_correct(p, c.ls, &total, &c.phi));
        assert_near(levelset_volume(c.ls, &c.phi, NULL), fmin(total.volume, most), 2e-5 * most);
    }
    field_destroy(&shrunk);
    levelset_particles_destroy(p);
    levelsets_end(&c);
}

/* A liquid that the grid has lost altogether comes back where its particles are. */
static double nothing(const double at[3])
{
    (void)at;
    return 1;
}

static void test_lost_liquid(void **state)
{
    (void)state;
    const domain d = levelsets_box(2, 48, 1);
    levelsets_case c;
    levelset_particles *p = seeded(&c, &d, disc, NULL);
    levelsets_fill(&c.phi, &d, nothing);
    assert_ok(levelset_find(c.ls, &c.phi));
    assert_true(levelset_volume(c.ls, &c.phi, NULL) == 0);
    assert_ok(levelset_particles_correct(p, c.ls, NULL, &c.phi));
    assert_ok(levelset_redistance(c.ls, &c.phi));
    assert_true(levelset_volume(c.ls, &c.phi, NULL) > 0.05);
    levelset_particles_destroy(p);
    levelsets_end(&c);
}

static void step(levelsets_case *c, levelset_particles *p, int n)
{
    const levelset_flow flow = {c->velocity, 1};
    levelset_motion motion = {.scheme = LEVELSET_SEMI_LAGRANGIAN, .order = 2};
    assert_ok(levelset_carry(c->ls, &flow, 0.03, &motion, &c->phi));
    levelset_particles_move(p, &flow, 0.03, 3, NULL);
    assert_ok(levelset_particles_correct(p, c->ls, NULL, &c->phi));
    assert_ok(levelset_redistance(c->ls, &c->phi));
    assert_ok(levelset_particles_correct(p, c->ls, NULL, &c->phi));
    levelset_particles_fit(p, &c->phi);
    if (n % 3 == 0)
        assert_ok(levelset_particles_seed(p, c->ls, &c->phi, NULL, (uint64_t)n));
}

enum { STEPS = 8, PAUSE = 4 };

/* Eight steps; after the fourth, if asked, all but φ and the particles' state is thrown away. */
static levelset_particles *eight_steps(levelsets_case *c, int threads, bool pause)
{
    const domain d = levelsets_box(3, 40, 1);
    fr_set_threads(threads);
    levelset_particles *p = seeded(c, &d, ball, NULL);
    levelsets_flow(c->velocity, &d, levelsets_deform);
    for (int n = 1; n <= STEPS; n++) {
        step(c, p, n);
        if (!pause || n != PAUSE)
            continue;
        levelset_particles *resumed;
        assert_ok(levelset_particles_create(&d, PARTICLES_PER_CELL, &resumed));
        assert_ok(levelset_particles_resize(resumed, p->count));
        for (int a = 0; a < 3; a++)
            memcpy(resumed->place[a], p->place[a], (size_t)p->count * sizeof(float));
        memcpy(resumed->radius, p->radius, (size_t)p->count * sizeof(float));
        levelset_particles_destroy(p);
        p = resumed;
        levelset_destroy(c->ls);
        assert_ok(levelset_create(&d, &c->ls));
        assert_ok(levelset_find(c->ls, &c->phi));
    }
    fr_set_threads(0);
    return p;
}

static void assert_same(levelsets_case *a, levelset_particles *p, levelsets_case *b, levelset_particles *q)
{
    assert_memory_equal(a->phi.block, b->phi.block, a->phi.count * sizeof(float));
    assert_int_equal(p->count, q->count);
    for (int axis = 0; axis < 3; axis++)
        assert_memory_equal(p->place[axis], q->place[axis], (size_t)p->count * sizeof(float));
    assert_memory_equal(p->radius, q->radius, (size_t)p->count * sizeof(float));
}

static void test_same_bits(void **state)
{
    (void)state;
    levelsets_case alone, shared, resumed;
    levelset_particles *p = eight_steps(&alone, 1, false), *q = eight_steps(&shared, 3, false),
                       *r = eight_steps(&resumed, 2, true);
    assert_true(p->count > 10000);
    assert_same(&alone, p, &shared, q);
    assert_same(&alone, p, &resumed, r);
    levelset_particles_destroy(p);
    levelset_particles_destroy(q);
    levelset_particles_destroy(r);
    levelsets_end(&alone);
    levelsets_end(&shared);
    levelsets_end(&resumed);
}

/* A flat surface, and one with a narrow bump. */
static double flat(const double at[3])
{
    return at[1] - 0.5;
}
static double bump(const double at[3])
{
    return fmin(at[1] - 0.5, hypot(at[0] - 0.2, at[1] - 0.5) - 0.05);
}

/* Particles of calm water are deleted; those near what stirs it are born anew; and what is calm can be undone. */
static void test_calm(void **state)
{
    (void)state;
    const domain d = levelsets_box(2, 96, 1);
    levelsets_case c;
    levelset_particles *p = seeded(&c, &d, flat, NULL);
    levelset_stir stir = {.phi = &c.phi, .flow = {c.velocity, 1}, .dt = 0.01, .settles = true};
    assert_ok(levelset_particles_watch(p, c.ls));
    const int all = p->count;
    levelset_particles_keep_calm(p);
    assert_ok(levelset_particles_stir(p, c.ls, &stir));
    assert_ok(levelset_particles_seed(p, c.ls, &c.phi, NULL, 1));
    assert_int_equal(p->count, 0);
    levelset_particles_undo_calm(p);
    assert_ok(levelset_particles_seed(p, c.ls, &c.phi, NULL, 2));
    assert_int_equal(p->count, all);
    assert_ok(levelset_particles_stir(p, c.ls, &stir));
    assert_ok(levelset_particles_seed(p, c.ls, &c.phi, NULL, 3));
    assert_int_equal(p->count, 0);

    levelsets_fill(&c.phi, &d, bump);
    assert_ok(levelset_find(c.ls, &c.phi));
    stir.settles = false;
    assert_ok(levelset_particles_stir(p, c.ls, &stir));
    assert_true(p->count > all / 6 && p->count < all * 3 / 4);
    for (int i = 0; i < p->count; i++)
        assert_true(p->place[0][i] < 64);
    levelset_particles_destroy(p);
    levelsets_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_births), cmocka_unit_test(test_deaths),     cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_orders), cmocka_unit_test(test_correction), cmocka_unit_test(test_lost_liquid),
        cmocka_unit_test(test_total),  cmocka_unit_test(test_same_bits),  cmocka_unit_test(test_calm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
