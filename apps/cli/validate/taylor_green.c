/* Taylor–Green vortices. In 2D, advected by a mean flow (U, V) through a periodic unit square,

     u = U − cos 2πx' sin 2πy' F,   v = V + sin 2πx' cos 2πy' F,   x' = x − U t,   F = exp(−8π²ν t);

   without the mean flow advection would have no effect in central schemes. In 3D, on (2π)³: u = sin x cos y cos z,
   v = −cos x sin y cos z, w = 0, with E(0) = 1/8 and ε(0) = 0.75/Re exactly. */
#include "validate/validate.h"

#include <math.h>

static const double mean_flow[2] = {1, 0.5};
static const double plane_viscosity = 1e-3;

static double plane_decay(double t)
{
    return exp(-8 * VALIDATE_PI * VALIDATE_PI * plane_viscosity * t);
}

static void plane_exact(const double at[3], double t, double out[3])
{
    double x = 2 * VALIDATE_PI * (at[0] - mean_flow[0] * t), y = 2 * VALIDATE_PI * (at[1] - mean_flow[1] * t),
           decay = plane_decay(t);
    out[0] = mean_flow[0] - cos(x) * sin(y) * decay;
    out[1] = mean_flow[1] + sin(x) * cos(y) * decay;
    out[2] = 0;
}

static fr_result plane_start(void *context, const double *args, double *out)
{
    (void)context;
    plane_exact(args, 0, out);
    return FR_OK;
}

typedef struct plane_sums {
    double energy;      /* of the vortex without the mean flow: mean of u²/2 */
    double error;       /* relative, RMS */
} plane_sums;

static plane_sums plane_measure(const fr_frame *frame)
{
    double energy = 0, error = 0, norm = 0;
    for (int a = 0; a < 2; a++) {
        const fr_field *field = fr_frame_field(frame, a == 0 ? "u" : "v");
        for (int j = 0; j < frame->cells[1]; j++)
            for (int i = 0; i < frame->cells[0]; i++) {
                double at[3], exact[3], value = validate_value(field, i, j, 0);
                validate_place(frame, field, (int64_t[3]){i, j, 0}, at);
                plane_exact(at, frame->time, exact);
                double area = validate_area(frame, i, j);
                energy += area * pow(value - mean_flow[a], 2);
                error += area * pow(value - exact[a], 2);
                norm += area * pow(exact[a] - mean_flow[a], 2);
            }
    }
    return (plane_sums){0.5 * energy, sqrt(error / norm)};
}

/* Runs a periodic unit square to t = 1. Adds the energy over time to `curve` if given. */
static fr_result plane_follow(const validate_case *self, fr_scene_def *def, validate_curve *curve, plane_sums *end)
{
    def->fluid.viscosity = plane_viscosity;
    def->time.duration = 1;
    def->time.fps = 20;
    def->has_initial_velocity = true;
    def->initial_velocity.function = plane_start;
    fr_world *world;
    FR_TRY(fr_world_create(def, &world));
    fr_result result = FR_OK;
    for (int f = 0; f <= 20 && result == FR_OK; f++) {
        *end = plane_measure(fr_world_frame(world));
        if (curve)
            validate_point_add(curve, fr_world_time(world), end->energy / 0.25);
        if (f < 20)
            result = validate_frame(world, self->name);
    }
    fr_world_destroy(world);
    return result;
}

static fr_scene_def plane_scene(fr_advection scheme, int cells)
{
    fr_scene_def def = validate_box(2, 1, cells, FR_WALL_PERIODIC);
    def.smoke.advection = scheme;
    return def;
}

static fr_result plane_run(const validate_case *self, fr_advection scheme, int cells, validate_curve *curve,
                           plane_sums *end)
{
    fr_scene_def def = plane_scene(scheme, cells);
    return plane_follow(self, &def, curve, end);
}

static void plane_marks(validate_record *record)
{
    validate_curve *exactly = validate_curve_add(record, true, "exact");
    for (int f = 0; f <= 20; f++)
        validate_point_add(exactly, f / 20.0, plane_decay(f / 20.0) * plane_decay(f / 20.0));
}

/* The fraction of the energy that each scheme keeps. It is judged where the literature has the scheme at this grid. */
static fr_result plane_energies(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "energy of the vortex, 64 x 64", "time", "E / E(0)");
    double exact = plane_decay(1) * plane_decay(1);
    for (int s = 0; s < validate_scheme_count; s++) {
        const validate_scheme *scheme = &validate_schemes[s];
        plane_sums end;
        validate_curve *curve = validate_curve_add(record, false, "%s", scheme->name);
        FR_TRY(plane_run(self, scheme->advection, 64, curve, &end));
        validate_row row = {.measured = end.energy / 0.25 / exact, .published = 1, .rule = VALIDATE_REPORT};
        if (scheme->least_energy > 0)
            row = (validate_row){
                .measured = row.measured, .published = 1, .rule = VALIDATE_AT_LEAST, .limit = scheme->least_energy};
        validate_row_add(record, row, "%s: energy at t = 1 over the exact one", scheme->name);
    }
    plane_marks(record);
    return FR_OK;
}

fr_result validate_taylor_green_2d(const validate_case *self, validate_record *record)
{
    FR_TRY(plane_energies(self, record));
    plane_sums ends[3];
    for (int g = 0; g < 3; g++) {
        FR_TRY(plane_run(self, VALIDATE_BEST, 32 << g, NULL, &ends[g]));
        validate_report(record, ends[g].error, NAN, "central: relative error of the velocity, %d x %d",
                         32 << g, 32 << g);
    }
    validate_row coarse = {.measured = validate_order(ends[0].error, ends[1].error),
                           .published = 2,
                           .rule = VALIDATE_AT_LEAST,
                           .limit = 1.9};
    validate_row fine = {.measured = validate_order(ends[1].error, ends[2].error),
                         .published = 2,
                         .rule = VALIDATE_AT_LEAST,
                         .limit = 1.9};
    validate_row_add(record, coarse, "central: order, 32 to 64 cells");
    validate_row_add(record, fine, "central: order, 64 to 128 cells");
    validate_note(record, "unit periodic square, Re 1000, t = 1, steps as the program chooses them for each scheme");
    return FR_OK;
}

/* The 2D vortex again, on river grids. */
enum { BENT_GRIDS = 3, BENT_KINDS = 4, BENT_JUDGED = 2 };
static const char *const bent_kinds[BENT_KINDS] = {"smoke, plain grid", "river, plain grid", "river, bent grid",
                                                   "river, bent grid, classic"};

static fr_result bent_run(const validate_case *self, int kind, int cells, validate_curve *curve, plane_sums *end)
{
    double bend = kind == 1 ? 0 : 0.1;
    fr_scene_def def = kind == 0 ? plane_scene(FR_ADVECTION_MACCORMACK, cells) : validate_river_bent(2, cells, &bend);
    def.river.scheme = kind == 3 ? FR_RIVER_CLASSIC : FR_RIVER_FLUX;
    def.time.dt = 0.5 / cells;   /* the same step for all, so that only the grids differ */
    return plane_follow(self, &def, curve, end);
}

/* Cells of the curvilinear grid are up to 1.7 times as long as those of the uniform one, so second-order errors may be
   three to four times as large. */
static void bent_judge(double errors[BENT_KINDS][BENT_GRIDS], validate_record *record)
{
    for (int g = 0; g < BENT_GRIDS; g++) {
        double cost = errors[BENT_JUDGED][g] / errors[BENT_JUDGED - 1][g];
        validate_row_add(record,
                         (validate_row){.measured = cost, .published = NAN, .rule = VALIDATE_AT_MOST, .limit = 4},
                         "error on the bent grid over that on the plain one, %d x %d", 32 << g, 32 << g);
    }
    for (int kind = 0; kind < BENT_KINDS; kind++)
        for (int g = 0; g + 1 < BENT_GRIDS; g++) {
            validate_row row = {.measured = validate_order(errors[kind][g], errors[kind][g + 1]),
                                .published = NAN,
                                .rule = VALIDATE_REPORT};
            if (kind == BENT_JUDGED)
                row = (validate_row){.measured = row.measured, .published = 2, .rule = VALIDATE_AT_LEAST, .limit = 1.9};
            validate_row_add(record, row, "%s: order, %d to %d cells", bent_kinds[kind], 32 << g, 64 << g);
        }
}

fr_result validate_river_vortex(const validate_case *self, validate_record *record)
{
    double errors[BENT_KINDS][BENT_GRIDS];
    validate_curve *energies[BENT_KINDS], *curves[BENT_KINDS];
    validate_panel_add(record, "energy of the vortex, 64 x 64", "time", "E / E(0)");
    for (int kind = 0; kind < BENT_KINDS; kind++)
        energies[kind] = validate_curve_add(record, false, "%s", bent_kinds[kind]);
    plane_marks(record);
    validate_panel_add(record, "relative error of the velocity at t = 1", "log2 of the cells along a side",
                       "log2 of the error");
    for (int kind = 0; kind < BENT_KINDS; kind++)
        curves[kind] = validate_curve_add(record, false, "%s", bent_kinds[kind]);
    for (int kind = 0; kind < BENT_KINDS; kind++)
        for (int g = 0; g < BENT_GRIDS; g++) {
            plane_sums end;
            FR_TRY(bent_run(self, kind, 32 << g, g == 1 ? energies[kind] : NULL, &end));
            errors[kind][g] = end.error;
            validate_point_add(curves[kind], 5 + g, log2(end.error));
            validate_report(record, end.error, NAN, "%s: relative error of the velocity, %d x %d", bent_kinds[kind],
                            32 << g, 32 << g);
        }
    bent_judge(errors, record);
    validate_note(record, "smoke with advection \"maccormack\", which is also how rivers carry; its errors are those "
                          "on faces, those of rivers at the "
                          "centres of cells, where velocities are means of those on the faces");
    validate_note(record, "the lines of the bent grid are waves: cells are up to 1.7 times as long as those of the "
                          "plain one; every run has "
                          "steps of half a cell per unit of speed, a Courant number of 1 on the plain grid");
    return FR_OK;
}

static fr_result cube_start(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = sin(args[0]) * cos(args[1]) * cos(args[2]);
    out[1] = -cos(args[0]) * sin(args[1]) * cos(args[2]);
    out[2] = 0;
    return FR_OK;
}

typedef struct cube_sums {
    double energy;        /* mean of |u|²/2 */
    double gradient;      /* mean of |∇u|²; times ν it is the viscous dissipation, 2νΩ in a periodic box */
} cube_sums;

static double cube_step(const fr_field *field, const fr_frame *frame, const int at[3], int axis)
{
    int next[3] = {at[0], at[1], at[2]};
    next[axis] = (next[axis] + 1) % frame->cells[axis];
    double here = validate_value(field, at[0], at[1], at[2]), there = validate_value(field, next[0], next[1], next[2]);
    return (there - here) / frame->spacing[axis];
}

static cube_sums cube_measure(const fr_frame *frame)
{
    static const char *const names[3] = {"u", "v", "w"};
    cube_sums sums = {0, 0};
    for (int a = 0; a < 3; a++) {
        const fr_field *field = fr_frame_field(frame, names[a]);
        for (int k = 0; k < frame->cells[2]; k++)
            for (int j = 0; j < frame->cells[1]; j++)
                for (int i = 0; i < frame->cells[0]; i++) {
                    sums.energy += 0.5 * pow(validate_value(field, i, j, k), 2);
                    for (int b = 0; b < 3; b++)
                        sums.gradient += pow(cube_step(field, frame, (int[3]){i, j, k}, b), 2);
                }
    }
    double cells = (double)frame->cells[0] * frame->cells[1] * frame->cells[2];
    return (cube_sums){sums.energy / cells, sums.gradient / cells};
}

enum { CUBE_MOST = 256 };

/* The time series: energy and mean square gradient at every frame. */
typedef struct cube_history {
    double spacing;       /* s between frames */
    int count;
    cube_sums at[CUBE_MOST];
} cube_history;

/* −dE/dt: central in time, one-sided of second order at the ends. */
static double cube_dissipation(const cube_history *h, int f)
{
    if (f == 0)
        return (3 * h->at[0].energy - 4 * h->at[1].energy + h->at[2].energy) / (2 * h->spacing);
    if (f == h->count - 1)
        return (-3 * h->at[f].energy + 4 * h->at[f - 1].energy - h->at[f - 2].energy) / (2 * h->spacing);
    return (h->at[f - 1].energy - h->at[f + 1].energy) / (2 * h->spacing);
}

static void cube_plot(const cube_history *h, double viscosity, validate_record *record)
{
    validate_panel_add(record, "dissipation", "time", "loss of energy per time");
    validate_curve *whole = validate_curve_add(record, false, "-dE/dt"),
                   *viscous = validate_curve_add(record, false, "by viscosity");
    for (int f = 0; f < h->count; f++) {
        validate_point_add(whole, f * h->spacing, cube_dissipation(h, f));
        validate_point_add(viscous, f * h->spacing, viscosity * h->at[f].gradient);
    }
    validate_curve *start = validate_curve_add(record, true, "exact at t = 0");
    validate_point_add(start, 0, 0.75 * viscosity);
    if (record->of->number == 1600)
        validate_point_add(validate_curve_add(record, true, "spectral peak"), 9.0, 0.0127);
    validate_panel_add(record, "energy", "time", "E");
    validate_curve *energy = validate_curve_add(record, false, "energy");
    for (int f = 0; f < h->count; f++)
        validate_point_add(energy, f * h->spacing, h->at[f].energy);
}

/* On these grids only the initial dissipation and the decay of the energy can be judged; the peak is reported. */
static void cube_judge(const cube_history *h, double viscosity, validate_record *record)
{
    double lost = h->at[0].energy - h->at[h->count - 1].energy, by_viscosity = 0, peak = 0, when = 0;
    int rises = 0;
    for (int f = 1; f < h->count; f++) {
        rises += h->at[f].energy > h->at[f - 1].energy;
        by_viscosity += 0.5 * h->spacing * viscosity * (h->at[f - 1].gradient + h->at[f].gradient);
        double rate = cube_dissipation(h, f);
        if (rate > peak) {
            peak = rate;
            when = f * h->spacing;
        }
    }
    bool known = record->of->number == 1600;
    validate_row_add(
        record, (validate_row){.measured = h->at[0].energy, .published = 0.125, .rule = VALIDATE_WITHIN, .limit = 1e-6},
        "energy at the start");
    validate_row_add(record,
                     (validate_row){.measured = cube_dissipation(h, 0),
                                    .published = 0.75 * viscosity,
                                    .rule = VALIDATE_RELATIVE,
                                    .limit = 0.05},
                     "dissipation at the start");
    validate_row_add(record, (validate_row){.measured = rises, .published = 0, .rule = VALIDATE_AT_MOST, .limit = 0},
                     "frames in which energy rises");
    validate_report(record, peak, known ? 0.0127 : NAN, "greatest dissipation");
    validate_report(record, when, known ? 9.0 : NAN, "when it is reached");
    validate_report(record, (lost - by_viscosity) / lost, NAN, "share of the loss that is numerical");
}

static fr_result cube_run(fr_world *world, const validate_case *self, cube_history *history)
{
    history->count = 0;
    for (int f = 0; f <= fr_world_frame_count(world) && f < CUBE_MOST; f++) {
        if (f > 0)
            FR_TRY(validate_frame(world, self->name));
        history->at[history->count++] = cube_measure(fr_world_frame(world));
    }
    return FR_OK;
}

fr_result validate_taylor_green_3d(const validate_case *self, validate_record *record)
{
    fr_scene_def def = validate_box(3, 2 * VALIDATE_PI, self->cells, FR_WALL_PERIODIC);
    def.fluid.viscosity = 1 / self->number;
    def.time = (fr_time_def){.duration = self->number < 1000 ? 6 : 12,
                             .fps = 10}; /* past the peak of dissipation, at t = 5 or 9 to 10 */
    def.smoke.advection = VALIDATE_BEST;
    def.has_initial_velocity = true;
    def.initial_velocity.function = cube_start;
    cube_history history = {.spacing = 1 / def.time.fps};
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = cube_run(world, self, &history);
    fr_world_destroy(world);
    FR_TRY(result);
    cube_plot(&history, def.fluid.viscosity, record);
    cube_judge(&history, def.fluid.viscosity, record);
    validate_note(record, "cells %d x %d x %d, advection \"central\", t = 0 to %g", self->cells, self->cells,
                  self->cells, def.time.duration);
    if (self->number == 1600)
        validate_note(
            record,
            "64 cells are too few for the peak: second-order schemes need 256 for 5 %%; what -dE/dt has above the "
            "viscous part is lost to the scheme's upwind share");
    return FR_OK;
}
