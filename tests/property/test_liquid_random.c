/* Random liquids: drops, dams and pools of any size and viscosity under any gravity, with obstacles that stand or move.
   For every one: no step fails, no value becomes NaN, the volume stays, the flow is free of divergence, and energy does
   not appear from nothing, and no parcel is lost. Then the same with liquid that pours, drains and leaves by open
   sides, blobs that come later, axes that are periodic, bands of parcels and finer surfaces: the volume is what it
   should be, and bits are the same on any number of threads.

   The test runs 40 and 30 of them. With arguments

     test_liquid_random COUNT [FIRST [LONGER [REFINE [BAND [PORTS]]]]]

   it runs COUNT liquids from seed FIRST on, LONGER times as long, with a surface REFINE times as fine as the flow and
   parcels in BAND cells along it, those of the second kind if PORTS is 1, and lists them all. */
#include <stdlib.h>

#include "base/random.h"
#include "support/pools.h"

enum { COUNT = 40, COUNT_PORTS = 30, FRAMES = 12, SHAPES = 2 };

typedef struct random_liquid {
    uint64_t seed, drawn;
    const pools_tracker *tracker;
    double size; /* m: the longest side */
    double time; /* s: of a fall over it */
    bool moves;  /* an obstacle does, and works on the liquid */
    double path_from[3], path_way[3], path_rate;
    fr_shape_def shapes[SHAPES], solid;
    fr_fill_def fills[SHAPES];
    fr_obstacle_def obstacle;
    bool ports; /* liquid may come and go */
    fr_shape_def tap, drain;
    fr_source_def source;
    fr_sink_def sink;
    fr_scene_def def;
} random_liquid;

static double draw(random_liquid *r, double low, double high)
{
    return low + (high - low) * random_unit(r->seed, r->drawn++);
}
static bool draw_chance(random_liquid *r, double share)
{
    return draw(r, 0, 1) < share;
}
static int draw_whole(random_liquid *r, int low, int high)
{
    return low + (int)draw(r, 0, high - low + 1);
}

static fr_result path(void *context, const double *args, double *out)
{
    const random_liquid *r = context;
    for (int a = 0; a < 3; a++)
        out[a] = r->path_from[a] + r->path_way[a] * sin(r->path_rate * args[0]);
    return FR_OK;
}

static void draw_domain(random_liquid *r)
{
    int dims = draw_chance(r, 0.4) ? 3 : 2;
    fr_domain_def *d = &r->def.domain;
    *d = (fr_domain_def){.dims = dims, .cells = {dims == 3 ? draw_whole(r, 10, 14) : draw_whole(r, 16, 40)}};
    r->size = pow(10, draw(r, -2, 3));
    for (int a = 0; a < dims; a++) {
        d->size[a] = r->size * (a ? draw(r, 0.6, 1) : 1);
        d->origin[a] = r->size * draw(r, -1, 1);
    }
    double gravity = draw_chance(r, 0.1) ? 0 : pow(10, draw(r, -1, 1.5));
    bool leans = draw_chance(r, 0.2);
    r->def.gravity[0] = leans ? 0.5 * gravity : 0;
    r->def.gravity[1] = -gravity;
    r->time = sqrt(r->size / fmax(gravity, 0.1));
    for (int side = 0; side < 2 * dims; side++)
        r->def.walls[side].kind = draw_chance(r, 0.3) ? FR_WALL_NO_SLIP : FR_WALL_FREE_SLIP;
    if (!leans && draw_chance(r, 0.2))
        r->def.walls[FR_LEFT].kind = r->def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
}

/* A place in the box, of which the shares are between `low` and `high`. */
static void draw_place(random_liquid *r, double low, double high, double at[3])
{
    const fr_domain_def *d = &r->def.domain;
    for (int a = 0; a < 3; a++)
        at[a] = a < d->dims ? d->origin[a] + draw(r, low, high) * d->size[a] : 0;
}

static void draw_fill(random_liquid *r, int index)
{
    fr_shape_def *shape = &r->shapes[index];
    const fr_domain_def *d = &r->def.domain;
    double kind = draw(r, 0, 1);
    *shape = fr_default_shape(kind < 0.3 ? FR_SHAPE_SPHERE : FR_SHAPE_BOX);
    r->fills[index].shape.shape = shape;
    if (kind < 0.3) {
        shape->radius = r->size * draw(r, 0.12, 0.25);
        draw_place(r, 0.2, 0.8, r->fills[index].shape.at);
        for (int a = 0; a < d->dims; a++)
            r->fills[index].velocity.value[a] = draw(r, -0.5, 0.5) * r->size / r->time;
        return;
    }
    for (int a = 0; a < 3; a++) { /* a pool, or a dam in a corner */
        bool across = a == 1 || (kind > 0.65 && a == 0);
        shape->min[a] = a < d->dims ? d->origin[a] - r->size : -1;
        shape->max[a] = a < d->dims ? d->origin[a] + (across ? draw(r, 0.15, 0.6) : 2) * d->size[a] : 1;
    }
}

static void draw_obstacle(random_liquid *r)
{
    if (!draw_chance(r, 0.6))
        return;
    r->solid = fr_default_shape(draw_chance(r, 0.5) ? FR_SHAPE_SPHERE : FR_SHAPE_BOX);
    r->solid.radius = r->size * draw(r, 0.08, 0.18);
    for (int a = 0; a < 3; a++) {
        r->solid.max[a] = r->size * draw(r, 0.06, 0.2);
        r->solid.min[a] = -r->solid.max[a];
    }
    r->obstacle = (fr_obstacle_def){.shape = {.shape = &r->solid, .axis = {0, 0, 1}}, .no_slip = draw_chance(r, 0.5)};
    draw_place(r, 0, 1, r->obstacle.shape.at);
    r->obstacle.shape.degrees = draw_chance(r, 0.5) ? draw(r, 0, 90) : 0;
    r->moves = draw_chance(r, 0.5);
    if (r->moves) {
        memcpy(r->path_from, r->obstacle.shape.at, sizeof r->path_from);
        for (int a = 0; a < r->def.domain.dims; a++)
            r->path_way[a] = r->size * draw(r, -0.15, 0.15);
        r->path_rate = draw(r, 1, 6) / r->time;
        r->obstacle.path = path;
        r->obstacle.path_context = r;
    }
    r->def.obstacles = &r->obstacle;
    r->def.obstacle_count = 1;
}

static void draw_source(random_liquid *r)
{
    r->tap = fr_default_shape(FR_SHAPE_SPHERE);
    r->tap.radius = r->size * draw(r, 0.08, 0.16);
    r->source = (fr_source_def){.shape.shape = &r->tap, .sets_velocity = true};
    draw_place(r, 0.2, 0.8, r->source.shape.at);
    for (int a = 0; a < r->def.domain.dims; a++)
        r->source.velocity.value[a] = draw(r, -0.7, 0.7) * r->size / r->time;
    r->def.sources = &r->source;
    r->def.source_count = 1;
}

static void draw_sink(random_liquid *r)
{
    r->drain = fr_default_shape(FR_SHAPE_SPHERE);
    r->drain.radius = r->size * draw(r, 0.1, 0.2);
    r->sink = (fr_sink_def){.shape.shape = &r->drain};
    draw_place(r, 0, 1, r->sink.shape.at);
    r->def.sinks = &r->sink;
    r->def.sink_count = 1;
}

/* By these liquid comes and goes. */
static void draw_ports(random_liquid *r)
{
    const int dims = r->def.domain.dims;
    const bool parcels = r->tracker->surface == FR_LIQUID_FLIP || r->tracker->surface == FR_LIQUID_APIC;
    r->ports = true;
    if (draw_chance(r, 0.8))
        draw_source(r);
    if (draw_chance(r, 0.5))
        draw_sink(r);
    for (int side = 0; side < 2 * dims; side++)
        if (r->def.walls[side].kind != FR_WALL_PERIODIC && draw_chance(r, 0.3))
            r->def.walls[side].kind = FR_WALL_OPEN;
    for (int a = 1; a < dims; a++)
        if (draw_chance(r, 0.3))
            r->def.walls[2 * a].kind = r->def.walls[2 * a + 1].kind = FR_WALL_PERIODIC;
    if (r->def.fill_count > 1 && draw_chance(r, 0.5))
        r->fills[1].from = draw(r, 0.1, 0.5) * r->time;
    if (parcels && draw_chance(r, 0.3))
        r->def.liquid.narrow_band = draw_whole(r, 3, 6);
    if (draw_chance(r, 0.2))
        r->def.liquid.refine = 2;
    if (draw_chance(r, 0.3))
        r->def.time.cfl = 3;
}

/* How the liquids of a list are run. */
typedef struct liquid_list {
    double longer;
    int refine, band;
    bool all; /* says something about each */
    bool ports;
} liquid_list;

static void liquid_draw(random_liquid *r, uint64_t seed, const liquid_list *list)
{
    memset(r, 0, sizeof *r);
    r->seed = seed;
    r->def = fr_default_scene(FR_METHOD_LIQUID);
    r->tracker = &pools_trackers[draw_whole(r, 0, POOLS_TRACKERS - 1)];
    r->def.liquid.surface = r->tracker->surface;
    r->def.liquid.volume = draw_chance(r, 0.7) ? FR_LIQUID_VOLUME_KEPT : FR_LIQUID_VOLUME_FREE;
    draw_domain(r);
    r->def.liquid.refine = list->refine;
    if (r->tracker->surface == FR_LIQUID_FLIP || r->tracker->surface == FR_LIQUID_APIC)
        r->def.liquid.narrow_band = list->band;
    r->def.time = (fr_time_def){.duration = list->longer * r->time, .fps = FRAMES / (list->longer * r->time)};
    r->def.fluid.viscosity = draw_chance(r, 0.5) ? 0 : pow(10, draw(r, -6, 1));
    r->def.fill = r->fills;
    r->def.fill_count = draw_whole(r, 1, SHAPES);
    for (int i = 0; i < r->def.fill_count; i++)
        draw_fill(r, i);
    draw_obstacle(r);
    if (list->ports)
        draw_ports(r);
}

/* The most that was seen of a liquid, and the most that may be. */
typedef struct liquid_seen {
    double volume;     /* change of it, relative */
    double energy;     /* gained, over what there was above the bottom, less what volume that has been gained weighs
                          at most, and the work of an obstacle */
    double divergence; /* over the greatest Courant number per second */
    double lost;       /* parcels that are gone and have not left */
} liquid_seen;

typedef struct liquid_bounds {
    double kept, free, moving; /* change of the volume: kept or not; and where an obstacle moves */
    double energy, divergence;
} liquid_bounds;

/* What should hold, by which the list judges; and what holds in the scenes of the test. With ten cells across, a volume
   that is left free drifts. */
static const liquid_bounds should_hold = {1e-3, 0.02, 0.02, 0.01, 1e-2}, holds = {1e-3, 0.05, 0.1, 0.01, 1e-2};

static double may_change(const random_liquid *r, const liquid_bounds *most)
{
    return r->moves ? most->moving : r->def.liquid.volume == FR_LIQUID_VOLUME_KEPT ? most->kept : most->free;
}

static const char *liquid_broken(const random_liquid *r, const liquid_seen *seen, const liquid_bounds *most)
{
    return !(seen->volume <= may_change(r, most))    ? "the volume changes"
           : !(seen->energy <= most->energy)         ? "energy is gained"
           : !(seen->divergence <= most->divergence) ? "divergence"
           : !(seen->lost == 0)                      ? "parcels are lost"
                                                     : NULL;
}

/* The greater of two, and not a number if one of them is none. */
static double more(double a, double b)
{
    return a >= b ? a : b;
}

/* J: kinetic, and potential above the lowest corner of the box. */
static double liquid_energy(fr_world *world, const random_liquid *r)
{
    double mass = 1000 * worlds_ledger(world, "volume"), sum = pools_energy(world);
    for (int a = 0; a < r->def.domain.dims; a++) {
        double g = r->def.gravity[a], lowest = r->def.domain.origin[a] + (g > 0 ? r->def.domain.size[a] : 0);
        sum += mass * g * lowest;
    }
    return sum;
}

/* J: the energy of all the liquid at the top of the box, above that at its bottom. */
static double height_energy(fr_world *world, const random_liquid *r)
{
    double mass = 1000 * worlds_ledger(world, "volume"), sum = 0;
    for (int a = 0; a < r->def.domain.dims; a++)
        sum += mass * fabs(r->def.gravity[a]) * r->def.domain.size[a];
    return sum;
}

/* J: what the obstacle has done on the liquid in the step that led to this frame, by the force on it at the end. */
static double obstacle_work(fr_world *world, const random_liquid *r, double before[3])
{
    const fr_obstacle_load *load = &fr_world_frame(world)->obstacles[0];
    double work = 0;
    for (int a = 0; a < r->def.domain.dims; a++) {
        work -= load->force[a] * (load->position[a] - before[a]);
        before[a] = load->position[a];
    }
    return work;
}

/* A frame, step by step; adds what a moving obstacle does to `work`. */
static fr_result liquid_frame(fr_world *world, const random_liquid *r, double place[3], double *work)
{
    if (!r->moves)
        return fr_world_step_frame(world);
    for (fr_step_report report = {0}; !report.frame_done;) {
        FR_TRY(fr_world_step(world, &report));
        *work += obstacle_work(world, r, place);
    }
    return FR_OK;
}

/* How far the volume is from what it should be, of the most there has been; 0 where that is not promised, or nothing is
   left. */
static double volume_off(fr_world *world, const random_liquid *r, double *largest)
{
    const double volume = worlds_ledger(world, "volume"), wanted = volume / (1 + worlds_ledger(world, "volume_error"));
    if (volume == 0 || r->def.liquid.volume == FR_LIQUID_VOLUME_FREE)
        return 0;
    *largest = fmax(*largest, wanted);
    return fabs(volume - wanted) / *largest;
}

/* Bits of the first frames differ with the number of threads. */
static bool has_other_bits(const random_liquid *r)
{
    return worlds_run_hash(&r->def, 1) != worlds_run_hash(&r->def, 3);
}

/* Liquid that comes and goes has no energy to keep. A part of the box that is full, with more to come, is refused in
   words. */
static const char *liquid_run_ports(const random_liquid *r, const liquid_bounds *most, liquid_seen *seen)
{
    fr_world *world;
    if (fr_world_create(&r->def, &world) != FR_OK)
        return fr_error_message();
    double largest = worlds_ledger(world, "volume");
    fr_result result = FR_OK;
    for (int frame = 0; frame < FRAMES && result == FR_OK; frame++) {
        result = fr_world_step_frame(world);
        seen->volume = more(seen->volume, volume_off(world, r, &largest));
        seen->energy = isfinite(worlds_ledger(world, "kinetic_energy")) ? 0 : NAN;
    }
    fr_world_destroy(world);
    return result == FR_ERROR_INPUT ? NULL
           : result != FR_OK        ? fr_error_message()
           : has_other_bits(r)      ? "other bits on other numbers of threads"
                                    : liquid_broken(r, seen, most);
}

static const char *liquid_run(random_liquid *r, const liquid_bounds *most, liquid_seen *seen)
{
    fr_world *world;
    if (fr_world_create(&r->def, &world) != FR_OK)
        return fr_error_message();
    double volume = worlds_ledger(world, "volume"), energy = liquid_energy(world, r);
    double scale = worlds_ledger(world, "kinetic_energy") + height_energy(world, r), work = 0;
    double place[3] = {r->obstacle.shape.at[0], r->obstacle.shape.at[1], r->obstacle.shape.at[2]};
    bool parcels = r->tracker->surface == FR_LIQUID_FLIP || r->tracker->surface == FR_LIQUID_APIC;
    fr_result result = volume > 0 ? FR_OK : FR_ERROR_INPUT;
    for (int frame = 0; frame < FRAMES && result == FR_OK; frame++) {
        result = liquid_frame(world, r, place, &work);
        double rate = fmax(worlds_ledger(world, "courant") / worlds_ledger(world, "dt_max"), 1 / r->time);
        double grown = worlds_ledger(world, "volume") / volume - 1;
        seen->volume = more(seen->volume, fabs(grown));
        if (scale > 0)
            seen->energy = more(seen->energy, (liquid_energy(world, r) - energy - work) / scale - fmax(grown, 0));
        seen->divergence = more(seen->divergence, worlds_ledger(world, "max_divergence") / rate);
        seen->lost = parcels ? more(seen->lost, fabs(worlds_ledger(world, "particles_lost"))) : 0;
    }
    fr_world_destroy(world);
    return result != FR_OK ? fr_error_message() : liquid_broken(r, seen, most);
}

static void liquid_say(const random_liquid *r, const liquid_seen *seen, const char *wrong)
{
    print_message("liquid %llu: %s, volume %s, %dD, %d cells, %.2g m, gravity %.2g %.2g, viscosity %.1e, %d shapes, %s "
                  "obstacle: volume %.1e, energy %+.1e, divergence %.1e: %s\n",
                  (unsigned long long)r->seed, r->tracker->name,
                  r->def.liquid.volume == FR_LIQUID_VOLUME_KEPT ? "kept" : "free", r->def.domain.dims,
                  r->def.domain.cells[0], r->size, r->def.gravity[0], r->def.gravity[1], r->def.fluid.viscosity,
                  r->def.fill_count,
                  !r->def.obstacle_count ? "no"
                  : r->moves             ? "moving"
                                         : "still",
                  seen->volume, seen->energy, seen->divergence, wrong ? wrong : "ok");
}

/* How many of them went wrong. */
static int liquids_run(int count, uint64_t first, const liquid_list *list)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        random_liquid r;
        liquid_seen seen = {0, -INFINITY, 0, 0};
        liquid_draw(&r, first + (uint64_t)i, list);
        const liquid_bounds *most = list->all ? &should_hold : &holds;
        const char *wrong = r.ports ? liquid_run_ports(&r, most, &seen) : liquid_run(&r, most, &seen);
        failed += wrong != NULL;
        if (list->all || wrong)
            liquid_say(&r, &seen, wrong);
    }
    print_message("%d of %d random liquids failed\n", failed, count);
    return failed;
}

static void test_random_liquids_hold(void **state)
{
    (void)state;
    assert_int_equal(liquids_run(COUNT, 0, &(liquid_list){.longer = 2, .refine = 1}), 0);
}

static void test_random_ports_hold(void **state)
{
    (void)state;
    assert_int_equal(liquids_run(COUNT_PORTS, 0, &(liquid_list){.longer = 1, .refine = 1, .ports = true}), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_liquids_hold),
                                       cmocka_unit_test(test_random_ports_hold)};
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    liquid_list list = {argc > 3 ? atof(argv[3]) : 2, argc > 4 ? atoi(argv[4]) : 1, argc > 5 ? atoi(argv[5]) : 0, true,
                        argc > 6 && atoi(argv[6])};
    return liquids_run(atoi(argv[1]), argc > 2 ? strtoull(argv[2], NULL, 10) : 0, &list) > 0;
}
