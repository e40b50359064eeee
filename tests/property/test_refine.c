/* Scalars on grids finer than the flow's: they do not change the flow, and they behave as on any grid. */
#include <stdlib.h>

#include "support/worlds.h"

static const double PI = 3.14159265358979323846;

/* The plume of all tests with its ink, its density or both refined. */
static void make_plume(worlds_plume *plume, fr_scalar_def scalars[2], int dims, int cells, const int refine[2])
{
    worlds_plume_make(plume, dims, cells);
    scalars[0] = plume->scalars[0];
    scalars[0].refine = refine[0];
    scalars[1] = (fr_scalar_def){.name = "density", .refine = refine[1]};
    plume->def.scalars = scalars;
    plume->def.scalar_count = 2;
}

static uint64_t plume_hash(int dims, int cells, const int refine[2], int threads)
{
    worlds_plume plume;
    fr_scalar_def scalars[2];
    make_plume(&plume, scalars, dims, cells, refine);
    return worlds_run_hash(&plume.def, threads);
}

static void test_refine_one_changes_nothing(void **state)
{
    (void)state;
    assert_true(plume_hash(2, 60, (int[2]){0, 0}, 1) == plume_hash(2, 60, (int[2]){1, 1}, 1));
}

static void test_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        int cells = dims == 3 ? 14 : 50;
        uint64_t one = plume_hash(dims, cells, (int[2]){3, 2}, 1);
        for (int threads = 2; threads <= 3; threads++)
            assert_true(one == plume_hash(dims, cells, (int[2]){3, 2}, threads));
    }
}

/* Saved in the middle of a frame and gone on with in a new world. */
static void test_a_resumed_run_has_the_same_bits(void **state)
{
    (void)state;
    worlds_plume plume;
    fr_scalar_def scalars[2];
    make_plume(&plume, scalars, 2, 32, (int[2]){4, 2});
    plume.def.time.cfl = 0.5;
    fr_world *whole = worlds_create(&plume.def), *first = worlds_create(&plume.def),
             *second = worlds_create(&plume.def);
    for (int i = 0; i < 5; i++)
        assert_ok(fr_world_step(first, NULL));
    const fr_block *blocks;
    int count;
    assert_ok(fr_world_snapshot(first, &blocks, &count));
    assert_ok(fr_world_restore(second, blocks, count));
    while (fr_world_frame_index(whole) < 8)
        assert_ok(fr_world_step_frame(whole));
    while (fr_world_frame_index(second) < 8)
        assert_ok(fr_world_step_frame(second));
    assert_true(worlds_hash(whole) == worlds_hash(second));
    scalars[0].refine = 2;
    fr_world *other = worlds_create(&plume.def);
    assert_int_equal(fr_world_restore(other, blocks, count), FR_ERROR_INPUT);
    fr_world_destroy(whole);
    fr_world_destroy(first);
    fr_world_destroy(second);
    fr_world_destroy(other);
}

enum { FINENESSES = 3 };

/* Refined 1, 3 and 6 times. How much ink the plume holds then hangs on the ink's own errors alone, which fall. */
static void check_the_flow_is_the_same(fr_advection scheme)
{
    static const int refine[FINENESSES] = {1, 3, 6};
    static const char *const same[] = {"u", "v", "pressure", "density", "temperature"};
    fr_world *worlds[FINENESSES];
    worlds_plume plumes[FINENESSES];
    fr_scalar_def scalars[FINENESSES][2];
    double total[FINENESSES];
    for (int w = 0; w < FINENESSES; w++) {
        make_plume(&plumes[w], scalars[w], 2, 40, (int[2]){refine[w], 1});
        plumes[w].def.smoke.advection = scheme;
        worlds[w] = worlds_create(&plumes[w].def);
        for (int i = 0; i < 12; i++)
            assert_ok(fr_world_step_frame(worlds[w]));
        total[w] = worlds_ledger(worlds[w], "total_ink");
        const fr_frame *first = fr_world_frame(worlds[0]), *this = fr_world_frame(worlds[w]);
        for (size_t f = 0; f < sizeof same / sizeof *same; f++)
            for (int j = 0; j < 40; j++)
                for (int i = 0; i < 32; i++)
                    assert_true(worlds_value(first, same[f], i, j, 0) == worlds_value(this, same[f], i, j, 0));
        assert_int_equal(fr_frame_field(this, "ink")->size[0], 32 * refine[w]);
        assert_int_equal(fr_field_refine(this, fr_frame_field(this, "ink")), refine[w]);
        assert_int_equal(fr_field_refine(this, fr_frame_field(this, "u")), 1);
    }
    print_message("ink in the plume, refined 1, 3, 6 times: %.6f %.6f %.6f\n", total[0], total[1], total[2]);
    assert_below(fabs(total[1] - total[2]), 0.5 * fabs(total[0] - total[2]));
    for (int w = 0; w < FINENESSES; w++)
        fr_world_destroy(worlds[w]);
}

/* Inks only ride: whatever their grids, the flow and the other scalars have the same bits. */
static void test_the_flow_does_not_feel_how_fine_an_ink_is(void **state)
{
    (void)state;
    check_the_flow_is_the_same(FR_ADVECTION_MACCORMACK);
    check_the_flow_is_the_same(FR_ADVECTION_REFLECTION);
    check_the_flow_is_the_same(FR_ADVECTION_CENTRAL);
    check_the_flow_is_the_same(FR_ADVECTION_CUBIC);
}

/* What is the same everywhere stays so, past an obstacle and with diffusion. */
static void test_uniform_stays_uniform(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        worlds_plume plume;
        fr_scalar_def scalars[2];
        make_plume(&plume, scalars, dims, dims == 3 ? 14 : 40, (int[2]){3, 1});
        scalars[0].dissipation = 0;
        scalars[0].has_initial = true;
        scalars[0].initial.value = 0.7;
        plume.source.scalar_count = 2;
        plume.def.walls[FR_TOP].kind = FR_WALL_FREE_SLIP;
        fr_world *world = worlds_create(&plume.def);
        for (int i = 0; i < 12; i++)
            assert_ok(fr_world_step_frame(world));
        const fr_field *ink = fr_frame_field(fr_world_frame(world), "ink"),
                       *solid = fr_frame_field(fr_world_frame(world), "solid");
        for (int64_t k = 0; k < ink->size[2]; k++)
            for (int64_t j = 0; j < ink->size[1]; j++)
                for (int64_t i = 0; i < ink->size[0]; i++) {
                    float distance = solid->data[i / 3 + j / 3 * solid->stride[1] + k / 3 * solid->stride[2]];
                    if (distance > 0)
                        assert_near(ink->data[i + j * ink->stride[1] + k * ink->stride[2]], 0.7, 2e-6);
                }
        fr_world_destroy(world);
    }
}

/* A wind that is full of ink, past a house askew: traces that lead into it must find ink there too, as deep as they
   go. */
static void test_traces_into_obstacles_find_no_holes(void **state)
{
    (void)state;
    fr_shape_def house = fr_default_shape(FR_SHAPE_BOX);
    house.min[0] = -0.25, house.max[0] = 0.25;
    house.min[1] = -0.2, house.max[1] = 0.2;
    fr_obstacle_def solid = {.shape = {.shape = &house, .at = {0.6, 0.47, 0}, .axis = {0, 0, 1}, .degrees = 30}};
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.value = 0.7, .refine = 6};
    fr_scalar_value enters = {.name = "ink", .value.value = 0.7};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {2, 1, 0}, .cells = {40, 0, 0}};
    def.walls[FR_LEFT] =
        (fr_wall_def){.kind = FR_WALL_INFLOW, .velocity.value = {1, 0, 0}, .scalars = &enters, .scalar_count = 1};
    def.walls[FR_RIGHT].kind = FR_WALL_OPEN;
    def.obstacles = &solid;
    def.scalars = &ink;
    def.obstacle_count = def.scalar_count = 1;
    fr_world *world = worlds_create(&def);
    for (int i = 0; i < 12; i++)
        assert_ok(fr_world_step_frame(world));
    const fr_field *f = fr_frame_field(fr_world_frame(world), "ink");
    double least = 1, ordinary = 0.7;
    for (int j = 0; j < 120; j++)
        for (int i = 0; i < 180; i++) {
            double x = (i + 0.5) / 120 - 0.6, y = (j + 0.5) / 120 - 0.47, along = 0.866025 * x + 0.5 * y,
                   across = 0.866025 * y - 0.5 * x;
            if (fabs(along) > 0.25 || fabs(across) > 0.2)
                least = fmin(least, f->data[i + j * f->stride[1]]);
        }
    print_message("least ink around the house: %.6f of %.6f\n", least, ordinary);
    assert_near(least, ordinary, 2e-6);
    fr_world_destroy(world);
}

static void test_a_mirrored_plume_stays_mirrored(void **state)
{
    (void)state;
    worlds_plume plume;
    fr_scalar_def scalars[2];
    make_plume(&plume, scalars, 2, 40, (int[2]){3, 2});
    fr_world *world = worlds_create(&plume.def);
    while (fr_world_time(world) < 1)
        assert_ok(fr_world_step_frame(world));
    static const char *const names[] = {"ink", "density"};
    double most = 0;
    for (int f = 0; f < 2; f++) {
        const fr_field *field = fr_frame_field(fr_world_frame(world), names[f]);
        for (int64_t j = 0; j < field->size[1]; j++)
            for (int64_t i = 0; i < field->size[0]; i++)
                most = fmax(most, fabsf(field->data[i + j * field->stride[1]] -
                                        field->data[field->size[0] - 1 - i + j * field->stride[1]]));
    }
    print_message("asymmetry of fine ink and density after 1 s: %.2e\n", most);
    assert_below(most, 1e-4);
    fr_world_destroy(world);
}

/* Rigid rotation about the middle, once a second. */
static fr_result turn(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 * PI * (0.5 - args[1]);
    out[1] = 2 * PI * (args[0] - 0.5);
    out[2] = 0;
    return FR_OK;
}

static double disc_at(double x, double y)
{
    return hypot(x - 0.5, y - 0.72) < 0.15 ? 1 : 0;
}

static fr_result disc(void *context, const double *args, double *out)
{
    (void)context;
    *out = disc_at(args[0], args[1]);
    return FR_OK;
}

/* Mean error of a disc carried once around. */
static double turned_error(int cells, int refine, fr_advection scheme)
{
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {cells, 0, 0}};
    def.has_prescribed = true;
    def.prescribed.function = turn;
    def.smoke.advection = scheme;
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = 1.0 / 200};
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.function = disc, .refine = refine};
    def.scalars = &ink;
    def.scalar_count = 1;
    fr_world *world = worlds_create(&def);
    assert_ok(fr_world_step_frame(world));
    const fr_field *f = fr_frame_field(fr_world_frame(world), "ink");
    double error = 0, n = (double)f->size[0];
    for (int64_t j = 0; j < f->size[1]; j++)
        for (int64_t i = 0; i < f->size[0]; i++)
            error += fabs(f->data[i + j * f->stride[1]] - disc_at(((double)i + 0.5) / n, ((double)j + 0.5) / n));
    fr_world_destroy(world);
    return error / (n * n);
}

/* Between the faces the rotation is linear, so a refined ink is as good as one on a grid that is fine throughout. */
static void test_a_turned_disc_is_as_good_as_on_a_fine_grid(void **state)
{
    (void)state;
    static const fr_advection schemes[] = {FR_ADVECTION_LINEAR, FR_ADVECTION_MACCORMACK, FR_ADVECTION_CUBIC};
    for (int s = 0; s < 3; s++) {
        double coarse = turned_error(32, 1, schemes[s]), refined = turned_error(32, 4, schemes[s]),
               fine = turned_error(128, 1, schemes[s]);
        print_message("disc turned once, mean error: 32 cells %.5f, refined 4 times %.5f, 128 cells %.5f\n", coarse,
                      refined, fine);
        assert_near(refined / fine, 1, 0.1);
        assert_below(refined, 0.5 * coarse);
    }
}

/* At rest: what a source brings in is its area, on any grid. */
static void test_sources_bring_in_their_area(void **state)
{
    (void)state;
    for (int refine = 1; refine <= 8; refine += refine < 4 ? 1 : 4) {
        fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
        def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {32, 0, 0}};
        fr_scalar_def ink = {.name = "ink", .refine = refine};
        fr_shape_def round = fr_default_shape(FR_SHAPE_SPHERE);
        round.radius = 0.21;
        fr_scalar_value value = {.name = "ink", .value.value = 3};
        fr_source_def source = {.shape = {.shape = &round, .at = {0.45, 0.53, 0}},
                                .scalars = &value,
                                .scalar_count = 1,
                                .rate = 2,
                                .to = 1e9};
        def.scalars = &ink;
        def.sources = &source;
        def.scalar_count = def.source_count = 1;
        def.time.fps = 2;
        fr_world *world = worlds_create(&def);
        assert_ok(fr_world_step_frame(world));
        double exact = 3 * 2 * 0.5 * PI * 0.21 * 0.21, share = worlds_ledger(world, "total_ink") / exact;
        print_message("refine %d: %.5f of what the source should bring\n", refine, share);
        assert_near(share, 1, 4e-3 / refine);
        fr_world_destroy(world);
    }
}

static fr_result wave(void *context, const double *args, double *out)
{
    (void)context;
    *out = cos(PI * args[0]) * cos(2 * PI * args[1]);
    return FR_OK;
}

/* One wave in a closed box at rest falls by 1/(1 + κΔt λ) in a step, λ the eigenvalue of the fine grid's
   differences. */
static void test_diffusion_has_the_cells_of_the_scalar(void **state)
{
    (void)state;
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {8, 0, 0}};
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.function = wave, .diffusion = 0.02, .refine = 4};
    def.scalars = &ink;
    def.scalar_count = 1;
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = 0.25};
    fr_world *world = worlds_create(&def);
    double before = worlds_value(fr_world_frame(world), "ink", 0, 0, 0);
    assert_ok(fr_world_step_frame(world));
    double after = worlds_value(fr_world_frame(world), "ink", 0, 0, 0), h = 1.0 / 32;
    double eigenvalue = (4 - 2 * cos(PI * h) - 2 * cos(2 * PI * h)) / (h * h);
    assert_near(after / before, pow(1 + 0.02 * 0.25 * eigenvalue, -4), 1e-5);
    fr_world_destroy(world);
}

/* Buoyancy feels the means over its cells: of a density that is the same in each cell those are the coarse values. */
static fr_result steps(void *context, const double *args, double *out)
{
    (void)context;
    *out = floor(args[0] * 16) / 16 + floor(args[1] * 16) * floor(args[0] * 16) / 256;
    return FR_OK;
}

static void test_buoyancy_takes_the_mean_over_cells(void **state)
{
    (void)state;
    fr_world *worlds[2];
    fr_scene_def defs[2];
    fr_scalar_def densities[2];
    for (int w = 0; w < 2; w++) {
        fr_scene_def *def = &defs[w];
        *def = fr_default_scene(FR_METHOD_SMOKE);
        def->domain = (fr_domain_def){.dims = 3, .size = {1, 1, 0.25}, .cells = {16, 0, 0}};
        def->walls[FR_TOP].kind = def->walls[FR_BOTTOM].kind = FR_WALL_OPEN;
        def->walls[FR_BACK].kind = def->walls[FR_FRONT].kind = FR_WALL_PERIODIC;
        def->smoke.buoyancy_density = 2;
        densities[w] =
            (fr_scalar_def){.name = "density", .has_initial = true, .initial.function = steps, .refine = w ? 2 : 1};
        def->scalars = &densities[w];
        def->scalar_count = 1;
        def->time = (fr_time_def){.duration = 1, .fps = 100, .dt = 0.01};
        worlds[w] = worlds_create(def);
        assert_ok(fr_world_step_frame(worlds[w]));
    }
    for (int j = 0; j <= 16; j++)
        for (int i = 0; i < 16; i++)
            assert_near(worlds_value(fr_world_frame(worlds[1]), "v", i, j, 2),
                        worlds_value(fr_world_frame(worlds[0]), "v", i, j, 2), 1e-6);
    assert_true(worlds_ledger(worlds[0], "max_speed") > 1e-3);
    fr_world_destroy(worlds[0]);
    fr_world_destroy(worlds[1]);
}

static fr_result below(void *context, const double *args, double *out)
{
    (void)context;
    *out = args[1] < 0.5 ? 1 : 0;
    return FR_OK;
}

static fr_result stir(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0;
    out[1] = 3 * sin(4 * PI * args[0] + args[3]);
    out[2] = 0;
    return FR_OK;
}

/* Ink that has got from the lower half of a stirred box to the upper one past a plate, as a share of all. */
static double leaked(int refine, bool sticks, double thickness)
{
    fr_shape_def plate = fr_default_shape(FR_SHAPE_BOX);
    plate.min[0] = -1, plate.max[0] = 1;
    plate.min[1] = -0.5 * thickness, plate.max[1] = 0.5 * thickness;
    fr_obstacle_def solid = {.shape = {.shape = &plate, .at = {0.5, 0.507, 0}}, .no_slip = sticks};
    fr_force_def force = {.value.function = stir};
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.function = below, .refine = refine};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = 2, .size = {1, 1, 0}, .cells = {32, 0, 0}};
    def.obstacles = &solid;
    def.forces = &force;
    def.scalars = &ink;
    def.obstacle_count = def.force_count = def.scalar_count = 1;
    fr_world *world = worlds_create(&def);
    while (fr_world_time(world) < 2)
        assert_ok(fr_world_step_frame(world));
    const fr_field *f = fr_frame_field(fr_world_frame(world), "ink");
    double above = 0, all = 0;
    for (int64_t j = 0; j < f->size[1]; j++)
        for (int64_t i = 0; i < f->size[0]; i++) {
            double v = f->data[i + j * f->stride[1]];
            above += ((double)j + 0.5) / (double)f->size[1] > 0.507 + 0.5 * thickness ? v : 0;
            all += v;
        }
    fr_world_destroy(world);
    return above / all;
}

/* Nothing gets past a plate of whole cells. One thinner than a cell leaks, but the less the finer the ink is. */
static void test_obstacles_keep_ink_out(void **state)
{
    (void)state;
    for (int sticks = 0; sticks < 2; sticks++) {
        assert_near(leaked(4, sticks, 3.0 / 32), 0, 0);
        double coarse = leaked(1, sticks, 0.5 / 32), fine = leaked(4, sticks, 0.5 / 32);
        print_message("past a plate of half a cell that %s: %.3f of the ink, refined %.3f\n",
                      sticks ? "sticks" : "slips", coarse, fine);
        assert_below(fine, coarse);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refine_one_changes_nothing),
        cmocka_unit_test(test_same_bits_for_any_number_of_threads),
        cmocka_unit_test(test_a_resumed_run_has_the_same_bits),
        cmocka_unit_test(test_the_flow_does_not_feel_how_fine_an_ink_is),
        cmocka_unit_test(test_uniform_stays_uniform),
        cmocka_unit_test(test_traces_into_obstacles_find_no_holes),
        cmocka_unit_test(test_a_mirrored_plume_stays_mirrored),
        cmocka_unit_test(test_a_turned_disc_is_as_good_as_on_a_fine_grid),
        cmocka_unit_test(test_sources_bring_in_their_area),
        cmocka_unit_test(test_diffusion_has_the_cells_of_the_scalar),
        cmocka_unit_test(test_buoyancy_takes_the_mean_over_cells),
        cmocka_unit_test(test_obstacles_keep_ink_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
