/* What a scene of a liquid with heat is held to, on grids and of particles. */
#ifndef FR_MAC_CHECK_HEAT_H
#define FR_MAC_CHECK_HEAT_H

#include <freshet/method.h>

/* Whether a list of values has one of this name; and the part of a scene that gives one, NULL: none does. */
bool mac_gives_among(const fr_scalar_value *values, int count, const char *name);
const char *mac_gives(const fr_scene_def *def, const char *name);

/* The numbers of `heat`. Without it nothing may have a temperature. */
fr_result mac_check_heat(const fr_scene_def *def);

/* Whether a field that heat brings along is there; `key` is what asks for it. */
fr_result mac_check_heat_field(const fr_scene_def *def, const char *key, const char *field);

/* A yield stress and a power of the shear rate. */
fr_result mac_check_rheology(const fr_fluid_def *fluid);

#endif
