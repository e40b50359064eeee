/* The flow of a gradient through the faces; the cross terms are those of tensor_matrix.c. */
#include "grid/halo.h"
#include "grid/tensor.h"

typedef struct flow_job {
    const tensor *t;
    const field *p;
    float scale;
    field *flux;
    int axis;                /* of the faces */
} flow_job;

/* A row of faces: what lies before and behind them. */
typedef struct flow_row {
    int n;
    const float *p;          /* of the cells above the faces */
    const float *weight;
    float *flux;
} flow_row;

static void flow_straight(const flow_job *job, const flow_row *row)
{
    const float *restrict p = row->p, *restrict below = row->p - job->p->stride[job->axis], *restrict w = row->weight;
    float *restrict flux = row->flux;
    for (int i = 0; i < row->n; i++)
        flux[i] += job->scale * w[i] * (p[i] - below[i]);
}

/* κ of an edge where f and g of its faces across the two axes are open: c/4 where all are. */
static inline float flow_share(float c, float f, float g)
{
    float most = f > g ? f : g;
    return most > 0 ? 0.5f * c / most : 0;
}

static inline float flow_open(float weight) { return weight > 0 ? 1.0f : 0.0f; }

/* What the differences along `other` at one of the two edges across it add; `up` cells from the face to the edge, 0 or 1. */
static void flow_slanted(const flow_job *job, const flow_row *row, int other, const int face[3], int up)
{
    const tensor *t = job->t;
    int edge[3] = {face[0], face[1], face[2]}, along = 3 - job->axis - other;
    edge[other] += up;
    const field *w = &t->weight[job->axis], *v = &t->weight[other];
    const float *restrict c = field_row(&t->cross[along], edge[1], edge[2]) + edge[0];
    const float *restrict f2 = field_row(w, edge[1], edge[2]) + edge[0], *restrict f1 = f2 - w->stride[other];
    const float *restrict g2 = field_row(v, edge[1], edge[2]) + edge[0], *restrict g1 = g2 - v->stride[job->axis];
    const float *restrict p = field_row(job->p, edge[1], edge[2]) + edge[0];
    ptrdiff_t back = job->p->stride[job->axis], down = job->p->stride[other];
    float *restrict flux = row->flux;
    for (int i = 0; i < row->n; i++) {
        float before = flow_open(g1[i]), behind = flow_open(g2[i]);
        float share = flow_share(c[i], flow_open(f1[i]) + flow_open(f2[i]), before + behind);
        float slope = before * (p[i - back] - p[i - back - down]) + behind * (p[i] - p[i - down]);
        flux[i] += row->weight[i] > 0 ? job->scale * share * slope : 0;
    }
}

static void flow_rows(void *context, int begin, int end)
{
    const flow_job *job = context;
    for (int m = begin; m < end; m++) {
        int face[3] = {0, m % job->flux->size[1], m / job->flux->size[1]};
        flow_row row = {job->flux->size[0], field_row(job->p, face[1], face[2]), field_row(&job->t->weight[job->axis], face[1], face[2]),
                        field_row(job->flux, face[1], face[2])};
        flow_straight(job, &row);
        for (int other = 0; other < job->t->domain.dims; other++)
            for (int up = 0; up < 2 && other != job->axis; up++)
                flow_slanted(job, &row, other, face, up);
    }
}

void tensor_add_flow(const tensor *t, field *p, float scale, field flux[3])
{
    halo_side sides[6];
    for (int side = 0; side < 6; side++)
        sides[side] = (halo_side){.kind = t->sides[side] == TENSOR_PERIODIC ? HALO_PERIODIC : t->sides[side] == TENSOR_FIXED ? HALO_VALUE : HALO_EVEN};
    halo_fill(p, &t->domain, sides);
    for (int a = 0; a < t->domain.dims; a++)
        field_for_rows(&flux[a], flow_rows, &(flow_job){t, p, scale, &flux[a], a});
}
