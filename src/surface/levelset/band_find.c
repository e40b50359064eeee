/* Where the band is, by the signs of a φ of which nothing else is known. */
#include "base/threads.h"
#include "surface/levelset/band.h"

typedef struct find_job {
    const levelset *ls;
    const field *phi;
} find_job;

/* What a block holds: all of it beyond the band on one side, or anything else. */
enum { BAND_MIXED, BAND_LIQUID, BAND_AIR };

/* Looks at the rows of blocks along x from block number `first` on: whole rows of cells, as they lie in memory. */
static void band_holds_row(const levelset *ls, const field *phi, int first)
{
    const band_block b = band_block_of(ls, first);
    for (int i = 0; i < ls->blocks[0]; i++)
        ls->mark[first + i] = BAND_LIQUID | BAND_AIR;
    for (int k = 0; k < b.inside[2]; k++)
        for (int j = 0; j < b.inside[1]; j++) {
            const float *row = field_row(phi, b.first[1] + j, b.first[2] + k);
            for (int i = 0; i < ls->d.n[0]; i += WIDE) {
                const wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7}, beyond = lane >= ls->d.n[0] - i;
                const wide value = wide_load(row + i);
                const bool liquid = wide_every((value == -ls->width) | beyond);
                const bool air = wide_every((value == ls->width) | beyond);
                ls->mark[first + i / ls->side[0]] &= (uint8_t)((liquid ? BAND_LIQUID : 0) | (air ? BAND_AIR : 0));
            }
        }
}

static void band_holds_part(void *context, int begin, int end)
{
    const find_job *job = context;
    for (int row = begin; row < end; row++)
        band_holds_row(job->ls, job->phi, row * job->ls->blocks[0]);
}

/* Whether the surface can be in a block, or between it and the next ones. */
static bool band_may_cross(const levelset *ls, int number)
{
    const int step[3] = {1, ls->blocks[0], ls->blocks[0] * ls->blocks[1]};
    bool may = ls->mark[number] == BAND_MIXED;
    for (int a = 0; a < ls->d.dims; a++)
        for (int way = -1; way <= 1; way += 2) {
            const int n = ls->blocks[a], at = number / step[a] % n, to = at + way;
            const int beside = ls->d.periodic[a] ? (to + n) % n : to < 0 || to >= n ? at : to;
            may = may || ls->mark[number + (beside - at) * step[a]] != ls->mark[number];
        }
    return may;
}

fr_result band_find(levelset *ls, field *phi)
{
    threads_for_cost(ls->blocks[1] * ls->blocks[2], (int64_t)ls->blocks[0] * BLOCK_CELLS, band_holds_part,
                     &(find_job){ls, phi});
    ls->count = 0;
    for (int number = 0; number < ls->blocks[0] * ls->blocks[1] * ls->blocks[2]; number++)
        if (band_may_cross(ls, number))
            ls->list[ls->count++] = number;
    return band_update(ls, phi, ls->reach);
}

fr_result levelset_find(levelset *ls, field *phi)
{
    FR_TRY(band_find(ls, phi));
    levelset_fill_ghosts(ls, phi);
    return FR_OK;
}
