/* Eight floats at once, for the few loops that the compiler does not vectorise well by itself (picking samples from
   scattered places, stencils). Vector extensions of gcc and clang: any processor, wider registers where it has them. */
#ifndef FR_BASE_WIDE_H
#define FR_BASE_WIDE_H

#include <stdint.h>
#include <string.h>

enum { WIDE = 8 };

typedef float wide __attribute__((vector_size(32)));
typedef int32_t wide_mask __attribute__((vector_size(32)));

/* The number of floats that whole groups of eight take. */
static inline int wide_round(int n) { return (n + WIDE - 1) / WIDE * WIDE; }

static inline wide wide_load(const float *from)
{
    wide v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void wide_store(float *to, wide v) { memcpy(to, &v, sizeof v); }

/* data[at[0]] … data[at[7]]: eight loads beat a gather instruction here (2.3 against 4.7 ns per trilinear sample). */
static inline wide wide_pick(const float *data, const int32_t *at)
{
    return (wide){data[at[0]], data[at[1]], data[at[2]], data[at[3]], data[at[4]], data[at[5]], data[at[6]], data[at[7]]};
}

static inline wide wide_all(float value) { return value - (wide){0}; }

/* The value where the mask holds, else 0. */
static inline wide wide_keep(wide_mask mask, wide value) { return (wide)(mask & (wide_mask)value); }

static inline wide wide_choose(wide_mask mask, wide yes, wide no)
{
    return (wide)((mask & (wide_mask)yes) | (~mask & (wide_mask)no));
}

static inline wide wide_min(wide a, wide b) { return wide_choose(a < b, a, b); }
static inline wide wide_max(wide a, wide b) { return wide_choose(a > b, a, b); }

/* Linear between a (t = −½) and b (t = ½). From the middle, so that a mirrored pair gives the same bits and equal ends give
   their value exactly. */
static inline wide wide_between(wide a, wide b, wide t) { return 0.5f * (a + b) + t * (b - a); }

#endif
