/* The registry of fields is complete and agrees with the frames of every method. */
#define _POSIX_C_SOURCE 200809L
#include "unit/scene/load_text.h"

#include <freshet/freshet.h>

#include "base/colour_maps.h"
#include "support/check.h"

#define MELTS "heat={latent=3, melt={from=1, to=2, solid=5, liquid=1}}"
#define LITTLE "time={duration=0.02, fps=50}, look={width=320, height=240}"
#define BEND "grid=function(s, t, r) return (1 + t) * math.cos(s), (1 + t) * math.sin(s), (r or 0) end, " \
             "sides={s0=inflow{speed=1, temperature=3}, s1=outflow{}}, " \
             "inks={blue={initial=1}, temperature={}}, particles=20, "

static const struct tiny {
    const char *text;
    uint32_t can;
} tiny[] = {
    {"return { method='smoke', domain={size={1,1}, cells=8}, " LITTLE ", scalars={ink={initial=1}},"
     " particles={tracers{count=9}}, initial={velocity=function(x, y) return y, x end},"
     " obstacles={obstacle{shape=circle{radius=0.2}, at={0.5,0.5}}} }",
     FR_FRAME_SMOKE | FR_FRAME_CARRIED_PARTICLES},
    {"return { method='smoke', domain={size={1,1,1}, cells=6}, " LITTLE ", scalars={ink={initial=1, refine=2}},"
     " sources={source{shape=sphere{radius=0.3}, at={0.5,0.5,0.5}, density=1, velocity={0,1,0}}} }",
     FR_FRAME_SMOKE},
    {"return { method='sph', domain={size={1,1}}, " LITTLE ", " MELTS ", sph={spacing=0.1},"
     " fill={box{min={0,0}, max={0.5,0.5}}},"
     " obstacles={obstacle{shape=circle{radius=0.1}, at={0.8,0.2}}} }",
     FR_FRAME_LIQUID},
    {"return { method='sph', domain={size={1,1,1}}, " LITTLE ", " MELTS ", sph={spacing=0.2},"
     " fill={box{min={0,0,0}, max={0.5,0.5,0.5}}} }",
     FR_FRAME_LIQUID},
    {"return { method='liquid', domain={size={1,1}, cells=8}, " LITTLE ", " MELTS ","
     " fill={box{min={0,0}, max={0.5,0.5}}}, liquid={surface='level_set'}, particles={tracers{count=9}},"
     " obstacles={obstacle{shape=circle{radius=0.2}, at={0.7,0.5}}} }",
     FR_FRAME_SURFACE | FR_FRAME_CARRIED_PARTICLES},
    {"return { method='liquid', domain={size={1,1,1}, cells=6}, " LITTLE ", " MELTS ", liquid={surface='flip'},"
     " fill={box{min={0,0,0}, max={0.5,0.5,0.5}}} }",
     FR_FRAME_SURFACE | FR_FRAME_LIQUID},
    {"return { method='river', " LITTLE ", river={ cells={8,6}, " BEND "bed=function(x, y) return x end,"
     " obstacles={cells{from={3,2}, to={4,3}}} } }",
     FR_FRAME_BENT | FR_FRAME_RELATIVE_PRESSURE | FR_FRAME_CARRIED_PARTICLES},
    {"return { method='river', " LITTLE ", river={ cells={8,5,4}, " BEND "} }",
     FR_FRAME_BENT | FR_FRAME_RELATIVE_PRESSURE | FR_FRAME_CARRIED_PARTICLES},
};
enum { TINY = sizeof tiny / sizeof tiny[0] };

static bool lies_on_grids(const fr_field_info *info)
{
    return info->unit && !info->derived;
}

static void check_look(const fr_field_info *info, const fr_field_look *look)
{
    if (look->colormap)
        assert_non_null(colour_map_named(look->colormap));
    else
        assert_false(lies_on_grids(info));
}

static void test_rows_are_complete(void **state)
{
    (void)state;
    const fr_field_info *fields;
    int count = fr_fields(&fields);
    for (int i = 0; i < count; i++) {
        const fr_field_info *info = &fields[i];
        assert_ptr_equal(fr_field_describe(info->name), info);   /* and so no name stands twice */
        size_t length = strlen(info->meaning);
        assert_true(length > 10 && info->meaning[length - 1] == '.');
        assert_true(info->derived || info->unit || info->particle_unit);
        assert_int_equal(!info->unit, !info->bent_unit);
        assert_int_equal(fr_field_on_grid(info->name) == info, lies_on_grids(info));
        check_look(info, &info->in_2d);
        check_look(info, &info->in_3d);
    }
}

static void test_what_is_no_row_is_a_scalar(void **state)
{
    (void)state;
    assert_null(fr_field_describe("ink"));
    const fr_field_info *ink = fr_field_on_grid("ink");
    assert_null(ink->name);
    assert_string_equal(ink->unit, "1");
    assert_ptr_equal(fr_field_on_grid("liquid"), ink);
    static const char *const taken[] = {"u", "pressure", "solid", "bed", "speed", "velocity", "dyes", "grid", "volume"};
    static const char *const spare[] = {"ink", "density", "temperature", "liquid", "age"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        assert_false(fr_field_may_be_scalar(taken[i]));
    for (size_t i = 0; i < sizeof spare / sizeof *spare; i++)
        assert_true(fr_field_may_be_scalar(spare[i]));
}

static void check_names(const char *const *names)
{
    assert_non_null(names);
    for (; *names; names++)
        if (!fr_field_describe(*names))
            fail_msg("'%s' has no row in the registry of fields", *names);
}

static void test_methods_name_known_fields(void **state)
{
    (void)state;
    const fr_method_info *info;
    for (int method = 0; (info = fr_method_describe((fr_method)method)); method++) {
        check_names(info->probes);
        check_names(info->views);
        check_names(info->scalars);
    }
}

/* The page on scenes names every field that a picture can show, and every colour map. */
static void test_the_page_names_them_all(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    char *page = calloc(MOST, 1), quoted[80];
    FILE *file = fopen(SOURCE_DIR "/docs/scene.md", "rb");
    assert_non_null(file);
    assert_in_range(fread(page, 1, MOST - 1, file), 10000, MOST - 2);
    fclose(file);
    const fr_method_info *info;
    for (int method = 0; (info = fr_method_describe((fr_method)method)); method++)
        for (const char *const *field = info->views; *field; field++) {
            snprintf(quoted, sizeof quoted, "`\"%s\"`", *field);
            if (!strstr(page, quoted))
                fail_msg("docs/scene.md does not say %s", quoted);
        }
    for (const colour_map *map = colour_maps; map->name; map++) {
        snprintf(quoted, sizeof quoted, "`\"%s\"`", map->name);
        assert_true(!map->offered || strstr(page, quoted));
    }
    free(page);
}

static void check_frame(const fr_frame *frame, uint32_t can)
{
    bool bent = frame->can & FR_FRAME_BENT;
    assert_int_equal(frame->can, can);
    assert_int_equal(bent, frame->nodes.data != NULL);
    assert_int_equal(frame->can & FR_FRAME_LIQUID ? 1 : 0, frame->particle_spacing > 0);
    assert_int_equal(frame->can & (FR_FRAME_LIQUID | FR_FRAME_CARRIED_PARTICLES) ? 1 : 0, frame->has_particles);
    for (int i = 0; i < frame->field_count; i++) {
        const fr_field *field = &frame->fields[i];
        const fr_field_info *info = fr_field_on_grid(field->name);
        assert_int_equal(info->name != NULL, strcmp(field->name, "ink") != 0 && strcmp(field->name, "blue") != 0);
        assert_string_equal(field->unit, bent ? info->bent_unit : info->unit);
        assert_int_equal(field->location, bent ? FR_AT_CELL : info->location);
        assert_true(frame->dims == 3 || !info->only_3d);
    }
    for (int i = 0; i < frame->attribute_count; i++)
        assert_string_equal(frame->attributes[i].unit, fr_field_describe(frame->attributes[i].name)->particle_unit);
}

/* What the cache does not hold follows from what it does. */
static void check_cached(const fr_frame *frame, uint32_t can)
{
    char path[64];
    fr_cached_frame *cached;
    snprintf(path, sizeof path, "/tmp/freshet_fields_%ld.h5", (long)getpid());
    assert_ok(fr_cache_write(path, frame));
    assert_ok(fr_cache_read(path, &cached));
    check_frame(fr_cached_frame_view(cached), can);
    fr_cached_frame_destroy(cached);
    remove(path);
}

static void check_view(const fr_frame *frame, const fr_scene_def *def, const char *field)
{
    const fr_view_def view = {.field = field, .slice_axis = 2, .slice_at = 0.5};
    fr_image image;
    fr_range range = {0, 0};
    assert_ok(fr_view_range(frame, &view, &range));
    if (fr_render_view(frame, def, &view, &range, &image) != FR_OK)
        fail_msg("the view '%s': %s", field, fr_error_message());
    fr_image_free(&image);
}

static void check_shown(fr_world *world, const fr_scene_def *def)
{
    const fr_frame *frame = fr_world_frame(world);
    const fr_method_info *method = fr_method_describe(def->method);
    for (const char *const *field = method->views; *field; field++)
        if (frame->dims == 3 || !fr_field_describe(*field)->only_3d)
            check_view(frame, def, *field);
    for (const char *const *scalar = method->scalars; *scalar; scalar++)
        check_view(frame, def, *scalar);
    double at[3] = {0.4, 0.4, 0.4}, bend[3] = {1.5 * cos(0.5), 1.5 * sin(0.5), 0.5}, value;
    for (const char *const *field = method->probes; *field; field++)
        if (frame->dims == 3 || !fr_field_describe(*field)->only_3d)
            assert_ok(fr_world_probe(world, *field, frame->can & FR_FRAME_BENT ? bend : at, &value));
}

static void test_frames_are_as_described(void **state)
{
    (void)state;
    for (int i = 0; i < TINY; i++) {
        fr_scene *scene = load(tiny[i].text);
        fr_world *world;
        const fr_scene_def *def = fr_scene_definition(scene);
        assert_ok(fr_world_create(def, &world));
        assert_ok(fr_world_step_frame(world));
        check_frame(fr_world_frame(world), tiny[i].can);
        check_cached(fr_world_frame(world), tiny[i].can);
        check_shown(world, def);
        fr_world_destroy(world);
        fr_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_complete),
        cmocka_unit_test(test_what_is_no_row_is_a_scalar),
        cmocka_unit_test(test_methods_name_known_fields),
        cmocka_unit_test(test_the_page_names_them_all),
        cmocka_unit_test(test_frames_are_as_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
