#include "kit/damage.h"
#include "kit/say.h"

#include <stdlib.h>
#include <string.h>

/* Replaces a frame's number in the list once the frame turned out to be unreadable. */
enum { DAMAGE_UNREADABLE = -1 };

static bool damage_has(const damage_list *list, int frame)
{
    for (int low = 0, high = list->count; low < high;) {
        int middle = low + (high - low) / 2;
        if (list->frames[middle] == frame)
            return true;
        if (list->frames[middle] < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Reports frames that the run's list has but the folder has not. */
static void damage_find_missing(damage_list *list, const run_folder *folder, option_range range)
{
    for (int i = 0; i < fr_list_count(folder->list); i++) {
        const char *path = fr_list_path(folder->list, i);
        int frame, used = 0;
        if (!path || sscanf(path, "cache/%9d.h5%n", &frame, &used) != 1 || used == 0 || path[used])
            continue;
        if (frame < range.from || frame > range.to || damage_has(list, frame))
            continue;
        say_error("skipped: %s is missing", run_folder_path(folder, "%s", path).text);
        list->damaged++;
    }
}

fr_result damage_find(damage_list *list, const run_folder *folder, option_range range)
{
    *list = (damage_list){.damaged = 0};
    FR_TRY(run_folder_frames(folder, range, &list->frames, &list->count));
    damage_find_missing(list, folder, range);
    return FR_OK;
}

fr_cached_frame *damage_read(damage_list *list, const run_folder *folder, int index)
{
    fr_cached_frame *frame = NULL;
    run_path path = run_folder_path(folder, "cache/%06d.h5", list->frames[index]);
    if (fr_cache_read(path.text, &frame) == FR_OK)
        return frame;
    say_error("skipped: %s", fr_error_message());
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
