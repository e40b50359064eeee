/* freshet check: the scene doctor. Says what would run and what it needs, and what looks wrong. */
#include "doctor/doctor.h"
#include "kit/machine.h"
#include "kit/method.h"
#include "run/folder.h"
#include "kit/say.h"

#include <math.h>
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

static void check_sizes(const doctor *doctor)
{
    const fr_estimate *e = &doctor->estimate;
    bool flat = e->dims == 2;
    printf("cells       %d x %d", e->cells[0], e->cells[1]);
    if (!flat)
        printf(" x %d", e->cells[2]);
    printf(" = %.0f\n", (double)e->cells[0] * e->cells[1] * e->cells[2]);
    bool cubes = fabs(e->spacing[0] - e->spacing[1]) < 1e-9 * e->spacing[0] &&
                 (flat || fabs(e->spacing[0] - e->spacing[2]) < 1e-9 * e->spacing[0]);
    if (cubes)
        printf("cell        %.6g m\n", e->spacing[0]);
    else if (flat)
        printf("cell        %.6g x %.6g m\n", e->spacing[0], e->spacing[1]);
    else
        printf("cell        %.6g x %.6g x %.6g m\n", e->spacing[0], e->spacing[1], e->spacing[2]);
    printf("size        %.6g x %.6g", e->cells[0] * e->spacing[0], e->cells[1] * e->spacing[1]);
    if (!flat)
        printf(" x %.6g", e->cells[2] * e->spacing[2]);
    printf(" m\n");
}

/* Scalars on grids finer than the flow's. */
static void check_refined(const doctor *doctor)
{
    const fr_estimate *e = &doctor->estimate;
    for (int i = 0; i < doctor->def->scalar_count; i++) {
        const fr_scalar_def *scalar = &doctor->def->scalars[i];
        if (scalar->refine <= 1)
            continue;
        printf("refined     %s: %d x %d", scalar->name, scalar->refine * e->cells[0], scalar->refine * e->cells[1]);
        if (e->dims == 3)
            printf(" x %d", scalar->refine * e->cells[2]);
        printf(" cells, %d times as fine as the flow\n", scalar->refine);
    }
}

static void check_flow(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    doctor_speed speed = doctor_expected_speed(def);
    double length = 0;
    for (int a = 0; a < def->domain.dims; a++)
        length = fmax(length, def->domain.size[a]);
    if (speed.value <= 0)
        printf("Reynolds    unknown: nothing in the scene tells a speed\n");
    else if (def->fluid.viscosity > 0)
        printf("Reynolds    about %.3g (speed %.3g m/s from %s, longest side %.3g m, viscosity %.3g m2/s)\n",
               speed.value * length / def->fluid.viscosity, speed.value, speed.origin, length, def->fluid.viscosity);
    else
        printf("Reynolds    inviscid (speed about %.3g m/s from %s)\n", speed.value, speed.origin);
}

static void check_particles(const doctor *doctor)
{
    if (doctor->def->tracer_count > 0)
        printf("particles   %.0f at once at the most\n", doctor->estimate.particles);
}

static void check_solver(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    const char *name =
        def->solver.pressure == FR_PRESSURE_CG ? "cg (without multigrid)" : "multigrid (CG preconditioned by it)";
    if (def->has_prescribed)
        name = "none: the flow is prescribed";
    printf("pressure    %s, tolerance %.3g\n", name, def->solver.pressure_tolerance);
}

/* One number for the cells makes cubes, so the shorter sides are rounded to whole cells. */
static void check_rounding(doctor *doctor)
{
    const double noticed = 0.005;
    const fr_estimate *e = &doctor->estimate;
    for (int a = 0; a < e->dims; a++) {
        double asked = doctor->def->domain.size[a], real = e->cells[a] * e->spacing[a];
        if (fabs(real - asked) > noticed * asked)
            doctor_warn(
                doctor,
                "the domain is %.6g m long along %c, not %.6g m as domain.size says: a side has whole cells of %.6g m; "
                "give the cells of every axis (domain.cells = {...}), another size, or more cells",
                real, "xyz"[a], asked, e -> spacing[a]);
    }
}

static void check_shape_of_cells(doctor *doctor)
{
    double small = INFINITY, large = 0;
    for (int a = 0; a < doctor->estimate.dims; a++) {
        small = fmin(small, doctor->estimate.spacing[a]);
        large = fmax(large, doctor->estimate.spacing[a]);
    }
    if (large > 2 * small)
        doctor_warn(doctor, "cells are %.3g times as long as wide: results will depend on the direction",
                    large / small);
}

static void check_cells(doctor *doctor)
{
    check_rounding(doctor);
    check_shape_of_cells(doctor);
}

/* What differs between methods. */
static const struct check_words {
    void (*sizes)(const doctor *doctor);
    void (*flow)(const doctor *doctor);
    void (*solver)(const doctor *doctor);
    void (*habits)(doctor *doctor);
} check_words[] = {
    [FR_METHOD_SMOKE] = {check_sizes, check_flow, check_solver, check_cells},
    [FR_METHOD_SPH] = {doctor_liquid_sizes, doctor_liquid_flow, doctor_liquid_solver, doctor_liquid_habits},
    [FR_METHOD_RIVER] = {doctor_river_sizes, doctor_river_flow, doctor_river_solver, doctor_river_habits},
};

/* A method that has no words of its own here is described as what it is: cells. */
static const struct check_words *check_words_of(const fr_scene_def *def)
{
    bool known = (size_t)def->method < sizeof check_words / sizeof *check_words;
    return &check_words[known ? def->method : FR_METHOD_SMOKE];
}

static void check_describe(const doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    const fr_estimate *e = &doctor->estimate;
    const struct check_words *words = check_words_of(def);
    printf("name        %s\nmethod      %s, %dD\n", def->name, fr_method_describe(def->method)->name, e->dims);
    words->sizes(doctor);
    printf("frames      0 to %d, %.6g per second, %.6g s\n", e->frames, def->time.fps, def->time.duration);
    check_refined(doctor);
    words->flow(doctor);
    words->solver(doctor);
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

static bool check_drives(const fr_scene_def *def)
{
    bool drives = doctor_expected_speed(def).value > 0 || def->force_count > 0 || def->has_initial_velocity;
    for (int i = 0; i < def->obstacle_count; i++)
        drives = drives || def->obstacles[i].path || def->obstacles[i].spin != 0;
    if (fr_method_describe(def->method)->of_particles)
        return drives || def->gravity[0] != 0 || def->gravity[1] != 0 || def->gravity[2] != 0;
    return drives || doctor_starts_buoyant(def);
}

static void check_habits(doctor *doctor)
{
    const fr_scene_def *def = doctor->def;
    const fr_estimate *e = &doctor->estimate;
    if (e->frames == 0)
        doctor_warn(doctor, "time.duration is shorter than a frame: only frame 0 would be written");
    if (!check_drives(def))
        doctor_warn(doctor, "nothing drives the flow: no %s", fr_method_describe(def->method)->drivers);
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
    doctor_shapes(found);
    doctor_heat(found);
    check_words_of(found->def)->habits(found);
    check_habits(found);
    if (found->warning_count)
        printf("\n%d warning%s:\n%s", found->warning_count, found->warning_count == 1 ? "" : "s",
               fr_make_printable(found->warnings.data));
    else
        printf("\nno warnings\n");
    text_free(&found->warnings);
    return enough ? CLI_DONE : CLI_FAILED;
}

static int check_scene(const fr_scene *scene)
{
    doctor doctor = {.def = fr_scene_definition(scene)};
    fr_world *world = NULL;
    fr_result result = fr_scene_locate(scene, fr_scene_estimate(doctor.def, &doctor.estimate));
    if (result == FR_OK)
        result = fr_scene_locate(scene, check_world(&doctor, &world));
    if (result == FR_OK)
        result = doctor_functions(&doctor);
    int status = result == FR_OK ? check_findings(&doctor) : say_failure(result);
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
