/* Freshet: the keys of a method's own table in a scene file, as data. Each method lists its keys
   next to its code, so the scene decoder needs only their types and knows no method. */
#ifndef FRESHET_KEYS_H
#define FRESHET_KEYS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a key's value, and the C type of its member in fr_scene_def. */
typedef enum fr_key_type {
    FR_KEY_NUMBER,   /* double */
    FR_KEY_POSITIVE, /* double > 0 */
    FR_KEY_INTEGER,  /* int */
    FR_KEY_BOOL,     /* bool */
    FR_KEY_CHOICE,   /* an enumeration; detail: fr_choice rows */
    FR_KEY_AXES,     /* double[3]: one number for all axes or one per axis */
    FR_KEY_PAIR,     /* int[2] */
    FR_KEY_FILE,     /* const char *, the path of a readable file */
    FR_KEY_TABLE,    /* a nested table; detail: its fr_key rows */

    /* For methods on a bent grid. The decoder knows the members that they fill: `offset` is not read. */
    FR_KEY_CELLS,   /* cells along each axis; decoded first, because it gives the number of axes */
    FR_KEY_GRID,    /* the positions of the nodes: a function, channel{…}, annulus{…} … */
    FR_KEY_SIDES,   /* banks, inflows, outflows */
    FR_KEY_BLOCKS,  /* solid cells */
    FR_KEY_INKS,    /* scalars with their sources */
    FR_KEY_TRACERS, /* passive particles */
    FR_KEY_BED,     /* the height of the bed, for pictures */
    FR_KEY_TYPES
} fr_key_type;

typedef struct fr_choice {
    const char *name;     /* NULL ends a list */
    int value;
} fr_choice;

typedef struct fr_key {
    const char *name;     /* NULL ends a list */
    fr_key_type type;
    size_t offset;        /* of the member in fr_scene_def */
    const char *unit;     /* of a number, for messages; may be NULL */
    const void *detail;   /* as the type says */
} fr_key;

/* A key that has no meaning in a method, so that a scene of this method may not use it. */
typedef struct fr_refused_key {
    const char *name;     /* NULL ends a list */
    const char *owner;    /* what it belongs to: "method = \"sph\""; NULL: `instead` is the whole message */
    const char *instead;  /* the end of the message: what to use in this method instead; may be empty */
} fr_refused_key;

#ifdef __cplusplus
}
#endif
#endif
