#include "linalg/multigrid.h"

void multigrid_cycle(const multigrid *m)
{
    int last = m->levels - 1;
    for (int level = 0; level < last; level++) {
        m->before(m->context, level);
        m->restrict_residual(m->context, level);
    }
    m->coarsest(m->context, last);
    for (int level = last - 1; level >= 0; level--) {
        m->prolong(m->context, level);
        m->after(m->context, level);
    }
}
