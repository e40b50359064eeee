#include "grid/poisson/lattice_chain.h"

#include "base/threads.h"

/* Slabs with fewer cells times passes than this are not worth another thread. */
enum { WORTH_SHARING = 32768 };

typedef struct chain {
    const lattice *l;
    const lattice_pass *passes;
    int count, slices, slabs;
} chain;

static int chain_strips(const chain *c) { return c->l->deep ? c->l->bands : 1; }

static int chain_slab_start(const chain *c, int slab) { return (int)((int64_t)c->slices * slab / c->slabs); }

static int chain_longest_lag(const chain *c) { return c->passes[c->count - 1].lag; }

static void chain_do_slice(const chain *c, const lattice_pass *pass, int slice)
{
    int strips = chain_strips(c);
    for (int item = slice * strips; item < (slice + 1) * strips; item++) {
        lattice_strip strip = lattice_strip_of(c->l, item);
        pass->work(pass->context, &strip);
    }
}

/* A slab without the wedges at its seams. */
static void chain_do_slab(const chain *c, int slab)
{
    int begin = chain_slab_start(c, slab), end = chain_slab_start(c, slab + 1);
    for (int time = begin; time < end + chain_longest_lag(c); time++) {
        for (const lattice_pass *pass = c->passes; pass < c->passes + c->count; pass++) {
            int slice = time - pass->lag;
            int low = begin > 0 ? begin + pass->lag : 0, high = end < c->slices ? end - pass->lag : c->slices;
            if (slice >= low && slice < high)
                chain_do_slice(c, pass, slice);
        }
    }
}

/* The wedge at the start of a slab. */
static void chain_do_seam(const chain *c, int slab)
{
    int seam = chain_slab_start(c, slab);
    for (const lattice_pass *pass = c->passes; pass < c->passes + c->count; pass++)
        for (int slice = seam - pass->lag; slice < seam + pass->lag; slice++)
            chain_do_slice(c, pass, slice);
}

static void chain_slabs_share(void *context, int begin, int end)
{
    for (int slab = begin; slab < end; slab++)
        chain_do_slab(context, slab);
}

static void chain_seams_share(void *context, int begin, int end)
{
    for (int seam = begin; seam < end; seam++)
        chain_do_seam(context, seam + 1);
}

/* One slab per thread, if the slabs are long enough for the wedges and worth a thread. */
static int chain_slabs(const chain *c)
{
    int64_t work = (int64_t)c->l->n[0] * c->l->n[1] * c->l->n[2] * c->count;
    int64_t most = work / WORTH_SHARING, room = c->slices / (2 * chain_longest_lag(c) + 1);
    most = most < room ? most : room;
    return most < 1 ? 1 : most < fr_threads() ? (int)most : fr_threads();
}

void lattice_chain(const lattice *l, const lattice_pass *passes, int count)
{
    chain c = {l, passes, count, l->deep ? l->n[2] : l->bands, 1};
    if (l->wrap[0] || l->wrap[1] || l->wrap[2]) {
        for (int pass = 0; pass < count; pass++) {
            if (passes[pass].renew)
                passes[pass].renew(passes[pass].context);
            lattice_for(l, passes[pass].work, passes[pass].context);
        }
        return;
    }
    c.slabs = chain_slabs(&c);
    int64_t slice = (int64_t)l->n[0] * l->n[1] * l->n[2] * count / c.slices;
    threads_for_cost(c.slabs, slice * c.slices / c.slabs, chain_slabs_share, &c);
    threads_for_cost(c.slabs - 1, 2 * slice * chain_longest_lag(&c), chain_seams_share, &c);
}
