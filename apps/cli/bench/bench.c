/* freshet bench: stage timings, cells per second and memory, compared with the machine's copy bandwidth. */
#include "bench/bench.h"
#include "kit/json.h"
#include "kit/machine.h"
#include "kit/options.h"
#include "kit/say.h"

#include <stdio.h>
#include <string.h>

typedef struct bench_session {
    int threads;
    double copy[2];      /* bytes/s with 1 thread, with `threads` */
    bool as_json;
    json json;
} bench_session;

/* A stage that does nothing in this scene is shown without a speed. */
static void bench_print_stage(const bench_session *session, const bench_stage *stage, const bench_result *result)
{
    const double nothing = 5e-6;
    printf("  %-22s %10.2f ", stage->name, 1e3 * stage->seconds);
    if (stage->seconds > nothing)
        printf("%10.1f", 1e-6 * result->cells / stage->seconds);
    else
        printf("%10s", "-");
    printf(" %6.1f%%", 100 * stage->seconds / result->step_seconds);
    if (stage->bytes > 0 && stage->seconds > nothing && session->copy[1] > 0)
        printf(" %10.0f %7.1f %6.0f%%", stage->bytes / result->cells, 1e-9 * stage->bytes / stage->seconds,
               100 * stage->bytes / stage->seconds / session->copy[1]);
    putchar('\n');
}

static void bench_print(const bench_session *session, const bench_case *bench, const bench_result *result)
{
    bool particles = fr_method_describe(bench->method)->of_particles;
    printf("\n%s: %s; %d along a %s, %d step%s, %d thread%s\n", bench->name, bench->what, bench->cells,
           particles ? "metre" : "side", bench->measured, bench->measured == 1 ? "" : "s", session->threads,
           session->threads == 1 ? "" : "s");
    printf("  %-22s %10s %10s %7s %10s %7s %7s\n", "stage", "ms/step", particles ? "Mpart./s" : "Mcells/s", "share",
           particles ? "bytes each" : "bytes/cell", "GB/s", "of copy");
    for (int s = 0; s < result->stage_count; s++)
        bench_print_stage(session, &result->stages[s], result);
    bench_stage whole = {.name = "whole step", .seconds = result->step_seconds};
    bench_print_stage(session, &whole, result);
    printf("  pressure iterations %.1f; memory %.0f bytes per %s at the peak (%s)\n", result->iterations,
           result->peak_bytes / result->cells, particles ? "particle" : "cell", say_bytes(result->peak_bytes).text);
    if (result->beside_seconds > 0)
        printf("  pressure in %.2f times the time of the same with obstacles for bodies (%.1f iterations)\n",
               result->pressure_seconds / result->beside_seconds, result->beside_iterations);
    if (particles)
        printf("  steps of %.3g ms: %.3g s for each simulated second\n", 1e3 * result->simulated_seconds,
               result->step_seconds / result->simulated_seconds);
    fflush(stdout);
}

static void bench_json(bench_session *session, const bench_case *bench, const bench_result *result)
{
    json *json = &session->json;
    json_open(json, NULL);
    json_string(json, "name", bench->name);
    json_number(json, fr_method_describe(bench->method)->of_particles ? "particles" : "cells", result->cells);
    json_number(json, "steps", bench->measured);
    json_number(json, "seconds_per_step", result->step_seconds);
    json_number(json, "simulated_seconds_per_step", result->simulated_seconds);
    json_number(json, "pressure_seconds", result->pressure_seconds);
    json_number(json, "pressure_iterations", result->iterations);
    if (result->beside_seconds > 0) {
        json_number(json, "beside_pressure_seconds", result->beside_seconds);
        json_number(json, "beside_pressure_iterations", result->beside_iterations);
    }
    json_number(json, "mcells_per_second", 1e-6 * result->cells / result->step_seconds);
    json_number(json, "peak_bytes_per_cell", result->peak_bytes / result->cells);
    json_open_list(json, "stages");
    for (int s = 0; s < result->stage_count; s++) {
        json_open(json, NULL);
        json_string(json, "stage", result->stages[s].name);
        json_number(json, "ms_per_step", 1e3 * result->stages[s].seconds);
        json_number(json, "share", result->stages[s].seconds / result->step_seconds);
        if (result->stages[s].bytes > 0)
            json_number(json, "bytes_per_cell", result->stages[s].bytes / result->cells);
        json_close(json);
    }
    json_close_list(json);
    json_close(json);
}

static int bench_one(bench_session *session, const bench_case *bench)
{
    bench_result result = {0};
    fr_result done = bench_measure(bench, &result);
    if (done != FR_OK) {
        say_failure(done);
        say_error("bench '%s' could not finish", bench->name);
        return CLI_FAILED;
    }
    if (session->as_json)
        bench_json(session, bench, &result);
    else
        bench_print(session, bench, &result);
    return CLI_DONE;
}

static bool bench_wanted(const option_list *names, const bench_case *bench)
{
    for (int i = 0; i < names->count; i++)
        if (!strcmp(names->items[i], bench->name))
            return true;
    return names->count == 0 && !bench->large;
}

static int bench_check_names(const option_list *names)
{
    const char *known[32] = {"copy"};
    int count = 1;
    for (int i = 0; i < bench_case_count && count < 32; i++)
        known[count++] = bench_cases[i].name;
    if (options_all_known(names, known, count, "benchmark"))
        return OPTIONS_GO_ON;
    for (int k = 0; k < count; k++)
        fprintf(stderr, "  %s\n", known[k]);
    return CLI_USAGE;
}

/* Every run measures the copy bandwidth: the upper limit for a memory-bound stage. */
static void bench_begin(bench_session *session)
{
    double load = machine_load();
    if (load > 0.5)
        say_warning("other programs use this machine (load %.1f on %d cores): the times below are too long by that",
                    load, machine_cores());
    session->copy[0] = bench_copy(1);
    session->copy[1] = session->threads > 1 ? bench_copy(session->threads) : session->copy[0];
    if (!session->as_json) {
        char processor[256];
        machine_processor(processor, sizeof processor);
        printf("machine: %s, %d cores\ncopy: %.1f GB/s with 1 thread", processor, machine_cores(),
               1e-9 * session->copy[0]);
        if (session->threads > 1)
            printf(", %.1f GB/s with %d", 1e-9 * session->copy[1], session->threads);
        printf(" (read and written bytes)\n");
        return;
    }
    json *json = &session->json;
    json->indented = true;
    json_open(json, NULL);
    json_string(json, "version", fr_version());
    machine_describe(json);
    json_number(json, "load", load);
    json_number(json, "threads", session->threads);
    json_open_list(json, "copy_bytes_per_second");
    json_number(json, NULL, session->copy[0]);
    json_number(json, NULL, session->copy[1]);
    json_close_list(json);
    json_open_list(json, "results");
}

static void bench_end(bench_session *session)
{
    if (!session->as_json)
        return;
    json_close_list(&session->json);
    json_close(&session->json);
    puts(session->json.out.data);
    json_free(&session->json);
}

int command_bench(int argc, char **argv)
{
    bench_session session = {.threads = 0};
    const option_def table[] = {
        {"json", 0, OPTION_FLAG, &session.as_json, NULL, "one JSON object on standard output"},
        {"threads", 0, OPTION_NUMBER, &session.threads, "N", "threads that work (all cores)"},
    };
    const options_def def = {
        .command = "bench",
        .words = "[NAME...]",
        .least = 0,
        .most = OPTIONS_MOST,
        .summary =
            "Measures built-in scenes (copy, pressure, pressure-2d, plume, plume-64, plume-2d, river, river-long,\n"
            "river-classic, channel, dam, flip-64, bodies-10,\n"
            "bodies-10-heavy without a NAME; bodies-200, plume-256, plume-512, dam-50k, dam-216k, dam-2m,\n"
            "dam-wcsph, dam-pcisph, flip, apic, level-set, level-set-256, particle-level-set by name): time per\n"
            "stage and step, cells or\n"
            "particles per second, the bytes that a stage must move at the least\n"
            "and their share of the copy bandwidth measured in the same run, memory per cell.",
        .options = table,
        .option_count = sizeof table / sizeof table[0]};
    option_list words;
    int status = options_parse(&def, argc, argv, &words);
    if (status == OPTIONS_GO_ON)
        status = bench_check_names(&words);
    if (status != OPTIONS_GO_ON)
        return status;
    fr_set_threads(session.threads);
    session.threads = fr_threads();
    bench_begin(&session);
    status = CLI_DONE;
    for (int i = 0; i < bench_case_count; i++)
        if (bench_wanted(&words, &bench_cases[i]) && bench_one(&session, &bench_cases[i]) != CLI_DONE)
            status = CLI_FAILED;
    bench_end(&session);
    return status;
}
