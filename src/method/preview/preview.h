/* Remarks on a scene before it runs: text and computations that methods share. Nothing here prints. */
#ifndef FR_METHOD_PREVIEW_PREVIEW_H
#define FR_METHOD_PREVIEW_PREVIEW_H

#include <freshet/keys.h>
#include <freshet/preview.h>

/* The scene and the sink that its remarks go to. */
typedef struct remarks {
    const fr_preview *about;
    fr_remark_sink sink;
    void *context;
} remarks;

void remark(const remarks *to, fr_remark_kind kind, const char *subject, const char *format, ...) FR_PRINTF(4, 5);
void remark_warn(const remarks *to, const char *format, ...) FR_PRINTF(2, 3);

/* "2 x 1.5 x 1": a number for each axis. */
typedef struct remark_axes {
    char text[96];
} remark_axes;
remark_axes remark_lengths(int dims, const double lengths[3]);
remark_axes remark_counts(int dims, const int counts[3]);

/* The scene's word for the value of a choice: `name` is its key in a method's table. */
const char *remark_choice(const fr_key *keys, const char *name, int value);

/* The basic remarks of a method on a regular grid: cells, cell size, domain size. */
void remark_cells(const remarks *to);

/* An expected speed, and the part of the scene that it comes from. */
typedef struct preview_speed {
    double value;                    /* m/s; 0: unknown */
    const char *origin;
} preview_speed;

/* Keeps the greater speed. */
void preview_speed_take(preview_speed *speed, double value, const char *origin);

/* Takes the speeds of walls, sources, fills, fans and prescribed velocities. */
void preview_speed_of_scene(const fr_scene_def *def, preview_speed *speed);

/* A length of the scene and its name in messages: "width", 2 m, " at s = 0". */
typedef struct preview_length {
    const char *name;
    double metres;
    const char *where;
} preview_length;

preview_length preview_longest_side(const fr_domain_def *domain);

/* Remarks on the Reynolds number as far as it is known. */
void remark_reynolds(const remarks *to, preview_speed speed, preview_length length, double viscosity);

/* Warns of a flow that stays at rest: no speed, force, body, initial velocity or moving obstacle, and not `driven` by
   anything else that the method has. `drivers` says what could drive it. */
void remark_rest(const remarks *to, preview_speed speed, bool driven, const char *drivers);

/* What a method needs to resolve an obstacle. */
typedef struct preview_walls {
    double unit;                     /* m: the cell size or the particle spacing */
    double least;                    /* minimum thickness of an obstacle in units; 0: none */
    const char *least_name;          /* "a cell", "two spacings of particles" */
    const char *unit_name;           /* "a cell", "a spacing" */
    const char *consequence;         /* what happens if it is thinner, and what to do */
    double overlap;                  /* fraction of a source or fill that may lie in obstacles without a warning */
} preview_walls;

/* Warns of obstacles that are too thin or leave no fluid, and of sources and fills inside obstacles. */
void remark_shapes(const remarks *to, const preview_walls *walls);

/* What can be said of rigid bodies: weight, size in cells, joints, coupling; warns of those that are too small or thin,
   and of what has no effect. Says nothing where there are none. */
void remark_bodies(const remarks *to);
/* Warns of bodies that overlap each other, obstacles or sides where they appear. */
void remark_overlaps(const remarks *to);

/* The shortest edge of a cell, m. */
double preview_least_spacing(const fr_estimate *estimate);

/* fr_scene_call_functions for methods whose walls, sources and forces lie in a regular domain. */
fr_result preview_call_functions(const fr_preview *preview);

/* Calls the callbacks of scalars at a point. */
fr_result preview_call_scalars(const fr_scalar_value *scalars, int count, const double at[3], double time);

#endif
