/* Friction in particle liquids: flows between plates, bodies of liquid that turn and fall. */
#include "support/liquids.h"
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* The flow along plates at y = 0 and y = 1 that starts from rest under a constant acceleration f, or with the upper plate moving
   at U: Batchelor, An Introduction to Fluid Dynamics, 4.3. */
static double channel_exact(double y, double t, double nu, double f, double lid)
{
    double u = f / (2 * nu) * y * (1 - y) + lid * y;
    for (int n = 1; n < 60; n++) {
        double decay = exp(-n * n * PI * PI * nu * t), shape = sin(n * PI * y);
        u -= n % 2 ? 4 * f / (nu * pow(n * PI, 3)) * shape * decay : 0;
        u += 2 * lid / (n * PI) * (n % 2 ? -1 : 1) * shape * decay;
    }
    return u;
}

typedef struct channel {
    double nu, f, lid, seconds, spacing, dt;
    int dims;
} channel;

/* Root mean square of the error of the velocity along the plates. */
static double channel_error(const channel *c)
{
    liquid made;
    liquids_float(&made, c->dims, c->spacing, c->seconds);
    fr_scene_def *def = &made.def;
    double thick = 8 * c->spacing;
    def->domain = (fr_domain_def){.dims = c->dims, .size = {c->dims == 3 ? thick : 0.5, 1, c->dims == 3 ? thick : 0}};
    for (int side = 0; side < FR_SIDES; side++)
        def->walls[side].kind = side / 2 == 1 ? FR_WALL_NO_SLIP : FR_WALL_PERIODIC;
    def->walls[FR_TOP].velocity.value[0] = c->lid;
    def->fluid.viscosity = c->nu;
    def->time.dt = c->dt;
    made.shape = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++)
        made.shape.max[a] = 2;
    made.force = (fr_force_def){.value.value = {c->f, 0, 0}};
    def->forces = &made.force;
    def->force_count = 1;
    fr_world *world = worlds_create(def);
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    double square = 0, most = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        double y = frame->particles.data[n * frame->particles.stride + 1], u = frame->particle_velocity.data[n * frame->particle_velocity.stride];
        double error = u - channel_exact(y, c->seconds, c->nu, c->f, c->lid);
        if (getenv("SHOW")) printf("%g %g %g\n", y, u, u - error);
        square += error * error;
        most = fmax(most, fabs(error));
    }
    printf("steps, most %g\n", most);
    double error = sqrt(square / (double)frame->particle_count);
    fr_world_destroy(world);
    return error;
}

static void test_flow_between_plates(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
    for (int lid = 0; lid <= 1; lid++) {
        channel c = {.nu = 0.1, .f = lid ? 0 : 0.8, .lid = lid, .seconds = 8, .spacing = 1.0 / 16, .dims = dims};
        double coarse = channel_error(&c);
        c.spacing = 1.0 / 32;
        double fine = channel_error(&c);
        print_message("%d %s: %g %g order %g\n", dims, lid ? "couette" : "poiseuille", coarse, fine, log2(coarse / fine));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow_between_plates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
