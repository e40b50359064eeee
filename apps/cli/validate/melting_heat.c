/* Heat in a liquid at rest: fronts of melting and conduction of a Gaussian.

   A strip that melts at 0 touches a wall at `hot`; the front goes as s = 2 λ √(κ t) (Neumann 1860; Carslaw & Jaeger
   11.2), where hot/erf λ + cold/erfc λ = L √π λ e^{λ²}: the solid starts at `cold` ≤ 0 and conducts as the liquid does.
   A Gaussian of width s₀ spreads as s² = s₀² + 2 κ t, and its peak falls as (s₀/s)^d. */
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

/* Fronts. */

static const double FRONT_CONDUCTED = 1e-4, FRONT_HOT = 10, FRONT_TIME = 400; /* m²/s, K, s */

typedef struct front_test {
    double stefan, cold; /* hot over the latent heat; K */
    double lambda;
} front_test;

/* What is left over falls with λ: halving. */
static double front_lambda(double stefan, double cold)
{
    double low = 1e-6, high = 3;
    for (int turn = 0; turn < 60; turn++) {
        const double x = 0.5 * (low + high);
        const double left =
            FRONT_HOT / erf(x) + cold / erfc(x) - FRONT_HOT / stefan * sqrt(VALIDATE_PI) * x * exp(x * x);
        *(left > 0 ? &low : &high) = x;
    }
    return low;
}

static double front_exact(const front_test *test, double time)
{
    return 2 * test->lambda * sqrt(FRONT_CONDUCTED * time);
}

/* What is molten of the strip, m. */
static double front_place(const fr_frame *frame)
{
    const fr_field *fraction = fr_frame_field(frame, "liquid_fraction");
    double sum = 0;
    for (int i = 0; i < frame->cells[0]; i++)
        sum += frame->spacing[0] * validate_value(fraction, i, 1, 0);
    return sum;
}

typedef struct front_seen {
    double off;      /* the place's largest relative error from a quarter of the time on */
    double exponent; /* of its growth with time then: least squares of the logarithms */
} front_seen;

static fr_result front_follow(fr_world *world, const validate_case *self, const front_test *test, validate_curve *curve,
                              front_seen *seen)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    *seen = (front_seen){0};
    while (fr_world_time(world) < FRONT_TIME - 1e-9) {
        FR_TRY(validate_frame(world, self->name));
        const double time = fr_world_time(world), place = front_place(fr_world_frame(world));
        if (curve)
            validate_point_add(curve, time, place);
        if (time < FRONT_TIME / 4)
            continue;
        seen->off = fmax(seen->off, fabs(place / front_exact(test, time) - 1));
        n++;
        x += log(time);
        y += log(place);
        xx += log(time) * log(time);
        xy += log(time) * log(place);
    }
    seen->exponent = (n * xy - x * y) / (n * xx - x * x);
    return FR_OK;
}

static fr_result front_run(const validate_case *self, const front_test *test, fr_liquid_surface surface,
                           validate_curve *curve, front_seen *seen)
{
    const fr_scalar_value start = {.name = "temperature", .value.value = test->cold};
    const fr_scalar_value wall = {.name = "temperature", .value.value = FRONT_HOT};
    validate_liquid liquid;
    validate_liquid_full(&liquid, surface, 2, (double[3]){1, 4.0 / self->cells, 0}, self->cells);
    liquid.def.walls[FR_LEFT].scalars = &wall;
    liquid.def.walls[FR_LEFT].scalar_count = 1;
    liquid.def.heat = (fr_heat_def){.set = true,
                                    .diffusivity = FRONT_CONDUCTED,
                                    .latent = FRONT_HOT / test->stefan,
                                    .melt = {.set = true, .solid = 1, .liquid = 1}};
    liquid.def.initial = &start;
    liquid.def.initial_count = 1;
    liquid.def.time = (fr_time_def){.duration = FRONT_TIME, .fps = 0.1, .dt = 0.5};
    fr_world *world;
    FR_TRY(fr_world_create(&liquid.def, &world));
    fr_result result = front_follow(world, self, test, curve, seen);
    fr_world_destroy(world);
    return result;
}

static void front_judge(validate_record *record, const validate_case *self, const front_seen *seen, const char *name)
{
    validate_row row = {.published = NAN, .rule = VALIDATE_AT_MOST, .limit = self->number < 0 ? 2 : 1};
    row.measured = 100 * seen->off;
    validate_row_add(record, row, "%s: front off by, %%", name);
    row = (validate_row){.measured = seen->exponent, .published = 0.5, .rule = VALIDATE_WITHIN, .limit = 0.01};
    validate_row_add(record, row, "%s: exponent of its growth", name);
}

enum { FRONT_STEFANS = 4 };

static void front_marks(validate_record *record, const double stefans[FRONT_STEFANS], double cold)
{
    validate_curve *marks = validate_curve_add(record, true, "exact");
    for (int n = 0; n < FRONT_STEFANS; n++) {
        const front_test test = {stefans[n], cold, front_lambda(stefans[n], cold)};
        for (int i = 1; i <= 10; i++)
            validate_point_add(marks, 0.1 * i * FRONT_TIME, front_exact(&test, 0.1 * i * FRONT_TIME));
    }
}

/* `number` is the temperature of the solid: 0 one phase (Stefan), less: two (Neumann). */
fr_result validate_melting_front(const validate_case *self, validate_record *record)
{
    const double stefans[FRONT_STEFANS] = {0.2, 0.5, 1, 2};
    validate_panel_add(record, "front of melting", "time (s)", "place (m)");
    for (int n = 0; n < FRONT_STEFANS; n++) {
        front_test test = {stefans[n], self->number, front_lambda(stefans[n], self->number)};
        front_seen seen;
        char name[32];
        snprintf(name, sizeof name, "Stefan number %g", stefans[n]);
        FR_TRY(front_run(self, &test, FR_LIQUID_LEVEL_SET, validate_curve_add(record, false, "%s", name), &seen));
        front_judge(record, self, &seen, name);
    }
    front_marks(record, stefans, self->number);
    for (int t = 1; t < VALIDATE_TRACKERS; t++) {
        front_test test = {0.5, self->number, front_lambda(0.5, self->number)};
        front_seen seen;
        FR_TRY(front_run(self, &test, validate_trackers[t].surface, NULL, &seen));
        front_judge(record, self, &seen, validate_trackers[t].name);
    }
    validate_note(
        record,
        "%d cells along 1 m, steps of 0.5 s, judged from %g to %g s; by a level set where nothing is said, the "
        "other trackers at Stefan number 0.5",
        self->cells, FRONT_TIME / 4, FRONT_TIME);
    return FR_OK;
}

/* A Gaussian. */

static const double GAUSS_CONDUCTED = 0.25, GAUSS_STEP = 0.02; /* m²/s, s; its width starts as 1 m */
enum { GAUSS_TIMES = 4 };
static const double gauss_times[GAUSS_TIMES] = {0.5, 1, 2, 4};

/* `context` is the number of axes along which it falls off. */
static fr_result gauss_start(void *context, const double *args, double *out)
{
    double square = 0;
    for (int a = 0; a < *(const int *)context; a++)
        square += args[a] * args[a];
    *out = exp(-square / 2);
    return FR_OK;
}

typedef struct gauss_seen {
    double width, peak;
} gauss_seen;

/* The width by the second moment along x. Of the peak: the hottest cell lies half a cell off along every axis. */
static gauss_seen gauss_look(const fr_frame *frame, int axes, double width)
{
    const fr_field *t = fr_frame_field(frame, "temperature");
    const double h = frame->spacing[0];
    double sum = 0, second = 0, most = 0;
    for (int k = 0; k < frame->cells[2]; k++)
        for (int j = 0; j < frame->cells[1]; j++)
            for (int i = 0; i < frame->cells[0]; i++) {
                const double x = frame->origin[0] + (i + 0.5) * h, value = validate_value(t, i, j, k);
                most = fmax(most, value);
                sum += value;
                second += value * x * x;
            }
    return (gauss_seen){sqrt(second / sum), most * exp(axes * h * h / (8 * width * width))};
}

static void gauss_judge(validate_record *record, int axes, const char *tracker, fr_world *world)
{
    const double time = fr_world_time(world), width = sqrt(1 + 2 * GAUSS_CONDUCTED * time);
    const gauss_seen seen = gauss_look(fr_world_frame(world), axes, width);
    validate_row row = {
        .measured = seen.peak, .published = pow(width, -axes), .rule = VALIDATE_RELATIVE, .limit = 0.01};
    validate_row_add(record, row, "%s, %dD: peak at t = %g s", tracker, axes, time);
    row = (validate_row){.measured = seen.width, .published = width, .rule = VALIDATE_RELATIVE, .limit = 0.005};
    validate_row_add(record, row, "%s, %dD: width at t = %g s", tracker, axes, time);
}

static void gauss_draw(const fr_frame *frame, validate_curve *curve)
{
    const fr_field *t = fr_frame_field(frame, "temperature");
    for (int i = 0; i < frame->cells[0]; i++)
        validate_point_add(curve, frame->origin[0] + (i + 0.5) * frame->spacing[0],
                           validate_value(t, i, frame->cells[1] / 2, 0));
}

/* In 1D a strip of two cells. All times are judged by the level set in 2D, and the last one otherwise. */
static fr_result gauss_run(const validate_case *self, int axes, int tracker, validate_record *record)
{
    const int cells = axes == 3 ? self->cells * 3 / 4 : self->cells;
    const double size = axes == 3 ? 12 : 16, across = axes == 1 ? 2 * size / cells : size;
    const fr_scalar_value start = {.name = "temperature", .value = {.function = gauss_start, .context = &axes}};
    const bool whole = axes == 2 && tracker == 0;
    validate_liquid liquid;
    validate_liquid_full(&liquid, validate_trackers[tracker].surface, axes == 3 ? 3 : 2,
                         (double[3]){size, across, size}, cells);
    for (int a = 0; a < 3; a++)
        liquid.def.domain.origin[a] = -liquid.def.domain.size[a] / 2;
    liquid.def.heat = (fr_heat_def){.set = true, .diffusivity = GAUSS_CONDUCTED};
    liquid.def.initial = &start;
    liquid.def.initial_count = 1;
    liquid.def.time = (fr_time_def){.duration = 4, .fps = 2, .dt = GAUSS_STEP};
    fr_world *world;
    FR_TRY(fr_world_create(&liquid.def, &world));
    fr_result result = FR_OK;
    const double before = validate_ledger(world, "heat");
    for (int n = 0; n < GAUSS_TIMES && result == FR_OK; n++) {
        while (result == FR_OK && fr_world_time(world) < gauss_times[n] - 1e-9)
            result = validate_frame(world, self->name);
        if (result == FR_OK && (whole || n == GAUSS_TIMES - 1))
            gauss_judge(record, axes, validate_trackers[tracker].name, world);
        if (result == FR_OK && whole)
            gauss_draw(fr_world_frame(world), validate_curve_add(record, false, "t = %g s", gauss_times[n]));
    }
    validate_row row = {.measured = fabs(validate_ledger(world, "heat") / before - 1),
                        .published = NAN,
                        .rule = VALIDATE_AT_MOST,
                        .limit = 1e-6};
    validate_row_add(record, row, "%s, %dD: change of the total", validate_trackers[tracker].name, axes);
    fr_world_destroy(world);
    return result;
}

fr_result validate_melting_gaussian(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "temperature on the line through the middle", "x (m)", "temperature (K)");
    for (int t = 0; t < VALIDATE_TRACKERS; t++)
        FR_TRY(gauss_run(self, 2, t, record));
    FR_TRY(gauss_run(self, 1, 0, record));
    FR_TRY(gauss_run(self, 3, 0, record));
    validate_curve *marks = validate_curve_add(record, true, "exact");
    for (int n = 0; n < GAUSS_TIMES; n++) {
        const double square = 1 + 2 * GAUSS_CONDUCTED * gauss_times[n];
        for (int i = -12; i <= 12; i++)
            validate_point_add(marks, i / 2.0, exp(-i * i / (8 * square)) / square);
    }
    validate_note(record,
                  "%d cells along 16 m (3D: %d along 12 m), steps of %g s by backward Euler; the width starts as 1 m",
                  self->cells, self->cells * 3 / 4, GAUSS_STEP);
    return FR_OK;
}
