/* Times the particle half of a step of a FLIP or APIC liquid: one line per part, with the copy bandwidth of the same
   run for comparison.

     parcels [threads] [size …]      (1 and 2 threads, 64 128)

   The liquid fills the lowest 0.226 of a box, 3.79 million parcels at 128³, and moves in eddies a quarter of the box in
   size with Courant numbers up to 1. The order of the parcels is some steps old, as in a usual step. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/vec.h"
#include "copy.h"
#include "grid/halo.h"
#include "hybrid/level_set.h"
#include "hybrid/seed.h"
#include "hybrid/transfer.h"
#include "sizes.h"

typedef struct tank {
    domain d;
    parcels p;
    transfer t;
    field flow[3], change[3], mean[3];
    field phi;
    int64_t strays;
} tank;

/* Cells per step. */
static double tank_speed(const tank *t, int axis, const double x[3])
{
    double k = 8 * FR_PI / t->d.n[0];
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    return 0.5 * (sin(k * x[b] + axis) * cos(k * x[c]) + sin(k * x[c] + 2 * axis));
}

static void tank_fill_flow(tank *t, field *f)
{
    int axis = field_axis(f);
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                double x[3] = {i, j, k}, below = axis == 1 ? fmin(1, fabs(0.226 * t->d.n[1] - j) / 8) : 1;
                field_row(f, j, k)[i] = (float)(below * tank_speed(t, axis, x));
            }
    halo_fill_even(f, &t->d);
}

static void tank_destroy(tank *t)
{
    parcels_destroy(&t->p);
    transfer_destroy(&t->t);
    field_destroy(&t->phi);
    for (int a = 0; a < t->d.dims; a++) {
        field_destroy(&t->flow[a]);
        field_destroy(&t->change[a]);
        field_destroy(&t->mean[a]);
    }
}

static fr_result tank_create(int size, int dims, parcels_kind kind, tank *t)
{
    *t = (tank){.d = {.dims = dims, .n = {size, size, dims == 3 ? size : 1}, .h = {1, 1, 1}}};
    FR_TRY(parcels_create(&t->d, kind, &t->p));
    FR_TRY(transfer_create(&t->d, &t->t));
    FR_TRY(field_create(&t->d, FR_AT_CELL, &t->phi));
    for (int a = 0; a < dims; a++) {
        FR_TRY(field_create(&t->d, field_face(a), &t->flow[a]));
        FR_TRY(field_create(&t->d, field_face(a), &t->change[a]));
        FR_TRY(field_create(&t->d, field_face(a), &t->mean[a]));
        tank_fill_flow(t, &t->flow[a]);
        tank_fill_flow(t, &t->change[a]);
    }
    for (int k = 0; k < t->d.n[2]; k++)
        for (int j = 0; j < size; j++)
            for (int i = 0; i < size; i++)
                field_row(&t->phi, j, k)[i] = (float)(j + 0.5 - 0.226 * size);
    halo_fill_even(&t->phi, &t->d);
    FR_TRY(seed_fill(&(seed){.surface = &t->phi, .along = 2}, &t->p));
    parcels_sort(&t->p);
    return FR_OK;
}

typedef struct tank_clock {
    const char *name;
    double best, busy; /* s: least time of a call, and least time that all cores spent on it */
    int calls;
} tank_clock;

typedef void (*tank_part)(tank *t);

static void tank_to_grid(tank *t)
{
    t->strays = transfer_to_grid(&t->t, &t->p, &(transfer_faces){.velocity = t->mean});
}

static void tank_from_grid(tank *t)
{
    transfer_flow flow = {.velocity = t->flow, .change = t->change, .flip = 0.97f, .dt = 1, .order = 2};
    transfer_from_grid(&flow, &t->p);
}

static void tank_move(tank *t)
{
    transfer_move_from(&(transfer_flow){.velocity = t->flow, .dt = 0.5, .order = 2, .on = true}, &t->p);
}

static void tank_level_set(tank *t)
{
    level_set_make(&t->t, &t->p, &(level_set_from){.per_cell = t->d.dims == 3 ? 8 : 4}, &t->phi);
}

static void tank_sort(tank *t)
{
    parcels_sort(&t->p);
    t->strays = 0;
}

static void tank_time(tank *t, tank_part part, tank_clock *clocks)
{
    double start = clock_now();
    clock_t begin = clock();
    part(t);
    clocks->best = fmin(clocks->best, clock_now() - start);
    clocks->busy = fmin(clocks->busy, (double)(clock() - begin) / CLOCKS_PER_SEC);
    clocks->calls++;
}

static fr_result run_kind(int size, int dims, parcels_kind kind)
{
    enum { STEPS = 16, PARTS = 5 };
    tank t;
    tank_clock clocks[PARTS] = {
        {"from grid", 1e9, 1e9, 0}, {"to grid", 1e9, 1e9, 0}, {"level set", 1e9, 1e9, 0}, {"move", 1e9, 1e9, 0},
        {"sort", 1e9, 1e9, 0}};
    FR_TRY(tank_create(size, dims, kind, &t));
    for (int n = 0; n < STEPS; n++) {
        tank_time(&t, tank_from_grid, &clocks[0]);
        tank_time(&t, tank_to_grid, &clocks[1]);
        tank_time(&t, tank_level_set, &clocks[2]);
        tank_time(&t, tank_move, &clocks[3]);
        if (parcels_want_sort(&t.p, t.strays))
            tank_time(&t, tank_sort, &clocks[4]);
    }
    printf("%4d%s  %d threads  %s  %.2f M parcels, copy %.1f GB/s\n", size, dims == 3 ? "³" : "²", fr_threads(),
           kind == PARCELS_APIC ? "APIC" : "FLIP", (double)t.p.count * 1e-6, copy_bandwidth());
    double all = 0, busy = 0;
    for (int i = 0; i < PARTS; i++) {
        printf("    %-10s %8.2f ms, %8.2f ms of all cores' time, %2d times\n", clocks[i].name, clocks[i].best * 1e3,
               clocks[i].busy * 1e3, clocks[i].calls);
        all += clocks[i].calls ? clocks[i].best * clocks[i].calls / STEPS : 0;
        busy += clocks[i].calls ? clocks[i].busy * clocks[i].calls / STEPS : 0;
    }
    printf("    %-10s %8.2f ms, %8.2f ms of all cores' time a step\n", "all", all * 1e3, busy * 1e3);
    fflush(stdout);
    tank_destroy(&t);
    return FR_OK;
}

static void run(int size, int dims)
{
    for (parcels_kind kind = PARCELS_FLIP; kind <= PARCELS_APIC; kind++)
        if (run_kind(size, dims, kind) != FR_OK)
            printf("%d: %s\n", size, fr_error_message());
}

int main(int argc, char **argv)
{
    return sizes_run(argc, argv, run);
}
