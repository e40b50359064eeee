/* Decides whether and how a run may use its folder. Runs under the lock, so that nobody changes the folder
   afterwards. */
#include "run/run.h"
#include "run/resume.h"
#include "kit/say.h"

#include <stdlib.h>
#include <string.h>

/* Whether only override lines follow. There may be several blocks: running a run's own scene.lua appends another. */
static bool judge_is_overrides(const char *lines)
{
    static const char one[] = "--   --", heading[] = RUN_OVERRIDES;
    while (*lines == '\n' || !strncmp(lines, one, sizeof one - 1) || !strncmp(lines, heading, sizeof heading - 1)) {
        lines += strcspn(lines, "\n");
        lines += *lines == '\n';
    }
    return *lines == 0;
}

/* The length of a scene's text without the overrides that runs have appended. A heading inside the scene itself, with
   other text after it, does not count. */
static size_t judge_text_length(const char *scene)
{
    static const char heading[] = "\n" RUN_OVERRIDES;
    const char *mark = strstr(scene, heading);
    while (mark && !judge_is_overrides(mark + sizeof heading - 1))
        mark = strstr(mark + 1, heading);
    size_t length = mark ? (size_t)(mark - scene) : strlen(scene);
    while (length > 0 && scene[length - 1] == '\n')
        length--;
    return length;
}

static int judge_next_override(char *const *set, int count, int from)
{
    while (from < count && run_resume_is_harmless(set[from]))
        from++;
    return from;
}

/* Ignores overrides that do not affect the flow. */
static bool judge_same_overrides(const run_record *a, const run_record *b)
{
    int i = 0, k = 0;
    for (;; i++, k++) {
        i = judge_next_override(a->set, a->set_count, i);
        k = judge_next_override(b->set, b->set_count, k);
        if (i == a->set_count || k == b->set_count)
            return i == a->set_count && k == b->set_count && a->res == b->res;
        if (strcmp(a->set[i], b->set[k]))
            return false;
    }
}

static bool judge_same_scene(const run *run)
{
    text there = {0};
    if (text_read_file(run_folder_path(&run->folder, "scene.lua").text, 64 << 20, &there) != FR_OK)
        return false;
    size_t length = judge_text_length(there.data);
    bool same = length == judge_text_length(run->scene_text.data) && !memcmp(there.data, run->scene_text.data, length);
    text_free(&there);
    return same && (!run->known || judge_same_overrides(&run->found, &run->record));
}

/* Whether pictures are wanted that the finished run did not make. */
static bool judge_wants_pictures(const run *run)
{
    const run_record *then = &run->found, *now = &run->record;
    bool same = then->set_count == now->set_count;
    for (int i = 0; same && i < now->set_count; i++)
        same = !strcmp(then->set[i], now->set[i]);
    return !same && (run->def->output.images || run->def->output.video);
}

static int judge_finished(const run *run)
{
    fr_result result = run_inputs_compare(&run->folder, run->scene, run->input_sums);
    if (result != FR_OK)
        return say_failure(result);
    say_info("%s is finished: %d frames; --frames N goes on to frame N", run->folder.dir, run->found.frames_done);
    return CLI_DONE;
}

static int judge_refuse(const run *run, bool finished)
{
    const char *dir = run->folder.dir, *kind = finished ? "a finished" : "an unfinished";
    if (!judge_same_scene(run))
        say_error(
            "%s holds %s run of another scene or of other overrides (compare its scene.lua); --force replaces it, "
            "-o DIR writes elsewhere",
            dir, kind);
    else if (finished)
        say_error("%s holds a finished run; --force replaces it, --resume --frames N goes on with it, -o DIR writes "
                  "elsewhere",
                  dir);
    else if (run->known)
        say_error("%s holds an unfinished run (frame %d of %d); --resume goes on with it, --force replaces it, -o DIR "
                  "writes elsewhere",
                  dir, run->found.frames_done, run->found.frames_asked);
    else
        say_error("%s holds a run whose run.json cannot be read; --resume goes on with it where a checkpoint can be "
                  "read, --force replaces "
                  "it, -o DIR writes elsewhere",
                  dir);
    return CLI_USAGE;
}

static int judge_resume(run *run, bool finished)
{
    const char *dir = run->folder.dir;
    if (!run->there) {
        say_info("nothing to resume in %s: starting from the beginning", dir);
        return OPTIONS_GO_ON;
    }
    if (run->known && !strcmp(run->found.status.data, "clearing")) {
        say_error("%s: a run with --force was cut short while it cleared the folder; run it with --force again", dir);
        return CLI_FAILED;
    }
    if (finished && judge_same_scene(run) && run->found.frames_done >= run->target && !judge_wants_pictures(run) &&
        run_resume_is_complete(&run->folder, run->def, &run->found))
        return judge_finished(run);
    run_point point = run_resume_find(&run->folder, run->def, &run->checkpoint, &run->basis);
    if (point == RUN_POINT_NONE) {
        say_info("no checkpoint to go on from in %s, and no frames: starting from the beginning", dir);
        return OPTIONS_GO_ON;
    }
    if (point == RUN_POINT_LOST)
        return say_failure(FR_ERROR_FILE);
    if (!judge_same_scene(run)) {
        say_error(
            "%s holds a run of another scene or of other overrides (compare its scene.lua); a resumed run must be of "
            "the same: use --force to replace it or -o for another folder",
            dir);
        return CLI_USAGE;
    }
    fr_result result = run_inputs_compare(&run->folder, run->scene, run->input_sums);
    if (result != FR_OK)
        return say_failure(result);
    run->resumed = true;
    return OPTIONS_GO_ON;
}

int run_judge(run *run)
{
    fr_result result = run_folder_lock(&run->folder);
    if (result != FR_OK)
        return say_failure(result);
    bool listed = fr_list_count(run->folder.list) > 0;
    run->known = listed && run_record_read(&run->folder, &run->found) == FR_OK;
    run->there = listed;
    bool finished = run->known && !strcmp(run->found.status.data, "finished");
    if (run->options.resume)
        return judge_resume(run, finished);
    return run->there && !run->options.force ? judge_refuse(run, finished) : OPTIONS_GO_ON;
}
