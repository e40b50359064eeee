/* The paths of points through curvilinear grids. */
#include <string.h>

#include "base/random.h"
#include "grid/curve/curve.h"
#include "grid/curve/walk.h"
#include "support/check.h"

enum { NS = 12, NT = 10 };

/* Lines across that are kinked in the middle, and lines along that are kinked at a third. */
static void kinked_nodes(double node[(NS + 1) * (NT + 1)][3])
{
    for (int j = 0; j <= NT; j++)
        for (int i = 0; i <= NS; i++) {
            double s = i, t = j;
            node[i + (NS + 1) * j][0] = s + (t > 5 ? 0.8 * (t - 5) : 0);
            node[i + (NS + 1) * j][1] = t + (s > 4 ? 0.5 * (s - 4) : 0);
            node[i + (NS + 1) * j][2] = 0;
        }
}

typedef struct world_wind {
    const curve *c;
    double velocity[2];
} world_wind;

/* A uniform flow of the world in grid coordinates: u = ṡ a + ṫ b with the tangents a, b of the cell at the place. */
static void wind(const void *context, const int cell[3], const double place[3], double velocity[3])
{
    const world_wind *w = context;
    double grid[3] = {fmin(fmax(place[0], cell[0] + 1e-9), cell[0] + 1 - 1e-9),
                      fmin(fmax(place[1], cell[1] + 1e-9), cell[1] + 1 - 1e-9), 0.5},
           t[3][3];
    curve_tangents(w->c, grid, t);
    double volume = t[0][0] * t[1][1] - t[0][1] * t[1][0];
    velocity[0] = (w->velocity[0] * t[1][1] - w->velocity[1] * t[1][0]) / volume;
    velocity[1] = (w->velocity[1] * t[0][0] - w->velocity[0] * t[0][1]) / volume;
}

/* Barroso & Celes, figure 3. */
static void test_straight_lines_stay_straight_over_kinks(void **state)
{
    (void)state;
    static double node[(NS + 1) * (NT + 1)][3];
    kinked_nodes(node);
    curve c;
    assert_ok(curve_create(&(curve_def){.dims = 2, .cells = {NS, NT, 1}, .node = node[0]}, &c));
    world_wind w = {&c, {1.3, 0.7}};
    curve_walk walk = {.d = &c.domain, .velocity = wind, .context = &w};
    double place[3] = {0.3, 0.4, 0}, start[3], end[3];
    curve_position(&c, place, start);
    assert_true(curve_walk_move(&walk, place, 7) == 0);
    curve_position(&c, place, end);
    assert_near(end[0], start[0] + 7 * 1.3, 1e-9);
    assert_near(end[1], start[1] + 7 * 0.7, 1e-9);
    curve_destroy(&c);
}

/* Any velocity at all: another one in every cell. */
static void gusts(const void *context, const int cell[3], const double place[3], double velocity[3])
{
    (void)place;
    uint64_t seed = *(const uint64_t *)context, at = (uint64_t)(cell[0] + 100 * (cell[1] + 100 * cell[2]));
    for (int a = 0; a < 3; a++)
        velocity[a] = 20 * random_unit(seed, 3 * at + (uint64_t)a) - 10;
}

static void walk_in_gusts(int dims)
{
    static uint8_t solid[NS * NT * 8];
    domain d = {.dims = dims, .n = {NS, NT, dims == 3 ? 8 : 1}, .h = {1, 1, 1}, .periodic = {true, false, false}};
    for (int c = 0; c < NS * NT * d.n[2]; c++)
        solid[c] = random_unit(5, (uint64_t)c) < 0.3;
    uint64_t seed = 0;
    curve_walk walk = {.d = &d, .solid = solid, .velocity = gusts, .context = &seed};
    for (int c = 0; c < NS * NT * d.n[2]; c++) {
        if (solid[c])
            continue;
        double place[3] = {c % NS + 0.5, c / NS % NT + 0.5, dims == 3 ? c / (NS * NT) + 0.5 : 0};
        for (seed = 0; seed < 10; seed++) {
            assert_true(curve_walk_move(&walk, place, 0.7) == 0);
            int cell[3] = {0, 0, 0};
            bool inside[3] = {true, true, true};
            for (int a = 0; a < dims; a++) {
                assert_true(place[a] >= 0 && place[a] <= d.n[a]);
                cell[a] = place[a] < d.n[a] ? (int)place[a] : d.n[a] - 1;
                inside[a] = place[a] != floor(place[a]);
            }
            assert_true(!inside[0] || !inside[1] || !inside[2] || !curve_walk_solid(solid, &d, cell));
        }
    }
}

static void test_nothing_enters_solids_or_leaves_closed_sides(void **state)
{
    (void)state;
    walk_in_gusts(2);
    walk_in_gusts(3);
}

static void drift(const void *context, const int cell[3], const double place[3], double velocity[3])
{
    (void)cell, (void)place;
    memcpy(velocity, context, 3 * sizeof *velocity);
}

static void test_open_sides_let_out_and_periodic_axes_go_round(void **state)
{
    (void)state;
    domain d = {.dims = 2, .n = {NS, NT, 1}, .h = {1, 1, 1}, .periodic = {false, true, false}};
    double velocity[3] = {2, 3, 0}, place[3] = {10, 9, 0};
    curve_walk walk = {.d = &d, .open = {false, true}, .velocity = drift, .context = velocity};
    assert_near(curve_walk_move(&walk, place, 1.5), 0.5, 1e-12);
    assert_true(place[0] == NS);
    assert_near(place[1], 2, 1e-12);
    velocity[0] = 0;
    velocity[1] = -37;
    place[0] = 5.5;
    assert_true(curve_walk_move(&walk, place, 1) == 0);
    assert_near(place[1], 5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_lines_stay_straight_over_kinks),
        cmocka_unit_test(test_nothing_enters_solids_or_leaves_closed_sides),
        cmocka_unit_test(test_open_sides_let_out_and_periodic_axes_go_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
