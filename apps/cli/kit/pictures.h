/* Pictures and films of a run. They are made from the cache in two passes, so that all frames of a film share one
   colour range. */
#ifndef KIT_PICTURES_H
#define KIT_PICTURES_H

#include "run/folder.h"

enum { PICTURES_VIEWS = 64 };

typedef struct pictures {
    const run_folder *folder;
    const fr_scene_def *def;
    const option_list *fields;   /* fields to show instead of the scene's views; NULL or empty: the scene's views */
    option_range frames;         /* of the cache */
    bool film;
} pictures;

/* Warns when the scene has more views than can be drawn, or asks for a film that cannot be made. */
void pictures_check(const fr_scene_def *def);

/* The scene's own view of a field, else a default one. */
fr_view_def pictures_view_of(const fr_scene_def *def, const char *field);

/* Draws every cached frame of the range, then the films. Damaged frames are reported and skipped. Returns CLI_FAILED if
   there were any, or if a film could not be made. */
int pictures_from_cache(const pictures *pictures);

/* Draws one frame with its own colour range; for runs without a cache. */
fr_result pictures_of_frame(const pictures *pictures, const fr_frame *frame);

/* Makes the films from existing pictures; `frames` are their numbers. */
int pictures_film(const pictures *pictures, const fr_frame *sample, const int *frames, int count);

/* Lists the paths, relative to the run's folder, of the pictures and films that a run will make. */
typedef fr_result (*picture_name_sink)(void *context, const char *name);
fr_result pictures_names(const pictures *pictures, const fr_frame *frame, picture_name_sink sink, void *context);

#endif
