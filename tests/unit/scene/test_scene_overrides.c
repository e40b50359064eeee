/* Overrides (--set, --res), folders of meshes, and errors that are located in the scene after loading. */
#define _POSIX_C_SOURCE 200809L
#include "load_text.h"

static const char *const text =
    "return { " HEAD ", time={duration=1}, scalars={ink={}},\n"
    "sources={source{shape=circle{radius=.1}, at={.5,.5}, density=1},\nsource{shape=circle{radius=.2}, ink=1}} }";

static fr_result load_set(const char *set, fr_scene **scene)
{
    const char *const list[] = {set};
    fr_scene_options options = {.set = list, .set_count = 1};
    return load_with(text, &options, scene);
}

static void sets_values(void **state)
{
    (void)state;
    const char *const list[] = {"time.duration=2.5",        "time.fps = 12",     "sources[1].density=7",
                                "sources.2.rate=3",         "output.npy=true",   "name=bare words",
                                "smoke.advection='linear'", "domain.size={2,3}", "sources[1].shape.radius=0.25",
                                "walls.all=\"no_slip\"",    "time.duration=3"};
    fr_scene_options options = {.set = list, .set_count = sizeof list / sizeof *list, .res = 24};
    fr_scene *scene;
    if (load_with(text, &options, &scene) != FR_OK)
        fail_msg("%s", fr_error_message());
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_float_equal(def->time.duration, 3, 0);
    assert_float_equal(def->time.fps, 12, 0);
    assert_float_equal(def->sources[0].scalars[0].value.value, 7, 0);
    assert_float_equal(def->sources[0].shape.shape->radius, 0.25, 0);
    assert_float_equal(def->sources[1].rate, 3, 0);
    assert_true(def->output.npy);
    assert_string_equal(def->name, "bare words");
    assert_int_equal(def->smoke.advection, FR_ADVECTION_LINEAR);
    assert_float_equal(def->domain.size[1], 3, 0);
    assert_int_equal(def->domain.cells[0], 24);
    assert_int_equal(def->domain.cells[1], 0);
    assert_int_equal(def->walls[FR_TOP].kind, FR_WALL_NO_SLIP);
    fr_scene_destroy(scene);
}

static void names_a_bad_one(void **state)
{
    (void)state;
    static const struct {
        const char *set, *part;
    } bad[] = {
        {"time.duration=abc", "must be a number"},
        {"fluid.viscositi=1", "did you mean 'viscosity'?"},
        {"time.fps=-1", "time.fps"},
        {"time", "key=value"},
        {"=3", "key=value"},
        {"time..fps=1", "not well formed"},
        {"sources[9].rate=1", "no such entry"},
        {"sources[x].rate=1", "not well formed"},
        {"time.duration.x=1", "not a table"},
        {"sources[3]=1", "no such entry"},
        {"time.duration=nan", "must be a number"},
        {"time.duration=1e999", "finite"},
        {"time.duration=", "must be a number"},
        {"heat.latent=3", "smoke does not melt"},
        {"method=smok", "'smoke'"},
        {"sources[1]=3", "source{…}"},
        {".a=1", "not well formed"},
        {"domain.cells=-3", "-3"},
        {"domain.cells={8,8,8}", "list of 2"},
        {"a b=1", "not well formed"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fr_scene *scene;
        char start[128];
        snprintf(start, sizeof start, "--set %s: ", bad[i].set);
        if (load_set(bad[i].set, &scene) == FR_OK)
            fail_msg("%s is accepted", bad[i].set);
        if (strncmp(fr_error_message(), start, strlen(start)) || !strstr(fr_error_message(), bad[i].part))
            fail_msg("'%s' lacks '%s' or '%s'", fr_error_message(), start, bad[i].part);
    }
    fr_scene *scene;
    fr_scene_options options = {.res = -4};
    assert_int_equal(load_with(text, &options, &scene), FR_ERROR_INPUT);
    assert_int_equal(strncmp(fr_error_message(), "--res -4: ", 10), 0);
}

static void locates_later_failures(void **state)
{
    (void)state;
    fr_scene *scene = load(text);
    char start[128];
    snprintf(start, sizeof start, "%s:3: too small", scene_path());
    assert_int_equal(fr_scene_locate(scene, fr_fail_key("sources[2].shape", "too small")), FR_ERROR_INPUT);
    assert_string_equal(fr_error_message(), start);
    assert_int_equal(fr_scene_locate(scene, FR_ERROR_INPUT), FR_ERROR_INPUT);
    assert_string_equal(fr_error_message(), start);
    fr_scene_locate(scene, fr_fail(FR_ERROR_FILE, "no key"));
    assert_string_equal(fr_error_message(), "no key");
    snprintf(start, sizeof start, "%s:1: x", scene_path());
    fr_scene_locate(scene, fr_fail_key("nowhere.at.all[3]", "x"));
    assert_string_equal(fr_error_message(), start);
    fr_scene_destroy(scene);
}

static void finds_meshes_beside_the_scene(void **state)
{
    (void)state;
    static const char *const with_mesh =
        "return { " HEAD_3D ", obstacles={obstacle{shape=mesh{file='CMakeLists.txt'}}} }";
    fr_scene *scene;
    assert_int_equal(load_with(with_mesh, NULL, &scene), FR_ERROR_INPUT);
    assert_non_null(strstr(fr_error_message(), "/tmp/CMakeLists.txt"));
    fr_scene_options options = {.base_dir = SOURCE_DIR};
    assert_int_equal(load_with(with_mesh, &options, &scene), FR_OK);
    assert_string_equal(fr_scene_definition(scene)->obstacles[0].shape.shape->file, SOURCE_DIR "/CMakeLists.txt");
    fr_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_values),
        cmocka_unit_test(names_a_bad_one),
        cmocka_unit_test(locates_later_failures),
        cmocka_unit_test(finds_meshes_beside_the_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
