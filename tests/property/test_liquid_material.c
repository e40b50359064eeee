/* What sticks to a liquid: its colour and its texture coordinates, in fields and on meshes. */
#include "support/pools.h"

enum { CELLS = 32 };

typedef struct material {
    fr_scene_def def;
    fr_shape_def shapes[2], port;
    fr_fill_def fill[2];
    fr_scalar_value colour[2][3];
    fr_source_def source;
} material;

static void give_colour(fr_scalar_value values[3], double red, double green, double blue)
{
    values[0] = (fr_scalar_value){.name = FR_COLOUR_RED, .value.value = red};
    values[1] = (fr_scalar_value){.name = FR_COLOUR_GREEN, .value.value = green};
    values[2] = (fr_scalar_value){.name = FR_COLOUR_BLUE, .value.value = blue};
}

/* Two boxes upon one another in a box of 1 m × 1 m, of two colours. */
static void make(material *m, fr_liquid_surface surface, int cells)
{
    *m = (material){.def = fr_default_scene(FR_METHOD_LIQUID)};
    m->def.domain = (fr_domain_def){.dims = 2, .size = {1, 1}, .cells = {cells}};
    m->def.time = (fr_time_def){.duration = 10, .fps = 10};
    m->def.liquid.surface = surface;
    give_colour(m->colour[0], 0.1, 0.25, 0.9);
    give_colour(m->colour[1], 0.9, 0.35, 0.1);
    for (int i = 0; i < 2; i++) {
        m->shapes[i] = pools_box((double[3]){0, 0.3 * i, -1}, (double[3]){0.4, 0.3 * (i + 1), 1});
        m->fill[i] = (fr_fill_def){.shape.shape = &m->shapes[i], .scalars = m->colour[i], .scalar_count = 3};
    }
    m->def.fill = m->fill;
    m->def.fill_count = 2;
}

static void run(fr_world *world, int frames)
{
    for (int i = 0; i < frames; i++)
        assert_ok(fr_world_step_frame(world));
}

typedef struct extremes {
    double least, most;
} extremes;

/* Of a field in the liquid's cells. */
static extremes extremes_of(fr_world *world, const char *name, int cells)
{
    const fr_frame *frame = fr_world_frame(world);
    extremes e = {INFINITY, -INFINITY};
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++)
            if (worlds_value(frame, "level_set", i, j, 0) < 0) {
                e.least = fmin(e.least, worlds_value(frame, name, i, j, 0));
                e.most = fmax(e.most, worlds_value(frame, name, i, j, 0));
            }
    return e;
}

/* Colours of two liquids mix, and nothing else comes about; one colour stays what it is. */
static void test_colours_stay_between(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        material m;
        make(&m, pools_trackers[t].surface, CELLS);
        fr_world *world = worlds_create(&m.def);
        run(world, 6);
        extremes red = extremes_of(world, FR_COLOUR_RED, CELLS), green = extremes_of(world, FR_COLOUR_GREEN, CELLS);
        print_message("%s: red %g to %g, green %g to %g\n", pools_trackers[t].name, red.least, red.most, green.least,
                      green.most);
        assert_true(red.least >= 0.1 - 1e-6 && red.most <= 0.9 + 1e-6);
        assert_true(green.least >= 0.25 - 1e-6 && green.most <= 0.35 + 1e-6);
        fr_world_destroy(world);

        make(&m, pools_trackers[t].surface, CELLS);
        m.fill[1].scalars = m.colour[0];
        world = worlds_create(&m.def);
        run(world, 6);
        red = extremes_of(world, FR_COLOUR_RED, CELLS);
        assert_near(red.least, 0.1, 1e-6);
        assert_near(red.most, 0.1, 1e-6);
        fr_world_destroy(world);
    }
}

/* A blob that falls takes its coordinates along: they are those of the start, all over it. */
static void test_free_fall(void **state)
{
    (void)state;
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        pool p;
        pools_make(&p, pools_trackers[t].surface, 2, (double[3]){1, 2, 0}, 2 * CELLS);
        p.liquid = fr_default_shape(FR_SHAPE_SPHERE);
        p.liquid.radius = 0.2;
        p.fill.shape.at[0] = 0.5;
        p.fill.shape.at[1] = 1.6;
        p.def.liquid.texture = true;
        p.def.time = (fr_time_def){.duration = 0.4, .fps = 10};
        fr_world *world = worlds_create(&p.def);
        run(world, 4);
        const fr_frame *frame = fr_world_frame(world);
        double h = frame->spacing[0], fall = 0.5 * 9.81 * 0.4 * 0.4, worst[2] = {0, 0};
        for (int j = 0; j < frame->cells[1]; j++)
            for (int i = 0; i < frame->cells[0]; i++) {
                if (worlds_value(frame, "level_set", i, j, 0) >= 0)
                    continue;
                double x = worlds_value(frame, "texture_x", i, j, 0), y = worlds_value(frame, "texture_y", i, j, 0);
                worst[0] = fmax(worst[0], fabs(x - (i + 0.5) * h) / h);
                worst[1] = fmax(worst[1], fabs(y - (j + 0.5) * h - fall) / h);
            }
        print_message("%s: fell %.1f cells, coordinates to %.2g and %.2g cells\n", pools_trackers[t].name, fall / h,
                      worst[0], worst[1]);
        assert_true(worst[0] < 1e-4 && worst[1] < 1e-4);
        fr_world_destroy(world);
    }
}

/* How wide the seam of the two colours is, in cells, from a tenth to nine tenths of the way: the mean of the columns of
   cells that have both. */
static double seam_width(const fr_frame *frame)
{
    double sum = 0;
    int columns = 0;
    for (int i = 0; i < frame->cells[0]; i++) {
        int kinds[3] = {0, 0, 0};
        for (int j = 0; j < frame->cells[1]; j++) {
            double share = (worlds_value(frame, FR_COLOUR_RED, i, j, 0) - 0.1) / 0.8;
            if (worlds_value(frame, "level_set", i, j, 0) < 0)
                kinds[share < 0.1 ? 0 : share <= 0.9 ? 1 : 2]++;
        }
        sum += kinds[0] && kinds[2] ? kinds[1] : 0;
        columns += kinds[0] && kinds[2];
    }
    return sum / columns;
}

/* In a dam that breaks the seam becomes some cells wide, whatever their size. */
static void test_seam(void **state)
{
    (void)state;
    for (int cells = 32; cells <= 128; cells *= 2) {
        material m;
        make(&m, FR_LIQUID_FLIP, cells);
        fr_world *world = worlds_create(&m.def);
        double width[3] = {seam_width(fr_world_frame(world)), 0, 0};
        run(world, 2);
        width[1] = seam_width(fr_world_frame(world));
        run(world, 3);
        width[2] = seam_width(fr_world_frame(world));
        print_message("%d cells: the seam is %.1f cells wide at the start, %.1f after 0.2 s, %.1f after 0.5 s\n", cells,
                      width[0], width[1], width[2]);
        assert_true(width[0] <= 1 && width[1] <= 5 && width[2] <= 6);
        fr_world_destroy(world);
    }
}

/* What a tap and a late blob bring: the colour that they are given or that of the look, and their own places. */
static void test_sources(void **state)
{
    (void)state;
    material m;
    make(&m, FR_LIQUID_LEVEL_SET, CELLS);
    m.def.liquid.texture = true;
    m.def.look.liquid_colour[0] = m.def.look.liquid_colour[1] = m.def.look.liquid_colour[2] = 0.5;
    m.port = pools_box((double[3]){0.6, 0.7, -1}, (double[3]){0.7, 0.8, 1});
    m.source = (fr_source_def){.shape.shape = &m.port, .sets_velocity = true, .velocity.value = {0, -1, 0}};
    m.def.sources = &m.source;
    m.def.source_count = 1;
    m.shapes[1] = pools_box((double[3]){0.8, 0.3, -1}, (double[3]){0.95, 0.5, 1});
    m.fill[1].from = 0.05;
    fr_world *world = worlds_create(&m.def);
    run(world, 1);
    const fr_frame *frame = fr_world_frame(world);
    int tap[2] = {(int)(0.65 * CELLS), (int)(0.75 * CELLS)}, blob[2] = {(int)(0.87 * CELLS), (int)(0.4 * CELLS)};
    assert_near(worlds_value(frame, FR_COLOUR_RED, tap[0], tap[1], 0), 0.5, 1e-3);
    assert_near(worlds_value(frame, "texture_x", tap[0], tap[1], 0), (tap[0] + 0.5) / CELLS, 1e-3);
    assert_near(worlds_value(frame, FR_COLOUR_RED, blob[0], blob[1], 0), 0.9, 1e-3);
    assert_near(worlds_value(frame, "texture_x", blob[0], blob[1], 0), (blob[0] + 0.5) / CELLS, 2e-3);
    fr_world_destroy(world);
}

/* A mesh has both, at its vertices, as far as the liquid carries them. */
static void test_mesh(void **state)
{
    (void)state;
    pool p;
    fr_mesh mesh;
    fr_scalar_value colour[3];
    pools_make(&p, FR_LIQUID_LEVEL_SET, 3, (double[3]){1, 1, 1}, 16);
    p.liquid = fr_default_shape(FR_SHAPE_SPHERE);
    p.liquid.radius = 0.3;
    for (int a = 0; a < 3; a++)
        p.fill.shape.at[a] = 0.5;
    fr_world *world = worlds_create(&p.def);
    assert_ok(fr_surface_mesh(fr_world_frame(world), NULL, &mesh));
    assert_true(mesh.vertex_count > 0 && !mesh.colours && !mesh.texture);
    fr_mesh_destroy(&mesh);
    fr_world_destroy(world);

    give_colour(colour, 1, 0.2, 0);
    p.fill.scalars = colour;
    p.fill.scalar_count = 3;
    p.def.liquid.texture = true;
    world = worlds_create(&p.def);
    assert_ok(fr_surface_mesh(fr_world_frame(world), NULL, &mesh));
    assert_true(mesh.colours && mesh.texture);
    for (int64_t v = 0; v < mesh.vertex_count; v++) {
        assert_true(mesh.colours[v][0] == 255 && mesh.colours[v][1] == 51 && mesh.colours[v][2] == 0);
        for (int a = 0; a < 3; a++)
            assert_near(mesh.texture[v][a], mesh.vertices[v][a], 0.7 / 16);
    }
    fr_mesh_destroy(&mesh);
    fr_world_destroy(world);
}

/* The same bits on any threads, and after a resume. */
static void test_same_bits(void **state)
{
    (void)state;
    material m;
    make(&m, FR_LIQUID_FLIP, CELLS);
    m.def.liquid.texture = true;
    assert_true(worlds_run_hash(&m.def, 1) == worlds_run_hash(&m.def, 3));
    for (int t = 0; t < POOLS_TRACKERS; t++) {
        m.def.liquid.surface = pools_trackers[t].surface;
        worlds_check_resume(&m.def, 7, "total_texture_x", pools_trackers[t].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_colours_stay_between),
                                       cmocka_unit_test(test_free_fall),
                                       cmocka_unit_test(test_seam),
                                       cmocka_unit_test(test_sources),
                                       cmocka_unit_test(test_mesh),
                                       cmocka_unit_test(test_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
