/* Rivers with random sides: banks whose roughness and motion change along them, profiles that come in, and streams that
   join through parts of banks, opening and closing in time. Whatever they are: no step fails, as much water leaves as
   comes in, an ink that all of it brings stays between 0 and 1, particles stay in the river, and the bits do not depend
   on the number of threads or on a restart. */
#include "base/random.h"
#include "support/rivers.h"

enum { RIVERS = 24, PIECES = 5, FRAMES = 4 };

/* A bank. */
typedef struct random_bank {
    double rough[PIECES], speed[PIECES]; /* along it */
    double from[2], to[2], enters;       /* a mouth, in shares */
    double rate, gate;                   /* its speed changes by this rate; below this sine it is closed */
    bool profile;                        /* fastest in the middle */
} random_bank;

typedef struct random_river {
    uint64_t seed, drawn;
    double bend, shear, throat;
    random_bank banks[FR_SIDES];
    fr_scalar_def ink;
    fr_scalar_value enters;
    fr_tracers_def tracers;
    fr_scene_def def;
} random_river;

static double draw(random_river *r, double low, double high)
{
    return low + (high - low) * random_unit(r->seed, r->drawn++);
}
static bool draw_chance(random_river *r, double share)
{
    return draw(r, 0, 1) < share;
}

static fr_result river_map(void *context, const double *args, double *out)
{
    const random_river *r = context;
    double from = (args[0] - 0.7) / 0.1, across = (args[1] - 0.5) * (1 - r->throat * exp(-from * from));
    out[0] = 5 * args[0] + r->shear * across;
    out[1] = across + r->bend * sin(6 * args[0]);
    out[2] = 0.4 * args[2];
    return FR_OK;
}

static fr_result bank_rough(void *context, const double *args, double *out)
{
    out[0] = ((const random_bank *)context)->rough[(int)(PIECES * args[0])];
    return FR_OK;
}

static fr_result bank_speed(void *context, const double *args, double *out)
{
    out[0] = ((const random_bank *)context)->speed[(int)(PIECES * args[0])] * cos(2 * args[3]);
    return FR_OK;
}

static fr_result bank_enters(void *context, const double *args, double *out)
{
    const random_bank *bank = context;
    double wave = sin(bank->rate * args[3] + 1);
    bool inside = wave >= bank->gate;
    out[0] = bank->enters * (1 + 0.4 * wave);
    for (int a = 0; a < 2; a++) {
        double at = (args[a] - bank->from[a]) / (bank->to[a] - bank->from[a]);
        inside = inside && at > 0 && at < 1;
        out[0] *= bank->profile ? 6 * at * (1 - at) : 1;
    }
    out[0] = inside ? out[0] : 0;
    return FR_OK;
}

static void draw_mouth(random_river *r, random_bank *bank, int dims)
{
    for (int a = 0; a < 2; a++) {
        bool whole = a == dims - 1;
        bank->from[a] = whole ? -1 : draw(r, 0, 0.8);
        bank->to[a] = whole ? 2 : bank->from[a] + draw(r, 0.1, 0.4);
    }
    bank->enters = draw(r, 0.1, 0.8);
    bank->rate = draw_chance(r, 0.5) ? draw(r, 1, 6) : 0;
    bank->gate = draw_chance(r, 0.5) ? 0 : -1;
    bank->profile = dims == 2 && draw_chance(r, 0.5);
}

static void draw_side(random_river *r, int side, int dims)
{
    random_bank *bank = &r->banks[side];
    fr_river_side *given = &r->def.river.sides[side];
    draw_mouth(r, bank, dims);
    for (int piece = 0; piece < PIECES; piece++) {
        bank->rough[piece] = draw_chance(r, 0.3) ? 0 : draw_chance(r, 0.4) ? 1 : draw(r, 0, 1);
        bank->speed[piece] = draw(r, -0.5, 0.5);
    }
    if (draw_chance(r, 0.7)) {
        given->roughness_of = bank_rough;
        given->roughness_context = bank;
    }
    if (side >= 2 && draw_chance(r, 0.3)) {
        given->speed = (fr_number){.function = bank_speed, .context = bank};
        given->speed_along = true;
    }
    if (side == 0 ? draw_chance(r, 0.3) : draw_chance(r, 0.6)) {
        given->inflow = (fr_number){.function = bank_enters, .context = bank};
        given->scalars = &r->enters;
        given->scalar_count = 1;
    }
}

static void river_draw(random_river *r, uint64_t seed)
{
    *r = (random_river){.seed = seed};
    bool deep = draw_chance(r, 0.25);
    r->def = rivers_scene(river_map, r, deep ? 30 : 48, deep ? 8 : 12);
    r->def.river.cells[2] = deep ? 4 : 0;
    r->def.river.scheme = draw_chance(r, 0.25) ? FR_RIVER_CLASSIC : FR_RIVER_FLUX;
    r->bend = draw(r, 0, 0.6);
    r->shear = draw(r, -1, 1);
    r->throat = draw(r, 0, 0.5);
    r->def.time = (fr_time_def){.duration = 4, .fps = 1};
    r->def.fluid.viscosity = draw_chance(r, 0.3) ? 0 : pow(10, draw(r, -4, -1));
    r->ink = (fr_scalar_def){.name = "blue",
                             .transport = r->def.river.scheme == FR_RIVER_FLUX && draw_chance(r, 0.5)
                                              ? FR_TRANSPORT_CONSERVATIVE
                                              : FR_TRANSPORT_CARRIED};
    r->enters = (fr_scalar_value){.name = "blue", .value.value = 1};
    r->tracers = (fr_tracers_def){.count = 100, .to = INFINITY, .renewed = true};
    r->def.scalars = &r->ink;
    r->def.tracers = &r->tracers;
    r->def.scalar_count = r->def.tracer_count = 1;
    for (int side = 2; side < (deep ? 6 : 4); side++)
        draw_side(r, side, deep ? 3 : 2);
    r->def.river.sides[1].kind = FR_RIVER_OUTFLOW;
    draw_side(r, 0, deep ? 3 : 2);
    if (r->def.river.sides[0].inflow.function)
        return;
    r->banks[0] = (random_bank){.from = {-1e-9, -1}, .to = {1 + 1e-9, 2}, .enters = draw(r, 0.2, 1), .gate = -1};
    r->banks[0].profile = !deep && draw_chance(r, 0.5);
    r->def.river.sides[0] = (fr_river_side){.kind = FR_RIVER_INFLOW,
                                            .speed = {.function = bank_enters, .context = &r->banks[0]},
                                            .speed_along = true,
                                            .scalars = &r->enters,
                                            .scalar_count = 1};
}

/* Net discharge through all sides over what comes in. */
static double river_leak(fr_world *world, double *in)
{
    const fr_frame *frame = fr_world_frame(world);
    double sum = 0;
    *in = 1e-2; /* all mouths may be closed, and the water between the banks still moves */
    for (int c = 0; c < frame->ledger.count; c++)
        if (!strncmp(frame->ledger.names[c], "through_", 8)) {
            sum += frame->ledger.values[c];
            *in += fmax(0, -frame->ledger.values[c]);
        }
    return fabs(sum) / *in;
}

static void river_check(const random_river *r, fr_world *world, double *worst)
{
    const fr_frame *frame = fr_world_frame(world);
    const int *n = frame->cells;
    bool flux = r->def.river.scheme == FR_RIVER_FLUX;
    double in, leak = river_leak(world, &in), mean = in / ((1 - r->throat) * (n[2] > 1 ? 0.4 : 1));
    double fast = worlds_ledger(world, "max_speed") / (mean + 1);
    if (!(fast < (flux ? 6 : 60)))
        fail_msg("river %d: %g times the mean speed in its throat and 1 m/s", (int)r->seed, fast);
    if (flux) {
        worst[0] = fmax(worst[0], leak);
        worst[1] = fmax(worst[1], fast);
    }
    if (flux && !(leak < 1e-5))
        fail_msg("river %d: %g of what comes in does not leave", (int)r->seed, leak);
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                double ink = worlds_value(frame, "blue", i, j, k);
                if (!(ink > -1e-4 && ink < 1 + 1e-4))
                    fail_msg("river %d: ink %g in cell %d, %d, %d", (int)r->seed, ink, i, j, k);
            }
    for (int64_t p = 0; p < frame->particle_count; p++) {
        const float *at = frame->particles.data + p * frame->particles.stride;
        double share = (at[0] + 1) / 7, across = at[1];
        if (!(share > 0 && share < 1 && fabs(across) < 1.2))
            fail_msg("river %d: a particle at (%g, %g)", (int)r->seed, (double)at[0], (double)at[1]);
    }
}

static void test_random_sides(void **state)
{
    (void)state;
    double worst[2] = {0};
    for (uint64_t seed = 0; seed < RIVERS; seed++) {
        random_river r;
        fr_world *world;
        river_draw(&r, seed);
        assert_ok(fr_world_create(&r.def, &world));
        for (int frame = 0; frame < FRAMES; frame++) {
            if (fr_world_step_frame(world) != FR_OK)
                fail_msg("river %d stopped: %s", (int)seed, fr_error_message());
            river_check(&r, world, worst);
        }
        fr_world_destroy(world);
    }
    print_message("%d rivers: at most %.1e of what comes in does not leave, and %.2f of the speed in a throat\n",
                  RIVERS, worst[0], worst[1]);
}

static void test_same_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        random_river r;
        river_draw(&r, seed);
        assert_true(worlds_run_hash(&r.def, 1) == worlds_run_hash(&r.def, 3));
        worlds_check_resume(&r.def, 7, "kinetic_energy", "a river with random sides");
    }
}

/* Still water, and a stream that joins through a part of a bank. */
static void river_make_stream(random_river *r, fr_river_scheme scheme)
{
    *r = (random_river){.seed = 1, .bend = 0.4};
    r->def = rivers_scene(river_map, r, 60, 12);
    r->def.river.scheme = scheme;
    r->banks[2] = (random_bank){.from = {0.2, -1}, .to = {0.3, 2}, .enters = 0.5, .gate = -1};
    r->def.time = (fr_time_def){.duration = 1, .fps = 2};
    r->ink = (fr_scalar_def){.name = "brown", .transport = FR_TRANSPORT_CONSERVATIVE};
    r->enters = (fr_scalar_value){.name = "brown", .value.value = 0.75};
    r->def.river.sides[1].kind = FR_RIVER_OUTFLOW;
    r->def.river.sides[2].inflow = (fr_number){.function = bank_enters, .context = &r->banks[2]};
}

/* What has come in is all there is, until it reaches the outflow. */
static void test_ink_of_a_stream_is_accounted_for(void **state)
{
    (void)state;
    random_river r;
    river_make_stream(&r, FR_RIVER_FLUX);
    r.def.scalars = &r.ink;
    r.def.scalar_count = 1;
    r.def.river.sides[2].scalars = &r.enters;
    r.def.river.sides[2].scalar_count = 1;
    fr_world *world = worlds_create(&r.def);
    assert_ok(fr_world_step_frame(world));
    assert_ok(fr_world_step_frame(world));
    double total = worlds_ledger(world, "total_brown"), in = -worlds_ledger(world, "through_t0");
    print_message("a stream of %.6f m2/s brought %.6f m2 of ink in 1 s, asked %.6f\n", in, total, 0.75 * in);
    assert_near(total, 0.75 * in, 1e-5 * in);
    assert_near(worlds_ledger(world, "through_s1"), in, 1e-6 * in);
    fr_world_destroy(world);
}

/* Who leaves begins again in the mouth: nowhere else does water come in. */
static void test_particles_come_through_the_mouth(void **state)
{
    (void)state;
    for (int scheme = 0; scheme < 2; scheme++) {
        random_river r;
        river_make_stream(&r, scheme ? FR_RIVER_CLASSIC : FR_RIVER_FLUX);
        r.tracers = (fr_tracers_def){.count = 400, .to = INFINITY, .renewed = true};
        r.def.time = (fr_time_def){.duration = 8, .fps = 4};
        r.def.tracers = &r.tracers;
        r.def.tracer_count = 1;
        fr_world *world = worlds_create(&r.def);
        int young = 0;
        for (int frame = 0; frame < 32; frame++) {
            assert_ok(fr_world_step_frame(world));
            const fr_frame *f = fr_world_frame(world);
            assert_int_equal(f->particle_count, 400);
            for (int64_t p = 0; p < 400; p++) {
                const float *at = f->particles.data + p * f->particles.stride;
                double age = ((const float *)f->attributes[0].data)[p];
                if (age >= 0.2 || age >= worlds_ledger(world, "time") - 1e-6)
                    continue;
                young++;
                double bank = -0.5 + r.bend * sin(6 * 0.25);
                assert_true(at[0] > 1 - 0.45 && at[0] < 1.5 + 0.45 && fabs(at[1] - bank) < 0.6);
            }
        }
        print_message("scheme %d: %d young particles were seen, all of them by the mouth\n", scheme, young);
        assert_true(young > 20);
        fr_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_sides),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_ink_of_a_stream_is_accounted_for),
        cmocka_unit_test(test_particles_come_through_the_mouth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
