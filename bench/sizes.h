/* The sizes that every benchmark here runs. */
#ifndef FR_BENCH_SIZES_H
#define FR_BENCH_SIZES_H

/* Parses the command line `[THREADS [SIZE...]]` and calls `run` for each case. Threads: as given, or 1 and then 2 (for
   0 or none). Cases: cubes of the given sizes, by default 64 and 128 cells along a side, and a square of 1024. */
int sizes_run(int argc, char **argv, void (*run)(int size, int dims));

#endif
