#define _DEFAULT_SOURCE /* st_mtim */
#include "geom/mesh_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Identifies a version of a file: once it has been written to, it counts as another file. */
typedef struct mesh_file {
    const char *path;
    dev_t device;
    ino_t number;
    off_t bytes;
    struct timespec changed;
} mesh_file;

typedef struct mesh_entry mesh_entry;
struct mesh_entry {
    char *path;
    mesh_file file;
    double size;
    bvh *tree;
    mesh_grid *grids;
    fr_mesh_report report;
    int users;
    mesh_entry *next;
};

/* Held also while a file is read or a grid made, so that other threads wait for it and share the result. */
static pthread_mutex_t store_lock = PTHREAD_MUTEX_INITIALIZER;
static mesh_entry *store;
static int keepers;

/* False when the file's metadata cannot be read. Reading the file will then report why. */
static bool store_look(const char *path, mesh_file *file)
{
    struct stat found;
    *file = (mesh_file){.path = path};
    if (stat(path, &found) != 0)
        return false;
    file->device = found.st_dev;
    file->number = found.st_ino;
    file->bytes = found.st_size;
    file->changed = found.st_mtim;
    return true;
}

static bool store_same(const mesh_file *a, const mesh_file *b)
{
    const struct timespec *left = &a->changed, *right = &b->changed;
    bool unchanged = left->tv_sec == right->tv_sec && left->tv_nsec == right->tv_nsec && a->bytes == b->bytes;
    bool same = a->device == b->device && a->number == b->number && !strcmp(a->path, b->path);
    return same && unchanged;
}

static void store_free(mesh_entry *entry)
{
    while (entry->grids) {
        mesh_grid *grid = entry->grids;
        entry->grids = grid->next;
        mesh_grid_destroy(grid);
    }
    bvh_destroy(entry->tree);
    free(entry->path);
    free(entry);
}

static void store_sweep(void)
{
    for (mesh_entry **at = &store; *at;) {
        mesh_entry *entry = *at;
        if (entry->users > 0) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        store_free(entry);
    }
}

/* The hierarchy cannot separate identical triangles: every query would visit all of them. Overlapping parts repeat some
   triangles twice or three times; a mesh with a thousand copies is not a solid. */
static fr_result store_check_repeats(const mesh *m, const char *file)
{
    enum { MOST = 64 };
    int most;
    FR_TRY(mesh_count_repeats(m, &most));
    if (most <= MOST)
        return FR_OK;
    return fr_fail(FR_ERROR_FILE, "%s has the same triangle %d times, and %d is the most; remove what is double", file,
                   most, MOST);
}

static fr_result store_build(mesh_entry *entry, mesh *m)
{
    bool closed;
    FR_TRY(mesh_survey(m, &entry->report, &closed));
    FR_TRY(store_check_repeats(m, entry->path));
    if (entry->size > 0)
        mesh_fit(m, entry->size);
    return bvh_create(m, closed, &entry->tree);
}

static fr_result store_read(mesh_entry *entry)
{
    mesh m = {0};
    fr_result result = mesh_load(entry->path, &m);
    if (result == FR_OK)
        result = store_build(entry, &m);
    mesh_free(&m);
    return result;
}

static fr_result store_add(const mesh_file *file, double size, mesh_entry **out)
{
    mesh_entry *entry = calloc(1, sizeof *entry);
    char *path = entry ? malloc(strlen(file->path) + 1) : NULL;
    if (!path) {
        free(entry);
        return fr_fail(FR_ERROR_MEMORY, "out of memory for the mesh %s", file->path);
    }
    *entry = (mesh_entry){.path = strcpy(path, file->path), .file = *file, .size = size};
    entry->file.path = path;
    fr_result result = store_read(entry);
    if (result != FR_OK) {
        store_free(entry);
        return result;
    }
    entry->next = store;
    store = *out = entry;
    return FR_OK;
}

static fr_result store_find(const char *path, double size, mesh_entry **out)
{
    mesh_file file;
    bool known = store_look(path, &file);
    for (mesh_entry *entry = store; entry && known; entry = entry->next)
        if (entry->size == size && store_same(&entry->file, &file)) {
            *out = entry;
            return FR_OK;
        }
    return store_add(&file, size, out);
}

fr_result mesh_store_take(const char *file, double size, const bvh **out)
{
    mesh_entry *entry = NULL;
    pthread_mutex_lock(&store_lock);
    fr_result result = store_find(file, size, &entry);
    if (result == FR_OK) {
        entry->users++;
        *out = entry->tree;
    }
    pthread_mutex_unlock(&store_lock);
    return result;
}

static fr_result store_find_grid(mesh_entry *entry, const mesh_detail *detail, const mesh_grid **out)
{
    mesh_grid *grid = entry->grids;
    while (grid && (grid->detail.cell != detail->cell || grid->detail.beyond != detail->beyond))
        grid = grid->next;
    if (!grid) {
        FR_TRY(mesh_grid_create(entry->tree, detail, &grid));
        grid->next = entry->grids;
        entry->grids = grid;
    }
    *out = grid;
    return FR_OK;
}

fr_result mesh_store_grid(const bvh *tree, const mesh_detail *detail, const mesh_grid **out)
{
    pthread_mutex_lock(&store_lock);
    mesh_entry *entry = store;
    while (entry->tree != tree)
        entry = entry->next;
    fr_result result = store_find_grid(entry, detail, out);
    pthread_mutex_unlock(&store_lock);
    return result;
}

void mesh_store_give_back(const bvh *tree)
{
    pthread_mutex_lock(&store_lock);
    for (mesh_entry *entry = store; entry; entry = entry->next)
        entry->users -= entry->tree == tree;
    if (keepers == 0)
        store_sweep();
    pthread_mutex_unlock(&store_lock);
}

bool mesh_store_report(const char *path, fr_mesh_report *report)
{
    mesh_file file;
    bool found = false;
    pthread_mutex_lock(&store_lock);
    bool known = store_look(path, &file);
    for (const mesh_entry *entry = store; entry && known && !found; entry = entry->next) {
        found = store_same(&entry->file, &file);
        if (found)
            *report = entry->report;
    }
    pthread_mutex_unlock(&store_lock);
    return found;
}

void mesh_store_trim(void)
{
    pthread_mutex_lock(&store_lock);
    store_sweep();
    pthread_mutex_unlock(&store_lock);
}

void fr_meshes_keep(void)
{
    pthread_mutex_lock(&store_lock);
    keepers++;
    pthread_mutex_unlock(&store_lock);
}

void fr_meshes_release(void)
{
    pthread_mutex_lock(&store_lock);
    if (--keepers == 0)
        store_sweep();
    pthread_mutex_unlock(&store_lock);
}
