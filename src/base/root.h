/* The root of a function between two places where its signs differ: false position, with the Illinois rule, which keeps
   the ends on their sides of the root and both of them moving (Dowell & Jarratt 1971). */
#ifndef FR_BASE_ROOT_H
#define FR_BASE_ROOT_H

#include <math.h>
#include <stdbool.h>

typedef double (*root_function)(void *context, double at);

/* An interval, and the function's values at its ends. */
typedef struct root_ends {
    double at[2], value[2];
} root_ends;

/* Calls the function until its value is within `close`, but `most` times at most, and last at what it returns; not at
   all where the ends have one sign, and then returns the second. */
static inline double root_between(root_function f, void *context, root_ends ends, double close, int most)
{
    double at = ends.at[1], value = ends.value[1];
    int last = -1;
    for (int n = 0; n < most && fabs(value) > close && (ends.value[0] > 0) != (ends.value[1] > 0); n++) {
        at = (ends.at[0] * ends.value[1] - ends.at[1] * ends.value[0]) / (ends.value[1] - ends.value[0]);
        value = f(context, at);
        const int end = (value > 0) == (ends.value[0] > 0) ? 0 : 1;
        ends.at[end] = at;
        ends.value[end] = value;
        if (last == end)
            ends.value[1 - end] *= 0.5;
        last = end;
    }
    return at;
}

#endif
