/* Surface files: parsed by the test itself and, where the build has it, by the mesh importer. */
#include "workspace.h"

#include <freshet/shape.h>

/* A tetrahedron. */
static float places[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1.0f / 3, 0}, {0, 0, -1e-7f}};
static float normals[4][3] = {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}, {0.6f, 0.8f, 0}};
static float velocities[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -2, -3}};
static int32_t corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
static const fr_mesh tetrahedron = {.vertex_count = 4,
                                    .triangle_count = 4,
                                    .vertices = places,
                                    .normals = normals,
                                    .velocity = velocities,
                                    .triangles = corners};

static void test_ply(void **state)
{
    (void)state;
    static const char end[] = "end_header\n";
    size_t size;
    assert_int_equal(fr_mesh_write(in_workspace("t.ply"), &tetrahedron), FR_OK);
    unsigned char *bytes = load_file(in_workspace("t.ply"), &size);
    size_t header = 0;
    while (header < size && memcmp(bytes + header, end, sizeof end - 1))
        header++;
    header += sizeof end - 1;
    assert_int_equal(size - header, 4 * 36 + 4 * 13);
    const unsigned char *p = bytes + header;
    for (int v = 0; v < 4; v++, p += 36) {
        assert_memory_equal(p, places[v], 12);
        assert_memory_equal(p + 12, normals[v], 12);
        assert_memory_equal(p + 24, velocities[v], 12);
    }
    for (int t = 0; t < 4; t++, p += 13) {
        assert_int_equal(p[0], 3);
        assert_memory_equal(p + 1, corners[t], 12);
    }
    free(bytes);
}

/* Colours and texture coordinates follow the velocity, where there are any. */
static void test_ply_attributes(void **state)
{
    (void)state;
    static uint8_t colours[4][3] = {{255, 0, 0}, {0, 128, 1}, {7, 8, 9}, {1, 2, 3}};
    static float texture[4][3] = {{0, 0.5f, 1}, {2, 3, 4}, {5, 6, 7}, {-1, 0, 1}};
    fr_mesh painted = tetrahedron;
    size_t size;
    painted.colours = colours;
    painted.texture = texture;
    assert_int_equal(fr_mesh_write(in_workspace("painted.ply"), &painted), FR_OK);
    char *bytes = (char *)load_file(in_workspace("painted.ply"), &size);
    assert_non_null(strstr(bytes, "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                                  "property float texture_x\n"));
    const char *p = strstr(bytes, "end_header\n") + strlen("end_header\n");
    assert_int_equal(bytes + size - p, 4 * (36 + 3 + 12) + 4 * 13);
    for (int v = 0; v < 4; v++, p += 51) {
        assert_memory_equal(p, places[v], 12);
        assert_memory_equal(p + 36, colours[v], 3);
        assert_memory_equal(p + 39, texture[v], 12);
    }
    free(bytes);
}

static void test_obj(void **state)
{
    (void)state;
    size_t size;
    assert_int_equal(fr_mesh_write(in_workspace("t.obj"), &tetrahedron), FR_OK);
    unsigned char *bytes = load_file(in_workspace("t.obj"), &size);
    char *text = calloc(size + 1, 1);
    memcpy(text, bytes, size);
    assert_non_null(strstr(text, "v 0 0.333333343 0\n"));
    assert_non_null(strstr(text, "vn 0.600000024 0.800000012 0\n"));
    assert_non_null(strstr(text, "f 1//1 3//3 2//2\n"));
    free(text);
    free(bytes);
}

/* Our own importer finds the same closed surface in both. */
static void test_read_back(void **state)
{
    (void)state;
    static const char *const files[] = {"t.ply", "t.obj"};
    for (int i = 0; i < 2; i++) {
        fr_mesh_report report;
        fr_result result = fr_mesh_inspect(in_workspace(files[i]), &report);
        if (result == FR_ERROR_UNSUPPORTED)
            skip();
        assert_int_equal(result, FR_OK);
        assert_int_equal(report.triangles, 4);
        assert_int_equal(report.open_edges + report.odd_edges, 0);
    }
}

static void test_empty_and_refused(void **state)
{
    (void)state;
    const fr_mesh nothing = {0};
    assert_int_equal(fr_mesh_write(in_workspace("none.ply"), &nothing), FR_OK);
    assert_int_equal(fr_mesh_write(in_workspace("none.stl"), &nothing), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), ".ply or .obj"));
    assert_int_equal(fr_mesh_write(in_workspace("nowhere/none.ply"), &nothing), FR_ERROR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ply),
        cmocka_unit_test(test_ply_attributes),
        cmocka_unit_test(test_obj),
        cmocka_unit_test(test_read_back),
        cmocka_unit_test(test_empty_and_refused),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
