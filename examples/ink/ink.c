/* A drop of ink in a prescribed flow, 2D: ∂c/∂t + ∇·(u c) = D ∇²c between closed walls. u is the scene's prescribed
   velocity; the initial c is its initial `ink`. The scheme is finite-volume, upwind and explicit in time, and conserves
   the total. */
#include "ink/ink.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "method/check.h"
#include "method/evaluate.h"
#include "method/sizes.h"

typedef struct ink_run {
    method_run base;              /* must be first: the world uses it */
    progress now;
    domain domain;
    size_t bytes;                 /* of each array */
    float *ink, *next;            /* cell-centred, x fastest */
} ink_run;

static void ink_set_defaults(fr_scene_def *def)
{
    def->domain.cells[0] = 64;
    def->ink.diffusion = 1e-3;
}

static fr_result ink_check_resolution(const fr_scene_def *def)
{
    FR_TRY(check_domain(&def->domain));
    if (def->domain.dims != 2 || def->domain.cells[0] < 1 || def->domain.cells[0] > 4096)
        return fr_fail_key("domain.cells", "a scene of ink is 2D, with 1 to 4096 cells along its longest side");
    return FR_OK;
}

static fr_result ink_check_parts(const fr_scene_def *def)
{
    if (!def->has_prescribed)
        return fr_fail_key("prescribed",
                           "ink needs a flow that carries it: prescribed = { velocity = function(x, y, z, t) … end }");
    return check_not_negative("ink.diffusion", def->ink.diffusion);
}

static fr_result ink_estimate(void *self, fr_estimate *estimate)
{
    sizes_estimate(((ink_run *)self)->base.def, estimate);
    double bytes = 4.0 * estimate->cells[0] * estimate->cells[1];
    estimate->memory_bytes = 24e6 + 2 * bytes;      /* the process itself, and both arrays */
    estimate->cache_frame_bytes = estimate->checkpoint_bytes = bytes;
    return FR_OK;
}

static fr_result ink_create(void *self)
{
    ink_run *run = self;
    const fr_scene_def *def = run->base.def;
    run->domain = sizes_domain(def);
    run->base.now = &run->now;
    run->bytes = sizeof(float) * (size_t)domain_cells(&run->domain);
    run->ink = memory_alloc(run->bytes);
    run->next = memory_alloc(run->bytes);
    if (!run->ink || !run->next)
        return FR_ERROR_MEMORY;
    for (int64_t n = 0; n < domain_cells(&run->domain) && def->initial_count > 0; n++) {
        double at[3], value;
        sizes_centre(&run->domain, n, at);
        FR_TRY(evaluate_number(&def->initial[0].value, at, 0, &value));
        run->ink[n] = (float)value;
    }
    FR_TRY(method_views_create(&run->base, 1, 1, 1));
    method_name_column(&run->base, METHOD_LEDGER_FIXED, "total", "ink");
    return FR_OK;
}

static void ink_destroy(void *self)
{
    memory_free(((ink_run *)self)->ink);
    memory_free(((ink_run *)self)->next);
}

/* The velocity through the lower face of a cell along an axis, at the face's centre. */
static fr_result ink_face(const ink_run *run, int axis, int64_t cell, double t, double *u)
{
    double at[3], v[3];
    sizes_centre(&run->domain, cell, at);
    at[axis] -= run->domain.h[axis] / 2;
    FR_TRY(evaluate_vector(&run->base.def->prescribed, at, t, v));
    *u = v[axis];
    return FR_OK;
}

/* The explicit upwind scheme is stable for Δt (Σ|u|/h + Σ 2D/h²) ≤ 1; half of that is used. */
static fr_result ink_limit_step(void *self, double most, double *dt)
{
    ink_run *run = self;
    double rate = 0, u;
    for (int axis = 0; axis < 2; axis++) {
        double h = run->domain.h[axis], fastest = 0;
        for (int64_t n = 0; n < domain_cells(&run->domain); n++) {
            FR_TRY(ink_face(run, axis, n, run->now.time, &u));
            fastest = fmax(fastest, fabs(u));
        }
        rate += fastest / h + 2 * run->base.def->ink.diffusion / (h * h);
    }
    *dt = rate > 0 ? fmin(most, 0.5 / rate) : most;
    return FR_OK;
}

/* Applies the fluxes through the faces normal to one axis; walls have none. */
static fr_result ink_pass(ink_run *run, int axis, double dt)
{
    const domain *d = &run->domain;
    const int back = axis == 0 ? 1 : d->n[0];
    double diffusion = run->base.def->ink.diffusion / d->h[axis], u;
    for (int64_t n = 0; n < domain_cells(d); n++) {
        if ((axis == 0 ? n % d->n[0] : n / d->n[0]) == 0)
            continue;
        FR_TRY(ink_face(run, axis, n, run->now.time + dt / 2, &u));
        double flux = u * run->ink[u > 0 ? n - back : n] - diffusion * (run->ink[n] - run->ink[n - back]);
        run->next[n] += (float)(dt / d->h[axis] * flux);
        run->next[n - back] -= (float)(dt / d->h[axis] * flux);
    }
    return FR_OK;
}

static fr_result ink_step(void *self, double dt)
{
    ink_run *run = self;
    run->now.report = (fr_step_report){.time = run->now.end, .dt = dt};
    memcpy(run->next, run->ink, run->bytes);
    FR_TRY(ink_pass(run, 0, dt));
    return ink_pass(run, 1, dt);
}

static void ink_accept(void *self)
{
    ink_run *run = self;
    float *old = run->ink;
    run->ink = run->next;
    run->next = old;
    progress_accept(&run->now);
}

static fr_result ink_view(void *self)
{
    ink_run *run = self;
    double total = 0;
    for (int64_t n = 0; n < domain_cells(&run->domain); n++)
        total += run->ink[n] * domain_cell_volume(&run->domain);
    method_place_frame(&run->base, &run->domain);
    method_add_packed(&run->base, "ink", run->ink);
    *method_column(&run->base, "total_ink") = total;
    return FR_OK;
}

static fr_result ink_probe(void *self, const char *field, const double at[3], double *value)
{
    (void)field;                  /* there is only one field */
    const ink_run *run = self;
    *value = run->ink[sizes_cell_at(&run->domain, at)];
    return FR_OK;
}

/* The whole state is one block of fixed size. */
static void ink_list_blocks(void *self)
{
    ink_run *run = self;
    method_add_block(&run->base, "ink", run->ink, run->bytes);
}

static const fr_key ink_keys[] = {
    {"diffusion", FR_KEY_NUMBER, offsetof(fr_scene_def, ink.diffusion), "m²/s", NULL}, {0}};
static const char *const ink_scalars[] = {"ink", NULL};

const method method_ink = {
    .info = {METHOD_OF_CELLS, .name = "ink", .easier = "a smaller time.dt_max", .keys = ink_keys,
             .scalars = ink_scalars},
    .set_defaults = ink_set_defaults,
    .check_resolution = ink_check_resolution,
    .check_parts = ink_check_parts,
    .bounds = sizes_bounds,
    .describe = remark_cells,
    .estimate = ink_estimate,
    .run_bytes = sizeof(ink_run),
    .create = ink_create,
    .destroy = ink_destroy,
    .limit_step = ink_limit_step,
    .step = ink_step,
    .accept = ink_accept,
    .view = ink_view,
    .probe = ink_probe,
    .list_blocks = ink_list_blocks,
};
