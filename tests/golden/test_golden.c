/* Golden hashes: small scenes of every method must give the bits that tests/golden/hashes.txt remembers, on any number
   of threads, and when a run is saved half way and goes on in a new world. A change of bits is thus seen at once, and
   made on purpose or not at all: `test_golden --write > tests/golden/hashes.txt` is run by hand. */
#include <freshet/freshet.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "support/check.h"

enum { MOST_SET = 3, MOST_FRAMES = 8, LINE = 2048, MOST_THREADS = 8 };

/* A scene of tests/golden/scenes with values of its own. */
typedef struct golden_case {
    const char *scene;
    const char *set[MOST_SET];
    int res;              /* cells or particles along the longest side; 0: as the scene has it */
    int frames;           /* 0: all of the scene */
    bool every_count;     /* large enough for threads to share everything: all counts of threads are tried */
} golden_case;

static const golden_case cases[] = {
    {.scene = "smoke-2d"},
    {.scene = "smoke-2d", .set = {"smoke.advection=linear"}},
    {.scene = "smoke-2d", .set = {"smoke.advection=cubic"}},
    {.scene = "smoke-2d", .set = {"smoke.advection=reflection"}},
    {.scene = "smoke-2d", .set = {"smoke.advection=central"}},
    {.scene = "smoke-2d", .set = {"solver.pressure=cg"}},
    {.scene = "smoke-2d", .res = 200, .frames = 1, .every_count = true},
    {.scene = "smoke-3d"},
    {.scene = "smoke-3d", .set = {"smoke.advection=linear"}},
    {.scene = "smoke-3d", .set = {"smoke.advection=cubic"}},
    {.scene = "smoke-3d", .set = {"smoke.advection=reflection"}},
    {.scene = "smoke-3d", .set = {"smoke.advection=central"}},
    {.scene = "smoke-3d", .set = {"solver.pressure=cg"}},
    {.scene = "smoke-3d", .res = 40, .frames = 1, .every_count = true},
    {.scene = "room-2d"},
    {.scene = "room-3d"},
    {.scene = "eddies-2d"},
    {.scene = "eddies-3d"},
    {.scene = "given-2d"},
    {.scene = "given-3d"},
    {.scene = "dam-2d"},
    {.scene = "dam-2d", .set = {"sph.solver=pcisph"}},
    {.scene = "dam-2d", .set = {"sph.solver=wcsph"}},
    {.scene = "dam-2d", .set = {"sph.solver=wcsph", "sph.exponent=3.5", "sph.background=100"}},
    {.scene = "dam-2d", .set = {"sph.solver=wcsph", "sph.state=linear", "sph.density=continuity"}},
    {.scene = "dam-2d", .set = {"sph.solver=wcsph", "sph.state=cole", "sph.stiffness=20000"}},
    {.scene = "dam-2d", .set = {"sph.kernel=gaussian"}},
    {.scene = "dam-2d", .set = {"sph.kernel=quintic"}},
    {.scene = "dam-2d", .set = {"sph.kernel=poly6"}},
    {.scene = "dam-2d", .set = {"sph.kernel=wendland"}},
    {.scene = "dam-2d", .set = {"sph.boundary=collide"}},
    {.scene = "dam-2d", .set = {"sph.boundary=lennard_jones"}},
    {.scene = "dam-2d", .set = {"sph.mu=0.5", "sph.lambda=0.2"}},
    {.scene = "dam-2d", .res = 200, .frames = 1, .every_count = true},
    {.scene = "dam-3d"},
    {.scene = "dam-3d", .set = {"sph.solver=pcisph"}},
    {.scene = "dam-3d", .set = {"sph.solver=wcsph"}},
    {.scene = "dam-3d", .set = {"sph.kernel=gaussian"}},
    {.scene = "dam-3d", .set = {"sph.kernel=quintic"}},
    {.scene = "dam-3d", .set = {"sph.kernel=poly6"}},
    {.scene = "dam-3d", .set = {"sph.kernel=wendland"}},
    {.scene = "dam-3d", .set = {"sph.boundary=collide"}},
    {.scene = "dam-3d", .set = {"sph.boundary=lennard_jones"}},
    {.scene = "dam-3d", .set = {"sph.mu=0.5", "sph.lambda=0.2"}},
    {.scene = "dam-3d", .res = 40, .frames = 1, .every_count = true},
    {.scene = "honey-2d"},
    {.scene = "honey-2d", .set = {"sph.solver=pcisph"}},
    {.scene = "honey-3d"},
    {.scene = "stream-2d"},
    {.scene = "stream-2d", .set = {"river.scheme=classic"}},
    {.scene = "stream-2d", .res = 400, .frames = 1, .every_count = true},
    {.scene = "stream-3d"},
    {.scene = "stream-3d", .set = {"river.scheme=classic"}},
    {.scene = "joining-2d"},
    {.scene = "joining-2d", .set = {"river.scheme=classic"}},
    {.scene = "joining-3d"},
    {.scene = "joining-3d", .set = {"river.scheme=classic"}},
    {.scene = "ring-2d"},
    {.scene = "melting-2d", .set = {"liquid.surface=level_set"}},
    {.scene = "melting-2d", .set = {"liquid.surface=flip"}},
    {.scene = "melting-2d", .set = {"liquid.surface=apic", "solver.stress=laplacian"}},
    {.scene = "splash-2d", .set = {"liquid.surface=level_set"}},
    {.scene = "splash-2d", .set = {"liquid.surface=particle_level_set"}},
    {.scene = "splash-2d", .set = {"liquid.surface=markers"}},
    {.scene = "splash-2d", .set = {"liquid.surface=flip"}},
    {.scene = "splash-2d", .set = {"liquid.surface=apic"}},
    {.scene = "splash-2d", .set = {"liquid.surface=flip"}, .res = 128, .frames = 1, .every_count = true},
    {.scene = "splash-3d", .set = {"liquid.surface=level_set"}},
    {.scene = "splash-3d", .set = {"liquid.surface=particle_level_set"}},
    {.scene = "splash-3d", .set = {"liquid.surface=markers"}},
    {.scene = "splash-3d", .set = {"liquid.surface=flip"}},
    {.scene = "splash-3d", .set = {"liquid.surface=apic"}},
    {.scene = "splash-3d", .set = {"liquid.surface=particle_level_set"}, .res = 32, .frames = 1, .every_count = true},
    {.scene = "bare-2d", .set = {"liquid.surface=flip"}},
    {.scene = "bare-2d", .set = {"liquid.surface=apic", "liquid.refine=2"}},
    {.scene = "bare-2d",
     .set = {"liquid.surface=flip", "liquid.volume=free"},
     .res = 200,
     .frames = 1,
     .every_count = true},
    {.scene = "column-2d", .set = {"liquid.surface=particle_level_set", "liquid.refine=2"}},
    {.scene = "column-2d", .set = {"liquid.surface=level_set", "liquid.transport=eno3", "liquid.order=2"}},
    {.scene = "column-2d", .set = {"liquid.surface=level_set", "liquid.surface_cells=noisy", "liquid.loop=twice"}},
    {.scene = "column-2d", .set = {"liquid.surface=level_set", "liquid.surface_cells=smooth"}},
    {.scene = "column-2d", .set = {"liquid.surface=flip", "liquid.particles_per_cell=9"}},
    {.scene = "swirl-2d", .set = {"liquid.surface=level_set", "liquid.transport=weno5"}},
    {.scene = "swirl-2d", .set = {"liquid.surface=particle_level_set"}},
    {.scene = "swirl-2d", .set = {"liquid.surface=markers"}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* One line per frame: "<case> <frame> <part>:<hash> <part>:<hash> …". */
typedef struct golden_run {
    int count;
    char line[MOST_FRAMES][LINE];
} golden_run;

/* "smoke-2d,res=200,smoke.advection=cubic": a name without spaces. */
static void case_name(const golden_case *c, char *name, size_t size)
{
    int length = snprintf(name, size, "%s", c->scene);
    if (c->res)
        length += snprintf(name + length, size - (size_t)length, ",res=%d", c->res);
    for (int i = 0; i < MOST_SET && c->set[i]; i++)
        length += snprintf(name + length, size - (size_t)length, ",%s", c->set[i]);
}

static void line_add(char *line, const char *part, uint64_t hash)
{
    size_t length = strlen(line);
    int added = snprintf(line + length, LINE - length, " %s:%016llx", part, (unsigned long long)hash);
    assert_true(added > 0 && (size_t)added < LINE - length);
}

static uint64_t field_hash(const fr_field *field)
{
    size_t count = (size_t)(field->size[0] * field->size[1] * field->size[2]);
    float *dense = malloc(count * sizeof *dense);
    assert_non_null(dense);
    fr_field_copy(field, dense);
    uint64_t hash = checksum_of(dense, count * sizeof *dense);
    free(dense);
    return hash;
}

static uint64_t vectors_hash(fr_vectors vectors, int64_t count)
{
    checksum sum;
    checksum_begin(&sum);
    for (int64_t n = 0; n < count; n++)
        checksum_add(&sum, vectors.data + n * vectors.stride, 3 * sizeof *vectors.data);
    return checksum_end(&sum);
}

/* "Not a number" has many bits and one meaning. */
static void add_double(checksum *sum, double value)
{
    static const char not_a_number[sizeof value] = "no value";
    checksum_add(sum, isnan(value) ? not_a_number : (const char *)&value, sizeof value);
}

/* All columns but those that tell of the machine. */
static uint64_t ledger_hash(const fr_ledger *ledger)
{
    checksum sum;
    checksum_begin(&sum);
    for (int c = 0; c < ledger->count; c++)
        if (strcmp(ledger->names[c], "wall_s") && strcmp(ledger->names[c], "rss_mb")) {
            checksum_add(&sum, ledger->names[c], strlen(ledger->names[c]));
            add_double(&sum, ledger->values[c]);
        }
    return checksum_end(&sum);
}

static uint64_t loads_hash(const fr_frame *frame)
{
    checksum sum;
    checksum_begin(&sum);
    for (int i = 0; i < frame->obstacle_count; i++)
        for (int a = 0; a < 3; a++) {
            add_double(&sum, frame->obstacles[i].position[a]);
            add_double(&sum, frame->obstacles[i].force[a]);
            add_double(&sum, frame->obstacles[i].torque[a]);
        }
    return checksum_end(&sum);
}

static void frame_particles(const fr_frame *frame, char *line)
{
    size_t count = (size_t)frame->particle_count;
    line_add(line, "particles", vectors_hash(frame->particles, frame->particle_count));
    line_add(line, "particle_velocity", vectors_hash(frame->particle_velocity, frame->particle_count));
    if (frame->particle_ids)
        line_add(line, "ids", checksum_of(frame->particle_ids, count * sizeof *frame->particle_ids));
    for (int i = 0; i < frame->attribute_count; i++) {
        char part[80];
        snprintf(part, sizeof part, "particle_%s", frame->attributes[i].name);
        line_add(line, part, checksum_of(frame->attributes[i].data, count * sizeof *frame->attributes[i].data));
    }
}

static int64_t node_count(const fr_frame *frame)
{
    int64_t count = 1;
    for (int a = 0; a < frame->dims; a++)
        count *= frame->cells[a] + 1;
    return count;
}

static void frame_line(fr_world *world, const char *name, char *line)
{
    const fr_frame *frame;
    assert_ok(fr_world_look(world, &frame));
    snprintf(line, LINE, "%s %d", name, frame->index);
    if (frame->nodes.data)
        line_add(line, "nodes", vectors_hash(frame->nodes, node_count(frame)));
    for (int i = 0; i < frame->field_count; i++)
        line_add(line, frame->fields[i].name, field_hash(&frame->fields[i]));
    if (frame->has_particles)
        frame_particles(frame, line);
    if (frame->obstacle_count)
        line_add(line, "loads", loads_hash(frame));
    line_add(line, "ledger", ledger_hash(&frame->ledger));
}

/* A new world in the state of the old one, which is gone then. */
static fr_world *go_on(fr_world *world, const fr_scene_def *def)
{
    const fr_block *blocks;
    int count;
    fr_world *next;
    assert_ok(fr_world_create(def, &next));
    assert_ok(fr_world_snapshot(world, &blocks, &count));
    assert_ok(fr_world_restore(next, blocks, count));
    fr_world_destroy(world);
    return next;
}

static void case_run(const golden_case *c, int threads, bool resumed, golden_run *run)
{
    char path[1024], name[256];
    case_name(c, name, sizeof name);
    snprintf(path, sizeof path, "%s/tests/golden/scenes/%s.lua", SOURCE_DIR, c->scene);
    fr_scene_options options = {.set = c->set, .res = c->res};
    while (options.set_count < MOST_SET && c->set[options.set_count])
        options.set_count++;
    fr_scene *scene;
    fr_world *world;
    fr_set_threads(threads);
    assert_ok(fr_scene_load(path, &options, &scene));
    const fr_scene_def *def = fr_scene_definition(scene);
    assert_ok(fr_world_create(def, &world));
    run->count = 1 + (c->frames ? c->frames : fr_world_frame_count(world));
    assert_true(run->count <= MOST_FRAMES);
    for (int frame = 0; frame < run->count; frame++) {
        if (frame > 0)
            assert_ok(fr_world_step_frame(world));
        frame_line(world, name, run->line[frame]);
        if (resumed && frame == (run->count - 1) / 2)
            world = go_on(world, def);
    }
    fr_world_destroy(world);
    fr_scene_destroy(scene);
}

/* The line of the file that begins like `line`, up to its hashes; empty when there is none. */
static void remembered(const char *line, char *known)
{
    char text[LINE];
    size_t start = (size_t)(strchr(strchr(line, ' ') + 1, ' ') - line) + 1;
    FILE *file = fopen(SOURCE_DIR "/tests/golden/hashes.txt", "r");
    *known = '\0';
    while (file && !*known && fgets(text, sizeof text, file))
        if (!strncmp(text, line, start))
            memcpy(known, text, sizeof text);
    if (file)
        fclose(file);
    known[strcspn(known, "\n")] = '\0';
}

/* The first part of a line that is not the same in the other, without its hash. */
static void first_difference(const char *line, const char *known, char *part, size_t size)
{
    size_t word = 0, i = 0;
    for (; line[i] && line[i] == known[i]; i++)
        word = line[i] == ' ' ? i + 1 : word;
    snprintf(part, size, "%.*s", (int)strcspn(line + word, ": "), line + word);
}

static void check_run(const golden_case *c, int threads, bool resumed)
{
    golden_run run;
    case_run(c, threads, resumed, &run);
    for (int frame = 0; frame < run.count; frame++) {
        char known[LINE], part[LINE], name[256];
        case_name(c, name, sizeof name);
        remembered(run.line[frame], known);
        first_difference(run.line[frame], known, part, sizeof part);
        if (!*known)
            fail_msg("%s, frame %d: hashes.txt has no line of it", name, frame);
        if (strcmp(run.line[frame], known))
            fail_msg("%s, frame %d, %d thread(s)%s: '%s' has other bits than hashes.txt says", name, frame, threads,
                     resumed ? ", resumed half way" : "", part);
    }
}

static void check_cases(int threads, bool resumed)
{
    for (int i = 0; i < CASES; i++)
        if (!cases[i].every_count)
            check_run(&cases[i], threads, resumed);
}

static void test_one_thread(void **state) { (void)state, check_cases(1, false); }
static void test_three_threads_resumed(void **state) { (void)state, check_cases(3, true); }

/* Small cases take turns: every count of threads with several scenes of every method. */
static void test_counts_by_turns(void **state)
{
    (void)state;
    for (int i = 0, turn = 0; i < CASES; i++)
        if (!cases[i].every_count)
            check_run(&cases[i], 2 + turn++ % (MOST_THREADS - 1), false);
}

static void test_every_count(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int threads = 1; threads <= MOST_THREADS && cases[i].every_count; threads++)
            check_run(&cases[i], threads, false);
}

static int write_hashes(void)
{
    puts(
        "# case, frame, and the XXH64 of every part of it; written by `test_golden --write > tests/golden/hashes.txt`");
    for (int i = 0; i < CASES; i++) {
        golden_run run;
        case_run(&cases[i], 1, false, &run);
        for (int frame = 0; frame < run.count; frame++)
            printf("%s\n", run.line[frame]);
    }
    return fflush(stdout) != 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--write"))
        return write_hashes();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_three_threads_resumed),
        cmocka_unit_test(test_counts_by_turns),
        cmocka_unit_test(test_every_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
