/* Whether a definition is legal: what the files that check it share. */
#ifndef FR_MODEL_CHECK_H
#define FR_MODEL_CHECK_H

#include <freshet/defs.h>

enum { CHECK_KEY = 96 };    /* longest name of a key in messages */

fr_result check_positive(const char *key, double value, const char *unit);
fr_result check_not_negative(const char *key, double value);
fr_result check_finite(const char *key, const double *values, int count);
fr_result check_placed(const char *key, const fr_placed_shape *placed);
/* From one time to another, not back. */
fr_result check_times(const char *key, double from, double to);

/* What differs between methods. */
typedef struct check_method {
    fr_result (*resolution)(const fr_scene_def *def);      /* cells or spacing; nothing of the domain but its size is looked at before */
    fr_result (*parts)(const fr_scene_def *def);           /* the method's own keys, and those of others that have no meaning in it */
    bool (*has_field)(const fr_scene_def *def, const char *name);      /* that a probe can ask for; "w" only comes here in 3D */
} check_method;
extern const check_method check_smoke, check_sph;

/* Whether the shapes of a liquid's fill, sources and sinks reach into the domain, and still obstacles too. Compiles them. */
fr_result check_sph_places(const fr_scene_def *def);

#endif
