/* Continuity in the cells at the surface: every pattern of air around a cell, 63 in 3D and 15 in 2D. */
#include <string.h>

#include "liquid/continuity.h"
#include "support/check.h"

enum { N = 5, MIDDLE = 2 };

/* Liquid everywhere but in the neighbours of the middle cell that a pattern names, and any flow. */
typedef struct pattern {
    domain d;
    field phi, velocity[3], before[3];
    solids solids;
} pattern;

static void pattern_create(pattern *p, int dims, const double h[3])
{
    *p = (pattern){.d = {.dims = dims, .n = {N, N, dims == 3 ? N : 1}, .h = {h[0], h[1], dims == 3 ? h[2] : 1}}};
    assert_int_equal(field_create(&p->d, FR_AT_CELL, &p->phi), FR_OK);
    for (int a = 0; a < dims; a++) {
        assert_int_equal(field_create(&p->d, field_face(a), &p->velocity[a]), FR_OK);
        assert_int_equal(field_create(&p->d, field_face(a), &p->before[a]), FR_OK);
    }
}

static void pattern_destroy(pattern *p)
{
    field_destroy(&p->phi);
    for (int a = 0; a < p->d.dims; a++) {
        field_destroy(&p->velocity[a]);
        field_destroy(&p->before[a]);
    }
}

/* Bit 2a of `air` is the low neighbour along axis a, bit 2a + 1 the high one. */
static void pattern_set(pattern *p, int air, uint64_t seed)
{
    float *middle = p->phi.data + field_offset(&p->phi, MIDDLE, MIDDLE, p->d.dims == 3 ? MIDDLE : 0);
    field_fill(&p->phi, -1);
    for (int face = 0; face < 2 * p->d.dims; face++)
        if (air >> face & 1)
            middle[(face % 2 ? 1 : -1) * p->phi.stride[face / 2]] = 1;
    for (int a = 0; a < p->d.dims; a++) {
        for (size_t i = 0; i < p->velocity[a].count; i++)
            p->velocity[a].block[i] = (float)check_noise(seed + 1000 * (uint64_t)a + i);
        field_copy(&p->before[a], &p->velocity[a]);
    }
}

static void pattern_enforce(pattern *p)
{
    continuity c = {&p->d, &p->phi, &p->solids};
    continuity_enforce(&c, p->velocity);
}

static double pattern_divergence(const pattern *p, const int c[3])
{
    double sum = 0;
    for (int a = 0; a < p->d.dims; a++) {
        const float *u = field_row(&p->velocity[a], c[1], c[2]) + c[0];
        sum += ((double)u[p->velocity[a].stride[a]] - u[0]) / p->d.h[a];
    }
    return sum;
}

/* Faces that are not between liquid and air keep their values. */
static void check_others_kept(const pattern *p)
{
    for (int a = 0; a < p->d.dims; a++)
        for (int k = 0; k < p->velocity[a].size[2]; k++)
            for (int j = 0; j < p->velocity[a].size[1]; j++)
                for (int i = 0; i < p->velocity[a].size[0]; i++) {
                    const float *phi = field_row(&p->phi, j, k) + i;
                    ptrdiff_t at = field_offset(&p->velocity[a], i, j, k);
                    if ((phi[0] < 0) == (phi[-p->phi.stride[a]] < 0))
                        assert_true(p->velocity[a].data[at] == p->before[a].data[at]);
                }
}

static void check_divergence(int dims)
{
    pattern p;
    pattern_create(&p, dims, (double[3]){0.1, 0.15, 0.07});
    continuity c = {&p.d, &p.phi, &p.solids};
    for (int air = 1; air < 1 << 2 * dims; air++) {
        pattern_set(&p, air, 77 * (uint64_t)air);
        pattern_enforce(&p);
        int found = 0;
        for (int k = 0; k < p.d.n[2]; k++)
            for (int j = 0; j < N; j++)
                for (int i = 0; i < N; i++) {
                    const int cell[3] = {i, j, k};
                    if (field_row(&p.phi, j, k)[i] >= 0 || !continuity_at_surface(&c, cell))
                        continue;
                    assert_near(pattern_divergence(&p, cell), 0, 1e-5 / 0.07);
                    found++;
                }
        assert_true(found > 0);
        check_others_kept(&p);
    }
    pattern_destroy(&p);
}

static void no_pattern_has_divergence(void **state)
{
    (void)state;
    check_divergence(2);
    check_divergence(3);
}

/* A symmetry of the cube: axis a goes to `to[a]`, and is mirrored there when `flip` says so. */
typedef struct turn {
    int to[3];
    bool flip[3];
} turn;

static int turn_air(const turn *t, int dims, int air)
{
    int turned = 0;
    for (int face = 0; face < 2 * dims; face++) {
        int axis = t->to[face / 2], high = (face % 2) ^ t->flip[t->to[face / 2]];
        turned |= (air >> face & 1) << (2 * axis + high);
    }
    return turned;
}

/* Each sample of `from` and its image in `to`: copied, or compared. */
static void turn_flow(const turn *t, const pattern *from, pattern *to, bool compare)
{
    for (int a = 0; a < from->d.dims; a++) {
        int b = t->to[a];
        float sign = t->flip[b] ? -1 : 1;
        for (int k = 0; k < from->velocity[a].size[2]; k++)
            for (int j = 0; j < from->velocity[a].size[1]; j++)
                for (int i = 0; i < from->velocity[a].size[0]; i++) {
                    int at[3] = {i, j, k}, image[3] = {0, 0, 0};
                    for (int axis = 0; axis < from->d.dims; axis++) {
                        int last = axis == a ? N : N - 1;
                        image[t->to[axis]] = t->flip[t->to[axis]] ? last - at[axis] : at[axis];
                    }
                    float value = sign * field_row(&from->velocity[a], j, k)[i];
                    float *target = field_row(&to->velocity[b], image[1], image[2]) + image[0];
                    if (compare)
                        assert_near(*target, value, 1e-6);
                    else
                        *target = value;
                }
    }
}

static void check_turn(int dims, const turn *t)
{
    pattern p, turned;
    pattern_create(&p, dims, (double[3]){0.1, 0.1, 0.1});
    pattern_create(&turned, dims, (double[3]){0.1, 0.1, 0.1});
    for (int air = 1; air < 1 << 2 * dims; air++) {
        pattern_set(&p, air, 5 * (uint64_t)air);
        pattern_set(&turned, turn_air(t, dims, air), 1);
        turn_flow(t, &p, &turned, false);
        pattern_enforce(&p);
        pattern_enforce(&turned);
        turn_flow(t, &p, &turned, true);
    }
    pattern_destroy(&p);
    pattern_destroy(&turned);
}

static void patterns_are_symmetric(void **state)
{
    (void)state;
    static const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    for (int order = 0; order < 6; order++)
        for (int flips = 0; flips < 8; flips++) {
            turn t = {{orders[order][0], orders[order][1], orders[order][2]}, {flips & 1, flips >> 1 & 1, flips >> 2}};
            check_turn(3, &t);
            if (order < 2 && flips < 4)
                check_turn(2, &t);
        }
}

/* A face of the middle cell, before and after. */
static double face_of(const pattern *p, const field *velocity, int axis, int high)
{
    const field *u = &velocity[axis];
    return u->data[field_offset(u, MIDDLE, MIDDLE, p->d.dims == 3 ? MIDDLE : 0) + high * u->stride[axis]];
}

/* The cases that the thesis spells out, by its own equations. */
static void follows_the_thesis(void **state)
{
    (void)state;
    pattern p;
    pattern_create(&p, 3, (double[3]){1, 1, 1});
#define OLD(axis, high) face_of(&p, p.before, axis, high)
#define NEW(axis, high) face_of(&p, p.velocity, axis, high)
    pattern_set(&p, 1 << 1, 3); /* one face: eq. 23 */
    pattern_enforce(&p);
    assert_near(NEW(0, 1), OLD(0, 0) - OLD(1, 1) + OLD(1, 0) - OLD(2, 1) + OLD(2, 0), 1e-6);
    pattern_set(&p, 1 << 1 | 1 << 3, 3); /* two beside each other: copies, and half of the rest each */
    pattern_enforce(&p);
    double rest = OLD(2, 1) - OLD(2, 0);
    assert_near(NEW(0, 1), OLD(0, 0) - rest / 2, 1e-6);
    assert_near(NEW(1, 1), OLD(1, 0) - rest / 2, 1e-6);
    pattern_set(&p, 1 << 0 | 1 << 3 | 1 << 4, 3); /* three in a corner: copies */
    pattern_enforce(&p);
    assert_near(NEW(0, 0), OLD(0, 1), 1e-6);
    assert_near(NEW(1, 1), OLD(1, 0), 1e-6);
    assert_near(NEW(2, 0), OLD(2, 1), 1e-6);
    pattern_set(&p, 0xf, 3); /* four around: a quarter each */
    pattern_enforce(&p);
    double all = OLD(0, 1) - OLD(0, 0) + OLD(1, 1) - OLD(1, 0) + OLD(2, 1) - OLD(2, 0);
    assert_near(NEW(0, 0), OLD(0, 0) + all / 4, 1e-6);
    assert_near(NEW(1, 1), OLD(1, 1) - all / 4, 1e-6);
    pattern_set(&p, 0x1f, 3); /* five: as one, opposite the liquid */
    pattern_enforce(&p);
    assert_near(NEW(2, 0), OLD(0, 1) - OLD(0, 0) + OLD(1, 1) - OLD(1, 0) + OLD(2, 1), 1e-6);
    assert_near(NEW(0, 0), OLD(0, 0), 0);
    pattern_destroy(&p);
}

/* Through faces that obstacles close in part flows their open share, and what the obstacle pushes; faces that are
   closed by more than half are no surface. */
static void cut_faces_count_by_their_share(void **state)
{
    (void)state;
    pattern p;
    pattern_create(&p, 2, (double[3]){0.1, 0.1, 0.1});
    p.solids.any = true;
    for (int a = 0; a < 2; a++) {
        assert_int_equal(field_create(&p.d, field_face(a), &p.solids.open[a]), FR_OK);
        field_fill(&p.solids.open[a], 0.75f);
        assert_int_equal(field_create(&p.d, field_face(a), &p.solids.wall[a]), FR_OK);
        field_fill(&p.solids.wall[a], a == 0 ? 2 : -1);
    }
    float *low = field_row(&p.solids.open[0], MIDDLE, 0) + MIDDLE;
    *low = 0.25f;
    pattern_set(&p, 1 << 0 | 1 << 3, 9);
    pattern_enforce(&p);
    double in = 0.25 * face_of(&p, p.velocity, 0, 0) + 0.75 * 2, out = 0.75 * face_of(&p, p.velocity, 0, 1) + 0.25 * 2;
    double below = 0.75 * face_of(&p, p.velocity, 1, 0) - 0.25, above = 0.75 * face_of(&p, p.velocity, 1, 1) - 0.25;
    assert_near(out - in + above - below, 0, 1e-5);
    assert_near(face_of(&p, p.velocity, 0, 0), face_of(&p, p.before, 0, 0), 0);
    for (int a = 0; a < 2; a++) {
        field_destroy(&p.solids.open[a]);
        field_destroy(&p.solids.wall[a]);
    }
    pattern_destroy(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pattern_has_divergence), cmocka_unit_test(patterns_are_symmetric),
        cmocka_unit_test(follows_the_thesis), cmocka_unit_test(cut_faces_count_by_their_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
