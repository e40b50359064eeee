/* The memory for bodies: all of it is taken before the first step. */
#include "grid/carver.h"
#include "base/memory.h"
#include "grid/poisson/movers/movers.h"

/* Entries for each pushed cell, and some for each body: a few layers around most bodies.
   Bodies that have no room take fewer layers. */
enum { ROOM_LAYERS = 8, ROOM_SMALL = 64 };

/* Pairs and pockets for each body, on average. */
enum { ROOM_PAIRS = 24, ROOM_TOUCHES = 4 };

/* Mean width of the envelopes where there are more columns. */
enum { ROOM_WIDTH = 1200 };

static size_t room_envelope(int columns)
{
    const size_t n = (size_t)columns, whole = n * (n + 1) / 2, most = n * ROOM_WIDTH;
    return whole < most ? whole : most;
}

static movers_room room_of(const movers_want *want)
{
    const int count = want->bodies, rows = want->rows;
    movers_room r = {.bodies = count, .rows = rows, .pushed = want->pushed, .items = want->items};
    r.entries = ROOM_LAYERS * want->pushed + ROOM_SMALL * count;
    r.pieces = r.entries / MOVERS_PIECE + count;
    r.pairs = count < ROOM_PAIRS ? count * count : ROOM_PAIRS * count;
    r.touches = ROOM_TOUCHES * count + MOVERS_POCKETS;
    r.columns = 6 * count + rows + MOVERS_POCKETS;
    r.space = room_envelope(r.columns);
    r.held = room_envelope(rows);
    return r;
}

int movers_quota(int pushes) { return ROOM_LAYERS * pushes + ROOM_SMALL; }

static void room_place_envelope(envelope *e, carver *c, int columns, size_t numbers)
{
    e->first = CARVER_TAKE(c, int, columns);
    e->row = CARVER_TAKE(c, ptrdiff_t, columns);
    e->value = CARVER_TAKE(c, double, numbers);
    e->inverse = CARVER_TAKE(c, double, columns);
}

static void room_place_cells(movers *b, carver *c)
{
    const movers_room *r = &b->most;
    b->slot = CARVER_TAKE(c, int, r->entries);
    b->before = CARVER_TAKE(c, int, r->entries);
    b->again = CARVER_TAKE(c, int, r->entries);
    b->stencil = CARVER_TAKE(c, movers_stencil, r->entries);
    b->field = CARVER_TAKE(c, float, (size_t)r->entries * MOVERS_LANES);
    b->product = CARVER_TAKE(c, float, (size_t)r->entries * MOVERS_LANES);
    b->push = CARVER_TAKE(c, float, (size_t)r->pushed * MOVERS_LANES);
    b->cell = CARVER_TAKE(c, movers_cell, r->pushed);
    b->right = CARVER_TAKE(c, double, r->pushed);
    b->leader = CARVER_TAKE(c, int, r->pushed);
    b->load = CARVER_TAKE(c, double, r->pushed);
    b->piece = CARVER_TAKE(c, movers_piece, r->pieces);
    b->partial = CARVER_TAKE(c, double, (size_t)r->pieces * 2 * MOVERS_LANES);
}

static void room_place(movers *b, carver *c)
{
    const movers_room *r = &b->most;
    b->one = CARVER_TAKE(c, movers_one, r->bodies);
    room_place_cells(b, c);
    b->pair = CARVER_TAKE(c, movers_pair, r->pairs);
    b->touch = CARVER_TAKE(c, movers_touch, r->touches);
    b->pocket_sum = CARVER_TAKE(c, double, (size_t)r->items * MOVERS_POCKETS);
    for (int side = 0; side < 2; side++)
        b->next_row[side] = CARVER_TAKE(c, int, r->rows);
    b->row_place = CARVER_TAKE(c, int, r->rows);
    b->row_column = CARVER_TAKE(c, int, r->rows);
    room_place_envelope(&b->held, c, r->rows, r->held);
    b->hold = CARVER_TAKE(c, double, r->rows);
    room_place_envelope(&b->space, c, r->columns, r->space);
    b->answer = CARVER_TAKE(c, double, r->columns);
    b->along = CARVER_TAKE(c, double, r->columns);
    b->floor = CARVER_TAKE(c, double, r->columns);
    b->node = CARVER_TAKE(c, movers_node, r->columns);
    b->attached = CARVER_TAKE(c, movers_attached, r->columns);
    b->force = CARVER_TAKE(c, double, (size_t)r->bodies * MOVERS_LANES);
    b->motion = CARVER_TAKE(c, double, (size_t)r->bodies * MOVERS_LANES);
    b->factor = CARVER_TAKE(c, float, (size_t)r->bodies * MOVERS_LANES);
}

size_t movers_bytes(const movers_want *want)
{
    movers b = {.most = room_of(want)};
    carver measure = {0};
    room_place(&b, &measure);
    return sizeof b + measure.used;
}

fr_result movers_create(const movers_want *want, movers **out)
{
    movers *b = *out = MEMORY_NEW(movers, 1);
    if (!b)
        return FR_ERROR_MEMORY;
    b->most = room_of(want);
    b->memory = memory_alloc(movers_bytes(want));
    if (!b->memory) {
        movers_destroy(b);
        *out = NULL;
        return FR_ERROR_MEMORY;
    }
    carver parts = {.start = b->memory};
    room_place(b, &parts);
    return FR_OK;
}

void movers_destroy(movers *b)
{
    if (b)
        memory_free(b->memory);
    memory_free(b);
}
