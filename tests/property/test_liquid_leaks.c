/* Walls hold the liquid: of one cell and thinner, upright and leaning, still and moving, with long steps too.

     test_liquid_leaks all

   runs every wall with every tracker and prints what has come through. */
#include <stdlib.h>

#include "support/pools.h"

enum { CELLS = 24 };
static const double H = 1.0 / CELLS, Z = 3.0 / CELLS;
static bool all;

/* A plane wall that cuts the box in two, or a closed square vessel: where its middle surface stands at a time. */
typedef struct wall {
    const char *name;
    double thick;          /* cells */
    double at[2], degrees; /* of the wall's own x axis, across it, */
    double tilt;           /* about an axis (0, tilt, 1) */
    double side;           /* of the vessel inside its middle surface, m; 0: a plane */
    double reach, turn;    /* m, degrees: it swings so far along x and about `at`, once a second; */
    double spin;           /* degrees/s: or turns on and on */
} wall;

static const wall walls[] = {
    {.name = "upright", .thick = 1, .at = {0.51, 0.5}},
    {.name = "leaning by 20", .thick = 1, .at = {0.5, 0.5}, .degrees = 20},
    {.name = "leaning by 45", .thick = 1, .at = {0.52, 0.5}, .degrees = -45},
    {.name = "plate", .thick = 0.1, .at = {0.5 + 0.3 / 24, 0.5}},
    {.name = "plate leaning by 20", .thick = 0.1, .at = {0.5, 0.5}, .degrees = 20},
    {.name = "plate leaning by 45", .thick = 0.3, .at = {0.5, 0.5}, .degrees = -45},
    {.name = "vessel", .thick = 1, .at = {0.5, 0.5}, .degrees = 30, .side = 0.55},
    {.name = "thin vessel", .thick = 0.2, .at = {0.5, 0.5}, .degrees = 12, .side = 0.6},
    {.name = "piston", .thick = 1, .at = {0.55, 0.5}, .reach = 0.12},
    {.name = "leaning piston", .thick = 1, .at = {0.55, 0.5}, .degrees = 20, .reach = 0.12},
    {.name = "thin piston", .thick = 0.3, .at = {0.55, 0.5}, .reach = 0.12},
    {.name = "flap", .thick = 1, .at = {0.55, 0.2}, .turn = 15},
    {.name = "thin flap", .thick = 0.3, .at = {0.55, 0.2}, .turn = 15},
    {.name = "spinning vessel", .thick = 1, .at = {0.5, 0.5}, .side = 0.55, .spin = 180},
    {.name = "thin spinning vessel", .thick = 0.3, .at = {0.5, 0.5}, .side = 0.55, .spin = 180},
};
enum { WALLS = sizeof walls / sizeof walls[0] };

static double swing(double t) { return sin(2 * POOLS_PI * t); }

static fr_result follow(void *context, const double *args, double *out)
{
    const wall *w = context;
    out[0] = w->at[0] + w->reach * swing(args[0]);
    out[1] = w->at[1];
    out[2] = Z;
    out[3] = w->turn * swing(args[0]) + w->spin * args[0];
    return FR_OK;
}

/* How far a point is beyond the wall's middle surface, on the dry side, m. */
static double beyond(const wall *w, double t, const double at[3])
{
    double angle = (w->degrees + w->turn * swing(t) + w->spin * t) * POOLS_PI / 180;
    double dx = at[0] - w->at[0] - w->reach * swing(t), dy = at[1] - w->at[1], dz = at[2] - Z;
    double length = sqrt(1 + w->tilt * w->tilt), n[2] = {w->tilt / length, 1 / length};
    double across = cos(angle) * dx + sin(angle) * (n[1] * dy - n[0] * dz);
    double along = cos(angle) * dy - sin(angle) * dx;
    return w->side > 0 ? fmax(fabs(across), fabs(along)) - w->side / 2 : across;
}

typedef struct scene {
    pool p;
    fr_shape_def parts[2];
    const fr_shape_def *children[2];
} scene;

static void make_wall(scene *s, const wall *w)
{
    double half = 0.5 * w->thick * H, out = w->side / 2 + half, in = w->side / 2 - half;
    if (w->side > 0) {
        s->parts[0] = pools_box((double[3]){-out, -out, -9}, (double[3]){out, out, 9});
        s->parts[1] = pools_box((double[3]){-in, -in, -10}, (double[3]){in, in, 10});
        s->children[0] = &s->parts[0];
        s->children[1] = &s->parts[1];
        fr_shape_def vessel = fr_default_shape(FR_SHAPE_DIFFERENCE);
        vessel.children = s->children;
        vessel.child_count = 2;
        pools_add_obstacle(&s->p, vessel);
    } else
        pools_add_obstacle(&s->p, pools_box((double[3]){-half, -9, -9}, (double[3]){half, 9, 9}));
    fr_obstacle_def *o = &s->p.obstacle;
    o->shape.at[0] = w->at[0];
    o->shape.at[1] = w->at[1];
    o->shape.at[2] = Z;
    o->shape.axis[1] = w->tilt;
    o->shape.axis[2] = 1;
    o->shape.degrees = w->degrees;
    if (w->reach != 0 || w->turn != 0 || w->spin != 0) {
        o->path = follow;
        o->path_context = (void *)(size_t)w;
    }
}

/* A block of water on the near side of the middle surface, on its way to the wall. */
static void make_water(scene *s, const wall *w)
{
    double side = w->side > 0 ? w->side / 2 : 0.5;
    s->p.liquid = pools_box((double[3]){-side, -side, -9}, (double[3]){w->side > 0 ? side : 0, 0.2 * side, 9});
    s->p.fill.shape = s->p.obstacle.shape;
    s->p.fill.shape.shape = &s->p.liquid;
    s->p.fill.velocity.value[0] = 1.5;
    s->p.fill.velocity.value[1] = -0.7;
}

/* Walls thinner than a cell stand on faces, up to half the diagonal of a cell from where they are, in cells. */
static const double SNAPPED = 0.87;

typedef struct leak {
    int cells, parcels; /* beyond the wall */
    double deepest;     /* cells, of parcels in the wall */
    double volume;      /* change of it, relative */
} leak;

static void look(const fr_frame *frame, const wall *w, leak *found)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    double far = w->thick / 2, h = H / fr_field_refine(frame, phi);
    for (int k = 0; k < phi->size[2]; k++)
        for (int j = 0; j < phi->size[1]; j++)
            for (int i = 0; i < phi->size[0]; i++) {
                const double at[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
                found->cells += beyond(w, frame->time, at) > far * H && worlds_value(frame, "level_set", i, j, k) < 0;
            }
    for (int64_t n = 0; frame->has_particles && n < frame->particle_count; n++) {
        const float *x = frame->particles.data + n * frame->particles.stride;
        double past = beyond(w, frame->time, (double[3]){(double)x[0], (double)x[1], (double)x[2]}) / H;
        found->parcels += past > (w->thick < 1 ? SNAPPED : far);
        found->deepest = fmax(found->deepest, past > far ? 0 : past + far);
    }
}

typedef struct conditions {
    int dims, cfl, refine;
} conditions;

static leak run(const wall *w, const pools_tracker *tracker, conditions c)
{
    scene s;
    leak found = {0};
    pools_make(&s.p, tracker->surface, c.dims, (double[3]){1, 1, 6 * H}, CELLS);
    make_wall(&s, w);
    make_water(&s, w);
    s.p.def.liquid.refine = c.refine;
    s.p.def.time = (fr_time_def){.duration = 0.8, .fps = 20, .cfl = c.cfl};
    fr_world *world = worlds_create(&s.p.def);
    double volume = worlds_ledger(world, "volume");
    for (int frame = 0; frame < fr_world_frame_count(world); frame++) {
        assert_ok(fr_world_step_frame(world));
        look(fr_world_frame(world), w, &found);
    }
    found.volume = worlds_ledger(world, "volume") / volume - 1;
    print_message("%-22s %-18s %dD cfl %d refine %d: cells %d, parcels %d, %.2f cells in the wall; volume %+.1f %%\n",
                  w->name, tracker->name, c.dims, c.cfl, c.refine, found.cells, found.parcels, found.deepest,
                  100 * found.volume);
    fr_world_destroy(world);
    return found;
}

static void check(const wall *w, const pools_tracker *tracker, conditions c)
{
    leak found = run(w, tracker, c);
    if (all)
        return;
    assert_int_equal(found.cells, 0);
    assert_int_equal(found.parcels, 0);
    assert_below(fabs(found.volume), 0.005);
    if (w->thick >= 1)
        assert_below(found.deepest, 0.2);
}

static void test_walls_hold(void **state)
{
    (void)state;
    for (int n = 0; n < WALLS; n++)
        for (int t = 0; t < POOLS_TRACKERS; t++)
            for (int cfl = all ? 1 : 5; cfl <= 5; cfl += 4)
                check(&walls[n], &pools_trackers[t], (conditions){2, cfl, 1});
}

static void test_walls_hold_with_short_steps(void **state)
{
    (void)state;
    for (int n = 0; n < WALLS && !all; n++)
        check(&walls[n], &pools_trackers[n % POOLS_TRACKERS], (conditions){2, 1, 1});
}

static void test_walls_hold_finer_surfaces(void **state)
{
    (void)state;
    for (int n = 0; n < WALLS; n++)
        for (int t = 0; t < POOLS_TRACKERS; t++)
            if (all || t == n % POOLS_TRACKERS)
                check(&walls[n], &pools_trackers[t], (conditions){2, 1, 2});
}

static void test_walls_hold_in_space(void **state)
{
    (void)state;
    const wall slanted[] = {{.name = "slanted", .thick = 1, .at = {0.5, 0.5}, .degrees = 35, .tilt = 0.8},
                            {.name = "slanted plate", .thick = 0.2, .at = {0.5, 0.5}, .degrees = 35, .tilt = 0.8},
                            {"slanted piston", .thick = 1, .at = {0.5, 0.5}, .degrees = 35, .tilt = 0.8, .reach = 0.1},
                            {"thin piston", .thick = 0.2, .at = {0.5, 0.5}, .degrees = 25, .tilt = 0.8, .reach = 0.1}};
    for (int n = 0; n < 4; n++)
        for (int t = 0; t < (all ? POOLS_TRACKERS : 2); t++)
            check(&slanted[n], &pools_trackers[t], (conditions){3, all ? 1 : 5, 1});
}

int main(int argc, char **argv)
{
    all = argc > 1 && !strcmp(argv[1], "all");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walls_hold),
                                       cmocka_unit_test(test_walls_hold_with_short_steps),
                                       cmocka_unit_test(test_walls_hold_finer_surfaces),
                                       cmocka_unit_test(test_walls_hold_in_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
