/* run.json: what ran, with which overrides, on which machine, and how far it came. */
#define _POSIX_C_SOURCE 200809L
#include "machine.h"
#include "run_folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

fr_result run_record_write(const run_folder *folder, const run_record *record)
{
    json json = {.indented = true};
    json_open(&json, NULL);
    json_string(&json, "program", "freshet");
    json_string(&json, "version", fr_version());
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
    json_close(&json);
    text_add(&json.out, "\n");
    fr_result result = text_write_file(run_folder_path(folder, "run.json").text, json.out.data);
    json_free(&json);
    return result;
}

static int record_integer(const char *text, const char *key)
{
    double value = 0;
    json_read_number(text, key, &value);
    return value >= 0 && value < 2147483647.0 ? (int)value : 0;
}

static void record_fill(const char *text, run_record *record)
{
    json_read_string(text, "method", &record->method);
    json_read_string(text, "started", &record->started);
    json_read_string(text, "scene", &record->scene);
    struct text item = {0};
    while (record->set_count < OPTIONS_MOST && json_read_item(text, "set", record->set_count, &item)) {
        record->set[record->set_count++] = item.data;   /* owned by the record from here */
        item = (struct text){0};
    }
    record->res = record_integer(text, "res");
    record->threads = record_integer(text, "threads");
    record->frames_done = record_integer(text, "frames_done");
    record->frames_asked = record_integer(text, "frames_asked");
    record->frames_scene = record_integer(text, "frames_scene");
    json_read_number(text, "fps", &record->fps);
    json_read_number(text, "wall_seconds", &record->wall_seconds);
}

fr_result run_record_read(const run_folder *folder, run_record *record)
{
    text content = {0};
    run_path path = run_folder_path(folder, "run.json");
    fr_result result = text_read_file(path.text, 1 << 20, &content);
    if (result == FR_OK && !(json_read_string(content.data, "name", &record->name) &&
                             json_read_string(content.data, "status", &record->status) &&
                             json_read_string(content.data, "base_dir", &record->base_dir)))
        result = fr_fail(FR_ERROR_FILE, "%s does not read as a run of freshet", path.text);
    if (result == FR_OK)
        record_fill(content.data, record);
    text_free(&content);
    return result;
}

void run_record_free(run_record *record)
{
    text *const texts[] = {&record->name, &record->method, &record->scene, &record->base_dir,
                           &record->status, &record->started, &record->ended};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        text_free(texts[i]);
    for (int i = 0; i < record->set_count; i++)
        free(record->set[i]);
    record->set_count = 0;
}
