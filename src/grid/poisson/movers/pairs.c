/* Which bodies share cells, and how their fields feel each other's pushes there. */
#include "grid/poisson/movers/movers.h"

/* The body that an entry belongs to. */
static int pairs_owner(const movers *b, int entry)
{
    int low = 0, high = b->used.bodies - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (b->one[middle].first <= entry)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void movers_give_up(movers_one *one)
{
    one->inner = 0;
    one->count = one->pushes;
}

/* The pair, a new one if need be; NULL: the fields had to be given up. */
static movers_pair *pairs_find(movers *b, int pushing, int field)
{
    movers_one *one = &b->one[pushing];
    for (int at = one->pair; at >= 0; at = b->pair[at].next)
        if (b->pair[at].field == field)
            return &b->pair[at];
    if (b->used.pairs == b->most.pairs) {
        movers_give_up(&b->one[field]);
        return NULL;
    }
    b->pair[b->used.pairs] = (movers_pair){.field = field, .next = one->pair};
    one->pair = b->used.pairs++;
    return &b->pair[one->pair];
}

/* A cell as an entry of a body, counted from its first. */
typedef struct pairs_cell {
    int body, entry;
} pairs_cell;

/* Adds a cell that both have: the pushes and fields of one, the fields of the other. */
static void pairs_add(movers *b, pairs_cell own, pairs_cell other)
{
    const movers_one *one = &b->one[own.body], *two = &b->one[other.body];
    const bool pushed = own.entry < one->pushes && other.entry < two->inner;
    const bool shared = own.entry < one->inner && two->inner;
    movers_pair *pair = pushed || shared ? pairs_find(b, own.body, other.body) : NULL;
    if (!pair)
        return;
    const float *push = movers_lanes(b, MOVERS_PUSH, one) + (ptrdiff_t)one->lanes * own.entry;
    const float *left = movers_lanes(b, MOVERS_FIELD, one) + (ptrdiff_t)one->lanes * own.entry;
    const float *field = movers_lanes(b, MOVERS_FIELD, two) + (ptrdiff_t)two->lanes * other.entry;
    const float *product = movers_lanes(b, MOVERS_PRODUCT, two) + (ptrdiff_t)two->lanes * other.entry;
    for (int a = 0; a < one->dofs && pushed; a++)
        for (int c = 0; c < two->dofs; c++)
            pair->push[a][c] += (double)push[a] * (double)field[c];
    for (int a = 0; a < one->dofs && shared; a++)
        for (int c = 0; c < two->dofs; c++)
            pair->product[a][c] += (double)left[a] * (double)product[c];
}

/* Couples an entry to all those before it that are the same cell. */
static void pairs_couple(movers *b, pairs_cell own)
{
    for (int at = b->before[b->one[own.body].first + own.entry]; at >= 0; at = b->before[at]) {
        const int body = pairs_owner(b, at);
        const pairs_cell other = {body, at - b->one[body].first};
        if (other.entry < b->one[body].count && own.entry < b->one[own.body].count) {
            pairs_add(b, own, other);
            pairs_add(b, other, own);
        }
    }
}

/* The first pushed cell that is the same cell as that of an entry. */
static int pairs_leader(const movers *b, const movers_one *one, int entry)
{
    for (int at = b->before[one->first + entry]; at >= 0; at = b->before[at]) {
        const movers_one *other = &b->one[pairs_owner(b, at)];
        if (at - other->first < other->pushes)
            return b->leader[other->pushed + at - other->first];
    }
    return one->pushed + entry;
}

static void pairs_cut(movers *b, int body)
{
    const movers_one *one = &b->one[body];
    for (int begin = 0; begin < one->count; begin += MOVERS_PIECE) {
        const int end = begin + MOVERS_PIECE;
        b->piece[b->used.pieces++] = (movers_piece){body, begin, end < one->count ? end : one->count};
    }
}

void movers_pair_up(poisson *s)
{
    movers *b = s->movers;
    int *last = (int *)(void *)s->p.of[0], agains = 0; /* of each cell; p is made anew before it is read */
    for (int n = 0; n < b->used.bodies; n++)
        for (int entry = 0; entry < b->one[n].count; entry++)
            last[b->slot[b->one[n].first + entry]] = -1;
    for (int n = 0; n < b->used.bodies; n++) {
        movers_one *one = &b->one[n];
        one->again = agains;
        for (int entry = 0; entry < one->count; entry++) {
            const int at = one->first + entry;
            b->before[at] = last[b->slot[at]];
            last[b->slot[at]] = at;
            if (b->before[at] >= 0)
                b->again[agains++] = entry;
            if (entry < one->pushes)
                b->leader[one->pushed + entry] = pairs_leader(b, one, entry);
        }
        one->agains = agains - one->again;
    }
    for (int n = 0; n < b->used.bodies; n++)
        for (int at = b->one[n].again; at < b->one[n].again + b->one[n].agains; at++)
            pairs_couple(b, (pairs_cell){n, b->again[at]});
    for (int n = 0; n < b->used.bodies; n++)
        pairs_cut(b, n);
}
