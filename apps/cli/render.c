/* freshet render: pictures and films from a run's cache, any time after the run. */
#include "interrupt.h"
#include "pictures.h"
#include "run_scene.h"
#include "say.h"

#include <limits.h>

typedef struct render_options {
    option_range frames;
    option_list views;
    int threads;
    bool no_video;
} render_options;

static int render_parse(int argc, char **argv, render_options *o, option_list *words)
{
    const option_def table[] = {
        {"frames", 0, OPTION_RANGE, &o->frames, "A:B", "only frames A to B"},
        {"view", 0, OPTION_LIST, &o->views, "field", "show this field instead of the scene's views; may be repeated"},
        {"threads", 0, OPTION_NUMBER, &o->threads, "N", "threads that work (all cores)"},
        {"no-video", 0, OPTION_FLAG, &o->no_video, NULL, "pictures only"},
    };
    const options_def def = {.command = "render", .words = "DIR", .least = 1, .most = 1,
        .summary = "Makes DIR/images/<view>_<frame>.png and a film from the cache of a run, finished or not. All frames share\n"
                   "one colour range. Damaged frames are named and passed over.",
        .options = table, .option_count = sizeof table / sizeof table[0]};
    return options_parse(&def, argc, argv, words);
}

int command_render(int argc, char **argv)
{
    render_options options = {.frames = {0, INT_MAX}};
    option_list words;
    int status = render_parse(argc, argv, &options, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    if (options.views.count > PICTURES_VIEWS) {
        say_error("at most %d views at once", PICTURES_VIEWS);
        return CLI_USAGE;
    }
    fr_set_threads(options.threads);
    run_folder folder;
    fr_scene *scene = NULL;
    status = run_scene_open(&folder, words.items[0], &scene);
    if (status == OPTIONS_GO_ON) {
        interrupt_watch();
        pictures_check(fr_scene_definition(scene));
        pictures pictures = {.folder = &folder, .def = fr_scene_definition(scene), .fields = &options.views,
                             .frames = options.frames, .film = !options.no_video};
        status = pictures_from_cache(&pictures);
    }
    fr_scene_destroy(scene);
    return status;
}
