/* Parcels of a liquid on the grid: as many as its volume asks for, and none missing inside it, however it is drawn
   out. */
#include "support/worlds.h"

typedef struct scene {
    fr_scene_def def;
    fr_shape_def water;
    fr_fill_def fill;
} scene;

enum { CELLS = 48 };

/* A column breaks down in a closed box. */
static void make_dam(scene *s, fr_liquid_surface surface)
{
    *s = (scene){.def = fr_default_scene(FR_METHOD_LIQUID)};
    s->def.domain = (fr_domain_def){.dims = 2, .size = {1, 1}, .cells = {CELLS}};
    s->def.time = (fr_time_def){.duration = 10, .fps = 20};
    s->def.liquid.surface = surface;
    s->water = fr_default_shape(FR_SHAPE_BOX);
    s->water.max[0] = 0.4;
    s->water.max[1] = 0.6;
    s->water.min[2] = -1;
    s->water.max[2] = 1;
    s->fill.shape.shape = &s->water;
    s->def.fill = &s->fill;
    s->def.fill_count = 1;
}

typedef struct parcels_found {
    int cells, empty; /* more than a cell below the surface; those of them without a parcel */
} parcels_found;

static parcels_found look(const fr_frame *frame)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    parcels_found found = {0};
    static int held[CELLS][CELLS];
    memset(held, 0, sizeof held);
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *x = frame->particles.data + n * frame->particles.stride;
        held[(int)(x[1] * CELLS)][(int)(x[0] * CELLS)]++;
    }
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++)
            if (phi->data[i * phi->stride[0] + j * phi->stride[1]] < -1.0f / CELLS) {
                found.cells++;
                found.empty += held[j][i] == 0;
            }
    return found;
}

/* A cell that a step has emptied is filled at the beginning of the next: some are seen. */
static void test_no_holes(void **state)
{
    (void)state;
    const fr_liquid_surface trackers[] = {FR_LIQUID_FLIP, FR_LIQUID_APIC, FR_LIQUID_MARKERS};
    for (int t = 0; t < 3; t++) {
        scene s;
        make_dam(&s, trackers[t]);
        fr_world *world = worlds_create(&s.def);
        parcels_found all = {0};
        double off = 0;
        for (int frame = 0; frame < 60; frame++) {
            assert_ok(fr_world_step_frame(world));
            parcels_found now = look(fr_world_frame(world));
            all.cells += now.cells;
            all.empty += now.empty;
            double parcel = 1.0 / (CELLS * CELLS * 4), volume = worlds_ledger(world, "volume");
            off = fmax(off, fabs(parcel * worlds_ledger(world, "particles") / volume - 1));
        }
        print_message("%d: %d of %d cells inside without a parcel; parcels and volume differ by %.2f %%\n", trackers[t],
                      all.empty, all.cells, 100 * off);
        assert_true(all.empty < 0.001 * all.cells);
        assert_true(off < 0.01);
        fr_world_destroy(world);
    }
}

static uint64_t dam_hash(fr_liquid_surface surface, fr_liquid_loop loop)
{
    scene s;
    make_dam(&s, surface);
    s.def.liquid.loop = loop;
    return worlds_run_hash(&s.def, 1);
}

/* A scene that does not say what tracks the surface has parcels, unless it asks for what they do not do. */
static void test_default(void **state)
{
    (void)state;
    assert_int_equal(fr_default_scene(FR_METHOD_LIQUID).liquid.surface, FR_LIQUID_BY_SCENE);
    assert_true(dam_hash(FR_LIQUID_BY_SCENE, FR_LIQUID_ONCE) == dam_hash(FR_LIQUID_FLIP, FR_LIQUID_ONCE));
    assert_true(dam_hash(FR_LIQUID_BY_SCENE, FR_LIQUID_TWICE) == dam_hash(FR_LIQUID_LEVEL_SET, FR_LIQUID_TWICE));
    assert_true(dam_hash(FR_LIQUID_FLIP, FR_LIQUID_ONCE) != dam_hash(FR_LIQUID_LEVEL_SET, FR_LIQUID_ONCE));
}

/* φ of a frame at a cell, in cells. */
static double distance_at(const fr_field *phi, int i, int j)
{
    return CELLS * (double)phi->data[i * phi->stride[0] + j * phi->stride[1]];
}

/* The mean of ||∇φ| − 1| within two cells of the surface. */
static double distance_error(const fr_frame *frame)
{
    const fr_field *phi = fr_frame_field(frame, "level_set");
    double sum = 0;
    int count = 0;
    for (int j = 1; j < CELLS - 1; j++)
        for (int i = 1; i < CELLS - 1; i++) {
            double x = distance_at(phi, i + 1, j) - distance_at(phi, i - 1, j);
            double y = distance_at(phi, i, j + 1) - distance_at(phi, i, j - 1);
            if (fabs(distance_at(phi, i, j)) < 2) {
                sum += fabs(hypot(x, y) / 2 - 1);
                count++;
            }
        }
    return sum / count;
}

/* Frames hold a distance, as users of level_set expect: in long steps too. */
static void test_distance(void **state)
{
    (void)state;
    const fr_liquid_surface surfaces[] = {FR_LIQUID_FLIP, FR_LIQUID_APIC, FR_LIQUID_MARKERS};
    for (int t = 0; t < 3; t++) {
        scene s;
        make_dam(&s, surfaces[t]);
        s.def.time.cfl = 4;
        fr_world *world = worlds_create(&s.def);
        double worst = 0;
        for (int frame = 0; frame < 8; frame++) {
            assert_ok(fr_world_step_frame(world));
            worst = fmax(worst, distance_error(fr_world_frame(world)));
        }
        print_message("tracker %d: |∇φ| is off by %.4f on average at worst\n", (int)surfaces[t], worst);
        assert_below(worst, 0.02);
        fr_world_destroy(world);
    }
}

/* A drop of few parcels, less than a cell wide, falls like a stone all the way to the pool below it. Where φ loses it,
   it must not hang in the air. */
static void check_drop(fr_liquid_surface surface, double radius)
{
    enum { ABOVE = 24 };
    scene s;
    make_dam(&s, surface);
    s.def.domain.cells[0] = ABOVE;
    s.water.max[0] = 1;
    s.water.max[1] = 0.1;
    fr_shape_def drop = fr_default_shape(FR_SHAPE_SPHERE);
    drop.radius = radius;
    fr_fill_def fills[] = {s.fill, {.shape = {.shape = &drop, .at = {0.8, 0.9}}}};
    s.def.fill = fills;
    s.def.fill_count = 2;
    fr_world *world = worlds_create(&s.def);
    int flown = 0;
    for (int f = 1; f <= 7; f++) {
        assert_ok(fr_world_step_frame(world));
        const fr_frame *frame = fr_world_frame(world);
        for (int64_t n = 0; n < frame->particle_count; n++) {
            const float *x = frame->particles.data + n * frame->particles.stride,
                        *v = frame->particle_velocity.data + n * frame->particle_velocity.stride;
            if (x[1] < 0.1f + 3.0f / ABOVE)
                continue;
            assert_near(v[1], -9.81 * f / 20, 0.02 * 9.81 * f / 20);
            flown++;
        }
    }
    assert_true(flown >= 7);
    fr_world_destroy(world);
}

static void test_spray(void **state)
{
    (void)state;
    const fr_liquid_surface trackers[] = {FR_LIQUID_FLIP, FR_LIQUID_APIC, FR_LIQUID_MARKERS};
    for (int t = 0; t < 3; t++) {
        check_drop(trackers[t], 0.026);
        check_drop(trackers[t], 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_holes), cmocka_unit_test(test_default),
                                       cmocka_unit_test(test_distance), cmocka_unit_test(test_spray)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
