/* The pressure of liquids needs few iterations whatever their shape: pools, sheets thinner than a cell, drops of one
   cell, surfaces that pass through cells' centres, open sides, plates on any face, slabs with cut faces beside walls;
   in 2D and 3D, of any size. `test_iterations_liquid 1000` tries more of them and lists the worst. */
#include "grid/projection.h"

#include <stdlib.h>

#include "support/blobs.h"

enum { SHAPES = 4, CASES = 48, WORST = 14, WORST_WITHOUT_WALLS = 9 };

typedef struct liquid {
    domain d;
    projection_geometry g;
    field surface, open[3], b, x, work;
    blob wet[SHAPES], solid;
    int count;
} liquid;

static void liquid_create(liquid *l, draw *r)
{
    l->d.dims = draw_int(r, 2, 3);
    for (int a = 0; a < 3; a++) {
        l->d.n[a] = a < l->d.dims ? draw_int(r, 7, l->d.dims == 3 ? 40 : 90) : 1;
        l->d.h[a] = 1;
    }
    fr_location at[4] = {FR_AT_CELL, FR_AT_CELL, FR_AT_CELL, FR_AT_CELL};
    field *cells[4] = {&l->surface, &l->b, &l->x, &l->work};
    for (int i = 0; i < 4; i++)
        assert_ok(field_create(&l->d, at[i], cells[i]));
    for (int a = 0; a < l->d.dims; a++) {
        assert_ok(field_create(&l->d, field_face(a), &l->open[a]));
        field_fill(&l->open[a], 1);
    }
    l->g.surface = &l->surface;
    double open = draw_unit(r);
    for (int side = 0; side < 2 * l->d.dims; side++)
        l->g.open_side[side] = draw_unit(r) < open - 0.4;
}

static void liquid_destroy(liquid *l)
{
    field *cells[4] = {&l->surface, &l->b, &l->x, &l->work};
    for (int i = 0; i < 4; i++)
        field_destroy(cells[i]);
    for (int a = 0; a < l->d.dims; a++)
        field_destroy(&l->open[a]);
}

/* In a fifth of them the surface passes so close to the centres of all wet cells that 1/θ is 1e7. */
static void liquid_fill(liquid *l, draw *r)
{
    const bool close = draw_unit(r) < 0.2;
    const int deep = l->d.dims == 3 ? GHOST : 0;
    l->count = draw_int(r, 1, SHAPES);
    for (int i = 0; i < l->count; i++)
        l->wet[i] = draw_blob(r, &l->d, (blob_kind)draw_int(r, BALL, COLUMN));
    for (int k = -deep; k < l->d.n[2] + deep; k++)
        for (int j = -GHOST; j < l->d.n[1] + GHOST; j++)
            for (int i = -GHOST; i < l->d.n[0] + GHOST; i++) {
                double x[3] = {i + 0.5, j + 0.5, k + 0.5}, phi = 1e3;
                for (int n = 0; n < l->count; n++)
                    phi = fmin(phi, blob_distance(&l->wet[n], x, l->d.dims));
                field_row(&l->surface, j, k)[i] = (float)(close && phi < 0 ? -1e-7 : phi);
            }
}

/* The open share of a face. */
typedef float (*liquid_share)(const liquid *l, int axis, const int face[3]);

static void liquid_close(liquid *l, liquid_share share)
{
    l->g.open = l->open;
    for (int a = 0; a < l->d.dims; a++)
        for (int k = 0; k < l->open[a].size[2]; k++)
            for (int j = 0; j < l->open[a].size[1]; j++)
                for (int i = 0; i < l->open[a].size[0]; i++)
                    field_row(&l->open[a], j, k)[i] *= share(l, a, (int[3]){i, j, k});
}

/* A plate on the faces next to the solid's centre, from there to the end of the block along the axis after its own. */
static float plate_share(const liquid *l, int axis, const int face[3])
{
    int across = 0, along;
    for (int a = 1; a < l->d.dims; a++)
        across = fabs(l->solid.normal[a]) > fabs(l->solid.normal[across]) ? a : across;
    along = (across + 1) % l->d.dims;
    return axis == across && face[axis] == (int)l->solid.centre[axis] && face[along] > l->solid.centre[along] / 2 ? 0
                                                                                                                  : 1;
}

/* What a slab leaves of a face, by samples. */
static float slab_share(const liquid *l, int axis, const int face[3])
{
    enum { EACH = 4 };
    int out = 0, all = 0;
    for (int p = 0; p < EACH; p++)
        for (int q = 0; q < EACH; q++, all++) {
            double x[3], offset[3] = {0, (p + 0.5) / EACH, (q + 0.5) / EACH};
            for (int a = 0; a < 3; a++)
                x[a] = face[a] + offset[(a - axis + 3) % 3];
            out += blob_distance(&l->solid, x, l->d.dims) > 0;
        }
    return (float)out / (float)all;
}

/* The divergence of noise, with gravity, through what is open. */
static void liquid_stir(liquid *l, draw *r)
{
    field_fill(&l->b, 0);
    for (int a = 0; a < l->d.dims; a++)
        for (int k = 0; k < l->open[a].size[2]; k++)
            for (int j = 0; j < l->open[a].size[1]; j++)
                for (int i = 0; i < l->open[a].size[0]; i++) {
                    int at[3] = {i, j, k};
                    bool side = at[a] == 0 || at[a] == l->d.n[a];
                    if (side && !l->g.open_side[2 * a + (at[a] > 0)])
                        continue;
                    float flux = (float)(draw_unit(r) - 0.5 - (a == 1)) * field_row(&l->open[a], j, k)[i];
                    if (at[a] < l->d.n[a])
                        field_row(&l->b, j, k)[i] += flux;
                    if (at[a] > 0)
                        field_row(&l->b, j, k)[i - l->b.stride[a]] -= flux;
                }
}

static int liquid_iterations(uint64_t number, bool walls)
{
    liquid l = {0};
    draw r = {number * 100003};
    projection *p;
    liquid_create(&l, &r);
    liquid_fill(&l, &r);
    l.solid = draw_blob(&r, &l.d, SHEET);
    if (walls)
        liquid_close(&l, draw_unit(&r) < 0.5 ? plate_share : slab_share);
    liquid_stir(&l, &r);
    assert_ok(projection_create(&l.d, true, &p));
    projection_build(p, &l.g, &l.work);
    projection_task task = {.b = &l.b, .limits = &(solve_limits){.tolerance = 1e-6, .max_iterations = 200}};
    solve_stats stats = projection_solve(p, &task, &l.x);
    assert_true(stats.converged);
    projection_destroy(p);
    liquid_destroy(&l);
    return stats.iterations;
}

static int liquids_worst(int count, bool walls, int list_from)
{
    int worst = 0, sum = 0;
    for (int n = 0; n < count; n++) {
        int taken = liquid_iterations((uint64_t)n + 1, walls);
        worst = taken > worst ? taken : worst;
        sum += taken;
        if (taken >= list_from)
            print_message("liquid %d takes %d iterations\n", n, taken);
    }
    print_message("%d liquids %s walls: at most %d iterations, %.2f on average\n", count, walls ? "with" : "without",
                  worst, (double)sum / count);
    return worst;
}

static void test_few_iterations_whatever_the_shape(void **state)
{
    (void)state;
    assert_in_range(liquids_worst(CASES, false, WORST_WITHOUT_WALLS + 1), 1, WORST_WITHOUT_WALLS);
    assert_in_range(liquids_worst(CASES, true, WORST + 1), 1, WORST);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_few_iterations_whatever_the_shape)};
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    liquids_worst(atoi(argv[1]), false, WORST_WITHOUT_WALLS + 1);
    liquids_worst(atoi(argv[1]), true, WORST + 1);
    return 0;
}
