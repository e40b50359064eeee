/* What rigid bodies push out of cells. */
#include <freshet/base.h>

#include "support/rigids.h"

/* Two bodies that overlap, one beside a wall that stands still, one cut by a side of the domain. */
static void crowd(rigids *r, int dims)
{
    const double z = dims == 3 ? 12 : 0;
    rigids_begin(r, dims, 24);
    r->d.h[0] = 0.9;
    r->d.h[1] = 1.1;
    rigids_add(r, rigids_box(30, 3.3, 30), (double[3]){12, 0, z});
    r->still = 1;
    rigids_add(r, rigids_ball(3), (double[3]){6, 7.1, z});
    rigids_add(r, rigids_box(3, 2, 2), (double[3]){10.6, 8.3, z});
    rigids_add(r, rigids_box(0.2, 4, 4), (double[3]){15.3, 15, z});
    rigids_add(r, rigids_ball(4), (double[3]){21, 20, z});
    rigids_lay(r);
    rigids_put(r, 3, (double[3]){15.3, 15, z}, (double[3]){0, 0, 1}, 20);
    rigids_move(r);
}

/* Velocities and spins at random; centres of mass that are not the shapes' origins. */
static void stir(rigids *r, uint64_t seed)
{
    for (int b = r->still; b < r->count; b++) {
        motion *m = &r->bodies.of[b].motion;
        double n[6];
        for (int i = 0; i < 6; i++)
            n[i] = check_noise(seed + (uint64_t)(10 * b + i));
        m->velocity = (vec3){n[0], n[1], r->d.dims == 3 ? n[2] : 0};
        m->spin = r->d.dims == 3 ? (vec3){n[3], n[4], n[5]} : (vec3){0, 0, n[5]};
        for (int a = 0; a < r->d.dims; a++)
            r->bodies.of[b].centre[a] = m->pose.at[a] + n[a];
    }
}

/* What the walls push out of a cell, as the right-hand side of the pressure has it (mac/stage/pressure.c). */
static double pushed_by_walls(const rigids *r, const int cell[3], bool *open)
{
    double pushed = 0, left = 0;
    for (int a = 0; a < r->d.dims; a++) {
        const field *w = &r->solid.open[a], *u = &r->solid.wall[a];
        const float *at = field_row(w, cell[1], cell[2]) + cell[0], *v = field_row(u, cell[1], cell[2]) + cell[0];
        const ptrdiff_t next = w->stride[a];
        pushed += ((1 - (double)at[next]) * (double)v[next] - (1 - (double)at[0]) * (double)v[0]) / r->d.h[a];
        left += (double)at[0] + (double)at[next];
    }
    *open = left > 0;
    return pushed * domain_cell_volume(&r->d);
}

/* Adds up what all bodies push out of the cells, as they move. */
static void push_all(const rigids *r, double *out)
{
    for (int64_t n = 0; n < domain_cells(&r->d); n++)
        out[n] = 0;
    for (int b = r->still; b < r->count; b++) {
        const body *own = &r->bodies.of[b];
        const vec3 v = motion_velocity(&own->motion, vec3_of(own->centre));
        const double moves[6] = {v.x, v.y, v.z, own->motion.spin.x, own->motion.spin.y, own->motion.spin.z};
        const solids_push *p = solids_pushes(&r->solid, b);
        for (int n = 0; n < p->count; n++) {
            assert_true(n == 0 || p->cell[n] > p->cell[n - 1]);
            for (int i = 0; i < 6; i++)
                out[p->cell[n]] += (double)p->push[i][n] * moves[i];
        }
    }
}

static void check_pushes(const rigids *r)
{
    static double pushed[24 * 24 * 24];
    double worst = 0, most = 0;
    field passed;
    assert_int_equal(field_create(&r->d, FR_AT_CELL, &passed), FR_OK);
    solids_pass_on(&r->solid, &passed);
    push_all(r, pushed);
    for (int k = 0; k < r->d.n[2]; k++)
        for (int j = 0; j < r->d.n[1]; j++)
            for (int i = 0; i < r->d.n[0]; i++) {
                bool open;
                const int cell[3] = {i, j, k};
                const double more = (double)field_row(&passed, j, k)[i] * domain_cell_volume(&r->d);
                const double given = pushed_by_walls(r, cell, &open) + more, own = pushed[i + 24 * (j + 24 * k)];
                if (!open)
                    assert_near(own, 0, 0);
                worst = fmax(worst, open ? fabs(own - given) : 0);
                most = fmax(most, open ? fabs(given) : 0);
            }
    field_destroy(&passed);
    print_message("%dD: pushes differ by %.1e of %.2f\n", r->d.dims, worst, most);
    assert_true(most > 1);
    assert_below(worst, 3e-6 * most);
}

/* The pushes are the linear map behind what the walls add to the divergence. When bodies get another speed where they
   are, the walls follow and the pushes stay. */
static void test_pushes_are_what_walls_push(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        rigids r;
        crowd(&r, dims);
        stir(&r, 7);
        rigids_put(&r, 1, (double[3]){6.1, 7.1, dims == 3 ? 12 : 0}, (double[3]){0, 0, 1}, 10);
        assert_true(rigids_move(&r));
        check_pushes(&r);
        const solids_push *p = solids_pushes(&r.solid, 1);
        const int count = p->count;
        const float first = p->push[1][0];
        double centres[RIGIDS_MOST][3];
        for (int b = 0; b < r.count; b++)
            memcpy(centres[b], r.bodies.of[b].centre, sizeof centres[b]);
        for (int way = 0; way < 2; way++) {
            stir(&r, 70 + (uint64_t)way);
            for (int b = 0; b < r.count; b++)
                memcpy(r.bodies.of[b].centre, centres[b], sizeof centres[b]);
            if (way == 0)
                assert_false(rigids_move(&r));
            else
                solids_take_speeds(&r.solid, &r.bodies);
            assert_true(p->count == count && p->push[1][0] == first);
            check_pushes(&r);
        }
        rigids_end(&r);
    }
}

/* Two balls that touch, or nearly. The same pressure all around does not move them, and resting water lifts both by
   what they displace, whatever cells are closed between them. */
static void test_balls_that_touch_are_not_sucked_together(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        double all = 0, lift = 0;
        rigids r;
        rigids_begin(&r, dims, 24);
        for (int b = 0; b < 2; b++)
            rigids_add(&r, rigids_ball(4), (double[3]){12, 12, dims == 3 ? 12 : 0});
        rigids_lay(&r);
        for (uint64_t n = 0; n < 60; n++) {
            vec3 way = {check_noise(10 * n), check_noise(10 * n + 1), dims == 3 ? check_noise(10 * n + 2) : 0};
            way = vec3_scale(way, (4 + 0.15 * fabs(check_noise(10 * n + 3))) / vec3_length(way));
            for (int b = 0; b < 2; b++) {
                const double side = b ? 1 : -1, x = 12 + 0.5 * check_noise(10 * n + 4);
                rigids_put(&r, b, (double[3]){x + side * way.x, 12 + side * way.y, dims == 3 ? 12 + side * way.z : 0},
                           (double[3]){0, 0, 1}, 0);
            }
            rigids_move(&r);
            for (int b = 0; b < 2; b++) {
                const solids_push *p = solids_pushes(&r.solid, b);
                double sum[3] = {0, 0, 0}, lifts = 0;
                for (int m = 0; m < p->count; m++) {
                    for (int a = 0; a < 3; a++)
                        sum[a] += (double)p->push[a][m];
                    lifts -= (p->cell[m] / 24 % 24 + 0.5) * (double)p->push[1][m];
                }
                const double volume = dims == 3 ? 4.0 / 3 * acos(-1.0) * 64 : acos(-1.0) * 16;
                all = fmax(all, fmax(fabs(sum[0]), fmax(fabs(sum[1]), fabs(sum[2]))));
                lift = fmax(lift, fabs(lifts / volume - 1));
            }
        }
        rigids_end(&r);
        print_message("%dD: pushes add up to %.1e, lift off by %.1e\n", dims, all, lift);
        assert_below(all, 2e-3);
        assert_below(lift, 0.02);
    }
}

/* Force and torque of the pressure −y under a surface at `top` on body 0, the surface itself at pressure 0, less what
   the pressures in the middles of cells are too much for a thin body. */
static void weigh(const rigids *r, double top, double load[6])
{
    const solids_push *p = solids_pushes(&r->solid, 0);
    for (int i = 0; i < 6; i++)
        load[i] = 0;
    for (int n = 0; n < p->count; n++) {
        const int at = p->cell[n], cell[3] = {at % 24, at / 24 % 24, at / 576};
        const double *centre = r->bodies.of[0].centre, y = cell[1] + 0.5;
        const double more = clampd(top - cell[1], 0, 1) * solids_surplus(&r->solid, 0, cell, 1);
        for (int i = 0; i < 6; i++)
            load[i] += y < top ? (top - y) * (double)p->push[i][n] : 0;
        load[1] -= more;
        load[3] += r->d.dims == 3 ? more * (cell[2] + 0.5 - centre[2]) : 0;
        load[5] -= more * (cell[0] + 0.5 - centre[0]);
    }
}

typedef struct weighed {
    double lift, aside, turn; /* the worst errors, in units of the weight of the water, and that times the length */
} weighed;

/* A body in many places and turns; `half`: its centre on the surface, else all of it under water. */
static weighed weigh_body(int dims, fr_shape_def shape, double volume, double length, bool half, bool turned)
{
    rigids r;
    weighed worst = {0, 0, 0};
    rigids_begin(&r, dims, 24);
    rigids_add(&r, shape, (double[3]){12, 12, dims == 3 ? 12 : 0});
    rigids_lay(&r);
    for (uint64_t n = 0; n < 40; n++) {
        double at[3] = {0, 0, 0}, axis[3] = {0, 0, 1}, load[6];
        for (int a = 0; a < dims; a++) {
            at[a] = 12 + 0.5 * check_noise(n * 8 + (uint64_t)a);
            axis[a] = dims == 3 ? check_noise(n * 8 + 3 + (uint64_t)a) : axis[a];
        }
        rigids_put(&r, 0, at, axis, turned ? 180 * check_noise(n * 8 + 7) : 0);
        rigids_move(&r);
        const double top = half ? at[1] : 23, weight = half ? volume / 2 : volume;
        weigh(&r, top, load);
        worst.lift = fmax(worst.lift, fabs(load[1] / weight - 1));
        worst.aside = fmax(worst.aside, hypot(load[0], load[2]) / weight);
        worst.turn =
            fmax(worst.turn, sqrt(load[3] * load[3] + load[4] * load[4] + load[5] * load[5]) / weight / length);
    }
    rigids_end(&r);
    return worst;
}

static weighed check_weight(const char *what, fr_shape_def shape, double volume, double length, const int how[3])
{
    const weighed w = weigh_body(how[0], shape, volume, length, how[1], how[2]);
    print_message("%dD %s%s%s: lift off by %.4f %%, aside %.1e, torque %.1e of weight and radius\n", how[0], what,
                  how[2] ? ", turned" : "", how[1] ? ", half under water" : "", 100 * w.lift, w.aside, w.turn);
    return w;
}

/* Archimedes. */
static void test_resting_water_lifts_by_its_weight(void **state)
{
    (void)state;
    static const double PI = 3.14159265358979323846, radii[] = {4, 5.5, 8};
    for (int n = 0; n < 3; n++) {
        const double R = radii[n];
        const weighed ball = check_weight("ball", rigids_ball(R), 4 * PI * R * R * R / 3, R, (int[3]){3, 0, 0});
        const weighed disc = check_weight("disc", rigids_ball(R), PI * R * R, R, (int[3]){2, 0, 0});
        assert_below(fmax(ball.lift, disc.lift), 0.005);
        assert_below(fmax(ball.turn, disc.turn), 0.002);
        assert_below(fmax(ball.aside, disc.aside), 1e-5);
    }
    for (int turned = 0; turned < 2; turned++) {
        const weighed box = check_weight("box 8", rigids_box(4, 4, 4), 512, 4, (int[3]){3, 0, turned});
        const weighed long_box = check_weight("box 12 8 8", rigids_box(6, 4, 4), 768, 5, (int[3]){3, 0, turned});
        const weighed flat = check_weight("square 8", rigids_box(4, 4, 4), 64, 4, (int[3]){2, 0, turned});
        assert_below(fmax(box.lift, fmax(long_box.lift, flat.lift)), 0.005);
        assert_below(fmax(box.aside, fmax(long_box.aside, flat.aside)), 1e-5);
        assert_below(fmax(box.turn, fmax(long_box.turn, flat.turn)), 0.005);
    }
}

/* Half under water, any body with a centre of symmetry is lifted by half of that. */
static void test_half_under_water_lifts_by_half(void **state)
{
    (void)state;
    static const double PI = 3.14159265358979323846;
    for (int turned = 0; turned < 2; turned++) {
        const weighed box = check_weight("box 8", rigids_box(4, 4, 4), 512, 4, (int[3]){3, 1, turned});
        const weighed flat = check_weight("square 8", rigids_box(4, 4, 4), 64, 4, (int[3]){2, 1, turned});
        assert_below(fmax(box.lift, flat.lift), 0.005);
    }
    const weighed ball = check_weight("ball 4", rigids_ball(4), 256 * PI / 3, 4, (int[3]){3, 1, 0});
    const weighed large = check_weight("ball 8", rigids_ball(8), 2048 * PI / 3, 8, (int[3]){3, 1, 0});
    assert_below(ball.lift, 0.005);
    assert_below(large.lift, 0.005);
}

/* Walls thinner than a cell close whole faces; what that adds to the lift is known. */
static void test_the_lift_of_thin_plates(void **state)
{
    (void)state;
    static const double thick[] = {0.3, 0.6, 1, 1.4, 2};
    for (int turned = 0; turned < 2; turned++)
        for (int n = 0; n < 5; n++) {
            const double t = thick[n];
            const weighed w = check_weight("plate", rigids_box(6, 6, t / 2), 144 * t, 6, (int[3]){3, 0, turned});
            assert_below(w.lift, 0.03);
            assert_below(6 * w.turn, 0.5); /* cells: what is within a cell acts at its middle */
        }
}

/* The same lists for any number of threads. */
static void test_same_bits(void **state)
{
    (void)state;
    rigids one, many;
    fr_set_threads(1);
    crowd(&one, 3);
    fr_set_threads(3);
    crowd(&many, 3);
    for (int b = 1; b < one.count; b++) {
        const solids_push *p = solids_pushes(&one.solid, b), *q = solids_pushes(&many.solid, b);
        assert_int_equal(p->count, q->count);
        assert_memory_equal(p->cell, q->cell, (size_t)p->count * sizeof *p->cell);
        for (int d = 0; d < 6; d++)
            assert_memory_equal(p->push[d], q->push[d], (size_t)p->count * sizeof(float));
    }
    for (int a = 0; a < 3; a++)
        assert_memory_equal(one.solid.open[a].block, many.solid.open[a].block,
                            one.solid.open[a].count * sizeof(float));
    rigids_end(&one);
    rigids_end(&many);
    fr_set_threads(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pushes_are_what_walls_push),
        cmocka_unit_test(test_balls_that_touch_are_not_sucked_together),
        cmocka_unit_test(test_resting_water_lifts_by_its_weight),
        cmocka_unit_test(test_half_under_water_lifts_by_half),
        cmocka_unit_test(test_the_lift_of_thin_plates),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests_name("push", tests, NULL, NULL);
}
