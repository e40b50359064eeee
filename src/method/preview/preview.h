/* What can be said of a scene before it runs: the words and sums that methods share. Nothing here prints. */
#ifndef FR_METHOD_PREVIEW_PREVIEW_H
#define FR_METHOD_PREVIEW_PREVIEW_H

#include <freshet/keys.h>
#include <freshet/preview.h>

/* Remarks on their way to whoever asked for them. */
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

/* The word of a scene for a choice: what `value` is called where the key `name` stands in a method's table. */
const char *remark_choice(const fr_key *keys, const char *name, int value);

/* All that a method on a plain grid need say: cells, the edges of a cell, the size of the domain. */
void remark_cells(const remarks *to);

/* A speed that the scene suggests, and where it comes from. */
typedef struct preview_speed {
    double value;                    /* m/s; 0: nothing tells one */
    const char *origin;
} preview_speed;

/* Keeps the greater one. */
void preview_speed_take(preview_speed *speed, double value, const char *origin);

/* Takes the speeds of walls, sources, fills, fans and given velocities. */
void preview_speed_of_scene(const fr_scene_def *def, preview_speed *speed);

/* A length of the scene, and what messages call it: "width", 2 m, " at s = 0". */
typedef struct preview_length {
    const char *name;
    double metres;
    const char *where;
} preview_length;

preview_length preview_longest_side(const fr_domain_def *domain);

/* The Reynolds number, as far as it can be told. */
void remark_reynolds(const remarks *to, preview_speed speed, preview_length length, double viscosity);

/* Warns of a flow that stays at rest: no speed, force, initial velocity or moving obstacle, nor anything else that the
   method knows to be `driven` by. `drivers` names what could do it. */
void remark_rest(const remarks *to, preview_speed speed, bool driven, const char *drivers);

/* How obstacles of a method must be so that it resolves them. */
typedef struct preview_walls {
    double unit;                     /* m: an edge of a cell, a spacing */
    double least;                    /* units that an obstacle must be thick; 0: it may be as thin as it likes */
    const char *least_name;          /* "a cell", "two spacings of particles" */
    const char *unit_name;           /* "a cell", "a spacing" */
    const char *consequence;         /* what happens where it is thinner, and what to do */
    double overlap;                  /* share of a source or a fill that may lie in obstacles without a warning */
} preview_walls;

/* Warns of obstacles that are too thin or leave no fluid, and of sources and fills inside of them. */
void remark_shapes(const remarks *to, const preview_walls *walls);

/* The least edge of a cell, m. */
double preview_least_spacing(const fr_estimate *estimate);

/* Calls what fr_scene_call_functions calls in a method whose walls, sources and forces lie in a plain domain. */
fr_result preview_call_functions(const fr_preview *preview);

/* Calls functions of scalars at a place. */
fr_result preview_call_scalars(const fr_scalar_value *scalars, int count, const double at[3], double time);

#endif
