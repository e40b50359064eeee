/* freshet sheet: one frame of several runs in one picture, with a column per run and a row per view. */
#include "kit/pictures.h"
#include "run/scene.h"
#include "kit/say.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SHEET_RUNS = 16, SHEET_VIEWS = 16 };

typedef struct sheet_run {
    run_folder folder;
    run_scene scene;
    fr_cached_frame *cached;
} sheet_run;

typedef struct sheet {
    sheet_run runs[SHEET_RUNS];
    int run_count;
    const char *fields[SHEET_VIEWS];
    int view_count;
    fr_image images[SHEET_VIEWS][SHEET_RUNS];
} sheet;

static const fr_frame *sheet_frame(const sheet_run *run)
{
    return fr_cached_frame_view(run->cached);
}

/* Opens a run at a frame; at its last one when `frame` is negative. */
static int sheet_open(sheet_run *run, const char *dir, int frame)
{
    int status = run_scene_open(&run->folder, dir, &run->scene);
    if (status != OPTIONS_GO_ON)
        return status;
    int *frames, count;
    option_range range = frame < 0 ? (option_range){0, INT_MAX} : (option_range){frame, frame};
    fr_result result = run_folder_frames(&run->folder, range, &frames, &count);
    if (result != FR_OK)
        return say_failure(result);
    int chosen = count > 0 ? frames[count - 1] : -1;
    free(frames);
    if (chosen < 0) {
        say_error("no frame to draw: %s/cache holds none that was asked for", dir);
        return CLI_FAILED;
    }
    result = fr_cache_read(run_folder_path(&run->folder, "cache/%06d.h5", chosen).text, &run->cached);
    return result == FR_OK ? OPTIONS_GO_ON : say_failure(result);
}

/* The default views: for rivers those that Barroso and Celes use, for other flows the scene's own. */
static void sheet_choose(sheet *sheet, const option_list *views)
{
    static const char *const river[] = {"dyes", "particles", "velocity", "pressure"};
    const fr_frame *frame = sheet_frame(&sheet->runs[0]);
    bool bent = frame->can & FR_FRAME_BENT;
    fr_view_def own[SHEET_VIEWS];
    int own_count = fr_default_views(frame, own, SHEET_VIEWS);
    sheet->view_count = views->count ? views->count : bent ? 4 : own_count;
    for (int i = 0; i < sheet->view_count; i++)
        sheet->fields[i] = views->count ? views->items[i] : bent ? river[i] : own[i].field;
}

/* The scene's own view of the field. Without particles arrows take their place, without ink the speed. */
static fr_view_def sheet_view(const sheet_run *run, const char *field)
{
    const fr_frame *frame = sheet_frame(run);
    fr_view_def view = pictures_view_of(&run->scene.def, field), own[1];
    if (!strcmp(field, "particles") && !frame->has_particles) {
        view.field = "speed";
        view.arrows = true;
    } else if (!strcmp(field, "dyes") && frame->can & FR_FRAME_BENT) {
        fr_default_views(frame, own, 1);
        view.field = own[0].field;
    }
    /* particles have their own row */
    view.hide_particles |= frame->can & FR_FRAME_BENT && strcmp(field, "particles");
    return view;
}

/* Draws a row; all its runs share one colour range. */
static fr_result sheet_draw_row(sheet *sheet, int row)
{
    fr_range range = {0, 0};
    fr_view_def views[SHEET_RUNS];
    for (int i = 0; i < sheet->run_count; i++) {
        views[i] = sheet_view(&sheet->runs[i], sheet->fields[row]);
        if (!strcmp(views[i].field, views[0].field))
            FR_TRY(fr_view_range(sheet_frame(&sheet->runs[i]), &views[i], &range));
    }
    for (int i = 0; i < sheet->run_count; i++) {
        bool shared = range.min < range.max && !strcmp(views[i].field, views[0].field);
        FR_TRY(fr_render_view(sheet_frame(&sheet->runs[i]), &sheet->runs[i].scene.def, &views[i],
                              shared ? &range : NULL, &sheet->images[row][i]));
    }
    return FR_OK;
}

static int sheet_greater(int a, int b)
{
    return a > b ? a : b;
}

/* Copies a picture into the sheet, its upper left corner at (x, y). */
static void sheet_place(const fr_image *image, const fr_image *on, int x, int y)
{
    for (int row = 0; row < image->height; row++)
        memcpy(on->pixels + 3 * ((size_t)(y + row) * (size_t)on->width + (size_t)x),
               image->pixels + 3 * (size_t)row * (size_t)image->width, 3 * (size_t)image->width);
}

static fr_result sheet_compose(const sheet *sheet, const char *path)
{
    int width[SHEET_RUNS] = {0}, height[SHEET_VIEWS] = {0};
    fr_image all = {0};
    for (int row = 0; row < sheet->view_count; row++)
        for (int i = 0; i < sheet->run_count; i++) {
            width[i] = sheet_greater(width[i], sheet->images[row][i].width);
            height[row] = sheet_greater(height[row], sheet->images[row][i].height);
        }
    for (int i = 0; i < sheet->run_count; i++)
        all.width += width[i];
    for (int row = 0; row < sheet->view_count; row++)
        all.height += height[row];
    size_t pixels = (size_t)all.width * (size_t)all.height;
    all.pixels = malloc(3 * pixels);
    if (!all.pixels)
        return fr_fail(FR_ERROR_MEMORY, "out of memory: no room for a sheet of %d × %d pixels", all.width, all.height);
    for (size_t n = 0; n < pixels; n++)
        memcpy(all.pixels + 3 * n, sheet->images[0][0].pixels, 3);   /* a corner pixel has the background's colour */
    for (int row = 0, y = 0; row < sheet->view_count; y += height[row++])
        for (int i = 0, x = 0; i < sheet->run_count; x += width[i++])
            sheet_place(&sheet->images[row][i], &all, x, y);
    fr_result result = fr_image_write_png(&all, path);
    free(all.pixels);
    return result;
}

static int sheet_make(sheet *sheet, const char *path, const option_list *views)
{
    fr_result result = FR_OK;
    sheet_choose(sheet, views);
    for (int row = 0; row < sheet->view_count && result == FR_OK; row++)
        result = sheet_draw_row(sheet, row);
    if (result == FR_OK)
        result = sheet_compose(sheet, path);
    if (result != FR_OK)
        return say_failure(result);
    say_info("sheet: %s", path);
    return CLI_DONE;
}

static void sheet_free(sheet *sheet)
{
    for (int row = 0; row < SHEET_VIEWS; row++)
        for (int i = 0; i < SHEET_RUNS; i++)
            fr_image_free(&sheet->images[row][i]);
    for (int i = 0; i < sheet->run_count; i++) {
        fr_cached_frame_destroy(sheet->runs[i].cached);
        run_scene_close(&sheet->runs[i].scene);
        run_folder_close(&sheet->runs[i].folder);
    }
    free(sheet);
}

typedef struct sheet_options {
    option_list views;
    int frame;
} sheet_options;

static int sheet_parse(int argc, char **argv, sheet_options *o, option_list *words)
{
    const option_def table[] = {
        {"view", 0, OPTION_LIST, &o->views, "field",
         "a row of the sheet; may be repeated (rivers: dyes, particles, velocity, pressure)"},
        {"frame", 0, OPTION_NUMBER, &o->frame, "N", "this frame of every run (the last of each)"},
    };
    const options_def def = {.command = "sheet",
                             .words = "FILE.png DIR...",
                             .least = 2,
                             .most = SHEET_RUNS + 1,
                             .summary = "Draws one moment of several runs into one picture: a column for each run, a "
                                        "row for each view, and one colour\n"
                                        "range for each row. Where a run has no particles, its place shows arrows.",
                             .options = table,
                             .option_count = sizeof table / sizeof table[0]};
    int status = options_parse(&def, argc, argv, words);
    if (status == OPTIONS_GO_ON && o->views.count > SHEET_VIEWS) {
        say_error("at most %d views at once", SHEET_VIEWS);
        status = CLI_USAGE;
    }
    return status;
}

int command_sheet(int argc, char **argv)
{
    sheet_options options = {.frame = -1};
    option_list words;
    int status = sheet_parse(argc, argv, &options, &words);
    if (status != OPTIONS_GO_ON)
        return status;
    sheet *sheet = calloc(1, sizeof *sheet);
    if (!sheet) {
        say_error("out of memory: no room for a sheet");
        return CLI_FAILED;
    }
    for (int i = 1; i < words.count && status == OPTIONS_GO_ON; i++)
        status = sheet_open(&sheet->runs[sheet->run_count++], words.items[i], options.frame);
    if (status == OPTIONS_GO_ON)
        status = sheet_make(sheet, words.items[0], &options.views);
    sheet_free(sheet);
    return status;
}
