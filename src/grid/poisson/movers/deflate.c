/* What bodies add to the passes of conjugate gradients. */
#include "grid/poisson/movers/movers.h"

double movers_apply(poisson *s)
{
    movers *b = s->movers;
    double product = 0;
    movers_gather_pushes(b, s->p.of[0], b->force);
    movers_move(b);
    movers_add(b, MOVERS_PUSH, b->motion, s->level[0].x.of[0]);
    for (int n = 0; n < b->used.bodies * MOVERS_LANES; n++)
        product += b->force[n] * b->motion[n];
    return product;
}

void movers_take_columns(const movers *b, const double *lanes, double *columns)
{
    memset(columns, 0, (size_t)b->space.n * sizeof *columns);
    for (int n = 0; n < b->used.bodies; n++)
        for (int d = 0; d < b->one[n].dofs && b->one[n].inner; d++)
            columns[b->one[n].column + d] = lanes[MOVERS_LANES * n + d];
}

void movers_give_columns(const movers *b, const double *columns, double factor, double *lanes)
{
    memset(lanes, 0, (size_t)b->used.bodies * MOVERS_LANES * sizeof *lanes);
    for (int n = 0; n < b->used.bodies; n++)
        for (int d = 0; d < b->one[n].dofs && b->one[n].inner; d++)
            lanes[MOVERS_LANES * n + d] = factor * columns[b->one[n].column + d];
}

void movers_give_pockets(const movers *b, const double *columns, double factor, double pocket[MOVERS_POCKETS])
{
    for (int p = 0; p < b->pockets.count; p++)
        pocket[p] = b->pockets.column[p] >= 0 ? factor * columns[b->pockets.column[p]] : 0;
}

void movers_project(poisson *s, double *columns)
{
    movers *b = s->movers;
    const float *r = s->level[0].b.of[0];
    double pocket[MOVERS_POCKETS];
    movers_gather_fields(b, &(movers_views){r, s->level[0].x.of[0]}, b->force, b->motion);
    movers_take_columns(b, b->force, columns);
    if (b->pockets.springy)
        movers_sum_pockets(s, r, pocket);
    for (int p = 0; p < b->pockets.count; p++)
        if (b->pockets.column[p] >= 0)
            columns[b->pockets.column[p]] = pocket[p];
}

double movers_deflate(poisson *s, double zr)
{
    movers *b = s->movers;
    const lattice *l = &s->level[0];
    double pocket[MOVERS_POCKETS];
    if (!s->deflates || b->space.n == b->used.rows)
        return zr;
    movers_project(s, b->along);
    movers_take_columns(b, b->motion, b->answer);
    for (int i = 0; i < b->space.n; i++)
        b->answer[i] = b->along[i] - b->answer[i];
    movers_gather_pushes(b, l->x.of[0], b->force);
    movers_move(b);
    movers_push_space(b, b->answer);
    envelope_solve(&b->space, b->answer);
    for (int i = 0; i < b->space.n; i++)
        zr += b->answer[i] * b->along[i];
    movers_give_columns(b, b->answer, 1, b->motion);
    movers_add(b, MOVERS_FIELD, b->motion, l->x.of[0]);
    movers_give_pockets(b, b->answer, 1, pocket);
    if (b->pockets.springy)
        movers_add_pockets(s, pocket, l->x.of[0], NULL);
    return zr;
}
