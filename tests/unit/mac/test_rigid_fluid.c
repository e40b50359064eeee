/* Bodies as fluid made rigid: what a projection keeps, and how they accelerate. */
#include "coupled_tank.h"

#include <string.h>

/* How fast a point of a body moves, at a face along its axis. */
static double rigid_at(const tank *t, const rigid_state *s, int axis, const double place[3])
{
    vec3 r = vec3_sub(vec3_of(place), vec3_of(s->position));
    if (t->d.dims == 2)
        r.z = 0;
    vec3 turning = vec3_cross(vec3_of(s->spin), r);
    return s->velocity[axis] + (axis == 0 ? turning.x : axis == 1 ? turning.y : turning.z);
}

static void face_place(const tank *t, int axis, const int at[3], double place[3])
{
    field_position(&t->velocity[axis], &t->d, (ptrdiff_t[3]){at[0], at[1], at[2]}, place);
}

static void set_motion(rigid_state *s, int dims, uint64_t seed)
{
    for (int a = 0; a < 3; a++) {
        s->velocity[a] = a < dims ? check_noise(seed + (uint64_t)a) : 0;
        s->spin[a] = dims == 3 || a == 2 ? 5 * check_noise(seed + 3 + (uint64_t)a) : 0;
    }
}

/* At any density, wherever the body is. */
static void test_a_rigid_motion_stays(void **state)
{
    (void)state;
    static const double relative[] = {0.05, 0.7, 1, 11.3};
    for (int n = 0; n < 8; n++) {
        tank t;
        const int dims = 2 + n % 2;
        tank_ball(&t, dims, 20, 4, relative[n / 2]);
        tank_place(&t, Z_AXIS, 0, (double[3]){0.48, 0.53, dims == 3 ? 0.51 : 0});
        set_motion(&t.before, dims, 7);
        t.state = t.before;
        for (int a = 0; a < dims; a++)
            EACH_FACE(&t, a, at)
            {
                double place[3];
                face_place(&t, a, at, place);
                *tank_face(&t, a, at) = (float)rigid_at(&t, &t.before, a, place);
            }
        rigid_fluid_flow flow = tank_flow(&t);
        rigid_fluid_push(&t.body, 1, &flow);
        rigid_fluid_project(&t.body, 1, &flow);
        for (int a = 0; a < 3; a++) {
            assert_near(t.state.velocity[a], t.before.velocity[a], 1e-7);
            assert_near(t.state.spin[a], t.before.spin[a], 1e-6);
        }
        for (int a = 0; a < dims; a++)
            EACH_FACE(&t, a, at)
            {
                double place[3];
                face_place(&t, a, at, place);
                assert_near(*tank_face(&t, a, at), rigid_at(&t, &t.before, a, place), 1e-6);
            }
        tank_destroy(&t);
    }
}

/* Adds the momentum of the fluid, bodies being full of it, and its angular momentum about the origin. */
static void add_fluid(const tank *t, double momentum[6])
{
    const double cell = DENSITY * domain_cell_volume(&t->d);
    for (int a = 0; a < t->d.dims; a++)
        EACH_FACE(t, a, at)
        {
            double place[3], along[3] = {0, 0, 0};
            face_place(t, a, at, place);
            along[a] = cell * (double)*tank_face(t, a, at);
            vec3 turning = vec3_cross(vec3_of(place), vec3_of(along));
            momentum[a] += along[a];
            momentum[3] += turning.x;
            momentum[4] += turning.y;
            momentum[5] += turning.z;
        }
}

/* Adds those of a motion of the body, `sign` times: of its own mass less that of the fluid in its place. */
static void add_body(const tank *t, const rigid_state *motion, double sign, double momentum[6])
{
    const double cell = DENSITY * domain_cell_volume(&t->d);
    body_piece piece;
    for (int a = 0; a < 3; a++) {
        momentum[a] += sign * t->mass * motion->velocity[a];
        momentum[3 + a] += sign * motion->spin[a] / t->body.inverse.inertia[a][a];
    }
    vec3 orbit = vec3_cross(vec3_of(motion->position), vec3_of(motion->velocity));
    momentum[3] += sign * t->mass * orbit.x;
    momentum[4] += sign * t->mass * orbit.y;
    momentum[5] += sign * t->mass * orbit.z;
    for (int a = 0; a < 3; a++)
        for (body_walk w = body_walk_on(&t->cover, &t->velocity[a]); body_walk_next(&w, &piece);) {
            double along[3] = {0, 0, 0};
            along[a] = -sign * cell * (double)*piece.share * rigid_at(t, motion, a, piece.place);
            vec3 turning = vec3_cross(vec3_of(piece.place), vec3_of(along));
            momentum[a] += along[a];
            momentum[3] += turning.x;
            momentum[4] += turning.y;
            momentum[5] += turning.z;
        }
}

/* Two touching bodies in a wild flow, one of them kicked by a contact: momentum and angular momentum of fluid and
   bodies change by what the contact gives, and by nothing else. */
static void test_momentum_is_kept(void **state)
{
    (void)state;
    tank t, other;
    tank_ball(&t, 3, 20, 4, 0.7);
    tank_ball(&other, 3, 20, 3, 5);
    tank_place(&t, Z_AXIS, 0, (double[3]){0.4, 0.53, 0.51});
    tank_place(&other, Z_AXIS, 0, (double[3]){0.73, 0.5, 0.51});
    body_cover *covers[2] = {&t.cover, &other.cover};
    body_cover_limit(covers, 2, &(body_space){.spare = t.spare});
    set_motion(&t.before, 3, 11);
    set_motion(&other.before, 3, 23);
    t.state = t.before;
    other.state = other.before;
    other.body.first = 0;
    for (int a = 0; a < 3; a++) {
        other.state.velocity[a] += 0.3 * check_noise((uint64_t)a + 91);
        other.state.spin[a] += 2 * check_noise((uint64_t)a + 97);
        for (size_t i = 0; i < t.velocity[a].count; i++)
            t.velocity[a].block[i] = (float)check_noise(i + 1000 * (uint64_t)a);
    }
    const rigid_state kicked = other.state;
    double first[6] = {0}, last[6] = {0}, size = 0;
    add_fluid(&t, first);
    add_body(&t, &t.before, 1, first);
    add_body(&other, &other.before, 1, first);
    for (int a = 0; a < 3; a++) {
        first[a] += other.mass * (kicked.velocity[a] - other.before.velocity[a]);
        first[3 + a] += (kicked.spin[a] - other.before.spin[a]) / other.body.inverse.inertia[a][a];
    }
    vec3 kick = vec3_sub(vec3_of(kicked.velocity), vec3_of(other.before.velocity));
    vec3 orbit = vec3_scale(vec3_cross(vec3_of(kicked.position), kick), other.mass);
    first[3] += orbit.x;
    first[4] += orbit.y;
    first[5] += orbit.z;
    rigid_fluid_flow flow = tank_flow(&t);
    const rigid_fluid_body both[2] = {t.body, other.body};
    rigid_fluid_project(both, 2, &flow);
    add_fluid(&t, last);
    add_body(&t, &t.state, 1, last);
    add_body(&other, &other.state, 1, last);
    for (int n = 0; n < 6; n++)
        size = fmax(size, fabs(first[n]));
    for (int n = 0; n < 6; n++)
        assert_near(last[n] / size, first[n] / size, 1e-6);
    tank_destroy(&t);
    tank_destroy(&other);
}

/* Gravity moves what is as heavy as the fluid by less than a millionth of itself, whatever its shape and pose. */
static void test_a_neutral_body_stays(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        tank t;
        const double h = 1.0 / 24, width = 9 * h, thickness = 5 * h;
        tank_make(&t, dims, 24, h, plate_form(width, thickness));
        double volume = width * thickness * (dims == 3 ? width : 1);
        tank_weigh(&t, 1, volume, volume * (width * width + thickness * thickness) / 12);
        tank_place(&t, dims == 3 ? TURN_AXIS : Z_AXIS, 33, (double[3]){0.47, 0.52, dims == 3 ? 0.55 : 0});
        for (int n = 0; n < 20; n++)
            tank_step(&t, 1);
        for (int a = 0; a < 3; a++) {
            assert_below(fabs(t.state.velocity[a]) / (20 * GRAVITY * t.dt), 1e-6);
            assert_below(fabs(t.state.spin[a]) * width / (20 * GRAVITY * t.dt), 1e-6);
        }
        tank_destroy(&t);
    }
}

/* What a contact holds stirs nothing, however heavy it is. */
static void test_a_held_body_stirs_nothing(void **state)
{
    (void)state;
    tank t;
    tank_ball(&t, 3, 24, 4, 11.3);
    for (int n = 0; n < 10; n++)
        tank_step(&t, 0);
    for (int a = 0; a < 3; a++) {
        assert_below(fabs(t.state.velocity[a]) / (10 * GRAVITY * t.dt), 1e-6);
        EACH_FACE(&t, a, at)
        assert_below(fabs(*tank_face(&t, a, at)) / (10 * GRAVITY * t.dt), 1e-6);
    }
    tank_destroy(&t);
}

/* Of g: how fast a body that is `fluid` times its own volume large to the fluid gains speed, by its added mass. */
static double added_mass(double relative, double coefficient, double fluid)
{
    return (1 - relative) / (relative + fluid - 1 + coefficient * fluid);
}

/* The added mass of a ball or disc, over that of the fluid in its place, in the middle of a round box as large as ours
   (Lamb 1932, § 92). */
static double box_coefficient(const tank *t, double radius)
{
    const double n = t->d.n[0];
    if (t->d.dims == 2) {
        const double share = PI * radius * radius / (n * n);
        return (1 + share) / (1 - share);
    }
    const double share = 4 * PI / 3 * pow(radius / n, 3);
    return 0.5 * (1 + 2 * share) / (1 - share);
}

/* The acceleration of balls and discs in the first twelve steps, once the splitting has settled. It is too small by the
   fluid in the faces that the surface cuts, which in time moves with the body: at most as if that were half a cell
   larger all around. */
static void test_balls_accelerate_by_their_added_mass(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        double before = 0;
        print_message("%dD, density 2, acceleration over g by radius in cells:", dims);
        for (int radius = 3; radius <= 8; radius++) {
            tank t;
            tank_ball(&t, dims, (dims == 3 ? 8 : 16) * radius, radius, 2);
            for (int n = 0; n < 3; n++)
                tank_step(&t, 1);
            const double start = t.state.velocity[1];
            for (int n = 0; n < 9; n++)
                tank_step(&t, 1);
            const double found = (t.state.velocity[1] - start) / (9 * GRAVITY * t.dt);
            const double exact = added_mass(2, box_coefficient(&t, radius), 1);
            const double large = added_mass(2, box_coefficient(&t, radius + 0.5), pow((radius + 0.5) / radius, dims));
            print_message(" %d: %.4f (%+.1f %%)", radius, found, 100 * (found / exact - 1));
            assert_true(found >= exact && found <= large);
            assert_true(found < before);
            before = found;
            tank_destroy(&t);
        }
        print_message("\n");
    }
}

/* How much faster than a ball the flow around it goes, two radii above its middle, where that is an eighth of it; over
   what the ball itself gains in a step by its added mass. */
static double flow_ahead(double relative, double first)
{
    tank t;
    const int n = 48, radius = 6;
    double beside = 0;
    tank_ball(&t, 3, n, radius, relative);
    t.body.first = first < 0 ? t.body.first : first;
    for (int i = 0; i < 4; i++)
        tank_step(&t, 1);
    for (int i = 0; i < 4; i++)
        beside += 0.25 * *tank_face(&t, 1, (const int[3]){n / 2 - i % 2, n / 2 + 2 * radius, n / 2 - i / 2});
    const double ahead = 8 * beside - t.state.velocity[1];
    tank_destroy(&t);
    return ahead / (added_mass(relative, 0.5, 1) * GRAVITY * t.dt);
}

/* What acts on a heavy body acts on the flow around it all at once if it does so before the pressure, too late if
   after it; the remedy is nearer to it than either. */
static void test_the_flow_keeps_up_with_the_body(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++) {
        const double relative = (const double[]){2, 5, 11.3}[n], all = flow_ahead(relative, 1),
                     none = flow_ahead(relative, 0), remedy = flow_ahead(relative, -1);
        print_message(
            "density %g: the flow is ahead by %.2f steps, %.2f with all before the pressure, %.2f with none\n",
            relative, remedy, all, none);
        assert_true(fabs(remedy) < 0.5 * fabs(none) && fabs(remedy) < 0.5 * fabs(all));
        assert_near(all, relative - 1, 0.15 * relative);
        assert_near(none, -1.5, 0.3);
    }
}

/* The speed of a body, over g times the time, after so many steps. */
static double fall(tank *t, int steps)
{
    for (int n = 0; n < steps; n++)
        tank_step(t, 1);
    return t->state.velocity[1] / (steps * GRAVITY * t->dt);
}

/* A plate broadside on, four times as wide as thick, in 2D: pressure takes 4/5 of its motion. */
static void plate(tank *t, double relative)
{
    const double h = 1.0 / 64, width = 16 * h, thickness = 4 * h, area = width * thickness;
    tank_make(t, 2, 64, h, plate_form(width, thickness));
    tank_weigh(t, relative, area, area * (width * width + thickness * thickness) / 12);
    tank_place(t, Z_AXIS, 0, (double[3]){0.5, 0.5, 0});
}

/* Eq. 84's term lets a light plate run away at a relative density of 0.4, and a ball at 0.2; without it both rise. */
static void test_light_bodies_need_the_remedy(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        tank t;
        if (n < 2)
            plate(&t, 0.4);
        else
            tank_ball(&t, 3, 32, 4, 0.2);
        assert_true(t.body.light);
        t.body.light = n % 2;
        const double speed = fall(&t, 60);
        print_message("%s, eq. 84's term %s: %.3g g t\n", n < 2 ? "plate of 0.4" : "ball of 0.2",
                      t.body.light ? "dropped" : "kept", speed);
        if (t.body.light)
            assert_true(speed > 0 && speed < added_mass(t.body.relative, n < 2 ? 4 : 0.5, 1));
        else
            assert_true(fabs(speed) > 10);
        tank_destroy(&t);
    }
}

/* A ball is stable down to a quarter: below a half it goes without the term because other shapes need that. */
static void test_balls_are_stable_with_the_term(void **state)
{
    (void)state;
    tank t;
    tank_ball(&t, 3, 32, 4, 0.4);
    t.body.light = false;
    const double exact = added_mass(0.4, 0.5, 1), speed = fall(&t, 60);
    assert_true(speed < exact && speed > 0.5 * exact);
    tank_destroy(&t);
}

/* A body may lie across the seam of a periodic box: it is the same there. */
static void test_seams_are_not_seen(void **state)
{
    (void)state;
    double found[2][6];
    for (int n = 0; n < 2; n++) {
        tank t;
        tank_ball(&t, 3, 16, 4, 3);
        t.d.periodic[0] = t.cover.d.periodic[0] = true;
        tank_place(&t, Z_AXIS, 0, (double[3]){n ? 1.02 : 0.52, 0.5, 0.5});
        for (int a = 0; a < 3; a++)
            EACH_FACE(&t, a, at)
            {
                int from = (at[0] + (n ? 8 : 0)) % 16;
                *tank_face(&t, a, at) = (float)check_noise((uint64_t)(from + 16 * at[1] + 256 * at[2] + 4096 * a));
                if (a == 0)
                    field_row(&t.velocity[0], at[1], at[2])[0] =
                        (float)check_noise((uint64_t)((n ? 8 : 0) + 16 * at[1] + 256 * at[2]));
            }
        rigid_fluid_flow flow = tank_flow(&t);
        rigid_fluid_project(&t.body, 1, &flow);
        memcpy(found[n], t.state.velocity, sizeof t.state.velocity);
        memcpy(found[n] + 3, t.state.spin, sizeof t.state.spin);
        tank_destroy(&t);
    }
    for (int n = 0; n < 6; n++)
        assert_near(found[1][n], found[0][n], 1e-5 * fabs(found[0][n]) + 1e-6);
}

/* A fixed body does not move, and the fluid in it stands. */
static void test_fixed_bodies_hold_the_fluid(void **state)
{
    (void)state;
    tank t;
    tank_ball(&t, 2, 20, 5, 1);
    t.body.inverse = (rigid_inverse){0};
    for (int a = 0; a < 2; a++)
        field_fill(&t.velocity[a], 1);
    rigid_fluid_flow flow = tank_flow(&t);
    rigid_fluid_project(&t.body, 1, &flow);
    for (int a = 0; a < 2; a++) {
        assert_true(t.state.velocity[a] == 0);
        assert_true(field_row(&t.velocity[a], 10, 0)[10] == 0);
    }
    tank_destroy(&t);
}

/* The same bits for any number of threads. */
static void test_threads_change_nothing(void **state)
{
    (void)state;
    rigid_state found[2];
    for (int n = 0; n < 2; n++) {
        fr_set_threads(1 + 2 * n);
        tank t;
        tank_ball(&t, 3, 24, 5, 3);
        tank_place(&t, Z_AXIS, 0, (double[3]){0.48, 0.53, 0.51});
        fall(&t, 3);
        found[n] = t.state;
        tank_destroy(&t);
    }
    fr_set_threads(0);
    assert_memory_equal(&found[0], &found[1], sizeof found[0]);
}

static void test_the_step_that_spin_allows(void **state)
{
    (void)state;
    domain d = tank_domain(3, 10, 0.1);
    rigid_state s = {.velocity = {1, -3, 0.5}, .spin = {0, 3, 4}};
    assert_near(rigid_fluid_rate(&d, &s, 0.2), (3 + 5 * 0.2) / 0.1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_rigid_motion_stays),
                                       cmocka_unit_test(test_momentum_is_kept),
                                       cmocka_unit_test(test_a_neutral_body_stays),
                                       cmocka_unit_test(test_a_held_body_stirs_nothing),
                                       cmocka_unit_test(test_balls_accelerate_by_their_added_mass),
                                       cmocka_unit_test(test_the_flow_keeps_up_with_the_body),
                                       cmocka_unit_test(test_light_bodies_need_the_remedy),
                                       cmocka_unit_test(test_balls_are_stable_with_the_term),
                                       cmocka_unit_test(test_seams_are_not_seen),
                                       cmocka_unit_test(test_fixed_bodies_hold_the_fluid),
                                       cmocka_unit_test(test_threads_change_nothing),
                                       cmocka_unit_test(test_the_step_that_spin_allows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
