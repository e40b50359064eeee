/* Scalars: Zalesak's slotted disc after one rotation in a given flow, and a Gaussian that spreads by diffusion. */
#include "validate/validate.h"

#include <math.h>

static fr_result disc_whirl(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = 2 * VALIDATE_PI * (0.5 - args[1]);
    out[1] = 2 * VALIDATE_PI * (args[0] - 0.5);
    out[2] = 0;
    return FR_OK;
}

static bool disc_inside(double x, double y)
{
    bool disc = hypot(x - 0.5, y - 0.75) < 0.15, slot = fabs(x - 0.5) < 0.025 && y < 0.85;
    return disc && !slot;
}

/* The fraction of a cell that the disc covers, by 10 × 10 subsamples, so that the initial edge is not a staircase. */
static fr_result disc_start(void *context, const double *args, double *out)
{
    double h = *(const double *)context;
    int inside = 0;
    for (int j = 0; j < 10; j++)
        for (int i = 0; i < 10; i++)
            inside += disc_inside(args[0] + h * ((i + 0.5) / 10 - 0.5), args[1] + h * ((j + 0.5) / 10 - 0.5));
    *out = inside / 100.0;
    return FR_OK;
}

enum { DISC_CELLS = 100 };

/* A scheme of scalar advection. Velocity schemes that are missing here use one of these for scalars. */
typedef struct disc_way {
    const char *name;
    fr_advection advection;
    fr_transport transport;
} disc_way;

static const disc_way disc_ways[] = {
    {"maccormack", FR_ADVECTION_MACCORMACK, FR_TRANSPORT_CARRIED},
    {"linear", FR_ADVECTION_LINEAR, FR_TRANSPORT_CARRIED},
    {"cubic", FR_ADVECTION_CUBIC, FR_TRANSPORT_CARRIED},
    {"conservative", FR_ADVECTION_MACCORMACK, FR_TRANSPORT_CONSERVATIVE},
};

typedef struct disc_sums {
    double total, least, most;
    double error;      /* ∫|q − q₀| */
} disc_sums;

static disc_sums disc_measure(const fr_frame *frame, double h)
{
    const fr_field *ink = fr_frame_field(frame, "ink");
    disc_sums sums = {0, INFINITY, -INFINITY, 0};
    for (int j = 0; j < DISC_CELLS; j++)
        for (int i = 0; i < DISC_CELLS; i++) {
            double at[3], exact, value = validate_value(ink, i, j, 0);
            validate_place(frame, ink, (int64_t[3]){i, j, 0}, at);
            disc_start(&h, at, &exact);
            sums.total += value * h * h;
            sums.error += fabs(value - exact) * h * h;
            sums.least = fmin(sums.least, value);
            sums.most = fmax(sums.most, value);
        }
    return sums;
}

/* A cut through the slot after the rotation. */
static fr_result disc_cut(fr_world *world, validate_curve *curve)
{
    for (int i = 0; i <= 200; i++) {
        double at[3] = {0.3 + 0.4 * i / 200, 0.75, 0}, value;
        FR_TRY(fr_world_probe(world, "ink", at, &value));
        validate_point_add(curve, at[0], value);
    }
    return FR_OK;
}

static fr_result disc_turn(fr_world *world, const validate_case *self, const disc_way *way, double h,
                           validate_record *record)
{
    disc_sums before = disc_measure(fr_world_frame(world), h);
    FR_TRY(validate_frame(world, self->name));
    disc_sums after = disc_measure(fr_world_frame(world), h);
    FR_TRY(disc_cut(world, validate_curve_add(record, false, "%s", way->name)));
    validate_report(record, after.error / before.total, NAN, "%s: mean error over the disc's total", way->name);
    validate_row total = {.measured = after.total / before.total, .published = 1};
    if (way->transport == FR_TRANSPORT_CONSERVATIVE)
        total = (validate_row){.measured = total.measured, .published = 1, .rule = VALIDATE_WITHIN, .limit = 1e-6};
    validate_row_add(record, total, "%s: total after over before", way->name);
    double beyond = fmax(0, fmax(-after.least, after.most - 1));
    validate_row row = {.measured = beyond, .published = 0, .rule = VALIDATE_AT_MOST, .limit = 1e-6};
    validate_row_add(record, row, "%s: how far values leave 0 ... 1", way->name);
    return FR_OK;
}

static fr_result disc_move(const validate_case *self, const disc_way *way, validate_record *record)
{
    double h = 1.0 / DISC_CELLS;
    const fr_scalar_def ink = {.name = "ink",
                               .has_initial = true,
                               .initial = {.function = disc_start, .context = &h},
                               .transport = way->transport};
    fr_scene_def def = validate_box(2, 1, DISC_CELLS, FR_WALL_FREE_SLIP);
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = 1.0 / 628};
    def.smoke.advection = way->advection;
    def.scalars = &ink;
    def.scalar_count = 1;
    def.has_prescribed = true;
    def.prescribed.function = disc_whirl;
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = disc_turn(world, self, way, h, record);
    fr_world_destroy(world);
    return result;
}

fr_result validate_slotted_disc(const validate_case *self, validate_record *record)
{
    double h = 1.0 / DISC_CELLS;
    validate_panel_add(record, "ink on y = 0.75 after one turn", "x", "ink");
    for (size_t w = 0; w < sizeof disc_ways / sizeof disc_ways[0]; w++)
        FR_TRY(disc_move(self, &disc_ways[w], record));
    validate_curve *exact = validate_curve_add(record, true, "exact");
    for (int i = 0; i <= 40; i++) {
        double at[3] = {0.305 + i * h, 0.755, 0}, value;
        disc_start(&h, at, &value);
        validate_point_add(exact, at[0], value);
    }
    validate_note(record, "one turn in 628 steps; the disc has a diameter of 30 cells, its slot is 5 cells wide");
    validate_note(
        record,
        "short waves lag in MacCormack's scheme: with steps as short as these, a quarter of a cell, its disc comes "
        "home some three cells late");
    return FR_OK;
}

/* In 2D T = exp(−r²/(2σ₀²)) stays Gaussian with σ² = σ₀² + 2κt; its peak falls to σ₀²/σ². */
static const double hill_sigma = 0.08, hill_kappa = 0.0032;

static fr_result hill_start(void *context, const double *args, double *out)
{
    (void)context;
    *out = exp(-(pow(args[0] - 0.5, 2) + pow(args[1] - 0.5, 2)) / (2 * hill_sigma * hill_sigma));
    return FR_OK;
}

typedef struct hill_sums {
    double peak, error, total_change;
} hill_sums;

static fr_result hill_measure(fr_world *world, const validate_case *self, hill_sums *sums)
{
    double before = validate_ledger(world, "total_ink");
    FR_TRY(validate_frame(world, self->name));
    const fr_frame *frame = fr_world_frame(world);
    const fr_field *ink = fr_frame_field(frame, "ink");
    double square = hill_sigma * hill_sigma, wide = square + 2 * hill_kappa * frame->time;
    *sums = (hill_sums){0, 0, 0};
    for (int j = 0; j < frame->cells[1]; j++)
        for (int i = 0; i < frame->cells[0]; i++) {
            double at[3], value = validate_value(ink, i, j, 0);
            validate_place(frame, ink, (int64_t[3]){i, j, 0}, at);
            double r = pow(at[0] - 0.5, 2) + pow(at[1] - 0.5, 2);
            sums->error = fmax(sums->error, fabs(value - square / wide * exp(-r / (2 * wide))));
            sums->peak = fmax(sums->peak, value);
        }
    sums->total_change = fabs(validate_ledger(world, "total_ink") / before - 1);
    return FR_OK;
}

/* Odd numbers of cells, so that one cell centre is at the peak. */
static fr_result hill_grid(const validate_case *self, int cells, validate_record *record, hill_sums *sums)
{
    const fr_scalar_def ink = {
        .name = "ink", .diffusion = hill_kappa, .has_initial = true, .initial.function = hill_start};
    fr_scene_def def = validate_box(2, 1, cells, FR_WALL_FREE_SLIP);
    def.time = (fr_time_def){.duration = 1, .fps = 1, .dt = 8.0 / (cells * cells)};
    def.scalars = &ink;
    def.scalar_count = 1;
    fr_world *world;
    FR_TRY(fr_world_create(&def, &world));
    fr_result result = hill_measure(world, self, sums);
    validate_curve *curve = validate_curve_add(record, false, "%d cells", cells);
    for (int i = 0; i <= 100 && result == FR_OK; i++) {
        double at[3] = {i / 100.0, 0.5, 0}, value;
        result = fr_world_probe(world, "ink", at, &value);
        validate_point_add(curve, at[0], value);
    }
    fr_world_destroy(world);
    return result;
}

fr_result validate_gaussian(const validate_case *self, validate_record *record)
{
    hill_sums sums[3];
    static const int cells[3] = {25, 51, 101};
    validate_panel_add(record, "through the middle at t = 1", "x", "ink");
    for (int g = 0; g < 3; g++)
        FR_TRY(hill_grid(self, cells[g], record, &sums[g]));
    double peak = hill_sigma * hill_sigma / (hill_sigma * hill_sigma + 2 * hill_kappa),
           wide = hill_sigma * hill_sigma / peak;
    validate_curve *exact = validate_curve_add(record, true, "exact");
    for (int i = 0; i <= 50; i++)
        validate_point_add(exact, i / 50.0, peak * exp(-pow(i / 50.0 - 0.5, 2) / (2 * wide)));
    validate_row_add(
        record, (validate_row){.measured = sums[2].peak, .published = peak, .rule = VALIDATE_WITHIN, .limit = 1e-3},
        "peak at t = 1, sigma = 8 cells at the start");
    validate_row_add(
        record,
        (validate_row){.measured = sums[2].total_change, .published = 0, .rule = VALIDATE_AT_MOST, .limit = 1e-5},
        "relative change of the total");
    for (int g = 0; g < 2; g++) {
        double order = log(sums[g].error / sums[g + 1].error) / log((double)cells[g + 1] / cells[g]);
        validate_row_add(record,
                         (validate_row){.measured = order, .published = 2, .rule = VALIDATE_AT_LEAST, .limit = 1.9},
                         "order, %d to %d cells", cells[g], cells[g + 1]);
    }
    validate_note(record, "the step falls with the square of the cell: diffusion is first order in time");
    return FR_OK;
}
