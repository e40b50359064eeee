#include "grid/stress/solids.h"

#include <string.h>

#include "base/memory.h"
#include "grid/stress/parts.h"

static fr_result solids_create_ties(int count, stress_ties *ties)
{
    stress_motion **const vectors[] = {&ties->change, &ties->rest, &ties->guess,
                                       &ties->way,    &ties->gain, &ties->before};
    ties->of = MEMORY_NEW(stress_tie, count);
    bool all = ties->of != NULL;
    for (int v = 0; v < 6; v++) {
        *vectors[v] = MEMORY_NEW(stress_motion, count);
        all = all && *vectors[v];
    }
    return all ? FR_OK : FR_ERROR_MEMORY;
}

static void solids_destroy_ties(stress_ties *ties)
{
    if (!ties)
        return;
    memory_free(ties->of);
    memory_free(ties->change);
    memory_free(ties->rest);
    memory_free(ties->guess);
    memory_free(ties->way);
    memory_free(ties->gain);
    memory_free(ties->before);
    memory_free(ties);
}

fr_result stress_solids_create(int count, int room, stress_solids *out)
{
    *out = (stress_solids){.count = count, .room = room + 1};
    out->of = MEMORY_NEW(stress_solid, count);
    out->faces = MEMORY_NEW(stress_faces, out->room);
    out->ties = MEMORY_NEW(stress_ties, 1);
    return out->of && out->faces && out->ties ? solids_create_ties(count, out->ties) : FR_ERROR_MEMORY;
}

void stress_solids_destroy(stress_solids *solids)
{
    memory_free(solids->of);
    memory_free(solids->faces);
    solids_destroy_ties(solids->ties);
    *solids = (stress_solids){0};
}

double stress_solids_bytes(int count, int room)
{
    const double each = sizeof(stress_solid) + sizeof(stress_tie) + 6 * sizeof(stress_motion);
    return count * each + room * (double)sizeof(stress_faces);
}

static fr_result solids_grow(stress_solids *solids)
{
    const int room = 2 * solids->room;
    stress_faces *faces = MEMORY_NEW(stress_faces, room);
    if (!faces)
        return FR_ERROR_MEMORY;
    memcpy(faces, solids->faces, sizeof *faces * (size_t)solids->row_count);
    memory_free(solids->faces);
    solids->faces = faces;
    solids->room = room;
    return FR_OK;
}

/* In pieces that are no longer than a run. */
fr_result stress_solids_add(stress_solids *solids, const stress_faces *row)
{
    for (int done = 0; done < row->count; done += STRESS_RUN) {
        if (solids->row_count == solids->room)
            FR_TRY(solids_grow(solids));
        stress_faces *to = &solids->faces[solids->row_count++];
        *to = *row;
        to->first[0] += done;
        to->count = row->count - done < STRESS_RUN ? row->count - done : STRESS_RUN;
    }
    return FR_OK;
}
