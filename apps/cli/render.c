/* freshet render: pictures and films from a run's cache, any time after the run. */
#include "kit/interrupt.h"
#include "kit/pictures.h"
#include "run/scene.h"
#include "kit/say.h"

#include <limits.h>
#include <string.h>

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
        {"view", 0, OPTION_LIST, &o->views, "field",
         "show this field, or field-surface, instead of the scene's views; may be repeated"},
        {"threads", 0, OPTION_NUMBER, &o->threads, "N", "threads that work (all cores)"},
        {"no-video", 0, OPTION_FLAG, &o->no_video, NULL, "pictures only"},
    };
    const options_def def = {
        .command = "render",
        .words = "DIR",
        .least = 1,
        .most = 1,
        .summary =
            "Makes DIR/images/<view>_<frame>.png and a film from the cache of a run, finished or not. All frames "
            "share\n"
            "one colour range. Damaged and missing frames are named and skipped. The film of a part of the frames\n"
            "is DIR/<name>-A-B.mp4.",
        .options = table,
        .option_count = sizeof table / sizeof table[0]};
    return options_parse(&def, argc, argv, words);
}

static void render_once_each(option_list *views)
{
    int kept = 0;
    for (int i = 0; i < views->count; i++) {
        bool known = false;
        for (int k = 0; k < kept; k++)
            known = known || !strcmp(views->items[k], views->items[i]);
        if (!known)
            views->items[kept++] = views->items[i];
    }
    views->count = kept;
}

int command_render(int argc, char **argv)
{
    render_options options = {.frames = {0, INT_MAX}};
    option_list words;
    int status = render_parse(argc, argv, &options, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    render_once_each(&options.views);
    if (options.views.count > PICTURES_VIEWS) {
        say_error("at most %d views at once", PICTURES_VIEWS);
        return CLI_USAGE;
    }
    fr_set_threads(options.threads);
    run_folder folder = {.locked = false};
    run_scene scene;
    status = run_scene_open(&folder, words.items[0], &scene);
    if (status == OPTIONS_GO_ON && run_folder_guard(&folder) != FR_OK)
        status = say_failure(FR_ERROR_INPUT);
    if (status == OPTIONS_GO_ON) {
        interrupt_watch();
        pictures_check(&scene.def);
        pictures pictures = {.folder = &folder, .def = &scene.def, .fields = &options.views,
                             .frames = options.frames, .film = !options.no_video};
        status = pictures_from_cache(&pictures);
    }
    run_scene_close(&scene);
    run_folder_close(&folder);
    return status;
}
