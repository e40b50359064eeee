/* A world's method from inside, for tests of what the public calls do not show. */
#ifndef TESTS_SUPPORT_RUNS_H
#define TESTS_SUPPORT_RUNS_H

#include "liquid/liquid.h"
#include "smoke/smoke.h"
#include "sph/sph.h"
#include "world/world.h"

static inline mac_run *smoke_of(const fr_world *world) { return (mac_run *)world->run; }
static inline liquid_run *liquid_of(const fr_world *world) { return (liquid_run *)world->run; }
static inline sph_run *sph_of(const fr_world *world) { return (sph_run *)world->run; }

#endif
