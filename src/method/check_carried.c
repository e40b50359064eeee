/* Checks of scalars and passive particles, for every method. */
#include "method/check.h"

#include <math.h>
#include <string.h>

#include <freshet/fields.h>

fr_result check_scalar(const char *key, const fr_scalar_def *scalar)
{
    static const char *const taken[] = {"x", "y", "z", "particle_velocity", "particle_id", "particle_age", "turbulence",
                                        NULL};
    if (!fr_field_may_be_scalar(scalar->name) || check_is_listed(taken, scalar->name))
        return fr_fail_key(key, "%s: the name '%s' belongs to a field of the flow; choose another", key, scalar->name);
    if (!(scalar->diffusion >= 0) || !isfinite(scalar->diffusion))
        return fr_fail_key(key, "%s: diffusion must be zero or more (m²/s), not %g", key, scalar->diffusion);
    if (!(scalar->dissipation >= 0) || !isfinite(scalar->dissipation))
        return fr_fail_key(key, "%s: dissipation must be zero or more (1/s), not %g", key, scalar->dissipation);
    if (scalar->transport != FR_TRANSPORT_CARRIED && scalar->transport != FR_TRANSPORT_CONSERVATIVE)
        return fr_fail_key(key, "%s: transport must be \"carried\" or \"conservative\", not the number %d", key,
                           (int)scalar->transport);
    return FR_OK;
}

bool check_is_listed(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (!strcmp(*names, name))
            return true;
    return false;
}

bool check_knows_scalar(const fr_scene_def *def, const char *const *always, const char *name)
{
    if (check_is_listed(always, name))
        return true;
    for (int i = 0; i < def->scalar_count; i++)
        if (!strcmp(def->scalars[i].name, name))
            return true;
    return false;
}

fr_result check_scalar_values(const fr_scene_def *def, const char *const *always, const char *key,
                              const fr_scalar_value *values, int count)
{
    for (int i = 0; i < count; i++) {
        if (!check_knows_scalar(def, always, values[i].name))
            return fr_fail_key(key, "%s: there is no scalar '%s'; declare it in scalars = { %s = {} }", key,
                               values[i].name, values[i].name);
        FR_TRY(check_finite(key, &values[i].value.value, 1));
    }
    return FR_OK;
}

fr_result check_tracers_number(const char *key, const fr_tracers_def *tracers)
{
    int ways = (tracers->per_cell > 0) + (tracers->count > 0);
    if (!(tracers->per_cell >= 0 && tracers->per_cell <= 1e6) || tracers->count < 0)
        return fr_fail_key(key, "%s: per_cell must lie between 0 and 1e6 and count must not be negative", key);
    if (!(tracers->rate >= 0 && tracers->rate <= 1e12))
        return fr_fail_key(key, "%s: rate must lie between 0 and 1e12 particles per second, not %g", key,
                           tracers->rate);
    if (ways == 2)
        return fr_fail_key(key, "%s: per_cell and count both say how many there are at the start; keep one of them",
                           key);
    if (ways == 0 && tracers->rate == 0)
        return fr_fail_key(key, "%s has no particles; say how many: count or per_cell at the start, rate per second",
                           key);
    FR_TRY(check_times(key, tracers->from, tracers->to));
    if (!(tracers->from >= 0))
        return fr_fail_key(key, "%s: from must be zero or more, not %g", key, tracers->from);
    return FR_OK;
}
