/* How a liquid's stress grows with its shear rate γ = √(2 D:D) (Herschel & Bulkley 1926), all over the density:

     stress = yield + ν γ^power       where it flows; below `yield` it does not.

   The viscosity that acts is stress/γ. */
#ifndef FR_MAC_RHEOLOGY_H
#define FR_MAC_RHEOLOGY_H

#include <freshet/defs.h>

/* What is strained by less than this from one frame to the next stands still: it takes 500 frames for a hundredth. */
static const double RHEOLOGY_STILL = 2e-5;

typedef struct rheology {
    double yield; /* m²/s² */
    double power;
} rheology;

rheology rheology_of(const fr_fluid_def *fluid);

/* Whether the viscosity depends on the shear rate. */
bool rheology_matters(const rheology *r);

/* The viscosity that acts, m²/s, where it is `nu` at a shear rate of 1/s without yield. Where nothing flows it would be
   without bound; rates below `still` count as that one. */
double rheology_viscosity(const rheology *r, double nu, double rate, double still);

#endif
