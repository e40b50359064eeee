#include "render/draw/pen.h"

#include "base/memory.h"

static const double pen_scale = 2;     /* pixels per unit */

static rgb pen_png_colour(uint32_t colour)
{
    const uint8_t bytes[3] = {(uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour};
    return colour_of_bytes(bytes);
}

static void pen_png_line(pen *pen, const double (*points)[2], int count, double width, uint32_t colour)
{
    for (int i = 0; i + 1 < count; i++) {
        double a[2] = {points[i][0] * pen_scale, points[i][1] * pen_scale};
        double b[2] = {points[i + 1][0] * pen_scale, points[i + 1][1] * pen_scale};
        canvas_line(&pen->canvas, a, b, width * pen_scale);
    }
    canvas_paint(&pen->canvas, pen_png_colour(colour), 1);
}

static void pen_png_polygon(pen *pen, const double (*points)[2], int count, uint32_t colour)
{
    double scaled[CANVAS_CORNERS][2];
    for (int i = 0; i < count && i < CANVAS_CORNERS; i++) {
        scaled[i][0] = points[i][0] * pen_scale;
        scaled[i][1] = points[i][1] * pen_scale;
    }
    canvas_polygon(&pen->canvas, scaled, count);
    canvas_paint(&pen->canvas, pen_png_colour(colour), 1);
}

static void pen_png_text(pen *pen, const canvas_text *where, const char *text, uint32_t colour)
{
    canvas_text scaled = *where;
    scaled.at[0] *= pen_scale;
    scaled.at[1] *= pen_scale;
    scaled.size *= pen_scale;
    canvas_write(&pen->canvas, &scaled, text);
    canvas_paint(&pen->canvas, pen_png_colour(colour), 1);
}

static fr_result pen_png_close(pen *pen, fr_result result)
{
    if (result == FR_OK)
        result = fr_image_write_png(&pen->image, pen->path);
    canvas_destroy(&pen->canvas);
    fr_image_free(&pen->image);
    return result;
}

fr_result pen_open_png(pen *pen, const char *path, int width, int height)
{
    *pen = (struct pen){
        .line = pen_png_line, .polygon = pen_png_polygon, .text = pen_png_text, .close = pen_png_close, .path = path};
    FR_TRY(image_create(&pen->image, (int)(width * pen_scale), (int)(height * pen_scale)));
    fr_result result = canvas_create(&pen->canvas, &pen->image);
    if (result != FR_OK) {
        fr_image_free(&pen->image);
        return result;
    }
    canvas_rectangle(&pen->canvas, (int[4]){0, 0, pen->image.width, pen->image.height}, (rgb){1, 1, 1});
    return FR_OK;
}
