/* NPY files, parsed by the test itself. */
#include "made_up_frame.h"

/* Checks the file against the field and returns nothing: every byte of it is accounted for. */
static void assert_npy(const char *path, const fr_field *field, int dims)
{
    size_t size;
    char shape[100];
    unsigned char *bytes = load_file(path, &size);
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00", 8);
    size_t header = 10 + bytes[8] + 256u * bytes[9];
    assert_int_equal(header % 64, 0);
    assert_int_equal(bytes[header - 1], '\n');
    snprintf(shape, sizeof shape, "(%d, %d)", (int)field->size[1], (int)field->size[0]);
    if (dims == 3)
        snprintf(shape, sizeof shape, "(%d, %d, %d)", (int)field->size[2], (int)field->size[1], (int)field->size[0]);
    char *text = calloc(header, 1);
    memcpy(text, bytes + 10, header - 11);
    assert_non_null(strstr(text, "'descr': '<f4'"));
    assert_non_null(strstr(text, "'fortran_order': False"));
    assert_non_null(strstr(text, shape));
    free(text);
    int64_t count = field->size[0] * field->size[1] * field->size[2], wrong = 0;
    assert_int_equal(size - header, 4 * count);
    const unsigned char *p = bytes + header;
    for (int64_t k = 0; k < field->size[2]; k++)
        for (int64_t j = 0; j < field->size[1]; j++)
            for (int64_t i = 0; i < field->size[0]; i++, p += 4)
                wrong += field_bits(field, i, j, k)
                    != (p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
    assert_int_equal(wrong, 0);
    free(bytes);
}

/* Checks a one-dimensional array of that type against its bytes (on a little-endian machine, as all we test on are). */
static void assert_array(const char *path, const char *type, const void *data, size_t bytes)
{
    size_t size;
    unsigned char *found = load_file(path, &size);
    size_t header = 10 + found[8] + 256u * found[9];
    char *text = calloc(header, 1);
    memcpy(text, found + 10, header - 11);
    assert_non_null(strstr(text, type));
    free(text);
    assert_int_equal(size - header, bytes);
    assert_memory_equal(found + header, data, bytes);
    free(found);
}

static void assert_ids(const char *path, const int64_t *ids, int64_t count)
{
    char type[64];
    snprintf(type, sizeof type, "'<i8', 'fortran_order': False, 'shape': (%d,)", (int)count);
    assert_array(path, type, ids, (size_t)count * sizeof *ids);
}

static void assert_row(const char *path, const float *row, int64_t count)
{
    char type[64];
    snprintf(type, sizeof type, "'<f4', 'fortran_order': False, 'shape': (%d,)", (int)count);
    assert_array(path, type, row, (size_t)count * sizeof *row);
}

static void check_frame(int nx, int ny, int nz)
{
    static const char *const files[MADE_UP_FIELDS] = {
        "u", "v", "w", "pressure", "density", "velocity", "a_b", "ink é .._x", "a_b_2",
    };
    made_up_frame made;
    made_up_frame_make(&made, nx, ny, nz);
    assert_int_equal(fr_npy_write_frame(in_workspace("npy/000007"), &made.frame), FR_OK);
    for (int i = 0; i < made.frame.field_count; i++) {
        char name[100];
        snprintf(name, sizeof name, "npy/000007/%s.npy", files[i < 2 || nz ? i : i + 1]);
        assert_npy(in_workspace(name), &made.fields[i], made.frame.dims);
    }
    const fr_field places = {.size = {3, made.frame.particle_count, 1}, .stride = {1, 4, 0}, .data = made.places[0]};
    assert_npy(in_workspace("npy/000007/particles.npy"), &places, 2);
    assert_true(is_there(in_workspace("npy/000007/particle_velocity.npy")));
    assert_ids(in_workspace("npy/000007/particle_id.npy"), made.ids, made.frame.particle_count);
    assert_row(in_workspace("npy/000007/particle_density.npy"), made.numbers[0], made.frame.particle_count);
    assert_row(in_workspace("npy/000007/particle_pressure.npy"), made.numbers[1], made.frame.particle_count);
    made_up_frame_free(&made);
}

static void test_frames(void **state)
{
    (void)state;
    check_frame(1, 1, 0);
    check_frame(7, 5, 0);
    check_frame(201, 130, 0);
    check_frame(3, 4, 5);
    check_frame(33, 17, 9);
}

static void test_odd_names(void **state)
{
    (void)state;
    float one = 1;
    char longest[400];
    memset(longest, 'n', sizeof longest);
    longest[sizeof longest - 1] = 0;
    fr_field fields[4];
    const char *const names[4] = {"", "..", longest, longest};
    for (int i = 0; i < 4; i++)
        fields[i] = (fr_field){names[i], "", FR_AT_CELL, {1, 1, 1}, {1, 1, 1}, &one};
    const fr_attribute attribute = {.name = "/../../outside", .data = &one};
    fr_frame frame = {.dims = 3,
                      .cells = {1, 1, 1},
                      .fields = fields,
                      .field_count = 4,
                      .has_particles = true,
                      .attributes = &attribute,
                      .attribute_count = 1};
    assert_int_equal(fr_make_folder(in_workspace("odd/particle_")), FR_OK);
    assert_int_equal(fr_npy_write_frame(in_workspace("odd"), &frame), FR_OK);
    assert_false(is_there(in_workspace("outside.npy")));
    assert_true(is_there(in_workspace("odd/particle__.._.._outside.npy")));
    assert_true(is_there(in_workspace("odd/_.npy")));
    assert_true(is_there(in_workspace("odd/_..npy")));
}

static void test_failures(void **state)
{
    (void)state;
    made_up_frame made;
    made_up_frame_make(&made, 20, 20, 20);
    store_text(in_workspace("a_file"), "x");
    assert_int_equal(fr_npy_write_frame(in_workspace("a_file/npy"), &made.frame), FR_ERROR_FILE);
    limit_files(5000);
    fr_result result = fr_npy_write_frame(in_workspace("full"), &made.frame);
    limit_files(RLIM_INFINITY);
    assert_int_equal(result, FR_ERROR_FILE);
    assert_message_has("u.npy: File too large");
    assert_false(is_there(in_workspace("full/u.npy")));
    assert_false(is_there(in_workspace("full/.freshet-draft-u.npy")));
    made_up_frame_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_odd_names),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, workspace_make, workspace_remove);
}
