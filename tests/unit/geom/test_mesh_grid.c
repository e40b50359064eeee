/* Distances to baked meshes against the exact ones. */
#include "mesh_samples.h"

#include "geom/mesh_store.h"

enum { ACROSS = 80 };

static const char bunny[] = SOURCE_DIR "/../shared/data/bunny.obj";

/* A ball of radius 1/2 with poles in z. */
static temp_file ball_file(void)
{
    enum { RINGS = 96, ROUND = 192 };
    temp_file t = temp_open(".obj");
    for (int r = 0; r <= RINGS; r++)
        for (int k = 0; k < ROUND; k++) {
            double polar = FR_PI * r / RINGS, turn = 2 * FR_PI * k / ROUND;
            fprintf(t.file, "v %.9g %.9g %.9g\n", 0.5 * sin(polar) * cos(turn), 0.5 * sin(polar) * sin(turn),
                    0.5 * cos(polar));
        }
    for (int r = 0; r < RINGS; r++)
        for (int k = 0; k < ROUND; k++) {
            int a = r * ROUND + k + 1, b = r * ROUND + (k + 1) % ROUND + 1;
            if (r > 0)
                fprintf(t.file, "f %d %d %d\n", a, a + ROUND, b);
            if (r < RINGS - 1)
                fprintf(t.file, "f %d %d %d\n", b, a + ROUND, b + ROUND);
        }
    fclose(t.file);
    return t;
}

/* Sharp edges and corners that lie askew in any grid. */
static temp_file octahedron_file(void)
{
    temp_file t = temp_open(".obj");
    fputs("v 0.5 0.1 0\nv -0.5 -0.1 0\nv -0.1 0.5 0.05\nv 0.1 -0.5 -0.05\nv 0 0 0.5\nv 0 0 -0.5\n", t.file);
    fputs("f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n", t.file);
    fclose(t.file);
    return t;
}

static shape *baked_shape(const char *path, double size, double cell)
{
    shape *s = mesh_shape(path, size, 3);
    assert_int_equal(shape_bake(s, cell), FR_OK);
    return s;
}

static void turn(shape *s)
{
    pose p = pose_of((double[3]){1, -2, 0.7}, 37, (double[3]){0.013, -0.021, 0.008});
    shape_place(s, &p);
}

typedef struct misfit {
    double greatest, mean; /* where the exact distance is less than `near` */
    double volume;         /* relative */
} misfit;

/* Both fill a cube of `size`, or nearly. */
static misfit compare(const shape *exact, const shape *baked, double size, double near)
{
    const double h = 1.2 * size / ACROSS;
    float right[ACROSS], found[ACROSS];
    double whole = 0, more = 0;
    misfit m = {0};
    int count = 0;
    for (int row = 0; row < ACROSS * ACROSS; row++) {
        const double start[3] = {-0.6 * size, -0.6 * size + h * (row % ACROSS + 0.37),
                                 -0.6 * size + h * (row / ACROSS + 0.61)};
        assert_int_equal(shape_distance_row(exact, start, h, ACROSS, right), FR_OK);
        assert_int_equal(shape_distance_row(baked, start, h, ACROSS, found), FR_OK);
        for (int i = 0; i < ACROSS; i++) {
            const double off = (double)found[i] - (double)right[i];
            whole += fmin(fmax(0.5 - (double)right[i] / h, 0), 1);
            more += fmin(fmax(0.5 - (double)found[i] / h, 0), 1) - fmin(fmax(0.5 - (double)right[i] / h, 0), 1);
            if (fabs((double)right[i]) < near) {
                m.greatest = fmax(m.greatest, fabs(off));
                m.mean += off;
                count++;
            }
        }
    }
    m.mean /= count;
    m.volume = more / whole;
    return m;
}

static misfit misfit_of(const char *path, double cells)
{
    shape *exact = mesh_shape(path, 1, 3), *baked = baked_shape(path, 1, 1 / cells);
    turn(exact);
    turn(baked);
    misfit m = compare(exact, baked, 1, 0.5 / cells);
    print_message("%-30s %2g cells: at most %.4f cells off, in the mean %+.5f, volume %+.4f %%\n",
                  strrchr(path, '/') + 1, cells, m.greatest * cells, m.mean * cells, 100 * m.volume);
    shape_destroy(exact);
    shape_destroy(baked);
    return m;
}

/* Steps along the longest side. */
static double steps(double cells)
{
    return fmax(32, fmax(2 * cells, fmin(4 * cells, 64)));
}

/* Interpolated linearly, a distance is h²/12 Δd too large in the mean and h²/8 Δd at worst, twice that where facets are
   no smaller than a step. The samples make up for the mean; a tenth of it may stay. */
static void test_ball(void **state)
{
    (void)state;
    temp_file t = ball_file();
    for (double cells = 4; cells <= 32; cells *= 2) {
        const double step = 1 / steps(cells), bend = 2 / (0.5 - 0.5 / cells);
        misfit m = misfit_of(t.path, cells);
        assert_true(m.greatest < step * step / 4 * bend);
        assert_true(fabs(m.mean) < 0.1 * step * step / 12 * bend);
        assert_true(fabs(m.volume) < 0.1 * 3 / 0.5 * step * step / 12 * bend);
    }
    unlink(t.path);
}

/* Across an edge the distance has a kink: interpolated it is off by less than half a step, and the section of the body
   there by a tenth of a step's square. */
static void test_edges(void **state)
{
    (void)state;
    temp_file files[2] = {octahedron_file(), box_file(-1)};
    const double edges[2] = {8.6, 7}, volume[2] = {0.173, 0.125};
    for (int f = 0; f < 2; f++) {
        for (double cells = 8; cells <= 32; cells *= 2) {
            misfit m = misfit_of(files[f].path, cells);
            const double step = 1 / steps(cells);
            assert_true(m.greatest < 0.5 * step && fabs(m.mean) * cells < 2e-3);
            assert_true(fabs(m.volume) < 0.1 * step * step * edges[f] / volume[f]);
        }
        unlink(files[f].path);
    }
}

static void test_bunny(void **state)
{
    (void)state;
    if (access(bunny, R_OK) != 0) {
        print_message("skipped: %s is not there\n", bunny);
        skip();
    }
    misfit m = misfit_of(bunny, 16);
    assert_true(fabs(m.mean) * 16 < 2e-3 && fabs(m.volume) < 1e-3);
}

/* A plate of a third of a cell. */
static void test_plate(void **state)
{
    (void)state;
    temp_file t = temp_open(".obj");
    write_box(t.file, (double[3]){-0.5, -0.3, -0.01}, (double[3]){0.5, 0.3, 0.01}, 0, -1);
    fclose(t.file);
    misfit m = misfit_of(t.path, 16);
    shape *s = baked_shape(t.path, 1, 1.0 / 16);
    assert_near(sample_at(s, 0.1, 0.05, 0), -0.01, 1e-3);
    assert_true(fabs(m.volume) < 0.05);
    shape_destroy(s);
    unlink(t.path);
}

/* From any distance: no jumps, no more than there is (but for the interpolation's error), and never negative outside
   the box. */
static void test_far_away(void **state)
{
    (void)state;
    enum { N = 2000 };
    const double cell = 1.0 / 16, h = 4.0 / N, slack = 0.02 * cell;
    static float right[N], found[N];
    temp_file t = octahedron_file();
    shape *exact = mesh_shape(t.path, 1, 3), *baked = baked_shape(t.path, 1, cell);
    fr_shape_def half = sample_box(0.5, 0.5, 0.5);
    shape *around = sample_shape(&half, 3);
    for (int row = 0; row < 400; row++) {
        const double start[3] = {-2, -2 + 0.21 * (row % 20), -2 + 0.21 * (row / 20)};
        assert_int_equal(shape_distance_row(exact, start, h, N, right), FR_OK);
        assert_int_equal(shape_distance_row(baked, start, h, N, found), FR_OK);
        for (int i = 0; i < N; i++) {
            const double box = sample_at(around, start[0] + i * h, start[1], start[2]);
            assert_true((double)found[i] < (double)right[i] + 5 * slack);
            assert_true((double)found[i] > fmin(sqrt(0.5) * (double)right[i], (double)right[i]) - 5 * slack);
            assert_true(box <= 0 || (double)found[i] > box - 1e-6);
            assert_true(i == 0 || fabs((double)(found[i] - found[i - 1])) < 1.2 * h);
        }
    }
    shape_destroy(exact);
    shape_destroy(baked);
    shape_destroy(around);
    unlink(t.path);
}

/* Scaled, turned, grown and blended: the mesh's cells are smaller, and its distances matter further out. */
static void test_in_other_shapes(void **state)
{
    (void)state;
    temp_file t = octahedron_file();
    fr_shape_def mesh = fr_default_shape(FR_SHAPE_MESH), ball = sample_sphere(0.6);
    mesh.file = t.path;
    const fr_shape_def *mesh_only = &mesh;
    fr_shape_def scale = sample_group(FR_SHAPE_SCALE, &mesh_only, 1);
    scale.amount = 3;
    const fr_shape_def *scale_only = &scale;
    fr_shape_def rotate = sample_group(FR_SHAPE_ROTATE, &scale_only, 1);
    rotate.normal[1] = 1;
    rotate.amount = 25;
    const fr_shape_def *rotate_only = &rotate;
    fr_shape_def grown = sample_group(FR_SHAPE_OFFSET, &rotate_only, 1);
    grown.amount = 0.7;
    const fr_shape_def *both[2] = {&grown, &ball};
    fr_shape_def kinds[3] = {grown, sample_group(FR_SHAPE_SMOOTH_UNION, both, 2),
                             sample_group(FR_SHAPE_DIFFERENCE, both, 2)};
    kinds[1].amount = 0.3;
    for (int k = 0; k < 3; k++) {
        const double cell = 3.0 / 16;
        shape *exact = sample_shape(&kinds[k], 3), *baked = sample_shape(&kinds[k], 3);
        assert_int_equal(shape_bake(baked, cell), FR_OK);
        misfit m = compare(exact, baked, 3 + 2 * 0.7, 0.5 * cell);
        assert_true(m.greatest < 0.1 * cell && fabs(m.mean) < 2e-3 * cell && fabs(m.volume) < 1e-3);
        shape_destroy(exact);
        shape_destroy(baked);
    }
    unlink(t.path);
}

static void sample_bits(const shape *s, float *to)
{
    for (int row = 0; row < ACROSS; row++) {
        const double start[3] = {-0.7, -0.6 + 1.2 * row / ACROSS, 0.11};
        assert_int_equal(shape_distance_row(s, start, 1.4 / ACROSS, ACROSS, to + row * ACROSS), FR_OK);
    }
}

static float first_bits[ACROSS * ACROSS], other_bits[ACROSS * ACROSS];
#define assert_same_bits(same) assert_true((memcmp(first_bits, other_bits, sizeof first_bits) == 0) == (same))

/* What is no mesh, meshes in 2D, and other shapes of the same mesh. */
static void test_what_stays_exact(void **state)
{
    (void)state;
    temp_file t = octahedron_file();
    fr_shape_def box = sample_box(0.4, 0.3, 0.2);
    shape *shapes[3] = {sample_shape(&box, 3), mesh_shape(t.path, 1, 2), mesh_shape(t.path, 1, 3)};
    shape *other = mesh_shape(t.path, 1, 3);
    for (int i = 0; i < 3; i++) {
        double bytes;
        sample_bits(shapes[i], first_bits);
        assert_int_equal(shape_bake(i < 2 ? shapes[i] : other, 0.1), FR_OK);
        sample_bits(shapes[i], other_bits);
        assert_same_bits(true);
        assert_int_equal(shape_bake_bytes(&shapes[i], 1, 0.1, &bytes), FR_OK);
        assert_true((bytes > 0) == (i == 2));
    }
    sample_bits(other, other_bits);
    assert_same_bits(false);
    for (int i = 0; i < 3; i++)
        shape_destroy(shapes[i]);
    shape_destroy(other);
    unlink(t.path);
}

static void test_grids_are_shared(void **state)
{
    (void)state;
    temp_file t = octahedron_file();
    const bvh *tree;
    const mesh_grid *first, *again, *finer;
    shape *shapes[3] = {mesh_shape(t.path, 1, 3), mesh_shape(t.path, 1, 3), mesh_shape(t.path, 2, 3)};
    double one, two, three;
    assert_int_equal(shape_bake_bytes(shapes, 1, 0.1, &one), FR_OK);
    assert_int_equal(shape_bake_bytes(shapes, 2, 0.1, &two), FR_OK);
    assert_int_equal(shape_bake_bytes(shapes, 3, 0.1, &three), FR_OK);
    assert_true(one > 0 && two == one && three > one);
    assert_int_equal(mesh_store_take(t.path, 1, &tree), FR_OK);
    assert_int_equal(mesh_store_grid(tree, &(mesh_detail){.cell = 0.1}, &first), FR_OK);
    assert_int_equal(mesh_store_grid(tree, &(mesh_detail){.cell = 0.1}, &again), FR_OK);
    assert_int_equal(mesh_store_grid(tree, &(mesh_detail){.cell = 0.05}, &finer), FR_OK);
    assert_true(first == again && first != finer);
    assert_true(one == mesh_grid_bytes(tree, &(mesh_detail){.cell = 0.1}));
    mesh_store_give_back(tree);
    for (int i = 0; i < 3; i++)
        shape_destroy(shapes[i]);
    unlink(t.path);
}

/* However large a shape is in cells, or grows, its grid has an end. */
static void test_bytes_are_bounded(void **state)
{
    (void)state;
    temp_file t = octahedron_file();
    const bvh *tree;
    assert_int_equal(mesh_store_take(t.path, 1, &tree), FR_OK);
    for (double cell = 1e-6; cell < 1e7; cell *= 10)
        for (double beyond = 0; beyond < 1e7; beyond = 10 * beyond + 1e-3) {
            const double bytes = mesh_grid_bytes(tree, &(mesh_detail){cell, beyond});
            assert_true(bytes > 1e5 && bytes < 240e6);
        }
    mesh_store_give_back(tree);
    unlink(t.path);
}

/* The same bits from one thread and from four, and from any piece of a row. */
static void test_same_bits(void **state)
{
    (void)state;
    temp_file t = box_file(3);
    for (int threads = 1; threads <= 4; threads += 3) {
        fr_set_threads(threads);
        shape *s = baked_shape(t.path, 1, 0.1);
        turn(s);
        sample_bits(s, threads == 1 ? first_bits : other_bits);
        if (threads == 4)
            for (int row = 0; row < ACROSS; row++) {
                const double start[3] = {-0.7, -0.6 + 1.2 * row / ACROSS, 0.11};
                float *to = other_bits + row * ACROSS;
                assert_int_equal(shape_distance_part(s, start, 1.4 / ACROSS, 0, 41, to), FR_OK);
                assert_int_equal(shape_distance_part(s, start, 1.4 / ACROSS, 41, ACROSS, to), FR_OK);
            }
        shape_destroy(s);
    }
    fr_set_threads(0);
    assert_same_bits(true);
    unlink(t.path);
}

int main(void)
{
    fr_mesh_report report;
    if (fr_mesh_inspect("", &report) == FR_ERROR_UNSUPPORTED) {
        print_message("skipped: %s\n", fr_error_message());
        return 0;
    }
    setenv("FRESHET_SHARE", "all", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_bunny),
        cmocka_unit_test(test_plate),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_in_other_shapes),
        cmocka_unit_test(test_what_stays_exact),
        cmocka_unit_test(test_grids_are_shared),
        cmocka_unit_test(test_bytes_are_bounded),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
