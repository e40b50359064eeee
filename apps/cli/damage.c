#include "damage.h"
#include "say.h"

#include <stdlib.h>

/* A frame's place in the list holds this once it turned out unreadable. */
enum { DAMAGE_UNREADABLE = -1 };

void damage_find(damage_list *list, const run_folder *folder, option_range range)
{
    *list = (damage_list){.damaged = 0};
    list->count = run_folder_frames(folder, range, &list->frames);
}

fr_cached_frame *damage_read(damage_list *list, const run_folder *folder, int index)
{
    fr_cached_frame *frame = NULL;
    run_path path = run_folder_path(folder, "cache/%06d.h5", list->frames[index]);
    if (fr_cache_read(path.text, &frame) == FR_OK)
        return frame;
    say_error("passed over: %s", fr_error_message());
    list->damaged++;
    list->frames[index] = DAMAGE_UNREADABLE;
    return NULL;
}

void damage_drop(damage_list *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->frames[i] != DAMAGE_UNREADABLE)
            list->frames[kept++] = list->frames[i];
    list->count = kept;
}

void damage_free(damage_list *list)
{
    free(list->frames);
    list->frames = NULL;
    list->count = 0;
}
