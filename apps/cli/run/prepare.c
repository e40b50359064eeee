/* Creates the world, then prepares the folder for it. */
#include "kit/machine.h"
#include "kit/method.h"
#include "kit/say.h"
#include "run/clear.h"
#include "run/resume.h"
#include "run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fails before the run, with the numbers, when the disk is too small for it. */
static fr_result prepare_check_disk(const run *run)
{
    enum { CHECKPOINTS = 3 }; /* two, plus the draft of the next */
    const fr_output_def *output = &run->def->output;
    int first = run->resumed ? run->basis.frames_done : 0, every = output->every > 0 ? output->every : 1;
    double frames = run->target > first ? floor((double)(run->target - first) / every) + 1 : 0;
    double frame = run_folder_frame_bytes(run->def, &run->estimate), checkpoint = run->estimate.checkpoint_bytes;
    double needed = frames * frame + CHECKPOINTS * checkpoint;
    double room = machine_disk_free(run->folder.dir);
    if (room < 0 || needed <= room)
        return FR_OK;
    text parts = {0};
    if (frame > 0 && frames > 0)
        text_add(&parts, "%.0f frame%s of %s and ", frames, frames == 1 ? "" : "s", say_bytes(frame).text);
    text_add(&parts, "%d checkpoints of %s", CHECKPOINTS, say_bytes(checkpoint).text);
    fr_result result = fr_fail(FR_ERROR_FILE,
                               "the run may need %s on the disk (%s) and the disk of %s has %s free; make room, "
                               "write fewer frames (output.every, --frames), %s or another disk (-o DIR)",
                               say_bytes(needed).text, parts.data, run->folder.dir, say_bytes(room).text,
                               method_coarser(run->def, &run->estimate));
    text_free(&parts);
    return result;
}

/* Functions that fail in the first step are found before anything is written. */
static fr_result prepare_call_functions(const run *run)
{
    const fr_preview preview = {run->def, &run->estimate, NULL};
    return run->resumed ? FR_OK : fr_scene_call_functions(&preview);
}

/* Checks the disk, then creates the world. Where memory is tight the world comes first, so that a lack of memory is
   reported before one of disk space. */
static fr_result prepare_world(run *run)
{
    FR_TRY(machine_can_write(run->folder.dir));
    bool tight = run->estimate.memory_bytes > fr_memory_available();
    if (!tight)
        FR_TRY(prepare_check_disk(run));
    FR_TRY(fr_scene_locate(run->scene, fr_world_create(run->def, &run->world)));
    FR_TRY(fr_scene_locate(run->scene, prepare_call_functions(run)));
    return tight ? prepare_check_disk(run) : FR_OK;
}

/* Restores the world from the checkpoint's blocks, except the one with the run's record. */
static fr_result prepare_restore_world(run *run)
{
    fr_checkpoint *checkpoint = &run->checkpoint;
    const fr_block *record = run_record_find(checkpoint);
    if (record != &checkpoint->blocks[checkpoint->count - 1])
        return fr_fail(FR_ERROR_FILE, "%s does not end with the record of its run", checkpoint->path);
    return fr_world_restore(run->world, checkpoint->blocks, checkpoint->count - 1);
}

static void prepare_say_build(const run_record *basis)
{
    if (basis->build.data && strcmp(basis->build.data, fr_build()))
        say_warning("this run was begun by freshet %s; this one is %s: what follows may differ in its last bits from "
                    "what that one would have "
                    "made",
                    basis->build.data, fr_build());
}

/* Brings world and folder back to the state of the checkpoint. */
static fr_result prepare_resume(run *run)
{
    const run_record *basis = &run->basis;
    FR_TRY(prepare_restore_world(run));
    FR_TRY(fr_list_mend(run->folder.list, &basis->list));
    FR_TRY(run_folder_open_log(&run->folder));
    FR_TRY(run_resume_cut_tables(&run->folder, &basis->list));
    prepare_say_build(basis);
    run->record.begun = basis->begun;
    run->record.list = basis->list;
    run->record.frames_done = basis->frames_done;
    run->record.wall_seconds = basis->wall_seconds;
    text_free(&run->record.started);
    text_add(&run->record.started, "%s", basis->started.data ? basis->started.data : machine_now().text);
    say_info("going on from frame %d, t = %.6g s", fr_world_frame_index(run->world), fr_world_time(run->world));
    return run_record_write(&run->folder, &run->record);
}

static bool prepare_was_finished(const run *run)
{
    return run->known && !strcmp(run->found.status.data, "finished");
}

/* The status "clearing" in run.json keeps --resume from using the remains of the old run. */
static fr_result prepare_clear(run *run)
{
    text_free(&run->record.status);
    text_add(&run->record.status, "clearing");
    FR_TRY(run_record_write(&run->folder, &run->record));
    FR_TRY(run_clear(&run->folder, prepare_was_finished(run)));
    text_free(&run->record.status);
    text_add(&run->record.status, "running");
    return FR_OK;
}

static fr_result prepare_fresh(run *run)
{
    run_folder *folder = &run->folder;
    const run_names names = {.folder = folder,
                             .scene = run->scene,
                             .def = run->def,
                             .frame = fr_world_frame(run->world),
                             .target = run->target,
                             .after_unfinished = run->there && !prepare_was_finished(run)};
    FR_TRY(run_clear_check(&names));
    FR_TRY(run_folder_open_log(folder));
    if (run->there)
        FR_TRY(prepare_clear(run));
    FR_TRY(fr_text_write(run_folder_path(folder, "scene.lua").text, run->scene_text.data));
    FR_TRY(run_inputs_keep(folder, run->scene, run->input_sums));
    return run_record_write(folder, &run->record);
}

fr_result run_prepare(run *run)
{
    FR_TRY(prepare_world(run));
    FR_TRY(run_folder_guard(&run->folder));
    if (run->there)
        run_clear_drafts(&run->folder);
    FR_TRY(run_folder_settle(&run->folder));
    fr_list_set_eager(run->folder.list, true);
    fr_result result = run->resumed ? prepare_resume(run) : prepare_fresh(run);
    fr_list_set_eager(run->folder.list, false);
    return result;
}
