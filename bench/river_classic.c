/* Table 1 of Barroso & Celes: compares a step of the classic river scheme on a curvilinear grid with one of Stable
   Fluids on a uniform grid of as many cells. Both are written the same way: rows on all threads, sampling by
   grid/sample. Both have viscosity and one diffusing ink, with 20 sweeps each. Then times the particles.

     river_classic [threads [cells]]      (default 2 threads, 300 cells along each side) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/threads.h"
#include "grid/curve/classic_sweep.h"
#include "grid/sample.h"
#include "river/scheme.h"
#include "river/parts.h"
#include "river/stage/particles.h"

enum { VISCOUS_SWEEPS = 20, PARTICLES = 10000, PASSES = 25 };

static const double PI = 3.14159265358979323846;

static fr_result wavy_map(void *context, const double *args, double *out)
{
    (void)context;
    double s = args[0], t = args[1];
    out[0] = s + 0.03 * sin(2 * PI * t) * sin(PI * s);
    out[1] = t + 0.03 * sin(2 * PI * s) * sin(PI * t);
    out[2] = 0;
    return FR_OK;
}

/* Eddies, up to 1 m/s. */
static fr_result eddies(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = sin(2 * PI * args[0]) * cos(2 * PI * args[1]) * 0.5 + 0.5;
    out[1] = -cos(2 * PI * args[0]) * sin(2 * PI * args[1]) * 0.5;
    out[2] = 0;
    return FR_OK;
}

/* Stable Fluids on a uniform grid. */
typedef struct plain {
    domain d;
    field u[3], next[3], right[3], ink, next_ink, p, other;
    float share[2];            /* weights of the neighbours along x and y in a sweep */
    float damp;                /* factor of a sweep with viscosity */
} plain;

typedef struct plain_job {
    plain *f;
    const field *from[3], *right;
    field *to[3];
    int count;
    float scale, damp;
} plain_job;

static void plain_sweep_rows(void *context, int begin, int end)
{
    const plain_job *job = context;
    ptrdiff_t up = job->from[0]->stride[1];
    int n = job->f->d.n[0], last = job->f->d.n[1] - 1;
    const float kx = job->f->share[0], ky = job->f->share[1], damp = job->damp;
    for (int j = begin; j < end; j++) {
        const float *x = field_row(job->from[0], j, 0), *right = field_row(job->right, j, 0);
        float *restrict to = field_row(job->to[0], j, 0);
        for (int i = 0; i < n; i++)
            to[i] = ((x[i + 1] + x[i - 1]) * kx + (x[i + up] + x[i - up]) * ky) * damp + right[i];
        to[-1] = to[0];
        to[n] = to[n - 1];
        for (int g = -1; g < n + 1 && (j == 0 || j == last); g++)
            to[g + (j == 0 ? -up : up)] = to[g];
    }
}

static void plain_sweep(plain *f, const field *from, const field *right, float damp, field *to)
{
    field_for_rows(from, plain_sweep_rows,
                   &(plain_job){.f = f, .from = {from}, .right = right, .to = {to}, .damp = damp});
}

/* No-slip walls. */
static void plain_walls(plain *f, field *u)
{
    int n = f->d.n[0], m = f->d.n[1];
    for (int a = 0; a < 2; a++) {
        for (int j = -1; j <= m; j++)
            field_row(&u[a], j, 0)[-1] = field_row(&u[a], j, 0)[n] = 0;
        for (int i = -1; i <= n; i++)
            field_row(&u[a], -1, 0)[i] = field_row(&u[a], m, 0)[i] = 0;
    }
}

static void plain_advect_rows(void *context, int begin, int end)
{
    const plain_job *job = context;
    const domain *d = &job->f->d;
    for (int j = begin; j < end; j++)
        for (int i = 0; i < d->n[0]; i += SAMPLE_ROW) {
            sample_points p = {
                .at = FR_AT_CELL, .i = i, .j = j, .n = d->n[0] - i < SAMPLE_ROW ? d->n[0] - i : SAMPLE_ROW};
            for (int a = 0; a < 2; a++)
                sample_move(&p, d, a, field_row(&job->f->u[a], j, 0) + i, job->scale);
            for (int c = 0; c < job->count; c++)
                sample_values(job->from[c], d, &p, field_row(job->to[c], j, 0) + i);
        }
}

/* right = −∇·u/4. */
static void plain_divergence_rows(void *context, int begin, int end)
{
    const plain_job *job = context;
    for (int j = begin; j < end; j++) {
        const float *u = field_row(job->from[0], j, 0), *v = field_row(job->from[1], j, 0);
        ptrdiff_t up = job->from[0]->stride[1];
        float *restrict to = field_row(job->to[0], j, 0);
        for (int i = 0; i < job->f->d.n[0]; i++)
            to[i] = job->scale * (u[i + 1] - u[i - 1] + v[i + up] - v[i - up]);
    }
}

/* u − ∇p. */
static void plain_subtract_rows(void *context, int begin, int end)
{
    const plain_job *job = context;
    for (int j = begin; j < end; j++) {
        const float *p = field_row(job->from[0], j, 0);
        ptrdiff_t up = job->from[0]->stride[1];
        float *restrict u = field_row(job->to[0], j, 0), *restrict v = field_row(job->to[1], j, 0);
        for (int i = 0; i < job->f->d.n[0]; i++) {
            u[i] -= job->scale * (p[i + 1] - p[i - 1]);
            v[i] -= job->scale * (p[i + up] - p[i - up]);
        }
    }
}

static void plain_right_rows(void *context, int begin, int end)
{
    const plain_job *job = context;
    for (int j = begin; j < end; j++) {
        const float *f = field_row(job->from[0], j, 0);
        float *restrict to = field_row(job->to[0], j, 0);
        for (int i = 0; i < job->f->d.n[0]; i++)
            to[i] = job->scale * f[i];
    }
}

static void plain_spread(plain *f, field *x, field *other, int count, bool walls)
{
    for (int c = 0; c < count; c++)
        field_for_rows(&f->p, plain_right_rows,
                       &(plain_job){.f = f, .from = {&x[c]}, .to = {&f->right[c]}, .scale = 1 - f->damp});
    for (int q = 0; q < VISCOUS_SWEEPS; q++) {
        field *from = q % 2 ? other : x, *to = q % 2 ? x : other;
        for (int c = 0; c < count; c++)
            plain_sweep(f, &from[c], &f->right[c], f->damp, &to[c]);
        if (walls)
            plain_walls(f, to);
    }
}

static void plain_step(plain *f, double dt, int sweeps)
{
    double h = 1.0 / f->d.n[0];
    float cells = (float)(-dt / h);
    plain_walls(f, f->u);
    field_for_rows(
        &f->p, plain_advect_rows,
        &(plain_job){
            .f = f, .from = {&f->u[0], &f->u[1]}, .to = {&f->next[0], &f->next[1]}, .count = 2, .scale = cells});
    for (int a = 0; a < 2; a++)
        field_swap(&f->u[a], &f->next[a]);
    plain_spread(f, f->u, f->next, 2, true);
    plain_walls(f, f->u);
    field_for_rows(
        &f->p, plain_divergence_rows,
        &(plain_job){.f = f, .from = {&f->u[0], &f->u[1]}, .to = {&f->right[0]}, .scale = (float)(-0.125 * h)});
    for (int q = 0; q < sweeps; q++) {
        plain_sweep(f, &f->p, &f->right[0], 1, &f->other);
        field_swap(&f->p, &f->other);
    }
    field_for_rows(&f->p, plain_subtract_rows,
                   &(plain_job){.f = f, .from = {&f->p}, .to = {&f->u[0], &f->u[1]}, .scale = (float)(0.5 / h)});
    field_for_rows(&f->p, plain_advect_rows,
                   &(plain_job){.f = f, .from = {&f->ink}, .to = {&f->next_ink}, .count = 1, .scale = cells});
    field_swap(&f->ink, &f->next_ink);
    plain_spread(f, &f->ink, &f->next_ink, 1, false);
}

static fr_result plain_create(const river_model *m, const river_state *s, double number, plain *f)
{
    field *all[] = {&f->u[0],     &f->u[1], &f->next[0],  &f->next[1], &f->right[0],
                    &f->right[1], &f->ink,  &f->next_ink, &f->p,       &f->other};
    *f = (plain){.d = m->curve.domain, .share = {0.25f, 0.25f}, .damp = (float)(4 * number / (1 + 4 * number))};
    for (int n = 0; n < 10; n++)
        FR_TRY(field_create(&f->d, FR_AT_CELL, all[n]));
    for (int a = 0; a < 2; a++)
        field_copy(&f->u[a], &s->velocity[a]);
    return FR_OK;
}

typedef struct times {
    double classic, plain, sweep, plain_sweep;   /* s */
} times;

/* Alternates the two schemes and takes the best time of each. The first stage is left out: it moves particles. */
static times time_steps(const river_model *m, river_state *s, plain *f, double dt, int sweeps)
{
    times best = {1e9, 1e9, 1e9, 1e9};
    field zero = river_scratch(m, s, 0, FR_AT_CELL), other = river_scratch(m, s, 1, FR_AT_CELL);
    field_fill(&zero, 0);
    for (int pass = 0; pass < PASSES; pass++) {
        timing t = {.traffic = &s->now.traffic};
        double start = clock_now();
        s->now.end = s->now.time + dt;
        if (stages_run(river_classic + 1, &(river_step){m, s, dt}, &t) != FR_OK)
            printf("%s\n", fr_error_message());
        double after = clock_now();
        plain_step(f, dt, sweeps);
        double done = clock_now();
        best.classic = fmin(best.classic, after - start);
        best.plain = fmin(best.plain, done - after);
        enum { SWEEPS = 20 };
        start = clock_now();
        classic_sweep_run(&(classic_sweep){.metric = &m->metric, .count = 1, .right = {&zero}}, &s->next_pressure,
                          &other, SWEEPS);
        after = clock_now();
        for (int q = 0; q < SWEEPS; q++)
            plain_sweep(f, q % 2 ? &f->other : &f->p, &f->right[0], 1, q % 2 ? &f->p : &f->other);
        done = clock_now();
        best.sweep = fmin(best.sweep, (after - start) / SWEEPS);
        best.plain_sweep = fmin(best.plain_sweep, (done - after) / SWEEPS);
    }
    return best;
}

static void time_particles(const river_model *m, river_state *s, double dt)
{
    double best = 1e9;
    for (int pass = 0; pass < PASSES; pass++) {
        double start = clock_now();
        s->now.end = s->now.time + dt;
        if (stage_river_particles_move(m, s, dt) != FR_OK)
            printf("%s\n", fr_error_message());
        best = fmin(best, clock_now() - start);
    }
    printf("%s: %d particles %.3f ms\n", m->scheme == FR_RIVER_CLASSIC ? "classic" : "flux", PARTICLES,
           best * 1e3);
}

static fr_result run_scheme(fr_river_scheme scheme, int cells)
{
    const int sweeps[] = {10, 25, 50, 100};
    const double dt = 2.0 / cells, viscosity = 1e-4, number = viscosity * dt * cells * cells;
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.value = 1, .diffusion = viscosity};
    fr_tracers_def tracers = {.count = PARTICLES, .to = 1e9};
    fr_scene_def def = fr_default_scene(FR_METHOD_RIVER);
    def.river.cells[0] = def.river.cells[1] = cells;
    def.river.grid = wavy_map;
    def.river.scheme = scheme;
    def.river.viscous_sweeps = VISCOUS_SWEEPS;
    def.fluid.viscosity = viscosity;
    def.scalars = &ink;
    def.scalar_count = 1;
    def.tracers = &tracers;
    def.tracer_count = 1;
    def.has_initial_velocity = true;
    def.initial_velocity.function = eddies;
    river_model *m;
    river_state *s;
    plain f;
    FR_TRY(river_model_create(&def, &m));
    FR_TRY(river_state_create(m, &s));
    FR_TRY(river_scheme_start(m, s));
    time_particles(m, s, dt);
    if (scheme == FR_RIVER_CLASSIC) {
        FR_TRY(plain_create(m, s, number, &f));
        for (int n = 0; n < 4; n++) {
            m->sweeps = sweeps[n];
            times t = time_steps(m, s, &f, dt, sweeps[n]);
            printf(
                "%3d sweeps: classic %7.3f ms  plain %7.3f ms  ratio %.2f   one sweep %.1f µs, %.1f µs, ratio %.2f\n",
                sweeps[n], t.classic * 1e3, t.plain * 1e3, t.classic / t.plain, t.sweep * 1e6, t.plain_sweep * 1e6,
                t.sweep / t.plain_sweep);
        }
    }
    river_state_destroy(m, s);
    river_model_destroy(m);
    return FR_OK;
}

int main(int argc, char **argv)
{
    int cells = argc > 2 ? atoi(argv[2]) : 300;
    fr_set_threads(argc > 1 ? atoi(argv[1]) : 2);
    printf("%d × %d cells, %d threads\n", cells, cells, fr_threads());
    for (fr_river_scheme scheme = FR_RIVER_FLUX; scheme <= FR_RIVER_CLASSIC; scheme++)
        if (run_scheme(scheme, cells) != FR_OK)
            printf("%s\n", fr_error_message());
    return 0;
}
