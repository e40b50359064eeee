/* Bodies in frames, ledgers and snapshots. */
#include "mac/coupling/parts.h"

void coupling_impulse(const coupling *c, double sum[3])
{
    for (int a = 0; a < 3; a++) {
        sum[a] = 0;
        for (int b = 0; b < c->fleet.count; b++)
            sum[a] += c->fleet.of[b].now.present > 0 ? c->fleet.impulse[b].of[a] + c->drag.impulse[b].of[a] : 0;
    }
}

const fleet *coupling_fleet(const coupling *c) { return &c->fleet; }

/* Plain numbers, as they lie in memory. */
void coupling_list_blocks(coupling *c, method_run *to)
{
    method_add_block(to, "#bodies", c->fleet.of, sizeof *c->fleet.of * (size_t)c->fleet.count);
    method_add_block(to, "#bodies_sums", &c->fleet.sums, sizeof c->fleet.sums);
}
