/* A rotating square patch of liquid, width L = 1, angular velocity ω = 1, without gravity or walls (Colagrossi 2005).
   Initially ∇²p = 2ρω² with p = 0 on its sides, so the pressure in its middle is negative, −0.147343 ρω²L². Our SPH
   solvers clamp negative pressures: then every particle moves on a straight line, x = x₀ + u₀t, and the area grows by
   the factor 1 + ω²t². */
#include "validate/validate.h"

#include <math.h>
#include <stdlib.h>

static const double PATCH_MIDDLE = 4, PATCH_TIME = 2;

static fr_result patch_turn(void *context, const double *args, double *out)
{
    (void)context;
    out[0] = args[1] - PATCH_MIDDLE;
    out[1] = PATCH_MIDDLE - args[0];
    out[2] = 0;
    return FR_OK;
}

static double patch_angular_momentum(const fr_frame *frame)
{
    double sum = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *x = validate_particle(&frame->particles, n), *u = validate_particle(&frame->particle_velocity, n);
        sum += (x[1] - PATCH_MIDDLE) * u[0] - (x[0] - PATCH_MIDDLE) * u[1];
    }
    return sum;
}

/* Flags, by id, of the particles that started in the inner quarter of the patch. */
static bool *patch_inner(const fr_frame *frame)
{
    bool *inner = calloc((size_t)frame->particle_count, sizeof *inner);
    for (int64_t n = 0; n < frame->particle_count && inner; n++) {
        const float *x = validate_particle(&frame->particles, n);
        inner[frame->particle_ids[n]] = fmax(fabs(x[0] - PATCH_MIDDLE), fabs(x[1] - PATCH_MIDDLE)) < 0.25;
    }
    return inner;
}

/* The square root of the determinant of their second moments, which is proportional to the area they fill. */
static double patch_area(const fr_frame *frame, const bool *inner)
{
    double count = 0, mean[2] = {0}, square[3] = {0};
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *at = validate_particle(&frame->particles, n);
        double x = at[0] - PATCH_MIDDLE, y = at[1] - PATCH_MIDDLE;
        if (!inner[frame->particle_ids[n]])
            continue;
        count++;
        mean[0] += x;
        mean[1] += y;
        square[0] += x * x;
        square[1] += y * y;
        square[2] += x * y;
    }
    double xx = square[0] - mean[0] * mean[0] / count, yy = square[1] - mean[1] * mean[1] / count,
           xy = square[2] - mean[0] * mean[1] / count;
    return sqrt(xx * yy - xy * xy) / count;
}

static fr_result patch_follow(fr_world *world, const validate_case *self, const bool *inner, validate_record *record)
{
    validate_panel_add(record, "area of the patch's inner quarter", "omega t", "area over that at the start");
    validate_curve *curve = validate_curve_add(record, false, "freshet"),
                   *kept = validate_curve_add(record, true, "kept");
    double turning = patch_angular_momentum(fr_world_frame(world)), area = patch_area(fr_world_frame(world), inner),
           now = 1, drift = 0, suction = NAN;
    validate_point_add(curve, 0, 1);
    for (int f = 0; f < fr_world_frame_count(world); f++) {
        FR_TRY(validate_frame(world, self->name));
        const fr_frame *frame = fr_world_frame(world);
        now = patch_area(frame, inner) / area;
        validate_point_add(curve, frame->time, now);
        validate_point_add(kept, frame->time, 1);
        drift = fmax(drift, fabs(patch_angular_momentum(frame) / turning - 1));
        if (f == 0)
            FR_TRY(fr_world_probe(world, "pressure", (double[3]){PATCH_MIDDLE, PATCH_MIDDLE, 0}, &suction));
    }
    validate_row_add(record, (validate_row){.measured = drift, .published = 0, .rule = VALIDATE_AT_MOST, .limit = 1e-4},
                     "relative change of the angular momentum");
    validate_report(record, suction / 1000, -0.147343, "pressure in the middle at the start, in rho omega^2 L^2");
    validate_report(record, now, 1, "area of the inner quarter at omega t = %g over that at the start", PATCH_TIME);
    validate_report(record, now, 1 + PATCH_TIME * PATCH_TIME, "the same beside that of free flight");
    return FR_OK;
}

fr_result validate_square_patch(const validate_case *self, validate_record *record)
{
    validate_liquid patch;
    double low = PATCH_MIDDLE - 0.5, high = PATCH_MIDDLE + 0.5;
    validate_liquid_make(&patch, 2, (double[3]){2 * PATCH_MIDDLE, 2 * PATCH_MIDDLE, 0}, (double[3]){low, low, 0},
                         (double[3]){high, high, 0}, 1.0 / self->cells);
    patch.def.gravity[1] = 0;
    patch.fill.velocity.function = patch_turn;
    patch.def.time = (fr_time_def){.duration = PATCH_TIME, .fps = 50};
    fr_world *world;
    FR_TRY(fr_world_create(&patch.def, &world));
    bool *inner = patch_inner(fr_world_frame(world));
    fr_result result = inner ? patch_follow(world, self, inner, record)
                             : fr_fail(FR_ERROR_MEMORY, "no memory for the particles of '%s'", self->name);
    free(inner);
    fr_world_destroy(world);
    validate_note(record, "%d spacings along a side, no viscosity, dfsph", self->cells);
    validate_note(record, "particles push and never pull: without suction nothing bends their paths, and the patch "
                          "flies apart as dust would. "
                          "Liquid that is held together by its pressure alone is beyond this method");
    return result;
}
