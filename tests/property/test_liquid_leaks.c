/* Walls hold the liquid: of one cell and thinner, upright and leaning, still and moving, with long steps too.

     test_liquid_leaks all

   runs every wall with every tracker and prints what has come through. */
#include <stdlib.h>

#include "support/pools.h"

enum { CELLS = 24 };
static const double H = 1.0 / CELLS;
static bool all;

/* A plane wall that cuts the box in two, or a closed square vessel: where its middle surface stands at a time. */
typedef struct wall {
    const char *name;
    double thick;          /* cells */
    double at[2], degrees; /* of the wall's own x axis, across it */
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
    {.name = "flap", .thick = 1, .at = {0.55, -0.1}, .turn = 15},
    {.name = "thin flap", .thick = 0.3, .at = {0.55, -0.1}, .turn = 15},
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
    out[3] = w->turn * swing(args[0]) + w->spin * args[0];
    return FR_OK;
}

/* How far a point is beyond the wall's middle surface, on the dry side, m. */
static double beyond(const wall *w, double t, double x, double y)
{
    double angle = (w->degrees + w->turn * swing(t) + w->spin * t) * POOLS_PI / 180;
    double dx = x - w->at[0] - w->reach * swing(t), dy = y - w->at[1];
    double across = cos(angle) * dx + sin(angle) * dy, along = cos(angle) * dy - sin(angle) * dx;
    return w->side > 0 ? fmax(fabs(across), fabs(along)) - w->side / 2 : across;
}

typedef struct scene {
    pool p;
    fr_shape_def parts[2];
    const fr_shape_def *children[2];
    double corners[4][2];
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
    o->shape.axis[2] = 1;
    o->shape.degrees = w->degrees;
    if (w->reach != 0 || w->turn != 0 || w->spin != 0) {
        o->path = follow;
        o->path_context = (void *)(size_t)w;
    }
}

/* Water on the near side of the middle surface, up to a height, on its way to the wall. */
static void make_water(scene *s, const wall *w, int dims)
{
    double angle = w->degrees * POOLS_PI / 180, level = 0.55;
    s->p.liquid = fr_default_shape(FR_SHAPE_POLYGON);
    s->p.liquid.points = (const double(*)[2])s->corners;
    s->p.liquid.point_count = 4;
    for (int c = 0; c < 4; c++) {
        double x = w->side / 2 * (c == 0 || c == 3 ? -1 : 1), y = w->side / 2 * (c < 2 ? -1 : 0.2);
        double height = c < 2 ? -0.3 : level;
        bool far = c == 0 || c == 3;
        s->corners[c][0] = w->side > 0 ? w->at[0] + cos(angle) * x - sin(angle) * y
                           : far       ? -1
                                       : w->at[0] - tan(angle) * (height - w->at[1]);
        s->corners[c][1] = w->side > 0 ? w->at[1] + sin(angle) * x + cos(angle) * y : height;
    }
    if (dims == 3) {
        s->p.liquid.min[2] = -9;
        s->p.liquid.max[2] = 9;
    }
    s->p.fill.velocity.value[0] = 1.5;
    s->p.fill.velocity.value[1] = -0.7;
}

typedef struct leak {
    int cells, parcels, inside;
    double deepest; /* cells, of parcels in the wall */
} leak;

static void look(const fr_frame *frame, const wall *w, leak *found)
{
    for (int k = 0; k < frame->cells[2]; k++)
        for (int j = 0; j < frame->cells[1]; j++)
            for (int i = 0; i < frame->cells[0]; i++)
{                bool leaks = beyond(w, frame->time, (i + 0.5) * H, (j + 0.5) * H) > w->thick * H / 2 &&
                                worlds_value(frame, "level_set", i, j, k) < 0;
found->cells += leaks; if (leaks && getenv("DEBUG")) print_message("   t %.3f cell %d %d\n", frame->time, i, j);}
    for (int64_t n = 0; frame->has_particles && n < frame->particle_count; n++) {
        const float *x = frame->particles.data + n * frame->particles.stride;
        double past = beyond(w, frame->time, (double)x[0], (double)x[1]) / H, in = past + w->thick / 2;
        found->parcels += past > (w->thick < 1 ? 0.75 : 0.05);
        if (getenv("DEBUG") && past > (w->thick < 1 ? 0.75 : 0.05))
            print_message("   t %.3f parcel %.3f %.3f past %.2f\n", frame->time, x[0] / H, x[1] / H, past);
        found->inside += in > 0.1 && past <= 0;
        found->deepest = fmax(found->deepest, past > 0 ? 0 : in);
    }
}

static leak run(const wall *w, const pools_tracker *tracker, int dims, double cfl)
{
    scene s;
    leak found = {0};
    pools_make(&s.p, tracker->surface, dims, (double[3]){1, 1, 6 * H}, CELLS);
    make_wall(&s, w);
    make_water(&s, w, dims);
    s.p.def.time = (fr_time_def){.duration = 0.8, .fps = 20, .cfl = cfl};
    fr_world *world = worlds_create(&s.p.def);
    double volume = worlds_ledger(world, "volume");
    for (int frame = 0; frame < fr_world_frame_count(world); frame++) {
        assert_ok(fr_world_step_frame(world));
        look(fr_world_frame(world), w, &found);
    }
    print_message("%-22s %-18s %dD cfl %g: cells %d, parcels %d, in the wall %d (%.2f cells); volume %+.1f %%\n", w->name,
                  tracker->name, dims, cfl, found.cells, found.parcels, found.inside, found.deepest,
                  100 * (worlds_ledger(world, "volume") / volume - 1));
    fr_world_destroy(world);
    return found;
}

static void check(const wall *w, const pools_tracker *tracker, int dims, double cfl)
{
    leak found = run(w, tracker, dims, cfl);
    if (all)
        return;
    assert_int_equal(found.cells, 0);
    assert_int_equal(found.parcels, 0);
    if (w->thick >= 1)
        assert_int_equal(found.inside, 0);
}

static void test_walls_hold(void **state)
{
    (void)state;
    for (int n = getenv("WALL") ? atoi(getenv("WALL")) : 0; n < (getenv("WALL") ? atoi(getenv("WALL")) + 1 : WALLS); n++)
        for (int t = 0; t < POOLS_TRACKERS; t++)
            for (int cfl = 1; cfl <= 5; cfl += 4)
                check(&walls[n], &pools_trackers[t], 2, cfl);
}

int main(int argc, char **argv)
{
    all = argc > 1 && !strcmp(argv[1], "all");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walls_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
