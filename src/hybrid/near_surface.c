#include "hybrid/near_surface.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "hybrid/slabs.h"

enum { AROUND = 2 };          /* cells */
enum { EMPTY = 1, HELD = 2 }; /* bits: what a group's neighbourhood has */

static int near_surface_row_groups(const domain *d)
{
    return (d->n[0] + NEAR_SURFACE_GROUP - 1) / NEAR_SURFACE_GROUP;
}

size_t near_surface_bytes(const domain *d)
{
    return (size_t)domain_cells(d) + 2 * (size_t)near_surface_row_groups(d) * (size_t)(d->n[1] * d->n[2]);
}

fr_result near_surface_create(const domain *d, near_surface *out)
{
    *out = (near_surface){.d = *d, .groups = near_surface_row_groups(d)};
    out->held = MEMORY_NEW(uint8_t, near_surface_bytes(d));
    if (!out->held)
        return FR_ERROR_MEMORY;
    out->kind = out->held + domain_cells(d);
    out->feeds = out->kind + (int64_t)out->groups * d->n[1] * d->n[2];
    return FR_OK;
}

void near_surface_destroy(near_surface *s)
{
    memory_free(s->held);
    *s = (near_surface){0};
}

typedef struct near_surface_job {
    near_surface *s;
    int slow;
} near_surface_job;

static uint8_t *near_surface_row(const near_surface *s, int j, int k)
{
    return s->held + s->d.n[0] * (j + (int64_t)s->d.n[1] * k);
}

static void near_surface_clear(const void *context, int begin, int end)
{
    const near_surface_job *job = context;
    const domain *d = &job->s->d;
    int other = 3 - job->slow, at[3];
    for (at[other] = 0; at[other] < d->n[other]; at[other]++)
        for (at[job->slow] = begin > 0 ? begin : 0; at[job->slow] < end && at[job->slow] < d->n[job->slow];
             at[job->slow]++)
            memset(near_surface_row(job->s, at[1], at[2]), 0, (size_t)d->n[0]);
}

static void near_surface_count(const void *context, const slabs_group *group)
{
    const near_surface_job *job = context;
    const domain *d = &job->s->d;
    int32_t cell[3][WIDE];
    for (int a = 0; a < 3; a++) {
        wide_mask at = __builtin_convertvector(group->x[a], wide_mask);
        wide_mask top = at >= d->n[a];
        at = (top & (d->n[a] - 1)) | (~top & at);
        memcpy(cell[a], &at, sizeof at);
    }
    for (unsigned lanes = group->lanes; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        uint8_t *held = near_surface_row(job->s, cell[1][l], cell[2][l]) + cell[0][l];
        *held = (uint8_t)(*held + (*held < UINT8_MAX));
    }
}

/* What is around a cell along an axis: beyond an end that is not periodic, nothing new. */
static int near_surface_wrap(const domain *d, int axis, int i)
{
    int n = d->n[axis];
    return d->periodic[axis] ? (i + n) % n : i < 0 ? 0 : i < n ? i : n - 1;
}

/* The bits of a group with those of its neighbours along x. */
static uint8_t near_surface_look(const near_surface *s, int group, const uint8_t *row)
{
    int begin = group * NEAR_SURFACE_GROUP - AROUND, end = (group + 1) * NEAR_SURFACE_GROUP + AROUND;
    uint8_t bits = 0;
    for (int i = begin; i < end; i++)
        bits |= row[near_surface_wrap(&s->d, 0, i)] ? HELD : EMPTY;
    return bits;
}

/* Puts the bits of each row's groups into `feeds`. */
static void near_surface_look_rows(void *context, int begin, int end)
{
    const near_surface *s = context;
    for (int r = begin; r < end; r++)
        for (int g = 0; g < s->groups; g++)
            s->feeds[g + s->groups * (int64_t)r] =
                near_surface_look(s, g, near_surface_row(s, r % s->d.n[1], r / s->d.n[1]));
}

/* All bits that `from` has in the rows around. */
static uint8_t near_surface_around(const near_surface *s, const uint8_t *from, int g, int j, int k)
{
    uint8_t bits = 0;
    for (int dk = -AROUND; dk <= AROUND; dk++)
        for (int dj = -AROUND; dj <= AROUND; dj++)
            bits |= from[g + s->groups * (near_surface_wrap(&s->d, 1, j + dj) +
                                          (int64_t)s->d.n[1] * near_surface_wrap(&s->d, 2, k + dk))];
    return bits;
}

static void near_surface_judge_rows(void *context, int begin, int end)
{
    const near_surface *s = context;
    for (int r = begin; r < end; r++)
        for (int g = 0; g < s->groups; g++) {
            uint8_t bits = near_surface_around(s, s->feeds, g, r % s->d.n[1], r / s->d.n[1]);
            s->kind[g + s->groups * (int64_t)r] = bits == (EMPTY | HELD) ? NEAR_SURFACE
                                                  : bits == HELD         ? DEEP_INSIDE
                                                                         : OUTSIDE;
        }
}

/* Groups within two cells of those near the surface. */
static void near_surface_feed_rows(void *context, int begin, int end)
{
    const near_surface *s = context;
    for (int r = begin; r < end; r++)
        for (int g = 0; g < s->groups; g++) {
            uint8_t bits = 0;
            for (int dg = -1; dg <= 1; dg++) {
                int at = g + dg, n = s->groups;
                at = s->d.periodic[0] ? (at + n) % n : at < 0 ? 0 : at < n ? at : n - 1;
                bits |= near_surface_around(s, s->kind, at, r % s->d.n[1], r / s->d.n[1]);
            }
            s->feeds[g + s->groups * (int64_t)r] = bits & NEAR_SURFACE;
        }
}

int64_t near_surface_find(near_surface *s, const parcels *p)
{
    near_surface_job job = {s, p->slow};
    int rows = s->d.n[1] * s->d.n[2];
    int64_t strays = slabs_run(&(slabs_job){p, near_surface_clear, near_surface_count, &job});
    threads_for_cost(rows, s->d.n[0], near_surface_look_rows, s);
    threads_for_cost(rows, s->d.n[0], near_surface_judge_rows, s);
    threads_for_cost(rows, s->d.n[0], near_surface_feed_rows, s);
    return strays;
}
