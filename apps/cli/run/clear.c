#define _DEFAULT_SOURCE
#include "run/clear.h"
#include "kit/pictures.h"
#include "kit/say.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static fr_result clear_refuse(const run_folder *folder, const char *name)
{
    return fr_fail(
        FR_ERROR_INPUT,
        "%s holds '%s', which the run would write and which is not on the list of a run of this program; move it "
        "away or choose another folder with -o",
        folder->dir, name);
}

static fr_result clear_check_name(const run_names *names, const char *format, ...) FR_PRINTF(2, 3);
static fr_result clear_check_name(const run_names *names, const char *format, ...)
{
    char name[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    if (!run_folder_is_strange(names->folder, name))
        return FR_OK;
    return names->after_unfinished ? fr_list_set_aside(names->folder->list, name) : clear_refuse(names->folder, name);
}

/* Fails when a file has the name of one of the run's folders. */
static fr_result clear_check_folders(const run_folder *folder)
{
    struct stat info;
    for (int i = 0; i < RUN_FOLDERS; i++)
        if (lstat(run_folder_path(folder, "%s", run_folders[i]).text, &info) == 0 && !S_ISDIR(info.st_mode))
            return clear_refuse(folder, run_folders[i]);
    return FR_OK;
}

static fr_result clear_check_tables(const run_names *names)
{
    static const char *const always[] = {"run.json",   "scene.lua",        "log.txt",
                                         "ledger.csv", "checkpoint/a.chk", "checkpoint/b.chk"};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        FR_TRY(clear_check_name(names, "%s", always[i]));
    if (names->def->probe_count)
        FR_TRY(clear_check_name(names, "probes.csv"));
    if (names->def->obstacle_count)
        FR_TRY(clear_check_name(names, "obstacles.csv"));
    if (names->def->body_count)
        FR_TRY(clear_check_name(names, "bodies.csv"));
    /* a checksums.txt without a single valid line is not ours */
    struct stat info;
    const run_folder *folder = names->folder;
    bool other = fr_list_count(folder->list) == 0 && lstat(run_folder_path(folder, "checksums.txt").text, &info) == 0 &&
                 info.st_size > 0;
    return other ? clear_refuse(folder, "checksums.txt") : FR_OK;
}

static fr_result clear_check_inputs(const run_names *names)
{
    const fr_scene_input *inputs;
    int count = fr_scene_inputs(names->scene, &inputs);
    for (int i = 0; i < count; i++)
        FR_TRY(clear_check_name(names, "inputs/%s", inputs[i].copy));
    return FR_OK;
}

/* Particles and curvilinear grids have additional files. */
static fr_result clear_check_npy(const run_names *names, int index)
{
    static const char *const of_particles[] = {"particles", "particle_velocity", "particle_id"};
    static const char *const of_nodes[] = {"x", "y", "z", "velocity"};
    const fr_frame *frame = names->frame;
    struct stat info;
    run_path path = run_folder_path(names->folder, "npy/%06d", index);
    if (lstat(path.text, &info) == 0 && !S_ISDIR(info.st_mode))
        return clear_check_name(names, "npy/%06d", index);
    for (int i = 0; i < frame->field_count; i++)
        FR_TRY(clear_check_name(names, "npy/%06d/%.200s.npy", index, frame->fields[i].name));
    for (int i = 0; frame->has_particles && i < 3; i++)
        FR_TRY(clear_check_name(names, "npy/%06d/%s.npy", index, of_particles[i]));
    for (int i = 0; frame->has_particles && i < frame->attribute_count; i++)
        FR_TRY(clear_check_name(names, "npy/%06d/particle_%.100s.npy", index, frame->attributes[i].name));
    for (int i = 0; frame->can & FR_FRAME_BENT && i < 4; i++)
        FR_TRY(clear_check_name(names, "npy/%06d/%s.npy", index, of_nodes[i]));
    return FR_OK;
}

static fr_result clear_check_frame(const run_names *names, int index)
{
    const fr_output_def *output = &names->def->output;
    if (output->cache)
        FR_TRY(clear_check_name(names, "cache/%06d.h5", index));
    if (output->npy)
        FR_TRY(clear_check_npy(names, index));
    if (output->vtk)
        FR_TRY(clear_check_name(names, "vtk/particles_%06d.vtp", index));
    if (output->vtk)
        FR_TRY(clear_check_name(names, "vtk/grid_%06d.vts", index));
    return output->mesh ? clear_check_name(names, "mesh/%06d.%s", index, output->mesh) : FR_OK;
}

static fr_result clear_check_picture(void *context, const char *name)
{
    return clear_check_name(context, "%s", name);
}

fr_result run_clear_check(const run_names *names)
{
    const fr_output_def *output = &names->def->output;
    int every = output->every > 0 ? output->every : 1;
    FR_TRY(clear_check_folders(names->folder));
    FR_TRY(clear_check_tables(names));
    FR_TRY(clear_check_inputs(names));
    for (int index = 0; index <= names->target; index += every)
        FR_TRY(clear_check_frame(names, index));
    pictures pictures = {
        .folder = names->folder, .def = names->def, .frames = {0, names->target}, .film = output->video};
    return pictures_names(&pictures, names->frame, clear_check_picture, (void *)names);
}

static bool clear_stays(const char *path)
{
    return !strcmp(path, "run.json") || !strcmp(path, "log.txt");
}

static fr_result clear_sync_folder(const run_folder *folder, const char *name)
{
    run_path path = run_folder_path(folder, "%s", name);
    return access(path.text, F_OK) == 0 ? fr_file_sync(path.text) : FR_OK;
}

/* Syncs the folders before the list is rewritten: after a power cut no removed file may reappear unlisted. */
static fr_result clear_sync(const run_folder *folder)
{
    run_path frames = run_folder_path(folder, "npy");
    DIR *list = opendir(frames.text);
    if (!list && errno != ENOENT)
        return fr_fail(FR_ERROR_FILE, "cannot look into %s: %s", frames.text, strerror(errno));
    fr_result result = FR_OK;
    for (struct dirent *entry; list && result == FR_OK && (entry = readdir(list));)
        if (entry->d_name[0] != '.')
            result = fr_file_sync(run_folder_path(folder, "npy/%s", entry->d_name).text);
    if (list)
        closedir(list);
    for (int i = 0; i < RUN_FOLDERS && result == FR_OK; i++)
        result = clear_sync_folder(folder, run_folders[i]);
    return result == FR_OK ? fr_file_sync(folder->dir) : result;
}

static fr_result clear_pass(run_folder *folder, bool finished, bool checkpoints)
{
    int count = fr_list_count(folder->list);
    for (int i = 0; i < count; i++) {
        const char *path = fr_list_path(folder->list, i);
        if (path && !clear_stays(path) && !strncmp(path, "checkpoint/", 11) == checkpoints)
            FR_TRY(fr_list_remove(folder->list, path, finished));
    }
    return FR_OK;
}

/* Collects the names of files in one of the run's folders that are not the run's. Returns their number. */
static int clear_name_others(const run_folder *folder, const char *inner, text *names)
{
    enum { NAMED = 5 };
    int count = 0;
    DIR *list = opendir(run_folder_path(folder, "%s", inner).text);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char name[600];
        snprintf(name, sizeof name, "%s%s%s", inner, *inner ? "/" : "", entry->d_name);
        bool ours = entry->d_name[0] == '.' || entry->d_type == DT_DIR || !strcmp(name, "checksums.txt");
        if (ours || !run_folder_is_strange(folder, name))
            continue;
        if (++count <= NAMED)
            text_add(names, "%s%s", names->length ? ", " : "", name);
    }
    if (list)
        closedir(list);
    return count;
}

static void clear_say_others(const run_folder *folder)
{
    text names = {0};
    int count = clear_name_others(folder, "", &names);
    for (int i = 0; i < RUN_FOLDERS; i++)
        count += clear_name_others(folder, run_folders[i], &names);
    if (count)
        say_info("left as they are, for this run did not make them: %d file%s in %s (%s%s)", count,
                 count == 1 ? "" : "s", folder->dir, names.data, count > 5 ? ", …" : "");
    text_free(&names);
}

fr_result run_clear(run_folder *folder, bool finished)
{
    FR_TRY(clear_pass(folder, finished, true));
    FR_TRY(clear_sync_folder(folder, "checkpoint"));
    FR_TRY(fr_file_sync(folder->dir));
    FR_TRY(clear_pass(folder, finished, false));
    FR_TRY(clear_sync(folder));
    clear_say_others(folder);
    return fr_list_restart(folder->list, clear_stays);
}

static void clear_drafts_in(const char *path)
{
    static const char mark[] = ".freshet-draft-";
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);   /* a link may lead out of the folder */
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (!list) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(list));)
        if (!strncmp(entry->d_name, mark, sizeof mark - 1))
            unlinkat(dirfd(list), entry->d_name, 0);
    closedir(list);
}

void run_clear_drafts(const run_folder *folder)
{
    clear_drafts_in(run_folder_path(folder, ".").text);
    for (int i = 0; i < RUN_FOLDERS; i++)
        clear_drafts_in(run_folder_path(folder, "%s", run_folders[i]).text);
    DIR *list = opendir(run_folder_path(folder, "npy").text);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (entry->d_name[0] != '.')
            clear_drafts_in(run_folder_path(folder, "npy/%s", entry->d_name).text);
    if (list)
        closedir(list);
}
