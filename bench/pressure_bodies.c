/* Times the pressure system with bodies that move with it: one line per case, with what the same bodies cost as fixed
   solids, in alternation.

     pressure_bodies [threads] [size …]      (1 and 2 threads, 64 128) */
#include <stdio.h>

#include "base/clock.h"
#include "sizes.h"
#include "../tests/support/pressed_cases.h"

enum { TRIES = 3 };

/* Seconds of the build, of putting bodies in, and of the solve. */
typedef struct timing {
    double build, set, solve;
    solve_stats stats;
} timing;

static timing time_solve(pressed *t, bool moving)
{
    timing now;
    const double start = clock_now();
    projection_build(t->p, &t->g, &t->work);
    now.build = clock_now() - start;
    if (moving)
        projection_set_bodies(t->p, t->mover, t->count, NULL, 0);
    now.set = clock_now() - start - now.build;
    now.stats = pressed_solve(t, PROJECTION_MULTIGRID, 1e-6, false);
    now.solve = clock_now() - start - now.build - now.set;
    return now;
}

static void take_best(timing *best, timing now)
{
    best->build = fmin(best->build, now.build);
    best->set = fmin(best->set, now.set);
    best->solve = fmin(best->solve, now.solve);
    best->stats = now.stats;
}

static void run_case(const pressed_case *c, int size)
{
    const domain d = {.dims = 3, .n = {size, size, size}, .h = {1, 1, 1}};
    pressed t;
    timing fixed = {1e9, 1e9, 1e9, {0}}, moving = fixed;
    if (!pressed_make(&t, &d, PRESSED_ROOM)) {
        printf("%d: %s\n", size, fr_error_message());
        return;
    }
    c->fill(&t, c->density);
    pressed_put(&t);
    pressed_load(&t, 0.5, 5);
    if (projection_reserve_bodies(t.p, t.count, pressed_cells(&t), 0) == FR_OK) {
        for (int try = 0; try < TRIES; try++) {
            take_best(&fixed, time_solve(&t, false));
            take_best(&moving, time_solve(&t, true));
        }
        printf("%4d³ %-11s %d threads  %3d iterations, fixed %3d   residual %.1e   set-up %6.2f ms, solve %7.2f ms, "
               "fixed %7.2f ms   ratio %.2f, with set-up %.2f   %5.1f bytes per pushed cell\n",
               size, c->name, fr_threads(), moving.stats.iterations, fixed.stats.iterations, moving.stats.residual,
               moving.set * 1e3, moving.solve * 1e3, fixed.solve * 1e3, moving.solve / fixed.solve,
               (moving.build + moving.set + moving.solve) / (fixed.build + fixed.solve),
               (double)projection_bodies_bytes(&d, t.count, pressed_cells(&t), 0) / pressed_cells(&t));
        fflush(stdout);
    }
    pressed_destroy(&t);
}

static void run_size(int size, int dims)
{
    for (const pressed_case *c = pressed_cases;
         c < pressed_cases + sizeof pressed_cases / sizeof *pressed_cases && dims == 3; c++)
        run_case(c, size);
}

int main(int argc, char **argv)
{
    return sizes_run(argc, argv, run_size);
}
