#include "river/stage/advect.h"

#include <math.h>

#include "base/threads.h"
#include "grid/carry.h"
#include "grid/flux.h"
#include "river/stage/sides.h"

typedef struct advect_product {
    field *to;
    const field *flux;
    const field *factor;
} advect_product;

/* Covers all ghosts: those at the ends of a row with the row, ghost rows as rows of their own. */
static void advect_divide_rows(void *context, int begin, int end)
{
    const advect_product *job = context;
    int rows = job->to->size[1] + 2 * GHOST;
    for (int r = begin; r < end; r++) {
        int j = r % rows - GHOST, k = r / rows - (job->to->stride[2] ? GHOST : 0);
        float *restrict to = field_row(job->to, j, k);
        const float *restrict flux = field_row(job->flux, j, k), *restrict factor = field_row(job->factor, j, k);
        for (int i = -GHOST; i < job->to->size[0] + GHOST; i++)
            to[i] = flux[i] * factor[i];
    }
}

/* Speeds in grid coordinates, cells per second, on all faces and their ghosts. */
static void advect_grid_speed(const river_model *m, river_state *s, int first, field speed[3])
{
    for (int k = 0; k < m->curve.domain.dims; k++) {
        speed[k] = river_scratch(m, s, first + k, field_face(k));
        advect_product job = {&speed[k], &s->carrying_flux[k], &m->curve.inverse[k]};
        int layers = speed[k].stride[2] ? speed[k].size[2] + 2 * GHOST : 1;
        threads_for_cost((speed[k].size[1] + 2 * GHOST) * layers, speed[k].size[0], advect_divide_rows, &job);
    }
}

typedef struct advect_ghosts {
    const river_model *m;
    const river_state *s;
    carry *carry;
    int index[CARRY_LOADS];    /* scalars of the loads */
} advect_ghosts;

/* Extends a range to the values of a row. */
static void advect_widen(const float *row, int64_t n, float range[2])
{
    for (int64_t i = 0; i < n; i++) {
        range[0] = row[i] < range[0] ? row[i] : range[0];
        range[1] = row[i] > range[1] ? row[i] : range[1];
    }
}

typedef struct advect_bounds {
    field *low, *high;
    float range[2];
} advect_bounds;

static void advect_narrow_rows(void *context, int begin, int end)
{
    const advect_bounds *job = context;
    for (int r = begin; r < end; r++) {
        float *restrict low = field_row(job->low, r % job->low->size[1], r / job->low->size[1]);
        float *restrict high = field_row(job->high, r % job->low->size[1], r / job->low->size[1]);
        for (int i = 0; i < job->low->size[0]; i++) {
            low[i] = low[i] > job->range[0] ? low[i] : job->range[0];
            high[i] = high[i] < job->range[1] ? high[i] : job->range[1];
        }
    }
}

static void advect_widen_by_side(const river_model *m, const river_state *s, int side, int index, float range[2])
{
    const float *values = s->side_scalars[side][index];
    const int64_t cells = domain_cells(&m->curve.domain) / m->curve.domain.n[side / 2];
    for (int64_t n = 0; n < cells; n++)
        if (stage_river_sides_lets_in(m, s, side, (int)n))
            advect_widen(values + n, 1, range);
}

/* An inflow's value holds on the side itself: ghost = 2·inflow − inside. Such a ghost is no valid bound for
   MacCormack's limiter: the bounds are clamped to the range of the inside and the inflows. */
static void advect_narrow(const advect_ghosts *ghosts, int load)
{
    const river_model *m = ghosts->m;
    carry_load *carried = &ghosts->carry->loads[load];
    advect_bounds job = {carried->to, &carried->high, {INFINITY, -INFINITY}};
    bool inflow = false;
    for (int side = 0; side < 2 * m->curve.domain.dims; side++)
        if (ghosts->s->side_scalars[side]) {
            inflow = true;
            advect_widen_by_side(m, ghosts->s, side, ghosts->index[load], job.range);
        }
    for (int r = 0; r < field_rows(carried->from) && inflow; r++)
        advect_widen(field_row(carried->from, r % carried->from->size[1], r / carried->from->size[1]),
                     carried->from->size[0], job.range);
    if (inflow)
        field_for_rows(carried->to, advect_narrow_rows, &job);
}

static void advect_fill_velocity(const river_model *m, const river_state *s, field velocity[3])
{
    stage_river_sides_velocity(m, s, velocity);
    stage_river_sides_still(m, s, velocity);
}

/* Sides mirror the velocity as a vector, so this waits until all components are advected. */
static void advect_vector_ghosts(void *context, int load, field *forward)
{
    (void)forward;
    const advect_ghosts *ghosts = context;
    if (load < ghosts->carry->load_count - 1)
        return;
    field vector[3];
    for (int a = 0; a <= load; a++)
        vector[a] = ghosts->carry->loads[a].forward;
    advect_fill_velocity(ghosts->m, ghosts->s, vector);
}

static void advect_scalar_ghosts(void *context, int load, field *forward)
{
    const advect_ghosts *ghosts = context;
    advect_narrow(ghosts, load);
    stage_river_sides_scalar(ghosts->m, ghosts->s, ghosts->index[load], forward);
}

static void advect_run(const river_model *m, river_state *s, double dt, const field speed[3], carry *c,
                       advect_ghosts *ghosts)
{
    c->d = &m->curve.domain;
    c->refine = 1;
    c->velocity = speed;
    c->context = ghosts;
    c->clamps = s->clamps;
    for (int a = 0; a < c->d->dims; a++)
        c->scale[a] = (float)dt;
    carry_run(c);
    s->now.report.clamps += c->clamped;
    s->now.traffic += c->traffic;
}

typedef struct advect_through {
    const field *velocity;
    const field *face;         /* S, one per axis of the world */
    field *flux;
    int dims;
} advect_through;

static void advect_through_rows(void *context, int begin, int end)
{
    const advect_through *job = context;
    for (int r = begin; r < end; r++) {
        int j = r % job->flux->size[1], k = r / job->flux->size[1];
        float *restrict to = field_row(job->flux, j, k);
        for (int a = 0; a < job->dims; a++) {
            const float *restrict u = field_row(&job->velocity[a], j, k), *restrict face =
                                                                              field_row(&job->face[a], j, k);
            for (int i = 0; i < job->flux->size[0]; i++)
                to[i] = (a ? to[i] : 0) + u[i] * face[i];
        }
    }
}

void stage_river_advect_flow(const river_model *m, river_state *s, double dt)
{
    const int dims = m->curve.domain.dims;
    field speed[3];
    advect_grid_speed(m, s, 0, speed);
    for (int k = 0; k < dims; k++) {
        field from[3], to[3];
        carry c = {.load_count = dims,
                   .fill_ghosts = advect_vector_ghosts,
                   .share = m->correction[k].block ? &m->correction[k] : NULL};
        advect_ghosts ghosts = {m, s, &c, {0}};
        for (int a = 0; a < dims; a++) {
            from[a] = river_scratch(m, s, dims + a, field_face(k));
            to[a] = river_scratch(m, s, 2 * dims + a, field_face(k));
            c.loads[a] = (carry_load){&from[a], &to[a], river_scratch(m, s, 3 * dims + a, field_face(k)),
                                      river_scratch(m, s, 4 * dims + a, field_face(k))};
        }
        curve_velocity_on_faces(&m->curve, k, s->pushed_flux, from);
        advect_fill_velocity(m, s, from);
        advect_run(m, s, dt, speed, &c, &ghosts);
        advect_through job = {to, m->curve.face[k], &s->next_flux[k], dims};
        field_for_rows(&s->next_flux[k], advect_through_rows, &job);
        stage_river_sides_push_back(m, s, from, to, &s->next_flux[k]);
    }
}

/* Flux form, V φ' = V φ − Δt Σ U φ_f, in as many equal substeps as needed to make no new extrema (grid/flux.h). */
static void advect_conserved(const river_model *m, river_state *s, int index, double dt)
{
    const domain *d = &m->curve.domain;
    flux_flow flow = {.d = d, .velocity = s->carrying_flux, .volume = &m->curve.volume};
    for (int side = 0; side < 2 * d->dims; side++)
        flow.closed[side] = m->sides[side].kind == FR_RIVER_BANK && !m->sides[side].gated;
    int parts = (int)fmax(1, ceil(dt * flux_rate(&flow, s->partial)));
    field middle = river_scratch(m, s, 0, FR_AT_CELL);
    field *from = &s->scalars[index], *to = &s->next_scalars[index];
    for (int part = 0; part < parts; part++) {
        field_copy(&middle, part ? to : from);
        stage_river_sides_upwind(m, s, index, &middle);
        flux_advance(&flow, &(flux_step){.dt = dt / parts, .from = &middle, .start = &middle, .mix = 1, .to = to});
    }
}

void stage_river_advect_scalars(const river_model *m, river_state *s, double dt)
{
    const int dims = m->curve.domain.dims;
    field speed[3];
    advect_grid_speed(m, s, 0, speed);
    carry c = {.fill_ghosts = advect_scalar_ghosts};
    advect_ghosts ghosts = {m, s, &c, {0}};
    const int most = CARRY_LOADS < dims ? CARRY_LOADS : dims;
    for (int i = 0; i < m->scalar_count; i++) {
        if (!m->scalars[i].conserved) {
            stage_river_sides_scalar(m, s, i, &s->scalars[i]);
            c.loads[c.load_count] =
                (carry_load){&s->scalars[i], &s->next_scalars[i], river_scratch(m, s, dims + c.load_count, FR_AT_CELL),
                             river_scratch(m, s, 2 * dims + c.load_count, FR_AT_CELL)};
            ghosts.index[c.load_count++] = i;
        }
        if (c.load_count == most || (c.load_count && i == m->scalar_count - 1)) {
            advect_run(m, s, dt, speed, &c, &ghosts);
            c.load_count = 0;
        }
    }
    for (int i = 0; i < m->scalar_count; i++)
        if (m->scalars[i].conserved)
            advect_conserved(m, s, i, dt);
}

typedef struct advect_rates {
    const field *flux, *inverse;
    double *partial;
} advect_rates;

static void advect_rate_rows(void *context, int begin, int end)
{
    const advect_rates *job = context;
    for (int r = begin; r < end; r++) {
        const float *restrict flux = field_row(job->flux, r % job->flux->size[1], r / job->flux->size[1]);
        const float *restrict inverse = field_row(job->inverse, r % job->flux->size[1], r / job->flux->size[1]);
        float most = 0;
        for (int i = 0; i < job->flux->size[0]; i++) {
            float rate = fabsf(flux[i] * inverse[i]);
            most = rate > most ? rate : most;
        }
        job->partial[r] = most;
    }
}

double stage_river_rate(const river_model *m, river_state *s, const field flux[3])
{
    double most = 0;
    for (int k = 0; k < m->curve.domain.dims; k++) {
        advect_rates job = {&flux[k], &m->curve.inverse[k], s->partial};
        field_for_rows(&flux[k], advect_rate_rows, &job);
        most = fmax(most, threads_max(s->partial, field_rows(&flux[k])));
    }
    return most;
}
