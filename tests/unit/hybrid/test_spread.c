/* Even spacing beside an obstacle, and across periodic sides. */
#include "hybrid/spread.h"
#include "hybrid_case.h"

static double pool(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (x[1] - 12);
}

static double pillar(const double x[3], int axis)
{
    (void)axis;
    return 0.1 * (hypot(x[0] - 10, x[2] - 10) - 4.2);
}

static double everywhere(const double x[3], int axis)
{
    (void)x;
    (void)axis;
    return -1;
}

/* Faces are open unless a cell beside them is of the pillar. */
static void open_faces(const field *solid, field open[3])
{
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < open[a].size[2]; k++)
            for (int j = 0; j < open[a].size[1]; j++)
                for (int i = 0; i < open[a].size[0]; i++) {
                    const float *s = field_row(solid, j, k) + i;
                    field_row(&open[a], j, k)[i] = s[0] > 0 && s[-solid->stride[a]] > 0;
                }
}

/* Parcels around a pillar neither crowd at it nor leave it, though the cells beside it are full in part alone. */
static void even_beside_an_obstacle(void **state)
{
    (void)state;
    hybrid_case c = hybrid_case_make(hybrid_box(3, 20), PARCELS_MARKERS);
    projection *projection;
    field solid, work, excess, potential, shift[3];
    field *cells[] = {&solid, &work, &excess, &potential};
    assert_ok(projection_create(&c.d, true, &projection));
    for (int i = 0; i < 4; i++)
        assert_ok(field_create(&c.d, FR_AT_CELL, cells[i]));
    for (int a = 0; a < 3; a++)
        assert_ok(field_create(&c.d, field_face(a), &shift[a]));
    hybrid_set(&c.d, &solid, pillar);
    hybrid_set(&c.d, &c.phi, pool);
    open_faces(&solid, c.weight);
    assert_ok(seed_fill(&(seed){.surface = &c.phi, .solid = &solid, .along = 2, .seed = 3}, &c.p));
    parcels_sort(&c.p);
    int64_t count = c.p.count;
    spread_report first = {0}, last = {0};
    for (int n = 0; n < 30; n++) {
        level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = 8, .solid = &solid}, &c.phi);
        projection_build(projection, &(projection_geometry){.surface = &c.phi, .open = c.weight}, &work);
        spread s = {.per_cell = 8, .share = 0.5, .surface = &c.phi, .projection = projection, .solid = &solid};
        s.excess = &excess;
        s.potential = &potential;
        s.shift = shift;
        s.limits = (solve_limits){.tolerance = 1e-2, .max_iterations = 20};
        last = spread_run(&s, &c.t, &c.p);
        assert_true(last.solve.converged);
        first = n ? first : last;
    }
    print_message("excess %.3f, then %.3f\n", first.excess, last.excess);
    assert_below(last.excess, 0.05);
    assert_int_equal(parcels_alive(&c.p), count);
    for (int i = 0; i < 4; i++)
        field_destroy(cells[i]);
    for (int a = 0; a < 3; a++)
        field_destroy(&shift[a]);
    projection_destroy(projection);
    hybrid_case_free(&c);
}

/* Nothing is lost across periodic sides: weights and momenta add up, and there is no surface. */
static void whole_across_periodic_sides(void **state)
{
    (void)state;
    domain d = hybrid_box(3, 12);
    for (int a = 0; a < 3; a++)
        d.periodic[a] = true;
    hybrid_case c = hybrid_case_make(d, PARCELS_FLIP);
    hybrid_set(&c.d, &c.phi, everywhere);
    hybrid_seed(&c, (float[3]){1, 2, 3});
    hybrid_to_grid(&c);
    for (int a = 0; a < 3; a++) {
        double weight = 0, momentum = 0;
        for (int k = 0; k < 12; k++)
            for (int j = 0; j < 12; j++)
                for (int i = 0; i < 12; i++) {
                    weight += field_row(&c.weight[a], j, k)[i];
                    momentum += (double)field_row(&c.weight[a], j, k)[i] * (double)field_row(&c.velocity[a], j, k)[i];
                }
        assert_near(weight / (double)c.p.count, 1, 1e-5);
        assert_near(momentum / (double)c.p.count, a + 1, 1e-4);
        int top[3] = {0, 0, 0};
        top[a] = 12;
        assert_near(field_row(&c.weight[a], top[1], top[2])[top[0]], field_row(&c.weight[a], 0, 0)[0], 1e-6);
    }
    level_set_make(&c.t, &c.p, &(level_set_from){.per_cell = 8}, &c.phi);
    for (size_t i = 0; i < c.phi.count; i++)
        assert_true(c.phi.block[i] <= 0);
    hybrid_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(even_beside_an_obstacle),
                                       cmocka_unit_test(whole_across_periodic_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
