#define _POSIX_C_SOURCE 200809L
/* The built-in river maps: positions of their nodes. */
#include "load_text.h"

#include <math.h>

#include "support/check.h"

typedef struct place {
    double x, y, z;
} place;

static place at(const fr_scene *scene, double s, double t, double r)
{
    const fr_river_def *river = &fr_scene_definition(scene)->river;
    double out[3];
    if (river->grid(river->grid_context, (const double[3]){s, t, r}, out) != FR_OK)
        fail_msg("%s", fr_error_message());
    return (place){out[0], out[1], out[2]};
}

static double apart(place a, place b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static place middle(const fr_scene *scene, double s)
{
    return at(scene, s, 0.5, 1);
}

#define RIVER(cells, grid) "return { method='river', river={ cells={" cells "},\ngrid=" grid " } }"
#define MEANDER "channel{ centre={{0,0},{4,1.5},{8,-1},{13,0.5},{15,4}}, width=function(s) return 1 + 0.5 * s end }"

static double distance(const fr_scene *scene, double s, place point)
{
    return apart(middle(scene, s), point);
}

/* The nearest that the middle of the channel comes to a point: the best of many places, then by thirds around it. */
static double nearest(const fr_scene *scene, place point)
{
    enum { PLACES = 1000 };
    int best = 0;
    for (int i = 1; i <= PLACES; i++)
        if (distance(scene, (double)i / PLACES, point) < distance(scene, (double)best / PLACES, point))
            best = i;
    double low = fmax(best - 1, 0) / PLACES, high = fmin(best + 1, PLACES) / PLACES;
    for (int turn = 0; turn < 80; turn++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (distance(scene, a, point) < distance(scene, b, point))
            high = b;
        else
            low = a;
    }
    return distance(scene, (low + high) / 2, point);
}

static void a_channel_goes_through_its_points(void **state)
{
    (void)state;
    static const place points[] = {{0, 0, 0}, {4, 1.5, 0}, {8, -1, 0}, {13, 0.5, 0}, {15, 4, 0}};
    fr_scene *scene = load(RIVER("50,8", MEANDER));
    assert_near(apart(middle(scene, 0), points[0]), 0, 1e-12);
    assert_near(apart(middle(scene, 1), points[4]), 0, 1e-12);
    for (int i = 0; i < 5; i++)
        assert_near(nearest(scene, points[i]), 0, 1e-7);
    fr_scene_destroy(scene);
}

/* Equal parts of s are equal lengths of the middle line: chords of short parts differ from arcs by the third power. */
static void s_goes_by_length(void **state)
{
    (void)state;
    enum { PARTS = 2000 };
    fr_scene *scene = load(RIVER("50,8", MEANDER));
    double shortest = INFINITY, longest = 0;
    for (int i = 0; i < PARTS; i++) {
        double part = apart(middle(scene, (double)i / PARTS), middle(scene, (double)(i + 1) / PARTS));
        shortest = fmin(shortest, part);
        longest = fmax(longest, part);
    }
    assert_true(shortest > 0.007);
    assert_near(longest / shortest, 1, 1e-5);
    fr_scene_destroy(scene);
}

/* The banks are the width apart, square to the course, the right one at t = 0. */
static void the_banks_keep_the_width(void **state)
{
    (void)state;
    fr_scene *scene = load(RIVER("50,8", MEANDER));
    for (int i = 1; i < 40; i++) {
        double s = i / 40.0, h = 1e-5;
        place right = at(scene, s, 0, 1), left = at(scene, s, 1, 1), before = middle(scene, s - h),
              after = middle(scene, s + h);
        assert_near(apart(right, left), 1 + 0.5 * s, 1e-12);
        double along[2] = {after.x - before.x, after.y - before.y}, across[2] = {left.x - right.x, left.y - right.y};
        double size = hypot(along[0], along[1]) * hypot(across[0], across[1]);
        assert_near((along[0] * across[0] + along[1] * across[1]) / size, 0, 1e-5);
        assert_near((along[0] * across[1] - along[1] * across[0]) / size, 1, 1e-9);
        place quarter = at(scene, s, 0.25, 1);
        assert_near(quarter.x, 0.75 * right.x + 0.25 * left.x, 1e-12);
    }
    fr_scene_destroy(scene);
}

/* Many points of a circle give nearly its length and its curvature: the natural ends are felt near them only. */
static void a_course_of_a_circle_is_round(void **state)
{
    (void)state;
    fr_scene *scene = load("local points = {}\nfor i = 0, 120 do local a = math.pi * i / 60 points[i + 1] = { 3 * "
                           "math.cos(a), 3 * math.sin(a) } end\n"
                           "return { method='river', river={ cells={90,8}, grid=channel{centre=points, width=2} } }");
    for (int i = 20; i <= 80; i++) {
        place outer = at(scene, i / 100.0, 0, 1), inner = at(scene, i / 100.0, 1, 1);
        assert_near(hypot(outer.x, outer.y), 4, 1e-5);
        assert_near(hypot(inner.x, inner.y), 2, 1e-5);
        assert_near(remainder(atan2(outer.y, outer.x) - 2 * acos(-1) * i / 100.0, 2 * acos(-1)), 0, 1e-4);
    }
    fr_scene_destroy(scene);
}

static void a_straight_channel_is_straight(void **state)
{
    (void)state;
    fr_scene *scene =
        load(RIVER("10,4,3", "channel{ centre={{1,2},{1,12}}, width=4, depth=function(s, t) return 1 + s + t end }"));
    place p = at(scene, 0.5, 0.25, 0.5);
    assert_near(p.x, 2, 1e-12);
    assert_near(p.y, 7, 1e-12);
    assert_near(p.z, -0.5 * 1.75, 1e-12);
    assert_near(at(scene, 0.3, 0.3, 1).z, 0, 0);
    assert_near(at(scene, 0.5, 0.5, 0).z, -2, 1e-12);
    fr_scene_destroy(scene);
}

static void an_annulus_is_round(void **state)
{
    (void)state;
    fr_scene *scene = load(RIVER("36,8", "annulus{ radii={1,2} }"));
    for (int i = 0; i <= 12; i++) {
        place inner = at(scene, i / 12.0, 0, 0), outer = at(scene, i / 12.0, 1, 0);
        assert_near(hypot(inner.x, inner.y), 1, 1e-14);
        assert_near(hypot(outer.x, outer.y), 2, 1e-14);
    }
    assert_near(apart(at(scene, 0, 0.3, 0), at(scene, 1, 0.3, 0)), 0, 1e-14);
    fr_scene_destroy(scene);
    scene = load(RIVER("36,8,2", "annulus{ radii={2,1}, from=0, to=90, at={5,6}, depth=0.5 }"));
    place p = at(scene, 1, 0, 0);
    assert_near(p.x, 5, 1e-14);
    assert_near(p.y, 8, 1e-14);
    assert_near(p.z, -0.5, 0);
    fr_scene_destroy(scene);
}

static double width(const fr_scene *scene, double s)
{
    return apart(at(scene, s, 0, 0), at(scene, s, 1, 0));
}

static void a_venturi_narrows_to_its_neck(void **state)
{
    (void)state;
    fr_scene *scene = load(RIVER("50,8", "venturi{ length=10, width=2, throat=0.5, neck=1, at={1,3} }"));
    place start = at(scene, 0, 0.5, 0), end = at(scene, 1, 0.5, 0);
    assert_near(start.x, 1, 1e-12);
    assert_near(end.x, 11, 1e-12);
    assert_near(end.y, 3, 1e-12);
    for (int i = 0; i <= 50; i++) {
        double s = i / 50.0, aside = fabs(10 * s - 5);
        if (aside <= 0.5)
            assert_near(width(scene, s), 1, 1e-12);
        else if (aside >= 2.5)
            assert_near(width(scene, s), 2, 1e-12);
        else
            assert_true(width(scene, s) > 1 && width(scene, s) < 2);
        assert_near(width(scene, s), width(scene, 1 - s), 1e-9);
    }
    fr_scene_destroy(scene);
    scene = load(RIVER("50,8", "venturi{ length=10, width=2 }"));
    assert_near(width(scene, 0.5), 1, 1e-12);
    assert_near(width(scene, 0.41), 1, 1e-12);
    fr_scene_destroy(scene);
}

static void refuses_what_has_no_course(void **state)
{
    (void)state;
    static const struct { const char *text; int line; const char *first, *second;
    } list[] = {
        {RIVER("4,4", "channel{ width=1 }"), 2, "river.grid: channel needs centre and width", "channel{ centre ="},
        {RIVER("4,4", "channel{ centre={{0,0},{1,0}} }"), 2, "channel needs centre and width", "width = 1"},
        {RIVER("4,4", "channel{ centre={{0,0}}, width=1 }"), 2, "river.grid.centre must have two points", ""},
        {RIVER("4,4", "channel{ centre={{0,0},\n{0,0},{1,0}}, width=1 }"), 3, "river.grid.centre[2] is the same point",
         "leave it out"},
        {RIVER("4,4", "channel{ centre={{0,0},{1,0,0}}, width=1 }"), 2,
         "river.grid.centre[2] must be a point of the map", "3 entries"},
        {RIVER("4,4", "channel{ centre={{0,0},{1,0}}, width=0 }"), 2, "river.grid.width must be a positive number (m)",
         "0"},
        {RIVER("4,4", "channel{ centre={{0,0},{1,0}}, width={} }"), 2,
         "river.grid.width must be a number (m) or a function(s)", "table"},
        {RIVER("4,4", "channel{ centre={{0,0},{1,0}}, width=function(s) return 0.5 - s end }"), 2,
         "width must be positive (m)", "at s = 0.5"},
        {RIVER("4,4", "channel{ centre={{0,0},{1,0}}, width=function(s) return 'wide' end }"), 2,
         "the function of river.grid.width", "number"},
        {RIVER("4,4", "channel{ centre={{0,0},{1,0}}, width=1, depth=1 }"), 2,
         "river.grid.depth: a river with cells = {4, 4} is flat", "{4, 4, 8}"},
        {RIVER("4,4,4", "channel{ centre={{0,0},{1,0}}, width=1 }"), 2, "river.grid: a river in 3D needs a depth",
         "function(s, t)"},
        {RIVER("100,4", "channel{ centre={{0,0},{2,0},{2,2}}, width=3 }"), 2, "the banks would cross",
         "less than half the width of 3 m"},
        {RIVER("4,4", "channel{ center={{0,0},{1,0}}, width=1 }"), 2, "unknown key 'center' in channel",
         "did you mean 'centre'?"},
        {RIVER("4,4", "annulus{}"), 2, "annulus needs radii: annulus{ radii = {1, 2} }", ""},
        {RIVER("4,4", "annulus{ radii={1,1} }"), 2, "river.grid.radii must be two different positive lengths",
         "1 and 1"},
        {RIVER("4,4", "annulus{ radii={-1,1} }"), 2, "river.grid.radii", "-1 and 1"},
        {RIVER("4,4", "annulus{ radii={1,2}, to=400 }"), 2, "from 0 to 400 degrees", "at most 360"},
        {RIVER("4,4", "annulus{ radii={1,2}, from=20, to=20 }"), 2, "from 20 to 20 degrees", "more than 0"},
        {RIVER("4,4", "venturi{ length=2 }"), 2, "venturi needs length and width", "throat = 0.5"},
        {RIVER("4,4", "venturi{ length=2, width=1, throat=1.5 }"), 2, "river.grid.throat", "at most 1, not 1.5"},
        {RIVER("4,4", "venturi{ length=2, width=1, neck=1.5 }"), 2, "a neck of 1.5 m leaves no room", "at most 1.2 m"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        refused(list[i].text, list[i].line, list[i].first, list[i].second);
}

/* The message tells where: the sharpest place of a hairpin lies at its middle point. */
static void names_the_bend_that_is_too_tight(void **state)
{
    (void)state;
    fr_scene *scene;
    assert_int_equal(load_with(RIVER("400,4", "channel{ centre={{0,0},{5,0.5},{0,1}}, width=0.6 }"), NULL, &scene),
                     FR_ERROR_INPUT);
    double s, x, y;
    const char *where = strstr(fr_error_message(), "at s = ");
    assert_non_null(where);
    assert_int_equal(sscanf(where, "at s = %lf, near (%lf, %lf) m", &s, &x, &y), 3);
    assert_near(s, 0.5, 0.05);
    assert_near(x, 5, 0.3);
    assert_near(y, 0.5, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_goes_through_its_points),
        cmocka_unit_test(s_goes_by_length),
        cmocka_unit_test(the_banks_keep_the_width),
        cmocka_unit_test(a_course_of_a_circle_is_round),
        cmocka_unit_test(a_straight_channel_is_straight),
        cmocka_unit_test(an_annulus_is_round),
        cmocka_unit_test(a_venturi_narrows_to_its_neck),
        cmocka_unit_test(refuses_what_has_no_course),
        cmocka_unit_test(names_the_bend_that_is_too_tight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
