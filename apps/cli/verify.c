/* freshet verify: compares a run's files with their checksums. */
#include "run/folder.h"
#include "kit/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Damaged or missing frames; each is counted once, although it may have several files. */
typedef struct verify_frames {
    text list;
    int last;
    bool unfinished;         /* files that the run has not listed yet are ignored */
    int damaged, missing;
    int pictures;            /* damaged or missing files that `freshet render` can make again */
} verify_frames;

/* The list may come from someone else: control characters and line breaks in names are made harmless. */
static void verify_print(const char *path, const char *trouble)
{
    text line = {0};
    text_add(&line, "%s: %s", path, trouble);
    for (char *c = strchr(line.data, '\n'); c; c = strchr(c, '\n'))
        *c = '?';
    puts(fr_make_printable(line.data));
    text_free(&line);
}

static bool verify_is_cache(const char *path, int *frame)
{
    int used = 0;
    return sscanf(path, "cache/%9d.h5%n", frame, &used) == 1 && used > 0 && path[used] == 0;
}

static bool verify_is_of_frame(const char *path, int *frame)
{
    static const char *const beginnings[] = {"cache/%9d", "npy/%9d", "mesh/%9d", "vtk/particles_%9d", "vtk/grid_%9d"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (sscanf(path, beginnings[i], frame) == 1)
            return true;
    return false;
}

static void verify_trouble(void *context, const char *path, fr_verify_kind kind, const char *trouble)
{
    verify_frames *frames = context;
    if (frames->unfinished && kind == FR_VERIFY_STRANGE)
        return;
    verify_print(path, trouble);
    int frame;
    bool of_frame = kind == FR_VERIFY_STRANGE ? verify_is_cache(path, &frame) : verify_is_of_frame(path, &frame);
    size_t length = strlen(path);
    frames->pictures += !strncmp(path, "images/", 7) || (length > 4 && !strcmp(path + length - 4, ".mp4"));
    frames->missing += kind == FR_VERIFY_MISSING;
    frames->damaged += kind == FR_VERIFY_DAMAGED || (kind == FR_VERIFY_STRANGE && of_frame);
    if (!of_frame)
        return;
    if (frame != frames->last)
        text_add(&frames->list, "%s%d", frames->list.length ? ", " : "", frame);
    frames->last = frame;
}

/* Checks that the list still begins with the part that the run's record has pinned. */
static void verify_pinned(const run_folder *folder, const run_record *record, verify_frames *frames)
{
    if (record->list.bytes > 0 && fr_list_hold(folder->list, &record->list) != FR_OK)
        verify_trouble(frames, "checksums.txt", FR_VERIFY_DAMAGED,
                       "is damaged: it does not begin with what the run noted");
}

static int verify_report(const run_folder *folder, const fr_verify_report *report, const verify_frames *frames)
{
    printf("%d files: %d damaged, %d missing\n", report->files, frames->damaged, frames->missing);
    if (frames->unfinished)
        printf("the run is unfinished: what it wrote after its last checkpoint is not judged\n");
    if (frames->list.length)
        printf("damaged frames: %s\n", frames->list.data);
    bool trouble = frames->damaged || frames->missing;
    if (trouble && frames->pictures == frames->damaged + frames->missing)
        say_error("%s has lost pictures or films; 'freshet render %s' makes them again", folder->dir, folder->dir);
    else if (trouble)
        say_error("%s is damaged; 'freshet run' with --resume makes again what it can, with --force all of it",
                  folder->dir);
    return trouble ? CLI_FAILED : CLI_DONE;
}

static int verify_folder(run_folder *folder, const run_record *record)
{
    bool known = record->status.data, finished = known && !strcmp(record->status.data, "finished");
    verify_frames frames = {.last = -1, .unfinished = !finished};
    fr_verify_def def = {.unfinished = !finished, .limit = known && !finished ? record->list.bytes : -1,
                         .sink = verify_trouble, .context = &frames};
    fr_verify_report report = {0};
    if (known && !strcmp(record->status.data, "clearing")) {
        say_error("%s: a run with --force was cut short while it cleared the folder; run it with --force again",
                  folder->dir);
        return CLI_FAILED;
    }
    verify_pinned(folder, record, &frames);
    fr_result result = fr_verify_run(folder->list, &def, &report);
    int status = result == FR_OK ? verify_report(folder, &report, &frames) : (say_failure(result), CLI_FAILED);
    text_free(&frames.list);
    return status;
}

/* A run without its record can still be verified by its list. */
static int verify_open(run_folder *folder, const char *dir, run_record *record)
{
    fr_result result = run_folder_open(folder, dir);
    if (result == FR_OK)
        result = fr_list_open(folder->dir, &folder->list);
    if (result != FR_OK)
        return say_failure(result);
    if (fr_list_count(folder->list) == 0) {
        run_folder_close(folder);
        return run_folder_need(folder, dir, record);
    }
    if (run_record_read(folder, record) != FR_OK)
        say_warning("%s", fr_error_message());
    return OPTIONS_GO_ON;
}

int command_verify(int argc, char **argv)
{
    const options_def def = {
        .command = "verify",
        .words = "DIR",
        .least = 1,
        .most = 1,
        .summary =
            "Compares the files of a run with the checksums that were noted when they were written; names the damaged\n"
            "and missing ones. Exit status 1 when there are any. Of an unfinished run what its last checkpoint rests "
            "on\n"
            "is judged.",
        .option_count = 0};
    option_list words;
    int status = options_parse(&def, argc, argv, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    run_folder folder;
    run_record record = {.res = 0};
    status = verify_open(&folder, words.items[0], &record);
    if (status == OPTIONS_GO_ON)
        status = verify_folder(&folder, &record);
    run_record_free(&record);
    run_folder_close(&folder);
    return status;
}
