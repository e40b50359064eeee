/* Pictures and films of a run. From the cache in two passes, so that all frames of a film share one colour range. */
#ifndef KIT_PICTURES_H
#define KIT_PICTURES_H

#include "run/folder.h"

enum { PICTURES_VIEWS = 64 };

typedef struct pictures {
    const run_folder *folder;
    const fr_scene_def *def;
    const option_list *fields;   /* what to show instead of the scene's views; NULL or empty for those */
    option_range frames;         /* of the cache */
    bool film;
} pictures;

/* Warns when the scene has more views than can be drawn, or asks for a film that cannot be made. */
void pictures_check(const fr_scene_def *def);

/* The scene's own view of a field, else a plain one. */
fr_view_def pictures_view_of(const fr_scene_def *def, const char *field);

/* Draws every cached frame of the range, then the films. Damaged frames are named and passed over: CLI_FAILED at
   the end, as when a film cannot be made. */
int pictures_from_cache(const pictures *pictures);

/* One frame at once, each with its own colour range; for runs without a cache. */
fr_result pictures_of_frame(const pictures *pictures, const fr_frame *frame);

/* The films of pictures that are there already; `frames` are their numbers. */
int pictures_film(const pictures *pictures, const fr_frame *sample, const int *frames, int count);

/* The names, relative to the run's folder, of the pictures and films that a run of these frames makes. */
typedef fr_result (*picture_name_sink)(void *context, const char *name);
fr_result pictures_names(const pictures *pictures, const fr_frame *frame, picture_name_sink sink, void *context);

#endif
