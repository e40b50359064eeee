#include "linalg/multigrid.h"

void multigrid_cycle(const multigrid *m)
{
    int last = m->levels - 1;
    for (int level = 0; level < last; level++)
        m->down(m->context, level);
    m->coarsest(m->context, last);
    for (int level = last - 1; level >= 0; level--)
        m->up(m->context, level);
}
