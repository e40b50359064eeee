/* Signed distances to the obstacles. */
#include <math.h>

#include "base/threads.h"
#include "grid/halo.h"
#include "mac/solids/solids_parts.h"

typedef struct distance_job {
    solids *s;
    const domain *grid;       /* whose cell centres are sampled */
    solids_which which;
    field *to;
    uint16_t *owner;          /* NULL: not wanted */
    uint16_t *other;          /* nearest that is not rigid; NULL: not wanted */
    const field *still;
    bool bounds;              /* away from a moving body write a lower bound of its distance */
    double most;              /* m: rigid bodies are at least so far from cells that are not near them */
    int body, box;            /* the rigid one at hand */
    fr_result result;
} distance_job;

static void distance_origin(const distance_job *job, int j, int k, double start[3])
{
    field_origin(job->to, job->grid, start);
    start[1] += j * job->grid->h[1];
    start[2] += job->grid->dims == 3 ? k * job->grid->h[2] : 0;
}

/* Exact distances of body b at the samples of a span; where it is the nearest it owns them. Only a user's function can
   fail. */
static fr_result distance_sample(const distance_job *job, int b, int j, int k, const int span[2])
{
    enum { PIECE = 256 };
    float piece[PIECE], *row = field_row(job->to, j, k);
    uint16_t *owner = job->owner ? job->owner + (row - job->to->block) : NULL;
    double start[3];
    distance_origin(job, j, k, start);
    double origin = start[0];
    for (int first = span[0]; first < span[1]; first += PIECE) {
        int count = span[1] - first < PIECE ? span[1] - first : PIECE;
        start[0] = origin + first * job->grid->h[0];
        FR_TRY(shape_distance_row(job->s->bodies[b].shape, start, job->grid->h[0], count, piece));
        for (int i = 0; i < count; i++)
            if (piece[i] < row[first + i]) {
                row[first + i] = piece[i];
                if (owner)
                    owner[first + i] = (uint16_t)b;
            }
    }
    return FR_OK;
}

/* A lower bound of the distance, from the bounding box. Pictures need it: they step along rays by the distance. */
static void distance_bound(const distance_job *job, int b, int j, int k, int first, int last)
{
    double min[3], max[3], at[3], across = 0;
    shape_bounds(job->s->bodies[b].shape, min, max);
    distance_origin(job, j, k, at);
    for (int a = 1; a < job->grid->dims; a++) {
        double gap = fmax(0, fmax(min[a] - at[a], at[a] - max[a]));
        across += gap * gap;
    }
    float *restrict row = field_row(job->to, j, k);
    float low = (float)(min[0] - at[0]), high = (float)(max[0] - at[0]), h = (float)job->grid->h[0],
          square = (float)across;
    for (int i = first; i < last; i++) {
        float x = h * (float)i, before = low - x, behind = x - high, gap = before > behind ? before : behind;
        gap = gap > 0 ? gap : 0;
        float bound = 0.999f * sqrtf(gap * gap + square);      /* a bound in spite of rounding */
        row[i] = bound < row[i] ? bound : row[i];
    }
}

static fr_result distance_add_body(const distance_job *job, int b, int box, int j, int k, const int span[2])
{
    if (job->which == SOLIDS_STILL)
        return distance_sample(job, b, j, k, span);
    const region_box *own = &job->s->boxes[box];
    const int last = job->to->size[0], more[3] = {last - job->s->domain.n[0], job->to->size[1] - job->s->domain.n[1],
                                                  job->to->size[2] - job->s->domain.n[2]};
    const int part[2] = {own->low[0], own->high[0] + more[0]};
    const bool near = own->high[0] > 0 && j >= own->low[1] && j < own->high[1] + more[1] && k >= own->low[2] &&
                      k < own->high[2] + more[2];
    if (near)
        FR_TRY(distance_sample(job, b, j, k, part));
    if (job->bounds && !job->s->bodies[b].rigid) {
        distance_bound(job, b, j, k, 0, near ? part[0] : last);
        distance_bound(job, b, j, k, near ? part[1] : last, last);
    }
    return FR_OK;
}

/* Those that are not rigid. */
static void distance_add_bodies(distance_job *job, int j, int k, const int span[2])
{
    const solids *s = job->s;
    for (int b = 0, box = 0; b < s->body_count && !solids_all_rigid(s); b++) {
        const solids_body *body = &s->bodies[b];
        bool wanted = body->present && body->moves == (job->which == SOLIDS_MOVING) && !body->shares;
        if (wanted && distance_add_body(job, b, box, j, k, span) != FR_OK)
            job->result = FR_ERROR_INPUT;
        box += body->moves;
    }
}

static void distance_row(void *context, int j, int k, const int span[2])
{
    distance_job *job = context;
    solids *s = job->s;
    float *row = field_row(job->to, j, k);
    ptrdiff_t at = row - job->to->block;
    const bool over = job->which == SOLIDS_MOVING && job->still->block;
    const float most = (float)job->most;
    for (int i = span[0]; i < span[1]; i++)
        row[i] = fminf(over ? job->still->block[at + i] : s->far, most);
    for (int i = span[0]; job->owner && i < span[1]; i++)
        job->owner[at + i] = over ? s->still.owner[at + i] : 0;
    distance_add_bodies(job, j, k, span);
    for (int i = span[0]; job->other && i < span[1]; i++)
        job->other[at + i] = job->owner[at + i];
}

/* Rows of the box around a rigid body. */
static void distance_rigid_rows(void *context, int begin, int end)
{
    distance_job *job = context;
    const region_box *box = &job->s->boxes[job->box];
    const int rows = box->high[1] - box->low[1], span[2] = {box->low[0], box->high[0]};
    for (int row = begin; row < end; row++)
        if (distance_sample(job, job->body, box->low[1] + row % rows, box->low[2] + row / rows, span) != FR_OK)
            job->result = FR_ERROR_INPUT;
}

/* One after the other, so that rows are not asked for all of them. */
static void distance_add_rigid(distance_job *job)
{
    enum { COST = 20 }; /* ns of a sample */
    const solids *s = job->s;
    for (job->body = job->box = 0; job->body < s->body_count; job->body++) {
        const solids_body *body = &s->bodies[job->body];
        const region_box *box = &s->boxes[job->box];
        const int rows = (box->high[1] - box->low[1]) * (box->high[2] - box->low[2]);
        if (body->shares && body->present && box->high[0] > 0 && solids_parallel(s))
            threads_for_cost(rows, COST * (box->high[0] - box->low[0]), distance_rigid_rows, job);
        else if (body->shares && body->present && box->high[0] > 0)
            distance_rigid_rows(job, 0, rows);
        job->box += body->moves;
    }
}

/* Only a user's function can fail, and those run on one thread. */
fr_result solids_sample_cells(solids *s, solids_which which)
{
    bool any = false;
    for (int b = 0; b < s->body_count; b++)
        any = any || (s->bodies[b].rigid && s->bodies[b].present);
    distance_job job = {.s = s, .grid = &s->domain, .which = which, .to = &s->distance, .owner = s->owner,
                        .other = s->other, .still = &s->still.distance, .bounds = true,
                        .most = any ? solids_margin(s) * domain_min_h(&s->domain) : INFINITY, .result = FR_OK};
    region_box box = region_whole(&s->domain);
    region whole = {&s->domain, &box, 1};
    region_for_rows(&whole, &s->distance, solids_parallel(s), distance_row, &job);
    if (which == SOLIDS_MOVING)
        distance_add_rigid(&job);
    halo_fill_linear(&s->distance, &s->domain);
    return job.result;
}

fr_result solids_sample_corners(solids *s, solids_which which, const region *r)
{
    distance_job job = {.s = s, .grid = &s->corners, .which = which, .to = &s->corner, .still = &s->still.corner,
                        .most = INFINITY, .result = FR_OK};
    region_for_rows(r, &s->corner, solids_parallel(s), distance_row, &job);
    return job.result;
}
