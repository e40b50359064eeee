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
    return (size_t)domain_cells(d) + 3 * near_surface_all_groups(d) * sizeof(near_surface_bits);
}

fr_result near_surface_create(const domain *d, near_surface *out)
{
    *out = (near_surface){.d = *d, .groups = near_surface_row_groups(d)};
    out->kind = MEMORY_NEW(near_surface_bits, 3 * near_surface_all_groups(d));
    out->held = MEMORY_NEW(uint8_t, domain_cells(d));
    if (!out->kind || !out->held) {
        near_surface_destroy(out);
        return FR_ERROR_MEMORY;
    }
    out->feeds = out->kind + near_surface_all_groups(d);
    out->spare = out->feeds + near_surface_all_groups(d);
    return FR_OK;
}

void near_surface_destroy(near_surface *s)
{
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

/* Marks the cells that parcels are in. Threads may mark the same cell: with the same mark. */
static void near_surface_mark_chunks(void *context, int begin, int end)
{
    const near_surface_job *job = context;
    const parcels *p = job->p;
    for (int64_t n = parcels_chunk_begin(begin); n < parcels_chunk_end(p, end - 1); n += WIDE) {
        const eight e = eight_from(p, n);
        const wide_mask at = eight_offsets(&e, p->d.n[0], p->d.n[0] * p->d.n[1]);
        for (unsigned lanes = e.there; lanes; lanes &= lanes - 1)
            __atomic_store_n(&job->s->held[at[__builtin_ctz(lanes)]], 1, __ATOMIC_RELAXED);
    }
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

/* Which cells of a group have occupied ones (low) and empty ones (high) around them along x. */
static near_surface_bits near_surface_look(const near_surface *s, int group, const uint8_t *row)
{
    const int first = group * NEAR_SURFACE_GROUP - AROUND;
    const bool inside = first >= 0 && first + WINDOW <= s->d.n[0];
    unsigned held = 0;
    for (int i = 0; i < WINDOW; i++)
        held |= (unsigned)(row[inside ? first + i : near_surface_wrap(&s->d, 0, first + i)] != 0) << i;
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
    return kind[i / NEAR_SURFACE_GROUP] >> (i % NEAR_SURFACE_GROUP) & 1u;
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
    int rows = s->d.n[1] * s->d.n[2];
    threads_for_cost(rows, s->d.n[0], near_surface_clear_rows, s);
    threads_for_cost(parcels_chunks(p->count), PARCELS_CHUNK, near_surface_mark_chunks, &(near_surface_job){s, p});
    threads_for_cost(rows, s->d.n[0], near_surface_look_rows, s);
    near_surface_around(s);
    threads_for_cost(rows, s->groups, near_surface_judge_rows, s);
    threads_for_cost(rows, s->groups, near_surface_feed_rows, s);
    near_surface_around(s);
}
