/* The usable frames of a run's cache. Damaged ones are reported and skipped. */
#ifndef KIT_DAMAGE_H
#define KIT_DAMAGE_H

#include "run/folder.h"

typedef struct damage_list {
    int *frames;   /* ascending */
    int count;
    int damaged;   /* number of frames skipped so far, including missing ones */
} damage_list;

/* Lists the cached frames of the range and reports those that the run wrote but that are missing. Damage is found
   later, when frames are read: each file has a checksum. */
fr_result damage_find(damage_list *list, const run_folder *folder, option_range range);

/* Reads the frame at `index`. If it cannot be read, reports it and returns NULL. */
fr_cached_frame *damage_read(damage_list *list, const run_folder *folder, int index);

/* Removes the frames that could not be read from the list. */
void damage_drop(damage_list *list);
void damage_free(damage_list *list);

#endif
