#include "hybrid/near_surface.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "hybrid/parcels_parts.h"

enum { AROUND = 2 }; /* cells */

static int near_surface_row_groups(const domain *d)
{
    return (d->n[0] + NEAR_SURFACE_GROUP - 1) / NEAR_SURFACE_GROUP;
}

static size_t near_surface_all_groups(const domain *d)
{
    return (size_t)near_surface_row_groups(d) * (size_t)(d->n[1] * d->n[2]);
}

size_t near_surface_bytes(const domain *d)
{
    return (size_t)domain_cells(d) + 3 * near_surface_all_groups(d) * sizeof(near_surface_bits) +
           (size_t)(d->n[1] * d->n[2]) * sizeof(uint32_t);
}

fr_result near_surface_create(const domain *d, near_surface *out)
{
    *out = (near_surface){.d = *d, .groups = near_surface_row_groups(d)};
    out->kind = MEMORY_NEW(near_surface_bits, 3 * near_surface_all_groups(d));
    out->held = MEMORY_NEW(uint8_t, domain_cells(d));
    out->row_feeds = MEMORY_NEW(uint32_t, d->n[1] * d->n[2]);
    if (!out->kind || !out->held || !out->row_feeds) {
        near_surface_destroy(out);
        return FR_ERROR_MEMORY;
    }
    out->feeds = out->kind + near_surface_all_groups(d);
    out->spare = out->feeds + near_surface_all_groups(d);
    return FR_OK;
}

void near_surface_destroy(near_surface *s)
{
    memory_free(s->row_feeds);
    memory_free(s->held);
    memory_free(s->kind);
    *s = (near_surface){0};
}

typedef struct near_surface_job {
    near_surface *s;
    const parcels *p;
} near_surface_job;

static uint8_t *near_surface_row(const near_surface *s, int j, int k)
{
    return s->held + s->d.n[0] * (j + (int64_t)s->d.n[1] * k);
}

static void near_surface_clear_rows(void *context, int begin, int end)
{
    const near_surface *s = context;
    memset(s->held + (int64_t)s->d.n[0] * begin, 0, (size_t)s->d.n[0] * (size_t)(end - begin));
}

static slabs_packet *near_surface_packets(const parcels *p)
{
    return (slabs_packet *)(void *)p->order;
}

/* Marks the cells of eight parcels. Threads may mark the same cell: with the same mark. */
static void near_surface_mark(uint8_t *held, const eight *e, wide_mask at)
{
    int32_t cell[WIDE];
    memcpy(cell, &at, sizeof cell);
    if (e->there == 0xffu)
        for (int l = 0; l < WIDE; l++)
            __atomic_store_n(&held[cell[l]], 1, __ATOMIC_RELAXED);
    else
        for (unsigned lanes = e->there; lanes; lanes &= lanes - 1)
            __atomic_store_n(&held[cell[__builtin_ctz(lanes)]], 1, __ATOMIC_RELAXED);
}

/* Marks the cells of a packet of parcels, and notes where they are: those that are gone count as in cell (0, 0, 0). */
static void near_surface_mark_packet(const near_surface_job *job, int64_t first, slabs_packet *packet)
{
    const parcels *p = job->p;
    const int64_t end = first + SLABS_PACKET < p->count ? first + SLABS_PACKET : p->count;
    wide low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = wide_all(INT16_MAX);
        high[a] = wide_all(0);
    }
    for (int64_t n = first; n < end; n += WIDE) {
        const eight e = eight_from(p, n);
        for (int a = 0; a < 3; a++) {
            const wide cell = __builtin_convertvector(e.cell[a], wide);
            low[a] = wide_min(cell, low[a]);
            high[a] = wide_max(cell, high[a]);
        }
        near_surface_mark(job->s->held, &e, eight_offsets(&e, p->d.n[0], p->d.n[0] * p->d.n[1]));
    }
    for (int a = 0; a < 3; a++) {
        packet->low[a] = (int16_t)wide_least(low[a]);
        packet->high[a] = (int16_t)wide_greatest(high[a]);
    }
}

static void near_surface_mark_chunks(void *context, int begin, int end)
{
    const near_surface_job *job = context;
    for (int64_t n = parcels_chunk_begin(begin); n < parcels_chunk_end(job->p, end - 1); n += SLABS_PACKET)
        near_surface_mark_packet(job, n, near_surface_packets(job->p) + n / SLABS_PACKET);
}

/* Notes the groups of each row with cells that are felt. */
static void near_surface_sum_rows(void *context, int begin, int end)
{
    const near_surface *s = context;
    for (int r = begin; r < end; r++) {
        const near_surface_bits *feeds = s->feeds + s->groups * (int64_t)r;
        uint32_t any = 0;
        for (int g = 0; g < s->groups; g++)
            any |= feeds[g] & 0xffu ? near_surface_span(s, g, g) : 0;
        s->row_feeds[r] = any;
    }
}

static bool near_surface_is_silent(const near_surface *s, const slabs_packet *packet)
{
    const uint32_t span =
        near_surface_span(s, packet->low[0] / NEAR_SURFACE_GROUP, packet->high[0] / NEAR_SURFACE_GROUP);
    uint32_t felt = 0;
    for (int k = packet->low[2]; k <= packet->high[2] && !felt; k++)
        for (int j = packet->low[1]; j <= packet->high[1]; j++)
            felt |= s->row_feeds[j + (int64_t)s->d.n[1] * k] & span;
    return !felt;
}

static void near_surface_judge_chunks(void *context, int begin, int end)
{
    const near_surface_job *job = context;
    slabs_packet *packets = near_surface_packets(job->p);
    for (int64_t n = parcels_chunk_begin(begin); n < parcels_chunk_end(job->p, end - 1); n += SLABS_PACKET)
        packets[n / SLABS_PACKET].silent = near_surface_is_silent(job->s, &packets[n / SLABS_PACKET]);
}

/* What is around a cell along an axis: beyond an end that is not periodic, nothing new. */
static int near_surface_wrap(const domain *d, int axis, int i)
{
    int n = d->n[axis];
    return d->periodic[axis] ? (i + n) % n : i < 0 ? 0 : i < n ? i : n - 1;
}

/* Of the cells from AROUND before a group's first to AROUND behind its last, one bit each: which cells of the group
   have any of them within AROUND. */
static unsigned near_surface_widen(unsigned window)
{
    unsigned any = 0;
    for (int away = 0; away <= 2 * AROUND; away++)
        any |= window >> away;
    return any & 0xffu;
}

enum { WINDOW = NEAR_SURFACE_GROUP + 2 * AROUND };

/* Bits of the eight cells from `row` on that are held. The product brings byte n, 0 or 1, to bit 56 + n. */
static unsigned near_surface_held(const uint8_t *row)
{
    uint64_t cells;
    memcpy(&cells, row, sizeof cells);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    cells = __builtin_bswap64(cells);
#endif
    return (unsigned)(cells * 0x0102040810204080u >> 56);
}

/* Which cells of a group have occupied ones (low) and empty ones (high) around them along x. */
static near_surface_bits near_surface_look(const near_surface *s, int group, const uint8_t *row)
{
    const int first = group * NEAR_SURFACE_GROUP - AROUND;
    unsigned held = 0;
    if (first >= 0 && first + WINDOW <= s->d.n[0])
        held = near_surface_held(row + first) | near_surface_held(row + first + WINDOW - 8) << (WINDOW - 8);
    else
        for (int i = 0; i < WINDOW; i++)
            held |= (unsigned)(row[near_surface_wrap(&s->d, 0, first + i)] != 0) << i;
    return near_surface_both(near_surface_widen(held), near_surface_widen(~held & ((1u << WINDOW) - 1)));
}

static void near_surface_look_rows(void *context, int begin, int end)
{
    const near_surface *s = context;
    for (int r = begin; r < end; r++)
        for (int g = 0; g < s->groups; g++)
            s->feeds[g + s->groups * (int64_t)r] =
                near_surface_look(s, g, near_surface_row(s, r % s->d.n[1], r / s->d.n[1]));
}

/* Gathers the bits of the rows of groups within AROUND along an axis. */
typedef struct near_surface_join {
    const near_surface *s;
    int axis;
    const near_surface_bits *from;
    near_surface_bits *to;
} near_surface_join;

static void near_surface_join_rows(void *context, int begin, int end)
{
    const near_surface_join *join = context;
    const near_surface *s = join->s;
    for (int r = begin; r < end; r++) {
        near_surface_bits *restrict to = join->to + s->groups * (int64_t)r;
        memset(to, 0, (size_t)s->groups * sizeof *to);
        for (int away = -AROUND; away <= AROUND; away++) {
            int at[3] = {0, r % s->d.n[1], r / s->d.n[1]};
            at[join->axis] = near_surface_wrap(&s->d, join->axis, at[join->axis] + away);
            const near_surface_bits *from = join->from + s->groups * (at[1] + (int64_t)s->d.n[1] * at[2]);
            for (int g = 0; g < s->groups; g++)
                to[g] |= from[g];
        }
    }
}

/* From what is around a cell follows its kind. */
static void near_surface_judge_rows(void *context, int begin, int end)
{
    const near_surface *s = context;
    for (int64_t g = s->groups * (int64_t)begin; g < s->groups * (int64_t)end; g++) {
        const unsigned held = s->feeds[g] & 0xffu, empty = s->feeds[g] >> 8;
        s->kind[g] = near_surface_both(held & empty, held & ~empty);
    }
}

/* Whether a cell of a row is near the surface. */
static unsigned near_surface_bit(const near_surface_bits *kind, int i)
{
    return (unsigned)kind[i / NEAR_SURFACE_GROUP] >> (i % NEAR_SURFACE_GROUP) & 1u;
}

/* Which cells have others near the surface around them along x. */
static void near_surface_feed_rows(void *context, int begin, int end)
{
    const near_surface *s = context;
    for (int r = begin; r < end; r++)
        for (int g = 0; g < s->groups; g++) {
            const near_surface_bits *kind = s->kind + s->groups * (int64_t)r;
            const int first = g * NEAR_SURFACE_GROUP - AROUND;
            unsigned window = 0;
            if (first >= 0 && first + WINDOW <= s->d.n[0])
                window = (kind[g - 1] & 0xffu) >> (NEAR_SURFACE_GROUP - AROUND) | (kind[g] & 0xffu) << AROUND |
                         (kind[g + 1] & ((1u << AROUND) - 1)) << (NEAR_SURFACE_GROUP + AROUND);
            else
                for (int i = 0; i < WINDOW; i++)
                    window |= near_surface_bit(kind, near_surface_wrap(&s->d, 0, first + i)) << i;
            s->feeds[g + s->groups * (int64_t)r] = near_surface_both(near_surface_widen(window), 0);
        }
}

/* Spreads the bits of `feeds` to the rows around. */
static void near_surface_around(const near_surface *s)
{
    int rows = s->d.n[1] * s->d.n[2];
    threads_for_cost(rows, s->groups, near_surface_join_rows, &(near_surface_join){s, 1, s->feeds, s->spare});
    threads_for_cost(rows, s->groups, near_surface_join_rows, &(near_surface_join){s, 2, s->spare, s->feeds});
}

void near_surface_find(near_surface *s, const parcels *p)
{
    int rows = s->d.n[1] * s->d.n[2], chunks = parcels_chunks(p->count);
    near_surface_job job = {s, p};
    threads_for_cost(rows, s->d.n[0], near_surface_clear_rows, s);
    threads_for_cost(chunks, PARCELS_CHUNK, near_surface_mark_chunks, &job);
    threads_for_cost(rows, s->d.n[0], near_surface_look_rows, s);
    near_surface_around(s);
    threads_for_cost(rows, s->groups, near_surface_judge_rows, s);
    threads_for_cost(rows, s->groups, near_surface_feed_rows, s);
    near_surface_around(s);
    threads_for_cost(rows, s->groups, near_surface_sum_rows, s);
    threads_for_cost(chunks, PARCELS_CHUNK / SLABS_PACKET, near_surface_judge_chunks, &job);
    s->packets = near_surface_packets(p);
}
