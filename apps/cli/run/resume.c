#define _POSIX_C_SOURCE 200809L
#include "run/resume.h"
#include "kit/say.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const tables[] = {"ledger.csv", "probes.csv", "obstacles.csv", "bodies.csv"};
enum { TABLES = sizeof tables / sizeof tables[0], POINTS = 2 /* checkpoints that a run keeps */ };

typedef struct resume_check {
    const fr_scene_def *def;
    text troubles;
    int count;
} resume_check;

static bool resume_is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return !strncmp(path, folder, length) && path[length] == '/';
}

/* Whether a run needs the file. With a cache it does not need pictures, films and exports: they can be made again. */
static bool resume_needs(void *context, const char *path)
{
    const fr_output_def *output = &((const resume_check *)context)->def->output;
    for (int i = 0; i < TABLES; i++)
        if (!strcmp(path, tables[i]))
            return true;
    return !strcmp(path, "scene.lua") || resume_is_below(path, "inputs") || resume_is_below(path, "cache") ||
           (output->npy && resume_is_below(path, "npy")) || (output->vtk && resume_is_below(path, "vtk")) ||
           (output->mesh && resume_is_below(path, "mesh")) || (!output->cache && resume_is_below(path, "images"));
}

static void resume_note_trouble(void *context, const char *path, fr_verify_kind kind, const char *trouble)
{
    enum { NAMED = 8 };
    resume_check *check = context;
    (void)kind;
    if (++check->count <= NAMED)
        text_add(&check->troubles, "%s%s %s", check->troubles.length ? "; " : "", path, trouble);
    else if (check->count == NAMED + 1)
        text_add(&check->troubles, "; …");
}

/* Whether all files listed before the mark are intact; else `check` says which is not. */
static bool resume_stands(const run_folder *folder, const fr_list_mark *mark, resume_check *check)
{
    fr_verify_report report;
    if (fr_list_hold(folder->list, mark) != FR_OK) {
        text_add(&check->troubles, "%s", fr_error_message());
        return false;
    }
    const fr_verify_def def = {.unfinished = true,
                               .limit = mark->bytes,
                               .wanted = resume_needs,
                               .sink = resume_note_trouble,
                               .context = check};
    return fr_verify_run(folder->list, &def, &report) == FR_OK && report.damaged == 0 && report.missing == 0;
}

bool run_resume_is_complete(const run_folder *folder, const fr_scene_def *def, const run_record *record)
{
    resume_check check = {.def = def};
    bool complete = resume_stands(folder, &record->list, &check);
    if (!complete)
        say_warning("the run was finished, but it is no longer whole: %s",
                    check.troubles.data ? check.troubles.data : "out of memory");
    text_free(&check.troubles);
    return complete;
}

/* The same for a checkpoint, whose record has the mark. */
static bool resume_is_whole(const run_folder *folder, const fr_checkpoint *checkpoint, run_record *basis,
                            resume_check *check)
{
    const fr_block *block = run_record_find(checkpoint);
    bool readable = block && block->bytes > 0 && ((const char *)block->data)[block->bytes - 1] == 0;
    if (!readable || run_record_parse(block->data, basis) != FR_OK) {
        text_add(&check->troubles, "%s does not say which files it rests on", checkpoint->path);
        return false;
    }
    return resume_stands(folder, &basis->list, check);
}

/* Whether the folder has any output of a run: frames, tables or pictures. */
static bool resume_has_frames(const run_folder *folder)
{
    int *frames, count;
    if (run_folder_frames(folder, (option_range){0, INT_MAX}, &frames, &count) != FR_OK)
        return true;   /* nobody knows: they must not be lost */
    free(frames);
    for (int i = 0; i < TABLES && count == 0; i++)
        count += access(run_folder_path(folder, "%s", tables[i]).text, F_OK) == 0;
    for (int i = 0; i < fr_list_count(folder->list) && count == 0; i++) {
        const char *path = fr_list_path(folder->list, i);
        bool frame = path && (resume_is_below(path, "npy") || resume_is_below(path, "vtk") ||
                              resume_is_below(path, "mesh") || resume_is_below(path, "images"));
        count += frame && access(run_folder_path(folder, "%s", path).text, F_OK) == 0;
    }
    return count > 0;
}

static run_point resume_lost(const run_folder *folder, const resume_check *check, const char *reason)
{
    fr_fail(FR_ERROR_FILE,
            "%s cannot be gone on with: %s; nothing was changed. Put back what is missing and try again, or --force "
            "runs the "
            "scene again from its start",
            folder->dir, check->troubles.length ? check->troubles.data : reason);
    return RUN_POINT_LOST;
}

run_point run_resume_find(const run_folder *folder, const fr_scene_def *def, fr_checkpoint *checkpoint,
                          run_record *basis)
{
    resume_check check = {.def = def};
    text reason = {0};
    run_point point = RUN_POINT_LOST;
    for (int back = 0; back < POINTS && point != RUN_POINT_FOUND; back++) {
        if (fr_checkpoint_read(run_folder_path(folder, "checkpoint").text, back, checkpoint) != FR_OK) {
            text_add(&reason, "%s%s", back ? "; " : "", fr_error_message());
            break;
        }
        check.count = 0;
        text_free(&check.troubles);
        if (resume_is_whole(folder, checkpoint, basis, &check)) {
            point = RUN_POINT_FOUND;
            break;
        }
        say_warning("checkpoint skipped: %s: %s", checkpoint->path,
                    check.troubles.data ? check.troubles.data : "out of memory");
        fr_checkpoint_free(checkpoint);
        run_record_free(basis);
    }
    if (point != RUN_POINT_FOUND && !check.troubles.length && !resume_has_frames(folder))
        point = RUN_POINT_NONE;
    else if (point != RUN_POINT_FOUND)
        point = resume_lost(folder, &check, reason.data ? reason.data : "there is no checkpoint");
    text_free(&check.troubles);
    text_free(&reason);
    return point;
}

fr_result run_resume_cut_tables(const run_folder *folder, const fr_list_mark *basis)
{
    for (int i = 0; i < TABLES; i++) {
        int64_t bytes;
        uint64_t sum;
        fr_list_had(folder->list, tables[i], basis->bytes, &bytes, &sum);
        if (access(run_folder_path(folder, "%s", tables[i]).text, F_OK) != 0)
            continue;
        if (run_folder_is_strange(folder, tables[i])) {
            FR_TRY(fr_list_set_aside(folder->list, tables[i]));
            continue;
        }
        FR_TRY(fr_list_add(folder->list, tables[i], bytes, sum));
        FR_TRY(fr_file_cut(run_folder_path(folder, "%s", tables[i]).text, bytes));
    }
    return FR_OK;
}

fr_result run_resume_note_tables(const run_folder *folder)
{
    for (int i = 0; i < TABLES; i++)
        if (access(run_folder_path(folder, "%s", tables[i]).text, F_OK) == 0)
            FR_TRY(fr_list_add_file(folder->list, tables[i]));
    return FR_OK;
}

bool run_resume_is_harmless(const char *override)
{
    static const char *const keys[] = {
        "time.duration=", "output.images=", "output.video=", "output.dir=", "camera.", "look."};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strncmp(override, keys[i], strlen(keys[i])))
            return true;
    return false;
}
