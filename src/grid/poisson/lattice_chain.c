#include "grid/poisson/lattice_chain.h"

#include <stdatomic.h>

#include "base/pool.h"
#include "base/threads.h"

/* Slabs with fewer cells times passes than this are not worth another thread: about 10 µs. Solves of 64³ and 128³ cells
   on two threads, liquid and smoke, in alternation: 0.98 to 1.03 of the time with 4096, 0.93 to 1.03 with 16384, and
   1.03 to 1.11 with 32768. */
enum { WORTH_SHARING = 8192 };

/* Slabs for each thread: blocks differ in what they cost, and threads in how fast they are just now. With several, the
   thread that is done first takes on some of the other's. */
enum { SLABS_EACH = 4 };

typedef struct chain {
    const lattice *l;
    const lattice_pass *passes;
    int count, slabs;
    int start[POOL_MOST + 1];         /* the first slice of each slab; the end of the last */
    _Atomic bool ready[POOL_MOST];    /* the slab on one side of the seam at a slab's start is done */
} chain;

static int chain_longest_lag(const chain *c) { return c->passes[c->count - 1].lag; }

/* Slices of the shortest slab that has room for the wedges at both of its seams. */
static int chain_shortest(const chain *c) { return 2 * chain_longest_lag(c) + 1; }

static void chain_do_slice(const chain *c, const lattice_pass *pass, int slice)
{
    int strips = lattice_slice_items(c->l);
    for (const lattice_strip *s = c->l->strips + slice * strips; s < c->l->strips + (slice + 1) * strips; s++)
        pass->work(pass->context, s);
}

/* A slab without the wedges at its seams. */
static void chain_do_slab(const chain *c, int slab)
{
    int begin = c->start[slab], end = c->start[slab + 1], last = c->start[c->slabs];
    for (int time = begin; time < end + chain_longest_lag(c); time++) {
        for (const lattice_pass *pass = c->passes; pass < c->passes + c->count; pass++) {
            int slice = time - pass->lag;
            int low = slab > 0 ? begin + pass->lag : begin, high = end < last ? end - pass->lag : last;
            if (slice >= low && slice < high)
                chain_do_slice(c, pass, slice);
        }
    }
}

/* The wedge at the start of a slab. */
static void chain_do_seam(const chain *c, int slab)
{
    int seam = c->start[slab];
    for (const lattice_pass *pass = c->passes; pass < c->passes + c->count; pass++)
        for (int slice = seam - pass->lag; slice < seam + pass->lag; slice++)
            chain_do_slice(c, pass, slice);
}

/* Who finishes the second of two slabs goes on with the seam between them. */
static void chain_meet(chain *c, int slab)
{
    if (slab > 0 && slab < c->slabs && atomic_exchange(&c->ready[slab], true))
        chain_do_seam(c, slab);
}

static void chain_slabs_share(void *context, int begin, int end)
{
    chain *c = context;
    for (int slab = begin; slab < end; slab++) {
        chain_do_slab(c, slab);
        chain_meet(c, slab);
        chain_meet(c, slab + 1);
    }
}

/* Cells of all active blocks times passes. */
static int64_t chain_work(const chain *c)
{
    int visits = c->count;
    for (int pass = 0; pass < c->count; pass++)
        visits += c->passes[pass].more;
    return (int64_t)c->l->load[lattice_items(c->l)] * 2 * LANES * visits;
}

/* As many for each thread, if they are long enough for the wedges and worth it. */
static int chain_slabs(const chain *c)
{
    const int threads = fr_threads(), wanted = threads * SLABS_EACH < POOL_MOST ? threads * SLABS_EACH : POOL_MOST;
    int64_t most = chain_work(c) / WORTH_SHARING, room = (c->l->slices[1] - c->l->slices[0]) / chain_shortest(c);
    most = most < room ? most : room;
    most = most < wanted ? most : wanted;
    return threads == 1 || most < 1 ? 1 : (int)(most < threads ? most : most - most % threads);
}

/* Slabs with about the same number of active blocks, each long enough. */
static void chain_divide(chain *c)
{
    const lattice *l = c->l;
    int strips = lattice_slice_items(l), slice = l->slices[0];
    c->start[0] = slice;
    c->start[c->slabs] = l->slices[1];
    for (int slab = 1; slab < c->slabs; slab++) {
        int64_t before = (int64_t)l->load[lattice_items(l)] * slab / c->slabs;
        int least = c->start[slab - 1] + chain_shortest(c), most = l->slices[1] - (c->slabs - slab) * chain_shortest(c);
        while (slice < most && (slice < least || l->load[slice * strips] < before))
            slice++;
        c->start[slab] = slice;
        atomic_init(&c->ready[slab], false);
    }
}

void lattice_chain(const lattice *l, const lattice_pass *passes, int count)
{
    chain c = {.l = l, .passes = passes, .count = count};
    if (l->wrap[0] || l->wrap[1] || l->wrap[2]) {
        for (int pass = 0; pass < count; pass++) {
            if (passes[pass].renew)
                passes[pass].renew(passes[pass].context);
            lattice_for(l, passes[pass].work, passes[pass].context);
        }
        return;
    }
    if (l->slices[0] == l->slices[1])
        return;
    c.slabs = chain_slabs(&c);
    chain_divide(&c);
    threads_for_cost(c.slabs, chain_work(&c) / c.slabs, chain_slabs_share, &c);
}
