/* Whether every component has an extra, found from rows alone. Liquid with a surface is nearly always like that, and
   joining all its runs would cost as much as building the operator. */
#include "base/threads.h"
#include "grid/poisson/components_parts.h"

/* TIED: every run of cells in the row has an extra. WHOLE: one run without any, from end to end; it is joined to the
   rows beside it that are not empty, because faces between active cells are open. UNKNOWN: neither. */
typedef enum tied_kind { ROW_EMPTY, ROW_TIED, ROW_WHOLE, ROW_UNKNOWN } tied_kind;

/* The bits of both colours in the order of i. */
static uint32_t tied_spread(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0fu;
    bits = (bits | bits << 2) & 0x33333333u;
    return (bits | bits << 1) & 0x55555555u;
}

static uint32_t tied_order(const unsigned of[2], int j, int k)
{
    return tied_spread(of[lattice_colour(0, j, k)]) | tied_spread(of[lattice_colour(1, j, k)]) << 1;
}

/* The run that the cells looked at so far end with. */
typedef struct tied_run {
    bool going, tied;
} tied_run;

/* Goes through the next 32 cells; false if a run without an extra ends there. */
static bool tied_follow(tied_run *run, uint32_t live, uint32_t extra)
{
    for (int left = 32; left > 0;) {
        uint32_t other = run->going ? ~live : live;
        int length = other ? __builtin_ctz(other) : 32;
        length = length < left ? length : left;
        if (run->going)
            run->tied = run->tied || (extra & (length < 32 ? (1u << length) - 1 : UINT32_MAX));
        if (length == left)
            return true;
        if (run->going && !run->tied)
            return false;
        *run = (tied_run){!run->going, false};
        live >>= length;
        extra >>= length;
        left -= length;
    }
    return true;
}

static tied_kind tied_kind_of(const lattice *l, int row)
{
    int j = row % l->n[1], k = row / l->n[1];
    tied_run run = {false, false};
    if (l->span[row].begin == l->span[row].end)
        return ROW_EMPTY;
    int cells = 0;
    for (int block = l->span[row].begin; block < l->span[row].end; block++) {
        ptrdiff_t at = lattice_at(l, j, k) + (ptrdiff_t)block * LANES;
        unsigned live[2], extra[2];
        for (int colour = 0; colour < 2; colour++) {
            lattice_code code = l->code[colour][at >> LANES_SHIFT];
            if (!l->unobstructed && (code == BLOCK_BINARY || code == BLOCK_GENERAL))
                return ROW_UNKNOWN; /* faces between active cells may be closed */
            live[colour] = code == BLOCK_INTERIOR ? 0xffff : code ? components_live(l->flags[colour] + at) : 0;
            extra[colour] = code >= BLOCK_BINARY ? components_open(l->e.of[colour] + at) : 0;
        }
        cells += __builtin_popcount(live[0]) + __builtin_popcount(live[1]);
        if (!tied_follow(&run, tied_order(live, j, k), tied_order(extra, j, k)))
            return ROW_UNKNOWN;
    }
    return !run.going || run.tied ? ROW_TIED : cells == l->n[0] ? ROW_WHOLE : ROW_UNKNOWN;
}

static void tied_share(void *context, int begin, int end)
{
    const components *c = context;
    for (int row = begin; row < end; row++)
        c->run[row] = (int32_t)tied_kind_of(c->l, row);
}

/* A whole row is tied if the one beside it is. */
static bool tied_pass(const components *c, int row, int beside)
{
    bool tied = c->run[row] == ROW_WHOLE && c->run[beside] == ROW_TIED;
    if (tied)
        c->run[row] = ROW_TIED;
    return tied;
}

bool components_all_tied(const components *c)
{
    const int *n = c->l->n, rows = n[1] * n[2];
    bool unknown = false, changed = true;
    threads_for_cost(rows, n[0] / 4, tied_share, (void *)c);
    for (int row = 0; row < rows; row++)
        unknown = unknown || c->run[row] == ROW_UNKNOWN;
    while (changed && !unknown) {
        changed = false;
        for (int row = 0; row < rows; row++)
            changed |= (row % n[1] > 0 && tied_pass(c, row, row - 1)) | (row >= n[1] && tied_pass(c, row, row - n[1]));
        for (int row = rows - 1; row >= 0; row--)
            changed |= (row % n[1] < n[1] - 1 && tied_pass(c, row, row + 1)) |
                       (row + n[1] < rows && tied_pass(c, row, row + n[1]));
    }
    for (int row = 0; row < rows; row++)
        unknown = unknown || c->run[row] == ROW_WHOLE;
    memset(c->run, 0, (size_t)rows * sizeof *c->run);
    return !unknown;
}
