/* freshet check: the scene doctor. Says what would run and what it needs, and what looks wrong. */
#include "doctor/doctor.h"
#include "kit/machine.h"
#include "kit/method.h"
#include "run/folder.h"
#include "kit/say.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct check_options {
    int res;
    option_list set;
} check_options;

static int check_parse(int argc, char **argv, check_options *options, option_list *words)
{
    const option_def table[] = {
        {"res", 0, OPTION_COUNT, &options->res, "N", "N cells, or particles of sph, along the longest side"},
        {"set", 0, OPTION_LIST, &options->set, "key=value", "override a value of the scene: --set time.duration=2"},
    };
    const options_def def = {.command = "check",
                             .words = "SCENE",
                             .least = 1,
                             .most = 1,
                             .summary =
                                 "The scene doctor: what would run, sizes, Reynolds number, memory and disk needed, "
                                 "overlaps, walls thinner\n"
                                 "than a cell, open meshes. Writes nothing. Exit status 0 when the scene would run.",
                             .options = table,
                             .option_count = sizeof table / sizeof table[0]};
    return options_parse(&def, argc, argv, words);
}

void doctor_warn(doctor *doctor, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_add(&doctor->warnings, "  - %s\n", line);
    doctor->warning_count++;
}

/* Takes a remark of the scene's method. */
static void check_take(void *context, const fr_remark *remark)
{
    doctor *found = context;
    text *said = &found->said[remark->kind];
    if (remark->kind == FR_REMARK_WARNING)
        text_add(said, "  - %s\n", remark->text);
    else
        text_add(said, "%-12s%s\n", remark->subject, remark->text);
    found->warning_count += remark->kind == FR_REMARK_WARNING;
}

static void check_finer(const fr_estimate *e, const char *name, int refine)
{
    if (refine <= 1)
        return;
    printf("refined     %s: %d x %d", name, refine * e->cells[0], refine * e->cells[1]);
    if (e->dims == 3)
        printf(" x %d", refine * e->cells[2]);
    printf(" cells, %d times as fine as the flow\n", refine);
}

/* What lives on grids finer than the flow's. */
static void check_refined(const doctor *doctor)
{
    for (int i = 0; i < doctor->def->scalar_count; i++)
        check_finer(&doctor->estimate, doctor->def->scalars[i].name, doctor->def->scalars[i].refine);
    if (doctor->def->method == FR_METHOD_LIQUID)
        check_finer(&doctor->estimate, "level_set", doctor->def->liquid.refine);
}

static void check_particles(const doctor *doctor)
{
    if (doctor->def->tracer_count > 0)
        printf("particles   %.0f at once at the most\n", doctor->estimate.particles);
}

static void check_show(const text *lines)
{
    if (lines->length > 0)
        fputs(lines->data, stdout);
}

static void check_describe(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    const fr_estimate *e = &doctor->estimate;
    printf("name        %s\nmethod      %s, %dD\n", def->name, fr_method_describe(def->method)->name, e->dims);
    check_show(&doctor->said[FR_REMARK_SIZE]);
    printf("frames      0 to %d, %.6g per second, %.6g s\n", e->frames, def->time.fps, def->time.duration);
    check_refined(doctor);
    check_show(&doctor->said[FR_REMARK_FLOW]);
    check_particles(doctor);
}

/* Memory and disk beside what is there; true when both will do. */
static bool check_needs(doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    const fr_estimate *e = &doctor->estimate;
    double available = fr_memory_available();
    printf("memory      %s needed, %s available\n", say_bytes(e->memory_bytes).text, say_bytes(available).text);
    double outputs = floor((double)e->frames / (def->output.every > 0 ? def->output.every : 1)) + 1;
    double frame = run_folder_frame_bytes(def, e);
    double total = outputs * frame + 3 * e->checkpoint_bytes;
    double room = machine_disk_free(def->output.dir ? def->output.dir : ".");
    printf("disk        %s a frame at most and 3 checkpoints of %s, %s in all, %s free\n", say_bytes(frame).text,
           say_bytes(e->checkpoint_bytes).text, say_bytes(total).text, room >= 0 ? say_bytes(room).text : "unknown");
    if (e->memory_bytes > available)
        doctor_warn(doctor, "the memory does not suffice: the run would be refused; %s", method_coarser(def, e));
    if (room >= 0 && total > room)
        doctor_warn(
            doctor,
            "the disk does not suffice: the run would be refused; write fewer frames (output.every) or elsewhere (-o)");
    return e->memory_bytes <= available && !(room >= 0 && total > room);
}

static void check_habits(doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    const fr_estimate *e = &doctor->estimate;
    if (e->frames == 0)
        doctor_warn(doctor, "time.duration is shorter than a frame: only frame 0 would be written");
    if (!def->output.cache && !def->output.npy && !def->output.vtk && !def->output.images && !def->output.video)
        doctor_warn(doctor, "output.cache is off and nothing else is written: only the ledger will be left");
    if (!def->output.cache && (def->output.images || def->output.video))
        doctor_warn(
            doctor,
            "without output.cache every picture has its own colour range: give views a range, or keep the cache");
}

/* Makes the world for real where that is cheap: the last mistakes show only then. A coarser stand-in would have
   mistakes of its own. */
static fr_result check_world(doctor *doctor, fr_world **world)
{
    const double cheap = 1e9;
    if (doctor->estimate.memory_bytes > cheap)
        return FR_OK;
    FR_TRY(fr_world_create(doctor->def, world));
    doctor->frame = fr_world_frame(*world);
    return FR_OK;
}

static int check_findings(doctor *found)
{
    check_describe(found);
    bool enough = check_needs(found);
    doctor_meshes(found);
    if (found->said[FR_REMARK_WARNING].length > 0)
        text_add(&found->warnings, "%s", found->said[FR_REMARK_WARNING].data);
    check_habits(found);
    if (found->warning_count)
        printf("\n%d warning%s:\n%s", found->warning_count, found->warning_count == 1 ? "" : "s",
               fr_make_printable(found->warnings.data));
    else
        printf("\nno warnings\n");
    return enough ? CLI_DONE : CLI_FAILED;
}

static void check_forget(doctor *found)
{
    text_free(&found->warnings);
    for (int kind = 0; kind <= FR_REMARK_WARNING; kind++)
        text_free(&found->said[kind]);
}

static int check_scene(const fr_scene *scene)
{
    doctor doctor = {.def = fr_scene_definition(scene)};
    fr_world *world = NULL;
    fr_result result = fr_scene_locate(scene, fr_scene_estimate(doctor.def, &doctor.estimate));
    if (result == FR_OK)
        result = fr_scene_locate(scene, check_world(&doctor, &world));
    const fr_preview preview = {doctor.def, &doctor.estimate, doctor.frame};
    if (result == FR_OK)
        result = fr_scene_call_functions(&preview);
    if (result == FR_OK)
        fr_scene_describe(&preview, check_take, &doctor);
    int status = result == FR_OK ? check_findings(&doctor) : say_failure(result);
    check_forget(&doctor);
    fr_world_destroy(world);
    return status;
}

int command_check(int argc, char **argv)
{
    check_options options = {.res = 0};
    option_list words;
    int status = check_parse(argc, argv, &options, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    fr_scene *scene = NULL;
    fr_scene_options load = {.set = options.set.items, .set_count = options.set.count, .res = options.res};
    say_scene_prints(true);
    fr_result result = fr_scene_load(words.items[0], &load, &scene);
    say_scene_prints(false);
    status = result == FR_OK ? check_scene(scene) : say_failure(result);
    fr_scene_destroy(scene);
    return status;
}
