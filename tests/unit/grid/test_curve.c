/* Curvilinear grids: volumes, faces, velocities from fluxes, and the conversion between world and grid coordinates. */
#include "bent_grid.h"
#include "grid/halo.h"

static vec3 straight(double s, double t, double r)
{
    return (vec3){4 * s, 2 * t, 3 * r};
}

static double volume_sum(const curve *c)
{
    double sum = 0;
    for (int m = 0; m < field_rows(&c->volume); m++)
        for (int i = 0; i < c->domain.n[0]; i++)
            sum += field_row(&c->volume, m % c->domain.n[1], m / c->domain.n[1])[i];
    return sum;
}

static void test_a_straight_grid_has_plain_measures(void **state)
{
    (void)state;
    bent_grid g = bent_make(straight, 8, 4, 3);
    curve c;
    bent_create(&g, &c);
    assert_false(c.left_handed);
    assert_near(c.volume.data[field_offset(&c.volume, 3, 2, 1)], 0.25, 1e-7);
    assert_near(c.face[0][0].data[0], 0.5, 1e-7);
    assert_near(c.face[1][1].data[0], 0.5, 1e-7);
    assert_near(c.face[2][2].data[0], 0.25, 1e-7);
    assert_near(c.face[0][1].data[0], 0, 1e-7);
    assert_near(c.inverse[0].data[0], 4, 1e-6);
    curve_destroy(&c);
    free(g.node);
}

/* The geometric conservation law: the vectors of the faces of a cell add up to nothing. */
static void assert_cells_are_closed(const curve *c)
{
    for (int k = 0; k < c->domain.n[2]; k++)
        for (int j = 0; j < c->domain.n[1]; j++)
            for (int i = 0; i < c->domain.n[0]; i++)
                for (int x = 0; x < c->domain.dims; x++) {
                    double sum = 0, size = 0;
                    for (int a = 0; a < c->domain.dims; a++) {
                        const field *f = &c->face[a][x];
                        const float *low = f->data + field_offset(f, i, j, k);
                        sum += (double)low[f->stride[a]] - low[0];
                        size += fabs((double)low[0]);
                    }
                    assert_below(fabs(sum), 3e-7 * size + 1e-9);
                }
}

static void flux_of_uniform_flow(const curve *c, const double u[3], field flux[3])
{
    for (int a = 0; a < c->domain.dims; a++) {
        assert_ok(field_create(&c->domain, field_face(a), &flux[a]));
        for (int m = 0; m < field_rows(&flux[a]); m++)
            for (int i = 0; i < flux[a].size[0]; i++) {
                ptrdiff_t at = field_offset(&flux[a], i, m % flux[a].size[1], m / flux[a].size[1]);
                double sum = 0;
                for (int x = 0; x < c->domain.dims; x++)
                    sum += u[x] * c->face[a][x].data[at];
                flux[a].data[at] = (float)sum;
            }
        halo_fill_even(&flux[a], &c->domain);
    }
}

static void assert_uniform(const field velocity[3], int dims, const double u[3])
{
    for (int x = 0; x < dims; x++)
        for (int m = 0; m < field_rows(&velocity[x]); m++)
            for (int i = 0; i < velocity[x].size[0]; i++)
                assert_near(field_row(&velocity[x], m % velocity[x].size[1], m / velocity[x].size[1])[i], u[x], 1e-6);
}

static void assert_uniform_flow_is_recovered(const curve *c)
{
    const double u[3] = {0.6, -0.4, 0.5};
    int dims = c->domain.dims;
    field flux[3];
    flux_of_uniform_flow(c, u, flux);
    for (int k = -1; k < dims; k++) {
        field velocity[3];
        for (int x = 0; x < dims; x++)
            assert_ok(field_create(&c->domain, k < 0 ? FR_AT_CELL : field_face(k), &velocity[x]));
        if (k < 0)
            curve_velocity_on_cells(c, flux, velocity);
        else
            curve_velocity_on_faces(c, k, flux, velocity);
        assert_uniform(velocity, dims, u);
        for (int x = 0; x < dims; x++)
            field_destroy(&velocity[x]);
    }
    for (int a = 0; a < dims; a++)
        field_destroy(&flux[a]);
}

static void assert_free_stream(bent_map map, const int cells[3], bool left_handed, bool around)
{
    bent_grid g = bent_make(map, cells[0], cells[1], cells[2]);
    g.def.periodic[0] = around;
    curve c;
    bent_create(&g, &c);
    assert_true(c.left_handed == left_handed);
    assert_cells_are_closed(&c);
    assert_uniform_flow_is_recovered(&c);
    curve_destroy(&c);
    free(g.node);
}

static void test_free_stream_in_a_wavy_channel(void **state)
{
    (void)state;
    assert_free_stream(bent_wavy, (int[3]){300, 17, 0}, false, false);
}

static void test_free_stream_in_a_mirrored_channel(void **state)
{
    (void)state;
    assert_free_stream(bent_mirrored, (int[3]){300, 17, 0}, true, false);
}

static void test_free_stream_on_a_ring(void **state)
{
    (void)state;
    assert_free_stream(bent_ring, (int[3]){40, 9, 0}, true, true);
}

static void test_free_stream_in_a_twisted_pipe(void **state)
{
    (void)state;
    assert_free_stream(bent_helix, (int[3]){30, 7, 6}, true, false);
}

static void test_mirrored_grids_have_mirrored_bits(void **state)
{
    (void)state;
    bent_grid g = bent_make(bent_wavy, 20, 9, 0), h = bent_make(bent_mirrored, 20, 9, 0);
    curve c, d;
    bent_create(&g, &c);
    bent_create(&h, &d);
    for (size_t i = 0; i < c.volume.count; i++)
        assert_true(c.volume.block[i] == d.volume.block[i]);
    for (int j = 0; j < 2; j++)
        for (int x = 0; x < 2; x++)
            for (size_t i = 0; i < c.on_face[0].vector[j][x].count; i++) {
                float here = c.on_face[0].vector[j][x].block[i], there = d.on_face[0].vector[j][x].block[i];
                assert_true(x == 0 ? here == -there : here == there);
            }
    curve_destroy(&c);
    curve_destroy(&d);
    free(g.node);
    free(h.node);
}

/* Area of half the ring between radius 1 and 2: 3π/2. The cells are quadrangles, so the error falls with the square of
 * their size. */
static double half_ring_error(int n)
{
    bent_grid g = bent_make(bent_half_ring, n, 5, 0);
    curve c;
    bent_create(&g, &c);
    double error = volume_sum(&c) - 1.5 * FR_PI;
    curve_destroy(&c);
    free(g.node);
    return fabs(error);
}

static void test_volumes_of_a_ring_converge(void **state)
{
    (void)state;
    double coarse = half_ring_error(16), fine = half_ring_error(32);
    assert_near(log2(coarse / fine), 2, 0.02);
    assert_below(fine, 8e-3);
}

static void noise_nodes(bent_grid *g, double size)
{
    for (int k = 1; k < g->def.cells[2]; k++)
        for (int j = 1; j < g->def.cells[1]; j++)
            for (int i = 1; i < g->def.cells[0]; i++)
                for (int x = 0; x < 3; x++)
                    bent_node(g, i, j, k)[x] += size * check_noise((uint64_t)(((i * 97 + j) * 89 + k) * 3 + x));
}

/* Faces are bent surfaces; what one cell has beyond its neighbour's side the other lacks. */
static void test_rough_cells_fill_their_block(void **state)
{
    (void)state;
    bent_grid g = bent_make(straight, 6, 5, 4);
    noise_nodes(&g, 0.12);
    curve c;
    bent_create(&g, &c);
    assert_near(volume_sum(&c), 24, 1e-5);
    assert_cells_are_closed(&c);
    assert_uniform_flow_is_recovered(&c);
    curve_destroy(&c);
    free(g.node);
}

/* Pappus: a section of area 1 whose centre goes along a helix, seen in planes through its axis, sweeps 2π·3. */
static void test_volume_of_a_helix(void **state)
{
    (void)state;
    bent_grid g = bent_make(bent_helix, 200, 4, 4);
    curve c;
    bent_create(&g, &c);
    assert_near(volume_sum(&c), 6 * FR_PI, 6e-3);
    curve_destroy(&c);
    free(g.node);
}

static void assert_tangents_fit(const curve *c, const double grid[3])
{
    double rows[3][3], before[3], after[3];
    curve_tangents(c, grid, rows);
    for (int a = 0; a < c->domain.dims; a++) {
        double low[3] = {grid[0], grid[1], grid[2]}, high[3] = {grid[0], grid[1], grid[2]};
        low[a] -= 1e-4;
        high[a] += 1e-4;
        curve_position(c, low, before);
        curve_position(c, high, after);
        for (int x = 0; x < 3; x++)
            assert_near(rows[a][x], (after[x] - before[x]) / 2e-4, 1e-9);
    }
}

/* J J⁻¹ = 1: with tangents a_k and vectors S^k = a_l × a_m at one place, a_k · S^j / J is the unit matrix. */
static void assert_tangents_and_faces_are_dual(const curve *c, const double grid[3])
{
    double rows[3][3];
    curve_tangents(c, grid, rows);
    vec3 a[3] = {vec3_of(rows[0]), vec3_of(rows[1]), vec3_of(rows[2])};
    double j = vec3_dot(a[0], vec3_cross(a[1], a[2]));
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 3; k++)
            assert_near(vec3_dot(a[m], vec3_cross(a[(k + 1) % 3], a[(k + 2) % 3])) / j, m == k, 1e-12);
}

static void assert_round_trips(const curve *c)
{
    for (uint64_t n = 0; n < 100; n++) {
        double grid[3] = {0, 0, 0}, world[3], back[3];
        for (int a = 0; a < c->domain.dims; a++)
            grid[a] = c->domain.n[a] * (0.5 + 0.5 * check_noise(3 * n + (uint64_t)a));
        curve_position(c, grid, world);
        assert_true(curve_find(c, world, back));
        for (int a = 0; a < 3; a++)
            assert_near(back[a], grid[a], 1e-9);
        double middle[3];
        for (int a = 0; a < 3; a++)
            middle[a] = a < c->domain.dims ? floor(grid[a]) + 0.3 : 0;
        assert_tangents_fit(c, middle);
        assert_tangents_and_faces_are_dual(c, middle);
    }
}

static void test_places_go_to_the_world_and_back(void **state)
{
    (void)state;
    const struct {
        bent_map map;
        int cells[3];
    } grids[] = {
        {bent_wavy, {40, 17, 0}}, {bent_mirrored, {40, 17, 0}}, {bent_half_ring, {40, 9, 0}}, {bent_helix, {30, 6, 5}}};
    for (size_t n = 0; n < sizeof grids / sizeof *grids; n++) {
        bent_grid g = bent_make(grids[n].map, grids[n].cells[0], grids[n].cells[1], grids[n].cells[2]);
        curve c;
        bent_create(&g, &c);
        assert_round_trips(&c);
        curve_destroy(&c);
        free(g.node);
    }
}

static void test_places_outside_are_not_found(void **state)
{
    (void)state;
    bent_grid g = bent_make(bent_half_ring, 40, 9, 0);
    curve c;
    bent_create(&g, &c);
    double grid[3];
    assert_false(curve_find(&c, (double[3]){0, 0.5, 0}, grid));
    assert_false(curve_find(&c, (double[3]){0, 2.1, 0}, grid));
    assert_false(curve_find(&c, (double[3]){1.5, -0.01, 0}, grid));
    assert_true(curve_find(&c, (double[3]){1.5, 0, 0}, grid));
    curve_destroy(&c);
    free(g.node);
}

/* What lies beyond one end of a ring is the other end, to the last bit, even from a file of six digits. */
static void test_a_ring_closes_at_its_seam(void **state)
{
    (void)state;
    bent_grid g = bent_make(bent_ring, 24, 6, 0);
    g.def.periodic[0] = true;
    for (int j = 0; j <= 6; j++)
        bent_node(&g, 24, j, 0)[1] += 1e-6 * check_noise((uint64_t)j);
    curve c;
    bent_create(&g, &c);
    assert_cells_are_closed(&c);
    for (int j = 0; j < 6; j++) {
        const float *volume = field_row(&c.volume, j, 0);
        assert_true(volume[-1] == volume[23] && volume[24] == volume[0]);
        assert_near(volume[23], volume[0],
                    1e-6); /* the node was moved so far, and the sides of the cell are under 1 m */
        for (int x = 0; x < 2; x++) {
            const float *face = field_row(&c.face[0][x], j, 0), *basis = field_row(&c.on_face[0].vector[1][x], j, 0);
            assert_true(face[24] == face[0] && face[-1] == face[23]);
            assert_true(basis[24] == basis[0]);
        }
    }
    curve_destroy(&c);
    free(g.node);
}

static void test_bytes_are_those_taken(void **state)
{
    (void)state;
    bent_grid g = bent_make(straight, 8, 4, 3);
    curve c;
    bent_create(&g, &c);
    size_t cells = c.volume.count, faces = c.inverse[0].count + c.inverse[1].count + c.inverse[2].count;
    assert_int_equal(curve_bytes(&c.domain), 4 * (10 * cells + 15 * faces) + 24 * 9 * 5 * 4);
    curve_destroy(&c);
    free(g.node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_straight_grid_has_plain_measures),
        cmocka_unit_test(test_free_stream_in_a_wavy_channel),
        cmocka_unit_test(test_free_stream_in_a_mirrored_channel),
        cmocka_unit_test(test_free_stream_on_a_ring),
        cmocka_unit_test(test_free_stream_in_a_twisted_pipe),
        cmocka_unit_test(test_mirrored_grids_have_mirrored_bits),
        cmocka_unit_test(test_volumes_of_a_ring_converge),
        cmocka_unit_test(test_rough_cells_fill_their_block),
        cmocka_unit_test(test_volume_of_a_helix),
        cmocka_unit_test(test_places_go_to_the_world_and_back),
        cmocka_unit_test(test_places_outside_are_not_found),
        cmocka_unit_test(test_a_ring_closes_at_its_seam),
        cmocka_unit_test(test_bytes_are_those_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
