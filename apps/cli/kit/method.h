/* How the command line speaks of methods. */
#ifndef METHOD_H
#define METHOD_H

#include "cli.h"

/* As scenes write it: "smoke". */
const char *method_name(const fr_scene_def *def);

/* What makes a run smaller, as advice: "use fewer cells (--res)". */
const char *method_coarser(const fr_scene_def *def, const fr_estimate *estimate);

/* What makes a step that fails easier, as advice. */
const char *method_easier(const fr_scene_def *def);

#endif
