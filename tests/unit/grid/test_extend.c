/* Values extended out of a region that is no solid: a ball in which they are known. */
#include "grid/extend.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { CELLS = 17, DEPTH = 4 };

typedef struct ball {
    domain d;
    field f;
    uint8_t *map;
} ball;

static bool ball_has(int dims, const int at[3])
{
    double x = at[0] - 7.3, y = at[1] - 8.9, z = dims == 3 ? at[2] - 6.2 : 0;
    return x * x + y * y + z * z < 4.6 * 4.6;
}

static void ball_each(const ball *b, int m, int at[3])
{
    at[0] = m % b->f.size[0];
    at[1] = m / b->f.size[0] % b->f.size[1];
    at[2] = m / b->f.size[0] / b->f.size[1];
}

static ptrdiff_t ball_place(const ball *b, const int at[3])
{
    return field_row(&b->f, at[1], at[2]) + at[0] - b->f.block;
}

static int ball_samples(const ball *b)
{
    return b->f.size[0] * b->f.size[1] * b->f.size[2];
}

static void ball_make(ball *b, int dims, fr_location where)
{
    b->d = (domain){.dims = dims, .n = {CELLS, CELLS - 2, dims == 3 ? CELLS - 4 : 1}, .h = {1, 1, 1}};
    assert_ok(field_create(&b->d, where, &b->f));
    b->map = malloc(b->f.count);
    memset(b->map, EXTEND_OUTSIDE, b->f.count);
    for (int m = 0, at[3]; m < ball_samples(b); m++) {
        ball_each(b, m, at);
        b->map[ball_place(b, at)] = ball_has(dims, at) ? EXTEND_KNOWN : EXTEND_FAR;
    }
    extend_number(&b->f, b->map, DEPTH, NULL);
}

static void ball_destroy(ball *b)
{
    field_destroy(&b->f);
    free(b->map);
}

/* Steps along the axes to the nearest sample of the ball. */
static int ball_steps(const ball *b, const int at[3])
{
    int least = 1000;
    for (int m = 0, to[3]; m < ball_samples(b); m++) {
        ball_each(b, m, to);
        int steps = abs(at[0] - to[0]) + abs(at[1] - to[1]) + abs(at[2] - to[2]);
        if (ball_has(b->d.dims, to) && steps < least)
            least = steps;
    }
    return least;
}

static void test_layers_count_steps(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        ball b;
        ball_make(&b, dims, field_face(1));
        for (int m = 0, at[3]; m < ball_samples(&b); m++) {
            ball_each(&b, m, at);
            int steps = ball_steps(&b, at);
            assert_int_equal(b.map[ball_place(&b, at)], steps <= DEPTH ? steps : EXTEND_FAR);
        }
        ball_destroy(&b);
    }
}

/* The spans that come with the numbers begin and end where something is near, and the numbers are the same with them:
   of a ball, and of two that stand apart. */
static void test_spans_hold_what_is_near(void **state)
{
    (void)state;
    for (int other = 0; other < 2; other++) {
        ball b;
        ball_make(&b, 3, field_face(0));
        for (int m = 0, at[3]; m < ball_samples(&b); m++) {
            ball_each(&b, m, at);
            const bool lone = other && at[0] == 15 && at[1] == 1 && at[2] == 12;
            b.map[ball_place(&b, at)] = ball_has(3, at) || lone ? EXTEND_KNOWN : EXTEND_FAR;
        }
        uint8_t *map = test_malloc(b.f.count);
        extend_span *spans = test_malloc(sizeof *spans * (size_t)field_rows(&b.f));
        memcpy(map, b.map, b.f.count);
        extend_number(&b.f, map, DEPTH, NULL);
        extend_number(&b.f, b.map, DEPTH, spans);
        assert_memory_equal(map, b.map, b.f.count);
        for (int r = 0; r < field_rows(&b.f); r++) {
            const uint8_t *row = b.map + ball_place(&b, (int[3]){0, r % b.f.size[1], r / b.f.size[1]});
            int begin = 0, end = b.f.size[0];
            while (begin < end && row[begin] == EXTEND_FAR)
                begin++;
            while (end > begin && row[end - 1] == EXTEND_FAR)
                end--;
            assert_int_equal(spans[r].end - spans[r].begin, end - begin);
            assert_true(begin == end || spans[r].begin == begin);
        }
        test_free(map);
        test_free(spans);
        ball_destroy(&b);
    }
}

static void test_a_constant_is_extended_exactly(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        ball b;
        ball_make(&b, dims, FR_AT_CELL);
        field_fill(&b.f, 99);
        for (size_t at = 0; at < b.f.count; at++)
            if (b.map[at] == EXTEND_KNOWN)
                b.f.block[at] = 0.7f;
        extend_field(&(extend_job){.map = b.map, .depth = DEPTH, .far = -3}, &b.f);
        for (size_t at = 0; at < b.f.count; at++) {
            float is = b.map[at] <= DEPTH ? 0.7f : b.map[at] == EXTEND_FAR ? -3 : 99;
            assert_near(b.f.block[at], is, is == 0.7f ? 1e-7 : 0);
        }
        ball_destroy(&b);
    }
}

/* The definition, word by word and in double. */
static double mean_by_hand(const ball *b, const double *known, const int at[3], int layer)
{
    double sum = 0;
    int count = 0;
    for (int side = 0; side < 6; side++) {
        int to[3] = {at[0], at[1], at[2]}, a = side / 2;
        to[a] += side % 2 ? 1 : -1;
        if (to[a] < 0 || to[a] >= b->f.size[a] || ball_steps(b, to) != layer - 1)
            continue;
        sum += known[ball_place(b, to)];
        count++;
    }
    return sum / count;
}

static bool is_third_column(const void *context, ptrdiff_t at, float *value)
{
    const ball *b = context;
    bool given = (at - (b->f.data - b->f.block)) % b->f.stride[1] == 3;
    if (given)
        *value = 5;
    return given;
}

static void test_layers_are_means_of_the_layer_below(void **state)
{
    (void)state;
    ball b;
    ball_make(&b, 2, field_face(0));
    double *known = calloc(b.f.count, sizeof *known);
    for (size_t at = 0; at < b.f.count; at++)
        known[at] = b.f.block[at] = (float)sin((double)at);
    extend_field(&(extend_job){.map = b.map, .depth = DEPTH, .given = is_third_column, .context = &b}, &b.f);
    for (int layer = 1; layer <= DEPTH; layer++)
        for (int m = 0, at[3]; m < ball_samples(&b); m++) {
            ball_each(&b, m, at);
            if (ball_steps(&b, at) != layer)
                continue;
            ptrdiff_t place = ball_place(&b, at);
            known[place] = at[0] == 3 ? 5 : mean_by_hand(&b, known, at, layer);
            assert_near(b.f.block[place], known[place], 1e-6);
        }
    free(known);
    ball_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers_count_steps),
        cmocka_unit_test(test_spans_hold_what_is_near),
        cmocka_unit_test(test_a_constant_is_extended_exactly),
        cmocka_unit_test(test_layers_are_means_of_the_layer_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
