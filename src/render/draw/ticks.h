/* Axis ticks at round numbers. */
#ifndef FR_RENDER_DRAW_TICKS_H
#define FR_RENDER_DRAW_TICKS_H

#include <stddef.h>

typedef struct ticks {
    double first, step;
    int count;
} ticks;

/* About `wanted` multiples of 1, 2 or 5 times a power of ten within [min, max]. */
ticks ticks_between(double min, double max, int wanted);

/* The largest of 1, 2, 5 times a power of ten that does not exceed a positive number. */
double ticks_round_down(double value);

static inline double ticks_value(const ticks *ticks, int i) { return ticks->first + i * ticks->step; }

/* The tick's value as text, with as many digits as the step needs. */
void ticks_label(const ticks *ticks, int i, char *text, size_t size);

#endif
