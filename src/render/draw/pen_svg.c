#define _POSIX_C_SOURCE 200809L
#include "render/draw/pen.h"

#include <freshet/io.h>
#include <stdlib.h>
#include <string.h>

static void pen_svg_points(FILE *file, const double (*points)[2], int count)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%.2f,%.2f", i > 0 ? " " : "", points[i][0], points[i][1]);
}

static void pen_svg_line(pen *pen, const double (*points)[2], int count, double width, uint32_t colour)
{
    fprintf(pen->file, "<polyline fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" stroke-linejoin=\"round\" "
                       "stroke-linecap=\"round\" points=\"", colour, width);
    pen_svg_points(pen->file, points, count);
    fputs("\"/>\n", pen->file);
}

static void pen_svg_polygon(pen *pen, const double (*points)[2], int count, uint32_t colour)
{
    fprintf(pen->file, "<polygon fill=\"#%06x\" points=\"", colour);
    pen_svg_points(pen->file, points, count);
    fputs("\"/>\n", pen->file);
}

/* Length of the UTF-8 sequence at `text`; 0 when it is invalid or not allowed in XML. */
static int pen_svg_sequence(const unsigned char *text)
{
    int length = text[0] < 0x80 ? 1 : text[0] >= 0xC2 && text[0] < 0xE0 ? 2 : text[0] >= 0xE0 && text[0] < 0xF0 ? 3
               : text[0] >= 0xF0 && text[0] < 0xF5 ? 4 : 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    bool too_long = (text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xF0 && text[1] < 0x90);
    bool no_letter = (text[0] == 0xED && text[1] >= 0xA0) || (text[0] == 0xEF && text[1] == 0xBF && text[2] >= 0xBE)
                  || (text[0] == 0xF4 && text[1] >= 0x90);
    return too_long || no_letter || (length == 1 && text[0] < ' ') ? 0 : length;
}

static void pen_svg_escape(FILE *file, const char *text)
{
    while (*text) {
        int length = pen_svg_sequence((const unsigned char *)text);
        if (length == 0)
            fputc('?', file);
        else if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fwrite(text, 1, (size_t)length, file);
        text += length > 0 ? length : 1;
    }
}

static void pen_svg_text(pen *pen, const canvas_text *where, const char *text, uint32_t colour)
{
    const char *anchor = where->anchor > 0.75 ? "end" : where->anchor > 0.25 ? "middle" : "start";
    double x = where->at[0], y = where->at[1];
    /* the cap height of common fonts is about 0.72 of the font size */
    fprintf(pen->file, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.2f\" fill=\"#%06x\" text-anchor=\"%s\"", x, y,
            where->size / 0.72, colour, anchor);
    if (where->up)
        fprintf(pen->file, " transform=\"rotate(-90 %.2f %.2f)\"", x, y);
    fputc('>', pen->file);
    pen_svg_escape(pen->file, text);
    fputs("</text>\n", pen->file);
}

static fr_result pen_svg_close(pen *pen, fr_result result)
{
    fputs("</svg>\n", pen->file);
    bool bad = ferror(pen->file) != 0;
    bad = fclose(pen->file) != 0 || bad;
    if (result == FR_OK && bad)
        result = fr_fail(FR_ERROR_MEMORY, "no memory to write %s", pen->path);
    if (result == FR_OK)
        result = fr_text_write(pen->path, pen->svg);
    free(pen->svg);
    return result;
}

fr_result pen_open_svg(pen *pen, const char *path, int width, int height)
{
    *pen = (struct pen){
        .line = pen_svg_line, .polygon = pen_svg_polygon, .text = pen_svg_text, .close = pen_svg_close, .path = path};
    pen->file = open_memstream(&pen->svg, &pen->length);
    if (!pen->file)
        return fr_fail(FR_ERROR_MEMORY, "no memory to write %s", path);
    fprintf(pen->file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            width, height, width, height, width, height);
    return FR_OK;
}
