/* Remarks on a scene before it runs, by its method. */
#include "method/preview/preview.h"
#include "world/methods.h"

void fr_scene_describe(const fr_preview *preview, fr_remark_sink sink, void *context)
{
    const method *method = method_of(preview->def);
    const remarks to = {preview, sink, context};
    if (method->describe)
        method->describe(&to);
}

fr_result fr_scene_call_functions(const fr_preview *preview)
{
    const method *method = method_of(preview->def);
    return method->call_functions ? method->call_functions(preview) : FR_OK;
}
