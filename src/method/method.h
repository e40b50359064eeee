/* A method as the rest of the engine knows it: one table, which the method's own folder fills. */
#ifndef FR_METHOD_METHOD_H
#define FR_METHOD_METHOD_H

#include <freshet/method.h>

#include "grid/field.h"
#include "method/preview/preview.h"
#include "method/progress.h"
#include "method/timing.h"

/* What the world and a running method share. A method's own run is a struct that begins with this one. */
typedef struct method_run {
    const fr_scene_def *def;
    progress *now;                   /* in the method's state */
    timing timing;

    /* The frame handed out last; see views.c. */
    fr_frame frame;
    fr_field *fields;
    int field_room;
    const char **ledger_names;
    char *ledger_text;               /* names made up by the method: total_<scalar>, entered_<scalar> */
    double *ledger_values;
    int ledger_count;
    fr_obstacle_load *loads;         /* one per obstacle */

    /* The snapshot being listed; see views.c. */
    fr_block *listed;
    int block_room, block_count;
} method_run;

/* Whatever can fail leaves the run as it was. `run` points to the method's own struct. */
typedef struct method {
    fr_method_info info;

    /* The definition. */
    void (*set_defaults)(fr_scene_def *def);               /* where they differ from those of every scene */
    void (*complete)(fr_scene_def *def);                   /* fills in what follows from other values; NULL: nothing */
    fr_result (*check_resolution)(const fr_scene_def *def); /* domain, cells or spacing; nothing is looked at before */
    fr_result (*check_parts)(
        const fr_scene_def *def); /* its own keys, and those of others that have no meaning in it */
    bool sources_in_cells;                                 /* its sources may be blocks of cells */
    int (*dims)(const fr_scene_def *def);                  /* 2 or 3; NULL: those of the domain */
    /* The box that probes must lie in. NULL: it shows only when the model is made. */
    void (*bounds)(const fr_scene_def *def, double low[3], double high[3]);

    /* What a run that has nothing but its definition will need. `create` may come after it, and may use what it left.
     */
    fr_result (*estimate)(void *run, fr_estimate *estimate);

    /* For who wants to know a scene before it runs (freshet/preview.h). NULL: there is nothing to say or to call. */
    void (*describe)(const remarks *to);
    fr_result (*call_functions)(const fr_preview *preview);

    /* A run: model, state and views of run->def, and the state at t = 0. `create` finds the struct filled with zeros
       but for the definition, and sets run->now. What is half made when it fails is freed by `destroy`. */
    size_t run_bytes;
    fr_result (*create)(void *run);
    void (*destroy)(void *run);

    /* The greatest step that is right for the present state, at most `most`. */
    fr_result (*limit_step)(void *run, double most, double *dt);

    /* One step, dt long, from now->time to now->end. What it needs beyond the present goes to memory that no one reads
       before `accept` makes it the present; `undo` forgets it (NULL: there is nothing to forget). */
    fr_result (*step)(void *run, double dt);
    fr_result (*undo)(void *run);
    void (*accept)(void *run);
    double (*max_speed)(void *run);      /* m/s; NULL: it has none of its own */

    /* Fills the frame but for time and ledger, and the ledger's columns that the world does not know. When it fails
       parts are left out, and the rest is good to use. */
    fr_result (*view)(void *run);

    /* A field that the scene has, at a place within `bounds`; without those it fails outside. *value is NaN at first,
       and stays so where the field has no value. */
    fr_result (*probe)(void *run, const char *field, const double at[3], double *value);

    /* A snapshot: the method's own head, from the state or out of another snapshot (which fails when it is none of this
       scene, and makes room for what it holds); then the state's blocks, as large as that head says, by
       method_add_block. Once they have been filled from a snapshot, `restored` sees to what follows from them. A method
       without a head of its own leaves out the first two, one without anything that follows the last. */
    void (*fill_head)(void *run);
    fr_result (*read_head)(void *run, const fr_block *from, int count);
    void (*list_blocks)(void *run);
    fr_result (*restored)(void *run);
} method;

/* What a method says of itself whose scenes lie in a domain of cells. */
#define METHOD_OF_CELLS                                                                \
    .resolution_key = "domain.cells", .coarser = "use fewer cells (--res)",            \
    .scalars_key = "scalars", .place_key = "domain",                                   \
    .place_example = "domain = { size = {1, 1}, cells = 64 }"

enum { METHOD_LEDGER_FIXED = 27 };    /* columns that every method has, filled or not */

/* Room for the views: so many fields, columns of the method's own in the ledger (behind the fixed ones, to be named by
   method_name_column) and blocks of a snapshot besides the world's head. */
fr_result method_views_create(method_run *run, int fields, int own_columns, int blocks);
void method_views_destroy(method_run *run);
void method_name_column(method_run *run, int column, const char *what, const char *of);

/* A column of the ledger under way; NaN at first. */
double *method_column(method_run *run, const char *name);

/* Lays the frame over a plain block of cells. */
void method_place_frame(method_run *run, const domain *d);

/* Adds a field to the frame, whose `can` is set: as it lies in the state, or numbers at the frame's cells packed along
   x. The registry of fields knows its unit. */
void method_add_field(method_run *run, const char *name, const field *f);
void method_add_packed(method_run *run, const char *name, const float *data);

/* A number of every particle. */
fr_attribute method_attribute(const char *name, const float *data);

/* Adds bytes to the snapshot; of a field all of it, ghosts included. */
void method_add_block(method_run *run, const char *name, void *data, size_t bytes);
void method_add_field_block(method_run *run, const char *name, const field *f);
const fr_block *method_find_block(const fr_block *blocks, int count, const char *name);

#endif
