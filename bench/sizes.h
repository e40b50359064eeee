/* What every part is timed on. */
#ifndef FR_BENCH_SIZES_H
#define FR_BENCH_SIZES_H

/* The command line `[THREADS [SIZE...]]`: calls `run` with 1 and 2 threads (0 or nothing: both), for cubes of the sizes
   given or of 64 and 128 cells along a side, and for a square of 1024. */
int sizes_run(int argc, char **argv, void (*run)(int size, int dims));

#endif
