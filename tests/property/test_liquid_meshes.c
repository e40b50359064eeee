/* The meshes of example scenes of liquids: closed, oriented, and with the ledger's volume, in every frame and for
   every tracker. */
#include "support/meshes.h"
#include "support/worlds.h"

/* Scenes in 3D, the grid on which they still splash, and how long until they have. */
typedef struct meshed {
    const char *scene;
    int res;
    const char *duration, *fps;
    int judged; /* the last frame whose volume is: where the columns of double-dam have met there are sheets and films
                   on walls thinner than these cells */
} meshed;

static const meshed scenes[] = {{"dam-wall", 24, "time.duration=1", "time.fps=8", 8},
                                {"double-dam", 24, "time.duration=0.75", "time.fps=8", 2},
                                {"drop", 24, "time.duration=0.25", "time.fps=24", 6}};

static const char *const trackers[] = {"level_set", "particle_level_set", "markers", "flip", "apic"};

/* The volume of the frame's mesh, without what lies in obstacles so that no gap shows. */
static double volume_of(fr_world *world, int tetrahedra)
{
    fr_surface_options options = fr_default_surface();
    options.tetrahedra = tetrahedra;
    options.overlap = 0;
    fr_mesh mesh;
    assert_ok(fr_surface_mesh(fr_world_frame(world), &options, &mesh));
    assert_closed(&mesh);
    double volume = extent_of(&mesh).volume;
    fr_mesh_destroy(&mesh);
    return volume;
}

static void run(const meshed *m, const char *tracker)
{
    char path[256], surface[64];
    snprintf(path, sizeof path, "%s/scenes/liquid/%s.lua", SOURCE_DIR, m->scene);
    snprintf(surface, sizeof surface, "liquid.surface=\"%s\"", tracker);
    const char *const set[] = {surface, m->duration, m->fps};
    const fr_scene_options options = {.set = set, .set_count = 3, .res = m->res};
    fr_scene *scene;
    fr_world *world;
    assert_ok(fr_scene_load(path, &options, &scene));
    assert_ok(fr_world_create(fr_scene_definition(scene), &world));
    double worst = 0;
    int frames = fr_world_frame_count(world), at = 0;
    for (int f = 0; f <= frames; f++) {
        if (f > 0)
            assert_ok(fr_world_step_frame(world));
        double ledger = worlds_ledger(world, "volume");
        double error = volume_of(world, 24) / ledger - 1;
        volume_of(world, (const int[3]){6, 48, 192}[f % 3]);
        if (f > m->judged)
            continue;
        at = fabs(error) > fabs(worst) ? f : at;
        worst = fabs(error) > fabs(worst) ? error : worst;
    }
    print_message("%s, %s: %d frames, volume of the mesh within %+.2f %% (frame %d)\n", m->scene, tracker, frames,
                  100 * worst, at);
    assert_below(fabs(worst), 0.03);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

static void test_scenes(void **state)
{
    const meshed *m = *state;
    for (size_t t = 0; t < sizeof trackers / sizeof trackers[0]; t++)
        run(m, trackers[t]);
}

int main(void)
{
    struct CMUnitTest tests[sizeof scenes / sizeof scenes[0]];
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        tests[i] =
            (struct CMUnitTest){.name = scenes[i].scene, .test_func = test_scenes, .initial_state = (void *)&scenes[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
