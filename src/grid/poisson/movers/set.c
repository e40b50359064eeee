/* Bodies and rows of a solver: what poisson.h offers. */
#include <assert.h>

#include "grid/poisson/movers/movers.h"

/* What a level's shape says of how much room its bodies want. */
static movers_want set_want(const lattice *l, int count, int cells, int rows)
{
    return (movers_want){.bodies = count, .rows = rows, .pushed = cells, .items = lattice_items(l)};
}

fr_result poisson_reserve_bodies(poisson *s, int count, int cells, int rows)
{
    assert(!s->movers);
    const movers_want want = set_want(&s->level[0], count, cells, rows);
    return movers_create(&want, &s->movers);
}

size_t poisson_bodies_bytes(const domain *block, int count, int cells, int rows)
{
    lattice l;
    lattice_shape shape;
    for (int a = 0; a < 3; a++) {
        shape.n[a] = block->n[a];
        shape.periodic[a] = block->periodic[a];
    }
    lattice_layout(&l, &shape);
    const movers_want want = set_want(&l, count, cells, rows);
    return movers_bytes(&want);
}

int poisson_set_bodies(poisson *s, const poisson_body *from, int count, const poisson_row *rows, int row_count)
{
    if (!s->movers || count == 0) {
        assert(count == 0);
        if (s->movers)
            s->movers->used = (movers_room){0};
        return 0;
    }
    assert(count <= s->movers->most.bodies);
    movers_take(s, from, count);
    movers_reach(s);
    movers_solve_fields(s->movers);
    movers_pair_up(s);
    return poisson_set_rows(s, rows, row_count);
}

int poisson_set_rows(poisson *s, const poisson_row *rows, int count)
{
    movers *b = s->movers;
    if (!movers_present(b))
        return 0;
    assert(count <= b->most.rows);
    const int held = movers_hold(b, rows, count);
    movers_find_nulls(b);
    movers_make_space(b);
    return held;
}

void poisson_push(const poisson *s, int body, double force[6])
{
    const movers *b = s->movers;
    const movers_one *one = &b->one[body];
    const float *push = movers_lanes(b, MOVERS_PUSH, one);
    memset(force, 0, 6 * sizeof *force);
    for (int n = 0; n < one->pushes; n++)
        for (int d = 0; d < one->dofs; d++)
            force[one->dof[d]] += (double)push[(ptrdiff_t)one->lanes * n + d] * s->x[0][b->slot[one->first + n]];
}
