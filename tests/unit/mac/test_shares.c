/* What rigid bodies cover of cells and faces. */
#include "support/rigids.h"

static const double PI = 3.14159265358979323846;

/* Places and turns at random. */
static void scatter(rigids *r, int b, uint64_t seed, double middle, bool turned)
{
    double at[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
    for (int a = 0; a < r->d.dims; a++) {
        at[a] = middle + 0.5 * check_noise(seed * 8 + (uint64_t)a);
        axis[a] = r->d.dims == 3 ? check_noise(seed * 8 + 3 + (uint64_t)a) : axis[a];
    }
    rigids_put(r, b, at, axis, turned ? 180 * check_noise(seed * 8 + 7) : 0);
}

/* The worst relative error of the volume over places and turns; of the cells, and of the faces of each axis. */
static void worst_volume(int dims, fr_shape_def shape, double volume, bool turned, double worst[2])
{
    enum { PLACES = 24 };
    rigids r;
    rigids_begin(&r, dims, 30);
    rigids_add(&r, shape, (double[3]){15, 15, dims == 3 ? 15 : 0});
    rigids_lay(&r);
    worst[0] = worst[1] = 0;
    for (uint64_t n = 0; n < PLACES; n++) {
        scatter(&r, 0, n, 15, turned);
        rigids_move(&r);
        for (int axis = -1; axis < dims; axis++) {
            const double error = fabs(solids_share_volume(&r.solid, 0, axis) / volume - 1);
            worst[axis >= 0] = fmax(worst[axis >= 0], error);
        }
    }
    rigids_end(&r);
}

/* Relative errors: of the volume in cells, and in faces. */
static void check_volume(const char *what, int dims, fr_shape_def shape, double volume, const double limits[2])
{
    for (int turned = 0; turned < 2; turned++) {
        double worst[2];
        worst_volume(dims, shape, volume, turned, worst);
        print_message("%dD %s%s: volume of cells within %.4f %%, of faces %.4f %%\n", dims, what,
                      turned ? ", turned" : "", 100 * worst[0], 100 * worst[1]);
        assert_below(worst[0], limits[0]);
        assert_below(worst[1], limits[1]);
    }
}

/* The volume is what it is, at any place and turn. */
static void test_volumes(void **state)
{
    (void)state;
    static const double radii[] = {2.5, 4, 6, 10};
    for (int n = 0; n < 4; n++) {
        const double R = radii[n];
        check_volume("ball", 3, rigids_ball(R), 4 * PI * R * R * R / 3, (double[2]){5e-4, 5e-4});
        check_volume("disc", 2, rigids_ball(R), PI * R * R, (double[2]){1e-3, 1e-3});
    }
    check_volume("box 8", 3, rigids_box(4, 4, 4), 512, (double[2]){5e-3, 5e-3});
    check_volume("box 8", 2, rigids_box(4, 4, 4), 64, (double[2]){5e-3, 5e-3});
    check_volume("box 12 x 8 x 8", 3, rigids_box(6, 4, 4), 768, (double[2]){5e-3, 5e-3});
}

/* Thin bodies fill what they fill, but close whole faces. */
static void test_volumes_of_thin_bodies(void **state)
{
    (void)state;
    check_volume("box 8 x 6 x 4", 3, rigids_box(4, 3, 2), 192, (double[2]){1e-2, 1e-2});
    check_volume("box 4", 3, rigids_box(2, 2, 2), 64, (double[2]){2e-2, 2e-2});
    check_volume("plate 1.2", 3, rigids_box(5, 5, 0.6), 120, (double[2]){2e-2, 0.5});
    check_volume("plate 0.5", 3, rigids_box(5, 5, 0.25), 50, (double[2]){3e-2, 2});
    check_volume("rod 1", 3, rigids_box(6, 0.5, 0.5), 12, (double[2]){0.1, 1});
}

static fr_shape_def gear(double radius)
{
    fr_shape_def shape = fr_default_shape(FR_SHAPE_GEAR);
    shape.radius = radius;
    shape.teeth = 8;
    shape.depth = 0.25 * radius;
    shape.thickness = 0.5 * radius;
    return shape;
}

/* A gear's volume from points, 16 a cell and axis. */
static double gear_volume(const fr_shape_def *def)
{
    enum { ALONG = 16, CELLS = 22 };
    const fr_placed_shape placed = {.shape = def, .at = {CELLS / 2.0, CELLS / 2.0, CELLS / 2.0}};
    float row[ALONG * CELLS];
    shape *s;
    int64_t inside = 0;
    assert_ok(shape_create(&placed, 3, "", &s));
    for (int k = 0; k < ALONG * CELLS; k++)
        for (int j = 0; j < ALONG * CELLS; j++) {
            const double start[3] = {0.5 / ALONG, (j + 0.5) / ALONG, (k + 0.5) / ALONG};
            assert_ok(shape_distance_row(s, start, 1.0 / ALONG, ALONG * CELLS, row));
            for (int i = 0; i < ALONG * CELLS; i++)
                inside += row[i] < 0;
        }
    shape_destroy(s);
    return (double)inside / (ALONG * ALONG * ALONG);
}

static void test_volume_of_a_gear(void **state)
{
    (void)state;
    const fr_shape_def shape = gear(8);
    check_volume("gear", 3, shape, gear_volume(&shape), (double[2]){1e-2, 1e-2});
}

/* On every face what bodies cover, what the still wall closes and what is open are the whole face; nothing is
   negative. Bodies touch and overlap, and one is cut by the wall and by the domain's side. */
static void crowd(rigids *r, int dims)
{
    const double z = dims == 3 ? 12 : 0;
    rigids_begin(r, dims, 24);
    rigids_add(r, rigids_box(30, 3.3, 30), (double[3]){12, 0, z});
    r->still = 1;
    rigids_add(r, rigids_ball(3), (double[3]){6, 7.1, z});
    rigids_add(r, rigids_box(3, 2, 2), (double[3]){11.6, 7.3, z});
    rigids_add(r, rigids_ball(2.5), (double[3]){9, 10, z});
    rigids_add(r, rigids_box(0.2, 5, 5), (double[3]){17.3, 12, z});
    rigids_add(r, rigids_ball(4), (double[3]){23, 20, z});
    rigids_lay(r);
    rigids_put(r, 4, (double[3]){17.3, 12, z}, (double[3]){0, 0, 1}, 20);
    rigids_move(r);
}

static double crowd_sum(const rigids *r, int axis, const int face[3])
{
    double sum = rigids_open(r, axis, face);
    for (int b = r->still; b < r->count; b++) {
        const double share = rigids_share(r, b, axis, face);
        assert_true(share >= 0);
        sum += share;
    }
    return sum;
}

static void test_shares_and_what_is_open_make_the_face(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        rigids r, wall;
        crowd(&r, dims);
        rigids_begin(&wall, dims, 24);
        rigids_add(&wall, r.shapes[0], r.obstacles[0].shape.at);
        wall.still = 1;
        rigids_lay(&wall);
        double worst = 0, covered = 0;
        for (int a = 0; a < dims; a++)
            for (int k = 0; k < r.solid.open[a].size[2]; k++)
                for (int j = 0; j < r.solid.open[a].size[1]; j++)
                    for (int i = 0; i < r.solid.open[a].size[0]; i++) {
                        const int face[3] = {i, j, k};
                        const double open = rigids_open(&r, a, face), sum = crowd_sum(&r, a, face);
                        const double left = rigids_open(&wall, a, face);
                        assert_true(open >= 0 && open <= left);
                        /* where the wall is nearest it may have closed a slit between itself and a body */
                        const bool slit = open == 0 && sum < left - 1e-6;
                        const bool near = r.bodies.of[solids_owner(&r.solid, &r.d, &r.solid.open[a], face)].rigid;
                        assert_false(slit && near);
                        worst = fmax(worst, slit ? 0 : fabs(sum - left));
                        covered += sum - open;
                    }
        print_message("%dD: the shares of a face are off by %.1e; %.0f faces covered\n", dims, worst, covered);
        assert_below(worst, 1e-6);
        rigids_end(&r);
        rigids_end(&wall);
    }
}

/* Marks what open faces lead to from a cell. */
static void flood(const rigids *r, int from, bool *seen, int *list)
{
    int count = 1;
    memset(seen, 0, sizeof *seen * 24 * 24 * 24);
    list[0] = from;
    seen[from] = true;
    for (int n = 0; n < count; n++) {
        const int at = list[n], cell[3] = {at % 24, at / 24 % 24, at / 576};
        for (int side = 0; side < 2 * r->d.dims; side++) {
            int face[3] = {cell[0], cell[1], cell[2]}, to[3] = {cell[0], cell[1], cell[2]};
            face[side / 2] += side % 2;
            to[side / 2] += side % 2 ? 1 : -1;
            if (to[side / 2] < 0 || to[side / 2] >= 24 || rigids_open(r, side / 2, face) == 0)
                continue;
            const int next = to[0] + 24 * (to[1] + 24 * to[2]);
            if (!seen[next])
                list[count++] = next;
            seen[next] = true;
        }
    }
}

/* Walls across the whole domain keep their sides apart, whatever they are thick and however they stand. */
static void test_thin_bodies_are_watertight(void **state)
{
    (void)state;
    static const double thick[] = {0.1, 0.4, 0.9, 1.2, 1.7, 2.2};
    static bool seen[24 * 24 * 24];
    static int list[24 * 24 * 24];
    for (int dims = 2; dims <= 3; dims++)
        for (uint64_t n = 0; n < 120; n++) {
            rigids r;
            const int row = 24 * 12 + (dims == 3 ? 576 * 12 : 0);
            const double at[3] = {12 + check_noise(5 * n), 12, dims == 3 ? 12 : 0};
            const double axis[3] = {0, dims == 3 ? check_noise(5 * n + 1) : 0, 1};
            rigids_begin(&r, dims, 24);
            rigids_add(&r, rigids_box(thick[n % 6] / 2, 40, 40), at);
            rigids_lay(&r);
            rigids_put(&r, 0, at, axis, n < 12 ? 0 : 35 * check_noise(5 * n + 2));
            rigids_move(&r);
            flood(&r, row, seen, list);
            assert_false(seen[23 + row]);
            rigids_end(&r);
        }
}

/* A cup of thin walls does not leak. */
static void test_a_cup_is_closed(void **state)
{
    (void)state;
    static bool seen[24 * 24 * 24];
    static int list[24 * 24 * 24];
    for (uint64_t n = 0; n < 20; n++) {
        rigids r;
        rigids_begin(&r, 3, 24);
        fr_shape_def ball = rigids_ball(6), shell = fr_default_shape(FR_SHAPE_SHELL);
        const fr_shape_def *children[1] = {&ball};
        shell.children = children;
        shell.child_count = 1;
        shell.amount = 0.2 + 0.15 * (double)(n % 10);
        const double at[3] = {12 + check_noise(3 * n), 12 + check_noise(3 * n + 1), 12 + check_noise(3 * n + 2)};
        rigids_add(&r, shell, at);
        rigids_lay(&r);
        flood(&r, 0, seen, list);
        assert_false(seen[(int)at[0] + 24 * ((int)at[1] + 24 * (int)at[2])]);
        rigids_end(&r);
    }
}

static void same_field(const field *a, const field *b)
{
    assert_memory_equal(a->block, b->block, a->count * sizeof(float));
}

static void same_solids(const solids *a, const solids *b)
{
    const size_t cells = a->distance.count;
    same_field(&a->distance, &b->distance);
    same_field(&a->volume, &b->volume);
    same_field(&a->volume, &b->volume);
    assert_memory_equal(a->owner, b->owner, cells * sizeof *a->owner);
    assert_memory_equal(a->cell_layers, b->cell_layers, cells);
    for (int i = 0; i < a->domain.dims; i++) {
        same_field(&a->open[i], &b->open[i]);
        same_field(&a->wall[i], &b->wall[i]);
        assert_memory_equal(a->face_marks[i], b->face_marks[i], a->open[i].count);
    }
    for (int n = 0; n < a->body_count; n++) {
        if (!a->bodies[n].shares)
            continue;
        const solids_push *p = solids_pushes(a, n), *q = solids_pushes(b, n);
        assert_int_equal(p->count, q->count);
        assert_memory_equal(p->cell, q->cell, (size_t)p->count * sizeof *p->cell);
        for (int d = 0; d < 6; d++)
            assert_memory_equal(p->push[d], q->push[d], (size_t)p->count * sizeof(float));
    }
}

/* As long as its time has not come a body is nowhere. Then it is as if it had always been there, and when it goes (a
   step is taken back) as if it had never been; far outside the domain, the same. */
static void test_bodies_appear(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        rigids r, all, none;
        crowd(&all, dims);
        crowd(&r, dims);
        crowd(&none, dims);
        for (int b = 1; b < r.count; b++)
            r.bodies.of[b].present = false;
        assert_true(rigids_move(&r));
        for (int b = 1; b < r.count; b++) {
            rigids_put(&none, b, (double[3]){-500, 400, dims == 3 ? 700 : 0}, (double[3]){0, 0, 1}, 0);
            assert_int_equal(solids_pushes(&r.solid, b)->count, 0);
            assert_near(solids_share_volume(&r.solid, b, 0), 0, 0);
        }
        rigids_move(&none);
        for (int a = 0; a < dims; a++) {
            same_field(&r.solid.open[a], &none.solid.open[a]);
            same_field(&r.solid.open[a], &r.solid.still.open[a]);
        }
        for (int b = 1; b < r.count; b++)
            r.bodies.of[b].present = true;
        assert_true(rigids_move(&r));
        assert_false(rigids_move(&r));
        same_solids(&r.solid, &all.solid);
        rigids_end(&r);
        rigids_end(&all);
        rigids_end(&none);
    }
}

/* Whatever way led to a place. */
static void test_a_place_does_not_remember_the_way(void **state)
{
    (void)state;
    rigids walked, fresh;
    crowd(&walked, 3);
    for (uint64_t n = 0; n < 6; n++) {
        crowd(&fresh, 3);
        for (int b = 1; b < walked.count; b++) {
            scatter(&walked, b, 40 * n + (uint64_t)b, 5 + 3 * (double)b, true);
            scatter(&fresh, b, 40 * n + (uint64_t)b, 5 + 3 * (double)b, true);
        }
        rigids_move(&walked);
        rigids_move(&fresh);
        same_solids(&walked.solid, &fresh.solid);
        rigids_end(&fresh);
    }
    rigids_end(&walked);
}

/* Both ends of a periodic axis are one face, with the same shares. */
static void test_the_ends_of_a_periodic_axis_are_one_face(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        rigids r;
        double at[3] = {12, 12, 12};
        at[axis] = 2.2;
        rigids_begin(&r, 3, 24);
        r.d.periodic[axis] = true;
        rigids_add(&r, rigids_ball(3), at);
        rigids_add(&r, rigids_box(0.2, 3, 3), (double[3]){axis == 0 ? 23.9 : 15, 15, 15});
        rigids_lay(&r);
        double covered = 0;
        for (int p = 0; p < 24; p++)
            for (int q = 0; q < 24; q++) {
                int low[3] = {p, p, q}, high[3];
                low[axis] = 0;
                low[axis == 2 ? 1 : 2] = q;
                memcpy(high, low, sizeof high);
                high[axis] = 24;
                for (int b = 0; b < 2; b++)
                    assert_true(rigids_share(&r, b, axis, low) == rigids_share(&r, b, axis, high));
                covered += rigids_share(&r, 0, axis, low);
                assert_true(rigids_open(&r, axis, low) == rigids_open(&r, axis, high));
                assert_near(crowd_sum(&r, axis, low), 1, 1e-6);
            }
        assert_true(covered > 3);
        rigids_end(&r);
    }
}

/* The volume of cells is what the bodies leave. */
static void test_open_volume(void **state)
{
    (void)state;
    for (int watertight = 0; watertight < 2; watertight++) {
        rigids r;
        double sum = 0, R = 5.3;
        rigids_begin(&r, 3, 24);
        rigids_add(&r, rigids_box(30, 3, 30), (double[3]){12, 0, 12});
        r.still = 1;
        rigids_add(&r, rigids_ball(R), (double[3]){12.2, 11.7, 11.9});
        rigids_lay(&r);
        solids_destroy(&r.solid);
        assert_ok(solids_create_as(&r.bodies, &r.d, (solids_kind){.refine = 1, .watertight = watertight}, &r.solid));
        for (int k = 0; k < 24; k++)
            for (int j = 0; j < 24; j++)
                for (int i = 0; i < 24; i++)
                    sum += (double)field_row(&r.solid.volume, j, k)[i];
        const double exact = 24 * 24 * 21 - 4 * PI * R * R * R / 3;
        print_message("open volume off by %.4f %%\n", 100 * (sum / exact - 1));
        assert_near(sum, exact, 0.005 * exact);
        rigids_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_volumes_of_thin_bodies),
        cmocka_unit_test(test_volume_of_a_gear),
        cmocka_unit_test(test_shares_and_what_is_open_make_the_face),
        cmocka_unit_test(test_thin_bodies_are_watertight),
        cmocka_unit_test(test_a_cup_is_closed),
        cmocka_unit_test(test_bodies_appear),
        cmocka_unit_test(test_a_place_does_not_remember_the_way),
        cmocka_unit_test(test_the_ends_of_a_periodic_axis_are_one_face),
        cmocka_unit_test(test_open_volume),
    };
    return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
