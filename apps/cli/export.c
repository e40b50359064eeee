/* freshet export: a run's cache in other formats. */
#include "kit/damage.h"
#include "kit/interrupt.h"
#include "kit/say.h"

#include <limits.h>
#include <string.h>

typedef struct export_options {
    option_range frames;
    bool npy, vdb, vtk, pov;
    const char *mesh;
    fr_surface_options surface;
} export_options;

static int export_parse(int argc, char **argv, export_options *o, option_list *words)
{
    const option_def table[] = {
        {"npy", 0, OPTION_FLAG, &o->npy, NULL, "DIR/npy/<frame>/<field>.npy: float32, C order, [z][y][x]"},
        {"vtk", 0, OPTION_FLAG, &o->vtk, NULL,
         "DIR/vtk/particles_<frame>.vtp; rivers: grid_<frame>.vts. Other fields open in VTK from the cache"},
        {"frames", 0, OPTION_RANGE, &o->frames, "A:B", "only frames A to B"},
        {"vdb", 0, OPTION_FLAG, &o->vdb, NULL, "OpenVDB volumes (not built yet)"},
        {"mesh", 0, OPTION_TEXT, &o->mesh, "ply|obj", "DIR/mesh/<frame>.ply or .obj: the surface of a liquid"},
        {"tetrahedra", 0, OPTION_NUMBER, &o->surface.tetrahedra, "N",
         "of the mesh: 6, 24, 48 or 192 in a cell (24; of a particle liquid 48)"},
        {"particles", 0, OPTION_FLAG, &o->surface.particles, NULL,
         "the mesh is around the particles alone, also of a liquid with a level set"},
        {"pov", 0, OPTION_FLAG, &o->pov, NULL, "POV-Ray files (not built yet)"},
    };
    const options_def def = {.command = "export", .words = "DIR", .least = 1, .most = 1,
        .summary = "Writes the cached frames of a run, finished or not, in other formats. Damaged\n"
                   "and missing frames are named and skipped.",
        .options = table, .option_count = sizeof table / sizeof table[0]};
    return options_parse(&def, argc, argv, words);
}

static int export_check(const export_options *o)
{
    const char *missing = o->vdb ? "--vdb" : o->pov ? "--pov" : NULL;
    if (missing)
        say_error("export %s is not built yet; --npy, --vtk and --mesh are", missing);
    else if (!o->npy && !o->vtk && !o->mesh)
        say_error("export to what? Name a format: --npy, --vtk or --mesh ply");
    else if ((o->surface.tetrahedra || o->surface.particles) && !o->mesh)
        say_error("--%s is of a mesh; name its format as well: --mesh ply",
                  o->surface.tetrahedra ? "tetrahedra" : "particles");
    else if (o->mesh && strcmp(o->mesh, "ply") && strcmp(o->mesh, "obj"))
        say_error("--mesh writes ply or obj, not '%s'", o->mesh);
    else
        return OPTIONS_GO_ON;
    return CLI_USAGE;
}

static fr_result export_frame(const export_options *o, const run_folder *folder, const fr_frame *frame)
{
    if (o->npy)
        FR_TRY(run_folder_write_npy(folder, frame));
    if (o->vtk)
        FR_TRY(run_folder_write_vtk(folder, frame));
    return o->mesh ? run_folder_write_mesh(folder, frame, o->mesh, &o->surface) : FR_OK;
}

static int export_frames(const export_options *o, const run_folder *folder, damage_list *list)
{
    for (int i = 0; i < list->count; i++) {
        if (interrupt_asked())
            return CLI_INTERRUPTED;
        fr_cached_frame *cached = damage_read(list, folder, i);
        if (!cached)
            continue;
        fr_result result = export_frame(o, folder, fr_cached_frame_view(cached));
        fr_cached_frame_destroy(cached);
        if (result != FR_OK) {
            say_failure(result);
            return CLI_FAILED;
        }
        say_status("frame %d/%d", i + 1, list->count);
    }
    damage_drop(list);
    say_info("exported %d frame%s to %s:%s%s%s", list->count, list->count == 1 ? "" : "s", folder->dir,
             o->npy ? " npy" : "", o->vtk ? " vtk" : "", o->mesh ? " mesh" : "");
    return list->damaged || list->count == 0 ? CLI_FAILED : CLI_DONE;
}

int command_export(int argc, char **argv)
{
    export_options options = {.frames = {0, INT_MAX}, .surface = fr_default_surface()};
    option_list words;
    int status = export_parse(argc, argv, &options, &words);
    if (status == OPTIONS_GO_ON)
        status = export_check(&options);
    if (status != OPTIONS_GO_ON)
        return status;
    run_folder folder;
    status = run_folder_need(&folder, words.items[0], NULL);
    if (status == OPTIONS_GO_ON && run_folder_guard(&folder) != FR_OK)
        status = say_failure(FR_ERROR_INPUT);
    if (status != OPTIONS_GO_ON) {
        run_folder_close(&folder);
        return status;
    }
    interrupt_watch();
    damage_list list;
    fr_result result = damage_find(&list, &folder, options.frames);
    if (result == FR_OK && list.count == 0 && !list.damaged)
        say_error("no frame to export: %s/cache holds none in the range asked for", folder.dir);
    status = result == FR_OK ? export_frames(&options, &folder, &list) : say_failure(result);
    damage_free(&list);
    run_folder_close(&folder);
    return status;
}
