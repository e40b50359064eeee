#define _POSIX_C_SOURCE 200809L
#include "run/record.h"
#include "kit/machine.h"
#include "run/folder.h"
#include "kit/say.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char run_record_block[] = "freshet.run";

static void record_write_frames(json *json, const run_record *record)
{
    json_number(json, "fps", record->fps);
    json_number(json, "frames_done", record->frames_done);
    json_number(json, "frames_asked", record->frames_asked);
    json_number(json, "frames_scene", record->frames_scene);
    json_string(json, "status", record->status.data);
    json_bool(json, "finished", !strcmp(record->status.data, "finished"));
    json_string(json, "started", record->started.data);
    if (record->ended.length)
        json_string(json, "ended", record->ended.data);
    json_number(json, "wall_seconds", round(record->wall_seconds * 1000) / 1000);
}

static void record_write_list(json *json, const fr_list_mark *list)
{
    char sum[24];
    snprintf(sum, sizeof sum, "%016" PRIx64, list->sum);
    json_number(json, "list_bytes", (double)list->bytes);
    json_string(json, "list_sum", sum);
}

void run_record_print(const run_record *record, text *out)
{
    json json = {.indented = true};
    json_open(&json, NULL);
    json_string(&json, "program", "freshet");
    json_string(&json, "version", fr_version());
    json_string(&json, "build", record->build.data);
    json_string(&json, "name", record->name.data);
    json_string(&json, "method", record->method.data);
    json_open_list(&json, "cells");
    for (int a = 0; a < record->dims; a++)
        json_number(&json, NULL, record->cells[a]);
    json_close_list(&json);
    json_string(&json, "scene", record->scene.data);
    json_string(&json, "base_dir", record->base_dir.data);
    json_open_list(&json, "set");
    for (int i = 0; i < record->set_count; i++)
        json_string(&json, NULL, record->set[i]);
    json_close_list(&json);
    json_number(&json, "res", record->res);
    json_number(&json, "threads", record->threads);
    machine_describe(&json);
    record_write_frames(&json, record);
    json_bool(&json, "begun", record->begun);
    record_write_list(&json, &record->list);
    json_close(&json);
    text_add(out, "%s\n", json.out.data);
    json_free(&json);
}

fr_result run_record_write(const run_folder *folder, const run_record *record)
{
    text content = {0};
    run_record_print(record, &content);
    fr_result result = fr_text_write(run_folder_path(folder, "run.json").text, content.data);
    text_free(&content);
    return result;
}

static int record_integer(const char *text, const char *key)
{
    double value = 0;
    json_read_number(text, key, &value);
    return value >= 0 && value < 2147483647.0 ? (int)value : 0;
}

static void record_fill_list(const char *source, fr_list_mark *list)
{
    text sum = {0};
    double bytes = 0;
    if (json_read_number(source, "list_bytes", &bytes) && bytes >= 0 && bytes < 9e15 &&
        json_read_string(source, "list_sum", &sum))
        *list = (fr_list_mark){(int64_t)bytes, strtoull(sum.data, NULL, 16)};
    text_free(&sum);
}

static void record_fill(const char *source, run_record *record)
{
    json_read_string(source, "method", &record->method);
    json_read_string(source, "started", &record->started);
    json_read_string(source, "scene", &record->scene);
    json_read_string(source, "build", &record->build);
    text item = {0};
    while (record->set_count < OPTIONS_MOST && json_read_item(source, "set", record->set_count, &item)) {
        record->set[record->set_count++] = item.data;   /* now owned by the record */
        item = (text){0};
    }
    record->res = record_integer(source, "res");
    record->threads = record_integer(source, "threads");
    record->frames_done = record_integer(source, "frames_done");
    record->frames_asked = record_integer(source, "frames_asked");
    record->frames_scene = record_integer(source, "frames_scene");
    json_read_number(source, "fps", &record->fps);
    json_read_number(source, "wall_seconds", &record->wall_seconds);
    json_read_bool(source, "begun", &record->begun);
    record_fill_list(source, &record->list);
}

fr_result run_record_parse(const char *source, run_record *record)
{
    if (!(json_read_string(source, "name", &record->name) && json_read_string(source, "status", &record->status) &&
          json_read_string(source, "base_dir", &record->base_dir))) {
        run_record_free(record);
        return fr_fail(FR_ERROR_FILE, "it does not read as the record of a run");
    }
    record_fill(source, record);
    return FR_OK;
}

const fr_block *run_record_find(const fr_checkpoint *checkpoint)
{
    for (int i = 0; i < checkpoint->count; i++)
        if (!strcmp(checkpoint->blocks[i].name, run_record_block))
            return &checkpoint->blocks[i];
    return NULL;
}

/* The block's text must end in a zero byte. */
static fr_result record_from_checkpoint(const run_folder *folder, run_record *record)
{
    fr_checkpoint checkpoint;
    FR_TRY(fr_checkpoint_read(run_folder_path(folder, "checkpoint").text, 0, &checkpoint));
    const fr_block *block = run_record_find(&checkpoint);
    bool whole = block && block->bytes > 0 && ((const char *)block->data)[block->bytes - 1] == 0;
    fr_result result = whole ? run_record_parse(block->data, record)
                             : fr_fail(FR_ERROR_FILE, "%s has no record of its run", checkpoint.path);
    fr_checkpoint_free(&checkpoint);
    return result;
}

fr_result run_record_read(const run_folder *folder, run_record *record)
{
    text content = {0}, reason = {0};
    run_path path = run_folder_path(folder, "run.json");
    fr_result result = text_read_file(path.text, 1 << 20, &content);
    bool there = result == FR_OK;
    if (result == FR_OK)
        result = run_record_parse(content.data, record);
    text_add(&reason, "%s%s", there ? "run.json is damaged: " : "", result == FR_OK ? "" : fr_error_message());
    if (result != FR_OK && record_from_checkpoint(folder, record) == FR_OK) {
        say_warning("%s; what it said is taken from the newest checkpoint", reason.data);
        result = FR_OK;
    } else if (result != FR_OK) {
        result = fr_fail(FR_ERROR_FILE, "%s", reason.data);
    }
    text_free(&content);
    text_free(&reason);
    return result;
}

void run_record_free(run_record *record)
{
    text *const texts[] = {&record->name, &record->method, &record->scene, &record->base_dir, &record->build,
                           &record->status, &record->started, &record->ended};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        text_free(texts[i]);
    for (int i = 0; i < record->set_count; i++)
        free(record->set[i]);
    *record = (run_record){.set_count = 0};
}
