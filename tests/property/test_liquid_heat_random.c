/* Random liquids with heat: pools and drops of any size under any gravity, that melt with contrasts up to 1e9, with
   warm and cold obstacles and sides, taps, drains, blobs that come later, heaters and loss to the air, conducted in
   either way. For every one: no step fails, nothing becomes NaN, nothing is hotter than the hottest thing around or
   colder than the coldest, the heat is accounted for, energy does not appear from nothing, and bits are the same on
   any number of threads and after a resume.

   The test runs 40 of them. With arguments

     test_liquid_heat_random COUNT [FIRST]

   it runs COUNT from seed FIRST on, and lists them all. */
#include <stdlib.h>

#include "base/random.h"
#include "support/pools.h"

enum { COUNT = 40, FRAMES = 8, FILLS = 3, RESUMED = 5 /* every so many are resumed */ };

typedef struct random_heat {
    uint64_t seed, drawn;
    const pools_tracker *tracker;
    double size, time; /* m: the longest side; s: of a fall over it */
    double range[2];   /* K: all that is given lies there */
    bool heated;       /* by a rate: nothing bounds it */
    bool pours, moves; /* energy comes and goes */
    double path_from[3], path_way[3], path_rate;
    fr_scalar_value given[12]; /* temperatures */
    int given_count;
    fr_shape_def shapes[FILLS], solid, tap, drain, heater;
    fr_fill_def fills[FILLS];
    fr_obstacle_def obstacle;
    fr_source_def sources[2];
    fr_sink_def sink;
    double kappa; /* m²/s, of the function of the temperature */
    fr_scene_def def;
} random_heat;

static double draw(random_heat *r, double low, double high)
{
    return low + (high - low) * random_unit(r->seed, r->drawn++);
}
static bool draw_chance(random_heat *r, double share)
{
    return draw(r, 0, 1) < share;
}
static int draw_whole(random_heat *r, int low, int high)
{
    return low + (int)draw(r, 0, high - low + 1);
}

/* A temperature of its own for something, which is then kept. */
static double draw_temperature(random_heat *r)
{
    const double t = draw(r, -50, 150);
    r->range[0] = fmin(r->range[0], t);
    r->range[1] = fmax(r->range[1], t);
    return t;
}
static const fr_scalar_value *draw_given(random_heat *r)
{
    fr_scalar_value *value = &r->given[r->given_count++];
    *value = (fr_scalar_value){.name = "temperature", .value.value = draw_temperature(r)};
    return value;
}

static void draw_domain(random_heat *r)
{
    const int dims = draw_chance(r, 0.3) ? 3 : 2;
    fr_domain_def *d = &r->def.domain;
    *d = (fr_domain_def){.dims = dims, .cells = {dims == 3 ? draw_whole(r, 8, 12) : draw_whole(r, 16, 32)}};
    r->size = pow(10, draw(r, -2, 2));
    for (int a = 0; a < dims; a++) {
        d->size[a] = r->size * (a ? draw(r, 0.6, 1) : 1);
        d->origin[a] = r->size * draw(r, -1, 1);
    }
    const double gravity = draw_chance(r, 0.1) ? 0 : pow(10, draw(r, -1, 1.5));
    r->def.gravity[1] = -gravity;
    r->time = sqrt(r->size / fmax(gravity, 0.1));
    for (int side = 0; side < 2 * dims; side++) {
        r->def.walls[side].kind = draw_chance(r, 0.5) ? FR_WALL_NO_SLIP : FR_WALL_FREE_SLIP;
        if (draw_chance(r, 0.3)) {
            r->def.walls[side].scalars = draw_given(r);
            r->def.walls[side].scalar_count = 1;
        }
    }
    if (draw_chance(r, 0.2))
        r->def.walls[FR_LEFT] = r->def.walls[FR_RIGHT] = (fr_wall_def){.kind = FR_WALL_PERIODIC};
}

static void draw_place(random_heat *r, double low, double high, double at[3])
{
    const fr_domain_def *d = &r->def.domain;
    for (int a = 0; a < 3; a++)
        at[a] = a < d->dims ? d->origin[a] + draw(r, low, high) * d->size[a] : 0;
}

static void draw_fill(random_heat *r, int index)
{
    fr_shape_def *shape = &r->shapes[index];
    fr_fill_def *fill = &r->fills[index];
    const fr_domain_def *d = &r->def.domain;
    const bool drop = draw_chance(r, 0.5);
    *shape = fr_default_shape(drop ? FR_SHAPE_SPHERE : FR_SHAPE_BOX);
    fill->shape.shape = shape;
    if (draw_chance(r, 0.7)) {
        fill->scalars = draw_given(r);
        fill->scalar_count = 1;
    }
    shape->radius = r->size * draw(r, 0.12, 0.25);
    for (int a = 0; a < 3; a++) { /* a pool, or a dam in a corner */
        const bool across = a == 1 || (a == 0 && draw_chance(r, 0.5));
        shape->min[a] = a < d->dims ? d->origin[a] - r->size : -1;
        shape->max[a] = a < d->dims ? d->origin[a] + (across ? draw(r, 0.15, 0.6) : 2) * d->size[a] : 1;
    }
    if (drop)
        draw_place(r, 0.2, 0.8, fill->shape.at);
}

static fr_result path(void *context, const double *args, double *out)
{
    const random_heat *r = context;
    for (int a = 0; a < 3; a++)
        out[a] = r->path_from[a] + r->path_way[a] * sin(r->path_rate * args[0]);
    return FR_OK;
}

static void draw_obstacle(random_heat *r)
{
    if (!draw_chance(r, 0.5))
        return;
    r->solid = fr_default_shape(draw_chance(r, 0.5) ? FR_SHAPE_SPHERE : FR_SHAPE_BOX);
    r->solid.radius = r->size * draw(r, 0.1, 0.2);
    for (int a = 0; a < 3; a++) {
        r->solid.max[a] = r->size * draw(r, 0.08, 0.2);
        r->solid.min[a] = -r->solid.max[a];
    }
    r->obstacle = (fr_obstacle_def){.shape = {.shape = &r->solid, .axis = {0, 0, 1}}, .no_slip = draw_chance(r, 0.5)};
    draw_place(r, 0, 1, r->obstacle.shape.at);
    r->obstacle.has_temperature = draw_chance(r, 0.7);
    if (r->obstacle.has_temperature)
        r->obstacle.temperature = draw_temperature(r);
    r->moves = draw_chance(r, 0.4);
    if (r->moves) {
        memcpy(r->path_from, r->obstacle.shape.at, sizeof r->path_from);
        for (int a = 0; a < r->def.domain.dims; a++)
            r->path_way[a] = r->size * draw(r, -0.15, 0.15);
        r->path_rate = draw(r, 1, 4) / r->time;
        r->obstacle.path = path;
        r->obstacle.path_context = r;
    }
    r->def.obstacles = &r->obstacle;
    r->def.obstacle_count = 1;
}

/* By these liquid and heat come and go. */
static void draw_ports(random_heat *r)
{
    r->tap = r->drain = r->heater = fr_default_shape(FR_SHAPE_SPHERE);
    r->tap.radius = r->size * draw(r, 0.1, 0.16);
    r->drain.radius = r->size * draw(r, 0.1, 0.2);
    r->heater.radius = r->size * draw(r, 0.1, 0.3);
    if (draw_chance(r, 0.25)) {
        fr_source_def *source = &r->sources[r->def.source_count++];
        *source = (fr_source_def){.shape.shape = &r->tap, .sets_velocity = true};
        draw_place(r, 0.2, 0.8, source->shape.at);
        for (int a = 0; a < r->def.domain.dims; a++)
            source->velocity.value[a] = draw(r, -0.7, 0.7) * r->size / r->time;
        source->scalar_count = draw_chance(r, 0.8);
        source->scalars = source->scalar_count ? draw_given(r) : NULL;
        r->pours = true;
    }
    r->heated = draw_chance(r, 0.2);
    if (r->heated) {
        fr_source_def *source = &r->sources[r->def.source_count++];
        *source = (fr_source_def){
            .shape.shape = &r->heater, .rate = 1 / r->time, .scalars = draw_given(r), .scalar_count = 1};
        draw_place(r, 0.2, 0.8, source->shape.at);
    }
    r->def.sources = r->sources;
    if (draw_chance(r, 0.2)) {
        r->sink = (fr_sink_def){.shape.shape = &r->drain};
        draw_place(r, 0, 1, r->sink.shape.at);
        r->def.sinks = &r->sink;
        r->def.sink_count = 1;
        r->pours = true;
    }
    for (int side = 0; side < 2 * r->def.domain.dims; side++)
        if (r->def.walls[side].kind != FR_WALL_PERIODIC && draw_chance(r, 0.05)) {
            r->def.walls[side] = (fr_wall_def){.kind = FR_WALL_OPEN};
            r->pours = true;
        }
    if (r->def.fill_count > 1 && draw_chance(r, 0.3)) {
        r->fills[r->def.fill_count - 1].from = draw(r, 0.1, 0.5) * r->time;
        r->pours = true;
    }
}

/* Between two thousandths and all of the diffusivity that was drawn. */
static fr_result diffusivity(void *context, const double *args, double *out)
{
    const random_heat *r = context;
    *out = r->kappa * (args[0] > 30 ? 1 : 0.002 + 0.1 / (1 + exp(-args[0] / 20)));
    return FR_OK;
}

static void draw_heat(random_heat *r)
{
    fr_heat_def *heat = &r->def.heat;
    const double fast = r->size * r->size / r->time; /* m²/s that cross the box in this time */
    *heat = (fr_heat_def){.set = true, .ambient = draw_temperature(r)};
    r->kappa = draw_chance(r, 0.2) ? 0 : fast * pow(10, draw(r, -5, 3));
    heat->diffusivity = r->kappa;
    if (draw_chance(r, 0.3)) {
        heat->diffusivity_of = diffusivity;
        heat->diffusivity_context = r;
    }
    heat->conduction = draw_chance(r, 0.4) ? FR_CONDUCTION_LOD : FR_CONDUCTION_IMPLICIT;
    heat->loss = draw_chance(r, 0.5) ? 0 : r->size / r->time * pow(10, draw(r, -3, 1));
    heat->expansion = draw_chance(r, 0.2) ? draw(r, 0, 1e-3) : 0;
    if (!draw_chance(r, 0.7)) {
        r->def.fluid.viscosity = draw_chance(r, 0.5) ? 0 : fast * pow(10, draw(r, -6, 2));
        return;
    }
    heat->latent = draw_chance(r, 0.5) ? draw(r, 0, 200) : 0;
    const double from = draw(r, -40, 100), thin = fast * pow(10, draw(r, -6, 0));
    heat->melt = (fr_melt_def){.set = true,
                               .from = from,
                               .to = from + draw(r, 5, 60),
                               .solid = thin * pow(10, draw(r, 0, 9)),
                               .liquid = thin,
                               .curve = (fr_melt_curve)draw_whole(r, 0, 2)};
}

static void heat_draw(random_heat *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    r->seed = seed;
    r->range[0] = INFINITY;
    r->range[1] = -INFINITY;
    r->def = fr_default_scene(FR_METHOD_LIQUID);
    r->tracker = &pools_trackers[draw_whole(r, 0, POOLS_TRACKERS - 1)];
    r->def.liquid.surface = r->tracker->surface;
    r->def.liquid.volume = draw_chance(r, 0.7) ? FR_LIQUID_VOLUME_KEPT : FR_LIQUID_VOLUME_FREE;
    draw_domain(r);
    r->def.time = (fr_time_def){.duration = r->time, .fps = FRAMES / r->time};
    r->def.fill = r->fills;
    r->def.fill_count = draw_whole(r, 1, FILLS);
    for (int i = 0; i < r->def.fill_count; i++)
        draw_fill(r, i);
    draw_obstacle(r);
    draw_ports(r);
    draw_heat(r);
}

/* The most that was seen. */
typedef struct heat_seen {
    double out_of_range; /* of the range */
    double account;      /* of the most heat there was; without what came with the volume's drift */
    double drift;        /* the same: that */
    double energy;       /* gained, over what there was above the bottom */
} heat_seen;

static double more(double a, double b)
{
    return a >= b ? a : b;
}

/* What there was. */
typedef struct heat_start {
    double heat, scale, volume, energy, height;
} heat_start;

/* How far the liquid's temperatures leave the range. */
static double range_left(const fr_frame *frame, const random_heat *r)
{
    const double wide = fmax(r->range[1] - r->range[0], 1);
    double worst = 0;
    for (int64_t c = 0; c < (int64_t)frame->cells[0] * frame->cells[1] * frame->cells[2]; c++) {
        const int i = (int)(c % frame->cells[0]), j = (int)(c / frame->cells[0] % frame->cells[1]);
        const int k = (int)(c / frame->cells[0] / frame->cells[1]);
        const double t = worlds_value(frame, "temperature", i, j, k);
        if (worlds_value(frame, "level_set", i, j, k) < 0)
            worst = more(worst, more(r->range[0] - t, t - r->range[1]) / wide);
    }
    return worst;
}

/* J: kinetic, and potential above the lowest side. */
static double heat_energy(fr_world *world, const random_heat *r)
{
    return pools_energy(world) + 1000 * worlds_ledger(world, "volume") * r->def.gravity[1] * r->def.domain.origin[1];
}

/* J: of all the liquid at the top, above that at the bottom. */
static double height_energy(fr_world *world, const random_heat *r)
{
    return 1000 * worlds_ledger(world, "volume") * fabs(r->def.gravity[1]) * r->def.domain.size[1];
}

/* m³ K: what all the liquid holds over the range. */
static double heat_scale(fr_world *world, const random_heat *r)
{
    return worlds_ledger(world, "volume") * (r->range[1] - r->range[0] + r->def.heat.latent);
}

static void heat_look(fr_world *world, const random_heat *r, const heat_start *start, heat_seen *seen)
{
    const double heat = worlds_ledger(world, "heat"), drift = worlds_ledger(world, "heat_drift");
    const double in = worlds_ledger(world, "heat_in"), out = worlds_ledger(world, "heat_out");
    const double scale = fmax(fmax(heat_scale(world, r), start->scale), fmax(fabs(in), fabs(out)));
    if (scale > 0) {
        seen->account = more(seen->account, fabs(heat - start->heat - in + out - drift) / scale);
        seen->drift = more(seen->drift, fabs(drift) / scale);
    }
    seen->out_of_range =
        r->heated ? seen->out_of_range : more(seen->out_of_range, range_left(fr_world_frame(world), r));
    if (r->pours || r->moves || r->def.heat.expansion > 0 || !(start->height > 0)) /* or heat does work */
        return;
    const double grown = worlds_ledger(world, "volume") / start->volume - 1;
    seen->energy = more(seen->energy, (heat_energy(world, r) - start->energy) / start->height - fmax(grown, 0));
}

/* With ten cells across, conduction and φ do not agree on the volume of ragged liquid, and where liquid is poured below
   the surface this rises where it is warmer: later steps make up for what that brings. */
static double may_drift(const random_heat *r)
{
    const bool kept = r->def.liquid.volume == FR_LIQUID_VOLUME_KEPT && !r->moves;
    return !kept ? INFINITY : r->pours ? 0.1 : 0.02;
}

static const char *heat_broken(const random_heat *r, const heat_seen *seen)
{
    return !(seen->out_of_range <= 1e-4)    ? "too hot or too cold"
           : !(seen->account <= 1e-3)       ? "heat is lost"
           : !(seen->drift <= may_drift(r)) ? "heat drifts"
           : !(seen->energy <= 0.01)        ? "energy is gained"
                                            : NULL;
}

/* The same bits after a resume in the middle. */
static bool goes_on(const random_heat *r, uint64_t hash)
{
    fr_world *first = NULL, *second = NULL;
    const fr_block *blocks;
    int count;
    bool same = fr_world_create(&r->def, &first) == FR_OK && fr_world_create(&r->def, &second) == FR_OK;
    for (int frame = 0; frame < FRAMES / 2 && same; frame++)
        same = fr_world_step_frame(first) == FR_OK;
    same =
        same && fr_world_snapshot(first, &blocks, &count) == FR_OK && fr_world_restore(second, blocks, count) == FR_OK;
    for (int frame = FRAMES / 2; frame < FRAMES && same; frame++)
        same = fr_world_step_frame(second) == FR_OK;
    same = same && worlds_hash(second) == hash;
    fr_world_destroy(first);
    fr_world_destroy(second);
    return same;
}

/* A part of the box that is full, with more to come, is refused in words. */
static const char *heat_run(const random_heat *r, heat_seen *seen)
{
    fr_world *world;
    if (fr_world_create(&r->def, &world) != FR_OK)
        return fr_error_message();
    const heat_start start = {worlds_ledger(world, "heat"), heat_scale(world, r), worlds_ledger(world, "volume"),
                              heat_energy(world, r), height_energy(world, r)};
    fr_result result = FR_OK;
    for (int frame = 0; frame < FRAMES && result == FR_OK; frame++) {
        result = fr_world_step_frame(world);
        if (result == FR_OK)
            heat_look(world, r, &start, seen);
    }
    const uint64_t hash = result == FR_OK ? worlds_hash(world) : 0;
    fr_world_destroy(world);
    if (result != FR_OK)
        return result == FR_ERROR_INPUT && r->pours ? NULL : fr_error_message();
    if (r->seed % RESUMED == 0 && worlds_run_hash(&r->def, 1) != worlds_run_hash(&r->def, 3))
        return "other bits on other numbers of threads";
    return r->seed % RESUMED == 0 && !goes_on(r, hash) ? "other bits after a resume" : heat_broken(r, seen);
}

static void heat_say(const random_heat *r, const heat_seen *seen, const char *wrong)
{
    const fr_heat_def *h = &r->def.heat;
    print_message(
        "heat %llu: %s, %dD, %d cells, %.2g m, κ %.1e%s%s, loss %.1e, latent %.0f, melt %.0e, %s%s%s%s: range "
        "%.1e, account %.1e, drift %.1e, energy %+.1e: %s\n",
        (unsigned long long)r->seed, r->tracker->name, r->def.domain.dims, r->def.domain.cells[0], r->size,
        h->diffusivity, h->diffusivity_of ? " varying" : "", h->conduction ? " lod" : "", h->loss, h->latent,
        h->melt.set ? h->melt.solid / h->melt.liquid : 0,
        r->def.liquid.volume == FR_LIQUID_VOLUME_KEPT ? "kept" : "free", r->pours ? ", pours" : "",
        r->heated ? ", heated" : "", r->moves ? ", moves" : "", seen->out_of_range, seen->account, seen->drift,
        seen->energy, wrong ? wrong : "ok");
}

/* How many of them went wrong. */
static int heats_run(int count, uint64_t first, bool all)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        static random_heat r; /* large */
        heat_seen seen = {0, 0, 0, -INFINITY};
        heat_draw(&r, first + (uint64_t)i);
        const char *wrong = heat_run(&r, &seen);
        failed += wrong != NULL;
        if (all || wrong)
            heat_say(&r, &seen, wrong);
    }
    print_message("%d of %d random liquids with heat failed\n", failed, count);
    return failed;
}

static void test_random_heat_holds(void **state)
{
    (void)state;
    assert_int_equal(heats_run(COUNT, 0, false), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_heat_holds)};
    if (argc < 2)
        return cmocka_run_group_tests(tests, NULL, NULL);
    return heats_run(atoi(argv[1]), argc > 2 ? strtoull(argv[2], NULL, 10) : 0, true) > 0;
}
