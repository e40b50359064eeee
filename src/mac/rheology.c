#include "mac/rheology.h"

#include <math.h>

rheology rheology_of(const fr_fluid_def *fluid)
{
    return (rheology){fluid->yield, fluid->power};
}

bool rheology_matters(const rheology *r)
{
    return r->yield > 0 || r->power != 1;
}

double rheology_viscosity(const rheology *r, double nu, double rate, double still)
{
    const double flows = fmax(rate, still);
    return nu * (r->power == 1 ? 1 : pow(flows, r->power - 1)) + r->yield / flows;
}
