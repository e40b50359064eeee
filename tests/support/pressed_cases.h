/* Arrangements of bodies that are hard for the pressure, by size of the block: for tests and timings. */
#ifndef TESTS_SUPPORT_PRESSED_CASES_H
#define TESTS_SUPPORT_PRESSED_CASES_H

#include "support/pressed_bodies.h"

enum { PRESSED_ROOM = 256 };

/* Balls, boxes, rods and plates in turn, that do not overlap by much. */
static inline void pressed_fill_many(pressed *t, int count, double density)
{
    const double n = t->d.n[0];
    const int side = (int)ceil(cbrt(count));
    uint32_t seed = 7;
    const double step = n / side, size = fmin(0.3 * step, 0.12 * n);
    for (int q = 0; q < count; q++) {
        double at[3];
        const int place[3] = {q % side, q / side % side, q / side / side};
        for (int a = 0; a < 3; a++)
            at[a] = (place[a] + 0.5 + 0.25 * (pressed_unit(&seed) - 0.5)) * step;
        pressed_body *b = &t->body[t->count++];
        const double longer = 1.2 * size, less = 0.5 * size;
        *b = q % 4 == 0   ? pressed_ball(at[0], at[1], at[2], size, density)
             : q % 4 == 1 ? pressed_box(at, (double[3]){0.8 * size, 0.6 * size, 0.7 * size}, density)
             : q % 4 == 2 ? pressed_box(at, (double[3]){longer, fmax(1, 0.3 * size), fmax(1, 0.3 * size)}, density)
                          : pressed_box(at, (double[3]){size, fmax(1, 0.2 * less), size}, density);
        pressed_turn(b, 3, &seed);
    }
}

static inline void pressed_fill_one(pressed *t, double density)
{
    const double n = t->d.n[0];
    t->body[t->count++] = pressed_ball(0.45 * n, 0.52 * n, 0.48 * n, 0.11 * n, density);
}

/* Walls around a channel along x. */
static inline void pressed_close_channel(pressed *t, double low, double high)
{
    const int *n = t->d.n;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < t->open[a].size[2]; k++)
            for (int j = 0; j < t->open[a].size[1]; j++)
                for (int i = 0; i < t->open[a].size[0]; i++) {
                    const bool wet = j >= low * n[1] && j < high * n[1] && k >= low * n[2] && k < high * n[2];
                    const bool edge = (a == 1 && (j <= low * n[1] || j >= high * n[1])) ||
                                      (a == 2 && (k <= low * n[2] || k >= high * n[2]));
                    if (!wet || edge)
                        *pressed_at(&t->open[a], i, j, k) = 0;
                }
}

static inline void pressed_fill_plug(pressed *t, double density)
{
    const double n = t->d.n[0];
    pressed_close_channel(t, 0.25, 0.75);
    t->body[t->count++] = pressed_box((double[3]){0.4 * n, 0.5 * n, 0.5 * n}, (double[3]){0.1 * n, 0.26 * n, 0.26 * n},
                                      density);
}

static inline void pressed_fill_pistons(pressed *t, double density)
{
    pressed_fill_plug(t, density);
    const double n = t->d.n[0];
    t->body[t->count++] = pressed_box((double[3]){0.7 * n, 0.5 * n, 0.5 * n}, (double[3]){0.06 * n, 0.26 * n, 0.26 * n},
                                      density);
}

/* A channel bent to a U by a wall that ends above the bottom, plugged in one arm; water stands in both. */
static inline void pressed_fill_bent(pressed *t, double density)
{
    const int *n = t->d.n;
    const double edge = n[0], low = n[1] / 4;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < t->open[a].size[2]; k++)
            for (int j = 0; j < t->open[a].size[1]; j++)
                for (int i = 0; i < t->open[a].size[0]; i++) {
                    const bool wall = i >= n[0] / 2 - 2 && i < n[0] / 2 + 2 + (a == 0) && j >= low;
                    if (wall)
                        *pressed_at(&t->open[a], i, j, k) = 0;
                }
    t->g.open_side[FR_TOP] = true;
    const double wide = n[0] / 2 - 2;
    t->body[t->count++] = pressed_box((double[3]){0.5 * wide, 0.6 * edge, 0.5 * edge},
                                      (double[3]){0.5 * wide + 0.1, 0.1 * edge, 0.5 * edge + 0.1}, density);
}

static inline void pressed_fill_big(pressed *t, double density)
{
    const double n = t->d.n[0];
    t->body[t->count++] = pressed_ball(0.5 * n, 0.49 * n, 0.51 * n, 0.3 * n, density);
}

static inline void pressed_fill_plates(pressed *t, double density)
{
    const double n = t->d.n[0];
    uint32_t seed = 3;
    for (int q = 0; q < 6; q++) {
        const double at[3] = {n * (0.25 + 0.5 * (q % 2)), floor(n * (0.2 + 0.28 * (q / 2))) + (q % 2), n * 0.5};
        t->body[t->count] = pressed_box(at, (double[3]){0.18 * n, 0.5, 0.3 * n}, density);
        if (q % 3 == 2) {
            t->body[t->count].half[1] = 1.2;
            pressed_turn(&t->body[t->count], 3, &seed);
        }
        t->count++;
    }
}

/* A heap on the bottom that touches and overlaps a little: of balls, or of balls and boxes, which enclose pockets. */
static inline void pressed_fill_heap(pressed *t, double density, bool boxes)
{
    const double n = t->d.n[0], size = 0.08 * n;
    for (int q = 0; q < 27; q++) {
        const double at[3] = {0.3 * n + 1.95 * size * (q % 3), size + 1.95 * size * (q / 3 % 3),
                              0.3 * n + 1.95 * size * (q / 9)};
        t->body[t->count++] = q % 2 && boxes ? pressed_box(at, (double[3]){size, size, size}, density)
                                             : pressed_ball(at[0], at[1], at[2], size, density);
    }
}

static inline void pressed_fill_touching(pressed *t, double density) { pressed_fill_heap(t, density, false); }
static inline void pressed_fill_enclosing(pressed *t, double density) { pressed_fill_heap(t, density, true); }

static inline void pressed_fill_floating(pressed *t, double density)
{
    const double n = t->d.n[0];
    const int low[3] = {0, 0, 0};
    pressed_fill_many(t, 27, density);
    t->g.surface = &t->surface;
    PRESSED_EACH(low, t->d.n, i, j, k)
    *pressed_at(&t->surface, i, j, k) = (float)(j + 0.5 - 0.6 * n - 0.03 * n * sin(6 * i / n) * cos(5 * k / n));
}

static inline void pressed_fill_slender(pressed *t, double density)
{
    const double n = t->d.n[0];
    uint32_t seed = 11;
    for (int q = 0; q < 120; q++) {
        double at[3];
        for (int a = 0; a < 3; a++)
            at[a] = n * (0.15 + 0.7 * pressed_unit(&seed));
        pressed_body *b = &t->body[t->count++];
        *b = pressed_box(at, (double[3]){0.13 * n, 1.3, 1.3}, density * pow(1100, pressed_unit(&seed)));
        pressed_turn(b, 3, &seed);
    }
}

static inline void pressed_fill_10(pressed *t, double density) { pressed_fill_many(t, 10, density); }
static inline void pressed_fill_50(pressed *t, double density) { pressed_fill_many(t, 50, density); }
static inline void pressed_fill_200(pressed *t, double density) { pressed_fill_many(t, 200, density); }

typedef struct pressed_case {
    const char *name;
    void (*fill)(pressed *t, double density);
    double density;
} pressed_case;

static const pressed_case pressed_cases[] = {
    {"1 ball", pressed_fill_one, 0.01},
    {"10", pressed_fill_10, 0.01},
    {"50", pressed_fill_50, 0.01},
    {"200", pressed_fill_200, 0.01},
    {"10 heavy", pressed_fill_10, 2.5},
    {"10 heavier", pressed_fill_10, 1.1},
    {"50, 0.05", pressed_fill_50, 0.05},
    {"50, 0.5", pressed_fill_50, 0.5},
    {"50, 2.5", pressed_fill_50, 2.5},
    {"50, 11", pressed_fill_50, 11},
    {"200, 0.5", pressed_fill_200, 0.5},
    {"plug", pressed_fill_plug, 0.01},
    {"bent", pressed_fill_bent, 0.01},
    {"pistons", pressed_fill_pistons, 0.01},
    {"big ball", pressed_fill_big, 0.01},
    {"plates", pressed_fill_plates, 0.01},
    {"touching", pressed_fill_touching, 0.01},
    {"enclosing", pressed_fill_enclosing, 0.01},
    {"floating", pressed_fill_floating, 0.01},
    {"slender", pressed_fill_slender, 0.01},
};

#endif
