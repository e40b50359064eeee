/* Central fluxes on the staggered grid (Harlow & Welch 1965). The momentum of a face is carried through the six sides
   of the cell-sized volume around it:

     −(u·∇)u_c ≈ −Σ_d 1/h_d [ U⁺ (u⁺ − u_c) − U⁻ (u⁻ − u_c) ],      u^± the mean of the two samples beside that side.

   This is the flux form less u_c ∇·U. The two are the same where U is divergence-free, so momentum is kept there;
   beside obstacles, where U is partly extrapolated and may have divergence, this form makes no momentum out of it.

   Central differences keep energy, and with it the wiggles of two cells that no grid can carry. Where three successive
   differences alternate in sign, and only there, the value on the side is moved from the mean towards upwind, by as
   much of the middle difference as both of its neighbours reverse; a smooth extremum changes sign once and is left
   alone, so the order stays two. */
#include "mac/stage/momentum.h"

#include <math.h>

typedef struct momentum_job {
    const domain *d;
    const field *flow;       /* three */
    const field *from;
    field *to;
    float scale[3];          /* Δt/h */
} momentum_job;

/* Twice the shift of the value on a side from the mean of its samples a and b, when the flow goes from a to b: −(b − a)
   in a full wiggle, 0 where there is none. */
static inline float momentum_upwind_shift(float before, float a, float b, float after)
{
    float middle = b - a, low = (before - a) * middle, high = (b - after) * middle;   /* both positive in a wiggle */
    float both = low < high ? low : high, most = middle * middle;
    both = both < most ? both : most;
    return both > 0 ? -both / middle : 0;
}

/* What a row of faces needs for the fluxes along one axis. */
typedef struct momentum_axis {
    const float *carried;        /* the component that is carried */
    ptrdiff_t step;              /* its stride along d */
    const float *low[2];         /* the carrier on the lower side is the mean of these, */
    const float *high[2];        /* and on the upper one */
    float scale;                 /* Δt/h */
} momentum_axis;

/* Adds to `sum` what leaves through the two sides along an axis, less what enters. */
static void momentum_add_fluxes(const momentum_axis *along, int n, float *restrict sum)
{
    const float *restrict low_a = along->low[0], *restrict low_b = along->low[1], *restrict high_a = along->high[0],
                          *restrict high_b = along->high[1];
    const float *restrict u = along->carried;
    ptrdiff_t step = along->step;
    float scale = along->scale;
    for (int i = 0; i < n; i++) {
        const float *at = u + i;
        float below = at[-2 * step], left = at[-step], own = at[0], right = at[step], above = at[2 * step];
        float enter = 0.5f * (low_a[i] + low_b[i]), leave = 0.5f * (high_a[i] + high_b[i]);
        float shift_low = momentum_upwind_shift(below, left, own, right);
        float shift_high = momentum_upwind_shift(left, own, right, above);
        float out = leave * (right - own) + fabsf(leave) * shift_high;
        float in = enter * (left - own) + fabsf(enter) * shift_low;
        sum[i] += 0.5f * scale * (out - in);
    }
}

static void momentum_row(const momentum_job *job, int j, int k, int i0, int n, float *sum)
{
    int c = field_axis(job->to);
    const field *carried = &job->flow[c];
    for (int i = 0; i < n; i++)
        sum[i] = 0;
    for (int d = 0; d < job->d->dims; d++) {
        const field *carrier = &job->flow[d];
        const float *at = field_row(carrier, j, k) + i0;
        ptrdiff_t along = carrier->stride[d], across = carrier->stride[c];
        momentum_axis axis = {field_row(carried, j, k) + i0,
                              carried->stride[d],
                              {at - across, at},
                              {at + along - across, at + along},
                              job->scale[d]};
        momentum_add_fluxes(&axis, n, sum);
    }
}

static void momentum_rows(void *context, int begin, int end)
{
    enum { PIECE = 256 };
    const momentum_job *job = context;
    float sum[PIECE];
    for (int r = begin; r < end; r++) {
        int j = r % job->to->size[1], k = r / job->to->size[1];
        for (int i0 = 0; i0 < job->to->size[0]; i0 += PIECE) {
            int n = job->to->size[0] - i0 < PIECE ? job->to->size[0] - i0 : PIECE;
            const float *restrict from = field_row(job->from, j, k) + i0;
            float *restrict to = field_row(job->to, j, k) + i0;
            momentum_row(job, j, k, i0, n, sum);
            for (int i = 0; i < n; i++)
                to[i] = from[i] - sum[i];
        }
    }
}

void stage_momentum(const model *m, state *s, const field flow[3], double dt)
{
    for (int a = 0; a < m->domain.dims; a++) {
        momentum_job job = {.d = &m->domain, .flow = flow, .from = &s->velocity[a], .to = &s->next_velocity[a]};
        for (int d = 0; d < m->domain.dims; d++)
            job.scale[d] = (float)(dt / m->domain.h[d]);
        field_for_rows(job.to, momentum_rows, &job);
        s->now.traffic += (double)sizeof(float) * (double)domain_cells(&m->domain) * (m->domain.dims + 2);
    }
}
