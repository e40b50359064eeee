/* A drop of ink in a given flow, 2D: ∂c/∂t + ∇·(u c) = D ∇²c between closed walls. u is the scene's prescribed
   velocity, c at the start its initial value of `ink`. Amounts pass from cell to cell, upwind and explicit in time, so
   that none is lost. */
#include "ink/ink.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "method/check.h"
#include "method/evaluate.h"
#include "method/sizes.h"

typedef struct ink_run {
    method_run base;              /* first: the world knows a run by it */
    progress now;
    domain domain;
    float *ink, *next;            /* n[0] × n[1], packed along x */
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
    const fr_scene_def *def = ((ink_run *)self)->base.def;
    domain d = sizes_domain(def);
    double bytes = 4 * (double)domain_cells(&d);
    *estimate = (fr_estimate){.dims = d.dims, .frames = sizes_frames(&def->time), .memory_bytes = 24e6 + 2 * bytes,
                              .cache_frame_bytes = bytes, .checkpoint_bytes = bytes};
    memcpy(estimate->cells, d.n, sizeof d.n);
    memcpy(estimate->spacing, d.h, sizeof d.h);
    return FR_OK;
}

/* The drop at t = 0. */
static fr_result ink_start(ink_run *run)
{
    const domain *d = &run->domain;
    const fr_scene_def *def = run->base.def;
    for (int64_t n = 0; n < domain_cells(d); n++) {
        double at[3] = {d->origin[0] + ((double)(n % d->n[0]) + 0.5) * d->h[0],
                        d->origin[1] + ((double)(n / d->n[0]) + 0.5) * d->h[1], 0}, value = 0;
        if (def->initial_count > 0)
            FR_TRY(evaluate_number(&def->initial[0].value, at, 0, &value));
        run->ink[n] = (float)value;
    }
    return FR_OK;
}

static fr_result ink_create(void *self)
{
    ink_run *run = self;
    run->domain = sizes_domain(run->base.def);
    run->base.now = &run->now;
    run->ink = MEMORY_NEW(float, domain_cells(&run->domain));
    run->next = MEMORY_NEW(float, domain_cells(&run->domain));
    if (!run->ink || !run->next)
        return FR_ERROR_MEMORY;
    FR_TRY(method_views_create(&run->base, 1, 1, 1));
    method_name_column(&run->base, METHOD_LEDGER_FIXED, "total", "ink");
    return ink_start(run);
}

static void ink_destroy(void *self)
{
    ink_run *run = self;
    memory_free(run->ink);
    memory_free(run->next);
}

/* The velocity through the face below cell (i, j) along an axis. */
static fr_result ink_face(const ink_run *run, int axis, int i, int j, double t, double *u)
{
    const domain *d = &run->domain;
    double at[3] = {d->origin[0] + (i + (axis == 0 ? 0 : 0.5)) * d->h[0],
                    d->origin[1] + (j + (axis == 1 ? 0 : 0.5)) * d->h[1], 0},
           v[3];
    FR_TRY(evaluate_vector(&run->base.def->prescribed, at, t, v));
    *u = v[axis];
    return FR_OK;
}

/* Upwind and explicit: what leaves a cell must be there, Δt (Σ|u|/h + Σ 2D/h²) ≤ 1; half of that is kept. */
static fr_result ink_limit_step(void *self, double most, double *dt)
{
    ink_run *run = self;
    const domain *d = &run->domain;
    double rate = 0, u;
    for (int axis = 0; axis < 2; axis++) {
        double fastest = 0;
        for (int j = 0; j < d->n[1]; j++)
            for (int i = 0; i < d->n[0]; i++) {
                FR_TRY(ink_face(run, axis, i, j, run->now.time, &u));
                fastest = fmax(fastest, fabs(u));
            }
        rate += fastest / d->h[axis] + 2 * run->base.def->ink.diffusion / (d->h[axis] * d->h[axis]);
    }
    *dt = rate > 0 ? fmin(most, 0.5 / rate) : most;
    return FR_OK;
}

/* What passes through the faces across one axis; none through walls. */
static fr_result ink_pass(ink_run *run, int axis, double dt)
{
    const domain *d = &run->domain;
    const int back = axis == 0 ? 1 : d->n[0];
    double diffusion = run->base.def->ink.diffusion / d->h[axis], u;
    for (int j = axis == 1; j < d->n[1]; j++)
        for (int i = axis == 0; i < d->n[0]; i++) {
            int64_t n = (int64_t)j * d->n[0] + i;
            FR_TRY(ink_face(run, axis, i, j, run->now.time + dt / 2, &u));
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
    memcpy(run->next, run->ink, (size_t)domain_cells(&run->domain) * sizeof *run->ink);
    FR_TRY(ink_pass(run, 0, dt));
    return ink_pass(run, 1, dt);
}

static void ink_accept(void *self)
{
    ink_run *run = self;
    float *old = run->ink;
    run->ink = run->next;
    run->next = old;
    run->now.before = run->now.time;
    run->now.time = run->now.end;
}

static fr_result ink_view(void *self)
{
    ink_run *run = self;
    fr_frame *frame = &run->base.frame;
    double total = 0;
    frame->dims = 2;
    for (int a = 0; a < 3; a++) {
        frame->cells[a] = run->domain.n[a];
        frame->origin[a] = run->domain.origin[a];
        frame->spacing[a] = run->domain.h[a];
    }
    for (int64_t n = 0; n < domain_cells(&run->domain); n++)
        total += run->ink[n] * run->domain.h[0] * run->domain.h[1];
    method_add_packed(&run->base, "ink", run->ink);
    *method_column(&run->base, "total_ink") = total;
    return FR_OK;
}

static fr_result ink_probe(void *self, const char *field, const double at[3], double *value)
{
    (void)field;
    const ink_run *run = self;
    const domain *d = &run->domain;
    int cell[2];
    for (int a = 0; a < 2; a++)
        cell[a] = (int)fmax(0, fmin(d->n[a] - 1, floor((at[a] - d->origin[a]) / d->h[a])));
    *value = run->ink[cell[1] * d->n[0] + cell[0]];
    return FR_OK;
}

/* The whole state is one block, as large as the scene says. */
static void ink_list_blocks(void *self)
{
    ink_run *run = self;
    method_add_block(&run->base, "ink", run->ink, (size_t)domain_cells(&run->domain) * sizeof *run->ink);
}

static const fr_key ink_keys[] = {{"diffusion", FR_KEY_NUMBER, offsetof(fr_scene_def, ink.diffusion), "m²/s", NULL},
                                  {0}};
static const fr_refused_key ink_refused[] = {{"fill", "method = \"sph\"", "; ink starts as initial = { ink = … }"},
                                             {0}};
static const char *const ink_scalars[] = {"ink", NULL}, *const ink_probes[] = {NULL}, *const ink_views[] = {NULL};

const method method_ink = {.info = {.name = "ink",
                                    .resolution_key = "domain.cells",
                                    .coarser = "use fewer cells (--res)",
                                    .easier = "a smaller time.cfl",
                                    .drivers = "prescribed flow",
                                    .scalars_key = "scalars",
                                    .scalars = ink_scalars,
                                    .probes = ink_probes,
                                    .views = ink_views,
                                    .keys = ink_keys,
                                    .refused = ink_refused,
                                    .place_key = "domain",
                                    .place_example = "domain = { size = {1, 1}, cells = 64 }"},
                           .set_defaults = ink_set_defaults,
                           .check_resolution = ink_check_resolution,
                           .check_parts = ink_check_parts,
                           .bounds = sizes_bounds,
                           .estimate = ink_estimate,
                           .run_bytes = sizeof(ink_run),
                           .create = ink_create,
                           .destroy = ink_destroy,
                           .limit_step = ink_limit_step,
                           .step = ink_step,
                           .accept = ink_accept,
                           .view = ink_view,
                           .probe = ink_probe,
                           .list_blocks = ink_list_blocks};
