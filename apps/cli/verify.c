/* freshet verify: a run's files beside their checksums. */
#include "run_folder.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames in trouble, each counted once although several of its files may be. */
typedef struct verify_frames {
    text list;
    int last;
    bool unfinished;         /* files that the run still changes are passed over */
    int damaged, missing;
    int passed;              /* troubles passed over */
    int pictures;            /* troubles of files that render makes */
} verify_frames;

static void verify_trouble(void *context, const char *path, const char *trouble)
{
    verify_frames *frames = context;
    bool stranger = strstr(trouble, "is not in checksums.txt") == trouble, missing = !strcmp(trouble, "is missing");
    if (frames->unfinished && (stranger || run_folder_may_change(path))) {
        frames->passed += !stranger;
        return;
    }
    printf("%s: %s\n", path, trouble);
    int frame;
    bool of_frame = sscanf(path, "cache/%d", &frame) == 1 || sscanf(path, "npy/%d", &frame) == 1 || sscanf(path, "mesh/%d", &frame) == 1
                    || sscanf(path, "vtk/particles_%d", &frame) == 1 || sscanf(path, "vtk/grid_%d", &frame) == 1;
    size_t length = strlen(path);
    frames->pictures += !strncmp(path, "images/", 7) || (length > 4 && !strcmp(path + length - 4, ".mp4"));
    frames->missing += missing;
    frames->damaged += !missing && (!stranger || of_frame);
    if (!of_frame)
        return;
    if (frame != frames->last)
        text_add(&frames->list, "%s%d", frames->list.length ? ", " : "", frame);
    frames->last = frame;
}

int command_verify(int argc, char **argv)
{
    const options_def def = {.command = "verify", .words = "DIR", .least = 1, .most = 1,
        .summary = "Compares the files of a run with the checksums that were noted when they were written; names the damaged\n"
                   "and missing ones. Exit status 1 when there are any. log.txt has no checksum, and while a run is unfinished\n"
                   "the files that it still changes are passed over.",
        .option_count = 0};
    option_list words;
    int status = options_parse(&def, argc, argv, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    run_folder folder;
    run_record record = {.res = 0};
    status = run_folder_need(&folder, words.items[0], &record);
    bool unfinished = status == OPTIONS_GO_ON && strcmp(record.status.data, "finished");
    run_record_free(&record);
    if (status != OPTIONS_GO_ON)
        return status;
    verify_frames frames = {.last = -1, .unfinished = unfinished};
    fr_verify_report report = {0};
    fr_result result = fr_verify_run(folder.dir, verify_trouble, &frames, &report);
    if (result != FR_OK) {
        text_free(&frames.list);
        say_failure(result);
        return CLI_FAILED;
    }
    printf("%d files: %d damaged, %d missing\n", report.files - frames.passed, frames.damaged, frames.missing);
    if (unfinished)
        printf("the run is unfinished: tables, pictures and checkpoints are checked when it has ended\n");
    if (frames.list.length)
        printf("damaged frames: %s\n", frames.list.data);
    bool trouble = frames.damaged || frames.missing;
    text_free(&frames.list);
    if (trouble && frames.pictures == frames.damaged + frames.missing)
        say_error("%s has lost pictures or films; 'freshet render %s' makes them again", folder.dir, folder.dir);
    else if (trouble)
        say_error("%s is damaged; 'freshet run' with --force makes it again", folder.dir);
    return trouble ? CLI_FAILED : CLI_DONE;
}
