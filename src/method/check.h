/* Whether a definition is legal: what the files that check it share. */
#ifndef FR_METHOD_CHECK_H
#define FR_METHOD_CHECK_H

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
/* Whether the scene declares it, or it is one of those that the method always has (NULL behind the last; NULL: none).
 */
bool check_knows_scalar(const fr_scene_def *def, const char *const *always, const char *name);
fr_result check_scalar_values(const fr_scene_def *def, const char *const *always, const char *key,
                              const fr_scalar_value *values, int count);
/* Whether a name is in a list; NULL behind the last. A list that is NULL is empty. */
bool check_is_listed(const char *const *names, const char *name);
/* How many there are at the start, how many come and when. */
fr_result check_tracers_number(const char *key, const fr_tracers_def *tracers);

/* What messages call a source: the ink that a river's source is of, or its place in the list. */
void check_source_key(const fr_scene_def *def, int index, char key[CHECK_KEY]);

extern const char *const check_walls_sides[FR_SIDES];      /* "left" … */

/* Whether a list is as long as its count says; of values also whether every name is there. */
fr_result check_list(const char *key, const void *items, int count);
fr_result check_value_list(const char *key, const fr_scalar_value *values, int count);
/* The same of all lists that several methods have. */
fr_result check_lists(const fr_scene_def *def);

/* Parts of a scene that several methods have. */
fr_result check_time(const fr_time_def *time);
fr_result check_turbulence(const char *key, const fr_turbulence_def *turbulence);
fr_result check_walls(const fr_scene_def *def);
fr_result check_sources(const fr_scene_def *def, bool may_be_cells);
fr_result check_forces(const fr_scene_def *def);
fr_result check_obstacles(const fr_scene_def *def);

#endif
