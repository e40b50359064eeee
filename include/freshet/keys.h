/* Freshet: the keys of a method's own table in a scene file, as data. A method lists them beside its code; whoever
   reads scene files decodes them by their type and knows no method. */
#ifndef FRESHET_KEYS_H
#define FRESHET_KEYS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What may stand behind a key, and what it becomes at its place in fr_scene_def. */
typedef enum fr_key_type {
    FR_KEY_NUMBER,   /* double */
    FR_KEY_POSITIVE, /* double, more than zero */
    FR_KEY_INTEGER,  /* int */
    FR_KEY_CHOICE,   /* an enumeration; detail: fr_choice rows */
    FR_KEY_AXES,     /* double[3]: one number for all axes or one per axis */
    FR_KEY_FILE,     /* const char *, a file that can be read */
    FR_KEY_TABLE,    /* detail: the fr_key rows of a table within */

    /* What a method on a bent grid has. Their places are their own: `offset` is not read. */
    FR_KEY_CELLS,   /* how many along each axis, which says how many axes there are: read before everything else */
    FR_KEY_GRID,    /* where its nodes lie: a function, channel{…}, annulus{…} … */
    FR_KEY_SIDES,   /* banks, inflows, outflows */
    FR_KEY_BLOCKS,  /* cells that are solid */
    FR_KEY_INKS,    /* scalars with their sources */
    FR_KEY_TRACERS, /* particles that it carries */
    FR_KEY_BED,     /* a height, for pictures */
    FR_KEY_TYPES
} fr_key_type;

typedef struct fr_choice {
    const char *name;     /* NULL ends a list */
    int value;
} fr_choice;

typedef struct fr_key {
    const char *name;     /* NULL ends a list */
    fr_key_type type;
    size_t offset;        /* within fr_scene_def */
    const char *unit;     /* of a number, for messages; may be NULL */
    const void *detail;   /* as the type says */
} fr_key;

/* A key of scenes that has no meaning in a method. */
typedef struct fr_refused_key {
    const char *name;     /* NULL ends a list */
    const char *owner;    /* whom it belongs to: "method = \"sph\""; NULL: `instead` is the whole message */
    const char *instead;  /* what a scene of this method would use, as the end of the message; may be empty */
} fr_refused_key;

#ifdef __cplusplus
}
#endif
#endif
