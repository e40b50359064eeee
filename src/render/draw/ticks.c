#include "render/draw/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TICKS_MOST = 64 };

double ticks_round_down(double value)
{
    double power = pow(10, floor(log10(value)));
    double digit = value / power * (1 + 1e-9);
    return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}

ticks ticks_between(double min, double max, int wanted)
{
    double span = max - min;
    if (!(span > 0) || !isfinite(span) || span < 1e-13 * fmax(fabs(min), fabs(max)))
        return (ticks){min, 1, isfinite(min) ? 1 : 0};
    double step = ticks_round_down(span / wanted);
    if (span / step > 1.6 * wanted)
        step = ticks_round_down(step * 2.5);
    double low = ceil(min / step - 1e-6), high = floor(max / step + 1e-6);
    int count = (int)fmin(high - low + 1, TICKS_MOST);
    return (ticks){low * step, step, count};
}

/* "1.5e-06" to "1.5e-6". */
static void ticks_shorten(char *text)
{
    char *e = strchr(text, 'e');
    if (!e)
        return;
    char *from = e + (e[1] == '-' ? 2 : 1), *to = from;
    while (*from == '+' || (*from == '0' && from[1]))
        from++;
    memmove(to, from, strlen(from) + 1);
}

void ticks_label(const ticks *ticks, int i, char *text, size_t size)
{
    double value = ticks_value(ticks, i), step = fabs(ticks->step);
    double largest = fmax(fabs(ticks->first), fabs(ticks_value(ticks, ticks->count - 1)));
    double digits = -floor(log10(step) + 1e-9);
    if (fabs(value) < step * 1e-6)
        snprintf(text, size, "0");
    else if (ticks->count == 1)
        snprintf(text, size, "%.4g", value);
    else if (largest >= 1e5 || largest < 1e-2)
        snprintf(text, size, "%.*e", (int)fmin(6, fmax(0, floor(log10(fabs(value)) + 1e-9) + digits)), value);
    else
        snprintf(text, size, "%.*f", (int)fmin(fmax(digits, 0), 12), value);
    ticks_shorten(text);
}
