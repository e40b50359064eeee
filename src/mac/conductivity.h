/* Diffusivity as a function of the temperature. Between two points of a line in which nothing changes the flux is
   constant, −κ(T) dT/dx = −dΘ/dx with Θ(T) = ∫ κ dT (Kirchhoff), so that it is (Θ₁ − Θ₂)/h whatever κ does between
   them: κ of a face, or of a pair of particles, is (Θ₁ − Θ₂)/(T₁ − T₂), its mean over the temperatures there. (The
   harmonic mean is for two materials that meet; here one material has all temperatures in between.)

   The function is a scene's and may be slow, and only one thread may call it: so it is asked for a table once a step,
   between the lowest and the highest temperature around, which no conduction leaves. Between the entries κ is linear.
   The table depends on nothing but the step's own state. */
#ifndef FR_MAC_CONDUCTIVITY_H
#define FR_MAC_CONDUCTIVITY_H

#include <freshet/defs.h>

enum { CONDUCTIVITY_STEPS = 512 };

typedef struct conductivity {
    double low, step;                      /* K */
    double kappa[CONDUCTIVITY_STEPS + 1];  /* m²/s */
    double theta[CONDUCTIVITY_STEPS + 1];  /* K m²/s */
    double most;                           /* m²/s */
} conductivity;

/* Calls the function once, so that a wrong one is told at once. */
fr_result conductivity_try(const fr_heat_def *heat);

/* The table from the lowest to the highest of the temperatures around. */
fr_result conductivity_find(const fr_heat_def *heat, double lowest, double highest, conductivity *c);

/* Θ and κ at a temperature; κ is constant beyond the table. */
double conductivity_theta(const conductivity *c, double temperature, double *kappa);

/* Between two temperatures, m²/s; and the same when Θ of both and κ of one are known. Nearer ones than a thousandth of
   a step of the table are one: the difference of Θ would be rounding. */
double conductivity_mean(const conductivity *c, double one, double other);
static inline double conductivity_between(const conductivity *c, const double t[2], const double theta[2], double kappa)
{
    const double apart = t[0] - t[1], same = 1e-3 * c->step;
    return apart < same && apart > -same ? kappa : (theta[0] - theta[1]) / apart;
}

#endif
