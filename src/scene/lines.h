/* A map from the keys of a scene to lines of the file. It is found by scanning the text, because Lua's tables do not
   store lines; constructors add the lines of their calls. */
#ifndef FR_SCENE_LINES_H
#define FR_SCENE_LINES_H

#include "base/arena.h"

typedef struct line_entry line_entry;

typedef struct line_map {
    arena *arena; /* not owned */
    line_entry *entries;
    int count;
    int last;      /* line of the file's last `return`; 1 if there is none */
    char root[64]; /* the variable that the scene returns, or "return" for a literal table */
} line_map;

/* Scans the text of a scene that compiles: the table or variable after its last `return`, and the variables that it
   uses. Keys are written as in messages: "domain.cells", "sources[2].shape". If memory runs out, keys are missing. */
void lines_scan(line_map *map, arena *arena, const char *text);

/* Adds the line of the constructor call that made the value of that key. */
void lines_add_call(line_map *map, const char *key, int line);

/* The line of the key, or of the innermost enclosing key that has one. */
int lines_find(const line_map *map, const char *key);

#endif
