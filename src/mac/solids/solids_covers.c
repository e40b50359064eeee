/* What rigid bodies cover, taken from what others leave open of faces, and given to them where a face is closed for
   another reason.

   Little is rounded, and both ways: where the sides of a box lie a few percents beside the middles of cells, closing
   all these faces or opening them would change its weight in water by as much. Slits beside a rigid body make no jets:
   since all shares add up to one, the flow that has the body's motion in them is free of divergence. */
#include <math.h>
#include <string.h>

#include "mac/solids/solids_parts.h"

enum { COVERS_PIECE = 256 };

/* Less than this of a face counts as nothing, be it covered or open. */
static const double COVERS_LEAST = 1e-3;

/* The first sample of a run in a body's box, and how many of them are; 0: none. */
static int covers_part(const solids_shares *r, const shares_run *run, int *first, float **values)
{
    const int place[2] = {run->row[0] - r->box.low[1], run->row[1] - r->box.low[2]};
    if (place[0] < 0 || place[0] >= r->size[1] || place[1] < 0 || place[1] >= r->size[2])
        return 0;
    const int low = run->first > r->box.low[0] ? run->first : r->box.low[0];
    const int high = r->box.low[0] + r->size[0], end = run->first + run->count;
    *first = low - run->first;
    *values = (run->axis < 0 ? r->cell : r->face[run->axis]) + low - r->box.low[0] +
              r->size[0] * (place[0] + (ptrdiff_t)r->size[1] * place[1]);
    return low < end && low < high ? (end < high ? end : high) - low : 0;
}

/* Whether a face lies on a side of the domain, where nothing is pushed. */
static bool covers_side(const domain *d, int axis, int face)
{
    return !d->periodic[axis] && (face == 0 || face == d->n[axis]);
}

/* The bodies whose shares a run may have a part of. */
static int covers_near(const solids *s, const shares_run *run, const uint16_t **of)
{
    if (s->rigid_count == 0)
        return 0;
    const int *first = s->layers.first + shares_layer(&s->domain, run->row);
    *of = s->layers.of + first[0];
    return first[1] - first[0];
}

bool solids_add_shares(const solids *s, const shares_run *run, double *share)
{
    const uint16_t *near;
    const int bodies = covers_near(s, run, &near);
    bool any = false;
    for (int b = 0; b < bodies; b++) {
        float *values;
        int first, count = covers_part(s->bodies[near[b]].shares, run, &first, &values);
        for (int n = 0; n < count; n++)
            share[first + n] += (double)values[n];
        any = any || count > 0;
    }
    return any;
}

void solids_add_motion(const solids *s, const shares_run *run, double *moved)
{
    const domain *d = &s->domain;
    double at[3];
    field_origin(&s->open[run->axis], d, at);
    vec3 x = {0, at[1] + run->row[0] * d->h[1], d->dims == 3 ? at[2] + run->row[1] * d->h[2] : 0};
    const uint16_t *near;
    const int bodies = covers_near(s, run, &near);
    for (int b = 0; b < bodies; b++) {
        float *values;
        int first, count = covers_part(s->bodies[near[b]].shares, run, &first, &values);
        for (int n = 0; n < count; n++) {
            const int face[3] = {run->first + first + n, run->row[0], run->row[1]};
            x.x = at[0] + face[0] * d->h[0];
            if (values[n] > 0 && !covers_side(d, run->axis, face[run->axis]))
                moved[first + n] += (double)values[n] * solids_motion_along(&s->bodies[near[b]], run->axis, x);
        }
    }
}

/* Cuts what rigid bodies cover of a run of faces by one factor a face. */
static void covers_scale(const solids *s, const shares_run *run, const double *factor)
{
    const uint16_t *near;
    const int bodies = covers_near(s, run, &near);
    for (int b = 0; b < bodies; b++) {
        float *values;
        int first, count = covers_part(s->bodies[near[b]].shares, run, &first, &values);
        for (int n = 0; n < count; n++)
            values[n] = (float)((double)values[n] * factor[first + n]);
    }
}

static void covers_run(const solids *s, const shares_run *run, float *open)
{
    double share[COVERS_PIECE], factor[COVERS_PIECE];
    bool scaled = false;
    memset(share, 0, (size_t)run->count * sizeof *share);
    if (!solids_add_shares(s, run, share))
        return;
    for (int n = 0; n < run->count; n++) {
        const double left = (double)open[n], free = left - share[n];
        const bool none = share[n] < COVERS_LEAST, all = !none && free < COVERS_LEAST;
        factor[n] = none ? 0 : all ? left / share[n] : 1;
        open[n] = (float)(none ? left : all ? 0 : free);
        scaled = scaled || (factor[n] != 1 && share[n] > 0);
    }
    if (scaled)
        covers_scale(s, run, factor);
}

void solids_cover_faces(const solids *s, int axis, const int row[2], const int span[2], float *open)
{
    for (int first = span[0]; first < span[1] && s->rigid_count > 0; first += COVERS_PIECE) {
        const int count = span[1] - first < COVERS_PIECE ? span[1] - first : COVERS_PIECE;
        covers_run(s, &(shares_run){axis, {row[0], row[1]}, first, count}, open + first);
    }
}

static solids_shares *covers_nearest(const solids *s, int axis, const int face[3])
{
    return s->bodies[solids_owner(s, &s->domain, &s->open[axis], face)].shares;
}

bool solids_give_face(const solids *s, int axis, const int face[3], float open)
{
    solids_shares *r = covers_nearest(s, axis, face);
    const int n = s->domain.n[axis];
    const bool two = s->domain.periodic[axis] && face[axis] % n == 0;
    bool given = r != NULL;
    for (int end = 0; end <= two && r; end++) {
        shares_run run = {axis, {face[1], face[2]}, face[0], 1};
        int first;
        float *value;
        if (two && axis == 0)
            run.first = end * n;
        else if (two)
            run.row[axis - 1] = end * n;
        if (covers_part(r, &run, &first, &value) > 0)
            *value += open;
        else
            given = false;
    }
    return given;
}

double solids_surplus(const solids *s, int body, const int cell[3], int axis)
{
    const solids_shares *r = s->bodies[body].shares;
    const ptrdiff_t place = shares_place_of(r, cell);
    const ptrdiff_t strides[3] = {1, r->size[0], (ptrdiff_t)r->size[0] * r->size[1]};
    const float *low = r->face[axis] + place;
    return domain_cell_volume(&s->domain) *
           (0.5 * ((double)low[0] + (double)low[strides[axis]]) - (double)r->cell[place]);
}

double solids_share_volume(const solids *s, int body, int axis)
{
    const domain *d = &s->domain;
    const solids_shares *r = s->bodies[body].shares;
    double sum = 0;
    for (int row = 0; r && row < r->size[1] * r->size[2]; row++) {
        shares_run run = {axis, {r->box.low[1] + row % r->size[1], r->box.low[2] + row / r->size[1]}, r->box.low[0],
                          r->size[0]};
        int first;
        float *values;
        for (int n = covers_part(r, &run, &first, &values) - 1; n >= 0; n--) {
            const int at[3] = {run.first + n, run.row[0], run.row[1]};
            const bool half = axis >= 0 && (at[axis] == 0 || at[axis] == d->n[axis]);
            sum += (half ? 0.5 : 1) * (double)values[n];
        }
    }
    return sum * domain_cell_volume(d);
}
