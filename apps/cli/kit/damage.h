/* The frames of a run's cache that can be used: damaged ones are named and passed over. */
#ifndef KIT_DAMAGE_H
#define KIT_DAMAGE_H

#include "run/folder.h"

typedef struct damage_list {
    int *frames;   /* ascending */
    int count;
    int damaged;   /* how many were passed over so far, missing ones included */
} damage_list;

/* Lists the cached frames of the range and names those that the run wrote and that are gone. Which are damaged shows
   when they are read: each carries its checksum. */
fr_result damage_find(damage_list *list, const run_folder *folder, option_range range);

/* Reads the frame at `index`; NULL, having named it, when it cannot be read. */
fr_cached_frame *damage_read(damage_list *list, const run_folder *folder, int index);

/* Takes the frames that could not be read off the list. */
void damage_drop(damage_list *list);
void damage_free(damage_list *list);

#endif
