/* Random liquids of particles with heat: drops and dams that melt with contrasts up to 1e6, between warm and cold sides
   and obstacles, with taps, drains, heaters and loss to the air. For every one: no step fails, nothing is hotter than
   the hottest thing around or colder than the coldest, the heat is accounted for to rounding, and bits are the same on
   any number of threads and after a resume.

   The test runs 24 of them. With arguments

     test_sph_heat_random COUNT [FIRST]

   it runs COUNT from seed FIRST on, and lists them all. */
#include <stdlib.h>

#include "base/random.h"
#include "support/liquids.h"

enum { COUNT = 24, FRAMES = 4, FILLS = 2, RESUMED = 4 /* every so many are resumed */ };

typedef struct random_heat {
    uint64_t seed, drawn;
    double size, time; /* m: the longest side; s: of a fall over it */
    double range[2];   /* K: all that is given lies there */
    bool heated;       /* by a rate: nothing bounds it */
    fr_scalar_value given[12];
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
static bool draw_chance(random_heat *r, double share) { return draw(r, 0, 1) < share; }
static int draw_whole(random_heat *r, int low, int high) { return low + (int)draw(r, 0, high - low + 1); }

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
    const int dims = draw_chance(r, 0.3) ? 3 : 2, across = dims == 3 ? draw_whole(r, 8, 12) : draw_whole(r, 16, 32);
    r->def.domain.dims = dims;
    r->size = pow(10, draw(r, -2, 2));
    r->def.sph.spacing = r->size / across;
    for (int a = 0; a < dims; a++)
        r->def.domain.size[a] = r->def.sph.spacing * (a ? draw_whole(r, 6, across) : across);
    const double gravity = draw_chance(r, 0.1) ? 0 : pow(10, draw(r, -1, 1.5));
    r->def.gravity[1] = -gravity;
    r->time = sqrt(r->size / fmax(gravity, 0.1));
    for (int side = 0; side < 2 * dims; side++) {
        fr_wall_def *wall = &r->def.walls[side];
        wall->kind = draw_chance(r, 0.5) ? FR_WALL_NO_SLIP : draw_chance(r, 0.8) ? FR_WALL_FREE_SLIP : FR_WALL_OPEN;
        wall->scalar_count = wall->kind != FR_WALL_OPEN && draw_chance(r, 0.3);
        wall->scalars = wall->scalar_count ? draw_given(r) : NULL;
    }
    if (draw_chance(r, 0.2))
        r->def.walls[FR_LEFT] = r->def.walls[FR_RIGHT] = (fr_wall_def){.kind = FR_WALL_PERIODIC};
}

static void draw_place(random_heat *r, double low, double high, double at[3])
{
    for (int a = 0; a < 3; a++)
        at[a] = a < r->def.domain.dims ? draw(r, low, high) * r->def.domain.size[a] : 0;
}

/* A drop, or a pool or a dam in a corner. */
static void draw_fill(random_heat *r, int index)
{
    fr_shape_def *shape = &r->shapes[index];
    fr_fill_def *fill = &r->fills[index];
    const bool drop = draw_chance(r, 0.5);
    *shape = fr_default_shape(drop ? FR_SHAPE_SPHERE : FR_SHAPE_BOX);
    fill->shape.shape = shape;
    fill->scalar_count = draw_chance(r, 0.7);
    fill->scalars = fill->scalar_count ? draw_given(r) : NULL;
    shape->radius = r->size * draw(r, 0.12, 0.25);
    for (int a = 0; a < 3; a++) {
        const bool across = a == 1 || (a == 0 && draw_chance(r, 0.5));
        shape->min[a] = -r->size;
        shape->max[a] = (across ? draw(r, 0.15, 0.6) : 2) * fmax(r->def.domain.size[a], r->size / 10);
    }
    if (drop)
        draw_place(r, 0.2, 0.8, fill->shape.at);
}

static void draw_obstacle(random_heat *r)
{
    if (!draw_chance(r, 0.5))
        return;
    r->solid = fr_default_shape(FR_SHAPE_SPHERE);
    r->solid.radius = r->size * draw(r, 0.1, 0.2);
    r->obstacle = (fr_obstacle_def){.shape = {.shape = &r->solid, .axis = {0, 0, 1}}, .no_slip = draw_chance(r, 0.5)};
    draw_place(r, 0.2, 0.8, r->obstacle.shape.at);
    r->obstacle.has_temperature = draw_chance(r, 0.7);
    if (r->obstacle.has_temperature)
        r->obstacle.temperature = draw_temperature(r);
    r->def.obstacles = &r->obstacle;
    r->def.obstacle_count = 1;
}

/* By these liquid and heat come and go. A tap that presses liquid into an obstacle, or where the box is full, ends a
   run with or without heat: taps pour down in boxes without obstacles. */
static void draw_ports(random_heat *r)
{
    r->tap = r->drain = r->heater = fr_default_shape(FR_SHAPE_SPHERE);
    r->tap.radius = r->size * draw(r, 0.1, 0.16);
    r->drain.radius = r->size * draw(r, 0.1, 0.2);
    r->heater.radius = r->size * draw(r, 0.1, 0.3);
    if (draw_chance(r, 0.5) && r->def.obstacle_count == 0) {
        fr_source_def *source = &r->sources[r->def.source_count++];
        *source = (fr_source_def){.shape.shape = &r->tap, .sets_velocity = true, .to = INFINITY};
        draw_place(r, 0.3, 0.7, source->shape.at);
        source->shape.at[1] = 0.8 * r->def.domain.size[1];
        source->velocity.value[1] = draw(r, -0.7, -0.3) * r->size / r->time;
        source->scalar_count = draw_chance(r, 0.8);
        source->scalars = source->scalar_count ? draw_given(r) : NULL;
    }
    if (draw_chance(r, 0.3)) {
        fr_source_def *source = &r->sources[r->def.source_count++];
        r->heated = draw_chance(r, 0.5);
        *source = (fr_source_def){.shape.shape = &r->heater, .scalars = draw_given(r), .scalar_count = 1};
        source->to = INFINITY;
        source->rate = r->heated ? 1 / r->time : 0;
        draw_place(r, 0.2, 0.8, source->shape.at);
    }
    r->def.sources = r->sources;
    if (draw_chance(r, 0.2)) {
        r->sink = (fr_sink_def){.shape.shape = &r->drain, .to = INFINITY};
        draw_place(r, 0, 1, r->sink.shape.at);
        r->def.sinks = &r->sink;
        r->def.sink_count = 1;
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
    heat->loss = draw_chance(r, 0.5) ? 0 : r->size / r->time * pow(10, draw(r, -3, 1));
    heat->expansion = draw_chance(r, 0.2) ? draw(r, 0, 1e-3) : 0;
    if (!draw_chance(r, 0.7)) {
        r->def.fluid.viscosity = draw_chance(r, 0.5) ? 0 : fast * pow(10, draw(r, -6, -1));
        return;
    }
    heat->latent = draw_chance(r, 0.5) ? draw(r, 0, 200) : 0;
    const double from = draw(r, -40, 100), thin = fast * pow(10, draw(r, -6, -2));
    heat->melt = (fr_melt_def){.set = true,
                               .from = from,
                               .to = from + (draw_chance(r, 0.2) ? 0 : draw(r, 5, 60)),
                               .solid = thin * pow(10, draw(r, 0, 6)),
                               .liquid = thin,
                               .curve = (fr_melt_curve)draw_whole(r, 0, 2)};
}

static void heat_draw(random_heat *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    r->seed = seed;
    r->range[0] = INFINITY;
    r->range[1] = -INFINITY;
    r->def = fr_default_scene(FR_METHOD_SPH);
    r->def.sph.solver = draw_chance(r, 0.8) ? FR_SPH_DFSPH : FR_SPH_PCISPH;
    draw_domain(r);
    r->def.time = (fr_time_def){.duration = 0.5 * r->time, .fps = FRAMES / (0.5 * r->time)};
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
    double account;      /* of the most heat there was */
} heat_seen;

static double more(double a, double b) { return a >= b ? a : b; }

static const float *heat_values(const fr_frame *frame)
{
    for (int i = 0; i < frame->attribute_count; i++)
        if (!strcmp(frame->attributes[i].name, "temperature"))
            return frame->attributes[i].data;
    fail_msg("particles have no temperature");
    return NULL;
}

static void heat_look(fr_world *world, const random_heat *r, double before, heat_seen *seen)
{
    const fr_frame *frame = fr_world_frame(world);
    const float *t = heat_values(frame);
    const double wide = fmax(r->range[1] - r->range[0], fmax(fabs(r->range[0]), fabs(r->range[1])));
    const double in = worlds_ledger(world, "heat_in"), out = worlds_ledger(world, "heat_out");
    const double heat = worlds_ledger(world, "heat"),
                 scale = more(worlds_ledger(world, "volume") * (wide + r->def.heat.latent), more(fabs(in), fabs(out)));
    if (scale > 0)
        seen->account = more(seen->account, fabs(heat - before - in + out) / scale);
    for (int64_t n = 0; n < frame->particle_count && !r->heated; n++)
        seen->out_of_range =
            more(seen->out_of_range, more(r->range[0] - (double)t[n], (double)t[n] - r->range[1]) / wide);
}

/* The bits of places, velocities and temperatures. */
static uint64_t heat_hash(fr_world *world)
{
    const fr_frame *frame = fr_world_frame(world);
    const float *t = heat_values(frame);
    uint64_t hash = worlds_hash(world);
    for (int64_t n = 0; n < frame->particle_count; n++) {
        uint32_t bits;
        memcpy(&bits, t + n, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

/* On three threads, saved and resumed in another world in the middle. */
static const char *heat_repeat(const random_heat *r, uint64_t hash)
{
    fr_world *first = NULL, *second = NULL;
    const fr_block *blocks;
    int count;
    fr_set_threads(3);
    bool same = fr_world_create(&r->def, &first) == FR_OK && fr_world_create(&r->def, &second) == FR_OK;
    for (int frame = 0; frame < FRAMES / 2 && same; frame++)
        same = fr_world_step_frame(first) == FR_OK;
    same =
        same && fr_world_snapshot(first, &blocks, &count) == FR_OK && fr_world_restore(second, blocks, count) == FR_OK;
    for (int frame = FRAMES / 2; frame < FRAMES && same; frame++)
        same = fr_world_step_frame(second) == FR_OK;
    same = same && heat_hash(second) == hash;
    fr_world_destroy(first);
    fr_world_destroy(second);
    fr_set_threads(0);
    return same ? NULL : "other bits on other threads or after a resume";
}

static const char *heat_run(const random_heat *r, heat_seen *seen)
{
    fr_world *world = NULL;
    fr_set_threads(1);
    if (fr_world_create(&r->def, &world) != FR_OK)
        return strstr(fr_error_message(), "room for no particle") || strstr(fr_error_message(), "outside")
                   ? NULL : fr_error_message();
    const double before = worlds_ledger(world, "heat");
    fr_result result = FR_OK;
    for (int frame = 0; frame < FRAMES && result == FR_OK; frame++) {
        result = fr_world_step_frame(world);
        if (result == FR_OK)
            heat_look(world, r, before, seen);
    }
    const uint64_t hash = result == FR_OK ? heat_hash(world) : 0;
    fr_world_destroy(world);
    fr_set_threads(0);
    if (result != FR_OK)
        return fr_error_message();
    const char *wrong = !(seen->out_of_range <= 1e-6) ? "too hot or too cold"
                        : !(seen->account <= 1e-10)   ? "heat is lost"
                                                      : NULL;
    return wrong || r->seed % RESUMED != 0 ? wrong : heat_repeat(r, hash);
}

static void heat_say(const random_heat *r, const heat_seen *seen, const char *wrong)
{
    const fr_heat_def *h = &r->def.heat;
    print_message("heat %llu: %dD, %.2g m, κ %.1e%s, loss %.1e, latent %.0f, melt %.0e%s: range %.1e, account %.1e: "
                  "%s\n",
                  (unsigned long long)r->seed, r->def.domain.dims, r->size, r->kappa,
                  h->diffusivity_of ? " varying" : "", h->loss, h->latent,
                  h->melt.set ? h->melt.solid / h->melt.liquid : 0, r->heated ? ", heated" : "", seen->out_of_range,
                  seen->account, wrong ? wrong : "ok");
}

/* How many of them went wrong. */
static int heats_run(int count, uint64_t first, bool all)
{
    int failed = 0;
    for (int i = 0; i < count; i++) {
        random_heat r;
        heat_seen seen = {0};
        heat_draw(&r, first + (uint64_t)i);
        const char *wrong = heat_run(&r, &seen);
        failed += wrong != NULL;
        if (all || wrong)
            heat_say(&r, &seen, wrong);
    }
    return failed;
}

static void test_random_heat(void **state)
{
    (void)state;
    assert_int_equal(heats_run(COUNT, 1, false), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_heat)};
    if (argc > 1)
        return heats_run(atoi(argv[1]), argc > 2 ? (uint64_t)atoll(argv[2]) : 1, true) > 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
