/* freshet validate: cases from the literature; compares measured with published values. */
#include "validate/validate.h"
#include "kit/machine.h"
#include "kit/options.h"
#include "kit/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct validate_session {
    int threads;
    bool as_json, full, list;
    const char *folder;
    json json;
    int passed, failed;
    double seconds;
} validate_session;

static bool validate_wanted(const validate_session *session, const option_list *names, const validate_case *one)
{
    if (session->full || (names->count == 0 && one->quick))
        return true;
    for (int i = 0; i < names->count; i++) {
        const char *name = names->items[i];
        if (!strcmp(name, one->name) || !strcmp(name, "full") || (!strcmp(name, "quick") && one->quick))
            return true;
    }
    return false;
}

static void validate_list(FILE *to)
{
    for (int i = 0; i < validate_case_count; i++)
        fprintf(to, "  %-22s %-6s %s\n", validate_cases[i].name, validate_cases[i].quick ? "quick" : "full",
                validate_cases[i].what);
}

static int validate_check_names(const option_list *names)
{
    enum { MOST = 128 };
    const char *known[MOST] = {"quick", "full"};
    int count = 2;
    for (int i = 0; i < validate_case_count && count < MOST; i++)
        known[count++] = validate_cases[i].name;
    if (options_all_known(names, known, count, "case"))
        return OPTIONS_GO_ON;
    fprintf(stderr, "  %-22s all that are quick\n  %-22s all\n", known[0], known[1]);
    validate_list(stderr);
    return CLI_USAGE;
}

/* A case that cannot finish counts as failed; the others still run. */
static fr_result validate_one(validate_session *session, const validate_case *one)
{
    validate_record *record = calloc(1, sizeof *record);
    if (!record)
        return fr_fail(FR_ERROR_MEMORY, "no memory for the record of '%s'", one->name);
    record->of = one;
    double start = machine_seconds();
    say_status("%s: starts", one->name);
    if (one->run(one, record) != FR_OK)
        snprintf(record->failure, sizeof record->failure, "%s", fr_error_message());
    record->seconds = machine_seconds() - start;
    session->seconds += record->seconds;
    session->passed += validate_passed(record);
    session->failed += !validate_passed(record);
    if (session->as_json)
        validate_json(record, &session->json);
    validate_print(record);
    fr_result result = validate_write(record, session->folder);
    validate_free(record);
    free(record);
    return result;
}

static void validate_begin(validate_session *session)
{
    if (!session->as_json)
        return;
    say_set_mode(SAY_MACHINE);
    json *json = &session->json;
    json->indented = true;
    json_open(json, NULL);
    json_string(json, "version", fr_version());
    machine_describe(json);
    json_number(json, "threads", fr_threads());
    json_string(json, "folder", session->folder);
    json_open_list(json, "cases");
}

static void validate_end(validate_session *session)
{
    say_info("\n%d passed, %d failed, %.1f s; records and plots in %s", session->passed, session->failed,
             session->seconds, session->folder);
    if (!session->as_json)
        return;
    json_close_list(&session->json);
    json_number(&session->json, "passed", session->passed);
    json_number(&session->json, "failed", session->failed);
    json_number(&session->json, "seconds", session->seconds);
    json_close(&session->json);
    puts(session->json.out.data);
    json_free(&session->json);
}

static int validate_run(validate_session *session, const option_list *names)
{
    fr_result result = fr_make_folder(session->folder);
    if (result == FR_OK)
        validate_begin(session);
    for (int i = 0; i < validate_case_count && result == FR_OK; i++)
        if (validate_wanted(session, names, &validate_cases[i]))
            result = validate_one(session, &validate_cases[i]);
    if (result != FR_OK) {
        json_free(&session->json);
        say_failure(result);
        return CLI_FAILED;
    }
    validate_end(session);
    return session->failed ? CLI_FAILED : CLI_DONE;
}

int command_validate(int argc, char **argv)
{
    validate_session session = {.folder = "runs/validate"};
    const option_def table[] = {
        {"output", 'o', OPTION_TEXT, &session.folder, "DIR", "where records and plots go (runs/validate)"},
        {"full", 0, OPTION_FLAG, &session.full, NULL, "every case, also those that take minutes"},
        {"list", 0, OPTION_FLAG, &session.list, NULL, "show the cases and run none"},
        {"json", 0, OPTION_FLAG, &session.as_json, NULL, "one JSON object on standard output"},
        {"threads", 0, OPTION_NUMBER, &session.threads, "N", "threads that work (all cores)"},
    };
    const options_def def = {.command = "validate",
                             .words = "[CASE...]",
                             .least = 0,
                             .most = OPTIONS_MOST,
                             .summary =
                                 "Runs cases with known answers and puts the measured numbers beside the published "
                                 "ones: a table, DIR/CASE.json,\n"
                                 "and a plot as DIR/CASE.svg and .png. Without a CASE the quick group runs; 'quick' "
                                 "and 'full' name the groups.\n"
                                 "Ends with 0 when all passed, 1 when some failed, 2 when there is no such case.",
                             .options = table,
                             .option_count = sizeof table / sizeof table[0]};
    option_list words;
    int status = options_parse(&def, argc, argv, &words);
    if (status == OPTIONS_GO_ON)
        status = validate_check_names(&words);
    if (status != OPTIONS_GO_ON)
        return status;
    if (session.list) {
        validate_list(stdout);
        return CLI_DONE;
    }
    fr_set_threads(session.threads);
    return validate_run(&session, &words);
}
