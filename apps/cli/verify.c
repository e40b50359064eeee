/* freshet verify: a run's files beside their checksums. */
#include "run_folder.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>

/* Frames in trouble, each counted once although several of its files may be. */
typedef struct verify_frames {
    text list;
    int last;
} verify_frames;

static void verify_trouble(void *context, const char *path, const char *trouble)
{
    verify_frames *frames = context;
    printf("%s: %s\n", path, trouble);
    int frame;
    if (sscanf(path, "cache/%d", &frame) != 1 && sscanf(path, "npy/%d", &frame) != 1)
        return;
    if (frame != frames->last)
        text_add(&frames->list, "%s%d", frames->list.length ? ", " : "", frame);
    frames->last = frame;
}

int command_verify(int argc, char **argv)
{
    const options_def def = {.command = "verify", .words = "DIR", .least = 1, .most = 1,
        .summary = "Compares the files of a run with the checksums that were noted when they were written; names the damaged\n"
                   "and missing ones. Exit status 1 when there are any.",
        .option_count = 0};
    option_list words;
    int status = options_parse(&def, argc, argv, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    run_folder folder;
    run_record record = {.res = 0};
    status = run_folder_need(&folder, words.items[0], &record);
    run_record_free(&record);
    if (status != OPTIONS_GO_ON)
        return status;
    verify_frames frames = {.last = -1};
    fr_verify_report report = {0};
    fr_result result = fr_verify_run(folder.dir, verify_trouble, &frames, &report);
    if (result != FR_OK) {
        text_free(&frames.list);
        say_failure(result);
        return CLI_FAILED;
    }
    printf("%d files: %d damaged, %d missing\n", report.files, report.damaged, report.missing);
    if (frames.list.length)
        printf("damaged frames: %s\n", frames.list.data);
    bool trouble = report.damaged || report.missing || frames.list.length;
    text_free(&frames.list);
    if (trouble)
        say_error("%s is damaged; 'freshet run' with --force makes it again", folder.dir);
    return trouble ? CLI_FAILED : CLI_DONE;
}
