/* A drop of ink in a prescribed flow, 2D or 3D, between closed walls: ∂c/∂t + ∇·(u c) = D ∇²c. The scheme is
   finite-volume, upwind and explicit in time (first order), and conserves the total. */
#include "ink/ink.h"

#include <math.h>

#include "grid/halo.h"
#include "method/check.h"
#include "method/evaluate.h"
#include "method/sizes.h"

typedef struct ink_run {
    method_run base; /* must be first: the world uses it */
    progress now;
    domain domain;
    field ink, next;   /* at cell centres: now and at the step's end */
    field velocity[3]; /* on the faces across each axis; ghosts stay 0 */
} ink_run;

static void ink_set_defaults(fr_scene_def *def)
{
    def->domain.cells[0] = 64;
    def->ink.diffusion = 1e-3;
}

static fr_result ink_check_parts(const fr_scene_def *def)
{
    return check_not_negative("ink.diffusion", def->ink.diffusion);
}

static fr_result ink_estimate(void *self, fr_estimate *estimate)
{
    const fr_scene_def *def = ((ink_run *)self)->base.def;
    domain d = sizes_domain(def);
    sizes_estimate(def, estimate);
    estimate->cache_frame_bytes = estimate->checkpoint_bytes = (double)field_bytes(&d, FR_AT_CELL);
    estimate->memory_bytes += (2 + d.dims) * estimate->checkpoint_bytes;
    return FR_OK;
}

static fr_result ink_create(void *self)
{
    ink_run *run = self;
    run->base.now = &run->now;
    run->domain = sizes_domain(run->base.def);
    FR_TRY(field_create(&run->domain, FR_AT_CELL, &run->ink));
    FR_TRY(field_create(&run->domain, FR_AT_CELL, &run->next));
    for (int axis = 0; axis < run->domain.dims; axis++)
        FR_TRY(field_create(&run->domain, field_face(axis), &run->velocity[axis]));
    if (run->base.def->initial_count > 0)
        FR_TRY(evaluate_field(&run->base.def->initial[0].value, &run->domain, 0, &run->ink));
    halo_fill_even(&run->ink, &run->domain);
    FR_TRY(method_views_create(&run->base, 1, 1, 1));
    method_name_field(&run->base, "ink", &run->ink, &run->domain);
    method_name_column(&run->base, METHOD_LEDGER_FIXED, "total", "ink");
    return FR_OK;
}

static void ink_destroy(void *self)
{
    ink_run *run = self;
    field_destroy(&run->ink);
    field_destroy(&run->next);
    for (int axis = 0; axis < 3; axis++)
        field_destroy(&run->velocity[axis]);
}

/* The explicit upwind scheme is stable for Δt (Σ|u|/h + Σ 2D/h²) ≤ 1; half of that is used. The step keeps this u. */
static fr_result ink_limit_step(void *self, double most, double *dt)
{
    ink_run *run = self;
    double rate = 0;
    FR_TRY(evaluate_velocity(&run->base.def->prescribed, &run->domain, run->now.time, run->velocity));
    for (int axis = 0; axis < run->domain.dims; axis++) {
        double h = run->domain.h[axis], fastest = 0;
        for (size_t n = 0; n < run->velocity[axis].count; n++)
            fastest = fmax(fastest, fabs(run->velocity[axis].block[n]));
        rate += fastest / h + 2 * run->base.def->ink.diffusion / (h * h);
    }
    *dt = rate > 0 ? fmin(most, 0.5 / rate) : most;
    return FR_OK;
}

/* Adds the fluxes through the faces across one axis: each leaves one cell and enters the next. Walls have none. */
static void ink_add_fluxes(ink_run *run, int axis, double dt)
{
    const field *ink = &run->ink, *velocity = &run->velocity[axis];
    double h = run->domain.h[axis], diffusion = run->base.def->ink.diffusion;
    for (int k = axis == 2; k < ink->size[2]; k++)
        for (int j = axis == 1; j < ink->size[1]; j++)
            for (int i = axis == 0; i < ink->size[0]; i++) {
                ptrdiff_t n = field_offset(ink, i, j, k), behind = n - ink->stride[axis];
                double u = field_row(velocity, j, k)[i], slope = (ink->data[n] - ink->data[behind]) / h;
                float moved = (float)(dt / h * (u * ink->data[u > 0 ? behind : n] - diffusion * slope));
                run->next.data[behind] -= moved;
                run->next.data[n] += moved;
            }
}

static fr_result ink_step(void *self, double dt)
{
    ink_run *run = self;
    field_copy(&run->next, &run->ink);
    for (int axis = 0; axis < run->domain.dims; axis++)
        ink_add_fluxes(run, axis, dt);
    halo_fill_even(&run->next, &run->domain);
    return FR_OK;
}

static void ink_accept(void *self)
{
    ink_run *run = self;
    field_swap(&run->ink, &run->next);
}

static fr_result ink_view(void *self)
{
    ink_run *run = self;
    double total = 0;
    for (int r = 0; r < field_rows(&run->ink); r++)
        for (int i = 0; i < run->ink.size[0]; i++)
            total += field_row(&run->ink, r % run->ink.size[1], r / run->ink.size[1])[i];
    method_place_frame(&run->base, &run->domain);
    method_show_fields(&run->base);
    *method_column(&run->base, "total_ink") = total * domain_cell_volume(&run->domain);
    return FR_OK;
}

static const fr_key keys[] = {{"diffusion", FR_KEY_NUMBER, offsetof(fr_scene_def, ink.diffusion), "m²/s", NULL}, {0}};
static const char *const scalars[] = {"ink", NULL};

const method method_ink = {
    .info = {METHOD_OF_CELLS, .name = "ink", .easier = "a smaller time.dt_max", .keys = keys, .scalars = scalars},
    .set_defaults = ink_set_defaults,
    .check_resolution = check_cells,
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
    .probe = method_probe_field,
    .list_blocks = method_save_fields,
};
