/* Whether a scene for a flow on the staggered grid is legal, beyond what every scene is held to. */
#include "method/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mac/run.h"
#include "method/sizes.h"

/* A given flow is not solved: what would push it has no meaning. */
fr_result mac_check_prescribed(const fr_scene_def *def)
{
    if (!def->has_prescribed)
        return FR_OK;
    const char *idle = def->force_count > 0                ? "forces"
                       : def->has_initial_velocity         ? "initial.velocity"
                       : def->initial_turbulence.speed > 0 ? "initial.turbulence"
                       : def->fluid.viscosity > 0          ? "fluid.viscosity"
                                                           : NULL;
    for (int i = 0; i < def->source_count && !idle; i++)
        idle = def->sources[i].sets_velocity ? "the velocity of a source" : NULL;
    if (idle)
        return fr_fail_key("prescribed",
                           "prescribed: the flow is given, so %s would have no effect; remove one of the two", idle);
    return check_finite("prescribed.velocity", def->prescribed.value, 3);
}

static fr_result check_initial_once(const fr_scene_def *def)
{
    for (int i = 0; i < def->initial_count; i++)
        for (int k = 0; k < def->scalar_count; k++)
            if (def->scalars[k].has_initial && !strcmp(def->initial[i].name, def->scalars[k].name))
                return fr_fail_key("initial", "initial: '%s' has an initial value in scalars too; keep one of them",
                                   def->initial[i].name);
    return FR_OK;
}

fr_result mac_check_refine(const fr_scene_def *def, int refine, const char *key)
{
    domain d = sizes_domain(def);
    for (int a = 0; a < d.dims; a++)
        if (d.n[a] > SIZES_MOST_CELLS / refine)
            return fr_fail_key(key, "%s: refine = %d asks for %d cells along %c; %d is the most", key, refine,
                               d.n[a] * refine, "xyz"[a], SIZES_MOST_CELLS);
    domain fine = sizes_refined(&d, refine);
    if (!sizes_can_be_numbered(&fine))
        return fr_fail_key(key, "%s: refine = %d asks for %d x %d x %d cells, more than can be numbered (about 2e9)",
                           key, refine, fine.n[0], fine.n[1], fine.n[2]);
    return FR_OK;
}

static fr_result check_refine(const fr_scene_def *def, const fr_scalar_def *scalar, const char *key)
{
    if (scalar->refine < 0 || scalar->refine > SIZES_MOST_REFINE)
        return fr_fail_key(key, "%s: refine must lie between 1 and %d, not %d", key, SIZES_MOST_REFINE, scalar->refine);
    if (scalar->refine <= 1)
        return FR_OK;
    if (!strcmp(scalar->name, "temperature"))
        return fr_fail_key(key,
                           "%s: refine is for what the flow only carries; the temperature drives it and lives on its "
                           "cells. Use more cells (domain.cells)",
                           key);
    return mac_check_refine(def, scalar->refine, key);
}

fr_result mac_check_scalars(const fr_scene_def *def, const char *const *own)
{
    FR_TRY(check_initial_once(def));
    for (int i = 0; i < def->scalar_count; i++) {
        const fr_scalar_def *scalar = &def->scalars[i];
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "scalars.%s", scalar->name);
        FR_TRY(check_scalar(key, scalar));
        FR_TRY(check_refine(def, scalar, key));
        if (scalar->refine > 1 && scalar->transport == FR_TRANSPORT_CONSERVATIVE)
            return fr_fail_key(
                key, "%s: conservative transport works on the flow's own cells; remove refine or transport", key);
    }
    for (int side = 0; side < 2 * def->domain.dims; side++)
        FR_TRY(check_scalar_values(def, own, "walls", def->walls[side].scalars,
                                   def->walls[side].scalar_count));
    for (int i = 0; i < def->source_count; i++) {
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "sources[%d]", i + 1);
        FR_TRY(check_scalar_values(def, own, key, def->sources[i].scalars, def->sources[i].scalar_count));
    }
    return check_scalar_values(def, own, "initial", def->initial, def->initial_count);
}

fr_result mac_check_tracers(const fr_scene_def *def)
{
    for (int i = 0; i < def->tracer_count; i++) {
        const fr_tracers_def *tracers = &def->tracers[i];
        char key[CHECK_KEY];
        snprintf(key, sizeof key, "particles[%d]", i + 1);
        if (tracers->shape.shape)
            FR_TRY(check_placed(key, &tracers->shape));
        FR_TRY(check_tracers_number(key, tracers));
        FR_TRY(check_finite(key, &tracers->settle, 1));
        FR_TRY(check_finite(key, tracers->velocity, 3));
        if (!(tracers->lifetime >= 0 && tracers->response >= 0) || !isfinite(tracers->lifetime) ||
            !isfinite(tracers->response))
            return fr_fail_key(key, "%s: lifetime and response must be zero or more (s), not %g and %g", key,
                               tracers->lifetime, tracers->response);
        if (tracers->settle != 0 && def->gravity[0] == 0 && def->gravity[1] == 0 && def->gravity[2] == 0)
            return fr_fail_key(
                key, "%s: gravity is zero, so there is no down to settle to; leave gravity out or give it a direction",
                key);
        if (tracers->has_velocity && tracers->response == 0)
            return fr_fail_key(key,
                               "%s: without a response time particles take the flow's velocity at once; give response "
                               "(s) or leave velocity out",
                               key);
    }
    return FR_OK;
}
