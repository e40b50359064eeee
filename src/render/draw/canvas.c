#include "render/draw/canvas.h"

#include "base/memory.h"
#include "base/vec.h"
#include "render/draw/font.h"

#include <assert.h>

fr_result canvas_create(canvas *canvas, fr_image *image)
{
    canvas->image = image;
    canvas->mask = MEMORY_NEW(float, (size_t)image->width * (size_t)image->height);
    canvas->box[0] = image->width;
    canvas->box[1] = image->height;
    canvas->box[2] = canvas->box[3] = 0;
    return canvas->mask ? FR_OK : FR_ERROR_MEMORY;
}

void canvas_destroy(canvas *canvas)
{
    memory_free(canvas->mask);
    canvas->mask = NULL;
}

static int canvas_pixel(double v, int most)
{
    return v <= 0 ? 0 : v >= most ? most : (int)v;
}

/* Marks the pixels of a rectangle as used; false when none is in the picture, also for NaN. */
static bool canvas_touch(canvas *canvas, const double low[2], const double high[2], int box[4])
{
    const fr_image *image = canvas->image;
    if (!(low[0] < image->width && low[1] < image->height && high[0] > 0 && high[1] > 0))
        return false;
    box[0] = canvas_pixel(low[0], image->width);
    box[1] = canvas_pixel(low[1], image->height);
    box[2] = canvas_pixel(high[0] + 1, image->width);
    box[3] = canvas_pixel(high[1] + 1, image->height);
    for (int i = 0; i < 2; i++) {
        canvas->box[i] = box[i] < canvas->box[i] ? box[i] : canvas->box[i];
        canvas->box[i + 2] = box[i + 2] > canvas->box[i + 2] ? box[i + 2] : canvas->box[i + 2];
    }
    return true;
}

static float *canvas_cover(const canvas *canvas, int x, int y)
{
    return canvas->mask + (size_t)y * (size_t)canvas->image->width + (size_t)x;
}

void canvas_line(canvas *canvas, const double a[2], const double b[2], double width)
{
    /* Lines thinner than a pixel are drawn a pixel wide, but fainter. */
    double half = fmax(width, 1) / 2, strength = fmin(width, 1), reach = half + 1;
    double low[2] = {fmin(a[0], b[0]) - reach, fmin(a[1], b[1]) - reach};
    double high[2] = {fmax(a[0], b[0]) + reach, fmax(a[1], b[1]) + reach};
    int box[4];
    if (!canvas_touch(canvas, low, high, box))
        return;
    double dx = b[0] - a[0], dy = b[1] - a[1], length2 = dx * dx + dy * dy;
    for (int y = box[1]; y < box[3]; y++)
        for (int x = box[0]; x < box[2]; x++) {
            double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
            double t = length2 > 0 ? clampd((px * dx + py * dy) / length2, 0, 1) : 0;
            double distance = hypot(px - t * dx, py - t * dy);
            float cover = (float)(strength * clampd(half + 0.5 - distance, 0, 1));
            float *mask = canvas_cover(canvas, x, y);
            *mask = cover > *mask ? cover : *mask;
        }
}

void canvas_polyline(canvas *canvas, const double (*points)[2], int count, double width)
{
    if (count == 1)
        canvas_line(canvas, points[0], points[0], width);
    for (int i = 0; i + 1 < count; i++)
        canvas_line(canvas, points[i], points[i + 1], width);
}

/* The sorted x at which the polygon's edges cross the height y; returns their number. */
static int canvas_crossings(const double (*points)[2], int count, double y, double *at)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        const double *a = points[i], *b = points[(i + 1) % count];
        if ((a[1] <= y) == (b[1] <= y))
            continue;
        double x = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
        int place = found++;
        for (; place > 0 && at[place - 1] > x; place--)
            at[place] = at[place - 1];
        at[place] = x;
    }
    return found;
}

/* Adds coverage to a row's pixels between two x; pixels at the ends are covered in part. */
static void canvas_span(canvas *canvas, const int box[4], int y, const double span[2])
{
    static const float weight = 1.0f / 8;
    for (int x = box[0]; x < box[2]; x++) {
        double part = fmin(span[1], x + 1) - fmax(span[0], x);
        if (part > 0) {
            float *mask = canvas_cover(canvas, x, y), cover = *mask + weight * (float)part;
            *mask = cover < 1 ? cover : 1;
        }
    }
}

void canvas_polygon(canvas *canvas, const double (*points)[2], int count)
{
    assert(count <= CANVAS_CORNERS);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, at[CANVAS_CORNERS];
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 2; c++) {
            low[c] = fmin(low[c], points[i][c]);
            high[c] = fmax(high[c], points[i][c]);
        }
    int box[4];
    if (!canvas_touch(canvas, low, high, box))
        return;
    for (int y = box[1]; y < box[3]; y++)
        for (int part = 0; part < 8; part++) {
            int found = canvas_crossings(points, count, y + (part + 0.5) / 8, at);
            for (int i = 0; i + 1 < found; i += 2)
                canvas_span(canvas, box, y, at + i);
        }
}

void canvas_paint(canvas *canvas, rgb colour, double opacity)
{
    int *box = canvas->box;
    for (int y = box[1]; y < box[3]; y++)
        for (int x = box[0]; x < box[2]; x++) {
            float *mask = canvas_cover(canvas, x, y);
            if (*mask > 0) {
                uint8_t *pixel = image_pixel(canvas->image, x, y);
                colour_to_bytes(rgb_mix(colour_of_bytes(pixel), colour, *mask * (float)opacity), pixel);
                *mask = 0;
            }
        }
    box[0] = canvas->image->width;
    box[1] = canvas->image->height;
    box[2] = box[3] = 0;
}

void canvas_rectangle(canvas *canvas, const int box[4], rgb colour)
{
    uint8_t bytes[3];
    colour_to_bytes(colour, bytes);
    const fr_image *image = canvas->image;
    for (int y = box[1] > 0 ? box[1] : 0; y < box[3] && y < image->height; y++)
        for (int x = box[0] > 0 ? box[0] : 0; x < box[2] && x < image->width; x++)
            for (int c = 0; c < 3; c++)
                image_pixel(image, x, y)[c] = bytes[c];
}

typedef struct canvas_letter {
    canvas *canvas;
    double origin[2], unit;
    bool up;
} canvas_letter;

static void canvas_stroke(void *context, const font_stroke *stroke)
{
    const canvas_letter *letter = context;
    double points[FONT_POINTS][2];
    for (int i = 0; i < stroke->count; i++) {
        double right = stroke->points[i][0] * letter->unit, rise = stroke->points[i][1] * letter->unit;
        points[i][0] = letter->origin[0] + (letter->up ? -rise : right);
        points[i][1] = letter->origin[1] - (letter->up ? right : rise);
    }
    canvas_polyline(letter->canvas, points, stroke->count, 1.25 * fmax(letter->unit, 0.9));
}

double canvas_text_width(const char *text, double size)
{
    return font_width(text) * size / FONT_CAP;
}

void canvas_write(canvas *canvas, const canvas_text *where, const char *text)
{
    canvas_letter letter = {.canvas = canvas, .unit = where->size / FONT_CAP, .up = where->up};
    double shift = where->anchor * canvas_text_width(text, where->size);
    /* Stems on pixel centres look sharp. */
    letter.origin[0] = floor(where->at[0] - (where->up ? 0 : shift)) + 0.5;
    letter.origin[1] = floor(where->at[1] + (where->up ? shift : 0)) - 0.5;
    for (int next = font_next(&text); next; next = font_next(&text)) {
        font_strokes(next, canvas_stroke, &letter);
        letter.origin[where->up ? 1 : 0] += (where->up ? -1 : 1) * font_advance(next) * letter.unit;
    }
}
