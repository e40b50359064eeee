#define _DEFAULT_SOURCE
#include "run/folder.h"
#include "kit/say.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const run_folders[RUN_FOLDERS] = {"cache", "checkpoint", "npy", "vtk", "mesh", "images", "plots", "inputs"};

fr_result run_folder_open(run_folder *folder, const char *dir)
{
    *folder = (run_folder){.locked = false};
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/')
        length--;
    if (length >= sizeof folder->dir)
        return fr_fail(FR_ERROR_INPUT, "the folder's path has %zu characters; at most %zu work here", length,
                       sizeof folder->dir - 1);
    memcpy(folder->dir, dir, length);
    folder->existed = length;
    return FR_OK;
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
        say_error("%s is not the folder of a run, or has lost its record (%s)", dir, fr_error_message());
        return CLI_USAGE;
    }
    result = fr_list_open(folder->dir, &folder->list);
    return result == FR_OK ? OPTIONS_GO_ON : say_failure(result);
}

static fr_result folder_admit(void *context, const char *path, int64_t bytes, uint64_t sum)
{
    const run_folder *folder = context;
    size_t length = strlen(folder->dir);
    if (strncmp(path, folder->dir, length) || path[length] != '/')
        return FR_OK;   /* outside this run's folder */
    return fr_list_admit(folder->list, path + length + 1, bytes, sum);
}

fr_result run_folder_guard(run_folder *folder)
{
    struct stat info;
    for (int i = 0; i < RUN_FOLDERS; i++) {
        run_path path = run_folder_path(folder, "%s", run_folders[i]);
        if (lstat(path.text, &info) == 0 && S_ISLNK(info.st_mode))
            return fr_fail(
                FR_ERROR_INPUT,
                "%s is a link, which may lead anywhere; put a folder in its place, or choose another folder for the "
                "whole run",
                path.text);
    }
    fr_set_file_guard(folder_admit, folder);
    return FR_OK;
}

fr_result run_folder_open_log(run_folder *folder)
{
    static const char name[] = "log.txt";
    static const uint64_t of_nothing = 0xef46db3751d8e999u;   /* XXH64 of an empty file */
    run_path path = run_folder_path(folder, name);
    fr_listed there = fr_list_judge(folder->list, name, false);
    if (there == FR_FILE_CHANGED || there == FR_FILE_STRANGE)
        FR_TRY(fr_list_set_aside(folder->list, name));
    if (there != FR_FILE_OURS)
        FR_TRY(fr_list_add(folder->list, name, 0, of_nothing));
    /* in case it was replaced by a symbolic link or a pipe: follow no link, do not block */
    int fd = open(path.text, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    folder->log = fd >= 0 ? fdopen(fd, "a") : NULL;
    if (!folder->log) {
        int reason = errno;
        if (fd >= 0)
            close(fd);
        return fr_fail(FR_ERROR_FILE, "cannot write %s: %s", path.text, strerror(reason));
    }
    say_set_log(folder->log);
    return FR_OK;
}

bool run_folder_is_strange(const run_folder *folder, const char *name)
{
    struct stat info;
    int64_t bytes;
    uint64_t sum;
    return lstat(run_folder_path(folder, "%s", name).text, &info) == 0 &&
           !fr_list_has(folder->list, name, &bytes, &sum);
}

/* The number of a file named "<digits><ending>", or −1. */
static int folder_frame_number(const char *name, const char *ending)
{
    size_t digits = strspn(name, "0123456789");
    if (digits < 6 || digits > 9 || strcmp(name + digits, ending))
        return -1;
    return (int)strtol(name, NULL, 10);
}

fr_result run_folder_write_npy(const run_folder *folder, const fr_frame *frame)
{
    return fr_npy_write_frame(run_folder_path(folder, "npy/%06d", frame->index).text, frame);
}

fr_result run_folder_write_mesh(const run_folder *folder, const fr_frame *frame, const char *format,
                                const fr_surface_options *options)
{
    FR_TRY(fr_make_folder(run_folder_path(folder, "mesh").text));
    run_path path = run_folder_path(folder, "mesh/%06d.%s", frame->index, format);
    fr_mesh mesh;
    FR_TRY(fr_surface_mesh(frame, options, &mesh));
    fr_result result = fr_mesh_write(path.text, &mesh);
    fr_mesh_destroy(&mesh);
    return result;
}

fr_result run_folder_write_vtk(const run_folder *folder, const fr_frame *frame)
{
    FR_TRY(fr_make_folder(run_folder_path(folder, "vtk").text));
    bool bent = frame->can & FR_FRAME_BENT;
    if (bent)
        FR_TRY(fr_vtk_write_grid(run_folder_path(folder, "vtk/grid_%06d.vts", frame->index).text, frame));
    if (bent && !frame->has_particles)
        return FR_OK;
    return fr_vtk_write_particles(run_folder_path(folder, "vtk/particles_%06d.vtp", frame->index).text, frame);
}

double run_folder_frame_bytes(const fr_scene_def *def, const fr_estimate *estimate)
{
    enum { VTK_PARTICLE = 7 * 4 + 4 + 3 * 8 };   /* position, velocity, age; kind; id and vertex */
    return estimate->cache_frame_bytes * (def->output.cache + def->output.npy) +
           fmax(estimate->particles, estimate->parcels) * VTK_PARTICLE * def->output.vtk;
}

static int folder_compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static fr_result folder_add_frame(int number, int **frames, int *count, int *capacity)
{
    if (*count == *capacity) {
        int room = *capacity ? 2 * *capacity : 64;
        int *more = realloc(*frames, (size_t)room * sizeof **frames);
        if (!more)
            return fr_fail(FR_ERROR_MEMORY, "no memory to list the frames in cache");
        *frames = more;
        *capacity = room;
    }
    (*frames)[(*count)++] = number;
    return FR_OK;
}

static fr_result folder_list_frames(DIR *list, option_range range, int **frames, int *count)
{
    int capacity = 0;
    struct dirent *entry;
    while ((errno = 0, entry = readdir(list))) {
        int number = folder_frame_number(entry->d_name, ".h5");
        if (number >= range.from && number <= range.to && number >= 0)
            FR_TRY(folder_add_frame(number, frames, count, &capacity));
    }
    return errno ? fr_fail(FR_ERROR_FILE, "cannot list the frames in cache: %s", strerror(errno)) : FR_OK;
}

fr_result run_folder_frames(const run_folder *folder, option_range range, int **frames, int *count)
{
    *frames = NULL;
    *count = 0;
    run_path cache = run_folder_path(folder, "cache");
    DIR *list = opendir(cache.text);
    if (!list)
        return errno == ENOENT ? FR_OK : fr_fail(FR_ERROR_FILE, "cannot look into %s: %s", cache.text, strerror(errno));
    fr_result result = folder_list_frames(list, range, frames, count);
    closedir(list);
    if (result != FR_OK) {
        free(*frames);
        *frames = NULL;
        *count = 0;
    } else if (*count) {
        qsort(*frames, (size_t)*count, sizeof **frames, folder_compare);
    }
    return result;
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
