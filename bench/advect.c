/* Times the advection stage: one line per case, with the copy bandwidth of the same run for comparison.

     advect [threads] [size …]      (1 and 2 threads, 64 128)

   Two flows. "jet": a jet with Courant number 4, the program's default, among eddies with Courant numbers up to 1 and a
   quarter of the box in size, as in smoke. "noise": Courant numbers up to 2, independent at every point: the worst
   case. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "copy.h"
#include "smoke/smoke.h"
#include "sizes.h"
#include "mac/stage/advect.h"
#include "mac/stage/walls.h"

typedef enum flow { JET, NOISE } flow;
static const char *const flow_name[] = {"jet", "noise"};

typedef struct scheme {
    const char *name;
    fr_advection advection;
    int scalar_fields, velocity_fields;   /* fields read or written per advected scalar or component */
} scheme;

/* All schemes read the flow. MacCormack reads it twice and stores φ̂ and two bounds between its passes. */
static const scheme schemes[] = {{"linear", FR_ADVECTION_LINEAR, 5, 4},
                                 {"cubic", FR_ADVECTION_CUBIC, 5, 4},
                                 {"maccormack", FR_ADVECTION_MACCORMACK, 15, 14}};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

/* Velocity in cells per step. */
static double flow_speed(flow kind, int axis, const double x[3], uint32_t *seed)
{
    const double k = 4 * 3.14159265358979;
    *seed = *seed * 1664525u + 1013904223u;
    if (kind == NOISE)
        return 4.0 * (*seed >> 8) / 16777216.0 - 2;
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    double eddies = 0.5 * (sin(k * x[b] + axis) * cos(k * x[c]) + sin(k * x[c] + 2 * axis));
    double r2 = (x[0] - 0.5) * (x[0] - 0.5) + (x[2] - 0.5) * (x[2] - 0.5);
    return eddies + (axis == 1 ? 3 * exp(-r2 / (2 * 0.1 * 0.1)) : 0);
}

static void fill(const domain *d, flow kind, field *f)
{
    uint32_t seed = 12345;
    for (int k = 0; k < f->size[2]; k++)
        for (int j = 0; j < f->size[1]; j++)
            for (int i = 0; i < f->size[0]; i++) {
                double x[3] = {(double)i / d->n[0], (double)j / d->n[1], d->dims == 3 ? (double)k / d->n[2] : 0.5};
                field_row(f, j, k)[i] = (float)flow_speed(kind, field_axis(f) < 0 ? 0 : field_axis(f), x, &seed);
            }
}

typedef void (*advect_stage)(const model *m, state *s, double dt);

static void advect_velocity(const model *m, state *s, double dt)
{
    stage_advect_velocity(m, s, s->velocity, s->velocity, s->next_velocity, dt);
}

static void advect_scalars(const model *m, state *s, double dt)
{
    stage_advect_scalars(m, s, s->velocity, dt);
}

static void time_stage(const model *m, state *s, const char *what, advect_stage stage, double bytes)
{
    double dt = m->domain.h[0], best = 1e9, cells = (double)domain_cells(&m->domain);
    for (int pass = 0; pass < 7; pass++) {
        double start = clock_now();
        stage(m, s, dt);
        best = fmin(best, clock_now() - start);
    }
    double copy = copy_bandwidth();
    printf("%4d%s  %d threads  %-26s %8.2f ms  %6.1f M cells/s  %4.0f bytes/cell  %3.0f %% of copy %5.1f GB/s\n",
           m->domain.n[0], m->domain.dims == 3 ? "³" : "²", fr_threads(), what, best * 1e3, cells / best / 1e6, bytes,
           100 * bytes * cells / best / 1e9 / copy, copy);
    fflush(stdout);
}

static void time_scheme(const model *m, state *s, const scheme *scheme, flow kind)
{
    const double word = sizeof(float);
    char what[64];
    for (int a = 0; a < m->domain.dims; a++)
        fill(&m->domain, kind, &s->velocity[a]);
    stage_walls_velocity(m, s, s->velocity);
    fill(&m->domain, kind, &s->scalars[SMOKE_FIRST_INK]);
    stage_walls_scalar(m, s, SMOKE_FIRST_INK, s->velocity, &s->scalars[SMOKE_FIRST_INK]);
    snprintf(what, sizeof what, "%s scalar, %s", scheme->name, flow_name[kind]);
    time_stage(m, s, what, advect_scalars, scheme->scalar_fields * word);
    snprintf(what, sizeof what, "%s velocity, %s", scheme->name, flow_name[kind]);
    time_stage(m, s, what, advect_velocity, m->domain.dims * scheme->velocity_fields * word);
}

static fr_result run_size(int size, int dims)
{
    fr_scalar_def ink = {.name = "ink", .has_initial = true, .initial.value = 1};
    fr_scene_def def = fr_default_scene(FR_METHOD_SMOKE);
    def.domain = (fr_domain_def){.dims = dims, .size = {1, 1, 1}, .cells = {size, 0, 0}};
    def.scalars = &ink;
    def.scalar_count = 1;
    model *m;
    state *s;
    FR_TRY(model_create(&def, smoke_choice(&def), &m));
    fr_result result = state_create(m, &s);
    for (int i = 0; i < SCHEMES && result == FR_OK; i++) {
        def.smoke.advection = schemes[i].advection;
        for (flow kind = JET; kind <= NOISE; kind++)
            time_scheme(m, s, &schemes[i], kind);
    }
    if (result == FR_OK)
        state_destroy(m, s);
    model_destroy(m);
    return result;
}

static void run(int size, int dims)
{
    if (run_size(size, dims) != FR_OK)
        printf("%d: %s\n", size, fr_error_message());
}

int main(int argc, char **argv)
{
    return sizes_run(argc, argv, run);
}
