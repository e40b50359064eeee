/* Benchmarks: built-in scenes, and how they are measured. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "cli.h"

enum { BENCH_STAGES = 64, BENCH_BODIES = 200 };

/* Memory that a scene's definition points into. */
typedef struct bench_parts {
    fr_shape_def shape;
    fr_source_def source;
    fr_obstacle_def obstacle;
    fr_scalar_value scalars[2];
    fr_fill_def fill;
    fr_scalar_def ink;
    fr_tracers_def tracers;
    fr_cells_def block;
    fr_body_def bodies[BENCH_BODIES];
    fr_obstacle_def obstacles[BENCH_BODIES];
} bench_parts;

typedef struct bench_case {
    const char *name, *what;
    fr_method method;
    void (*fill)(fr_scene_def *def, bench_parts *parts, int cells);
    void (*beside)(fr_scene_def *def, bench_parts *parts, int cells); /* the same without what is measured, or NULL */
    int cells;                /* along a side; particles along a metre */
    double from;              /* simulated time before the warm-up, s */
    int warm_up, measured;    /* steps */
    int repeats;              /* number of worlds; the fastest counts */
    bool large;               /* slow or large: runs only when named on the command line */
} bench_case;

extern const bench_case bench_cases[];
extern const int bench_case_count;

typedef struct bench_stage {
    char name[32];
    double seconds, bytes;    /* per step; bytes: memory traffic, 0 if unknown */
} bench_stage;

typedef struct bench_result {
    double cells;             /* or particles */
    double step_seconds;
    double simulated_seconds; /* s of simulated time, per step */
    double pressure_seconds;  /* part of step_seconds */
    double peak_bytes;        /* peak resident memory, without what the program had before */
    double iterations;        /* of the pressure solve, per step */
    double beside_seconds, beside_iterations; /* the pressure's of the scene beside; 0: there is none */
    bench_stage stages[BENCH_STAGES];
    int stage_count;
} bench_result;

/* Runs a case in a child process, so that its peak memory is measured alone. */
fr_result bench_measure(const bench_case *bench, bench_result *result);

/* Bytes read and written per second by large copies, the best of several; 0 when out of memory. */
double bench_copy(int threads);

#endif
