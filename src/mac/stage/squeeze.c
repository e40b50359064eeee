#include "mac/stage/squeeze.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static const double MOST_NET = 0.1;

/* Marks cells that were counted: no divergence has this value. */
static const float SEEN = FLT_MAX;

typedef struct squeeze {
    const model *m;
    const state *s;
    field *divergence;
    int32_t *part;           /* cells found, as offsets; in scratch memory */
    int64_t count;
    double net, gross;       /* m³/s: what is left over, and all that the walls move */
    double most;             /* m³/s, through one face */
    int obstacle;            /* whose face that is */
    bool way_out;            /* an open side */
} squeeze;

static void squeeze_cell(const field *f, ptrdiff_t offset, int c[3])
{
    c[2] = f->stride[2] ? (int)(offset / f->stride[2]) : 0;
    offset -= c[2] * f->stride[2];
    c[1] = (int)(offset / f->stride[1]);
    c[0] = (int)(offset - c[1] * f->stride[1]);
}

static void squeeze_add(squeeze *q, ptrdiff_t offset)
{
    float *divergence = q->divergence->data + offset;
    if (*divergence == SEEN)
        return;
    q->net += *divergence * domain_cell_volume(&q->m->domain);
    *divergence = SEEN;
    q->part[q->count++] = (int32_t)offset;
}

/* Counts what the wall on a face moves, and adds the cell beyond it to the part if the face is open. */
static void squeeze_face(squeeze *q, const int c[3], int axis, int end)
{
    const domain *d = &q->m->domain;
    const solids *solid = &q->s->solids;
    int face[3] = {c[0], c[1], c[2]}, next[3] = {c[0], c[1], c[2]};
    face[axis] += end;
    next[axis] += end ? 1 : -1;
    ptrdiff_t at = field_offset(&solid->open[axis], face[0], face[1], face[2]);
    double open = solid->open[axis].data[at];
    double moved = fabs((1 - open) * solid->wall[axis].data[at]) * domain_cell_volume(d) / d->h[axis];
    q->gross += moved;
    if (moved > q->most) {
        q->most = moved;
        q->obstacle = solids_owner(solid, d, &solid->open[axis], face);
    }
    bool outside = next[axis] < 0 || next[axis] == d->n[axis];
    if (outside && d->periodic[axis])
        next[axis] = (next[axis] + d->n[axis]) % d->n[axis];
    else if (outside)
        q->way_out = q->way_out || (open > 0 && q->m->walls[2 * axis + end].kind == FR_WALL_OPEN);
    if (open > 0 && (!outside || d->periodic[axis]))
        squeeze_add(q, field_offset(q->divergence, next[0], next[1], next[2]));
}

static ptrdiff_t squeeze_worst(const field *f)
{
    ptrdiff_t worst = 0;
    float most = -1;
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                float size = fabsf(field_row(f, j, k)[i]);
                if (size > most) {
                    most = size;
                    worst = field_offset(f, i, j, k);
                }
            }
    return worst;
}

fr_result stage_squeeze_check(const model *m, state *s, field *divergence)
{
    squeeze q = {.m = m, .s = s, .divergence = divergence, .part = state_scratch_offsets(s, 1)};
    squeeze_add(&q, squeeze_worst(divergence));
    for (int64_t i = 0; i < q.count; i++) {
        int c[3];
        squeeze_cell(divergence, q.part[i], c);
        for (int face = 0; face < 2 * m->domain.dims; face++)
            squeeze_face(&q, c, face / 2, face % 2);
    }
    if (q.way_out || fabs(q.net) <= MOST_NET * q.gross)
        return FR_OK;
    if (q.gross == 0)
        return fr_fail_key("walls",
                           "walls: at t = %g s an inflow or a source of flow feeds a part of the domain that has no "
                           "way out (%lld cells); open a side "
                           "there, or clear the way",
                           s->now.time, (long long)q.count);
    char key[64];
    const bool own = q.obstacle < m->obstacle_count;
    snprintf(key, sizeof key, own ? "obstacles[%d]" : "bodies[%d]", q.obstacle + 1 - (own ? 0 : m->obstacle_count));
    return fr_fail_key(key,
                       "%s: at t = %g s it %s a closed part of the fluid (%lld cells) that has no way out, by %.3g "
                       "m³/s; leave a gap beside it, open a side, "
                       "or let it end there",
                       key, s->now.end, q.net > 0 ? "presses together" : "draws apart", (long long)q.count,
                       fabs(q.net));
}
