/* Title, time, colour bar and scale bar of a flat view. Colour ranges are percentiles: a triangle at an end of the bar
   says that values beyond it are drawn in that end's colour. */
#include "render/flat/flat.h"

#include "base/vec.h"
#include "render/space/liquid.h"
#include "render/draw/ticks.h"

#include <stdio.h>
#include <string.h>

static const char *flat_unit(const flat *flat)
{
    if (flat->kind == FLAT_DISCS)
        return liquid_unit(flat->frame, flat->view->field);
    const fr_field *field = fr_frame_field(flat->frame, flat->view->field);
    const char *unit = field ? field->unit : fr_field_describe(flat->view->field)->unit;
    return unit && strcmp(unit, "1") != 0 ? unit : "";
}

static void flat_text(canvas *canvas, const canvas_text *where, const char *text, rgb colour)
{
    canvas_write(canvas, where, text);
    canvas_paint(canvas, colour, 1);
}

/* "name: field", plus the slice's position in 3D, and which lines of a grid are drawn. */
static void flat_title(const flat *flat, canvas *canvas)
{
    char slice[48] = "", title[256];
    if (flat->view->surface)
        snprintf(slice, sizeof slice, " on the surface");
    else if (flat->frame->dims == 3) {
        int across = flat->cut.across;
        snprintf(slice, sizeof slice, ", %c = %.3g m", "xyz"[across],
                 flat->frame->origin[across] + flat->cut.at * flat->frame->spacing[across]);
    }
    int step = flat->kind == FLAT_GRID ? flat_grid_step(flat) : 1;
    if (step > 1)
        snprintf(slice + strlen(slice), sizeof slice - strlen(slice), ", every %d%s line", step,
                 step == 2 ? "nd" : "th");
    const char *name = flat->def->name;
    snprintf(title, sizeof title, "%s%s%s%s", name ? name : "", name ? ": " : "", flat->view->field, slice);
    canvas_text where = {.at = {flat->text * 2.5, flat->text * 2.6}, .size = flat->text};
    flat_text(canvas, &where, title, flat->palette.text);
}

static void flat_time(const flat *flat, canvas *canvas)
{
    char text[64];
    int width = canvas->image->width;
    snprintf(text, sizeof text, "t = %.3f s", flat->frame->time);
    double at[2] = {width - flat->text * 2.5, canvas->image->height - flat->text * 1.8};
    canvas_text where = {.at = {at[0], at[1]}, .anchor = 1, .size = flat->text};
    flat_text(canvas, &where, text, flat->palette.text);
}

/* A bar of a round length, about a sixth of the plot. */
static void flat_scale_bar(const flat *flat, canvas *canvas)
{
    double metres = flat_metres(flat, 0), width = flat->plot[2] - flat->plot[0];
    double length = ticks_round_down(fmax(width, 60) * metres / 4), size = flat->text;
    double x = flat->text * 2.5 + 0.5, y = canvas->image->height - size * 1.8 - 0.5, end = x + round(length / metres);
    double bar[4][2] = {{x, y - size * 0.5}, {x, y}, {end, y}, {end, y - size * 0.5}};
    canvas_polyline(canvas, bar, 4, fmax(size / 8, 1));
    char text[48];
    if (length >= 1000)
        snprintf(text, sizeof text, "%g km", length / 1000);
    else if (length >= 1)
        snprintf(text, sizeof text, "%g m", length);
    else if (length >= 0.01)
        snprintf(text, sizeof text, "%g cm", length * 100);
    else if (length >= 0.99e-4)   /* 0.1 mm, with a margin for rounding */
        snprintf(text, sizeof text, "%g mm", length * 1000);
    else
        snprintf(text, sizeof text, "%g µm", length * 1e6);
    canvas_text where = {.at = {end + size * 0.9, y + 0.5}, .size = size};
    canvas_write(canvas, &where, text);
    canvas_paint(canvas, flat->palette.text, 1);
}

/* The position of the colour bar: beside the plot, high enough for a few ticks. */
static void flat_bar_box(const flat *flat, const canvas *canvas, int box[4])
{
    int least = (int)(canvas->image->height - flat->text * 8.4), height = flat->plot[3] - flat->plot[1];
    height = height > least ? height : least < 140 ? least : height > 140 ? height : 140;
    int middle = (flat->plot[1] + flat->plot[3]) / 2;
    box[0] = canvas->image->width - (int)(flat->text * 8.2);
    box[2] = box[0] + (int)(flat->text * 1.5);
    box[1] = middle - height / 2;
    box[3] = box[1] + height;
}

/* A tick of the bar where a value lies, with its label. */
static void flat_bar_tick(const flat *flat, canvas *canvas, const int box[4], double value, const char *label)
{
    double t = (double)range_share(&flat->range, flat->decades, value);
    double y = floor(box[3] - 1 - t * (box[3] - box[1] - 1)) + 0.5;
    double from[2] = {box[2] + 0.5, y}, to[2] = {box[2] + floor(flat->text * 0.4) + 0.5, y};
    canvas_line(canvas, from, to, 1);
    canvas_paint(canvas, flat->palette.text, 0.6);
    canvas_text where = {.at = {box[2] + flat->text * 0.9, y + flat->text / 2 + 0.5}, .size = flat->text};
    flat_text(canvas, &where, label, flat->palette.text);
}

/* Powers of ten, at most about eight of them. */
static void flat_bar_decades(const flat *flat, canvas *canvas, const int box[4])
{
    double low = ceil(log10(flat->range.min) - 1e-6), high = floor(log10(flat->range.max) + 1e-6);
    double step = fmax(ceil((high - low) / 8), 1);
    for (double power = low; power <= high; power += step) {
        char label[48];
        snprintf(label, sizeof label, "%g", pow(10, power));
        flat_bar_tick(flat, canvas, box, pow(10, power), label);
    }
}

static void flat_bar_ticks(const flat *flat, canvas *canvas, const int box[4])
{
    ticks ticks = ticks_between(flat->range.min, flat->range.max, 6);
    if (flat->decades && flat->range.max >= 10 * flat->range.min) {
        flat_bar_decades(flat, canvas, box);
        return;
    }
    for (int i = 0; i < ticks.count; i++) {
        char label[48];
        ticks_label(&ticks, i, label, sizeof label);
        flat_bar_tick(flat, canvas, box, ticks_value(&ticks, i), label);
    }
}

/* A triangle on the upper or lower end of the bar, in that end's colour. */
static void flat_bar_clipped(const flat *flat, canvas *canvas, const int box[4], bool upper)
{
    double y = upper ? box[1] - 1 : box[3] + 1, tip = y + (upper ? -0.9 : 0.9) * flat->text;
    double corners[4][2] = {{box[0], y}, {(box[0] + box[2]) / 2.0, tip}, {box[2], y}, {box[0], y}};
    canvas_polygon(canvas, corners, 3);
    canvas_paint(canvas, colour_of_bytes(colormap_at(&flat->map, upper)), 1);
    /* outlined, since an end of the bar may have the background's colour */
    canvas_polyline(canvas, corners, 4, 1);
    canvas_paint(canvas, flat->palette.text, 0.6);
}

static void flat_colour_bar(const flat *flat, canvas *canvas)
{
    int box[4];
    flat_bar_box(flat, canvas, box);
    for (int y = box[1] > 0 ? box[1] : 0; y < box[3] && y < canvas->image->height; y++) {
        const uint8_t *colour = colormap_at(&flat->map, (float)(box[3] - 0.5 - y) / (float)(box[3] - box[1]));
        for (int x = box[0]; x < box[2]; x++)
            for (int c = 0; c < 3; c++)
                image_pixel(canvas->image, x, y)[c] = colour[c];
    }
    flat_bar_ticks(flat, canvas, box);
    const char *unit = flat_unit(flat);
    for (int end = 0; end < 2; end++)
        if (flat->clipped[end])
            flat_bar_clipped(flat, canvas, box, end);
    canvas_text where = {.at = {box[0], box[1] - flat->text * 1.6}, .size = flat->text};
    if (*unit)
        flat_text(canvas, &where, unit, flat->palette.text);
}

/* The key of a velocity picture: a square of all velocities, x to the right, y up, zero in the middle. */
static void flat_velocity_key(const flat *flat, canvas *canvas)
{
    double most = fmax(fabs(flat->range.min), fabs(flat->range.max)), size = flat->text;
    int side = (int)(size * 5), x0 = canvas->image->width - (int)(size * 8.2),
        y0 = (flat->plot[1] + flat->plot[3] - side) / 2;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            double v[2] = {(2 * x + 1.0) / side - 1, 1 - (2 * y + 1.0) / side};
            if (y0 + y >= 0 && y0 + y < canvas->image->height)
                flat_velocity_colour(v[0], v[1], image_pixel(canvas->image, x0 + x, y0 + y));
        }
    char text[48];
    snprintf(text, sizeof text, "±%.3g m/s", most);
    flat_text(canvas, &(canvas_text){.at = {x0, y0 - size * 0.8}, .size = size}, text, flat->palette.text);
    flat_text(canvas, &(canvas_text){.at = {x0 + side, y0 + side + size * 1.6}, .anchor = 1, .size = size}, "x",
              flat->palette.text);
    flat_text(canvas, &(canvas_text){.at = {x0 + side + size * 0.6, y0 + size}, .size = size}, "y", flat->palette.text);
}

static void flat_frame(const flat *flat, canvas *canvas)
{
    double x0 = flat->plot[0] - 0.5, y0 = flat->plot[1] - 0.5, x1 = flat->plot[2] + 0.5, y1 = flat->plot[3] + 0.5;
    double corners[5][2] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}};
    canvas_polyline(canvas, corners, 5, 1);
    canvas_paint(canvas, flat->palette.faint, 1);
}

void flat_legend(const flat *flat, canvas *canvas)
{
    flat_title(flat, canvas);
    flat_time(flat, canvas);
    flat_colour_bar(flat, canvas);
}

void flat_label(const flat *flat, canvas *canvas)
{
    flat_frame(flat, canvas);
    flat_title(flat, canvas);
    flat_time(flat, canvas);
    flat_scale_bar(flat, canvas);
    if (flat_is_mapped(flat))
        flat_colour_bar(flat, canvas);
    if (flat->kind == FLAT_VELOCITY)
        flat_velocity_key(flat, canvas);
}
