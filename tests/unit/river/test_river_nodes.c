/* The sources of a river's nodes: a function, a table, an array; and the messages for invalid ones. */
#define _XOPEN_SOURCE 700
#include "river/model.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "support/check.h"

static char path[] = "/tmp/freshet_nodes_XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void store(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static fr_result read_nodes(int dims, double **nodes)
{
    fr_scene_def def = {.river = {.cells = {2, 1, dims == 3 ? 1 : 0}, .nodes = path}};
    return river_nodes(&def, nodes);
}

/* Node (i, j, k) of 3 x 2 (x 2). */
static void assert_places(const double *nodes, int dims)
{
    for (int n = 0; n < (dims == 3 ? 12 : 6); n++) {
        assert_near(nodes[3 * n], n % 3 + 0.5, 0);
        assert_near(nodes[3 * n + 1], n / 3 % 2 - 0.25, 0);
        assert_near(nodes[3 * n + 2], dims == 3 ? 8.0 * (n / 6) : 0, 0);
    }
}

static void assert_reads(const char *text, int dims)
{
    double *nodes;
    store(text, strlen(text));
    assert_ok(read_nodes(dims, &nodes));
    assert_places(nodes, dims);
    memory_free(nodes);
}

static void assert_refused(const void *bytes, size_t size, const char *why)
{
    double *nodes;
    store(bytes, size);
    assert_int_equal(read_nodes(2, &nodes), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "river.nodes");
    if (!strstr(fr_error_message(), why))
        fail_msg("\"%s\" does not have \"%s\"", fr_error_message(), why);
}

static void assert_text_refused(const char *text, const char *why)
{
    assert_refused(text, strlen(text), why);
}

static const char plain[] = "0.5,-0.25\n1.5,-0.25\n2.5,-0.25\n0.5,0.75\n1.5,0.75\n2.5,0.75\n";

static void test_tables_in_order(void **state)
{
    (void)state;
    assert_reads(plain, 2);
    assert_reads("x,y\n0.5,-0.25\n1.5,-0.25\n2.5,-0.25\n0.5,0.75\n1.5,0.75\n2.5,0.75", 2);
    assert_reads("\xEF\xBB\xBF# a creek\r\n X , Y \r\n0.5, "
                 "-0.25\r\n1.5,-.25\r\n25e-1,-0.25\r\n\r\n0.5,0.75\r\n1.5,0.75\r\n2.5,0.75\r\n\r\n\r\n",
                 2);
    assert_reads("y,name,x\n-0.25,a,0.5\n-0.25,b,1.5\n-0.25,,2.5\n0.75,d,0.5\n0.75,e,1.5\n0.75,f,2.5\n", 2);
}

static void test_tables_with_indices(void **state)
{
    (void)state;
    assert_reads("2,1,2.5,0.75\n0,0,0.5,-0.25\n1,0,1.5,-0.25\n2,0,2.5,-0.25\n\n1,1,1.5,0.75\n0,1,0.5,0.75\n", 2);
    assert_reads("x,y,j,i\n2.5,0.75,1,2\n0.5,-0.25,0,0\n1.5,-0.25,0,1\n2.5,-0.25,0,2\n1.5,0.75,1,1\n0.5,0.75,1,0\n", 2);
}

static void test_tables_in_3d(void **state)
{
    (void)state;
    char text[1024] = "", named[1024] = "";
    for (int n = 0; n < 12; n++) {
        int i = n % 3, j = n / 3 % 2, k = n / 6;
        snprintf(text + strlen(text), 64, "%g,%g,%d\n", i + 0.5, j - 0.25, 8 * k);
        snprintf(named + strlen(named), 64, "%d,%d,%d,%g,%g,%d\n", i, j, k, i + 0.5, j - 0.25, 8 * k);
    }
    assert_reads(text, 3);
    assert_reads(named, 3);
}

static void test_wrong_numbers_of_nodes(void **state)
{
    (void)state;
    assert_text_refused("0.5,-0.25\n1.5,-0.25\n\n\n", "has 2 nodes, river.cells = {2, 1} needs 3 x 2 = 6");
    assert_text_refused("1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n1,1\n",
                        "has 8 nodes, river.cells = {2, 1} needs 3 x 2 = 6");
    assert_text_refused("", "has 0 nodes");
    assert_text_refused("# nothing\nx,y\n", "has 0 nodes");
}

static void test_holes_are_named(void **state)
{
    (void)state;
    assert_text_refused("x,y\n1,1\n1,1\n1,1\n1,1\n1,nan\n1,1\n", ":6: a hole in the grid: node (1, 1) has no y");
    assert_text_refused("1,1\n,1\n1,1\n1,1\n1,1\n1,1\n", ":2: a hole in the grid: node (1, 0) has no x");
    assert_text_refused("1,1\n1,1\n1\n1,1\n1,1\n1,1\n", ":3: a hole in the grid: node (2, 0) has no y");
    assert_text_refused("1,1\n\n1,1\n1,1\n1,1\n1,1\n1,1\n",
                        ":2: a hole in the grid: the line is empty where node (1, 0) should be");
    assert_text_refused("0,0,1,1\n1,0,1,1\n2,0,1,1\n0,1,1,1\n2,1,1,1\n", "no line has node (1, 1)");
    assert_text_refused("2,1,inf,1\n", ":1: a hole in the grid: node (2, 1) has no x");
}

static void test_damaged_tables(void **state)
{
    (void)state;
    assert_text_refused("1,1,1\n", ":1: the line has 3 columns, but a grid in 2D takes x,y or i,j,x,y");
    assert_text_refused("1;1\n", "separated by commas");
    assert_text_refused("lon,lat\n1,1\n", ":1: 'lon' is not a number");
    assert_text_refused("x,z\n1,1\n", ":1: the header names no column y");
    assert_text_refused("i,x,y\n1,1,1\n", "but not all");
    assert_text_refused("1,1\n1,1,1\n", ":2: the line has 3 columns, but line 1 has 2");
    assert_text_refused("0,0,1,1\n0,0,1,1\n", ":2: node (0, 0) is there for the second time");
    assert_text_refused("3,0,1,1\n", ":1: i = 3 is not one of the indices 0 … 2; they are counted from 0");
    assert_text_refused("0,0.5,1,1\n", ":1: j = 0.5 is not one of the indices 0 … 1");
    assert_text_refused("0,,1,1\n", ":1: j = nan is not one of the indices");
    char line[4000];
    memset(line, '1', sizeof line);
    assert_refused(line, sizeof line, ":1: the line is longer than");
    assert_refused("1,1\n1,1\0\n", 9, ":2: the line has a zero byte");
    assert_refused("1,1\n1,1\0", 8, ":2: the line has a zero byte");
}

/* Remarks are read, as long as nodes are what the file is about. */
static void test_sizes_of_tables(void **state)
{
    (void)state;
    static char text[1100000];
    memset(text, '#', sizeof text);
    for (size_t i = 100; i < sizeof text; i += 100)
        text[i] = '\n';
    assert_refused(text, sizeof text, "has 1.1 MB, but tables of nodes are read up to 1.0 MB");
    assert_refused(text, 1001537, "of nodes are read up to");
    assert_refused(text, 1001536, "has 0 nodes");
}

typedef struct array_file {
    unsigned char bytes[1024];
    size_t size;
} array_file;

/* As numpy.save writes it. */
static array_file make_array(const char *type, const char *shape, int dims)
{
    array_file a = {"\x93NUMPY\x01", 128};
    a.bytes[8] = 118;
    memset(a.bytes + 10, ' ', 118);
    int length =
        snprintf((char *)a.bytes + 10, 118, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    a.bytes[10 + length] = '\n';
    bool single = strcmp(type, "<f4") == 0;
    for (int n = 0; n < (dims == 3 ? 12 : 6); n++) {
        const double place[3] = {n % 3 + 0.5, n / 3 % 2 - 0.25, 8.0 * (n / 6)};
        for (int x = 0; x < dims; x++) {
            float value = (float)place[x];
            memcpy(a.bytes + a.size, single ? (const void *)&value : &place[x], single ? 4 : 8);
            a.size += single ? 4 : 8;
        }
    }
    return a;
}

static void test_arrays(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int single = 0; single < 2; single++) {
            array_file a = make_array(single ? "<f4" : "<f8", dims == 3 ? "(2, 2, 3, 3)" : "(2, 3, 2)", dims);
            double *nodes;
            store(a.bytes, a.size);
            assert_ok(read_nodes(dims, &nodes));
            assert_places(nodes, dims);
            memory_free(nodes);
        }
}

static void assert_array_refused(array_file a, const char *why)
{
    assert_refused(a.bytes, a.size, why);
}

static void test_wrong_arrays(void **state)
{
    (void)state;
    assert_array_refused(make_array("<f8", "(3, 2, 2)", 2),
                         "has shape (3, 2, 2), but river.cells = {2, 1} needs 3 x 2 = 6 nodes: (2, 3, 2)");
    assert_array_refused(make_array("<f8", "(6, 2)", 2), "has shape (6, 2)");
    assert_array_refused(make_array(">f8", "(2, 3, 2)", 2), "of type '>f8'");
    assert_array_refused(make_array("<f8", "(2, q, 2)", 2), "does not describe an array");
    array_file fortran = make_array("<f8", "(2, 3, 2)", 2);
    memcpy(strstr((char *)fortran.bytes + 10, "False"), "True ", 5);
    assert_array_refused(fortran, "Fortran's order");
    array_file cut = make_array("<f8", "(2, 3, 2)", 2);
    cut.size -= 20;
    assert_array_refused(cut, "ends before node (1, 1)");
    array_file tail = make_array("<f8", "(2, 3, 2)", 2);
    tail.size++;
    assert_array_refused(tail, "has 225 bytes, but its array ends after 224");
    array_file hole = make_array("<f8", "(2, 3, 2)", 2);
    memset(hole.bytes + 128 + 5 * 8, 255, 8);
    assert_array_refused(hole, "node (2, 0) has y = ");
}

static void test_files_that_cannot_be_read(void **state)
{
    (void)state;
    fr_scene_def def = {.river = {.cells = {2, 1}, .nodes = "/nowhere/creek.csv"}};
    double *nodes;
    assert_int_equal(river_nodes(&def, &nodes), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "/nowhere/creek.csv"));
    def.river.nodes = "/tmp";
    assert_int_equal(river_nodes(&def, &nodes), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "'/tmp' is a folder"));
    def.river.nodes = "/dev/zero";
    assert_int_equal(river_nodes(&def, &nodes), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "'/dev/zero' is a device, not a regular file"));
}

/* Whatever is in a file: nodes that are numbers, or a failure with a message. */
static void try_damaged(const unsigned char *bytes, size_t size)
{
    double *nodes;
    store(bytes, size);
    if (read_nodes(2, &nodes) != FR_OK) {
        assert_true(fr_error_message()[0] != 0);
        return;
    }
    for (int n = 0; n < 18; n++)
        assert_true(isfinite(nodes[n]));
    memory_free(nodes);
}

static void damage(const unsigned char *good, size_t size, uint64_t seed)
{
    unsigned char bytes[1024];
    memcpy(bytes, good, size);
    for (uint64_t n = 0; n < 1 + seed % 4; n++) {
        size_t at = (size_t)((0.5 + 0.5 * check_noise(8 * seed + n)) * (double)size);
        bytes[at] = (unsigned char)(128 + 128 * check_noise(8 * seed + n + 4));
    }
    try_damaged(bytes, seed % 3 ? size : (size_t)((0.5 + 0.5 * check_noise(seed)) * (double)size));
}

static void test_damage_does_no_harm(void **state)
{
    (void)state;
    array_file a = make_array("<f4", "(2, 3, 2)", 2);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        damage((const unsigned char *)plain, strlen(plain), seed);
        damage(a.bytes, a.size, seed);
    }
}

static fr_result wave(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 * args[0] + args[2];
    out[1] = sqrt(0.5 - args[1]);
    out[2] = args[2];
    return FR_OK;
}

static fr_result broken(void *context, const double *args, double *out)
{
    (void)out;
    return args[0] > 0.6 ? fr_fail(FR_ERROR_INPUT, "%s", (const char *)context) : FR_OK;
}

static void test_functions_are_called_from_0_to_1(void **state)
{
    (void)state;
    fr_scene_def def = {.river = {.cells = {4, 1, 0}, .grid = wave}};
    double *nodes;
    assert_int_equal(river_nodes(&def, &nodes), FR_ERROR_INPUT);
    assert_string_equal(fr_error_key(), "river.grid");
    assert_non_null(strstr(fr_error_message(), "at s = 0, t = 1;"));
    def.river.grid = broken;
    def.river.grid_context = "river.lua:3: nil";
    assert_int_equal(river_nodes(&def, &nodes), FR_ERROR_INPUT);
    assert_string_equal(fr_error_message(), "river.lua:3: nil (at s = 0.75, t = 0)");
}

static fr_result box(void *context, const double *args, double *out)
{
    (void)context;
    for (int a = 0; a < 3; a++)
        out[a] = (a + 1) * args[a] + (a == 2 ? 5 : 0);
    return FR_OK;
}

static void test_nodes_of_functions(void **state)
{
    (void)state;
    for (int nr = 0; nr <= 2; nr += 2) {
        fr_scene_def def = {.river = {.cells = {4, 3, nr}, .grid = box}};
        double *nodes;
        assert_ok(river_nodes(&def, &nodes));
        const double *last = nodes + 3 * (5 * 4 * (nr + 1) - 1), *next = nodes + 3 * 6;
        assert_near(last[0], 1, 0);
        assert_near(last[1], 2, 0);
        assert_near(last[2], nr ? 8 : 0, 0);
        assert_near(next[0], 0.25, 0);
        assert_near(next[1], 2.0 / 3, 1e-15);
        memory_free(nodes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_in_order),
        cmocka_unit_test(test_tables_with_indices),
        cmocka_unit_test(test_tables_in_3d),
        cmocka_unit_test(test_wrong_numbers_of_nodes),
        cmocka_unit_test(test_holes_are_named),
        cmocka_unit_test(test_damaged_tables),
        cmocka_unit_test(test_sizes_of_tables),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_wrong_arrays),
        cmocka_unit_test(test_files_that_cannot_be_read),
        cmocka_unit_test(test_damage_does_no_harm),
        cmocka_unit_test(test_functions_are_called_from_0_to_1),
        cmocka_unit_test(test_nodes_of_functions),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
