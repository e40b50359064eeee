/* What rigid bodies push out of cells.

   A body that moves with the velocity V carries s V through a face of which it covers the share s. So of a cell with
   the net share n = s₊ − s₋ along each axis, times the area, it pushes n·V, and where it turns with ω about its centre
   of mass (r × n)·ω, r from there to the cell's centre: along an axis a rigid motion is the same on both faces of a
   cell. In a cell deep inside n is 0.

   Where two bodies touch, cells between them have no open face, no pressure, and n of both, which add up to nothing.
   Without them the pushes of a body would not add up to nothing: the pressure all around would press the two together,
   as if there were a void between them. In truth what they press out of there goes to the open cells beside, and their
   pressure acts there. So such a cell passes n on to these in equal parts. */
#include <math.h>

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

/* The sum over a rigid body's net shares of a cell, by which its faces push; 0 beyond the box. */
static void push_nets(const domain *d, const solids_body *body, const int cell[3], double net[3])
{
    const solids_shares *r = body->shares;
    bool inside = r != NULL;
    for (int a = 0; a < 3; a++) {
        net[a] = 0;
        inside = inside && cell[a] >= r->box.low[a] && cell[a] < r->box.high[a];
    }
    for (int a = 0; a < d->dims && inside; a++)
        net[a] = push_net(d, r, a, cell[a], shares_place_of(r, cell));
}

/* Whether the cell beyond one face of a cell is in the domain. */
static bool push_step(const domain *d, const int cell[3], int face, int to[3])
{
    const int a = face / 2;
    for (int b = 0; b < 3; b++)
        to[b] = cell[b];
    to[a] += face % 2 ? 1 : -1;
    if (d->periodic[a])
        to[a] = (to[a] + d->n[a]) % d->n[a];
    return to[a] >= 0 && to[a] < d->n[a];
}

/* A closed cell between bodies that touch: the part of it that each open cell beside it takes over; 0: none does. */
static double push_part(const solids *s, const int cell[3], const double net[3])
{
    static const double least = 1e-3;
    double sum[3] = {0, 0, 0}, other[3];
    int open = 0, next[3];
    if (fmax(fabs(net[0]), fmax(fabs(net[1]), fabs(net[2]))) < least || push_is_open(s, cell))
        return 0;
    for (int b = 0; b < s->body_count; b++) {
        push_nets(&s->domain, &s->bodies[b], cell, other);
        for (int a = 0; a < 3; a++)
            sum[a] += other[a];
    }
    if (fmax(fabs(sum[0]), fmax(fabs(sum[1]), fabs(sum[2]))) > least)
        return 0;
    for (int face = 0; face < 2 * s->domain.dims; face++)
        open += push_step(&s->domain, cell, face, next) && push_is_open(s, next);
    return open > 0 ? 1.0 / open : 0;
}

/* Adds `part` of what is pushed out of a cell. */
static void push_sum(const domain *d, const double centre[3], const int cell[3], const double net[3], double part,
                     double push[6])
{
    double n[3] = {0, 0, 0}, r[3] = {0, 0, 0};
    for (int a = 0; a < d->dims; a++) {
        n[a] = part * net[a] * domain_cell_volume(d) / d->h[a];
        r[a] = d->origin[a] + (cell[a] + 0.5) * d->h[a] - centre[a];
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        push[a] += n[a];
        push[3 + a] += r[b] * n[c] - r[c] * n[b];
    }
}

/* What an open cell takes over from those beside it. */
static bool push_take_over(const solids *s, const solids_body *body, const int cell[3], double push[6])
{
    bool any = false;
    for (int face = 0; face < 2 * s->domain.dims; face++) {
        int next[3];
        double net[3];
        if (!push_step(&s->domain, cell, face, next))
            continue;
        push_nets(&s->domain, body, next, net);
        const double part = push_part(s, next, net);
        if (part > 0)
            push_sum(&s->domain, body->centre, next, net, part, push);
        any = any || part > 0;
    }
    return any && body->shares->push.passed < SOLIDS_PASSED_ON;
}

static void push_add(const solids *s, solids_body *body, const int cell[3], const double net[3], bool touched)
{
    const domain *d = &s->domain;
    solids_push *p = &body->shares->push;
    const int32_t number = cell[0] + d->n[0] * (cell[1] + d->n[1] * cell[2]);
    double own[6] = {0}, over[6] = {0};
    push_sum(d, body->centre, cell, net, 1, own);
    if (touched && push_take_over(s, body, cell, over)) {
        p->passed_cell[p->passed] = number;
        for (int n = 0; n < 6; n++) {
            own[n] += over[n];
            p->passed_push[p->passed][n] = (float)over[n];
        }
        p->passed++;
    }
    bool any = false;
    for (int n = 0; n < 6; n++)
        any = any || own[n] != 0;
    if (!any)
        return;
    p->cell[p->count] = number;
    for (int n = 0; n < 6; n++)
        p->push[n][p->count] = (float)own[n];
    p->count++;
}

/* Whether the box of another rigid body overlaps. */
static bool push_meets(const solids *s, const solids_body *body)
{
    const region_box *box = &body->shares->box;
    for (int b = 0; b < s->body_count; b++) {
        const solids_body *other = &s->bodies[b];
        bool meets = other != body && other->shares;
        for (int a = 0; a < s->domain.dims && meets; a++)
            meets = other->shares->box.low[a] < box->high[a] && box->low[a] < other->shares->box.high[a];
        if (meets)
            return true;
    }
    return false;
}

static void push_list(const solids *s, solids_body *body)
{
    const solids_shares *r = body->shares;
    const region_box *box = &r->box;
    const bool meets = push_meets(s, body);
    ptrdiff_t place;
    int cell[3];
    body->shares->push.count = body->shares->push.passed = 0;
    for (cell[2] = box->low[2]; cell[2] < box->high[2]; cell[2]++)
        for (cell[1] = box->low[1]; cell[1] < box->high[1]; cell[1]++)
            for (cell[0] = box->low[0], place = shares_place_of(r, cell); cell[0] < box->high[0]; cell[0]++, place++) {
                double net[3] = {0, 0, 0};
                bool any = meets;
                for (int a = 0; a < s->domain.dims; a++) {
                    net[a] = push_net(&s->domain, r, a, cell[a], place);
                    any = any || net[a] != 0;
                }
                if (any && push_is_open(s, cell))
                    push_add(s, body, cell, net, meets);
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

void solids_pass_on(const solids *s, field *divergence)
{
    const domain *d = &s->domain;
    for (int b = 0; b < s->body_count; b++) {
        const solids_body *body = &s->bodies[b];
        for (int m = 0; body->shares && m < body->shares->push.passed; m++) {
            const float *push = body->shares->push.passed_push[m];
            const int cell = body->shares->push.passed_cell[m];
            const vec3 v = motion_velocity(&body->motion, vec3_of(body->centre)), w = body->motion.spin;
            const double flux = (double)push[0] * v.x + (double)push[1] * v.y + (double)push[2] * v.z +
                                (double)push[3] * w.x + (double)push[4] * w.y + (double)push[5] * w.z;
            float *to = field_row(divergence, cell / d->n[0] % d->n[1], cell / d->n[0] / d->n[1]) + cell % d->n[0];
            *to += (float)(flux / domain_cell_volume(d));
        }
    }
}
