/* Frames on a curvilinear grid: NPY, VTK and the cache. */
#include "made_up_frame.h"

typedef struct bent_frame {
    made_up_frame made;
    float *nodes;
} bent_frame;

/* A made-up frame whose velocities lie at the cells, on a grid that turns around the origin and rises. */
static void bent_frame_make(bent_frame *b, int nx, int ny, int nz)
{
    made_up_frame_make(&b->made, nx, ny, nz);
    fr_frame *f = &b->made.frame;
    for (int i = 0; i < f->dims; i++) {
        b->made.fields[i].location = FR_AT_CELL;
        b->made.fields[i].size[i]--;
    }
    int layers = nz ? nz + 1 : 1, n = 0;
    b->nodes = malloc(sizeof(float) * 4 * (size_t)((nx + 1) * (ny + 1) * layers));
    for (int k = 0; k < layers; k++)
        for (int j = 0; j <= ny; j++)
            for (int i = 0; i <= nx; i++, n++) {
                double angle = 0.2 * i, radius = 1 + 0.1 * j;
                const float at[4] = {(float)(radius * cos(angle)), (float)(radius * sin(angle)),
                                     (float)(0.3 * k + 0.1 * (nz ? i : 0)), NAN};
                memcpy(b->nodes + 4 * n, at, sizeof at);
            }
    f->nodes = (fr_vectors){b->nodes, 4};
    f->can |= FR_FRAME_BENT | FR_FRAME_RELATIVE_PRESSURE;
}

static void bent_frame_free(bent_frame *b)
{
    made_up_frame_free(&b->made);
    free(b->nodes);
}

static const float *node_at(const fr_frame *f, int i, int j, int k)
{
    return f->nodes.data + f->nodes.stride * (i + (f->cells[0] + 1) * (j + (int64_t)(f->cells[1] + 1) * k));
}

/* The numbers of a file whose header tells that shape; freed by the caller. */
static float *load_npy(const char *folder, const char *name, const char *shape)
{
    char path[600];
    size_t size;
    snprintf(path, sizeof path, "%s/%s.npy", folder, name);
    unsigned char *bytes = load_file(path, &size);
    size_t header = 10 + bytes[8] + 256u * bytes[9];
    char *text = calloc(header, 1);
    memcpy(text, bytes + 10, header - 11);
    assert_non_null(strstr(text, shape));
    free(text);
    float *values = malloc(size - header);
    memcpy(values, bytes + header, size - header);
    free(bytes);
    return values;
}

static void test_npy_has_nodes_and_velocities(void **state)
{
    (void)state;
    bent_frame b;
    bent_frame_make(&b, 6, 4, 0);
    const char *folder = in_workspace("npy2");
    assert_int_equal(fr_npy_write_frame(folder, &b.made.frame), FR_OK);
    float *x = load_npy(folder, "x", "(5, 7)"), *y = load_npy(folder, "y", "(5, 7)"),
          *v = load_npy(folder, "velocity", "(4, 6, 2)");
    for (int j = 0; j <= 4; j++)
        for (int i = 0; i <= 6; i++) {
            assert_true(x[7 * j + i] == node_at(&b.made.frame, i, j, 0)[0]);
            assert_true(y[7 * j + i] == node_at(&b.made.frame, i, j, 0)[1]);
        }
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 6; i++)
            for (int c = 0; c < 2; c++)
                assert_true(v[2 * (6 * j + i) + c] == b.made.fields[c].data[i + j * b.made.fields[c].stride[1]]);
    free(load_npy(folder, "pressure", "(4, 6)"));
    /* an ink whose name is taken */
    free(load_npy(folder, "velocity_2", "(4, 6)"));
    char path[600];
    snprintf(path, sizeof path, "%s/u.npy", folder);
    assert_false(is_there(path));
    free(x);
    free(y);
    free(v);
    bent_frame_free(&b);
}

static void test_npy_in_three_dimensions(void **state)
{
    (void)state;
    bent_frame b;
    bent_frame_make(&b, 5, 3, 2);
    const char *folder = in_workspace("npy3");
    assert_int_equal(fr_npy_write_frame(folder, &b.made.frame), FR_OK);
    float *z = load_npy(folder, "z", "(3, 4, 6)"), *v = load_npy(folder, "velocity", "(2, 3, 5, 3)");
    assert_true(z[(2 * 4 + 3) * 6 + 5] == node_at(&b.made.frame, 5, 3, 2)[2]);
    const fr_field *w = &b.made.fields[2];
    assert_true(v[3 * ((1 * 3 + 2) * 5 + 4) + 2] == w->data[4 + 2 * w->stride[1] + w->stride[2]]);
    free(z);
    free(v);
    bent_frame_free(&b);
}

static void check_cached(const char *path, int nx, int ny, int nz)
{
    bent_frame b;
    fr_cached_frame *cached;
    bent_frame_make(&b, nx, ny, nz);
    const fr_frame *f = &b.made.frame;
    assert_int_equal(fr_cache_write(path, f), FR_OK);
    assert_int_equal(fr_cache_read(path, &cached), FR_OK);
    const fr_frame *read = fr_cached_frame_view(cached);
    assert_same_frame(f, read);
    assert_non_null(read->nodes.data);
    for (int k = 0; k <= nz; k++)
        for (int j = 0; j <= ny; j++)
            for (int i = 0; i <= nx; i++)
                assert_memory_equal(node_at(f, i, j, k), node_at(read, i, j, k), 3 * sizeof(float));
    fr_cached_frame_destroy(cached);
    bent_frame_free(&b);
}

static void test_cache_keeps_the_nodes(void **state)
{
    (void)state;
    check_cached(in_workspace("2.h5"), 300, 20, 0);
    check_cached(in_workspace("3.h5"), 7, 5, 3);
}

/* The appended numbers of the array with that name. */
static const float *vts_array(const unsigned char *bytes, size_t size, const char *name, size_t floats)
{
    char *text = calloc(size + 1, 1), mark[64];
    memcpy(text, bytes, size);
    snprintf(mark, sizeof mark, "Name=\"%s\"", name);
    const char *raw = strstr(text, "\n_"), *found = strstr(text, mark);
    assert_non_null(raw);
    assert_non_null(found);
    size_t at = (size_t)(raw - text) + 2 + strtoul(strstr(found, "offset=\"") + 8, NULL, 10);
    uint64_t length;
    memcpy(&length, bytes + at, sizeof length);
    assert_int_equal(length, floats * sizeof(float));
    free(text);
    static float values[4096];
    memcpy(values, bytes + at + sizeof length, floats * sizeof(float));
    return values;
}

static void test_vtk_has_a_structured_grid(void **state)
{
    (void)state;
    bent_frame b;
    size_t size;
    bent_frame_make(&b, 6, 4, 0);
    b.made.fields[3].name = "ink & \"salt\"";
    const char *path = in_workspace("grid.vts");
    assert_int_equal(fr_vtk_write_grid(path, &b.made.frame), FR_OK);
    unsigned char *bytes = load_file(path, &size);
    assert_non_null(strstr((const char *)bytes, "<StructuredGrid WholeExtent=\"0 6 0 4 0 0\">"));
    const float *points = vts_array(bytes, size, "position", 3 * 7 * 5);
    for (int j = 0; j <= 4; j++)
        for (int i = 0; i <= 6; i++)
            assert_memory_equal(points + 3 * (7 * j + i), node_at(&b.made.frame, i, j, 0), 3 * sizeof(float));
    const float *v = vts_array(bytes, size, "velocity", 3 * 6 * 4);
    const fr_field *fields = b.made.fields;
    assert_true(v[3 * (6 * 3 + 5)] == fields[0].data[5 + 3 * fields[0].stride[1]] && v[3 * (6 * 3 + 5) + 2] == 0);
    assert_true(v[3 * (6 * 3 + 5) + 1] == fields[1].data[5 + 3 * fields[1].stride[1]]);
    vts_array(bytes, size, "ink &amp; _salt_", 6 * 4);
    free(bytes);
    b.made.frame.can = 0;
    assert_int_equal(fr_vtk_write_grid(path, &b.made.frame), FR_ERROR_INPUT);
    bent_frame_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npy_has_nodes_and_velocities),
        cmocka_unit_test(test_npy_in_three_dimensions),
        cmocka_unit_test(test_cache_keeps_the_nodes),
        cmocka_unit_test(test_vtk_has_a_structured_grid),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
