/* With the unknown φ = p Δt/ρ, for which the matrix is constant:

     Σ F(φ) out of a cell = Σ U* out of it,      U = U* − F(φ),

   F^k = J g^kj ∂_j φ (grid/tensor/tensor.h). On outflows φ = 0, so that as much leaves as comes in. */
#include "river/stage/pressure.h"

#include <math.h>

#include "base/threads.h"
#include "grid/operators.h"
#include "river/stage/sides.h"

void stage_river_pressure_push(const river_model *m, river_state *s, double dt, field flux[3])
{
    tensor_add_flow(&m->pressure, &s->pressure, -(float)(dt / m->fluid.density), flux);
}

/* Whether water leaves only across s: then the discharge through every cross-section is known but for a constant. */
static bool pressure_is_channel(const river_model *m)
{
    for (int side = 2; side < 2 * m->curve.domain.dims; side++)
        if (m->sides[side].kind == FR_RIVER_OUTFLOW)
            return false;
    return true;
}

/* Adds the flux that enters beside each section's upstream cells: joined[i] is what has come in through the sides along
   the river between sections 0 and i. */
static void pressure_sum_joined(const river_model *m, const river_state *s, double *restrict joined)
{
    const domain *d = &m->curve.domain;
    for (int i = 0; i <= d->n[0]; i++)
        joined[i] = 0;
    for (int side = 2; side < 2 * d->dims; side++) {
        if (!m->sides[side].brings)
            continue;
        const river_frame f = river_frame_of(d, side);
        for (int k = 0; k < f.n[1]; k++)
            for (int j = 0; j < f.n[0]; j++) {
                int cell[3], face[3];
                river_beside(d, side, j, k, cell, face);
                double flux = field_row(&s->next_flux[f.axis], face[1], face[2])[face[0]];
                joined[cell[0] + 1] += side % 2 ? -flux : flux;
            }
    }
    for (int i = 0; i < d->n[0]; i++)
        joined[i + 1] += joined[i];
}

/* Sums over every cross-section. */
static void pressure_sum_sections(const field *f, double *restrict sums)
{
    for (int i = 0; i < f->size[0]; i++)
        sums[i] = 0;
    for (int r = 0; r < field_rows(f); r++) {
        const float *restrict row = field_row(f, r % f->size[1], r / f->size[1]);
        for (int i = 0; i < f->size[0]; i++)
            sums[i] += (double)row[i];
    }
}

/* The solver leaves a little divergence in each cell, and along a river it adds up. The discharge through whole
   cross-sections is known, a constant and what has joined on the way, so what a section lacks is added to its faces in
   proportion to their weights. Sections on sides other than outflows are not changed. */
static void pressure_even_out(const river_model *m, river_state *s)
{
    field *flux = &s->next_flux[0];
    const field *weight = &m->pressure.weight[0];
    const river_side *sides = m->sides;
    int n = flux->size[0];
    double *restrict passing = s->sections, *restrict total = s->sections + n, *restrict joined = s->sections + 2 * n;
    pressure_sum_sections(flux, passing);
    pressure_sum_sections(weight, total);
    pressure_sum_joined(m, s, joined);
    double asked = sides[0].kind == FR_RIVER_OUTFLOW ? passing[n - 1] - joined[n - 1] : passing[0];
    for (int i = 0; i < n; i++) {
        bool free = (i > 0 || sides[0].kind == FR_RIVER_OUTFLOW) && (i < n - 1 || sides[1].kind == FR_RIVER_OUTFLOW) &&
                    total[i] > 0;
        passing[i] = free ? (asked + joined[i] - passing[i]) / total[i] : 0;
    }
    for (int r = 0; r < field_rows(flux); r++) {
        float *restrict row = field_row(flux, r % flux->size[1], r / flux->size[1]);
        const float *restrict share = field_row(weight, r % flux->size[1], r / flux->size[1]);
        for (int i = 0; i < n; i++)
            row[i] += (float)passing[i] * share[i];
    }
}

typedef struct pressure_leak {
    const river_model *m;
    const field *divergence;
    double *partial;
} pressure_leak;

static void pressure_leak_rows(void *context, int begin, int end)
{
    const pressure_leak *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->divergence->size[1], k = r / job->divergence->size[1];
        const float *leak = field_row(job->divergence, j, k), *volume = field_row(&job->m->curve.volume, j, k);
        double most = 0;
        for (int i = 0; i < job->divergence->size[0]; i++)
            if (!river_solid(job->m, i, j, k))
                most = fmax(most, fabs(leak[i] / volume[i]));
        job->partial[r] = most;
    }
}

/* Largest divergence of next_flux, 1/s. */
static double pressure_measure(const river_model *m, river_state *s)
{
    field divergence = river_scratch(m, s, 0, FR_AT_CELL);
    operators_divergence(&m->curve.domain, s->next_flux, NULL, &divergence);
    pressure_leak job = {m, &divergence, s->partial};
    field_for_rows(&divergence, pressure_leak_rows, &job);
    return threads_max(s->partial, field_rows(&divergence));
}

/* Fluxes inside obstacles are not flow: sets their divergence to 0. */
static void pressure_leave_out(const river_model *m, field *right)
{
    const river_skin *skin = &m->skins[RIVER_CELLS];
    for (int64_t n = 0; n < skin->count; n++)
        right->data[skin->at[n]] = 0;
}

/* m³/s that the sides drive, per wet cell; a billionth of it is below the rounding error of a flux. */
static double pressure_driven(const river_model *m, const river_state *s)
{
    double sum = 0;
    for (int side = 0; side < 2 * m->curve.domain.dims; side++)
        sum += stage_river_sides_driven(m, s, side);
    return sum / (double)m->wet + 1e-30;
}

fr_result stage_river_pressure(const river_model *m, river_state *s, double dt)
{
    field right = river_scratch(m, s, 0, FR_AT_CELL), phi = river_scratch(m, s, 1, FR_AT_CELL);
    float scale = (float)(dt / m->fluid.density);
    stage_river_sides_close(m, s, s->next_flux);
    operators_divergence(&m->curve.domain, s->next_flux, NULL, &right);
    field_blend(&right, -1, &right, 0, &right);
    pressure_leave_out(m, &right);
    field_blend(&phi, scale, &s->pressure, 0, &s->pressure);
    double unseen = 1e-9 * pressure_driven(m, s);
    solve_limits limits = {m->solver.pressure_tolerance, unseen, m->solver.max_iterations};
    solve_stats stats = tensor_solve(s->pressure_solver, &right, &phi, &limits);
    s->now.report.pressure_iterations = stats.iterations;
    s->now.report.pressure_residual = stats.residual;
    s->now.traffic += stats.bytes;
    if (!stats.converged)
        return fr_fail(FR_ERROR_NUMERIC,
                       "the pressure solver stopped at a residual of %.3g after %d iterations, where %.3g is asked for",
                       stats.residual, stats.iterations, limits.tolerance);
    tensor_add_flow(&m->pressure, &phi, -1, s->next_flux);
    if (pressure_is_channel(m))
        pressure_even_out(m, s);
    field_blend(&s->next_pressure, 1 / scale, &phi, 0, &phi);
    s->now.report.max_divergence = pressure_measure(m, s);
    return FR_OK;
}
