#include "validate/validate.h"
#include "kit/machine.h"
#include "kit/say.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALIDATE_FORMAT(to, format)                  \
    do {                                             \
        va_list args;                                \
        va_start(args, format);                      \
        vsnprintf(to, sizeof(to), format, args);     \
        va_end(args);                                \
    } while (0)

/* A full record is a bug and ends the program: a row dropped silently could be the one that fails. */
static void validate_room(int count, int most)
{
    if (count < most)
        return;
    say_error("a validation case has more rows, notes, panels or curves than its record holds (%d)", most);
    abort();
}

void validate_row_add(validate_record *record, validate_row row, const char *quantity, ...)
{
    validate_room(record->row_count, VALIDATE_ROWS);
    VALIDATE_FORMAT(row.quantity, quantity);
    record->rows[record->row_count++] = row;
}

void validate_report(validate_record *record, double measured, double published, const char *quantity, ...)
{
    char name[sizeof record->rows[0].quantity];
    VALIDATE_FORMAT(name, quantity);
    validate_row_add(record, (validate_row){.measured = measured, .published = published}, "%s", name);
}

void validate_note(validate_record *record, const char *format, ...)
{
    validate_room(record->note_count, VALIDATE_NOTES);
    VALIDATE_FORMAT(record->notes[record->note_count], format);
    record->note_count++;
}

void validate_panel_add(validate_record *record, const char *title, const char *x_label, const char *y_label)
{
    validate_room(record->panel_count, VALIDATE_PANELS);
    validate_panel *panel = &record->panels[record->panel_count++];
    snprintf(panel->title, sizeof panel->title, "%s", title);
    snprintf(panel->x_label, sizeof panel->x_label, "%s", x_label);
    snprintf(panel->y_label, sizeof panel->y_label, "%s", y_label);
}

validate_curve *validate_curve_add(validate_record *record, bool points, const char *name, ...)
{
    validate_panel *panel = &record->panels[record->panel_count - 1];
    validate_room(panel->curve_count, VALIDATE_CURVES);
    validate_curve *curve = &panel->curves[panel->curve_count++];
    VALIDATE_FORMAT(curve->name, name);
    curve->points = points;
    return curve;
}

void validate_point_add(validate_curve *curve, double x, double y)
{
    if (curve->count == curve->capacity) {
        int more = curve->capacity ? 2 * curve->capacity : 64;
        double *xs = realloc(curve->x, (size_t)more * sizeof *xs);
        curve->x = xs ? xs : curve->x;
        double *ys = realloc(curve->y, (size_t)more * sizeof *ys);
        curve->y = ys ? ys : curve->y;
        if (!xs || !ys)
            return;      /* out of memory: an incomplete plot is better than no result */
        curve->capacity = more;
    }
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
}

void validate_free(validate_record *record)
{
    for (int p = 0; p < record->panel_count; p++)
        for (int c = 0; c < record->panels[p].curve_count; c++) {
            free(record->panels[p].curves[c].x);
            free(record->panels[p].curves[c].y);
        }
}

double validate_row_deviation(const validate_row *row)
{
    double difference = row->measured - row->published;
    return row->rule == VALIDATE_RELATIVE || row->rule == VALIDATE_REPORT ? difference / fabs(row->published)
                                                                          : difference;
}

/* The comparisons are written so that a measured NaN fails. */
bool validate_row_passed(const validate_row *row)
{
    switch (row->rule) {
    case VALIDATE_REPORT:
        return true;
    case VALIDATE_WITHIN:
    case VALIDATE_RELATIVE:
        return fabs(validate_row_deviation(row)) <= row->limit;
    case VALIDATE_AT_LEAST:
        return row->measured >= row->limit;
    case VALIDATE_AT_MOST:
        return row->measured <= row->limit;
    }
    return false;
}

bool validate_passed(const validate_record *record)
{
    int judged = 0;
    for (int r = 0; r < record->row_count; r++) {
        judged += record->rows[r].rule != VALIDATE_REPORT;
        if (!validate_row_passed(&record->rows[r]))
            return false;
    }
    return judged > 0 && !*record->failure;
}

typedef struct validate_words {
    char measured[24], published[24], deviation[24], limit[32];
    const char *verdict;
} validate_words;

static void validate_number(char *to, size_t size, double value)
{
    if (isfinite(value))
        snprintf(to, size, "%.5g", value);
    else
        snprintf(to, size, "-");
}

static bool validate_is_relative(const validate_row *row)
{
    return row->rule == VALIDATE_RELATIVE || row->rule == VALIDATE_REPORT;
}

static validate_words validate_row_words(const validate_row *row)
{
    validate_words words = {.verdict = row->rule == VALIDATE_REPORT ? "" : validate_row_passed(row) ? "pass" : "FAIL"};
    validate_number(words.measured, sizeof words.measured, row->measured);
    validate_number(words.published, sizeof words.published, row->published);
    double deviation = validate_row_deviation(row);
    if (isfinite(deviation) && validate_is_relative(row))
        snprintf(words.deviation, sizeof words.deviation, "%+.2f %%", 100 * deviation);
    else if (isfinite(deviation))
        snprintf(words.deviation, sizeof words.deviation, "%+.2g", deviation);
    else
        snprintf(words.deviation, sizeof words.deviation, "-");
    switch (row->rule) {
    case VALIDATE_REPORT:
        snprintf(words.limit, sizeof words.limit, "reported");
        break;
    case VALIDATE_WITHIN:
        snprintf(words.limit, sizeof words.limit, "within %.3g", row->limit);
        break;
    case VALIDATE_RELATIVE:
        snprintf(words.limit, sizeof words.limit, "within %.3g %%", 100 * row->limit);
        break;
    case VALIDATE_AT_LEAST:
        snprintf(words.limit, sizeof words.limit, "at least %.4g", row->limit);
        break;
    case VALIDATE_AT_MOST:
        snprintf(words.limit, sizeof words.limit, "at most %.4g", row->limit);
        break;
    }
    return words;
}

void validate_print(const validate_record *record)
{
    const validate_case *of = record->of;
    say_info("\n%s: %s (%s)", of->name, of->what, of->source);
    if (record->row_count)
        say_info("  %-58s %11s %11s %11s  %-15s", "quantity", "measured", "published", "deviation", "mark");
    for (int r = 0; r < record->row_count; r++) {
        validate_words words = validate_row_words(&record->rows[r]);
        say_info("  %-58s %11s %11s %11s  %-15s %s", record->rows[r].quantity, words.measured, words.published,
                 words.deviation, words.limit, words.verdict);
    }
    for (int n = 0; n < record->note_count; n++)
        say_info("  %s", record->notes[n]);
    if (*record->failure)
        say_error("%s could not finish: %s", of->name, record->failure);
    say_info("  %s, %.1f s", validate_passed(record) ? "passed" : "FAILED", record->seconds);
}

static void validate_json_row(const validate_row *row, json *json)
{
    validate_words words = validate_row_words(row);
    json_open(json, NULL);
    json_string(json, "quantity", row->quantity);
    json_number(json, "measured", row->measured);
    json_number(json, "published", row->published);
    json_number(json, "deviation", validate_row_deviation(row));
    json_bool(json, "deviation_is_relative", validate_is_relative(row));
    json_string(json, "mark", words.limit);
    json_number(json, "limit", row->rule == VALIDATE_REPORT ? NAN : row->limit);
    json_bool(json, "judged", row->rule != VALIDATE_REPORT);
    json_bool(json, "passed", validate_row_passed(row));
    json_close(json);
}

void validate_json(const validate_record *record, json *json)
{
    json_open(json, NULL);
    json_string(json, "case", record->of->name);
    json_string(json, "what", record->of->what);
    json_string(json, "source", record->of->source);
    json_string(json, "group", record->of->quick ? "quick" : "full");
    json_string(json, "version", fr_version());
    json_number(json, "threads", fr_threads());
    json_bool(json, "passed", validate_passed(record));
    json_number(json, "seconds", record->seconds);
    if (*record->failure)
        json_string(json, "failure", record->failure);
    json_open_list(json, "rows");
    for (int r = 0; r < record->row_count; r++)
        validate_json_row(&record->rows[r], json);
    json_close_list(json);
    json_open_list(json, "notes");
    for (int n = 0; n < record->note_count; n++)
        json_string(json, NULL, record->notes[n]);
    json_close_list(json);
    json_close(json);
}

static fr_result validate_write_plot(const validate_record *record, const char *path)
{
    fr_plot_def panels[VALIDATE_PANELS];
    fr_curve curves[VALIDATE_PANELS][VALIDATE_CURVES];
    for (int p = 0; p < record->panel_count; p++) {
        const validate_panel *panel = &record->panels[p];
        for (int c = 0; c < panel->curve_count; c++) {
            const validate_curve *curve = &panel->curves[c];
            curves[p][c] = (fr_curve){
                .name = curve->name, .x = curve->x, .y = curve->y, .count = curve->count, .points = curve->points};
        }
        panels[p] = (fr_plot_def){.title = panel->title,
                                  .x_label = panel->x_label,
                                  .y_label = panel->y_label,
                                  .curves = curves[p],
                                  .curve_count = panel->curve_count};
    }
    return fr_plot_write(path, panels, record->panel_count);
}

fr_result validate_write(const validate_record *record, const char *folder)
{
    char path[4096];
    json json = {.indented = true};
    validate_json(record, &json);
    text_add(&json.out, "\n");
    snprintf(path, sizeof path, "%s/%s.json", folder, record->of->name);
    fr_result result = fr_text_write(path, json.out.data);
    json_free(&json);
    static const char *const endings[] = {"svg", "png"};
    for (int i = 0; i < 2 && result == FR_OK && record->panel_count; i++) {
        snprintf(path, sizeof path, "%s/%s.%s", folder, record->of->name, endings[i]);
        result = validate_write_plot(record, path);
    }
    return result;
}
