/* The layout of a cache file, and the reader's messages for undamaged files that violate the format. That other HDF5
   readers can open caches is tested by tests/cli/test_hdf5.py. */
#include "made_up_frame.h"

#include "io/h5read.h"
#include "io/numbers.h"
#include "io/pack.h"

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
    write_frame(4);
    return 0;
}

/* Opens the object at "a/b/c"; freed with h5_release. */
static void open_object(h5_source *h5, const char *names, h5_object *object)
{
    char copy[128];
    snprintf(copy, sizeof copy, "%s", names);
    assert_int_equal(h5_open_root(h5, object), FR_OK);
    for (char *name = strtok(copy, "/"); name; name = strtok(NULL, "/")) {
        h5_object child;
        assert_int_equal(h5_open_child(h5, object, name, &child), FR_OK);
        h5_release(object);
        *object = child;
    }
}

/* Where in the file the object's text begins, an attribute's or link's name. */
static size_t find_text(const char *names, const char *text)
{
    h5_source h5;
    h5_object object;
    size_t length = strlen(text), at = 0;
    assert_int_equal(h5_open(&h5, path, SEAL_CACHE), FR_OK);
    open_object(&h5, names, &object);
    while (at + length < object.count && memcmp(object.messages + at, text, length) != 0)
        at++;
    assert_true(at + length < object.count);
    at += (size_t)object.address;
    h5_release(&object);
    h5_close(&h5);
    return at;
}

static void store_sealed(const unsigned char *bytes, size_t size)
{
    file_draft draft;
    assert_int_equal(file_begin(&draft, path), FR_OK);
    file_put(&draft, bytes, size);
    seal_write(&draft.bytes, (seal){SEAL_CACHE, 7});
    assert_int_equal(file_commit(&draft, false), FR_OK);
}

/* Changes bytes of the file and seals it again. */
static void change_bytes(size_t at, const void *changed, size_t count)
{
    size_t size;
    unsigned char *bytes = load_file(path, &size);
    memcpy(bytes + at, changed, count);
    store_sealed(bytes, size - 32);
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
        {"freshet", "format"}, {"freshet", "can"}, {"freshet", "frame"}, {"freshet", "time"}, {"freshet", "dims"},
        {"freshet", "cells"}, {"freshet", "origin"}, {"freshet", "spacing"}, {"freshet", "periodic"},
        {"freshet", "has_obstacles"}, {"freshet", "fields"}, {"freshet", "ledger_values"},
        {"freshet/fields/0000", "name"}, {"freshet/fields/0003", "unit"}, {"freshet/fields/0008", "location"},
        {"freshet/particles/attributes/0001", "name"},
    };
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        write_frame(4);
        change_bytes(find_text(lost[i][0], lost[i][1]), "#", 1);
        expect_refusal(lost[i][1]);
    }
}

/* A body that is nowhere, or is turned by no rotation, is refused: nobody who draws it looks. */
static void test_bodies_that_make_no_sense(void **state)
{
    (void)state;
    static const char *const parts[] = {"centre", "position", "rotation", "velocity", "spin", "temperature", "present"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        write_frame(4);
        change_bytes(find_text("freshet/bodies", parts[i]), "#", 1);
        expect_refusal(parts[i]);
    }
    made_up_frame made;
    made_up_frame_make(&made, 6, 5, 4);
    const double good = made.bodies[1].rotation[0];
    const struct { double *number, bad; } spoilt[] = {
        {&made.bodies[0].position[2], NAN},    {&made.bodies[2].centre[0], INFINITY},
        {&made.bodies[1].rotation[0], good + 0.1}, {&made.bodies[1].rotation[0], NAN},
        {&made.bodies[1].velocity[1], -INFINITY}, {&made.bodies[2].spin[0], NAN},
        {&made.bodies[2].temperature, INFINITY},
    };
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
        const double kept = *spoilt[i].number;
        *spoilt[i].number = spoilt[i].bad;
        assert_int_equal(fr_cache_write(path, &made.frame), FR_OK);
        expect_refusal("place of a body");
        *spoilt[i].number = kept;
    }
    made_up_frame_free(&made);
}

/* Where these bytes of a dataset's header are in the file; without any, where its values begin. */
static size_t find_in_dataset(const char *names, const unsigned char *bytes, size_t count)
{
    h5_source h5;
    h5_object object;
    h5_array array;
    size_t at = 0;
    assert_int_equal(h5_open(&h5, path, SEAL_CACHE), FR_OK);
    open_object(&h5, names, &object);
    assert_int_equal(h5_get_array(&h5, &object, &array), FR_OK);
    while (count > 0 && at + count < object.count && memcmp(object.messages + at, bytes, count) != 0)
        at++;
    assert_true(at + count < object.count || count == 0);
    at = count > 0 ? (size_t)object.address + at : (size_t)array.address;
    h5_release(&object);
    h5_close(&h5);
    return at;
}

/* One dataset says something else than the others. */
static void test_bodies_half_there(void **state)
{
    (void)state;
    static const unsigned char three_by_three[16] = {3, 0, 0, 0, 0, 0, 0, 0, 3};
    write_frame(4);
    change_bytes(find_in_dataset("freshet/bodies/present", NULL, 0), "\2", 1);
    expect_refusal("present");
    write_frame(4);
    change_bytes(find_in_dataset("freshet/bodies/spin", three_by_three, sizeof three_by_three), "\2", 1);
    expect_refusal("");
    write_frame(4);
    change_bytes(find_in_dataset("freshet/bodies/centre", three_by_three, sizeof three_by_three), "\2", 1);
    expect_refusal("");
}

enum { NUMBER_TYPE = 12, REAL_TYPE = 20, ROW = 16 /* bytes of descriptions: an int64, a double, one index */ };

/* Where the values of an attribute begin, behind its name and descriptions. */
static size_t find_values(const char *names, const char *name, size_t type_bytes)
{
    return find_text(names, name) + strlen(name) + 1 + type_bytes + ROW;
}

static void change_integers(const char *names, const char *name, const int64_t *values, int count)
{
    unsigned char stored[3 * 8];
    for (int i = 0; i < count; i++)
        number_store(stored + 8 * i, (uint64_t)values[i], 8);
    write_frame(4);
    change_bytes(find_values(names, name, NUMBER_TYPE), stored, 8 * (size_t)count);
}

static void test_senseless_values(void **state)
{
    (void)state;
    const int64_t big[3] = {1LL << 40, 1LL << 40, 1LL << 40}, wrong[3] = {6, 5, 5}, zero[3] = {0, 5, 4};
    const int64_t minus = -1, nine = 9, one = 1, bent = FR_FRAME_BENT, surface = FR_FRAME_SURFACE;
    change_integers("freshet", "cells", big, 3), expect_refusal("grid is not valid");
    change_integers("freshet", "cells", zero, 3), expect_refusal("grid is not valid");
    change_integers("freshet", "cells", wrong, 3), expect_refusal("size or type");
    change_integers("freshet", "dims", &nine, 1), expect_refusal("number of dimensions");
    change_integers("freshet", "fields", &minus, 1), expect_refusal("number of fields");
    change_integers("freshet", "can", &minus, 1), expect_refusal("abilities");
    change_integers("freshet", "can", &bent, 1), expect_refusal("abilities");
    change_integers("freshet", "can", &surface, 1), expect_refusal("abilities");
    change_integers("freshet", "format", &nine, 1), expect_refusal("format 9");
    change_integers("freshet", "format", &one, 1), expect_refusal("format 1");
    change_integers("freshet/fields/0001", "location", &nine, 1), expect_refusal("location");
    change_integers("freshet/particles", "attributes", &minus, 1), expect_refusal("number of attributes");
    write_frame(4);
    change_bytes(find_values("freshet", "origin", REAL_TYPE), (unsigned char[8]){0, 0, 0, 0, 0, 0, 0xF8, 0x7F}, 8);
    expect_refusal("grid");
}

/* Values of another type or number than they should be. */
static void test_other_kinds(void **state)
{
    (void)state;
    change_bytes(find_text("freshet", "cells") + strlen("cells") + 1, "\x11", 1);
    expect_refusal("'cells'");
    write_frame(4);
    change_bytes(find_values("freshet", "cells", NUMBER_TYPE) - 8, "\x02", 1);
    expect_refusal("'cells'");
}

static void test_lost_objects(void **state)
{
    (void)state;
    size_t size;
    change_bytes(find_text("freshet/fields", "0002"), "0_02", 4);
    expect_refusal("0002");
    write_frame(4);
    change_bytes(find_text("", "freshet"), "#", 1);
    expect_refusal("freshet");
    write_frame(4);
    unsigned char *bytes = load_file(path, &size);
    store_file(path, bytes, size - 32);
    expect_refusal("not a file of Freshet");
    free(bytes);
}

/* A file of the first version is known by its seal. */
static void test_old_files(void **state)
{
    (void)state;
    size_t size;
    unsigned char *bytes = load_file(path, &size);
    bytes[size - 24] = 1;
    store_file(path, bytes, size);
    expect_refusal("Freshet 0.1.0");
    assert_message_has("run the scene again");
    free(bytes);
}

/* A file may be whole by its checksum and make no sense at all. */
static void test_any_bytes_under_a_seal(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int nz = 0; nz < 5; nz += 4) {
        size_t size;
        write_frame(nz);
        unsigned char *whole = load_file(path, &size), *bytes = malloc(size);
        for (int i = 0; i < 3000; i++) {
            fr_cached_frame *cached;
            memcpy(bytes, whole, size);
            for (uint32_t n = 1 + test_random(&seed) % 4; n > 0; n--)
                bytes[test_random(&seed) % (size - 32)] =
                    (unsigned char)(n % 2 ? 255 * (test_random(&seed) % 2) : test_random(&seed));
            store_sealed(bytes, i % 10 ? size - 32 : test_random(&seed) % (size - 32));
            fr_result result = fr_cache_read(path, &cached);
            if (result == FR_OK)
                fr_cached_frame_destroy(cached);
            else     /* unsupported: a chunk is said to be compressed, and this build has no zlib */
                assert_true((result == FR_ERROR_FILE || result == FR_ERROR_MEMORY || result == FR_ERROR_UNSUPPORTED) &&
                            *fr_error_message());
        }
        free(whole);
        free(bytes);
    }
}

/* What vtkHDFReader looks for. */
static void check_vtk(int nz)
{
    h5_source h5;
    h5_object image;
    arena texts = {0};
    const char *type;
    int64_t extent[6];
    write_frame(nz);
    assert_int_equal(h5_open(&h5, path, SEAL_CACHE), FR_OK);
    open_object(&h5, "VTKHDF", &image);
    assert_int_equal(h5_get_text(&h5, &image, "Type", &texts, &type), FR_OK);
    assert_string_equal(type, "ImageData");
    assert_int_equal(h5_get_integers(&h5, &image, "WholeExtent", extent, 6), FR_OK);
    assert_memory_equal(extent, ((int64_t[6]){0, 5, 0, 4, 0, nz ? nz - 1 : 1}), sizeof extent);
    h5_release(&image);
    open_object(&h5, "VTKHDF/PointData", &image);
    assert_true(h5_has_child(&image, "velocity_2") && h5_has_child(&image, "a_b_2"));
    h5_release(&image);
    open_object(&h5, "freshet/faces", &image);
    assert_true(h5_has_child(&image, "u"));
    h5_release(&image);
    h5_close(&h5);
    arena_free(&texts);
}

/* A 2D frame shows two equal layers, which are the same bytes. */
static void test_two_layers(void **state)
{
    (void)state;
    h5_source h5;
    h5_object dataset;
    h5_array array;
    h5_chunk *chunks;
    int64_t count;
    write_frame(0);
    assert_int_equal(h5_open(&h5, path, SEAL_CACHE), FR_OK);
    open_object(&h5, "VTKHDF/PointData/velocity", &dataset);
    assert_int_equal(h5_get_array(&h5, &dataset, &array), FR_OK);
    assert_memory_equal(array.size, ((int64_t[4]){2, 5, 6, 3}), sizeof array.size);
    assert_int_equal(h5_get_chunks(&h5, &array, &chunks, &count), FR_OK);
    assert_int_equal(count, 2);
    assert_int_equal(chunks[1].at[0], 1);
    assert_int_equal(chunks[0].address, chunks[1].address);
    free(chunks);
    h5_release(&dataset);
    h5_close(&h5);
}

static void test_for_vtk(void **state)
{
    (void)state;
    check_vtk(4);
    check_vtk(0);
}

static void check_image(const fr_frame *frame, int nz)
{
    h5_source h5;
    h5_object image, centres;
    int64_t extent[6];
    double origin[3], spacing[3];
    assert_int_equal(h5_open(&h5, path, SEAL_CACHE), FR_OK);
    open_object(&h5, "VTKHDF_3", &image);
    assert_int_equal(h5_get_integers(&h5, &image, "WholeExtent", extent, 6), FR_OK);
    assert_int_equal(h5_get_reals(&h5, &image, "Origin", origin, 3), FR_OK);
    assert_int_equal(h5_get_reals(&h5, &image, "Spacing", spacing, 3), FR_OK);
    assert_memory_equal(extent, ((int64_t[6]){0, 17, 0, 14, 0, nz ? 3 * nz - 1 : 1}), sizeof extent);
    for (int a = 0; a < frame->dims; a++) {
        assert_true(fabs(spacing[a] - frame->spacing[a] / 3) < 1e-12);
        assert_true(fabs(origin[a] - (frame->origin[a] + frame->spacing[a] / 6)) < 1e-12);
    }
    h5_release(&image);
    open_object(&h5, "VTKHDF_3/PointData", &centres);
    assert_true(h5_has_child(&centres, "pressure"));
    h5_release(&centres);
    open_object(&h5, "VTKHDF/PointData", &centres);
    assert_false(h5_has_child(&centres, "pressure"));
    h5_release(&centres);
    h5_close(&h5);
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
    check_image(&frame, nz);
    change_bytes(find_values("freshet/fields/0001", "refine", NUMBER_TYPE), "\0", 1);
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
        cmocka_unit_test_setup(test_bodies_that_make_no_sense, make_file),
        cmocka_unit_test_setup(test_bodies_half_there, make_file),
        cmocka_unit_test_setup(test_senseless_values, make_file),
        cmocka_unit_test_setup(test_other_kinds, make_file),
        cmocka_unit_test_setup(test_lost_objects, make_file),
        cmocka_unit_test_setup(test_old_files, make_file),
        cmocka_unit_test_setup(test_any_bytes_under_a_seal, make_file),
        cmocka_unit_test_setup(test_two_layers, make_file),
        cmocka_unit_test_setup(test_for_vtk, make_file),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
