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

typedef void (*tank_part)(tank *t);

static void tank_to_grid(tank *t)
{
    transfer_to_grid(&t->t, &t->p, &(transfer_faces){.velocity = t->mean});
}

static void tank_from_grid(tank *t)
{
    transfer_flow flow = {.velocity = t->flow, .change = t->change, .flip = 0.97f, .dt = 1, .order = 2};
    transfer_from_grid(&flow, &t->p);
}

static void tank_level_set(tank *t)
{
    level_set_make(&t->t, &t->p, &(level_set_from){.per_cell = t->d.dims == 3 ? 8 : 4}, &t->phi);
}

static void tank_sort(tank *t)
{
    parcels_sort(&t->p);
}

static double tank_time(tank *t, const char *what, tank_part part, int every)
{
    double best = 1e9, busy = 1e9;
    for (int pass = 0; pass < 7; pass++) {
        double start = clock_now();
        clock_t begin = clock();
        part(t);
        best = fmin(best, clock_now() - start);
        busy = fmin(busy, (double)(clock() - begin) / CLOCKS_PER_SEC);
    }
    printf("    %-16s %8.2f ms, %8.2f ms of all cores' time\n", what, best * 1e3, busy * 1e3);
    return best / every;
}

static fr_result run_kind(int size, int dims, parcels_kind kind)
{
    tank t;
    double all = 0;
    FR_TRY(tank_create(size, dims, kind, &t));
    printf("%4d%s  %d threads  %s  %.2f M parcels, copy %.1f GB/s\n", size, dims == 3 ? "³" : "²", fr_threads(),
           kind == PARCELS_APIC ? "APIC" : "FLIP", (double)t.p.count * 1e-6, copy_bandwidth());
    all += tank_time(&t, "from grid", tank_from_grid, 1);
    all += tank_time(&t, "to grid", tank_to_grid, 1);
    all += tank_time(&t, "level set", tank_level_set, 1);
    all += tank_time(&t, "sort, every 4th", tank_sort, 4);
    printf("    %-16s %8.2f ms\n", "all", all * 1e3);
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
