#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"
#include "kit/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

enum { COPY_BYTES = 128 << 20, COPY_THREADS = 8, COPY_ROUNDS = 6 };

typedef struct copy_share {
    char *to;
    const char *from;
    size_t bytes;
} copy_share;

static int bench_copy_share(void *context)
{
    const copy_share *share = context;
    memcpy(share->to, share->from, share->bytes);
    return 0;
}

static double bench_copy_once(char *to, const char *from, int threads)
{
    copy_share shares[COPY_THREADS];
    thrd_t handles[COPY_THREADS];
    bool started[COPY_THREADS] = {false};
    size_t part = COPY_BYTES / (size_t)threads;
    double begin = machine_seconds();
    for (int t = 0; t < threads; t++) {
        shares[t] = (copy_share){to + (size_t)t * part, from + (size_t)t * part, part};
        started[t] = t > 0 && thrd_create(&handles[t], bench_copy_share, &shares[t]) == thrd_success;
    }
    for (int t = 0; t < threads; t++)
        if (!started[t])
            bench_copy_share(&shares[t]);
    for (int t = 0; t < threads; t++)
        if (started[t])
            thrd_join(handles[t], NULL);
    return 2.0 * (double)part * threads / (machine_seconds() - begin);
}

double bench_copy(int threads)
{
    char *from = malloc(COPY_BYTES), *to = malloc(COPY_BYTES);
    double best = 0;
    if (from && to) {
        memset(from, 1, COPY_BYTES);
        memset(to, 2, COPY_BYTES);
        for (int round = 0; round < COPY_ROUNDS; round++) {
            double rate = bench_copy_once(to, from, threads < COPY_THREADS ? threads : COPY_THREADS);
            best = rate > best ? rate : best;
        }
    }
    free(from);
    free(to);
    return best;
}

/* Makes `count` steps and adds their iterations and simulated time to the result. */
static fr_result bench_steps(fr_world *world, int count, bench_result *result)
{
    for (int i = 0; i < count; i++) {
        fr_step_report report;
        FR_TRY(fr_world_step(world, &report));
        result->iterations += report.pressure_iterations / (double)count;
        result->simulated_seconds += report.dt / count;
    }
    return FR_OK;
}

/* Adds the world's stage times to the result: with sign −1 before the measured steps, +1 after them. */
static void bench_add_profile(const fr_world *world, double sign, bench_result *result)
{
    const fr_stage_time *stages;
    int count = fr_world_profile(world, &stages);
    for (int s = 0; s < count; s++) {
        int at = 0;
        while (at < result->stage_count && strcmp(result->stages[at].name, stages[s].stage))
            at++;
        if (at == BENCH_STAGES)
            continue;
        if (at == result->stage_count) {
            bench_stage *stage = &result->stages[result->stage_count++];
            snprintf(stage->name, sizeof stage->name, "%s", stages[s].stage);
        }
        result->stages[at].seconds += sign * stages[s].seconds;
        result->stages[at].bytes += sign * stages[s].bytes;
    }
}

static fr_result bench_run(fr_world *world, const bench_case *bench, bench_result *result)
{
    bench_result unused = {0};
    while (fr_world_time(world) < bench->from)
        FR_TRY(bench_steps(world, 1, &unused));
    FR_TRY(bench_steps(world, bench->warm_up, &unused));
    bench_add_profile(world, -1, result);
    double begin = machine_seconds();
    FR_TRY(bench_steps(world, bench->measured, result));
    result->step_seconds = (machine_seconds() - begin) / bench->measured;
    bench_add_profile(world, 1, result);
    for (int s = 0; s < result->stage_count; s++) {
        result->stages[s].seconds /= bench->measured;
        result->stages[s].bytes /= bench->measured;
        if (!strcmp(result->stages[s].name, "pressure"))
            result->pressure_seconds = result->stages[s].seconds;
    }
    return FR_OK;
}

/* The number of particles of a liquid, else of cells. */
static double bench_size(const fr_frame *frame)
{
    const int *n = frame->cells;
    return frame->can & FR_FRAME_LIQUID ? (double)frame->particle_count : (double)n[0] * n[1] * n[2];
}

/* One world of the case, or of the scene beside it. */
static fr_result bench_world(const bench_case *bench, bool beside, bench_result *result)
{
    bench_parts parts = {0};
    fr_scene_def def = fr_default_scene(bench->method);
    (beside ? bench->beside : bench->fill)(&def, &parts, bench->cells);
    fr_world *world = NULL;
    *result = (bench_result){.stage_count = 0};
    double before = machine_resident();
    FR_TRY(fr_world_create(&def, &world));
    fr_result done = bench_run(world, bench, result);
    result->peak_bytes = machine_peak() - before; /* of the steps: a frame is a copy */
    result->cells = bench_size(fr_world_frame(world));
    fr_world_destroy(world);
    return done;
}

static fr_result bench_measure_here(const bench_case *bench, bench_result *result)
{
    bench_result once, beside = {.stage_count = 0};
    for (int r = 0; r < bench->repeats; r++) {
        FR_TRY(bench_world(bench, false, &once));
        once.peak_bytes = r == 0 ? once.peak_bytes : result->peak_bytes;
        if (r == 0 || once.step_seconds < result->step_seconds)
            *result = once;
        if (!bench->beside)
            continue;
        FR_TRY(bench_world(bench, true, &once));
        if (r == 0 || once.pressure_seconds < beside.pressure_seconds)
            beside = once;
    }
    result->beside_seconds = beside.pressure_seconds;
    result->beside_iterations = beside.iterations;
    return FR_OK;
}

/* The message from the child process. */
typedef struct bench_message {
    fr_result done;
    bench_result result;
    char trouble[1024];
} bench_message;

static void bench_child(const bench_case *bench, int pipe)
{
    bench_message message = {.done = FR_OK};
    message.done = bench_measure_here(bench, &message.result);
    snprintf(message.trouble, sizeof message.trouble, "%s", fr_error_message());
    const char *at = (const char *)&message;
    for (size_t sent = 0; sent < sizeof message;) {
        ssize_t more = write(pipe, at + sent, sizeof message - sent);
        if (more <= 0)
            break;
        sent += (size_t)more;
    }
    _exit(0);
}

static bool bench_receive(int pipe, bench_message *message)
{
    size_t got = 0;
    while (got < sizeof *message) {
        ssize_t more = read(pipe, (char *)message + got, sizeof *message - got);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            break;
        got += (size_t)more;
    }
    return got == sizeof *message;
}

fr_result bench_measure(const bench_case *bench, bench_result *result)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends))
        return fr_fail(FR_ERROR_FILE, "cannot make a pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0)
        bench_child(bench, ends[1]);
    close(ends[1]);
    bench_message message;
    bool whole = child > 0 && bench_receive(ends[0], &message);
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (!whole)
        return fr_fail(FR_ERROR_MEMORY, "the process that measured '%s' ended without a result", bench->name);
    *result = message.result;
    return message.done == FR_OK ? FR_OK : fr_fail(message.done, "%s", message.trouble);
}
