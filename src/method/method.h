/* The interface of a method: a table of callbacks, which the method's own folder defines. */
#ifndef FR_METHOD_METHOD_H
#define FR_METHOD_METHOD_H

#include <freshet/method.h>

#include "grid/field.h"
#include "method/preview/preview.h"
#include "method/progress.h"
#include "method/timing.h"
#include "rigid/fleet.h"

/* A field of the state under the name by which frames show it, probes sample it and snapshots keep it. */
typedef struct method_field {
    const char *name;
    const field *field;
    const domain *domain;
} method_field;

/* What the world and a running method share. Each method has its own run struct, which begins with this one. */
typedef struct method_run {
    const fr_scene_def *def;
    progress *now;                   /* in the method's state */
    timing timing;

    /* The current frame; see views.c. */
    fr_frame frame;
    fr_field *fields;
    int field_room;
    method_field *named;             /* by method_name_field */
    int named_count;
    const char **ledger_names;
    char *ledger_text;               /* column names built by the method: total_<scalar>, entered_<scalar> */
    double *ledger_values;
    int ledger_count;
    fr_obstacle_load *loads;         /* one per obstacle */
    fr_body_state *bodies;           /* one per body, in every frame */

    /* The blocks of the snapshot; see views.c. */
    fr_block *listed;
    int block_room, block_count;
} method_run;

/* A callback that fails leaves the run unchanged. `run` points to the method's own struct. */
typedef struct method {
    fr_method_info info;

    /* The definition. */
    void (*set_defaults)(fr_scene_def *def);               /* those that differ from the common ones */
    void (*complete)(fr_scene_def *def);                   /* derives values from others; NULL: nothing */
    fr_result (*check_resolution)(const fr_scene_def *def); /* domain, cells or spacing; the first check */
    fr_result (*check_parts)(const fr_scene_def *def);     /* its own keys, and keys that have no meaning in it */
    bool sources_in_cells;                                 /* its sources may be blocks of cells */
    int (*dims)(const fr_scene_def *def);                  /* 2 or 3; NULL: those of the domain */
    /* The box that probes must lie in. NULL: not known before `create`. */
    void (*bounds)(const fr_scene_def *def, double low[3], double high[3]);

    /* Estimates the resources of a run of which only the definition is set. If `create` follows, it may reuse what this
       computed. */
    fr_result (*estimate)(void *run, fr_estimate *estimate);

    /* Remarks on a scene before it runs, and calls of its callbacks (freshet/preview.h). NULL: none. */
    void (*describe)(const remarks *to);
    fr_result (*call_functions)(const fr_preview *preview);

    /* `create` builds the model, the state at t = 0 and the views, and sets run->now. The struct is zero before but for
       the definition. If it fails, `destroy` frees what it has allocated so far. */
    size_t run_bytes;
    fr_result (*create)(void *run);
    void (*destroy)(void *run);

    /* The largest stable and accurate step for the current state, at most `most` seconds. */
    fr_result (*limit_step)(void *run, double most, double *dt);

    /* One step of size dt from now->time to now->end. The new state is kept apart from the current one. `accept` makes
       it the current state, before the world advances now->time; `undo` discards it (NULL: nothing to do). */
    fr_result (*step)(void *run, double dt);
    fr_result (*undo)(void *run);
    void (*accept)(void *run);
    double (*max_speed)(void *run);      /* m/s; NULL: the method does not compute it */

    /* Fills the frame (not its time and ledger) and the method's columns of the ledger. If it fails, parts are missing
       and the rest is valid. */
    fr_result (*view)(void *run);

    /* The value of an existing field at a point within `bounds`; a method without `bounds` checks the point itself.
       *value is NaN before the call and stays NaN where the field has no value. */
    fr_result (*probe)(void *run, const char *field, const double at[3], double *value);

    /* Snapshots. `fill_head` writes the method's header from the state. `read_head` reads it from a snapshot, fails if
       the snapshot is of another scene, and makes room for the state. `list_blocks` lists the state's blocks by
       method_add_block, with the sizes that the header implies. `restored` recomputes what depends on the blocks after
       they have been read. All but `list_blocks` may be NULL. */
    void (*fill_head)(void *run);
    fr_result (*read_head)(void *run, const fr_block *from, int count);
    void (*list_blocks)(void *run);
    fr_result (*restored)(void *run);
} method;

/* The common part of fr_method_info for methods on a regular grid. */
#define METHOD_OF_CELLS                                                                \
    .resolution_key = "domain.cells", .coarser = "use fewer cells (--res)",            \
    .scalars_key = "scalars", .place_key = "domain",                                   \
    .place_example = "domain = { size = {1, 1}, cells = 64 }"

enum { METHOD_LEDGER_FIXED = 27 };    /* columns that every method has; NaN where it does not fill them */

/* Allocates the views: the number of fields, of the method's own ledger columns (after the fixed ones, to be named by
   method_name_column) and of snapshot blocks without the world's header. */
fr_result method_views_create(method_run *run, int fields, int own_columns, int blocks);
void method_views_destroy(method_run *run);
void method_name_column(method_run *run, int column, const char *what, const char *of);

/* Rigid bodies: names their columns from one on; and fills these and the frame's states. */
enum { METHOD_BODY_COLUMNS = 6 };
void method_name_bodies(method_run *run, int column);
void method_show_bodies(method_run *run, const fleet *f, int dims);

/* A column of the current ledger row; NaN until it is set. */
double *method_column(method_run *run, const char *name);
bool method_has_column(const method_run *run, const char *name);

/* Sets the frame's grid to a regular block of cells. */
void method_place_frame(method_run *run, const domain *d);

/* Adds a field to the frame: a field of the state, without copying, or an array of cell-centred values, x fastest.
   frame.can must be set before. The unit comes from the registry of fields. */
void method_add_field(method_run *run, const char *name, const field *f);
void method_add_packed(method_run *run, const char *name, const float *data);

/* Names a field of the state: its values may be exchanged later, its place may not. Once for each run, in `create`. */
void method_name_field(method_run *run, const char *name, const field *f, const domain *d);
const method_field *method_find_field(const method_run *run, const char *name);    /* NULL: none has this name */
/* What a frame, a probe and a snapshot do with the named fields; the latter two may stand in the table as `probe`
   (ghosts filled) and `list_blocks`. */
void method_show_fields(method_run *run);
fr_result method_probe_field(void *run, const char *name, const double at[3], double *value);
void method_save_fields(void *run);

/* A particle attribute with the unit from the registry of fields. */
fr_attribute method_attribute(const char *name, const float *data);

/* Adds bytes to the snapshot; fields are stored with their ghost cells. */
void method_add_block(method_run *run, const char *name, void *data, size_t bytes);
void method_add_field_block(method_run *run, const char *name, const field *f);
const fr_block *method_find_block(const fr_block *blocks, int count, const char *name);

#endif
