/* The solvers of particle liquids against what is known exactly: the weight of water at rest, the speed of sound,
   energy that cannot grow, densities that a step promises. */
#include <stdlib.h>

#include "support/dams.h"

/* Parts of a column of 1 m: its halves, what is beside its walls, what stands on its floor. */
enum { LOWER, UPPER, BESIDE, FLOOR, PARTS };

typedef struct column_particle {
    double y, pressure;
    int part;
} column_particle;

typedef struct column_sums {
    double pressure, weight;
} column_sums;

static int compare_heights(const void *a, const void *b)
{
    double first = ((const column_particle *)a)->y, second = ((const column_particle *)b)->y;
    return (first < second) - (first > second);
}

/* Particles above number n of those in order of height; of one that is less than half a spacing higher or lower, as
 * much as a cube of it is. */
static double column_above(const column_particle *column, int64_t count, int64_t n, double d)
{
    int64_t first = n;
    while (first > 0 && column[first - 1].y < column[n].y + d / 2)
        first--;
    double above = (double)first;
    for (int64_t k = first; k < count && column[k].y > column[n].y - d / 2; k++)
        above += 0.5 + (column[k].y - column[n].y) / d;
    return above;
}

static int column_part(const fr_scene_def *def, const float *x)
{
    double d = def->sph.spacing;
    bool beside = false;
    for (int a = 0; a < def->domain.dims; a += 2)
        beside = beside || x[a] < d || x[a] > def->domain.size[a] - d;
    return x[1] < d ? FLOOR : beside ? BESIDE : x[1] > 0.5 ? UPPER : LOWER;
}

/* Adds pressures, and the weight of all that lies higher; not within 4 spacings of the surface. `own` is the weight of
   a particle over the column's area. */
static void add_column(const fr_frame *frame, const fr_scene_def *def, double own, column_sums sums[PARTS])
{
    double d = def->sph.spacing;
    column_particle *column = malloc(sizeof *column * (size_t)frame->particle_count);
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *x = frame->particles.data + n * frame->particles.stride;
        column[n] = (column_particle){x[1], frame->attributes[1].data[n], column_part(def, x)};
    }
    qsort(column, (size_t)frame->particle_count, sizeof *column, compare_heights);
    for (int64_t n = 0; n < frame->particle_count; n++) {
        if (column[n].y > 1 - 4 * d)
            continue;
        column_sums *sum = &sums[column[n].part];
        sum->pressure += column[n].pressure;
        sum->weight += own * column_above(column, frame->particle_count, n, d);
    }
    free(column);
}

/* Water in a box, let go at rest; its pressure in the later half of the time, as a share of the weight that it bears.
 */
static void check_column(fr_sph_solver solver, fr_sph_density density, int dims)
{
    int frames = dims == 3 ? 90 : 240;
    double d = dims == 3 ? 1.0 / 14 : 1.0 / 24, wide = 16 * d;
    dams_box box;
    dams_make(&box, solver, dims, (double[3]){wide, 1.25, wide}, (double[3]){wide, 1, wide}, d);
    box.def.sph.density = density;
    box.def.time.fps = 60;
    column_sums sums[PARTS] = {{0}};
    fr_world *world = worlds_create(&box.def);
    for (int frame = 0; frame < frames; frame++) {
        assert_ok(fr_world_step_frame(world));
        if (frame >= frames / 2)
            add_column(fr_world_frame(world), &box.def, 9.81 * 1000 * d * pow(d / wide, dims - 1), sums);
    }
    fr_world_destroy(world);
    double share[PARTS];
    for (int part = 0; part < PARTS; part++)
        share[part] = sums[part].pressure / sums[part].weight;
    print_message("solver %d, density %d, %dD: pressure over weight above %.4f in the lower half, %.4f in the upper, "
                  "%.4f beside walls, %.4f on the floor\n",
                  (int)solver, (int)density, dims, share[LOWER], share[UPPER], share[BESIDE], share[FLOOR]);
    assert_near(share[LOWER], 1, 0.015);
    assert_near(share[UPPER], 1, 0.015);
    assert_near(share[BESIDE], 1, 0.04);
    assert_near(share[FLOOR], 1, 0.04);
}

/* Whether particles keep to the lattice that they began in or, as those of DFSPH and PCISPH without viscosity, do not
 * come to rest and lie in no order. */
static void test_pressure_bears_the_weight(void **state)
{
    (void)state;
    check_column(FR_SPH_WCSPH, FR_SPH_CONTINUITY, 2);
    for (int dims = 2; dims <= 3; dims++) {
        check_column(FR_SPH_WCSPH, FR_SPH_SUM, dims);
        check_column(FR_SPH_PCISPH, FR_SPH_SUM, dims);
        check_column(FR_SPH_DFSPH, FR_SPH_SUM, dims);
    }
}

/* Kernels that reach far have many neighbours who correct the same excess: solvers must take smaller steps there. */
static void test_wide_kernels_converge(void **state)
{
    (void)state;
    for (int solver = FR_SPH_DFSPH; solver <= FR_SPH_PCISPH; solver++) {
        dams_box box;
        dams_make(&box, (fr_sph_solver)solver, 2, (double[3]){0.8, 1.25}, (double[3]){0.8, 1}, 1.0 / 24);
        box.def.sph.support = 3;
        fr_world *world = worlds_create(&box.def);
        double start = dams_energy(world);
        for (int frame = 0; frame < 6; frame++)
            assert_ok(fr_world_step_frame(world));
        assert_below(dams_energy(world), 1.01 * start);
        assert_below(worlds_ledger(world, "retries"), 0);
        fr_world_destroy(world);
    }
}

static fr_result standing_wave(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 0.01 * sin(2 * 3.14159265358979 * args[0]);
    out[1] = out[2] = 0;
    return FR_OK;
}

static double wave_amplitude(const fr_frame *frame)
{
    double sum = 0;
    for (int64_t n = 0; n < frame->particle_count; n++)
        sum += frame->particle_velocity.data[n * frame->particle_velocity.stride] *
               sin(2 * 3.14159265358979 * frame->particles.data[n * frame->particles.stride]);
    return sum;
}

/* A standing wave as long as the periodic box: its velocity vanishes after a quarter, three quarters, … of the time
   that sound takes round the box. */
static double measured_sound(int dims, fr_sph_state state, fr_sph_density density, double exponent)
{
    double d = dims == 3 ? 1.0 / 32 : 1.0 / 50, side = 6 * d, c = 10;
    dams_box box;
    dams_make(&box, FR_SPH_WCSPH, dims, (double[3]){1, side, side}, (double[3]){1, side, side}, d);
    for (int a = 0; a < 3; a++)
        box.def.gravity[a] = 0;
    for (int side_number = 0; side_number < 2 * dims; side_number++)
        box.def.walls[side_number].kind = FR_WALL_PERIODIC;
    box.def.sph.state = state;
    box.def.sph.exponent = exponent;
    box.def.sph.density = density;
    box.def.sph.sound_speed = c;
    box.def.sph.background = 1000;   /* ten times the wave's own: no pressure is cut off at zero */
    box.fill.velocity.function = standing_wave;
    box.def.time.fps = 1000;
    fr_world *world = worlds_create(&box.def);
    double last = wave_amplitude(fr_world_frame(world)), zero = 0;
    for (int crossings = 0; crossings < 4;) {
        assert_ok(fr_world_step_frame(world));
        double now = wave_amplitude(fr_world_frame(world)), time = fr_world_time(world);
        if (now * last <= 0) {
            crossings++;
            zero = time - 1e-3 * now / (now - last);
        }
        last = now;
        assert_below(time, 0.25);
    }
    fr_world_destroy(world);
    return 1.75 / zero;
}

static void test_sound_has_the_speed_asked_for(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++)
        for (int linear = 0; linear < 2; linear++)
            for (int followed = 0; followed < 2; followed++) {
                double c = measured_sound(dims, linear ? FR_SPH_LINEAR : FR_SPH_TAIT,
                                          followed ? FR_SPH_CONTINUITY : FR_SPH_SUM, 7);
                print_message("%dD, %s, %s: %.3f m/s for 10\n", dims, linear ? "linear" : "tait",
                              followed ? "continuity" : "sum", c);
                assert_near(c, 10, 0.3);
            }
    assert_near(measured_sound(2, FR_SPH_TAIT, FR_SPH_SUM, 6.5), 10, 0.3);
}

/* A falling column: energy only goes, but for 1 % that compression stores or an overlap sets free; nothing is lost. */
static void check_dam(fr_sph_solver solver, fr_sph_density density, int dims, int along, double seconds)
{
    dams_box box;
    dams_fall(&box, solver, dims, along);
    box.def.sph.density = density;
    box.def.time.fps = 20;
    fr_world *world = worlds_create(&box.def);
    double start = dams_energy(world), lowest = start, count = worlds_ledger(world, "particles");
    for (int frame = 0; frame < 20 * seconds; frame++) {
        assert_ok(fr_world_step_frame(world));
        double energy = dams_energy(world);
        assert_below(energy, lowest + 0.01 * start);
        lowest = fmin(lowest, energy);
        assert_below(worlds_ledger(world, "density_error"),
                     solver == FR_SPH_WCSPH ? 0.01 : 2 * box.def.sph.density_error);
        if (solver == FR_SPH_PCISPH)
            assert_below(worlds_ledger(world, "density_error_max"), 0.045);
    }
    assert_near(worlds_ledger(world, "particles"), count, 0);
    assert_below(lowest, 0.97 * start);
    fr_world_destroy(world);
}

static void test_a_falling_column_gains_no_energy(void **state)
{
    (void)state;
    check_dam(FR_SPH_WCSPH, FR_SPH_SUM, 2, 20, 1);
    check_dam(FR_SPH_WCSPH, FR_SPH_CONTINUITY, 2, 20, 1);
    check_dam(FR_SPH_DFSPH, FR_SPH_SUM, 2, 20, 1);
    check_dam(FR_SPH_PCISPH, FR_SPH_SUM, 2, 20, 1);
    check_dam(FR_SPH_DFSPH, FR_SPH_SUM, 3, 12, 1);
    check_dam(FR_SPH_PCISPH, FR_SPH_SUM, 3, 12, 2);
}

/* What PCISPH says of the density at the step's end is what a new search finds there. */
static void test_pcisph_predicts_the_density_that_comes(void **state)
{
    (void)state;
    for (int dims = 2; dims <= 3; dims++) {
        dams_box box;
        dams_fall(&box, FR_SPH_PCISPH, dims, dims == 3 ? 10 : 25);
        fr_world *world = worlds_create(&box.def);
        for (int step = 0; step < 60; step++) {
            fr_step_report report;
            assert_ok(fr_world_step(world, &report));
            assert_true(report.pressure_iterations >= 3);
            assert_below(report.pressure_residual, box.def.sph.density_error);
            assert_near(worlds_ledger(world, "density_error"), report.pressure_residual, 2e-4);
        }
        fr_world_destroy(world);
    }
}

static void test_sound_speed_must_be_given_where_nothing_moves(void **state)
{
    (void)state;
    dams_box box;
    fr_world *world = NULL;
    dams_fall(&box, FR_SPH_WCSPH, 2, 10);
    box.def.gravity[1] = 0;
    assert_int_equal(fr_world_create(&box.def, &world), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "sph.sound_speed"));
    box.def.sph.sound_speed = 5;
    assert_ok(fr_world_create(&box.def, &world));
    fr_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pressure_bears_the_weight),
        cmocka_unit_test(test_wide_kernels_converge),
        cmocka_unit_test(test_sound_has_the_speed_asked_for),
        cmocka_unit_test(test_a_falling_column_gains_no_energy),
        cmocka_unit_test(test_pcisph_predicts_the_density_that_comes),
        cmocka_unit_test(test_sound_speed_must_be_given_where_nothing_moves),
    };
    fr_set_threads(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
