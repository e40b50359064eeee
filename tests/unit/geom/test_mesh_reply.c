/* The reply of the process that reads a mesh: a mesh arrives unchanged, and invalid data are rejected. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "geom/mesh_parts.h"
#include "support/check.h"

static double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {9, 9, 9}};
static int faces[2][3] = {{0, 1, 2}, {2, 1, 0}};

enum { MOST_BYTES = 1000 };

static fr_result receive(int pipe, mesh *out, bool *answered)
{
    fr_result result = mesh_reply_receive(pipe, clock_now() + 5, MOST_BYTES, out, answered);
    close(pipe);
    return result;
}

/* Sends `m` and closes the pipe after `bytes`, or when all is sent. */
static fr_result pass(const mesh *m, size_t bytes, mesh *out, bool *answered)
{
    int whole[2], cut[2];
    char buffer[8192];
    assert_int_equal(pipe(whole), 0);
    assert_int_equal(pipe(cut), 0);
    mesh_reply_send(whole[1], FR_OK, m);
    close(whole[1]);
    ssize_t size = read(whole[0], buffer, sizeof buffer);
    assert_true(size > 0);
    bytes = bytes < (size_t)size ? bytes : (size_t)size;
    assert_int_equal(write(cut[1], buffer, bytes), bytes);
    close(whole[0]);
    close(cut[1]);
    return receive(cut[0], out, answered);
}

static void refused(const mesh *m, size_t bytes)
{
    mesh out;
    bool answered;
    assert_int_equal(pass(m, bytes, &out, &answered), FR_ERROR_FILE);
    assert_false(answered);
    mesh_free(&out);
}

static void test_a_mesh_arrives(void **state)
{
    (void)state;
    mesh m = {.vertex_count = 4, .triangle_count = 2, .vertices = corners, .triangles = faces}, out;
    bool answered;
    assert_ok(pass(&m, SIZE_MAX, &out, &answered));
    assert_true(answered);
    assert_int_equal(out.vertex_count, 4);
    assert_int_equal(out.triangle_count, 2);
    assert_memory_equal(out.vertices, corners, sizeof corners);
    assert_memory_equal(out.triangles, faces, sizeof faces);
    /* the last corner is no triangle's */
    assert_true(out.bounds.min[0] == 0 && out.bounds.max[0] == 1 && out.bounds.max[1] == 2 && out.bounds.max[2] == 0);
    mesh_free(&out);
}

static void test_failures_arrive(void **state)
{
    (void)state;
    int ends[2];
    mesh out;
    bool answered;
    assert_int_equal(pipe(ends), 0);
    mesh_reply_send(ends[1], fr_fail(FR_ERROR_FILE, "no %s", "luck"), NULL);
    close(ends[1]);
    assert_int_equal(receive(ends[0], &out, &answered), FR_ERROR_FILE);
    assert_true(answered);
    assert_string_equal(fr_error_message(), "no luck");
}

static void test_half_a_mesh_is_none(void **state)
{
    (void)state;
    mesh m = {.vertex_count = 4, .triangle_count = 2, .vertices = corners, .triangles = faces};
    const size_t head = 3 * 4 + 1024, all = head + sizeof corners + sizeof faces;
    for (size_t bytes = 0; bytes < all; bytes += bytes + 7 < head || bytes + 7 >= all ? 1 : 7)
        refused(&m, bytes);
}

static void test_nonsense_is_no_mesh(void **state)
{
    (void)state;
    double strange[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, NAN}};
    int below[][3] = {{0, 1, -1}}, above[][3] = {{0, 1, 4}};
    refused(&(mesh){.vertex_count = 3, .triangle_count = 1, .vertices = strange, .triangles = faces}, SIZE_MAX);
    strange[2][2] = MESH_LARGEST;
    refused(&(mesh){.vertex_count = 3, .triangle_count = 1, .vertices = strange, .triangles = faces}, SIZE_MAX);
    refused(&(mesh){.vertex_count = 4, .triangle_count = 1, .vertices = corners, .triangles = below}, SIZE_MAX);
    refused(&(mesh){.vertex_count = 4, .triangle_count = 1, .vertices = corners, .triangles = above}, SIZE_MAX);
    refused(&(mesh){.vertex_count = 4, .triangle_count = 0, .vertices = corners, .triangles = faces}, SIZE_MAX);
}

static void test_more_than_allowed_is_no_mesh(void **state)
{
    (void)state;
    int many[MOST_BYTES / sizeof(int[3])][3] = {{0}};
    int count = (int)(sizeof many / sizeof many[0]);
    refused(&(mesh){.vertex_count = 4, .triangle_count = count, .vertices = corners, .triangles = many}, SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mesh_arrives),
        cmocka_unit_test(test_failures_arrive),
        cmocka_unit_test(test_half_a_mesh_is_none),
        cmocka_unit_test(test_nonsense_is_no_mesh),
        cmocka_unit_test(test_more_than_allowed_is_no_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
