/* A standing wave in water of depth H, one wave long, with λ = g = 1 (Lighthill 1978):

     φ = cosh ky cos kx cos ωt exp(−2νk²t),   ω² = g k tanh kH.

   The surface is flat at the start and the velocity is ∇φ. The amplitude is measured by projecting the velocity on
   ∇φ. */
#include "validate/validate.h"

#include <math.h>
#include <stdio.h>

static const double WAVE_NUMBER = 2 * VALIDATE_PI, WAVE_DEPTH = 0.5, WAVE_SPEED = 0.1;

static void wave_mode(const double at[2], double v[2])
{
    double k = WAVE_NUMBER, scale = 1 / sinh(k * WAVE_DEPTH);
    v[0] = -scale * cosh(k * at[1]) * sin(k * at[0]);
    v[1] = scale * sinh(k * at[1]) * cos(k * at[0]);
}

static fr_result wave_start(void *context, const double *args, double *out)
{
    double v[2];
    wave_mode(args, v);
    out[0] = *(const double *)context * v[0];
    out[1] = *(const double *)context * v[1];
    out[2] = 0;
    return FR_OK;
}

static double wave_amplitude(const fr_frame *frame)
{
    double sum = 0, norm = 0;
    for (int64_t n = 0; n < frame->particle_count; n++) {
        const float *x = validate_particle(&frame->particles, n), *u = validate_particle(&frame->particle_velocity, n);
        double v[2];
        wave_mode((double[2]){x[0], x[1]}, v);
        sum += u[0] * v[0] + u[1] * v[1];
        norm += v[0] * v[0] + v[1] * v[1];
    }
    return sum / norm;
}

/* Fits a(t) = cos ωt exp(−γt): ω from the first and last zero, γ by linear regression of the logarithms of the
   extremes, as long as those exceed the noise of the particles (WAVE_LEAST). */
typedef struct wave_fit {
    double frequency, decay;
} wave_fit;

static const double WAVE_LEAST = 0.1;

static wave_fit wave_measure(const validate_curve *curve)
{
    double first = 0, last = 0, peak = 1, when = 0, s = 0, st = 0, stt = 0, sl = 0, stl = 0;
    int zeros = 0;
    for (int i = 1; i < curve->count; i++) {
        double t = curve->x[i], now = curve->y[i], before = curve->y[i - 1];
        if (fabs(now) > peak) {
            peak = fabs(now);
            when = t;
        }
        if (now * before > 0 || now == 0)
            continue;
        if (peak < WAVE_LEAST)
            break;
        last = t - (t - curve->x[i - 1]) * now / (now - before);
        first = zeros++ ? first : last;
        if (zeros > 1) {
            s += 1;
            st += when;
            stt += when * when;
            sl += log(peak);
            stl += when * log(peak);
        }
        peak = 0;
    }
    return (wave_fit){VALIDATE_PI * (zeros - 1) / (last - first), -(s * stl - st * sl) / (s * stt - st * st)};
}

/* Without viscosity the Reynolds number is infinite. */
static const char *wave_name(double reynolds, char name[32])
{
    snprintf(name, 32, isinf(reynolds) ? "no viscosity" : "Re %g", reynolds);
    return name;
}

static void wave_judge(validate_record *record, double measured, double published, double limit, const char *name,
                       const char *what)
{
    validate_row row = {.measured = measured,
                        .published = published,
                        .rule = limit > 0 ? VALIDATE_RELATIVE : VALIDATE_REPORT,
                        .limit = limit};
    validate_row_add(record, row, "%s: %s", name, what);
}

/* `limits`: accepted relative errors; 0: reported only. */
static fr_result wave_run(const validate_case *self, validate_record *record, double reynolds, wave_fit limits)
{
    double d = 1.0 / self->cells, speed = WAVE_SPEED, viscosity = WAVE_DEPTH * sqrt(WAVE_DEPTH) / reynolds;
    double omega = sqrt(WAVE_NUMBER * tanh(WAVE_NUMBER * WAVE_DEPTH));
    validate_liquid water;
    validate_liquid_make(&water, 2, (double[3]){1, 1, 0}, (double[3]){0}, (double[3]){1, WAVE_DEPTH, 0}, d);
    water.def.walls[FR_LEFT].kind = water.def.walls[FR_RIGHT].kind = FR_WALL_PERIODIC;
    water.def.gravity[1] = -1;
    water.def.fluid.viscosity = viscosity;
    water.def.sph.damping = 0;   /* no artificial viscosity */
    water.def.sph.support = 2;
    water.def.time = (fr_time_def){.duration = 3.5 * 2 * VALIDATE_PI / omega, .fps = 50};
    water.fill.velocity = (fr_vector){.function = wave_start, .context = &speed};
    char space[32];
    const char *name = wave_name(reynolds, space);
    validate_curve *curve = validate_curve_add(record, false, "%s", name),
                   *exact = validate_curve_add(record, true, "exact");
    fr_world *world;
    FR_TRY(fr_world_create(&water.def, &world));
    fr_result result = FR_OK;
    for (int f = 0; f <= fr_world_frame_count(world) && result == FR_OK; f++) {
        result = f > 0 ? validate_frame(world, self->name) : FR_OK;
        double t = fr_world_time(world);
        validate_point_add(curve, t, wave_amplitude(fr_world_frame(world)) / speed);
        if (f % 10 == 0)
            validate_point_add(exact, t, cos(omega * t) * exp(-2 * viscosity * WAVE_NUMBER * WAVE_NUMBER * t));
    }
    fr_world_destroy(world);
    FR_TRY(result);
    wave_fit fit = wave_measure(curve);
    double decay = 2 * viscosity * WAVE_NUMBER * WAVE_NUMBER;
    wave_judge(record, fit.frequency, omega, limits.frequency, name, "angular frequency");
    wave_judge(record, fit.decay, decay > 0 ? decay : NAN, limits.decay, name, "decay of the amplitude");
    return FR_OK;
}

fr_result validate_standing_wave(const validate_case *self, validate_record *record)
{
    validate_panel_add(record, "amplitude of the velocity", "time (sqrt(lambda/g))", "amplitude");
    FR_TRY(wave_run(self, record, INFINITY, (wave_fit){0.02, 0}));
    FR_TRY(wave_run(self, record, 50, (wave_fit){0, 0.1}));
    FR_TRY(wave_run(self, record, 250, (wave_fit){0}));
    validate_note(record, "depth half a wave, %d spacings along the wave, steepness %.2g, bottom slips, dfsph",
                  self->cells, WAVE_SPEED * sqrt(WAVE_NUMBER));
    validate_note(record, "the formulas are those of little viscosity and low waves: at Re 50 the frequency of a low "
                          "wave is 2.378 (Lamb 1932, art. 349)");
    validate_note(record,
                  "what decays without viscosity is the friction of the scheme itself; at Re 250 it shows as well");
    return FR_OK;
}
