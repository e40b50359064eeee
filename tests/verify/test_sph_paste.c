/* Particle liquids that yield and thin. */
#include "support/liquids.h"

/* Flow between plates at y = 0 and 1 that a force drives, of a stress yield + ν γ^power: where the stress f |y − ½| is
   below the yield the liquid moves as a plug. */
typedef struct paste {
    double nu, yield, power, f, seconds, spacing, support;
    int dims;
} paste;

static double paste_exact(const paste *p, double y)
{
    const double plug = p->yield / p->f, from = fmax(fabs(y - 0.5), plug), k = 1 + 1 / p->power;
    return pow(p->f / p->nu, 1 / p->power) / k * (pow(0.5 - plug, k) - pow(from - plug, k));
}

/* How the steady flow that a start from rest leads to is off, root mean square, over the greatest speed. */
static double paste_error(const paste *p)
{
    liquid made;
    liquids_float(&made, p->dims, p->spacing, p->seconds);
    fr_scene_def *def = &made.def;
    const double thick = 8 * p->spacing;
    def->domain = (fr_domain_def){.dims = p->dims, .size = {thick, 1, p->dims == 3 ? thick : 0}};
    for (int side = 0; side < FR_SIDES; side++)
        def->walls[side].kind = side / 2 == 1 ? FR_WALL_NO_SLIP : FR_WALL_PERIODIC;
    def->sph.support = p->support;
    def->sph.damping = 0;
    def->fluid.viscosity = p->nu;
    def->fluid.yield = p->yield;
    def->fluid.power = p->power;
    def->time.fps = 10 / p->seconds;
    made.shape = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++)
        made.shape.max[a] = 2;
    made.force = (fr_force_def){.value.value = {p->f, 0, 0}};
    def->forces = &made.force;
    def->force_count = 1;
    fr_world *world = worlds_create(def);
    double square = 0, count = 0, iterations = 0;
    for (int i = 0; i < 10; i++) {
        assert_ok(fr_world_step_frame(world));
        iterations = fmax(iterations, worlds_ledger(world, "viscosity_iterations"));
        const fr_frame *frame = fr_world_frame(world);
        for (int64_t n = 0; n < frame->particle_count && i >= 7; n++) {
            const double y = frame->particles.data[n * frame->particles.stride + 1],
                         u = frame->particle_velocity.data[n * frame->particle_velocity.stride];
            square += pow(u - paste_exact(p, y), 2);
            count++;
        }
    }
    fr_world_destroy(world);
    const double error = sqrt(square / count) / paste_exact(p, 0.5);
    print_message("%dD, yield %g, power %g, %.0f across: %.2f %% of the greatest, %.3g; %.0f iterations\n", p->dims,
                  p->yield, p->power, 1 / p->spacing, 100 * error, paste_exact(p, 0.5), iterations);
    return error;
}

static void test_pastes_between_plates(void **state)
{
    (void)state;
    static const struct { double yield, power, seconds, most; } laws[] = {
        {0.05, 1, 10, 0.03}, {0.1, 1, 10, 0.03}, {0.2, 1, 10, 0.04}, {0, 0.6, 20, 0.02}, {0, 1.4, 5, 0.02}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        const paste p = {.nu = 0.1,
                         .yield = laws[i].yield,
                         .power = laws[i].power,
                         .f = 0.8,
                         .seconds = laws[i].seconds,
                         .spacing = 1.0 / 32,
                         .support = 2,
                         .dims = 2};
        assert_below(paste_error(&p), laws[i].most);
    }
}

/* A block on a floor that it sticks to: how high it is after a second. */
static double block_height(double yield)
{
    liquid made;
    liquids_float(&made, 2, 0.0125, 1);
    fr_scene_def *def = &made.def;
    def->domain = (fr_domain_def){.dims = 2, .size = {0.6, 0.3}};
    for (int side = 0; side < FR_SIDES; side++)
        def->walls[side].kind = FR_WALL_NO_SLIP;
    def->gravity[1] = -9.81;
    def->fluid.viscosity = 0.1;
    def->fluid.yield = yield;
    def->time.fps = 10;
    made.shape = fr_default_shape(FR_SHAPE_BOX);
    made.shape.min[0] = 0.2;
    made.shape.max[0] = 0.4;
    made.shape.max[1] = 0.2;
    fr_world *world = worlds_create(def);
    double high = 0;
    for (int i = 0; i < 10; i++)
        assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    for (int64_t n = 0; n < frame->particle_count; n++)
        high = fmax(high, frame->particles.data[n * frame->particles.stride + 1]);
    fr_world_destroy(world);
    print_message("a block 0.2 m high of yield %g m²/s² is %.4f m high after 1 s\n", yield, high + 0.5 * 0.0125);
    return high + 0.5 * 0.0125;
}

/* Stress over the density at the bottom is g h/2 at most, 0.98 m²/s². */
static void test_heaps_stand(void **state)
{
    (void)state;
    assert_near(block_height(2), 0.2, 0.004);
    assert_below(block_height(0.1), 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pastes_between_plates),
                                       cmocka_unit_test(test_heaps_stand)};
    fr_set_threads(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
