/* A small stroke font for labels: cap height 9 units, x-height 6, descenders 3. */
#ifndef FR_RENDER_DRAW_FONT_H
#define FR_RENDER_DRAW_FONT_H

enum { FONT_CAP = 9, FONT_CURVE = 6, FONT_POINTS = 128 };

/* One stroke as a polyline, in units, y up from the baseline. */
typedef struct font_stroke {
    int count;
    double points[FONT_POINTS][2];
} font_stroke;

typedef void (*font_sink)(void *context, const font_stroke *stroke);

/* Takes the next character of a UTF-8 text; '?' for characters that the font lacks. 0 at the end. */
int font_next(const char **text);

/* Distance to the next letter, units. */
double font_advance(int letter);

/* Width of a text, units. */
double font_width(const char *text);

/* Calls `sink` for each stroke of a letter. */
void font_strokes(int letter, font_sink sink, void *context);

#endif
