/* On which line of the file each key of the scene stands. Found by reading the text, since Lua's tables do not
   remember; constructed tables add the line of their call. */
#ifndef FR_SCENE_LINES_H
#define FR_SCENE_LINES_H

#include "base/arena.h"

typedef struct line_entry line_entry;

typedef struct line_map {
    arena *arena; /* not owned */
    line_entry *entries;
    int count;
    int last;      /* line of the file's last `return`; 1 when there is none */
    char root[64]; /* the variable that the scene returns, or "return" for a table written there */
} line_map;

/* Reads the text of a scene that compiles: the table after its last `return`, or the variable returned there, and
   tables in other variables of the file that it names. Keys are named as in messages: "domain.cells",
   "sources[2].shape". Without memory the map stays small. */
void lines_scan(line_map *map, arena *arena, const char *text);

/* A constructed table at that key was made by a call on that line. */
void lines_add_call(line_map *map, const char *key, int line);

/* The line of the key, or of the nearest thing around it that has one. */
int lines_find(const line_map *map, const char *key);

#endif
