/* What the files that check a particle liquid share. */
#ifndef FR_SPH_CHECK_H
#define FR_SPH_CHECK_H

#include <freshet/defs.h>

/* Whether the shapes of a liquid's fill, sources and sinks reach into the domain, and still obstacles too. Compiles
 * them. */
fr_result sph_check_places(const fr_scene_def *def);

/* Fails when the fill made no particle and no source will: `particles` counts those of the fill. */
fr_result sph_check_filled(const fr_scene_def *def, double particles);

/* Whether there is such a field: some are there with heat alone. `key` is what asks for it. */
fr_result sph_check_field(const fr_scene_def *def, const char *key, const char *field);

#endif
