/* A stroke font on a grid. A glyph is its advance width followed by strokes. A stroke is a list of points, each a digit
   for x and a letter for y (A = -3, D = baseline, J = x-height, M = cap height). A stroke that begins with '~' is a
   quadratic B-spline with those control points, closed when its ends coincide. */
#include "render/draw/font.h"

#include <stdbool.h>
#include <string.h>

static const double tracking = 0.7;   /* extra space between letters for the width of the strokes */

static const char *const letters[95] = {
    "4", "3 1M1G 1D1D", "5 1M1K 3M3K", "8 2M1D 5M4D 0J6J 0G6G", "7 ~5J5L0L0H5I5E0E0G 3N3C",
    "9 ~0K0M3M3J0J0K ~4E4H7H7D4D4E 6M1D", "8 ~6D1J1M4M4J0G0D4D6H", "3 1M1K", "4 ~2N0K0E2B", "4 ~0N2K2E0B",
    "6 2L2G 0K4H 4K0H", "8 3J3D 0G6G", "3 1D0B", "6 0G4G", "3 1D1D", "6 4M0D",
    "7 ~0F0K0M5M5K5F5D0D0F", "7 1K3M3D 1D5D", "7 ~0K0M5M5I0E0D 0D5D", "7 ~0K0M5M5I2I ~2I5I5D0D0F",
    "7 4D4M0G5G", "7 5M0M0I ~0I1J5J5D0D0F", "7 ~5K5M0M0D5D5J0J0G", "7 0M5M1D",
    "7 ~0K0M5M5I0I0K ~0F0I5I5D0D0F", "7 ~0F0D5D5M0M0G5G5J",
    "3 1J1J 1D1D", "3 1J1J 1D0B", "7 5J0G5D", "7 0I5I 0F5F", "7 0J5G0D", "7 ~0K0M5M5I2I2G 2D2D",
    "9 ~5J2J2F5F5J 5J5F ~5F7F7M0M0D6D",
    "8 0D3M6D 1G5G", "7 0M0D ~0M5M5I2I 0I2I ~2I6I6D0D", "7 ~5K5M0M0J0G0D5D5F", "7 0D0M2M 0D2D ~2M5M5J5G5D2D",
    "7 5M0M0D5D 0I4I", "6 5M0M0D 0I4I", "7 ~5K5M0M0J0G0D5D5H 5H3H", "7 0M0D 5M5D 0I5I", "3 1M1D",
    "6 ~4M4H4D0D0F", "7 0M0D 5M0H 2J5D", "6 0M0D4D", "8 0D0M3G6M6D", "7 0D0M5D5M", "8 ~0F0K0M6M6K6F6D0D0F",
    "7 0D0M2M ~2M6M6H2H 2H0H", "8 ~0F0K0M6M6K6F6D0D0F 4F6D", "7 0D0M2M ~2M6M6H2H 2H0H 3H5D",
    "7 ~5K5M0M0I5H5D0D0F", "8 0M6M 3M3D", "7 ~0M0F0D5D5F5M", "8 0M3D6M", ":0M2D4M6D8M", "7 0M5D 5M0D",
    "8 0M3H6M 3H3D", "7 0M5M0D5D",
    "4 3N1N1B3B", "6 0M4D", "4 0N2N2B0B", "7 0J2M4J", "7 0C5C", "4 0M2K",
    "6 ~0G0J4J4G4D0D0G 4J4D", "6 0M0D ~0G0J4J4G4D0D0G", "6 ~4I4J0J0G0D4D4E", "6 4M4D ~0G0J4J4G4D0D0G",
    "6 0G4G ~4G4J0J0G0D4D4E", "5 ~4M1M1J 1J1D 0J3J", "6 ~4J4C4A0A0B ~0G0J4J4G4D0D0G", "6 0M0D ~0G0J4J4G 4G4D",
    "3 1J1D 1L1L", "4 ~2J2C2A0A 2L2L", "6 0M0D 4J0F 1G4D", "4 ~1M1E1D2D",
    "8 0J0D ~0G0J3J3G 3G3D ~3G3J6J6G 6G6D", "6 0J0D ~0G0J4J4G 4G4D", "6 ~0G0J4J4G4D0D0G",
    "6 0J0A ~0G0J4J4G4D0D0G", "6 4J4A ~0G0J4J4G4D0D0G", "5 0J0D ~0G0J2J3J", "6 ~4I4J0J0G4G4D0D0E",
    "5 ~1M1F1D3D 0J3J", "6 ~0J0G0D4D4G 4J4D", "6 0J2D4J", "8 0J1D3J5D6J", "6 0J4D 4J0D", "6 0J2D 4J1A",
    "6 0J4J0D4D",
    "5 ~3N1N1J1G0G ~0G1G1D1B3B", "3 1N1B", "5 ~0N2N2J2G3G ~3G2G2D2B0B", "7 ~0G0I2I3G5G5I",
};

/* Characters beyond ASCII that units and titles use. */
static const struct {
    int letter;
    const char *strokes;
} more[] = {
    {0xB2, "4 ~0L0M2M2L0I0I 0I2I"}, {0xB3, "4 0M2M1K ~1K2K2I0I0I"}, {0xB7, "3 1G1G"}, {0xB0, "4 ~0L0M2M2K0K0L"},
    {0xB5, "6 0J0A ~0J0G0D4D4G 4J4D"}, {0xB1, "8 3L3F 0I6I 0D6D"},
    {0x2212, "8 1G5G"}, {0xD7, "7 0I4E 4I0E"}, {0x2013, "7 0G5G"},
};

static const char *font_letter(int letter)
{
    if (letter >= ' ' && letter <= '~')
        return letters[letter - ' '];
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i].letter == letter)
            return more[i].strokes;
    return NULL;
}

/* Each byte that is not valid UTF-8 counts as one character. */
static int font_decode(const char **text)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    int extra = bytes[0] < 0xC0 ? 0 : bytes[0] < 0xE0 ? 1 : bytes[0] < 0xF0 ? 2 : 3;
    int letter = extra == 0 ? bytes[0] : bytes[0] & (0x3F >> extra);
    for (int i = 1; i <= extra; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            extra = 0;
            letter = '?';
            break;
        }
        letter = letter << 6 | (bytes[i] & 0x3F);
    }
    *text += 1 + extra;
    return letter;
}

int font_next(const char **text)
{
    if (!**text)
        return 0;
    int letter = font_decode(text);
    return font_letter(letter) ? letter : '?';
}

double font_advance(int letter)
{
    return font_letter(letter)[0] - '0' + tracking;
}

double font_width(const char *text)
{
    double width = 0;
    for (int letter = font_next(&text); letter; letter = font_next(&text))
        width += font_advance(letter);
    return width;
}

static void font_add(font_stroke *stroke, double x, double y)
{
    if (stroke->count < FONT_POINTS) {
        stroke->points[stroke->count][0] = x;
        stroke->points[stroke->count][1] = y;
        stroke->count++;
    }
}

/* The spline segment with control point b, from the midpoint of ab to the midpoint of bc. */
static void font_arc(font_stroke *stroke, const double a[2], const double b[2], const double c[2])
{
    for (int i = 1; i <= FONT_CURVE; i++) {
        double t = (double)i / FONT_CURVE, s = 1 - t;
        font_add(stroke, a[0] * s * s + 2 * b[0] * s * t + c[0] * t * t,
                 a[1] * s * s + 2 * b[1] * s * t + c[1] * t * t);
    }
}

static void font_smooth(font_stroke *out, const font_stroke *in)
{
    int last = in->count - 1;
    bool closed = in->points[0][0] == in->points[last][0] && in->points[0][1] == in->points[last][1];
    const double(*p)[2] = in->points;
    double from[2] = {p[0][0], p[0][1]};
    if (closed) {
        from[0] = (p[last - 1][0] + p[0][0]) / 2;
        from[1] = (p[last - 1][1] + p[0][1]) / 2;
    }
    font_add(out, from[0], from[1]);
    for (int i = closed ? 0 : 1; i < last; i++) {
        bool end = !closed && i == last - 1;
        double to[2] = {end ? p[last][0] : (p[i][0] + p[i + 1][0]) / 2, end ? p[last][1] : (p[i][1] + p[i + 1][1]) / 2};
        font_arc(out, from, p[i], to);
        from[0] = to[0];
        from[1] = to[1];
    }
}

void font_strokes(int letter, font_sink sink, void *context)
{
    const char *code = font_letter(letter) + 1;
    while (*code) {
        code += *code == ' ';
        bool smooth = *code == '~';
        code += smooth;
        font_stroke corners = {0}, curve = {0};
        for (; *code && *code != ' '; code += 2)
            font_add(&corners, code[0] - '0', code[1] - 'D');
        if (smooth)
            font_smooth(&curve, &corners);
        sink(context, smooth ? &curve : &corners);
    }
}
