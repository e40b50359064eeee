/* What rigid bodies push out of cells.

   A body that moves with the velocity V carries s V through a face of which it covers the share s. So of a cell with
   the net share n = s₊ − s₋ along each axis, times the area, it pushes n·V, and where it turns with ω about its centre
   of mass (r × n)·ω, r from there to the cell's centre: along an axis a rigid motion is the same on both faces of a
   cell. In a cell deep inside n is 0. */
#include "base/memory.h"
#include "base/threads.h"
#include "mac/solids/solids_parts.h"

fr_result push_create(const domain *d, int64_t room, solids_push *out)
{
    const int64_t cells = domain_cells(d);
    out->room = (int)(room < cells ? room : cells);
    if (!(out->cell = MEMORY_NEW(int32_t, out->room)))
        return FR_ERROR_MEMORY;
    for (int n = 0; n < 6; n++)
        if (!(out->push[n] = MEMORY_NEW(float, out->room)))
            return FR_ERROR_MEMORY;
    return FR_OK;
}

void push_destroy(solids_push *p)
{
    memory_free(p->cell);
    for (int n = 0; n < 6; n++)
        memory_free(p->push[n]);
}

double push_bytes(const domain *d, int64_t room)
{
    const int64_t cells = domain_cells(d);
    return (double)(room < cells ? room : cells) * (sizeof(int32_t) + 6 * sizeof(float));
}

/* The difference of the shares of a cell's two faces; faces on the domain's sides count for nothing. */
static double push_net(const domain *d, const solids_shares *r, int axis, int at, ptrdiff_t place)
{
    const ptrdiff_t strides[3] = {1, r->size[0], (ptrdiff_t)r->size[0] * r->size[1]};
    const float *low = r->face[axis] + place, *high = low + strides[axis];
    const double above = at < d->n[axis] - 1 || d->periodic[axis] ? (double)*high : 0;
    return above - (at > 0 || d->periodic[axis] ? (double)*low : 0);
}

static bool push_is_open(const solids *s, const int cell[3])
{
    bool open = false;
    for (int a = 0; a < s->domain.dims; a++) {
        const float *at = field_row(&s->open[a], cell[1], cell[2]) + cell[0];
        open = open || at[0] > 0 || at[s->open[a].stride[a]] > 0;
    }
    return open;
}

static void push_add(const solids *s, solids_body *body, const int cell[3], const double net[3])
{
    const domain *d = &s->domain;
    solids_push *p = &body->shares->push;
    double n[3] = {0, 0, 0}, r[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++) {
        n[a] = net[a] * domain_cell_volume(d) / d->h[a];
        r[a] = d->origin[a] + (cell[a] + 0.5) * d->h[a] - body->centre[a];
    }
    const int at = p->count++;
    p->cell[at] = cell[0] + d->n[0] * (cell[1] + d->n[1] * cell[2]);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        p->push[a][at] = (float)n[a];
        p->push[3 + a][at] = (float)(r[b] * n[c] - r[c] * n[b]);
    }
}

static void push_list(const solids *s, solids_body *body)
{
    const solids_shares *r = body->shares;
    const region_box *box = &r->box;
    ptrdiff_t place;
    int cell[3];
    body->shares->push.count = 0;
    for (cell[2] = box->low[2]; cell[2] < box->high[2]; cell[2]++)
        for (cell[1] = box->low[1]; cell[1] < box->high[1]; cell[1]++)
            for (cell[0] = box->low[0], place = shares_place_of(r, cell); cell[0] < box->high[0]; cell[0]++, place++) {
                double net[3] = {0, 0, 0};
                bool any = false;
                for (int a = 0; a < s->domain.dims; a++) {
                    net[a] = push_net(&s->domain, r, a, cell[a], place);
                    any = any || net[a] != 0;
                }
                if (any && push_is_open(s, cell))
                    push_add(s, body, cell, net);
            }
}

static void push_bodies(void *context, int begin, int end)
{
    solids *s = context;
    for (int b = begin; b < end; b++)
        if (s->bodies[b].shares)
            push_list(s, &s->bodies[b]);
}

void solids_list_pushes(solids *s)
{
    int64_t places = 0;
    for (int b = 0; b < s->body_count; b++) {
        const solids_shares *r = s->bodies[b].shares;
        places += r ? (int64_t)r->size[0] * r->size[1] * r->size[2] : 0;
    }
    if (s->rigid_count > 0)
        threads_for_cost(s->body_count, 1 + places / s->body_count, push_bodies, s);
}

const solids_push *solids_pushes(const solids *s, int body)
{
    return &s->bodies[body].shares->push;
}
