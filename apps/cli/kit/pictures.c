#include "kit/pictures.h"
#include "kit/damage.h"
#include "kit/interrupt.h"
#include "kit/last_words.h"
#include "kit/say.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct picture_set {
    fr_view_def views[PICTURES_VIEWS];
    char tags[PICTURES_VIEWS][160];   /* the view's part of file names */
    fr_range ranges[PICTURES_VIEWS];
    int count;
    bool partial;                     /* only some of the run's frames: their film must not replace the full one */
} picture_set;

static const char on_surface[] = "-surface";

/* Whether the name is that of the view's pictures: its field, or field-surface. */
static bool pictures_is_called(const fr_view_def *view, const char *name)
{
    size_t length = strlen(view->field);
    return !strncmp(name, view->field, length) && !strcmp(name + length, view->surface ? on_surface : "");
}

fr_view_def pictures_view_of(const fr_scene_def *def, const char *field)
{
    for (int i = 0; i < def->output.view_count; i++)
        if (pictures_is_called(&def->output.views[i], field))
            return def->output.views[i];
    const fr_field_info *known;
    int count = fr_fields(&known);
    for (int i = 0; i < count; i++) {
        const fr_view_def view = {.field = known[i].name, .surface = true};
        if (pictures_is_called(&view, field))
            return view;
    }
    return (fr_view_def){.field = field, .slice_axis = 2, .slice_at = 0.5};
}

/* Two views of one field get "field" and "field-2"; one on the surface "field-surface". */
static void pictures_tag(picture_set *set, int index)
{
    const fr_view_def *view = &set->views[index];
    char name[140];
    int same = 1;
    for (int i = 0; i < index; i++)
        same += !strcmp(set->views[i].field, view->field) && set->views[i].surface == view->surface;
    snprintf(name, sizeof name, "%s%s", view->field, view->surface ? on_surface : "");
    run_file_name(name, set->tags[index], sizeof set->tags[index] - 12);
    for (char *c = set->tags[index]; *c; c++)
        *c = *c == '%' ? '_' : *c;   /* it has a meaning in the pattern of a film's pictures */
    if (same > 1) {
        size_t used = strlen(set->tags[index]);
        snprintf(set->tags[index] + used, sizeof set->tags[index] - used, "-%d", same);
    }
}

void pictures_check(const fr_scene_def *def)
{
    if (def->output.view_count > PICTURES_VIEWS)
        say_warning("the scene has %d views; only the first %d are drawn", def->output.view_count, PICTURES_VIEWS);
    if (def->output.video && !fr_video_possible())
        say_warning("there will be no film: it needs the program ffmpeg (on Debian and Ubuntu: apt install ffmpeg); "
                    "the pictures will be kept");
}

static void pictures_choose(const pictures *pictures, const fr_frame *frame, picture_set *set)
{
    const fr_output_def *output = &pictures->def->output;
    set->count = 0;
    if (pictures->fields && pictures->fields->count) {
        for (int i = 0; i < pictures->fields->count && i < PICTURES_VIEWS; i++)
            set->views[set->count++] = pictures_view_of(pictures->def, pictures->fields->items[i]);
    } else if (output->view_count) {
        for (int i = 0; i < output->view_count && i < PICTURES_VIEWS; i++)
            set->views[set->count++] = output->views[i];
    } else {
        set->count = fr_default_views(frame, set->views, PICTURES_VIEWS);
    }
    for (int i = 0; i < set->count; i++) {
        const fr_view_def *view = &set->views[i];
        bool given = view->min != view->max;
        set->ranges[i] = given ? (fr_range){view->min, view->max} : (fr_range){INFINITY, -INFINITY};
        pictures_tag(set, i);
    }
}

static fr_result pictures_widen(const fr_frame *frame, picture_set *set)
{
    for (int i = 0; i < set->count; i++)
        if (set->views[i].min == set->views[i].max)
            FR_TRY(fr_view_range(frame, &set->views[i], &set->ranges[i]));
    return FR_OK;
}

static fr_result pictures_draw(const pictures *pictures, const fr_frame *frame, const picture_set *set)
{
    FR_TRY(fr_make_folder(run_folder_path(pictures->folder, "images").text));
    for (int i = 0; i < set->count; i++) {
        fr_image image = {0};
        bool known = set->ranges[i].min <= set->ranges[i].max;
        FR_TRY(fr_render_view(frame, pictures->def, &set->views[i], known ? &set->ranges[i] : NULL, &image));
        run_path path = run_folder_path(pictures->folder, "images/%s_%06d.png", set->tags[i], frame->index);
        fr_result result = fr_image_write_png(&image, path.text);
        fr_image_free(&image);
        FR_TRY(result);
    }
    return FR_OK;
}

fr_result pictures_of_frame(const pictures *pictures, const fr_frame *frame)
{
    picture_set set = {.partial = false};
    pictures_choose(pictures, frame, &set);
    return pictures_draw(pictures, frame, &set);
}

/* The path of a view's film, relative to the run's folder. The film of only a part of the frames has their numbers in
   its name. */
static void pictures_film_name(const pictures *pictures, const picture_set *set, int index, option_range part,
                               text *out)
{
    char name[256];
    run_file_name(pictures->def->name, name, sizeof name);
    text_add(out, "%s", name);
    if (set->count > 1)
        text_add(out, "-%s", set->tags[index]);
    if (set->partial)
        text_add(out, "-%d-%d", part.from, part.to);
    text_add(out, ".mp4");
}

static fr_result pictures_film_view(const pictures *pictures, const picture_set *set, int index, const int *frames,
                                    int count)
{
    const run_folder *folder = pictures->folder;
    int every = pictures->def->output.every > 0 ? pictures->def->output.every : 1;
    text pattern = {0}, name = {0};
    pictures_film_name(pictures, set, index, (option_range){frames[0], frames[count - 1]}, &name);
    text_add(&pattern, "%s/images/%s_%%06d.png", folder->dir, set->tags[index]);
    run_path film = run_folder_path(folder, "%s", name.data);
    fr_result result =
        fr_video_from_images(&(fr_series){pattern.data, frames, count}, pictures->def->time.fps / every, film.text);
    text_free(&pattern);
    text_free(&name);
    if (result == FR_OK)
        say_info("film: %s", film.text);
    return result;
}

fr_result pictures_names(const pictures *pictures, const fr_frame *frame, picture_name_sink sink, void *context)
{
    const fr_output_def *output = &pictures->def->output;
    int every = output->every > 0 ? output->every : 1;
    picture_set set = {.partial = false};
    if (!output->images && !output->video)
        return FR_OK;
    pictures_choose(pictures, frame, &set);
    for (int view = 0; view < set.count; view++) {
        char name[256];
        for (int i = pictures->frames.from; i <= pictures->frames.to; i += every) {
            snprintf(name, sizeof name, "images/%s_%06d.png", set.tags[view], i);
            FR_TRY(sink(context, name));
        }
        text film = {0};
        pictures_film_name(pictures, &set, view, pictures->frames, &film);
        fr_result result = pictures->film ? sink(context, film.data) : FR_OK;
        text_free(&film);
        FR_TRY(result);
    }
    return FR_OK;
}

static int pictures_film_set(const pictures *pictures, const picture_set *set, const int *frames, int count)
{
    for (int i = 0; i < set->count; i++) {
        fr_result result = pictures_film_view(pictures, set, i, frames, count);
        if (result != FR_OK) {
            say_error("no film: %s", fr_error_message());
            say_error("the pictures are kept in %s/images; 'freshet render %s' makes the film from the cache",
                      pictures->folder->dir, pictures->folder->dir);
            return CLI_FAILED;
        }
    }
    return CLI_DONE;
}

int pictures_film(const pictures *pictures, const fr_frame *sample, const int *frames, int count)
{
    picture_set set = {.partial = false};
    pictures_choose(pictures, sample, &set);
    return pictures_film_set(pictures, &set, frames, count);
}

typedef enum picture_pass { PASS_RANGES, PASS_DRAW } picture_pass;

/* On a terminal one updating line; else a line for every tenth of the frames. */
static void pictures_progress(picture_pass pass, int done, int count)
{
    if (say_on_terminal())
        say_status("%s %d/%d", pass == PASS_DRAW ? "pictures: frame" : "colour ranges: frame", done, count);
    else if (pass == PASS_DRAW && (int64_t)done * 10 / count > (int64_t)(done - 1) * 10 / count)
        say_info("pictures: frame %d/%d", done, count);
}

/* One pass over the cache. Frames that cannot be read are reported and removed from the list. */
static int pictures_pass(const pictures *pictures, picture_pass pass, picture_set *set, damage_list *list)
{
    for (int i = 0; i < list->count; i++) {
        if (interrupt_asked())
            return CLI_INTERRUPTED;
        fr_cached_frame *cached = damage_read(list, pictures->folder, i);
        if (!cached)
            continue;
        const fr_frame *frame = fr_cached_frame_view(cached);
        if (set->count == 0)
            pictures_choose(pictures, frame, set);
        fr_result result = pass == PASS_RANGES ? pictures_widen(frame, set) : pictures_draw(pictures, frame, set);
        fr_cached_frame_destroy(cached);
        if (result != FR_OK)
            return say_failure(result);
        pictures_progress(pass, i + 1, list->count);
    }
    damage_drop(list);
    return CLI_DONE;
}

/* Whether the run has frames besides the ones on the list. */
static fr_result pictures_are_partial(const pictures *pictures, const damage_list *list, bool *partial)
{
    int *all, count;
    FR_TRY(run_folder_frames(pictures->folder, (option_range){0, INT_MAX}, &all, &count));
    free(all);
    *partial = list->count < count;
    return FR_OK;
}

/* Two passes over the frames of the list, then the film. */
static int pictures_of_list(const pictures *pictures, picture_set *set, damage_list *list)
{
    text words = {0};
    text_add(&words,
             "the pictures could not be made: the library that draws them has ended the program, perhaps for lack of "
             "memory; the frames are kept, and 'freshet render %s' draws them",
             pictures->folder->dir);
    last_words_set(words.data);
    text_free(&words);
    say_info("pictures of %d frame%s follow", list->count, list->count == 1 ? "" : "s");
    int status = pictures_pass(pictures, PASS_RANGES, set, list);
    if (status == CLI_DONE)
        status = pictures_pass(pictures, PASS_DRAW, set, list);
    if (status == CLI_DONE && list->count > 0) {
        say_info("pictures: %d in %s/images", list->count * set->count, pictures->folder->dir);
        if (pictures->film)
            status = pictures_film_set(pictures, set, list->frames, list->count);
    }
    last_words_set(NULL);
    if (status == CLI_INTERRUPTED)
        say_error("stopped; 'freshet render %s' makes the rest", pictures->folder->dir);
    return status == CLI_DONE && list->damaged ? CLI_FAILED : status;
}

static int pictures_of_range(const pictures *pictures)
{
    damage_list list;
    picture_set set = {.count = 0};
    int status = CLI_FAILED;
    fr_result result = damage_find(&list, pictures->folder, pictures->frames);
    if (result == FR_OK)
        result = pictures_are_partial(pictures, &list, &set.partial);
    if (result != FR_OK)
        status = say_failure(result);
    else if (list.count == 0)
        say_error("no frame to draw: %s/cache holds none in the range asked for", pictures->folder->dir);
    else
        status = pictures_of_list(pictures, &set, &list);
    damage_free(&list);
    return status;
}

/* The bodies' surfaces are found once for all frames. */
int pictures_from_cache(const pictures *given)
{
    fr_scene_def def = *given->def;
    pictures pictures = *given;
    fr_models *models = NULL;
    if (def.body_count > 0) {
        fr_result result = fr_models_create(&def, &models);
        if (result != FR_OK)
            return say_failure(result);
    }
    def.look.models = models;
    pictures.def = &def;
    int status = pictures_of_range(&pictures);
    fr_models_destroy(models);
    return status;
}
