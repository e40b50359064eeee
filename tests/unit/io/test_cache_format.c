/* What a cache file looks like to others, and what the reader says to whole files that do not fit the format. */
#include "made_up_frame.h"

#if __has_include(<hdf5.h>)
#include <hdf5.h>

#include "io/seal.h"

static const char *path;

static void write_frame(int nz)
{
    made_up_frame made;
    made_up_frame_make(&made, 6, 5, nz);
    assert_int_equal(fr_cache_write(path, &made.frame), FR_OK);
    made_up_frame_free(&made);
}

static int make_file(void **state)
{
    (void)state;
    path = in_workspace("format.h5");
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    write_frame(4);
    return 0;
}

/* Opens the file to be changed: without its seal, which seal_again puts back. */
static hid_t unseal(void)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(truncate(path, info.st_size - 32), 0);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void seal_again(hid_t file)
{
    file_draft draft;
    size_t size;
    assert_true(H5Fclose(file) >= 0);
    unsigned char *bytes = load_file(path, &size);
    assert_int_equal(file_begin(&draft, path), FR_OK);
    file_put(&draft, bytes, size);
    seal_write(&draft.bytes, (seal){SEAL_CACHE, 7});
    assert_int_equal(file_commit(&draft, false), FR_OK);
    free(bytes);
}

static void expect_refusal(const char *message)
{
    fr_cached_frame *cached;
    assert_int_equal(fr_cache_read(path, &cached), FR_ERROR_FILE);
    assert_null(cached);
    assert_message_has(message);
    assert_message_has("format.h5");
}

static void test_lost_attributes(void **state)
{
    (void)state;
    static const char *const lost[][2] = {
        {"/freshet", "format"}, {"/freshet", "frame"}, {"/freshet", "time"}, {"/freshet", "dims"},
        {"/freshet", "cells"}, {"/freshet", "origin"}, {"/freshet", "spacing"}, {"/freshet", "periodic"},
        {"/freshet", "has_obstacles"}, {"/freshet", "fields"}, {"/freshet", "ledger_values"},
        {"/freshet/fields/0000", "name"}, {"/freshet/fields/0003", "unit"}, {"/freshet/fields/0008", "location"},
    };
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        write_frame(4);
        hid_t file = unseal();
        assert_true(H5Adelete_by_name(file, lost[i][0], lost[i][1], H5P_DEFAULT) >= 0);
        seal_again(file);
        expect_refusal(lost[i][1]);
    }
}

static void change(const char *object, const char *name, hid_t type, hsize_t count, const void *value)
{
    hid_t file = unseal(), space = H5Screate_simple(1, &count, NULL);
    assert_true(H5Adelete_by_name(file, object, name, H5P_DEFAULT) >= 0);
    hid_t attribute = H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, type, value) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    seal_again(file);
}

static void test_senseless_values(void **state)
{
    (void)state;
    const int64_t big[3] = {1LL << 40, 1LL << 40, 1LL << 40}, wrong[3] = {6, 5, 5}, zero[3] = {0, 5, 4};
    const int64_t minus = -1, nine = 9;
    const double nan[3] = {NAN, 0, 0};
    change("/freshet", "cells", H5T_NATIVE_INT64, 3, big);
    expect_refusal("grid makes no sense");
    write_frame(4), change("/freshet", "cells", H5T_NATIVE_INT64, 3, zero);
    expect_refusal("grid makes no sense");
    write_frame(4), change("/freshet", "cells", H5T_NATIVE_INT64, 3, wrong);
    expect_refusal("size or type");
    write_frame(4), change("/freshet", "cells", H5T_NATIVE_INT64, 2, wrong);
    expect_refusal("'cells'");
    write_frame(4), change("/freshet", "cells", H5T_NATIVE_DOUBLE, 3, nan);
    expect_refusal("'cells'");
    write_frame(4), change("/freshet", "dims", H5T_NATIVE_INT64, 1, &nine);
    expect_refusal("number of dimensions");
    write_frame(4), change("/freshet", "fields", H5T_NATIVE_INT64, 1, &minus);
    expect_refusal("number of fields");
    write_frame(4), change("/freshet", "format", H5T_NATIVE_INT64, 1, &nine);
    expect_refusal("format 9");
    write_frame(4), change("/freshet", "origin", H5T_NATIVE_DOUBLE, 3, nan);
    expect_refusal("grid");
    write_frame(4), change("/freshet/fields/0001", "location", H5T_NATIVE_INT64, 1, &nine);
    expect_refusal("location");
}

static void test_lost_objects(void **state)
{
    (void)state;
    hid_t file = unseal();
    assert_true(H5Ldelete(file, "/freshet/fields/0002", H5P_DEFAULT) >= 0);
    seal_again(file);
    expect_refusal("0002");
    write_frame(4);
    file = unseal();
    assert_true(H5Ldelete(file, "/freshet", H5P_DEFAULT) >= 0);
    seal_again(file);
    expect_refusal("freshet");
    write_frame(4);
    hid_t open = unseal();
    assert_true(H5Fclose(open) >= 0);
    expect_refusal("not a file of Freshet");
}

/* What vtkHDFReader looks for. */
static void check_vtk(int nz)
{
    char type[32] = "";
    int extent[6];
    write_frame(nz);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t attribute = H5Aopen_by_name(file, "/VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
    hid_t stored = H5Aget_type(attribute);
    assert_true(H5Tget_cset(stored) == H5T_CSET_ASCII && H5Tis_variable_str(stored) == 0 && H5Tget_size(stored) < 32);
    assert_true(H5Aread(attribute, stored, type) >= 0);
    assert_string_equal(type, "ImageData");
    H5Tclose(stored);
    H5Aclose(attribute);
    attribute = H5Aopen_by_name(file, "/VTKHDF", "WholeExtent", H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT, extent) >= 0);
    assert_memory_equal(extent, ((int[6]){0, 5, 0, 4, 0, nz ? nz - 1 : 1}), sizeof extent);
    H5Aclose(attribute);
    H5Fclose(file);
}

/* Every layer of velocity is the mean of the faces; a 2D frame shows two equal layers. */
static void check_velocity(int nz)
{
    made_up_frame made;
    float velocity[4][5][6][3];
    made_up_frame_make(&made, 6, 5, nz);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "/VTKHDF/PointData/velocity", H5P_DEFAULT);
    assert_true(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, velocity) >= 0);
    H5Dclose(dataset);
    assert_true(H5Lexists(file, "/VTKHDF/PointData/velocity_2", H5P_DEFAULT) > 0);
    assert_true(H5Lexists(file, "/VTKHDF/PointData/a_b_2", H5P_DEFAULT) > 0);
    assert_true(H5Lexists(file, "/freshet/faces/u", H5P_DEFAULT) > 0);
    H5Fclose(file);
    for (int k = 0; k < (nz ? nz : 2); k++)
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 6; i++)
                for (int a = 0; a < 3; a++) {
                    const fr_field *f = &made.fields[a];
                    const float *at = f->data + i * f->stride[0] + j * f->stride[1] + k * f->stride[2];
                    float mean = a < made.frame.dims ? 0.5f * (at[0] + at[f->stride[a]]) : 0;
                    assert_true(velocity[k][j][i][a] == mean);
                }
    made_up_frame_free(&made);
}

static void test_for_vtk(void **state)
{
    (void)state;
    check_vtk(4);
    check_velocity(4);
    check_vtk(0);
    check_velocity(0);
}

/* A field of finer cells has an image of its own: the same box in finer spacing. */
static void check_refined(int nz)
{
    made_up_frame coarse, fine;
    made_up_frame_make(&coarse, 6, 5, nz);
    made_up_frame_make(&fine, 18, 15, 3 * nz);
    fr_field mixed[2] = {coarse.fields[4], fine.fields[nz ? 3 : 2]};
    fr_frame frame = coarse.frame;
    frame.fields = mixed;
    frame.field_count = 2;
    assert_int_equal(fr_cache_write(path, &frame), FR_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(H5Lexists(file, "/VTKHDF_3/PointData/pressure", H5P_DEFAULT) > 0);
    assert_true(H5Lexists(file, "/VTKHDF/PointData/pressure", H5P_DEFAULT) == 0);
    int extent[6];
    double origin[3], spacing[3];
    const char *const names[3] = {"WholeExtent", "Origin", "Spacing"};
    void *const values[3] = {extent, origin, spacing};
    for (int i = 0; i < 3; i++) {
        hid_t attribute = H5Aopen_by_name(file, "/VTKHDF_3", names[i], H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Aread(attribute, i ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, values[i]) >= 0);
        H5Aclose(attribute);
    }
    H5Fclose(file);
    assert_memory_equal(extent, ((int[6]){0, 17, 0, 14, 0, nz ? 3 * nz - 1 : 1}), sizeof extent);
    for (int a = 0; a < frame.dims; a++) {
        assert_true(fabs(spacing[a] - frame.spacing[a] / 3) < 1e-12);
        assert_true(fabs(origin[a] - (frame.origin[a] + frame.spacing[a] / 6)) < 1e-12);
    }
    const int64_t senseless = 0;
    change("/freshet/fields/0001", "refine", H5T_NATIVE_INT64, 1, &senseless);
    expect_refusal("refinement");
    made_up_frame_free(&coarse);
    made_up_frame_free(&fine);
}

static void test_refined_fields_for_vtk(void **state)
{
    (void)state;
    check_refined(4);
    check_refined(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_refined_fields_for_vtk, make_file),
        cmocka_unit_test_setup(test_lost_attributes, make_file),
        cmocka_unit_test_setup(test_senseless_values, make_file),
        cmocka_unit_test_setup(test_lost_objects, make_file),
        cmocka_unit_test_setup(test_for_vtk, make_file),
    };
    return without_hdf5() ? 0 : cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
#else
int main(void)
{
    return 0;
}
#endif
