#include <math.h>

#include "base/threads.h"
#include "hybrid/gather.h"
#include "hybrid/parcels_parts.h"
#include "hybrid/place.h"
#include "hybrid/seals.h"
#include "hybrid/transfer.h"

static const float SKIN = GATHER_SKIN;

/* The longest way that needs no look at what lies between its ends, in cells. Interpolated distances make a sloping
   wall of one cell 0.8 cells thick; so a parcel gets less than half way through, and is put back on the side it came
   from. */
static const float SHORT_WAY = 0.3f;

typedef struct from_grid {
    const transfer_flow *flow;
    const field *drift; /* what moves the parcels, m/s, faces */
    const field *pairs; /* those of the flow, or NULL */
    const field *solid; /* that of the flow, */
    seals seals;        /* and its sealed faces */
    parcels *p;
    float *to[3];         /* where new places go */
    parcels_kind carries; /* what is taken from the grid: markers take nothing */
    bool own;             /* a parcel's own velocity leads half way, or with order 1 */
    float share;          /* this share of the way; the flow leads the rest */
    int dims, order;      /* those of the domain and of the flow */
    float scale[3];       /* dt/h: cells per m/s */
    float smallest;       /* m: smallest edge of a cell */
    float reach;          /* with order 2: where the flow is read, as a share of the way from the parcel on */
} from_grid;

/* Eight parcels. */
typedef struct from_grid_group {
    wide_mask there; /* neither gone before nor now */
    wide x[3], v[3], c[3][3];
} from_grid_group;

/* The flow that moves parcels at the places, m/s. */
WIDE_INLINE void from_grid_flow(const from_grid *g, const wide x[3], wide u[3])
{
    gather_faces(g->drift, g->dims, x, u);
}

/* Wraps a coordinate along a periodic axis of n cells. */
WIDE_INLINE wide from_grid_wrap(wide x, float n)
{
    x -= n * wide_floor(x * (1 / n));
    return wide_choose((x >= 0) & (x < n), x, wide_all(0)); /* rounding may give n; NaN becomes 0 */
}

/* Wraps places along periodic axes and keeps them in the domain along others. */
WIDE_INLINE void from_grid_confine(const from_grid *g, wide x[3])
{
    const domain *d = &g->p->d;
    for (int a = 0; a < g->dims; a++) {
        float n = (float)d->n[a];
        x[a] = d->periodic[a] ? from_grid_wrap(x[a], n) : wide_min(wide_max(x[a], wide_all(0)), wide_all(n));
    }
}

/* A place on the way: x + share · Δt u. */
WIDE_INLINE void from_grid_ahead(const from_grid *g, const wide x[3], float share, const wide u[3], wide to[3])
{
    to[2] = x[2];
    for (int a = 0; a < g->dims; a++)
        to[a] = x[a] + share * g->scale[a] * u[a];
    from_grid_confine(g, to);
}

/* The mean velocity of the way over `share` of the step; `u` is that at its begin. A way in pieces bends with the flow:
   the first of them alone knows where the flight began. */
WIDE_INLINE void from_grid_way(const from_grid *g, const wide x[3], float share, wide u[3])
{
    wide ahead[3], second[3], third[3];
    const float reach = share < 1 ? 0.5f : g->reach;
    if (g->order == 1)
        return;
    from_grid_ahead(g, x, reach * share, u, ahead);
    from_grid_flow(g, ahead, second);
    if (g->order == 3) {
        from_grid_ahead(g, x, 0.75f * share, second, ahead);
        from_grid_flow(g, ahead, third);
    }
    for (int a = 0; a < g->dims; a++)
        u[a] = g->order == 3 ? (2 * u[a] + 3 * second[a] + 4 * third[a]) * (1 / 9.0f) : second[a];
}

/* FLIP: what the flow has changed at the parcels' places; and what moves them there, into `u`. */
WIDE_INLINE void from_grid_change(const from_grid *g, from_grid_group *b, wide u[3])
{
    wide change[3];
    gather_both(g->flow->change, g->drift, g->dims, b->x, change, u);
    for (int a = 0; a < g->dims; a++)
        b->v[a] = g->flow->flip * b->v[a] + change[a];
}

/* APIC: the flow there, and its gradient. */
WIDE_INLINE void from_grid_affine(const from_grid *g, from_grid_group *b)
{
    gather_grid grid;
    gather_grid_of(b->x, &grid);
    for (int a = 0; a < g->dims; a++) {
        const field *f = &g->flow->velocity[a];
        gather_place place;
        gather_of(f, a, &grid, &place);
        b->v[a] = gather_gradient(f, &place, b->c[a]);
    }
}

/* What parcels take from the grid, and the velocity at the beginning of their way. */
WIDE_INLINE void from_grid_take(const from_grid *g, from_grid_group *b, wide u[3])
{
    if (g->carries == PARCELS_FLIP)
        from_grid_change(g, b, u);
    else if (!g->own || g->share < 1)
        from_grid_flow(g, b->x, u);
    if (g->carries == PARCELS_APIC)
        from_grid_affine(g, b);
    for (int a = 0; a < g->dims && g->own; a++)
        u[a] = g->share < 1 ? u[a] + g->share * (b->v[a] - u[a]) : b->v[a];
}

/* Sides of the domain: parcels leave or stop there; along periodic axes they come in again at the other end. */
WIDE_INLINE void from_grid_meet_sides(const from_grid *g, from_grid_group *b)
{
    const domain *d = &g->p->d;
    for (int a = 0; a < g->dims; a++) {
        if (d->periodic[a]) {
            b->x[a] = from_grid_wrap(b->x[a], (float)d->n[a]);
            continue;
        }
        wide low = wide_all(SKIN), high = wide_all((float)d->n[a] - SKIN);
        wide_mask below = (b->x[a] < low), above = (b->x[a] > high);
        if (wide_every((b->x[a] >= low) & (b->x[a] <= high))) /* NaN is not: it goes to the low side */
            continue;
        b->there &= g->flow->open_side[2 * a] ? ~(b->x[a] < 0) : ~(wide_mask){0};
        b->there &= g->flow->open_side[2 * a + 1] ? ~(b->x[a] > (float)d->n[a]) : ~(wide_mask){0};
        b->x[a] = wide_min(wide_max(b->x[a], low), high);
        b->v[a] = wide_choose(below, wide_max(b->v[a], wide_all(0)), b->v[a]);
        b->v[a] = wide_choose(above, wide_min(b->v[a], wide_all(0)), b->v[a]);
    }
}

/* Puts distances and slopes right where a place is beside a thin wall. */
static void from_grid_own_side(const from_grid *g, const wide x[3], wide *distance, wide away[3])
{
    const domain *d = &g->p->d;
    const float edge[3] = {(float)d->h[0], (float)d->h[1], (float)d->h[2]};
    for (int l = 0; l < WIDE; l++) {
        float slope[3], own;
        if (!seals_distance(&g->seals, (float[3]){x[0][l], x[1][l], x[2][l]}, edge, &own, slope))
            continue;
        (*distance)[l] = own;
        for (int a = 0; a < g->dims; a++)
            away[a][l] = slope[a];
    }
}

/* Distance to the obstacles, m, and the unit vector away from them. */
static inline wide from_grid_away(const from_grid *g, const wide x[3], wide away[3])
{
    const domain *d = &g->p->d;
    wide squares = wide_all(1e-20f);
    gather_place place;
    gather_find(g->solid, -1, x, &place);
    wide distance = gather_gradient(g->solid, &place, away);
    if (g->seals.marks)
        from_grid_own_side(g, x, &distance, away);
    for (int a = 0; a < d->dims; a++) {
        away[a] *= (float)(1 / d->h[a]);
        squares += away[a] * away[a];
    }
    for (int a = 0; a < d->dims; a++)
        away[a] /= wide_sqrt(squares);
    return distance;
}

/* Parcels that are still inside an obstacle go back to where they were, if that was outside. */
static void from_grid_retreat(const from_grid *g, from_grid_group *b, const wide before[3])
{
    wide away[3];
    wide_mask back = (from_grid_away(g, b->x, away) < 0) & (from_grid_away(g, before, away) >= 0);
    for (int a = 0; a < g->dims; a++)
        b->x[a] = wide_choose(back, before[a], b->x[a]);
}

/* Keeps a parcel on its side of sealed faces, and takes its velocity into them. */
static void from_grid_hold_lane(const from_grid *g, from_grid_group *b, const wide before[3], int lane)
{
    float from[3] = {before[0][lane], before[1][lane], before[2][lane]};
    float to[3] = {b->x[0][lane], b->x[1][lane], b->x[2][lane]};
    for (int a = 0; a < g->dims; a++)
        if (g->p->d.periodic[a] && fabsf(to[a] - from[a]) > 0.5f * (float)g->p->d.n[a])
            return; /* around the end: a seam that no wall stands on */
    unsigned held = seals_trace(&g->seals, from, SKIN, to);
    for (int a = 0; a < g->dims && held; a++) {
        float u = place_value(&g->drift[a], a, to), v = b->v[a][lane];
        if (held >> a & 1)
            b->v[a][lane] = b->x[a][lane] > to[a] ? fminf(v, u) : fmaxf(v, u);
        b->x[a][lane] = to[a];
    }
}

static void from_grid_hold(const from_grid *g, from_grid_group *b, const wide before[3])
{
    for (unsigned lanes = g->seals.marks ? wide_bits(b->there) : 0; lanes; lanes &= lanes - 1)
        from_grid_hold_lane(g, b, before, __builtin_ctz(lanes));
}

/* Puts parcels back on their own side of a wall, and those that are inside an obstacle on its surface. */
static void from_grid_push_out(const from_grid *g, from_grid_group *b, const wide before[3])
{
    enum { MOST_PUSHES = 4 };
    wide away[3], u[3];
    from_grid_hold(g, b, before);
    for (int push = 0; push < MOST_PUSHES; push++) {
        wide distance = from_grid_away(g, b->x, away);
        wide_mask inside = b->there & (distance < 0);
        if (!wide_any(inside))
            return;
        const wide from[3] = {b->x[0], b->x[1], b->x[2]};
        from_grid_flow(g, b->x, u);
        wide towards = wide_all(0);
        for (int a = 0; a < g->dims; a++)
            towards += (b->v[a] - u[a]) * away[a];
        towards = wide_keep(inside, wide_min(towards, wide_all(0)));
        wide out = wide_keep(inside, SKIN * g->smallest - distance);
        for (int a = 0; a < g->dims; a++) {
            b->x[a] += out * away[a] * (float)(1 / g->p->d.h[a]);
            b->v[a] -= towards * away[a];
        }
        from_grid_meet_sides(g, b);
        from_grid_hold(g, b, from);
    }
    from_grid_retreat(g, b, before);
}

/* The longest way in the group that obstacles might lie on, in cells; negative where none does. A way of length s
   cannot meet an obstacle when its end is further than s from all of them. Thin walls stand on faces up to a cell
   beside their place, and interpolated distances to them are half a cell too long. */
static inline float from_grid_danger(const from_grid *g, const from_grid_group *b, const wide u[3])
{
    wide squares = wide_all(0);
    for (int a = 0; a < g->dims; a++)
        squares += u[a] * u[a];
    wide way = wide_sqrt(squares) * (float)g->flow->dt;
    gather_place place;
    gather_find(g->solid, -1, b->x, &place);
    wide reach = way + (g->seals.marks ? 2 : SKIN) * g->smallest;
    wide_mask danger = b->there & (gather_value(g->solid, &place) < reach);
    return wide_greatest(wide_choose(danger, way, wide_all(-g->smallest))) / g->smallest;
}

WIDE_INLINE void from_grid_step(const from_grid *g, from_grid_group *b, float share, const wide u[3])
{
    for (int a = 0; a < g->dims; a++)
        b->x[a] += share * g->scale[a] * u[a];
    from_grid_meet_sides(g, b);
}

/* The way again, in short pieces, with a look at the obstacles after each. */
static void from_grid_walk(const from_grid *g, from_grid_group *b, float way)
{
    int pieces = (int)fminf(ceilf(1.5f * way / SHORT_WAY), 1000);
    wide u[3];
    for (int n = 0; n < pieces; n++) {
        const wide before[3] = {b->x[0], b->x[1], b->x[2]};
        from_grid_flow(g, b->x, u);
        from_grid_way(g, b->x, 1 / (float)pieces, u);
        from_grid_step(g, b, 1 / (float)pieces, u);
        from_grid_push_out(g, b, before);
    }
}

/* After a step from `before` that obstacles may have been in the way of. */
static void from_grid_meet_obstacles(const from_grid *g, from_grid_group *b, const from_grid_group *before,
                                     const wide u[3])
{
    float way = from_grid_danger(g, b, u);
    if (way > SHORT_WAY) {
        *b = *before;
        from_grid_walk(g, b, way);
    } else if (way >= 0)
        from_grid_push_out(g, b, before->x);
}

WIDE_INLINE void from_grid_move(const from_grid *g, from_grid_group *b, wide u[3])
{
    from_grid_way(g, b->x, 1, u);
    if (g->solid) {
        from_grid_group before = *b;
        from_grid_step(g, b, 1, u);
        from_grid_meet_obstacles(g, b, &before, u);
    } else
        from_grid_step(g, b, 1, u);
}

WIDE_INLINE void from_grid_load(const from_grid *g, int64_t n, from_grid_group *b)
{
    const parcels *p = g->p;
    wide_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    int32_t left = p->count - n < WIDE ? (int32_t)(p->count - n) : WIDE;
    b->there = (wide_load(p->x[p->slow] + n) >= 0) & (lane < left);
    for (int a = 0; a < 3; a++) {
        b->x[a] = wide_choose(b->there, wide_load(p->x[a] + n), wide_all(0.5f));
        b->v[a] = (g->own || g->carries == PARCELS_FLIP) && a < g->dims ? wide_load(p->v[a] + n) : wide_all(0);
        if (g->flow->stopped && g->carries == PARCELS_FLIP && a < g->dims)
            b->v[a] = gather_stopped(&p->d, a, b->x[a], b->v[a]);
    }
}

WIDE_INLINE void from_grid_store(const from_grid *g, int64_t n, const from_grid_group *b)
{
    const parcels *p = g->p;
    for (int a = 0; a < 3; a++)
        wide_store(g->to[a] + n, wide_choose(b->there, b->x[a], wide_all(PARCELS_GONE)));
    for (int a = 0; a < g->dims && g->carries != PARCELS_MARKERS; a++) {
        wide_store(p->v[a] + n, b->v[a]);
        for (int c = 0; c < g->dims && g->carries == PARCELS_APIC; c++)
            wide_store(p->c[a][c] + n, b->c[a][c]);
    }
}

/* Returns how many parcels of a chunk have left. `g` is the caller's own copy: what is constant in it, is so here. */
WIDE_INLINE int32_t from_grid_chunk(const from_grid *g, int chunk)
{
    int32_t left = 0;
    for (int64_t n = parcels_chunk_begin(chunk); n < parcels_chunk_end(g->p, chunk); n += WIDE) {
        from_grid_group b;
        wide u[3];
        from_grid_load(g, n, &b);
        int before = __builtin_popcount(wide_bits(b.there));
        from_grid_take(g, &b, u);
        from_grid_move(g, &b, u);
        from_grid_store(g, n, &b);
        left += before - __builtin_popcount(wide_bits(b.there));
    }
    return left;
}

/* What parcels take, and what moves them, where both lie side by side. */
WIDE_INLINE void from_grid_take_pairs(const from_grid *g, from_grid_group *b, wide u[3])
{
    gather_grid grid;
    gather_grid_of(b->x, &grid);
#pragma GCC unroll 3
    for (int a = 0; a < 3; a++) {
        gather_pairs_place place;
        wide both[2];
        gather_of_pairs(&g->pairs[a], a, &grid, &place);
        if (g->carries == PARCELS_APIC)
            gather_gradient_of_pairs(&place, both, b->c[a]);
        else
            gather_value_of_pairs(&place, both);
        u[a] = both[0];
        b->v[a] = g->carries == PARCELS_FLIP ? g->flow->flip * b->v[a] + both[1] : both[1];
    }
}

/* The same as a loop of its own: order 1, in space, without obstacles. */
WIDE_INLINE int32_t from_grid_chunk_pairs(const from_grid *g, int chunk)
{
    int32_t left = 0;
    for (int64_t n = parcels_chunk_begin(chunk); n < parcels_chunk_end(g->p, chunk); n += WIDE) {
        from_grid_group b;
        wide u[3];
        from_grid_load(g, n, &b);
        int before = __builtin_popcount(wide_bits(b.there));
        from_grid_take_pairs(g, &b, u);
        from_grid_step(g, &b, 1, u);
        from_grid_store(g, n, &b);
        left += before - __builtin_popcount(wide_bits(b.there));
    }
    return left;
}

/* What is usual: in space, without obstacles. Each kind has code of its own, made for it. */
WIDE_INLINE from_grid from_grid_usual(const from_grid *shared, parcels_kind carries, int order)
{
    from_grid g = *shared;
    g.carries = carries;
    g.dims = 3;
    g.order = order;
    g.own = carries == PARCELS_MARKERS;
    g.solid = NULL;
    return g;
}

static int32_t from_grid_chunk_flip(const from_grid *shared, int chunk)
{
    const from_grid g = from_grid_usual(shared, PARCELS_FLIP, 1);
    return from_grid_chunk_pairs(&g, chunk);
}

static int32_t from_grid_chunk_apic(const from_grid *shared, int chunk)
{
    const from_grid g = from_grid_usual(shared, PARCELS_APIC, 1);
    return from_grid_chunk_pairs(&g, chunk);
}

static int32_t from_grid_chunk_move(const from_grid *shared, int chunk)
{
    const from_grid g = from_grid_usual(shared, PARCELS_MARKERS, 2);
    return from_grid_chunk(&g, chunk);
}

static int32_t from_grid_chunk_straight(const from_grid *shared, int chunk)
{
    const from_grid g = from_grid_usual(shared, PARCELS_MARKERS, 1);
    return from_grid_chunk(&g, chunk);
}

static int32_t from_grid_chunk_drift(const from_grid *shared, int chunk)
{
    from_grid g = from_grid_usual(shared, PARCELS_MARKERS, 1);
    g.own = false;
    return from_grid_chunk(&g, chunk);
}

static int32_t from_grid_chunk_any(const from_grid *g, int chunk)
{
    return from_grid_chunk(g, chunk);
}

typedef int32_t (*from_grid_work)(const from_grid *g, int chunk);

static from_grid_work from_grid_choose(const from_grid *g)
{
    const bool moves = g->carries == PARCELS_MARKERS;
    if (g->dims < 3 || g->solid)
        return from_grid_chunk_any;
    if (moves && g->order == 1)
        return g->own ? from_grid_chunk_straight : from_grid_chunk_drift;
    if (moves && g->own && g->order == 2)
        return from_grid_chunk_move;
    if (g->order > 1 || g->own || g->carries == PARCELS_MARKERS || !g->pairs)
        return from_grid_chunk_any;
    return g->carries == PARCELS_FLIP ? from_grid_chunk_flip : from_grid_chunk_apic;
}

/* Those that have left are counted per chunk. */
static void from_grid_chunks(void *context, int begin, int end)
{
    const from_grid *g = context;
    const from_grid_work work = from_grid_choose(g);
    for (int chunk = begin; chunk < end; chunk++)
        g->p->tally[chunk] = work(g, chunk);
}

static int64_t from_grid_run(const transfer_flow *flow, parcels *p, parcels_kind carries, float *const to[3])
{
    from_grid g = {.flow = flow, .p = p, .carries = carries, .dims = p->d.dims, .order = flow->order};
    g.smallest = (float)domain_min_h(&p->d);
    g.reach = flow->on ? -1 : 0.5f;
    g.drift = flow->drift ? flow->drift : flow->velocity;
    g.solid = flow->solid;
    g.seals = (seals){flow->sealed, flow->solid};
    g.own = p->kind != PARCELS_MARKERS && (flow->order == 2 || flow->own > 0);
    g.share = flow->order == 2 ? 1 : flow->own;
    g.pairs = flow->pairs;
    for (int a = 0; a < 3; a++)
        g.scale[a] = (float)(flow->dt / p->d.h[a]);
    memcpy(g.to, to, sizeof g.to);
    threads_for_cost(parcels_chunks(p->count), PARCELS_CHUNK, from_grid_chunks, &g);
    int64_t left = 0;
    for (int chunk = 0; chunk < parcels_chunks(p->count); chunk++)
        left += p->tally[chunk];
    p->gone += left;
    return left;
}

int64_t transfer_from_grid(const transfer_flow *flow, parcels *p)
{
    return from_grid_run(flow, p, p->kind, p->x);
}

int64_t transfer_move(const transfer_flow *flow, parcels *p)
{
    return from_grid_run(flow, p, PARCELS_MARKERS, p->x);
}

void transfer_look_ahead(const transfer_flow *flow, parcels *p)
{
    const int64_t gone = p->gone;
    from_grid_run(flow, p, PARCELS_MARKERS, p->spare);
    p->gone = gone;
}

int64_t transfer_move_from(const transfer_flow *flow, parcels *p)
{
    int64_t left = from_grid_run(flow, p, PARCELS_MARKERS, p->spare);
    for (int a = 0; a < 3; a++)
        parcels_exchange(p, a);
    p->moved = true;
    return left;
}
