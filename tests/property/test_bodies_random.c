/* Random scenes with rigid bodies (support/random_bodies.h): no step fails, nothing becomes NaN, the liquid keeps its
   volume and its parcels, the flow is free of divergence, energy does not appear from nothing, solids do not enter each
   other, and the bits are the same on any number of threads and after a resume.

   The test runs 40 of them. With arguments

     test_bodies_random COUNT [FIRST [LONGER]]

   it runs COUNT scenes from seed FIRST on, LONGER falls long, and lists them all. */
#include <stdlib.h>

#include "rigid/rigid.h"
#include "support/floats.h"
#include "support/random_bodies.h"

enum { COUNT = 40 };

/* The most that was seen of a scene. */
typedef struct bodies_seen {
    double volume;     /* change of it, relative */
    double energy;     /* gained, of what there is, less what volume that has been gained weighs, and what the scene's
                          forces, motors and moving obstacles have done */
    double divergence; /* over the greatest Courant number per second */
    double lost;       /* parcels that are gone and have not left */
    double depth;      /* cells, by which a body is in another solid */
} bodies_seen;

typedef struct bodies_bounds {
    double kept, free, moving; /* change of the volume: kept or not; and where an obstacle moves */
    double energy, divergence, depth;
} bodies_bounds;

static const bodies_bounds holds = {1e-3, 0.05, 0.1, 0.01, 1e-2, 0.5};

static const char *bodies_broken(const random_bodies *r, const bodies_seen *seen)
{
    const double volume = r->moves || r->def.coupling == FR_COUPLING_ONE_WAY ? holds.moving
                          : r->def.liquid.volume == FR_LIQUID_VOLUME_KEPT    ? holds.kept
                                                                             : holds.free;
    return !(seen->volume <= volume)                 ? "the volume changes"
           : !(seen->energy <= holds.energy)         ? "energy is gained"
           : !(seen->divergence <= holds.divergence) ? "divergence"
           : !(seen->lost == 0)                      ? "parcels are lost"
           : !(seen->depth <= holds.depth)           ? "solids overlap"
                                                     : NULL;
}

/* The greater of two, and not a number if one of them is none. */
static double more(double a, double b)
{
    return a >= b ? a : b;
}

/* What a run is judged by as it goes on. */
typedef struct bodies_run {
    random_bodies *r;
    fr_world *world;
    overlaps solids;
    rigid_mass mass[RANDOM_BODIES];
    double volume, energy, scale; /* at the start, or when a body has appeared since */
    double work;                  /* J, of a moving obstacle on the fluid */
    double place[3];              /* m, where that was */
    int present;
    bool crowded; /* a body has appeared where another solid was already */
} bodies_run;

static double run_gravity(const bodies_run *run)
{
    return -run->r->def.gravity[1];
}

static double run_density(const bodies_run *run)
{
    return run->r->def.fluid.density;
}

/* J: of the fluid and the bodies, above the bottom of the box. In smoke what air lifts counts as work. */
static double run_energy(const bodies_run *run)
{
    const random_bodies *r = run->r;
    const double bottom = r->def.domain.origin[1];
    double sum = worlds_ledger(run->world, "kinetic_energy") + worlds_ledger(run->world, "bodies_energy") -
                 worlds_ledger(run->world, "bodies_work");
    if (r->tracker)
        return sum + worlds_ledger(run->world, "potential_energy") -
               run_density(run) * worlds_ledger(run->world, "volume") * run_gravity(run) * bottom;
    return sum;
}

/* J: what there is to be had: all at the top of the box, and the bodies as fast as they fall over it. */
static double run_scale(const bodies_run *run)
{
    const random_bodies *r = run->r;
    const double height = run_gravity(run) * r->def.domain.size[1], speed = r->size / r->time;
    double sum = worlds_ledger(run->world, "kinetic_energy");
    if (r->tracker)
        sum += run_density(run) * worlds_ledger(run->world, "volume") * height;
    for (int b = 0; b < r->def.body_count; b++) {
        const double mass = run->mass[b].mass;
        if (floats_body(run->world, b)->present && !r->bodies[b].fixed)
            sum += mass * fmax(height, 0.25 * speed * speed);
    }
    return sum;
}

static int run_present(const bodies_run *run)
{
    int count = 0;
    for (int b = 0; b < run->r->def.body_count; b++)
        count += floats_body(run->world, b)->present;
    return count;
}

/* From here on nothing is gained. A body that appears brings energy, and takes the place of liquid. */
static void run_begin(bodies_run *run)
{
    run->volume = run->r->tracker ? worlds_ledger(run->world, "volume") : 0;
    run->energy = run_energy(run);
    run->scale = run_scale(run);
    run->work = 0;
    run->present = run_present(run);
}

/* J: what a moving obstacle has done on the fluid in the last step, by the force on it at its end. */
static void run_add_work(bodies_run *run)
{
    const fr_obstacle_load *load = fr_world_frame(run->world)->obstacles;
    for (int a = 0; a < run->r->def.domain.dims && run->r->moves; a++) {
        run->work -= load->force[a] * (load->position[a] - run->place[a]);
        run->place[a] = load->position[a];
    }
}

/* Both ways at any density, and nothing comes or goes; a moving obstacle that meets a body works on it as well. */
static bool run_keeps_energy(const bodies_run *run)
{
    return run->r->def.coupling == FR_COUPLING_MONOLITHIC && !run->r->open && !run->r->moves;
}

static void run_look(bodies_run *run, bodies_seen *seen)
{
    const random_bodies *r = run->r;
    const double rate = fmax(worlds_ledger(run->world, "courant") / worlds_ledger(run->world, "dt_max"), 1 / r->time);
    double grown = 0;
    if (!run->crowded)
        seen->depth = more(seen->depth, overlaps_deepest(&run->solids, run->world) / r->cell);
    seen->divergence = more(seen->divergence, worlds_ledger(run->world, "max_divergence") / rate);
    if (r->tracker && (r->tracker->surface == FR_LIQUID_FLIP || r->tracker->surface == FR_LIQUID_APIC))
        seen->lost = more(seen->lost, fabs(worlds_ledger(run->world, "particles_lost")));
    if (r->tracker && !r->open) {
        grown = worlds_ledger(run->world, "volume") / run->volume - 1;
        seen->volume = more(seen->volume, fabs(grown));
    }
    const double gained = run_energy(run) - run->energy - run->work;
    if (run_keeps_energy(run) && run->scale > 0)
        seen->energy = more(seen->energy, gained / run->scale - fmax(grown, 0));
    else
        seen->energy = isfinite(gained) ? seen->energy : NAN;
}

static fr_result run_frame(bodies_run *run, bodies_seen *seen)
{
    for (fr_step_report report = {0}; !report.frame_done;) {
        FR_TRY(fr_world_step(run->world, &report));
        run_add_work(run);
        if (run_present(run) != run->present) {
            run_begin(run);
            run->crowded = run->crowded || overlaps_deepest(&run->solids, run->world) > 0;
        }
    }
    run_look(run, seen);
    return FR_OK;
}

/* What is wrong with the bits of the first frames: they differ with the number of threads, or when they are gone on
   with from within a frame. NULL: nothing. */
static const char *bits_wrong(const random_bodies *r)
{
    fr_world *one = worlds_create(&r->def), *three = worlds_create(&r->def);
    const fr_block *blocks;
    int count;
    const char *wrong = NULL;
    for (int part = 0; part < 2 && !wrong; part++) {
        fr_set_threads(1);
        const fr_result result = fr_world_step_frame(one);
        fr_set_threads(3);
        if (result != FR_OK || fr_world_step_frame(three) != FR_OK)
            wrong = "the first frames fail";
        else if (floats_hash(one) != floats_hash(three))
            wrong = part == 0 ? "other bits on three threads" : "other bits after a resume";
        else if (part == 0) {
            assert_ok(fr_world_step(one, NULL));
            assert_ok(fr_world_snapshot(one, &blocks, &count));
            assert_ok(fr_world_restore(three, blocks, count));
        }
    }
    fr_set_threads(0);
    fr_world_destroy(one);
    fr_world_destroy(three);
    return wrong;
}

/* What moves as it is told to may press a closed part of the liquid together: that is refused in words. */
static bool run_may_fail(const random_bodies *r, fr_result result)
{
    return result == FR_ERROR_INPUT && r->def.coupling == FR_COUPLING_ONE_WAY;
}

static const char *scene_run(random_bodies *r, bodies_seen *seen)
{
    bodies_run run = {.r = r};
    if (fr_world_create(&r->def, &run.world) != FR_OK)
        return fr_error_message();
    for (int b = 0; b < r->def.body_count; b++)
        assert_ok(rigid_mass_of(&r->bodies[b], r->def.domain.dims, "bodies", &run.mass[b]));
    memcpy(run.place, r->obstacle.shape.at, sizeof run.place);
    overlaps_make(&run.solids, &r->def);
    run_begin(&run);
    fr_result result = FR_OK;
    for (int frame = 0; frame < RANDOM_FRAMES && result == FR_OK; frame++)
        result = run_frame(&run, seen);
    fr_world_destroy(run.world);
    overlaps_free(&run.solids);
    if (result != FR_OK)
        return run_may_fail(r, result) ? NULL : fr_error_message();
    const char *wrong = bits_wrong(r);
    return wrong ? wrong : bodies_broken(r, seen);
}

static void scene_say(const random_bodies *r, const bodies_seen *seen, const char *wrong)
{
    static const char *const couplings[] = {"monolithic", "rigid_fluid", "one_way", "carried"};
    print_message("bodies %llu: %s, volume %s, %dD, %d cells, %.2g m, gravity %.2g, viscosity %.1e, %s, %d bodies, %d "
                  "joints, %s obstacle%s: volume %.1e, energy %+.1e, divergence %.1e, overlap %.2f: %s\n",
                  (unsigned long long)r->seed, r->tracker ? r->tracker->name : "smoke",
                  r->def.liquid.volume == FR_LIQUID_VOLUME_KEPT ? "kept" : "free", r->def.domain.dims,
                  r->def.domain.cells[0], r->size, r->def.gravity[1], r->def.fluid.viscosity,
                  couplings[r->def.coupling], r->def.body_count, r->def.joint_count,
                  !r->def.obstacle_count ? "no"
                  : r->moves             ? "moving"
                                         : "still",
                  r->open ? ", open" : "", seen->volume, seen->energy, seen->divergence, seen->depth,
                  wrong ? wrong : "ok");
}

/* How many of them went wrong. */
static int scenes_run(int count, uint64_t first, double longer, bool all)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        static random_bodies r;
        bodies_seen seen = {0, -INFINITY, 0, 0, -INFINITY};
        random_bodies_draw(&r, first + (uint64_t)i, longer);
        const char *wrong = scene_run(&r, &seen);
        failed += wrong != NULL;
        if (all || wrong)
            scene_say(&r, &seen, wrong);
    }
    print_message("%d of %d random scenes with bodies failed\n", failed, count);
    return failed;
}

static void test_random_bodies_hold(void **state)
{
    (void)state;
    assert_int_equal(scenes_run(COUNT, 0, 2, false), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_bodies_hold)};
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    return scenes_run(atoi(argv[1]), argc > 2 ? strtoull(argv[2], NULL, 10) : 0, argc > 3 ? atof(argv[3]) : 2, true) >
           0;
}
