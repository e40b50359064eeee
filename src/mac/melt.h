/* How a material melts: viscosity, liquid fraction and enthalpy by its temperature.

   Energy is what is kept, as an enthalpy in kelvin: e = T + L f, L the latent heat over the heat capacity and f the
   share that is molten, which grows linearly from `from` to `to`. Where both are equal, or closer than a thousandth of
   L, the transition is taken to be that wide: f is then still a function of T, and e can be inverted. */
#ifndef FR_MAC_MELT_H
#define FR_MAC_MELT_H

#include <freshet/defs.h>

typedef struct melt {
    fr_melt_def law;
    double latent; /* L, K */
    double width;  /* K, over which f grows */
} melt;

melt melt_of(const fr_heat_def *heat);

/* m²/s */
double melt_viscosity(const melt *m, double temperature);

/* f at a temperature, 0 … 1; 0 where there is no latent heat. */
double melt_fraction(const melt *m, double temperature);

/* e = T + L f, K. */
double melt_enthalpy(const melt *m, double temperature);

/* de/dT at an enthalpy; there T and f are: */
double melt_capacity(const melt *m, double enthalpy);
double melt_temperature(const melt *m, double enthalpy, double *fraction);

#endif
