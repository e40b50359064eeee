/* Random rivers: meandering and skewed channels with throats, rocks and banks of any roughness, driven by an inflow, a
   bank, a force or nothing. For every river: no step fails, no value becomes NaN, as much water leaves as comes in, and
   energy does not appear from nothing.

   The test runs 60 rivers. With arguments

     test_river_random COUNT [FIRST [LONGER [DEGREES]]]

   it runs COUNT rivers from seed FIRST on, LONGER times as long, all skewed by DEGREES, and lists those that fail and
   how close the others came to the limits. */
#include <stdlib.h>

#include "base/random.h"
#include "support/rivers.h"

enum { COUNT = 60, FRAMES = 8, BLOCKS = 3 };

/* What keeps a river going. */
typedef enum river_drive { DRIVE_INFLOW, DRIVE_BANK, DRIVE_FORCE, DRIVE_NOTHING } river_drive;

typedef struct random_river {
    uint64_t seed, drawn;
    double length, width, depth, waves, phase, amplitude, shear, dip, throat, throat_at;
    double
        speed; /* m/s: of the inflow, of the bank, at the start, or what the force would reach in the time of the run */
    double lean;             /* degrees that it was drawn for */
    river_drive drive;
    fr_cells_def blocks[BLOCKS];
    fr_force_def force;
    fr_scene_def def;
} random_river;

static double draw(random_river *r, double low, double high)
{
    return low + (high - low) * random_unit(r->seed, r->drawn++);
}
static bool draw_chance(random_river *r, double share) { return draw(r, 0, 1) < share; }
static int draw_whole(random_river *r, int low, int high) { return low + (int)draw(r, 0, high - low + 1); }

/* Winds along y, so that its lines lean where it does not run along x; sheared, they lean everywhere. */
static fr_result river_map(void *context, const double *args, double *out)
{
    const random_river *r = context;
    double across = r->width * (args[1] - 0.5), from_throat = (args[0] - r->throat_at) / 0.1, up = r->depth * args[2];
    out[0] = r->length * args[0] + r->shear * across + r->dip * up;
    out[1] = across * (1 - r->throat * exp(-from_throat * from_throat)) +
             r->amplitude * sin(2 * RIVERS_PI * r->waves * args[0] + r->phase);
    out[2] = up;
    return FR_OK;
}

static fr_result river_swirl(void *context, const double *args, double *out)
{
    const random_river *r = context;
    out[0] = r->speed * (1 + 0.3 * sin(9 * args[1] / r->width));
    out[1] = 0.3 * r->speed * cos(7 * args[0] / r->width);
    out[2] = 0;
    return FR_OK;
}

/* The lines lean by `lean` degrees at the most: by winding, by shear, or by both. */
static void river_draw_shape(random_river *r, double lean)
{
    bool repeats = r->drive != DRIVE_INFLOW, winds = draw_chance(r, 0.7), sheared = draw_chance(r, winds ? 0.3 : 1);
    double slope = tan(lean * RIVERS_PI / 180);
    r->lean = lean;
    r->length = pow(10, draw(r, -0.5, 0.5));
    r->width = r->length * draw(r, 0.1, 0.35);
    r->waves = repeats ? draw_whole(r, 1, 3) : draw(r, 0.3, 3);
    r->phase = draw(r, 0, 6);
    r->amplitude = winds ? slope / (sheared ? 2 : 1) * r->length / (2 * RIVERS_PI * r->waves) : 0;
    r->shear = sheared ? slope / (winds ? 2 : 1) * (draw_chance(r, 0.5) ? 1 : -1) : 0;
    r->throat = draw_chance(r, 0.6) ? draw(r, 0, 0.6) : 0;
    r->throat_at = repeats ? 0.5 : draw(r, 0.2, 1);
    r->depth = r->width * draw(r, 0.2, 1);
    r->dip = draw_chance(r, 0.5) ? draw(r, -1, 1) : 0;
}

static double river_draw_roughness(random_river *r)
{
    return draw_chance(r, 0.35) ? 1 : draw_chance(r, 0.5) ? 0 : draw(r, 0, 1);
}

static void river_draw_sides(random_river *r)
{
    fr_river_side *sides = r->def.river.sides;
    for (int side = 2; side < FR_SIDES; side++)
        sides[side].roughness = river_draw_roughness(r);
    int from = draw_chance(r, 0.3);      /* the side that it comes in through */
    if (r->drive == DRIVE_INFLOW) {
        sides[from] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = r->speed};
        sides[1 - from].kind = FR_RIVER_OUTFLOW;
        if (draw_chance(r, 0.1))
            sides[3].kind = FR_RIVER_OUTFLOW;
        return;
    }
    rivers_repeat(&r->def, 0);
    if (r->drive == DRIVE_BANK)
        sides[2] = (fr_river_side){.kind = FR_RIVER_BANK, .roughness = 1, .speed.value = r->speed};
    if (r->drive == DRIVE_FORCE) {
        r->force = (fr_force_def){.value.value = {r->speed / r->def.time.duration, 0, 0}};
        r->def.forces = &r->force;
        r->def.force_count = 1;
    }
    if (r->drive == DRIVE_NOTHING) {
        r->def.has_initial_velocity = true;
        r->def.initial_velocity = (fr_vector){.function = river_swirl, .context = r};
    }
}

static void river_draw_blocks(random_river *r)
{
    const int *n = r->def.river.cells;
    r->def.river.block_count = draw_chance(r, 0.5) ? draw_whole(r, 1, BLOCKS) : 0;
    r->def.river.blocks = r->blocks;
    r->def.river.block_roughness = river_draw_roughness(r);
    for (int b = 0; b < r->def.river.block_count; b++)
        for (int a = 0; a < (n[2] ? 3 : 2); a++) {
            int longest = a == 0 ? n[0] / 6 : n[a] / 2;
            r->blocks[b].from[a] = draw_whole(r, a == 0 ? 2 : 0, n[a] - longest - 2);
            r->blocks[b].to[a] = r->blocks[b].from[a] + draw_whole(r, 0, longest - 1);
        }
}

/* `lean` < 0: drawn, too. */
static void river_draw(random_river *r, uint64_t seed, double longer, double lean)
{
    static const double most = 79;       /* degrees; 80 are refused */
    *r = (random_river){.seed = seed};
    double kind = draw(r, 0, 1);
    r->drive = kind < 0.7 ? DRIVE_INFLOW : kind < 0.8 ? DRIVE_BANK : kind < 0.9 ? DRIVE_FORCE : DRIVE_NOTHING;
    bool deep = draw_chance(r, 0.25);
    r->def = rivers_scene(river_map, r, draw_whole(r, 24, deep ? 40 : 90), draw_whole(r, 6, deep ? 10 : 18));
    r->def.river.cells[2] = deep ? draw_whole(r, 3, 6) : 0;
    r->def.river.scheme = draw_chance(r, 0.15) ? FR_RIVER_CLASSIC : FR_RIVER_FLUX;
    double drawn = most * sqrt(draw(r, 0, 1));
    river_draw_shape(r, lean >= 0 ? lean : drawn);
    r->speed = pow(10, draw(r, -1, 0.5));
    double through = r->length / r->speed;
    r->def.time = (fr_time_def){.duration = 2 * longer * through, .fps = FRAMES / (2 * longer * through)};
    r->def.fluid.viscosity = draw_chance(r, 0.5) ? 0 : r->speed * r->width * pow(10, draw(r, -5, -1));
    river_draw_sides(r);
    river_draw_blocks(r);
}

/* Rocks that dam the river up, and lines that throat and bends together bring too near to each other, are refused: then
   with one rock less, and leaning a little less. */
static fr_result river_create(random_river *r, fr_world **world)
{
    fr_result result = fr_world_create(&r->def, world);
    for (int tries = 0; tries < 60 && result == FR_ERROR_INPUT; tries++) {
        if (strstr(fr_error_message(), "of the grid")) {
            r->amplitude *= 0.95;
            r->shear *= 0.95;
            r->dip *= 0.8;
        } else if (r->def.river.block_count > 0)
            r->def.river.block_count--;
        result = fr_world_create(&r->def, world);
    }
    return result;
}

/* The most that was seen of a river, and the most that may be. Sides without friction and pressure do no work on
   water that runs along them, friction only takes, so kinetic energy may not be more than what the drive gave:
   nothing, what there was at the start; a force, all water at the speed that it gives in the time of the run (it may
   not push more than that in any direction); a bank, all water at its speed. Energy is a sum over centres of cells,
   between which the faces hold some more, to be seen when the flow changes: hence a quarter above 1. An inflow
   brings energy by its pressure as well, which no ledger knows. It is measured by the flow at the start, the one of
   the least energy that brings so much water through (Kelvin 1849); jets behind throats and rocks, and profiles
   between rough banks, have a few times as much. Speeds are those of single cells, which bends and rocks make
   several times the mean. A flow that feeds on errors soon has a million times as much of everything. */
typedef struct river_seen {
    double speed, energy;
    double leak;             /* share of what comes in that does not go out */
    double divergence;       /* over the greatest Courant number per second, of the water or of a bank that drives */
} river_seen;

static const river_seen may_be[] = {{8, 30, 1e-4, 1e-2}, {2, 1.25, 0, 1e-2}, {6, 1.25, 0, 1e-2}, {6, 1.25, 0, 1e-2}};

/* The sweeps of the classic scheme leave divergence, so mass is not conserved, and motion grows where lines lean far
   (docs/rivers.md). Only a bound on the speed can be asked. */
static const double classic_speed = 200;

static const char *river_broken(const random_river *r, const river_seen *seen)
{
    const river_seen *most = &may_be[r->drive];
    if (r->def.river.scheme == FR_RIVER_CLASSIC)
        return seen->speed <= classic_speed ? NULL : "too fast";
    return !(seen->speed <= most->speed) ? "too fast"
           : !(seen->energy <= most->energy) ? "too much energy"
           : !(seen->leak <= most->leak) ? "water is lost"
           : !(seen->divergence <= most->divergence) ? "divergence"
                                                     : NULL;
}

static double river_through(fr_world *world, const random_river *r, double *in)
{
    static const char *const names[FR_SIDES] = {"through_s0", "through_s1", "through_t0",
                                                "through_t1", "through_r0", "through_r1"};
    double sum = 0;
    *in = 0;
    for (int side = 0; side < FR_SIDES; side++)
        if (r->def.river.sides[side].kind == FR_RIVER_INFLOW || r->def.river.sides[side].kind == FR_RIVER_OUTFLOW) {
            double out = worlds_ledger(world, names[side]);
            sum += out;
            *in += fabs(out) / 2;
        }
    return sum;
}

/* The greater of two, and not a number if one of them is none. */
static double river_more(double a, double b) { return a >= b ? a : b; }

static void river_look(fr_world *world, const random_river *r, double speed, double energy, river_seen *seen)
{
    double in, leak = river_through(world, r, &in),
               rate = worlds_ledger(world, "courant") / worlds_ledger(world, "dt_max");
    if (r->drive == DRIVE_BANK)      /* without viscosity water beside it stays at rest, but for rounding */
        rate = fmax(rate, r->speed * r->def.river.cells[0] / r->length);
    seen->speed = river_more(seen->speed, worlds_ledger(world, "max_speed") / speed);
    seen->energy = river_more(seen->energy, worlds_ledger(world, "kinetic_energy") / energy);
    seen->leak = river_more(seen->leak, in > 0 ? fabs(leak) / in : 0);
    seen->divergence = river_more(seen->divergence, rate > 0 ? worlds_ledger(world, "max_divergence") / rate : 0);
}

/* What went wrong; NULL: nothing. */
static const char *river_run(random_river *r, river_seen *seen)
{
    fr_world *world;
    if (river_create(r, &world) != FR_OK)
        return fr_error_message();
    double speed = worlds_ledger(world, "max_speed"), energy = worlds_ledger(world, "kinetic_energy");
    if (r->drive == DRIVE_BANK || r->drive == DRIVE_FORCE) {
        speed = r->speed;
        energy = 0.5 * r->def.fluid.density * worlds_ledger(world, "volume") * speed * speed;
    }
    fr_result result = FR_OK;
    for (int frame = 0; frame < FRAMES && result == FR_OK; frame++) {
        result = fr_world_step_frame(world);
        river_look(world, r, speed, energy, seen);
    }
    fr_world_destroy(world);
    return result != FR_OK ? fr_error_message() : river_broken(r, seen);
}

static void river_say(const random_river *r, const river_seen *seen, const char *wrong)
{
    static const char *const drives[] = {"inflow", "bank", "force", "nothing"};
    const fr_river_def *d = &r->def.river;
    print_message("river %llu: %s, %s, %d x %d x %d, drawn to lean %.0f degrees, %d rocks, viscosity %.1e: speed %.3g, "
                  "energy %.3g, leak %.1e, divergence %.1e: %s\n",
                  (unsigned long long)r->seed, drives[r->drive], d->scheme == FR_RIVER_CLASSIC ? "classic" : "flux",
                  d->cells[0], d->cells[1], d->cells[2], r->lean, d->block_count, r->def.fluid.viscosity, seen->speed,
                  seen->energy, seen->leak, seen->divergence, wrong ? wrong : "ok");
}

/* How many of them went wrong. `all`: says something about each. */
static int rivers_run(int count, uint64_t first, double longer, double lean, bool all)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        random_river r;
        river_seen seen = {0};
        river_draw(&r, first + (uint64_t)i, longer, lean);
        const char *wrong = river_run(&r, &seen);
        failed += wrong != NULL;
        if (all || wrong)
            river_say(&r, &seen, wrong);
    }
    print_message("%d of %d random rivers failed\n", failed, count);
    return failed;
}

static void test_random_rivers_hold(void **state)
{
    (void)state;
    assert_int_equal(rivers_run(COUNT, 0, 1, -1, false), 0);
}

/* A winding channel with a throat whose bends lie across the outflow, so that water comes in there: it once ran away,
 * to 100 000 m/s within 0.4 s. */
static void test_water_that_comes_in_through_an_outflow_stays_slow(void **state)
{
    (void)state;
    random_river r = {.length = 0.4843,
                      .width = 0.1023,
                      .waves = 2.47 * 6 / (2 * RIVERS_PI),
                      .amplitude = 0.04944,
                      .throat = 0.392,
                      .throat_at = 0.5,
                      .speed = 0.7966};
    r.def = rivers_scene(river_map, &r, 81, 14);
    r.def.river.sides[0] = (fr_river_side){.kind = FR_RIVER_INFLOW, .speed.value = r.speed};
    r.def.river.sides[1].kind = FR_RIVER_OUTFLOW;
    r.def.river.sides[2].roughness = 0;
    r.def.time = (fr_time_def){.duration = 1, .fps = FRAMES};
    river_seen seen = {0};
    const char *wrong = river_run(&r, &seen);
    river_say(&r, &seen, wrong);
    assert_null(wrong);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_rivers_hold),
                                       cmocka_unit_test(test_water_that_comes_in_through_an_outflow_stays_slow)};
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    return rivers_run(atoi(argv[1]), argc > 2 ? strtoull(argv[2], NULL, 10) : 0, argc > 3 ? atof(argv[3]) : 1,
                      argc > 4 ? atof(argv[4]) : -1, true) > 0;
}
