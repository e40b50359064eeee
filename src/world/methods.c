/* The table of methods: the only place that knows all of them. */
#include "world/methods.h"

#include <string.h>

#include "liquid/liquid.h"
#include "river/river.h"
#include "smoke/smoke.h"
#include "sph/sph.h"

static const method *const methods[] = {
    [FR_METHOD_SMOKE] = &method_smoke,
    [FR_METHOD_SPH] = &method_sph,
    [FR_METHOD_RIVER] = &method_river,
    [FR_METHOD_LIQUID] = &method_liquid,
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const method *method_numbered(fr_method number)
{
    return (unsigned)number < METHODS ? methods[number] : NULL;
}

const method *method_of(const fr_scene_def *def)
{
    return method_numbered(def->method);
}

int fr_method_count(void)
{
    return METHODS;
}

const fr_method_info *fr_method_describe(fr_method number)
{
    const method *method = method_numbered(number);
    return method ? &method->info : NULL;
}

bool fr_method_find(const char *name, fr_method *found)
{
    for (int i = 0; i < METHODS; i++)
        if (methods[i] && !strcmp(methods[i]->info.name, name)) {
            *found = (fr_method)i;
            return true;
        }
    return false;
}

void fr_scene_complete(fr_scene_def *def)
{
    const method *method = method_of(def);
    if (method && method->complete)
        method->complete(def);
}

int method_dims(const fr_scene_def *def)
{
    const method *method = method_of(def);
    return method->dims ? method->dims(def) : def->domain.dims;
}
