/* Heat in a liquid of particles that rests on its lattice: conduction, melting fronts, sides, the surface's loss. */
#include "support/liquids.h"

static const double PI = 3.14159265358979323846;

typedef struct slab {
    liquid of;
    fr_scalar_value hot, cold, start;
} slab;

/* A full 2D or 3D domain without gravity, `length` long and `across` spacings wide, without friction of sides. */
static void slab_make(slab *s, int dims, double length, double spacing, int across)
{
    memset(s, 0, sizeof *s);
    liquids_float(&s->of, dims, spacing, 1);
    fr_scene_def *def = &s->of.def;
    const double width = across * spacing;
    def->domain = (fr_domain_def){.dims = dims, .size = {length, width, dims == 3 ? width : 0}};
    for (int side = 0; side < 2 * dims; side++)
        def->walls[side].kind = side / 2 == 0 ? FR_WALL_FREE_SLIP : FR_WALL_PERIODIC;
    s->of.shape = fr_default_shape(FR_SHAPE_BOX);
    for (int a = 0; a < 3; a++)
        s->of.shape.max[a] = 2 * length;
    def->heat.set = true;
}

static void slab_hold(slab *s, int side, fr_scalar_value *value, double temperature)
{
    *value = (fr_scalar_value){.name = "temperature", .value.value = temperature};
    s->of.def.walls[side].scalars = value;
    s->of.def.walls[side].scalar_count = 1;
}

static const float *slab_values(const fr_frame *frame, const char *name)
{
    for (int i = 0; i < frame->attribute_count; i++)
        if (!strcmp(frame->attributes[i].name, name))
            return frame->attributes[i].data;
    fail_msg("particles have no %s", name);
    return NULL;
}

typedef struct spot {
    double width, at;   /* m */
    int dims;
} spot;

/* With its images beyond the periodic sides of a unit cube. */
static double spot_value(const spot *s, const double *at)
{
    double product = 1;
    for (int a = 0; a < s->dims; a++) {
        double sum = 0;
        for (int image = -2; image <= 2; image++)
            sum += exp(-pow(at[a] - s->at + image, 2) / (2 * s->width * s->width));
        product *= sum;
    }
    return product;
}

static fr_result spot_start(void *context, const double *args, double *out)
{
    *out = spot_value(context, args);
    return FR_OK;
}

/* The greatest error of a Gaussian after its square has doubled; and of the total. */
static double spot_error(int dims, int across, int steps, double *total)
{
    slab s;
    spot start = {.width = 0.12, .at = 0.5, .dims = dims}, end = start;
    end.width *= sqrt(2);
    const double kappa = 0.5 * start.width * start.width, spacing = 1.0 / across;
    slab_make(&s, dims, 1, spacing, across);
    fr_scene_def *def = &s.of.def;
    def->walls[FR_LEFT].kind = def->walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    s.start = (fr_scalar_value){.name = "temperature", .value = {.function = spot_start, .context = &start}};
    def->initial = &s.start;
    def->initial_count = 1;
    def->heat.diffusivity = kappa;
    def->time.dt = 1.0 / steps;
    fr_world *world = worlds_create(def);
    const double before = worlds_ledger(world, "heat");
    assert_ok(fr_world_step_frame(world));
    const fr_frame *frame = fr_world_frame(world);
    const float *t = slab_values(frame, "temperature");
    double worst = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *x = frame->particles.data + n * frame->particles.stride;
        const double at[3] = {(double)x[0], (double)x[1], (double)x[2]};
        worst = fmax(worst, fabs((double)t[n] - pow(2, -0.5 * dims) * spot_value(&end, at)));
    }
    *total = fabs(worlds_ledger(world, "heat") / before - 1);
    fr_world_destroy(world);
    return worst;
}

/* Steps as the square of the spacing, so that both errors fall alike; nothing gets lost. */
static void test_gaussian(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        double error[3], total;
        const int count = dims == 2 ? 3 : 2;
        for (int i = 0; i < count; i++) {
            error[i] = spot_error(dims, 16 << i, 8 << (2 * i), &total);
            print_message("Gaussian in %dD, %d across: %.3g, total to %.1e\n", dims, 16 << i, error[i], total);
            assert_below(total, 1e-13);
        }
        const double order = log2(error[count - 2] / error[count - 1]);
        print_message("order %.2f\n", order);
        assert_below(1.85, order);
    }
}

/* Between a hot and a cold side, with sides that hold nothing around: the profile is straight, and a front between the
   phases stands where it crosses the melting point. */
static void test_slab(void **state)
{
    (void)state;
    for (int closed = 0; closed <= 1; closed++)
        for (int dims = 2; dims <= 3; dims++) {
            slab s;
            slab_make(&s, dims, 1, 1.0 / 20, dims == 3 ? 6 : 10);
            fr_scene_def *def = &s.of.def;
            for (int side = 2; side < 2 * dims && closed; side++)
                def->walls[side].kind = FR_WALL_NO_SLIP;
            slab_hold(&s, FR_LEFT, &s.hot, 100);
            slab_hold(&s, FR_RIGHT, &s.cold, 20);
            def->heat.diffusivity = 1;
            def->heat.ambient = 20;
            def->heat.latent = 50;
            def->heat.melt = (fr_melt_def){.set = true, .from = 60, .to = 62, .solid = 1, .liquid = 0.1};
            def->time = (fr_time_def){.duration = 40, .fps = 0.025, .dt = 1};
            fr_world *world = worlds_create(def);
            assert_ok(fr_world_step_frame(world));
            const fr_frame *frame = fr_world_frame(world);
            const float *t = slab_values(frame, "temperature"), *f = slab_values(frame, "liquid_fraction");
            double worst = 0;
            for (int64_t n = 0; n < frame->particle_count; n++) {
                const double x = frame->particles.data[n * frame->particles.stride], exact = 100 - 80 * x;
                worst = fmax(worst, fabs((double)t[n] - exact) / 80);
                assert_near((double)f[n], fmin(fmax((exact - 60) / 2, 0), 1), 0.01);
            }
            print_message("slab in %dD, %s: %.2g of the difference, heat %.3g of what came\n", dims,
                          closed ? "closed" : "periodic", worst,
                          worlds_ledger(world, "heat") / worlds_ledger(world, "heat_in") - 1);
            assert_below(worst, 2e-4);
            assert_near(worlds_ledger(world, "heat"), worlds_ledger(world, "heat_in"),
                        1e-9 * worlds_ledger(world, "heat"));
            fr_world_destroy(world);
        }
}

/* λ of Neumann's solution with the solid at its melting point: √π λ exp(λ²) erf λ = St (Carslaw & Jaeger 11.2). */
static double front_lambda(double stefan)
{
    double low = 0, high = 5;
    for (int i = 0; i < 100; i++) {
        const double x = 0.5 * (low + high);
        if (sqrt(PI) * x * exp(x * x) * erf(x) < stefan)
            low = x;
        else
            high = x;
    }
    return low;
}

/* Where the front stands: the molten length. */
static double front_at(const fr_frame *frame, double length)
{
    const float *f = slab_values(frame, "liquid_fraction");
    double sum = 0;
    for (int64_t n = 0; n < frame->particle_count; n++)
        sum += (double)f[n];
    return sum * length / (double)frame->particle_count;
}

static void test_stefan(void **state)
{
    (void)state;
    static const double stefans[] = {0.2, 1, 2};
    for (int i = 0; i < 3; i++) {
        slab s;
        slab_make(&s, 2, 1, 1.0 / 100, 6);
        fr_scene_def *def = &s.of.def;
        slab_hold(&s, FR_LEFT, &s.hot, 1);
        def->heat.latent = 1 / stefans[i];
        def->heat.melt = (fr_melt_def){.set = true, .solid = 1e-3, .liquid = 1e-3};
        const double lambda = front_lambda(stefans[i]);
        def->heat.diffusivity = pow(0.8 / (2 * lambda), 2);   /* the front comes to 0.8 m in a second */
        def->time = (fr_time_def){.duration = 1, .fps = 16, .dt = 1.0 / 400};
        fr_world *world = worlds_create(def);
        double early = 0, late = 0, worst = 0;
        for (int frame = 1; frame <= 16; frame++) {
            assert_ok(fr_world_step_frame(world));
            const double at = front_at(fr_world_frame(world), 1), exact = 0.8 * sqrt(frame / 16.0);
            early = frame == 4 ? at : early;
            late = at;
            worst = frame >= 4 ? fmax(worst, fabs(at / exact - 1)) : worst;
        }
        const double exponent = log(late / early) / log(4);
        print_message("Stefan number %g: front off by %.3f %%, exponent %.4f\n", stefans[i], 100 * worst, exponent);
        assert_below(worst, 0.02);
        assert_near(exponent, 0.5, 0.02);
        fr_world_destroy(world);
    }
}

/* A slab with a surface cools as Newton's law says: steady, the flux κ (T₀ − T₁)/L is loss (T₁ − ambient). */
static void test_surface(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        slab s;
        slab_make(&s, dims, 1, 1.0 / 20, 6);
        fr_scene_def *def = &s.of.def;
        def->domain.size[0] = 1.25;
        s.of.shape.max[0] = 1;
        slab_hold(&s, FR_LEFT, &s.hot, 100);
        def->heat.diffusivity = 1;
        def->heat.loss = 1;
        def->time = (fr_time_def){.duration = 40, .fps = 0.025, .dt = 1};
        fr_world *world = worlds_create(def);
        assert_ok(fr_world_step_frame(world));
        const fr_frame *frame = fr_world_frame(world);
        const float *t = slab_values(frame, "temperature");
        double worst = 0;
        for (int64_t n = 0; n < frame->particle_count; n++) {
            const double x = frame->particles.data[n * frame->particles.stride];
            worst = fmax(worst, fabs((double)t[n] - (100 - 50 * x)));
        }
        print_message("a surface that cools, in %dD: %.2f %% of the difference\n", dims, worst);
        assert_below(worst, 2);
        fr_world_destroy(world);
    }
}

/* A block of cold wax on a floor, whether it sticks or slips: the block stands still. */
static void test_cold_block(void **state)
{
    (void)state;
    for (int sticks = 0; sticks <= 1; sticks++)
        for (int solver = FR_SPH_DFSPH; solver <= FR_SPH_PCISPH; solver++) {
            slab s;
            slab_make(&s, 2, 2, 0.05, 20);
            fr_scene_def *def = &s.of.def;
            for (int side = 0; side < 4; side++)
                def->walls[side].kind = sticks ? FR_WALL_NO_SLIP : FR_WALL_FREE_SLIP;
            s.of.shape.min[0] = 0.6;
            s.of.shape.max[0] = 1.4;
            s.of.shape.min[1] = 0;
            s.of.shape.max[1] = 0.8;
            def->gravity[1] = -9.81;
            def->sph.solver = (fr_sph_solver)solver;
            def->heat.melt = (fr_melt_def){.set = true, .from = 50, .to = 60, .solid = 1e4, .liquid = 1e-2};
            def->time = (fr_time_def){.duration = 2, .fps = 1};
            fr_world *world = worlds_create(def);
            const double before = worlds_ledger(world, "potential_energy");
            for (int frame = 0; frame < 2; frame++)
                assert_ok(fr_world_step_frame(world));
            const double lost = 1 - worlds_ledger(world, "potential_energy") / before;
            print_message("cold block on a floor that %s, solver %d: sank by %.3f %%, moves at %.1e m/s\n",
                          sticks ? "sticks" : "slips", solver, 100 * lost, worlds_ledger(world, "max_speed"));
            assert_below(fabs(lost), 0.005);
            assert_below(worlds_ledger(world, "max_speed"), 0.002);
            fr_world_destroy(world);
        }
}

typedef struct couette {
    double ratio;   /* of the viscosities, the lower over the upper one */
} couette;

/* Along x at a height between a plate at rest and one that moves at 1 m/s: the stress is the same everywhere. */
static double couette_speed(const couette *c, double y)
{
    const double seam = 1 / (1 + c->ratio);
    return y < 0.5 ? 2 * y * seam : seam + 2 * (y - 0.5) * (1 - seam);
}

static fr_result couette_start(void *context, const double *args, double *out)
{
    out[0] = couette_speed(context, args[1]);
    out[1] = out[2] = 0;
    return FR_OK;
}

/* A cold layer below a hot one: pairs across the seam have the harmonic mean of both viscosities, or the thick layer
   would drag the thin one along. */
static void test_two_layers(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        couette c = {.ratio = i ? 1e4 : 100};
        slab s;
        slab_make(&s, 2, 0.5, 0.05, 20);
        fr_scene_def *def = &s.of.def;
        fr_shape_def lower = fr_default_shape(FR_SHAPE_BOX);
        fr_fill_def fills[2] = {s.of.fill, {.shape.shape = &lower}};
        for (int a = 0; a < 3; a++)
            lower.max[a] = a == 1 ? 0.5 : 2;
        s.hot = (fr_scalar_value){.name = "temperature", .value.value = 100};
        fills[0].scalars = &s.hot;
        fills[0].scalar_count = 1;
        def->fill = fills;
        def->fill_count = 2;
        for (int side = 0; side < 4; side++)
            def->walls[side].kind = side / 2 == 1 ? FR_WALL_NO_SLIP : FR_WALL_PERIODIC;
        def->walls[FR_TOP].velocity.value[0] = 1;
        def->has_initial_velocity = true;
        def->initial_velocity = (fr_vector){.function = couette_start, .context = &c};
        def->heat.melt = (fr_melt_def){.set = true, .from = 40, .to = 60, .solid = 0.1 * c.ratio, .liquid = 0.1};
        def->sph.damping = 0;
        def->sph.support = 2;   /* as in test_sph_viscosity */
        def->time = (fr_time_def){.duration = 4, .fps = 2.5};
        fr_world *world = worlds_create(def);
        double square = 0;
        int64_t count = 0;
        for (int frame = 1; frame <= 10; frame++) {
            assert_ok(fr_world_step_frame(world));
            const fr_frame *f = fr_world_frame(world);
            for (int64_t n = 0; n < f->particle_count && frame > 5; n++, count++) {
                const double y = f->particles.data[n * f->particles.stride + 1];
                square += pow((double)f->particle_velocity.data[n * f->particle_velocity.stride] -
                              couette_speed(&c, y), 2);
            }
        }
        const double off = sqrt(square / (double)count);
        print_message("two layers, 1:%g: off by %.2f %% of the plate's speed\n", c.ratio, 100 * off);
        assert_below(off, 0.01);
        fr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gaussian), cmocka_unit_test(test_slab),
                                       cmocka_unit_test(test_stefan), cmocka_unit_test(test_surface),
                                       cmocka_unit_test(test_cold_block), cmocka_unit_test(test_two_layers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
