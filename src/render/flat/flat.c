#include "render/flat/flat.h"

#include "base/vec.h"
#include "render/space/liquid.h"

#include <math.h>
#include <string.h>

enum { FLAT_LONG_SIDE = 900, FLAT_LEAST_WIDTH = 320, FLAT_LEAST_HEIGHT = 150 };
/* Margins around the plot, in cap heights. */
static const double margin_left = 2.5, margin_top = 4.2, margin_right = 9.5, margin_bottom = 4.2, margin_plain = 2.5;

static double flat_extent(const flat *flat, int axis)
{
    return flat->cut.size[axis];
}

/* The largest plot with the domain's aspect ratio, centred in a box; at least one pixel along each axis. */
static void flat_fit(flat *flat, const double box[4])
{
    double room[2] = {box[2] - box[0], box[3] - box[1]};
    double scale = fmin(room[0] / flat_extent(flat, 0), room[1] / flat_extent(flat, 1));
    for (int i = 0; i < 2; i++) {
        int size = (int)fmax(1, round(flat_extent(flat, i) * scale));
        flat->plot[i] = (int)floor(box[i] + (room[i] - size) / 2 + 0.5);
        flat->plot[i + 2] = flat->plot[i] + size;
    }
}

static void flat_choose_size(const flat *flat, const double around[2], int *width, int *height)
{
    double longest = fmax(flat_extent(flat, 0), flat_extent(flat, 1));
    double plot[2] = {FLAT_LONG_SIDE * flat_extent(flat, 0) / longest, FLAT_LONG_SIDE * flat_extent(flat, 1) / longest};
    double size[2] = {fmax(plot[0], FLAT_LEAST_WIDTH) + around[0], fmax(plot[1], FLAT_LEAST_HEIGHT) + around[1]};
    const fr_look_def *look = &flat->def->look;
    if (look->width > 0 && look->height <= 0)
        size[1] = fmax(plot[1] / plot[0] * fmax(look->width - around[0], 1), FLAT_LEAST_HEIGHT) + around[1];
    if (look->height > 0 && look->width <= 0)
        size[0] = fmax(plot[0] / plot[1] * fmax(look->height - around[1], 1), FLAT_LEAST_WIDTH) + around[0];
    *width = look->width > 0 ? look->width : (int)fmin(round(size[0]), IMAGE_MOST);
    *height = look->height > 0 ? look->height : (int)fmin(round(size[1]), IMAGE_MOST);
}

/* Sets `plot` and `text`, and the size of the picture. */
static void flat_layout(flat *flat, int *width, int *height)
{
    const fr_look_def *look = &flat->def->look;
    int longest = look->width > look->height ? look->width : look->height;
    double text = longest > 0 ? clampd(round(longest * 0.012), 9, 40) : 11;
    double right = flat_has_key(flat) ? margin_right : margin_plain;
    double around[2] = {text * (margin_left + right), text * (margin_top + margin_bottom)};
    flat_choose_size(flat, around, width, height);
    bool room = *width >= around[0] + 160 && *height >= around[1] + 40;
    flat->text = room ? text : 0;
    double box[4] = {flat->text * margin_left, flat->text * margin_top, *width - flat->text * right,
                     *height - flat->text * margin_bottom};
    flat_fit(flat, box);
}

/* The map for smoke where the look sets a background: its own colour on a dark one, a dark veil on a light one. */
static void flat_smoke_map(flat *flat)
{
    static const double pale[3] = {0.92, 0.93, 0.95}, veil[3] = {0.10, 0.12, 0.15};
    const fr_look_def *look = &flat->def->look;
    const double *own = look->smoke_colour;
    bool set = own[0] != 0 || own[1] != 0 || own[2] != 0;
    colormap_between(look->background, !flat->palette.dark ? veil : set ? own : pale, &flat->map);
}

static fr_result flat_choose_map(flat *flat)
{
    if (flat->view->colormap)
        return colormap_find(flat->view->colormap, &flat->map);
    if (flat->kind == FLAT_DISCS)
        return colormap_find(COLORMAP_OF_LIQUIDS, &flat->map);
    const char *own = range_look(flat->frame, flat->view->field)->colormap;
    if (strcmp(own, "smoke") != 0 || !flat->def->look.background_set)
        return colormap_find(own, &flat->map);
    flat_smoke_map(flat);
    return FR_OK;
}

static flat_kind flat_kind_of(const fr_frame *frame, const char *field)
{
    if (liquid_has(frame, field))
        return strcmp(field, "liquid") == 0 ? FLAT_LIQUID : FLAT_DISCS;
    static const struct { const char *name; flat_kind kind; } own[] = {
        {"dyes", FLAT_INKS}, {"velocity", FLAT_VELOCITY}, {"particles", FLAT_PLAIN}, {"grid", FLAT_GRID},
        {"cell_types", FLAT_CELLS}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(field, own[i].name) == 0 && !fr_frame_field(frame, field))
            return own[i].kind;
    return FLAT_FIELD;
}

/* Fails when the frame lacks what this kind of picture shows. */
static fr_result flat_check(const flat *flat)
{
    if (flat->kind == FLAT_INKS && palette_ink_count(flat->frame) == 0)
        return fr_fail_key("look.views.field", "the view 'dyes' shows the inks of a scene, and this one has none; "
                                               "add scalars, or draw 'density' or 'speed'");
    if (flat->kind == FLAT_CELLS && !liquid_has_grid(flat->frame))
        return fr_fail_key("look.views.field", "the view 'cell_types' shows the cells of a liquid on a grid, and this "
                                               "scene has none; draw 'grid' or 'speed'");
    if (flat->kind == FLAT_PLAIN && !flat->frame->has_particles)
        return fr_fail_key("look.views.field",
                           "the view 'particles' shows the particles of a scene, and this one has none; "
                           "add particles, or draw 'speed'");
    return FR_OK;
}

/* Smoke goes on into bodies, so that it does not fade towards them. */
static fr_result flat_extract_around(flat *flat)
{
    if (flat->bodies.count == 0)
        return FR_OK;
    FR_TRY(plane_extract(flat->frame, "solid", &flat->cut, &flat->around));
    for (size_t i = 0; i < (size_t)flat->around.n[0] * (size_t)flat->around.n[1]; i++)
        flat->around.data[i] = -flat->around.data[i];
    return FR_OK;
}

/* Around a curvilinear grid everything is land, and obstacles are islands: both in the same colours. */
static void flat_land(flat *flat)
{
    palette *p = &flat->palette;
    const double *own = flat->def->look.obstacle_colour;
    p->obstacle = p->dark ? palette_colour(own, 0.165, 0.175, 0.17) : palette_colour(own, 0.88, 0.87, 0.84);
    p->outline = rgb_mix(p->obstacle, p->text, 0.35f);
}

/* Call after flat_layout: it needs the plot's position. */
static fr_result flat_bend(flat *flat)
{
    const int *plot = flat->plot;
    double scale[2] = {1 / flat_metres(flat, 0), -1 / flat_metres(flat, 1)};
    bend_view view = {{plot[0], plot[1], plot[2], plot[3]}, {0}, {scale[0], scale[1]}};
    flat_point(flat, (double[2]){0, 0}, view.from);
    flat_land(flat);
    return bend_create(flat->frame, &view, &flat->bend);
}

static fr_result flat_prepare(flat *flat, const fr_range *film)
{
    const fr_view_def *view = flat->view;
    const fr_frame *drawn = &flat->bodies.drawn;
    FR_TRY(cast_create(flat->frame, flat->def, &flat->bodies));
    flat->frame = &flat->bodies.joined;
    FR_TRY(cut_of_view(flat->frame, view, &flat->cut));
    flat->kind = flat_kind_of(flat->frame, view->field);
    FR_TRY(flat_check(flat));
    flat->palette = palette_of_look(&flat->def->look);
    if (flat_is_mapped(flat))
        FR_TRY(flat_choose_map(flat));
    FR_TRY(range_of_view(flat->frame, view, film, &flat->range));
    if (flat_is_mapped(flat))
        FR_TRY(range_clips(flat->frame, view, &flat->range, flat->clipped));
    flat->decades = flat->kind == FLAT_FIELD && range_is_in_decades(flat->frame, view->field, &flat->range);
    if (fr_frame_field(drawn, "solid"))
        FR_TRY(plane_extract(drawn, "solid", &flat->cut, &flat->solid));
    FR_TRY(flat_extract_around(flat));
    if (flat->kind == FLAT_FIELD && liquid_owns(flat->frame, view->field))
        FR_TRY(plane_extract(flat->frame, "level_set", &flat->cut, &flat->level));
    return FR_OK;
}

static bool flat_has_dots(const flat *flat)
{
    bool hidden = flat->view->hide_particles && flat->kind != FLAT_PLAIN;
    return flat->frame->can & FR_FRAME_CARRIED_PARTICLES && !hidden && flat->kind != FLAT_GRID;
}

static fr_result flat_draw(const flat *flat, fr_image *image)
{
    canvas canvas;
    FR_TRY(canvas_create(&canvas, image));
    canvas_rectangle(&canvas, (int[4]){0, 0, image->width, image->height}, flat->palette.background);
    if (flat->bend.node)
        canvas_rectangle(&canvas, flat->plot, flat->palette.obstacle);
    fr_result result = flat->kind == FLAT_LIQUID  ? flat_liquid(flat, image)
                       : flat->kind == FLAT_DISCS ? flat_discs(flat, &canvas)
                       : flat->kind == FLAT_CELLS ? flat_cell_types(flat, image)
                                                  : flat_paint(flat, image);
    if (result == FR_OK)
        flat_bodies(flat, image);
    if (result == FR_OK && flat->kind == FLAT_GRID)
        flat_grid(flat, &canvas);
    if (result == FR_OK && flat->bend.node)
        flat_banks(flat, &canvas);
    if (result == FR_OK && flat_has_dots(flat))
        flat_dots(flat, &canvas);
    if (result == FR_OK && flat->view->streamlines)
        result = flat_streamlines(flat, &canvas);
    if (result == FR_OK && flat->view->arrows)
        result = flat_arrows(flat, &canvas);
    if (result == FR_OK && flat->text > 0)
        flat_label(flat, &canvas);
    canvas_destroy(&canvas);
    return result;
}

fr_result flat_render(const fr_frame *frame, const fr_scene_def *def, const fr_view_def *view, const fr_range *range,
                      fr_image *image)
{
    flat flat = {.frame = frame, .def = def, .view = view};
    fr_result result = flat_prepare(&flat, range);
    int width, height;
    if (result == FR_OK) {
        flat_layout(&flat, &width, &height);
        result = flat.frame->can & FR_FRAME_BENT ? flat_bend(&flat) : FR_OK;
    }
    if (result == FR_OK)
        result = image_create(image, width, height);
    if (result == FR_OK)
        result = flat_draw(&flat, image);
    plane_free(&flat.solid);
    plane_free(&flat.level);
    plane_free(&flat.around);
    cast_destroy(&flat.bodies);
    bend_destroy(&flat.bend);
    if (result != FR_OK)
        fr_image_free(image);
    return result;
}
