#include "run/report.h"
#include "kit/json.h"
#include "kit/machine.h"
#include "kit/method.h"
#include "run/resume.h"
#include "kit/say.h"

#include <stdio.h>
#include <string.h>

/* Prints the last object of --json. */
static void report_json(const run_report *report, const char *message)
{
    if (!report->sim->progress.json)
        return;
    json json = {.indented = false};
    json_open(&json, NULL);
    json_string(&json, "status", report->record->status.data);
    json_string(&json, "dir", report->folder->dir);
    json_number(&json, "frames_done", report->record->frames_done);
    json_number(&json, "frames", report->record->frames_asked);
    json_number(&json, "steps", (double)report->sim->progress.steps);
    json_number(&json, "elapsed_s", progress_elapsed(&report->sim->progress));
    json_number(&json, "warnings", say_warnings());
    if (message)
        json_string(&json, "message", message);
    json_close(&json);
    puts(json.out.data);
    fflush(stdout);
    json_free(&json);
}

/* Lists and syncs everything that the run has written, including tables, and stores the list's mark in the record. */
static fr_result report_settle(run_report *report)
{
    FR_TRY(run_resume_note_tables(report->folder));
    FR_TRY(fr_list_sync(report->folder->list));
    return fr_list_pin(report->folder->list, &report->record->list);
}

/* Writes the final status to run.json; false when that fails. */
static bool report_close(run_report *report, const char *status)
{
    run_record *record = report->record;
    text_free(&record->status);
    text_add(&record->status, "%s", status);
    text_add(&record->ended, "%s", machine_now().text);
    record->wall_seconds = report->sim->earlier_seconds + progress_elapsed(&report->sim->progress);
    fr_list_set_eager(report->folder->list, true);
    bool written = run_record_write(report->folder, record) == FR_OK;
    fr_list_set_eager(report->folder->list, false);
    if (!written)
        say_error("%s", fr_error_message());
    return written;
}

/* Adds a word to the command shown for resuming, quoted where the shell needs it. */
static void report_add_word(text *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-@%";
    if (*word && word[strspn(word, plain)] == 0) {
        text_add(out, " %s", word);
        return;
    }
    text_add(out, " '");
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            text_add(out, "'\\''");
        else
            text_add(out, "%c", *c);
    text_add(out, "'");
}

static void report_command(const run_report *report, text *out)
{
    const run_record *record = report->record;
    text_add(out, "freshet run");
    report_add_word(out, record->scene.data);
    text_add(out, " -o");
    report_add_word(out, report->folder->dir);
    if (record->res)
        text_add(out, " --res %d", record->res);
    for (int i = 0; i < record->set_count; i++) {
        text_add(out, " --set");
        report_add_word(out, record->set[i]);
    }
    if (record->frames_asked != record->frames_scene)
        text_add(out, " --frames %d", record->frames_asked);
    text_add(out, " --resume");
}

static void report_kept(const run_report *report)
{
    fr_checkpoint checkpoint = {.count = 0};
    run_path path = run_folder_path(report->folder, "checkpoint");
    bool there = fr_checkpoint_read(path.text, 0, &checkpoint) == FR_OK;
    say_error("kept: the files of %s up to frame %d; last good checkpoint: %s", report->folder->dir,
              fr_world_frame_index(report->world), there ? checkpoint.path : "none");
    fr_checkpoint_free(&checkpoint);
}

static int report_stopped(run_report *report)
{
    text command = {0};
    report_command(report, &command);
    say_error("stopped at t = %.6g s, frame %d of %d, with a checkpoint; to go on:\n  %s", fr_world_time(report->world),
              fr_world_frame_index(report->world), report->record->frames_asked, command.data);
    text_free(&command);
    report_close(report, "stopped");
    report_json(report, NULL);
    return CLI_INTERRUPTED;
}

int run_report_failure(run_report *report, fr_result result)
{
    if (result == FR_ERROR_STOPPED)
        return report_stopped(report);
    text message = {0}, command = {0};
    text_add(&message, "%s", fr_error_message());
    report_command(report, &command);
    say_error("%s", message.data);
    say_error("the run could not go on from t = %.6g s", fr_world_time(report->world));
    report_kept(report);
    if (result == FR_ERROR_NUMERIC)
        say_error("to go on: change the scene (%s), then run it again with --force, or with -o into another folder",
                  fr_method_describe(report->sim->def->method)->easier);
    else if (result == FR_ERROR_INPUT || result == FR_ERROR_UNSUPPORTED)
        say_error("to go on: correct the scene, then run it again with --force, or with -o into another folder");
    else
        say_error("to go on: remove the cause, then\n  %s", command.data);
    report_close(report, "failed");
    report_json(report, message.data);
    text_free(&message);
    text_free(&command);
    return CLI_FAILED;
}

int run_report_end(run_report *report, int status)
{
    long long steps = (long long)report->sim->progress.steps;
    /* before run.json says "finished": from then on every file must be on disk */
    if (status == CLI_DONE && report_settle(report) != FR_OK) {
        say_error("%s", fr_error_message());
        status = CLI_FAILED;
    }
    /* a run without its pictures is not finished: --resume makes them */
    if (!report_close(report, status == CLI_DONE ? "finished" : status == CLI_INTERRUPTED ? "stopped" : "failed"))
        status = CLI_FAILED;
    else if (status == CLI_DONE)
        say_info("done: frame %d in %s (%lld step%s), %s", report->record->frames_done,
                 say_seconds(progress_elapsed(&report->sim->progress)).text, steps, steps == 1 ? "" : "s",
                 report->folder->dir);
    report_json(report, NULL);
    return status;
}
