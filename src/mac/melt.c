#include "mac/melt.h"

#include <math.h>

/* The narrowest transition, of L. */
static const double MELT_NARROWEST = 1e-3;

melt melt_of(const fr_heat_def *heat)
{
    melt m = {.law = heat->melt, .latent = heat->melt.set ? heat->latent : 0};
    m.width = fmax(heat->melt.to - heat->melt.from, MELT_NARROWEST * m.latent);
    return m;
}

/* 0 up to `from`, 1 from `to` on, linear between: the viscosity follows what is molten. */
static double melt_share(const melt *m, double temperature)
{
    const double above = temperature - m->law.from;
    if (above <= 0)
        return 0;
    return above >= m->width ? 1 : above / m->width;
}

double melt_viscosity(const melt *m, double temperature)
{
    const fr_melt_def *law = &m->law;
    const double share = melt_share(m, temperature), left = 1 - share;
    switch (law->curve) {
    case FR_MELT_LINEAR:
        return law->liquid + (law->solid - law->liquid) * left;
    case FR_MELT_QUADRATIC:
        return law->liquid + (law->solid - law->liquid) * left * left;
    case FR_MELT_LOG:
        break;
    }
    return law->solid * pow(law->liquid / law->solid, share);
}

double melt_fraction(const melt *m, double temperature)
{
    return m->latent > 0 ? melt_share(m, temperature) : 0;
}

double melt_enthalpy(const melt *m, double temperature)
{
    return temperature + m->latent * melt_fraction(m, temperature);
}

/* Between these two enthalpies it melts. */
static bool melt_is_mushy(const melt *m, double enthalpy)
{
    return m->latent > 0 && enthalpy > m->law.from && enthalpy < m->law.from + m->width + m->latent;
}

double melt_capacity(const melt *m, double enthalpy)
{
    return melt_is_mushy(m, enthalpy) ? 1 + m->latent / m->width : 1;
}

double melt_temperature(const melt *m, double enthalpy, double *fraction)
{
    const bool mushy = melt_is_mushy(m, enthalpy);
    if (mushy)
        *fraction = (enthalpy - m->law.from) / (m->width + m->latent);
    else
        *fraction = m->latent > 0 && enthalpy > m->law.from ? 1 : 0;
    return mushy ? m->law.from + *fraction * m->width : enthalpy - m->latent * *fraction;
}
