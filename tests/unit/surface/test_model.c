/* Shapes as pictures show them: their meshes are closed, lie on the exact surface and enclose the exact volume. */
#include "support/check.h"

#include <freshet/surface.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By the divergence theorem. */
static double mesh_volume(const fr_mesh *mesh)
{
    double sum = 0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const float *a = mesh->vertices[mesh->triangles[t][0]], *b = mesh->vertices[mesh->triangles[t][1]],
                    *c = mesh->vertices[mesh->triangles[t][2]];
        sum += (double)a[0] * ((double)b[1] * c[2] - (double)b[2] * c[1]) +
               (double)a[1] * ((double)b[2] * c[0] - (double)b[0] * c[2]) +
               (double)a[2] * ((double)b[0] * c[1] - (double)b[1] * c[0]);
    }
    return sum / 6;
}

/* In a closed mesh the directed edges cancel: the sum of any function of them, odd in the direction, is 0. */
static double mesh_open(const fr_mesh *mesh)
{
    double sum = 0, size = 0;
    for (int64_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            double from = sin(1.0 + mesh->triangles[t][k]), to = sin(1.0 + mesh->triangles[t][(k + 1) % 3]);
            sum += from * to * (to - from);
            size += fabs(from * to * (to - from));
        }
    return fabs(sum) / size;
}

static void test_ball(void **state)
{
    (void)state;
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    fr_model model;
    ball.radius = 0.3;
    assert_ok(fr_model_create(&ball, 3, 0.0125, &model));
    const fr_mesh *mesh = &model.mesh;
    double worst = 0, turned = 0;
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->vertices[v], *n = mesh->normals[v];
        worst = fmax(worst, fabs(hypot(hypot((double)p[0], (double)p[1]), (double)p[2]) - 0.3));
        turned = fmax(turned, 1 - (p[0] * n[0] + p[1] * n[1] + p[2] * n[2]) / 0.3);
    }
    const double exact = 4.0 / 3 * acos(-1) * 0.027;
    print_message("ball: %lld triangles, vertices off by %.2g of the radius, normals by %.2g, volume %.5f\n",
                  (long long)mesh->triangle_count, worst / 0.3, turned, mesh_volume(mesh) / exact);
    assert_below(worst / 0.3, 1e-5);
    assert_below(turned, 1e-4);
    assert_near(mesh_volume(mesh) / exact, 1, 2e-3);
    assert_near(model.volume / exact, 1, 0.01);
    assert_below(mesh_open(mesh), 1e-9);
    fr_model_destroy(&model);
}

/* Edges are cut off by at most half a cell, which is much of the rim of a plate. */
static void test_box_and_plate(void **state)
{
    (void)state;
    for (int thin = 0; thin < 2; thin++) {
        fr_shape_def box = fr_default_shape(FR_SHAPE_BOX);
        const double half[3] = {0.2, thin ? 0.002 : 0.1, 0.15};
        fr_model model;
        for (int a = 0; a < 3; a++) {
            box.min[a] = -half[a];
            box.max[a] = half[a];
        }
        assert_ok(fr_model_create(&box, 3, 0.4 / 64, &model));
        const double exact = 8 * half[0] * half[1] * half[2];
        print_message("box %g thick: volume %.4f of the exact one\n", 2 * half[1], mesh_volume(&model.mesh) / exact);
        assert_near(mesh_volume(&model.mesh) / exact, 1, 0.5 * 4 / 64);
        assert_below(mesh_open(&model.mesh), 1e-9);
        for (int a = 0; a < 3; a++)
            assert_near(model.size[a], 2 * half[a], 1e-9);
        fr_model_destroy(&model);
    }
}

/* Inside, outside and beyond the lattice. */
static void test_distance(void **state)
{
    (void)state;
    fr_shape_def ball = fr_default_shape(FR_SHAPE_SPHERE);
    ball.radius = 0.3;
    for (int dims = 2; dims <= 3; dims++) {
        fr_model model;
        assert_ok(fr_model_create(&ball, dims, 0.02, &model));
        const double far[] = {0.1, 0.25, 0.3, 0.31, 2, 100};
        for (int i = 0; i < 6; i++) {
            float d = fr_model_distance(&model, (const double[3]){far[i] * 0.6, far[i] * 0.8, 0});
            assert_near((double)d, far[i] - 0.3, far[i] > 0.32 ? 0.1 * far[i] : 2e-3);
        }
        assert_int_equal(model.mesh.triangle_count > 0, dims == 3);
        assert_near(model.volume / (dims == 3 ? 4.0 / 3 * acos(-1) * 0.027 : acos(-1) * 0.09), 1, 0.01);
        fr_model_destroy(&model);
    }
}

static int calls;

static fr_result lump(void *context, const double *args, double *out)
{
    (void)context;
    calls++;
    *out = hypot(hypot(args[0], args[1]), args[2]) - 0.2;
    return FR_OK;
}

static fr_result broken(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[0];
    return fr_fail(FR_ERROR_INPUT, "the function fails");
}

/* A user's function in a box has an end; without one it has none. Its failures come through. */
static void test_functions(void **state)
{
    (void)state;
    fr_shape_def made = fr_default_shape(FR_SHAPE_SDF), box = fr_default_shape(FR_SHAPE_BOX),
                 cut = fr_default_shape(FR_SHAPE_INTERSECTION);
    const fr_shape_def *const parts[2] = {&made, &box};
    fr_model model;
    made.function = lump;
    for (int a = 0; a < 3; a++) {
        box.min[a] = -0.3;
        box.max[a] = 0.3;
    }
    cut.children = parts;
    cut.child_count = 2;
    assert_ok(fr_model_create(&cut, 3, 0.02, &model));
    assert_true(calls > 1000);
    assert_near(mesh_volume(&model.mesh) / (4.0 / 3 * acos(-1) * 0.008), 1, 0.01);
    fr_model_destroy(&model);
    assert_int_equal(fr_model_create(&made, 3, 0.02, &model), FR_ERROR_INPUT);
    made.function = broken;
    assert_int_equal(fr_model_create(&cut, 3, 0.02, &model), FR_ERROR_INPUT);
}

static void test_threads(void **state)
{
    (void)state;
    fr_shape_def torus = fr_default_shape(FR_SHAPE_TORUS);
    torus.radius = 0.3;
    torus.tube = 0.1;
    fr_model model[2];
    for (int i = 0; i < 2; i++) {
        fr_set_threads(i ? 3 : 1);
        assert_ok(fr_model_create(&torus, 3, 0.02, &model[i]));
    }
    assert_int_equal(model[0].mesh.vertex_count, model[1].mesh.vertex_count);
    size_t bytes = (size_t)model[0].mesh.vertex_count * sizeof *model[0].mesh.vertices;
    assert_memory_equal(model[0].mesh.vertices, model[1].mesh.vertices, bytes);
    assert_memory_equal(model[0].mesh.normals, model[1].mesh.normals, bytes);
    for (int i = 0; i < 2; i++)
        fr_model_destroy(&model[i]);
}

/* A point of the shape goes to position + R (c − centre). */
static void test_place(void **state)
{
    (void)state;
    const double half = sqrt(0.5);
    fr_body_state body = {.centre = {1, 0, 0}, .position = {5, 6, 7}, .rotation = {half, 0, 0, half}};
    double turn[3][3], at[3], exact[3] = {5, 7, 7};
    fr_body_place(&body, turn, at);
    for (int a = 0; a < 3; a++) /* (2, 0, 0) is one to the right of the centre; a quarter turn about z: above it */
        assert_near(2 * turn[a][0] + at[a], exact[a], 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball),     cmocka_unit_test(test_box_and_plate),
                                       cmocka_unit_test(test_distance), cmocka_unit_test(test_functions),
                                       cmocka_unit_test(test_threads),  cmocka_unit_test(test_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
