/* Signed distance in the band, |∇φ| = 1, with the zero set left where it is.

   Cells beside the surface get their distance first (redistance_beside.c), and are then held. From there the distance
   spreads outward, block by block of cells (redistance_spread.c), until nothing changes. Blocks take turns by colours,
   so that no two that see one another are worked on at once, and the bits are the same for any number of threads; a
   block whose neighbours have changed gets another turn for the cells that see it. What lies beyond the sides is found
   once and held: found from the distances inside in every pass, it would in turn decide them. */
#include <string.h>

#include "base/threads.h"
#include "surface/levelset/redistance.h"

enum { REDISTANCE_COLOURS = 3 };

static void redistance_hold_part(void *context, int begin, int end)
{
    const redistance_job *job = context;
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(job->ls, job->ls->list[m]);
        band_hold_sides(job->ls, &b, job->phi);
    }
}

/* The number of the block beside another one along an axis; −1: there is none. */
static int redistance_beside_block(const levelset *ls, int number, int axis, int way)
{
    const int step[3] = {1, ls->blocks[0], ls->blocks[0] * ls->blocks[1]}, n = ls->blocks[axis];
    const int at = number / step[axis] % n, to = ls->d.periodic[axis] ? (at + way + n) % n : at + way;
    return to < 0 || to >= n ? -1 : number + (to - at) * step[axis];
}

/* A layer of cells in a block across an axis, and the layer of another block that sees it. */
typedef struct redistance_layers {
    int axis, from, to;
    uint16_t *changed, *stale;
} redistance_layers;

/* Marks the cells that see changed ones. Returns whether there are any. */
static bool redistance_tell_layer(const levelset *ls, const redistance_layers *l)
{
    const int line = ls->side[1], rows[3] = {line * ls->side[2], ls->side[2], line};
    const int across = l->axis == 1 ? line : 1, along = l->axis == 1 ? 1 : l->axis == 2 ? line : 0;
    unsigned any = 0;
    for (int n = 0; n < rows[l->axis]; n++) {
        const unsigned row = l->changed[n * across + l->from * along];
        const unsigned cells = l->axis > 0 ? row : (row >> l->from & 1u) << l->to;
        l->stale[n * across + l->to * along] |= (uint16_t)cells;
        any |= cells;
    }
    return any;
}

/* All cells of a block are to be looked at. */
static void redistance_tell_all(const levelset *ls, int number)
{
    if (number < 0 || ls->slot[number] < 0)
        return;
    ls->mark[number] |= BAND_WAITS;
    ls->colour[ls->slot[number]] |= REDISTANCE_WHOLE;
}

/* Tells the block beside another one which of its cells see changed ones, up to two cells away. */
static void redistance_tell_beside(const levelset *ls, int m, int axis, int way)
{
    const int number = ls->list[m], beside = redistance_beside_block(ls, number, axis, way);
    if (beside < 0 || ls->slot[beside] < 0)
        return;
    const band_block own = band_block_of(ls, number), other = band_block_of(ls, beside);
    const int last = own.inside[axis] - 1, other_last = other.inside[axis] - 1;
    bool any = false;
    for (int d = 0; d < GHOST && d <= last; d++)
        for (int e = 0; d + e < GHOST && e <= other_last; e++) {
            const redistance_layers layers = {axis, way > 0 ? last - d : d, way > 0 ? e : other_last - e,
                                              spread_memory_of(ls, m)->changed,
                                              spread_memory_of(ls, ls->slot[beside])->stale};
            any = redistance_tell_layer(ls, &layers) || any;
        }
    if (any)
        ls->mark[beside] |= BAND_WAITS;
    if (any && other_last + 1 < GHOST)
        redistance_tell_all(ls, redistance_beside_block(ls, beside, axis, way));
}

/* Tells the blocks beside one that has had its turn, and the block itself if it was left before it had settled. Where
   the band has grown, other cells than before may take part. */
static void redistance_tell(const levelset *ls, int m)
{
    const int became = (int)ls->partial[m];
    const bool grown = became & REDISTANCE_GROWN;
    if (became & (REDISTANCE_GROWN | REDISTANCE_LEFT))
        redistance_tell_all(ls, ls->list[m]);
    for (int axis = 0; axis < ls->d.dims && became & REDISTANCE_CHANGED; axis++)
        for (int way = -1; way <= 1; way += 2) {
            redistance_tell_beside(ls, m, axis, way);
            if (grown)
                redistance_tell_all(ls, redistance_beside_block(ls, ls->list[m], axis, way));
        }
}

/* Colours along an axis: even, odd, and where the ends of a periodic axis would be alike another one. A block sees two
   cells beyond its own, across a last block of one cell too. */
static int redistance_colour_along(const levelset *ls, int axis, int at)
{
    const int blocks = ls->blocks[axis], thin = ls->d.n[axis] - (blocks - 1) * ls->side[axis] < GHOST;
    if (!ls->d.periodic[axis])
        return at % 2;
    return at == (blocks % 2 ? blocks - 1 : thin ? blocks - 2 : -1) ? 2 : at % 2;
}

/* No two blocks of one colour see one another: each sees those beside its faces. */
static int redistance_colour(const levelset *ls, int number)
{
    return (redistance_colour_along(ls, 0, number % ls->blocks[0]) +
            redistance_colour_along(ls, 1, number / ls->blocks[0] % ls->blocks[1]) +
            redistance_colour_along(ls, 2, number / ls->blocks[0] / ls->blocks[1])) %
           REDISTANCE_COLOURS;
}

/* Lets the waiting blocks of a colour take their turn, where the surface is or elsewhere. Returns whether any did. */
static bool redistance_turn(const redistance_job *job, int colour, bool crossed)
{
    levelset *ls = job->ls;
    int count = 0;
    for (int m = 0; m < ls->count; m++) {
        const uint8_t mark = ls->mark[ls->list[m]];
        if (mark & BAND_WAITS && ((mark & ~BAND_WAITS) == BAND_CROSSED) == crossed &&
            (ls->colour[m] & ~REDISTANCE_WHOLE) == colour)
            ls->turn[count++] = m;
    }
    for (int n = 0; n < count; n++)
        ls->mark[ls->list[ls->turn[n]]] &= (uint8_t)~BAND_WAITS;
    threads_for_cost(count, BLOCK_CELLS, redistance_take_turns, (void *)job);
    for (int n = 0; n < count; n++)
        redistance_tell(ls, ls->turn[n]);
    return count > 0;
}

/* Blocks with the surface first, until they have settled: the others depend on them. */
static void redistance_spread(const redistance_job *job)
{
    enum { ROUNDS = 24 };
    levelset *ls = job->ls;
    for (int m = 0; m < ls->count; m++) {
        ls->mark[ls->list[m]] |= BAND_WAITS;
        ls->colour[m] = (uint8_t)(redistance_colour(ls, ls->list[m]) | REDISTANCE_WHOLE);
        memset(spread_memory_of(ls, m)->stale, 0, sizeof(uint16_t) * BLOCK_ROWS);
    }
    bool goes_on = true;
    for (int round = 0; round < ROUNDS && goes_on; round++) {
        goes_on = false;
        for (int colour = 0; colour < REDISTANCE_COLOURS; colour++)
            goes_on = redistance_turn(job, colour, true) || goes_on;
        const bool others = !goes_on;
        for (int colour = 0; colour < REDISTANCE_COLOURS && others; colour++)
            goes_on = redistance_turn(job, colour, false) || goes_on;
    }
}

/* Of blocks as band_update leaves them. */
static void redistance_listed(levelset *ls, field *phi)
{
    redistance_job job;
    redistance_begin(ls, phi, &job);
    band_for_blocks(ls, redistance_hold_part, &job);
    redistance_spread(&job);
    levelset_fill_ghosts(ls, phi);
}

fr_result levelset_redistance(levelset *ls, field *phi)
{
    FR_TRY(band_update(ls, phi, ls->reach));
    redistance_listed(ls, phi);
    return FR_OK;
}

fr_result levelset_renew(levelset *ls, field *phi)
{
    FR_TRY(band_find(ls, phi));
    redistance_listed(ls, phi);
    return FR_OK;
}
