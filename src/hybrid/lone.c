#include "hybrid/lone.h"

#include <stdlib.h>

#include "base/threads.h"
#include "hybrid/eight.h"
#include "hybrid/parcels_parts.h"
#include "hybrid/slabs.h"

/* Cells of the parcels, from face to face. */
enum { LONE_REACH = 2 };

typedef struct lone {
    const parcels *p;
    const slabs_packet *packets;
    const lone_cells *cells;
    int fine; /* cells of φ along an edge of the parcels' */
} lone;

/* The cell of φ that a parcel is in. */
static void lone_cell(const lone *s, int64_t n, int cell[3])
{
    for (int a = 0; a < 3; a++) {
        cell[a] = (int)((float)s->fine * s->p->x[a][n]);
        cell[a] = cell[a] < s->cells->phi->size[a] ? cell[a] : s->cells->phi->size[a] - 1;
    }
}

/* Whether a cell lies in the domain and is liquid. */
static bool lone_is_wet(const field *phi, int i, int j, int k)
{
    return i >= 0 && j >= 0 && k >= 0 && i < phi->size[0] && j < phi->size[1] && k < phi->size[2] &&
           field_row(phi, j, k)[i] < 0;
}

/* Whether there is no liquid so near to a dry cell that its velocity is continued to there, and no obstacle. */
static bool lone_is(const lone *s, const int cell[3])
{
    const field *phi = s->cells->phi, *solid = s->cells->solid;
    const int reach = LONE_REACH * s->fine, deep = s->p->d.dims == 3 ? reach : 0;
    if (solid && field_row(solid, cell[1], cell[2])[cell[0]] < 0)
        return false;
    for (int k = -deep; k <= deep; k++)
        for (int j = abs(k) - reach; j <= reach - abs(k); j++)
            for (int i = abs(k) + abs(j) - reach; i <= reach - abs(k) - abs(j); i++)
                if (lone_is_wet(phi, cell[0] + i, cell[1] + j, cell[2] + k))
                    return false;
    return true;
}

/* Those of eight parcels that are lone. */
static unsigned lone_eight(const lone *s, int64_t n)
{
    eight e = eight_from(s->p, n);
    const wide_mask bit = {1, 2, 4, 8, 16, 32, 64, 128}, there = ((int32_t)e.there & bit) != 0;
    if (s->fine > 1)
        eight_refine(&e, s->p, n, s->cells->phi);
    unsigned found = wide_bits((eight_values(&e, s->cells->phi) >= 0) & there);
    for (unsigned left = found; left; left &= left - 1) {
        int cell[3];
        lone_cell(s, n + __builtin_ctz(left), cell);
        if (!lone_is(s, cell))
            found &= ~(left & -left);
    }
    return found;
}

/* Whether cells of a packet's box are dry. */
static bool lone_may_be(const lone *s, const slabs_packet *packet)
{
    int16_t low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (int16_t)(s->fine * packet->low[a]);
        high[a] = (int16_t)(s->fine * (packet->high[a] + 1) - 1);
        high[a] = high[a] < s->cells->phi->size[a] ? high[a] : (int16_t)(s->cells->phi->size[a] - 1);
    }
    return eight_box_holds(s->cells->phi, low, high, 0);
}

/* All are found before φ changes: several threads look at one cell. */
static void lone_list(void *context, int begin, int end)
{
    const lone *s = context;
    const parcels *p = s->p;
    for (int chunk = begin; chunk < end; chunk++) {
        const int64_t first = parcels_chunk_begin(chunk);
        int32_t count = 0;
        for (int64_t n = first; n < parcels_chunk_end(p, chunk); n += WIDE) {
            const slabs_packet *packet = &s->packets[n / SLABS_PACKET];
            if (n % SLABS_PACKET == 0 && (packet->silent || !lone_may_be(s, packet))) {
                n += SLABS_PACKET - WIDE;
                continue;
            }
            for (unsigned lanes = lone_eight(s, n); lanes; lanes &= lanes - 1)
                p->list[first + count++] = (int32_t)(n + __builtin_ctz(lanes));
        }
        p->tally[chunk] = count;
    }
}

bool lone_wet(const transfer *t, const parcels *p, const lone_cells *cells)
{
    lone s = {.p = p, .packets = t->near.packets, .cells = cells, .fine = cells->phi->size[0] / p->d.n[0]};
    threads_for_cost(parcels_chunks(p->count), PARCELS_CHUNK, lone_list, &s);
    bool any = false;
    for (int chunk = 0; chunk < parcels_chunks(p->count); chunk++)
        for (int32_t i = 0; i < p->tally[chunk]; i++) {
            int cell[3];
            lone_cell(&s, p->list[parcels_chunk_begin(chunk) + i], cell);
            field_row(cells->phi, cell[1], cell[2])[cell[0]] = -cells->depth;
            any = true;
        }
    return any;
}
