/* Functions shared by the checks of a definition. `key` is the key that a failure is about. */
#ifndef FR_METHOD_CHECK_H
#define FR_METHOD_CHECK_H

#include <freshet/method.h>

enum { CHECK_KEY = 96 };    /* room for a key in messages */

fr_result check_positive(const char *key, double value, const char *unit);
fr_result check_not_negative(const char *key, double value);
fr_result check_finite(const char *key, const double *values, int count);
/* Fails: the value of an enumeration is out of range. */
fr_result check_no_choice(const char *key, int number);
fr_result check_placed(const char *key, const fr_placed_shape *placed);
/* A time interval must not end before it begins. */
fr_result check_times(const char *key, double from, double to);
fr_result check_domain(const fr_domain_def *domain);
/* The domain and its number of cells: check_resolution of methods on a regular grid. */
fr_result check_cells(const fr_scene_def *def);
fr_result check_solver(const fr_solver_def *solver);
/* Checks name, constants and transport. */
fr_result check_scalar(const char *key, const fr_scalar_def *scalar);
/* Whether the scene declares the scalar or the method always has it. `always` ends with NULL and may be NULL. */
bool check_knows_scalar(const fr_scene_def *def, const char *const *always, const char *name);
fr_result check_scalar_values(const fr_scene_def *def, const char *const *always, const char *key,
                              const fr_scalar_value *values, int count);
/* Whether a name is in a list that ends with NULL. A list that is NULL is empty. */
bool check_is_listed(const char *const *names, const char *name);
/* Checks the initial number, the rate and the times. */
fr_result check_tracers_number(const char *key, const fr_tracers_def *tracers);

/* The key of a source for messages: the ink that it belongs to in a river, or its index in the list. */
void check_source_key(const fr_scene_def *def, int index, char key[CHECK_KEY]);

extern const char *const check_walls_sides[FR_SIDES];      /* "left" … */

/* A list must not be NULL if its count is positive; lists of values must have all names. */
fr_result check_list(const char *key, const void *items, int count);
fr_result check_value_list(const char *key, const fr_scalar_value *values, int count);
/* The same for all lists that several methods have. */
fr_result check_lists(const fr_scene_def *def);

/* Parts of a scene that several methods have. */
fr_result check_time(const fr_time_def *time);
fr_result check_turbulence(const char *key, const fr_turbulence_def *turbulence);
fr_result check_walls(const fr_scene_def *def);
fr_result check_sources(const fr_scene_def *def, bool may_be_cells);
fr_result check_forces(const fr_scene_def *def);
fr_result check_obstacles(const fr_scene_def *def);
/* Bodies, joints and their coupling to the flow. */
fr_result check_bodies(const fr_scene_def *def, const fr_method_info *method);

#endif
