/* The pseudo-time form of redistancing (Sussman, Smereka & Osher 1994; Carlson 6.2.2): ∂φ/∂τ = S(φ) (1 − |∇φ|), which
   is Carlson's eq. 89 with the speed S(φ) ∇φ/|∇φ|. Derivatives are WENO of fifth order, chosen by Godunov's rule; steps
   of Δτ = h/2 are TVD Runge–Kutta of third order. Since the cells beside the surface are held, S is ±1. */
#include <math.h>

#include "surface/levelset/redistance.h"
#include "surface/levelset/upwind.h"

/* Carlson's eq. 90: it ends when the mean change of a step in the band falls below ε Δτ. His ε of 0.1 ends after one
   step most often, which leaves a distorted φ far from a distance. */
static const double WENO_STEP = 0.5, WENO_ENOUGH = 0.002;

enum { WENO_STEPS = 40 };

typedef struct weno_job {
    redistance_job base;
    float dt;   /* m */
    float kept; /* share of the value before the step in this stage */
    bool first; /* of the step's stages */
} weno_job;

/* The larger upwind slope along an axis, squared, where u = |φ| grows away from the surface. */
static inline wide weno_slope(const float *at, ptrdiff_t stride, wide sign, float per_h)
{
    wide up[6], down[5];
    for (int s = 0; s < 6; s++)
        up[s] = sign * (wide_load(at + (s - 2) * stride) - wide_load(at + (s - 3) * stride)) * per_h;
    for (int s = 0; s < 5; s++)
        down[s] = up[5 - s];
    wide low = wide_max(upwind_weno5(up), wide_all(0)), high = wide_min(upwind_weno5(down), wide_all(0));
    return wide_max(low * low, high * high);
}

/* Adds up the changes against the values before the step, and the cells of the band. */
static void weno_row(const weno_job *job, const float *at, size_t cell, wide *sum, wide *cells)
{
    const levelset *ls = job->base.ls;
    for (int i = 0; i < ls->side[0]; i += WIDE) {
        wide old = wide_load(at + i), sign = wide_choose(old < 0, wide_all(-1), wide_all(1)), square = {0};
        for (int a = 0; a < ls->d.dims; a++)
            square += weno_slope(at + i, ls->stride[a], sign, job->base.per_h[a]);
        wide size = sign * old + job->dt * (1 - wide_sqrt(square));
        wide value = sign * wide_max(wide_min(size, wide_all(ls->width)), wide_all(1e-6f * ls->width));
        if (job->first)
            wide_store(ls->old + cell + i, old);
        const wide before = wide_load(ls->old + cell + i);
        value = wide_choose(redistance_held(ls, cell + (size_t)i), old, job->kept * before + (1 - job->kept) * value);
        wide_store(ls->next + cell + i, value);
        *sum += upwind_abs(value - before);
        *cells += wide_keep(upwind_abs(value) < ls->width, wide_all(1));
    }
}

static void weno_part(void *context, int begin, int end)
{
    const weno_job *job = context;
    const levelset *ls = job->base.ls;
    float patch[PATCH_MOST];
    for (int m = begin; m < end; m++) {
        const band_block b = band_block_of(ls, ls->list[m]);
        band_gather(ls, job->base.phi, &b, true, patch);
        wide sum = {0}, cells = {0};
        for (int k = 0; k < b.inside[2]; k++)
            for (int j = 0; j < b.inside[1]; j++)
                weno_row(job, patch + band_patch_row(ls, j, k), (size_t)m * BLOCK_CELLS + band_block_row(ls, j, k),
                         &sum, &cells);
        ls->partial[m * BAND_PARTIALS] = wide_sum(sum);
        ls->partial[m * BAND_PARTIALS + 1] = wide_sum(cells);
    }
}

/* One step of TVD Runge–Kutta. Returns the mean change of a cell, m. */
static double weno_step(weno_job *job)
{
    static const float kept[3] = {0, 3.0f / 4, 1.0f / 3};
    const levelset *ls = job->base.ls;
    for (int s = 0; s < 3; s++) {
        job->kept = kept[s];
        job->first = s == 0;
        band_for_blocks(ls, weno_part, job);
        band_scatter_marked(ls, ls->next, job->base.phi);
    }
    double sum = 0, cells = 0;
    for (int m = 0; m < ls->count; m++) {
        sum += ls->partial[m * BAND_PARTIALS];
        cells += ls->partial[m * BAND_PARTIALS + 1];
    }
    return cells > 0 ? sum / cells : 0;
}

fr_result levelset_redistance_weno(levelset *ls, field *phi)
{
    weno_job job;
    FR_TRY(band_update(ls, phi, ls->reach));
    redistance_begin(ls, phi, &job.base);
    job.dt = (float)(WENO_STEP * domain_min_h(&ls->d));
    double change = INFINITY;
    for (int step = 0; step < WENO_STEPS && change > WENO_ENOUGH * job.dt; step++)
        change = weno_step(&job);
    levelset_fill_ghosts(ls, phi);
    return FR_OK;
}
