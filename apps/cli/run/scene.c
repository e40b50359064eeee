#include "run/scene.h"
#include "kit/say.h"

int run_scene_open(run_folder *folder, const char *dir, run_scene *scene)
{
    *scene = (run_scene){.scene = NULL};
    run_record record = {.res = 0};
    int status = run_folder_need(folder, dir, &record);
    if (status == OPTIONS_GO_ON) {
        const char *set[OPTIONS_MOST];
        for (int i = 0; i < record.set_count; i++)
            set[i] = record.set[i];
        run_path inputs = run_folder_path(folder, "inputs");
        fr_scene_options options = {.set = set,
                                    .set_count = record.set_count,
                                    .res = record.res,
                                    .base_dir = record.base_dir.data,
                                    .inputs = inputs.text};
        fr_result result = fr_scene_load(run_folder_path(folder, "scene.lua").text, &options, &scene->scene);
        if (result != FR_OK)
            status = say_failure(result);
    }
    if (status == OPTIONS_GO_ON) {
        text_add(&scene->name, "%s", record.name.data);
        scene->def = *fr_scene_definition(scene->scene);
        scene->def.name = scene->name.data;
    }
    run_record_free(&record);
    return status;
}

void run_scene_close(run_scene *scene)
{
    fr_scene_destroy(scene->scene);
    text_free(&scene->name);
    scene->scene = NULL;
}
