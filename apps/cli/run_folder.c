#define _DEFAULT_SOURCE
#include "run_folder.h"
#include "say.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files in the folder itself, run.json, the films and log.txt (only ever added to) aside. */
static const char *const folder_files[] = {"scene.lua", "ledger.csv", "probes.csv", "obstacles.csv", "checksums.txt"};
static const char *const folder_folders[] = {"cache", "checkpoint", "npy", "vtk", "mesh", "images", "plots"};
enum {
    FOLDER_FILES = sizeof folder_files / sizeof folder_files[0],
    FOLDER_FOLDERS = sizeof folder_folders / sizeof folder_folders[0]
};

fr_result run_folder_open(run_folder *folder, const char *dir)
{
    *folder = (run_folder){.log = NULL};
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/')
        length--;
    if (length >= sizeof folder->dir)
        return fr_fail(FR_ERROR_INPUT, "the folder's path has %zu characters; at most %zu work here", length,
                       sizeof folder->dir - 1);
    memcpy(folder->dir, dir, length);
    return FR_OK;
}

void run_folder_close(run_folder *folder)
{
    say_set_log(NULL);
    if (folder->log)
        fclose(folder->log);
    folder->log = NULL;
}

run_path run_folder_path(const run_folder *folder, const char *format, ...)
{
    run_path path;
    int used = snprintf(path.text, sizeof path.text, "%s/", folder->dir);
    va_list args;
    va_start(args, format);
    vsnprintf(path.text + used, sizeof path.text - (size_t)used, format, args);
    va_end(args);
    return path;
}

static bool folder_has(const run_folder *folder, const char *name)
{
    struct stat info;
    return stat(run_folder_path(folder, "%s", name).text, &info) == 0;
}

run_state run_folder_state(const run_folder *folder, run_record *found, text *blocker)
{
    if (run_record_read(folder, found) == FR_OK)
        return !strcmp(found->status.data, "finished") ? RUN_FINISHED : RUN_UNFINISHED;
    const char *in_the_way = folder_has(folder, "run.json") ? "run.json" : NULL;
    for (int i = 0; i < FOLDER_FILES && !in_the_way; i++)
        if (folder_has(folder, folder_files[i]))
            in_the_way = folder_files[i];
    for (int i = 0; i < FOLDER_FOLDERS && !in_the_way; i++)
        if (folder_has(folder, folder_folders[i]))
            in_the_way = folder_folders[i];
    if (in_the_way)
        text_add(blocker, "%s", in_the_way);
    return in_the_way ? RUN_FOREIGN : RUN_ABSENT;
}

int run_folder_need(run_folder *folder, const char *dir, run_record *record)
{
    fr_result result = run_folder_open(folder, dir);
    if (result != FR_OK)
        return say_failure(result);
    struct stat info;
    if (stat(dir, &info)) {
        say_error("%s: %s; name a folder that 'freshet run' made", dir, strerror(errno));
        return CLI_USAGE;
    }
    run_record own = {.res = 0};
    result = run_record_read(folder, record ? record : &own);
    run_record_free(&own);
    if (result != FR_OK) {
        say_error("%s is not the folder of a run (%s)", dir, fr_error_message());
        return CLI_USAGE;
    }
    return OPTIONS_GO_ON;
}

fr_result run_folder_lock(run_folder *folder)
{
    FR_TRY(fr_make_folder(folder->dir));
    run_path path = run_folder_path(folder, "log.txt");
    folder->log = fopen(path.text, "a");
    if (!folder->log)
        return fr_fail(FR_ERROR_FILE, "cannot write %s: %s", path.text, strerror(errno));
    if (flock(fileno(folder->log), LOCK_EX | LOCK_NB) == 0) {
        say_set_log(folder->log);
        return FR_OK;
    }
    fclose(folder->log);
    folder->log = NULL;
    return fr_fail(FR_ERROR_FILE, "another freshet is writing into %s; wait for it or choose another folder", folder->dir);
}

static bool folder_ends(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && !strcmp(name + length - tail, ending);
}

/* The number of a file named "<digits>.h5", or −1. */
static int folder_frame_number(const char *name, const char *ending)
{
    size_t digits = strspn(name, "0123456789");
    if (digits < 6 || digits > 9 || strcmp(name + digits, ending))
        return -1;
    return (int)strtol(name, NULL, 10);
}

/* Whether a name is "<anything>_<frame><ending>", whole or a draft. */
static bool folder_is_of_frame(const char *name, const char *ending)
{
    const char *line = strrchr(name, '_');
    char draft[16];
    snprintf(draft, sizeof draft, "%s.tmp", ending);
    return line && (folder_frame_number(line + 1, ending) >= 0 || folder_frame_number(line + 1, draft) >= 0);
}

/* Whether this program makes a file of that name in that folder of a run. */
static bool folder_is_ours(const char *folder, const char *name)
{
    if (!strcmp(folder, "cache"))
        return folder_frame_number(name, ".h5") >= 0 || folder_frame_number(name, ".h5.tmp") >= 0;
    if (!strcmp(folder, "checkpoint"))
        return !strcmp(name, "a.chk") || !strcmp(name, "b.chk") || folder_ends(name, ".chk.tmp");
    if (!strcmp(folder, "images"))
        return folder_is_of_frame(name, ".png");
    if (!strcmp(folder, "vtk"))
        return folder_is_of_frame(name, ".vtp") || folder_is_of_frame(name, ".vts");
    if (!strcmp(folder, "mesh"))
        return folder_frame_number(name, ".ply") >= 0 || folder_frame_number(name, ".obj") >= 0 || folder_frame_number(name, ".ply.tmp") >= 0
            || folder_frame_number(name, ".obj.tmp") >= 0;
    if (!strcmp(folder, "plots"))
        return !strcmp(name, "ledger.svg") || !strcmp(name, "ledger.png");
    return folder_ends(name, ".npy") || folder_ends(name, ".npy.tmp");
}

/* Removes what is ours of one folder (`kind` says by which rule), then the folder when that left it empty. */
static void folder_empty(const char *path, const char *kind, bool drafts_only)
{
    DIR *list = opendir(path);
    if (!list)
        return;
    struct dirent *entry;
    while ((entry = readdir(list))) {
        if (entry->d_name[0] == '.' || (drafts_only && !folder_ends(entry->d_name, ".tmp")))
            continue;
        text inner = {0};
        text_add(&inner, "%s/%s", path, entry->d_name);
        if (folder_is_ours(kind, entry->d_name))
            unlink(inner.data);
        text_free(&inner);
    }
    closedir(list);
    if (!drafts_only)
        rmdir(path);
}

static void folder_empty_npy(const run_folder *folder, bool drafts_only)
{
    run_path path = run_folder_path(folder, "npy");
    DIR *list = opendir(path.text);
    if (!list)
        return;
    struct dirent *entry;
    while ((entry = readdir(list)))
        if (folder_frame_number(entry->d_name, "") >= 0)
            folder_empty(run_folder_path(folder, "npy/%s", entry->d_name).text, "npy", drafts_only);
    closedir(list);
    if (!drafts_only)
        rmdir(path.text);
}

static void folder_empty_all(const run_folder *folder, bool drafts_only)
{
    folder_empty_npy(folder, drafts_only);
    for (int i = 0; i < FOLDER_FOLDERS; i++)
        if (strcmp(folder_folders[i], "npy"))
            folder_empty(run_folder_path(folder, "%s", folder_folders[i]).text, folder_folders[i], drafts_only);
    for (int i = 0; i < FOLDER_FILES; i++)
        unlink(run_folder_path(folder, "%s.tmp", folder_files[i]).text);
    unlink(run_folder_path(folder, "run.json.tmp").text);
}

/* <name>.mp4 and <name>-<view>.mp4. */
static void folder_remove_films(const run_folder *folder, const char *name)
{
    char stem[256];
    run_file_name(name, stem, sizeof stem);
    size_t length = strlen(stem);
    DIR *list = opendir(folder->dir);
    if (!list)
        return;
    struct dirent *entry;
    while ((entry = readdir(list))) {
        const char *rest = entry->d_name + length;
        if (strncmp(entry->d_name, stem, length) || !folder_ends(entry->d_name, ".mp4"))
            continue;
        if (*rest == '-' || !strcmp(rest, ".mp4"))
            unlink(run_folder_path(folder, "%s", entry->d_name).text);
    }
    closedir(list);
}

void run_folder_clear(const run_folder *folder, const char *name)
{
    folder_empty_all(folder, false);
    for (int i = 0; i < FOLDER_FILES; i++)
        unlink(run_folder_path(folder, "%s", folder_files[i]).text);
    folder_remove_films(folder, name);
}

void run_folder_tidy(const run_folder *folder)
{
    folder_empty_all(folder, true);
}

fr_result run_folder_note(const run_folder *folder, const run_path *path)
{
    return fr_verify_record(folder->dir, path->text + strlen(folder->dir) + 1);
}

fr_result run_folder_note_end(const run_folder *folder)
{
    static const char *const names[] = {"ledger.csv", "probes.csv", "obstacles.csv", "checkpoint/a.chk", "checkpoint/b.chk"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (folder_has(folder, names[i]))
            FR_TRY(fr_verify_record(folder->dir, names[i]));
    return FR_OK;
}

bool run_folder_may_change(const char *path)
{
    return !strcmp(path, "ledger.csv") || !strcmp(path, "probes.csv") || !strcmp(path, "obstacles.csv") || !strcmp(path, "run.json") ||
           !strncmp(path, "checkpoint/", 11) || !strncmp(path, "images/", 7) || !strncmp(path, "plots/", 6) ||
           folder_ends(path, ".mp4");
}

fr_result run_folder_write_npy(const run_folder *folder, const fr_frame *frame)
{
    run_path path = run_folder_path(folder, "npy/%06d", frame->index);
    FR_TRY(fr_make_folder(path.text));
    FR_TRY(fr_npy_write_frame(path.text, frame));
    DIR *list = opendir(path.text);
    if (!list)
        return fr_fail(FR_ERROR_FILE, "cannot look into %s: %s", path.text, strerror(errno));
    fr_result result = FR_OK;
    struct dirent *entry;
    while (result == FR_OK && (entry = readdir(list)))
        if (folder_ends(entry->d_name, ".npy")) {
            run_path file = run_folder_path(folder, "npy/%06d/%s", frame->index, entry->d_name);
            result = run_folder_note(folder, &file);
        }
    closedir(list);
    return result;
}

fr_result run_folder_write_mesh(const run_folder *folder, const fr_frame *frame, const char *format)
{
    FR_TRY(fr_make_folder(run_folder_path(folder, "mesh").text));
    run_path path = run_folder_path(folder, "mesh/%06d.%s", frame->index, format);
    fr_mesh mesh;
    FR_TRY(fr_surface_of_particles(frame, NULL, &mesh));
    fr_result result = fr_mesh_write(path.text, &mesh);
    fr_mesh_destroy(&mesh);
    return result == FR_OK ? run_folder_note(folder, &path) : result;
}

fr_result run_folder_write_vtk(const run_folder *folder, const fr_frame *frame)
{
    FR_TRY(fr_make_folder(run_folder_path(folder, "vtk").text));
    if (frame->nodes.data) {
        run_path grid = run_folder_path(folder, "vtk/grid_%06d.vts", frame->index);
        FR_TRY(fr_vtk_write_grid(grid.text, frame));
        FR_TRY(run_folder_note(folder, &grid));
        if (!frame->has_particles)
            return FR_OK;
    }
    run_path path = run_folder_path(folder, "vtk/particles_%06d.vtp", frame->index);
    FR_TRY(fr_vtk_write_particles(path.text, frame));
    return run_folder_note(folder, &path);
}

double run_folder_frame_bytes(const fr_scene_def *def, const fr_estimate *estimate)
{
    enum { VTK_PARTICLE = 7 * 4 + 4 + 3 * 8 };   /* place, velocity, age; kind; id and the vertex */
    return estimate->cache_frame_bytes * (def->output.cache + def->output.npy) + estimate->particles * VTK_PARTICLE * def->output.vtk;
}

static int folder_compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int run_folder_frames(const run_folder *folder, option_range range, int **frames)
{
    *frames = NULL;
    DIR *list = opendir(run_folder_path(folder, "cache").text);
    int count = 0, capacity = 0;
    struct dirent *entry;
    while (list && (entry = readdir(list))) {
        int number = folder_frame_number(entry->d_name, ".h5");
        if (number < range.from || number > range.to)
            continue;
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            int *more = realloc(*frames, (size_t)capacity * sizeof **frames);
            if (!more)
                break;
            *frames = more;
        }
        (*frames)[count++] = number;
    }
    if (list)
        closedir(list);
    if (count)
        qsort(*frames, (size_t)count, sizeof **frames, folder_compare);
    return count;
}

void run_file_name(const char *name, char *out, size_t size)
{
    size_t used = 0;
    for (const char *c = name; *c && used + 1 < size && used < 120; c++) {
        bool plain = (unsigned char)*c >= 0x20 && *c != '/' && *c != '\\' && *c != 0x7f && !(used == 0 && *c == '.');
        out[used++] = plain ? *c : '_';
    }
    if (used == 0)
        out[used++] = '_';
    out[used] = 0;
}
