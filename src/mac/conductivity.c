#include "mac/conductivity.h"

#include <math.h>

static fr_result conductivity_ask(const fr_heat_def *heat, double temperature, double *kappa)
{
    FR_TRY(heat->diffusivity_of(heat->diffusivity_context, &temperature, kappa));
    if (!isfinite(*kappa) || *kappa < 0)
        return fr_fail_key("heat.diffusivity",
                           "heat.diffusivity is %g m²/s at %g K; it must be zero or a positive number", *kappa,
                           temperature);
    return FR_OK;
}

fr_result conductivity_try(const fr_heat_def *heat)
{
    double kappa;
    return conductivity_ask(heat, heat->ambient, &kappa);
}

fr_result conductivity_find(const fr_heat_def *heat, double lowest, double highest, conductivity *c)
{
    c->low = lowest;
    c->step = fmax(highest - lowest, 1e-6 * fmax(fabs(lowest), 1)) / CONDUCTIVITY_STEPS;
    c->most = 0;
    for (int i = 0; i <= CONDUCTIVITY_STEPS; i++) {
        FR_TRY(conductivity_ask(heat, c->low + i * c->step, &c->kappa[i]));
        c->theta[i] = i ? c->theta[i - 1] + 0.5 * c->step * (c->kappa[i - 1] + c->kappa[i]) : 0;
        c->most = fmax(c->most, c->kappa[i]);
    }
    return FR_OK;
}

double conductivity_theta(const conductivity *c, double temperature, double *kappa)
{
    const double at = (temperature - c->low) / c->step, inside = fmin(fmax(at, 0), CONDUCTIVITY_STEPS);
    const int i = (int)fmin(inside, CONDUCTIVITY_STEPS - 1);
    const double part = inside - i, bend = c->kappa[i + 1] - c->kappa[i];
    *kappa = c->kappa[i] + bend * part;
    return c->theta[i] + c->step * (part * (c->kappa[i] + 0.5 * bend * part) + (at - inside) * *kappa);
}

double conductivity_mean(const conductivity *c, double one, double other)
{
    double kappa, beside;
    const double theta[2] = {conductivity_theta(c, one, &kappa), conductivity_theta(c, other, &beside)};
    return conductivity_between(c, (double[2]){one, other}, theta, kappa);
}
