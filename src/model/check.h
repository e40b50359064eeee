/* Whether a definition is legal: what the files that check it share. */
#ifndef FR_MODEL_CHECK_H
#define FR_MODEL_CHECK_H

#include <freshet/defs.h>

enum { CHECK_KEY = 96 };    /* longest name of a key in messages */

fr_result check_positive(const char *key, double value, const char *unit);
fr_result check_not_negative(const char *key, double value);
fr_result check_finite(const char *key, const double *values, int count);
/* Says that an enumeration holds a number that none of its names has. */
fr_result check_no_choice(const char *key, int number);
fr_result check_placed(const char *key, const fr_placed_shape *placed);
/* From one time to another, not back. */
fr_result check_times(const char *key, double from, double to);
fr_result check_domain(const fr_domain_def *domain);
fr_result check_solver(const fr_solver_def *solver);
/* Name, constants and transport. */
fr_result check_scalar(const char *key, const fr_scalar_def *scalar);
/* Smoke has some scalars without their being declared. */
bool check_knows_scalar(const fr_scene_def *def, const char *name);
fr_result check_scalar_values(const fr_scene_def *def, const char *key, const fr_scalar_value *values, int count);
/* How many there are at the start, how many come and when. */
fr_result check_tracers_number(const char *key, const fr_tracers_def *tracers);

/* 2 or 3. A river has no domain: its cells tell. */
int check_dims(const fr_scene_def *def);

/* What messages call a source: the ink that a river's source is of, or its place in the list. */
void check_source_key(const fr_scene_def *def, int index, char key[CHECK_KEY]);

/* What differs between methods. */
typedef struct check_method {
    fr_result (*resolution)(const fr_scene_def *def);      /* domain, cells or spacing; nothing is looked at before */
    fr_result (*parts)(const fr_scene_def *def);           /* the method's own keys, and those of others that have no meaning in it */
    const char *const *fields;   /* that a probe can ask for besides scalars; NULL at the end; "w" is for 3D alone */
} check_method;
extern const check_method check_smoke, check_sph, check_river;

extern const char *const check_walls_sides[FR_SIDES];      /* "left" … */
extern const char *const check_river_sides[FR_SIDES];      /* "s0" … */

/* Whether every list is as long as its count says, and every name is there. */
fr_result check_lists(const fr_scene_def *def);

/* Whether a probe can ask for a field; the failure says which there are. */
fr_result check_field(const fr_scene_def *def, const char *key, const char *name);
/* Whether a place, which messages call `what`, lies in the domain. Not for rivers, which have none. */
fr_result check_place_in_domain(const fr_scene_def *def, const char *key, const char *what, const double at[3]);

/* Whether the cells of a river's obstacles, sources and particles lie in its grid, and water that comes in finds its way out. */
fr_result check_river_blocks(const fr_scene_def *def);

/* Whether the shapes of a liquid's fill, sources and sinks reach into the domain, and still obstacles too. Compiles them. */
fr_result check_sph_places(const fr_scene_def *def);

/* Fails when the fill made no particle and no source will: `particles` counts those of the fill. */
fr_result check_sph_filled(const fr_scene_def *def, double particles);

#endif
